//! Tests of sequences: they compile without a warning, pass on real JVMs with assertions enabled,
//! and cover there, line by line, the branches that the program reports.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use expect_test::expect;
use heapwright_testkit::coverage::{Coverage, Share, coverage};
use heapwright_testkit::fixtures::{Fixture, compile, files, project};
use heapwright_testkit::jdk::{all_jdks, compilers, jdks};
use heapwright_testkit::junit;

use crate::common::program;

const STRICT: [&str; 4] = ["-Xlint:all", "-Werror", "--release", "17"];

/// Compiled fixtures, with line numbers for the goals.
fn classes() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| {
        Fixture::new(&["-g", "-nowarn", "--release", "17"])
            .package("sequences")
            .classes()
    })
}

fn sequences(class: &str, arguments: &[&str]) -> Output {
    program()
        .args([
            "sequences",
            "--no-config",
            "--junit-check",
            "none",
            "-c",
            class,
            "-p",
        ])
        .arg(classes())
        .args(["--jdk", jdks()[0].home.to_str().unwrap()])
        // Oracles are tested elsewhere.
        .args(["--expect-exception", "Throwable"])
        .args(arguments)
        .output()
        .unwrap()
}

/// Covered and total branches by line.
type Lines = BTreeMap<u32, Share>;

/// Result of writing the tests of a class.
struct Written {
    tests: usize,
    /// Branches by line, from the goal table.
    lines: Lines,
    /// Covered goals according to the summary; for methods without branches the call counts.
    covered: u32,
    total: u32,
}

/// Writes tests for a class into a folder.
fn write(folder: &Path, class: &str, arguments: &[&str]) -> Written {
    let to = ["--table", "-o", folder.to_str().unwrap()];
    let output = sequences(class, &[&to, arguments].concat());
    let code = output.status.code();
    assert!(code == Some(0) || code == Some(3), "{class}: {output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    let mut lines = Lines::new();
    for row in printed.lines().filter_map(|line| line.strip_prefix("  ")) {
        let (goal, fate) = row.split_once(": ").unwrap();
        let place = goal.split(' ').next().unwrap();
        // Calls of methods without branches have no line.
        let Some((_, line)) = place.rsplit_once(':') else {
            continue;
        };
        let share = lines.entry(line.parse().unwrap()).or_default();
        share.total += 1;
        share.covered += u32::from(fate.starts_with("covered"));
    }
    let mut unindented = printed.lines().filter(|line| !line.starts_with("  "));
    let summary = unindented.find(|line| line.contains(" for ")).unwrap();
    let numbers = summary.split([' ', ';', ',']);
    let numbers: Vec<u32> = numbers.filter_map(|word| word.parse().ok()).collect();
    Written {
        tests: numbers[0] as usize,
        lines,
        covered: numbers[1],
        total: numbers[2],
    }
}

/// Compiles the tests in a folder, with every warning an error, by the newest and the oldest
/// compiler.
fn build(source: &Path, to: &Path) {
    let jars = junit::jars();
    let class_path = [
        jars.console,
        jars.junit4,
        jars.hamcrest,
        classes().to_owned(),
    ];
    let all = compilers();
    for compiler in [&all[all.len() - 1], &all[0]] {
        compile(compiler, &files(source, "java"), &class_path, to, &STRICT);
    }
}

/// Runs tests on every JVM, and returns the coverage on the first that can measure it.
fn run(built: &Path, tests: usize, included: fn(&str) -> bool) -> Coverage {
    let mut measured = None;
    for jdk in all_jdks() {
        let report = if jdk.has_compiler() && measured.is_none() {
            let coverage = coverage(&jdk, classes(), built, &[], included);
            measured.insert(coverage).tests.clone()
        } else {
            let mut java = jdk.java();
            java.arg("-ea");
            let class_path = [built.to_owned(), classes().to_owned()];
            let all = ["--scan-classpath".into(), built.into()];
            junit::launch(java, &class_path, &all)
        };
        let counts = (report.found, report.succeeded);
        assert_eq!(counts, (tests, tests), "{}", report.output);
    }
    measured.unwrap()
}

/// Classes with further arguments and the number of branches that no test can reach.
const CLASSES: [(&str, &[&str], u32); 82] = [
    ("IntStack", &[], 0),
    ("UBStack", &[], 0),
    ("BinSearchTree", &[], 0),
    ("BinomialHeap", &[], 0),
    ("LinkedList", &[], 0),
    ("TreeMap", &[], 12),
    ("HeapArray", &[], 0),
    ("Bmi", &["-m", "category(int,int)"], 0),
    ("Gcd", &["--loop-k", "2"], 0),
    // Unreachable: a product that does not overflow.
    ("Overflow", &[], 1),
    ("Boundaries", &[], 0),
    ("LookUp", &[], 0),
    ("Buffer", &[], 0),
    ("Wide", &[], 0),
    ("Wide2", &[], 0),
    ("Grades", &[], 0),
    ("Grades$Grade", &[], 0),
    ("Generic", &[], 0),
    ("Inner", &[], 0),
    ("Inner$Counter", &[], 0),
    ("Locked", &[], 0),
    ("Exceptions", &[], 0),
    ("Calculation", &[], 0),
    ("CoinBox", &[], 0),
    ("TemperatureMonitor", &[], 0),
    ("Tally", &[], 0),
    ("Friend", &[], 0),
    ("Grid", &[], 0),
    ("Canvas", &[], 0),
    ("Palette", &[], 0),
    ("Registry", &[], 0),
    ("Settings", &[], 0),
    ("Statics$Journal", &[], 0),
    ("Statics$Log", &[], 0),
    ("Statics$Ids", &[], 0),
    ("Statics$Options", &[], 0),
    ("Statics$Lazy", &[], 0),
    ("Statics$Slots", &[], 0),
    ("Statics$Board", &[], 0),
    ("Statics$Doubling", &[], 0),
    // Unreachable: a query of a map that no code fills again.
    ("Statics$Prices", &[], 1),
    ("Statics$Uncounted", &[], 0),
    ("Shapes$Square", &[], 0),
    ("Shapes$Rectangle", &[], 0),
    ("Pipeline", &[], 0),
    ("EventBus", &[], 0),
    ("Sorter", &[], 0),
    ("Inventory", &[], 0),
    ("Kinds", &[], 0),
    ("Measures", &[], 0),
    ("Deferred", &[], 0),
    ("Lease", &[], 0),
    ("Door", &[], 0),
    ("Ledger", &[], 0),
    ("Shelf", &[], 0),
    ("Totals", &[], 0),
    ("Handlers", &[], 0),
    ("Sums", &[], 0),
    // Goals that the solver leaves unknown at first are tried again.
    ("Chess", &[], 0),
    // Forks in the library and in a class without goals lead to new outcomes.
    ("Luhn", &[], 0),
    // A call of the interface's method covers the body of a lambda that a method returned.
    ("Validator", &[], 0),
    // Abstract classes and interfaces that nothing implements.
    ("Stubbed", &[], 0),
    // Stubs whose methods do something else on each call, some of them loops without an end.
    ("Scripted", &["--max-steps", "100000"], 0),
    (
        "Answered",
        &["-m", "found", "-m", "hasDebt", "-m", "isOpened"],
        0,
    ),
    ("Stubbed$Gauge", &[], 0),
    // Texts that code parses, and work of other threads.
    ("Notation", &[], 0),
    ("Lexicon", &[], 0),
    (
        "Crew",
        &["-m", "sum", "-m", "sign", "-m", "isLong", "-m", "hasMany"],
        0,
    ),
    ("Polygon", &[], 0),
    // Objects that only other packages make, and objects of the JDK.
    ("makers.Plug", &[], 0),
    ("makers.Post", &[], 0),
    ("Library", &[], 0),
    // Collections of constants, classes of enums, members of classes.
    ("Signals", &["--max-elements", "4"], 0),
    // Records, sealed hierarchies, type parameters with bounds, nested and inner classes. No stub
    // extends a class of a sealed hierarchy.
    ("Estate", &["--max-paths", "10000"], 4),
    ("Estate$Field", &[], 0),
    ("Estate$House", &[], 0),
    ("Estate$Tower", &[], 0),
    ("Estate$Span", &[], 0),
    ("Estate$Register", &[], 0),
    ("Estate$Register$Entry", &[], 0),
    ("Estate$Wing$Room", &[], 0),
    // Only an instance of an implementing class would reach these; no lambda does.
    ("Spelled", &[], 2),
];

#[test]
#[ignore = "long"]
fn tests_pass_and_cover_what_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let (source, built) = (folder.path().join("source"), folder.path().join("built"));
    let mut tests = 0;
    let mut told: BTreeMap<String, Lines> = BTreeMap::new();
    for (class, arguments, missed) in CLASSES {
        let written = write(&source, &format!("sequences.{class}"), arguments);
        assert!(written.covered > 0, "{class}");
        assert_eq!(written.total - written.covered, missed, "{class}");
        tests += written.tests;
        let file = class.split('$').next().unwrap().replace('.', "/");
        let lines = told.entry(format!("sequences/{file}.java")).or_default();
        lines.extend(written.lines);
    }
    build(&source, &built);
    let measured = run(&built, tests, |name| name.starts_with("sequences."));
    for (file, lines) in &told {
        let on = |line: &u32| measured.sources[file][line].branches;
        let seen: Lines = lines.keys().map(|line| (*line, on(line))).collect();
        assert_eq!(&seen, lines, "{file}");
    }
}

/// A thread may end between the call under test and an observer.
#[test]
fn what_other_threads_may_change_is_not_asserted() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "sequences.Crew", &["-m", "close"]);
    let tests = files(folder.path(), "java");
    let text = std::fs::read_to_string(&tests[0]).unwrap();
    assert!(text.contains("crew.close("), "{text}");
    assert!(!text.contains("isHome"), "{text}");
}

/// Tests of generic classes of the JDK have type arguments, and suppress no warning.
#[test]
#[ignore = "long"]
fn tests_of_the_library_are_of_known_types() {
    let folder = tempfile::tempdir().unwrap();
    let (source, built) = (folder.path().join("source"), folder.path().join("built"));
    let bounded: [&str; 2] = ["--max-paths", "2000"];
    let classes: [(&str, &[&str]); 4] = [
        ("java.util.Optional", &[]),
        ("java.util.StringJoiner", &bounded),
        ("java.util.ArrayDeque", &bounded),
        ("java.util.TreeMap", &bounded),
    ];
    let written = classes.map(|(class, arguments)| write(&source, class, arguments).tests);
    for path in files(&source, "java") {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains("SuppressWarnings"), "{text}");
    }
    build(&source, &built);
    run(&built, written.iter().sum(), |_| false);
}

/// Classes whose tests change static state that other tests read.
const STATIC: [&str; 8] = [
    "Registry",
    "Settings",
    "Statics$Journal",
    "Statics$Ids",
    "Statics$Options",
    "Statics$Lazy",
    "Statics$Slots",
    "Statics$Board",
];

/// Runs tests in the order of a seed, and returns the number of passing tests.
fn passing(built: &Path, seed: u32) -> (usize, String) {
    let order = "junit.jupiter.testmethod.order.default=org.junit.jupiter.api.MethodOrderer$Random";
    let seed = format!("junit.jupiter.execution.order.random.seed={seed}");
    let mut options = Vec::new();
    for option in [order, &seed] {
        options.extend(["--config".into(), option.into()]);
    }
    options.extend(["--scan-classpath".into(), built.into()]);
    let class_path = [built.to_owned(), classes().to_owned()];
    let report = junit::launch(jdks()[0].java(), &class_path, &options);
    (report.succeeded, report.output)
}

#[test]
fn tests_pass_in_any_order() {
    // Seeds near each other give similar orders.
    const SEEDS: [u32; 6] = [
        3,
        1_000_003,
        77_777_777,
        123_456_789,
        987_654_321,
        2_000_000_011,
    ];
    let folder = tempfile::tempdir().unwrap();
    let (source, built) = (folder.path().join("source"), folder.path().join("built"));
    let written = STATIC.map(|class| write(&source, &format!("sequences.{class}"), &[]).tests);
    let tests: usize = written.iter().sum();
    build(&source, &built);
    for seed in SEEDS {
        let (passed, output) = passing(&built, seed);
        assert_eq!(passed, tests, "seed {seed}: {output}");
    }
    // In each class, resetting before each test, and again behind it, is what makes the tests
    // independent.
    for path in files(&source, "java") {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut without = text.clone();
        for annotation in ["    @BeforeEach\n", "    @AfterEach\n"] {
            without = without.replacen(annotation, "", 1);
        }
        assert_ne!(text, without, "{}", path.display());
        std::fs::write(&path, without).unwrap();
    }
    let apart = folder.path().join("apart");
    let class_path = [junit::jars().console, classes().to_owned()];
    let sources = files(&source, "java");
    let options = ["-nowarn", "--release", "17"];
    compile(&compilers()[0], &sources, &class_path, &apart, &options);
    let failing = SEEDS.map(|seed| passing(&apart, seed).1);
    for class in STATIC {
        let class = format!("{}HeapwrightTest", class.replace('$', ""));
        let fails = |output: &String| {
            // The output is a tree of classes with their tests.
            let mut lines = output.lines();
            lines.any(|line| line.contains(&class))
                && lines
                    .take_while(|line| !line.contains("HeapwrightTest"))
                    // The second is the sign where the terminal's characters are ASCII.
                    .any(|line| line.contains('✘') || line.contains("[X]"))
        };
        assert!(failing.iter().any(fails), "{class}: {failing:?}");
    }
}

/// Settings of a JVM that tests change are as before for the tests behind them.
#[test]
fn settings_of_the_machine_are_put_back() {
    const RECORD: &str = r#"
        package sequences;

        import java.util.Arrays;
        import java.util.List;
        import java.util.Locale;
        import java.util.TimeZone;
        import org.junit.jupiter.api.Test;

        class AFirstTest {
            static List<Object> before;

            static List<Object> settings() {
                return Arrays.asList(
                        TimeZone.getDefault(),
                        Locale.getDefault(),
                        Locale.getDefault(Locale.Category.FORMAT),
                        System.identityHashCode(System.getProperties()),
                        System.getProperties().clone(),
                        System.out,
                        System.err,
                        Thread.getDefaultUncaughtExceptionHandler(),
                        Thread.currentThread().getContextClassLoader(),
                        Thread.currentThread().isInterrupted());
            }

            @Test
            void records() {
                before = settings();
            }

        }
    "#;
    const COMPARISON: &str = r#"
        package sequences;

        import org.junit.jupiter.api.Assertions;
        import org.junit.jupiter.api.Test;

        class ZLastTest {
            @Test
            void finds() {
                Assertions.assertEquals(AFirstTest.before, AFirstTest.settings());
            }
        }
    "#;
    let folder = tempfile::tempdir().unwrap();
    let (source, built) = (folder.path().join("source"), folder.path().join("built"));
    let arguments = ["-o", source.to_str().unwrap()];
    let output = sequences("sequences.Switches", &arguments);
    let notices = String::from_utf8(output.stderr).unwrap();
    assert!(
        notices.contains(
            "in no test: it calls java.net.URL.setURLStreamHandlerFactory, which can be called once in a JVM"
        ),
        "{notices}"
    );
    let own = source.join("sequences/SwitchesHeapwrightTest.java");
    let text = std::fs::read_to_string(&own).unwrap();
    let found = text.lines().map(str::trim);
    let found = found.filter(|line| {
        line.starts_with("private final") || line.contains(".set") || line.contains(".clear")
    });
    expect![[r#"
        private final TimeZone initialTimeZone = TimeZone.getDefault();
        private final Locale initialLocale = Locale.getDefault();
        private final Locale initialDisplayLocale = Locale.getDefault(Locale.Category.DISPLAY);
        private final Locale initialFormatLocale = Locale.getDefault(Locale.Category.FORMAT);
        private final Properties initialProperties = System.getProperties();
        private final String initialProperty = System.getProperty("java.io.tmpdir");
        private final String initialProperty2 = System.getProperty("sequences.mode");
        private final PrintStream initialOut = System.out;
        private final PrintStream initialErr = System.err;
        private final Thread.UncaughtExceptionHandler initialExceptionHandler = Thread.getDefaultUncaughtExceptionHandler();
        private final ClassLoader initialContextLoader = Thread.currentThread().getContextClassLoader();
        TimeZone.setDefault(initialTimeZone);
        Locale.setDefault(initialLocale);
        Locale.setDefault(Locale.Category.DISPLAY, initialDisplayLocale);
        Locale.setDefault(Locale.Category.FORMAT, initialFormatLocale);
        System.setProperties(initialProperties);
        System.clearProperty("java.io.tmpdir");
        System.setProperty("java.io.tmpdir", initialProperty);
        System.clearProperty("sequences.mode");
        System.setProperty("sequences.mode", initialProperty2);
        System.setOut(initialOut);
        System.setErr(initialErr);
        Thread.setDefaultUncaughtExceptionHandler(initialExceptionHandler);
        Thread.currentThread().setContextClassLoader(initialContextLoader);
    "#]]
    .assert_eq(&found.map(|line| format!("{line}\n")).collect::<String>());
    // What is as before needs nothing.
    let apart = folder.path().join("visit");
    let arguments = ["-m", "visit", "-o", apart.to_str().unwrap()];
    sequences("sequences.Switches", &arguments);
    let visit =
        std::fs::read_to_string(apart.join("sequences/SwitchesHeapwrightTest.java")).unwrap();
    assert!(!visit.contains("putBackStatics"), "{visit}");
    for (class, text) in [("AFirstTest", RECORD), ("ZLastTest", COMPARISON)] {
        std::fs::write(source.join(format!("sequences/{class}.java")), text).unwrap();
    }
    build(&source, &built);
    let run = |built: &Path| {
        let order =
            "junit.jupiter.testclass.order.default=org.junit.jupiter.api.ClassOrderer$ClassName";
        let mut options: Vec<std::ffi::OsString> = vec!["--config".into(), order.into()];
        for class in ["AFirstTest", "SwitchesHeapwrightTest", "ZLastTest"] {
            options.extend(["-c".into(), format!("sequences.{class}").into()]);
        }
        let mut java = jdks()[0].java();
        java.arg("-ea");
        junit::launch(java, &[built.to_owned(), classes().to_owned()], &options)
    };
    let report = run(&built);
    assert_eq!(report.found, report.succeeded, "{}", report.output);
    // What runs behind each test is what puts them back.
    std::fs::write(&own, text.replacen("    @AfterEach\n", "", 1)).unwrap();
    let apart = folder.path().join("apart");
    let class_path = [junit::jars().console, classes().to_owned()];
    let sources = files(&source, "java");
    compile(
        &compilers()[0],
        &sources,
        &class_path,
        &apart,
        &["-nowarn", "--release", "17"],
    );
    let report = run(&apart);
    assert!(report.output.contains("finds()"), "{}", report.output);
    assert_eq!(report.failed, 1, "{}", report.output);
}

#[test]
fn tests_for_junit_4_pass() {
    let folder = tempfile::tempdir().unwrap();
    let (source, built) = (folder.path().join("source"), folder.path().join("built"));
    let classes = [
        "HeapArray",
        "Exceptions",
        "Grades",
        "Inner$Counter",
        "Statics$Journal",
        "Statics$Options",
        "Ticket",
    ];
    let written = classes.map(|class| {
        let class = format!("sequences.{class}");
        write(&source, &class, &["--junit", "4", "--assert-fields"]).tests
    });
    for path in files(&source, "java") {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("import org.junit.Test;"), "{text}");
    }
    build(&source, &built);
    run(&built, written.iter().sum(), |_| false);
}

/// Classes of the game.
const OF_GAME: [&str; 17] = [
    "Board",
    "Cell",
    "Direction",
    "Engine",
    "Food",
    "Game",
    "History",
    "Monster",
    "MonsterMove",
    "Move",
    "Piece",
    "Player",
    "PlayerMove",
    "Scores",
    "Walker",
    "Wall",
    "WorldFactory",
];

/// Sequences of six statements reach 95 of the 100 lines that the handwritten suite covers, without
/// information about the game.
#[test]
#[ignore = "long"]
fn a_game_is_covered_as_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let (source, built) = (folder.path().join("source"), folder.path().join("built"));
    let bounds = [
        "--access",
        "package",
        "--invariant",
        "none",
        "--max-length",
        "6",
        "--max-paths",
        "100000",
    ];
    let tests =
        OF_GAME.map(|class| write(&source, &format!("sequences.game.{class}"), &bounds).tests);
    let tests = tests.into_iter().sum();
    build(&source, &built);
    let of_game: fn(&str) -> bool = |name| name.starts_with("sequences.game.");
    let generated = run(&built, tests, of_game).total.lines;
    let by_hand = Fixture::new(&["--release", "17", "-nowarn"])
        .against(&junit::jars().console)
        .against(classes())
        .folder(&project().join("fixtures/tests/sequences"))
        .classes();
    let measured = coverage(&compilers()[0], classes(), &by_hand, &[], of_game);
    assert_eq!(measured.tests.failed, 0, "{}", measured.tests.output);
    let wanted = measured.total.lines.covered;
    let percent = 100 * generated.covered / wanted;
    assert!(percent >= 95, "{} of {wanted} lines", generated.covered);
}
