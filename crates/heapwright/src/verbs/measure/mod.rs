//! `heapwright measure`: coverage and mutation score of classes by existing tests.

mod args;
mod on_jvm;
mod report;
mod run_report;
mod summary;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use heapwright_jvm::Vm;
use heapwright_techniques::measure::{MeasureProgress, MeasureRequest, measure};

use crate::compiled_tests::CompiledTests;
use crate::exit;
use crate::files::print;
use crate::options::named_classes;
use crate::progress::{ProgressLines, show_during};
use crate::report::claim::Claim;
use crate::report::explain::explain;
use crate::report::output;
use crate::report::summary::Head;

pub use args::MeasureArgs;
use args::OnName;
use on_jvm::ModuleJvms;
use report::Measured;
pub use summary::TestsSummary;

/// Measures tests.
///
/// # Errors
/// The request is wrong, there are no tests, or the output cannot be written.
pub fn run(arguments: &MeasureArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    output::check_folder(&arguments.reports)?;
    let mut config = arguments.common.class_path.config()?;
    let classes = named_classes(&arguments.classes, &arguments.common.class_path)?;
    let suite = CompiledTests::find(&arguments.tests, &arguments.test_classes, &config)?;
    suite.add_to(&mut config);
    config.files.clone_from(&arguments.files);
    arguments.world.add_to(&mut config);
    let jobs = arguments.common.jobs();
    let interrupt = arguments.common.watch(jobs)?;
    let mut vm = Vm::new(config.clone())?;
    suite.check_versions(vm.class_path(), &classes)?;
    suite.check_frameworks(&mut vm)?;
    let request = MeasureRequest {
        classes: classes.clone(),
        methods: arguments.methods.clone(),
        tests: suite.names.clone(),
        mutants: arguments.mutants.group(),
        max_steps: arguments.max_steps,
        jobs,
        on: arguments.on.into(),
    };
    if interrupt.reason().is_some() {
        return stopped(arguments, &classes, interrupt.reason(), start);
    }
    let more = || Vm::new(config.clone()).ok();
    let progress = MeasureProgress::default();
    let stops = || interrupt.reason().is_some();
    let jvms = ModuleJvms::new(&suite, &config, arguments, &stops)?;
    let report = show_during(
        ProgressLines::new(false),
        |_| progress.state().into(),
        || measure(vm, &more, &request, Some(&jvms), (&stops, &progress)),
    );
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            let vm = Vm::new(config.clone())?;
            return Err(explain(&vm, error));
        }
    };
    if let Some(reason) = &report.no_jvm {
        if arguments.on == OnName::Jvm {
            bail!("{reason}");
        }
        notice!("{reason}");
    }
    match (report.tests.is_empty(), report.is_interrupted) {
        (true, true) => return stopped(arguments, &classes, interrupt.reason(), start),
        (true, false) => return Err(suite.no_tests()),
        _ => {}
    }
    let measured = Measured {
        arguments,
        classes: &classes,
        report: &report,
        stopped_by: interrupt.reason(),
        elapsed: start.elapsed(),
    };
    let is_json = arguments.common.output.json;
    output::write(&arguments.reports, run_report::run(&measured), is_json)?;
    match is_json {
        true => measured.summary().print("measure")?,
        false => print(&measured.text())?,
    }
    Ok(measured.exit_code().into())
}

/// Reports that the run was stopped before a test had ended.
fn stopped(
    arguments: &MeasureArgs,
    classes: &[String],
    by: Option<&'static str>,
    start: Instant,
) -> anyhow::Result<ExitCode> {
    let reason = by.unwrap_or("a signal");
    notice!("stopped by {reason} before a test had ended");
    let claim = Claim::ended(Some(reason));
    let mut run = output::begin("measure", &claim, start.elapsed());
    (run.has_coverage, run.has_mutants) = (true, arguments.mutants.group().is_some());
    run.is_lower_bound = true;
    output::write(&arguments.reports, run, arguments.common.output.json)?;
    if arguments.common.output.json {
        let head = Head::of_classes(classes, &claim, start.elapsed().as_secs_f64());
        let head = head.explored(0, "instructions").tests(Some(0));
        head.without_keys::<TestsSummary>().print("measure")?;
    }
    Ok(exit::ExitCode::Partial.into())
}
