//! The iterations of a search, on one machine or several.
//!
//! Invariant: structures are found in the same order, each with the same origin, for any number of
//! machines. Several machines work on chunks of the last iteration's structures; their results are
//! taken in the order of the chunks.

use std::ops::ControlFlow;

use heapwright_explore::external::SpillError;
use heapwright_explore::{CanonicalForm, FormSet};
use heapwright_jvm::Vm;
use serde::{Deserialize, Serialize};

use super::caller::{Board, Break};
use super::findings::{CallFindings, OutcomeTally};
use super::parallel::SnapshotBoard;
use super::pools::{Pools, StructureRef};
use super::spill::{Spill, SpillSettings};
use super::trial::Machines;
use super::{ApiRequest, Prepared};

/// Structures between two checks whether to go on.
const SLICE: usize = 64;
/// Calls after which a check is due in any case.
const MANY: u64 = 10_000;
/// New structures of an iteration from which on further machines are worth their start-up cost.
const WORTH_MORE: usize = 2_000;

/// Progress of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ApiProgress {
    /// Counts of calls by outcome.
    pub tally: OutcomeTally,
    /// Structures of the class under test.
    pub structures: u64,
    /// Iterations begun.
    pub iterations: u32,
    /// Memory of all structures, in bytes.
    pub memory: u64,
    /// Greatest size of the structures on disk so far, in bytes.
    pub disk: u64,
}

/// End of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchEnd {
    /// Nothing new can be built.
    Complete,
    /// The limit of iterations was reached: something new could be built.
    AtLength,
    /// The user stopped the search.
    Interrupted,
    /// The heap was too full to rebuild a structure.
    HeapFull,
    /// Structures could not be stored on disk, or read from it.
    Disk,
}

/// Result of a search, without its structures.
#[derive(Clone, Debug)]
pub struct ApiSearchOutcome {
    /// Counts.
    pub progress: ApiProgress,
    /// Faults found.
    pub findings: CallFindings,
    /// End of the search.
    pub ended: SearchEnd,
    /// What went wrong with the disk.
    pub disk_error: Option<SpillError>,
}

/// Callback that decides whether to go on.
pub type ProgressCallback<'f> = dyn FnMut(ApiProgress) -> ControlFlow<()> + Send + 'f;

/// Limit of the number of iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LengthLimit {
    most: u32,
    /// Iterations between two progress checks, and the number of structures found at the previous
    /// check.
    patience: Option<u32>,
    found_before: usize,
}

impl LengthLimit {
    /// Limit of a request, before the first iteration.
    #[must_use]
    pub fn of(request: &ApiRequest) -> LengthLimit {
        LengthLimit {
            most: request.max_length.unwrap_or(u32::MAX),
            patience: request.patience.filter(|_| request.max_length.is_none()),
            found_before: 0,
        }
    }

    /// The limit before the first iteration.
    fn restarted(self) -> LengthLimit {
        LengthLimit {
            found_before: 0,
            ..self
        }
    }

    /// Whether no more iterations are allowed, given their number and the number of structures of
    /// the last one. A search that does not converge finds at least as many structures at a
    /// progress check as at the previous one. A search that converges continues while its numbers
    /// decrease.
    pub fn is_reached(&mut self, iterations: u32, new: usize) -> bool {
        if iterations == self.most {
            return true;
        }
        let Some(patience) = self.patience else {
            return false;
        };
        if iterations < patience {
            self.found_before = self.found_before.max(new);
            return false;
        }
        if !iterations.is_multiple_of(patience) {
            return false;
        }
        let before = std::mem::replace(&mut self.found_before, new);
        new >= before
    }
}

/// Search with its results so far.
pub struct ApiSearch {
    /// The structures.
    pub pools: Pools,
    /// Internal name of the class under test.
    class: String,
    pub(crate) matching: bool,
    length: LengthLimit,
    tally: OutcomeTally,
    findings: CallFindings,
    pub(super) iterations: u32,
    /// Counts of the calls that need no structure, equal in each iteration.
    without_structures: OutcomeTally,
    /// Operations that were called on all structures and add nothing.
    pub(super) closed: Vec<usize>,
    /// Whether machines record paths.
    pub(super) keeps_paths: bool,
    pub(super) initialized: Vec<String>,
    /// Where structures go for which there is no memory. Otherwise they stay in memory, however
    /// many they are.
    pub spill_settings: Option<SpillSettings>,
    /// Candidates, once structures are on disk.
    pub(super) spill: Option<Spill>,
}

/// Result of extending a search by further operations.
pub enum Extension {
    /// They add nothing.
    Nothing,
    /// They added nothing before the user stopped the search.
    NothingSoFar,
    /// The search with the added structures.
    Larger(Box<ApiSearch>),
    /// They may add more than was explored: the search ended early for this reason.
    Unfinished(SearchEnd),
}

/// Next step of a search.
enum Next {
    End(SearchEnd),
    /// An iteration that is large enough for several machines.
    Parallel,
}

/// Board of a search on one machine.
struct Direct<'a> {
    pools: &'a mut Pools,
    /// Candidates, once structures are on disk.
    spill: Option<&'a mut Spill>,
    matching: bool,
}

impl Board for Direct<'_> {
    fn pools(&self) -> &Pools {
        self.pools
    }

    #[inline]
    fn is_known(&self, class: &str, hash: u64, compared: &[u8]) -> bool {
        self.matching
            && self.spill.is_none()
            && self
                .pools
                .find(class)
                .is_some_and(|pool| self.pools.contains(pool, hash, compared))
    }

    fn add(&mut self, class: &str, hash: u64, form: CanonicalForm<'_>, origin: &[u8]) -> bool {
        let Some(spill) = &mut self.spill else {
            let pool = self.pools.enter(class);
            return self.pools.insert(pool, hash, form, origin, self.matching);
        };
        spill.add(class, form, origin);
        if spill.is_due(self.pools) {
            spill.resolve_soon(self.pools);
        }
        // Which structures are new is found out later.
        false
    }

    fn next_sequence(&mut self) {
        if let Some(spill) = &mut self.spill {
            spill.next_sequence();
        }
    }
}

impl ApiSearch {
    /// Creates a search without results.
    #[must_use]
    pub fn new(request: &ApiRequest) -> ApiSearch {
        let class = request.classes.first().map(|name| name.replace('.', "/"));
        ApiSearch {
            pools: Pools::default(),
            class: class.unwrap_or_default(),
            matching: request.matching,
            length: LengthLimit::of(request),
            tally: OutcomeTally::default(),
            findings: CallFindings::default(),
            iterations: 0,
            without_structures: OutcomeTally::default(),
            closed: Vec::new(),
            keeps_paths: false,
            initialized: Vec::new(),
            spill_settings: None,
            spill: None,
        }
    }

    /// Searches to the end. A large iteration runs on all machines, as do those after it. Calls
    /// `ask` periodically.
    pub fn run(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        machines: Machines<'_>,
        ask: &mut ProgressCallback<'_>,
    ) -> ApiSearchOutcome {
        loop {
            prepared.initialize(vm, &self.initialized);
            let flow = vm.with_mark(|vm| self.run_marked(vm, prepared, machines.jobs > 1, ask));
            vm.limit_steps(u64::MAX);
            let flow = match flow {
                Ok(Next::Parallel) => {
                    let all: Vec<usize> = (0..prepared.caller.operations.len()).collect();
                    self.run_parallel(vm, prepared, &all, machines, ask)
                }
                Ok(Next::End(ended)) => Ok(ended),
                Err(stop) => Err(stop),
            };
            match flow {
                Ok(ended) => return self.outcome(ended, None),
                Err(Break::HeapFull) => return self.outcome(SearchEnd::HeapFull, None),
                Err(Break::Disk(error)) => return self.outcome(SearchEnd::Disk, Some(error)),
                Err(Break::Stopped) => return self.outcome(SearchEnd::Interrupted, None),
                Err(Break::Initialized(names)) => self.start_over(names),
            }
        }
    }

    fn outcome(&mut self, ended: SearchEnd, disk_error: Option<SpillError>) -> ApiSearchOutcome {
        let progress = self.progress();
        if let Some(mut spill) = self.spill.take() {
            self.tally.building += spill.take_building();
            // Candidates of a search that ended early are no results, and their calls do not count.
            self.tally.explored -= spill.undecided();
        }
        ApiSearchOutcome {
            progress: ApiProgress {
                tally: self.tally,
                ..progress
            },
            findings: std::mem::take(&mut self.findings),
            ended,
            disk_error,
        }
    }

    /// Internal names of the classes that were initialised permanently, in order.
    #[must_use]
    pub fn initialized(&self) -> &[String] {
        &self.initialized
    }

    /// Adds a structure that another process found, behind those added before.
    ///
    /// # Errors
    /// The disk is full.
    pub fn restore(
        &mut self,
        class: &str,
        form: CanonicalForm<'_>,
        origin: &[u8],
    ) -> Result<(), SpillError> {
        if let Some(spill) = &mut self.spill {
            spill.add(class, form, origin);
            if spill.is_due(&self.pools) {
                spill.resolve_soon(&mut self.pools);
            }
            return spill.check();
        }
        let pool = self.pools.enter(class);
        let hash = FormSet::hash(form.compared);
        self.pools.insert(pool, hash, form, origin, self.matching);
        if let Some(settings) = &self.spill_settings
            && self.pools.memory() > settings.in_memory()
        {
            let spill = Spill::begin(settings, self.matching, None, &mut self.pools)?;
            self.spill = Some(spill);
        }
        Ok(())
    }

    /// Outcome of a search whose structures were restored, with its counts and findings.
    ///
    /// # Errors
    /// The structures on disk cannot be read.
    pub fn restored(
        &mut self,
        (tally, iterations): (OutcomeTally, u32),
        findings: CallFindings,
        ended: SearchEnd,
    ) -> Result<ApiSearchOutcome, SpillError> {
        if let Some(spill) = &mut self.spill {
            spill.resolve(&mut self.pools)?;
            spill.take_building();
        }
        (self.tally, self.findings, self.iterations) = (tally, findings, iterations);
        Ok(self.outcome(ended, None))
    }

    /// Returns the progress of the search.
    #[must_use]
    pub fn progress(&self) -> ApiProgress {
        self.progress_of(&self.pools, &Pools::default())
    }

    /// Returns the progress of the search, including the structures of the current iteration.
    pub(super) fn progress_of(&self, pools: &Pools, fresh: &Pools) -> ApiProgress {
        let count = |pools: &Pools| {
            let pool = pools.find(&self.class);
            pool.map_or(0, |pool| pools.get(pool as u32).len() as u64)
        };
        ApiProgress {
            tally: self.tally,
            structures: count(pools) + count(fresh),
            iterations: self.iterations,
            memory: pools.memory() + fresh.memory() + self.spill.as_ref().map_or(0, Spill::memory),
            disk: self.spill.as_ref().map_or(0, Spill::peak_disk),
        }
    }

    /// Extends the search by further operations, among `enabled` ones. They are called on the
    /// structures built before, except on the first structures of each pool that `tried` counts:
    /// there they are known to add nothing. The explored calls count in both searches.
    #[expect(clippy::too_many_arguments, reason = "the search and its extension")]
    pub fn extended(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        further: &[usize],
        tried: &[usize],
        enabled: &[usize],
        machines: Machines<'_>,
        ask: &mut ProgressCallback<'_>,
    ) -> Extension {
        loop {
            prepared.initialize(vm, &self.initialized);
            let flow = vm.with_mark(|vm| {
                self.extend_marked(vm, prepared, further, tried, enabled, machines, ask)
            });
            vm.limit_steps(u64::MAX);
            match flow {
                Ok(extension) => return extension,
                Err(Break::HeapFull) => return Extension::Unfinished(SearchEnd::HeapFull),
                Err(Break::Disk(_)) => return Extension::Unfinished(SearchEnd::Disk),
                Err(Break::Stopped) => return Extension::Unfinished(SearchEnd::Interrupted),
                // The structures built before remain valid: they were built without these classes.
                Err(Break::Initialized(names)) => {
                    self.initialized.extend(names);
                    if prepared.caller.paths.is_some() {
                        prepared.caller.paths = Some(Box::default());
                    }
                }
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the search and its extension")]
    fn extend_marked(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        further: &[usize],
        tried: &[usize],
        enabled: &[usize],
        machines: Machines<'_>,
        ask: &mut ProgressCallback<'_>,
    ) -> Result<Extension, Break> {
        prepared.caller.enable(further);
        self.pools.mark_new(tried);
        let mut board = SnapshotBoard::new(&self.pools, self.matching);
        let caller = &mut prepared.caller;
        caller.start(vm, &mut board)?;
        let mut asked = 0;
        for (pool, structures) in self.new_structures() {
            for index in structures {
                let explored = caller.tally.explored;
                let is_due = index.is_multiple_of(SLICE) || explored > asked + MANY;
                let so_far = ApiProgress {
                    tally: self.tally.plus(caller.tally),
                    ..self.progress()
                };
                if is_due && ask(so_far).is_break() {
                    self.tally += std::mem::take(&mut caller.tally);
                    return Ok(match board.built.is_empty() {
                        true => Extension::NothingSoFar,
                        false => Extension::Unfinished(SearchEnd::Interrupted),
                    });
                }
                asked = explored;
                let index = index as u32;
                caller.visit(vm, &mut board, StructureRef { pool, index })?;
            }
        }
        let built = board.built;
        self.tally += std::mem::take(&mut caller.tally);
        caller.findings = CallFindings::default();
        if built.is_empty() {
            return Ok(Extension::Nothing);
        }
        let mut larger = ApiSearch {
            pools: self.pools.copy_in_memory(),
            class: self.class.clone(),
            findings: CallFindings::default(),
            initialized: self.initialized.clone(),
            closed: enabled.to_vec(),
            keeps_paths: prepared.caller.paths.is_some(),
            // The iterations of the structures built before are not counted again.
            iterations: 1,
            length: self.length.restarted(),
            // These searches are small.
            spill_settings: None,
            spill: None,
            ..*self
        };
        larger.pools.absorb(&built, self.matching);
        prepared.caller.enable(enabled);
        let ended = match larger.iterate(vm, prepared, machines.jobs > 1, ask)? {
            Next::End(ended) => ended,
            Next::Parallel => larger.run_parallel(vm, prepared, enabled, machines, ask)?,
        };
        self.tally = larger.tally;
        Ok(match ended {
            SearchEnd::Complete => Extension::Larger(Box::new(larger)),
            ended => Extension::Unfinished(ended),
        })
    }

    /// Discards all results, because further classes must be initialised beforehand.
    fn start_over(&mut self, names: Vec<String>) {
        self.initialized.extend(names);
        self.pools = Pools::default();
        self.spill = None;
        self.tally = OutcomeTally::default();
        self.findings = CallFindings::default();
        self.iterations = 0;
        self.length = self.length.restarted();
    }

    fn run_marked(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        has_more: bool,
        ask: &mut ProgressCallback<'_>,
    ) -> Result<Next, Break> {
        self.start(vm, prepared)?;
        self.iterate(vm, prepared, has_more, ask)
    }

    /// Makes iterations from the current state of the search.
    fn iterate(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        has_more: bool,
        ask: &mut ProgressCallback<'_>,
    ) -> Result<Next, Break> {
        loop {
            let new: usize = self.pools.iter().map(|pool| pool.len() - pool.known).sum();
            if has_more && new >= WORTH_MORE {
                return Ok(Next::Parallel);
            }
            if !self.pools.begin_iteration() {
                return Ok(Next::End(SearchEnd::Complete));
            }
            let new = self.pools.new_structures();
            if self.is_at_length(new) {
                return Ok(Next::End(SearchEnd::AtLength));
            }
            self.begin_iteration();
            prepared.caller.endless = self.findings.endless();
            let flow = self.visit_new(vm, prepared, ask);
            let found = std::mem::take(&mut prepared.caller.findings);
            self.findings.append(found);
            if flow?.is_break() {
                return Ok(Next::End(SearchEnd::Interrupted));
            }
        }
    }

    /// Makes the calls of an iteration; breaks off if `ask` does.
    fn visit_new(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        ask: &mut ProgressCallback<'_>,
    ) -> Result<ControlFlow<()>, Break> {
        for (pool, new) in self.new_structures() {
            for index in new {
                if index.is_multiple_of(SLICE) && ask(self.progress()).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                let index = index as u32;
                let mut board = Direct {
                    pools: &mut self.pools,
                    spill: self.spill.as_mut(),
                    matching: self.matching,
                };
                let flow = prepared
                    .caller
                    .visit(vm, &mut board, StructureRef { pool, index });
                self.tally += std::mem::take(&mut prepared.caller.tally);
                flow?;
                if index.is_multiple_of(SLICE as u32) {
                    self.relieve(prepared)?;
                }
            }
        }
        self.relieve(prepared)?;
        let mut pools = std::mem::take(&mut self.pools);
        let resolved = self.resolve_into(&mut pools);
        self.pools = pools;
        resolved?;
        Ok(ControlFlow::Continue(()))
    }

    /// Moves the structures to disk if they take too much memory, and takes note of errors there.
    fn relieve(&mut self, prepared: &Prepared) -> Result<(), Break> {
        if let Some(spill) = &mut self.spill {
            spill.check()?;
        } else if let Some(settings) = &self.spill_settings
            && self.pools.memory() > settings.in_memory()
        {
            let (matching, stop) = (self.matching, prepared.caller.stop.clone());
            let spill = Spill::begin(settings, matching, stop, &mut self.pools)?;
            self.spill = Some(spill);
        }
        Ok(())
    }

    /// Adds the new ones among the candidates on disk to the structures, which are in `pools`.
    pub(super) fn resolve_into(&mut self, pools: &mut Pools) -> Result<(), Break> {
        if let Some(spill) = &mut self.spill {
            let resolved = spill.resolve(pools);
            self.tally.building += spill.take_building();
            resolved?;
        }
        Ok(())
    }

    /// Whether no more iterations are allowed, given the number of structures of the last one.
    pub(super) fn is_at_length(&mut self, new: usize) -> bool {
        self.length.is_reached(self.iterations, new)
    }

    /// Counts an iteration, and its calls that need no structure, whose outcomes are always the
    /// same.
    pub(super) fn begin_iteration(&mut self) {
        self.iterations += 1;
        self.tally += self.without_structures;
    }

    pub(super) fn tally_mut(&mut self) -> &mut OutcomeTally {
        &mut self.tally
    }

    pub(super) fn findings_mut(&mut self) -> &mut CallFindings {
        &mut self.findings
    }

    /// First iteration: calls that need no structure.
    fn start(&mut self, vm: &mut Vm, prepared: &mut Prepared) -> Result<(), Break> {
        let caller = &mut prepared.caller;
        caller.tally = OutcomeTally::default();
        caller.findings = CallFindings::default();
        caller.endless.clear();
        let mut board = Direct {
            pools: &mut self.pools,
            spill: None,
            matching: self.matching,
        };
        let flow = caller.start(vm, &mut board);
        self.iterations = 1;
        self.tally = std::mem::take(&mut caller.tally);
        self.without_structures = OutcomeTally {
            building: 0,
            ..self.tally
        };
        self.findings = std::mem::take(&mut caller.findings);
        flow
    }

    /// Returns the structures of the last iteration, by pool.
    pub(super) fn new_structures(&self) -> Vec<(u32, std::ops::Range<usize>)> {
        let pools = (0..).zip(self.pools.iter());
        pools
            .map(|(number, pool)| (number, pool.old..pool.known))
            .collect()
    }
}
