//! Search for structures as the parts of a job, and their results as those of one run.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use anyhow::{bail, ensure};
use heapwright_explore::{Part, SearchState, Span, partition};
use heapwright_jvm::{ReadSource, Vm};
use heapwright_techniques::Error;
use heapwright_techniques::invariant::{Enumeration, EnumerationOutcome};
use heapwright_techniques::parts::{self, Consumer, Plan, StopCheck};

use super::args::{EnumerateArgs, Source};
use super::invariant::{fingerprint, prepare};
use super::items::{DrawnItem, ItemMaker, OutputItem};
use crate::files::record::OutcomeRecord;
use crate::job::{JobSearch, Merged, ResultWriter, Slice};
use crate::options::Format;
use crate::report::explain::explain;

/// Search for structures by parts.
pub struct StructureSearch<'a> {
    vm: Vm,
    enumeration: Enumeration,
    arguments: &'a EnumerateArgs,
}

impl StructureSearch<'_> {
    /// Prepares the search.
    ///
    /// # Errors
    /// The request is wrong, or no search that has parts.
    pub fn open(arguments: &EnumerateArgs) -> anyhow::Result<StructureSearch<'_>> {
        ensure!(
            arguments.from == Source::Invariant,
            "a search from the API is one in rounds"
        );
        if arguments.format().is_none() && arguments.reports.report.is_some() {
            bail!("--report with --job needs --format: drawings are made of the structures");
        }
        let config = arguments.common.class_path.exploring()?;
        let mut vm = Vm::new(config)?;
        let (_, enumeration) = prepare(&mut vm, arguments)?;
        enumeration.look_for_dependence(&mut vm)?;
        Ok(StructureSearch {
            vm,
            enumeration,
            arguments,
        })
    }
}

impl JobSearch for StructureSearch<'_> {
    fn class(&self) -> String {
        self.vm.binary_name(self.enumeration.class)
    }

    fn identity(&self) -> String {
        fingerprint(&self.vm, &self.enumeration, self.arguments).to_string()
    }

    fn uses_solver(&self) -> bool {
        false
    }

    fn whole(&self) -> Vec<Span> {
        vec![Span::default()]
    }

    fn divide(&mut self, spans: &[Span], count: usize, effort: u64) -> anyhow::Result<Vec<Part>> {
        let arguments = self.arguments;
        let mut search = self
            .enumeration
            .explorer(arguments.strategy(), arguments.counts_only());
        let parts = partition(&mut *search, &mut self.vm, spans, count, effort);
        parts.map_err(|error| explain(&self.vm, Error::from(error)))
    }

    fn search(
        &mut self,
        span: &Span,
        slice: &Slice,
        result: &mut ResultWriter,
    ) -> anyhow::Result<(Vec<Span>, u64)> {
        let arguments = self.arguments;
        let plan = Plan {
            strategy: arguments.strategy(),
            counts_only: arguments.counts_only(),
            spans: vec![span.clone()],
            limit: None,
            jobs: 1,
            one_per_class: false,
        };
        result.begin(span);
        let mut consumer = ItemWriter {
            arguments,
            slice,
            result,
            failure: None,
        };
        // Observations are not cut: a stopped search comes to the structure again.
        let never: StopCheck = Arc::new(|| false);
        let found = parts::explore(
            &mut self.vm,
            &self.enumeration,
            &plan,
            &|| None,
            &|vm, enumeration| ItemMaker::new(vm, enumeration, arguments, Arc::clone(&never)),
            &mut consumer,
        );
        if let Some(failure) = consumer.failure.take() {
            return Err(failure);
        }
        let found = found.map_err(|error| explain(&self.vm, error))?;
        let steps = found.outcome.progress.work();
        result.end(&OutcomeRecord::of(&found.outcome, self.vm.reads())?)?;
        Ok((found.left, steps))
    }
}

/// Writer of the items of structures.
struct ItemWriter<'a> {
    arguments: &'a EnumerateArgs,
    slice: &'a Slice,
    result: &'a mut ResultWriter,
    /// Error that ended the search.
    failure: Option<anyhow::Error>,
}

impl Consumer<DrawnItem> for ItemWriter<'_> {
    fn take(&mut self, item: DrawnItem) -> ControlFlow<()> {
        match line_of(self.arguments, item) {
            Ok(line) => {
                if let Some(line) = line {
                    self.result.item(&line);
                    self.slice.note_size(self.result);
                }
                ControlFlow::Continue(())
            }
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn watch(&mut self, _: &SearchState) {}

    fn stopper(&self) -> StopCheck {
        self.slice.stop()
    }
}

/// Whether items are lines of text, and nothing is drawn.
fn is_plain(arguments: &EnumerateArgs) -> bool {
    let is_line = matches!(arguments.format(), Some(Format::Text | Format::Jsonl));
    is_line && arguments.reports.report.is_none()
}

/// Line of an item in a result; none if structures are only counted.
fn line_of(arguments: &EnumerateArgs, item: DrawnItem) -> anyhow::Result<Option<String>> {
    Ok(match item {
        _ if arguments.format().is_none() => None,
        (OutputItem::Line(line, _), _) if is_plain(arguments) => Some(line),
        item => Some(serde_json::to_string(&item)?),
    })
}

/// Passes the items of a job's results on, in the order of the tree. Returns the outcome of the
/// whole search, and the static fields that it read.
///
/// # Errors
/// A result cannot be read, or `take` fails.
pub fn merge(
    merged: &Merged<'_>,
    enumeration: &Enumeration,
    arguments: &EnumerateArgs,
    take: &mut dyn FnMut(DrawnItem) -> anyhow::Result<()>,
) -> anyhow::Result<(EnumerationOutcome, BTreeSet<ReadSource>)> {
    let mut outcome = EnumerationOutcome::nothing(enumeration.invariant);
    let mut reads = BTreeSet::new();
    let mut item = |line: &str| match is_plain(arguments) {
        true => take((OutputItem::Line(line.to_owned(), None), None)),
        false => take(serde_json::from_str(line)?),
    };
    merged.each(&mut item, &mut |record: OutcomeRecord| {
        reads.extend(record.reads.iter().cloned());
        outcome.add(record.into_outcome(enumeration.invariant));
        Ok(())
    })?;
    Ok((outcome, reads))
}
