//! The tour of the README: compiles the fixtures and runs the main job on one of them.
//!
//! Everything it writes is below the build's target folder.

use std::path::Path;
use std::process::{Command, ExitCode};

use heapwright_testkit::fixtures::{compile_fixtures, project};
use heapwright_testkit::jdk::compilers;

fn main() -> ExitCode {
    let target = project().join("target").join("tour");
    let jdk = &compilers()[0];
    let (classes, _) = compile_fixtures(jdk, &target);
    let class = ["-c", "fixtures.tree.SearchTree"];
    let tests = target.join("tests");
    let drawing = target.join("search-trees.svg");
    let jobs: [&[&str]; 4] = [
        &["--args", "8"],
        &["--args", "3", "--limit", "6", "--format", "text"],
        &["--args", "3", "--format", "svg", "-o", text(&drawing)],
        &["--args", "3", "--format", "junit", "-o", text(&tests)],
    ];
    for job in jobs {
        println!(
            "\n$ heapwright enumerate -p {} {} {}",
            shown(&classes),
            class.join(" "),
            job.join(" ")
        );
        let status = Command::new(env!("CARGO"))
            .args([
                "run",
                "--quiet",
                "--release",
                "--package",
                "heapwright",
                "--bin",
                "heapwright",
                "--",
            ])
            .args(["enumerate", "--jdk", text(&jdk.home), "-p", text(&classes)])
            .args(class)
            .args(job)
            .status();
        // Status 3 says that --limit ended the search, as it should.
        match status {
            Ok(status) if matches!(status.code(), Some(0 | 3)) => {}
            Ok(status) => {
                eprintln!("heapwright ended with {status}");
                return ExitCode::FAILURE;
            }
            Err(error) => {
                eprintln!("failed to start cargo: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    println!("\nLook at {} and {}", shown(&drawing), shown(&tests));
    ExitCode::SUCCESS
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in Unicode")
}

/// A path relative to the project.
fn shown(path: &Path) -> String {
    path.strip_prefix(project())
        .unwrap_or(path)
        .display()
        .to_string()
}
