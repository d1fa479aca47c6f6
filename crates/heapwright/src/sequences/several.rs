//! Several classes, each by itself, side by side.
//!
//! Invariant: what is told comes in the order of the classes, however many are worked on at a time.

use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;

use serde_json::{Value as Json, json};

use super::args::SequencesArgs;
use super::told::Told;
use super::{explore, write_lines};
use crate::cli::jobs;
use crate::exit;
use crate::interrupt::Interrupt;
use crate::output::{counted, grouped, print};

/// What is added up over classes.
const SUMS: [&str; 11] = [
    "tests",
    "goals_covered",
    "goals_infeasible",
    "goals_total",
    "branches_covered",
    "branches_infeasible",
    "branches_total",
    "sequences_generated",
    "sequences_explored",
    "explored",
    "solver_queries",
];

/// Explores sequences for each of some classes, and says what came of them and of all together. A class of
/// which nothing can be said is told, and the others are gone on with.
///
/// # Errors
/// The output cannot be written.
pub fn run(
    arguments: &SequencesArgs,
    classes: &[String],
    interrupt: &Interrupt,
) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let writer = &super::writer(arguments, interrupt)?;
    let workers = jobs(arguments.jobs).min(classes.len());
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    let mut done: Vec<Option<anyhow::Result<Told>>> = classes.iter().map(|_| None).collect();
    std::thread::scope(|scope| {
        for _ in 0..workers {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while interrupt.reason().is_none()
                    && let place = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(class) = classes.get(place)
                {
                    let told = explore(arguments, class, writer, interrupt, &|_| {});
                    if sender.send((place, told)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut shown = 0;
        for (place, told) in results {
            done[place] = Some(told);
            while let Some(Some(told)) = done.get(shown) {
                show(arguments, &classes[shown], told)?;
                shown += 1;
            }
        }
        anyhow::Ok(())
    })?;
    let told: Vec<&Told> = done.iter().flatten().flatten().collect();
    if !arguments.is_junit() && !arguments.json {
        write_lines(arguments, told.iter().map(|told| &told.lines[..]))?;
    }
    let missing = done.iter().filter(|done| done.is_none()).count();
    let failed = classes.len() - told.len() - missing;
    let is_all = |code: exit::ExitCode| told.iter().all(|told| told.code == Some(code));
    let is_any = |code: exit::ExitCode| told.iter().any(|told| told.code == Some(code));
    let code = match () {
        () if told.is_empty() && missing == 0 => exit::ExitCode::Usage,
        () if missing + failed > 0 || is_any(exit::ExitCode::Partial) => exit::ExitCode::Partial,
        () if is_all(exit::ExitCode::Nothing) => exit::ExitCode::Nothing,
        () => exit::ExitCode::Done,
    };
    let sum = |key: &str| {
        let parts = told.iter().filter_map(|told| told.json.as_ref());
        parts.filter_map(|json| json[key].as_u64()).sum::<u64>()
    };
    let status = match code {
        exit::ExitCode::Partial => "stopped",
        _ => "complete",
    };
    if arguments.json {
        let mut all = json!({
            "classes": told.iter().filter_map(|told| told.json.clone()).collect::<Vec<Json>>(),
            "classes_failed": failed,
            "classes_not_begun": missing,
            "goal": arguments.goal.goals(),
            "seconds": start.elapsed().as_secs_f64(),
            "status": status,
        });
        for key in SUMS {
            all[key] = json!(sum(key));
        }
        print(&format!("{all}\n"))?;
    } else if !arguments.prints() {
        let infeasible = match sum("goals_infeasible") {
            0 => String::new(),
            infeasible => format!(", {} infeasible", grouped(infeasible)),
        };
        let mut text = format!(
            "{} classes: {} for {} of {} {}{infeasible}, {:.2} s; {status}\n",
            grouped(classes.len() as u64),
            counted(sum("tests"), "test"),
            grouped(sum("goals_covered")),
            grouped(sum("goals_total")),
            arguments.goal.goals(),
            start.elapsed().as_secs_f64(),
        );
        if missing > 0 {
            text += &format!("heapwright: stopped by Ctrl-C before {missing} of them began\n");
        }
        match arguments.output {
            Some(_) => print(&text)?,
            None => eprint!("{text}"),
        }
    }
    Ok(code.into())
}

/// Says what came of a class.
fn show(arguments: &SequencesArgs, class: &str, told: &anyhow::Result<Told>) -> anyhow::Result<()> {
    match told {
        Err(error) => eprintln!("heapwright: {class}: {error:#}"),
        Ok(told) => {
            for notice in &told.notices {
                eprintln!("heapwright: {class}: {notice}");
            }
            match arguments.output {
                _ if arguments.json => {}
                Some(_) => print(&told.summary)?,
                None => eprint!("{}", told.summary),
            }
        }
    }
    Ok(())
}
