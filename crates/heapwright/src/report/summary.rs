//! Summaries for programs: a head common to all verbs, and the verb's own keys.
//!
//! The types are the contract: `heapwright schema VERB` prints their JSON Schema.

use std::borrow::Cow;
use std::path::PathBuf;

use heapwright_explore::Count;
use num_bigint::BigUint;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::claim::Claim;
use crate::fault::Fault;
use crate::files::{print, written_files};
use crate::interrupt::status_bytes;

/// Maximum count that every JSON reader represents exactly: 2^53.
const MOST_EXACT: u64 = 1 << 53;

/// Summary of a verb: the process, the result's head and the verb's own keys.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct Summary<T> {
    #[serde(flatten)]
    process: Process,
    #[serde(flatten)]
    body: Body<T>,
}

/// The process that wrote a summary.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct Process {
    /// Verb that was called.
    verb: Cow<'static, str>,
    /// Version of the program.
    version: &'static str,
    /// Most memory that the process had at once, in bytes; null where the system does not say.
    peak_memory_bytes: Option<u64>,
    /// Files that the run has written, in order.
    files: Vec<String>,
}

/// Body of a summary: of a class, or of all.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Body<T> {
    #[serde(flatten)]
    pub head: Head,
    /// Keys of the verb's own; absent where the run was stopped before it began.
    #[serde(flatten)]
    pub own: Option<T>,
}

/// Head of all results.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Head {
    /// Binary name of the class.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    /// Binary names of the classes, where there may be several.
    #[serde(skip_serializing_if = "Option::is_none")]
    classes: Option<Vec<String>>,
    /// How the search ended.
    pub status: Status,
    /// Parts that the claim leaves out, a text each.
    without: Vec<String>,
    /// Option, key or signal that ended the search before its end; null if none did.
    pub stopped_by: Option<String>,
    /// Wall-clock seconds.
    seconds: f64,
    /// Amount explored, in units of `explored_unit`.
    pub explored: Exact,
    /// Unit of `explored`.
    explored_unit: Cow<'static, str>,
    /// Queries to the solver; null for searches without one.
    pub solver: Option<Solver>,
    /// Tests written, those that fail aside, or by `measure` run; null where none were asked for.
    pub tests: Option<usize>,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Nothing was cut off but by bounds that were asked for or are part of every claim.
    Complete,
    /// Something else was cut off, which `without` names.
    Partial,
    /// The search was stopped before its end.
    Stopped,
}

impl Status {
    /// Name of the status in summaries and messages.
    pub fn name(self) -> &'static str {
        match self {
            Status::Complete => "complete",
            Status::Partial => "partial",
            Status::Stopped => "stopped",
        }
    }
}

/// Queries to the solver.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct Solver {
    /// Queries, those that simplification answered included.
    pub queries: u64,
    /// Queries without an answer within the limits.
    pub unknown: u64,
    /// Seconds that they took; null where they were not measured.
    pub seconds: Option<f64>,
    /// Stages that answered, where they are counted.
    #[serde(flatten)]
    pub stages: Option<SolverStages>,
}

impl std::iter::Sum for Solver {
    /// Sum of several searches, whose stages are not told apart.
    fn sum<I: Iterator<Item = Solver>>(solvers: I) -> Solver {
        let none = Solver {
            seconds: Some(0.0),
            ..Solver::default()
        };
        solvers.fold(none, |sum, solver| Solver {
            queries: sum.queries + solver.queries,
            unknown: sum.unknown + solver.unknown,
            seconds: Some(sum.seconds.unwrap_or_default() + solver.seconds.unwrap_or_default()),
            stages: None,
        })
    }
}

/// Queries by the stage that answered, and the work that they took.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct SolverStages {
    /// Queries that simplification decided.
    pub decided_cheaply: u64,
    /// Queries that a model known before satisfies.
    pub by_model: u64,
    /// Queries that the cache knew.
    pub cache_hits: u64,
    /// Queries that reached the SMT solver.
    pub calls: u64,
    /// Work of the SMT solver, in its own units.
    pub work: u64,
}

/// Summary of a run that a fault of Heapwright's own ended.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct FaultSummary {
    /// Verb that was called.
    verb: &'static str,
    /// Version of the program.
    version: &'static str,
    /// `fault`.
    status: &'static str,
    /// The fault.
    fault: Fault,
}

impl FaultSummary {
    /// Prints the summary of a fault on standard output, as one line.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub fn print(verb: &'static str, fault: Fault) -> anyhow::Result<()> {
        let summary = FaultSummary {
            verb,
            version: env!("CARGO_PKG_VERSION"),
            status: "fault",
            fault,
        };
        print_json(&summary)
    }
}

impl Head {
    /// Head of a result for a class.
    pub fn new(class: &str, claim: &Claim, seconds: f64) -> Head {
        Head {
            class: Some(class.to_owned()),
            classes: None,
            status: claim.status(),
            without: claim.left_out().to_vec(),
            stopped_by: claim.stopped_by().map(str::to_owned),
            seconds,
            explored: Exact::from(0),
            explored_unit: "nothing".into(),
            solver: None,
            tests: None,
        }
    }

    /// Head of a result for several classes.
    pub fn of_classes(classes: &[String], claim: &Claim, seconds: f64) -> Head {
        Head {
            class: None,
            classes: Some(classes.to_vec()),
            ..Head::new("", claim, seconds)
        }
    }

    /// Sum of the results of named parts, of which those without a result have failed.
    pub fn sum(parts: &[(String, Option<Head>)], stopped: Option<&str>, seconds: f64) -> Head {
        let heads = || parts.iter().filter_map(|(_, head)| head.as_ref());
        let classes =
            heads().flat_map(|head| head.class.iter().chain(head.classes.iter().flatten()));
        let stopped = stopped.or_else(|| heads().find_map(|head| head.stopped_by.as_deref()));
        let mut claim = Claim::ended(stopped);
        for (name, head) in parts {
            match head {
                Some(head) if head.status == Status::Complete => {}
                Some(_) => claim = claim.with_gap(format!("parts of {name}")),
                None => claim = claim.with_gap(format!("{name}, which failed")),
            }
        }
        let classes: Vec<String> = classes.cloned().collect();
        let solvers = || heads().filter_map(|head| head.solver);
        let explored = heads()
            .filter_map(|head| head.explored.as_u64())
            .sum::<u64>();
        let unit = heads().next().map(|head| head.explored_unit.clone());
        let has_tests = heads().any(|head| head.tests.is_some());
        Head {
            explored: explored.into(),
            explored_unit: unit.unwrap_or_else(|| "nothing".into()),
            solver: solvers().next().map(|_| solvers().sum()),
            tests: has_tests.then(|| heads().filter_map(|head| head.tests).sum()),
            ..Head::of_classes(&classes, &claim, seconds)
        }
    }

    /// Claim of the result.
    pub fn claim(&self) -> Claim {
        let claim = Claim::ended(self.stopped_by.as_deref());
        let without = self.without.iter();
        without.fold(claim, |claim, what| match self.status {
            Status::Partial => claim.with_gap(what),
            _ => claim.with_exclusion(what),
        })
    }

    /// Sets the number of units explored.
    pub fn explored(mut self, count: impl Into<Exact>, unit: &'static str) -> Head {
        (self.explored, self.explored_unit) = (count.into(), unit.into());
        self
    }

    /// Sets the queries to the solver.
    pub fn solver(mut self, solver: Solver) -> Head {
        self.solver = Some(solver);
        self
    }

    /// Sets the number of tests written, if they were asked for.
    pub fn tests(mut self, tests: Option<usize>) -> Head {
        self.tests = tests;
        self
    }

    /// Creates a result with this head and the verb's own keys.
    pub fn with<T>(self, own: T) -> Body<T> {
        Body {
            head: self,
            own: Some(own),
        }
    }

    /// Creates the result of a run that was stopped before it began.
    pub fn without_keys<T>(self) -> Body<T> {
        Body {
            head: self,
            own: None,
        }
    }
}

impl<T: Serialize> Body<T> {
    /// Prints the result on standard output as one line, as the summary of a verb.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub fn print(self, verb: &'static str) -> anyhow::Result<()> {
        let process = Process {
            verb: verb.into(),
            version: env!("CARGO_PKG_VERSION"),
            peak_memory_bytes: status_bytes("VmHWM:"),
            files: names(&written_files()),
        };
        print_json(&Summary {
            process,
            body: self,
        })
    }
}

/// Prints the sum of the results of several processes, which wrote the files and took the memory, as
/// the summary of a verb.
///
/// # Errors
/// Standard output cannot be written to.
pub fn print_sum<T: Serialize>(
    verb: String,
    body: Body<T>,
    files: Vec<String>,
    peak_memory_bytes: Option<u64>,
) -> anyhow::Result<()> {
    let process = Process {
        verb: verb.into(),
        version: env!("CARGO_PKG_VERSION"),
        peak_memory_bytes,
        files,
    };
    print_json(&Summary { process, body })
}

fn print_json(summary: &impl Serialize) -> anyhow::Result<()> {
    print(&format!("{}\n", serde_json::to_string(summary)?))
}

fn names(files: &[PathBuf]) -> Vec<String> {
    let names = files.iter().map(|file| file.display().to_string());
    names.collect()
}

/// Count as a JSON number with all its digits, of any size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Exact(Number);

impl Exact {
    /// Count as a `u64`; none from 2^64 on.
    pub fn as_u64(&self) -> Option<u64> {
        self.0.as_u64()
    }
}

impl From<u64> for Exact {
    fn from(count: u64) -> Exact {
        Exact(count.into())
    }
}

impl From<&Count> for Exact {
    fn from(count: &Count) -> Exact {
        // Decimal digits always parse as a number.
        Exact(count.to_string().parse().unwrap_or_else(|_| 0.into()))
    }
}

impl JsonSchema for Exact {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Exact".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": 0})
    }
}

/// Count as a JSON number, or above 2^53 as a string of its digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Digits {
    /// Count up to 2^53.
    Number(u64),
    /// Digits of a larger count.
    Text(String),
}

impl From<&BigUint> for Digits {
    fn from(count: &BigUint) -> Digits {
        match u64::try_from(count) {
            Ok(small) if small <= MOST_EXACT => Digits::Number(small),
            _ => Digits::Text(count.to_string()),
        }
    }
}

impl JsonSchema for Digits {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Digits".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": ["integer", "string"], "minimum": 0, "pattern": "^[0-9]+$"})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Serialize)]
    struct Own {
        own: u32,
    }

    #[test]
    fn a_result_has_the_keys_of_its_head_and_its_own() {
        let claim = Claim::ended(Some("--limit")).with_exclusion("more");
        let count: Count = "18446744073709551617".parse().unwrap();
        let head = Head::new("a.B", &claim, 1.5)
            .explored(&count, "paths")
            .tests(Some(2))
            .solver(Solver {
                queries: 3,
                ..Solver::default()
            });
        let text = serde_json::to_string(&head.with(Own { own: 1 })).unwrap();
        let expected = json!({
            "class": "a.B",
            "status": "stopped",
            "without": ["more"],
            "stopped_by": "--limit",
            "seconds": 1.5,
            "explored": serde_json::from_str::<Number>("18446744073709551617").unwrap(),
            "explored_unit": "paths",
            "solver": {"queries": 3, "unknown": 0, "seconds": null},
            "tests": 2,
            "own": 1,
        });
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&text).unwrap(),
            expected
        );
    }

    #[test]
    fn counts_are_exact() {
        let large = BigUint::from(MOST_EXACT) + 1u32;
        assert_eq!(
            Digits::from(&BigUint::from(MOST_EXACT)),
            Digits::Number(MOST_EXACT)
        );
        assert_eq!(
            Digits::from(&large),
            Digits::Text("9007199254740993".to_owned())
        );
    }
}
