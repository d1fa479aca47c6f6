//! Checks on every structure that is built. They cover the invariant, properties of the user, and
//! the contracts of `equals`, `hashCode`, `toString`, `compareTo` and `clone`.

use heapwright_jvm::{ClassId, Exit, Limit, MarkId, MethodId, Plain, Ref, Vm};
use heapwright_suite::Contract;
use serde::{Deserialize, Serialize};

use crate::contracts::{Breach, ContractArgument, ContractCheck, Contracts, broken};
use crate::{Error, target};

/// Requested checks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChecksRequest {
    /// Whether the invariant must hold.
    pub invariant: InvariantCheck,
    /// Whether the contracts of `Object`, `Comparable` and `Cloneable` are checked.
    pub contracts: bool,
    /// Properties, by name: boolean methods of the class without parameters, or static ones that
    /// take a structure. A method of another class is written `a.B.name`.
    pub properties: Vec<String>,
}

/// Whether the invariant must hold on structures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum InvariantCheck {
    /// The invariant is not checked.
    #[default]
    No,
    /// It must hold, if the class has one with a usual name.
    IfThereIsOne,
    /// It must hold: the one of this name, or one with a usual name.
    Must(Option<String>),
}

/// Methods that are called on a structure.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// Class whose structures are checked.
    class: Option<ClassId>,
    /// Methods that must return true; static ones take the structure.
    properties: Vec<MethodId>,
    contracts: Option<Contracts>,
}

/// Check that a structure fails.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Violation {
    /// Method that was called.
    pub method: MethodId,
    /// Argument of the call.
    pub given: ContractArgument,
    /// Contract that the call checks, if any.
    pub asked: Option<ContractCheck>,
    /// Kind of violation.
    pub wrong: ViolationKind,
}

/// Kind of violation.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ViolationKind {
    /// A property is false.
    IsFalse,
    /// The method throws an exception of this class, by binary name.
    Throws(String),
    /// The method does not end.
    DoesNotEnd,
    /// The result breaks a contract, or the hash codes of objects that are equal by it do.
    Breaks(Contract),
}

impl Violation {
    /// Violation by a method, of a contract or a property.
    pub(super) fn new(
        method: MethodId,
        asked: Option<ContractCheck>,
        wrong: ViolationKind,
    ) -> Violation {
        Violation {
            method,
            given: asked.map_or(ContractArgument::Nothing, |asked| asked.given()),
            asked,
            wrong,
        }
    }

    /// Describes the violation, with the method.
    #[must_use]
    pub fn text(&self, vm: &Vm) -> String {
        let method = vm.method_text(self.method);
        let given = match self.given {
            ContractArgument::Null => " given null",
            ContractArgument::Nothing | ContractArgument::Itself | ContractArgument::Other => "",
        };
        let what = match &self.wrong {
            ViolationKind::IsFalse => "is false",
            ViolationKind::Throws(class) => return format!("{method} throws {class}{given}"),
            ViolationKind::DoesNotEnd => return format!("{method} does not end{given}"),
            ViolationKind::Breaks(contract) => broken(*contract),
        };
        format!("{method} {what}")
    }
}

impl Checks {
    /// Finds the methods.
    ///
    /// # Errors
    /// One of them does not exist.
    pub fn new(vm: &mut Vm, class: ClassId, request: &ChecksRequest) -> Result<Checks, Error> {
        let mut properties = Vec::new();
        match &request.invariant {
            InvariantCheck::No => {}
            InvariantCheck::IfThereIsOne => {
                properties.extend(target::find_invariant(vm, class, None).ok());
            }
            InvariantCheck::Must(name) => {
                properties.push(target::find_invariant(vm, class, name.as_deref())?);
            }
        }
        for name in &request.properties {
            properties.push(property(vm, class, name)?);
        }
        let contracts = match request.contracts {
            true => Some(Contracts::of(vm, class)?),
            false => None,
        };
        let is_any = !properties.is_empty() || contracts.is_some();
        Ok(Checks {
            class: is_any.then_some(class),
            properties,
            contracts,
        })
    }

    /// Returns the class whose structures are checked, if there are checks.
    #[must_use]
    pub fn class(&self) -> Option<ClassId> {
        self.class
    }

    /// The method of each check, with the contract if it is one, in the order of checking.
    pub(super) fn list(&self) -> Vec<(MethodId, Option<ContractCheck>)> {
        let properties = self.properties.iter().map(|&method| (method, None));
        let contracts = self.contracts.iter().flat_map(Contracts::iter);
        let contracts = contracts.map(|asked| (asked.method, Some(asked)));
        properties.chain(contracts).collect()
    }

    /// Checks the structure at `root`; `copy` is an equal structure of other objects. The machine
    /// goes back after each check.
    pub fn violations(&self, vm: &mut Vm, root: Ref, copy: Ref, step_limit: u64) -> Vec<Violation> {
        let mark = vm.mark();
        let mut calls = StructureCalls {
            vm,
            mark,
            step_limit,
            found: Vec::new(),
        };
        for &method in &self.properties {
            calls.hold(method, root);
            calls.go_back();
        }
        for asked in self.contracts.iter().flat_map(Contracts::iter) {
            calls.ask(asked, root, copy);
            calls.go_back();
        }
        let found = calls.found;
        vm.forget(mark);
        found
    }
}

/// Finds a property by its name.
fn property(vm: &mut Vm, class: ClassId, name: &str) -> Result<MethodId, Error> {
    let (owner, simple) = match name.rsplit_once('.') {
        Some((owner, simple)) => (target::find_class(vm, owner)?, simple),
        None => (class, name),
    };
    let methods = target::methods(vm, owner);
    let fits = |vm: &Vm, method: MethodId| {
        let this = vm.method(method);
        let text = vm.text(this.descriptor);
        if this.is_static() {
            let parameter = text
                .strip_prefix("(L")
                .and_then(|text| text.strip_suffix(";)Z"));
            let parameter = parameter.and_then(|name| vm.loaded_class(name));
            parameter.is_some_and(|parameter| vm.is_subclass(class, parameter))
        } else {
            text == "()Z" && !this.is_abstract() && vm.is_subclass(class, this.class)
        }
    };
    let named = |method: &&MethodId| vm.text(vm.method(**method).name) == simple;
    let found = methods
        .iter()
        .filter(named)
        .copied()
        .find(|&method| fits(vm, method));
    found.ok_or_else(|| Error::MethodNotFound {
        class: vm.binary_name(owner),
        what: "property (a boolean method without parameters, or a static one that takes a structure)",
        name: simple.to_owned(),
        candidates: methods
            .into_iter()
            .filter(|&method| fits(vm, method))
            .map(|method| vm.text(vm.method(method).name).to_owned())
            .collect(),
    })
}

/// Calls on one structure, with the violations found.
struct StructureCalls<'a> {
    vm: &'a mut Vm,
    /// State before the first call.
    mark: MarkId,
    step_limit: u64,
    found: Vec<Violation>,
}

impl StructureCalls<'_> {
    /// Calls `entry` to check a method and returns the outcome. If the call does not end, records a
    /// violation and returns `None`.
    fn call(
        &mut self,
        entry: MethodId,
        slots: &[u64],
        (method, asked): (MethodId, Option<ContractCheck>),
    ) -> Option<Exit> {
        self.vm.limit_steps(self.step_limit);
        let exit = match self.vm.call(entry, slots) {
            Ok(()) => self.vm.run(&mut Plain),
            Err(exit) => exit,
        };
        // An unsupported feature is no statement about the structure.
        if matches!(exit, Exit::Limit(Limit::Steps)) {
            self.found(method, asked, ViolationKind::DoesNotEnd);
        }
        matches!(exit, Exit::Done(_) | Exit::Threw(_)).then_some(exit)
    }

    /// Checks a property.
    fn hold(&mut self, property: MethodId, object: Ref) {
        let wrong = match self.call(property, &[object.slot()], (property, None)) {
            Some(Exit::Done(answer)) if answer & 1 == 0 => ViolationKind::IsFalse,
            Some(Exit::Threw(exception)) => {
                let class = self.vm.heap.class_of(exception);
                ViolationKind::Throws(self.vm.binary_name(class))
            }
            _ => return,
        };
        self.found(property, None, wrong);
    }

    /// Checks a contract.
    fn ask(&mut self, asked: ContractCheck, object: Ref, other: Ref) {
        let slots = asked.slots(object, other);
        let ended = self.call(asked.entry(), &slots, (asked.method, Some(asked)));
        let breach = ended.and_then(|ended| asked.breach(self.vm, object, &ended));
        let wrong = match breach {
            None => return,
            Some(Breach::Wrong) => ViolationKind::Breaks(asked.contract),
            Some(Breach::Throws(class)) => ViolationKind::Throws(self.vm.binary_name(class)),
        };
        self.found(asked.method, Some(asked), wrong);
    }

    fn go_back(&mut self) {
        self.vm.undo_to(self.mark);
    }

    /// Records a violation once, even if it occurs with several arguments.
    fn found(&mut self, method: MethodId, asked: Option<ContractCheck>, wrong: ViolationKind) {
        let is_known = |known: &Violation| known.method == method && known.wrong == wrong;
        if !self.found.iter().any(is_known) {
            self.found.push(Violation::new(method, asked, wrong));
        }
    }
}
