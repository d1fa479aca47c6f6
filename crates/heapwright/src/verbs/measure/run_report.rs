//! Data of a measurement for reports.

use heapwright_report::{Mutant, Run, RunPart, Test, TestOutcome};
use heapwright_techniques::measure::{self, JudgedMutant};

use super::report::Measured;
use crate::report::{coverage, output};

/// Report of a measurement.
pub fn run(measured: &Measured<'_>) -> Run {
    let report = measured.report;
    let mut run = output::begin("measure", &measured.claim(), measured.elapsed);
    run.has_coverage = true;
    run.is_lower_bound = measured.is_lower_bound();
    run.has_mutants = measured.arguments.mutants.group().is_some();
    let mut part = RunPart {
        tests: report.tests.iter().map(test).collect(),
        ..RunPart::default()
    };
    for covered in &report.classes {
        let mut class = coverage::class(&mut part, covered, &Some);
        for method in &covered.methods {
            let mutants = report.mutants[method.mutants.clone()].iter();
            class
                .mutants
                .extend(mutants.map(|it| mutant(it, &method.text)));
        }
        part.classes.push(class);
    }
    for (class, reason) in &report.lost {
        part.notes
            .push(format!("Further tests of {class} were not run: {reason}"));
    }
    run.add(part);
    run
}

fn test(result: &measure::TestResult) -> Test {
    // The name of a test begins with that of its class.
    let own = result.name.strip_prefix(&result.class);
    let name = own.map_or(&*result.name, |own| own.trim_start_matches(['.', '#', ' ']));
    Test {
        class: result.class.clone(),
        name: name.to_owned(),
        outcome: match &result.outcome {
            measure::TestOutcome::Passed => TestOutcome::Passed,
            measure::TestOutcome::Failed(reason) => TestOutcome::Failed(reason.clone()),
            measure::TestOutcome::Skipped(reason) => TestOutcome::Skipped(reason.clone()),
            measure::TestOutcome::NotRun(reason) => {
                TestOutcome::Skipped(format!("it could not be run: {reason}"))
            }
        },
        code: None,
        states: Vec::new(),
    }
}

fn mutant(judged: &JudgedMutant, method: &str) -> Mutant {
    Mutant {
        method: method.to_owned(),
        line: judged.line.map(u32::from),
        operator: judged.operator.to_owned(),
        description: judged.description.clone(),
        fate: match judged.fate {
            measure::MutantFate::Killed => heapwright_report::MutantFate::Killed,
            measure::MutantFate::Alive => heapwright_report::MutantFate::Alive,
            measure::MutantFate::NotReached => heapwright_report::MutantFate::NotReached,
            measure::MutantFate::Untried => heapwright_report::MutantFate::Untried,
            measure::MutantFate::Unknown => heapwright_report::MutantFate::Unknown,
        },
        killers: judged.killer.into_iter().collect(),
    }
}
