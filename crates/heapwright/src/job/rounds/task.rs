//! Identities of tasks.

use std::fmt;
use std::str::FromStr;

use super::objects::ROUNDS;

/// Kind of a task, in the order of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// Makes the calls of a slice.
    Expand,
    /// Finds new ones among the candidates of an owner.
    Settle,
    /// Gathers the new structures of a slice.
    Gather,
}

impl Phase {
    /// Word for the phase.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Expand => "expand",
            Phase::Settle => "settle",
            Phase::Gather => "gather",
        }
    }
}

/// Identity of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId {
    /// Number of times that the search has started again.
    pub epoch: u32,
    /// Round, from 1.
    pub round: u32,
    /// Kind of the task.
    pub phase: Phase,
    /// Number of the slice or of the owner, from 0.
    pub number: u32,
}

impl TaskId {
    /// Folder of the task's objects.
    pub fn folder(self) -> String {
        let TaskId {
            epoch,
            round,
            phase,
            number,
        } = self;
        format!("{ROUNDS}/{epoch}-{round}/{}-{number}", phase.name())
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TaskId {
            epoch,
            round,
            phase,
            number,
        } = self;
        write!(f, "{epoch}-{round}-{}-{number}", phase.name())
    }
}

impl FromStr for TaskId {
    type Err = ();

    fn from_str(text: &str) -> Result<TaskId, ()> {
        let parts: Vec<&str> = text.split('-').collect();
        let [epoch, round, phase, number] = parts[..] else {
            return Err(());
        };
        let phases = [Phase::Expand, Phase::Settle, Phase::Gather];
        let phase = phases.into_iter().find(|known| known.name() == phase);
        let number_of = |text: &str| text.parse().map_err(|_| ());
        Ok(TaskId {
            epoch: number_of(epoch)?,
            round: number_of(round)?,
            phase: phase.ok_or(())?,
            number: number_of(number)?,
        })
    }
}
