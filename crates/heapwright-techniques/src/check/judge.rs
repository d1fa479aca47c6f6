//! Judgement of one call: its outcome, whether that is expected, the invariant afterwards, and the
//! oracle's verdict.

use std::ops::ControlFlow;

use heapwright_explore::StateSpace;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Choosing, ClassId, Exit, Limit, MethodId, Ref, Vm};

use super::against::Disagreement;
use super::calls::{MethodUnderTest, Tuple};
use super::template;
use crate::Error;
use crate::contracts::Breach;
use crate::depth;
use crate::functional::is_thrown_by_stub;
use crate::misuse::{Misuse, MisuseRule};
use crate::observe::Obstacle;
use crate::statements::CallKind;

/// Instructions between two checks whether to go on.
const SLICE: u64 = 1_000_000;

/// Callback that decides whether to go on.
pub type ContinueCallback<'f> = dyn FnMut() -> ControlFlow<()> + 'f;

/// Kind of failure of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallFailure {
    /// The invariant does not hold afterwards.
    BreaksInvariant,
    /// The invariant does not hold for the structure that is an argument.
    BreaksArgument,
    /// The invariant throws this exception afterwards.
    InvariantThrows(ClassId),
    /// The invariant does not end afterwards.
    InvariantDoesNotEnd,
    /// The method throws this exception, which is not expected.
    Throws(ClassId),
    /// The method does not end.
    DoesNotEnd,
    /// The method, or the invariant afterwards, exceeds the heap limit. That is no counterexample,
    /// as it might succeed with more memory.
    ExhaustsMemory,
    /// The oracle returns false or throws.
    FailsOracle,
    /// The other implementation has a different outcome.
    Disagrees,
    /// A contract is violated.
    BreaksContract(Breach),
}

impl CallFailure {
    /// Whether a run went on until a limit stopped it.
    #[must_use]
    pub fn is_endless(self) -> bool {
        matches!(
            self,
            CallFailure::DoesNotEnd
                | CallFailure::InvariantDoesNotEnd
                | CallFailure::ExhaustsMemory
        )
    }

    /// Whether the failure is a stack overflow.
    pub fn is_overflow(self, vm: &Vm) -> bool {
        let thrown = self.thrown();
        thrown.is_some_and(|class| depth::is_overflow(vm, class))
    }

    /// Whether it shows a fault, not only a limit of the engine.
    #[must_use]
    pub fn is_fault(self) -> bool {
        self != CallFailure::ExhaustsMemory
    }

    /// Machine-readable name of this kind of failure.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self {
            CallFailure::BreaksInvariant => "breaks-invariant",
            CallFailure::BreaksArgument => "breaks-argument",
            CallFailure::InvariantThrows(_) => "invariant-throws",
            CallFailure::InvariantDoesNotEnd => "invariant-does-not-end",
            CallFailure::Throws(_) => "throws",
            CallFailure::DoesNotEnd => "does-not-end",
            CallFailure::ExhaustsMemory => "exhausts-memory",
            CallFailure::FailsOracle => "fails-oracle",
            CallFailure::Disagrees => "disagrees",
            CallFailure::BreaksContract(_) => "breaks-contract",
        }
    }

    /// Class of the exception, if the failure is about one.
    #[must_use]
    pub fn thrown(self) -> Option<ClassId> {
        match self {
            CallFailure::Throws(class)
            | CallFailure::InvariantThrows(class)
            | CallFailure::BreaksContract(Breach::Throws(class)) => Some(class),
            _ => None,
        }
    }
}

/// Verdict on a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CallVerdict {
    /// The call conforms.
    Good,
    /// The method rejected the call by an expected exception, and the rest conforms.
    Rejected,
    /// The engine does not support something that the call needs: no verdict.
    Refused(Box<Exit>),
    /// A limit of the engine stopped the call, or its outcome depends on one: no verdict.
    Limited(Limited),
    /// The call fails.
    Failed(CallFailure),
}

/// Limit that prevents a verdict on a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Limited {
    /// Limit that stopped a run.
    Ended(Box<Exit>),
    /// The call caught a `StackOverflowError`: another machine's stack may have another depth.
    Depth,
}

impl CallVerdict {
    /// Whether the call conforms, as far as is known.
    pub fn is_accepted(&self) -> bool {
        matches!(self, CallVerdict::Good | CallVerdict::Rejected)
    }

    /// Verdict on a call of which a run ended without a result.
    pub fn unanswered(exit: Exit) -> CallVerdict {
        match exit {
            Exit::Limit(_) => CallVerdict::Limited(Limited::Ended(Box::new(exit))),
            exit => CallVerdict::Refused(Box::new(exit)),
        }
    }

    /// Verdict on a run that a limit stopped; `endless` is the failure at the step limit.
    fn of_limit(limit: Limit, endless: CallFailure) -> CallVerdict {
        match limit {
            Limit::Steps => CallVerdict::Failed(endless),
            Limit::Heap => CallVerdict::Failed(CallFailure::ExhaustsMemory),
            limit => CallVerdict::unanswered(Exit::Limit(limit)),
        }
    }

    /// Reason why there is no verdict, if so. The machine must be in the state where the run ended.
    pub fn no_verdict_reason(&self, vm: &Vm) -> Option<String> {
        match self {
            CallVerdict::Refused(exit) | CallVerdict::Limited(Limited::Ended(exit)) => {
                Some(vm.exit_text(exit))
            }
            CallVerdict::Limited(Limited::Depth) => Some(Obstacle::Depth.to_string()),
            _ => None,
        }
    }
}

/// Outcome and verdict of a call.
pub(super) struct Judgement {
    pub ended: Exit,
    pub verdict: CallVerdict,
    pub notes: JudgementDetails,
}

/// Details of a call for its report.
#[derive(Default)]
pub(super) struct JudgementDetails {
    pub disagreement: Option<Disagreement>,
    /// Object that the call created, if the failure is about it.
    pub made: Option<Ref>,
    /// Outcome of the invariant on the structure that is an argument, if it does not hold for it.
    pub of_argument: Option<Exit>,
}

/// Structure on which calls are made.
#[derive(Clone, Copy)]
pub(super) struct CheckedStructure<'a> {
    pub space: &'a StateSpace,
    /// Copy for oracles; `None` if there is no memory or need for one.
    pub before: Option<Ref>,
    /// Copy of the structure that is an argument.
    pub second_before: Option<Ref>,
}

impl<'a> CheckedStructure<'a> {
    /// Site without copies.
    pub fn of(space: &'a StateSpace) -> CheckedStructure<'a> {
        CheckedStructure {
            space,
            before: None,
            second_before: None,
        }
    }

    /// Returns a call's slots with the second structure replaced by its copy from before the call.
    pub fn slots_before(&self, tuple: &Tuple) -> Vec<u64> {
        let mut slots = tuple.slots.clone();
        if let (Some((place, _)), Some(before)) = (tuple.second, self.second_before) {
            slots[place] = before.slot();
        }
        slots
    }
}

pub(super) struct Judge {
    pub invariant: MethodId,
    misuse: Misuse,
    pub step_limit: u64,
}

impl Judge {
    /// Creates a judge that expects the usual rejections and the named exceptions. A name is a
    /// binary name or, in `java.lang`, `java.util` and the package of `class`, a simple name.
    pub fn new(
        vm: &mut Vm,
        class: ClassId,
        invariant: MethodId,
        expected: &[String],
        step_limit: u64,
    ) -> Result<Judge, Error> {
        let own = vm.binary_name(class);
        let package = own.rsplit_once('.').map_or("", |(package, _)| package);
        let mut misuse = Misuse::new(vm, &MisuseRule::Usual)?;
        for name in expected {
            misuse.expect(vm, package, name)?;
        }
        Ok(Judge {
            invariant,
            misuse,
            step_limit,
        })
    }

    /// Makes a call and judges it. The machine stays in the state where the run ended.
    pub fn judge(
        &self,
        vm: &mut Vm,
        site: CheckedStructure<'_>,
        operation: &MethodUnderTest,
        tuple: &Tuple,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<(), Judgement> {
        let overflows = vm.caught_overflows();
        let mut judgement = self.judge_by_runs(vm, site, operation, tuple, ask)?;
        if vm.caught_overflows() != overflows {
            judgement.verdict = CallVerdict::Limited(Limited::Depth);
        }
        ControlFlow::Continue(judgement)
    }

    /// Makes a call and judges it, whether or not the outcome depends on the stack's depth.
    fn judge_by_runs(
        &self,
        vm: &mut Vm,
        site: CheckedStructure<'_>,
        operation: &MethodUnderTest,
        tuple: &Tuple,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<(), Judgement> {
        let mut site = site;
        if operation.needs_before()
            && let Some((_, second)) = &tuple.second
        {
            site.second_before = template::copy(vm, second.object).ok();
            if site.second_before.is_none() {
                site.before = None;
            }
        }
        let ended = match operation.call.kind {
            CallKind::Constructor => {
                let class = vm.method(operation.call.method).class;
                self.construct(vm, site, class, operation.call.method, &tuple.slots, ask)?
            }
            _ => self.run(vm, site, operation.call.method, &tuple.slots, ask)?,
        };
        let mut notes = JudgementDetails::default();
        let mut verdict = self.verdict(vm, site, (operation, tuple), &ended, &mut notes, ask)?;
        if let Exit::Done(made) = ended
            && operation.creates_objects
            && made != 0
            && verdict.is_accepted()
        {
            let object = Ref::from_slot(made);
            let invariant = vm.select(vm.heap.class_of(object), self.invariant);
            let invariant = invariant.unwrap_or(self.invariant);
            let answer = self.run(vm, site, invariant, &[made], ask)?;
            if let Some(wrong) = Judge::of_invariant(vm, answer) {
                verdict = wrong;
                notes.made = Some(object);
            }
        }
        ControlFlow::Continue(Judgement {
            ended,
            verdict,
            notes,
        })
    }

    /// Whether a call that fails by a stack overflow does so on any stack. Repeats the call on a
    /// deeper stack. The machine stays in the state where that run ended.
    pub fn overflows_any_stack(
        &self,
        vm: &mut Vm,
        site: CheckedStructure<'_>,
        (operation, tuple): (&MethodUnderTest, &Tuple),
        failure: CallFailure,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<(), bool> {
        let judgement = depth::on_a_deep_stack(vm, |vm, _| {
            self.judge_by_runs(vm, site, operation, tuple, ask)
        })?;
        ControlFlow::Continue(judgement.verdict == CallVerdict::Failed(failure))
    }

    /// Creates an object by a constructor and returns the object. The value of the first slot is
    /// ignored.
    pub fn construct(
        &self,
        vm: &mut Vm,
        site: CheckedStructure<'_>,
        class: ClassId,
        constructor: MethodId,
        slots: &[u64],
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<(), Exit> {
        let words = vm.class(class).instance_words;
        let Ok(made) = vm.heap.allocate(class, words, false) else {
            return ControlFlow::Continue(Exit::Limit(Limit::Heap));
        };
        let mut slots = slots.to_vec();
        slots[0] = made.slot();
        let ended = self.run(vm, site, constructor, &slots, ask)?;
        ControlFlow::Continue(match ended {
            Exit::Done(_) => Exit::Done(made.slot()),
            other => other,
        })
    }

    fn verdict(
        &self,
        vm: &mut Vm,
        site: CheckedStructure<'_>,
        (operation, tuple): (&MethodUnderTest, &Tuple),
        ended: &Exit,
        notes: &mut JudgementDetails,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<(), CallVerdict> {
        let mut verdict = self.of_call(vm, operation, tuple, ended);
        let is_untouched = vm.is_untouched();
        let mut called = None;
        if let Some(twin) = &operation.twin
            && matches!(ended, Exit::Done(_) | Exit::Threw(_))
        {
            match twin.call(self, vm, site, (operation, tuple), ended, ask)? {
                Ok(came) => {
                    // An exception that both throw is expected.
                    let agrees = came.disagreement.is_none();
                    if agrees && matches!(verdict, CallVerdict::Failed(CallFailure::Throws(_))) {
                        verdict = CallVerdict::Rejected;
                    }
                    called = Some((twin, came));
                }
                Err(exit) if verdict.is_accepted() => verdict = CallVerdict::unanswered(exit),
                Err(_) => {}
            }
        }
        if !verdict.is_accepted() {
            return ControlFlow::Continue(verdict);
        }
        // If the call changed nothing, the invariant still holds.
        if !is_untouched {
            let answer = self.run(vm, site, self.invariant, &[site.space.root.slot()], ask)?;
            if let Some(verdict) = Judge::of_invariant(vm, answer) {
                return ControlFlow::Continue(verdict);
            }
            if let Some((_, second)) = &tuple.second {
                let answer = self.run(vm, site, self.invariant, &[second.object.slot()], ask)?;
                match Judge::of_invariant(vm, answer.clone()) {
                    None => {}
                    Some(CallVerdict::Failed(failure)) => {
                        let failure = match failure.is_endless() {
                            true => failure,
                            false => CallFailure::BreaksArgument,
                        };
                        notes.of_argument = Some(answer);
                        return ControlFlow::Continue(CallVerdict::Failed(failure));
                    }
                    Some(unanswered) => return ControlFlow::Continue(unanswered),
                }
            }
        }
        if let (Some(oracle), Exit::Done(result)) = (operation.oracle, ended) {
            verdict = self.run_oracle(vm, site, operation, oracle, tuple, *result, ask)?;
        }
        if let Some((twin, mut came)) = called
            && verdict.is_accepted()
        {
            if came.disagreement.is_none() {
                match twin.compare_contents(self, vm, site, &came, ask)? {
                    Ok(found) => came.disagreement = found,
                    Err(exit) => verdict = CallVerdict::unanswered(exit),
                }
            }
            if came.disagreement.is_some() {
                notes.disagreement = came.disagreement;
                verdict = CallVerdict::Failed(CallFailure::Disagrees);
            }
        }
        ControlFlow::Continue(verdict)
    }

    /// Verdict on a call, provided that the invariant holds afterwards.
    pub fn of_call(
        &self,
        vm: &Vm,
        operation: &MethodUnderTest,
        tuple: &Tuple,
        ended: &Exit,
    ) -> CallVerdict {
        if let (Some(asked), Exit::Done(_) | Exit::Threw(_)) = (operation.asked, ended) {
            let breach = asked.breach(vm, Ref::from_slot(tuple.slots[0]), ended);
            let failed = |breach| CallVerdict::Failed(CallFailure::BreaksContract(breach));
            return breach.map_or(CallVerdict::Good, failed);
        }
        match ended {
            Exit::Done(_) => CallVerdict::Good,
            Exit::Threw(exception) => {
                let class = vm.heap.class_of(*exception);
                let is_expected = self.expects(vm, operation, tuple, class);
                match is_expected || is_thrown_by_stub(vm, *exception) {
                    true => CallVerdict::Rejected,
                    false => CallVerdict::Failed(CallFailure::Throws(class)),
                }
            }
            Exit::Limit(limit) => CallVerdict::of_limit(*limit, CallFailure::DoesNotEnd),
            other => CallVerdict::unanswered(other.clone()),
        }
    }

    /// Verdict on the outcome of the invariant after a call; `None` if it holds.
    pub fn of_invariant(vm: &Vm, ended: Exit) -> Option<CallVerdict> {
        Some(match ended {
            Exit::Done(0) => CallVerdict::Failed(CallFailure::BreaksInvariant),
            Exit::Done(_) => return None,
            Exit::Threw(exception) => {
                CallVerdict::Failed(CallFailure::InvariantThrows(vm.heap.class_of(exception)))
            }
            Exit::Limit(limit) => CallVerdict::of_limit(limit, CallFailure::InvariantDoesNotEnd),
            other => CallVerdict::unanswered(other),
        })
    }

    #[expect(clippy::too_many_arguments, reason = "the call and its result")]
    fn run_oracle(
        &self,
        vm: &mut Vm,
        site: CheckedStructure<'_>,
        operation: &MethodUnderTest,
        oracle: MethodId,
        tuple: &Tuple,
        result: u64,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<(), CallVerdict> {
        let Some(before) = site.before else {
            let full = Exit::Limit(Limit::Heap);
            return ControlFlow::Continue(CallVerdict::unanswered(full));
        };
        let mut slots = vec![before.slot()];
        slots.extend_from_slice(&site.slots_before(tuple)[1..]);
        slots.push(site.space.root.slot());
        match vm.method(operation.call.method).result {
            Kind::Void => {}
            kind => {
                slots.push(result);
                slots.resize(slots.len() + kind.words() as usize - 1, 0);
            }
        }
        ControlFlow::Continue(match self.run(vm, site, oracle, &slots, ask)? {
            Exit::Done(0) | Exit::Threw(_) => CallVerdict::Failed(CallFailure::FailsOracle),
            Exit::Done(_) => CallVerdict::Good,
            other => CallVerdict::unanswered(other),
        })
    }

    fn expects(&self, vm: &Vm, operation: &MethodUnderTest, tuple: &Tuple, class: ClassId) -> bool {
        let mut declared = operation.declared.iter();
        declared.any(|&declared| vm.is_subclass(class, declared))
            || self
                .misuse
                .covers(vm, class, tuple.has_null, operation.takes_integers())
    }

    /// Runs a method to its end. A slot that the search left open takes its first value.
    pub fn run(
        &self,
        vm: &mut Vm,
        site: CheckedStructure<'_>,
        method: MethodId,
        slots: &[u64],
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<(), Exit> {
        vm.limit_steps(self.step_limit.min(SLICE));
        let start = vm.steps();
        if let Err(exit) = vm.call(method, slots) {
            return ControlFlow::Continue(exit);
        }
        loop {
            match vm.run(&mut Choosing) {
                Exit::Choice(number) => {
                    let entry = site.space.entries[number as usize];
                    let first = site.space.domains[entry.domain as usize].choices[0];
                    vm.choose(entry.object, entry.place, first.slot);
                }
                Exit::Limit(Limit::Steps) if vm.steps() - start < self.step_limit => {
                    ask()?;
                    let left = self.step_limit - (vm.steps() - start);
                    vm.limit_steps(left.min(SLICE));
                }
                exit => return ControlFlow::Continue(exit),
            }
        }
    }
}
