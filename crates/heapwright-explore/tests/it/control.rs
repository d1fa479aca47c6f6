//! Paths through switches, handlers and loops; what bounds, limits and refusals make of them.

use std::ops::ControlFlow;

use heapwright_explore::symbolic::{Bound, InputCut, Limits, PathOutcome, Stopper};
use heapwright_explore::{End, Search, Tree};
use heapwright_jvm::Limit;

use crate::common::inputs::{
    Contents, Input, Path, Target, Value, ints, is_followed, longs, product,
};
use crate::common::{go_on, machine};

const SOURCE: &str = r#"
class Control {
    enum Colour { RED, GREEN, BLUE }
    static int state = 3;
    static int dense(int a) {
        switch (a) {
            case 1: return 10;
            case 2: a += 5;
            case 3: return a;
            case 5: return 50;
            default: return -1;
        }
    }
    static int sparse(int a) {
        return switch (a) { case -1000, 7 -> 1; case 1 << 30 -> 2; default -> a > 7 ? 3 : 4; };
    }
    static int handled(int a, int b) {
        int seen = 0;
        try {
            seen = 1;
            int c = a / b;
            if (c == 3) throw new IllegalStateException();
            seen = 2;
        } catch (ArithmeticException e) {
            seen += 10;
        } finally {
            seen += 100;
        }
        return seen;
    }
    static int nested(int a) {
        try {
            try {
                if (a < 0) throw new IllegalArgumentException();
                if (a > 5) throw new Error();
                return 1;
            } finally {
                if (a == -3) return 2;
            }
        } catch (RuntimeException e) {
            return 3;
        }
    }
    static int named(Colour a) { return a == Colour.GREEN ? 1 : a == null ? 2 : a.ordinal() + 5; }
    static int statics(int a) {
        if (a > state) state = a;
        state++;
        System.out.println("seen");
        return state;
    }
    static int loop(int a) {
        int n = 0;
        for (int i = 0; i < a; i++) n += 2;
        return n;
    }
    static int recursion(int a) { return a <= 0 ? 0 : 1 + recursion(a - 1); }
    static int decisions(int a) {
        int n = 0;
        if ((a & 1) != 0) n++;
        if ((a & 2) != 0) n++;
        if ((a & 4) != 0) n++;
        return n;
    }
    static int endless(int a) {
        while (a > 5) { }
        return a;
    }
    static int deep(int a) { return a > 5 ? deep(a) : 1; }
    static int thread(int a) {
        if (a == 3) new Thread(() -> { }).start();
        return a < 4 ? 0 : 1;
    }
    static int exit(int a) {
        if (a == 3) System.exit(7);
        return 1;
    }
    static int sleep(long a) throws InterruptedException {
        if (a < 4) return 0;
        Thread.sleep(a);
        return 1;
    }
    static int room(int a) { return new int[a].length; }
    static boolean isProduct(long a, long b) {
        return a > 1 && b > 1 && a * b == 1_000_000_016_000_000_063L;
    }
    static int isLong(int[] a) { return a.length > 4 ? 1 : 0; }
}
"#;

fn target(vm: &mut heapwright_jvm::Vm, method: &str) -> Target {
    Target::new(vm, "Control", method, &[])
}

fn check(method: &str, inputs: &[Input]) -> Vec<Path> {
    let mut vm = machine(SOURCE);
    target(&mut vm, method).check(&mut vm, inputs)
}

fn outcomes(paths: &[Path]) -> Vec<&str> {
    let mut outcomes: Vec<&str> = paths.iter().map(|path| &*path.outcome).collect();
    outcomes.sort_unstable();
    outcomes
}

#[test]
fn each_case_of_a_switch_is_a_path() {
    let paths = check("dense", &product(&[&ints(-2..8)]));
    assert_eq!(outcomes(&paths), ["-1", "10", "3", "50", "7"]);
    let edges = [
        -1001,
        -1000,
        -999,
        0,
        6,
        7,
        8,
        (1 << 30) - 1,
        1 << 30,
        (1 << 30) + 1,
    ];
    check("sparse", &product(&[&ints(edges)]));
}

#[test]
fn handlers_and_finally_run() {
    let numbers = ints([-3, 0, 1, 2, 3, 6, 7]);
    let paths = check("handled", &product(&[&numbers, &numbers]));
    assert!(outcomes(&paths).contains(&"throws java.lang.IllegalStateException"));
    let paths = check("nested", &product(&[&ints(-5..8)]));
    assert_eq!(outcomes(&paths), ["1", "2", "3", "throws java.lang.Error"]);
}

#[test]
fn constants_of_enums_are_inputs() {
    let mut vm = machine(SOURCE);
    let mut target = target(&mut vm, "named");
    let colours = vm.load_class("Control$Colour").unwrap();
    vm.initialize_now(colours).unwrap();
    for name in ["RED", "GREEN", "BLUE"] {
        let word = vm.find_field(colours, name).unwrap().word;
        let constant = heapwright_jvm::Ref::from_slot(vm.heap.load(word));
        target.universe.known.push(constant);
    }
    let values = target
        .universe
        .known
        .iter()
        .map(|&object| Value::Known(object));
    let inputs = values.chain([Value::Null]).map(|value| Input {
        roots: vec![value],
        objects: Vec::new(),
    });
    let paths = target.check(&mut vm, &inputs.collect::<Vec<_>>());
    assert_eq!(outcomes(&paths), ["1", "2", "5", "7"]);
}

/// Each path begins with the static state that was there, and leaves neither state nor output.
#[test]
fn static_state_and_output_go_back() {
    let mut vm = machine(SOURCE);
    let target = target(&mut vm, "statics");
    let paths = target.check(&mut vm, &product(&[&ints(-2..9)]));
    assert_eq!(outcomes(&paths), ["4", "5"]);
    assert!(vm.output().is_empty());
}

/// A bound of k leaves the paths of up to k further iterations, and cuts the others off at once.
#[test]
fn loops_and_recursion_are_bounded() {
    let mut vm = machine(SOURCE);
    for method in ["loop", "recursion"] {
        for bound in 1..5 {
            let target = target(&mut vm, method).loops(bound);
            let paths = target.check(&mut vm, &product(&[&ints(-1..8)]));
            let followed = paths.iter().filter(|path| is_followed(&path.outcome));
            assert_eq!(
                followed.count(),
                bound as usize + 1,
                "{method} {bound}: {paths:#?}"
            );
            assert_eq!(paths.len(), bound as usize + 2, "{method} {bound}");
        }
    }
}

#[test]
fn decisions_are_bounded() {
    let mut vm = machine(SOURCE);
    let mut counts = Vec::new();
    for bound in 0..5 {
        let mut target = target(&mut vm, "decisions");
        target.bounds.decisions = bound;
        let paths = target.check(&mut vm, &product(&[&ints(-1..9)]));
        let bounded = format!("{:?}", PathOutcome::Bounded(Bound::Decisions));
        let cut = paths.iter().filter(|path| path.outcome == bounded).count();
        counts.push((paths.len(), cut));
    }
    assert_eq!(counts, [(1, 1), (2, 2), (4, 4), (8, 0), (8, 0)]);
}

/// A path that reaches the limit of one run ends with it, and the others are as they were.
#[test]
fn runs_that_do_not_end_reach_a_limit() {
    let mut vm = machine(SOURCE);
    for (method, limit) in [("endless", Limit::Steps), ("deep", Limit::Steps)] {
        let mut target = target(&mut vm, method);
        target.steps = 2_000;
        let paths = target.paths(&mut vm);
        let limited: Vec<&Path> = paths
            .iter()
            .filter(|path| !is_followed(&path.outcome))
            .collect();
        assert_eq!(limited.len(), 1, "{method}: {paths:#?}");
        let expected = format!("{:?}", PathOutcome::Limit(limit));
        assert_eq!(limited[0].outcome, expected, "{method}");
        target.check(&mut vm, &product(&[&ints([-1, 5, 6, 7])]));
    }
    // Arrays longer than there is room for.
    let mut target = target(&mut vm, "room");
    target.bounds.room = 2;
    let paths = target.check(&mut vm, &product(&[&ints(-2..5)]));
    assert_eq!(paths.len(), 3, "{paths:#?}");
    assert_eq!(
        paths
            .iter()
            .filter(|path| !is_followed(&path.outcome))
            .count(),
        1
    );
}

/// What is refused, and the end of the program, end one path.
#[test]
fn refusals_end_one_path() {
    let mut vm = machine(SOURCE);
    for (method, outcome) in [("thread", "Refused"), ("exit", "Exited")] {
        let target = target(&mut vm, method);
        let inputs = product(&[&ints([-1, 0, 3, 4, 9])]);
        let paths = target.check(&mut vm, &inputs);
        let refused = paths
            .iter()
            .filter(|path| path.outcome.starts_with(outcome));
        assert_eq!(refused.count(), 1, "{method}: {paths:#?}");
        let mut search = target.search();
        let end = search.run(
            &mut vm,
            &mut go_on,
            &mut |_, _, _| ControlFlow::Continue(()),
        );
        assert_eq!(end.unwrap(), End::Complete);
        assert_eq!(search.progress().refused, 1, "{method}");
        assert_eq!(search.progress().explored, paths.len() as u64, "{method}");
    }
}

/// A native that needs a value gets some, one on each path, and the rest are cut off.
#[test]
fn natives_get_some_values() {
    let mut vm = machine(SOURCE);
    for values in 1..4 {
        let mut target = target(&mut vm, "sleep");
        target.bounds.values = values;
        let paths = target.check(&mut vm, &product(&[&longs([-1, 0, 3, 4, 5, 1000])]));
        let fixed = paths
            .iter()
            .filter(|path| path.fixed > 0 && is_followed(&path.outcome));
        assert_eq!(fixed.count(), values as usize, "{paths:#?}");
        let bounded = format!("{:?}", PathOutcome::Bounded(Bound::Values));
        let cut = paths.iter().filter(|path| path.outcome == bounded);
        assert_eq!(cut.count(), 1, "{paths:#?}");
        let mut search = target.search();
        let _ = search.run(
            &mut vm,
            &mut go_on,
            &mut |_, _, _| ControlFlow::Continue(()),
        );
        let places: Vec<&str> = search.fixed_at().keys().map(String::as_str).collect();
        assert!(
            places
                .iter()
                .all(|place| place.starts_with("Control.sleep(long):")),
            "{places:?}"
        );
        assert_eq!(places.len(), 1);
    }
}

/// Past the solver's limit sides count as possible, and their paths are marked.
#[test]
fn undecided_sides_are_possible() {
    let mut vm = machine(SOURCE);
    let mut target = target(&mut vm, "isProduct");
    target.limits = Limits { work: 1 };
    let mut unknown = Vec::new();
    let mut decided = 0;
    target.walk(&mut vm, |_, end, search| {
        if end.unknown > 0 {
            assert_eq!(end.model, None);
            unknown.push(format!("{:?}", end.outcome));
        }
        decided += u32::from(end.model.is_some());
        assert!(search.statistics().unknown > 0 || end.unknown == 0);
    });
    assert_eq!(unknown, ["Returned(1)"]);
    assert!(decided >= 3, "{decided}");
}

/// What the bounds cut off beside a path is noted, and nothing where they cut nothing off.
#[test]
fn cuts_of_lengths_are_noted() {
    let mut vm = machine(SOURCE);
    for (length, is_cut) in [(3, true), (4, true), (5, false)] {
        let mut target = target(&mut vm, "isLong");
        target.bounds.length = length;
        let mut search = target.search();
        search.note_cuts(Limits::default(), Stopper::default());
        let mut cuts = Vec::new();
        let end = search.run(&mut vm, &mut go_on, &mut |_, end, _| {
            cuts.extend(end.cuts.iter());
            ControlFlow::Continue(())
        });
        assert_eq!(end.unwrap(), End::Complete);
        let expected: &[InputCut] = if is_cut { &[InputCut::Lengths] } else { &[] };
        assert_eq!(cuts, expected, "{length}");
        let arrays = (0..=length as usize).map(|length| {
            let mut input = Input::default();
            let elements = vec![Value::Number(0); length];
            let array = input.add("[I", Contents::Elements(elements));
            input.roots.push(array);
            input
        });
        target.check(&mut vm, &arrays.collect::<Vec<_>>());
    }
}
