//! Call targets and reachable code.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_code::{
    CallTarget, ClassHierarchyAnalysis, Lambda, RapidTypeAnalysis, Supergraph, call, lambda_bodies,
};
use heapwright_jvm::listing::ListedOperation;
use heapwright_jvm::{MethodId, Vm};

use crate::{listing, method, sample};

/// Returns the calls that a method of `Sample` makes.
fn calls(vm: &mut Vm, name: &str) -> Vec<CallTarget> {
    let listing = listing(vm, name);
    let mut calls = Vec::new();
    for listed in &listing.instructions {
        if let ListedOperation::Invoke(how, member) = &listed.step {
            calls.push(call(vm, *how, member).unwrap());
        }
    }
    calls
}

fn texts(vm: &Vm, methods: &[MethodId]) -> Vec<String> {
    methods
        .iter()
        .map(|&method| vm.method_text(method))
        .collect()
}

#[test]
fn one_rule_has_two_policies() {
    let mut vm = sample();
    let area = calls(&mut vm, "virtual")[0];
    assert!(matches!(area, CallTarget::Virtual(..)));
    let targets = ClassHierarchyAnalysis::default().targets(&mut vm, area);
    assert_eq!(
        texts(&vm, &targets),
        [
            "Sample$Cube.area()",
            "Sample$Round.area()",
            "Sample$Square.area()"
        ]
    );

    let mut instantiated = RapidTypeAnalysis::default();
    let mut targets = Vec::new();
    instantiated.targets(&mut vm, area, &mut targets);
    assert_eq!(targets, []);
    let cube = vm.load_class("Sample$Cube").unwrap();
    assert!(instantiated.add(&vm, cube) && !instantiated.add(&vm, cube));
    instantiated.targets(&mut vm, area, &mut targets);
    assert_eq!(texts(&vm, &targets), ["Sample$Cube.area()"]);

    // A lambda is called by the name of its interface's method.
    let made = listing(&mut vm, "supplied");
    let bodies = lambda_bodies(&mut vm, &made);
    let supplied = *calls(&mut vm, "supplied").last().unwrap();
    let lambda = Lambda {
        interface: vm.load_class("java/util/function/IntSupplier").unwrap(),
        name: "getAsInt".to_owned(),
        bodies: bodies.clone(),
    };
    instantiated.add_lambda(&vm, &lambda);
    targets.clear();
    instantiated.targets(&mut vm, supplied, &mut targets);
    assert_eq!(targets, bodies);
    assert_eq!(instantiated.count(), 2);
}

#[test]
fn what_no_receiver_decides_is_exact() {
    let mut vm = sample();
    let exact = calls(&mut vm, "exact");
    let named: Vec<MethodId> = exact.iter().map(|call| call.named()).collect();
    assert_eq!(
        texts(&vm, &named),
        ["Sample.hidden()", "java.lang.Math.abs(int)"]
    );
    for call in exact {
        assert_eq!(call, CallTarget::Exact(call.named()));
        assert_eq!(
            ClassHierarchyAnalysis::default().targets(&mut vm, call),
            [call.named()]
        );
    }
}

/// Returns the methods that are reachable from a method of `Sample`.
fn led_to(vm: &mut Vm, graph: &Supergraph, name: &str) -> BTreeSet<String> {
    let start = method(vm, "Sample", name);
    let reached = graph.reachable_from(start, 0);
    let methods: BTreeSet<MethodId> = reached.iter().map(|site| site.0).collect();
    methods
        .into_iter()
        .map(|method| vm.method_text(method))
        .collect()
}

#[test]
fn what_is_not_reached_is_left_out() {
    let mut vm = sample();
    let class = vm.load_class("Sample").unwrap();
    let graph = Supergraph::read(&mut vm, class, &BTreeMap::new()).unwrap();
    let set = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let exact: BTreeSet<String> = set(&["Sample.exact()", "Sample.hidden()"]);
    assert_eq!(led_to(&mut vm, &graph, "exact"), exact);
    let tested = led_to(&mut vm, &graph, "tested");
    assert!(tested.contains("Sample$Square.area()") && tested.contains("Sample$Cube.area()"));
    // By name all three implementations match; class-hierarchy analysis excludes those of other
    // shapes.
    assert!(!tested.contains("Sample$Round.area()"), "{tested:?}");
    // Library code may call `compareTo` of the sorted objects, and the lambda's body.
    let sorted = led_to(&mut vm, &graph, "sorted");
    assert!(
        sorted.contains("Sample$Round.compareTo(Sample$Round)"),
        "{sorted:?}"
    );
    assert!(
        sorted.iter().any(|name| name.contains("lambda$")),
        "{sorted:?}"
    );
    assert_eq!(
        graph
            .unknown_call_sites
            .iter()
            .filter(|site| site.0 == method(&mut vm, "Sample", "exact"))
            .count(),
        0
    );
    let hidden = method(&mut vm, "Sample", "hidden");
    let callers = graph.callers[&hidden].clone();
    assert_eq!(texts(&vm, &callers), ["Sample.certain()", "Sample.exact()"]);
}
