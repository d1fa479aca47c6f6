//! Searches for structures, compared with all candidates.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use heapwright_explore::{
    Criterion, Dependence, End, KoratSearch, LazySearch, Leaf, Search, Tree, dependence,
};
use heapwright_jvm::{Choosing, Exit, Limit, Vm};

use crate::common::structures::{Found, Structures};
use crate::common::{ENOUGH, go_on, machine, method, run, undone};

const SOURCE: &str = r#"
class Tree {
    Node root;
    int size;
    boolean repOk() {
        return count(root, -1, 9) == size;
    }
    // Number of nodes if the keys between the bounds ascend, or else a number that is no size.
    int count(Node node, int low, int high) {
        if (node == null) return 0;
        if (node.key <= low || node.key >= high) return 100;
        return 1 + count(node.left, low, node.key) + count(node.right, node.key, high);
    }
    int depth() { return root == null ? 0 : root.left == null && root.right == null ? 1 : 2; }
}
class Node { Node left, right; int key; }

class Ring {
    Link head;
    boolean repOk() {
        if (head == null) return true;
        Link link = head;
        for (int i = 0; i < 4; i++) {
            if (link.next == null || link.next.previous != link) return false;
            link = link.next;
            if (link == head) return true;
        }
        return false;
    }
}
class Link { Link next, previous; }

class Heap {
    int[] items;
    int size;
    boolean repOk() {
        if (items == null || size > items.length) return false;
        for (int i = 0; i < items.length; i++) {
            int item = items[i];
            if (i < size ? item < items[i / 2] : item != 0) return false;
        }
        return true;
    }
}

class Knot {
    Knot a, b;
    boolean flag;
    boolean repOk() { return a != null && a.b == this && (b == null || b.a != b) && a.flag != flag; }
}

abstract class Animal { int age; }
class Cat extends Animal { }
class Dog extends Animal { Cat friend; }
class Zoo {
    Animal first, second;
    boolean repOk() {
        if (first == null || second == null) return first == second;
        if (first instanceof Dog dog) return dog.friend != second && dog.age > second.age;
        return first != second && first.age == second.age;
    }
}

class Mixed {
    long wide;
    byte small;
    char letter;
    boolean flag;
    double real;
    short middle;
    boolean repOk() {
        if (wide > 5_000_000_000L && small < 0) return middle + small == -3;
        return flag && real > 0.5 && letter == 'x';
    }
}

class Loose {
    int used, spare;
    long other;
    Loose link;
    boolean repOk() { return used > 1; }
}

class Fragile {
    int value;
    Fragile link;
    boolean repOk() { return link.value / value == 1; }
}

class Slow {
    int value;
    boolean repOk() {
        int n = 0;
        for (int i = 0; i < value * 100; i++) n += i;
        return n >= 0;
    }
}

class Maze {
    static int seed;
    int a, b;
    long c;
    Cell x, y;
    boolean repOk() {
        int h = seed;
        for (int step = 0; step < 5; step++) {
            h = h * 1103515245 + 12345;
            switch ((h >>> 16) & 7) {
                case 0: if (a > ((h >>> 8) & 3)) h ^= 0x50000; break;
                case 1: if (b * 2 - a == ((h >>> 8) & 3)) return (h & 64) != 0; break;
                case 2: if (c + a < b) h += 7 << 16; break;
                case 3: if (x == y) h ^= 0x30000; else if (y == null) return (h & 32) != 0; break;
                case 4: if (x != null && x.v == a) h ^= 0x10000; break;
                case 5: if (y != null) { if (y.next == x) return (h & 128) == 0; h += y.v << 16; } break;
                case 6: h ^= (a + b) << 17; break;
                default: if (x != null && x.next != null) return x.next.next == x;
            }
        }
        return (h & 0x20000) != 0;
    }
}
class Cell { Cell next; int v; }

class Hashed {
    Cell x;
    boolean repOk() { return x != null && x.hashCode() % 2 == 0; }
}
class Timed {
    int a;
    boolean repOk() { return System.nanoTime() < 1_000_000_000_000L; }
}
class Writer {
    static int runs;
    int a;
    boolean repOk() {
        runs++;
        System.out.println(a);
        if (a == 2) throw new IllegalStateException();
        return a > 0;
    }
}
"#;

/// Class, numbers of objects of the classes of a structure, and values of their fields.
type Space = (&'static str, &'static [(&'static str, u32)], &'static str);

const SPACES: [Space; 6] = [
    (
        "Tree",
        &[("Node", 2)],
        "Tree.root: null Node
         Tree.size: 0..2
         Node.left: null Node
         Node.right: null Node
         Node.key: 0..2",
    ),
    (
        "Ring",
        &[("Link", 3)],
        "Ring.head: null Link
         Link.next: null Link
         Link.previous: null Link",
    ),
    (
        "Heap",
        &[],
        "Heap.items: null int[3] of 0..2
         Heap.size: 0..3",
    ),
    (
        "Knot",
        &[("Knot", 1)],
        "Knot.a: null this Knot
         Knot.b: null this Knot
         Knot.flag: 0..1",
    ),
    (
        "Zoo",
        &[("Cat", 2), ("Dog", 1)],
        "Zoo.first: null Cat Dog
         Zoo.second: null Cat Dog
         Cat.age: 0..1
         Dog.age: 0..2
         Dog.friend: null Cat",
    ),
    (
        "Mixed",
        &[],
        "Mixed.wide: -1,4999999999,5000000001
         Mixed.small: -1,0,127
         Mixed.letter: 119..121
         Mixed.flag: 0..1
         Mixed.real: 0.5,0.75,NaN
         Mixed.middle: -2..1",
    ),
];

const MAZE: &str = "Maze.a: 0..2
    Maze.b: 0..2
    Maze.c: 0..1
    Maze.x: null Cell
    Maze.y: null Cell
    Cell.next: null Cell
    Cell.v: 0..1";

fn korat(structures: &Structures) -> KoratSearch<'_> {
    KoratSearch::new(&structures.space, structures.predicate, ENOUGH)
}

fn lazy(structures: &Structures) -> LazySearch<'_> {
    LazySearch::new(&structures.space, structures.predicate, ENOUGH)
}

/// Number of structures that a search counts without expanding.
fn counted<T: Tree<Leaf = Leaf>>(vm: &mut Vm, mut search: T) -> u64
where
    T::Error: std::fmt::Debug,
{
    let end = search.run(vm, &mut go_on, &mut |_, _, _| ControlFlow::Continue(()));
    assert_eq!(end.unwrap(), End::Complete);
    search.progress().valid.word().unwrap()
}

/// Both searches find each of the structures once, and count as many.
fn assert_finds(vm: &mut Vm, structures: &Structures, expected: &Found, name: &str) {
    assert_eq!(
        structures.found(vm, &mut korat(structures)),
        *expected,
        "{name}: Korat"
    );
    assert_eq!(
        structures.found(vm, &mut lazy(structures)),
        *expected,
        "{name}: lazy"
    );
    let all = expected.len() as u64;
    assert_eq!(
        counted(vm, korat(structures).counts_only()),
        all,
        "{name}: Korat"
    );
    assert_eq!(
        counted(vm, lazy(structures).counts_only()),
        all,
        "{name}: lazy"
    );
}

#[test]
fn both_searches_find_each_structure_once() {
    let mut vm = machine(SOURCE);
    for (class, objects, fields) in SPACES {
        let structures = Structures::new(&mut vm, class, objects, fields);
        let expected = structures.valid(&mut vm);
        assert!(expected.len() > 3, "{class}: {expected:?}");
        assert_finds(&mut vm, &structures, &expected, class);
    }
}

/// Predicates that decide by one or another field first, as a random number says.
#[test]
fn random_predicates_have_the_structures_of_brute_force() {
    let mut vm = machine(SOURCE);
    let structures = Structures::new(&mut vm, "Maze", &[("Cell", 2)], MAZE);
    let class = vm.load_class("Maze").unwrap();
    let word = vm.find_field(class, "seed").unwrap().word;
    let mut sizes = BTreeSet::new();
    for seed in 0..8 {
        vm.heap.store(word, seed * 77_777 + 5);
        let expected = structures.valid(&mut vm);
        sizes.insert(expected.len());
        assert_finds(&mut vm, &structures, &expected, &format!("seed {seed}"));
    }
    assert!(sizes.len() > 3, "{sizes:?}");
}

/// Candidates of Korat's search, found by running the predicate from the start each time: vectors
/// of the choices that it read, in order, and its answers. The predicate reads all fields of the
/// structures that satisfy it.
fn from_the_start(vm: &mut Vm, structures: &Structures) -> Vec<(Vec<(u32, u32)>, bool)> {
    let space = &structures.space;
    let mut vector: Vec<u32> = vec![0; space.entries.len()];
    let mut candidates = Vec::new();
    loop {
        let mut read: Vec<u32> = Vec::new();
        let holds = undone(vm, |vm| {
            space.unset_all(vm);
            vm.limit_steps(ENOUGH);
            vm.call(structures.predicate, &[space.root.slot()]).unwrap();
            loop {
                match vm.run(&mut Choosing) {
                    Exit::Choice(entry) => {
                        let place = &space.entries[entry as usize];
                        let value = vector[entry as usize];
                        let choice = structures.choices(entry as usize)[value as usize];
                        vm.choose(place.object, place.place, choice.slot);
                        read.push(entry);
                    }
                    Exit::Done(answer) => return answer == 1,
                    exit => panic!("{exit:?}"),
                }
            }
        });
        let chosen = |entry: u32| (entry, vector[entry as usize]);
        candidates.push((read.iter().map(|&entry| chosen(entry)).collect(), holds));
        loop {
            let Some(last) = read.pop() else {
                return candidates;
            };
            let choices = structures.choices(last as usize);
            let row = |entry: u32| {
                let value = vector[entry as usize] as usize;
                structures.choices(entry as usize)[value].object
            };
            // A new object of a row is tried only if all before it are in use.
            let next = vector[last as usize] + 1;
            let next = (next..choices.len() as u32).find(|&value| {
                let Some((domain, index)) = choices[value as usize].object else {
                    return true;
                };
                let is_row = space.class_domains[domain.0 as usize].in_isomorphism_check;
                let used = read.iter().filter_map(|&entry| row(entry));
                let used = used
                    .filter(|other| other.0 == domain)
                    .map(|other| other.1 + 1);
                !is_row || index <= used.max().unwrap_or(0)
            });
            if let Some(next) = next {
                vector[last as usize] = next;
                break;
            }
            vector[last as usize] = 0;
        }
    }
}

#[test]
fn candidates_are_those_of_runs_from_the_start() {
    let mut vm = machine(SOURCE);
    for (class, objects, fields) in &SPACES[..3] {
        let structures = Structures::new(&mut vm, class, objects, fields);
        let expected = from_the_start(&mut vm, &structures);
        let mut found = Vec::new();
        let mut search = korat(&structures);
        let end = search.run(&mut vm, &mut go_on, &mut |_, leaf, search| {
            found.push((search.prefix(), *leaf == Leaf::Valid));
            ControlFlow::Continue(())
        });
        assert_eq!(end.unwrap(), End::Complete);
        assert_eq!(found, expected, "{class}");
        assert_eq!(search.progress().explored, expected.len() as u64, "{class}");
    }
}

/// Objects of a row are tried in order alone; of others each is tried.
#[test]
fn objects_are_interchangeable_only_in_rows() {
    let mut vm = machine(SOURCE);
    let (class, objects, fields) = SPACES[1];
    let mut structures = Structures::new(&mut vm, class, objects, fields);
    let expected = structures.valid(&mut vm);
    structures.space.class_domains[0].in_isomorphism_check = false;
    structures.space.class_domains[0].is_uniform = false;
    let found = structures.found(&mut vm, &mut korat(&structures));
    assert!(found.keys().eq(expected.keys()));
    // A ring of k of three links can be made of them in 3, 6 and 6 ways.
    let ways: Vec<u32> = found.values().copied().collect();
    let mut sorted = ways.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [1, 3, 6, 6]);
    assert_eq!(structures.found(&mut vm, &mut lazy(&structures)), found);
}

#[test]
fn unread_fields_stay_free() {
    let mut vm = machine(SOURCE);
    let fields = "Loose.used: 0..3
        Loose.spare: 0..6
        Loose.other: 0..4
        Loose.link: null this Loose";
    let structures = Structures::new(&mut vm, "Loose", &[("Loose", 1)], fields);
    let expected = structures.valid(&mut vm);
    assert_finds(&mut vm, &structures, &expected, "Loose");
    // Of the root used is read; the fields of the other object are all free.
    let one = 2 * 7 * 5;
    let other = 4 * 7 * 5;
    assert_eq!(expected.len(), one * (2 + other * 3));
    let mut search = lazy(&structures).counts_only();
    let end = search.run(
        &mut vm,
        &mut go_on,
        &mut |_, _, _| ControlFlow::Continue(()),
    );
    assert_eq!(end.unwrap(), End::Complete);
    assert_eq!(search.progress().cubes, 1);
    let mut search = korat(&structures);
    let mut most_read = 0;
    let _ = search.run(&mut vm, &mut go_on, &mut |_, _, search| {
        assert!(search.accessed().eq([0]));
        most_read = most_read.max(search.prefix().len());
        ControlFlow::Continue(())
    });
    assert_eq!(most_read, structures.space.entries.len());
}

/// A predicate that throws does not hold; both searches say on which structures it throws.
#[test]
fn exceptions_count_as_not_holding() {
    let mut vm = machine(SOURCE);
    let fields = "Fragile.value: 0..2
        Fragile.link: null this Fragile";
    let structures = Structures::new(&mut vm, "Fragile", &[("Fragile", 1)], fields);
    let mut thrown = BTreeSet::new();
    structures.candidates(&mut vm, |vm| {
        if let Exit::Threw(exception) = structures.decide(vm) {
            thrown.insert(vm.binary_name(vm.heap.class_of(exception)));
        }
    });
    let expected = structures.valid(&mut vm);
    assert_finds(&mut vm, &structures, &expected, "Fragile");
    let mut search = korat(&structures);
    let mut found = BTreeSet::new();
    let mut count = 0;
    let _ = search.run(&mut vm, &mut go_on, &mut |vm, leaf, _| {
        if let Leaf::Threw(exception) = leaf {
            found.insert(vm.binary_name(vm.heap.class_of(*exception)));
            count += 1;
        }
        ControlFlow::Continue(())
    });
    assert_eq!(found, thrown);
    assert_eq!(thrown.len(), 2, "{thrown:?}");
    assert_eq!(search.progress().threw, count);
}

/// A candidate whose run takes too many steps is neither accepted nor rejected.
#[test]
fn limited_runs_give_no_result() {
    let mut vm = machine(SOURCE);
    let structures = Structures::new(&mut vm, "Slow", &[], "Slow.value: 0..9");
    let mut steps = Vec::new();
    structures.candidates(&mut vm, |vm| {
        let before = vm.steps();
        assert_eq!(structures.decide(vm), Exit::Done(1));
        steps.push(vm.steps() - before);
    });
    assert!(steps.windows(2).all(|pair| pair[0] < pair[1]));
    let between = |number: usize| (steps[number] + steps[number + 1]) / 2;
    for limit in [between(0), between(4), between(8), 2 * steps[9]] {
        let within = steps.iter().filter(|&&steps| steps <= limit).count() as u64;
        for slice in [1, 77, u64::MAX] {
            let mut search = KoratSearch::new(&structures.space, structures.predicate, limit);
            search = search.with_slice(slice);
            let end = search.run(&mut vm, &mut go_on, &mut |_, leaf, _| {
                let is_limit = |exit: &Exit| matches!(exit, Exit::Limit(Limit::Steps));
                assert!(match leaf {
                    Leaf::Valid => true,
                    Leaf::Refused(exit) => is_limit(exit),
                    _ => false,
                });
                ControlFlow::Continue(())
            });
            assert_eq!(end.unwrap(), End::Complete);
            let progress = search.progress();
            assert_eq!(progress.valid, within, "{limit} {slice}");
            assert_eq!(
                (progress.refused, progress.limited),
                (10 - within, 10 - within)
            );
            assert_eq!(progress.leaves(), 10);
        }
    }
}

/// What a predicate writes and prints is taken back, wherever the search ends.
#[test]
fn the_state_afterwards_is_that_before() {
    let mut vm = machine(SOURCE);
    let structures = Structures::new(&mut vm, "Writer", &[], "Writer.a: 0..4");
    let mut search = korat(&structures);
    let mut runs = |vm: &mut Vm, most: usize| {
        let mut left = most;
        let end = search.run(vm, &mut go_on, &mut |_, _, _| {
            left -= 1;
            match left {
                0 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        });
        end.unwrap()
    };
    assert_eq!(runs(&mut vm, 99), End::Complete);
    let permanent = vm.heap.permanent_words();
    let before = vm.state_hash(permanent);
    for most in 1..=5 {
        assert_eq!(runs(&mut vm, most), End::ByVisitor);
        assert_eq!(vm.state_hash(permanent), before, "after {most}");
        assert!(vm.output().is_empty() && vm.frames().is_empty());
    }
    let class = vm.load_class("Writer").unwrap();
    let word = vm.find_field(class, "runs").unwrap().word;
    assert_eq!(vm.heap.load(word), 0);
}

/// With a criterion, both searches find each of its classes; pruning leaves out structures, but no
/// class and no first structure of one.
#[test]
fn criteria_lose_no_class() {
    let mut vm = machine(SOURCE);
    let (class, objects, fields) = SPACES[0];
    let structures = Structures::new(&mut vm, class, objects, fields);
    let depth = method(&mut vm, class, "depth");
    let mut expected = BTreeSet::new();
    structures.candidates(&mut vm, |vm| {
        if matches!(structures.decide(vm), Exit::Done(1)) {
            let answer = undone(vm, |vm| {
                run(vm, depth, &[structures.space.root.slot()], ENOUGH)
            });
            let Exit::Done(depth) = answer else {
                panic!("{answer:?}");
            };
            expected.insert(depth.to_string());
        }
    });
    let criterion = Criterion::new(depth);
    let names = |search: &dyn Search| -> Vec<String> {
        let classes = search.coverage().unwrap().classes.iter();
        classes.map(|class| class.text.clone()).collect()
    };
    let mut first = Vec::new();
    let mut counts = Vec::new();
    for prunes in [false, true] {
        let mut search = korat(&structures).with_criterion(criterion, prunes);
        let mut firsts = Vec::new();
        let end = search.run(&mut vm, &mut go_on, &mut |vm, leaf, search| {
            if *leaf == Leaf::Valid && search.class().unwrap().is_first {
                firsts.push(structures.text(vm));
            }
            ControlFlow::Continue(())
        });
        assert_eq!(end.unwrap(), End::Complete);
        assert_eq!(BTreeSet::from_iter(names(&search)), expected);
        counts.push(search.progress().clone());
        first.push(firsts);
        let mut search = lazy(&structures).with_criterion(criterion, prunes);
        let valid = structures.found(&mut vm, &mut search);
        assert_eq!(
            BTreeSet::from_iter(names(&search)),
            expected,
            "lazy, prunes: {prunes}"
        );
        assert!(valid.len() >= expected.len());
    }
    assert_eq!(first[0], first[1]);
    assert!(counts[1].explored < counts[0].explored);
    assert!(counts[1].valid < counts[0].valid);
}

/// Answers that depend on identity hash codes or on the time are noticed.
#[test]
fn dependence_on_more_than_the_structure_is_noticed() {
    let mut vm = machine(SOURCE);
    let (class, objects, fields) = SPACES[0];
    let spaces = [
        (class, objects, fields, None),
        (
            "Hashed",
            &[("Cell", 2)][..],
            "Hashed.x: null Cell
             Cell.v: 0..3",
            Some(Dependence::IdentityHashes),
        ),
        ("Timed", &[], "Timed.a: 0..1", Some(Dependence::Clock)),
    ];
    for (class, objects, fields, expected) in spaces {
        let structures = Structures::new(&mut vm, class, objects, fields);
        let found = dependence(&structures.space, structures.predicate, &mut vm);
        assert_eq!(found, expected, "{class}");
        let permanent = vm.heap.permanent_words();
        let before = vm.state_hash(permanent);
        let _ = dependence(&structures.space, structures.predicate, &mut vm);
        assert_eq!(vm.state_hash(permanent), before, "{class}");
    }
}
