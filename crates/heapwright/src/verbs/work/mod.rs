//! `heapwright work`: searches the parts of a job.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use clap::Args;

use crate::exit;
use crate::files::{counted, grouped, print};
use crate::interrupt::StopSignal;
use crate::job::{Job, Work, work};
use crate::options::{OutputArgs, jobs, parse_time};
use crate::report::claim::Claim;
use crate::report::summary::Head;
use crate::verbs::status::{JobSummary, State, unit};

/// Time after a signal in which a worker writes its last results: a storage far away takes some.
const GRACE: Duration = Duration::from_secs(20);

/// Options of `work`.
#[derive(Args, Debug)]
pub struct WorkArgs {
    /// Folder of the job, or its URL in an object store
    #[arg(value_name = "DIR")]
    pub job: String,
    /// Search planned part I, and what is left of it, alone [default: all parts, until nothing is
    /// left]
    #[arg(long, value_name = "I", conflicts_with = "next")]
    pub part: Option<usize>,
    /// Search the next planned part that no worker has begun, and what is left of it
    #[arg(long)]
    pub next: bool,
    /// Search planned part I + 1 first, then whatever is left: for schedulers that number their
    /// workers from 0
    #[arg(long, value_name = "I", conflicts_with_all = ["part", "next"])]
    pub index: Option<usize>,
    /// Write a result, from which other workers can go on, at least this often, as 30s or 2m
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = parse_time)]
    pub checkpoint: Duration,
    /// Stop after this time, as 30m or 6h; what was found is written
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time_limit: Option<Duration>,
    /// Number of engines, each with a part and memory of its own [default: one a core]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// JDK whose library is run, of the same version as that of the plan [default: JAVA_HOME, else
    /// java on the PATH]
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Searches parts of a job.
///
/// # Errors
/// There is no such job, the machine does not suit it, or its folder cannot be used.
pub fn run(arguments: &WorkArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    // A storage that does not answer is no reason to go on beyond the time limit.
    let interrupt = StopSignal::watch_time(arguments.time_limit)?;
    let job = Job::open(&arguments.job)?;
    let count = job.plan.parts.len();
    let steps = job.plan.steps();
    let wanted = match (arguments.part, arguments.next) {
        (Some(number), _) => {
            if let Some(steps) = steps {
                bail!(
                    "--part does not go with the job in {}: it is a search in {steps}, which need one another",
                    arguments.job
                );
            }
            ensure!(
                (1..=count).contains(&number),
                "--part is a number from 1 to {count}: the job in {} has so many parts",
                arguments.job
            );
            Work::Part(number)
        }
        _ if steps.is_some() => Work::All,
        (None, true) => Work::Next,
        (None, false) => match arguments.index {
            Some(index) if index < count => Work::From(index + 1),
            // There are more workers than parts.
            _ => Work::All,
        },
    };
    let cli = job.command_line(None, None)?;
    let Some(class_path) = cli.verb.class_path() else {
        bail!("{} holds a job of no search", arguments.job);
    };
    let engines = jobs(arguments.jobs);
    interrupt.limit_memory(class_path, engines);
    interrupt.set_grace_after_keys(GRACE);
    let pace = (engines, arguments.checkpoint);
    let done = work(&job, &wanted, pace, arguments.jdk.as_ref(), &interrupt)?;
    let state = State::read(&job)?;
    let reason = interrupt.reason().filter(|_| !done.is_done);
    let seconds = start.elapsed().as_secs_f64();
    if arguments.output.json {
        let claim = Claim::ended(reason);
        let claim = match done.is_done {
            true => claim,
            false => claim.with_gap("parts that are left"),
        };
        let head = Head::new(&job.plan.class, &claim, seconds);
        let head = head.explored(done.steps, unit(&job));
        head.with(JobSummary::of(&job, &state)).print("work")?;
    } else {
        let left = match done.is_done {
            true => "nothing is left".to_owned(),
            false if steps.is_some() => "the search goes on".to_owned(),
            false => format!("{} left", counted(state.open.len() as u64, "part")),
        };
        let by = reason.map_or_else(String::new, |reason| format!(", stopped by {reason}"));
        print(&format!(
            "{}: {} written, {} {}, {seconds:.2} s; {left}{by}\n",
            job.plan.class,
            counted(done.results, "result"),
            grouped(done.steps),
            unit(&job)
        ))?;
    }
    // With --next the other parts were not asked for.
    let is_done = done.is_done || wanted == Work::Next && reason.is_none() && !done.has_failures;
    let code = match is_done {
        true => exit::ExitCode::Done,
        false => exit::ExitCode::Partial,
    };
    Ok(code.into())
}
