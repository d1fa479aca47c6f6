//! Requests that stand for calls of controllers' handlers: a run on the JVM makes each, and notes it with its
//! response.
//!
//! Invariant: what is found is the same in both worlds. It is tried as all tests are.

use std::collections::BTreeSet;

use heapwright_suite::exchange::{Exchange, JsonLibraries, KnownExchange};
use heapwright_suite::junit::{
    FileKind, JunitOptions, JunitOutput, TestOrigin, TextFile, write_junit,
};
use heapwright_suite::{Action, CallOutcome, Input, Literal, ModelError, Script, Suite};

use crate::filter::tests_at;
use crate::trial::{Thoroughness, Trial, Verdict};

/// Class that makes the requests. It is compiled with the tests, against the libraries of the project.
const SEEKER: (&str, &str) = (
    "heapwright/mvc/Exchange.java",
    include_str!("../mvc/Exchange.java"),
);
/// Maximum number of rounds; each leaves out calls that the compiler refuses.
const MOST_ROUNDS: usize = 3;

/// Finds the exchanges that stand for the calls of a suite's tests; those without one stay as they are.
/// Returns whether there are any.
///
/// # Errors
/// The suite violates its own invariant.
pub fn find_exchanges(
    suite: &mut Suite,
    options: &JunitOptions,
    libraries: JsonLibraries,
    trial: &mut Trial,
    gives_up: &dyn Fn() -> bool,
) -> Result<bool, ModelError> {
    let all = suite.scripts.iter().enumerate();
    let sought = all.filter(|(_, script)| may_be_sent(suite, script));
    let mut sought: Vec<usize> = sought.map(|(number, _)| number).collect();
    for _ in 0..MOST_ROUNDS {
        if sought.is_empty() || gives_up() {
            return Ok(false);
        }
        let mut output = write_junit(&seeking(suite, &sought), options)?;
        output.files.push(TextFile {
            path: SEEKER.0.to_owned(),
            kind: FileKind::Source,
            contents: SEEKER.1.to_owned(),
        });
        let wanted = vec![Thoroughness::OnceEachWorld; output.files.len()];
        let Ok(verdict) = trial.try_out(&output.files, &wanted, gives_up) else {
            return Ok(false);
        };
        let errors = verdict.diagnostics.iter().filter(|found| found.is_error);
        let refused = errors.map(|error| tests_at(&output, error.file?, error.line));
        let Some(refused) = refused.collect::<Option<Vec<Vec<TestOrigin>>>>() else {
            return Ok(false);
        };
        if refused.is_empty() {
            take(suite, &sought, &output, &verdict, libraries);
            return Ok(suite.scripts.iter().any(|script| script.exchange.is_some()));
        }
        let refused: BTreeSet<TestOrigin> = refused.into_iter().flatten().collect();
        let mut number = 0..;
        sought.retain(|_| {
            let origin = number.next().map(TestOrigin::Script);
            origin.is_none_or(|origin| !refused.contains(&origin))
        });
    }
    Ok(false)
}

/// Whether a request may stand for the call of a script: that of a method, with arguments that are objects
/// or plain values.
fn may_be_sent(suite: &Suite, script: &Script) -> bool {
    let Some((step, _)) = script.call_under_test() else {
        return false;
    };
    let is_plain = |input: &Input| match input {
        Input::Object(_) => true,
        Input::Literal(literal) => matches!(
            literal,
            Literal::Value(_)
                | Literal::Boxed(_)
                | Literal::String(_)
                | Literal::EnumConstant { .. }
        ),
    };
    let makes_receiver = step.receiver.is_some_and(|place| {
        let made = &script.statements[place].action;
        matches!(made, Action::Call(made) if made.body.is_none())
    });
    makes_receiver
        && !step.is_constructor()
        && step.class == suite.class_under_test
        && step.arguments.iter().all(is_plain)
        && !matches!(script.outcome, CallOutcome::Failed(_))
}

/// Suite of tests that only note the facts.
fn seeking(suite: &Suite, sought: &[usize]) -> Suite {
    let scripts = sought.iter().map(|&number| Script {
        exchange: Some(Exchange::Sought),
        ..suite.scripts[number].clone()
    });
    Suite {
        scripts: scripts.collect(),
        cases: Vec::new(),
        ..suite.clone()
    }
}

/// Gives scripts the exchanges that both worlds have noted.
fn take(
    suite: &mut Suite,
    sought: &[usize],
    output: &JunitOutput,
    verdict: &Verdict,
    libraries: JsonLibraries,
) {
    for method in &output.methods {
        let TestOrigin::Script(number) = method.of else {
            continue;
        };
        let in_world = |world: usize| {
            let mut notes = verdict.notes.iter();
            let notes = notes.find(|notes| {
                (notes.file, &notes.method, notes.world) == (method.file, &method.name, world)
            })?;
            KnownExchange::of_facts(&notes.facts, libraries)
        };
        let known = in_world(0).zip(in_world(1));
        let known = known.and_then(|(one, other)| one.agreed(&other));
        if let Some(script) = sought.get(number).and_then(|&of| suite.scripts.get_mut(of)) {
            script.exchange = known.map(|known| Exchange::Known(Box::new(known)));
        }
    }
}
