//! Constraint trees, compared with the probes of runs. Paths distinguish the same runs as probes
//! do, and each path of a method occurs once, whoever its caller.

use std::collections::{BTreeSet, HashMap};

use expect_test::expect;
use heapwright_jvm::{Config, Exit, Jdk, MethodId, Plain, Vm};
use heapwright_techniques::sequences::CoverageCriterion;
use heapwright_techniques::sequences::goals::GoalTable;
use heapwright_techniques::sequences::goals::{ConstraintTrees, PathId, PathLeaf, RunEnd};
use heapwright_techniques::target::find_class;
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::jdks;

const SOURCE: &str = "
    import java.util.Arrays;
    public class Trees {
        static int sign(int a) {
            if (a > 0) return 1;
            if (a == 0) throw new IllegalStateException();
            return -1;
        }
        public static int doubled(int a, int b) { return sign(a) * 2; }
        public static int guarded(int a, int b) {
            try {
                return sign(a);
            } catch (IllegalStateException e) {
                return sign(b);
            }
        }
        // Its loop begins where its code does.
        static int down(int n) {
            while (n > 0) n -= 2;
            return n;
        }
        public static int twice(int a, int b) { return down(a) + down(b); }
        public static int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
        // The library calls what is under test.
        public static int filled(int a, int b) {
            int[] signs = new int[2];
            try {
                Arrays.setAll(signs, i -> sign(i == 0 ? a : b));
            } catch (IllegalStateException e) {
                return 7 / a;
            }
            return signs[0] + signs[1];
        }
        public static int finished(int a, int b) {
            int n = 0;
            try {
                n = sign(a) / b;
            } finally {
                n += sign(b + 1);
            }
            return n;
        }
    }";

/// Probed methods of `Trees`, on a machine.
struct Trees {
    vm: Vm,
    goals: GoalTable,
    trees: ConstraintTrees,
}

/// Observation of a run without a tree.
type Seen = (MethodId, Vec<(u32, MethodId, u16, bool)>, String);

impl Trees {
    fn new(names: &[&str]) -> Trees {
        let fixture = Fixture::new(&["-g", "--release", "17"]).text("Trees", SOURCE);
        let jdk = Jdk::find(Some(&jdks()[0].home)).unwrap();
        let mut vm = Vm::new(Config::new(jdk, vec![fixture.classes()])).unwrap();
        let class = find_class(&mut vm, "Trees").unwrap();
        vm.initialize_now(class).unwrap();
        let own = vm.class(class).methods.clone();
        let of_name = |vm: &Vm, name: &str| {
            let mut own = own.iter().copied();
            own.find(|&method| vm.text(vm.method(method).name) == name)
        };
        let methods: Vec<MethodId> = names
            .iter()
            .map(|name| of_name(&vm, name).unwrap())
            .collect();
        let mut goals = GoalTable::new(&mut vm, &methods, &[], CoverageCriterion::Paths).unwrap();
        goals.probe(&mut vm);
        Trees {
            vm,
            goals,
            trees: ConstraintTrees::default(),
        }
    }

    fn method(&self, name: &str) -> MethodId {
        let mut methods = self.goals.methods.iter().copied();
        let named = methods.find(|&method| self.vm.text(self.vm.method(method).name) == name);
        named.unwrap()
    }

    /// Runs a method and enters the first visits, up to this percentage of them.
    fn run_part(
        &mut self,
        method: MethodId,
        numbers: (i32, i32),
        part: usize,
    ) -> (Option<PathId>, Seen) {
        let vm = &mut self.vm;
        let mark = vm.mark();
        let arguments = [numbers.0, numbers.1].map(|number| u64::from(number as u32));
        vm.call(method, &arguments).unwrap();
        let exit = vm.run(&mut Plain);
        let end = match exit {
            Exit::Done(_) => RunEnd::Returned,
            Exit::Threw(exception) => RunEnd::Threw(vm.heap.class_of(exception)),
            _ => panic!("{}", vm.exit_text(&exit)),
        };
        let visits = vm.visits().to_vec();
        let visits = &visits[..visits.len() * part / 100];
        let end = if part < 100 { RunEnd::Left } else { end };
        let path = self
            .trees
            .enter(vm, &self.goals.listings, method, visits, end);
        let seen = visits.iter().map(|visit| {
            let point = vm.point(visit.point);
            (visit.depth, point.method, point.at, visit.thrown.is_some())
        });
        let seen = (method, seen.collect(), format!("{end:?}"));
        vm.undo_to(mark);
        vm.forget(mark);
        (path, seen)
    }

    fn run(&mut self, name: &str, numbers: (i32, i32)) -> PathId {
        let method = self.method(name);
        self.run_part(method, numbers, 100).0.unwrap()
    }
}

#[test]
fn paths_are_as_many_as_there_are_sequences_of_probes() {
    let names = ["doubled", "guarded", "twice", "gcd", "filled", "finished"];
    let mut trees = Trees::new(&names);
    let mut paths: HashMap<Seen, PathId> = HashMap::new();
    for name in names {
        let method = trees.method(name);
        let before = paths.len();
        for a in -4..12 {
            for b in -4..12 {
                let (path, seen) = trees.run_part(method, (a, b), 100);
                let path = path.unwrap();
                assert_eq!(path.method, method);
                assert_eq!(*paths.entry(seen).or_insert(path), path, "{name}({a}, {b})");
            }
        }
        assert!(paths.len() > before + 2, "{name}");
    }
    let distinct: BTreeSet<PathId> = paths.values().copied().collect();
    assert_eq!(distinct.len(), paths.len());
}

#[test]
fn a_path_of_a_method_is_there_once_whoever_calls_it() {
    let mut trees = Trees::new(&["doubled", "guarded", "filled"]);
    let doubled = trees.run("doubled", (3, 0));
    let guarded = trees.run("guarded", (5, 0));
    assert_eq!(trees.trees.calls(doubled).len(), 1);
    assert_eq!(trees.trees.calls(doubled), trees.trees.calls(guarded));
    let before = trees.trees.size();
    let again = trees.run("guarded", (0, 9));
    let calls = trees.trees.calls(again);
    assert_eq!(calls[1], trees.trees.calls(doubled)[0]);
    let thrown = trees.trees.leaf(calls[0]);
    assert!(
        matches!(thrown, Some(PathLeaf::Threw(Some(_), _))),
        "{thrown:?}"
    );
    // The run adds the path of `sign` that throws, with its two decisions, and the path of
    // `guarded`, with two calls and a handler.
    assert_eq!(trees.trees.size(), (before.0 + 2, before.1 + 5));
    let sign = trees.method("sign");
    trees.run("filled", (1, 2));
    trees.run("filled", (1, 0));
    assert_eq!(trees.trees.paths(sign).count(), 2);
    trees.run("filled", (-1, 2));
    assert_eq!(trees.trees.paths(sign).count(), 3);
}

#[test]
fn a_further_recursion_is_one_node() {
    let mut trees = Trees::new(&["gcd"]);
    // Neighbours of the Fibonacci sequence are the worst case.
    let (mut numbers, mut before) = ((1, 0), None);
    let mut sizes = Vec::new();
    for _ in 0..10 {
        let path = trees.run("gcd", numbers);
        assert_eq!(trees.trees.calls(path), Vec::from_iter(before));
        sizes.push(trees.trees.size());
        before = Some(path);
        numbers = (numbers.0 + numbers.1, numbers.0);
        if numbers == (1, 1) {
            numbers = (2, 1);
        }
    }
    // The decision that all runs but the first share is a node too.
    assert_eq!(sizes[..4], [(1, 1), (2, 3), (3, 4), (4, 5)]);
    assert_eq!(sizes[9], (10, 11));
}

#[test]
fn a_run_that_was_not_followed_is_no_path() {
    let mut trees = Trees::new(&["gcd", "guarded"]);
    let gcd = trees.method("gcd");
    let (path, _) = trees.run_part(gcd, (5, 3), 50);
    assert_eq!(path, None);
    assert_eq!(trees.trees.size(), (0, 1));
    let text = trees.trees.text(&trees.vm, &trees.goals);
    assert!(text.contains("not equal: not followed further"), "{text}");
}

#[test]
fn trees_are_told() {
    let mut trees = Trees::new(&["guarded", "twice", "finished"]);
    for numbers in [(1, 0), (0, 1), (0, 0)] {
        trees.run("guarded", numbers);
        trees.run("finished", numbers);
    }
    trees.run("twice", (3, 0));
    expect![[r#"
        guarded(int,int): 3 paths, 5 nodes
          guarded:12 calls sign(int) path 1: path 1 returns
          guarded:12 calls sign(int) path 2, guarded:13 handles java.lang.IllegalStateException from guarded:12
            guarded:14 calls sign(int) path 1: path 2 returns
            guarded:14 calls sign(int) path 2: path 3 throws java.lang.IllegalStateException from guarded:14
        sign(int): 2 paths, 3 nodes
          sign:5 greater: path 1 returns
          sign:5 not greater, sign:6 equal: path 2 throws java.lang.IllegalStateException from sign:6
        twice(int,int): 1 path, 2 nodes
          twice:22 calls down(int) path 1, twice:22 calls down(int) path 2: path 1 returns
        down(int): 2 paths, 4 nodes
          down:19 greater, down:19 greater, down:19 not greater: path 1 returns
          down:19 not greater: path 2 returns
        finished(int,int): 2 paths, 6 nodes
          finished:37 calls sign(int) path 1, finished:39 handles java.lang.ArithmeticException from finished:37, finished:39 calls sign(int) path 1: path 1 throws java.lang.ArithmeticException from finished:40
          finished:37 calls sign(int) path 2, finished:39 handles java.lang.IllegalStateException from finished:37, finished:39 calls sign(int) path 1: path 2 throws java.lang.IllegalStateException from finished:40
    "#]]
    .assert_eq(&trees.trees.text(&trees.vm, &trees.goals));
}
