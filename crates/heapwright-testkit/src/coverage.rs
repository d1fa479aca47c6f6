//! Coverage of classes by JUnit tests on a real JVM, measured by JaCoCo.
//!
//! Counts are JaCoCo's own, with assertions enabled. Both outcomes of an `assert` are branches,
//! but the test whether assertions are enabled is none. Bridge methods and other code without a
//! source line do not count.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};

use roxmltree::{Document, Node, ParsingOptions};

use crate::jars::fetched;
use crate::jdk::Jdk;
use crate::junit::{self, LauncherReport};

/// Oldest release that supports the class files of every supported JDK.
const AGENT: &str = "org.jacoco:org.jacoco.agent:0.8.14:jar:runtime";
const REPORTER: &str = "org.jacoco:org.jacoco.cli:0.8.14:jar:nodeps";

/// Covered part of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Covered number.
    pub covered: u32,
    /// Total number.
    pub total: u32,
}

impl Share {
    /// Percentage; 100 if the total is 0.
    #[must_use]
    pub fn percent(self) -> f64 {
        if self.total == 0 {
            return 100.0;
        }
        100.0 * f64::from(self.covered) / f64::from(self.total)
    }
}

impl AddAssign for Share {
    fn add_assign(&mut self, other: Self) {
        self.covered += other.covered;
        self.total += other.total;
    }
}

/// Coverage of one or several classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Source lines, which count as covered if one of their instructions is. A line shared by two
    /// classes, such as that of an anonymous class, counts for each.
    pub lines: Share,
    /// Outcomes of conditional branches and cases of switches.
    pub branches: Share,
    /// Bytecode instructions.
    pub instructions: Share,
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Self) {
        self.lines += other.lines;
        self.branches += other.branches;
        self.instructions += other.instructions;
    }
}

/// Line of a source file, with the code of all classes on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Bytecode instructions.
    pub instructions: Share,
    /// Outcomes of its branches.
    pub branches: Share,
}

/// Coverage of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassCoverage {
    /// Source file relative to the source folder, such as `bank/Account.java`.
    pub source: String,
    /// Own counts, without those of nested classes.
    pub counters: Counters,
}

/// Coverage by a run of tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Results of the tests.
    pub tests: LauncherReport,
    /// Sum over the classes.
    pub total: Counters,
    /// Classes by binary name, without those that have no code.
    pub classes: BTreeMap<String, ClassCoverage>,
    /// Lines with code of each source file, by number from 1.
    pub sources: BTreeMap<String, BTreeMap<u32, Line>>,
}

/// Runs the JUnit tests of the classes `tests` in the folder `test_classes`, or of all classes
/// there if none is named, with assertions enabled. Measures their coverage of the classes in the
/// folder `classes` whose binary names are `included`. Needs a full JDK, because a runtime may
/// lack the module for agents.
///
/// # Panics
/// A jar cannot be fetched, or JUnit or JaCoCo fails. Failing tests are only reported.
#[must_use]
pub fn coverage(
    jdk: &Jdk,
    classes: &Path,
    test_classes: &Path,
    tests: &[&str],
    included: impl Fn(&str) -> bool,
) -> Coverage {
    coverage_with(jdk, (classes, &[]), test_classes, tests, included)
}

/// Does the same as [`coverage`] for classes that need libraries.
///
/// # Panics
/// As [`coverage`].
#[must_use]
pub fn coverage_with(
    jdk: &Jdk,
    (classes, libraries): (&Path, &[PathBuf]),
    test_classes: &Path,
    tests: &[&str],
    included: impl Fn(&str) -> bool,
) -> Coverage {
    let folder = tempfile::tempdir().unwrap_or_else(|error| panic!("no folder: {error}"));
    let data = folder.path().join("jacoco.exec");
    let mut java = jdk.java();
    java.arg("-ea").arg(recording(&data));
    let mut selection: Vec<OsString> = Vec::new();
    if tests.is_empty() {
        selection.extend(["--scan-classpath".into(), test_classes.into()]);
    }
    selection.extend(
        tests
            .iter()
            .map(|test| format!("--select-class={test}").into()),
    );
    let own = [test_classes.to_owned(), classes.to_owned()];
    let class_path = [&own[..], libraries].concat();
    let tests = junit::launch(java, &class_path, &selection);
    match report(jdk, &data, classes) {
        Ok(text) => read(&text, tests, included),
        Err(why) => panic!("JaCoCo wrote no report: {why}\n{}", tests.output),
    }
}

/// Option of `java` with which JaCoCo records into a file what a run executes.
///
/// # Panics
/// A jar cannot be fetched.
pub(crate) fn recording(data: &Path) -> OsString {
    let [agent, _] = tools();
    format!("-javaagent:{}=destfile={}", agent.display(), data.display()).into()
}

/// Sum over the classes in a folder, by what runs recorded; without a record nothing is covered.
///
/// # Errors
/// JaCoCo wrote no report.
///
/// # Panics
/// A jar cannot be fetched, or JaCoCo's report is malformed.
pub(crate) fn recorded(jdk: &Jdk, data: &Path, classes: &Path) -> Result<Counters, String> {
    let text = report(jdk, data, classes)?;
    Ok(read(&text, LauncherReport::default(), |_| true).total)
}

fn tools() -> [PathBuf; 2] {
    fetched("jacoco", [AGENT, REPORTER])
}

/// JaCoCo's report on the classes in a folder.
fn report(jdk: &Jdk, data: &Path, classes: &Path) -> Result<String, String> {
    let [_, reporter] = tools();
    let report = data.with_extension("xml");
    let output = jdk
        .java()
        .arg("-jar")
        .arg(reporter)
        .arg("report")
        .args(data.is_file().then_some(data))
        .arg("--classfiles")
        .arg(classes)
        .arg("--xml")
        .arg(&report)
        .output()
        .map_err(|error| format!("failed to start it: {error}"))?;
    fs::read_to_string(&report)
        .map_err(|error| format!("{error}\n{}", String::from_utf8_lossy(&output.stderr)))
}

/// Parses JaCoCo's report, whose format its `report.dtd` defines.
fn read(xml: &str, tests: LauncherReport, included: impl Fn(&str) -> bool) -> Coverage {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let report = Document::parse_with_options(xml, options)
        .unwrap_or_else(|error| panic!("failed to read JaCoCo's report: {error}"));
    let mut classes = BTreeMap::new();
    let mut sources = BTreeMap::new();
    let mut total = Counters::default();
    for package in children(report.root_element(), "package") {
        for class in children(package, "class") {
            let name = attribute(class, "name").replace('/', ".");
            let Some(file) = class.attribute("sourcefilename") else {
                continue;
            };
            if !included(&name) {
                continue;
            }
            let counters = counters(class);
            total += counters;
            let source = format!("{}/{file}", attribute(package, "name"));
            sources
                .entry(source.clone())
                .or_insert_with(|| lines(package, file));
            classes.insert(name, ClassCoverage { source, counters });
        }
    }
    Coverage {
        tests,
        total,
        classes,
        sources,
    }
}

fn counters(class: Node) -> Counters {
    let share = |kind: &str| {
        children(class, "counter")
            .find(|counter| attribute(*counter, "type") == kind)
            .map_or_else(Share::default, |counter| {
                share(counter, "missed", "covered")
            })
    };
    Counters {
        lines: share("LINE"),
        branches: share("BRANCH"),
        instructions: share("INSTRUCTION"),
    }
}

fn lines(package: Node, file: &str) -> BTreeMap<u32, Line> {
    children(package, "sourcefile")
        .filter(|source| attribute(*source, "name") == file)
        .flat_map(|source| children(source, "line"))
        .map(|line| {
            let of = Line {
                instructions: share(line, "mi", "ci"),
                branches: share(line, "mb", "cb"),
            };
            (number(line, "nr"), of)
        })
        .collect()
}

fn share(node: Node, missed: &str, covered: &str) -> Share {
    let covered = number(node, covered);
    Share {
        covered,
        total: number(node, missed) + covered,
    }
}

fn children<'a, 'i>(
    node: Node<'a, 'i>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'i>> + use<'a, 'i> {
    node.children()
        .filter(move |child| child.has_tag_name(name))
}

fn attribute<'a>(node: Node<'a, '_>, name: &str) -> &'a str {
    node.attribute(name)
        .unwrap_or_else(|| panic!("no {name} in {node:?} of JaCoCo's report"))
}

fn number(node: Node, name: &str) -> u32 {
    let text = attribute(node, name);
    text.parse()
        .unwrap_or_else(|_| panic!("{name} is no number in JaCoCo's report: {text}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixtures::Fixture;
    use crate::jdk::compilers;

    const CLASS: &str = "package p;
        public class Sign {
            public static String of(int i) {
                if (i > 0) {
                    return \"plus\";
                }
                assert i != -9 : \"nine\";
                return i == 0 ? \"zero\" : \"minus\";
            }
            static class Unused {
                int one() { return 1; }
            }
        }";
    const TESTS: &str = "package p;
        import static org.junit.jupiter.api.Assertions.*;
        class SignTest {
            @org.junit.jupiter.api.Test void zero() { assertEquals(\"zero\", Sign.of(0)); }
            @org.junit.jupiter.api.Test void nine() { assertThrows(AssertionError.class, () -> Sign.of(-9)); }
            @org.junit.jupiter.api.Test void wrong() { assertEquals(\"minus\", Sign.of(0)); }
        }
        class OtherTest {
            @org.junit.jupiter.api.Test void one() { assertEquals(1, new Sign.Unused().one()); }
        }";

    /// Compiled classes and tests.
    fn compiled() -> (PathBuf, PathBuf) {
        let fixture = || Fixture::new(&["--release", "17"]);
        let classes = fixture().text("Sign", CLASS).classes();
        let tests = fixture().against(&classes).against(&junit::jars().console);
        let tests = tests.text("SignTest", TESTS).classes();
        (classes, tests)
    }

    #[test]
    fn tests_can_be_named() {
        let (classes, tests) = compiled();
        let jdk = &compilers()[0];
        let measured = coverage(jdk, &classes, &tests, &["p.OtherTest"], |_| true);
        assert_eq!((measured.tests.found, measured.tests.succeeded), (1, 1));
        let lines = |class: &str| measured.classes[class].counters.lines;
        assert_eq!(lines("p.Sign").covered, 0);
        assert_eq!(lines("p.Sign$Unused").percent(), 100.0);
    }

    #[test]
    #[ignore = "long"]
    fn lines_and_branches_are_counted() {
        let (classes, tests) = compiled();
        for jdk in compilers() {
            let measured = coverage(&jdk, &classes, &tests, &["p.SignTest"], |name| {
                name == "p.Sign"
            });
            let counts = (measured.tests.succeeded, measured.tests.failed);
            assert_eq!(counts, (2, 1), "{}", measured.tests.output);
            let names: Vec<&String> = measured.classes.keys().collect();
            assert_eq!(names, ["p.Sign"]);
            let sign = &measured.classes["p.Sign"];
            assert_eq!(sign.counters, measured.total);
            let lines = &measured.sources[&sign.source];
            let covered = |line: u32| lines[&line].instructions.covered > 0;
            assert!(covered(4) && !covered(5) && covered(7) && covered(8));
            // The assertion is covered for both outcomes, the other branches for one.
            for (line, covered) in [(4, 1), (7, 2), (8, 1)] {
                let sides = Share { covered, total: 2 };
                assert_eq!(lines[&line].branches, sides, "line {line}");
            }
            // A line of the nested class counts in the source, but not for the outer class.
            assert_eq!(lines[&11].instructions.covered, 0);
            assert!(sign.counters.lines.total < u32::try_from(lines.len()).unwrap());
        }
    }

    #[test]
    fn of_nothing_everything_is_covered() {
        assert!((Share::default().percent() - 100.0).abs() < 1e-9);
        let quarter = Share {
            covered: 1,
            total: 4,
        };
        assert!((quarter.percent() - 25.0).abs() < 1e-9);
    }
}
