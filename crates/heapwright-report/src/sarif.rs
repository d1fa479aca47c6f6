//! Findings in SARIF 2.1.0, the format of code scanning.
//!
//! Files are relative to the folder of the run, which viewers know as `%SRCROOT%`. The identity of
//! a finding does not depend on lines, so that it stays the same while code above it changes.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::findings::{Finding, Kind, Severity, findings};
use crate::model::Run;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// Name of the folder of the run.
const ROOT: &str = "%SRCROOT%";
/// Name of our identities of findings.
const FINGERPRINT: &str = "heapwright/v1";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [LogRun; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogRun {
    tool: Tool,
    automation_details: AutomationDetails,
    invocations: [Invocation; 1],
    results: Vec<LogResult>,
    column_kind: &'static str,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: String,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    name: String,
    short_description: Message,
    full_description: Message,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct AutomationDetails {
    id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Invocation {
    execution_successful: bool,
    start_time_utc: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_execution_notifications: Vec<Notification>,
}

#[derive(Serialize)]
struct Notification {
    level: &'static str,
    message: Message,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogResult {
    rule_id: &'static str,
    rule_index: usize,
    kind: &'static str,
    level: &'static str,
    message: Message,
    locations: [Location; 1],
    partial_fingerprints: BTreeMap<&'static str, String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    #[serde(skip_serializing_if = "Option::is_none")]
    physical_location: Option<PhysicalLocation>,
    logical_locations: [LogicalLocation; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Region>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArtifactLocation {
    uri: String,
    uri_base_id: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LogicalLocation {
    fully_qualified_name: String,
}

/// Findings of a run as a SARIF log.
#[must_use]
pub fn sarif(run: &Run) -> String {
    let mut seen: BTreeMap<(Kind, String), u32> = BTreeMap::new();
    let results = findings(run).into_iter().map(|finding| {
        let key = (finding.kind, finding.identity.clone());
        let number = seen.entry(key).or_default();
        *number += 1;
        result(finding, *number)
    });
    let mut notifications = Vec::new();
    if let Some(by) = run.stopped_by() {
        let text = format!("{by} ended the run before its end: the results are partial");
        notifications.push(Notification {
            level: "warning",
            message: Message { text },
        });
    }
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [LogRun {
            tool: Tool {
                driver: Driver {
                    name: "Heapwright",
                    version: run.version.clone(),
                    rules: Kind::ALL.into_iter().map(rule).collect(),
                },
            },
            automation_details: AutomationDetails {
                id: format!("heapwright/{}/", run.verb),
            },
            invocations: [Invocation {
                execution_successful: true,
                start_time_utc: run.started_text(),
                tool_execution_notifications: notifications,
            }],
            results: results.collect(),
            column_kind: "utf16CodeUnits",
        }],
    };
    pretty(&log)
}

/// JSON text with indentation and a line end.
pub(crate) fn pretty(value: &impl Serialize) -> String {
    // Plain data with text keys always has a JSON text.
    let text = serde_json::to_string_pretty(value);
    debug_assert!(text.is_ok(), "{text:?}");
    text.unwrap_or_default() + "\n"
}

fn rule(kind: Kind) -> Rule {
    let words = kind.id().split('-');
    let name = words.map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    Rule {
        id: kind.id(),
        name: name.collect(),
        short_description: Message {
            text: kind.title().to_owned(),
        },
        full_description: Message {
            text: kind.description().to_owned(),
        },
        default_configuration: Configuration {
            level: level(kind.severity()),
        },
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
        Severity::Fact => "none",
    }
}

/// Result for a finding; `number` tells findings with the same identity apart, from 1.
fn result(finding: Finding, number: u32) -> LogResult {
    let physical_location = finding.file.map(|file| PhysicalLocation {
        artifact_location: ArtifactLocation {
            uri: uri(&file),
            uri_base_id: ROOT,
        },
        region: finding.line.map(|start_line| Region { start_line }),
    });
    let rule_index = Kind::ALL.iter().position(|&kind| kind == finding.kind);
    LogResult {
        rule_id: finding.kind.id(),
        rule_index: rule_index.unwrap_or_default(),
        kind: match finding.severity {
            Severity::Fact => "informational",
            _ => "fail",
        },
        level: level(finding.severity),
        message: Message {
            text: finding.message,
        },
        locations: [Location {
            physical_location,
            logical_locations: [LogicalLocation {
                fully_qualified_name: finding.element,
            }],
        }],
        partial_fingerprints: BTreeMap::from([(
            FINGERPRINT,
            format!("{} {} {number}", finding.kind.id(), finding.identity),
        )]),
    }
}

/// Relative URI of a path with slashes: what is not allowed in one is written by its bytes.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b'$' => {
                uri.push(byte.into());
            }
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}
