//! Tests through the public interface: sequences of statements that reach what a criterion asks for.
//!
//! What may stand in a sequence is told from the code alone (`analysis`): the invokables of the system
//! under test, what each may do, which influence which. Exploring (`explore`) runs sequences on the
//! engine, length by length, and keeps the first path to each goal (`goals`). What it found is run
//! again with values (`replay`), cut to what is needed and written down (`minimal`, `writer`); of what it did not
//! find `prove` says whether anything could.

mod analysis;
mod callables;
pub mod explore;
pub mod goals;
mod model;
pub mod plan;
mod proof;
mod suite;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use heapwright_explore::symbolic::{States, Stopper, SymbolicSearch};
use heapwright_jvm::class::Shape;
use heapwright_jvm::{ClassId, MethodId, Vm};
use heapwright_suite::Suite;

use crate::Error;
use crate::check::pick;
use crate::findings::Failing;
use crate::observe::Obstacle;
use crate::packages::takes_tests;
use crate::symbolic::{CutBy, CutCounts};
use crate::target::find_class;
pub use crate::watch::Watch;

pub use analysis::candidates::Candidates;
pub use analysis::criteria::Criteria;
pub use analysis::dataflow::{Effects, FieldKey, Flows};
pub use analysis::static_analysis::{Analysis, tree_text};
pub use callables::invokables::Scope;
pub use callables::system_classes::{System, system};
use explore::{Counts, Ending, Explorer};
use goals::{Goal, Goals};
pub use model::{
    Access, Bounds, Criterion, Field, Further, Invokable, Memory, Phases, Request, Takes, Values,
    What,
};
use plan::Plan;
use proof::code_under_test::CodeUnderTest;
use suite::minimal::{self, Test};
use suite::null_filling;
use suite::replay::Replayer;
use suite::selection::Written;

/// How deep collections that arguments are made of lie within each other.
const MAX_NESTING: usize = 2;

/// What is explored for a request.
pub struct Subject {
    /// The class under test.
    pub class: ClassId,
    /// The methods under test, in the order of invokables.
    pub methods: Vec<MethodId>,
    /// What is told from the code alone.
    pub analysis: Analysis,
    /// What exploring works with.
    pub plan: Plan,
    /// What the user is to know before anything is explored.
    pub notices: Vec<String>,
    /// Whether it leaves out classes that its parameters lead to.
    is_cut: bool,
}

/// What became of a goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// The test with this number reaches it.
    Covered(usize),
    /// It is reached only on runs that end by an assertion that fails.
    Assertion,
    /// It is reached, and no test can say what comes of it; why.
    Untold(String),
    /// No sequence reaches it, of whatever length; why.
    Infeasible(String),
    /// No sequence of up to so many statements was seen to reach it: 0 where not even the shortest were all tried.
    Open(u32),
}

/// What came of a request.
pub struct Report {
    /// What was to be reached.
    pub goals: Goals,
    /// What became of each.
    pub fates: Vec<Fate>,
    /// The goals that each test reaches.
    pub goals_of: Vec<Vec<usize>>,
    /// The branches that each test covers, and how many there are; none where goals are branches.
    pub branches: (Vec<BTreeSet<usize>>, u64),
    /// What was cut off for which a goal may be missed: on how many paths or, where sequences were not made of all
    /// there is, at how many invokables.
    pub cut: CutCounts,
    /// How exploring ended.
    pub ending: Ending,
    /// What was done.
    pub counts: Counts,
    /// States met, and those of them that others subsume.
    pub states: (u64, u64),
    /// What solvers were asked.
    pub queries: u64,
    /// Time by phase.
    pub phases: Phases,
    /// Memory by phase.
    pub memory: Memory,
    /// The tests, as scripts.
    pub suite: Suite,
    /// Tests that fail: the shortest of each method, kind of failure and exception.
    pub failing: Failing,
    /// Why sequences are in no test.
    pub obstacles: Vec<Obstacle>,
    /// How calls ended otherwise than by returning, with how often.
    pub mishaps: BTreeMap<String, u64>,
}

/// Finds what a request is about, for as long as nothing `stops` it.
///
/// # Errors
/// There is no such class or method, a class is broken, or it was stopped.
pub fn subject(vm: &mut Vm, request: &Request, stops: &dyn Fn() -> bool) -> Result<Subject, Error> {
    let class = find_class(vm, &request.class)?;
    if vm.class(class).shape != Shape::Instance {
        return Err(Error::ClassNotFound(request.class.clone()));
    }
    let bad = |vm: &Vm, class, reason| Error::BadClass {
        class: vm.binary_name(class),
        reason,
    };
    vm.initialize_now(class)
        .map_err(|reason| bad(vm, class, reason))?;
    let System {
        mut classes,
        mut left_out,
    } = system(vm, class, &[], stops);
    for name in &request.system {
        classes.push(find_class(vm, name)?);
    }
    let setup = match &request.setup {
        Some(name) => Some(setup(vm, name)?),
        None => None,
    };
    classes.extend(setup.map(|(class, _)| class));
    let mut seen = BTreeSet::new();
    classes.retain(|class| seen.insert(class.0));
    let mut notices = Vec::new();
    let file = vm.class(class).file.as_ref();
    if file.is_some_and(|file| file.info.enclosing.is_some()) {
        notices.push(format!(
            "{} is a local or anonymous class, which tests cannot name: no object of it is made but by \
             methods of other classes",
            request.class
        ));
    }
    classes.retain(|&other| {
        let known = match stops() {
            true => return false,
            false => vm.initialize_now(other),
        };
        if let Err(reason) = &known {
            let name = vm.binary_name(other);
            notices.push(format!("no object of {name} is made: {reason}"));
        }
        known.is_ok() || other == class
    });
    let mut scope = Scope {
        factories: callables::system_classes::factories(vm, &classes),
        classes,
        access: request.access,
        include: request.include.clone(),
        exclude: request.exclude.clone(),
        supports: Vec::new(),
    };
    let own_setup = setup.map(|(_, setup)| setup);
    if stops() {
        return Err(Error::Stopped);
    }
    let mut analysis = Analysis::new(vm, &scope, stops);
    let callable_of = |analysis: &Result<Analysis, Error>| match analysis {
        Ok(analysis) => callable(analysis, own_setup),
        Err(_) => Vec::new(),
    };
    let mut callable = callable_of(&analysis);
    if callable.is_empty() && scope.access == Access::Public && takes_tests(vm, class) {
        scope.access = Access::Package;
        let wider = Analysis::new(vm, &scope, stops);
        callable = callable_of(&wider);
        if !callable.is_empty() {
            analysis = wider;
            notices.push(format!(
                "nothing of {} is public: tests, which are in its package, call what the package may \
                 (--access package)",
                request.class
            ));
        }
    }
    let mut analysis = analysis?;
    let methods = match request.methods.is_empty() {
        true => callable,
        false => pick(vm, class, &callable, callable.len(), &request.methods)?,
    };
    if stops() {
        return Err(Error::Stopped);
    }
    let mut plan = Plan::new(vm, &analysis, &methods, own_setup, request)?;
    for _ in 0..MAX_NESTING {
        if stops() {
            return Err(Error::Stopped);
        }
        let lacking = plan::unconstructible::lacking(vm, &plan).into_iter();
        let lacking = lacking.map(|(number, place)| &plan.invokables[number].takes[place]);
        let mut needed = callables::collections::needed(vm, lacking);
        needed.retain(|support| !scope.supports.contains(support));
        let mut makers = callables::jdk_values::makers(vm, &plan.invokables, &scope.classes);
        makers.retain(|maker| !scope.factories.contains(maker));
        if needed.is_empty() && makers.is_empty() {
            break;
        }
        scope.factories.extend(makers);
        for class in callables::collections::held(vm, &needed) {
            let mut further = system(vm, class, &[], stops);
            let is_new = |class: &ClassId| !scope.classes.contains(class);
            further.classes.retain(is_new);
            for class in further.classes {
                match callables::system_classes::has_room(vm, &scope.classes) {
                    false => left_out += 1,
                    true if vm.initialize_now(class).is_ok() => scope.classes.push(class),
                    true => {}
                }
            }
        }
        scope.supports.extend(needed);
        analysis = Analysis::new(vm, &scope, stops)?;
        plan = Plan::new(vm, &analysis, &methods, own_setup, request)?;
    }
    let missing = plan::unconstructible::missing(vm, &plan);
    notices.extend(missing);
    if left_out > 0 {
        notices.push(format!(
            "sequences are made of {} and the {} classes nearest to it alone: parameters lead to further \
             ones, {left_out} next, which --system adds",
            request.class,
            scope.classes.len() - 1
        ));
    }
    Ok(Subject {
        is_cut: left_out > 0,
        class,
        methods,
        analysis,
        plan,
        notices,
    })
}

/// The methods of the class under test that tests may call, but for what they begin with.
fn callable(analysis: &Analysis, setup: Option<MethodId>) -> Vec<MethodId> {
    let mut callable: Vec<MethodId> = Vec::new();
    for invokable in &analysis.invokables {
        if let What::Constructor(of, method) | What::Instance(of, method) | What::Static(of, method) =
            invokable.what
            && of == analysis.classes[0]
            && !callable.contains(&method)
            && setup != Some(method)
        {
            callable.push(method);
        }
    }
    callable
}

/// The static method that sequences begin with.
fn setup(vm: &mut Vm, name: &str) -> Result<(ClassId, MethodId), Error> {
    let wrong = |reason: &str| Error::Bounds(format!("--setup {name}: {reason}"));
    let (class, method) = name
        .rsplit_once('.')
        .ok_or_else(|| wrong("a class and a method are wanted, as a.b.Fixture.create"))?;
    let class = find_class(vm, class)?;
    let own = vm.class(class).methods.iter().copied();
    let mut named = own.filter(|&other| {
        let this = vm.method(other);
        vm.text(this.name) == method && this.is_static()
    });
    let found = named.find(|&other| vm.text(vm.method(other).descriptor).starts_with("()"));
    let found = found.ok_or_else(|| wrong("there is no such static method without parameters"))?;
    Ok((class, found))
}

impl Subject {
    /// What invokables define, use, take and give.
    #[must_use]
    pub fn analysis_text(&self, vm: &Vm) -> String {
        self.analysis.text(vm)
    }

    /// The candidate sequences of each method under test, as trees.
    #[must_use]
    pub fn candidates_text(&self, vm: &Vm, max_length: usize) -> String {
        let under_test = self.plan.under_test.iter().enumerate();
        let under_test = under_test.filter(|(_, method)| method.is_some());
        let trees = under_test.map(|(number, _)| tree_text(vm, &self.analysis, number, max_length));
        trees.collect::<Vec<_>>().join("\n")
    }

    fn search(
        &self,
        request: &Request,
        goals: &mut Goals,
        vm: &mut Vm,
        open: goals::reachability::Open,
    ) -> SymbolicSearch<'_> {
        let mut search = SymbolicSearch::of_scripts(
            &self.plan.classes,
            request.values,
            request.limits,
            request.step_limit,
        );
        search.ask_at(goals.probe(vm));
        search.steer(Box::new(goals::branch_order::Exits::new(goals, open)));
        search
    }

    /// Explores, and makes tests of what was found, under the eyes of a watch.
    ///
    /// # Errors
    /// Code cannot be read, or the solver cannot be used.
    pub fn run(&self, vm: &mut Vm, request: &Request, watch: Watch<'_>) -> Result<Report, Error> {
        let mut goals = Goals::new(vm, &self.methods, request.criterion)?;
        let stopper = Stopper::default();
        let open = goals::reachability::Open::default();
        let mut search = self.search(request, &mut goals, vm, open.clone());
        search.stop_by(stopper.clone());
        let states = States::new();
        let mut explorer = Explorer::new(
            &self.plan,
            &self.analysis.criteria,
            request.bounds,
            search,
            states,
            goals,
            open,
        );
        let mut stops = |counts: &Counts| {
            (watch.explored)(counts.paths);
            (watch.stops)()
        };
        let chances = vm.chances();
        let mut ending = watch.over(&stopper, || explorer.explore(vm, &mut stops))?;
        let chances = vm.chances() - chances;
        let (queries, states) = (explorer.queries(), explorer.states());
        let explore::Explored {
            mut goals,
            reached,
            found,
            unsolved,
            counts,
            mishaps,
            mut phases,
            memory,
            is_whole,
            untried,
        } = explorer.finish(vm);
        goals.close_paths();
        let start = Instant::now();
        let search = self.search(request, &mut goals, vm, Default::default());
        let mut replayer = Replayer::new(&self.plan, search);
        let (mut asserting, mut clean) = (Vec::new(), Vec::new());
        for found in found {
            match found.fails_assertion {
                true => asserting.push(found.concrete),
                false => clean.push(found.concrete),
            }
        }
        let tests = minimal::shortened(vm, &mut replayer, &mut goals, clean, watch.closes)?;
        let mut tests = null_filling::with_objects(
            vm,
            &self.plan,
            &mut replayer,
            &mut goals,
            tests,
            watch.closes,
        )?;
        self.add_constructed(&goals, &mut tests);
        let Written {
            tests,
            suite,
            failing,
            untold,
            is_static_seen,
        } = self.written(vm, request, &mut goals, (tests, asserting), watch.closes)?;
        let is_late = (watch.closes)();
        let is_left = |(_, obstacle): &(Vec<usize>, Obstacle)| *obstacle == Obstacle::Time;
        if is_late || untold.iter().any(is_left) {
            ending = Ending::Stopped;
        }
        let mut fates: Vec<Fate> = reached
            .iter()
            .map(|reached| match reached {
                None => Fate::Open(counts.max_length),
                Some(false) => Fate::Assertion,
                Some(true) if is_late => Fate::Untold(Obstacle::Time.to_string()),
                Some(true) => Fate::Untold("as a test writes it down it goes another way".into()),
            })
            .collect();
        fates.resize(goals.all.len(), Fate::Open(counts.max_length));
        for (number, test) in tests.iter().enumerate().rev() {
            for &goal in &test.goals {
                fates[goal] = Fate::Covered(number);
            }
        }
        let mut obstacles = Vec::new();
        for (reached, obstacle) in untold {
            let is_told = |goal: &usize| matches!(fates[*goal], Fate::Covered(_));
            let lost: Vec<usize> = reached.into_iter().filter(|goal| !is_told(goal)).collect();
            for &goal in &lost {
                fates[goal] = Fate::Untold(obstacle.to_string());
            }
            // What nobody declared is told as a finding.
            if !lost.is_empty() && !matches!(obstacle, Obstacle::Undeclared(_)) {
                obstacles.push(obstacle);
            }
        }
        let branches = match request.criterion {
            Criterion::Branches => (Vec::new(), 0),
            _ => self.branches(vm, request, &tests)?,
        };
        phases.tests = start.elapsed();
        let start = Instant::now();
        // Where not even one was formed objects come from elsewhere, or cannot be called by name.
        let code = match ending {
            Ending::Stopped => None,
            _ => CodeUnderTest::read(vm, self.class, &goals),
        };
        let is_all = match &code {
            Some(code) if chances == 0 && !self.is_cut => {
                proof::completeness::is_all(vm, &self.analysis, code)?
            }
            _ => false,
        };
        let is_closed = ending == Ending::Closed
            && is_whole
            && is_all
            && counts.cut() == 0
            && counts.refused == 0
            && counts.altered == 0
            && counts.explored > 0
            && is_static_seen;
        let open = (0..fates.len()).filter(|&goal| matches!(fates[goal], Fate::Open(_)));
        let open: Vec<usize> = open.collect();
        let mut proved = match &code {
            Some(code) => proof::infeasibility::prove(vm, code, request, &mut goals, &open, watch)?,
            _ => BTreeMap::new(),
        };
        // Class initializers run in front of all sequences.
        let is_of_calls = |code: &CodeUnderTest, goal: Goal| {
            code.is_whole(goal) && !code.graph.is_initial((goal.method(), goal.at()))
        };
        let is_of_calls = |goal: Goal| (code.as_ref()).is_some_and(|code| is_of_calls(code, goal));
        let mut missed = CutCounts::new();
        for goal in open {
            let closed = || "no sequence leads to a state that shorter ones do not".to_owned();
            let reason = proved.remove(&goal);
            if reason.is_none() && unsolved.contains(&goal) {
                let unsolved = "a path comes by, of which the solver found no values in its limits";
                fates[goal] = Fate::Untold(unsolved.to_owned());
                *missed.entry(CutBy::Solutions).or_default() += 1;
                continue;
            }
            let is_closed = is_closed && is_of_calls(goals.all[goal]);
            let reason = reason.or_else(|| is_closed.then(closed));
            if let Some(reason) = reason {
                fates[goal] = Fate::Infeasible(reason);
            }
        }
        phases.proving = start.elapsed();
        let is_left = |fate: &Fate| matches!(fate, Fate::Open(_));
        // Of paths there may be more than are goals.
        if request.criterion == Criterion::Paths || fates.iter().any(is_left) || !missed.is_empty()
        {
            let selects = !self.plan.is_whole || !request.pools.is_empty();
            let is_at_length = ending == Ending::Length;
            missed.extend(counts.cuts.clone());
            missed.extend(untried);
            missed.extend([
                (CutBy::Refusals, counts.refused),
                (CutBy::Thrown, counts.altered),
                (
                    CutBy::Statements,
                    u64::from(is_at_length) * counts.at_length.max(1),
                ),
                (CutBy::Selection, u64::from(selects)),
            ]);
            missed.retain(|_, count| *count > 0);
        }
        Ok(Report {
            goals,
            fates,
            goals_of: tests.into_iter().map(|test| test.goals).collect(),
            branches,
            cut: missed,
            ending,
            counts,
            states,
            queries,
            phases,
            memory,
            suite,
            failing,
            obstacles,
            mishaps,
        })
    }

    /// A constructor is called by each test that has it in front of the call under test.
    fn add_constructed(&self, goals: &Goals, tests: &mut [Test]) {
        for test in tests {
            let statements = &test.concrete.statements;
            let front = &statements[..statements.len().saturating_sub(1)];
            for statement in front {
                if let What::Constructor(_, method) = self.plan.invokables[statement.invokable].what
                    && let Some(goal) = goals.number(Goal::Entry(method))
                    && let Err(place) = test.goals.binary_search(&goal)
                {
                    test.goals.insert(place, goal);
                }
            }
        }
    }

    /// The branches that each test covers, and how many there are.
    fn branches(
        &self,
        vm: &mut Vm,
        request: &Request,
        tests: &[Test],
    ) -> Result<(Vec<BTreeSet<usize>>, u64), Error> {
        let mut goals = Goals::new(vm, &self.methods, Criterion::Branches)?;
        let search = self.search(request, &mut goals, vm, Default::default());
        let mut replayer = Replayer::new(&self.plan, search);
        let mut covered = Vec::new();
        for test in tests {
            let reached = replayer.reached(vm, &mut goals, &test.concrete)?;
            covered.push(reached.into_iter().flatten().collect());
        }
        Ok((covered, goals.all.len() as u64))
    }
}

impl Report {
    /// Leaves out the tests that are not among those with these numbers: what they alone cover is in no test, and why.
    pub fn keep(&mut self, tests: &BTreeSet<usize>, why: &str) {
        for (goal, fate) in self.fates.iter_mut().enumerate() {
            if let Fate::Covered(number) = fate
                && !tests.contains(number)
            {
                let mut others = tests.iter();
                let other = others.find(|&&test| self.goals_of[test].contains(&goal));
                *fate = match other {
                    Some(&test) => Fate::Covered(test),
                    None => Fate::Untold(why.to_owned()),
                };
            }
        }
        for (number, covered) in self.branches.0.iter_mut().enumerate() {
            if !tests.contains(&number) {
                covered.clear();
            }
        }
    }

    /// How many branches tests cover, and how many there are, where goals are something else.
    #[must_use]
    pub fn branch_counts(&self) -> (u64, u64) {
        let covered: BTreeSet<&usize> = self.branches.0.iter().flatten().collect();
        (covered.len() as u64, self.branches.1)
    }
}
