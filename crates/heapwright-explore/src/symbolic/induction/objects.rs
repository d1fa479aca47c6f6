//! Objects that a loop or a recursive method changes, or of which its variables refer to several.
//!
//! Their classes are open: all that is known of the objects of an open class is what holds of each of
//! them wherever runs are cut, its class invariant. A reference to one is null, an object that the
//! path knows, or one that it has not met yet, which then gets fields of which the invariant holds
//! (lazy initialisation, Khurshid and others 2003). Objects that a path has not met are those of the
//! iterations and calls that a cut stands for.
//!
//! Candidates of class invariants are checked wherever a run is cut, for all objects that it knows.
//! Objects that it has not met have not changed since the last cut.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::class::{Shape, flags};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::{symbolic_slot, term_of};
use heapwright_jvm::{ClassId, Exit, MarkId, Ref, Vm, WrittenPlace};
use heapwright_solve::smt::{Satisfiability, Term};
use rustc_hash::FxHashMap;

use super::super::inputs::{self, Holds, ReferenceTarget};
use super::super::machine::SymbolicMachine;
use super::super::names::Name;
use super::super::references::{OpenReference, References};
use super::super::{PathOutcome, SymbolicError, SymbolicSearch, WalkEnd};
use super::candidates::{Atom, Candidate, InstanceField};
use super::{CutState, Induction, guesses, integer_sort, method_constants};

/// Objects that the references of one place refer to, besides null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Referent {
    /// None.
    #[default]
    Nothing,
    /// Objects of this class alone, which is open.
    Class(ClassId),
    /// Any objects; nothing but whether there is one can be asked.
    Anything,
}

impl Referent {
    /// What the references of two places refer to.
    pub fn or(self, other: Referent) -> Referent {
        match (self, other) {
            (Referent::Nothing, one) | (one, Referent::Nothing) => one,
            (one, other) if one == other => one,
            _ => Referent::Anything,
        }
    }
}

/// Class of such objects.
#[derive(Clone, Debug, Default)]
pub struct OpenClass {
    /// Words of the fields that are written.
    written: BTreeSet<u32>,
    /// What the fields of reference kind refer to, by their words.
    referents: BTreeMap<u32, Referent>,
    /// Candidates of the class invariant.
    pub(super) facts: Vec<Candidate>,
}

impl OpenClass {
    /// What holds of each object of the class wherever runs are cut.
    #[must_use]
    pub fn facts(&self) -> &[Candidate] {
        &self.facts
    }

    /// What a field of reference kind refers to.
    fn referent(&self, word: u32) -> Referent {
        self.referents.get(&word).copied().unwrap_or_default()
    }
}

impl Induction {
    /// Notes what an open value of reference kind refers to; returns whether that is new.
    pub(super) fn widen(&mut self, vm: &mut Vm, cut: usize, atom: Atom, seen: Referent) -> bool {
        let all = self.summaries[cut].referent(atom).or(seen);
        let is_new = all != self.summaries[cut].referent(atom);
        if is_new {
            self.open_referent(vm, all);
            self.summaries[cut].referents.insert(atom, all);
            self.learn();
        }
        is_new
    }

    /// Opens the class of what references refer to.
    fn open_referent(&mut self, vm: &mut Vm, referent: Referent) {
        if let Referent::Class(class) = referent {
            self.open_class(vm, class);
        }
    }

    fn open_class(&mut self, vm: &mut Vm, class: ClassId) -> &mut OpenClass {
        if !self.classes.contains_key(&class) {
            let facts = guess(vm, class, self.summaries.iter().map(|all| all.point.method));
            let open = OpenClass {
                facts,
                ..OpenClass::default()
            };
            self.classes.insert(class, open);
        }
        self.classes.entry(class).or_default()
    }

    /// Notes that a field of a class's objects is written to.
    pub(super) fn open_field(&mut self, vm: &mut Vm, class: ClassId, word: u32) {
        self.open_class(vm, class).written.insert(word);
    }

    fn is_written(&self, class: ClassId, word: u32) -> bool {
        let open = self.classes.get(&class);
        open.is_some_and(|open| open.written.contains(&word))
    }

    /// Objects of open classes that exist, whether a program can reach them or not.
    fn known_objects(&self, vm: &Vm) -> Vec<(ClassId, Ref)> {
        if self.classes.is_empty() {
            return Vec::new();
        }
        let earlier = self.earlier_objects.iter().copied();
        let all = earlier.chain(vm.objects_from(self.first_object));
        let all = all.map(|object| (vm.heap.class_of(object), object));
        all.filter(|(class, _)| self.classes.contains_key(class))
            .collect()
    }

    /// Notes the objects that exist before the search.
    pub(super) fn note_objects(&mut self, vm: &Vm) {
        let is_of_program = |&object: &Ref| can_be_open(vm, vm.heap.class_of(object));
        let objects = vm.objects_from(Ref::NULL);
        self.earlier_objects = objects.filter(is_of_program).collect();
        self.first_object = Ref(vm.heap.end());
    }

    /// Fields that a cut has opened of the objects that are older than a mark.
    pub(super) fn open_fields(&self, vm: &Vm, mark: MarkId) -> Vec<WrittenPlace> {
        let known = self.known_objects(vm).into_iter();
        let older = known.filter(|&(_, object)| !vm.is_younger(mark, object));
        let words = older.flat_map(|(class, object)| {
            let words = self.classes.get(&class).into_iter();
            let words = words.flat_map(|open| &open.written);
            words.map(move |&word| WrittenPlace::Field(object, word))
        });
        words.collect()
    }

    /// Fields among written places that are not open yet, of objects whose class can be open and that
    /// existed at a mark: those older than it, and those that the path has met. The latter stand for
    /// objects of other calls, too, at which their writes are not seen.
    pub(super) fn new_fields(
        &self,
        vm: &Vm,
        written: &[WrittenPlace],
        mark: MarkId,
        met: &[Ref],
    ) -> Vec<WrittenPlace> {
        let is_new = |&&place: &&WrittenPlace| match place {
            WrittenPlace::Field(object, word) => {
                let class = vm.heap.class_of(object);
                (!vm.is_younger(mark, object) || met.contains(&object))
                    && can_be_open(vm, class)
                    && !self.is_written(class, word)
            }
            _ => false,
        };
        written.iter().filter(is_new).copied().collect()
    }

    /// Adds the integers in open fields of the objects to which registers refer that are not open.
    pub(super) fn add_fields(&self, vm: &Vm, references: &References, state: &mut CutState) {
        state.fields.clear();
        for &(register, kind, slot) in &state.registers {
            let slot = references.current(slot);
            if kind != Kind::Reference || slot == 0 || term_of(slot).is_some() {
                continue;
            }
            let object = Ref::from_slot(slot);
            let class = vm.heap.class_of(object);
            let open = self.classes.get(&class);
            for &word in open.into_iter().flat_map(|open| &open.written) {
                let place = WrittenPlace::Field(object, word);
                if let Some(kind) = vm.kind_of_place(place)
                    && integer_sort(kind).is_some()
                {
                    let field = InstanceField { class, word };
                    state
                        .fields
                        .push((register, field, kind, vm.value_at(place)));
                }
            }
        }
    }
}

/// Whether a class can be open: one of the program's, of whose objects all fields are known.
fn can_be_open(vm: &Vm, class: ClassId) -> bool {
    vm.is_app_class(class) && matches!(vm.class(class).shape, Shape::Instance)
}

/// Candidates of the invariant of a class, with the constants of its methods and of these.
fn guess(
    vm: &mut Vm,
    class: ClassId,
    methods: impl Iterator<Item = heapwright_jvm::MethodId>,
) -> Vec<Candidate> {
    let own = vm.class(class).methods.clone();
    let mut constants = BTreeSet::from([-1, 1]);
    for method in own.into_iter().chain(methods) {
        constants.extend(method_constants(vm, method));
    }
    let display = vm.class(class).display.iter();
    let fields = display.flat_map(|&class| &vm.class(class).fields);
    let fields = fields.filter(|field| !field.is_static());
    let fields: Vec<(u32, Kind)> = fields.map(|field| (field.word, field.kind)).collect();
    guesses::class_facts(class, &fields, &constants.into_iter().collect::<Vec<i64>>())
}

impl SymbolicMachine {
    /// Creates a reference to any object that a place refers to, or null. It was made when the
    /// objects before `end` existed.
    fn any_referent(&mut self, referent: Referent, bound: ClassId, end: u32) -> u64 {
        let name = Name::from("an object".to_owned());
        match referent {
            Referent::Nothing => 0,
            Referent::Anything => {
                let is_null = self.nullness(name);
                symbolic_slot(self.references.add_unknown(bound, is_null))
            }
            Referent::Class(class) => {
                let is_null = self.nullness(name.clone());
                let open = OpenReference {
                    bound: class,
                    name,
                    is_null,
                    excluded: Vec::new(),
                    older_than: Some(end),
                };
                symbolic_slot(self.references.add_open(open))
            }
        }
    }

    /// What a slot refers to.
    pub(super) fn referent(&self, vm: &Vm, slot: u64) -> Referent {
        let slot = self.references.current(slot);
        let Some(number) = term_of(slot) else {
            let class = match slot {
                0 => return Referent::Nothing,
                slot => vm.heap.class_of(Ref::from_slot(slot)),
            };
            return match can_be_open(vm, class) {
                true => Referent::Class(class),
                false => Referent::Anything,
            };
        };
        if let Some(open) = self.references.open(number)
            && open.older_than.is_some()
        {
            return Referent::Class(open.bound);
        }
        if !self.references.is_choice(number) {
            return Referent::Anything;
        }
        let alternatives = self.references.alternatives(number).iter();
        let referents = alternatives.map(|&(_, slot)| self.referent(vm, slot));
        referents.fold(Referent::Nothing, Referent::or)
    }
}

impl SymbolicSearch<'_> {
    /// Creates a reference to any object that exists now and that a place refers to, or null.
    pub(super) fn any_object(&mut self, vm: &Vm, referent: Referent) -> u64 {
        let bound = self.machine.references.object_class;
        let end = vm.heap.end();
        self.machine.any_referent(referent, bound, end)
    }

    /// Notes what the open values of a state where a run is cut refer to; returns whether that is new.
    pub(super) fn widen_referents(
        &mut self,
        vm: &mut Vm,
        induction: &mut Induction,
        cut: usize,
        now: &CutState,
    ) -> bool {
        let open = &induction.summaries[cut].open;
        let registers = now.registers.iter();
        let registers = registers.filter(|(register, ..)| open.contains(register));
        let registers = registers.map(|&(at, kind, slot)| (Atom::Register(at), kind, slot));
        let places = now.places.iter();
        let places = places.map(|&(place, kind, slot)| (Atom::Place(place), kind, slot));
        let values: Vec<(Atom, Kind, u64)> = registers.chain(places).collect();
        let mut is_new = false;
        for (atom, kind, slot) in values {
            if kind == Kind::Reference {
                let seen = self.machine.referent(vm, slot);
                is_new |= induction.widen(vm, cut, atom, seen);
            }
        }
        is_new
    }

    /// Terms of an object's fields.
    fn field_terms(&mut self, vm: &mut Vm, class: ClassId, object: Ref) -> FxHashMap<Atom, Term> {
        let mut terms = FxHashMap::default();
        for field in self.inputs.layout(vm, class).iter() {
            let slot = vm.heap.field(object, field.word);
            let term = match field.holds {
                Holds::Value(kind) if integer_sort(kind).is_some() => {
                    Some(self.machine.term(slot, kind))
                }
                Holds::Value(_) => None,
                _ => self.machine.compared_element(Kind::Reference, slot),
            };
            let word = field.word;
            terms.extend(term.map(|term| (Atom::Field(InstanceField { class, word }), term)));
        }
        terms
    }

    /// Checks where a run is cut what is known of the objects of open classes; returns whether their
    /// fields refer to what is known. What differs is learnt.
    pub(super) fn check_objects(
        &mut self,
        vm: &mut Vm,
        induction: &mut Induction,
    ) -> Result<bool, SymbolicError> {
        let known = induction.known_objects(vm);
        let mut is_covered = true;
        for &(class, object) in &known {
            for field in self.inputs.layout(vm, class).iter() {
                if matches!(field.holds, Holds::Value(_)) {
                    continue;
                }
                let slot = vm.heap.field(object, field.word);
                let seen = self.machine.referent(vm, slot);
                let open = induction.open_class(vm, class);
                let before = open.referent(field.word);
                let all = before.or(seen);
                if all != before {
                    open.referents.insert(field.word, all);
                    induction.open_referent(vm, all);
                    is_covered = false;
                }
            }
        }
        if !is_covered {
            induction.learn();
            return Ok(false);
        }
        for (class, object) in known {
            let facts = match induction.classes.get_mut(&class) {
                Some(open) if !open.facts.is_empty() => std::mem::take(&mut open.facts),
                _ => continue,
            };
            let terms = self.field_terms(vm, class, object);
            let refuted = self.refuted(&facts, &terms)?;
            induction.is_changed |= !refuted.is_empty();
            if let Some(open) = induction.classes.get_mut(&class) {
                open.facts = facts;
                open.facts.retain(|fact| !refuted.contains(fact));
            }
        }
        Ok(true)
    }

    /// Opens the written fields of all objects of open classes, and assumes the class invariants.
    /// `None` if a field cannot be written.
    pub(super) fn open_objects(&mut self, vm: &mut Vm, induction: &Induction) -> Option<()> {
        let known = induction.known_objects(vm);
        let end = vm.heap.end();
        for &(class, object) in &known {
            let open = induction.classes.get(&class)?;
            for field in self.inputs.layout(vm, class).iter() {
                if open.written.contains(&field.word) {
                    let slot = self.any_value(field.holds, open.referent(field.word), end);
                    let place = WrittenPlace::Field(object, field.word);
                    vm.set_value_at(place, slot).ok()?;
                }
            }
        }
        for (class, object) in known {
            self.assume_invariant(vm, induction, class, object);
        }
        Some(())
    }

    /// Creates any value of a field.
    fn any_value(&mut self, holds: Holds, referent: Referent, end: u32) -> u64 {
        match holds {
            Holds::Value(kind) => {
                let name = Name::from("a field".to_owned());
                self.machine.variable(name, kind)
            }
            Holds::Reference(bound) => self.machine.any_referent(referent, bound, end),
            Holds::Null => 0,
        }
    }

    fn assume_invariant(
        &mut self,
        vm: &mut Vm,
        induction: &Induction,
        class: ClassId,
        object: Ref,
    ) {
        let facts = induction.classes.get(&class).map(OpenClass::facts);
        if let Some(facts @ [_, ..]) = facts {
            let terms = self.field_terms(vm, class, object);
            self.assume_all(facts, &terms);
        }
    }

    /// Possible targets of a reference to an object that existed at a cut.
    pub(in crate::symbolic) fn existing_targets(
        &mut self,
        vm: &mut Vm,
        open: &OpenReference,
        end: u32,
    ) -> Result<Vec<ReferenceTarget>, SymbolicError> {
        let (null, other) = self.sides(open.is_null)?;
        let mut targets = Vec::new();
        if null != Satisfiability::Unsat {
            targets.push(ReferenceTarget::Null);
        }
        if other == Satisfiability::Unsat {
            return Ok(targets);
        }
        let induction = self.induction.as_ref();
        let known = induction.map(|induction| induction.known_objects(vm));
        let met = &self.met;
        let is_target = |&(class, object): &(ClassId, Ref)| {
            class == open.bound && (object.0 < end || met.contains(&object))
        };
        let known = known.into_iter().flatten().filter(is_target);
        targets.extend(known.map(|(_, object)| ReferenceTarget::Known(object)));
        // All constants of an enum are known.
        if vm.class(open.bound).flags & flags::ENUM == 0 {
            targets.push(ReferenceTarget::Unmet(open.bound));
        }
        Ok(targets)
    }

    /// Makes an object that the path has not met yet; ends the path if there is no memory for it.
    pub(in crate::symbolic) fn meet(
        &mut self,
        vm: &mut Vm,
        class: ClassId,
    ) -> Result<Ref, WalkEnd> {
        let made = inputs::new_object(vm, class);
        let object = made.map_err(|exit| match exit {
            Exit::Limit(limit) => WalkEnd::Leaf(PathOutcome::Limit(limit)),
            exit => WalkEnd::Leaf(PathOutcome::Refused(vm.exit_text(&exit))),
        })?;
        let Some(induction) = self.induction.take() else {
            return Err(WalkEnd::Dead);
        };
        for field in self.inputs.layout(vm, class).iter() {
            let open = induction.classes.get(&class);
            let referent = open.map(|open| open.referent(field.word));
            let slot = self.any_value(field.holds, referent.unwrap_or_default(), object.0);
            vm.heap.set_field(object, field.word, slot);
        }
        self.assume_invariant(vm, &induction, class, object);
        self.induction = Some(induction);
        self.met.push(object);
        Ok(object)
    }
}
