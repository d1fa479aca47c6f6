//! Canonical forms: equal exactly for isomorphic heaps, and convertible back to the same heap.
//! Structures built by calls equal the results of replaying their calls.

use std::ops::ControlFlow;
use std::sync::Arc;

use heapwright_explore::{Canonicalizer, SizeLimits};
use heapwright_jvm::{ClassId, Config, Exit, Plain, Ref, Vm};
use heapwright_techniques::api::{
    ApiRequest, ApiSearch, Machines, Prepared, Sequence, StructureRef,
};
use heapwright_techniques::statements::StatementArgument;
use heapwright_testkit::fixtures;
use heapwright_testkit::jdk::jdks;

fn machines() -> impl Iterator<Item = Vm> {
    jdks().into_iter().map(|jdk| {
        let jdk = heapwright_jvm::Jdk::find(Some(&jdk.home)).unwrap();
        Vm::new(Config::new(jdk, vec![fixtures::classes()])).unwrap()
    })
}

/// Small deterministic generator of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }
}

/// Graph: for each node its key and the nodes that left, right and parent refer to; the number of
/// nodes represents null.
type Graph = Vec<(i32, [usize; 3])>;

fn graph(numbers: &mut Numbers) -> Graph {
    let nodes = 1 + numbers.below(4);
    (0..nodes)
        .map(|_| {
            let key = numbers.below(2) as i32;
            let edges = [(); 3].map(|()| numbers.below(nodes + 1));
            (key, edges)
        })
        .collect()
}

/// Returns the part of a graph that is reachable from node 0, with nodes in depth-first order: a
/// different numbering from that of forms. Results are equal exactly for isomorphic graphs.
fn walked(graph: &Graph) -> Graph {
    fn visit(graph: &Graph, node: usize, order: &mut Vec<usize>) {
        if node == graph.len() || order.contains(&node) {
            return;
        }
        order.push(node);
        for edge in graph[node].1 {
            visit(graph, edge, order);
        }
    }
    let mut order = Vec::new();
    visit(graph, 0, &mut order);
    let place = |node: usize| order.iter().position(|&other| other == node);
    let nodes = order.iter().map(|&node| {
        let (key, edges) = graph[node];
        (key, edges.map(|edge| place(edge).unwrap_or(order.len())))
    });
    nodes.collect()
}

/// Creates the graph as objects, in the order that `numbers` gives.
fn objects(vm: &mut Vm, class: ClassId, graph: &Graph, numbers: &mut Numbers) -> Ref {
    let mut made = vec![Ref::NULL; graph.len() + 1];
    let words = vm.class(class).instance_words;
    let mut left: Vec<usize> = (0..graph.len()).collect();
    while !left.is_empty() {
        let node = left.swap_remove(numbers.below(left.len()));
        made[node] = vm.heap.allocate(class, words, false).unwrap();
    }
    let word = |vm: &Vm, name: &str| vm.find_field(class, name).unwrap().word;
    let words = ["left", "right", "parent"].map(|name| word(vm, name));
    let key = word(vm, "key");
    for (node, (value, edges)) in graph.iter().enumerate() {
        vm.heap.set_field(made[node], key, u64::from(*value as u32));
        for (word, edge) in words.into_iter().zip(edges) {
            vm.heap.set_field(made[node], word, made[*edge].slot());
        }
    }
    made[0]
}

#[test]
fn forms_are_equal_for_isomorphic_heaps_alone() {
    for mut vm in machines() {
        let class = vm.load_class("compare/Tree$Node").unwrap();
        let none = Arc::new(|_: &str, _: &str| false);
        let mut canonicalizer = Canonicalizer::new(&vm, Arc::default(), none, SizeLimits::none());
        let mut numbers = Numbers(7);
        let mark = vm.mark();
        let mut seen: Vec<(Graph, Vec<u8>)> = Vec::new();
        let mut equal = 0;
        for _ in 0..600 {
            let graph = graph(&mut numbers);
            let root = objects(&mut vm, class, &graph, &mut numbers);
            let form = canonicalizer.form(&vm, root).unwrap();
            let bytes = form.compared.to_vec();
            let graph = walked(&graph);
            for (other, form) in &seen {
                assert_eq!(graph == *other, bytes == *form, "{graph:?} {other:?}");
                equal += usize::from(bytes == *form);
            }
            // The conversion back gives the same heap.
            let form = heapwright_explore::CanonicalForm {
                compared: &bytes,
                omitted: &[],
            };
            let again = canonicalizer.make(&mut vm, class, form).unwrap();
            assert_eq!(canonicalizer.form(&vm, again).unwrap().compared, bytes);
            seen.push((graph, bytes));
            vm.undo_to(mark);
        }
        assert!(equal > 100, "only {equal} pairs of isomorphic heaps");
    }
}

/// Objects behind a large array, at whatever distance, have the form that they have without it.
#[test]
fn forms_do_not_depend_on_the_distance_of_objects() {
    let mut vm = machines().next().unwrap();
    let class = vm.load_class("compare/Tree$Node").unwrap();
    let longs = vm.load_class("[J").unwrap();
    let none = Arc::new(|_: &str, _: &str| false);
    let mut canonicalizer = Canonicalizer::new(&vm, Arc::default(), none, SizeLimits::none());
    let mark = vm.mark();
    let mut forms: Vec<Vec<Vec<u8>>> = Vec::new();
    for length in [0, 1 << 12, 1 << 23] {
        let mut numbers = Numbers(11);
        let of_length = (0..40).map(|_| {
            let graph = graph(&mut numbers);
            vm.heap.allocate_array(longs, length, 8, false).unwrap();
            let root = objects(&mut vm, class, &graph, &mut numbers);
            let form = canonicalizer.form(&vm, root).unwrap().compared.to_vec();
            vm.undo_to(mark);
            form
        });
        forms.push(of_length.collect());
    }
    assert_eq!(forms[0], forms[1]);
    assert_eq!(forms[0], forms[2]);
}

#[test]
fn structures_are_what_their_calls_build() {
    for (class, scope, methods) in [
        ("compare.Tree", 3, ["<init>\\(\\)", "add"].as_slice()),
        ("compare.Pool", 3, &["<init>\\(\\)", "push", "pop"]),
        (
            "java.util.TreeMap",
            3,
            &["<init>\\(\\)", "put", "remove", "keySet"],
        ),
        ("java.util.ArrayList", 2, &["<init>\\(\\)", "add", "clear"]),
        (
            "java.util.LinkedHashMap",
            2,
            &["<init>\\(\\)", "put", "remove"],
        ),
    ] {
        for mut vm in machines() {
            let mut request = ApiRequest::up_to(class, scope);
            request.methods = methods.iter().copied().map(str::to_owned).collect();
            request.max_length = Some(4);
            let mut prepared = Prepared::new(&mut vm, &request, &Arc::default()).unwrap();
            let mut search = ApiSearch::new(&request);
            let outcome = search.run(&mut vm, &mut prepared, Machines::one(), &mut |_| {
                ControlFlow::Continue(())
            });
            assert!(outcome.progress.structures > 5, "{class}: {outcome:?}");
            let internal = class.replace('.', "/");
            let pool = search.pools.find(&internal).unwrap() as u32;
            let count = search.pools.get(pool).len().min(3_000);
            for index in 0..count as u32 {
                let built = StructureRef { pool, index };
                let sequence = Sequence::of(&search.pools, &prepared.caller.operations, built);
                let sequence = sequence.unwrap();
                assert!(sequence.statements.len() <= 4);
                let mark = vm.mark();
                let root = replay(&mut vm, &prepared, &sequence);
                let form = prepared.caller.canonicalizer.form(&vm, root).unwrap();
                let record = search.pools.record(built).unwrap().unwrap();
                let expected = record.get().form;
                assert_eq!(form, expected, "{class}: {sequence:?}");
                vm.undo_to(mark);
                vm.forget(mark);
            }
        }
    }
}

/// Makes the calls of a sequence, in order.
fn replay(vm: &mut Vm, prepared: &Prepared, sequence: &Sequence) -> Ref {
    let mut objects: Vec<Ref> = Vec::new();
    for statement in &sequence.statements {
        let operation = &prepared.caller.operations[statement.invokable];
        let mut slots = vec![0; operation.slots];
        for ((_, at), argument) in operation.sources.iter().zip(&statement.arguments) {
            slots[*at] = match *argument {
                StatementArgument::Result(object) => objects[object].slot(),
                StatementArgument::Value(slot) => slot,
                other => panic!("{other:?} in a sequence that builds a structure"),
            };
        }
        let call = operation.call;
        if call.is_constructor() {
            let class = call.class;
            let words = vm.class(class).instance_words;
            slots[0] = vm.heap.allocate(class, words, false).unwrap().slot();
        }
        let made = Ref::from_slot(slots.first().copied().unwrap_or(0));
        vm.call(call.method, &slots).unwrap();
        let Exit::Done(result) = vm.run(&mut Plain) else {
            panic!("a call of a sequence fails");
        };
        objects.push(match call.is_constructor() {
            true => made,
            false => Ref::from_slot(result),
        });
    }
    objects[sequence.object]
}
