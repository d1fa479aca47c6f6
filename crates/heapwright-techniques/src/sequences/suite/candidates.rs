//! Candidates of assertions: all that a test can observe after its last call, in order of strength,
//! and the choice among them.
//!
//! Invariant: the candidates do not depend on the choice. Each holds on the state at the end of the
//! test, and asking for it changes nothing, unless it consumes the result.

use heapwright_explore::symbolic::PathOutcome;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Ref, Vm};
use heapwright_suite::{
    CallOutcome, Input, Literal, Observation, Script, Step, StubCalls, Value as Written,
};
use rustc_hash::FxHashSet;

use super::minimal::SequenceTest;
use super::mutants::TestKills;
use super::observers::is_telling;
use super::replay::ReplayedRun;
use super::writer::ScriptWriter;
use crate::functional::is_stub;
use crate::observe::text_of;
use crate::sequences::model::Concrete;
use crate::statements::{Statement, StatementArgument};
use crate::symbolic::{Contents, InputValue};

/// Maximum number of observations of the receiver that a test asserts.
const MAX_OF_RECEIVER: usize = 4;
/// Maximum number of those that tell what a call left as it was.
const MAX_UNCHANGED: usize = 2;
/// Maximum numbers of both in a test of a large state.
const MAX_OF_RICH: usize = 8;
/// Maximum number of observations of the result, and of arguments, that a test asserts.
const MAX_OF_OTHERS: usize = 3;
/// Maximum number of indirect observations of the result that a test asserts, what accessors tell of
/// the objects that it holds.
const MAX_INDIRECT: usize = 3;
/// Maximum number of calls of collaborators that a test shows whether or not mutants ask for it, and of
/// what their arguments were like at the time.
const MAX_OF_CALLS: usize = 3;
const MAX_OF_STATES: usize = 2;
/// Maximum number of such calls in a test of a usual case.
const MAX_OF_USUAL: usize = 8;
/// Most objects of earlier statements that are looked at beside the arguments of a call.
const MAX_FURTHER: usize = 2;

/// What an observation is about, in the order of assertions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::sequences) enum Subject {
    /// The exception that the call under test threw.
    Exception,
    /// The object that it returned.
    Result,
    /// What it told its collaborators.
    Calls,
    /// What else it asked its collaborators.
    Questions,
    /// An object among its arguments.
    Argument,
    /// Its receiver, or the object that it created.
    Receiver,
    /// A field of the receiver.
    Field,
    /// The object that it returned, of which the observation takes an element away.
    Consumed,
}

/// An assertion that a test may make.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::sequences) struct Candidate {
    /// What is asserted. Objects have the numbers of the sequence's statements; an array among the
    /// open values has the number of statements plus that of the value.
    pub observation: Observation,
    pub subject: Subject,
    /// Whether the call under test changed the observed value.
    pub is_changed: bool,
}

/// Returns the texts of what is asserted, by which runs in two languages are compared.
pub(super) fn texts_of(candidates: &[Candidate]) -> FxHashSet<String> {
    let candidates = candidates.iter();
    candidates
        .map(|candidate| text_of(&candidate.observation))
        .collect()
}

/// Chooses the candidates that a test asserts, in the order of the assertions: those that show
/// people what the call did, and those that it takes besides to notice the mutants.
pub(in crate::sequences) fn chosen(
    candidates: &[Candidate],
    kills: &TestKills,
    (test, outcome): (&SequenceTest, &CallOutcome),
) -> Vec<usize> {
    // What a call must leave as it is shows with mutants in mind.
    let most = match (test.is_rich || test.is_usual, kills.after.is_empty()) {
        (true, _) => (MAX_OF_RICH, MAX_OF_RICH),
        (_, true) => (MAX_OF_RECEIVER, 0),
        (_, false) => (MAX_OF_RECEIVER, MAX_UNCHANGED),
    };
    let told = match test.is_usual {
        true => MAX_OF_USUAL,
        false => MAX_OF_CALLS,
    };
    let mut chosen = shown(candidates, most, told);
    let given: Vec<&Observation> = candidates.iter().map(|one| &one.observation).collect();
    chosen.extend(kills.needed(&given, &chosen));
    // Where nothing else shows, that collaborators were told nothing is what a call did.
    if chosen.is_empty() && *outcome == CallOutcome::ReturnedVoid {
        let calls = candidates.iter().enumerate();
        let calls = calls.filter(|(_, candidate)| candidate.subject == Subject::Calls);
        chosen.extend(calls.take(MAX_OF_CALLS).map(|(place, _)| place));
    }
    // What consumes the result comes last.
    chosen.sort_by_key(|&place| candidates[place].subject);
    chosen
}

/// Whether an observation is the result of one call without arguments.
fn is_direct(candidate: &Candidate) -> bool {
    match &candidate.observation {
        Observation::Call { call, then, .. } => call.arguments.is_empty() && then.is_empty(),
        _ => true,
    }
}

/// Returns the candidates that show what the call did: parts of the exception, some of the result,
/// what the call changed of arguments and the receiver, and some of what it left as it was; one
/// observation of the receiver at least. Of the receiver these are at most `most`.
fn shown(
    candidates: &[Candidate],
    (most, most_unchanged): (usize, usize),
    most_told: usize,
) -> Vec<usize> {
    let of = |subject: Subject| {
        let all = candidates.iter().enumerate();
        all.filter(move |(_, candidate)| candidate.subject == subject)
    };
    let is_changed = |(_, candidate): &(usize, &Candidate)| candidate.is_changed;
    let mut shown: Vec<usize> = Vec::new();
    shown.extend(of(Subject::Exception).map(|(place, _)| place));
    let result = of(Subject::Result).filter(|one| !is_indirect(one.1));
    shown.extend(result.take(MAX_OF_OTHERS).map(|(place, _)| place));
    let indirect = of(Subject::Result).filter(|one| is_indirect(one.1) && tells(one.1));
    let indirect = in_turn(indirect, |one| match &one.observation {
        Observation::Call { call, .. } => Some(&call.method),
        _ => None,
    });
    shown.extend(indirect.into_iter().take(MAX_INDIRECT));
    let states = of(Subject::Calls).filter(|one| is_state(&one.1.observation));
    shown.extend(states.take(MAX_OF_STATES).map(|(place, _)| place));
    let told = of(Subject::Calls).filter(|one| is_told(&one.1.observation));
    let told = in_turn(told, |one| match &one.observation {
        Observation::Calls { stub, method, .. } => Some((stub, method)),
        _ => None,
    });
    shown.extend(told.into_iter().take(most_told));
    let arguments = of(Subject::Argument).filter(is_changed);
    shown.extend(arguments.take(MAX_OF_OTHERS).map(|(place, _)| place));
    let changed = of(Subject::Receiver).filter(is_changed);
    let mut of_receiver: Vec<usize> = changed.take(most).map(|(place, _)| place).collect();
    let room = most - of_receiver.len();
    // In a large state answers to questions tell something, too.
    let is_direct = |candidate: &Candidate| most > MAX_OF_RECEIVER || is_direct(candidate);
    let same = of(Subject::Receiver).filter(|one| !is_changed(one) && is_direct(one.1));
    of_receiver.extend(same.take(room.min(most_unchanged)).map(|(place, _)| place));
    if of_receiver.is_empty() {
        of_receiver.extend(of(Subject::Receiver).next().map(|(place, _)| place));
    }
    shown.extend(of_receiver);
    shown.extend(of(Subject::Field).map(|(place, _)| place));
    shown.extend(of(Subject::Consumed).next().map(|(place, _)| place));
    shown
}

/// Returns the places of candidates, the first one of each group in the order of the groups, then the
/// second ones, and so on.
fn in_turn<'c, K: PartialEq>(
    candidates: impl Iterator<Item = (usize, &'c Candidate)>,
    group: impl Fn(&'c Candidate) -> K,
) -> Vec<usize> {
    let mut groups: Vec<(K, usize)> = Vec::new();
    let mut turns: Vec<(usize, usize)> = Vec::new();
    for (place, candidate) in candidates {
        let key = group(candidate);
        let turn = match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                groups.push((key, 0));
                0
            }
        };
        turns.push((turn, place));
    }
    turns.sort_by_key(|(turn, _)| *turn);
    turns.into_iter().map(|(_, place)| place).collect()
}

/// Whether an observation is a result of calls on the result of an observer.
fn is_indirect(candidate: &Candidate) -> bool {
    matches!(&candidate.observation, Observation::Call { then, .. } if !then.is_empty())
}

/// Whether the value of an observation is one of many, and none that objects have where nothing was set.
fn tells(candidate: &Candidate) -> bool {
    let value = candidate.observation.value();
    let is_truth = matches!(value, Some(Literal::Value(Written::Boolean(_))));
    value.is_some_and(is_telling) && !is_truth
}

/// Whether an observation shows people what a call told a collaborator.
fn is_told(observation: &Observation) -> bool {
    match observation {
        Observation::Calls { asserted, .. } => {
            matches!(
                asserted,
                StubCalls::With { .. } | StubCalls::Argument { .. }
            )
        }
        _ => false,
    }
}

fn is_state(observation: &Observation) -> bool {
    matches!(
        observation,
        Observation::Calls {
            asserted: StubCalls::State { .. },
            ..
        }
    )
}

impl ScriptWriter<'_> {
    /// Returns the candidates of assertions at the end of a run, given what is asserted of its
    /// outcome. All count as changed.
    pub(super) fn candidates(
        &mut self,
        vm: &mut Vm,
        ran: &ReplayedRun<'_, '_>,
        concrete: &Concrete,
        outcome: &CallOutcome,
    ) -> Vec<Candidate> {
        let count = concrete.statements.len();
        let Some(last) = concrete.statements.last() else {
            return Vec::new();
        };
        let objects = self.objects(ran, concrete);
        let mut observed: Vec<(Subject, Observation)> = Vec::new();
        observed.extend(self.of_stubs(vm, ran, concrete, &objects));
        match (ran.outcome, outcome) {
            (PathOutcome::Threw(exception), _) => {
                let parts = self.parts_of_exception(vm, *exception);
                observed.extend(parts.into_iter().map(|part| (Subject::Exception, part)));
            }
            (_, CallOutcome::ReturnedObject { .. }) => {
                let seen = vm.with_mark(|vm| {
                    let used = self.used_values(vm, concrete, &objects);
                    self.of_result(vm, &objects, concrete, &used)
                });
                observed.extend(seen);
            }
            _ => {}
        }
        for (value, content) in self.changed_arrays(vm, ran, concrete, last) {
            let observation = Observation::Object {
                object: count + value,
                value: content,
            };
            observed.push((Subject::Argument, observation));
        }
        let receiver = self.observed_receiver(ran, &objects, last, count);
        observed.extend(self.of_objects(vm, concrete, &objects, (receiver, last)));
        if self.asserts_fields
            && let Some(receiver) = receiver
        {
            let fields = self.fields(vm, concrete, &objects, (receiver, &|_| true));
            observed.extend(fields.into_iter().map(|field| (Subject::Field, field)));
        }
        let candidates = observed
            .into_iter()
            .map(|(subject, observation)| Candidate {
                is_changed: true,
                observation,
                subject,
            });
        candidates.collect()
    }

    /// Returns the receiver of the last call, unless a constructor failed to create it.
    pub(super) fn observed_receiver(
        &self,
        ran: &ReplayedRun<'_, '_>,
        objects: &[Option<Ref>],
        last: &Statement,
        count: usize,
    ) -> Option<usize> {
        let is_constructor = self.plan.invokables[last.invokable].kind.is_constructor();
        let receiver = self.receiver(last, count - 1);
        let receiver = receiver.filter(|&receiver| objects[receiver].is_some());
        match (ran.outcome, is_constructor) {
            (PathOutcome::Threw(_), true) => None,
            _ => receiver,
        }
    }

    /// Returns the observations of the arguments of a call, of some of the objects that earlier statements
    /// made, which the call may change, too, and of its receiver, as far as they exist.
    pub(super) fn of_objects(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        objects: &[Option<Ref>],
        (receiver, last): (Option<usize>, &Statement),
    ) -> Vec<(Subject, Observation)> {
        vm.with_mark(|vm| {
            let used = self.used_values(vm, concrete, objects);
            let mut observed = Vec::new();
            let mut arguments: Vec<usize> = Vec::new();
            for argument in &last.arguments {
                if let StatementArgument::Result(place) = argument
                    && Some(*place) != receiver
                    && *place < objects.len()
                    && !arguments.contains(place)
                {
                    arguments.push(*place);
                }
            }
            // The result of the last call is looked at apart.
            let earlier = concrete.statements.len().saturating_sub(1);
            let earlier = &objects[..earlier.min(objects.len())];
            let further = further_objects(vm, earlier, receiver, &arguments);
            for place in arguments.into_iter().chain(further) {
                let fields = self.public_fields(vm, concrete, objects, place);
                let seen = self.of_argument(vm, concrete, objects, (place, last), &used);
                let seen = with_fields(fields, seen);
                observed.extend(seen.map(|seen| (Subject::Argument, seen)));
            }
            if let Some(receiver) = receiver.filter(|&receiver| receiver < objects.len()) {
                let seen = self.of_receiver(vm, concrete, objects, (receiver, last), &used);
                let fields = self.public_fields(vm, concrete, objects, receiver);
                let seen = with_fields(fields, seen);
                observed.extend(seen.map(|seen| (Subject::Receiver, seen)));
            }
            observed
        })
    }

    /// Returns the arrays among the open arguments of a call that it changed, by the numbers of the
    /// values, with their contents.
    fn changed_arrays(
        &mut self,
        vm: &mut Vm,
        ran: &ReplayedRun<'_, '_>,
        concrete: &Concrete,
        last: &Statement,
    ) -> Vec<(usize, Literal)> {
        let input = &concrete.input;
        let first = input.roots.len().saturating_sub(last.open());
        let mut changed = Vec::new();
        for value in first..input.roots.len() {
            let InputValue::Object(number) = input.roots[value].1 else {
                continue;
            };
            let Some(&slot) = ran.values.get(value) else {
                continue;
            };
            if !matches!(input.objects[number].contents, Contents::Elements(_)) {
                continue;
            }
            let given = self.literal(vm, input, &input.roots[value].1);
            let array = Ref::from_slot(slot);
            let now = vm.with_mark(|vm| self.value_of(vm, array));
            if let (Ok(Some(given)), Some(now)) = (given, now)
                && format!("{:?}", contents(&given)) != format!("{:?}", contents(&now))
            {
                changed.push((value, now));
            }
        }
        changed
    }

    /// Returns the result of the last call as a test asserts it.
    pub(super) fn result(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        kind: Kind,
        slot: u64,
    ) -> CallOutcome {
        match self.returned(vm, objects, kind, slot) {
            CallOutcome::ReturnedObject { class } => {
                let object = Ref::from_slot(slot);
                let value = vm.with_mark(|vm| self.value_of(vm, object));
                match value {
                    Some(value) => CallOutcome::Returned(value),
                    None => CallOutcome::ReturnedObject { class },
                }
            }
            outcome => outcome,
        }
    }
}

/// Observations of an object and of its public fields, which say more than its text.
fn with_fields(
    fields: Vec<Observation>,
    seen: Vec<Observation>,
) -> impl Iterator<Item = Observation> {
    let has_fields = !fields.is_empty();
    let is_text = |seen: &Observation| matches!(seen, Observation::Call { call, .. } if call.method.name == "toString");
    let seen = seen.into_iter();
    seen.filter(move |seen| !(has_fields && is_text(seen)))
        .chain(fields)
}

/// Statements that made the objects of the program beside the receiver and the arguments of a call, the
/// last ones first.
fn further_objects(
    vm: &Vm,
    objects: &[Option<Ref>],
    receiver: Option<usize>,
    arguments: &[usize],
) -> Vec<usize> {
    let mut known: Vec<Ref> = receiver
        .iter()
        .chain(arguments)
        .filter_map(|&place| objects.get(place).copied().flatten())
        .collect();
    let mut found = Vec::new();
    for (place, object) in objects.iter().enumerate().rev() {
        let Some(object) = object.filter(|object| !object.is_null()) else {
            continue;
        };
        let class = vm.heap.class_of(object);
        if known.contains(&object) || !vm.is_app_class(class) || is_stub(vm, class) {
            continue;
        }
        known.push(object);
        found.push(place);
        if found.len() == MAX_FURTHER {
            break;
        }
    }
    found
}

/// Whether the assertions of a test may use deprecated members of classes of the program, of which
/// the compiler warns.
pub(super) fn uses_deprecated(vm: &Vm, script: &Script) -> bool {
    let returned = match &script.outcome {
        CallOutcome::Returned(value) => Some(value),
        _ => None,
    };
    let values = script.after.iter().filter_map(Observation::value);
    let made = values.chain(returned).any(|value| is_deprecated(vm, value));
    let called = script.after.iter().any(|seen| match seen {
        Observation::Call { call, then, .. } => {
            let mut calls = std::iter::once(call).chain(then);
            calls.any(|call| has_deprecated(vm, call))
        }
        _ => false,
    });
    made || called
}

fn is_deprecated(vm: &Vm, value: &Literal) -> bool {
    match value {
        Literal::Array { elements, .. } | Literal::Contents { elements, .. } => {
            elements.iter().any(|element| is_deprecated(vm, element))
        }
        Literal::New(step) => {
            let mut arguments = step.arguments.iter().filter_map(Input::literal);
            has_deprecated(vm, step) || arguments.any(|argument| is_deprecated(vm, argument))
        }
        _ => false,
    }
}

/// Whether the class of a call is of the program and has deprecated members.
fn has_deprecated(vm: &Vm, call: &Step) -> bool {
    let class = vm.loaded_class(&call.class.name.replace('.', "/"));
    class
        .is_some_and(|class| vm.is_app_class(class) && vm.mentions(class, "Ljava/lang/Deprecated;"))
}

/// Returns the elements of an array's literal.
fn contents(literal: &Literal) -> &[Literal] {
    match literal {
        Literal::Array { elements, .. } => elements,
        _ => &[],
    }
}
