//! Members of classes that tests may call, and the names by which users select them.

use heapwright_jvm::class::{Method, flags};
use heapwright_jvm::classpath::is_of_jdk;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, MethodId, Vm, descriptor};
use regex::Regex;
use serde::{Deserialize, Serialize};

use super::{CallKind, MethodCall};
use crate::Error;
use crate::target::{INVARIANT_NAMES, methods, needs_outer};

/// Result of Korat's finitization methods, which are not part of an API.
const FINITIZATION: &str = ")Lkorat/finitization/IFinitization;";

/// Method that is not called, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// The method with its parameter types: `merge(fixtures.Missing)`.
    pub method: String,
    /// Reason.
    pub reason: String,
}

/// Returns the constructors and methods of a class that source code can call and that `is_visible`
/// accepts, including inherited and default ones. Methods of `Object` and generated methods are
/// excluded.
fn members(vm: &Vm, class: ClassId, is_visible: impl Fn(&Method) -> bool) -> Vec<MethodCall> {
    let is_abstract = vm.class(class).is_abstract();
    let all = methods(vm, class)
        .into_iter()
        .map(|method| MethodCall::of(vm, class, method));
    all.filter(|call| {
        let this = vm.method(call.method);
        let is_own = this.class == class;
        let is_of_class = match call.kind {
            CallKind::Constructor => is_own && !is_abstract,
            // Static methods of interfaces are not inherited (JLS §8.4.8).
            CallKind::Static => is_own || !vm.class(this.class).is_interface(),
            CallKind::Instance => true,
        };
        let is_generated = this.flags & (flags::SYNTHETIC | flags::BRIDGE) != 0;
        let name = vm.text(this.name);
        let is_generated = is_generated || !is_own && is_specialization(name);
        is_of_class && !is_generated && name != "<clinit>" && is_visible(this)
    })
    .collect()
}

/// Whether a method is a variant for primitives that the compiler of Scala adds to a class:
/// `apply$mcII$sp`. A class that inherits it often has no code for it, and does not accept its types.
fn is_specialization(name: &str) -> bool {
    name.ends_with("$sp") && name.contains("$mc")
}

/// Whether all types of a descriptor are there: the compiler refuses calls of members that name a class
/// which the class path lacks, as libraries have them for others that are optional.
fn has_its_types(vm: &Vm, descriptor: &str) -> bool {
    let (parameters, result) = descriptor::split_method(descriptor).unwrap_or_default();
    let types = parameters.into_iter().chain([result]);
    let elements = types.map(|one| one.trim_start_matches('['));
    let mut names = elements
        .filter(|one| Kind::of(one) == Kind::Reference)
        .map(descriptor::class_name);
    names
        .all(|name| is_of_jdk(name) || vm.loaded_class(name).is_some() || vm.class_path().has(name))
}

/// Returns the first declared member of a class that is not called since it names a class which the class
/// path lacks.
pub(crate) fn without_its_types(vm: &Vm, class: ClassId) -> Option<MethodId> {
    let mut own = vm.class(class).methods.iter().copied();
    own.find(|&method| {
        let this = vm.method(method);
        this.flags & flags::SYNTHETIC == 0 && !has_its_types(vm, vm.text(this.descriptor))
    })
}

/// Returns the members of a class that sequences call. Invariants and finitizations are excluded.
pub(crate) fn callables(
    vm: &Vm,
    class: ClassId,
    is_visible: impl Fn(&Method) -> bool,
) -> Vec<MethodCall> {
    let is_abstract = vm.class(class).is_abstract();
    let mut calls = members(vm, class, is_visible);
    calls.retain(|call| {
        let this = vm.method(call.method);
        let (name, descriptor) = (vm.text(this.name), vm.text(this.descriptor));
        let is_invariant = INVARIANT_NAMES.contains(&name) && descriptor == "()Z";
        // An abstract method of a concrete class is an interface's `hashCode` or a similar method,
        // which `Object` implements.
        let is_of_object = this.is_abstract() && !is_abstract;
        let is_excluded = call.has_receiver() && (is_invariant || is_of_object);
        !is_excluded && !descriptor.ends_with(FINITIZATION) && has_its_types(vm, descriptor)
    });
    calls
}

/// Returns the methods of a class that run on its objects, of any access.
pub(crate) fn concrete_methods(vm: &Vm, class: ClassId) -> Vec<MethodId> {
    let calls = members(vm, class, |method| !method.is_abstract()).into_iter();
    let on_objects = calls.filter(|call| call.has_receiver());
    on_objects.map(|call| call.method).collect()
}

/// Returns the public instance methods that tests call. They are declared in, or inherited from,
/// classes of the program, and are neither compiler-generated nor invariants.
#[must_use]
pub fn methods_under_test(vm: &Vm, class: ClassId, invariant: Option<MethodId>) -> Vec<MethodId> {
    let mut methods = concrete_methods(vm, class);
    methods.retain(|&method| {
        let this = vm.method(method);
        Some(method) != invariant
            && is_public(this)
            && !INVARIANT_NAMES.contains(&vm.text(this.name))
            && vm.is_app_class(this.class)
    });
    methods
}

/// Returns the methods that tests call: those of [`methods_under_test`] that selectors such as
/// `remove` or `remove(int)` name, or all.
///
/// # Errors
/// A selector matches no method.
pub(crate) fn selected_methods(
    vm: &Vm,
    class: ClassId,
    invariant: Option<MethodId>,
    selectors: &[String],
) -> Result<Vec<MethodId>, Error> {
    let all = methods_under_test(vm, class, invariant);
    match selectors.is_empty() {
        true => Ok(all),
        false => pick(vm, class, &all, all.len(), selectors),
    }
}

/// Returns the methods that selectors name, of those that run on an object of the class without
/// arguments and return a value.
///
/// # Errors
/// A selector matches no method.
pub(crate) fn selected_questions(
    vm: &Vm,
    class: ClassId,
    selectors: &[String],
) -> Result<Vec<MethodId>, Error> {
    let mut all = concrete_methods(vm, class);
    all.retain(|&method| {
        let descriptor = vm.text(vm.method(method).descriptor);
        descriptor.starts_with("()") && descriptor != "()V"
    });
    pick(vm, class, &all, all.len(), selectors)
}

/// Returns the static methods of a class and, unless it is abstract or inner, its constructors.
/// Private and compiler-generated methods and `main` are excluded.
#[must_use]
pub fn without_receiver(vm: &Vm, class: ClassId) -> Vec<MethodId> {
    let is_open = |method: &Method| method.class == class && method.flags & flags::PRIVATE == 0;
    let calls = members(vm, class, is_open).into_iter();
    let calls = calls.filter(|call| match call.kind {
        CallKind::Constructor => !needs_outer(vm, class),
        CallKind::Static => vm.text(vm.method(call.method).name) != "main",
        CallKind::Instance => false,
    });
    calls.map(|call| call.method).collect()
}

/// Whether a method is public.
pub(crate) fn is_public(method: &Method) -> bool {
    method.flags & flags::PUBLIC != 0
}

/// Returns name and parameter types of a method: `remove(int)`.
#[must_use]
pub fn name_of(vm: &Vm, method: MethodId) -> String {
    let this = vm.method(method);
    let parameters = descriptor::split_method(vm.text(this.descriptor))
        .map(|(parameters, _)| parameters)
        .unwrap_or_default();
    let parameters: Vec<String> = parameters.into_iter().map(descriptor::to_java).collect();
    let name = match vm.text(this.name) {
        "<init>" => vm.simple_name(this.class),
        name => name.to_owned(),
    };
    format!("{name}({})", parameters.join(","))
}

/// Selects those of the class's methods that selectors name, in the methods' order. An error
/// message lists the first `shown` of them.
///
/// # Errors
/// A selector matches no method.
pub(crate) fn pick(
    vm: &Vm,
    class: ClassId,
    callable: &[MethodId],
    shown: usize,
    selectors: &[String],
) -> Result<Vec<MethodId>, Error> {
    let mut selected = Vec::new();
    for selector in selectors {
        let wanted: String = selector.split_whitespace().collect();
        let fits = |method: &MethodId| {
            let name = name_of(vm, *method);
            let (simple, parameters) = name.split_once('(').unwrap_or((&name, ""));
            // A constructor is named like the class or as in the class file.
            [simple, vm.text(vm.method(*method).name)]
                .iter()
                .any(|name| wanted == *name || wanted == format!("{name}({parameters}"))
        };
        let before = selected.len();
        selected.extend(callable.iter().copied().filter(fits));
        if selected.len() == before {
            return Err(Error::MethodNotFound {
                class: vm.binary_name(class),
                what: "method",
                name: selector.clone(),
                candidates: callable[..shown]
                    .iter()
                    .map(|&method| name_of(vm, method))
                    .collect(),
            });
        }
    }
    selected.sort_by_key(|method| callable.iter().position(|other| other == method));
    selected.dedup();
    Ok(selected)
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

/// Returns an expression as it was given.
fn shown(expression: &Regex) -> String {
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

/// Filter of members by regular expressions for their names.
#[derive(Debug)]
pub(crate) struct MemberFilter<'a> {
    /// If not empty, only members that match one of these are accepted.
    include: &'a [Regex],
    /// Members that match one of these are not accepted.
    exclude: &'a [Regex],
    /// Whether each expression in `include` matched a member.
    matched: Vec<bool>,
}

impl<'a> MemberFilter<'a> {
    /// Creates a filter.
    pub fn new(include: &'a [Regex], exclude: &'a [Regex]) -> MemberFilter<'a> {
        MemberFilter {
            include,
            exclude,
            matched: vec![false; include.len()],
        }
    }

    /// Whether a member with these names is accepted.
    pub fn accepts(&mut self, names: &[String]) -> bool {
        let fits = |expression: &Regex| names.iter().any(|name| expression.is_match(name));
        if self.exclude.iter().any(fits) {
            return false;
        }
        let mut is_included = self.include.is_empty();
        for (expression, matched) in self.include.iter().zip(&mut self.matched) {
            let is_match = fits(expression);
            *matched |= is_match;
            is_included |= is_match;
        }
        is_included
    }

    /// Returns the text of the first expression in `include` that matched no member.
    pub fn unmatched(&self) -> Option<String> {
        let at = self.matched.iter().position(|matched| !matched)?;
        Some(shown(&self.include[at]))
    }
}
