//! The methods of a class, looked at by many workers.
//!
//! What a method before came by is no goal any more. A worker that begins a method may not know yet what those before
//! it come by; it leaves out what is known by then. Where that was not all, the method is looked at again.
//!
//! **Invariant:** the reports are those of one worker that looks at one method after the other.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use heapwright_explore::{Span, Workers};
use heapwright_jvm::Vm;

use super::{Goal, Key, Reached, Report, Shape, Subject};
use crate::Error;
use crate::parallel::{self, Pool};

/// Looks for the paths of a method that are wanted, of goals for those by these.
pub type Look<'a> = dyn Fn(&mut Vm, &mut Subject, &[Goal]) -> Result<Report, Error> + Sync + 'a;

/// Who looks.
pub struct Crew<'a> {
    /// Workers, at least one.
    pub jobs: usize,
    /// How long the first of them works alone: the others have to read all methods again.
    pub head_start: Duration,
    /// Makes the machines of further workers, with the same methods read, where there is room for them.
    pub more: &'a (dyn Fn() -> Option<(Vm, Vec<Subject>)> + Sync),
    /// Says whether to stop; asked by the workers.
    pub stops: &'a (dyn Fn() -> bool + Sync),
    /// What is done with a method.
    pub look: &'a Look<'a>,
}

/// Looks at methods, each with its goals but for those that are `reached` already, or by a method before. Gives the reports
/// of the first so many methods: of all, unless it was stopped.
///
/// # Errors
/// A method cannot be called, or the solver cannot be used.
pub fn explore(
    vm: &mut Vm,
    subjects: &mut [Subject],
    goals: &[Vec<Goal>],
    reached: &BTreeSet<Key>,
    crew: &Crew<'_>,
) -> Result<Vec<Report>, Error> {
    let keys = subjects.iter().zip(goals).map(|(subject, goals)| {
        let keys = goals.iter().map(|&goal| (goal, subject.key(vm, goal)));
        keys.collect()
    });
    let board = Board {
        goals: keys.collect(),
        shapes: subjects.iter().map(|subject| subject.shape(vm)).collect(),
        before: reached,
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
            // Where it is done soon, or there is no room for another machine, the first worker does it alone.
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

/// What workers share.
struct Board<'a> {
    /// By methods.
    goals: Vec<Vec<(Goal, Key)>>,
    /// What was read of each, so that numbers mean the same on all machines.
    shapes: Vec<Shape>,
    /// What was reached before.
    before: &'a BTreeSet<Key>,
    /// What each method came by when it was last looked at.
    by: Mutex<Vec<Vec<Key>>>,
}

/// What came of a method.
struct Looked {
    number: usize,
    /// For what was looked.
    goals: Vec<Goal>,
    report: Report,
}

type Part = Result<Looked, Error>;

impl Board<'_> {
    fn by(&self) -> MutexGuard<'_, Vec<Vec<Key>>> {
        self.by.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_of(&self, vm: &Vm, subjects: &[Subject]) -> bool {
        let shapes = subjects.iter().map(|subject| subject.shape(vm));
        shapes.eq(self.shapes.iter().cloned())
    }

    /// The goals of a method but for those that methods before came by, as far as these were looked at.
    fn goals(&self, number: usize) -> Vec<Goal> {
        let by = self.by();
        let reached: BTreeSet<&Key> = self
            .before
            .iter()
            .chain(by[..number].iter().flatten())
            .collect();
        let all = self.goals[number].iter();
        let left = all.filter(|(_, key)| !reached.contains(key));
        left.map(|one| one.0).collect()
    }

    /// What a method came by.
    fn reached(&self, number: usize, report: &Report) -> Vec<Key> {
        let reached = report.goals.iter();
        let reached = reached.filter(|(_, reached)| matches!(reached, Reached::By(_)));
        let keys = reached.filter_map(|&(goal, _)| {
            let mut all = self.goals[number].iter();
            Some(all.find(|one| one.0 == goal)?.1.clone())
        });
        keys.collect()
    }

    /// Looks at methods as long as there are some.
    fn work(
        &self,
        pool: &Pool<'_, (), Part>,
        vm: &mut Vm,
        subjects: &mut [Subject],
        look: &Look<'_>,
    ) {
        pool.work(|span| {
            let number = span.path[0] as usize;
            let goals = self.goals(number);
            let report = look(vm, &mut subjects[number], &goals)?;
            self.by()[number] = self.reached(number, &report);
            Ok(Looked {
                number,
                goals,
                report,
            })
        });
    }
}

/// Takes reports in the order of their methods.
struct Reports<'a> {
    board: &'a Board<'a>,
    taken: Vec<Report>,
}

impl parallel::Collector<(), Part> for Reports<'_> {
    type Error = Error;

    fn take(&mut self, (): ()) -> Result<ControlFlow<()>, Error> {
        Ok(ControlFlow::Continue(()))
    }

    fn finish(
        &mut self,
        part: Part,
        workers: &Workers<(), Part>,
    ) -> Result<ControlFlow<()>, Error> {
        let Looked {
            number,
            goals,
            report,
        } = part?;
        // All methods before were taken: what they came by is certain.
        match goals == self.board.goals(number) {
            true => self.taken.push(report),
            false => workers.put([Span::below(vec![number as i64])]),
        }
        Ok(ControlFlow::Continue(()))
    }

    fn watch(&mut self, _: &Workers<(), Part>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
