//! Builders: a small set of methods that builds every structure that the API can build, found by
//! hill climbing (Politano et al. 2023, §3.3).
//!
//! The fitness of a set is the number of structures that it builds within the scope. Among equally
//! fit sets, fewer and simpler parameters win. A larger set builds everything that a smaller one
//! does, so only the additions of a further method are explored.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{MethodId, Vm};

use crate::api::{
    AdditionTrial, ApiOperation, ApiProgress, ApiSearch, Extension, Machines, Prepared,
    ProgressCallback, SearchEnd,
};
use crate::statements::{method_name, short_name};

/// Maximum number of sequences for a candidate set; more mean that structures grow without bound
/// within the scope.
const MOST_EXPLORED: u64 = 10_000_000;

/// Maximum number of sequences for a candidate set whose last method takes several structures.
const MOST_TUPLES: u64 = 200_000;

/// Maximum number of calls with tuples of structures when a method is tried for additions.
const MOST_TRIED: u64 = 50_000;

/// Complexity of a method: numbers of parameters, of structures among them, of references among
/// them, and its declaration position.
type Complexity = (usize, usize, usize, usize);

/// A method of the set, and the effect of adding it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuilderMethod {
    /// The method with its parameters: `<init>()`, `add(int)`.
    pub method: String,
    /// The regular expression that matches it alone: `a\.B\.add\(int\)`.
    pub expression: String,
    /// Number of structures that only the set with it builds.
    pub added: u64,
}

/// Result of the search for builders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Builders {
    /// The methods, in the order in which they were added.
    pub methods: Vec<BuilderMethod>,
    /// Methods that were tried on only some of too many tuples of structures, and added nothing.
    pub in_part: Vec<String>,
    /// Number of structures that they build.
    pub structures: u64,
    /// Number of public methods considered.
    pub candidates: usize,
    /// Methods left out because they build structures without bound although the scope limits
    /// objects, for example by counting in a field.
    pub endless: Vec<String>,
    /// Number of sequences executed for all candidate sets.
    pub explored: u64,
    /// The outcome of the search.
    pub ended: SearchEnd,
}

/// A method of the API with its operations.
struct Candidate {
    operations: Vec<usize>,
    complexity: Complexity,
    is_first_step: bool,
}

impl Candidate {
    /// Returns the maximum number of structures it takes besides the receiver.
    fn structures(&self) -> usize {
        self.complexity.1
    }

    /// Whether a call takes several structures, including the receiver.
    fn takes_tuples(&self, operations: &[ApiOperation]) -> bool {
        let mut operations = self.operations.iter().map(|&number| &operations[number]);
        operations.any(|operation| operation.structures.len() > 1)
    }

    /// Returns the number of structures of each pool that keeps the calls within [`MOST_TRIED`];
    /// `None` if all structures do.
    fn most_in_tuples(
        &self,
        prepared: &Prepared,
        search: &ApiSearch,
        tried: &[usize],
    ) -> Option<usize> {
        let lengths = search.pools.lengths();
        let calls = |most: usize| {
            let structures: usize = lengths.iter().map(|&length| length.min(most)).sum();
            let tried: usize = tried.iter().map(|&tried| tried.min(most)).sum();
            let operations = self.operations.iter();
            let operations = operations.map(|&number| &prepared.caller.operations[number]);
            operations.fold(0u128, |sum, operation| {
                let power = operation.structures.len() as u32;
                let tuples = (structures as u128).saturating_pow(power)
                    - (tried as u128).saturating_pow(power);
                sum.saturating_add(tuples.saturating_mul(operation.ways.into()))
            })
        };
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let fits = |most: &usize| calls(*most) <= MOST_TRIED.into();
        if fits(&longest) {
            return None;
        }
        // The number of calls is monotonic in the number of structures.
        let all: Vec<usize> = (0..longest).collect();
        Some(all.partition_point(fits).saturating_sub(1))
    }
}

/// Effect of adding a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Adds {
    Something,
    Nothing,
    /// Nothing on the tuples of structures that were tried.
    NothingInPart,
}

/// The best candidate of a step so far.
struct Best {
    number: usize,
    structures: u64,
    search: ApiSearch,
    /// Candidates that add nothing to the structures it builds.
    dismissed: Vec<usize>,
}

fn retain(numbers: &mut Vec<usize>, adds: &[Adds], stays: impl Fn(Adds) -> bool) {
    let mut adds = adds.iter();
    numbers.retain(|_| adds.next().is_none_or(|&adds| stays(adds)));
}

/// Finds builders of the structures of the requested class. The result and its counts do not depend
/// on the number of machines. `ask` is called regularly and may stop the search.
pub fn builders(
    vm: &mut Vm,
    prepared: &mut Prepared,
    mut search: ApiSearch,
    machines: Machines<'_>,
    ask: &mut ProgressCallback<'_>,
) -> Builders {
    let candidates = candidates(vm, &prepared.caller.operations);
    // Recorded paths are only useful with matching, where calls that create nothing new can be
    // compared.
    prepared.caller.paths = search.matching.then(Box::default);
    let mut climb = Climb {
        machines,
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
            ended: SearchEnd::Complete,
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

struct Climb<'a> {
    machines: Machines<'a>,
    chosen: Vec<usize>,
    endless: Vec<usize>,
    /// For each candidate, the number of first structures of each pool on which it added nothing;
    /// pools only grow at the end.
    tried: Vec<Vec<usize>>,
    found: Builders,
}

impl Climb<'_> {
    /// Adds the method that builds most new structures. Only methods that add any compete, and of
    /// these only those with the fewest structure parameters, since calls grow with tuples. Returns
    /// whether there is one.
    fn step(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        search: &mut ApiSearch,
        candidates: &[Candidate],
        ask: &mut ProgressCallback<'_>,
    ) -> ControlFlow<SearchEnd, bool> {
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

    /// Candidates are tried in order of complexity, so the first of equally fit ones wins.
    fn step_among(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        search: &mut ApiSearch,
        candidates: &[Candidate],
        structures: usize,
        ask: &mut ProgressCallback<'_>,
    ) -> ControlFlow<SearchEnd, bool> {
        let mut left: Vec<usize> = (0..candidates.len())
            .filter(|&number| {
                let candidate = &candidates[number];
                let may_be_next = !self.chosen.is_empty() || candidate.is_first_step;
                may_be_next && candidate.structures() == structures && !self.is_out(number)
            })
            .collect();
        left.sort_by_key(|&number| candidates[number].complexity);
        let tried = self.tried.clone();
        let adds = self.adding(vm, prepared, search, candidates, &left, &tried, ask)?;
        for (&number, adds) in left.iter().zip(&adds) {
            match adds {
                Adds::Nothing => self.tried[number] = search.pools.lengths(),
                Adds::NothingInPart => {
                    let name = name(vm, prepared, &candidates[number]);
                    if !self.found.in_part.contains(&name) {
                        self.found.in_part.push(name);
                    }
                }
                Adds::Something => {}
            }
        }
        retain(&mut left, &adds, |adds| adds == Adds::Something);
        let mut best: Option<Best> = None;
        while !left.is_empty() {
            let number = left.remove(0);
            let larger = self.larger(vm, prepared, search, candidates, number, ask)?;
            let Some(mut larger) = larger else {
                continue;
            };
            let structures = larger.progress().structures;
            let most = best
                .as_ref()
                .map_or(self.found.structures, |best| best.structures);
            if structures <= most {
                continue;
            }
            // A candidate that adds nothing to this set cannot build more than it.
            let untried = vec![Vec::new(); candidates.len()];
            let adds = self.adding(vm, prepared, &mut larger, candidates, &left, &untried, ask)?;
            let dismissed = left.iter().zip(&adds);
            let dismissed = dismissed.filter(|(_, adds)| **adds == Adds::Nothing);
            best = Some(Best {
                number,
                structures,
                dismissed: dismissed.map(|(&number, _)| number).collect(),
                search: larger,
            });
            retain(&mut left, &adds, |adds| adds != Adds::Nothing);
        }
        let Some(best) = best else {
            return ControlFlow::Continue(false);
        };
        let operation = &prepared.caller.operations[candidates[best.number].operations[0]];
        self.found.methods.push(BuilderMethod {
            method: short_name(vm, operation.call.class, operation.call.method),
            expression: expression(vm, operation),
            added: best.structures - self.found.structures,
        });
        self.found.structures = best.structures;
        self.chosen.push(best.number);
        for number in best.dismissed {
            self.tried[number] = best.search.pools.lengths();
        }
        *search = best.search;
        ControlFlow::Continue(true)
    }

    /// Returns the effect of adding each candidate to the structures built so far.
    #[expect(clippy::too_many_arguments, reason = "the search and its trials")]
    fn adding(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        search: &mut ApiSearch,
        candidates: &[Candidate],
        numbers: &[usize],
        tried: &[Vec<usize>],
        ask: &mut ProgressCallback<'_>,
    ) -> ControlFlow<SearchEnd, Vec<Adds>> {
        let before = search.progress().tally.explored;
        let operations = &prepared.caller.operations;
        let trial = |number: usize| AdditionTrial {
            operations: &candidates[number].operations,
            tried: &tried[number],
        };
        let (tuples, single): (Vec<usize>, Vec<usize>) = numbers
            .iter()
            .partition(|&&number| candidates[number].takes_tuples(operations));
        let mut found = BTreeMap::new();
        let mut note = |number, adds, is_in_part| {
            let adds = match (adds, is_in_part) {
                (true, _) => Adds::Something,
                (false, false) => Adds::Nothing,
                (false, true) => Adds::NothingInPart,
            };
            found.insert(number, adds);
        };
        let trials: Vec<AdditionTrial<'_>> = single.iter().map(|&number| trial(number)).collect();
        match search.adding(vm, prepared, &trials, None, self.machines, ask) {
            Ok(adds) => {
                for (&number, adds) in single.iter().zip(adds) {
                    note(number, adds, false);
                }
            }
            Err(ended) => return ControlFlow::Break(ended),
        }
        for number in tuples {
            let candidate = &candidates[number];
            let most = candidate.most_in_tuples(prepared, search, &tried[number]);
            let trials = [trial(number)];
            match search.adding(vm, prepared, &trials, most, self.machines, ask) {
                Ok(adds) => note(number, adds[0], most.is_some()),
                Err(ended) => return ControlFlow::Break(ended),
            }
        }
        self.found.explored += search.progress().tally.explored - before;
        ControlFlow::Continue(numbers.iter().map(|number| found[number]).collect())
    }

    /// Extends the search by a candidate; `None` if the candidate is left out.
    fn larger(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        search: &mut ApiSearch,
        candidates: &[Candidate],
        number: usize,
        ask: &mut ProgressCallback<'_>,
    ) -> ControlFlow<SearchEnd, Option<ApiSearch>> {
        let candidate = &candidates[number];
        let mut chosen: Vec<usize> = self.operations(candidates);
        chosen.extend(&candidate.operations);
        let before = search.progress().tally.explored;
        let most = match candidate.structures() {
            0 => before + MOST_EXPLORED,
            _ => before + MOST_TUPLES,
        };
        let mut is_too_much = false;
        let mut ask = |progress: ApiProgress| {
            is_too_much = progress.tally.explored > most;
            match is_too_much {
                true => ControlFlow::Break(()),
                false => ask(progress),
            }
        };
        let further = &candidate.operations;
        let tried = &self.tried[number];
        let machines = self.machines;
        let extension = search.extended(vm, prepared, further, tried, &chosen, machines, &mut ask);
        // The times of `ask` depend on the machines; the result must not.
        let explored = search.progress().tally.explored;
        is_too_much |= explored > most;
        self.found.explored += explored.min(most) - before;
        match extension {
            _ if is_too_much => {
                self.leave_out(vm, prepared, candidate, number);
                ControlFlow::Continue(None)
            }
            Extension::Larger(larger) => ControlFlow::Continue(Some(*larger)),
            Extension::Nothing => ControlFlow::Continue(None),
            Extension::Unfinished(SearchEnd::AtLength) => {
                self.leave_out(vm, prepared, candidate, number);
                ControlFlow::Continue(None)
            }
            Extension::NothingSoFar => ControlFlow::Break(SearchEnd::Interrupted),
            Extension::Unfinished(ended) => ControlFlow::Break(ended),
        }
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
    short_name(vm, operation.call.class, operation.call.method)
}

/// Returns the methods of the operations, in the order of first occurrence.
fn candidates(vm: &Vm, operations: &[ApiOperation]) -> Vec<Candidate> {
    let mut found: Vec<(MethodId, Candidate)> = Vec::new();
    let mut places: BTreeMap<(MethodId, u32), usize> = BTreeMap::new();
    for (number, operation) in operations.iter().enumerate() {
        let key = (operation.call.method, operation.call.class.0);
        if let Some(&at) = places.get(&key) {
            found[at].1.operations.push(number);
            continue;
        }
        places.insert(key, found.len());
        let candidate = Candidate {
            operations: vec![number],
            complexity: complexity(vm, operation, found.len()),
            is_first_step: !operation.call.has_receiver() && operation.structures.is_empty(),
        };
        found.push((operation.call.method, candidate));
    }
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

fn complexity(vm: &Vm, operation: &ApiOperation, place: usize) -> Complexity {
    let parameters = operation.call.parameters(vm);
    let references = parameters
        .iter()
        .filter(|descriptor| Kind::of(descriptor) == Kind::Reference);
    let receivers = usize::from(operation.call.has_receiver());
    let structures = operation.structures.len().saturating_sub(receivers);
    (parameters.len(), structures, references.count(), place)
}

/// Returns the regular expression that matches only the method of an operation.
fn expression(vm: &Vm, operation: &ApiOperation) -> String {
    let name = method_name(vm, operation.call.class, operation.call.method);
    regex::escape(&name)
}
