//! Search over the paths of a method whose inputs are symbolic.
//!
//! Primitive inputs keep their full range; conditions on them are decided by the solver. Inputs of
//! reference type are created on demand (`inputs`). A leaf is a path: the conditions under which it
//! is taken, and the outcome of the run.
//!
//! Invariants: every input within the bounds takes exactly one path. A path depends on the method,
//! the bounds and the limits alone, so it is the same wherever it is walked. A side whose
//! feasibility the solver cannot decide is taken as possible, and the path is marked.

mod arithmetic;
mod contents;
mod costs;
mod cuts;
mod elementary;
mod entry;
mod facts;
mod forks;
mod identity;
mod induction;
mod inputs;
mod machine;
mod merge;
mod names;
mod predicate;
mod probe_queries;
mod references;
mod script;
mod state;
mod states;
mod steering;
mod store;
mod strings;
mod text;
mod texts;
mod unbounded;
mod visits;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Duration;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::{symbolic_slot, term_of};
use heapwright_jvm::{ClassId, Exit, Limit, MarkId, Ref, Vm};
use heapwright_solve::smt::{Satisfiability, Term, TermPool};

use crate::depth_first::{SLICE, Trail, Tree, TreeCallback, Visitor};
use crate::progress::End;

pub use heapwright_solve::smt::{Assignment, Limits, SolverError, Statistics, Stopper};

pub use costs::{DeadEnds, PathCosts};
pub use cuts::{Cuts, InputCut};
pub use entry::{EntryPoint, Receiver};
pub use facts::{Fact, Facts, FieldClaim};
pub use induction::{
    Atom, Candidate, CutKind, CutPoint, Induction, InstanceField, OpenClass, Repetition, Summary,
};
pub use inputs::{Alternative, BeyondBounds, InputBounds, InputObject, Universe};
use inputs::{Inputs, ReferenceTarget};
pub use machine::{AskedInput, Decision, Variable};
use machine::{MachineMark, REFERENCES, SymbolicMachine};
pub use names::Name;
pub use probe_queries::{Event, NotedOperands, ProbeQuery, ProbeResult};
use script::AnyMade;
pub use script::{
    ScriptAction, ScriptOperand, ScriptStep, SearchScript, SideVerdicts, StatementStart,
};
pub use state::PathState;
pub use states::States;
pub use steering::{AtMost, Both, DepthFirst, Lookahead, Steering, Untaken};
pub use store::Store;
use visits::Visits;

/// Most paths run before the search.
const WARM_UP: u32 = 32;
/// Solver work before the search, beyond which no further path is run.
const WARM_UP_WORK: u64 = 20_000;
/// Largest size of a path's conditions for which queries about small values are tried with full
/// limits.
const MAX_SIZE: u64 = 5_000;
/// Most such queries that the solver leaves undecided at once, and their solver work in all, about
/// a second.
const MAX_HARD: u32 = 64;
const MAX_HARD_WORK: u64 = 400_000;
/// Default of the least solver work for a part of the small model of a path.
const MODEL_WORK: u64 = 4_000_000;
/// Weight of a unit of solver work in a slice, in instructions.
const WORK: u64 = 10;
/// Weight in a slice of each condition of the path at a decision, which may look at all of them, in
/// instructions.
const CONDITION: u64 = 20;

/// Outcome of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathOutcome {
    /// The method returned this slot; 0 for void.
    Returned(u64),
    /// The method threw this exception.
    Threw(Ref),
    /// The path was abandoned because of this bound.
    Bounded(Bound),
    /// A limit of one run was reached.
    Limit(Limit),
    /// The run met something that is refused.
    Refused(String),
    /// The program ended itself, in the described manner.
    Exited(String),
    /// No thread can go on; the text says what they wait for.
    Deadlocked(String),
    /// A reference had to be an object of a class of which none is created; [`InputCut::Types`] or
    /// [`InputCut::Implementations`] is recorded.
    Unmade(String),
}

/// Bound that ended a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// [`InputBounds::loops`]
    Loops,
    /// [`InputBounds::decisions`]
    Decisions,
    /// [`InputBounds::values`]
    Values,
    /// [`SearchScript::work`](script::SearchScript::work)
    Work,
}

/// Path, with the machine at its end.
#[derive(Clone, Debug)]
pub struct PathEnd {
    /// Outcome of the run.
    pub outcome: PathOutcome,
    /// Values that take this path; `None` if the solver found none within its limits, and for a
    /// predicate's path.
    pub model: Option<Assignment>,
    /// Number of sides on the path whose feasibility the solver could not decide.
    pub unknown: u32,
    /// Number of values fixed for lack of a term.
    pub fixed: u32,
    /// Inputs cut off beside the path, if [`SymbolicSearch::note_cuts`] was called.
    pub cuts: Cuts,
}

/// Alternatives of a fork.
enum Fork {
    /// Condition: it holds first, then fails.
    Branch {
        condition: Term,
        fails: Satisfiability,
    },
    /// Value of a term: the values tried, and whether there are more.
    Value {
        term: Term,
        tried: Vec<u64>,
        has_more: bool,
    },
    /// Target of a reference.
    Reference {
        number: u32,
        targets: Vec<ReferenceTarget>,
    },
    /// Membership of a reference in some objects: excluded first, then included.
    Among { number: u32, objects: Vec<Ref> },
    /// Choice of the next statement among this many.
    Step { count: usize },
    /// Call of a recursive method: by its contract, then its body.
    Call { cut: usize },
}

/// Subject of the search.
enum Task<'a> {
    Method(&'a EntryPoint),
    Script(Rc<SearchScript>),
}

/// Fork, with all state to be restored there.
pub struct SymbolicNode {
    fork: Fork,
    /// Number of the alternative taken.
    taken: i64,
    mark: MarkId,
    machine: MachineMark,
    inputs: usize,
    met: usize,
    /// Number of inputs given to statements; the next two count completed statements and decided
    /// queries.
    roots: usize,
    made: usize,
    verdicts: usize,
    new_object: u64,
    injected: Rc<[(u32, u64)]>,
    visits: Visits,
    /// Side that was not taken first.
    untaken: Untaken,
    /// Instructions of the path up to this fork.
    steps: u64,
    unknown: u32,
    fixed: u32,
    cuts: Cuts,
    holds: bool,
    is_before: bool,
    activations: Vec<induction::Activation>,
    /// Number of places noted that were written to.
    written: usize,
}

impl SymbolicNode {
    /// Whether there is an alternative after the one taken.
    fn has_more(&self) -> bool {
        let count = match &self.fork {
            Fork::Branch { .. } | Fork::Among { .. } | Fork::Call { .. } => 2,
            Fork::Value { has_more, .. } => return *has_more,
            Fork::Reference { targets, .. } => targets.len(),
            Fork::Step { count } => *count,
        };
        (self.taken as usize) + 1 < count
    }
}

/// Fork of a path, as a search by generations sees it.
#[derive(Clone, Copy, Debug)]
pub struct PathFork<'s> {
    /// Number of the alternative taken.
    pub taken: i64,
    /// Number of another alternative, if one may exist: the other side of a branch, or else the
    /// next.
    pub other: Option<i64>,
    /// Number of the path's queries before the fork.
    pub queries: usize,
    /// Sides of the branch, the first one and the other.
    pub sides: &'s Untaken,
}

/// End of the walk to a leaf.
pub enum WalkEnd {
    /// End of a path.
    Leaf(PathOutcome),
    /// Infeasible path.
    Dead,
}

/// Error that ends a search.
#[derive(Debug, thiserror::Error)]
pub enum SymbolicError {
    /// The method cannot be called.
    #[error("the method cannot be run: {0}")]
    NotCallable(String),
    /// The solver cannot be used.
    #[error(transparent)]
    Solver(#[from] SolverError),
    /// The search was started at a path that its tree does not have.
    #[error("the prefix leads to choices that this search does not make")]
    Misfit,
}

/// Divisor of the step limit for a statement's paths after one that reached it.
const SHARE_AFTER_LIMIT: u64 = 100;

/// Search over the paths of a method.
pub struct SymbolicSearch<'a> {
    task: Task<'a>,
    universe: &'a dyn Universe,
    bounds: InputBounds,
    step_limit: u64,
    machine: SymbolicMachine,
    inputs: Inputs,
    /// Slots of the receiver, if there is one, and of the parameters.
    roots: Vec<u64>,
    /// Slots of the method's arguments.
    arguments: Vec<u64>,
    /// Object that the running statement creates.
    new_object: u64,
    /// Words of its fields that are set at the end of the statement, with their values.
    injected: Rc<[(u32, u64)]>,
    /// Results of the completed statements; 0 for a statement without one.
    made: Vec<u64>,
    /// Operands so far that are the result of any one of several statements.
    any_made: Vec<AnyMade>,
    /// Statements that threw an exception, with its class.
    thrown: Vec<(usize, ClassId)>,
    /// Whether a statement of a script is complete and the next has not begun.
    is_between: bool,
    /// Extent to which paths of the last statement are still wanted, if not all are.
    leaves: Option<Lookahead>,
    /// Last statements with paths left.
    left: BTreeSet<usize>,
    /// Last statement of which a path reached the step limit. Its further paths have less.
    overlong: Option<usize>,
    /// Solver work for the last statement, without that for models of its paths.
    worked: u64,
    /// Positions of the run at which its statements began.
    starts: Vec<StatementStart>,
    /// Time spent on queries.
    solving: Duration,
    /// Results of the path's queries, in order.
    verdicts: Vec<SideVerdicts>,
    trail: Trail<SymbolicNode>,
    visits: Visits,
    /// Instructions since the run last stopped.
    ran: u64,
    /// Instruction count at which the path would have begun if run without going back.
    begun: u64,
    unknown: u32,
    fixed: u32,
    cuts: Cuts,
    /// Whether the predicate returned true, and the references it examined are being chosen.
    holds: bool,
    /// Whether the precondition runs, before the method.
    is_before: bool,
    beyond: BeyondBounds,
    /// Places where values had to be fixed, with their frequencies.
    fixed_at: std::collections::BTreeMap<String, u64>,
    /// Costs of infeasible paths.
    dead_ends: DeadEnds,
    /// Solver queries already counted, or counted by another search.
    counted: u64,
    /// Number of queries at which counting restarts, if that is before now.
    rebased_at: Option<u64>,
    wants_models: bool,
    /// Whether what unknown classes may do is noted.
    notes_others: bool,
    merging: merge::Merging,
    induction: Option<Box<Induction>>,
    /// Loops and bodies on the path, outermost first.
    activations: Vec<induction::Activation>,
    /// Objects of earlier iterations or calls that the path has met.
    met: Vec<Ref>,
    /// Least solver work for a part of the small model of a path.
    model_work: u64,
}

impl<'a> SymbolicSearch<'a> {
    /// Creates a search over the paths of `entry`. One run takes at most `step_limit` instructions.
    #[must_use]
    pub fn new(
        entry: &'a EntryPoint,
        universe: &'a dyn Universe,
        bounds: InputBounds,
        limits: Limits,
        step_limit: u64,
    ) -> SymbolicSearch<'a> {
        let task = Task::Method(entry);
        SymbolicSearch::of(
            task,
            universe,
            bounds,
            limits,
            step_limit,
            entry.predicate.is_some(),
        )
    }

    fn of(
        task: Task<'a>,
        universe: &'a dyn Universe,
        bounds: InputBounds,
        limits: Limits,
        step_limit: u64,
        is_predicate: bool,
    ) -> SymbolicSearch<'a> {
        SymbolicSearch {
            task,
            universe,
            bounds,
            step_limit,
            machine: SymbolicMachine::new(limits, &bounds, is_predicate),
            inputs: Inputs::default(),
            roots: Vec::new(),
            arguments: Vec::new(),
            new_object: 0,
            injected: Rc::default(),
            made: Vec::new(),
            any_made: Vec::new(),
            thrown: Vec::new(),
            is_between: false,
            leaves: None,
            left: BTreeSet::new(),
            overlong: None,
            worked: 0,
            starts: Vec::new(),
            solving: Duration::ZERO,
            verdicts: Vec::new(),
            trail: Trail::default(),
            visits: Visits::default(),
            ran: 0,
            begun: 0,
            unknown: 0,
            fixed: 0,
            cuts: Cuts::default(),
            holds: false,
            is_before: false,
            beyond: BeyondBounds::default(),
            fixed_at: std::collections::BTreeMap::new(),
            dead_ends: DeadEnds::default(),
            counted: 0,
            rebased_at: None,
            wants_models: true,
            notes_others: false,
            merging: merge::Merging::default(),
            induction: None,
            activations: Vec::new(),
            met: Vec::new(),
            model_work: MODEL_WORK,
        }
    }

    /// Whether the path rests on numbers in strings at whose characters nothing has looked, or on
    /// results of elementary functions. Inputs that take it may not exist.
    #[must_use]
    pub fn is_abstract(&self) -> bool {
        !self.machine.numbers.is_empty()
            || !self.machine.results.is_empty()
            || self.has_opaque_texts()
    }

    /// Whether the path rests on strings of any length; see [`InputBounds::opaque_texts`].
    #[must_use]
    pub fn has_opaque_texts(&self) -> bool {
        !self.machine.texts.is_empty()
    }

    /// Whether any path of the search so far has rested on such numbers.
    #[must_use]
    pub fn has_abstracted(&self) -> bool {
        self.machine.has_abstracted
    }

    /// Inputs that are to be the text of a number under a model, or strings of any length, with the
    /// text, by their places in [`SymbolicSearch::asked_inputs`]. Inputs are left out at whose
    /// characters something has looked later.
    #[must_use]
    pub fn abstract_texts(&self, model: &Assignment) -> Vec<(usize, Vec<u16>)> {
        let machine = &self.machine;
        let place_of = |input: u32| {
            let slot = symbolic_slot(input);
            machine.asked.iter().position(|asked| asked.slot == slot)
        };
        let guessed = machine.guessed_texts(model).into_iter();
        let guessed = guessed.filter_map(|(input, units)| Some((place_of(input)?, units)));
        let texts = machine.numbers.iter().filter_map(|number| {
            let input = machine.references.input_below(number.text)?;
            let place = place_of(input)?;
            if machine.references.chosen(input).is_some() {
                return None;
            }
            let bits = |slot: u64| match self.term_of(slot) {
                Some(term) => self.pool().evaluate(term, model),
                None => slot,
            };
            let text = match bits(number.is_number) {
                0 => "x".to_owned(),
                _ => number_text(number.kind, bits(number.value), number.radix),
            };
            Some((place, text.encode_utf16().collect()))
        });
        guessed.chain(texts).collect()
    }

    /// Sets the bound on iterations and recursion; returns the previous one.
    pub fn set_max_loops(&mut self, loops: u32) -> u32 {
        std::mem::replace(&mut self.bounds.loops, loops)
    }

    /// Sets the least solver work for a part of the small model of a path; returns the previous
    /// one.
    pub fn set_model_work(&mut self, work: u64) -> u64 {
        std::mem::replace(&mut self.model_work, work)
    }

    /// Sets the limit of instructions of a path; returns the previous one.
    pub fn set_step_limit(&mut self, steps: u64) -> u64 {
        std::mem::replace(&mut self.step_limit, steps)
    }

    /// Solver's work so far, in instructions of the same cost.
    #[must_use]
    pub fn solver_effort(&self) -> u64 {
        self.statistics().work * WORK
    }

    /// Sets whether an index is fixed that was itself selected by a selected one, such as the state
    /// of a scanner.
    pub fn fix_states(&mut self, fixes_states: bool) {
        self.machine.fixes_states = fixes_states;
    }

    /// Enumerates the forks of the path, oldest first.
    pub fn forks(&self) -> impl ExactSizeIterator<Item = PathFork<'_>> {
        self.trail.forks.iter().map(|node| PathFork {
            taken: node.taken,
            other: match node.fork {
                Fork::Branch { .. } | Fork::Among { .. } | Fork::Call { .. } => {
                    Some(1 - node.taken)
                }
                _ => node.has_more().then_some(node.taken + 1),
            },
            queries: node.verdicts,
            sides: &node.untaken,
        })
    }

    /// Whether steering wants an untaken side with a lookahead of this extent.
    #[must_use]
    pub fn wants(&self, untaken: &Untaken, extent: Lookahead) -> bool {
        self.machine.steering.wants(untaken, extent)
    }

    /// Sets the stopper that ends the solver's current query, and with it the search.
    pub fn stop_by(&mut self, stopper: Stopper) {
        self.machine.solver.stop_by(stopper);
    }

    /// Sets the strategy, in place of [`DepthFirst`].
    pub fn steer(&mut self, steering: impl Steering + 'static) {
        self.machine.steering = Box::new(steering);
    }

    /// Disables models of paths.
    pub fn leave_models_out(&mut self) {
        self.wants_models = false;
    }

    /// Sets the queries evaluated at probes, by their number; an open result splits the path.
    pub fn ask_at(&mut self, questions: impl IntoIterator<Item = (u32, ProbeQuery)>) {
        self.machine.questions.clear();
        for (point, question) in questions {
            let place = point as usize;
            if place >= self.machine.questions.len() {
                self.machine.questions.resize(place + 1, None);
            }
            self.machine.questions[place] = Some(question);
        }
    }

    /// Sets the probe at which known operands of the following instruction become events.
    pub fn note_operands(&mut self, noted: Option<NotedOperands>) {
        self.machine.noted = noted;
    }

    /// Results of the queries at probes on the path, oldest first.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.machine.events
    }

    /// Statistics of the solver.
    #[must_use]
    pub fn statistics(&self) -> &Statistics {
        self.machine.solver.statistics()
    }

    /// Places where values had to be fixed for lack of a term, with their frequencies.
    #[must_use]
    pub fn fixed_at(&self) -> &std::collections::BTreeMap<String, u64> {
        &self.fixed_at
    }

    /// Returns and resets [`SymbolicSearch::fixed_at`].
    pub fn take_fixed_at(&mut self) -> std::collections::BTreeMap<String, u64> {
        std::mem::take(&mut self.fixed_at)
    }

    /// Returns and resets the record of inputs beyond the bounds.
    pub fn take_beyond(&mut self) -> BeyondBounds {
        std::mem::take(&mut self.beyond)
    }

    /// Number of new objects of the input in total, and of its most frequent class; strings and
    /// boxes do not count.
    #[must_use]
    pub fn counts(&self) -> (u32, u32) {
        self.inputs.counts()
    }

    /// Multiplies the solver's work limit per query by `times`; returns the previous limits.
    /// Queries that were left undecided are decided again; otherwise no model would be sought for a
    /// path that ends with one.
    pub fn scale_limits(&mut self, times: u64) -> Limits {
        let limits = self.machine.solver.limits();
        self.machine.solver.set_limits(Limits {
            work: limits.work.saturating_mul(times),
        });
        self.machine.solver.forget_unknown();
        limits
    }

    /// Sets the solver's work limit per query.
    pub fn set_limits(&mut self, limits: Limits) {
        self.machine.solver.set_limits(limits);
    }

    /// Returns values that take the path at whose end the search stands; `None` if the solver finds
    /// none within its limits. Numbers lie in the wanted range where possible, restricted one by
    /// one in the order of creation.
    ///
    /// # Errors
    /// The solver cannot be used.
    pub fn small_model(
        &mut self,
        wanted: std::ops::Range<u32>,
    ) -> Result<Option<Assignment>, SolverError> {
        let mark = self.machine.mark();
        let model = self.narrowed_model(&wanted);
        self.machine.undo_to(&mark);
        model
    }

    fn narrowed_model(
        &mut self,
        wanted: &std::ops::Range<u32>,
    ) -> Result<Option<Assignment>, SolverError> {
        let pool = &self.machine.pool;
        let conditions = self.machine.solver.conditions().iter();
        let size: u64 = conditions.map(|&term| u64::from(pool.size(term))).sum();
        // Handing large conditions to the solver is slow, whatever the query.
        let mut hard = if size > MAX_SIZE { MAX_HARD } else { 0 };
        let most_work = self.statistics().work + MAX_HARD_WORK;
        for wish in self.machine.likely_texts() {
            self.grant(wish, &mut hard, most_work)?;
        }
        for place in 0..self.machine.variables.len() {
            for bound in self.machine.range(place, wanted) {
                self.grant(bound, &mut hard, most_work)?;
            }
        }
        // Deciding a side may give up, but a path's values are needed: the limits are raised.
        let limits = self.machine.solver.limits();
        self.machine.solver.set_limits(Limits {
            work: limits.work.max(self.model_work),
        });
        let model = self.machine.solver.model(&self.machine.pool);
        self.machine.solver.set_limits(limits);
        model
    }

    /// Requires what is wished of a model if it can hold, as far as the work suffices to find out.
    fn grant(&mut self, wish: Term, hard: &mut u32, most_work: u64) -> Result<(), SolverError> {
        let machine = &mut self.machine;
        let mut decision = machine.solver.decide_at_once(&machine.pool, wish);
        let is_left = machine.solver.statistics().work < most_work;
        if decision.holds == Satisfiability::Unknown && *hard < MAX_HARD && is_left {
            *hard += 1;
            decision = machine.solver.decide(&machine.pool, wish)?;
        }
        if decision.holds == Satisfiability::Sat && decision.fails != Satisfiability::Unsat {
            machine.require(wish);
        }
        Ok(())
    }

    /// Whether the path at whose end the search stands is known to be infeasible, if the solver has
    /// this much work to find out.
    ///
    /// # Errors
    /// The solver cannot be used.
    pub fn is_infeasible(&mut self, work: u64) -> Result<bool, SolverError> {
        let solver = &mut self.machine.solver;
        let limits = solver.limits();
        solver.set_limits(Limits {
            work: limits.work.max(work),
        });
        solver.forget_unknown();
        let feasibility = solver.feasibility(&self.machine.pool);
        self.machine.solver.set_limits(limits);
        Ok(feasibility? == Satisfiability::Unsat)
    }

    /// Pool of the path's terms.
    #[must_use]
    pub fn pool(&self) -> &TermPool {
        &self.machine.pool
    }

    /// Variables of the path.
    #[must_use]
    pub fn variables(&self) -> &[Variable] {
        &self.machine.variables
    }

    /// Decisions of the path, oldest first.
    #[must_use]
    pub fn decisions(&self) -> &[Decision] {
        &self.machine.decisions
    }

    /// Conditions of the path, including the inputs' bounds.
    #[must_use]
    pub fn conditions(&self) -> &[Term] {
        self.machine.solver.conditions()
    }

    /// Initial slots of the receiver, if it is an input, and of the parameters.
    #[must_use]
    pub fn roots(&self) -> &[u64] {
        &self.roots
    }

    /// Inputs that the program asked for on the path, oldest first.
    #[must_use]
    pub fn asked_inputs(&self) -> &[AskedInput] {
        &self.machine.asked
    }

    /// Input objects of the path, in the order of creation.
    #[must_use]
    pub fn input_objects(&self) -> &[InputObject] {
        &self.inputs.objects
    }

    /// Returns a slot's value under a model: bits, an object's reference, or null. An unresolved
    /// reference is null if the model says so, otherwise `None`: any object is possible.
    #[must_use]
    pub fn value(&self, slot: u64, model: &Assignment) -> Option<u64> {
        let slot = self.machine.references.current(slot);
        let Some(number) = term_of(slot) else {
            return Some(slot);
        };
        if let Some(fixed) = self.machine.fixed(number) {
            return Some(fixed);
        }
        if number < REFERENCES {
            return Some(self.pool().evaluate(Term::from_number(number), model));
        }
        if let Some(open) = self.machine.references.open(number) {
            return (self.pool().evaluate(open.is_null, model) == 1).then_some(0);
        }
        let alternatives = self.machine.references.alternatives(number);
        let holds = |&&(condition, _): &&(Term, u64)| self.pool().evaluate(condition, model) == 1;
        let (_, slot) = alternatives.iter().find(holds)?;
        self.value(*slot, model)
    }

    /// Whether the path examined a slot of reference type, if only for null.
    #[must_use]
    pub fn was_read(&self, slot: u64) -> bool {
        let references = &self.machine.references;
        term_of(slot).is_none_or(|number| {
            references.chosen(number).is_some()
                || references
                    .open(number)
                    .is_some_and(|open| self.machine.settled(open.is_null).is_some())
        })
    }

    /// Declared class of an open reference.
    #[must_use]
    pub fn bound_of(&self, slot: u64) -> Option<ClassId> {
        let number = inputs::reference_in(&self.machine, slot)?;
        if self.machine.references.text(number).is_some() {
            return Some(self.machine.references.string_class);
        }
        Some(self.machine.references.open(number)?.bound)
    }

    /// Costs of the path to the current leaf, from where it left the path before. So they are the
    /// same wherever a search of parts begins.
    #[must_use]
    pub fn costs_of_path(&self) -> PathCosts {
        let (now, before) = (&self.trail.progress, self.trail.guide.before());
        PathCosts {
            steps: now.steps - before.steps,
            queries: now.queries - before.queries,
        }
    }

    /// Takes the costs of the infeasible paths since the last call, which have no leaf.
    pub fn take_dead_ends(&mut self) -> DeadEnds {
        std::mem::take(&mut self.dead_ends)
    }

    /// Term of a symbolic slot of primitive kind.
    #[must_use]
    pub fn term_of(&self, slot: u64) -> Option<Term> {
        let number = term_of(slot).filter(|&number| number < REFERENCES)?;
        Some(Term::from_number(number))
    }

    fn is_predicate(&self) -> bool {
        matches!(self.task, Task::Method(entry) if entry.predicate.is_some())
    }

    fn is_script(&self) -> bool {
        matches!(self.task, Task::Script(_))
    }

    /// Passes a path to the visitor, unless it is infeasible.
    fn end_path(
        &mut self,
        vm: &mut Vm,
        outcome: PathOutcome,
        visit: &mut Visitor<'_, Self>,
    ) -> Result<ControlFlow<()>, SymbolicError> {
        self.trail.progress.count_explored(Self::LEAF);
        let mut model = None;
        // The model of a script's path is computed only on request.
        let has_model = matches!(self.task, Task::Method(entry) if entry.predicate.is_none());
        if has_model && self.wants_models {
            model = self.machine.solver.model(&self.machine.pool)?;
        }
        if matches!(
            outcome,
            PathOutcome::Refused(_)
                | PathOutcome::Exited(_)
                | PathOutcome::Deadlocked(_)
                | PathOutcome::Unmade(_)
        ) {
            self.trail.progress.refused += 1;
        }
        let end = PathEnd {
            outcome,
            model,
            unknown: self.unknown,
            fixed: self.fixed,
            cuts: self.cuts,
        };
        let visited = visit(vm, &end, self);
        self.counted = self.statistics().queries;
        Ok(visited)
    }

    /// Limits the machine to a slice, or to the rest of the path's step limit.
    fn limit_steps(&self, vm: &mut Vm) {
        let left = self.path_limit().saturating_sub(vm.steps() - self.begun);
        vm.limit_steps(left.min(SLICE));
    }

    /// Step limit of the path. Where one path of a statement does not end, many may not.
    fn path_limit(&self) -> u64 {
        match self.overlong.is_some() && self.overlong == self.last() {
            true => self.step_limit / SHARE_AFTER_LIMIT,
            false => self.step_limit,
        }
    }

    /// Counts the queries since the last call.
    fn count_queries(&mut self) {
        let queries = self.statistics().queries;
        self.trail.progress.queries += queries - self.counted;
        self.counted = queries;
    }

    fn count_steps(&mut self, vm: &Vm, start: u64) {
        let steps = vm.steps() - start;
        self.trail.progress.steps += steps;
        self.trail.steps_since_ask += steps;
    }
}

impl Tree for SymbolicSearch<'_> {
    type Fork = SymbolicNode;
    type Stop = WalkEnd;
    type Leaf = PathEnd;
    type Error = SymbolicError;
    type Mark = MachineMark;

    const IS_SYMBOLIC: bool = true;
    const LEAF: u64 = 5_000;

    fn trail(&self) -> &Trail<SymbolicNode> {
        &self.trail
    }

    fn trail_mut(&mut self) -> &mut Trail<SymbolicNode> {
        &mut self.trail
    }

    fn taken(node: &SymbolicNode) -> i64 {
        node.taken
    }

    fn next_alternative(&self, fork: usize) -> Option<i64> {
        let node = &self.trail.forks[fork];
        node.has_more().then_some(node.taken + 1)
    }

    fn place(&self, fork: usize) -> (u32, u32) {
        let node = &self.trail.forks[fork];
        let all = match &node.fork {
            Fork::Branch { .. } | Fork::Among { .. } | Fork::Call { .. } => 2,
            Fork::Value { .. } => self.bounds.values.max(1) as usize,
            Fork::Reference { targets, .. } => targets.len().max(1),
            Fork::Step { count } => *count,
        };
        (node.taken as u32, all as u32)
    }

    fn begin(&mut self) {
        self.machine.steering.begin();
    }

    fn mark(&mut self) -> MachineMark {
        self.machine.mark()
    }

    fn enter(&mut self, vm: &mut Vm) -> Result<(), SymbolicError> {
        self.begun = vm.steps();
        self.set_activations(vm, Vec::new());
        let references = &mut self.machine.references;
        for (name, class) in [
            ("java/lang/Object", &mut references.object_class),
            ("java/lang/String", &mut references.string_class),
        ] {
            if let Ok(loaded) = vm.load_class(name) {
                *class = loaded;
            }
        }
        self.roots.clear();
        self.machine.first_made = Ref(vm.heap.end());
        match self.task {
            Task::Method(entry) => self.call(vm, entry),
            Task::Script(_) => {
                // What a statement makes may be an input of the next one.
                self.machine.first_made = Ref(u32::MAX);
                self.is_between = true;
                Ok(())
            }
        }
    }

    fn leave(&mut self, mark: MachineMark) {
        self.machine.undo_to(&mark);
        self.inputs.objects.clear();
        self.met.clear();
        self.visits = Visits::default();
        self.ran = 0;
        (self.unknown, self.fixed, self.holds) = (0, 0, false);
        self.cuts = Cuts::default();
        self.is_before = false;
        self.made.clear();
        self.any_made.clear();
        self.thrown.clear();
        self.starts.clear();
        self.verdicts.clear();
        (self.is_between, self.leaves) = (false, None);
    }

    fn warm_up_runs(
        &mut self,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
        initialized: &mut Vec<ClassId>,
    ) -> Result<ControlFlow<()>, SymbolicError> {
        if self.induction.is_some() {
            return Ok(ControlFlow::Continue(()));
        }
        let mut run_some = || {
            for _ in 0..WARM_UP {
                let run = self.run_to_leaf(vm, ask)?;
                initialized.extend(vm.begun_library_classes());
                let is_enough = self.statistics().work > WARM_UP_WORK;
                if run.is_break() || is_enough || self.advance(vm)?.is_none() {
                    break;
                }
            }
            // The search itself stops at its next call of `ask`.
            Ok(ControlFlow::Continue(()))
        };
        let result = run_some();
        self.fixed_at.clear();
        self.beyond = BeyondBounds::default();
        result
    }

    fn run_to_leaf(
        &mut self,
        vm: &mut Vm,
        ask: &mut TreeCallback<'_, Self>,
    ) -> Result<ControlFlow<(), WalkEnd>, SymbolicError> {
        let mut start = vm.steps();
        let mut work = self.statistics().work;
        self.limit_steps(vm);
        let stop = loop {
            if self.holds {
                match self.resolve_remaining(vm)? {
                    None => continue,
                    Some(stop) => break stop,
                }
            }
            if self.is_between {
                match self.next_step(vm) {
                    None => continue,
                    Some(stop) => break stop,
                }
            }
            let before = vm.steps();
            let exit = vm.run(&mut self.machine);
            self.ran += vm.steps() - before;
            if matches!(exit, Exit::Branch | Exit::Symbolic(_)) {
                self.visits.stop(std::mem::take(&mut self.ran));
            }
            let went = match exit {
                Exit::Branch => {
                    if let Some(wanted) = self.machine.wanted.take() {
                        vm.tabulate(wanted);
                        continue;
                    }
                    if let Some(probe) = self.machine.arrived.take() {
                        match self.arrive(vm, probe)? {
                            None => {
                                self.limit_steps(vm);
                                continue;
                            }
                            Some(stop) => break stop,
                        }
                    }
                    let is_assumption = std::mem::take(&mut self.machine.is_assumption);
                    match self.machine.open.take() {
                        Some(condition) if is_assumption => self.assume(vm, condition)?,
                        Some(condition) => self.branch(vm, condition)?,
                        None => self.split_among(vm)?,
                    }
                }
                Exit::Symbolic(spot) => self.fix(vm, spot)?,
                Exit::Aside(number, value) => {
                    self.end_aside(vm, number, value);
                    // A text that is the result was made after the last statement.
                    self.is_between = self.is_script() && vm.frames().is_empty();
                    None
                }
                Exit::Break if self.induction.is_some() => self.end_body(vm)?,
                Exit::Pruned => Some(match std::mem::take(&mut self.machine.is_assumption) {
                    true => self.end_unwanted(vm),
                    false => WalkEnd::Dead,
                }),
                exit @ (Exit::Done(_) | Exit::Threw(_)) if self.is_before => {
                    self.after_precondition(vm, exit)?
                }
                Exit::Done(answer) if self.is_predicate() => self.answer(answer)?,
                exit @ (Exit::Done(_) | Exit::Threw(_)) if matches!(self.task, Task::Script(_)) => {
                    self.end_step(vm, &exit)
                }
                Exit::Done(answer) => Some(WalkEnd::Leaf(PathOutcome::Returned(answer))),
                Exit::Threw(exception) => Some(WalkEnd::Leaf(PathOutcome::Threw(exception))),
                Exit::Limit(Limit::Steps) if vm.steps() - self.begun < self.path_limit() => {
                    if ask(self).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                    None
                }
                Exit::Limit(limit) => {
                    if limit == Limit::Steps && self.is_script() {
                        self.overlong = self.last();
                    }
                    Some(WalkEnd::Leaf(PathOutcome::Limit(limit)))
                }
                exit @ Exit::Exited(_) => {
                    Some(WalkEnd::Leaf(PathOutcome::Exited(vm.exit_text(&exit))))
                }
                exit @ Exit::Deadlock(_) => {
                    Some(WalkEnd::Leaf(PathOutcome::Deadlocked(vm.exit_text(&exit))))
                }
                exit => Some(WalkEnd::Leaf(PathOutcome::Refused(vm.exit_text(&exit)))),
            };
            // The steps to an alternative other than the first were counted by the search that took
            // the first.
            if std::mem::take(&mut self.trail.guide.rebased) {
                start = vm.steps();
                let queries = self.statistics().queries;
                self.counted = self.rebased_at.take().unwrap_or(queries);
            }
            if let Some(stop) = went {
                break stop;
            }
            let before = std::mem::replace(&mut work, self.statistics().work);
            self.trail.steps_since_ask += (work - before) * WORK;
            self.trail.steps_since_ask += self.conditions().len() as u64 * CONDITION;
            if self.trail.steps_since_ask >= SLICE {
                self.trail.steps_since_ask = 0;
                if ask(self).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            self.limit_steps(vm);
        };
        self.count_steps(vm, start);
        self.count_queries();
        Ok(ControlFlow::Continue(stop))
    }

    fn visit_leaf(
        &mut self,
        vm: &mut Vm,
        stop: WalkEnd,
        _: &mut TreeCallback<'_, Self>,
        visit: &mut Visitor<'_, Self>,
    ) -> Result<Option<End>, SymbolicError> {
        let guide = &self.trail.guide;
        // A run of a statement may end earlier than when the path was found: its limits change.
        if guide.misfits || !self.is_script() && !guide.has_arrived() {
            return Err(SymbolicError::Misfit);
        }
        self.machine.steering.note_reads(vm.read_positions());
        match stop {
            WalkEnd::Leaf(outcome) => {
                self.note_end(&outcome);
                if self.end_path(vm, outcome, visit)?.is_break() {
                    return Ok(Some(End::ByVisitor));
                }
            }
            _ => self.dead_ends.add(self.counts(), self.costs_of_path()),
        }
        let is_over = self.machine.steering.is_over() || self.is_induction_over();
        Ok(is_over.then_some(End::ByVisitor))
    }

    fn advance(&mut self, vm: &mut Vm) -> Result<Option<Option<WalkEnd>>, SymbolicError> {
        while self.trail.forks.len() > self.trail.guide.span.fixed
            && let Some(newest) = self.trail.forks.last()
        {
            let is_left = newest.has_more();
            if is_left && self.is_wanted(newest) {
                self.back_to_fork(vm);
                let went = self.take_next(vm)?;
                if went.is_some() {
                    self.count_queries();
                }
                return Ok(Some(went));
            }
            if is_left {
                self.record_unfinished();
            }
            self.trail.forks.pop();
        }
        Ok(None)
    }

    fn has_parts(&self) -> bool {
        !self.merging.is_on && self.induction.is_none()
    }

    fn interrupted(error: SymbolicError) -> Result<End, SymbolicError> {
        match error {
            SymbolicError::Solver(SolverError::Stopped) => Ok(End::Interrupted),
            error => Err(error),
        }
    }
}

/// Digits of a number to a base from 2 to 36.
fn integer_text(number: i64, radix: u64) -> String {
    let mut left = number.unsigned_abs();
    let mut digits = Vec::new();
    while left > 0 || digits.is_empty() {
        let digit = (left % radix) as u32;
        digits.extend(char::from_digit(digit, radix as u32));
        left /= radix;
    }
    let sign = (number < 0).then_some('-');
    sign.into_iter().chain(digits.into_iter().rev()).collect()
}

/// Text that Java parses, to a base, as a number with these bits.
fn number_text(kind: Kind, bits: u64, radix: u64) -> String {
    let text = match kind {
        Kind::Float => format!("{:?}", f32::from_bits(bits as u32)),
        Kind::Double => format!("{:?}", f64::from_bits(bits)),
        Kind::Long => integer_text(bits as i64, radix),
        _ => integer_text((bits as u32 as i32).into(), radix),
    };
    text.replace("inf", "Infinity")
}
