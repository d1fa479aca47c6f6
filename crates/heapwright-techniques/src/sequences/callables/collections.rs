//! Collections, and other objects that hold what their type arguments say, as arguments of types
//! for which the system has no object. A parameter of type `Collection` gets a list.
//!
//! Invariant: collections of the JDK are added only for parameters without objects. Each has only
//! what creates and fills it, so other sequences are unaffected.

use std::sync::Arc;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};

use crate::functional::{AnswerInput, functional};
use crate::packages::is_generic_of_library;
use crate::signatures::{Signature, Type, Variables, of_class};
use crate::statements::containers::{CONVERSIONS, HOLDERS, is_container};
use crate::statements::jdk_values::{MADE_FOR, OF_ENUMS, SAMPLE_ENUM, WALKERS, wrapper};
use crate::statements::{
    AnonymousClass, HeldType, Invokable, ParameterSpec, StatementKind, Stub, is_enum, is_value,
};

/// A Java class of Heapwright's own, with a method that returns its argument.
const ITSELF: &str = "heapwright/Itself";

/// A collection used as an argument, or an object derived from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentCollection {
    /// Its class.
    pub class: ClassId,
    /// Its contents: elements, or keys and values.
    pub contents: Vec<HeldType>,
    /// The statements that it needs.
    form: CollectionForm,
}

/// Statements that a collection needs.
#[derive(Clone, Debug, PartialEq, Eq)]
enum CollectionForm {
    /// Create it empty, then fill it.
    Filled,
    /// Create it empty for the class of its constants, then fill it.
    OfEnum,
    /// Create it from its contents; the number is an index into [`HOLDERS`].
    Held(usize),
    /// Create it from another collection; the number is an index into [`CONVERSIONS`].
    Converted(usize),
    /// Create it by static methods, empty or from its content.
    Wrapped,
    /// Create an iterator over it; the number is an index into [`WALKERS`].
    Walked(usize),
    /// None: the class is a functional interface, and a lambda serves as the receiver.
    Lambda,
    /// Create an object of the anonymous class.
    Anonymous(Arc<AnonymousClass>),
    /// Create it by a constructor or static method of a library, with arguments for its type arguments.
    Made(MethodId, Vec<ParameterSpec>),
}

impl ArgumentCollection {
    /// Returns the support whose statement creates an object of an anonymous class.
    pub(in crate::sequences) fn anonymous(class: AnonymousClass) -> ArgumentCollection {
        ArgumentCollection {
            class: class.of,
            contents: Vec::new(),
            form: CollectionForm::Anonymous(Arc::new(class)),
        }
    }

    /// Returns the object of a library's class with given contents that a constructor or static method
    /// creates as an argument of type `wanted`; `None` if it cannot have them.
    pub(in crate::sequences) fn made(
        vm: &mut Vm,
        method: MethodId,
        wanted: ClassId,
        contents: &[HeldType],
    ) -> Option<ArgumentCollection> {
        let owner = vm.method(method).class;
        let signature = Signature::of(vm, method);
        let gives = match vm.method(method).is_static() {
            true => signature.returns.clone(),
            false => {
                let own = of_class(vm, owner).0.into_iter();
                let own = own.map(|(name, _)| Type::Variable(name));
                Type::Class(vm.class_name(owner).to_owned(), own.collect())
            }
        };
        let Some(Type::Class(_, arguments)) = gives.as_super(vm, wanted) else {
            return None;
        };
        if arguments.len() != contents.len() {
            return None;
        }
        let mut bound = Variables::new();
        for (argument, held) in arguments.iter().zip(contents) {
            match argument {
                Type::Variable(name) => drop(bound.insert(name.clone(), type_of(held))),
                other if other.erased(&signature.variables) == held.descriptor => {}
                _ => return None,
            }
        }
        let variables: Variables = { signature.variables.into_iter() }
            .chain(bound.clone())
            .collect();
        let names = vm.parameter_names(method);
        let mut parameters = Vec::new();
        for (place, declared) in signature.parameters.iter().enumerate() {
            let declared = declared.with(&bound);
            let name = names.get(place).cloned().flatten();
            let name = name.unwrap_or_else(|| format!("arg{place}"));
            parameters.push(ParameterSpec {
                contents: contents_of(vm, &declared, &variables),
                ..ParameterSpec::argument(&declared.erased(&variables), &name)
            });
        }
        let created = gives.erased(&variables);
        Some(ArgumentCollection {
            class: vm.load_class(descriptor::class_name(&created)).ok()?,
            contents: contents.to_vec(),
            form: CollectionForm::Made(method, parameters),
        })
    }

    /// Returns the anonymous class of which its statement creates an object, if it does.
    pub(in crate::sequences) fn anonymous_class(&self) -> Option<&AnonymousClass> {
        match &self.form {
            CollectionForm::Anonymous(class) => Some(class),
            _ => None,
        }
    }

    /// Returns the statements that create and fill the object.
    pub(in crate::sequences) fn invokables(&self, vm: &mut Vm) -> Vec<Invokable> {
        match &self.form {
            CollectionForm::Filled => self.filled(vm),
            CollectionForm::OfEnum => self.of_enum(vm),
            CollectionForm::Held(holder) => self.held(vm, *holder).into_iter().collect(),
            CollectionForm::Converted(number) => self.converted(vm, *number).into_iter().collect(),
            CollectionForm::Wrapped => self.wrapped(vm),
            CollectionForm::Walked(walker) => self.walked(vm, *walker).into_iter().collect(),
            CollectionForm::Lambda => self.lambda(vm).into_iter().collect(),
            CollectionForm::Anonymous(class) => vec![created(vm, class)],
            CollectionForm::Made(method, parameters) => {
                let owner = vm.method(*method).class;
                let kind = match vm.method(*method).is_static() {
                    true => StatementKind::static_method(owner, *method),
                    false => StatementKind::constructor(owner, *method),
                };
                vec![Invokable {
                    kind,
                    parameters: parameters.clone(),
                    result: Some(descriptor::of_class(vm.class_name(self.class))),
                    contents: self.contents.clone(),
                    stub: None,
                }]
            }
        }
    }

    fn held(&self, vm: &Vm, holder: usize) -> Option<Invokable> {
        let holder = &HOLDERS[holder];
        let method = vm.declared_method(self.class, holder.member, holder.descriptor)?;
        let held = holder.parameters.iter().filter_map(|&(argument, name)| {
            Some(ParameterSpec::held(self.contents.get(argument)?, name))
        });
        let (kind, result) = match vm.method(method).is_static() {
            true => (
                StatementKind::static_method(self.class, method),
                holder.types[0],
            ),
            false => (StatementKind::constructor(self.class, method), holder.class),
        };
        Some(Invokable {
            kind,
            parameters: held.collect(),
            result: Some(descriptor::of_class(result)),
            contents: self.contents.clone(),
            stub: None,
        })
    }

    fn converted(&self, vm: &mut Vm, number: usize) -> Option<Invokable> {
        let conversion = &CONVERSIONS[number];
        let owner = vm.load_class(conversion.class).ok()?;
        let method = inherited(vm, owner, conversion.member, conversion.descriptor)?;
        let (_, result) = descriptor::split_method(conversion.descriptor)?;
        Some(Invokable {
            kind: StatementKind::static_method(owner, method),
            parameters: vec![ParameterSpec {
                contents: self.contents.clone(),
                ..ParameterSpec::argument(&descriptor::of_class(conversion.source), "source")
            }],
            result: Some(result.to_owned()),
            contents: self.contents.clone(),
            stub: None,
        })
    }

    fn wrapped(&self, vm: &Vm) -> Vec<Invokable> {
        let own = descriptor::of_class(vm.class_name(self.class));
        let Some(wrapper) = wrapper(vm.class_name(self.class)) else {
            return Vec::new();
        };
        let empty = wrapper.empty.map(|name| (name, String::new()));
        let full = (wrapper.full, "Ljava/lang/Object;".to_owned());
        let members = empty.into_iter().chain([full]);
        let members = members.filter_map(|(name, takes)| {
            let method = vm.declared_method(self.class, name, &format!("({takes}){own}"))?;
            let held = self.contents.iter().filter(|_| !takes.is_empty());
            let held = held.map(|held| ParameterSpec::held(held, "value"));
            Some(Invokable {
                kind: StatementKind::static_method(self.class, method),
                parameters: held.collect(),
                result: Some(own.clone()),
                contents: self.contents.clone(),
                stub: None,
            })
        });
        members.collect()
    }

    /// The identity method, which takes no null.
    fn lambda(&self, vm: &Vm) -> Option<Invokable> {
        let own = descriptor::of_class(vm.class_name(self.class));
        let itself = vm.loaded_class(ITSELF)?;
        let types = "(Ljava/lang/Object;)Ljava/lang/Object;";
        let method = vm.declared_method(itself, "of", types)?;
        Some(Invokable {
            kind: StatementKind::static_method(itself, method),
            parameters: vec![ParameterSpec::argument(&own, "lambda")],
            result: Some(own),
            contents: Vec::new(),
            stub: Some(Stub::Lambda),
        })
    }

    /// Returns the class of the resulting object.
    pub(in crate::sequences) fn given(&self, vm: &Vm) -> ClassId {
        match self.form {
            CollectionForm::Walked(walker) => {
                vm.loaded_class(WALKERS[walker].0).unwrap_or(self.class)
            }
            CollectionForm::Filled
            | CollectionForm::OfEnum
            | CollectionForm::Held(_)
            | CollectionForm::Converted(_)
            | CollectionForm::Wrapped
            | CollectionForm::Lambda
            | CollectionForm::Anonymous(_)
            | CollectionForm::Made(..) => self.class,
        }
    }

    fn walked(&self, vm: &Vm, walker: usize) -> Option<Invokable> {
        let own = descriptor::of_class(vm.class_name(self.class));
        let (class, method) = WALKERS[walker];
        let gives = descriptor::of_class(class);
        let method = vm.declared_method(self.class, method, &format!("(){gives}"))?;
        Some(Invokable {
            kind: StatementKind::instance_method(self.class, method),
            parameters: vec![ParameterSpec {
                contents: self.contents.clone(),
                ..ParameterSpec::receiver(own)
            }],
            result: Some(gives),
            contents: self.contents.clone(),
            stub: None,
        })
    }

    fn filled(&self, vm: &Vm) -> Vec<Invokable> {
        let constructor = vm.declared_method(self.class, "<init>", "()V");
        let kind = constructor.map(|method| StatementKind::constructor(self.class, method));
        self.created_and_filled(vm, kind, Vec::new())
    }

    fn of_enum(&self, vm: &Vm) -> Vec<Invokable> {
        let name = vm.class_name(self.class);
        let member = OF_ENUMS.iter().find(|(class, ..)| *class == name);
        let kind = member.and_then(|(_, member, types)| {
            let method = vm.declared_method(self.class, member, types)?;
            Some(match vm.method(method).is_static() {
                true => StatementKind::static_method(self.class, method),
                false => StatementKind::constructor(self.class, method),
            })
        });
        let taken = ParameterSpec::argument("Ljava/lang/Class;", "elementType");
        self.created_and_filled(vm, kind, vec![taken])
    }

    /// Returns the statement that creates an empty collection, and the one that fills it.
    fn created_and_filled(
        &self,
        vm: &Vm,
        created: Option<StatementKind>,
        parameters: Vec<ParameterSpec>,
    ) -> Vec<Invokable> {
        let own = descriptor::of_class(vm.class_name(self.class));
        let Some((created, (filler, names))) = created.zip(filler(vm, self.class)) else {
            return Vec::new();
        };
        let mut takes = vec![ParameterSpec {
            contents: self.contents.clone(),
            ..ParameterSpec::receiver(own.clone())
        }];
        let values = self.contents.iter().zip(names);
        takes.extend(values.map(|(held, name)| ParameterSpec::held(held, name)));
        vec![
            Invokable {
                kind: created,
                parameters,
                result: Some(own),
                contents: self.contents.clone(),
                stub: None,
            },
            Invokable {
                kind: StatementKind::instance_method(self.class, filler),
                parameters: takes,
                result: None,
                contents: self.contents.clone(),
                stub: None,
            },
        ]
    }
}

/// Returns the statement that creates an object of an anonymous class.
fn created(vm: &mut Vm, class: &Arc<AnonymousClass>) -> Invokable {
    let text = vm.text(vm.method(class.constructor).descriptor);
    let (descriptors, _) = descriptor::split_method(text).unwrap_or_default();
    let mut names: Vec<String> = Vec::new();
    if let Some(above) = class.above {
        let named = vm.parameter_names(above).into_iter().enumerate();
        names.extend(named.map(|(at, name)| name.unwrap_or_else(|| format!("arg{at}"))));
    }
    let before = names.len();
    names.extend(
        class
            .inputs()
            .map(|(method, _)| vm.text(vm.method(method.method).name).to_owned()),
    );
    let parameters = descriptors.iter().zip(&names);
    let parameters = parameters.map(|(descriptor, name)| ParameterSpec::argument(descriptor, name));
    let mut parameters: Vec<ParameterSpec> = parameters.collect();
    for (place, (method, input)) in class.inputs().enumerate() {
        if input == AnswerInput::Object {
            let variables = Variables::new();
            let contents = contents_of(vm, &method.declared, &variables);
            parameters[before + place].contents = contents;
        }
    }
    Invokable {
        kind: StatementKind::constructor(class.class, class.constructor),
        parameters,
        result: Some(descriptor::of_class(vm.class_name(class.of))),
        contents: Vec::new(),
        stub: Some(Stub::Anonymous(Arc::clone(class))),
    }
}

/// Returns the type of what a collection holds.
fn type_of(held: &HeldType) -> Type {
    match Type::of_descriptor(&held.descriptor) {
        Type::Class(name, _) => Type::Class(name, held.contents.iter().map(type_of).collect()),
        other => other,
    }
}

/// Returns a method that a class declares or inherits from its superclasses.
fn inherited(vm: &Vm, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
    let mut display = vm.class(class).display.iter().rev();
    display.find_map(|&above| vm.declared_method(above, name, descriptor))
}

/// Returns the method that adds to a collection, and the names of its parameters.
pub(super) fn filler(vm: &Vm, class: ClassId) -> Option<(MethodId, &'static [&'static str])> {
    let method = |name: &str, descriptor: &str| inherited(vm, class, name, descriptor);
    let add = method("add", "(Ljava/lang/Object;)Z").map(|add| (add, &["element"][..]));
    // The erased type of a key is that of its bound.
    let put = ["Enum", "Object"].into_iter().find_map(|key| {
        let types = format!("(Ljava/lang/{key};Ljava/lang/Object;)Ljava/lang/Object;");
        method("put", &types)
    });
    add.or_else(|| Some((put?, &["key", "value"][..])))
}

/// Returns the JDK collection to create for a type, if there is one.
pub(super) fn made_for(vm: &mut Vm, wanted: ClassId) -> Option<ClassId> {
    if vm.is_app_class(wanted) {
        return None;
    }
    let name = vm.class_name(wanted).to_owned();
    let fits = |entry: &&(&str, &[&str])| entry.1.contains(&name.as_str());
    if let Some((class, _)) = MADE_FOR.iter().find(fits) {
        return vm.load_class(class).ok();
    }
    let this = vm.class(wanted);
    let is_usable = name.starts_with("java/util/")
        && !name.contains('$')
        && !this.is_abstract()
        && this.flags & flags::PUBLIC != 0;
    let is_collection = is_usable
        && vm.declared_method(wanted, "<init>", "()V").is_some()
        && filler(vm, wanted).is_some();
    is_collection.then_some(wanted)
}

/// Does the same for given contents. Sorted collections replace hashed ones for boxes and strings,
/// since the hash of an open value is hard for a solver.
fn made_of(vm: &mut Vm, wanted: ClassId, contents: &[HeldType]) -> Option<ClassId> {
    let class = made_for(vm, wanted)?;
    let sorted = match vm.class_name(class) {
        "java/util/LinkedHashSet" => "java/util/TreeSet",
        "java/util/LinkedHashMap" | "java/util/HashMap" => "java/util/TreeMap",
        _ => return Some(class),
    };
    let sorted = vm.load_class(sorted).ok()?;
    let first = &contents.first()?.descriptor;
    let is_ordered = !first.starts_with('[') && is_value(vm, first);
    match is_ordered && vm.is_subclass(sorted, wanted) {
        true => Some(sorted),
        false => Some(class),
    }
}

/// Returns the contents of each parameter that is a collection; empty for the other parameters.
pub(in crate::sequences) fn contents(vm: &mut Vm, invokable: &Invokable) -> Vec<Vec<HeldType>> {
    let Some(method) = invokable.kind.method() else {
        return vec![Vec::new(); invokable.parameters.len()];
    };
    let signature = Signature::of(vm, method);
    let before = invokable
        .parameters
        .len()
        .saturating_sub(signature.parameters.len());
    let mut contents = vec![Vec::new(); before];
    for parameter in &signature.parameters {
        contents.push(contents_of(vm, parameter, &signature.variables));
    }
    contents.truncate(invokable.parameters.len());
    contents
}

pub(super) fn contents_of(vm: &mut Vm, parameter: &Type, variables: &Variables) -> Vec<HeldType> {
    let descriptor = parameter.erased(variables);
    if Kind::of(&descriptor) != Kind::Reference || descriptor.starts_with('[') {
        return Vec::new();
    }
    let Some(class) = vm.load_class(descriptor::class_name(&descriptor)).ok() else {
        return Vec::new();
    };
    let name = vm.class_name(class).to_owned();
    let is_walker = WALKERS.iter().any(|(walker, _)| *walker == name);
    let is_of_enums = OF_ENUMS.iter().any(|(of_enums, ..)| *of_enums == name);
    let made = match is_of_enums {
        true => Some(class),
        false => made_for(vm, class),
    };
    let count = match made {
        Some(made) => filler(vm, made).map_or(0, |(_, names)| names.len()),
        None if is_walker || wrapper(&name).is_some() => 1,
        None if is_container(&name) || is_generic_of_library(vm, class) => {
            of_class(vm, class).0.len()
        }
        None => return Vec::new(),
    };
    let mut held = vec![HeldType::plain("Ljava/lang/Object;"); count];
    for above in [
        "java/lang/Iterable",
        "java/util/Map",
        "java/util/Iterator",
        &name,
    ] {
        if let Ok(above) = vm.load_class(above)
            && let Some(Type::Class(_, arguments)) = parameter.as_super(vm, above)
            && arguments.len() == count
        {
            held = arguments
                .iter()
                .map(|argument| held_type(vm, argument, variables))
                .collect();
        }
    }
    if is_of_enums {
        let constants = vm.load_class(descriptor::class_name(&held[0].descriptor));
        if !constants.is_ok_and(|constants| is_enum(vm, constants)) {
            held[0] = HeldType::plain(&descriptor::of_class(SAMPLE_ENUM));
        }
    }
    held
}

/// Returns the type of what a collection holds by a type argument.
fn held_type(vm: &mut Vm, argument: &Type, variables: &Variables) -> HeldType {
    HeldType {
        descriptor: argument.erased(variables),
        contents: match argument {
            Type::Extends(bound) | Type::Super(bound) => contents_of(vm, bound, variables),
            other => contents_of(vm, other, variables),
        },
    }
}

/// Whether collections are created for a parameter though methods of the program return objects of
/// its type. Programs in Kotlin and Scala return such everywhere, with any contents.
pub(in crate::sequences) fn is_beside_others(taken: &ParameterSpec) -> bool {
    !taken.is_receiver && is_of_other_language(&taken.descriptor)
}

fn is_of_other_language(descriptor: &str) -> bool {
    let name = descriptor::class_name(descriptor);
    !name.starts_with("java/") && is_container(name)
}

/// Returns the contents of an invokable's result, as far as its declaration says and they matter for
/// the parameters that take it.
pub(in crate::sequences) fn given_contents(vm: &mut Vm, invokable: &Invokable) -> Vec<HeldType> {
    let method = invokable.kind.method();
    let is_declared = invokable.contents.is_empty() && !invokable.kind.is_constructor();
    let result = invokable.result.as_deref().filter(|_| is_declared);
    let Some((method, result)) = method.zip(result) else {
        return invokable.contents.clone();
    };
    let signature = Signature::of(vm, method);
    match is_of_other_language(result) || shows_contents(&signature.returns) {
        true => contents_of(vm, &signature.returns, &signature.variables),
        false => Vec::new(),
    }
}

/// Whether a type says what its objects hold: it has type arguments, each a class.
fn shows_contents(declared: &Type) -> bool {
    match declared {
        Type::Class(_, arguments) => {
            let is_class = |argument: &Type| matches!(argument, Type::Class(..) | Type::Array(_));
            !arguments.is_empty()
                && arguments.iter().all(is_class)
                && declared.variables().is_empty()
        }
        _ => false,
    }
}

/// Returns the collections for parameters, in the order of the parameters.
pub(in crate::sequences) fn needed<'a>(
    vm: &mut Vm,
    lacking: impl Iterator<Item = &'a ParameterSpec>,
) -> Vec<ArgumentCollection> {
    let mut needed: Vec<ArgumentCollection> = Vec::new();
    for taken in lacking {
        let Ok(wanted) = vm.load_class(descriptor::class_name(&taken.descriptor)) else {
            continue;
        };
        if taken.is_receiver && !functional(vm, wanted).is_empty() && vm.load_class(ITSELF).is_ok()
        {
            let support = ArgumentCollection {
                class: wanted,
                contents: Vec::new(),
                form: CollectionForm::Lambda,
            };
            if !needed.contains(&support) {
                needed.push(support);
            }
            continue;
        }
        let contents = taken.contents.clone();
        for support in supports(vm, wanted, &contents) {
            if !contents.is_empty() && !needed.contains(&support) {
                needed.push(support);
            }
        }
    }
    needed
}

/// Returns the collections that create an object of a type with the given contents.
fn supports(vm: &mut Vm, wanted: ClassId, contents: &[HeldType]) -> Vec<ArgumentCollection> {
    let of = |class, form| ArgumentCollection {
        class,
        contents: contents.to_vec(),
        form,
    };
    let name = vm.class_name(wanted).to_owned();
    let holders = HOLDERS.iter().enumerate();
    let mut found: Vec<ArgumentCollection> = holders
        .filter(|(_, holder)| holder.types.contains(&&name[..]))
        .filter_map(|(number, holder)| {
            let class = vm.load_class(holder.class).ok()?;
            Some(of(class, CollectionForm::Held(number)))
        })
        .collect();
    for (number, conversion) in CONVERSIONS.iter().enumerate() {
        if conversion.types.contains(&&name[..])
            && let Ok(source) = vm.load_class(conversion.source)
            && let Ok(class) = vm.load_class(conversion.types[0])
        {
            found.extend(supports(vm, source, contents));
            found.push(of(class, CollectionForm::Converted(number)));
        }
    }
    if !found.is_empty() {
        return found;
    }
    if let Some(wrapper) = wrapper(&name) {
        let class = vm.load_class(wrapper.class).ok();
        return class
            .filter(|&class| vm.initialize_now(class).is_ok())
            .map(|class| of(class, CollectionForm::Wrapped))
            .into_iter()
            .collect();
    }
    if let Some(walker) = WALKERS.iter().position(|(walker, _)| *walker == name) {
        let list = vm.load_class("java/util/ArrayList").ok();
        let forms = |list| {
            [
                of(list, CollectionForm::Filled),
                of(list, CollectionForm::Walked(walker)),
            ]
        };
        return list.into_iter().flat_map(forms).collect();
    }
    if OF_ENUMS.iter().any(|(of_enums, ..)| *of_enums == name) {
        return vec![of(wanted, CollectionForm::OfEnum)];
    }
    let made = made_of(vm, wanted, contents);
    made.map(|class| of(class, CollectionForm::Filled))
        .into_iter()
        .collect()
}

/// Returns the application classes among the contents of collections.
pub(in crate::sequences) fn held(vm: &mut Vm, supports: &[ArgumentCollection]) -> Vec<ClassId> {
    let mut held = Vec::new();
    let mut open: Vec<&HeldType> = supports
        .iter()
        .flat_map(|support| &support.contents)
        .collect();
    open.reverse();
    while let Some(one) = open.pop() {
        open.extend(one.contents.iter().rev());
        let element = one.descriptor.trim_start_matches('[');
        if Kind::of(element) == Kind::Reference
            && let Ok(class) = vm.load_class(descriptor::class_name(element))
            && vm.is_app_class(class)
            && !held.contains(&class)
        {
            held.push(class);
        }
    }
    held
}
