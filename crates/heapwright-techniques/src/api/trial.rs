//! Which methods add anything to what was built: each is called once on every structure, and nothing
//! is kept.
//!
//! Machines take chunks of the structures. A method is done with in the first chunk in which it adds
//! something; what was called in later ones does not count. So many machines say what one says, with
//! the same calls.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use heapwright_explore::Form;
use heapwright_jvm::Vm;

use super::Prepared;
use super::caller::{Board, Break, Caller};
use super::findings::Findings;
use super::parallel::More;
use super::pools::{Built, Pools};
use super::search::{Ask, Ended, Search};

/// Structures in a chunk.
const CHUNK: usize = 16;
/// Structures, or tuples of them, from which on more machines are worth their start.
const WORTH_MORE: usize = 2_000;

/// What is tried: a method's operations.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'a> {
    /// The operations.
    pub operations: &'a [usize],
    /// The first structures of each pool, so many, on which they add nothing as is known.
    pub tried: &'a [usize],
}

/// The machines that there are.
#[derive(Clone, Copy)]
pub struct Machines<'a> {
    /// How many, the one that everything began on among them.
    pub jobs: usize,
    /// What makes a further one.
    pub more: &'a More<'a>,
}

/// What machines share.
struct Shared<'a> {
    pools: &'a Pools,
    trials: &'a [Trial<'a>],
    /// By operation the trial that it is of.
    trial_of: Vec<Option<usize>>,
    enabled: Vec<usize>,
    /// Operations that add nothing, as is known.
    closed: &'a [usize],
    jobs: usize,
    /// The calls that need no structure are a chunk before these, number 0.
    chunks: Vec<(u32, Range<usize>)>,
    next: AtomicUsize,
    /// For each trial the first chunk in which it adds something.
    adding: Vec<AtomicUsize>,
    stops: AtomicBool,
    /// Of the chunks that are done, calls by trials.
    done: Mutex<Vec<(usize, Vec<u64>)>>,
    broken: Mutex<Option<Break>>,
}

/// A board that only notes who adds something.
struct Judge<'a> {
    shared: &'a Shared<'a>,
    chunk: usize,
    /// The structure that calls are made on; nothing for those that need none.
    lead: Option<Built>,
    /// The trial whose calls are made, and how many there were before them.
    current: (usize, u64),
    calls: Vec<u64>,
}

impl Board for Judge<'_> {
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

    fn add(&mut self, _: &str, _: u64, _: Form<'_>, _: &[u8]) -> bool {
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

impl<'a> Judge<'a> {
    fn new(shared: &'a Shared<'a>, chunk: usize, explored: u64) -> Judge<'a> {
        Judge {
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

    /// Counts the calls since the last question.
    fn count(&mut self, explored: u64) {
        let (trial, before) = self.current;
        if let Some(calls) = self.calls.get_mut(trial) {
            *calls += explored - before;
        }
        self.current.1 = explored;
    }

    fn finish(mut self, explored: u64) {
        self.count(explored);
        self.shared
            .done
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((self.chunk, self.calls));
    }
}

impl Shared<'_> {
    /// Calls what needs no structure.
    fn start(&self, vm: &mut Vm, caller: &mut Caller) -> Result<(), Break> {
        let mut judge = Judge::new(self, 0, caller.tally.explored);
        caller.enable(&self.enabled);
        caller.start(vm, &mut judge)?;
        judge.finish(caller.tally.explored);
        Ok(())
    }

    /// Takes chunks until there are none.
    fn work(&self, vm: &mut Vm, caller: &mut Caller, ask: &mut dyn FnMut(u64) -> bool) {
        caller.enable(&self.enabled);
        loop {
            let chunk = self.next.fetch_add(1, Ordering::Relaxed);
            let is_over = self.stops.load(Ordering::Relaxed);
            let Some((pool, structures)) = self.chunks.get(chunk).filter(|_| !is_over) else {
                return;
            };
            let mut judge = Judge::new(self, chunk + 1, caller.tally.explored);
            if (0..self.trials.len()).all(|trial| judge.is_done(trial)) {
                return;
            }
            if !ask(caller.tally.explored) {
                self.stops.store(true, Ordering::Relaxed);
                return;
            }
            for index in structures.clone() {
                let lead = Built {
                    pool: *pool,
                    index: index as u32,
                };
                judge.lead = Some(lead);
                if let Err(broken) = caller.visit(vm, &mut judge, lead) {
                    self.stops.store(true, Ordering::Relaxed);
                    let mut first = self.broken.lock().unwrap_or_else(PoisonError::into_inner);
                    first.get_or_insert(broken);
                    return;
                }
            }
            judge.finish(caller.tally.explored);
        }
    }

    /// Whether each trial adds something, and the calls that count.
    fn result(self) -> (Vec<bool>, u64) {
        let adding: Vec<usize> = self
            .adding
            .into_iter()
            .map(AtomicUsize::into_inner)
            .collect();
        let done = self.done.into_inner();
        let mut explored = 0;
        for (chunk, calls) in done.unwrap_or_else(PoisonError::into_inner) {
            let calls = calls.iter().zip(&adding);
            let count = calls.filter(|(_, adding)| chunk <= **adding);
            explored += count.map(|(calls, _)| calls).sum::<u64>();
        }
        let adds = adding.iter().map(|&chunk| chunk != usize::MAX).collect();
        (adds, explored)
    }
}

impl Search {
    /// Says of each trial whether it adds anything to what was built. With `most`, tuples of
    /// structures are made of the first so many of each pool only. There is a single trial if calls
    /// take several structures.
    ///
    /// # Errors
    /// Somebody asked to stop, or no memory was left.
    pub fn adding(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        trials: &[Trial<'_>],
        most: Option<usize>,
        machines: Machines<'_>,
        ask: &mut Ask<'_>,
    ) -> Result<Vec<bool>, Ended> {
        self.renew_for(trials, most);
        loop {
            prepared.initialize(vm, &self.initialized);
            let flow = vm.with_mark(|vm| self.try_marked(vm, prepared, trials, machines, ask));
            vm.limit_steps(u64::MAX);
            prepared.caller.tally = Default::default();
            prepared.caller.findings = Findings::default();
            match flow {
                Ok(Some((adds, explored))) => {
                    self.tally_mut().explored += explored;
                    return Ok(adds);
                }
                Ok(None) => return Err(Ended::Interrupted),
                Err(Break::HeapFull) => return Err(Ended::HeapFull),
                Err(Break::Stopped) => return Err(Ended::Interrupted),
                Err(Break::Initialized(names)) => {
                    self.initialized.extend(names);
                    prepared.caller.paths = Some(Box::default());
                }
            }
        }
    }

    /// Takes for new what some trial has not been made on.
    fn renew_for(&mut self, trials: &[Trial<'_>], most: Option<usize>) {
        let old: Vec<usize> = (0..self.pools.len())
            .map(|pool| {
                let tried = trials.iter().map(|trial| trial.tried.get(pool));
                let least = tried.map(|tried| tried.copied().unwrap_or(0)).min();
                least.unwrap_or(0)
            })
            .collect();
        self.pools.renew(&old);
        if let Some(most) = most {
            self.pools.limit(most);
        }
    }

    fn try_marked(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        trials: &[Trial<'_>],
        machines: Machines<'_>,
        ask: &mut Ask<'_>,
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
        let shared = Shared {
            pools: &self.pools,
            closed: &self.closed,
            trials,
            enabled,
            trial_of,
            jobs: match tuples >= WORTH_MORE {
                true => machines.jobs,
                false => 1,
            },
            chunks,
            next: AtomicUsize::new(0),
            adding: trials
                .iter()
                .map(|_| AtomicUsize::new(usize::MAX))
                .collect(),
            stops: AtomicBool::new(false),
            done: Mutex::default(),
            broken: Mutex::default(),
        };
        shared.start(vm, &mut prepared.caller)?;
        let mut was_stopped = false;
        std::thread::scope(|scope| {
            for _ in 1..shared.jobs {
                let (shared, initialized) = (&shared, &self.initialized);
                scope.spawn(move || {
                    if let Some((mut vm, mut prepared)) = (machines.more)() {
                        prepared.initialize(&mut vm, initialized);
                        prepared.caller.paths = Some(Box::default());
                        let root = vm.mark();
                        shared.work(&mut vm, &mut prepared.caller, &mut |_| true);
                        vm.undo_to(root);
                    }
                });
            }
            shared.work(vm, &mut prepared.caller, &mut |explored| {
                let mut progress = so_far;
                progress.tally.explored += explored;
                was_stopped = ask(progress).is_break();
                !was_stopped
            });
            // What goes on elsewhere ends with the chunks; it is asked no more.
        });
        if was_stopped {
            return Ok(None);
        }
        let broken = shared
            .broken
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        match broken {
            Some(broken) => Err(broken),
            None => Ok(Some(shared.result())),
        }
    }
}
