//! Run of the build's own tests at the end of a run: what fails there is taken back.
//!
//! Invariant: afterwards the build is as green as it is without the new tests, or a message says that
//! this is not known.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use heapwright_project::{BuildRequest, Module, Project, ProjectError, TestRun};
use heapwright_suite::junit::existing_tests;
use heapwright_trial::ModuleFailure;

use super::new_tests::{NewTests, named, write_back};
use super::report::ClassReport;
use crate::after_write::module_of;
use crate::files::{counted, rewrite_test_class};
use crate::interrupt::StopSignal;
use crate::project;

/// Share of a time limit that is left to the build.
const SHARE: f64 = 0.3;
/// Maximum number of runs of one module.
const MAX_RUNS: usize = 6;

/// Time of a limit that the build needs.
pub fn reserve(limit: Option<Duration>) -> Duration {
    limit.unwrap_or_default().mul_f64(SHARE)
}

/// Runs the tests of the modules that new test classes are in, and takes back those that fail. A build
/// that cannot be run is a notice.
///
/// # Errors
/// A file cannot be read or written.
pub fn settle(
    mut new: Vec<NewTests>,
    build_arguments: &[String],
    told: &mut [&mut ClassReport],
    interrupt: &StopSignal,
) -> anyhow::Result<()> {
    if new.is_empty() {
        return Ok(());
    }
    let end = interrupt.end_of_run();
    let ends = || interrupt.is_raised() || end.is_some_and(|end| Instant::now() >= end);
    let request = BuildRequest {
        arguments: build_arguments.to_vec(),
        deadline: end,
    };
    let build = project::around(&request)?;
    let of_module = |new: &NewTests| {
        let path = std::path::absolute(&new.path).ok()?;
        module_of(&build, &path).map(|module| module.name.clone())
    };
    let modules: BTreeSet<String> = new.iter().filter_map(of_module).collect();
    for module in build
        .modules
        .iter()
        .filter(|module| modules.contains(&module.name))
    {
        let (own, others): (Vec<NewTests>, Vec<NewTests>) = new
            .into_iter()
            .partition(|new| of_module(new).as_ref() == Some(&module.name));
        let mut run = ModuleRun {
            build: &build,
            module,
            arguments: build_arguments,
            ends: &ends,
            new: own,
        };
        if let Err(error) = run.settle() {
            notice!(
                "whether `{}` is green with the new tests is not known: {error:#}",
                build.test_command(module)
            );
        }
        new = others;
        write_back(run.new, told)?;
    }
    Ok(())
}

/// Tests of a module under way.
struct ModuleRun<'a> {
    build: &'a Project,
    module: &'a Module,
    arguments: &'a [String],
    ends: &'a dyn Fn() -> bool,
    new: Vec<NewTests>,
}

impl ModuleRun<'_> {
    /// Runs the tests until they are as green as without the new ones.
    fn settle(&mut self) -> anyhow::Result<()> {
        const WHY: &str = "fails in the build";
        for _ in 0..MAX_RUNS {
            let run = self.run()?;
            if run.is_green {
                detail!("`{}` is green", self.build.test_command(self.module));
                self.tell_of_not_run(&run);
                return Ok(());
            }
            let mut failures: Vec<ModuleFailure> = run.failures.iter().map(failure).collect();
            failures.extend(self.named_in(&run));
            let mut is_any = false;
            for new in &mut self.new {
                is_any |= new.take_back_failing(&failures, WHY);
            }
            if !is_any {
                return self.compare(&run, &failures);
            }
            for new in &self.new {
                match new.is_empty() {
                    true => self.remove(new)?,
                    false => rewrite_test_class(&new.path, &new.text)?,
                }
            }
        }
        let reason = format!("the build was red {MAX_RUNS} times");
        self.new.iter_mut().for_each(|new| take_all(new, &reason));
        Ok(())
    }

    /// Names new test classes that the build has not run, by its reports.
    fn tell_of_not_run(&self, run: &TestRun) {
        // Reports may have phrases in place of names.
        if run.classes.iter().any(|class| class.contains(' ')) {
            return;
        }
        let left = self.new.iter().filter(|new| !new.is_empty());
        let missed = left.filter(|new| !run.classes.contains(&new.class));
        let missed: Vec<String> = missed.map(|new| new.class.clone()).collect();
        if !missed.is_empty() {
            notice!(
                "`{}` has not run {}, as its settings say (a skip, includes, excludes or groups): {}",
                self.build.test_command(self.module),
                counted(missed.len() as u64, "new test class"),
                named(&missed)
            );
        }
    }

    fn run(&self) -> Result<TestRun, ProjectError> {
        self.build.test(self.module, self.arguments, self.ends)
    }

    /// Removes a test class, and what the build has compiled of it: builds leave that behind.
    fn remove(&self, new: &NewTests) -> std::io::Result<()> {
        if new.path.exists() {
            fs::remove_file(&new.path)?;
        }
        let stem = new.name.trim_end_matches(".java");
        let (package, simple) = stem.rsplit_once('/').unwrap_or(("", stem));
        for output in &self.module.test_outputs {
            let classes = fs::read_dir(output.join(package)).into_iter().flatten();
            for class in classes.filter_map(Result::ok) {
                let name = class.file_name();
                let name = name.to_string_lossy();
                let rest = name
                    .strip_prefix(simple)
                    .and_then(|rest| rest.strip_suffix(".class"));
                if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$')) {
                    fs::remove_file(class.path())?;
                }
            }
        }
        Ok(())
    }

    /// New test classes whose source files the build tool names as it fails before any test has run,
    /// as compilers and linters do.
    fn named_in(&self, run: &TestRun) -> Vec<ModuleFailure> {
        if !run.failures.is_empty() {
            return Vec::new();
        }
        let lines = || run.printed.lines().map(str::trim);
        let named = self.new.iter().filter_map(|new| {
            let line = lines().find(|line| line.contains(&new.name))?;
            Some(ModuleFailure {
                class: new.class.clone(),
                test: String::new(),
                reason: line.to_owned(),
            })
        });
        named.collect()
    }

    /// Runs the tests without the new ones where none of these fails. If they are green then, all new
    /// ones are taken back, else they stay.
    fn compare(&mut self, red: &TestRun, failures: &[ModuleFailure]) -> anyhow::Result<()> {
        let left: Vec<&NewTests> = self.new.iter().filter(|new| !new.is_empty()).collect();
        let texts: Result<Vec<Vec<u8>>, _> = left.iter().map(|new| fs::read(&new.path)).collect();
        let texts = texts?;
        for new in &left {
            self.remove(new)?;
        }
        let without = self.run();
        for (new, text) in left.iter().zip(&texts) {
            fs::write(&new.path, text)?;
        }
        let tests: Vec<String> = failures
            .iter()
            .map(|failure| failure.test.clone())
            .collect();
        let what = match tests.is_empty() {
            true => red.reason.clone(),
            false => named(&tests),
        };
        if without?.is_green {
            let reason = format!("the build is red with it: {what}");
            self.new.iter_mut().for_each(|new| take_all(new, &reason));
        } else {
            notice!(
                "`{}` is red without the new tests, too: {what}",
                self.build.test_command(self.module)
            );
        }
        Ok(())
    }
}

/// Takes back all tests that are left of a class.
fn take_all(new: &mut NewTests, reason: &str) {
    let tests = existing_tests(&new.text);
    new.take_back(&tests, reason);
}

/// Failure by the outermost class of a test, which runs it.
fn failure(failed: &heapwright_project::FailedTest) -> ModuleFailure {
    let class = failed.class.split('$').next().unwrap_or_default();
    let test = match failed.test.is_empty() {
        true => String::new(),
        false => format!("{}.{}", failed.class, failed.test),
    };
    ModuleFailure {
        class: class.to_owned(),
        test,
        reason: failed.reason.clone(),
    }
}
