//! Calls of constructors and methods, without their arguments.

use heapwright_jvm::{ClassId, MethodId, Vm, descriptor};

use crate::signatures::Signature;

/// Kind of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// Of a constructor, on a new object.
    Constructor,
    /// Of a static method.
    Static,
    /// Of a method on an object.
    Instance,
}

/// Call of a constructor or method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodCall {
    /// Its kind.
    pub kind: CallKind,
    /// The class that is instantiated, or through which the method is called.
    pub class: ClassId,
    /// The method, declared there or inherited.
    pub method: MethodId,
}

impl MethodCall {
    /// Returns the call of a method through a class.
    #[must_use]
    pub fn of(vm: &Vm, class: ClassId, method: MethodId) -> MethodCall {
        let this = vm.method(method);
        let kind = match vm.text(this.name) {
            "<init>" => CallKind::Constructor,
            _ if this.is_static() => CallKind::Static,
            _ => CallKind::Instance,
        };
        MethodCall {
            kind,
            class,
            method,
        }
    }

    /// Returns the descriptors of the parameters, without the receiver.
    #[must_use]
    pub fn parameters(self, vm: &Vm) -> Vec<String> {
        let text = vm.text(vm.method(self.method).descriptor);
        let (parameters, _) = descriptor::split_method(text).unwrap_or_default();
        parameters.into_iter().map(str::to_owned).collect()
    }

    /// Returns the descriptors of the parameters as the class through which it is called sees them: with
    /// the type arguments that it gives to a superclass.
    #[must_use]
    pub fn parameters_in(self, vm: &Vm) -> Vec<String> {
        let owner = vm.method(self.method).class;
        let declared = self.parameters(vm);
        if self.kind != CallKind::Instance || owner == self.class {
            return declared;
        }
        let seen = Signature::of(vm, self.method).erased_in(vm, self.class, owner);
        match seen.len() == declared.len() {
            true => seen,
            false => declared,
        }
    }

    /// Whether it creates an object of its class.
    #[must_use]
    pub fn is_constructor(self) -> bool {
        self.kind == CallKind::Constructor
    }

    /// Whether it is made on an object.
    #[must_use]
    pub fn has_receiver(self) -> bool {
        self.kind == CallKind::Instance
    }
}
