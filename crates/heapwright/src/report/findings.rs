//! Reports of findings: lines for people, objects for programs and reproducers.

use std::borrow::Cow;
use std::path::Path;

use heapwright_suite::Suite;
use heapwright_techniques::findings::{Failing, FaultKind, Finding, shown};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::interrupt::StopSignal;
use crate::junit::{TestWriter, WrittenTests, warn_of_skipped};

/// A behaviour that fails.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct FailingBehaviour {
    /// Oracle that it breaks.
    kind: Cow<'static, str>,
    /// Method that was called.
    method: String,
    /// Binary name of the class of the exception that was thrown; null if none was.
    exception: Option<String>,
    /// Why it fails.
    reason: String,
    /// Calls that lead to it.
    test: String,
}

/// Findings, each with the text of the test that shows it.
#[derive(Default)]
pub struct ReportedFindings {
    findings: Vec<(Finding, String)>,
}

impl ReportedFindings {
    /// Collects the findings of failing tests.
    pub fn of(failing: &Failing) -> ReportedFindings {
        let Suite { cases, scripts, .. } = &failing.suite;
        let scripts = scripts.iter().map(ToString::to_string);
        let tests = cases.iter().map(shown).chain(scripts);
        ReportedFindings {
            findings: failing.findings.iter().cloned().zip(tests).collect(),
        }
    }

    /// Whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// Lines for people, one per finding.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        let findings = self.findings.iter();
        findings.map(|(finding, test)| format!("{}: {test}", finding.reason))
    }

    /// Failing behaviours for programs.
    pub fn behaviours(&self) -> Vec<FailingBehaviour> {
        let behaviours = self
            .findings
            .iter()
            .map(|(finding, test)| FailingBehaviour {
                kind: finding.kind.name().into(),
                method: finding.method.clone(),
                exception: finding.thrown.clone(),
                reason: finding.reason.clone(),
                test: test.clone(),
            });
        behaviours.collect()
    }

    /// Number of findings of a kind.
    pub fn count(&self, kind: FaultKind) -> usize {
        let of_kind = |(finding, _): &&(Finding, String)| finding.kind == kind;
        self.findings.iter().filter(of_kind).count()
    }

    /// Reports the findings on standard error, and writes their reproducers.
    ///
    /// # Errors
    /// A file cannot be written, or a hand-written file has its name.
    pub fn write(
        &self,
        failing: Failing,
        (writer, interrupt): (&TestWriter, &StopSignal),
        package: Option<String>,
        folder: &Path,
    ) -> anyhow::Result<()> {
        for line in self.lines() {
            notice!("{line}");
        }
        write(failing.suite, (writer, interrupt), package, folder).map(drop)
    }
}

/// Writes failing tests.
///
/// # Errors
/// A file cannot be written, or a hand-written file has its name.
pub fn write(
    suite: Suite,
    (writer, interrupt): (&TestWriter, &StopSignal),
    package: Option<String>,
    folder: &Path,
) -> anyhow::Result<WrittenTests> {
    let whole = suite.scripts.len() + suite.cases.len();
    let written =
        writer.write_reproducers(suite, &writer.failures(), package, folder, interrupt)?;
    warn_of_skipped(&written.skipped, whole, "tests that fail");
    Ok(written)
}
