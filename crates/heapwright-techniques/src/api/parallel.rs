//! Parallel iterations: many workers, each with its own machine.
//!
//! Parts of the search are chunks of the last iteration's structures; the next iteration's chunks
//! follow them.
//!
//! **Invariant:** a worker reads only structures that existed when the iteration began. Its results
//! are taken in the order of the chunks, so that the order of discovery is that of a single
//! machine.

use std::ops::{ControlFlow, Range};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use heapwright_explore::{CanonicalForm, FormSet, Span, Workers};
use heapwright_jvm::{MethodId, Vm};
use rustc_hash::FxHashSet;

use super::Prepared;
use super::caller::{Board, Break};
use super::findings::{CallFindings, OutcomeTally};
use super::pools::{Pools, StructureRef};
use super::search::{ApiSearch, ProgressCallback, SearchEnd};
use super::spill::Spill;
use super::trial::Machines;
use crate::parallel::{self, Batch, Collected, WorkerPool};
use crate::parts::StopCheck;

/// Structures in a chunk.
const CHUNK: usize = 256;

/// Creates the machine of a further worker, if there is memory for one.
pub type More<'f> = dyn Fn() -> Option<(Vm, Prepared)> + Sync + 'f;

/// Results of a chunk.
struct ChunkDone {
    tally: OutcomeTally,
    findings: CallFindings,
    built: Pools,
    /// For each structure built, by pool, the number of its sequence in the chunk.
    sequences: Vec<Vec<u32>>,
    broken: Option<Break>,
}

/// State shared by the workers, constant during an iteration.
struct IterationState {
    pools: RwLock<Pools>,
    /// Methods that have often not ended.
    endless: RwLock<Vec<MethodId>>,
    matching: bool,
}

/// Board on constant structures: new structures are stored separately.
pub(super) struct SnapshotBoard<'a> {
    pools: &'a Pools,
    /// New structures.
    pub built: Pools,
    sequences: Vec<Vec<u32>>,
    sequence: u32,
    matching: bool,
}

impl<'a> SnapshotBoard<'a> {
    /// Creates a board without new structures.
    pub fn new(pools: &'a Pools, matching: bool) -> SnapshotBoard<'a> {
        SnapshotBoard {
            pools,
            built: Pools::default(),
            sequences: Vec::new(),
            sequence: 0,
            matching,
        }
    }

    /// For each new structure, by pool, the number of its sequence.
    pub fn sequences(&self) -> &[Vec<u32>] {
        &self.sequences
    }
}

impl Board for SnapshotBoard<'_> {
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

    fn add(&mut self, class: &str, hash: u64, form: CanonicalForm<'_>, origin: &[u8]) -> bool {
        let pool = self.built.enter(class);
        let is_new = self.built.insert(pool, hash, form, origin, self.matching);
        if is_new {
            self.sequences.resize(self.built.len(), Vec::new());
            self.sequences[pool].push(self.sequence);
        }
        // Novelty is known only after the chunks before this one.
        false
    }

    fn next_sequence(&mut self) {
        self.sequence += 1;
    }
}

impl ApiSearch {
    /// Continues with iterations of the `enabled` operations until the search ends, on this machine
    /// and on further ones. Those are prepared as this one was at the start.
    ///
    /// # Errors
    /// See [`Break`].
    pub(super) fn run_parallel(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        enabled: &[usize],
        machines: Machines<'_>,
        ask: &mut ProgressCallback<'_>,
    ) -> Result<SearchEnd, Break> {
        let shared = IterationState {
            pools: RwLock::new(std::mem::take(&mut self.pools)),
            endless: RwLock::default(),
            matching: self.matching,
        };
        let stop = prepared.caller.stop.clone();
        let (initialized, keeps_paths) = (self.initialized.clone(), self.keeps_paths);
        let work = |pool: &WorkerPool<'_, ChunkDone, ()>, vm: &mut Vm, prepared: &mut Prepared| {
            prepared.caller.enable(enabled);
            let paths = keeps_paths.then(Box::default);
            let own = std::mem::replace(&mut prepared.caller.paths, paths);
            vm.with_mark(|vm| pool.work(|span| shared.make(pool, vm, prepared, span)));
            prepared.caller.paths = own;
        };
        let mut iterations = Iterations {
            search: self,
            shared: &shared,
            fresh: Pools::default(),
            left: 0,
            ended: SearchEnd::Complete,
            ask,
            stop,
        };
        let searched = iterations.begin().and_then(|begun| {
            parallel::search(
                begun,
                machines.jobs,
                &|| false,
                |pool| work(pool, vm, prepared),
                &|pool| {
                    if let Some((mut vm, mut prepared)) = (machines.more)() {
                        prepared.initialize(&mut vm, &initialized);
                        work(pool, &mut vm, &mut prepared);
                    }
                },
                &mut iterations,
            )
        });
        let Iterations { fresh, ended, .. } = iterations;
        self.pools = shared
            .pools
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        if self.spill.is_none() {
            self.pools.absorb(&fresh, self.matching);
        }
        let (collected, _) = searched?;
        Ok(match collected {
            Collected::All => ended,
            Collected::UpToStop | Collected::UpToBreak => SearchEnd::Interrupted,
        })
    }
}

/// Collects the results of the chunks, by iteration.
struct Iterations<'a, 'f> {
    search: &'a mut ApiSearch,
    shared: &'a IterationState,
    /// Structures built in this iteration.
    fresh: Pools,
    /// Chunks of this iteration that were not taken yet.
    left: usize,
    ended: SearchEnd,
    ask: &'a mut ProgressCallback<'f>,
    stop: Option<StopCheck>,
}

impl Iterations<'_, '_> {
    /// Begins an iteration and returns its chunks; none if the search has ended.
    fn begin(&mut self) -> Result<Vec<Span>, Break> {
        let shared = self.shared;
        let mut pools = shared.write();
        match &mut self.search.spill {
            Some(_) => self.search.resolve_into(&mut pools)?,
            None => pools.absorb(&std::mem::take(&mut self.fresh), shared.matching),
        }
        if !pools.begin_iteration() {
            return Ok(Vec::new());
        }
        if self.search.is_at_length(pools.new_structures()) {
            self.ended = SearchEnd::AtLength;
            return Ok(Vec::new());
        }
        self.search.begin_iteration();
        let endless = self.search.findings_mut().endless();
        *(shared.endless.write()).unwrap_or_else(PoisonError::into_inner) = endless;
        let spans = chunks(&pools, self.search.iterations);
        self.left = spans.len();
        Ok(spans)
    }

    /// Takes the structures built by a chunk; returns the number of its sequences that are known to
    /// have built something new.
    fn take_built(&mut self, built: &Pools, sequences: &[Vec<u32>]) -> Result<u64, Break> {
        if self.search.spill.is_some() {
            self.take_candidates(built, sequences)?;
            return Ok(0);
        }
        let mut building = FxHashSet::default();
        for (pool, sequences) in built.iter().zip(sequences) {
            let into = self.fresh.enter(&pool.class);
            for (record, &sequence) in pool.in_memory().from(0).zip(sequences) {
                let hash = FormSet::hash(record.form.compared);
                let (form, origin) = (record.form, record.origin);
                let matching = self.shared.matching;
                if self.fresh.insert(into, hash, form, origin, matching) {
                    building.insert(sequence);
                }
            }
        }
        self.relieve()?;
        Ok(building.len() as u64)
    }

    /// Moves the structures to disk if they take too much memory.
    fn relieve(&mut self) -> Result<(), Break> {
        let Some(settings) = &self.search.spill_settings else {
            return Ok(());
        };
        let shared = self.shared;
        if shared.read().memory() + self.fresh.memory() > settings.in_memory() {
            let mut pools = shared.write();
            // The structures of the chunks so far come before those of all later ones.
            pools.absorb(&std::mem::take(&mut self.fresh), shared.matching);
            let (matching, stop) = (shared.matching, self.stop.clone());
            let spill = Spill::begin(settings, matching, stop, &mut pools)?;
            self.search.spill = Some(spill);
        }
        Ok(())
    }

    /// Takes the structures built by a chunk as candidates, in the order of their sequences.
    fn take_candidates(&mut self, built: &Pools, sequences: &[Vec<u32>]) -> Result<(), Break> {
        let Some(spill) = &mut self.search.spill else {
            return Ok(());
        };
        let mut candidates = Vec::new();
        for (pool, sequences) in built.iter().zip(sequences) {
            let records = pool.in_memory().from(0).zip(sequences);
            candidates.extend(records.map(|(record, &sequence)| (sequence, &*pool.class, record)));
        }
        candidates.sort_by_key(|&(sequence, _, _)| sequence);
        let mut last = None;
        spill.next_sequence();
        for (sequence, class, record) in candidates {
            if last.replace(sequence).is_some_and(|last| last != sequence) {
                spill.next_sequence();
            }
            spill.add(class, record.form, record.origin);
        }
        spill.check()?;
        let shared = self.shared;
        if spill.is_due(&shared.read()) {
            self.search.resolve_into(&mut shared.write())?;
        }
        Ok(())
    }
}

impl parallel::Collector<ChunkDone, ()> for Iterations<'_, '_> {
    type Error = Break;

    fn take(&mut self, done: ChunkDone) -> Result<ControlFlow<()>, Break> {
        let building = self.take_built(&done.built, &done.sequences)?;
        let tally = self.search.tally_mut();
        *tally += done.tally;
        tally.building += building;
        self.search.findings_mut().append(done.findings);
        match done.broken {
            Some(broken) => Err(broken),
            None => Ok(ControlFlow::Continue(())),
        }
    }

    fn finish(
        &mut self,
        (): (),
        workers: &Workers<ChunkDone, ()>,
    ) -> Result<ControlFlow<()>, Break> {
        self.left -= 1;
        if self.left == 0 {
            workers.put(self.begin()?);
        }
        Ok(ControlFlow::Continue(()))
    }

    fn watch(&mut self, _: &Workers<ChunkDone, ()>) -> ControlFlow<()> {
        let progress = self.search.progress_of(&self.shared.read(), &self.fresh);
        (self.ask)(progress)
    }
}

/// Returns the chunks of an iteration, each identified by the iteration, the pool and its first
/// structure.
fn chunks(pools: &Pools, iteration: u32) -> Vec<Span> {
    let mut chunks = Vec::new();
    for (number, pool) in (0..).zip(pools.iter()) {
        for start in (pool.old..pool.known).step_by(CHUNK) {
            chunks.push(Span::below(vec![
                i64::from(iteration),
                number,
                start as i64,
            ]));
        }
    }
    chunks
}

impl IterationState {
    fn read(&self) -> RwLockReadGuard<'_, Pools> {
        self.pools.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Pools> {
        self.pools.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the calls of a chunk.
    fn make(
        &self,
        pool: &WorkerPool<'_, ChunkDone, ()>,
        vm: &mut Vm,
        prepared: &mut Prepared,
        span: &Span,
    ) {
        let pools = self.read();
        let number = span.path[1] as u32;
        let start = span.path[2] as usize;
        let structures: Range<usize> = start..(start + CHUNK).min(pools.get(number).known);
        let endless = self.endless.read().unwrap_or_else(PoisonError::into_inner);
        prepared.caller.endless.clone_from(&endless);
        drop(endless);
        let mut board = SnapshotBoard::new(&pools, self.matching);
        let mut broken = None;
        for index in structures {
            if pool.is_stopped() {
                break;
            }
            let index = index as u32;
            let lead = StructureRef {
                pool: number,
                index,
            };
            broken = prepared.caller.visit(vm, &mut board, lead).err();
            if broken.is_some() {
                break;
            }
        }
        let done = ChunkDone {
            tally: std::mem::take(&mut prepared.caller.tally),
            findings: std::mem::take(&mut prepared.caller.findings),
            built: board.built,
            sequences: board.sequences,
            broken,
        };
        drop(pools);
        let bytes = done.built.memory();
        let mut batch = Batch::default();
        batch.push(done, bytes);
        pool.hand_out(span, &mut batch);
    }
}
