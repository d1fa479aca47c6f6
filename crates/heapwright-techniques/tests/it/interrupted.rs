//! Searches over paths that are interrupted at random, at a path or at a solver query, and resumed.
//! They find the same paths. A debug build detects a term that outlives its path.

use std::ops::ControlFlow;

use heapwright_explore::symbolic::{PathEnd, Stopper, SymbolicSearch};
use heapwright_explore::{End, Search, Span, Tree};
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_techniques::symbolic::{SymbolicRequest, Target, targets};
use heapwright_testkit::jdk::compilers;
use heapwright_testkit::random::Random;

use crate::common::paths::{compiled, request};

const CLASSES: [&str; 4] = ["Messages", "Small", "Members", "Wides"];
/// Approximate number of pieces of a search.
const PIECES: u64 = 6;

/// Describes a path.
fn text(vm: &Vm, end: &PathEnd, search: &SymbolicSearch<'_>) -> String {
    format!("{:?} {:?}", search.decision_texts(vm), end.model)
}

/// Runs a search until a number of paths were found.
fn paths_of(
    vm: &mut Vm,
    search: &mut SymbolicSearch<'_>,
    most: u64,
    found: &mut Vec<String>,
) -> End {
    let mut left = most;
    let end = search.run(
        vm,
        &mut |_| ControlFlow::Continue(()),
        &mut |vm, end, search| {
            if left == 0 {
                return ControlFlow::Break(());
            }
            left -= 1;
            found.push(text(vm, end, search));
            ControlFlow::Continue(())
        },
    );
    end.unwrap()
}

/// Returns the paths of a target, found in pieces of random length, between which the solver is
/// stopped at random.
fn in_pieces(
    vm: &mut Vm,
    target: &Target,
    request: &SymbolicRequest,
    paths: usize,
    dice: &mut Random,
) -> Vec<String> {
    let most = paths as u64 * 2 / PIECES + 1;
    let mut search = target.search(request);
    let mut found = Vec::new();
    loop {
        if dice.below(3) == 0 {
            let stopper = Stopper::default();
            stopper.stop();
            search.stop_by(stopper);
        } else {
            search.stop_by(Stopper::default());
        }
        match paths_of(vm, &mut search, 1 + dice.below(most), &mut found) {
            End::Complete => return found,
            _ => {
                let rest: Option<Span> = search.rest().cloned();
                search.start_at(rest.unwrap_or_default());
            }
        }
    }
}

#[test]
fn what_is_broken_off_and_gone_on_with_finds_the_same() {
    let (classes, _) = compiled();
    let jdk = Jdk::find(Some(&compilers()[0].home)).unwrap();
    let mut vm = Vm::new(Config::new(jdk, vec![classes])).unwrap();
    let mut dice = Random::new(7);
    for class in CLASSES {
        let request = request(&format!("symbolic.{class}"), "");
        for target in targets(&mut vm, &request).unwrap() {
            let mut whole = Vec::new();
            let mut search = target.search(&request);
            let end = paths_of(&mut vm, &mut search, u64::MAX, &mut whole);
            assert_eq!(end, End::Complete, "{class}.{}", target.name);
            let pieces = in_pieces(&mut vm, &target, &request, whole.len(), &mut dice);
            assert_eq!(pieces, whole, "{class}.{}", target.name);
        }
    }
}
