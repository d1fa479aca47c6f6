//! Cubes of the lazy search: together they are the structures, and calls on them have the results
//! of calls on each.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::ops::ControlFlow;

use heapwright_explore::{AtEnd, Count, Cube, End, LazySearch, Leaf, Search, Tree};
use heapwright_jvm::{Exit, MethodId, Vm};

use crate::common::structures::Structures;
use crate::common::{ENOUGH, go_on, machine, method, number, run, thrown, undone};

const SOURCE: &str = "
class Stack {
    Item top;
    int limit, spare;
    static int calls;
    boolean repOk() {
        int n = 0;
        for (Item item = top; item != null; item = item.below) {
            if (item.value < 0 || ++n > 2) return false;
        }
        return n <= limit;
    }
    int push(int value) {
        calls++;
        if (top != null && top.value == value) return -1;
        if (limit == 2 && value > 1) throw new IllegalStateException();
        spare = value;
        return spare + limit;
    }
    int peek(int unused) { return top == null ? 0 : top.value + 1; }
    int free(int unused) { return spare > 2 ? 1 : 0; }
}
class Item { Item below; int value; }
";

fn stack(vm: &mut Vm) -> Structures {
    let fields = "Stack.top: null Item
        Stack.limit: 0..2
        Stack.spare: 0..4
        Item.below: null Item
        Item.value: -1..2";
    Structures::new(vm, "Stack", &[("Item", 2)], fields)
}

fn lazy(structures: &Structures) -> LazySearch<'_> {
    LazySearch::new(&structures.space, structures.predicate, ENOUGH).by_cubes()
}

#[test]
fn cubes_divide_the_structures() {
    let mut vm = machine(SOURCE);
    let structures = stack(&mut vm);
    let expected = structures.valid(&mut vm);
    let mut search = lazy(&structures);
    let mut found = BTreeSet::new();
    let mut cubes = 0;
    let end = search.run(&mut vm, &mut go_on, &mut |vm, leaf, search| {
        if *leaf != Leaf::Valid {
            return ControlFlow::Continue(());
        }
        cubes += 1;
        let mut cube = search.cube().unwrap();
        let mut own = 0_u64;
        let mut shapes = BTreeSet::new();
        let visited = cube.expand(vm, |vm| {
            let text = structures.text(vm);
            let digits = |letter: char| letter.is_ascii_digit() || letter == '-';
            shapes.insert(text.replace(digits, ""));
            assert!(matches!(structures.decide(vm), Exit::Done(1)), "{text}");
            assert!(found.insert(text.clone()), "{text} is in two cubes");
            own += 1;
            ControlFlow::Continue(())
        });
        assert!(visited.is_continue());
        assert_eq!(*cube.structures(), own);
        assert!(!cube.has_one_shape() || shapes.len() == 1, "{shapes:?}");
        ControlFlow::Continue(())
    });
    assert_eq!(end.unwrap(), End::Complete);
    assert!(found.iter().eq(expected.keys()));
    assert_eq!(search.progress().cubes, cubes);
    assert!(cubes < 12, "{cubes} cubes of {} structures", found.len());
}

/// Number of inputs by outcome.
type Outcomes = BTreeMap<String, u64>;

fn outcome(vm: &Vm, exit: &Exit) -> String {
    match exit {
        Exit::Done(slot) => number(heapwright_jvm::descriptor::Kind::Int, *slot),
        Exit::Threw(exception) => thrown(vm, *exception),
        exit => panic!("{}", vm.exit_text(exit)),
    }
}

/// Ends of the runs of a call, counted by the inputs that they stand for.
struct Counted {
    slots: [u64; 2],
    outcomes: Outcomes,
    runs: u64,
    untouched: Count,
}

impl AtEnd for Counted {
    type Stop = Infallible;

    fn ask(&mut self) -> ControlFlow<Infallible> {
        ControlFlow::Continue(())
    }

    fn ended(
        &mut self,
        cube: &mut Cube<'_, '_>,
        vm: &mut Vm,
        exit: Exit,
    ) -> ControlFlow<Infallible> {
        let inputs = cube.inputs(&self.slots);
        if cube.is_untouched(vm) {
            self.untouched += &inputs;
        }
        if !inputs.is_zero() {
            self.runs += 1;
            *self.outcomes.entry(outcome(vm, &exit)).or_default() += inputs.word().unwrap();
        }
        ControlFlow::Continue(())
    }
}

/// Outcomes of calls on each structure with each argument, one by one.
fn one_by_one(vm: &mut Vm, structures: &Structures, called: MethodId, values: &[i64]) -> Outcomes {
    let mut seen = BTreeSet::new();
    let mut outcomes = Outcomes::new();
    structures.candidates(vm, |vm| {
        let is_valid = matches!(structures.decide(vm), Exit::Done(1));
        if !is_valid || !seen.insert(structures.text(vm)) {
            return;
        }
        for &value in values {
            let slots = [structures.space.root.slot(), u64::from(value as u32)];
            let text = undone(vm, |vm| {
                let exit = run(vm, called, &slots, ENOUGH);
                outcome(vm, &exit)
            });
            *outcomes.entry(text).or_default() += 1;
        }
    });
    outcomes
}

/// Ends of calls on cubes with an open argument; with `fixes` each run has one result. The state is the
/// same behind the search.
fn on_cubes(
    vm: &mut Vm,
    structures: &Structures,
    called: MethodId,
    values: &[i64],
    fixes: bool,
) -> Counted {
    let permanent = vm.heap.permanent_words();
    let before = vm.state_hash(permanent);
    let mut search = lazy(structures);
    let argument = search.add_argument(values, false).unwrap();
    let slots = [structures.space.root.slot(), argument];
    let mut counted = Counted {
        slots,
        outcomes: Outcomes::new(),
        runs: 0,
        untouched: Count::default(),
    };
    let end = search.run(vm, &mut go_on, &mut |vm, leaf, search| {
        if *leaf == Leaf::Valid {
            let mut cube = search.cube().unwrap();
            let called = cube.with_open(vm, |cube, vm| {
                cube.call(vm, (called, &slots), fixes, ENOUGH, &mut counted)
            });
            assert!(called.is_continue());
        }
        ControlFlow::Continue(())
    });
    assert_eq!(end.unwrap(), End::Complete);
    assert_eq!(vm.state_hash(permanent), before);
    counted
}

#[test]
fn calls_on_cubes_have_the_outcomes_of_calls_on_structures() {
    const VALUES: [i64; 4] = [0, 1, 2, 5];
    let mut vm = machine(SOURCE);
    let structures = stack(&mut vm);
    for name in ["push", "peek", "free"] {
        let called = method(&mut vm, "Stack", name);
        let expected = one_by_one(&mut vm, &structures, called, &VALUES);
        let counted = on_cubes(&mut vm, &structures, called, &VALUES, false);
        let all: u64 = expected.values().sum();
        if name == "peek" {
            // The results are open: a run stands for several.
            assert_eq!(counted.untouched, all);
            continue;
        }
        if name == "free" {
            assert_eq!(counted.outcomes, expected, "{name}");
            assert_eq!(counted.untouched, all);
        }
        assert!(
            counted.runs * 4 < all,
            "{name}: {} runs for {all}",
            counted.runs
        );
        assert_eq!(counted.outcomes.values().sum::<u64>(), all, "{name}");
        let thrown = "throws java.lang.IllegalStateException";
        assert_eq!(counted.outcomes.get(thrown), expected.get(thrown), "{name}");
    }
}

/// Where the result is asked for, each run has one.
#[test]
fn results_that_are_asked_for_are_fixed() {
    const VALUES: [i64; 3] = [0, 1, 5];
    let mut vm = machine(SOURCE);
    let structures = stack(&mut vm);
    for name in ["push", "peek", "free"] {
        let called = method(&mut vm, "Stack", name);
        let expected = one_by_one(&mut vm, &structures, called, &VALUES);
        let counted = on_cubes(&mut vm, &structures, called, &VALUES, true);
        assert_eq!(counted.outcomes, expected, "{name}");
    }
}
