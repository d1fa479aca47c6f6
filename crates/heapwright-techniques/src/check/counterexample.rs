//! What was found: for each method and kind of failure the call on the smallest structure.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use heapwright_explore::Count;
use heapwright_jvm::{Exit, Ref, Vm};
use heapwright_suite::{Body, Call, Case, Label, Literal, Outcome, Requirement, Structure, Value};
use serde::{Deserialize, Serialize};

use super::Here;
use super::calls::{Operation, Role, Tuple};
use super::judge::{Ask, Failure, Judge, Notes};
use crate::observe::{method_sig, returned};
use crate::read::{Snapshot, StructureReader};

/// A call that does what it must not.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Counterexample {
    /// The method with its parameters: `remove(int)`.
    pub method: String,
    /// What is wrong: the name of its kind, for programs.
    pub kind: String,
    /// What is wrong, as the rest of a sentence that begins with the call.
    pub reason: String,
    /// How the call ended: `returned true`.
    pub ended: String,
    /// The structure before the call.
    pub before: Structure,
    /// The structure when the run had ended or was stopped.
    pub after: Structure,
    /// Runs of this method that failed in this way.
    #[serde(with = "crate::digits")]
    pub runs: Count,
    /// The call with what is required of it.
    call: Call,
}

impl Counterexample {
    /// The arguments, as people write them.
    #[must_use]
    pub fn arguments(&self) -> Vec<String> {
        let args = self.call.args.iter();
        args.map(|literal| self.before.shown(literal)).collect()
    }

    /// The call with its arguments: `remove(1)`.
    #[must_use]
    pub fn call_text(&self) -> String {
        // A contract of `hashCode` is about what `equals` says.
        let name = match &self.call.outcome {
            Outcome::Failed(Requirement::Keeps(_)) => &self.call.method.name,
            _ => self.method.split('(').next().unwrap_or_default(),
        };
        format!("{name}({})", self.arguments().join(", "))
    }

    /// A test that repeats the call and fails.
    #[must_use]
    pub fn case(&self) -> Case {
        Case {
            input: self.before.clone(),
            made_by: None,
            calls: vec![self.call.clone()],
        }
    }
}

/// The smallest counterexample yet of a method and a kind of failure.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Finding {
    operation: usize,
    /// What is wrong, on the machine that found it.
    #[serde(skip)]
    failure: Option<Failure>,
    /// The class of the exception, if the failure is one: by name, as machines number them
    /// differently.
    thrown: Option<String>,
    /// The size of the structure that the call is made on.
    own: Size,
    /// The same with the structure that is an argument.
    size: Size,
    /// Where the part of the search begins in which it was found.
    place: Vec<i64>,
    counterexample: Counterexample,
}

impl Finding {
    fn is_of(&self, operation: usize, failure: Failure) -> bool {
        self.operation == operation && self.failure == Some(failure)
    }

    /// Whether both are of a method and a kind of failure.
    fn is_like(&self, other: &Finding) -> bool {
        let what = |finding: &Finding| (finding.operation, finding.thrown.clone());
        what(self) == what(other) && self.counterexample.kind == other.counterexample.kind
    }

    /// Whether it shows a fault: by the name of its kind, as other machines' findings have nothing else.
    fn is_fault(&self) -> bool {
        self.counterexample.kind != Failure::ExhaustsMemory.kind()
    }

    /// Whether the method itself throws, in a call or where a contract is asked for.
    fn throws_itself(&self) -> bool {
        matches!(
            self.counterexample.kind.as_str(),
            "throws" | "breaks-contract"
        )
    }

    /// Puts a smaller one in its place, and counts it.
    fn replace(&mut self, smaller: Finding) {
        let runs = std::mem::take(&mut self.counterexample.runs);
        *self = smaller;
        self.counterexample.runs += &runs;
    }
}

/// The size of a structure: its reachable objects, and where they are as many the elements of its
/// arrays.
pub(super) type Size = (usize, usize);

pub(super) fn size_of(structure: &Structure) -> Size {
    let elements = structure.objects.iter().map(|object| match &object.body {
        Body::Array(elements) => elements.len(),
        _ => 0,
    });
    (structure.objects.len(), elements.sum())
}

/// What was found so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    /// Enters a failure on the structure that stands at the mark; it is shown if there is none on a
    /// smaller one.
    pub fn enter(
        &mut self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        here: &mut Here<'_>,
        again: Again<'_>,
        ask: &mut Ask<'_>,
    ) -> ControlFlow<()> {
        let own = size_of(&here.snapshot(vm, reader).structure);
        let second = again.tuple.second.map_or((0, 0), |(_, second)| second.size);
        let size = (own.0 + second.0, own.1 + second.1);
        let is_of = |finding: &Finding| finding.is_of(again.index, again.failure);
        let place = self.0.iter().position(is_of);
        let known = place.map(|place| &mut self.0[place]);
        if let Some(known) = known
            && size >= known.size
        {
            known.counterexample.runs += 1;
            return ControlFlow::Continue(());
        }
        let finding = Finding {
            operation: again.index,
            failure: Some(again.failure),
            thrown: again.failure.thrown().map(|class| vm.binary_name(class)),
            own,
            size,
            place: Vec::new(),
            counterexample: again.show(vm, reader, here, ask)?,
        };
        match place {
            Some(place) => self.0[place].replace(finding),
            None => self.0.push(finding),
        }
        ControlFlow::Continue(())
    }

    /// Whether a failure is known on a structure of this size or a smaller one, so that one more
    /// is only counted.
    pub fn knows(&self, operation: usize, failure: Failure, size: Size) -> bool {
        let mut found = self.0.iter();
        found.any(|found| found.is_of(operation, failure) && found.size <= size)
    }

    /// Counts further runs that failed in a way that is known.
    pub fn count(&mut self, operation: usize, failure: Failure, runs: &Count) {
        let mut found = self.0.iter_mut();
        if let Some(found) = found.find(|found| found.is_of(operation, failure)) {
            found.counterexample.runs += runs;
        }
    }

    /// The size of the smallest structure on which a method did not end.
    pub fn endless_from(&self, operation: usize) -> Option<Size> {
        let own = self.0.iter().filter(|found| found.operation == operation);
        own.filter(|found| found.failure.is_some_and(Failure::is_endless))
            .map(|found| found.own)
            .min()
    }

    /// Adds what was found later, on another machine it may be.
    pub fn add(&mut self, later: Findings) {
        for finding in later.0 {
            let known = self.0.iter_mut().find(|known| known.is_like(&finding));
            match known {
                Some(known) if finding.size < known.size => known.replace(finding),
                Some(known) => known.counterexample.runs += &finding.counterexample.runs,
                None => self.0.push(finding),
            }
        }
    }

    /// Adds what was found in another shard, among equals what comes first in the search.
    pub fn add_shard(&mut self, other: Findings) {
        for finding in other.0 {
            let known = self.0.iter_mut().find(|known| known.is_like(&finding));
            let rank = |finding: &Finding| (finding.size, finding.place.clone());
            match known {
                Some(known) if rank(&finding) < rank(known) => known.replace(finding),
                Some(known) => known.counterexample.runs += &finding.counterexample.runs,
                None => self.0.push(finding),
            }
        }
        self.0.sort_by(|one, other| one.place.cmp(&other.place));
    }

    /// Says in which part of the search all this was found.
    pub fn set_place(&mut self, place: &[i64]) {
        for finding in &mut self.0 {
            finding.place = place.to_vec();
        }
    }

    /// Puts what was found of some methods in the place of what is known of them.
    pub fn replace(&mut self, operations: &[usize], again: Findings) {
        self.0
            .retain(|finding| !operations.contains(&finding.operation));
        self.0.extend(again.0);
    }

    /// Faults, or what limits alone have shown: those on the smallest structures first, then in the order of the
    /// methods, then of discovery. Of contracts of a method that the same exception breaks, and of its own calls that throw
    /// it, the first.
    pub fn smallest_first(&self, are_faults: bool) -> Vec<&Counterexample> {
        let is_wanted = |finding: &&Finding| finding.is_fault() == are_faults;
        let mut found: Vec<&Finding> = self.0.iter().filter(is_wanted).collect();
        found.sort_by_key(|finding| (finding.size, finding.operation));
        let mut known = BTreeSet::new();
        found.retain(|finding| match (&finding.thrown, finding.throws_itself()) {
            (Some(thrown), true) => known.insert((&finding.counterexample.method, thrown)),
            _ => true,
        });
        let found = found.into_iter();
        found.map(|finding| &finding.counterexample).collect()
    }
}

/// A failing call that is made again to be shown.
pub(super) struct Again<'a> {
    pub judge: &'a Judge,
    pub index: usize,
    pub failure: Failure,
    pub operation: &'a Operation,
    pub tuple: &'a Tuple,
}

impl Again<'_> {
    /// The counterexample. The machine stands at the mark before and afterwards.
    pub fn show(
        &self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        here: &mut Here<'_>,
        ask: &mut Ask<'_>,
    ) -> ControlFlow<(), Counterexample> {
        let (site, mark) = (here.site, here.mark);
        let second = self.tuple.second.map(|(_, second)| second.object);
        let roots = |first: Ref| -> Vec<Ref> { std::iter::once(first).chain(second).collect() };
        let both;
        let before = match second {
            Some(_) => {
                both = reader.read_all(vm, &roots(site.space.root));
                &both
            }
            None => here.snapshot(vm, reader),
        };
        let judgement = self
            .judge
            .judge(vm, site, self.operation, self.tuple, ask)?;
        let failure = self.failure;
        let place = vm.running_at().into_iter().next();
        let after = judgement.notes.made.unwrap_or(site.space.root);
        let after = match self.operation.stands_alone() && judgement.notes.made.is_none() {
            true => Structure::default(),
            false => reader.read_all(vm, &roots(after)).structure,
        };
        let reason = self.reason(vm, site, failure, &judgement, place);
        let ended = self.outcome(vm, reader, before, &judgement.ended);
        vm.undo_to(mark);
        let argument = second.and_then(|second| before.numbers.get(&second).copied());
        let literals = self
            .tuple
            .arguments
            .iter()
            .map(|argument| match argument.literal {
                Literal::Value(Value::Ref(_)) => {
                    let number = before.numbers.get(&Ref::from_slot(argument.slot));
                    Literal::Value(number.map_or(Value::Null, |&number| Value::Ref(number)))
                }
                ref other => other.clone(),
            });
        let call = Call {
            method: Arc::clone(&self.operation.sig),
            args: literals.collect(),
            outcome: self.required(vm, failure, &ended, &judgement.notes, argument),
            invariant_holds_after: true,
            label: Label::default(),
        };
        let before = before.structure.clone();
        ControlFlow::Continue(Counterexample {
            method: self.operation.name.clone(),
            kind: failure.kind().to_owned(),
            reason,
            ended: match (&judgement.ended, &ended) {
                (Exit::Threw(_), Some(Outcome::Threw { class })) => format!("threw {}", class.name),
                (_, Some(Outcome::Returned(literal))) => {
                    format!("returned {}", before.shown(literal))
                }
                (_, Some(Outcome::ReturnedObject { class })) => {
                    let class = class.as_deref().unwrap_or("object");
                    format!("returned an {class}")
                }
                (_, Some(_)) => "returned".to_owned(),
                (_, None) => "did not end".to_owned(),
            },
            before,
            after,
            runs: Count::ONE,
            call,
        })
    }

    /// How the call ended; none if it did not.
    fn outcome(
        &self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        before: &Snapshot,
        ended: &Exit,
    ) -> Option<Outcome> {
        match ended {
            Exit::Done(slot) => {
                if self.operation.role == Role::Constructor || self.operation.asked.is_some() {
                    return Some(Outcome::ReturnedVoid);
                }
                let kind = vm.method(self.operation.method).result;
                Some(returned(vm, reader, before, kind, *slot))
            }
            Exit::Threw(exception) => {
                let class = vm.heap.class_of(*exception);
                Some(Outcome::Threw {
                    class: reader.class_sig(vm, class),
                })
            }
            _ => None,
        }
    }

    /// What a test asserts so that it fails.
    fn required(
        &self,
        vm: &Vm,
        failure: Failure,
        ended: &Option<Outcome>,
        notes: &Notes,
        argument: Option<usize>,
    ) -> Outcome {
        Outcome::Failed(match failure {
            Failure::BreaksArgument => Requirement::KeepsArgument {
                argument: argument.unwrap_or_default(),
                thrown: match ended {
                    Some(Outcome::Threw { class }) => Some(Arc::clone(class)),
                    _ => None,
                },
            },
            Failure::BreaksInvariant | Failure::InvariantThrows(_) if notes.made.is_some() => {
                Requirement::MakesValid
            }
            Failure::BreaksInvariant | Failure::InvariantThrows(_) => match ended {
                Some(threw @ Outcome::Threw { .. }) => return threw.clone(),
                _ => Requirement::KeepsInvariant,
            },
            Failure::DoesNotEnd | Failure::InvariantDoesNotEnd | Failure::ExhaustsMemory => {
                Requirement::Ends
            }
            Failure::Throws(class) if vm.class_name(class) == "java/lang/OutOfMemoryError" => {
                Requirement::DoesNotThrow(vm.binary_name(class))
            }
            Failure::Throws(_) => Requirement::Returns,
            Failure::FailsOracle => match self.operation.oracle {
                Some(oracle) => {
                    let owner = vm.method(oracle).class;
                    Requirement::Satisfies(Arc::new(method_sig(vm, owner, oracle)))
                }
                None => Requirement::Returns,
            },
            Failure::Disagrees => match (&self.operation.twin, &notes.disagreement) {
                (Some(twin), Some(what)) => {
                    Requirement::Agrees(Arc::new(twin.counterpart(vm, what)))
                }
                _ => Requirement::Returns,
            },
            Failure::BreaksContract(_) => match self.operation.asked {
                Some(asked) => Requirement::Keeps(asked.contract),
                None => Requirement::Returns,
            },
        })
    }
}
