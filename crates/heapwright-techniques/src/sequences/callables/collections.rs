//! JDK collections, and other types of the JDK that hold objects, as arguments of types for which the
//! system has no object. A parameter of type `Collection` gets a list.
//!
//! Invariant: collections are added only for parameters without objects. Each has only a
//! constructor and a filling method, so other sequences are unaffected.

use std::sync::Arc;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};

use crate::functional::{AnswerInput, functional};
use crate::signatures::{Signature, Type, Variables};
use crate::statements::jdk_values::{ENTRY, MADE_FOR, WALKERS, wrapper};
use crate::statements::{AnonymousClass, Invokable, ParameterSpec, StatementKind, Stub, is_value};

/// A Java class of Heapwright's own, with a method that returns its argument.
const ITSELF: &str = "heapwright/Itself";

/// A collection used as an argument, or an object derived from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentCollection {
    /// Its class.
    pub class: ClassId,
    /// The descriptors of its contents: elements, or keys and values.
    pub contents: Vec<String>,
    /// The statements that it needs.
    form: CollectionForm,
}

/// Statements that a collection needs.
#[derive(Clone, Debug, PartialEq, Eq)]
enum CollectionForm {
    /// Create it empty, then fill it.
    Filled,
    /// Create it from its contents.
    Pair,
    /// Create it by static methods, empty or from its content.
    Wrapped,
    /// Create an iterator over it; the number is an index into [`WALKERS`].
    Walked(usize),
    /// None: the class is a functional interface, and a lambda serves as the receiver.
    Lambda,
    /// Create an object of the anonymous class.
    Anonymous(Arc<AnonymousClass>),
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
            CollectionForm::Pair => self.pair(vm).into_iter().collect(),
            CollectionForm::Wrapped => self.wrapped(vm),
            CollectionForm::Walked(walker) => self.walked(vm, *walker).into_iter().collect(),
            CollectionForm::Lambda => self.lambda(vm).into_iter().collect(),
            CollectionForm::Anonymous(class) => vec![created(vm, class)],
        }
    }

    fn pair(&self, vm: &Vm) -> Option<Invokable> {
        let types = "(Ljava/lang/Object;Ljava/lang/Object;)V";
        let constructor = vm.declared_method(self.class, "<init>", types)?;
        let held = self.contents.iter().zip(["key", "value"]);
        let held = held.map(|(descriptor, name)| ParameterSpec::argument(descriptor, name));
        Some(Invokable {
            kind: StatementKind::constructor(self.class, constructor),
            parameters: held.collect(),
            result: Some(descriptor::of_class(vm.class_name(self.class))),
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
            let held = held.map(|descriptor| ParameterSpec::argument(descriptor, "value"));
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
            | CollectionForm::Pair
            | CollectionForm::Wrapped
            | CollectionForm::Lambda
            | CollectionForm::Anonymous(_) => self.class,
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
        let own = descriptor::of_class(vm.class_name(self.class));
        let constructor = vm.declared_method(self.class, "<init>", "()V");
        let filler = filler(vm, self.class);
        let Some((constructor, (filler, names))) = constructor.zip(filler) else {
            return Vec::new();
        };
        let mut takes = vec![ParameterSpec {
            contents: self.contents.clone(),
            ..ParameterSpec::receiver(own.clone())
        }];
        let values = self.contents.iter().zip(names);
        takes.extend(values.map(|(descriptor, name)| ParameterSpec::argument(descriptor, name)));
        vec![
            Invokable {
                kind: StatementKind::constructor(self.class, constructor),
                parameters: Vec::new(),
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

/// Returns the method that adds to a collection, and the names of its parameters.
fn filler(vm: &Vm, class: ClassId) -> Option<(MethodId, &'static [&'static str])> {
    let method = |name, descriptor| {
        let display = vm.class(class).display.iter().rev();
        let mut found = display.filter_map(|&above| vm.declared_method(above, name, descriptor));
        found.next()
    };
    let add = method("add", "(Ljava/lang/Object;)Z").map(|add| (add, &["element"][..]));
    let put = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
    add.or_else(|| Some((method("put", put)?, &["key", "value"][..])))
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
fn made_of(vm: &mut Vm, wanted: ClassId, contents: &[String]) -> Option<ClassId> {
    let class = made_for(vm, wanted)?;
    let sorted = match vm.class_name(class) {
        "java/util/LinkedHashSet" => "java/util/TreeSet",
        "java/util/LinkedHashMap" | "java/util/HashMap" => "java/util/TreeMap",
        _ => return Some(class),
    };
    let sorted = vm.load_class(sorted).ok()?;
    let first = contents.first()?;
    let is_ordered = !first.starts_with('[') && is_value(vm, first);
    match is_ordered && vm.is_subclass(sorted, wanted) {
        true => Some(sorted),
        false => Some(class),
    }
}

/// Returns the contents of each parameter that is a collection; empty for the other parameters.
pub(in crate::sequences) fn contents(vm: &mut Vm, invokable: &Invokable) -> Vec<Vec<String>> {
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

fn contents_of(vm: &mut Vm, parameter: &Type, variables: &Variables) -> Vec<String> {
    let descriptor = parameter.erased(variables);
    if Kind::of(&descriptor) != Kind::Reference || descriptor.starts_with('[') {
        return Vec::new();
    }
    let Some(class) = vm.load_class(descriptor::class_name(&descriptor)).ok() else {
        return Vec::new();
    };
    let name = vm.class_name(class).to_owned();
    let is_walker = WALKERS.iter().any(|(walker, _)| *walker == name);
    let count = match made_for(vm, class) {
        Some(made) => filler(vm, made).map_or(0, |(_, names)| names.len()),
        None if is_walker || wrapper(&name).is_some() => 1,
        None if name == ENTRY.0 => 2,
        None => return Vec::new(),
    };
    let mut held = vec!["Ljava/lang/Object;".to_owned(); count];
    for above in [
        "java/lang/Iterable",
        "java/util/Map",
        "java/util/Iterator",
        ENTRY.0,
        &name,
    ] {
        if let Ok(above) = vm.load_class(above)
            && let Some(Type::Class(_, arguments)) = parameter.as_super(vm, above)
            && arguments.len() == count
        {
            held = arguments
                .iter()
                .map(|argument| argument.erased(variables))
                .collect();
        }
    }
    held
}

/// Returns the collections for parameters without objects, in the order of the parameters.
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
fn supports(vm: &mut Vm, wanted: ClassId, contents: &[String]) -> Vec<ArgumentCollection> {
    let of = |class, form| ArgumentCollection {
        class,
        contents: contents.to_vec(),
        form,
    };
    let name = vm.class_name(wanted).to_owned();
    if name == ENTRY.0 {
        let class = vm.load_class(ENTRY.1).ok();
        return class
            .map(|class| of(class, CollectionForm::Pair))
            .into_iter()
            .collect();
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
    let made = made_of(vm, wanted, contents);
    made.map(|class| of(class, CollectionForm::Filled))
        .into_iter()
        .collect()
}

/// Returns the application classes among the contents of collections.
pub(in crate::sequences) fn held(vm: &mut Vm, supports: &[ArgumentCollection]) -> Vec<ClassId> {
    let mut held = Vec::new();
    for descriptor in supports.iter().flat_map(|support| &support.contents) {
        let element = descriptor.trim_start_matches('[');
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
