//! What `check` says at its end: the counterexamples, what was covered, or an object for programs.

use std::path::PathBuf;
use std::time::Instant;

use heapwright_explore::{Count, Strategy};
use heapwright_jvm::Vm;
use heapwright_suite::Structure;
use heapwright_techniques::check::{Checker, Counterexample, Given, Tally};
use heapwright_techniques::invariant::{Enumeration, Outcome};

use crate::cli::CheckArgs;
use crate::output::{grouped, json_number, print};
use crate::summary::{leaves, peak_memory_bytes};

/// What a run of the verb found.
pub struct Report {
    /// The search.
    pub enumeration: Enumeration,
    /// What was called and found.
    pub checker: Checker,
    /// What the search found.
    pub outcome: Outcome,
    /// Why the search ended before its end.
    pub stopped_by: Option<&'static str>,
    /// The files written, the test class first.
    pub files: Vec<PathBuf>,
}

impl Report {
    /// Warns of methods that are not called and of calls of which nothing is known.
    pub fn warn(&self) {
        for skipped in self.checker.skipped() {
            eprintln!(
                "heapwright: {} is not called: {}",
                skipped.method, skipped.reason
            );
        }
        for tally in self.checker.tallies() {
            if let Some(left) = tally.seconds.as_ref().filter(|given| given.is_part()) {
                eprintln!(
                    "heapwright: {} is given {} as an argument: with more it would be too many calls",
                    tally.method,
                    smallest(left)
                );
            }
        }
        for warning in self.checker.warnings() {
            eprintln!("heapwright: {warning}");
        }
        if let Some(refused) = self.checker.refused() {
            eprintln!(
                "heapwright: {} came upon something that is refused, and nothing is known of them; the first: {refused}",
                counted(self.refused_calls(), "call")
            );
        }
        if self.checker.tallies().is_empty() {
            eprintln!("heapwright: there is no method to call: name some with -m");
        }
    }

    /// Calls of which nothing is known.
    pub fn refused_calls(&self) -> u64 {
        let tallies = self.checker.tallies().iter();
        tallies.map(|tally| tally.refused).sum()
    }

    fn calls(&self) -> Count {
        sum(self.checker.tallies(), |tally| &tally.calls)
    }
}

/// What the calls of all methods add up to.
fn sum(tallies: &[Tally], count: fn(&Tally) -> &Count) -> Count {
    tallies.iter().map(count).cloned().sum()
}

/// Prints the report on standard output.
///
/// # Errors
/// Standard output cannot be written to.
pub fn print_report(
    vm: &Vm,
    report: &Report,
    arguments: &CheckArgs,
    start: Instant,
) -> anyhow::Result<()> {
    let seconds = start.elapsed().as_secs_f64();
    if arguments.json {
        return print(&format!("{}\n", json(vm, report, arguments, seconds)));
    }
    let mut text = String::new();
    let class = vm.simple_name(report.enumeration.class);
    for found in report.checker.counterexamples() {
        text.push_str(&counterexample(&class, found));
    }
    for tally in report.checker.tallies() {
        text.push_str(&covered(
            tally,
            report.enumeration.invariant_sig(vm).is_some(),
        ));
    }
    text.push_str(&summary(&class, report, arguments, seconds));
    print(&text)
}

fn counterexample(class: &str, found: &Counterexample) -> String {
    let state = |name: &str, structure: &Structure| match structure.objects.is_empty() {
        // A constructor has nothing before it.
        true => String::new(),
        false => format!("  {name}{structure}\n"),
    };
    format!(
        "{class}.{} {}\n{}  {}\n{}",
        found.call_text(),
        found.reason,
        state("before: ", &found.before),
        found.ended,
        state("after:  ", &found.after)
    )
}

/// What was covered of one method: `remove(int): 15 structures × 4 calls, all keep the invariant`.
fn covered(tally: &Tally, has_invariant: bool) -> String {
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
    } else if tally.calls > tally.refused {
        line.push_str(", all ");
        line.push_str(&achieved(tally, has_invariant));
    }
    if !tally.rejected.is_zero() {
        line.push_str(&format!("; {} rejected", grouped(&tally.rejected)));
    }
    if tally.refused > 0 {
        line.push_str(&format!("; {} refused", grouped(tally.refused)));
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

/// `the 429 smallest of 12,235 structures`.
fn smallest(left: &Given) -> String {
    let of = counted(&left.of, "structure");
    format!("the {} smallest of {of}", grouped(left.given))
}

/// What every call of a method did, if none has failed.
fn achieved(tally: &Tally, has_invariant: bool) -> String {
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

fn summary(class: &str, report: &Report, arguments: &CheckArgs, seconds: f64) -> String {
    let progress = &report.outcome.progress;
    let mut line = format!(
        "{class}{}: {}, {}, {} explored, {seconds:.2} s; ",
        arguments.bounds.shown(),
        counted(report.checker.structures(), "structure"),
        counted(report.calls(), "call"),
        leaves(arguments.strategy(), &progress.explored),
    );
    match report.stopped_by {
        Some(limit) => line.push_str(&format!("stopped by {limit}")),
        None => line.push_str("complete"),
    }
    if progress.refused > 0 {
        line.push_str(&format!(
            " but for {} without an answer",
            leaves(arguments.strategy(), progress.refused)
        ));
    }
    if report.refused_calls() > 0 {
        let calls = counted(report.refused_calls(), "call");
        line.push_str(&format!(" but for {calls} without an answer"));
    }
    match report.checker.counterexamples().len() as u64 {
        0 => line.push_str("; no counterexample"),
        count => line.push_str(&format!("; {}", counted(count, "counterexample"))),
    }
    if let Some(file) = report.files.first() {
        line.push_str(&format!(", repeated in {}", file.display()));
    }
    line + "\n"
}

fn json(vm: &Vm, report: &Report, arguments: &CheckArgs, seconds: f64) -> serde_json::Value {
    let progress = &report.outcome.progress;
    let tallies = report.checker.tallies();
    let methods: Vec<serde_json::Value> = tallies.iter().map(method).collect();
    let skipped = report
        .checker
        .skipped()
        .iter()
        .map(|skipped| serde_json::json!({"method": skipped.method, "reason": skipped.reason}));
    let counterexamples = report.checker.counterexamples().into_iter().map(found);
    let mut summary = serde_json::json!({
        "class": vm.binary_name(report.enumeration.class),
        "search": match arguments.strategy() {
            Strategy::Korat => "korat",
            Strategy::Lazy => "lazy",
        },
        "explored": json_number(&progress.explored),
        "valid": json_number(&progress.valid),
        "threw": progress.threw,
        "refused": progress.refused,
        "structures": json_number(report.checker.structures()),
        "calls": json_number(&report.calls()),
        "runs": tallies.iter().map(|tally| tally.runs).sum::<u64>(),
        "rejected_calls": json_number(&sum(tallies, |tally| &tally.rejected)),
        "refused_calls": report.refused_calls(),
        "failed_calls": json_number(&sum(tallies, |tally| &tally.failed)),
        "methods": methods,
        "skipped": skipped.collect::<Vec<_>>(),
        "counterexamples": counterexamples.collect::<Vec<_>>(),
        "files": report.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        "status": if report.stopped_by.is_some() { "stopped" } else { "complete" },
        "seconds": seconds,
        "peak_memory_bytes": peak_memory_bytes(),
    });
    if let Some(limit) = report.stopped_by {
        summary["stopped_by"] = serde_json::json!(limit);
    }
    summary
}

fn method(tally: &Tally) -> serde_json::Value {
    serde_json::json!({
        "method": tally.method,
        "structures": json_number(&tally.structures),
        "calls": json_number(&tally.calls),
        "runs": tally.runs,
        "rejected": json_number(&tally.rejected),
        "refused": tally.refused,
        "failed": json_number(&tally.failed),
        "left_out": json_number(&tally.left_out),
        "compared_with": tally.compared_with,
        "null_only": tally.null_only,
        "structures_given": tally.seconds.as_ref().map(|seconds| seconds.given),
    })
}

fn found(found: &Counterexample) -> serde_json::Value {
    serde_json::json!({
        "method": found.method,
        "arguments": found.arguments(),
        "kind": found.failure.kind(),
        "reason": found.reason,
        "ended": found.ended,
        "objects": found.before.objects.len(),
        "before": found.before.to_string(),
        "after": found.after.to_string(),
        "runs": json_number(&found.runs),
    })
}

fn counted(count: impl Into<Count>, noun: &str) -> String {
    let count = count.into();
    let plural = if count == Count::ONE { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}
