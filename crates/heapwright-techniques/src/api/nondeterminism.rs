//! Determinism check: some calls are repeated with other identity hashes and at another time. A
//! difference is reported by its cause; calls whose results differ only in other circumstances are
//! not detected.

use heapwright_jvm::{Exit, Ref, Vm};
use heapwright_suite::{Body, Structure};

use crate::read::StructureReader;

/// Structures of each pool on which calls are repeated.
pub(super) const STRUCTURES: u32 = 16;
/// Combinations of values with which calls are repeated.
pub(super) const WAYS: u64 = 3;
/// Identity hash codes skipped, and nanoseconds that pass: some hours.
pub(super) const OTHERS: [(u32, u64); 3] = [(0, 0), (1_000_003, 0), (0, 12_345_678_901_234)];
/// Causes that the second and third of these change.
const CAUSES: [&str; 2] = ["identity hash codes", "the clock"];

/// State of the receiver after a call.
#[derive(PartialEq)]
pub(super) enum ReceiverState {
    Structure(Structure),
    Exception(String),
    Nothing,
}

impl ReceiverState {
    /// Reads the state after a call with this outcome.
    pub fn of(vm: &mut Vm, exit: &Exit, receiver: Ref) -> ReceiverState {
        match exit {
            Exit::Done(_) if !receiver.is_null() => {
                let class = vm.heap.class_of(receiver);
                let mut reader = StructureReader::new(vm, class);
                ReceiverState::Structure(reader.read(vm, receiver).structure)
            }
            Exit::Threw(exception) => {
                let class = vm.heap.class_of(*exception);
                ReceiverState::Exception(vm.binary_name(class))
            }
            _ => ReceiverState::Nothing,
        }
    }
}

/// Describes the first difference between the results, in the order of [`OTHERS`].
pub(super) fn difference(left: &[ReceiverState]) -> Option<String> {
    let first = left.first()?;
    let (other, cause) = left
        .iter()
        .skip(1)
        .zip(CAUSES)
        .find(|(other, _)| *other != first)?;
    let what = match (first, other) {
        (ReceiverState::Structure(a), ReceiverState::Structure(b)) => field(a, b),
        _ => "how it ends".to_owned(),
    };
    Some(format!("{what} depends on {cause}"))
}

/// Names the first field in which two structures differ.
fn field(a: &Structure, b: &Structure) -> String {
    for (a, b) in a.objects.iter().zip(&b.objects) {
        if let (Body::Fields(here), Body::Fields(there)) = (&a.body, &b.body)
            && let Some((field, _)) = here.iter().zip(there).find(|(a, b)| a.value != b.value)
        {
            return format!("field {} of {}", field.sig.name, a.class.name);
        }
        if a != b {
            return format!("what {} holds", a.class.name);
        }
    }
    "the number of objects".to_owned()
}
