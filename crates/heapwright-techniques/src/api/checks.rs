//! What is checked on every structure that is built: the invariant, properties of the user's, and what
//! the language asks of `equals`, `hashCode`, `toString`, `compareTo` and `clone`.

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, Exit, Limit, MarkId, MethodId, Plain, Ref, Vm};
use heapwright_suite::Contract;

use crate::{Error, target};

/// What is to be checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChecksRequest {
    /// Whether the invariant must hold, and its name if it is none of the usual ones.
    pub invariant: Option<Option<String>>,
    /// Whether the contracts of `Object`, `Comparable` and `Cloneable` must be kept.
    pub contracts: bool,
    /// Properties: boolean methods of the class without parameters, or static ones that take a
    /// structure, by name, of another class as `a.B.name`.
    pub properties: Vec<String>,
}

/// The methods that are called on a structure.
#[derive(Clone, Debug, Default)]
pub struct Checks {
    /// The class whose structures are checked.
    class: Option<ClassId>,
    /// Methods that must say yes: static ones take the structure.
    properties: Vec<MethodId>,
    contracts: Option<Contracts>,
}

#[derive(Clone, Copy, Debug)]
struct Contracts {
    equals: MethodId,
    hash_code: MethodId,
    to_string: MethodId,
    compare_to: Option<MethodId>,
    clone: Option<MethodId>,
}

/// A check that a structure fails.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Violation {
    /// The method that was called.
    pub method: MethodId,
    /// What it was given.
    pub given: Given,
    /// What is wrong.
    pub wrong: Wrong,
}

/// What a method that checks a structure is given besides its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Given {
    /// Nothing; the structure, if the method is static.
    Nothing,
    /// The structure itself.
    Itself,
    /// Null.
    Null,
    /// An equal structure of other objects.
    Copy,
}

/// What is wrong with what a method that checks a structure came to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Wrong {
    /// A property is false.
    IsFalse,
    /// It throws an exception of this class, by binary name.
    Throws(String),
    /// It does not end.
    DoesNotEnd,
    /// It, or the hash codes of what it says is equal, break a contract.
    Breaks(Contract),
}

impl Violation {
    /// What is wrong, with the method.
    #[must_use]
    pub fn text(&self, vm: &Vm) -> String {
        let method = vm.method_text(self.method);
        let given = match self.given {
            Given::Null => " given null",
            Given::Nothing | Given::Itself | Given::Copy => "",
        };
        let what = match &self.wrong {
            Wrong::IsFalse => "is false",
            Wrong::Throws(class) => return format!("{method} throws {class}{given}"),
            Wrong::DoesNotEnd => return format!("{method} does not end{given}"),
            Wrong::Breaks(contract) => match contract {
                Contract::Reflexive => "is false of a structure and itself",
                Contract::UnequalToNull => "is true of a structure and null",
                Contract::Symmetric => "is not symmetric",
                Contract::SameHashCode => "differs on equal structures",
                Contract::NamedByString | Contract::Cloned => "is null",
                Contract::OrderedAsItself => "is not 0 of a structure and itself",
                Contract::Antisymmetric => "does not change its sign with its arguments",
                Contract::ClonedApart => "is the structure itself",
            },
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
        if let Some(name) = &request.invariant {
            properties.push(target::find_invariant(vm, class, name.as_deref())?);
        }
        for name in &request.properties {
            properties.push(property(vm, class, name)?);
        }
        let contracts = match request.contracts {
            true => Some(Contracts::new(vm, class)?),
            false => None,
        };
        let is_any = !properties.is_empty() || contracts.is_some();
        Ok(Checks {
            class: is_any.then_some(class),
            properties,
            contracts,
        })
    }

    /// The class whose structures are checked, if anything is.
    #[must_use]
    pub fn class(&self) -> Option<ClassId> {
        self.class
    }

    /// Checks the structure at `root`, of which `copy` is an equal one of other objects. The machine
    /// goes back after each check.
    pub fn violations(&self, vm: &mut Vm, root: Ref, copy: Ref, step_limit: u64) -> Vec<Violation> {
        let mark = vm.mark();
        let mut calls = Calls {
            vm,
            mark,
            step_limit,
            found: Vec::new(),
        };
        for &method in &self.properties {
            if calls.call(method, &[root.slot()]) == Some(0) {
                calls.found(method, Given::Nothing, Wrong::IsFalse);
            }
            calls.go_back();
        }
        if let Some(contracts) = &self.contracts {
            contracts.check(&mut calls, root, copy);
        }
        let found = calls.found;
        vm.forget(mark);
        found
    }
}

/// The property with a name.
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

impl Contracts {
    fn new(vm: &mut Vm, class: ClassId) -> Result<Contracts, Error> {
        let mut find = |owner: &str, name: &str, descriptor: &str| {
            let owner = target::find_class(vm, owner)?;
            let declared = vm.declared_method(owner, name, descriptor);
            let reached = declared.and_then(|method| vm.select(class, method));
            reached.ok_or_else(|| Error::BadClass {
                class: vm.binary_name(class),
                reason: format!("it has no {name}"),
            })
        };
        let object = "java.lang.Object";
        let mut contracts = Contracts {
            equals: find(object, "equals", "(Ljava/lang/Object;)Z")?,
            hash_code: find(object, "hashCode", "()I")?,
            to_string: find(object, "toString", "()Ljava/lang/String;")?,
            compare_to: find("java.lang.Comparable", "compareTo", "(Ljava/lang/Object;)I").ok(),
            clone: find(object, "clone", "()Ljava/lang/Object;").ok(),
        };
        let mut is_a = |name: &str| {
            let other = target::find_class(vm, name)?;
            Ok::<bool, Error>(vm.is_subclass(class, other))
        };
        if !is_a("java.lang.Comparable")? {
            contracts.compare_to = None;
        }
        if !is_a("java.lang.Cloneable")? {
            contracts.clone = None;
        }
        let is_public = |method: &MethodId| vm.method(*method).flags & flags::PUBLIC != 0;
        contracts.clone = contracts.clone.filter(is_public);
        Ok(contracts)
    }

    /// Checks each contract apart. Calls that are held against each other are made one after the other,
    /// so that objects keep the identity hash codes that they have got.
    fn check(&self, calls: &mut Calls<'_>, root: Ref, copy: Ref) {
        let (x, y) = (root.slot(), copy.slot());
        if calls.call(self.equals, &[x, x]) == Some(0) {
            calls.breaks(self.equals, Given::Itself, Contract::Reflexive);
        }
        calls.go_back();
        let of_null = calls.call(self.equals, &[x, 0]);
        if of_null.is_some_and(|answer| answer != 0) {
            calls.breaks(self.equals, Given::Null, Contract::UnequalToNull);
        }
        calls.go_back();
        let there = calls.call(self.equals, &[x, y]);
        let back = calls.call(self.equals, &[y, x]);
        if there.is_some() && back.is_some() && there != back {
            calls.breaks(self.equals, Given::Copy, Contract::Symmetric);
        }
        let hash = calls.call(self.hash_code, &[x]);
        let hash_of_copy = calls.call(self.hash_code, &[y]);
        if there == Some(1) && hash.is_some() && hash_of_copy.is_some() && hash != hash_of_copy {
            calls.breaks(self.hash_code, Given::Copy, Contract::SameHashCode);
        }
        calls.go_back();
        if calls.call(self.to_string, &[x]) == Some(0) {
            calls.breaks(self.to_string, Given::Nothing, Contract::NamedByString);
        }
        calls.go_back();
        if let Some(compare_to) = self.compare_to {
            let of_itself = calls.call(compare_to, &[x, x]);
            if of_itself.is_some_and(|answer| answer as u32 != 0) {
                calls.breaks(compare_to, Given::Itself, Contract::OrderedAsItself);
            }
            calls.go_back();
            let sign = |answer: u64| (answer as u32 as i32).signum();
            let there = calls.call(compare_to, &[x, y]).map(sign);
            let back = calls.call(compare_to, &[y, x]).map(sign);
            if let (Some(there), Some(back)) = (there, back)
                && there != -back
            {
                calls.breaks(compare_to, Given::Copy, Contract::Antisymmetric);
            }
            calls.go_back();
        }
        if let Some(clone) = self.clone {
            match calls.call(clone, &[x]) {
                Some(0) => calls.breaks(clone, Given::Nothing, Contract::Cloned),
                Some(made) if made == x => {
                    calls.breaks(clone, Given::Nothing, Contract::ClonedApart);
                }
                _ => {}
            }
            calls.go_back();
        }
    }
}

/// Calls on one structure, and what they found.
struct Calls<'a> {
    vm: &'a mut Vm,
    /// Before the first one.
    mark: MarkId,
    step_limit: u64,
    found: Vec<Violation>,
}

impl Calls<'_> {
    /// Calls a method. Gives its answer; nothing, and a violation, if it has none.
    fn call(&mut self, method: MethodId, slots: &[u64]) -> Option<u64> {
        self.vm.limit_steps(self.step_limit);
        let exit = match self.vm.call(method, slots) {
            Ok(()) => self.vm.run(&mut Plain),
            Err(exit) => exit,
        };
        match exit {
            Exit::Done(answer) => Some(match self.vm.method(method).result {
                Kind::Boolean => answer & 1,
                _ => answer,
            }),
            Exit::Threw(exception) => {
                let class = self.vm.heap.class_of(exception);
                let name = self.vm.binary_name(class);
                self.found(method, given(slots), Wrong::Throws(name));
                None
            }
            exit => {
                // What the engine refuses says nothing of the structure.
                if matches!(exit, Exit::Limit(Limit::Steps)) {
                    self.found(method, given(slots), Wrong::DoesNotEnd);
                }
                self.go_back();
                None
            }
        }
    }

    fn go_back(&mut self) {
        self.vm.undo_to(self.mark);
    }

    fn breaks(&mut self, method: MethodId, given: Given, contract: Contract) {
        self.found(method, given, Wrong::Breaks(contract));
    }

    /// Notes what is wrong; once, if it comes with all that the method is given.
    fn found(&mut self, method: MethodId, given: Given, wrong: Wrong) {
        let is_known = |known: &Violation| known.method == method && known.wrong == wrong;
        if !self.found.iter().any(is_known) {
            self.found.push(Violation {
                method,
                given,
                wrong,
            });
        }
    }
}

/// What the slots of a receiver and its arguments are.
fn given(slots: &[u64]) -> Given {
    match slots {
        [_, 0] => Given::Null,
        [receiver, argument] if receiver == argument => Given::Itself,
        [_, _] => Given::Copy,
        _ => Given::Nothing,
    }
}
