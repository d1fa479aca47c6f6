//! Tests of structures that calls build, and reproducers of failing calls.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use heapwright_jvm::{ClassId, Vm};
use heapwright_suite::{Case, InvariantSig, Suite};
use heapwright_techniques::api::{
    Break, CallFault, CallFinding, SequenceCases, StructureRef, ViolationKind, of_pairs,
};
use heapwright_techniques::findings::{self as techniques, Declared, Failing, FaultKind};
use heapwright_techniques::hidden_names;
use heapwright_techniques::read::StructureReader;
use heapwright_techniques::statements::name_of;

use super::args::EnumerateArgs;
use crate::api::StructureWriter;
use crate::case_limit::{SmallestCases, warn_of_left_out};
use crate::files::grouped;
use crate::interrupt::StopSignal;
use crate::junit::{
    TestTimer, TestWriter, WrittenTests, package_of_tests, warn_of_calls, warn_of_missing_tests,
    warn_of_skipped,
};
use crate::options::{ContractsName, FailurePlace};
use crate::report::explain::explain;
use crate::report::findings::ReportedFindings;

/// Tests and reproducers written.
#[derive(Default)]
pub struct WrittenApiTests {
    /// Number of tests of structures.
    pub tests: usize,
    /// Limit that left out some of them, if any.
    pub stopped_by: Option<&'static str>,
    /// File of the reproducers, if there are any.
    pub reproducers: Option<PathBuf>,
    /// Failures of calls on the structures that the search did not find.
    pub found: ReportedFindings,
}

impl StructureWriter<'_> {
    /// Writes the tests of structures, and a class of reproducers of the findings.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write_tests(
        &mut self,
        built: &[StructureRef],
        findings: &[CallFinding],
        arguments: &EnumerateArgs,
        (tests_of, interrupt): (&TestWriter, &StopSignal),
    ) -> anyhow::Result<WrittenApiTests> {
        let folder = arguments
            .output
            .as_deref()
            .context("--format junit writes files: name their folder with -o")?;
        let pools = &self.search.pools;
        let invariant = arguments.invariant.as_deref();
        let cases = SequenceCases::new(self.vm, self.prepared, pools, invariant, interrupt.over());
        let mut cases = cases.map_err(|error| explain(self.vm, error))?;
        let mut written = WrittenApiTests::default();
        let mut smallest = SmallestCases::new(arguments.max_tests);
        let making = TestTimer::begin(interrupt);
        for (number, &one) in built.iter().enumerate() {
            if let Some(by) = making.is_over() {
                warn_of_missing_tests(built.len() - number, by);
                written.stopped_by = Some(by);
                break;
            }
            let before = cases.broken;
            let case = cases.case(self.vm, self.prepared, pools, one);
            let case = case.map_err(not_made)?;
            // The search reports the broken invariant already.
            if cases.broken > before {
                continue;
            }
            smallest.add(case);
        }
        let (all, left_out) = smallest.finish();
        warn_of_left_out(left_out, arguments.max_tests);
        let invariant = cases.invariant_sig(self.vm);
        warn(&mut cases, invariant.as_ref());
        let (mut failing, mut reasons) = (Vec::new(), Vec::new());
        for finding in findings {
            let case = SequenceCases::reproducer(self.vm, self.prepared, pools, finding);
            failing.extend(case.map_err(not_made)?);
            reasons.resize(failing.len(), finding.text.clone());
        }
        if left_out > 0 {
            written.stopped_by = Some("--max-tests");
        }
        let mut suite = self.suite(all, invariant);
        let declared = Declared::of(self.prepared.caller.misuse.clone());
        let mut observed = declared.take_failing(self.vm, &mut suite, |_| true);
        self.leave_known(&mut observed, findings);
        if arguments.contracts == ContractsName::All {
            let pairs = of_pairs(self.vm, self.prepared, pools, built);
            let (broken, cases): (Vec<_>, Vec<_>) = pairs.map_err(not_made)?.into_iter().unzip();
            observed.findings.extend(broken);
            observed.suite.cases.extend(cases);
        }
        written.found = ReportedFindings::of(&observed);
        // Tests assert the invariant only where the search did not check it.
        let is_broken = written.found.count(FaultKind::BreaksInvariant) > 0;
        let invariant = suite.invariant.clone().filter(|_| is_broken);
        let before = failing.len();
        failing.append(&mut observed.suite.cases);
        reasons.extend(observed.findings.iter().map(techniques::Finding::sentence));
        if !suite.cases.is_empty() {
            let output = self.junit(suite, &[], None, (tests_of, interrupt, folder))?;
            written.tests = output.tests;
            written.stopped_by = output.stopped_by.or(written.stopped_by);
        }
        if !failing.is_empty() {
            // A reproducer shows one failure by itself, whatever the structure.
            let suite = self.suite(failing, invariant);
            let writing = (tests_of, interrupt, folder);
            let output = self.junit(suite, &reasons, Some("Failure"), writing)?;
            written.found.locate(&output.methods, before);
            written.stopped_by = output.stopped_by.or(written.stopped_by);
            written.reproducers = output.files.into_iter().next();
        }
        Ok(written)
    }

    fn class(&self) -> ClassId {
        self.prepared.caller.classes[0]
    }

    /// Removes failures that the search has found already: a method that throws an exception, or
    /// structures that break the invariant.
    fn leave_known(&self, observed: &mut Failing, findings: &[CallFinding]) {
        let text = |finding: &CallFinding| match &finding.fault {
            CallFault::Throws(class) => Some((name_of(self.vm, finding.method), class.clone())),
            _ => None,
        };
        let known: Vec<(String, String)> = findings.iter().filter_map(text).collect();
        let invariant = observed
            .suite
            .invariant
            .as_ref()
            .map(|invariant| invariant.name.clone());
        let is_invalid = |finding: &CallFinding| {
            let name = self.vm.text(self.vm.method(finding.method).name);
            let is_false = matches!(&finding.fault, CallFault::Violates(what) if what.wrong == ViolationKind::IsFalse);
            is_false && invariant.as_deref() == Some(name)
        };
        let has_invalid = findings.iter().any(is_invalid);
        let is_known = |finding: &techniques::Finding| match &finding.thrown {
            Some(thrown) => known.contains(&(finding.method.clone(), thrown.clone())),
            None => has_invalid && finding.kind == FaultKind::BreaksInvariant,
        };
        let cases = std::mem::take(&mut observed.suite.cases).into_iter();
        let both = std::mem::take(&mut observed.findings)
            .into_iter()
            .zip(cases);
        let new = both.filter(|(finding, _)| !is_known(finding));
        (observed.findings, observed.suite.cases) = new.unzip();
    }

    /// Suite of these cases.
    fn suite(&mut self, cases: Vec<Case>, invariant: Option<InvariantSig>) -> Suite {
        let class = self.class();
        let classes = self.prepared.caller.classes.clone();
        Suite {
            class_under_test: StructureReader::new(self.vm, class).class_sig(self.vm, class),
            invariant,
            cases,
            scripts: Vec::new(),
            hides: hidden_names(self.vm, class),
            resets: Vec::new(),
            uses_deprecated: is_deprecated(self.vm, &classes),
        }
    }

    /// Writes a test class of a suite, one of `reproducers` with the reasons why they fail.
    fn junit(
        &mut self,
        suite: Suite,
        reasons: &[String],
        reproducers: Option<&str>,
        (writer, interrupt, folder): (&TestWriter, &StopSignal, &Path),
    ) -> anyhow::Result<WrittenTests> {
        let class = self.class();
        let count = suite.cases.len();
        let package = package_of_tests(self.vm, class);
        let written = match reproducers {
            Some(what) => {
                let what = (what, reasons, FailurePlace::Apart);
                writer.write_reproducers(suite, what, package, folder, interrupt)?
            }
            None => writer.write(suite, package, folder, interrupt)?,
        };
        warn_of_skipped(&written.skipped, count, "structures");
        Ok(written)
    }
}

fn is_deprecated(vm: &mut Vm, classes: &[ClassId]) -> bool {
    let mut classes = classes.iter();
    classes.any(|&class| vm.mentions(class, "Ljava/lang/Deprecated;"))
}

fn not_made(broken: Break) -> anyhow::Error {
    match broken {
        Break::HeapFull => anyhow!("{broken}: raise --max-memory"),
        _ => anyhow!("{broken}"),
    }
}

fn warn(cases: &mut SequenceCases, invariant: Option<&InvariantSig>) {
    if let (1.., Some(invariant)) = (cases.broken, invariant) {
        notice!(
            "{} structures break {}: nothing is called on them",
            grouped(cases.broken),
            invariant.name
        );
    }
    warn_of_calls(cases.take_left_out());
}
