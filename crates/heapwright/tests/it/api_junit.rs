//! Tests with inputs built by calls: they compile without a warning, pass on real JVMs and need no
//! reflection. Reproducers of findings of a search from the API fail there for the same reason.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::{Fixture, compile, files};
use heapwright_testkit::jdk::{all_jdks, compilers, jdks};
use heapwright_testkit::junit::{self, LauncherReport};

use crate::common::{has_ended_by_itself, program, text, with_enough_time};

/// Fixtures of the API search, compiled by the oldest compiler.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        Fixture::new(&["--release", "17", "-nowarn"])
            .package("api")
            .classes()
    })
}

fn enumerate(arguments: &[&str]) -> Output {
    program()
        .args(["enumerate", "--no-config", "--junit-check", "none", "-p"])
        .arg(classes())
        .args(["--jdk", jdks()[0].home.to_str().unwrap()])
        .args(arguments)
        .output()
        .unwrap()
}

/// Writes the tests of one request into a folder. Returns the output and the number of tests.
fn write(folder: &Path, version: &str, arguments: &[&str]) -> (Output, usize) {
    let output = run_into(folder, version, arguments);
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{arguments:?}: no summary: {output:?}"));
    let tests = summary["tests"].as_u64().unwrap() as usize;
    (output, tests)
}

/// Runs a request whose tests go to a folder.
fn run_into(folder: &Path, version: &str, arguments: &[&str]) -> Output {
    let folder = folder.to_str().unwrap();
    let format = [
        "--format",
        "junit",
        "--json",
        "--junit",
        version,
        "--failures",
        "failing",
        "-o",
        folder,
    ];
    enumerate(&[arguments, &format].concat())
}

/// Compiles all tests in a folder with every warning an error, by the oldest and the newest
/// compiler, and runs them on every JDK.
fn run(source: &Path) -> Vec<LauncherReport> {
    let folder = tempfile::tempdir().unwrap();
    let built = folder.path().join("tests");
    let jars = junit::jars();
    let class_path = [
        jars.console,
        jars.junit4,
        jars.hamcrest,
        classes().to_owned(),
    ];
    let all = compilers();
    for compiler in [&all[all.len() - 1], &all[0]] {
        let options = ["-Xlint:all", "-Werror", "--release", "17"];
        compile(
            compiler,
            &files(source, "java"),
            &class_path,
            &built,
            &options,
        );
    }
    for resource in files(source, "txt") {
        let to = built.join(resource.strip_prefix(source).unwrap());
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        std::fs::copy(&resource, to).unwrap();
    }
    let reports = all_jdks().into_iter().map(|jdk| {
        let java = jdk.home.join("bin").join("java");
        junit::run_console_with(&java, std::slice::from_ref(&built), &[classes().to_owned()])
    });
    reports.collect()
}

fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let sources = files(folder, "java").into_iter();
    sources
        .map(|path| {
            let text = std::fs::read_to_string(&path).unwrap();
            (path, text)
        })
        .collect()
}

/// Checks that the tests of several requests pass together, with all inputs built by plain calls.
fn pass(version: &str, requests: &[&[&str]]) {
    let folder = tempfile::tempdir().unwrap();
    let mut expected = 0;
    for arguments in requests {
        let (output, tests) = write(folder.path(), version, arguments);
        assert!(
            output.status.success(),
            "{arguments:?}: {}",
            text(&output.stderr)
        );
        assert!(tests > 10, "{arguments:?}: only {tests} tests");
        expected += tests;
    }
    for (path, source) in sources(folder.path()) {
        assert!(
            !source.contains("java.lang.reflect"),
            "{}:\n{source}",
            path.display()
        );
    }
    for report in run(folder.path()) {
        let counts = (report.found, report.succeeded);
        assert_eq!(counts, (expected, expected), "{}", report.output);
    }
}

#[test]
#[ignore = "long"]
fn tests_made_by_calls_pass() {
    pass(
        "5",
        &[
            &["--from", "api", "-c", "api.IntSet", "--scope", "3"],
            &["--from", "api", "-c", "api.Chain", "--scope", "2"],
            &["--from", "api", "-c", "api.Switch", "--scope", "2"],
            &["--from", "api", "-c", "api.Reception", "--scope", "2"],
            &[
                "--from",
                "api",
                "-c",
                "api.Bank",
                "-c",
                "api.Account",
                "--scope",
                "2",
                "--int-range",
                "0:2",
            ],
            &[
                "--from",
                "api",
                "-c",
                "java.util.TreeMap",
                "--scope",
                "2",
                "--limit",
                "7",
            ],
        ],
    );
}

#[test]
#[ignore = "long"]
fn tests_for_junit_4_and_large_ones_pass() {
    pass(
        "4",
        &[
            // With more than 50 structures, the calls are in a data file.
            &["--from", "api", "-c", "api.IntSet", "--scope", "4"],
            &["--from", "api", "-c", "api.Chain", "--scope", "3"],
            &["--from", "api", "-c", "api.Switch", "--scope", "2"],
            &["--from", "api", "-c", "api.Account", "--scope", "3"],
            // The same holds with more than 1,000 tests.
            &[
                "--from",
                "api",
                "-c",
                "java.util.LinkedList",
                "--scope",
                "3",
            ],
        ],
    );
    pass(
        "5",
        &[&[
            "--from",
            "api",
            "-c",
            "api.Bank",
            "-c",
            "api.Account",
            "--scope",
            "3",
            "--strings",
            "a",
        ]],
    );
}

/// Data files name arguments that calls make by their numbers in the test.
#[test]
fn objects_that_calls_make_are_arguments_of_large_tests() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["-c", "api.Reception", "--scope", "51"];
    let (_, tests) = write(folder.path(), "5", &arguments);
    for report in run(folder.path()) {
        let counts = (report.found, report.succeeded);
        assert_eq!(counts, (tests, tests), "{}", report.output);
    }
    let [(_, source)] = &sources(folder.path())[..] else {
        panic!("one test class");
    };
    let source = source.split_once("switch (number) {\n").unwrap().1;
    let (first, _) = source.split_once("            case 1:\n").unwrap();
    let lines = first.lines().map(|line| line.get(12..).unwrap_or(line));
    let first: String = lines.map(|line| format!("{line}\n")).collect();
    expect![[r#"
                    case 0:
                        return new Reception.Guest() {
                            @Override
                            public int age() {
                                return 0;
                            }

                            @Override
                            public String name() {
                                return "";
                            }
                        };
    "#]]
    .assert_eq(&first);
}

/// Parameters of functional interfaces take the given fields, in source code and in a data file.
#[test]
fn constants_are_arguments() {
    let function = "java.util.function.IntUnaryOperator=api.Mapped.NEXT,api.Mapped.ZERO";
    let order = "java.util.Comparator=java.lang.String.CASE_INSENSITIVE_ORDER";
    let arguments = ["--from", "api", "-c", "api.Mapped", "--scope", "2"];
    let values = ["--values-of", function, "--values-of", order];
    let many = ["--strings", "a,b,c,d,e,f,g,h,i,j,k,l"];
    pass("5", &[&[&arguments[..], &values].concat()]);
    pass("4", &[&[&arguments[..], &values, &many].concat()]);
}

/// Every call has arrays and collections of its own, though it keeps and changes them, in source code
/// and in a data file.
#[test]
#[ignore = "long"]
fn arrays_and_collections_are_arguments() {
    let arguments = ["--from", "api", "-c", "api.Crate"];
    let few = ["--scope", "1", "--strings", "a"];
    let many = ["--scope", "2", "--strings", "a,b", "--booleans", "true"];
    pass("5", &[&[&arguments[..], &few].concat()]);
    pass("4", &[&[&arguments[..], &many].concat()]);
}

#[test]
fn structures_of_an_invariant_are_made_by_calls() {
    pass(
        "5",
        &[&["-c", "api.IntSet", "--scope", "3", "--prefer-api"]],
    );
    pass(
        "4",
        &[&["-c", "api.IntSet", "--scope", "4", "--prefer-api"]],
    );
}

/// Structures that calls do not build are built by setting fields, in a separate class if there is
/// a data file.
#[test]
fn what_calls_do_not_reach_is_made_of_fields() {
    for (scope, known, all) in [("3", "5", "10"), ("5", "15", "146")] {
        let folder = tempfile::tempdir().unwrap();
        let most = if scope == "3" { "0:1" } else { "0:2" };
        let arguments = [
            "-c",
            "api.IntSet",
            "--scope",
            scope,
            "--prefer-api",
            "--int-range",
            most,
        ];
        let (output, tests) = write(folder.path(), "5", &arguments);
        let said = format!("heapwright: {known} of {all} inputs are made by calls\n");
        assert_eq!(text(&output.stderr), said);
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let made = &summary["prefer_api"];
        assert_eq!(made["by_calls"].to_string(), known);
        assert_eq!(made["inputs"].to_string(), all);
        assert!(made["stopped_by"].is_null(), "{summary}");
        for report in run(folder.path()) {
            assert_eq!(
                (report.found, report.succeeded),
                (tests, tests),
                "{}",
                report.output
            );
        }
    }
}

/// A search for calls that would take minutes stops at the time limit. Inputs not found by then are
/// built by setting fields.
#[test]
fn the_search_for_calls_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    let run = |limit: &str| {
        let arguments = [
            "-c",
            "api.Slow",
            "--scope",
            "3",
            "--prefer-api",
            "--time-limit",
            limit,
        ];
        run_into(folder.path(), "5", &arguments)
    };
    let output = with_enough_time(2_000, run, has_ended_by_itself);
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let made = &summary["prefer_api"];
    assert_eq!(made["stopped_by"], "--time-limit", "{summary}");
    assert!(made["explored"].as_u64().unwrap() < 2_000_000, "{summary}");
    let said = text(&output.stderr);
    assert!(
        said.contains(
            "the others by setting fields: the search for calls was stopped by --time-limit"
        ),
        "{said}"
    );
}

fn check_source(folder: &Path, name: &str, expected: &Expect) {
    let found = sources(folder);
    let (_, source) = found.iter().find(|(path, _)| path.ends_with(name)).unwrap();
    expected.assert_eq(source);
}

#[test]
#[ignore = "long"]
fn failures_are_repeated() {
    failures_are_repeated_by("5");
}

#[test]
#[ignore = "long"]
fn failures_are_repeated_for_junit_4() {
    failures_are_repeated_by("4");
}

fn failures_are_repeated_by(version: &str) {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "--from",
        "api",
        "-c",
        "api.Faulty",
        "--scope",
        "3",
        "--max-length",
        "4",
    ];
    let (output, tests) = write(folder.path(), version, &arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    for report in run(folder.path()) {
        let counts = (report.succeeded, report.failed);
        assert_eq!(counts, (tests, 7), "{}", report.output);
        for reason in [
            "java.lang.ArithmeticException: one",
            "Faulty.top\" is null",
            "java.lang.StackOverflowError",
            "java.lang.OutOfMemoryError",
            "java.lang.AssertionError: two",
            "timed out after 5",
        ] {
            let plain = report
                .output
                .replace("this.top\" is null", "Faulty.top\" is null");
            assert!(plain.contains(reason), "no {reason}:\n{}", report.output);
        }
    }
    if version == "5" {
        check_source(
            folder.path(),
            "api/FaultyFailureTest.java",
            &expect![[r#"
                package api;

                import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

                import java.time.Duration;
                import org.junit.jupiter.api.Test;

                /** Behaviour of api.Faulty, written by Heapwright. */
                class FaultyFailureTest {
                    @Test
                    void newFaulty_with1_doesNotThrowArithmetic() {
                        new Faulty(1);
                    }

                    @Test
                    void pop_onFaulty_doesNotThrowNullPointer() {
                        Faulty faulty = new Faulty();

                        faulty.pop();
                    }

                    @Test
                    void measure_on1Cell_doesNotThrowStackOverflowError() {
                        Faulty faulty = new Faulty();
                        faulty.push();

                        faulty.measure();
                    }

                    @Test
                    void reserve_on1Cell_ends() {
                        Faulty faulty = new Faulty();
                        faulty.push();

                        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
                            try {
                                faulty.reserve();
                            } catch (OutOfMemoryError throwable) {
                                throw new AssertionError(throwable);
                            }
                        });
                    }

                    @Test
                    void compare_withFaultyAndFaulty_doesNotThrowNullPointer() {
                        Faulty faulty0 = new Faulty();
                        Faulty faulty1 = new Faulty();
                        faulty1.push();

                        Faulty.compare(faulty0, faulty1);
                    }

                    @Test
                    void rotate_on2Cells_ends() {
                        Faulty faulty = new Faulty();
                        faulty.push();
                        faulty.push();

                        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
                            try {
                                faulty.rotate();
                            } catch (OutOfMemoryError throwable) {
                                throw new AssertionError(throwable);
                            }
                        });
                    }

                    @Test
                    void validate_on2Cells_doesNotThrowAssertionError() {
                        Faulty faulty = new Faulty();
                        faulty.push();
                        faulty.push();

                        faulty.validate();
                    }
                }
                // Checksum 15f67a31 of what Heapwright wrote: edited files are not overwritten.
            "#]],
        );
    }
}

#[test]
fn a_broken_invariant_fails_a_test_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--from", "api", "-c", "api.Gauge", "--scope", "2"];
    let (output, tests) = write(folder.path(), "5", &arguments);
    assert_eq!(output.status.code(), Some(1));
    expect![[r"
        heapwright: 2 structures break repOk: nothing is called on them
        heapwright: gauge = new Gauge(); gauge.raise(); gauge.raise(): api.Gauge.repOk() is false (2 calls in all)
    "]]
    .assert_eq(&text(&output.stderr));
    for report in run(folder.path()) {
        let counts = (report.found, report.failed);
        assert_eq!(counts, (tests + 1, 1), "{}", report.output);
        let is_said = report.output.contains("repOk_onGauge_returnsTrue");
        assert!(is_said, "{}", report.output);
    }
}

#[test]
fn calls_as_they_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        "--from",
        "api",
        "-c",
        "api.Bank",
        "-c",
        "api.Account",
        "--scope",
        "1",
    ];
    write(
        folder.path(),
        "5",
        &[&arguments[..], &["--int-range", "1", "--limit", "2"]].concat(),
    );
    check_source(
        folder.path(),
        "api/BankApiTest.java",
        &expect![[r#"
            package api;

            import static org.junit.jupiter.api.Assertions.assertEquals;
            import static org.junit.jupiter.api.Assertions.assertFalse;
            import static org.junit.jupiter.api.Assertions.assertNull;
            import static org.junit.jupiter.api.Assertions.assertTrue;

            import org.junit.jupiter.api.Test;

            /** Behaviour of api.Bank, written by Heapwright. */
            class BankApiTest {
                @Test
                void open_onBank_withAccount_returnsTrue() {
                    Bank bank = new Bank();
                    Account account = new Account();

                    assertTrue(bank.open(account));
                }

                @Test
                void isRicher_onBank_withAccount_returnsFalse() {
                    Bank bank = new Bank();
                    Account account = new Account();

                    assertFalse(bank.isRicher(account));
                }

                @Test
                void first_onBank_returnsNull() {
                    Bank bank = new Bank();

                    assertNull(bank.first());
                }

                @Test
                void total_onBank_returns0() {
                    Bank bank = new Bank();

                    assertEquals(0, bank.total());
                }

                @Test
                void open_on1Account_withAccount_returnsTrue() {
                    Bank bank = new Bank();
                    Account account0 = new Account();
                    bank.open(account0);
                    Account account1 = new Account();

                    assertTrue(bank.open(account1));
                }

                @Test
                void isRicher_on1Account_withAccount_returnsFalse() {
                    Bank bank = new Bank();
                    Account account0 = new Account();
                    bank.open(account0);
                    Account account1 = new Account();

                    assertFalse(bank.isRicher(account1));
                }

                @Test
                void first_on1Account_returnsAccount() {
                    Bank bank = new Bank();
                    Account account = new Account();
                    bank.open(account);

                    assertEquals(Account.class, bank.first().getClass());
                }

                @Test
                void total_on1Account_returns0() {
                    Bank bank = new Bank();
                    Account account = new Account();
                    bank.open(account);

                    assertEquals(0, bank.total());
                }
            }
            // Checksum f71b2ca8 of what Heapwright wrote: edited files are not overwritten.
        "#]],
    );
    let arguments = [
        "--from",
        "api",
        "-c",
        "api.Switch",
        "--scope",
        "1",
        "--limit",
        "3",
    ];
    write(
        folder.path(),
        "4",
        &[&arguments[..], &["--strings", "a"]].concat(),
    );
    check_source(
        folder.path(),
        "api/SwitchApiTest.java",
        &expect![[r#"
            package api;

            import static org.junit.Assert.assertEquals;
            import static org.junit.Assert.assertFalse;
            import static org.junit.Assert.assertSame;
            import static org.junit.Assert.assertTrue;

            import org.junit.Test;

            /** Behaviour of api.Switch, written by Heapwright. */
            public class SwitchApiTest {
                @Test
                public void flip_onSwitch_returnsON() {
                    Switch switch0 = Switch.at(Switch.Position.OFF);

                    assertSame(Switch.Position.ON, switch0.flip());
                }

                @Test
                public void isAt_onSwitch_withOFF_returnsTrue() {
                    Switch switch0 = Switch.at(Switch.Position.OFF);

                    assertTrue(switch0.isAt(Switch.Position.OFF));
                }

                @Test
                public void isAt_onSwitch_withON_returnsFalse() {
                    Switch switch0 = Switch.at(Switch.Position.OFF);

                    assertFalse(switch0.isAt(Switch.Position.ON));
                }

                @Test
                public void name_onSwitch_withStringA_returns() {
                    Switch switch0 = Switch.at(Switch.Position.OFF);

                    switch0.name("a");
                }

                @Test
                public void label_onSwitch_returnsEmptyString() {
                    Switch switch0 = Switch.at(Switch.Position.OFF);

                    assertEquals("", switch0.label());
                }

                @Test
                public void copy_onSwitch_returnsSwitch() {
                    Switch switch0 = Switch.at(Switch.Position.OFF);

                    assertEquals(Switch.class, switch0.copy().getClass());
                }

                @Test
                public void flip_onSwitch_returnsOFF() {
                    Switch switch0 = Switch.at(Switch.Position.ON);

                    assertSame(Switch.Position.OFF, switch0.flip());
                }

                @Test
                public void isAt_onSwitch_withOFF_returnsFalse() {
                    Switch switch0 = Switch.at(Switch.Position.ON);

                    assertFalse(switch0.isAt(Switch.Position.OFF));
                }

                @Test
                public void isAt_onSwitch_withON_returnsTrue() {
                    Switch switch0 = Switch.at(Switch.Position.ON);

                    assertTrue(switch0.isAt(Switch.Position.ON));
                }

                @Test
                public void name_onSwitch_withStringA_returns_2() {
                    Switch switch0 = Switch.at(Switch.Position.ON);

                    switch0.name("a");
                }

                @Test
                public void label_onSwitch_returnsEmptyString_2() {
                    Switch switch0 = Switch.at(Switch.Position.ON);

                    assertEquals("", switch0.label());
                }

                @Test
                public void copy_onSwitch_returnsSwitch_2() {
                    Switch switch0 = Switch.at(Switch.Position.ON);

                    assertEquals(Switch.class, switch0.copy().getClass());
                }

                @Test
                public void flip_onSwitch_returnsOFF_2() {
                    Switch switch0 = Switch.at(Switch.Position.OFF);
                    switch0.flip();

                    assertSame(Switch.Position.OFF, switch0.flip());
                }

                @Test
                public void isAt_onSwitch_withOFF_returnsFalse_2() {
                    Switch switch0 = Switch.at(Switch.Position.OFF);
                    switch0.flip();

                    assertFalse(switch0.isAt(Switch.Position.OFF));
                }

                @Test
                public void isAt_onSwitch_withON_returnsTrue_2() {
                    Switch switch0 = Switch.at(Switch.Position.OFF);
                    switch0.flip();

                    assertTrue(switch0.isAt(Switch.Position.ON));
                }

                @Test
                public void name_onSwitch_withStringA_returns_3() {
                    Switch switch0 = Switch.at(Switch.Position.OFF);
                    switch0.flip();

                    switch0.name("a");
                }

                @Test
                public void label_onSwitch_returnsEmptyString_3() {
                    Switch switch0 = Switch.at(Switch.Position.OFF);
                    switch0.flip();

                    assertEquals("", switch0.label());
                }

                @Test
                public void copy_onSwitch_returnsSwitch_3() {
                    Switch switch0 = Switch.at(Switch.Position.OFF);
                    switch0.flip();

                    assertEquals(Switch.class, switch0.copy().getClass());
                }
            }
            // Checksum f1df5ad6 of what Heapwright wrote: edited files are not overwritten.
        "#]],
    );
}

#[test]
fn wrong_requests_are_named() {
    let refused = |arguments: &[&str], expected: Expect| {
        let output = enumerate(arguments);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        expected.assert_eq(&text(&output.stderr));
    };
    let api = ["--from", "api", "-c", "api.IntSet", "--scope", "3"];
    refused(
        &[&api[..], &["--format", "junit"]].concat(),
        expect![[r#"
        heapwright: --format junit writes files: name their folder with -o
    "#]],
    );
    refused(
        &[&api[..], &["--prefer-api"]].concat(),
        expect![[r#"
        heapwright: --prefer-api is of searches from the invariant: it does not go with --from api
    "#]],
    );
    refused(
        &["-c", "api.IntSet", "--scope", "3", "--prefer-api"],
        expect![[r#"
            heapwright: --prefer-api concerns the inputs of tests: it requires --format junit
        "#]],
    );
    for (given, reason) in [
        (
            "",
            ": it is TYPE=FIELD, as java.util.Comparator=a.B.BY_NAME",
        ),
        (
            "=api.Mapped.NOPE",
            "api.Mapped has no static field NOPE; those that hold objects: NEXT, ZERO, HIDDEN, open, NONE",
        ),
        (
            "=api.Mapped.order",
            "api.Mapped has no static field order; those that hold objects: NEXT, ZERO, HIDDEN, open, NONE",
        ),
        (
            "=api.Mapped.HIDDEN",
            "tests cannot name it: make it and its class public",
        ),
        ("=api.Mapped.open", "it is not final: calls could change it"),
        ("=api.Mapped.NONE", "it is null: --null adds null"),
        ("=api.Mapped.COUNT", "it holds no object"),
        (
            "=java.lang.String.CASE_INSENSITIVE_ORDER",
            "its value is no java.util.function.IntUnaryOperator",
        ),
        ("=NEXT", "a field is a.B.FIELD"),
        ("=api.Map.NEXT", "class api.Map not found on the class path"),
    ] {
        let given = format!("java.util.function.IntUnaryOperator{given}");
        let output = enumerate(&[&api[..], &["--values-of", &given]].concat());
        assert_eq!(output.status.code(), Some(2), "{given}: {output:?}");
        let said = text(&output.stderr);
        assert!(said.contains(reason), "{given}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    let to = tempfile::tempdir().unwrap();
    let to = to.path().to_str().unwrap();
    let few = ["--format", "junit", "--max-tests", "20", "-o", to];
    let output = enumerate(&[&api[..], &few].concat());
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let said = text(&output.stderr);
    assert!(
        said.contains("--max-tests 20 has no room for them"),
        "{said}"
    );
    assert!(
        text(&output.stdout).contains("stopped by --max-tests"),
        "{output:?}"
    );
}

/// Properties that fail are reproduced on the smallest structures.
#[test]
#[ignore = "long"]
fn violated_properties_are_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "--from api -c api.Bag --scope 2 --int-range 0 --max-length 4 \
                     --property isSmall --property isEven";
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let (output, tests) = write(folder.path(), "5", &arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let (_, source) = sources(folder.path())
        .into_iter()
        .find(|(path, _)| path.ends_with("api/BagFailureTest.java"))
        .unwrap();
    // Assertions are disabled by default on a JVM.
    let unasked = source.matches("doesNotThrowAssertionError").count();
    let failing = source.matches("@Test").count() - unasked;
    for call in ["assertTrue(bag.isSmall());", "assertTrue(Bag.isEven(bag));"] {
        assert!(source.contains(call), "{source}");
    }
    for report in run(folder.path()) {
        let counts = (report.succeeded, report.failed);
        assert_eq!(counts, (tests + unasked, failing), "{}", report.output);
    }
}

/// Contracts of `Object`, `Comparable` and `Cloneable`: a class, the assertion of its reproducer,
/// and the failure on a real JVM.
const CONTRACTS: [(&str, &str, &str); 14] = [
    (
        "Irreflexive",
        "assertTrue(irreflexive.equals((Object) irreflexive));",
        "expected: <true> but was: <false>",
    ),
    (
        "EqualToNull",
        "assertFalse(equalToNull.equals(null));",
        "expected: <false> but was: <true>",
    ),
    (
        "FailsOnNull",
        "failsOnNull.equals((Object) null);",
        "NullPointerException",
    ),
    (
        "Asymmetric",
        "assertEquals(asymmetric0.equals(asymmetric1), asymmetric1.equals(asymmetric0));",
        "expected: <",
    ),
    (
        "OwnHashCode",
        "assertTrue(ownHashCode0.equals(ownHashCode1));
        assertEquals(ownHashCode0.hashCode(), ownHashCode1.hashCode());",
        "but was: <",
    ),
    (
        "Nameless",
        "assertNotNull(nameless.toString());",
        "expected: not <null>",
    ),
    (
        "EndlessName",
        "endlessName.toString();",
        "timed out after 5",
    ),
    (
        "AfterItself",
        "assertEquals(0, afterItself.compareTo(afterItself));",
        "expected: <0> but was: <1>",
    ),
    (
        "AfterOthers",
        "assertEquals(Integer.signum(afterOthers0.compareTo(afterOthers1)), \
         -Integer.signum(afterOthers1.compareTo(afterOthers0)));",
        "expected: <1> but was: <-1>",
    ),
    (
        "FailsToCompare",
        "failsToCompare.compareTo(failsToCompare);",
        "ArithmeticException: / by zero",
    ),
    // The contract of `compareTo` allows it to reject objects of other types.
    ("Foreign", "", ""),
    (
        "NoClone",
        "assertNotNull(noClone.clone());",
        "expected: not <null>",
    ),
    (
        "OwnClone",
        "assertNotSame(ownClone, ownClone.clone());",
        "expected: not same",
    ),
    (
        "Kept",
        "assertTrue(kept.repOk());",
        "expected: <true> but was: <false>",
    ),
];

/// Reproducers build structures that break a contract and assert the contract.
#[test]
#[ignore = "long"]
fn broken_contracts_are_repeated() {
    broken_contracts_are_repeated_by("5");
}

#[test]
#[ignore = "long"]
fn broken_contracts_are_repeated_for_junit_4() {
    broken_contracts_are_repeated_by("4");
}

fn broken_contracts_are_repeated_by(version: &str) {
    let folder = tempfile::tempdir().unwrap();
    let mut failing = 0;
    for (class, stated, _) in CONTRACTS {
        let name = format!("api.Contracts${class}");
        let arguments = [
            "--from",
            "api",
            "-c",
            &name,
            "--scope",
            "1",
            "--methods",
            "<init>|raise",
            "--check-contracts",
            "--check-invariant",
        ];
        let has_invariant = class == "Kept";
        let arguments = &arguments[..arguments.len() - usize::from(!has_invariant)];
        // Tests of the structures are not checked here.
        let tests = tempfile::tempdir().unwrap();
        let (output, _) = write(tests.path(), version, arguments);
        let code = i32::from(!stated.is_empty());
        assert_eq!(output.status.code(), Some(code), "{class}: {output:?}");
        let test = format!("Contracts{class}FailureTest.java");
        let written = tests.path().join("api").join(&test);
        if stated.is_empty() {
            assert!(!written.exists());
            continue;
        }
        let source = std::fs::read_to_string(written).unwrap();
        assert!(source.contains(stated), "{class}:\n{source}");
        std::fs::create_dir_all(folder.path().join("api")).unwrap();
        std::fs::write(folder.path().join("api").join(test), &source).unwrap();
        failing += source.matches("@Test").count();
    }
    for report in run(folder.path()) {
        let counts = (report.succeeded, report.failed);
        assert_eq!(counts, (0, failing), "{}", report.output);
        for (class, _, reason) in CONTRACTS {
            // JUnit 4 has other messages.
            let is_said = version == "4" || report.output.contains(reason);
            assert!(is_said, "{class}: no {reason}:\n{}", report.output);
        }
    }
}

/// One wrong line in the data file makes one test fail.
#[test]
fn wrong_lines_fail() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--from", "api", "-c", "api.IntSet", "--scope", "4"];
    let (_, tests) = write(folder.path(), "5", &arguments);
    let data = files(folder.path(), "txt").remove(0);
    let mut lines = std::fs::read_to_string(&data).unwrap();
    let wrong = [
        ("add(int) 1 -> true", "add(int) 1 -> false"),
        ("clear() -> void", "clear() -> throws:java.lang.Error"),
        ("size() -> 1 ", "size() -> 2 "),
        (
            "min() -> throws:java.lang.IllegalStateException",
            "min() -> 0",
        ),
        ("-> @0", "-> null"),
    ];
    for (right, spoilt) in wrong {
        assert!(lines.contains(right), "no {right}");
        // Skip the explanation of the format.
        let start = lines.find("\n@0").unwrap();
        let rest = lines[start..].replacen(right, spoilt, 1);
        lines.replace_range(start.., &rest);
    }
    std::fs::write(&data, lines).unwrap();
    for report in run(folder.path()) {
        let counts = (report.found, report.failed);
        assert_eq!(counts, (tests, wrong.len()), "{}", report.output);
    }
}
