//! Main programs run by `java` and by `heapwright run`.
//! `cargo mains [--every N] [--program FILE] FOLDER…` compiles each plain main program below the
//! folders, compares both runs and prints a table. A JDK's own regression tests are such programs
//! (`test/jdk` and `test/hotspot` of its sources).

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use heapwright_testkit::corpus::{Fates, ProgramOutcome, Trial, plain_programs, try_program};
use heapwright_testkit::fixtures::project;
use heapwright_testkit::jdk::compilers;

fn main() -> ExitCode {
    let (mut every, mut folders, mut program) = (1, Vec::new(), None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--every" => every = value().parse().unwrap_or(1).max(1),
            "--program" => program = Some(PathBuf::from(value())),
            _ => folders.push(PathBuf::from(argument)),
        }
    }
    let target = project().join("target");
    let program = program.unwrap_or_else(|| target.join("release").join("heapwright"));
    let trial = Trial {
        // Programs run in separate folders.
        program: program.canonicalize().unwrap_or(program),
        folder: target.join("mains"),
        jdk: compilers()[0].clone(),
        runtimes: Vec::new(),
        time_limit: Duration::ZERO,
        jobs: thread::available_parallelism().map_or(1, usize::from),
    };
    let programs: Vec<PathBuf> = folders
        .iter()
        .flat_map(|folder| plain_programs(folder))
        .collect();
    let programs: Vec<PathBuf> = programs.into_iter().step_by(every).collect();
    let (next, fates) = (AtomicUsize::new(0), Mutex::new(Fates::default()));
    thread::scope(|scope| {
        for _ in 0..trial.jobs {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(source) = programs.get(index) else {
                        break;
                    };
                    let fate = try_program(&trial, source, &trial.folder.join(index.to_string()));
                    if let Ok(mut fates) = fates.lock() {
                        fates.0.insert(source.clone(), fate);
                    }
                }
            });
        }
    });
    let fates = fates.into_inner().unwrap_or_default();
    println!("{fates}");
    let differs = |fate: &ProgramOutcome| {
        matches!(fate, ProgramOutcome::Different(_) | ProgramOutcome::TooLong)
    };
    ExitCode::from(u8::from(fates.0.values().any(differs)))
}
