//! Verification of programs: whether any inputs violate a property.
//!
//! A program asks for its inputs by itself, through the libraries of tools for verification, which
//! are declared here in terms of one class of natives. Each input is symbolic from the call on. A
//! search of all paths with small bounds is repeated with wider ones as long as the bounds have cut
//! something off. Between them, proofs are looked for by induction (`induction`). Invariant: `true` is
//! claimed only if the last search, or that of a proof, was complete and nothing was cut off on any of
//! its paths.

mod bounds;
mod induction;
mod opened;
mod replay;
mod reproducer;
mod search;
mod texts;
mod trials;
mod violation;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use heapwright_explore::symbolic::{InputBounds, Limits, Statistics};
use heapwright_jvm::{Chance, Vm};

use self::induction::Prover;
use self::texts::{TextOutcome, TextSearches};
use crate::Error;
use crate::symbolic::{Crew, CutBy, CutCounts};

pub use bounds::{Widening, initial};
pub use classes::CLASSES;
pub use induction::{Invariant, Subject};
pub use opened::OpenedMethod;
pub use reproducer::{Reproducer, reproducer};
pub use violation::{AskedLiteral, AskedValue, Place, Violation};

/// Declarations of the libraries by whose methods programs ask for inputs.
mod classes {
    include!(concat!(env!("OUT_DIR"), "/verifiers.rs"));
}

/// Least time of an attempt to prove the property by induction.
const LEAST_PROOF: Duration = Duration::from_millis(500);

/// Property of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// No `assert` fails: no `AssertionError` ends a thread.
    Assertions,
    /// No `RuntimeException` ends a thread.
    NoRuntimeException,
    /// Nothing that is thrown ends a thread.
    NoException,
    /// No run comes to where no thread can go on.
    NoDeadlock,
}

/// What is run.
#[derive(Clone, Debug)]
pub enum Program {
    /// The `main` method with these arguments.
    Main(Vec<String>),
    /// A method with open arguments, by its name or as `remove(int)`.
    Method(String),
}

/// Parameters of a verification.
#[derive(Clone, Debug)]
pub struct VerifyRequest {
    /// Binary name of the class.
    pub class: String,
    /// What is run.
    pub program: Program,
    /// Methods with open arguments that the program calls.
    pub opened: Vec<OpenedMethod>,
    /// Property to be verified.
    pub property: Property,
    /// First search.
    pub first: SearchSettings,
    /// Whether states are merged; `None` if they are as soon as there are too many paths.
    pub merges: Option<bool>,
    /// Whether a search is accepted that is complete but for what the user's bounds have cut off, or
    /// any bounds if the user has set none.
    pub is_bounded: bool,
    /// What is widened from one search to the next.
    pub widening: Widening,
    /// Limits of the solver.
    pub limits: Limits,
    /// Time for all searches, if it is limited.
    pub time: Option<Duration>,
}

/// Answer about a property.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It is violated.
    False(Box<Violation>),
    /// No inputs violate it, by all paths or by [`VerifyReport::invariants`].
    True,
    /// No inputs within the bounds of the last search violate it; the user accepts them.
    Bounded,
    /// No violation was found, but something was left out.
    Unknown,
}

/// Bounds and strategy of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchSettings {
    /// Bounds of inputs.
    pub bounds: InputBounds,
    /// Most instructions of one run.
    pub step_limit: u64,
    /// Whether states are merged.
    pub merges: bool,
    /// Whether a thread that is started runs before the one that starts it.
    pub runs_started_first: bool,
}

/// One search.
#[derive(Clone, Debug)]
pub struct Round {
    /// Bounds and strategy.
    pub settings: SearchSettings,
    /// Whether all paths were searched.
    pub is_complete: bool,
    /// Paths with their ends.
    pub paths: u64,
    /// Paths that each bound or limit has cut.
    pub cut: CutCounts,
    /// What was refused, with the number of paths.
    pub refused: BTreeMap<String, u64>,
    /// What was read that differs from run to run.
    pub chances: BTreeSet<Chance>,
    /// Whether a path has rested on numbers in strings; see [`InputBounds::abstracts_numbers`].
    pub has_abstracted: bool,
}

/// What ended a search early.
enum Found {
    Violation(Box<Violation>),
    /// Violation that a run on its inputs does not confirm.
    Unconfirmed,
    /// Likewise, where the inputs are a guess: the path rests on numbers in strings.
    Guessed,
}

/// Result of a verification, or its state after a search.
#[derive(Clone, Debug)]
pub struct VerifyReport {
    /// The answer.
    pub verdict: Verdict,
    /// Searches, in order.
    pub rounds: Vec<Round>,
    /// Whether the time was up, or the user stopped it.
    pub is_stopped: bool,
    /// What a proof by induction rests on; empty if all paths were searched.
    pub invariants: Vec<Invariant>,
    /// Statistics of all solvers.
    pub solver: Statistics,
}

impl VerifyReport {
    /// State before the first search.
    #[must_use]
    pub fn begun() -> VerifyReport {
        VerifyReport {
            verdict: Verdict::Unknown,
            rounds: Vec::new(),
            is_stopped: false,
            invariants: Vec::new(),
            solver: Statistics::default(),
        }
    }

    /// Bounds and limits that have cut the last search.
    #[must_use]
    pub fn cut(&self) -> BTreeSet<CutBy> {
        let last = self.rounds.last();
        last.map(|round| round.cut.keys().copied().collect())
            .unwrap_or_default()
    }

    /// Paths of all searches.
    #[must_use]
    pub fn paths(&self) -> u64 {
        self.rounds.iter().map(|round| round.paths).sum()
    }
}

/// Verifies a program. `observe` receives the state after each search, without what that
/// has found.
///
/// # Errors
/// There is no such class or method, or the solver cannot be used.
pub fn verify(
    vm: &mut Vm,
    request: &VerifyRequest,
    crew: &mut Crew<'_>,
    observe: &mut dyn FnMut(&VerifyReport),
) -> Result<VerifyReport, Error> {
    let start = Instant::now();
    let mut report = VerifyReport::begun();
    let mut prover = Prover::default();
    let mut texts = TextSearches::default();
    let mut has_tried = false;
    let mut settings = request.first;
    settings.merges = request.merges.unwrap_or_default();
    loop {
        let number = report.rounds.len();
        // Nothing is true any more once a violation was not confirmed.
        let before = report.rounds.last();
        let is_doubtful = before.is_some_and(|round| round.cut.contains_key(&CutBy::Replay));
        let begun = Instant::now();
        let limit = request.time.and_then(|time| {
            let left = time.saturating_sub(start.elapsed());
            request.time_limit(number, settings, left)
        });
        let (mut round, found) =
            search::run(vm, request, settings, limit, crew, &mut report.solver)?;
        if is_doubtful {
            *round.cut.entry(CutBy::Replay).or_default() += 1;
        }
        let is_complete = round.is_complete;
        let may_look = round.has_abstracted && settings.bounds.abstracts_numbers;
        let cut: BTreeSet<CutBy> = round.cut.keys().copied().collect();
        let misses_none = is_complete && round.refused.is_empty();
        report.rounds.push(round);
        observe(&report);
        match found {
            Some(Found::Violation(violation)) => {
                report.verdict = Verdict::False(violation);
                return Ok(report);
            }
            // A search that looks at all characters finds such a string, or none is there.
            Some(Found::Guessed) => {
                settings.bounds.abstracts_numbers = false;
                settings.bounds.opaque_texts = false;
                continue;
            }
            // What remains to be tried are paths without merged states.
            Some(Found::Unconfirmed) if !settings.merges => return Ok(report),
            Some(Found::Unconfirmed) => {
                settings.merges = false;
                continue;
            }
            None => {}
        }
        if misses_none && cut.is_empty() {
            report.verdict = Verdict::True;
            return Ok(report);
        }
        if request.is_bounded && misses_none && request.widening.accepts(&cut) {
            report.verdict = Verdict::Bounded;
            return Ok(report);
        }
        if (crew.stops)() {
            report.is_stopped = true;
            return Ok(report);
        }
        if may_look && !is_complete {
            // The text of any number can cost more than the characters of short strings.
            settings.bounds.abstracts_numbers = false;
            continue;
        }
        // A bound of the user holds for strings, too.
        if request.widening.scope && !is_doubtful && texts.is_hopeful(&cut) {
            let is_tried = std::mem::replace(&mut has_tried, true);
            if !is_tried && let Some(violation) = search::try_literals(vm, request, settings, crew)?
            {
                report.verdict = Verdict::False(violation);
                return Ok(report);
            }
            let time = begun.elapsed().max(LEAST_PROOF);
            match texts.attempt(vm, request, settings, time, crew, &mut report.solver)? {
                TextOutcome::Violation(round, violation) => {
                    report.rounds.push(round);
                    report.verdict = Verdict::False(violation);
                    return Ok(report);
                }
                TextOutcome::Proven(round, invariants) => {
                    report.rounds.push(round);
                    report.invariants = invariants;
                    report.verdict = Verdict::True;
                    return Ok(report);
                }
                TextOutcome::Undecided => {}
            }
        }
        // Too many paths are fewer where their states are merged.
        let may_merge = request.merges.unwrap_or(settings.merges || !is_complete);
        let mut next = SearchSettings {
            merges: may_merge && !is_doubtful,
            ..settings
        };
        let is_scheduled = cut.contains(&CutBy::Schedules) && !next.runs_started_first;
        next.runs_started_first |= is_scheduled;
        let is_wider = request.widening.next(&mut next, &cut, number);
        let is_last = !is_wider && !is_scheduled && is_complete;
        // A stack that overflows may do so before recursion has come to its bound, and a wider search
        // may not come to it in its time.
        let mut all_cuts = report.rounds.iter().flat_map(|round| round.cut.keys());
        let repeats = all_cuts.any(|by| matches!(by, CutBy::Loops | CutBy::Machine));
        if repeats && !is_doubtful && prover.is_hopeful() {
            let time = match is_last {
                true => request
                    .time
                    .map_or(Duration::MAX, |time| time.saturating_sub(start.elapsed())),
                false => begun.elapsed().max(LEAST_PROOF),
            };
            let proof = prover.attempt(vm, request, settings, time, crew, &mut report.solver)?;
            if let Some(invariants) = proof {
                report.invariants = invariants;
                report.verdict = Verdict::True;
                return Ok(report);
            }
        }
        if is_last {
            return Ok(report);
        }
        settings = next;
    }
}

impl VerifyRequest {
    /// Time of a search, of that which is left; `None` if it may take all of it.
    fn time_limit(
        &self,
        number: usize,
        settings: SearchSettings,
        left: Duration,
    ) -> Option<TimeLimit> {
        let is_final = self.merges.is_some() || settings.merges;
        Some(TimeLimit {
            time: self.widening.share(number, left)?,
            // Another search of the same paths is no better.
            only_if_cut: is_final,
        })
    }
}

/// Time after which a search makes way for the next.
#[derive(Clone, Copy, Debug)]
struct TimeLimit {
    time: Duration,
    /// Whether it holds only once a bound has cut something off.
    only_if_cut: bool,
}
