//! The iterations of a search, on one machine or on many.
//!
//! Invariant: structures are found in the same order, each with the same origin, whatever the number
//! of machines. Many machines work on chunks of what the last iteration found; what they find is
//! taken in the order of the chunks.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};

use heapwright_explore::{ClassNumbers, Form, Reached};
use heapwright_jvm::Vm;
use rustc_hash::FxHashSet;

use super::caller::{Board, Break, Findings, Tally};
use super::operations::Operation;
use super::pools::{Built, Pools};
use super::{Prepared, Request};
use crate::Error;

/// Structures between two questions whether to go on.
const SLICE: usize = 64;
/// Structures in a chunk.
const CHUNK: usize = 512;
/// Chunks a worker may be ahead of what is taken.
const AHEAD: usize = 8;

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
pub type Ask<'f> = dyn FnMut(Progress) -> ControlFlow<()> + 'f;

/// A search and what it has found.
pub struct Search {
    /// The structures.
    pub pools: Pools,
    /// The internal name of the class whose structures are asked for.
    class: String,
    matching: bool,
    max_length: u32,
    tally: Tally,
    findings: Findings,
    iterations: u32,
    /// What the calls that need no structure come to, each time they are made.
    without_structures: Tally,
    initialized: Vec<String>,
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
            tally: Tally::default(),
            findings: Findings::default(),
            iterations: 0,
            without_structures: Tally::default(),
            initialized: Vec::new(),
        }
    }

    /// Searches to the end on one machine. `ask` is called now and then.
    pub fn run(&mut self, vm: &mut Vm, prepared: &mut Prepared, ask: &mut Ask<'_>) -> Outcome {
        loop {
            prepared.initialize(vm, &self.initialized);
            let root = vm.mark();
            let flow = self.run_marked(vm, prepared, ask);
            vm.undo_to(root);
            vm.forget(root);
            vm.limit_steps(u64::MAX);
            match flow {
                Ok(ended) => return self.outcome(ended),
                Err(Break::HeapFull) => return self.outcome(Ended::HeapFull),
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
        let structures = self.pools.find(&self.class);
        Progress {
            tally: self.tally,
            structures: structures
                .map_or(0, |pool| self.pools.get(pool as u32).reached.len() as u64),
            iterations: self.iterations,
            memory: self.pools.memory(),
        }
    }

    /// Forgets all that was found: further classes are to be initialised beforehand.
    fn start_over(&mut self, names: Vec<String>) {
        self.initialized.extend(names);
        self.pools = Pools::default();
        self.tally = Tally::default();
        self.findings = Findings::default();
        self.iterations = 0;
    }

    fn run_marked(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        ask: &mut Ask<'_>,
    ) -> Result<Ended, Break> {
        let caller = &mut prepared.caller;
        self.start(vm, prepared)?;
        while self.pools.begin_iteration() {
            if self.iterations == self.max_length {
                return Ok(Ended::AtLength);
            }
            self.iterations += 1;
            self.tally += self.without_structures;
            for (pool, new) in self.new_structures() {
                for index in new {
                    if index.is_multiple_of(SLICE) && ask(self.progress()).is_break() {
                        return Ok(Ended::Interrupted);
                    }
                    let lead = Built {
                        pool,
                        index: index as u32,
                    };
                    let mut board = Direct {
                        pools: &mut self.pools,
                        matching: self.matching,
                    };
                    prepared.caller.visit(vm, &mut board, lead)?;
                    self.tally += std::mem::take(&mut prepared.caller.tally);
                }
            }
            let found = std::mem::take(&mut prepared.caller.findings);
            self.findings.append(found, &prepared.caller.operations);
        }
        Ok(Ended::Complete)
    }

    /// The first iteration: calls that need no structure.
    fn start(&mut self, vm: &mut Vm, prepared: &mut Prepared) -> Result<(), Break> {
        let caller = &mut prepared.caller;
        caller.tally = Tally::default();
        caller.findings = Findings::default();
        let mut board = Direct {
            pools: &mut self.pools,
            matching: self.matching,
        };
        caller.start(vm, &mut board)?;
        self.iterations = 1;
        self.tally = std::mem::take(&mut caller.tally);
        self.without_structures = Tally {
            building: 0,
            ..self.tally
        };
        self.findings = std::mem::take(&mut caller.findings);
        Ok(())
    }

    /// What the last iteration found, by pools.
    fn new_structures(&self) -> Vec<(u32, std::ops::Range<usize>)> {
        let pools = (0..).zip(self.pools.iter());
        pools
            .map(|(number, pool)| (number, pool.old..pool.known))
            .collect()
    }
}
