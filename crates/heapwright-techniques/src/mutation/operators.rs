//! Mutation operators, with PIT's names, meanings and descriptions.

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::{BranchCondition, ListedOperation, Listing, SignedComparison};
use heapwright_jvm::patches::{Change, ReturnedValue};
use heapwright_jvm::{MethodId, Operation, Vm};

/// A mutation operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MutationOperator {
    /// `<` becomes `<=`, and so on.
    ConditionalsBoundary,
    /// `==` becomes `!=`, `<` becomes `>=`, and so on.
    NegateConditionals,
    /// Arithmetic is replaced by other arithmetic.
    Math,
    /// `i++` becomes `i--`.
    Increments,
    /// `-i` becomes `i`.
    InvertNegs,
    /// A call of a void method is removed.
    VoidMethodCalls,
    /// An object is returned as an empty one.
    EmptyReturns,
    /// `false` is returned.
    FalseReturns,
    /// `true` is returned.
    TrueReturns,
    /// `null` is returned.
    NullReturns,
    /// A number is returned as 0.
    PrimitiveReturns,
    /// An equality decides always as if it did hold.
    RemoveConditionalsEqualIf,
    /// An equality decides always as if it did not hold.
    RemoveConditionalsEqualElse,
    /// A comparison decides always as if it did hold.
    RemoveConditionalsOrderIf,
    /// A comparison decides always as if it did not hold.
    RemoveConditionalsOrderElse,
    /// A call of a method with a result is removed; the result is 0, false or null.
    NonVoidMethodCalls,
    /// Arithmetic is replaced by its first operand.
    FirstOperand,
    /// Arithmetic is replaced by its second operand.
    SecondOperand,
    /// An int constant is one larger.
    LargerConstant,
    /// An int constant is one smaller.
    SmallerConstant,
    /// A text constant is empty.
    EmptyTexts,
    /// A call is replaced by one of its arguments.
    ArgumentPropagation,
    /// A call is replaced by its receiver.
    NakedReceiver,
    /// An assignment to a field is removed.
    MemberVariable,
    /// A further assignment to a local variable is removed.
    LocalVariable,
    /// Another method with the same result is called with the same arguments, or the first of them.
    SiblingCalls,
    /// Another field of the same type is read, or another constant of an enum.
    SiblingFields,
    /// Another variable of the same type is read.
    SiblingVariables,
    /// Another variable of the same type is assigned to a field.
    SiblingAssignments,
    /// A method that changes fields resets one that it leaves alone.
    FieldResets,
    /// A loop ends after its first round.
    SingleRound,
}

impl MutationOperator {
    /// Returns PIT's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MutationOperator::ConditionalsBoundary => "CONDITIONALS_BOUNDARY",
            MutationOperator::NegateConditionals => "NEGATE_CONDITIONALS",
            MutationOperator::Math => "MATH",
            MutationOperator::Increments => "INCREMENTS",
            MutationOperator::InvertNegs => "INVERT_NEGS",
            MutationOperator::VoidMethodCalls => "VOID_METHOD_CALLS",
            MutationOperator::EmptyReturns => "EMPTY_RETURNS",
            MutationOperator::FalseReturns => "FALSE_RETURNS",
            MutationOperator::TrueReturns => "TRUE_RETURNS",
            MutationOperator::NullReturns => "NULL_RETURNS",
            MutationOperator::PrimitiveReturns => "PRIMITIVE_RETURNS",
            MutationOperator::RemoveConditionalsEqualIf => "REMOVE_CONDITIONALS_EQUAL_IF",
            MutationOperator::RemoveConditionalsEqualElse => "REMOVE_CONDITIONALS_EQUAL_ELSE",
            MutationOperator::RemoveConditionalsOrderIf => "REMOVE_CONDITIONALS_ORDER_IF",
            MutationOperator::RemoveConditionalsOrderElse => "REMOVE_CONDITIONALS_ORDER_ELSE",
            MutationOperator::NonVoidMethodCalls => "NON_VOID_METHOD_CALLS",
            MutationOperator::FirstOperand => "AOD1",
            MutationOperator::SecondOperand => "AOD2",
            MutationOperator::LargerConstant => "CRCR5",
            MutationOperator::SmallerConstant => "CRCR6",
            MutationOperator::EmptyTexts => "EMPTY_TEXTS",
            MutationOperator::ArgumentPropagation => "EXPERIMENTAL_ARGUMENT_PROPAGATION",
            MutationOperator::NakedReceiver => "EXPERIMENTAL_NAKED_RECEIVER",
            MutationOperator::MemberVariable => "EXPERIMENTAL_MEMBER_VARIABLE",
            MutationOperator::LocalVariable => "LOCAL_VARIABLE",
            MutationOperator::SiblingCalls => "SIBLING_CALLS",
            MutationOperator::SiblingFields => "SIBLING_FIELDS",
            MutationOperator::SiblingVariables => "SIBLING_VARIABLES",
            MutationOperator::SiblingAssignments => "SIBLING_ASSIGNMENTS",
            MutationOperator::FieldResets => "FIELD_RESETS",
            MutationOperator::SingleRound => "SINGLE_ROUND",
        }
    }

    /// Whether the operator models an error of logic: a wrong operand, variable, field or method,
    /// or a missing assignment or repetition.
    #[must_use]
    pub fn is_of_logic(self) -> bool {
        self >= MutationOperator::FirstOperand
    }
}

/// A group of operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OperatorGroup {
    /// The operators that PIT takes where none are named.
    #[default]
    Defaults,
    /// PIT's stronger group, without changes of switches: conditions are removed in both ways
    /// instead of negated.
    Stronger,
    /// All operators but those of logic.
    All,
    /// All operators.
    Logic,
}

impl OperatorGroup {
    /// Whether an operator is in the group.
    #[must_use]
    pub fn contains(self, operator: MutationOperator) -> bool {
        let removes_condition = matches!(
            operator,
            MutationOperator::RemoveConditionalsEqualIf
                | MutationOperator::RemoveConditionalsEqualElse
                | MutationOperator::RemoveConditionalsOrderIf
                | MutationOperator::RemoveConditionalsOrderElse
        );
        let is_default = !removes_condition
            && !operator.is_of_logic()
            && operator != MutationOperator::NonVoidMethodCalls;
        match self {
            OperatorGroup::Defaults => is_default,
            OperatorGroup::Stronger => {
                removes_condition || is_default && operator != MutationOperator::NegateConditionals
            }
            OperatorGroup::All => !operator.is_of_logic(),
            OperatorGroup::Logic => true,
        }
    }
}

/// A change with its operator and description.
pub(super) type OperatorChange = (MutationOperator, String, Change);

/// Returns the changes of the instruction at a place by all operators.
pub(super) fn changes(
    vm: &mut Vm,
    method: MethodId,
    listing: &Listing,
    place: usize,
) -> Vec<OperatorChange> {
    match &listing.instructions[place].step {
        ListedOperation::Branch(condition, _) => branch_changes(*condition),
        ListedOperation::Operate(operation, kind) => arithmetic(*operation, *kind),
        ListedOperation::Increment(_, by) => match i16::try_from(by.wrapping_neg()) {
            Ok(negated) => vec![(
                MutationOperator::Increments,
                format!("Changed increment from {by} to {negated}"),
                Change::Increment(negated),
            )],
            Err(_) => Vec::new(),
        },
        ListedOperation::Invoke(_, member) if member.name != "<init>" => {
            let operator = match member.descriptor.ends_with(")V") {
                true => MutationOperator::VoidMethodCalls,
                false => MutationOperator::NonVoidMethodCalls,
            };
            let description = format!("removed call to {}::{}", member.class, member.name);
            vec![(operator, description, Change::Omit)]
        }
        ListedOperation::Return(_) => returns(vm, method),
        _ => Vec::new(),
    }
}

fn branch_changes(condition: BranchCondition) -> Vec<OperatorChange> {
    let negate = |change| {
        (
            MutationOperator::NegateConditionals,
            "negated conditional".to_owned(),
            change,
        )
    };
    let (mut found, is_order) = match condition {
        BranchCondition::Compare(comparison) | BranchCondition::WithZero(comparison) => {
            let mut found = Vec::new();
            if let Some(moved) = moved(comparison) {
                found.push((
                    MutationOperator::ConditionalsBoundary,
                    "changed conditional boundary".to_owned(),
                    Change::Compare(moved.into()),
                ));
            }
            found.push(negate(Change::Compare(comparison.negated().into())));
            (found, moved(comparison).is_some())
        }
        BranchCondition::Same(wanted) | BranchCondition::Null(wanted) => {
            (vec![negate(Change::Identify(!wanted))], false)
        }
    };
    // The source's condition holds where the jump, which leads past its body, is not taken.
    let (holds, fails) = match is_order {
        true => (
            MutationOperator::RemoveConditionalsOrderIf,
            MutationOperator::RemoveConditionalsOrderElse,
        ),
        false => (
            MutationOperator::RemoveConditionalsEqualIf,
            MutationOperator::RemoveConditionalsEqualElse,
        ),
    };
    let kind = if is_order { "comparison" } else { "equality" };
    let replaced = |with| format!("removed conditional - replaced {kind} check with {with}");
    found.push((holds, replaced(true), Change::Jump(false)));
    found.push((fails, replaced(false), Change::Jump(true)));
    found
}

/// Returns the comparison with the other boundary.
fn moved(comparison: SignedComparison) -> Option<SignedComparison> {
    Some(match comparison {
        SignedComparison::Lt => SignedComparison::Le,
        SignedComparison::Le => SignedComparison::Lt,
        SignedComparison::Gt => SignedComparison::Ge,
        SignedComparison::Ge => SignedComparison::Gt,
        SignedComparison::Eq | SignedComparison::Ne => return None,
    })
}

fn arithmetic(operation: Operation, kind: Kind) -> Vec<OperatorChange> {
    if operation == Operation::Neg {
        let change = (
            MutationOperator::InvertNegs,
            "removed negation".to_owned(),
            Change::Keep,
        );
        return vec![change];
    }
    let Some(other) = replaced_by(operation) else {
        return Vec::new();
    };
    let number = match kind {
        Kind::Int => "integer ",
        Kind::Long => "long ",
        Kind::Float => "float ",
        _ => "double ",
    };
    let noun = |operation| match operation {
        Operation::Add => "addition",
        Operation::Sub => "subtraction",
        Operation::Mul => "multiplication",
        Operation::Div => "division",
        Operation::Rem => "modulus",
        Operation::And => "AND",
        Operation::Or => "OR",
        Operation::Xor => "XOR",
        Operation::Shl => "Shift Left",
        Operation::Ushr => "Unsigned Shift Right",
        _ => "Shift Right",
    };
    let prefix = match operation {
        Operation::And | Operation::Or => "bitwise ",
        Operation::Xor | Operation::Shl | Operation::Shr | Operation::Ushr => "",
        _ => number,
    };
    let description = format!("Replaced {prefix}{} with {}", noun(operation), noun(other));
    vec![(MutationOperator::Math, description, Change::Compute(other))]
}

fn replaced_by(operation: Operation) -> Option<Operation> {
    Some(match operation {
        Operation::Add => Operation::Sub,
        Operation::Sub => Operation::Add,
        Operation::Mul => Operation::Div,
        Operation::Div | Operation::Rem => Operation::Mul,
        Operation::Or | Operation::Xor => Operation::And,
        Operation::And => Operation::Or,
        Operation::Shl => Operation::Shr,
        Operation::Shr | Operation::Ushr => Operation::Shl,
        _ => return None,
    })
}

/// Types, and the static methods that make their empty objects.
const EMPTY: [(&str, &str, &str); 7] = [
    ("java/util/Optional", "java/util/Optional", "empty"),
    (
        "java/util/stream/Stream",
        "java/util/stream/Stream",
        "empty",
    ),
    ("java/util/List", "java/util/Collections", "emptyList"),
    ("java/util/Collection", "java/util/Collections", "emptyList"),
    ("java/lang/Iterable", "java/util/Collections", "emptyList"),
    ("java/util/Set", "java/util/Collections", "emptySet"),
    ("java/util/Map", "java/util/Collections", "emptyMap"),
];

fn returns(vm: &mut Vm, method: MethodId) -> Vec<OperatorChange> {
    let this = vm.method(method);
    let text = vm.text(this.descriptor).to_owned();
    let place = format!("{}::{}", vm.class_name(this.class), vm.text(this.name));
    let result = descriptor::split_method(&text).map_or("V", |(_, result)| result);
    let value = |operator, what: &str, value| {
        let description = format!("replaced {what} for {place}");
        (operator, description, Change::Return(value))
    };
    let (no, yes) = (
        MutationOperator::FalseReturns,
        MutationOperator::TrueReturns,
    );
    match Kind::of(result) {
        Kind::Void => Vec::new(),
        Kind::Boolean => vec![
            value(no, "boolean return with false", ReturnedValue::Int(0)),
            value(yes, "boolean return with true", ReturnedValue::Int(1)),
        ],
        Kind::Reference => {
            let name = descriptor::class_name(result);
            if name == "java/lang/Boolean" {
                let boxed = boxing(vm, Kind::Boolean);
                let boxed = |value| Some(ReturnedValue::Call(boxed?, Some(value)));
                let no = boxed(0).map(|made| value(no, "Boolean return with False", made));
                let yes = boxed(1).map(|made| value(yes, "Boolean return with True", made));
                return no.into_iter().chain(yes).collect();
            }
            match empty(vm, name) {
                Some((what, made)) => vec![value(MutationOperator::EmptyReturns, &what, made)],
                None => vec![value(
                    MutationOperator::NullReturns,
                    "return value with null",
                    ReturnedValue::Int(0),
                )],
            }
        }
        kind => {
            let zero = match kind {
                Kind::Float => "0.0f",
                Kind::Double => "0.0d",
                _ => "0",
            };
            vec![value(
                MutationOperator::PrimitiveReturns,
                &format!("{} return with {zero}", kind.keyword()),
                ReturnedValue::Int(0),
            )]
        }
    }
}

/// Returns the empty object of a class that has one, with the text of the change.
fn empty(vm: &mut Vm, class: &str) -> Option<(String, ReturnedValue)> {
    if class == "java/lang/String" {
        let text = "return value with \"\"".to_owned();
        return Some((text, ReturnedValue::EmptyString));
    }
    // PIT has no zero for bytes.
    if let Some(kind) = Kind::of_box(class).filter(|&kind| kind != Kind::Byte) {
        let made = boxing(vm, kind)?;
        let simple = class.strip_prefix("java/lang/")?;
        let zero = if kind == Kind::Long { "0L" } else { "0" };
        let text = format!("{simple} return value with {zero}");
        return Some((text, ReturnedValue::Call(made, Some(0))));
    }
    let (of, maker_name, name) = EMPTY.iter().find(|(of, ..)| *of == class)?;
    let result = match *name {
        "empty" => of,
        "emptyMap" => "java/util/Map",
        "emptySet" => "java/util/Set",
        _ => "java/util/List",
    };
    let maker = vm.load_class(maker_name).ok()?;
    let method = vm.declared_method(maker, name, &format!("()L{result};"))?;
    let simple = maker_name.rsplit('/').next()?;
    let text = format!("return value with {simple}.{name}");
    Some((text, ReturnedValue::Call(method, None)))
}

/// Returns the method `valueOf` of a box.
fn boxing(vm: &mut Vm, kind: Kind) -> Option<MethodId> {
    let name = kind.box_class();
    let class = vm.load_class(name).ok()?;
    vm.declared_method(
        class,
        "valueOf",
        &format!("({})L{name};", kind.descriptor()),
    )
}
