//! Tests of structures that calls build, and reproducers of calls that fail.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use heapwright_jvm::{ClassId, Vm};
use heapwright_suite::{Case, InvariantSig, Suite};
use heapwright_techniques::api::{Built, Cases, Finding};
use heapwright_techniques::hidden_names;
use heapwright_techniques::read::StructureReader;

use super::Writer;
use crate::cli::EnumerateArgs;
use crate::enumerate::{explain, package_of_tests};
use crate::interrupt::Interrupt;
use crate::junit::{Making, TestWriter, WrittenTests, warn_of_skipped, warn_of_unmade};
use crate::output::grouped;
use crate::smallest::{Smallest, warn_of_left_out};

/// What was written.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// Tests of structures.
    pub tests: usize,
    /// What left some out, if something did.
    pub stopped_by: Option<&'static str>,
    /// The reproducers, if there are any.
    pub reproducers: Option<PathBuf>,
}

impl Writer<'_> {
    /// Writes the tests of structures, and a class of reproducers of what was found.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write_tests(
        &mut self,
        built: &[Built],
        findings: &[Finding],
        arguments: &EnumerateArgs,
        (tests_of, interrupt): (&TestWriter, &Interrupt),
    ) -> anyhow::Result<Written> {
        let folder = arguments
            .output
            .as_deref()
            .context("--format junit writes files: say with -o into which folder")?;
        let pools = &self.search.pools;
        let invariant = arguments.invariant.as_deref();
        let cases = Cases::new(self.vm, self.prepared, pools, invariant);
        let mut cases = cases.map_err(|error| explain(self.vm, error))?;
        let mut written = Written::default();
        let mut smallest = Smallest::new(arguments.max_tests);
        let making = Making::begin(interrupt);
        for (number, &one) in built.iter().enumerate() {
            if let Some(by) = making.is_over() {
                warn_of_unmade(built.len() - number, by);
                written.stopped_by = Some(by);
                break;
            }
            let is_known_as_broken = cases.broken > 0;
            let before = cases.broken;
            let case = cases.case(self.vm, self.prepared, pools, one);
            let case = case.map_err(|_| no_memory())?;
            // The first that breaks the invariant stands for all: it is the smallest.
            if cases.broken > before && is_known_as_broken {
                continue;
            }
            smallest.add(case);
        }
        let (all, left_out) = smallest.finish();
        warn_of_left_out(left_out, arguments.max_tests);
        let invariant = cases.invariant_sig(self.vm);
        warn(&cases, invariant.as_ref());
        let mut failing = Vec::new();
        for finding in findings {
            let case = Cases::reproducer(self.vm, self.prepared, pools, finding);
            failing.extend(case.map_err(|_| no_memory())?);
        }
        if left_out > 0 {
            written.stopped_by = Some("--max-tests");
        }
        if !all.is_empty() {
            let output = self.junit(all, invariant, None, (tests_of, interrupt, folder))?;
            written.tests = output.tests;
        }
        if !failing.is_empty() {
            let name = self.vm.simple_name(self.class()).replace('.', "");
            let name = format!("{name}FailureTest");
            // A reproducer states what went wrong alone, on whatever structure.
            let output = self.junit(failing, None, Some(name), (tests_of, interrupt, folder))?;
            written.reproducers = output.files.into_iter().next();
        }
        Ok(written)
    }

    fn class(&self) -> ClassId {
        self.prepared.caller.classes[0]
    }

    /// A test class of these cases.
    fn junit(
        &mut self,
        cases: Vec<Case>,
        invariant: Option<InvariantSig>,
        name: Option<String>,
        (writer, interrupt, folder): (&TestWriter, &Interrupt, &Path),
    ) -> anyhow::Result<WrittenTests> {
        let class = self.class();
        let classes = self.prepared.caller.classes.clone();
        let count = cases.len();
        let suite = Suite {
            class_under_test: StructureReader::new(self.vm, class).class_sig(self.vm, class),
            invariant,
            cases,
            scripts: Vec::new(),
            hides: hidden_names(self.vm, class),
            resets: Vec::new(),
            uses_deprecated: is_deprecated(self.vm, &classes),
        };
        let package = package_of_tests(self.vm, class);
        let written = match name {
            Some(name) => writer.write_reproducers(suite, name, package, folder, interrupt)?,
            None => writer.write(suite, package, folder, interrupt)?,
        };
        warn_of_skipped(&written.skipped, count, "structures");
        Ok(written)
    }
}

fn is_deprecated(vm: &mut Vm, classes: &[ClassId]) -> bool {
    let mut classes = classes.iter();
    classes.any(|&class| vm.mentions(class, "Ljava/lang/Deprecated;"))
}

fn no_memory() -> anyhow::Error {
    anyhow!("no memory is left to make a structure again: raise --max-memory")
}

fn warn(cases: &Cases, invariant: Option<&InvariantSig>) {
    if let (1.., Some(invariant)) = (cases.broken, invariant) {
        eprintln!(
            "heapwright: {} structures break {}: a test of the first one says so, and nothing is called \
             on them",
            grouped(cases.broken),
            invariant.name
        );
    }
    if cases.failed > 0 {
        eprintln!(
            "heapwright: {} calls fail: no test says that they should",
            grouped(cases.failed)
        );
    }
    if cases.dropped() > 0 {
        eprintln!(
            "heapwright: {} calls are in no test: they came to no answer that a test could assert",
            grouped(cases.dropped())
        );
    }
}
