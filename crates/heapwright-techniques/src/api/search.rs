//! The iterations of a search, on one machine or on many.
//!
//! Invariant: structures are found in the same order, each with the same origin, whatever the number
//! of machines. Many machines work on chunks of what the last iteration found; what they find is
//! taken in the order of the chunks.

use std::ops::ControlFlow;

use heapwright_explore::Form;
use heapwright_jvm::Vm;

use super::caller::{Board, Break};
use super::findings::{Findings, Tally};
use super::parallel::Apart;
use super::pools::{Built, Pools};
use super::trial::Machines;
use super::{Prepared, Request};

/// Structures between two questions whether to go on.
const SLICE: usize = 64;
/// Calls after which it is asked in any case.
const MANY: u64 = 10_000;
/// New structures of an iteration from which on more machines are worth their start.
const WORTH_MORE: usize = 2_000;

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// What calls came to.
    pub tally: Tally,
    /// Structures of the class that is asked for.
    pub structures: u64,
    /// Iterations begun.
    pub iterations: u32,
    /// Bytes that all structures take.
    pub memory: u64,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing new can be built.
    Complete,
    /// After the most iterations that are allowed: something new could be built.
    AtLength,
    /// Somebody asked it to.
    Interrupted,
    /// No memory was left to make a structure again.
    HeapFull,
}

/// What a search found, its structures apart.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The counts.
    pub progress: Progress,
    /// What went wrong.
    pub findings: Findings,
    /// How it ended.
    pub ended: Ended,
}

/// Whether to go on.
pub type Ask<'f> = dyn FnMut(Progress) -> ControlFlow<()> + Send + 'f;

/// A search and what it has found.
pub struct Search {
    /// The structures.
    pub pools: Pools,
    /// The internal name of the class whose structures are asked for.
    class: String,
    pub(crate) matching: bool,
    max_length: u32,
    /// Iterations between two looks whether less is found than before, and what was found then.
    patience: Option<u32>,
    found_before: usize,
    tally: Tally,
    findings: Findings,
    pub(super) iterations: u32,
    /// What the calls that need no structure come to, each time they are made.
    without_structures: Tally,
    /// Operations that were made on all structures and add nothing.
    pub(super) closed: Vec<usize>,
    /// Whether machines keep paths.
    pub(super) keeps_paths: bool,
    pub(super) initialized: Vec<String>,
}

/// What further operations add to a search.
pub enum Extension {
    /// Nothing.
    Nothing,
    /// Nothing up to where somebody asked to stop.
    NothingSoFar,
    /// What this search has found in addition.
    Larger(Box<Search>),
    /// More than was looked at: it was ended in this way.
    Unfinished(Ended),
}

/// What comes next.
enum Next {
    End(Ended),
    /// An iteration that is large enough for many machines.
    Parallel,
}

/// The board of a search on one machine.
struct Direct<'a> {
    pools: &'a mut Pools,
    matching: bool,
}

impl Board for Direct<'_> {
    fn pools(&self) -> &Pools {
        self.pools
    }

    #[inline]
    fn is_known(&self, class: &str, hash: u64, compared: &[u8]) -> bool {
        self.matching
            && self
                .pools
                .find(class)
                .is_some_and(|pool| self.pools.contains(pool, hash, compared))
    }

    fn add(&mut self, class: &str, hash: u64, form: Form<'_>, origin: &[u8]) -> bool {
        let pool = self.pools.enter(class);
        self.pools.insert(pool, hash, form, origin, self.matching)
    }
}

impl Search {
    /// A search that has found nothing yet.
    #[must_use]
    pub fn new(request: &Request) -> Search {
        let class = request.classes.first().map(|name| name.replace('.', "/"));
        Search {
            pools: Pools::default(),
            class: class.unwrap_or_default(),
            matching: request.matching,
            max_length: request.max_length.unwrap_or(u32::MAX),
            patience: request.patience.filter(|_| request.max_length.is_none()),
            found_before: 0,
            tally: Tally::default(),
            findings: Findings::default(),
            iterations: 0,
            without_structures: Tally::default(),
            closed: Vec::new(),
            keeps_paths: false,
            initialized: Vec::new(),
        }
    }

    /// Searches to the end. An iteration that is large is made on all machines, and so are those
    /// after it. `ask` is called now and then.
    pub fn run(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        machines: Machines<'_>,
        ask: &mut Ask<'_>,
    ) -> Outcome {
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
                Ok(ended) => return self.outcome(ended),
                Err(Break::HeapFull) => return self.outcome(Ended::HeapFull),
                Err(Break::Stopped) => return self.outcome(Ended::Interrupted),
                Err(Break::Initialized(names)) => self.start_over(names),
            }
        }
    }

    fn outcome(&mut self, ended: Ended) -> Outcome {
        Outcome {
            progress: self.progress(),
            findings: std::mem::take(&mut self.findings),
            ended,
        }
    }

    /// Where the search stands.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress_of(&self.pools, &Pools::default())
    }

    /// Where the search stands, with what the iteration that goes on has found.
    pub(super) fn progress_of(&self, pools: &Pools, fresh: &Pools) -> Progress {
        let count = |pools: &Pools| {
            let pool = pools.find(&self.class);
            pool.map_or(0, |pool| pools.get(pool as u32).reached.len() as u64)
        };
        Progress {
            tally: self.tally,
            structures: count(pools) + count(fresh),
            iterations: self.iterations,
            memory: pools.memory() + fresh.memory(),
        }
    }

    /// The search with further operations, among `enabled` ones: what these add to what was built
    /// before. On the first structures of each pool, as many as `tried` says, they add nothing as is
    /// known. What is explored for it counts here and there.
    #[expect(
        clippy::too_many_arguments,
        reason = "the search and what it is extended by"
    )]
    pub fn extended(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        further: &[usize],
        tried: &[usize],
        enabled: &[usize],
        machines: Machines<'_>,
        ask: &mut Ask<'_>,
    ) -> Extension {
        loop {
            prepared.initialize(vm, &self.initialized);
            let flow = vm.with_mark(|vm| {
                self.extend_marked(vm, prepared, further, tried, enabled, machines, ask)
            });
            vm.limit_steps(u64::MAX);
            match flow {
                Ok(extension) => return extension,
                Err(Break::HeapFull) => return Extension::Unfinished(Ended::HeapFull),
                Err(Break::Stopped) => return Extension::Unfinished(Ended::Interrupted),
                // What was built before stays: it knew nothing of these classes.
                Err(Break::Initialized(names)) => {
                    self.initialized.extend(names);
                    if prepared.caller.paths.is_some() {
                        prepared.caller.paths = Some(Box::default());
                    }
                }
            }
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "the search and what it is extended by"
    )]
    fn extend_marked(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        further: &[usize],
        tried: &[usize],
        enabled: &[usize],
        machines: Machines<'_>,
        ask: &mut Ask<'_>,
    ) -> Result<Extension, Break> {
        prepared.caller.enable(further);
        self.pools.renew(tried);
        let mut board = Apart::new(&self.pools, self.matching);
        let caller = &mut prepared.caller;
        caller.start(vm, &mut board)?;
        let mut asked = 0;
        for (pool, structures) in self.new_structures() {
            for index in structures {
                let explored = caller.tally.explored;
                let is_due = index.is_multiple_of(SLICE) || explored > asked + MANY;
                let so_far = Progress {
                    tally: self.tally.plus(caller.tally),
                    ..self.progress()
                };
                if is_due && ask(so_far).is_break() {
                    self.tally += std::mem::take(&mut caller.tally);
                    return Ok(match board.built.is_empty() {
                        true => Extension::NothingSoFar,
                        false => Extension::Unfinished(Ended::Interrupted),
                    });
                }
                asked = explored;
                let index = index as u32;
                caller.visit(vm, &mut board, Built { pool, index })?;
            }
        }
        let built = board.built;
        self.tally += std::mem::take(&mut caller.tally);
        caller.findings = Findings::default();
        if built.is_empty() {
            return Ok(Extension::Nothing);
        }
        let mut larger = Search {
            pools: self.pools.clone(),
            class: self.class.clone(),
            findings: Findings::default(),
            initialized: self.initialized.clone(),
            closed: enabled.to_vec(),
            keeps_paths: prepared.caller.paths.is_some(),
            // What was built before took the iterations that it took.
            iterations: 1,
            found_before: 0,
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
            Ended::Complete => Extension::Larger(Box::new(larger)),
            ended => Extension::Unfinished(ended),
        })
    }

    /// Forgets all that was found: further classes are to be initialised beforehand.
    fn start_over(&mut self, names: Vec<String>) {
        self.initialized.extend(names);
        self.pools = Pools::default();
        self.tally = Tally::default();
        self.findings = Findings::default();
        self.iterations = 0;
        self.found_before = 0;
    }

    fn run_marked(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        has_more: bool,
        ask: &mut Ask<'_>,
    ) -> Result<Next, Break> {
        self.start(vm, prepared)?;
        self.iterate(vm, prepared, has_more, ask)
    }

    /// Makes iterations from where the search stands.
    fn iterate(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        has_more: bool,
        ask: &mut Ask<'_>,
    ) -> Result<Next, Break> {
        loop {
            let new: usize = self
                .pools
                .iter()
                .map(|pool| pool.reached.len() - pool.known)
                .sum();
            if has_more && new >= WORTH_MORE {
                return Ok(Next::Parallel);
            }
            if !self.pools.begin_iteration() {
                return Ok(Next::End(Ended::Complete));
            }
            let new = self.pools.new_structures();
            if self.is_at_length(new) {
                return Ok(Next::End(Ended::AtLength));
            }
            self.begin_iteration();
            prepared.caller.endless = self.findings.endless();
            let flow = self.visit_new(vm, prepared, ask);
            let found = std::mem::take(&mut prepared.caller.findings);
            self.findings.append(found);
            if flow?.is_break() {
                return Ok(Next::End(Ended::Interrupted));
            }
        }
    }

    /// Makes the calls of an iteration; a break if `ask` says so.
    fn visit_new(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        ask: &mut Ask<'_>,
    ) -> Result<ControlFlow<()>, Break> {
        for (pool, new) in self.new_structures() {
            for index in new {
                if index.is_multiple_of(SLICE) && ask(self.progress()).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                let index = index as u32;
                let mut board = Direct {
                    pools: &mut self.pools,
                    matching: self.matching,
                };
                let flow = prepared.caller.visit(vm, &mut board, Built { pool, index });
                self.tally += std::mem::take(&mut prepared.caller.tally);
                flow?;
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Whether no more iterations are allowed, the last one having found so many structures. A search
    /// without an end finds as much at some look as at the one before; one that has an end is let go
    /// on as long as it comes nearer to it.
    pub(super) fn is_at_length(&mut self, new: usize) -> bool {
        if self.iterations == self.max_length {
            return true;
        }
        let Some(patience) = self.patience else {
            return false;
        };
        if self.iterations < patience {
            self.found_before = self.found_before.max(new);
            return false;
        }
        if !self.iterations.is_multiple_of(patience) {
            return false;
        }
        let before = std::mem::replace(&mut self.found_before, new);
        new >= before
    }

    /// Counts an iteration, and the calls in it that need no structure: they come to the same again.
    pub(super) fn begin_iteration(&mut self) {
        self.iterations += 1;
        self.tally += self.without_structures;
    }

    pub(super) fn tally_mut(&mut self) -> &mut Tally {
        &mut self.tally
    }

    pub(super) fn findings_mut(&mut self) -> &mut Findings {
        &mut self.findings
    }

    /// The first iteration: calls that need no structure.
    fn start(&mut self, vm: &mut Vm, prepared: &mut Prepared) -> Result<(), Break> {
        let caller = &mut prepared.caller;
        caller.tally = Tally::default();
        caller.findings = Findings::default();
        caller.endless.clear();
        let mut board = Direct {
            pools: &mut self.pools,
            matching: self.matching,
        };
        let flow = caller.start(vm, &mut board);
        self.iterations = 1;
        self.tally = std::mem::take(&mut caller.tally);
        self.without_structures = Tally {
            building: 0,
            ..self.tally
        };
        self.findings = std::mem::take(&mut caller.findings);
        flow
    }

    /// What the last iteration found, by pools.
    pub(super) fn new_structures(&self) -> Vec<(u32, std::ops::Range<usize>)> {
        let pools = (0..).zip(self.pools.iter());
        pools
            .map(|(number, pool)| (number, pool.old..pool.known))
            .collect()
    }
}
