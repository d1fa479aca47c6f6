//! State of a search in rounds: what is done, and which tasks can be done.

use heapwright_techniques::api::{RoundEnd, SearchEnd};

use super::super::Job;
use super::TaskId;
use super::history::{History, RoundPlan};
use super::objects::{Expanded, GatheredSlice, Records, RoundObjects, Settled, digest_of};
use super::task::Phase;

/// Result of a task, with the name of its record.
pub type Named<T> = (String, T);

/// The round that is under way.
pub struct CurrentRound {
    /// Its plan.
    pub plan: RoundPlan,
    /// Results of the slices, while all are there.
    pub expanded: Vec<Named<Expanded>>,
    /// Results of the owners, while all are there.
    pub settled: Vec<Named<Settled>>,
    /// Tasks of the phase.
    pub tasks: u64,
}

impl CurrentRound {
    /// Digest of the records that *settle* tasks are made of.
    pub fn settled_of(&self) -> String {
        digest_of(self.expanded.iter().map(|(name, _)| name.as_str()))
    }

    /// Digest of the records that the *gather* task of a slice is made of.
    pub fn gathered_of(&self, slice: usize) -> String {
        let slice = self.expanded.get(slice).map(|(name, _)| name.as_str());
        let settled = self.settled.iter().map(|(name, _)| name.as_str());
        digest_of(slice.into_iter().chain(settled))
    }
}

/// What can be done.
pub enum Step {
    /// These tasks.
    Tasks(Vec<TaskId>),
    /// Nothing: the search has ended.
    Ended(SearchEnd),
}

/// State of a search in rounds.
pub struct RoundState {
    /// Rounds that are over.
    pub history: History,
    /// The round that is under way.
    pub current: Option<CurrentRound>,
    expanded: Records<Expanded>,
    settled: Records<Settled>,
    gathered: Records<GatheredSlice>,
    /// Whether candidates are removed that nobody needs.
    cleans: bool,
}

/// State of a round.
enum Look {
    /// All is done: results of the slices, and objects of known forms.
    Done(Vec<GatheredSlice>, Vec<String>),
    /// The search starts again with these classes initialised.
    Restart(Vec<String>),
    /// These tasks can be done.
    Open(CurrentRound, Vec<TaskId>),
}

impl RoundState {
    /// State before the first round.
    ///
    /// # Errors
    /// The job is no search in rounds.
    pub fn new(job: &Job, cleans: bool) -> anyhow::Result<RoundState> {
        Ok(RoundState {
            history: History::new(job.rounds()?),
            current: None,
            expanded: Records::default(),
            settled: Records::default(),
            gathered: Records::default(),
            cleans,
        })
    }

    /// Reads new results, and returns what can be done now.
    ///
    /// # Errors
    /// The storage cannot be read, or a result is damaged or of another job.
    pub fn advance(&mut self, job: &Job) -> anyhow::Result<Step> {
        loop {
            if let Some(ended) = self.history.ended {
                self.current = None;
                return Ok(Step::Ended(ended));
            }
            let (epoch, round) = (self.history.epoch, self.history.round);
            let objects = RoundObjects::list(job, epoch, round)?;
            match self.look(job, &objects)? {
                Look::Done(slices, known) => {
                    self.history.add(&slices, known)?;
                    if self.cleans {
                        for name in objects.of_candidates() {
                            job.store.remove(name)?;
                        }
                    }
                }
                Look::Restart(names) => self.history.restart(names),
                Look::Open(current, tasks) => {
                    self.current = Some(current);
                    return Ok(Step::Tasks(tasks));
                }
            }
            self.expanded.clear();
            self.settled.clear();
            self.gathered.clear();
        }
    }

    /// Whether a task can be done now.
    ///
    /// # Errors
    /// See [`RoundState::advance`].
    pub fn is_open(&mut self, job: &Job, task: TaskId) -> anyhow::Result<bool> {
        Ok(match self.advance(job)? {
            Step::Tasks(open) => open.contains(&task),
            Step::Ended(_) => false,
        })
    }

    fn task(&self, phase: Phase, number: usize) -> TaskId {
        TaskId {
            epoch: self.history.epoch,
            round: self.history.round,
            phase,
            number: number as u32,
        }
    }

    /// Finds out what is done of the round that is under way.
    fn look(&mut self, job: &Job, objects: &RoundObjects) -> anyhow::Result<Look> {
        let plan = self.history.plan(job.plan.parts.len().max(1) as u64);
        if let Some(done) = self.look_for_end(job, objects, &plan)? {
            return Ok(done);
        }
        let mut current = CurrentRound {
            tasks: plan.slices.len() as u64,
            plan,
            expanded: Vec::new(),
            settled: Vec::new(),
        };
        let mut open = Vec::new();
        for slice in 0..current.plan.slices.len() {
            let task = self.task(Phase::Expand, slice);
            let result = objects.result(job, task, None, |_| true, &mut self.expanded)?;
            let Some((name, result)) = result else {
                open.push(task);
                continue;
            };
            let ended = result.ended.clone();
            current.expanded.push((name, result));
            match ended {
                Some(RoundEnd::Initialized(names)) if open.is_empty() => {
                    return Ok(Look::Restart(names));
                }
                // The slices behind do not count.
                Some(_) => break,
                None => {}
            }
        }
        if !open.is_empty() {
            return Ok(Look::Open(current, open));
        }
        let made_of = current.settled_of();
        for owner in 0..current.plan.owners as usize {
            let task = self.task(Phase::Settle, owner);
            let of = Some(made_of.as_str());
            match objects.result(job, task, of, |_| true, &mut self.settled)? {
                Some(result) => current.settled.push(result),
                None => open.push(task),
            }
        }
        if !open.is_empty() {
            current.tasks = current.plan.owners.into();
            return Ok(Look::Open(current, open));
        }
        let (mut gathered, slices) = (Vec::new(), current.expanded.len());
        for slice in 0..slices {
            let task = self.task(Phase::Gather, slice);
            let of = current.gathered_of(slice);
            match objects.result(job, task, Some(&of), |_| true, &mut self.gathered)? {
                Some((_, result)) => gathered.push(result),
                None => open.push(task),
            }
        }
        current.tasks = slices as u64;
        if !open.is_empty() {
            return Ok(Look::Open(current, open));
        }
        let known = current.settled.into_iter().map(|(_, owner)| owner.known);
        Ok(Look::Done(gathered, known.collect()))
    }

    /// Results of a round that is over, whose candidates may be removed.
    fn look_for_end(
        &mut self,
        job: &Job,
        objects: &RoundObjects,
        plan: &RoundPlan,
    ) -> anyhow::Result<Option<Look>> {
        let (mut slices, mut known) = (Vec::new(), Vec::new());
        for slice in 0..plan.slices.len() {
            let task = self.task(Phase::Gather, slice);
            let result = objects.result(job, task, None, |_| true, &mut self.gathered)?;
            let Some((_, result)) = result else {
                return Ok(None);
            };
            let is_last = result.is_heap_full;
            slices.push(result);
            if is_last {
                break;
            }
        }
        for owner in 0..plan.owners as usize {
            let task = self.task(Phase::Settle, owner);
            let is_needed = |object: &str| object.contains("/known-");
            let result = objects.result(job, task, None, is_needed, &mut self.settled)?;
            let Some((_, result)) = result else {
                return Ok(None);
            };
            known.push(result.known);
        }
        Ok(Some(Look::Done(slices, known)))
    }
}
