//! The head of all summaries for programs: the same keys, whatever the verb, before those of its own.

use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::files::written_files;
use crate::interrupt::status_bytes;
use crate::report::claim::Claim;

/// What every summary says (section 4 of the design).
#[derive(Clone, Debug, Serialize)]
pub struct Head {
    /// The verb that was called.
    verb: &'static str,
    /// The version of the program.
    version: &'static str,
    /// The binary name of the class that it was about.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<String>,
    /// The binary names of the classes, where there may be several.
    #[serde(skip_serializing_if = "Option::is_none")]
    classes: Option<Vec<String>>,
    /// `complete`, `partial` or `stopped`.
    status: &'static str,
    /// What is left out, in words.
    without: Vec<String>,
    /// The option, key or signal that ended the search before its end.
    stopped_by: Option<String>,
    /// Wall-clock seconds.
    seconds: f64,
    /// How many steps the search took, of the unit that is said.
    explored: Json,
    explored_unit: &'static str,
    /// What the solver was asked; null if it was none of the search.
    solver: Option<Solver>,
    /// The most memory that the process has had at once; null where the system does not say.
    peak_memory_bytes: Option<u64>,
    /// Tests written; null where none were asked for.
    tests: Option<usize>,
    /// Files that the run has written up to now, in order.
    files: Vec<String>,
}

/// What the solver was asked.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Solver {
    /// Questions, those that it did not need to look into included.
    pub queries: u64,
    /// Those that it had no answer to within its limits.
    pub unknown: u64,
    /// Seconds that it took; null where they were not measured.
    pub seconds: Option<f64>,
}

impl Head {
    /// Of what came of a verb.
    pub fn new(verb: &'static str, class: &str, claim: &Claim, seconds: f64) -> Head {
        Head {
            verb,
            version: env!("CARGO_PKG_VERSION"),
            class: Some(class.to_owned()),
            classes: None,
            status: claim.status(),
            without: claim.left_out().to_vec(),
            stopped_by: claim.stopped_by().map(str::to_owned),
            seconds,
            explored: 0.into(),
            explored_unit: "nothing",
            solver: None,
            peak_memory_bytes: peak_memory_bytes(),
            tests: None,
            files: names(&written_files()),
        }
    }

    /// Of what came of a verb for several classes.
    pub fn of_classes(verb: &'static str, classes: &[String], claim: &Claim, seconds: f64) -> Head {
        Head {
            class: None,
            classes: Some(classes.to_vec()),
            ..Head::new(verb, "", claim, seconds)
        }
    }

    /// The same with how much was looked at.
    pub fn explored(mut self, count: impl Into<Json>, unit: &'static str) -> Head {
        (self.explored, self.explored_unit) = (count.into(), unit);
        self
    }

    /// The same with what the solver was asked.
    pub fn solver(mut self, solver: Solver) -> Head {
        self.solver = Some(solver);
        self
    }

    /// The same with how many tests were written, if they were asked for.
    pub fn tests(mut self, tests: Option<usize>) -> Head {
        self.tests = tests;
        self
    }

    /// The summary: this and what is the verb's own. Where both have an object its keys are put together; what else
    /// both have is this one's.
    pub fn over(&self, own: Json) -> Json {
        let mut summary = match own {
            Json::Object(own) => own,
            _ => Map::new(),
        };
        if let Ok(Json::Object(head)) = serde_json::to_value(self) {
            for (key, value) in head {
                match (summary.get_mut(&key), value) {
                    (Some(Json::Object(own)), Json::Object(head)) => own.extend(head),
                    (_, value) => drop(summary.insert(key, value)),
                }
            }
        }
        Json::Object(summary)
    }
}

fn names(files: &[PathBuf]) -> Vec<String> {
    let names = files.iter().map(|file| file.display().to_string());
    names.collect()
}

/// The most memory this process has had at once, where the system says so.
fn peak_memory_bytes() -> Option<u64> {
    status_bytes("VmHWM:")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_summary_has_its_own_keys_and_those_of_the_head() {
        let claim = Claim::ended(Some("--limit")).leaving_out("more");
        let head = Head::new("paths", "a.B", &claim, 1.5)
            .explored(7, "paths")
            .tests(Some(2))
            .solver(Solver {
                queries: 3,
                ..Solver::default()
            });
        let head = Head {
            files: names(&[PathBuf::from("x/ATest.java")]),
            ..head
        };
        let mut summary = head.over(json!({"explored": 9, "own": 1, "solver": {"work": 4}}));
        assert_eq!(
            summary["peak_memory_bytes"].as_u64().is_some(),
            cfg!(target_os = "linux")
        );
        summary["peak_memory_bytes"] = Json::Null;
        let expected = json!({
            "verb": "paths",
            "version": env!("CARGO_PKG_VERSION"),
            "class": "a.B",
            "status": "stopped",
            "without": ["more"],
            "stopped_by": "--limit",
            "seconds": 1.5,
            "explored": 7,
            "explored_unit": "paths",
            "solver": {"queries": 3, "unknown": 0, "seconds": null, "work": 4},
            "peak_memory_bytes": null,
            "tests": 2,
            "files": ["x/ATest.java"],
            "own": 1,
        });
        assert_eq!(summary, expected);
    }
}
