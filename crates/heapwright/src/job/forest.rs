//! The parts of a job: those planned, and those that results leave.
//!
//! The name of a result tells of it, so that a listing suffices to know how far a job is.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use anyhow::bail;

use super::rounds::TaskId;
use super::{Job, StoreKind, digest};

/// Folder of results: `results/PART/DIGEST-LEFT-STEPS-BYTES`.
pub const RESULTS: &str = "results";

/// Start of the identity of a stage.
const STAGE: &str = "stage-";

/// Identity of a part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PartId {
    /// Part of the plan, from 1.
    Planned(usize),
    /// Part, from 0, that the result with this digest leaves.
    Left(String, usize),
    /// Task of a search in rounds.
    Task(TaskId),
    /// Stage that is made of the results of the parts before it.
    Stage(usize),
}

impl fmt::Display for PartId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartId::Planned(number) => write!(f, "{number}"),
            PartId::Left(of, number) => write!(f, "{of}.{number}"),
            PartId::Task(task) => task.fmt(f),
            PartId::Stage(number) => write!(f, "{STAGE}{number}"),
        }
    }
}

impl FromStr for PartId {
    type Err = ();

    fn from_str(text: &str) -> Result<PartId, ()> {
        if let Some(number) = text.strip_prefix(STAGE) {
            return number.parse().map(PartId::Stage).map_err(|_| ());
        }
        match text.split_once('.') {
            None => match text.parse() {
                Ok(number) => Ok(PartId::Planned(number)),
                Err(_) => text.parse().map(PartId::Task),
            },
            Some((of, number)) => {
                let number = number.parse().map_err(|_| ())?;
                Ok(PartId::Left(of.to_owned(), number))
            }
        }
    }
}

/// Result in a listing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ListedResult {
    digest: String,
    /// Number of parts that it leaves.
    left: usize,
    /// Instructions that it took.
    steps: u64,
    /// Bytes of the object.
    bytes: u64,
    /// Name of the object.
    name: String,
}

/// Results that are chosen, and the parts that have none.
#[derive(Clone, Debug, Default)]
pub struct Resolved {
    /// Names of the results, one of each part that has some.
    pub results: Vec<String>,
    /// Instructions that they took.
    pub steps: u64,
    /// Parts without a result.
    pub open: Vec<PartId>,
}

impl Resolved {
    /// Checks that all parts have results.
    ///
    /// # Errors
    /// A part has none.
    pub fn check_complete(&self, place: &str) -> anyhow::Result<()> {
        let Some(first) = self.open.first() else {
            return Ok(());
        };
        let (count, all) = (self.open.len(), self.open.len() + self.results.len());
        match first {
            PartId::Stage(_) => {
                bail!("the search is in the midst of its stages: `heapwright work {place}` goes on")
            }
            first => bail!(
                "{count} of {all} parts have no result, the first is part {first}: \
                 `heapwright work {place}` searches them"
            ),
        }
    }

    /// Names of up to `count` results, those first that took the most instructions.
    pub fn largest(&self, count: usize) -> Vec<&str> {
        let steps = |name: &&str| Reverse(listed(name).map(|(_, result)| result.steps));
        let mut names: Vec<&str> = self.results.iter().map(String::as_str).collect();
        names.sort_by_cached_key(steps);
        names.truncate(count);
        names
    }

    fn add(&mut self, other: Resolved) {
        self.results.extend(other.results);
        self.steps += other.steps;
        self.open.extend(other.open);
    }
}

/// Parts of a job and their results.
#[derive(Default)]
pub struct Forest {
    planned: usize,
    /// Whether the search is one in stages, of which each leaves parts.
    is_staged: bool,
    results: BTreeMap<PartId, Vec<ListedResult>>,
}

impl Forest {
    /// Reads the names of the results.
    ///
    /// # Errors
    /// The storage does not list them.
    pub fn read(job: &Job) -> anyhow::Result<Forest> {
        Forest::read_below(job, RESULTS)
    }

    /// Reads the names of the results of a part alone.
    ///
    /// # Errors
    /// The storage does not list them.
    pub fn read_part(job: &Job, part: &PartId) -> anyhow::Result<Forest> {
        Forest::read_below(job, &format!("{RESULTS}/{part}"))
    }

    fn read_below(job: &Job, folder: &str) -> anyhow::Result<Forest> {
        let mut all = job.store.list(folder)?;
        if job.store.kind() == StoreKind::WebDav {
            // A shorter one is being uploaded, or its worker was killed meanwhile.
            all.retain(|one| listed(&one.name).is_none_or(|(_, stated)| one.size >= stated.bytes));
        }
        let names = all.into_iter().map(|one| one.name);
        Ok(Forest {
            is_staged: job.plan.is_staged,
            ..Forest::of(job.plan.parts.len(), names)
        })
    }

    /// Forest of a plan with so many parts. Names that are no results are ignored.
    fn of(planned: usize, names: impl IntoIterator<Item = String>) -> Forest {
        let mut results: BTreeMap<PartId, Vec<ListedResult>> = BTreeMap::new();
        for name in names {
            if let Some((part, result)) = listed(&name) {
                results.entry(part).or_default().push(result);
            }
        }
        for alternatives in results.values_mut() {
            alternatives.sort();
        }
        Forest {
            planned,
            is_staged: false,
            results,
        }
    }

    /// Name of the stage that has left a part; none if it was planned.
    pub fn stage_of(&self, part: &PartId) -> Option<&str> {
        let mut part = part.clone();
        while let PartId::Left(of, _) = part {
            let name = self.name_of(&of)?;
            part = listed(name)?.0;
            if let PartId::Stage(_) = part {
                return Some(name);
            }
        }
        None
    }

    /// The planned parts.
    pub fn planned(&self) -> impl Iterator<Item = PartId> {
        (1..=self.planned).map(PartId::Planned)
    }

    /// Chooses results of a part and of those that they leave, so that the fewest parts are open.
    pub fn resolve(&self, part: PartId) -> Resolved {
        let mut resolved = Resolved::default();
        let mut waiting = vec![part];
        while let Some(part) = waiting.pop() {
            match self.results.get(&part).map_or(&[][..], Vec::as_slice) {
                [] => resolved.open.push(part),
                [one] => {
                    resolved.results.push(one.name.clone());
                    resolved.steps += one.steps;
                    waiting.extend(one.parts().rev());
                }
                several => {
                    let alternatives = several.iter().map(|one| {
                        let mut whole = Resolved {
                            results: vec![one.name.clone()],
                            steps: one.steps,
                            open: Vec::new(),
                        };
                        for part in one.parts() {
                            whole.add(self.resolve(part));
                        }
                        whole
                    });
                    let best = alternatives.min_by_key(|whole| whole.open.len());
                    resolved.add(best.unwrap_or_default());
                }
            }
        }
        resolved
    }

    /// Chooses results of all parts.
    pub fn resolve_all(&self) -> Resolved {
        let mut all = Resolved::default();
        if self.is_staged {
            for stage in self.resolve_stages() {
                all.add(stage);
            }
            return all;
        }
        for part in self.planned() {
            all.add(self.resolve(part));
        }
        all
    }

    /// Chooses results of each stage, of which the first is that of the stage itself, and of its parts:
    /// up to the last stage, or the first that is open.
    pub fn resolve_stages(&self) -> Vec<Resolved> {
        let mut stages = Vec::new();
        loop {
            let stage = self.resolve(PartId::Stage(stages.len()));
            let is_open = !stage.open.is_empty();
            stages.push(stage);
            if is_open || Forest::has_ended(&stages) {
                return stages;
            }
        }
    }

    /// Parts of the tree under way, from which all others come: those planned, or those of the last
    /// stage.
    pub fn roots(&self) -> Vec<PartId> {
        if !self.is_staged {
            return self.planned().collect();
        }
        let stages = self.resolve_stages();
        let last = stages.last().and_then(|stage| stage.results.first());
        let last = last.and_then(|name| listed(name));
        last.map_or_else(Vec::new, |(_, stage)| stage.parts().collect())
    }

    /// Whether the last of these stages is behind the last tree.
    pub fn has_ended(stages: &[Resolved]) -> bool {
        let is_end = |stage: &Resolved| stage.open.is_empty() && stage.results.len() == 1;
        stages.last().is_some_and(is_end)
    }

    /// Whether a part has a result.
    pub fn has_result(&self, part: &PartId) -> bool {
        self.results.contains_key(part)
    }

    /// Name of the result with a digest.
    pub fn name_of(&self, digest: &str) -> Option<&str> {
        let mut results = self.results.values().flatten();
        let found = results.find(|result| result.digest == digest);
        found.map(|result| result.name.as_str())
    }
}

impl ListedResult {
    /// Parts that the result leaves.
    fn parts(&self) -> impl DoubleEndedIterator<Item = PartId> {
        let left = 0..self.left;
        left.map(|number| PartId::Left(self.digest.clone(), number))
    }
}

/// Name of a result that leaves so many parts and took so many instructions.
pub fn name(part: &PartId, content: &[u8], left: usize, steps: u64) -> String {
    let (digest, bytes) = (digest(content), content.len());
    format!("{RESULTS}/{part}/{digest}-{left}-{steps}-{bytes}")
}

/// Part and result that a name denotes.
fn listed(name: &str) -> Option<(PartId, ListedResult)> {
    let rest = name.strip_prefix(RESULTS)?.strip_prefix('/')?;
    let (part, result) = rest.split_once('/')?;
    let (digest, counts) = result.split_once('-')?;
    let (left, counts) = counts.split_once('-')?;
    let (steps, bytes) = counts.split_once('-')?;
    let result = ListedResult {
        digest: digest.to_owned(),
        left: left.parse().ok()?,
        steps: steps.parse().ok()?,
        bytes: bytes.parse().ok()?,
        name: name.to_owned(),
    };
    Some((part.parse().ok()?, result))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forest(names: &[&str]) -> Forest {
        Forest::of(2, names.iter().map(|name| format!("results/{name}")))
    }

    fn shown(resolved: &Resolved) -> (Vec<&str>, Vec<String>) {
        let results = resolved.results.iter();
        let open = resolved.open.iter().map(PartId::to_string).collect();
        (
            results.map(|name| &name["results/".len()..]).collect(),
            open,
        )
    }

    #[test]
    fn parts_that_results_leave_are_open() {
        let none = forest(&[]).resolve_all();
        assert_eq!(shown(&none), (vec![], vec!["1".into(), "2".into()]));
        let some = forest(&["1/a-2-7-9", "a.1/b-0-7-9", "2/c-0-7-9", "odd"]).resolve_all();
        assert_eq!(
            shown(&some),
            (
                vec!["1/a-2-7-9", "a.1/b-0-7-9", "2/c-0-7-9"],
                vec!["a.0".into()]
            )
        );
    }

    #[test]
    fn of_two_results_of_a_part_that_with_less_left_is_chosen() {
        let all = forest(&[
            "1/a-1-7-9",
            "1/b-2-5-9",
            "b.0/c-0-9-9",
            "b.1/d-0-6-9",
            "2/e-0-8-9",
        ]);
        let all = all.resolve_all();
        assert_eq!(all.steps, 28);
        assert_eq!(all.largest(2), ["results/b.0/c-0-9-9", "results/2/e-0-8-9"]);
        assert_eq!(
            shown(&all),
            (
                vec!["1/b-2-5-9", "b.0/c-0-9-9", "b.1/d-0-6-9", "2/e-0-8-9"],
                vec![]
            )
        );
    }
}
