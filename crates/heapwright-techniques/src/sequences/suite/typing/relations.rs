//! Type compatibility as defined by the compiler (JLS §4.10, §5.1, §15.12.2).
//!
//! Invariant: types reported as compatible are; in doubt the result is negative.

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};

use crate::functional::functional;
use crate::signatures::{Signature, Type, of_class};

pub(super) const OBJECT: &str = "java/lang/Object";

/// The static type of an argument.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ArgumentType {
    /// The null literal.
    Null,
    /// A lambda with this number of parameters, for an interface without type arguments.
    Lambda(usize, LambdaAnswer, Type),
    /// A comparator by natural order, for any comparable type.
    Order,
    /// An expression of this type.
    Value(Type),
}

impl ArgumentType {
    /// Whether its erasure is this type.
    pub fn is_of(&self, wanted: &Type) -> bool {
        match self {
            ArgumentType::Null | ArgumentType::Lambda(..) => false,
            ArgumentType::Order => *wanted == class("java/util/Comparator"),
            ArgumentType::Value(given) => erasure(given) == *wanted,
        }
    }
}

/// Result of a lambda.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum LambdaAnswer {
    Nothing,
    Null,
    Value(Type),
}

/// Compatibility of two types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Compatibility {
    No,
    /// By an unchecked conversion.
    Unchecked,
    Yes,
}

/// Phase of method resolution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Strict,
    /// Boxing and unboxing are allowed.
    Loose,
}

pub(super) fn class(name: &str) -> Type {
    Type::Class(name.to_owned(), Vec::new())
}

/// Returns the box of a primitive type; other types are unchanged.
pub(super) fn boxed(given: &Type) -> Type {
    let Type::Primitive(descriptor) = given else {
        return given.clone();
    };
    class(match descriptor.as_str() {
        "Z" => "java/lang/Boolean",
        "B" => "java/lang/Byte",
        "S" => "java/lang/Short",
        "C" => "java/lang/Character",
        "I" => "java/lang/Integer",
        "J" => "java/lang/Long",
        "F" => "java/lang/Float",
        _ => "java/lang/Double",
    })
}

/// Returns the primitive type of a box.
fn opened(given: &Type) -> Option<Type> {
    let Type::Class(name, _) = given else {
        return None;
    };
    let kinds = ["Z", "B", "S", "C", "I", "J", "F", "D"];
    let mut kinds = kinds
        .map(|kind| Type::Primitive(kind.to_owned()))
        .into_iter();
    kinds.find(|kind| boxed(kind) == class(name))
}

/// Whether a primitive type widens to another (JLS §5.1.2), or equals it.
fn widens(from: &str, to: &str) -> bool {
    let wider = match from {
        "B" => "BSIJFD",
        "S" => "SIJFD",
        "C" => "CIJFD",
        "I" => "IJFD",
        "J" => "JFD",
        "F" => "FD",
        other => other,
    };
    wider.contains(to)
}

/// Returns the class of a type, if it is loaded.
pub(super) fn class_of(vm: &Vm, given: &Type) -> Option<ClassId> {
    match given {
        Type::Class(name, _) => vm.loaded_class(name),
        _ => None,
    }
}

/// Whether a type is a generic class without its arguments.
pub(super) fn is_raw(vm: &Vm, given: &Type) -> bool {
    let Type::Class(_, arguments) = given else {
        return false;
    };
    arguments.is_empty()
        && class_of(vm, given).is_some_and(|class| !of_class(vm, class).0.is_empty())
}

/// Returns the bound of a wildcard; other type arguments are unchanged.
pub(super) fn bound(argument: &Type) -> &Type {
    match argument {
        Type::Extends(bound) | Type::Super(bound) => bound,
        other => other,
    }
}

/// Whether a value of one type is compatible with another, without boxing.
pub(super) fn fits(vm: &Vm, given: &Type, wanted: &Type) -> Compatibility {
    match (given, wanted) {
        (Type::Primitive(from), Type::Primitive(to)) => match widens(from, to) {
            true => Compatibility::Yes,
            false => Compatibility::No,
        },
        (Type::Primitive(_), _) | (_, Type::Primitive(_)) => Compatibility::No,
        (_, Type::Class(name, _)) if name == OBJECT => Compatibility::Yes,
        (_, Type::Any) => Compatibility::Yes,
        (Type::Array(from), Type::Array(to)) => match (&**from, &**to) {
            (Type::Primitive(from), Type::Primitive(to)) if from == to => Compatibility::Yes,
            (Type::Primitive(_), _) | (_, Type::Primitive(_)) => Compatibility::No,
            (from, to) => fits(vm, from, to),
        },
        (Type::Array(_), Type::Class(name, _)) => {
            match matches!(
                name.as_str(),
                "java/lang/Cloneable" | "java/io/Serializable"
            ) {
                true => Compatibility::Yes,
                false => Compatibility::No,
            }
        }
        (Type::Class(..), Type::Class(_, wanted_arguments)) => {
            let (Some(own), Some(above)) = (class_of(vm, given), class_of(vm, wanted)) else {
                return Compatibility::No;
            };
            if !vm.is_subclass(own, above) {
                return Compatibility::No;
            }
            if wanted_arguments.is_empty() {
                return Compatibility::Yes;
            }
            if is_raw(vm, given) {
                return Compatibility::Unchecked;
            }
            match given.as_super(vm, above) {
                Some(Type::Class(_, arguments)) if arguments.is_empty() => Compatibility::Unchecked,
                Some(Type::Class(_, arguments)) => {
                    let mut pairs = arguments.iter().zip(wanted_arguments);
                    let is_within = arguments.len() == wanted_arguments.len()
                        && pairs.all(|(given, wanted)| contains(vm, wanted, given));
                    if is_within {
                        Compatibility::Yes
                    } else {
                        Compatibility::No
                    }
                }
                _ => Compatibility::No,
            }
        }
        _ => Compatibility::No,
    }
}

/// Whether a type argument contains another one (JLS §4.5.1).
fn contains(vm: &Vm, wanted: &Type, given: &Type) -> bool {
    match (wanted, given) {
        (Type::Any, _) => true,
        (Type::Extends(wanted), Type::Extends(given)) => {
            fits(vm, given, wanted) == Compatibility::Yes
        }
        (Type::Super(wanted), Type::Super(given)) => fits(vm, wanted, given) == Compatibility::Yes,
        (_, Type::Extends(_) | Type::Super(_) | Type::Any) => false,
        (Type::Extends(wanted), given) => fits(vm, given, wanted) == Compatibility::Yes,
        (Type::Super(wanted), given) => fits(vm, wanted, given) == Compatibility::Yes,
        (wanted, given) => wanted == given,
    }
}

/// Whether the compiler accepts an argument for a parameter.
pub(super) fn takes(vm: &Vm, given: &ArgumentType, wanted: &Type, phase: Phase) -> Compatibility {
    let is_reference = !matches!(wanted, Type::Primitive(_));
    let told = |is_true: bool| {
        if is_true {
            Compatibility::Yes
        } else {
            Compatibility::No
        }
    };
    match given {
        ArgumentType::Null => told(is_reference),
        ArgumentType::Value(given) => {
            let plain = fits(vm, given, wanted);
            if plain != Compatibility::No || phase == Phase::Strict {
                return plain;
            }
            match (given, wanted) {
                (Type::Primitive(_), Type::Primitive(_)) => Compatibility::No,
                (Type::Primitive(_), _) => fits(vm, &boxed(given), wanted),
                (_, Type::Primitive(_)) => {
                    opened(given).map_or(Compatibility::No, |inner| fits(vm, &inner, wanted))
                }
                _ => Compatibility::No,
            }
        }
        ArgumentType::Order => {
            let Type::Class(name, arguments) = wanted else {
                return Compatibility::No;
            };
            let is_ordered = |compared: &Type| {
                let comparable = class("java/lang/Comparable");
                fits(vm, compared, &comparable) != Compatibility::No
            };
            told(name == "java/util/Comparator" && arguments.iter().map(bound).all(is_ordered))
        }
        ArgumentType::Lambda(parameters, answer, _) => {
            let Some((count, returned)) = function(vm, wanted) else {
                return Compatibility::No;
            };
            let fits = match (answer, &returned) {
                (LambdaAnswer::Nothing, returned) => is_void(returned),
                (_, returned) if is_void(returned) => false,
                (LambdaAnswer::Null, returned) => !matches!(returned, Type::Primitive(_)),
                (LambdaAnswer::Value(given), returned) => {
                    let given = ArgumentType::Value(given.clone());
                    takes(vm, &given, bound(returned), Phase::Loose) == Compatibility::Yes
                }
            };
            told(count == *parameters && fits)
        }
    }
}

/// Returns the number of parameters and the return type of a functional interface's method.
pub(super) fn function(vm: &Vm, interface: &Type) -> Option<(usize, Type)> {
    let class = class_of(vm, interface)?;
    if !vm.class(class).is_interface() {
        return None;
    }
    let method = *functional(vm, class).first()?;
    let signature = Signature::of(vm, method);
    let returned = match is_raw(vm, interface) {
        true => Type::of_descriptor(&signature.returns.erased(&signature.variables)),
        false => signature.returned_in(vm, interface, vm.method(method).class),
    };
    Some((signature.parameters.len(), returned))
}

fn is_void(given: &Type) -> bool {
    matches!(given, Type::Primitive(name) if name == "V")
}

/// Returns the erased parameter types of a method.
pub(super) fn erased_parameters(vm: &Vm, method: MethodId) -> Vec<Type> {
    let text = vm.text(vm.method(method).descriptor);
    let (parameters, _) = descriptor::split_method(text).unwrap_or_default();
    parameters.into_iter().map(Type::of_descriptor).collect()
}

/// Returns the erasure of a type without type variables.
pub(super) fn erasure(given: &Type) -> Type {
    let erased = given.erased(&Default::default());
    match Kind::of(&erased) {
        Kind::Reference => Type::of_descriptor(&erased),
        _ => given.clone(),
    }
}
