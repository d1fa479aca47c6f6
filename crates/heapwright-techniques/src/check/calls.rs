//! Operations under test: the methods, each with all its argument tuples.

use std::sync::Arc;

use heapwright_jvm::class::{Loader, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use heapwright_suite::{Literal, MethodSig, Structure, Value};

use super::against::CounterpartMethod;
use super::seconds::{GivenStructures, SECOND, SecondStructure};
use crate::arguments::{
    Argument, Parameter, ValuePool, combinations, fixed_tuples, null, ranges, slots,
};
use crate::bounds::Bounds;
use crate::contracts::{self, ContractCheck};
use crate::findings::is_null;
use crate::observe::method_sig;
use crate::read::{Snapshot, StructureReader};
use crate::statements::{
    CallKind, MethodCall, Skipped, concrete_methods, methods_under_test, name_of, pick,
    without_receiver,
};
use crate::{Error, target};

/// Most values of a parameter that are listed individually.
const MAX_SHOWN: usize = 16;

/// Most argument tuples of one method on a structure; all are made before the first call.
pub(super) const MAX_TUPLES: usize = 1 << 18;

/// Most arguments in all tuples of one method on a structure.
const MAX_ARGUMENTS: usize = 1 << 20;

/// Method under test.
pub(super) struct MethodUnderTest {
    /// Its calls.
    pub call: MethodCall,
    /// Name with parameter types, as in `remove(int)`.
    pub name: String,
    pub sig: Arc<MethodSig>,
    /// Whether it creates objects of the class under test, for which the invariant must hold.
    pub creates_objects: bool,
    /// Kinds of its parameters.
    pub kinds: Vec<Kind>,
    /// Argument tuples.
    pub tuples: Tuples,
    /// Argument tuples for calls on cubes, where an open integer represents all its values.
    pub open: Option<Tuples>,
    /// Exceptions of its `throws` clause.
    pub declared: Vec<ClassId>,
    /// Oracle that judges each call.
    pub oracle: Option<MethodId>,
    /// Method of the other implementation that it is compared with.
    pub twin: Option<CounterpartMethod>,
    /// Values of each parameter, for people.
    pub ranges: Vec<String>,
    /// Parameter types of which null is the only value.
    pub null_only: Vec<String>,
    /// Parameter types of whose objects only some are arguments, no bound naming the others.
    pub sampled: Vec<String>,
    /// Parameters of the class under test that can take a structure other than the receiver.
    pub second_places: Vec<usize>,
    /// Number of structures that these parameters are given.
    pub given: Option<GivenStructures>,
    /// Contract that its calls check, if any.
    pub asked: Option<ContractCheck>,
}

/// Argument tuples of a method.
pub(super) struct Tuples {
    kind: CallKind,
    parameters: Vec<Parameter>,
    /// The tuples, if they are the same on every structure.
    pub fixed: Option<Vec<Tuple>>,
    /// Number of concrete tuples that each tuple represents.
    pub ways: u64,
    /// Parameters that take second structures, and these structures; a call has one of them.
    seconds: (Vec<usize>, Arc<[SecondStructure]>),
}

/// Arguments of one call.
pub(super) struct Tuple {
    /// Slots as the engine takes them, the receiver first; for a constructor the structure is a
    /// placeholder there.
    pub slots: Vec<u64>,
    pub arguments: Vec<Argument>,
    pub has_null: bool,
    /// Second structure, and its position among the slots.
    pub second: Option<(usize, SecondStructure)>,
}

/// Selects the methods to call: those that `selectors` name, as `name` or
/// `name(int,java.lang.String)`. Without selectors, all public methods that involve objects of the
/// class.
///
/// # Errors
/// A selector matches no method.
pub(crate) fn select(
    vm: &Vm,
    class: ClassId,
    invariant: Option<MethodId>,
    selectors: &[String],
) -> Result<Vec<MethodId>, Error> {
    if selectors.is_empty() {
        let mut all = methods_under_test(vm, class, invariant);
        let others = without_receiver(vm, class).into_iter();
        all.extend(others.filter(|&method| concerns(vm, class, method)));
        return Ok(all);
    }
    let mut callable = concrete_methods(vm, class);
    callable
        .retain(|&method| Some(method) != invariant && vm.is_app_class(vm.method(method).class));
    let of_objects = callable.len();
    callable.extend(without_receiver(vm, class));
    pick(vm, class, &callable, of_objects, selectors)
}

/// Formats the values of a parameter: `null, "a", "b"`; of many values, the first ones and the
/// last.
fn range_text(vm: &Vm, parameter: &Parameter) -> String {
    let (values, of_structure) = match parameter {
        Parameter::Values { arguments, .. } => (&arguments[..], None),
        Parameter::Objects { class, made } => (&made[..], Some(vm.binary_name(*class))),
    };
    let shown = |argument: &Argument| Structure::default().shown(&argument.literal);
    let mut texts: Vec<String> = match values {
        [first @ .., last] if values.len() > MAX_SHOWN => {
            let first = first.iter().take(MAX_SHOWN - 1).map(shown);
            first.chain(["…".to_owned(), shown(last)]).collect()
        }
        values => values.iter().map(shown).collect(),
    };
    if let Some(class) = of_structure {
        texts.insert(0, "null".to_owned());
        texts.push(format!("objects of the structure that are {class}"));
    }
    texts.join(", ")
}

/// Whether a constructor or static method is called without being named. That holds for
/// constructors with parameters and for static methods that take or return objects of the class.
/// Many constructors without parameters leave the initialisation of fields to other code.
fn concerns(vm: &Vm, class: ClassId, method: MethodId) -> bool {
    let this = vm.method(method);
    let own = descriptor::of_class(vm.class_name(class));
    let text = vm.text(this.descriptor);
    let Some((parameters, result)) = descriptor::split_method(text) else {
        return false;
    };
    if this.flags & flags::PUBLIC == 0 {
        return false;
    }
    if this.is_static() {
        return result == own || parameters.contains(&own.as_str());
    }
    !parameters.is_empty()
}

impl MethodUnderTest {
    /// Whether it is called on a structure.
    pub fn has_receiver(&self) -> bool {
        self.call.has_receiver()
    }

    /// Whether its calls are independent of any structure.
    pub fn is_independent(&self) -> bool {
        !self.has_receiver() && self.tuples.fixed.is_some()
    }

    /// Whether the judgement of its calls also needs the structure before them.
    pub fn needs_before(&self) -> bool {
        self.oracle.is_some() || self.twin.is_some()
    }

    /// Whether each of its calls must be made individually.
    pub fn is_judged_alone(&self) -> bool {
        self.needs_before() || self.creates_objects || !self.second_places.is_empty()
    }

    /// Prepares a method with its arguments from the bounds. An error is the reason why it cannot
    /// be called.
    pub fn prepare(
        vm: &mut Vm,
        reader: &mut StructureReader,
        class: ClassId,
        root: Ref,
        method: MethodId,
        bounds: &Bounds,
    ) -> Result<MethodUnderTest, Skipped> {
        let name = name_of(vm, method);
        let skipped = |reason: String| Skipped {
            method: name.clone(),
            reason,
        };
        let call = MethodCall::of(vm, class, method);
        let descriptors = call.parameters(vm);
        let kinds = descriptors.iter().map(|text| Kind::of(text)).collect();
        let pool = ValuePool::of_bounds(bounds);
        let parameters = Parameter::all_of(vm, reader, class, method, &pool)
            .map_err(|error| skipped(error.to_string()))?;
        let sampled = descriptors.iter().zip(&parameters);
        let sampled = sampled.filter(|(_, parameter)| parameter.is_sampled());
        let sampled = sampled.map(|(text, _)| descriptor::to_java(text)).collect();
        let null_only = descriptors.iter().zip(&parameters);
        let null_only = null_only.filter(|(_, parameter)| has_null_alone(vm, class, parameter));
        let null_only = null_only
            .map(|(text, _)| descriptor::to_java(text))
            .collect();
        let count = parameters.iter().try_fold(1usize, |count, parameter| {
            count.checked_mul(parameter.most(vm, bounds))
        });
        let most = MAX_TUPLES.min(MAX_ARGUMENTS / parameters.len().max(1));
        if count.is_none_or(|count| count > most) {
            return Err(skipped(format!(
                "its parameters have more than {most} combinations of values"
            )));
        }
        let mut second_places: Vec<usize> = (0..parameters.len())
            .filter(|&place| takes_structures(vm, class, &parameters[place]))
            .collect();
        if !call.has_receiver() && second_places.len() == 1 {
            // The parameter ranges over all structures already.
            second_places.clear();
        }
        let own = descriptor::of_class(vm.class_name(class));
        let creates_objects = call.is_constructor()
            || call.kind == CallKind::Static
                && vm.text(vm.method(method).descriptor).ends_with(&own);
        let sig = Arc::new(method_sig(vm, class, method));
        let declared = sig
            .exceptions
            .iter()
            .filter_map(|name| target::find_class(vm, name).ok())
            .collect();
        Ok(MethodUnderTest {
            call,
            name,
            sig,
            creates_objects,
            kinds,
            ranges: parameters
                .iter()
                .map(|parameter| range_text(vm, parameter))
                .collect(),
            tuples: Tuples::new(call.kind, root, parameters),
            open: None,
            declared,
            oracle: None,
            twin: None,
            null_only,
            sampled,
            second_places,
            given: None,
            asked: None,
        })
    }

    /// Prepares calls that check a contract; returns `None` if no test could state it.
    pub fn asking(
        vm: &mut Vm,
        class: ClassId,
        root: Ref,
        asked: ContractCheck,
    ) -> Option<MethodUnderTest> {
        let sig = Arc::new(asked.stated_by(vm, class)?);
        let itself = Argument {
            slot: root.slot(),
            literal: Literal::Value(Value::Ref(0)),
        };
        let values = |arguments| Parameter::Values {
            arguments,
            wide: false,
        };
        let others = Parameter::Objects {
            class,
            made: Vec::new(),
        };
        let parameters = match asked.given() {
            contracts::ContractArgument::Nothing => Vec::new(),
            contracts::ContractArgument::Itself => vec![values(vec![itself])],
            contracts::ContractArgument::Null => vec![values(vec![null()])],
            contracts::ContractArgument::Other => vec![others],
        };
        Some(MethodUnderTest {
            call: MethodCall {
                kind: CallKind::Instance,
                class,
                method: asked.entry(),
            },
            name: name_of(vm, asked.method),
            sig,
            creates_objects: false,
            kinds: vec![Kind::Reference; parameters.len()],
            tuples: Tuples::new(CallKind::Instance, root, parameters),
            open: None,
            declared: Vec::new(),
            oracle: None,
            twin: None,
            ranges: Vec::new(),
            null_only: Vec::new(),
            sampled: Vec::new(),
            second_places: Vec::new(),
            given: None,
            asked: Some(asked),
        })
    }

    /// Whether its calls check a contract of two structures.
    pub fn checks_pair_contract(&self) -> bool {
        self.asked.is_some_and(|asked| asked.contract.is_of_two())
    }

    /// Whether its calls are made on each structure that the search finds.
    pub fn is_of_search(&self) -> bool {
        !self.is_independent() && !self.checks_pair_contract()
    }

    /// Sets the second structures for the parameters that take them.
    pub fn give_seconds(&mut self, root: Ref, seconds: Arc<[SecondStructure]>) {
        let parameters = std::mem::take(&mut self.tuples.parameters);
        let places = match self.checks_pair_contract() {
            true => vec![0],
            false => self.second_places.clone(),
        };
        self.tuples = Tuples {
            seconds: (places, seconds),
            ..Tuples::new(self.call.kind, root, parameters)
        };
    }

    /// Lower bound of the number of tuples on a structure for each second structure.
    pub fn tuples_a_second(&self) -> usize {
        let parameters = &self.tuples.parameters;
        let all: usize = parameters.iter().map(Parameter::least).product();
        let of_place = |&place: &usize| all / parameters[place].least();
        self.second_places.iter().map(of_place).sum()
    }

    /// Whether a parameter is an integer; its value may then be out of range.
    pub fn takes_integers(&self) -> bool {
        self.kinds.iter().any(|&kind| {
            matches!(
                kind,
                Kind::Byte | Kind::Char | Kind::Short | Kind::Int | Kind::Long
            )
        })
    }

    /// Replaces each integer argument by an open slot for all its values, if `add` makes one. The
    /// second parameter of `add` is whether it is a long.
    pub fn leave_open(&mut self, root: Ref, mut add: impl FnMut(&[i64], bool) -> Option<u64>) {
        let mut ways: u64 = 1;
        let mut open = |(parameter, kind): (&Parameter, &Kind)| match parameter {
            Parameter::Values { arguments, wide } if is_integral(*kind) => {
                let integer = |argument: &Argument| match kind {
                    Kind::Long => argument.slot as i64,
                    _ => i64::from(argument.slot as u32 as i32),
                };
                let values: Vec<i64> = arguments.iter().map(integer).collect();
                let slot = add(&values, *wide)?;
                ways = ways.saturating_mul(values.len() as u64);
                Some(Parameter::Values {
                    arguments: vec![Argument {
                        slot,
                        ..arguments[0].clone()
                    }],
                    wide: *wide,
                })
            }
            _ => None,
        };
        let parameters = self.tuples.parameters.iter().zip(&self.kinds);
        let parameters = parameters
            .map(|(parameter, kind)| open((parameter, kind)).unwrap_or_else(|| parameter.clone()))
            .collect();
        self.open = Some(Tuples {
            ways,
            ..Tuples::new(self.call.kind, root, parameters)
        });
    }
}

impl Tuples {
    fn new(kind: CallKind, root: Ref, parameters: Vec<Parameter>) -> Tuples {
        let fixed = fixed_tuples(&parameters).map(|tuples| {
            let tuples = tuples.into_iter();
            tuples
                .map(|arguments| Tuple::new(kind, root, &parameters, arguments))
                .collect()
        });
        Tuples {
            kind,
            parameters,
            fixed,
            ways: 1,
            seconds: (Vec::new(), Arc::new([])),
        }
    }

    /// Returns the tuples on a structure.
    pub fn on(&self, vm: &Vm, root: Ref, snapshot: &Snapshot) -> Vec<Tuple> {
        let mut ranges = ranges(vm, &self.parameters, snapshot);
        let tuple = |arguments| Tuple::new(self.kind, root, &self.parameters, arguments);
        let mut tuples: Vec<Tuple> = combinations(&ranges).map(tuple).collect();
        let (places, seconds) = &self.seconds;
        for &place in places {
            let wide =
                |parameter: &&Parameter| matches!(parameter, Parameter::Values { wide: true, .. });
            let before = place + self.parameters[..place].iter().filter(wide).count();
            let slot = before + usize::from(self.kind != CallKind::Static);
            let own = std::mem::take(&mut ranges[place]);
            for second in seconds.iter() {
                ranges[place] = vec![second.argument()];
                let further = combinations(&ranges).map(tuple);
                // Calls independent of the structure are made on other structures, too.
                let concerns = |tuple: &Tuple| self.kind == CallKind::Instance || tuple.takes_own();
                tuples.extend(further.filter(concerns).map(|tuple| Tuple {
                    second: Some((slot, *second)),
                    ..tuple
                }));
            }
            ranges[place] = own;
        }
        tuples
    }
}

impl Tuple {
    fn new(kind: CallKind, root: Ref, parameters: &[Parameter], arguments: Vec<Argument>) -> Tuple {
        let mut slots = slots(root, parameters, &arguments);
        if kind == CallKind::Static {
            slots.remove(0);
        }
        Tuple {
            slots,
            has_null: arguments.iter().any(|argument| is_null(&argument.literal)),
            arguments,
            second: None,
        }
    }
}

impl Tuple {
    /// Whether an argument is an object of the structure that the call is made on.
    fn takes_own(&self) -> bool {
        self.arguments.iter().any(|argument| {
            let number = match argument.literal {
                Literal::Value(Value::Ref(number)) => number,
                _ => return false,
            };
            number != SECOND
        })
    }
}

fn is_integral(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Reference | Kind::Float | Kind::Double | Kind::Void
    )
}

const NULL: Literal = Literal::Value(Value::Null);

/// Whether a parameter of a method of `class` is given only null, on any structure.
fn has_null_alone(vm: &Vm, class: ClassId, parameter: &Parameter) -> bool {
    match parameter {
        Parameter::Values { arguments, .. } => arguments.iter().all(|value| value.literal == NULL),
        Parameter::Objects {
            class: wanted,
            made,
        } => {
            made.is_empty()
                && vm.class(*wanted).loader == Loader::Boot
                && !vm.is_subclass(class, *wanted)
        }
    }
}

/// Whether a parameter takes structures of `class`.
fn takes_structures(vm: &Vm, class: ClassId, parameter: &Parameter) -> bool {
    matches!(parameter, Parameter::Objects { class: wanted, .. } if vm.is_subclass(class, *wanted))
}
