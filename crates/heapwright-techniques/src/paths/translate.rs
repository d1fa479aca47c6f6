//! Translation of a method's blocks to rules.

use heapwright_jvm::descriptor::{Kind, split_method};
use heapwright_jvm::listing::{BranchCondition, Invoke, ListedOperation, SignedComparison};
use heapwright_jvm::{MethodId, Operation, Vm};

use super::flow::{BlockExit, BlockGraph, EdgeCondition, To};
use super::live::{LiveVariables, live};
use super::names::NameGenerator;
use super::rules::{Predicate, PredicateId, PredicatePoint, Rule, RuleChoice, RuleEnd};
use super::values::{Expr, Guard, RuleGoal, SymbolicFrame, simple, variable_name};

struct RuleBuilder<'a> {
    vm: &'a Vm,
    flow: &'a BlockGraph,
    method: usize,
    /// Live local variables at the start of each block, and after its end.
    live: LiveVariables,
    /// Number of the method's first predicate.
    first: PredicateId,
    predicates: Vec<Predicate>,
    names: &'a mut NameGenerator,
}

/// End of a walk through blocks.
enum BlockWalkEnd {
    Place(PredicatePoint),
    End(RuleEnd),
}

/// Creates the predicates of a method, that of its start first, numbered from `first`.
pub(super) fn translate(
    vm: &Vm,
    flow: &BlockGraph,
    method: usize,
    first: PredicateId,
    names: &mut NameGenerator,
) -> Vec<Predicate> {
    let builder = RuleBuilder {
        vm,
        flow,
        method,
        live: live(flow, parameters(vm, flow.method)),
        first,
        predicates: Vec::new(),
        names,
    };
    builder.build()
}

impl RuleBuilder<'_> {
    fn build(mut self) -> Vec<Predicate> {
        self.predicate(PredicatePoint::Enter);
        let mut next = 0;
        while next < self.predicates.len() {
            let place = self.predicates[next].place;
            self.predicates[next].rules = self.rules(place);
            next += 1;
        }
        self.predicates
    }

    /// Number of the predicate of a place, created if necessary.
    fn predicate(&mut self, place: PredicatePoint) -> PredicateId {
        let known = self.predicates.iter().position(|one| one.place == place);
        let number = known.unwrap_or_else(|| {
            let name = self.names.of_place(self.flow, place);
            let variables = self.variables(place);
            self.predicates.push(Predicate {
                name,
                method: self.method,
                place,
                variables: variables.into_iter().map(|one| one.0).collect(),
                rules: Vec::new(),
            });
            self.predicates.len() - 1
        });
        self.first + number
    }

    /// Arguments of a predicate, local variables and stack words: their names and locations.
    fn variables(&self, place: PredicatePoint) -> Vec<(String, VariablePlace)> {
        let (block, at_end) = match place {
            PredicatePoint::Enter => (0, false),
            PredicatePoint::Start(block) => (block, false),
            PredicatePoint::Split(block)
            | PredicatePoint::Dispatch(block)
            | PredicatePoint::Check(block) => (block, true),
        };
        let range = &self.flow.blocks[block].instructions;
        let number = if at_end { range.end - 1 } else { range.start };
        let at = self.flow.listing.instructions[number].at;
        let (locals, words) = match place {
            PredicatePoint::Enter => (self.live.parameters.clone(), 0),
            PredicatePoint::Start(block) => self.live.at_start[block].clone(),
            PredicatePoint::Split(block) | PredicatePoint::Dispatch(block) => {
                self.live.before_last[block].clone()
            }
            PredicatePoint::Check(block) => self.live.after_last[block].clone(),
        };
        let mut found: Vec<(String, VariablePlace)> = Vec::new();
        let mut add = |name: String, held: VariablePlace| {
            let mut unique = name.clone();
            let mut number = 2;
            while found.iter().any(|one| one.0 == unique) {
                unique = format!("{name}{number}");
                number += 1;
            }
            found.push((unique, held));
        };
        for local in locals {
            let name = self.flow.listing.local_name(local, at);
            let name = match (name, local) {
                (Some(name), _) => name.to_owned(),
                (None, 0) if !self.vm.method(self.flow.method).is_static() => "this".to_owned(),
                (None, _) => format!("v{local}"),
            };
            add(variable_name(&name), VariablePlace::Local(local));
        }
        // The result of a call is on top of the stack.
        let given = match (place, &self.flow.last(block).step) {
            (PredicatePoint::Check(_), ListedOperation::Invoke(_, member))
                if !member.descriptor.ends_with('V') =>
            {
                Some(variable_name(&member.name))
            }
            _ => None,
        };
        for word in 0..words {
            let name = given.as_ref().filter(|_| word + 1 == words);
            let name = name.map_or_else(|| format!("S{}", word + 1), String::clone);
            add(name, VariablePlace::Stack(word));
        }
        found
    }

    /// Frame at the start of a predicate's rule.
    fn frame(&self, place: PredicatePoint) -> SymbolicFrame {
        let mut frame = SymbolicFrame::default();
        for (name, held) in self.variables(place) {
            let variable = frame.fresh(&name);
            match held {
                VariablePlace::Local(local) => frame.store(local, Expr::Variable(variable)),
                VariablePlace::Stack(_) => frame.push(Expr::Variable(variable), 1),
            }
        }
        frame
    }

    fn rules(&mut self, place: PredicatePoint) -> Vec<Rule> {
        let mut frame = self.frame(place);
        let mut blocks = Vec::new();
        let stop = match place {
            PredicatePoint::Enter => self.walk(&mut frame, 0, &mut blocks, false),
            PredicatePoint::Start(block) => self.walk(&mut frame, block, &mut blocks, true),
            place => BlockWalkEnd::Place(place),
        };
        let has_called = frame
            .goals
            .iter()
            .any(|goal| matches!(goal, RuleGoal::Call(..)));
        let split = match stop {
            BlockWalkEnd::Place(split) if split == place || !has_called && !is_start(split) => {
                split
            }
            stop => {
                let rule = self.finish(RuleChoice::Only, frame, stop, blocks);
                return vec![rule];
            }
        };
        let mut rules = self.alternatives(split, &frame, &blocks);
        rules.sort_by_key(|rule| {
            let is_exceptional = match rule.choice {
                RuleChoice::Exit(block, exit) => !self.flow.blocks[block].exits[exit].is_normal(),
                RuleChoice::Only | RuleChoice::Enter(..) | RuleChoice::Others(_) => false,
            };
            (is_exceptional, rule.distance.unwrap_or(u32::MAX))
        });
        rules
    }

    /// Walks through blocks until control flow splits.
    fn walk(
        &mut self,
        frame: &mut SymbolicFrame,
        block: usize,
        blocks: &mut Vec<usize>,
        is_first: bool,
    ) -> BlockWalkEnd {
        let (mut block, mut is_first) = (block, is_first);
        loop {
            if !is_first && self.flow.blocks[block].is_join {
                return BlockWalkEnd::Place(PredicatePoint::Start(block));
            }
            is_first = false;
            blocks.push(block);
            let flow = self.flow;
            let this = &flow.blocks[block];
            let instructions = &flow.listing.instructions[this.instructions.clone()];
            let (last, before) = match instructions.split_last() {
                Some(parts) => parts,
                None => return BlockWalkEnd::End(RuleEnd::Throws),
            };
            for listed in before {
                frame.run(listed);
            }
            if let Some(call) = &this.call {
                if call.is_dispatched() {
                    return BlockWalkEnd::Place(PredicatePoint::Dispatch(block));
                }
                self.call(frame, block, call.targets.clone());
                if call.may_throw {
                    return BlockWalkEnd::Place(PredicatePoint::Check(block));
                }
            } else if this.exits.len() > 1 || matches!(last.step, ListedOperation::Throw) {
                return BlockWalkEnd::Place(PredicatePoint::Split(block));
            } else {
                if let ListedOperation::Return(kind) = last.step {
                    let value = (kind != Kind::Void).then(|| frame.pop(kind.words()));
                    return BlockWalkEnd::End(RuleEnd::Returns(value));
                }
                frame.run(last);
            }
            match this.exits.first() {
                Some(BlockExit {
                    to: To::Block(to), ..
                }) => block = *to,
                Some(BlockExit { to: To::Return, .. }) => {
                    return BlockWalkEnd::End(RuleEnd::Returns(None));
                }
                _ => return BlockWalkEnd::End(RuleEnd::Throws),
            }
        }
    }

    /// Translates the call at the end of a block.
    fn call(&self, frame: &mut SymbolicFrame, block: usize, targets: Vec<MethodId>) {
        let ListedOperation::Invoke(how, member) = &self.flow.last(block).step else {
            return;
        };
        let arguments = frame.arguments(member, *how != Invoke::Static);
        let (_, result) = split_method(&member.descriptor).unwrap_or_default();
        let words = Kind::of(result).words();
        let name = variable_name(&member.name);
        let result = (words > 0).then(|| frame.fresh(&name));
        frame.goals.push(RuleGoal::Call(targets, arguments, result));
        if let Some(result) = result {
            frame.push(Expr::Variable(result), words);
        }
    }

    /// Rules for the alternatives at the end of a walk.
    fn alternatives(
        &mut self,
        split: PredicatePoint,
        frame: &SymbolicFrame,
        blocks: &[usize],
    ) -> Vec<Rule> {
        let mut rules = Vec::new();
        match split {
            PredicatePoint::Dispatch(block) => {
                let Some(call) = self.flow.blocks[block].call.clone() else {
                    return rules;
                };
                let ListedOperation::Invoke(how, member) = self.flow.last(block).step.clone()
                else {
                    return rules;
                };
                let words = split_method(&member.descriptor).map_or(0, |(parameters, _)| {
                    parameters.iter().map(|one| Kind::of(one).words()).sum()
                });
                let receiver = frame.under(usize::from(words));
                let guard = |frame: &mut SymbolicFrame, guard: Guard| {
                    frame.goals.push(RuleGoal::Guard(guard))
                };
                for &target in &call.targets {
                    let mut frame = frame.clone();
                    if call.may_be_null {
                        guard(&mut frame, Guard::Null(receiver.clone(), false));
                    }
                    if call.targets.len() > 1 || call.has_others {
                        let class = self.vm.binary_name(self.vm.method(target).class);
                        let class = Some(simple(&class).to_owned());
                        guard(
                            &mut frame,
                            Guard::Heap("type", vec![receiver.clone()], class),
                        );
                    }
                    self.call(&mut frame, block, vec![target]);
                    let choice = RuleChoice::Enter(block, target);
                    rules.push(self.after_call(choice, frame, block, call.may_throw, blocks));
                }
                if call.has_others {
                    let mut frame = frame.clone();
                    if how != Invoke::Static {
                        let others = Some("others".to_owned());
                        guard(
                            &mut frame,
                            Guard::Heap("type", vec![receiver.clone()], others),
                        );
                    }
                    frame.run(self.flow.last(block));
                    let choice = RuleChoice::Others(block);
                    rules.push(self.after_call(choice, frame, block, call.may_throw, blocks));
                }
                for (number, exit) in self.flow.blocks[block].exits.clone().iter().enumerate() {
                    if is_null_pointer(exit) && call.may_be_null {
                        let mut frame = frame.clone();
                        guard(&mut frame, Guard::Null(receiver.clone(), true));
                        let choice = RuleChoice::Exit(block, number);
                        rules.push(self.after_exit(choice, frame, exit, blocks));
                    }
                }
            }
            PredicatePoint::Check(block) => {
                let call = self.flow.blocks[block].call.clone();
                let may_be_null = call.is_some_and(|call| call.may_be_null);
                for (number, exit) in self.flow.blocks[block].exits.clone().iter().enumerate() {
                    if !(is_null_pointer(exit) && may_be_null) {
                        let choice = RuleChoice::Exit(block, number);
                        rules.push(self.after_exit(choice, frame.clone(), exit, blocks));
                    }
                }
            }
            PredicatePoint::Split(block) => {
                for (number, exit) in self.flow.blocks[block].exits.clone().iter().enumerate() {
                    let mut frame = frame.clone();
                    self.guard(&mut frame, block, exit);
                    let choice = RuleChoice::Exit(block, number);
                    rules.push(self.after_exit(choice, frame, exit, blocks));
                }
            }
            PredicatePoint::Enter | PredicatePoint::Start(_) => {}
        }
        rules
    }

    /// Rule that begins with the call at the end of a block.
    fn after_call(
        &mut self,
        choice: RuleChoice,
        mut frame: SymbolicFrame,
        block: usize,
        may_throw: bool,
        blocks: &[usize],
    ) -> Rule {
        if may_throw {
            return self.finish(
                choice,
                frame,
                BlockWalkEnd::Place(PredicatePoint::Check(block)),
                blocks.to_vec(),
            );
        }
        let mut blocks = blocks.to_vec();
        let exits = &self.flow.blocks[block].exits;
        let next = exits
            .iter()
            .find(|exit| exit.is_normal())
            .map(|exit| exit.to);
        let stop = match next {
            Some(To::Block(to)) => self.walk(&mut frame, to, &mut blocks, false),
            _ => BlockWalkEnd::End(RuleEnd::Throws),
        };
        self.finish(choice, frame, stop, blocks)
    }

    /// Rule that begins with the exit from a block.
    fn after_exit(
        &mut self,
        choice: RuleChoice,
        mut frame: SymbolicFrame,
        exit: &BlockExit,
        blocks: &[usize],
    ) -> Rule {
        let mut blocks = blocks.to_vec();
        let stop = match exit.to {
            To::Block(to) => {
                if !exit.is_normal() {
                    frame.clear_stack();
                    let caught = frame.fresh("Exception");
                    frame.push(Expr::Variable(caught), 1);
                }
                self.walk(&mut frame, to, &mut blocks, false)
            }
            To::Return => BlockWalkEnd::End(RuleEnd::Returns(None)),
            To::Throw => BlockWalkEnd::End(RuleEnd::Throws),
        };
        self.finish(choice, frame, stop, blocks)
    }

    fn finish(
        &mut self,
        choice: RuleChoice,
        frame: SymbolicFrame,
        stop: BlockWalkEnd,
        blocks: Vec<usize>,
    ) -> Rule {
        let mut distance: Option<u32> = Some(0);
        let mut is_back = false;
        let left = blocks.last().copied().or(match choice {
            RuleChoice::Exit(block, _)
            | RuleChoice::Enter(block, _)
            | RuleChoice::Others(block) => Some(block),
            RuleChoice::Only => None,
        });
        let (then, handed, end) = match stop {
            BlockWalkEnd::Place(place) => {
                let handed = self.variables(place).into_iter();
                let depth = frame.stack.len();
                let handed = handed.map(|(_, held)| match held {
                    VariablePlace::Local(local) => {
                        let held = frame.locals.get(usize::from(local)).cloned().flatten();
                        held.unwrap_or(Expr::Null)
                    }
                    VariablePlace::Stack(word) => frame.under(depth.saturating_sub(word + 1)),
                });
                let handed = handed.collect();
                if let (PredicatePoint::Start(start), Some(left)) = (place, left) {
                    let mut exits = self.flow.blocks[left].exits.iter();
                    is_back = exits.any(|exit| exit.is_back && exit.to == To::Block(start));
                }
                distance = match place {
                    PredicatePoint::Enter => self.flow.blocks[0].to_return,
                    PredicatePoint::Start(block) => self.flow.blocks[block].to_return,
                    PredicatePoint::Split(block)
                    | PredicatePoint::Dispatch(block)
                    | PredicatePoint::Check(block) => {
                        let this = &self.flow.blocks[block];
                        let length = this.instructions.len() as u32;
                        this.to_return.map(|all| all.saturating_sub(length))
                    }
                };
                (Some(self.predicate(place)), handed, RuleEnd::GoesOn)
            }
            BlockWalkEnd::End(end) => {
                if end == RuleEnd::Throws {
                    distance = None;
                }
                (None, Vec::new(), end)
            }
        };
        let lengths = blocks
            .iter()
            .map(|&block| self.flow.blocks[block].instructions.len() as u32);
        let length: u32 = lengths.sum();
        let lines = blocks.iter().flat_map(|&block| {
            let instructions = &self.flow.listing.instructions;
            let range = self.flow.blocks[block].instructions.clone();
            instructions[range].iter().filter_map(|listed| listed.line)
        });
        let lines = lines.fold(None, |known: Option<(u16, u16)>, line| {
            let (first, last) = known.unwrap_or((line, line));
            Some((first.min(line), last.max(line)))
        });
        Rule {
            choice,
            names: frame.names,
            goals: frame.goals,
            then,
            handed,
            end,
            lines,
            blocks,
            is_back,
            distance: distance.map(|rest| rest + length),
        }
    }

    /// Adds the guards of an edge and the effect of the block's last instruction.
    fn guard(&self, frame: &mut SymbolicFrame, block: usize, exit: &BlockExit) {
        let last = self.flow.last(block).clone();
        let guards = match &last.step {
            ListedOperation::Branch(test, _) => {
                let jumps = exit.way == EdgeCondition::Jump;
                vec![branch_guard(frame, *test, jumps)]
            }
            ListedOperation::Switch(_) => {
                let key = frame.pop(1);
                match &exit.way {
                    EdgeCondition::Keys(keys) => vec![Guard::Among(key, keys.clone(), true)],
                    EdgeCondition::Default(keys) => vec![Guard::Among(key, keys.clone(), false)],
                    _ => Vec::new(),
                }
            }
            step => thrown_guards(frame, step, exit),
        };
        frame.goals.extend(guards.into_iter().map(RuleGoal::Guard));
        let is_decided = matches!(
            last.step,
            ListedOperation::Branch(..) | ListedOperation::Switch(_)
        );
        if exit.is_normal() && !is_decided {
            frame.run(&last);
        }
    }
}

/// Location of a predicate's variable.
#[derive(Clone, Copy)]
enum VariablePlace {
    Local(u16),
    Stack(usize),
}

fn is_start(place: PredicatePoint) -> bool {
    matches!(place, PredicatePoint::Start(_))
}

fn is_null_pointer(exit: &BlockExit) -> bool {
    exit.way == EdgeCondition::Thrown(Some("java/lang/NullPointerException"))
}

/// Guard of a branch; its operands are popped.
fn branch_guard(frame: &mut SymbolicFrame, test: BranchCondition, jumps: bool) -> Guard {
    let side = |comparison: SignedComparison| match jumps {
        true => comparison,
        false => comparison.negated(),
    };
    match test {
        BranchCondition::Compare(comparison) => {
            let right = frame.pop(1);
            let left = frame.pop(1);
            Guard::Compare(side(comparison), Kind::Int, left, right)
        }
        BranchCondition::WithZero(comparison) => match frame.pop(1) {
            Expr::Operate(Operation::Sign | Operation::SignUp, kind, left, Some(right)) => {
                let (left, right) = ((*left).clone(), (*right).clone());
                Guard::Compare(side(comparison), kind, left, right)
            }
            value => {
                let zero = Expr::Number(Kind::Int, 0);
                Guard::Compare(side(comparison), Kind::Int, value, zero)
            }
        },
        BranchCondition::Same(same) => {
            let right = frame.pop(1);
            let left = frame.pop(1);
            Guard::Same(left, right, same == jumps)
        }
        BranchCondition::Null(is_null) => Guard::Null(frame.pop(1), is_null == jumps),
    }
}

/// Guards of an exception by an instruction, or of its absence.
fn thrown_guards(frame: &SymbolicFrame, step: &ListedOperation, exit: &BlockExit) -> Vec<Guard> {
    let object = match step {
        ListedOperation::PutField(member, false) => {
            frame.under(usize::from(Kind::of(&member.descriptor).words()))
        }
        ListedOperation::ArrayLoad(_) => frame.under(1),
        ListedOperation::ArrayStore(kind) => frame.under(1 + usize::from(kind.words())),
        ListedOperation::Invoke(_, member) => {
            let (parameters, _) = split_method(&member.descriptor).unwrap_or_default();
            let words = parameters.iter().map(|one| Kind::of(one).words());
            frame.under(usize::from(words.sum::<u16>()))
        }
        _ => frame.under(0),
    };
    let index = match step {
        ListedOperation::ArrayStore(kind) => frame.under(usize::from(kind.words())),
        _ => frame.under(0),
    };
    let is_null = |class: &str| class == "java/lang/NullPointerException";
    match (&exit.way, step) {
        (EdgeCondition::Thrown(Some(class)), _) if is_null(class) => {
            vec![Guard::Null(object, true)]
        }
        (way, ListedOperation::Operate(_, kind)) => {
            let words = usize::from(kind.words()) - 1;
            let comparison = match way {
                EdgeCondition::Thrown(_) => SignedComparison::Eq,
                _ => SignedComparison::Ne,
            };
            let zero = Expr::Number(*kind, 0);
            vec![Guard::Compare(comparison, *kind, frame.under(words), zero)]
        }
        (
            EdgeCondition::Thrown(Some(class)),
            ListedOperation::ArrayLoad(_) | ListedOperation::ArrayStore(_),
        ) if class.ends_with("IndexOutOfBoundsException") => {
            vec![Guard::Heap("out_of_bounds", vec![object, index], None)]
        }
        (EdgeCondition::Thrown(class), _) => {
            let class = class.map(|class| simple(class).to_owned());
            vec![Guard::Heap("throws", Vec::new(), class)]
        }
        (_, ListedOperation::ArrayLoad(_) | ListedOperation::ArrayStore(_)) => {
            vec![
                Guard::Null(object.clone(), false),
                Guard::Heap("in_bounds", vec![object, index], None),
            ]
        }
        (
            _,
            ListedOperation::GetField(_, false)
            | ListedOperation::PutField(_, false)
            | ListedOperation::ArrayLength
            | ListedOperation::Monitor(_),
        ) => {
            vec![Guard::Null(object, false)]
        }
        _ => Vec::new(),
    }
}

/// Words of local variables that hold the receiver and the parameters.
fn parameters(vm: &Vm, method: MethodId) -> Vec<u16> {
    let this = vm.method(method);
    let (parameters, _) = split_method(vm.text(this.descriptor)).unwrap_or_default();
    let mut next = u16::from(!this.is_static());
    let mut words: Vec<u16> = (0..next).collect();
    for parameter in parameters {
        words.push(next);
        next += Kind::of(parameter).words();
    }
    words
}
