//! Replay of a violation: a run on concrete values, without terms, merged states and the solver.
//!
//! Invariant: no program is called wrong unless a run on the inputs that are shown has violated the
//! property.

use heapwright_explore::symbolic::{PathOutcome, Receiver};
use heapwright_jvm::machine::{ConditionTruth, Machine};
use heapwright_jvm::{Exit, InputRequest, Limit, Ref, Vm};

use super::Violation;
use crate::Error;
use crate::symbolic::{Target, make_with, slot_of};

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

/// Runs the target on the inputs of a violation, at most `step_limit` instructions, and returns what
/// `judge` says of the end. The machine's state is restored.
///
/// # Errors
/// Same as [`make_with`].
pub(super) fn replay(
    vm: &mut Vm,
    target: &Target,
    violation: &Violation,
    step_limit: u64,
    judge: impl FnOnce(&Vm, &PathOutcome) -> bool,
) -> Result<bool, Error> {
    vm.with_mark(|vm| {
        let unknown = vec![None; violation.inputs.objects.len()];
        let made = make_with(vm, &violation.inputs, &unknown)?;
        let values = violation.asked.iter();
        let slots = values.map(|asked| slot_of(vm, &asked.value, &made.objects));
        let slots: Vec<u64> = slots.collect::<Result<_, Error>>()?;
        let mut machine = Replay {
            slots: slots.into_iter(),
        };
        vm.limit_steps(step_limit);
        let exit =
            start(vm, target, made.slots).map_or_else(|exit| exit, |()| vm.run(&mut machine));
        vm.limit_steps(u64::MAX);
        let violates = match exit {
            Exit::Threw(thrown) => judge(vm, &PathOutcome::Threw(thrown)),
            Exit::Deadlock(_) => judge(vm, &PathOutcome::Deadlocked(vm.exit_text(&exit))),
            _ => false,
        };
        vm.abandon();
        // A run that asks for less has not come to the same place.
        Ok(violates && machine.slots.len() == 0)
    })
}

/// Calls the target's method with these slots of a receiver and arguments.
fn start(vm: &mut Vm, target: &Target, mut slots: Vec<u64>) -> Result<(), Exit> {
    let entry = &target.entry;
    let mut method = entry.method;
    match entry.receiver {
        Receiver::None => {}
        Receiver::Open(_) => {
            let receiver = Ref::from_slot(slots[0]);
            let class = vm.heap.class_of(receiver);
            method = vm.select(class, method).unwrap_or(method);
        }
        Receiver::Blank(class) => {
            let words = vm.class(class).instance_words;
            let made = vm.heap.allocate(class, words, false);
            slots.insert(0, made.map_err(|_| Exit::Limit(Limit::Heap))?.slot());
        }
    }
    if let Some(texts) = &entry.command_line {
        slots.push(vm.texts(texts)?.slot());
    }
    vm.call(method, &slots)
}
