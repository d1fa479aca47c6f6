//! Where the program finds the solver, and what it says without one. The program is a copy in a
//! folder of its own, so that the library of the build is not found.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::jdks;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{summary_of, text};

const FACTORS: &str = "public class Factors {
    public static boolean are(int x, int y) {
        return x > 1 && y > 1 && x < 50 && y < 50 && x * y == 1927;
    }
}
";

const NAME: &str = if cfg!(windows) {
    "libz3.dll"
} else if cfg!(target_os = "macos") {
    "libz3.dylib"
} else {
    "libz3.so"
};

/// Copy of the program in `bin` of an empty folder.
struct Installed {
    folder: TempDir,
}

impl Installed {
    fn new() -> Installed {
        let folder = tempfile::tempdir().unwrap();
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_heapwright"), bin.join("heapwright")).unwrap();
        // Wherever a system has Z3: a library that is none is found before it.
        let system = folder.path().join("system");
        fs::create_dir(&system).unwrap();
        for name in [NAME, "libz3.so.4"] {
            fs::write(system.join(name), "").unwrap();
        }
        Installed { folder }
    }

    /// Puts the library that the build fetched into a folder below.
    fn with_library_in(self, folder: &str) -> Installed {
        let folder = self.folder.path().join(folder);
        fs::create_dir_all(&folder).unwrap();
        fs::copy(fetched(), folder.join(NAME)).unwrap();
        self
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.folder.path().join("bin/heapwright"));
        command.args(arguments).args(["-c", "Factors", "-p"]);
        command.arg(Fixture::new(&["-g"]).text("Factors", FACTORS).classes());
        command.arg("--jdk").arg(&jdks()[0].home);
        command.env_remove("HEAPWRIGHT_Z3");
        command.env("LD_LIBRARY_PATH", self.folder.path().join("system"));
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }
}

/// Library that the build has fetched, beside the folder of the program.
fn fetched() -> PathBuf {
    let program = Path::new(env!("CARGO_BIN_EXE_heapwright"));
    let target = program.ancestors().nth(2).unwrap();
    let folders = fs::read_dir(target).unwrap();
    let mut libraries = folders.map(|entry| entry.unwrap().path().join(NAME));
    let library = libraries.find(|file| file.is_file());
    library.expect(
        "the build fetches Z3 with pip; `cargo clean -p heapwright-solve` makes it try again",
    )
}

const SYMBOLIC: [&str; 5] = ["run", "--symbolic", "-m", "are", "--json"];
const NOTICE: &str = "heapwright: failed to find Z3 4.13 or later: install it, put its library (libz3.so) \
    beside the program, or name it in HEAPWRIGHT_Z3; tried ";

/// Number of paths of unknown feasibility.
fn unknown(output: &Output) -> u64 {
    let summary: Value = summary_of(output);
    summary["solver"]["unknown"].as_u64().unwrap()
}

#[test]
fn the_library_is_found_where_it_may_be() {
    for folder in ["bin", "lib/heapwright", "lib"] {
        let output = Installed::new().with_library_in(folder).run(&SYMBOLIC);
        assert_eq!(output.status.code(), Some(0), "{folder}: {output:?}");
        assert_eq!(text(&output.stderr), "", "{folder}");
        assert_eq!(unknown(&output), 0, "{folder}: {output:?}");
    }
    let beyond = Installed::new().with_library_in("elsewhere");
    let elsewhere = beyond.folder.path().join("elsewhere");
    let named = ("HEAPWRIGHT_Z3", elsewhere.join(NAME));
    // A folder of the system has it by Debian's name.
    let system = beyond.folder.path().join("system");
    fs::copy(&named.1, system.join("libz3.so.4")).unwrap();
    for (variable, value) in [named, ("LD_LIBRARY_PATH", system)] {
        let output = beyond
            .command(&SYMBOLIC)
            .env(variable, value)
            .output()
            .unwrap();
        assert_eq!(text(&output.stderr), "", "{variable}");
        assert_eq!(unknown(&output), 0, "{variable}: {output:?}");
    }
}

#[test]
fn without_the_library_verbs_say_so_and_go_on() {
    let alone = Installed::new();
    let output = alone.run(&SYMBOLIC);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = text(&output.stderr);
    assert!(said.starts_with(NOTICE), "{said}");
    assert!(said.contains("libz3.so ("), "{said}");
    let cost = "Without it conditions that are not linear over integers stay undecided: what they guard may be in no test\n";
    assert!(said.ends_with(cost), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(unknown(&output) > 0, "{output:?}");
    for verb in [&["sequences"][..], &["paths", "-m", "are"], &["generate"]] {
        let output = alone.run(verb);
        assert!(text(&output.stderr).starts_with(NOTICE), "{output:?}");
        let code = output.status.code();
        assert!(code == Some(0) || code == Some(3), "{output:?}");
    }
    // Verbs that need no solver say nothing of it.
    let output = alone.run(&["check", "--scope", "1", "--invariant", "none"]);
    assert!(!text(&output.stderr).contains("Z3"), "{output:?}");
}
