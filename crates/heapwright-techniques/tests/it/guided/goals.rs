//! What is covered, what is infeasible, which bound is to blame for the rest, and requests that
//! are refused.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use heapwright_jvm::Vm;
use heapwright_jvm::descriptor::Kind;
use heapwright_techniques::Error;
use heapwright_techniques::paths::{
    GoalResult, PathCriterion, PathStrategy, PathSubject, PathsReport, PathsRequest, Point,
    PointKind, TraceTerm, subjects,
};
use heapwright_techniques::symbolic::{CutBy, InputValue};
use heapwright_testkit::assembly::class_file;
use heapwright_testkit::fixtures::Fixture;

use super::runs::{
    cases, explore_class, explore_one, machine, machine_on, request, subject, try_explore,
};

/// Methods whose blocks and branches count: that under test, and with `is_of_class` those of goals.
fn measured(report: &PathsReport, is_of_class: bool) -> BTreeSet<usize> {
    let goals = report.goals.iter().filter(|_| is_of_class);
    goals.map(|(goal, _)| goal.place().0).chain([0]).collect()
}

/// Instructions that cases cover, all instructions, branches that cases cover, and all branches.
pub fn coverage(subject: &PathSubject, report: &PathsReport, is_of_class: bool) -> [u64; 4] {
    let mut counts = [0; 4];
    for point in subject.points(report, &measured(report, is_of_class)) {
        let (covered, count) = match point.kind {
            PointKind::Instructions(count) => (0, count),
            PointKind::Branch => (2, 1),
            PointKind::Unmeasured => continue,
        };
        counts[covered + 1] += count;
        if matches!(point.reached, GoalResult::By(_)) {
            counts[covered] += count;
        }
    }
    counts
}

#[test]
fn every_branch_of_a_class() {
    for (class, covered) in [("SmallBranches", 76), ("SmallLoops", 45), ("Lcm", 6)] {
        for criterion in [PathCriterion::AllBranches, PathCriterion::AllStatements] {
            let mut request = request(&format!("paths.{class}"), "", 3);
            request.criterion = criterion.clone();
            let counts = |request: &PathsRequest| {
                let mut counts = [0; 4];
                for (subject, report) in explore_class(request, 1) {
                    let found = coverage(&subject, &report, true);
                    counts = std::array::from_fn(|part| counts[part] + found[part]);
                    for point in subject.points(&report, &measured(&report, true)) {
                        let is_known =
                            !matches!(point.reached, GoalResult::Unknown | GoalResult::Stopped);
                        assert!(is_known, "{class}: {}", subject.goal_text(point.goal));
                    }
                }
                counts
            };
            request.strategy = PathStrategy::Auto;
            let guided = counts(&request);
            request.strategy = PathStrategy::Standard;
            assert_eq!(guided, counts(&request), "{class} {criterion:?}");
            if criterion == PathCriterion::AllBranches {
                assert_eq!(guided[2], covered, "{class}");
            }
        }
    }
}

/// Infeasible goals are infeasible whatever the bounds; for others the report names the bound that
/// cut them off.
#[test]
fn what_is_infeasible_is_proved() {
    let mut vm = machine();
    let mut said = String::new();
    for method in [
        "isBehindLoop",
        "isLoopsResult",
        "isLong",
        "isTurned",
        "cached",
        "never",
    ] {
        let mut request = request("paths.Edges", method, 2);
        request.criterion = PathCriterion::AllBranches;
        request.strategy = PathStrategy::Auto;
        let (subject, report) = explore_one(&mut vm, &request);
        for (goal, reached) in &report.goals {
            if !matches!(reached, GoalResult::By(_)) {
                said += &format!("{}: {reached:?}\n", subject.goal_text(*goal));
            }
        }
    }
    expect![[r#"
        isBehindLoop, line 13, on to line 16: Cut({Loops})
        isBehindLoop, line 13, on to line 14: Cut({Loops})
        isBehindLoop, line 10, on to line 13: Cut({Loops})
        isBehindLoop, line 10, on to line 11: Cut({Loops})
        isLoopsResult, line 24, on to line 24: Cut({Loops})
        isLong, line 28, on to line 28: Cut({Lengths})
        isTurned, line 32, on to line 32: Cut({Statics})
        cached, line 37, on to line 40: Cut({Types})
        cached, line 37, on to line 38: Cut({Types})
        never, line 44, on to line 44: Infeasible
    "#]]
    .assert_eq(&said);
}

#[test]
fn an_unsupported_operation_and_the_bound_of_loops_are_to_blame() {
    let mut vm = machine();
    let mut of = |method: &str, loops: u32| {
        let mut request = request("paths.Odd", method, loops);
        request.strategy = PathStrategy::Auto;
        let (subject, report) = explore_one(&mut vm, &request);
        let points = subject
            .points(&report, &measured(&report, false))
            .into_iter();
        let missed: BTreeSet<String> = points
            .filter(|point| !matches!(point.reached, GoalResult::By(_)))
            .map(|point| format!("{}: {:?}", subject.goal_text(point.goal), point.reached))
            .collect();
        let missed: Vec<String> = missed.into_iter().collect();
        (report.cases.len(), missed.join("\n"))
    };
    let (cases, missed) = of("callsForeign", 2);
    assert_eq!(cases, 1);
    expect![[r#"
        callsForeign, line 11, on to line 12: Cut({Refusals})
        callsForeign, line 12: Cut({Refusals})"#]]
    .assert_eq(&missed);
    let (cases, missed) = of("hundred", 2);
    assert_eq!(cases, 0);
    expect![[r#"
        hundred, line 19: Cut({Loops})
        hundred, line 20, on to line 21: Cut({Loops})
        hundred, line 20, on to line 23: Cut({Loops})
        hundred, line 20: Cut({Loops})
        hundred, line 21: Cut({Loops})
        hundred, line 23: Cut({Loops})"#]]
    .assert_eq(&missed);
    // With enough iterations all is covered.
    assert_eq!(of("hundred", 101), (1, String::new()));
}

#[test]
fn preconditions_hold_of_receivers() {
    let mut vm = machine();
    let mut of = |precondition: Option<Option<&str>>| {
        let mut request = request("paths.BinarySearchTree", "find", 2);
        request.criterion = PathCriterion::AllPaths;
        request.precondition = precondition.map(|name| name.map(str::to_owned));
        cases(&explore_one(&mut vm, &request).1)
    };
    let (any, valid) = (of(None), of(Some(None)));
    let throws = |cases: &[String]| {
        let mut cases = cases.iter();
        cases.any(|case| case.starts_with("throws java.lang.NullPointerException"))
    };
    // A tree without a root is malformed; a well-formed one never ends in a NullPointerException.
    assert!(throws(&any) && !throws(&valid), "{valid:?}");
    assert!(valid.len() > 3, "{valid:?}");
    assert_eq!(of(Some(Some("repOk"))), valid);
}

#[test]
fn cases_have_scripts_for_solvers() {
    let mut request = request("paths.Lcm", "lcm", 2);
    request.symbolic.scripts = true;
    let (_, report) = explore_one(&mut machine(), &request);
    let scripts = report.cases.iter().map(|case| case.path.script.as_deref());
    let scripts: Vec<&str> = scripts.map(Option::unwrap_or_default).collect();
    let checks = |script: &&str| script.matches("(check-sat)").count() == 1;
    assert!(
        scripts.len() == 3 && scripts.iter().all(checks),
        "{scripts:?}"
    );
}

/// Writes a class with one method.
fn assemble(folder: &Path, name: &str, method: &str, body: &str) {
    let class = format!("t/{name}");
    let bytes = class_file(48, 0x21, &class, "java/lang/Object", Some((method, body)));
    fs::create_dir_all(folder.join("t")).expect("a folder");
    fs::write(folder.join(format!("{class}.class")), bytes).expect("a file");
}

#[test]
fn code_that_javac_does_not_write() {
    let folder = tempfile::tempdir().expect("a folder");
    // A loop with two entries: for one sign of n it begins in the middle.
    assemble(
        folder.path(),
        "TwoEntries",
        "static m (I)I 2 2",
        "iconst_0\nistore_1\niload_0\nifgt middle\ntop:\niinc 1 1\nmiddle:\niinc 0 1\niload_0\n\
         bipush 3\nif_icmplt top\niload_1\nireturn",
    );
    // A handler that ordinary code jumps into, with null as the exception.
    assemble(
        folder.path(),
        "IntoHandler",
        "static m (I)I 3 1",
        "start:\niload_0\nifeq jump\nbipush 7\niload_0\niconst_1\nisub\nidiv\nireturn\n\
         jump:\naconst_null\ngoto handler\nend:\nnop\nhandler:\npop\niconst_m1\nireturn\n\
         catch start jump handler java/lang/ArithmeticException",
    );
    // A subroutine as compilers before Java 6 generated.
    assemble(
        folder.path(),
        "Subroutine",
        "static m (I)I 1 2",
        "jsr sub\niload_0\nireturn\nsub:\nastore_1\niinc 0 1\nret 1",
    );
    let mut vm = machine_on(folder.path());
    for strategy in [
        PathStrategy::Standard,
        PathStrategy::Guided,
        PathStrategy::Together,
    ] {
        let mut of = |class: &str| {
            let mut request = request(class, "m", 4);
            request.strategy = strategy;
            explore_one(&mut vm, &request).1
        };
        let two = of("t.TwoEntries");
        // Nothing but the bound of loops is left out.
        let is_loops = |by: &CutBy| *by == CutBy::Loops;
        assert!(!two.tally.is_stopped && two.tally.cut_at.keys().all(is_loops));
        let models = two
            .cases
            .iter()
            .map(|case| case.path.model.as_ref().expect("a model"));
        let inputs: Vec<i32> = models
            .map(|model| match model.roots[0].1 {
                InputValue::Primitive(Kind::Int, slot) => slot as i32,
                ref other => panic!("{other:?}"),
            })
            .collect();
        // Paths that leave after the middle at once or after one iteration; from the top, with one
        // or two.
        assert!(inputs.len() >= 3, "{strategy:?}: {inputs:?}");
        assert!(inputs.iter().any(|&n| n > 0) && inputs.iter().any(|&n| n <= 0));
        let into = of("t.IntoHandler").cases;
        let outcomes = into.iter().map(|case| case.path.ending.to_string());
        let mut outcomes: Vec<String> = outcomes.collect();
        outcomes.sort();
        assert_eq!(outcomes.len(), 3, "{strategy:?}: {outcomes:?}");
        assert_eq!(outcomes[..2], ["returns -1", "returns -1"], "{strategy:?}");
    }
    let refused = refusal(&mut vm, &request("t.Subroutine", "m", 2)).to_string();
    assert!(refused.contains("has subroutines (jsr)"), "{refused}");
}

/// Error of a request for one method.
fn refusal(vm: &mut Vm, request: &PathsRequest) -> Error {
    let found = subjects(vm, request, 0, &|| false, &|| false);
    let tried = found.and_then(|(mut found, _)| {
        let goals = found[0].goals(vm, request)?;
        try_explore(vm, &mut found[0], request, &goals)
    });
    tried.expect_err("an error")
}

#[test]
fn points_that_are_none_are_refused() {
    let mut vm = machine();
    for (point, message) in [
        (
            "18",
            expect![
                "line 18 of paths.Lcm has no code that the method can reach; the nearest lines with reachable code: 15 and 21"
            ],
        ),
        (
            "lcm@3",
            expect![
                "no instruction of paths.Lcm.lcm that can be reached starts at 3; the nearest ones: 2 and 5"
            ],
        ),
        (
            "Power:14",
            expect![
                "paths.Power is not reached from paths.Lcm.lcm(int, int), which reaches code of paths.Lcm"
            ],
        ),
        (
            "other.None:14",
            expect![
                "other.None is not among the callees of paths.Lcm.lcm(int, int), which reaches code of paths.Lcm"
            ],
        ),
    ] {
        let mut request = request("paths.Lcm", "lcm", 2);
        let point = Point::parse(point, "paths.Lcm").expect("a point");
        request.criterion = PathCriterion::ProgramPoints(vec![point]);
        message.assert_eq(&refusal(&mut vm, &request).to_string());
    }
}

#[test]
fn without_debug_information_offsets_are_used() {
    let classes = Fixture::new(&["-g:none", "-nowarn", "-Xlint:none"]).package("paths");
    let mut vm = machine_on(&classes.classes());
    let mut request = request("paths.Lcm", "lcm", 2);
    let at = |request: &mut PathsRequest, point: &str| {
        let point = Point::parse(point, "paths.Lcm").expect("a point");
        request.criterion = PathCriterion::ProgramPoints(vec![point]);
    };
    at(&mut request, "15");
    expect!["paths.Lcm was compiled without line numbers (javac -g): name points as method@offset"]
        .assert_eq(&refusal(&mut vm, &request).to_string());
    at(&mut request, "lcm@26");
    let found = cases(&explore_one(&mut vm, &request).1);
    assert!(found[0].contains("div_at24(2,[])"), "{found:?}");
    let rules = subject(&mut vm, &request).program.rules_text();
    assert!(
        rules.contains("lcm([V0,V1],[R],_,_,E,lcm(1,[T])) :-\n    V0 #>= V1,"),
        "{rules}"
    );
}

#[test]
fn traces_that_are_none_are_refused() {
    let mut vm = machine();
    for (trace, message) in [
        (
            "lcm(3,[_])",
            expect!["--trace: lcm has the rules 1 to 2, not 3"],
        ),
        (
            "lcm(1,[cont_11(1,[_])])",
            expect![
                "--trace: rule 1 of cont_11 calls [gcd, check_11], so it takes 2 and not 1 below it"
            ],
        ),
        (
            "lcm(1,[gcd(1,[_])])",
            expect!["--trace: gcd stands where cont_11 is called"],
        ),
    ] {
        let mut request = request("paths.Lcm", "lcm", 2);
        let term = TraceTerm::parse(trace).expect("a term");
        request.criterion = PathCriterion::Trace(term, false);
        message.assert_eq(&refusal(&mut vm, &request).to_string());
    }
}

#[test]
fn methods_without_code_are_refused() {
    let mut vm = machine();
    let mut says = |method: &str, expected: &Expect| {
        let refused = refusal(&mut vm, &request("paths.Odd", method, 2));
        let candidates = match &refused {
            Error::MethodNotFound { candidates, .. } => candidates.join(", "),
            _ => String::new(),
        };
        expected.assert_eq(&format!("{refused}\n{candidates}"));
    };
    says(
        "foreign",
        &expect![[r#"
        class paths.Odd cannot be used: paths.Odd.foreign(int) has no bytecode, it is native
    "#]],
    );
    says(
        "unfinished",
        &expect![[r#"
        class paths.Odd cannot be used: paths.Odd.unfinished(int) has no bytecode, it is abstract: name a class that implements it
    "#]],
    );
    says(
        "gone",
        &expect![[r#"
        class paths.Odd has no method gone
        foreign(int), callsForeign(int), hundred(int), lonely(int)"#]],
    );
}
