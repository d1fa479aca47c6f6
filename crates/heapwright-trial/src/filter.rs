//! Removes tests from a suite that do not hold on a JVM, and writes the rest.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use heapwright_suite::junit::{JunitOptions, JunitOutput, TestOrigin, origins, write_junit};
use heapwright_suite::{CallOutcome, ModelError, Suite};

use crate::trial::{Diagnostic, Thoroughness, Trial, TrialError, Verdict};

/// Remaining part of a suite, written.
#[derive(Clone, Debug, Default)]
pub struct FilteredSuite {
    /// Files of the remaining tests. Test indices refer to the original suite.
    pub output: JunitOutput,
    /// Tests that did not hold.
    pub left_out: RemovedTests,
    /// Reason for which the output was not tried, if there is one.
    pub untried: Option<String>,
    /// Number of tests that are not written because the time was over before they were tried.
    pub unwritten: usize,
}

impl FilteredSuite {
    /// Whether all tests were tried.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.untried.is_none() && self.unwritten == 0
    }
}

/// Tests that did not hold, each counted once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemovedTests {
    /// Tests with compiler errors or warnings.
    pub uncompilable: u64,
    /// Tests that fail alike in every world, and reproducers that do not fail: the engine and the
    /// JVM disagree.
    pub disagreeing: u64,
    /// Tests that hold in one world only, or fail differently in the other.
    pub by_world: u64,
    /// Tests that assert less than was observed, because observations differ between worlds.
    pub loosened: u64,
    /// First message of each disagreement or compiler refusal.
    pub reasons: Vec<String>,
}

/// Reason for which a test does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TestFault {
    /// Outcomes differ between worlds, at this observation if it is one.
    ByWorld(Option<usize>),
    Disagreeing,
    Uncompilable,
}

/// Purpose of a suite's tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Tests assert what was observed, and pass. A test with [`CallOutcome::Failed`] is a reproducer
    /// nevertheless.
    Regression,
    /// Tests assert requirements, and fail.
    Reproduction,
}

/// Time pressure on a trial.
pub struct TimePressure<'a> {
    /// Whether the remaining time may be so short that a part of the tests is tried first.
    pub is_short: bool,
    /// Whether the time is over.
    pub gives_up: &'a dyn Fn() -> bool,
}

/// Number of tests in the first part if time is short, and growth factor of the next parts.
const FIRST_PART: usize = 16;
const PART_GROWTH: usize = 3;
/// Maximum number of rounds; each removes something.
const MOST_ROUNDS: usize = 40;
/// Maximum number of stored reasons.
const MOST_REASONS: usize = 5;

/// Tries a suite and removes tests until the rest holds. A test with different outcomes in
/// different worlds first loses its observations, and is removed if it still fails. Once the time
/// is over the result is the largest tried part; each part is a prefix of the suite.
///
/// # Errors
/// The suite violates its own invariant.
pub fn sift(
    suite: Suite,
    purpose: Purpose,
    options: &JunitOptions,
    trial: &mut Trial,
    haste: &TimePressure<'_>,
) -> Result<FilteredSuite, ModelError> {
    let whole = RemainingSuite::new(suite, purpose);
    let tests = whole.tests();
    let mut seen = FilteredSuite {
        unwritten: tests,
        ..FilteredSuite::default()
    };
    let parts = std::iter::successors(Some(FIRST_PART), |most| most.checked_mul(PART_GROWTH));
    for most in parts.take_while(|&most| haste.is_short && most < tests) {
        let part = whole.first(most);
        let Some(sifted) = sift_part(part, options, trial, haste.gives_up)? else {
            return Ok(seen);
        };
        seen = FilteredSuite {
            unwritten: tests - most,
            ..sifted
        };
    }
    let sifted = sift_part(whole, options, trial, haste.gives_up)?;
    Ok(sifted.unwrap_or(seen))
}

/// Like [`sift`] for a part; `None` if the time is over first.
fn sift_part(
    mut rest: RemainingSuite,
    options: &JunitOptions,
    trial: &mut Trial,
    gives_up: &dyn Fn() -> bool,
) -> Result<Option<FilteredSuite>, ModelError> {
    let mut options = options.clone();
    // Tests that are disabled are tried all the same.
    let disabled = std::mem::take(&mut options.disabled);
    let shares = options.shares_arrangement;
    let mut left_out = RemovedTests::default();
    for _ in 0..MOST_ROUNDS {
        if gives_up() {
            return Ok(None);
        }
        let output = write_junit(&rest.suite, &options)?;
        if output.files.is_empty() {
            return Ok(Some(rest.sifted(output, left_out, None)));
        }
        let verdict = match trial.try_out(&output.files, &rest.wanted(&output), gives_up) {
            Ok(verdict) => verdict,
            Err(TrialError::GivenUp) => return Ok(None),
            Err(error) => {
                let untried = Some(error.to_string());
                let output = rest.disabling(output, &options, &disabled)?;
                return Ok(Some(rest.sifted(output, left_out, untried)));
            }
        };
        let mut verdict = verdict;
        if options.release < DEPRECATED_IMPORTS {
            let is_of_import = |diagnostic: &Diagnostic| warns_of_import(&output, diagnostic);
            verdict.diagnostics.retain(|one| !is_of_import(one));
        }
        let warnings = verdict
            .diagnostics
            .iter()
            .filter(|diagnostic| !diagnostic.is_error);
        let kinds: BTreeSet<String> = warnings
            .filter_map(|warning| kind_of(&warning.text))
            .collect();
        if !kinds.is_subset(&options.suppressed) {
            options.suppressed.extend(kinds);
            continue;
        }
        let mut reasons = left_out.reasons.clone();
        let faults = faults(&rest, &output, &verdict, &mut reasons);
        // A test may hold with an arrangement of its own.
        if !faults.is_empty() && options.shares_arrangement {
            options.shares_arrangement = false;
            if write_junit(&rest.suite, &options)? != output {
                continue;
            }
            options.shares_arrangement = true;
        }
        if rest.call(&faults) || rest.unmock(&faults) {
            continue;
        }
        left_out.reasons = reasons;
        if faults.is_empty() {
            // A failure of the compiler itself concerns no file, and nothing was run.
            let mut diagnostics = verdict.diagnostics.into_iter();
            let failure = diagnostics.find(|diagnostic| diagnostic.is_error);
            let untried = failure.map(|failure| failure.text);
            let output = match shares && !options.shares_arrangement && untried.is_none() {
                true => {
                    options.shares_arrangement = true;
                    let output = sharing(&rest, output, &options, trial, gives_up)?;
                    options.shares_arrangement = output.1;
                    output.0
                }
                false => output,
            };
            let output = rest.disabling(output, &options, &disabled)?;
            return Ok(Some(rest.sifted(output, left_out, untried)));
        }
        rest.take_away(&faults, &mut left_out);
    }
    // Nothing is written that was not seen to hold.
    let untried = Some("they still fail after many rounds of leaving out".to_owned());
    Ok(Some(rest.sifted(JunitOutput::default(), left_out, untried)))
}

/// Tests that hold, with the arrangement that they share if they hold so, too, and whether they do.
fn sharing(
    rest: &RemainingSuite,
    output: JunitOutput,
    options: &JunitOptions,
    trial: &mut Trial,
    gives_up: &dyn Fn() -> bool,
) -> Result<(JunitOutput, bool), ModelError> {
    let shared = write_junit(&rest.suite, options)?;
    if shared == output {
        return Ok((output, true));
    }
    let verdict = trial.try_out(&shared.files, &rest.wanted(&shared), gives_up);
    let holds = verdict.is_ok_and(|verdict| {
        verdict.diagnostics.is_empty()
            && faults(rest, &shared, &verdict, &mut Vec::new()).is_empty()
    });
    Ok(match holds {
        true => (shared, true),
        false => (output, false),
    })
}

/// Release from which on imports of deprecated classes make no warning (JEP 211). Before, nothing
/// suppresses it.
const DEPRECATED_IMPORTS: u32 = 9;

/// Whether a warning is one of an import.
fn warns_of_import(output: &JunitOutput, warning: &Diagnostic) -> bool {
    let file = warning.file.and_then(|file| output.files.get(file));
    let line = file.and_then(|file| file.contents.lines().nth(warning.line.checked_sub(1)?));
    !warning.is_error && line.is_some_and(|line| line.trim_start().starts_with("import "))
}

/// Name of the javac check that warns: `removal` of `A.java:3: warning: [removal] …`.
fn kind_of(warning: &str) -> Option<String> {
    // This one does not say its name.
    if warning.contains("warning: auxiliary class ") {
        return Some("auxiliaryclass".to_owned());
    }
    let (_, rest) = warning.split_once("warning: [")?;
    let (kind, _) = rest.split_once(']')?;
    Some(kind.to_owned())
}

/// Text without identity hash codes, which differ between runs: `unnamed module @1b2c6ec2`.
fn without_hashes(text: &str) -> String {
    let mut parts = text.split('@');
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        rest.push('@');
        rest.push_str(part.trim_start_matches(|letter: char| letter.is_ascii_hexdigit()));
    }
    rest
}

/// Tests that do not hold, with their faults; the first message of the compiler or a world is
/// added to `reasons`.
fn faults(
    rest: &RemainingSuite,
    output: &JunitOutput,
    verdict: &Verdict,
    reasons: &mut Vec<String>,
) -> BTreeMap<TestOrigin, TestFault> {
    let mut found: BTreeMap<TestOrigin, TestFault> = BTreeMap::new();
    let mut add = |test: TestOrigin, fault: TestFault, reason: &str| {
        let known = found.entry(test).or_insert(fault);
        *known = (*known).max(fault);
        if !matches!(fault, TestFault::ByWorld(_))
            && reasons.len() < MOST_REASONS
            && !reasons.iter().any(|known| known == reason)
        {
            reasons.push(reason.to_owned());
        }
    };
    for diagnostic in &verdict.diagnostics {
        let Some(file) = diagnostic.file else {
            continue;
        };
        let own = tests_at(output, file, diagnostic.line);
        // A diagnostic outside of the tests concerns all of them.
        let tests = own.unwrap_or_else(|| tests_in(output, file));
        for test in tests {
            add(test, TestFault::Uncompilable, &diagnostic.text);
        }
    }
    let mut failed = BTreeSet::new();
    for failure in &verdict.failures {
        let tests = match failure.row {
            _ if failure.method.is_empty() => tests_in(output, failure.file),
            Some(row) => {
                let mut rows = output.rows.iter();
                let rows =
                    rows.find(|rows| (rows.file, &rows.method) == (failure.file, &failure.method));
                rows.and_then(|rows| rows.of.get(row))
                    .copied()
                    .into_iter()
                    .collect()
            }
            None => {
                let all = output.methods.iter();
                let own = all.filter(|method| {
                    (method.file, &method.name) == (failure.file, &failure.method)
                });
                own.map(|method| method.of).collect()
            }
        };
        for test in tests {
            failed.insert(test);
            if rest.may_fail(test) {
                continue;
            }
            match &failure.texts {
                [Some(one), Some(other)] if without_hashes(one) == without_hashes(other) => {
                    add(
                        test,
                        TestFault::Disagreeing,
                        &format!("{}: {one}", failure.method),
                    );
                }
                _ => add(
                    test,
                    TestFault::ByWorld(rest.observation(output, test, failure.line)),
                    "",
                ),
            }
        }
    }
    if !verdict
        .diagnostics
        .iter()
        .any(|diagnostic| diagnostic.is_error)
    {
        let methods = output.methods.iter();
        let methods = methods.map(|method| (&method.name, method.of));
        let rows = output.rows.iter();
        let rows = rows.flat_map(|rows| rows.of.iter().map(|&of| (&rows.method, of)));
        for (name, of) in methods.chain(rows) {
            if rest.is_to_fail(of) && !failed.contains(&of) {
                add(
                    of,
                    TestFault::Disagreeing,
                    &format!("{name}: does not fail"),
                );
            }
        }
    }
    found
}

/// Tests of the method that a line belongs to, or that use what it imports, if there are any.
pub(crate) fn tests_at(output: &JunitOutput, file: usize, line: usize) -> Option<Vec<TestOrigin>> {
    let mut methods = output.methods.iter();
    let method = methods.find(|method| method.file == file && method.lines.contains(&line));
    let mut rows = output.rows.iter();
    let rows = rows.find(|rows| rows.file == file && rows.lines.contains(&line));
    method
        .map(|method| vec![method.of])
        .or_else(|| rows.map(|rows| rows.of.clone()))
        .or_else(|| tests_with_import(output, file, line))
}

/// Tests whose methods name what a line imports, if it is an import and there are any.
fn tests_with_import(output: &JunitOutput, file: usize, line: usize) -> Option<Vec<TestOrigin>> {
    let lines: Vec<&str> = output.files.get(file)?.contents.lines().collect();
    let imported = lines.get(line.checked_sub(1)?)?.strip_prefix("import ")?;
    let name = imported.trim_end_matches(';').rsplit('.').next()?;
    let names_it = |line: &&str| {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$');
        words.any(|word| word == name)
    };
    let is_in = |of: &Range<usize>| {
        let own = of.start.saturating_sub(1)..of.end.saturating_sub(1);
        lines.get(own).is_some_and(|own| own.iter().any(names_it))
    };
    let methods = output.methods.iter();
    let methods = methods.filter(|method| method.file == file && is_in(&method.lines));
    let rows = output.rows.iter();
    let rows = rows.filter(|rows| rows.file == file && is_in(&rows.lines));
    let rows = rows.flat_map(|rows| rows.of.iter().copied());
    let tests: Vec<TestOrigin> = methods.map(|method| method.of).chain(rows).collect();
    (!tests.is_empty()).then_some(tests)
}

fn tests_in(output: &JunitOutput, file: usize) -> Vec<TestOrigin> {
    let methods = output.methods.iter().filter(|method| method.file == file);
    let rows = output.rows.iter().filter(|rows| rows.file == file);
    let rows = rows.flat_map(|rows| rows.of.iter().copied());
    methods.map(|method| method.of).chain(rows).collect()
}

/// Remaining part of a suite, with the original indices.
#[derive(Clone)]
struct RemainingSuite {
    suite: Suite,
    purpose: Purpose,
    cases: Vec<usize>,
    /// Original indices of each case's calls.
    calls: Vec<Vec<usize>>,
    scripts: Vec<usize>,
    /// Original number of cases.
    case_count: usize,
    /// Loosened tests, by original indices.
    loosened: BTreeSet<TestOrigin>,
}

impl RemainingSuite {
    fn new(suite: Suite, purpose: Purpose) -> RemainingSuite {
        RemainingSuite {
            purpose,
            cases: (0..suite.cases.len()).collect(),
            calls: suite
                .cases
                .iter()
                .map(|case| (0..case.calls.len()).collect())
                .collect(),
            scripts: (0..suite.scripts.len()).collect(),
            case_count: suite.cases.len(),
            loosened: BTreeSet::new(),
            suite,
        }
    }

    /// Number of tests.
    fn tests(&self) -> usize {
        self.calls
            .iter()
            .map(|calls| calls.len().max(1))
            .sum::<usize>()
            + self.scripts.len()
    }

    /// Prefix with at most `most` tests; the last case may lose some of its calls.
    fn first(&self, most: usize) -> RemainingSuite {
        let mut part = self.clone();
        let mut room = most;
        let mut cases = 0;
        for (case, calls) in part.suite.cases.iter_mut().zip(&mut part.calls) {
            if room == 0 {
                break;
            }
            case.calls.truncate(room);
            calls.truncate(room);
            room -= calls.len().max(1);
            cases += 1;
        }
        part.suite.cases.truncate(cases);
        part.cases.truncate(cases);
        part.calls.truncate(cases);
        part.suite.scripts.truncate(room);
        part.scripts.truncate(room);
        part
    }

    /// Index of the observation of a script that a line of its test asserts.
    fn observation(&self, output: &JunitOutput, test: TestOrigin, line: usize) -> Option<usize> {
        let mut methods = output.methods.iter();
        let method = methods.find(|method| method.of == test);
        let mut rows = output.rows.iter();
        let rows = rows.find(|rows| rows.of.contains(&test));
        let observations = method
            .map(|method| &method.observations)
            .or(rows.map(|rows| &rows.observations))?;
        let place = observations
            .iter()
            .position(|lines| lines.contains(&line))?;
        let TestOrigin::Script(number) = test else {
            return None;
        };
        let script = self.suite.scripts.get(number)?;
        (place < script.after.len()).then_some(place)
    }

    /// Thoroughness for each file; reproducers, which must fail, are run only once.
    fn wanted(&self, output: &JunitOutput) -> Vec<Thoroughness> {
        let files = 0..output.files.len();
        let of_file = files.map(|file| {
            let mut tests = tests_in(output, file).into_iter();
            match tests.all(|test| self.is_to_fail(test)) {
                true => Thoroughness::Once,
                false => Thoroughness::EachWorld,
            }
        });
        of_file.collect()
    }

    fn outcome(&self, test: TestOrigin) -> Option<&CallOutcome> {
        match test {
            TestOrigin::Case(case, call) => {
                Some(&self.suite.cases.get(case)?.calls.get(call?)?.outcome)
            }
            TestOrigin::Script(script) => Some(&self.suite.scripts.get(script)?.outcome),
        }
    }

    /// Whether the test is a reproducer.
    fn is_to_fail(&self, test: TestOrigin) -> bool {
        self.purpose == Purpose::Reproduction
            || matches!(self.outcome(test), Some(CallOutcome::Failed(_)))
    }

    /// Whether the test is a reproducer, or asserts the invariant of an object made by calls,
    /// which it may reproduce.
    fn may_fail(&self, test: TestOrigin) -> bool {
        let is_made = |case: usize| {
            let case = self.suite.cases.get(case);
            case.is_some_and(|case| case.construction.is_some())
        };
        self.is_to_fail(test) || matches!(test, TestOrigin::Case(case, None) if is_made(case))
    }

    /// Loosens or removes tests, and counts them.
    fn take_away(&mut self, faults: &BTreeMap<TestOrigin, TestFault>, left_out: &mut RemovedTests) {
        // In reverse order, so that earlier tests keep their indices until their turn.
        for (&test, &fault) in faults.iter().rev() {
            if let TestFault::ByWorld(observation) = fault
                && self.loosen(test, observation)
            {
                self.loosened.insert(self.number_of(test));
                continue;
            }
            match fault {
                TestFault::ByWorld(_) => left_out.by_world += 1,
                TestFault::Disagreeing => left_out.disagreeing += 1,
                TestFault::Uncompilable => left_out.uncompilable += 1,
            }
            self.remove(test);
        }
    }

    /// Makes calls of the requests in tests with faults. Returns whether there are any.
    fn call(&mut self, faults: &BTreeMap<TestOrigin, TestFault>) -> bool {
        let mut had_requests = false;
        for test in faults.keys() {
            if let TestOrigin::Script(script) = *test {
                had_requests |= self.suite.scripts[script].exchange.take().is_some();
            }
        }
        had_requests
    }

    /// Makes plain stubs of the mocks in tests with faults: a constructor may call methods before they
    /// are stubbed. Returns whether there are any.
    fn unmock(&mut self, faults: &BTreeMap<TestOrigin, TestFault>) -> bool {
        let mut had_mocks = false;
        for test in faults.keys() {
            had_mocks |= match *test {
                TestOrigin::Case(case, _) => self.suite.cases[case].unmock_stubs(),
                TestOrigin::Script(script) => self.suite.scripts[script].unmock_stubs(),
            };
        }
        had_mocks
    }

    /// Removes one observation from a test, or else all its assertions about values; returns
    /// whether there was any.
    fn loosen(&mut self, test: TestOrigin, observation: Option<usize>) -> bool {
        let is_of_value = |outcome: &CallOutcome| {
            matches!(
                outcome,
                CallOutcome::Returned(_) | CallOutcome::ReturnedObject { .. }
            )
        };
        match test {
            TestOrigin::Case(case, call) => {
                let case = self.suite.cases.get_mut(case);
                let call = case
                    .zip(call)
                    .and_then(|(case, call)| case.calls.get_mut(call));
                let Some(call) = call.filter(|call| is_of_value(&call.outcome)) else {
                    return false;
                };
                call.outcome = CallOutcome::ReturnedVoid;
                true
            }
            TestOrigin::Script(script) => {
                let Some(script) = self.suite.scripts.get_mut(script) else {
                    return false;
                };
                if let Some(observation) = observation {
                    script.after.remove(observation);
                    return true;
                }
                let has_values = is_of_value(&script.outcome);
                if has_values {
                    script.outcome = CallOutcome::ReturnedVoid;
                }
                let has_seen = !script.after.is_empty();
                script.after.clear();
                has_values || has_seen
            }
        }
    }

    fn remove(&mut self, test: TestOrigin) {
        match test {
            TestOrigin::Script(script) => {
                self.suite.scripts.remove(script);
                self.scripts.remove(script);
            }
            TestOrigin::Case(case, call) => {
                if let Some(call) = call {
                    self.suite.cases[case].calls.remove(call);
                    self.calls[case].remove(call);
                }
                if self.suite.cases[case].calls.is_empty() {
                    self.suite.cases.remove(case);
                    self.cases.remove(case);
                    self.calls.remove(case);
                }
            }
        }
    }

    /// Test with original indices.
    fn number_of(&self, test: TestOrigin) -> TestOrigin {
        match test {
            TestOrigin::Case(case, call) => {
                TestOrigin::Case(self.cases[case], call.map(|call| self.calls[case][call]))
            }
            TestOrigin::Script(script) => TestOrigin::Script(self.scripts[script]),
        }
    }

    /// Output in which tests are disabled that have a reason, by original indices.
    fn disabling(
        &self,
        output: JunitOutput,
        options: &JunitOptions,
        reasons: &BTreeMap<TestOrigin, String>,
    ) -> Result<JunitOutput, ModelError> {
        if reasons.is_empty() {
            return Ok(output);
        }
        let disabled = origins(&self.suite).into_iter().filter_map(|test| {
            let reason = reasons.get(&self.number_of(test))?;
            Some((test, reason.clone()))
        });
        let options = JunitOptions {
            disabled: disabled.collect(),
            ..options.clone()
        };
        write_junit(&self.suite, &options)
    }

    /// Result with original indices.
    fn sifted(
        &self,
        output: JunitOutput,
        left_out: RemovedTests,
        untried: Option<String>,
    ) -> FilteredSuite {
        let output = self.renumbered(output);
        let rows = output.rows.iter().flat_map(|rows| &rows.of);
        let written = output.methods.iter().map(|method| &method.of).chain(rows);
        let loosened = written.filter(|test| self.loosened.contains(test)).count() as u64;
        FilteredSuite {
            left_out: RemovedTests {
                loosened,
                ..left_out
            },
            output,
            untried,
            unwritten: 0,
        }
    }

    /// Output with original indices.
    fn renumbered(&self, mut output: JunitOutput) -> JunitOutput {
        for method in &mut output.methods {
            method.of = self.number_of(method.of);
        }
        for row in output.rows.iter_mut().flat_map(|rows| &mut rows.of) {
            *row = self.number_of(*row);
        }
        for skipped in &mut output.skipped {
            skipped.case = match skipped.case.checked_sub(self.suite.cases.len()) {
                None => self.cases[skipped.case],
                Some(script) => self.case_count + self.scripts[script],
            };
        }
        output
    }
}

#[cfg(test)]
mod tests {
    use heapwright_suite::junit::{FileKind, TestMethod, TextFile};

    use super::*;

    #[test]
    fn warnings_have_names() {
        let deprecated = "T.java:3: warning: [removal] stop() in Thread has been deprecated";
        assert_eq!(kind_of(deprecated).as_deref(), Some("removal"));
        let auxiliary = "T.java:2: warning: auxiliary class B in A.java should not be accessed";
        assert_eq!(kind_of(auxiliary).as_deref(), Some("auxiliaryclass"));
        assert_eq!(kind_of("T.java:2: error: cannot find symbol"), None);
    }

    #[test]
    fn an_import_concerns_the_tests_that_use_it() {
        let contents = "import a.One;\nimport b.Two;\nclass T {\n    void x() {\n        One.of();\n    }\n    \
                        void y() {\n        Onerous.of();\n    }\n}\n";
        let method = |name: &str, lines: Range<usize>, script: usize| TestMethod {
            file: 0,
            name: name.to_owned(),
            lines,
            observations: Vec::new(),
            of: TestOrigin::Script(script),
        };
        let output = JunitOutput {
            files: vec![TextFile {
                path: "T.java".to_owned(),
                kind: FileKind::Source,
                contents: contents.to_owned(),
            }],
            methods: vec![method("x", 4..7, 0), method("y", 7..10, 1)],
            ..JunitOutput::default()
        };
        assert_eq!(tests_at(&output, 0, 1), Some(vec![TestOrigin::Script(0)]));
        assert_eq!(tests_at(&output, 0, 2), None);
        assert_eq!(tests_at(&output, 0, 8), Some(vec![TestOrigin::Script(1)]));
        assert_eq!(tests_at(&output, 0, 3), None);
    }
}
