//! Snapshots of the texts of a small run.

use expect_test::expect_file;

use crate::model::{
    Behaviour, BehaviourRank, Class, Code, Drawing, DrawnStructure, Ending, Fate, Goal, Line,
    Method, Mutant, MutantFate, Run, RunPart, Share, SourceFile, Test, TestOutcome,
};
use crate::{
    HistoryEntry, annotations, cobertura, history_text, jacoco, junit, markdown, mutations,
    read_history, sarif, site,
};

const SOURCE: &str = "\
package shop;

public class Cart {
    private int items;

    public void add(int count) {
        if (count > 0) {
            items += count;
        }
    }

    public int items() { return items; }
}
";

fn share(covered: u64, total: u64) -> Share {
    Share { covered, total }
}

fn line(number: u32, instructions: Share, branches: Share, tests: &[usize]) -> Line {
    Line {
        number,
        instructions,
        branches,
        tests: tests.to_vec(),
    }
}

fn mutant(line: u32, description: &str, fate: MutantFate, killers: &[usize]) -> Mutant {
    Mutant {
        method: "add(int)".to_owned(),
        line: Some(line),
        operator: "CONDITIONALS_BOUNDARY".to_owned(),
        description: description.to_owned(),
        fate,
        killers: killers.to_vec(),
    }
}

fn test(name: &str, outcome: TestOutcome) -> Test {
    Test {
        class: "shop.CartTest".to_owned(),
        name: name.to_owned(),
        outcome,
        code: None,
        states: Vec::new(),
    }
}

fn class() -> Class {
    let goal = |line, text: &str, fate| Goal {
        method: "add(int)".to_owned(),
        line: Some(line),
        text: text.to_owned(),
        fate,
    };
    Class {
        name: "shop.Cart".to_owned(),
        file: 0,
        methods: vec![
            Method {
                name: "add".to_owned(),
                descriptor: "(I)V".to_owned(),
                text: "add(int)".to_owned(),
                instructions: share(9, 9),
                branches: share(1, 2),
                complexity: share(1, 2),
                lines: vec![
                    line(7, share(2, 2), share(1, 2), &[0, 1]),
                    line(8, share(6, 6), share(0, 0), &[0]),
                    line(10, share(1, 1), share(0, 0), &[0]),
                ],
            },
            Method {
                name: "items".to_owned(),
                descriptor: "()I".to_owned(),
                text: "items()".to_owned(),
                instructions: share(0, 3),
                branches: share(0, 0),
                complexity: share(0, 1),
                lines: vec![line(12, share(0, 3), share(0, 0), &[])],
            },
        ],
        goals: vec![
            goal(7, "add:7 greater", Fate::Covered(vec![0])),
            goal(
                7,
                "add:7 not greater",
                Fate::NotReached("not reached up to length 4".to_owned()),
            ),
            goal(
                8,
                "add:8 throws",
                Fate::Infeasible("items is never null".to_owned()),
            ),
        ],
        mutants: vec![
            mutant(7, "replaced > with >=", MutantFate::Alive, &[]),
            mutant(7, "negated conditional", MutantFate::Killed, &[0]),
            mutant(12, "replaced return with 0", MutantFate::NotReached, &[]),
            mutant(8, "replaced + with -", MutantFate::Unknown, &[]),
        ],
        notes: Vec::new(),
    }
}

/// A run with one of everything.
pub(crate) fn run() -> Run {
    Run {
        verb: "measure".to_owned(),
        version: "1.2.3".to_owned(),
        started: 1_700_000_000,
        seconds: 1.25,
        ending: Ending::Stopped("--time-limit".to_owned()),
        without: vec!["parts of some classes".to_owned()],
        notes: vec!["Name the folder of sources with --sources.".to_owned()],
        has_coverage: true,
        has_mutants: true,
        is_lower_bound: false,
        source_folders: vec!["src/main/java".to_owned()],
        files: vec![SourceFile {
            path: "shop/Cart.java".to_owned(),
            location: Some("src/main/java/shop/Cart.java".to_owned()),
            text: Some(SOURCE.to_owned()),
        }],
        classes: vec![class()],
        tests: vec![
            Test {
                states: vec![Drawing {
                    caption: "after".to_owned(),
                    text: "Cart{items: 1}".to_owned(),
                    svg: "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"50\" height=\"60\"/>"
                        .to_owned(),
                }],
                ..test("adds()", TestOutcome::Passed)
            },
            test(
                "fails()",
                TestOutcome::Failed("java.lang.AssertionError: 1 < 2\nat shop.Cart".to_owned()),
            ),
            test(
                "skipped()",
                TestOutcome::Skipped("disabled & \u{1}".to_owned()),
            ),
        ],
        behaviours: vec![Behaviour {
            class: "shop.Cart".to_owned(),
            method: "add(int)".to_owned(),
            line: Some(6),
            kind: "throws".to_owned(),
            rank: BehaviourRank::Arithmetic,
            is_sure: true,
            exception: Some("java.lang.ArithmeticException".to_owned()),
            reason: "throws java.lang.ArithmeticException: 100 % of\nthe items".to_owned(),
            calls: "add(7)".to_owned(),
            reproducer: Some(Code {
                file: Some("src/test/java/shop/CartCounterexampleTest.java".to_owned()),
                line: 12,
                text: "@Test\nvoid add_of7_throws() {\n}\n".to_owned(),
            }),
            drawings: vec![Drawing {
                caption: "before add(7)".to_owned(),
                text: "Cart{items: 0}".to_owned(),
                svg: "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"10\"/>"
                    .to_owned(),
            }],
        }],
        structures: vec![DrawnStructure {
            size: 1,
            text: "Cart{items: 0}".to_owned(),
            svg: "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"30\" height=\"20\"/>"
                .to_owned(),
        }],
        graphs: vec![Drawing {
            caption: "add(int)".to_owned(),
            text: "3 of 4 blocks are covered".to_owned(),
            svg: "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"10\"/>"
                .to_owned(),
        }],
    }
}

#[test]
fn texts_of_a_small_run() {
    let run = run();
    let texts = [
        (sarif::sarif(&run), expect_file!["../snapshots/run.sarif"]),
        (junit::junit(&run), expect_file!["../snapshots/junit.xml"]),
        (
            jacoco::jacoco(&run),
            expect_file!["../snapshots/jacoco.xml"],
        ),
        (
            cobertura::cobertura(&run),
            expect_file!["../snapshots/cobertura.xml"],
        ),
        (
            mutations::mutations(&run),
            expect_file!["../snapshots/mutations.json"],
        ),
        (
            markdown::markdown(&run),
            expect_file!["../snapshots/summary.md"],
        ),
        (
            annotations::annotations(&run),
            expect_file!["../snapshots/annotations.txt"],
        ),
    ];
    for (text, snapshot) in texts {
        snapshot.assert_eq(&text);
    }
}

#[test]
fn annotations_beyond_what_is_shown_are_counted() {
    let mut run = run();
    let mutant = run.classes[0].mutants[0].clone();
    run.classes[0].mutants = vec![mutant; 12];
    let text = annotations::annotations(&run);
    assert_eq!(text.matches("::warning file=").count(), 9, "{text}");
    assert!(
        text.contains("::warning title=Surviving mutant::and 3 more of these"),
        "{text}"
    );
}

#[test]
fn sources_that_were_not_found_leave_room_for_the_mutants() {
    let mut run = run();
    run.files[0].text = None;
    run.files[0].location = None;
    let text = mutations::mutations(&run);
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let source = report["files"]["shop/Cart.java"]["source"]
        .as_str()
        .unwrap();
    assert!(
        source.starts_with("// The source of shop/Cart.java was not found"),
        "{source}"
    );
    assert_eq!(source.matches('\n').count(), 12);
}

#[test]
fn data_survives_its_own_json() {
    let run = run();
    let text = serde_json::to_string(&run).unwrap();
    // Numbers of tagged values are read from a value alone.
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let mut read = serde_json::from_value::<Run>(value).unwrap();
    // Drawings of structures are in pages alone.
    read.structures[0].svg.clone_from(&run.structures[0].svg);
    assert_eq!(read, run);
}

#[test]
fn pages_of_a_small_run() {
    let run = run();
    let entry = HistoryEntry::of(&run);
    let history = read_history(&history_text(std::slice::from_ref(&entry))).unwrap();
    assert_eq!(history, [entry]);
    let files = site::site(&run, &history);
    let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
    let expected = [
        "style.css",
        "site.js",
        "drawings/1-1.svg",
        "drawings/structures.js",
        "structures.html",
        "drawings/flow-1.svg",
        "flow.html",
        "drawings/test-0-1.svg",
        "tests.html",
        "classes/shop.Cart.html",
        "index.html",
    ];
    assert_eq!(paths, expected);
    for file in files.iter().filter(|file| file.path.ends_with(".html")) {
        assert!(file.contents.contains(site::MARK), "{}", file.path);
    }
    for (file, snapshot) in [
        ("index.html", expect_file!["../snapshots/index.html"]),
        (
            "classes/shop.Cart.html",
            expect_file!["../snapshots/class.html"],
        ),
        ("tests.html", expect_file!["../snapshots/tests.html"]),
        (
            "structures.html",
            expect_file!["../snapshots/structures.html"],
        ),
        ("flow.html", expect_file!["../snapshots/flow.html"]),
    ] {
        let file = files.iter().find(|it| it.path == file).unwrap();
        snapshot.assert_eq(&file.contents);
    }
}

#[test]
fn parts_about_one_class_become_one() {
    let mut other = class();
    other.methods[1].instructions = share(3, 3);
    other.methods[1].lines[0] = line(12, share(3, 3), share(0, 0), &[0]);
    other.goals[1].fate = Fate::Covered(vec![0]);
    other.mutants[0].fate = MutantFate::Killed;
    other.mutants[0].killers = vec![0];
    let mut run = run();
    run.add(RunPart {
        files: run.files.clone(),
        classes: vec![other],
        tests: vec![test("counts()", TestOutcome::Passed)],
        ..RunPart::default()
    });
    let [class] = &run.classes[..] else {
        panic!("one class");
    };
    assert_eq!((run.files.len(), run.tests.len()), (1, 4));
    assert_eq!(class.methods[1].instructions, share(3, 3));
    // The tests of the other part have numbers behind those that were there.
    assert_eq!(
        class.methods[1].lines,
        [line(12, share(3, 3), share(0, 0), &[3])]
    );
    assert_eq!(class.methods[0].lines[0].tests, [0, 1, 3, 4]);
    assert_eq!(class.goals[0].fate, Fate::Covered(vec![0, 3]));
    assert_eq!(class.goals[1].fate, Fate::Covered(vec![3]));
    assert_eq!(class.goals.len(), 3);
    assert_eq!(
        (class.mutants[0].fate, &class.mutants[0].killers[..]),
        (MutantFate::Killed, &[3][..])
    );
    assert_eq!(class.mutants.len(), 4);
}
