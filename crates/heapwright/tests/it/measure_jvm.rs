//! `measure` on a JVM: which tests run on a mutant, and what a test costs that does not end.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::common::summary_of;
use crate::measure::{measure, one_test, verdicts};

/// Tests of which the second comes to no mutant, and says each time that it runs.
const COUNTED: &str = "package measured;
    import static org.junit.jupiter.api.Assertions.*;
    import java.nio.file.*;
    import org.junit.jupiter.api.*;
    import org.junit.jupiter.params.*;
    import org.junit.jupiter.params.provider.*;
    ORDER
    class CountedTest {
        static Account shared;
        static void say(String what) throws Exception {
            Files.writeString(Path.of(System.getProperty(\"said\")), what, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        @Test void a_withdraws() throws Exception {
            say(\"w\");
            Account account = new Account(\"Di\", 7);
            assertTrue(account.withdraw(7));
            assertFalse(account.withdraw(1));
            assertEquals(-7, account.balance());
        }
        @Test void b_other() throws Exception { say(\"o\"); }
        @ParameterizedTest @ValueSource(ints = {1, 4})
        void c_deposits(int amount) throws Exception {
            say(\"d\");
            Account account = new Account(\"Di\", 7);
            account.deposit(amount);
            assertEquals(amount, account.balance());
        }
    }";

/// Measures the tests on a JVM; returns the summary, and how often each test has said that it runs.
fn counted(order: &str, folder: &Path, on: &str) -> (Value, [usize; 3]) {
    let tests = one_test("CountedTest", &COUNTED.replace("ORDER", order));
    let said = folder.join(format!("said-{on}-{}", order.len()));
    let property = format!("said={}", said.display());
    let options = ["--json", "--on", on, "--jobs", "2", "--test-property"];
    let options = [&options[..], &[property.as_str()]].concat();
    let output = measure("measured.Account", &tests, &options);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = fs::read_to_string(said).unwrap_or_default();
    let count = |what| said.matches(what).count();
    (summary_of(&output), [count('w'), count('o'), count('d')])
}

/// A mutant runs the tests that come to it alone; where their order is fixed, the class.
#[test]
fn a_mutant_runs_the_tests_that_come_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let (engine, _) = counted("", folder.path(), "auto");
    let (alone, [withdraws, other, deposits]) = counted("", folder.path(), "jvm");
    assert_eq!(verdicts(&alone), verdicts(&engine));
    assert_eq!(other, 1);
    assert!(withdraws > 10 && deposits > 10, "{withdraws} {deposits}");
    let order = "@TestMethodOrder(MethodOrderer.MethodName.class)";
    let (ordered, [_, other, _]) = counted(order, folder.path(), "jvm");
    assert_eq!(verdicts(&ordered), verdicts(&engine));
    assert!(other > 10, "{other}");
}

/// Tests of which one does not pass alone, but behind the other in the order that JUnit gives them, and a set-up that all share.
const DEPENDENT: &str = "package measured;
    import static org.junit.jupiter.api.Assertions.*;
    import org.junit.jupiter.api.*;
    class DependentTest {
        static Account account;
        static Account.Savings savings;
        static long sum;
        @BeforeAll static void open() {
            savings = new Account.Savings(\"Di\");
            savings.deposit(9);
            savings.lock(3);
        }
        @Nested class Inner {
            @Test void is_locked() { assertFalse(savings.withdraw(1)); }
        }
        @Test void second() {
            account = new Account(\"Di\", 7);
            account.deposit(5);
            sum = account.balance();
        }
        @Test void first() {
            if (sum == 0) {
                throw new AssertionError(\"alone\");
            }
            account.deposit(2);
            assertEquals(2, account.movements());
            assertEquals(sum + 2, account.balance());
            account = null;
            sum = 0;
        }
    }";

/// Tests that rely on those before them judge mutants with their class.
#[test]
fn tests_that_do_not_pass_alone_run_with_their_class() {
    let tests = one_test("DependentTest", DEPENDENT);
    let run = |on: &str, jobs: &str| {
        let options = ["--json", "--on", on, "--jobs", jobs];
        let output = measure("measured.Account", &tests, &options);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        verdicts(&summary_of(&output))
    };
    let engine = run("engine", "1");
    assert_eq!(run("jvm", "1"), engine);
    assert_eq!(run("jvm", "3"), engine);
}

/// Tests behind one that ends the JVM, and one that does not end.
const BEHIND: &str = "package measured;
    import static org.junit.jupiter.api.Assertions.*;
    import org.junit.jupiter.api.*;
    @TestMethodOrder(MethodOrderer.MethodName.class)
    class BehindTest {
        @Test void a() { assertTrue(new Account(\"Di\", 7).withdraw(7)); }
        @Test void b_exits() { Runtime.getRuntime().halt(3); }
        @Test void c() { assertFalse(new Account(\"Di\", 7).withdraw(8)); }
        @Test void d_hangs() throws Exception { Thread.sleep(3_600_000); }
        @Test void e() { assertEquals(0, new Account(\"Di\", 7).movements()); }
    }";

/// They run on a new JVM, and judge mutants.
#[test]
fn tests_behind_one_that_does_not_end_run() {
    let order = "@TestMethodOrder(MethodOrderer.MethodName.class)";
    let ordered = one_test("BehindTest", BEHIND);
    let free = one_test("BehindTest", &BEHIND.replace(order, ""));
    let run = |tests: &Path| {
        let options = ["--json", "--on", "jvm", "--jvm-timeout", "4s"];
        let output = measure("measured.Account", tests, &options);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        summary_of(&output)
    };
    let (free, ordered) = (run(&free), run(&ordered));
    for summary in [&free, &ordered] {
        assert_eq!(
            ["tests_passed", "tests_failed", "tests_not_run"].map(|key| &summary[key]),
            [&json!(3), &json!(1), &json!(1)],
            "{summary:#}"
        );
        assert_eq!(summary["lost"], json!([]), "{summary:#}");
        assert!(summary["killed"].as_u64() > Some(5), "{summary:#}");
    }
    assert_eq!(free["killed"], ordered["killed"]);
}
