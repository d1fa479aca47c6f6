//! Mutants that are left out, as PIT leaves them out: of code that the compiler made (closing of
//! resources and checks for null included), of static initializers and constructors of enums, of lines that log, of
//! counters of loops, and those that cannot change anything.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use heapwright_code::{closing_code, inner_jumps};
use heapwright_jvm::class::{Field, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::{
    BranchCondition, Listed, ListedMember, ListedOperation, Listing, Shuffle,
};
use heapwright_jvm::patches::{Change, ReturnedValue};
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::initializers::runs_in_initializer;
use super::operators::MutationOperator;
use crate::coverage::made_by_kotlin;

/// What is left out of one method.
pub(super) struct Filter<'l> {
    listing: &'l Listing,
    /// Instructions that the compiler made, by place.
    made: BTreeSet<usize>,
    /// Increments of the counters of loops, by place.
    counters: BTreeSet<usize>,
    /// Whether the method is `equals`.
    is_equals: bool,
}

impl Filter<'_> {
    /// Reads a method. `None` if it has no mutants at all.
    pub(super) fn new<'l>(vm: &Vm, method: MethodId, listing: &'l Listing) -> Option<Filter<'l>> {
        if is_generated(vm, method, listing)
            || is_maker_of_constants(vm, method)
            || runs_in_initializer(vm, method)
        {
            return None;
        }
        let mut made = BTreeSet::new();
        let jumps = inner_jumps(listing);
        let places = jumps.into_iter().filter_map(|at| listing.place(at));
        made.extend(places);
        made.extend(assertions(listing));
        made.extend(conditions_of_loops(listing));
        made.extend(closing_code(listing));
        made.extend(logging(listing));
        made.extend(null_checks(listing));
        if is_of_kotlin(vm, vm.method(method).class) {
            made.extend(made_by_kotlin(vm, method, listing));
        }
        Some(Filter {
            listing,
            made,
            counters: counters(listing),
            is_equals: vm.text(vm.method(method).name) == "equals"
                && vm.text(vm.method(method).descriptor) == "(Ljava/lang/Object;)Z",
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
            Change::Jump(true) => self.is_equals && self.compares_identity(place),
            _ => false,
        };
        is_counter || is_same || self.made.contains(&place)
    }

    fn before(&self, place: usize, back: usize) -> Option<&ListedOperation> {
        let place = place.checked_sub(back)?;
        Some(&self.listing.instructions[place].step)
    }

    /// Whether a branch asks whether two variables are the same object. An `equals` without this
    /// short cut has the same results.
    fn compares_identity(&self, place: usize) -> bool {
        let is_asked = matches!(
            self.listing.instructions[place].step,
            ListedOperation::Branch(BranchCondition::Same(_), _)
        );
        let loads = |back| {
            matches!(
                self.before(place, back),
                Some(ListedOperation::Load(Kind::Reference, _))
            )
        };
        is_asked && loads(1) && loads(2)
    }

    /// Whether the value that a return is to give is the one on the stack, or in the variable read
    /// for it.
    fn returns_already(&self, place: usize, value: ReturnedValue) -> bool {
        let Some(ListedOperation::Load(Kind::Reference, variable)) = self.before(place, 1) else {
            return self.pushes(place, value);
        };
        let stored = (0..place - 1).rev().find(|&before| {
            matches!(self.listing.instructions[before].step,
                ListedOperation::Store(Kind::Reference, other) if other == *variable)
        });
        stored.is_some_and(|stored| self.pushes(stored, value))
    }

    /// Whether the instructions before a place push a value.
    fn pushes(&self, place: usize, value: ReturnedValue) -> bool {
        let step = |back: usize| self.before(place, back);
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

/// Whether an annotation marks a method or its class as generated, as Lombok's.
pub fn is_marked(vm: &Vm, method: MethodId) -> bool {
    let this = vm.method(method);
    let file = vm.class(this.class).file.as_ref();
    file.is_some_and(|file| this.is_marked_generated(file))
}

/// Whether an annotation marks all public methods of a class as generated, of which there are some.
#[must_use]
pub fn is_all_marked(vm: &Vm, class: ClassId) -> bool {
    let methods = vm.class(class).methods.iter().copied();
    let mut public = methods.filter(|&method| vm.method(method).flags & flags::PUBLIC != 0);
    let mut are_there = false;
    public.all(|method| {
        are_there = true;
        is_marked(vm, method)
    }) && are_there
}

/// Returns the members of a class that a tool has made without marking them: constructors, accessors and
/// methods of `Object`, several of which have one and the same line of the source, that of an annotation or
/// of the class.
#[must_use]
pub fn made_by_tools(vm: &Vm, class: ClassId) -> Vec<MethodId> {
    let mut by_line: BTreeMap<u16, Vec<MethodId>> = BTreeMap::new();
    for &method in &vm.class(class).methods {
        let Ok(listing) = vm.listing(method) else {
            continue;
        };
        let lines: BTreeSet<u16> = { listing.instructions.iter() }
            .filter_map(|listed| listed.line)
            .collect();
        if let (Some(&line), 1) = (lines.first(), lines.len()) {
            by_line.entry(line).or_default().push(method);
        }
    }
    let is_usual = |&method: &MethodId| is_usual_of_tools(vm, class, method);
    let is_constructor = |&&method: &&MethodId| vm.text(vm.method(method).name) == "<init>";
    let groups = by_line.into_values().filter(|group| {
        let others = group.iter().filter(|method| !is_constructor(method));
        group.len() > 1 && others.count() > 0 && group.iter().all(is_usual)
    });
    groups.flatten().collect()
}

/// Whether tools make methods of this name for a class.
fn is_usual_of_tools(vm: &Vm, class: ClassId, method: MethodId) -> bool {
    let this = vm.method(method);
    let name = vm.text(this.name);
    let usual = [
        "<init>",
        "<clinit>",
        "equals",
        "hashCode",
        "toString",
        "canEqual",
        "copy",
        "builder",
        "toBuilder",
        "values",
        "valueOf",
        "$values",
    ];
    let prefixed = ["get", "set", "is", "with", "component"].iter();
    let mut prefixed = prefixed.filter_map(|prefix| name.strip_prefix(prefix));
    let is_field = |name: &str| {
        let mut fields = vm.class(class).fields.iter();
        fields.any(|field| vm.text(field.name).eq_ignore_ascii_case(name))
    };
    usual.contains(&name)
        || is_field(name)
        || is_field(&format!("is{name}"))
        || prefixed.any(|rest| is_field(rest) || is_field(&format!("is{rest}")))
        || name.starts_with("copy$")
        || name.starts_with("component")
}

/// Whether a method is the compiler's or marked as generated, or runs before any test.
pub fn is_generated(vm: &Vm, method: MethodId, listing: &Listing) -> bool {
    let this = vm.method(method);
    let name = vm.text(this.name);
    if is_marked(vm, method) {
        return true;
    }
    let is_synthetic = this.flags & (flags::SYNTHETIC | flags::BRIDGE) != 0;
    if is_synthetic && !name.starts_with("lambda$") || name == "<clinit>" {
        return true;
    }
    // All of a data class's `copy` and the like is made without a line of the source.
    let has_line = listing
        .instructions
        .iter()
        .any(|listed| listed.line.is_some());
    if !has_line && is_of_kotlin(vm, this.class) {
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

/// Whether Kotlin's compiler wrote a class, with lines of its source.
pub fn is_of_kotlin(vm: &Vm, class: ClassId) -> bool {
    let file = vm.class(class).file.as_ref();
    file.is_some_and(|file| file.info.is_kotlin && file.info.source_file.is_some())
}

/// Whether a method is a constructor of an enum, or a record's constructor or accessor with as many
/// parameters as those that the compiler makes.
fn is_maker_of_constants(vm: &Vm, method: MethodId) -> bool {
    let this = vm.method(method);
    let class = vm.class(this.class);
    let name = vm.text(this.name);
    match class.super_class.map_or("", |of| vm.class_name(of)) {
        "java/lang/Enum" => name == "<init>",
        "java/lang/Record" => {
            let mut fields = class.fields.iter().filter(|field| !field.is_static());
            let parameters = descriptor::split_method(vm.text(this.descriptor));
            let count = parameters.map_or(0, |(parameters, _)| parameters.len());
            match name {
                "<init>" => count == fields.count(),
                _ => fields.any(|field| vm.text(field.name) == name),
            }
        }
        _ => false,
    }
}

/// Packages of loggers.
const LOGGERS: [&str; 6] = [
    "java/util/logging",
    "org/apache/log4j",
    "org/apache/logging/log4j",
    "org/slf4j",
    "org/apache/commons/logging",
    "org/jboss/logging",
];

/// Returns the instructions of lines that call a logger.
fn logging(listing: &Listing) -> Vec<usize> {
    let steps = &listing.instructions;
    let calls = steps.iter().filter(|listed| {
        matches!(&listed.step, ListedOperation::Invoke(_, member)
            if LOGGERS.iter().any(|package| member.class.starts_with(package)))
    });
    let lines: BTreeSet<u16> = calls.filter_map(|listed| listed.line).collect();
    let places = 0..steps.len();
    places
        .filter(|&place| steps[place].line.is_some_and(|line| lines.contains(&line)))
        .collect()
}

/// Returns the places of calls that only check for null, as compilers put them before references to methods:
/// of `Objects.requireNonNull` and `getClass` whose result nothing uses.
fn null_checks(listing: &Listing) -> Vec<usize> {
    let pairs = listing.instructions.windows(2).enumerate();
    let checks = pairs.filter(|(_, pair)| {
        let checks = match &pair[0].step {
            ListedOperation::Invoke(_, member) => match member.name.as_str() {
                "requireNonNull" => {
                    member.class == "java/util/Objects"
                        && member.descriptor == "(Ljava/lang/Object;)Ljava/lang/Object;"
                }
                "getClass" => member.descriptor == "()Ljava/lang/Class;",
                _ => false,
            },
            _ => false,
        };
        checks && pair[1].step == ListedOperation::Shuffle(Shuffle::Drop(1))
    });
    checks.map(|(place, _)| place).collect()
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

/// Returns the branches, calls and increments that the compiler makes for `for (x : xs)`. Those of
/// other loops over an iterator stay, as a line begins between; but as PIT does, a method with such
/// a loop loses the head of each loop that begins like one.
fn conditions_of_loops(listing: &Listing) -> Vec<usize> {
    let labels = labels(listing);
    let is_straight = |mut places: Range<usize>| !places.any(|place| labels.contains(&place));
    let mut found = Vec::new();
    let mut has_loop = false;
    for start in 2..listing.instructions.len() {
        // What is made for the loop stands before and behind the instruction to which it goes back.
        if begins_iterator_loop(listing, start)
            && labels.contains(&start)
            && is_straight(start - 1..start)
            && is_straight(start + 1..start + 3)
        {
            found.extend([start - 2, start + 1, start + 2]);
            let is_whole = takes_next(listing, start + 3)
                && is_straight(start + 3..start + 5)
                && jump_back(listing, start, start + 2).is_some();
            if is_whole {
                has_loop = true;
                found.push(start + 4);
            }
        }
        if let Some(counter) = begins_array_loop(listing, start)
            && labels.contains(&start)
            && is_straight(start - 3..start)
            && is_straight(start + 1..start + 3)
        {
            found.push(start + 2);
            for place in start + 3..listing.instructions.len() {
                if matches!(listing.instructions[place].step,
                    ListedOperation::Increment(variable, _) if variable == counter)
                {
                    found.push(place);
                    has_loop |= jump_back(listing, start, start + 2) == Some(place + 1);
                }
            }
        }
    }
    if has_loop { found } else { Vec::new() }
}

/// Whether a place loads the iterator that the call before has returned, and asks it for more.
fn begins_iterator_loop(listing: &Listing, start: usize) -> bool {
    let step = |place: usize| listing.instructions.get(place).map(|listed| &listed.step);
    matches!(step(start - 2), Some(ListedOperation::Invoke(_, member))
        if member.descriptor.ends_with(")Ljava/util/Iterator;"))
        && matches!(
            step(start - 1),
            Some(ListedOperation::Store(Kind::Reference, _))
        )
        && matches!(step(start), Some(ListedOperation::Load(Kind::Reference, _)))
        && is_call_of_iterator(step(start + 1), "hasNext")
        && matches!(step(start + 2), Some(ListedOperation::Branch(..)))
}

/// Whether a place loads an iterator and calls `next`.
fn takes_next(listing: &Listing, place: usize) -> bool {
    let step = |place: usize| listing.instructions.get(place).map(|listed| &listed.step);
    matches!(step(place), Some(ListedOperation::Load(Kind::Reference, _)))
        && is_call_of_iterator(step(place + 1), "next")
}

fn is_call_of_iterator(step: Option<&ListedOperation>, name: &str) -> bool {
    matches!(step, Some(ListedOperation::Invoke(_, member))
        if member.class == "java/util/Iterator" && member.name == name)
}

/// Returns the counter, from 0, that is compared at a place with the length of an array, which is
/// read just before.
fn begins_array_loop(listing: &Listing, start: usize) -> Option<u16> {
    let from = start.checked_sub(4)?;
    let steps = listing.instructions.get(from..from + 7)?.iter();
    let steps: Vec<&ListedOperation> = steps.map(|listed| &listed.step).collect();
    match steps[..] {
        [
            ListedOperation::ArrayLength,
            ListedOperation::Store(Kind::Int, _),
            ListedOperation::Number(Kind::Int, 0),
            ListedOperation::Store(Kind::Int, counter),
            ListedOperation::Load(Kind::Int, _),
            ListedOperation::Load(Kind::Int, _),
            ListedOperation::Branch(..),
        ] => Some(*counter),
        _ => None,
    }
}

/// Returns the jump back to `start` that stands before the target of a branch.
fn jump_back(listing: &Listing, start: usize, branch: usize) -> Option<usize> {
    let steps = &listing.instructions;
    let ListedOperation::Branch(_, end) = steps[branch].step else {
        return None;
    };
    let before = listing.place(end)?.checked_sub(1)?;
    let goes_back = matches!(steps[before].step, ListedOperation::Goto(to)
        if listing.place(to) == Some(start));
    goes_back.then_some(before)
}

/// Returns the places at which something begins or ends: a line, a range of the exception table, a
/// named variable, or to which control jumps.
pub fn labels(listing: &Listing) -> BTreeSet<usize> {
    let lines = listing.line_starts.iter().copied();
    let handlers = listing.handlers.iter();
    let ranges = handlers.flat_map(|handler| [handler.start, handler.end, handler.target]);
    let locals = listing.locals.iter();
    let locals = locals.flat_map(|local| {
        let end = u16::try_from(local.range.1);
        [Some(local.range.0), end.ok()].into_iter().flatten()
    });
    let jumps = listing
        .instructions
        .iter()
        .flat_map(|listed| match &listed.step {
            ListedOperation::Goto(to) | ListedOperation::Branch(_, to) => vec![*to],
            ListedOperation::Switch(switch) => {
                let targets = switch.pairs.iter().map(|pair| pair.1);
                targets.chain([switch.default]).collect()
            }
            _ => Vec::new(),
        });
    let all = lines.chain(ranges).chain(locals).chain(jumps);
    all.filter_map(|at| listing.place(at)).collect()
}

/// Returns the increments before a jump, of the same line, back to the head of a loop, which reads the variable and then
/// has the branch that ends the loop.
fn counters(listing: &Listing) -> BTreeSet<usize> {
    let steps = &listing.instructions;
    let labels = labels(listing);
    let mut found = BTreeSet::new();
    for (place, pair) in steps.windows(2).enumerate() {
        let (ListedOperation::Increment(variable, _), ListedOperation::Goto(to)) =
            (&pair[0].step, &pair[1].step)
        else {
            continue;
        };
        let Some(head) = listing.place(*to).filter(|&head| head < place) else {
            continue;
        };
        let reads = matches!(steps[head].step,
            ListedOperation::Load(Kind::Int, read) if read == *variable);
        let ends = |branch: usize| {
            matches!(steps[branch].step, ListedOperation::Branch(_, end)
                if listing.place(end) == Some(place + 2))
                && labels.contains(&(branch + 1))
        };
        let is_straight = !labels.contains(&(place + 1));
        if reads && is_straight && (head + 1..place).any(ends) {
            found.insert(place);
        }
    }
    found
}
