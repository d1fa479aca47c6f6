//! Reports of `sequences` on goals that are hard to reach or to assert: they claim no more than is
//! true.

use std::path::Path;

use heapwright_testkit::fixtures::{Fixture, project};
use heapwright_testkit::jdk::jdks;

use crate::common::program;

fn fixture(class: &str) -> Fixture {
    let file = format!("fixtures/src/sequences/{class}.java");
    Fixture::new(&["-g"]).file(project().join(file))
}

/// Goal table of a method.
fn table(folder: &Path, class: &str, method: &str) -> String {
    let output = program()
        .current_dir(folder)
        .args(["sequences", "--table", "-p", "classes", "-o", "tests"])
        .args(["-c", class, "-m", method, "--max-length", "4", "--jdk"])
        .arg(&jdks()[0].home)
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Fate of the goal whose line contains `goal`.
fn fate<'t>(table: &'t str, goal: &str) -> &'t str {
    let line = table.lines().find(|line| line.contains(goal));
    let line = line.unwrap_or_else(|| panic!("no {goal} in\n{table}"));
    line.rsplit_once(&format!("{goal}: ")).unwrap().1
}

#[test]
fn nothing_is_claimed_that_is_not_so() {
    let folder = tempfile::tempdir().unwrap();
    fixture("Itself").copied_to(&folder.path().join("classes"));
    let table = |method: &str| table(folder.path(), "sequences.Itself", method);

    // The receiver is tried as an argument where the code compares them.
    assert!(fate(&table("is"), "the same").starts_with("covered by test"));
    // Values that no source code can express do not fail the run.
    assert_eq!(
        fate(&table("isWithin"), "the same"),
        "reached, but in no test: an array of its input holds itself, or a string half a surrogate pair"
    );
    // Strings are tried up to a length; no claim is made about longer ones.
    assert_eq!(
        fate(&table("isLong"), "isLong:14 greater"),
        "not reached up to length 4"
    );
    // Hash codes of objects and of classes change with each run.
    for method in ["number", "kind"] {
        let table = table(method);
        assert!(
            table.contains("reached, but in no test: it depends on identity hash codes"),
            "{table}"
        );
    }
}

#[test]
fn tests_of_a_class_of_the_jdk_have_a_package_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("classes")).unwrap();
    table(folder.path(), "java.util.OptionalInt", "isPresent");
    let test = "tests/heapwright/java/util/OptionalIntHeapwrightTest.java";
    let text = std::fs::read_to_string(folder.path().join(test)).unwrap();
    assert!(
        text.contains("\nimport java.util.OptionalInt;\n")
            && text.contains(" OptionalInt optionalInt = "),
        "{text}"
    );
    assert!(
        text.starts_with("package heapwright.java.util;\n"),
        "{text}"
    );
}

#[test]
#[ignore = "long"]
fn strings_that_the_code_compares_with_are_values() {
    let folder = tempfile::tempdir().unwrap();
    fixture("Words").copied_to(&folder.path().join("classes"));
    let table = |method: &str| table(folder.path(), "sequences.Words", method);

    // The compiler generates the jumps on hash codes.
    let command = table("command");
    assert_eq!(command.matches("covered by test").count(), 3, "{command}");
    for case in [r#"case "start""#, r#"case "stop", "break""#, "default"] {
        assert!(
            fate(&command, case).starts_with("covered by test"),
            "{command}"
        );
    }
    for method in [
        "isLast", "isAny", "scheme", "knows", "days", "isUnit", "isSecond", "isKey",
    ] {
        let table = table(method);
        assert!(table.contains("covered by test"), "{method}: {table}");
        assert!(!table.contains("not reached"), "{method}: {table}");
    }
}

/// Strings in messages are not values: the only distinction is null, empty or a length of one to
/// three characters.
#[test]
fn methods_that_compare_nothing_have_no_further_paths() {
    let folder = tempfile::tempdir().unwrap();
    fixture("Words").copied_to(&folder.path().join("classes"));
    let output = program()
        .current_dir(folder.path())
        .args(["sequences", "--json", "-p", "classes", "--goal", "paths"])
        .args(["-c", "sequences.Words", "-m", "length", "--max-length", "2"])
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(summary["paths"], 4, "{text}");
}

/// Sources outside the fixtures, since their tests would disturb others.
const CAREFUL: &str = r#"
package careful;

import java.util.Comparator;

public class Careful {
    public enum Light { RED, AMBER, GREEN }

    /** The default is there for the compiler alone. */
    public static int wait(Light light, boolean night) {
        int wait = switch (light) {
            case RED -> 30;
            case AMBER -> 3;
            case GREEN -> 0;
        };
        return night ? wait / 2 : wait;
    }

    /** Hash codes of strings are the same everywhere. */
    public static int lights(String text) {
        switch (text) {
            case "one":
                return 1;
            default:
                return Light.values().length;
        }
    }

    public static class Bare {
        public int one() {
            return 1;
        }
    }

    public static class Empty {
    }

    public static class Account {
        private int balance = 1;

        public void add(Account other) {
            if (other == this) {
                throw new IllegalArgumentException("the same");
            }
            balance += other.balance;
        }

        public boolean isLarge() {
            return balance > 3;
        }
    }

    public static Comparator<String> order() {
        class Order implements Comparator<String> {
            @Override
            public int compare(String a, String b) {
                return a.length() < b.length() ? -1 : 1;
            }
        }
        return new Order();
    }
}
"#;

/// Classes that hide two of `java.lang`.
const HIDING: [(&str, &str); 2] = [
    ("Object", "package hiding; public class Object { }"),
    (
        "Integer",
        "package hiding;
        public class Integer {
            private final int value;
            public Integer(int value) { this.value = value; }
            public boolean isLarge() { return value > 100; }
            public static int count(java.lang.Object[] values) {
                return values == null ? -1 : values.length;
            }
        }",
    ),
];

struct Careful(tempfile::TempDir);

impl Careful {
    fn new() -> Careful {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Fixture::new(&["-g", "--release", "17"]).text("Careful", CAREFUL);
        fixture.copied_to(&folder.path().join("classes"));
        Careful(folder)
    }

    fn run(&self, class: &str, arguments: &[&str]) -> std::process::Output {
        program()
            .current_dir(self.0.path())
            .args([
                "sequences",
                "--no-config",
                "-p",
                "classes",
                "-c",
                class,
                "--jdk",
            ])
            .arg(&jdks()[0].home)
            .args(arguments)
            .output()
            .unwrap()
    }

    /// Source of the test class of a class.
    fn tests(&self, class: &str) -> String {
        self.run(class, &["-o", "tests"]);
        let name = class
            .replace(['.', '$'], "/")
            .replace("careful/Careful/", "careful/Careful");
        let name = format!("tests/{name}HeapwrightTest.java");
        let text = std::fs::read_to_string(self.0.path().join(&name));
        text.unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

#[test]
fn the_default_of_a_switch_over_all_constants_is_infeasible() {
    let careful = Careful::new();
    let table = table(careful.0.path(), "careful.Careful", "wait");
    assert!(fate(&table, "default").starts_with("infeasible"), "{table}");
    assert_eq!(table.matches("covered by test").count(), 5, "{table}");
}

#[test]
fn what_a_constructor_makes_is_asserted_of() {
    let careful = Careful::new();
    // Each test that calls a method also calls the constructor.
    let bare = careful.tests("careful.Careful$Bare");
    assert_eq!(bare.matches("@Test").count(), 1, "{bare}");
    assert!(bare.contains("assertEquals(1, "), "{bare}");
    let empty = careful.tests("careful.Careful$Empty");
    assert!(
        empty.contains("assertNotNull(new Careful.Empty());"),
        "{empty}"
    );
}

#[test]
fn what_a_test_implements_is_covered() {
    let folder = tempfile::tempdir().unwrap();
    fixture("Paired").copied_to(&folder.path().join("classes"));
    let table = table(folder.path(), "sequences.Paired", "isOrdered");
    for side in ["isOrdered:19 less", "isOrdered:19 not less"] {
        assert!(fate(&table, side).starts_with("covered"), "{table}");
    }
}

#[test]
fn constants_of_enums_are_observed() {
    let folder = tempfile::tempdir().unwrap();
    fixture("Door").copied_to(&folder.path().join("classes"));
    table(folder.path(), "sequences.Door", "turn");
    let test = folder
        .path()
        .join("tests/sequences/DoorHeapwrightTest.java");
    let text = std::fs::read_to_string(test).unwrap();
    assert!(
        text.contains("assertSame(Door.State.LOCKED, door.state());"),
        "{text}"
    );
    // Unchanged values are not asserted.
    assert!(!text.contains("handles"), "{text}");
}

#[test]
fn calls_that_return_are_preferred_to_those_that_throw() {
    let tests = Careful::new().tests("careful.Careful$Account");
    assert!(tests.contains(".add("), "{tests}");
    assert!(!tests.contains("NullPointerException"), "{tests}");
}

#[test]
fn tests_name_what_their_package_hides_in_full() {
    let folder = tempfile::tempdir().unwrap();
    let hiding = HIDING.into_iter();
    let fixture = hiding.fold(Fixture::new(&["-g"]), |fixture, (name, text)| {
        fixture.text(name, text)
    });
    fixture.copied_to(&folder.path().join("classes"));
    table(folder.path(), "hiding.Integer", "count");
    let test = folder
        .path()
        .join("tests/hiding/IntegerHeapwrightTest.java");
    let text = std::fs::read_to_string(&test).unwrap();
    assert!(text.contains("new java.lang.Object["), "{text}");
    assert!(!text.contains(" Object["), "{text}");
}

#[test]
fn what_tests_cannot_name_is_told() {
    let careful = Careful::new();
    for name in ["int", "[I"] {
        let output = careful.run(name, &[]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(&format!("class {name}")), "{told}");
    }
    let output = careful.run("careful.Careful$1Order", &[]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("is a local or anonymous class"), "{told}");
}

/// Output of `sequences` for a class of one source, on a JDK, optionally after one of its files was
/// deleted.
fn printed(source: &str, class: &str, gone: Option<&str>, jdk: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    let classes = folder.path().join("classes");
    let fixture = Fixture::new(&["-g"]).text(class, source);
    fixture.copied_to(&classes);
    if let Some(gone) = gone {
        std::fs::remove_file(classes.join(gone)).unwrap();
    }
    let output = program()
        .args([
            "sequences",
            "--no-config",
            "--junit-check",
            "none",
            "--table",
            "-p",
        ])
        .arg(&classes)
        .args(["-c", class, "--jdk"])
        .arg(jdk)
        .output()
        .unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

/// JDK 25 writes digits into strings without any checks.
#[test]
fn numbers_are_formatted_on_every_jdk() {
    let source = "public final class Label {
        public static String of(int n) { return String.format(\"n: %d\", n) + (n > 3 ? \"!\" : \"\"); }
        private Label() {}
    }";
    for jdk in jdks() {
        let printed = printed(source, "Label", None, &jdk.home);
        assert!(
            printed.contains(" for 2 of 2 goals"),
            "{}: {printed}",
            jdk.feature
        );
    }
}

#[test]
fn a_missing_class_is_named() {
    let source = "public class Fragile {
        public static int of(int n) {
            if (n == 7) {
                throw new Gone();
            }
            return n;
        }
        private Fragile() {}
    }
    class Gone extends RuntimeException {}";
    let printed = printed(source, "Fragile", Some("Gone.class"), &jdks()[0].home);
    assert!(
        printed.contains("Fragile.of(int): java.lang.NoClassDefFoundError: Gone"),
        "{printed}"
    );
}
