//! Calling the methods under test on a structure and saying what came of it.

use std::sync::Arc;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{Choosing, ClassId, Exit, MethodId, Ref, Vm};
use heapwright_suite::{Body, Call, Label, Literal, MethodSig, Object, Outcome, Value};

use crate::Error;
use crate::arguments::{Argument, Parameter, slots, tuples};
use crate::bounds::Bounds;
use crate::read::{Snapshot, StructureReader, is_generic, value};
use crate::target::{Callable, methods};

/// A method under test with what each of its parameters ranges over.
pub struct Observed {
    /// The method.
    pub method: MethodId,
    /// The same for tests.
    pub sig: Arc<MethodSig>,
    /// What its parameters range over.
    pub parameters: Vec<Parameter>,
}

/// Calls methods on structures.
pub struct Observer {
    invariant: Option<MethodId>,
    methods: Vec<Observed>,
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
        let reader = &mut StructureReader::new(vm, class);
        let mut prepared = Vec::new();
        for callable in callables {
            let mut parameters = Vec::new();
            for descriptor in &callable.parameters {
                parameters.push(Parameter::of(vm, reader, descriptor, bounds)?);
            }
            let sig = Arc::new(method_sig(vm, class, callable.method));
            prepared.push(Observed {
                method: callable.method,
                sig,
                parameters,
            });
        }
        Ok(Observer::of(Some(invariant), prepared, step_limit))
    }

    /// An observer of methods whose parameters are given. Without an invariant it counts as one that
    /// always holds.
    #[must_use]
    pub fn of(invariant: Option<MethodId>, methods: Vec<Observed>, step_limit: u64) -> Observer {
        Observer {
            invariant,
            methods,
            step_limit,
            dropped: 0,
        }
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
            let tuples = tuples(vm, &self.methods[index].parameters, snapshot);
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
            label: Label::default(),
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
        let slots = slots(root, &prepared.parameters, arguments);
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
        let Some(invariant) = self.invariant else {
            return Some((outcome, true));
        };
        vm.limit_steps(self.step_limit);
        let exit = match vm.call(invariant, &[root.slot()]) {
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

/// What a call that returned gave.
pub(crate) fn returned(
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
    let constant = |object: &Object| match &object.body {
        Body::EnumConstant(name) => Some(Outcome::Returned(Literal::EnumConstant {
            class: Arc::clone(&object.class),
            name: name.clone(),
        })),
        _ => None,
    };
    if let Some(&number) = snapshot.numbers.get(&object) {
        if let Some(constant) = constant(&snapshot.structure.objects[number]) {
            return constant;
        }
        return Outcome::Returned(Literal::Value(Value::Ref(number)));
    }
    let read = reader.read(vm, object).structure;
    constant(&read.objects[0]).unwrap_or_else(|| {
        let class = vm.heap.class_of(object);
        // Lambdas and library classes are named differently, or not at all, elsewhere.
        let class = vm.is_app_class(class).then(|| vm.binary_name(class));
        Outcome::ReturnedObject { class }
    })
}

pub(crate) fn method_sig(vm: &Vm, class: ClassId, method: MethodId) -> MethodSig {
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
    // An inherited method of a generic class may take narrower types than it is erased to, unless the
    // class is generic too: what a raw type inherits is erased.
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
            && (this.class == class || !declared_generic || is_generic(vm, class)),
        is_overloaded,
        exceptions: exceptions.unwrap_or_default(),
    }
}
