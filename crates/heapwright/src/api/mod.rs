//! Searches from the API for `enumerate --from api`, `builders` and `compare`.

pub mod claim;
mod settings;
mod substitution;

use std::ops::ControlFlow;
use std::sync::Arc;

use anyhow::{anyhow, bail};
use heapwright_explore::ClassNumbers;
use heapwright_explore::external::SpillError;
use heapwright_jvm::{Config, Vm};
use heapwright_suite::Structure;
use heapwright_techniques::api::{
    ApiRequest, ApiSearch, ApiSearchOutcome, Break, Machines, Prepared, Sequence, SpillSettings,
    StructureRef,
};
use heapwright_techniques::read::StructureReader;

use crate::interrupt::StopSignal;
use crate::options::{ClassPathArgs, CommonArgs, SpillArgs};
use crate::progress::ProgressLines;
use crate::report::explain::explain;

pub use settings::request;
pub use substitution::{CallSubstitution, InputsSummary, SubstitutionCounts, SubstitutionRequest};

/// Request of a search, the configuration of its engines, and limits.
pub struct ApiSearchJob {
    /// Request of the search.
    pub request: ApiRequest,
    /// Configuration of the engines.
    pub config: Config,
    /// Number of workers.
    pub jobs: usize,
    /// Memory limit of structures in bytes.
    pub max_memory: Option<u64>,
    /// Maximum number of structures.
    pub limit: Option<u64>,
    /// Where structures go for which there is no memory, if anywhere.
    pub spill: Option<SpillSettings>,
}

/// Finished search with its engine.
pub struct ApiSearchResult {
    /// Engine of the search.
    pub vm: Vm,
    /// Calls prepared on the engine.
    pub prepared: Prepared,
    /// Structures found.
    pub search: ApiSearch,
    /// Outcome of the search.
    pub outcome: ApiSearchOutcome,
    /// Limit that ended the search early, if any.
    pub stopped_by: Option<&'static str>,
}

impl ApiSearchJob {
    /// Creates a job without a limit of structures.
    ///
    /// # Errors
    /// There is no JDK of a supported version.
    pub fn new(
        request: ApiRequest,
        class_path: &ClassPathArgs,
        jobs: usize,
    ) -> anyhow::Result<ApiSearchJob> {
        let config = class_path.exploring()?;
        Ok(ApiSearchJob {
            request,
            config,
            jobs,
            max_memory: class_path.max_memory,
            limit: None,
            spill: None,
        })
    }

    /// Creates a job whose structures go to disk where there is no memory for them.
    ///
    /// # Errors
    /// There is no JDK of a supported version, or no folder for the structures.
    pub fn spilling(
        request: ApiRequest,
        common: &CommonArgs,
        spill: &SpillArgs,
    ) -> anyhow::Result<ApiSearchJob> {
        let mut job = ApiSearchJob::new(request, &common.class_path, common.jobs())?;
        job.spill = Some(SpillSettings {
            folder: spill.folder()?,
            memory: common.class_path.max_memory(),
        });
        Ok(job)
    }

    /// Creates an engine with the calls of the request.
    ///
    /// # Errors
    /// The request cannot be fulfilled.
    pub fn machine(
        &self,
        numbers: &Arc<ClassNumbers>,
        interrupt: &StopSignal,
    ) -> anyhow::Result<(Vm, Prepared)> {
        let mut vm = Vm::new(self.config.clone())?;
        let prepared = Prepared::new(&mut vm, &self.request, numbers);
        match prepared {
            Ok(mut prepared) => {
                prepared.caller.stop = Some(interrupt.stop());
                Ok((vm, prepared))
            }
            Err(error) => Err(explain(&vm, error)),
        }
    }

    /// Builds all structures.
    ///
    /// # Errors
    /// The request cannot be fulfilled.
    pub fn run(
        &self,
        numbers: &Arc<ClassNumbers>,
        interrupt: &StopSignal,
        line: &mut ProgressLines,
    ) -> anyhow::Result<ApiSearchResult> {
        let (mut vm, mut prepared) = self.machine(numbers, interrupt)?;
        let mut search = ApiSearch::new(&self.request);
        search.spill_settings.clone_from(&self.spill);
        let mut reached_limit = None;
        let outcome = search.run(
            &mut vm,
            &mut prepared,
            Machines {
                jobs: self.jobs,
                more: &|| self.machine(numbers, interrupt).ok(),
            },
            &mut |progress| {
                line.update_api(&progress);
                reached_limit = if interrupt.reason().is_some() {
                    interrupt.reason()
                } else if self.limit.is_some_and(|most| progress.structures >= most) {
                    Some("--limit")
                } else if self.max_memory.is_some_and(|most| progress.memory > most) {
                    Some("--max-memory")
                } else {
                    None
                };
                match reached_limit {
                    Some(_) => ControlFlow::Break(()),
                    None => ControlFlow::Continue(()),
                }
            },
        );
        line.clear();
        if let Some(error) = &outcome.disk_error {
            match error {
                SpillError::Write { .. } => notice!(
                    "{error}; the search ended there: name a folder with more room with \
                     --spill-dir, or raise --max-memory"
                ),
                SpillError::TooMany => notice!("{error}"),
                SpillError::Read { .. } | SpillError::Stopped => bail!("{error}"),
            }
        }
        let stopped_by = claim::stopped_by(&outcome, reached_limit.or(interrupt.reason()));
        Ok(ApiSearchResult {
            vm,
            prepared,
            search,
            outcome,
            stopped_by,
        })
    }
}

/// Writer of structures and sequences.
pub struct StructureWriter<'a> {
    /// Engine of the search.
    pub vm: &'a mut Vm,
    /// Calls prepared on the engine.
    pub prepared: &'a mut Prepared,
    /// Structures found.
    pub search: &'a ApiSearch,
}

impl StructureWriter<'_> {
    /// Reads a structure as data, with the calls that build it.
    pub fn read(
        &mut self,
        built: StructureRef,
    ) -> anyhow::Result<(Structure, heapwright_suite::Sequence)> {
        let (vm, prepared, pools) = (&mut *self.vm, &mut *self.prepared, &self.search.pools);
        let class = prepared.caller.classes[0];
        let mut reader = StructureReader::new(vm, class);
        let structure = vm.with_mark(|vm| {
            let root = prepared.caller.make(vm, pools, built)?;
            Ok(reader.read(vm, root).structure)
        });
        let structure = structure.map_err(|broken: Break| anyhow!("{broken}"))?;
        let sequence = Sequence::of(pools, &prepared.caller.operations, built)?;
        let calls = prepared.written(vm, &mut reader, &sequence);
        Ok((structure, calls))
    }
}
