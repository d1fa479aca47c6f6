//! Reports of findings: lines for people, objects for programs and reproducers.

use std::borrow::Cow;
use std::path::Path;

use heapwright_report::BehaviourRank;
use heapwright_suite::Suite;
use heapwright_suite::junit::TestOrigin;
use heapwright_techniques::findings::{Failing, FaultKind, Finding, shown};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::output;
use crate::files::counted;
use crate::interrupt::StopSignal;
use crate::junit::{TestWriter, WrittenTest, WrittenTests, warn_of_skipped};
use crate::messages;
use crate::options::FailurePlace;

/// A behaviour that fails.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FailingBehaviour {
    /// Oracle that it breaks.
    kind: Cow<'static, str>,
    /// What is broken; those that are surest to be faults come first.
    rank: BehaviourRank,
    /// Whether it is sure to be a fault of the code; only such ones make exit code 1.
    sure: bool,
    /// Method that was called.
    method: String,
    /// Binary name of the class of the exception that was thrown; null if none was.
    exception: Option<String>,
    /// Why it fails.
    reason: String,
    /// Calls that lead to it.
    test: String,
    /// File of the test that reproduces it; null if none was written.
    file: Option<String>,
    /// Name of that test, behind the binary name of its class.
    reproducer: Option<String>,
}

impl FailingBehaviour {
    /// Whether it is the same behaviour, whichever test shows it.
    pub fn is_same_as(&self, other: &FailingBehaviour) -> bool {
        let parts = |it: &FailingBehaviour| {
            (
                it.kind.clone(),
                it.method.clone(),
                it.exception.clone(),
                it.reason.clone(),
            )
        };
        parts(self) == parts(other)
    }
}

/// Finding, with the text of the test that shows it, and where that was written.
struct ReportedFinding {
    finding: Finding,
    calls: String,
    of: TestOrigin,
    /// File and name of the test.
    reproducer: Option<(String, String)>,
}

/// Findings, the surest first.
#[derive(Default)]
pub struct ReportedFindings {
    findings: Vec<ReportedFinding>,
}

/// Number of findings that are no faults for sure of which a line each is told.
const MOST_UNSURE: usize = 3;

impl ReportedFindings {
    /// Collects the findings of failing tests.
    pub fn of(failing: &Failing) -> ReportedFindings {
        let Suite { cases, scripts, .. } = &failing.suite;
        let cases = cases.iter().enumerate();
        let cases = cases.map(|(number, case)| (TestOrigin::Case(number, None), shown(case)));
        let scripts = scripts.iter().enumerate();
        let scripts =
            scripts.map(|(number, script)| (TestOrigin::Script(number), script.to_string()));
        let findings = failing.findings.iter().cloned().zip(cases.chain(scripts));
        let mut findings: Vec<ReportedFinding> = findings
            .map(|(finding, (of, calls))| ReportedFinding {
                finding,
                calls,
                of,
                reproducer: None,
            })
            .collect();
        findings.sort_by_key(|reported| reported.finding.rank);
        ReportedFindings { findings }
    }

    /// Notes where the tests that show the findings were written. The tests of the cases stand behind
    /// `before` others.
    pub fn locate(&mut self, written: &[WrittenTest], before: usize) {
        for reported in &mut self.findings {
            let is_own = |test: &&WrittenTest| match (test.of, reported.of) {
                (TestOrigin::Case(one, _), TestOrigin::Case(other, _)) => one == before + other,
                (one, other) => one == other,
            };
            let test = written.iter().find(is_own);
            reported.reproducer = test.map(|test| {
                let name = format!("{}.{}", test.class, test.name);
                (output::shown(&test.file), name)
            });
        }
    }

    /// Whether one of them is sure to be a fault.
    pub fn are_sure(&self) -> bool {
        let mut findings = self.findings.iter();
        findings.any(|reported| reported.finding.rank.is_sure())
    }

    /// Whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Lines for people, one per finding. Of those that are none for sure the first, where no details are
    /// asked for.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let most = match messages::Verbosity::Details.is_shown() {
            true => usize::MAX,
            false => MOST_UNSURE,
        };
        let is_unsure = |one: &&ReportedFinding| !one.finding.rank.is_sure();
        let unsure = self.findings.iter().filter(is_unsure).count();
        let further = (unsure > most.saturating_add(1)).then(|| {
            let further = counted((unsure - most) as u64, "further exception");
            format!("perhaps faults: {further} (-v)")
        });
        let most = if further.is_some() { most } else { usize::MAX };
        let mut seen = 0;
        let shown = self.findings.iter().filter(move |one| {
            seen += usize::from(is_unsure(one));
            !is_unsure(one) || seen <= most
        });
        let lines = shown.map(|reported| {
            let ReportedFinding { finding, calls, .. } = reported;
            let doubt = match finding.rank.is_sure() {
                true => "",
                false => "perhaps a fault: ",
            };
            let file = reported.reproducer.as_ref();
            let file = file.map_or(String::new(), |(file, _)| format!(" ({file})"));
            format!("{doubt}{}: {calls}{file}", finding.reason)
        });
        lines.chain(further)
    }

    /// Failing behaviours for programs.
    pub fn behaviours(&self) -> Vec<FailingBehaviour> {
        let behaviours = self.findings.iter().map(|reported| {
            let ReportedFinding { finding, calls, .. } = reported;
            let (file, reproducer) = reported.reproducer.clone().unzip();
            FailingBehaviour {
                kind: finding.kind.name().into(),
                rank: output::rank(finding.rank),
                sure: finding.rank.is_sure(),
                method: finding.method.clone(),
                exception: finding.thrown.clone(),
                reason: finding.reason.clone(),
                test: calls.clone(),
                file,
                reproducer,
            }
        });
        behaviours.collect()
    }

    /// Number of findings of a kind.
    pub fn count(&self, kind: FaultKind) -> usize {
        let of_kind = |reported: &&ReportedFinding| reported.finding.kind == kind;
        self.findings.iter().filter(of_kind).count()
    }

    /// Writes the reproducers of the findings, and reports these on standard error.
    ///
    /// # Errors
    /// A file cannot be written, or a hand-written file has its name.
    pub fn write(
        &mut self,
        failing: Failing,
        writer: (&TestWriter, &StopSignal),
        package: Option<String>,
        folder: &Path,
    ) -> anyhow::Result<()> {
        let written = write(failing, writer, package, folder)?;
        self.locate(&written.methods, 0);
        for line in self.lines() {
            notice!("{line}");
        }
        Ok(())
    }
}

/// Writes failing tests.
///
/// # Errors
/// A file cannot be written, or a hand-written file has its name.
pub fn write(
    failing: Failing,
    (writer, interrupt): (&TestWriter, &StopSignal),
    package: Option<String>,
    folder: &Path,
) -> anyhow::Result<WrittenTests> {
    let Failing { suite, findings } = failing;
    let whole = suite.scripts.len() + suite.cases.len();
    let reasons: Vec<String> = findings.iter().map(Finding::sentence).collect();
    let class = writer.failures();
    let what = (class.as_str(), &reasons[..], FailurePlace::Apart);
    let written = writer.write_reproducers(suite, what, package, folder, interrupt)?;
    warn_of_skipped(&written.skipped, whole, "tests that fail");
    Ok(written)
}
