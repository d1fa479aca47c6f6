//! Public projects. `cargo projects --from DIR [--time 60s] [--program FILE] [NAME…]` builds each
//! project of `projects.txt`, generates tests in it, and builds it twice more. DIR has a clone of each
//! as `owner/name` or `owner+name`; NAME is one of these, a name without its owner, or a tag. Projects
//! with their tests and logs stay below `target/projects`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use heapwright_testkit::fixtures::project;
use heapwright_testkit::jdk::compilers;
use heapwright_testkit::projects::{Report, Setting, head, projects, try_project};
use heapwright_testkit::target::release;

fn main() -> ExitCode {
    let (mut from, mut time, mut program, mut names) = (None, Some(60), None, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--from" => from = Some(PathBuf::from(value())),
            "--time" => time = seconds(&value()),
            "--program" => program = Some(PathBuf::from(value())),
            _ if argument.starts_with('-') => {
                eprintln!("projects: no option {argument}");
                return ExitCode::from(2);
            }
            _ => names.push(argument),
        }
    }
    let (Some(clones), Some(time)) = (from, time) else {
        eprintln!(
            "projects: --from DIR names the folder with the clones, --time a time such as 60s"
        );
        return ExitCode::from(2);
    };
    let target = project().join("target");
    let setting = Setting {
        program: program.unwrap_or_else(release),
        clones,
        folder: target.join("projects"),
        jdks: compilers(),
        time_limit: Duration::from_secs(time),
    };
    let mut report = Report::default();
    let mut skipped = Vec::new();
    println!("{}", head());
    for project in projects() {
        if !names.is_empty() && !names.iter().any(|name| project.is_meant(name)) {
            continue;
        }
        match try_project(&setting, &project) {
            Ok(trial) => {
                println!("{}", trial.row());
                for line in trial.details() {
                    println!("    {line}");
                }
                report.trials.push(trial);
            }
            Err(reason) => {
                println!("{}: skipped: {reason}", project.file_name());
                skipped.push(project.file_name());
            }
        }
    }
    println!("\n{report}");
    if !skipped.is_empty() {
        println!("Skipped: {}", skipped.join(", "));
    }
    let is_met = report.trials.iter().all(|trial| trial.is_met());
    ExitCode::from(u8::from(!is_met))
}

/// Seconds of a time such as `60s` or `2m`.
fn seconds(text: &str) -> Option<u64> {
    match text.strip_suffix('m') {
        Some(minutes) => Some(minutes.parse::<u64>().ok()? * 60),
        None => text.strip_suffix('s').unwrap_or(text).parse().ok(),
    }
}
