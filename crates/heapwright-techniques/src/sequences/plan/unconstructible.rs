//! Objects that no sequence can create, with reasons. They are found before anything runs, from
//! parameters and results of invokables.
//!
//! Invariant: no statement of the plan creates an object reported missing, whatever precedes it.

use std::collections::BTreeSet;

use heapwright_jvm::class::{Loader, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{ArgumentSource, SearchPlan};
use crate::statements::jdk_values::wrapper;
use crate::statements::{HeldType, ParameterSpec, StatementKind, name_of};

/// Returns a sentence for each class whose objects methods under test need and no sequence creates,
/// in the order of the methods.
pub fn missing(vm: &mut Vm, plan: &SearchPlan) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let mut sentences = Vec::new();
    for (number, place) in lacking(vm, plan, AssumedArguments::Null) {
        if plan.roles[number].under_test.is_none() {
            continue;
        }
        let taken = &plan.invokables[number].parameters[place];
        if let Ok(class) = vm.load_class(descriptor::class_name(&taken.descriptor))
            && seen.insert(class.0)
        {
            let reason = reason(vm, plan, class);
            let name = vm.binary_name(class);
            sentences.push(format!("no object of {name} can be made: {reason}"));
        }
    }
    sentences
}

/// Arguments with which a statement counts as creating its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sequences) enum AssumedArguments {
    /// Null, where a parameter accepts it.
    Null,
    /// Null as well, and a result declared as `Object` is no object of a subclass.
    Declared,
    /// Objects that other statements create.
    Objects,
}

/// Returns the parameters without an object, as invokables and positions; arrays are excluded. With
/// [`AssumedArguments::Objects`], these include parameters whose objects come only from statements
/// that would have to pass null.
pub(in crate::sequences) fn lacking(
    vm: &mut Vm,
    plan: &SearchPlan,
    assumed: AssumedArguments,
) -> Vec<(usize, usize)> {
    let given = GivenObjects::of(vm, plan, assumed);
    let mut lacking = Vec::new();
    let mut known: FxHashMap<&ArgumentSource, bool> = FxHashMap::default();
    for (number, invokable) in plan.invokables.iter().enumerate() {
        // Other statements return the hidden receivers as objects of another type.
        let first = usize::from(invokable.is_of_hidden());
        for (place, taken) in invokable.parameters.iter().enumerate().skip(first) {
            let taking = &plan.roles[number].takes[place];
            if takes_result(taken, taking)
                && !*known
                    .entry(taking)
                    .or_insert_with(|| given.has_one_for(vm, taking))
            {
                lacking.push((number, place));
            }
        }
    }
    lacking
}

/// Returns the first method under test of a class, as an invokable and its receiver's position,
/// that no declared result of a statement inherits. Results declared with a supertype may still be
/// receivers.
pub(in crate::sequences) fn undeclared_receiver(
    vm: &mut Vm,
    plan: &SearchPlan,
    class: ClassId,
) -> Option<(usize, usize)> {
    let own = descriptor::of_class(vm.class_name(class));
    let mut kin = |descriptor: &str| {
        let is_object = Kind::of(descriptor) == Kind::Reference;
        let found = is_object.then(|| vm.load_class(descriptor::class_name(descriptor)).ok())??;
        vm.is_subclass(found, class).then_some(found)
    };
    let mut given: Vec<ClassId> = Vec::new();
    for invokable in &plan.invokables {
        let mut receivers = invokable.parameters.iter().filter(|one| one.is_receiver);
        // What a receiver returns comes after it.
        let is_first = !receivers.any(|one| kin(&one.descriptor).is_some());
        if let Some(result) = invokable.result.as_deref().and_then(&mut kin)
            && is_first
            && !given.contains(&result)
        {
            given.push(result);
        }
    }
    let inherits = |given: ClassId, method: MethodId| {
        let this = vm.method(method);
        let (name, types) = (vm.text(this.name), vm.text(this.descriptor));
        let mut display = vm.class(given).display.iter().rev();
        let found = display.find_map(|&above| vm.declared_method(above, name, types));
        found.is_none_or(|found| found == method)
    };
    let mut tested = plan.roles.iter().enumerate();
    tested.find_map(|(number, role)| {
        let method = role.under_test?;
        let mut taken = plan.invokables[number].parameters.iter();
        let place = taken.position(|one| one.is_receiver && one.descriptor == own)?;
        let is_declared = given.iter().any(|&given| inherits(given, method));
        (!is_declared).then_some((number, place))
    })
}

/// Whether a parameter takes objects that statements create; arrays are excluded.
fn takes_result(taken: &ParameterSpec, taking: &ArgumentSource) -> bool {
    let is_object = Kind::of(&taken.descriptor) == Kind::Reference;
    is_object && !taking.is_open && !taken.descriptor.starts_with('[')
}

/// Objects that statements create, each by its class and its contents, once.
struct GivenObjects(Vec<(ClassId, Vec<HeldType>)>);

impl GivenObjects {
    /// Finds the objects that the statements of a plan create.
    fn of(vm: &mut Vm, plan: &SearchPlan, assumed: AssumedArguments) -> GivenObjects {
        let mut sources = NeededSources::default();
        let mut waiting: Vec<(usize, Vec<usize>)> = Vec::new();
        for (number, invokable) in plan.invokables.iter().enumerate() {
            let gives = invokable.result.as_deref();
            if gives.is_some_and(|gives| Kind::of(gives) == Kind::Reference) {
                let takes = invokable.parameters.iter().zip(&plan.roles[number].takes);
                let takes = takes.skip(usize::from(invokable.is_of_hidden()));
                let needed = takes.filter(|(taken, taking)| match assumed {
                    AssumedArguments::Null | AssumedArguments::Declared => taken.is_receiver,
                    AssumedArguments::Objects => takes_result(taken, taking),
                });
                let needed = needed.map(|(_, taking)| sources.number(taking));
                waiting.push((number, needed.collect()));
            }
        }
        let owners = plan.invokables.iter();
        let owners: BTreeSet<ClassId> = owners.filter_map(|one| owner(&one.kind)).collect();
        let mut given = GivenObjects(Vec::new());
        let mut seen: FxHashSet<(ClassId, Vec<HeldType>)> = FxHashSet::default();
        loop {
            let before = waiting.len();
            waiting.retain(|(number, needed)| {
                let mut needed = needed.iter();
                let is_ready = needed.all(|&source| sources.is_given(vm, source, &given));
                if is_ready {
                    for object in results(vm, plan, *number, &owners, assumed) {
                        if seen.insert(object.clone()) {
                            given.0.push(object);
                        }
                    }
                }
                !is_ready
            });
            if waiting.len() == before {
                return given;
            }
        }
    }

    /// Whether a source accepts one of them. An optional or the like that a method of the program
    /// returns may hold something else.
    fn has_one_for(&self, vm: &Vm, taking: &ArgumentSource) -> bool {
        let mut given = self.0.iter();
        given.any(|(class, contents)| {
            let holds = match wrapper(vm.class_name(*class)) {
                Some(_) => taking.contents == *contents,
                None => taking.may_hold(contents),
            };
            holds && taking.accepts(vm, *class)
        })
    }
}

/// Returns the objects that a statement may create: of the declared class of its result, and of its
/// subclasses among the `owners` of members.
fn results(
    vm: &mut Vm,
    plan: &SearchPlan,
    number: usize,
    owners: &BTreeSet<ClassId>,
    assumed: AssumedArguments,
) -> Vec<(ClassId, Vec<HeldType>)> {
    let invokable = &plan.invokables[number];
    let gives = invokable.result.as_deref().unwrap_or_default();
    let Ok(class) = vm.load_class(descriptor::class_name(gives)) else {
        return Vec::new();
    };
    // A result declared as Object says nothing of its class.
    let is_exact = invokable.kind.is_constructor()
        || assumed != AssumedArguments::Null && vm.class(class).super_class.is_none();
    let below = owners.iter().copied();
    let below = below.filter(|&other| !is_exact && other != class && vm.is_subclass(other, class));
    let below = below.map(|class| (class, Vec::new()));
    std::iter::once((class, plan.roles[number].contents.clone()))
        .chain(below)
        .collect()
}

/// Sources of arguments for which objects are awaited, each once.
#[derive(Default)]
struct NeededSources<'p> {
    numbers: FxHashMap<&'p ArgumentSource, usize>,
    /// Each source with the number of objects looked at, none of which it accepts; `None` once one
    /// is accepted.
    sources: Vec<(&'p ArgumentSource, Option<usize>)>,
}

impl<'p> NeededSources<'p> {
    /// Returns the number of a source.
    fn number(&mut self, taking: &'p ArgumentSource) -> usize {
        *self.numbers.entry(taking).or_insert_with(|| {
            self.sources.push((taking, Some(0)));
            self.sources.len() - 1
        })
    }

    /// Whether a source accepts one of the objects, whatever its contents.
    fn is_given(&mut self, vm: &Vm, number: usize, given: &GivenObjects) -> bool {
        let (taking, looked_at) = &mut self.sources[number];
        if let Some(from) = *looked_at {
            let mut new = given.0[from..].iter();
            *looked_at = match new.any(|(class, _)| taking.accepts(vm, *class)) {
                true => None,
                false => Some(given.0.len()),
            };
        }
        looked_at.is_none()
    }
}

/// Returns the class whose member a statement uses.
fn owner(what: &StatementKind) -> Option<ClassId> {
    match what {
        StatementKind::Call(call) => Some(call.class),
        StatementKind::Constant(class, _) => Some(*class),
        StatementKind::LoadField(field) | StatementKind::StoreField(field) => Some(field.class),
        StatementKind::NewArray(_) | StatementKind::StoreElement(_) => None,
    }
}

/// Explains why no statement creates an object of a class.
fn reason(vm: &Vm, plan: &SearchPlan, class: ClassId) -> String {
    let this = vm.class(class);
    if this.flags & flags::INTERFACE != 0 {
        return "it is an interface, nothing that implements it is known, and a test cannot implement it; \
                --system names a class"
            .to_owned();
    }
    if this.is_abstract() {
        return "it is abstract, nothing that extends it is known, and a test cannot extend it; --system \
                names a class"
            .to_owned();
    }
    let of_class = |what: &StatementKind| what.is_constructor() && owner(what) == Some(class);
    let callable: Vec<&StatementKind> = plan
        .invokables
        .iter()
        .map(|invokable| &invokable.kind)
        .filter(|what| of_class(what))
        .collect();
    if !callable.is_empty() {
        return "its constructor needs an object that cannot be made either".to_owned();
    }
    let is_library = this.loader == Loader::Boot;
    let own = this.methods.iter().copied();
    let constructors = own.filter(|&method| vm.text(vm.method(method).name) == "<init>");
    let is_public = |method: MethodId| vm.method(method).flags & flags::PUBLIC != 0;
    if is_library && constructors.clone().any(is_public) {
        return format!(
            "it is the library's; --system {} lets sequences make some",
            vm.binary_name(class)
        );
    }
    let hidden: Vec<String> = constructors
        .map(|method| {
            let access = match vm.method(method).flags {
                bits if bits & flags::PRIVATE != 0 => "private",
                bits if bits & flags::PROTECTED != 0 => "protected",
                bits if bits & flags::PUBLIC != 0 => "left out",
                _ => "for its package",
            };
            format!("{} is {access}", name_of(vm, method))
        })
        .collect();
    format!(
        "{}, and nothing that may be called returns one; --access says what may be, --include and \
         --exclude what of it",
        hidden.join(", ")
    )
}
