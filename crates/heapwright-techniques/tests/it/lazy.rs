//! The lazy search finds the structures of Korat's search, each with the same multiplicity, whether
//! they are counted as cubes or expanded.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

use heapwright_explore::{End, KoratSearch, LazySearch, Leaf, Search, Tree};
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_suite::jsonl;
use heapwright_techniques::invariant::{BoundsRequest, Enumeration, StructuresRequest};
use heapwright_techniques::korat_api;
use heapwright_techniques::read::StructureReader;
use heapwright_testkit::fixtures::{self, project};
use heapwright_testkit::jdk::jdks;

const STEP_LIMIT: u64 = 10_000_000;
/// Most structures that are compared one by one.
const MAX_COMPARED: u64 = 20_000;

/// Multiplicity of each structure.
type Found = BTreeMap<String, u32>;

fn prepared(classes: &Path, home: &Path, class: &str, bounds: BoundsRequest) -> (Vm, Enumeration) {
    let mut config = Config::new(Jdk::at(home).unwrap(), vec![classes.to_owned()]);
    config.embedded = korat_api::CLASSES;
    config.assertions = true;
    let mut vm = Vm::new(config).unwrap();
    let request = StructuresRequest {
        class: class.to_owned(),
        invariant: None,
        criterion: None,
        bounds,
        step_limit: STEP_LIMIT,
    };
    let enumeration = Enumeration::prepare(&mut vm, &request).unwrap();
    (vm, enumeration)
}

fn expanded(vm: &mut Vm, enumeration: &Enumeration) -> Found {
    let mut reader = StructureReader::new(vm, enumeration.class);
    let mut found = Found::new();
    let mut search = LazySearch::new(&enumeration.space, enumeration.invariant, STEP_LIMIT);
    let end = search
        .run(
            vm,
            &mut |_| ControlFlow::Continue(()),
            &mut |vm, leaf, _| {
                if *leaf == Leaf::Valid {
                    let structure = reader.read(vm, enumeration.space.root).structure;
                    *found.entry(jsonl::line(&structure)).or_default() += 1;
                }
                ControlFlow::Continue(())
            },
        )
        .unwrap();
    assert_eq!(end, End::Complete);
    assert_eq!(
        search.progress().valid,
        found.values().map(|&times| u64::from(times)).sum::<u64>()
    );
    found
}

fn as_korat(vm: &mut Vm, enumeration: &Enumeration) -> Found {
    let mut reader = StructureReader::new(vm, enumeration.class);
    let mut found = Found::new();
    KoratSearch::new(&enumeration.space, enumeration.invariant, STEP_LIMIT)
        .run(
            vm,
            &mut |_| ControlFlow::Continue(()),
            &mut |vm, leaf, _| {
                if *leaf == Leaf::Valid {
                    let structure = reader.read(vm, enumeration.space.root).structure;
                    *found.entry(jsonl::line(&structure)).or_default() += 1;
                }
                ControlFlow::Continue(())
            },
        )
        .unwrap();
    found
}

/// A comparison with `Long.MIN_VALUE`, whose difference is no long, leaves a value open: there is
/// one cube for each shape.
#[test]
fn bounds_beyond_reach_fix_nothing() {
    let classes = fixtures::classes();
    let bounds = BoundsRequest::Finitization {
        name: None,
        arguments: ["6", "0", "6", "1", "16"].map(str::to_owned).to_vec(),
    };
    let home = &jdks()[0].home;
    let (mut vm, enumeration) = prepared(&classes, home, "fixtures.tree.SearchTree", bounds);
    let mut search =
        LazySearch::new(&enumeration.space, enumeration.invariant, STEP_LIMIT).counts_only();
    let mut go_on = |_: &mut LazySearch<'_>| ControlFlow::Continue(());
    let mut visit = |_: &mut Vm, _: &Leaf, _: &mut LazySearch<'_>| ControlFlow::Continue(());
    search.run(&mut vm, &mut go_on, &mut visit).unwrap();
    // There are 1 + 1 + 2 + 5 + 14 + 42 + 132 binary trees; a tree of k nodes has a structure for
    // every choice of k of the 16 keys.
    assert_eq!(search.progress().cubes, 197);
    assert_eq!(search.progress().valid, 1_269_049);
}

/// Returns the differences between the searches on a class.
fn difference(vm: &mut Vm, enumeration: &Enumeration) -> Option<String> {
    let lazy = expanded(vm, enumeration);
    let korat = as_korat(vm, enumeration);
    let counted = counted(vm, enumeration);
    let all: u64 = korat.values().map(|&times| u64::from(times)).sum();
    if counted != all {
        return Some(format!("{counted} counted, not {all}"));
    }
    let (structure, _) = korat
        .iter()
        .chain(&lazy)
        .find(|(structure, _)| korat.get(*structure) != lazy.get(*structure))?;
    Some(format!(
        "{} structures, not {}; {structure} {:?} times, not {:?}",
        lazy.len(),
        korat.len(),
        lazy.get(structure),
        korat.get(structure)
    ))
}

fn counted(vm: &mut Vm, enumeration: &Enumeration) -> u64 {
    let mut search =
        LazySearch::new(&enumeration.space, enumeration.invariant, STEP_LIMIT).counts_only();
    let end = search
        .run(vm, &mut |_| ControlFlow::Continue(()), &mut |_, _, _| {
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(end, End::Complete);
    search.progress().valid.word().unwrap()
}

/// Difficult classes, within derived bounds.
#[test]
#[ignore = "long"]
fn hard_cases() {
    let classes = fixtures::classes();
    let mut wrong = Vec::new();
    let mut cases = 0;
    for file in std::fs::read_dir(project().join("fixtures/src/lazy")).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let class = format!("lazy.{}", name.strip_suffix(".java").unwrap());
        for jdk in jdks() {
            for scope in 1..=3 {
                let bounds = BoundsRequest::Scope(scope);
                let (mut vm, enumeration) = prepared(&classes, &jdk.home, &class, bounds);
                if enumeration.space.candidates() > 1_000_000_000_u64.into() {
                    continue;
                }
                cases += 1;
                if let Some(difference) = difference(&mut vm, &enumeration) {
                    wrong.push(format!("{class} {scope} on {}: {difference}", jdk.feature));
                }
            }
        }
    }
    assert!(cases > 20, "only {cases} cases");
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// A box's content differs from the box's number.
#[test]
fn boxes_that_hold_their_numbers() {
    let classes = fixtures::classes();
    let bounds = BoundsRequest::Finitization {
        name: None,
        arguments: vec!["4".to_owned()],
    };
    let home = &jdks()[0].home;
    let (mut vm, enumeration) = prepared(&classes, home, "lazy.Numbered", bounds);
    assert_eq!(difference(&mut vm, &enumeration), None);
    assert!(!expanded(&mut vm, &enumeration).is_empty());
}

#[test]
fn structures_are_those_of_korat() {
    let classes = fixtures::classes();
    let home = &jdks()[0].home;
    let csv = std::fs::read_to_string(project().join("fixtures").join("korat-counts.csv")).unwrap();
    let mut wrong = Vec::new();
    for line in csv.lines().skip(1) {
        let (class, rest) = line.split_once(',').unwrap();
        let (arguments, counts) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once("\",").unwrap(),
            None => rest.split_once(',').unwrap(),
        };
        let valid: u64 = counts.split_once(',').unwrap().1.parse().unwrap();
        let bounds = BoundsRequest::Finitization {
            name: None,
            arguments: arguments
                .split(',')
                .filter(|text| !text.is_empty())
                .map(str::to_owned)
                .collect(),
        };
        let (mut vm, enumeration) = prepared(&classes, home, class, bounds);
        let mut search =
            LazySearch::new(&enumeration.space, enumeration.invariant, STEP_LIMIT).counts_only();
        let end = search
            .run(
                &mut vm,
                &mut |_| ControlFlow::Continue(()),
                &mut |_, _, _| ControlFlow::Continue(()),
            )
            .unwrap();
        if end != End::Complete || search.progress().valid != valid {
            wrong.push(format!(
                "{class} {arguments}: {end:?}, {} counted, not {valid}",
                search.progress().valid
            ));
        }
        if valid <= MAX_COMPARED {
            let lazy = expanded(&mut vm, &enumeration);
            let korat = as_korat(&mut vm, &enumeration);
            if let Some((structure, times)) = korat
                .iter()
                .chain(&lazy)
                .find(|(structure, _)| korat.get(*structure) != lazy.get(*structure))
            {
                wrong.push(format!(
                    "{class} {arguments}: {} structures, not {}; {structure} {:?} times, not {:?} ({times})",
                    lazy.len(), korat.len(), lazy.get(structure), korat.get(structure)
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
