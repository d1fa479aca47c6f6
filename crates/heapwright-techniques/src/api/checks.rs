//! What is checked on every structure that is built: the invariant, properties of the user's, and what
//! the language asks of `equals`, `hashCode`, `toString`, `compareTo` and `clone`.

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, Exit, Limit, MethodId, Plain, Ref, Vm};

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

/// A check that a structure fails, and what is wrong.
pub struct Violation {
    /// The method that was called.
    pub method: MethodId,
    /// What is wrong.
    pub text: String,
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
    /// goes back after each call.
    pub fn violations(&self, vm: &mut Vm, root: Ref, copy: Ref, step_limit: u64) -> Vec<Violation> {
        let mut calls = Calls {
            vm,
            step_limit,
            found: Vec::new(),
        };
        for &method in &self.properties {
            if calls.call(method, &[root.slot()]) == Some(0) {
                calls.found(method, "is false");
            }
        }
        if let Some(contracts) = &self.contracts {
            contracts.check(&mut calls, root, copy);
        }
        calls.found
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

    fn check(&self, calls: &mut Calls<'_>, root: Ref, copy: Ref) {
        let (x, y) = (root.slot(), copy.slot());
        if calls.call(self.equals, &[x, x]) == Some(0) {
            calls.found(self.equals, "is false of a structure and itself");
        }
        if calls
            .call(self.equals, &[x, 0])
            .is_some_and(|answer| answer != 0)
        {
            calls.found(self.equals, "is true of a structure and null");
        }
        let there = calls.call(self.equals, &[x, y]);
        let back = calls.call(self.equals, &[y, x]);
        if there.is_some() && back.is_some() && there != back {
            calls.found(self.equals, "is not symmetric");
        }
        let hash = calls.call(self.hash_code, &[x]);
        let hash_of_copy = calls.call(self.hash_code, &[y]);
        if there == Some(1) && hash.is_some() && hash_of_copy.is_some() && hash != hash_of_copy {
            calls.found(self.hash_code, "differs on equal structures");
        }
        if calls.call(self.to_string, &[x]) == Some(0) {
            calls.found(self.to_string, "is null");
        }
        if let Some(compare_to) = self.compare_to {
            if calls
                .call(compare_to, &[x, x])
                .is_some_and(|answer| answer as u32 != 0)
            {
                calls.found(compare_to, "is not 0 of a structure and itself");
            }
            let sign = |answer: u64| (answer as u32 as i32).signum();
            let there = calls.call(compare_to, &[x, y]).map(sign);
            let back = calls.call(compare_to, &[y, x]).map(sign);
            if let (Some(there), Some(back)) = (there, back)
                && there != -back
            {
                calls.found(compare_to, "does not change its sign with its arguments");
            }
        }
        if let Some(clone) = self.clone {
            match calls.call(clone, &[x]) {
                Some(0) => calls.found(clone, "is null"),
                Some(made) if made == x => calls.found(clone, "is the structure itself"),
                _ => {}
            }
        }
    }
}

/// Calls on one structure, and what they found.
struct Calls<'a> {
    vm: &'a mut Vm,
    step_limit: u64,
    found: Vec<Violation>,
}

impl Calls<'_> {
    /// Calls a method and goes back. Gives its answer; nothing, and a violation, if it has none.
    fn call(&mut self, method: MethodId, slots: &[u64]) -> Option<u64> {
        let mark = self.vm.mark();
        self.vm.limit_steps(self.step_limit);
        let exit = match self.vm.call(method, slots) {
            Ok(()) => self.vm.run(&mut Plain),
            Err(exit) => exit,
        };
        let answer = match &exit {
            Exit::Done(answer) => Some(match self.vm.method(method).result {
                Kind::Boolean => answer & 1,
                _ => *answer,
            }),
            Exit::Threw(exception) => {
                let class = self.vm.heap.class_of(*exception);
                let name = self.vm.binary_name(class);
                self.found(method, &format!("throws {name}"));
                None
            }
            Exit::Limit(Limit::Steps) => {
                self.found(method, "does not end");
                None
            }
            // What the engine refuses says nothing of the structure.
            _ => None,
        };
        self.vm.undo_to(mark);
        self.vm.forget(mark);
        answer
    }

    fn found(&mut self, method: MethodId, what: &str) {
        let text = format!("{} {what}", self.vm.method_text(method));
        self.found.push(Violation { method, text });
    }
}
