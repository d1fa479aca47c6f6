//! Searches calls on longer inputs generation by generation: the forks of each path are flipped one
//! by one, and the flips to rare sides come first (Godefroid, Levin and Molnar, "Automated Whitebox
//! Fuzz Testing", NDSS 2008).
//!
//! Depth first, a parser varies the end of its input for ever. This search varies every place
//! alike, so that words and brackets grow character by character.
//!
//! **Invariant:** the search claims nothing. It builds no components, and its counts are dropped;
//! the goals that it reached stay reached.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::rc::Rc;

use heapwright_explore::Span;
use heapwright_explore::symbolic::{Lookahead, SideVerdicts, SymbolicSearch};
use heapwright_jvm::Vm;
use rustc_hash::FxHashMap;

use super::call_run::{CallEnd, CallRun};
use super::component::{CallPurpose, Component};
use super::outcome::{SearchCounts, SearchOutcome};
use super::search::Explorer;
use crate::Error;
use crate::sequences::goals::rarity::side_key;
use crate::sequences::model::CoverageCriterion;
use crate::statements::Statement;

/// Maximum number of sequences searched for one invokable.
const SEQUENCES: usize = 4;
/// Limit of a turn, after the last new goal.
const TURN: Effort = Effort {
    paths: 48,
    steps: 1_000_000,
};
/// Limit after which a sequence without a new goal is given up.
const IN_VAIN: Effort = Effort {
    paths: 1_000,
    steps: 10_000_000,
};
/// Maximum number of instructions of a path, and of units of the solver's work: to decide its
/// conditions, and for a part of its model.
const PATH_STEPS: u64 = 500_000;
const PATH_WORK: u64 = 20_000;
const MODEL_WORK: u64 = 200_000;
/// Effort that the search by cost need not have made before.
const ALLOWANCE: u64 = 500_000;
/// Maximum number of flips that wait; the last ones are dropped.
const WAITING: usize = 4_096;
/// Bound on iterations and recursion for each element of an input.
const ITERATIONS: u32 = 2;

/// Effort since the last new goal.
#[derive(Clone, Copy, Default)]
struct Effort {
    paths: u32,
    /// Instructions, with the solver's work converted to such.
    steps: u64,
}

impl Effort {
    /// Whether one of its numbers has reached that of a limit.
    fn reaches(self, limit: Effort) -> bool {
        self.paths >= limit.paths || self.steps >= limit.steps
    }
}

/// Share of the effort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// As much as the search by cost.
    Equal,
    /// All, because the search by cost has ended.
    All,
}

/// A sequence whose paths are searched.
pub(super) struct GenerationalSearch {
    base: Component,
    call: Statement,
    is_begun: bool,
    /// Flips to be tried, the best first; the last part of the key is their number.
    flips: BTreeMap<(Distance, u32, usize, u64), Flip>,
    /// Number of flips so far.
    count: u64,
    /// Numbers of flips tried, by kind.
    tried: FxHashMap<u64, u32>,
    in_vain: Effort,
}

/// Distance from a side to an open goal in the code.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    IsOpen,
    Jump,
    Call,
    Beyond,
}

/// Another side of a fork on an earlier path.
struct Flip {
    path: Rc<EarlierPath>,
    /// Number of the fork on the path.
    fork: usize,
    /// Alternative to take there.
    alternative: i64,
    /// Number of the path's queries before the fork.
    queries: usize,
    /// The side, with the number of times that the path passed it, as a power of two.
    kind: u64,
}

/// Alternatives of a path at its forks, and the results of its queries.
struct EarlierPath {
    taken: Vec<i64>,
    verdicts: Vec<SideVerdicts>,
}

impl GenerationalSearch {
    fn new(base: Component, call: Statement) -> GenerationalSearch {
        GenerationalSearch {
            base,
            call,
            is_begun: false,
            flips: BTreeMap::new(),
            count: 0,
            tried: FxHashMap::default(),
            in_vain: Effort::default(),
        }
    }

    fn is_over(&self) -> bool {
        self.in_vain.reaches(IN_VAIN) || self.is_begun && self.flips.is_empty()
    }

    /// Takes the best flip; the first path has none.
    fn next(&mut self) -> Option<Flip> {
        self.is_begun = true;
        loop {
            let ((distance, tried, fork, number), flip) = self.flips.pop_first()?;
            let now = self.tried.get(&flip.kind).copied().unwrap_or_default();
            // The kind was tried since this flip was found.
            if now > tried {
                self.flips.insert((distance, now, fork, number), flip);
                continue;
            }
            *self.tried.entry(flip.kind).or_default() += 1;
            return Some(flip);
        }
    }

    /// Adds the flips of the path at whose end a search stands, from the fork `first` on.
    fn add(&mut self, search: &SymbolicSearch<'_>, first: usize) {
        let path = Rc::new(EarlierPath {
            taken: search.taken(),
            verdicts: search.verdicts().to_vec(),
        });
        let mut passed: FxHashMap<u64, u32> = FxHashMap::default();
        for (number, fork) in search.forks().enumerate() {
            let key = fork
                .sides
                .other
                .map_or(0, |other| side_key(other, fork.sides));
            let times = passed.entry(key).or_default();
            *times += 1;
            let (Some(alternative), true) = (fork.other, number >= first) else {
                continue;
            };
            let kind = key.rotate_left(8) ^ u64::from(times.ilog2());
            let extents = [
                (Distance::IsOpen, Lookahead::Side),
                (Distance::Jump, Lookahead::Jump),
                (Distance::Call, Lookahead::Call),
            ];
            let mut extents = extents.into_iter();
            let wanted = extents.find(|&(_, extent)| search.wants(fork.sides, extent));
            let distance = wanted.map_or(Distance::Beyond, |(distance, _)| distance);
            let tried = self.tried.get(&kind).copied().unwrap_or_default();
            self.count += 1;
            let flip = Flip {
                path: Rc::clone(&path),
                fork: number,
                alternative,
                queries: fork.queries,
                kind,
            };
            self.flips
                .insert((distance, tried, number, self.count), flip);
        }
        while self.flips.len() > WAITING {
            self.flips.pop_last();
        }
    }
}

impl Explorer<'_> {
    /// Enters a sequence for the search by generations, unless enough sequences that end with its
    /// invokable were entered before.
    pub(super) fn add_generations(&mut self, base: &Component, call: &Statement) {
        let same = |other: &&GenerationalSearch| other.call.invokable == call.invokable;
        if self.progress.goals.criterion != CoverageCriterion::Paths
            && self.generations.iter().filter(same).count() < SEQUENCES
        {
            let base = Component {
                // Longer inputs may take other paths.
                path: Vec::new(),
                verdicts: Vec::new(),
                ..base.clone()
            };
            let search = GenerationalSearch::new(base, call.clone());
            self.generations.push_back(search);
        }
    }

    /// Searches the entered sequences until all are given up.
    ///
    /// # Errors
    /// The solver cannot be used.
    pub(super) fn finish_generations(
        &mut self,
        vm: &mut Vm,
        ending: SearchOutcome,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<SearchOutcome, Error> {
        while !self.generations.is_empty() {
            if self.search_generations(vm, Share::All, stops)?.is_break()
                || self.search_randomly(vm, stops)?.is_break()
            {
                return Ok(SearchOutcome::Stopped);
            }
        }
        Ok(match self.progress.goals.are_done(&self.progress.reached) {
            true => SearchOutcome::AllReached,
            false => ending,
        })
    }

    /// Gives each entered sequence a turn, as far as the share of the effort goes.
    ///
    /// # Errors
    /// The solver cannot be used.
    pub(super) fn search_generations(
        &mut self,
        vm: &mut Vm,
        share: Share,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<ControlFlow<()>, Error> {
        let (counts, mishaps) = (self.progress.counts.clone(), self.progress.mishaps.clone());
        let length = self.bounds.generation_length;
        let shorter = self.search.set_max_length(length);
        let loops = self.search.set_max_loops(length.saturating_mul(ITERATIONS));
        let steps = self.search.set_step_limit(PATH_STEPS);
        self.search.set_step_limit(steps.min(PATH_STEPS));
        let model_work = self.search.set_model_work(MODEL_WORK);
        self.search.fix_states(true);
        self.branch_counts.borrow_mut().is_on = true;
        let mut result = Ok(ControlFlow::Continue(()));
        for _ in 0..self.generations.len() {
            let is_beyond = self.efforts.generations.total > self.efforts.by_cost.total + ALLOWANCE;
            if is_beyond && share == Share::Equal {
                break;
            }
            let Some(mut search) = self.generations.pop_front() else {
                break;
            };
            self.aim();
            self.publish();
            if !self.is_tested[search.call.invokable] {
                continue;
            }
            result = self.take_turn(vm, &mut search, stops);
            if !search.is_over() {
                self.generations.push_back(search);
            }
            if !matches!(result, Ok(ControlFlow::Continue(()))) {
                break;
            }
        }
        self.branch_counts.borrow_mut().is_on = false;
        self.search.fix_states(false);
        self.search.set_model_work(model_work);
        self.search.set_step_limit(steps);
        self.search.set_max_loops(loops);
        self.search.set_max_length(shorter);
        self.progress.drop_counts(counts, mishaps);
        result
    }

    /// Tries flips of a sequence until a turn is over.
    fn take_turn(
        &mut self,
        vm: &mut Vm,
        sequence: &mut GenerationalSearch,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<ControlFlow<()>, Error> {
        let steps = sequence.base.statements.iter();
        let steps: Option<Vec<_>> = steps
            .map(|statement| self.plan.step(vm, statement))
            .collect();
        let (Some(steps), Some(next)) = (steps, self.plan.step(vm, &sequence.call)) else {
            sequence.in_vain = IN_VAIN;
            return Ok(ControlFlow::Continue(()));
        };
        let mut turn = Effort::default();
        let calls = [(sequence.call.clone(), CallPurpose::Test)];
        while !turn.reaches(TURN) && !sequence.is_over() {
            if stops(&self.progress.counts) {
                return Ok(ControlFlow::Break(()));
            }
            let flip = sequence.next();
            let (mut path, mut known_results) = (Vec::new(), Vec::new());
            let mut first = 0;
            if let Some(flip) = &flip {
                path.extend(&flip.path.taken[..flip.fork]);
                path.push(flip.alternative);
                known_results.extend(&flip.path.verdicts[..flip.queries]);
                first = path.len();
            }
            let before = self.progress.open_goals();
            let base = sequence.base.clone();
            let run = CallRun {
                base: &base,
                parts: &[],
                job: &[],
                calls: &calls,
                steps: steps.clone(),
                next: vec![next.clone()],
                known_results,
                span: Span::below(path),
                work: match self.bounds.work {
                    0 => PATH_WORK,
                    work => work.min(PATH_WORK),
                },
                effort: TURN.steps,
            };
            let counts = self.branch_counts.clone();
            let mut at_leaf = |search: &mut SymbolicSearch<'_>| {
                let mut counts = counts.borrow_mut();
                for fork in search.forks().skip(first.saturating_sub(1)) {
                    let side = match fork.taken {
                        0 => fork.sides.first,
                        _ => fork.sides.other,
                    };
                    if let Some(side) = side {
                        counts.add(side_key(side, fork.sides));
                    }
                }
                sequence.add(search, first);
                ControlFlow::Break(())
            };
            let ran = self.run_calls(vm, run, stops, &mut at_leaf)?;
            if ran.end == CallEnd::Stopped {
                return Ok(ControlFlow::Break(()));
            }
            for effort in [&mut turn, &mut sequence.in_vain] {
                effort.paths += 1;
                effort.steps += ran.effort;
            }
            let gained = before.saturating_sub(self.progress.open_goals());
            self.efforts.add_generations(ran.effort, gained);
            self.weigh_efforts();
            if gained > 0 {
                (turn, sequence.in_vain) = Default::default();
                self.publish();
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}
