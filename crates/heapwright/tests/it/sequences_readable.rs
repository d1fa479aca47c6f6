//! Readability: tests of sequences as people write them, and helpful messages, on realistic
//! classes.

use std::path::PathBuf;
use std::process::Output;

use heapwright_testkit::fixtures::{Fixture, files, project};
use heapwright_testkit::jdk::jdks;

use crate::common::program;

/// Classes with words in their inputs.
const SOURCE: &str = r#"
package words;

import java.net.DatagramPacket;

public class Words {
    public record Point(double x, double y) { }

    /** Counts those that were ever made. */
    public static class Made {
        private static int made;

        public Made() {
            made++;
        }

        public boolean isOdd(int number) {
            return number % 2 != 0;
        }

        public static boolean areMany() {
            return made > 1;
        }
    }

    public static boolean isShort(String text) {
        return text.length() < 2;
    }

    public static boolean isLow(char letter) {
        return letter < 'x';
    }

    public static int join(Object... parts) {
        StringBuilder joined = new StringBuilder();
        for (Object part : parts) {
            joined.append(part == null ? "null" : part);
        }
        return joined.length();
    }

    public static double positive(Point point) {
        if (point.x() > 0) {
            return point.x();
        }
        throw new IllegalArgumentException("not positive: " + point + " of " + point.y());
    }

    /** Whether the text ends three brackets deep. */
    public static boolean isNested(String text) {
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == '(') {
                depth++;
            } else if (letter == ')') {
                depth--;
            } else if (letter == '+' || letter == '-' || letter == '*' || letter == '/') {
                depth = 0;
            }
        }
        return depth == 3;
    }

    public int sign(DatagramPacket number) {
        return number.getOffset();
    }

    private int[] counts = new int[3];
    private int size;

    /** Of this what throws is the array, at most. */
    public int count(int at) {
        size = size + at % 7;
        counts[at] += new int[2].length + this.counts.length / 2;
        return isShort("") ? size : counts(size);
    }

    private int counts(int size) {
        return this.size / size;
    }

    /** What nobody else can make one of. */
    public Comparable<String> named() {
        return new Comparable<>() {
            @Override
            public int compareTo(String other) {
                return other == null ? 1 : 0;
            }
        };
    }
}
"#;

struct Words {
    classes: PathBuf,
}

impl Words {
    fn new() -> Words {
        let fixture = Fixture::new(&["-g", "--release", "17"]).text("Words", SOURCE);
        Words {
            classes: fixture.classes(),
        }
    }

    fn run(&self, class: &str, arguments: &[&str]) -> Output {
        program()
            .args(["sequences", "--no-config", "--junit-check", "none", "-p"])
            .arg(&self.classes)
            .args(["-c", class, "--jdk"])
            .arg(&jdks()[0].home)
            .args(arguments)
            .output()
            .unwrap()
    }

    /// Tests of a method, and standard error.
    fn tests(&self, method: &str) -> (String, String) {
        let output = self.run("words.Words", &["-m", method, "--table"]);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    }
}

#[test]
fn characters_are_letters_where_they_may_be_any() {
    let words = Words::new();
    let (tests, _) = words.tests("isShort");
    assert!(tests.contains(r#"isShort("aa")"#), "{tests}");
    let (tests, _) = words.tests("isLow");
    assert!(tests.contains("isLow('a')"), "{tests}");
    // A printable character is the next best choice.
    assert!(tests.contains("isLow('x')"), "{tests}");
}

#[test]
fn arrays_of_objects_hold_what_can_be_written() {
    let (tests, told) = Words::new().tests("join");
    assert!(tests.contains("Object[]{"), "{tests}");
    assert!(told.contains("for 4 of 4 goals"), "{told}");
}

/// String conversion is deferred, for records as for their components: nobody reads the message.
#[test]
fn messages_of_records_take_no_path_of_their_own() {
    let words = Words::new();
    let named = ["-m", "positive", "--goal", "paths", "--json"];
    let alone = ["--max-length", "2", "--exclude", ".*Made.*"];
    let arguments = [&named[..], &alone].concat();
    let output = words.run("words.Words", &arguments);
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["status"], "complete", "{summary}");
    // Three tests: a positive number, another number, and null. The fourth path creates the
    // point.
    assert_eq!(summary["tests"], 3, "{summary}");
    assert_eq!(summary["paths"], 4, "{summary}");
}

#[test]
fn paths_count_from_the_last_that_reached_something() {
    let words = Words::new();
    let arguments = [
        "-m",
        "isNested",
        "--paths-per-call",
        "4",
        "--max-length",
        "1",
    ];
    let output = words.run("words.Words", &arguments);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("for 16 of 16 goals"), "{told}");
}

/// Instructions that cannot throw, such as reads of `this` or divisions by a constant, are no
/// goals.
#[test]
fn what_cannot_throw_is_no_goal() {
    let arguments = ["-m", "count", "--goal", "exceptions", "--table"];
    let output = Words::new().run("words.Words", &arguments);
    let told = String::from_utf8(output.stderr).unwrap();
    let goals = told.lines().filter_map(|line| line.split_once(" throws: "));
    let goals = goals.map(|(place, what)| {
        let method = place.trim().split(':').next().unwrap();
        format!("{method}: {}", what.split(": ").next().unwrap())
    });
    let array = "count: null, or an index out of bounds";
    assert_eq!(
        goals.collect::<Vec<_>>(),
        [array, "count: null", array, "counts: divided by zero"],
        "{told}"
    );
}

/// No other test alone creates as many, but all together do.
#[test]
fn what_all_other_tests_change_is_put_back() {
    let output = Words::new().run("words.Words$Made", &["--max-length", "2"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("3 tests for 4 of 5 goals"), "{told}");
    let tests = String::from_utf8(output.stdout).unwrap();
    assert!(tests.contains("areMany"), "{tests}");
}

#[test]
fn what_is_missing_of_the_library_is_named() {
    let (_, told) = Words::new().tests("sign");
    let wanted = "no object of java.net.DatagramPacket can be made: it is the library's; --system \
                  java.net.DatagramPacket lets sequences make some";
    assert!(told.contains(wanted), "{told}");
}

#[test]
fn what_was_never_called_is_not_called_infeasible() {
    let output = Words::new().run("words.Words$1", &[]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("compareTo:"), "{told}");
    assert!(!told.contains("infeasible"), "{told}");
}

/// Source of the tests of a class, from a fixture or the JDK.
fn source(class: &str, arguments: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let tests = folder.path().join("tests");
    let mut class_path = ".".into();
    if let Some(name) = class.strip_prefix("sequences.") {
        let source = project().join(format!("fixtures/src/sequences/{name}.java"));
        class_path = Fixture::new(&["-g"]).file(source).classes();
    }
    let output = program()
        .args(["sequences", "--no-config", "--junit-check", "none", "-p"])
        .arg(class_path)
        .args(["-c", class, "--jdk"])
        .arg(&jdks()[0].home)
        .args(arguments)
        .arg("-o")
        .arg(&tests)
        .output()
        .unwrap();
    let written = files(&tests, "java");
    assert_eq!(written.len(), 1, "{output:?}");
    std::fs::read_to_string(&written[0]).unwrap()
}

fn assert_contains(source: &str, wanted: &[&str], unwanted: &[&str]) {
    for text in wanted {
        assert!(source.contains(text), "{text} is not in {source}");
    }
    for text in unwanted {
        assert!(!source.contains(text), "{text} is in {source}");
    }
}

#[test]
fn classes_are_imported_and_have_type_arguments() {
    let deque = source("java.util.ArrayDeque", &["-m", "pollFirst"]);
    assert_contains(
        &deque,
        &[
            "import java.util.ArrayDeque;",
            "ArrayDeque<Integer> arrayDeque = new ArrayDeque<>();",
            "assertEquals(0, arrayDeque.pollFirst());",
        ],
        &[
            "java.util.ArrayDeque ",
            "valueOf",
            "SuppressWarnings",
            "(Collection)",
        ],
    );
    // Unused imports are not written.
    for import in deque
        .lines()
        .filter_map(|line| line.strip_prefix("import "))
    {
        let name = import.trim_end_matches(';').rsplit('.').next().unwrap();
        assert!(deque.matches(name).count() > 1, "{name}: {deque}");
    }
}

#[test]
fn type_arguments_are_within_bounds_and_casts_are_needed() {
    let shelf = source("sequences.Shelf", &[]);
    assert_contains(
        &shelf,
        &[
            "Shelf<Integer, Object> shelf = new Shelf<>();",
            "Shelf<Integer, Integer> shelf = new Shelf<>();",
            "shelf.remove(Integer.valueOf(0))",
            "shelf.remove(-1)",
            "Shelf.larger(0, 1)",
            "shelf.names((Object[]) null)",
            "shelf.first(Comparator.naturalOrder())",
        ],
        &[
            "SuppressWarnings",
            "(Object) ",
            "(Comparable) ",
            "(Comparator) ",
        ],
    );
}

#[test]
fn objects_stand_where_null_says_little() {
    let ledger = source("sequences.Ledger", &[]);
    assert_contains(
        &ledger,
        &[
            "ledger.record(account, 0)",
            "ledger.has(null)",
            "Ledger.both(",
        ],
        &["record(null", "both(null", "NullPointerException"],
    );
}

#[test]
fn entries_and_iterators_are_made() {
    let totals = source("sequences.Totals", &[]);
    assert_contains(
        &totals,
        &[
            "Map.Entry<String, Integer> entry = new AbstractMap.SimpleEntry<>(",
            "Iterator<Integer> iterator = list.iterator();",
        ],
        &["null"],
    );
}

#[test]
fn interfaces_are_called_on_lambdas() {
    let validator = source("sequences.Validator", &[]);
    assert_contains(
        &validator,
        &["Validator validator = x -> true;", "validator.rejects("],
        &["Itself"],
    );
}

/// The compiler warns of an auxiliary class that is named outside its own file.
#[test]
fn fields_are_read_by_the_variable() {
    let ticket = source("sequences.Ticket", &["--assert-fields"]);
    assert_contains(&ticket, &["assertEquals(1, ticket.uses);"], &["Numbered"]);
}

#[test]
fn classes_are_literals() {
    let handlers = source("sequences.Handlers", &[]);
    assert_contains(
        &handlers,
        &["assertTrue(handlers.ticks(Handlers.Tick.class));"],
        &["String.class", "(Class"],
    );
}

#[test]
fn arguments_of_any_number_stand_by_themselves() {
    let sums = source("sequences.Sums", &[]);
    assert_contains(
        &sums,
        &["sums.add(1)", "Sums.filled(", "Sums.pick(new int[] {})"],
        &["Object[]", "add(new"],
    );
}

/// A class whose objects take six statements, beside a class with 170 methods that lead nowhere.
#[test]
fn a_large_system_is_searched_from_the_methods_under_test() {
    let many = (0..170).map(|number| {
        format!("    public Metal cast{number}(Metal other) {{ return other.weight > {number} ? this : other; }}\n")
    });
    let many: String = many.collect();
    let texts = [
        (
            "Metal",
            format!("public class Metal {{\n    final int weight;\n    public Metal(int weight) {{ this.weight = weight; }}\n{many}}}\n"),
        ),
        (
            "Key",
            "public class Key {\n    final Metal metal;\n    public Key(Metal metal) { this.metal = java.util.Objects.requireNonNull(metal); }\n}\n".to_owned(),
        ),
        (
            "Lock",
            "public class Lock {\n    final Key key;\n    public Lock(Key key) { this.key = java.util.Objects.requireNonNull(key); }\n}\n".to_owned(),
        ),
        (
            "Door",
            "public class Door {\n    final Lock lock;\n    boolean isOpen;\n    public Door(Lock lock, Key spare) {\n        \
             this.lock = java.util.Objects.requireNonNull(lock);\n        java.util.Objects.requireNonNull(spare);\n    }\n    \
             public String open(int weight) {\n        if (lock.key.metal.weight != weight) return \"stuck\";\n        \
             if (isOpen) return \"open already\";\n        isOpen = true;\n        return \"open\";\n    }\n}\n".to_owned(),
        ),
    ];
    let mut fixture = Fixture::new(&["-g", "--release", "17"]);
    for (class, text) in &texts {
        fixture = fixture.text(class, &format!("package large;\n{text}"));
    }
    let output = program()
        .args(["sequences", "--no-config", "--max-paths", "1500", "-p"])
        .arg(fixture.classes())
        .args(["-c", "large.Door", "--jdk"])
        .arg(&jdks()[0].home)
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let tests = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("; all reached"), "{told}");
    for answer in ["\"stuck\"", "\"open\"", "\"open already\""] {
        assert!(tests.contains(answer), "{answer} is not in {tests}");
    }
}
