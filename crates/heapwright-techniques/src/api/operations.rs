//! Operations: the public constructors and methods of the classes in play, with the values of each
//! parameter.

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Vm};
use regex::Regex;

use super::values::Literals;
use crate::observe::is_overloaded;
use crate::signatures::Signature;
use crate::statements::{
    MemberFilter, MethodCall, Skipped, callables, is_public, method_name, names_of, short_name,
};
use crate::{Error, target};

/// Most combinations of an operation's arguments that are not structures.
const MAX_WAYS: u64 = 1 << 24;

/// Source of an argument or of the receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OperandSource {
    /// The structures of this class and its subclasses.
    Structures(ClassId),
    /// These slots.
    Values(Vec<u64>),
}

/// Method with the sources of its receiver and parameters. A parameter that can take both values
/// and structures makes two operations of a method.
#[derive(Clone, Debug)]
pub struct ApiOperation {
    /// Its calls, through a class in play.
    pub call: MethodCall,
    /// Receiver, if there is one, then the parameters; each with its first slot.
    pub sources: Vec<(OperandSource, usize)>,
    /// Number of slots of all arguments.
    pub slots: usize,
    /// Indices of the sources that are structures.
    pub structures: Vec<usize>,
    /// Number of combinations of the other arguments.
    pub ways: u64,
    /// Slots that are null or hold null, by first slot of their source.
    pub nulls: Vec<(usize, Vec<u64>)>,
    /// First slots of the sources with arrays or collections among their values.
    pub mutable: Vec<usize>,
    /// Whether a parameter is an integer; its value may then be out of range.
    pub takes_integers: bool,
    /// Whether the result is a reference.
    pub returns_object: bool,
}

/// Returns the operations of the classes in play whose methods match one of the expressions.
/// Without expressions, all methods match.
///
/// # Errors
/// A class cannot be used, or an expression matches nothing.
pub fn operations(
    vm: &mut Vm,
    classes: &[ClassId],
    expressions: &[Regex],
    literals: &mut Literals,
) -> Result<(Vec<ApiOperation>, Vec<Skipped>), Error> {
    let mut found: Vec<ApiOperation> = Vec::new();
    let mut skipped: Vec<Skipped> = Vec::new();
    let mut filter = MemberFilter::new(expressions, &[]);
    for (place, &class) in classes.iter().enumerate() {
        for call in callables(vm, class, is_public) {
            let declaring = vm.method(call.method).class;
            let mut names = names_of(vm, class, call.method);
            names.push(method_name(vm, declaring, call.method));
            if !filter.accepts(&names) {
                continue;
            }
            match variants(vm, classes, place, call, literals)? {
                Ok(variants) => {
                    for operation in variants {
                        if !found.iter().any(|other| other.is_same_as(&operation)) {
                            found.push(operation);
                        }
                    }
                }
                Err(reason) => skipped.push(Skipped {
                    method: short_name(vm, class, call.method),
                    reason,
                }),
            }
        }
    }
    if let Some(name) = filter.unmatched() {
        return Err(Error::MethodNotFound {
            class: vm.binary_name(classes[0]),
            what: "public constructor or method that fits",
            name,
            candidates: all_names(vm, classes),
        });
    }
    Ok((found, skipped))
}

fn all_names(vm: &Vm, classes: &[ClassId]) -> Vec<String> {
    classes
        .iter()
        .flat_map(|&class| {
            callables(vm, class, is_public)
                .into_iter()
                .map(move |call| short_name(vm, class, call.method))
        })
        .collect()
}

/// Returns the operations of a method, or the reason why there are none.
fn variants(
    vm: &mut Vm,
    classes: &[ClassId],
    place: usize,
    call: MethodCall,
    literals: &mut Literals,
) -> Result<Result<Vec<ApiOperation>, String>, Error> {
    let class = classes[place];
    let parameters = call.parameters(vm);
    let signature = Signature::of(vm, call.method);
    let is_overloaded = is_overloaded(vm, class, call.method);
    let mut alternatives: Vec<Vec<(OperandSource, u16)>> = Vec::new();
    if call.has_receiver() {
        alternatives.push(vec![(OperandSource::Structures(class), 1)]);
    }
    for (descriptor, declared) in parameters.iter().zip(&signature.parameters) {
        let words = Kind::of(descriptor).words();
        let mut sources = Vec::new();
        let values = literals.values(vm, declared, is_overloaded)?;
        if !values.is_empty() {
            sources.push((OperandSource::Values(values), words));
        }
        for &other in classes {
            if takes(vm, descriptor, other, other == class)? {
                sources.push((OperandSource::Structures(other), words));
            }
        }
        if sources.is_empty() {
            let name = descriptor::to_java(descriptor);
            return Ok(Err(format!("there are no values for its {name}")));
        }
        alternatives.push(sources);
    }
    let mut combinations: Vec<Vec<(OperandSource, u16)>> = vec![Vec::new()];
    for sources in alternatives {
        combinations = combinations
            .into_iter()
            .flat_map(|combination| {
                sources.iter().map(move |source| {
                    let mut longer = combination.clone();
                    longer.push(source.clone());
                    longer
                })
            })
            .collect();
    }
    let mut operations = Vec::new();
    for sources in combinations {
        match ApiOperation::new(vm, call, sources, literals) {
            Some(operation) => operations.push(operation),
            None => {
                return Ok(Err(format!(
                    "its parameters have more than {MAX_WAYS} combinations of values"
                )));
            }
        }
    }
    Ok(Ok(operations))
}

/// Whether a parameter takes structures of a class in play. One of type `Object` takes only those
/// of the other classes, so that no structure is nested in one of its own kind.
fn takes(vm: &mut Vm, descriptor: &str, class: ClassId, is_own: bool) -> Result<bool, Error> {
    if Kind::of(descriptor) != Kind::Reference || descriptor.starts_with('[') {
        return Ok(false);
    }
    if descriptor == "Ljava/lang/Object;" {
        return Ok(!is_own);
    }
    let name = descriptor::class_name(descriptor).replace('/', ".");
    let declared = target::find_class(vm, &name)?;
    Ok(vm.is_subclass(class, declared))
}

/// Whether a parameter is an integer.
pub(super) fn is_integer(descriptor: &str) -> bool {
    matches!(
        Kind::of(descriptor),
        Kind::Byte | Kind::Char | Kind::Short | Kind::Int | Kind::Long
    )
}

impl ApiOperation {
    fn new(
        vm: &Vm,
        call: MethodCall,
        sources: Vec<(OperandSource, u16)>,
        literals: &Literals,
    ) -> Option<ApiOperation> {
        let mut at = usize::from(call.is_constructor());
        let mut placed = Vec::new();
        for (source, words) in sources {
            placed.push((source, at));
            at += words as usize;
        }
        let mut operation = ApiOperation {
            call,
            sources: placed,
            slots: at,
            structures: Vec::new(),
            ways: 1,
            nulls: Vec::new(),
            mutable: Vec::new(),
            takes_integers: false,
            returns_object: vm.method(call.method).result == Kind::Reference,
        };
        let parameters = call.parameters(vm);
        operation.takes_integers = parameters.iter().any(|text| is_integer(text));
        let first = usize::from(call.has_receiver());
        for (index, (source, at)) in operation.sources.iter().enumerate() {
            match source {
                OperandSource::Structures(_) => operation.structures.push(index),
                OperandSource::Values(values) => {
                    operation.ways = operation.ways.checked_mul(values.len() as u64)?;
                    let is_reference = parameters
                        .get(index - first)
                        .is_some_and(|descriptor| Kind::of(descriptor) == Kind::Reference);
                    let nulls = values.iter().copied();
                    let nulls = nulls.filter(|&slot| is_reference && literals.is_null(slot));
                    let nulls: Vec<u64> = nulls.collect();
                    if !nulls.is_empty() {
                        operation.nulls.push((*at, nulls));
                    }
                    let is_mutable = |slot| literals.mutable.contains_key(slot);
                    if is_reference && values.iter().any(is_mutable) {
                        operation.mutable.push(*at);
                    }
                }
            }
        }
        (operation.ways <= MAX_WAYS).then_some(operation)
    }

    fn is_same_as(&self, other: &ApiOperation) -> bool {
        self.call.method == other.call.method && self.sources == other.sources
    }

    /// Puts the arguments that are not structures into their slots, for one of their combinations.
    /// The last parameter changes fastest. Returns whether one of the arguments is null.
    pub fn fill(&self, way: u64, slots: &mut [u64]) -> bool {
        let mut rest = way;
        for (source, at) in self.sources.iter().rev() {
            if let OperandSource::Values(values) = source {
                let count = values.len() as u64;
                slots[*at] = values[(rest % count) as usize];
                rest /= count;
            }
        }
        let mut nulls = self.nulls.iter();
        nulls.any(|(at, nulls)| nulls.contains(&slots[*at]))
    }
}
