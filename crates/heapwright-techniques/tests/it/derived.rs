//! Derived bounds represent all heaps of the scope. On random classes both searches find each
//! structure once, and the same ones as an exhaustive enumeration of heaps.
//!
//! A [`Shape`] is a set of classes. It is written as Java with an invariant that depends on a hash
//! of the fields it reads, and modelled here. [`Heaps`] enumerates all heaps with named objects,
//! without symmetry reduction.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use heapwright_explore::{Leaf, Search, Strategy};
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_techniques::invariant::{BoundsRequest, Enumeration, StructuresRequest};
use heapwright_techniques::read::StructureReader;
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::compilers;

use crate::generated::{Heaps, Member, Random, Shape, graph};

const SEED: u64 = 7;
/// Number of random shapes.
const SHAPES: usize = 30;
/// Most heaps with named objects that are tried for a shape and scope.
const MAX_HEAPS: usize = 5_000;

/// Purposeful shapes, in front of the random ones.
fn named() -> Vec<Shape> {
    use Member::{Around, Flag, Int, Object, Objects};
    vec![
        // A list of its own nodes, a tree, a node with an array of nodes.
        Shape::of(&[(None, &[Object(0), Int])]),
        Shape::of(&[(None, &[Object(0), Object(0)])]),
        Shape::of(&[(None, &[Objects(0)])]),
        // A header and nodes that refer back to it.
        Shape::of(&[(None, &[Object(1)]), (None, &[Object(0), Object(1)])]),
        // Nodes of two classes, one a subclass of the other.
        Shape::of(&[(None, &[Object(0), Int]), (Some(0), &[Flag])]),
        // Inner objects in the root; a root that is an inner object.
        Shape::of(&[(None, &[Object(1), Int]), (None, &[Around(0), Object(1)])]),
        Shape::of(&[(None, &[Around(1), Object(0)]), (None, &[Int])]),
    ]
}

#[test]
fn both_searches_find_all_heaps_of_the_scope() {
    let mut random = Random(SEED);
    let mut shapes = named();
    while shapes.len() < SHAPES {
        shapes.push(Shape::random(&mut random));
    }
    let classes = compiled(&shapes);
    let (mut compared, mut structures) = (0, 0);
    for (number, shape) in shapes.iter().enumerate() {
        let root = format!("s{number}.{}", shape.name(0));
        for scope in 1..=3 {
            let Some(heaps) = Heaps::of(shape, scope, MAX_HEAPS) else {
                break;
            };
            let wanted: BTreeSet<String> = heaps
                .iter()
                .filter(|heap| shape.holds(heap))
                .map(|heap| heap.canonical())
                .collect();
            let (mut vm, enumeration) = prepared(&classes, &root, scope);
            for strategy in [Strategy::Korat, Strategy::Lazy] {
                let found = found(&mut vm, &enumeration, strategy);
                let case = || format!("{strategy:?}, scope {scope}:\n{}", shape.java(number));
                let often = found.iter().find(|&(_, &times)| times > 1);
                assert_eq!(often, None, "more than once: {}", case());
                let found: BTreeSet<String> = found.into_keys().collect();
                let missing = wanted.difference(&found).next();
                assert_eq!(missing, None, "missed: {}", case());
                let further = found.difference(&wanted).next();
                assert_eq!(further, None, "not there: {}", case());
            }
            compared += 1;
            structures += wanted.len();
        }
    }
    assert!(compared > 2 * SHAPES, "only {compared} compared");
    assert!(structures > 4_000, "only {structures} structures");
}

/// Compiles the classes of all shapes, each shape in a package of its own.
fn compiled(shapes: &[Shape]) -> PathBuf {
    let mut fixture = Fixture::new(&["--release", "17", "-nowarn"]);
    for (number, shape) in shapes.iter().enumerate() {
        fixture = fixture.text("C0", &shape.java(number));
    }
    fixture.classes()
}

fn prepared(classes: &Path, root: &str, scope: u32) -> (Vm, Enumeration) {
    let jdk = Jdk::at(&compilers()[0].home).unwrap();
    let mut vm = Vm::new(Config::new(jdk, vec![classes.to_owned()])).unwrap();
    let request = StructuresRequest {
        class: root.to_owned(),
        invariant: None,
        criterion: None,
        bounds: BoundsRequest::Scope(scope),
        step_limit: 1_000_000,
    };
    let enumeration = Enumeration::prepare(&mut vm, &request).unwrap();
    (vm, enumeration)
}

/// Counts how often a search finds each structure; checks that counting gives the same number.
fn found(vm: &mut Vm, enumeration: &Enumeration, strategy: Strategy) -> BTreeMap<String, u32> {
    let mut reader = StructureReader::new(vm, enumeration.class);
    let mut found: BTreeMap<String, u32> = BTreeMap::new();
    let go_on = |_: &dyn Search| ControlFlow::Continue(());
    let outcome = enumeration
        .search(vm, strategy, go_on, |vm, leaf, _| {
            if *leaf == Leaf::Valid {
                let structure = reader.read(vm, enumeration.space.root).structure;
                *found.entry(graph(&structure).canonical()).or_default() += 1;
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(outcome.thrown, None);
    let counted = enumeration.count(vm, strategy, go_on).unwrap();
    assert_eq!(counted.progress.valid, outcome.progress.valid);
    found
}
