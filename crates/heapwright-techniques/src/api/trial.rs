//! Trials of methods: each method is called once on every structure, to find whether it adds a
//! structure. No result is retained.
//!
//! Machines take chunks of the structures. A method is finished in the first chunk in which it adds
//! something; its calls in later chunks do not count. The results and counts are therefore
//! independent of the number of machines.

use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering};

use heapwright_explore::{CanonicalForm, Span, Workers};
use heapwright_jvm::Vm;

use super::Prepared;
use super::caller::{Board, Break, Caller};
use super::findings::CallFindings;
use super::parallel::More;
use super::pools::{Pools, StructureRef};
use super::search::{ApiProgress, ApiSearch, ProgressCallback, SearchEnd};
use crate::parallel::{self, Collected, Collector, WorkerPool};

/// Structures in a chunk.
const CHUNK: usize = 16;
/// Structures, or tuples of them, from which on further machines are worth their start-up cost.
const WORTH_MORE: usize = 2_000;

/// Trial of a method's operations.
#[derive(Clone, Copy, Debug)]
pub struct AdditionTrial<'a> {
    /// The operations.
    pub operations: &'a [usize],
    /// For each pool, the number of first structures on which they are known to add nothing.
    pub tried: &'a [usize],
}

/// Available machines.
#[derive(Clone, Copy)]
pub struct Machines<'a> {
    /// Number of machines, including the first one.
    pub jobs: usize,
    /// Creates a further machine.
    pub more: &'a More<'a>,
}

impl Machines<'_> {
    /// Returns the first machine alone.
    #[must_use]
    pub fn one() -> Machines<'static> {
        Machines {
            jobs: 1,
            more: &|| None,
        }
    }
}

/// State shared by the workers.
struct TrialState<'a> {
    pools: &'a Pools,
    trials: &'a [AdditionTrial<'a>],
    /// Trial of each operation, if any.
    trial_of: Vec<Option<usize>>,
    enabled: Vec<usize>,
    /// Operations that are known to add nothing.
    closed: &'a [usize],
    /// Pool and structures of each chunk, numbered from 1; chunk 0 has the calls that need no
    /// structure.
    chunks: Vec<(u32, Range<usize>)>,
    /// For each trial, the first chunk so far in which it adds something.
    adding: Vec<AtomicUsize>,
}

/// Results of a chunk, by trial.
struct Called {
    calls: Vec<u64>,
    adds: Vec<bool>,
}

/// Collects the results of the chunks, in their order.
struct Verdicts<'a, 'f> {
    /// Whether each trial adds something.
    adds: Vec<bool>,
    /// Calls that count: those of a method up to the chunk in which it adds something.
    explored: u64,
    so_far: ApiProgress,
    ask: &'a mut ProgressCallback<'f>,
}

type ChunkResult = Result<Called, Break>;

/// Board that only records which trials add something.
struct TrialBoard<'a> {
    shared: &'a TrialState<'a>,
    chunk: usize,
    /// Structure that calls are made on; `None` for calls that need no structure.
    lead: Option<StructureRef>,
    /// Trial whose calls are being made, and the number of calls before them.
    current: (usize, u64),
    calls: Vec<u64>,
}

impl Board for TrialBoard<'_> {
    fn pools(&self) -> &Pools {
        self.shared.pools
    }

    fn is_known(&self, class: &str, hash: u64, compared: &[u8]) -> bool {
        let pool = self.shared.pools.find(class);
        pool.is_some_and(|pool| self.shared.pools.contains(pool, hash, compared))
    }

    fn closed(&self) -> &[usize] {
        self.shared.closed
    }

    fn add(&mut self, _: &str, _: u64, _: CanonicalForm<'_>, _: &[u8]) -> bool {
        self.shared.adding[self.current.0].fetch_min(self.chunk, Ordering::Relaxed);
        false
    }

    fn wants(&mut self, operation: usize, explored: u64) -> bool {
        self.count(explored);
        let Some(trial) = self.shared.trial_of[operation] else {
            return false;
        };
        self.current.0 = trial;
        let tried = self.shared.trials[trial].tried;
        let is_tried = match self.lead {
            Some(lead) => {
                let tried = tried.get(lead.pool as usize);
                tried.is_some_and(|&tried| (lead.index as usize) < tried)
            }
            None => !tried.is_empty(),
        };
        !is_tried && !self.is_done(trial)
    }
}

impl<'a> TrialBoard<'a> {
    fn new(shared: &'a TrialState<'a>, chunk: usize, explored: u64) -> TrialBoard<'a> {
        TrialBoard {
            shared,
            chunk,
            lead: None,
            current: (0, explored),
            calls: vec![0; shared.trials.len()],
        }
    }

    fn is_done(&self, trial: usize) -> bool {
        self.shared.adding[trial].load(Ordering::Relaxed) <= self.chunk
    }

    /// Counts the calls since the previous `wants`.
    fn count(&mut self, explored: u64) {
        let (trial, before) = self.current;
        if let Some(calls) = self.calls.get_mut(trial) {
            *calls += explored - before;
        }
        self.current.1 = explored;
    }

    fn finish(mut self, explored: u64) -> Called {
        self.count(explored);
        let adding = self.shared.adding.iter();
        Called {
            calls: self.calls,
            adds: adding
                .map(|adding| adding.load(Ordering::Relaxed) == self.chunk)
                .collect(),
        }
    }
}

impl TrialState<'_> {
    /// Makes the calls that need no structure.
    fn start(&self, vm: &mut Vm, caller: &mut Caller) -> ChunkResult {
        let mut judge = TrialBoard::new(self, 0, caller.tally.explored);
        caller.enable(&self.enabled);
        caller.start(vm, &mut judge)?;
        Ok(judge.finish(caller.tally.explored))
    }

    /// Processes chunks until there are none.
    fn work(&self, pool: &WorkerPool<'_, (), ChunkResult>, vm: &mut Vm, caller: &mut Caller) {
        caller.enable(&self.enabled);
        pool.work(|span| self.look_at(pool, vm, caller, span.path[0] as usize));
    }

    fn look_at(
        &self,
        pool: &WorkerPool<'_, (), ChunkResult>,
        vm: &mut Vm,
        caller: &mut Caller,
        chunk: usize,
    ) -> ChunkResult {
        let (number, structures) = self.chunks[chunk - 1].clone();
        let mut judge = TrialBoard::new(self, chunk, caller.tally.explored);
        for index in structures {
            if pool.is_stopped() || (0..self.trials.len()).all(|trial| judge.is_done(trial)) {
                break;
            }
            let index = index as u32;
            let lead = StructureRef {
                pool: number,
                index,
            };
            judge.lead = Some(lead);
            caller.visit(vm, &mut judge, lead)?;
        }
        Ok(judge.finish(caller.tally.explored))
    }
}

impl Verdicts<'_, '_> {
    fn enter(&mut self, called: &Called) {
        for (trial, adds) in self.adds.iter_mut().enumerate() {
            if !*adds {
                self.explored += called.calls[trial];
                *adds = called.adds[trial];
            }
        }
    }
}

impl Collector<(), ChunkResult> for Verdicts<'_, '_> {
    type Error = Break;

    fn take(&mut self, (): ()) -> Result<ControlFlow<()>, Break> {
        Ok(ControlFlow::Continue(()))
    }

    fn finish(
        &mut self,
        called: ChunkResult,
        workers: &Workers<(), ChunkResult>,
    ) -> Result<ControlFlow<()>, Break> {
        self.enter(&called?);
        if self.adds.iter().all(|&adds| adds) {
            workers.drop_below(&[]);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn watch(&mut self, _: &Workers<(), ChunkResult>) -> ControlFlow<()> {
        let mut progress = self.so_far;
        progress.tally.explored += self.explored;
        (self.ask)(progress)
    }
}

impl ApiSearch {
    /// Returns for each trial whether it adds anything to the structures built so far. With `most`,
    /// tuples consist of the first `most` structures of each pool only. If calls take several
    /// structures, there must be a single trial.
    ///
    /// # Errors
    /// The user stopped the search, or the heap was full.
    pub fn adding(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        trials: &[AdditionTrial<'_>],
        most: Option<usize>,
        machines: Machines<'_>,
        ask: &mut ProgressCallback<'_>,
    ) -> Result<Vec<bool>, SearchEnd> {
        self.renew_for(trials, most);
        loop {
            prepared.initialize(vm, &self.initialized);
            let flow = vm.with_mark(|vm| self.try_marked(vm, prepared, trials, machines, ask));
            vm.limit_steps(u64::MAX);
            prepared.caller.tally = Default::default();
            prepared.caller.findings = CallFindings::default();
            match flow {
                Ok(Some((adds, explored))) => {
                    self.tally_mut().explored += explored;
                    return Ok(adds);
                }
                Ok(None) => return Err(SearchEnd::Interrupted),
                Err(Break::HeapFull) => return Err(SearchEnd::HeapFull),
                Err(Break::Disk(_)) => return Err(SearchEnd::Disk),
                Err(Break::Stopped) => return Err(SearchEnd::Interrupted),
                Err(Break::Initialized(names)) => {
                    self.initialized.extend(names);
                    prepared.caller.paths = Some(Box::default());
                }
            }
        }
    }

    /// Marks as new the structures that some trial has not been called on.
    fn renew_for(&mut self, trials: &[AdditionTrial<'_>], most: Option<usize>) {
        let old: Vec<usize> = (0..self.pools.len())
            .map(|pool| {
                let tried = trials.iter().map(|trial| trial.tried.get(pool));
                let least = tried.map(|tried| tried.copied().unwrap_or(0)).min();
                least.unwrap_or(0)
            })
            .collect();
        self.pools.mark_new(&old);
        if let Some(most) = most {
            self.pools.limit(most);
        }
    }

    fn try_marked(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        trials: &[AdditionTrial<'_>],
        machines: Machines<'_>,
        ask: &mut ProgressCallback<'_>,
    ) -> Result<Option<(Vec<bool>, u64)>, Break> {
        let operations = prepared.caller.operations.len();
        let mut trial_of = vec![None; operations];
        for (number, trial) in trials.iter().enumerate() {
            for &operation in trial.operations {
                trial_of[operation] = Some(number);
            }
        }
        let mut chunks = Vec::new();
        for (pool, structures) in self.new_structures() {
            for start in structures.clone().step_by(CHUNK) {
                chunks.push((pool, start..(start + CHUNK).min(structures.end)));
            }
        }
        let so_far = self.progress();
        let enabled: Vec<usize> = (0..operations)
            .filter(|&operation| trial_of[operation].is_some())
            .collect();
        let taken = enabled
            .iter()
            .map(|&operation| prepared.caller.operations[operation].structures.len())
            .max();
        let tuples = (chunks.len() * CHUNK).saturating_pow(taken.unwrap_or(0).max(1) as u32);
        let jobs = match tuples >= WORTH_MORE {
            true => machines.jobs,
            false => 1,
        };
        let shared = TrialState {
            pools: &self.pools,
            closed: &self.closed,
            trials,
            enabled,
            trial_of,
            chunks,
            adding: trials
                .iter()
                .map(|_| AtomicUsize::new(usize::MAX))
                .collect(),
        };
        let mut verdicts = Verdicts {
            adds: vec![false; trials.len()],
            explored: 0,
            so_far,
            ask,
        };
        verdicts.enter(&shared.start(vm, &mut prepared.caller)?);
        let numbers = 1..=shared.chunks.len();
        let (collected, _) = parallel::search(
            numbers.map(|chunk| Span::below(vec![chunk as i64])),
            jobs,
            &|| false,
            |pool| shared.work(pool, vm, &mut prepared.caller),
            &|pool| {
                if let Some((mut vm, mut prepared)) = (machines.more)() {
                    prepared.initialize(&mut vm, &self.initialized);
                    prepared.caller.paths = Some(Box::default());
                    vm.with_mark(|vm| shared.work(pool, vm, &mut prepared.caller));
                }
            },
            &mut verdicts,
        )?;
        Ok(match collected {
            Collected::All => Some((verdicts.adds, verdicts.explored)),
            Collected::UpToStop | Collected::UpToBreak => None,
        })
    }
}
