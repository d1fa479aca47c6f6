//! Symbolic execution of a rule's code: expressions over its variables.

use std::rc::Rc;

use heapwright_code::shuffled;
use heapwright_jvm::Operation;
use heapwright_jvm::descriptor::{Kind, split_method};
use heapwright_jvm::listing::{Invoke, Listed, ListedMember, ListedOperation, SignedComparison};

/// Variable of a rule, by its index in the rule's list.
pub type RuleVariable = usize;

/// Expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr {
    /// Number: its kind and its slot.
    Number(Kind, u64),
    /// Null.
    Null,
    /// Object of the constant pool.
    Constant(String),
    /// Variable of the rule.
    Variable(RuleVariable),
    /// Operation; the second operand is present for binary operations.
    Operate(Operation, Kind, Rc<Expr>, Option<Rc<Expr>>),
}

/// Condition for a rule to be taken.
#[derive(Clone, Debug, PartialEq)]
pub enum Guard {
    /// Comparison of two numbers of a kind.
    Compare(SignedComparison, Kind, Expr, Expr),
    /// Nullness of a reference, or its negation.
    Null(Expr, bool),
    /// Identity of two references, or its negation.
    Same(Expr, Expr, bool),
    /// Membership of an int in a set, or its negation.
    Among(Expr, Vec<i32>, bool),
    /// Condition on the heap or on classes, in textual form.
    Heap(&'static str, Vec<Expr>, Option<String>),
}

/// Step of a rule.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleGoal {
    /// Guard of the rule.
    Guard(Guard),
    /// Heap operation: name, arguments, attribute, result.
    Heap(
        &'static str,
        Vec<Expr>,
        Option<String>,
        Option<RuleVariable>,
    ),
    /// Call of one of several methods: targets, arguments, result.
    Call(
        Vec<heapwright_jvm::MethodId>,
        Vec<Expr>,
        Option<RuleVariable>,
    ),
}

/// Symbolic frame at a point of a rule, with the steps so far.
#[derive(Clone, Debug, Default)]
pub(super) struct SymbolicFrame {
    /// Local variables; a long or double is in the first of its words.
    pub locals: Vec<Option<Expr>>,
    /// The operand stack.
    pub stack: Vec<Option<usize>>,
    /// Values that stack words refer to, so that words can be moved.
    values: Vec<Expr>,
    /// Steps so far.
    pub goals: Vec<RuleGoal>,
    /// Names of the rule's variables.
    pub names: Vec<String>,
}

impl SymbolicFrame {
    /// Creates a variable with a unique name.
    pub fn fresh(&mut self, name: &str) -> RuleVariable {
        let mut name = name.to_owned();
        if self.names.contains(&name) {
            let mut number = 2;
            while self.names.contains(&format!("{name}{number}")) {
                number += 1;
            }
            name = format!("{name}{number}");
        }
        self.names.push(name);
        self.names.len() - 1
    }

    /// Pushes a value of this many words.
    pub fn push(&mut self, value: Expr, words: u16) {
        self.values.push(value);
        self.stack.push(Some(self.values.len() - 1));
        if words == 2 {
            self.stack.push(None);
        }
    }

    /// Pops a value of this many words.
    pub fn pop(&mut self, words: u16) -> Expr {
        if words == 2 {
            self.stack.pop();
        }
        let value = self.stack.pop().flatten();
        value.map_or(Expr::Null, |value| self.values[value].clone())
    }

    /// Value this many words below the top.
    pub fn under(&self, words: usize) -> Expr {
        let place = self.stack.len().checked_sub(words + 1);
        let value = place.and_then(|place| self.stack[place]);
        value.map_or(Expr::Null, |value| self.values[value].clone())
    }

    fn load(&self, local: u16) -> Expr {
        let held = self.locals.get(usize::from(local)).cloned().flatten();
        held.unwrap_or(Expr::Null)
    }

    /// Stores a value in a local variable.
    pub fn store(&mut self, local: u16, value: Expr) {
        let local = usize::from(local);
        if self.locals.len() <= local {
            self.locals.resize(local + 1, None);
        }
        self.locals[local] = Some(value);
    }

    /// Empties the operand stack.
    pub fn clear_stack(&mut self) {
        self.stack.clear();
    }

    /// Executes an instruction that completes normally, except calls of followed methods.
    pub fn run(&mut self, listed: &Listed) {
        let (pop, push) = listed.effect;
        match &listed.step {
            ListedOperation::Number(kind, bits) => self.push(Expr::Number(*kind, *bits), push),
            ListedOperation::Null => self.push(Expr::Null, 1),
            ListedOperation::Text(text) => self.push(Expr::Constant(format!("{text:?}")), push),
            ListedOperation::Constant(text) => self.push(Expr::Constant(text.clone()), push),
            ListedOperation::Load(kind, local) => {
                let value = self.load(*local);
                self.push(value, kind.words());
            }
            ListedOperation::Store(kind, local) => {
                let value = self.pop(kind.words());
                self.store(*local, value);
            }
            ListedOperation::Increment(local, by) => {
                let by = Expr::Number(Kind::Int, u64::from(*by as u32));
                let sum = operate(Operation::Add, Kind::Int, self.load(*local), Some(by));
                self.store(*local, sum);
            }
            ListedOperation::Operate(operation, kind) => self.operate(*operation, *kind, push),
            ListedOperation::Shuffle(shuffle) => shuffled(&mut self.stack, *shuffle),
            ListedOperation::GetField(member, is_static) => {
                let arguments = match is_static {
                    true => Vec::new(),
                    false => vec![self.pop(1)],
                };
                let field = field_text(member, *is_static);
                self.given("get_field", arguments, Some(field), &member.name, push);
            }
            ListedOperation::PutField(member, is_static) => {
                let mut arguments = vec![self.pop(Kind::of(&member.descriptor).words())];
                if !is_static {
                    arguments.insert(0, self.pop(1));
                }
                let field = field_text(member, *is_static);
                self.goals
                    .push(RuleGoal::Heap("set_field", arguments, Some(field), None));
            }
            ListedOperation::ArrayLoad(_) => {
                let index = self.pop(1);
                let array = self.pop(1);
                self.given("get_array", vec![array, index], None, "element", push);
            }
            ListedOperation::ArrayStore(kind) => {
                let value = self.pop(kind.words());
                let index = self.pop(1);
                let array = self.pop(1);
                let arguments = vec![array, index, value];
                self.goals
                    .push(RuleGoal::Heap("set_array", arguments, None, None));
            }
            ListedOperation::ArrayLength => {
                let array = self.pop(1);
                self.given("length", vec![array], None, "length", push);
            }
            ListedOperation::New(class) => {
                let class = Some(simple(class).to_owned());
                self.given("new_object", Vec::new(), class, "object", push);
            }
            ListedOperation::NewArray(class, dimensions) => {
                let lengths: Vec<Expr> = (0..*dimensions).map(|_| self.pop(1)).collect();
                let class = Some(simple(class).to_owned());
                self.given("new_array", lengths, class, "array", push);
            }
            ListedOperation::InstanceOf(class) => {
                let object = self.pop(1);
                let class = Some(simple(class).to_owned());
                self.given("instance_of", vec![object], class, "is", push);
            }
            ListedOperation::CheckCast(_)
            | ListedOperation::Goto(_)
            | ListedOperation::Nothing
            | ListedOperation::Return(_) => {}
            ListedOperation::Invoke(how, member) => {
                let arguments = self.arguments(member, *how != Invoke::Static);
                let name = format!("{}.{}", simple(&member.class), member.name);
                self.given("builtin", arguments, Some(name), "result", push);
            }
            ListedOperation::Dynamic(name, descriptor, _) => {
                let member = ListedMember {
                    class: String::new(),
                    name: name.clone(),
                    descriptor: descriptor.clone(),
                };
                let arguments = self.arguments(&member, false);
                self.given("builtin", arguments, Some(name.clone()), "result", push);
            }
            ListedOperation::Branch(..)
            | ListedOperation::Switch(_)
            | ListedOperation::Throw
            | ListedOperation::Subroutine
            | ListedOperation::Monitor(_) => {
                for _ in 0..pop {
                    self.stack.pop();
                }
            }
        }
    }

    /// Pops the arguments of a call.
    pub fn arguments(&mut self, member: &ListedMember, has_receiver: bool) -> Vec<Expr> {
        let (parameters, _) = split_method(&member.descriptor).unwrap_or_default();
        let kinds = parameters.iter().rev().map(|one| Kind::of(one).words());
        let mut arguments: Vec<Expr> = kinds.map(|words| self.pop(words)).collect();
        if has_receiver {
            arguments.push(self.pop(1));
        }
        arguments.reverse();
        arguments
    }

    fn operate(&mut self, operation: Operation, kind: Kind, push: u16) {
        use Operation::{Convert, Neg, Shl, Shr, Ushr};
        let value = match operation {
            Convert(_) | Neg => operate(operation, kind, self.pop(kind.words()), None),
            _ => {
                let words = if matches!(operation, Shl | Shr | Ushr) {
                    1
                } else {
                    kind.words()
                };
                let right = self.pop(words);
                let left = self.pop(kind.words());
                operate(operation, kind, left, Some(right))
            }
        };
        self.push(value, push);
    }

    /// Adds a heap operation and pushes its result, if it has one.
    fn given(
        &mut self,
        what: &'static str,
        arguments: Vec<Expr>,
        about: Option<String>,
        name: &str,
        words: u16,
    ) {
        let result = (words > 0).then(|| self.fresh(&variable_name(name)));
        self.goals
            .push(RuleGoal::Heap(what, arguments, about, result));
        if let Some(result) = result {
            self.push(Expr::Variable(result), words);
        }
    }
}

fn field_text(member: &ListedMember, is_static: bool) -> String {
    match is_static {
        true => format!("{}.{}", simple(&member.class), member.name),
        false => member.name.clone(),
    }
}

/// Class name without its package.
pub(super) fn simple(class: &str) -> &str {
    class.rsplit(['/', '.']).next().unwrap_or(class)
}

/// Variable name in the notation of logic programs: capitalised.
pub(super) fn variable_name(name: &str) -> String {
    let letters: String = name
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_')
        .collect();
    let mut letters = letters.chars();
    match letters.next() {
        Some(first) if first.is_ascii_alphabetic() => {
            first.to_ascii_uppercase().to_string() + letters.as_str()
        }
        Some(first) => format!("V{first}{}", letters.as_str()),
        None => "V".to_owned(),
    }
}

/// Result of an operation, folded for constant ints.
fn operate(operation: Operation, kind: Kind, left: Expr, right: Option<Expr>) -> Expr {
    if let (Kind::Int, Expr::Number(_, a), Some(Expr::Number(_, b))) = (kind, &left, &right) {
        let (a, b) = (*a as u32 as i32, *b as u32 as i32);
        let known = match operation {
            Operation::Add => Some(a.wrapping_add(b)),
            Operation::Sub => Some(a.wrapping_sub(b)),
            Operation::Mul => Some(a.wrapping_mul(b)),
            _ => None,
        };
        if let Some(known) = known {
            return Expr::Number(Kind::Int, u64::from(known as u32));
        }
    }
    Expr::Operate(operation, kind, Rc::new(left), right.map(Rc::new))
}

impl Expr {
    /// Calls `see` with each variable of the expression.
    pub fn each_variable(&self, see: &mut impl FnMut(RuleVariable)) {
        match self {
            Expr::Variable(variable) => see(*variable),
            Expr::Operate(_, _, left, right) => {
                left.each_variable(see);
                if let Some(right) = right {
                    right.each_variable(see);
                }
            }
            Expr::Number(..) | Expr::Null | Expr::Constant(_) => {}
        }
    }
}

impl Guard {
    /// Calls `see` with each variable of the guard.
    pub fn each_variable(&self, see: &mut impl FnMut(RuleVariable)) {
        match self {
            Guard::Compare(_, _, left, right) | Guard::Same(left, right, _) => {
                left.each_variable(see);
                right.each_variable(see);
            }
            Guard::Null(value, _) | Guard::Among(value, ..) => value.each_variable(see),
            Guard::Heap(_, values, _) => {
                for value in values {
                    value.each_variable(see);
                }
            }
        }
    }
}
