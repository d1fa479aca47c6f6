//! Parallel exploration of a class's methods.
//!
//! A goal reached by an earlier method is no goal of later ones. A worker may not know yet all
//! goals that earlier methods reach, and leaves out those known. If more are known in the end, the
//! method is explored again.
//!
//! **Invariant:** the reports equal those of a single worker that explores one method after the
//! other.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use heapwright_explore::{Span, Workers};
use heapwright_jvm::Vm;

use super::{GoalKey, GoalResult, PathSubject, PathsReport, ProgramShape, ReachGoal};
use crate::Error;
use crate::parallel::{self, WorkerPool};

/// Callback that explores the wanted paths of a method; for goals, those that reach `goals`.
pub type Look<'a> =
    dyn Fn(&mut Vm, &mut PathSubject, &[ReachGoal]) -> Result<PathsReport, Error> + Sync + 'a;

/// Configuration of the workers.
pub struct MethodCrew<'a> {
    /// Number of workers, at least one.
    pub jobs: usize,
    /// Time before further workers start, since each has to read all methods again.
    pub head_start: Duration,
    /// Creates the machine and the methods of a further worker, if there is memory for them.
    pub more: &'a (dyn Fn() -> Option<(Vm, Vec<PathSubject>)> + Sync),
    /// Whether to stop; called by the workers.
    pub stops: &'a (dyn Fn() -> bool + Sync),
    /// Whether goals that an earlier method reached remain goals.
    pub is_independent: bool,
    /// Exploration of a method.
    pub look: &'a Look<'a>,
}

/// Explores methods, each with its goals except those in `reached` and those reached by earlier
/// methods. Returns the reports of a prefix of the methods: of all, unless stopped.
///
/// # Errors
/// A method cannot be called, or the solver cannot be used.
pub fn explore(
    vm: &mut Vm,
    subjects: &mut [PathSubject],
    goals: &[Vec<ReachGoal>],
    reached: &BTreeSet<GoalKey>,
    crew: &MethodCrew<'_>,
) -> Result<Vec<PathsReport>, Error> {
    let keys = subjects.iter().zip(goals).map(|(subject, goals)| {
        let keys = goals.iter().map(|&goal| (goal, subject.key(vm, goal)));
        keys.collect()
    });
    let board = SharedGoals {
        goals: keys.collect(),
        shapes: subjects.iter().map(|subject| subject.shape(vm)).collect(),
        before: reached,
        is_independent: crew.is_independent,
        by: Mutex::new(vec![Vec::new(); subjects.len()]),
    };
    let mut reports = Reports {
        board: &board,
        taken: Vec::new(),
    };
    let spans = (0..subjects.len()).map(|number| Span::below(vec![number as i64]));
    parallel::search(
        spans,
        crew.jobs.min(subjects.len()),
        crew.stops,
        |pool| board.work(pool, vm, subjects, crew.look),
        &|pool| {
            // If the work ends soon, or memory is short, the first worker does it alone.
            if !pool.ends_within(crew.head_start)
                && let Some((mut vm, mut subjects)) = (crew.more)()
                && board.is_of(&vm, &subjects)
            {
                board.work(pool, &mut vm, &mut subjects, crew.look);
            }
        },
        &mut reports,
    )?;
    Ok(reports.taken)
}

/// State shared by the workers.
struct SharedGoals<'a> {
    /// Goals by method.
    goals: Vec<Vec<(ReachGoal, GoalKey)>>,
    /// Shape of each method as read, which ensures that numbers agree on all machines.
    shapes: Vec<ProgramShape>,
    /// Goals reached before.
    before: &'a BTreeSet<GoalKey>,
    /// Whether goals that an earlier method reached remain goals.
    is_independent: bool,
    /// Goals that each method reached in its latest exploration.
    by: Mutex<Vec<Vec<GoalKey>>>,
}

/// Result of a method's exploration.
struct MethodResult {
    number: usize,
    /// Goals searched for.
    goals: Vec<ReachGoal>,
    report: PathsReport,
}

type MethodSearchResult = Result<MethodResult, Error>;

impl SharedGoals<'_> {
    fn by(&self) -> MutexGuard<'_, Vec<Vec<GoalKey>>> {
        self.by.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_of(&self, vm: &Vm, subjects: &[PathSubject]) -> bool {
        let shapes = subjects.iter().map(|subject| subject.shape(vm));
        shapes.eq(self.shapes.iter().cloned())
    }

    /// Goals of a method except those that earlier methods reach, as far as known.
    fn goals(&self, number: usize) -> Vec<ReachGoal> {
        if self.is_independent {
            return self.goals[number].iter().map(|one| one.0).collect();
        }
        let by = self.by();
        let reached: BTreeSet<&GoalKey> = self
            .before
            .iter()
            .chain(by[..number].iter().flatten())
            .collect();
        let all = self.goals[number].iter();
        let left = all.filter(|(_, key)| !reached.contains(key));
        left.map(|one| one.0).collect()
    }

    /// Goals that a method reached.
    fn reached(&self, number: usize, report: &PathsReport) -> Vec<GoalKey> {
        let reached = report.goals.iter();
        let reached = reached.filter(|(_, reached)| matches!(reached, GoalResult::By(_)));
        let keys = reached.filter_map(|&(goal, _)| {
            let mut all = self.goals[number].iter();
            Some(all.find(|one| one.0 == goal)?.1.clone())
        });
        keys.collect()
    }

    /// Explores methods until none is left.
    fn work(
        &self,
        pool: &WorkerPool<'_, (), MethodSearchResult>,
        vm: &mut Vm,
        subjects: &mut [PathSubject],
        look: &Look<'_>,
    ) {
        pool.work(|span| {
            let number = span.path[0] as usize;
            let goals = self.goals(number);
            let report = look(vm, &mut subjects[number], &goals)?;
            self.by()[number] = self.reached(number, &report);
            Ok(MethodResult {
                number,
                goals,
                report,
            })
        });
    }
}

/// Collects reports in the order of the methods.
struct Reports<'a> {
    board: &'a SharedGoals<'a>,
    taken: Vec<PathsReport>,
}

impl parallel::Collector<(), MethodSearchResult> for Reports<'_> {
    type Error = Error;

    fn take(&mut self, (): ()) -> Result<ControlFlow<()>, Error> {
        Ok(ControlFlow::Continue(()))
    }

    fn finish(
        &mut self,
        part: MethodSearchResult,
        workers: &Workers<(), MethodSearchResult>,
    ) -> Result<ControlFlow<()>, Error> {
        let MethodResult {
            number,
            goals,
            report,
        } = part?;
        // All earlier methods are complete, so the goals that they reach are final.
        match goals == self.board.goals(number) {
            true => self.taken.push(report),
            false => workers.put([Span::below(vec![number as i64])]),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn watch(&mut self, _: &Workers<(), MethodSearchResult>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
