//! Trial of all new test classes of a run together with the tests of the project, in one virtual
//! machine, as a build runs them. What fails there, or makes others fail, is taken back.
//!
//! Invariant: a test of the project that fails without the new ones is no reason to take any back.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Context;
use heapwright_suite::junit::{FileKind, TextFile, existing_tests, without_tests};
use heapwright_techniques::measure::DRIVER;
use heapwright_trial::{ModuleFailure, ModuleRun, TestModule, TrialError, Urgency};

use super::args::{EarlierArgs, SequencesArgs};
use super::new_tests::{NewTests, named, write_back};
use super::report::ClassReport;
use crate::compiled_tests::module_of;
use crate::files::{counted, is_generated};
use crate::interrupt::{CTRL_C, StopSignal};
use crate::junit::{TestWriter, has_framework, resources_of};
use crate::options::split;

/// Share of a time limit that the trial has, and its bounds.
const SHARE: f64 = 0.15;
const LEAST: Duration = Duration::from_secs(4);
const MOST: Duration = Duration::from_secs(300);
/// Time of a first run beyond which there is none in another order.
const QUICK: Duration = Duration::from_secs(60);

/// Order in which test classes run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum RunOrder {
    Alphabetical,
    Reversed,
    Shuffled,
}

impl RunOrder {
    const ALL: [RunOrder; 3] = [
        RunOrder::Alphabetical,
        RunOrder::Reversed,
        RunOrder::Shuffled,
    ];

    /// Puts names in this order; the shuffled one is the same each time.
    fn sort(self, names: &mut [String]) {
        names.sort_unstable();
        match self {
            RunOrder::Alphabetical => {}
            RunOrder::Reversed => names.reverse(),
            RunOrder::Shuffled => {
                names.sort_by_key(|name| crate::files::checksum::checksum(name.as_bytes()))
            }
        }
    }
}

/// Trial of the test classes of a module.
pub struct ModuleTrial<'a> {
    arguments: &'a SequencesArgs,
    writer: &'a TestWriter,
    interrupt: &'a StopSignal,
    module: Arc<TestModule>,
    /// Binary names of the test classes that were there before.
    existing: Vec<String>,
    /// Run of these alone, which begins with the search.
    before: JoinHandle<Result<ModuleRun, TrialError>>,
    /// Whether nobody waits for it.
    is_void: Arc<AtomicBool>,
}

impl<'a> ModuleTrial<'a> {
    /// Prepares the trial, and begins to run the tests that were there before; `None` where no tests
    /// are named with which new ones are to be tried, or nothing runs them.
    ///
    /// # Errors
    /// The class path is wrong, or a file cannot be written.
    pub fn begin(
        arguments: &'a SequencesArgs,
        earlier: &EarlierArgs,
        writer: &'a TestWriter,
        interrupt: &'a StopSignal,
    ) -> anyhow::Result<Option<ModuleTrial<'a>>> {
        let folders: Vec<PathBuf> = earlier
            .try_with
            .iter()
            .flat_map(|text| split(text))
            .collect();
        if folders.is_empty() || !writer.runs_tests() {
            return Ok(None);
        }
        let config = arguments.common.class_path.config()?;
        let class_path = [
            &folders[..],
            &config.class_path,
            &arguments.junit.libraries(),
        ]
        .concat();
        if !has_framework(&class_path)? {
            return Ok(None);
        }
        let base = module_of(&folders[0])?;
        let module = TestModule::new(&config.jdk.home, DRIVER, &class_path, &base)?;
        let module = Arc::new(module);
        let existing = test_classes(&folders);
        let is_void = Arc::new(AtomicBool::new(false));
        let before = {
            let (module, mut existing) = (Arc::clone(&module), existing.clone());
            let (over, is_void) = (interrupt.over(), Arc::clone(&is_void));
            let sources = arguments.output.clone();
            thread::spawn(move || {
                let begun = Instant::now();
                let gives_up =
                    || over() || is_void.load(Ordering::Relaxed) || begun.elapsed() > MOST;
                RunOrder::Alphabetical.sort(&mut existing);
                let run = module.run(None, &existing, Urgency::Background, &gives_up)?;
                if reason_of_all(&run, &existing).is_none() {
                    tell_of_failing(&run, sources.as_deref());
                }
                Ok(run)
            })
        };
        Ok(Some(ModuleTrial {
            arguments,
            writer,
            interrupt,
            module,
            existing,
            before,
            is_void,
        }))
    }

    /// Time of a limit to leave for it.
    pub fn time(&self) -> Duration {
        let whole = self.arguments.common.time_limit.unwrap_or_default();
        whole.mul_f64(SHARE).max(LEAST).min(whole / 3).min(MOST)
    }

    /// Tries the new tests, takes back what fails or makes others fail, and takes it off the reports.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn settle(self, told: &mut [&mut ClassReport]) -> anyhow::Result<()> {
        let new = match &self.arguments.output {
            Some(folder) => NewTests::of(told, folder, self.writer)?,
            None => Vec::new(),
        };
        self.is_void.store(new.is_empty(), Ordering::Relaxed);
        let before = self.before.join().unwrap_or(Err(TrialError::Ended));
        let before = match before {
            _ if new.is_empty() => return Ok(()),
            Ok(before) => before,
            Err(error) => {
                tell_of_no_run(&error, "were not run", self.interrupt);
                return Ok(());
            }
        };
        if let Some(reason) = reason_of_all(&before, &self.existing) {
            notice!(
                "no test class of the project can be run here, and the new ones, each of which was run, were not run \
                 together with them: {reason}"
            );
            return Ok(());
        }
        let failing = before.failing();
        let mut existing = self.existing;
        existing
            .retain(|name| !failing.contains(name) && !new.iter().any(|new| new.class == *name));
        let begun = Instant::now();
        let over = self.interrupt.over();
        let mut trial = RunningTrial {
            arguments: self.arguments,
            writer: self.writer,
            module: &self.module,
            existing,
            new,
            resources: resources(told),
            gives_up: &|| over() || begun.elapsed() > MOST,
        };
        for order in RunOrder::ALL {
            let first = Instant::now();
            match trial.settle(order) {
                Ok(()) => {}
                Err(error) => match error.downcast_ref::<TrialError>() {
                    Some(error) => {
                        tell_of_no_run(error, "were not run in all orders", self.interrupt);
                        break;
                    }
                    None => return Err(error),
                },
            }
            if first.elapsed() > QUICK {
                detail!("the tests of the project take long: they were run in one order");
                break;
            }
        }
        write_back(trial.new, told)
    }
}

/// Number of reasons that are told for failing tests of the project.
const REASONS: usize = 3;

/// Trial under way.
struct RunningTrial<'a> {
    arguments: &'a SequencesArgs,
    writer: &'a TestWriter,
    module: &'a TestModule,
    existing: Vec<String>,
    new: Vec<NewTests>,
    /// Data files of the tests.
    resources: Vec<PathBuf>,
    gives_up: &'a dyn Fn() -> bool,
}

impl RunningTrial<'_> {
    /// Runs all test classes in an order until none fails, and takes tests back.
    fn settle(&mut self, order: RunOrder) -> anyhow::Result<()> {
        let mut alone: Option<BTreeSet<String>> = None;
        while !self.new.iter().all(NewTests::is_empty) {
            let built = self.compile(self.left().map(|new| (new, &new.text)))?;
            let mut names = self.existing.clone();
            names.extend(self.left().map(|new| new.class.clone()));
            order.sort(&mut names);
            let run =
                self.module
                    .run(Some(built.path()), &names, Urgency::Awaited, self.gives_up)?;
            if run.failures.is_empty() {
                return Ok(());
            }
            const WHY: &str = "fails together with the tests of the project";
            let mut is_any = false;
            for new in &mut self.new {
                is_any |= new.take_back_failing(&run.failures, WHY);
            }
            if is_any {
                continue;
            }
            // Tests may depend on their order without any of ours.
            let alone = match &mut alone {
                Some(alone) => alone,
                None => {
                    let mut names = self.existing.clone();
                    order.sort(&mut names);
                    let run = self
                        .module
                        .run(None, &names, Urgency::Awaited, self.gives_up);
                    alone.insert(run.map(|run| run.failing()).unwrap_or_default())
                }
            };
            let failure = { run.failures.iter() }.find(|failure| !alone.contains(&failure.class));
            let Some(failure) = failure else {
                return Ok(());
            };
            let failure = failure.clone();
            let until = names.iter().position(|name| *name == failure.class);
            names.truncate(until.map_or(names.len(), |until| until + 1));
            let again =
                self.module
                    .run(Some(built.path()), &names, Urgency::Awaited, self.gives_up);
            let is_flaky = again.is_ok_and(|again| !again.failing().contains(&failure.class));
            if is_flaky || !self.take_back_culprits(&names, &failure) {
                detail!("{} fails only now and then", failure.class);
                self.existing.retain(|name| *name != failure.class);
            }
        }
        Ok(())
    }

    /// Takes back the new tests behind which the last of these classes, one of the project, fails;
    /// returns whether there are any.
    fn take_back_culprits(&mut self, names: &[String], failure: &ModuleFailure) -> bool {
        let name = match failure.test.is_empty() {
            true => &failure.class,
            false => &failure.test,
        };
        let reason = format!("{name} fails behind it: {}", failure.reason);
        let mut before: Vec<usize> = (0..self.new.len()).collect();
        before.retain(|&new| names.contains(&self.new[new].class));
        let classes = culprits(&before, &mut |classes| {
            let texts = { classes.iter() }.map(|&new| (new, self.new[new].text.clone()));
            self.makes_fail(&texts.collect::<Vec<_>>(), names, failure)
        });
        for &new in &classes {
            let text = self.new[new].text.clone();
            let all = existing_tests(&text);
            let tests = culprits(&all, &mut |tests| {
                let mut others = all.clone();
                others.retain(|test| !tests.contains(test));
                let text = without_tests(&text, &others);
                self.makes_fail(&[(new, text)], names, failure)
            });
            self.new[new].take_back(&tests, &reason);
        }
        !classes.is_empty()
    }

    /// Whether the last of some classes fails behind new test classes with these texts and the others
    /// that are no new ones.
    fn makes_fail(
        &self,
        texts: &[(usize, String)],
        names: &[String],
        failure: &ModuleFailure,
    ) -> anyhow::Result<bool> {
        let built = self.compile(texts.iter().map(|(new, text)| (&self.new[*new], text)))?;
        let is_kept = |name: &&String| {
            let number = self.new.iter().position(|new| new.class == **name);
            number.is_none_or(|number| texts.iter().any(|(new, _)| *new == number))
        };
        let names: Vec<String> = names.iter().filter(is_kept).cloned().collect();
        let run = self
            .module
            .run(Some(built.path()), &names, Urgency::Awaited, self.gives_up)?;
        Ok(run.failing().contains(&failure.class))
    }

    /// Test classes of which tests are left.
    fn left(&self) -> impl Iterator<Item = &NewTests> {
        self.new.iter().filter(|new| !new.is_empty())
    }

    /// Compiles texts of new tests, and puts the data files of all beside.
    fn compile<'n>(
        &self,
        texts: impl Iterator<Item = (&'n NewTests, &'n String)>,
    ) -> anyhow::Result<tempfile::TempDir> {
        let built = tempfile::tempdir().context("failed to make a folder for compiled tests")?;
        let files = texts.map(|(new, text)| TextFile {
            path: new.name.clone(),
            kind: FileKind::Source,
            contents: text.clone(),
        });
        let files: Vec<TextFile> = files.collect();
        let (errors, _) = self.writer.try_existing(built.path(), &files, &[])?;
        if let Some(error) = errors.first() {
            detail!("new tests do not compile together: {}", error.text);
            return Err(TrialError::Ended.into());
        }
        if let Some(folder) = &self.arguments.output {
            let root = resources_of(folder);
            for path in &self.resources {
                if let Ok(name) = path.strip_prefix(&root) {
                    let to = built.path().join(name);
                    if let Some(folder) = to.parent() {
                        fs::create_dir_all(folder)?;
                    }
                    fs::copy(path, &to)
                        .with_context(|| format!("failed to copy {}", path.display()))?;
                }
            }
        }
        Ok(built)
    }
}

/// Those of some parts without which nothing fails, where one alone makes `fails` true; where several
/// have to come together, these. If it cannot be told, all are.
fn culprits<T: Clone>(parts: &[T], fails: &mut dyn FnMut(&[T]) -> anyhow::Result<bool>) -> Vec<T> {
    if parts.len() < 2 {
        return parts.to_vec();
    }
    let (first, second) = parts.split_at(parts.len() / 2);
    let mut found = Vec::new();
    for half in [first, second] {
        match fails(half) {
            Ok(true) => found.extend(culprits(half, fails)),
            Ok(false) => {}
            Err(_) => return parts.to_vec(),
        }
    }
    match found.is_empty() {
        true => parts.to_vec(),
        false => found,
    }
}

/// Data files among those that a run wrote.
fn resources(told: &[&mut ClassReport]) -> Vec<PathBuf> {
    let files = told.iter().flat_map(|told| &told.files);
    let is_data = |path: &&PathBuf| path.extension().is_none_or(|extension| extension != "java");
    files.filter(is_data).cloned().collect()
}

/// Says why the new tests and those of the project were not run together, or not in all orders.
fn tell_of_no_run(error: &TrialError, what: &str, interrupt: &StopSignal) {
    match error {
        TrialError::GivenUp if interrupt.reason_raised() == Some(CTRL_C) => notice!(
            "the new tests, each of which was run, {what} together with those of the project: stopped by {CTRL_C}"
        ),
        TrialError::GivenUp => notice!(
            "the tests of the project take long: the new ones, each of which was run, {what} together with \
             them; --time-limit gives more time, and --run-build has the build run all"
        ),
        error => notice!("the new tests {what} together with those of the project: {error}"),
    }
}

/// Reason for which no test class can be run, as with an engine that does not fit, if there is one: no
/// failure of a new class would mean anything.
fn reason_of_all<'r>(run: &'r ModuleRun, classes: &[String]) -> Option<&'r str> {
    let failing = run.failing();
    let are_classes = run.failures.iter().all(|failure| failure.test.is_empty());
    let is_all = are_classes && classes.iter().all(|name| failing.contains(name));
    let first = run.failures.first().filter(|_| is_all);
    first.map(|first| &*first.reason)
}

/// Names the tests of the project that fail before anything is written, and why the first classes do.
/// Generated ones in a folder of sources are none of them: what becomes of these is told with their
/// classes.
fn tell_of_failing(before: &ModuleRun, sources: Option<&Path>) {
    let is_by_hand = |failure: &&ModuleFailure| {
        let file = format!("{}.java", failure.class.replace('.', "/"));
        sources.is_none_or(|sources| !is_generated(&sources.join(file)))
    };
    let failures: Vec<&ModuleFailure> = before.failures.iter().filter(is_by_hand).collect();
    if failures.is_empty() {
        return;
    }
    let tests = failures
        .iter()
        .map(|failure| match failure.test.is_empty() {
            true => failure.class.clone(),
            false => failure.test.clone(),
        });
    let mut tests: Vec<String> = tests.collect();
    let count = counted(tests.len() as u64, "test");
    tests.dedup();
    let mut reasons: Vec<&str> = Vec::new();
    for failure in failures.iter().filter(|failure| !failure.reason.is_empty()) {
        if reasons.len() < REASONS && !reasons.contains(&&*failure.reason) {
            reasons.push(&failure.reason);
        }
    }
    let reasons = match reasons.is_empty() {
        true => String::new(),
        false => format!("; {}", reasons.join("; ")),
    };
    notice!(
        "{count} of the project failed here before anything was written, outside of the build with its properties, \
         environment and groups, and new tests are tried without (--run-build has the build run all): {}{reasons}",
        named(&tests)
    );
}

/// Binary names of the classes in folders that build tools take for tests by their names.
fn test_classes(folders: &[PathBuf]) -> Vec<String> {
    let mut names = BTreeSet::new();
    for folder in folders {
        let files = walkdir::WalkDir::new(folder)
            .into_iter()
            .filter_map(Result::ok);
        for file in files {
            let Ok(path) = file.path().strip_prefix(folder) else {
                continue;
            };
            let path = path.to_string_lossy().replace('\\', "/");
            let Some(name) = path.strip_suffix(".class") else {
                continue;
            };
            let simple = name.rsplit('/').next().unwrap_or(name);
            let ends = ["Test", "Tests", "TestCase"];
            let is_test =
                simple.starts_with("Test") || ends.iter().any(|end| simple.ends_with(end));
            if is_test && !simple.contains('$') {
                names.insert(name.replace('/', "."));
            }
        }
    }
    names.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn culprits_are_found_one_by_one_or_together() {
        let of =
            |fails: fn(&[u32]) -> bool| culprits(&[1, 2, 3, 4, 5], &mut |some| Ok(fails(some)));
        assert_eq!(of(|some| some.contains(&4)), [4]);
        assert_eq!(of(|some| some.contains(&1) || some.contains(&5)), [1, 5]);
        assert_eq!(
            of(|some| some.contains(&1) && some.contains(&5)),
            [1, 2, 3, 4, 5]
        );
        let late = culprits(&[1, 2], &mut |_| Err(TrialError::GivenUp.into()));
        assert_eq!(late, [1, 2]);
    }

    #[test]
    fn orders_have_the_same_names() {
        let names: Vec<String> = ["b", "a", "c", "d"].map(str::to_owned).to_vec();
        let sorted = |order: RunOrder| {
            let mut names = names.clone();
            order.sort(&mut names);
            names.concat()
        };
        assert_eq!(sorted(RunOrder::Alphabetical), "abcd");
        assert_eq!(sorted(RunOrder::Reversed), "dcba");
        let shuffled = sorted(RunOrder::Shuffled);
        assert!(!["abcd", "dcba"].contains(&shuffled.as_str()), "{shuffled}");
    }
}
