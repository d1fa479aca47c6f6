//! Builders: few methods that build all that the API can build, found by hill climbing (Politano et
//! al. 2023, §3.3).
//!
//! A set is as fit as the number of structures it builds within the scope; of equally fit ones that
//! with fewer and simpler parameters comes first. A larger set builds what a smaller one does, so that
//! only what the further method adds is explored.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{MethodId, Vm};

use crate::api::{Ask, Ended, Extension, Form, Operation, Prepared, Progress, Search, short_name};

/// Most sequences for one candidate set: more mean that structures grow without end within the scope.
const MOST_EXPLORED: u64 = 10_000_000;

/// Most sequences for a candidate set whose last method takes several structures.
const MOST_TUPLES: u64 = 200_000;

/// How hard a method is to call: parameters, structures and other references among them, and its place
/// in the order of declaration.
type Complexity = (usize, usize, usize, usize);

/// A method of the set, and what came of adding it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Builder {
    /// The method with its parameters: `<init>()`, `add(int)`.
    pub method: String,
    /// The expression that fits it alone: `a\.B\.add\(int\)`.
    pub expression: String,
    /// Structures that the set builds with it and could not without.
    pub added: u64,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Builders {
    /// The methods, in the order in which they were added.
    pub methods: Vec<Builder>,
    /// Methods that were tried on some tuples of structures only, there being too many, and added
    /// nothing.
    pub in_part: Vec<String>,
    /// Structures that they build.
    pub structures: u64,
    /// Public methods that took part.
    pub candidates: usize,
    /// Methods left out because structures grow without end with them, although the scope limits
    /// objects: they count up or down in some field.
    pub endless: Vec<String>,
    /// Sequences that were executed for all candidate sets.
    pub explored: u64,
    /// How the search ended.
    pub ended: Ended,
}

/// A method of the API: its operations.
struct Candidate {
    operations: Vec<usize>,
    complexity: Complexity,
    is_first_step: bool,
}

impl Candidate {
    /// How many structures it takes besides the receiver, at most.
    fn structures(&self) -> usize {
        self.complexity.1
    }
}

/// Finds builders of the structures of the class asked for. `ask` is called now and then.
pub fn builders(
    vm: &mut Vm,
    prepared: &mut Prepared,
    mut search: Search,
    ask: &mut Ask<'_>,
) -> Builders {
    let candidates = candidates(vm, &prepared.caller.operations);
    let mut climb = Climb {
        chosen: Vec::new(),
        endless: Vec::new(),
        tried: vec![Vec::new(); candidates.len()],
        found: Builders {
            methods: Vec::new(),
            structures: 0,
            candidates: candidates.len(),
            endless: Vec::new(),
            in_part: Vec::new(),
            explored: 0,
            ended: Ended::Complete,
        },
    };
    loop {
        match climb.step(vm, prepared, &mut search, &candidates, ask) {
            ControlFlow::Continue(true) => {}
            ControlFlow::Continue(false) => return climb.found,
            ControlFlow::Break(ended) => {
                climb.found.ended = ended;
                return climb.found;
            }
        }
    }
}

struct Climb {
    chosen: Vec<usize>,
    endless: Vec<usize>,
    /// For each candidate, the first structures of each pool on which it added nothing: structures
    /// that are there stay in their place.
    tried: Vec<Vec<usize>>,
    found: Builders,
}

impl Climb {
    /// Adds the method that adds most, of those that take the fewest structures besides the receiver
    /// and add something: calls with several structures are as many as there are tuples of them.
    /// Says whether there is one.
    fn step(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        search: &mut Search,
        candidates: &[Candidate],
        ask: &mut Ask<'_>,
    ) -> ControlFlow<Ended, bool> {
        let mut stages: Vec<usize> = candidates.iter().map(Candidate::structures).collect();
        stages.sort_unstable();
        stages.dedup();
        for stage in stages {
            if self.step_among(vm, prepared, search, candidates, stage, ask)? {
                return ControlFlow::Continue(true);
            }
        }
        ControlFlow::Continue(false)
    }

    fn step_among(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        search: &mut Search,
        candidates: &[Candidate],
        structures: usize,
        ask: &mut Ask<'_>,
    ) -> ControlFlow<Ended, bool> {
        let mut best: Option<(u64, Reverse<Complexity>, usize, Search)> = None;
        for (number, candidate) in candidates.iter().enumerate() {
            let may_be_first = !self.chosen.is_empty() || candidate.is_first_step;
            let is_of_stage = candidate.structures() == structures;
            if !is_of_stage || self.is_out(number) || !may_be_first {
                continue;
            }
            let mut chosen: Vec<usize> = self.operations(candidates);
            chosen.extend(&candidate.operations);
            let most = match structures {
                0 => MOST_EXPLORED,
                _ => MOST_TUPLES,
            };
            let most = search.progress().tally.explored + most;
            let mut is_too_much = false;
            let mut ask = |progress: Progress| {
                is_too_much = progress.tally.explored > most;
                match is_too_much {
                    true => ControlFlow::Break(()),
                    false => ask(progress),
                }
            };
            let further = &candidate.operations;
            let larger = match search.extended(
                vm,
                prepared,
                further,
                &self.tried[number],
                &chosen,
                &mut ask,
            ) {
                Extension::Larger(larger) => *larger,
                Extension::Nothing => {
                    self.tried[number] = search.pools.lengths();
                    continue;
                }
                Extension::NothingSoFar if is_too_much => {
                    let name = name(vm, prepared, candidate);
                    if !self.found.in_part.contains(&name) {
                        self.found.in_part.push(name);
                    }
                    continue;
                }
                Extension::Unfinished(Ended::AtLength) => {
                    self.leave_out(vm, prepared, candidate, number);
                    continue;
                }
                Extension::Unfinished(Ended::Interrupted) if is_too_much => {
                    self.leave_out(vm, prepared, candidate, number);
                    continue;
                }
                Extension::NothingSoFar => return ControlFlow::Break(Ended::Interrupted),
                Extension::Unfinished(ended) => return ControlFlow::Break(ended),
            };
            let built = larger.progress().structures;
            let fitness = (built, Reverse(candidate.complexity));
            if built > self.found.structures
                && best.as_ref().is_none_or(|best| (best.0, best.1) < fitness)
            {
                best = Some((fitness.0, fitness.1, number, larger));
            }
        }
        self.found.explored = search.progress().tally.explored;
        let Some((structures, _, number, larger)) = best else {
            return ControlFlow::Continue(false);
        };
        let operation = &prepared.caller.operations[candidates[number].operations[0]];
        self.found.methods.push(Builder {
            method: short_name(vm, operation.class, operation.method),
            expression: expression(vm, operation),
            added: structures - self.found.structures,
        });
        self.found.structures = structures;
        self.chosen.push(number);
        *search = larger;
        ControlFlow::Continue(true)
    }

    fn is_out(&self, number: usize) -> bool {
        self.chosen.contains(&number) || self.endless.contains(&number)
    }

    fn leave_out(&mut self, vm: &Vm, prepared: &Prepared, candidate: &Candidate, number: usize) {
        self.found.endless.push(name(vm, prepared, candidate));
        self.endless.push(number);
    }

    fn operations(&self, candidates: &[Candidate]) -> Vec<usize> {
        let chosen = self.chosen.iter();
        chosen
            .flat_map(|&number| candidates[number].operations.iter().copied())
            .collect()
    }
}

fn name(vm: &Vm, prepared: &Prepared, candidate: &Candidate) -> String {
    let operation = &prepared.caller.operations[candidate.operations[0]];
    short_name(vm, operation.class, operation.method)
}

/// The methods that the operations are of, in the order in which they were found.
fn candidates(vm: &Vm, operations: &[Operation]) -> Vec<Candidate> {
    let mut found: Vec<(MethodId, Candidate)> = Vec::new();
    let mut places: BTreeMap<(MethodId, u32), usize> = BTreeMap::new();
    for (number, operation) in operations.iter().enumerate() {
        let key = (operation.method, operation.class.0);
        if let Some(&at) = places.get(&key) {
            found[at].1.operations.push(number);
            continue;
        }
        places.insert(key, found.len());
        let candidate = Candidate {
            operations: vec![number],
            complexity: complexity(vm, operation, found.len()),
            is_first_step: matches!(operation.form, Form::Constructor(_) | Form::Static)
                && operation.structures.is_empty(),
        };
        found.push((operation.method, candidate));
    }
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

fn complexity(vm: &Vm, operation: &Operation, place: usize) -> Complexity {
    let text = vm.text(vm.method(operation.method).descriptor);
    let (parameters, _) = descriptor::split_method(text).unwrap_or_default();
    let references = parameters
        .iter()
        .filter(|descriptor| Kind::of(descriptor) == Kind::Reference);
    let receivers = usize::from(operation.form == Form::Instance);
    let structures = operation.structures.len().saturating_sub(receivers);
    (parameters.len(), structures, references.count(), place)
}

/// An expression that fits the method of an operation alone.
fn expression(vm: &Vm, operation: &Operation) -> String {
    let name = crate::api::method_name(vm, operation.class, operation.method);
    regex::escape(&name)
}
