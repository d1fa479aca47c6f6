//! Paths found along traces, compared with concrete runs.
//!
//! For the methods of `fixtures/src/paths`, each case is run on the engine and on a real JVM. It
//! takes the trace that it claims, with the predicted outcome. If all inputs are run, there is a
//! case for every trace that some input takes within the bounds, under each strategy. A point is
//! reported reached exactly if some input reaches it.

use std::collections::BTreeSet;

use expect_test::expect;
use heapwright_jvm::Vm;
use heapwright_techniques::paths::{
    GoalResult, PathCriterion, PathStrategy, PathSubject, PathsReport, PathsRequest, Point,
    ReachGoal, Refinement, RuleProgram, RunTrace,
};

use heapwright_techniques::symbolic::RunInput;
use heapwright_testkit::fixtures::project;

mod goals;
mod jvm;
mod paper;
mod runs;

use runs::{Ran, explore, explore_class, machine, request, run, subject};

use crate::common::inputs::{predicted, run_on_engine};

/// All faults found.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn check(&mut self, is_right: bool, what: impl FnOnce() -> String) {
        if !is_right {
            self.0.push(what());
        }
    }
}

impl Drop for Faults {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert!(
                self.0.is_empty(),
                "{} faults:\n{}",
                self.0.len(),
                self.0.join("\n")
            );
        }
    }
}

fn local(program: &RuleProgram, run: &RunTrace) -> String {
    run.trace.part(program, &|method| method == 0).to_string()
}

/// Runs the cases and compares them with their claims.
fn check_cases(
    vm: &mut Vm,
    subject: &PathSubject,
    report: &PathsReport,
    loops: u32,
    text: &str,
    faults: &mut Faults,
) {
    for case in &report.cases {
        let input = case.path.model.as_ref().expect("a model");
        let ran = run(vm, subject, input);
        let expected = predicted(vm, &subject.target, &case.path.ending);
        faults.check(Some(&ran.outcome) == expected.as_ref(), || {
            format!(
                "{text}: {input} comes to {} instead of {expected:?}",
                ran.outcome
            )
        });
        faults.check(ran.run == case.run, || {
            let trace = ran.run.trace.term(&subject.program);
            format!(
                "{text}: {input} claims\n  {}\nand takes\n  {trace}",
                case.trace
            )
        });
        let term = case.run.trace.term(&subject.program);
        faults.check(case.trace == term, || {
            format!("{text}: {} is {term}", case.trace)
        });
        faults.check(ran.turns <= loops, || {
            format!("{text}: {input} goes round {} times", ran.turns)
        });
    }
}

fn each_once(texts: &[String], text: &str, faults: &mut Faults) -> BTreeSet<String> {
    let set: BTreeSet<String> = texts.iter().cloned().collect();
    faults.check(set.len() == texts.len(), || {
        format!("{text}: a trace has several cases")
    });
    set
}

/// Checks that the sets of traces are equal, and that no search reached a limit.
fn compare(
    found: &BTreeSet<String>,
    tried: &BTreeSet<String>,
    report: &PathsReport,
    text: &str,
    faults: &mut Faults,
) {
    for trace in found.difference(tried) {
        faults.check(false, || format!("{text}: no input takes {trace}"));
    }
    for trace in tried.difference(found) {
        faults.check(false, || format!("{text}: no case for {trace}"));
    }
    let limited = report.tally.limited + report.tally.refused;
    faults.check(limited == 0, || {
        format!("{text}: {limited} paths came upon a limit")
    });
}

/// Runs the search for a method's local paths with each strategy and refinement.
fn each_way(
    vm: &mut Vm,
    subject: &mut PathSubject,
    request: &PathsRequest,
    see: &mut dyn FnMut(&mut Vm, &PathSubject, PathStrategy, &str, &PathsReport),
) {
    let mut request = PathsRequest {
        criterion: PathCriterion::AllLocalPaths,
        ..request.clone()
    };
    for strategy in [
        PathStrategy::Standard,
        PathStrategy::Guided,
        PathStrategy::Together,
    ] {
        for refinement in [Refinement::None, Refinement::Modes, Refinement::Full] {
            if strategy == PathStrategy::Standard && refinement != Refinement::Modes {
                continue;
            }
            (request.strategy, request.refinement) = (strategy, refinement);
            let report = explore(vm, subject, &request, &[]);
            see(
                vm,
                subject,
                strategy,
                &format!("{strategy:?} {refinement:?}"),
                &report,
            );
        }
    }
}

/// Returns the local traces of cases.
fn local_traces(subject: &PathSubject, report: &PathsReport) -> Vec<String> {
    let cases = report.cases.iter();
    cases
        .map(|case| local(&subject.program, &case.run))
        .collect()
}

/// Runs all inputs.
fn try_all(vm: &mut Vm, subject: &PathSubject) -> Vec<Ran> {
    let inputs = runs::inputs(vm, subject).into_iter();
    inputs.map(|input| run(vm, subject, &input)).collect()
}

/// Compares all-paths and all-local-paths of a method with few inputs with the runs of all inputs.
/// Returns whether no run was cut.
fn check_small(vm: &mut Vm, class: &str, method: &str, loops: u32, faults: &mut Faults) -> bool {
    let name = format!("{class}.{method} within {loops}");
    let mut request = request(class, method, loops);
    request.criterion = PathCriterion::AllPaths;
    let mut subject = subject(vm, &request);
    let report = explore(vm, &mut subject, &request, &[]);
    check_cases(vm, &subject, &report, loops, &name, faults);
    let mut tried = try_all(vm, &subject);
    let is_all = tried.iter().all(|ran| ran.turns <= loops);
    tried.retain(|ran| ran.turns <= loops);
    let traces = tried.iter().map(|ran| ran.run.trace.term(&subject.program));
    let expected = traces.map(|term| term.to_string()).collect();
    let found = report
        .cases
        .iter()
        .map(|case| case.trace.to_string())
        .collect();
    compare(
        &found,
        &expected,
        &report,
        &format!("{name}, all paths"),
        faults,
    );
    let expected = tried
        .iter()
        .map(|ran| local(&subject.program, &ran.run))
        .collect();
    each_way(
        vm,
        &mut subject,
        &request,
        &mut |vm, subject, _, way, report| {
            let text = format!("{name}, {way}");
            check_cases(vm, subject, report, loops, &text, faults);
            let found = each_once(&local_traces(subject, report), &text, faults);
            compare(&found, &expected, report, &text, faults);
        },
    );
    is_all
}

const SMALL: [&str; 7] = [
    "paths.SmallBranches",
    "paths.SmallLoops",
    "paths.SmallExceptions",
    "paths.SmallCalls",
    "paths.SmallDetours",
    "paths.SmallValues",
    "paths.Points",
];

/// Loop bounds for methods with few inputs; with the last, none of their runs is cut.
const LOOPS: [u32; 3] = [2, 3, 17];

#[test]
fn every_trace_that_an_input_takes_is_found() {
    let mut faults = Faults::default();
    for class in SMALL {
        let mut vm = machine();
        for method in runs::methods(&mut vm, class) {
            let mut loops = LOOPS.into_iter();
            let is_all =
                loops.any(|loops| check_small(&mut vm, class, &method, loops, &mut faults));
            assert!(is_all, "{class}.{method} loops more often");
        }
    }
}

const LARGE: [&str; 6] = [
    "paths.Lcm",
    "paths.Power",
    "paths.NodeSequence",
    "paths.SortedListPriorityQueue",
    "paths.BinarySearchTree",
    "paths.HeapPriorityQueue",
];

/// Compares the strategies for a method's local paths with one another.
fn check_large(
    vm: &mut Vm,
    class: &str,
    method: &str,
    has_precondition: bool,
    faults: &mut Faults,
) {
    let mut request = request(class, method, 2);
    request.precondition = has_precondition.then(|| Some("repOk".to_owned()));
    let name = format!("{class}.{method}, {:?}", request.precondition);
    let mut subject = subject(vm, &request);
    let predicate = runs::predicate(vm, class, "repOk");
    let mut standard: Option<(BTreeSet<String>, Vec<ReachGoal>, u64)> = None;
    let own = (0..subject.program.flows.len()).collect();
    each_way(
        vm,
        &mut subject,
        &request,
        &mut |vm, subject, strategy, way, report| {
            let text = format!("{name}, {way}");
            check_cases(vm, subject, report, 2, &text, faults);
            for case in report.cases.iter().filter(|_| has_precondition) {
                let mut input = case.path.model.clone().expect("a model");
                input.roots.truncate(1);
                let holds = predicate.as_ref().map(|it| run_on_engine(vm, it, &input));
                faults.check(holds.as_deref() == Some("Z:1"), || {
                    format!("{text}: {holds:?} of {input}")
                });
            }
            let found = each_once(&local_traces(subject, report), &text, faults);
            let points = subject.points(report, &own).into_iter();
            let covered = points.filter(|point| matches!(point.reached, GoalResult::By(_)));
            let covered: Vec<ReachGoal> = covered.map(|point| point.goal).collect();
            let explored = report.tally.explored;
            let (expected, whole, most) =
                standard.get_or_insert((found.clone(), covered.clone(), explored));
            compare(&found, expected, report, &text, faults);
            faults.check(covered == *whole, || {
                format!("{text}: covers {covered:?}, standard {whole:?}")
            });
            // Separate searches run some paths again for each local path.
            faults.check(
                strategy == PathStrategy::Guided || explored <= *most,
                || format!("{text}: runs {explored} paths to the end, standard {most}"),
            );
        },
    );
}

#[test]
#[ignore = "long"]
fn all_strategies_find_the_same() {
    let mut faults = Faults::default();
    for class in LARGE {
        let mut vm = machine();
        for method in runs::methods(&mut vm, class) {
            check_large(&mut vm, class, &method, false, &mut faults);
            let has_precondition = runs::predicate(&mut vm, class, "repOk").is_some();
            if has_precondition && method != "repOk()" {
                check_large(&mut vm, class, &method, true, &mut faults);
            }
        }
    }
}

/// Returns all blocks and exits of a method and of its callees.
fn all_goals(program: &RuleProgram) -> Vec<ReachGoal> {
    let mut goals = Vec::new();
    for (method, flow) in program.flows.iter().enumerate() {
        for (block, this) in flow.blocks.iter().enumerate() {
            goals.push(ReachGoal::Block(method, block));
            goals.extend((0..this.exits.len()).map(|exit| ReachGoal::Exit(method, block, exit)));
        }
    }
    goals
}

fn comes_by(run: &RunTrace, goal: ReachGoal) -> bool {
    match goal {
        ReachGoal::Block(method, block) => run.blocks.contains(&(method, block)),
        ReachGoal::Exit(method, block, exit) => run.exits.contains(&(method, block, exit)),
    }
}

/// Compares the verdicts on goals with the runs of all inputs.
fn check_goals(
    vm: &mut Vm,
    subject: &mut PathSubject,
    request: &PathsRequest,
    goals: &[ReachGoal],
    tried: &[Ran],
    faults: &mut Faults,
) {
    let loops = request.depths.loops;
    let report = explore(vm, subject, request, goals);
    let text = format!(
        "{} within {loops}, {:?} {:?}",
        subject.target.name, request.criterion, request.strategy
    );
    check_cases(vm, subject, &report, loops, &text, faults);
    assert_eq!(report.goals.len(), goals.len());
    for (goal, reached) in &report.goals {
        let mut by = tried.iter().filter(|ran| comes_by(&ran.run, *goal));
        let is_beyond = by.clone().any(|ran| ran.turns > loops);
        let is_tried = by.any(|ran| ran.turns <= loops);
        let is_right = match reached {
            GoalResult::By(case) => is_tried && comes_by(&report.cases[*case].run, *goal),
            GoalResult::Infeasible => !is_tried && !is_beyond,
            GoalResult::Cut(_) => !is_tried,
            _ => false,
        };
        faults.check(is_right, || {
            let place = subject.key(vm, *goal);
            format!("{text}: {reached:?}, some input comes by: {is_tried}; {goal:?} {place:?}")
        });
    }
}

#[test]
#[ignore = "long"]
fn points_are_reached_if_an_input_reaches_them() {
    let mut faults = Faults::default();
    for class in SMALL {
        let mut vm = machine();
        for method in runs::methods(&mut vm, class) {
            for loops in LOOPS {
                let mut request = request(class, &method, loops);
                let mut subject = subject(&mut vm, &request);
                explore(&mut vm, &mut subject, &request, &[]);
                let tried = try_all(&mut vm, &subject);
                let is_all = tried.iter().all(|ran| ran.turns <= loops);
                let goals = all_goals(&subject.program);
                request.criterion = PathCriterion::ProgramPoints(Vec::new());
                for goal in &goals {
                    check_goals(
                        &mut vm,
                        &mut subject,
                        &request,
                        &[*goal],
                        &tried,
                        &mut faults,
                    );
                }
                for strategy in [
                    PathStrategy::Guided,
                    PathStrategy::Together,
                    PathStrategy::Standard,
                ] {
                    request.strategy = strategy;
                    request.criterion = PathCriterion::ProgramPoints(Vec::new());
                    check_goals(&mut vm, &mut subject, &request, &goals, &tried, &mut faults);
                    for criterion in [PathCriterion::AllStatements, PathCriterion::AllBranches] {
                        request.criterion = criterion;
                        let goals = subject.goals(&mut vm, &request).expect("the goals");
                        check_goals(&mut vm, &mut subject, &request, &goals, &tried, &mut faults);
                    }
                }
                if is_all {
                    break;
                }
            }
        }
    }
}

/// Its path depends on whether a class was initialised before: a JVM initialises it once, the
/// engine in each run.
const ONCE: &str = "initialiserCalls(int,boolean)";

/// Compares a JVM with the engine on inputs of classes' methods: on all inputs, if they are few,
/// and on those of the cases.
fn check_on_jvm(classes: &[&str], is_small: bool) {
    let mut vm = machine();
    let mut all = jvm::Runs::default();
    for class in classes {
        for method in runs::methods(&mut vm, class) {
            if method == ONCE {
                continue;
            }
            let request = request(class, &method, 2);
            let mut subject = subject(&mut vm, &request);
            let report = explore(&mut vm, &mut subject, &request, &[]);
            let inputs: Vec<RunInput> = match is_small {
                true => runs::inputs(&vm, &subject),
                false => report
                    .cases
                    .into_iter()
                    .filter_map(|case| case.path.model)
                    .collect(),
            };
            for input in inputs {
                let ran = run(&mut vm, &subject, &input);
                all.add(&vm, &subject, &input, &ran);
            }
        }
    }
    drop(Faults(all.faults()));
}

#[test]
fn a_jvm_goes_the_ways_of_all_inputs() {
    check_on_jvm(&SMALL, true);
}

#[test]
#[ignore = "long"]
fn a_jvm_goes_the_ways_of_cases() {
    check_on_jvm(&LARGE, false);
}

/// Returns the lines of fixtures that are marked as points, by the method that should reach them.
fn marked(class: &str) -> Vec<(String, Point)> {
    let file = format!("fixtures/src/{}.java", class.replace('.', "/"));
    let source = std::fs::read_to_string(project().join(file)).expect("a source");
    let mut marked = Vec::new();
    for (number, line) in (1..).zip(source.lines()) {
        if let Some((_, methods)) = line.split_once("// point: ") {
            let point = |name: &str| (name.to_owned(), Point::Line(class.to_owned(), number));
            marked.extend(methods.split(", ").map(point));
        }
    }
    marked
}

#[test]
fn marked_lines_are_reached_unless_no_input_does() {
    let mut vm = machine();
    let mut text = String::new();
    for (method, point) in [marked("paths.Points"), marked("paths.Elsewhere")].concat() {
        let mut request = request("paths.Points", &method, 4);
        request.criterion = PathCriterion::ProgramPoints(vec![point]);
        let mut subject = subject(&mut vm, &request);
        text += &format!("{method}:");
        match subject.goals(&mut vm, &request) {
            Err(error) => text += &format!(" {error}"),
            Ok(goals) => {
                let report = explore(&mut vm, &mut subject, &request, &goals);
                for (_, reached) in &report.goals {
                    text += &format!(" {reached:?}");
                }
                for case in &report.cases {
                    text += &format!(" {}", case.path.model.as_ref().expect("a model"));
                }
            }
        }
        text += "\n";
    }
    expect![[r#"
        secondCall: By(0) n = 2
        callback: By(0) a = -1, b = 2
        noInput: Infeasible
        noCaller: Infeasible
        afterCatch: By(0) n = 0
        depthTwo: By(0) n = -1
        thirdTime: By(0) n = -1
        target: By(0) far = true
        noObject: Infeasible
        noClass: paths.Elsewhere is not reached from paths.Points.noClass(int), which reaches code of paths.Points
    "#]].assert_eq(&text);
}

/// Number of traces of `Power.power` whose loop test runs at most `loops` times.
fn power(loops: u64) -> u64 {
    // The exponent is negative, or the loop ends after one test, two, …
    1 + loops
}

/// Number of traces of `Power.arraypower` from the test of its loop on. At most `tests` loop tests
/// follow; `is_even` is whether the index is even, if that is known.
fn arraypower(tests: u64, loops: u64, is_even: Option<bool>) -> u64 {
    if tests == 0 {
        return 0;
    }
    let next = arraypower(tests - 1, loops, is_even.map(|is_even| !is_even));
    let mut traces = 1;
    if is_even != Some(false) {
        // The read throws; after each path through the power, the write throws or the loop goes on.
        traces += 1 + power(loops) * (1 + next);
    }
    if is_even != Some(true) {
        traces += next;
    }
    traces
}

#[test]
fn traces_are_as_many_as_a_count_by_hand() {
    let mut vm = machine();
    for loops in 1..=4 {
        let mut request = request("paths.Power", "arraypower", loops);
        request.criterion = PathCriterion::AllPaths;
        let subject = subject(&mut vm, &request);
        let count = |refinement| subject.count_traces(&request, refinement, u64::MAX).0;
        let tests = u64::from(loops);
        // One more trace ends because the array is null.
        assert_eq!(
            count(Refinement::None),
            1 + arraypower(tests, tests, None),
            "{loops}"
        );
        let refined = 1 + arraypower(tests, tests, Some(true));
        assert_eq!(count(Refinement::Modes), refined, "{loops}");
        assert_eq!(count(Refinement::Full), refined, "{loops}");
    }
    assert_eq!(1 + arraypower(2, 2, None), 26);
    assert_eq!(1 + arraypower(3, 3, None), 187);
    assert_eq!(1 + arraypower(2, 2, Some(true)), 9);
    assert_eq!(1 + arraypower(3, 3, Some(true)), 35);
}

/// Formats a report without times.
fn said(report: &PathsReport) -> String {
    let tally = &report.tally;
    let counts = (tally.explored, tally.queries, tally.unknown, tally.is_whole);
    let cases = report.cases.iter();
    let cases: Vec<String> = cases
        .map(|case| format!("{} {:?}", case.trace, case.path.model))
        .collect();
    format!(
        "{:?} {counts:?} {:?} {cases:#?}",
        report.goals, tally.cut_at
    )
}

#[test]
fn methods_are_looked_at_by_many_workers_as_by_one() {
    let mut faults = Faults::default();
    for class in LARGE {
        for criterion in [
            PathCriterion::AllBranches,
            PathCriterion::AllStatements,
            PathCriterion::AllLocalPaths,
        ] {
            let request = PathsRequest {
                criterion,
                ..request(class, "", 2)
            };
            let by = |jobs: usize| {
                let found = explore_class(&request, jobs);
                found
                    .iter()
                    .map(|(_, report)| said(report))
                    .collect::<Vec<String>>()
            };
            let (alone, together) = (by(1), by(3));
            for (number, (one, other)) in alone.iter().zip(&together).enumerate() {
                faults.check(one == other, || {
                    format!(
                        "{class} {number} {:?}: {one}\nand\n{other}",
                        request.criterion
                    )
                });
            }
        }
    }
}
