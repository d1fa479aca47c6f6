//! Several classes, each explored independently, in parallel.
//!
//! Invariant: reports come in the order of the classes, whatever the number of workers.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

use anyhow::anyhow;

use super::args::SequencesArgs;
use super::report::ClassReport;
use super::summary::{ClassFault, SequencesOfClasses, Totals};
use super::{SequencesJob, TestCompletion, write_lines, write_reports};
use crate::exit;
use crate::fault::{self, Fault};
use crate::files::{counted, grouped, print, remove_temporary};
use crate::interrupt::StopSignal;
use crate::messages;
use crate::progress::{ProgressLines, ProgressText, at_rate};
use crate::report::claim::Claim;
use crate::report::summary::{Head, Solver, Status};

/// Interval between two checks of the running classes.
pub const PATIENCE: Duration = Duration::from_millis(50);
/// Time that a class may exceed its limit before it is abandoned.
pub const GRACE: Duration = Duration::from_millis(1_500);

/// Explores sequences for each class, and reports on each and on all together. The failure of one
/// class is reported and does not stop the others. `not_changed` is the number of classes that were
/// left out before. In the end the tests of all are completed.
///
/// # Errors
/// The output cannot be written.
pub fn run(
    verb: &'static str,
    job: SequencesJob<'_>,
    (classes, not_changed): (&[String], usize),
    completion: TestCompletion<'_>,
) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let SequencesJob {
        arguments,
        interrupt,
        ..
    } = job;
    let engines = arguments.common.jobs().min(classes.len());
    let next = AtomicUsize::new(0);
    let explored: Vec<AtomicU64> = classes.iter().map(|_| AtomicU64::new(0)).collect();
    let (sender, results) = mpsc::channel();
    let work = |sender: Sender<(usize, WorkerMessage)>| {
        while !interrupt.is_raised()
            && let place = next.fetch_add(1, Ordering::Relaxed)
            && let Some(class) = classes.get(place)
        {
            // What is left of the time goes to the classes that are left, on all engines.
            let share = engines as f64 / (classes.len() - place) as f64;
            let job = SequencesJob {
                share: interrupt.share(share.min(1.0)),
                ..job
            };
            let count = |paths| explored[place].store(paths, Ordering::Relaxed);
            let told = || job.explore(class, &count);
            let is_heard = sender.send((place, WorkerMessage::Begun)).is_ok();
            let told = fault::catch(told).unwrap_or_else(|fault| Err(fault.into()));
            if !is_heard
                || sender
                    .send((place, WorkerMessage::Done(Box::new(told))))
                    .is_err()
            {
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        // Dropping the receiver stops the workers.
        let results = results;
        let begin = || {
            let sender = sender.clone();
            scope.spawn(|| work(sender));
        };
        let mut board = ClassTracker::new(classes.len());
        for _ in 0..engines {
            begin();
        }
        let mut lines = ProgressLines::new(arguments.output.is_none());
        let mut shown = 0;
        loop {
            match results.recv_timeout(PATIENCE) {
                Ok((place, news)) => board.enter(place, news),
                Err(_) if board.is_over(interrupt, next.load(Ordering::Relaxed)) => break,
                Err(_) => (0..board.give_up(job.time_per_class())).for_each(|_| begin()),
            }
            lines.show(|time| board.text(classes, &explored, time));
            while let Some(Some(told)) = board.done.get(shown) {
                lines.clear();
                interrupt.stop_on_error(show(arguments, &classes[shown], told))?;
                shown += 1;
            }
        }
        lines.clear();
        for (class, told) in classes.iter().zip(&board.done).skip(shown) {
            if let Some(told) = told {
                interrupt.stop_on_error(show(arguments, class, told))?;
            }
        }
        let mut told: Vec<&mut ClassReport> = board.told().collect();
        interrupt.stop_on_error(completion.complete(&mut told))?;
        let named = (classes, not_changed);
        let code = finish(verb, arguments, named, &board.done, (start, interrupt))?;
        if board.has_abandoned_workers {
            // Abandoned workers may never stop, so the process is ended.
            remove_temporary();
            std::process::exit(code as i32);
        }
        Ok(code.into())
    })
}

/// Reports on all classes together, of which those that were not done have no result.
///
/// # Errors
/// The output cannot be written.
pub fn finish(
    verb: &'static str,
    arguments: &SequencesArgs,
    (classes, not_changed): (&[String], usize),
    done: &[Option<anyhow::Result<ClassReport>>],
    (start, interrupt): (Instant, &StopSignal),
) -> anyhow::Result<exit::ExitCode> {
    let told: Vec<&ClassReport> = done.iter().flatten().flatten().collect();
    if !arguments.is_junit() && !arguments.common.output.json {
        write_lines(arguments, told.iter().map(|told| &told.lines[..]))?;
    }
    let missing = done.iter().filter(|done| done.is_none()).count();
    let failed = classes.len() - told.len() - missing;
    let is_all = |code: exit::ExitCode| told.iter().all(|told| told.code == Some(code));
    let is_any = |code: exit::ExitCode| told.iter().any(|told| told.code == Some(code));
    let code = match () {
        () if classes.is_empty() => exit::ExitCode::Nothing,
        () if told.is_empty() && missing == 0 => exit::ExitCode::Usage,
        () if is_any(exit::ExitCode::Found) => exit::ExitCode::Found,
        () if missing + failed > 0 || is_any(exit::ExitCode::Partial) => exit::ExitCode::Partial,
        () if is_all(exit::ExitCode::Nothing) => exit::ExitCode::Nothing,
        () => exit::ExitCode::Done,
    };
    let results = || told.iter().filter_map(|told| told.result.as_ref());
    let heads = || results().map(|result| &result.head);
    let own = || results().filter_map(|result| result.own.as_ref());
    let totals: Totals = own().map(|own| own.totals).sum();
    let tests: usize = heads().filter_map(|head| head.tests).sum();
    let stopped = heads().find_map(|head| head.stopped_by.as_deref());
    let stopped = stopped.or((missing > 0).then(|| interrupt.reason().unwrap_or_default()));
    let mut claim = Claim::ended(stopped);
    if heads().any(|head| head.status == Status::Partial) {
        claim = claim.with_gap("parts of some classes");
    }
    if failed > 0 {
        claim = claim.with_gap(format!("classes that failed: {failed}"));
    }
    let status = claim.status().name();
    let parts = told.iter().filter_map(|told| told.part.clone());
    write_reports(verb, arguments, &claim, start.elapsed(), parts)?;
    if arguments.common.output.json {
        let mut cut = BTreeMap::new();
        for (by, &count) in own().flat_map(|own| &own.cut) {
            *cut.entry(by.clone()).or_default() += count;
        }
        let explored = heads()
            .filter_map(|head| head.explored.as_u64())
            .sum::<u64>();
        let solver: Solver = heads().filter_map(|head| head.solver).sum();
        let own = SequencesOfClasses {
            criterion: arguments.criterion.goals(),
            totals,
            branch_coverage: totals.branch_coverage(),
            mutation_score: totals.mutation_score(),
            cut,
            by_class: results().cloned().collect(),
            classes_not_changed: not_changed,
            classes_cached: own().filter(|own| own.cached).count(),
            classes_failed: failed,
            classes_not_begun: missing,
            faults: faults(classes, done),
        };
        Head::of_classes(classes, &claim, start.elapsed().as_secs_f64())
            .explored(explored, "paths")
            .solver(solver)
            .tests(Some(tests))
            .with(own)
            .print(verb)?;
    } else if !arguments.prints() && !classes.is_empty() {
        if is_brief(arguments) {
            print(&worst(classes, done))?;
        }
        let infeasible = match totals.goals_infeasible {
            0 => String::new(),
            infeasible => format!(", {} infeasible", grouped(infeasible)),
        };
        let mut text = format!(
            "{} classes: {} for {} of {} {}{infeasible}, {:.2} s; {status}\n",
            grouped(classes.len() as u64),
            counted(tests as u64, "test"),
            grouped(totals.goals_covered),
            grouped(totals.goals_total),
            arguments.criterion.goals(),
            start.elapsed().as_secs_f64(),
        );
        if missing > 0 {
            let reason = interrupt.reason().unwrap_or_default();
            text +=
                &format!("heapwright: stopped by {reason} before {missing} of them were done\n");
        }
        match arguments.output {
            Some(_) => print(&text)?,
            None => messages::report(&text),
        }
    }
    Ok(code)
}

/// Internal faults, each with the class whose work it ended.
fn faults(classes: &[String], done: &[Option<anyhow::Result<ClassReport>>]) -> Vec<ClassFault> {
    let failed = classes.iter().zip(done).filter_map(|(class, told)| {
        let error = told.as_ref()?.as_ref().err()?;
        let fault = error.downcast_ref::<Fault>()?;
        Some(ClassFault {
            class: class.clone(),
            message: fault.message.clone(),
            place: fault.place.clone(),
        })
    });
    failed.collect()
}

/// Message of a worker about a class.
enum WorkerMessage {
    Begun,
    Done(Box<anyhow::Result<ClassReport>>),
}

/// State of all classes.
struct ClassTracker {
    done: Vec<Option<anyhow::Result<ClassReport>>>,
    /// Running classes with their start times.
    running: BTreeMap<usize, Instant>,
    /// Whether some workers were abandoned.
    has_abandoned_workers: bool,
    /// Time at which the stop of the run was noticed.
    raised: Option<Instant>,
}

impl ClassTracker {
    fn new(classes: usize) -> ClassTracker {
        ClassTracker {
            done: (0..classes).map(|_| None).collect(),
            running: BTreeMap::new(),
            has_abandoned_workers: false,
            raised: None,
        }
    }

    fn enter(&mut self, place: usize, news: WorkerMessage) {
        match news {
            WorkerMessage::Begun => drop(self.running.insert(place, Instant::now())),
            WorkerMessage::Done(told) if self.running.remove(&place).is_some() => {
                self.done[place] = Some(*told);
            }
            // The class was abandoned before.
            WorkerMessage::Done(_) => {}
        }
    }

    /// Reports of the classes that are done.
    fn told(&mut self) -> impl Iterator<Item = &mut ClassReport> {
        let done = self.done.iter_mut().flatten();
        done.filter_map(|told| told.as_mut().ok())
    }

    /// Progress: what is done, and the class that each worker is at.
    fn text(&self, classes: &[String], explored: &[AtomicU64], time: Duration) -> ProgressText {
        let paths = |place: usize| explored[place].load(Ordering::Relaxed);
        let all: u64 = (0..classes.len()).map(paths).sum();
        let done = self.done.iter().filter(|done| done.is_some()).count();
        let workers = self.running.iter().map(|(&place, since)| {
            format!(
                "{}: {} paths, {} s",
                classes[place],
                grouped(paths(place)),
                since.elapsed().as_secs()
            )
        });
        ProgressText {
            summary: format!(
                "{} of {} classes, {}",
                grouped(done as u64),
                grouped(classes.len() as u64),
                at_rate(all, "path", time)
            ),
            workers: workers.collect(),
        }
    }

    /// Abandons classes that exceed their time, with their workers. Returns their number.
    fn give_up(&mut self, time: Option<Duration>) -> usize {
        let Some(most) = time.map(|time| time + GRACE) else {
            return 0;
        };
        let late: Vec<usize> = self
            .running
            .iter()
            .filter(|(_, since)| since.elapsed() > most)
            .map(|(place, _)| *place)
            .collect();
        for place in &late {
            self.running.remove(place);
            self.done[*place] = Some(Err(left_behind()));
            self.has_abandoned_workers = true;
        }
        late.len()
    }

    /// Whether to wait no longer: all classes are done, or the run is to stop and the grace time is
    /// over. Called if there are no messages.
    fn is_over(&mut self, interrupt: &StopSignal, next: usize) -> bool {
        if !interrupt.is_raised() {
            return next >= self.done.len() && self.done.iter().all(Option::is_some);
        }
        let since = self.raised.get_or_insert_with(Instant::now);
        let is_late = since.elapsed() > interrupt.grace_time();
        self.has_abandoned_workers |= is_late && !self.running.is_empty();
        is_late || self.running.is_empty()
    }
}

/// Reason why a class has no result that did not end in its time.
pub fn left_behind() -> anyhow::Error {
    anyhow!("left: it continued past --time-per-class without checking the time")
}

/// Reports on a class.
///
/// # Errors
/// Standard output cannot be written to.
pub fn show(
    arguments: &SequencesArgs,
    class: &str,
    told: &anyhow::Result<ClassReport>,
) -> anyhow::Result<()> {
    match told {
        Err(error) => error!("{class}: {error:#}"),
        // An interface without code is nothing to tell of.
        Ok(told) if is_brief(arguments) && told.code == Some(exit::ExitCode::Nothing) => {
            for notice in &told.notices {
                detail!("{class}: {notice}");
            }
        }
        Ok(told) => {
            for notice in &told.notices {
                notice!("{class}: {notice}");
            }
            let summary = match is_brief(arguments) {
                true => &headline(told),
                false => &told.summary,
            };
            match arguments.output {
                _ if arguments.common.output.json => {}
                Some(_) => print(summary)?,
                None => messages::report(summary),
            }
        }
    }
    Ok(())
}

/// Number of classes of which is told what they lack, and of the lines for each.
const WORST: usize = 5;
const LINES_OF_WORST: usize = 8;

/// Whether a line is told of each class, and more of the worst alone: where files of tests are
/// written, and no details are asked for.
fn is_brief(arguments: &SequencesArgs) -> bool {
    arguments.output.is_some() && !arguments.table && !messages::Verbosity::Details.is_shown()
}

/// Beginning of the lines of a class's table.
const OF_TABLE: &str = "  ";

/// Summary of a class in a line, without its table and what was left out.
fn headline(told: &ClassReport) -> String {
    let is_further = |line: &&str| line.starts_with(OF_TABLE) || line.starts_with("heapwright: ");
    let lines = told.summary.lines().filter(|line| !is_further(line));
    lines.map(|line| format!("{line}\n")).collect()
}

/// What the classes lack that have most goals without a test.
fn worst(classes: &[String], done: &[Option<anyhow::Result<ClassReport>>]) -> String {
    let open = |told: &ClassReport| {
        let totals = told.result.as_ref()?.own.as_ref()?.totals;
        let reached = totals.goals_covered + totals.goals_infeasible;
        totals.goals_total.checked_sub(reached)
    };
    let told = classes.iter().zip(done).filter_map(|(class, told)| {
        let told = told.as_ref()?.as_ref().ok()?;
        Some((open(told)?, class, told))
    });
    let mut open: Vec<(u64, &String, &ClassReport)> = told.filter(|(open, ..)| *open > 0).collect();
    open.sort_by_key(|(open, ..)| std::cmp::Reverse(*open));
    let mut text = String::new();
    for (open, class, told) in open.into_iter().take(WORST) {
        text += &format!("{class}: {} without a test\n", counted(open, "goal"));
        let lines = told
            .summary
            .lines()
            .filter(|line| line.starts_with(OF_TABLE));
        let lines: Vec<&str> = lines.collect();
        for line in lines.iter().take(LINES_OF_WORST) {
            text += &format!("{line}\n");
        }
        if let Some(further @ 1..) = lines.len().checked_sub(LINES_OF_WORST) {
            text += &format!("  and {} (-v)\n", counted(further as u64, "further line"));
        }
    }
    text
}
