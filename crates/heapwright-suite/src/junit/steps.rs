//! The statements that make the objects of one test by calls.
//!
//! What a call makes or returns is one local variable, assigned once, if anything is done with it.

use super::arguments::{self, Argument};
use super::build::{Built, Expression};
use super::call;
use super::scope::Scope;
use crate::sequence::names;
use crate::types::{MethodDescriptor, binary_name};
use crate::{Call, Input, Literal, Sequence, Step};

/// Writes the calls that make the receiver, if they are given, and the arguments of a call.
pub(super) fn build(
    scope: &mut Scope,
    receiver: Option<&Sequence>,
    call: Option<&Call>,
    built: &mut Built,
) {
    let args = call.map_or([].as_slice(), |call| call.args.as_slice());
    let arguments = args.iter().map(|literal| match literal {
        Literal::Made(sequence) => Some(sequence),
        _ => None,
    });
    let arguments: Vec<Option<&Sequence>> = arguments.collect();
    let all: Vec<&Sequence> = receiver
        .into_iter()
        .chain(arguments.iter().copied().flatten())
        .collect();
    let mut names = names(&all).into_iter();
    let mut write = |sequence: &Sequence| {
        let names = names.next().unwrap_or_default();
        statements(scope, sequence, &names, &mut built.statements);
        expression(sequence, &names, sequence.object)
    };
    built.expressions.extend(receiver.map(&mut write));
    let made = arguments
        .into_iter()
        .map(|argument| argument.map(&mut write));
    built.made = made.collect();
}

/// Why a test cannot make these calls, if so: a class that has no name there.
pub(super) fn obstacle(sequence: &Sequence) -> Option<String> {
    let classes = sequence.steps.iter().flat_map(|step| {
        let made = step.made.iter().filter(|_| !step.is_constructor());
        made.chain([&step.class])
    });
    let mut unnamed = classes.filter(|class| class.source_name.is_none());
    let class = unnamed.next()?;
    Some(format!("{} cannot be named in a test", class.name))
}

fn expression(sequence: &Sequence, names: &[String], call: usize) -> Expression {
    let made = sequence.steps[call].made.as_ref();
    Expression {
        source: names[call].clone(),
        static_type: made.map_or(String::new(), |class| class.name.clone()),
    }
}

fn statements(scope: &mut Scope, sequence: &Sequence, names: &[String], to: &mut Vec<String>) {
    for (step, name) in sequence.steps.iter().zip(names) {
        let call = step_source(scope, sequence, step, names);
        to.push(match &step.made {
            Some(class) if !name.is_empty() => {
                let declared = scope.type_name(&class.name).unwrap_or_default();
                let given = MethodDescriptor::parse(&step.method.descriptor).unwrap_or_default();
                let is_exact = step.is_constructor()
                    || binary_name(&given.returns) == class.name && step.method.is_accessible;
                let cast = match is_exact {
                    true => String::new(),
                    false => format!("({declared}) "),
                };
                format!("{declared} {name} = {cast}{call};")
            }
            _ => format!("{call};"),
        });
    }
}

fn step_source(scope: &mut Scope, sequence: &Sequence, step: &Step, names: &[String]) -> String {
    let arguments = step.arguments.iter().map(|input| match input {
        Input::Object(object) => {
            let made = expression(sequence, names, *object);
            Argument {
                source: made.source,
                static_type: made.static_type,
                fits: true,
                is_alone_an_array: false,
            }
        }
        Input::Literal(literal) => arguments::literal_argument(scope, literal),
    });
    let arguments: Vec<Argument> = arguments.collect();
    let receiver = step.receiver.map(|receiver| names[receiver].clone());
    let types = MethodDescriptor::parse(&step.method.descriptor).unwrap_or_default();
    let class = &step.class.name;
    call::direct(
        scope,
        class,
        receiver.as_deref(),
        &step.method,
        &types,
        &arguments,
    )
    .unwrap_or_else(|| {
        call::reflective(scope, receiver.as_deref(), &step.method, &types, &arguments)
    })
}
