//! Writing JUnit tests. Tests are compiled and run before they are written, if there is a compiler.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail, ensure};
use heapwright_jvm::classpath::{ClassPath, PublishedMembers};
use heapwright_jvm::{ClassId, Config, ImplicitReads, Vm};
use heapwright_project::{build_folder, runs_tests_in_parallel};
use heapwright_suite::Suite;
use heapwright_suite::junit::{
    AssertionLibrary, ExistingTest, FileKind, Isolation, JunitOptions, JunitOutput, JunitVersion,
    TestOrigin, TextFile, default_test_class, existing_tests, origins, write_junit,
};
use heapwright_techniques::observe::{CallsLeftOut, MAX_CALLS};
use heapwright_techniques::{korat_api, takes_tests};
use heapwright_trial::{Diagnostic, Purpose, RemovedTests, TestFailure, TimePressure, Trial, sift};

use crate::files::style::ProjectStyle;
use crate::files::{Origin, counted, grouped, read_test_class, remove_file, write_file};
use crate::interrupt::StopSignal;
use crate::mvc::MvcTests;
use crate::options::{
    AssertionsName, FailurePlace, FrameworkName, JunitArgs, JunitCheck, StubForm,
};

/// Result of writing the tests of a suite.
#[derive(Clone, Debug, Default)]
pub struct WrittenTests {
    /// Number of tests that JUnit finds.
    pub tests: usize,
    /// Indices of the suite's scripts that have a test.
    pub scripts: BTreeSet<usize>,
    /// Files written, the test class first.
    pub files: Vec<PathBuf>,
    /// The tests, in the order of the files.
    pub methods: Vec<WrittenTest>,
    /// Parts of the suite without a test, since no plain JDK can create them: index and reason.
    pub skipped: Vec<(usize, String)>,
    /// Limit that ended the run before all tests were tried on a JVM, if any. Untried tests are not
    /// written.
    pub stopped_by: Option<&'static str>,
}

impl WrittenTests {
    /// Gives the scripts the numbers that they have in another suite.
    pub fn number_scripts(&mut self, numbers: &[usize]) {
        let scripts = self.scripts.iter();
        self.scripts = scripts.map(|&script| numbers[script]).collect();
        for test in &mut self.methods {
            if let TestOrigin::Script(script) = &mut test.of {
                *script = numbers[*script];
            }
        }
    }
}

/// Test that was written.
#[derive(Clone, Debug)]
pub struct WrittenTest {
    /// Case or script that it was made of.
    pub of: TestOrigin,
    /// Binary name of its class.
    pub class: String,
    /// Name of its method, with the number of the row if it is one of several.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// First line in the file, from 1; 0 for a row of a data file.
    pub line: usize,
    /// Source of its method.
    pub code: String,
}

/// Time that a stopped run spends on generating tests of its results; the rest is for trying them.
const MAKING: Duration = Duration::from_millis(800);

/// Time check for generating tests.
pub struct TestTimer<'a> {
    interrupt: &'a StopSignal,
    start: Instant,
}

impl TestTimer<'_> {
    /// Starts the clock.
    pub fn begin(interrupt: &StopSignal) -> TestTimer<'_> {
        TestTimer {
            interrupt,
            start: Instant::now(),
        }
    }

    /// Reason to generate no further test, if there is one.
    pub fn is_over(&self) -> Option<&'static str> {
        let is_late = || self.interrupt.is_over() || self.start.elapsed() > MAKING;
        self.interrupt.reason().filter(|_| is_late())
    }
}

/// Reports the number of structures without a test, and the limit that caused it.
pub fn warn_of_missing_tests(unmade: usize, by: &str) {
    notice!(
        "{} in no test: {by} ended the run",
        counted(unmade as u64, "structure")
    );
}

/// Writer of the tests of a run.
pub struct TestWriter {
    arguments: JunitArgs,
    /// Infix of class names, between the class under test and `Test`: tests of each verb have their
    /// own classes.
    kind: &'static str,
    /// Compiler and JVM that try tests, or the reason why there is none.
    trial: Option<Mutex<Result<Trial, String>>>,
    /// Libraries on the class path of the tests.
    libraries: TestLibraries,
    /// Feature version of Java of which tests are; `None` for that of the JDK.
    release: Option<u32>,
    /// Properties of the environment that the code has read.
    environment_reads: ImplicitReads,
    /// Members of the JDK that tests can name.
    published: PublishedMembers,
    /// What tests of controllers through `MockMvc` need, if they are asked for.
    mvc: Option<MvcTests>,
    /// Folders of sources whose style tests have, where tests that are there show none.
    sources: Vec<PathBuf>,
    /// Style of the project, and whether its tests run in parallel, as soon as the folder of the tests
    /// is known.
    style: OnceLock<ProjectStyle>,
    is_parallel: OnceLock<bool>,
}

/// Libraries that tests can use.
#[derive(Clone, Copy, Debug, Default)]
struct TestLibraries {
    has_assertj: bool,
    /// Whether AssertJ is among the libraries that only tests need.
    is_assertj_for_tests: bool,
    /// Whether AssertJ lacks `assertThatObject`.
    lacks_that_object: bool,
    /// Whether Spring's utilities for tests are there.
    has_reflection_utils: bool,
    /// Whether Mockito is among the libraries that only tests need, and has what mocks are
    /// written with.
    is_mockito_for_tests: bool,
    /// Whether JUnit 5 is there without its parameterised tests.
    lacks_parameters: bool,
    /// Whether JUnit 4 is there with `assertThrows`.
    has_throws: bool,
    /// What JUnit 5 has against tests that run at the same time.
    isolation: Isolation,
    /// Framework among the libraries that only tests need, the newest first.
    framework: Option<FrameworkName>,
}

/// Frameworks, the newest first, each with a class of its own.
const FRAMEWORKS: [(FrameworkName, &str); 3] = [
    (FrameworkName::Junit5, "org/junit/jupiter/api/Test"),
    (FrameworkName::TestNg, "org/testng/annotations/Test"),
    (FrameworkName::Junit4, "org/junit/Test"),
];

impl TestLibraries {
    /// Looks for the libraries on the class path of the tests.
    fn of(arguments: &JunitArgs, config: &Config) -> anyhow::Result<TestLibraries> {
        let libraries = arguments.libraries();
        let of_tests = ClassPath::open(&libraries, &[], config.jdk.feature)?;
        let entries = [&config.class_path[..], &libraries].concat();
        let class_path = ClassPath::open(&entries, &[], config.jdk.feature)?;
        // An entry that cannot be read has no library.
        let has =
            |path: &ClassPath, class: &str| path.find(class).is_ok_and(|found| found.is_some());
        // A method's name is among the constants of its class.
        let has_method = |class: &str, name: &str| {
            let found = class_path.find(class).ok().flatten();
            found.is_some_and(|(bytes, _)| {
                let mut parts = bytes.windows(name.len());
                parts.any(|part| part == name.as_bytes())
            })
        };
        let mut frameworks = FRAMEWORKS.iter();
        let framework = frameworks.find(|(_, class)| has(&of_tests, class));
        Ok(TestLibraries {
            framework: framework.map(|(name, _)| *name),
            has_assertj: has(&class_path, ASSERTJ),
            is_assertj_for_tests: has(&of_tests, ASSERTJ),
            lacks_that_object: has(&class_path, ASSERTJ)
                && !has_method(ASSERTJ, "assertThatObject"),
            has_reflection_utils: has(&class_path, REFLECTION_UTILS),
            is_mockito_for_tests: {
                let mut all = MOCKITO.iter().map(|(class, _)| *class);
                // What it needs may be among the program's libraries as well.
                has(&of_tests, MATCHERS) && all.all(|class| has(&class_path, class))
            },
            has_throws: has_method("org/junit/Assert", "assertThrows"),
            isolation: match &["Isolated", "Execution"].map(|name| {
                has(
                    &class_path,
                    &format!("org/junit/jupiter/api/parallel/{name}"),
                )
            }) {
                [true, _] => Isolation::Isolated,
                [false, true] => Isolation::SameThread,
                [false, false] => Isolation::None,
            },
            lacks_parameters: has(&class_path, "org/junit/jupiter/api/Test")
                && !has(&class_path, "org/junit/jupiter/params/ParameterizedTest"),
        })
    }
}

/// Whether a framework for tests is among jars and folders.
///
/// # Errors
/// One of them cannot be read.
pub fn has_framework(entries: &[PathBuf]) -> anyhow::Result<bool> {
    let class_path = ClassPath::open(entries, &[], OLDEST_JDK)?;
    let mut classes = FRAMEWORKS.iter().map(|(_, class)| *class);
    Ok(classes.any(|class| class_path.find(class).is_ok_and(|found| found.is_some())))
}

/// Feature version of the oldest JDK whose library is run.
const OLDEST_JDK: u32 = 17;

/// Class of Spring's tests that sets fields.
const REFLECTION_UTILS: &str = "org/springframework/test/util/ReflectionTestUtils";

/// Class of AssertJ's assertions.
const ASSERTJ: &str = "org/assertj/core/api/Assertions";

impl TestWriter {
    /// Prepares to write the tests of a verb for classes of a class path. The compiler starts in
    /// the background, and `interrupt` leaves time for the JVM at the pace seen there.
    ///
    /// # Errors
    /// Tests with mocks are requested, and Mockito is not on the class path.
    pub fn new(
        kind: &'static str,
        arguments: &JunitArgs,
        config: &Config,
        interrupt: &StopSignal,
    ) -> anyhow::Result<TestWriter> {
        require_mockito(arguments, config)?;
        let on_class_path = TestLibraries::of(arguments, config)?;
        ensure!(
            on_class_path.has_assertj || arguments.assertions != Some(AssertionsName::Assertj),
            "--assertions assertj: assertj-core not on the class path of tests: add the jar with \
             --test-classpath"
        );
        let release = release_of(&config.class_path).filter(|&of| of < config.jdk.feature);
        // A runtime image may lack the signatures of older releases, and compilers know no oldest ones.
        let oldest = if config.jdk.feature < 20 { 7 } else { 8 };
        let has_older = config.jdk.home.join("lib/ct.sym").is_file();
        let compiled_for = release.filter(|_| has_older).map(|of| of.max(oldest));
        if let Some(release) = compiled_for {
            config.published.restrict(&config.jdk, release);
        }
        let start = || {
            let is_alone = |library: &PathBuf| stands_alone(library, config.jdk.feature);
            let libraries = arguments.libraries().into_iter();
            let (mut alone, others): (Vec<_>, Vec<_>) = libraries.partition(is_alone);
            let class_path = [&config.class_path[..], &others].concat();
            // Beside the program's own classes jars are libraries, and may have what Mockito needs.
            if !alone.is_empty() && config.class_path.iter().any(|entry| entry.is_dir()) {
                let jars = config.class_path.iter().filter(|entry| entry.is_file());
                alone.extend(jars.filter(|jar| is_alone(jar)).cloned());
            }
            let home = &config.jdk.home;
            let own = korat_api::CLASSES;
            let trial = Trial::start(home, &class_path, &alone, own, compiled_for);
            if let Ok(trial) = &trial {
                interrupt.expect_trials(trial.pace());
            }
            Mutex::new(trial.map_err(|error| error.to_string()))
        };
        Ok(TestWriter {
            arguments: arguments.clone(),
            kind,
            trial: (arguments.junit_check == JunitCheck::Run).then(start),
            libraries: on_class_path,
            release,
            environment_reads: config.seen.clone(),
            published: config.published.clone(),
            mvc: None,
            sources: Vec::new(),
            style: OnceLock::new(),
            is_parallel: OnceLock::new(),
        })
    }

    /// Compiles existing test classes into a folder, and returns the errors. If there are none, runs
    /// the tests of those that are `judged`, and returns the failures; their files are numbers among
    /// `judged`.
    ///
    /// # Errors
    /// There is no compiler, or the JVM fails.
    pub fn try_existing(
        &self,
        to: &Path,
        files: &[TextFile],
        judged: &[TextFile],
    ) -> anyhow::Result<(Vec<Diagnostic>, Vec<TestFailure>)> {
        const NEEDED: &str = "existing tests have to be compiled and run";
        let Some(trial) = &self.trial else {
            bail!("{NEEDED}: leave out --junit-check none");
        };
        let mut trial = trial.lock().unwrap_or_else(PoisonError::into_inner);
        let trial = trial
            .as_mut()
            .map_err(|reason| anyhow!("{NEEDED}: {reason}"))?;
        let mut diagnostics = trial.compile_to(to, files, &|| false)?;
        diagnostics.retain(|diagnostic| diagnostic.is_error);
        let failures = match diagnostics.is_empty() {
            true => trial.run_in(to, judged, &|| false)?,
            false => Vec::new(),
        };
        Ok((diagnostics, failures))
    }

    /// Names folders of the sources that the tests are of.
    #[must_use]
    pub fn with_sources(self, sources: &[PathBuf]) -> TestWriter {
        TestWriter {
            sources: sources.to_vec(),
            ..self
        }
    }

    /// Makes tests of controllers make requests, with these libraries.
    #[must_use]
    pub fn with_mvc(self, mvc: MvcTests) -> TestWriter {
        TestWriter {
            mvc: Some(mvc),
            ..self
        }
    }

    /// Whether tests are run on a JVM before they are written.
    pub fn runs_tests(&self) -> bool {
        let trial = self.trial.as_ref().map(Mutex::lock);
        trial.is_some_and(|trial| trial.is_ok_and(|trial| trial.is_ok()))
    }

    /// Makes machines of this configuration record the environment that code reads, and know what tests
    /// can name.
    pub fn set_up(&self, config: &mut Config) {
        config.seen = self.environment_reads.clone();
        config.published = self.published.clone();
    }

    /// Creates a writer of the tests of a verb that tries none, since no class path is known.
    pub fn untried(kind: &'static str) -> TestWriter {
        TestWriter {
            arguments: JunitArgs::default(),
            kind,
            trial: Some(Mutex::new(Err("no class path is known here".to_owned()))),
            libraries: TestLibraries::default(),
            release: None,
            environment_reads: ImplicitReads::default(),
            published: PublishedMembers::default(),
            mvc: None,
            sources: Vec::new(),
            style: OnceLock::new(),
            is_parallel: OnceLock::new(),
        }
    }

    /// Writes a suite's tests into a folder. `package` replaces the package of the class under
    /// test.
    ///
    /// # Errors
    /// A file cannot be written, or a hand-written file has its name.
    pub fn write(
        &self,
        suite: Suite,
        package: Option<String>,
        folder: &Path,
        interrupt: &StopSignal,
    ) -> anyhow::Result<WrittenTests> {
        self.write_numbered(suite, 1, package, folder, interrupt)
    }

    /// Infix of class names of the test class with this number, from 1: none is said of the first.
    pub fn kind_of(kind: &str, number: usize) -> String {
        match number {
            1 => kind.to_owned(),
            _ => format!("{kind}{number}"),
        }
    }

    /// Writes a suite's tests as [`TestWriter::write`] does, into the test class with this number.
    ///
    /// # Errors
    /// The errors of [`TestWriter::write`].
    pub fn write_numbered(
        &self,
        suite: Suite,
        number: usize,
        package: Option<String>,
        folder: &Path,
        interrupt: &StopSignal,
    ) -> anyhow::Result<WrittenTests> {
        let kind = TestWriter::kind_of(self.kind, number);
        let class = default_test_class(&suite.class_under_test, &kind);
        self.write_class(
            suite,
            Purpose::Regression,
            (class, BTreeMap::new()),
            package,
            folder,
            interrupt,
        )
    }

    /// Writes failing tests as [`TestWriter::write`] does, into a class whose name contains `what`.
    /// `reasons` say why the cases and then the scripts fail. Where nothing else is asked for, the
    /// tests are at `place`; `folder` is that of the other tests.
    ///
    /// # Errors
    /// The errors of [`TestWriter::write`].
    pub fn write_reproducers(
        &self,
        suite: Suite,
        (what, reasons, place): (&str, &[String], FailurePlace),
        package: Option<String>,
        folder: &Path,
        interrupt: &StopSignal,
    ) -> anyhow::Result<WrittenTests> {
        let class = default_test_class(&suite.class_under_test, what);
        let folder = self.folder_of_failures(folder, place);
        let place = self.arguments.failures.unwrap_or(place);
        if suite.cases.is_empty() && suite.scripts.is_empty() {
            if place != FailurePlace::Apart {
                return Ok(WrittenTests::default());
            }
            // That folder has the failures of the last run.
            let own = suite.class_under_test.name.rsplit_once('.');
            let package = package.or(own.map(|(package, _)| package.to_owned()));
            let package = package.unwrap_or_default().replace('.', "/");
            let file = folder.join(package).join(format!("{class}.java"));
            if let Some((_, Origin::Generated)) = read_test_class(&file)? {
                remove_file(&file)?;
            }
            return Ok(WrittenTests::default());
        }
        let disabled = match place {
            FailurePlace::Tests => {
                let tests = origins(&suite).into_iter();
                let named = tests.map(|test| {
                    let number = match test {
                        TestOrigin::Case(case, _) => case,
                        TestOrigin::Script(script) => suite.cases.len() + script,
                    };
                    let reason = reasons.get(number).cloned();
                    (test, reason.unwrap_or_else(|| "it fails".to_owned()))
                });
                named.collect()
            }
            FailurePlace::Apart | FailurePlace::Failing => BTreeMap::new(),
        };
        self.write_class(
            suite,
            Purpose::Reproduction,
            (class, disabled),
            package,
            &folder,
            interrupt,
        )
    }

    /// Folder of tests that fail beside the tests in a folder. Where nothing else is asked for they
    /// are at `place`.
    pub fn folder_of_failures(&self, folder: &Path, place: FailurePlace) -> PathBuf {
        match self.arguments.failures.unwrap_or(place) {
            FailurePlace::Apart => failures_of(folder),
            FailurePlace::Tests | FailurePlace::Failing => folder.to_owned(),
        }
    }

    /// Infix of class names of reproducers.
    pub fn failures(&self) -> String {
        format!("{}Failure", self.kind)
    }

    fn write_class(
        &self,
        mut suite: Suite,
        purpose: Purpose,
        (class, disabled): (String, BTreeMap<TestOrigin, String>),
        package: Option<String>,
        folder: &Path,
        interrupt: &StopSignal,
    ) -> anyhow::Result<WrittenTests> {
        if self.has_mocks() {
            suite.mock_stubs();
        }
        if suite.cases.is_empty() && suite.scripts.is_empty() {
            return Ok(WrittenTests::default());
        }
        let style = self
            .style
            .get_or_init(|| ProjectStyle::of(folder, &self.sources));
        let options = JunitOptions {
            width: style.at(&folder.join(format!("{class}.java"))).width,
            version: match self.arguments.junit.or(self.libraries.framework) {
                Some(FrameworkName::Junit4) => JunitVersion::Four,
                Some(FrameworkName::TestNg) => JunitVersion::TestNg,
                Some(FrameworkName::Junit5) | None => JunitVersion::Five,
            },
            isolation: match *self
                .is_parallel
                .get_or_init(|| runs_tests_in_parallel(folder))
            {
                true => self.libraries.isolation,
                false => Isolation::None,
            },
            assertions: self.assertions(),
            has_parameters: !self.libraries.lacks_parameters,
            has_throws: self.libraries.has_throws,
            has_that_object: !self.libraries.lacks_that_object,
            has_reflection_utils: self.libraries.has_reflection_utils,
            release: self.release.unwrap_or(JunitOptions::default().release),
            shares_arrangement: purpose == Purpose::Regression,
            test_class: Some(class),
            package,
            disabled,
            ..JunitOptions::default()
        };
        let (output, stopped_by) = self.trial_output(suite, purpose, &options, interrupt)?;
        let (mut files, mut places) = (Vec::new(), Vec::new());
        for file in &output.files {
            let root = match file.kind {
                FileKind::Source => folder.to_owned(),
                FileKind::Resource => resources_of(folder),
            };
            let path = root.join(&file.path);
            match file.kind {
                FileKind::Source => {
                    let text = style.at(&path).apply(&file.contents);
                    write_file(&path, text.as_bytes())?;
                    places.push(existing_tests(&text));
                }
                FileKind::Resource => {
                    write_file(&path, file.contents.as_bytes())?;
                    places.push(Vec::new());
                }
            }
            files.push(path);
        }
        let rows = output.rows.iter().flat_map(|rows| &rows.of);
        let written = output.methods.iter().map(|method| &method.of).chain(rows);
        let scripts = written.filter_map(|test| match test {
            TestOrigin::Script(number) => Some(*number),
            TestOrigin::Case(..) => None,
        });
        Ok(WrittenTests {
            tests: output.tests(),
            scripts: scripts.collect(),
            files,
            stopped_by,
            methods: written_tests(&output, folder, &places),
            skipped: output
                .skipped
                .into_iter()
                .map(|skipped| (skipped.case, skipped.reason))
                .collect(),
        })
    }

    /// Library of the assertions: the one asked for, else AssertJ where tests can use it.
    fn assertions(&self) -> AssertionLibrary {
        match self.arguments.assertions {
            Some(AssertionsName::Assertj) => AssertionLibrary::AssertJ,
            None if self.libraries.is_assertj_for_tests => AssertionLibrary::AssertJ,
            Some(AssertionsName::Junit) | None => AssertionLibrary::Framework,
        }
    }

    /// Whether stubs are mocks: as asked for, else where tests can use Mockito.
    fn has_mocks(&self) -> bool {
        match self.arguments.stubs {
            Some(form) => form == StubForm::Mockito,
            None => self.libraries.is_mockito_for_tests,
        }
    }

    /// Returns the files of the tests that hold, and the limit that ended the trial early, if any.
    fn trial_output(
        &self,
        suite: Suite,
        purpose: Purpose,
        options: &JunitOptions,
        interrupt: &StopSignal,
    ) -> anyhow::Result<(JunitOutput, Option<&'static str>)> {
        let Some(trial) = &self.trial else {
            return Ok((write_junit(&suite, options)?, None));
        };
        let class = suite.class_under_test.name.clone();
        let mut trial = trial.lock().unwrap_or_else(PoisonError::into_inner);
        let trial = match &mut *trial {
            Ok(trial) => trial,
            Err(reason) => {
                notice!("{class}: no test was compiled and run: {reason}");
                return Ok((write_junit(&suite, options)?, None));
            }
        };
        let haste = TimePressure {
            is_short: interrupt.is_short(),
            gives_up: &|| interrupt.is_spent(),
        };
        let mvc = self.mvc.as_ref().filter(|_| purpose == Purpose::Regression);
        let again = mvc.map(|_| suite.clone());
        let mut sifted = sift(suite, purpose, options, trial, &haste)?;
        // What calls say holds where requests do not, or the time ends.
        if let Some((mvc, suite)) = mvc.zip(again)
            && let Some(other) = mvc.sifted(suite, options, trial, &haste)?
            && other.output.tests() == sifted.output.tests()
        {
            sifted = other;
        }
        warn(&class, &sifted.left_out, self.environment_reads.has_date());
        let stopped_by = (sifted.unwritten > 0).then(|| interrupt.reason()).flatten();
        if let Some(by) = stopped_by {
            let tests = counted(sifted.unwritten as u64, "test");
            notice!("{class}: {tests} not written: {by} ended the run before a JVM had tried them");
        }
        if let Some(reason) = sifted.untried {
            let tests = counted(sifted.output.tests() as u64, "test");
            notice!("{class}: {tests} not known to compile and pass: {reason}");
        }
        Ok((sifted.output, stopped_by))
    }
}

/// Tests of files that are written into a folder, where each has its tests at these places.
fn written_tests(
    output: &JunitOutput,
    folder: &Path,
    places: &[Vec<ExistingTest>],
) -> Vec<WrittenTest> {
    let test = |number: usize, name: String, lines: &Range<usize>, of: TestOrigin| {
        let file = output.files.get(number)?;
        let line = line_of(&name, places.get(number)?).unwrap_or(lines.start);
        let class = file.path.trim_end_matches(".java").replace('/', ".");
        let code = file.contents.lines().skip(lines.start.saturating_sub(1));
        let code: Vec<&str> = code.take(lines.len()).collect();
        Some(WrittenTest {
            of,
            class,
            name,
            file: folder.join(&file.path),
            line,
            code: without_indentation(&code),
        })
    };
    let methods = output.methods.iter();
    let methods = methods.filter_map(|it| test(it.file, it.name.clone(), &it.lines, it.of));
    let rows = output.rows.iter().flat_map(|rows| {
        let numbered = rows.of.iter().zip(1..);
        numbered.filter_map(|(&of, number)| {
            let name = format!("{}[{number}]", rows.method);
            test(rows.file, name, &rows.lines, of)
        })
    });
    methods.chain(rows).collect()
}

/// Line, from 1, of a test among those of a file; the name may have the number of a row.
pub fn line_of(name: &str, places: &[ExistingTest]) -> Option<usize> {
    let method = name.split('[').next()?;
    let mut places = places.iter();
    let place = places.find(|place| place.method == method)?;
    Some(place.lines.start + 1)
}

/// Lines without the indentation that all of them have.
fn without_indentation(lines: &[&str]) -> String {
    let indentation = |line: &&str| line.len() - line.trim_start().len();
    let is_empty = |line: &&&str| !line.trim().is_empty();
    let common = lines.iter().filter(is_empty).map(indentation).min();
    let cut = |line: &&str| {
        line.get(common.unwrap_or(0)..)
            .unwrap_or_default()
            .to_owned()
            + "\n"
    };
    lines.iter().map(cut).collect()
}

/// Classes of Mockito and of the libraries that it needs, with the jars that have them.
const MOCKITO: [(&str, &str); 4] = [
    ("org/mockito/Mockito", "mockito-core"),
    ("net/bytebuddy/ByteBuddy", "byte-buddy"),
    ("net/bytebuddy/agent/ByteBuddyAgent", "byte-buddy-agent"),
    ("org/objenesis/Objenesis", "objenesis"),
];

/// Class of matchers of arguments, since Mockito 2.
const MATCHERS: &str = "org/mockito/ArgumentMatchers";

/// Whether a jar is one of AssertJ, of Mockito or of what Mockito needs. No class of these depends on other
/// libraries of the program, so that they are loaded once.
fn stands_alone(jar: &Path, feature: u32) -> bool {
    let Ok(classes) = ClassPath::open(&[jar.to_owned()], &[], feature) else {
        return false;
    };
    let own = MOCKITO.iter().map(|(class, _)| *class).chain([ASSERTJ]);
    { own }.any(|class| classes.find(class).is_ok_and(|found| found.is_some()))
}

/// Number of class files that are looked at in a folder of the class path.
const SAMPLED_CLASSES: usize = 200;

/// Returns the newest feature version of Java for which classes in folders of a class path were
/// compiled; `None` without such folders. A sample of the classes counts.
fn release_of(class_path: &[PathBuf]) -> Option<u32> {
    let folders = class_path.iter().filter(|entry| entry.is_dir());
    let classes = folders.flat_map(|folder| {
        let files = walkdir::WalkDir::new(folder)
            .sort_by_file_name()
            .into_iter();
        let files = files
            .filter_map(Result::ok)
            .map(walkdir::DirEntry::into_path);
        let is_class = |file: &PathBuf| {
            let name = file.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.ends_with(".class") && name != "module-info.class")
        };
        files.filter(is_class).take(SAMPLED_CLASSES)
    });
    let major = |file: PathBuf| {
        let mut start = [0; 8];
        let mut opened = std::fs::File::open(file).ok()?;
        std::io::Read::read_exact(&mut opened, &mut start).ok()?;
        let major = u16::from_be_bytes([start[6], start[7]]);
        // Class files of version 45 are those of Java 1.1.
        u32::from(major).checked_sub(44)
    };
    classes.filter_map(major).max()
}

/// Checks that Mockito is on the class path of tests if they have mocks.
///
/// # Errors
/// It is not, or the class path cannot be read.
pub fn require_mockito(arguments: &JunitArgs, config: &Config) -> anyhow::Result<()> {
    if arguments.stubs != Some(StubForm::Mockito) {
        return Ok(());
    }
    let entries = [&config.class_path[..], &arguments.libraries()].concat();
    let class_path = ClassPath::open(&entries, &[], config.jdk.feature)?;
    let mut missing = Vec::new();
    for (class, jar) in MOCKITO {
        if class_path.find(class)?.is_none() {
            missing.push(jar);
        }
    }
    ensure!(
        missing.is_empty(),
        "--stubs mockito: {} not on the class path of tests: add the jars with --test-classpath",
        missing.join(", ")
    );
    Ok(())
}

/// Resources folder of a source folder: `resources` beside it in the layout of Maven and Gradle,
/// which copy no resources from source folders; otherwise the same folder.
pub fn resources_of(sources: &Path) -> PathBuf {
    let is_standard = sources.ends_with("src/test/java") || sources.ends_with("src/main/java");
    match sources.parent() {
        Some(parent) if is_standard => parent.join("resources"),
        _ => sources.to_owned(),
    }
}

/// Folder of the sources that the tests in a folder are of, in the layout of Maven and Gradle.
pub fn sources_of(tests: &Path) -> Option<PathBuf> {
    let name = tests.file_name()?;
    let folder = tests
        .parent()
        .filter(|folder| folder.ends_with("src/test"))?;
    Some(folder.parent()?.join("main").join(name))
}

/// Folder of failing tests that no build compiles with the tests in a folder: in that of what the
/// build makes, or beside the folder where there is no build. A path in the current folder is
/// relative.
pub fn failures_of(folder: &Path) -> PathBuf {
    const FAILURES: &str = "heapwright/failures";
    let Ok(absolute) = std::path::absolute(folder) else {
        return folder.join(FAILURES);
    };
    let apart = match (build_folder(&absolute), absolute.file_name()) {
        (Some(build), _) => build.join(FAILURES),
        (None, Some(name)) => {
            let mut name = name.to_owned();
            name.push("-failures");
            absolute.with_file_name(name)
        }
        (None, None) => absolute.join(FAILURES),
    };
    let current = std::env::current_dir();
    let relative = current.ok().and_then(|current| {
        let relative = apart.strip_prefix(current).ok()?;
        Some(relative.to_owned())
    });
    relative.unwrap_or(apart)
}

/// Reports the tests of a class that were left out. In code that reads the date, a disagreement may
/// have another cause: all trial environments have today's date.
fn warn(class: &str, left_out: &RemovedTests, asks_date: bool) {
    const FAULT: &str = "a fault of Heapwright's: ";
    let (fault, why) = match asks_date {
        true => ("", ", perhaps because it reads the date"),
        false => (FAULT, ""),
    };
    let kinds = [
        (
            left_out.uncompilable,
            FAULT,
            "that the compiler refuses",
            "",
        ),
        (
            left_out.disagreeing,
            fault,
            "on which the JVM disagrees",
            why,
        ),
    ];
    for (count, fault, what, why) in kinds {
        if count > 0 {
            notice!(
                "{class}: {fault}{} left out {what}{why}",
                counted(count, "test")
            );
        }
    }
    // The first says what to look for; details have all.
    for (number, reason) in left_out.reasons.iter().enumerate() {
        match number {
            0 => notice!("{class}:     {reason}"),
            _ => detail!("{class}:     {reason}"),
        }
    }
    if left_out.by_world > 0 {
        notice!(
            "{class}: {} left out that would not pass on every machine",
            counted(left_out.by_world, "test")
        );
    }
    if left_out.loosened > 0 {
        notice!(
            "{class}: {} asserting less than was observed, since it differs from machine to machine",
            counted(left_out.loosened, "test")
        );
    }
}

/// Reports the number of parts of a suite without a test, and the reason for the first.
pub fn warn_of_skipped(skipped: &[(usize, String)], whole: usize, noun: &str) {
    if let Some((_, reason)) = skipped.first() {
        notice!(
            "{} of {} {noun} are in no test: {reason}",
            grouped(skipped.len() as u64),
            grouped(whole as u64),
        );
    }
}

/// Prefix of the package of tests that cannot be in the class's own package.
const APART: &str = "heapwright";

/// Package of a class's tests where it cannot be the class's own: packages of the JDK are closed,
/// those of a signed jar accept only signed classes, and sealed ones only classes of their jar.
pub fn package_of_tests(vm: &Vm, class: ClassId) -> Option<String> {
    if takes_tests(vm, class) {
        return None;
    }
    let name = vm.binary_name(class);
    let (package, _) = name.rsplit_once('.')?;
    Some(format!("{APART}.{package}"))
}

/// Reports the number of calls without a test.
pub fn warn_of_calls(left_out: CallsLeftOut) {
    if left_out.unanswered > 0 {
        notice!(
            "{} calls are in no test: they have no outcome that a test could assert",
            grouped(left_out.unanswered)
        );
    }
    if left_out.too_many > 0 {
        notice!(
            "{} calls are in no test: of each method no more than {} are made on a structure",
            grouped(left_out.too_many),
            grouped(MAX_CALLS as u64)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_where_build_tools_look_for_them() {
        let of = |folder| resources_of(Path::new(folder));
        assert_eq!(of("src/test/java"), Path::new("src/test/resources"));
        assert_eq!(of("a/src/test/java/"), Path::new("a/src/test/resources"));
        assert_eq!(of("tests"), Path::new("tests"));
    }

    #[test]
    fn failing_tests_are_where_no_build_compiles_them() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let of = |folder: &str| {
            let apart = failures_of(&root.join(folder));
            apart.strip_prefix(&root).unwrap().to_owned()
        };
        assert_eq!(of("tests"), Path::new("tests-failures"));
        let make = |file: &str| {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        };
        make("pom.xml");
        make("part/build.gradle.kts");
        let of_maven = Path::new("target/heapwright/failures");
        assert_eq!(of("src/test/java"), of_maven);
        assert_eq!(of("target/generated-test-sources/heapwright"), of_maven);
        let of_gradle = Path::new("part/build/heapwright/failures");
        assert_eq!(of("part/src/test/java"), of_gradle);
    }
}
