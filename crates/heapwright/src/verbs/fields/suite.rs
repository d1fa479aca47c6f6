//! Output of a suite: structures, drawings or tests.

use std::path::Path;

use anyhow::{Context, ensure};
use heapwright_jvm::{Config, Ref, Vm};
use heapwright_suite::plot::{Plot, Series, draw_plot};
use heapwright_suite::{Case, Structure, Suite, jsonl};
use heapwright_techniques::contracts::Contracts;
use heapwright_techniques::fields::{FieldsReport, InvariantSubject};
use heapwright_techniques::findings::Declared;
use heapwright_techniques::hidden_names;
use heapwright_techniques::invariant::{BoundsRequest, Enumeration, StructuresRequest};
use heapwright_techniques::observe::Observer;
use heapwright_techniques::read::StructureReader;
use heapwright_techniques::symbolic;

use super::FieldsArgs;
use crate::api::{CallSubstitution, SubstitutionCounts, SubstitutionRequest};
use crate::case_limit::{SmallestCases, warn_of_left_out};
use crate::files::drawings::{MAX_DRAWINGS, write_drawings};
use crate::files::{Output, grouped, write_file};
use crate::interrupt::StopSignal;
use crate::junit::{
    TestTimer, TestWriter, package_of_tests, warn_of_calls, warn_of_missing_tests, warn_of_skipped,
};
use crate::options::Format;
use crate::report::explain::explain;
use crate::report::findings::ReportedFindings;

/// Tests written for a suite.
#[derive(Default)]
pub struct WrittenSuite {
    /// Number of tests, if tests were requested.
    pub tests: Option<usize>,
    /// Limit that left out some of them, if any.
    pub stopped_by: Option<&'static str>,
    /// Construction of their inputs, if calls were searched for.
    pub inputs: Option<SubstitutionCounts>,
    /// Failures of calls.
    pub found: ReportedFindings,
}

/// Writes the suite in the requested format.
///
/// # Errors
/// A file cannot be written, a method cannot be called, or there is too much to write.
pub fn write(
    arguments: &FieldsArgs,
    vm: &mut Vm,
    config: &Config,
    subject: &InvariantSubject,
    report: &FieldsReport,
    interrupt: &StopSignal,
) -> anyhow::Result<WrittenSuite> {
    let file = arguments.output.as_deref();
    let format = match arguments.format {
        None => return Ok(WrittenSuite::default()),
        Some(Format::Junit) => {
            return Tests::new(arguments, vm, config, subject, interrupt)?.write(vm, report);
        }
        Some(format) => format,
    };
    let mut reader = StructureReader::new(vm, subject.class);
    let mut structures: Vec<Structure> = Vec::new();
    for member in &report.suite {
        let structure = on_machine(vm, &member.input, |vm, root| {
            Ok(reader.read(vm, root).structure)
        });
        structures.push(structure?);
    }
    if format.is_drawing() {
        ensure!(
            structures.len() as u64 <= MAX_DRAWINGS,
            "more than {} structures to draw: draw those of a smaller --scope",
            grouped(MAX_DRAWINGS)
        );
        write_drawings(&structures, format, file)?;
        return Ok(WrittenSuite::default());
    }
    let mut output = Output::open(file)?;
    for structure in &structures {
        match format {
            Format::Jsonl => output.write_line(&jsonl::line(structure))?,
            _ => output.write_line(&structure.to_string())?,
        }
    }
    output.finish()?;
    Ok(WrittenSuite::default())
}

/// Runs an action on an input as objects, and goes back afterwards.
fn on_machine<T>(
    vm: &mut Vm,
    input: &symbolic::RunInput,
    act: impl FnOnce(&mut Vm, Ref) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    vm.with_mark(|vm| {
        let slots = symbolic::make(vm, input)?;
        let root = slots.first().context("a structure has a root")?;
        act(vm, Ref::from_slot(*root))
    })
}

/// Writer of the suite's tests.
struct Tests<'a> {
    arguments: &'a FieldsArgs,
    config: &'a Config,
    subject: &'a InvariantSubject,
    interrupt: &'a StopSignal,
    writer: TestWriter,
    folder: &'a Path,
    /// Request of structures within the same bounds, from which arguments are taken.
    structures: StructuresRequest,
    observer: Observer,
    suite: Suite,
}

impl<'a> Tests<'a> {
    fn new(
        arguments: &'a FieldsArgs,
        vm: &mut Vm,
        config: &'a Config,
        subject: &'a InvariantSubject,
        interrupt: &'a StopSignal,
    ) -> anyhow::Result<Tests<'a>> {
        let folder = arguments
            .output
            .as_deref()
            .context("--format junit writes files: name their folder with -o")?;
        let structures = StructuresRequest {
            class: arguments.class.clone(),
            invariant: arguments.invariant.clone(),
            bounds: BoundsRequest::Scope(arguments.scope()),
            criterion: None,
            step_limit: arguments.max_steps(),
        };
        let enumeration = Enumeration::prepare(vm, &structures);
        let enumeration = enumeration.map_err(|error| explain(vm, error))?;
        let class = subject.class;
        let (calls, steps) = (arguments.observed_calls(), arguments.max_steps());
        let observer = Observer::of_calls(vm, &enumeration, calls, steps, interrupt.over());
        let mut observer = observer.map_err(|error| explain(vm, error))?;
        if !arguments.judged.leaves_contracts() {
            let contracts = Contracts::of(vm, class);
            observer = observer.asking(contracts.map_err(|error| explain(vm, error))?);
        }
        Ok(Tests {
            arguments,
            config,
            subject,
            interrupt,
            writer: TestWriter::new("Fields", &arguments.junit, config, interrupt)?,
            folder,
            structures,
            observer,
            suite: Suite {
                class_under_test: StructureReader::new(vm, class).class_sig(vm, class),
                invariant: enumeration.invariant_sig(vm),
                cases: Vec::new(),
                scripts: Vec::new(),
                hides: hidden_names(vm, class),
                resets: Vec::new(),
                uses_deprecated: vm.mentions(class, "Ljava/lang/Deprecated;"),
            },
        })
    }

    fn write(mut self, vm: &mut Vm, report: &FieldsReport) -> anyhow::Result<WrittenSuite> {
        let mut reader = StructureReader::new(vm, self.subject.class);
        let mut cases = SmallestCases::new(self.arguments.max_tests);
        let making = TestTimer::begin(self.interrupt);
        let mut stopped_by = None;
        for (number, member) in report.suite.iter().enumerate() {
            if let Some(by) = making.is_over() {
                warn_of_missing_tests(report.suite.len() - number, by);
                stopped_by = Some(by);
                break;
            }
            let observer = &mut self.observer;
            let case = on_machine(vm, &member.input, |vm, root| {
                let snapshot = reader.read(vm, root);
                let calls = observer.observe(vm, &mut reader, root, &snapshot);
                Ok(Case {
                    input: snapshot.structure,
                    construction: None,
                    calls,
                })
            })?;
            cases.add(case);
        }
        let (cases, left_out) = cases.finish();
        self.suite.cases = cases;
        warn_of_left_out(left_out, self.arguments.max_tests);
        let declared = Declared::new(vm, self.subject.class, &self.arguments.judged.expected);
        let declared = declared.map_err(|error| explain(vm, error))?;
        let failing = declared.take_failing(vm, &mut self.suite, |_| true);
        let mut found = ReportedFindings::of(&failing);
        let inputs = match self.arguments.no_api {
            true => None,
            false => self.prefer_calls()?,
        };
        let whole = self.suite.cases.len();
        let package = package_of_tests(vm, self.subject.class);
        let written =
            self.writer
                .write(self.suite, package.clone(), self.folder, self.interrupt)?;
        let writer = (&self.writer, self.interrupt);
        found.write(failing, writer, package, self.folder)?;
        warn_of_skipped(&written.skipped, whole, "structures");
        warn_of_calls(self.observer.take_left_out());
        Ok(WrittenSuite {
            tests: Some(written.tests),
            stopped_by: stopped_by
                .or(written.stopped_by)
                .or((left_out > 0).then_some("--max-tests")),
            inputs,
            found,
        })
    }

    /// Replaces inputs by calls that build them, where such calls are found.
    fn prefer_calls(&mut self) -> anyhow::Result<Option<SubstitutionCounts>> {
        let classes = std::slice::from_ref(&self.arguments.class);
        let wanted = SubstitutionRequest {
            api: &self.arguments.api,
            classes,
            scope: Some(self.arguments.scope()),
            max_steps: self.arguments.max_steps,
            observed: Some(self.arguments.observed_calls()),
        };
        let (config, structures) = (self.config.clone(), &self.structures);
        let found = CallSubstitution::find(&wanted, config, structures, self.interrupt)?;
        let Some(mut preferred) = found else {
            return Ok(None);
        };
        self.suite.cases = preferred.rewrite(std::mem::take(&mut self.suite.cases))?;
        notice!("{}", preferred.inputs().summary());
        Ok(Some(preferred.inputs().clone()))
    }
}

/// Draws the pairs found over time, and the predictions.
///
/// # Errors
/// The file cannot be written.
pub fn plot(file: &Path, class: &str, report: &FieldsReport) -> anyhow::Result<()> {
    let Some(last) = report.rows.last() else {
        return Ok(());
    };
    let fields = last.fields.iter();
    let series: Vec<Series> = fields
        .map(|field| {
            let found = report.found.iter().filter(|(_, name)| *name == field.name);
            Series {
                name: field.name.clone(),
                at: found.map(|(at, _)| *at).collect(),
                expected: field.predicted,
            }
        })
        .collect();
    let marks = report.rows.iter();
    let marks: Vec<(f64, String)> = marks
        .map(|row| (row.seconds, row.scope.to_string()))
        .collect();
    let svg = draw_plot(&Plot {
        title: &format!("{class}: pairs found, by the end of each scope"),
        unit: "seconds",
        series: &series,
        marks: &marks,
    });
    write_file(file, svg.as_bytes())
}
