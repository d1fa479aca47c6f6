//! Proofs by induction, for programs that loop or recurse without a bound.
//!
//! A search with small bounds shows where runs are to be cut: at the loop or the recursive method
//! whose repetitions have ended a path. Further searches find what is open there, and drop the
//! invariants that do not hold. If the last search has nothing left to learn and meets no violation,
//! none exists. A violation in a search by induction is no verdict: its state may be one of those
//! that only the invariants allow.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use heapwright_code::ControlFlow as MethodFlow;
use heapwright_explore::End;
use heapwright_explore::symbolic::{
    Atom, Candidate, CutKind, CutPoint, Induction, InputBounds, InstanceField, OpenClass, PathEnd,
    Repetition, Statistics, Summary, SymbolicSearch,
};
use heapwright_jvm::{ArrayTerms, ClassId, MethodId, Vm};

use super::bounds::LOOPS;
use super::search::{JudgedPaths, PathSum, paths_request};
use super::violation::{Place, place_at};
use super::{Property, SearchSettings, VerifyRequest};
use crate::Error;
use crate::symbolic::{self, Crew, Harvest, SymbolicPart, Taker, Target};

/// Work of the solver to tell that a violating path is infeasible: for a proof, and to find out what
/// the proof needs.
const WORK: u64 = 10_000_000;
const REDUCTION_WORK: u64 = 100_000;

/// Processor time to find out which invariants a proof needs.
const REDUCTION: Duration = Duration::from_secs(1);

/// What a proof by induction is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Iterations of the loop with this head.
    Loop(Place),
    /// Calls of this method.
    Method(Place),
    /// Objects of the class with this binary name.
    Class(String),
}

/// Part of a proof by induction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    /// What it is about.
    pub subject: Subject,
    /// Iterations of the loop that run before its invariants hold.
    pub after: u32,
    /// What holds whenever a run comes to the head of the loop, of the arguments of each call, or of
    /// each object whenever a run comes to such a place.
    pub holds: Vec<String>,
    /// What holds of the result of each call, and of the static fields that it writes.
    pub ensures: Vec<String>,
}

/// Proof by induction that is under way.
#[derive(Debug, Default)]
pub(super) struct Prover {
    induction: Induction,
    /// Whether no proof can be found, whatever the bounds.
    is_over: bool,
}

/// How a search by induction has ended.
enum Attempt {
    Proven,
    /// Something was learnt.
    Changed,
    /// The time was up, or a bound has cut something off.
    Undecided,
    Hopeless,
}

impl Prover {
    /// Whether another attempt may find a proof.
    pub(super) fn is_hopeful(&self) -> bool {
        !self.is_over
    }

    /// Searches for a proof for at most so much processor time; returns the invariants if there is one.
    ///
    /// # Errors
    /// There is no such class or method, or the solver cannot be used.
    pub(super) fn attempt(
        &mut self,
        vm: &mut Vm,
        request: &VerifyRequest,
        settings: SearchSettings,
        time: Duration,
        crew: &mut Crew<'_>,
        solver: &mut Statistics,
    ) -> Result<Option<Vec<Invariant>>, Error> {
        let settings = SearchSettings {
            bounds: InputBounds {
                loops: LOOPS,
                array_terms: ArrayTerms::All,
                ..settings.bounds
            },
            merges: false,
            ..settings
        };
        // One worker, as what a search learns, its next path needs.
        let attempt = crew.alone(time, |crew| {
            loop {
                match self.search(vm, request, settings, WORK, crew, solver) {
                    Ok(Attempt::Changed) => {}
                    attempt => break attempt,
                }
            }
        });
        match attempt? {
            Attempt::Proven => {}
            Attempt::Undecided => return Ok(None),
            _ => {
                self.is_over = true;
                return Ok(None);
            }
        }
        crew.alone(REDUCTION, |crew| {
            self.reduce(vm, request, settings, crew, solver)
        })?;
        let summaries = self.induction.summaries().iter();
        let classes = self.induction.classes().iter();
        let classes = classes.filter(|(_, open)| !open.facts().is_empty());
        let of_places = summaries.map(|summary| invariant(vm, summary));
        let of_classes = classes.map(|(&class, open)| class_invariant(vm, class, open));
        Ok(Some(of_places.chain(of_classes).collect()))
    }

    /// Drops invariants that the proof does not need, until the crew stops.
    fn reduce(
        &mut self,
        vm: &mut Vm,
        request: &VerifyRequest,
        settings: SearchSettings,
        crew: &mut Crew<'_>,
        solver: &mut Statistics,
    ) -> Result<(), Error> {
        let stops = crew.stops;
        let mut size = self.induction.count();
        while size > 0 && !stops() {
            let mut start = 0;
            while start < self.induction.count() && !stops() {
                let end = self.induction.count().min(start + size);
                let whole = self.induction.clone();
                self.induction = whole.without(&(start..end));
                let attempt = self.search(vm, request, settings, REDUCTION_WORK, crew, solver)?;
                if !matches!(attempt, Attempt::Proven) {
                    self.induction = whole;
                    start = end;
                }
            }
            size /= 2;
        }
        Ok(())
    }

    /// Searches once.
    fn search(
        &mut self,
        vm: &mut Vm,
        request: &VerifyRequest,
        settings: SearchSettings,
        work: u64,
        crew: &mut Crew<'_>,
        solver: &mut Statistics,
    ) -> Result<Attempt, Error> {
        self.induction.prepare(vm);
        let attempt = self.search_prepared(vm, request, settings, work, crew, solver);
        // Code that has run is known as such until its probes are removed.
        let is_handled = vm.handles_exhaustion().is_some();
        self.induction.remove(vm);
        Ok(match attempt? {
            Attempt::Proven if is_handled => Attempt::Hopeless,
            attempt => attempt,
        })
    }

    fn search_prepared(
        &mut self,
        vm: &mut Vm,
        request: &VerifyRequest,
        settings: SearchSettings,
        work: u64,
        crew: &mut Crew<'_>,
        solver: &mut Statistics,
    ) -> Result<Attempt, Error> {
        let paths = paths_request(request, settings);
        let is_cut = AtomicBool::new(false);
        let harvest = InductivePaths {
            judged: JudgedPaths {
                request,
                paths: &paths,
                runs_started_first: settings.runs_started_first,
                work,
                is_cut: &is_cut,
            },
            induction: Mutex::new(Some(std::mem::take(&mut self.induction))),
        };
        let target = harvest.target(vm)?;
        let mut found = Found::default();
        let end = symbolic::search(vm, &paths, &target, crew, &harvest, &mut found);
        let learnt = harvest.induction.into_inner();
        self.induction = learnt.ok().flatten().unwrap_or_default();
        let end = end?;
        solver.add(&found.solver);
        if self.induction.obstacle().is_some() {
            return Ok(Attempt::Hopeless);
        }
        if let Some(repetition) = self.induction.take_repetition() {
            return Ok(match self.cut_point(vm, request, repetition) {
                Some(point) => {
                    self.induction.cut(point);
                    Attempt::Changed
                }
                None => Attempt::Hopeless,
            });
        }
        if (crew.stops)() {
            return Ok(Attempt::Undecided);
        }
        if self.induction.is_changed() {
            return Ok(Attempt::Changed);
        }
        if found.has_violation {
            let induction = &mut self.induction;
            let is_changed =
                induction.guess_elements() || induction.peel() || induction.guess_cases();
            return Ok(match is_changed {
                true => Attempt::Changed,
                false => Attempt::Hopeless,
            });
        }
        let misses_none = found.sum.cut.is_empty() && found.sum.refused.is_empty();
        Ok(match end == End::Complete && misses_none {
            true => Attempt::Proven,
            false => Attempt::Undecided,
        })
    }

    /// Point at which the runs are cut that repeat a branch.
    fn cut_point(&self, vm: &Vm, request: &VerifyRequest, again: Repetition) -> Option<CutPoint> {
        let method = again.method;
        let is_new = |point: &CutPoint| {
            let mut summaries = self.induction.summaries().iter();
            summaries.all(|summary| summary.point != *point)
        };
        if again.is_recursion {
            let point = CutPoint {
                method,
                at: 0,
                kind: CutKind::Call,
            };
            // A stack that overflows is an exception, too.
            let is_allowed = request.property != Property::NoException;
            return (is_allowed && is_new(&point)).then_some(point);
        }
        let listing = vm.listing(method).ok()?;
        let flow = MethodFlow::new(&listing);
        let heads = flow.loop_heads(flow.place(again.at)?).into_iter();
        let points = heads.map(|head| CutPoint {
            method,
            at: flow.at(head),
            kind: CutKind::Loop,
        });
        points.into_iter().find(|point| {
            let mut summaries = self.induction.summaries().iter();
            let is_free = summaries.all(|summary| {
                (summary.point.method, summary.point.at) != (point.method, point.at)
            });
            is_free && is_new(point)
        })
    }
}

/// Harvest of a search by induction.
struct InductivePaths<'a> {
    judged: JudgedPaths<'a>,
    induction: Mutex<Option<Induction>>,
}

impl Harvest for InductivePaths<'_> {
    /// Violation.
    type Item = ();
    type Sum = PathSum;
    const NOTES_CUTS: bool = true;
    const HAS_MODELS: bool = false;

    fn target(&self, vm: &mut Vm) -> Result<Target, Error> {
        self.judged.target(vm)
    }

    fn begin(&self, search: &mut SymbolicSearch<'_>) {
        if let Ok(mut induction) = self.induction.lock()
            && let Some(induction) = induction.take()
        {
            search.induct(induction);
        }
    }

    fn finish(&self, search: &mut SymbolicSearch<'_>) {
        if let Ok(mut induction) = self.induction.lock() {
            *induction = search.take_induction();
        }
    }

    fn visit(
        &self,
        vm: &mut Vm,
        _: &Target,
        end: &PathEnd,
        search: &mut SymbolicSearch<'_>,
        sum: &mut PathSum,
    ) -> Result<Option<()>, Error> {
        let violates = self.judged.judge(vm, end, search, sum)?;
        Ok(violates.then_some(()))
    }
}

/// Taker of the first violation.
#[derive(Default)]
struct Found {
    has_violation: bool,
    sum: PathSum,
    solver: Statistics,
}

impl Taker<InductivePaths<'_>> for Found {
    fn take(&mut self, (): ()) -> Result<ControlFlow<()>, Error> {
        self.has_violation = true;
        Ok(ControlFlow::Break(()))
    }

    fn finished(&mut self, part: SymbolicPart<PathSum>) {
        self.sum.add(part.sum);
        self.solver.add(&part.solver);
    }
}

/// Invariants of a cut point as text.
fn invariant(vm: &Vm, summary: &Summary) -> Invariant {
    let CutPoint { method, at, kind } = summary.point;
    let name = |atom| atom_name(vm, method, at, kind, atom);
    let texts = |candidates: &[Candidate]| {
        let texts = candidates.iter().map(|candidate| candidate.text(&name));
        texts.collect()
    };
    let line = vm.line_at(method, at);
    let place = place_at(vm, method, line);
    Invariant {
        subject: match kind {
            CutKind::Loop => Subject::Loop(place),
            CutKind::Call => Subject::Method(place),
        },
        after: summary.peeled(),
        holds: texts(summary.entry()),
        ensures: texts(summary.exit()),
    }
}

/// Invariant of a class as text.
fn class_invariant(vm: &Vm, class: ClassId, open: &OpenClass) -> Invariant {
    let name = |atom| match atom {
        Atom::Field(field) => field_name(vm, field),
        _ => String::new(),
    };
    let facts = open.facts().iter();
    Invariant {
        subject: Subject::Class(vm.binary_name(class)),
        after: 0,
        holds: facts.map(|fact| fact.text(&name)).collect(),
        ensures: Vec::new(),
    }
}

fn field_name(vm: &Vm, field: InstanceField) -> String {
    let above = vm.class(field.class).display.iter();
    let mut fields = above.flat_map(|&class| &vm.class(class).fields);
    let found = fields.find(|all| !all.is_static() && all.word == field.word);
    found.map_or_else(String::new, |field| vm.text(field.name).to_owned())
}

/// Name of a value in the notation of JML.
fn atom_name(vm: &Vm, method: MethodId, at: u16, kind: CutKind, atom: Atom) -> String {
    let register = |register: u16| {
        let parameters = vm.parameter_registers(method);
        let place = parameters.iter().position(|all| all.0 == register);
        let own = usize::from(!vm.method(method).is_static());
        let names = vm.parameter_names(method);
        let parameter = place.and_then(|place| names.get(place.checked_sub(own)?)?.clone());
        let local = vm.listing(method).ok().and_then(|listing| {
            let name = listing.local_name(register, at)?;
            Some(name.to_owned())
        });
        match kind {
            CutKind::Call => parameter.or(local),
            CutKind::Loop => local.or(parameter),
        }
        .unwrap_or_else(|| format!("local{register}"))
    };
    match atom {
        Atom::Register(number) => register(number),
        Atom::OldRegister(number) => format!("\\old({})", register(number)),
        Atom::Length(number) => format!("{}.length", register(number)),
        Atom::Place(place) => vm.place_name(place).unwrap_or_default(),
        Atom::OldPlace(place) => {
            let name = vm.place_name(place).unwrap_or_default();
            format!("\\old({name})")
        }
        Atom::FieldOf(number, field) => {
            format!("{}.{}", register(number), field_name(vm, field))
        }
        Atom::OldFieldOf(number, field) => {
            let name = field_name(vm, field);
            format!("\\old({}.{name})", register(number))
        }
        Atom::Field(field) => field_name(vm, field),
        Atom::Result => "\\result".to_owned(),
        Atom::Index => "index".to_owned(),
        Atom::Element(number) => format!("{}[index]", register(number)),
    }
}
