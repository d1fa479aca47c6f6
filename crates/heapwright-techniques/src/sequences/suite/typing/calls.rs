//! Parameter and result types of a call given the type arguments, and the form in which the
//! compiler chooses its method (JLS §15.12.2).
//!
//! Invariant: with the spelling returned here the compiler chooses this method and no other.

use std::sync::Arc;

use heapwright_jvm::class::flags;
use heapwright_jvm::{ClassId, MethodId, Vm};
use heapwright_suite::{CallSyntax, Casts, ClassSig, Step};

use super::relations::{
    ArgumentType, Compatibility, Phase, bound, class, class_of, erased_parameters, fits, function,
    is_raw, takes,
};
use crate::signatures::{Signature, Type, Variables, of_class};
use crate::target::methods;

/// Possible spellings of a call, the simplest first.
const SPELLINGS: [(bool, Casts); 5] = [
    (true, Casts::None),
    (false, Casts::None),
    (true, Casts::Untyped),
    (false, Casts::Untyped),
    (false, Casts::All),
];

/// The chosen spelling of a call.
#[derive(Clone, Debug)]
pub(super) struct ChosenSpelling {
    pub spelling: CallSyntax,
    /// The target type of each argument's cast, if any.
    pub cast: Vec<Option<Type>>,
    /// Whether a conversion is unchecked.
    pub is_unchecked: bool,
    /// The types that comparators compare where they must be explicit, by argument position.
    pub compared: Vec<(usize, Type)>,
    /// The same types as they are written.
    pub orders: Vec<(usize, Arc<ClassSig>)>,
}

impl ChosenSpelling {
    /// Resolves the names of compared types, and of the classes in casts with their type arguments.
    pub fn name_casts(&mut self, mut sig: impl FnMut(&Type) -> Option<Arc<ClassSig>>) {
        let compared = self.compared.iter();
        let named = compared.filter_map(|(place, compared)| Some((*place, sig(compared)?)));
        self.orders = named.collect();
        if self.cast.iter().all(Option::is_none) {
            return;
        }
        let contents = self.cast.iter().map(|to| match to {
            Some(Type::Class(_, arguments)) => {
                let named: Option<Vec<Arc<ClassSig>>> = arguments.iter().map(&mut sig).collect();
                named.unwrap_or_default()
            }
            _ => Vec::new(),
        });
        self.spelling.cast_contents = contents.collect();
        let elements = self.cast.iter().flatten().map(Type::element);
        let classes = elements.filter(|element| !matches!(element, Type::Primitive(_)));
        self.spelling.cast_classes = classes.filter_map(&mut sig).collect();
    }
}

/// A method as seen by one call.
#[derive(Clone, Debug)]
pub(super) struct Callee {
    method: MethodId,
    /// The class in which the compiler looks it up.
    class: ClassId,
    /// The parameter types, without the outer object.
    pub parameters: Vec<Type>,
    /// The return type; for a constructor the type of the object.
    pub returns: Type,
    /// Type variables with their bounds: the method's own and, for a constructor, those of its
    /// class.
    pub bounds: Vec<(Type, Type)>,
}

impl Callee {
    /// Returns the method that a step calls.
    pub fn method(vm: &Vm, step: &Step) -> Option<MethodId> {
        let class = vm.loaded_class(&step.method.declaring_class.replace('.', "/"))?;
        vm.declared_method(class, &step.method.name, &step.method.descriptor)
    }

    pub fn is_private(vm: &Vm, step: &Step) -> bool {
        let method = Callee::method(vm, step);
        method.is_none_or(|method| vm.method(method).flags & flags::PRIVATE != 0)
    }

    /// Returns the methods that a step's name and number of arguments may denote.
    pub fn all(vm: &Vm, step: &Step, class: ClassId) -> Vec<Overload> {
        let all = match step.is_constructor() {
            true => vm.class(class).methods.clone(),
            false => methods(vm, class),
        };
        let outer = usize::from(step.is_constructor() && step.receiver.is_some());
        let all = all.into_iter().filter(|&method| {
            let this = vm.method(method);
            vm.text(this.name) == step.method.name
                && this.flags & (flags::SYNTHETIC | flags::BRIDGE) == 0
        });
        let all = all.map(|method| {
            let mut parameters = erased_parameters(vm, method);
            parameters.drain(..outer.min(parameters.len()));
            Overload { method, parameters }
        });
        all.filter(|other| other.parameters.len() == step.arguments.len())
            .collect()
    }

    /// Returns the method as a member, or constructor, of a type; its own type variables get the
    /// prefix `own`.
    pub fn of(vm: &Vm, step: &Step, within: &Type, own: &str) -> Option<Callee> {
        let mut method = Callee::method(vm, step)?;
        if !step.is_constructor()
            && step.receiver.is_some()
            && let Some(class) = class_of(vm, within)
            && !vm.is_subclass(class, vm.method(method).class)
        {
            // The variable's declared type is more general.
            let (name, descriptor) = (vm.method(method).name, vm.method(method).descriptor);
            let same = |&other: &MethodId| {
                vm.method(other).name == name && vm.method(other).descriptor == descriptor
            };
            method = methods(vm, class).into_iter().find(same)?;
        }
        let this = vm.method(method);
        let signature = Signature::of(vm, method);
        let outer = usize::from(step.is_constructor() && step.receiver.is_some());
        let is_called_on = !step.is_constructor() && step.receiver.is_some();
        let mut variables = Variables::new();
        let mut bounds = Vec::new();
        let mut is_erased = false;
        let class = match step.is_constructor() || is_called_on {
            true => class_of(vm, within)?,
            false => vm.loaded_class(&step.class.name.replace('.', "/"))?,
        };
        if step.is_constructor() || is_called_on {
            let declared = of_class(vm, this.class).0;
            match within.as_super(vm, this.class) {
                _ if is_raw(vm, within) => is_erased = true,
                Some(Type::Class(_, arguments)) if arguments.len() == declared.len() => {
                    let names = declared.iter().map(|(name, _)| name.clone());
                    variables.extend(names.zip(arguments));
                }
                Some(_) => is_erased = true,
                None => return None,
            }
            if step.is_constructor() && !is_erased {
                let own = declared.iter();
                bounds.extend(own.filter_map(|(name, bound)| {
                    Some((variables.get(name)?.clone(), bound.with(&variables)))
                }));
            }
        }
        let made = step.is_constructor().then(|| within.clone());
        if is_erased {
            let mut parameters = erased_parameters(vm, method);
            parameters.drain(..outer.min(parameters.len()));
            let returns = Type::of_descriptor(&signature.returns.erased(&signature.variables));
            return Some(Callee {
                method,
                class,
                parameters,
                returns: made.unwrap_or(returns),
                bounds: Vec::new(),
            });
        }
        let renamed = |name: &String| format!("{own}.{name}");
        let own = signature.own.iter();
        variables.extend(own.map(|(name, _)| (name.clone(), Type::Variable(renamed(name)))));
        for (name, bound) in &signature.own {
            bounds.push((Type::Variable(renamed(name)), bound.with(&variables)));
        }
        let parameters = signature.parameters.iter().skip(outer);
        Some(Callee {
            method,
            class,
            parameters: parameters.map(|one| one.with(&variables)).collect(),
            returns: made.unwrap_or_else(|| signature.returns.with(&variables)),
            bounds,
        })
    }

    /// Substitutes type variables.
    pub fn with(&self, variables: &Variables) -> Callee {
        let known = |one: &Type| one.with(variables);
        let bounds = self.bounds.iter();
        let bounds = bounds.map(|(own, bound)| (known(own), known(bound)));
        Callee {
            method: self.method,
            class: self.class,
            parameters: self.parameters.iter().map(known).collect(),
            returns: self.returns.with(variables),
            bounds: bounds.collect(),
        }
    }

    /// Returns the simplest spelling with which the compiler chooses the method, if there is one.
    pub fn chosen(
        &self,
        vm: &Vm,
        step: &Step,
        given: impl Fn(bool) -> Option<Vec<ArgumentType>>,
    ) -> Option<ChosenSpelling> {
        let is_within = self.bounds.iter().all(|(own, bound)| {
            !matches!(own, Type::Variable(_)) && fits(vm, own, bound) == Compatibility::Yes
        });
        if !is_within || step.arguments.len() != self.parameters.len() {
            return None;
        }
        let overloads = Callee::all(vm, step, self.class);
        let own = overloads.iter().find(|other| other.method == self.method)?;
        SPELLINGS.into_iter().find_map(|(unboxes, casts)| {
            let mut all = given(unboxes)?;
            let mut cast = vec![None; all.len()];
            for (place, one) in all.iter_mut().enumerate() {
                let is_untyped = matches!(one, ArgumentType::Null | ArgumentType::Lambda(..));
                let is_cast = match casts {
                    Casts::None => false,
                    Casts::Untyped => is_untyped,
                    Casts::All => true,
                };
                let wanted = &own.parameters[place];
                if is_cast && !one.is_of(wanted) {
                    // The argument must fit without the cast, too.
                    if takes(vm, one, wanted, Phase::Loose) == Compatibility::No {
                        return None;
                    }
                    let to = cast_type(vm, one, &self.parameters[place], wanted);
                    *one = ArgumentType::Value(to.clone());
                    cast[place] = Some(to);
                }
            }
            let is_unchecked = self.is_chosen(vm, own, &overloads, &all, &cast)?;
            let spelling = CallSyntax {
                unboxes,
                casts,
                ..CallSyntax::default()
            };
            Some(ChosenSpelling {
                spelling,
                cast,
                is_unchecked,
                compared: Vec::new(),
                orders: Vec::new(),
            })
        })
    }

    /// Whether the compiler chooses the method for these arguments; on success, whether a
    /// conversion is unchecked.
    fn is_chosen(
        &self,
        vm: &Vm,
        own: &Overload,
        overloads: &[Overload],
        given: &[ArgumentType],
        cast: &[Option<Type>],
    ) -> Option<bool> {
        let is_varargs = vm.method(self.method).flags & flags::VARARGS != 0;
        if is_varargs
            && let (Some(last), Some(wanted)) = (given.last(), own.parameters.last())
            && !last.is_of(wanted)
        {
            return None;
        }
        for phase in [Phase::Strict, Phase::Loose] {
            let applies = |other: &&Overload| {
                // Of the others the erasure says enough.
                let wanted = match other.method == own.method {
                    true => &self.parameters,
                    false => &other.parameters,
                };
                let mut pairs = given.iter().zip(wanted);
                pairs.all(|(given, wanted)| may_take(vm, given, wanted, phase))
            };
            let applicable: Vec<&Overload> = overloads.iter().filter(applies).collect();
            if applicable.is_empty() {
                continue;
            }
            let mut is_unchecked = false;
            for (place, (given, wanted)) in given.iter().zip(&self.parameters).enumerate() {
                match takes(vm, given, wanted, phase) {
                    Compatibility::Yes => {}
                    Compatibility::Unchecked if cast[place].is_some() => is_unchecked = true,
                    Compatibility::Unchecked | Compatibility::No => return None,
                }
            }
            let is_best = applicable
                .iter()
                .all(|other| other.method == own.method || own.is_more_specific(vm, other, given));
            return is_best.then_some(is_unchecked);
        }
        None
    }
}

/// Returns the target type of an argument's cast, with type arguments if they are known.
fn cast_type(vm: &Vm, given: &ArgumentType, parameter: &Type, erased: &Type) -> Type {
    let (Type::Class(name, _), Some(above)) = (erased, class_of(vm, erased)) else {
        return erased.clone();
    };
    let known = match given {
        ArgumentType::Value(given) => given.as_super(vm, above),
        _ => Some(parameter.clone()),
    };
    let Some(Type::Class(_, arguments)) = known else {
        return erased.clone();
    };
    let arguments = arguments.iter().map(|argument| match argument {
        Type::Any => class("java/lang/Object"),
        other => bound(other).clone(),
    });
    let arguments: Vec<Type> = arguments.collect();
    let is_plain = |one: &Type| match one {
        Type::Class(_, arguments) => arguments.is_empty() && !is_raw(vm, one),
        _ => false,
    };
    match arguments.iter().all(is_plain) && are_within(vm, above, &arguments) {
        true => Type::Class(name.clone(), arguments),
        false => erased.clone(),
    }
}

/// Whether type arguments are within the bounds of a class's parameters.
fn are_within(vm: &Vm, class: ClassId, arguments: &[Type]) -> bool {
    let parameters = of_class(vm, class).0;
    let pairs = || parameters.iter().zip(arguments);
    let variables: Variables = pairs()
        .map(|((name, _), argument)| (name.clone(), argument.clone()))
        .collect();
    pairs().all(|((_, bound), argument)| {
        fits(vm, argument, &bound.with(&variables)) == Compatibility::Yes
    })
}

/// Whether an argument may be compatible with a parameter's erasure.
fn may_take(vm: &Vm, given: &ArgumentType, wanted: &Type, phase: Phase) -> bool {
    match given {
        ArgumentType::Lambda(parameters, ..) => {
            function(vm, wanted).is_some_and(|(count, _)| count == *parameters)
        }
        ArgumentType::Order => {
            fits(vm, &class("java/util/Comparator"), wanted) != Compatibility::No
        }
        other => takes(vm, other, wanted, phase) != Compatibility::No,
    }
}

/// A candidate method, with its erased parameter types.
#[derive(Clone, Debug)]
pub(super) struct Overload {
    method: MethodId,
    parameters: Vec<Type>,
}

impl Overload {
    /// Returns the names of the classes in its signature.
    pub fn named(&self, vm: &Vm) -> Vec<String> {
        let signature = Signature::of(vm, self.method);
        let all = signature.parameters.iter().chain([&signature.returns]);
        let all = all.chain(signature.variables.values());
        let mut names = Vec::new();
        for one in all {
            name_classes(one, &mut names);
        }
        names
    }

    fn is_more_specific(&self, vm: &Vm, other: &Overload, given: &[ArgumentType]) -> bool {
        let mut pairs = self.parameters.iter().zip(&other.parameters).zip(given);
        pairs.all(|((own, other), given)| match given {
            ArgumentType::Lambda(..) => own == other,
            _ => fits(vm, own, other) == Compatibility::Yes,
        })
    }
}

fn name_classes(one: &Type, names: &mut Vec<String>) {
    match one {
        Type::Class(name, arguments) => {
            names.push(name.clone());
            for argument in arguments {
                name_classes(argument, names);
            }
        }
        Type::Array(inner) | Type::Extends(inner) | Type::Super(inner) => {
            name_classes(inner, names)
        }
        Type::Primitive(_) | Type::Variable(_) | Type::Any => {}
    }
}
