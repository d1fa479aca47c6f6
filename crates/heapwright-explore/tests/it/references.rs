//! Paths over objects, arrays and strings: null, aliases, new objects and subtypes.

use crate::common::inputs::{Contents, Input, Object, Path, Target, Value, doubles, ints, product};
use crate::common::machine;

const SOURCE: &str = r#"
class Node {
    Node next;
    int key;
    int weight() { return key; }
    int link(Node a) {
        next = a;
        return a == this ? 2 : a.next == this ? 1 : 3;
    }
    boolean isShort() { return next == null || next.next == null; }
    boolean isOne() { return next == null; }
}
class Sub extends Node {
    int extra;
    int weight() { return extra + 1; }
}
abstract class Kind { }
class First extends Kind {
    boolean isSet;
    byte small;
}
class Second extends Kind {
    int number;
    double wide;
}
class References {
    static int kinds(Kind a) {
        if (a instanceof First first) return first.isSet ? 1 : first.small > 100 ? 2 : 3;
        if (a instanceof Second second) return second.number > 1000 ? 4 : second.wide > 0.5 ? 5 : 6;
        return 0;
    }
    static int isNull(Node a) { return a == null ? 1 : 0; }
    static int alias(Node a, Node b) {
        if (a == b) return 1;
        a.key = 5;
        return b.key == 5 ? 2 : 3;
    }
    static int chain(Node a) { return a.next.next.key; }
    static int kind(Node a) { return a instanceof Sub s ? s.extra : a == null ? -1 : a.key; }
    static int cast(Node a) { return ((Sub) a).extra; }
    static int dispatch(Node a) { return a.weight() > 3 ? 1 : 0; }
    static Node pick(Node a, Node b) { return a.key > b.key ? a : b; }
    static Node given(Node a) { return a; }
    static Node created(Node a) { return a.next != null ? a.next : new Sub(); }
    static int count(Node a) {
        int n = 0;
        for (; a != null; a = a.next) n++;
        return n;
    }
    static int cycle(Node a, Node b) {
        a.next = b;
        b.next = a;
        return a.next.next == a ? a.key - b.key : 9;
    }

    static int get(int[] a, int b) { return a[b]; }
    static int put(int[] a, int b, int c) {
        a[b] = c;
        a[c] = 7;
        return a[b];
    }
    static int total(int[] a) {
        int sum = 0;
        for (int x : a) sum += x;
        return sum > 2 ? 1 : sum;
    }
    static int fresh(int a, int b) {
        int[] made = new int[a];
        made[b] = 5;
        return made.length + made[0];
    }
    static boolean shared(int[] a, int[] b) {
        a[0] = 1;
        b[0] = 2;
        return a[0] == 2;
    }
    static int rows(int[][] a, int b) { return a[b][b]; }
    static int links(Node[] a, int b) { return a[b] == a[0] ? a[b].key : -1; }
    static long longs(long[] a) { return a.length > 1 && a[1] > a[0] ? a[1] - a[0] : a.length; }
}
"#;

fn check(method: &str, inputs: &[Input]) -> Vec<Path> {
    let mut vm = machine(SOURCE);
    let class = if matches!(method, "link") {
        "Node"
    } else {
        "References"
    };
    let mut target = Target::new(&mut vm, class, method, &["Node", "Sub"]).loops(3);
    target.bounds.length = 2;
    target.check(&mut vm, inputs)
}

fn outcomes(paths: &[Path]) -> Vec<&str> {
    let mut outcomes: Vec<&str> = paths.iter().map(|path| &*path.outcome).collect();
    outcomes.sort_unstable();
    outcomes
}

/// All inputs of `roots` references to `nodes` objects of the two classes; `has_receiver` leaves
/// out those whose first root is no `Node` itself.
fn heaps(roots: u32, nodes: usize, has_receiver: bool) -> Vec<Input> {
    let pointers: Vec<Value> = [Value::Null]
        .into_iter()
        .chain((0..nodes).map(Value::Object))
        .collect();
    let choices = pointers.len();
    // Each object has a class, a key and a reference.
    let of_object = 2 * 2 * choices;
    let mut heaps = Vec::new();
    for number in 0..of_object.pow(nodes as u32) * choices.pow(roots) {
        let mut rest = number;
        let mut next = |count: usize| {
            let digit = rest % count;
            rest /= count;
            digit
        };
        let mut input = Input::default();
        for _ in 0..roots {
            input.roots.push(pointers[next(choices)]);
        }
        for _ in 0..nodes {
            let is_sub = next(2) == 1;
            let (key, to) = (4 * next(2) as u64, pointers[next(choices)]);
            let mut fields = vec![
                ("next".to_owned(), to),
                ("key".to_owned(), Value::Number(key)),
            ];
            if is_sub {
                fields.push(("extra".to_owned(), Value::Number(key)));
            }
            let class = if is_sub { "Sub" } else { "Node" };
            input.add(class, Contents::Fields(fields));
        }
        let is_node = match input.roots[0] {
            Value::Object(number) => input.objects[number].class == "Node",
            _ => false,
        };
        if !has_receiver || is_node {
            heaps.push(input);
        }
    }
    heaps
}

/// Inputs of an array of up to two elements, or null, and further integers.
fn arrays(class: &str, elements: &[u64], further: &[&[u64]]) -> Vec<Input> {
    let mut contents = vec![None, Some(Vec::new())];
    for &first in elements {
        contents.push(Some(vec![first]));
        contents.extend(elements.iter().map(|&second| Some(vec![first, second])));
    }
    let mut inputs = Vec::new();
    for array in contents {
        for rest in product(further) {
            let mut input = Input::default();
            let array = array.as_ref().map(|elements| {
                let elements = elements.iter().map(|&element| Value::Number(element));
                input.add(class, Contents::Elements(elements.collect()))
            });
            input.roots.push(array.unwrap_or(Value::Null));
            input.roots.extend(rest.roots);
            inputs.push(input);
        }
    }
    inputs
}

#[test]
fn null_and_aliases_are_paths() {
    let paths = check("isNull", &heaps(1, 1, false));
    assert_eq!(outcomes(&paths), ["0", "1"]);
    let paths = check("alias", &heaps(2, 2, false));
    let mut found = outcomes(&paths);
    found.dedup();
    let thrown = "throws java.lang.NullPointerException";
    assert_eq!(found, ["1", "2", "3", thrown], "{paths:#?}");
    let paths = check("cycle", &heaps(2, 2, false));
    assert!(!outcomes(&paths).contains(&"9"), "{paths:#?}");
}

#[test]
fn references_of_objects_are_resolved_as_they_are_read() {
    let heaps: Vec<Input> = heaps(1, 3, false).into_iter().step_by(5).collect();
    let paths = check("chain", &heaps);
    // Three ways to throw; cycles of one and two objects, and new objects of either class.
    let thrown = outcomes(&paths)
        .into_iter()
        .filter(|outcome| outcome.starts_with("throws"));
    assert!(thrown.count() >= 3, "{paths:#?}");
    assert!(
        paths
            .iter()
            .any(|path| path.conditions.iter().any(|it| it == "a.next == a"))
    );
}

#[test]
fn subtypes_are_told_apart_where_code_does() {
    for method in ["kind", "cast", "dispatch"] {
        check(method, &heaps(1, 2, false));
    }
    let paths = check("cast", &heaps(1, 1, false));
    let thrown = "throws java.lang.ClassCastException";
    let of_node = paths.iter().find(|path| path.outcome == thrown).unwrap();
    assert_eq!(of_node.model.as_ref().unwrap().objects[0].class, "Node");
}

#[test]
fn results_are_the_objects_that_runs_return() {
    for method in ["pick", "created"] {
        let count = if method == "pick" { 2 } else { 1 };
        check(method, &heaps(count, 2, false));
    }
    // Nothing looks at the argument, so that there is one path.
    let paths = check("given", &heaps(1, 2, false));
    assert_eq!(paths.len(), 1, "{paths:#?}");
}

#[test]
fn the_receiver_may_be_an_argument() {
    let paths = check("link", &heaps(2, 2, true));
    let found = outcomes(&paths);
    assert!(
        ["1", "2", "3"].iter().all(|value| found.contains(value)),
        "{paths:#?}"
    );
}

#[test]
fn cycles_end_at_the_bound_of_iterations() {
    let heaps: Vec<Input> = heaps(1, 3, false).into_iter().step_by(5).collect();
    let paths = check("count", &heaps);
    assert!(outcomes(&paths).contains(&"Bounded(Loops)"), "{paths:#?}");
}

/// Objects of the inputs are bounded by class and in total.
#[test]
fn objects_are_bounded() {
    let mut vm = machine(SOURCE);
    for (objects, all) in [(1, u32::MAX), (2, u32::MAX), (3, 2)] {
        let mut target = Target::new(&mut vm, "References", "chain", &["Node"]);
        target.bounds.objects = objects;
        target.bounds.all_objects = all;
        let paths = target.paths(&mut vm);
        let sizes = paths
            .iter()
            .map(|path| path.model.as_ref().unwrap().objects.len());
        assert_eq!(sizes.max(), Some(objects.min(all) as usize), "{paths:#?}");
    }
}

/// Without objects, null is the only input, and nothing else is followed.
#[test]
fn without_objects_null_is_left() {
    let mut vm = machine(SOURCE);
    let null = Input {
        roots: vec![Value::Null],
        objects: Vec::new(),
    };
    for (method, outcomes) in [
        ("isNull", &["1", "0"][..]),
        ("chain", &["throws java.lang.NullPointerException"]),
        ("count", &["0"]),
    ] {
        let mut target = Target::new(&mut vm, "References", method, &["Node", "Sub"]);
        target.bounds.objects = 0;
        let paths = target.check(&mut vm, std::slice::from_ref(&null));
        let found: Vec<&str> = paths.iter().map(|path| &*path.outcome).collect();
        assert_eq!(found, outcomes, "{method}");
    }
}

/// Fields that are made at the same place on two paths have the values of their own kinds.
#[test]
fn kinds_of_inputs_are_kept_apart() {
    let mut vm = machine(SOURCE);
    let target = Target::new(&mut vm, "References", "kinds", &["First", "Second"]);
    let mut inputs = vec![Input {
        roots: vec![Value::Null],
        objects: Vec::new(),
    }];
    for (class, fields, values) in [
        (
            "First",
            ["isSet", "small"],
            [ints([0, 1]), ints([-1, 100, 101])],
        ),
        (
            "Second",
            ["number", "wide"],
            [ints([-1, 1000, 1001]), doubles([0.5, 0.75, f64::NAN])],
        ),
    ] {
        for pair in product(&[&values[0], &values[1]]) {
            let mut input = Input::default();
            let names = fields.map(str::to_owned);
            let contents = names.into_iter().zip(pair.roots).collect();
            let object = input.add(class, Contents::Fields(contents));
            input.roots.push(object);
            inputs.push(input);
        }
    }
    let paths = target.check(&mut vm, &inputs);
    assert_eq!(outcomes(&paths), ["0", "1", "2", "3", "4", "5", "6"]);
}

/// With a precondition, the paths are those of receivers that satisfy it.
#[test]
fn a_precondition_restricts_receivers() {
    let mut vm = machine(SOURCE);
    let mut target = Target::new(&mut vm, "Node", "link", &["Node", "Sub"]).loops(3);
    let is_short = crate::common::method(&mut vm, "Node", "isShort");
    target.entry.precondition = Some(is_short);
    let next_of = |input: &Input, value: Value| match value {
        Value::Object(number) => match &input.objects[number].contents {
            Contents::Fields(fields) => fields[0].1,
            _ => Value::Null,
        },
        _ => Value::Null,
    };
    let is_short = |input: &Input| {
        let next = next_of(input, input.roots[0]);
        next_of(input, next) == Value::Null
    };
    let mut inputs = heaps(2, 2, true);
    inputs.retain(is_short);
    let paths = target.check(&mut vm, &inputs);
    for path in &paths {
        assert!(is_short(path.model.as_ref().unwrap()), "{path:?}");
    }
}

#[test]
fn indices_out_of_bounds_are_paths() {
    let indices = ints([i32::MIN, -1, 0, 1, 2, i32::MAX]);
    let elements = ints([0, 1, 4]);
    let paths = check("get", &arrays("[I", &elements, &[&indices]));
    let thrown = "throws java.lang.ArrayIndexOutOfBoundsException";
    assert!(outcomes(&paths).contains(&thrown), "{paths:#?}");
    assert!(outcomes(&paths).contains(&"throws java.lang.NullPointerException"));
    check("put", &arrays("[I", &elements, &[&indices, &indices]));
    check("longs", &arrays("[J", &elements, &[]));
}

/// With indices fixed, a path stands for one element; the outcomes are the same.
#[test]
fn fixed_indices_have_the_same_outcomes() {
    let mut vm = machine(SOURCE);
    let indices = ints(-1..3);
    let inputs = arrays("[I", &ints([0, 1]), &[&indices, &indices]);
    let mut counts = Vec::new();
    for fixes in [false, true] {
        let mut target = Target::new(&mut vm, "References", "put", &[]);
        target.bounds.length = 2;
        target.bounds.fixes_indices = fixes;
        counts.push(target.check(&mut vm, &inputs).len());
    }
    assert!(counts[0] < counts[1], "{counts:?}");
}

#[test]
fn loops_over_arrays_end_with_their_lengths() {
    let paths = check("total", &arrays("[I", &ints([-1, 0, 1, 2]), &[]));
    assert!(!outcomes(&paths).contains(&"Bounded(Loops)"), "{paths:#?}");
}

#[test]
fn new_arrays_have_open_lengths() {
    let numbers = ints([-1, 0, 1, 2, 5]);
    let paths = check("fresh", &product(&[&numbers, &numbers]));
    let found = outcomes(&paths);
    assert!(
        found.contains(&"throws java.lang.NegativeArraySizeException"),
        "{paths:#?}"
    );
}

#[test]
fn two_arrays_may_be_one() {
    let pair = |first: &[u64], second: Option<&[u64]>| {
        let mut input = Input::default();
        let elements = |slots: &[u64]| {
            Contents::Elements(slots.iter().map(|&slot| Value::Number(slot)).collect())
        };
        let one = input.add("[I", elements(first));
        let other = match second {
            None => one,
            Some(second) => input.add("[I", elements(second)),
        };
        input.roots = vec![one, other];
        input
    };
    let inputs = [
        pair(&[0], None),
        pair(&[0], Some(&[0])),
        pair(&[], None),
        pair(&[], Some(&[0])),
        pair(&[3], Some(&[])),
    ];
    let paths = check("shared", &inputs);
    assert!(outcomes(&paths).contains(&"1"), "{paths:#?}");
}

#[test]
fn elements_may_be_objects() {
    let indices = ints([-1, 0, 1, 2]);
    let mut rows = Vec::new();
    let mut links = Vec::new();
    let of = |kind: &str, number: u64| match kind {
        "[I" => Contents::Elements(vec![Value::Number(number)]),
        _ => Contents::Fields(vec![("key".to_owned(), Value::Number(number))]),
    };
    for &index in &indices {
        for (class, array, inputs) in [("[I", "[[I", &mut rows), ("Node", "[LNode;", &mut links)] {
            for first in [Value::Null, Value::Object(0)] {
                for second in [Value::Null, Value::Object(0), Value::Object(1)] {
                    let objects = [0, 4].map(|number| Object {
                        class: class.to_owned(),
                        contents: of(class, number),
                    });
                    let mut input = Input {
                        roots: Vec::new(),
                        objects: objects.to_vec(),
                    };
                    let array = input.add(array, Contents::Elements(vec![first, second]));
                    input.roots = vec![array, Value::Number(index)];
                    inputs.push(input);
                }
            }
        }
    }
    check("rows", &rows);
    check("links", &links);
}
