//! Searches in stages as jobs: workers that are killed lose nothing, whatever is damaged is named and
//! made again, and how far a search is can be seen.

use std::fs;
use std::path::PathBuf;
use std::process::Output;
use std::thread::sleep;
use std::time::Duration;

use expect_test::expect;
use heapwright_testkit::random::Random;
use sha2::{Digest as _, Sha256};

use crate::common::{has_ended_by_itself, summary_of, text, with_enough_time};
use crate::job_folders::{Bench, code, files, said};
use crate::summaries::faults;

/// Search of nine sizes, of which the largest takes some seconds.
const SEARCH: [&str; 9] = [
    "fields",
    "-c",
    "fields.SearchTree",
    "--scope",
    "9",
    "--format",
    "jsonl",
    "-o",
    "out",
];

/// Stages of a job in order.
fn stages(bench: &Bench) -> Vec<PathBuf> {
    let folder = |number| bench.path(&format!("job/results/stage-{number}"));
    let folders = (0..).map(folder).take_while(|folder| folder.exists());
    let only = |folder: PathBuf| fs::read_dir(folder).unwrap().next().unwrap().unwrap();
    folders.map(|folder| only(folder).path()).collect()
}

#[test]
#[ignore = "long"]
fn workers_that_are_killed_lose_nothing() {
    let mut dice = Random::new(11);
    let bench = Bench::new(&SEARCH);
    let whole = said(&bench.search(&[]));
    let written = files(&bench.path("out"));
    bench.plan("4", &[]);
    for _ in 0..12 {
        let two = [(), ()].map(|()| bench.start(&["--checkpoint", "30ms", "-j", "1"]));
        for mut worker in two {
            sleep(Duration::from_millis(50 + dice.below(500)));
            worker.kill().unwrap();
            worker.wait().unwrap();
        }
    }
    // Claims of the killed are void only after a while.
    fs::remove_dir_all(bench.path("job").join("running")).unwrap();
    bench.work(&["--checkpoint", "30ms", "-j", "2"]);
    fs::remove_file(bench.path("out")).unwrap();
    assert_eq!(said(&bench.merge(&[])), whole);
    assert!(files(&bench.path("out")) == written, "other files");
}

#[test]
fn how_far_a_search_is_and_what_it_lacks_are_told() {
    let bench = Bench::new(&SEARCH);
    let planned = bench.search(&["--job", "job", "--parts", "3"]);
    expect![[r#"
        fields.SearchTree: a search in stages, for 3 workers at a time; to search: heapwright work job
    "#]].assert_eq(&text(&planned.stdout));
    let status = || text(&bench.run(&["status", "job"]).stdout);
    expect![[r#"
        fields of fields.SearchTree: 0 parts done, 0 running, 0 failed, 1 waiting
        about 0 instructions of this stage left
    "#]]
    .assert_eq(&status());
    bench.refuses(
        &["merge", "job"],
        "in the midst of its stages: `heapwright work job` goes on",
    );
    // How far a second leads depends on the machine.
    let work = |limit: &str| {
        let limits = ["--checkpoint", "30ms", "--time-limit", limit];
        bench.run(&[&["work", "job", "-j", "1"][..], &limits].concat())
    };
    let reached = || {
        let summary = summary_of(&bench.run(&["status", "job", "--json"]));
        assert_eq!(faults(&summary, "status"), Vec::<String>::new());
        summary
    };
    let is_far = |stopped: &Output| {
        let stage = reached()["stage"].as_u64();
        has_ended_by_itself(stopped) && stage.is_some_and(|stage| stage > 1)
    };
    let stopped = with_enough_time(1_000, work, is_far);
    assert_eq!(code(&stopped), 3, "{stopped:?}");
    assert!(text(&stopped.stdout).contains("; the search goes on, stopped by "));
    let summary = reached();
    assert!(summary["stage"].as_u64() > Some(1), "{summary}");
    assert!(summary["structures"].as_u64().unwrap() > 1, "{summary}");
    bench.work(&["-j", "2"]);
    let ended = status();
    let ended = ended.split_once(" parts done, ").unwrap().1;
    expect![[r#"
        0 running, 0 failed, 0 waiting
        46 structures, 9 stages in all
    "#]]
    .assert_eq(ended);
}

#[test]
#[ignore = "long"]
fn damage_is_named_and_repaired() {
    let bench = Bench::new(&SEARCH);
    let whole = said(&bench.search(&[]));
    bench.plan("3", &[]);
    bench.work(&["-j", "2"]);
    let all = stages(&bench);
    let last = all.last().unwrap();
    let good = fs::read(last).unwrap();
    let mut damaged = good.clone();
    damaged[good.len() / 2] ^= 1;
    for content in [&damaged[..], &good[..good.len() / 2]] {
        fs::write(last, content).unwrap();
        bench.refuses(&["merge", "job"], "is damaged: remove it, and");
    }
    fs::write(last, &good).unwrap();
    // Any stage is made again, the same, and what followed counts.
    for stage in [&all[4], last] {
        let good = fs::read(stage).unwrap();
        fs::remove_file(stage).unwrap();
        bench.refuses(&["merge", "job"], "in the midst of its stages");
        bench.work(&["-j", "1"]);
        assert!(fs::read(stage).unwrap() == good, "another stage");
        assert_eq!(said(&bench.merge(&[])), whole);
    }
    // A worker that needs a damaged stage names it.
    fs::remove_file(last).unwrap();
    let before = &all[all.len() - 2];
    let content = fs::read(before).unwrap();
    fs::write(before, "").unwrap();
    bench.refuses(&["work", "job", "-j", "1"], "is damaged: remove it, and");
    fs::write(before, content).unwrap();
    bench.work(&["-j", "1"]);
    assert_eq!(said(&bench.merge(&[])), whole);
}

#[test]
#[ignore = "long"]
fn two_stages_with_one_number_do_no_harm() {
    let bench = Bench::new(&SEARCH);
    let whole = said(&bench.search(&[]));
    bench.plan("3", &[]);
    bench.work(&["-j", "2"]);
    // The parts of the other one have no results.
    let stages = stages(&bench);
    for stage in &stages[..stages.len() - 1] {
        let text = fs::read_to_string(stage).unwrap();
        let other = text.replace("\"seconds\":0.0", "\"seconds\":1.0");
        assert!(other != text, "{text}");
        let hash = Sha256::digest(&other);
        let digest: String = hash[..8].iter().map(|byte| format!("{byte:02x}")).collect();
        let name = stage.file_name().unwrap().to_str().unwrap();
        let (_, rest) = name.split_once('-').unwrap();
        fs::write(stage.with_file_name(format!("{digest}-{rest}")), other).unwrap();
    }
    assert_eq!(code(&bench.run(&["status", "job"])), 0);
    assert_eq!(said(&bench.merge(&[])), whole);
}

#[test]
#[ignore = "long"]
fn what_cannot_be_divided_is_refused() {
    let bench = Bench::new(&SEARCH);
    fs::write(bench.path("pairs"), "left: Node0 -> Node1\n").unwrap();
    for (more, message) in [
        (
            &["--estimate", "time"][..],
            "--estimate time limits the work of one search",
        ),
        (&["--plot", "plot.svg"], "--plot"),
        (&["--pairs", "pairs"], "--pairs"),
        (&["--time-limit", "3s"], "--time-limit"),
        (
            &["--estimate", "size", "--small-scope", "1"],
            "takes at least 3 scopes",
        ),
    ] {
        let output = bench.search(&[&["--job", "other"], more].concat());
        assert_eq!(code(&output), 2, "{more:?}: {output:?}");
        assert!(text(&output.stderr).contains(message), "{output:?}");
        assert!(!bench.path("other").join("job.json").exists());
    }
    bench.plan("3", &[]);
    bench.refuses(
        &["work", "job", "--part", "1"],
        "it is a search in stages, which need one another",
    );
    // Schedulers that number their workers may use any number.
    for more in [&["--index", "1"][..], &["--index", "7"], &["--next"]] {
        bench.work(&[&["-j", "1"], more].concat());
    }
    assert_eq!(said(&bench.merge(&[])), said(&bench.search(&[])));
}
