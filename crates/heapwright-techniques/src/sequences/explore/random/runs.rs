//! Runs of sequences with values, what they reach, and hashes of sequences.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use heapwright_explore::symbolic::{PathOutcome, SearchScript, SymbolicSearch};
use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::{ClassId, Ref, Vm};
use rustc_hash::FxHasher;

use crate::Error;
use crate::misuse::refuses;
use crate::sequences::explore::concrete_run::run_known;
use crate::sequences::explore::search::Explorer;
use crate::sequences::model::Concrete;
use crate::sequences::plan::SearchPlan;
use crate::statements::StatementArgument;
use crate::symbolic::{Contents, InputValue, as_written};

/// Runs a sequence; the objects of its input that are not known are made.
pub(super) fn run<T>(
    vm: &mut Vm,
    plan: &SearchPlan,
    search: &mut SymbolicSearch<'_>,
    concrete: &Concrete,
    known: &[Option<Ref>],
    look: &mut dyn FnMut(&mut Vm, &PathOutcome, &SymbolicSearch<'_>) -> T,
) -> Result<Option<T>, Error> {
    vm.limit_steps(u64::MAX);
    let seen = vm.with_mark(|vm| {
        let Some(known) = plan.known_steps(vm, concrete, known)? else {
            return Ok(None);
        };
        let script = SearchScript {
            steps: known.steps,
            after_exceptions: plan.after_exceptions,
            ends_at_exception: !plan.after_exceptions,
            ..SearchScript::default()
        };
        run_known(vm, search, script, look)
    });
    vm.limit_steps(u64::MAX);
    seen
}

/// Goals that the last call of a sequence reaches, and the exception that it throws.
pub(super) type LastCall = (Vec<usize>, Option<LastException>);

/// Exception of the last call of a sequence.
#[derive(Clone, Copy)]
pub(super) struct LastException {
    pub class: ClassId,
    /// Whether the program refuses the call by it; not known of what is not run as a test.
    pub refuses: bool,
    /// Whether it is that of an unguarded null, which tests must not have.
    pub is_of_null: bool,
}

/// Runs a sequence; returns the goals that its last call reaches, and the class of the exception
/// that this throws. With `as_test` strings are literals as in a test. These stay in memory.
pub(super) fn judged(
    vm: &mut Vm,
    explorer: &mut Explorer<'_>,
    concrete: &Concrete,
    as_test: bool,
) -> Result<Option<LastCall>, Error> {
    let Explorer {
        plan,
        search,
        progress,
        ..
    } = explorer;
    let plan: &SearchPlan = plan;
    let last = concrete.statements.last();
    if last.is_none_or(|last| plan.roles[last.invokable].under_test.is_none()) {
        return Ok(None);
    }
    let count = concrete.statements.len();
    let known = vm.with_mark(|vm| {
        let known = match as_test {
            true => as_written(vm, &concrete.input)?,
            false => vec![None; concrete.input.objects.len()],
        };
        run(
            vm,
            plan,
            search,
            concrete,
            &known,
            &mut |vm, outcome, search| {
                if search.starts().len() < count {
                    return None;
                }
                let thrown = thrown(vm, outcome);
                let visits = &vm.visits()[search.visits_before()..];
                let seen = (visits, search.events(), search.events_before());
                let goals = progress.goals.places(vm, seen, thrown);
                let exception = match *outcome {
                    PathOutcome::Threw(exception) => Some(LastException {
                        class: vm.heap.class_of(exception),
                        refuses: as_test && refuses(vm, exception),
                        is_of_null: progress.is_of_null(vm, outcome),
                    }),
                    _ => None,
                };
                Some((goals.into_iter().collect(), exception))
            },
        )
    })?;
    Ok(known.flatten())
}

/// Returns the class of the exception with which a run ended.
pub(super) fn thrown(vm: &Vm, outcome: &PathOutcome) -> Option<ClassId> {
    match outcome {
        PathOutcome::Threw(exception) => Some(vm.heap.class_of(*exception)),
        _ => None,
    }
}

/// Whether a sequence passes null anywhere.
pub(super) fn has_null(concrete: &Concrete) -> bool {
    let is_null = |value: &InputValue| *value == InputValue::Null;
    let mut roots = concrete.input.roots.iter();
    let mut objects = concrete.input.objects.iter();
    let mut statements = concrete.statements.iter();
    roots.any(|(_, value)| is_null(value))
        || objects.any(|object| match &object.contents {
            Contents::Fields(fields) => fields.iter().any(|(.., value)| is_null(value)),
            Contents::Elements(elements) => elements.iter().any(is_null),
            Contents::Text(_) => false,
        })
        || statements.any(|statement| statement.arguments.contains(&StatementArgument::Null))
}

/// Whether an exception is a failing assertion.
pub(super) fn fails_assertion(vm: &Vm, thrown: Option<ClassId>) -> bool {
    thrown.is_some_and(|class| vm.class_name(class) == "java/lang/AssertionError")
}

/// How a call ran.
#[derive(Clone, Copy)]
pub(super) struct Way {
    /// The hash of the places that it passed, however often.
    pub hash: u64,
    /// The number of these places.
    pub places: usize,
    /// Whether it threw.
    pub throws: bool,
}

impl Way {
    /// Returns the way of a call by its visits of probes.
    pub fn of(visits: &[ProbeVisit], throws: bool) -> Way {
        let places: BTreeSet<u32> = visits.iter().map(|visit| visit.point).collect();
        let mut hasher = FxHasher::default();
        places.hash(&mut hasher);
        Way {
            hash: hasher.finish(),
            places: places.len(),
            throws,
        }
    }
}

/// Returns the hash of a sequence with its values.
pub(super) fn hash_of(concrete: &Concrete) -> u64 {
    let mut hasher = FxHasher::default();
    for statement in &concrete.statements {
        statement.invokable.hash(&mut hasher);
        statement.arguments.hash(&mut hasher);
    }
    let value = |value: &InputValue, hasher: &mut FxHasher| match value {
        InputValue::Primitive(_, slot) => (0_u8, slot).hash(hasher),
        InputValue::Null => 1_u8.hash(hasher),
        InputValue::Object(number) => (2_u8, number).hash(hasher),
        InputValue::Constant(class, name) => (3_u8, class, name).hash(hasher),
    };
    for (_, root) in &concrete.input.roots {
        value(root, &mut hasher);
    }
    for object in &concrete.input.objects {
        object.class.hash(&mut hasher);
        match &object.contents {
            Contents::Text(units) => units.hash(&mut hasher),
            Contents::Elements(elements) => {
                elements.len().hash(&mut hasher);
                elements.iter().for_each(|one| value(one, &mut hasher));
            }
            Contents::Fields(fields) => {
                fields.iter().for_each(|(.., one)| value(one, &mut hasher));
            }
        }
    }
    hasher.finish()
}
