//! Test cases from inputs: each input is created on the machine and read as a structure, and the
//! method is run on it to observe the outcome.
//!
//! Objects in source code are not always distinct: equal boxes of small numbers and equal string
//! literals are the same object, in the class under test too. The inputs of a path are all
//! distinct. A call with boxes or strings is therefore run both ways, and is in no test if the
//! outcomes differ.

use std::sync::Arc;

use heapwright_explore::symbolic::Receiver;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, Exit, MethodId, Ref, Vm};
use heapwright_suite::{Call, CallOutcome, Case, Label, Literal, MethodSig, Suite};
use heapwright_suite::{Structure, Value as Written};
use rustc_hash::FxHashMap;

use super::Target;
use super::input::{CLASS, Contents, CreatedInput, InputValue, RunInput, RunObject, make_with};
use crate::Error;
use crate::contracts::Contracts;
use crate::findings::broken_contracts;
use crate::functional::{LambdaStub, comparator, is_stub};
use crate::hidden_names;
use crate::observe::{
    Obstacle, exit, holds, invariant_sig, is_overloaded, is_same, method_sig, run,
    run_deterministically,
};
use crate::read::{Snapshot, StructureReader, canonical_constructor, value};
use crate::target::find_class;

/// Builder of test cases from inputs of a class's methods.
pub struct InputCases {
    class: ClassId,
    invariant: Option<MethodId>,
    contracts: Contracts,
    step_limit: u64,
    reader: StructureReader,
    methods: FxHashMap<MethodId, Arc<MethodSig>>,
}

impl InputCases {
    /// Creates a builder for a class under test, with an invariant if its inputs satisfy one. A
    /// call takes at most `step_limit` instructions.
    #[must_use]
    pub fn new(
        vm: &Vm,
        class: ClassId,
        invariant: Option<MethodId>,
        step_limit: u64,
    ) -> InputCases {
        InputCases {
            class,
            invariant,
            contracts: Contracts::default(),
            step_limit,
            reader: StructureReader::new(vm, class),
            methods: FxHashMap::default(),
        }
    }

    /// Enables the check of contracts on receivers; calls that break one become failing tests.
    #[must_use]
    pub fn asking(self, contracts: Contracts) -> InputCases {
        InputCases { contracts, ..self }
    }

    /// Creates the case of an input: one call of the method with its outcome. The machine's state
    /// is restored afterwards.
    ///
    /// The receiver is the root of the structure, followed by the objects reachable from arguments
    /// alone. An argument that is an unshared string or box, or an enum constant, is a literal.
    ///
    /// # Errors
    /// A class no longer exists, or memory is exhausted. The inner error is the reason why no test
    /// asserts the outcome.
    pub fn case(
        &mut self,
        vm: &mut Vm,
        target: &Target,
        input: &RunInput,
        label: Label,
    ) -> Result<Result<Case, Obstacle>, Error> {
        if input.objects.iter().any(has_half_pair) {
            return Ok(Err(Obstacle::HalfPair));
        }
        vm.limit_steps(u64::MAX);
        let observed = vm.with_mark(|vm| self.observe(vm, target, input));
        vm.limit_steps(u64::MAX);
        Ok(observed?.map(|observed| {
            let call = Call {
                method: self.method(vm, target.method()),
                args: observed.args,
                outcome: observed.outcome,
                invariant_holds_after: observed.holds,
                then: Vec::new(),
                label,
            };
            Case {
                input: observed.structure,
                construction: None,
                calls: std::iter::once(call).chain(observed.broken).collect(),
            }
        }))
    }

    /// Creates the case of an input with a call whose outcome is known, and not observed again. The
    /// machine's state is restored afterwards.
    ///
    /// # Errors
    /// Same as [`InputCases::case`].
    pub fn case_with(
        &mut self,
        vm: &mut Vm,
        target: &Target,
        input: &RunInput,
        (label, outcome): (Label, CallOutcome),
    ) -> Result<Result<Case, Obstacle>, Error> {
        if input.objects.iter().any(has_half_pair) {
            return Ok(Err(Obstacle::HalfPair));
        }
        let described = vm.with_mark(|vm| self.described(vm, target, input));
        Ok(described?.map(|described| Case {
            calls: vec![Call {
                method: self.method(vm, target.method()),
                args: described.args(),
                outcome,
                invariant_holds_after: true,
                then: Vec::new(),
                label,
            }],
            input: described.snapshot.structure,
            construction: None,
        }))
    }

    /// Creates the suite of these cases.
    pub fn suite(&mut self, vm: &mut Vm, cases: Vec<Case>) -> Suite {
        Suite {
            class_under_test: self.reader.class_sig(vm, self.class),
            invariant: self.invariant.map(|invariant| invariant_sig(vm, invariant)),
            cases,
            scripts: Vec::new(),
            hides: hidden_names(vm, self.class),
            resets: Vec::new(),
            uses_deprecated: vm.mentions(self.class, "Ljava/lang/Deprecated;"),
        }
    }

    /// Creates an input on the machine and reads it.
    fn described(
        &mut self,
        vm: &mut Vm,
        target: &Target,
        input: &RunInput,
    ) -> Result<Result<DescribedInput, Obstacle>, Error> {
        let apart = make_with(vm, input, &vec![None; input.objects.len()])?;
        if !apart
            .objects
            .iter()
            .all(|&object| self.can_be_made(vm, object))
        {
            return Ok(Err(Obstacle::Record));
        }
        let arguments = self.arguments(vm, target, input, &apart)?;
        vm.limit_steps(u64::MAX);
        let snapshot = self.reader.read_all(vm, &arguments.roots);
        if (snapshot.numbers.keys()).any(|&object| is_stub(vm, vm.heap.class_of(object))) {
            return Ok(Err(Obstacle::Lambda));
        }
        Ok(Ok(DescribedInput {
            made: apart,
            arguments,
            snapshot,
        }))
    }

    fn observe(
        &mut self,
        vm: &mut Vm,
        target: &Target,
        input: &RunInput,
    ) -> Result<Result<ObservedOutcome, Obstacle>, Error> {
        let described = match self.described(vm, target, input)? {
            Ok(described) => described,
            Err(obstacle) => return Ok(Err(obstacle)),
        };
        let (apart, snapshot) = (&described.made, &described.snapshot);
        let broken = match target.entry.receiver {
            Receiver::Open(_) => {
                let receiver = Ref::from_slot(apart.slots[0]);
                broken_contracts(vm, &self.contracts, receiver, self.step_limit)
            }
            _ => Vec::new(),
        };
        vm.limit_steps(u64::MAX);
        let observed = self.call(vm, target, &apart.slots, snapshot);
        vm.limit_steps(u64::MAX);
        let known = as_written(vm, input)?;
        if known.iter().any(Option::is_some) {
            let written = make_with(vm, input, &known)?;
            let again = Snapshot {
                numbers: renumbered(snapshot, &apart.objects, &written.objects),
                structure: snapshot.structure.clone(),
            };
            if !is_same(&self.call(vm, target, &written.slots, &again), &observed) {
                return Ok(Err(Obstacle::Identity));
            }
        }
        Ok(observed.map(|(outcome, holds)| ObservedOutcome {
            args: described.args(),
            structure: described.snapshot.structure,
            outcome,
            holds,
            broken,
        }))
    }

    /// Calls the method and undoes its effects.
    fn call(
        &mut self,
        vm: &mut Vm,
        target: &Target,
        slots: &[u64],
        snapshot: &Snapshot,
    ) -> Result<(CallOutcome, bool), Obstacle> {
        let called = target.call_on(vm, slots);
        let full = |_| Obstacle::Unended("no memory is left for an object".to_owned());
        let (method, slots) = called.map_err(full)?;
        let is_open = matches!(target.entry.receiver, Receiver::Open(_));
        let mut judged = is_open.then(|| Ref::from_slot(slots[0]));
        // A test asserts the invariant of the root, if that is the receiver or of the class under
        // test.
        let root = snapshot.numbers.iter().find(|(_, number)| **number == 0);
        let root = root.map(|(&root, _)| root);
        judged = judged.or(root.filter(|&root| vm.heap.class_of(root) == self.class));
        let judged = self.invariant.zip(judged);
        let (reader, step_limit) = (&mut self.reader, self.step_limit);
        let holds = |vm: &mut Vm| match judged {
            Some((invariant, object)) => holds(vm, invariant, object, step_limit),
            None => Ok(true),
        };
        if !vm.with_mark(holds)? {
            return Err(Obstacle::Invalid);
        }
        run_deterministically(vm, |vm| {
            let outcome = run(vm, reader, snapshot, method, &slots, step_limit)?;
            Ok((outcome, holds(vm)?))
        })
    }

    /// Whether an object, if it is a record, equals the result of its canonical constructor on its
    /// components.
    fn can_be_made(&self, vm: &mut Vm, object: Ref) -> bool {
        let class = vm.heap.class_of(object);
        let Some(constructor) = canonical_constructor(vm, class) else {
            return true;
        };
        let words = vm.class(class).instance_words;
        let Ok(made) = vm.heap.allocate(class, words, false) else {
            return false;
        };
        let fields = vm.class(class).fields.iter();
        let fields = fields.filter(|field| !field.is_static());
        let fields: Vec<(u32, u16)> = fields
            .map(|field| (field.word, field.kind.words()))
            .collect();
        let mut slots = vec![made.slot()];
        for &(word, words) in &fields {
            slots.push(vm.heap.field(object, word));
            slots.extend((1..words).map(|_| 0));
        }
        let exit = exit(vm, constructor, &slots, self.step_limit);
        vm.abandon();
        let mut fields = fields.into_iter();
        matches!(exit, Exit::Done(_))
            && fields.all(|(word, _)| vm.heap.field(object, word) == vm.heap.field(made, word))
    }

    /// Objects to be read, receiver first, and the arguments as literals or object numbers.
    fn arguments(
        &mut self,
        vm: &mut Vm,
        target: &Target,
        input: &RunInput,
        made: &CreatedInput,
    ) -> Result<Arguments, Error> {
        let mut arguments = Arguments::default();
        let mut places = made.slots.iter();
        let mut is_receiver = matches!(target.entry.receiver, Receiver::Open(_));
        for (_, argument) in &input.roots {
            let slot = places.next().copied().unwrap_or_default();
            if matches!(
                argument,
                InputValue::Primitive(Kind::Long | Kind::Double, _)
            ) {
                places.next();
            }
            if std::mem::take(&mut is_receiver) {
                arguments.roots.push(Ref::from_slot(slot));
                continue;
            }
            let literal = self.literal(vm, target, input, argument)?;
            arguments.literals.push(literal.ok_or_else(|| {
                let object = Ref::from_slot(slot);
                arguments.roots.push(object);
                object
            }));
        }
        Ok(arguments)
    }

    /// Literal for an argument that needs no object of the structure.
    fn literal(
        &mut self,
        vm: &mut Vm,
        target: &Target,
        input: &RunInput,
        argument: &InputValue,
    ) -> Result<Option<Literal>, Error> {
        if let InputValue::Constant(class, name) = argument
            && let Some(method) = comparator(class, name)
        {
            let class = find_class(vm, "java.util.Comparator")?;
            return Ok(Some(Literal::Factory {
                class: self.reader.class_sig(vm, class),
                method: method.to_owned(),
                is_raw: is_overloaded(vm, self.class, target.method()),
                of: None,
            }));
        }
        let number = match plain(vm, &mut self.reader, argument)? {
            Ok(literal) => return Ok(Some(literal)),
            Err(number) => number,
        };
        if input.shared()[number] {
            return Ok(None);
        }
        let object = &input.objects[number];
        Ok(match (&object.contents, boxed(object)) {
            (_, Some((kind, slot))) => Some(Literal::Boxed(written(kind, slot))),
            (Contents::Fields(fields), None) => {
                let class = find_class(vm, &object.class)?;
                let Some(stub) = LambdaStub::of(vm, class) else {
                    return Ok(None);
                };
                let answer =
                    stub.answer(fields, |(.., held)| self.literal(vm, target, input, held))?;
                let Some(answer) = answer else {
                    return Ok(None);
                };
                let is_raw = is_overloaded(vm, self.class, target.method());
                stub.literal(vm, &mut self.reader, answer, is_raw)
            }
            (Contents::Text(units), None) => {
                let same = |other: &&RunObject| other.contents == object.contents;
                let is_alone = input.objects.iter().filter(same).count() == 1;
                is_alone.then(|| Literal::String(String::from_utf16_lossy(units)))
            }
            _ => None,
        })
    }

    fn method(&mut self, vm: &Vm, method: MethodId) -> Arc<MethodSig> {
        let class = self.class;
        let sig = self.methods.entry(method);
        Arc::clone(sig.or_insert_with(|| Arc::new(method_sig(vm, class, method))))
    }
}

/// Literal for a value as in source code, or the number of an object.
///
/// # Errors
/// The class of a constant no longer exists.
pub(crate) fn plain(
    vm: &mut Vm,
    reader: &mut StructureReader,
    value: &InputValue,
) -> Result<Result<Literal, usize>, Error> {
    Ok(match value {
        InputValue::Primitive(kind, slot) => Ok(Literal::Value(written(*kind, *slot))),
        InputValue::Null => Ok(Literal::Value(Written::Null)),
        InputValue::Constant(class, name) => {
            let class = find_class(vm, class)?;
            let (class, name) = (reader.class_sig(vm, class), name.clone());
            Ok(match &name[..] {
                CLASS => Literal::Class(class),
                _ => Literal::EnumConstant { class, name },
            })
        }
        InputValue::Object(number) => Err(*number),
    })
}

/// Outcome of a call on an input.
struct ObservedOutcome {
    structure: Structure,
    args: Vec<Literal>,
    outcome: CallOutcome,
    holds: bool,
    /// Calls of the contracts that the receiver breaks.
    broken: Vec<Call>,
}

/// Input as a test makes it.
struct DescribedInput {
    made: CreatedInput,
    arguments: Arguments,
    snapshot: Snapshot,
}

impl DescribedInput {
    fn args(&self) -> Vec<Literal> {
        let literals = self.arguments.literals.iter();
        let args = literals.map(|literal| match literal {
            Ok(literal) => literal.clone(),
            Err(object) => Literal::Value(Written::Ref(self.snapshot.numbers[object])),
        });
        args.collect()
    }
}

#[derive(Default)]
struct Arguments {
    roots: Vec<Ref>,
    literals: Vec<Result<Literal, Ref>>,
}

/// Object numbers for a second creation of an input.
fn renumbered(snapshot: &Snapshot, before: &[Ref], now: &[Ref]) -> FxHashMap<Ref, usize> {
    let mut numbers = snapshot.numbers.clone();
    numbers.retain(|object, _| !before.contains(object));
    for (before, &now) in before.iter().zip(now) {
        if let Some(&number) = snapshot.numbers.get(before) {
            numbers.insert(now, number);
        }
    }
    numbers
}

pub(crate) fn written(kind: Kind, slot: u64) -> Written {
    value(kind, slot, |_| Written::Null)
}

fn has_half_pair(object: &RunObject) -> bool {
    match &object.contents {
        Contents::Text(units) => String::from_utf16(units).is_err(),
        _ => false,
    }
}

/// Primitive value in a box.
pub(crate) fn boxed(object: &RunObject) -> Option<(Kind, u64)> {
    let kind = Kind::of_box(&object.class.replace('.', "/"))?;
    match &object.contents {
        Contents::Fields(fields) => fields.iter().find_map(|(_, name, value)| match value {
            InputValue::Primitive(_, slot) if name == "value" => Some((kind, *slot)),
            _ => None,
        }),
        _ => None,
    }
}

/// Boxes and strings of an input as in source code: the results of `valueOf`, and literals.
pub(crate) fn as_written(vm: &mut Vm, input: &RunInput) -> Result<Vec<Option<Ref>>, Error> {
    let objects = input.objects.iter().map(|object| {
        let boxed = boxed(object).map(|(kind, slot)| vm.boxed(kind, slot));
        match &object.contents {
            Contents::Text(units) => vm
                .interned_literal(units)
                .map(Some)
                .map_err(|_| Error::Bounds("no memory is left for strings".to_owned())),
            _ => boxed.transpose().map_err(Error::Bounds),
        }
    });
    objects.collect()
}
