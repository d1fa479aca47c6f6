//! The complete enumeration of an untrusted class, for the tests and for the fuzz targets.
//! Invariant: the result is a value or an error, never a panic.

use std::ops::ControlFlow;
use std::sync::Arc;

use heapwright_explore::Leaf;
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_suite::junit::{JunitOptions, write_junit};
use heapwright_suite::{Case, Suite};
use heapwright_techniques::invariant::{BoundsRequest, Enumeration, StructuresRequest};
use heapwright_techniques::observe::Observer;
use heapwright_techniques::read::StructureReader;
use heapwright_techniques::statements::methods_under_test;
use heapwright_techniques::{Error, korat_api};

/// Step limit of one run of the invariant or of a method under test.
const STEPS: u64 = 20_000;
/// Candidates explored.
const CANDIDATES: u32 = 300;
/// Structures that tests are made from.
const STRUCTURES: usize = 10;

/// Configuration of a machine for searches, without its class path.
pub fn config(jdk: Jdk) -> Config {
    let mut config = Config::new(jdk, Vec::new());
    config.embedded = korat_api::CLASSES;
    config.assertions = true;
    config
}

/// Searches the class with one object of each class and writes tests of the first structures.
/// Returns the number of structures.
pub fn enumerate(vm: &mut Vm, name: &str) -> Result<usize, Error> {
    let request = StructuresRequest {
        class: name.to_owned(),
        invariant: None,
        criterion: None,
        bounds: BoundsRequest::Scope(1),
        step_limit: STEPS,
    };
    let enumeration = Enumeration::prepare(vm, &request)?;
    let (class, invariant) = (enumeration.class, enumeration.invariant);
    let callables = methods_under_test(vm, class, Some(invariant));
    let mut reader = StructureReader::new(vm, class);
    let mut observer = Observer::new(
        vm,
        class,
        invariant,
        &callables,
        &enumeration.bounds,
        STEPS,
        Arc::new(|| false),
    )?;
    let _ = (
        enumeration.bounds.explain(vm),
        enumeration.space.candidates(),
    );
    let mut suite = Suite {
        class_under_test: reader.class_sig(vm, class),
        invariant: enumeration.invariant_sig(vm),
        cases: Vec::new(),
        scripts: Vec::new(),
        hides: Vec::new(),
        resets: Vec::new(),
        uses_deprecated: vm.mentions(class, "Ljava/lang/Deprecated;"),
    };
    let root = enumeration.space.root;
    let mut candidates = 0;
    let mut visit = |vm: &mut Vm, leaf: &Leaf| {
        candidates += 1;
        if *leaf == Leaf::Valid {
            let snapshot = reader.read(vm, root);
            let calls = observer.observe(vm, &mut reader, root, &snapshot);
            suite.cases.push(Case {
                input: snapshot.structure,
                construction: None,
                calls,
            });
        }
        if candidates == CANDIDATES || suite.cases.len() == STRUCTURES {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    enumeration.search_korat(
        vm,
        |_| ControlFlow::Continue(()),
        |vm, leaf, _| visit(vm, leaf),
    )?;
    if !suite.cases.is_empty() {
        let _ = write_junit(&suite, &JunitOptions::default());
    }
    Ok(suite.cases.len())
}
