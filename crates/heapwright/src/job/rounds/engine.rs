//! Tasks as an engine of a worker does them, and the plan of a search in rounds.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use heapwright_explore::ClassNumbers;
use heapwright_explore::external::{
    OwnerRange, RecordBlock, SortedRun, SpillFolder, divide, settle,
};
use heapwright_jvm::{ReadSource, Vm};
use heapwright_techniques::api::{
    ApiSearch, LengthLimit, Machines, Pools, Prepared, RoundEnd, gather,
};

use super::super::Job;
use super::PlannedRounds;
use super::history::History;
use super::objects::{
    BlockCache, ClassStructures, Expanded, GatheredSlice, Settled, StoredStructures, get, put,
    put_reads, put_record,
};
use super::state::{CurrentRound, RoundState};
use super::task::{Phase, TaskId};
use crate::api::ApiSearchJob;
use crate::interrupt::StopSignal;

/// Kinds of objects.
const CANDIDATES: &str = "candidates";
const RUN: &str = "run";
const KNOWN: &str = "known";
const NEW: &str = "new";
const STRUCTURES: &str = "structures";
/// Time in which a search is tried before it is planned.
const TRIAL: Duration = Duration::from_secs(1);

/// Plans a search in rounds. A short search finds classes that are initialised on the way, and
/// those that forms refer to.
///
/// # Errors
/// The request cannot be fulfilled.
pub fn plan(job: &ApiSearchJob) -> anyhow::Result<PlannedRounds> {
    let numbers = Arc::new(ClassNumbers::default());
    let (mut vm, mut prepared) = job.machine(&numbers, &StopSignal::never())?;
    let end = Instant::now() + TRIAL;
    prepared.caller.stop = Some(Arc::new(move || Instant::now() >= end));
    let mut search = ApiSearch::new(&job.request);
    let mut ask = |_| match Instant::now() >= end {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    search.run(&mut vm, &mut prepared, Machines::one(), &mut ask);
    Ok(PlannedRounds {
        initialized: search.initialized().to_vec(),
        classes: numbers.names(),
        length: LengthLimit::of(&job.request),
    })
}

/// Engine of a worker.
pub struct Engine<'a> {
    job: &'a Job,
    search: &'a ApiSearchJob,
    interrupt: &'a StopSignal,
    /// Machine with the classes of an epoch initialised.
    machine: Option<(u32, Vm, Prepared)>,
    blocks: Arc<BlockCache>,
    /// Folder of temporary files.
    folder: Arc<SpillFolder>,
    /// Static fields that are known to have been read.
    reads: BTreeSet<ReadSource>,
}

impl<'a> Engine<'a> {
    /// Creates an engine without a machine.
    ///
    /// # Errors
    /// The search has no folder for temporary files.
    pub fn new(
        job: &'a Job,
        search: &'a ApiSearchJob,
        interrupt: &'a StopSignal,
    ) -> anyhow::Result<Engine<'a>> {
        let spill = search.spill.as_ref();
        let spill = spill.context("the search has no folder for temporary files")?;
        Ok(Engine {
            job,
            search,
            interrupt,
            machine: None,
            blocks: BlockCache::new(&job.store),
            folder: SpillFolder::new(&spill.folder),
            reads: BTreeSet::new(),
        })
    }

    /// Does a task, and writes its result. Returns the number of calls that were made.
    ///
    /// # Errors
    /// An object is missing or damaged, the storage or the folder of temporary files cannot be used,
    /// or the run is to stop.
    pub fn perform(&mut self, state: &RoundState, task: TaskId) -> anyhow::Result<u64> {
        let current = state.current.as_ref().context("the search has ended")?;
        match task.phase {
            Phase::Expand => self.expand(&state.history, current, task),
            Phase::Settle => self.settle(&state.history, current, task).map(|()| 0),
            Phase::Gather => self.gather(current, task).map(|()| 0),
        }
    }

    /// Discards the machine, which may be in any state.
    pub fn reset(&mut self) {
        self.machine = None;
    }

    /// Makes the calls of a slice.
    fn expand(
        &mut self,
        history: &History,
        current: &CurrentRound,
        task: TaskId,
    ) -> anyhow::Result<u64> {
        let classes = &self.job.rounds()?.classes;
        let slice = current.plan.slices.get(task.number as usize);
        let slice = slice.context("there is no such slice")?;
        let mut pools = Pools::default();
        for class in &history.classes {
            let source = StoredStructures::new(&class.segments, &self.blocks);
            let counts = (class.old as usize, class.known as usize);
            pools.add_source(&class.class, counts, Arc::new(source));
        }
        if self
            .machine
            .as_ref()
            .is_none_or(|(epoch, ..)| *epoch != history.epoch)
        {
            let numbers = Arc::new(ClassNumbers::agreed(classes));
            let (mut vm, mut prepared) = self.search.machine(&numbers, self.interrupt)?;
            prepared.initialize(&mut vm, &history.initialized);
            self.machine = Some((history.epoch, vm, prepared));
        }
        let (_, vm, prepared) = self.machine.as_mut().context("there is no machine")?;
        let endless = history.findings.endless();
        let calls = prepared.call_slice(vm, slice, &pools, &endless, classes);
        let calls = calls.map_err(|broken| anyhow!("{broken}"))?;
        let reads = vm.reads();
        if !self.reads.is_superset(&reads) {
            put_reads(self.job, &reads)?;
            self.reads = reads;
        }
        let mut expanded = Expanded {
            candidates: None,
            runs: Vec::new(),
            tally: calls.tally,
            findings: calls.findings,
            ended: calls.ended,
        };
        let counts = !matches!(expanded.ended, Some(RoundEnd::Initialized(_)));
        ensure!(
            calls.candidates.len() < u32::MAX as usize,
            "task {task} leaves more than 4 GiB of structures"
        );
        if counts && !calls.candidates.is_empty() {
            let name = put(self.job, task, CANDIDATES, calls.candidates.clone())?;
            expanded.candidates = Some(name);
            let candidates = RecordBlock::new(calls.candidates);
            let runs = divide(&candidates, current.plan.owners, &self.folder)?;
            for (owner, run) in runs.into_iter().enumerate() {
                let run =
                    run.map(|run| put(self.job, task, &format!("{RUN}-{owner}"), run.to_bytes()?));
                expanded.runs.push(run.transpose()?);
            }
        }
        put_record(self.job, task, &expanded)?;
        Ok(expanded.tally.explored)
    }

    /// Reads a sorted run.
    fn run(&self, name: &str) -> anyhow::Result<SortedRun> {
        let bytes = get(&self.job.store, name)?;
        Ok(SortedRun::from_bytes(&bytes, &self.folder)?)
    }

    /// Finds out which candidates of an owner are new.
    fn settle(
        &self,
        history: &History,
        current: &CurrentRound,
        task: TaskId,
    ) -> anyhow::Result<()> {
        let range = OwnerRange {
            number: task.number,
            of: current.plan.owners,
        };
        let (mut candidates, mut slices) = (Vec::new(), Vec::new());
        for (slice, (_, expanded)) in current.expanded.iter().enumerate() {
            if let Some(Some(name)) = expanded.runs.get(task.number as usize) {
                candidates.push(self.run(name)?);
                slices.push(slice);
            }
        }
        let (names, kept) = history.known(range);
        let known = names.into_iter().map(|name| self.run(name));
        let known: Vec<SortedRun> = known.collect::<anyhow::Result<_>>()?;
        let mut new: Vec<Vec<u64>> = vec![Vec::new(); current.expanded.len()];
        let stop = self.interrupt.stop();
        let run = settle(
            &candidates,
            (&known, kept),
            range,
            &self.folder,
            &*stop,
            &mut |run, number| new[slices[run]].push(number),
        )?;
        for numbers in &mut new {
            numbers.sort_unstable();
            put_differences(numbers);
        }
        let settled = Settled {
            made_of: current.settled_of(),
            known: put(self.job, task, KNOWN, run.to_bytes()?)?,
            new: put(self.job, task, NEW, serde_json::to_vec(&new)?)?,
        };
        put_record(self.job, task, &settled)
    }

    /// Gathers the new structures of a slice.
    fn gather(&self, current: &CurrentRound, task: TaskId) -> anyhow::Result<()> {
        let slice = task.number as usize;
        let (_, expanded) = current
            .expanded
            .get(slice)
            .context("there is no such slice")?;
        let mut gathered = GatheredSlice {
            made_of: current.gathered_of(slice),
            structures: Vec::new(),
            tally: expanded.tally,
            findings: expanded.findings.clone(),
            is_heap_full: expanded.ended == Some(RoundEnd::HeapFull),
        };
        if let Some(name) = &expanded.candidates {
            let mut new = Vec::new();
            for (_, settled) in &current.settled {
                new.extend(self.new_of(&settled.new, slice)?);
            }
            new.sort_unstable();
            let candidates = RecordBlock::new(get(&self.job.store, name)?);
            let found = gather(&candidates, &new, &self.job.rounds()?.classes);
            let place = self.job.store.place();
            let found = found.with_context(|| format!("{place}/{name} is damaged: remove it"))?;
            gathered.tally.building += found.building;
            for (number, (class, count, records)) in found.structures.into_iter().enumerate() {
                let kind = format!("{STRUCTURES}-{number}");
                gathered.structures.push(ClassStructures {
                    class,
                    count,
                    records: put(self.job, task, &kind, records.into_bytes())?,
                });
            }
        }
        put_record(self.job, task, &gathered)
    }

    /// Numbers of the new candidates of a slice that an owner has found.
    fn new_of(&self, name: &str, slice: usize) -> anyhow::Result<Vec<u64>> {
        let content = get(&self.job.store, name)?;
        let mut all: Vec<Vec<u64>> = serde_json::from_slice(&content)?;
        let mut numbers = all.get_mut(slice).map(std::mem::take).unwrap_or_default();
        let mut before = 0;
        for number in &mut numbers {
            before += *number;
            *number = before;
        }
        Ok(numbers)
    }
}

/// Replaces ascending numbers by their differences.
fn put_differences(numbers: &mut [u64]) {
    let mut before = 0;
    for number in numbers {
        (before, *number) = (*number, *number - before);
    }
}
