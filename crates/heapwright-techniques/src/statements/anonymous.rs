//! Anonymous classes that tests write for abstract classes and interfaces.
//!
//! Each stands for a generated class. Its constructor takes the values that its methods return.
//!
//! Invariant: the compiler accepts the anonymous class, and its methods override all abstract ones.

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::is_value;
use super::jdk_values::{is_of_collections, wrapper};
use crate::functional::{
    AnswerInput, AnswerScript, Implementation, StubResult, abstract_methods, anonymous_class,
    functional, throwable_constructor,
};
use crate::observe::method_sig;
use crate::packages::{TestPackage, is_generic_of_library, package_of};
use crate::signatures::{Signature, Type, Variables, of_class};
use crate::target::{find_class, inner_class, is_inner, is_local};

/// Maximum number of methods of an anonymous class. Larger ones say little in a test.
const MAX_METHODS: usize = 64;

/// Maximum number of methods of an anonymous class that return objects.
const MAX_OBJECTS: usize = 4;

/// The exception of methods that declare none.
const THROWN: &str = "java.lang.IllegalStateException";

/// The methods of an anonymous class that follow a script. The others do the same on every call.
#[derive(Clone, Copy)]
pub(crate) struct Scripted<'a> {
    /// The abstract methods among them.
    pub follows: &'a dyn Fn(&Vm, MethodId) -> bool,
    /// Default methods, which the class overrides for it.
    pub defaults: &'a [MethodId],
}

impl Scripted<'_> {
    /// All abstract methods.
    pub const ALL: Scripted<'static> = Scripted {
        follows: &|_, _| true,
        defaults: &[],
    };
}

/// An anonymous class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnonymousClass {
    /// The generated class that stands for it, and its constructor.
    pub class: ClassId,
    /// The constructor of the generated class: its parameters are those of the superclass'
    /// constructor, then the answers.
    pub constructor: MethodId,
    /// The superclass or interface.
    pub of: ClassId,
    /// The superclass' constructor; `None` for an interface.
    pub above: Option<MethodId>,
    /// The type arguments of the superclass, by descriptor; none if it is raw or not generic.
    pub contents: Vec<String>,
    /// The methods.
    pub methods: Vec<AnonymousMethod>,
    /// Whether a lambda can replace it, if its method has one outcome.
    pub is_functional: bool,
    /// Whether its methods can name any variable of a test: no field that it inherits hides one.
    pub can_capture: bool,
}

impl AnonymousClass {
    /// Whether a method follows a script.
    #[must_use]
    pub fn is_scripted(&self) -> bool {
        self.methods.iter().any(|method| method.script.is_some())
    }

    /// Returns the last parameters of its constructor, which say what the methods do.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = (&AnonymousMethod, AnswerInput)> {
        let methods = self.methods.iter();
        methods.flat_map(|method| {
            method
                .inputs()
                .into_iter()
                .map(move |input| (method, input))
        })
    }
}

/// A method of an anonymous class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnonymousMethod {
    /// The abstract or default method that it overrides.
    pub method: MethodId,
    /// The descriptors of its erased parameter types.
    pub parameters: Vec<String>,
    /// The descriptor of its erased return type.
    pub returns: String,
    /// Its result.
    pub answer: StubResult,
    /// The declared type of its result.
    pub(crate) declared: Type,
    /// What its calls do; `None` if all do the same.
    pub script: Option<AnswerScript>,
}

impl AnonymousMethod {
    /// Returns its inputs, in the order of the constructor's parameters.
    pub(crate) fn inputs(&self) -> Vec<AnswerInput> {
        AnswerInput::of(self.answer, self.script.as_ref())
    }
}

/// Returns the declared type of a parameter with type arguments that an anonymous class can have:
/// classes that are not generic themselves. Without such the type is raw.
pub(crate) fn extended_type(
    vm: &Vm,
    class: ClassId,
    declared: &Type,
    variables: &Variables,
) -> Type {
    let raw = Type::Class(vm.class_name(class).to_owned(), Vec::new());
    let Type::Class(_, arguments) = declared.with(&Variables::new()) else {
        return raw;
    };
    let is_plain = |argument: &Type| match argument {
        Type::Class(name, arguments) => {
            let class = vm.loaded_class(name);
            arguments.is_empty() && class.is_some_and(|class| of_class(vm, class).0.is_empty())
        }
        _ => false,
    };
    let bound = arguments.into_iter().map(|argument| match argument {
        Type::Any => Type::Class("java/lang/Object".to_owned(), Vec::new()),
        Type::Extends(bound) | Type::Super(bound) => *bound,
        other => other,
    });
    let bound: Vec<Type> = bound.collect();
    let erased = declared.erased(variables);
    match descriptor::class_name(&erased) == vm.class_name(class) && bound.iter().all(is_plain) {
        true => Type::Class(vm.class_name(class).to_owned(), bound),
        false => raw,
    }
}

/// Returns the descriptors of the type arguments of a class.
pub(crate) fn type_arguments(declared: &Type) -> Vec<String> {
    let arguments = match declared {
        Type::Class(_, arguments) => arguments.as_slice(),
        _ => &[],
    };
    let arguments = arguments.iter().map(|one| one.erased(&Variables::new()));
    arguments.collect()
}

/// Returns the anonymous subclasses of an abstract class, one for each constructor that they can
/// call, or the one of an interface. None if no test can write them, or if methods should follow a
/// script and none does.
pub(crate) fn anonymous_classes(
    vm: &mut Vm,
    class: ClassId,
    declared: &Type,
    package: &TestPackage,
    scripted: Option<Scripted<'_>>,
) -> Vec<AnonymousClass> {
    let this = vm.class(class);
    let is_sealed = this
        .file
        .as_ref()
        .is_none_or(|file| file.info.permitted.is_some());
    let excluded = flags::ANNOTATION | flags::ENUM;
    let is_reserved = matches!(vm.class_name(class), "java/lang/Enum" | "java/lang/Record");
    if !this.is_abstract()
        || is_reserved
        || is_sealed
        || this.flags & excluded != 0
        || is_inner(vm, class) && !vm.class(class).is_interface()
        || !is_nameable(vm, package, &descriptor::of_class(vm.class_name(class)))
    {
        return Vec::new();
    }
    let defaults = scripted.map_or(&[][..], |scripted| scripted.defaults);
    let Some(mut methods) = methods(vm, class, declared, package, defaults) else {
        return Vec::new();
    };
    if let Some(scripted) = scripted {
        add_scripts(vm, (class, declared), &mut methods, scripted, package);
        if methods.iter().all(|(method, _)| method.script.is_none()) {
            return Vec::new();
        }
    }
    let constructors: Vec<Option<MethodId>> = match vm.class(class).is_interface() {
        true => vec![None],
        false => {
            let own = vm.class(class).methods.iter().copied();
            let mut own: Vec<MethodId> = own
                .filter(|&method| {
                    let this = vm.method(method);
                    let is_open = package.opens(vm, class, this.flags);
                    vm.text(this.name) == "<init>"
                        && this.flags & flags::SYNTHETIC == 0
                        && (is_open || this.flags & flags::PROTECTED != 0)
                })
                .collect();
            // The sort is stable: others stay in declaration order.
            own.sort_by_key(|&method| vm.text(vm.method(method).descriptor) != "()V");
            own.into_iter().map(Some).collect()
        }
    };
    let contents = type_arguments(declared);
    let (mut fields, mut answered, mut written) = (Vec::new(), Vec::new(), Vec::new());
    let mut first = 0;
    for (method, all) in methods {
        answered.extend(all.into_iter().map(|one| Implementation {
            method: one,
            first,
            result: method.answer,
            script: method.script.clone(),
            parameters: method.parameters.clone(),
        }));
        let own = method.inputs().into_iter();
        let own = own.map(|input| input.descriptor(&method.returns).to_owned());
        let own: Vec<String> = own.collect();
        first += own.len();
        fields.push(own);
        written.push(method);
    }
    let is_functional = defaults.is_empty() && !functional(vm, class).is_empty();
    let can_capture = can_capture(vm, class);
    let made = constructors.into_iter().filter_map(|above| {
        let types = (&fields[..], &answered[..]);
        let (generated, constructor) = anonymous_class(vm, class, above, &contents, types)?;
        Some(AnonymousClass {
            class: generated,
            constructor,
            of: class,
            above,
            contents: contents.clone(),
            methods: written.clone(),
            is_functional,
            can_capture,
        })
    });
    made.collect()
}

/// Whether no field that subclasses inherit has the name of a variable: these begin with a
/// lower-case letter.
fn can_capture(vm: &Vm, class: ClassId) -> bool {
    let this = vm.class(class);
    let above = this.display.iter().chain(&this.all_interfaces);
    let mut above = above.copied().chain([class]);
    above.all(|above| {
        let mut fields = vm.class(above).fields.iter();
        fields.all(|field| {
            let is_capital = vm.text(field.name).starts_with(char::is_uppercase);
            is_capital || field.flags & flags::PRIVATE != 0
        })
    })
}

/// Whether a type that an anonymous class extends leaves out the type arguments that its class has.
fn is_raw(vm: &Vm, class: ClassId, declared: &Type) -> bool {
    let is_generic = !of_class(vm, class).0.is_empty();
    is_generic && matches!(declared, Type::Class(_, given) if given.is_empty())
}

/// Adds scripts to the methods of an anonymous class. The first that return objects of classes
/// without type parameters return objects that statements make.
fn add_scripts(
    vm: &mut Vm,
    (class, declared): (ClassId, &Type),
    methods: &mut [(AnonymousMethod, Vec<MethodId>)],
    scripted: Scripted<'_>,
    package: &TestPackage,
) {
    let mut objects = 0;
    for (method, all) in methods {
        let follows =
            |&one: &MethodId| scripted.defaults.contains(&one) || (scripted.follows)(vm, one);
        if !all.iter().any(follows) {
            continue;
        }
        let Some(thrown) = thrown(vm, method.method, package) else {
            continue;
        };
        let returned_parameter = returned_parameter(vm, method);
        let is_raw = is_raw(vm, class, declared);
        let returns = Signature::of(vm, method.method).returns;
        let is_open = match is_raw {
            true => !returns.variables().is_empty(),
            false => !method.declared.variables().is_empty(),
        };
        if is_open && method.answer == StubResult::Held {
            // Callers rely on type arguments that the type does not show.
            method.answer = StubResult::Null;
        }
        if method.answer == StubResult::Null
            && !is_open
            && objects < MAX_OBJECTS
            && takes_contents(vm, &method.returns)
        {
            method.answer = StubResult::Object;
            objects += 1;
        }
        method.script = Some(AnswerScript {
            thrown,
            returned_parameter,
            runs: run_parameter(vm, method),
        });
    }
}

/// Whether objects of a type can be made that have the type arguments of its declaration: it has
/// none, lambdas implement it, or it is one of the JDK's or of a library that hold objects.
fn takes_contents(vm: &mut Vm, descriptor: &str) -> bool {
    if Kind::of(descriptor) != Kind::Reference || descriptor.starts_with('[') {
        return false;
    }
    let class = vm.load_class(descriptor::class_name(descriptor));
    class.is_ok_and(|class| {
        let name = vm.class_name(class);
        of_class(vm, class).0.is_empty()
            || is_of_collections(name)
            || wrapper(name).is_some()
            || !functional(vm, class).is_empty()
            || is_generic_of_library(vm, class)
    })
}

/// Returns the exception that a method throws: the first that it declares and tests can create, else
/// a usual unchecked one.
fn thrown(vm: &mut Vm, method: MethodId, package: &TestPackage) -> Option<ClassId> {
    let declared = method_sig(vm, vm.method(method).class, method).exceptions;
    for name in declared.iter().map(String::as_str).chain([THROWN]) {
        if let Ok(class) = find_class(vm, name)
            && package.names(vm, class)
            && !is_local(vm, class)
            && !vm.class(class).is_abstract()
            && let Some(constructor) = throwable_constructor(vm, class)
            && package.opens(vm, class, vm.method(constructor).flags)
        {
            return Some(class);
        }
    }
    None
}

/// Returns the first parameter that a method can return as its result; `None` for values, of which a
/// call may return any.
fn returned_parameter(vm: &Vm, method: &AnonymousMethod) -> Option<usize> {
    let is_object =
        Kind::of(&method.returns) == Kind::Reference && !method.returns.starts_with('[');
    if !is_object || method.answer == StubResult::Held && !is_any_object(&method.returns) {
        return None;
    }
    let signature = Signature::of(vm, method.method);
    let parameters = signature.parameters.iter().zip(&method.parameters);
    let mut places = parameters.map(|(declared, erased)| {
        let is_plain =
            matches!(&signature.returns, Type::Class(_, contents) if contents.is_empty());
        *declared == signature.returns
            || is_plain
                && Kind::of(erased) == Kind::Reference
                && !erased.starts_with('[')
                && is_above(vm, erased, &method.returns)
    });
    places.position(|is_returned| is_returned)
}

/// Returns the first parameter of a void method that is an interface whose one abstract method takes and
/// returns nothing, with that method.
fn run_parameter(vm: &mut Vm, method: &AnonymousMethod) -> Option<(usize, MethodId)> {
    if method.returns != "V" {
        return None;
    }
    let mut parameters = method.parameters.iter().enumerate();
    parameters.find_map(|(place, parameter)| {
        if Kind::of(parameter) != Kind::Reference || parameter.starts_with('[') {
            return None;
        }
        let class = vm.load_class(descriptor::class_name(parameter)).ok()?;
        let run = *functional(vm, class).first()?;
        let is_run = vm.text(vm.method(run).descriptor) == "()V";
        let throws = !method_sig(vm, class, run).exceptions.is_empty();
        (is_run && !throws).then_some((place, run))
    })
}

fn is_any_object(descriptor: &str) -> bool {
    descriptor == "Ljava/lang/Object;"
}

/// Returns the methods of an anonymous class, each with the abstract and default methods that it
/// overrides. `None` if there are too many or one cannot be written.
fn methods(
    vm: &mut Vm,
    class: ClassId,
    declared: &Type,
    package: &TestPackage,
    defaults: &[MethodId],
) -> Option<Vec<(AnonymousMethod, Vec<MethodId>)>> {
    let is_raw = is_raw(vm, class, declared);
    let mut methods: Vec<(AnonymousMethod, Vec<MethodId>)> = Vec::new();
    for method in [&abstract_methods(vm, class), defaults].concat() {
        let this = vm.method(method);
        let (name, of, access) = (this.name, this.class, this.flags);
        let text = vm.text(this.descriptor).to_owned();
        let signature = Signature::of(vm, method);
        let (parameters, returns) = match is_raw {
            true => {
                let (parameters, returns) = descriptor::split_method(&text)?;
                let parameters = parameters.into_iter().map(str::to_owned);
                (parameters.collect(), returns.to_owned())
            }
            false => signature.all_erased_in(vm, declared, of),
        };
        let is_same = |(other, _): &&mut (AnonymousMethod, Vec<MethodId>)| {
            vm.method(other.method).name == name && other.parameters == parameters
        };
        if let Some((first, all)) = methods.iter_mut().find(is_same) {
            if !is_above(vm, &first.returns, &returns) {
                return None;
            }
            all.push(method);
            continue;
        }
        // Only a class of the same package can override the method.
        let is_near = package.has(vm, of) && package_of(vm, of) == package_of(vm, class);
        let is_open = is_near || access & (flags::PUBLIC | flags::PROTECTED) != 0;
        let is_named = parameters
            .iter()
            .chain([&returns])
            .all(|descriptor| is_nameable(vm, package, descriptor));
        if !is_open || !is_named {
            return None;
        }
        let is_own = |name: &&str| signature.own.iter().any(|(own, _)| own == name);
        let answer = match signature.returns.variables().iter().any(is_own) {
            // The method's callers choose the type.
            true => StubResult::Null,
            false => StubResult::of(vm, &returns, &|vm, text| is_value(vm, text)),
        };
        let method_of = AnonymousMethod {
            method,
            parameters,
            returns,
            answer,
            declared: signature.returned_in(vm, declared, of),
            script: None,
        };
        methods.push((method_of, vec![method]));
    }
    (methods.len() <= MAX_METHODS).then_some(methods)
}

/// Whether a return type can replace another one.
fn is_above(vm: &Vm, own: &str, other: &str) -> bool {
    if own == other {
        return true;
    }
    let class = |descriptor: &str| vm.loaded_class(descriptor::class_name(descriptor));
    Kind::of(own) == Kind::Reference
        && Kind::of(other) == Kind::Reference
        && class(own)
            .zip(class(other))
            .is_some_and(|(own, other)| vm.is_subclass(own, other))
}

/// Whether tests can name a type.
fn is_nameable(vm: &mut Vm, package: &TestPackage, descriptor: &str) -> bool {
    let element = descriptor.trim_start_matches('[');
    if Kind::of(element) != Kind::Reference {
        return true;
    }
    let mut name = descriptor::class_name(element).to_owned();
    loop {
        let Ok(class) = vm.load_class(&name) else {
            return false;
        };
        if !package.names(vm, class) {
            return false;
        }
        let Some(inner) = inner_class(vm, class) else {
            return true;
        };
        match inner.outer {
            Some(outer) => name = vm.text(outer).to_owned(),
            // A local class.
            None => return false,
        }
    }
}
