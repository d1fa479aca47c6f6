//! A search whose structures are on disk finds the same, in the same order, as one in memory.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use heapwright_explore::ClassNumbers;
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_techniques::api::{
    ApiProgress, ApiRequest, ApiSearch, ApiSearchOutcome, Machines, Prepared, SearchEnd, Sequence,
    SpillSettings, StructureRef,
};
use heapwright_techniques::korat_api;
use heapwright_testkit::fixtures;
use heapwright_testkit::jdk::compilers;

/// Class, compared and omitted part, and sequence of a structure.
pub type FoundStructure = (Box<str>, Vec<u8>, Vec<u8>, Sequence);

/// All that a search says: its end, counts, faults, and each structure with its class, bytes and
/// calls.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    pub ended: SearchEnd,
    pub progress: ApiProgress,
    pub findings: String,
    pub structures: Vec<FoundStructure>,
}

pub fn config() -> Config {
    let jdk = Jdk::find(Some(&compilers()[0].home)).unwrap();
    let mut config = Config::new(jdk, vec![fixtures::classes()]);
    config.embedded = korat_api::CLASSES;
    config
}

/// Searches, with this memory for structures if any; returns what was found and the peak of the
/// disk in bytes.
pub fn search(request: &ApiRequest, jobs: usize, spill: Option<(&Path, u64)>) -> (Found, u64) {
    let config = config();
    let numbers = Arc::<ClassNumbers>::default();
    let machine = || {
        let mut vm = Vm::new(config.clone()).unwrap();
        let prepared = Prepared::new(&mut vm, request, &numbers).unwrap();
        (vm, prepared)
    };
    let (mut vm, mut prepared) = machine();
    let mut search = ApiSearch::new(request);
    search.spill_settings = spill.map(|(folder, memory)| SpillSettings {
        folder: folder.to_owned(),
        memory,
    });
    let machines = Machines {
        jobs,
        more: &|| Some(machine()),
    };
    let outcome = search.run(&mut vm, &mut prepared, machines, &mut |_| {
        ControlFlow::Continue(())
    });
    found(request, &prepared, &search, &outcome)
}

/// All that a finished search says, and the peak of the disk in bytes.
pub fn found(
    request: &ApiRequest,
    prepared: &Prepared,
    search: &ApiSearch,
    outcome: &ApiSearchOutcome,
) -> (Found, u64) {
    assert_eq!(outcome.disk_error, None);
    let mut structures = Vec::new();
    for (pool, this) in (0..).zip(search.pools.iter()) {
        let mut places = Vec::new();
        for index in 0..this.len() as u32 {
            let built = StructureRef { pool, index };
            let record = search.pools.record(built).unwrap().unwrap();
            let form = record.get().form;
            let sequence = Sequence::of(&search.pools, &prepared.caller.operations, built);
            structures.push((
                this.class.clone(),
                form.compared.to_vec(),
                form.omitted.to_vec(),
                sequence.unwrap(),
            ));
            places.push(search.pools.place_of(pool as usize, form.compared).unwrap());
        }
        if request.matching {
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), this.len(), "one place for each structure");
            assert_eq!(search.pools.place_of(pool as usize, &[0xF0; 9]), Ok(None));
        }
    }
    let disk = outcome.progress.disk;
    let found = Found {
        ended: outcome.ended,
        progress: ApiProgress {
            memory: 0,
            disk: 0,
            ..outcome.progress
        },
        findings: format!("{:?}", outcome.findings),
        structures,
    };
    (found, disk)
}

/// Subject: classes, scope and methods, all if there are none.
pub type Subject = (&'static [&'static str], u32, &'static [&'static str]);

pub const SUBJECTS: [Subject; 9] = [
    (&["compare.Tree"], 4, &[]),
    (&["compare.Pool"], 4, &[]),
    (&["compare.Slots"], 3, &[]),
    (&["api.Bag"], 3, &[]),
    (
        &["java.util.TreeMap"],
        3,
        &["<init>\\(\\)", "put", "remove"],
    ),
    (
        &["java.util.LinkedHashMap"],
        2,
        &["<init>\\(\\)", "put", "remove"],
    ),
    (
        &["java.util.PriorityQueue"],
        3,
        &["<init>\\(\\)", "add", "poll"],
    ),
    // Calls with several structures, of two classes; some calls leave two new structures.
    (&["compare.Pool", "compare.Tree"], 3, &[]),
    (
        &["java.util.ArrayList", "java.util.LinkedList"],
        2,
        &[
            "<init>\\(\\)",
            "add\\(java.lang.Object\\)",
            "addAll",
            "clear",
            "clone",
        ],
    ),
];

pub fn request(subject: &Subject) -> ApiRequest {
    let (classes, scope, methods) = subject;
    let mut request = ApiRequest::up_to(classes[0], *scope);
    request.classes = classes.iter().map(|&class| class.to_owned()).collect();
    request.methods = methods.iter().map(|&method| method.to_owned()).collect();
    // Pairs of structures are many.
    request.max_length = (classes.len() > 1).then_some(3);
    request
}

#[test]
fn structures_on_disk_are_those_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    for subject in &SUBJECTS {
        let request = request(subject);
        let (expected, disk) = search(&request, 1, None);
        assert!(expected.structures.len() > 5, "{subject:?}");
        assert_eq!(disk, 0);
        for (jobs, memory) in [(1, 0), (1, 2_000), (1, 40_000), (3, 0), (3, 40_000)] {
            let (found, disk) = search(&request, jobs, Some((folder.path(), memory)));
            assert_eq!(found, expected, "{subject:?} -j {jobs}, {memory} bytes");
            assert!(disk > 0 || memory > 0, "{subject:?} -j {jobs}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn structures_that_are_not_compared_go_to_disk_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut request = request(&SUBJECTS[1]);
    request.matching = false;
    request.max_length = Some(4);
    let (expected, _) = search(&request, 1, None);
    for jobs in [1, 2] {
        let (found, disk) = search(&request, jobs, Some((folder.path(), 0)));
        assert_eq!(found, expected, "-j {jobs}");
        assert!(disk > 0);
    }
}
