//! Induction over loops and calls: it proves what holds of all runs, and nothing else.

use std::ops::ControlFlow;

use heapwright_code::ControlFlow as MethodFlow;
use heapwright_explore::symbolic::{CutKind, CutPoint, Induction, Limits, PathOutcome, Stopper};
use heapwright_explore::{End, Tree};
use heapwright_jvm::{ArrayTerms, Vm};

use crate::common::inputs::Target;
use crate::common::{go_on, machine};

const SOURCE: &str = "
class Loops {
    static int total;
    static void counts(int a) {
        int i = 0;
        while (i < a) i++;
        if (i < 0) throw new AssertionError();
    }
    static void exceeds(int a) {
        int i = 0;
        while (i < a) i++;
        if (i > 1000) throw new AssertionError();
    }
    static void apart(int a) {
        int i = 0, j = 5;
        while (i < a) {
            i++;
            j++;
        }
        if (j != i + 5) throw new AssertionError();
    }
    static void drifting(int a) {
        int i = 0, j = 5;
        while (i < a) {
            i++;
            j += i == 70 ? 2 : 1;
        }
        if (j != i + 5) throw new AssertionError();
    }
    static void even(int a) {
        int i = 0;
        while (i < a && i < 1000) i += 2;
        if (i % 2 != 0) throw new AssertionError();
    }
    static void statics(int a) {
        total = 0;
        for (int i = 0; i < a; i++) if (total < 50) total++;
        if (total > 50) throw new AssertionError();
    }
    static void elements(int a) {
        if (a < 0) return;
        int[] b = new int[a];
        for (int i = 0; i < a; i++) b[i] = 7;
        for (int i = 0; i < a; i++) if (b[i] > 10) throw new AssertionError();
    }
    static void recursive(int a) {
        if (climb(a) < 0) throw new AssertionError();
    }
    static int climb(int a) { return a <= 0 || a > 90_000 ? 0 : 1 + climb(a - 1) % 7; }
    static void deep(int a) {
        if (fall(a) == -40) throw new AssertionError();
    }
    static int fall(int a) { return a <= 0 ? 0 : fall(a - 1) - 1; }
}
";

/// Solver's work to tell that a violating path is infeasible.
const WORK: u64 = 1_000_000;

/// Invariants with which induction proves that no run of a method throws, if it does. They speak
/// of remainders only where there is no proof otherwise, if at all.
fn proves(vm: &mut Vm, method: &str, with_remainders: bool) -> Option<Induction> {
    let mut target = Target::new(vm, "Loops", method, &[]).loops(2);
    target.bounds.array_terms = ArrayTerms::All;
    let mut induction = Induction::default();
    // More searches than any of these methods needs.
    for _ in 0..400 {
        induction.prepare(vm);
        let mut search = target.search();
        search.note_cuts(Limits::default(), Stopper::default());
        search.leave_models_out();
        search.induct(induction);
        let mut violations = 0;
        let mut cut = 0;
        let end = search.run(vm, &mut go_on, &mut |_, end, search| {
            let is_infeasible = search.is_infeasible(WORK).unwrap();
            match end.outcome {
                PathOutcome::Returned(_) => {}
                _ if is_infeasible => {}
                PathOutcome::Threw(_) => violations += 1,
                _ => cut += 1,
            }
            cut += end.cuts.iter().count();
            ControlFlow::Continue(())
        });
        induction = search.take_induction().unwrap();
        induction.remove(vm);
        if induction.obstacle().is_some() {
            return None;
        }
        if let Some(again) = induction.take_repetition() {
            let listing = vm.listing(again.method).unwrap();
            let flow = MethodFlow::new(&listing);
            let known: Vec<CutPoint> = induction.summaries().iter().map(|all| all.point).collect();
            let (method, kind) = match again.is_recursion {
                true => (again.method, CutKind::Call),
                false => (again.method, CutKind::Loop),
            };
            let places = match kind {
                CutKind::Call => vec![0],
                CutKind::Loop => flow.loop_heads(flow.place(again.at)?),
            };
            let points = places.into_iter().map(|place| CutPoint {
                method,
                at: flow.at(place),
                kind,
            });
            let point = points.into_iter().find(|point| !known.contains(point))?;
            induction.cut(point);
        } else if !induction.is_changed() {
            if end.unwrap() == End::Complete && violations == 0 && cut == 0 {
                return Some(induction);
            }
            let is_more = violations > 0
                && (induction.guess_elements()
                    || induction.peel()
                    || with_remainders && induction.guess_cases());
            if !is_more {
                return None;
            }
        }
    }
    panic!("{method} does not end");
}

#[test]
fn loops_are_closed_by_what_each_iteration_keeps() {
    let mut vm = machine(SOURCE);
    for method in ["counts", "apart", "statics"] {
        let induction = proves(&mut vm, method, false);
        let induction = induction.unwrap_or_else(|| panic!("{method} is not proven"));
        let [summary] = induction.summaries() else {
            panic!("{method}: {:?}", induction.summaries());
        };
        assert_eq!(summary.point.kind, CutKind::Loop, "{method}");
        assert!(!summary.entry().is_empty(), "{method}");
        assert_eq!(
            induction.count(),
            summary.entry().len() + summary.exit().len()
        );
    }
}

/// Violations that only many iterations come to are not overlooked.
#[test]
fn what_some_iteration_violates_is_not_proven() {
    let mut vm = machine(SOURCE);
    for method in ["exceeds", "drifting"] {
        assert!(proves(&mut vm, method, false).is_none(), "{method}");
    }
}

#[test]
fn elements_of_arrays_of_any_length_are_guessed_at() {
    let mut vm = machine(SOURCE);
    let induction = proves(&mut vm, "elements", false).expect("a proof");
    assert_eq!(induction.summaries().len(), 2);
}

#[test]
fn remainders_are_guessed_at_where_nothing_else_helps() {
    let mut vm = machine(SOURCE);
    assert!(proves(&mut vm, "even", false).is_none());
    assert!(proves(&mut vm, "even", true).is_some());
}

#[test]
fn calls_are_replaced_by_contracts() {
    let mut vm = machine(SOURCE);
    let induction = proves(&mut vm, "recursive", false).expect("a proof");
    let calls = induction
        .summaries()
        .iter()
        .filter(|all| all.point.kind == CutKind::Call);
    let contract = calls.map(|summary| summary.exit().len()).max();
    assert!(contract > Some(0), "{:?}", induction.summaries());
    assert!(proves(&mut vm, "deep", false).is_none());
}

/// The machine has no probes left, and ordinary searches find what they found before.
#[test]
fn induction_leaves_the_machine_as_it_was() {
    let mut vm = machine(SOURCE);
    let target = Target::new(&mut vm, "Loops", "drifting", &[]).loops(3);
    let before = target.paths(&mut vm);
    let permanent = vm.heap.permanent_words();
    let hash = vm.state_hash(permanent);
    assert!(proves(&mut vm, "drifting", false).is_none());
    assert_eq!(vm.state_hash(permanent), hash);
    assert_eq!(target.paths(&mut vm), before);
}

/// Invariants without which there is no proof are not dropped in vain.
#[test]
fn a_proof_rests_on_its_invariants() {
    let mut vm = machine(SOURCE);
    let induction = proves(&mut vm, "apart", false).unwrap();
    let bare = induction.without(&(0..induction.count()));
    assert_eq!(bare.count(), 0);
    let target = Target::new(&mut vm, "Loops", "apart", &[]).loops(2);
    let mut violates = |mut induction: Induction| {
        induction.prepare(&mut vm);
        let mut search = target.search();
        search.induct(induction);
        let mut thrown = 0;
        let _ = search.run(&mut vm, &mut go_on, &mut |_, end, _| {
            thrown +=
                u32::from(matches!(end.outcome, PathOutcome::Threw(_)) && end.model.is_some());
            ControlFlow::Continue(())
        });
        search.take_induction().unwrap().remove(&mut vm);
        thrown > 0
    };
    assert!(violates(bare));
    assert!(!violates(induction));
}
