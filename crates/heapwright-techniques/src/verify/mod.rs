//! Verification of programs: whether any inputs violate a property.
//!
//! A program asks for its inputs by itself, through the libraries of tools for verification, which
//! are declared here in terms of one class of natives. Each input is symbolic from the call on. A
//! search of all paths with small bounds is repeated with wider ones as long as the bounds have cut
//! something off. Invariant: `true` is claimed only if the last search was complete and nothing was
//! cut off on any of its paths.

mod bounds;
mod opened;
mod reproducer;
mod search;
mod violation;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use heapwright_explore::symbolic::{InputBounds, Limits, Statistics};
use heapwright_jvm::Vm;

use crate::Error;
use crate::symbolic::{Crew, CutBy, CutCounts};

pub use bounds::{Widening, initial};
pub use classes::CLASSES;
pub use opened::OpenedMethod;
pub use reproducer::{Reproducer, reproducer};
pub use violation::{AskedLiteral, AskedValue, Place, Violation};

/// Declarations of the libraries by whose methods programs ask for inputs.
mod classes {
    include!(concat!(env!("OUT_DIR"), "/verifiers.rs"));
}

/// Property of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// No `assert` fails: no `AssertionError` ends a thread.
    Assertions,
    /// No exception ends a thread.
    NoRuntimeException,
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
    /// Bounds of the first search.
    pub bounds: InputBounds,
    /// Most instructions of one run in the first search.
    pub step_limit: u64,
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
    /// No inputs violate it.
    True,
    /// No violation was found, but something was left out.
    Unknown,
}

/// One search, with its bounds.
#[derive(Clone, Debug)]
pub struct Round {
    /// Bounds of inputs.
    pub bounds: InputBounds,
    /// Most instructions of one run.
    pub step_limit: u64,
    /// Whether all paths were searched.
    pub is_complete: bool,
    /// Paths with their ends.
    pub paths: u64,
    /// Paths that each bound or limit has cut.
    pub cut: CutCounts,
    /// What was refused, with the number of paths.
    pub refused: BTreeMap<String, u64>,
}

/// Result of a verification.
#[derive(Clone, Debug)]
pub struct VerifyReport {
    /// The answer.
    pub verdict: Verdict,
    /// Searches, in order.
    pub rounds: Vec<Round>,
    /// Whether the time was up, or the user stopped it.
    pub is_stopped: bool,
    /// Statistics of all solvers.
    pub solver: Statistics,
}

impl VerifyReport {
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

/// Verifies a program.
///
/// # Errors
/// There is no such class or method, or the solver cannot be used.
pub fn verify(
    vm: &mut Vm,
    request: &VerifyRequest,
    crew: &mut Crew<'_>,
) -> Result<VerifyReport, Error> {
    let start = Instant::now();
    let mut report = VerifyReport {
        verdict: Verdict::Unknown,
        rounds: Vec::new(),
        is_stopped: false,
        solver: Statistics::default(),
    };
    let (mut bounds, mut step_limit) = (request.bounds, request.step_limit);
    loop {
        let number = report.rounds.len();
        let share = request.time.and_then(|time| {
            let left = time.saturating_sub(start.elapsed());
            request.widening.share(number, left)
        });
        let (round, violation) = search::run(
            vm,
            request,
            bounds,
            step_limit,
            share,
            crew,
            &mut report.solver,
        )?;
        let is_complete = round.is_complete;
        let cut: BTreeSet<CutBy> = round.cut.keys().copied().collect();
        let is_whole = is_complete && cut.is_empty() && round.refused.is_empty();
        report.rounds.push(round);
        if let Some(violation) = violation {
            report.verdict = Verdict::False(Box::new(violation));
            return Ok(report);
        }
        if is_whole {
            report.verdict = Verdict::True;
            return Ok(report);
        }
        if (crew.stops)() {
            report.is_stopped = true;
            return Ok(report);
        }
        let wider = request
            .widening
            .next(&mut bounds, &mut step_limit, &cut, number);
        if !wider && is_complete {
            return Ok(report);
        }
    }
}
