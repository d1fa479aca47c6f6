//! Tests through the public interface: sequences of statements that reach what a criterion asks for.
//!
//! What may stand in a sequence is told from the code alone (`analysis`): the invokables of the system
//! under test, what each may do, which influence which. Exploring (`explore`) runs sequences on the
//! engine, length by length, and keeps the first path to each goal (`goals`). What it found is run
//! again with values (`replay`), cut to what is needed and written down (`minimal`, `writer`); of what it did not
//! find `prove` says whether anything could.

mod analysis;
mod candidates;
mod code;
mod criteria;
mod dataflow;
mod exits;
pub mod explore;
pub mod goals;
pub mod invokables;
mod joins;
mod linked;
mod minimal;
mod missing;
mod noted;
mod observers;
mod places;
pub mod plan;
mod prove;
mod replay;
mod statements;
mod system;
pub mod tree;
mod writer;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use heapwright_explore::symbolic::{self, Limits, States, Stopper, SymbolicSearch};
use heapwright_jvm::{ClassId, MethodId, Vm};
use heapwright_suite::{Script, Suite};
use regex::Regex;

use crate::Error;
use crate::check::pick;
use crate::observe::{Obstacle, invariant_sig};
use crate::target::{find_class, find_invariant};
pub use crate::watch::Watch;

pub use analysis::{Analysis, tree_text};
pub use candidates::Candidates;
pub use criteria::Criteria;
pub use dataflow::{Effects, FieldKey, Flows};
use explore::{Bounds, Counts, Ending, Explorer};
use goals::{Criterion, Goals};
pub use invokables::{Access, Scope, Takes, What};
use plan::{Plan, Values};
use replay::{Concrete, Replayer};
pub use system::system;
use writer::Writer;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The binary name of the class under test.
    pub class: String,
    /// The methods under test: `name` or `name(int,java.lang.String)`; none for all that are called.
    pub methods: Vec<String>,
    /// Further classes that sequences are made of.
    pub system: Vec<String>,
    /// What tests may use.
    pub access: Access,
    /// Only invokables that fit one of these, if there are some.
    pub include: Vec<Regex>,
    /// No invokables that fit one of these.
    pub exclude: Vec<Regex>,
    /// A static method that every sequence begins with: `a.b.Fixture.create`.
    pub setup: Option<String>,
    /// What is to be reached.
    pub criterion: Criterion,
    /// How far sequences go.
    pub bounds: Bounds,
    /// How large values get, and runs.
    pub values: symbolic::Bounds,
    /// Values that types range over.
    pub pools: Values,
    /// How far the solver goes.
    pub limits: Limits,
    /// Instructions that one run may take.
    pub step_limit: u64,
    /// Whether tests assert fields that no observer shows.
    pub asserts_fields: bool,
}

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
    /// No sequence of up to so many statements reaches it.
    Open(u32),
}

/// Time by phase.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// Forming candidate sequences.
    pub generating: Duration,
    /// Running them, the solver's questions included.
    pub searching: Duration,
    /// Asking the solver which ways paths can go.
    pub solving: Duration,
    /// Holding states against each other.
    pub matching: Duration,
    /// Proving that goals cannot be reached.
    pub proving: Duration,
    /// Making tests.
    pub tests: Duration,
}

impl Phases {
    /// Running alone.
    #[must_use]
    pub fn running(&self) -> Duration {
        self.searching
            .saturating_sub(self.solving)
            .saturating_sub(self.matching)
    }
}

/// What came of a request.
pub struct Report {
    /// What was to be reached.
    pub goals: Goals,
    /// What became of each.
    pub fates: Vec<Fate>,
    /// Branches that the tests cover, and all that there are.
    pub branches: (u64, u64),
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
    /// The tests, as scripts.
    pub suite: Suite,
    /// Why sequences are in no test.
    pub obstacles: Vec<Obstacle>,
    /// How calls ended otherwise than by returning, with how often.
    pub mishaps: BTreeMap<String, u64>,
}

/// Finds what a request is about.
///
/// # Errors
/// There is no such class or method, or a class is broken.
pub fn subject(vm: &mut Vm, request: &Request) -> Result<Subject, Error> {
    let class = find_class(vm, &request.class)?;
    let bad = |vm: &Vm, class, reason| Error::BadClass {
        class: vm.binary_name(class),
        reason,
    };
    vm.initialize_now(class)
        .map_err(|reason| bad(vm, class, reason))?;
    let mut classes = system(vm, class, &[]);
    for name in &request.system {
        classes.push(find_class(vm, name)?);
    }
    let setup = match &request.setup {
        Some(name) => Some(setup(vm, name)?),
        None => None,
    };
    classes.extend(setup.map(|(class, _)| class));
    let mut seen = std::collections::BTreeSet::new();
    classes.retain(|class| seen.insert(class.0));
    let mut notices = Vec::new();
    classes.retain(|&other| match vm.initialize_now(other) {
        Ok(()) => true,
        Err(reason) => {
            let name = vm.binary_name(other);
            notices.push(format!("no object of {name} is made: {reason}"));
            other == class
        }
    });
    let mut scope = Scope {
        classes,
        access: request.access,
        include: request.include.clone(),
        exclude: request.exclude.clone(),
    };
    let own_setup = setup.map(|(_, setup)| setup);
    let mut analysis = Analysis::new(vm, &scope);
    let callable_of = |analysis: &Result<Analysis, Error>| match analysis {
        Ok(analysis) => callable(analysis, own_setup),
        Err(_) => Vec::new(),
    };
    let mut callable = callable_of(&analysis);
    if callable.is_empty() && scope.access == Access::Public && vm.is_app_class(class) {
        scope.access = Access::Package;
        let wider = Analysis::new(vm, &scope);
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
    let analysis = analysis?;
    let methods = match request.methods.is_empty() {
        true => callable,
        false => pick(vm, class, &callable, callable.len(), &request.methods)?,
    };
    let plan = Plan::new(vm, &analysis, &methods, own_setup, request)?;
    let missing = missing::missing(vm, &plan);
    notices.extend(missing);
    Ok(Subject {
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
        open: exits::Open,
    ) -> SymbolicSearch<'_> {
        let mut search = SymbolicSearch::of_scripts(
            &self.plan.classes,
            request.values,
            request.limits,
            request.step_limit,
        );
        search.ask_at(goals.probe(vm));
        search.steer(Box::new(exits::Exits::new(goals, open)));
        search
    }

    /// Explores, and makes tests of what was found, under the eyes of a watch.
    ///
    /// # Errors
    /// Code cannot be read, or the solver cannot be used.
    pub fn run(&self, vm: &mut Vm, request: &Request, watch: Watch<'_>) -> Result<Report, Error> {
        let mut goals = Goals::new(vm, &self.methods, request.criterion)?;
        let stopper = Stopper::default();
        let open = exits::Open::default();
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
        let ending = watch.over(&stopper, || explorer.explore(vm, &mut stops))?;
        let (queries, states) = (explorer.queries(), explorer.states());
        let explore::Explored {
            mut goals,
            reached,
            found,
            unsolved,
            counts,
            mishaps,
            mut phases,
            is_whole,
        } = explorer.finish();
        goals.close_paths();
        let start = Instant::now();
        let search = self.search(request, &mut goals, vm, Default::default());
        let mut replayer = Replayer::new(&self.plan, search);
        let clean = found.into_iter().filter(|found| !found.fails_assertion);
        let clean: Vec<Concrete> = clean.map(|found| found.concrete).collect();
        let tests = minimal::minimal(vm, &mut replayer, &mut goals, clean)?;
        let invariant = find_invariant(vm, self.class, None).ok();
        let mut writer = Writer::new(
            vm,
            &self.analysis,
            &self.plan,
            invariant,
            request.step_limit,
            request.asserts_fields,
        );
        let mut fates: Vec<Fate> = reached
            .iter()
            .map(|reached| match reached {
                None => Fate::Open(counts.max_length),
                Some(false) => Fate::Assertion,
                Some(true) => Fate::Untold("as a test writes it down it goes another way".into()),
            })
            .collect();
        fates.resize(goals.all.len(), Fate::Open(counts.max_length));
        let (mut scripts, mut obstacles): (Vec<Script>, _) = (Vec::new(), Vec::new());
        for test in &tests {
            let mut script = writer.script(vm, &mut replayer, &test.concrete)?;
            if !self.plan.statics.is_empty()
                && script.is_ok()
                && !writer.is_the_same_behind(vm, &mut replayer, &test.concrete, &tests)?
            {
                script = Err(Obstacle::Statics);
            }
            for &goal in &test.goals {
                match (&script, &fates[goal]) {
                    (_, Fate::Covered(_)) => {}
                    (Ok(_), _) => fates[goal] = Fate::Covered(scripts.len()),
                    (Err(obstacle), _) => fates[goal] = Fate::Untold(obstacle.to_string()),
                }
            }
            match script {
                Ok(script) => scripts.push(script),
                Err(obstacle) => obstacles.push(obstacle),
            }
        }
        let suite = Suite {
            class_under_test: writer.class_sig(vm),
            invariant: invariant.map(|invariant| invariant_sig(vm, invariant)),
            cases: Vec::new(),
            scripts,
            uses_deprecated: vm.mentions(self.class, "Ljava/lang/Deprecated;"),
        };
        let branches = match request.criterion {
            Criterion::Branches => (0, 0),
            _ => self.branches(vm, request, &tests)?,
        };
        phases.tests = start.elapsed();
        let start = Instant::now();
        let is_closed =
            ending == Ending::Closed && is_whole && counts.cut == 0 && counts.refused == 0;
        let open = (0..fates.len()).filter(|&goal| matches!(fates[goal], Fate::Open(_)));
        let open: Vec<usize> = open.collect();
        let mut proved = match ending {
            Ending::Stopped => BTreeMap::new(),
            _ => prove::prove(vm, self.class, request, &mut goals, &open, watch)?,
        };
        for goal in open {
            let closed = || "no sequence leads to a state that shorter ones do not".to_owned();
            let reason = proved.remove(&goal);
            if reason.is_none() && unsolved.contains(&goal) {
                let unsolved = "a path comes by, of which the solver found no values in its limits";
                fates[goal] = Fate::Untold(unsolved.to_owned());
                continue;
            }
            let reason = reason.or_else(|| is_closed.then(closed));
            if let Some(reason) = reason {
                fates[goal] = Fate::Infeasible(reason);
            }
        }
        phases.proving = start.elapsed();
        Ok(Report {
            goals,
            fates,
            branches,
            ending,
            counts,
            states,
            queries,
            phases,
            suite,
            obstacles,
            mishaps,
        })
    }

    /// The branches that tests cover, and all that there are.
    fn branches(
        &self,
        vm: &mut Vm,
        request: &Request,
        tests: &[minimal::Test],
    ) -> Result<(u64, u64), Error> {
        let mut goals = Goals::new(vm, &self.methods, Criterion::Branches)?;
        let search = self.search(request, &mut goals, vm, Default::default());
        let mut replayer = Replayer::new(&self.plan, search);
        let mut covered = std::collections::BTreeSet::new();
        for test in tests {
            let reached = replayer.reached(vm, &mut goals, &test.concrete)?;
            covered.extend(reached.into_iter().flatten());
        }
        Ok((covered.len() as u64, goals.all.len() as u64))
    }
}
