//! Richness of a sequence: how much its last call has to do, and how varied the state is in which
//! it does it. Small states hide faults that larger ones show.
//!
//! **Invariant:** richness depends on the run alone, and is bounded: more of the same adds nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use heapwright_explore::symbolic::PathOutcome;
use heapwright_jvm::class::Shape;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::digests::is_object;
use super::replay::{ReplayedRun, Replayer};
use super::writer::ScriptWriter;
use crate::Error;
use crate::sequences::model::Concrete;
use crate::statements::{Statement, StatementArgument};
use crate::symbolic::InputValue;

/// Fewest places that a call passes if it is more than an accessor, which has an entry and a
/// return.
const PLACES: usize = 3;
/// Maximum number of visits of a place that count.
const VISITS: usize = 3;
/// Maximum number of different sizes of the objects of a class, of different values of a field, and
/// of objects of a class that count.
const FEW: usize = 3;
/// Maximum numbers of objects, and of elements of an array, that are looked at.
const OBJECTS: usize = 128;
const ELEMENTS: usize = 64;
/// Weights of a visit, of a size, and of what is in the result.
const OF_VISIT: u32 = 2;
const OF_SIZE: usize = 2;
const OF_RESULT: u32 = 2;
/// Number of characters of a resulting text that count as a value, and their maximum.
const CHARACTERS: usize = 4;
const MOST_CHARACTERS: usize = 16;

/// Visits of a place by a call.
#[derive(Default)]
struct Visits {
    times: usize,
    /// Their numbers of frames, which recursion changes.
    depths: BTreeSet<u32>,
}

impl Visits {
    fn richness(&self) -> usize {
        self.times.min(VISITS) + self.depths.len().min(VISITS) - 1
    }
}

/// Richness of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Richness {
    pub shown: Shown,
    /// Whether its last call is that of an accessor, without a branch.
    pub is_access: bool,
    /// That of the state that its last call leaves behind.
    pub of_state: u32,
    /// That of the call in its state.
    pub of_call: u32,
}

/// What a sequence shows with its last call: the method, and the answer of a yes-or-no question.
pub(super) type Shown = (MethodId, Option<bool>);

impl ScriptWriter<'_> {
    /// Returns what a sequence shows with its last call, and its richness; `None` if the call
    /// throws or does not end, or if no method under test is called.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(super) fn richness(
        &mut self,
        vm: &mut Vm,
        replayer: &mut Replayer<'_>,
        concrete: &Concrete,
    ) -> Result<Option<Richness>, Error> {
        let Some(last) = concrete.statements.last() else {
            return Ok(None);
        };
        let Some(method) = self.plan.roles[last.invokable].under_test else {
            return Ok(None);
        };
        let receiver = self.receiver(last, concrete.statements.len() - 1);
        let found = replayer.run(vm, concrete, &mut |vm, ran| {
            let PathOutcome::Returned(slot) = *ran.outcome else {
                return None;
            };
            let mut visits: FxHashMap<u32, Visits> = FxHashMap::default();
            for visit in &vm.visits()[ran.search.visits_before()..] {
                let visits = visits.entry(visit.point).or_default();
                visits.times += 1;
                visits.depths.insert(visit.depth);
            }
            let passed: usize = visits.values().map(Visits::richness).sum();
            let objects = self.objects(ran, concrete);
            let roots = roots(ran, (concrete, &objects), last, receiver);
            let state = variety(vm, &roots);
            let kind = vm.method(method).result;
            let result = of_result(vm, (kind, slot));
            let answer = (kind == Kind::Boolean).then_some(slot != 0);
            Some(Richness {
                shown: (method, answer),
                is_access: visits.len() < PLACES,
                of_state: state,
                of_call: OF_VISIT * passed as u32 + state + OF_RESULT * result,
            })
        })?;
        Ok(found.flatten())
    }
}

/// Returns a number that stands for a value.
fn digest(value: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the objects of a run that a call takes, its receiver or what it constructed first.
fn roots(
    ran: &ReplayedRun<'_, '_>,
    (concrete, objects): (&Concrete, &[Option<Ref>]),
    last: &Statement,
    receiver: Option<usize>,
) -> Vec<Ref> {
    let taken = last.arguments.iter().filter_map(|argument| match argument {
        StatementArgument::Result(place) => Some(*place),
        _ => None,
    });
    let places = receiver.into_iter().chain(taken);
    let objects = places.filter_map(|place| objects.get(place).copied().flatten());
    let values = concrete.input.roots.iter().zip(ran.values);
    let values = values.skip(ran.values.len().saturating_sub(last.open()));
    let values = values
        .filter(|((_, value), slot)| matches!(value, InputValue::Object(_)) && is_object(**slot));
    let values = values.map(|(_, &slot)| Ref::from_slot(slot));
    objects.chain(values).collect()
}

fn of_result(vm: &mut Vm, (kind, slot): (Kind, u64)) -> u32 {
    match kind {
        Kind::Void => 0,
        Kind::Reference if !is_object(slot) => 0,
        Kind::Reference => {
            let object = Ref::from_slot(slot);
            let is_text =
                !object.is_null() && vm.class_name(vm.heap.class_of(object)) == "java/lang/String";
            match is_text {
                true => {
                    let length = vm.string_units(object).len().min(MOST_CHARACTERS);
                    length.div_ceil(CHARACTERS) as u32
                }
                false => variety(vm, &[object]),
            }
        }
        _ => u32::from(slot != 0),
    }
}

/// Returns how varied the objects reachable from some objects are: the numbers of their different
/// sizes, of the different values in their fields, and of objects of the program's classes.
fn variety(vm: &Vm, roots: &[Ref]) -> u32 {
    let reachable = reachable(vm, roots);
    let mut sizes: BTreeMap<ClassId, BTreeSet<usize>> = BTreeMap::new();
    let mut values: BTreeMap<(ClassId, u32), BTreeSet<u64>> = BTreeMap::new();
    let mut objects: BTreeMap<ClassId, usize> = BTreeMap::new();
    for (&object, contents) in &reachable {
        let class = vm.heap.class_of(object);
        for &(word, value) in &contents.values {
            values.entry((class, word)).or_default().insert(value);
        }
        if vm.is_app_class(class) {
            *objects.entry(class).or_default() += 1;
        }
        if let Some(size) = size(vm, &reachable, object) {
            sizes.entry(class).or_default().insert(size);
        }
    }
    let sizes: usize = sizes.values().map(|sizes| sizes.len().min(FEW)).sum();
    let values: usize = values.values().map(|values| values.len().min(FEW)).sum();
    let objects: usize = objects.values().map(|&count| count.min(FEW)).sum();
    (OF_SIZE * sizes + values + objects) as u32
}

/// What an object holds itself.
#[derive(Default)]
struct Contents {
    /// The words of fields, 0 for elements of arrays, and digests of their values: texts, boxes,
    /// constants, numbers of a class under test or of an array, but for zero.
    values: Vec<(u32, u64)>,
    /// The other objects.
    parts: Vec<Ref>,
}

/// Returns the objects reachable from some objects with their contents, not all if they are many.
fn reachable(vm: &Vm, roots: &[Ref]) -> BTreeMap<Ref, Contents> {
    let mut open: Vec<Ref> = roots.to_vec();
    let mut found = BTreeMap::new();
    while let Some(object) = open.pop() {
        let is_value = object.is_null() || vm.heap.is_permanent(object);
        if is_value || found.contains_key(&object) || found.len() >= OBJECTS {
            continue;
        }
        let contents = contents(vm, object);
        open.extend(&contents.parts);
        found.insert(object, contents);
    }
    found
}

/// Returns the number of values in the objects reachable from one; `None` if there are others of
/// its class among them. The nodes of a structure do not count, only the structure.
fn size(vm: &Vm, reachable: &BTreeMap<Ref, Contents>, object: Ref) -> Option<usize> {
    let class = vm.heap.class_of(object);
    let mut open = vec![object];
    let mut seen = FxHashSet::default();
    let mut size = 0;
    while let Some(part) = open.pop() {
        let Some(contents) = reachable.get(&part).filter(|_| seen.insert(part)) else {
            continue;
        };
        if part != object && vm.heap.class_of(part) == class {
            return None;
        }
        size += contents.values.len();
        open.extend(&contents.parts);
    }
    Some(size)
}

fn contents(vm: &Vm, object: Ref) -> Contents {
    let class = vm.heap.class_of(object);
    let mut found = Contents::default();
    let mut add = |word: u32, kind: Kind, slot: u64| {
        if slot == 0 || !is_object(slot) && kind == Kind::Reference {
            return;
        }
        let value = match kind {
            Kind::Reference => value_of(vm, Ref::from_slot(slot)),
            _ => Some(digest((0_u8, slot))),
        };
        match value {
            Some(value) => found.values.push((word, value)),
            None => found.parts.push(Ref::from_slot(slot)),
        }
    };
    if let Shape::Array(_) = vm.class(class).shape {
        let kind = vm.array_element_kind(class);
        let elements = elements(vm, object, class).take(ELEMENTS);
        elements.for_each(|slot| add(0, kind, slot));
        return found;
    }
    // A class comes with those that it extends.
    let fields = vm.class(class).display.iter();
    for field in fields.flat_map(|&of| &vm.class(of).fields) {
        let counts = field.kind == Kind::Reference || vm.is_app_class(field.class);
        if !field.is_static() && counts {
            add(field.word, field.kind, vm.heap.field(object, field.word));
        }
    }
    found
}

/// Returns the digest of a text, a box or an object that was there before; `None` for others.
fn value_of(vm: &Vm, object: Ref) -> Option<u64> {
    if vm.class_name(vm.heap.class_of(object)) == "java/lang/String" {
        return Some(digest((1_u8, vm.string_units(object))));
    }
    if let Some((_, slot)) = vm.unboxed(object) {
        return Some(digest((2_u8, slot)));
    }
    vm.heap
        .is_permanent(object)
        .then(|| digest((3_u8, object.slot())))
}

/// Returns the slots of an array's elements.
fn elements(vm: &Vm, array: Ref, class: ClassId) -> impl Iterator<Item = u64> {
    let kind = vm.array_element_kind(class);
    let from = vm.heap.elements(array);
    let places = 0..u64::from(vm.heap.array_length(array));
    places.map(move |place| vm.array_slot(from + place * u64::from(kind.element_bytes()), kind))
}
