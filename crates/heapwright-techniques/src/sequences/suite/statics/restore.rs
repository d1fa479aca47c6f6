//! Statements that restore a holder's contents: they store a field or elements, or clear a
//! collection.
//!
//! Invariant: the statements restore the state after class initialisation; if that is impossible,
//! the reason is returned.

use std::collections::BTreeSet;

use heapwright_jvm::class::{Shape, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Exit, MethodId, Plain, Ref, Vm};

use super::state::{ChangedState, Holder, MAX_DEPTH, Spot};
use crate::derive::constants_of_initialized;
use crate::sequences::model::Concrete;
use crate::sequences::plan::SearchPlan;
use crate::statements::{
    AccessedField, Invokable, ParameterSpec, Statement, StatementArgument, StatementKind,
};
use crate::symbolic::{Contents, InputValue, RunInput, RunObject};

/// Maximum number of elements restored one by one; more are filled at once if all elements are
/// equal.
const FEW: usize = 3;

/// Returns the statements that restore a holder; `indices` are the changed elements of an array.
pub(super) fn reset(
    vm: &mut Vm,
    plan: &mut SearchPlan,
    holder: &Holder,
    indices: &BTreeSet<u32>,
) -> Result<Concrete, String> {
    let mut steps = Steps {
        plan,
        concrete: Concrete {
            statements: Vec::new(),
            input: RunInput::default(),
        },
    };
    let to = match holder.what {
        ChangedState::Field(..) => holder.path.len() - 1,
        _ => holder.path.len(),
    };
    let object = steps.load(&holder.path[..to]);
    match holder.what {
        ChangedState::Field(slot, kind) => {
            let field = holder.path[to].clone();
            let held = steps.value(vm, slot, kind)?;
            let mut takes = Vec::new();
            if !field.is_static {
                takes.push(ParameterSpec::receiver(descriptor::of_class(
                    vm.class_name(field.class),
                )));
            }
            takes.push(ParameterSpec::argument(&field.descriptor, &field.name));
            let arguments = object.into_iter().chain([held]).collect();
            steps.push(StatementKind::StoreField(field), takes, None, arguments);
        }
        ChangedState::Array(array) => steps.fill(vm, array, object, indices)?,
        ChangedState::Library(library) => steps.clear(vm, library, object)?,
        ChangedState::Inside(class) => {
            let class = vm.binary_name(class);
            return Err(format!("no statement leads to its {class}"));
        }
    }
    Ok(steps.concrete)
}

/// Builder of statements.
struct Steps<'p> {
    plan: &'p mut SearchPlan,
    concrete: Concrete,
}

impl Steps<'_> {
    fn push(
        &mut self,
        what: StatementKind,
        takes: Vec<ParameterSpec>,
        gives: Option<String>,
        arguments: Vec<StatementArgument>,
    ) {
        let invokable = Invokable {
            kind: what,
            parameters: takes,
            result: gives,
            contents: Vec::new(),
            stub: None,
        };
        let known = self
            .plan
            .invokables
            .iter()
            .position(|other| *other == invokable);
        let invokable = known.unwrap_or_else(|| self.plan.add_hidden(invokable));
        self.concrete.statements.push(Statement {
            invokable,
            arguments,
        });
    }

    fn made(&self) -> StatementArgument {
        StatementArgument::Result(self.concrete.statements.len() - 1)
    }

    /// Loads the object reached through a path of fields.
    fn load(&mut self, path: &[AccessedField]) -> Option<StatementArgument> {
        let mut object: Option<StatementArgument> = None;
        for (at, field) in path.iter().enumerate() {
            let owner = at.checked_sub(1).map(|before| &path[before].descriptor);
            let takes = owner.map(|owner| ParameterSpec::receiver(owner.clone()));
            self.push(
                StatementKind::LoadField(field.clone()),
                takes.into_iter().collect(),
                Some(field.descriptor.clone()),
                object.into_iter().collect(),
            );
            object = Some(self.made());
        }
        object
    }

    /// Returns a value as an argument.
    fn value(&mut self, vm: &mut Vm, slot: u64, kind: Kind) -> Result<StatementArgument, String> {
        let object = Ref::from_slot(slot);
        if kind == Kind::Reference
            && !object.is_null()
            && let Some((class, constructor)) = empty_of(vm, object)
        {
            let made = descriptor::of_class(vm.class_name(class));
            self.push(
                StatementKind::constructor(class, constructor),
                Vec::new(),
                Some(made),
                Vec::new(),
            );
            return Ok(self.made());
        }
        let written = written(vm, slot, kind, &mut self.concrete.input.objects, MAX_DEPTH);
        let Some(value) = written else {
            let class = vm.binary_name(vm.heap.class_of(object));
            return Err(format!("no test can make its {class} again"));
        };
        self.concrete.input.roots.push((String::new(), value));
        Ok(StatementArgument::Open)
    }

    /// Restores elements.
    fn fill(
        &mut self,
        vm: &mut Vm,
        array: Ref,
        object: Option<StatementArgument>,
        indices: &BTreeSet<u32>,
    ) -> Result<(), String> {
        let class = vm.heap.class_of(array);
        let kind = vm.array_element_kind(class);
        let name = vm.class_name(class).to_owned();
        let slots: Vec<u64> = (0..vm.heap.array_length(array))
            .map(|index| Spot::Element(array, index).slot(vm))
            .collect();
        let is_uniform = slots.iter().all(|slot| *slot == slots[0]);
        let object: Vec<StatementArgument> = object.into_iter().collect();
        if indices.len() > FEW
            && is_uniform
            && let Some((class, fill)) = filling(vm, kind)
        {
            let taken = vm.text(vm.method(fill).descriptor).to_owned();
            let (takes, _) = descriptor::split_method(&taken).unwrap_or_default();
            let takes = takes
                .iter()
                .map(|taken| ParameterSpec::argument(taken, "value"))
                .collect();
            let value = self.value(vm, slots[0], kind)?;
            let arguments = object.into_iter().chain([value]).collect();
            self.push(
                StatementKind::static_method(class, fill),
                takes,
                None,
                arguments,
            );
            return Ok(());
        }
        for &index in indices {
            let value = self.value(vm, slots[index as usize], kind)?;
            let arguments = object.iter().copied();
            let arguments = arguments
                .chain([value, StatementArgument::Index(index)])
                .collect();
            let takes = vec![
                ParameterSpec::receiver(name.clone()),
                ParameterSpec::argument(&name[1..], "element"),
            ];
            self.push(
                StatementKind::StoreElement(name.clone()),
                takes,
                None,
                arguments,
            );
        }
        Ok(())
    }

    /// Restores a library object: a collection that was empty, or an atomic number.
    fn clear(
        &mut self,
        vm: &mut Vm,
        library: Ref,
        object: Option<StatementArgument>,
    ) -> Result<(), String> {
        let class = vm.heap.class_of(library);
        let mut arguments: Vec<StatementArgument> = object.into_iter().collect();
        let name = vm.class_name(class).to_owned();
        let atomic = match name.as_str() {
            "java/util/concurrent/atomic/AtomicInteger" => Some(("get", "I", Kind::Int)),
            "java/util/concurrent/atomic/AtomicLong" => Some(("get", "J", Kind::Long)),
            "java/util/concurrent/atomic/AtomicBoolean" => Some(("get", "Z", Kind::Boolean)),
            _ => None,
        };
        if let Some((get, taken, kind)) = atomic {
            let set = vm.declared_method(class, "set", &format!("({taken})V"));
            let get = vm.declared_method(class, get, &format!("(){taken}"));
            let held = get.and_then(|get| asked(vm, get, library));
            if let (Some(set), Some(held)) = (set, held) {
                let owner = descriptor::of_class(&name);
                let value = self.value(vm, held, kind)?;
                arguments.push(value);
                let takes = vec![
                    ParameterSpec::receiver(owner),
                    ParameterSpec::argument(taken, "value"),
                ];
                self.push(
                    StatementKind::instance_method(class, set),
                    takes,
                    None,
                    arguments,
                );
                return Ok(());
            }
        }
        let said = vm.binary_name(class);
        let Some((interface, clear)) = clearing(vm, class) else {
            return Err(format!("it holds a {said}, which no statement restores"));
        };
        if !is_empty(vm, interface, library) {
            return Err(format!("its {said} is not empty from the start"));
        }
        let owner = descriptor::of_class(vm.class_name(interface));
        self.push(
            StatementKind::instance_method(interface, clear),
            vec![ParameterSpec::receiver(owner)],
            None,
            arguments,
        );
        Ok(())
    }
}

/// Returns the interface of a collection and its method `clear`.
fn clearing(vm: &mut Vm, class: ClassId) -> Option<(ClassId, MethodId)> {
    ["java/util/Map", "java/util/Collection"]
        .into_iter()
        .find_map(|name| {
            let interface = vm.load_class(name).ok()?;
            let clear = vm.declared_method(interface, "clear", "()V")?;
            vm.is_subclass(class, interface)
                .then_some((interface, clear))
        })
}

fn is_empty(vm: &mut Vm, interface: ClassId, collection: Ref) -> bool {
    let method = vm.declared_method(interface, "isEmpty", "()Z");
    let method = method.and_then(|method| vm.select(vm.heap.class_of(collection), method));
    method.and_then(|method| asked(vm, method, collection)) == Some(1)
}

/// Returns the class and constructor that recreate an empty library collection.
fn empty_of(vm: &mut Vm, object: Ref) -> Option<(ClassId, MethodId)> {
    let class = vm.heap.class_of(object);
    let is_public = |bits: u16| bits & flags::PUBLIC != 0;
    if vm.is_app_class(class) || !is_public(vm.class(class).flags) {
        return None;
    }
    let (interface, _) = clearing(vm, class)?;
    let constructor = vm.declared_method(class, "<init>", "()V")?;
    let is_able = is_public(vm.method(constructor).flags) && is_empty(vm, interface, object);
    is_able.then_some((class, constructor))
}

/// Returns the library method that fills an array.
fn filling(vm: &mut Vm, kind: Kind) -> Option<(ClassId, MethodId)> {
    let class = vm.load_class("java/util/Arrays").ok()?;
    vm.initialize_now(class).ok()?;
    let element = kind.descriptor();
    let fill = vm.declared_method(class, "fill", &format!("([{element}{element})V"))?;
    Some((class, fill))
}

/// Returns the result of a method without parameters, and undoes the call.
fn asked(vm: &mut Vm, method: MethodId, object: Ref) -> Option<u64> {
    vm.with_mark(|vm| {
        let exit = match vm.call(method, &[object.slot()]) {
            Ok(()) => vm.run(&mut Plain),
            Err(exit) => exit,
        };
        match exit {
            Exit::Done(slot) => Some(slot),
            _ => {
                vm.abandon();
                None
            }
        }
    })
}

/// Returns a value in source form, adding its objects to `objects`; `None` if there is no such
/// form.
fn written(
    vm: &Vm,
    slot: u64,
    kind: Kind,
    objects: &mut Vec<RunObject>,
    depth: usize,
) -> Option<InputValue> {
    if kind != Kind::Reference {
        return Some(InputValue::Primitive(kind, slot));
    }
    let object = Ref::from_slot(slot);
    if object.is_null() {
        return Some(InputValue::Null);
    }
    let class = vm.heap.class_of(object);
    let constant = vm.class(class).display.iter().rev().find_map(|&class| {
        let constants = constants_of_initialized(vm, class)?;
        let (name, _) = constants
            .into_iter()
            .find(|constant| constant.1 == object)?;
        Some(InputValue::Constant(vm.binary_name(class), name))
    });
    if constant.is_some() {
        return constant;
    }
    let contents = if vm.class_name(class) == "java/lang/String" {
        let units = vm.string_units(object);
        // Source code cannot contain half a surrogate pair.
        String::from_utf16(&units).ok()?;
        Contents::Text(units)
    } else if let Some((kind, slot)) = vm.unboxed(object) {
        let held = InputValue::Primitive(kind, slot);
        Contents::Fields(vec![(vm.binary_name(class), "value".to_owned(), held)])
    } else if matches!(vm.class(class).shape, Shape::Array(_)) && depth > 0 {
        let kind = vm.array_element_kind(class);
        let mut elements = Vec::new();
        for index in 0..vm.heap.array_length(object) {
            let slot = Spot::Element(object, index).slot(vm);
            elements.push(written(vm, slot, kind, objects, depth - 1)?);
        }
        Contents::Elements(elements)
    } else {
        return None;
    };
    objects.push(RunObject {
        class: vm.binary_name(class),
        contents,
    });
    Some(InputValue::Object(objects.len() - 1))
}
