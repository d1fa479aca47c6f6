//! Tests and drawings of cases.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::bail;
use heapwright_jvm::Vm;
use heapwright_suite::flow::draw_flow;
use heapwright_suite::{Case, Label};
use heapwright_techniques::contracts::Contracts;
use heapwright_techniques::findings::{Declared, is_of_receiver, is_of_values};
use heapwright_techniques::paths::{PathsReport, Subject, flow_graph, test_name};
use heapwright_techniques::symbolic::Cases;
use heapwright_techniques::target::{find_class, find_invariant};

use super::args::PathsArgs;
use crate::files::{counted, write_file};
use crate::interrupt::StopSignal;
use crate::junit::{TestWriter, package_of_tests, warn_of_skipped};
use crate::report::explain::explain_run;
use crate::report::findings::ReportedFindings;
use crate::report::paths::all_of;

/// Tests written for the cases.
pub struct Written {
    /// Number of tests, except for failing ones.
    pub tests: usize,
    /// Failures of calls.
    pub found: ReportedFindings,
    /// Limit that ended the run before all tests were tried, if any.
    pub stopped_by: Option<&'static str>,
}

/// Writes a JUnit test for each case, and a reproducer for each failure.
///
/// # Errors
/// A file cannot be written, or a hand-written file has its name.
pub fn tests(
    arguments: &PathsArgs,
    vm: &mut Vm,
    found: &[(Subject, PathsReport)],
    (writer, interrupt, folder): (&TestWriter, &StopSignal, &Path),
    max_steps: u64,
) -> anyhow::Result<Written> {
    let class = find_class(vm, &arguments.class).map_err(|error| explain_run(vm, error))?;
    let invariant = match &arguments.precondition {
        Some(name) => {
            let invariant = find_invariant(vm, class, name.as_deref());
            Some(invariant.map_err(|error| explain_run(vm, error))?)
        }
        None => None,
    };
    let declared = Declared::new(vm, class, &arguments.judged.expected);
    let declared = declared.map_err(|error| explain_run(vm, error))?;
    let mut maker = Cases::new(vm, class, invariant, max_steps);
    if invariant.is_some() && !arguments.judged.leaves_contracts() {
        let contracts = Contracts::of(vm, class);
        maker = maker.asking(contracts.map_err(|error| explain_run(vm, error))?);
    }
    let mut cases = Vec::new();
    let mut obstacles: BTreeMap<String, u64> = BTreeMap::new();
    for (subject, report) in found {
        for case in &report.cases {
            let Some(input) = &case.path.model else {
                *obstacles
                    .entry("the solver gave no input".to_owned())
                    .or_default() += 1;
                continue;
            };
            let mut note = Vec::new();
            if !case.path.conditions.is_empty() {
                note.push(format!("if {}", all_of(&case.path.conditions)));
            }
            note.push(format!("takes {}", case.trace));
            let label = Label {
                name: Some(test_name(vm, &subject.program, case)),
                note,
            };
            let made = maker.case(vm, &subject.target, input, label);
            match made.map_err(|error| explain_run(vm, error))? {
                Ok(case) => cases.push(case),
                Err(obstacle) => *obstacles.entry(obstacle.to_string()).or_default() += 1,
            }
        }
    }
    for (obstacle, count) in obstacles {
        notice!("{} in no test: {obstacle}", counted(count, "case"));
    }
    let mut suite = maker.suite(vm, cases);
    // Objects built by setting fields may be impossible. Only a precondition vouches for them, and
    // only for receivers.
    let is_vouched =
        |case: &Case| is_of_values(case) || invariant.is_some() && is_of_receiver(case);
    let failing = declared.take_failing(vm, &mut suite, is_vouched);
    let found = ReportedFindings::of(&failing);
    let package = package_of_tests(vm, class);
    let whole = suite.cases.len();
    let written = writer.write(suite, package.clone(), folder, interrupt)?;
    warn_of_skipped(&written.skipped, whole, "cases");
    found.write(failing, (writer, interrupt), package, folder)?;
    Ok(Written {
        tests: written.tests,
        found,
        stopped_by: written.stopped_by,
    })
}

/// Draws the control flow of the methods with the parts that cases cover: one method into a file,
/// several into a folder.
///
/// # Errors
/// A file cannot be written.
pub fn drawings(
    vm: &Vm,
    found: &[(Subject, PathsReport)],
    output: Option<&Path>,
) -> anyhow::Result<()> {
    let drawing = |(subject, report): &(Subject, PathsReport)| {
        draw_flow(&flow_graph(vm, &subject.program, &report.cases))
    };
    match (found, output) {
        ([one], None) => crate::files::print(&drawing(one)),
        ([one], Some(file)) => write_file(file, drawing(one).as_bytes()),
        (_, None) => bail!("--format svg draws a method: name one with -m, or a folder with -o"),
        (all, Some(folder)) => {
            let mut names: BTreeMap<String, u32> = BTreeMap::new();
            for one in all {
                let name = &one.0.program.predicates[one.0.program.starts[0]].name;
                let times = names.entry(name.clone()).or_default();
                *times += 1;
                let file = match times {
                    1 => format!("{name}.svg"),
                    times => format!("{name}-{times}.svg"),
                };
                write_file(&folder.join(file), drawing(one).as_bytes())?;
            }
            Ok(())
        }
    }
}
