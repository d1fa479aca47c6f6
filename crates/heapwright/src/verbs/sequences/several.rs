//! Several classes, each explored independently, in parallel.
//!
//! Invariant: reports come in the order of the work, whatever the number of workers.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::time::{Duration, Instant};

use anyhow::anyhow;
use heapwright_jvm::Vm;
use heapwright_jvm::classpath::ClassPath;
use heapwright_techniques::measure::Share;
use heapwright_techniques::sequences::goals_and_branches;

use super::args::SequencesArgs;
use super::new_tests::named;
use super::report::{ClassReport, conclusion, of_branches};
use super::summary::{ClassFault, SequencesOfClasses, Totals};
use super::{SequencesJob, TestCompletion, write_lines, write_reports};
use crate::exit;
use crate::fault::{self, Fault};
use crate::files::{counted, grouped, print, remove_temporary};
use crate::interrupt::{LENIENCE, StopSignal};
use crate::messages;
use crate::progress::{ProgressLines, ProgressText, at_rate};
use crate::report::claim::Claim;
use crate::report::summary::{Head, Solver, Status};

/// Interval between two checks of the running classes.
pub const PATIENCE: Duration = Duration::from_millis(50);
/// Time that a class may exceed its limit, what it has found being tried, before it is abandoned.
pub const GRACE: Duration = LENIENCE.saturating_add(Duration::from_millis(1_500));

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
    let schedule = Schedule::of(classes, arguments)?;
    if arguments.common.time_limit.is_none() {
        schedule.tell(job.time_per_class(), engines);
    }
    let next = AtomicUsize::new(0);
    let explored: Vec<AtomicU64> = classes.iter().map(|_| AtomicU64::new(0)).collect();
    let (sender, results) = mpsc::channel();
    let work = |sender: Sender<(usize, WorkerMessage)>| {
        while !interrupt.is_raised()
            && let turn = next.fetch_add(1, Ordering::Relaxed)
            && let Some(&place) = schedule.order.get(turn)
        {
            let class = &classes[place];
            let share = schedule.share(turn, engines);
            let job = SequencesJob { share, ..job };
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
            while let Some(&place) = schedule.order.get(shown)
                && let Some(told) = &board.done[place]
            {
                lines.clear();
                interrupt.stop_on_error(show(arguments, &classes[place], told))?;
                shown += 1;
            }
        }
        lines.clear();
        for &place in schedule.order.iter().skip(shown) {
            if let Some(told) = &board.done[place] {
                interrupt.stop_on_error(show(arguments, &classes[place], told))?;
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

/// Order of the classes, and how they share the time.
struct Schedule {
    /// Indices of the classes, that with the least code first: what it leaves of its time is for those
    /// with more.
    order: Vec<usize>,
    /// Amounts of work of the class at each turn and those after it.
    ahead: Vec<f64>,
}

impl Schedule {
    /// Reads how much code the classes have, with their members where these are tested with them.
    ///
    /// # Errors
    /// The class path is wrong.
    fn of(classes: &[String], arguments: &SequencesArgs) -> anyhow::Result<Schedule> {
        let config = arguments.common.class_path.config()?;
        let class_path = ClassPath::open(&config.class_path, &[], config.jdk.feature)?;
        let read = |name: &str| {
            let found = class_path.find(name).ok().flatten();
            found.map_or(0, |(bytes, _)| bytes.len())
        };
        let size = |class: &String| {
            let name = class.replace('.', "/");
            let members = match arguments.members {
                true => class_path.names_in(&name[..name.rfind('/').map_or(0, |slash| slash + 1)]),
                false => Vec::new(),
            };
            let inner = format!("{name}$");
            let members = members.iter().filter(|member| member.starts_with(&inner));
            read(&name) + members.map(|member| read(member)).sum::<usize>()
        };
        Ok(Schedule::of_sizes(
            &classes.iter().map(size).collect::<Vec<_>>(),
        ))
    }

    /// Orders classes with files of these sizes, in bytes.
    fn of_sizes(sizes: &[usize]) -> Schedule {
        let mut order: Vec<usize> = (0..sizes.len()).collect();
        order.sort_by_key(|&place| sizes[place]);
        let mut ahead: Vec<f64> = Vec::with_capacity(order.len());
        for &place in order.iter().rev() {
            let after = ahead.last().copied().unwrap_or_default();
            ahead.push(after + (BYTES_OF_ANY + sizes[place]) as f64);
        }
        ahead.reverse();
        Schedule { order, ahead }
    }

    /// Says how long a run without a time limit may take, if that is long.
    fn tell(&self, time_per_class: Option<Duration>, engines: usize) {
        let expected = self.expected(time_per_class, engines);
        if expected >= LONG {
            notice!(
                "{} classes, up to about {}; Ctrl-C keeps what is done",
                grouped(self.order.len() as u64),
                rounded(expected)
            );
        }
    }

    /// Time that the classes may take on this many engines, by how much code they have.
    fn expected(&self, time_per_class: Option<Duration>, engines: usize) -> Duration {
        let ends = self.ahead.iter().skip(1).chain([&0.0]);
        let sizes = self.ahead.iter().zip(ends).map(|(from, to)| from - to);
        let times = sizes.map(|size| Duration::from_secs_f64(size * SECONDS_A_BYTE));
        let times = times.map(|time| time_per_class.map_or(time, |most| time.min(most)));
        times.sum::<Duration>() / u32::try_from(engines.max(1)).unwrap_or(u32::MAX)
    }

    /// Share of the class at a turn in the time that is left, on this many engines.
    fn share(&self, turn: usize, engines: usize) -> f64 {
        let after = self.ahead.get(turn + 1).copied().unwrap_or_default();
        let own = self.ahead[turn] - after;
        (own * engines as f64 / self.ahead[turn]).min(1.0)
    }
}

/// Expected time for each byte of a class file, in seconds.
const SECONDS_A_BYTE: f64 = 1e-3;
/// Expected time of a run of which is said how long it may take.
const LONG: Duration = Duration::from_secs(60);

/// Time for people: 40 s, 3 min, 2 h.
fn rounded(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..90 => format!("{} s", seconds.div_ceil(10) * 10),
        90..5_400 => format!("{} min", (seconds + 30) / 60),
        _ => format!("{} h", (seconds + 1_800) / 3_600),
    }
}

/// Indices of classes in the order of the work on them.
///
/// # Errors
/// The class path is wrong.
pub fn work_order(classes: &[String], arguments: &SequencesArgs) -> anyhow::Result<Vec<usize>> {
    Ok(Schedule::of(classes, arguments)?.order)
}

/// Size of a class file with as much code as all classes cost: an engine, and a trial of the tests.
const BYTES_OF_ANY: usize = 4_000;

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
    let unsearched = classes.iter().zip(done);
    let unsearched = unsearched.filter(|(_, done)| is_unsearched(done));
    let unsearched: Vec<String> = unsearched.map(|(class, _)| class.clone()).collect();
    // A run that is being ended has no time for it.
    let are_counted = !interrupt.is_raised();
    let totals = match are_counted {
        true => totals + totals_of_unsearched(arguments, &unsearched),
        false => totals,
    };
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
        let branches = match totals.branches_total {
            0 => String::new(),
            total => format!(
                ", {}",
                of_branches(Share {
                    covered: totals.branches_covered,
                    total,
                })
            ),
        };
        let mutants = match totals.mutants {
            0 => String::new(),
            all => format!(", {} of {} mutants", grouped(totals.killed), grouped(all)),
        };
        let mut text = format!(
            "{} classes: {} for {} of {} {}{infeasible}{branches}{mutants}, {:.2} s; {status}\n",
            grouped(classes.len() as u64),
            counted(tests as u64, "test"),
            grouped(totals.goals_covered),
            grouped(totals.goals_total),
            arguments.criterion.noun(),
            start.elapsed().as_secs_f64(),
        );
        if !unsearched.is_empty() {
            let reason = interrupt.reason_raised().or(interrupt.reason());
            let reason = reason.unwrap_or("--time-limit");
            let uncounted = if are_counted {
                ""
            } else {
                ", not counted above"
            };
            text += &format!(
                "heapwright: {reason} came before the search for {} of them{uncounted}: {}\n",
                grouped(unsearched.len() as u64),
                named(&unsearched)
            );
        }
        text += &conclusion(arguments, told.iter().copied()).unwrap_or_default();
        match arguments.output {
            Some(_) => print(&text)?,
            None => messages::report(&text),
        }
    }
    Ok(code)
}

/// Whether the run did not come to the search for a class.
fn is_unsearched(done: &Option<anyhow::Result<ClassReport>>) -> bool {
    match done {
        None => true,
        Some(Ok(told)) => told.is_unsearched,
        Some(Err(_)) => false,
    }
}

/// What classes that were not searched have, of which no test reaches anything.
fn totals_of_unsearched(arguments: &SequencesArgs, classes: &[String]) -> Totals {
    let config = arguments.common.class_path.exploring();
    let vm = match classes.is_empty() {
        true => None,
        false => config.ok().and_then(|config| Vm::new(config).ok()),
    };
    let Some(mut vm) = vm else {
        return Totals::default();
    };
    let criterion = arguments.criterion.into();
    let counts = classes
        .iter()
        .filter_map(|class| goals_and_branches(&mut vm, class, criterion, arguments.members).ok());
    let counts = counts.map(|(goals_total, branches_total)| Totals {
        goals_total,
        branches_total,
        ..Totals::default()
    });
    counts.sum()
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
        // All of them are named in the end.
        Ok(told) if is_brief(arguments) && told.is_unsearched => {}
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_classes_come_first_and_leave_their_time() {
        let schedule = Schedule::of_sizes(&[6_000, 0, 2_000]);
        assert_eq!(schedule.order, [1, 2, 0]);
        // Of 20,000 in all, on one engine and on two.
        assert_eq!(schedule.share(0, 1), 0.2);
        assert_eq!(schedule.share(1, 1), 0.375);
        assert_eq!(schedule.share(2, 1), 1.0);
        assert_eq!(schedule.share(1, 2), 0.75);
        assert_eq!(schedule.share(1, 3), 1.0);
    }

    #[test]
    fn the_time_of_a_run_is_expected_within_that_of_its_classes() {
        let schedule = Schedule::of_sizes(&[6_000, 0, 96_000]);
        let seconds = |most: Option<u64>, engines| {
            let most = most.map(Duration::from_secs);
            schedule.expected(most, engines).as_secs_f64().round()
        };
        assert_eq!(seconds(None, 1), 114.0);
        assert_eq!(seconds(Some(30), 1), 44.0);
        assert_eq!(seconds(Some(30), 2), 22.0);
        let texts = [44, 100, 6_000].map(|time| rounded(Duration::from_secs(time)));
        assert_eq!(texts, ["50 s", "2 min", "2 h"]);
    }
}
