//! Reproducers of counterexamples that `check` finds: a test class, and a drawing of each.

use std::path::Path;
use std::sync::Arc;

use heapwright_suite::junit::default_test_class;
use heapwright_suite::svg::{Drawing, draw_sheet};
use heapwright_suite::{Case, Suite};
use heapwright_techniques::check::Counterexample;

use super::calls::CheckResults;
use crate::files::write_file;
use crate::interrupt::StopSignal;
use crate::junit::{TestWriter, WrittenTests};
use crate::options::FailurePlace;

/// Infix of the names of reproducer classes.
const KIND: &str = "Counterexample";

/// Writes the reproducers as one test class, with a drawing of each counterexample beside it.
///
/// # Errors
/// A file cannot be written, or a hand-written file has its name.
pub fn write(
    results: &CheckResults,
    cases: Vec<Case>,
    folder: &Path,
    (writer, interrupt): (&TestWriter, &StopSignal),
) -> anyhow::Result<WrittenTests> {
    let counterexamples = results.found.counterexamples();
    if counterexamples.is_empty() {
        return Ok(WrittenTests::default());
    }
    let suite = Suite {
        class_under_test: Arc::new(results.class.clone()),
        invariant: results.invariant.clone(),
        cases,
        scripts: Vec::new(),
        hides: results.hides.clone(),
        resets: Vec::new(),
        uses_deprecated: results.uses_deprecated,
    };
    let package = results.package.clone();
    let test_class = default_test_class(&suite.class_under_test, KIND);
    let stem = test_class.trim_end_matches("Test");
    let reasons = counterexamples.iter();
    let reasons: Vec<String> = reasons.map(|found| found.reason.clone()).collect();
    // What is checked is asked for, and so are its failures.
    let place = FailurePlace::Failing;
    let what = (KIND, &reasons[..], place);
    let mut written = writer.write_reproducers(suite, what, package, folder, interrupt)?;
    let folder = writer.folder_of_failures(folder, place);
    for (case, reason) in &written.skipped {
        notice!(
            "{} is in no test: {reason}",
            counterexamples[*case].call_text(),
        );
    }
    let own = results.class.name.rsplit_once('.');
    let own = own.map(|(package, _)| package.to_owned());
    let package = results.package.clone().or(own);
    let folder = package.map_or(folder.clone(), |package| {
        folder.join(package.replace('.', "/"))
    });
    for (number, found) in (1..).zip(counterexamples) {
        let path = folder.join(format!("{stem}{number}.svg"));
        write_file(&path, drawing(found).as_bytes())?;
        written.files.push(path);
    }
    Ok(written)
}

fn drawing(found: &Counterexample) -> String {
    let before = format!("before {}", found.call_text());
    let reason = found.reason.lines().next().unwrap_or_default();
    let after = format!("after: {reason}");
    let drawings = [
        Drawing {
            structure: &found.before,
            caption: &before,
        },
        Drawing {
            structure: &found.after,
            caption: &after,
        },
    ];
    format!("<!-- Written by Heapwright. -->\n{}", draw_sheet(&drawings))
}
