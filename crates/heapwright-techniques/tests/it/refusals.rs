//! Exceptions by which code refuses a call, told from faults by the code that made them.

use heapwright_jvm::{Choosing, Config, Exit, Jdk, MethodId, Vm};
use heapwright_techniques::findings::{FaultKind, FindingRank};
use heapwright_techniques::misuse::refuses;
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::jdks;

/// Ranks of faults.
const RANKS: [(&str, FindingRank); 7] = [
    ("faultOfArray", FindingRank::Index),
    ("faultOfComputedIndex", FindingRank::Index),
    ("faultOfCast", FindingRank::Cast),
    ("faultOfDivision", FindingRank::Arithmetic),
    ("faultOfNull", FindingRank::Null),
    ("faultOfState", FindingRank::Invariant),
    ("faultWrapped", FindingRank::Other),
];

/// Each method of `oracles.Guarded` throws for -1 and null. Its name says whether it refuses these.
#[test]
fn code_of_a_guard_refuses_and_other_code_does_not() {
    let classes = Fixture::new(&["--release", "17"])
        .package("oracles")
        .classes();
    for jdk in jdks() {
        let jdk = Jdk::find(Some(&jdk.home)).unwrap();
        let mut config = Config::new(jdk, vec![classes.clone()]);
        config.assertions = true;
        let mut vm = Vm::new(config).unwrap();
        let class = vm.load_class("oracles/Guarded").unwrap();
        let methods: Vec<MethodId> = vm.class(class).methods.to_vec();
        let mut judged = 0;
        for method in methods {
            let name = vm.text(vm.method(method).name).to_owned();
            let is_refusal = name.starts_with("refuse");
            if !is_refusal && !name.starts_with("fault") {
                continue;
            }
            let descriptor = vm.text(vm.method(method).descriptor).to_owned();
            let (parameters, _) = descriptor.split_once(')').unwrap();
            let slots = parameters.split_inclusive(['I', ';']).filter_map(|one| {
                match one.trim_start_matches('(') {
                    "" => None,
                    "I" => Some(u64::from(u32::MAX)),
                    _ => Some(0),
                }
            });
            let slots: Vec<u64> = slots.collect();
            vm.with_mark(|vm| {
                vm.limit_steps(10_000_000);
                vm.call(method, &slots).unwrap();
                let Exit::Threw(thrown) = vm.run(&mut Choosing) else {
                    panic!("{name} does not throw");
                };
                assert_eq!(
                    refuses(vm, thrown),
                    is_refusal,
                    "{name}: {}",
                    vm.exit_text(&Exit::Threw(thrown))
                );
                if let Some((_, rank)) = RANKS.iter().find(|(fault, _)| *fault == name) {
                    let class = vm.heap.class_of(thrown);
                    let found = FindingRank::of(vm, FaultKind::Throws, Some(class));
                    assert_eq!(found, *rank, "{name}");
                }
                vm.abandon();
            });
            judged += 1;
        }
        assert_eq!(judged, 24);
    }
}
