//! `measure`: tests run by all versions of the frameworks that projects have.

use std::path::PathBuf;

use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jars::resolved_together;
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::junit::join;
use serde_json::{Value, json};

use crate::common::{program, summary_of};

const OPTIONS: [&str; 4] = ["-g", "-nowarn", "--release", "17"];

const SUM: &str = "package acme; public class Sum {
    public static int of(int a, int b) { return a + b; }
    public static boolean isSmall(int a) { return a < 10; }
}";

/// Tests of JUnit 5 and 6, by what its first version has.
const JUPITER: &str = r#"package acme;
    import static org.junit.jupiter.api.Assertions.*;
    import static org.junit.jupiter.api.Assumptions.assumeTrue;
    import java.util.*;
    import java.util.stream.Stream;
    import org.junit.jupiter.api.*;
    import org.junit.jupiter.api.extension.*;
    import org.junit.jupiter.params.ParameterizedTest;
    import org.junit.jupiter.params.provider.*;
    @ExtendWith(SumTest.Counting.class)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    class SumTest {
        static int begun;
        int own;
        static class Counting implements BeforeEachCallback, ParameterResolver {
            @Override public void beforeEach(ExtensionContext context) { begun++; }
            @Override public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
                return parameter.getParameter().getType() == Random.class;
            }
            @Override public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
                return new Random(7);
            }
        }
        @BeforeAll void begin() { own = 1; }
        @Test void adds() { assertEquals(7, Sum.of(3, 4)); assertTrue(begun > 0 && own == 1); }
        @Test void resolves(Random random) { int a = random.nextInt(9); assertEquals(a + 1, Sum.of(a, 1)); }
        @RepeatedTest(3) void repeats(RepetitionInfo info) { assertEquals(3, info.getTotalRepetitions()); }
        @ParameterizedTest @ValueSource(ints = {1, 9}) void isSmall(int a) { assertTrue(Sum.isSmall(a)); }
        @ParameterizedTest @CsvSource({"1, 2, 3", "4, 5, 9"}) void rows(int a, int b, int c) { assertEquals(c, Sum.of(a, b)); }
        @ParameterizedTest @MethodSource("large") void isLarge(int a) { assertFalse(Sum.isSmall(a)); }
        static Stream<Integer> large() { return Stream.of(10, 11); }
        @TestFactory Stream<DynamicTest> made() {
            return Stream.of(1, 2).map(a -> DynamicTest.dynamicTest("with " + a, () -> assertEquals(0, Sum.of(a, -a))));
        }
        @Nested class Inner {
            @BeforeEach void before() { own++; }
            @Test void nested() { assertEquals(-1, Sum.of(-3, 2)); assertTrue(own > 1); }
        }
        @Test @Disabled("later") void never() { fail("never"); }
        @Test void assumes() { assumeTrue(Sum.isSmall(10), "not small"); fail("never"); }
        @Test void fails() { assertEquals(8, Sum.of(3, 4)); }
    }"#;
/// Tests that pass, are skipped and fail of [`JUPITER`].
const OF_JUPITER: [usize; 3] = [1 + 1 + 3 + 2 + 2 + 2 + 2 + 1, 2, 1];

/// Tests of JUnit 4, by what version 4.4 has.
const JUNIT4: &str = r#"package acme;
    import static org.junit.Assert.*;
    import java.util.*;
    import org.junit.*;
    import org.junit.runner.RunWith;
    import org.junit.runners.Parameterized;
    public class SumTest {
        private int own;
        @BeforeClass public static void first() {}
        @Before public void before() { own = 1; }
        @Test public void adds() { assertEquals(7, Sum.of(3, 4)); assertEquals(1, own); }
        @Test(expected = ArithmeticException.class) public void throwsIt() { int a = Sum.of(1, -1); a = 1 / a; }
        @Test(timeout = 5000) public void isFast() { assertTrue(Sum.isSmall(9)); }
        @Test @Ignore("later") public void never() { fail(); }
        @Test public void fails() { assertEquals(8, Sum.of(3, 4)); }
        @RunWith(Parameterized.class)
        public static class RowTest {
            private final int a;
            public RowTest(int a) { this.a = a; }
            @Parameterized.Parameters public static Collection<Object[]> rows() {
                return Arrays.asList(new Object[][] {{10}, {11}});
            }
            @Test public void isLarge() { assertFalse(Sum.isSmall(a)); }
        }
        public static class OldTest extends junit.framework.TestCase {
            public void testSmall() { assertTrue(Sum.isSmall(0)); }
        }
    }"#;
const OF_JUNIT4: [usize; 3] = [3 + 2 + 1, 1, 1];

/// Tests of TestNG, by what version 6 has.
const TESTNG: &str = r#"package acme;
    import static org.testng.Assert.*;
    import org.testng.SkipException;
    import org.testng.annotations.*;
    public class SumTest {
        private int own;
        @BeforeClass public void first() { own = 1; }
        @BeforeMethod public void before() { own++; }
        @Test public void adds() { assertEquals(Sum.of(3, 4), 7); assertTrue(own > 1); }
        @Test(dependsOnMethods = "adds") public void follows() { assertTrue(Sum.isSmall(9)); }
        @DataProvider public Object[][] rows() { return new Object[][] {{10}, {11}}; }
        @Test(dataProvider = "rows") public void isLarge(int a) { assertFalse(Sum.isSmall(a)); }
        @Test(expectedExceptions = ArithmeticException.class) public void throwsIt() { int a = Sum.of(1, -1); a = 1 / a; }
        @Test(timeOut = 5000) public void isFast() { assertTrue(Sum.isSmall(0)); }
        @Test public void skips() { throw new SkipException("not now"); }
        @Test(enabled = false) public void never() { fail(); }
        @Test public void fails() { assertEquals(Sum.of(3, 4), 8); }
        @Test(groups = "slow") public static class GroupTest {
            public void all() { assertFalse(Sum.isSmall(12)); }
        }
    }"#;
const OF_TESTNG: [usize; 3] = [2 + 2 + 2 + 1, 1, 1];

/// Measures tests that were compiled with libraries: how many pass, are skipped and fail, and how many
/// mutants of the class of how many they notice.
fn counts(libraries: &[PathBuf], source: &str) -> ([usize; 3], Value) {
    let classes = Fixture::new(&OPTIONS).text("Sum", SUM).classes();
    let mut tests = Fixture::new(&OPTIONS).against(&classes);
    for library in libraries {
        tests = tests.against(library);
    }
    let tests = tests.text("SumTest", source).classes();
    let path = [&[classes], libraries].concat();
    let mut command = program();
    command
        .args(["measure", "--no-config", "--json", "-c", "acme.Sum", "-p"])
        .arg(join(&path))
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .arg("--tests")
        .arg(tests);
    let output = command.output().unwrap();
    assert!(!output.stdout.is_empty(), "{libraries:?}: {output:?}");
    let summary = summary_of(&output);
    let keys = ["tests_passed", "tests_skipped", "tests_failed"];
    (
        keys.map(|key| summary[key].as_u64().unwrap() as usize),
        summary,
    )
}

/// Checks the tests of a framework in several versions: each row has the libraries of one.
fn check(rows: &[Vec<String>], source: &str, wanted: [usize; 3]) {
    let mut wrong = Vec::new();
    for row in rows {
        let libraries: Vec<&str> = row.iter().map(String::as_str).collect();
        let (found, summary) = counts(&resolved_together(&libraries), source);
        let killed = (&summary["mutants"], &summary["killed"]);
        let refused = summary["skipped"].as_array().unwrap().iter();
        let refused = refused
            .filter(|test| test["refused"] == json!(true))
            .count();
        if found != wanted || killed != (&json!(5), &json!(5)) || refused > 0 {
            wrong.push(format!("{row:?}: {summary:#}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Versions of JUnit 5 and 6, with those of their platform.
const OF_PLATFORM: [(&str, &str); 17] = [
    ("5.0.3", "1.0.3"),
    ("5.1.1", "1.1.1"),
    ("5.2.0", "1.2.0"),
    ("5.3.2", "1.3.2"),
    ("5.4.2", "1.4.2"),
    ("5.5.2", "1.5.2"),
    ("5.6.3", "1.6.3"),
    ("5.7.2", "1.7.2"),
    ("5.8.2", "1.8.2"),
    ("5.9.3", "1.9.3"),
    ("5.10.5", "1.10.5"),
    ("5.11.4", "1.11.4"),
    ("5.12.2", "1.12.2"),
    ("5.13.4", "1.13.4"),
    ("5.14.4", "1.14.4"),
    ("6.0.3", "6.0.3"),
    ("6.1.2", "6.1.2"),
];

#[test]
#[ignore = "servers: versions of JUnit"]
fn all_versions_of_junit_5_and_6_run() {
    let rows = OF_PLATFORM.map(|(jupiter, platform)| {
        vec![
            format!("org.junit.jupiter:junit-jupiter-engine:{jupiter}"),
            format!("org.junit.jupiter:junit-jupiter-params:{jupiter}"),
            format!("org.junit.platform:junit-platform-launcher:{platform}"),
        ]
    });
    check(&rows, JUPITER, OF_JUPITER);
}

#[test]
#[ignore = "servers: versions of JUnit"]
fn all_versions_of_junit_4_run() {
    let versions = [
        "4.4", "4.5", "4.6", "4.7", "4.8.2", "4.9", "4.10", "4.11", "4.12", "4.13.2",
    ];
    let rows = versions.map(|version| vec![format!("junit:junit:{version}")]);
    check(&rows, JUNIT4, OF_JUNIT4);
}

#[test]
#[ignore = "servers: versions of TestNG"]
fn all_versions_of_testng_run() {
    let versions = [
        "6.8.21", "6.9.10", "6.11", "6.14.3", "7.0.0", "7.5.1", "7.8.0", "7.10.2", "7.11.0",
    ];
    let rows = versions.map(|version| vec![format!("org.testng:testng:{version}")]);
    check(&rows, TESTNG, OF_TESTNG);
}
