//! Checks of fixtures: calls on all structures within bounds.

use heapwright_explore::Span;
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_techniques::check::{
    self, CallInputs, CallTask, CheckRequest, Checker, WorkerConfig,
};
use heapwright_techniques::invariant::{
    BoundsRequest, Enumeration, EnumerationOutcome, StructuresRequest,
};
use heapwright_techniques::{Error, korat_api};
use heapwright_testkit::fixtures;
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::seeded::SeededFault;

/// Limit of instructions of one run; some loops of the fixtures do not end.
const STEP_LIMIT: u64 = 300_000;

/// Structures of a class, and calls on them.
pub struct Subject {
    pub class: String,
    pub bounds: BoundsRequest,
    pub request: CheckRequest,
}

/// Results of a check.
pub struct Checked {
    pub outcome: EnumerationOutcome,
    pub left: Vec<Span>,
    pub checker: Checker,
}

impl Subject {
    /// All public methods of a class, within a scope.
    pub fn new(class: &str, scope: u32) -> Subject {
        Subject {
            class: class.to_owned(),
            bounds: BoundsRequest::Scope(scope),
            request: CheckRequest {
                step_limit: STEP_LIMIT,
                ..CheckRequest::default()
            },
        }
    }

    /// A class with a seeded fault.
    pub fn seeded(fault: &SeededFault, scope: u32) -> Subject {
        let mut subject = Subject::new(&fault.class, scope);
        subject.request.oracles.extend(fault.oracle.clone());
        subject.request.against.clone_from(&fault.against);
        subject
    }

    /// Structures within the arguments of the class's finitization method.
    pub fn finitized(class: &str, arguments: &str) -> Subject {
        let arguments = arguments.split(',').filter(|text| !text.is_empty());
        Subject {
            bounds: BoundsRequest::Finitization {
                name: None,
                arguments: arguments.map(str::to_owned).collect(),
            },
            ..Subject::new(class, 0)
        }
    }

    /// Engine on the fixtures, with the search for structures.
    pub fn machine(&self) -> Result<(Vm, Enumeration), Error> {
        let jdk = Jdk::at(&jdks()[0].home).expect("a JDK");
        let mut config = Config::new(jdk, vec![fixtures::classes()]);
        config.embedded = korat_api::CLASSES;
        config.assertions = true;
        let mut vm = Vm::new(config).expect("an engine");
        let structures = StructuresRequest {
            class: self.class.clone(),
            invariant: None,
            criterion: None,
            bounds: self.bounds.clone(),
            step_limit: self.request.step_limit,
        };
        let enumeration = Enumeration::prepare(&mut vm, &structures)?;
        Ok((vm, enumeration))
    }

    /// Makes the calls with some workers, on a machine of this subject.
    pub fn check_on(
        &self,
        (vm, enumeration): &mut (Vm, Enumeration),
        calls: CallInputs,
        jobs: usize,
    ) -> Result<Checked, Error> {
        let mut checker = Checker::new(vm, enumeration, &self.request)?;
        let mut crew = WorkerConfig {
            jobs,
            more: &|| self.machine().ok(),
            stops: &|| false,
            watch: &mut |state| assert!((0.0..=1.0).contains(&state.share)),
        };
        let task = CallTask::whole(calls);
        let request = &self.request;
        let found = check::check(vm, enumeration, &mut checker, request, &task, &mut crew);
        let (outcome, left) = found?;
        Ok(Checked {
            outcome,
            left,
            checker,
        })
    }

    /// Makes the calls on cubes.
    pub fn check(&self) -> Result<Checked, Error> {
        let calls = CallInputs::OnCubes { always: false };
        self.check_on(&mut self.machine()?, calls, 1)
    }
}
