//! `heapwright status`: how far a job is.

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use crate::exit;
use crate::files::{counted, grouped, print};
use crate::job::{Claims, Forest, Job, PartId, RoundState, Step};
use crate::options::OutputArgs;
use crate::report::claim::Claim;
use crate::report::summary::Head;

/// Options of `status`.
#[derive(Args, Debug)]
pub struct StatusArgs {
    /// Folder of the job, or its URL in an object store
    #[arg(value_name = "DIR")]
    pub job: String,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Most results that are read for the pace of the search.
const MOST_READ: usize = 64;

/// State of a job.
pub struct State {
    /// Parts with a result that counts.
    pub done: usize,
    /// Parts without a result.
    pub open: Vec<PartId>,
    /// Workers of the latter, by part.
    pub running: Vec<(PartId, Vec<String>)>,
    /// Parts that failed so often that no worker takes them, each with the last reason.
    pub failed: Vec<(PartId, String)>,
    /// Instructions that the results took.
    pub steps: u64,
    /// Estimate of the instructions that are left.
    pub steps_left: u64,
    /// Instructions that an engine runs in a second, if that is known.
    pub pace: Option<f64>,
    /// Round or stage of a search in such steps, and the structures found before it.
    pub step: Option<(u32, u64)>,
}

/// What parts have taken and will take, in instructions.
#[derive(Default)]
struct Outlook {
    /// Estimates of the parts that were begun.
    expected: u64,
    /// Instructions that these have taken.
    taken: u64,
    /// Estimates of what is left of them.
    left: u64,
    /// Estimates of the parts that were not begun.
    waiting: u64,
}

impl Outlook {
    /// Estimate of what is left. Parts that were not begun are expected to be as much larger than
    /// their estimates as those begun have proved to be: walks through uneven trees find too little.
    fn steps_left(&self) -> u64 {
        let known = self.taken.saturating_add(self.left) as f64;
        let factor = match self.expected {
            0 => 1.0,
            expected => (known / expected as f64).max(1.0),
        };
        self.left
            .saturating_add((self.waiting as f64 * factor) as u64)
    }
}

impl State {
    /// Reads the state of a job.
    ///
    /// # Errors
    /// Its folder cannot be read.
    pub fn read(job: &Job) -> anyhow::Result<State> {
        if job.plan.rounds.is_some() {
            return State::of_rounds(job);
        }
        let forest = job.forest()?;
        let claims = Claims::read(job)?;
        let resolved = forest.resolve_all();
        let mut outlook = Outlook::default();
        for root in forest.roots() {
            let below = forest.resolve(root.clone());
            let mut open = 0;
            for part in &below.open {
                open += job.part(part, &forest)?.steps;
            }
            match below.results.is_empty() {
                true => outlook.waiting += open,
                false => {
                    outlook.left += open;
                    outlook.taken += below.steps;
                    outlook.expected += job.part(&root, &forest)?.steps;
                }
            }
        }
        let (mut read, mut seconds) = (0, 0.0);
        // Small parts tell more of starts than of the pace.
        for name in resolved.largest(MOST_READ) {
            let footer = job.footer(name)?;
            read += footer.steps;
            seconds += footer.seconds;
        }
        let open = resolved.open.iter();
        let workers = |part: &PartId| Some((part.clone(), claims.running.get(part)?.clone()));
        let step = match job.plan.is_staged {
            true => State::stages(job, &forest)?,
            false => None,
        };
        Ok(State {
            done: resolved.results.len(),
            failed: claims.failed_of(job, &resolved.open)?,
            running: open.filter_map(workers).collect(),
            steps_left: outlook.steps_left(),
            steps: resolved.steps,
            pace: (seconds > 0.0).then(|| read as f64 / seconds),
            step,
            open: resolved.open,
        })
    }

    /// Number of the last stage that has a tree, and the structures found before what is left.
    fn stages(job: &Job, forest: &Forest) -> anyhow::Result<Option<(u32, u64)>> {
        let stages = forest.resolve_stages();
        let made = stages.iter().filter_map(|stage| stage.results.first());
        let Some(last) = made.clone().next_back() else {
            return Ok(None);
        };
        let trees = match Forest::has_ended(&stages) {
            true => made.count() - 1,
            false => made.count(),
        };
        Ok(Some((trees as u32, job.stage(last)?.found)))
    }

    /// Reads the state of a search in rounds. Its tasks are parts; those of later rounds and phases
    /// are not known yet, and steps are calls.
    fn of_rounds(job: &Job) -> anyhow::Result<State> {
        let mut rounds = RoundState::new(job, false)?;
        let open = match rounds.advance(job)? {
            Step::Tasks(open) => open,
            Step::Ended(_) => Vec::new(),
        };
        let open: Vec<PartId> = open.into_iter().map(PartId::Task).collect();
        let (history, tasks) = (&rounds.history, rounds.current.as_ref());
        let of_phase = tasks.map_or(0, |current| current.tasks - open.len() as u64);
        let claims = Claims::read(job)?;
        let failed = claims.failed_of(job, &open)?;
        let workers = |part: &PartId| Some((part.clone(), claims.running.get(part)?.clone()));
        Ok(State {
            done: (history.tasks + of_phase) as usize,
            failed,
            running: open.iter().filter_map(workers).collect(),
            steps_left: 0,
            steps: history.tally.explored,
            pace: None,
            step: Some((history.round, history.structures())),
            open,
        })
    }

    /// Number of engines that search.
    fn engines(&self) -> usize {
        self.running.iter().map(|(_, workers)| workers.len()).sum()
    }

    /// Estimate of the time that the engines now at work need for what is left.
    fn time_left(&self) -> Option<Duration> {
        let engines = self.engines();
        let pace = self.pace.filter(|&pace| pace > 0.0 && engines > 0)?;
        let seconds = self.steps_left as f64 / pace / engines as f64;
        Duration::try_from_secs_f64(seconds).ok()
    }
}

/// State of a job.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct JobSummary {
    /// Verb of the job.
    search: String,
    /// Parts that were planned.
    planned: usize,
    /// Results that count, some of parts of parts.
    done: usize,
    /// Parts without a result.
    open: usize,
    /// Those of the latter that workers search.
    running: Vec<RunningPart>,
    /// Those that failed so often that no worker takes them by itself.
    failed: Vec<FailedPart>,
    /// Round of a search in rounds; its parts are tasks, of which those of later phases are not known
    /// yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<u32>,
    /// Stage of a search in stages; the parts of later ones are not known yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    stage: Option<u32>,
    /// Structures that were found in the rounds or stages before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    structures: Option<u64>,
    /// Estimate of the instructions that are left.
    instructions_left: u64,
    /// Estimate of the time that the engines now at work need for what is left; null if there are
    /// none, or nothing is known yet.
    seconds_left: Option<f64>,
}

/// Part that workers search.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct RunningPart {
    /// Identity of the part.
    part: String,
    /// Names of the workers.
    workers: Vec<String>,
}

/// Part that failed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct FailedPart {
    /// Identity of the part.
    part: String,
    /// Worker, and reason.
    reason: String,
}

impl JobSummary {
    /// Summary of a state.
    pub fn of(job: &Job, state: &State) -> JobSummary {
        let running = state.running.iter().map(|(part, workers)| RunningPart {
            part: part.to_string(),
            workers: workers.clone(),
        });
        let failed = state.failed.iter().map(|(part, reason)| FailedPart {
            part: part.to_string(),
            reason: reason.clone(),
        });
        let number = state.step.map(|(number, _)| number);
        JobSummary {
            search: job.plan.verb.clone(),
            planned: job.plan.parts.len(),
            done: state.done,
            open: state.open.len(),
            running: running.collect(),
            failed: failed.collect(),
            round: number.filter(|_| job.plan.rounds.is_some()),
            stage: number.filter(|_| job.plan.is_staged),
            structures: state.step.map(|(_, structures)| structures),
            instructions_left: state.steps_left,
            seconds_left: state.time_left().map(|time| time.as_secs_f64()),
        }
    }
}

/// Unit of what the results of a job took.
pub fn unit(job: &Job) -> &'static str {
    match job.plan.rounds {
        Some(_) => "sequences",
        None => "instructions",
    }
}

/// Reports the state of a job.
///
/// # Errors
/// There is no such job, or its folder cannot be read.
pub fn run(arguments: &StatusArgs) -> anyhow::Result<ExitCode> {
    let job = Job::open(&arguments.job)?;
    let state = State::read(&job)?;
    let code = match state.open.is_empty() {
        true => exit::ExitCode::Done,
        false => exit::ExitCode::Partial,
    };
    if arguments.output.json {
        let claim = Claim::ended(None);
        let claim = match state.open.is_empty() {
            true => claim,
            false => claim.with_gap("parts that are left"),
        };
        let head = Head::new(&job.plan.class, &claim, 0.0);
        let head = head.explored(state.steps, unit(&job));
        head.with(JobSummary::of(&job, &state)).print("status")?;
        return Ok(code.into());
    }
    let mut text = format!(
        "{} of {}: {} done, {} running, {} failed, {} waiting\n",
        job.plan.verb,
        job.plan.class,
        counted(state.done as u64, "part"),
        state.running.len(),
        state.failed.len(),
        state
            .open
            .len()
            .saturating_sub(state.running.len() + state.failed.len()),
    );
    for (part, reason) in &state.failed {
        text.push_str(&format!("part {part} failed: {reason}\n"));
    }
    for (part, workers) in &state.running {
        text.push_str(&format!("part {part}: {}\n", workers.join(", ")));
    }
    if let Some((number, structures)) = state.step {
        let word = if job.plan.is_staged { "stage" } else { "round" };
        let step = match state.open.is_empty() {
            true => format!("{} in all", counted(u64::from(number), word)),
            false => format!("in {word} {number}"),
        };
        let structures = counted(structures, "structure");
        text.push_str(&format!("{structures}, {step}\n"));
    }
    if job.plan.rounds.is_none() && !state.open.is_empty() {
        let of = if job.plan.is_staged {
            " of this stage"
        } else {
            ""
        };
        let left = grouped(state.steps_left);
        let time = state.time_left().map_or_else(String::new, |time| {
            let time = Duration::from_secs(time.as_secs());
            let engines = counted(state.engines() as u64, "engine");
            format!(", about {} for {engines}", humantime::format_duration(time))
        });
        text.push_str(&format!("about {left} instructions{of} left{time}\n"));
    }
    print(&text)?;
    Ok(code.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_were_not_begun_are_as_much_larger_as_others_have_proved_to_be() {
        let planned = Outlook {
            waiting: 50,
            ..Outlook::default()
        };
        assert_eq!(planned.steps_left(), 50);
        let uneven = Outlook {
            expected: 10,
            taken: 980,
            left: 20,
            waiting: 50,
        };
        assert_eq!(uneven.steps_left(), 20 + 100 * 50);
        // Estimates that were too large say nothing of the others.
        let small = Outlook {
            expected: 1_000,
            taken: 10,
            left: 0,
            waiting: 50,
        };
        assert_eq!(small.steps_left(), 50);
    }
}
