//! Benchmark of the engine against `java -Xint` of the newest JDK found. It measures whole
//! processes, subtracts the time of an empty program on both sides, and takes the best of several
//! rounds with alternating programs. It tells what the start of a machine costs, and a copy of a started one.
//!
//! `cargo bench -p heapwright --bench interpreter [PROGRAM…]`; the programs are in `benches/java`.

#![expect(
    clippy::unwrap_used,
    reason = "a bench ends where what it needs is missing"
)]

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use heapwright_jvm::{Config, Vm};
use heapwright_testkit::fixtures::{Fixture, files};
use heapwright_testkit::jdk::compilers;

const ROUNDS: usize = 3;

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let sources = files(
        &Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("benches")
            .join("java"),
        "java",
    );
    let jdk = compilers().pop().unwrap();
    let fixture = sources.iter().fold(Fixture::new(&[]), Fixture::file);
    let classes = fixture.by(&jdk).classes();
    let ours = |program: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_heapwright"));
        command
            .args(["run", "--jdk"])
            .arg(&jdk.home)
            .arg("-p")
            .arg(&classes)
            .arg(program);
        command
    };
    let java = |program: &str| {
        let mut command = jdk.java();
        command.arg("-Xint").arg("-cp").arg(&classes).arg(program);
        command
    };
    let mut programs: Vec<String> = sources
        .iter()
        .map(|source| source.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    programs
        .retain(|program| program != "Nothing" && (wanted.is_empty() || wanted.contains(program)));
    let (start_ours, start_java) = (best(|| ours("Nothing")).0, best(|| java("Nothing")).0);
    println!(
        "JDK {}; start-up: ours {:.1} ms, java -Xint {:.1} ms",
        jdk.feature,
        1e3 * start_ours,
        1e3 * start_java
    );
    let (started, copied) = start_and_copy(&jdk.home);
    println!("in one process: start {started:.1} ms, copy of a started machine {copied:.1} ms");
    println!(
        "{:12} {:>9} {:>9} {:>6}",
        "program", "ours s", "-Xint s", "ratio"
    );
    let mut logarithms = 0.0;
    for program in &programs {
        let (our_time, our_output) = best(|| ours(program));
        let (java_time, java_output) = best(|| java(program));
        assert_eq!(our_output, java_output, "{program} prints something else");
        let ratio = (java_time - start_java) / (our_time - start_ours);
        logarithms += ratio.ln();
        println!(
            "{program:12} {:9.3} {:9.3} {ratio:6.2}",
            our_time - start_ours,
            java_time - start_java
        );
    }
    println!(
        "geometric mean {:.2}",
        (logarithms / programs.len() as f64).exp()
    );
}

/// Milliseconds that a machine's start takes, and a copy of the started one: the third machine with
/// the same settings is the first that is a copy.
fn start_and_copy(jdk: &Path) -> (f64, f64) {
    let mut shortest = [f64::INFINITY; 2];
    let config = Config::new(heapwright_jvm::Jdk::at(jdk).unwrap(), Vec::new());
    for at in 0..2 + ROUNDS {
        let start = Instant::now();
        let vm = Vm::new(config.clone()).unwrap();
        let milliseconds = 1e3 * start.elapsed().as_secs_f64();
        drop(vm);
        let place = &mut shortest[usize::from(at >= 2)];
        *place = place.min(milliseconds);
    }
    (shortest[0], shortest[1])
}

/// Shortest time of a command in seconds, and its output.
fn best(command: impl Fn() -> Command) -> (f64, Vec<u8>) {
    let mut shortest = f64::INFINITY;
    let mut printed = Vec::new();
    for _ in 0..ROUNDS {
        let mut command = command();
        let start = Instant::now();
        let output = command.output().unwrap();
        shortest = shortest.min(start.elapsed().as_secs_f64());
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        printed = output.stdout;
    }
    (shortest, printed)
}
