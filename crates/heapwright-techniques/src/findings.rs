//! Findings of oracles that need no specification: an invariant, contracts, undeclared exceptions.
//!
//! Invariant: for each method, kind and exception the smallest test is retained, the first among
//! equals. The findings that are surest to be faults come first.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor;
use heapwright_jvm::{ClassId, Ref, Vm};
use heapwright_suite::{
    Body, Call, CallOutcome, Case, Input, Label, Literal, MethodSig, Object, Requirement,
    Structure, Suite, Value,
};
use serde::{Deserialize, Serialize};

use crate::contracts::{Breach, ContractArgument, ContractCheck, Contracts, broken};
use crate::misuse::{Misuse, MisuseRule};
use crate::observe::exit;
use crate::{Error, target};

/// Kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FaultKind {
    /// A call throws an undeclared exception.
    Throws,
    /// The invariant does not hold after a call.
    BreaksInvariant,
    /// An object violates a contract.
    BreaksContract,
}

/// Rank of a finding: what was broken, the surest to be a fault first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FindingRank {
    /// A contract, such as that of `equals`.
    Contract,
    /// The invariant, or an assertion of the code.
    Invariant,
    /// The bounds of an array, a list or a string.
    Index,
    /// The type of an object.
    Cast,
    /// Arithmetic, such as a division by 0.
    Arithmetic,
    /// A null that no guard expects. A container may set in production what a test leaves null.
    Null,
    /// Another exception.
    Other,
}

/// Exceptions with their ranks; subclasses have the rank, too.
const RANKED: [(&str, FindingRank); 7] = [
    ("java/lang/AssertionError", FindingRank::Invariant),
    ("java/lang/IndexOutOfBoundsException", FindingRank::Index),
    ("java/lang/NegativeArraySizeException", FindingRank::Index),
    ("java/lang/ClassCastException", FindingRank::Cast),
    ("java/lang/ArrayStoreException", FindingRank::Cast),
    ("java/lang/ArithmeticException", FindingRank::Arithmetic),
    ("java/lang/NullPointerException", FindingRank::Null),
];

impl FindingRank {
    /// Returns the rank of a finding of a kind; `thrown` is the class of the exception, if there is
    /// one.
    #[must_use]
    pub fn of(vm: &Vm, kind: FaultKind, thrown: Option<ClassId>) -> FindingRank {
        match kind {
            FaultKind::BreaksContract => FindingRank::Contract,
            FaultKind::BreaksInvariant => FindingRank::Invariant,
            FaultKind::Throws => {
                let is_such = |name: &str| {
                    let class = vm.loaded_class(name);
                    let both = thrown.zip(class);
                    both.is_some_and(|(thrown, class)| vm.is_subclass(thrown, class))
                };
                let ranked = RANKED.iter().find(|(name, _)| is_such(name));
                ranked.map_or(FindingRank::Other, |(_, rank)| *rank)
            }
        }
    }

    /// Whether a finding of this rank is sure to be a fault of the code.
    #[must_use]
    pub fn is_sure(self) -> bool {
        self <= FindingRank::Arithmetic
    }
}

/// Failing tests with their findings.
#[derive(Clone, Debug)]
pub struct Failing {
    /// The tests.
    pub suite: Suite,
    /// The findings, one for each case or script.
    pub findings: Vec<Finding>,
}

/// A fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The kind of fault.
    pub kind: FaultKind,
    /// The faulty method, with its parameters: `remove(int)`.
    pub method: String,
    /// The class of the exception, by binary name, if one is thrown.
    pub thrown: Option<String>,
    /// A description for users, to be followed by the test.
    pub reason: String,
    /// The rank.
    pub rank: FindingRank,
}

impl Failing {
    /// Makes the failing tests of a suite from which failing calls were split, and removes cases
    /// from it that no longer assert anything.
    #[must_use]
    pub fn of(suite: &mut Suite, found: Vec<(Finding, Case)>) -> Failing {
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
}

impl FaultKind {
    /// Returns the name for machine-readable output.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Throws => "throws",
            FaultKind::BreaksInvariant => "breaks-invariant",
            FaultKind::BreaksContract => "breaks-contract",
        }
    }
}

impl Finding {
    /// Returns the description as a sentence that needs no test behind it.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self.kind {
            FaultKind::BreaksContract => self.reason.clone(),
            FaultKind::Throws | FaultKind::BreaksInvariant => {
                format!("{} {}", self.reason, self.method)
            }
        }
    }

    /// Makes the finding of a call that throws an undeclared exception.
    #[must_use]
    pub fn throws(vm: &Vm, method: String, class: ClassId) -> Finding {
        let thrown = vm.binary_name(class);
        Finding {
            kind: FaultKind::Throws,
            rank: FindingRank::of(vm, FaultKind::Throws, Some(class)),
            method,
            reason: format!("{thrown}, which is not declared, is thrown by"),
            thrown: Some(thrown),
        }
    }

    /// Makes the finding of a call after which the invariant with that name does not hold.
    #[must_use]
    pub fn breaks_invariant(method: String, invariant: &str) -> Finding {
        Finding {
            kind: FaultKind::BreaksInvariant,
            rank: FindingRank::Invariant,
            method,
            thrown: None,
            reason: format!("{invariant} does not hold after"),
        }
    }

    /// Makes the finding of an object that violates a contract. A null in an object of a class that
    /// frameworks create by a constructor of their own is no sure fault: they set the fields.
    #[must_use]
    pub fn breaks_contract(vm: &Vm, asked: ContractCheck, breach: Breach) -> Finding {
        let name = vm.text(vm.method(asked.method).name);
        let class = vm.method(asked.method).class;
        let rank = match breach {
            Breach::Throws(thrown) if has_hidden_maker(vm, class) => {
                let thrown = FindingRank::of(vm, FaultKind::Throws, Some(thrown));
                thrown.max(FindingRank::Contract)
            }
            _ => FindingRank::Contract,
        };
        Finding {
            kind: FaultKind::BreaksContract,
            rank,
            method: crate::statements::name_of(vm, asked.method),
            thrown: match breach {
                Breach::Wrong => None,
                Breach::Throws(class) => Some(vm.binary_name(class)),
            },
            reason: format!("{name} {}", asked.text(vm, breach)),
        }
    }

    /// Returns the key by which equivalent findings are recognised.
    fn key(&self) -> (String, FaultKind, String) {
        let what = self.thrown.as_ref().unwrap_or(&self.reason);
        (self.method.clone(), self.kind, what.clone())
    }
}

/// Whether a class has a constructor without parameters beside others that is not public, as
/// persistence frameworks ask for.
fn has_hidden_maker(vm: &Vm, class: ClassId) -> bool {
    let methods = vm.class(class).methods.iter();
    let makers = methods.map(|&method| vm.method(method));
    let makers: Vec<_> = makers
        .filter(|method| vm.text(method.name) == "<init>")
        .collect();
    let mut hidden = makers
        .iter()
        .filter(|method| vm.text(method.descriptor) == "()V" && method.flags & flags::PUBLIC == 0);
    makers.len() > 1 && hidden.next().is_some()
}

/// Returns the smallest test for each method, kind and exception, by rank, then in the order of first
/// occurrence.
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
    kept.sort_by_key(|(finding, _)| finding.rank);
    kept
}

/// Exceptions that methods may throw: those that refuse a call, those in `throws` clauses, and
/// those of the program's own.
#[derive(Clone, Debug)]
pub struct Declared {
    misuse: Misuse,
    /// Whether exceptions count as declared that are of a class of the program, or by which its code
    /// [refuses](crate::misuse::refuses) a call.
    takes_own: bool,
}

impl Declared {
    /// Accepts the usual refusals and the named exceptions. Names are binary or, in `java.lang`,
    /// `java.util` and the package of `class`, simple.
    ///
    /// # Errors
    /// A named exception does not exist.
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

    /// Accepts the exceptions that a rule considers misuse, and those in `throws` clauses.
    #[must_use]
    pub fn of(misuse: Misuse) -> Declared {
        Declared {
            misuse,
            takes_own: false,
        }
    }

    /// Whether a method may throw an exception of a class; `has_null` says whether an argument was
    /// null.
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

    /// Removes failing calls from the cases of a suite, and returns the smallest one for each
    /// method, kind and exception. Failures are undeclared exceptions and violated invariants, if
    /// the caller vouches for the input's validity, and violated contracts.
    pub fn take_failing(
        &self,
        vm: &mut Vm,
        suite: &mut Suite,
        is_vouched: impl Fn(&Case) -> bool,
    ) -> Failing {
        let invariant = suite.invariant.as_ref();
        let invariant = invariant.map(|invariant| invariant.name.clone());
        let mut found = Vec::new();
        for case in &mut suite.cases {
            let is_vouched = is_vouched(case);
            found.extend(self.split_failing(vm, case, invariant.as_deref(), is_vouched));
        }
        Failing::of(suite, found)
    }

    /// Removes failing calls from a case, and returns each with its finding as a case of its own.
    pub fn split_failing(
        &self,
        vm: &mut Vm,
        case: &mut Case,
        invariant: Option<&str>,
        is_vouched: bool,
    ) -> Vec<(Finding, Case)> {
        let invariant = invariant.filter(|_| is_vouched);
        let mut found = Vec::new();
        let mut kept = Vec::new();
        for call in std::mem::take(&mut case.calls) {
            match self.judged(vm, &case.input, &call, (invariant, is_vouched)) {
                Some((finding, outcome)) => {
                    let call = Call {
                        outcome,
                        invariant_holds_after: true,
                        then: Vec::new(),
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
        found
    }

    /// Returns the finding for a call, and the outcome that a failing test asserts.
    fn judged(
        &self,
        vm: &mut Vm,
        input: &Structure,
        call: &Call,
        (invariant, is_vouched): (Option<&str>, bool),
    ) -> Option<(Finding, CallOutcome)> {
        let method = name_of(&call.method);
        if let CallOutcome::Failed(requirement) = &call.outcome {
            let finding = of_contract(method, requirement)?;
            return Some((finding, call.outcome.clone()));
        }
        if let CallOutcome::Threw { class, refuses } = &call.outcome
            && is_vouched
            && !(*refuses && self.takes_own)
            && let Some(thrown) = vm.loaded_class(&class.name.replace('.', "/"))
            && !self.covers(vm, &call.method, thrown, takes_null(input, call))
        {
            let requirement = Requirement::DoesNotThrow(class.name.clone());
            let finding = Finding::throws(vm, method, thrown);
            return Some((finding, CallOutcome::Failed(requirement)));
        }
        let invariant = invariant.filter(|_| !call.invariant_holds_after)?;
        let outcome = match &call.outcome {
            threw @ CallOutcome::Threw { .. } => threw.clone(),
            _ => CallOutcome::Failed(Requirement::KeepsInvariant),
        };
        Some((Finding::breaks_invariant(method, invariant), outcome))
    }
}

/// Whether a case has no object with fields that were set; its input is then always valid.
#[must_use]
pub fn is_of_values(case: &Case) -> bool {
    case.input.objects.iter().all(is_value)
}

/// Whether all objects not reachable from a receiver are values. Valid receivers then make the
/// whole input valid.
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

/// Formats a case for users: its call, and the input.
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
    match &case.construction {
        Some(sequence) => format!("{sequence}; {text}"),
        None if case.input.objects.is_empty() => text,
        None => format!("{text} on {}", case.input),
    }
}

/// Returns the contracts that one object violates, as calls that state them.
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
            ContractArgument::Nothing | ContractArgument::Other => None,
            ContractArgument::Itself => Some(Value::Ref(0)),
            ContractArgument::Null => Some(Value::Null),
        };
        if let Some(method) = asked.stated_by(vm, class) {
            calls.push(Call {
                method: Arc::new(method),
                args: argument.into_iter().map(Literal::Value).collect(),
                outcome: CallOutcome::Failed(requirement),
                invariant_holds_after: true,
                then: Vec::new(),
                label: Label::default(),
            });
        }
    }
    calls
}

/// Returns the finding for a call that states a contract.
pub(crate) fn of_contract(method: String, requirement: &Requirement) -> Option<Finding> {
    let name = method.split('(').next().unwrap_or_default();
    let (thrown, reason) = match requirement {
        Requirement::Keeps(contract) => (None, format!("{name} {}", broken(*contract))),
        Requirement::DoesNotThrow(class) => (Some(class.clone()), format!("{name} throws {class}")),
        _ => return None,
    };
    Some(Finding {
        kind: FaultKind::BreaksContract,
        rank: FindingRank::Contract,
        method,
        thrown,
        reason,
    })
}

/// Returns the size of a case: the objects of its input, and the calls that build them.
fn size(case: &Case) -> usize {
    let calls = case
        .construction
        .as_ref()
        .map_or(0, |made| made.steps.len());
    case.input.objects.len() + calls
}

/// Whether null is among the arguments of a call, or in an array or collection.
fn takes_null(input: &Structure, call: &Call) -> bool {
    let holds_null =
        |body: &Body| matches!(body, Body::Array(elements) if elements.contains(&Value::Null));
    call.args.iter().any(is_null) || input.objects.iter().any(|object| holds_null(&object.body))
}

/// Whether a value is null, holds null, or has methods that return null.
pub(crate) fn is_null(literal: &Literal) -> bool {
    match literal {
        Literal::Value(Value::Null) => true,
        Literal::Array { elements, .. }
        | Literal::Held { elements, .. }
        | Literal::Contents { elements, .. } => elements.iter().any(is_null),
        Literal::Lambda { answer, .. } => answer.as_deref().is_some_and(is_null),
        Literal::New(step) => {
            let arguments = step.arguments.iter().filter_map(Input::literal);
            let answers = step.answers().filter_map(Input::literal);
            arguments.chain(answers).any(is_null)
        }
        _ => false,
    }
}

/// Returns the name and parameters of a method: `remove(int)`.
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
        let throws = |method: &str, thrown: &str| Finding {
            kind: FaultKind::Throws,
            method: method.into(),
            thrown: Some(thrown.into()),
            reason: String::new(),
            rank: FindingRank::Other,
        };
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
            ("breaks-invariant", "i"),
            ("throws", "a"),
            ("throws", "b"),
            ("throws", "y"),
        ];
        assert_eq!(kept, wanted);
    }
}
