//! A search that is cut up, stopped and resumed anywhere has the results of an uninterrupted one:
//! the same structures in the same order, and the same counts.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use heapwright_explore::{
    ClassName, End, Explorer, KoratSearch, LazySearch, Leaf, Progress, SearchError, Span, Strategy,
    Tree,
};
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_suite::jsonl;
use heapwright_techniques::invariant::{
    BoundsRequest, CriterionRequest, Enumeration, StructuresRequest,
};
use heapwright_techniques::korat_api;
use heapwright_techniques::read::StructureReader;
use heapwright_testkit::fixtures;
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::random::Random;

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

/// Classes, arguments and criteria.
const CLASSIFIED: [(&str, &str, &str); 6] = [
    ("fixtures.koratplus.ListToSet", "2,3", "eqClass"),
    ("fixtures.koratplus.HeapMerge", "2", "eqClass"),
    ("fixtures.koratplus.Digraph", "3", "eqClass"),
    (
        "fixtures.koratplus.WeightedDigraph",
        "2,-1,1",
        "densityAndWeights",
    ),
    ("fixtures.koratplus.TreeDelete", "3,3", "position"),
    ("fixtures.koratplus.HeapMerge", "2", "size"),
];

fn machine() -> Vm {
    let classes = fixtures::classes();
    let jdk = Jdk::find(Some(&jdks()[0].home)).unwrap();
    let mut config = Config::new(jdk, vec![classes]);
    config.embedded = korat_api::CLASSES;
    Vm::new(config).unwrap()
}

fn prepared(vm: &mut Vm, class: &str, arguments: &str) -> Enumeration {
    classified(vm, class, arguments, None)
}

fn classified(
    vm: &mut Vm,
    class: &str,
    arguments: &str,
    criterion: Option<(&str, bool)>,
) -> Enumeration {
    let request = StructuresRequest {
        class: class.to_owned(),
        invariant: None,
        bounds: BoundsRequest::Finitization {
            name: None,
            arguments: arguments.split(',').map(str::to_owned).collect(),
        },
        criterion: criterion.map(|(method, prunes)| CriterionRequest {
            method: method.to_owned(),
            prunes,
        }),
        step_limit: STEP_LIMIT,
    };
    Enumeration::prepare(vm, &request).unwrap()
}

/// The four kinds of search.
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
    classes: Vec<ClassName>,
    /// Path below which later results do not count.
    left_out: Option<Vec<i64>>,
}

/// Runs the whole search, cut up, stopped and broken off at random.
fn in_parts(
    vm: &mut Vm,
    enumeration: &Enumeration,
    search: &mut dyn Explorer,
    reader: &mut StructureReader,
    dice: &mut Random,
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
                        here = Some(search.resume_point());
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
                assert_eq!(here, Some((rest.clone(), search.progress().clone())));
            }
            assert!(span <= rest, "{span} {rest}");
            open.push(rest);
        }
        part.progress = search.progress().clone();
        let classes = search
            .coverage()
            .map(|coverage| coverage.classes.iter().cloned());
        let left_out = search.left_out().map(<[i64]>::to_vec);
        let known = found.entry(span).or_default();
        known.progress += &part.progress;
        known.leaves.extend(part.leaves);
        known.classes.extend(classes.into_iter().flatten());
        known.left_out = left_out;
    }
    let mut all = Found::default();
    let parts = found.len();
    for (span, part) in found {
        let is_left_out = |path: &Vec<i64>| span.path[..span.fixed].starts_with(path);
        if all.left_out.as_ref().is_some_and(is_left_out) {
            continue;
        }
        all.progress += &part.progress;
        all.leaves.extend(part.leaves);
        all.left_out = part.left_out.or(all.left_out);
        for class in part.classes {
            if !all.classes.contains(&class) {
                all.classes.push(class);
            }
        }
    }
    (all, parts)
}

#[test]
fn parts_make_the_whole() {
    let mut vm = machine();
    let mut dice = Random::new(1);
    for (class, arguments) in ROWS {
        let enumeration = prepared(&mut vm, class, arguments);
        let mut reader = StructureReader::new(&vm, enumeration.class);
        let names = searches(&enumeration, 1).into_iter().map(|(name, _)| name);
        for (which, name) in names.enumerate() {
            let at = |slice| searches(&enumeration, slice).swap_remove(which).1;
            let mut once = |search: &mut dyn Explorer, dice: &mut Random, odds| {
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

/// With a criterion, the lazy search retains the same structures of the same classes however it is
/// cut up. No class that Korat's search finds is lost.
#[test]
fn classes_do_not_depend_on_the_parts() {
    let mut vm = machine();
    let mut dice = Random::new(2);
    let mut left_out = 0;
    for (class, arguments, method) in CLASSIFIED {
        let mut counts = Vec::new();
        for prunes in [false, true] {
            let enumeration = classified(&mut vm, class, arguments, Some((method, prunes)));
            let mut reader = StructureReader::new(&vm, enumeration.class);
            let mut korat = enumeration.explorer(Strategy::Korat, false);
            let mut once = |search: &mut dyn Explorer, dice: &mut Random, odds| {
                let reader = &mut reader;
                in_parts(&mut vm, &enumeration, search, reader, dice, odds)
            };
            let names = |found: &Found| -> BTreeSet<String> {
                found
                    .classes
                    .iter()
                    .map(|class| class.text.clone())
                    .collect()
            };
            let (by_korat, _) = once(&mut *korat, &mut Random::new(0), u64::MAX);
            for counts_only in [false, true] {
                let lazy = |slice| {
                    let search =
                        LazySearch::new(&enumeration.space, enumeration.invariant, STEP_LIMIT)
                            .with_criterion(enumeration.criterion.unwrap().0, prunes)
                            .with_slice(slice);
                    if counts_only {
                        search.counts_only()
                    } else {
                        search
                    }
                };
                let (whole, _) = once(&mut lazy(u64::MAX), &mut Random::new(0), u64::MAX);
                let what = format!("{class} {arguments} {method}, prunes: {prunes}");
                assert_eq!(names(&whole), names(&by_korat), "{what}");
                assert!(whole.progress.valid <= by_korat.progress.valid, "{what}");
                counts.push(whole.progress.clone());
                for (slice, odds) in [(1_000, 40), (5_000, 10), (10_000, 40)] {
                    let (found, parts) = once(&mut lazy(slice), &mut dice, odds);
                    let what = format!("{what}, {parts} parts, slices of {slice}");
                    assert_eq!(found.progress, whole.progress, "{what}");
                    assert!(found.leaves == whole.leaves, "{what}: other leaves");
                    assert_eq!(found.classes, whole.classes, "{what}");
                }
            }
        }
        assert_eq!(
            [&counts[0], &counts[2]],
            [&counts[1], &counts[3]],
            "{class}"
        );
        assert!(counts[0].explored >= counts[2].explored, "{class}");
        left_out += u64::from(counts[0].explored != counts[2].explored);
    }
    assert!(left_out > 0, "nothing was left out");
}

#[test]
fn a_strange_path_is_refused() {
    let mut vm = machine();
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
