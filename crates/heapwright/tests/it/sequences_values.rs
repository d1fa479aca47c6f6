//! Values that tests of sequences assert: results by content, observers of results and arguments,
//! messages of exceptions. All of these tests compile without a warning and pass on real JVMs.

use std::path::{Path, PathBuf};

use heapwright_testkit::fixtures::{Fixture, compile, files};
use heapwright_testkit::jdk::{all_jdks, compilers, jdks};
use heapwright_testkit::junit;

use crate::common::{program, summary_of};

const STRICT: [&str; 4] = ["-Xlint:all", "-Werror", "--release", "17"];

/// A class whose methods return all kinds of values.
const SOURCE: &str = r#"
package values;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

public class Desk {
    public record Point(int x, int y) { }

    public record Pair<A, B>(A first, B second) { }

    public record Named(List<String> names, Optional<Point> at) { }

    public enum Color { RED, GREEN }

    public static final class Money {
        private final long cents;
        private final String currency;

        public Money(long cents, String currency) {
            this.cents = cents;
            this.currency = currency;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Money money && money.cents == cents && money.currency.equals(currency);
        }

        @Override
        public int hashCode() {
            return Objects.hash(cents, currency);
        }
    }

    public static final class Node {
        private final int key;
        private final Node next;

        Node(int key, Node next) {
            this.key = key;
            this.next = next;
        }

        public int key() {
            return key;
        }

        public Node next() {
            return next;
        }
    }

    /** Its objects are equal only to themselves. */
    public static final class Token { }

    private final TreeMap<Integer, String> items = new TreeMap<>();
    private Node head;

    public void put(int key, String item) {
        if (key < 0) {
            throw new IllegalArgumentException("negative key: " + key, new IllegalStateException());
        }
        items.put(key, item);
        head = new Node(key, head);
    }

    public boolean contains(int key) {
        return items.containsKey(key);
    }

    public int size() {
        return items.size();
    }

    public Node find(int key) {
        for (Node node = head; node != null; node = node.next) {
            if (node.key == key) {
                return node;
            }
        }
        return null;
    }

    public static List<String> words() {
        return new ArrayList<>(List.of("a", "b"));
    }

    public static List<String> gaps() {
        return Arrays.asList("a", null);
    }

    public static Set<Long> numbers() {
        return new HashSet<>(List.of(20L, 3L));
    }

    public static Map<String, List<Integer>> index() {
        return new HashMap<>(Map.of("b", List.of(1, 2), "a", List.of()));
    }

    public static Optional<Point> corner() {
        return Optional.of(new Point(1, 2));
    }

    public static OptionalInt least() {
        return OptionalInt.of(3);
    }

    public static Map.Entry<String, Color> entry() {
        return Map.entry("a", Color.GREEN);
    }

    public static Pair<Integer, Named> pair() {
        return new Pair<>(1, new Named(List.of("n"), Optional.empty()));
    }

    public static Money price() {
        return new Money(150, "EUR");
    }

    public static List<Money> prices() {
        return List.of(new Money(1, "USD"));
    }

    public static BigDecimal total() {
        return new BigDecimal("1.50");
    }

    public static BigInteger big() {
        return BigInteger.TEN.pow(30);
    }

    public static LocalDate day() {
        return LocalDate.of(2024, 2, 29);
    }

    public static double[] halves() {
        return new double[] {0.5, 1.5};
    }

    public static int[][] table() {
        return new int[][] {{1}, {2, 3}};
    }

    public static Object[] mixed() {
        return new Object[] {1, "a", Color.RED, null};
    }

    public static StringBuilder text() {
        return new StringBuilder("ab");
    }

    public static AtomicInteger counter() {
        return new AtomicInteger(7);
    }

    public static Deque<String> deque() {
        return new ArrayDeque<>(List.of("x", "y"));
    }

    public static Iterator<String> iterator() {
        return List.of("a").iterator();
    }

    public static Stream<String> stream() {
        return Stream.of("s", "t");
    }

    public static IntStream range() {
        return IntStream.range(0, 3);
    }

    public static List<Integer> many() {
        return IntStream.range(0, 20).boxed().toList();
    }

    public static Set<Token> tokens() {
        return new HashSet<>(List.of(new Token(), new Token()));
    }

    public static int rank(Enum<?> constant) {
        return constant == null ? -1 : constant.ordinal();
    }

    public static int rank(String name) {
        return name == null ? -1 : name.length();
    }

    public static StackTraceElement[] trace(IllegalStateException thrown) {
        return thrown.getStackTrace();
    }

    public static List<String> shuffled() {
        Map<Token, String> names = new HashMap<>();
        for (String name : List.of("a", "b", "c", "d", "e", "f", "g", "h")) {
            names.put(new Token(), name);
        }
        return new ArrayList<>(names.values());
    }

    public static void reverse(int[] values) {
        if (values.length > 1 && values[0] > values[1]) {
            int held = values[0];
            values[0] = values[1];
            values[1] = held;
        }
    }

    public static void fill(List<String> names, int count) {
        if (names != null) {
            names.add(count > 2 ? "many" : "few");
        }
    }

    public static int parse(String text) {
        return Integer.parseInt(text);
    }
}
"#;

fn classes() -> PathBuf {
    let fixture = Fixture::new(&["-g", "-parameters", "--release", "17"]);
    fixture.text("Desk", SOURCE).classes()
}

/// Writes the tests of the class; returns their source.
fn write(folder: &Path, junit: &str) -> String {
    let output = program()
        .args(["sequences", "--no-config", "--junit-check", "none", "-p"])
        .arg(classes())
        .args([
            "-c",
            "values.Desk",
            "--max-length",
            "3",
            "--max-elements",
            "2",
        ])
        .args(["--expect-exception", "Throwable", "--junit", junit, "--jdk"])
        .arg(&jdks()[0].home)
        .arg("-o")
        .arg(folder)
        .output()
        .unwrap();
    let written = files(folder, "java");
    assert_eq!(written.len(), 1, "{output:?}");
    std::fs::read_to_string(&written[0]).unwrap()
}

/// Number of tests in a source: methods, and rows of parameterised ones.
fn count(source: &str) -> usize {
    let lines = source.lines().map(str::trim);
    let tests = lines.filter(|line| {
        *line == "@Test" || line.starts_with('"') || line.starts_with("Arguments.of(")
    });
    tests.count()
}

/// Compiles the tests with every warning an error, and runs them on every JVM.
fn run(folder: &Path, tests: usize) {
    let built = tempfile::tempdir().unwrap();
    let jars = junit::jars();
    let class_path = [jars.console, jars.junit4, jars.hamcrest, classes()];
    let all = compilers();
    compile(
        &all[0],
        &files(folder, "java"),
        &class_path,
        built.path(),
        &STRICT,
    );
    for jdk in all_jdks() {
        let all = ["--scan-classpath".into(), built.path().into()];
        let report = junit::launch(jdk.java(), &[built.path().to_owned(), classes()], &all);
        let counts = (report.found, report.succeeded);
        assert_eq!(counts, (tests, tests), "{}", report.output);
    }
}

#[test]
fn results_are_asserted_by_value() {
    let folder = tempfile::tempdir().unwrap();
    let source = write(folder.path(), "5");
    for line in [
        r#"assertEquals(List.of("a", "b"), Desk.words());"#,
        r#"assertEquals(Arrays.asList("a", null), Desk.gaps());"#,
        "assertEquals(Set.of(3L, 20L), Desk.numbers());",
        r#"assertEquals(Map.of("a", List.of(), "b", List.of(1, 2)), Desk.index());"#,
        "assertEquals(Optional.of(new Desk.Point(1, 2)), Desk.corner());",
        "assertEquals(OptionalInt.of(3), Desk.least());",
        r#"assertEquals(Map.entry("a", Desk.Color.GREEN), Desk.entry());"#,
        r#"assertEquals(new Desk.Pair<>(1, new Desk.Named(List.of("n"), Optional.empty())), Desk.pair());"#,
        r#"assertEquals(new Desk.Money(150L, "EUR"), Desk.price());"#,
        r#"assertEquals(List.of(new Desk.Money(1L, "USD")), Desk.prices());"#,
        r#"assertEquals(new BigDecimal("1.50"), Desk.total());"#,
        r#"assertEquals(new BigInteger("1000000000000000000000000000000"), Desk.big());"#,
        r#"assertEquals(LocalDate.parse("2024-02-29"), Desk.day());"#,
        "assertArrayEquals(new double[] {0.5, 1.5}, Desk.halves());",
        "assertArrayEquals(new int[][] {new int[] {1}, new int[] {2, 3}}, Desk.table());",
        r#"assertArrayEquals(new Object[] {1, "a", Desk.Color.RED, null}, Desk.mixed());"#,
        r#"assertEquals("ab", stringBuilder.toString());"#,
        "assertEquals(7, atomicInteger.get());",
        r#"assertArrayEquals(new Object[] {"x", "y"}, deque.toArray());"#,
        r#"assertEquals("a", iterator.next());"#,
        r#"assertArrayEquals(new Object[] {"s", "t"}, stream.toArray());"#,
        "assertArrayEquals(new int[] {0, 1, 2}, intStream.toArray());",
        "assertEquals(20, list.size());",
        "assertEquals(19, list.get(19));",
        "assertEquals(2, set.size());",
        // Observers of results, and with the arguments just used.
        // The key depends on the JDK's library.
        ", node.key());",
        "assertTrue(desk.contains(0));",
        // Effects on arguments.
        r#""few"), list);"#,
        "assertArrayEquals(new int[] {",
        // Exceptions.
        r#"assertEquals("negative key: -1", thrown.getMessage());"#,
        "assertEquals(IllegalStateException.class, thrown.getCause().getClass());",
    ] {
        // Several assertions of one object are arguments.
        let line = line.trim_end_matches(';');
        assert!(source.contains(line), "{line} is not in {source}");
    }
    for text in ["For input string", "valueOf"] {
        assert!(!source.contains(text), "{text} is in {source}");
    }
    // The order of these elements depends on identity hash codes.
    let shuffled = source
        .split("= Desk.shuffled();")
        .nth(1)
        .unwrap_or_default();
    let told = "assertEquals(8, list.size());";
    assert!(shuffled.trim_start().starts_with(told), "{source}");
    // No type argument is within the bounds but that of a constant.
    assert!(source.contains("Desk.rank((Enum)"), "{source}");
    assert_eq!(source.matches("@SuppressWarnings").count(), 1, "{source}");
    // The frames of the test are part of a stack trace.
    assert!(source.contains("assertNotNull(Desk.trace("), "{source}");
    run(folder.path(), count(&source));
}

#[test]
fn junit_4_asserts_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let source = write(folder.path(), "4");
    for line in [
        "assertArrayEquals(new double[] {0.5, 1.5}, Desk.halves(), 0.0);",
        r#"assertEquals("negative key: -1", thrown.getMessage());"#,
    ] {
        assert!(source.contains(line), "{line} is not in {source}");
    }
    run(folder.path(), count(&source));
}

/// Where no argument may be null, only such a result is.
#[test]
fn a_result_that_is_null_has_a_variable_where_it_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let output = program()
        .args(["sequences", "--no-config", "--no-null", "--json", "-p"])
        .arg(
            Fixture::new(&["-g", "-nowarn"])
                .package("sequences")
                .classes(),
        )
        .args(["-c", "sequences.Outlet", "--jdk"])
        .arg(&jdks()[0].home)
        .arg("-o")
        .arg(folder.path())
        .output()
        .unwrap();
    let summary = summary_of(&output);
    let counts = ["goals_covered", "goals_total", "tests", "dropped"];
    let counts = counts.map(|key| summary[key].as_u64());
    assert_eq!(counts, [Some(8), Some(8), Some(6), Some(0)], "{output:?}");
    let source = std::fs::read_to_string(&files(folder.path(), "java")[0]).unwrap();
    for line in [
        "\"0, 0, 2\",",
        "Outlet.Plug plug = Outlet.find(volts);",
        "assertEquals(expected, Outlet.charge(plug, hours));",
    ] {
        assert!(source.contains(line), "{line} is not in {source}");
    }
}
