//! Assertions of a test after its last call: results of observers, and values of fields.

use std::sync::Arc;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{Choosing, ClassId, Exit, MethodId, Ref, Vm};
use heapwright_suite::{
    CallOutcome, FieldAccess, Input as Argument, Literal, MethodSig, Observation, Step,
};

use super::replay::ReplayedRun;
use super::statements::field_sig;
use super::writer::ScriptWriter;
use crate::functional::is_stub;
use crate::observe::{method_sig, returned};
use crate::read::Snapshot;
use crate::sequences::model::Concrete;
use crate::statements;
use crate::symbolic::{InputValue, boxed};
use crate::target::{INVARIANT_NAMES, inner_class, methods};

/// Maximum number of observers whose results a test asserts.
pub(super) const MAX_OBSERVERS: usize = 3;

impl ScriptWriter<'_> {
    /// Makes a call and undoes it; returns the outcome and whether the call had effects.
    pub(super) fn asked(
        &mut self,
        vm: &mut Vm,
        method: MethodId,
        slots: &[u64],
    ) -> Option<(Exit, bool)> {
        let mark = vm.mark();
        let visits = vm.visits().len();
        vm.limit_steps(self.step_limit);
        let exit = match vm.call(method, slots) {
            Ok(()) => vm.run(&mut Choosing),
            Err(exit) => exit,
        };
        let has_effects = vm.has_effects_since(mark);
        let visits = vm.visits().iter().skip(visits);
        self.visited.extend(visits.map(|visit| visit.point));
        if !matches!(exit, Exit::Done(_)) {
            vm.abandon();
        }
        vm.undo_to(mark);
        vm.forget(mark);
        vm.limit_steps(u64::MAX);
        Some((exit, has_effects))
    }

    /// Returns the results of observers of an object. An observer is a public method without
    /// effects that returns a value. It has no parameters, or takes the first argument of the call
    /// under test.
    pub(super) fn observe(
        &mut self,
        vm: &mut Vm,
        ran: &ReplayedRun<'_, '_>,
        receiver: usize,
        last: &statements::Statement,
        concrete: &Concrete,
    ) -> Vec<Observation> {
        let Some(object) = ran
            .search
            .object(receiver)
            .filter(|object| !object.is_null())
        else {
            return Vec::new();
        };
        let class = vm.heap.class_of(object);
        if !vm.is_subclass(class, self.class) {
            return Vec::new();
        }
        let own = self.plan.roles[last.invokable].under_test;
        let mut seen = Vec::new();
        for method in methods(vm, class) {
            let this = vm.method(method);
            let hidden = flags::STATIC | flags::ABSTRACT | flags::SYNTHETIC | flags::BRIDGE;
            let name = vm.text(this.name).to_owned();
            let is_inherited = vm.is_app_class(self.class) && !vm.is_app_class(this.class);
            if this.flags & flags::PUBLIC == 0
                || this.flags & hidden != 0
                || is_inherited
                || is_stub(vm, this.class)
                || Some(method) == own
                || !self.quiet.contains(&method)
                || name == "hashCode"
                || name.starts_with('<')
                || INVARIANT_NAMES.contains(&name.as_str())
            {
                continue;
            }
            let text = vm.text(this.descriptor).to_owned();
            let (parameters, result) = descriptor::split_method(&text).unwrap_or_default();
            if !is_told(vm, result) {
                continue;
            }
            let mut slots = vec![object.slot()];
            let arguments = match parameters[..] {
                [] => Vec::new(),
                [only] => match self.first_argument(vm, last, concrete, only) {
                    Some((literal, slot)) => {
                        slots.push(slot);
                        vec![Argument::Literal(literal)]
                    }
                    None => continue,
                },
                _ => continue,
            };
            let Some(selected) = vm.select(class, method) else {
                continue;
            };
            let kind = vm.method(method).result;
            let value = vm.with_mark(|vm| match self.asked(vm, selected, &slots) {
                Some((Exit::Done(_), true)) | None => None,
                Some((Exit::Done(slot), false)) => self.value(vm, selected, &slots, kind, slot),
                Some(_) => None,
            });
            if let Some(value) = value {
                let call = Step {
                    method: self.signature(vm, method),
                    class: self.reader.class_sig(vm, self.class),
                    receiver: Some(receiver),
                    arguments,
                    made: None,
                    spelling: None,
                    is_variadic: false,
                    body: None,
                };
                seen.push(Observation::Call { call, value });
            }
        }
        seen
    }

    /// Returns an observer's result as a literal. An observer that returns a reference runs again,
    /// so that its result exists on the heap.
    pub(super) fn value(
        &mut self,
        vm: &mut Vm,
        method: MethodId,
        slots: &[u64],
        kind: Kind,
        slot: u64,
    ) -> Option<Literal> {
        let mut slot = slot;
        if kind == Kind::Reference {
            let before = vm.identity_hashes();
            vm.limit_steps(self.step_limit);
            let exit = match vm.call(method, slots) {
                Ok(()) => vm.run(&mut Choosing),
                Err(exit) => exit,
            };
            vm.limit_steps(u64::MAX);
            match exit {
                Exit::Done(held) if vm.identity_hashes() == before => slot = held,
                _ => return None,
            }
        }
        match returned(vm, &mut self.reader, &Snapshot::default(), kind, slot) {
            CallOutcome::Returned(literal) => Some(literal),
            _ => None,
        }
    }

    /// Returns the first open value of the call under test, if it has the parameter's type.
    pub(super) fn first_argument(
        &mut self,
        vm: &mut Vm,
        last: &statements::Statement,
        concrete: &Concrete,
        parameter: &str,
    ) -> Option<(Literal, u64)> {
        let place = last
            .arguments
            .iter()
            .position(|argument| *argument == statements::StatementArgument::Open)?;
        let takes = &self.plan.invokables[last.invokable].parameters;
        if takes.get(place)?.descriptor != parameter || Kind::of(parameter).words() == 2 {
            return None;
        }
        let all: usize = concrete
            .statements
            .iter()
            .map(statements::Statement::open)
            .sum();
        let value = &concrete.input.roots.get(all - last.open())?.1;
        let slot = match value {
            InputValue::Primitive(_, slot) => *slot,
            InputValue::Null => 0,
            InputValue::Object(number) => {
                let (kind, slot) = boxed(&concrete.input.objects[*number])?;
                vm.boxed(kind, slot).ok()?.slot()
            }
            InputValue::Constant(..) => return None,
        };
        let literal = self.literal(vm, &concrete.input, value).ok()??;
        Some((literal, slot))
    }

    /// Returns the values of an object's fields that a test can express.
    pub(super) fn fields(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        objects: &[Option<Ref>],
        receiver: usize,
    ) -> Vec<Observation> {
        let Some(object) = objects[receiver].filter(|object| !object.is_null()) else {
            return Vec::new();
        };
        let class = vm.heap.class_of(object);
        let declared = self.declared(vm, concrete, receiver, Some(class));
        let display = vm.class(class).display.clone();
        let fields = display
            .iter()
            .flat_map(|&class| vm.class(class).fields.clone());
        let fields: Vec<heapwright_jvm::class::Field> = fields.collect();
        let mut seen = Vec::new();
        for field in fields {
            // Source code cannot name a synthetic field.
            let is_hidden = field.flags & flags::SYNTHETIC != 0;
            if field.is_static() || is_hidden || !vm.is_app_class(field.class) {
                continue;
            }
            let slot = vm.heap.field(object, field.word);
            if let CallOutcome::Returned(value) = self.returned(vm, objects, field.kind, slot) {
                // The declared type of the variable is preferred if it names the same field. The
                // compiler warns about other references to an auxiliary class of another file.
                let means = |named: &ClassId| {
                    let found = vm.find_field(*named, vm.text(field.name));
                    found.is_some_and(|found| found.class == field.class)
                };
                let named = declared.into_iter().chain([class]).find(means);
                let access = FieldAccess {
                    receiver: Some(receiver),
                    class: self.reader.class_sig(vm, named.unwrap_or(field.class)),
                    field: field_sig(vm, &field),
                };
                seen.push(Observation::Field { access, value });
            }
        }
        seen
    }

    pub(super) fn signature(&mut self, vm: &Vm, method: MethodId) -> Arc<MethodSig> {
        let class = self.class;
        let known = self.signatures.entry(method);
        Arc::clone(known.or_insert_with(|| Arc::new(method_sig(vm, class, method))))
    }
}

/// Whether a test can express a result of this type: a primitive, a box, a string, or an enum
/// constant.
fn is_told(vm: &Vm, result: &str) -> bool {
    match Kind::of(result) {
        Kind::Void => false,
        Kind::Reference => {
            let name = descriptor::class_name(result);
            descriptor::is_value_class(name)
                || name == "java/lang/Object"
                || !result.starts_with('[')
                    && (vm.loaded_class(name)).is_some_and(|class| is_nameable_enum(vm, class))
        }
        _ => true,
    }
}

/// Whether a class is an enum that tests in any package can name.
fn is_nameable_enum(vm: &Vm, class: ClassId) -> bool {
    let bits = inner_class(vm, class).map_or(vm.class(class).flags, |inner| inner.flags);
    bits & flags::ENUM != 0 && bits & flags::PUBLIC != 0
}
