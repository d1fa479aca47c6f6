//! Search for paths that reach goals (paper, section 4.2).
//!
//! For each goal, the first path in search order that reaches it is retained, unless a path
//! retained for an earlier goal reaches it too. The retained path does not depend on pruning, nor on
//! which other goals there are.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::rc::Rc;

use heapwright_jvm::Vm;

use super::flow::To;
use super::reach::{Reach, ReachGoal, Tried};
use super::rules::RuleProgram;
use super::search::{PathTally, RetainedPath, Searcher};
use super::steer::{CutPlaces, Wanted};
use super::{GoalResult, PathsReport};
use crate::Error;
use crate::symbolic::CutBy;

/// Most consecutive paths that reach nothing new before goals are searched for separately.
const PATIENCE: u32 = 12;

/// Paths to goals that are retained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Retention {
    /// The first path to each goal that no path retained before reaches.
    Needed,
    /// The first path to every goal, from which the needed ones of any subset can be selected.
    Firsts,
}

/// Goals searched for together, and those reached.
pub struct PathGoals {
    program: Rc<RuleProgram>,
    all: Vec<ReachGoal>,
    /// Number of each goal.
    numbers: HashMap<ReachGoal, usize>,
    is_found: RefCell<Vec<bool>>,
    /// Reachability of the goals not reached yet.
    reach: RefCell<Reach>,
    /// Trace prefixes that were tried.
    pub tried: RefCell<Tried>,
    /// Paths since the last that reached a new goal.
    idle: Cell<u32>,
}

impl PathGoals {
    fn new(program: &Rc<RuleProgram>, all: Vec<ReachGoal>) -> PathGoals {
        PathGoals {
            program: Rc::clone(program),
            is_found: RefCell::new(vec![false; all.len()]),
            reach: RefCell::new(Reach::new(program, &all)),
            tried: RefCell::new(Tried::new(program, &all)),
            idle: Cell::new(0),
            numbers: all.iter().copied().zip(0..).collect(),
            all,
        }
    }

    /// Number of a goal, unless it was reached.
    pub fn at(&self, goal: ReachGoal) -> Option<usize> {
        let number = *self.numbers.get(&goal)?;
        (!self.is_found(number)).then_some(number)
    }

    /// Whether a path has reached the goal with this number.
    pub fn is_found(&self, number: usize) -> bool {
        self.is_found.borrow()[number]
    }

    /// Whether a goal is reachable from the start of a block.
    pub fn is_ahead(&self, method: usize, block: usize) -> bool {
        self.reach.borrow().is_ahead(method, block)
    }

    /// Whether a goal is reachable after the return of a block's call.
    pub fn is_behind_call(&self, method: usize, block: usize) -> bool {
        self.reach.borrow().is_behind_call(method, block)
    }

    /// Records the goals that a path reaches; returns the new ones.
    fn note(&self, case: &RetainedPath) -> Vec<usize> {
        let mut is_found = self.is_found.borrow_mut();
        let all = self.all.iter().enumerate();
        let new: Vec<usize> = all
            .filter(|&(number, &goal)| !is_found[number] && case.reaches(goal))
            .map(|one| one.0)
            .collect();
        for &number in &new {
            is_found[number] = true;
        }
        if !new.is_empty() {
            self.idle.set(0);
            let left = self.all.iter().zip(is_found.iter()).filter(|one| !one.1);
            let left: Vec<ReachGoal> = left.map(|one| *one.0).collect();
            *self.reach.borrow_mut() = Reach::new(&self.program, &left);
        }
        new
    }

    fn are_all_found(&self) -> bool {
        self.is_found.borrow().iter().all(|&is_found| is_found)
    }

    /// Counts a path; returns whether many paths have reached nothing new.
    pub fn is_idle(&self) -> bool {
        self.idle.set(self.idle.get() + 1);
        self.idle.get() > PATIENCE
    }
}

/// First path to each goal.
struct Firsts<'a> {
    goals: &'a [ReachGoal],
    /// Index in `kept`, by goal.
    firsts: Vec<Option<usize>>,
    kept: Vec<RetainedPath>,
    /// Reason for the absence of a path, by goal.
    missed: Vec<Option<GoalResult>>,
}

impl Firsts<'_> {
    fn new(goals: &[ReachGoal]) -> Firsts<'_> {
        Firsts {
            goals,
            firsts: vec![None; goals.len()],
            kept: Vec::new(),
            missed: vec![None; goals.len()],
        }
    }

    fn keep(&mut self, numbers: &[usize], case: RetainedPath) {
        for &number in numbers {
            self.firsts[number] = Some(self.kept.len());
        }
        if !numbers.is_empty() {
            self.kept.push(case);
        }
    }

    /// Whether a goal without a path needs a search of its own.
    fn is_needed(&self, number: usize, retention: Retention) -> bool {
        let mut before = self.firsts[..number].iter().flatten();
        let mut is_retained = |goal| before.any(|&kept| self.kept[kept].reaches(goal));
        self.firsts[number].is_none()
            && (retention == Retention::Firsts || !is_retained(self.goals[number]))
    }

    /// Adds the retained paths and the result of each goal to a report.
    fn into_report(self, report: &mut PathsReport, retention: Retention) {
        for (number, &goal) in self.goals.iter().enumerate() {
            let by = match retention {
                Retention::Firsts => self.firsts[number],
                Retention::Needed => {
                    let by = report.cases.iter().position(|case| case.reaches(goal));
                    by.or_else(|| {
                        report.cases.push(self.kept[self.firsts[number]?].clone());
                        Some(report.cases.len() - 1)
                    })
                }
            };
            let missed = self.missed[number].clone().unwrap_or(GoalResult::Stopped);
            report.goals.push((goal, by.map_or(missed, GoalResult::By)));
        }
        if retention == Retention::Firsts {
            report.cases = self.kept;
        }
    }
}

/// Searches for paths to goals: for all together while that succeeds, then for each remaining one.
pub(super) fn towards(
    vm: &mut Vm,
    searcher: &Searcher<'_>,
    goals: &[ReachGoal],
    is_one_by_one: bool,
    retention: Retention,
) -> Result<PathsReport, Error> {
    let mut report = PathsReport::default();
    let mut firsts = Firsts::new(goals);
    let program = &searcher.program;
    let together = Rc::new(PathGoals::new(program, goals.to_vec()));
    let wanted = Wanted::Goals(Rc::clone(&together), is_one_by_one);
    let tally = searcher.search(vm, wanted, u64::MAX, &mut |case| {
        let new = together.note(&case);
        report.before_filter += usize::from(!new.is_empty());
        firsts.keep(&new, case);
        match together.are_all_found() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    report.traces = together.tried.borrow().traces(program, tally.tried);
    report.tally.add(&tally);
    for (number, &goal) in goals.iter().enumerate() {
        if !firsts.is_needed(number, retention) {
            continue;
        }
        report.tally.is_stopped |= searcher.stops();
        if report.tally.is_stopped {
            break;
        }
        if tally.is_whole {
            firsts.missed[number] = Some(missed(program, &tally, goal));
            continue;
        }
        let alone = Rc::new(PathGoals::new(program, vec![goal]));
        let wanted = Wanted::Goals(Rc::clone(&alone), false);
        let mut found = None;
        let tally = searcher.search(vm, wanted, u64::MAX, &mut |case| {
            found = Some(case);
            ControlFlow::Break(())
        })?;
        let traces = alone.tried.borrow().traces(program, tally.tried);
        report.traces.generated += traces.generated;
        report.traces.infeasible += traces.infeasible;
        report.tally.add(&tally);
        match found {
            Some(case) => {
                report.before_filter += 1;
                firsts.keep(&[number], case);
            }
            None => firsts.missed[number] = Some(missed(program, &tally, goal)),
        }
    }
    firsts.into_report(&mut report, retention);
    Ok(report)
}

/// Searches for the same paths by enumeration of all paths.
pub(super) fn towards_unguided(
    vm: &mut Vm,
    searcher: &Searcher<'_>,
    goals: &[ReachGoal],
    retention: Retention,
) -> Result<PathsReport, Error> {
    let mut report = PathsReport::default();
    let mut firsts = Firsts::new(goals);
    let all = PathGoals::new(&searcher.program, goals.to_vec());
    let tally = searcher.search(vm, Wanted::All, u64::MAX, &mut |case| {
        report.before_filter += 1;
        let new = all.note(&case);
        firsts.keep(&new, case);
        match all.are_all_found() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    report.tally = tally;
    let left = firsts.firsts.iter().zip(&mut firsts.missed);
    for (&goal, (_, reached)) in goals.iter().zip(left).filter(|(_, left)| left.0.is_none()) {
        report.tally.is_stopped |= searcher.stops();
        *reached = Some(missed(&searcher.program, &report.tally, goal));
    }
    firsts.into_report(&mut report, retention);
    Ok(report)
}

/// Reason why no path reaches a goal.
pub(super) fn missed(program: &RuleProgram, tally: &PathTally, goal: ReachGoal) -> GoalResult {
    if tally.is_stopped {
        return GoalResult::Stopped;
    }
    if tally.solver.unknown > 0 {
        return GoalResult::Unknown;
    }
    let reach = Reach::new(program, &[goal]);
    let leads_there = |&&(method, block): &&(usize, usize)| reach.is_ahead(method, block);
    let blocks = |method: usize| &program.flows[method].blocks;
    let is_passed = |places: &CutPlaces| match goal {
        ReachGoal::Block(method, block) => places.passed.contains(&(method, block)),
        ReachGoal::Exit(method, block, exit) => {
            let is_left = match blocks(method)[block].exits[exit].to {
                To::Block(to) => places.passed.contains(&(method, to)),
                To::Return | To::Throw => true,
            };
            is_left && places.passed.contains(&(method, block))
        }
    };
    let is_there = |places: &CutPlaces| {
        is_passed(places) || places.frames.iter().any(|place| leads_there(&place))
    };
    let cut = tally.cut_at.iter().filter(|(_, places)| is_there(places));
    let cut: BTreeSet<CutBy> = cut.map(|(&by, _)| by).collect();
    match cut.is_empty() {
        true => GoalResult::Infeasible,
        false => GoalResult::Cut(cut),
    }
}
