//! Decides whether one invokable can influence another. This relation determines data flow pairs
//! (§4.3.1), order (§4.3.4), receivers, and links between statements by objects (§4.3.3).
//!
//! All relations are computed once as bit sets; queries only read bits. A sequence is the numbers
//! of its invokables in order, with the invokable under test last.

use std::collections::BTreeMap;
use std::rc::Rc;

use heapwright_jvm::{ClassId, Vm};
use rustc_hash::FxHashMap;

use super::dataflow::Flows;
use super::effects::{Effects, FieldKey};
use super::spanning_tree::spans;
use crate::sequences::callables::invokables::is_made_elsewhere;
use crate::statements::{Invokable, ParameterSpec, is_value_class};

/// A bit set of numbers below a fixed size: invokables, or positions of classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sequences) struct Set(Vec<u64>);

impl Set {
    pub fn new(size: usize) -> Set {
        Set(vec![0; size.div_ceil(64)])
    }

    pub fn insert(&mut self, member: usize) {
        self.0[member / 64] |= 1 << (member % 64);
    }

    pub fn contains(&self, member: usize) -> bool {
        self.0[member / 64] & 1 << (member % 64) != 0
    }

    /// Removes members that are not in another set.
    pub fn keep(&mut self, other: &Set) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= other;
        }
    }

    fn meets(&self, other: &Set) -> bool {
        let mut words = self.0.iter().zip(&other.0);
        words.any(|(word, other)| word & other != 0)
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    fn remove(&mut self, other: &Set) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word &= !other;
        }
    }

    pub fn members(&self) -> impl Iterator<Item = usize> {
        let words = self.0.iter().enumerate().filter(|(_, word)| **word != 0);
        words.flat_map(|(place, &word)| {
            let bits = (0..64).filter(move |bit| word & 1 << bit != 0);
            bits.map(move |bit| place * 64 + bit)
        })
    }

    fn add_some(&mut self, other: Option<&Set>) {
        other.into_iter().for_each(|other| self.add(other));
    }

    pub fn add(&mut self, other: &Set) {
        for (word, other) in self.0.iter_mut().zip(&other.0) {
            *word |= other;
        }
    }
}

/// A parameter that takes an object which an invokable can return.
#[derive(Clone, Debug)]
struct Slot {
    /// The position of the parameter.
    place: usize,
    is_receiver: bool,
    /// The invokables that return such objects; shared by parameters of the same type.
    givers: Rc<Set>,
}

/// Relations between invokables. Direct influences are precomputed; chains of influences are
/// computed on demand.
#[derive(Clone, Debug)]
pub struct Criteria {
    /// For each invokable, those that may influence it directly.
    influencers: Vec<Set>,
    /// For each invokable, those that write a static field that it may read.
    static_definers: Vec<Set>,
    /// For each invokable, its parameters that take objects.
    slots: Vec<Vec<Slot>>,
}

impl Criteria {
    /// Computes the relations from the effects of invokables; `classes` are those of the system
    /// under test.
    #[must_use]
    pub fn new(
        vm: &mut Vm,
        invokables: &[Invokable],
        flows: &Flows,
        classes: &[ClassId],
    ) -> Criteria {
        let count = invokables.len();
        let given: Vec<Option<ClassId>> = invokables
            .iter()
            .map(|invokable| object_class(vm, classes, invokable.result.as_deref()?))
            .collect();
        let mut criteria = Criteria {
            influencers: Vec::with_capacity(count),
            static_definers: Vec::with_capacity(count),
            slots: Vec::with_capacity(count),
        };
        let mut givers = Givers::new(&given);
        let mut definers = Definers::new(invokables.len(), flows);
        for (user, invokable) in invokables.iter().enumerate() {
            let mut slots = Vec::new();
            for (place, takes) in invokable.parameters.iter().enumerate() {
                let Some(taken) = object_class(vm, classes, &takes.descriptor) else {
                    continue;
                };
                slots.push(Slot {
                    place,
                    is_receiver: takes.is_receiver,
                    givers: givers.of(vm, taken, takes, classes),
                });
            }
            let mut influencers = Set::new(count);
            for slot in &slots {
                influencers.add(&slot.givers);
            }
            let static_definers = definers.of_statics(flows.effects(user));
            definers.add(vm, flows.effects(user), &mut influencers);
            influencers.add(&static_definers);
            criteria.influencers.push(influencers);
            criteria.static_definers.push(static_definers);
            criteria.slots.push(slots);
        }
        criteria
    }

    /// Returns the number of invokables.
    #[must_use]
    pub fn count(&self) -> usize {
        self.influencers.len()
    }

    /// Whether `first` may influence `second` directly. It returns an object that `second` can
    /// take, writes a field that `second` reads, or stores in an array type that `second` loads
    /// from.
    ///
    /// # Panics
    /// An invokable does not exist; this holds for the other queries too.
    #[must_use]
    pub fn influences(&self, first: usize, second: usize) -> bool {
        self.influencers[second].contains(first)
    }

    /// Returns the invokables that may influence one directly.
    pub(super) fn influencers(&self, invokable: usize) -> &Set {
        &self.influencers[invokable]
    }

    /// Returns the invokables that return objects for a parameter.
    #[must_use]
    pub(in crate::sequences) fn givers(&self, invokable: usize, place: usize) -> Option<&Set> {
        let mut slots = self.slots[invokable].iter();
        let slot = slots.find(|slot| slot.place == place)?;
        Some(&slot.givers)
    }

    /// Returns the length of the shortest chain of influences from an invokable to the one under
    /// test: 0 for itself, `None` if there is none.
    #[must_use]
    pub fn distance(&self, invokable: usize, method: usize) -> Option<u32> {
        let mut known = self.set_of(&[method]);
        let mut last = known.clone();
        for distance in 0.. {
            if last.contains(invokable) {
                return Some(distance);
            }
            let mut next = self.influencing(&last);
            next.remove(&known);
            if next.is_empty() {
                break;
            }
            known.add(&next);
            last = next;
        }
        None
    }

    /// Returns the given invokables and all that influence one of them through a chain.
    pub(in crate::sequences) fn leading_to(&self, ends: &[usize]) -> Set {
        let mut known = self.set_of(ends);
        let mut open = ends.to_vec();
        while let Some(second) = open.pop() {
            let mut new = self.influencers[second].clone();
            new.remove(&known);
            known.add(&new);
            open.extend(new.members());
        }
        known
    }

    /// Returns the invokables that may influence one of the given ones directly.
    pub(in crate::sequences) fn influencing(&self, some: &Set) -> Set {
        let mut found = Set::new(self.count());
        for second in some.members() {
            found.add(&self.influencers[second]);
        }
        found
    }

    /// Returns, for each invokable, the minimum number of statements after it that lead by objects to
    /// one of the given ones: each takes an object that the one before it returns or takes. `None` if
    /// no objects lead there.
    #[must_use]
    pub fn object_distances(&self, ends: &[usize]) -> Vec<Option<usize>> {
        let mut distances = vec![None; self.count()];
        let mut last = ends.to_vec();
        for distance in 0.. {
            for &reached in &last {
                distances[reached] = Some(distance);
            }
            let mut givers = Set::new(self.count());
            let slots = last.iter().flat_map(|&reached| &self.slots[reached]);
            slots.for_each(|slot| givers.add(&slot.givers));
            let is_before = |&invokable: &usize| {
                let mut slots = self.slots[invokable].iter();
                distances[invokable].is_none()
                    && (givers.contains(invokable) || slots.any(|slot| slot.givers.meets(&givers)))
            };
            last = (0..self.count()).filter(is_before).collect();
            if last.is_empty() {
                break;
            }
        }
        distances
    }

    fn set_of(&self, members: &[usize]) -> Set {
        let mut set = Set::new(self.count());
        members.iter().for_each(|&member| set.insert(member));
        set
    }

    /// Whether an invokable may precede a sequence without duplicating another order. It must
    /// influence the first of the sequence, or have no higher number. Influences of the first on
    /// the invokable are ignored (§4.3.4).
    #[must_use]
    pub fn is_ordered(&self, first: usize, rest: &[usize]) -> bool {
        rest.first()
            .is_none_or(|&second| first <= second || self.influences(first, second))
    }

    /// Whether each receiver can be the result of an earlier statement.
    #[must_use]
    pub fn is_executable(&self, sequence: &[usize]) -> bool {
        sequence.iter().enumerate().all(|(at, &invokable)| {
            let mut receivers = self.slots[invokable].iter().filter(|slot| slot.is_receiver);
            receivers.all(|slot| {
                sequence[..at]
                    .iter()
                    .any(|&giver| slot.givers.contains(giver))
            })
        })
    }

    /// Whether arguments, each from one earlier statement, and static fields can connect all
    /// statements of a sequence.
    #[must_use]
    pub fn is_linked(&self, sequence: &[usize]) -> bool {
        // A static field links all its users; an argument links only one.
        let mut free = Vec::new();
        let mut choices = Vec::new();
        for (at, &invokable) in sequence.iter().enumerate() {
            let earlier = |set: &Set| -> Vec<(usize, usize)> {
                let givers = sequence[..at].iter().enumerate();
                let giving = givers.filter(|&(_, &giver)| set.contains(giver));
                giving.map(|(giver, _)| (giver, at)).collect()
            };
            free.extend(earlier(&self.static_definers[invokable]));
            choices.extend(
                self.slots[invokable]
                    .iter()
                    .map(|slot| earlier(&slot.givers)),
            );
        }
        spans(sequence.len(), &free, &choices)
    }
}

/// The invokables by their definitions.
struct Definers {
    count: usize,
    fields: FxHashMap<FieldKey, Set>,
    statics: FxHashMap<FieldKey, Set>,
    /// By class of the arrays in which they store, in the order of the classes.
    arrays: BTreeMap<ClassId, Set>,
    /// By class of the arrays loaded from; a cache.
    loaded: FxHashMap<ClassId, Set>,
}

impl Definers {
    fn new(count: usize, flows: &Flows) -> Definers {
        let mut definers = Definers {
            count,
            fields: FxHashMap::default(),
            statics: FxHashMap::default(),
            arrays: BTreeMap::default(),
            loaded: FxHashMap::default(),
        };
        let empty = || Set::new(count);
        for definer in 0..count {
            let defines = flows.effects(definer);
            for &field in &defines.defines {
                let known = definers.fields.entry(field);
                known.or_insert_with(empty).insert(definer);
            }
            for &field in &defines.static_defines {
                let known = definers.statics.entry(field);
                known.or_insert_with(empty).insert(definer);
            }
            for &array in &defines.stores {
                let known = definers.arrays.entry(array);
                known.or_insert_with(empty).insert(definer);
            }
        }
        definers
    }

    /// Returns the invokables that write a static field in `uses`.
    fn of_statics(&self, uses: &Effects) -> Set {
        let mut found = Set::new(self.count);
        for field in &uses.static_uses {
            found.add_some(self.statics.get(field));
        }
        found
    }

    /// Adds the invokables that write a field in `uses`, or store in arrays that may be loaded
    /// from. Array types match if one is a subtype of the other.
    fn add(&mut self, vm: &Vm, uses: &Effects, found: &mut Set) {
        for field in &uses.uses {
            found.add_some(self.fields.get(field));
        }
        for &loaded in &uses.loads {
            let (arrays, count) = (&self.arrays, self.count);
            let storing = self.loaded.entry(loaded).or_insert_with(|| {
                let mut storing = Set::new(count);
                for (&stored, definers) in arrays {
                    if vm.is_subclass(stored, loaded) || vm.is_subclass(loaded, stored) {
                        storing.add(definers);
                    }
                }
                storing
            });
            found.add(storing);
        }
    }
}

/// The classes to which an argument may be restricted.
type Restriction = Option<Vec<ClassId>>;

/// The invokables whose results fit a parameter, cached by class and restriction.
struct Givers {
    count: usize,
    /// By the class of the result.
    given: BTreeMap<ClassId, Set>,
    known: FxHashMap<(ClassId, Restriction), Rc<Set>>,
}

impl Givers {
    fn new(given: &[Option<ClassId>]) -> Givers {
        let mut givers = Givers {
            count: given.len(),
            given: BTreeMap::new(),
            known: FxHashMap::default(),
        };
        for (giver, given) in given.iter().enumerate() {
            if let Some(given) = *given {
                let giving = givers.given.entry(given);
                let giving = giving.or_insert_with(|| Set::new(givers.count));
                giving.insert(giver);
            }
        }
        givers
    }

    fn of(
        &mut self,
        vm: &Vm,
        taken: ClassId,
        takes: &ParameterSpec,
        classes: &[ClassId],
    ) -> Rc<Set> {
        let key = (taken, takes.classes.clone());
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        let mut givers = Set::new(self.count);
        for (&given, giving) in &self.given {
            if fits(vm, given, taken, takes, classes) {
                givers.add(giving);
            }
        }
        let givers = Rc::new(givers);
        self.known.insert(key, Rc::clone(&givers));
        givers
    }
}

/// Returns the class of a descriptor if its objects come from invokables.
fn object_class(vm: &mut Vm, classes: &[ClassId], descriptor: &str) -> Option<ClassId> {
    if is_made_elsewhere(vm, classes, descriptor) {
        return None;
    }
    let name = heapwright_jvm::descriptor::class_name(descriptor);
    vm.load_class(name).ok()
}

/// Whether an object declared as `given` can be the argument of `takes`, declared as `taken`.
fn fits(
    vm: &Vm,
    given: ClassId,
    taken: ClassId,
    takes: &ParameterSpec,
    classes: &[ClassId],
) -> bool {
    let is_allowed = |&allowed: &ClassId| {
        let is_needed = !is_value_class(vm, allowed) || classes.contains(&allowed);
        is_needed && (vm.is_subclass(given, allowed) || vm.is_subclass(allowed, given))
    };
    vm.is_subclass(given, taken)
        && takes
            .classes
            .as_ref()
            .is_none_or(|classes| classes.iter().any(is_allowed))
}
