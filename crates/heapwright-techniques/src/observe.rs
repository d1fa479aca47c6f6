//! Calling the methods under test on a structure and saying what came of it.

use std::sync::Arc;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{Choosing, ClassId, Exit, MethodId, Ref, Vm};
use heapwright_suite::{Call, Literal, MethodSig, Outcome, Value};

use crate::Error;
use crate::bounds::{Bounds, Range};
use crate::read::{Snapshot, StructureReader, value};
use crate::target::{Callable, methods};

/// An argument that does not depend on the structure.
#[derive(Clone)]
struct Argument {
    slot: u64,
    literal: Literal,
}

/// A method under test with what each of its parameters ranges over.
struct Prepared {
    method: MethodId,
    sig: Arc<MethodSig>,
    parameters: Vec<Parameter>,
}

enum Parameter {
    /// These values, `wide` ones taking two words.
    Values {
        arguments: Vec<Argument>,
        wide: bool,
    },
    /// Null and every object of the structure that is of this class.
    Objects(ClassId),
}

/// Calls methods on structures.
pub struct Observer {
    invariant: MethodId,
    methods: Vec<Prepared>,
    step_limit: u64,
    /// Calls whose outcome no test can assert: they ended in no answer, depended on identity hash
    /// codes, or failed an assertion, which tests may run without.
    pub dropped: u64,
}

impl Observer {
    /// An observer of `callables`, with arguments from the bounds. A call may take `step_limit`
    /// instructions.
    ///
    /// # Errors
    /// A class of a parameter cannot be used.
    pub fn new(
        vm: &mut Vm,
        class: ClassId,
        invariant: MethodId,
        callables: &[Callable],
        bounds: &Bounds,
        step_limit: u64,
    ) -> Result<Observer, Error> {
        let mut prepared = Vec::new();
        for callable in callables {
            let mut parameters = Vec::new();
            for descriptor in &callable.parameters {
                parameters.push(parameter(vm, descriptor, bounds)?);
            }
            let sig = Arc::new(method_sig(vm, class, callable.method));
            prepared.push(Prepared {
                method: callable.method,
                sig,
                parameters,
            });
        }
        Ok(Observer {
            invariant,
            methods: prepared,
            step_limit,
            dropped: 0,
        })
    }

    /// Makes every call on the structure at `root`, each on a fresh copy: the machine goes back
    /// after each. Afterwards it stands where it stood before.
    pub fn observe(
        &mut self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        root: Ref,
        snapshot: &Snapshot,
    ) -> Vec<Call> {
        let mut calls = Vec::new();
        for index in 0..self.methods.len() {
            let tuples = self.methods[index].tuples(vm, snapshot);
            for arguments in tuples {
                match self.call(vm, reader, root, snapshot, index, &arguments) {
                    Some(call) => calls.push(call),
                    None => self.dropped += 1,
                }
            }
        }
        calls
    }

    fn call(
        &self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        root: Ref,
        snapshot: &Snapshot,
        index: usize,
        arguments: &[Argument],
    ) -> Option<Call> {
        let mut run = |identity_offset: u32| {
            let mark = vm.mark();
            vm.skip_identity_hashes(identity_offset);
            let before = vm.identity_hashes();
            let observed = self.run_call(vm, reader, root, snapshot, index, arguments);
            let used_hashes = vm.identity_hashes() != before;
            vm.undo_to(mark);
            vm.forget(mark);
            observed.map(|(outcome, holds)| (outcome, holds, used_hashes))
        };
        let (outcome, invariant_holds_after, used_hashes) = run(0)?;
        // What depends on identity hash codes comes out differently with others.
        if used_hashes && run(1_000_003)?.0 != outcome {
            return None;
        }
        Some(Call {
            method: Arc::clone(&self.methods[index].sig),
            args: arguments
                .iter()
                .map(|argument| argument.literal.clone())
                .collect(),
            outcome,
            invariant_holds_after,
        })
    }

    fn run_call(
        &self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        root: Ref,
        snapshot: &Snapshot,
        index: usize,
        arguments: &[Argument],
    ) -> Option<(Outcome, bool)> {
        let prepared = &self.methods[index];
        let mut slots = vec![root.slot()];
        for (argument, parameter) in arguments.iter().zip(&prepared.parameters) {
            slots.push(argument.slot);
            if matches!(parameter, Parameter::Values { wide: true, .. }) {
                slots.push(0);
            }
        }
        vm.limit_steps(self.step_limit);
        let selected = vm.select(vm.heap.class_of(root), prepared.method)?;
        let exit = match vm.call(selected, &slots) {
            Ok(()) => vm.run(&mut Choosing),
            Err(exit) => exit,
        };
        let outcome = match exit {
            Exit::Done(slot) => returned(
                vm,
                reader,
                snapshot,
                vm.method(prepared.method).result,
                slot,
            ),
            Exit::Threw(exception) => {
                let class = vm.heap.class_of(exception);
                if vm.class_name(class) == "java/lang/AssertionError" {
                    return None;
                }
                Outcome::Threw {
                    class: reader.class_sig(vm, class),
                }
            }
            _ => {
                vm.abandon();
                return None;
            }
        };
        vm.limit_steps(self.step_limit);
        let exit = match vm.call(self.invariant, &[root.slot()]) {
            Ok(()) => vm.run(&mut Choosing),
            Err(exit) => exit,
        };
        match exit {
            Exit::Done(answer) => Some((outcome, answer != 0)),
            _ => {
                vm.abandon();
                None
            }
        }
    }
}

impl Prepared {
    /// All combinations of arguments on a structure.
    fn tuples(&self, vm: &Vm, snapshot: &Snapshot) -> Vec<Vec<Argument>> {
        let mut tuples: Vec<Vec<Argument>> = vec![Vec::new()];
        for parameter in &self.parameters {
            let values = match parameter {
                Parameter::Values { arguments, .. } => arguments.clone(),
                Parameter::Objects(class) => objects_of(vm, snapshot, *class),
            };
            tuples = tuples
                .into_iter()
                .flat_map(|tuple| {
                    values.iter().map(move |value| {
                        let mut longer = tuple.clone();
                        longer.push(value.clone());
                        longer
                    })
                })
                .collect();
        }
        tuples
    }
}

fn objects_of(vm: &Vm, snapshot: &Snapshot, class: ClassId) -> Vec<Argument> {
    let mut found: Vec<(usize, Ref)> = snapshot
        .numbers
        .iter()
        .filter(|(object, _)| vm.is_subclass(vm.heap.class_of(**object), class))
        .map(|(&object, &number)| (number, object))
        .collect();
    found.sort_unstable_by_key(|&(number, _)| number);
    let null = Argument {
        slot: 0,
        literal: Literal::Value(Value::Null),
    };
    let objects = found.into_iter().map(|(number, object)| Argument {
        slot: object.slot(),
        literal: Literal::Value(Value::Ref(number)),
    });
    std::iter::once(null).chain(objects).collect()
}

fn parameter(vm: &mut Vm, descriptor: &str, bounds: &Bounds) -> Result<Parameter, Error> {
    let kind = Kind::of(descriptor);
    if kind != Kind::Reference {
        let arguments = primitive_values(kind, bounds)
            .into_iter()
            .map(|slot| Argument {
                slot,
                literal: Literal::Value(value(kind, slot, |_| Value::Null)),
            })
            .collect();
        return Ok(Parameter::Values {
            arguments,
            wide: kind.words() == 2,
        });
    }
    let null = Argument {
        slot: 0,
        literal: Literal::Value(Value::Null),
    };
    let boxed = Kind::NEWARRAY
        .into_iter()
        .find(|kind| format!("L{};", kind.box_class()) == descriptor);
    let boxed = match descriptor {
        "Ljava/lang/Object;" | "Ljava/lang/Number;" | "Ljava/lang/Comparable;" => Some(Kind::Int),
        _ => boxed,
    };
    if let Some(kind) = boxed {
        let mut arguments = vec![null];
        for slot in primitive_values(kind, bounds) {
            let object = vm.boxed(kind, slot).map_err(Error::Bounds)?;
            let literal = Literal::Boxed(value(kind, slot, |_| Value::Null));
            arguments.push(Argument {
                slot: object.slot(),
                literal,
            });
        }
        return Ok(Parameter::Values {
            arguments,
            wide: false,
        });
    }
    if descriptor == "Ljava/lang/String;" {
        let mut arguments = vec![null];
        for text in ["", "a", "b"] {
            let object = vm
                .new_string(text)
                .map_err(|_| Error::Bounds("no memory for strings".to_owned()))?;
            arguments.push(Argument {
                slot: object.slot(),
                literal: Literal::String(text.to_owned()),
            });
        }
        return Ok(Parameter::Values {
            arguments,
            wide: false,
        });
    }
    if descriptor.starts_with('[') {
        return Ok(Parameter::Values {
            arguments: vec![null],
            wide: false,
        });
    }
    let class =
        crate::target::find_class(vm, &descriptor::class_name(descriptor).replace('/', "."))?;
    Ok(Parameter::Objects(class))
}

/// The values an argument of a primitive kind takes: those of the bounds of that kind, else those
/// of the bounds of integers, else 0 and 1.
fn primitive_values(kind: Kind, bounds: &Bounds) -> Vec<u64> {
    if kind == Kind::Boolean {
        return vec![0, 1];
    }
    let own = match kind {
        Kind::Float | Kind::Double => floating_values(kind, bounds),
        _ => bounds.values_of(kind),
    };
    if !own.is_empty() {
        return own;
    }
    let ints: Vec<i32> = match bounds.values_of(Kind::Int) {
        ints if ints.is_empty() => vec![0, 1],
        ints => ints.into_iter().map(|slot| slot as u32 as i32).collect(),
    };
    let mut slots: Vec<u64> = ints
        .into_iter()
        .map(|int| match kind {
            Kind::Byte => u64::from(i32::from(int as i8) as u32),
            Kind::Short => u64::from(i32::from(int as i16) as u32),
            Kind::Char => u64::from('a' as u32).wrapping_add(int as u64) & 0xFFFF,
            Kind::Long => i64::from(int) as u64,
            Kind::Float => u64::from((int as f32).to_bits()),
            Kind::Double => f64::from(int).to_bits(),
            _ => u64::from(int as u32),
        })
        .collect();
    slots.dedup();
    slots
}

fn floating_values(kind: Kind, bounds: &Bounds) -> Vec<u64> {
    let mut values = Vec::new();
    for field in &bounds.fields {
        if let Range::Slots(range, slots) = &field.range
            && *range == kind
        {
            values.extend(
                slots
                    .iter()
                    .copied()
                    .filter(|slot| !values.contains(slot))
                    .collect::<Vec<_>>(),
            );
        }
    }
    values
}

/// What a call that returned gave.
fn returned(
    vm: &mut Vm,
    reader: &mut StructureReader,
    snapshot: &Snapshot,
    kind: Kind,
    slot: u64,
) -> Outcome {
    match kind {
        Kind::Void => return Outcome::ReturnedVoid,
        Kind::Reference => {}
        kind => return Outcome::Returned(Literal::Value(value(kind, slot, |_| Value::Null))),
    }
    let object = Ref::from_slot(slot);
    if object.is_null() {
        return Outcome::Returned(Literal::Value(Value::Null));
    }
    if vm.class_name(vm.heap.class_of(object)) == "java/lang/String" {
        let text = vm.string_text(object);
        // Text with unpaired surrogates cannot be written down.
        if text.encode_utf16().eq(vm.string_units(object)) {
            return Outcome::Returned(Literal::String(text));
        }
    }
    if let Some((kind, slot)) = vm.unboxed(object) {
        return Outcome::Returned(Literal::Boxed(value(kind, slot, |_| Value::Null)));
    }
    if let Some(&number) = snapshot.numbers.get(&object) {
        return Outcome::Returned(Literal::Value(Value::Ref(number)));
    }
    let read = reader.read(vm, object).structure;
    match &read.objects[0].body {
        heapwright_suite::Body::EnumConstant(name) => Outcome::Returned(Literal::EnumConstant {
            class: Arc::clone(&read.objects[0].class),
            name: name.clone(),
        }),
        _ => {
            let class = vm.heap.class_of(object);
            // Lambdas and library classes are named differently, or not at all, elsewhere.
            let class = vm.is_app_class(class).then(|| vm.binary_name(class));
            Outcome::ReturnedObject { class }
        }
    }
}

fn method_sig(vm: &Vm, class: ClassId, method: MethodId) -> MethodSig {
    let this = vm.method(method);
    let parameters = |method: MethodId| {
        descriptor::split_method(vm.text(vm.method(method).descriptor))
            .map_or(0, |(parameters, _)| parameters.len())
    };
    let is_overloaded = methods(vm, class).into_iter().any(|other| {
        other != method
            && vm.method(other).name == this.name
            && parameters(other) == parameters(method)
    });
    let exceptions = vm.class(this.class).file.as_ref().and_then(|file| {
        let info = file.info.methods.get(this.index? as usize)?;
        Some(
            info.exceptions
                .iter()
                .map(|&name| vm.text(name).replace('/', "."))
                .collect(),
        )
    });
    // An inherited method of a generic class may take narrower types than it is erased to.
    let declared_generic = vm
        .class(this.class)
        .file
        .as_ref()
        .and_then(|file| file.info.signature)
        .is_some_and(|signature| vm.text(signature).starts_with('<'));
    MethodSig {
        declaring_class: vm.binary_name(this.class),
        name: vm.text(this.name).to_owned(),
        descriptor: vm.text(this.descriptor).to_owned(),
        is_static: this.is_static(),
        is_accessible: this.flags & flags::PRIVATE == 0
            && (this.class == class || !declared_generic),
        is_overloaded,
        exceptions: exceptions.unwrap_or_default(),
    }
}
