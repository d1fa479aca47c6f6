//! Trials: runs on inputs that are literals of the program. What it compares with, or must never
//! print, it holds as a literal, which a search that goes from character to character comes to late.
//!
//! Invariant: nothing follows from trials that violate nothing.

use std::collections::BTreeSet;

use heapwright_explore::symbolic::PathOutcome;
use heapwright_jvm::class::{Loader, MethodId};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::{ConditionTruth, Machine};
use heapwright_jvm::{ClassId, InputRequest, Ref, Vm};

use super::replay::{Judge, run_on};
use super::search::described;
use super::violation::{AskedValue, Violation, place_at};
use crate::Error;
use crate::symbolic::{Contents, InputValue, RunInput, RunObject, Target};

/// Most classes whose literals are tried, and most literals.
const MAX_CLASSES: usize = 256;
const MAX_TEXTS: usize = 256;
/// Most strings that a run asks for.
const MAX_ASKED: usize = 16;
/// Numbers that a run is given.
const NUMBERS: [u64; 2] = [0, 1];
/// Limit of instructions of all trials.
const MAX_STEPS: u64 = 20_000_000;

/// Machine that answers with strings of one text, and with one number.
struct Trial {
    texts: std::iter::Enumerate<std::vec::IntoIter<u64>>,
    number: u64,
    asked: Vec<Answered>,
    /// Whether the program has asked for more than there is.
    is_short: bool,
}

/// Answer to a question for an input.
struct Answered {
    kind: Kind,
    site: (MethodId, u16),
    name: Option<String>,
    is_outside: bool,
    value: InputValue,
}

impl Machine for Trial {
    // The state is restored, which excludes collections.
    const CHOOSES: bool = true;
    const HAS_INPUTS: bool = true;

    fn input(&mut self, request: InputRequest<'_>) -> Option<u64> {
        let (value, slot) = match request.kind {
            Kind::Reference => {
                let next = self.texts.next();
                self.is_short |= next.is_none();
                let (number, slot) = next?;
                (InputValue::Object(number), slot)
            }
            kind => {
                let slot = number_of(kind, self.number);
                (InputValue::Primitive(kind, slot), slot)
            }
        };
        self.asked.push(Answered {
            kind: request.kind,
            site: request.site,
            name: request.name.map(str::to_owned),
            is_outside: request.is_outside,
            value,
        });
        Some(slot)
    }

    fn assume(&mut self, slot: u64) -> ConditionTruth {
        ConditionTruth::Known(slot as u32 != 0)
    }
}

/// Bits of a small number of a kind.
fn number_of(kind: Kind, number: u64) -> u64 {
    match kind {
        Kind::Float => u64::from((number as f32).to_bits()),
        Kind::Double => (number as f64).to_bits(),
        _ => number,
    }
}

/// Runs the target on each literal of its program; returns the first run that violates the property.
///
/// # Errors
/// There is no memory for a literal.
pub(super) fn attempt(
    vm: &mut Vm,
    class: ClassId,
    target: &Target,
    judge: &Judge<'_>,
    step_limit: u64,
    stops: &dyn Fn() -> bool,
) -> Result<Option<Violation>, Error> {
    let end = vm.steps().saturating_add(MAX_STEPS);
    for text in literals(vm, class) {
        for number in NUMBERS {
            let left = end.saturating_sub(vm.steps());
            if left == 0 || stops() {
                return Ok(None);
            }
            let limit = step_limit.min(left);
            let inputs = strings(&text);
            let machine = |_: &mut Vm, objects: &[Ref]| {
                let slots: Vec<u64> = objects.iter().map(|object| object.slot()).collect();
                Ok(Trial {
                    texts: slots.into_iter().enumerate(),
                    number,
                    asked: Vec::new(),
                    is_short: false,
                })
            };
            let end = |vm: &mut Vm, machine: Trial, outcome: &PathOutcome| {
                let violates = judge(vm, outcome) && !machine.is_short;
                violates.then(|| violation(vm, machine, outcome, &text))
            };
            let violation = run_on(vm, target, &inputs, limit, stops, machine, end)?;
            if let Some(violation) = violation.flatten() {
                return Ok(Some(violation));
            }
        }
    }
    Ok(None)
}

/// Strings of a text, as many as a run may ask for.
fn strings(text: &[u16]) -> RunInput {
    let object = RunObject {
        class: "java.lang.String".to_owned(),
        contents: Contents::Text(text.to_vec()),
    };
    RunInput {
        roots: Vec::new(),
        objects: vec![object; MAX_ASKED],
    }
}

fn violation(vm: &Vm, machine: Trial, outcome: &PathOutcome, text: &[u16]) -> Violation {
    let mut inputs = strings(text);
    inputs.objects.truncate(MAX_ASKED - machine.texts.len());
    let (what, thrown, trace) = described(vm, outcome);
    let asked = machine.asked.into_iter().map(|one| asked(vm, one));
    Violation {
        what,
        thrown,
        trace,
        asked: asked.collect(),
        inputs,
    }
}

fn asked(vm: &Vm, one: Answered) -> AskedValue {
    let (method, index) = one.site;
    AskedValue {
        place: place_at(vm, method, vm.line_at(method, index)),
        name: one.name,
        kind: one.kind,
        value: one.value,
        is_outside: one.is_outside,
    }
}

/// Texts of the literals of the program's classes that a class refers to, directly or not, its own
/// first.
fn literals(vm: &mut Vm, class: ClassId) -> Vec<Vec<u16>> {
    let mut seen = BTreeSet::from([class]);
    let mut classes = vec![class];
    let mut texts: Vec<Vec<u16>> = Vec::new();
    let mut next = 0;
    while let Some(&class) = classes.get(next) {
        next += 1;
        let (own, names) = vm.literals_of(class);
        for text in own {
            if texts.len() < MAX_TEXTS && !texts.contains(&text) {
                texts.push(text);
            }
        }
        for name in names {
            let is_full = classes.len() >= MAX_CLASSES;
            if is_full || name.starts_with('[') {
                continue;
            }
            // What cannot be loaded is named where the program needs it.
            if let Ok(class) = vm.load_class(&name)
                && vm.class(class).loader == Loader::App
                && seen.insert(class)
            {
                classes.push(class);
            }
        }
    }
    texts
}
