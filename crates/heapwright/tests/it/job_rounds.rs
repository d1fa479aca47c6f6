//! Searches from the API as jobs: whatever the number of workers and parts, killed or not, the output
//! is that of one run; what is damaged is named and made again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use heapwright_testkit::fixtures::{self, without_seconds};
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::random::Random;
use serde_json::Value;

use crate::common::{program, summary_of, text};
use crate::summaries::faults;

/// Search in a folder of its own.
struct Bench {
    folder: tempfile::TempDir,
    options: Vec<&'static str>,
}

impl Bench {
    fn new(options: &[&'static str]) -> Bench {
        Bench {
            folder: tempfile::tempdir().unwrap(),
            options: options.to_vec(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut program = program();
        program.args(arguments).env("JAVA_HOME", &jdks()[0].home);
        program.current_dir(self.folder.path()).output().unwrap()
    }

    /// Runs the search itself, with further options.
    fn search(&self, more: &[&str]) -> Output {
        let (home, classes) = (jdks()[0].home.clone(), fixtures::classes());
        let first = ["enumerate", "--from", "api", "--no-config", "--jdk"];
        let given = [home.to_str().unwrap(), "-p", classes.to_str().unwrap()];
        self.run(&[&first[..], &given, &self.options, more].concat())
    }

    fn plan(&self, parts: &str) {
        let output = self.search(&["--job", "job", "--parts", parts]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }

    fn start(&self) -> Child {
        let mut program = program();
        program.args(["work", "job", "-q", "-j", "1"]);
        program.env("JAVA_HOME", &jdks()[0].home);
        program.current_dir(self.folder.path());
        program.stdout(Stdio::null()).spawn().unwrap()
    }

    fn work(&self, more: &[&str]) {
        let output = self.run(&[&["work", "job"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }

    fn merge(&self, more: &[&str]) -> Output {
        self.run(&[&["merge", "job"], more].concat())
    }

    fn refuses(&self, arguments: &[&str], message: &str) {
        let output = self.run(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains(message), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }

    /// Objects of this kind, in the order of their names.
    fn objects(&self, kind: &str) -> Vec<PathBuf> {
        let all = files(&self.path("job").join("rounds")).into_iter();
        let all = all.map(|(path, _)| self.path("job").join("rounds").join(path));
        let is_kind = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_str().unwrap();
            // Others are files that were not written to the end.
            name.starts_with(kind) && !name.contains('#')
        };
        all.filter(is_kind).collect()
    }

    /// Those that merging reads; only workers read the others.
    fn gathered(&self, kind: &str) -> Vec<PathBuf> {
        let mut all = self.objects(kind);
        all.retain(|object| object.to_str().unwrap().contains("gather"));
        all
    }
}

/// What a run has said, without times and memory: exit code, standard output and standard error.
fn said(output: &Output) -> (Option<i32>, String, String) {
    let bytes = regex::Regex::new(r"\d+ bytes a structure").unwrap();
    let [out, error] = [&output.stdout, &output.stderr].map(|said| {
        let said = without_seconds(&text(said));
        bytes.replace_all(&said, "… bytes a structure").into_owned()
    });
    (output.status.code(), out, error)
}

/// Summary without times and memory.
fn settled(output: &Output) -> Value {
    let mut summary = summary_of(output);
    let keys = summary.as_object_mut().unwrap();
    for key in [
        "seconds",
        "peak_memory_bytes",
        "bytes_per_structure",
        "peak_disk_bytes",
    ] {
        keys.remove(key);
    }
    summary
}

/// Files of a folder and below with their contents; the file itself if it is one.
fn files(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    if path.is_file() {
        return vec![(PathBuf::new(), fs::read(path).unwrap())];
    }
    let mut all = Vec::new();
    for entry in fs::read_dir(path).into_iter().flatten() {
        let entry = entry.unwrap();
        for (name, content) in files(&entry.path()) {
            let own = PathBuf::from(entry.file_name());
            let is_file = name.as_os_str().is_empty();
            all.push((if is_file { own } else { own.join(name) }, content));
        }
    }
    all.sort();
    all
}

const ROWS: [&[&str]; 9] = [
    &["-c", "compare.Pool", "--scope", "5", "--format", "text"],
    &[
        "-c",
        "compare.Tree",
        "--scope",
        "5",
        "--format",
        "jsonl",
        "-o",
        "out",
    ],
    // Findings of all kinds.
    &[
        "-c",
        "api.Bag",
        "--scope",
        "4",
        "--check-contracts",
        "--property",
        "isSmall",
        "--check-invariant",
    ],
    // Calls with several structures, of two classes.
    &[
        "-c",
        "compare.Pool",
        "-c",
        "compare.Tree",
        "--scope",
        "3",
        "--max-length",
        "3",
        "--format",
        "text",
    ],
    // Lambdas, constants and objects of the library.
    &["-c", "api.Reception", "--scope", "2", "--format", "text"],
    // Classes that are initialised on the way, and static fields that are read.
    &["-c", "api.Shared", "--scope", "3", "--format", "text"],
    // A class without an end.
    &["-c", "api.Counter", "--scope", "1"],
    &[
        "-c",
        "java.util.TreeMap",
        "--scope",
        "3",
        "-m",
        "<init>()",
        "-m",
        "put",
        "-m",
        "remove",
        "-m",
        "descendingMap",
        "--format",
        "text",
    ],
    &[
        "-c",
        "compare.Tree",
        "--scope",
        "3",
        "--format",
        "junit",
        "-o",
        "out",
    ],
];

#[test]
#[ignore = "long"]
fn a_search_in_rounds_has_the_output_of_one_run() {
    for row in ROWS {
        let bench = Bench::new(row);
        let whole = said(&bench.search(&[]));
        let written = files(&bench.path("out"));
        fs::remove_file(bench.path("out")).ok();
        fs::remove_dir_all(bench.path("out")).ok();
        bench.plan("3");
        bench.work(&["-j", "2"]);
        assert_eq!(said(&bench.merge(&[])), whole, "{row:?}");
        assert!(files(&bench.path("out")) == written, "{row:?}: other files");
        if !row.contains(&"text") {
            let one = settled(&bench.search(&["--json"]));
            assert_eq!(settled(&bench.merge(&["--json"])), one, "{row:?}");
        }
        assert_eq!(
            bench.objects("candidates"),
            Vec::<PathBuf>::new(),
            "{row:?}"
        );
    }
}

#[test]
#[ignore = "long"]
fn workers_that_are_killed_lose_nothing() {
    let mut dice = Random::new(11);
    let bench = Bench::new(&["-c", "compare.Pool", "--scope", "6", "--format", "text"]);
    let whole = said(&bench.search(&[]));
    bench.plan("4");
    for _ in 0..8 {
        let two = [(), ()].map(|()| bench.start());
        for mut worker in two {
            sleep(Duration::from_millis(30 + dice.below(400)));
            worker.kill().unwrap();
            worker.wait().unwrap();
        }
        // Claims of the killed are void only after a while.
        fs::remove_dir_all(bench.path("job").join("running")).ok();
    }
    for mut worker in [bench.start(), bench.start()] {
        assert!(worker.wait().unwrap().success());
    }
    assert_eq!(said(&bench.merge(&[])), whole);
}

#[test]
fn how_far_a_search_is_and_what_it_lacks_are_told() {
    let bench = Bench::new(ROWS[0]);
    bench.plan("2");
    bench.refuses(
        &["merge", "job"],
        "the search has not ended: round 1 lacks 1 task, the first is 0-1-expand-0",
    );
    bench.refuses(&["work", "job", "--part", "1"], "--part does not go with");
    let status = bench.run(&["status", "job"]);
    assert_eq!(status.status.code(), Some(3));
    let expected = "enumerate of compare.Pool: 0 parts done, 0 running, 0 failed, 1 waiting\n0 structures, in round 1\n";
    assert_eq!(text(&status.stdout), expected);
    bench.work(&["-j", "1"]);
    let status = bench.run(&["status", "job"]);
    assert_eq!(status.status.code(), Some(0), "{status:?}");
    let found = summary_of(&bench.run(&["status", "job", "--json"]));
    assert_eq!(faults(&found, "status"), Vec::<String>::new());
    let one = Bench::new(&["-c", "compare.Pool", "--scope", "5"]).search(&["--json"]);
    let one = summary_of(&one);
    assert_eq!(found["round"], one["iterations"]);
    assert_eq!(found["structures"], one["structures"]);
    assert_eq!(found["explored"], one["explored"]);
    // Nothing is left to do.
    let again = bench.run(&["work", "job", "--json"]);
    assert_eq!(faults(&summary_of(&again), "work"), Vec::<String>::new());
    assert_eq!(again.status.code(), Some(0));
}

/// Whatever object is damaged: it is named, and after its removal made again.
#[test]
#[ignore = "long"]
fn damage_is_named_and_repaired() {
    let bench = Bench::new(&["-c", "compare.Pool", "--scope", "5", "--format", "text"]);
    let whole = said(&bench.search(&[]));
    bench.plan("2");
    bench.work(&["-j", "1"]);
    for kind in ["structures", "done"] {
        let all = bench.gathered(kind);
        let object = &all[all.len() / 2];
        let good = fs::read(object).unwrap();
        let mut damaged = good.clone();
        damaged[good.len() / 2] ^= 1;
        fs::write(object, damaged).unwrap();
        bench.refuses(&["merge", "job"], "is damaged: remove it");
        fs::remove_file(object).unwrap();
        bench.refuses(&["merge", "job"], "the search has not ended: round");
        bench.work(&["-j", "1"]);
        assert_eq!(fs::read(object).unwrap(), good, "{kind}");
        assert_eq!(said(&bench.merge(&[])), whole, "{kind}");
    }
    // What workers know is no part of the result.
    let known = bench.objects("known");
    fs::remove_file(&known[known.len() / 2]).unwrap();
    bench.work(&["-j", "1"]);
    assert_eq!(said(&bench.merge(&[])), whole);
    // A result of another job.
    let other = Bench::new(&["-c", "compare.Pool", "--scope", "4"]);
    other.plan("2");
    other.work(&["-j", "1"]);
    let foreign = other.gathered("done").remove(0);
    let place = bench.gathered("done").remove(0);
    fs::remove_file(&place).unwrap();
    fs::copy(&foreign, place.with_file_name(foreign.file_name().unwrap())).unwrap();
    bench.refuses(&["merge", "job"], "is no result of this job: remove it");
    bench.refuses(&["work", "job"], "is no result of this job: remove it");
}

#[test]
fn a_damaged_object_ends_a_worker_with_its_name() {
    let bench = Bench::new(&["-c", "compare.Pool", "--scope", "5", "--format", "text"]);
    let whole = said(&bench.search(&[]));
    bench.plan("2");
    bench.work(&["-j", "1"]);
    // What is done again reads the structures of earlier rounds.
    let done = bench.objects("done");
    for object in &done[done.len() / 2..] {
        fs::remove_file(object).unwrap();
    }
    let all = bench.objects("structures");
    for object in &all {
        let mut content = fs::read(object).unwrap();
        content[0] ^= 1;
        fs::write(object, content).unwrap();
    }
    bench.refuses(&["work", "job", "-j", "1"], "is damaged: remove it");
    for object in all {
        fs::remove_file(object).unwrap();
    }
    bench.work(&["-j", "1"]);
    assert_eq!(said(&bench.merge(&[])), whole);
}

#[test]
fn what_workers_cannot_do_is_refused() {
    for (more, message) in [
        (
            &["--no-state-matching"][..],
            "--no-state-matching does not go with --job",
        ),
        (
            &["--methods-file", "a"],
            "--methods-file does not go with --job",
        ),
        (&["--report", "html"], "--report"),
        (&["--limit", "3"], "--limit"),
        (&["--scope", "0"], "a scope of 0 has no structures"),
    ] {
        let options = ["-c", "compare.Pool"];
        let bench = Bench::new(&options);
        let scope: &[&str] = if more.contains(&"0") {
            &[]
        } else {
            &["--scope", "3"]
        };
        let output = bench.search(&[&["--job", "job"], scope, more].concat());
        assert_eq!(output.status.code(), Some(2), "{more:?}: {output:?}");
        assert!(text(&output.stderr).contains(message), "{output:?}");
        assert!(!bench.path("job").join("job.json").exists());
    }
}
