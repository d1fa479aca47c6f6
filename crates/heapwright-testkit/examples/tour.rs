//! The tour of the README: builds the program, compiles the fixtures and runs the main job on one
//! of them.
//!
//! All output is below the build's target folder. The example is in a crate with few
//! dependencies, so that its first line appears at once and Cargo's progress is visible while the
//! program is built.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, ExitStatus};

use heapwright_testkit::fixtures::{self, project};
use heapwright_testkit::jdk::compilers;

fn main() -> ExitCode {
    match tour() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn tour() -> Result<(), String> {
    let target = target_folder()?;
    let tour = target.join("tour");
    println!("Building heapwright");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--profile", "tour", "--package", "heapwright"])
        .args(["--bin", "heapwright", "--target-dir"])
        .arg(&target)
        .current_dir(project())
        .status();
    expect("cargo", built, &[0])?;
    println!("Compiling the fixtures");
    let jdk = &compilers()[0];
    let classes = tour.join("classes");
    fixtures::all().copied_to(&classes);
    let class = ["-c", "fixtures.tree.SearchTree"];
    let tests = tour.join("tests");
    let drawing = tour.join("search-trees.svg");
    let jobs: [&[&str]; 4] = [
        &["--args", "8"],
        &["--args", "3", "--limit", "6", "--format", "text"],
        &["--args", "3", "--format", "svg", "-o", text(&drawing)],
        &["--args", "3", "--format", "junit", "-o", text(&tests)],
    ];
    let program = target
        .join("tour")
        .join(format!("heapwright{}", std::env::consts::EXE_SUFFIX));
    for job in jobs {
        println!(
            "\n$ heapwright enumerate -p {} {} {}",
            shown(&classes),
            class.join(" "),
            job.join(" ")
        );
        let status = Command::new(&program)
            .args(["enumerate", "--jdk", text(&jdk.home), "-p", text(&classes)])
            .args(class)
            .args(job)
            .status();
        // Status 3: --limit ended the search, as intended.
        expect("heapwright", status, &[0, 3])?;
    }
    println!("\nLook at {} and {}", shown(&drawing), shown(&tests));
    Ok(())
}

/// Returns an error unless a command ended with one of these codes.
fn expect(command: &str, status: std::io::Result<ExitStatus>, codes: &[i32]) -> Result<(), String> {
    match status {
        Ok(status) if status.code().is_some_and(|code| codes.contains(&code)) => Ok(()),
        Ok(status) => Err(format!("{command} ended with {status}")),
        Err(error) => Err(format!("failed to start {command}: {error}")),
    }
}

/// The build's target folder; this program is `target/release/examples/tour`.
fn target_folder() -> Result<PathBuf, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let target = program.ancestors().nth(3).map(Path::to_owned);
    target.ok_or_else(|| format!("failed to find the build folder of {}", program.display()))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in Unicode")
}

/// Path relative to the project.
fn shown(path: &Path) -> String {
    path.strip_prefix(project())
        .unwrap_or(path)
        .display()
        .to_string()
}
