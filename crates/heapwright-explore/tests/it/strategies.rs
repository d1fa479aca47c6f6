//! Ways to search the paths of a method: merged branches and other orders change nothing of what
//! the paths say.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

use heapwright_explore::symbolic::{AtMost, DepthFirst, Steering, Untaken};
use heapwright_explore::{End, Search, Tree};
use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::{BranchSuccessor, MethodId, Vm};

use crate::common::inputs::{Contents, Input, Path, Target, Value, doubles, ints, product};
use crate::common::{go_on, machine};

const SOURCE: &str = r#"
class Branches {
    int field;
    static int total;
    static int bits(int a) {
        int n = 0;
        if ((a & 1) != 0) n++;
        if ((a & 2) != 0) n += 2;
        if ((a & 4) != 0) n = -n;
        if ((a & 8) != 0) n *= 3;
        return n > 3 ? 100 : n;
    }
    static int written(int a, int b) {
        total = 0;
        int[] c = new int[3];
        if (a > 0) { total = b; c[1] = a; } else c[0] = 5;
        if (b > 2) { total += 3; c[1]++; }
        return total > 4 ? c[1] : c[0] - total;
    }
    static int leaving(int a, int b) {
        int n = a;
        if (a > 3) {
            if (b == 0) return -1;
            n = a / b;
        } else if (a == -2) {
            throw new IllegalStateException();
        }
        return n < 0 ? n + 1 : n;
    }
    static int looped(int a) {
        int n = 0;
        for (int i = 0; i < a; i++) if (i % 2 == 0) n += i; else n--;
        return n;
    }
    static int chosen(Branches a, Branches b, int c) {
        Branches d = c > 0 ? a : b;
        if (d == null) return -1;
        d.field = c;
        return a == null ? 0 : a.field;
    }
    static int called(int a) { return least(a, 5) + least(-a, 3); }
    static int least(int a, int b) { return a < b ? a : b; }
    static double real(double a) {
        double b = a;
        if (a < 0) b = -a;
        if (b > 2) b = 2;
        return b + 1;
    }
    static int sign(int a) { return a > 0 ? 1 : a < 0 ? -1 : 0; }
}
"#;

fn target(vm: &mut Vm, method: &str) -> Target {
    Target::new(vm, "Branches", method, &["Branches"]).loops(4)
}

/// Inputs of a method.
fn inputs(method: &str) -> Vec<Input> {
    let some = ints(-3..9);
    match method {
        "written" | "leaving" => product(&[&some, &some]),
        "bits" => product(&[&ints(-20..20)]),
        "real" => product(&[&doubles([-0.0, 0.0, 1.5, -1.5, 2.0, -9.0, f64::NAN])]),
        "chosen" => {
            let mut inputs = Vec::new();
            for (first, second) in [(0, 0), (0, 1), (1, 2), (2, 1), (2, 2)] {
                for number in ints([-1, 0, 1, 7]) {
                    let mut input = Input::default();
                    for number in [3, 4] {
                        let field = ("field".to_owned(), Value::Number(number));
                        input.add("Branches", Contents::Fields(vec![field]));
                    }
                    let root = [Value::Null, Value::Object(0), Value::Object(1)];
                    input.roots = vec![root[first], root[second], Value::Number(number)];
                    inputs.push(input);
                }
            }
            inputs
        }
        _ => product(&[&some]),
    }
}

/// Merged branches have the outcomes of runs, in fewer paths.
#[test]
fn merged_paths_stand_for_all_their_inputs() {
    let mut vm = machine(SOURCE);
    let mut fewer = 0;
    for method in [
        "bits", "written", "leaving", "looped", "chosen", "called", "real",
    ] {
        let inputs = inputs(method);
        let mut target = target(&mut vm, method);
        let apart = target.check(&mut vm, &inputs).len();
        target.merges = true;
        let merged = target.check(&mut vm, &inputs).len();
        assert!(merged <= apart, "{method}: {merged} {apart}");
        fewer += u32::from(merged < apart);
    }
    assert!(fewer >= 5, "{fewer}");
    let mut target = target(&mut vm, "bits");
    target.merges = true;
    // The sides of all branches meet, those of the last one behind the call.
    assert_eq!(target.paths(&mut vm).len(), 1);
    assert!(!target.search().has_parts());
}

/// Records the branches, and tries the failing side first.
#[derive(Clone, Default)]
struct FailsFirst(Rc<RefCell<Vec<MethodId>>>);

impl Steering for FailsFirst {
    fn holds_first(
        &self,
        method: MethodId,
        _: BranchSuccessor,
        _: BranchSuccessor,
    ) -> Option<bool> {
        self.0.borrow_mut().push(method);
        Some(false)
    }
}

/// Tries the holding side first.
struct HoldsFirst;

impl Steering for HoldsFirst {
    fn holds_first(&self, _: MethodId, _: BranchSuccessor, _: BranchSuccessor) -> Option<bool> {
        Some(true)
    }
}

/// Takes no side that would be tried first.
struct OtherSides;

impl Steering for OtherSides {
    fn leaves_first_out(&self, _: &Untaken) -> bool {
        true
    }
}

/// Ends paths at a probe.
struct Stops(u32);

impl Steering for Stops {
    fn visit(&mut self, visit: ProbeVisit) -> bool {
        visit.point != self.0
    }
}

fn steered(vm: &mut Vm, target: &Target, steering: impl Steering + 'static) -> Vec<Path> {
    let mut search = target.search();
    search.steer(steering);
    let mut paths = Vec::new();
    let end = search.run(vm, &mut go_on, &mut |vm, end, search| {
        paths.push(target.path(vm, end, search));
        ControlFlow::Continue(())
    });
    assert!(matches!(end.unwrap(), End::Complete | End::ByVisitor));
    paths
}

/// What a path says of its inputs, whatever their order.
fn said(paths: &[Path]) -> Vec<String> {
    let mut said: Vec<String> = paths
        .iter()
        .map(|path| {
            let mut conditions = path.conditions.clone();
            conditions.sort_unstable();
            format!("{conditions:?} {}", path.outcome)
        })
        .collect();
    said.sort_unstable();
    said
}

#[test]
fn orders_of_sides_have_the_same_paths() {
    let mut vm = machine(SOURCE);
    for method in ["bits", "leaving", "looped", "sign"] {
        let target = target(&mut vm, method);
        let usual = target.paths(&mut vm);
        assert_eq!(steered(&mut vm, &target, DepthFirst), usual, "{method}");
        let recorder = FailsFirst::default();
        let fails = steered(&mut vm, &target, recorder.clone());
        let holds = steered(&mut vm, &target, HoldsFirst);
        assert!(recorder.0.borrow().contains(&target.method()), "{method}");
        assert_eq!(said(&fails).len(), said(&usual).len(), "{method}");
        assert_eq!(said(&fails), said(&usual), "{method}");
        assert_eq!(said(&holds), said(&usual), "{method}");
        let outcomes = |paths: &[Path]| -> Vec<String> {
            paths.iter().map(|path| path.outcome.clone()).collect()
        };
        assert_ne!(outcomes(&fails), outcomes(&holds), "{method}");
        // Of two strategies, the first one that has a preference decides.
        let both = steered(&mut vm, &target, DepthFirst.and(FailsFirst::default()));
        assert_eq!(both, fails, "{method}");
        let both = steered(&mut vm, &target, HoldsFirst.and(FailsFirst::default()));
        assert_eq!(both, holds, "{method}");
    }
}

#[test]
fn a_number_of_paths_is_that_of_the_first() {
    let mut vm = machine(SOURCE);
    let target = target(&mut vm, "bits");
    let all = target.paths(&mut vm);
    for most in 1..=all.len() + 1 {
        let some = steered(&mut vm, &target, AtMost::new(most as u64));
        assert_eq!(some, all[..most.min(all.len())], "{most}");
        let fewer = AtMost::new(most as u64).and(AtMost::new(2));
        let some = steered(&mut vm, &target, fewer);
        assert_eq!(some, all[..most.min(2)], "{most}");
    }
}

/// A search that takes the other side of each branch finds a path of the whole search.
#[test]
fn sides_can_be_left_out() {
    let mut vm = machine(SOURCE);
    let target = target(&mut vm, "bits");
    let all = said(&target.paths(&mut vm));
    let some = said(&steered(&mut vm, &target, OtherSides));
    assert!(some.len() < all.len(), "{some:#?}");
    assert!(some.iter().all(|path| all.contains(path)), "{some:#?}");
}

/// Paths that come by a probe end there if the strategy says so; the others are left.
#[test]
fn paths_end_at_probes() {
    let mut vm = machine(SOURCE);
    let target = target(&mut vm, "sign");
    let all = target.paths(&mut vm);
    let flow = heapwright_code::ControlFlow::new(&vm.listing(target.method()).unwrap());
    let places: Vec<u16> = (0..flow.count()).map(|number| flow.at(number)).collect();
    let mut counts = Vec::new();
    for &place in &places {
        let probe = vm.probe(target.method(), &[place]);
        let paths = steered(&mut vm, &target, Stops(probe));
        assert!(said(&paths).iter().all(|path| said(&all).contains(path)));
        counts.push(paths.len());
        vm.probe(target.method(), &[]);
    }
    assert_eq!(counts[0], 0, "all paths begin there");
    assert!(counts.contains(&2) && counts.contains(&1), "{counts:?}");
}

/// The costs of the paths are those of the whole search, wherever its parts begin.
#[test]
fn costs_of_paths_add_up() {
    let mut vm = machine(SOURCE);
    for method in ["bits", "leaving", "looped", "chosen"] {
        let target = target(&mut vm, method);
        let mut search = target.search();
        let (mut steps, mut queries) = (0, 0);
        let end = search.run(&mut vm, &mut go_on, &mut |_, _, search| {
            let costs = search.costs_of_path();
            steps += costs.steps;
            queries += costs.queries;
            ControlFlow::Continue(())
        });
        assert_eq!(end.unwrap(), End::Complete);
        for (_, costs) in search.take_dead_ends() {
            steps += costs.steps;
            queries += costs.queries;
        }
        let progress = search.progress();
        assert_eq!(
            (steps, queries),
            (progress.steps, progress.queries),
            "{method}"
        );
        assert!(steps > 0 && search.take_dead_ends().into_iter().next().is_none());
    }
}

/// Models with small numbers are models, and lie in the range wherever they can.
#[test]
fn small_models_take_the_path() {
    let mut vm = machine(SOURCE);
    let target = target(&mut vm, "leaving");
    let usual = target.paths(&mut vm);
    let mut place = 0;
    target.walk(&mut vm, |vm, end, search| {
        let mut end = end.clone();
        end.model = search.small_model(4..8).unwrap();
        let path = target.path(vm, &end, search);
        let usual = &usual[place];
        place += 1;
        assert_eq!(path.conditions, usual.conditions);
        let model = path.model.as_ref().unwrap();
        assert_eq!(target.run(vm, model), path.outcome, "{path:?}");
        let numbers = model.roots.iter().map(|root| match root {
            Value::Number(slot) => *slot as i32,
            other => panic!("{other:?}"),
        });
        let numbers: Vec<i32> = numbers.collect();
        // Paths on which the first number is above 3 leave it a range.
        if path.conditions[0] == "a >= 4" {
            assert!((4..8).contains(&numbers[0]), "{path:?}");
        }
    });
    assert_eq!(place, usual.len());
}
