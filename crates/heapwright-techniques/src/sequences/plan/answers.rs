//! Objects that the methods of stubs return.
//!
//! Invariant: few methods of one stub return objects, so that stubs with many methods neither multiply
//! the combinations of arguments nor the components of a call.

use heapwright_jvm::{ClassId, Vm};

use super::argument_source::ArgumentSource;
use super::search_plan::SearchPlan;
use crate::arguments::combinations;
use crate::functional::AnswerInput;
use crate::sequences::callables::lambda_stubs::declared;
use crate::signatures::{Type, of_class};
use crate::statements::{AnonymousClass, Invokable, StatementArgument, extended_type};

/// Maximum number of methods of a stub that return objects which statements make.
const MAX_OBJECTS: usize = 2;

/// Maximum number of argument lists of a stub on the same components.
const MAX_WAYS: usize = 1 << 10;

/// Returns the number of components that a call may join; of the parameters that take lambdas, at
/// most one takes the object of a component.
pub(super) fn joined(invokable: &Invokable, takes: &[ArgumentSource]) -> usize {
    let count = |takes: &[ArgumentSource]| {
        let objects = takes.iter().filter(|taking| taking.bound.is_some());
        let (lambdas, others): (Vec<_>, Vec<_>) =
            objects.partition(|taking| taking.stub_type.is_some());
        others.len() + lambdas.len().min(1)
    };
    match invokable.script_inputs() {
        Some((before, _)) => {
            let (above, own) = takes.split_at(before);
            count(above) + count(own).min(MAX_OBJECTS)
        }
        None => count(takes),
    }
}

/// Returns the classes whose objects are no arguments for a parameter with type arguments: those of
/// `stubs` and of `given`, which statements create, with others.
pub(super) fn refused(
    vm: &Vm,
    (stubs, given): (&[&AnonymousClass], &[ClassId]),
    invokable: &Invokable,
    place: usize,
    bound: ClassId,
) -> Vec<ClassId> {
    let is_below = |stub: &&&AnonymousClass| vm.is_subclass(stub.of, bound);
    let near: Vec<&&AnonymousClass> = stubs.iter().filter(is_below).collect();
    let is_generic = !of_class(vm, bound).0.is_empty();
    let mut below = given.iter().copied();
    let is_alone = near.is_empty() && !below.any(|class| vm.is_subclass(class, bound));
    if is_alone || !is_generic || invokable.parameters[place].is_receiver {
        return Vec::new();
    }
    let (declared, variables) = declared(vm, invokable, place);
    let wanted = match declared.as_super(vm, bound) {
        Some(Type::Class(_, wanted)) => wanted,
        _ => Vec::new(),
    };
    let others = given.iter().copied();
    let others = others.filter(|&class| has_other_arguments(vm, class, bound, &wanted));
    let extended = extended_type(vm, bound, &declared, &variables);
    let contents = crate::statements::type_arguments(&extended);
    // A stub of a subtype or a raw one may fit, but what scripted ones return depends on the type.
    let refused = near.into_iter().filter(|stub| match stub.is_scripted() {
        true => stub.of != bound || stub.contents != contents,
        false => stub.of == bound && !stub.contents.is_empty() && stub.contents != contents,
    });
    refused.map(|stub| stub.class).chain(others).collect()
}

/// Whether a class that is not generic extends another one with type arguments that a parameter does
/// not accept: a path is no `Iterable<String>`.
fn has_other_arguments(vm: &Vm, class: ClassId, bound: ClassId, wanted: &[Type]) -> bool {
    if !vm.is_subclass(class, bound) || !of_class(vm, class).0.is_empty() {
        return false;
    }
    let own = Type::Class(vm.class_name(class).to_owned(), Vec::new());
    match own.as_super(vm, bound) {
        Some(Type::Class(_, given)) => {
            let mut pairs = wanted.iter().zip(&given);
            pairs.any(|(wanted, given)| is_other_argument(vm, wanted, given))
        }
        _ => false,
    }
}

/// Whether a type argument surely does not contain another one (JLS §4.5.1).
fn is_other_argument(vm: &Vm, wanted: &Type, given: &Type) -> bool {
    let class = |one: &Type| match one {
        Type::Class(name, _) => vm.loaded_class(name),
        _ => None,
    };
    let is_below = |below: &Type, above: &Type| match (class(below), class(above)) {
        (Some(below), Some(above)) => vm.is_subclass(below, above),
        _ => true,
    };
    match wanted {
        Type::Extends(bound) => !is_below(given, bound),
        Type::Super(bound) => !is_below(bound, given),
        Type::Class(..) => class(wanted) != class(given),
        Type::Array(_) | Type::Primitive(_) | Type::Variable(_) | Type::Any => false,
    }
}

impl SearchPlan {
    /// Returns the argument lists of a scripted stub from the choices for each argument. Few methods
    /// return objects; the others return null or a lambda.
    pub(in crate::sequences) fn answers(
        &self,
        number: usize,
        choices: &[Vec<StatementArgument>],
    ) -> Vec<Vec<StatementArgument>> {
        let inputs = self.invokables[number].script_inputs();
        let (before, inputs) = inputs.unwrap_or_default();
        let is_object = |place: &usize| {
            let input = place
                .checked_sub(before)
                .and_then(|place| inputs.get(place));
            matches!(input, Some((_, AnswerInput::Object | AnswerInput::Later)))
        };
        let is_made = |choice: &StatementArgument| {
            !matches!(choice, StatementArgument::Null | StatementArgument::Open)
        };
        let others: Vec<Vec<StatementArgument>> = choices
            .iter()
            .enumerate()
            .map(|(place, all)| match is_object(&place) {
                true if self.roles[number].takes[place].is_open => vec![StatementArgument::Open],
                true => vec![StatementArgument::Null],
                false => all.clone(),
            })
            .collect();
        let given: Vec<usize> = (0..choices.len())
            .filter(|place| is_object(place) && choices[*place].iter().any(is_made))
            .collect();
        let mut sets = vec![Vec::new()];
        sets.extend(given.iter().map(|&place| vec![place]));
        for (number, &first) in given.iter().enumerate() {
            sets.extend(
                given[number + 1..]
                    .iter()
                    .map(|&second| vec![first, second]),
            );
        }
        let mut lists = Vec::new();
        for set in sets.into_iter().filter(|set| set.len() <= MAX_OBJECTS) {
            let mut limited = others.clone();
            for place in set {
                limited[place] = choices[place].iter().copied().filter(is_made).collect();
            }
            lists.extend(combinations(&limited).take(MAX_WAYS - lists.len()));
        }
        lists
    }
}
