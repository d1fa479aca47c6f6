//! Counterexamples: for each method and kind of failure, the call on the smallest structure.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use heapwright_explore::Count;
use heapwright_jvm::{Exit, Ref, Vm};
use heapwright_suite::{
    Body, Call, CallOutcome, Case, Label, Literal, Requirement, Structure, Value,
};
use serde::{Deserialize, Serialize};

use super::CurrentStructure;
use super::calls::{MethodUnderTest, Tuple};
use super::judge::{CallFailure, ContinueCallback, Judge, JudgementDetails};
use crate::observe::{method_sig, returned};
use crate::read::{Snapshot, StructureReader};

/// Failing call.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Counterexample {
    /// The method with its parameter types: `remove(int)`.
    pub method: String,
    /// Machine-readable name of the kind of failure.
    pub kind: String,
    /// Description of the failure, as the predicate of a sentence whose subject is the call.
    pub reason: String,
    /// Outcome of the call: `returned true`.
    pub ended: String,
    /// The structure before the call.
    pub before: Structure,
    /// The structure when the run had ended or was stopped.
    pub after: Structure,
    /// Runs of this method that failed in this way.
    #[serde(with = "crate::digits")]
    pub runs: Count,
    /// The call with its violated requirement.
    call: Call,
}

impl Counterexample {
    /// Arguments as readable texts.
    #[must_use]
    pub fn arguments(&self) -> Vec<String> {
        let args = self.call.args.iter();
        args.map(|literal| self.before.shown(literal)).collect()
    }

    /// The call with its arguments: `remove(1)`.
    #[must_use]
    pub fn call_text(&self) -> String {
        // A contract of `hashCode` is stated by the result of `equals`.
        let name = match &self.call.outcome {
            CallOutcome::Failed(Requirement::Keeps(_)) => &self.call.method.name,
            _ => self.method.split('(').next().unwrap_or_default(),
        };
        format!("{name}({})", self.arguments().join(", "))
    }

    /// Returns a test that repeats the call and fails.
    #[must_use]
    pub fn case(&self) -> Case {
        Case {
            input: self.before.clone(),
            construction: None,
            calls: vec![self.call.clone()],
        }
    }
}

/// Smallest counterexample so far of a method and a kind of failure.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SmallestCounterexample {
    operation: usize,
    /// The failure, on the machine that found it.
    #[serde(skip)]
    failure: Option<CallFailure>,
    /// Binary name of the exception's class, if any; class numbers differ between machines.
    thrown: Option<String>,
    /// Size of the structure that the call is made on.
    own: StructureSize,
    /// Total size, including the structure that is an argument.
    size: StructureSize,
    /// Start of the part of the search in which it was found.
    place: Vec<i64>,
    counterexample: Counterexample,
}

impl SmallestCounterexample {
    fn is_of(&self, operation: usize, failure: CallFailure) -> bool {
        self.operation == operation && self.failure == Some(failure)
    }

    /// Whether both findings have the same method and kind of failure.
    fn is_like(&self, other: &SmallestCounterexample) -> bool {
        let what = |finding: &SmallestCounterexample| (finding.operation, finding.thrown.clone());
        what(self) == what(other) && self.counterexample.kind == other.counterexample.kind
    }

    /// Whether it shows a fault. Compares the name of the kind, as findings of other machines have
    /// nothing else.
    fn is_fault(&self) -> bool {
        self.counterexample.kind != CallFailure::ExhaustsMemory.kind()
    }

    /// Whether the method itself throws, in a call or in the check of a contract.
    fn throws_itself(&self) -> bool {
        matches!(
            self.counterexample.kind.as_str(),
            "throws" | "breaks-contract"
        )
    }

    /// Replaces the finding by a smaller one and adds up their runs.
    fn replace(&mut self, smaller: SmallestCounterexample) {
        let runs = std::mem::take(&mut self.counterexample.runs);
        *self = smaller;
        self.counterexample.runs += &runs;
    }
}

/// Size of a structure: its reachable objects; ties are broken by the elements of its arrays.
pub(super) type StructureSize = (usize, usize);

pub(super) fn size_of(structure: &Structure) -> StructureSize {
    let elements = structure.objects.iter().map(|object| match &object.body {
        Body::Array(elements) => elements.len(),
        _ => 0,
    });
    (structure.objects.len(), elements.sum())
}

/// Findings so far.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct SmallestCounterexamples(Vec<SmallestCounterexample>);

impl SmallestCounterexamples {
    /// Enters a failure on the structure at the mark. It becomes the finding unless there is one on
    /// a structure no larger.
    pub fn enter(
        &mut self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        here: &mut CurrentStructure<'_>,
        again: FailingCall<'_>,
        ask: &mut ContinueCallback<'_>,
    ) -> ControlFlow<()> {
        let own = size_of(&here.snapshot(vm, reader).structure);
        let second = again.tuple.second.map_or((0, 0), |(_, second)| second.size);
        let size = (own.0 + second.0, own.1 + second.1);
        let is_of = |finding: &SmallestCounterexample| finding.is_of(again.index, again.failure);
        let place = self.0.iter().position(is_of);
        let known = place.map(|place| &mut self.0[place]);
        if let Some(known) = known
            && size >= known.size
        {
            known.counterexample.runs += 1;
            return ControlFlow::Continue(());
        }
        let finding = SmallestCounterexample {
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

    /// Whether a failure is known on a structure no larger than `size`, so that another one is only
    /// counted.
    pub fn knows(&self, operation: usize, failure: CallFailure, size: StructureSize) -> bool {
        let mut found = self.0.iter();
        found.any(|found| found.is_of(operation, failure) && found.size <= size)
    }

    /// Counts further runs with a known failure.
    pub fn count(&mut self, operation: usize, failure: CallFailure, runs: &Count) {
        let mut found = self.0.iter_mut();
        if let Some(found) = found.find(|found| found.is_of(operation, failure)) {
            found.counterexample.runs += runs;
        }
    }

    /// Size of the smallest structure on which a method did not end.
    pub fn endless_from(&self, operation: usize) -> Option<StructureSize> {
        let own = self.0.iter().filter(|found| found.operation == operation);
        own.filter(|found| found.failure.is_some_and(CallFailure::is_endless))
            .map(|found| found.own)
            .min()
    }

    /// Adds later findings, possibly of another machine.
    pub fn add(&mut self, later: SmallestCounterexamples) {
        for finding in later.0 {
            let known = self.0.iter_mut().find(|known| known.is_like(&finding));
            match known {
                Some(known) if finding.size < known.size => known.replace(finding),
                Some(known) => known.counterexample.runs += &finding.counterexample.runs,
                None => self.0.push(finding),
            }
        }
    }

    /// Adds the findings of another shard; among findings of equal size, the first in the search
    /// order is retained.
    pub fn add_shard(&mut self, other: SmallestCounterexamples) {
        for finding in other.0 {
            let known = self.0.iter_mut().find(|known| known.is_like(&finding));
            let rank = |finding: &SmallestCounterexample| (finding.size, finding.place.clone());
            match known {
                Some(known) if rank(&finding) < rank(known) => known.replace(finding),
                Some(known) => known.counterexample.runs += &finding.counterexample.runs,
                None => self.0.push(finding),
            }
        }
        self.0.sort_by(|one, other| one.place.cmp(&other.place));
    }

    /// Sets the part of the search in which all findings were found.
    pub fn set_place(&mut self, place: &[i64]) {
        for finding in &mut self.0 {
            finding.place = place.to_vec();
        }
    }

    /// Replaces the findings of some methods.
    pub fn replace(&mut self, operations: &[usize], again: SmallestCounterexamples) {
        self.0
            .retain(|finding| !operations.contains(&finding.operation));
        self.0.extend(again.0);
    }

    /// Returns faults, or findings by limits alone. The order is by size of the structure, then by
    /// method, then by discovery. A method's calls and contracts that fail by the same exception
    /// are represented by the first finding.
    pub fn smallest_first(&self, are_faults: bool) -> Vec<&Counterexample> {
        let is_wanted = |finding: &&SmallestCounterexample| finding.is_fault() == are_faults;
        let mut found: Vec<&SmallestCounterexample> = self.0.iter().filter(is_wanted).collect();
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

/// Failing call that is repeated for its report.
pub(super) struct FailingCall<'a> {
    pub judge: &'a Judge,
    pub index: usize,
    pub failure: CallFailure,
    pub operation: &'a MethodUnderTest,
    pub tuple: &'a Tuple,
}

impl FailingCall<'_> {
    /// Builds the counterexample. The machine is at the mark before and afterwards.
    pub fn show(
        &self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        here: &mut CurrentStructure<'_>,
        ask: &mut ContinueCallback<'_>,
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
        let after = match self.operation.is_independent() && judgement.notes.made.is_none() {
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
            then: Vec::new(),
            label: Label::default(),
        };
        let before = before.structure.clone();
        ControlFlow::Continue(Counterexample {
            method: self.operation.name.clone(),
            kind: failure.kind().to_owned(),
            reason,
            ended: match (&judgement.ended, &ended) {
                (Exit::Threw(_), Some(CallOutcome::Threw { class, .. })) => {
                    format!("threw {}", class.name)
                }
                (_, Some(CallOutcome::Returned(literal))) => {
                    format!("returned {}", before.shown(literal))
                }
                (_, Some(CallOutcome::ReturnedObject { class })) => {
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

    /// Outcome of the call; `None` if it did not end.
    fn outcome(
        &self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        before: &Snapshot,
        ended: &Exit,
    ) -> Option<CallOutcome> {
        match ended {
            Exit::Done(slot) => {
                if self.operation.call.is_constructor() || self.operation.asked.is_some() {
                    return Some(CallOutcome::ReturnedVoid);
                }
                let kind = vm.method(self.operation.call.method).result;
                Some(returned(vm, reader, before, kind, *slot))
            }
            Exit::Threw(exception) => {
                let class = vm.heap.class_of(*exception);
                Some(CallOutcome::Threw {
                    class: reader.class_sig(vm, class),
                    refuses: false,
                })
            }
            _ => None,
        }
    }

    /// Requirement that a test asserts and that fails.
    fn required(
        &self,
        vm: &Vm,
        failure: CallFailure,
        ended: &Option<CallOutcome>,
        notes: &JudgementDetails,
        argument: Option<usize>,
    ) -> CallOutcome {
        CallOutcome::Failed(match failure {
            CallFailure::BreaksArgument => Requirement::KeepsArgument {
                argument: argument.unwrap_or_default(),
                thrown: match ended {
                    Some(CallOutcome::Threw { class, .. }) => Some(Arc::clone(class)),
                    _ => None,
                },
            },
            CallFailure::BreaksInvariant | CallFailure::InvariantThrows(_)
                if notes.made.is_some() =>
            {
                Requirement::MakesValid
            }
            CallFailure::BreaksInvariant | CallFailure::InvariantThrows(_) => match ended {
                Some(threw @ CallOutcome::Threw { .. }) => return threw.clone(),
                _ => Requirement::KeepsInvariant,
            },
            CallFailure::DoesNotEnd
            | CallFailure::InvariantDoesNotEnd
            | CallFailure::ExhaustsMemory => Requirement::Ends,
            CallFailure::Throws(class) if vm.class_name(class) == "java/lang/OutOfMemoryError" => {
                Requirement::DoesNotThrow(vm.binary_name(class))
            }
            CallFailure::Throws(_) => Requirement::Returns,
            CallFailure::FailsOracle => match self.operation.oracle {
                Some(oracle) => {
                    let owner = vm.method(oracle).class;
                    Requirement::Satisfies(Arc::new(method_sig(vm, owner, oracle)))
                }
                None => Requirement::Returns,
            },
            CallFailure::Disagrees => match (&self.operation.twin, &notes.disagreement) {
                (Some(twin), Some(what)) => {
                    Requirement::Agrees(Arc::new(twin.counterpart(vm, what)))
                }
                _ => Requirement::Returns,
            },
            CallFailure::BreaksContract(_) => match self.operation.asked {
                Some(asked) => Requirement::Keeps(asked.contract),
                None => Requirement::Returns,
            },
        })
    }
}
