//! A search that is cut up, stopped and gone on with anywhere finds, part by part, what it finds in
//! one go: the same structures in the same order, and the same counts.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends where what it needs is missing"
)]

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use heapwright_explore::{
    End, Explorer, KoratSearch, LazySearch, Leaf, Progress, SearchError, Span,
};
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_suite::jsonl;
use heapwright_techniques::invariant::{BoundsRequest, Enumeration, Request};
use heapwright_techniques::korat_api;
use heapwright_techniques::read::StructureReader;
use heapwright_testkit::fixtures::compile_fixtures;
use heapwright_testkit::jdk::{compilers, jdks};

const STEP_LIMIT: u64 = 1_000_000;

/// Classes and the arguments of their finitizations: trees, arrays, several class domains, longs,
/// an invariant that throws.
const ROWS: [(&str, &str); 8] = [
    ("fixtures.tree.SearchTree", "3"),
    ("fixtures.heap.HeapArray", "3,3,3"),
    ("fixtures.graph.Fleet", "2,1,true"),
    ("fixtures.graph.Network", "3,2,3,false"),
    ("fixtures.graph.Person", "2,false"),
    ("fixtures.list.DoublyLinkedList", "5,3"),
    ("fixtures.bank.Account", "1"),
    ("fixtures.graph.Dag", "3"),
];

/// Small pseudo-random numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(99);
        (self.0 >> 33) % bound
    }
}

fn machine() -> (tempfile::TempDir, Vm) {
    let folder = tempfile::tempdir().unwrap();
    let (classes, _) = compile_fixtures(&compilers()[0], folder.path());
    let jdk = Jdk::find(Some(&jdks()[0].home)).unwrap();
    let mut config = Config::new(jdk, vec![classes]);
    config.embedded = korat_api::CLASSES;
    (folder, Vm::new(config).unwrap())
}

fn prepared(vm: &mut Vm, class: &str, arguments: &str) -> Enumeration {
    let request = Request {
        class: class.to_owned(),
        invariant: None,
        bounds: BoundsRequest::Finitization {
            name: None,
            arguments: arguments.split(',').map(str::to_owned).collect(),
        },
        criterion: None,
        step_limit: STEP_LIMIT,
    };
    Enumeration::prepare(vm, &request).unwrap()
}

/// The four ways to search.
fn searches(enumeration: &Enumeration, slice: u64) -> Vec<(&'static str, Box<dyn Explorer + '_>)> {
    let (space, predicate) = (&enumeration.space, enumeration.invariant);
    let korat = || KoratSearch::new(space, predicate, STEP_LIMIT).with_slice(slice);
    let lazy = || LazySearch::new(space, predicate, STEP_LIMIT).with_slice(slice);
    vec![
        ("korat", Box::new(korat())),
        ("korat, counts", Box::new(korat().counts_only())),
        ("lazy", Box::new(lazy())),
        ("lazy, counts", Box::new(lazy().counts_only())),
    ]
}

#[derive(Default)]
struct Found {
    progress: Progress,
    leaves: Vec<String>,
}

/// Searches all, cutting, stopping and breaking off where the dice say.
fn in_parts(
    vm: &mut Vm,
    enumeration: &Enumeration,
    search: &mut dyn Explorer,
    reader: &mut StructureReader,
    dice: &mut Dice,
    odds: u64,
) -> (Found, usize) {
    let mut open = vec![Span::default()];
    let mut found: BTreeMap<Span, Found> = BTreeMap::new();
    while !open.is_empty() {
        let span = open.swap_remove(dice.below(open.len() as u64) as usize);
        let span: Span = span.to_string().parse().unwrap();
        let mut part = Found::default();
        search.start_at(span.clone());
        let mut here = None;
        let throws = std::cell::RefCell::new(&mut *dice);
        let end = search
            .explore(
                vm,
                &mut |search| {
                    match throws.borrow_mut().below(odds) {
                        0 => return ControlFlow::Break(()),
                        1 | 2 => open.extend(search.split()),
                        _ => {}
                    }
                    ControlFlow::Continue(())
                },
                &mut |vm, leaf, search| {
                    if throws.borrow_mut().below(odds) == 0 {
                        here = Some(search.here());
                        return ControlFlow::Break(());
                    }
                    part.leaves.push(match leaf {
                        Leaf::Valid => {
                            jsonl::line(&reader.read(vm, enumeration.space.root).structure)
                        }
                        Leaf::Threw(_) => "threw".to_owned(),
                        _ => "-".to_owned(),
                    });
                    ControlFlow::Continue(())
                },
            )
            .unwrap();
        if end == End::Complete {
            assert_eq!(search.rest(), None);
        } else {
            let rest = search.rest().unwrap().clone();
            if end == End::ByVisitor {
                assert_eq!(here, Some((rest.clone(), search.progress())));
            }
            assert!(span <= rest, "{span} {rest}");
            open.push(rest);
        }
        part.progress = search.progress();
        let known = found.entry(span).or_default();
        known.progress += part.progress;
        known.leaves.extend(part.leaves);
    }
    let mut all = Found::default();
    let parts = found.len();
    for part in found.into_values() {
        all.progress += part.progress;
        all.leaves.extend(part.leaves);
    }
    (all, parts)
}

#[test]
fn parts_make_the_whole() {
    let (_folder, mut vm) = machine();
    let mut dice = Dice(1);
    for (class, arguments) in ROWS {
        let enumeration = prepared(&mut vm, class, arguments);
        let mut reader = StructureReader::new(&vm, enumeration.class);
        let names = searches(&enumeration, 1).into_iter().map(|(name, _)| name);
        for (which, name) in names.enumerate() {
            let at = |slice| searches(&enumeration, slice).swap_remove(which).1;
            let mut once = |search: &mut dyn Explorer, dice: &mut Dice, odds| {
                let reader = &mut reader;
                in_parts(&mut vm, &enumeration, search, reader, dice, odds)
            };
            let (whole, _) = once(&mut *at(u64::MAX), &mut dice, u64::MAX);
            assert!(whole.progress.explored > 3, "{class} {name}");
            for (slice, odds) in [(50, 4), (50, 10), (1_000, 4), (10_000, 40)] {
                let (found, parts) = once(&mut *at(slice), &mut dice, odds);
                let what = format!("{class} {arguments} {name}, {parts} parts, slices of {slice}");
                assert_eq!(found.progress, whole.progress, "{what}");
                assert!(found.leaves == whole.leaves, "{what}: other leaves");
                if (slice, odds) == (50, 4) {
                    assert!(parts > 1, "{class} {name}: {parts} parts");
                }
            }
        }
    }
}

#[test]
fn a_strange_path_is_refused() {
    let (_folder, mut vm) = machine();
    let enumeration = prepared(&mut vm, "fixtures.tree.SearchTree", "2");
    for (name, mut search) in searches(&enumeration, 1_000) {
        for text in ["0/7_40", "0/0_99", "1/-1.0.0.0"] {
            search.start_at(text.parse().unwrap());
            let end = search.explore(
                &mut vm,
                &mut |_| ControlFlow::Continue(()),
                &mut |_, _, _| ControlFlow::Continue(()),
            );
            assert!(
                matches!(end, Err(SearchError::Misfit)),
                "{name} {text}: {end:?}"
            );
        }
    }
}
