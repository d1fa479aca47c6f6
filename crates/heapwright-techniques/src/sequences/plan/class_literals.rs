//! Class literals as arguments: `Tick.class` for a parameter of type `Class`.
//!
//! Invariant: the compiler accepts each literal for every parameter to which it is offered,
//! whatever the other arguments.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_explore::symbolic::Alternative;
use heapwright_jvm::listing::ListedOperation;
use heapwright_jvm::{ClassId, Vm, descriptor};

use crate::functional::literal_class;
use crate::packages::TestPackage;
use crate::read::is_generic;
use crate::sequences::analysis::static_analysis::Analysis;
use crate::sequences::callables::lambda_stubs::declared;
use crate::signatures::{Signature, Type};
use crate::statements::Invokable;
use crate::statements::jdk_values::SAMPLE_ENUM;
use crate::symbolic::ClassUniverse;
use crate::target::find_class;

/// The descriptor of `java.lang.Class`.
const CLASS: &str = "Ljava/lang/Class;";
/// Maximum number of program classes offered.
const MAX_OWN: usize = 4;
/// Classes of the JDK that are offered.
const OF_LIBRARY: [&str; 2] = ["java.lang.String", "java.lang.Object"];

/// The literals, and the parameters that may take them.
#[derive(Debug, Default)]
pub(super) struct ClassLiterals {
    /// Literals for parameters of methods.
    classes: Vec<ClassId>,
    /// Pairs of an invokable and the position of a parameter.
    places: BTreeSet<(usize, usize)>,
    /// Places that take one literal, each with the type of its inputs, which range over that literal
    /// only, and the class: of collections of an enum's constants that enum, of others, where further
    /// arguments have to be objects of the class, the bound of these.
    single: BTreeMap<(usize, usize), (ClassId, ClassId)>,
}

impl ClassLiterals {
    /// Collects the literals for an analysis: classes named in the code under test, classes of the
    /// system, `String` and `Object`.
    pub fn of(vm: &mut Vm, analysis: &Analysis) -> ClassLiterals {
        let mut literals = ClassLiterals::default();
        let mut places = BTreeSet::new();
        let mut bounds = Vec::new();
        let package = TestPackage::of(vm, analysis.classes[0]);
        for (number, invokable) in analysis.invokables.iter().enumerate() {
            for (place, taken) in invokable.parameters.iter().enumerate() {
                if taken.descriptor != CLASS || taken.is_receiver {
                    continue;
                }
                if let Some(constants) = invokable.contents.first() {
                    let constants = vm
                        .load_class(descriptor::class_name(&constants.descriptor))
                        .ok();
                    let input = constants.and_then(|of| Some((literal_class(vm, of)?, of)));
                    literals
                        .single
                        .extend(input.map(|input| ((number, place), input)));
                } else if let Some(bound) = bound(vm, invokable, place) {
                    places.insert((number, place));
                    bounds.push(bound);
                } else if let Some(bound) = shared_bound(vm, invokable, place)
                    && package.names(vm, bound)
                    && let Some(input) = literal_class(vm, bound)
                {
                    literals.single.insert((number, place), (input, bound));
                }
            }
        }
        if places.is_empty() {
            return literals;
        }
        let mut own = named(vm, analysis);
        own.extend(&analysis.classes);
        own.retain(|&class| {
            let file = vm.class(class).file.as_ref();
            vm.is_app_class(class)
                && file.is_some_and(|file| file.info.enclosing.is_none())
                && package.names(vm, class)
                && !is_generic(vm, class)
        });
        let library = OF_LIBRARY.iter();
        let library: Vec<ClassId> = library.flat_map(|name| find_class(vm, name)).collect();
        let fits = |class: &ClassId| bounds.iter().all(|&bound| vm.is_subclass(*class, bound));
        let mut seen = BTreeSet::new();
        own.retain(|class| seen.insert(class.0) && fits(class));
        own.truncate(MAX_OWN);
        own.extend(library.into_iter().filter(|class| fits(class)));
        if own.is_empty() {
            let sample = vm.load_class(SAMPLE_ENUM).into_iter();
            let fits = |class: &ClassId| bounds.iter().all(|&bound| vm.is_subclass(*class, bound));
            own.extend(sample.filter(fits));
        }
        if !own.is_empty() {
            literals.classes = own;
            literals.places = places;
        }
        literals
    }

    /// Whether a parameter of an invokable can take a literal.
    pub fn are_for(&self, invokable: usize, place: usize) -> bool {
        let place = (invokable, place);
        self.places.contains(&place) || self.single.contains_key(&place)
    }

    /// Returns the type of inputs for a parameter, if it is not the declared one.
    pub fn input_type(&self, invokable: usize, place: usize) -> Option<ClassId> {
        let (input, _) = self.single.get(&(invokable, place))?;
        Some(*input)
    }

    /// Lets inputs be these literals.
    pub fn offer(&self, vm: &mut Vm, classes: &mut ClassUniverse) {
        for &(input, of) in self.single.values() {
            classes.offer(input, vec![Alternative::Known(vm.class(of).mirror)]);
        }
        let mirrors = self.classes.iter().map(|&class| vm.class(class).mirror);
        let known = mirrors.map(Alternative::Known).collect();
        if !self.classes.is_empty()
            && let Ok(class) = find_class(vm, "java.lang.Class")
        {
            classes.offer(class, known);
        }
    }
}

/// Returns the upper bound of a parameter's classes; `None` if it depends on other arguments.
fn bound(vm: &mut Vm, invokable: &Invokable, place: usize) -> Option<ClassId> {
    let (declared, variables) = declared(vm, invokable, place);
    let Type::Class(_, arguments) = declared else {
        return None;
    };
    let erased = match &arguments[..] {
        [] | [Type::Any] => Type::Any.erased(&variables),
        [Type::Extends(bound)] if !has_variable(bound) => bound.erased(&variables),
        [Type::Variable(name)] if is_alone(vm, invokable, name) => {
            Type::Variable(name.clone()).erased(&variables)
        }
        _ => return None,
    };
    let name = descriptor::class_name(&erased);
    vm.load_class(name).ok()
}

/// Returns the bound of a parameter's class where other arguments have to be objects of that class, if
/// it has a literal.
fn shared_bound(vm: &mut Vm, invokable: &Invokable, place: usize) -> Option<ClassId> {
    let (declared, variables) = declared(vm, invokable, place);
    let Type::Class(_, arguments) = declared else {
        return None;
    };
    let [Type::Variable(_)] = &arguments[..] else {
        return None;
    };
    let erased = arguments[0].erased(&variables);
    let bound = vm.load_class(descriptor::class_name(&erased)).ok()?;
    (!is_generic(vm, bound)).then_some(bound)
}

/// Whether a type variable belongs to the method and no other parameter mentions it.
fn is_alone(vm: &Vm, invokable: &Invokable, name: &str) -> bool {
    let Some(method) = invokable.kind.method() else {
        return false;
    };
    let signature = Signature::of(vm, method);
    let mentions = |one: &&Type| mentions(one, name);
    signature.own.iter().any(|own| own.0 == name)
        && signature.parameters.iter().filter(mentions).count() == 1
}

fn has_variable(one: &Type) -> bool {
    any_variable(one, &mut |_| true)
}

fn mentions(one: &Type, name: &str) -> bool {
    any_variable(one, &mut |variable| variable == name)
}

fn any_variable(one: &Type, is: &mut dyn FnMut(&str) -> bool) -> bool {
    match one {
        Type::Variable(name) => is(name),
        Type::Class(_, arguments) => arguments.iter().any(|argument| any_variable(argument, is)),
        Type::Array(inner) | Type::Extends(inner) | Type::Super(inner) => any_variable(inner, is),
        Type::Primitive(_) | Type::Any => false,
    }
}

/// Returns the classes whose literals occur in the code of the class under test.
fn named(vm: &mut Vm, analysis: &Analysis) -> Vec<ClassId> {
    let methods = vm.class(analysis.classes[0]).methods.clone();
    let mut named = Vec::new();
    for method in methods {
        let Ok(listing) = vm.listing(method) else {
            continue;
        };
        for listed in &listing.instructions {
            if let ListedOperation::Constant(constant) = &listed.step
                && let Some(name) = constant.strip_suffix(".class")
            {
                named.extend(find_class(vm, name));
            }
        }
    }
    named
}
