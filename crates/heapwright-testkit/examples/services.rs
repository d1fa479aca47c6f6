//! Applications as companies write them. `cargo services [--program FILE] [--time MS]
//! [--folder DIR] [APPLICATION]…` generates tests in each application of `fixtures/services`, and
//! prints which faults they catch, and a review sheet. Applications with their tests and logs stay
//! below `target/services`, or the folder. `cargo services --review DIR…` prints the sheet of all
//! tests below folders, whoever wrote them.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use heapwright_testkit::fixtures::project;
use heapwright_testkit::jdk::compilers;
use heapwright_testkit::review::Review;
use heapwright_testkit::services::{Setting, Trial, applications, try_application};

fn main() -> ExitCode {
    let target = project().join("target");
    let (mut time, mut names) = (10_000, Vec::new());
    let mut program = target.join("release").join("heapwright");
    let mut folder = target.join("services");
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--review" => {
                let folders: Vec<PathBuf> = arguments.map(|folder| absolute(&folder)).collect();
                println!("{}", Review::of_folders(&folders));
                return ExitCode::SUCCESS;
            }
            "--time" => time = value().parse().unwrap_or(10_000),
            "--program" => program = absolute(&value()),
            "--folder" => folder = absolute(&value()),
            _ if argument.starts_with('-') => {
                eprintln!("services: no option {argument}");
                return ExitCode::from(2);
            }
            _ => names.push(argument),
        }
    }
    if !program.is_file() {
        eprintln!("services: no program {}; build it first", program.display());
        return ExitCode::from(2);
    }
    let setting = Setting {
        program,
        time: Duration::from_millis(time),
        jdk: compilers()[0].clone(),
        folder,
    };
    let mut all = Trial::default();
    let mut lost = Vec::new();
    for application in applications() {
        if !names.is_empty() && !names.contains(&application.package) {
            continue;
        }
        match try_application(&setting, &application) {
            Ok(trial) => {
                println!("{}: {trial}", application.package);
                all.add(trial);
            }
            Err(why) => {
                println!("{}: not tried: {why}", application.package);
                lost.push(application.package);
            }
        }
    }
    println!("All: {}\nReview: {}", all.line(), all.review);
    if !lost.is_empty() {
        println!("Not tried: {}", lost.join(", "));
    }
    ExitCode::from(u8::from(!lost.is_empty()))
}

/// A path that does not depend on the folder of a process.
fn absolute(path: &str) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path))
}
