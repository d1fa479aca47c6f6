//! Which methods add anything to what was built: each is called once on every structure, and nothing
//! is kept.

use heapwright_explore::Form;
use heapwright_jvm::Vm;

use super::Prepared;
use super::caller::{Board, Break};
use super::findings::Findings;
use super::pools::{Built, Pools};
use super::search::{Ask, Ended, Progress, Search};

/// Structures between two questions whether to go on.
const SLICE: usize = 64;

/// What is tried: a method's operations.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'a> {
    /// The operations.
    pub operations: &'a [usize],
    /// The first structures of each pool, so many, on which they add nothing as is known.
    pub tried: &'a [usize],
}

/// A board that only notes who adds something.
struct Judge<'a> {
    pools: &'a Pools,
    trials: &'a [Trial<'a>],
    /// By operation the trial that it is of.
    trial_of: Vec<Option<usize>>,
    adds: Vec<bool>,
    /// The structure that calls are made on; nothing for those that need none.
    lead: Option<Built>,
    /// The trial whose calls are made.
    current: usize,
}

impl Board for Judge<'_> {
    fn pools(&self) -> &Pools {
        self.pools
    }

    fn is_known(&self, class: &str, hash: u64, compared: &[u8]) -> bool {
        self.adds[self.current]
            || self
                .pools
                .find(class)
                .is_some_and(|pool| self.pools.contains(pool, hash, compared))
    }

    fn add(&mut self, _: &str, _: u64, _: Form<'_>, _: &[u8]) -> bool {
        self.adds[self.current] = true;
        false
    }

    fn wants(&mut self, operation: usize) -> bool {
        let Some(trial) = self.trial_of[operation] else {
            return false;
        };
        self.current = trial;
        let tried = self.trials[trial].tried;
        let is_tried = match self.lead {
            Some(lead) => {
                let tried = tried.get(lead.pool as usize);
                tried.is_some_and(|&tried| (lead.index as usize) < tried)
            }
            None => !tried.is_empty(),
        };
        !is_tried && !self.adds[trial]
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
        ask: &mut Ask<'_>,
    ) -> Result<Vec<bool>, Ended> {
        loop {
            prepared.initialize(vm, &self.initialized);
            let root = vm.mark();
            let flow = self.try_marked(vm, prepared, trials, most, ask);
            vm.undo_to(root);
            vm.forget(root);
            vm.limit_steps(u64::MAX);
            *self.tally_mut() += std::mem::take(&mut prepared.caller.tally);
            prepared.caller.findings = Findings::default();
            match flow {
                Ok(Some(adds)) => return Ok(adds),
                Ok(None) => return Err(Ended::Interrupted),
                Err(Break::HeapFull) => return Err(Ended::HeapFull),
                Err(Break::Initialized(names)) => {
                    self.initialized.extend(names);
                    prepared.caller.paths = Some(Box::default());
                }
            }
        }
    }

    fn try_marked(
        &mut self,
        vm: &mut Vm,
        prepared: &mut Prepared,
        trials: &[Trial<'_>],
        most: Option<usize>,
        ask: &mut Ask<'_>,
    ) -> Result<Option<Vec<bool>>, Break> {
        let caller = &mut prepared.caller;
        let mut trial_of = vec![None; caller.operations.len()];
        for (number, trial) in trials.iter().enumerate() {
            for &operation in trial.operations {
                trial_of[operation] = Some(number);
            }
        }
        let enabled: Vec<usize> = (0..trial_of.len())
            .filter(|&operation| trial_of[operation].is_some())
            .collect();
        caller.enable(&enabled);
        let pools = self.pools.len();
        let old: Vec<usize> = (0..pools)
            .map(|pool| {
                let tried = trials.iter().map(|trial| trial.tried.get(pool));
                tried.map(|tried| tried.copied().unwrap_or(0)).min().unwrap_or(0)
            })
            .collect();
        self.pools.renew(&old);
        if let Some(most) = most {
            self.pools.limit(most);
        }
        let so_far = self.progress();
        let mut judge = Judge {
            pools: &self.pools,
            trials,
            trial_of,
            adds: vec![false; trials.len()],
            lead: None,
            current: 0,
        };
        caller.start(vm, &mut judge)?;
        for (pool, structures) in self.new_structures() {
            for index in structures {
                let tally = so_far.tally.plus(caller.tally);
                if index.is_multiple_of(SLICE) && ask(Progress { tally, ..so_far }).is_break() {
                    return Ok(None);
                }
                if judge.adds.iter().all(|&adds| adds) {
                    return Ok(Some(judge.adds));
                }
                let index = index as u32;
                let lead = Built { pool, index };
                judge.lead = Some(lead);
                caller.visit(vm, &mut judge, lead)?;
            }
        }
        Ok(Some(judge.adds))
    }
}
