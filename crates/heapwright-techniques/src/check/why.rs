//! Readable descriptions of failures.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Exit, Ref, Vm};
use heapwright_suite::{Literal, Structure, Value};

use super::against::Disagreement;
use super::counterexample::FailingCall;
use super::judge::{CallFailure, CheckedStructure, Judgement};
use crate::contracts::ContractCheck;
use crate::read::value;
use crate::shown::texts_of;
use crate::statements::name_of;

impl FailingCall<'_> {
    /// Predicate of a sentence whose subject is the call.
    pub(super) fn reason(
        &self,
        vm: &mut Vm,
        site: CheckedStructure<'_>,
        failure: CallFailure,
        judgement: &Judgement,
        place: Option<String>,
    ) -> String {
        let invariant = vm.text(vm.method(self.judge.invariant).name).to_owned();
        let limit = match &judgement.ended {
            Exit::Limit(limit) => limit.to_string(),
            _ => format!("more than {} instructions", self.judge.step_limit),
        };
        let place = place.map_or(String::new(), |place| format!(", at {place}"));
        match failure {
            CallFailure::BreaksInvariant if judgement.notes.made.is_some() => {
                format!("makes an object that breaks the invariant {invariant}")
            }
            CallFailure::BreaksInvariant => format!("breaks the invariant {invariant}"),
            CallFailure::BreaksArgument => match &judgement.notes.of_argument {
                Some(Exit::Threw(exception)) => {
                    let class = vm.binary_name(vm.heap.class_of(*exception));
                    format!("leaves an argument whose invariant {invariant} throws {class}")
                }
                _ => format!("breaks the invariant {invariant} of its argument"),
            },
            CallFailure::InvariantThrows(class) => {
                let class = vm.binary_name(class);
                format!("leaves an object whose invariant {invariant} throws {class}")
            }
            CallFailure::InvariantDoesNotEnd => {
                let what = match judgement.notes.of_argument {
                    Some(_) => "argument",
                    None => "object",
                };
                format!(
                    "leaves an {what} whose invariant {invariant} does not end ({limit}{place})"
                )
            }
            CallFailure::Throws(_) => format!("throws {}", thrown(vm, &judgement.ended)),
            CallFailure::DoesNotEnd => format!("does not end ({limit}{place})"),
            CallFailure::ExhaustsMemory => {
                let what = "takes more memory than there is";
                match judgement.ended {
                    Exit::Limit(_) => format!("{what}{place}"),
                    _ => format!("leaves an object whose invariant {invariant} {what}{place}"),
                }
            }
            CallFailure::FailsOracle => {
                let oracle = self.operation.oracle.unwrap_or(self.judge.invariant);
                format!("fails the oracle {}", vm.method_text(oracle))
            }
            CallFailure::Disagrees => self.disagrees(vm, site, judgement),
            CallFailure::BreaksContract(breach) => {
                let text = |asked: ContractCheck| {
                    let name = vm.text(vm.method(asked.method).name);
                    format!("breaks a contract: {name} {}", asked.text(vm, breach))
                };
                self.operation.asked.map(text).unwrap_or_default()
            }
        }
    }

    fn disagrees(&self, vm: &mut Vm, site: CheckedStructure<'_>, judgement: &Judgement) -> String {
        let (Some(twin), Some(disagreement)) =
            (&self.operation.twin, &judgement.notes.disagreement)
        else {
            return String::new();
        };
        match disagreement {
            Disagreement::State(there, here) => {
                let texts = self.shown(vm, site, &[*there, *here]);
                let class = twin.class_text(vm);
                format!(
                    "disagrees with {class}: that holds {} then, not {}",
                    texts[0], texts[1]
                )
            }
            Disagreement::Ended(exit) => {
                let what = self.came_to(vm, site, twin.result(vm), exit);
                format!("disagrees with {}: that {what}", twin.text(vm))
            }
            Disagreement::Observed(observer, there, here) => {
                let kind = vm.method(*observer).result;
                let there = self.came_to(vm, site, kind, there);
                let here = self.came_to(vm, site, kind, here);
                format!(
                    "disagrees with {}: its {} {there} then, and {here} on one made of the structure",
                    twin.class_text(vm),
                    name_of(vm, *observer)
                )
            }
            Disagreement::NotMade(exit) => {
                let class = twin.class_text(vm);
                format!(
                    "cannot be compared with {class}, which is not made: {}",
                    vm.exit_text(exit)
                )
            }
        }
    }

    /// Results of the objects' `toString`.
    fn shown(&self, vm: &mut Vm, site: CheckedStructure<'_>, objects: &[Ref]) -> Vec<String> {
        let texts = texts_of(vm, site.space, objects, self.judge.step_limit).into_iter();
        texts.map(|text| text.unwrap_or_else(|why| why)).collect()
    }

    /// Outcome of a call with results of a kind: `returns 1`.
    fn came_to(&self, vm: &mut Vm, site: CheckedStructure<'_>, kind: Kind, exit: &Exit) -> String {
        match (exit, kind) {
            (Exit::Done(_), Kind::Void) => "returns".to_owned(),
            (Exit::Done(0), Kind::Reference) => "returns null".to_owned(),
            (Exit::Done(slot), Kind::Reference) => {
                let shown = self.shown(vm, site, &[Ref::from_slot(*slot)]);
                format!("returns {}", shown.join(""))
            }
            (Exit::Done(slot), kind) => {
                let value = Literal::Value(value(kind, *slot, |_| Value::Null));
                format!("returns {}", Structure::default().shown(&value))
            }
            (Exit::Threw(exception), _) => {
                format!("throws {}", vm.binary_name(vm.heap.class_of(*exception)))
            }
            _ => "does not end".to_owned(),
        }
    }
}

/// Formats an exception with the place where it was thrown. A null pointer exception also names the
/// null expression, as the JVM does.
fn thrown(vm: &Vm, ended: &Exit) -> String {
    let text = vm.exit_text(ended);
    let Exit::Threw(exception) = ended else {
        return text;
    };
    let class = vm.binary_name(vm.heap.class_of(*exception));
    let is_null_pointer = class == "java.lang.NullPointerException";
    let places = text
        .strip_prefix(&class)
        .filter(|rest| is_null_pointer && !rest.starts_with(':'));
    match (vm.extended_message(*exception), places) {
        (Some(message), Some(places)) => format!("{class}: {message}{places}"),
        _ => text,
    }
}
