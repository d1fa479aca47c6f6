//! Every statement of a written test is necessary: without it the calls under test cover fewer
//! branches on a real JVM, measured by JaCoCo.
//!
//! A package contains the class under test with its tests, where one statement of one test is
//! missing; thus one run measures all variants. The agent discards the coverage before each call
//! under test. Assertions and observers do not count.

use std::fs;
use std::path::{Path, PathBuf};

use heapwright_testkit::coverage::{Coverage, coverage};
use heapwright_testkit::fixtures::{Fixture, compile, project};
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;

use crate::common::program;

const CLASSES: [&str; 7] = [
    "IntStack",
    "HeapArray",
    "BinSearchTree",
    "LinkedList",
    "CoinBox",
    "Calculation",
    "TemperatureMonitor",
];

/// Assertions that always pass.
const LENIENT: &str = "package lenient;
    public final class Assertions {
        public interface Executable { void execute() throws Throwable; }
        /** What was covered so far is forgotten. */
        public static void begin() {
            tell(\"reset\", new Class<?>[0]);
        }
        /** What was covered since is written down. */
        public static void end() {
            tell(\"dump\", new Class<?>[] {boolean.class}, true);
        }
        private static void tell(String what, Class<?>[] types, Object... arguments) {
            try {
                Object agent = Class.forName(\"org.jacoco.agent.rt.RT\").getMethod(\"getAgent\").invoke(null);
                Class.forName(\"org.jacoco.agent.rt.IAgent\").getMethod(what, types).invoke(agent, arguments);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        public static void assertEquals(Object expected, Object actual) { }
        public static void assertEquals(double expected, double actual, double delta) { }
        public static void assertSame(Object expected, Object actual) { }
        public static void assertTrue(boolean condition) { }
        public static void assertFalse(boolean condition) { }
        public static void assertAll(Executable... assertions) { }
        public static void assertNull(Object actual) { }
        public static void assertNotNull(Object actual) { }
        public static <T extends Throwable> T assertThrows(Class<T> expected, Executable executable) {
            try {
                executable.execute();
                return null;
            } catch (Throwable any) {
                return expected.cast(any);
            }
        }
    }";

/// Test class whose tests end with the call under test.
#[derive(Clone)]
struct Suite {
    lines: Vec<String>,
    /// Lines of statements before calls under test, each with the end of its test.
    before: Vec<(usize, usize)>,
}

impl Suite {
    fn read(text: &str) -> Suite {
        let mut suite = Suite {
            lines: Vec::new(),
            before: Vec::new(),
        };
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            suite.lines.push(line.to_owned());
            let indentation = &line[..line.len() - line.trim_start().len()];
            if !line.trim_start().starts_with("void ") {
                continue;
            }
            let end = format!("{indentation}}}");
            let body: Vec<&str> =
                std::iter::from_fn(|| lines.next_if(|line| *line != end)).collect();
            let mut parts = body.splitn(2, |line| line.is_empty());
            let (first, second) = (parts.next().unwrap(), parts.next());
            // Nothing precedes a constructor under test.
            let (arranged, act) = second.map_or((&[][..], first), |second| (first, second));
            let start = suite.lines.len();
            let arranged = arranged.iter().map(|line| (*line).to_owned());
            suite.lines.extend(arranged);
            let end = suite.lines.len();
            // A long statement is broken into lines.
            let ends = |line: &&str| line.ends_with(';');
            let length = act.iter().position(ends).map_or(1, |last| last + 1);
            let act: Vec<&str> = act[..length].iter().map(|line| line.trim()).collect();
            let act = act.join(" ");
            suite.lines.push(format!(
                "Assertions.begin(); try {{ {act} }} finally {{ Assertions.end(); }}"
            ));
            suite
                .before
                .extend((start..end).map(|line| (line, end + 1)));
        }
        suite
    }

    /// Whether a later line uses the variable that a line declares.
    fn is_used(&self, (line, end): (usize, usize)) -> bool {
        let Some((declared, _)) = self.lines[line].split_once(" = ") else {
            return false;
        };
        let name = declared.rsplit(' ').next().unwrap();
        let words = |line: &String| {
            let mut words = line.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
            words.any(|word| word == name)
        };
        self.lines[line + 1..end].iter().any(words)
    }

    fn without(&self, line: usize) -> Suite {
        let mut shorter = self.clone();
        shorter.lines.remove(line);
        shorter
    }

    /// Copy of the suite with a duplicated statement.
    fn with_one_too_many(&self, line: usize) -> Suite {
        let mut longer = self.clone();
        longer.lines.insert(line, self.lines[line].clone());
        longer
    }
}

/// Writes tests for a class.
fn written(classes: &Path, class: &str, folder: &Path) -> Suite {
    let output = program()
        .args(["sequences", "--no-config", "--junit-check", "none", "-p"])
        .arg(classes)
        .args(["--jdk", jdks()[0].home.to_str().unwrap()])
        .args(["-c", &format!("sequences.{class}"), "-o"])
        .arg(folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let file = format!("sequences/{class}HeapwrightTest.java");
    Suite::read(&fs::read_to_string(folder.join(file)).unwrap())
}

/// Writes a class and its tests into a package.
fn put(folder: &Path, package: &str, class: &str, suite: &Suite) -> [PathBuf; 2] {
    let source = project().join(format!("fixtures/src/sequences/{class}.java"));
    let source = fs::read_to_string(source).unwrap();
    let test = suite.lines.join("\n");
    let test = test.replace("org.junit.jupiter.api.Assertions", "lenient.Assertions");
    let test = test.replacen(
        "\nimport org.junit",
        "\nimport lenient.Assertions;\nimport org.junit",
        1,
    );
    [
        ("classes", class, source),
        ("tests", &format!("{class}Test"), test),
    ]
    .map(|(below, name, text)| {
        let text = text.replacen("package sequences;", &format!("package {package};"), 1);
        let text = text.replace(
            &format!("class {class}HeapwrightTest"),
            &format!("class {name}"),
        );
        let file = folder
            .join(below)
            .join(package)
            .join(format!("{name}.java"));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
        file
    })
}

/// Number of covered branches of the classes of a package.
fn branches(coverage: &Coverage, package: &str) -> u32 {
    let classes = coverage.classes.iter();
    let own = classes.filter(|(name, _)| name.split('.').next() == Some(package));
    own.map(|(_, class)| class.counters.branches.covered).sum()
}

#[test]
#[ignore = "long"]
fn no_statement_can_go() {
    let folder = tempfile::tempdir().unwrap();
    let jdk = &compilers()[0];
    let [classes, tests] = ["built", "built-tests"].map(|name| folder.path().join(name));
    let options = ["-g", "-nowarn", "--release", "17"];
    let fixtures = Fixture::new(&options).package("sequences").classes();

    let (mut sources, mut suites) = (Vec::new(), Vec::new());
    // Packages of the whole suite and of the suite without a statement, and that statement.
    let mut shorter: Vec<(String, String, String)> = Vec::new();
    let mut longer: Vec<(String, String)> = Vec::new();
    let mut keep = |package: &str, class: &str, suite: &Suite| {
        let [source, test] = put(folder.path(), package, class, suite);
        sources.push(source);
        suites.push(test);
    };
    for class in CLASSES {
        let whole = written(&fixtures, class, &folder.path().join("written"));
        let name = class.to_lowercase();
        keep(&name, class, &whole);
        for &(line, end) in &whole.before {
            if whole.is_used((line, end)) {
                continue;
            }
            let package = format!("{name}_without_{line}");
            keep(&package, class, &whole.without(line));
            let text = format!("{class}: {}", whole.lines[line].trim());
            shorter.push((name.clone(), package, text));
        }
        // The check finds a redundant call.
        let first = whole.before.iter().find(|&&at| !whole.is_used(at));
        if let Some(&(line, _)) = first {
            let package = format!("{name}_twice");
            keep(&package, class, &whole.with_one_too_many(line));
            longer.push((name, package));
        }
    }
    let lenient = folder.path().join("Assertions.java");
    fs::write(&lenient, LENIENT).unwrap();
    suites.push(lenient);
    compile(jdk, &sources, &[], &classes, &options);
    let class_path = [junit::jars().console, classes.clone()];
    compile(jdk, &suites, &class_path, &tests, &options);
    let measured = coverage(jdk, &classes, &tests, &[], |_| true);
    assert!(
        shorter.len() > 20,
        "only {} statements were taken away",
        shorter.len()
    );
    let needless = shorter
        .iter()
        .filter(|(whole, without, _)| branches(&measured, without) >= branches(&measured, whole));
    let needless: Vec<&String> = needless.map(|(.., text)| text).collect();
    assert!(needless.is_empty(), "{needless:#?}");
    let unseen = longer
        .iter()
        .filter(|(whole, twice)| branches(&measured, whole) == branches(&measured, twice));
    assert!(unseen.count() > 0);
}
