//! Report of a search for paths.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use heapwright_techniques::paths::GoalResult;
use heapwright_techniques::symbolic::CutBy;

use super::args::CaseFormat;
use super::case_tests::WrittenCases;
use super::results::{MethodCoverage, MethodResults, PathCounts, PathsResults};
use super::summary::{MethodSummary, PathsSummary, UncoveredSummary};
use crate::exit;
use crate::files::{Output, counted, grouped, print};
use crate::interrupt::StopSignal;
use crate::junit::TestWriter;
use crate::messages::report;
use crate::report::claim::Claim;
use crate::report::findings::ReportedFindings;
use crate::report::summary::{Body, Head, Solver};

/// Report of results, and where it goes.
pub struct PathsReporter<'a> {
    pub results: PathsResults,
    /// Verb that reports.
    pub verb: &'static str,
    /// Whether to print a summary for programs.
    pub json: bool,
    /// File or folder for the cases.
    pub output: Option<&'a Path>,
    /// Number of merged shards.
    pub shards: Option<usize>,
    /// Start of the run; without it the results have their time.
    pub start: Option<Instant>,
}

impl PathsReporter<'_> {
    /// Writes the cases and the summary.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn write(
        mut self,
        (writer, interrupt): (&TestWriter, &StopSignal),
    ) -> anyhow::Result<ExitCode> {
        let mut written = None;
        match (self.results.format, &self.results.frame, self.output) {
            (CaseFormat::Junit, Some(frame), Some(folder)) => {
                let tests = (self.results).write_tests(frame, (writer, interrupt), folder)?;
                let unwritten_by = tests.stopped_by.map(str::to_owned);
                self.results.stopped_by = self.results.stopped_by.take().or(unwritten_by);
                written = Some(tests);
            }
            (CaseFormat::Junit | CaseFormat::Svg, ..) => {}
            (_, _, None) if self.json => {}
            (_, _, output) => {
                let mut output = Output::open(output)?;
                for line in self.results.lines() {
                    output.write_line(&line)?;
                }
                output.finish()?;
            }
        }
        let tests = written.as_ref().map(|written| written.tests);
        self.print(tests, written.map(|WrittenCases { found, .. }| found))
    }

    /// Prints the summary of a shard, whose results are in its file.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    pub fn print_shard(self) -> anyhow::Result<ExitCode> {
        let frame = self.results.frame.as_ref();
        let suites = frame.map(|frame| self.results.suites(frame));
        let found = suites.map(|(_, failing)| ReportedFindings::of(&failing));
        self.print(None, found)
    }

    /// Prints the summary, with the number of tests and the failures, if tests are requested.
    ///
    /// # Errors
    /// Standard output cannot be written to.
    fn print(
        mut self,
        tests: Option<usize>,
        found: Option<ReportedFindings>,
    ) -> anyhow::Result<ExitCode> {
        if let Some(start) = self.start {
            self.results.seconds = start.elapsed().as_secs_f64();
        }
        let results = &self.results;
        if self.json {
            let failing = found.as_ref().map(ReportedFindings::behaviours);
            let mut body = results.summary();
            body.head = body.head.tests(tests);
            if let Some(own) = &mut body.own {
                (own.failing_behaviours, own.shards) = (failing, self.shards);
            }
            body.print(self.verb)?;
        } else if self.output.is_some() {
            print(&results.text())?;
        } else {
            report(&results.text());
        }
        let code = match results.cases().next() {
            Some(_) => exit::ExitCode::Done,
            None => exit::ExitCode::Nothing,
        };
        let is_found = found.is_some_and(|found| found.are_sure());
        Ok(match is_found {
            true => exit::ExitCode::Found,
            false => results.claim().exit_code().unwrap_or(code),
        }
        .into())
    }
}

impl PathsResults {
    /// Warns of methods that were not searched.
    pub fn warn(&self) {
        if self.left > 0 {
            let methods = counted(self.left as u64, "method");
            let by = self.stopped_by.as_deref().unwrap_or("--time-limit");
            notice!("{methods} not searched: {by} ended the run");
        }
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for case in self.cases() {
            let summary = &case.summary;
            let trace = summary.trace.as_deref().unwrap_or_default();
            match self.format {
                CaseFormat::Smt2 => {
                    let script = summary.script.as_deref().unwrap_or_default();
                    let (name, outcome) = (&summary.method, &summary.outcome);
                    lines.push(format!("; {name} {outcome}\n; {trace}\n{script}(reset)"));
                }
                _ => {
                    lines.push(case.line.clone());
                    lines.push(format!("    {trace}"));
                }
            }
        }
        lines
    }

    fn covered(&self) -> MethodCoverage {
        let mut all = MethodCoverage::default();
        for method in &self.methods {
            all.add(method.coverage());
        }
        all
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for method in &self.methods {
            self.write_method(&mut text, method);
        }
        let covered = self.covered();
        let (seconds, end) = (self.seconds, self.claim());
        let _ = writeln!(
            text,
            "{} of {} instructions, {} of {} branches covered; {seconds:.2} s; {end}",
            covered.instructions.0, covered.instructions.1, covered.branches.0, covered.branches.1
        );
        text
    }

    fn write_method(&self, text: &mut String, method: &MethodResults) {
        let counts = &method.counts;
        let cases = counted(method.cases.len() as u64, "case");
        let _ = write!(text, "{}: {cases}", method.name);
        if let Some((strategy, reason)) = &method.strategy {
            let _ = write!(text, ", {strategy} ({reason})");
        }
        let _ = writeln!(
            text,
            "; {} run to the end, {} left before it, {} to the solver",
            counted(counts.explored, "path"),
            grouped(counts.pruned_by_criterion + counts.pruned_by_bounds),
            counted(counts.queries, "question"),
        );
        if counts.traces_generated > 0 {
            let _ = writeln!(
                text,
                "  {} followed, {} of them infeasible",
                counted(counts.traces_generated, "trace"),
                grouped(counts.traces_infeasible)
            );
        }
        for (count, what) in [
            (counts.pruned_by_bounds, "left: --loop-k or --max-depth"),
            (
                counts.limited,
                "not followed to their end: a limit of the machine",
            ),
            (
                counts.refused,
                "refused: they meet an unsupported operation",
            ),
            (counts.fixed, "with values fixed"),
            (counts.unknown, "of unknown feasibility"),
        ] {
            if count > 0 {
                let _ = writeln!(text, "  {} {what}", counted(count, "path"));
            }
        }
        if method.cases.is_empty() && counts.pruned_by_bounds > 0 {
            let _ = writeln!(
                text,
                "  every path runs a loop or a recursion more often than --loop-k {} allows: raise it",
                self.loop_k
            );
        }
        let mut said: Vec<String> = Vec::new();
        for point in method.missing() {
            let why = reason(&point.reached);
            let line = format!("  not covered: {}: {why}\n", point.text);
            // Several blocks of one source line give the same text.
            if !said.contains(&line) {
                text.push_str(&line);
                said.push(line);
            }
        }
    }

    /// Bounds that affect the claim: for criteria of goals, only those for which a goal was missed.
    fn cut(&self) -> BTreeSet<CutBy> {
        let mut cut = BTreeSet::new();
        for method in &self.methods {
            cut.extend(&method.cut);
            for goal in &method.goals {
                match &method.points[goal.point].reached {
                    GoalResult::Cut(by) => cut.extend(by),
                    GoalResult::Unknown => _ = cut.insert(CutBy::Work),
                    _ => {}
                }
            }
        }
        cut
    }

    pub fn claim(&self) -> Claim {
        let is_asked = |by: CutBy| self.asked.contains(&by);
        Claim::new(self.stopped_by.as_deref(), self.cut(), is_asked)
    }

    fn summary(&self) -> Body<PathsSummary> {
        let sum = |count: &dyn Fn(&PathCounts) -> u64| {
            let counts = self.methods.iter().map(|method| count(&method.counts));
            counts.sum::<u64>()
        };
        let covered = self.covered();
        let (mut uncovered, mut methods) = (Vec::new(), Vec::new());
        for method in &self.methods {
            let name = &method.name;
            uncovered.extend(method.missing().map(|point| UncoveredSummary {
                method: name.clone(),
                point: point.text.clone(),
                reason: reason(&point.reached),
            }));
            methods.push(MethodSummary {
                method: name.clone(),
                cases: method.cases.len(),
                explored: method.counts.explored,
                strategy: method.strategy.as_ref().map(|one| one.0.clone()),
                reason: method.strategy.as_ref().map(|one| one.1.clone()),
            });
        }
        let strategies: BTreeSet<&str> = methods
            .iter()
            .filter_map(|method| method.strategy.as_deref())
            .collect();
        let strategies: Vec<&str> = strategies.into_iter().collect();
        let own = PathsSummary {
            loop_k: self.loop_k,
            strategy: strategies.join(", "),
            cases: self.cases().count() as u64,
            pruned: sum(&|counts| counts.pruned_by_bounds + counts.pruned_by_criterion),
            before_filter: sum(&|counts| counts.before_filter),
            bytecodes: self.methods.iter().map(|method| method.bytecodes).sum(),
            translation_ms: (self.methods.iter())
                .map(|method| method.translation_ms)
                .sum(),
            traces_generated: sum(&|counts| counts.traces_generated),
            traces_infeasible: sum(&|counts| counts.traces_infeasible),
            instructions_covered: covered.instructions.0,
            instructions_total: covered.instructions.1,
            branches_covered: covered.branches.0,
            branches_total: covered.branches.1,
            limited: sum(&|counts| counts.limited),
            refused: sum(&|counts| counts.refused),
            unknown: sum(&|counts| counts.unknown),
            fixed: sum(&|counts| counts.fixed),
            cut: self.cut().iter().map(|by| by.name()).collect(),
            uncovered,
            methods,
            paths: self.cases().map(|case| case.summary.clone()).collect(),
            failing_behaviours: None,
            shards: None,
        };
        Head::new(&self.class, &self.claim(), self.seconds)
            .explored(sum(&|counts| counts.explored), "paths")
            .solver(Solver {
                queries: sum(&|counts| counts.queries),
                unknown: sum(&|counts| counts.unknown),
                ..Solver::default()
            })
            .with(own)
    }
}

/// Result of a place for people.
fn reason(reached: &GoalResult) -> String {
    match reached {
        GoalResult::By(_) => "covered".to_owned(),
        GoalResult::Infeasible => "infeasible, proved".to_owned(),
        GoalResult::Cut(by) => {
            let by: Vec<String> = by.iter().map(CutBy::to_string).collect();
            format!("not reached without {}", by.join(", "))
        }
        GoalResult::Unknown => "unknown: the solver could not decide it".to_owned(),
        GoalResult::Stopped => "not reached: the search was stopped".to_owned(),
        GoalResult::NotAsked => "not asked for".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use heapwright_techniques::paths::{GoalKey, PointKind};

    use super::super::results::{CaseResults, GoalResults, PointResults};
    use super::*;
    use crate::report::paths::PathSummary;

    fn point(text: &str, kind: PointKind, reached: GoalResult) -> PointResults {
        PointResults {
            method: 0,
            text: text.to_owned(),
            kind,
            reached,
        }
    }

    /// Results of a method with one case, and a goal with each result.
    fn results() -> PathsResults {
        let cut = |by: CutBy| GoalResult::Cut(BTreeSet::from([by]));
        let points = vec![
            point("m, line 1", PointKind::Instructions(5), GoalResult::By(0)),
            point(
                "m, line 1, on to line 2",
                PointKind::Branch,
                GoalResult::By(0),
            ),
            point(
                "m, line 2",
                PointKind::Instructions(7),
                GoalResult::Infeasible,
            ),
            point(
                "m, line 2",
                PointKind::Instructions(2),
                GoalResult::Infeasible,
            ),
            point(
                "m, line 1, on to line 3",
                PointKind::Branch,
                cut(CutBy::Loops),
            ),
            point("m, line 3", PointKind::Unmeasured, GoalResult::Unknown),
            point("m, line 4", PointKind::Unmeasured, GoalResult::Stopped),
            point("m, line 5", PointKind::Unmeasured, GoalResult::NotAsked),
        ];
        let case = CaseResults {
            line: "m(int) returns 1 = n if n > 0: n = 1".to_owned(),
            summary: PathSummary {
                method: "m(int)".to_owned(),
                outcome: "returns 1".to_owned(),
                condition: "n > 0".to_owned(),
                model: Some(serde_json::json!({"n": 1})),
                result: Some("n".to_owned()),
                unknown: None,
                fixed: None,
                script: Some("(check-sat)\n".to_owned()),
                trace: Some("m(1,[])".to_owned()),
            },
            covers: BTreeSet::from([0, 1]),
            test: None,
        };
        PathsResults {
            class: "p.C".to_owned(),
            format: CaseFormat::Text,
            loop_k: 2,
            asked: BTreeSet::from([CutBy::Loops]),
            methods: vec![MethodResults {
                number: 0,
                name: "m(int)".to_owned(),
                bytecodes: 14,
                translation_ms: 0.5,
                strategy: Some(("guided".to_owned(), "it calls others".to_owned())),
                counts: PathCounts {
                    explored: 1,
                    pruned_by_bounds: 2,
                    pruned_by_criterion: 1_000,
                    limited: 3,
                    refused: 4,
                    unknown: 5,
                    fixed: 6,
                    queries: 7,
                    before_filter: 8,
                    traces_generated: 9,
                    traces_infeasible: 10,
                },
                cut: BTreeSet::new(),
                goals: Vec::new(),
                points,
                cases: vec![case],
            }],
            left: 0,
            frame: None,
            stopped_by: None,
            seconds: 1.25,
        }
    }

    #[test]
    fn the_text_names_counts_and_what_is_not_covered() {
        let mut results = results();
        expect![[r#"
            m(int): 1 case, guided (it calls others); 1 path run to the end, 1,002 left before it, 7 questions to the solver
              9 traces followed, 10 of them infeasible
              2 paths left: --loop-k or --max-depth
              3 paths not followed to their end: a limit of the machine
              4 paths refused: they meet an unsupported operation
              6 paths with values fixed
              5 paths of unknown feasibility
              not covered: m, line 2: infeasible, proved
              not covered: m, line 1, on to line 3: not reached without more iterations (--loop-k)
              not covered: m, line 3: unknown: the solver could not decide it
              not covered: m, line 4: not reached: the search was stopped
            5 of 14 instructions, 1 of 2 branches covered; 1.25 s; complete
        "#]].assert_eq(&results.text());
        results.methods[0].cases.clear();
        results.methods[0].points.clear();
        results.methods[0].counts = PathCounts {
            pruned_by_bounds: 1,
            ..PathCounts::default()
        };
        expect![[r#"
            m(int): 0 cases, guided (it calls others); 0 paths run to the end, 1 left before it, 0 questions to the solver
              1 path left: --loop-k or --max-depth
              every path runs a loop or a recursion more often than --loop-k 2 allows: raise it
            0 of 0 instructions, 0 of 0 branches covered; 1.25 s; complete
        "#]].assert_eq(&results.text());
    }

    #[test]
    fn cases_are_lines_or_scripts() {
        let mut results = results();
        let text = results.lines().join("\n");
        results.format = CaseFormat::Smt2;
        let scripts = results.lines().join("\n");
        expect![[r#"
            m(int) returns 1 = n if n > 0: n = 1
                m(1,[])

            ; m(int) returns 1
            ; m(1,[])
            (check-sat)
            (reset)
        "#]]
        .assert_eq(&format!("{text}\n\n{scripts}\n"));
    }

    #[test]
    fn the_summary_has_the_counts_of_the_text() {
        let summary = serde_json::to_string_pretty(&results().summary()).unwrap();
        expect![[r#"
            {
              "class": "p.C",
              "status": "complete",
              "without": [],
              "stopped_by": null,
              "seconds": 1.25,
              "explored": 1,
              "explored_unit": "paths",
              "solver": {
                "queries": 7,
                "unknown": 5,
                "seconds": null
              },
              "tests": null,
              "loop_k": 2,
              "strategy": "guided",
              "cases": 1,
              "pruned": 1002,
              "before_filter": 8,
              "bytecodes": 14,
              "translation_ms": 0.5,
              "traces_generated": 9,
              "traces_infeasible": 10,
              "instructions_covered": 5,
              "instructions_total": 14,
              "branches_covered": 1,
              "branches_total": 2,
              "limited": 3,
              "refused": 4,
              "unknown": 5,
              "fixed": 6,
              "cut": [],
              "uncovered": [
                {
                  "method": "m(int)",
                  "point": "m, line 2",
                  "reason": "infeasible, proved"
                },
                {
                  "method": "m(int)",
                  "point": "m, line 2",
                  "reason": "infeasible, proved"
                },
                {
                  "method": "m(int)",
                  "point": "m, line 1, on to line 3",
                  "reason": "not reached without more iterations (--loop-k)"
                },
                {
                  "method": "m(int)",
                  "point": "m, line 3",
                  "reason": "unknown: the solver could not decide it"
                },
                {
                  "method": "m(int)",
                  "point": "m, line 4",
                  "reason": "not reached: the search was stopped"
                }
              ],
              "methods": [
                {
                  "method": "m(int)",
                  "cases": 1,
                  "explored": 1,
                  "strategy": "guided",
                  "reason": "it calls others"
                }
              ],
              "paths": [
                {
                  "method": "m(int)",
                  "outcome": "returns 1",
                  "condition": "n > 0",
                  "model": {
                    "n": 1
                  },
                  "result": "n",
                  "script": "(check-sat)\n",
                  "trace": "m(1,[])"
                }
              ]
            }"#]]
        .assert_eq(&summary);
    }

    /// A bound that cut something off matters where it was about all paths, or missed a goal.
    #[test]
    fn bounds_that_missed_a_goal_are_in_the_claim() {
        let mut results = results();
        assert_eq!(results.claim().to_string(), "complete");
        let key = GoalKey {
            method: "p/C.m(I)I".to_owned(),
            at: 0,
            to: None,
        };
        let mut claims = String::new();
        for (point, asked) in [(4, CutBy::Loops), (4, CutBy::Values), (5, CutBy::Loops)] {
            let key = key.clone();
            results.methods[0].goals = vec![GoalResults { point, key }];
            results.asked = BTreeSet::from([asked]);
            claims += &format!("{}\n", results.claim());
        }
        results.methods[0].goals.clear();
        results.methods[0].cut = BTreeSet::from([CutBy::Lengths]);
        claims += &format!("{}\n", results.claim());
        expect![[r#"
            complete, without more iterations (--loop-k)
            partial, without more iterations (--loop-k)
            partial, without more work of the solver (--solver-work)
            partial, without longer strings and arrays (--scope)
        "#]]
        .assert_eq(&claims);
    }
}
