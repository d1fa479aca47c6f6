//! Invokables: a statement's operation, parameters and result, without its arguments.

use std::sync::Arc;

use heapwright_jvm::{ClassId, MethodId, Vm, descriptor};

use super::{AnonymousClass, AnonymousMethod, CallKind, MethodCall};
use crate::functional::AnswerInput;
use crate::target::needs_outer;

/// A statement without its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invokable {
    /// The operation.
    pub kind: StatementKind,
    /// The parameters: first the receiver, if any, then the declared parameters, the value stored,
    /// or the elements of the array that is created.
    pub parameters: Vec<ParameterSpec>,
    /// The descriptor of the result; `None` if there is none.
    pub result: Option<String>,
    /// The contents of a collection that serves only as an argument; empty for other statements.
    pub contents: Vec<HeldType>,
    /// The stub that is the result, if it is one.
    pub stub: Option<Stub>,
}

impl Invokable {
    /// Returns the call of a constructor or method with its declared parameters.
    #[must_use]
    pub fn of_call(vm: &Vm, call: MethodCall) -> Invokable {
        let own = descriptor::of_class(vm.class_name(call.class));
        let (_, result) = descriptor::split_method(vm.text(vm.method(call.method).descriptor))
            .unwrap_or_default();
        let names = vm.parameter_names(call.method);
        let mut parameters: Vec<ParameterSpec> = Vec::new();
        for (at, descriptor) in call.parameters_in(vm).iter().enumerate() {
            let name = names.get(at).cloned().flatten();
            let name = name.unwrap_or_else(|| format!("arg{at}"));
            parameters.push(ParameterSpec::argument(descriptor, &name));
        }
        let mut result = (result != "V").then(|| result.to_owned());
        match call.kind {
            CallKind::Constructor => {
                let outer = parameters.first_mut();
                if let Some(outer) = outer.filter(|_| needs_outer(vm, call.class)) {
                    *outer = ParameterSpec::receiver(outer.descriptor.clone());
                }
                result = Some(own);
            }
            CallKind::Static => {}
            CallKind::Instance => parameters.insert(0, ParameterSpec::receiver(own)),
        }
        Invokable {
            kind: StatementKind::Call(call),
            parameters,
            result,
            contents: Vec::new(),
            stub: None,
        }
    }
}

impl Invokable {
    /// Returns the fields that the first arguments go to.
    pub fn injected(&self) -> impl Iterator<Item = &AccessedField> {
        self.parameters.iter().map_while(|one| one.injects.as_ref())
    }

    /// Returns the anonymous class of which it creates an object, if its methods follow scripts.
    #[must_use]
    pub fn scripted_stub(&self) -> Option<&AnonymousClass> {
        match &self.stub {
            Some(Stub::Anonymous(class)) if class.is_scripted() => Some(class),
            _ => None,
        }
    }

    /// Whether it calls code of objects whose classes tests cannot name, through the type with
    /// which other statements return them.
    #[must_use]
    pub fn is_of_hidden(&self) -> bool {
        let receiver = self.parameters.first().filter(|first| first.is_receiver);
        receiver.is_some_and(|receiver| receiver.classes.is_some())
    }

    /// Returns what its parameters say about the scripts of a stub's methods: the place of the first
    /// of these parameters, then the methods and inputs.
    pub(crate) fn script_inputs(&self) -> Option<(usize, Vec<(&AnonymousMethod, AnswerInput)>)> {
        let inputs: Vec<(&AnonymousMethod, AnswerInput)> = self.scripted_stub()?.inputs().collect();
        Some((self.parameters.len().checked_sub(inputs.len())?, inputs))
    }
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterSpec {
    /// Its declared type.
    pub descriptor: String,
    /// The parameter's name if the class file has one, else `arg0` and so on; `this` for a
    /// receiver.
    pub name: String,
    /// Whether this is the receiver of a call or access, or the outer object of an inner one. The
    /// argument must then be the result of an earlier statement.
    pub is_receiver: bool,
    /// The classes worth trying where the declared type has very many; `None` for all.
    pub classes: Option<Vec<ClassId>>,
    /// The contents of a collection created for it; empty if none can be created.
    pub contents: Vec<HeldType>,
    /// The field of the new object that gets the argument when the constructor has returned. Such
    /// parameters come before those declared.
    pub injects: Option<AccessedField>,
}

impl ParameterSpec {
    pub(crate) fn receiver(descriptor: String) -> ParameterSpec {
        ParameterSpec {
            descriptor,
            name: "this".to_owned(),
            is_receiver: true,
            classes: None,
            contents: Vec::new(),
            injects: None,
        }
    }

    /// Returns the parameter by which a collection takes what it holds.
    pub(crate) fn held(held: &HeldType, name: &str) -> ParameterSpec {
        ParameterSpec {
            contents: held.contents.clone(),
            ..ParameterSpec::argument(&held.descriptor, name)
        }
    }

    pub(crate) fn argument(descriptor: &str, name: &str) -> ParameterSpec {
        ParameterSpec {
            descriptor: descriptor.to_owned(),
            name: name.to_owned(),
            is_receiver: false,
            classes: None,
            contents: Vec::new(),
            injects: None,
        }
    }
}

/// The declared type of what a collection holds: of its elements, its keys or its values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HeldType {
    /// The descriptor.
    pub descriptor: String,
    /// What an object of it holds, if that is a collection itself.
    pub contents: Vec<HeldType>,
}

impl HeldType {
    /// Returns the type of objects that hold nothing.
    pub(crate) fn plain(descriptor: &str) -> HeldType {
        HeldType {
            descriptor: descriptor.to_owned(),
            contents: Vec::new(),
        }
    }
}

/// A stub as the result of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stub {
    /// The lambda that was passed in.
    Lambda,
    /// An object of an anonymous class.
    Anonymous(Arc<AnonymousClass>),
}

/// The operation of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// Calls a constructor or method.
    Call(MethodCall),
    /// Reads a field.
    LoadField(AccessedField),
    /// Writes a field.
    StoreField(AccessedField),
    /// Reads a constant of the enum.
    Constant(ClassId, String),
    /// Creates an array with this descriptor.
    NewArray(String),
    /// Writes an element of an array with this descriptor.
    StoreElement(String),
}

impl StatementKind {
    /// Returns the kind of statements that call a constructor.
    #[must_use]
    pub fn constructor(class: ClassId, method: MethodId) -> StatementKind {
        StatementKind::called(CallKind::Constructor, class, method)
    }

    /// Returns the kind of statements that call a static method.
    #[must_use]
    pub fn static_method(class: ClassId, method: MethodId) -> StatementKind {
        StatementKind::called(CallKind::Static, class, method)
    }

    /// Returns the kind of statements that call a method on an object.
    #[must_use]
    pub fn instance_method(class: ClassId, method: MethodId) -> StatementKind {
        StatementKind::called(CallKind::Instance, class, method)
    }

    fn called(kind: CallKind, class: ClassId, method: MethodId) -> StatementKind {
        StatementKind::Call(MethodCall {
            kind,
            class,
            method,
        })
    }

    /// Returns the constructor or method that is called, if one is.
    #[must_use]
    pub fn method(&self) -> Option<MethodId> {
        match self {
            StatementKind::Call(call) => Some(call.method),
            _ => None,
        }
    }

    /// Whether a constructor is called.
    #[must_use]
    pub fn is_constructor(&self) -> bool {
        matches!(self, StatementKind::Call(call) if call.is_constructor())
    }

    /// Whether a method is called on an object.
    #[must_use]
    pub fn has_receiver(&self) -> bool {
        matches!(self, StatementKind::Call(call) if call.has_receiver())
    }
}

/// A field to read or write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessedField {
    /// The class through which it is accessed: its declaring class or a subclass.
    pub class: ClassId,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Whether it is static.
    pub is_static: bool,
}
