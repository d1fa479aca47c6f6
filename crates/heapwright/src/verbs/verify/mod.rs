//! `heapwright verify`: whether any inputs of a program violate a property.

mod args;
mod jpf;
mod property;
mod report;
mod witness;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use heapwright_explore::symbolic::InputBounds;
use heapwright_jvm::Vm;
use heapwright_suite::junit::{JunitOptions, default_test_class, write_junit};
use heapwright_techniques::symbolic::Crew;
use heapwright_techniques::verify::{
    self, CLASSES, Program, Property, SearchSettings, Verdict, VerifyReport, VerifyRequest,
    Violation, Widening,
};

use crate::exit;
use crate::files::{Output, write_file};
use crate::interrupt::StopSignal;
use crate::options::{jobs, limits};
use crate::progress::ProgressLines;
use crate::report::explain::explain_run;
use crate::solver;

use args::World;
use jpf::JpfRequest;

pub use args::VerifyArgs;
pub use report::VerifySummary;

/// Verifies a program.
///
/// # Errors
/// The request is wrong, or the solver cannot be used.
pub fn run(arguments: &VerifyArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let jobs = jobs(arguments.jobs);
    let interrupt = StopSignal::watch(Some(arguments.time_limit), &arguments.class_path, jobs)?;
    solver::notice_if_missing();
    let witness = arguments.witness.as_deref();
    let witness = witness.map(|file| Output::open(Some(file))).transpose()?;
    let jpf = jpf_request(arguments)?;
    let mut config = arguments.class_path.config()?;
    if let Some(jpf) = &jpf {
        config.class_path = class_path(arguments, jpf);
        config.properties.extend(jpf.ranges.iter().cloned());
    }
    config.embedded = CLASSES;
    config.assertions = true;
    config.runs_threads = true;
    config.discards_output = true;
    config.opens_world = arguments.world == World::Open;
    let mut vm = Vm::new(config.clone())?;
    let request = request(arguments, jpf);
    let mut line = ProgressLines::new(false);
    let mut crew = Crew {
        jobs,
        more: &|| Vm::new(config.clone()).ok(),
        // Nothing but the verdict is left to be written.
        stops: &|| interrupt.is_raised(),
        watch: &mut |state| line.update_search(state),
    };
    let output = arguments.output;
    let shared = Arc::new(request.clone());
    let leave_last_words = |report: &VerifyReport| {
        let (report, request) = (report.clone(), Arc::clone(&shared));
        interrupt.leave_last_words(move |ended_by| {
            let none = BTreeSet::new();
            // There is nowhere to report that standard output cannot be written to.
            let _ = report::print(&output, &request, &report, &none, Some(ended_by), start);
        });
    };
    leave_last_words(&VerifyReport::begun());
    let verified = verify::verify(&mut vm, &request, &mut crew, &mut |report| {
        leave_last_words(report);
    });
    interrupt.take_last_words_back();
    line.clear();
    let report = verified.map_err(|error| explain_run(&vm, error))?;
    if let Some(file) = witness {
        witness::write(file, &vm, &request, &report)?;
    }
    if let (Some(folder), Verdict::False(violation)) = (&arguments.junit, &report.verdict) {
        write_reproducer(folder, &mut vm, &request, violation)?;
    }
    let stopped_by = interrupt.reason().filter(|_| report.is_stopped);
    report::print(
        &arguments.output,
        &request,
        &report,
        &vm.reads(),
        stopped_by,
        start,
    )?;
    Ok(match report.verdict {
        Verdict::False(_) => exit::ExitCode::Found,
        Verdict::True | Verdict::Bounded => exit::ExitCode::Done,
        Verdict::Unknown => exit::ExitCode::Partial,
    }
    .into())
}

/// Writes the test of a violation and what it needs.
fn write_reproducer(
    folder: &Path,
    vm: &mut Vm,
    request: &VerifyRequest,
    violation: &Violation,
) -> anyhow::Result<()> {
    let reproducer = match verify::reproducer(vm, request, violation) {
        Ok(Ok(reproducer)) => reproducer,
        Ok(Err(reason)) => {
            notice!("no test was written: {reason}");
            return Ok(());
        }
        Err(error) => return Err(explain_run(vm, error)),
    };
    let options = JunitOptions {
        test_class: Some(default_test_class(
            &reproducer.suite.class_under_test,
            "Violation",
        )),
        ..JunitOptions::default()
    };
    let written = write_junit(&reproducer.suite, &options)?;
    if let Some(skipped) = written.skipped.first() {
        notice!("no test was written: {}", skipped.reason);
        return Ok(());
    }
    for file in written.files.iter().chain(&reproducer.libraries) {
        write_file(&folder.join(&file.path), file.contents.as_bytes())?;
    }
    if let Some(test) = written.files.first() {
        notice!("{} fails as told", folder.join(&test.path).display());
    }
    Ok(())
}

/// Request of the `.jpf` file that stands in place of a class, if one does.
fn jpf_request(arguments: &VerifyArgs) -> anyhow::Result<Option<JpfRequest>> {
    let Some(file) = arguments.main.as_deref().filter(|main| jpf::is_jpf(main)) else {
        return Ok(None);
    };
    let request = jpf::read(Path::new(file), !arguments.class_path.class_path.is_empty())?;
    if !request.ignored.is_empty() {
        notice!(
            "{file}: without effect here: {}",
            request.ignored.join(", ")
        );
    }
    if !request.ranges.is_empty() {
        let keys: Vec<&str> = request.ranges.iter().map(|(key, _)| key.as_str()).collect();
        notice!("{file}: inputs are within {}", keys.join(", "));
    }
    Ok(Some(request))
}

/// Class path of the command line, then that of the file; the folder of the run if both are empty.
fn class_path(arguments: &VerifyArgs, jpf: &JpfRequest) -> Vec<PathBuf> {
    let mut paths = match arguments.class_path.class_path.is_empty() {
        true => Vec::new(),
        false => arguments.class_path.paths(),
    };
    paths.extend(jpf.class_path.iter().cloned());
    if paths.is_empty() {
        paths = arguments.class_path.paths();
    }
    paths
}

fn request(arguments: &VerifyArgs, jpf: Option<JpfRequest>) -> VerifyRequest {
    let first = verify::initial();
    let default = first.bounds;
    let bounds = InputBounds {
        length: arguments.scope.unwrap_or(default.length),
        objects: arguments.scope.unwrap_or(default.objects),
        loops: arguments.loop_k.unwrap_or(default.loops),
        room: arguments.max_array.unwrap_or(default.room),
        values: arguments.max_values.unwrap_or(default.values),
        ..default
    };
    let default_property = match jpf {
        Some(_) => Property::NoException,
        None => Property::Assertions,
    };
    let (class, program, opened) = match (jpf, &arguments.method) {
        (Some(jpf), _) => {
            // Arguments on the command line replace those of the file.
            let words = match arguments.arguments.is_empty() {
                true => jpf.arguments,
                false => arguments.arguments.clone(),
            };
            (jpf.target, Program::Main(words), jpf.opened)
        }
        (None, method) => {
            let program = match method {
                Some(method) => Program::Method(method.clone()),
                None => Program::Main(arguments.arguments.clone()),
            };
            let class = arguments.class.as_ref().or(arguments.main.as_ref());
            (class.cloned().unwrap_or_default(), program, Vec::new())
        }
    };
    VerifyRequest {
        class,
        program,
        opened,
        property: arguments.property.map_or(default_property, |given| given.0),
        first: SearchSettings {
            bounds,
            step_limit: arguments.max_steps.unwrap_or(first.step_limit),
            ..first
        },
        is_bounded: arguments.bounded,
        merges: arguments.merge.setting(),
        widening: Widening {
            scope: arguments.scope.is_none(),
            loops: arguments.loop_k.is_none(),
            steps: arguments.max_steps.is_none(),
            room: arguments.max_array.is_none(),
            values: arguments.max_values.is_none(),
        },
        limits: limits(arguments.solver_work),
        time: Some(arguments.time_limit),
    }
}
