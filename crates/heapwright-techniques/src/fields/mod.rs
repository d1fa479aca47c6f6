//! Field coverage: few structures in which each field holds whatever it can hold.
//!
//! The invariant is run on a symbolic structure, smaller structures first. A structure is kept if
//! one of its fields refers to something that it referred to in none before (a *pair* is new). The
//! search of a scope ends when it has seen everything, or when an estimate from small scopes says
//! that hardly anything new will come (tranScoping).
//!
//! Structures come by scope (most objects of a class), then by their number of objects, then with
//! a new object before one met before, and that before null. For each number of objects the tree
//! of paths is searched anew within that bound: it grows so fast with the number that this costs
//! little, and less than to go on at all the places where the bound was met. Large sizes may be
//! searched together, and what was found put in order afterwards.

mod estimate;
mod harvest;
mod pairs;
mod taking;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use heapwright_explore::End;
use heapwright_jvm::{ClassId, MethodId, Vm};

use crate::Error;
use crate::check::pick;
use crate::symbolic::{self, Crew, CutCounts, Input, Target};
use crate::target::{Callable, find_class, find_invariant, methods_under_test};

pub use estimate::{Estimate, NoEstimate, Regression};
use harvest::{Harvester, Round, Size};
pub use pairs::{FieldName, Graph, Held, NotAPair, Pair, Vocabulary};
use taking::{State, Taking};

/// Paths of a size from which on several workers search the next, and all larger ones are searched at
/// once if that is asked for.
const MANY: u64 = 2_000;

/// Which pairs a suite is to have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// All that there are in some structure.
    Exhaustive,
    /// Those that do not refer to null.
    NonNull,
    /// These.
    Given(BTreeSet<Pair>),
}

impl Criterion {
    /// Whether a pair is asked for.
    #[must_use]
    pub fn wants(&self, pair: &Pair) -> bool {
        match self {
            Criterion::Exhaustive => true,
            Criterion::NonNull => pair.is_object(),
            Criterion::Given(pairs) => pairs.contains(pair),
        }
    }
}

/// How work is measured where the time is estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// By instructions run and questions to the solver: the same wherever it is run.
    Work,
    /// In milliseconds.
    Wall,
}

/// When the search of a scope ends before it has seen everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// What is estimated.
    pub estimate: Estimate,
    /// How.
    pub regression: Regression,
    /// The scopes from 1 up to here are searched whole, and the estimate made from them.
    pub small_scope: u32,
    /// How time is measured.
    pub clock: Clock,
}

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The class, how far runs and the solver go; its methods and the number of objects are not
    /// looked at.
    pub paths: symbolic::Request,
    /// The name of the invariant, if it is not one of the usual ones.
    pub invariant: Option<String>,
    /// The largest scope: objects of a class. At least 1.
    pub scope: u32,
    /// The pairs to cover.
    pub criterion: Criterion,
    /// When to stop; never before all was seen, if there is none.
    pub policy: Option<Policy>,
    /// Whether large sizes may be searched together, where nothing stops before all was seen. That
    /// saves time; a search that is interrupted has then seen parts of all of them.
    pub sweeps: bool,
}

/// A structure of the suite.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The structure, its root `this`.
    pub input: Input,
    /// The pairs that it was the first to have.
    pub adds: Vec<Pair>,
}

/// Why the search of a scope did not see everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The estimate was reached.
    Estimate,
    /// All pairs asked for are covered.
    Covered,
    /// The search was interrupted.
    Interrupted,
}

/// How far a field is covered at a scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRow {
    /// The field.
    pub name: String,
    /// Its pairs in the suite, of those asked for.
    pub pairs: u64,
    /// How many the estimate says there are.
    pub predicted: Option<u64>,
}

/// What came of a scope. All counts are from the start of the search on.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Most objects of a class.
    pub scope: u32,
    /// Structures of the suite.
    pub suite_size: usize,
    /// Paths of the invariant.
    pub explored: u64,
    /// Of those the valid structures.
    pub valid: u64,
    /// Questions to the solver.
    pub queries: u64,
    /// The work after which there was no new pair, by the clock of the policy.
    pub work: u64,
    /// The work that the estimate gives this scope.
    pub predicted_work: Option<u64>,
    /// Wall-clock time.
    pub seconds: f64,
    /// Why not everything was seen, if so.
    pub cut: Option<Cut>,
    /// The reference fields.
    pub fields: Vec<FieldRow>,
}

/// What came of the search.
#[derive(Clone, Debug)]
pub struct Report {
    /// A row a scope, from 1 up.
    pub rows: Vec<Row>,
    /// The suite of the last scope.
    pub suite: Vec<Member>,
    /// The pairs of the suite.
    pub covered: BTreeSet<Pair>,
    /// When each was found: seconds from the start, and the field.
    pub found: Vec<(f64, String)>,
    /// The first scope whose time is estimated to be past 2⁵³: from there on scopes are searched
    /// whole.
    pub endless: Option<u32>,
    /// Pairs asked for that were not found.
    pub missing: Vec<Pair>,
    /// Fields of reference type that the invariant never looked at.
    pub never_read: Vec<String>,
    /// Paths that were not followed to their end, and the first one's bound or limit of one run.
    pub bounded: (u64, Option<String>),
    /// Paths that were refused, and the reason of the first.
    pub refused: (u64, Option<String>),
    /// Paths that threw an exception, and the first one's class.
    pub threw: (u64, Option<String>),
    /// Paths of which the solver could not tell whether they are possible.
    pub unknown: u64,
    /// On how many paths something was cut off, by what did it; of an estimate how many scopes it ended.
    pub cut: CutCounts,
    /// How it ended.
    pub end: End,
}

/// The invariant of a class, to be searched.
pub struct Subject {
    /// The class.
    pub class: ClassId,
    /// Its invariant.
    pub invariant: MethodId,
    target: Target,
    /// What its classes and fields are called.
    pub vocabulary: Vocabulary,
}

impl Subject {
    /// The invariant that a request names.
    ///
    /// # Errors
    /// There is no such class or invariant, that of a class which has none included, or no object of the class can be
    /// made.
    pub fn find(vm: &mut Vm, class: &str, invariant: Option<&str>) -> Result<Subject, Error> {
        let name = class;
        let class = find_class(vm, class)?;
        vm.initialize_now(class).map_err(|reason| Error::BadClass {
            class: name.to_owned(),
            reason,
        })?;
        let invariant = find_invariant(vm, class, invariant)?;
        // What stands for no invariant is static.
        if vm.method(invariant).is_static() {
            return Err(Error::Bounds(
                "--invariant none: which values fields are to have is what an invariant accepts; \
                 enumerate and check take a class without one"
                    .to_owned(),
            ));
        }
        let target = symbolic::predicate(vm, class, invariant)?;
        let vocabulary = Vocabulary::new(vm, class, target.universe());
        Ok(Subject {
            class,
            invariant,
            target,
            vocabulary,
        })
    }

    /// The methods that tests call: those that selectors name, as `remove` or `remove(int)`, or
    /// all.
    ///
    /// # Errors
    /// A selector fits no method.
    pub fn callables(&self, vm: &Vm, selectors: &[String]) -> Result<Vec<Callable>, Error> {
        let mut all = methods_under_test(vm, self.class, Some(self.invariant));
        if !selectors.is_empty() {
            let methods: Vec<MethodId> = all.iter().map(|callable| callable.method).collect();
            let wanted = pick(vm, self.class, &methods, methods.len(), selectors)?;
            all.retain(|callable| wanted.contains(&callable.method));
        }
        Ok(all)
    }

    /// Classes of which no object can be made, each with the reason.
    #[must_use]
    pub fn refused_classes(&self) -> &[(String, String)] {
        self.target.refused_classes()
    }
}

/// Searches the scopes from 1 up to the request's.
///
/// # Errors
/// The invariant cannot be called, the solver cannot be used, or there is no estimate.
pub fn search(
    vm: &mut Vm,
    request: &Request,
    subject: &Subject,
    crew: &mut Crew<'_>,
) -> Result<Report, Error> {
    let start = Instant::now();
    if let Criterion::Given(pairs) = &request.criterion {
        known_fields(&subject.vocabulary, pairs)?;
    }
    if let Some(policy) = request
        .policy
        .filter(|policy| policy.small_scope < request.scope)
    {
        let given = policy.small_scope as usize;
        policy.regression.check(policy.estimate, given)?;
    }
    let mut state = State::new(request, &subject.vocabulary, start);
    let mut end = End::Complete;
    let mut least = Some(1);
    let is_open_ended =
        request.policy.is_none() && !matches!(request.criterion, Criterion::Given(_));
    // Work is cut off exactly only where one worker does it.
    let is_timed = request
        .policy
        .is_some_and(|policy| policy.estimate == Estimate::Time);
    let jobs = if is_timed { 1 } else { crew.jobs };
    let mut paths = request.paths.clone();
    paths.bounds.new_first = true;
    let mut leaves = 0;
    'scopes: for scope in 1..=request.scope {
        let sweeps = request.sweeps && is_open_ended && leaves >= MANY;
        let mut next = None;
        while let Some(objects) = least {
            crew.jobs = if leaves < MANY { 1 } else { jobs };
            let size = Size { scope, objects };
            (paths.bounds.objects, paths.bounds.all_objects) = match sweeps {
                true => (request.scope, u32::MAX),
                false => (scope, objects),
            };
            let round = if sweeps {
                Round::From(size)
            } else {
                Round::Of(size)
            };
            let harvester = Harvester::new(request, &state, round);
            let mut taking = Taking::new(&mut state, &harvester);
            let ended =
                symbolic::search(vm, &paths, &subject.target, crew, &harvester, &mut taking);
            let beyond = taking.beyond;
            taking.take_all(matches!(ended, Ok(End::Complete)))?;
            end = ended?;
            if end != End::Complete {
                break 'scopes;
            }
            leaves = state.paths_of(size);
            next = next.into_iter().chain(beyond.class).min();
            least = (beyond.all && !sweeps).then_some(objects + 1);
        }
        state.scopes_are_done(if sweeps { request.scope } else { scope })?;
        if state.is_finished() {
            break;
        }
        least = next;
    }
    crew.jobs = jobs;
    Ok(state.report(end, &subject.vocabulary))
}

/// Refuses pairs of fields that there are not.
fn known_fields(vocabulary: &Vocabulary, pairs: &BTreeSet<Pair>) -> Result<(), Error> {
    let known: BTreeSet<&str> = vocabulary.fields().collect();
    match pairs.iter().find(|pair| !known.contains(&pair.field[..])) {
        None => Ok(()),
        Some(pair) => {
            let known: Vec<&str> = known.into_iter().collect();
            Err(Error::Bounds(format!(
                "there is no reference field {} (of the pair {pair}); there are {}",
                pair.field,
                known.join(", ")
            )))
        }
    }
}

/// How many pairs of each field there are.
#[must_use]
pub fn by_field<'a>(pairs: impl IntoIterator<Item = &'a Pair>) -> BTreeMap<String, u64> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for pair in pairs {
        *counts.entry(pair.field.clone()).or_default() += 1;
    }
    counts
}
