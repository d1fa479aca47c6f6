//! Calls on structures as the parts of a job, and their results as those of one run.

use std::collections::BTreeSet;

use anyhow::ensure;
use heapwright_explore::{Part, Span, partition};
use heapwright_jvm::{ReadSource, Vm};
use heapwright_techniques::Error;
use heapwright_techniques::check::{
    self, CallTask, CheckRequest, Checker, MethodCheckResults, WorkerConfig,
};
use heapwright_techniques::invariant::{Enumeration, EnumerationOutcome};
use serde::{Deserialize, Serialize};

use super::args::CheckArgs;
use super::{check_request, structures_request};
use crate::files::prefix::{self, Fingerprint};
use crate::files::record::OutcomeRecord;
use crate::job::{JobSearch, Merged, ResultWriter, Slice};
use crate::report::explain::explain;

/// Calls on structures by parts.
pub struct CallSearch<'a> {
    vm: Vm,
    enumeration: Enumeration,
    checker: Checker,
    request: CheckRequest,
    arguments: &'a CheckArgs,
}

/// Results of the calls on the structures of a subtree.
#[derive(Serialize, Deserialize)]
struct CallRecord {
    outcome: OutcomeRecord,
    found: MethodCheckResults,
}

impl CallSearch<'_> {
    /// Prepares the search.
    ///
    /// # Errors
    /// The request is wrong.
    pub fn open(arguments: &CheckArgs) -> anyhow::Result<CallSearch<'_>> {
        let config = arguments.common.class_path.exploring()?;
        let mut vm = Vm::new(config)?;
        let request = check_request(arguments);
        let structures = structures_request(arguments)?;
        let mut prepare = || {
            let enumeration = Enumeration::prepare(&mut vm, &structures)?;
            enumeration.look_for_dependence(&mut vm)?;
            let mut checker = Checker::new(&mut vm, &enumeration, &request)?;
            checker.prepare(&mut vm, &enumeration)?;
            Ok((enumeration, checker))
        };
        let prepared: Result<_, Error> = prepare();
        let (enumeration, checker) = prepared.map_err(|error| explain(&vm, error))?;
        Ok(CallSearch {
            vm,
            enumeration,
            checker,
            request,
            arguments,
        })
    }
}

impl JobSearch for CallSearch<'_> {
    fn class(&self) -> String {
        self.vm.binary_name(self.enumeration.class)
    }

    fn identity(&self) -> String {
        let mode = prefix::mode_of_calls(&self.request);
        let strategy = self.arguments.strategy();
        Fingerprint::new(&self.vm, &self.enumeration, strategy, &mode).to_string()
    }

    fn uses_solver(&self) -> bool {
        false
    }

    fn whole(&self) -> Vec<Span> {
        vec![Span::default(), CallTask::alone()]
    }

    fn divide(&mut self, spans: &[Span], count: usize, effort: u64) -> anyhow::Result<Vec<Part>> {
        let alone = CallTask::alone();
        let of_tree: Vec<Span> = spans
            .iter()
            .filter(|&span| *span != alone)
            .cloned()
            .collect();
        let mut search = self.enumeration.explorer(self.arguments.strategy(), false);
        let parts = partition(&mut *search, &mut self.vm, &of_tree, count, effort);
        let mut parts = parts.map_err(|error| explain(&self.vm, Error::from(error)))?;
        if of_tree.len() < spans.len()
            && let Some(least) = parts.iter_mut().min_by_key(|part| part.steps)
        {
            least.spans.push(alone);
        }
        Ok(parts)
    }

    fn search(
        &mut self,
        span: &Span,
        slice: &Slice,
        result: &mut ResultWriter,
    ) -> anyhow::Result<(Vec<Span>, u64)> {
        let task = CallTask::parts(self.arguments.calls(), vec![span.clone()]);
        let before = self.vm.steps();
        let (vm, checker) = (&mut self.vm, &mut self.checker);
        let mut crew = WorkerConfig {
            jobs: 1,
            more: &|| None,
            stops: &|| slice.is_over(),
            watch: &mut |_| {},
        };
        let checked = check::check(
            vm,
            &self.enumeration,
            checker,
            &self.request,
            &task,
            &mut crew,
        );
        let (outcome, left) = checked.map_err(|error| explain(&self.vm, error))?;
        let outcome = OutcomeRecord::of(&outcome, self.vm.reads())?;
        let found = self.checker.found().clone();
        result.begin(span);
        result.end(&CallRecord { outcome, found })?;
        slice.note_size(result);
        Ok((left, self.vm.steps() - before))
    }
}

/// Outcome of a search, what is left of it, and the static fields that it read.
type Checked = (EnumerationOutcome, Vec<Span>, BTreeSet<ReadSource>);

/// Adds up the results of a job, which the checker then has.
///
/// # Errors
/// A result cannot be read, or is of other methods.
pub fn merge(
    merged: &Merged<'_>,
    vm: &mut Vm,
    (enumeration, checker): (&Enumeration, &mut Checker),
    (request, task): (&CheckRequest, &CallTask),
    crew: &mut WorkerConfig<'_>,
) -> anyhow::Result<Checked> {
    let mut outcome = EnumerationOutcome::nothing(enumeration.invariant);
    let mut reads = BTreeSet::new();
    let mut found: Option<MethodCheckResults> = None;
    let mut item = |line: &str| {
        anyhow::bail!("{line:?} is no item of check");
    };
    merged.each(&mut item, &mut |record: CallRecord| {
        reads.extend(record.outcome.reads.iter().cloned());
        outcome.add(record.outcome.into_outcome(enumeration.invariant));
        match &mut found {
            None => found = Some(record.found),
            Some(found) => {
                ensure!(
                    found.tallies.len() == record.found.tallies.len(),
                    "two results are of other methods"
                );
                found.add_shard(record.found);
            }
        }
        Ok(())
    })?;
    checker.prepare(vm, enumeration)?;
    if let Some(found) = found {
        checker.set_found(found);
    }
    let mut left = Vec::new();
    let again = check::repeat_endless(vm, enumeration, checker, request, task, crew)?;
    if let Some((end, again)) = again {
        (outcome.end, left) = (end, again);
        reads.extend(vm.reads());
    }
    Ok((outcome, left, reads))
}
