//! Operations: the public constructors and methods of the classes in play, with the values of each
//! parameter.

use heapwright_jvm::class::{Method, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};
use regex::Regex;

use super::values::Literals;
use crate::observe::is_overloaded;
use crate::signatures::Signature;
use crate::target::{INVARIANT_NAMES, methods};
use crate::{Error, target};

/// Most combinations of an operation's arguments that are not structures.
const MAX_WAYS: u64 = 1 << 24;

/// Result of Korat's finitization methods, which are not part of an API.
const FINITIZATION: &str = ")Lkorat/finitization/IFinitization;";

/// Form of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A constructor, on a new object of this class.
    Constructor(ClassId),
    /// A static method.
    Static,
    /// An instance method, on a structure.
    Instance,
}

/// Source of an argument or of the receiver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// The structures of this class and its subclasses.
    Structures(ClassId),
    /// These slots.
    Values(Vec<u64>),
}

/// Method with the sources of its receiver and parameters. A parameter that can take both values
/// and structures makes two operations of a method.
#[derive(Clone, Debug)]
pub struct Operation {
    /// Class in play to which the operation belongs.
    pub class: ClassId,
    /// The method, declared there or inherited.
    pub method: MethodId,
    /// Form of its calls.
    pub form: Form,
    /// Receiver, if there is one, then the parameters; each with its first slot.
    pub sources: Vec<(Source, usize)>,
    /// Number of slots of all arguments.
    pub slots: usize,
    /// Indices of the sources that are structures.
    pub structures: Vec<usize>,
    /// Number of combinations of the other arguments.
    pub ways: u64,
    /// Indices of the sources with null among their values.
    pub nulls: Vec<usize>,
    /// First slots of the sources with arrays or collections among their values.
    pub mutable: Vec<usize>,
    /// Whether a parameter is an integer; its value may then be out of range.
    pub takes_integers: bool,
    /// Whether the result is a reference.
    pub returns_object: bool,
}

/// Method that is excluded, with the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The method with its parameter types.
    pub method: String,
    /// Reason.
    pub reason: String,
}

/// Returns the text that regular expressions match: `a.B.<init>()`, `a.B.add(int)`. The class is
/// the declaring one or the one in play.
#[must_use]
pub fn method_name(vm: &Vm, class: ClassId, method: MethodId) -> String {
    let this = vm.method(method);
    let parameters = descriptor::split_method(vm.text(this.descriptor))
        .map(|(parameters, _)| parameters)
        .unwrap_or_default();
    let parameters: Vec<String> = parameters.into_iter().map(descriptor::to_java).collect();
    format!(
        "{}.{}({})",
        vm.binary_name(class),
        vm.text(this.name),
        parameters.join(",")
    )
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
) -> Result<(Vec<Operation>, Vec<Skipped>), Error> {
    let mut found: Vec<Operation> = Vec::new();
    let mut skipped: Vec<Skipped> = Vec::new();
    let mut fits = vec![false; expressions.len()];
    for (place, &class) in classes.iter().enumerate() {
        for (method, form) in callables(vm, class, is_public) {
            let this = vm.method(method).class;
            let mut names = names_of(vm, class, method);
            names.push(method_name(vm, this, method));
            let mut is_wanted = expressions.is_empty();
            for (expression, fits) in expressions.iter().zip(&mut fits) {
                let is_match = names.iter().any(|name| expression.is_match(name));
                *fits |= is_match;
                is_wanted |= is_match;
            }
            if !is_wanted {
                continue;
            }
            match variants(vm, classes, place, method, form, literals)? {
                Ok(variants) => {
                    for operation in variants {
                        if !found.iter().any(|other| other.is_same_as(&operation)) {
                            found.push(operation);
                        }
                    }
                }
                Err(reason) => skipped.push(Skipped {
                    method: short_name(vm, class, method),
                    reason,
                }),
            }
        }
    }
    if let Some(at) = fits.iter().position(|fits| !fits) {
        return Err(Error::MethodNotFound {
            class: vm.binary_name(classes[0]),
            what: "public constructor or method that fits",
            name: shown(&expressions[at]),
            candidates: all_names(vm, classes),
        });
    }
    Ok((found, skipped))
}

/// Returns an expression as it was given.
pub(crate) fn shown(expression: &Regex) -> String {
    let text = expression.as_str();
    let text = text.strip_prefix("^(?:").unwrap_or(text);
    text.strip_suffix(")$").unwrap_or(text).to_owned()
}

/// Compiles an expression that matches whole texts only.
///
/// # Errors
/// The text is not a regular expression.
pub fn expression(text: &str) -> Result<Regex, Error> {
    Regex::new(&format!("^(?:{text})$"))
        .map_err(|error| Error::Bounds(format!("{text:?} is no regular expression: {error}")))
}

fn all_names(vm: &Vm, classes: &[ClassId]) -> Vec<String> {
    classes
        .iter()
        .flat_map(|&class| {
            callables(vm, class, is_public)
                .into_iter()
                .map(move |(method, _)| short_name(vm, class, method))
        })
        .collect()
}

/// Returns the name of a method with its parameter types: `add(int)`, `<init>()`.
#[must_use]
pub fn short_name(vm: &Vm, class: ClassId, method: MethodId) -> String {
    let name = method_name(vm, class, method);
    let package = vm.binary_name(class).len() + 1;
    name[package..].to_owned()
}

/// Returns all names by which an expression can match a method: its name alone, with its parameter
/// types, with its class. A constructor is also matched by its class's name, as in the source.
pub(crate) fn names_of(vm: &Vm, class: ClassId, method: MethodId) -> Vec<String> {
    let name = vm.text(vm.method(method).name);
    let short = short_name(vm, class, method);
    let classes = [vm.binary_name(class), vm.simple_name(class)];
    let mut names = vec![name.to_owned(), short.clone()];
    for class in classes {
        names.push(format!("{class}.{short}"));
        if let Some(parameters) = short.strip_prefix("<init>") {
            names.push(format!("{class}{parameters}"));
            names.push(class);
        }
    }
    names
}

fn is_public(method: &Method) -> bool {
    method.flags & flags::PUBLIC != 0
}

/// Returns the visible constructors and methods of a class, including inherited and default ones.
/// Methods of `Object`, generated methods and invariants are excluded.
pub(crate) fn callables(
    vm: &Vm,
    class: ClassId,
    is_visible: impl Fn(&Method) -> bool,
) -> Vec<(MethodId, Form)> {
    let is_abstract = vm.class(class).is_abstract();
    methods(vm, class)
        .into_iter()
        .filter_map(|method| {
            let this = vm.method(method);
            let name = vm.text(this.name);
            let is_callable = is_visible(this)
                && this.flags & (flags::SYNTHETIC | flags::BRIDGE) == 0
                && name != "<clinit>"
                && !vm.text(this.descriptor).ends_with(FINITIZATION);
            let form = match name {
                "<init>" => {
                    (this.class == class && !is_abstract).then_some(Form::Constructor(class))
                }
                // Static methods of interfaces are not inherited (JLS §8.4.8).
                _ if this.is_static() => {
                    let is_inherited = this.class != class && vm.class(this.class).is_interface();
                    (!is_inherited).then_some(Form::Static)
                }
                _ => {
                    let is_invariant =
                        INVARIANT_NAMES.contains(&name) && vm.text(this.descriptor) == "()Z";
                    // An abstract method of a concrete class is an interface's `hashCode` or a
                    // similar method, which `Object` implements.
                    let is_of_object = this.is_abstract() && !is_abstract;
                    (!is_invariant && !is_of_object).then_some(Form::Instance)
                }
            };
            form.filter(|_| is_callable).map(|form| (method, form))
        })
        .collect()
}

/// Returns the operations of a method, or the reason why there are none.
fn variants(
    vm: &mut Vm,
    classes: &[ClassId],
    place: usize,
    method: MethodId,
    form: Form,
    literals: &mut Literals,
) -> Result<Result<Vec<Operation>, String>, Error> {
    let class = classes[place];
    let text = vm.text(vm.method(method).descriptor).to_owned();
    let (parameters, _) = descriptor::split_method(&text).unwrap_or_default();
    let signature = Signature::of(vm, method);
    let is_overloaded = is_overloaded(vm, class, method);
    let mut alternatives: Vec<Vec<(Source, u16)>> = Vec::new();
    if form == Form::Instance {
        alternatives.push(vec![(Source::Structures(class), 1)]);
    }
    for (descriptor, declared) in parameters.iter().zip(&signature.parameters) {
        let words = Kind::of(descriptor).words();
        let mut sources = Vec::new();
        let values = literals.values(vm, declared, is_overloaded)?;
        if !values.is_empty() {
            sources.push((Source::Values(values), words));
        }
        for &other in classes {
            if takes(vm, descriptor, other, other == class)? {
                sources.push((Source::Structures(other), words));
            }
        }
        if sources.is_empty() {
            let name = descriptor::to_java(descriptor);
            return Ok(Err(format!("there are no values for its {name}")));
        }
        alternatives.push(sources);
    }
    let mut combinations: Vec<Vec<(Source, u16)>> = vec![Vec::new()];
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
        match Operation::new(vm, class, method, form, sources, literals) {
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

impl Operation {
    fn new(
        vm: &Vm,
        class: ClassId,
        method: MethodId,
        form: Form,
        sources: Vec<(Source, u16)>,
        literals: &Literals,
    ) -> Option<Operation> {
        let this = vm.method(method);
        let mut at = usize::from(matches!(form, Form::Constructor(_)));
        let mut placed = Vec::new();
        for (source, words) in sources {
            placed.push((source, at));
            at += words as usize;
        }
        let mut operation = Operation {
            class,
            method,
            form,
            sources: placed,
            slots: at,
            structures: Vec::new(),
            ways: 1,
            nulls: Vec::new(),
            mutable: Vec::new(),
            takes_integers: false,
            returns_object: this.result == Kind::Reference,
        };
        let text = vm.text(this.descriptor);
        let (parameters, _) = descriptor::split_method(text).unwrap_or_default();
        operation.takes_integers = parameters.iter().copied().any(is_integer);
        let first = usize::from(form == Form::Instance);
        for (index, (source, at)) in operation.sources.iter().enumerate() {
            match source {
                Source::Structures(_) => operation.structures.push(index),
                Source::Values(values) => {
                    operation.ways = operation.ways.checked_mul(values.len() as u64)?;
                    let is_reference = parameters
                        .get(index - first)
                        .is_some_and(|descriptor| Kind::of(descriptor) == Kind::Reference);
                    if is_reference && values.contains(&0) {
                        operation.nulls.push(index);
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

    fn is_same_as(&self, other: &Operation) -> bool {
        self.method == other.method && self.form == other.form && self.sources == other.sources
    }

    /// Puts the arguments that are not structures into their slots, for one of their combinations.
    /// The last parameter changes fastest. Returns whether one of the arguments is null.
    pub fn fill(&self, way: u64, slots: &mut [u64]) -> bool {
        let mut rest = way;
        let mut has_null = false;
        for (index, (source, at)) in self.sources.iter().enumerate().rev() {
            if let Source::Values(values) = source {
                let count = values.len() as u64;
                slots[*at] = values[(rest % count) as usize];
                rest /= count;
                has_null |= slots[*at] == 0 && self.nulls.contains(&index);
            }
        }
        has_null
    }
}
