//! A search by calls that is stopped between two calls ends there and retains its results.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_techniques::api::{ApiRequest, ApiSearch, Machines, Prepared, SearchEnd};
use heapwright_techniques::korat_api;
use heapwright_testkit::jdk::compilers;

/// Returns the end of a search that stops at its n-th check, and the forms found.
fn stopped_at(config: &Config, class: &str, question: u32) -> (SearchEnd, Vec<Vec<u8>>) {
    let mut vm = Vm::new(config.clone()).unwrap();
    let request = ApiRequest::up_to(class, 3);
    let mut prepared = Prepared::new(&mut vm, &request, &Arc::default()).unwrap();
    let asked = AtomicU32::new(0);
    let stop = move || asked.fetch_add(1, Ordering::Relaxed) + 1 >= question;
    prepared.caller.stop = Some(Arc::new(stop));
    let mut search = ApiSearch::new(&request);
    let outcome = search.run(&mut vm, &mut prepared, Machines::one(), &mut |_| {
        ControlFlow::Continue(())
    });
    let pool = search.pools.find(&class.replace('.', "/")).unwrap();
    let pool = search.pools.get(pool as u32);
    let forms = pool.in_memory().from(0).map(|record| record.form.compared);
    (outcome.ended, forms.map(<[u8]>::to_vec).collect())
}

#[test]
#[ignore = "long"]
fn what_was_found_before_it_was_stopped_is_kept() {
    let jdk = Jdk::find(Some(&compilers()[0].home)).unwrap();
    let mut config = Config::new(jdk, Vec::new());
    config.embedded = korat_api::CLASSES;
    for class in ["java.util.TreeMap", "java.util.ArrayDeque"] {
        let (ended, all) = stopped_at(&config, class, u32::MAX);
        assert_eq!(ended, SearchEnd::Complete, "{class}");
        let mut counts = Vec::new();
        for question in [1, 2, 8, 32] {
            let (ended, found) = stopped_at(&config, class, question);
            assert_eq!(
                ended,
                SearchEnd::Interrupted,
                "{class}, question {question}"
            );
            assert!(all.starts_with(&found), "{class}, question {question}");
            counts.push(found.len());
        }
        // A search that finds a class to be initialised starts over, so that a later one may have
        // fewer results.
        let is_part = |&count: &usize| count > 0 && count < all.len();
        let text = format!("{class}: {counts:?} of {}", all.len());
        assert!(counts.iter().all(is_part), "{text}");
    }
}
