//! Searches from the API, the builders among its methods, and comparisons with invariants.

use std::ops::ControlFlow;
use std::sync::Arc;

use heapwright_explore::{ClassNumbers, Count};
use heapwright_jvm::{Jdk, Vm};
use heapwright_techniques::adjust::Adjustments;
use heapwright_techniques::api::{
    ApiRequest, ApiSearch, InvariantCheck, Machines, Pools, Prepared,
};
use heapwright_techniques::builders::{Builders, builders};
use heapwright_techniques::compare::{CompareRequest, search_invariant};
use heapwright_testkit::fixtures::project;
use heapwright_testkit::jdk::{self, jdks};

use crate::spilled::{config, search};

/// Request for the structures that some methods build, or all.
fn request(class: &str, scope: u32, methods: &[&str]) -> ApiRequest {
    ApiRequest {
        methods: methods.iter().map(|&method| method.to_owned()).collect(),
        ..ApiRequest::up_to(class, scope)
    }
}

/// Calls times structures, and one constructor per iteration, as Politano et al. count.
#[test]
fn sequences_are_counted_as_published() {
    for (class, methods, scope, per_structure) in [
        ("compare.Tree", &["<init>\\(\\)", "add\\(int\\)"][..], 4, 4),
        ("compare.Pool", &["<init>", "push", "pop"], 3, 4),
    ] {
        let progress = search(&request(class, scope, methods), 1, None).0.progress;
        assert!(progress.structures > 1, "{class}");
        assert_eq!(
            progress.tally.explored,
            progress.structures * per_structure + u64::from(progress.iterations),
            "{class}"
        );
    }
}

#[test]
fn many_workers_find_what_one_finds() {
    let map = ["<init>\\(\\)|put\\(.*|remove\\(java.lang.Object\\)"];
    for (class, scope, methods, checks) in [
        ("compare.Pool", 5, &[][..], (false, false)),
        ("compare.Tree", 6, &[], (true, true)),
        ("api.Bag", 4, &[], (false, true)),
        ("java.util.TreeMap", 4, &map, (false, false)),
    ] {
        let mut request = request(class, scope, methods);
        request.checks.contracts = checks.1;
        if checks.0 {
            request.checks.invariant = InvariantCheck::Must(None);
        }
        let (one, _) = search(&request, 1, None);
        assert!(one.progress.structures > 50, "{class}");
        for jobs in [2, 3] {
            assert_eq!(search(&request, jobs, None).0, one, "{class} -j {jobs}");
        }
    }
}

fn machine(jdk: &jdk::Jdk, request: &ApiRequest, numbers: &Arc<ClassNumbers>) -> (Vm, Prepared) {
    let mut config = config();
    config.jdk = Jdk::find(Some(&jdk.home)).unwrap();
    config.assertions = true;
    let mut vm = Vm::new(config).unwrap();
    let prepared = Prepared::new(&mut vm, request, numbers).unwrap();
    (vm, prepared)
}

fn found_builders(jdk: &jdk::Jdk, request: &ApiRequest, jobs: usize) -> Builders {
    let numbers = Arc::default();
    let (mut vm, mut prepared) = machine(jdk, request, &numbers);
    let machines = Machines {
        jobs,
        more: &|| Some(machine(jdk, request, &numbers)),
    };
    let search = ApiSearch::new(request);
    builders(&mut vm, &mut prepared, search, machines, &mut |_| {
        ControlFlow::Continue(())
    })
}

#[test]
fn builders_are_few_and_build_all() {
    for (class, expected) in [
        ("compare.Tree", &["<init>()", "add(int)"][..]),
        (
            "compare.Pool",
            &["<init>()", "push(java.lang.Object)", "pop()"],
        ),
    ] {
        let request = ApiRequest::up_to(class, 3);
        let whole = search(&request, 1, None).0.progress.structures;
        for jdk in &jdks() {
            let found = found_builders(jdk, &request, 1);
            let methods: Vec<&str> = found
                .methods
                .iter()
                .map(|one| one.method.as_str())
                .collect();
            assert_eq!(methods, expected, "{class}");
            assert_eq!(found.structures, whole, "{class}");
        }
    }
}

#[test]
fn many_machines_find_the_same_builders() {
    let request = ApiRequest::up_to("java.util.LinkedList", 4);
    let of = |jobs| found_builders(&jdks()[0], &request, jobs);
    assert_eq!(of(3), of(1));
}

fn all_built(
    jdk: &jdk::Jdk,
    request: &ApiRequest,
    numbers: &Arc<ClassNumbers>,
) -> (Vm, Prepared, Pools) {
    let (mut vm, mut prepared) = machine(jdk, request, numbers);
    let mut search = ApiSearch::new(request);
    search.run(&mut vm, &mut prepared, Machines::one(), &mut |_| {
        ControlFlow::Continue(())
    });
    (vm, prepared, search.pools)
}

#[test]
fn each_flaw_of_an_invariant_is_found() {
    let csv = std::fs::read_to_string(project().join("fixtures/compare.csv")).unwrap();
    let rows: Vec<Vec<&str>> = csv
        .lines()
        .skip(1)
        .map(|row| row.split(',').collect())
        .collect();
    assert!(rows.len() >= 13);
    for jdk in &jdks() {
        for row in &rows {
            let scope: u32 = row[1].parse().unwrap();
            let built = ApiRequest::up_to(row[0], scope);
            let asked = CompareRequest {
                invariant: None,
                bounds: None,
                scope,
                adjustments: Adjustments::default(),
                step_limit: 100_000_000,
                witnesses: 2,
            };
            let numbers = Arc::default();
            let (mut vm, mut prepared, pools) = all_built(jdk, &built, &numbers);
            let goes_on = &mut |_: &Count| ControlFlow::Continue(());
            let side = search_invariant(&mut vm, &mut prepared, &pools, &asked, goes_on).unwrap();
            // Some structures are built through larger ones.
            let larger = (side.only_count > 0).then(|| {
                let mut larger = built.clone();
                larger.limits.objects += 2;
                larger.limits.array_length += 2;
                larger.limits.array_objects += 2;
                all_built(jdk, &larger, &numbers).2
            });
            let found = side.compare(&mut vm, &mut prepared, &pools, larger.as_ref(), &asked);
            let found = found.unwrap();
            let counts = [found.api, found.api_only, found.invariant_only];
            let counts = counts.map(|count| count.to_string());
            assert_eq!(found.verdict.name(), row[2], "{row:?}");
            assert_eq!(counts.as_slice(), &row[3..6], "{row:?}");
            let rejections = found.api_witnesses.iter().map(|one| &one.rejection);
            let differences = found.invariant_witnesses.iter().map(|one| &one.differences);
            let witnesses = format!(
                "{:?} {:?}",
                rejections.collect::<Vec<_>>(),
                differences.collect::<Vec<_>>()
            );
            assert!(witnesses.contains(row[6]), "{row:?}: {witnesses}");
        }
    }
}
