//! Coverage of the tests of a suite, with JaCoCo's definitions.
//!
//! Invariant: a test covers what its statements execute, and what those observers do whose answers
//! it asserts. Checks of the invariant are left out.

use std::collections::BTreeSet;

use heapwright_jvm::class::flags;
use heapwright_jvm::{MethodId, Vm};
use heapwright_suite::{Input, Literal, Observation, Script, Step, Structure, Value};

use super::minimal::SequenceTest;
use super::oracles::Oracles;
use super::replay::ReplayedRun;
use super::script::Inspected;
use super::writer::ScriptWriter;
use crate::Error;
use crate::coverage::{CodePlan, CodeSelection, CoveredClass, Fact, TestsByLine};
use crate::existing::ExistingCoverage;
use crate::mutation::is_marked;
use crate::observe::text_of;
use crate::sequences::goals::GoalTable;
use crate::sequences::model::{CoverageCriterion, SequencesRequest};
use crate::sequences::plan::RequestSubject;
use crate::target::{classes_under_test, find_class};
use crate::watch::Watch;

/// Coverage of the tests of a suite.
pub struct SuiteCoverage {
    plan: CodePlan,
    /// What each test observes at the points that it visits; `None` for tests for which there was no
    /// time.
    observed: Vec<Option<Vec<(u32, Fact)>>>,
    /// States of the receiver of each test's call under test.
    states: Vec<ReceiverStates>,
}

/// States of the receiver of a call. A state is missing if there is no such object, or if it is too
/// large to draw.
#[derive(Clone, Debug, Default)]
pub struct ReceiverStates {
    /// Before the call; none for a constructor.
    pub before: Option<Structure>,
    /// After the call.
    pub after: Option<Structure>,
}

/// Maximum number of objects of a state.
const MOST_OBJECTS: usize = 24;

impl SuiteCoverage {
    /// Coverage of the classes under test by the tests with these numbers, and by those that were there
    /// before.
    #[must_use]
    pub fn classes(
        &self,
        vm: &Vm,
        tests: &BTreeSet<usize>,
        before: Option<&ExistingCoverage>,
    ) -> Vec<CoveredClass> {
        let mut facts = vec![Fact::default(); self.plan.points.len()];
        let mut by_line = TestsByLine::default();
        for &test in tests {
            let Some(observed) = self.observed.get(test).and_then(Option::as_ref) else {
                continue;
            };
            for (point, fact) in observed {
                facts[*point as usize].join(fact.clone());
            }
            let points: Vec<u32> = observed.iter().map(|(point, _)| *point).collect();
            self.plan.add_tests(&mut by_line, test, &points);
        }
        // Classes are initialised before the search.
        self.plan.observe_initializers(vm, &mut facts);
        self.plan.coverage(vm, (&facts, &by_line), before)
    }

    /// States of the receiver of a test's call under test.
    #[must_use]
    pub fn states(&self, test: usize) -> Option<&ReceiverStates> {
        self.states.get(test)
    }

    /// Whether all tests could be run.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.observed.iter().all(Option::is_some)
    }
}

/// Number of goals of a class that no search has come to, and of its branches as JaCoCo counts them, all
/// without a test.
///
/// # Errors
/// The class is missing, or cannot be used.
pub fn goals_and_branches(
    vm: &mut Vm,
    class: &str,
    criterion: CoverageCriterion,
    tests_members: bool,
) -> Result<(u64, u64), Error> {
    let found = find_class(vm, class)?;
    let whole = classes_under_test(vm, found, tests_members);
    let methods: Vec<MethodId> = whole
        .iter()
        .flat_map(|&class| vm.class(class).methods.iter().copied())
        .filter(|&method| {
            let flags = vm.method(method).flags;
            flags & (flags::PRIVATE | flags::SYNTHETIC) == 0 && !is_marked(vm, method)
        })
        .collect();
    let goals = GoalTable::new(vm, &methods, &whole, criterion)?;
    let class = [class.to_owned()];
    let selection = CodeSelection {
        classes: &class,
        methods: &[],
        mutants: None,
    };
    let plan = CodePlan::new(vm, &selection)?;
    let facts = vec![Fact::default(); plan.points.len()];
    let classes = plan.coverage(vm, (&facts, &TestsByLine::default()), None);
    let branches = classes.iter().map(|class| class.counters.branches.total);
    Ok((goals.all.len() as u64, branches.sum()))
}

/// What an observation asks, and the answer, whatever the numbers of objects are: they differ between
/// a run and its script. `None` if it runs no code.
fn question_of(observation: &Observation) -> Option<String> {
    let Observation::Call { call, then, value } = observation else {
        return None;
    };
    let argument = |argument: &Input| match argument {
        Input::Object(_) => "object".to_owned(),
        literal => text_of(literal),
    };
    let step = |step: &Step| {
        let arguments: Vec<String> = step.arguments.iter().map(argument).collect();
        let method = &step.method;
        format!("{}{} {arguments:?}", method.name, method.descriptor)
    };
    let steps: Vec<String> = std::iter::once(call).chain(then).map(step).collect();
    let value = match value {
        Literal::Value(Value::Ref(_)) => "object".to_owned(),
        other => text_of(other),
    };
    Some(format!("{steps:?} {value}"))
}

impl RequestSubject {
    /// Runs the tests of a suite once more, and notes what they execute of the class under test and
    /// of those nested in it. Other probes in this code are lost.
    ///
    /// # Errors
    /// A class is missing, or no memory is left.
    pub(in crate::sequences) fn coverage(
        &self,
        vm: &mut Vm,
        request: &SequencesRequest,
        goals: &mut GoalTable,
        (tests, scripts): (&[SequenceTest], &[Script]),
        watch: Watch<'_>,
    ) -> Result<SuiteCoverage, Error> {
        let oracles = Oracles::new(vm, self.class, request, self.refuses_nulls(request))?;
        let mut replayer = self.replayer(vm, request, goals, &self.plan);
        let mut writer = self.writer(vm, request, &self.plan, None, &oracles);
        let class = [vm.binary_name(self.class)];
        let selection = CodeSelection {
            classes: &class,
            methods: &[],
            mutants: None,
        };
        let plan = CodePlan::new(vm, &selection)?;
        let (mut observed, mut states) = (Vec::new(), Vec::new());
        for (test, script) in tests.iter().zip(scripts) {
            if (watch.ends)() {
                observed.push(None);
                states.push(ReceiverStates::default());
                continue;
            }
            let mut facts = vec![Fact::default(); plan.points.len()];
            writer.answers = Some(Vec::new());
            let mut visited = BTreeSet::new();
            let mut of_receiver = ReceiverStates::default();
            let number = test.concrete.statements.len().saturating_sub(1);
            let last = test.concrete.statements.last();
            let receiver = last.and_then(|last| writer.receiver(last, number));
            replayer.run(vm, &test.concrete, &mut |vm, ran| {
                visited = plan.observe(vm.visits(), &mut facts);
                of_receiver.after = receiver.and_then(|it| writer.state(vm, ran, it));
                // What cannot be observed is asserted by no script.
                let _ = writer.look(vm, ran, &test.concrete, Inspected::Observers);
            })?;
            for answer in writer.answers.take().unwrap_or_default() {
                let question = question_of(&answer.observation);
                let mut asserted = script.after.iter().map(question_of);
                if question.is_some() && asserted.any(|other| other == question) {
                    visited.extend(plan.observe(&answer.visits, &mut facts));
                }
            }
            if let Some(receiver) = receiver.filter(|&receiver| receiver < number) {
                let mut front = test.concrete.clone();
                front.statements.pop();
                replayer.run(vm, &front, &mut |vm, ran| {
                    of_receiver.before = writer.state(vm, ran, receiver);
                })?;
            }
            states.push(of_receiver);
            let noted = visited.into_iter();
            let noted = noted.map(|point| (point, std::mem::take(&mut facts[point as usize])));
            observed.push(Some(noted.collect()));
        }
        Ok(SuiteCoverage {
            plan,
            observed,
            states,
        })
    }
}

impl ScriptWriter<'_> {
    /// State of an object that a statement created, if it is not too large to draw.
    fn state(
        &mut self,
        vm: &mut Vm,
        ran: &ReplayedRun<'_, '_>,
        statement: usize,
    ) -> Option<Structure> {
        let object = ran.search.object(statement)?;
        if object.is_null() || !vm.is_app_class(vm.heap.class_of(object)) {
            return None;
        }
        let structure = vm.with_mark(|vm| self.reader.read(vm, object)).structure;
        (structure.objects.len() <= MOST_OBJECTS).then_some(structure)
    }
}
