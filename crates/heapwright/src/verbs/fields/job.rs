//! Field coverage by parts of a job: each size is a stage, whose tree is divided.

use std::collections::BTreeSet;

use anyhow::ensure;
use heapwright_explore::{Part, Span};
use heapwright_jvm::{ReadSource, Vm};
use heapwright_techniques::fields::{
    Estimate, FieldsReport, FieldsRequest, FieldsState, InvariantSubject, PartOfRound, RoundParts,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::args::FieldsArgs;
use super::request;
use crate::files::prefix::Fingerprint;
use crate::job::{JobSearch, Merged, ResultWriter, Slice, StagedSearch};
use crate::report::explain::explain_run;

/// Field coverage by parts.
pub struct FieldSearch {
    vm: Vm,
    request: FieldsRequest,
    subject: InvariantSubject,
    /// Everything else that the results depend on, as text.
    mode: String,
    state: Option<SearchState>,
}

/// State of a search between two sizes.
#[derive(Clone, Serialize, Deserialize)]
struct SearchState {
    found: FieldsState,
    /// Static fields that code has read.
    reads: BTreeSet<ReadSource>,
}

/// Results of a subtree.
#[derive(Serialize, Deserialize)]
struct FieldRecord {
    found: PartOfRound,
    reads: BTreeSet<ReadSource>,
}

impl FieldSearch {
    /// Prepares the search.
    ///
    /// # Errors
    /// The request is wrong, or no search that has parts.
    pub fn open(arguments: &FieldsArgs) -> anyhow::Result<FieldSearch> {
        let request = request(arguments, arguments.scope(), None);
        let estimate = request.policy.map(|policy| policy.estimate);
        ensure!(
            estimate != Some(Estimate::Time),
            "--estimate time limits the work of one search, so it does not go with --job: choose \
             --estimate size"
        );
        let mut vm = Vm::new(arguments.common.class_path.exploring()?)?;
        let subject =
            InvariantSubject::find(&mut vm, &arguments.class, arguments.invariant.as_deref());
        let subject = subject.map_err(|error| explain_run(&vm, error))?;
        RoundParts::new(&request, &subject, None)?;
        let judged = &arguments.judged;
        let written = (arguments.format, &arguments.methods, &arguments.observe);
        let judged = (&judged.expected, judged.leaves_contracts());
        Ok(FieldSearch {
            mode: format!("{written:?} {judged:?}"),
            vm,
            request,
            subject,
            state: None,
        })
    }

    /// Round of the state, and the machine on which it is searched.
    fn round(&mut self) -> anyhow::Result<(RoundParts<'_>, &mut Vm)> {
        let found = self.state.as_ref().map(|state| state.found.clone());
        let round = RoundParts::new(&self.request, &self.subject, found)?;
        Ok((round, &mut self.vm))
    }
}

impl JobSearch for FieldSearch {
    fn class(&self) -> String {
        self.vm.binary_name(self.subject.class)
    }

    fn identity(&self) -> String {
        let (class, invariant) = (self.subject.class, self.subject.invariant);
        let bounds = format!("{:?} {}", self.request, self.vm.method_text(invariant));
        let search = ("fields", &self.mode[..]);
        Fingerprint::of_paths(&self.vm, class, Vec::new(), search, &bounds).to_string()
    }

    fn uses_solver(&self) -> bool {
        true
    }

    fn staged(&mut self) -> Option<&mut dyn StagedSearch> {
        Some(self)
    }

    fn whole(&self) -> Vec<Span> {
        vec![Span::default()]
    }

    fn divide(&mut self, spans: &[Span], count: usize, effort: u64) -> anyhow::Result<Vec<Part>> {
        let (round, vm) = self.round()?;
        let parts = round.divide(vm, spans, count, effort);
        parts.map_err(|error| explain_run(vm, error))
    }

    fn search(
        &mut self,
        span: &Span,
        slice: &Slice,
        result: &mut ResultWriter,
    ) -> anyhow::Result<(Vec<Span>, u64)> {
        let (round, vm) = self.round()?;
        let searched = round.search(vm, span, &|| slice.is_over());
        let (found, left, work) = searched.map_err(|error| explain_run(vm, error))?;
        let reads = vm.reads();
        result.begin(span);
        result.end(&FieldRecord { found, reads })?;
        slice.note_size(result);
        Ok((left.into_iter().collect(), work))
    }
}

impl StagedSearch for FieldSearch {
    fn enter(&mut self, state: &Value) -> anyhow::Result<()> {
        self.state = serde_json::from_value(state.clone())?;
        Ok(())
    }

    fn is_over(&mut self) -> anyhow::Result<bool> {
        Ok(self.round()?.0.is_over())
    }

    fn found(&self) -> u64 {
        self.state
            .as_ref()
            .map_or(0, |state| state.found.structures() as u64)
    }

    fn advance(&mut self, results: &Merged<'_>) -> anyhow::Result<Value> {
        let known = self.state.as_ref();
        let mut reads = known.map_or_else(BTreeSet::new, |state| state.reads.clone());
        let mut item = |line: &str| anyhow::bail!("{line:?} is no item of fields");
        let (round, _) = self.round()?;
        let found = round.end_round(|take| {
            results.each(&mut item, &mut |record: FieldRecord| {
                reads.extend(record.reads);
                take(record.found)
            })
        })?;
        Ok(serde_json::to_value(SearchState { found, reads })?)
    }
}

/// Report of a search that has ended, and the static fields that it read.
///
/// # Errors
/// The state is none of this search.
pub fn report(
    request: &FieldsRequest,
    subject: &InvariantSubject,
    state: &Value,
) -> anyhow::Result<(FieldsReport, BTreeSet<ReadSource>)> {
    let state: SearchState = serde_json::from_value(state.clone())?;
    let ended = RoundParts::new(request, subject, Some(state.found))?;
    Ok((ended.report(), state.reads))
}
