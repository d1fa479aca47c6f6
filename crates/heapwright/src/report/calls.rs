//! Report of `check`: counterexamples and coverage for people, or a summary for programs.
//!
//! All of it is plain data, so that the results of shards can be merged and reported as one.

use std::collections::BTreeSet;
use std::path::PathBuf;

use heapwright_explore::{Count, Strategy};
use heapwright_jvm::ReadSource;
use heapwright_suite::svg::Drawing;
use heapwright_suite::{Case, ClassSig, Contract, InvariantSig, Structure, boxes};
use heapwright_techniques::check::{
    CallTally, Counterexample, GivenStructures, MethodCheckResults,
};
use heapwright_techniques::digits;
use heapwright_techniques::statements::Skipped;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::{InputsSummary, SubstitutionCounts};
use crate::exit;
use crate::files::results::ShardResults;
use crate::files::{counted, grouped, print};
use crate::report::claim::Claim;
use crate::report::excerpt::excerpts_of;
use crate::report::structures::{ClaimBounds, leaves, unanswered, unit};
use crate::report::summary::{Body, Exact, Head};

/// Results of a run of `check`, or of all its shards.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckResults {
    /// Class under test.
    pub class: ClassSig,
    /// Name of the class for people.
    pub name: String,
    /// Text of the bounds for people: ` (scope 3)`.
    pub bounds: String,
    /// Bounds of the structures.
    pub within: ClaimBounds,
    /// Search: `lazy` or `korat`.
    pub search: String,
    /// Invariant, if there is one.
    pub invariant: Option<InvariantSig>,
    /// Classes of `java.lang` that are hidden by classes of the package under test.
    #[serde(default)]
    pub hides: Vec<String>,
    /// Package of the tests, if it is not that of the class.
    #[serde(default)]
    pub package: Option<String>,
    /// Whether the class uses deprecated elements.
    pub uses_deprecated: bool,
    /// Number of candidates or leaves explored.
    #[serde(with = "digits")]
    pub explored: Count,
    /// Number of structures: candidates that the invariant accepts.
    #[serde(with = "digits")]
    pub valid: Count,
    /// Number of those on which the invariant threw an exception.
    pub threw: u64,
    /// Number of those on which the invariant had no result.
    pub refused: u64,
    /// Number of the latter on which the invariant reached a limit.
    #[serde(default)]
    pub limited: u64,
    /// Static fields that the code has read.
    #[serde(default)]
    pub reads: BTreeSet<ReadSource>,
    /// Outcomes of the calls.
    pub found: MethodCheckResults,
    /// Methods that are not called.
    pub skipped: Vec<Skipped>,
    /// Limitations of the comparison with another implementation, one sentence each.
    pub warnings: Vec<String>,
    /// Reason why the search ended early.
    pub stopped_by: Option<String>,
    /// Remaining parts of a stopped search.
    pub left: Vec<String>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

/// Parts of the report that only some runs have.
#[derive(Default)]
pub struct ReportExtras<'a> {
    /// Whether structures of counterexamples are drawn.
    pub draws: bool,
    /// Folders of sources, whose lines are shown.
    pub sources: &'a [PathBuf],
    /// Prefix from which a stopped search resumes.
    pub resume: Option<&'a str>,
    /// Number of merged shards.
    pub shards: Option<usize>,
    /// Construction of the reproducers' inputs, if calls are preferred.
    pub inputs: Option<&'a SubstitutionCounts>,
}

impl ShardResults for CheckResults {
    const VERB: &'static str = "check";

    fn class(&self) -> &str {
        &self.class.name
    }

    fn search(&self) -> &str {
        &self.search
    }
}

impl CheckResults {
    /// Test cases that reproduce the counterexamples.
    pub fn cases(&self) -> Vec<Case> {
        let found = self.found.counterexamples();
        found.iter().map(|found| found.case()).collect()
    }

    /// Adds the results of another shard.
    pub fn add(&mut self, other: CheckResults) {
        self.explored += &other.explored;
        self.valid += &other.valid;
        self.threw += other.threw;
        self.refused += other.refused;
        self.limited += other.limited;
        self.reads.extend(other.reads);
        self.found.add_shard(other.found);
        self.stopped_by = self.stopped_by.take().or(other.stopped_by);
        self.left.extend(other.left);
        self.seconds = self.seconds.max(other.seconds);
    }

    /// Warns of methods that are not called or only with some arguments, and of calls without a
    /// result.
    pub fn warn(&self) {
        for text in self.notices() {
            notice!("{text}");
        }
    }

    fn notices(&self) -> Vec<String> {
        let mut texts = Vec::new();
        for skipped in &self.skipped {
            texts.push(format!(
                "{} is not called: {}",
                skipped.method, skipped.reason
            ));
        }
        for tally in &self.found.tallies {
            if let Some(left) = tally.seconds.as_ref().filter(|given| given.is_part()) {
                texts.push(format!(
                    "{} is given {} as an argument: with more it would be too many calls",
                    tally.method,
                    smallest(left)
                ));
            }
        }
        texts.extend(self.warnings.iter().cloned());
        if let Some(refused) = self.found.refused() {
            texts.push(format!(
                "{} met an unsupported operation and have no result; the first: {refused}",
                counted(self.refused_calls(), "call")
            ));
        }
        if let Some(limited) = self.found.limited() {
            texts.push(format!("some calls have no result; the first: {limited}"));
        }
        for found in self.found.exhausted() {
            texts.push(format!(
                "no result for {} of {}, which {} (--max-memory); {}",
                counted(&found.runs, "call"),
                found.method,
                found.reason,
                first_call_text(found)
            ));
        }
        if self.found.tallies.is_empty() {
            texts.push("there is no method to call: name some with -m".to_owned());
        }
        texts
    }

    /// Exit code of the run.
    pub fn exit_code(&self) -> exit::ExitCode {
        if !self.found.counterexamples().is_empty() {
            exit::ExitCode::Found
        } else if self.stopped_by.is_some() || self.refused + self.refused_calls() > 0 {
            exit::ExitCode::Partial
        } else if self.found.tallies.iter().all(|tally| tally.calls == 0) {
            exit::ExitCode::Nothing
        } else {
            self.claim().exit_code().unwrap_or(exit::ExitCode::Done)
        }
    }

    /// Claim about the calls.
    pub fn claim(&self) -> Claim {
        let refused = unanswered(self.strategy(), self.refused);
        let within = self.within.with_null_only(self.null_only());
        let claim = within.claim(self.stopped_by.as_deref(), refused);
        let mut claim = claim.with_reads(&self.reads);
        let sampled = self.found.tallies.iter().flat_map(|tally| &tally.sampled);
        let sampled: BTreeSet<&str> = sampled.map(String::as_str).collect();
        claim = claim.without_other_objects(sampled);
        let silent = self.refused_calls() + self.limited_calls();
        if silent > 0 {
            claim = claim.with_gap(format!("an answer on {}", counted(silent, "call")));
        }
        let left_out = sum(&self.found.tallies, |tally| &tally.left_out);
        if !left_out.is_zero() {
            let structures = counted(&left_out, "structure");
            claim = claim.with_gap(format!("calls on {structures} after one that did not end"));
        }
        let is_part =
            |tally: &&CallTally| tally.seconds.as_ref().is_some_and(GivenStructures::is_part);
        for tally in self.found.tallies.iter().filter(is_part) {
            claim = claim.with_gap(format!("further arguments of {}", tally.method));
        }
        if self.contracts().iter().any(|tally| is_part(&tally)) {
            claim = claim.with_exclusion("contracts of further pairs of structures");
        }
        for skipped in &self.skipped {
            claim = claim.with_gap(format!("calls of {}", skipped.method));
        }
        claim
    }

    /// Types whose arguments are only null.
    fn null_only(&self) -> impl Iterator<Item = &String> {
        let tallies = self.found.tallies.iter();
        tallies.flat_map(|tally| &tally.null_only)
    }

    /// Number of calls that met an unsupported feature.
    fn refused_calls(&self) -> u64 {
        let tallies = self.found.tallies.iter();
        tallies.map(|tally| tally.refused).sum()
    }

    /// Number of calls whose result is unknown because of a limit.
    fn limited_calls(&self) -> u64 {
        let tallies = self.found.tallies.iter();
        tallies.map(|tally| tally.limited).sum()
    }

    /// Tallies of contract checks: one of all contracts of one structure, one of all contracts of
    /// two.
    fn contracts(&self) -> Vec<CallTally> {
        let asked = |is_of_two: bool| {
            let tallies = self.found.tallies.iter();
            tallies.filter(move |tally| {
                tally
                    .contract
                    .is_some_and(|asked| asked.is_of_two() == is_of_two)
            })
        };
        let one = merge_tallies(asked(false)).map(|(names, tally)| CallTally {
            method: format!("contracts of {names}"),
            ..tally
        });
        let two = merge_tallies(asked(true)).map(|(names, tally)| CallTally {
            method: format!("contracts of {names} on two structures"),
            seconds: Some(GivenStructures {
                given: tally.structures.word().unwrap_or(u64::MAX),
                of: self.found.structures.clone(),
            }),
            ..tally
        });
        one.into_iter().chain(two).collect()
    }

    fn calls(&self) -> Count {
        sum(&self.found.tallies, |tally| &tally.calls)
    }

    fn strategy(&self) -> Strategy {
        match self.search.as_str() {
            "korat" => Strategy::Korat,
            _ => Strategy::Lazy,
        }
    }

    /// Prints the report on standard output: the summary for programs with `further` keys, or lines
    /// for people. The prefix for resuming goes to standard error.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub fn print(
        &self,
        is_json: bool,
        files: &[PathBuf],
        further: &ReportExtras<'_>,
    ) -> anyhow::Result<()> {
        if is_json {
            let verb = match further.shards {
                Some(_) => "merge",
                None => "check",
            };
            return result(self, further).print(verb);
        }
        print(&self.text(files, further))?;
        if let Some(resume) = further.resume {
            notice!("to resume: --resume {resume}");
        }
        Ok(())
    }

    fn text(&self, files: &[PathBuf], further: &ReportExtras<'_>) -> String {
        let mut text = String::new();
        for found in self.found.counterexamples() {
            text.push_str(&counterexample(&self.name, found, further.draws));
            for excerpt in excerpts_of(&found.reason, further.sources) {
                text.push_str(&excerpt);
                text.push('\n');
            }
        }
        let methods = self
            .found
            .tallies
            .iter()
            .filter(|tally| tally.contract.is_none());
        for tally in methods.chain(&self.contracts()) {
            text.push_str(&covered(tally, self.invariant.is_some()));
        }
        text.push_str(&summary(self, files));
        text
    }
}

/// Sum of a count over all methods.
fn sum(tallies: &[CallTally], count: fn(&CallTally) -> &Count) -> Count {
    tallies.iter().map(count).cloned().sum()
}

/// Sum of the tallies of calls on the same structures, with the names of the methods; none if there
/// are no tallies.
fn merge_tallies<'t>(
    mut tallies: impl Iterator<Item = &'t CallTally>,
) -> Option<(String, CallTally)> {
    let name = |tally: &CallTally| {
        tally
            .method
            .split('(')
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let mut whole = tallies.next()?.clone();
    let mut names = vec![name(&whole)];
    whole.tuples = None;
    for tally in tallies {
        names.push(name(tally));
        let structures = whole.structures.clone();
        whole.add(tally);
        whole.structures = structures;
    }
    names.dedup();
    Some((names.join(", "), whole))
}

/// Maximum number of characters of a structure in text for people.
const MAX_LETTERS: usize = 4_000;

/// Truncates a text to that length and appends the number of characters left out.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => {
            let left = text[end..].chars().count() as u64;
            format!("{}... and {}", &text[..end], counted(left, "more letter"))
        }
        None => text.to_owned(),
    }
}

fn counterexample(class: &str, found: &Counterexample, is_drawn: bool) -> String {
    let drawn = |structure: &Structure| {
        let drawing = Drawing {
            structure,
            caption: "",
        };
        let lines = boxes::write(&[drawing]);
        let lines = lines.lines().map(|line| format!("    {line}"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let state = |name: &str, structure: &Structure| match structure.objects.is_empty() {
        // A constructor has no structure before the call.
        true => String::new(),
        false if is_drawn => format!("  {name}:\n{}\n", drawn(structure)),
        false => format!(
            "  {:8}{}\n",
            format!("{name}:"),
            shortened(&structure.to_string())
        ),
    };
    format!(
        "{class}.{} {}\n{}  {}\n{}",
        found.call_text(),
        found.reason,
        state("before", &found.before),
        found.ended,
        state("after", &found.after)
    )
}

/// Text of the call on the smallest structure: `the smallest is add(0) on C{n: 0}`.
fn first_call_text(found: &Counterexample) -> String {
    match found.before.objects.is_empty() {
        true => format!("the first is {}", found.call_text()),
        false => format!("the smallest is {} on {}", found.call_text(), found.before),
    }
}

/// Coverage of one method: `remove(int): 15 structures × 4 calls, all keep the invariant`.
fn covered(tally: &CallTally, has_invariant: bool) -> String {
    let structures = counted(&tally.structures, "structure");
    let mut line = match tally.tuples {
        _ if tally.structures.is_zero() && !tally.calls.is_zero() => {
            format!("{}: {}", tally.method, counted(&tally.calls, "call"))
        }
        Some(tuples) if &tally.structures * tuples == tally.calls => {
            format!(
                "{}: {structures} × {}",
                tally.method,
                counted(tuples, "call")
            )
        }
        _ => format!(
            "{}: {structures}, {}",
            tally.method,
            counted(&tally.calls, "call")
        ),
    };
    if tally.calls > tally.runs {
        line.push_str(&format!(" in {}", counted(tally.runs, "run")));
    }
    if !tally.failed.is_zero() {
        line.push_str(&format!(", {} fail", grouped(&tally.failed)));
    } else if tally.calls > tally.refused + tally.limited {
        line.push_str(", all ");
        line.push_str(&property_text(tally, has_invariant));
    }
    if !tally.rejected.is_zero() {
        line.push_str(&format!("; {} rejected", grouped(&tally.rejected)));
    }
    if tally.refused > 0 {
        line.push_str(&format!("; {} refused", grouped(tally.refused)));
    }
    if tally.limited > 0 {
        line.push_str(&format!("; {} at a limit", grouped(tally.limited)));
    }
    if !tally.left_out.is_zero() {
        line.push_str(&format!(
            "; not called on {} after it did not end",
            counted(&tally.left_out, "structure")
        ));
    }
    if let Some(left) = tally.seconds.as_ref().filter(|given| given.is_part()) {
        line.push_str(&format!("; given {}", smallest(left)));
    }
    if !tally.null_only.is_empty() {
        line.push_str(&format!("; only null for {}", tally.null_only.join(", ")));
    }
    line + "\n"
}

/// Text of the structures given as arguments: `the 429 smallest of 12,235 structures`.
fn smallest(left: &GivenStructures) -> String {
    let of = counted(&left.of, "structure");
    format!("the {} smallest of {of}", grouped(left.given))
}

/// Property that all calls of a method have, if none failed.
fn property_text(tally: &CallTally, has_invariant: bool) -> String {
    if tally.contract.is_some() {
        return "kept".to_owned();
    }
    let agrees = |other: &String| format!("agree with {other}");
    let kept = has_invariant.then(|| "keep the invariant".to_owned());
    let achieved: Vec<String> = kept
        .into_iter()
        .chain(tally.compared_with.as_ref().map(agrees))
        .collect();
    match achieved.is_empty() {
        true => "end as expected".to_owned(),
        false => achieved.join(" and "),
    }
}

fn summary(results: &CheckResults, files: &[PathBuf]) -> String {
    let mut line = format!(
        "{}{}: {}, {}, {} explored, {:.2} s; ",
        results.name,
        results.bounds,
        counted(&results.found.structures, "structure"),
        counted(results.calls(), "call"),
        leaves(results.strategy(), &results.explored),
        results.seconds,
    );
    line.push_str(&results.claim().to_string());
    match results.found.counterexamples().len() as u64 {
        0 => line.push_str("; no counterexample"),
        count => line.push_str(&format!("; {}", counted(count, "counterexample"))),
    }
    if let Some(file) = files.first() {
        line.push_str(&format!(", repeated in {}", file.display()));
    }
    line + "\n"
}

/// Summary of `check`, or of its merged shards.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CheckSummary {
    /// Search: `lazy` or `korat`.
    search: String,
    /// Structures that the invariant accepts.
    valid: Exact,
    /// Leaves on which the invariant threw an exception.
    threw: u64,
    /// Leaves on which the invariant came to no answer.
    refused: u64,
    /// Structures on which calls were made.
    structures: Exact,
    /// Calls that were checked.
    calls: Exact,
    /// Runs that they took: one may stand for many calls.
    runs: u64,
    /// Calls that were rejected as misuse.
    rejected_calls: Exact,
    /// Calls that came to no answer.
    refused_calls: u64,
    /// Calls that reached a limit.
    limited_calls: u64,
    /// Calls that fail.
    failed_calls: Exact,
    /// Calls by method.
    methods: Vec<MethodSummary>,
    /// Calls by contract.
    contracts: Vec<ContractSummary>,
    /// Methods that are not called.
    skipped: Vec<SkippedSummary>,
    /// Smallest counterexample of each kind.
    counterexamples: Vec<CounterexampleSummary>,
    /// Bounds, as `[bounds]` of heapwright.toml has them.
    bounds: serde_json::Value,
    /// Prefix from which a stopped search resumes.
    #[serde(skip_serializing_if = "Option::is_none")]
    resume: Option<String>,
    /// Shards that were merged.
    #[serde(skip_serializing_if = "Option::is_none")]
    shards: Option<usize>,
    /// How inputs of reproducers are made, with `--prefer-api`.
    #[serde(skip_serializing_if = "Option::is_none")]
    prefer_api: Option<InputsSummary>,
}

/// Calls of a method.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct MethodSummary {
    /// The method.
    method: String,
    /// Structures on which it was called.
    structures: Exact,
    /// Calls.
    calls: Exact,
    /// Runs that they took.
    runs: u64,
    /// Calls rejected as misuse.
    rejected: Exact,
    /// Calls that came to no answer.
    refused: u64,
    /// Calls that reached a limit.
    limited: u64,
    /// Calls that fail.
    failed: Exact,
    /// Structures on which it was not called after a call did not end.
    left_out: Exact,
    /// Method of the other implementation, with `--against`.
    compared_with: Option<String>,
    /// Values of each parameter.
    arguments: Vec<String>,
    /// Types of parameters that have only null.
    null_only: Vec<String>,
    /// Structures that were arguments; null if none is.
    structures_given: Option<u64>,
}

impl MethodSummary {
    fn of(tally: &CallTally) -> MethodSummary {
        MethodSummary {
            method: tally.method.clone(),
            structures: Exact::from(&tally.structures),
            calls: Exact::from(&tally.calls),
            runs: tally.runs,
            rejected: Exact::from(&tally.rejected),
            refused: tally.refused,
            limited: tally.limited,
            failed: Exact::from(&tally.failed),
            left_out: Exact::from(&tally.left_out),
            compared_with: tally.compared_with.clone(),
            arguments: tally.arguments.clone(),
            null_only: tally.null_only.clone(),
            structures_given: tally.seconds.as_ref().map(|seconds| seconds.given),
        }
    }
}

/// Calls that a contract is about.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct ContractSummary {
    /// The method.
    method: String,
    /// Its contract.
    contract: Option<&'static str>,
    /// Structures on which it was checked.
    structures: Exact,
    /// Calls.
    calls: Exact,
    /// Runs that they took.
    runs: u64,
    /// Calls that came to no answer.
    refused: u64,
    /// Calls that break the contract.
    failed: Exact,
    /// Structures left out after a call did not end.
    left_out: Exact,
}

impl ContractSummary {
    fn of(tally: &CallTally) -> ContractSummary {
        ContractSummary {
            method: tally.method.clone(),
            contract: tally.contract.map(Contract::name),
            structures: Exact::from(&tally.structures),
            calls: Exact::from(&tally.calls),
            runs: tally.runs,
            refused: tally.refused,
            failed: Exact::from(&tally.failed),
            left_out: Exact::from(&tally.left_out),
        }
    }
}

/// A method that is not called.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct SkippedSummary {
    /// The method.
    method: String,
    /// Why it is not called.
    reason: String,
}

/// A call that fails.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct CounterexampleSummary {
    /// The method.
    method: String,
    /// Arguments of the call.
    arguments: Vec<String>,
    /// Kind of failure.
    kind: String,
    /// Why it fails.
    reason: String,
    /// How the call ended.
    ended: String,
    /// Objects of the structure.
    objects: usize,
    /// Structure before the call.
    before: String,
    /// Structure after the call.
    after: String,
    /// Runs that fail so.
    runs: Exact,
}

impl CounterexampleSummary {
    fn of(found: &Counterexample) -> CounterexampleSummary {
        CounterexampleSummary {
            method: found.method.clone(),
            arguments: found.arguments(),
            kind: found.kind.clone(),
            reason: found.reason.clone(),
            ended: found.ended.clone(),
            objects: found.before.objects.len(),
            before: found.before.to_string(),
            after: found.after.to_string(),
            runs: Exact::from(&found.runs),
        }
    }
}

fn result(results: &CheckResults, further: &ReportExtras<'_>) -> Body<CheckSummary> {
    let tallies = &results.found.tallies;
    let of_contracts = |tally: &&CallTally| tally.contract.is_some();
    let (contracts, methods): (Vec<&CallTally>, Vec<&CallTally>) =
        tallies.iter().partition(of_contracts);
    let skipped = results.skipped.iter().map(|skipped| SkippedSummary {
        method: skipped.method.clone(),
        reason: skipped.reason.clone(),
    });
    let counterexamples = results.found.counterexamples().into_iter();
    let own = CheckSummary {
        search: results.search.clone(),
        valid: Exact::from(&results.valid),
        threw: results.threw,
        refused: results.refused,
        structures: Exact::from(&results.found.structures),
        calls: Exact::from(&results.calls()),
        runs: tallies.iter().map(|tally| tally.runs).sum(),
        rejected_calls: Exact::from(&sum(tallies, |tally| &tally.rejected)),
        refused_calls: results.refused_calls(),
        limited_calls: results.limited_calls(),
        failed_calls: Exact::from(&sum(tallies, |tally| &tally.failed)),
        methods: methods.into_iter().map(MethodSummary::of).collect(),
        contracts: contracts.into_iter().map(ContractSummary::of).collect(),
        skipped: skipped.collect(),
        counterexamples: counterexamples.map(CounterexampleSummary::of).collect(),
        bounds: results.within.bounds.clone(),
        resume: further.resume.map(str::to_owned),
        shards: further.shards,
        prefer_api: further.inputs.map(SubstitutionCounts::to_summary),
    };
    Head::new(&results.class.name, &results.claim(), results.seconds)
        .explored(&results.explored, unit(results.strategy()))
        .with(own)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use heapwright_suite::{Access, Construction};

    use super::*;

    fn tally(method: &str, structures: u64, calls: u64) -> CallTally {
        CallTally {
            method: method.to_owned(),
            structures: Count::from(structures),
            calls: Count::from(calls),
            runs: calls,
            ..CallTally::default()
        }
    }

    fn results(tallies: Vec<CallTally>) -> CheckResults {
        let mut found = MethodCheckResults::default();
        (found.structures, found.tallies) = (Count::from(3), tallies);
        CheckResults {
            class: ClassSig {
                name: "p.C".to_owned(),
                source_name: Some("p.C".to_owned()),
                construction: Construction::NoArg,
                is_generic: false,
                arguments: Vec::new(),
            },
            name: "C".to_owned(),
            bounds: " (scope 2)".to_owned(),
            within: ClaimBounds::default(),
            search: "korat".to_owned(),
            invariant: None,
            hides: Vec::new(),
            package: None,
            uses_deprecated: false,
            explored: Count::from(7),
            valid: Count::from(3),
            threw: 0,
            refused: 0,
            limited: 0,
            reads: BTreeSet::new(),
            found,
            skipped: Vec::new(),
            warnings: Vec::new(),
            stopped_by: None,
            left: Vec::new(),
            seconds: 0.25,
        }
    }

    /// Tallies with each count that a line names.
    fn various() -> Vec<CallTally> {
        let many = |count: u64| Count::from(count);
        vec![
            CallTally {
                tuples: Some(4),
                runs: 5,
                rejected: many(2),
                ..tally("same(int)", 3, 12)
            },
            CallTally {
                failed: many(1_234),
                null_only: vec!["q.T".to_owned()],
                ..tally("fails(q.T)", 3, 2_000)
            },
            CallTally {
                refused: 4,
                first_refused: Some("unsupported: threads".to_owned()),
                ..tally("refused()", 3, 4)
            },
            CallTally {
                limited: 1,
                left_out: many(2),
                compared_with: Some("q.D".to_owned()),
                first_limited: Some("too deep".to_owned()),
                sampled: vec!["q.S".to_owned()],
                ..tally("left()", 1, 2)
            },
            CallTally {
                seconds: Some(GivenStructures {
                    given: 429,
                    of: many(12_235),
                }),
                ..tally("merge(p.C)", 3, 6)
            },
            tally("C(int)", 0, 2),
        ]
    }

    #[test]
    fn the_text_has_a_line_for_each_method() {
        let mut results = results(various());
        expect![[r#"
            same(int): 3 structures × 4 calls in 5 runs, all end as expected; 2 rejected
            fails(q.T): 3 structures, 2,000 calls, 1,234 fail; only null for q.T
            refused(): 3 structures, 4 calls; 4 refused
            left(): 1 structure, 2 calls, all agree with q.D; 1 at a limit; not called on 2 structures after it did not end
            merge(p.C): 3 structures, 6 calls, all end as expected; given the 429 smallest of 12,235 structures
            C(int): 2 calls, all end as expected
            C (scope 2): 3 structures, 2,026 calls, 7 candidates explored, 0.25 s; partial, without objects of q.T, other objects of q.S, an answer on 5 calls, calls on 2 structures after one that did not end, further arguments of merge(p.C); no counterexample
        "#]].assert_eq(&results.text(&[], &ReportExtras::default()));
        results.search = "lazy".to_owned();
        results.found.tallies.truncate(1);
        results.invariant = Some(InvariantSig {
            declaring_class: "p.C".to_owned(),
            name: "repOK".to_owned(),
            access: Access::Public,
        });
        let files = [PathBuf::from("T.java")];
        expect![[r#"
            same(int): 3 structures × 4 calls in 5 runs, all keep the invariant; 2 rejected
            C (scope 2): 3 structures, 12 calls, 7 leaves explored, 0.25 s; complete; no counterexample, repeated in T.java
        "#]].assert_eq(&results.text(&files, &ReportExtras::default()));
    }

    #[test]
    fn what_has_no_result_is_noticed() {
        let mut results = results(various());
        results.skipped.push(Skipped {
            method: "many(long)".to_owned(),
            reason: "it has too many calls".to_owned(),
        });
        results.warnings.push("equals() is not compared".to_owned());
        expect![[r#"
            many(long) is not called: it has too many calls
            merge(p.C) is given the 429 smallest of 12,235 structures as an argument: with more it would be too many calls
            equals() is not compared
            4 calls met an unsupported operation and have no result; the first: refused(): unsupported: threads
            some calls have no result; the first: left(): too deep"#]].assert_eq(&results.notices().join("\n"));
        results.found.tallies.clear();
        expect![[r#"
            many(long) is not called: it has too many calls
            equals() is not compared
            there is no method to call: name some with -m"#]]
        .assert_eq(&results.notices().join("\n"));
    }

    #[test]
    fn the_claim_and_the_exit_code_follow_what_has_no_verdict() {
        let mut said = String::new();
        for tally in various() {
            let results = results(vec![tally]);
            let code = results.exit_code() as u8;
            said += &format!(
                "{}: {code}: {}\n",
                results.found.tallies[0].method,
                results.claim()
            );
        }
        let mut none = results(Vec::new());
        said += &format!("none: {}\n", none.exit_code() as u8);
        none.stopped_by = Some("--time-limit".to_owned());
        said += &format!("stopped: {}\n", none.exit_code() as u8);
        expect![[r#"
            same(int): 0: complete
            fails(q.T): 0: complete, without objects of q.T
            refused(): 3: partial, without an answer on 4 calls
            left(): 3: partial, without other objects of q.S, an answer on 1 call, calls on 2 structures after one that did not end
            merge(p.C): 3: partial, without further arguments of merge(p.C)
            C(int): 0: complete
            none: 4
            stopped: 3
        "#]].assert_eq(&said);
    }
}
