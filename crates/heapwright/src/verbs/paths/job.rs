//! Paths of methods as the parts of a job, a method a part, and their results as those of one run.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, ensure};
use heapwright_explore::{Part, Span};
use heapwright_jvm::Vm;
use heapwright_techniques::paths::{self, PathSubject, PathsRequest, ReachGoal, Watch};
use heapwright_techniques::target::find_class;

use super::args::{CaseFormat, PathsArgs};
use super::report::PathsReporter;
use super::results::PathsResults;
use super::{TESTS, goals, request};
use crate::job::{JobSearch, Merged, ResultWriter, Slice, even_parts, number_of};
use crate::junit::TestWriter;
use crate::report::explain::explain_run;

/// Instructions that the search of a method is expected to take for each of its bytecodes.
const STEPS_A_BYTECODE: u64 = 10_000;

/// Paths of methods by parts.
pub struct PathSearch<'a> {
    vm: Vm,
    arguments: &'a PathsArgs,
    request: PathsRequest,
    identity: String,
    class: String,
    /// The methods, each with its goals. One is missing while it is searched.
    methods: Vec<Option<(PathSubject, Vec<ReachGoal>)>>,
}

impl PathSearch<'_> {
    /// Reads the methods.
    ///
    /// # Errors
    /// The request is wrong.
    pub fn open(arguments: &PathsArgs) -> anyhow::Result<PathSearch<'_>> {
        ensure!(
            arguments.format != CaseFormat::Svg,
            "--job is for cases: leave out --format svg"
        );
        let request = request(arguments)?;
        let config = arguments.common.class_path.exploring()?;
        let mut vm = Vm::new(config)?;
        let never = || false;
        let inputs = paths::input_classes(&mut vm, &request, &never);
        let inputs = inputs.map_err(|error| explain_run(&vm, error))?;
        let class = find_class(&mut vm, &arguments.class);
        let class = class.map_err(|error| explain_run(&vm, error))?;
        let identity = request::fingerprint(arguments, &request, &vm, class, inputs).to_string();
        let read = paths::subjects(&mut vm, &request, 0, &never, &never);
        let (subjects, _) = read.map_err(|error| explain_run(&vm, error))?;
        let goals = goals(&mut vm, &request, &subjects)?;
        let methods = subjects.into_iter().zip(goals).map(Some).collect();
        Ok(PathSearch {
            class: vm.binary_name(class),
            vm,
            arguments,
            request,
            identity,
            methods,
        })
    }

    /// Expected instructions of the search of a method.
    fn expected(&self, span: &Span) -> u64 {
        let method = number_of(span).and_then(|number| self.methods.get(number)?.as_ref());
        method.map_or(0, |(subject, _)| {
            subject.program.bytecodes() as u64 * STEPS_A_BYTECODE
        })
    }
}

impl JobSearch for PathSearch<'_> {
    fn class(&self) -> String {
        self.class.clone()
    }

    fn identity(&self) -> String {
        self.identity.clone()
    }

    fn uses_solver(&self) -> bool {
        true
    }

    fn whole(&self) -> Vec<Span> {
        let numbers = 0..self.methods.len() as i64;
        numbers.map(|number| Span::below(vec![number])).collect()
    }

    fn divide(&mut self, spans: &[Span], count: usize, _: u64) -> anyhow::Result<Vec<Part>> {
        Ok(even_parts(spans, count, |span| self.expected(span)))
    }

    fn search(
        &mut self,
        span: &Span,
        slice: &Slice,
        result: &mut ResultWriter,
    ) -> anyhow::Result<(Vec<Span>, u64)> {
        let number = number_of(span).context("the part names no method")?;
        let method = self.methods.get_mut(number).and_then(Option::take);
        let (mut subject, goals) = method.context("there is no such method")?;
        let before = self.vm.steps();
        // A method is searched as a whole: it cannot be resumed in the middle.
        let watch = Watch {
            stops: &|| slice.is_interrupted(),
            closes: &|| slice.is_interrupted(),
            ends: &|| slice.is_interrupted(),
            explored: &|_| {},
        };
        let report = subject.explore(&mut self.vm, &self.request, &goals, watch);
        let report = report.map_err(|error| explain_run(&self.vm, error))?;
        let is_stopped = report.tally.is_stopped || slice.is_interrupted();
        let found = [(number, subject, report)];
        let results = PathsResults::of(self.arguments, &mut self.vm, &found, 0, None);
        let [(_, subject, _)] = found;
        self.methods[number] = Some((subject, goals));
        if is_stopped {
            return Ok((vec![span.clone()], 0));
        }
        result.begin(span);
        result.end(&results?)?;
        slice.note_size(result);
        Ok((Vec::new(), self.vm.steps() - before))
    }
}

/// Writes and reports the results of a job, as those of one run.
///
/// # Errors
/// A result cannot be read, or the output cannot be written.
pub fn merge(arguments: &PathsArgs, merged: &Merged<'_>) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    ensure!(
        arguments.format != CaseFormat::Junit || arguments.output.is_some(),
        "--format junit writes files: name their folder with -o"
    );
    let interrupt = arguments.common.watch(1)?;
    let config = arguments.common.class_path.exploring()?;
    let mut results: Option<PathsResults> = None;
    let mut item = |line: &str| anyhow::bail!("{line:?} is no item of paths");
    merged.each(&mut item, &mut |record: PathsResults| {
        match &mut results {
            None => results = Some(record),
            Some(results) => results.add(record),
        }
        Ok(())
    })?;
    let mut results = results.context("the job has no methods")?;
    arguments.inputs.warn();
    results.warn();
    results.select();
    let writer = match arguments.format {
        CaseFormat::Junit => TestWriter::new(TESTS, &arguments.junit, &config, &interrupt)?,
        _ => TestWriter::untried(TESTS),
    };
    let reporter = PathsReporter {
        results,
        verb: "paths",
        json: arguments.common.output.json,
        output: arguments.output.as_deref(),
        shards: None,
        start: Some(start),
    };
    reporter.write((&writer, &interrupt))
}
