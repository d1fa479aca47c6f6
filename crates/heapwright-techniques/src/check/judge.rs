//! The judgement of one call: how it ended, whether that was to be, whether the invariant holds
//! afterwards, and what the oracle says.

use std::ops::ControlFlow;

use heapwright_explore::StateSpace;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Choosing, ClassId, Exit, Limit, MethodId, Ref, Vm};

use super::against::Disagreement;
use super::calls::{Operation, Role, Tuple};
use super::template;
use crate::Error;
use crate::contracts::Breach;
use crate::depth;
use crate::misuse::{Misuse, MisuseRule};
use crate::observe::Obstacle;

/// Instructions between two questions whether to go on.
const SLICE: u64 = 1_000_000;

/// Whether to go on.
pub type Ask<'f> = dyn FnMut() -> ControlFlow<()> + 'f;

/// What is wrong with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The invariant does not hold afterwards.
    BreaksInvariant,
    /// The invariant does not hold for the structure that is an argument.
    BreaksArgument,
    /// The invariant throws this exception afterwards.
    InvariantThrows(ClassId),
    /// The invariant does not end afterwards.
    InvariantDoesNotEnd,
    /// The method throws this exception, which it should not.
    Throws(ClassId),
    /// The method does not end.
    DoesNotEnd,
    /// The method, or the invariant afterwards, takes more memory than there is: no counterexample, as more of it
    /// might do.
    ExhaustsMemory,
    /// The oracle says no, or throws.
    FailsOracle,
    /// Another implementation came to something else.
    Disagrees,
    /// A contract is not kept.
    BreaksContract(Breach),
}

impl Failure {
    /// Whether something went on until a limit ended it.
    #[must_use]
    pub fn is_endless(self) -> bool {
        matches!(
            self,
            Failure::DoesNotEnd | Failure::InvariantDoesNotEnd | Failure::ExhaustsMemory
        )
    }

    /// Whether it is that a stack was full.
    pub fn is_overflow(self, vm: &Vm) -> bool {
        let thrown = self.thrown();
        thrown.is_some_and(|class| depth::is_overflow(vm, class))
    }

    /// Whether it shows a fault, and not a limit of ours alone.
    #[must_use]
    pub fn is_fault(self) -> bool {
        self != Failure::ExhaustsMemory
    }

    /// The name of this kind of failure, for programs.
    #[must_use]
    pub fn kind(self) -> &'static str {
        match self {
            Failure::BreaksInvariant => "breaks-invariant",
            Failure::BreaksArgument => "breaks-argument",
            Failure::InvariantThrows(_) => "invariant-throws",
            Failure::InvariantDoesNotEnd => "invariant-does-not-end",
            Failure::Throws(_) => "throws",
            Failure::DoesNotEnd => "does-not-end",
            Failure::ExhaustsMemory => "exhausts-memory",
            Failure::FailsOracle => "fails-oracle",
            Failure::Disagrees => "disagrees",
            Failure::BreaksContract(_) => "breaks-contract",
        }
    }

    /// The class of the exception that it is about, if it is about one.
    #[must_use]
    pub fn thrown(self) -> Option<ClassId> {
        match self {
            Failure::Throws(class)
            | Failure::InvariantThrows(class)
            | Failure::BreaksContract(Breach::Throws(class)) => Some(class),
            _ => None,
        }
    }
}

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// All is well.
    Good,
    /// The method refused the call by an exception that is expected, and all is well.
    Rejected,
    /// It came upon something that the engine refuses: nothing is known.
    Refused(Box<Exit>),
    /// A limit of ours ended it, or what it came to depends on one: nothing is known.
    Limited(Limited),
    /// It did what it must not.
    Failed(Failure),
}

/// By which limit nothing is known of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Limited {
    /// By one that ended a run.
    Ended(Box<Exit>),
    /// It caught a `StackOverflowError`: another machine's stack is not as deep.
    Depth,
}

impl Verdict {
    /// Whether the call did what it may, as far as is known.
    pub fn is_accepted(&self) -> bool {
        matches!(self, Verdict::Good | Verdict::Rejected)
    }

    /// Of a call on which a run came to no answer.
    pub fn unanswered(exit: Exit) -> Verdict {
        match exit {
            Exit::Limit(_) => Verdict::Limited(Limited::Ended(Box::new(exit))),
            exit => Verdict::Refused(Box::new(exit)),
        }
    }

    /// Of a run that a limit ended; `endless` is what it is after so many instructions.
    fn of_limit(limit: Limit, endless: Failure) -> Verdict {
        match limit {
            Limit::Steps => Verdict::Failed(endless),
            Limit::Heap => Verdict::Failed(Failure::ExhaustsMemory),
            limit => Verdict::unanswered(Exit::Limit(limit)),
        }
    }

    /// Why nothing is known of the call, if so. The machine stands where the run ended.
    pub fn silence(&self, vm: &Vm) -> Option<String> {
        match self {
            Verdict::Refused(exit) | Verdict::Limited(Limited::Ended(exit)) => {
                Some(vm.exit_text(exit))
            }
            Verdict::Limited(Limited::Depth) => Some(Obstacle::Depth.to_string()),
            _ => None,
        }
    }
}

/// How a call ended, and what it came to.
pub(super) struct Judgement {
    pub ended: Exit,
    pub verdict: Verdict,
    pub notes: Notes,
}

/// What there is to say of a call besides.
#[derive(Default)]
pub(super) struct Notes {
    pub disagreement: Option<Disagreement>,
    /// The object it has made, if that is what is wrong.
    pub made: Option<Ref>,
    /// How the invariant ended on the structure that is an argument, if it does not hold for it.
    pub of_argument: Option<Exit>,
}

/// A structure on which calls are made.
#[derive(Clone, Copy)]
pub(super) struct Site<'a> {
    pub space: &'a StateSpace,
    /// The copy for oracles; none if there is no room or need for one.
    pub before: Option<Ref>,
    /// The same of the structure that is an argument.
    pub second_before: Option<Ref>,
}

impl<'a> Site<'a> {
    /// One without a copy.
    pub fn of(space: &'a StateSpace) -> Site<'a> {
        Site {
            space,
            before: None,
            second_before: None,
        }
    }

    /// A call's slots with what a structure among them was before the call.
    pub fn slots_before(&self, tuple: &Tuple) -> Vec<u64> {
        let mut slots = tuple.slots.clone();
        if let (Some((place, _)), Some(before)) = (tuple.second, self.second_before) {
            slots[place] = before.slot();
        }
        slots
    }
}

pub(super) struct Judge {
    pub invariant: MethodId,
    misuse: Misuse,
    pub step_limit: u64,
}

impl Judge {
    /// A judge who expects the usual refusals and the exceptions named, by binary name or, in
    /// `java.lang`, `java.util` and the package of `class`, by simple name.
    pub fn new(
        vm: &mut Vm,
        class: ClassId,
        invariant: MethodId,
        expected: &[String],
        step_limit: u64,
    ) -> Result<Judge, Error> {
        let own = vm.binary_name(class);
        let package = own.rsplit_once('.').map_or("", |(package, _)| package);
        let mut misuse = Misuse::new(vm, &MisuseRule::Usual)?;
        for name in expected {
            misuse.expect(vm, package, name)?;
        }
        Ok(Judge {
            invariant,
            misuse,
            step_limit,
        })
    }

    /// Makes a call and judges it. The machine stands where the run ended.
    pub fn judge(
        &self,
        vm: &mut Vm,
        site: Site<'_>,
        operation: &Operation,
        tuple: &Tuple,
        ask: &mut Ask<'_>,
    ) -> ControlFlow<(), Judgement> {
        let overflows = vm.caught_overflows();
        let mut judgement = self.judge_by_runs(vm, site, operation, tuple, ask)?;
        if vm.caught_overflows() != overflows {
            judgement.verdict = Verdict::Limited(Limited::Depth);
        }
        ControlFlow::Continue(judgement)
    }

    /// The same, whatever what comes of the runs depends on.
    fn judge_by_runs(
        &self,
        vm: &mut Vm,
        site: Site<'_>,
        operation: &Operation,
        tuple: &Tuple,
        ask: &mut Ask<'_>,
    ) -> ControlFlow<(), Judgement> {
        let mut site = site;
        if operation.needs_before()
            && let Some((_, second)) = &tuple.second
        {
            site.second_before = template::copy(vm, second.object).ok();
            if site.second_before.is_none() {
                site.before = None;
            }
        }
        let ended = match operation.role {
            Role::Constructor => {
                let class = vm.method(operation.method).class;
                self.construct(vm, site, class, operation.method, &tuple.slots, ask)?
            }
            _ => self.run(vm, site, operation.method, &tuple.slots, ask)?,
        };
        let mut notes = Notes::default();
        let mut verdict = self.verdict(vm, site, (operation, tuple), &ended, &mut notes, ask)?;
        if let Exit::Done(made) = ended
            && operation.makes
            && made != 0
            && verdict.is_accepted()
        {
            let object = Ref::from_slot(made);
            let invariant = vm.select(vm.heap.class_of(object), self.invariant);
            let invariant = invariant.unwrap_or(self.invariant);
            let answer = self.run(vm, site, invariant, &[made], ask)?;
            if let Some(wrong) = Judge::of_invariant(vm, answer) {
                verdict = wrong;
                notes.made = Some(object);
            }
        }
        ControlFlow::Continue(Judgement {
            ended,
            verdict,
            notes,
        })
    }

    /// Whether a call that fails by a full stack does so on any stack: on a deeper one it is made again. The machine
    /// stands where that run ended.
    pub fn overflows_any_stack(
        &self,
        vm: &mut Vm,
        site: Site<'_>,
        (operation, tuple): (&Operation, &Tuple),
        failure: Failure,
        ask: &mut Ask<'_>,
    ) -> ControlFlow<(), bool> {
        let judgement = depth::on_a_deep_stack(vm, |vm, _| {
            self.judge_by_runs(vm, site, operation, tuple, ask)
        })?;
        ControlFlow::Continue(judgement.verdict == Verdict::Failed(failure))
    }

    /// Makes an object by a constructor, whose first slot does not matter: it ends with the object.
    pub fn construct(
        &self,
        vm: &mut Vm,
        site: Site<'_>,
        class: ClassId,
        constructor: MethodId,
        slots: &[u64],
        ask: &mut Ask<'_>,
    ) -> ControlFlow<(), Exit> {
        let words = vm.class(class).instance_words;
        let Ok(made) = vm.heap.allocate(class, words, false) else {
            return ControlFlow::Continue(Exit::Limit(Limit::Heap));
        };
        let mut slots = slots.to_vec();
        slots[0] = made.slot();
        let ended = self.run(vm, site, constructor, &slots, ask)?;
        ControlFlow::Continue(match ended {
            Exit::Done(_) => Exit::Done(made.slot()),
            other => other,
        })
    }

    fn verdict(
        &self,
        vm: &mut Vm,
        site: Site<'_>,
        (operation, tuple): (&Operation, &Tuple),
        ended: &Exit,
        notes: &mut Notes,
        ask: &mut Ask<'_>,
    ) -> ControlFlow<(), Verdict> {
        let mut verdict = self.of_call(vm, operation, tuple, ended);
        let is_untouched = vm.is_untouched();
        let mut called = None;
        if let Some(twin) = &operation.twin
            && matches!(ended, Exit::Done(_) | Exit::Threw(_))
        {
            match twin.call(self, vm, site, (operation, tuple), ended, ask)? {
                Ok(came) => {
                    // What both throw is as it should be.
                    let agrees = came.disagreement.is_none();
                    if agrees && matches!(verdict, Verdict::Failed(Failure::Throws(_))) {
                        verdict = Verdict::Rejected;
                    }
                    called = Some((twin, came));
                }
                Err(exit) if verdict.is_accepted() => verdict = Verdict::unanswered(exit),
                Err(_) => {}
            }
        }
        if !verdict.is_accepted() {
            return ControlFlow::Continue(verdict);
        }
        // Where the call changed nothing, the invariant has answered already.
        if !is_untouched {
            let answer = self.run(vm, site, self.invariant, &[site.space.root.slot()], ask)?;
            if let Some(verdict) = Judge::of_invariant(vm, answer) {
                return ControlFlow::Continue(verdict);
            }
            if let Some((_, second)) = &tuple.second {
                let answer = self.run(vm, site, self.invariant, &[second.object.slot()], ask)?;
                match Judge::of_invariant(vm, answer.clone()) {
                    None => {}
                    Some(Verdict::Failed(failure)) => {
                        let failure = match failure.is_endless() {
                            true => failure,
                            false => Failure::BreaksArgument,
                        };
                        notes.of_argument = Some(answer);
                        return ControlFlow::Continue(Verdict::Failed(failure));
                    }
                    Some(unanswered) => return ControlFlow::Continue(unanswered),
                }
            }
        }
        if let (Some(oracle), Exit::Done(result)) = (operation.oracle, ended) {
            verdict = self.ask_oracle(vm, site, operation, oracle, tuple, *result, ask)?;
        }
        if let Some((twin, mut came)) = called
            && verdict.is_accepted()
        {
            if came.disagreement.is_none() {
                match twin.compare_contents(self, vm, site, &came, ask)? {
                    Ok(found) => came.disagreement = found,
                    Err(exit) => verdict = Verdict::unanswered(exit),
                }
            }
            if came.disagreement.is_some() {
                notes.disagreement = came.disagreement;
                verdict = Verdict::Failed(Failure::Disagrees);
            }
        }
        ControlFlow::Continue(verdict)
    }

    /// What a call came to, if the invariant holds afterwards.
    pub fn of_call(&self, vm: &Vm, operation: &Operation, tuple: &Tuple, ended: &Exit) -> Verdict {
        if let (Some(asked), Exit::Done(_) | Exit::Threw(_)) = (operation.asked, ended) {
            let breach = asked.breach(vm, Ref::from_slot(tuple.slots[0]), ended);
            let failed = |breach| Verdict::Failed(Failure::BreaksContract(breach));
            return breach.map_or(Verdict::Good, failed);
        }
        match ended {
            Exit::Done(_) => Verdict::Good,
            Exit::Threw(exception) => {
                let class = vm.heap.class_of(*exception);
                match self.expects(vm, operation, tuple, class) {
                    true => Verdict::Rejected,
                    false => Verdict::Failed(Failure::Throws(class)),
                }
            }
            Exit::Limit(limit) => Verdict::of_limit(*limit, Failure::DoesNotEnd),
            other => Verdict::unanswered(other.clone()),
        }
    }

    /// What is wrong, if anything is, where the invariant ended so after a call.
    pub fn of_invariant(vm: &Vm, ended: Exit) -> Option<Verdict> {
        Some(match ended {
            Exit::Done(0) => Verdict::Failed(Failure::BreaksInvariant),
            Exit::Done(_) => return None,
            Exit::Threw(exception) => {
                Verdict::Failed(Failure::InvariantThrows(vm.heap.class_of(exception)))
            }
            Exit::Limit(limit) => Verdict::of_limit(limit, Failure::InvariantDoesNotEnd),
            other => Verdict::unanswered(other),
        })
    }

    #[expect(clippy::too_many_arguments, reason = "the call and what it gave")]
    fn ask_oracle(
        &self,
        vm: &mut Vm,
        site: Site<'_>,
        operation: &Operation,
        oracle: MethodId,
        tuple: &Tuple,
        result: u64,
        ask: &mut Ask<'_>,
    ) -> ControlFlow<(), Verdict> {
        let Some(before) = site.before else {
            let full = Exit::Limit(Limit::Heap);
            return ControlFlow::Continue(Verdict::unanswered(full));
        };
        let mut slots = vec![before.slot()];
        slots.extend_from_slice(&site.slots_before(tuple)[1..]);
        slots.push(site.space.root.slot());
        match vm.method(operation.method).result {
            Kind::Void => {}
            kind => {
                slots.push(result);
                slots.resize(slots.len() + kind.words() as usize - 1, 0);
            }
        }
        ControlFlow::Continue(match self.run(vm, site, oracle, &slots, ask)? {
            Exit::Done(0) | Exit::Threw(_) => Verdict::Failed(Failure::FailsOracle),
            Exit::Done(_) => Verdict::Good,
            other => Verdict::unanswered(other),
        })
    }

    fn expects(&self, vm: &Vm, operation: &Operation, tuple: &Tuple, class: ClassId) -> bool {
        let mut declared = operation.declared.iter();
        declared.any(|&declared| vm.is_subclass(class, declared))
            || self
                .misuse
                .covers(vm, class, tuple.has_null, operation.takes_integers())
    }

    /// Runs a method to its end. A slot that the search left open has its first value.
    pub fn run(
        &self,
        vm: &mut Vm,
        site: Site<'_>,
        method: MethodId,
        slots: &[u64],
        ask: &mut Ask<'_>,
    ) -> ControlFlow<(), Exit> {
        vm.limit_steps(self.step_limit.min(SLICE));
        let start = vm.steps();
        if let Err(exit) = vm.call(method, slots) {
            return ControlFlow::Continue(exit);
        }
        loop {
            match vm.run(&mut Choosing) {
                Exit::Choice(number) => {
                    let entry = site.space.entries[number as usize];
                    let first = site.space.domains[entry.domain as usize].choices[0];
                    vm.choose(entry.object, entry.place, first.slot);
                }
                Exit::Limit(Limit::Steps) if vm.steps() - start < self.step_limit => {
                    ask()?;
                    let left = self.step_limit - (vm.steps() - start);
                    vm.limit_steps(left.min(SLICE));
                }
                exit => return ControlFlow::Continue(exit),
            }
        }
    }
}
