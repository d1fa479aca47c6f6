//! Converts a test to a script: a sequence is replayed and its outcome asserted.

use heapwright_explore::symbolic::PathOutcome;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Exit, MethodId, Ref, Vm};
use heapwright_suite::{CallOutcome, Label, Observation, Script};

use super::candidates::{Candidate, chosen, texts_of};
use super::minimal::SequenceTest;
use super::mutants::TestKills;
use super::oracles::Broken;
use super::questions::Inquiry;
use super::replay::{ReplayedRun, Replayer};
use super::statements::WrittenStatements;
use super::typing::add_types;
use super::writer::{ScriptWriter, StatementResults, shared};
use crate::Error;
use crate::findings::Finding;
use crate::misuse::with_causes;
use crate::observe::{Obstacle, at_other_time, in_other_language, is_same, text_of, twice};
use crate::sequences::goals::GoalTable;
use crate::sequences::model::Concrete;
use crate::statements::name_of;

/// Maximum time that a test may wait, in nanoseconds.
const MAX_WAIT: u64 = 2_000_000_000;
/// Exception of reflection on members of packages that their module does not open.
const INACCESSIBLE: &str = "java/lang/reflect/InaccessibleObjectException";

/// What is inspected at the end of a run, each with what comes before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Inspected {
    /// The outcome and the invariant.
    Outcome,
    /// What observers answer.
    Observers,
    /// The contracts of objects.
    Contracts,
}

/// Observations at the end of a run.
#[derive(Debug)]
pub(super) struct EndObservations {
    /// The outcome, with the result by value if a test can write that.
    pub(super) outcome: CallOutcome,
    /// The outcome without the contents of the result.
    plain: CallOutcome,
    pub(super) held: StatementResults,
    /// All that a test may assert besides the outcome.
    pub(super) candidates: Vec<Candidate>,
    /// The statement whose object the invariant was checked on, and the result.
    pub(super) invariant: Option<(usize, bool)>,
    /// The contracts that objects violate.
    pub(super) broken: Vec<Broken>,
}

/// Returns a test that asserts only that the invariant holds after the call under test.
fn reproducer(script: &Script) -> Script {
    let outcome = match &script.outcome {
        threw @ CallOutcome::Threw { .. } => threw.clone(),
        _ => CallOutcome::ReturnedVoid,
    };
    Script {
        outcome,
        after: Vec::new(),
        ..script.clone()
    }
}

/// Outcome of a test.
#[derive(Clone, Debug)]
pub(super) struct TestOutcome {
    pub outcome: CallOutcome,
    /// All that a test may assert besides, in order of strength: a candidate's assertion holds in a
    /// run if its observation is among these.
    pub after: Vec<Observation>,
    /// The goals that it reaches.
    pub reached: Vec<usize>,
}

/// Returns the open values that have variables: those used more than once, and arrays and lambdas that
/// assertions look at, which are numbered behind the statements.
fn declared_values(concrete: &Concrete, after: &[Observation]) -> Vec<usize> {
    let mut values = shared(concrete);
    let count = concrete.statements.len();
    values.extend(after.iter().filter_map(|seen| match seen {
        Observation::Object { object: place, .. } | Observation::Calls { stub: place, .. } => {
            place.checked_sub(count)
        }
        _ => None,
    }));
    values.sort_unstable();
    values.dedup();
    values
}

/// Number of tests of a method whose results are compared between runs before others are judged.
const RESULTS: u32 = 3;

impl ScriptWriter<'_> {
    /// Converts a test to a script that asserts what it takes to notice the same mutants, and to
    /// have observers reach the goals that they are asked to; of a large state all that can be
    /// observed. Returns the goals that observers reach, too. The inner error is the reason why no
    /// test can assert the outcome.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub fn script(
        &mut self,
        vm: &mut Vm,
        replayer: &mut Replayer<'_>,
        test: &SequenceTest,
        kills: &TestKills,
    ) -> Result<Result<(Script, Vec<usize>), Obstacle>, Error> {
        match self.observations(vm, replayer, &test.concrete)? {
            Ok(seen) => {
                let asserted = chosen(&seen.candidates, kills, (test, &seen.outcome));
                let given: Vec<&Observation> = seen
                    .candidates
                    .iter()
                    .map(|candidate| &candidate.observation)
                    .collect();
                let answered = kills.answered(&given, &asserted);
                let script = self.script_of(vm, &test.concrete, seen, &asserted)?;
                Ok(script.map(|script| (script, answered)))
            }
            Err(obstacle) => Ok(Err(obstacle)),
        }
    }

    /// Returns all that a test can observe at its end in any run. The inner error is the reason why
    /// no test can assert the outcome.
    ///
    /// # Errors
    /// The same as for [`ScriptWriter::script`].
    pub(super) fn observations(
        &mut self,
        vm: &mut Vm,
        replayer: &mut Replayer<'_>,
        concrete: &Concrete,
    ) -> Result<Result<EndObservations, Obstacle>, Error> {
        let seen = self.in_any_run(vm, replayer, concrete, Inspected::Contracts)?;
        let Ok(mut seen) = seen else {
            return Ok(seen);
        };
        let before = self.observed_before(vm, replayer, concrete)?;
        for candidate in &mut seen.candidates {
            candidate.is_changed = !before.contains(&candidate.observation);
        }
        Ok(Ok(seen))
    }

    /// Whether a test can assert the outcome of a sequence.
    ///
    /// # Errors
    /// The same as for [`ScriptWriter::script`].
    pub(super) fn is_assertable(
        &mut self,
        vm: &mut Vm,
        replayer: &mut Replayer<'_>,
        concrete: &Concrete,
    ) -> Result<bool, Error> {
        let seen = self.in_any_run(vm, replayer, concrete, Inspected::Outcome)?;
        Ok(seen.is_ok())
    }

    /// Returns what is the same at the end of a sequence in any run. The inner error is the reason
    /// why no test can assert the outcome.
    fn in_any_run(
        &mut self,
        vm: &mut Vm,
        replayer: &mut Replayer<'_>,
        concrete: &Concrete,
        inspected: Inspected,
    ) -> Result<Result<EndObservations, Obstacle>, Error> {
        let threads = vm.started_threads();
        let mut seen = self.in_two_runs(vm, replayer, concrete, inspected)?;
        // Parts of a result may be steady where the whole is not.
        if let Ok((one, other)) = &seen
            && !is_same(&one.outcome, &other.outcome)
            && let Some(method) = self.under_test(concrete)
            && self.unsteady.insert(method)
            && inspected > Inspected::Outcome
        {
            seen = self.in_two_runs(vm, replayer, concrete, inspected)?;
        }
        let (mut seen, mut other) = match seen {
            Ok(seen) => seen,
            Err(obstacle) => return Ok(Err(obstacle)),
        };
        // An observer's result may depend on identity hash codes even if the outcome does not, and
        // the contents of the outcome even if its class does not.
        let others = texts_of(&other.candidates);
        let is_steady = |told: &Candidate| others.contains(&text_of(&told.observation));
        seen.candidates.retain(is_steady);
        other.candidates.clone_from(&seen.candidates);
        if !is_same(&seen.outcome, &other.outcome) {
            seen.outcome.clone_from(&seen.plain);
            other.outcome.clone_from(&other.plain);
        }
        // The other run has another language from the start.
        other.held.settings.clone_from(&seen.held.settings);
        for (method, calls) in &mut seen.held.asked {
            if other.held.asked.get(method) != Some(calls) {
                calls.fill(None);
            }
        }
        other.held.asked.clone_from(&seen.held.asked);
        seen.broken.retain(|broken| other.broken.contains(broken));
        other.broken.clone_from(&seen.broken);
        if !is_same(&seen, &other) {
            if vm.started_threads() != threads {
                return Ok(Err(Obstacle::Schedule));
            }
            let mut differs = |vm: &mut Vm| {
                let elsewhere = replayer.run(vm, concrete, &mut |vm, ran| {
                    self.look(vm, ran, concrete, Inspected::Outcome)
                });
                Ok::<bool, Error>(match elsewhere? {
                    Some(Ok(elsewhere)) => !is_same(&seen.outcome, &elsewhere.outcome),
                    _ => true,
                })
            };
            if in_other_language(vm, &mut differs)? {
                return Ok(Err(Obstacle::Language));
            }
            return Ok(Err(match at_other_time(vm, &mut differs)? {
                true => Obstacle::Clock,
                false => Obstacle::IdentityHashes,
            }));
        }
        Ok(Ok(seen))
    }

    /// Inspects the ends of two unlike runs of a sequence.
    fn in_two_runs(
        &mut self,
        vm: &mut Vm,
        replayer: &mut Replayer<'_>,
        concrete: &Concrete,
        inspected: Inspected,
    ) -> Result<Result<(EndObservations, EndObservations), Obstacle>, Error> {
        let mut failure = None;
        let seen = twice(vm, |vm| {
            let seen = replayer.run(vm, concrete, &mut |vm, ran| {
                self.look(vm, ran, concrete, inspected)
            });
            match seen {
                Ok(Some(seen)) => seen,
                Ok(None) => Err(Obstacle::Unended("it does not end".to_owned())),
                Err(error) => {
                    failure = Some(error);
                    Err(Obstacle::Unended(String::new()))
                }
            }
        });
        match failure {
            Some(error) => Err(error),
            None => Ok(seen),
        }
    }

    /// Returns the method under test that the last statement of a sequence calls, if any.
    pub(super) fn under_test(&self, concrete: &Concrete) -> Option<MethodId> {
        self.plan.roles[concrete.statements.last()?.invokable].under_test
    }

    /// Finds out from the first tests of a method whether the contents of its results differ between runs.
    ///
    /// # Errors
    /// The same as for [`ScriptWriter::script`].
    pub(super) fn check_result(
        &mut self,
        vm: &mut Vm,
        replayer: &mut Replayer<'_>,
        concrete: &Concrete,
    ) -> Result<(), Error> {
        let Some(method) = self.under_test(concrete) else {
            return Ok(());
        };
        let returns_object = vm.method(method).result == Kind::Reference;
        let times = self.checked.entry(method).or_default();
        if !returns_object || *times == RESULTS || self.unsteady.contains(&method) {
            return Ok(());
        }
        *times += 1;
        self.is_assertable(vm, replayer, concrete).map(drop)
    }

    /// Converts a test to a script that asserts the outcome and, in this order, the candidates at
    /// the places `asserted`. The inner error is the reason why no test can be written.
    ///
    /// # Errors
    /// The same as for [`ScriptWriter::script`].
    pub(super) fn script_of(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        seen: EndObservations,
        asserted: &[usize],
    ) -> Result<Result<Script, Obstacle>, Error> {
        let after: Vec<Observation> = asserted
            .iter()
            .map(|&place| seen.candidates[place].observation.clone())
            .collect();
        let shared = declared_values(concrete, &after);
        let written = self.statements(vm, concrete, &seen.held, &shared)?;
        Ok(written.map(|WrittenStatements { statements, places }| {
            let mut script = Script {
                label: Label::default(),
                outcome: seen.outcome,
                after,
                invariant_holds_after: seen.invariant.map(|(place, _)| place),
                settings: seen.held.settings,
                exchange: None,
                statements,
            };
            let is_broken = seen.invariant.is_some_and(|(_, holds)| !holds);
            // Values with variables precede all statements whose objects have numbers.
            let count = concrete.statements.len();
            script.renumber_seen(|place| match place.checked_sub(count) {
                None => places[place],
                Some(value) => shared
                    .iter()
                    .position(|&held| held == value)
                    .unwrap_or_default(),
            });
            for broken in seen.broken {
                self.note_broken(vm, concrete, (&script, &places), broken);
            }
            add_types(vm, &mut self.reader, &mut script);
            if is_broken {
                self.note_invalid(vm, concrete, &script);
                script.invariant_holds_after = None;
            }
            script
        }))
    }

    /// Returns the outcome of a test from the machine's present state, and the goals that it
    /// reaches; `None` if it does not end.
    pub(super) fn outcome(
        &mut self,
        vm: &mut Vm,
        (replayer, goals): (&mut Replayer<'_>, &mut GoalTable),
        concrete: &Concrete,
    ) -> Result<Option<TestOutcome>, Error> {
        let mut reached = Vec::new();
        let method = self.under_test(concrete);
        let seen = replayer.run(vm, concrete, &mut |vm, ran| {
            if let Some(method) = method {
                reached = ran.reached(vm, goals, method);
            }
            let seen = self.look(vm, ran, concrete, Inspected::Observers)?;
            let after = seen.candidates.into_iter();
            let after = after.map(|candidate| candidate.observation);
            Ok::<_, Obstacle>((seen.outcome, after.collect()))
        })?;
        let seen = seen.and_then(Result::ok);
        Ok(seen.map(|(outcome, after)| TestOutcome {
            outcome,
            after,
            reached,
        }))
    }

    /// Returns the results of observers before the call under test.
    fn observed_before(
        &mut self,
        vm: &mut Vm,
        replayer: &mut Replayer<'_>,
        concrete: &Concrete,
    ) -> Result<Vec<Observation>, Error> {
        let mut shorter = concrete.clone();
        let Some(last) = shorter.statements.pop() else {
            return Ok(Vec::new());
        };
        if shorter.statements.is_empty() {
            return Ok(Vec::new());
        }
        let receiver = self.receiver(&last, shorter.statements.len());
        let left = shorter.input.roots.len().saturating_sub(last.open());
        shorter.input.roots.truncate(left);
        self.limits_behind = false;
        let seen = replayer.run(vm, &shorter, &mut |vm, ran| {
            let objects = self.objects(ran, &shorter);
            let seen = self.of_objects(vm, concrete, &objects, (receiver, &last));
            seen.into_iter().map(|(_, seen)| seen).collect()
        });
        self.limits_behind = true;
        Ok(seen?.unwrap_or_default())
    }

    /// Inspects the end of a run.
    pub(super) fn look(
        &mut self,
        vm: &mut Vm,
        ran: &ReplayedRun<'_, '_>,
        concrete: &Concrete,
        inspected: Inspected,
    ) -> Result<EndObservations, Obstacle> {
        let count = concrete.statements.len();
        let Some(last) = concrete.statements.last() else {
            return Err(Obstacle::Unended("it is empty".to_owned()));
        };
        if ran.waited > MAX_WAIT {
            return Err(Obstacle::Slow);
        }
        // In one of the two worlds, threads come to rest before anything is observed.
        if vm.runs_started_first() && !self.rest(vm) {
            return Err(Obstacle::Restless);
        }
        let objects = self.objects(ran, concrete);
        let is_constructor = self.plan.invokables[last.invokable].kind.is_constructor();
        let method = self.under_test(concrete);
        self.asks_parts = method.is_some_and(|method| self.unsteady.contains(&method));
        let mut outcome = None;
        let plain = match ran.outcome {
            PathOutcome::Threw(exception) => {
                let class = vm.heap.class_of(*exception);
                if vm.class_name(class) == "java/lang/AssertionError" {
                    return Err(Obstacle::Assertion);
                }
                let is_refused =
                    |cause: Ref| vm.class_name(vm.heap.class_of(cause)) == INACCESSIBLE;
                if with_causes(vm, *exception).any(is_refused) {
                    return Err(Obstacle::Encapsulation);
                }
                CallOutcome::Threw {
                    class: self.reader.class_sig(vm, class),
                    refuses: false,
                }
            }
            PathOutcome::Returned(_) if is_constructor => CallOutcome::ReturnedVoid,
            PathOutcome::Returned(slot) => {
                let kind = match method {
                    Some(method) => vm.method(method).result,
                    None => Kind::Void,
                };
                let earlier = &objects[..count - 1];
                if !self.asks_parts {
                    outcome = Some(self.result(vm, earlier, kind, *slot));
                }
                self.returned(vm, earlier, kind, *slot)
            }
            _ => return Err(Obstacle::Unended("it does not end".to_owned())),
        };
        let outcome = outcome.unwrap_or_else(|| plain.clone());
        let receiver = self.observed_receiver(ran, &objects, last, count);
        // Where the outcome differs on a mutant, nothing else matters.
        let is_told = |inquiry: &Inquiry| !inquiry.has_outcome(&outcome);
        let is_told = self.inquiry.as_ref().is_some_and(is_told);
        let candidates = match is_told || inspected < Inspected::Observers {
            true => Vec::new(),
            false => self.candidates(vm, ran, concrete, &outcome),
        };
        let asked = self.invariant.zip(receiver);
        let invariant = asked.and_then(|(invariant, receiver)| {
            let object = objects[receiver]?;
            // The receiver may be of another class: code runs on no object that it is not for.
            let is_own = vm.is_subclass(vm.heap.class_of(object), vm.method(invariant).class);
            match is_own.then(|| self.asked(vm, invariant, &[object.slot()]))?? {
                (Exit::Done(answer), _) => Some((receiver, answer != 0)),
                _ => None,
            }
        });
        let is_valid = invariant.is_none_or(|(_, holds)| holds);
        let broken = match receiver.filter(|_| is_valid) {
            Some(receiver) if inspected == Inspected::Contracts => {
                self.broken_contracts(vm, &objects, receiver)
            }
            _ => Vec::new(),
        };
        let mut held = match &self.inquiry {
            Some(_) => StatementResults::default(),
            None => self.held_by(vm, ran, &objects),
        };
        if inspected == Inspected::Contracts {
            held.asked = self.asked_methods(vm, &objects);
        }
        if let Some(reason) = held.irreversible.clone() {
            return Err(Obstacle::Settings(reason));
        }
        // A thread that never rests would run on beside all later tests.
        if !self.rest(vm) {
            return Err(Obstacle::Restless);
        }
        Ok(EndObservations {
            held,
            outcome,
            plain,
            candidates,
            invariant,
            broken,
        })
    }

    /// Runs the other threads until each waits or has ended; returns false if one does not.
    fn rest(&self, vm: &mut Vm) -> bool {
        vm.limit_steps(self.step_limit);
        let rests = vm.rest_threads();
        vm.limit_steps(u64::MAX);
        rests
    }

    /// Records that the invariant does not hold after a test.
    fn note_invalid(&mut self, vm: &Vm, concrete: &Concrete, script: &Script) {
        let method = self.under_test(concrete);
        if let (Some(method), Some(invariant)) = (method, self.invariant) {
            let invariant = vm.text(vm.method(invariant).name);
            let finding = Finding::breaks_invariant(name_of(vm, method), invariant);
            self.failing.push((finding, reproducer(script)));
        }
    }
}
