//! What a call's method takes and gives where type arguments are known, and how the call has to be
//! written for the compiler to choose it (JLS §15.12.2).
//!
//! Invariant: with the spelling given here the compiler chooses this method and no other.

use heapwright_jvm::class::flags;
use heapwright_jvm::{MethodId, Vm};
use heapwright_suite::{Casts, Spelling, Step};

use super::super::generics::{Signature, Type, Variables, of_class};
use super::relations::{
    Fit, Given, Phase, class, class_of, erased_parameters, fits, function, is_raw, takes,
};
use crate::target::methods;

/// The flag of methods with a variable number of arguments (JVMS table 4.6-A).
const VARARGS: u16 = 0x0080;

/// How a call can be written, the plain first.
const SPELLINGS: [(bool, Casts); 5] = [
    (true, Casts::None),
    (false, Casts::None),
    (true, Casts::Untyped),
    (false, Casts::Untyped),
    (false, Casts::All),
];

/// A method as one call has it.
#[derive(Clone, Debug)]
pub(super) struct Callee {
    method: MethodId,
    /// The types of its arguments, but for the enclosing object.
    pub parameters: Vec<Type>,
    /// What it gives; of a constructor the object.
    pub returns: Type,
    /// Its own type variables with what they are below, and those of the class that is made.
    pub bounds: Vec<(Type, Type)>,
}

impl Callee {
    /// The method of a step.
    pub fn method(vm: &Vm, step: &Step) -> Option<MethodId> {
        let class = vm.loaded_class(&step.method.declaring_class.replace('.', "/"))?;
        vm.declared_method(class, &step.method.name, &step.method.descriptor)
    }

    pub fn is_private(vm: &Vm, step: &Step) -> bool {
        let method = Callee::method(vm, step);
        method.is_none_or(|method| vm.method(method).flags & flags::PRIVATE != 0)
    }

    /// The methods that a step's name and number of arguments may mean.
    pub fn all(vm: &Vm, step: &Step) -> Vec<Overload> {
        let Some(class) = vm.loaded_class(&step.class.name.replace('.', "/")) else {
            return Vec::new();
        };
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

    /// A method as it is called on, or makes, an object of a type; its own type variables are called after
    /// this.
    pub fn of(vm: &Vm, method: MethodId, step: &Step, within: &Type, own: &str) -> Option<Callee> {
        let this = vm.method(method);
        let signature = Signature::of(vm, method);
        let outer = usize::from(step.is_constructor() && step.receiver.is_some());
        let is_called_on = !step.is_constructor() && step.receiver.is_some();
        let mut variables = Variables::new();
        let mut bounds = Vec::new();
        let mut is_erased = false;
        if step.is_constructor() || is_called_on {
            let declared = of_class(vm, this.class).0;
            let found = class_of(vm, within)?;
            if !vm.is_subclass(found, this.class) {
                return None;
            }
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
            parameters: parameters.map(|one| one.with(&variables)).collect(),
            returns: made.unwrap_or_else(|| signature.returns.with(&variables)),
            bounds,
        })
    }

    /// The same where it is known what variables stand for.
    pub fn with(&self, variables: &Variables) -> Callee {
        let known = |one: &Type| one.with(variables);
        let bounds = self.bounds.iter();
        let bounds = bounds.map(|(own, bound)| (known(own), known(bound)));
        Callee {
            method: self.method,
            parameters: self.parameters.iter().map(known).collect(),
            returns: self.returns.with(variables),
            bounds: bounds.collect(),
        }
    }

    /// How it is written, if the compiler can be made to choose it, and whether a conversion is unchecked.
    pub fn chosen(
        &self,
        vm: &Vm,
        step: &Step,
        given: impl Fn(bool) -> Option<Vec<Given>>,
    ) -> Option<(Spelling, bool)> {
        let is_within = self.bounds.iter().all(|(own, bound)| {
            !matches!(own, Type::Variable(_)) && fits(vm, own, bound) == Fit::Yes
        });
        if !is_within || step.arguments.len() != self.parameters.len() {
            return None;
        }
        let overloads = Callee::all(vm, step);
        let own = overloads.iter().find(|other| other.method == self.method)?;
        SPELLINGS.into_iter().find_map(|(unboxes, casts)| {
            let mut all = given(unboxes)?;
            let mut cast = vec![false; all.len()];
            for (place, one) in all.iter_mut().enumerate() {
                let is_untyped = matches!(one, Given::Null | Given::Lambda(..));
                let is_cast = match casts {
                    Casts::None => false,
                    Casts::Untyped => is_untyped,
                    Casts::All => true,
                };
                let wanted = &own.parameters[place];
                if is_cast && !one.is_of(wanted) {
                    // It has to fit without the cast, too.
                    if takes(vm, one, wanted, Phase::Loose) == Fit::No {
                        return None;
                    }
                    *one = Given::Value(wanted.clone());
                    cast[place] = true;
                }
            }
            let is_unchecked = self.is_chosen(vm, own, &overloads, &all, &cast)?;
            let spelling = Spelling {
                unboxes,
                casts,
                is_diamond: false,
            };
            Some((spelling, is_unchecked))
        })
    }

    /// Whether the compiler chooses it for these arguments, and then whether a conversion is unchecked.
    fn is_chosen(
        &self,
        vm: &Vm,
        own: &Overload,
        overloads: &[Overload],
        given: &[Given],
        cast: &[bool],
    ) -> Option<bool> {
        let is_varargs = vm.method(self.method).flags & VARARGS != 0;
        if is_varargs
            && let (Some(last), Some(wanted)) = (given.last(), own.parameters.last())
            && !last.is_of(wanted)
        {
            return None;
        }
        for phase in [Phase::Strict, Phase::Loose] {
            let applies = |other: &&Overload| {
                let mut pairs = given.iter().zip(&other.parameters);
                pairs.all(|(given, wanted)| may_take(vm, given, wanted, phase))
            };
            let applicable: Vec<&Overload> = overloads.iter().filter(applies).collect();
            if applicable.is_empty() {
                continue;
            }
            let mut is_unchecked = false;
            for (place, (given, wanted)) in given.iter().zip(&self.parameters).enumerate() {
                match takes(vm, given, wanted, phase) {
                    Fit::Yes => {}
                    Fit::Unchecked if cast[place] => is_unchecked = true,
                    Fit::Unchecked | Fit::No => return None,
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

/// Whether an argument could be taken for a parameter's erasure.
fn may_take(vm: &Vm, given: &Given, wanted: &Type, phase: Phase) -> bool {
    match given {
        Given::Lambda(parameters, _) => {
            function(vm, wanted).is_some_and(|(count, _)| count == *parameters)
        }
        Given::Order => fits(vm, &class("java/util/Comparator"), wanted) != Fit::No,
        other => takes(vm, other, wanted, phase) != Fit::No,
    }
}

/// A method that may be meant, with what its parameters erase to.
#[derive(Clone, Debug)]
pub(super) struct Overload {
    method: MethodId,
    parameters: Vec<Type>,
}

impl Overload {
    /// The classes that its parameters name.
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

    fn is_more_specific(&self, vm: &Vm, other: &Overload, given: &[Given]) -> bool {
        let mut pairs = self.parameters.iter().zip(&other.parameters).zip(given);
        pairs.all(|((own, other), given)| match given {
            Given::Lambda(..) => own == other,
            _ => fits(vm, own, other) == Fit::Yes,
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
