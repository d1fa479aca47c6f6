//! Report of a search from the API.

use std::collections::BTreeSet;
use std::process::ExitCode;

use heapwright_jvm::ReadSource;
use heapwright_techniques::api::{
    ApiRequest, ApiSearchOutcome, CallFault, CallFinding, SearchEnd, Sequence,
};
use heapwright_techniques::read::StructureReader;
use schemars::JsonSchema;
use serde::Serialize;

use super::api_tests::WrittenApiTests;
use super::args::EnumerateArgs;
use crate::api::StructureWriter;
use crate::api::claim::claim;
use crate::exit;
use crate::files::{grouped, print};
use crate::messages::report;
use crate::report::claim::Claim;
use crate::report::findings::{FailingBehaviour, ReportedFindings};
use crate::report::summary::{Body, Head};

/// Report of a search from the API.
pub struct ApiReport<'a> {
    /// Request of the search.
    pub request: &'a ApiRequest,
    /// Outcome of the search.
    pub outcome: &'a ApiSearchOutcome,
    /// Limit that ended the search early, if any.
    pub stopped_by: Option<&'static str>,
    /// Static fields that code has read.
    pub reads: BTreeSet<ReadSource>,
    /// Number of structures written.
    pub written: u64,
    /// Tests written, if they were requested.
    pub tests: Option<WrittenApiTests>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

/// Summary of a search from the API.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ApiSummary {
    /// Structures of the class.
    structures: u64,
    /// Iterations begun: each adds a call to what was built before.
    iterations: u32,
    /// Sequences discarded since a call refused its arguments.
    discarded_misuse: u64,
    /// Sequences discarded since they leave the scope.
    discarded_scope: u64,
    /// Sequences that build what was built before.
    matched: u64,
    /// Sequences that fail.
    failed: u64,
    /// Sequences without an answer.
    refused: u64,
    /// Failures, each with its smallest sequence.
    failures: Vec<Failure>,
    /// Regular expression of the fields that do not tell structures apart.
    omitted_fields: String,
    /// Mean memory of a structure, in bytes.
    bytes_per_structure: f64,
    /// Greatest size of the structures for which there was no memory, in bytes on disk.
    peak_disk_bytes: u64,
    /// Failing behaviours, where tests are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_behaviours: Option<Vec<FailingBehaviour>>,
    /// File of the tests that fail, where tests are written; null if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    reproducers: Option<Option<String>>,
    /// Iterations after which `--max-length` ended the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    max_length: Option<u32>,
}

/// Failure of a call.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Failure {
    /// `throws`, `does-not-end`, `fills-memory`, `refused`, `violates` or `unsteady`.
    kind: &'static str,
    /// Binary name of the class of the exception; null if none was thrown.
    exception: Option<String>,
    /// Smallest sequence.
    calls: String,
    /// Description.
    text: String,
    /// Sequences that fail so.
    count: u64,
}

impl ApiReport<'_> {
    /// Prints the report and returns the exit code.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub fn print(
        &self,
        writer: &mut StructureWriter<'_>,
        arguments: &EnumerateArgs,
    ) -> anyhow::Result<ExitCode> {
        for skipped in &writer.prepared.skipped {
            notice!("{} is not called: {}", skipped.method, skipped.reason);
        }
        let findings = self.outcome.findings.list();
        for finding in findings {
            let calls = calls_of(writer, finding)?;
            let what = match &finding.fault {
                CallFault::Throws(_) => finding.text.replace('\n', "\n    "),
                CallFault::DoesNotEnd => "does not end within --max-steps".to_owned(),
                CallFault::FillsMemory => "takes all memory for Java objects".to_owned(),
                CallFault::Refused(what) => format!("is refused: {what}"),
                CallFault::Violates(_) => finding.text.clone(),
                CallFault::Nondeterministic(what) => {
                    format!("{what}: structures show its behaviour on this engine")
                }
            };
            let more = match finding.count {
                1 => String::new(),
                count => format!(" ({} calls in all)", grouped(count)),
            };
            notice!("{calls}: {what}{more}");
        }
        self.warn_of_nothing();
        let found = self.tests.as_ref().map(|tests| &tests.found);
        for line in found.into_iter().flat_map(ReportedFindings::lines) {
            notice!("{line}");
        }
        let has_failures = found.is_some_and(|found| !found.is_empty())
            || findings.iter().any(|finding| {
                !matches!(
                    finding.fault,
                    CallFault::Refused(_) | CallFault::Nondeterministic(_)
                )
            });
        if arguments.common.output.json {
            self.result(writer)?.print("enumerate")?;
        } else if arguments.format.is_some() && arguments.output.is_none() {
            report(&format!("{}\n", self.line(writer)));
        } else {
            print(&format!("{}\n", self.line(writer)))?;
        }
        let has_nothing = arguments.format.is_some() && self.written == 0;
        let code = match self.claim(writer).exit_code() {
            _ if has_failures => exit::ExitCode::Found,
            Some(code) => code,
            None if has_nothing || self.outcome.progress.structures == 0 => exit::ExitCode::Nothing,
            None => exit::ExitCode::Done,
        };
        Ok(code.into())
    }

    fn claim(&self, writer: &StructureWriter<'_>) -> Claim {
        self.claim_of(writer, self.stopped_by)
    }

    fn claim_of(&self, writer: &StructureWriter<'_>, stopped_by: Option<&str>) -> Claim {
        claim(writer.prepared, self.outcome, stopped_by, &self.reads)
    }

    /// Explains an empty result, if all structures built are larger than the scope.
    fn warn_of_nothing(&self) {
        let progress = self.outcome.progress;
        if progress.structures > 0 || progress.tally.out_of_scope == 0 {
            return;
        }
        let most = self.request.limits.array_length;
        match progress.tally.too_long {
            Some(length) => notice!(
                "no structure is within the scope: one has an array of {length}, and at most {most} are \
                 within it: --max-array-objects {length}"
            ),
            None => notice!("no structure is within the scope: a larger --scope may have some"),
        }
    }

    fn matched(&self) -> u64 {
        let tally = self.outcome.progress.tally;
        let others = tally.misuse + tally.out_of_scope + tally.failed + tally.refused;
        tally.explored - others - tally.building
    }

    fn bytes_per_structure(&self) -> f64 {
        let progress = self.outcome.progress;
        progress.memory as f64 / progress.structures.max(1) as f64
    }

    fn line(&self, writer: &StructureWriter<'_>) -> String {
        let progress = self.outcome.progress;
        let class = &writer.prepared.class;
        let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
        let mut line = format!(
            "{simple}: {} structures, {} sequences explored in {} iterations, {:.0} bytes a structure, \
             fields omitted: {}, {:.2} s; ",
            grouped(progress.structures),
            grouped(progress.tally.explored),
            progress.iterations,
            self.bytes_per_structure(),
            self.request.omitted_fields,
            self.seconds,
        );
        line.push_str(&match self.outcome.ended {
            SearchEnd::AtLength => {
                // The claim covers the calls up to this length.
                let claim = self.claim_of(writer, None);
                format!(
                    "{} up to {} calls on an object, more build more (--max-length){}",
                    claim.status().name(),
                    progress.iterations,
                    claim.without()
                )
            }
            _ => self.claim(writer).to_string(),
        });
        if let Some(tests) = &self.tests {
            line.push_str(&format!("; {} tests", grouped(tests.tests as u64)));
            if let Some(file) = &tests.reproducers {
                line.push_str(&format!("; failures repeated in {}", file.display()));
            }
        }
        line
    }

    fn result(&self, writer: &mut StructureWriter<'_>) -> anyhow::Result<Body<ApiSummary>> {
        let progress = self.outcome.progress;
        let tally = progress.tally;
        let findings = self.outcome.findings.list().iter();
        let failures = findings.map(|finding| {
            let (kind, exception) = match &finding.fault {
                CallFault::Throws(class) => ("throws", Some(class.clone())),
                CallFault::DoesNotEnd => ("does-not-end", None),
                CallFault::FillsMemory => ("fills-memory", None),
                CallFault::Refused(_) => ("refused", None),
                CallFault::Violates(_) => ("violates", None),
                CallFault::Nondeterministic(_) => ("unsteady", None),
            };
            Ok(Failure {
                kind,
                exception,
                calls: calls_of(writer, finding)?,
                text: finding.text.clone(),
                count: finding.count,
            })
        });
        let failures = failures.collect::<anyhow::Result<_>>()?;
        let tests = self.tests.as_ref();
        let file = |tests: &WrittenApiTests| {
            let file = tests.reproducers.as_ref();
            file.map(|file| file.display().to_string())
        };
        let own = ApiSummary {
            structures: progress.structures,
            iterations: progress.iterations,
            discarded_misuse: tally.misuse,
            discarded_scope: tally.out_of_scope,
            matched: self.matched(),
            failed: tally.failed,
            refused: tally.refused,
            failures,
            omitted_fields: self.request.omitted_fields.clone(),
            bytes_per_structure: self.bytes_per_structure(),
            peak_disk_bytes: progress.disk,
            failing_behaviours: tests.map(|tests| tests.found.behaviours()),
            reproducers: tests.map(file),
            max_length: (self.outcome.ended == SearchEnd::AtLength).then_some(progress.iterations),
        };
        let head = Head::new(&writer.prepared.class, &self.claim(writer), self.seconds)
            .explored(tally.explored, "sequences")
            .tests(tests.map(|tests| tests.tests));
        Ok(head.with(own))
    }
}

/// Text of the calls that lead to a finding.
fn calls_of(writer: &mut StructureWriter<'_>, finding: &CallFinding) -> anyhow::Result<String> {
    let operations = &writer.prepared.caller.operations;
    let sequence = Sequence::ending_with(&writer.search.pools, operations, &finding.call)?;
    let class = writer.prepared.caller.classes[0];
    let mut reader = StructureReader::new(writer.vm, class);
    let written = writer.prepared.written(writer.vm, &mut reader, &sequence);
    Ok(written.to_string())
}
