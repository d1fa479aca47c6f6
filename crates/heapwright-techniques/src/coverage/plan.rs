//! Code under test: its methods with their probes and mutants.
//!
//! Invariant: machines number the probes and mutants of a selection in the same way.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use heapwright_code::nested_classes;
use heapwright_jvm::class::flags;
use heapwright_jvm::listing::{BranchCondition, ListedOperation, Listing, SignedComparison};
use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::FxHashMap;

use super::{
    Counters, CoveredClass, CoveredMethod, Either, Executed, ExecutedPlaces, Fact, Labels, Share,
    count, leaves_out, targets,
};
use crate::Error;
use crate::existing::{ExistingCoverage, ExistingMethodCoverage};
use crate::mutation::{Mutant, OperatorGroup, mutants_of};
use crate::statements::pick;
use crate::target::find_class;

/// Selection of code under test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodeSelection<'a> {
    /// Binary names of the classes. Those nested in them belong to them.
    pub classes: &'a [String],
    /// Methods of these classes, by name or as `remove(int)`; all if empty. Lambdas belong to the
    /// method that they are in.
    pub methods: &'a [String],
    /// Operators of the mutants; `None` for coverage alone.
    pub mutants: Option<OperatorGroup>,
}

/// Tests that come to a line of a method, by the number of the method's first point and the line.
/// Each line has the numbers of its tests in ascending order.
#[derive(Clone, Debug, Default)]
pub(crate) struct TestsByLine(BTreeMap<(usize, u16), Vec<usize>>);

/// Code under test.
pub(crate) struct CodePlan {
    classes: Vec<PlannedClass>,
    /// Class and method of each method's first point, in the order of the points.
    index: Vec<(usize, usize, usize)>,
    /// The mutants, by method and place.
    pub mutants: Vec<Mutant>,
    /// Number of the first probe.
    pub first: u32,
    /// What each probe observes.
    pub points: Vec<Point>,
}

/// What a probe observes, beside that control comes to its instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Point {
    /// Whether its instruction is the first of a method.
    pub is_entry: bool,
    /// Jump or switch behind it.
    pub jump: Option<Jump>,
    /// The numbers of the mutants of its instruction.
    pub mutants: Range<usize>,
}

/// Conditional jump or switch.
#[derive(Clone, Debug)]
pub(crate) enum Jump {
    /// Goes to target 1 if the condition holds, else to target 0.
    Branch(BranchCondition),
    /// Goes to the target of the key, or to target 0.
    Switch(BTreeMap<i32, usize>),
}

struct PlannedClass {
    class: ClassId,
    methods: Vec<PlannedMethod>,
}

pub(crate) struct PlannedMethod {
    pub method: MethodId,
    pub listing: Listing,
    labels: Labels,
    /// Whether it does not count for coverage.
    is_left_out: bool,
    /// The places of its probes, in ascending order.
    pub places: Vec<usize>,
    /// Number of its first probe, from the plan's first one.
    pub first: usize,
    mutants: Range<usize>,
}

impl Jump {
    /// Number of the target, given the operands.
    pub fn target(&self, operands: [u64; 3]) -> usize {
        let int = |index: usize| operands[index] as u32 as i32;
        let holds = |comparison: SignedComparison, a: i32, b: i32| match comparison {
            SignedComparison::Eq => a == b,
            SignedComparison::Ne => a != b,
            SignedComparison::Lt => a < b,
            SignedComparison::Ge => a >= b,
            SignedComparison::Gt => a > b,
            SignedComparison::Le => a <= b,
        };
        match self {
            Jump::Branch(BranchCondition::Compare(comparison)) => {
                usize::from(holds(*comparison, int(0), int(1)))
            }
            Jump::Branch(BranchCondition::WithZero(comparison)) => {
                usize::from(holds(*comparison, int(0), 0))
            }
            Jump::Branch(BranchCondition::Same(wanted)) => {
                usize::from((int(0) == int(1)) == *wanted)
            }
            Jump::Branch(BranchCondition::Null(wanted)) => usize::from((int(0) == 0) == *wanted),
            Jump::Switch(keys) => keys.get(&int(0)).copied().unwrap_or_default(),
        }
    }

    fn of(listing: &Listing, place: usize) -> Option<Jump> {
        match &listing.instructions[place].step {
            ListedOperation::Branch(condition, _) => Some(Jump::Branch(*condition)),
            ListedOperation::Switch(switch) => {
                let targets = targets(listing, place);
                let number = |at: u16| {
                    let place = listing.place(at)?;
                    targets.iter().position(|&target| target == place)
                };
                // A key's first entry wins.
                let pairs = switch.pairs.iter().rev();
                let keys = pairs.filter_map(|&(key, at)| Some((key, number(at)?)));
                Some(Jump::Switch(keys.collect()))
            }
            _ => None,
        }
    }
}

impl CodePlan {
    /// Reads the methods under test of the named classes and of those nested in them, collects their
    /// mutants if a group of operators is given, and inserts the probes. No method of them may have
    /// run.
    ///
    /// # Errors
    /// A class or a method is missing, or a class cannot be used.
    pub fn new(vm: &mut Vm, selection: &CodeSelection<'_>) -> Result<CodePlan, Error> {
        let mut plan = CodePlan {
            classes: Vec::new(),
            index: Vec::new(),
            mutants: Vec::new(),
            first: 0,
            points: Vec::new(),
        };
        let mut classes: Vec<ClassId> = Vec::new();
        for name in selection.classes {
            let class = find_class(vm, name)?;
            let own = vm.class_name(class).to_owned();
            for nested in nested_classes(vm, class) {
                let rest = vm.class_name(nested).strip_prefix(&own);
                let is_own = rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'));
                let is_made = vm.class(nested).flags & flags::SYNTHETIC != 0;
                if is_own && !is_made && !classes.contains(&nested) {
                    classes.push(nested);
                }
            }
        }
        let wanted = selected(vm, &classes, selection.methods)?;
        let is_wanted = |method: &MethodId| wanted.as_ref().is_none_or(|of| of.contains(method));
        let mut inserted: Vec<(MethodId, Vec<u16>)> = Vec::new();
        for class in classes {
            let mut methods = Vec::new();
            let declared = vm.class(class).methods.clone();
            for method in declared.into_iter().filter(is_wanted) {
                // Abstract, native and generated methods have no code.
                if let Ok(listing) = vm.listing(method) {
                    methods.push(plan.method(vm, method, listing, selection.mutants));
                }
            }
            inserted.extend(methods.iter().map(|method: &PlannedMethod| {
                let at = |&place: &usize| method.listing.instructions[place].at;
                (method.method, method.places.iter().map(at).collect())
            }));
            let number = plan.classes.len();
            let numbered = methods.iter().enumerate();
            let firsts = numbered.map(|(place, method)| (method.first, number, place));
            plan.index.extend(firsts);
            plan.classes.push(PlannedClass { class, methods });
        }
        for (number, (method, places)) in inserted.iter().enumerate() {
            vm.make_patchable(*method);
            let first = vm.probe(*method, places);
            if number == 0 {
                plan.first = first;
            }
        }
        Ok(plan)
    }

    fn method(
        &mut self,
        vm: &mut Vm,
        method: MethodId,
        listing: Listing,
        group: Option<OperatorGroup>,
    ) -> PlannedMethod {
        let labels = Labels::new(&listing);
        let from = self.mutants.len();
        if let Some(group) = group {
            self.mutants.extend(mutants_of(vm, method, &listing, group));
        }
        let own = from..self.mutants.len();
        let mut places: BTreeSet<usize> = labels.observed(&listing);
        let mutated = self.mutants[own.clone()].iter();
        places.extend(mutated.filter_map(|mutant| listing.place(mutant.at)));
        let first = self.points.len();
        for &place in &places {
            let at = listing.instructions[place].at;
            let mutants = &self.mutants[own.clone()];
            let begin = from + mutants.partition_point(|mutant| mutant.at < at);
            let end = from + mutants.partition_point(|mutant| mutant.at <= at);
            self.points.push(Point {
                is_entry: place == 0,
                jump: Jump::of(&listing, place),
                mutants: begin..end,
            });
        }
        PlannedMethod {
            method,
            is_left_out: leaves_out(vm, method, &listing),
            listing,
            labels,
            places: places.into_iter().collect(),
            first,
            mutants: own,
        }
    }

    /// Classes with their methods, in the order of their points.
    pub fn probed(&self) -> impl Iterator<Item = (ClassId, &[PlannedMethod])> {
        let classes = self.classes.iter();
        classes.map(|planned| (planned.class, &planned.methods[..]))
    }

    /// Method of a point, and the place of the instruction behind it.
    fn method_of(&self, point: usize) -> Option<(&PlannedMethod, usize)> {
        let behind = self.index.partition_point(|&(first, ..)| first <= point);
        let &(first, class, method) = self.index.get(behind.checked_sub(1)?)?;
        let method = &self.classes[class].methods[method];
        let place = method.places.get(point - first)?;
        Some((method, *place))
    }

    /// Notes that a test visits these points. Tests come in ascending order.
    pub fn add_tests(&self, by_line: &mut TestsByLine, test: usize, points: &[u32]) {
        for &point in points {
            let Some((method, place)) = self.method_of(point as usize) else {
                continue;
            };
            if let Some(line) = method.listing.instructions[place].line {
                let tests = by_line.0.entry((method.first, line)).or_default();
                if tests.last() != Some(&test) {
                    tests.push(test);
                }
            }
        }
    }

    /// Notes what the visits of a run tell, oldest first; returns the points visited.
    pub fn observe(&self, visits: &[ProbeVisit], facts: &mut [Fact]) -> BTreeSet<u32> {
        let mut visited = BTreeSet::new();
        // The point passed last in each frame, by its depth.
        let mut last: FxHashMap<u32, usize> = FxHashMap::default();
        for visit in visits {
            let Some(point) = visit.point.checked_sub(self.first) else {
                continue;
            };
            let number = point as usize;
            let Some(observed) = self.points.get(number) else {
                continue;
            };
            visited.insert(point);
            let before = last.insert(visit.depth, number);
            let before = before.filter(|_| !observed.is_entry && visit.thrown.is_none());
            facts[number].reach(before.map(|before| before as u32));
            if let Some(before) = before
                && self.points[before].jump.is_some()
                && let (Some((method, from)), Some((_, to))) =
                    (self.method_of(before), self.method_of(number))
            {
                let targets = targets(&method.listing, from);
                if let Some(target) = targets.iter().position(|&target| target == to) {
                    facts[before].go(target);
                }
            }
        }
        visited
    }

    /// Notes that the initialisers have run of classes of which other code has. Which branches they
    /// took is not known.
    pub fn observe_initializers(&self, vm: &Vm, facts: &mut [Fact]) {
        let is_initializer =
            |method: &PlannedMethod| vm.text(vm.method(method.method).name) == "<clinit>";
        for planned in &self.classes {
            let mut others = planned
                .methods
                .iter()
                .filter(|method| !is_initializer(method));
            if !others.any(|method| facts.get(method.first).is_some_and(Fact::is_reached)) {
                continue;
            }
            for method in planned
                .methods
                .iter()
                .filter(|method| is_initializer(method))
            {
                let own = &mut facts[method.first..method.first + method.places.len()];
                let mut before = None;
                for (number, fact) in (method.first as u32..).zip(own) {
                    fact.reach(before.replace(number));
                }
            }
        }
    }

    /// Coverage of each class with code, given what was observed at the probes. What tests execute
    /// that were there before counts, too.
    pub fn coverage(
        &self,
        vm: &Vm,
        (facts, tests): (&[Fact], &TestsByLine),
        before: Option<&ExistingCoverage>,
    ) -> Vec<CoveredClass> {
        let classes = self.classes.iter();
        let classes = classes.map(|planned| self.coverage_of(vm, planned, (facts, tests), before));
        classes.filter(|class| !class.methods.is_empty()).collect()
    }

    /// What the tests cover and notice of each method, given what was observed at the probes.
    pub fn existing(
        &self,
        vm: &Vm,
        facts: &[Fact],
        is_noticed: &dyn Fn(usize) -> bool,
    ) -> ExistingCoverage {
        let mut existing = ExistingCoverage::default();
        for method in self.classes.iter().flat_map(|class| &class.methods) {
            let facts = &facts[method.first..method.first + method.places.len()];
            let observed = Observed { method, facts };
            let at = |place: usize| method.listing.instructions.get(place).map(|it| it.at);
            let mut branches = BTreeSet::new();
            for &place in &method.places {
                let numbered = targets(&method.listing, place).into_iter().enumerate();
                let taken = numbered.filter(|&(target, _)| observed.went(place, target));
                branches.extend(taken.filter_map(|(_, to)| Some((at(place)?, at(to)?))));
            }
            let first = method.mutants.start;
            let mutants = method.mutants.clone();
            let coverage = ExistingMethodCoverage {
                is_entered: observed.reached(0),
                branches,
                executed: ExecutedPlaces::of(&method.listing, &observed),
                noticed: mutants
                    .filter(|&mutant| is_noticed(mutant))
                    .map(|mutant| mutant - first)
                    .collect(),
                mutants: method.mutants.len(),
            };
            existing.add(vm, method.method, coverage);
        }
        existing
    }

    fn coverage_of(
        &self,
        vm: &Vm,
        planned: &PlannedClass,
        (facts, tests): (&[Fact], &TestsByLine),
        before: Option<&ExistingCoverage>,
    ) -> CoveredClass {
        let mut total = Counters::default();
        let mut all_lines: BTreeMap<u16, bool> = BTreeMap::new();
        let mut methods = Vec::new();
        for method in &planned.methods {
            if method.is_left_out {
                continue;
            }
            let observed = Observed {
                method,
                facts: &facts[method.first..method.first + method.places.len()],
            };
            let before = before.and_then(|before| before.of(vm, method.method));
            let nothing = ExecutedPlaces::default();
            let before = before.map_or(&nothing, |before| &before.executed);
            let executed = Either(&observed, before);
            let code = (&method.listing, &method.labels);
            let Some((counters, mut lines)) = count(vm, method.method, code, &executed) else {
                continue;
            };
            total += counters;
            for (&number, line) in &mut lines {
                *all_lines.entry(number).or_default() |= line.instructions.covered > 0;
                if let Some(tests) = tests.0.get(&(method.first, number)) {
                    line.tests.clone_from(tests);
                }
            }
            let declared = vm.method(method.method);
            methods.push(CoveredMethod {
                text: shown(vm, method.method),
                name: vm.text(declared.name).to_owned(),
                descriptor: vm.text(declared.descriptor).to_owned(),
                counters,
                lines: lines.into_values().collect(),
                mutants: method.mutants.clone(),
            });
        }
        total.lines = Share {
            covered: all_lines.values().filter(|&&is_covered| is_covered).count() as u64,
            total: all_lines.len() as u64,
        };
        let class = vm.class(planned.class);
        let file = class.file.as_ref().and_then(|file| file.info.source_file);
        CoveredClass {
            name: vm.binary_name(planned.class),
            source_file: file.map(|file| vm.text(file).to_owned()),
            counters: total,
            methods,
        }
    }
}

/// Methods of classes that selectors name, with the lambdas in them; none if all are wanted.
fn selected(
    vm: &Vm,
    classes: &[ClassId],
    selectors: &[String],
) -> Result<Option<Vec<MethodId>>, Error> {
    let Some(&class) = classes.first().filter(|_| !selectors.is_empty()) else {
        return Ok(None);
    };
    let declared = classes
        .iter()
        .flat_map(|&class| vm.class(class).methods.clone());
    let is_made = |method: &MethodId| vm.method(*method).flags & flags::SYNTHETIC != 0;
    let (made, written): (Vec<MethodId>, Vec<MethodId>) = declared.partition(is_made);
    let mut selected = pick(vm, class, &written, written.len(), selectors)?;
    let lambdas = made.into_iter().filter(|&method| {
        let this = vm.method(method);
        let mut around = selected.iter().map(|&other| vm.method(other));
        around.any(|other| {
            other.class == this.class
                && surrounding(vm.text(this.name)) == Some(vm.text(other.name))
        })
    });
    let lambdas: Vec<MethodId> = lambdas.collect();
    selected.extend(lambdas);
    Ok(Some(selected))
}

/// Name of the method that a lambda is in, by the name that javac gives it.
fn surrounding(lambda: &str) -> Option<&str> {
    let (around, _) = lambda.strip_prefix("lambda$")?.rsplit_once('$')?;
    match around {
        "new" => Some("<init>"),
        name => Some(name),
    }
}

/// Name and parameter types of a method: `add(int)`.
fn shown(vm: &Vm, method: MethodId) -> String {
    let whole = vm.method_text(method);
    let class = vm.binary_name(vm.method(method).class);
    let own = whole.strip_prefix(&class).unwrap_or(&whole);
    own.trim_start_matches('.').to_owned()
}

/// What was observed of a method.
struct Observed<'a> {
    method: &'a PlannedMethod,
    facts: &'a [Fact],
}

impl Observed<'_> {
    fn at(&self, place: usize) -> Option<usize> {
        self.method.places.binary_search(&place).ok()
    }
}

impl Executed for Observed<'_> {
    fn reached(&self, place: usize) -> bool {
        self.at(place).is_some_and(|at| self.facts[at].is_reached())
    }

    fn went(&self, place: usize, target: usize) -> bool {
        self.at(place).is_some_and(|at| self.facts[at].went(target))
    }

    fn fell(&self, place: usize) -> bool {
        // In straight code the probe before this one is the last that was passed.
        self.at(place).is_some_and(|at| {
            at > 0 && self.facts[at].came_from((self.method.first + at - 1) as u32)
        })
    }
}
