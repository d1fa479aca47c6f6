//! The results of a search do not depend on how often it checks whether to go on, nor on where it
//! is stopped.

use std::ops::ControlFlow;

use heapwright_explore::{Coverage, End, KoratSearch, Leaf, Progress, Search, Tree};
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_techniques::invariant::{
    BoundsRequest, CriterionRequest, Enumeration, StructuresRequest,
};
use heapwright_techniques::korat_api;
use heapwright_testkit::fixtures;
use heapwright_testkit::jdk::jdks;

/// Step limit of one run; some candidates of the tree take more than a slice below.
const STEP_LIMIT: u64 = 100_000;

#[derive(Debug, PartialEq)]
struct Found {
    end: End,
    progress: Progress,
    /// For each candidate, its vector, the entries read and whether it is valid.
    candidates: Vec<(Vec<u32>, Vec<u32>, bool)>,
    coverage: Option<Coverage>,
}

fn prepared(vm: &mut Vm, class: &str, arguments: &[&str], criterion: Option<&str>) -> Enumeration {
    let request = StructuresRequest {
        class: class.to_owned(),
        invariant: None,
        bounds: BoundsRequest::Finitization {
            name: None,
            arguments: arguments.iter().map(|&text| text.to_owned()).collect(),
        },
        criterion: criterion.map(|method| CriterionRequest {
            method: method.to_owned(),
            prunes: true,
        }),
        step_limit: STEP_LIMIT,
    };
    Enumeration::prepare(vm, &request).unwrap()
}

/// Searches with a check after each slice of instructions, and stops at the check with this number.
fn search(vm: &mut Vm, enumeration: &Enumeration, slice: u64, stop_at: usize) -> (Found, usize) {
    let mut search =
        KoratSearch::new(&enumeration.space, enumeration.invariant, STEP_LIMIT).with_slice(slice);
    if let Some((criterion, prunes)) = enumeration.criterion {
        search = search.with_criterion(criterion, prunes);
    }
    let mut candidates = Vec::new();
    let mut questions = 0;
    let mut share = 0.0;
    let end = search
        .run(
            vm,
            &mut |_| {
                questions += 1;
                if questions == stop_at {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            },
            &mut |_, leaf, search| {
                let next = search.share_seen();
                assert!(share <= next && next < 1.0, "{share} {next}");
                share = next;
                let accessed = search.accessed().collect();
                candidates.push((search.vector(), accessed, *leaf == Leaf::Valid));
                ControlFlow::Continue(())
            },
        )
        .unwrap();
    let found = Found {
        end,
        progress: search.progress().clone(),
        candidates,
        coverage: search.coverage().cloned(),
    };
    (found, questions)
}

#[test]
fn results_do_not_depend_on_the_slice() {
    let classes = fixtures::classes();
    let jdk = Jdk::find(Some(&jdks()[0].home)).unwrap();
    let mut config = Config::new(jdk, vec![classes]);
    config.embedded = korat_api::CLASSES;
    let mut vm = Vm::new(config).unwrap();
    for (class, arguments, criterion) in [
        ("fixtures.tree.SearchTree", &["3"][..], None),
        ("fixtures.heap.HeapArray", &["3", "3", "3"], None),
        (
            "fixtures.koratplus.TreeDelete",
            &["3", "3"],
            Some("position"),
        ),
        ("fixtures.koratplus.Digraph", &["3"], Some("eqClass")),
    ] {
        let enumeration = prepared(&mut vm, class, arguments, criterion);
        let (whole, questions) = search(&mut vm, &enumeration, u64::MAX, usize::MAX);
        assert_eq!((whole.end, questions), (End::Complete, 0));
        assert!(whole.progress.explored > 50);
        for slice in [1, 7, 64, 1000] {
            let (found, questions) = search(&mut vm, &enumeration, slice, usize::MAX);
            assert!(questions > 10);
            assert_eq!(found, whole, "{class} in slices of {slice}");
        }
        // Stopped anywhere, it has found a prefix of the same candidates, and the machine remains
        // usable.
        let (_, questions) = search(&mut vm, &enumeration, 5, usize::MAX);
        for stop_at in [1, 2, questions / 3, questions / 2, questions] {
            let (found, _) = search(&mut vm, &enumeration, 5, stop_at);
            assert_eq!(found.end, End::Interrupted);
            assert_eq!(
                found.candidates[..],
                whole.candidates[..found.candidates.len()]
            );
            assert_eq!(found.progress.explored, found.candidates.len() as u64);
        }
        assert_eq!(search(&mut vm, &enumeration, u64::MAX, usize::MAX).0, whole);
    }
}
