//! `heapwright sequences`: counts, output, effects of options, and messages on bad input.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use expect_test::expect;
use heapwright_testkit::fixtures::{Fixture, files, without_seconds};
use heapwright_testkit::jdk::jdks;
use serde_json::Value;

use crate::common::{program, summary_of, text, with_enough_time, without_measures};

/// A method of a thousand branches, with more paths than a run can explore, after one that is done
/// at once.
fn branchy() -> String {
    let bits: Vec<String> = (0..=250).map(|bit| format!("boolean b{bit}")).collect();
    let mut source = format!(
        "package sequences;
        public final class Branchy {{
            public static boolean isLarge(int i) {{ return i > 9; }}
            public static int all({}) {{
                int sum = 0;\n",
        bits.join(", ")
    );
    for bit in 0..250 {
        let next = bit + 1;
        let _ = writeln!(source, "if (b{bit} && !b{next}) {{ sum += {bit}; }}");
    }
    source + "return sum; } }"
}

/// A class that only a fixture creates: its constructor is not public.
const WARD: &str = "package sequences;
    public class Ward {
        private final int beds;
        private int taken;
        Ward(int beds) { this.beds = beds; }
        public static class Fixture {
            public static Ward full() {
                Ward ward = new Ward(40);
                for (int i = 0; i < 40; i++) { ward.take(); }
                return ward;
            }
        }
        public boolean take() {
            if (taken < beds) { taken++; return true; }
            return false;
        }
    }";

/// A class with a branch that needs many statements.
const FAR: &str = "package sequences;
    public class Far {
        private int steps;
        public int step(int to) { return steps < to ? ++steps : steps; }
        public boolean isFar() { return steps > 11; }
    }";

/// A class with branches that need many elements.
const SIZED: &str = "package sequences;
    public final class Sized {
        public static boolean ofArray(int[] values) { return values.length > 5; }
        public static boolean ofString(String text) { return text.length() > 5; }
    }";

/// An abstract class with a hidden constructor.
const VAULT: &str = "package sequences;
    public final class Vault {
        public abstract static class Alarm {
            private Alarm() {}
            public int ring() { return 1; }
        }
    }";

/// A class with a parameter of an interface with two methods, which an anonymous class implements.
const RADIO: &str = "package sequences;
    public final class Radio {
        public interface Dial { int turn(); int press(); }
        public static int tune(Dial dial) { return dial.turn() + dial.press(); }
    }";

/// A method with hard solver queries, followed by one with easy queries.
const TURNS: &str = "package sequences;
    public final class Turns {
        public static int hard(long a, long b) {
            int found = 0;
            for (int i = 0; i < 6; i++) {
                if ((a * b + i) % 1009 == 17 * i) { found++; }
                if ((a ^ b) * (a + i) % 1013 == i) { found++; }
            }
            return found;
        }
        public static int simple(int value) { return value > 5 ? 1 : value < -5 ? 2 : 3; }
    }";

/// Fixtures, with the classes of this file.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        Fixture::new(&["-g", "-nowarn", "--release", "17"])
            .package("sequences")
            .text("Branchy", &branchy())
            .text("Far", FAR)
            .text("Radio", RADIO)
            .text("Sized", SIZED)
            .text("Turns", TURNS)
            .text("Vault", VAULT)
            .text("Ward", WARD)
            .classes()
    })
}

/// Time for classes with goals that nothing reaches, which else take all that a class has.
const SHORTLY: [&str; 2] = ["--time-per-class", "6s"];

fn sequences(class: &str, arguments: &[&str]) -> Output {
    program()
        .args(["sequences", "--no-config", "--junit-check", "none", "-p"])
        .arg(classes())
        .args(["-c", &format!("sequences.{class}")])
        .args(["--jdk", jdks()[0].home.to_str().unwrap()])
        // Oracles are tested elsewhere.
        .args(["--expect-exception", "Throwable"])
        .args(arguments)
        .output()
        .unwrap()
}

/// Tests as text, whether or not they cover all goals.
fn tests(class: &str, arguments: &[&str]) -> Vec<String> {
    let output = sequences(class, arguments);
    assert!(matches!(output.status.code(), Some(0 | 3)), "{output:?}");
    text(&output.stdout).lines().map(str::to_owned).collect()
}

fn summary(class: &str, arguments: &[&str]) -> Value {
    let output = sequences(class, &[arguments, &["--json"]].concat());
    summary_of(&output)
}

fn number(summary: &Value, key: &str) -> u64 {
    let number = summary[key].as_u64();
    number.unwrap_or_else(|| panic!("no {key} in {summary}"))
}

/// Goals of a class whose fates begin with `fate`.
fn goals(class: &str, goal: &str, fate: &str) -> Vec<String> {
    let output = sequences(class, &["--goal", goal, "--table"]);
    let told = text(&output.stderr);
    let rows = told.lines().filter_map(|line| line.strip_prefix("  "));
    let rows = rows.filter_map(|row| row.split_once(": "));
    // Goals that throw have a colon in their own text.
    let rows = rows.filter(|(_, end)| end.rsplit(": ").any(|part| part.starts_with(fate)));
    rows.map(|(goal, _)| goal.to_owned()).collect()
}

#[test]
fn the_summary_has_its_keys() {
    let summary = summary("IntStack", &[]);
    for key in [
        "tests",
        "sequences_generated",
        "sequences_explored",
        "max_length",
        "paths",
        "branches_covered",
        "branches_infeasible",
        "branches_total",
    ] {
        number(&summary, key);
    }
    assert!(summary["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(summary["status"], "complete");
    // At least one sequence for each of eight tests, and at most all generated ones.
    let explored = number(&summary, "sequences_explored");
    assert!(explored >= number(&summary, "tests"));
    assert!(explored <= number(&summary, "sequences_generated"));
}

/// The seven classes of the thesis; branches include one for each method without branches.
#[test]
fn algorithm_classes_are_covered() {
    let counted = |class: &str| {
        let summary = summary(class, &[]);
        // Goals that only the order of the tree excludes may need longer sequences.
        let status = match class {
            "TreeMap" => "partial",
            _ => "complete",
        };
        assert_eq!(summary["status"], status, "{class}");
        let of = |key: &str| number(&summary, key);
        (class.to_owned(), of("goals_covered"), of("goals_total"))
    };
    let classes = [
        "IntStack",
        "UBStack",
        "BinSearchTree",
        "BinomialHeap",
        "LinkedList",
        "TreeMap",
        "HeapArray",
    ];
    let counts = classes.map(counted);
    let counts = counts
        .iter()
        .map(|(class, covered, total)| (class.as_str(), *covered, *total));
    assert_eq!(
        counts.collect::<Vec<_>>(),
        [
            ("IntStack", 12, 12),
            ("UBStack", 18, 18),
            ("BinSearchTree", 38, 38),
            ("BinomialHeap", 68, 68),
            ("LinkedList", 32, 32),
            ("TreeMap", 110, 122),
            ("HeapArray", 23, 23),
        ]
    );
}

#[test]
fn results_are_the_same_again() {
    let run = || without_measures(summary("HeapArray", &[]));
    assert_eq!(run(), run());
    assert_eq!(tests("HeapArray", &[]), tests("HeapArray", &[]));
}

/// One of the setters' six orders suffices.
#[test]
fn independent_calls_come_in_one_order() {
    let all = tests("Calculation", &["-m", "calculate", "--goal", "paths"]);
    let whole: Vec<&String> = all
        .iter()
        .filter(|test| test.contains("returned 1"))
        .collect();
    assert_eq!(whole.len(), 1, "{all:?}");
    let counts = summary("Calculation", &["-m", "calculate"]);
    // One order of each set of setters: the method on eight states.
    assert_eq!(number(&counts, "sequences_explored"), 8);
}

#[test]
fn the_free_drink_is_found() {
    let all = tests("CoinBox", &["--goal", "def-use"]);
    let free = "coinBox = new CoinBox(); coinBox.addQuarter(); coinBox.addQuarter(); \
                coinBox.returnQuarters(); coinBox.vend()";
    assert!(all.iter().any(|test| test == free), "{all:#?}");
}

#[test]
fn four_calls_are_found_for_a_warning() {
    let monitor = "temperatureMonitor = new TemperatureMonitor(); ";
    let hot = "temperatureMonitor.setEnabled(true); temperatureMonitor.updateTemperature(81); ";
    let warning = "temperatureMonitor.warning() // returned";
    assert_eq!(
        tests("TemperatureMonitor", &["-m", "warning"]),
        [
            format!("{monitor}{warning} false"),
            format!("{monitor}{hot}{warning} true")
        ]
    );
}

#[test]
fn all_outcomes_of_the_body_mass_index_are_found() {
    let all = tests("Bmi", &["-m", "category(int,int)"]);
    for outcome in ["invalid", "underweight", "normal", "overweight", "obese"] {
        let ending = format!("// returned \"{outcome}\"");
        assert!(
            all.iter().any(|test| test.ends_with(&ending)),
            "{outcome}: {all:?}"
        );
    }
}

/// At a symbolic index there is a path for each element, or one for each outcome.
#[test]
fn both_readings_of_elements_cover_the_same() {
    let of = |heap: &str| {
        let arguments = ["-m", "x", "--goal", "paths", "--heap", heap];
        let counts = summary("LookUp", &arguments);
        let ends = tests("LookUp", &arguments).into_iter();
        let ends = ends.map(|test| test.split("// ").last().unwrap().to_owned());
        let ends: std::collections::BTreeSet<String> = ends.collect();
        (
            number(&counts, "paths"),
            number(&counts, "branches_covered"),
            ends,
        )
    };
    let (simulated, covered, ends) = of("simulate");
    assert_eq!((covered, ends.len()), (2, 3), "{ends:?}");
    let reasoned = of("reason");
    assert_eq!((reasoned.1, reasoned.2), (covered, ends));
    assert!(reasoned.0 < simulated, "{} of {simulated}", reasoned.0);
}

/// For an argument with several possible objects there is a call for each, or the solver chooses
/// one.
#[test]
fn both_readings_of_references_cover_the_same() {
    for (goal, length) in [("branches", "10"), ("paths", "5")] {
        let arguments = ["--goal", goal, "--max-length", length];
        let of = |heap: &str| {
            let counts = summary("Friend", &[&arguments[..], &["--heap", heap]].concat());
            let names = ["paths", "sequences_generated", "goals_covered"];
            names.map(|name| number(&counts, name))
        };
        let [paths, sequences, covered] = of("simulate");
        let reasoned = of("reason");
        assert_eq!(reasoned[2], covered, "{goal}");
        assert!(covered >= 12, "{goal}");
        assert!(reasoned[0] < paths, "{goal}: {reasoned:?} of {paths} paths");
        assert!(
            reasoned[1] < sequences,
            "{goal}: {reasoned:?} of {sequences}"
        );
    }
}

#[test]
fn constant_conditions_ask_no_solver() {
    for (method, goals) in [("<init>", 2), ("Buffer()", 2), ("length", 1)] {
        let counts = summary("Buffer", &["-m", method]);
        assert_eq!(number(&counts, "goals_covered"), goals, "{method}");
        assert_eq!(counts["solver"]["queries"], 0, "{method}");
    }
}

#[test]
fn boundaries_are_met_from_both_sides() {
    let all = tests("Boundaries", &["--goal", "boundaries"]);
    for call in [
        "atMostFive(5)",
        "atMostFive(6)",
        "grade(-1)",
        "grade(0)",
        "grade(100)",
        "grade(101)",
        "fitsInt(2147483647)",
        "fitsInt(2147483648)",
        "isDigit('/')",
        "isDigit(':')",
    ] {
        assert!(
            all.iter().any(|test| test.contains(call)),
            "{call}: {all:#?}"
        );
    }
}

/// Overflowing instructions are covered; those that cannot overflow are not claimed as covered.
#[test]
fn overflows_are_found_where_they_can_be() {
    let methods = [
        "-m",
        "average",
        "-m",
        "sumWraps",
        "-m",
        "productWrapsAsLong",
    ];
    let more = ["-m", "longSumWraps", "-m", "isNegativeAfterAbs"];
    let arguments = [&["--goal", "overflow", "--table"], &methods[..], &more].concat();
    let output = sequences("Overflow", &arguments);
    let told = text(&output.stderr);
    let covered = told.lines().filter(|line| line.contains(": covered"));
    let covered = covered.map(|line| line.trim().split(' ').next().unwrap());
    assert_eq!(
        covered.collect::<Vec<_>>(),
        [
            "average:12",
            "sumWraps:17",
            "longSumWraps:34",
            "isNegativeAfterAbs:40"
        ]
    );
    assert!(told.contains("productWrapsAsLong:27 wraps: "), "{told}");
}

#[test]
fn exceptions_are_covered_where_they_can_come() {
    let covered = goals("Exceptions", "exceptions", "covered");
    let methods: Vec<&str> = covered
        .iter()
        .map(|goal| goal.split(':').next().unwrap())
        .collect();
    assert_eq!(
        methods,
        [
            "nullField",
            "nullCall",
            "nullArray",
            "index",
            "division",
            "remainder",
            "cast",
            "cast",
            "negativeSize",
            "store",
            "unboxing",
            "caught"
        ]
    );
}

#[test]
fn statements_and_paths_are_goals() {
    let statements = summary("Locked", &["--goal", "statements"]);
    let total = number(&statements, "goals_total");
    assert_eq!(number(&statements, "goals_covered"), total);
    assert!(total > 20, "{total}");
    // Every branch is on one of the method's paths.
    let paths = summary("Boundaries", &["--goal", "paths", "-m", "grade"]);
    assert_eq!(number(&paths, "goals_covered"), 5);
    assert_eq!(
        number(&paths, "goals_covered"),
        number(&paths, "goals_total")
    );
}

#[test]
fn tests_are_printed_with_what_no_test_reaches() {
    let output = sequences("Overflow", &["-m", "productWrapsAsLong", "-m", "narrows"]);
    expect![[r#"
        Overflow.productWrapsAsLong(0, 0) // returned false
        Overflow.productWrapsAsLong(2, 0) // returned false
        Overflow.productWrapsAsLong(2, 2) // returned false
        Overflow.narrows(0) // returned false
        Overflow.narrows(201) // returned false
        Overflow.narrows(273) // returned true
    "#]]
    .assert_eq(&text(&output.stdout));
    expect![[r#"
          productWrapsAsLong:27 less: infeasible: no call of productWrapsAsLong does, on whatever object
        Overflow: 6 tests for 9 of 10 goals, 1 infeasible, 9 of 10 branches; 2 sequences, 6 paths, up to length 2, … s; no further sequence does anything new"#]].assert_eq(&without_seconds(&text(&output.stderr)));
}

#[test]
fn every_goal_is_in_the_table() {
    let output = sequences("TemperatureMonitor", &["--table"]);
    expect![[r#"
        heapwright: nothing of sequences.TemperatureMonitor is public: tests, which are in its package, call what the package may (--access package)
          <init> is called: covered by test 1
          setEnabled is called: covered by test 1
          updateTemperature:13 not equal: covered by test 4
          updateTemperature:13 equal: covered by test 2
          getTemperature is called: covered by test 3
          warning:23 greater: covered by test 5
          warning:23 not greater: covered by test 3
        TemperatureMonitor: 5 tests for 7 of 7 goals, 4 of 4 branches; 8 sequences, 13 paths, up to length 4, … s; all reached"#]].assert_eq(&without_seconds(&text(&output.stderr)));
}

#[test]
fn what_code_tells_is_printed() {
    let print = |arguments: &[&str]| tests("TemperatureMonitor", arguments).join("\n");
    expect![[r#"
        Invokable               Defines               Uses         Arguments           Returns
        TemperatureMonitor()    enabled, temperature  -            -                   TemperatureMonitor
        setEnabled(boolean)     enabled               -            TemperatureMonitor  -
        updateTemperature(int)  temperature           enabled      TemperatureMonitor  -
        getTemperature()        -                     temperature  TemperatureMonitor  -
        warning()               -                     temperature  TemperatureMonitor  -"#]].assert_eq(&print(&["--print-analysis"]));
    let candidates = ["--print-candidates", "-m", "warning", "--max-length", "3"];
    expect![[r#"
        warning()
          TemperatureMonitor() *
            TemperatureMonitor() (*)
          updateTemperature(int)
            TemperatureMonitor() *
            setEnabled(boolean)
            updateTemperature(int)"#]]
    .assert_eq(&print(&candidates));
}

/// A monster comes from a game, too, and the game from a factory; no other member of either is
/// called.
#[test]
fn factories_of_the_package_are_used() {
    let output = sequences("game.Monster", &["--print-analysis"]);
    let told = text(&output.stdout);
    let names = told.lines().filter_map(|line| line.split("  ").next());
    let factories = names.filter(|name| name.starts_with("Game") || name.starts_with("World"));
    assert_eq!(
        factories.collect::<Vec<_>>(),
        [
            "Game.board()",
            "Game.player()",
            "Game.monster(int)",
            "WorldFactory.small()",
            "WorldFactory.standard()",
            "WorldFactory.corridor(int)",
            "WorldFactory.chase()",
            "WorldFactory.fight()",
            "WorldFactory.read(String[])",
        ]
    );
}

#[test]
fn a_test_class_is_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let to = ["-m", "remove", "-o", folder.path().to_str().unwrap()];
    let output = sequences("BinSearchTree", &to);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let written = files(folder.path(), "java");
    let names = written
        .iter()
        .map(|path| path.strip_prefix(folder.path()).unwrap());
    let names: Vec<&Path> = names.collect();
    assert_eq!(
        names,
        [Path::new("sequences/BinSearchTreeHeapwrightTest.java")]
    );
    expect![[r#"
        package sequences;

        import static org.junit.jupiter.api.Assertions.assertEquals;
        import static org.junit.jupiter.api.Assertions.assertFalse;
        import static org.junit.jupiter.api.Assertions.assertTrue;

        import org.junit.jupiter.api.DisplayName;
        import org.junit.jupiter.api.Test;
        import org.junit.jupiter.params.ParameterizedTest;
        import org.junit.jupiter.params.provider.CsvSource;

        /** Behaviour of sequences.BinSearchTree, written by Heapwright. */
        class BinSearchTreeHeapwrightTest {
            @Test
            @DisplayName("remove with 0 after insert returns false")
            void remove_afterInsert_with0_returnsFalse() {
                BinSearchTree binSearchTree = new BinSearchTree();
                binSearchTree.insert(1);

                assertFalse(binSearchTree.remove(0));
                assertEquals(1, binSearchTree.size());
            }

            @ParameterizedTest(name = "remove with 1 after 2 calls of insert returns true ({0}, {1})")
            @CsvSource({
                "0, 1",
                "1, 0"
            })
            void remove_after2Inserts_with1_returnsTrue(Integer value0, Integer value1) {
                BinSearchTree binSearchTree = new BinSearchTree();
                binSearchTree.insert(value0);
                binSearchTree.insert(value1);

                assertTrue(binSearchTree.remove(1));
                assertEquals(1, binSearchTree.size());
                assertFalse(binSearchTree.contains(1));
            }

            @Test
            @DisplayName("remove with 1 after 4 calls of insert returns true")
            void remove_after4Inserts_with1_returnsTrue() {
                BinSearchTree binSearchTree = new BinSearchTree();
                binSearchTree.insert(1);
                binSearchTree.insert(3);
                binSearchTree.insert(2);
                binSearchTree.insert(0);

                assertTrue(binSearchTree.remove(1));
                assertEquals(3, binSearchTree.size());
                assertFalse(binSearchTree.contains(1));
            }
        }
        // Checksum 571f39e8 of what Heapwright wrote: edited files are not overwritten.
    "#]]
    .assert_eq(&std::fs::read_to_string(&written[0]).unwrap());
}

#[test]
#[ignore = "long"]
fn a_setup_comes_first() {
    let take = ["-m", "take", "--exclude", "full.*", "--exclude", "<init>"];
    let without = sequences("Ward", &[&take[..], &SHORTLY].concat());
    assert_eq!(without.status.code(), Some(4), "{without:?}");
    let setup = ["-m", "take", "--setup", "sequences.Ward$Fixture.full"];
    let setup = [&setup[..], &SHORTLY].concat();
    assert_eq!(
        tests("Ward", &setup),
        ["ward = Fixture.full(); ward.take() // returned false"]
    );
    let alone = sequences("Ward", &[&setup[..], &["--max-length", "1"]].concat());
    assert_eq!(alone.status.code(), Some(4), "{}", text(&alone.stderr));
}

/// A call with expensive queries waits while others have their turn.
#[test]
#[ignore = "long"]
fn no_call_takes_all_the_paths() {
    let time = ["--time-per-class", "none"];
    let bounds = [
        "--max-paths",
        "20",
        "--solver-timeout",
        "10ms",
        time[0],
        time[1],
    ];
    let output = sequences("Turns", &bounds);
    let told = text(&output.stdout);
    for value in ["6)", "-6)", "0)"] {
        assert!(told.contains(&format!("simple({value}")), "{told}");
    }
}

#[test]
#[ignore = "long"]
fn values_are_taken_from_a_pool() {
    let of_pool = ["-m", "grade", "--values", "int=-7,60,95"];
    let all = tests("Boundaries", &[&of_pool[..], &SHORTLY].concat());
    assert_eq!(
        all,
        [
            "Boundaries.grade(95) // returned 1",
            "Boundaries.grade(60) // returned 2",
            "Boundaries.grade(-7) // threw java.lang.IllegalArgumentException",
        ]
    );
}

#[test]
fn null_can_be_ruled_out() {
    let throws = |arguments: &[&str]| {
        let all = tests("UBStack", arguments).into_iter();
        all.filter(|test| test.contains("threw")).count()
    };
    assert_eq!(throws(&[]), 1);
    assert_eq!(throws(&["--no-null"]), 0);
}

#[test]
fn invokables_can_be_left_out() {
    let warns = |arguments: &[&str]| {
        let arguments = [&["-m", "warning"], arguments].concat();
        number(&summary("TemperatureMonitor", &arguments), "goals_covered")
    };
    assert_eq!(warns(&[]), 2);
    assert_eq!(warns(&["--exclude", "setEnabled.*"]), 1);
    let wanted = [
        "--include",
        "<init>",
        "--include",
        "warning",
        "--include",
        "update.*",
    ];
    assert_eq!(warns(&wanted), 1);
}

#[test]
fn paths_of_a_call_are_limited() {
    let counted = |arguments: &[&str]| {
        let summary = summary("Boundaries", &[&["-m", "grade"], arguments].concat());
        (number(&summary, "paths"), number(&summary, "paths_cut"))
    };
    assert_eq!(counted(&[]).1, 0);
    // Beyond the limit, only paths that reach something new continue.
    let few = ["--paths-per-call", "2", "--goal", "paths"];
    assert_eq!(counted(&few), (2, 1));
    assert!(counted(&["--paths-per-call", "2"]).0 > 2);
}

#[test]
fn fields_are_asserted_on_request() {
    let written = |arguments: &[&str]| {
        let folder = tempfile::tempdir().unwrap();
        let to = ["-m", "digit", "-o", folder.path().to_str().unwrap()];
        let output = sequences("Locked", &[&to, arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        std::fs::read_to_string(&files(folder.path(), "java")[0]).unwrap()
    };
    let has_entered = |source: &str| source.contains("\"entered\"");
    assert!(!has_entered(&written(&[])));
    let source = written(&["--assert-fields"]);
    assert!(has_entered(&source), "{source}");
}

/// Goals that bounds exclude are not called infeasible.
#[test]
fn what_bounds_leave_out_is_open() {
    for (method, more) in [("ofArray", "7"), ("ofString", "7")] {
        let infeasible = |arguments: &[&str]| {
            let arguments = [&["-m", method], arguments].concat();
            let counts = summary("Sized", &arguments);
            (
                number(&counts, "goals_covered"),
                number(&counts, "branches_infeasible"),
            )
        };
        assert_eq!(infeasible(&["--max-elements", "3"]), (1, 0), "{method}");
        assert_eq!(infeasible(&["--max-elements", more]), (2, 0), "{method}");
        // By default, longer sequences are tried for goals that short ones leave.
        assert_eq!(infeasible(&[]), (2, 0), "{method}");
    }
    let far = |arguments: &[&str]| number(&summary("Far", arguments), "goals_covered");
    assert_eq!((far(&["--max-length", "10"]), far(&[])), (4, 5));
    let of_pool = ["-m", "isLarge", "--values", "int=0,1"];
    let counts = summary("Branchy", &of_pool);
    assert_eq!(number(&counts, "goals_covered"), 1);
    assert_eq!(number(&counts, "branches_infeasible"), 0);
    let without_receiver = summary("AbstractOnly", &[]);
    assert_eq!(number(&without_receiver, "branches_infeasible"), 0);
}

/// Exit code and standard error of a refused request.
fn refused(class: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let output = sequences(class, arguments);
    (output.status.code(), text(&output.stderr))
}

fn says(class: &str, arguments: &[&str], code: i32, sentence: &str) {
    let (ended, told) = refused(class, arguments);
    assert_eq!(ended, Some(code), "{class} {arguments:?}: {told}");
    assert!(told.contains(sentence), "{class} {arguments:?}: {told}");
    assert!(!told.contains("panicked"), "{told}");
}

fn has(tests: &[String], line: &str) {
    assert!(tests.iter().any(|test| test == line), "{line}: {tests:#?}");
}

#[test]
fn a_lambda_answers_what_leads_further() {
    let of_bus = tests("EventBus", &[]);
    has(
        &of_bus,
        "listener0 = (a, b) -> 3; listener1 = (a, b) -> 41; eventBus = new EventBus(); \
         eventBus.listen(listener0); eventBus.listen(listener1); eventBus.send(\"\", 0) // returned 3",
    );
    let of_pipeline = tests("Pipeline", &[]);
    for line in [
        "pipeline = new Pipeline(); pipeline.fallback(() -> 7); pipeline.last() // returned \"seven\"",
        "pipeline = new Pipeline(); pipeline.filter(x -> false); pipeline.pass(\"\") // returned false",
        "consumer = x -> {}; Pipeline.each(consumer, \"\")",
    ] {
        has(&of_pipeline, line);
    }
}

#[test]
fn an_order_is_one_of_the_librarys_where_that_will_do() {
    let tests = tests("Sorter", &[]);
    has(
        &tests,
        "Sorter.isFalling(Comparator.reverseOrder()) // returned true",
    );
    let lambdas = tests.iter().filter(|test| test.contains("->"));
    let lambdas: Vec<&String> = lambdas.collect();
    // Only after both orders fail: a comparator that calls the first of two values the larger.
    assert_eq!(lambdas, ["Sorter.isFalling((a, b) -> 1) // returned false"]);
}

#[test]
fn collections_hold_what_parameters_say() {
    let tests = tests("Inventory", &[]);
    for line in [
        "list = new ArrayList(); list.add(42); Inventory.sum(list) // returned 1",
        "inventory = new Inventory(); map = new TreeMap(); map.put(\"\", -1); inventory.count(map) \
         // returned false",
        "inventory = new Inventory(); list = new ArrayList(); item = new Item(3); list.add(item); \
         inventory.buy(list, 0) // returned -1",
    ] {
        has(&tests, line);
    }
}

#[test]
fn what_has_two_methods_is_an_anonymous_class() {
    assert_eq!(
        tests("Radio", &[]),
        [
            "new Radio()",
            "dial = new Dial() {turn -> 0, press -> 0}; Radio.tune(dial) // returned 0"
        ]
    );
}

#[test]
fn the_answers_of_anonymous_classes_are_chosen() {
    assert_eq!(
        tests("AbstractOnly", &["-m", "isHigh"]),
        [
            "AbstractOnly.isHigh(null) // returned false",
            "abstractOnly = new AbstractOnly() {step -> 0}; AbstractOnly.isHigh(abstractOnly) // returned \
             false",
            "abstractOnly = new AbstractOnly() {step -> 11}; abstractOnly.climb(1); \
             AbstractOnly.isHigh(abstractOnly) // returned true",
        ]
    );
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().to_str().unwrap();
    let output = sequences("Polygon", &["-m", "describe", "-o", to]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let written = folder.path().join("sequences/PolygonHeapwrightTest.java");
    let written = std::fs::read_to_string(written).unwrap();
    let test = "    @Test
    @DisplayName(\"describe on a new polygon returns \\\"square \\\"\")
    void describe_onNewPolygon_returnsStringSquare() {
        Polygon polygon = new Polygon(4) {
            @Override
            protected double length() {
                return 0.0;
            }

            @Override
            public String name() {
                return \"\";
            }
        };

        assertEquals(\"square \", polygon.describe());
        assertEquals(0.0, polygon.around());
    }
";
    assert!(written.contains(test), "{written}");
}

#[test]
fn other_packages_make_objects() {
    let of_plug = tests("makers.Plug", &[]);
    for line in [
        "plug = new Plug(); port = Ports.of(8080); plug.fits(port) // returned true",
        "plug = new Plug(); builder = Cables.builder(4); cable = builder.build(); plug.ends(cable) // \
         returned 2",
    ] {
        has(&of_plug, line);
    }
}

/// A builder rejects what lacks a field.
#[test]
fn setters_are_called_on_builders() {
    let of_post = tests("makers.Post", &[]);
    for line in [
        "parcelBuilder = Parcel.newBuilder(); parcelBuilder.country(\"\"); parcelBuilder.weight(11); \
         parcel = parcelBuilder.build(); Post.fee(parcel) // returned 3",
        "parcelBuilder = Parcel.newBuilder(); parcelBuilder.country(\"\"); parcelBuilder.weight(11); \
         parcelBuilder.express(true); parcel = parcelBuilder.build(); Post.fee(parcel) // returned 4",
        "parcelBuilder = Parcel.newBuilder(); parcelBuilder.country(\"AT\"); parcelBuilder.weight(0); \
         parcel = parcelBuilder.build(); Post.isHome(parcel) // returned true",
    ] {
        has(&of_post, line);
    }
}

/// A method of the class under test gives the argument that its factory needs first.
#[test]
fn makers_are_found_of_what_only_null_would_lead_to() {
    let of_socket = tests("makers.Wall$Socket", &[]);
    for line in [
        "builder = Cables.builder(0); cable = builder.build(); socket = Wall.socket(cable); \
         socket.isLong() // returned false",
        "builder = Cables.builder(4); cable = builder.build(); socket = Wall.socket(cable); \
         socket.isLong() // returned true",
    ] {
        has(&of_socket, line);
    }
}

#[test]
fn makers_with_parameters_are_used_beside_those_of_empty_objects() {
    let of_splice = tests("makers.Splice", &["-m", "loss"]);
    for line in [
        "strand = Strands.of(3, true); splice = Splice.of(strand); splice.loss() // returned 0",
        "strand = Strands.of(3, false); splice = Splice.of(strand); splice.loss() // returned 1",
    ] {
        has(&of_splice, line);
    }
}

#[test]
fn members_for_subclasses_are_called_if_nothing_else_may_be() {
    says(
        "makers.Kit",
        &[],
        0,
        "nothing of sequences.makers.Kit is public: tests, which are in its package, call what the \
         package may (--access protected)",
    );
    has(
        &tests("makers.Kit", &[]),
        "kit = new Kit() {}; kit.isFull(10) // returned true",
    );
}

#[test]
fn it_is_said_why_there_is_no_receiver() {
    says(
        "NoWay",
        &["-m", "next"],
        4,
        "no object of sequences.NoWay can be made: NoWay() is private, and nothing that may be called \
         returns one; --access says what may be",
    );
    assert_eq!(tests("NoWay", &["--access", "private"]).len(), 5);
    says(
        "Vault$Alarm",
        &["-m", "ring"],
        4,
        "no object of sequences.Vault$Alarm can be made: it is abstract, nothing that extends it is \
         known, and a test cannot extend it; --system names a class",
    );
    says(
        "IntStack",
        &["-m", "pop", "--exclude", "<init>"],
        4,
        "no object of sequences.IntStack can be made: IntStack() is left out, and nothing that may be \
         called returns one",
    );
}

#[test]
fn constructors_that_make_files_are_refused() {
    says(
        "OpensFile",
        &["-m", "startsWith"],
        4,
        "tests change temporary ones only",
    );
    let (code, told) = refused("OpensFile", &[]);
    assert_eq!(code, Some(3), "{told}");
    assert!(told.contains("partial, without"), "{told}");
    assert!(told.contains("startsWith:19 equal: not reached"), "{told}");
    assert!(told.lines().count() < 12, "{told}");
    assert!(tests("OpensFile", &["-m", "isName"]).len() >= 3);
}

#[test]
fn readers_streams_and_other_objects_of_the_jdk_are_made() {
    let summary = summary("Streams", &["--max-elements", "4"]);
    assert_eq!(number(&summary, "goals_covered"), 32, "{summary}");
    assert_eq!(number(&summary, "goals_total"), 32, "{summary}");
}

#[test]
#[ignore = "long"]
fn objects_of_other_library_classes_are_made_by_their_own_members() {
    let summary = summary("Fittings", &[]);
    let covered = number(&summary, "goals_covered");
    assert_eq!(covered, number(&summary, "goals_total"), "{summary}");
    assert_eq!(covered, 9, "{summary}");
}

#[test]
fn collections_of_constants_and_members_of_classes_are_made() {
    let summary = summary("Signals", &["--max-elements", "4"]);
    let covered = number(&summary, "goals_covered");
    assert_eq!(covered, number(&summary, "goals_total"), "{summary}");
    assert_eq!(covered, 29, "{summary}");
    has(
        &tests("Signals", &["-m", "isStop"]),
        "enumSet = EnumSet.noneOf(Light.class); enumSet.add(RED); Signals.isStop(enumSet) // returned true",
    );
}

#[test]
fn calls_on_which_the_solver_stands_still_are_repeated_on_fixed_numbers() {
    for method in [
        "isLoud", "isLong", "digits", "isSteep", "isSunday", "isSide",
    ] {
        let summary = summary("Gauges", &["-m", method]);
        let covered = number(&summary, "goals_covered");
        let total = number(&summary, "goals_total");
        assert_eq!((covered, total), (2, 2), "{method}: {summary}");
    }
}

#[test]
fn statements_before_a_repeated_call_keep_their_objects() {
    // The first path of the statement before ends by an exception.
    let summary = summary("Spring", &["-m", "isTight"]);
    assert_eq!(number(&summary, "goals_covered"), 2, "{summary}");
}

#[test]
#[ignore = "long"]
fn texts_that_code_parses_grow_character_by_character() {
    for (class, branches) in [("Notation", 33), ("Lexicon", 17)] {
        let summary = summary(class, &[]);
        let covered = number(&summary, "goals_covered");
        let total = number(&summary, "goals_total");
        assert_eq!((covered, total), (branches, branches), "{class}: {summary}");
    }
    // The user's bound holds in this search as well.
    let bound = ["--max-elements", "3"];
    let short = summary("Notation", &[&bound[..], &SHORTLY].concat());
    assert_eq!(number(&short, "goals_covered"), 32, "{short}");
}

#[test]
fn threads_run_where_tests_are_looked_for() {
    for (method, branches) in [("sum", 2), ("sign", 3), ("isLong", 2), ("hasMany", 4)] {
        let summary = summary("Crew", &["-m", method]);
        let covered = number(&summary, "goals_covered");
        let total = number(&summary, "goals_total");
        assert_eq!(
            (covered, total),
            (branches, branches),
            "{method}: {summary}"
        );
    }
    let (code, told) = refused("Crew", &["-m", "idle"]);
    assert_eq!(code, Some(3), "{told}");
    assert!(told.contains("deadlock: main is parked"), "{told}");
    assert!(told.contains("idle:57 not equal: not reached"), "{told}");
    for (method, why) in [
        ("spin", "a thread that it starts does not come to rest"),
        ("isSlow", "it waits for more than two seconds"),
        ("race", "it depends on when the threads that it starts run"),
    ] {
        let (code, told) = refused("Crew", &["-m", method]);
        assert_eq!(code, Some(4), "{told}");
        assert!(told.contains(why), "{told}");
        assert!(told.contains("other schedules of threads"), "{told}");
    }
}

#[test]
fn wrong_requests_are_refused() {
    let cases: [(&str, &[&str], &str); 16] = [
        ("BadInit", &[], "class sequences.BadInit cannot be used"),
        ("Nowhere", &[], "class sequences.Nowhere not found"),
        ("IntStack", &["-m", "gone"], "has no method gone; it has"),
        (
            "IntStack",
            &["-m", "push(long)"],
            "has no method push(long)",
        ),
        ("IntStack", &["--system", "a.B"], "class a.B not found"),
        (
            "IntStack",
            &["--setup", "create"],
            "--setup create: a class and a method",
        ),
        (
            "IntStack",
            &["--setup", "a.B.create"],
            "class a.B not found",
        ),
        (
            "IntStack",
            &["--setup", "sequences.IntStack.pop"],
            "there is no such static method without parameters",
        ),
        (
            "IntStack",
            &["--values", "int"],
            "--values int: a type, = and values",
        ),
        ("IntStack", &["--values", "int=a"], "\"a\" is no int"),
        ("IntStack", &["--values", "byte=200"], "\"200\" is no byte"),
        (
            "IntStack",
            &["--values", "String=a"],
            "String is no primitive type",
        ),
        ("IntStack", &["--include", "none.*"], "that fits none.*"),
        ("IntStack", &["--include", "("], "is no regular expression"),
        (
            "IntStack",
            &["--format", "junit"],
            "name their folder with -o",
        ),
        (
            "IntStack",
            &["--json", "--print-analysis"],
            "cannot be used with",
        ),
    ];
    for (class, arguments, sentence) in cases {
        says(class, arguments, 2, sentence);
    }
}

#[test]
fn nothing_to_test_is_said() {
    says(
        "IntStack",
        &["--exclude", ".*"],
        4,
        "nothing to run: --include and --exclude leave no method of sequences.IntStack",
    );
    says(
        "Canvas$Shape",
        &[],
        4,
        "nothing to test: no method of sequences.Canvas$Shape has code",
    );
}

/// Arguments of a search with a path for each combination of 333 booleans.
const ENDLESS: [&str; 6] = [
    "--goal",
    "paths",
    "--paths-per-call",
    "1000000",
    "--max-paths",
    "1000000000",
];

#[test]
fn limits_keep_what_was_found() {
    let is_large = "Branchy.isLarge(10) // returned true";
    let has_found = |output: &Output| text(&output.stdout).contains(is_large);
    let endless = |limit: &str| {
        let limit = ["--time-limit", limit];
        sequences("Branchy", &[&limit[..], &ENDLESS].concat())
    };
    for (limit, output) in [
        ("--max-paths", sequences("Branchy", &["--max-paths", "40"])),
        ("--time-limit", with_enough_time(600, endless, has_found)),
    ] {
        assert_eq!(output.status.code(), Some(3), "{limit}: {output:?}");
        assert!(has_found(&output), "{limit}: {output:?}");
        let told = text(&output.stderr);
        assert!(told.contains(&format!("stopped by {limit}")), "{told}");
    }
    // The limit also applies at the last length.
    let arguments = ["--max-length", "2", "--max-paths", "3"];
    let counts = summary("IntStack", &arguments);
    assert_eq!(
        (&counts["status"], number(&counts, "max_length")),
        (&Value::from("stopped"), 1)
    );
    assert_eq!(counts["stopped_by"], "--max-paths");
}

#[test]
fn objects_that_only_the_package_makes_are_made() {
    let (_, told) = refused("Stamp", &[]);
    let sentence = "nothing public makes objects of sequences.Stamp: tests, which are in its package, call \
                    what the package may (--access package)";
    assert!(told.contains(sentence), "{told}");
    assert_eq!(
        tests("Stamp", &[]),
        [
            "stamp = new Stamp(0); stamp.isDear() // returned false",
            "stamp = new Stamp(101); stamp.isDear() // returned true",
        ]
    );
}

#[test]
fn package_private_and_generic_classes_are_tested() {
    let (_, told) = refused(
        "Calculation",
        &["--include", "calculate", "--include", "<init>"],
    );
    assert!(
        told.contains("nothing of sequences.Calculation is public"),
        "{told}"
    );
    let counts = summary("Generic", &[]);
    assert_eq!(
        number(&counts, "goals_covered"),
        number(&counts, "goals_total")
    );
    // Constants are receivers, too.
    let passes = tests("Grades$Grade", &["-m", "passes"]);
    assert_eq!(passes.len(), 2, "{passes:?}");
}
