//! Runs of the program on a case, and what becomes of its claims.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::case::{Case, Kind};
use super::judge::{Answer, Judge};
use crate::process::run;

/// Verbs that are judged, each with what they are judged on. `lazy` and `korat` are the searches of
/// `enumerate`, `api` is its search by calls, `symbolic` is `run --symbolic`.
pub const VERBS: [(&str, Kind); 12] = [
    ("lazy", Kind::Structures),
    ("korat", Kind::Structures),
    ("check", Kind::Structures),
    ("fields", Kind::Structures),
    ("paths", Kind::Methods),
    ("verify", Kind::Methods),
    ("symbolic", Kind::Methods),
    ("sequences", Kind::Apis),
    ("generate", Kind::Apis),
    ("api", Kind::Builds),
    ("builders", Kind::Builds),
    ("compare", Kind::Builds),
];

/// Time limit of the program, and the time after which it is killed.
const TIME: [&str; 2] = ["--time-limit", "4s"];
const KILL: Duration = Duration::from_secs(30);

/// What became of a verb on a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Claims, as many, of which none was seen to be false.
    Holds(u64),
    /// No claim, and why: refused, stopped, partial.
    Unknown(String),
    /// A claim is false.
    False(FalseAnswer),
    /// The judge has no answer.
    NotJudged,
}

/// Claim that was seen to be false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FalseAnswer {
    /// What kind of claim, in a few words that other cases have in common.
    pub kind: String,
    /// What is claimed and what was seen.
    pub detail: String,
}

impl Fate {
    pub(super) fn wrong(kind: &str, detail: String) -> Fate {
        let kind = kind.to_owned();
        Fate::False(FalseAnswer { kind, detail })
    }

    /// Fate of a verb all of whose claims hold.
    pub(super) fn of_claims(claims: u64, otherwise: &str) -> Fate {
        match claims {
            0 => Fate::Unknown(format!("no claim {otherwise}").trim_end().to_owned()),
            claims => Fate::Holds(claims),
        }
    }

    /// Fate of a verb that said something in place of a summary.
    pub(super) fn of_message(said: String) -> Fate {
        match said.strip_prefix("fault: ") {
            Some(fault) => Fate::wrong("is a fault of the program", fault.to_owned()),
            None => Fate::Unknown(said),
        }
    }
}

/// Compiled case.
pub struct Trial<'a> {
    pub case: &'a Case,
    /// Package, which is the name of the folder, too.
    pub name: &'a str,
    pub folder: PathBuf,
    pub program: &'a Path,
    /// Verbs that are judged; all if there is none.
    pub verbs: &'a [String],
    pub judges: &'a mut [Judge],
}

impl Trial<'_> {
    /// Judges the verbs.
    pub fn judge(mut self) -> Vec<(&'static str, Fate)> {
        let of_kind = VERBS
            .iter()
            .filter(|one| one.1 == self.case.kind)
            .map(|one| one.0);
        let is_wanted =
            |verb: &&str| self.verbs.is_empty() || self.verbs.iter().any(|one| one == verb);
        let verbs: Vec<&'static str> = of_kind.filter(is_wanted).collect();
        let judged = match self.case.kind {
            _ if verbs.is_empty() => None,
            Kind::Structures => self.structures(&verbs),
            Kind::Methods => self.methods(&verbs),
            Kind::Apis => self.apis(&verbs),
            Kind::Builds => self.builds(&verbs),
        };
        let fates = judged.unwrap_or_else(|| vec![Fate::NotJudged; verbs.len()]);
        verbs.into_iter().zip(fates).collect()
    }

    pub(super) fn class(&self) -> String {
        format!("{}.A", self.name)
    }

    /// Runs the program; its summary, or what it said instead.
    pub(super) fn run(&self, verb: &str, arguments: &[&str]) -> Result<Value, Fate> {
        let mut command = Command::new(self.program);
        command.arg(verb).arg("-p").arg(self.folder.join("plain"));
        command
            .args(["-c", &self.class(), "--json"])
            .args(TIME)
            .args(arguments);
        command.current_dir(&self.folder);
        let ended = run(command, KILL, &self.folder.join("run"));
        let said = || ended.errors.lines().next().unwrap_or("nothing").to_owned();
        match ended.status.and_then(|status| status.code()) {
            Some(70) | None => Err(Fate::of_message(format!("fault: {}", said()))),
            Some(_) => serde_json::from_str(&ended.output).map_err(|_| Fate::of_message(said())),
        }
    }

    /// Runs the program; its summary, if it is that of a complete search.
    pub(super) fn complete(&self, verb: &str, arguments: &[&str]) -> Result<Value, Fate> {
        let summary = self.run(verb, arguments)?;
        match summary["status"] == "complete" {
            true => Ok(summary),
            false => Err(Fate::Unknown(summary["status"].to_string())),
        }
    }

    /// Asks a judge; `None` if it has no answer.
    pub(super) fn ask(&mut self, judge: usize, request: &str, argument: &str) -> Option<Answer> {
        let folder = self.folder.to_str()?.to_owned();
        let class = self.class();
        let answer = self.judges[judge].ask(&[request, &folder, &class, argument]);
        let Some(answer) = answer else {
            eprintln!("hunt: {} of {class}: no answer", request);
            return None;
        };
        if let Some(words) = answer.iter().find(|words| words[0] == "error") {
            eprintln!("hunt: {class}: {}", words.join(" "));
        }
        let is_wrong = answer
            .iter()
            .any(|words| ["error", "large"].contains(&words[0].as_str()));
        (!is_wrong).then_some(answer)
    }
}
