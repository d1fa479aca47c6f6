//! Errors of logic: a wrong operand, constant, variable, field or method, a missing assignment, a
//! loop that ends too early. Some are PIT's research operators, under PIT's names; others are those
//! of mutation analysis in general (Offutt et al., "An Experimental Determination of Sufficient
//! Mutant Operators", TOSEM 1996; Ma and Offutt, "muJava").
//!
//! **Invariant:** the changed code is as the verifier would accept it: what is read was assigned,
//! and has the type of what is replaced.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_code::outermost_class_name;
use heapwright_jvm::class::{Field, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::{Invoke, Listed, ListedMember, ListedOperation, Listing};
use heapwright_jvm::patches::Change;
use heapwright_jvm::{ClassId, MethodId, Operation, Vm};

use super::operators::{MutationOperator, OperatorChange};
use super::variables::{Assigned, Held, assigned};
use crate::target::methods;

/// Methods of collections, streams and optionals that do the same but for their order, threads or checks.
const EQUAL_SIBLINGS: [(&str, &str); 8] = [
    ("stream", "parallelStream"),
    ("findFirst", "findAny"),
    ("forEach", "forEachOrdered"),
    ("get", "orElseThrow"),
    ("of", "ofNullable"),
    ("groupingBy", "groupingByConcurrent"),
    ("toMap", "toConcurrentMap"),
    ("toList", "toUnmodifiableList"),
];

/// Maximum number of other variables, fields or methods that replace one.
const MAX_SIBLINGS: usize = 2;

/// Returns the changes of a method by the operators of logic, by the instructions' places.
pub(super) fn changes(
    vm: &mut Vm,
    method: MethodId,
    listing: &Listing,
) -> BTreeMap<usize, Vec<OperatorChange>> {
    let before = assigned(vm, method, listing);
    let left_alone = fields_left_alone(vm, method, listing);
    let mut found = BTreeMap::new();
    for (place, listed) in listing.instructions.iter().enumerate() {
        let Some(assigned) = &before[place] else {
            continue;
        };
        let changes = match &listed.step {
            ListedOperation::Operate(operation, kind) => operands(*operation, *kind),
            ListedOperation::Number(Kind::Int, bits) => match listing.instructions.get(place + 1) {
                Some(Listed {
                    step: ListedOperation::Store(_, word),
                    ..
                }) if is_stored_temporary(listing, place + 1, *word) => Vec::new(),
                _ => constants(*bits as u32 as i32),
            },
            ListedOperation::Text(text) => texts(text),
            ListedOperation::Invoke(Invoke::Special, _) => Vec::new(),
            ListedOperation::Invoke(invoke, member) => calls(vm, method, *invoke, member),
            ListedOperation::GetField(member, false) => fields(vm, member),
            ListedOperation::GetField(member, true) => constants_of_enum(vm, member),
            ListedOperation::PutField(member, is_static) => {
                let mut changes = vec![(
                    MutationOperator::MemberVariable,
                    format!("Removed assignment to member variable {}", member.name),
                    Change::Discard,
                )];
                if !is_static {
                    changes.extend(stores(listing, place, member, assigned));
                }
                changes
            }
            ListedOperation::Return(_) => left_alone.iter().map(reset).collect(),
            ListedOperation::Load(_, word) => variables(listing, place, *word, assigned),
            ListedOperation::Store(kind, word) => {
                assignments(listing, place, (*kind, *word), assigned)
            }
            ListedOperation::Goto(to) => rounds(listing, place, *to),
            _ => continue,
        };
        found.insert(place, changes);
    }
    found
}

fn operands(operation: Operation, kind: Kind) -> Vec<OperatorChange> {
    let is_shift = matches!(operation, Operation::Shl | Operation::Shr | Operation::Ushr);
    let is_arithmetic = matches!(
        operation,
        Operation::Add | Operation::Sub | Operation::Mul | Operation::Div | Operation::Rem
    );
    let is_bitwise = matches!(operation, Operation::And | Operation::Or | Operation::Xor);
    let text = |member| format!("Replaced {} operation with {member} member", kind.keyword());
    let first = (MutationOperator::FirstOperand, text("first"), Change::Keep);
    let second = (
        MutationOperator::SecondOperand,
        text("second"),
        Change::KeepSecond,
    );
    match is_arithmetic || is_bitwise {
        true => vec![first, second],
        // The second operand of a shift of longs is an int.
        false if is_shift => vec![first],
        false => Vec::new(),
    }
}

fn constants(value: i32) -> Vec<OperatorChange> {
    let other = |operator, other: i32| {
        let description = format!("Substituted {value} with {other}");
        (operator, description, Change::Number(other))
    };
    vec![
        other(MutationOperator::LargerConstant, value.wrapping_add(1)),
        other(MutationOperator::SmallerConstant, value.wrapping_sub(1)),
    ]
}

fn texts(text: &str) -> Vec<OperatorChange> {
    let change = || {
        let description = format!("Substituted {text:?} with an empty text");
        (MutationOperator::EmptyTexts, description, Change::EmptyText)
    };
    (!text.is_empty()).then(change).into_iter().collect()
}

/// Returns the changes of a call: one of its arguments, its receiver, or another method instead.
fn calls(
    vm: &mut Vm,
    method: MethodId,
    invoke: Invoke,
    member: &ListedMember,
) -> Vec<OperatorChange> {
    let Some((parameters, result)) = descriptor::split_method(&member.descriptor) else {
        return Vec::new();
    };
    let called = format!("{}::{}", member.class, member.name);
    let mut found = Vec::new();
    let mut word = u16::from(invoke != Invoke::Static);
    if invoke != Invoke::Static {
        let is_copy = member.name == "clone" && member.class.starts_with('[');
        if is_copy
            || descriptor::class_name(result) == member.class && Kind::of(result) == Kind::Reference
        {
            found.push((
                MutationOperator::NakedReceiver,
                format!("replaced call to {called} with receiver"),
                Change::Argument(0),
            ));
        }
    }
    for &parameter in &parameters {
        if parameter == result {
            found.push((
                MutationOperator::ArgumentPropagation,
                format!("replaced call to {called} with argument"),
                Change::Argument(word),
            ));
        }
        word += Kind::of(parameter).words();
    }
    let siblings = sibling_methods(vm, method, member, (&parameters, result)).into_iter();
    found.extend(siblings.map(|(name, other)| {
        let description = format!("replaced call to {called} with call to {name}");
        (
            MutationOperator::SiblingCalls,
            description,
            Change::Call(other),
        )
    }));
    found
}

/// Returns methods of the same class with the same result, and with the same parameters or the first
/// ones of them. Those with the most parameters and with the most similar names come first.
fn sibling_methods(
    vm: &mut Vm,
    caller: MethodId,
    member: &ListedMember,
    (parameters, result): (&[&str], &str),
) -> Vec<(String, MethodId)> {
    if member.class.starts_with('[') {
        return Vec::new();
    }
    let (Ok(class), Some(own)) = (vm.load_class(&member.class), vm.named_method(member)) else {
        return Vec::new();
    };
    let mut found: Vec<(usize, usize, String, MethodId)> = Vec::new();
    for other in candidates(vm, caller, class) {
        let this = vm.method(other);
        let name = vm.text(this.name);
        let Some((takes, gives)) = descriptor::split_method(vm.text(this.descriptor)) else {
            continue;
        };
        // Without any argument another method does something else altogether.
        let fewer = parameters.len().saturating_sub(takes.len());
        let is_shorter = fewer > 0 && !takes.is_empty();
        let is_like = (takes == parameters || is_shorter && parameters.starts_with(&takes))
            && gives == result
            && this.is_static() == vm.method(own).is_static()
            && this.flags & (flags::SYNTHETIC | flags::BRIDGE) == 0;
        let pairs = [(name, &*member.name), (&*member.name, name)];
        let is_equal = member.class.starts_with("java/util/")
            && EQUAL_SIBLINGS.iter().any(|pair| pairs.contains(pair));
        // What all objects have tells nothing of the class.
        let is_of_object = matches!(name, "hashCode" | "toString" | "clone");
        let is_same = other == own || name == member.name && !is_shorter || other == caller;
        if is_like && !is_equal && !is_of_object && !is_same && !name.starts_with('<') {
            let likeness = likeness(name, &member.name);
            found.push((fewer, likeness, name.to_owned(), other));
        }
    }
    found.sort_by(|one, other| {
        let names = || other.1.cmp(&one.1).then_with(|| one.2.cmp(&other.2));
        one.0.cmp(&other.0).then_with(names)
    });
    // Those with fewer parameters have places of their own.
    let mut taken = [0; 2];
    found.retain(|(fewer, ..)| {
        let taken = &mut taken[usize::from(*fewer > 0)];
        *taken += 1;
        *taken <= MAX_SIBLINGS
    });
    let found = found.into_iter();
    found.map(|(.., name, other)| (name, other)).collect()
}

/// Returns the methods of a class that a method may call.
fn candidates(vm: &Vm, caller: MethodId, class: ClassId) -> Vec<MethodId> {
    let own = vm.method(caller).class;
    let outermost = |class: ClassId| outermost_class_name(vm.class_name(class));
    let is_own = vm.is_app_class(class) && outermost(class) == outermost(own);
    let mut found = methods(vm, class);
    found.retain(|&method| is_own || vm.method(method).flags & flags::PUBLIC != 0);
    found
}

/// Returns the number of letters with which two names begin and end alike.
fn likeness(one: &str, other: &str) -> usize {
    let pairs = one.bytes().zip(other.bytes());
    let ends = one.bytes().rev().zip(other.bytes().rev());
    pairs.take_while(|(one, other)| one == other).count()
        + ends.take_while(|(one, other)| one == other).count()
}

fn fields(vm: &mut Vm, member: &ListedMember) -> Vec<OperatorChange> {
    let Ok(class) = vm.load_class(&member.class) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for field in &vm.class(class).fields {
        let name = vm.text(field.name);
        let Ok(word) = u16::try_from(field.word) else {
            continue;
        };
        let is_like = !field.is_static()
            && field.flags & flags::SYNTHETIC == 0
            && name != member.name
            && vm.text(field.descriptor) == member.descriptor;
        if is_like && found.len() < MAX_SIBLINGS {
            let description = format!("read field {name} instead of {}", member.name);
            found.push((
                MutationOperator::SiblingFields,
                description,
                Change::GetField(word),
            ));
        }
    }
    found
}

/// Returns the changes of a constant of an enum: those that are declared next to it.
fn constants_of_enum(vm: &mut Vm, member: &ListedMember) -> Vec<OperatorChange> {
    let Ok(class) = vm.load_class(&member.class) else {
        return Vec::new();
    };
    let declared = vm.class(class).fields.iter();
    let declared: Vec<&Field> = declared
        .filter(|field| field.flags & flags::ENUM != 0)
        .collect();
    let is_own = |field: &&Field| vm.text(field.name) == member.name;
    let Some(own) = declared.iter().position(is_own) else {
        return Vec::new();
    };
    let mut others: Vec<usize> = (0..declared.len()).filter(|&other| other != own).collect();
    others.sort_by_key(|other| other.abs_diff(own));
    let others = others.into_iter().take(MAX_SIBLINGS);
    others
        .map(|other| {
            let name = vm.text(declared[other].name);
            let description = format!("read field {name} instead of {}", member.name);
            let change = Change::GetStatic(class, declared[other].word);
            (MutationOperator::SiblingFields, description, change)
        })
        .collect()
}

/// Returns the fields that a method of an object leaves alone though it changes others, with their
/// words in objects.
fn fields_left_alone(vm: &Vm, method: MethodId, listing: &Listing) -> Vec<(String, u16)> {
    let this = vm.method(method);
    let own = vm.class_name(this.class);
    let steps = || listing.instructions.iter().map(|listed| &listed.step);
    let written: BTreeSet<&str> = steps()
        .filter_map(|step| match step {
            ListedOperation::PutField(member, false) if member.class == own => {
                Some(&member.name[..])
            }
            _ => None,
        })
        .collect();
    // The receiver stays in the first variable, which only odd code assigns.
    let keeps_receiver =
        !this.is_static() && !steps().any(|step| matches!(step, ListedOperation::Store(_, 0)));
    if written.is_empty() || !keeps_receiver || vm.text(this.name) == "<init>" {
        return Vec::new();
    }
    let mut found = Vec::new();
    for field in &vm.class(this.class).fields {
        let name = vm.text(field.name);
        let can_change = !field.is_static() && field.flags & (flags::SYNTHETIC | flags::FINAL) == 0;
        if let Ok(word) = u16::try_from(field.word)
            && can_change
            && !written.contains(name)
            && found.len() < MAX_SIBLINGS
        {
            found.push((name.to_owned(), word));
        }
    }
    found
}

fn reset((name, word): &(String, u16)) -> OperatorChange {
    let description = format!("reset member variable {name}");
    (
        MutationOperator::FieldResets,
        description,
        Change::Reset(*word),
    )
}

/// Returns the changes of an assignment to a field of what is no variable's value: a variable's.
fn stores(
    listing: &Listing,
    place: usize,
    member: &ListedMember,
    assigned: &Assigned,
) -> Vec<OperatorChange> {
    let before = place.checked_sub(1);
    let before = before.map(|before| &listing.instructions[before].step);
    if matches!(before, Some(ListedOperation::Load(..))) {
        return Vec::new();
    }
    let wanted = Held::of(&member.descriptor);
    let others = wanted.map_or_else(Vec::new, |wanted| holders(assigned, &wanted));
    let others = others.into_iter().take(MAX_SIBLINGS);
    others
        .map(|other| {
            let from = variable_name(listing, place, other);
            let description = format!("assigned variable {from} to {}", member.name);
            (
                MutationOperator::SiblingAssignments,
                description,
                Change::Store(other),
            )
        })
        .collect()
}

/// Returns the variables that surely hold values of the same type as one.
fn holders(assigned: &Assigned, wanted: &Held) -> Vec<u16> {
    let numbered = (0_u16..).zip(assigned);
    let same = numbered.filter(|(_, held)| held.as_ref().is_some_and(|held| held.is_like(wanted)));
    same.map(|(word, _)| word).collect()
}

/// Whether a variable is one that the compiler made, such as the copies in a switch over strings. They
/// have no names where others do.
fn is_temporary(listing: &Listing, place: usize, word: u16) -> bool {
    let at = listing.instructions[place].at;
    !listing.locals.is_empty() && listing.local_name(word, at).is_none()
}

/// Whether an instruction stores in such a variable; the scope of a name begins behind it.
fn is_stored_temporary(listing: &Listing, place: usize, word: u16) -> bool {
    place + 1 < listing.instructions.len() && is_temporary(listing, place + 1, word)
}

fn variable_name(listing: &Listing, place: usize, word: u16) -> String {
    let name = listing.local_name(word, listing.instructions[place].at);
    name.unwrap_or("another one").to_owned()
}

/// Returns the changes of a variable that is read: others that hold a value of its type.
fn variables(
    listing: &Listing,
    place: usize,
    word: u16,
    assigned: &Assigned,
) -> Vec<OperatorChange> {
    if is_temporary(listing, place, word) {
        return Vec::new();
    }
    let own = assigned[usize::from(word)].as_ref();
    let mut others = own.map_or_else(Vec::new, |own| holders(assigned, own));
    others.retain(|&other| other != word && !is_temporary(listing, place, other));
    others.sort_by_key(|other| other.abs_diff(word));
    others.truncate(MAX_SIBLINGS);
    let name = |word: u16| variable_name(listing, place, word);
    let others = others.into_iter();
    others
        .map(|other| {
            let description = format!("read variable {} instead of {}", name(other), name(word));
            (
                MutationOperator::SiblingVariables,
                description,
                Change::Load(other),
            )
        })
        .collect()
}

/// Returns the removal of an assignment to a variable that has a value of its type already.
fn assignments(
    listing: &Listing,
    place: usize,
    (kind, word): (Kind, u16),
    assigned: &Assigned,
) -> Vec<OperatorChange> {
    // The scope of a name begins behind the variable's first assignment. A word may hold objects of
    // variables with other types before.
    let at = listing.instructions[place].at;
    let in_scope = listing.local_name(word, at);
    let held = assigned[usize::from(word)].as_ref();
    let has_value = held.is_some_and(|held| held.kind() == kind)
        && (kind != Kind::Reference || in_scope.is_some());
    let name = in_scope.unwrap_or("a variable");
    let description = format!("Removed assignment to local variable {name}");
    let change = (
        MutationOperator::LocalVariable,
        description,
        Change::Discard,
    );
    has_value.then_some(change).into_iter().collect()
}

/// Returns the change of a jump back to a condition that leaves the loop right behind the jump.
fn rounds(listing: &Listing, place: usize, to: u16) -> Vec<OperatorChange> {
    let (Some(head), Some(behind)) = (listing.place(to), listing.instructions.get(place + 1))
    else {
        return Vec::new();
    };
    let block = listing.instructions[head..].iter();
    let leaves = head < place
        && block
            .take(place - head)
            .take_while(|listed| listed.step.falls_through())
            .any(
                |listed| matches!(listed.step, ListedOperation::Branch(_, out) if out == behind.at),
            );
    let change = (
        MutationOperator::SingleRound,
        "left the loop after its first round".to_owned(),
        Change::Jump(false),
    );
    leaves.then_some(change).into_iter().collect()
}
