//! Writer of tests: facts about the class under test, and the objects of a run.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use heapwright_jvm::descriptor::{CACHED_BOXES, Kind};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use heapwright_suite::{
    CallOutcome, ClassSig, Literal, MethodSig, Script, Setting, Value as Written,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::digests::Digests;
use super::observers::ObserverPace;
use super::oracles::Oracles;
use super::questions::{Answer, Inquiry};
use super::replay::ReplayedRun;
use super::statics::SettingsBefore;
use super::stub_calls::AskedMethods;
use crate::findings::Finding;
use crate::observe::returned;
use crate::read::{Snapshot, StructureReader};
use crate::sequences::analysis::static_analysis::Analysis;
use crate::sequences::callables::anonymous_stubs::called_directly;
use crate::sequences::model::Concrete;
use crate::sequences::plan::SearchPlan;
use crate::statements;
use crate::statements::StatementKind;
use crate::symbolic::{Contents, InputValue, RunInput, boxed};

/// Results of statements.
#[derive(Debug, Default)]
pub(super) struct StatementResults {
    /// The class of the object that each statement created, if any.
    pub made: Vec<Option<ClassId>>,
    /// The exceptions with which statements before the last one ended.
    pub thrown: Vec<Option<Arc<ClassSig>>>,
    /// The methods of stubs that were called, where tests are written.
    pub asked: AskedMethods,
    /// The settings of the virtual machine that the run leaves changed.
    pub settings: Vec<Setting>,
    /// The reason why no test can put one of them back, if any.
    pub irreversible: Option<String>,
}

/// Writes tests as scripts.
pub struct ScriptWriter<'a> {
    pub(super) plan: &'a SearchPlan,
    /// Methods without effects on any receiver.
    pub(super) quiet: FxHashSet<MethodId>,
    pub(super) class: ClassId,
    pub(super) invariant: Option<MethodId>,
    pub(super) step_limit: u64,
    /// Whether fields that no observer reveals are asserted.
    pub(super) asserts_fields: bool,
    pub(super) reader: StructureReader,
    /// Methods under test of a class with collaborators that return the same in every state. They say
    /// nothing about the receiver of another call.
    pub(super) constant: Vec<MethodId>,
    /// Names and descriptors of the methods that the system's code calls itself.
    pub(super) called: BTreeSet<(String, String)>,
    /// All methods whose effects are known.
    pub(super) analysed: FxHashSet<MethodId>,
    pub(super) signatures: FxHashMap<(ClassId, MethodId), Arc<MethodSig>>,
    /// Constructors and static methods that may make objects of a class of their parts.
    pub(super) makers: FxHashMap<ClassId, Rc<[MethodId]>>,
    pub(super) oracles: Oracles,
    /// The probes that observers visited, while they are recorded.
    pub(super) visited: Option<FxHashSet<u32>>,
    pub(super) pace: ObserverPace,
    /// Whether few results of accessors of an object that an observer returned are kept.
    pub(super) limits_behind: bool,
    /// The answers of observers, while they are recorded.
    pub(super) answers: Option<Vec<Answer>>,
    /// Methods under test whose results have contents that differ between runs, and the numbers of tests of
    /// each that were asked for such.
    pub(super) unsteady: FxHashSet<MethodId>,
    pub(super) checked: FxHashMap<MethodId, u32>,
    /// Whether parts of results are asked one by one, as no test can assert the whole.
    pub(super) asks_parts: bool,
    /// The questions that are asked in the run on a mutant; all in other runs.
    pub(super) inquiry: Option<Inquiry>,
    pub(super) digests: Digests,
    /// The settings of the virtual machine before tests.
    pub(super) settings: Rc<SettingsBefore>,
    /// The failing tests with their findings.
    pub(super) failing: Vec<(Finding, Script)>,
}

impl<'a> ScriptWriter<'a> {
    /// Creates a writer for a class, with its invariant, if any, and other oracles. A call may
    /// execute `step_limit` instructions.
    #[must_use]
    pub fn new(
        vm: &mut Vm,
        analysis: &Analysis,
        plan: &'a SearchPlan,
        invariant: Option<MethodId>,
        oracles: Oracles,
        step_limit: u64,
        asserts_fields: bool,
    ) -> ScriptWriter<'a> {
        let class = analysis.classes[0];
        let numbered = analysis.invokables.iter().enumerate();
        let methods = analysis.invokables.iter();
        let methods = methods.filter_map(|invokable| match invokable.kind {
            StatementKind::Call(call) if call.has_receiver() => Some(call.method),
            _ => None,
        });
        let quiet = numbered.filter_map(|(number, invokable)| match invokable.kind {
            StatementKind::Call(call) if call.has_receiver() => {
                let effects = analysis.flows.effects(number);
                let is_quiet = effects.defines.is_empty()
                    && effects.static_defines.is_empty()
                    && effects.stores.is_empty();
                is_quiet.then_some(call.method)
            }
            _ => None,
        });
        let mut constant = Vec::new();
        if { analysis.invokables.iter() }.any(|one| one.scripted_stub().is_some()) {
            let roles = plan.roles.iter().zip(&analysis.invokables).enumerate();
            for (number, (role, invokable)) in roles {
                let effects = analysis.flows.effects(number);
                let is_constant = invokable.parameters.len() == 1
                    && effects.uses.is_empty()
                    && effects.static_uses.is_empty()
                    && effects.called.is_empty();
                constant.extend(role.under_test.filter(|_| is_constant));
            }
        }
        ScriptWriter {
            plan,
            analysed: methods.collect(),
            quiet: quiet.collect(),
            constant,
            called: called_directly(vm, &analysis.classes),
            class,
            invariant,
            step_limit,
            asserts_fields,
            reader: StructureReader::new(vm, class),
            signatures: FxHashMap::default(),
            makers: FxHashMap::default(),
            oracles,
            visited: None,
            pace: ObserverPace::default(),
            limits_behind: true,
            answers: None,
            unsteady: FxHashSet::default(),
            checked: FxHashMap::default(),
            asks_parts: false,
            inquiry: None,
            digests: Digests::new(vm),
            settings: Rc::new(SettingsBefore::read(vm)),
            failing: Vec::new(),
        }
    }

    /// Returns the class under test, for the suite.
    pub fn class_sig(&mut self, vm: &mut Vm) -> Arc<ClassSig> {
        self.reader.class_sig(vm, self.class)
    }

    /// Returns the statement that created the receiver of the call under test.
    pub(super) fn receiver(&self, last: &statements::Statement, number: usize) -> Option<usize> {
        match self.plan.invokables[last.invokable].kind {
            StatementKind::Call(call) if call.is_constructor() => Some(number),
            StatementKind::Call(call) if call.has_receiver() => match last.arguments.first() {
                Some(statements::StatementArgument::Result(place)) => Some(*place),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the objects that statements created.
    pub(super) fn objects(
        &self,
        ran: &ReplayedRun<'_, '_>,
        concrete: &Concrete,
    ) -> Vec<Option<Ref>> {
        let gives = |place: usize| {
            let gives = &self.plan.invokables[concrete.statements[place].invokable].result;
            let is_object = |gives: &String| Kind::of(gives) == Kind::Reference;
            gives.as_ref().is_some_and(is_object)
        };
        let places = 0..concrete.statements.len();
        let objects = places.map(|place| ran.search.object(place).filter(|_| gives(place)));
        objects.collect()
    }

    /// Returns the classes of the objects that statements of a run created, and the exceptions of
    /// all but the last.
    pub(super) fn held_by(
        &mut self,
        vm: &mut Vm,
        ran: &ReplayedRun<'_, '_>,
        objects: &[Option<Ref>],
    ) -> StatementResults {
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
        let thrown = thrown.collect();
        let (settings, irreversible) = match self.settings.changed(vm) {
            Ok(settings) => (settings, None),
            Err(reason) => (Vec::new(), Some(reason)),
        };
        StatementResults {
            made,
            thrown,
            asked: AskedMethods::default(),
            settings,
            irreversible,
        }
    }

    /// Returns the result of a call; an object that a statement created is referred to by that
    /// statement.
    pub(super) fn returned(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        kind: Kind,
        slot: u64,
    ) -> CallOutcome {
        let same = |object: &Option<Ref>| {
            object.is_some_and(|object| !object.is_null() && object.slot() == slot)
        };
        if kind == Kind::Reference
            && let Some(place) = objects.iter().position(same)
        {
            let value = self.library_value(vm, Ref::from_slot(slot));
            let same = Literal::Value(Written::Ref(place));
            return CallOutcome::Returned(value.unwrap_or(same));
        }
        returned(vm, &mut self.reader, &Snapshot::default(), kind, slot)
    }
}

/// First open value that is the same array as this one, or the same box if no cache makes a literal of it
/// the same.
pub(super) fn first_of_box(input: &RunInput, value: usize) -> usize {
    let InputValue::Object(number) = input.roots[value].1 else {
        return value;
    };
    let object = &input.objects[number];
    let is_shared = match boxed(object) {
        Some((Kind::Boolean, _)) => false,
        Some((Kind::Float | Kind::Double, _)) => true,
        Some((Kind::Long, slot)) => !CACHED_BOXES.contains(&(slot as i64)),
        Some((_, slot)) => !CACHED_BOXES.contains(&i64::from(slot as i32)),
        None => matches!(object.contents, Contents::Elements(_)),
    };
    let is_same = |root: &(String, InputValue)| root.1 == InputValue::Object(number);
    let first = input.roots[..value].iter().position(is_same);
    first.filter(|_| is_shared).unwrap_or(value)
}

/// Returns the open values that are used more than once, ascending.
pub(super) fn shared(concrete: &Concrete) -> Vec<usize> {
    let arguments = concrete
        .statements
        .iter()
        .flat_map(|statement| &statement.arguments);
    let again = arguments.filter_map(|argument| match argument {
        statements::StatementArgument::Repeated(value) => Some(*value),
        _ => None,
    });
    let mut again: BTreeSet<usize> = again.collect();
    let roots = 0..concrete.input.roots.len();
    let same = roots.map(|value| (first_of_box(&concrete.input, value), value));
    again.extend(
        same.filter(|(first, value)| first != value)
            .map(|(first, _)| first),
    );
    again.into_iter().collect()
}
