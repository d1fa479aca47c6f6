//! Iterations on many machines.
//!
//! Workers take chunks of what the last iteration found, in order, and look only at what was there
//! when the iteration began; what they build is taken in the order of the chunks. So everything is
//! found in the order in which one machine would have found it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use heapwright_explore::{Form, Reached};
use heapwright_jvm::{MethodId, Vm};
use rustc_hash::FxHashSet;

use super::Prepared;
use super::caller::{Board, Break};
use super::findings::{Findings, Tally};
use super::pools::{Built, Pools};
use super::search::{Ask, Ended, Search};

/// Structures in a chunk.
const CHUNK: usize = 256;
/// Chunks per worker that may be done before the oldest that is not.
const AHEAD: usize = 8;
/// Time between two questions whether to go on.
const PATIENCE: Duration = Duration::from_millis(50);

/// What makes the machine of a further worker, if there is room for one.
pub type More<'f> = dyn Fn() -> Option<(Vm, Prepared)> + Sync + 'f;

/// A part of what the last iteration found.
#[derive(Clone)]
struct Chunk {
    pool: u32,
    structures: Range<usize>,
}

/// What a worker made of a chunk.
struct Done {
    tally: Tally,
    findings: Findings,
    built: Pools,
    /// For each structure built, by pools, the number of its sequence in the chunk.
    sequences: Vec<Vec<u32>>,
    broken: Option<Break>,
}

/// The chunks of an iteration.
#[derive(Default)]
struct Round {
    chunks: Vec<Chunk>,
    /// Methods that have often not ended.
    endless: Vec<MethodId>,
    /// The first that nobody has taken.
    next: usize,
    /// How many were taken up to now, in order.
    merged: usize,
    is_over: bool,
}

/// Ends the search where a worker or the coordinator comes to a panic, which then shows.
struct Over<'a>(&'a Shared<'a>);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.end();
        }
    }
}

/// What coordinator and workers share.
struct Shared<'a> {
    pools: &'a RwLock<Pools>,
    round: Mutex<Round>,
    changed: Condvar,
    stops: AtomicBool,
    workers: usize,
    matching: bool,
}

/// A board for work on structures that stay as they are: what is built stands apart.
pub(super) struct Apart<'a> {
    pools: &'a Pools,
    /// What was built.
    pub built: Pools,
    sequences: Vec<Vec<u32>>,
    sequence: u32,
    matching: bool,
}

impl<'a> Apart<'a> {
    /// One with nothing built.
    pub fn new(pools: &'a Pools, matching: bool) -> Apart<'a> {
        Apart {
            pools,
            built: Pools::default(),
            sequences: Vec::new(),
            sequence: 0,
            matching,
        }
    }
}

impl Board for Apart<'_> {
    fn pools(&self) -> &Pools {
        self.pools
    }

    fn is_known(&self, class: &str, hash: u64, compared: &[u8]) -> bool {
        let contains = |pools: &Pools| {
            let pool = pools.find(class);
            pool.is_some_and(|pool| pools.contains(pool, hash, compared))
        };
        self.matching && (contains(self.pools) || contains(&self.built))
    }

    fn add(&mut self, class: &str, hash: u64, form: Form<'_>, origin: &[u8]) -> bool {
        let pool = self.built.enter(class);
        let is_new = self.built.insert(pool, hash, form, origin, self.matching);
        if is_new {
            self.sequences.resize(self.built.len(), Vec::new());
            self.sequences[pool].push(self.sequence);
        }
        // Whether it is new at all is known only when the chunks before this one are done.
        false
    }

    fn next_sequence(&mut self) {
        self.sequence += 1;
    }
}

impl Search {
    /// Goes on with iterations of the calls of the `enabled` operations on the machines that `more` makes, until the search ends. What `more`
    /// makes is prepared as the machine was that began.
    ///
    /// # Errors
    /// See [`Break`].
    pub(super) fn run_parallel(
        &mut self,
        jobs: usize,
        enabled: &[usize],
        more: &More<'_>,
        ask: &mut Ask<'_>,
    ) -> Result<Ended, Break> {
        let pools = RwLock::new(std::mem::take(&mut self.pools));
        let shared = Shared {
            pools: &pools,
            round: Mutex::default(),
            changed: Condvar::new(),
            stops: AtomicBool::new(false),
            workers: jobs,
            matching: self.matching,
        };
        let initialized = self.initialized.clone();
        let keeps_paths = self.keeps_paths;
        let ended = std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..jobs {
                let (sender, shared, initialized) = (sender.clone(), &shared, &initialized);
                scope.spawn(move || {
                    let _over = Over(shared);
                    if let Some((mut vm, mut prepared)) = more() {
                        prepared.initialize(&mut vm, initialized);
                        prepared.caller.enable(enabled);
                        prepared.caller.paths = keeps_paths.then(Box::default);
                        let root = vm.mark();
                        shared.work(&mut vm, &mut prepared, &sender);
                        vm.undo_to(root);
                    }
                });
            }
            drop(sender);
            let _over = Over(&shared);
            let ended = self.coordinate(&shared, &receiver, ask);
            shared.end();
            ended
        });
        self.pools = pools.into_inner().unwrap_or_else(PoisonError::into_inner);
        ended
    }

    fn coordinate(
        &mut self,
        shared: &Shared<'_>,
        receiver: &Receiver<(usize, Done)>,
        ask: &mut Ask<'_>,
    ) -> Result<Ended, Break> {
        loop {
            let chunks = {
                let mut pools = shared.pools.write().unwrap_or_else(PoisonError::into_inner);
                if !pools.begin_iteration() {
                    return Ok(Ended::Complete);
                }
                if self.is_at_length(pools.new_structures()) {
                    return Ok(Ended::AtLength);
                }
                chunks(&pools)
            };
            self.begin_iteration();
            let count = chunks.len();
            *shared.round() = Round {
                chunks,
                endless: self.findings_mut().endless(),
                ..Round::default()
            };
            shared.changed.notify_all();
            let mut fresh = Fresh::default();

            let mut waiting = BTreeMap::new();
            let mut flow = Ok(None);
            for merged in 0..count {
                let done = loop {
                    if let Some(done) = waiting.remove(&merged) {
                        break Some(done);
                    }
                    match receiver.recv_timeout(PATIENCE) {
                        Ok((number, done)) => {
                            waiting.insert(number, done);
                        }
                        Err(RecvTimeoutError::Timeout) => {
                            if shared.stops.load(Ordering::Relaxed) {
                                break None;
                            }
                            if ask(self.progress_of(&shared.read(), &fresh.pools)).is_break() {
                                break None;
                            }
                        }
                        Err(RecvTimeoutError::Disconnected) => return Err(Break::HeapFull),
                    }
                };
                let Some(done) = done else {
                    flow = Ok(Some(Ended::Interrupted));
                    break;
                };
                *self.tally_mut() += done.tally;
                self.findings_mut().append(done.findings);
                let building = fresh.take(&done.built, &done.sequences, self.matching);
                self.tally_mut().building += building;
                if let Some(broken) = done.broken {
                    flow = Err(broken);
                    break;
                }
                shared.round().merged = merged + 1;
                shared.changed.notify_all();
                if merged.is_multiple_of(AHEAD)
                    && ask(self.progress_of(&shared.read(), &fresh.pools)).is_break()
                {
                    flow = Ok(Some(Ended::Interrupted));
                    break;
                }
            }
            if !matches!(flow, Ok(None)) {
                shared.stops.store(true, Ordering::Relaxed);
            }
            // A worker that holds the pools lets go of them at its next structure.
            let mut pools = shared.pools.write().unwrap_or_else(PoisonError::into_inner);
            pools.absorb(&fresh.pools, self.matching);
            drop(pools);
            match flow {
                Ok(None) => {}
                Ok(Some(ended)) => return Ok(ended),
                Err(broken) => return Err(broken),
            }
        }
    }
}

/// What an iteration has found so far.
#[derive(Default)]
pub(super) struct Fresh {
    pub pools: Pools,
}

impl Fresh {
    /// Takes what a chunk's calls built, and says how many of its sequences built something new.
    fn take(&mut self, built: &Pools, sequences: &[Vec<u32>], matching: bool) -> u64 {
        let mut building = FxHashSet::default();
        for (pool, sequences) in built.iter().zip(sequences) {
            let into = self.pools.enter(&pool.class);
            for (record, &sequence) in pool.reached.from(0).zip(sequences) {
                let hash = Reached::hash(record.form.compared);
                if self
                    .pools
                    .insert(into, hash, record.form, record.origin, matching)
                {
                    building.insert(sequence);
                }
            }
        }
        building.len() as u64
    }
}

fn chunks(pools: &Pools) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for (number, pool) in (0..).zip(pools.iter()) {
        for start in (pool.old..pool.known).step_by(CHUNK) {
            chunks.push(Chunk {
                pool: number,
                structures: start..(start + CHUNK).min(pool.known),
            });
        }
    }
    chunks
}

impl Shared<'_> {
    fn round(&self) -> MutexGuard<'_, Round> {
        self.round.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self) -> RwLockReadGuard<'_, Pools> {
        self.pools.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes chunks until the search is over.
    /// Lets workers and coordinator end.
    fn end(&self) {
        self.stops.store(true, Ordering::Relaxed);
        self.round().is_over = true;
        self.changed.notify_all();
    }

    fn work(&self, vm: &mut Vm, prepared: &mut Prepared, sender: &Sender<(usize, Done)>) {
        while let Some((number, chunk)) = self.take(prepared) {
            let pools = self.read();
            let done = self.make(vm, prepared, &pools, &chunk);
            drop(pools);
            if sender.send((number, done)).is_err() {
                return;
            }
        }
    }

    /// The next chunk, once there is one; nothing when the search is over.
    fn take(&self, prepared: &mut Prepared) -> Option<(usize, Chunk)> {
        let mut round = self.round();
        loop {
            if round.is_over || self.stops.load(Ordering::Relaxed) {
                return None;
            }
            let number = round.next;
            if number < round.chunks.len() && number < round.merged + AHEAD * self.workers {
                round.next += 1;
                prepared.caller.endless.clone_from(&round.endless);
                return Some((number, round.chunks[number].clone()));
            }
            round = self
                .changed
                .wait(round)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn make(&self, vm: &mut Vm, prepared: &mut Prepared, pools: &Pools, chunk: &Chunk) -> Done {
        let mut board = Apart::new(pools, self.matching);
        let mut broken = None;
        for index in chunk.structures.clone() {
            if self.stops.load(Ordering::Relaxed) {
                break;
            }
            let lead = Built {
                pool: chunk.pool,
                index: index as u32,
            };
            if let Err(stop) = prepared.caller.visit(vm, &mut board, lead) {
                broken = Some(stop);
                break;
            }
        }
        Done {
            tally: std::mem::take(&mut prepared.caller.tally),
            findings: std::mem::take(&mut prepared.caller.findings),
            built: board.built,
            sequences: board.sequences,
            broken,
        }
    }
}
