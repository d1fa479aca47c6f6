//! Option group: reports of a run.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

/// Options of reports.
#[derive(Args, Clone, Debug, Default)]
pub struct ReportArgs {
    /// Folder for reports of the run: pages for people, and files for other programs
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub report: Option<PathBuf>,
    /// Formats of the reports, separated by commas [default: all]
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        value_delimiter = ',',
        requires = "report"
    )]
    pub report_formats: Vec<ReportFormat>,
    /// Folder of sources, whose lines are shown in reports (repeatable)
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub sources: Vec<PathBuf>,
}

impl ReportArgs {
    /// Whether reports have this format.
    pub fn has(&self, format: ReportFormat) -> bool {
        self.report_formats.is_empty() || self.report_formats.contains(&format)
    }
}

/// Format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Pages for people: index.html
    Html,
    /// Data of the run: report.json
    Json,
    /// Findings for code scanning, in SARIF 2.1.0: heapwright.sarif
    Sarif,
    /// Outcomes of tests as JUnit reports them: junit.xml
    Junit,
    /// Coverage as JaCoCo reports it: jacoco.xml
    Jacoco,
    /// Coverage as Cobertura reports it: cobertura.xml
    Cobertura,
    /// Mutants for Stryker's viewer and dashboard: mutations.json
    Mutations,
    /// Summary in Markdown: summary.md
    Markdown,
    /// Annotations and summary of a job of GitHub Actions; nothing elsewhere
    Github,
}
