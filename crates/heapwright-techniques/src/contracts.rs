//! Contracts of `equals`, `hashCode`, `compareTo`, `toString` and `clone`, as oracles that need no
//! specification. This is the only list in the program.
//!
//! Invariant: only methods defined by the program are checked. For a library class, these are the
//! library's methods except those of `Object`. Each contract is one call of a method that returns
//! whether it holds. Anything that can call a method can therefore check it, including a symbolic
//! run.

use heapwright_jvm::class::flags;
use heapwright_jvm::{ClassId, Exit, MethodId, Ref, Vm};
use heapwright_suite::{Contract, MethodSig};

use crate::observe::method_sig;
use crate::{Error, target};

/// The class whose methods check contracts.
const ENTRIES: &str = "heapwright/Contracts";
/// The descriptors of checks on one object and on two.
const ONE: &str = "(Ljava/lang/Object;)Z";
const TWO: &str = "(Ljava/lang/Object;Ljava/lang/Object;)Z";

/// The contracts of a class.
#[derive(Clone, Debug, Default)]
pub struct Contracts {
    asked: Vec<ContractCheck>,
}

/// A contract to check on objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContractCheck {
    /// The contract.
    pub contract: Contract,
    /// The method of the class that must satisfy it.
    pub method: MethodId,
    /// The method that checks it.
    entry: MethodId,
}

/// Argument of a method that must satisfy a contract, besides its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContractArgument {
    /// No argument.
    Nothing,
    /// The object itself.
    Itself,
    /// Null.
    Null,
    /// Another object.
    Other,
}

/// Violation of a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Breach {
    /// The results are wrong.
    Wrong,
    /// A method throws an exception of this class.
    Throws(ClassId),
}

/// A contract, the method of `Object`, `Comparable` or `Cloneable` that it concerns, and the method
/// that checks it.
struct ContractLine {
    contract: Contract,
    owner: &'static str,
    name: &'static str,
    descriptor: &'static str,
    /// `None` if the method itself is called.
    entry: Option<(&'static str, &'static str)>,
}

const fn line(
    contract: Contract,
    (owner, name, descriptor): (&'static str, &'static str, &'static str),
    entry: Option<(&'static str, &'static str)>,
) -> ContractLine {
    ContractLine {
        contract,
        owner,
        name,
        descriptor,
        entry,
    }
}

const OBJECT: &str = "java.lang.Object";
const EQUALS: (&str, &str, &str) = (OBJECT, "equals", "(Ljava/lang/Object;)Z");
const HASH_CODE: (&str, &str, &str) = (OBJECT, "hashCode", "()I");
const TO_STRING: (&str, &str, &str) = (OBJECT, "toString", "()Ljava/lang/String;");
const CLONE: (&str, &str, &str) = (OBJECT, "clone", "()Ljava/lang/Object;");
const COMPARE_TO: (&str, &str, &str) =
    ("java.lang.Comparable", "compareTo", "(Ljava/lang/Object;)I");

/// All contracts, in the order of checking.
const LINES: [ContractLine; 10] = [
    line(Contract::Reflexive, EQUALS, Some(("reflexive", TWO))),
    line(
        Contract::UnequalToNull,
        EQUALS,
        Some(("unequalToNull", TWO)),
    ),
    line(Contract::Symmetric, EQUALS, Some(("symmetric", TWO))),
    line(
        Contract::SteadyHashCode,
        HASH_CODE,
        Some(("steadyHashCode", ONE)),
    ),
    line(
        Contract::SameHashCode,
        HASH_CODE,
        Some(("sameHashCode", TWO)),
    ),
    line(
        Contract::NamedByString,
        TO_STRING,
        Some(("namedByString", ONE)),
    ),
    line(
        Contract::OrderedAsItself,
        COMPARE_TO,
        Some(("orderedAsItself", TWO)),
    ),
    line(
        Contract::Antisymmetric,
        COMPARE_TO,
        Some(("antisymmetric", TWO)),
    ),
    line(Contract::Cloned, CLONE, None),
    line(Contract::ClonedApart, CLONE, None),
];

impl Contracts {
    /// Collects the contracts that a class must satisfy.
    ///
    /// # Errors
    /// A class of the library is missing.
    pub fn of(vm: &mut Vm, class: ClassId) -> Result<Contracts, Error> {
        let mut asked = Vec::new();
        for line in &LINES {
            let Some(method) = kept_by(vm, class, line)? else {
                continue;
            };
            let entry = match line.entry {
                Some((name, descriptor)) => entry(vm, name, descriptor)?,
                None => method,
            };
            asked.push(ContractCheck {
                contract: line.contract,
                method,
                entry,
            });
        }
        Ok(Contracts { asked })
    }

    /// Enumerates the contracts.
    pub fn iter(&self) -> impl Iterator<Item = ContractCheck> + '_ {
        self.asked.iter().copied()
    }
}

/// Returns the method of a class that must satisfy a contract; `None` if the program does not
/// define it.
fn kept_by(vm: &mut Vm, class: ClassId, line: &ContractLine) -> Result<Option<MethodId>, Error> {
    let Some(method) = selected(vm, class, (line.owner, line.name, line.descriptor))? else {
        return Ok(None);
    };
    let is_kept = match line.contract {
        // The contract applies if the program defines `equals`, whichever class defines `hashCode`.
        Contract::SameHashCode => {
            let equals = selected(vm, class, EQUALS)?;
            equals.is_some_and(|equals| is_own(vm, class, equals))
        }
        Contract::Cloned | Contract::ClonedApart => {
            let cloneable = target::find_class(vm, "java.lang.Cloneable")?;
            let is_public = vm.method(method).flags & flags::PUBLIC != 0;
            is_public && vm.is_subclass(class, cloneable) && is_own(vm, class, method)
        }
        _ => is_own(vm, class, method),
    };
    Ok(is_kept.then_some(method))
}

/// Returns the method that a call to a supertype's method dispatches to; `None` without such a
/// supertype.
fn selected(
    vm: &mut Vm,
    class: ClassId,
    (owner, name, descriptor): (&str, &str, &str),
) -> Result<Option<MethodId>, Error> {
    let owner = target::find_class(vm, owner)?;
    if !vm.is_subclass(class, owner) {
        return Ok(None);
    }
    let declared = vm.declared_method(owner, name, descriptor);
    Ok(declared.and_then(|method| vm.select(class, method)))
}

/// Whether the author of a class is responsible for one of its methods. It must be program code or,
/// for a library class, library code except `Object`'s.
fn is_own(vm: &Vm, class: ClassId, method: MethodId) -> bool {
    let owner = vm.method(method).class;
    match vm.is_app_class(class) {
        true => vm.is_app_class(owner),
        false => vm.class_name(owner) != "java/lang/Object",
    }
}

fn entry(vm: &mut Vm, name: &str, descriptor: &str) -> Result<MethodId, Error> {
    let class = vm.load_class(ENTRIES).ok();
    let method = class.and_then(|class| vm.declared_method(class, name, descriptor));
    method.ok_or_else(|| Error::ClassNotFound(ENTRIES.replace('/', ".")))
}

impl ContractCheck {
    /// Returns the method to call, with the object and [`ContractCheck::given`] as arguments.
    #[must_use]
    pub fn entry(&self) -> MethodId {
        self.entry
    }

    /// Returns the argument of the method.
    #[must_use]
    pub fn given(&self) -> ContractArgument {
        match self.contract {
            Contract::Reflexive | Contract::OrderedAsItself => ContractArgument::Itself,
            Contract::UnequalToNull => ContractArgument::Null,
            Contract::Symmetric | Contract::SameHashCode | Contract::Antisymmetric => {
                ContractArgument::Other
            }
            Contract::SteadyHashCode
            | Contract::NamedByString
            | Contract::Cloned
            | Contract::ClonedApart => ContractArgument::Nothing,
        }
    }

    /// Returns the slots of a call of [`ContractCheck::entry`] for an object and another one.
    #[must_use]
    pub fn slots(&self, object: Ref, other: Ref) -> Vec<u64> {
        let mut slots = vec![object.slot()];
        slots.extend(match self.given() {
            ContractArgument::Nothing => None,
            ContractArgument::Itself => Some(object.slot()),
            ContractArgument::Null => Some(0),
            ContractArgument::Other => Some(other.slot()),
        });
        slots
    }

    /// Returns the violation that the outcome of that call for `object` shows, if any. Outcomes
    /// other than a return or an exception show none.
    #[must_use]
    pub fn breach(&self, vm: &Vm, object: Ref, ended: &Exit) -> Option<Breach> {
        match *ended {
            Exit::Done(answer) => {
                let is_kept = match self.contract {
                    Contract::ClonedApart => answer != object.slot(),
                    _ => answer != 0,
                };
                (!is_kept).then_some(Breach::Wrong)
            }
            Exit::Threw(exception) => {
                let class = vm.heap.class_of(exception);
                let is_allowed = self.allowed().contains(&vm.class_name(class));
                (!is_allowed).then_some(Breach::Throws(class))
            }
            _ => None,
        }
    }

    /// Returns the exceptions that the contract allows, by internal name.
    fn allowed(&self) -> &'static [&'static str] {
        match self.contract {
            Contract::OrderedAsItself | Contract::Antisymmetric => &[
                "java/lang/ClassCastException",
                "java/lang/NullPointerException",
            ],
            Contract::Cloned | Contract::ClonedApart => &["java/lang/CloneNotSupportedException"],
            // Another contract reports an `equals` that does not terminate.
            Contract::SameHashCode => &["java/lang/StackOverflowError"],
            _ => &[],
        }
    }

    /// Returns the method that a test calls to state the contract; `None` if overloads prevent the
    /// call with an object of the class.
    #[must_use]
    pub fn stated_by(&self, vm: &mut Vm, class: ClassId) -> Option<MethodSig> {
        let method = match self.contract {
            Contract::SameHashCode => selected(vm, class, EQUALS).ok()??,
            _ => self.method,
        };
        let mut sig = method_sig(vm, class, method);
        // In source code a bridge is the method that it calls, whose parameter has the type
        // argument's type.
        if vm.method(method).flags & flags::BRIDGE != 0 {
            if self.given() != ContractArgument::Nothing && !is_bridged(vm, class, method) {
                return None;
            }
            sig.is_overloaded = false;
        }
        sig.is_accessible = true;
        Some(sig)
    }

    /// Describes the violation, to complete a sentence that begins with the method.
    #[must_use]
    pub fn text(&self, vm: &Vm, breach: Breach) -> String {
        let given = match self.given() {
            ContractArgument::Null => " given null",
            _ => "",
        };
        match breach {
            Breach::Wrong => broken(self.contract).to_owned(),
            Breach::Throws(class) => format!("throws {}{given}", vm.binary_name(class)),
        }
    }
}

/// Describes the violation of a contract by wrong results.
#[must_use]
pub fn broken(contract: Contract) -> &'static str {
    match contract {
        Contract::Reflexive => "is false of a structure and itself",
        Contract::UnequalToNull => "is true of a structure and null",
        Contract::Symmetric => "is not symmetric",
        Contract::SameHashCode => "differs on equal structures",
        Contract::SteadyHashCode => "differs from one call to the next",
        Contract::NamedByString | Contract::Cloned => "is null",
        Contract::OrderedAsItself => "is not 0 of a structure and itself",
        Contract::Antisymmetric => "does not change its sign with its arguments",
        Contract::ClonedApart => "is the structure itself",
    }
}

/// Whether a class has a method with one parameter that accepts it, which a bridge may call.
fn is_bridged(vm: &Vm, class: ClassId, bridge: MethodId) -> bool {
    let name = vm.method(bridge).name;
    target::methods(vm, class).into_iter().any(|method| {
        let this = vm.method(method);
        let parameter = vm.text(this.descriptor).strip_prefix("(L");
        let parameter = parameter.and_then(|text| text.split_once(";)"));
        let taken = parameter.and_then(|(name, _)| vm.loaded_class(name));
        this.name == name
            && this.flags & flags::BRIDGE == 0
            && taken.is_some_and(|taken| vm.is_subclass(class, taken))
    })
}
