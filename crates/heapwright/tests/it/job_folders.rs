//! A job on several workers, killed and resumed, has the output of one run; what is damaged or does
//! not belong together is refused with the reason.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use heapwright_testkit::fixtures::{self, Fixture};
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::programs::installed;
use heapwright_testkit::random::Random;

use crate::common::{program, summary_of, text, without_measures};
use crate::summaries::faults;

/// Job in a folder of its own, with the options of its search.
pub struct Bench {
    folder: tempfile::TempDir,
    options: Vec<String>,
}

impl Bench {
    pub fn new(options: &[&str]) -> Bench {
        let classes = match options[0] {
            "paths" => {
                let fixture = Fixture::new(&["-g", "-nowarn", "--release", "17"]);
                fixture.package("paths").classes()
            }
            _ => fixtures::classes(),
        };
        let home = jdks()[0].home.clone();
        let given = [
            "--jdk",
            home.to_str().unwrap(),
            "-p",
            classes.to_str().unwrap(),
        ];
        let options = [&options[..1], &given, &options[1..]].concat();
        Bench {
            folder: tempfile::tempdir().unwrap(),
            options: options.into_iter().map(str::to_owned).collect(),
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the program in the bench's folder.
    pub fn run(&self, arguments: &[&str]) -> Output {
        let mut program = program();
        let home = &jdks()[0].home;
        program.args(arguments).env("JAVA_HOME", home);
        program.current_dir(self.folder.path()).output().unwrap()
    }

    /// Runs the search itself, with further options.
    pub fn search(&self, more: &[&str]) -> Output {
        let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
        self.run(&[&options[..], more].concat())
    }

    pub fn plan(&self, parts: &str, more: &[&str]) {
        let output = self.search(&[&["--job", "job", "--parts", parts], more].concat());
        assert_eq!(code(&output), 0, "{output:?}");
    }

    pub fn start(&self, more: &[&str]) -> Child {
        let mut program = program();
        program.args(["work", "job", "-q"]).args(more);
        program.env("JAVA_HOME", &jdks()[0].home);
        program.current_dir(self.folder.path());
        program.stdout(Stdio::null()).spawn().unwrap()
    }

    /// Works until nothing is left.
    pub fn work(&self, more: &[&str]) {
        let output = self.run(&[&["work", "job"], more].concat());
        assert_eq!(code(&output), 0, "{output:?}");
    }

    pub fn merge(&self, more: &[&str]) -> Output {
        self.run(&[&["merge", "job"], more].concat())
    }

    fn results(&self) -> Vec<PathBuf> {
        let parts = fs::read_dir(self.path("job").join("results")).into_iter();
        let parts = parts.flatten().map(|part| part.unwrap().path());
        let all = parts.flat_map(|part| fs::read_dir(part).unwrap());
        let mut all: Vec<PathBuf> = all.map(|result| result.unwrap().path()).collect();
        all.retain(|path| !path.to_str().unwrap().contains('#'));
        all.sort();
        all
    }

    pub fn refuses(&self, arguments: &[&str], message: &str) {
        let output = self.run(arguments);
        let error = text(&output.stderr);
        assert_eq!(
            (code(&output), text(&output.stdout)),
            (2, String::new()),
            "{error}"
        );
        assert!(error.contains(message), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

/// Text without times.
fn timeless(text: &str) -> String {
    let times = regex::Regex::new(r"\d+\.\d\d s").unwrap();
    times.replace_all(text, "… s").into_owned()
}

/// What a run has said: exit code, standard output and standard error.
pub fn said(output: &Output) -> (i32, String, String) {
    let texts = [&output.stdout, &output.stderr].map(|bytes| timeless(&text(bytes)));
    let [out, error] = texts;
    (code(output), out, error)
}

/// Files of a folder and below with their contents; the file itself if it is one.
pub fn files(path: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    if path.is_file() {
        return vec![(PathBuf::new(), fs::read(path).unwrap())];
    }
    let mut all = Vec::new();
    for entry in fs::read_dir(path).into_iter().flatten() {
        let entry = entry.unwrap();
        for (name, content) in files(&entry.path()) {
            let own = PathBuf::from(entry.file_name());
            let is_file = name.as_os_str().is_empty();
            let name = if is_file { own } else { own.join(name) };
            all.push((name, content));
        }
    }
    all.sort();
    all
}

/// Searches whose results are merged.
const ROWS: [&[&str]; 19] = [
    &[
        "enumerate",
        "-c",
        "fixtures.tree.SearchTree",
        "--args",
        "7",
        "--search",
        "korat",
    ],
    &["enumerate", "-c", "fixtures.tree.SearchTree", "--args", "8"],
    &[
        "enumerate",
        "-c",
        "fixtures.tree.SearchTree",
        "--args",
        "5",
        "--format",
        "jsonl",
        "-o",
        "out",
    ],
    &[
        "enumerate",
        "-c",
        "fixtures.tree.SearchTree",
        "--args",
        "5",
        "--search",
        "korat",
        "--format",
        "text",
    ],
    &[
        "enumerate",
        "-c",
        "fixtures.graph.Dag",
        "--args",
        "3",
        "--format",
        "dot",
        "-o",
        "out",
    ],
    &[
        "enumerate",
        "-c",
        "fixtures.graph.Person",
        "--args",
        "3,false",
        "--search",
        "korat",
    ],
    &[
        "enumerate",
        "-c",
        "fixtures.tree.SearchTree",
        "--args",
        "3",
        "--format",
        "junit",
        "-o",
        "out",
    ],
    &["check", "-c", "fixtures.tree.SearchTree", "--args", "4"],
    &[
        "check",
        "-c",
        "fixtures.list.DoublyLinkedList",
        "--args",
        "5,3",
        "-o",
        "out",
    ],
    &["paths", "-c", "paths.Lcm"],
    &[
        "paths",
        "-c",
        "paths.SmallCalls",
        "--criterion",
        "all-paths",
        "-o",
        "out",
    ],
    &[
        "paths",
        "-c",
        "paths.NodeSequence",
        "--format",
        "junit",
        "-o",
        "out",
    ],
    &[
        "fields",
        "-c",
        "fields.SearchTree",
        "--scope",
        "8",
        "--format",
        "jsonl",
        "-o",
        "out",
    ],
    &[
        "fields",
        "-c",
        "fields.AvlTree",
        "--scope",
        "8",
        "--estimate",
        "size",
        "--small-scope",
        "4",
        "--criterion",
        "non-null",
    ],
    &[
        "fields",
        "-c",
        "fields.SortedList",
        "--scope",
        "3",
        "--format",
        "junit",
        "-o",
        "out",
    ],
    &[
        "sequences",
        "-c",
        "fixtures.list.*",
        "--max-paths",
        "30",
        "--time-per-class",
        "none",
        "-o",
        "out",
    ],
    &[
        "sequences",
        "-c",
        "fixtures.list.SortedList",
        "--time-per-class",
        "none",
    ],
    &[
        "sequences",
        "-c",
        "fixtures.list.Ring",
        "-c",
        "no.Such",
        "--time-per-class",
        "none",
        "-o",
        "out/src/test/java",
    ],
    &[
        "generate",
        "-c",
        "fixtures.plain.*",
        "--max-paths",
        "30",
        "--time-per-class",
        "none",
        "-o",
        "out",
        "--no-cache",
    ],
];

#[test]
#[ignore = "long"]
fn a_job_has_the_output_of_one_run() {
    for row in ROWS {
        let bench = Bench::new(row);
        let whole = said(&bench.search(&[]));
        let written = files(&bench.path("out"));
        fs::remove_file(bench.path("out")).ok();
        fs::remove_dir_all(bench.path("out")).ok();
        bench.plan("3", &[]);
        bench.work(&["--checkpoint", "40ms", "-j", "2"]);
        assert_eq!(said(&bench.merge(&[])), whole, "{row:?}");
        assert!(files(&bench.path("out")) == written, "{row:?}: other files");
        let summary = |output: &Output| {
            let mut summary = without_measures(summary_of(output));
            summary.as_object_mut().unwrap().remove("translation_ms");
            summary
        };
        if !row.contains(&"text") {
            let one = summary(&bench.search(&["--json"]));
            assert_eq!(summary(&bench.merge(&["--json"])), one, "{row:?}");
        }
    }
}

#[test]
#[ignore = "long"]
fn tests_of_a_job_have_the_report_of_one_run() {
    let bench = Bench::new(&[
        "sequences",
        "-c",
        "fixtures.list.*",
        "--max-paths",
        "30",
        "--time-per-class",
        "none",
        "-o",
        "out",
        "--report",
        "report",
    ]);
    let dates = regex::Regex::new(r"\d{4}-\d\d-\d\d.\d\d:\d\d(:\d\d)?|\d{10,}|\d+\.\d+").unwrap();
    let report = || -> Vec<(PathBuf, String)> {
        let files = files(&bench.path("report")).into_iter();
        let texts = files.map(|(name, content)| {
            let content = text(&content);
            (name, dates.replace_all(&content, "…").into_owned())
        });
        texts.collect()
    };
    assert_eq!(code(&bench.search(&[])), 3);
    let whole = report();
    assert!(whole.iter().any(|(_, text)| text.contains("out/fixtures")));
    for folder in ["out", "report"] {
        fs::remove_dir_all(bench.path(folder)).unwrap();
    }
    bench.plan("3", &[]);
    bench.work(&["-j", "2"]);
    assert_eq!(code(&bench.merge(&[])), 3);
    assert_eq!(report(), whole);
}

/// The time of a worker is none of the classes: one that it cuts short begins again.
#[test]
#[ignore = "long"]
fn the_time_of_a_worker_shortens_no_search_for_tests() {
    let bench = Bench::new(&[
        "generate",
        "-c",
        "fixtures.plain.*",
        "--max-paths",
        "30",
        "--time-per-class",
        "none",
        "-o",
        "out",
        "--no-cache",
    ]);
    let whole = said(&bench.search(&[]));
    fs::remove_dir_all(bench.path("out")).unwrap();
    bench.plan("1", &[]);
    let output = bench.run(&["work", "job", "-j", "1", "--time-limit", "2s"]);
    assert_eq!(code(&output), 3, "{output:?}");
    bench.work(&[]);
    assert_eq!(said(&bench.merge(&[])), whole);
}

#[test]
#[ignore = "long"]
fn workers_that_are_killed_lose_nothing() {
    let mut dice = Random::new(7);
    for row in [ROWS[0], ROWS[2], ROWS[8]] {
        let bench = Bench::new(row);
        let whole = said(&bench.search(&[]));
        let written = files(&bench.path("out"));
        bench.plan("4", &[]);
        // One is killed as it claims a part, however slow the machine is.
        let running = bench.path("job").join("running");
        let mut first = bench.start(&["-j", "1"]);
        while !running.exists() {
            assert!(first.try_wait().unwrap().is_none(), "{row:?}");
            sleep(Duration::from_millis(5));
        }
        first.kill().unwrap();
        first.wait().unwrap();
        for _ in 0..12 {
            let two = [(), ()].map(|()| bench.start(&["--checkpoint", "30ms", "-j", "1"]));
            for mut worker in two {
                sleep(Duration::from_millis(50 + dice.below(700)));
                worker.kill().unwrap();
                worker.wait().unwrap();
            }
        }
        // Claims of the killed are void only after a while; the part is named, so none counts.
        fs::remove_dir_all(running).unwrap();
        bench.work(&["--checkpoint", "30ms", "-j", "2"]);
        assert_eq!(said(&bench.merge(&[])), whole, "{row:?}");
        assert!(files(&bench.path("out")) == written, "{row:?}: other files");
    }
}

#[test]
#[ignore = "long"]
fn a_part_that_is_searched_twice_counts_once() {
    let bench = Bench::new(ROWS[3]);
    let whole = said(&bench.search(&[]));
    bench.plan("3", &[]);
    // The same parts in a copy of the folder, divided otherwise.
    let copy = Bench::new(ROWS[3]);
    copy_folder(&bench.path("job"), &copy.path("job"));
    for (bench, checkpoint) in [(&bench, "20ms"), (&copy, "60ms")] {
        bench.work(&["--part", "1", "--checkpoint", checkpoint, "-j", "1"]);
        bench.work(&["--part", "3", "--checkpoint", checkpoint, "-j", "1"]);
    }
    copy_folder(
        &copy.path("job").join("results"),
        &bench.path("job").join("results"),
    );
    bench.refuses(&["merge", "job"], "have no result, the first is part 2");
    let status = bench.run(&["status", "job"]);
    assert_eq!(code(&status), 3, "{status:?}");
    for (arguments, verb) in [
        (&["status", "job", "--json"][..], "status"),
        (&["work", "job", "--part", "1", "--json"], "work"),
    ] {
        let summary = summary_of(&bench.run(arguments));
        assert_eq!(faults(&summary, verb), Vec::<String>::new());
        assert_eq!(
            (&summary["planned"], &summary["open"]),
            (&3.into(), &1.into())
        );
    }
    bench.work(&["--next", "-j", "1"]);
    assert_eq!(said(&bench.merge(&[])), whole);
    assert_eq!(code(&bench.run(&["status", "job"])), 0);
}

fn copy_folder(from: &Path, to: &Path) {
    for (name, content) in files(from) {
        let path = to.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "servers: faketime"]
fn claims_are_void_by_the_clock_of_the_folder() {
    let bench = Bench::new(ROWS[2]);
    bench.plan("3", &[]);
    for (part, seconds) in [("1", 0), ("2", 120)] {
        let running = bench.path("job").join("running");
        let claim = running.join(format!("{part}_worker"));
        fs::create_dir_all(&running).unwrap();
        let file = fs::File::create(&claim).unwrap();
        let time = SystemTime::now() - Duration::from_secs(seconds);
        file.set_modified(time).unwrap();
    }
    let faketime = installed(
        &["faketime"],
        "faketime",
        "tests set the clocks of programs",
    );
    for clock in ["-1h", "+0", "+1h"] {
        let mut program = Command::new(&faketime);
        program.args(["-f", clock, env!("CARGO_BIN_EXE_heapwright")]);
        program.args(["status", "job", "--json"]);
        program
            .env("NO_FAKE_STAT", "1")
            .env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        let status = program.current_dir(bench.folder.path()).output().unwrap();
        let running = &summary_of(&status)["running"];
        let parts: Vec<&str> = running
            .as_array()
            .unwrap()
            .iter()
            .map(|of| of["part"].as_str().unwrap())
            .collect();
        assert_eq!(parts, ["1"], "{clock}");
    }
}

#[test]
fn damage_is_named_and_repaired() {
    let bench = Bench::new(ROWS[2]);
    let whole = said(&bench.search(&[]));
    bench.plan("3", &[]);
    bench.refuses(
        &["merge", "job"],
        "3 of 3 parts have no result, the first is part 1",
    );
    bench.work(&["-j", "1"]);
    let result = bench.results().remove(1);
    let good = fs::read(&result).unwrap();
    for place in [0, good.len() / 2, good.len() - 2] {
        let mut damaged = good.clone();
        damaged[place] ^= 1;
        fs::write(&result, damaged).unwrap();
        bench.refuses(&["merge", "job"], "is damaged: remove it");
    }
    fs::write(&result, &good[..good.len() / 2]).unwrap();
    bench.refuses(&["merge", "job"], "is damaged: remove it");
    fs::remove_file(&result).unwrap();
    bench.refuses(&["merge", "job"], "1 of 3 parts have no result");
    bench.work(&["-j", "1"]);
    assert_eq!(said(&bench.merge(&[])), whole);

    // A result of another job under the name of a part.
    let other = Bench::new(&["enumerate", "-c", "fixtures.tree.SearchTree", "--args", "4"]);
    other.plan("1", &[]);
    other.work(&["-j", "1"]);
    let foreign = other.results().remove(0);
    let kept = bench.results().remove(0);
    let place = kept.with_file_name(foreign.file_name().unwrap());
    fs::copy(&foreign, &place).unwrap();
    fs::remove_file(&kept).unwrap();
    bench.refuses(&["merge", "job"], "is no result of this job: remove it");
}

#[test]
fn a_plan_that_does_not_fit_is_refused() {
    let bench = Bench::new(ROWS[2]);
    bench.refuses(&["work", "job"], "there is no folder job");
    fs::create_dir(bench.path("job")).unwrap();
    bench.refuses(&["work", "job"], "job holds no job, as job.json is missing");
    bench.plan("2", &[]);
    let again = bench.search(&["--job", "job"]);
    assert_eq!(code(&again), 2);
    assert!(text(&again.stderr).contains("job holds a job"), "{again:?}");
    bench.refuses(
        &["work", "job", "--part", "3"],
        "--part is a number from 1 to 2",
    );

    for (more, message) in [
        (&["--limit", "3"][..], "--limit"),
        (&["--time-limit", "3s"], "--time-limit"),
        (&["--shard", "1/2"], "--shard"),
        (&["--parts", "0"], "--parts"),
    ] {
        let output = bench.search(&[&["--job", "other"], more].concat());
        assert_eq!(code(&output), 2, "{more:?}: {output:?}");
        assert!(text(&output.stderr).contains(message), "{output:?}");
        assert!(!bench.path("other").join("job.json").exists());
    }

    let plan = bench.path("job").join("job.json");
    let good = fs::read_to_string(&plan).unwrap();
    let edit = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}");
        fs::write(&plan, good.replacen(from, to, 1)).unwrap();
    };
    edit("\"format\": 2", "\"format\": 1");
    bench.refuses(&["work", "job"], "use the version of the plan");
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    edit(&version, "\"version\": \"99.0.0\"");
    bench.refuses(
        &["work", "job"],
        "heapwright 99.0.0 has planned the job in job",
    );
    bench.refuses(
        &["merge", "job"],
        "heapwright 99.0.0 has planned the job in job",
    );
    edit("\"jdk\": \"", "\"jdk\": \"1");
    bench.refuses(&["work", "job"], "name the other with --jdk DIR");
    edit("list:", "count:");
    bench.refuses(&["work", "job"], "the search is not that of the job in job");
    fs::write(&plan, &good[..good.len() / 2]).unwrap();
    bench.refuses(&["work", "job"], "job/job.json is damaged");
    fs::write(&plan, &good).unwrap();

    let classes = bench.path("job").join("classes").join("000.zip");
    let mut archive = fs::read(&classes).unwrap();
    let middle = archive.len() / 2;
    archive[middle] ^= 1;
    fs::write(&classes, &archive).unwrap();
    bench.refuses(
        &["work", "job"],
        "job/classes/000.zip is not what was planned",
    );
    fs::remove_file(&classes).unwrap();
    bench.refuses(&["work", "job"], "job/classes/000.zip is missing");
}

#[test]
fn a_worker_with_another_solver_is_refused() {
    let bench = Bench::new(ROWS[9]);
    bench.plan("2", &[]);
    let plan = bench.path("job").join("job.json");
    let good = fs::read_to_string(&plan).unwrap();
    let solver = regex::Regex::new(r#""solver": \{\s*"z3": "\d+\.\d+\.\d+"\s*\}"#).unwrap();
    for (other, message) in [
        (
            r#""solver": {"z3": "4.13.0"}"#,
            "was planned with Z3 4.13.0, and this machine has Z3 ",
        ),
        (
            r#""solver": "missing""#,
            "was planned with no Z3, and this machine has Z3 ",
        ),
    ] {
        let edited = solver.replace(&good, other);
        assert_ne!(edited, good);
        fs::write(&plan, &*edited).unwrap();
        bench.refuses(&["work", "job"], message);
    }
    fs::write(&plan, &good).unwrap();
    bench.work(&[]);
    // Results are merged without a solver.
    assert_eq!(code(&bench.merge(&[])), 0);

    let other = Bench::new(ROWS[0]);
    other.plan("1", &[]);
    let plan = fs::read_to_string(other.path("job").join("job.json")).unwrap();
    assert!(plan.contains("\"solver\": \"unused\""), "{plan}");
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_half_result() {
    let bench = Bench::new(&[
        "enumerate",
        "-c",
        "fixtures.tree.SearchTree",
        "--args",
        "6",
        "--format",
        "jsonl",
        "-o",
        "out",
    ]);
    let whole = said(&bench.search(&[]));
    let written = files(&bench.path("out"));
    bench.plan("2", &[]);
    // No file may be longer than 100 blocks of 512 or 1,024 bytes.
    let script = "trap '' XFSZ; ulimit -f 100; exec \"$0\" work job -j 1 --checkpoint 1m";
    let mut limited = Command::new("sh");
    limited.args(["-c", script, env!("CARGO_BIN_EXE_heapwright")]);
    limited
        .env("JAVA_HOME", &jdks()[0].home)
        .current_dir(bench.folder.path());
    limited.env("TMPDIR", std::env::temp_dir());
    let output = limited.output().unwrap();
    assert_eq!(code(&output), 2, "{output:?}");
    assert!(
        text(&output.stderr).contains("failed to write"),
        "{output:?}"
    );
    assert_eq!(bench.results(), Vec::<PathBuf>::new());
    fs::remove_dir_all(bench.path("job").join("running")).ok();
    bench.work(&["-j", "1"]);
    assert_eq!(said(&bench.merge(&[])), whole);
    assert!(files(&bench.path("out")) == written);
}
