//! Tests as scripts: a sequence is run once more, and what came of it is asserted.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_explore::symbolic::Outcome as Ended;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, Exit, MethodId, Ref, Vm};
use heapwright_suite::{
    ClassSig, Label, Literal, MethodSig, Observation, Outcome, Script, Value as Written,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::failing::{Broken, Oracles};
use super::observers::MAX_OBSERVERS;
use super::replay::{Ran, Replayer};
use super::statements::Held;
use super::typing::add_types;
use crate::Error;
use crate::check::name_of;
use crate::findings::Finding;
use crate::observe::{Obstacle, is_same, returned, twice};
use crate::read::{Snapshot, StructureReader};
use crate::sequences::analysis::static_analysis::Analysis;
use crate::sequences::goals::Goals;
use crate::sequences::model;
use crate::sequences::model::{Concrete, What};
use crate::sequences::plan::Plan;

/// Writes tests as scripts.
pub struct Writer<'a> {
    pub(in crate::sequences) plan: &'a Plan,
    /// Methods that change nothing, whatever they are called on.
    pub(super) quiet: FxHashSet<MethodId>,
    pub(in crate::sequences) class: ClassId,
    pub(in crate::sequences) invariant: Option<MethodId>,
    pub(in crate::sequences) step_limit: u64,
    /// Whether what no observer shows is asserted of fields.
    pub(in crate::sequences) asserts_fields: bool,
    pub(in crate::sequences) reader: StructureReader,
    pub(in crate::sequences) signatures: FxHashMap<MethodId, Arc<MethodSig>>,
    pub(super) oracles: Oracles,
    /// Tests that fail, and what they show.
    pub(in crate::sequences) failing: Vec<(Finding, Script)>,
}

/// What is seen at the end of a run.
#[derive(Debug)]
pub(super) struct Seen {
    pub(in crate::sequences) outcome: Outcome,
    pub(in crate::sequences) held: Held,
    pub(in crate::sequences) after: Vec<Observation>,
    /// The statement whose object the invariant was asked of, and its answer.
    pub(in crate::sequences) invariant: Option<(usize, bool)>,
    /// The contracts that objects break.
    pub(in crate::sequences) broken: Vec<Broken>,
}

/// The test that the invariant holds behind the call under test, and nothing else.
fn reproducer(script: &Script) -> Script {
    let outcome = match &script.outcome {
        threw @ Outcome::Threw { .. } => threw.clone(),
        _ => Outcome::ReturnedVoid,
    };
    Script {
        outcome,
        after: Vec::new(),
        ..script.clone()
    }
}

/// What comes of a test.
#[derive(Clone, Debug)]
pub(super) struct Came {
    pub outcome: Outcome,
    /// What all observers say.
    pub after: Vec<Observation>,
    /// The goals that it reaches.
    pub reached: Vec<usize>,
}

impl<'a> Writer<'a> {
    /// Writes tests for a class, with an invariant of it if there is one and other oracles. A call may take `step_limit`
    /// instructions.
    #[must_use]
    pub fn new(
        vm: &Vm,
        analysis: &Analysis,
        plan: &'a Plan,
        invariant: Option<MethodId>,
        oracles: Oracles,
        step_limit: u64,
        asserts_fields: bool,
    ) -> Writer<'a> {
        let class = analysis.classes[0];
        let numbered = analysis.invokables.iter().enumerate();
        let quiet = numbered.filter_map(|(number, invokable)| match invokable.what {
            What::Instance(_, method) => {
                let effects = analysis.flows.effects(number);
                let is_quiet = effects.defines.is_empty()
                    && effects.static_defines.is_empty()
                    && effects.stores.is_empty();
                is_quiet.then_some(method)
            }
            _ => None,
        });
        Writer {
            plan,
            quiet: quiet.collect(),
            class,
            invariant,
            step_limit,
            asserts_fields,
            reader: StructureReader::new(vm, class),
            signatures: FxHashMap::default(),
            oracles,
            failing: Vec::new(),
        }
    }

    /// The class under test, for the suite.
    pub fn class_sig(&mut self, vm: &mut Vm) -> Arc<ClassSig> {
        self.reader.class_sig(vm, self.class)
    }

    /// A test as a script. Within: why no test asserts what comes of it.
    ///
    /// # Errors
    /// A class is not there any more, or no memory is left.
    pub fn script(
        &mut self,
        vm: &mut Vm,
        replayer: &mut Replayer<'_>,
        concrete: &Concrete,
    ) -> Result<Result<Script, Obstacle>, Error> {
        let before = self.observed_before(vm, replayer, concrete)?;
        let mut failure = None;
        let seen = twice(vm, |vm| {
            let seen = replayer.run(vm, concrete, &mut |vm, ran| {
                self.look(vm, ran, concrete, 0, Some(&before))
            });
            match seen {
                Ok(Some(seen)) => seen,
                Ok(None) => Err(Obstacle::Unended("it does not end".to_owned())),
                Err(error) => {
                    failure = Some(error);
                    Err(Obstacle::Unended(String::new()))
                }
            }
        });
        if let Some(error) = failure {
            return Err(error);
        }
        let (mut seen, mut other) = match seen {
            Ok(seen) => seen,
            Err(obstacle) => return Ok(Err(obstacle)),
        };
        // An observer may tell of hash codes where the call under test does not.
        let is_steady = |told: &Observation| other.after.iter().any(|other| is_same(told, other));
        seen.after.retain(is_steady);
        other.after.clone_from(&seen.after);
        seen.broken.retain(|broken| other.broken.contains(broken));
        other.broken.clone_from(&seen.broken);
        if !is_same(&seen, &other) {
            return Ok(Err(Obstacle::IdentityHashes));
        }
        let statements = self.statements(vm, concrete, &seen.held)?;
        Ok(statements.map(|statements| {
            let mut script = Script {
                label: Label::default(),
                outcome: seen.outcome,
                after: seen.after,
                invariant_holds_after: seen.invariant.map(|(place, _)| place),
                statements,
            };
            let is_broken = seen.invariant.is_some_and(|(_, holds)| !holds);
            // Values that are shared come before all statements that objects are known by.
            let behind = shared(concrete).len();
            refer_behind(&mut script, behind);
            for broken in seen.broken {
                self.note_broken(vm, concrete, &script, broken);
            }
            add_types(vm, &mut self.reader, &mut script);
            if is_broken {
                self.note_invalid(vm, concrete, &script);
                script.invariant_holds_after = None;
            }
            script
        }))
    }

    /// What comes of a test whose first statements, so many, are none of its own, and the goals that it
    /// reaches; none if it does not end.
    pub(in crate::sequences) fn outcome(
        &mut self,
        vm: &mut Vm,
        (replayer, goals): (&mut Replayer<'_>, &mut Goals),
        concrete: &Concrete,
        first: usize,
    ) -> Result<Option<Came>, Error> {
        let mut reached = Vec::new();
        let last = concrete.statements.last();
        let method = last.and_then(|last| self.plan.under_test[last.invokable]);
        let seen = replayer.run(vm, concrete, &mut |vm, ran| {
            if let Some(method) = method {
                reached = ran.reached(vm, goals, method);
            }
            let seen = self.look(vm, ran, concrete, first, None)?;
            Ok::<_, Obstacle>((seen.outcome, seen.after))
        })?;
        let seen = seen.and_then(Result::ok);
        Ok(seen.map(|(outcome, after)| Came {
            outcome,
            after,
            reached,
        }))
    }

    /// What observers say before the call under test, by receiver and method.
    fn observed_before(
        &mut self,
        vm: &mut Vm,
        replayer: &mut Replayer<'_>,
        concrete: &Concrete,
    ) -> Result<Vec<Observation>, Error> {
        let mut shorter = concrete.clone();
        let Some(last) = shorter.statements.pop() else {
            return Ok(Vec::new());
        };
        let Some(receiver) = self.receiver(&last, shorter.statements.len()) else {
            return Ok(Vec::new());
        };
        if receiver >= shorter.statements.len() {
            return Ok(Vec::new());
        }
        let left = shorter.input.roots.len().saturating_sub(last.open());
        shorter.input.roots.truncate(left);
        let seen = replayer.run(vm, &shorter, &mut |vm, ran| {
            self.observe(vm, ran, receiver, &last, concrete)
        })?;
        Ok(seen.unwrap_or_default())
    }

    /// The statement that made what the call under test is about.
    pub(in crate::sequences) fn receiver(
        &self,
        last: &model::Statement,
        number: usize,
    ) -> Option<usize> {
        match self.plan.invokables[last.invokable].what {
            What::Constructor(..) => Some(number),
            What::Instance(..) => match last.arguments.first() {
                Some(model::Argument::Made(place)) => Some(*place),
                _ => None,
            },
            _ => None,
        }
    }

    /// Looks at the end of a run of which so many first statements are another's: at what observers say of which something else was said before, or at
    /// what all of them say.
    fn look(
        &mut self,
        vm: &mut Vm,
        ran: &Ran<'_, '_>,
        concrete: &Concrete,
        first: usize,
        before: Option<&[Observation]>,
    ) -> Result<Seen, Obstacle> {
        let count = concrete.statements.len();
        let Some(last) = concrete.statements.last() else {
            return Err(Obstacle::Unended("it is empty".to_owned()));
        };
        let objects = self.objects(ran, concrete, first);
        let is_constructor = matches!(
            self.plan.invokables[last.invokable].what,
            What::Constructor(..)
        );
        let outcome = match ran.outcome {
            Ended::Threw(exception) => {
                let class = vm.heap.class_of(*exception);
                if vm.class_name(class) == "java/lang/AssertionError" {
                    return Err(Obstacle::Assertion);
                }
                Outcome::Threw {
                    class: self.reader.class_sig(vm, class),
                }
            }
            Ended::Returned(_) if is_constructor => Outcome::ReturnedVoid,
            Ended::Returned(slot) => {
                let kind = match self.plan.under_test[last.invokable] {
                    Some(method) => vm.method(method).result,
                    None => Kind::Void,
                };
                self.returned(vm, &objects[..count - 1], kind, *slot)
            }
            _ => return Err(Obstacle::Unended("it does not end".to_owned())),
        };
        let receiver = self.receiver(last, count - 1);
        let receiver = receiver.filter(|&receiver| objects[receiver].is_some());
        let receiver = match (ran.outcome, is_constructor) {
            (Ended::Threw(_), true) => None,
            _ => receiver,
        };
        let mut after = match receiver {
            Some(receiver) => self.observe(vm, ran, receiver, last, concrete),
            None => Vec::new(),
        };
        if let Some(before) = before {
            // What the call has changed is said first, and all of it.
            after.sort_by_key(|seen| before.contains(seen));
            let changed = after.iter().filter(|seen| !before.contains(seen)).count();
            after.truncate(changed.clamp(1, MAX_OBSERVERS));
        }
        if self.asserts_fields
            && let Some(receiver) = receiver
        {
            after.extend(self.fields(vm, concrete, &objects, receiver));
        }
        let asked = self.invariant.zip(receiver);
        let invariant = asked.and_then(|(invariant, receiver)| {
            let object = objects[receiver]?;
            let is_own = vm.is_subclass(vm.heap.class_of(object), vm.method(invariant).class);
            match self
                .asked(vm, invariant, &[object.slot()])
                .filter(|_| is_own)?
            {
                (Exit::Done(answer), _) => Some((receiver, answer != 0)),
                _ => None,
            }
        });
        let is_valid = invariant.is_none_or(|(_, holds)| holds);
        let broken = match receiver.filter(|_| is_valid && before.is_some()) {
            Some(receiver) => self.broken_contracts(vm, &objects, receiver),
            None => Vec::new(),
        };
        Ok(Seen {
            held: self.held_by(vm, ran, &objects),
            outcome,
            after,
            invariant,
            broken,
        })
    }

    /// Notes that the invariant does not hold behind a test.
    fn note_invalid(&mut self, vm: &Vm, concrete: &Concrete, script: &Script) {
        let last = concrete.statements.last();
        let method = last.and_then(|last| self.plan.under_test[last.invokable]);
        if let (Some(method), Some(invariant)) = (method, self.invariant) {
            let invariant = vm.text(vm.method(invariant).name);
            let finding = Finding::breaks_invariant(name_of(vm, method), invariant);
            self.failing.push((finding, reproducer(script)));
        }
    }

    /// The objects that statements gave, but for so many first ones, which are another's.
    pub(in crate::sequences) fn objects(
        &self,
        ran: &Ran<'_, '_>,
        concrete: &Concrete,
        first: usize,
    ) -> Vec<Option<Ref>> {
        let gives = |place: usize| {
            let gives = &self.plan.invokables[concrete.statements[place].invokable].gives;
            let is_object = |gives: &String| Kind::of(gives) == Kind::Reference;
            gives.as_ref().is_some_and(is_object)
        };
        let is_own = |place: usize| place >= first && gives(place);
        let places = 0..concrete.statements.len();
        let objects = places.map(|place| ran.search.object(place).filter(|_| is_own(place)));
        objects.collect()
    }

    /// What the statements of a run made, and by what those before the last one ended.
    pub(super) fn held_by(
        &mut self,
        vm: &mut Vm,
        ran: &Ran<'_, '_>,
        objects: &[Option<Ref>],
    ) -> Held {
        let made = objects.iter().map(|object| {
            object
                .filter(|object| !object.is_null())
                .map(|object| vm.heap.class_of(object))
        });
        let made = made.collect();
        let thrown = (0..objects.len()).map(|place| {
            let class = ran.search.thrown(place)?;
            Some(self.reader.class_sig(vm, class))
        });
        Held {
            made,
            thrown: thrown.collect(),
        }
    }

    /// What a call returned; what a statement made is that.
    pub(in crate::sequences) fn returned(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        kind: Kind,
        slot: u64,
    ) -> Outcome {
        let same = |object: &Option<Ref>| {
            object.is_some_and(|object| !object.is_null() && object.slot() == slot)
        };
        if kind == Kind::Reference
            && let Some(place) = objects.iter().position(same)
        {
            return Outcome::Returned(Literal::Value(Written::Ref(place)));
        }
        returned(vm, &mut self.reader, &Snapshot::default(), kind, slot)
    }
}

/// The open values that are used again, ascending.
pub(super) fn shared(concrete: &Concrete) -> Vec<usize> {
    let arguments = concrete
        .statements
        .iter()
        .flat_map(|statement| &statement.arguments);
    let again = arguments.filter_map(|argument| match argument {
        model::Argument::Again(value) => Some(*value),
        _ => None,
    });
    let again: BTreeSet<usize> = again.collect();
    again.into_iter().collect()
}

/// Lets what is asserted refer to statements that stand behind so many more.
pub(super) fn refer_behind(script: &mut Script, behind: usize) {
    let refer = |literal: &mut Literal| {
        if let Literal::Value(Written::Ref(place)) = literal {
            *place += behind;
        }
    };
    if let Outcome::Returned(literal) = &mut script.outcome {
        refer(literal);
    }
    for seen in &mut script.after {
        let (receiver, value) = match seen {
            Observation::Call { call, value } => (&mut call.receiver, value),
            Observation::Field { access, value } => (&mut access.receiver, value),
        };
        refer(value);
        if let Some(place) = receiver {
            *place += behind;
        }
    }
    if let Some(place) = &mut script.invariant_holds_after {
        *place += behind;
    }
}
