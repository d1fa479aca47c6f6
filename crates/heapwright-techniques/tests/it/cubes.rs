//! Calls on cubes have the results of calls on their structures, one by one: the same counts of
//! calls, rejections and failures for each method, and the same counterexamples. The results do not
//! depend on the number of workers, nor do the runs.

use heapwright_explore::{Count, End, Strategy};
use heapwright_jvm::Vm;
use heapwright_techniques::check::{CallInputs, CallTally};
use heapwright_techniques::invariant::Enumeration;
use heapwright_testkit::fixtures::project;
use heapwright_testkit::seeded;

use crate::common::checks::Subject;

/// Most structures on which calls are made.
const MAX_STRUCTURES: u64 = 3_000;

/// Subjects: seeded faults at the scope where they show and at the next one, methods with various
/// behaviour, and classes with known Korat counts.
fn subjects() -> Vec<Subject> {
    let mut subjects = Vec::new();
    for fault in seeded::faults() {
        let scopes = [fault.scope, fault.scope + 1];
        subjects.extend(scopes.map(|scope| Subject::seeded(&fault, scope)));
    }
    subjects.push(Subject::new("lazy.Calls", 2));
    let counts = std::fs::read_to_string(project().join("fixtures/korat-counts.csv")).unwrap();
    for line in counts.lines().skip(1) {
        let (class, rest) = line.split_once(',').unwrap();
        let (arguments, counts) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once("\",").unwrap(),
            None => rest.split_once(',').unwrap(),
        };
        let valid: u64 = counts.split_once(',').unwrap().1.parse().unwrap();
        if valid <= MAX_STRUCTURES {
            subjects.push(Subject::finitized(class, arguments));
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

fn check(
    subject: &Subject,
    machine: &mut (Vm, Enumeration),
    calls: CallInputs,
    jobs: usize,
) -> Came {
    let checked = subject.check_on(machine, calls, jobs).unwrap();
    let (outcome, found) = (checked.outcome, checked.checker.found());
    assert!(checked.left.is_empty(), "{}", subject.class);
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

fn compare(subject: &Subject, always: bool) -> (u64, u64) {
    let mut machine = subject.machine().unwrap();
    let one_by_one = CallInputs::OnStructures(Strategy::Lazy);
    let mut expected = check(subject, &mut machine, one_by_one, 1);
    let on_cubes = CallInputs::OnCubes { always };
    let mut found = check(subject, &mut machine, on_cubes, 1);
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

fn compare_all(always: bool) {
    let (mut runs, mut calls) = (0, 0);
    for subject in subjects() {
        let (made, one_by_one) = compare(&subject, always);
        runs += made;
        calls += one_by_one;
    }
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
    for (index, subject) in subjects().iter().enumerate() {
        let (calls, jobs) = (WAYS[index % 3], 2 + index / 3 % 2);
        same_with_workers(subject, calls, &[jobs]);
    }
}

fn same_with_workers(subject: &Subject, calls: CallInputs, all_jobs: &[usize]) {
    let mut machine = subject.machine().unwrap();
    let expected = check(subject, &mut machine, calls, 1);
    for &jobs in all_jobs {
        let found = check(subject, &mut machine, calls, jobs);
        let name = format!("{} {:?} {calls:?} {jobs}", subject.class, subject.bounds);
        assert_eq!(found, expected, "{name}");
    }
}

/// Searches that are longer, and methods that do not end or take all memory.
#[test]
#[ignore = "long"]
fn many_workers_come_to_what_one_does_in_larger_scopes() {
    let mut stuck = Subject::new("probe.Stuck", 4);
    stuck.request.step_limit = 10_000_000;
    for subject in [
        Subject::finitized("fixtures.tree.SearchTree", "7"),
        Subject::finitized("fixtures.list.DoublyLinkedList", "6,5"),
        Subject::new("faults.HashTable", 7),
        Subject::new("faults.PurgeList", 5),
        Subject::new("faults.ParentTree", 5),
        stuck,
        Subject::new("probe.Range", 4),
    ] {
        for calls in [
            CallInputs::OnCubes { always: false },
            CallInputs::OnStructures(Strategy::Korat),
        ] {
            same_with_workers(&subject, calls, &[2, 3]);
        }
    }
}

/// Methods with oracles of their own, rejections and refusals, in either search.
#[test]
fn calls_on_cubes_are_counted_as_calls() {
    for (class, scope) in [
        ("probe.Box", 3),
        ("probe.Counter", 3),
        ("probe.Numbers", 2),
        ("probe.Refuser", 2),
        ("probe.Worker", 2),
    ] {
        let subject = Subject::new(class, scope);
        let counted = |calls: CallInputs| {
            let mut found = check(&subject, &mut subject.machine().unwrap(), calls, 1);
            for tally in &mut found.tallies {
                tally.runs = 0;
            }
            (found.structures, found.tallies)
        };
        assert_eq!(
            counted(CallInputs::OnCubes { always: false }),
            counted(CallInputs::OnStructures(Strategy::Korat)),
            "{class}"
        );
    }
}
