//! Canonical forms of structures: equal exactly if the structures are, and enough to make them
//! again.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_explore::{
    CanonicalForm, Canonicalizer, ClassNumbers, FormSet, OutOfScope, SizeLimits,
};
use heapwright_jvm::{Exit, Vm};

use crate::common::structures::Structures;
use crate::common::{ENOUGH, machine, method, run, undone};

const SOURCE: &str = "
class Graph {
    Graph a, b;
    Part part;
    int value;
    boolean repOk() { return true; }
    int sum() { return value + (part == null ? 0 : part.weight) + (a == this ? 7 : 0); }
}
class Part { Graph owner; long mass; int weight; boolean flag; char letter; double real; }
";

fn graph(vm: &mut Vm) -> Structures {
    let fields = "Graph.a: null this Graph
        Graph.b: null Graph
        Graph.part: null Part
        Graph.value: 0..1
        Part.owner: null this Graph
        Part.weight: -1,2";
    Structures::new(vm, "Graph", &[("Graph", 1), ("Part", 1)], fields)
}

fn canonicalizer(vm: &Vm, limits: SizeLimits) -> Canonicalizer {
    let omits = Arc::new(|_: &str, _: &str| false);
    Canonicalizer::new(vm, Arc::new(ClassNumbers::default()), omits, limits)
}

#[test]
fn forms_are_equal_exactly_if_structures_are() {
    let mut vm = machine(SOURCE);
    let mut canonicalizer = canonicalizer(&vm, SizeLimits::none());
    let structures = graph(&mut vm);
    let root = structures.space.root;
    let mut texts: BTreeMap<Vec<u8>, String> = BTreeMap::new();
    let mut forms: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut set = FormSet::default();
    let mut inserted = 0;
    structures.candidates(&mut vm, |vm| {
        let text = structures.text(vm);
        let form = canonicalizer.form(vm, root).unwrap();
        let bytes = form.compared.to_vec();
        assert_eq!(
            *texts.entry(bytes.clone()).or_insert_with(|| text.clone()),
            text
        );
        assert_eq!(*forms.entry(text).or_insert_with(|| bytes.clone()), bytes);
        let hash = FormSet::hash(&bytes);
        let is_known = set.contains(hash, &bytes);
        assert_eq!(set.insert(hash, form, b"origin"), !is_known);
        inserted += usize::from(!is_known);
    });
    assert!(forms.len() > 50, "{}", forms.len());
    assert_eq!((set.len(), inserted), (forms.len(), forms.len()));
    for (index, record) in set.from(0).enumerate() {
        let bytes = record.form.compared;
        assert!(texts.contains_key(bytes) && set.place_of(bytes).is_some());
        assert_eq!(set.get(index).unwrap().form, record.form);
        assert_eq!(record.origin, b"origin");
    }
}

/// A structure made again from its form has that form, and methods return the same on it.
#[test]
fn structures_are_made_again_from_forms() {
    let mut vm = machine(SOURCE);
    let mut canonicalizer = canonicalizer(&vm, SizeLimits::none());
    let structures = graph(&mut vm);
    let sum = method(&mut vm, "Graph", "sum");
    let class = vm.load_class("Graph").unwrap();
    let mut forms = BTreeMap::new();
    structures.candidates(&mut vm, |vm| {
        let form = canonicalizer.form(vm, structures.space.root).unwrap();
        let compared = form.compared.to_vec();
        let answer = undone(vm, |vm| {
            run(vm, sum, &[structures.space.root.slot()], ENOUGH)
        });
        forms.insert(compared, answer);
    });
    for (compared, expected) in &forms {
        undone(&mut vm, |vm| {
            let form = CanonicalForm {
                compared,
                omitted: &[],
            };
            let made = canonicalizer.make(vm, class, form).unwrap();
            let again = canonicalizer.form(vm, made).unwrap();
            assert_eq!(again.compared, compared);
            let answer = run(vm, sum, &[made.slot()], ENOUGH);
            assert!(matches!(answer, Exit::Done(_)) && answer == *expected);
        });
    }
}

/// Structures with more objects of a class than allowed have no form.
#[test]
fn sizes_are_limited() {
    let mut vm = machine(SOURCE);
    for most in [1, 2] {
        let limits = SizeLimits {
            objects: most,
            ..SizeLimits::none()
        };
        let mut canonicalizer = canonicalizer(&vm, limits);
        let structures = graph(&mut vm);
        let mut refused = 0;
        structures.candidates(&mut vm, |vm| {
            let graphs = structures.text(vm).matches("Graph{").count();
            let form = canonicalizer.form(vm, structures.space.root);
            assert_eq!(
                form.err(),
                (graphs > most as usize).then_some(OutOfScope::Objects)
            );
            refused += u32::from(graphs > most as usize);
        });
        assert_eq!(refused > 0, most == 1);
    }
}
