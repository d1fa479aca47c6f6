//! Predicted calls, whose effects follow from the reads of earlier ones, have the effects of real
//! calls.

use std::ops::ControlFlow;
use std::sync::Arc;

use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_techniques::api::{ApiProgress, ApiRequest, ApiSearch, Machines, Prepared};
use heapwright_techniques::korat_api;
use heapwright_testkit::fixtures;
use heapwright_testkit::jdk::jdks;

/// Structure: its form and its origin.
type Record = (Vec<u8>, Vec<u8>, Vec<u8>);

/// Returns the progress of a search, its structures in order, and the number of predicted calls.
fn search(
    config: Config,
    class: &str,
    scope: u32,
    foresees: bool,
) -> (ApiProgress, Vec<Record>, u64) {
    let mut vm = Vm::new(config).unwrap();
    let request = ApiRequest::up_to(class, scope);
    let mut prepared = Prepared::new(&mut vm, &request, &Arc::default()).unwrap();
    prepared.caller.paths = foresees.then(Box::default);
    let mut search = ApiSearch::new(&request);
    let outcome = search.run(&mut vm, &mut prepared, Machines::one(), &mut |_| {
        ControlFlow::Continue(())
    });
    let records = search
        .pools
        .iter()
        .flat_map(|pool| pool.in_memory().from(0));
    let records = records
        .map(|record| {
            let form = record.form;
            let bytes = [form.compared, form.omitted, record.origin];
            bytes.map(<[u8]>::to_vec).into()
        })
        .collect();
    let saved = prepared.caller.paths.map_or(0, |paths| paths.saved());
    (outcome.progress, records, saved)
}

#[test]
fn foreseen_calls_leave_the_same() {
    let classes = fixtures::classes();
    for jdk in jdks() {
        let jdk = Jdk::find(Some(&jdk.home)).unwrap();
        let mut config = Config::new(jdk, vec![classes.clone()]);
        config.embedded = korat_api::CLASSES;
        for (class, scope) in [
            ("compare.Tree", 4),
            ("compare.Pool", 3),
            ("java.util.TreeMap", 3),
            ("java.util.LinkedList", 3),
            ("java.util.HashMap", 2),
            ("java.util.ArrayDeque", 2),
        ] {
            let (progress, structures, saved) = search(config.clone(), class, scope, true);
            let (expected, all, _) = search(config.clone(), class, scope, false);
            assert_eq!(progress, expected, "{class}");
            assert!(structures == all, "{class}: other structures");
            assert!(saved > 0, "{class}: no call was foreseen");
        }
    }
}
