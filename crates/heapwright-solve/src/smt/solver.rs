//! Solver for the conditions of a path and the feasibility of further ones.

use std::path::PathBuf;
use std::rc::Rc;

use super::boxes;
use super::cache::{Cache, CachedAnswer};
use super::candidates;
use super::decision::{Decision, Limits, Satisfiability, SolverError, StageOutcome, Statistics};
use super::integers;
use super::path::{AssertedPath, LiteralComponent, LiteralMeaning, Ordered, PathLiteral};
use super::pool::{Difficulty, TermPool};
use super::term::{Assignment, Term};
use super::z3::{CheckResult, Incremental, Library, Stopper, solve};

/// Share of the limit of work that boxes may take, in evaluations of nodes: one in this number.
const BOXES: u64 = 10;
/// Limit of work from which queries are tried that are hardly ever decided.
const PATIENT: u64 = 50_000_000;

/// Position to which a path can be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathMark {
    conditions: usize,
}

/// Conditions of a path, with a decision procedure for further ones. Only conditions that are
/// connected by variables with a further one matter, as far as the others can hold.
#[derive(Debug)]
pub struct PathSolver {
    limits: Limits,
    file: Option<PathBuf>,
    library: Option<Library>,
    z3: Option<Incremental>,
    path: AssertedPath,
    conditions: Vec<Term>,
    /// Length of the path before each condition.
    lengths: Vec<usize>,
    /// Length of the path up to which its literals are known to hold together, but for hard ones.
    feasible: usize,
    /// Length of the path at which they were found not to.
    infeasible: Option<usize>,
    cache: Cache,
    /// Whether cheap stages are used; off only in comparative tests.
    is_cheap: bool,
    stopper: Stopper,
    statistics: Statistics,
}

impl PathSolver {
    /// Creates a solver without conditions. It uses the library that [`super::find_library`]
    /// finds; without one, what needs Z3 is unknown.
    #[must_use]
    pub fn new(limits: Limits) -> PathSolver {
        PathSolver {
            limits,
            file: None,
            library: None,
            z3: None,
            path: AssertedPath::default(),
            conditions: Vec::new(),
            lengths: Vec::new(),
            feasible: 0,
            infeasible: None,
            cache: Cache::default(),
            is_cheap: true,
            stopper: Stopper::default(),
            statistics: Statistics::default(),
        }
    }

    /// Creates a solver that uses Z3's library in `file` only.
    #[must_use]
    pub fn with_library(limits: Limits, file: PathBuf) -> PathSolver {
        PathSolver {
            file: Some(file),
            ..PathSolver::new(limits)
        }
    }

    /// Sets the stopper that ends queries in Z3; these do not count in the statistics.
    pub fn stop_by(&mut self, stopper: Stopper) {
        self.stopper = stopper;
    }

    /// Looks whether it was stopped, for work beside its queries.
    ///
    /// # Errors
    /// It was.
    pub fn look_up(&self) -> Result<(), SolverError> {
        match self.stopper.is_stopped() {
            true => Err(SolverError::Stopped),
            false => Ok(()),
        }
    }

    /// Creates a solver without cheap stages, independence and cache.
    #[cfg(test)]
    pub(super) fn bare(limits: Limits) -> PathSolver {
        let mut solver = PathSolver::new(limits);
        solver.is_cheap = false;
        solver.path.is_whole = true;
        solver.cache.is_off = true;
        solver
    }

    /// Limits of a query.
    #[must_use]
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Sets the limits; returns the previous ones. Results that were unknown under smaller limits
    /// may remain so.
    pub fn set_limits(&mut self, limits: Limits) -> Limits {
        std::mem::replace(&mut self.limits, limits)
    }

    /// Removes unknown results from the cache, so that larger limits can decide them.
    pub fn forget_unknown(&mut self) {
        self.cache.forget_unknown();
    }

    /// Returns a mark for the current position.
    #[must_use]
    pub fn mark(&self) -> PathMark {
        PathMark {
            conditions: self.conditions.len(),
        }
    }

    /// Removes the conditions asserted since a mark. The pool may have discarded their terms
    /// already.
    pub fn undo_to(&mut self, mark: PathMark) {
        if let Some(&length) = self.lengths.get(mark.conditions) {
            self.path.truncate(length);
            self.feasible = self.feasible.min(length);
            self.infeasible = self.infeasible.filter(|&all| all <= length);
        }
        self.lengths.truncate(mark.conditions);
        self.conditions.truncate(mark.conditions);
    }

    /// Asserts a condition. A path that cannot be taken is found out sooner or later; until then,
    /// answers are those that the conditions give which are connected with the one in question.
    pub fn assert(&mut self, pool: &TermPool, condition: Term) {
        self.lengths.push(self.path.len());
        self.conditions.push(condition);
        self.path.assert(pool, PathLiteral::of(condition));
    }

    /// Decides whether a condition can hold and can fail, without asserting it.
    ///
    /// # Errors
    /// Z3 is needed and cannot be used, or fails, or was stopped.
    pub fn decide(&mut self, pool: &TermPool, condition: Term) -> Result<Decision, SolverError> {
        let before = self.statistics;
        let decision = self.decided(pool, condition);
        if matches!(decision, Err(SolverError::Stopped)) {
            self.statistics = before;
        }
        decision
    }

    fn decided(&mut self, pool: &TermPool, condition: Term) -> Result<Decision, SolverError> {
        self.statistics.queries += 1;
        let literal = PathLiteral::of(condition);
        let decision = if self.is_contradictory() {
            self.statistics.decided_cheaply += 1;
            Decision {
                holds: Satisfiability::Unsat,
                fails: Satisfiability::Unsat,
            }
        } else if let Some(decision) = self.decide_cheaply(pool, literal) {
            self.statistics.decided_cheaply += 1;
            decision
        } else {
            self.decide_by_solver(pool, literal)?
        };
        let sides = [decision.holds, decision.fails];
        let unknown = sides
            .iter()
            .filter(|&&side| side == Satisfiability::Unknown);
        self.statistics.unknown += unknown.count() as u64;
        Ok(decision)
    }

    /// Decides a condition by sets of values and orders alone; without a solver, all else is
    /// unknown.
    pub fn decide_at_once(&mut self, pool: &TermPool, condition: Term) -> Decision {
        self.statistics.queries += 1;
        let decision = match self.is_contradictory() {
            true => Some(Decision {
                holds: Satisfiability::Unsat,
                fails: Satisfiability::Unsat,
            }),
            false => self.decide_cheaply(pool, PathLiteral::of(condition)),
        };
        decision.unwrap_or(Decision {
            holds: Satisfiability::Unknown,
            fails: Satisfiability::Unknown,
        })
    }

    /// Bounds of an integer term on this path: the least and the greatest value, as far as the
    /// conditions on single variables show them.
    #[must_use]
    pub fn bounds(&self, pool: &TermPool, term: Term) -> (i64, i64) {
        self.path.bounds_of(pool, term)
    }

    /// Conditions asserted, oldest first.
    #[must_use]
    pub fn conditions(&self) -> &[Term] {
        &self.conditions
    }

    /// Values that satisfy all conditions and depend on the set of conditions alone. `None` if
    /// there are none, or none were found within the limits.
    ///
    /// # Errors
    /// Z3 is needed and cannot be used, or fails, or was stopped.
    pub fn model(&mut self, pool: &TermPool) -> Result<Option<Assignment>, SolverError> {
        if self.is_contradictory() {
            return Ok(None);
        }
        let mut all = Assignment::new();
        for part in self.path.all_parts(pool) {
            let Some(model) = self.answer_of(pool, &part)?.model else {
                return Ok(None);
            };
            all.extend(&model);
        }
        let is_true = |&condition: &Term| PathLiteral::of(condition).is_true(pool, &all);
        debug_assert!(self.conditions.iter().all(is_true), "a model that is none");
        Ok(Some(all))
    }

    /// Whether all conditions can hold together.
    ///
    /// # Errors
    /// Z3 is needed and cannot be used, or fails, or was stopped.
    pub fn feasibility(&mut self, pool: &TermPool) -> Result<Satisfiability, SolverError> {
        if self.is_contradictory() {
            return Ok(Satisfiability::Unsat);
        }
        let mut all = Satisfiability::Sat;
        for part in self.path.all_parts(pool) {
            match self.answer_of(pool, &part)?.verdict {
                Satisfiability::Sat => {}
                Satisfiability::Unsat => return Ok(Satisfiability::Unsat),
                Satisfiability::Unknown => all = Satisfiability::Unknown,
            }
        }
        Ok(all)
    }

    /// Statistics of all queries so far.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// Whether the conditions are known to contradict one another.
    fn is_contradictory(&self) -> bool {
        self.path.is_contradictory() || self.infeasible.is_some()
    }

    fn decide_cheaply(&mut self, pool: &TermPool, literal: PathLiteral) -> Option<Decision> {
        if let Some(bits) = pool.constant_of(literal.atom) {
            return Some(Decision::sure(bits != 0));
        }
        if !self.is_cheap {
            return None;
        }
        let meaning = LiteralMeaning::of(pool, literal);
        if let Some(decision) = self.path.decide(pool, literal, &meaning) {
            return Some(decision);
        }
        let opposite = LiteralMeaning::of(pool, literal.negated());
        if matches!(meaning, LiteralMeaning::Other { .. })
            || matches!(opposite, LiteralMeaning::Other { .. })
        {
            return None;
        }
        let parts = self.path.parts(pool, pool.variables(literal.atom));
        let mut sides = [Satisfiability::Unknown; 2];
        for (side, meaning) in sides.iter_mut().zip([&meaning, &opposite]) {
            *side = match self.path.ordered(pool, &parts, Some(meaning))? {
                Ordered::Values(_) => Satisfiability::Sat,
                Ordered::Impossible => Satisfiability::Unsat,
                Ordered::Open => return None,
            };
        }
        Some(Decision {
            holds: sides[0],
            fails: sides[1],
        })
    }

    fn decide_by_solver(
        &mut self,
        pool: &TermPool,
        literal: PathLiteral,
    ) -> Result<Decision, SolverError> {
        let parts = self.path.parts(pool, pool.variables(literal.atom));
        let places = || parts.iter().flat_map(|part| &part.literals);
        let is_hard = pool.difficulty(literal.atom) != Difficulty::Easy
            || places().any(|&place| self.path.meaning(place).is_hard());
        let known = self.known_model(pool, &parts, is_hard)?;
        let whole = LiteralComponent {
            literals: places().copied().collect(),
            variables: parts
                .iter()
                .flat_map(|part| &part.variables)
                .copied()
                .collect(),
        };
        let mut verdicts = [Satisfiability::Unknown; 2];
        let sides = [literal, literal.negated()];
        let first = match &known {
            CachedResult::Impossible => {
                return Ok(Decision {
                    holds: Satisfiability::Unsat,
                    fails: Satisfiability::Unsat,
                });
            }
            CachedResult::Model(model) => {
                let by_model = usize::from(!literal.is_true(pool, model));
                self.statistics.by_model += 1;
                verdicts[by_model] = Satisfiability::Sat;
                if !is_hard {
                    let key = self.key(&whole, Some(sides[by_model].digest(pool)));
                    self.cache
                        .put(key, CachedAnswer::sat(Rc::clone(model), false));
                }
                1 - by_model
            }
            CachedResult::Nothing => 0,
        };
        verdicts[first] = match &known {
            CachedResult::Model(model)
                if !is_hard && self.repair(pool, &whole, sides[first], model) =>
            {
                Satisfiability::Sat
            }
            _ => self.ask(pool, &whole, sides[first], is_hard)?,
        };
        if self.is_contradictory() {
            return Ok(Decision {
                holds: Satisfiability::Unsat,
                fails: Satisfiability::Unsat,
            });
        }
        if verdicts[1 - first] == Satisfiability::Unknown {
            verdicts[1 - first] = if verdicts[first] == Satisfiability::Unsat && !is_hard {
                Satisfiability::Sat
            } else {
                self.ask(pool, &whole, sides[1 - first], is_hard)?
            };
        }
        Ok(Decision {
            holds: verdicts[0],
            fails: verdicts[1],
        })
    }

    /// Whether a few changes to a model of a part satisfy a further literal as well.
    fn repair(
        &mut self,
        pool: &TermPool,
        part: &LiteralComponent,
        literal: PathLiteral,
        model: &Assignment,
    ) -> bool {
        let key = self.key(part, Some(literal.digest(pool)));
        if !self.is_cheap || self.cache.get(key).is_some() {
            return false;
        }
        let places = part.literals.iter();
        let literals: Vec<PathLiteral> = places.map(|&place| self.path.literal(place)).collect();
        let Some(model) = candidates::repair(pool, &literals, literal, model) else {
            return false;
        };
        self.statistics.by_model += 1;
        self.cache
            .put(key, CachedAnswer::sat(Rc::new(model), false));
        true
    }

    /// Model of some parts. Models of hard parts must not depend on earlier queries, or else the
    /// verdict might; those of others may be any known model.
    fn known_model(
        &mut self,
        pool: &TermPool,
        parts: &[LiteralComponent],
        is_hard: bool,
    ) -> Result<CachedResult, SolverError> {
        let mut all = Assignment::new();
        for part in parts {
            let answer = if is_hard {
                Some(self.answer_of(pool, part)?)
            } else {
                self.answer_at_hand(pool, part)
            };
            match answer {
                Some(CachedAnswer {
                    verdict: Satisfiability::Unsat,
                    ..
                }) => return Ok(CachedResult::Impossible),
                Some(CachedAnswer {
                    model: Some(model), ..
                }) => all.extend(&model),
                _ => return Ok(CachedResult::Nothing),
            }
        }
        Ok(CachedResult::Model(Rc::new(all)))
    }

    fn answer_at_hand(&mut self, pool: &TermPool, part: &LiteralComponent) -> Option<CachedAnswer> {
        if let Some(answer) = self.answer_by_order(pool, part) {
            return Some(answer);
        }
        self.cache.get(self.key(part, None))
    }

    fn answer_by_order(&self, pool: &TermPool, part: &LiteralComponent) -> Option<CachedAnswer> {
        if part.literals.is_empty() {
            let zeros = part.variables.iter().map(|&number| (number, 0)).collect();
            return Some(CachedAnswer::sat(Rc::new(zeros), true));
        }
        match self.path.ordered(pool, std::slice::from_ref(part), None)? {
            Ordered::Values(values) => Some(CachedAnswer::sat(Rc::new(values), true)),
            Ordered::Impossible => Some(CachedAnswer::without_model(Satisfiability::Unsat, true)),
            Ordered::Open => None,
        }
    }

    /// Result for a part, independent of earlier queries.
    fn answer_of(
        &mut self,
        pool: &TermPool,
        part: &LiteralComponent,
    ) -> Result<CachedAnswer, SolverError> {
        if let Some(answer) = self.answer_by_order(pool, part) {
            return Ok(answer);
        }
        self.canonical(pool, part, None)
    }

    /// Decides whether a further literal can hold with a part.
    fn ask(
        &mut self,
        pool: &TermPool,
        part: &LiteralComponent,
        literal: PathLiteral,
        is_hard: bool,
    ) -> Result<Satisfiability, SolverError> {
        if is_hard {
            return Ok(self.canonical(pool, part, Some(literal))?.verdict);
        }
        let key = self.key(part, Some(literal.digest(pool)));
        if let Some(answer) = self.cache.get(key) {
            self.statistics.cache_hits += 1;
            return Ok(answer.verdict);
        }
        let literals = self.in_order(pool, part, Some(literal));
        if let Some(answer) = self.answer_by_integers(pool, &literals, &part.variables) {
            let verdict = answer.verdict;
            self.cache.put(key, answer);
            return Ok(verdict);
        }
        let Some(library) = self.library()? else {
            return Ok(self.canonical(pool, part, Some(literal))?.verdict);
        };
        let checked = self.ask_incrementally(library, pool, &part.variables, Some(literal))?;
        if checked.verdict == Satisfiability::Unsat && !self.is_feasible(library, pool)? {
            // Other parts may be the reason, which holds on this path alone.
            return match self.infeasible {
                Some(_) => Ok(Satisfiability::Unsat),
                None => Ok(self.canonical(pool, part, Some(literal))?.verdict),
            };
        }
        if checked.verdict == Satisfiability::Unknown || checked.work > self.limits.work / MARGIN {
            return Ok(self.canonical(pool, part, Some(literal))?.verdict);
        }
        let model = checked.model.map(Rc::new);
        self.cache.put(
            key,
            CachedAnswer {
                verdict: checked.verdict,
                model,
                is_canonical: false,
            },
        );
        Ok(checked.verdict)
    }

    /// Whether all literals of the path that are not hard are known to hold together.
    fn is_feasible(&mut self, library: Library, pool: &TermPool) -> Result<bool, SolverError> {
        if self.feasible < self.path.len() {
            let checked = self.ask_incrementally(library, pool, &[], None)?;
            if checked.verdict == Satisfiability::Unsat {
                self.infeasible = Some(self.path.len());
            }
        }
        Ok(self.feasible == self.path.len())
    }

    /// Decides whether all literals of the path that are not hard can hold, and a further one.
    fn ask_incrementally(
        &mut self,
        library: Library,
        pool: &TermPool,
        variables: &[u32],
        literal: Option<PathLiteral>,
    ) -> Result<CheckResult, SolverError> {
        let limit = self.limit();
        let z3 = match &mut self.z3 {
            Some(z3) => z3,
            none => none.insert(Incremental::new(library, limit)?),
        };
        let path = &self.path;
        // Hard literals would slow down all queries, and none of the queries here needs them.
        let easy = (0..path.len() as u32)
            .filter(|&place| !path.meaning(place).is_hard())
            .map(|place| (path.digest(place), path.literal(place)));
        let checked = z3.check(pool, easy, literal, variables, &self.stopper);
        if checked.is_err() {
            self.z3 = None;
        }
        let checked = self.settled(checked)?;
        self.count(checked.work);
        if checked.verdict == Satisfiability::Sat {
            self.feasible = self.path.len();
        }
        Ok(checked)
    }

    /// Replaces the error of a query that needs more memory than there is, or that Z3 refuses, by an
    /// unknown result, and others by `Stopped` if Z3 was stopped, possibly outside a query. A refused
    /// query is a fault of ours, which costs no more than the path in a release build.
    fn settled(
        &self,
        checked: Result<CheckResult, SolverError>,
    ) -> Result<CheckResult, SolverError> {
        match checked {
            Err(SolverError::Memory) => Ok(CheckResult::unknown()),
            Err(_) if self.stopper.is_stopped() => Err(SolverError::Stopped),
            Err(SolverError::Z3(message)) => {
                debug_assert!(false, "Z3 refuses a query: {message}");
                Ok(CheckResult::unknown())
            }
            checked => checked,
        }
    }

    /// Result for a part and a literal, independent of earlier queries.
    fn canonical(
        &mut self,
        pool: &TermPool,
        part: &LiteralComponent,
        more: Option<PathLiteral>,
    ) -> Result<CachedAnswer, SolverError> {
        let key = self.key(part, more.map(|literal| literal.digest(pool)));
        if let Some(answer) = self.cache.get(key)
            && answer.is_canonical
        {
            self.statistics.cache_hits += 1;
            return Ok(answer);
        }
        let literals = self.in_order(pool, part, more);
        let mut variables: Vec<u32> = part.variables.clone();
        variables.sort_unstable();
        let answer = self.canonical_of(pool, &literals, &variables)?;
        if let Some(model) = &answer.model {
            let is_true = |literal: &PathLiteral| literal.is_true(pool, model);
            debug_assert!(literals.iter().all(is_true), "a model that is none");
        }
        self.cache.put(key, answer.clone());
        Ok(answer)
    }

    /// Literals of a part and a further one, ordered by digest, independently of the path.
    fn in_order(
        &self,
        pool: &TermPool,
        part: &LiteralComponent,
        more: Option<PathLiteral>,
    ) -> Vec<PathLiteral> {
        let own = part.literals.iter().map(|&place| self.path.literal(place));
        let mut literals: Vec<(u128, PathLiteral)> = own
            .chain(more)
            .map(|literal| (literal.digest(pool), literal))
            .collect();
        literals.sort_unstable_by_key(|literal| literal.0);
        literals.dedup_by_key(|literal| literal.0);
        literals.into_iter().map(|literal| literal.1).collect()
    }

    /// Result of linear arithmetic for literals, if any.
    fn answer_by_integers(
        &mut self,
        pool: &TermPool,
        literals: &[PathLiteral],
        variables: &[u32],
    ) -> Option<CachedAnswer> {
        if !self.is_cheap {
            return None;
        }
        // Candidates take precedence where a model must be reproducible.
        let (outcome, work) = integers::solve(pool, literals, variables);
        self.decided_by(outcome, work, false)
    }

    /// Result of intervals for literals with floating point, if they decide them.
    fn answer_by_boxes(
        &mut self,
        pool: &TermPool,
        literals: &[PathLiteral],
        variables: &[u32],
    ) -> Option<CachedAnswer> {
        if !self.is_cheap {
            return None;
        }
        let limit = self.limits.work / BOXES;
        let (outcome, work) = boxes::search(pool, literals, variables, limit);
        let outcome = match outcome {
            StageOutcome::Values(values) => {
                StageOutcome::Values(candidates::shrink(pool, literals, &values))
            }
            outcome => outcome,
        };
        self.decided_by(outcome, work, true)
    }

    /// Result of a stage; none if it has not decided. Its work counts if it has.
    fn decided_by(
        &mut self,
        outcome: StageOutcome,
        work: u64,
        is_canonical: bool,
    ) -> Option<CachedAnswer> {
        let answer = match outcome {
            StageOutcome::Open => return None,
            StageOutcome::Impossible => CachedAnswer::without_model(Satisfiability::Unsat, true),
            StageOutcome::Values(values) => CachedAnswer::sat(Rc::new(values), is_canonical),
        };
        self.count(work);
        Some(answer)
    }

    fn canonical_of(
        &mut self,
        pool: &TermPool,
        literals: &[PathLiteral],
        variables: &[u32],
    ) -> Result<CachedAnswer, SolverError> {
        if self.is_cheap
            && let Some(values) = candidates::find(pool, literals, variables)
        {
            self.statistics.by_model += 1;
            return Ok(CachedAnswer::sat(Rc::new(values), true));
        }
        if let Some(answer) = self.answer_by_boxes(pool, literals, variables) {
            return Ok(answer);
        }
        let is_hopeless =
            |literal: &PathLiteral| pool.difficulty(literal.atom) == Difficulty::Hopeless;
        let (verdict, model) = match self.answer_by_integers(pool, literals, variables) {
            Some(answer) => (answer.verdict, answer.model),
            None if self.limits.work < PATIENT && literals.iter().any(is_hopeless) => {
                return Ok(CachedAnswer::without_model(Satisfiability::Unknown, true));
            }
            None => {
                let Some(library) = self.library()? else {
                    return Ok(CachedAnswer::without_model(Satisfiability::Unknown, true));
                };
                let limit = self.limit();
                let checked = solve(library, limit, pool, literals, variables, &self.stopper);
                let checked = self.settled(checked)?;
                self.count(checked.work);
                (checked.verdict, checked.model.map(Rc::new))
            }
        };
        Ok(match &model {
            None => CachedAnswer::without_model(verdict, true),
            Some(model) => {
                let smaller = candidates::shrink(pool, literals, model);
                CachedAnswer::sat(Rc::new(smaller), true)
            }
        })
    }

    fn count(&mut self, work: u64) {
        self.statistics.solver_calls += 1;
        self.statistics.work += work;
    }

    /// Key of a set of literals, independent of their order.
    fn key(&self, part: &LiteralComponent, more: Option<u128>) -> u128 {
        let own = part.literals.iter().map(|&place| self.path.digest(place));
        own.chain(more).fold(0, u128::wrapping_add)
    }

    /// Z3's library; none if there is none.
    fn library(&mut self) -> Result<Option<Library>, SolverError> {
        if self.library.is_none() {
            self.library = match &self.file {
                Some(file) => Some(Library::load(file)?),
                None => Library::of_process()?,
            };
        }
        Ok(self.library)
    }

    fn limit(&self) -> u32 {
        u32::try_from(self.limits.work).unwrap_or(u32::MAX)
    }
}

/// A result that took more than this fraction of the limit is recomputed by a fresh solver: with a
/// little more work it might have been unknown.
const MARGIN: u64 = 8;

enum CachedResult {
    Model(Rc<Assignment>),
    Impossible,
    Nothing,
}
