//! What is told of a search for paths.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::ExitCode;
use std::time::Instant;

use heapwright_jvm::{MethodId, Vm};
use heapwright_techniques::paths::{Covered, Goal, Reached, Report, Subject, Tally, To, Way};
use serde_json::{Value as Json, json};

use super::args::{CaseFormat, CriterionName, PathsArgs};
use crate::exit;
use crate::output::{Output, counted, grouped, print};
use crate::symbolic::{json_of, line_of};

/// What came of all methods.
pub struct Whole<'a> {
    pub arguments: &'a PathsArgs,
    pub found: &'a [(Subject, Report)],
    pub stopped_by: Option<&'static str>,
    pub start: Instant,
}

/// Whether a method before came by a goal.
pub fn is_reached(found: &[(Subject, Report)], key: (MethodId, u16, Option<u16>)) -> bool {
    let mut goals = found
        .iter()
        .flat_map(|(subject, report)| report.goals.iter().map(move |goal| (subject, goal)));
    goals.any(|(subject, (goal, reached))| {
        matches!(reached, Reached::By(_)) && subject.key(*goal) == key
    })
}

/// A goal for people: line or offset, and the way on.
pub fn goal_text(subject: &Subject, goal: Goal) -> String {
    let (method, block) = goal.place();
    let flow = &subject.program.flows[method];
    let name = &subject.program.predicates[subject.program.starts[method]].name;
    let place = |block: usize| match flow.line(block) {
        Some(line) => format!("line {line}"),
        None => format!("offset {}", flow.places()[block]),
    };
    let mut text = match goal {
        Goal::Block(..) => format!("{name}, {}", place(block)),
        Goal::Exit(..) => match flow.last(block).line {
            Some(line) => format!("{name}, line {line}"),
            None => format!("{name}, offset {}", flow.last(block).at),
        },
    };
    if let Goal::Exit(_, _, exit) = goal {
        let exit = &flow.blocks[block].exits[exit];
        let _ = match (&exit.way, exit.to) {
            (Way::Keys(keys), _) => write!(text, ", case {}", keys.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")),
            (Way::Default(_), _) => write!(text, ", default"),
            (_, To::Block(to)) => write!(text, ", on to {}", place(to)),
            (_, To::Return | To::Throw) => write!(text, ", out of it"),
        };
    }
    text
}

impl Whole<'_> {
    /// Writes cases and summary.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn write(&self, vm: &mut Vm) -> anyhow::Result<ExitCode> {
        let _ = vm;
        let to_output = !(self.arguments.json && self.arguments.output.is_none());
        if to_output {
            let mut output = Output::open(self.arguments.output.as_deref())?;
            for line in self.lines() {
                output.write_line(&line)?;
            }
            output.finish()?;
        }
        let summary = self.summary();
        if self.arguments.json {
            print(&format!("{}\n", self.json()))?;
        } else if self.arguments.output.is_some() {
            print(&summary)?;
        } else {
            eprint!("{summary}");
        }
        let has_cases = self.found.iter().any(|(_, report)| !report.cases.is_empty());
        Ok(match (self.stopped_by, has_cases) {
            (Some(_), _) => exit::ExitCode::Partial,
            (None, true) => exit::ExitCode::Done,
            (None, false) => exit::ExitCode::Nothing,
        }
        .into())
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (subject, report) in self.found {
            for case in &report.cases {
                let name = &subject.target.name;
                match self.arguments.format {
                    CaseFormat::Smt2 => {
                        let script = case.path.script.as_deref().unwrap_or_default();
                        lines.push(format!("; {name} {}\n; {}\n{script}(reset)", case.path.ending, case.trace));
                    }
                    _ => {
                        lines.push(line_of(name, &case.path));
                        lines.push(format!("    {}", case.trace));
                    }
                }
            }
        }
        lines
    }

    /// The methods whose coverage counts: that of the criterion.
    fn measured(&self, subject: &Subject, report: &Report) -> BTreeSet<usize> {
        let own = |name| self.arguments.criterion == Some(name);
        let goals = report.goals.iter().map(|(goal, _)| goal.place().0);
        match own(CriterionName::AllBranches) || own(CriterionName::AllStatements) {
            true => goals.chain([0]).collect(),
            false => {
                let _ = subject;
                BTreeSet::from([0])
            }
        }
    }

    fn covered(&self) -> Covered {
        let mut all = Covered::default();
        for (subject, report) in self.found {
            let measured = self.measured(subject, report);
            let covered = subject.program.covered(&report.cases, &measured);
            all.instructions.0 += covered.instructions.0;
            all.instructions.1 += covered.instructions.1;
            all.branches.0 += covered.branches.0;
            all.branches.1 += covered.branches.1;
        }
        all
    }

    fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for (_, report) in self.found {
            tally.add(&report.tally);
        }
        tally
    }

    fn summary(&self) -> String {
        let mut text = String::new();
        for (subject, report) in self.found {
            let _ = writeln!(
                text,
                "{}: {}, {} explored, {} questions to the solver",
                subject.target.name,
                counted(report.cases.len() as u64, "case"),
                counted(report.tally.explored, "path"),
                grouped(report.tally.solver.queries),
            );
            if let Some(chosen) = &report.chosen {
                let way = if chosen.is_guided { "guided" } else { "standard" };
                let _ = writeln!(text, "  {way}: {}", chosen.reason);
            }
        }
        let covered = self.covered();
        let seconds = self.start.elapsed().as_secs_f64();
        let end = self.stopped_by.map_or_else(|| "complete".to_owned(), |by| format!("stopped by {by}"));
        let _ = writeln!(
            text,
            "{} of {} instructions, {} of {} branches covered; {seconds:.2} s; {end}",
            covered.instructions.0, covered.instructions.1, covered.branches.0, covered.branches.1
        );
        text
    }

    fn json(&self) -> Json {
        let sum = |count: &dyn Fn(&Subject, &Report) -> u64| {
            self.found.iter().map(|(subject, report)| count(subject, report)).sum::<u64>()
        };
        let covered = self.covered();
        let tally = self.tally();
        let paths: Vec<Json> = self.found.iter().flat_map(|(subject, report)| {
            report.cases.iter().map(|case| {
                let mut json = json_of(&subject.target.name, &case.path);
                json["trace"] = json!(case.trace.to_string());
                json
            })
        }).collect();
        json!({
            "status": if self.stopped_by.is_some() { "stopped" } else { "complete" },
            "seconds": self.start.elapsed().as_secs_f64(),
            "cases": sum(&|_, report| report.cases.len() as u64),
            "explored": tally.explored,
            "bytecodes": sum(&|subject, _| subject.program.bytecodes() as u64),
            "translation_ms": self.found.iter().map(|(subject, _)| subject.translation_ms).sum::<f64>(),
            "traces_generated": sum(&|_, report| report.traces.generated),
            "traces_infeasible": sum(&|_, report| report.traces.infeasible),
            "instructions_covered": covered.instructions.0,
            "instructions_total": covered.instructions.1,
            "branches_covered": covered.branches.0,
            "branches_total": covered.branches.1,
            "solver_queries": tally.solver.queries,
            "paths": paths,
        })
    }
}
