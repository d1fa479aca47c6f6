//! What is called: the methods, each with all its argument tuples.

use std::sync::Arc;

use heapwright_jvm::class::{Loader, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use heapwright_suite::{Literal, MethodSig, Value};

use super::against::Twin;
use crate::arguments::{Argument, Parameter, fixed_tuples, slots, tuples};
use crate::bounds::Bounds;
use crate::observe::method_sig;
use crate::read::{Snapshot, StructureReader};
use crate::{Error, target};

/// Most argument tuples of one method: more would be made before the first call.
const MAX_TUPLES: usize = 1 << 18;

/// A method under test.
pub(super) struct Operation {
    pub method: MethodId,
    /// With its parameters, as in `remove(int)`.
    pub name: String,
    pub sig: Arc<MethodSig>,
    /// The kinds of its parameters.
    pub kinds: Vec<Kind>,
    /// Its arguments.
    pub tuples: Tuples,
    /// The same for calls on cubes, where an integer may stand for all its values.
    pub open: Option<Tuples>,
    /// The exceptions of its `throws` clause.
    pub declared: Vec<ClassId>,
    /// The oracle that is asked after each call.
    pub oracle: Option<MethodId>,
    /// The method of another implementation that it is compared with.
    pub twin: Option<Twin>,
    /// The types of which null is the only value.
    pub null_only: Vec<String>,
}

/// What a method is called with.
pub(super) struct Tuples {
    parameters: Vec<Parameter>,
    /// The tuples, if they are the same on every structure.
    pub fixed: Option<Vec<Tuple>>,
    /// How many tuples each of them stands for.
    pub ways: u64,
}

/// One call's arguments.
pub(super) struct Tuple {
    /// As the engine takes them, the receiver first.
    pub slots: Vec<u64>,
    pub arguments: Vec<Argument>,
    pub has_null: bool,
}

/// A method that is not called, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The method: `merge(fixtures.Missing)`.
    pub method: String,
    /// Why.
    pub reason: String,
}

/// Name and parameters of a method: `remove(int)`.
pub(super) fn name_of(vm: &Vm, method: MethodId) -> String {
    let this = vm.method(method);
    let parameters = descriptor::split_method(vm.text(this.descriptor))
        .map(|(parameters, _)| parameters)
        .unwrap_or_default();
    let parameters: Vec<String> = parameters.into_iter().map(descriptor::to_java).collect();
    format!("{}({})", vm.text(this.name), parameters.join(","))
}

/// The methods to call: those that `selectors` name, `name` or `name(int,java.lang.String)`, else
/// all public instance methods.
///
/// # Errors
/// A selector fits no method.
pub(super) fn select(
    vm: &Vm,
    class: ClassId,
    invariant: MethodId,
    selectors: &[String],
) -> Result<Vec<MethodId>, Error> {
    if selectors.is_empty() {
        let all = target::methods_under_test(vm, class, invariant);
        return Ok(all.into_iter().map(|callable| callable.method).collect());
    }
    let callable: Vec<MethodId> = target::methods(vm, class)
        .into_iter()
        .filter(|&method| {
            let this = vm.method(method);
            let hidden = flags::STATIC | flags::ABSTRACT | flags::SYNTHETIC | flags::BRIDGE;
            method != invariant
                && this.flags & hidden == 0
                && !vm.text(this.name).starts_with('<')
                && vm.is_app_class(this.class)
        })
        .collect();
    let mut selected = Vec::new();
    for selector in selectors {
        let wanted: String = selector.split_whitespace().collect();
        let fits = |method: &MethodId| {
            let name = name_of(vm, *method);
            name == wanted || name.split('(').next() == Some(wanted.as_str())
        };
        let before = selected.len();
        selected.extend(callable.iter().copied().filter(fits));
        if selected.len() == before {
            return Err(Error::MethodNotFound {
                class: vm.binary_name(class),
                what: "instance method",
                name: selector.clone(),
                candidates: callable.iter().map(|&method| name_of(vm, method)).collect(),
            });
        }
    }
    selected.sort_by_key(|method| callable.iter().position(|other| other == method));
    selected.dedup();
    Ok(selected)
}

impl Operation {
    /// Whether calls are judged by the structure before them, too.
    pub fn needs_before(&self) -> bool {
        self.oracle.is_some() || self.twin.is_some()
    }

    /// A method with its arguments from the bounds, or why it cannot be called.
    pub fn prepare(
        vm: &mut Vm,
        reader: &mut StructureReader,
        class: ClassId,
        root: Ref,
        method: MethodId,
        bounds: &Bounds,
    ) -> Result<Operation, Skipped> {
        let name = name_of(vm, method);
        let skipped = |reason: String| Skipped {
            method: name.clone(),
            reason,
        };
        let text = vm.text(vm.method(method).descriptor).to_owned();
        let descriptors = descriptor::split_method(&text)
            .map(|(parameters, _)| parameters)
            .unwrap_or_default();
        let mut parameters = Vec::new();
        let mut null_only = Vec::new();
        let kinds = descriptors.iter().map(|text| Kind::of(text)).collect();
        for descriptor in descriptors {
            let parameter = Parameter::of(vm, reader, descriptor, bounds)
                .map_err(|error| skipped(error.to_string()))?;
            if has_null_alone(vm, &parameter) {
                null_only.push(descriptor::to_java(descriptor));
            }
            parameters.push(parameter);
        }
        let count = parameters.iter().try_fold(1usize, |count, parameter| {
            let values = match parameter {
                Parameter::Values { arguments, .. } => arguments.len(),
                Parameter::Objects(_) => 1,
            };
            count.checked_mul(values)
        });
        if count.is_none_or(|count| count > MAX_TUPLES) {
            return Err(skipped(format!(
                "its parameters have more than {MAX_TUPLES} combinations of values"
            )));
        }
        let sig = Arc::new(method_sig(vm, class, method));
        let declared = sig
            .exceptions
            .iter()
            .filter_map(|name| target::find_class(vm, name).ok())
            .collect();
        Ok(Operation {
            method,
            name,
            sig,
            kinds,
            tuples: Tuples::new(root, parameters),
            open: None,
            declared,
            oracle: None,
            twin: None,
            null_only,
        })
    }

    /// Gives each argument that is an integer the slot that `add` makes for its values, if it makes
    /// one; the second parameter of `add` says whether it is a long.
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
            ..Tuples::new(root, parameters)
        });
    }
}

impl Tuples {
    fn new(root: Ref, parameters: Vec<Parameter>) -> Tuples {
        let fixed = fixed_tuples(&parameters).map(|tuples| {
            let tuples = tuples.into_iter();
            tuples
                .map(|arguments| Tuple::new(root, &parameters, arguments))
                .collect()
        });
        Tuples {
            parameters,
            fixed,
            ways: 1,
        }
    }

    /// The tuples on a structure.
    pub fn on(&self, vm: &Vm, root: Ref, snapshot: &Snapshot) -> Vec<Tuple> {
        tuples(vm, &self.parameters, snapshot)
            .into_iter()
            .map(|arguments| Tuple::new(root, &self.parameters, arguments))
            .collect()
    }
}

impl Tuple {
    fn new(root: Ref, parameters: &[Parameter], arguments: Vec<Argument>) -> Tuple {
        Tuple {
            slots: slots(root, parameters, &arguments),
            has_null: arguments.iter().any(|argument| argument.literal == NULL),
            arguments,
        }
    }
}

fn is_integral(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Reference | Kind::Float | Kind::Double | Kind::Void
    )
}

const NULL: Literal = Literal::Value(Value::Null);

fn has_null_alone(vm: &Vm, parameter: &Parameter) -> bool {
    match parameter {
        Parameter::Values { arguments, .. } => arguments.iter().all(|value| value.literal == NULL),
        Parameter::Objects(class) => vm.class(*class).loader == Loader::Boot,
    }
}
