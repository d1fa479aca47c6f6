//! `heapwright paths`.

mod args;
mod told;
mod written;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{bail, ensure};
use heapwright_explore::symbolic::Bounds;
use heapwright_jvm::Vm;
use heapwright_techniques::paths::{
    self, Criterion, Depths, Goal, Modes, Point, Refinement, Report, Request, Slice, Strategy,
    Subject, Term, Watch,
};
use heapwright_techniques::{Error, korat_api, symbolic};
use serde_json::json;

use crate::exit;
use crate::inputs::limits;
use crate::interrupt::Interrupt;
use crate::junit::TestWriter;
use crate::output::print;
use crate::progress::ProgressLine;
use crate::symbolic::explain_run;

pub use args::PathsArgs;
use args::{CaseFormat, CriterionName};
use told::Whole;

/// How much of the time that is left reading methods may take before those that were read are searched.
const READING: f64 = 0.3;
/// How much of the time that is left one method may take where others wait.
const SHARE: f64 = 0.5;

/// Looks for the paths that a criterion asks for.
///
/// # Errors
/// The request is wrong, the solver cannot be used, or the output cannot be written.
pub fn run(arguments: &PathsArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    ensure!(
        arguments.format != CaseFormat::Junit || arguments.output.is_some(),
        "--format junit writes files: say with -o into which folder"
    );
    ensure!(
        !(arguments.json && arguments.format == CaseFormat::Svg && arguments.output.is_none()),
        "--json writes the summary to standard output: say with -o where the drawing goes"
    );
    let request = request(arguments)?;
    let interrupt = Interrupt::watch(arguments.time_limit, &arguments.class_path, 1)?;
    let mut config = arguments.class_path.config()?;
    config.embedded = korat_api::CLASSES;
    config.assertions = true;
    let mut vm = Vm::new(config.clone())?;
    let stops = || interrupt.reason().is_some();
    let is_junit = arguments.format == CaseFormat::Junit;
    let writer = is_junit.then(|| TestWriter::new("Paths", arguments.junit, &config));
    let line = std::cell::RefCell::new(ProgressLine::new(arguments.output.is_none()));
    let mut found: Vec<(Subject, Report)> = Vec::new();
    let unread = loop {
        let reading = interrupt.within_share(READING);
        // Points may be in any method.
        let is_of_points = matches!(request.criterion, Criterion::ProgramPoints(_));
        let suffices = || !is_of_points && reading.reason().is_some();
        let begun = found.len();
        let (subjects, unread) = match paths::subjects(&mut vm, &request, begun, &stops, &suffices)
        {
            Err(Error::Stopped) if begun == 0 => {
                return stopped(arguments, interrupt.reason());
            }
            Err(Error::Stopped) => break true,
            subjects => subjects.map_err(|error| explain_run(&vm, error))?,
        };
        if begun == 0 && subjects.is_empty() {
            eprintln!(
                "heapwright: {}",
                crate::symbolic::nothing(&mut vm, &arguments.class)
            );
            return Ok(exit::ExitCode::Nothing.into());
        }
        let goals = goals(&mut vm, &request, &subjects)?;
        if let Some(text) = printed(arguments, &request, &subjects, &goals) {
            print(&text)?;
            return Ok(exit::ExitCode::Done.into());
        }
        let mut left = subjects.len() + unread;
        for (mut subject, goals) in subjects.into_iter().zip(goals) {
            left -= 1;
            // None takes the time of all others.
            let share = match left {
                0 => interrupt.clone(),
                _ => interrupt.within_share(SHARE),
            };
            let watch = Watch {
                stops: &|| share.reason().is_some(),
                closes: &|| share.is_over(),
                explored: &|explored| line.borrow_mut().update_counts(explored, 0),
            };
            for (class, reason) in subject.target.refused_classes() {
                eprintln!(
                    "heapwright: {}: no object of {class} is made: {reason}",
                    subject.target.name
                );
            }
            // What a method before came by is no goal any more.
            let goals: Vec<Goal> = goals
                .into_iter()
                .filter(|&goal| !told::is_reached(&found, subject.key(goal)))
                .collect();
            let report = subject.explore(&mut vm, &request, &goals, watch);
            let report = report.map_err(|error| explain_run(&vm, error))?;
            found.push((subject, report));
            if stops() {
                break;
            }
        }
        if left == 0 || stops() {
            break left > 0;
        }
    };
    line.borrow_mut().clear();
    arguments.inputs.warn();
    let is_cut = unread || found.iter().any(|(_, report)| report.tally.is_stopped);
    let whole = Whole {
        arguments,
        writer: writer.as_ref(),
        interrupt: &interrupt,
        found: &found,
        stopped_by: is_cut.then(|| interrupt.reason().unwrap_or("--time-limit")),
        start,
    };
    whole.write(&mut vm)
}

/// Says that the run was to stop before anything was looked for.
fn stopped(arguments: &PathsArgs, by: Option<&'static str>) -> anyhow::Result<ExitCode> {
    if arguments.json {
        let summary = json!({ "class": arguments.class, "status": "stopped", "stopped_by": by });
        print(&format!("{summary}\n"))?;
    }
    let reason = by.unwrap_or_default();
    eprintln!("heapwright: stopped by {reason} before anything ran");
    Ok(exit::ExitCode::Partial.into())
}

fn request(arguments: &PathsArgs) -> anyhow::Result<Request> {
    let criterion = match (&arguments.trace, arguments.criterion) {
        (Some(trace), _) => match Term::parse(trace) {
            Ok(term) => Criterion::Trace(term, arguments.first),
            Err(wrong) => bail!("--trace: {wrong}"),
        },
        (None, Some(CriterionName::AllPaths)) => Criterion::AllPaths,
        (None, Some(CriterionName::AllBranches)) => Criterion::AllBranches,
        (None, Some(CriterionName::AllStatements)) => Criterion::AllStatements,
        (None, Some(CriterionName::ProgramPoints)) => Criterion::ProgramPoints(points(arguments)?),
        (None, None) if !arguments.points.is_empty() => {
            Criterion::ProgramPoints(points(arguments)?)
        }
        (None, Some(CriterionName::AllLocalPaths) | None) => Criterion::AllLocalPaths,
    };
    ensure!(
        arguments.points.is_empty() || matches!(criterion, Criterion::ProgramPoints(_)),
        "--point goes with --criterion program-points"
    );
    Ok(Request {
        symbolic: symbolic::Request {
            class: arguments.class.clone(),
            methods: arguments.methods.clone(),
            bounds: Bounds {
                // A decision more often than this is one round of a loop past the last.
                loops: arguments.loop_k.saturating_sub(1),
                ..arguments.inputs.bounds(arguments.scope)
            },
            limits: limits(arguments.inputs.solver_work),
            step_limit: arguments.inputs.max_steps(),
            scripts: arguments.format == CaseFormat::Smt2,
        },
        precondition: arguments.precondition.clone(),
        criterion,
        depths: Depths {
            loops: arguments.loop_k,
            frames: arguments.max_depth.unwrap_or(u32::MAX),
        },
        strategy: match arguments.unguided {
            true => Strategy::Standard,
            false => arguments.strategy.into(),
        },
        refinement: arguments
            .refine
            .map_or_else(Refinement::default, Refinement::from),
    })
}

fn points(arguments: &PathsArgs) -> anyhow::Result<Vec<Point>> {
    ensure!(
        !arguments.points.is_empty(),
        "--criterion program-points needs points: say them with --point"
    );
    let points = arguments.points.iter();
    let points = points.map(|text| Point::parse(text, &arguments.class));
    points
        .collect::<Result<_, String>>()
        .map_err(|wrong| anyhow::anyhow!("--point: {wrong}"))
}

/// The goals of each method. A point must be one of some method; one that is none of a method's is
/// left out there.
fn goals(vm: &mut Vm, request: &Request, subjects: &[Subject]) -> anyhow::Result<Vec<Vec<Goal>>> {
    let Criterion::ProgramPoints(points) = &request.criterion else {
        let goals = subjects.iter().map(|subject| subject.goals(vm, request));
        return goals
            .collect::<Result<_, _>>()
            .map_err(|error| explain_run(vm, error));
    };
    let mut goals = vec![Vec::new(); subjects.len()];
    for point in points {
        let mut wrong = None;
        let mut is_any = false;
        let one = Request {
            criterion: Criterion::ProgramPoints(vec![point.clone()]),
            ..request.clone()
        };
        for (subject, goals) in subjects.iter().zip(&mut goals) {
            match subject.goals(vm, &one) {
                Ok(found) => {
                    is_any = true;
                    goals.extend(found);
                }
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        if let Some(wrong) = wrong.filter(|_| !is_any) {
            bail!("--point {point}: {wrong}");
        }
    }
    Ok(goals)
}

/// What is printed instead of a search.
fn printed(
    arguments: &PathsArgs,
    request: &Request,
    subjects: &[Subject],
    goals: &[Vec<Goal>],
) -> Option<String> {
    let each = |text: &dyn Fn(&Subject, &[Goal]) -> String| {
        let texts = subjects.iter().zip(goals);
        let texts: Vec<String> = texts.map(|(subject, goals)| text(subject, goals)).collect();
        Some(texts.join("\n"))
    };
    if arguments.print_rules {
        each(&|subject, _| subject.program.rules_text())
    } else if arguments.print_trace_abstraction {
        each(&|subject, _| {
            let whole = Request {
                criterion: Criterion::AllPaths,
                ..request.clone()
            };
            let slice = subject.slice(&whole.criterion, &[]);
            let text = abstraction(arguments, subject, &slice);
            text + &count_text(arguments, &whole, subject)
        })
    } else if arguments.print_slice {
        each(&|subject, goals| match goals {
            [] => {
                let slice = subject.slice(&request.criterion, &[]);
                let text = abstraction(arguments, subject, &slice);
                text + &count_text(arguments, request, subject)
            }
            goals => {
                let texts = goals.iter().map(|&goal| {
                    let slice = subject.slice(&request.criterion, &[goal]);
                    format!(
                        "% towards {}\n{}",
                        told::goal_text(subject, goal),
                        abstraction(arguments, subject, &slice)
                    )
                });
                texts.collect()
            }
        })
    } else if arguments.print_modes {
        each(&|subject, _| Modes::new(&subject.program).text(&subject.program))
    } else {
        None
    }
}

/// A slice of the trace abstraction, with static variables where that is asked for.
fn abstraction(arguments: &PathsArgs, subject: &Subject, slice: &Slice) -> String {
    let program = &subject.program;
    let modes = match arguments.refine.map(Refinement::from) {
        None | Some(Refinement::None) => None,
        Some(Refinement::Modes) => Some(Modes::new(program)),
        Some(Refinement::Full) => Some(Modes::all(program)),
    };
    program.abstraction_text(slice, modes.as_ref())
}

/// Most traces that are counted.
const MAX_TRACES: u64 = 100_000;

/// How many traces there are, as a comment.
fn count_text(arguments: &PathsArgs, request: &Request, subject: &Subject) -> String {
    let refinement = arguments.refine.map_or(Refinement::None, Refinement::from);
    let (traces, has_more) = subject.count_traces(request, refinement, MAX_TRACES);
    let more = if has_more { "more than " } else { "" };
    format!(
        "% {more}{traces} traces with --loop-k {}\n",
        arguments.loop_k
    )
}
