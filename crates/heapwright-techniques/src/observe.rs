//! Calls the methods under test on a structure, and describes the outcomes.

use std::ops::AddAssign;
use std::sync::Arc;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{Choosing, ClassId, Exit, MethodId, Ref, Vm};
use heapwright_suite::{
    Body, CONSTRUCTOR, Call, CallOutcome, InvariantSig, Label, Literal, MethodSig, Object, Value,
};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::arguments::{Argument, Parameter, ValuePool, combinations, ranges, slots, ways};
use crate::bounds::Bounds;
use crate::contracts::Contracts;
use crate::findings::broken_contracts;
use crate::functional::is_stub;
use crate::invariant::Enumeration;
use crate::misuse::refuses;
use crate::packages::takes_tests;
use crate::parts::StopCheck;
use crate::read::{Snapshot, StructureReader, access, is_generic, value};
use crate::statements::{selected_methods, selected_questions};
use crate::target::{is_inner_of_interface, is_local, methods_like};

/// A method under test with the ranges of its parameters.
pub struct ObservedMethod {
    /// The method.
    pub method: MethodId,
    /// Its signature for tests.
    pub sig: Arc<MethodSig>,
    /// The ranges of its parameters.
    pub parameters: Vec<Parameter>,
}

/// Selection of the calls to make on structures.
#[derive(Clone, Copy, Debug, Default)]
pub struct ObservedCalls<'a> {
    /// Methods to call, by name or as `remove(int)`; all public ones if empty.
    pub methods: &'a [String],
    /// Methods without parameters that are called after each of these calls, on its receiver, to
    /// show the state that it left.
    pub then: &'a [String],
}

impl ObservedCalls<'_> {
    /// Finds the methods to call, and those to call afterwards.
    ///
    /// # Errors
    /// The class has no such method.
    pub fn find(
        self,
        vm: &Vm,
        class: ClassId,
        invariant: MethodId,
    ) -> Result<(Vec<MethodId>, Vec<MethodId>), Error> {
        let methods = selected_methods(vm, class, Some(invariant), self.methods)?;
        Ok((methods, selected_questions(vm, class, self.then)?))
    }
}

/// Maximum number of calls of one method on a structure; longer tests would be unreadable.
pub const MAX_CALLS: usize = 1 << 12;

/// Numbers of calls that are in no test.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallsLeftOut {
    /// Calls whose outcome no test can assert. They did not end, depended on identity hash codes or
    /// stack depth, or failed an assertion, which tests may disable.
    pub unanswered: u64,
    /// Calls not made because of [`MAX_CALLS`] for one method on one structure, saturating.
    pub too_many: u64,
}

impl AddAssign for CallsLeftOut {
    fn add_assign(&mut self, other: CallsLeftOut) {
        self.unanswered += other.unanswered;
        self.too_many = self.too_many.saturating_add(other.too_many);
    }
}

/// Calls methods on structures.
pub struct Observer {
    invariant: Option<MethodId>,
    methods: Vec<ObservedMethod>,
    /// Methods without parameters that are called after each call.
    then: Vec<ObservedMethod>,
    /// The contracts checked on structures besides the calls.
    contracts: Contracts,
    step_limit: u64,
    /// Tells when to stop making calls.
    stop: StopCheck,
    left_out: CallsLeftOut,
}

impl Observer {
    /// Creates an observer of selected calls on the structures of an enumeration. A call may execute
    /// `step_limit` instructions; no further call is made once `stop` returns true.
    ///
    /// # Errors
    /// A selected method is missing, or a parameter's class cannot be used.
    pub fn of_calls(
        vm: &mut Vm,
        enumeration: &Enumeration,
        calls: ObservedCalls<'_>,
        step_limit: u64,
        stop: StopCheck,
    ) -> Result<Observer, Error> {
        let (class, invariant) = (enumeration.class, enumeration.invariant);
        let (methods, then) = calls.find(vm, class, invariant)?;
        let bounds = &enumeration.bounds;
        let observer = Observer::new(vm, class, invariant, &methods, bounds, step_limit, stop)?;
        let then = then.into_iter().map(|method| ObservedMethod {
            method,
            sig: Arc::new(method_sig(vm, class, method)),
            parameters: Vec::new(),
        });
        Ok(Observer {
            then: then.collect(),
            ..observer
        })
    }

    /// Creates an observer of `methods`, with arguments from the bounds. A call may execute
    /// `step_limit` instructions; no further call is made once `stop` returns true.
    ///
    /// # Errors
    /// A parameter's class cannot be used.
    pub fn new(
        vm: &mut Vm,
        class: ClassId,
        invariant: MethodId,
        methods: &[MethodId],
        bounds: &Bounds,
        step_limit: u64,
        stop: StopCheck,
    ) -> Result<Observer, Error> {
        let reader = &mut StructureReader::new(vm, class);
        let pool = ValuePool::of_bounds(bounds);
        let mut prepared = Vec::new();
        for &method in methods {
            let parameters = Parameter::all_of(vm, reader, class, method, &pool)?;
            let sig = Arc::new(method_sig(vm, class, method));
            prepared.push(ObservedMethod {
                method,
                sig,
                parameters,
            });
        }
        Ok(Observer::of(Some(invariant), prepared, step_limit, stop))
    }

    /// Creates an observer of methods with given parameters. Without an invariant, all structures
    /// are valid.
    #[must_use]
    pub fn of(
        invariant: Option<MethodId>,
        methods: Vec<ObservedMethod>,
        step_limit: u64,
        stop: StopCheck,
    ) -> Observer {
        Observer {
            invariant,
            methods,
            then: Vec::new(),
            contracts: Contracts::default(),
            step_limit,
            stop,
            left_out: CallsLeftOut::default(),
        }
    }

    /// Adds contracts to check on structures; violated ones are reported as failing calls.
    #[must_use]
    pub fn asking(self, contracts: Contracts) -> Observer {
        Observer { contracts, ..self }
    }

    /// Returns the numbers of calls left out since the last call of this method.
    pub fn take_left_out(&mut self) -> CallsLeftOut {
        std::mem::take(&mut self.left_out)
    }

    /// Makes every call on the structure at `root`, each on its original state, since the machine
    /// undoes each call. Afterwards the machine's state is restored.
    pub fn observe(
        &mut self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        root: Ref,
        snapshot: &Snapshot,
    ) -> Vec<Call> {
        let mut calls = Vec::new();
        'methods: for index in 0..self.methods.len() {
            let ranges = ranges(vm, &self.methods[index].parameters, snapshot);
            let too_many = ways(&ranges).saturating_sub(MAX_CALLS as u64);
            self.left_out += CallsLeftOut {
                unanswered: 0,
                too_many,
            };
            for arguments in combinations(&ranges).take(MAX_CALLS) {
                if (self.stop)() {
                    break 'methods;
                }
                match self.call(vm, reader, root, snapshot, index, &arguments) {
                    Some(call) => calls.push(call),
                    None => self.left_out.unanswered += 1,
                }
            }
        }
        calls.extend(broken_contracts(vm, &self.contracts, root, self.step_limit));
        calls
    }

    fn call(
        &self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        root: Ref,
        snapshot: &Snapshot,
        index: usize,
        arguments: &[Argument],
    ) -> Option<Call> {
        let observed = run_deterministically(vm, |vm| {
            self.run_call(vm, reader, root, snapshot, index, arguments)
        });
        let (outcome, invariant_holds_after, then) = observed.ok()?;
        Some(Call {
            method: Arc::clone(&self.methods[index].sig),
            args: arguments
                .iter()
                .map(|argument| argument.literal.clone())
                .collect(),
            outcome,
            invariant_holds_after,
            then,
            label: Label::default(),
        })
    }

    fn run_call(
        &self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        root: Ref,
        snapshot: &Snapshot,
        index: usize,
        arguments: &[Argument],
    ) -> Result<(CallOutcome, bool, Vec<Call>), Obstacle> {
        let mut run = |vm: &mut Vm, called: &ObservedMethod, arguments: &[Argument]| {
            let slots = slots(root, &called.parameters, arguments);
            let selected = vm.select(vm.heap.class_of(root), called.method);
            let selected =
                selected.ok_or_else(|| Obstacle::Unended("there is no such method".into()))?;
            run(vm, reader, snapshot, selected, &slots, self.step_limit)
        };
        let outcome = run(vm, &self.methods[index], arguments)?;
        let holds = match self.invariant {
            Some(invariant) => holds(vm, invariant, root, self.step_limit)?,
            None => true,
        };
        let mut then = Vec::new();
        for question in &self.then {
            then.push(Call {
                method: Arc::clone(&question.sig),
                args: Vec::new(),
                outcome: run(vm, question, &[])?,
                invariant_holds_after: true,
                then: Vec::new(),
                label: Label::default(),
            });
        }
        Ok((outcome, holds, then))
    }
}

/// Reason why no test asserts the outcome of a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Obstacle {
    /// It fails an assertion.
    #[error("it fails an assertion, which tests may run without")]
    Assertion,
    /// The outcome differs with other identity hash codes.
    #[error("it depends on identity hash codes")]
    IdentityHashes,
    /// The outcome differs if threads run as soon as they are started.
    #[error("it depends on when the threads that it starts run")]
    Schedule,
    /// The outcome differs in another language.
    #[error("it depends on the machine's language")]
    Language,
    /// The outcome differs at another time.
    #[error("it depends on the clock")]
    Clock,
    /// It waits for the clock too long.
    #[error("it waits for more than two seconds")]
    Slow,
    /// A thread that it starts runs without end.
    #[error("a thread that it starts does not come to rest")]
    Restless,
    /// It is refused access to a package of the JDK, which an option or an agent of a JVM opens.
    #[error(
        "it depends on which packages of the JDK are open, which options and agents of a JVM change"
    )]
    Encapsulation,
    /// The outcome differs if equal boxes or strings are identical, as they are in source code.
    #[error("it depends on which of its equal boxes or strings are the same object")]
    Identity,
    /// The outcome differs with a deeper stack, or the code handled a stack overflow.
    #[error("it depends on how deep a stack is")]
    Depth,
    /// A string cannot be written in source code.
    #[error("a string of its input has half a surrogate pair")]
    HalfPair,
    /// A value cannot be written as an argument.
    #[error("an array of its input holds itself, or a string half a surrogate pair")]
    Unwritten,
    /// A record of its input cannot be created by its constructor.
    #[error("the constructor of a record does not take the components that its input has")]
    Record,
    /// A lambda of its input is more than an argument.
    #[error("a lambda of its input is in a field, or two arguments")]
    Lambda,
    /// It throws an undeclared exception of this class.
    #[error("it throws {0}, which is not declared")]
    Undeclared(String),
    /// It meets a null that nothing guards against.
    #[error("only a null that the code does not guard against leads there (--boilerplate)")]
    UnguardedNull,
    /// Its input is not valid.
    #[error("the invariant does not hold of its input")]
    Invalid,
    /// The outcome differs after another test that changes static state which cannot be restored;
    /// holds the reason.
    #[error("its outcome depends on static fields that other tests change: {0}")]
    Statics(String),
    /// It changes a setting of the virtual machine that no test can put back; holds the reason.
    #[error("{0}")]
    Settings(String),
    /// Time was over before it was written.
    #[error("no time was left to write it down")]
    Time,
    /// It neither returns nor throws; holds the reason.
    #[error("{0}")]
    Unended(String),
}

/// Offset of the alternative identity hash codes from the usual ones.
const OTHER_HASHES: u32 = 1_000_003;

/// Returns the outcome of a run if it depends neither on identity hash codes nor on stack depth.
/// The machine's state is restored.
pub(crate) fn run_deterministically<T: std::fmt::Debug>(
    vm: &mut Vm,
    mut run: impl FnMut(&mut Vm) -> Result<T, Obstacle>,
) -> Result<T, Obstacle> {
    let (observed, used_hashes) = with_hashes(vm, 0, &mut run)?;
    // A run that depends on identity hash codes differs with others.
    match used_hashes && !is_same(&with_hashes(vm, OTHER_HASHES, &mut run)?.0, &observed) {
        true => Err(Obstacle::IdentityHashes),
        false => Ok(observed),
    }
}

/// Returns the outcomes of a run as usual and elsewhere: with other identity hash codes, with threads
/// that run as soon as they are started, in another language and at another time. A run that itself
/// restores the machine's state leaves no trace of whether it used any.
pub(crate) fn twice<T>(
    vm: &mut Vm,
    mut run: impl FnMut(&mut Vm) -> Result<T, Obstacle>,
) -> Result<(T, T), Obstacle> {
    let (usual, _) = with_hashes(vm, 0, &mut run)?;
    vm.run_started_first(true);
    let other = with_hashes(vm, OTHER_HASHES, &mut |vm| {
        speak(vm, OTHER_LANGUAGE);
        vm.pass_time(OTHER_TIME);
        run(vm)
    });
    vm.run_started_first(false);
    Ok((usual, other?.0))
}

/// Returns the outcome of a run in another language.
pub(crate) fn in_other_language<T>(vm: &mut Vm, run: impl FnOnce(&mut Vm) -> T) -> T {
    vm.with_mark(|vm| {
        speak(vm, OTHER_LANGUAGE);
        run(vm)
    })
}

/// Returns the outcome of a run at another time.
pub(crate) fn at_other_time<T>(vm: &mut Vm, run: impl FnOnce(&mut Vm) -> T) -> T {
    vm.with_mark(|vm| {
        vm.pass_time(OTHER_TIME);
        run(vm)
    })
}

/// Nanoseconds between a run and one at another time: six years and some of every smaller unit.
const OTHER_TIME: u64 = 203_456_789_012_345_678;

/// Language whose letters have other capitals, whose numbers other signs, and whose names are others.
const OTHER_LANGUAGE: &str = "tr-TR";

/// Makes a language, given by its tag, the default one of programs.
fn speak(vm: &mut Vm, tag: &str) {
    let Some(class) = vm.loaded_class("java/util/Locale") else {
        return;
    };
    let of_tag = "(Ljava/lang/String;)Ljava/util/Locale;";
    let of_tag = vm.declared_method(class, "forLanguageTag", of_tag);
    let make_default = vm.declared_method(class, "setDefault", "(Ljava/util/Locale;)V");
    let (Some(of_tag), Some(make_default)) = (of_tag, make_default) else {
        return;
    };
    vm.limit_steps(u64::MAX);
    // A language that cannot be set makes both runs alike.
    if let Ok(text) = vm.new_string(tag)
        && let Ok(locale) = vm.call_fully(of_tag, &[text.slot()])
    {
        let _ = vm.call_fully(make_default, &[locale]);
    }
}

/// Returns the outcome of a run with identity hash codes shifted by `offset`, on a machine of another
/// kind unless that is 0, and whether it used any or read the bits of a NaN.
fn with_hashes<T>(
    vm: &mut Vm,
    offset: u32,
    run: &mut impl FnMut(&mut Vm) -> Result<T, Obstacle>,
) -> Result<(T, bool), Obstacle> {
    let overflows = vm.caught_overflows();
    let (observed, used_hashes) = vm.with_mark(|vm| {
        vm.skip_identity_hashes(offset);
        vm.shift_class_hashes(offset);
        if offset != 0 {
            vm.read_nans_without_sign();
            reverse_immutable_collections(vm);
        }
        let given = |vm: &Vm| {
            (
                vm.identity_hashes(),
                vm.class_hashes_asked(),
                vm.nan_bits_asked(),
            )
        };
        let before = given(vm);
        let observed = run(vm);
        (observed, given(vm) != before)
    });
    match vm.caught_overflows() == overflows {
        true => observed.map(|observed| (observed, used_hashes)),
        false => Err(Obstacle::Depth),
    }
}

/// Reverses the order of the elements of `Set.of` and `Map.of`, which each JVM chooses at random.
fn reverse_immutable_collections(vm: &mut Vm) {
    let class = vm.loaded_class("java/util/ImmutableCollections");
    let field = class.and_then(|class| vm.find_field(class, "REVERSE"));
    let Some(word) = field.map(|field| field.word) else {
        return;
    };
    let is_reversed = vm.heap.load(word);
    vm.heap.store(word, is_reversed ^ 1);
}

/// Whether two outcomes are equal; NaN equals itself here.
pub(crate) fn is_same<T: std::fmt::Debug>(one: &T, other: &T) -> bool {
    text_of(one) == text_of(other)
}

/// Returns a text that two outcomes share exactly if they are the same.
pub(crate) fn text_of<T: std::fmt::Debug>(outcome: &T) -> String {
    format!("{outcome:?}")
}

/// Returns the outcome of a call.
pub(crate) fn run(
    vm: &mut Vm,
    reader: &mut StructureReader,
    snapshot: &Snapshot,
    method: MethodId,
    slots: &[u64],
    step_limit: u64,
) -> Result<CallOutcome, Obstacle> {
    match exit(vm, method, slots, step_limit) {
        Exit::Done(slot) => {
            let kind = vm.method(method).result;
            Ok(returned(vm, reader, snapshot, kind, slot))
        }
        Exit::Threw(exception) => {
            let class = vm.heap.class_of(exception);
            if vm.class_name(class) == "java/lang/AssertionError" {
                return Err(Obstacle::Assertion);
            }
            let refuses = refuses(vm, exception);
            let class = reader.class_sig(vm, class);
            Ok(CallOutcome::Threw { class, refuses })
        }
        exit => Err(unended(vm, &exit)),
    }
}

/// Returns whether the invariant holds for an object.
pub(crate) fn holds(
    vm: &mut Vm,
    invariant: MethodId,
    object: Ref,
    step_limit: u64,
) -> Result<bool, Obstacle> {
    match exit(vm, invariant, &[object.slot()], step_limit) {
        Exit::Done(answer) => Ok(answer != 0),
        exit => Err(unended(vm, &exit)),
    }
}

pub(crate) fn exit(vm: &mut Vm, method: MethodId, slots: &[u64], step_limit: u64) -> Exit {
    vm.limit_steps(step_limit);
    match vm.call(method, slots) {
        Ok(()) => vm.run(&mut Choosing),
        Err(exit) => exit,
    }
}

fn unended(vm: &mut Vm, exit: &Exit) -> Obstacle {
    let text = vm.exit_text(exit);
    vm.abandon();
    // The first line of an exception's trace suffices.
    Obstacle::Unended(text.lines().next().unwrap_or_default().to_owned())
}

/// Returns the outcome of a call that returned.
pub(crate) fn returned(
    vm: &mut Vm,
    reader: &mut StructureReader,
    snapshot: &Snapshot,
    kind: Kind,
    slot: u64,
) -> CallOutcome {
    match kind {
        Kind::Void => return CallOutcome::ReturnedVoid,
        Kind::Reference => {}
        kind => return CallOutcome::Returned(Literal::Value(value(kind, slot, |_| Value::Null))),
    }
    let object = Ref::from_slot(slot);
    if object.is_null() {
        return CallOutcome::Returned(Literal::Value(Value::Null));
    }
    if let Some(literal) = text_or_box(vm, object) {
        return CallOutcome::Returned(literal);
    }
    let constant = |object: &Object| match &object.body {
        Body::EnumConstant(name) => Some(CallOutcome::Returned(Literal::EnumConstant {
            class: Arc::clone(&object.class),
            name: name.clone(),
        })),
        _ => None,
    };
    if let Some(&number) = snapshot.numbers.get(&object) {
        if let Some(constant) = constant(&snapshot.structure.objects[number]) {
            return constant;
        }
        return CallOutcome::Returned(Literal::Value(Value::Ref(number)));
    }
    let read = reader.read(vm, object).structure;
    constant(&read.objects[0]).unwrap_or_else(|| {
        let class = vm.heap.class_of(object);
        // Names of lambdas and library classes vary between JVMs, those of anonymous classes with
        // the code around them.
        let is_named = vm.is_app_class(class) && !is_stub(vm, class) && !is_local(vm, class);
        let class = is_named.then(|| vm.binary_name(class));
        CallOutcome::ReturnedObject { class }
    })
}

/// Returns a string or a box as a literal; `None` for other objects.
pub(crate) fn text_or_box(vm: &Vm, object: Ref) -> Option<Literal> {
    if vm.class_name(vm.heap.class_of(object)) == "java/lang/String" {
        let text = vm.string_text(object);
        // Source code cannot contain text with unpaired surrogates.
        let is_whole = text.encode_utf16().eq(vm.string_units(object));
        return is_whole.then_some(Literal::String(text));
    }
    let (kind, slot) = vm.unboxed(object)?;
    Some(Literal::Boxed(value(kind, slot, |_| Value::Null)))
}

/// Returns an invariant's signature for tests.
pub(crate) fn invariant_sig(vm: &Vm, invariant: MethodId) -> InvariantSig {
    let this = vm.method(invariant);
    InvariantSig {
        declaring_class: vm.binary_name(this.class),
        name: vm.text(this.name).to_owned(),
        access: access(this.flags),
    }
}

/// Whether the class of a method declares another one that differs only in its return type. Bridges
/// do not count, since they call the method itself.
fn has_twin(vm: &Vm, method: MethodId) -> bool {
    let this = vm.method(method);
    let is_bridge = |method: MethodId| vm.method(method).flags & flags::BRIDGE != 0;
    let parameters = |method: MethodId| {
        let descriptor = vm.text(vm.method(method).descriptor);
        descriptor
            .rsplit_once(')')
            .map(|(parameters, _)| parameters)
    };
    let mut others = vm.class(this.class).methods.iter().copied();
    !is_bridge(method)
        && others.any(|other| {
            other != method
                && vm.method(other).name == this.name
                && !is_bridge(other)
                && parameters(other) == parameters(method)
        })
}

/// Whether a class has another method with the name and number of parameters of this one.
pub(crate) fn is_overloaded(vm: &Vm, class: ClassId, method: MethodId) -> bool {
    let name = vm.method(method).name;
    let parameters = |method: MethodId| {
        descriptor::split_method(vm.text(vm.method(method).descriptor))
            .map_or(0, |(parameters, _)| parameters.len())
    };
    methods_like(vm, class, &|other| other.name == name)
        .into_iter()
        .any(|other| other != method && parameters(other) == parameters(method))
}

pub(crate) fn method_sig(vm: &Vm, class: ClassId, method: MethodId) -> MethodSig {
    let this = vm.method(method);
    let exceptions = vm.class(this.class).file.as_ref().and_then(|file| {
        let info = file.info.methods.get(this.index? as usize)?;
        Some(
            info.exceptions
                .iter()
                .map(|&name| vm.text(name).replace('/', "."))
                .collect(),
        )
    });
    let parameters: Option<Vec<String>> = vm.parameter_names(method).into_iter().collect();
    // An inherited method of a generic class may have narrower parameter types than its erasure. If
    // the class itself is generic, its raw type inherits erased methods.
    let declared_generic = vm
        .class(this.class)
        .file
        .as_ref()
        .and_then(|file| file.info.signature)
        .is_some_and(|signature| vm.text(signature).starts_with('<'));
    MethodSig {
        declaring_class: vm.binary_name(this.class),
        name: vm.text(this.name).to_owned(),
        descriptor: vm.text(this.descriptor).to_owned(),
        is_static: this.is_static() || vm.text(this.name) == CONSTRUCTOR,
        is_accessible: this.flags & flags::PRIVATE == 0
            && !(vm.text(this.name) == CONSTRUCTOR && is_inner_of_interface(vm, this.class))
            && (this.flags & flags::PUBLIC != 0 || takes_tests(vm, class))
            && vm.is_published(class, method)
            && (this.class == class || !declared_generic || is_generic(vm, class)),
        is_overloaded: is_overloaded(vm, class, method),
        has_twin: has_twin(vm, method),
        exceptions: exceptions.unwrap_or_default(),
        parameters: parameters.unwrap_or_default(),
    }
}
