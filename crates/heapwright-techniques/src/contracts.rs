//! The contracts of `equals`, `hashCode`, `compareTo`, `toString` and `clone`: oracles that need nobody to write
//! them down. One list for the whole program.
//!
//! Invariant: only methods that code of the program defines are asked, of a class of the library itself those that
//! the library defines but `Object`'s. Each contract is one call of a method that says whether it is kept, so that
//! whatever can call a method, a run that stands for many calls included, can ask for it.

use heapwright_jvm::class::flags;
use heapwright_jvm::{ClassId, Exit, MethodId, Ref, Vm};
use heapwright_suite::{Contract, MethodSig};

use crate::observe::method_sig;
use crate::{Error, target};

/// The class whose methods say whether contracts are kept.
const ENTRIES: &str = "heapwright/Contracts";
/// The descriptors of those about one object and about two.
const ONE: &str = "(Ljava/lang/Object;)Z";
const TWO: &str = "(Ljava/lang/Object;Ljava/lang/Object;)Z";

/// The contracts of a class.
#[derive(Clone, Debug, Default)]
pub struct Contracts {
    asked: Vec<Asked>,
}

/// A contract that is asked of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Asked {
    /// The contract.
    pub contract: Contract,
    /// The method of the class that must keep it.
    pub method: MethodId,
    /// The method that is called to ask.
    entry: MethodId,
}

/// What a method that must keep a contract is given besides its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Given {
    /// Nothing.
    Nothing,
    /// The object itself.
    Itself,
    /// Null.
    Null,
    /// Another object.
    Other,
}

/// How a contract is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Breach {
    /// The answers are wrong.
    Wrong,
    /// A method throws an exception of this class.
    Throws(ClassId),
}

/// What a contract is about: the method of `Object`, `Comparable` or `Cloneable`, and the entry that asks for it.
struct Line {
    contract: Contract,
    owner: &'static str,
    name: &'static str,
    descriptor: &'static str,
    /// None where the method itself is called.
    entry: Option<(&'static str, &'static str)>,
}

const fn line(
    contract: Contract,
    (owner, name, descriptor): (&'static str, &'static str, &'static str),
    entry: Option<(&'static str, &'static str)>,
) -> Line {
    Line {
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

/// All contracts, in the order in which they are asked for.
const LINES: [Line; 10] = [
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
    /// The contracts that a class must keep.
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
            asked.push(Asked {
                contract: line.contract,
                method,
                entry,
            });
        }
        Ok(Contracts { asked })
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = Asked> + '_ {
        self.asked.iter().copied()
    }
}

/// The method of a class that must keep a contract; none if it is not the program's.
fn kept_by(vm: &mut Vm, class: ClassId, line: &Line) -> Result<Option<MethodId>, Error> {
    let Some(method) = selected(vm, class, (line.owner, line.name, line.descriptor))? else {
        return Ok(None);
    };
    let is_kept = match line.contract {
        // Where `equals` is the program's, it matters whose `hashCode` is.
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

/// The method that a call of one of a supertype comes to; none if the class has no such supertype.
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

/// Whether a method of a class has to do with who wrote the class: code of the program, or of the library where the
/// class is of the library.
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

impl Asked {
    /// The method to call: with the object and, of contracts of more than that, what it is given.
    #[must_use]
    pub fn entry(&self) -> MethodId {
        self.entry
    }

    /// What the method is given.
    #[must_use]
    pub fn given(&self) -> Given {
        match self.contract {
            Contract::Reflexive | Contract::OrderedAsItself => Given::Itself,
            Contract::UnequalToNull => Given::Null,
            Contract::Symmetric | Contract::SameHashCode | Contract::Antisymmetric => Given::Other,
            Contract::SteadyHashCode
            | Contract::NamedByString
            | Contract::Cloned
            | Contract::ClonedApart => Given::Nothing,
        }
    }

    /// The slots of the call of [`Asked::entry`] that asks for it of an object and another one.
    #[must_use]
    pub fn slots(&self, object: Ref, other: Ref) -> Vec<u64> {
        let mut slots = vec![object.slot()];
        slots.extend(match self.given() {
            Given::Nothing => None,
            Given::Itself => Some(object.slot()),
            Given::Null => Some(0),
            Given::Other => Some(other.slot()),
        });
        slots
    }

    /// How an end of that call for `object` breaks the contract, if it does. An end that is neither a return nor an
    /// exception says nothing.
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

    /// The exceptions that the contract allows, as class files name them.
    fn allowed(&self) -> &'static [&'static str] {
        match self.contract {
            Contract::OrderedAsItself | Contract::Antisymmetric => &[
                "java/lang/ClassCastException",
                "java/lang/NullPointerException",
            ],
            Contract::Cloned | Contract::ClonedApart => &["java/lang/CloneNotSupportedException"],
            // Where `equals` has no end, another contract says so.
            Contract::SameHashCode => &["java/lang/StackOverflowError"],
            _ => &[],
        }
    }

    /// The method that a test calls to state the contract; none where overloads keep it from calling it with an
    /// object of the class.
    #[must_use]
    pub fn stated_by(&self, vm: &mut Vm, class: ClassId) -> Option<MethodSig> {
        let method = match self.contract {
            Contract::SameHashCode => selected(vm, class, EQUALS).ok()??,
            _ => self.method,
        };
        let mut sig = method_sig(vm, class, method);
        // In the source a bridge is the method that it calls, which takes what the type argument says.
        if vm.method(method).flags & flags::BRIDGE != 0 {
            if self.given() != Given::Nothing && !is_bridged(vm, class, method) {
                return None;
            }
            sig.is_overloaded = false;
        }
        sig.is_accessible = true;
        Some(sig)
    }

    /// What is wrong, as the rest of a sentence that begins with the method.
    #[must_use]
    pub fn text(&self, vm: &Vm, breach: Breach) -> String {
        let given = match self.given() {
            Given::Null => " given null",
            _ => "",
        };
        match breach {
            Breach::Wrong => broken(self.contract).to_owned(),
            Breach::Throws(class) => format!("throws {}{given}", vm.binary_name(class)),
        }
    }
}

/// What a method does that breaks a contract.
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

/// Whether a class has a method with one parameter that takes it, which a bridge may stand for.
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
