//! Test cases of paths, compared with real JVMs.
//!
//! The cases cover the paths of every method of `fixtures/src/symbolic`. They are written for JUnit
//! 5 with individual names and for JUnit 4 as data. They compile without a warning and pass.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use expect_test::expect;
use heapwright_jvm::{Config, Vm};
use heapwright_suite::junit::{FileKind, JunitOptions, JunitOutput, JunitVersion, write_junit};
use heapwright_suite::{Case, Label, Suite};
use heapwright_techniques::observe::Obstacle;
use heapwright_techniques::symbolic::{
    Crew, Ending, InputCases, SymbolicRequest, explore, targets,
};
use heapwright_techniques::target::{find_class, find_invariant};
use heapwright_testkit::fixtures::{self, compile, files};
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit::{jars, run_console_with};

use crate::common::paths::{compiled, request};

fn engine(classes: &Path) -> Vm {
    let jdk = heapwright_jvm::Jdk::find(Some(&compilers()[0].home)).expect("a JDK");
    Vm::new(Config::new(jdk, vec![classes.to_owned()])).expect("an engine")
}

/// Paths of a class's public methods as cases, labelled with their outcomes and conditions.
struct Walk {
    suite: Suite,
    /// Paths without a test, by reason.
    dropped: BTreeMap<Obstacle, usize>,
}

fn walk(vm: &mut Vm, request: &SymbolicRequest, invariant: Option<&str>) -> Walk {
    let found = targets(vm, request).expect("the methods are there");
    let id = find_class(vm, &request.class).expect("the class is there");
    let invariant = invariant.map(|name| find_invariant(vm, id, Some(name)).expect("an invariant"));
    let mut cases = InputCases::new(vm, id, invariant, request.step_limit);
    let mut made: Vec<Case> = Vec::new();
    let mut dropped = BTreeMap::new();
    for (number, target) in found.iter().enumerate() {
        let mut all = Vec::new();
        let mut crew = Crew {
            jobs: 1,
            more: &|| None,
            stops: &|| false,
            watch: &mut |_| {},
        };
        let mut take = |path| {
            all.push(path);
            ControlFlow::Continue(())
        };
        explore(vm, request, &found, number, &mut crew, &mut take).expect("paths");
        for path in all {
            if matches!(path.ending, Ending::Bounded(_) | Ending::Limit(_)) {
                continue;
            }
            let input = path.model.expect("a model");
            let label = Label {
                name: Some(format!("{}_{}", name_of(&target.name), path.ending)),
                note: path.conditions,
            };
            match cases.case(vm, target, &input, label).expect("room") {
                Ok(case) => made.push(case),
                Err(obstacle) => *dropped.entry(obstacle).or_default() += 1,
            }
        }
    }
    Walk {
        suite: cases.suite(vm, made),
        dropped,
    }
}

/// Returns `lcm` for `lcm(int,int)`.
fn name_of(method: &str) -> &str {
    method.split('(').next().unwrap_or(method)
}

/// Writes a suite to a folder.
fn write(suite: &Suite, options: &JunitOptions, folder: &Path) -> JunitOutput {
    let output = write_junit(suite, options).expect("a sound suite");
    for file in &output.files {
        let kind = match file.kind {
            FileKind::Source => "source",
            FileKind::Resource => "tests",
        };
        let path = folder.join(kind).join(&file.path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, &file.contents).expect("a file");
    }
    output
}

/// Compiles the files, with warnings as errors, and runs the tests on every JDK.
fn pass(folder: &Path, classes: &Path, tests: usize) {
    let jars = jars();
    let class_path: Vec<PathBuf> =
        vec![classes.to_owned(), jars.console, jars.junit4, jars.hamcrest];
    let sources = files(&folder.join("source"), "java");
    let built = folder.join("tests");
    let options = ["-Xlint:all", "-Werror", "--release", "17"];
    compile(&compilers()[0], &sources, &class_path, &built, &options);
    for jdk in jdks() {
        let java = jdk.home.join("bin").join("java");
        let report = run_console_with(&java, std::slice::from_ref(&built), &[classes.to_owned()]);
        let seen = (report.found, report.succeeded, report.failed);
        assert_eq!(seen, (tests, tests, 0), "{}", report.output);
    }
}

#[test]
#[ignore = "long"]
fn paths_are_tests_that_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    let (classes, names) = compiled();
    let (mut paths, mut tests) = (0, 0);
    let mut dropped: BTreeMap<String, usize> = BTreeMap::new();
    for name in &names {
        let mut walk = walk(&mut engine(&classes), &request(name, ""), None);
        for (obstacle, times) in walk.dropped {
            *dropped.entry(obstacle.to_string()).or_default() += times;
        }
        let simple = name.rsplit('.').next().unwrap_or_default();
        let options = |version, number| JunitOptions {
            version,
            test_class: Some(format!("{simple}{number}Test")),
            ..JunitOptions::default()
        };
        let five = write(&walk.suite, &options(JunitVersion::Five, 5), folder.path());
        for skipped in &five.skipped {
            *dropped.entry(skipped.reason.clone()).or_default() += 1;
        }
        for call in walk.suite.cases.iter_mut().flat_map(|case| &mut case.calls) {
            call.label = Label::default();
        }
        let four = write(&walk.suite, &options(JunitVersion::Four, 4), folder.path());
        assert_eq!(five.tests(), four.tests(), "{name}");
        assert_eq!(
            five.tests() + five.skipped.len(),
            walk.suite.cases.len(),
            "{name}"
        );
        paths += five.tests();
        tests += five.tests() + four.tests();
    }
    eprintln!("{paths} paths in tests; in none: {dropped:#?}");
    pass(folder.path(), &classes, tests);
}

/// Inputs that violate the invariant are in no test; for the others, the invariant is asserted.
#[test]
fn inputs_satisfy_the_invariant() {
    let folder = tempfile::tempdir().expect("a folder");
    let classes = fixtures::classes();
    let mut request = request("fields.SearchTree", "insert");
    request.bounds.loops = 2;
    let walk = walk(&mut engine(&classes), &request, Some("repOK"));
    let mut calls = walk.suite.cases.iter().flat_map(|case| &case.calls);
    assert!(calls.all(|call| call.invariant_holds_after));
    let output = write(&walk.suite, &JunitOptions::default(), folder.path());
    let asserted = output.files[0].contents.matches(".repOK()").count();
    assert_eq!(asserted, 2 * output.tests());
    let invalid = walk.dropped.get(&Obstacle::Invalid).copied();
    assert_eq!((output.tests(), invalid), (10, Some(4)));
    pass(folder.path(), &classes, output.tests());
}

/// Returns the text written for the first paths of a method.
fn written(class: &str, method: &str, version: JunitVersion, cases: usize) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let (classes, _) = compiled();
    let mut suite = walk(&mut engine(&classes), &request(class, method), None).suite;
    suite.cases.truncate(cases);
    let options = JunitOptions {
        version,
        ..JunitOptions::default()
    };
    write(&suite, &options, folder.path())
        .files
        .remove(0)
        .contents
}

#[test]
fn a_test_class_with_names_and_conditions() {
    let text = written("symbolic.Lcm", "lcm", JunitVersion::Five, 4);
    expect![[r#"
        package symbolic;

        import static org.junit.jupiter.api.Assertions.assertEquals;

        import org.junit.jupiter.api.Test;

        /** Behaviour of symbolic.Lcm, written by Heapwright. */
        class LcmHeapwrightTest {
            @Test
            void lcm_returns1() {
                // b <= a
                // b == 0
                // a == 0
                assertEquals(-1, Lcm.lcm(0, 0));
            }

            @Test
            void lcm_returns0() {
                // b <= a
                // b == 0
                // a != 0
                assertEquals(0, Lcm.lcm(1, 0));
            }

            @Test
            void lcm_returns1_2() {
                // b <= a
                // b != 0
                // a % b == 0
                // b < 0
                // a * b < 0
                assertEquals(1, Lcm.lcm(1, -1));
            }

            @Test
            void lcm_returns0_2() {
                // b <= a
                // b != 0
                // a % b == 0
                // b < 0
                // a * b >= 0
                assertEquals(0, Lcm.lcm(0, -1));
            }
        }
    "#]]
    .assert_eq(&text);
}

#[test]
fn arguments_that_are_the_same_object() {
    let text = written("symbolic.Objects", "keys", JunitVersion::Four, 5);
    expect![[r#"
        package symbolic;

        import static org.junit.Assert.assertEquals;
        import static org.junit.Assert.assertNotNull;

        import org.junit.Test;

        /** Behaviour of symbolic.Objects, written by Heapwright. */
        public class ObjectsHeapwrightTest {
            @Test
            public void keys_throwsjavalangNullPointerException() {
                // a == null
                Throwable thrown = null;
                try {
                    Objects.keys(null, null);
                } catch (Throwable throwable) {
                    thrown = throwable;
                }
                assertNotNull(thrown);
                assertEquals(NullPointerException.class, thrown.getClass());
            }

            @Test
            public void keys_throwsjavalangNullPointerException_2() {
                // a is a new symbolic.Node
                // b == null
                Node node = new Node();
                node.key = 0;
                node.left = null;
                node.right = null;
                node.tag = null;

                Throwable thrown = null;
                try {
                    Objects.keys(node, null);
                } catch (Throwable throwable) {
                    thrown = throwable;
                }
                assertNotNull(thrown);
                assertEquals(NullPointerException.class, thrown.getClass());
            }

            @Test
            public void keys_returns1() {
                // a is a new symbolic.Node
                // b == a
                Node node = new Node();
                node.key = 0;
                node.left = null;
                node.right = null;
                node.tag = null;

                assertEquals(1, Objects.keys(node, node));
            }

            @Test
            public void keys_returns3() {
                // a is a new symbolic.Node
                // b is a new symbolic.Node
                // a.key != b.key
                Node node0 = new Node();
                Node node1 = new Node();
                node0.key = 1;
                node0.left = null;
                node0.right = null;
                node0.tag = null;
                node1.key = 0;
                node1.left = null;
                node1.right = null;
                node1.tag = null;

                assertEquals(3, Objects.keys(node0, node1));
            }

            @Test
            public void keys_returns2() {
                // a is a new symbolic.Node
                // b is a new symbolic.Node
                // a.key == b.key
                Node node0 = new Node();
                Node node1 = new Node();
                node0.key = 0;
                node0.left = null;
                node0.right = null;
                node0.tag = null;
                node1.key = 0;
                node1.left = null;
                node1.right = null;
                node1.tag = null;

                assertEquals(2, Objects.keys(node0, node1));
            }
        }
    "#]]
    .assert_eq(&text);
}
