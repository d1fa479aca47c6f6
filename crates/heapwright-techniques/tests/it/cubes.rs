//! Calls on cubes have the results of calls on their structures, one by one: the same counts of
//! calls, rejections and failures for each method, and the same counterexamples. The results do not
//! depend on the number of workers, nor do the runs.

use std::path::Path;

use heapwright_explore::{Count, End, Strategy};
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_techniques::check::{
    self, CallInputs, CallTally, CallTask, CheckRequest, Checker, WorkerConfig,
};
use heapwright_techniques::invariant::{self, BoundsRequest, Enumeration};
use heapwright_techniques::korat_api;
use heapwright_testkit::fixtures::{self, project};
use heapwright_testkit::jdk::jdks;

/// Some loops of the fixtures do not end.
const STEP_LIMIT: u64 = 300_000;
/// Most structures on which calls are made.
const MAX_STRUCTURES: u64 = 3_000;

struct Subject {
    class: String,
    bounds: BoundsRequest,
    oracles: Vec<String>,
    against: Option<String>,
}

/// Subjects: planted faults at the scope where they show and at the next one, methods with various
/// behaviour, and classes with known Korat counts.
fn subjects() -> Vec<Subject> {
    let fixtures = project().join("fixtures");
    let mut subjects = Vec::new();
    let faults = std::fs::read_to_string(fixtures.join("faults.csv")).unwrap();
    for line in faults.lines().skip(1) {
        let row: Vec<&str> = line.split(',').collect();
        let scope: u32 = row[2].parse().unwrap();
        for scope in [scope, scope + 1] {
            subjects.push(Subject {
                class: format!("faults.{}", row[0]),
                bounds: BoundsRequest::Scope(scope),
                oracles: match row[5] {
                    "" => Vec::new(),
                    oracle => vec![oracle.to_owned()],
                },
                against: (!row[6].is_empty()).then(|| row[6].to_owned()),
            });
        }
    }
    subjects.push(Subject {
        class: "lazy.Calls".to_owned(),
        bounds: BoundsRequest::Scope(2),
        oracles: Vec::new(),
        against: None,
    });
    let counts = std::fs::read_to_string(fixtures.join("korat-counts.csv")).unwrap();
    for line in counts.lines().skip(1) {
        let (class, rest) = line.split_once(',').unwrap();
        let (arguments, counts) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once("\",").unwrap(),
            None => rest.split_once(',').unwrap(),
        };
        let valid: u64 = counts.split_once(',').unwrap().1.parse().unwrap();
        if valid <= MAX_STRUCTURES {
            let arguments = arguments.split(',').filter(|text| !text.is_empty());
            subjects.push(Subject {
                class: class.to_owned(),
                bounds: BoundsRequest::Finitization {
                    name: None,
                    arguments: arguments.map(str::to_owned).collect(),
                },
                oracles: Vec::new(),
                against: None,
            });
        }
    }
    subjects
}

/// Results of all calls; `None` if there is nothing to call.
#[derive(Debug, PartialEq)]
struct Came {
    explored: Count,
    structures: Count,
    tallies: Vec<CallTally>,
    counterexamples: Vec<String>,
    refused: Option<String>,
}

/// Subject of a check, with its machines.
struct Bench<'a> {
    classes: &'a Path,
    home: &'a Path,
    subject: &'a Subject,
}

impl Bench<'_> {
    fn machine(&self) -> (Vm, Enumeration) {
        let jdk = Jdk::at(self.home).unwrap();
        let mut config = Config::new(jdk, vec![self.classes.to_owned()]);
        config.embedded = korat_api::CLASSES;
        config.assertions = true;
        let mut vm = Vm::new(config).unwrap();
        let request = invariant::StructuresRequest {
            class: self.subject.class.clone(),
            invariant: None,
            criterion: None,
            bounds: self.subject.bounds.clone(),
            step_limit: STEP_LIMIT,
        };
        let enumeration = Enumeration::prepare(&mut vm, &request).unwrap();
        (vm, enumeration)
    }
}

fn check(
    bench: &Bench<'_>,
    (vm, enumeration): &mut (Vm, Enumeration),
    calls: CallInputs,
    jobs: usize,
) -> Came {
    let subject = bench.subject;
    let request = CheckRequest {
        oracles: subject.oracles.clone(),
        against: subject.against.clone(),
        step_limit: STEP_LIMIT,
        ..CheckRequest::default()
    };
    let mut checker = Checker::new(vm, enumeration, &request).unwrap();
    let mut crew = WorkerConfig {
        jobs,
        more: &|| Some(bench.machine()),
        stops: &|| false,
        watch: &mut |state| assert!((0.0..=1.0).contains(&state.share)),
    };
    let task = CallTask::whole(calls);
    let (outcome, left) =
        check::check(vm, enumeration, &mut checker, &request, &task, &mut crew).unwrap();
    assert!(left.is_empty(), "{}", subject.class);
    let found = checker.found();
    assert_eq!(outcome.end, End::Complete, "{}", subject.class);
    Came {
        explored: outcome.progress.explored,
        structures: found.structures.clone(),
        tallies: found.tallies.clone(),
        counterexamples: found
            .counterexamples()
            .into_iter()
            .map(|found| without_numbers(&format!("{found:?}")))
            .collect(),
        refused: found.refused(),
    }
}

/// Removes class numbers, which differ between machines.
fn without_numbers(text: &str) -> String {
    let mut parts = text.split("ClassId(");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        shown.push_str("ClassId(");
        shown.push_str(part.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    }
    shown
}

fn compare(bench: &Bench<'_>, always: bool) -> (u64, u64) {
    let subject = bench.subject;
    let mut machine = bench.machine();
    let one_by_one = CallInputs::OnStructures(Strategy::Lazy);
    let mut expected = check(bench, &mut machine, one_by_one, 1);
    let on_cubes = CallInputs::OnCubes { always };
    let mut found = check(bench, &mut machine, on_cubes, 1);
    let runs = |came: &mut Came| -> u64 {
        // With second structures, calls are made one by one.
        let runs = came.tallies.iter_mut().map(|tally| {
            let runs = std::mem::take(&mut tally.runs);
            if tally.seconds.is_some() { 0 } else { runs }
        });
        runs.sum()
    };
    let runs = (runs(&mut found), runs(&mut expected));
    let name = format!("{} {:?}", subject.class, subject.bounds);
    assert_eq!(found.structures, expected.structures, "{name}");
    assert_eq!(found.tallies, expected.tallies, "{name}");
    assert_eq!(found.counterexamples, expected.counterexamples, "{name}");
    assert_eq!(found.refused, expected.refused, "{name}");
    runs
}

fn for_each_subject(mut run: impl FnMut(&Bench<'_>)) {
    let classes = fixtures::classes();
    let home = &jdks()[0].home;
    for subject in &subjects() {
        run(&Bench {
            classes: &classes,
            home,
            subject,
        });
    }
}

fn compare_all(always: bool) {
    let (mut runs, mut calls) = (0, 0);
    for_each_subject(|bench| {
        let (made, one_by_one) = compare(bench, always);
        runs += made;
        calls += one_by_one;
    });
    assert!(calls > 3 * runs, "{runs} runs for {calls} calls");
}

#[test]
#[ignore = "long"]
fn calls_on_cubes_come_to_what_calls_on_structures_do() {
    compare_all(false);
}

#[test]
#[ignore = "long"]
fn so_they_do_where_that_does_not_pay() {
    compare_all(true);
}

/// The subjects take turns with the ways to call, and these with two workers and three.
#[test]
#[ignore = "long"]
fn many_workers_come_to_what_one_does() {
    const WAYS: [CallInputs; 3] = [
        CallInputs::OnCubes { always: false },
        CallInputs::OnStructures(Strategy::Lazy),
        CallInputs::OnStructures(Strategy::Korat),
    ];
    let mut index = 0;
    for_each_subject(|bench| {
        let mut machine = bench.machine();
        let (calls, jobs) = (WAYS[index % 3], 2 + index / 3 % 2);
        index += 1;
        let expected = check(bench, &mut machine, calls, 1);
        let found = check(bench, &mut machine, calls, jobs);
        let subject = bench.subject;
        let name = format!("{} {:?} {calls:?} {jobs}", subject.class, subject.bounds);
        assert_eq!(found, expected, "{name}");
    });
}
