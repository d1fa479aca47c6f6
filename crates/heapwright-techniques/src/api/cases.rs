//! Test cases of structures built by calls: the sequence, then the outcome of each method on the
//! structure. Failing calls become test cases that repeat them.

use std::sync::Arc;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Choosing, ClassId, Exit, MethodId, Ref, Vm};
use heapwright_suite::{
    Call, CallOutcome, Case, InvariantSig, Label, Literal, Requirement, Structure, Value,
};

use super::operations::{self, ApiOperation, OperandSource};
use super::violations;
use super::{Break, CallFault, CallFinding, Pools, Prepared, Sequence, StructureRef};
use crate::Error;
use crate::arguments::{Argument, Parameter};
use crate::functional::is_stub;
use crate::observe::{CallsLeftOut, ObservedMethod, Observer, invariant_sig, method_sig};
use crate::parts::StopCheck;
use crate::read::StructureReader;
use crate::target::{NO_INVARIANT, find_invariant};

/// Most structures that a parameter of a method under test is given: the first ones of each class.
const MAX_STRUCTURES: usize = 3;

/// Creates test cases on one machine.
pub struct SequenceCases {
    reader: StructureReader,
    observer: Observer,
    invariant: Option<MethodId>,
    step_limit: u64,
    /// Number of structures that break the class's invariant; no methods are called on them.
    pub broken: u64,
}

impl SequenceCases {
    /// Prepares the cases of all public methods of the class under test, for structures of any
    /// origin. The invariant has this name or, if the class has one, a usual name. Observation ends
    /// when `stop` says so. The structures for parameters remain on the machine.
    ///
    /// # Errors
    /// There is no such invariant, a class of a parameter cannot be used, or the heap is full.
    pub fn new(
        vm: &mut Vm,
        prepared: &mut Prepared,
        pools: &Pools,
        invariant: Option<&str>,
        stop: StopCheck,
    ) -> Result<SequenceCases, Error> {
        let classes = prepared.caller.classes.clone();
        let class = classes[0];
        let mut reader = StructureReader::new(vm, class);
        let (all, _) = operations::operations(vm, &classes, &[], &mut prepared.literals)?;
        let is_ours = vm.is_app_class(class);
        let mut methods = Vec::new();
        for operation in &all {
            let declared_by = vm.method(operation.call.method).class;
            if !operation.call.has_receiver()
                || operation.call.class != class
                || is_ours && !vm.is_app_class(declared_by)
            {
                continue;
            }
            let mut parameters = Vec::new();
            let types = operation.call.parameters(vm);
            for ((source, _), descriptor) in operation.sources.iter().skip(1).zip(&types) {
                let arguments = match source {
                    OperandSource::Values(slots) => {
                        values(vm, prepared, Kind::of(descriptor), slots)?
                    }
                    OperandSource::Structures(class) => {
                        structures(vm, prepared, pools, &mut reader, *class)?
                    }
                };
                let wide = Kind::of(descriptor).words() == 2;
                parameters.push(Parameter::Values { arguments, wide });
            }
            methods.push(ObservedMethod {
                method: operation.call.method,
                sig: Arc::new(method_sig(vm, class, operation.call.method)),
                parameters,
            });
        }
        let invariant = match invariant {
            Some(NO_INVARIANT) => None,
            Some(_) => Some(find_invariant(vm, class, invariant)?),
            None => find_invariant(vm, class, None).ok(),
        };
        let step_limit = prepared.caller.step_limit;
        Ok(SequenceCases {
            reader,
            observer: Observer::of(invariant, methods, step_limit, stop),
            invariant,
            step_limit,
            broken: 0,
        })
    }

    /// Returns the class's invariant, if there is one.
    #[must_use]
    pub fn invariant_sig(&self, vm: &Vm) -> Option<InvariantSig> {
        self.invariant.map(|invariant| invariant_sig(vm, invariant))
    }

    /// Returns and resets the calls that are in no test.
    pub fn take_left_out(&mut self) -> CallsLeftOut {
        self.observer.take_left_out()
    }

    /// Creates the case of a structure, including calls that fail. A structure that breaks the
    /// invariant has no calls.
    ///
    /// # Errors
    /// The heap is full.
    pub fn case(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        pools: &Pools,
        built: StructureRef,
    ) -> Result<Case, Break> {
        let made = vm.with_mark(|vm| {
            let root = prepared.caller.make(vm, pools, built)?;
            let snapshot = self.reader.read(vm, root);
            let mut calls = Vec::new();
            if self.holds(vm, root) {
                calls = self.observer.observe(vm, &mut self.reader, root, &snapshot);
            } else {
                self.broken += 1;
            }
            Ok::<_, Break>((snapshot.structure, calls))
        });
        vm.limit_steps(u64::MAX);
        let (input, mut calls) = made?;
        for call in &mut calls {
            forget_parts(vm, &input, call);
        }
        let sequence = Sequence::of(pools, &prepared.caller.operations, built)?;
        Ok(Case {
            input,
            construction: Some(prepared.written(vm, &mut self.reader, &sequence)),
            calls,
        })
    }

    /// Whether the invariant, if there is one, accepts a structure. Restores the machine's state.
    fn holds(&self, vm: &mut Vm, root: Ref) -> bool {
        let Some(invariant) = self.invariant else {
            return true;
        };
        vm.limit_steps(self.step_limit);
        let exit = vm.with_mark(|vm| {
            let exit = match vm.call(invariant, &[root.slot()]) {
                Ok(()) => vm.run(&mut Choosing),
                Err(exit) => exit,
            };
            vm.abandon();
            exit
        });
        matches!(exit, Exit::Done(answer) if answer != 0)
    }

    /// Creates a case that repeats a failing call, or a check that its structure fails. `None` if
    /// one call cannot show the fault.
    ///
    /// # Errors
    /// The heap is full.
    pub fn reproducer(
        vm: &mut Vm,
        prepared: &mut Prepared,
        pools: &Pools,
        finding: &CallFinding,
    ) -> Result<Option<Case>, Break> {
        let requirement = match &finding.fault {
            CallFault::Throws(class) => Requirement::DoesNotThrow(class.clone()),
            CallFault::DoesNotEnd | CallFault::FillsMemory => Requirement::Ends,
            CallFault::Refused(_) | CallFault::Nondeterministic(_) => return Ok(None),
            CallFault::Violates(violation) => {
                return violations::reproducer(vm, prepared, pools, &finding.call, violation);
            }
        };
        let operation = prepared.caller.operations[finding.call.operation].clone();
        let class = prepared.caller.classes[0];
        let mut reader = StructureReader::new(vm, class);
        let mut parents = finding.call.parents.iter();
        let mut sequence = |vm: &mut Vm, built: StructureRef| {
            let sequence = Sequence::of(pools, &prepared.caller.operations, built)?;
            Ok::<_, Break>(prepared.written(vm, &mut reader, &sequence))
        };
        let receiver = operation
            .call
            .has_receiver()
            .then(|| parents.next().copied());
        let receiver = receiver.flatten();
        let construction = receiver.map(|receiver| sequence(vm, receiver));
        let construction = construction.transpose()?;
        let args = arguments(
            vm,
            &operation,
            finding.call.way,
            |vm, kind, slot| match slot {
                Some(slot) => Ok(prepared.literals.written(kind, slot)),
                None => match parents.next() {
                    Some(&parent) => sequence(vm, parent).map(Literal::Made),
                    None => Ok(Literal::Value(Value::Null)),
                },
            },
        )?;
        let mut sig = method_sig(vm, operation.call.class, operation.call.method);
        sig.is_static = !operation.call.has_receiver();
        let call = Call {
            method: Arc::new(sig),
            args,
            outcome: CallOutcome::Failed(requirement),
            invariant_holds_after: true,
            then: Vec::new(),
            label: Label::default(),
        };
        let input = match receiver {
            Some(receiver) => vm.with_mark(|vm| {
                let root = prepared.caller.make(vm, pools, receiver);
                root.map(|root| reader.read(vm, root).structure)
            })?,
            None => Structure::default(),
        };
        Ok(Some(Case {
            input,
            construction,
            calls: vec![call],
        }))
    }
}

/// Returns the arguments of an operation without its receiver. `literal` receives the kind and slot
/// of each, or no slot for a structure.
fn arguments(
    vm: &mut Vm,
    operation: &ApiOperation,
    way: u64,
    mut literal: impl FnMut(&mut Vm, Kind, Option<u64>) -> Result<Literal, Break>,
) -> Result<Vec<Literal>, Break> {
    let mut slots = vec![0; operation.slots.max(1)];
    operation.fill(way, &mut slots);
    let types = operation.call.parameters(vm);
    let first = usize::from(operation.call.has_receiver());
    let sources = operation.sources.iter().skip(first).zip(&types);
    sources
        .map(|((source, at), descriptor)| {
            let slot = matches!(source, OperandSource::Values(_)).then(|| slots[*at]);
            literal(vm, Kind::of(descriptor), slot)
        })
        .collect()
}

/// The values of a parameter. Its arrays and collections are no other parameter's.
fn values(
    vm: &mut Vm,
    prepared: &Prepared,
    kind: Kind,
    slots: &[u64],
) -> Result<Vec<Argument>, Error> {
    let values = slots.iter().map(|&slot| {
        let mutable = match kind {
            Kind::Reference => prepared.literals.mutable.get(&slot),
            _ => None,
        };
        Ok(Argument {
            slot: match mutable {
                Some(mutable) => mutable.make(vm).map_err(Error::Bounds)?.slot(),
                None => slot,
            },
            literal: prepared.literals.written(kind, slot),
        })
    });
    values.collect()
}

/// The first structures of a class and its subclasses, made permanently on the machine.
fn structures(
    vm: &mut Vm,
    prepared: &mut Prepared,
    pools: &Pools,
    reader: &mut StructureReader,
    class: ClassId,
) -> Result<Vec<Argument>, Error> {
    let mut arguments = Vec::new();
    for (pool, this) in (0..).zip(pools.iter()) {
        let Some(made) = vm.loaded_class(&this.class) else {
            continue;
        };
        if !vm.is_subclass(made, class) {
            continue;
        }
        for index in 0..this.len().min(MAX_STRUCTURES) as u32 {
            let built = StructureRef { pool, index };
            let root = prepared.caller.make(vm, pools, built)?;
            let sequence = Sequence::of(pools, &prepared.caller.operations, built);
            let sequence = sequence.map_err(Break::Disk)?;
            arguments.push(Argument {
                slot: root.slot(),
                literal: Literal::Made(prepared.written(vm, reader, &sequence)),
            });
        }
    }
    Ok(arguments)
}

/// Replaces references to objects other than the root, which have no names in a sequence of calls.
fn forget_parts(vm: &Vm, input: &Structure, call: &mut Call) {
    if let CallOutcome::Returned(Literal::Value(Value::Ref(part @ 1..))) = call.outcome {
        let class = &input.objects[part].class.name;
        let loaded = vm.loaded_class(&class.replace('.', "/"));
        let is_ours = loaded.is_some_and(|class| vm.is_app_class(class) && !is_stub(vm, class));
        call.outcome = CallOutcome::ReturnedObject {
            class: is_ours.then(|| class.clone()),
        };
    }
}
