//! `heapwright verify`: whether any inputs of a program violate a property.

mod args;
mod property;
mod report;

use std::process::ExitCode;
use std::time::Instant;

use heapwright_explore::symbolic::InputBounds;
use heapwright_jvm::Vm;
use heapwright_techniques::symbolic::Crew;
use heapwright_techniques::verify::{
    self, CLASSES, Program, SearchSettings, Verdict, VerifyRequest, Widening,
};

use crate::exit;
use crate::interrupt::StopSignal;
use crate::options::{jobs, limits};
use crate::progress::ProgressLine;
use crate::report::explain::explain_run;
use crate::solver;

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
    let mut config = arguments.class_path.config()?;
    config.embedded = CLASSES;
    config.assertions = true;
    config.runs_threads = true;
    let mut vm = Vm::new(config.clone())?;
    let request = request(arguments);
    let mut line = ProgressLine::new(false);
    let mut crew = Crew {
        jobs,
        more: &|| Vm::new(config.clone()).ok(),
        // Nothing but the verdict is left to be written.
        stops: &|| interrupt.is_raised(),
        watch: &mut |progress, share| line.update(progress, share),
    };
    let verified = verify::verify(&mut vm, &request, &mut crew);
    line.clear();
    let report = verified.map_err(|error| explain_run(&vm, error))?;
    let stopped_by = interrupt.reason().filter(|_| report.is_stopped);
    report::print(arguments, &request, &report, stopped_by, start)?;
    Ok(match report.verdict {
        Verdict::False(_) => exit::ExitCode::Found,
        Verdict::True => exit::ExitCode::Done,
        Verdict::Unknown => exit::ExitCode::Partial,
    }
    .into())
}

fn request(arguments: &VerifyArgs) -> VerifyRequest {
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
    let program = match &arguments.method {
        Some(method) => Program::Method(method.clone()),
        None => Program::Main(arguments.arguments.clone()),
    };
    let class = arguments.class.as_ref().or(arguments.main.as_ref());
    VerifyRequest {
        class: class.cloned().unwrap_or_default(),
        program,
        property: arguments.property.0,
        first: SearchSettings {
            bounds,
            step_limit: arguments.max_steps.unwrap_or(first.step_limit),
            ..first
        },
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
