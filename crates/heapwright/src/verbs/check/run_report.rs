//! Data of checked calls for reports.

use std::time::Duration;

use heapwright_jvm::{ClassId, Vm};
use heapwright_report::{
    Behaviour, BehaviourRank, Class, Code, Drawing, Run, RunPart, Test, TestOutcome,
};
use heapwright_suite::junit::TestOrigin;
use heapwright_suite::{Structure, svg};
use heapwright_techniques::check::Counterexample;

use crate::junit::WrittenTest;
use crate::report::calls::CheckResults;
use crate::report::output;

/// Report of checked calls. Each method that is called is a test; `written` has the reproducers of
/// the counterexamples, in their order.
pub fn run(results: &CheckResults, vm: &Vm, class: ClassId, written: &[WrittenTest]) -> Run {
    let elapsed = Duration::try_from_secs_f64(results.seconds).unwrap_or_default();
    let mut run = output::begin("check", &results.claim(), elapsed);
    let name = vm.binary_name(class);
    let mut part = RunPart::default();
    let source_file = output::source_file(vm, class);
    let file = output::file_of(&mut part, &name, source_file.as_deref());
    part.classes.push(Class {
        file,
        name: name.clone(),
        methods: Vec::new(),
        goals: Vec::new(),
        mutants: Vec::new(),
        notes: Vec::new(),
    });
    let found = results.found.counterexamples();
    for (number, found) in found.iter().enumerate() {
        let is_own =
            |test: &&WrittenTest| matches!(test.of, TestOrigin::Case(of, _) if of == number);
        let reproducer = written.iter().find(is_own).map(|test| Code {
            file: Some(output::shown(&test.file)),
            line: u32::try_from(test.line).unwrap_or_default().max(1),
            text: test.code.clone(),
        });
        part.behaviours.push(Behaviour {
            class: name.clone(),
            method: found.method.clone(),
            line: first_line(vm, class, &found.method),
            kind: found.kind.clone(),
            exception: None,
            rank: rank_of(&found.kind),
            is_sure: true,
            reason: found.reason.clone(),
            calls: found.call_text(),
            reproducer,
            drawings: drawings(found),
        });
    }
    for tally in &results.found.tallies {
        if !found.iter().any(|found| found.method == tally.method) {
            let outcome = match tally.calls.is_zero() {
                true => TestOutcome::Skipped("it was not called".to_owned()),
                false => TestOutcome::Passed,
            };
            part.tests.push(Test {
                class: name.clone(),
                name: tally.method.clone(),
                outcome,
                code: None,
                states: Vec::new(),
            });
        }
    }
    for skipped in &results.skipped {
        part.tests.push(Test {
            class: name.clone(),
            name: skipped.method.clone(),
            outcome: TestOutcome::Skipped(format!("it is not called: {}", skipped.reason)),
            code: None,
            states: Vec::new(),
        });
    }
    run.add(part);
    run
}

/// Rank of a counterexample, by its kind.
fn rank_of(kind: &str) -> BehaviourRank {
    match kind {
        "breaks-contract" => BehaviourRank::Contract,
        "breaks-invariant" | "breaks-argument" | "invariant-throws" => BehaviourRank::Invariant,
        _ => BehaviourRank::Other,
    }
}

fn drawings(found: &Counterexample) -> Vec<Drawing> {
    let reason = found.reason.lines().next().unwrap_or_default();
    let drawing = |structure: &Structure, caption: String| Drawing {
        caption,
        text: structure.to_string(),
        svg: svg::draw(structure),
    };
    vec![
        drawing(&found.before, format!("before {}", found.call_text())),
        drawing(&found.after, format!("after: {reason}")),
    ]
}

/// First line of a method with code, by its name and parameter types.
fn first_line(vm: &Vm, class: ClassId, method: &str) -> Option<u32> {
    let mut above = Some(class);
    while let Some(class) = above {
        let declared = vm.class(class).methods.iter();
        let mut fitting =
            declared.filter(|&&id| vm.method_text(id).ends_with(&format!(".{method}")));
        if let Some(&id) = fitting.next() {
            let listing = vm.listing(id).ok()?;
            return listing.instructions.first()?.line.map(u32::from);
        }
        above = vm.class(class).super_class;
    }
    None
}
