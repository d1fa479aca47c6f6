//! Methods of `fixtures/src/paths` read as rules, and their concrete runs.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use heapwright_explore::symbolic::{InputBounds, Limits};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::{Config, Exit, Jdk, Vm};
use heapwright_techniques::Error;
use heapwright_techniques::paths::methods::{self, MethodCrew};
use heapwright_techniques::paths::{
    Depths, PathCriterion, PathStrategy, PathSubject, PathsReport, PathsRequest, ReachGoal,
    Refinement, RuleProgram, RunTrace, To, Watch, subjects,
};
use heapwright_techniques::symbolic::{
    self, Contents, InputValue, RunInput, RunObject, Target, targets,
};
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::compilers;

use crate::common::inputs::run_and_look;

/// Folder of the compiled fixtures.
pub fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        Fixture::new(&["-g", "-nowarn", "-Xlint:none"])
            .package("paths")
            .classes()
    })
}

/// Creates an engine on them.
pub fn machine() -> Vm {
    machine_on(classes())
}

/// Creates an engine on a folder of classes.
pub fn machine_on(classes: &Path) -> Vm {
    let jdk = Jdk::find(Some(&compilers()[0].home)).expect("a JDK");
    let mut config = Config::new(jdk, vec![classes.to_owned()]);
    config.assertions = true;
    Vm::new(config).expect("an engine")
}

/// Creates a request for a method, searched along its traces; without a name, for all public ones.
pub fn request(class: &str, method: &str, loops: u32) -> PathsRequest {
    PathsRequest {
        symbolic: symbolic::SymbolicRequest {
            class: class.to_owned(),
            methods: match method {
                "" => Vec::new(),
                method => vec![method.to_owned()],
            },
            bounds: InputBounds {
                loops: loops - 1,
                ..InputBounds::default()
            },
            limits: Limits::default(),
            step_limit: 10_000_000,
            scripts: false,
            merges: false,
        },
        precondition: None,
        criterion: PathCriterion::AllLocalPaths,
        depths: Depths {
            loops,
            frames: u32::MAX,
        },
        strategy: PathStrategy::Guided,
        refinement: Refinement::Modes,
        is_independent: false,
    }
}

/// Returns the public methods of a class without constructors.
pub fn methods(vm: &mut Vm, class: &str) -> Vec<String> {
    let found = targets(vm, &request(class, "", 2).symbolic).expect("the class is there");
    let is_constructor = |method| vm.text(vm.method(method).name) == "<init>";
    let found = found
        .into_iter()
        .filter(|target| !is_constructor(target.method()));
    found.map(|target| target.name).collect()
}

/// Returns a method without parameters, if the class has it.
pub fn predicate(vm: &mut Vm, class: &str, name: &str) -> Option<Target> {
    let found = targets(vm, &request(class, name, 2).symbolic);
    found.ok()?.pop()
}

/// Returns the method that a request names, read as rules.
pub fn subject(vm: &mut Vm, request: &PathsRequest) -> PathSubject {
    let found = subjects(vm, request, 0, &|| false, &|| false);
    let (mut found, _) = found.expect("the method can be read");
    assert_eq!(found.len(), 1, "{:?}", request.symbolic.methods);
    found.remove(0)
}

/// Runs a request and returns its report.
pub fn explore(
    vm: &mut Vm,
    subject: &mut PathSubject,
    request: &PathsRequest,
    goals: &[ReachGoal],
) -> PathsReport {
    let report = try_explore(vm, subject, request, goals);
    report.unwrap_or_else(|error| panic!("{}: {error}", subject.target.name))
}

/// Like [`explore`], for a request that may be wrong.
pub fn try_explore(
    vm: &mut Vm,
    subject: &mut PathSubject,
    request: &PathsRequest,
    goals: &[ReachGoal],
) -> Result<PathsReport, Error> {
    let watch = Watch {
        closes: &|| false,
        ends: &|| false,
        stops: &|| false,
        explored: &|_| {},
    };
    subject.explore(vm, request, goals, watch)
}

/// Runs a request for one method, and returns that method with its report.
pub fn explore_one(vm: &mut Vm, request: &PathsRequest) -> (PathSubject, PathsReport) {
    let mut subject = subject(vm, request);
    let goals = subject.goals(vm, request).expect("the goals are there");
    let report = explore(vm, &mut subject, request, &goals);
    (subject, report)
}

/// Runs a request for the methods of a class with some workers.
pub fn explore_class(request: &PathsRequest, jobs: usize) -> Vec<(PathSubject, PathsReport)> {
    let read = || {
        let mut vm = machine();
        let found = subjects(&mut vm, request, 0, &|| false, &|| false);
        (vm, found.expect("the class can be read").0)
    };
    let (mut vm, mut subjects) = read();
    let goals = subjects
        .iter()
        .map(|subject| subject.goals(&mut vm, request));
    let goals: Result<Vec<_>, _> = goals.collect();
    let crew = MethodCrew {
        jobs,
        head_start: Duration::ZERO,
        more: &|| Some(read()),
        stops: &|| false,
        is_independent: false,
        look: &|vm, subject, goals| Ok(explore(vm, subject, request, goals)),
    };
    let goals = goals.expect("the criterion has goals");
    let reports = methods::explore(&mut vm, &mut subjects, &goals, &BTreeSet::new(), &crew);
    let reports = reports.expect("the methods can be run");
    assert_eq!(reports.len(), subjects.len());
    subjects.into_iter().zip(reports).collect()
}

/// Outcome, conditions and trace of each case.
pub fn cases(report: &PathsReport) -> Vec<String> {
    let cases = report.cases.iter().map(|case| {
        let (ending, conditions) = (&case.path.ending, case.path.conditions.join(" && "));
        format!("{ending} if {conditions}: {}", case.trace)
    });
    cases.collect()
}

/// Concrete run.
pub struct Ran {
    /// Its outcome, as in [`crate::common::inputs::run_on_engine`].
    pub outcome: String,
    /// Its record.
    pub run: RunTrace,
    /// The blocks that it entered, in order: method and block.
    pub blocks: Vec<(usize, usize)>,
    /// Maximum of consecutive loop iterations and of simultaneous frames of one method.
    pub turns: u32,
}

/// Runs a method that was explored before on this machine.
pub fn run(vm: &mut Vm, subject: &PathSubject, input: &RunInput) -> Ran {
    run_and_look(vm, &subject.target, input, |vm, outcome, exit| {
        let thrown = match exit {
            Exit::Threw(exception) => Some(vm.heap.class_of(*exception)),
            _ => None,
        };
        let (blocks, turns) = walk(vm, &subject.program, vm.visits());
        Ran {
            outcome,
            run: subject.replay(vm, thrown),
            blocks,
            turns,
        }
    })
}

struct Frame {
    depth: u32,
    place: (usize, usize),
    turns: HashMap<usize, u32>,
}

/// Returns the blocks entered from the method under test on, and the maximal number of iterations
/// and recursions. Derives them from blocks alone, without rules.
fn walk(vm: &Vm, program: &RuleProgram, visits: &[ProbeVisit]) -> (Vec<(usize, usize)>, u32) {
    let mut frames: Vec<Frame> = Vec::new();
    let (mut blocks, mut most) = (Vec::new(), 0);
    for visit in visits {
        let point = vm.point(visit.point);
        // Methods outside the analysed program run here, too, for example from static initialisers.
        let Some(method) = program.number(point.method) else {
            continue;
        };
        let flow = &program.flows[method];
        let block = flow.block_at(point.at).expect("a block");
        if frames.is_empty() && (visit.depth, method, block) != (1, 0, 0) {
            continue;
        }
        blocks.push((method, block));
        while frames.last().is_some_and(|top| top.depth > visit.depth) {
            frames.pop();
        }
        let exit = frames
            .last()
            .filter(|top| top.depth == visit.depth && top.place.0 == method);
        let exit = exit.and_then(|top| {
            let mut exits = flow.blocks[top.place.1].exits.iter();
            exits.find(|exit| exit.to == To::Block(block))
        });
        if exit.is_none() {
            assert_eq!(block, 0, "{visit:?}: no way leads here");
            frames.retain(|frame| frame.depth < visit.depth);
            frames.push(Frame {
                depth: visit.depth,
                place: (method, block),
                turns: HashMap::new(),
            });
        }
        let own = frames.iter().filter(|frame| frame.place.0 == method);
        most = most.max(own.count() as u32);
        let top = frames.last_mut().expect("a frame");
        top.place.1 = block;
        if flow.blocks[block].is_loop {
            let turns = top.turns.entry(block).or_default();
            *turns = if exit.is_some_and(|exit| exit.is_back) {
                *turns + 1
            } else {
                1
            };
            most = most.max(*turns);
        }
    }
    (blocks, most)
}

/// Integers of all inputs; the methods read at most their lowest three bits.
const INTS: std::ops::RangeInclusive<i32> = -1..=8;

/// Returns all inputs of a static method or a method of `SmallValues`, with few values for each
/// parameter.
pub fn inputs(vm: &Vm, subject: &PathSubject) -> Vec<RunInput> {
    let method = vm.method(subject.method());
    let (descriptor, _) = descriptor::split_method(vm.text(method.descriptor)).expect("a method");
    let mut roots: Vec<Vec<InputValue>> = descriptor.into_iter().map(values).collect();
    let mut all = vec![RunInput::default()];
    if !method.is_static() {
        let class = vm.binary_name(method.class);
        assert_eq!(class, "paths.SmallValues");
        let field = |name: &str, value| (class.clone(), name.to_owned(), value);
        let receivers = values("Z").into_iter().flat_map(|open| {
            let levels = values("B").into_iter();
            levels.map(move |level| (open.clone(), level))
        });
        let receivers = receivers.map(|(open, level)| RunInput {
            roots: Vec::new(),
            objects: vec![RunObject {
                class: class.clone(),
                contents: Contents::Fields(vec![field("open", open), field("level", level)]),
            }],
        });
        all = receivers.collect();
        roots.insert(0, vec![InputValue::Object(0)]);
    }
    for values in roots {
        let longer = all.iter().flat_map(|input| {
            values.iter().map(|value| {
                let mut input = input.clone();
                input.roots.push((String::new(), value.clone()));
                input
            })
        });
        all = longer.collect();
    }
    all
}

fn values(descriptor: &str) -> Vec<InputValue> {
    let kind = Kind::of(descriptor);
    match kind {
        Kind::Boolean => (0..2).map(|bit| InputValue::Primitive(kind, bit)).collect(),
        Kind::Int | Kind::Byte => {
            let slots = INTS.map(|value| u64::from(value as u32));
            slots
                .map(|slot| InputValue::Primitive(kind, slot))
                .collect()
        }
        Kind::Reference => {
            assert_eq!(descriptor, "Lpaths/SmallBranches$Colour;");
            let names = ["RED", "GREEN", "BLUE"].into_iter();
            let class = descriptor[1..descriptor.len() - 1].replace('/', ".");
            let constants = names.map(|name| InputValue::Constant(class.clone(), name.to_owned()));
            constants.chain([InputValue::Null]).collect()
        }
        kind => panic!("values of {kind:?}"),
    }
}
