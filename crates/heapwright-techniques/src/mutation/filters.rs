//! Mutants that are left out, as PIT leaves them out: of code that the compiler made (closing of
//! resources included), of static initializers, of counters of loops, and those that cannot change anything.

use std::collections::BTreeSet;

use heapwright_code::{closing_code, inner_jumps};
use heapwright_jvm::class::{Field, flags};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{Listed, ListedMember, ListedOperation, Listing};
use heapwright_jvm::patches::{Change, ReturnedValue};
use heapwright_jvm::{MethodId, Vm};

use super::operators::MutationOperator;

/// What is left out of one method.
pub(super) struct Filter<'l> {
    listing: &'l Listing,
    /// Instructions that the compiler made, by place.
    made: BTreeSet<usize>,
    /// Increments of the counters of loops, by place.
    counters: BTreeSet<usize>,
}

impl Filter<'_> {
    /// Reads a method. `None` if it has no mutants at all.
    pub(super) fn new<'l>(vm: &Vm, method: MethodId, listing: &'l Listing) -> Option<Filter<'l>> {
        if is_generated(vm, method, listing) {
            return None;
        }
        let mut made = BTreeSet::new();
        let jumps = inner_jumps(listing);
        let places = jumps.into_iter().filter_map(|at| listing.place(at));
        made.extend(places);
        made.extend(assertions(listing));
        made.extend(conditions_of_loops(listing));
        made.extend(closing_code(listing));
        Some(Filter {
            listing,
            made,
            counters: counters(listing),
        })
    }

    /// Whether a change by an operator is left out.
    pub(super) fn leaves_out(
        &self,
        place: usize,
        operator: MutationOperator,
        change: Change,
    ) -> bool {
        let is_counter = operator == MutationOperator::Increments && self.counters.contains(&place);
        let is_same = match change {
            Change::Return(value) => self.returns_already(place, value),
            _ => false,
        };
        is_counter || is_same || self.made.contains(&place)
    }

    /// Whether the value that a return is to give is the one on the stack.
    fn returns_already(&self, place: usize, value: ReturnedValue) -> bool {
        let step = |back: usize| {
            let place = place.checked_sub(back)?;
            Some(&self.listing.instructions[place].step)
        };
        let is_number = |step: Option<&ListedOperation>, value: i32| match step {
            Some(ListedOperation::Number(_, bits)) => *bits == u64::from(value as u32),
            Some(ListedOperation::Null) => value == 0,
            _ => false,
        };
        match value {
            ReturnedValue::Int(value) => is_number(step(1), value),
            ReturnedValue::EmptyString => {
                matches!(step(1), Some(ListedOperation::Text(text)) if text.is_empty())
            }
            ReturnedValue::Call(_, argument) => match (step(1), argument) {
                (Some(ListedOperation::Invoke(_, member)), Some(value)) => {
                    member.name == "valueOf" && is_number(step(2), value)
                }
                (Some(ListedOperation::Invoke(_, member)), None) => is_empty_maker(member),
                (Some(ListedOperation::GetField(field, true)), Some(value)) => {
                    field.class == "java/lang/Boolean"
                        && field.name == if value == 0 { "FALSE" } else { "TRUE" }
                }
                _ => false,
            },
        }
    }
}

/// Whether a method is the compiler's, or runs before any test.
pub fn is_generated(vm: &Vm, method: MethodId, listing: &Listing) -> bool {
    let this = vm.method(method);
    let name = vm.text(this.name);
    let is_synthetic = this.flags & (flags::SYNTHETIC | flags::BRIDGE) != 0;
    if is_synthetic && !name.starts_with("lambda$") || name == "<clinit>" {
        return true;
    }
    let class = vm.class(this.class);
    let parameters = vm.text(this.descriptor).split(')').next();
    if class.flags & flags::ENUM != 0 {
        let is_list = name == "values" && parameters == Some("(");
        return is_list || name == "valueOf" && parameters == Some("(Ljava/lang/String;");
    }
    let by_bootstrap = |listed: &Listed| matches!(listed.step, ListedOperation::Dynamic(..));
    let is_accessor = |field: &Field| vm.text(field.name) == name;
    let is_record = class
        .super_class
        .is_some_and(|of| vm.class_name(of) == "java/lang/Record");
    let is_of_object = matches!(name, "toString" | "hashCode" | "equals");
    is_record
        && (is_of_object
            && listing.instructions.len() < 6
            && listing.instructions.iter().any(by_bootstrap)
            || parameters == Some("(")
                && listing.instructions.len() == 3
                && class.fields.iter().any(is_accessor))
}

/// Whether a call makes an empty collection, optional or stream.
fn is_empty_maker(member: &ListedMember) -> bool {
    let is_of = member.name == "of" && member.descriptor.starts_with("()");
    let is_empty = matches!(
        member.name.as_str(),
        "empty" | "emptyList" | "emptyMap" | "emptySet"
    );
    (is_of || is_empty) && member.class.starts_with("java/util/")
}

/// Returns the places of assertions, from the question whether they are enabled.
fn assertions(listing: &Listing) -> Vec<usize> {
    let steps = &listing.instructions;
    let mut found = Vec::new();
    for place in 0..steps.len().saturating_sub(1) {
        let asks = matches!(&steps[place].step, ListedOperation::GetField(field, true)
            if field.name == "$assertionsDisabled");
        if asks
            && let ListedOperation::Branch(_, end) = steps[place + 1].step
            && let Some(end) = listing.place(end)
        {
            found.extend(place..end);
        }
    }
    found
}

/// Returns the branches and calls that the compiler makes for `for (x : xs)`.
fn conditions_of_loops(listing: &Listing) -> Vec<usize> {
    let steps = &listing.instructions;
    let calls = |place: usize, name: &str| {
        matches!(steps.get(place).map(|listed| &listed.step),
            Some(ListedOperation::Invoke(_, member))
                if member.class == "java/util/Iterator" && member.name == name)
    };
    let mut found = Vec::new();
    for place in 1..steps.len().saturating_sub(2) {
        // Load the iterator, hasNext, branch, load it again, next.
        let (ListedOperation::Load(Kind::Reference, one), ListedOperation::Branch(..)) =
            (&steps[place - 1].step, &steps[place + 1].step)
        else {
            continue;
        };
        let again = matches!(&steps[place + 2].step, ListedOperation::Load(Kind::Reference, other)
            if one == other);
        if calls(place, "hasNext") && again && calls(place + 3, "next") {
            found.extend([place, place + 1, place + 3]);
        }
    }
    for (place, steps) in steps.windows(7).enumerate() {
        let steps: Vec<&ListedOperation> = steps.iter().map(|listed| &listed.step).collect();
        // The length of the array, the counter from 0, and their comparison.
        if let [
            ListedOperation::ArrayLength,
            ListedOperation::Store(Kind::Int, length),
            ListedOperation::Number(Kind::Int, 0),
            ListedOperation::Store(Kind::Int, counter),
            ListedOperation::Load(Kind::Int, first),
            ListedOperation::Load(Kind::Int, second),
            ListedOperation::Branch(..),
        ] = steps[..]
            && (first, second) == (counter, length)
        {
            found.push(place + 6);
        }
    }
    found
}

/// Returns the increments before a jump back to a comparison of the variable.
fn counters(listing: &Listing) -> BTreeSet<usize> {
    let steps = &listing.instructions;
    let mut found = BTreeSet::new();
    for pair in steps.windows(2) {
        let (ListedOperation::Increment(variable, _), ListedOperation::Goto(to)) =
            (&pair[0].step, &pair[1].step)
        else {
            continue;
        };
        let Some(place) = listing.place(pair[0].at) else {
            continue;
        };
        let Some(condition) = listing.place(*to).filter(|&condition| condition < place) else {
            continue;
        };
        let reads = matches!(steps[condition].step,
            ListedOperation::Load(Kind::Int, read) if read == *variable);
        let block = steps[condition..place].iter();
        let mut block = block.take_while(|listed| listed.step.falls_through());
        if reads && block.any(|listed| matches!(listed.step, ListedOperation::Branch(..))) {
            found.insert(place);
        }
    }
    found
}
