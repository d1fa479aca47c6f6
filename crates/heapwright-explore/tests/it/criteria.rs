//! Criteria: what a value names, and what pruning by it leaves out.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use heapwright_explore::{Criterion, End, KoratSearch, LazySearch, Leaf, Progress, Search, Tree};
use heapwright_jvm::Vm;

use crate::common::structures::Structures;
use crate::common::{ENOUGH, go_on, machine, method};

const SOURCE: &str = r#"
import java.math.BigInteger;
import java.util.*;
class Pair {
    enum Sort {
        LOW { public String toString() { return "hidden"; } },
        MIDDLE, HIGH
    }
    record Point(int x, int y) { }
    static class Other { public boolean equals(Object other) { return true; } }
    int x, y;
    boolean repOk() { return x >= 0 && y >= 0; }
    int first() { return x; }
    int second() { return y; }
    boolean isZero() { return x == 0; }
    byte asByte() { return (byte) (x - 1); }
    char letter() { return (char) ('a' + x); }
    long large() { return x + (1L << 40); }
    double half() { return x / 2.0; }
    Integer boxed() { return x == 0 ? null : Integer.valueOf(x + 1000); }
    String text() { return "x" + x; }
    Sort sort() { return x == 0 ? Sort.LOW : x == 1 ? Sort.HIGH : Sort.MIDDLE; }
    BigInteger power() { return BigInteger.TWO.pow(64 + x); }
    boolean[] flags() { return new boolean[] {x > 0, x > 1}; }
    Object[] nested() { return new Object[] {new int[] {x}, null}; }
    Object mixed() { return x == 0 ? (Object) 1 : x == 1 ? "1" : (Object) 1L; }
    Object point() { return new Point(x, 0); }
    List<Integer> list() { return List.of(x); }
    int throwsOnOne() {
        if (x == 1) throw new IllegalStateException("odd");
        return x;
    }
    int changes() { int old = y; y = 1 - old; return old; }
    int putsBack() { int old = y; y = 7; y = old; return old; }
    int constant() { return 5; }
    Object unnamed() { return new Other(); }
}
"#;

/// Structures with x from 0 to 2 and y from 0 to 1, read in this order.
fn pair(vm: &mut Vm) -> Structures {
    Structures::new(vm, "Pair", &[], "Pair.x: 0..2\nPair.y: 0..1")
}

/// Names of the classes in order, and the counts.
fn covered<T: Tree<Leaf = Leaf>>(vm: &mut Vm, mut search: T) -> (Vec<String>, Progress, T)
where
    T::Error: std::fmt::Debug,
{
    let end = search.run(vm, &mut go_on, &mut |_, _, _| ControlFlow::Continue(()));
    assert_eq!(end.unwrap(), End::Complete);
    let classes = search.coverage().unwrap().classes.iter();
    let names = classes.map(|class| class.text.clone()).collect();
    (names, search.progress().clone(), search)
}

fn korat(structures: &Structures, criterion: Criterion, prunes: bool) -> KoratSearch<'_> {
    KoratSearch::new(&structures.space, structures.predicate, ENOUGH)
        .with_criterion(criterion, prunes)
}

fn lazy(structures: &Structures, criterion: Criterion) -> LazySearch<'_> {
    LazySearch::new(&structures.space, structures.predicate, ENOUGH).with_criterion(criterion, true)
}

/// Criteria that read x alone, and the names that its values give.
const NAMES: [(&str, [&str; 3]); 14] = [
    ("first", ["0", "1", "2"]),
    ("asByte", ["-1", "0", "1"]),
    ("letter", ["a", "b", "c"]),
    ("large", ["1099511627776", "1099511627777", "1099511627778"]),
    ("half", ["0.0", "0.5", "1.0"]),
    ("boxed", ["null", "1001", "1002"]),
    ("text", ["x0", "x1", "x2"]),
    ("sort", ["LOW", "HIGH", "MIDDLE"]),
    (
        "power",
        [
            "18446744073709551616",
            "36893488147419103232",
            "73786976294838206464",
        ],
    ),
    ("flags", ["[false, false]", "[true, false]", "[true, true]"]),
    ("nested", ["[[0], null]", "[[1], null]", "[[2], null]"]),
    ("mixed", ["1", "1", "1"]),
    (
        "point",
        ["Point[x=0, y=0]", "Point[x=1, y=0]", "Point[x=2, y=0]"],
    ),
    ("list", ["[0]", "[1]", "[2]"]),
];

#[test]
fn values_of_any_type_name_classes() {
    let mut vm = machine(SOURCE);
    let structures = pair(&mut vm);
    for (name, expected) in NAMES {
        let criterion = Criterion::new(method(&mut vm, "Pair", name));
        for prunes in [false, true] {
            let (found, progress, _) = covered(&mut vm, korat(&structures, criterion, prunes));
            assert_eq!(found, expected, "{name}, prunes: {prunes}");
            let all = if prunes { 3 } else { 6 };
            assert_eq!(progress.explored, all, "{name}, prunes: {prunes}");
        }
    }
}

/// One structure for each class, whatever type the criterion returns, open values included.
#[test]
fn values_name_classes_in_the_lazy_search() {
    let mut vm = machine(SOURCE);
    let structures = pair(&mut vm);
    for (name, expected) in NAMES {
        let criterion = Criterion::new(method(&mut vm, "Pair", name));
        let (found, progress, _) = covered(&mut vm, lazy(&structures, criterion));
        let (found, expected): (BTreeSet<_>, BTreeSet<_>) = (
            found.into_iter().collect(),
            expected.map(str::to_owned).into(),
        );
        assert_eq!(found, expected, "{name}");
        assert_eq!(progress.valid, 3, "{name}");
    }
}

#[test]
fn only_what_the_criterion_reads_tells_classes_apart() {
    let mut vm = machine(SOURCE);
    let structures = pair(&mut vm);
    // x is chosen before y: if x alone is read, y never changes.
    for (name, explored, classes) in [
        ("first", 3, &["0", "1", "2"][..]),
        ("isZero", 3, &["true", "false"]),
        ("second", 6, &["0", "1"]),
        ("putsBack", 6, &["0", "1"]),
    ] {
        let criterion = Criterion::new(method(&mut vm, "Pair", name));
        let (found, progress, search) = covered(&mut vm, korat(&structures, criterion, true));
        assert_eq!(found, classes, "{name}");
        assert_eq!(
            (progress.explored, progress.valid),
            (explored.into(), explored.into())
        );
        let coverage = search.coverage().unwrap();
        assert_eq!(
            coverage.independent.count + coverage.changed.count,
            0,
            "{name}"
        );
    }
}

/// Values without a name, exceptions, changes and criteria that read nothing are counted, with the
/// first candidate concerned.
#[test]
fn criteria_that_go_wrong_are_counted() {
    let mut vm = machine(SOURCE);
    let structures = pair(&mut vm);
    for (name, unanswered, changed, independent) in [
        ("throwsOnOne", Some((2, 3)), None, None),
        ("unnamed", Some((6, 1)), None, None),
        ("changes", None, Some((6, 1)), None),
        ("constant", None, None, Some((6, 1))),
    ] {
        let criterion = Criterion::new(method(&mut vm, "Pair", name));
        let permanent = vm.heap.permanent_words();
        let before = vm.state_hash(permanent);
        let (_, _, search) = covered(&mut vm, korat(&structures, criterion, false));
        let coverage = search.coverage().unwrap();
        for (failures, expected) in [
            (&coverage.unanswered, unanswered),
            (&coverage.changed, changed),
            (&coverage.independent, independent),
        ] {
            let found = (failures.count, failures.candidate.word().unwrap());
            assert_eq!(found, expected.unwrap_or((0, 0)), "{name}: {coverage:?}");
        }
        drop(search);
        if vm.heap.permanent_words() == permanent {
            assert_eq!(vm.state_hash(permanent), before, "{name}");
        }
    }
}
