//! Outcomes of tests in the format of JUnit's XML reports, as Ant, Maven and CI servers read it.
//!
//! Each class of tests is a test suite. The failing behaviours of a class are a suite of their own,
//! each a test case that fails.

use std::collections::BTreeMap;
use std::io;

use crate::model::{Behaviour, Run, Test, TestOutcome};
use crate::xml::{self, Elements};

/// Report of the tests of a run.
#[must_use]
pub fn junit(run: &Run) -> String {
    let mut suites: BTreeMap<&str, Vec<&Test>> = BTreeMap::new();
    for test in &run.tests {
        suites.entry(&test.class).or_default().push(test);
    }
    let mut failing: BTreeMap<&str, Vec<&Behaviour>> = BTreeMap::new();
    for behaviour in &run.behaviours {
        failing.entry(&behaviour.class).or_default().push(behaviour);
    }
    let behaviours = run.behaviours.len();
    let failed = count(run.tests.iter(), |it| matches!(it, TestOutcome::Failed(_))) + behaviours;
    let attributes = [
        ("name", format!("heapwright {}", run.verb)),
        ("tests", (run.tests.len() + behaviours).to_string()),
        ("failures", failed.to_string()),
        ("errors", "0".to_owned()),
        ("skipped", count(run.tests.iter(), is_skipped).to_string()),
        ("time", format!("{:.3}", run.seconds)),
    ];
    xml::document(None, |writer| {
        xml::element(writer, "testsuites", &borrowed(&attributes), |writer| {
            for (class, behaviours) in &failing {
                write_behaviours(writer, run, class, behaviours)?;
            }
            for (class, tests) in &suites {
                write_tests(writer, run, class, tests)?;
            }
            Ok(())
        })
    })
}

fn write_behaviours(
    writer: &mut Elements,
    run: &Run,
    class: &str,
    behaviours: &[&Behaviour],
) -> io::Result<()> {
    let name = format!("failing behaviours of {class}");
    let number = behaviours.len();
    let attributes = suite_attributes(run, name, [number, number, 0]);
    xml::element(writer, "testsuite", &borrowed(&attributes), |writer| {
        for behaviour in behaviours {
            let name = format!("{} {}", behaviour.method, behaviour.kind);
            let case = [("name", name.as_str()), ("classname", class), ("time", "0")];
            xml::element(writer, "testcase", &case, |writer| {
                let kind = behaviour.exception.as_deref().unwrap_or(&behaviour.kind);
                let failure = [("message", behaviour.reason.as_str()), ("type", kind)];
                let code = behaviour.reproducer.as_ref();
                let text = code.map_or(&behaviour.calls, |code| &code.text);
                xml::text(writer, "failure", &failure, text)
            })?;
        }
        Ok(())
    })
}

fn write_tests(writer: &mut Elements, run: &Run, class: &str, tests: &[&Test]) -> io::Result<()> {
    let of = |is_such| count(tests.iter().copied(), is_such);
    let failed = of(|it| matches!(it, TestOutcome::Failed(_)));
    let counts = [tests.len(), failed, of(is_skipped)];
    let attributes = suite_attributes(run, class.to_owned(), counts);
    xml::element(writer, "testsuite", &borrowed(&attributes), |writer| {
        for test in tests {
            let case = [
                ("name", test.name.as_str()),
                ("classname", class),
                ("time", "0"),
            ];
            match &test.outcome {
                TestOutcome::Passed => xml::empty(writer, "testcase", &case)?,
                TestOutcome::Failed(reason) => {
                    let message = reason.lines().next().unwrap_or_default();
                    let kind = message.split(':').next().unwrap_or_default();
                    xml::element(writer, "testcase", &case, |writer| {
                        let failure = [("message", message), ("type", kind)];
                        xml::text(writer, "failure", &failure, reason)
                    })?;
                }
                TestOutcome::Skipped(_) | TestOutcome::Written => {
                    let message = match &test.outcome {
                        TestOutcome::Skipped(reason) => reason,
                        _ => "it was written, and not run",
                    };
                    xml::element(writer, "testcase", &case, |writer| {
                        xml::empty(writer, "skipped", &[("message", message)])
                    })?;
                }
            }
        }
        Ok(())
    })
}

/// Attributes of a suite, with the numbers of tests, failures and skipped tests.
fn suite_attributes(run: &Run, name: String, counts: [usize; 3]) -> [(&'static str, String); 7] {
    let [tests, failures, skipped] = counts;
    // The format has no time zone.
    let timestamp = run.started_text().trim_end_matches('Z').to_owned();
    [
        ("name", name),
        ("tests", tests.to_string()),
        ("failures", failures.to_string()),
        ("errors", "0".to_owned()),
        ("skipped", skipped.to_string()),
        ("time", "0".to_owned()),
        ("timestamp", timestamp),
    ]
}

fn borrowed<'a>(attributes: &'a [(&'a str, String)]) -> Vec<(&'a str, &'a str)> {
    let attributes = attributes.iter();
    attributes
        .map(|(name, value)| (*name, value.as_str()))
        .collect()
}

fn is_skipped(outcome: &TestOutcome) -> bool {
    matches!(outcome, TestOutcome::Skipped(_) | TestOutcome::Written)
}

fn count<'a>(tests: impl Iterator<Item = &'a Test>, is_such: fn(&TestOutcome) -> bool) -> usize {
    tests.filter(|test| is_such(&test.outcome)).count()
}
