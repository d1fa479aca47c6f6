//! Report of a search for paths.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::process::ExitCode;
use std::time::Instant;

use heapwright_jvm::Vm;
use heapwright_techniques::paths::{
    Chosen, Covered, EdgeCondition, Goal, PathsReport, Reached, Subject, Tally, To,
};
use heapwright_techniques::symbolic::CutBy;

use super::args::{CaseFormat, CriterionName, PathsArgs};
use super::summary::{MethodSummary, PathsSummary, UncoveredSummary};
use super::written;
use crate::exit;
use crate::files::{Output, counted, grouped, print};
use crate::interrupt::StopSignal;
use crate::junit::TestWriter;
use crate::messages::report;
use crate::report::claim::Claim;
use crate::report::findings::FailingBehaviour;
use crate::report::paths::{PathSummary, line_of, path_summary};
use crate::report::summary::{Body, Head, Solver};

/// Results of all methods.
pub struct PathsResults<'a> {
    pub arguments: &'a PathsArgs,
    /// Writer of tests, if tests are requested.
    pub writer: Option<&'a TestWriter>,
    pub interrupt: &'a StopSignal,
    pub found: &'a [(Subject, PathsReport)],
    pub stopped_by: Option<&'static str>,
    pub start: Instant,
}

/// Goal for people: line or offset, and branch.
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
            (EdgeCondition::Keys(keys), _) => write!(
                text,
                ", case {}",
                keys.iter()
                    .map(i32::to_string)
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            (EdgeCondition::Default(_), _) => write!(text, ", default"),
            (_, To::Block(to)) => write!(text, ", on to {}", place(to)),
            (_, To::Return | To::Throw) => write!(text, ", out of it"),
        };
    }
    text
}

impl PathsResults<'_> {
    /// Writes the cases and the summary.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn write(mut self, vm: &mut Vm) -> anyhow::Result<ExitCode> {
        let mut written = None;
        let output = self.arguments.output.as_deref();
        match (self.arguments.format, output) {
            (CaseFormat::Junit, output) => {
                let wanted = self.writer.zip(output);
                let wanted = wanted.map(|(writer, folder)| (writer, self.interrupt, folder));
                let max_steps = self.arguments.inputs.max_steps();
                let tests = wanted.map(|wanted| {
                    written::tests(self.arguments, vm, self.found, wanted, max_steps)
                });
                written = tests.transpose()?;
                let unwritten_by = written.as_ref().and_then(|written| written.stopped_by);
                self.stopped_by = self.stopped_by.or(unwritten_by);
            }
            (CaseFormat::Svg, output) => written::drawings(vm, self.found, output)?,
            (_, None) if self.arguments.common.output.json => {}
            (_, output) => {
                let mut output = Output::open(output)?;
                for line in self.lines() {
                    output.write_line(&line)?;
                }
                output.finish()?;
            }
        }
        if self.arguments.common.output.json {
            let tests = written.as_ref().map(|written| written.tests);
            let failing = written.as_ref().map(|written| written.found.behaviours());
            self.result(tests, failing).print("paths")?;
        } else if self.arguments.output.is_some() {
            print(&self.summary())?;
        } else {
            report(&self.summary());
        }
        let has_cases = self
            .found
            .iter()
            .any(|(_, report)| !report.cases.is_empty());
        let code = match has_cases {
            true => exit::ExitCode::Done,
            false => exit::ExitCode::Nothing,
        };
        let is_found = written.is_some_and(|written| !written.found.is_empty());
        Ok(match is_found {
            true => exit::ExitCode::Found,
            false => self.claim().exit_code().unwrap_or(code),
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
                        lines.push(format!(
                            "; {name} {}\n; {}\n{script}(reset)",
                            case.path.ending, case.trace
                        ));
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

    /// Methods that the coverage includes: the one under test, and those with goals if the
    /// criterion is about the whole class.
    fn measured(&self, report: &PathsReport) -> BTreeSet<usize> {
        let own = |name| self.arguments.criterion == Some(name);
        let goals = report.goals.iter().map(|(goal, _)| goal.place().0);
        let is_of_class = own(CriterionName::AllBranches) || own(CriterionName::AllStatements);
        goals.filter(|_| is_of_class).chain([0]).collect()
    }

    fn covered(&self) -> Covered {
        let mut all = Covered::default();
        for (subject, report) in self.found {
            let measured = self.measured(report);
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
            let tally = &report.tally;
            let _ = write!(
                text,
                "{}: {}",
                subject.target.name,
                counted(report.cases.len() as u64, "case")
            );
            let chosen = report.chosen.as_ref();
            if let Some(chosen) = chosen {
                let _ = write!(text, ", {} ({})", strategy_name(chosen), chosen.reason);
            }
            let _ = writeln!(
                text,
                "; {} run to the end, {} left before it, {} to the solver",
                counted(tally.explored, "path"),
                grouped(tally.pruned.by_criterion + tally.pruned.by_bounds),
                counted(tally.queries, "question"),
            );
            if report.traces.generated > 0 {
                let _ = writeln!(
                    text,
                    "  {} followed, {} of them infeasible",
                    counted(report.traces.generated, "trace"),
                    grouped(report.traces.infeasible)
                );
            }
            for (count, what) in [
                (tally.pruned.by_bounds, "left: --loop-k or --max-depth"),
                (
                    tally.limited,
                    "not followed to their end: a limit of the machine",
                ),
                (
                    tally.refused,
                    "refused: they come upon something that is not supported",
                ),
                (tally.fixed, "with values fixed"),
                (tally.unknown, "unknown to be possible"),
            ] {
                if count > 0 {
                    let _ = writeln!(text, "  {} {what}", counted(count, "path"));
                }
            }
            if report.cases.is_empty() && tally.pruned.by_bounds > 0 {
                let _ = writeln!(
                    text,
                    "  every path runs a loop or a recursion more often than --loop-k {} allows: raise it",
                    self.arguments.loop_k
                );
            }
            let mut said: Vec<String> = Vec::new();
            for (goal, why) in self.missing(subject, report) {
                let line = format!("  not covered: {}: {why}\n", goal_text(subject, goal));
                // Several blocks of one source line give the same text.
                if !said.contains(&line) {
                    text.push_str(&line);
                    said.push(line);
                }
            }
        }
        let covered = self.covered();
        let seconds = self.start.elapsed().as_secs_f64();
        let end = self.claim();
        let _ = writeln!(
            text,
            "{} of {} instructions, {} of {} branches covered; {seconds:.2} s; {end}",
            covered.instructions.0, covered.instructions.1, covered.branches.0, covered.branches.1
        );
        text
    }

    /// Uncovered goals with the reasons.
    fn missing(&self, subject: &Subject, report: &PathsReport) -> Vec<(Goal, String)> {
        let measured = self.measured(report);
        let missing = subject.missing(report, &measured);
        let missing = missing.into_iter();
        missing
            .filter(|(_, reached)| *reached != Reached::NotAsked)
            .map(|(goal, reached)| (goal, self.reason(&reached)))
            .collect()
    }

    /// Bounds that affect the claim: for criteria of goals, only those for which a goal was missed.
    fn cut(&self) -> BTreeSet<CutBy> {
        let mut cut = BTreeSet::new();
        for (_, report) in self.found {
            if report.is_about_all {
                cut.extend(report.tally.cut_at.keys());
            }
            for (_, reached) in &report.goals {
                match reached {
                    Reached::Cut(by) => cut.extend(by),
                    Reached::Unknown => _ = cut.insert(CutBy::Work),
                    _ => {}
                }
            }
        }
        cut
    }

    fn claim(&self) -> Claim {
        let arguments = self.arguments;
        // The loop bound is part of the criterion.
        Claim::new(self.stopped_by, self.cut(), |by| match by {
            CutBy::Loops => true,
            CutBy::Depth => arguments.max_depth.is_some(),
            by => arguments.inputs.is_asked(by, arguments.scope),
        })
    }

    fn reason(&self, reached: &Reached) -> String {
        match reached {
            Reached::By(_) => "covered".to_owned(),
            Reached::Infeasible => "infeasible, proved".to_owned(),
            Reached::Cut(by) => {
                let by: Vec<String> = by.iter().map(CutBy::to_string).collect();
                format!("not reached without {}", by.join(", "))
            }
            Reached::Unknown => "unknown: the solver could not tell".to_owned(),
            Reached::Stopped => "not reached: the search was stopped".to_owned(),
            Reached::NotAsked => "not asked for".to_owned(),
        }
    }

    fn result(
        &self,
        tests: Option<usize>,
        failing_behaviours: Option<Vec<FailingBehaviour>>,
    ) -> Body<PathsSummary> {
        let sum = |count: &dyn Fn(&Subject, &PathsReport) -> u64| {
            let found = self.found.iter();
            found
                .map(|(subject, report)| count(subject, report))
                .sum::<u64>()
        };
        let covered = self.covered();
        let tally = self.tally();
        let mut paths = Vec::new();
        let mut uncovered = Vec::new();
        let mut methods = Vec::new();
        for (subject, report) in self.found {
            let name = &subject.target.name;
            paths.extend(report.cases.iter().map(|case| PathSummary {
                trace: Some(case.trace.to_string()),
                ..path_summary(name, &case.path)
            }));
            let missing = self.missing(subject, report).into_iter();
            uncovered.extend(missing.map(|(goal, reason)| UncoveredSummary {
                method: name.clone(),
                point: goal_text(subject, goal),
                reason: reason.to_string(),
            }));
            methods.push(MethodSummary {
                method: name.clone(),
                cases: report.cases.len(),
                explored: report.tally.explored,
                strategy: report.chosen.as_ref().map(strategy_name),
                reason: report
                    .chosen
                    .as_ref()
                    .map(|chosen| chosen.reason.to_string()),
            });
        }
        let mut strategies: Vec<&str> = methods
            .iter()
            .filter_map(|method| method.strategy)
            .collect();
        strategies.sort_unstable();
        strategies.dedup();
        let own = PathsSummary {
            loop_k: self.arguments.loop_k,
            strategy: strategies.join(", "),
            cases: sum(&|_, report| report.cases.len() as u64),
            pruned: tally.pruned.by_bounds + tally.pruned.by_criterion,
            before_filter: sum(&|_, report| report.before_filter as u64),
            bytecodes: sum(&|subject, _| subject.program.bytecodes() as u64),
            translation_ms: self
                .found
                .iter()
                .map(|one| one.0.translation_ms)
                .sum::<f64>(),
            traces_generated: sum(&|_, report| report.traces.generated),
            traces_infeasible: sum(&|_, report| report.traces.infeasible),
            instructions_covered: covered.instructions.0,
            instructions_total: covered.instructions.1,
            branches_covered: covered.branches.0,
            branches_total: covered.branches.1,
            limited: tally.limited,
            refused: tally.refused,
            unknown: tally.unknown,
            fixed: tally.fixed,
            cut: self.cut().iter().map(|by| by.name()).collect(),
            uncovered,
            methods,
            paths,
            failing_behaviours,
        };
        let seconds = self.start.elapsed().as_secs_f64();
        Head::new(&self.arguments.class, &self.claim(), seconds)
            .explored(tally.explored, "paths")
            .solver(Solver {
                queries: tally.queries,
                unknown: tally.unknown,
                ..Solver::default()
            })
            .tests(tests)
            .with(own)
    }
}

fn strategy_name(chosen: &Chosen) -> &'static str {
    match (chosen.is_guided, chosen.is_one_by_one) {
        (false, _) => "standard",
        (true, true) => "guided",
        (true, false) => "together",
    }
}
