//! Compiles and runs the files of a suite.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use heapwright_suite::junit::{FileKind, TextFile};
use tempfile::TempDir;

use crate::CLASSES;
use crate::pace::TrialPace;
use crate::process::{NoResponse, Process, Urgency};

/// Java processes and their working folder; dropping this value ends both.
pub struct Trial {
    java: PathBuf,
    /// Declared before the folder, which is removed after the processes have ended.
    worlds: [Option<Process>; 2],
    folder: TempDir,
    /// Class path of the processes: the runner, and libraries of the tests, which are loaded once.
    libraries: OsString,
    /// Feature version of Java of which tests are; `None` for that of the JDK.
    release: Option<u32>,
    /// Number of suites tried, each in a folder of its own.
    tried: usize,
    /// Whether the responses to the warm-up requests are pending, of each process.
    are_warming_up: [bool; 2],
    pace: TrialPace,
}

/// Error that prevents a trial.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// The JDK is a runtime without a compiler.
    #[error("the JDK in {} has no javac", .0.display())]
    NoCompiler(PathBuf),
    /// A process cannot be started, or a file cannot be written.
    #[error("failed to try tests on a JVM: {0}")]
    Io(#[from] io::Error),
    /// The time was over before all tests were tried.
    #[error("the time was over before the tests were tried on a JVM")]
    GivenUp,
    /// A process does not start, as it says.
    #[error("the JVM does not start: {0}")]
    NoStart(String),
    /// The Java process ended unexpectedly.
    #[error("the JVM that tries tests has ended")]
    Ended,
}

/// Compiler diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Index of its file; `None` if it concerns no file.
    pub file: Option<usize>,
    /// Line, numbered from 1; 0 if it concerns no line.
    pub line: usize,
    /// Whether it is an error; else it is a warning.
    pub is_error: bool,
    /// Message.
    pub text: String,
}

/// Failing test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFailure {
    /// Index of its file.
    pub file: usize,
    /// Test method; empty if the class cannot be used at all.
    pub method: String,
    /// Index of its row, if the method is parameterised.
    pub row: Option<usize>,
    /// Line at which it failed first, numbered from 1; 0 if unknown.
    pub line: usize,
    /// Message in each world; `None` where it passes.
    pub texts: [Option<String>; 2],
}

/// Number of runs of a file's tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thoroughness {
    /// Runs in each world, in two orders, with assertions enabled and disabled.
    EachWorld,
    /// A single run in each world.
    OnceEachWorld,
    /// A single run.
    Once,
}

/// Facts that a test has noted while it ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestNotes {
    /// Index of its file.
    pub file: usize,
    /// Test method.
    pub method: String,
    /// World, from 0.
    pub world: usize,
    /// The facts, each of which is some texts.
    pub facts: Vec<Vec<String>>,
}

/// Result of a suite's files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Diagnostics of the compiler. With an error nothing was run.
    pub diagnostics: Vec<Diagnostic>,
    /// Failing tests, each at most once.
    pub failures: Vec<TestFailure>,
    /// Notes of tests, in the order of their runs.
    pub notes: Vec<TestNotes>,
}

/// Common options of all processes: short runs need no second compiler and no large heap. Code
/// that reads the salt of the immutable collections is not compiled, because that would fix the
/// initial salt.
const OPTIONS: [&str; 8] = [
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-Xshare:auto",
    "-XX:-UsePerfData",
    "-Xmx768m",
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:CompileCommand=quiet",
    "-XX:CompileCommand=exclude,java/util/ImmutableCollections*.*",
];

/// World unlike most machines: another language, time zone, character set, number of processors
/// and user, and the same hash code for all objects.
const ELSEWHERE: [&str; 9] = [
    "-Duser.language=tr",
    "-Duser.country=TR",
    "-Duser.timezone=Pacific/Chatham",
    "-Dfile.encoding=ISO-8859-1",
    "-Duser.name=elsewhere",
    "-Duser.home=/elsewhere",
    "-XX:ActiveProcessorCount=3",
    "-XX:+UnlockExperimentalVMOptions",
    "-XX:hashCode=2",
];

/// Last line of the response to a request to run tests.
const RAN: &str = "ran";

/// Source that warms up the compiler before the tests exist.
const WARM_UP: &str = "final class WarmUp {\n    @org.junit.jupiter.api.Test\n    void test() {\n        \
                       org.junit.jupiter.api.Assertions.assertEquals(1, \"a\".length());\n    }\n}\n";

impl Trial {
    /// Starts the processes of a JDK. `class_path` has the dependencies of the tests except JUnit,
    /// `libraries` those that depend on no others and on which none of them does, `classes` further
    /// classes by binary name with slashes. Tests are compiled for `release`. Returns at once, while
    /// the processes warm up.
    ///
    /// # Errors
    /// The JDK has no compiler, a file cannot be written or a process cannot be started.
    pub fn start(
        jdk: &Path,
        class_path: &[PathBuf],
        libraries: &[PathBuf],
        classes: &[(&str, &[u8])],
        release: Option<u32>,
    ) -> Result<Trial, TrialError> {
        if !tool(jdk, "javac").is_file() {
            return Err(TrialError::NoCompiler(jdk.to_owned()));
        }
        let folder = tempfile::Builder::new()
            .prefix("heapwright-trial-")
            .tempdir()?;
        let runner = folder.path().join("runner");
        let own = folder.path().join("own");
        for (root, classes) in [(&runner, CLASSES), (&own, classes)] {
            for (name, bytes) in classes {
                write(&root.join(format!("{name}.class")), bytes)?;
            }
        }
        fs::create_dir_all(&own)?;
        let mut entries = Vec::new();
        for entry in class_path.iter().chain([&own]) {
            let entry = std::path::absolute(entry)?;
            entries.extend_from_slice(entry.as_os_str().as_encoded_bytes());
            entries.push(b'\n');
        }
        write(&folder.path().join("classpath"), &entries)?;
        let mut loaded = vec![runner];
        for library in libraries {
            loaded.push(std::path::absolute(library)?);
        }
        let mut trial = Trial {
            libraries: std::env::join_paths(loaded).map_err(io::Error::other)?,
            java: java(jdk),
            worlds: [None, None],
            folder,
            release,
            tried: 0,
            are_warming_up: [true; 2],
            pace: TrialPace::default(),
        };
        let warm_up = trial.folder.path().join("WarmUp.java");
        write(&warm_up, WARM_UP.as_bytes())?;
        let out = trial.folder.path().join("warm-up");
        fs::create_dir_all(&out)?;
        trial.pace.begin();
        let process = trial.world(0)?;
        process.ask(&["compile", text(&out)?, "", text(&warm_up)?]);
        process.ask(&["run", text(&out)?, "WarmUp", "1"]);
        // The second process does not wait for the compiler. Where the class is not there yet, the
        // request loads most of what a run needs nevertheless.
        trial.world(1)?.ask(&["run", text(&out)?, "WarmUp", "1"]);
        Ok(trial)
    }

    /// The clock of its trials; the first is the warm-up.
    #[must_use]
    pub fn pace(&self) -> TrialPace {
        self.pace.clone()
    }

    /// Process of a world, started on demand.
    fn world(&mut self, number: usize) -> Result<&mut Process, TrialError> {
        if self.worlds[number].is_none() {
            let folder = self.folder.path();
            let mut options = OPTIONS.to_vec();
            if number > 0 {
                options.extend(ELSEWHERE);
            }
            let entries = folder.join("classpath");
            let seed = number.to_string();
            let main = "heapwright.trial.Main".as_ref();
            let arguments = [main, entries.as_os_str(), seed.as_ref(), folder.as_os_str()];
            let libraries = &self.libraries;
            let java = (self.java.as_path(), Urgency::Awaited);
            let mut warm_up = (number == 0 && self.are_warming_up[0]).then(|| self.pace.clone());
            let hears = move |line: &str| {
                if line == RAN
                    && let Some(pace) = warm_up.take()
                {
                    pace.end();
                }
            };
            let process = Process::start(
                java,
                Stdio::null(),
                (folder, &[]),
                &options,
                libraries,
                arguments,
                hears,
            )?;
            self.worlds[number] = Some(process);
        }
        self.worlds[number].as_mut().ok_or(TrialError::Ended)
    }

    /// Process of a world that has answered its warm-up requests.
    fn warm_world(
        &mut self,
        number: usize,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<&mut Process, TrialError> {
        let is_warming_up = std::mem::take(&mut self.are_warming_up[number]);
        let process = self.world(number)?;
        if is_warming_up {
            process.answers_until(RAN, gives_up)?;
        }
        Ok(process)
    }

    /// Compiles sources, for the JDK's own release, into a folder, which is created. With an error in
    /// one of them there may be no class of any.
    ///
    /// # Errors
    /// A file cannot be written, a process fails, or `gives_up` returns true.
    pub fn compile_to(
        &mut self,
        out: &Path,
        files: &[TextFile],
        gives_up: &dyn Fn() -> bool,
    ) -> Result<Vec<Diagnostic>, TrialError> {
        self.tried += 1;
        let folder = self.folder.path().join(self.tried.to_string());
        let mut paths = Vec::new();
        for file in files {
            let path = folder.join(&file.path);
            write(&path, file.contents.as_bytes())?;
            paths.push(path);
        }
        fs::create_dir_all(out)?;
        let diagnostics = self.compile(out, files, &paths, None, gives_up);
        fs::remove_dir_all(&folder)?;
        diagnostics
    }

    /// Runs the tests of each file once, from classes that were compiled into a folder.
    ///
    /// # Errors
    /// A process fails, or `gives_up` returns true.
    pub fn run_in(
        &mut self,
        out: &Path,
        files: &[TextFile],
        gives_up: &dyn Fn() -> bool,
    ) -> Result<Vec<TestFailure>, TrialError> {
        let mut verdict = Verdict::default();
        let wanted = vec![Thoroughness::Once; files.len()];
        self.run(0, out, (files, &wanted), &mut verdict, gives_up)?;
        Ok(verdict.failures)
    }

    /// Compiles the files and, unless there is an error, runs the tests of each as `wanted`.
    ///
    /// # Errors
    /// A file cannot be written, a process fails, or `gives_up` returns true.
    pub fn try_out(
        &mut self,
        files: &[TextFile],
        wanted: &[Thoroughness],
        gives_up: &dyn Fn() -> bool,
    ) -> Result<Verdict, TrialError> {
        self.tried += 1;
        let folder = self.folder.path().join(self.tried.to_string());
        let (sources, out) = (folder.join("sources"), folder.join("classes"));
        let mut paths = Vec::new();
        for file in files {
            let root = match file.kind {
                FileKind::Source => &sources,
                FileKind::Resource => &out,
            };
            let path = root.join(&file.path);
            write(&path, file.contents.as_bytes())?;
            paths.push(path);
        }
        fs::create_dir_all(&out)?;
        self.pace.begin();
        let verdict = self.verdict(&out, (files, &paths), wanted, gives_up);
        self.pace.end();
        if verdict.is_err() {
            // The response still under way there is obsolete.
            self.worlds = [None, None];
            self.are_warming_up = [false; 2];
        }
        fs::remove_dir_all(&folder)?;
        verdict
    }

    fn verdict(
        &mut self,
        out: &Path,
        (files, paths): (&[TextFile], &[PathBuf]),
        wanted: &[Thoroughness],
        gives_up: &dyn Fn() -> bool,
    ) -> Result<Verdict, TrialError> {
        let diagnostics = self.compile(out, files, paths, self.release, gives_up)?;
        let mut verdict = Verdict {
            diagnostics,
            ..Verdict::default()
        };
        if !verdict
            .diagnostics
            .iter()
            .any(|diagnostic| diagnostic.is_error)
        {
            for world in 0..2 {
                self.run(world, out, (files, wanted), &mut verdict, gives_up)?;
            }
        }
        Ok(verdict)
    }

    fn compile(
        &mut self,
        out: &Path,
        files: &[TextFile],
        paths: &[PathBuf],
        release: Option<u32>,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<Vec<Diagnostic>, TrialError> {
        let release = release.map_or_else(String::new, |release| release.to_string());
        let mut request = vec!["compile", text(out)?, &release];
        for (file, path) in files.iter().zip(paths) {
            if file.kind == FileKind::Source {
                request.push(text(path)?);
            }
        }
        let process = self.warm_world(0, gives_up)?;
        process.ask(&request);
        let lines = process.answers_until("compiled", gives_up)?;
        let mut found = Vec::new();
        for line in &lines {
            let fields: Vec<&str> = line.split('\t').collect();
            if let ["diagnostic", file, line, kind, text] = fields[..] {
                found.push(Diagnostic {
                    file: paths.iter().position(|path| path == Path::new(file)),
                    line: line.parse().unwrap_or(0),
                    is_error: kind == "ERROR",
                    text: text.to_owned(),
                });
            }
        }
        Ok(found)
    }

    /// Runs the tests of all files in a world, and records failures and notes. A test that ends the process
    /// fails, and later tests of this world are not run.
    fn run(
        &mut self,
        world: usize,
        out: &Path,
        (files, wanted): (&[TextFile], &[Thoroughness]),
        verdict: &mut Verdict,
        gives_up: &dyn Fn() -> bool,
    ) -> Result<(), TrialError> {
        let sources = files.iter().enumerate();
        for (file, source) in sources.filter(|(_, file)| file.kind == FileKind::Source) {
            let passes = match wanted.get(file) {
                Some(Thoroughness::Once) if world > 0 => continue,
                Some(Thoroughness::Once | Thoroughness::OnceEachWorld) => "1",
                _ => "2",
            };
            let class = source.path.trim_end_matches(".java").replace('/', ".");
            let process = self.warm_world(world, gives_up)?;
            process.ask(&["run", text(out)?, &class, passes]);
            let mut current: Option<(String, Option<usize>)> = None;
            loop {
                let line = match process.answer(gives_up) {
                    Ok(line) => line,
                    Err(NoResponse::Ended) if current.is_some() => {
                        "failed\t0\tends the JVM".to_owned()
                    }
                    Err(silence) => return Err(silence.into()),
                };
                let fields: Vec<&str> = line.split('\t').collect();
                match (&fields[..], &current) {
                    (["start", _, method, row], _) => {
                        current = Some(((*method).to_owned(), row.parse().ok()));
                    }
                    (["noted", fields @ ..], Some((method, _))) => {
                        add_fact(&mut verdict.notes, (file, method, world), fields);
                    }
                    (["failed", line, text], Some((method, row))) => {
                        note(
                            &mut verdict.failures,
                            world,
                            (file, method, *row),
                            (line, text),
                        );
                        if matches!(*text, "ends the JVM" | "does not end") {
                            self.worlds[world] = None;
                            return Ok(());
                        }
                    }
                    ([RAN], _) => break,
                    _ => current = None,
                }
            }
        }
        Ok(())
    }
}

/// Adds a fact to the notes of a test in a world, which are the last ones if there are any.
fn add_fact(
    notes: &mut Vec<TestNotes>,
    (file, method, world): (usize, &str, usize),
    fields: &[&str],
) {
    let is_own = |notes: &TestNotes| {
        (notes.file, notes.method.as_str(), notes.world) == (file, method, world)
    };
    if !notes.last().is_some_and(is_own) {
        notes.push(TestNotes {
            file,
            method: method.to_owned(),
            world,
            facts: Vec::new(),
        });
    }
    if let Some(notes) = notes.last_mut() {
        let fields = fields.iter().map(|field| unescaped(field));
        notes.facts.push(fields.collect());
    }
}

/// Text of a field in which letters behind backslashes stand for white space.
fn unescaped(field: &str) -> String {
    let mut letters = field.chars();
    let mut text = String::new();
    while let Some(letter) = letters.next() {
        text.extend(match letter {
            '\\' => letters.next().map(|escaped| match escaped {
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                other => other,
            }),
            other => Some(other),
        });
    }
    text
}

/// Records the failure of a test in a world.
fn note(
    failures: &mut Vec<TestFailure>,
    world: usize,
    (file, method, row): (usize, &str, Option<usize>),
    (line, text): (&str, &str),
) {
    let is_known = |failure: &&mut TestFailure| {
        (failure.file, failure.method.as_str(), failure.row) == (file, method, row)
    };
    let text = Some(text.to_owned());
    match failures.iter_mut().find(is_known) {
        Some(known) => known.texts[world] = known.texts[world].take().or(text),
        None => {
            let mut failure = TestFailure {
                file,
                method: method.to_owned(),
                row,
                line: line.parse().unwrap_or(0),
                texts: [None, None],
            };
            failure.texts[world] = text;
            failures.push(failure);
        }
    }
}

/// Virtual machine of a JDK.
pub(super) fn java(jdk: &Path) -> PathBuf {
    tool(jdk, "java")
}

fn tool(jdk: &Path, name: &str) -> PathBuf {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    jdk.join("bin").join(file)
}

/// Writes a file, and makes its folder.
pub(super) fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, contents)
}

fn text(path: &Path) -> io::Result<&str> {
    let text = path.to_str();
    text.ok_or_else(|| io::Error::other(format!("{} is no text", path.display())))
}

impl From<NoResponse> for TrialError {
    fn from(silence: NoResponse) -> TrialError {
        match silence {
            NoResponse::Ended => TrialError::Ended,
            NoResponse::GivenUp => TrialError::GivenUp,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use heapwright_suite::junit::{JunitOptions, JunitVersion};
    use heapwright_suite::{
        Action, CallOutcome, ClassSig, Input, Literal, MethodSig, Script, Statement, Step, Suite,
        Value,
    };
    use heapwright_testkit::jdk::compilers;

    use super::*;
    use crate::filter::{Purpose, TimePressure, sift};

    /// Suite with a number of tests of `Math.abs`.
    fn suite(tests: i32) -> Suite {
        suite_of((0..tests).map(|number| ("abs", -number, number)))
    }

    /// Suite with a test of each of these methods of `Math`, with its argument and result.
    fn suite_of<'n>(tests: impl Iterator<Item = (&'n str, i32, i32)>) -> Suite {
        let class = Arc::new(ClassSig::named("java.lang.Math", "java.lang.Math"));
        let method = |name: &str| {
            Arc::new(MethodSig {
                declaring_class: class.name.clone(),
                name: name.to_owned(),
                descriptor: "(I)I".to_owned(),
                is_static: true,
                is_accessible: true,
                is_overloaded: true,
                has_twin: false,
                exceptions: Vec::new(),
                parameters: Vec::new(),
            })
        };
        let script = |(name, number, result): (&str, i32, i32)| Script {
            label: Default::default(),
            statements: vec![Statement {
                action: Action::Call(Step {
                    method: method(name),
                    class: Arc::clone(&class),
                    receiver: None,
                    arguments: vec![Input::Literal(Literal::Value(Value::Int(number)))],
                    made: None,
                    spelling: None,
                    is_variadic: false,
                    body: None,
                }),
                name: None,
                thrown: None,
                contents: Vec::new(),
                given: None,
            }],
            outcome: CallOutcome::Returned(Literal::Value(Value::Int(result))),
            after: Vec::new(),
            invariant_holds_after: None,
            settings: Vec::new(),
            exchange: None,
        };
        Suite {
            scripts: tests.map(script).collect(),
            class_under_test: Arc::clone(&class),
            invariant: None,
            cases: Vec::new(),
            hides: Vec::new(),
            resets: Vec::new(),
            uses_deprecated: false,
        }
    }

    #[test]
    fn what_does_not_compile_is_left_out_and_told() {
        let options = JunitOptions {
            package: Some("apart".to_owned()),
            ..JunitOptions::default()
        };
        let mut suite = suite(3);
        let Action::Call(step) = &mut suite.scripts[1].statements[0].action else {
            panic!("no call");
        };
        Arc::make_mut(&mut step.method).name = "absent".to_owned();
        let mut trial = Trial::start(&compilers()[0].home, &[], &[], &[], None).expect("a JDK");
        let haste = TimePressure {
            is_short: false,
            gives_up: &|| false,
        };
        let sifted = sift(suite, Purpose::Regression, &options, &mut trial, &haste);
        let sifted = sifted.expect("a suite that fits together");
        assert_eq!(
            (sifted.output.tests(), sifted.left_out.uncompilable),
            (2, 1)
        );
        assert!(sifted.left_out.reasons[0].contains("absent"), "{sifted:?}");
    }

    /// Tests of three methods, which are rows in nested classes of JUnit 5.
    #[test]
    fn rows_and_nested_classes_are_run() {
        let methods = [("abs", [1, 2, 3, 4]), ("negateExact", [-1, -2, -3, -4])];
        let methods = methods
            .into_iter()
            .chain([("incrementExact", [2, 3, 7, 5])]);
        let tests = methods.flat_map(|(name, results)| {
            let numbered = (1..).zip(results);
            numbered.map(move |(number, result)| (name, number, result))
        });
        // 7 is not the successor of 3.
        let suite = suite_of(tests);
        for (version, rows) in [
            (JunitVersion::Five, vec![4, 4, 3]),
            (JunitVersion::Four, vec![]),
            (JunitVersion::TestNg, vec![]),
        ] {
            let options = JunitOptions {
                version,
                package: Some("apart".to_owned()),
                ..JunitOptions::default()
            };
            let mut trial = Trial::start(&compilers()[0].home, &[], &[], &[], None).expect("a JDK");
            let haste = TimePressure {
                is_short: false,
                gives_up: &|| false,
            };
            let purpose = Purpose::Regression;
            let sifted = sift(suite.clone(), purpose, &options, &mut trial, &haste);
            let sifted = sifted.expect("a suite that fits together");
            assert_eq!(sifted.untried, None);
            assert_eq!(
                (sifted.output.tests(), sifted.left_out.disagreeing),
                (11, 1),
                "{sifted:?}"
            );
            let of = sifted.output.rows.iter().map(|rows| rows.of.len());
            assert_eq!(of.collect::<Vec<_>>(), rows);
            let source = &sifted.output.files[0].contents;
            assert_eq!(source.contains("@Nested"), version == JunitVersion::Five);
        }
    }

    #[test]
    fn what_was_seen_to_hold_is_left_where_the_time_ends() {
        let options = JunitOptions {
            package: Some("apart".to_owned()),
            ..JunitOptions::default()
        };
        let start = || Trial::start(&compilers()[0].home, &[], &[], &[], None).expect("a JDK");
        // Number of the part in progress when the time ends, if it does, and the numbers of
        // written and unwritten tests out of forty.
        let rows = [
            (true, None, (40, 0)),
            (true, Some(2), (16, 24)),
            (true, Some(1), (0, 40)),
            (false, None, (40, 0)),
            (false, Some(1), (0, 40)),
        ];
        for (is_short, ends_at, (written, unwritten)) in rows {
            let mut trial = start();
            let part = ends_at.map(|number: usize| trial.folder.path().join(number.to_string()));
            let haste = TimePressure {
                is_short,
                gives_up: &|| part.as_ref().is_some_and(|part| part.exists()),
            };
            let sifted = sift(suite(40), Purpose::Regression, &options, &mut trial, &haste);
            let sifted = sifted.expect("a suite that fits together");
            assert_eq!(sifted.left_out, crate::RemovedTests::default());
            assert_eq!(
                (sifted.output.tests(), sifted.unwritten),
                (written, unwritten),
                "{is_short} {ends_at:?}"
            );
        }
    }
}
