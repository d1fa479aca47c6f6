//! Probes and prologues that note calls change nothing of what programs do. Probes report every block that
//! is entered; visits and calls since a mark are forgotten when the machine goes back to it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use heapwright_jvm::listing::{ListedOperation, Listing};
use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::prologues::NotedCall;
use heapwright_jvm::{Exit, Jdk, Limit, MethodId, Plain, PrintedText, Vm};
use heapwright_testkit::random::Random;

use crate::common;

const PROGRAMS: u64 = 30;
/// Number of steps that no program here reaches.
const FOREVER: u64 = 1 << 40;

fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| common::fixture(&["Walk.java"]).classes())
}

/// Inserts probes before every instruction of every `every`-th method of the program's classes, whose
/// calls are noted, too; returns their number.
fn probe_all(vm: &mut Vm, every: usize) -> usize {
    let mut files: Vec<_> = std::fs::read_dir(classes().join("walk")).unwrap().collect();
    files.sort_by_key(|file| file.as_ref().unwrap().file_name());
    let (mut number, mut points) = (0, 0);
    for file in files {
        let name = file.unwrap().file_name().into_string().unwrap();
        let class = name.strip_suffix(".class").unwrap();
        // Some classes are meant to fail loading.
        let Ok(class) = vm.load_class(&format!("walk/{class}")) else {
            continue;
        };
        for method in vm.class(class).methods.clone() {
            number += 1;
            if number % every == 0
                && let Ok(listing) = vm.listing(method)
            {
                let places: Vec<u16> = listing.instructions.iter().map(|it| it.at).collect();
                vm.probe(method, &places);
                vm.note_calls(method);
                points += places.len();
            }
        }
    }
    points
}

fn machine(jdk: &Jdk) -> (Vm, MethodId) {
    let mut vm = common::machine(jdk, classes(), |_| ());
    let run = common::method(&mut vm, "walk/Walk", "run");
    (vm, run)
}

/// Outcome, output and probe visits of a run.
#[derive(Clone, Debug, PartialEq)]
struct Seen {
    exit: String,
    output: Vec<PrintedText>,
    visits: Vec<ProbeVisit>,
    calls: Vec<NotedCall>,
}

fn run_on(vm: &mut Vm, steps: u64) -> (Exit, Seen) {
    vm.limit_steps(steps);
    let exit = vm.run(&mut Plain);
    let seen = Seen {
        exit: vm.exit_text(&exit),
        output: vm.output().to_vec(),
        visits: vm.visits().to_vec(),
        calls: vm.noted_calls().to_vec(),
    };
    (exit, seen)
}

/// Arguments of `walk.Walk.run(long seed, int steps)`.
fn arguments(seed: u64) -> [u64; 3] {
    [seed, 0, 4 + seed]
}

#[test]
fn programs_do_with_probes_what_they_do_without() {
    for jdk in common::jdks() {
        let (mut plain, run) = machine(&jdk);
        let (mut probed, probed_run) = machine(&jdk);
        assert!(probe_all(&mut probed, 1) > 1_000);
        for seed in 0..PROGRAMS {
            let mut seen = [(&mut plain, run), (&mut probed, probed_run)].map(|(vm, run)| {
                let root = vm.mark();
                vm.call(run, &arguments(seed)).unwrap();
                let (_, seen) = run_on(vm, FOREVER);
                vm.undo_to(root);
                vm.forget(root);
                seen
            });
            assert!(seen[0].visits.is_empty() && seen[1].visits.len() > 100);
            check_visits(&probed, &seen[1].visits);
            seen[1].visits.clear();
            assert!(seen[0].calls.is_empty() && !seen[1].calls.is_empty());
            let words = |call: &NotedCall| usize::from(probed.method(call.method).argument_words);
            let mut calls = seen[1].calls.iter();
            assert!(calls.all(|call| call.arguments.len() == words(call)));
            seen[1].calls.clear();
            assert_eq!(seen[0], seen[1], "JDK {}, program {seed}", jdk.feature);
        }
    }
}

/// Code of methods, cached.
#[derive(Default)]
struct Listings(HashMap<MethodId, Listing>);

impl Listings {
    fn of(&mut self, vm: &Vm, method: MethodId) -> &Listing {
        let listings = self.0.entry(method);
        listings.or_insert_with(|| vm.listing(method).unwrap())
    }
}

/// Checks, with a probe before each instruction, that each visit of a frame is followed by one of
/// a successor.
fn check_visits(vm: &Vm, visits: &[ProbeVisit]) {
    let mut listings = Listings::default();
    let mut frames: Vec<(u32, MethodId, u16)> = Vec::new();
    for visit in visits {
        let point = vm.point(visit.point);
        while frames.last().is_some_and(|top| top.0 > visit.depth) {
            frames.pop();
        }
        let here = frames
            .last()
            .filter(|top| top.0 == visit.depth && top.1 == point.method);
        if let Some(&(.., before)) = here
            && point.at != 0
        {
            let listing = listings.of(vm, point.method);
            let is_handler = listing.handlers.iter().any(|it| it.target == point.at);
            assert!(
                follows(listing, before, point.at) || is_handler && visit.thrown.is_some(),
                "{}: from {before} to {visit:?} at {}",
                vm.method_text(point.method),
                point.at
            );
        } else {
            assert_eq!((point.at, visit.thrown), (0, None), "{visit:?}");
            frames.retain(|frame| frame.0 < visit.depth);
        }
        match frames.last_mut().filter(|top| top.0 == visit.depth) {
            Some(top) => *top = (visit.depth, point.method, point.at),
            None => frames.push((visit.depth, point.method, point.at)),
        }
    }
}

fn follows(listing: &Listing, before: u16, at: u16) -> bool {
    let number = listing.place(before).unwrap();
    let step = &listing.instructions[number].step;
    let next = listing.instructions.get(number + 1);
    let falls = step.falls_through() && next.is_some_and(|next| next.at == at);
    falls
        || match step {
            ListedOperation::Branch(_, to) | ListedOperation::Goto(to) => *to == at,
            ListedOperation::Switch(switch) => {
                switch.default == at || switch.pairs.iter().any(|pair| pair.1 == at)
            }
            _ => false,
        }
}

#[test]
fn going_back_forgets_what_was_noted_since() {
    const STOPS: u64 = 8;
    let mut longer = 0;
    for jdk in common::jdks() {
        let mut random = Random::new(u64::from(jdk.feature));
        let (mut vm, run) = machine(&jdk);
        probe_all(&mut vm, 1);
        for seed in 0..PROGRAMS {
            let root = vm.mark();
            vm.call(run, &arguments(seed)).unwrap();
            let before = vm.steps();
            let (_, whole) = run_on(&mut vm, FOREVER);
            let mut left = vm.steps() - before;
            vm.undo_to(root);
            assert!(vm.visits().is_empty());
            vm.call(run, &arguments(seed)).unwrap();
            for _ in 0..STOPS {
                let piece = random.below(left.max(1));
                left -= piece;
                let (exit, _) = run_on(&mut vm, piece);
                assert_eq!(exit, Exit::Limit(Limit::Steps));
                let mark = vm.mark();
                let noted = vm.visits().to_vec();
                assert!(whole.visits.starts_with(&noted));
                let calls = vm.noted_calls().to_vec();
                assert!(whole.calls.starts_with(&calls));
                let (_, again) = run_on(&mut vm, FOREVER);
                longer += u64::from(again.visits.len() > noted.len());
                assert_eq!(again, whole, "JDK {}, program {seed}", jdk.feature);
                vm.undo_to(mark);
                assert_eq!(vm.visits(), noted);
                assert_eq!(vm.noted_calls(), calls);
            }
            vm.undo_to(root);
            vm.forget(root);
        }
    }
    assert!(longer > PROGRAMS * STOPS / 2, "{longer}");
}

/// Exceptions caught in methods without probes are not reported to the probes of others.
#[test]
fn handlers_alone_are_told_what_they_handle() {
    let mut handled = 0;
    for jdk in common::jdks() {
        for every in 2..5 {
            let (mut vm, run) = machine(&jdk);
            probe_all(&mut vm, every);
            let mut listings = Listings::default();
            for seed in 0..PROGRAMS {
                let root = vm.mark();
                vm.call(run, &arguments(seed)).unwrap();
                let (_, seen) = run_on(&mut vm, FOREVER);
                vm.undo_to(root);
                vm.forget(root);
                for visit in seen.visits {
                    let point = vm.point(visit.point);
                    let listing = listings.of(&vm, point.method);
                    let is_handler = listing.handlers.iter().any(|it| it.target == point.at);
                    let place = vm.method_text(point.method);
                    assert_eq!(visit.thrown.is_some(), is_handler, "{visit:?} in {place}");
                    handled += u64::from(is_handler);
                }
            }
        }
    }
    assert!(handled > 100, "{handled}");
}
