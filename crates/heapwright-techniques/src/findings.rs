//! What is found wrong by oracles that nobody had to write: an invariant, contracts, exceptions that nobody declared.
//!
//! Invariant: of each method, kind and exception the test that counts as the smallest is kept, the first among equals.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_jvm::descriptor;
use heapwright_jvm::{ClassId, Ref, Vm};
use heapwright_suite::{
    Body, Call, Case, Label, Literal, MethodSig, Object, Outcome, Requirement, Structure, Suite,
    Value,
};

use crate::contracts::{Asked, Breach, Contracts, Given, broken};
use crate::misuse::{Misuse, MisuseRule};
use crate::observe::exit;
use crate::{Error, target};

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// A call throws an exception that nobody declared.
    Throws,
    /// The invariant does not hold behind a call.
    BreaksInvariant,
    /// An object breaks a contract.
    BreaksContract,
}

/// Tests that fail, each with what it shows.
#[derive(Clone, Debug)]
pub struct Failing {
    /// The tests.
    pub suite: Suite,
    /// What is wrong: a case or a script each.
    pub findings: Vec<Finding>,
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub kind: Kind,
    /// The method that does it, with its parameters: `remove(int)`.
    pub method: String,
    /// The class of the exception, by binary name, if one is thrown.
    pub thrown: Option<String>,
    /// What is wrong, for people: a sentence that the test follows.
    pub reason: String,
}

impl Kind {
    /// Its name, for programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Throws => "throws",
            Kind::BreaksInvariant => "breaks-invariant",
            Kind::BreaksContract => "breaks-contract",
        }
    }
}

impl Finding {
    /// A call that throws what nobody declared.
    #[must_use]
    pub fn throws(method: String, thrown: String) -> Finding {
        Finding {
            kind: Kind::Throws,
            method,
            reason: format!("{thrown}, which nobody declared, is thrown by"),
            thrown: Some(thrown),
        }
    }

    /// A call behind which the invariant of that name does not hold.
    #[must_use]
    pub fn breaks_invariant(method: String, invariant: &str) -> Finding {
        Finding {
            kind: Kind::BreaksInvariant,
            method,
            thrown: None,
            reason: format!("{invariant} does not hold after"),
        }
    }

    /// An object that breaks a contract.
    #[must_use]
    pub fn breaks_contract(vm: &Vm, asked: Asked, breach: Breach) -> Finding {
        let name = vm.text(vm.method(asked.method).name);
        Finding {
            kind: Kind::BreaksContract,
            method: crate::check::name_of(vm, asked.method),
            thrown: match breach {
                Breach::Wrong => None,
                Breach::Throws(class) => Some(vm.binary_name(class)),
            },
            reason: format!("{name} {}", asked.text(vm, breach)),
        }
    }

    /// What tells it from others.
    fn key(&self) -> (String, Kind, String) {
        let what = self.thrown.as_ref().unwrap_or(&self.reason);
        (self.method.clone(), self.kind, what.clone())
    }
}

/// Of each method, kind and exception the smallest test, in the order in which these were found first.
#[must_use]
pub fn smallest<T>(found: Vec<(Finding, T)>, size: impl Fn(&T) -> usize) -> Vec<(Finding, T)> {
    let mut kept: Vec<(Finding, T)> = Vec::new();
    let mut places = BTreeMap::new();
    for (finding, test) in found {
        let place = *places.entry(finding.key()).or_insert(kept.len());
        match kept.get_mut(place) {
            None => kept.push((finding, test)),
            Some(known) if size(&test) < size(&known.1) => *known = (finding, test),
            Some(_) => {}
        }
    }
    kept
}

/// Which exceptions a class may throw: those by which calls are refused, those of `throws` clauses, and those that the
/// program has classes of its own for.
#[derive(Clone, Debug)]
pub struct Declared {
    misuse: Misuse,
    /// Whether an exception is declared by its class being the program's.
    takes_own: bool,
}

impl Declared {
    /// The usual refusals and the exceptions named, by binary name or, in `java.lang`, `java.util` and the package of
    /// `class`, by simple name.
    ///
    /// # Errors
    /// There is no such exception.
    pub fn new(vm: &mut Vm, class: ClassId, expected: &[String]) -> Result<Declared, Error> {
        let own = vm.binary_name(class);
        let package = own.rsplit_once('.').map_or("", |(package, _)| package);
        let mut misuse = Misuse::new(vm, &MisuseRule::Usual)?;
        for name in expected {
            misuse.expect(vm, package, name)?;
        }
        Ok(Declared {
            misuse,
            takes_own: true,
        })
    }

    /// Those that a rule takes for misuse, and those of `throws` clauses.
    #[must_use]
    pub fn of(misuse: Misuse) -> Declared {
        Declared {
            misuse,
            takes_own: false,
        }
    }

    /// Whether a method may end by an exception of a class. `has_null` says whether null was among what it was given.
    pub fn covers(&self, vm: &mut Vm, method: &MethodSig, thrown: ClassId, has_null: bool) -> bool {
        let (parameters, _) = descriptor::split_method(&method.descriptor).unwrap_or_default();
        let is_integer = |parameter: &&str| matches!(*parameter, "B" | "C" | "S" | "I" | "J");
        let has_integer = parameters.iter().any(is_integer);
        self.misuse.covers(vm, thrown, has_null, has_integer)
            || self.takes_own && vm.is_app_class(thrown)
            || method.exceptions.iter().any(|name| {
                let class = target::find_class(vm, name);
                class.is_ok_and(|class| vm.is_subclass(thrown, class))
            })
    }

    /// Takes out of the cases of a suite the calls that fail, and leaves of them the smallest of each method, kind and
    /// exception: those that end by an exception that nobody declared or leave an object that breaks the invariant,
    /// both only where it is vouched that the input is valid, and those that ask for a contract.
    pub fn take_failing(
        &self,
        vm: &mut Vm,
        suite: &mut Suite,
        is_vouched: impl Fn(&Case) -> bool,
    ) -> Failing {
        let mut found = Vec::new();
        for case in &mut suite.cases {
            let is_vouched = is_vouched(case);
            let mut kept = Vec::new();
            for call in std::mem::take(&mut case.calls) {
                let invariant = suite.invariant.as_ref().filter(|_| is_vouched);
                let invariant = invariant.map(|invariant| invariant.name.as_str());
                match self.judged(vm, &case.input, &call, (invariant, is_vouched)) {
                    Some((finding, outcome)) => {
                        let call = Call {
                            outcome,
                            invariant_holds_after: true,
                            label: Label::default(),
                            ..call
                        };
                        let reproducer = Case {
                            calls: vec![call],
                            ..case.clone()
                        };
                        found.push((finding, reproducer));
                    }
                    None => kept.push(call),
                }
            }
            case.calls = kept;
        }
        let has_invariant = suite.invariant.is_some();
        suite
            .cases
            .retain(|case| has_invariant || !case.calls.is_empty());
        let (findings, cases) = smallest(found, size).into_iter().unzip();
        Failing {
            suite: Suite {
                cases,
                scripts: Vec::new(),
                ..suite.clone()
            },
            findings,
        }
    }

    /// What is wrong with a call, and what a test states so that it fails.
    fn judged(
        &self,
        vm: &mut Vm,
        input: &Structure,
        call: &Call,
        (invariant, is_vouched): (Option<&str>, bool),
    ) -> Option<(Finding, Outcome)> {
        let method = name_of(&call.method);
        if let Outcome::Failed(requirement) = &call.outcome {
            let finding = of_contract(method, requirement)?;
            return Some((finding, call.outcome.clone()));
        }
        if let Outcome::Threw { class } = &call.outcome
            && is_vouched
            && let Some(thrown) = vm.loaded_class(&class.name.replace('.', "/"))
            && !self.covers(vm, &call.method, thrown, takes_null(input, call))
        {
            let requirement = Requirement::DoesNotThrow(class.name.clone());
            let finding = Finding::throws(method, class.name.clone());
            return Some((finding, Outcome::Failed(requirement)));
        }
        let invariant = invariant.filter(|_| !call.invariant_holds_after)?;
        let outcome = match &call.outcome {
            threw @ Outcome::Threw { .. } => threw.clone(),
            _ => Outcome::Failed(Requirement::KeepsInvariant),
        };
        Some((Finding::breaks_invariant(method, invariant), outcome))
    }
}

/// Whether a case has no object whose fields were set, so that no input of its kind is invalid.
#[must_use]
pub fn is_of_values(case: &Case) -> bool {
    case.input.objects.iter().all(is_value)
}

/// Whether what is not reached from a receiver has no object whose fields were set, so that who vouches for receivers
/// vouches for the input.
#[must_use]
pub fn is_of_receiver(case: &Case) -> bool {
    let others = &case.input.objects[case.input.reached()..];
    let has_receiver = |call: &Call| !call.method.is_static;
    case.calls.iter().all(has_receiver) && others.iter().all(is_value)
}

fn is_value(object: &Object) -> bool {
    match &object.body {
        Body::Fields(fields) => fields.is_empty(),
        _ => true,
    }
}

/// A case for people: its call, and what it is made on.
#[must_use]
pub fn shown(case: &Case) -> String {
    let Some(call) = case.calls.first() else {
        return case.input.to_string();
    };
    let arguments: Vec<String> = call
        .args
        .iter()
        .map(|literal| case.input.shown(literal))
        .collect();
    let name = name_of(&call.method);
    let name = name.split('(').next().unwrap_or_default();
    let text = format!("{name}({})", arguments.join(", "));
    match &case.made_by {
        Some(sequence) => format!("{sequence}; {text}"),
        None if case.input.objects.is_empty() => text,
        None => format!("{text} on {}", case.input),
    }
}

/// The contracts of one object that it breaks, as calls that state them.
pub(crate) fn broken_contracts(
    vm: &mut Vm,
    contracts: &Contracts,
    object: Ref,
    step_limit: u64,
) -> Vec<Call> {
    let mut calls = Vec::new();
    let class = vm.heap.class_of(object);
    for asked in contracts.iter().filter(|asked| !asked.contract.is_of_two()) {
        let breach = vm.with_mark(|vm| {
            let ended = exit(vm, asked.entry(), &asked.slots(object, object), step_limit);
            let breach = asked.breach(vm, object, &ended);
            vm.abandon();
            breach
        });
        let requirement = match breach {
            None => continue,
            Some(Breach::Wrong) => Requirement::Keeps(asked.contract),
            Some(Breach::Throws(class)) => Requirement::DoesNotThrow(vm.binary_name(class)),
        };
        let argument = match asked.given() {
            Given::Nothing | Given::Other => None,
            Given::Itself => Some(Value::Ref(0)),
            Given::Null => Some(Value::Null),
        };
        if let Some(method) = asked.stated_by(vm, class) {
            calls.push(Call {
                method: Arc::new(method),
                args: argument.into_iter().map(Literal::Value).collect(),
                outcome: Outcome::Failed(requirement),
                invariant_holds_after: true,
                label: Label::default(),
            });
        }
    }
    calls
}

/// What a call that states a contract shows.
pub(crate) fn of_contract(method: String, requirement: &Requirement) -> Option<Finding> {
    let name = method.split('(').next().unwrap_or_default();
    let (thrown, reason) = match requirement {
        Requirement::Keeps(contract) => (None, format!("{name} {}", broken(*contract))),
        Requirement::DoesNotThrow(class) => (Some(class.clone()), format!("{name} throws {class}")),
        _ => return None,
    };
    Some(Finding {
        kind: Kind::BreaksContract,
        method,
        thrown,
        reason,
    })
}

/// How large a case is: its objects, the calls that make them, its arguments.
fn size(case: &Case) -> usize {
    let calls = case.made_by.as_ref().map_or(0, |made| made.steps.len());
    case.input.objects.len() + calls
}

/// Whether null is among what a call is given: as an argument, or in an array or a collection.
fn takes_null(input: &Structure, call: &Call) -> bool {
    let holds_null =
        |body: &Body| matches!(body, Body::Array(elements) if elements.contains(&Value::Null));
    call.args.iter().any(is_null) || input.objects.iter().any(|object| holds_null(&object.body))
}

fn is_null(literal: &Literal) -> bool {
    match literal {
        Literal::Value(Value::Null) => true,
        Literal::Array { elements, .. } | Literal::Held { elements, .. } => {
            elements.iter().any(is_null)
        }
        Literal::Lambda { answer, .. } => answer.as_deref().is_some_and(is_null),
        _ => false,
    }
}

/// Name and parameters of a method: `remove(int)`.
fn name_of(method: &MethodSig) -> String {
    let (parameters, _) = descriptor::split_method(&method.descriptor).unwrap_or_default();
    let parameters: Vec<String> = parameters.into_iter().map(descriptor::to_java).collect();
    let class = method.declaring_class.rsplit(['.', '$']).next();
    let name = match method.is_constructor() {
        true => class.unwrap_or_default(),
        false => &method.name,
    };
    format!("{name}({})", parameters.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_of_each_is_kept() {
        let throws = |method: &str, thrown: &str| Finding::throws(method.into(), thrown.into());
        let found = vec![
            (throws("a()", "X"), "long"),
            (throws("b()", "X"), "b"),
            (throws("a()", "X"), "a"),
            (throws("a()", "Y"), "y"),
            (throws("a()", "X"), "z"),
            (Finding::breaks_invariant("a()".into(), "repOK"), "i"),
        ];
        let kept = smallest(found, |test| test.len());
        let kept: Vec<(&str, &str)> = kept
            .iter()
            .map(|(finding, test)| (finding.kind.name(), *test))
            .collect();
        let wanted = [
            ("throws", "a"),
            ("throws", "b"),
            ("throws", "y"),
            ("breaks-invariant", "i"),
        ];
        assert_eq!(kept, wanted);
    }
}
