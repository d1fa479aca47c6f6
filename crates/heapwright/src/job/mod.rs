//! Jobs: one search on several machines, by way of a folder or an object store that all of them
//! reach.
//!
//! `job.json` is the plan: the options, the class path's files and the parts of the search's tree.
//! Workers search parts for a limited time each. A result has what was found and what is left of the
//! part, as new parts. Hence a result is a checkpoint, too, and a large part divides itself.
//!
//! **Invariant:** a result is never changed, and each one of a part is right: whichever are chosen,
//! the results of all parts, in the order of the tree, are those of one run. So two workers on one
//! part do no harm, and claims only keep them from it.

mod claims;
mod classes;
mod find;
mod forest;
mod merged;
#[cfg(feature = "network")]
mod remote;
#[cfg(not(feature = "network"))]
#[path = "no_remote.rs"]
mod remote;
mod result;
mod rounds;
mod search;
mod stages;
mod store;
mod worker;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use heapwright_explore::{Part, Span};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::cli::Cli;
use crate::{settings, solver};

pub use claims::Claims;
pub use classes::{CopiedEntry, LocalClasses};
pub use forest::{Forest, PartId};
pub use merged::Merged;
pub use result::{PartFooter, ResultWriter};
pub use rounds::{PlannedRounds, RoundState, Step, restore};
pub use search::{
    JobSearch, LocalSearch, Slice, check_identity, check_same, even_parts, number_of, open, plan,
};
use stages::StageCache;
pub use stages::{Stage, StagedSearch};
pub use store::is_url;
pub use store::{Store, StoreKind};
pub use worker::{Work, work};

/// Name of the plan.
const PLAN: &str = "job.json";
/// Format of plans and results.
const FORMAT: u32 = 2;
/// Instructions of the trials by which a job is planned, at least, and for each part: about a second,
/// and one for some 800 parts.
const EFFORT: u64 = 400_000_000;
const EFFORT_OF_PART: u64 = 500_000;

/// Plan of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Format of the plan and of results.
    pub format: u32,
    /// Version of the program that made it, which workers must have.
    pub version: String,
    /// Version of the JDK, which workers must have.
    pub jdk: String,
    /// Solver, which workers must have.
    pub solver: PlannedSolver,
    /// Verb of the search.
    pub verb: String,
    /// Binary name of the class under test.
    pub class: String,
    /// Command line, with the options of settings file and build.
    pub words: Vec<String>,
    /// Settings file.
    pub settings: Option<String>,
    /// Files of the class path.
    pub class_path: Vec<CopiedEntry>,
    /// Files that only tests need.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub test_class_path: Vec<CopiedEntry>,
    /// Classes, each of which is a part, if the search is one for tests of classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<PlannedClasses>,
    /// Identity of the search: bounds, classes, options.
    pub search: String,
    /// Parts of the tree; those of a search in rounds or in stages have no prefixes.
    pub parts: Vec<PlannedPart>,
    /// Whether the search is one in stages.
    #[serde(default, skip_serializing_if = "is_not")]
    pub is_staged: bool,
    /// What workers agree on, if the search is one in rounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<PlannedRounds>,
}

fn is_not(is_set: &bool) -> bool {
    !is_set
}

/// Solver of a search: another version, or none, may decide less.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlannedSolver {
    /// The search uses none.
    Unused,
    /// The search would use one, and there was none.
    Missing,
    /// Z3 of this version.
    Z3(String),
}

impl PlannedSolver {
    /// Solver of this machine, for a search that uses one.
    ///
    /// # Errors
    /// The file that `HEAPWRIGHT_Z3` names cannot be used.
    fn of_machine() -> anyhow::Result<PlannedSolver> {
        Ok(solver::version()?.map_or(PlannedSolver::Missing, PlannedSolver::Z3))
    }
}

impl fmt::Display for PlannedSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlannedSolver::Unused | PlannedSolver::Missing => write!(f, "no Z3"),
            PlannedSolver::Z3(version) => write!(f, "Z3 {version}"),
        }
    }
}

/// Classes of a job that each are a part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedClasses {
    /// Binary names.
    pub names: Vec<String>,
    /// Number of classes that were asked for and have not changed.
    pub not_changed: usize,
}

impl Plan {
    /// Word for the steps of a search that goes from step to step, each of which is divided anew.
    pub fn steps(&self) -> Option<&'static str> {
        match self.rounds {
            Some(_) => Some("rounds"),
            None => self.is_staged.then_some("stages"),
        }
    }
}

/// Part of the tree of a plan or of a result's rest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedPart {
    /// Prefixes of choices.
    pub spans: Vec<String>,
    /// Estimate of the work of its search, in instructions.
    pub steps: u64,
}

impl PlannedPart {
    /// Part that a search has planned.
    pub fn of(part: &Part) -> PlannedPart {
        PlannedPart {
            spans: part.spans.iter().map(Span::to_string).collect(),
            steps: part.steps,
        }
    }

    /// The prefixes.
    ///
    /// # Errors
    /// One is none.
    pub fn spans(&self) -> anyhow::Result<Vec<Span>> {
        let spans = self.spans.iter().map(|span| {
            let read = span.parse::<Span>();
            read.with_context(|| format!("{span:?} names no part of a search"))
        });
        spans.collect()
    }
}

/// Job with its storage and its plan.
pub struct Job {
    /// Storage of the job.
    pub store: Arc<Store>,
    /// Plan of the job.
    pub plan: Plan,
    /// Digest of the plan.
    pub id: String,
    /// Stages that were read.
    stages: StageCache,
}

impl Job {
    /// Opens a job that was planned.
    ///
    /// # Errors
    /// There is none, or another version of the program has planned it.
    pub fn open(place: &str) -> anyhow::Result<Job> {
        let store = Store::open(place, false)?;
        let Some(text) = store.get(PLAN)? else {
            bail!(
                "{place} holds no job, as {PLAN} is missing: a search with --job {place} --parts N plans one"
            );
        };
        let damaged = || format!("{place}/{PLAN} is damaged: plan the job again");
        let json: serde_json::Value = serde_json::from_slice(&text).with_context(damaged)?;
        let version = env!("CARGO_PKG_VERSION");
        let by = json["version"].as_str().unwrap_or("another version");
        ensure!(
            json["format"] == FORMAT && by == version,
            "heapwright {by} has planned the job in {place}: this is {version}, whose results may \
             differ; use the version of the plan, or plan the job again"
        );
        let plan = serde_json::from_value(json).with_context(damaged)?;
        let id = digest(&text);
        Ok(Job {
            store: Arc::new(store),
            plan,
            id,
            stages: StageCache::default(),
        })
    }

    /// What workers of a search in rounds agree on.
    ///
    /// # Errors
    /// The search is none in rounds.
    fn rounds(&self) -> anyhow::Result<&PlannedRounds> {
        let place = self.store.place();
        let rounds = self.plan.rounds.as_ref();
        rounds.with_context(|| format!("{place} holds a job of no search in rounds"))
    }

    /// Writes the plan of a new job.
    ///
    /// # Errors
    /// The storage does not take it.
    fn create(store: Arc<Store>, plan: Plan) -> anyhow::Result<Job> {
        let mut text = serde_json::to_vec_pretty(&plan)?;
        text.push(b'\n');
        let id = digest(&text);
        store.put(PLAN, text)?;
        Ok(Job {
            store,
            plan,
            id,
            stages: StageCache::default(),
        })
    }

    /// State of the parts.
    ///
    /// # Errors
    /// The storage does not list the results.
    pub fn forest(&self) -> anyhow::Result<Forest> {
        Forest::read(self)
    }

    /// Stage of the result with this name.
    ///
    /// # Errors
    /// It cannot be read, is damaged, or is of another job.
    pub fn stage(&self, name: &str) -> anyhow::Result<Arc<Stage>> {
        stages::read(self, name)
    }

    /// Stage after the last tree of a search that has ended.
    ///
    /// # Errors
    /// The search has not ended, or the stage cannot be read.
    pub fn last_stage(&self) -> anyhow::Result<Arc<Stage>> {
        let last = self.forest()?.resolve_stages().pop().unwrap_or_default();
        last.check_complete(self.store.place())?;
        let own = last.results.first();
        self.stage(own.context("a search has stages")?)
    }

    /// Whether a part has a result by now.
    ///
    /// # Errors
    /// The storage does not list the results of the part.
    pub fn has_result(&self, part: &PartId) -> anyhow::Result<bool> {
        Ok(Forest::read_part(self, part)?.has_result(part))
    }

    /// Planned part with this identity.
    ///
    /// # Errors
    /// Its parent's result cannot be read, or names no such part.
    pub fn part(&self, part: &PartId, forest: &Forest) -> anyhow::Result<PlannedPart> {
        let missing = || format!("there is no part {part} of the job");
        match part {
            PartId::Planned(number) => {
                let planned = self.plan.parts.get(number - 1);
                planned.cloned().with_context(missing)
            }
            PartId::Left(of, number) => {
                let name = forest.name_of(of).with_context(missing)?;
                let footer = result::read_footer(self, name)?;
                footer.left.get(*number).cloned().with_context(missing)
            }
            // How much work its tree is, nobody knows.
            PartId::Stage(_) => Ok(PlannedPart::default()),
            PartId::Task(_) => None.with_context(missing),
        }
    }

    /// Last line of a result.
    ///
    /// # Errors
    /// The result cannot be read, or is damaged.
    pub fn footer(&self, name: &str) -> anyhow::Result<PartFooter> {
        result::read_footer(self, name)
    }

    /// Command line of the search, with the classes of the job.
    ///
    /// # Errors
    /// The options are none of this version.
    pub fn command_line(
        &self,
        local: Option<&LocalClasses>,
        jdk: Option<&PathBuf>,
    ) -> anyhow::Result<Cli> {
        let settings = self.plan.settings.as_deref();
        let mut cli = settings::restore(&self.plan.words, settings)?;
        let Some(class_path) = cli.verb.class_path_mut() else {
            bail!("{} holds a job of no search", self.store.place());
        };
        let texts = |paths: &[PathBuf]| {
            let texts = paths.iter().map(|path| path.to_string_lossy().into_owned());
            texts.collect()
        };
        class_path.class_path = local.map_or_else(Vec::new, |local| texts(&local.paths));
        class_path.project.own_classes.clear();
        class_path.jdk = jdk.cloned();
        if let Some(junit) = cli.verb.junit_mut() {
            junit.test_class_path = local.map_or_else(Vec::new, |local| texts(&local.test_paths));
        }
        if let (Some(sequences), Some(planned)) = (cli.verb.sequences_mut(), &self.plan.classes) {
            sequences.classes.clone_from(&planned.names);
        }
        Ok(cli)
    }
}

/// Digest of content: the first 16 hexadecimal digits of its SHA-256.
pub fn digest(content: &[u8]) -> String {
    let mut text = sha256(content);
    text.truncate(16);
    text
}

/// SHA-256 of content in hexadecimal digits.
fn sha256(content: &[u8]) -> String {
    let hash = Sha256::digest(content);
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}
