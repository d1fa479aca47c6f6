//! The hunter. `cargo hunt [--cases N] [--seed N] [--kind KIND]… [--verb VERB]… [--time SECONDS]
//! [--jobs N] [--program FILE] [FILE]…` judges the program on random classes, or on those in files,
//! and prints the results. What is found, minimised, stays below `target/hunt/found`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use heapwright_testkit::fixtures::project;
use heapwright_testkit::hunt::{Case, Fate, Hunt, KINDS};
use heapwright_testkit::jdk::compilers;

fn main() -> ExitCode {
    let target = project().join("target");
    let mut hunt = Hunt {
        program: target.join("release").join("heapwright"),
        jdk: compilers()[0].clone(),
        folder: target.join("hunt"),
        seed: 1,
        cases: 1000,
        kinds: Vec::new(),
        verbs: Vec::new(),
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        time_limit: None,
        most_wait: Duration::from_secs(45),
        minimises: true,
    };
    let (mut files, mut shows) = (Vec::new(), false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--cases" => hunt.cases = value().parse().unwrap_or(1000),
            "--seed" => hunt.seed = value().parse().unwrap_or(1),
            "--kind" => {
                let name = value();
                hunt.kinds
                    .extend(KINDS.iter().filter(|one| one.0 == name).map(|one| one.1));
            }
            "--verb" => hunt.verbs.push(value()),
            "--time" => hunt.time_limit = value().parse().ok().map(Duration::from_secs),
            "--jobs" => hunt.jobs = value().parse().unwrap_or(1),
            "--program" => hunt.program = absolute(value()),
            "--folder" => hunt.folder = absolute(value()),
            "--as-found" => hunt.minimises = false,
            "--show" => shows = true,
            _ if argument.starts_with('-') => {
                eprintln!("hunt: no option {argument}");
                return ExitCode::from(2);
            }
            _ => files.push(argument),
        }
    }
    if hunt.kinds.is_empty() {
        hunt.kinds = KINDS.iter().map(|one| one.1).collect();
    }
    if shows {
        hunt.print();
        return ExitCode::SUCCESS;
    }
    if !hunt.program.is_file() {
        eprintln!(
            "hunt: no program {}; build it first",
            hunt.program.display()
        );
        return ExitCode::from(2);
    }
    if files.is_empty() {
        let caught = hunt.run();
        println!("{caught}");
        return ExitCode::from(u8::from(!caught.found.is_empty()));
    }
    let mut is_wrong = false;
    let read = |file: &String| Case::kept(&std::fs::read_to_string(file).unwrap_or_default());
    for (at, verb, fate) in hunt.judge(files.iter().map(read).collect()) {
        println!("{} {verb}: {fate:?}", files[at]);
        is_wrong |= matches!(fate, Fate::False(_));
    }
    ExitCode::from(u8::from(is_wrong))
}

/// Path that other folders name, too.
fn absolute(path: String) -> PathBuf {
    std::path::absolute(&path).unwrap_or_else(|_| PathBuf::from(path))
}
