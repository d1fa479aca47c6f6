//! Observers: methods without effects whose results tests assert.
//!
//! Invariant: an observer ran on the engine with the same arguments and changed nothing.

use std::cell::Cell;
use std::sync::Arc;

use heapwright_jvm::class::{Shape, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{Choosing, ClassId, Exit, MethodId, Ref, Vm};
use heapwright_suite::{
    Input as Argument, Literal, MethodSig, Observation, Step, Value as Written,
};
use rustc_hash::FxHashSet;

use super::candidates::Subject;
use super::questions::{Answer, Inquiry, Question};
use super::used_values::UsedValues;
use super::writer::ScriptWriter;
use crate::functional::is_stub;
use crate::observe::method_sig;
use crate::read::value;
use crate::sequences::model::Concrete;
use crate::signatures::{Signature, Type};
use crate::statements::{Statement, is_value_class};
use crate::target::{INVARIANT_NAMES, methods};

/// Maximum number of instructions of an observer: each test asks many, on many mutants.
const OBSERVER_STEPS: u64 = 200_000;
/// Least number of instructions that an observer may execute on a mutant.
const LEAST_STEPS: u64 = 10_000;
/// Maximum number of parameters of an observer.
const MAX_PARAMETERS: usize = 3;
/// Maximum number of observations of one object.
const MAX_OBSERVATIONS: usize = 24;
/// Maximum number of observations of an object that an observer returns, or that a stub is given.
const MAX_BEHIND: usize = 6;
/// Maximum number of accessors of such an object that are called, those behind other ones included.
const MAX_ASKED_BEHIND: usize = 80;
/// Maximum number of accessors in a row that are called on such an object.
const MAX_CHAIN: usize = 2;

/// An object whose observers are asked.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObservedObject {
    pub object: Ref,
    /// The statement that created it.
    pub place: usize,
    /// Declared type of its variable.
    pub class: ClassId,
}

/// Reason for which the answer of an observer does not count.
enum NoAnswer {
    /// The call changes something.
    HasEffects,
    /// It depends on identity hash codes.
    UsesHashes,
}

/// Limit of the instructions of observers. On a mutant on which one does not end, the others mostly
/// do not either; together they would take most of the time.
pub(super) struct ObserverPace {
    limit: Cell<u64>,
    /// The limit once an observer has reached it.
    once_endless: Cell<u64>,
    /// The most instructions that an observer executed.
    longest: Cell<u64>,
}

impl Default for ObserverPace {
    fn default() -> Self {
        ObserverPace {
            limit: Cell::new(OBSERVER_STEPS),
            once_endless: Cell::new(OBSERVER_STEPS),
            longest: Cell::new(0),
        }
    }
}

impl ObserverPace {
    /// Begins a run on a mutant: once an observer has reached the limit, others may execute so many
    /// instructions, within bounds.
    pub(super) fn begin_mutant(&self, steps: u64) {
        self.limit.set(OBSERVER_STEPS);
        self.once_endless
            .set(steps.clamp(LEAST_STEPS, OBSERVER_STEPS));
    }

    /// Ends the runs on mutants.
    pub(super) fn end_mutants(&self) {
        self.limit.set(OBSERVER_STEPS);
        self.once_endless.set(OBSERVER_STEPS);
    }

    /// The most instructions that an observer executed since the last call.
    pub(super) fn take_longest(&self) -> u64 {
        self.longest.take()
    }

    /// The limit of the next observer.
    pub(super) fn limit(&self) -> u64 {
        self.limit.get()
    }

    /// Notes the instructions of an observer that had a limit.
    pub(super) fn note(&self, steps: u64, limit: u64) {
        self.longest.set(self.longest.get().max(steps));
        if steps >= limit {
            self.limit.set(self.once_endless.get());
        }
    }
}

impl ScriptWriter<'_> {
    /// Makes a call and undoes it; returns the outcome and whether the call had effects.
    pub(super) fn asked(
        &mut self,
        vm: &mut Vm,
        method: MethodId,
        slots: &[u64],
    ) -> Option<(Exit, bool)> {
        let mark = vm.mark();
        let visits = vm.visits().len();
        vm.limit_steps(self.step_limit.min(self.pace.limit()));
        let exit = match vm.call(method, slots) {
            Ok(()) => vm.run(&mut Choosing),
            Err(exit) => exit,
        };
        let has_effects = vm.has_effects_since(mark);
        self.note_visits(vm, visits);
        if !matches!(exit, Exit::Done(_)) {
            vm.abandon();
        }
        vm.undo_to(mark);
        vm.forget(mark);
        vm.limit_steps(u64::MAX);
        Some((exit, has_effects))
    }

    /// Notes the probes visited since there were `visits` of them.
    pub(super) fn note_visits(&mut self, vm: &Vm, visits: usize) {
        if let Some(visited) = &mut self.visited {
            let visits = vm.visits().iter().skip(visits);
            visited.extend(visits.map(|visit| visit.point));
        }
    }

    /// Makes a call, and looks at its result unless the call throws, uses identity hash codes or,
    /// where it must not, has effects. Undoes all of it.
    pub(super) fn looked<T>(
        &mut self,
        vm: &mut Vm,
        call: (MethodId, &[u64], bool),
        look: impl FnOnce(&mut Self, &mut Vm, u64) -> Option<T>,
    ) -> Option<T> {
        self.tried(vm, call, look).unwrap_or_default()
    }

    /// Does the same as [`ScriptWriter::looked`], and tells why an answer does not count.
    fn tried<T>(
        &mut self,
        vm: &mut Vm,
        (method, slots, may_have_effects): (MethodId, &[u64], bool),
        look: impl FnOnce(&mut Self, &mut Vm, u64) -> Option<T>,
    ) -> Result<Option<T>, NoAnswer> {
        let mark = vm.mark();
        let hashes = vm.identity_hashes();
        let visits = vm.visits().len();
        let slot = self.run_to_end(vm, method, slots);
        let has_effects = !may_have_effects && vm.has_effects_since(mark);
        // What a collection creates at its first use, such as a view, shows nowhere.
        let receiver = slots.first().filter(|_| !vm.method(method).is_static());
        let after = match (has_effects && vm.only_fills_since(mark), receiver) {
            (true, Some(&receiver)) => self.digests.of_object(vm, Ref::from_slot(receiver)),
            _ => None,
        };
        let mut is_quiet = !has_effects || after.is_some();
        let uses_hashes = vm.identity_hashes() != hashes;
        let seen = slot
            .filter(|_| is_quiet && !uses_hashes)
            .and_then(|slot| look(self, vm, slot));
        self.note_visits(vm, visits);
        vm.undo_to(mark);
        vm.forget(mark);
        if let (Some(after), Some(&receiver)) = (after, receiver) {
            is_quiet = self.digests.of_object(vm, Ref::from_slot(receiver)) == Some(after);
        }
        match (is_quiet, uses_hashes) {
            (false, _) => Err(NoAnswer::HasEffects),
            (true, true) => Err(NoAnswer::UsesHashes),
            (true, false) => Ok(seen),
        }
    }

    /// Returns observations of the receiver of the last call.
    pub(super) fn of_receiver(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        objects: &[Option<Ref>],
        (receiver, last): (usize, &Statement),
        used: &UsedValues,
    ) -> Vec<Observation> {
        let own = self.plan.roles[last.invokable].under_test;
        match self.observed(vm, concrete, objects, receiver) {
            Some(observed) if vm.is_subclass(vm.heap.class_of(observed.object), self.class) => {
                let except: Vec<MethodId> = { own.iter().chain(&self.constant) }.copied().collect();
                self.observe(vm, objects, observed, &except, used)
            }
            _ => Vec::new(),
        }
    }

    /// Returns observations of an argument of the last call.
    pub(super) fn of_argument(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        objects: &[Option<Ref>],
        (place, last): (usize, &Statement),
        used: &UsedValues,
    ) -> Vec<Observation> {
        let Some(observed) = self.observed(vm, concrete, objects, place) else {
            return Vec::new();
        };
        let class = vm.heap.class_of(observed.object);
        // What a stub does is no effect of the call.
        if is_stub(vm, class) {
            return Vec::new();
        }
        if vm.is_app_class(class) {
            let own = self.plan.roles[last.invokable].under_test;
            return self.observe(vm, objects, observed, own.as_slice(), used);
        }
        let content = vm.with_mark(|vm| self.value_of(vm, observed.object));
        match content {
            Some(value @ (Literal::Array { .. } | Literal::Contents { .. })) => {
                vec![Observation::Object {
                    object: place,
                    value,
                }]
            }
            _ => self
                .of_library(vm, objects, observed)
                .into_iter()
                .map(|(_, seen)| seen)
                .collect(),
        }
    }

    /// Returns observations of the object that the last call returned, which a test cannot write as
    /// a value.
    pub(super) fn of_result(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        concrete: &Concrete,
        used: &UsedValues,
    ) -> Vec<(Subject, Observation)> {
        let place = concrete.statements.len() - 1;
        let Some(observed) = self.observed(vm, concrete, objects, place) else {
            return Vec::new();
        };
        let class = vm.heap.class_of(observed.object);
        let mut seen = Vec::new();
        if vm.is_app_class(observed.class) && !is_stub(vm, class) {
            let own = self.observe(vm, objects, observed, &[], used);
            seen.extend(own.into_iter().map(|seen| (Subject::Result, seen)));
        }
        if seen.is_empty() {
            seen.extend(self.of_library(vm, objects, observed));
        }
        seen
    }

    /// Returns the object of a statement with the type of its variable, if tests can name that.
    fn observed(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        objects: &[Option<Ref>],
        place: usize,
    ) -> Option<ObservedObject> {
        let object = objects.get(place).copied().flatten();
        let object = object.filter(|object| !object.is_null())?;
        let class = self.declared(vm, concrete, place, Some(vm.heap.class_of(object)))?;
        let sig = self.reader.class_sig(vm, class);
        sig.source_name.is_some().then_some(ObservedObject {
            object,
            place,
            class,
        })
    }

    /// Returns the results of the observers of an object, except some methods: first of those without
    /// parameters, then of the others. `toString` is asked if there is no other.
    fn observe(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        observed: ObservedObject,
        except: &[MethodId],
        used: &UsedValues,
    ) -> Vec<Observation> {
        let mut seen = Vec::new();
        let mut text = Vec::new();
        let place = observed.place;
        let asked: Vec<(MethodId, Option<Vec<usize>>)> = match &self.inquiry {
            Some(inquiry) => {
                let asked = inquiry.of_object(place).into_iter();
                asked
                    .map(|(method, numbers)| (method, Some(numbers)))
                    .collect()
            }
            None => {
                let all = methods(vm, observed.class).into_iter();
                all.map(|method| (method, None)).collect()
            }
        };
        for (method, numbers) in asked {
            if self.inquiry.as_ref().is_some_and(Inquiry::is_over) {
                break;
            }
            let class = vm.heap.class_of(observed.object);
            let Some(selected) = vm.select(class, method) else {
                continue;
            };
            if except.contains(&method) || except.contains(&selected) {
                continue;
            }
            let Some(parameters) = self.observer(vm, observed.class, (method, selected)) else {
                continue;
            };
            let is_quiet = self.is_quiet(vm, observed.class, (method, selected));
            let name = vm.text(vm.method(method).name).to_owned();
            let mut of_method = Vec::new();
            let lists = used.lists(vm, method, &parameters);
            for (number, (inputs, slots)) in lists.into_iter().enumerate() {
                if numbers
                    .as_ref()
                    .is_some_and(|asked| !asked.contains(&number))
                {
                    continue;
                }
                let question = Question {
                    place,
                    method,
                    number,
                };
                let slots: Vec<u64> = std::iter::once(observed.object.slot())
                    .chain(slots)
                    .collect();
                let step = self.step(vm, observed.class, method, Some(place), inputs);
                let (mut visits, mut behind) = (Vec::new(), FxHashSet::default());
                let before = vm.visits().len();
                // What has effects on a mutant may still answer the same.
                let is_mutant = self.inquiry.is_some();
                let found = self.tried(vm, (selected, &slots, is_mutant), |writer, vm, slot| {
                    if writer.answers.is_none() {
                        return Some(writer.seen(vm, objects, method, slot));
                    }
                    visits = vm.visits()[before..].to_vec();
                    let outer = writer.visited.replace(FxHashSet::default());
                    let seen = writer.seen(vm, objects, method, slot);
                    behind = std::mem::replace(&mut writer.visited, outer).unwrap_or_default();
                    if let Some(visited) = &mut writer.visited {
                        visited.extend(&behind);
                    }
                    Some(seen)
                });
                let mut found = match found {
                    Ok(found) => found.unwrap_or_default(),
                    Err(NoAnswer::UsesHashes) => continue,
                    Err(NoAnswer::HasEffects) => {
                        // What changes the object with some arguments does not observe it.
                        of_method.clear();
                        break;
                    }
                };
                // Of methods that may have effects elsewhere, values alone tell of the state.
                found.retain(|(then, _)| is_quiet || then.is_empty());
                let found = found.into_iter().map(|(then, value)| Observation::Call {
                    call: step.clone(),
                    then,
                    value,
                });
                let found: Vec<Observation> = found.collect();
                if let Some(answers) = &mut self.answers {
                    answers.extend(found.iter().map(|observation| Answer {
                        question,
                        observation: observation.clone(),
                        visits: visits.clone(),
                        behind: behind.clone(),
                    }));
                }
                if let Some(inquiry) = &mut self.inquiry {
                    inquiry.note(question, &found);
                }
                of_method.extend(found);
            }
            match name.as_str() {
                "toString" => text = of_method,
                _ => {
                    let is_deprecated = is_deprecated(vm, method);
                    let asks = (!is_quiet, !parameters.is_empty(), is_deprecated);
                    let ranked = of_method.into_iter();
                    seen.extend(ranked.map(|seen| (weakness(&seen, asks), seen)));
                }
            }
        }
        seen.sort_by_key(|(weakness, _)| *weakness);
        // Deprecated observers are asked where there are no others.
        let first = seen.first().map(|(weakness, _)| weakness.0);
        seen.retain(|(weakness, _)| Some(weakness.0) == first);
        let mut all: Vec<Observation> = seen.into_iter().map(|(_, seen)| seen).collect();
        // What differs on a mutant may change the order.
        if self.inquiry.is_none() {
            all.truncate(MAX_OBSERVATIONS);
        }
        match all.is_empty() {
            true => text,
            false => all,
        }
    }

    /// Returns the parameters of an observer, each with its declared type; `None` if a method is no
    /// observer.
    fn observer(
        &mut self,
        vm: &mut Vm,
        class: ClassId,
        (method, selected): (MethodId, MethodId),
    ) -> Option<Vec<(String, Type)>> {
        let this = vm.method(method);
        let hidden = flags::STATIC | flags::SYNTHETIC | flags::BRIDGE;
        let name = vm.text(this.name).to_owned();
        let is_inherited = vm.is_app_class(class) && !vm.is_app_class(this.class);
        let is_excluded = matches!(name.as_str(), "hashCode" | "equals" | "clone" | "getClass");
        if this.flags & flags::PUBLIC == 0
            || this.flags & hidden != 0
            || is_inherited
            || is_excluded
            || is_stub(vm, vm.method(selected).class)
            || name.starts_with('<')
            || INVARIANT_NAMES.contains(&name.as_str())
        {
            return None;
        }
        let text = vm.text(this.descriptor).to_owned();
        let (parameters, result) = descriptor::split_method(&text)?;
        if result == "V" || parameters.len() > MAX_PARAMETERS {
            return None;
        }
        // Whether a call has effects shows when it is made.
        let is_tried = vm.is_app_class(class);
        let is_asked = is_tried || self.is_quiet(vm, class, (method, selected));
        let signature = Signature::of(vm, method);
        // The types of a method with type parameters depend on its use.
        if !is_asked || !signature.own.is_empty() || signature.parameters.len() != parameters.len()
        {
            return None;
        }
        let sig = self.signature(vm, class, method);
        if !sig.is_accessible {
            return None;
        }
        let parameters = parameters.into_iter().map(str::to_owned);
        Some(parameters.zip(signature.parameters).collect())
    }

    /// Whether a method has no effects on any receiver, by analysis or by its name.
    fn is_quiet(&self, vm: &Vm, class: ClassId, (method, selected): (MethodId, MethodId)) -> bool {
        let this = vm.method(method);
        let name = vm.text(this.name);
        match self.analysed.contains(&selected) {
            true => self.quiet.contains(&selected) || is_query(name),
            false => this.argument_words == 1 && is_accessor(vm, class, name),
        }
    }

    /// Returns what a test asserts of the result of an observer: its value, or results of further
    /// calls on it.
    fn seen(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        method: MethodId,
        slot: u64,
    ) -> Vec<(Vec<Step>, Literal)> {
        let kind = vm.method(method).result;
        if kind != Kind::Reference {
            let literal = Literal::Value(value(kind, slot, |_| Written::Null));
            return vec![(Vec::new(), literal)];
        }
        let object = Ref::from_slot(slot);
        if let Some(value) = self.literal_of(vm, objects, object) {
            return vec![(Vec::new(), value)];
        }
        let text = vm.text(vm.method(method).descriptor).to_owned();
        let result = descriptor::split_method(&text).map_or("", |(_, result)| result);
        let Ok(mut class) = vm.load_class(descriptor::class_name(result)) else {
            return Vec::new();
        };
        // A result of a type variable shows what its own class has.
        let own = vm.heap.class_of(object);
        if vm.class_name(class) == "java/lang/Object" && vm.is_app_class(own) {
            class = own;
        }
        let sig = self.reader.class_sig(vm, class);
        if sig.source_name.is_none() || vm.class(class).shape != Shape::Instance {
            return Vec::new();
        }
        if vm.is_app_class(class) && !is_stub(vm, vm.heap.class_of(object)) {
            return self.behind(vm, objects, (class, object), &[]);
        }
        let observed = ObservedObject {
            object,
            place: 0,
            class,
        };
        let told = self.calls_of_library(vm, objects, observed, true);
        let told = told.into_iter().map(|(steps, value, _)| (steps, value));
        told.collect()
    }

    /// Returns results of accessors of an object that an observer returned, after some calls on its
    /// result, or that a stub was given, the most telling first.
    pub(super) fn behind(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        of: (ClassId, Ref),
        before: &[Step],
    ) -> Vec<(Vec<Step>, Literal)> {
        let mut left = MAX_ASKED_BEHIND;
        let mut seen = self.behind_steps(vm, objects, of, (before, &mut left));
        seen.sort_by_key(|(then, value)| (!is_telling(value), then.len()));
        // On a mutant each of the original code's is needed.
        if self.inquiry.is_none() && self.limits_behind {
            seen.truncate(MAX_BEHIND);
        }
        seen
    }

    /// Returns results of accessors of the object that some calls returned, with all these calls.
    fn behind_steps(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        (class, object): (ClassId, Ref),
        (before, left): (&[Step], &mut usize),
    ) -> Vec<(Vec<Step>, Literal)> {
        let mut seen = Vec::new();
        for method in methods(vm, class) {
            let Some(selected) = vm.select(vm.heap.class_of(object), method) else {
                continue;
            };
            let parameters = self.observer(vm, class, (method, selected));
            let is_text = vm.text(vm.method(method).name) == "toString";
            let takes_nothing = parameters.is_some_and(|parameters| parameters.is_empty());
            if is_text || !takes_nothing || is_deprecated(vm, method) {
                continue;
            }
            let mut then = before.to_vec();
            then.push(self.step(vm, class, method, None, Vec::new()));
            let is_asked = |inquiry: &Inquiry| inquiry.asks(&then);
            if *left == 0 || !self.inquiry.as_ref().is_none_or(is_asked) {
                continue;
            }
            *left -= 1;
            let slots = [object.slot()];
            let kind = vm.method(method).result;
            let found = self.looked(vm, (selected, &slots, false), |writer, vm, slot| {
                if kind != Kind::Reference {
                    let value = Literal::Value(value(kind, slot, |_| Written::Null));
                    return Some(vec![(then.clone(), value)]);
                }
                let result = Ref::from_slot(slot);
                if let Some(value) = writer.literal_of(vm, objects, result) {
                    return Some(vec![(then.clone(), value)]);
                }
                let own = vm.heap.class_of(result);
                let sig = writer.reader.class_sig(vm, own);
                let is_shown = then.len() < MAX_CHAIN
                    && vm.is_app_class(own)
                    && !is_stub(vm, own)
                    && result != object
                    && sig.source_name.is_some()
                    && vm.class(own).shape == Shape::Instance;
                let declared = writer.declared_result(vm, method);
                let class = declared.filter(|_| is_shown)?;
                let next = (&then[..], &mut *left);
                Some(writer.behind_steps(vm, objects, (class, result), next))
            });
            seen.extend(found.unwrap_or_default());
        }
        seen
    }

    /// Returns the class of the program that a method returns by its descriptor.
    fn declared_result(&mut self, vm: &mut Vm, method: MethodId) -> Option<ClassId> {
        let text = vm.text(vm.method(method).descriptor).to_owned();
        let (_, result) = descriptor::split_method(&text)?;
        let class = vm.load_class(descriptor::class_name(result)).ok()?;
        let sig = self.reader.class_sig(vm, class);
        (vm.is_app_class(class) && sig.source_name.is_some()).then_some(class)
    }

    /// Returns an object as a value, or as that of a statement unless it is a string or a box.
    pub(super) fn literal_of(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        object: Ref,
    ) -> Option<Literal> {
        let is_named = !object.is_null() && !is_value_class(vm, vm.heap.class_of(object));
        let same = |other: &Option<Ref>| *other == Some(object) && is_named;
        match objects.iter().position(same) {
            Some(place) => self
                .library_value(vm, object)
                .or(Some(Literal::Value(Written::Ref(place)))),
            None => vm.with_mark(|vm| self.value_of(vm, object)),
        }
    }

    /// Returns an object of the library as a value, unless it is a collection or an array: whether
    /// two of these are the same matters.
    pub(super) fn library_value(&mut self, vm: &mut Vm, object: Ref) -> Option<Literal> {
        if vm.is_app_class(vm.heap.class_of(object)) {
            return None;
        }
        let value = vm.with_mark(|vm| self.value_of(vm, object))?;
        let has_elements = matches!(value, Literal::Array { .. } | Literal::Contents { .. });
        (!has_elements).then_some(value)
    }

    /// Returns the call of an observer.
    pub(super) fn step(
        &mut self,
        vm: &mut Vm,
        class: ClassId,
        method: MethodId,
        receiver: Option<usize>,
        arguments: Vec<Argument>,
    ) -> Step {
        Step {
            method: self.signature(vm, class, method),
            class: self.reader.class_sig(vm, class),
            receiver,
            arguments,
            made: None,
            spelling: None,
            is_variadic: false,
            body: None,
        }
    }

    pub(super) fn signature(
        &mut self,
        vm: &Vm,
        class: ClassId,
        method: MethodId,
    ) -> Arc<MethodSig> {
        let known = self.signatures.entry((class, method));
        Arc::clone(known.or_insert_with(|| Arc::new(method_sig(vm, class, method))))
    }
}

/// Weakness of an observation: a direct result without arguments is the strongest, what may change
/// the object with other arguments is weak, and a result with many possible values is stronger than
/// a truth value or null. Of indirect ones the telling are stronger. What the compiler warns of is the
/// weakest.
fn weakness(
    observation: &Observation,
    (may_change, has_parameters, is_deprecated): (bool, bool, bool),
) -> (bool, bool, bool, bool, bool) {
    let is_indirect = matches!(observation, Observation::Call { then, .. } if !then.is_empty());
    let is_plain = match observation.value() {
        Some(value) if is_indirect => !is_telling(value),
        Some(Literal::Value(Written::Boolean(_) | Written::Null)) => true,
        _ => false,
    };
    (
        is_deprecated,
        is_indirect,
        may_change && has_parameters,
        has_parameters,
        is_plain,
    )
}

/// Whether the compiler warns of calls of a method.
fn is_deprecated(vm: &Vm, method: MethodId) -> bool {
    let this = vm.method(method);
    let file = vm.class(this.class).file.as_ref();
    file.is_some_and(|file| this.is_deprecated(file))
}

/// Whether a value is none that objects have where nothing was set: null, false, a number that is zero
/// or -1, an empty text or collection.
pub(super) fn is_telling(value: &Literal) -> bool {
    match value {
        Literal::Value(value) | Literal::Boxed(value) => match value {
            Written::Int(-1) | Written::Long(-1) => false,
            value => !value.is_default(),
        },
        Literal::String(text) => !text.is_empty(),
        Literal::Array { elements, .. } | Literal::Contents { elements, .. } => {
            !elements.is_empty()
        }
        _ => true,
    }
}

/// Whether a method only asks, by its name. The analysis takes effects for granted where library
/// code calls back.
pub(super) fn is_query(name: &str) -> bool {
    const PREFIXES: [&str; 14] = [
        "get", "is", "has", "contains", "find", "index", "last", "first", "count", "size", "peek",
        "exists", "lookup", "as",
    ];
    PREFIXES.iter().any(|prefix| {
        let rest = name.strip_prefix(prefix);
        rest.is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_lowercase()))
    })
}

/// Whether a method without parameters that no analysis knows is an accessor by its name.
fn is_accessor(vm: &Vm, class: ClassId, name: &str) -> bool {
    const PREFIXES: [&str; 3] = ["get", "is", "has"];
    const NAMES: [&str; 6] = ["size", "length", "count", "toString", "name", "value"];
    let is_prefixed = PREFIXES.iter().any(|prefix| {
        let rest = name.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.starts_with(|letter: char| letter.is_uppercase()))
    });
    let display = &vm.class(class).display;
    let mut fields = display.iter().flat_map(|&class| &vm.class(class).fields);
    is_prefixed || NAMES.contains(&name) || fields.any(|field| vm.text(field.name) == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endless_observer_shortens_the_others_of_its_run() {
        let pace = ObserverPace::default();
        pace.note(700, pace.limit());
        assert_eq!((pace.limit(), pace.take_longest()), (OBSERVER_STEPS, 700));
        pace.begin_mutant(20 * 700);
        pace.note(900, pace.limit());
        assert_eq!(pace.limit(), OBSERVER_STEPS);
        pace.note(OBSERVER_STEPS, pace.limit());
        assert_eq!(pace.limit(), 14_000);
        // Each run begins anew, and others than those on mutants have the whole limit.
        pace.begin_mutant(1);
        assert_eq!(pace.limit(), OBSERVER_STEPS);
        pace.note(OBSERVER_STEPS, pace.limit());
        assert_eq!(pace.limit(), LEAST_STEPS);
        pace.end_mutants();
        pace.note(OBSERVER_STEPS, pace.limit());
        assert_eq!(pace.limit(), OBSERVER_STEPS);
    }
}
