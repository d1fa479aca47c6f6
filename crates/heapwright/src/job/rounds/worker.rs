//! Workers of a search in rounds: they claim tasks and do them.

use std::time::Duration;

use anyhow::bail;

use super::super::PartId;
use super::super::claims::Claims;
use super::super::search::check_same;
use super::super::worker::Worker;
use super::engine::Engine;
use super::state::{RoundState, Step};
use super::task::TaskId;
use crate::cli::Verb;
use crate::fault;
use crate::verbs::enumerate;

/// First time between two looks of a worker that waits for the tasks of others. It doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(20);

impl Worker<'_> {
    /// Does tasks until the search has ended, or those that are left have failed.
    ///
    /// # Errors
    /// An object is missing or damaged, or the storage cannot be used.
    pub fn run_rounds(&mut self) -> anyhow::Result<()> {
        let crew = self.crew;
        let cli = crew.local.command_line(crew.job)?;
        let Verb::Enumerate(arguments) = &cli.verb else {
            bail!(
                "{} holds a job of no search in rounds",
                crew.job.store.place()
            );
        };
        let (search, identity) = enumerate::round_search(arguments)?;
        check_same(crew.job, &identity)?;
        let mut engine = Engine::new(crew.job, &search, crew.interrupt)?;
        let mut state = RoundState::new(crew.job, true)?;
        let mut pause = FIRST_PAUSE;
        while crew.interrupt.reason().is_none() {
            let Step::Tasks(open) = state.advance(crew.job)? else {
                break;
            };
            let claims = Claims::read(crew.job)?;
            let open = open.into_iter();
            let open = open.filter(|&task| !claims.has_failed(&PartId::Task(task)));
            let open: Vec<TaskId> = open.collect();
            if open.is_empty() {
                break;
            }
            let is_free = |task: &&TaskId| !claims.running.contains_key(&PartId::Task(**task));
            let free: Vec<&TaskId> = open.iter().filter(is_free).collect();
            let Some(&&task) = free.get(self.place(free.len())) else {
                crew.pause(pause);
                pause = (2 * pause).min(crew.patience());
                continue;
            };
            pause = FIRST_PAUSE;
            self.claim_and_do(&mut engine, &mut state, task)?;
        }
        Ok(())
    }

    /// Claims a task and does it, unless another worker does.
    fn claim_and_do(
        &self,
        engine: &mut Engine<'_>,
        state: &mut RoundState,
        task: TaskId,
    ) -> anyhow::Result<()> {
        let (crew, part) = (self.crew, PartId::Task(task));
        let done = match self.take(&part, || state.is_open(crew.job, task)) {
            Ok(true) => fault::catch(|| engine.perform(state, task)),
            Ok(false) => return Ok(()),
            Err(error) => Ok(Err(error)),
        };
        let released = crew.release(&self.claim_name(&part));
        match done {
            Ok(Ok(calls)) => crew.count(calls),
            Ok(Err(error)) => {
                // Another worker may have done it, and removed the candidates.
                if crew.interrupt.reason().is_none() && state.is_open(crew.job, task)? {
                    return Err(error);
                }
            }
            Err(fault) => {
                engine.reset();
                self.fail(&part, &fault.to_string())?;
            }
        }
        released
    }
}
