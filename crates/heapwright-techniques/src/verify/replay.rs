//! Replay of a violation: a run on concrete values, without terms, merged states and the solver.
//!
//! Invariant: no program is called wrong unless a run on the inputs that are shown has violated the
//! property.

use heapwright_explore::symbolic::PathOutcome;
use heapwright_jvm::machine::{ConditionTruth, Machine};
use heapwright_jvm::{Exit, InputRequest, Limit, Ref, Vm};

use super::Violation;
use super::search::described;
use crate::Error;
use crate::symbolic::{RunInput, Target, make_with, slot_of};

/// Whether the end of a run violates the property.
pub(super) type Judge<'a> = dyn Fn(&Vm, &PathOutcome) -> bool + 'a;

/// Machine that answers each question for an input with the next of these values.
struct Replay {
    slots: std::vec::IntoIter<u64>,
}

impl Machine for Replay {
    // The state is restored, which excludes collections.
    const CHOOSES: bool = true;
    const HAS_INPUTS: bool = true;

    fn input(&mut self, _: InputRequest<'_>) -> Option<u64> {
        self.slots.next()
    }

    fn assume(&mut self, slot: u64) -> ConditionTruth {
        ConditionTruth::Known(slot as u32 != 0)
    }
}

/// Instructions between two looks at whether the run is to stop.
const SLICE: u64 = 1_000_000;

/// Runs the target on the inputs of a violation, at most `step_limit` instructions, and returns the
/// text of the violation if the run violates the property as `judge` says; `None` if `stops` has ended
/// it. The machine's state is restored.
///
/// # Errors
/// Same as [`make_with`].
pub(super) fn replay(
    vm: &mut Vm,
    target: &Target,
    violation: &Violation,
    step_limit: u64,
    stops: &dyn Fn() -> bool,
    judge: &Judge<'_>,
) -> Result<Option<Option<String>>, Error> {
    let machine = |vm: &mut Vm, objects: &[Ref]| {
        let values = violation.asked.iter();
        let slots = values.map(|asked| slot_of(vm, &asked.value, objects));
        let slots: Vec<u64> = slots.collect::<Result<_, Error>>()?;
        Ok(Replay {
            slots: slots.into_iter(),
        })
    };
    let taken = |vm: &mut Vm, machine: Replay, outcome: &PathOutcome| {
        // A run that asks for less has not come to the same place.
        if !judge(vm, outcome) || machine.slots.len() != 0 {
            return None;
        }
        // The message of an exception that a path has thrown may contain terms: the same exception of
        // this run tells it. Code that asks whether values are symbolic may have thrown another one.
        let (what, thrown, trace) = described(vm, outcome);
        let is_same = thrown == violation.thrown && trace == violation.trace;
        Some(match is_same {
            true => what,
            false => violation.what.clone(),
        })
    };
    run_on(
        vm,
        target,
        &violation.inputs,
        step_limit,
        stops,
        machine,
        taken,
    )
}

/// Runs the target on inputs with the machine that `machine` makes for their objects, at most
/// `step_limit` instructions, and returns what `end` says of the end; `None` if `stops` has ended it.
/// The machine's state is restored.
///
/// # Errors
/// Same as [`make_with`], and those of `machine`.
pub(super) fn run_on<M: Machine, T: Default>(
    vm: &mut Vm,
    target: &Target,
    inputs: &RunInput,
    step_limit: u64,
    stops: &dyn Fn() -> bool,
    machine: impl FnOnce(&mut Vm, &[Ref]) -> Result<M, Error>,
    end: impl FnOnce(&mut Vm, M, &PathOutcome) -> T,
) -> Result<Option<T>, Error> {
    vm.with_mark(|vm| {
        let unknown = vec![None; inputs.objects.len()];
        let made = make_with(vm, inputs, &unknown)?;
        let mut machine = machine(vm, &made.objects)?;
        let called = target.call_on(vm, &made.slots);
        let started = called.and_then(|(method, slots)| vm.call(method, &slots));
        let exit = match started {
            Ok(()) => run(vm, &mut machine, step_limit, stops),
            Err(exit) => Some(exit),
        };
        let ended = exit.map(|exit| match exit {
            Exit::Threw(thrown) => end(vm, machine, &PathOutcome::Threw(thrown)),
            Exit::Deadlock(_) => {
                let outcome = PathOutcome::Deadlocked(vm.exit_text(&exit));
                end(vm, machine, &outcome)
            }
            _ => T::default(),
        });
        vm.abandon();
        Ok(ended)
    })
}

/// Runs to an exit, in slices; `None` if `stops` has ended it.
fn run(
    vm: &mut Vm,
    machine: &mut impl Machine,
    step_limit: u64,
    stops: &dyn Fn() -> bool,
) -> Option<Exit> {
    let end = vm.steps().saturating_add(step_limit);
    let exit = loop {
        let left = end.saturating_sub(vm.steps());
        vm.limit_steps(left.min(SLICE));
        match vm.run(machine) {
            Exit::Limit(Limit::Steps) if left > SLICE => {}
            exit => break Some(exit),
        }
        if stops() {
            break None;
        }
    };
    vm.limit_steps(u64::MAX);
    exit
}
