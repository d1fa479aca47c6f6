//! Results of `paths` as plain data, so that the results of shards can be merged and reported as
//! one.
//!
//! **Invariant:** the cases selected from independent results of all methods are those that one run
//! retains, which searches each method for the goals that no earlier method reaches.

use std::collections::BTreeSet;
use std::time::Instant;

use heapwright_jvm::Vm;
use heapwright_techniques::paths::{
    ChosenStrategy, GoalKey, GoalResult, PathSubject, PathsReport, PointKind, RetainedPath,
};
use heapwright_techniques::symbolic::CutBy;
use serde::{Deserialize, Serialize};

use super::args::{CaseFormat, PathCriterionName, PathsArgs};
use super::case_tests::{CaseTest, CaseTester, TestFrame};
use crate::files::results::ShardResults;
use crate::report::paths::{PathSummary, line_of, path_summary};

/// Results of a run of `paths`, or of all its shards.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PathsResults {
    /// Class under test.
    pub class: String,
    /// Output format of the cases.
    pub format: CaseFormat,
    /// Maximum number of evaluations of a loop's test.
    pub loop_k: u32,
    /// Bounds that the user set.
    pub asked: BTreeSet<CutBy>,
    /// Results by method, in the order of the methods.
    pub methods: Vec<MethodResults>,
    /// Number of methods that were not searched.
    pub left: usize,
    /// Frame of the tests, if tests are requested.
    pub frame: Option<TestFrame>,
    /// Limit that ended the run early, if any.
    pub stopped_by: Option<String>,
    /// Wall-clock time in seconds.
    pub seconds: f64,
}

/// Results of a method.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MethodResults {
    /// Number of the method among those of the request.
    pub number: usize,
    /// Name of the method.
    pub name: String,
    /// Number of bytecode instructions of the method and its callees.
    pub bytecodes: u64,
    /// Time of the translation in milliseconds.
    pub translation_ms: f64,
    /// Name of the strategy, and the reason for its choice.
    pub strategy: Option<(String, String)>,
    /// Statistics of the search.
    pub counts: PathCounts,
    /// Bounds that cut something off, if the criterion is about all paths.
    pub cut: BTreeSet<CutBy>,
    /// Places that cases can cover.
    pub points: Vec<PointResults>,
    /// Goals of the criterion, in the order in which cases are selected.
    pub goals: Vec<GoalResults>,
    /// Retained cases.
    pub cases: Vec<CaseResults>,
}

/// Statistics of a search.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct PathCounts {
    /// Paths run to their end, or to a limit.
    pub explored: u64,
    /// Paths abandoned since they exceed a bound on loops or recursion.
    pub pruned_by_bounds: u64,
    /// Paths abandoned since the criterion excludes them.
    pub pruned_by_criterion: u64,
    /// Paths ended by a limit.
    pub limited: u64,
    /// Paths that met something that is refused.
    pub refused: u64,
    /// Paths whose feasibility the solver could not decide.
    pub unknown: u64,
    /// Paths on which a value was fixed.
    pub fixed: u64,
    /// Queries to the solver.
    pub queries: u64,
    /// Cases before those not needed were removed.
    pub before_filter: u64,
    /// Traces that were followed.
    pub traces_generated: u64,
    /// Infeasible traces among these.
    pub traces_infeasible: u64,
}

/// A place that cases can cover.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PointResults {
    /// Number of its method.
    pub method: usize,
    /// Text for people.
    pub text: String,
    /// Share of the coverage.
    pub kind: PointKind,
    /// Result: a case by its index, or the reason why there is none.
    pub reached: GoalResult,
}

/// A goal of the criterion.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GoalResults {
    /// Index of its place.
    pub point: usize,
    /// Identification in all methods that contain it.
    pub key: GoalKey,
}

/// A case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CaseResults {
    /// Outcome, conditions and input for people.
    pub line: String,
    /// Summary, with the trace.
    pub summary: PathSummary,
    /// Indices of the covered places.
    pub covers: BTreeSet<usize>,
    /// Test, if tests are requested.
    pub test: Option<CaseTest>,
}

impl ShardResults for PathsResults {
    const VERB: &'static str = "paths";

    fn class(&self) -> &str {
        &self.class
    }

    fn search(&self) -> &'static str {
        "paths"
    }
}

/// Bounds that users can set, and that limit a claim otherwise.
const BOUNDS: [CutBy; 8] = [
    CutBy::Depth,
    CutBy::Objects,
    CutBy::Lengths,
    CutBy::Values,
    CutBy::Room,
    CutBy::Decisions,
    CutBy::Steps,
    CutBy::Work,
];

/// Bounds that the options set. The loop bound is part of the criterion.
pub fn asked_bounds(arguments: &PathsArgs) -> BTreeSet<CutBy> {
    let is_asked = |by: &CutBy| match by {
        CutBy::Depth => arguments.max_depth.is_some(),
        &by => arguments.inputs.is_asked(by, arguments.scope),
    };
    let asked = BOUNDS.into_iter().filter(is_asked);
    asked.chain([CutBy::Loops]).collect()
}

impl PathsResults {
    /// Collects the results of methods, each with its number. `left` is the number of methods that
    /// were not searched.
    ///
    /// # Errors
    /// A test cannot be made.
    pub fn of(
        arguments: &PathsArgs,
        vm: &mut Vm,
        found: &[(usize, PathSubject, PathsReport)],
        left: usize,
        stopped_by: Option<&str>,
    ) -> anyhow::Result<PathsResults> {
        let is_junit = arguments.format == CaseFormat::Junit;
        let tester = is_junit.then(|| CaseTester::new(arguments, vm));
        let mut tester = tester.transpose()?;
        let is_of_class = matches!(
            arguments.criterion,
            Some(PathCriterionName::AllBranches | PathCriterionName::AllStatements)
        );
        let mut methods = Vec::new();
        for (number, subject, report) in found {
            let mut method = MethodResults::of(vm, *number, subject, report, is_of_class);
            if let Some(tester) = &mut tester {
                for (case, results) in report.cases.iter().zip(&mut method.cases) {
                    results.test = Some(tester.test(vm, subject, case)?);
                }
            }
            methods.push(method);
        }
        Ok(PathsResults {
            class: arguments.class.clone(),
            format: arguments.format,
            loop_k: arguments.loop_k,
            asked: asked_bounds(arguments),
            methods,
            left,
            frame: tester.map(CaseTester::into_frame),
            stopped_by: stopped_by.map(str::to_owned),
            seconds: 0.0,
        })
    }

    /// Returns a copy with the time since the start.
    pub fn timed(&self, start: Instant) -> PathsResults {
        PathsResults {
            seconds: start.elapsed().as_secs_f64(),
            ..self.clone()
        }
    }

    /// Adds the results of another shard.
    pub fn add(&mut self, other: PathsResults) {
        self.methods.extend(other.methods);
        self.methods.sort_by_key(|method| method.number);
        self.left += other.left;
        self.stopped_by = self.stopped_by.take().or(other.stopped_by);
        self.seconds = self.seconds.max(other.seconds);
    }

    /// Selects from independent results of the methods the goals that no earlier method reaches,
    /// and the cases that these need.
    pub fn select(&mut self) {
        let mut reached = BTreeSet::new();
        for method in &mut self.methods {
            method.select(&mut reached);
        }
    }

    /// Retained cases of all methods.
    pub fn cases(&self) -> impl Iterator<Item = &CaseResults> {
        self.methods.iter().flat_map(|method| &method.cases)
    }
}

impl MethodResults {
    /// Collects the results of a method. With `is_of_class` the coverage includes all methods that
    /// contain goals.
    fn of(
        vm: &Vm,
        number: usize,
        subject: &PathSubject,
        report: &PathsReport,
        is_of_class: bool,
    ) -> MethodResults {
        let (tally, name) = (&report.tally, &subject.target.name);
        let of_goals = report.goals.iter().map(|(goal, _)| goal.place().0);
        let measured = of_goals.filter(|_| is_of_class).chain([0]).collect();
        let points = subject.points(report, &measured);
        let goals = report.goals.iter().filter_map(|&(goal, _)| {
            Some(GoalResults {
                point: points.iter().position(|point| point.goal == goal)?,
                key: subject.key(vm, goal),
            })
        });
        let goals = goals.collect();
        let case = |case: &RetainedPath| {
            let covered = (0..points.len()).filter(|&point| case.reaches(points[point].goal));
            CaseResults {
                line: line_of(name, &case.path),
                summary: PathSummary {
                    trace: Some(case.trace.to_string()),
                    ..path_summary(name, &case.path)
                },
                covers: covered.collect(),
                test: None,
            }
        };
        let cut = tally.cut_at.keys().copied();
        MethodResults {
            number,
            name: name.clone(),
            bytecodes: subject.program.bytecodes() as u64,
            translation_ms: subject.translation_ms,
            strategy: report.chosen.as_ref().map(|chosen| {
                let name = strategy_name(chosen).to_owned();
                (name, chosen.reason.clone())
            }),
            counts: PathCounts {
                explored: tally.explored,
                pruned_by_bounds: tally.pruned.by_bounds,
                pruned_by_criterion: tally.pruned.by_criterion,
                limited: tally.limited,
                refused: tally.refused,
                unknown: tally.unknown,
                fixed: tally.fixed,
                queries: tally.queries,
                before_filter: report.before_filter as u64,
                traces_generated: report.traces.generated,
                traces_infeasible: report.traces.infeasible,
            },
            cut: cut.filter(|_| report.is_about_all).collect(),
            cases: report.cases.iter().map(case).collect(),
            points: points
                .into_iter()
                .map(|point| PointResults {
                    method: point.goal.place().0,
                    text: subject.goal_text(point.goal),
                    kind: point.kind,
                    reached: point.reached,
                })
                .collect(),
            goals,
        }
    }

    /// Retains the goals that are not in `reached`, adds those that cases reach, and retains for
    /// each goal in order its first case, unless a case retained before reaches it.
    fn select(&mut self, reached: &mut BTreeSet<GoalKey>) {
        // Other criteria retain all cases.
        if self.goals.is_empty() {
            return;
        }
        self.goals.retain(|goal| !reached.contains(&goal.key));
        let mut cases: Vec<CaseResults> = Vec::new();
        let covering = |cases: &[CaseResults], point: usize| {
            let mut cases = cases.iter();
            cases.position(|case| case.covers.contains(&point))
        };
        let before: Vec<GoalResult> = self.points.iter().map(|one| one.reached.clone()).collect();
        for goal in &self.goals {
            let first = match before[goal.point] {
                GoalResult::By(first) => self.cases.get(first),
                _ => None,
            };
            if covering(&cases, goal.point).is_none() {
                cases.extend(first.cloned());
            }
            if covering(&cases, goal.point).is_some() {
                reached.insert(goal.key.clone());
            }
        }
        let asked: BTreeSet<usize> = self.goals.iter().map(|goal| goal.point).collect();
        for (number, point) in self.points.iter_mut().enumerate() {
            match covering(&cases, number) {
                Some(case) => point.reached = GoalResult::By(case),
                None if !asked.contains(&number) => point.reached = GoalResult::NotAsked,
                None => {}
            }
        }
        self.cases = cases;
    }

    /// Instructions and branches that cases cover, and all.
    pub fn coverage(&self) -> MethodCoverage {
        let mut coverage = MethodCoverage::default();
        let goals = self.goals.iter();
        let of_goals = goals.map(|goal| self.points[goal.point].method);
        let measured: BTreeSet<usize> = of_goals.chain([0]).collect();
        let points = self.points.iter();
        for point in points.filter(|point| measured.contains(&point.method)) {
            let is_covered = matches!(point.reached, GoalResult::By(_));
            let (part, count) = match point.kind {
                PointKind::Instructions(count) => (&mut coverage.instructions, count),
                PointKind::Branch => (&mut coverage.branches, 1),
                PointKind::Unmeasured => continue,
            };
            part.1 += count;
            part.0 += if is_covered { count } else { 0 };
        }
        coverage
    }

    /// Uncovered places that were asked for.
    pub fn missing(&self) -> impl Iterator<Item = &PointResults> {
        let points = self.points.iter();
        points.filter(|point| !matches!(point.reached, GoalResult::By(_) | GoalResult::NotAsked))
    }
}

/// Coverage of methods by cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MethodCoverage {
    /// Executed instructions, and all instructions.
    pub instructions: (u64, u64),
    /// Taken outgoing edges of conditional jumps and switches, and all of these edges.
    pub branches: (u64, u64),
}

impl MethodCoverage {
    /// Adds the coverage of another method.
    pub fn add(&mut self, other: MethodCoverage) {
        self.instructions.0 += other.instructions.0;
        self.instructions.1 += other.instructions.1;
        self.branches.0 += other.branches.0;
        self.branches.1 += other.branches.1;
    }
}

fn strategy_name(chosen: &ChosenStrategy) -> &'static str {
    match (chosen.is_guided, chosen.is_one_by_one) {
        (false, _) => "standard",
        (true, true) => "guided",
        (true, false) => "together",
    }
}
