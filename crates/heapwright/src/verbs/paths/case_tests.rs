//! Tests of cases as plain data, and their files.

use std::collections::BTreeMap;
use std::path::Path;

use heapwright_jvm::Vm;
use heapwright_suite::{self as suite, Label, Literal, Suite};
use heapwright_techniques::contracts::Contracts;
use heapwright_techniques::findings::{Declared, Failing, Finding, is_of_receiver, is_of_values};
use heapwright_techniques::paths::{PathSubject, RetainedPath, test_name};
use heapwright_techniques::symbolic::InputCases;
use heapwright_techniques::target::{find_class, find_invariant};
use serde::{Deserialize, Serialize};

use super::args::PathsArgs;
use super::results::PathsResults;
use crate::files::counted;
use crate::interrupt::StopSignal;
use crate::junit::{TestWriter, package_of_tests, warn_of_skipped};
use crate::report::explain::explain_run;
use crate::report::findings::ReportedFindings;
use crate::report::paths::all_of;

/// Test of a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum CaseTest {
    /// The calls that hold, and each failing one with its finding.
    Made(suite::Case, Vec<(Finding, suite::Case)>),
    /// The reason why there is no test.
    Unmade(String),
}

/// Frame of the tests of all cases.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TestFrame {
    /// Suite without cases.
    suite: Suite,
    /// Package of the tests, if it is not that of the class.
    package: Option<String>,
}

/// Creates the tests of cases.
pub struct CaseTester {
    maker: InputCases,
    declared: Declared,
    frame: TestFrame,
}

impl CaseTester {
    /// Prepares to create tests for the class under test.
    ///
    /// # Errors
    /// There is no such invariant or exception class.
    pub fn new(arguments: &PathsArgs, vm: &mut Vm) -> anyhow::Result<CaseTester> {
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
        let mut maker = InputCases::new(vm, class, invariant, arguments.inputs.max_steps());
        if invariant.is_some() && !arguments.judged.leaves_contracts() {
            let contracts = Contracts::of(vm, class);
            maker = maker.asking(contracts.map_err(|error| explain_run(vm, error))?);
        }
        let frame = TestFrame {
            suite: maker.suite(vm, Vec::new()),
            package: package_of_tests(vm, class),
        };
        Ok(CaseTester {
            maker,
            declared,
            frame,
        })
    }

    /// Creates the test of a case.
    ///
    /// # Errors
    /// Memory is exhausted.
    pub fn test(
        &mut self,
        vm: &mut Vm,
        subject: &PathSubject,
        case: &RetainedPath,
    ) -> anyhow::Result<CaseTest> {
        let Some(input) = &case.path.model else {
            return Ok(CaseTest::Unmade("the solver gave no input".to_owned()));
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
        let made = self.maker.case(vm, &subject.target, input, label);
        let mut case = match made.map_err(|error| explain_run(vm, error))? {
            Ok(case) => case,
            Err(obstacle) => return Ok(CaseTest::Unmade(obstacle.to_string())),
        };
        // Objects built by setting fields may be impossible. Only a precondition vouches for them,
        // and only for receivers. A lambda may return what its interface forbids.
        let invariant = self.frame.suite.invariant.as_ref();
        let invariant = invariant.map(|invariant| invariant.name.as_str());
        let is_vouched = !takes_lambda(&case)
            && (is_of_values(&case) || invariant.is_some() && is_of_receiver(&case));
        let failing = (self.declared).split_failing(vm, &mut case, invariant, is_vouched);
        Ok(CaseTest::Made(case, failing))
    }

    /// Frame of the tests.
    pub fn into_frame(self) -> TestFrame {
        self.frame
    }
}

/// Whether a lambda is an argument.
fn takes_lambda(case: &suite::Case) -> bool {
    let mut arguments = case.calls.iter().flat_map(|call| &call.args);
    arguments.any(|literal| matches!(literal, Literal::Lambda { .. }))
}

/// Tests that were written.
pub struct WrittenCases {
    /// Number of tests, except for failing ones.
    pub tests: usize,
    /// Failures of calls.
    pub found: ReportedFindings,
    /// Limit that ended the run before all tests were tried, if any.
    pub stopped_by: Option<&'static str>,
}

impl PathsResults {
    /// Tests of the cases, without the failing ones, and the failing tests. Reports cases without a
    /// test.
    pub fn suites(&self, frame: &TestFrame) -> (Suite, Failing) {
        let mut suite = frame.suite.clone();
        let mut failing = Vec::new();
        let mut obstacles: BTreeMap<&str, u64> = BTreeMap::new();
        for test in self.cases().filter_map(|case| case.test.as_ref()) {
            match test {
                CaseTest::Made(case, found) => {
                    suite.cases.push(case.clone());
                    failing.extend(found.iter().cloned());
                }
                CaseTest::Unmade(obstacle) => *obstacles.entry(obstacle).or_default() += 1,
            }
        }
        for (obstacle, count) in obstacles {
            notice!("{} in no test: {obstacle}", counted(count, "case"));
        }
        let failing = Failing::of(&mut suite, failing);
        (suite, failing)
    }

    /// Writes a JUnit test for each case, and a reproducer for each failure.
    ///
    /// # Errors
    /// A file cannot be written, or a hand-written file has its name.
    pub fn write_tests(
        &self,
        frame: &TestFrame,
        (writer, interrupt): (&TestWriter, &StopSignal),
        folder: &Path,
    ) -> anyhow::Result<WrittenCases> {
        let (suite, failing) = self.suites(frame);
        let mut found = ReportedFindings::of(&failing);
        let package = frame.package.clone();
        let whole = suite.cases.len();
        let written = writer.write(suite, package.clone(), folder, interrupt)?;
        warn_of_skipped(&written.skipped, whole, "cases");
        found.write(failing, (writer, interrupt), package, folder)?;
        Ok(WrittenCases {
            tests: written.tests,
            found,
            stopped_by: written.stopped_by,
        })
    }
}
