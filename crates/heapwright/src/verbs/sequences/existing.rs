//! Existing tests of the classes of a run: what they cover and notice, and what stays of those that
//! Heapwright wrote before.
//!
//! Invariant: a file that somebody wrote or edited stays as it is. Every test that is removed from
//! another is named with the reason. A test that fails since the code behaves in another way stays
//! until that is accepted, and no new test says the contrary.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use heapwright_jvm::classpath::ClassPath;
use heapwright_jvm::{ClassId, Config, Vm};
use heapwright_suite::MethodSig;
use heapwright_suite::junit::{
    ExistingTest, FileKind, TextFile, default_test_class, existing_tests, without_tests,
};
use heapwright_techniques::existing::ExistingCoverage;
use heapwright_techniques::measure::{
    MeasureProgress, MeasureReport, MeasureRequest, MeasuredOn, TestOutcome, TestResult, measure,
};
use heapwright_techniques::mutation::OperatorGroup;
use heapwright_techniques::read::StructureReader;
use heapwright_techniques::target::find_class;
use heapwright_trial::TestFailure;

use super::args::{CoverageCriterionName, EarlierArgs, SequencesArgs};
use super::summary::{ChangedTest, RemovedTest};
use crate::compiled_tests::CompiledTests;
use crate::files::{Origin, counted, read_test_class, remove_file, rewrite_test_class, tokens_of};
use crate::interrupt::StopSignal;
use crate::junit::{TestWriter, package_of_tests};
use crate::progress::{ProgressLines, show_during};
use crate::report::explain::explain;

/// Maximum number of instructions of a test.
const MAX_STEPS: u64 = 1_000_000_000;
/// Share of the time limit after which no further existing test is run.
const RUNNING: f64 = 0.5;

/// Test that does not compile or fails, and the reason; `None` for the whole class.
type Refusal = (Option<ExistingTest>, String);

/// Existing tests of the classes of a run.
#[derive(Default)]
pub struct ExistingTests {
    /// What they cover and notice; `None` if there are none.
    pub coverage: Option<Arc<ExistingCoverage>>,
    /// Whether a limit ended their runs, so that nothing is known of the mutants that they notice.
    pub is_cut: bool,
    files: Vec<TestFile>,
}

/// Test class in the output folder.
struct TestFile {
    /// Class under test, as the request names it.
    class: String,
    /// Its number among the test classes of the class, from 1.
    number: usize,
    path: PathBuf,
    /// Path in the output folder, with slashes.
    name: String,
    /// Text without the line with the checksum, and without the tests that were removed.
    text: String,
    origin: Origin,
    /// Number of its tests that pass.
    passed: usize,
    removed: Vec<RemovedTest>,
    /// Tests that stay although they fail.
    changed: Vec<ChangedTest>,
    /// Methods whose behaviour these state: each test's method under test, and what it asks where it
    /// fails; `newFoo` for constructors of `Foo`.
    disputed: BTreeSet<String>,
    /// Reason why it is no test class any more, if so.
    lost: Option<String>,
}

impl TestFile {
    /// Binary name of its class.
    fn test_class(&self) -> String {
        self.name.trim_end_matches(".java").replace('/', ".")
    }

    /// Whether a binary name is that of its class, or of one nested in it.
    fn has_class(&self, name: &str) -> bool {
        let rest = name.strip_prefix(&self.test_class());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    }

    fn file_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or_default()
    }

    /// Whether it stays in the folder.
    fn stays(&self) -> bool {
        self.lost.is_none() || self.origin == Origin::Hand
    }

    /// Removes tests of a generated file, each with a reason, or all where a reason concerns none of
    /// them. Files of other origin are given up.
    fn remove(&mut self, refused: Vec<Refusal>) {
        let Some((_, first)) = refused.first() else {
            return;
        };
        let first = first.clone();
        if self.origin == Origin::Hand {
            self.lost = Some(first);
            return;
        }
        // What tests need that are removed goes with them, and may be what else is refused.
        if refused.iter().all(|(test, _)| test.is_none()) {
            let left = existing_tests(&self.text);
            let left = left.iter().map(|test| self.removed_test(test, &first));
            self.removed.extend(left.collect::<Vec<_>>());
            self.lost = Some(first);
            return;
        }
        let refused = refused.into_iter();
        let mut refused: Vec<(ExistingTest, String)> = refused
            .filter_map(|(test, reason)| Some((test?, reason)))
            .collect();
        // A test may have several errors, and several rows that fail.
        refused.sort_by_key(|(test, _)| test.lines.start);
        refused.dedup_by(|one, other| one.0 == other.0);
        for (test, reason) in &refused {
            self.removed.push(self.removed_test(test, reason));
        }
        let tests: Vec<ExistingTest> = refused.into_iter().map(|(test, _)| test).collect();
        self.text = without_tests(&self.text, &tests);
        if existing_tests(&self.text).is_empty() {
            self.lost = Some("no test of it is left".to_owned());
        }
    }

    /// First of its tests for which a predicate holds.
    fn test(&self, mut holds: impl FnMut(&ExistingTest) -> bool) -> Option<ExistingTest> {
        let mut tests = existing_tests(&self.text).into_iter();
        tests.find(|test| holds(test))
    }

    /// Notes that a generated test fails, which stays as it is.
    fn note_changed(&mut self, test: &ExistingTest, failure: &TestFailure) {
        let RemovedTest {
            file, test: name, ..
        } = self.removed_test(test, "");
        // Of several rows that fail the first is named.
        if self.changed.iter().any(|known| known.test == name) {
            return;
        }
        let lines = self.text.lines().skip(test.lines.start);
        let lines: Vec<&str> = lines.take(test.lines.len()).collect();
        let asserted = failure.line.checked_sub(test.lines.start + 1);
        let asserted = asserted.and_then(|line| lines.get(line).copied());
        let text = failure.texts.iter().flatten().next();
        let text = text.map_or("", String::as_str);
        let (expected, actual) = match values(text) {
            Some((expected, actual)) => (Some(expected), actual),
            // The assertion says what was expected.
            None => (
                asserted.map(|line| line.trim().to_owned()),
                first_line(text).to_owned(),
            ),
        };
        let subject = test.method.split('_').next().unwrap_or_default();
        self.disputed.insert(subject.to_owned());
        match asserted {
            Some(line) => self.disputed.extend(called_names(line)),
            None => (self.disputed).extend(lines.into_iter().flat_map(called_names)),
        }
        self.changed.push(ChangedTest {
            file,
            test: name,
            expected,
            actual,
        });
    }

    /// Whether a test, by its name in results, is one that stays although it fails.
    fn is_changed(&self, name: &str) -> bool {
        let name = name.split('(').next().unwrap_or_default();
        let method = name.rsplit('.').next().unwrap_or_default();
        let mut changed = self.changed.iter();
        changed.any(|test| test.test.rsplit('.').next() == Some(method))
    }

    fn removed_test(&self, test: &ExistingTest, reason: &str) -> RemovedTest {
        RemovedTest {
            file: self.file_name().to_owned(),
            test: test.to_string(),
            reason: reason.to_owned(),
        }
    }
}

impl ExistingTests {
    /// Finds the test classes of the classes in the output folder and those that an option names,
    /// removes from the former what no longer compiles or fails, and runs the rest.
    ///
    /// # Errors
    /// No output folder is named, tests cannot be compiled or run, or a file cannot be written.
    pub fn find(
        arguments: &SequencesArgs,
        earlier: &EarlierArgs,
        classes: &[String],
        writer: Option<&TestWriter>,
        interrupt: &StopSignal,
    ) -> anyhow::Result<ExistingTests> {
        let (Some(folder), Some(writer)) = (&arguments.output, writer) else {
            bail!("--update adds to the tests of a folder: name it with -o");
        };
        ensure!(
            arguments.criterion == CoverageCriterionName::Branches,
            "--update knows which branches existing tests cover: leave out --criterion"
        );
        let mut config = arguments.common.class_path.config()?;
        config.class_path.extend(arguments.junit.libraries());
        earlier.world.add_to(&mut config);
        let mut existing = ExistingTests::default();
        let mut vm = Vm::new(arguments.common.class_path.exploring()?)?;
        let mut found = Vec::new();
        for class in classes {
            // A class that is missing or broken is reported by the search.
            if let Ok(id) = find_class(&mut vm, class) {
                found.push(class.clone());
                for file in files_of(&mut vm, (id, class), folder)? {
                    // `a.B$C` and `a.BC` have test classes of the same name.
                    if !existing.files.iter().any(|other| other.path == file.path) {
                        existing.files.push(file);
                    }
                }
            }
        }
        drop(vm);
        if found.is_empty() {
            return Ok(existing);
        }
        let compiled = match earlier.tests.is_empty() {
            true => None,
            false => Some(CompiledTests::find(&earlier.tests, &[], &config)?),
        };
        let compiled = compiled.map(|mut compiled| {
            // Their sources may be newer.
            let is_here = |name: &String| existing.files.iter().any(|file| file.has_class(name));
            compiled.names.retain(|name| !is_here(name));
            compiled
        });
        let run = ExistingRun {
            arguments,
            classes: &found,
            config: &config,
            compiled: compiled.as_ref(),
            interrupt: &interrupt.within_share(RUNNING),
        };
        let built = existing.settle(writer, earlier.accept)?;
        existing.measure(&run, built.path())?;
        for file in &existing.files {
            if file.stays() && !file.removed.is_empty() {
                rewrite_test_class(&file.path, &file.text)?;
            }
        }
        existing.report();
        Ok(existing)
    }

    /// Compiles the test classes into a folder, and removes what does not compile. What fails on a JVM
    /// is removed where the other behaviour is accepted, and noted else.
    fn settle(&mut self, writer: &TestWriter, accepts: bool) -> anyhow::Result<tempfile::TempDir> {
        loop {
            let built =
                tempfile::tempdir().context("failed to make a folder for compiled tests")?;
            let left: Vec<usize> = (0..self.files.len())
                .filter(|&number| self.files[number].lost.is_none())
                .collect();
            if left.is_empty() {
                return Ok(built);
            }
            let generated = left.iter().copied();
            let generated: Vec<usize> = generated
                .filter(|&number| self.files[number].origin == Origin::Generated)
                .collect();
            let sources = |numbers: &[usize]| {
                let files = numbers.iter().map(|&number| TextFile {
                    path: self.files[number].name.clone(),
                    kind: FileKind::Source,
                    contents: self.files[number].text.clone(),
                });
                files.collect::<Vec<_>>()
            };
            let (errors, failures) =
                writer.try_existing(built.path(), &sources(&left), &sources(&generated))?;
            if errors.is_empty() && failures.is_empty() {
                return Ok(built);
            }
            let mut refused: BTreeMap<usize, Vec<Refusal>> = BTreeMap::new();
            for error in errors {
                let Some(at) = error.file else {
                    bail!("existing tests cannot be compiled: {}", error.text);
                };
                let has_line =
                    |test: &ExistingTest| test.lines.contains(&error.line.wrapping_sub(1));
                let test = self.files[left[at]].test(has_line);
                let reason = format!("no longer compiles: {}", first_line(&error.text));
                refused.entry(left[at]).or_default().push((test, reason));
            }
            if !accepts && refused.is_empty() {
                for failure in failures {
                    let file = &mut self.files[generated[failure.file]];
                    let mut tests = existing_tests(&file.text);
                    // Without a method, the class cannot be used at all.
                    let is_own = |test: &ExistingTest| {
                        failure.method.is_empty() || test.method == failure.method
                    };
                    tests.retain(is_own);
                    for test in tests {
                        file.note_changed(&test, &failure);
                    }
                }
                return Ok(built);
            }
            for failure in failures {
                let number = generated[failure.file];
                let test = self.files[number].test(|test| test.method == failure.method);
                let text = failure.texts.into_iter().flatten().next();
                let reason = format!("fails now: {}", first_line(&text.unwrap_or_default()));
                refused.entry(number).or_default().push((test, reason));
            }
            for (number, refused) in refused {
                self.files[number].remove(refused);
            }
        }
    }

    /// Runs all existing tests on the code and on its mutants.
    fn measure(&mut self, run: &ExistingRun<'_>, built: &Path) -> anyhow::Result<()> {
        let has_files = self.files.iter().any(|file| file.lost.is_none());
        if !has_files && run.compiled.is_none() {
            return Ok(());
        }
        // Errors of logic are looked for, whatever group is counted.
        let group = run.arguments.mutants.and_then(|group| group.group());
        let group = group.map(|_| OperatorGroup::Logic);
        let report = run.run(has_files.then_some(built), group)?;
        for file in &mut self.files {
            let is_passed = |test: &&TestResult| test.outcome == TestOutcome::Passed;
            let own = report.tests.iter().filter(is_passed);
            file.passed = own.filter(|test| file.has_class(&test.class)).count();
            // Those of a generated file have passed on a JVM.
            if report.is_interrupted && file.origin == Origin::Generated && file.lost.is_none() {
                let tests = existing_tests(&file.text);
                let all: usize = tests.iter().map(|test| test.rows).sum();
                file.passed = file.passed.max(all.saturating_sub(file.changed.len()));
            }
        }
        for test in &report.tests {
            let mut files = self.files.iter();
            let is_known =
                files.any(|file| file.has_class(&test.class) && file.is_changed(&test.name));
            if let TestOutcome::Failed(reason) = &test.outcome
                && !is_known
            {
                notice!("existing test {} fails: {}", test.name, first_line(reason));
            }
        }
        for (class, reason) in &report.lost {
            notice!("existing tests of {class} are not all run: {reason}");
        }
        if report.is_interrupted {
            let by = run.interrupt.reason().unwrap_or("a signal");
            notice!(
                "{by}: not all existing tests were run: the rest counts for nothing, and no tests are added for \
                 mutants"
            );
        }
        self.is_cut = report.is_interrupted;
        self.coverage = Some(Arc::new(report.existing));
        Ok(())
    }

    /// Reports what stays of each file.
    fn report(&self) {
        for file in &self.files {
            let class = &file.class;
            let name = file.file_name();
            match (&file.lost, file.origin) {
                (None, _) => notice!(
                    "{class}: {name} is kept with {}",
                    counted(file.passed as u64, "test")
                ),
                (Some(reason), Origin::Hand) => notice!(
                    "{class}: {name} was written or edited by hand: it stays, but counts for nothing: {reason}"
                ),
                (Some(reason), Origin::Generated) => notice!("{class}: {name} goes: {reason}"),
            }
            for RemovedTest { test, reason, .. } in &file.removed {
                notice!("{class}:     {test} removed: {reason}");
            }
            for changed in &file.changed {
                let ChangedTest { test, actual, .. } = changed;
                let expected = changed.expected.as_deref().unwrap_or("another outcome");
                notice!(
                    "{class}:     {test}: behaviour changed: expected {expected}, is now {actual}"
                );
            }
            if !file.changed.is_empty() {
                let methods: Vec<&str> = file.disputed.iter().map(String::as_str).collect();
                notice!(
                    "{class}:     tests that fail now stay, and no new test calls {}: mend the code, or take its \
                     new behaviour with --accept",
                    methods.join(", ")
                );
            }
        }
    }

    fn of<'s>(&'s self, class: &str) -> impl Iterator<Item = &'s TestFile> {
        let class = class.to_owned();
        self.files.iter().filter(move |file| file.class == class)
    }

    /// Number of the test class for new tests of a class: the first that no file has which stays.
    pub fn next_number(&self, class: &str) -> usize {
        let staying = self.of(class).filter(|file| file.stays());
        let taken: BTreeSet<usize> = staying.map(|file| file.number).collect();
        (1..).find(|number| !taken.contains(number)).unwrap_or(1)
    }

    /// Number of tests that stay in the generated files of a class.
    pub fn kept(&self, class: &str) -> usize {
        let kept = self
            .of(class)
            .filter(|file| file.lost.is_none() && file.origin == Origin::Generated);
        kept.map(|file| file.passed).sum()
    }

    /// Description of the files of a class, for comparison: equal ones have the same text, and
    /// leave as much to do.
    pub fn description(&self, class: &str) -> String {
        let own = self.of(class).map(|file| {
            let removed = file.removed.iter().map(|test| &test.test);
            let removed: Vec<&String> = removed.collect();
            let (number, lost, changed) = (file.number, &file.lost, &file.changed);
            let tokens = tokens_of(&file.text);
            format!("{number} {lost:?} {tokens} {removed:?} {changed:?}")
        });
        let disputed = self
            .files
            .iter()
            .map(|file| match file.disputed.is_empty() {
                true => String::new(),
                false => format!("{} {:?}", file.class, file.disputed),
            });
        own.chain(disputed).collect()
    }

    /// Tests that were removed from the generated files of a class.
    pub fn removed(&self, class: &str) -> Vec<RemovedTest> {
        self.of(class)
            .flat_map(|file| file.removed.clone())
            .collect()
    }

    /// Tests of the generated files of a class that stay although they fail.
    pub fn changed(&self, class: &str) -> Vec<ChangedTest> {
        let changed = self.of(class).flat_map(|file| file.changed.iter().cloned());
        changed.collect()
    }

    /// Whether tests that stay although they fail state another behaviour of a method. Those of a class
    /// and of the class that has the method count.
    pub fn disputes(&self, class: &str, method: &MethodSig) -> bool {
        let name = match method.is_constructor() {
            true => {
                let class = method.declaring_class.rsplit(['.', '$']).next();
                format!("new{}", class.unwrap_or_default())
            }
            false => method.name.clone(),
        };
        let classes = [class, &method.declaring_class];
        let mut files = self.files.iter();
        files.any(|file| classes.contains(&&*file.class) && file.disputed.contains(&name))
    }

    /// Removes the generated files of a class that are no test classes any more, but for those in
    /// `written`.
    ///
    /// # Errors
    /// A file cannot be removed.
    pub fn remove_lost(&self, class: &str, written: &[PathBuf]) -> anyhow::Result<()> {
        for file in self.of(class) {
            if !file.stays() && !written.contains(&file.path) {
                remove_file(&file.path)?;
            }
        }
        Ok(())
    }
}

/// What existing tests run with.
struct ExistingRun<'a> {
    arguments: &'a SequencesArgs,
    classes: &'a [String],
    /// Configuration with the class path of the tests.
    config: &'a Config,
    compiled: Option<&'a CompiledTests>,
    interrupt: &'a StopSignal,
}

impl ExistingRun<'_> {
    /// Runs the tests of a folder and those that an option names, on the mutants of a group, too.
    fn run(
        &self,
        built: Option<&Path>,
        mutants: Option<OperatorGroup>,
    ) -> anyhow::Result<MeasureReport> {
        let mut config = self.config.clone();
        let mut suites: Vec<&CompiledTests> = self.compiled.into_iter().collect();
        let built = built.map(|built| {
            let path = [built.display().to_string()];
            CompiledTests::find(&path, &[], &config)
        });
        let built = built.transpose()?;
        suites.extend(&built);
        if let Some(compiled) = self.compiled {
            compiled.add_to(&mut config);
            let class_path = ClassPath::open(&config.class_path, &[], config.jdk.feature)?;
            compiled.check_versions(&class_path, self.classes)?;
        }
        // Of a class that was compiled before, this version is the first.
        if let Some(built) = &built {
            built.add_to(&mut config);
        }
        let mut vm = Vm::new(config.clone())?;
        for suite in &suites {
            suite
                .check_frameworks(&mut vm)
                .context("--update runs existing tests")?;
        }
        // The classes' own tests come first: time may be over before the others have run.
        let names = suites.iter().rev();
        let names = names.flat_map(|suite| suite.names.iter().cloned());
        let tests: Vec<String> = names.collect();
        let request = MeasureRequest {
            classes: self.classes.to_vec(),
            methods: Vec::new(),
            mutants,
            max_steps: MAX_STEPS,
            jobs: self.arguments.common.jobs().min(tests.len()).max(1),
            tests,
            on: MeasuredOn::Engine,
        };
        let more = || Vm::new(config.clone()).ok();
        let stops = || self.interrupt.reason().is_some();
        let progress = MeasureProgress::default();
        let report = show_during(
            ProgressLines::new(false),
            |_| progress.state().into(),
            || measure(vm, &more, &request, None, (&stops, &progress)),
        );
        report.map_err(|error| match Vm::new(config.clone()) {
            Ok(vm) => explain(&vm, error),
            Err(failed) => failed.into(),
        })
    }
}

/// Test classes of a class in the output folder: `FooHeapwrightTest`, `FooHeapwright2Test` and so
/// on.
fn files_of(
    vm: &mut Vm,
    (id, class): (ClassId, &str),
    folder: &Path,
) -> anyhow::Result<Vec<TestFile>> {
    let sig = StructureReader::new(vm, id).class_sig(vm, id);
    let binary = vm.binary_name(id);
    let own = binary.rsplit_once('.').map_or("", |(package, _)| package);
    let package = package_of_tests(vm, id).unwrap_or_else(|| own.to_owned());
    let mut files = Vec::new();
    for number in 1.. {
        let name = default_test_class(&sig, &TestWriter::kind_of(super::KIND, number));
        let name = match package.is_empty() {
            true => format!("{name}.java"),
            false => format!("{}/{name}.java", package.replace('.', "/")),
        };
        let path = folder.join(&name);
        let Some((text, origin)) = read_test_class(&path)? else {
            // The first may have been removed.
            match number {
                1 => continue,
                _ => break,
            }
        };
        files.push(TestFile {
            class: class.to_owned(),
            number,
            path,
            name,
            text,
            origin,
            passed: 0,
            removed: Vec::new(),
            changed: Vec::new(),
            disputed: BTreeSet::new(),
            lost: None,
        });
    }
    Ok(files)
}

/// Names that are called in a line of source.
fn called_names(line: &str) -> impl Iterator<Item = String> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let before = line.match_indices('(').map(|(at, _)| &line[..at]);
    before.filter_map(move |before| {
        let name = before.rsplit(|letter| !is_part(letter)).next()?;
        let is_assertion = name.starts_with("assert") || name.starts_with("expect");
        (!name.is_empty() && !is_assertion).then(|| name.to_owned())
    })
}

/// Expected and actual value in the message of a failed assertion of JUnit, AssertJ or TestNG.
fn values(message: &str) -> Option<(String, String)> {
    let words: Vec<&str> = message.split_whitespace().collect();
    let text = words.join(" ");
    const NOTHING: &str = "nothing was thrown";
    let ends = [" but was", " but found", " but "];
    let (before, actual) = ends.iter().find_map(|end| text.split_once(end))?;
    let (_, expected) = before.rsplit_once("xpected")?;
    let value = |text: &str| {
        let text = text.trim().trim_start_matches(':').trim();
        let bare = [('<', '>'), ('[', ']')].iter().find_map(|&(from, to)| {
            let inner = text.strip_prefix(from)?.strip_suffix(to)?;
            (!inner.contains([from, to])).then_some(inner)
        });
        bare.unwrap_or(text).to_owned()
    };
    let actual = match actual {
        NOTHING => "no exception".to_owned(),
        actual => value(actual),
    };
    Some((value(expected), actual))
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_assertions_have_the_old_and_the_new_value() {
        for (message, expected, actual) in [
            (
                "java.lang.AssertionError: expected: <900> but was: <1000>",
                "900",
                "1000",
            ),
            (
                "java.lang.AssertionError: expected:<a b> but was:<null>",
                "a b",
                "null",
            ),
            (
                "org.opentest4j.AssertionFailedError: \nexpected: \"a\"\n but was: \"b\"",
                "\"a\"",
                "\"b\"",
            ),
            (
                "java.lang.AssertionError: expected [1] but found [2]",
                "1",
                "2",
            ),
            (
                "java.lang.AssertionError: expected: a.Full but nothing was thrown",
                "a.Full",
                "no exception",
            ),
            (
                "Unexpected exception type thrown ==> expected: <a.Full> but was: <a.Empty>",
                "a.Full",
                "a.Empty",
            ),
            ("x: expected: <a> but was: <>", "a", ""),
            (
                "x: expected: a.Full but was: a.Empty: no [1]",
                "a.Full",
                "a.Empty: no [1]",
            ),
        ] {
            let found = values(message);
            assert_eq!(
                found,
                Some((expected.to_owned(), actual.to_owned())),
                "{message}"
            );
        }
        assert_eq!(values("java.lang.NullPointerException: a"), None);
    }

    #[test]
    fn calls_in_a_line_are_named_but_for_assertions() {
        let line = "assertEquals(900, new Price(2).total(10), shop.rest (1) + (2));";
        let names: Vec<String> = called_names(line).collect();
        assert_eq!(names, ["Price", "total"]);
    }
}
