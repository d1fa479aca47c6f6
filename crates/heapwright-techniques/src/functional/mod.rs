//! Functional interfaces: the method that a lambda implements, classes that stand for lambdas which
//! return one value, and the JDK's comparators. Abstract classes and other interfaces: their
//! abstract methods, and classes that stand for anonymous ones.
//!
//! The one field of a lambda's class is the returned value. The field of an input's object is therefore
//! open like any value, part of the path's heap, and undone with it.
//!
//! Invariant: a generated class of a type and its answers' types is defined once on a machine.

mod class_file;

use std::sync::Arc;

use heapwright_explore::symbolic::Alternative;
use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use heapwright_suite::{ClassSig, Literal, Value};

use crate::misuse::with_causes;
use crate::observe::method_sig;
use crate::packages::package_of;
use crate::read::StructureReader;
use crate::signatures::{Signature, Type, Variables};
use crate::target::find_class;

use class_file::{ScriptFile, StubFile, StubMethodFile, constructor_descriptor, words};

pub(crate) use class_file::{throwable_arguments, throwable_constructor};

/// Package of generated classes for the library's types. Others are in the packages of their types,
/// since methods of a package can be overridden there alone.
const PACKAGE: &str = "heapwright/stubs/";

/// Beginning of the simple names of the generated classes.
const PREFIX: &str = "$Heapwright$";

/// Maximum number of words of a method's parameters (JVMS §4.3.3).
const MAX_WORDS: u16 = 255;

/// The JDK comparators that tests can write: the class and the field that hold each, and the method
/// that returns it.
const COMPARATORS: [(&str, &str, &str); 2] = [
    (
        "java.util.Comparators$NaturalOrderComparator",
        "INSTANCE",
        "naturalOrder",
    ),
    (
        "java.util.Collections$ReverseComparator",
        "REVERSE_ORDER",
        "reverseOrder",
    ),
];

pub(crate) const COMPARATOR: &str = "java/util/Comparator";

const OBJECT: &str = "java/lang/Object";

/// Lets the engine note all calls of the methods of a generated class.
fn note_calls(vm: &mut Vm, class: ClassId) {
    for method in vm.class(class).methods.clone() {
        if vm.text(vm.method(method).name) != "<init>" {
            vm.note_calls(method);
        }
    }
}

/// Lambdas of an interface that return one value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LambdaStub {
    /// The functional interface.
    interface: ClassId,
    /// Its method.
    method: MethodId,
    /// The result of its method.
    pub result: StubResult,
}

/// What a method of a stub returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StubResult {
    /// Nothing: the method is `void`.
    Nothing,
    /// Null.
    Null,
    /// The value of a field of the stub.
    Held,
    /// An object that another statement makes, or null. Only scripted methods return such.
    Object,
}

impl StubResult {
    /// Returns what a method with this return type returns: a value, if `is_value` accepts the type,
    /// else null.
    pub(crate) fn of(
        vm: &mut Vm,
        returns: &str,
        is_value: &dyn Fn(&mut Vm, &str) -> bool,
    ) -> StubResult {
        match Kind::of(returns) {
            Kind::Void => StubResult::Nothing,
            Kind::Reference if returns.starts_with('[') || !is_value(vm, returns) => {
                StubResult::Null
            }
            _ => StubResult::Held,
        }
    }
}

impl LambdaStub {
    /// Returns the functional interface.
    pub fn interface(self) -> ClassId {
        self.interface
    }

    /// Returns its method.
    pub fn method(self) -> MethodId {
        self.method
    }

    /// Returns the lambda that objects of a class stand for, if the class was generated for one.
    pub fn of(vm: &Vm, class: ClassId) -> Option<LambdaStub> {
        if !is_stub(vm, class) {
            return None;
        }
        let name = vm.class_name(class);
        let mut above = vm.class(class).all_interfaces.iter().copied();
        let interface = above.find(|&above| {
            let prefix = class_name(vm, above, None);
            name.starts_with(&prefix)
        })?;
        let method = *functional(vm, interface).first()?;
        let (_, returned) = descriptor::split_method(vm.text(vm.method(method).descriptor))?;
        let result = match (Kind::of(returned), vm.class(class).fields.is_empty()) {
            (Kind::Void, _) => StubResult::Nothing,
            (_, true) => StubResult::Null,
            (_, false) => StubResult::Held,
        };
        Some(LambdaStub {
            interface,
            method,
            result,
        })
    }

    /// Returns the result of the lambda in source code, from the fields of an object: `None` inside
    /// if there is none. `write` writes the value of a field; `None` if that cannot be written.
    pub fn answer<V, E>(
        self,
        fields: &[V],
        write: impl FnOnce(&V) -> Result<Option<Literal>, E>,
    ) -> Result<Option<Option<Literal>>, E> {
        Ok(match (self.result, fields) {
            (StubResult::Nothing, _) => Some(None),
            (StubResult::Held, [held]) => write(held)?.map(Some),
            _ => Some(Some(Literal::Value(Value::Null))),
        })
    }

    /// Returns the lambda in source code; `None` if tests cannot name the interface. `is_raw` says
    /// whether the context does not determine its type.
    pub fn literal(
        self,
        vm: &mut Vm,
        reader: &mut StructureReader,
        answer: Option<Literal>,
        is_raw: bool,
    ) -> Option<Literal> {
        let interface = reader.class_sig(vm, self.interface);
        let is_named = interface.source_name.is_some();
        is_named.then(|| lambda(vm, (self.interface, interface), self.method, answer, is_raw))
    }
}

/// Returns a lambda of an interface, with its form in tests, that returns a value, if any.
pub(crate) fn lambda(
    vm: &Vm,
    (interface, sig): (ClassId, Arc<ClassSig>),
    method: MethodId,
    answer: Option<Literal>,
    is_raw: bool,
) -> Literal {
    Literal::Lambda {
        interface: sig,
        method: Arc::new(method_sig(vm, interface, method)),
        answer: answer.map(Box::new),
        is_raw,
        has_code: has_code(vm, interface),
        is_mock: false,
    }
}

/// Whether objects of a class inherit methods that are not abstract, other than those of `Object`.
pub(crate) fn has_code(vm: &Vm, class: ClassId) -> bool {
    let this = vm.class(class);
    let above = this.display.iter().chain(&this.all_interfaces);
    let mut above = above.copied().chain([class]);
    above.any(|above| {
        let mut methods = vm.class(above).methods.iter().map(|&one| vm.method(one));
        vm.class_name(above) != OBJECT
            && methods.any(|method| {
                let is_special = vm.text(method.name).starts_with('<');
                !method.is_abstract() && !method.is_static() && !is_special
            })
    })
}

/// Objects that stand for the lambdas of a declared type.
pub(crate) struct StubObjects {
    /// Type of an input that ranges over them: the generated class, or the interface if there are
    /// other objects.
    pub bound: ClassId,
    /// The objects, in order. A comparator may also be one of the JDK's.
    pub alternatives: Vec<Alternative>,
    /// Type of the returned value, if that is open.
    pub held: Option<String>,
}

/// Returns the objects that stand for lambdas of an interface, for a declared type of it. A lambda
/// returns an open value if `is_value` accepts its type, else null.
pub(crate) fn stub_objects(
    vm: &mut Vm,
    interface: ClassId,
    (declared, variables): (&Type, &Variables),
    is_value: &dyn Fn(&mut Vm, &str) -> bool,
) -> Option<StubObjects> {
    let methods = functional(vm, interface);
    let &method = methods.first()?;
    let own = Signature::of(vm, method);
    if own.is_generic {
        return None;
    }
    let of = vm.method(method).class;
    let returned = own.returned_in(vm, declared, of).erased(variables);
    let result = StubResult::of(vm, &returned, is_value);
    let held = (result == StubResult::Held).then_some(returned);
    let class = stub_class(vm, interface, &methods, held.as_deref())?;
    let mut alternatives = Vec::new();
    if vm.class_name(interface) == COMPARATOR && compares_itself(vm, declared, variables) {
        alternatives.extend(comparators(vm).into_iter().map(Alternative::Known));
    }
    let bound = match alternatives.is_empty() {
        true => class,
        // To the engine, an object from several alternatives is just a comparator.
        false => interface,
    };
    alternatives.push(Alternative::New(class));
    Some(StubObjects {
        bound,
        alternatives,
        held,
    })
}

/// Returns the class whose objects stand for lambdas of an interface that return the value of their
/// only field, of type `field`; without one they return null or nothing. `None` if no class file can
/// have such names.
pub(crate) fn stub_class(
    vm: &mut Vm,
    interface: ClassId,
    methods: &[MethodId],
    field: Option<&str>,
) -> Option<ClassId> {
    let name = class_name(vm, interface, field);
    let class = match vm.loaded_class(&name) {
        Some(class) => class,
        None => {
            let held = field.is_some().then_some(0);
            let methods = methods.iter().map(|&method| method_file(vm, method, held));
            let methods: Vec<StubMethodFile> = methods.collect();
            let fields: Vec<String> = field.into_iter().map(str::to_owned).collect();
            let implemented = vm.class_name(interface).to_owned();
            let file = StubFile {
                name: &name,
                superclass: OBJECT,
                interface: Some(&implemented),
                fields: &fields,
                constructor: None,
                methods: &methods,
            };
            let class = vm.define_class(&name, file.bytes()).ok()?;
            note_calls(vm, class);
            class
        }
    };
    vm.initialize_now(class).ok()?;
    Some(class)
}

/// Returns a class without objects, as the type of inputs that range over the literal of one class
/// only. `None` if no class file can have such names.
pub(crate) fn literal_class(vm: &mut Vm, of: ClassId) -> Option<ClassId> {
    let mirrors = vm.load_class("java/lang/Class").ok()?;
    let of = descriptor::of_class(vm.class_name(of));
    let name = class_name(vm, mirrors, Some(&of));
    if let Some(class) = vm.loaded_class(&name) {
        return Some(class);
    }
    let file = StubFile {
        name: &name,
        superclass: OBJECT,
        interface: None,
        fields: &[],
        constructor: None,
        methods: &[],
    };
    let class = vm.define_class(&name, file.bytes()).ok()?;
    vm.initialize_now(class).ok()?;
    Some(class)
}

fn method_file(vm: &Vm, method: MethodId, field: Option<usize>) -> StubMethodFile {
    let this = vm.method(method);
    StubMethodFile {
        name: vm.text(this.name).to_owned(),
        descriptor: vm.text(this.descriptor).to_owned(),
        field,
        script: None,
        parameters: Vec::new(),
    }
}

/// Number of outcomes in the script of a method. The last one repeats.
pub(crate) const OUTCOMES: usize = 3;

/// Script of a method: what each of its calls does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerScript {
    /// The exception that a call may throw.
    pub thrown: ClassId,
    /// The parameter that a call may return.
    pub returned_parameter: Option<usize>,
    /// The parameter of which a call that returns runs this method, which takes and returns nothing:
    /// an executor runs its task.
    pub runs: Option<(usize, MethodId)>,
}

/// Value that determines what calls of a method do: an argument of the stub's constructor, and the
/// initial value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnswerInput {
    /// Whether the call with this number throws.
    IsThrowing(usize),
    /// The object that calls return, or null.
    Object,
    /// Whether all calls return the object, not only the first one.
    IsKept,
    /// The object that the others return, or null.
    Later,
    /// Whether calls return a parameter where there is no object.
    IsParameter,
    /// The value that the call with this number returns.
    Value(usize),
}

impl AnswerInput {
    /// Returns the inputs of a method, in the order of the constructor's parameters.
    pub(crate) fn of(result: StubResult, script: Option<&AnswerScript>) -> Vec<AnswerInput> {
        let is_scripted = script.is_some();
        let calls = if is_scripted { OUTCOMES } else { 1 };
        let mut inputs = Vec::new();
        if is_scripted {
            inputs.extend((0..calls).map(AnswerInput::IsThrowing));
        }
        if result == StubResult::Object {
            inputs.extend([AnswerInput::Object, AnswerInput::IsKept, AnswerInput::Later]);
        }
        if script.is_some_and(|script| script.returned_parameter.is_some()) {
            inputs.push(AnswerInput::IsParameter);
        }
        if result == StubResult::Held {
            inputs.extend((0..calls).map(AnswerInput::Value));
        }
        inputs
    }

    /// Returns the descriptor of its type; `returned` is that of the method's result.
    pub(crate) fn descriptor(self, returned: &str) -> &str {
        match self {
            AnswerInput::Object | AnswerInput::Later | AnswerInput::Value(_) => returned,
            AnswerInput::IsThrowing(_) | AnswerInput::IsKept | AnswerInput::IsParameter => "Z",
        }
    }
}

/// A method of a class that stands for an anonymous one.
pub(crate) struct Implementation {
    /// The abstract method.
    pub method: MethodId,
    /// The number of the field of its first [`AnswerInput`].
    pub first: usize,
    /// Its result.
    pub result: StubResult,
    /// What its calls do; `None` if all do the same.
    pub script: Option<AnswerScript>,
    /// The descriptors of the parameter types in the source. As javac's bridges, the method casts
    /// its arguments to them.
    pub parameters: Vec<String>,
}

/// Returns the class that stands for an anonymous subclass of an abstract class or interface, and
/// its constructor. That takes the parameters of the superclass' constructor, then the inputs of
/// each method, whose types are in `fields`. The type arguments of the superclass, `contents`, and
/// these types determine the class. `None` if no class file can have such names or so many
/// parameters.
pub(crate) fn anonymous_class(
    vm: &mut Vm,
    of: ClassId,
    constructor: Option<MethodId>,
    contents: &[String],
    (fields, methods): (&[Vec<String>], &[Implementation]),
) -> Option<(ClassId, MethodId)> {
    let above = match constructor {
        Some(constructor) => vm.text(vm.method(constructor).descriptor).to_owned(),
        None => "()V".to_owned(),
    };
    let all = fields.concat();
    let own = constructor_descriptor(&above, &all);
    if words(&own) > MAX_WORDS {
        return None;
    }
    let mut types = format!("{above}{}", contents.join(";"));
    if methods.iter().any(|method| method.script.is_some()) {
        let fields = fields.iter().map(|fields| fields.concat());
        types += &format!("({})", fields.collect::<Vec<_>>().join("("));
    }
    let name = class_name(vm, of, Some(&types));
    let class = match vm.loaded_class(&name) {
        Some(class) => class,
        None => {
            let methods = methods.iter();
            let methods = methods.map(|one| implementation_file(vm, one));
            let methods: Vec<StubMethodFile> = methods.collect::<Option<_>>()?;
            let extended = vm.class_name(of).to_owned();
            let is_interface = vm.class(of).is_interface();
            let file = StubFile {
                name: &name,
                superclass: if is_interface { OBJECT } else { &extended },
                interface: is_interface.then_some(&extended),
                fields: &all,
                constructor: Some(&above),
                methods: &methods,
            };
            let class = vm.define_class(&name, file.bytes()).ok()?;
            note_calls(vm, class);
            class
        }
    };
    vm.initialize_now(class).ok()?;
    let constructor = vm.declared_method(class, "<init>", &own)?;
    Some((class, constructor))
}

fn implementation_file(vm: &Vm, one: &Implementation) -> Option<StubMethodFile> {
    let script = match &one.script {
        None => None,
        Some(script) => Some(ScriptFile {
            inputs: AnswerInput::of(one.result, Some(script)),
            first: one.first,
            thrown: vm.class_name(script.thrown).to_owned(),
            thrown_constructor: {
                let constructor = throwable_constructor(vm, script.thrown)?;
                vm.text(vm.method(constructor).descriptor).to_owned()
            },
            returned_parameter: script.returned_parameter,
            runs: script.runs.map(|(place, method)| {
                let this = vm.method(method);
                let name = vm.text(this.name).to_owned();
                (place, vm.class_name(this.class).to_owned(), name)
            }),
        }),
    };
    let field = (one.result == StubResult::Held).then_some(one.first);
    Some(StubMethodFile {
        parameters: one.parameters.clone(),
        script,
        ..method_file(vm, one.method, field)
    })
}

/// Whether a class was generated for lambdas or anonymous classes.
pub(crate) fn is_stub(vm: &Vm, class: ClassId) -> bool {
    is_generated(vm.class_name(class))
}

/// Whether a stub has thrown an exception, or one that caused it.
pub(crate) fn is_thrown_by_stub(vm: &Vm, thrown: Ref) -> bool {
    with_causes(vm, thrown).any(|thrown| {
        let innermost = vm.trace_of(thrown).first().copied();
        innermost.is_some_and(|(method, _)| is_stub(vm, vm.method(method).class))
    })
}

/// Whether a name, binary or internal, is that of a generated class.
fn is_generated(name: &str) -> bool {
    let simple = name.rsplit(['/', '.']).next().unwrap_or(name);
    simple.starts_with(PREFIX)
}

/// Whether javac accepts the natural order as the comparator: for a type variable, or for a class
/// that implements `Comparable`.
pub(crate) fn compares_itself(vm: &mut Vm, declared: &Type, variables: &Variables) -> bool {
    let Type::Class(_, arguments) = declared else {
        return false;
    };
    match &arguments[..] {
        [] | [Type::Variable(_) | Type::Any] => true,
        [Type::Extends(bound) | Type::Super(bound)] if matches!(**bound, Type::Variable(_)) => true,
        [compared] => {
            let name = compared.erased(variables);
            let comparable = vm.load_class("java/lang/Comparable");
            let class = vm.load_class(descriptor::class_name(&name));
            let both = class.ok().zip(comparable.ok());
            both.is_some_and(|(class, comparable)| vm.is_subclass(class, comparable))
        }
        _ => false,
    }
}

/// Returns the JDK's comparators, if their fields exist.
pub(crate) fn comparators(vm: &mut Vm) -> Vec<Ref> {
    let mut found = Vec::new();
    for (class, field, _) in COMPARATORS {
        if let Ok(class) = find_class(vm, class)
            && vm.initialize_now(class).is_ok()
            && let Some(field) = vm.find_field(class, field)
        {
            found.push(Ref::from_slot(vm.heap.load(field.word)));
        }
    }
    found
}

/// Returns the method of `Comparator` that returns a constant.
pub(crate) fn comparator(class: &str, field: &str) -> Option<&'static str> {
    let is_this = |known: &&(&str, &str, &str)| known.0 == class && known.1 == field;
    Some(COMPARATORS.iter().find(is_this)?.2)
}

/// Returns the value that an object of a generated class returns, from its binary name and the
/// values of its fields; the inner value is `None` if there is no field.
pub(crate) fn returned_by<'v, V>(
    class: &str,
    mut fields: impl Iterator<Item = &'v V>,
) -> Option<Option<&'v V>> {
    is_generated(class).then(|| fields.next())
}

/// Returns a condition of a path with lambdas in place of objects of generated classes.
pub(crate) fn with_lambdas(condition: &str) -> String {
    const NEW: &str = "new ";
    let mut text = String::new();
    let mut rest = condition;
    while let Some((before, after)) = rest.split_once(NEW) {
        text.push_str(before);
        let end = after.find([' ', ')']).unwrap_or(after.len());
        let (class, behind) = after.split_at(end);
        if is_generated(class) {
            text.push_str("lambda");
        } else {
            text.push_str(NEW);
            text.push_str(class);
        }
        rest = behind;
    }
    text + rest
}

/// Returns the name of the class generated for an interface and a field type; unique for each pair.
fn class_name(vm: &Vm, interface: ClassId, field: Option<&str>) -> String {
    let letters = |text: &str| {
        let letters = text.chars().map(|letter| match letter {
            '_' => "_1".to_owned(),
            '/' => "_".to_owned(),
            ';' => "_2".to_owned(),
            '[' => "_3".to_owned(),
            '(' | ')' => "$".to_owned(),
            letter => letter.to_string(),
        });
        letters.collect::<String>()
    };
    let package = match vm.is_app_class(interface) {
        true => package_of(vm, interface),
        false => PACKAGE.to_owned(),
    };
    let interface = letters(vm.class_name(interface));
    let field = letters(field.unwrap_or_default());
    format!("{package}{PREFIX}{interface}$${field}")
}

/// Returns the abstract methods of a class or interface that a concrete subclass must implement.
/// Those of subtypes come first: their types are the most specific.
pub(crate) fn abstract_methods(vm: &Vm, interface: ClassId) -> Vec<MethodId> {
    let mut found: Vec<MethodId> = Vec::new();
    let object = vm.loaded_class(OBJECT);
    let this = vm.class(interface);
    let above = this.display.iter().rev().chain(&this.all_interfaces);
    let above = above.copied().filter(|&one| one != interface);
    for class in std::iter::once(interface).chain(above) {
        for &method in &vm.class(class).methods {
            let this = vm.method(method);
            let (name, descriptor) = (vm.text(this.name), vm.text(this.descriptor));
            let is_of_objects =
                object.is_some_and(|object| vm.declared_method(object, name, descriptor).is_some());
            let has_default = vm
                .resolve_method(interface, this.name, this.descriptor)
                .is_some_and(|found| !vm.method(found).is_abstract());
            let is_known = |&other: &MethodId| {
                let other = vm.method(other);
                (other.name, other.descriptor) == (this.name, this.descriptor)
            };
            if this.is_abstract() && !is_of_objects && !has_default && !found.iter().any(is_known) {
                found.push(method);
            }
        }
    }
    found
}

/// Returns the abstract methods of an interface that one lambda implements together. Empty if two
/// have different names or parameters, or one is generic, or if the interface is sealed (JLS §9.8,
/// §15.27.3).
pub(crate) fn functional(vm: &Vm, interface: ClassId) -> Vec<MethodId> {
    let this = vm.class(interface);
    let is_sealed = this
        .file
        .as_ref()
        .is_some_and(|file| file.info.permitted.is_some());
    if !this.is_interface() || is_sealed || this.flags & flags::ANNOTATION != 0 {
        return Vec::new();
    }
    let found = abstract_methods(vm, interface);
    let signature = |method: MethodId| Signature::of(vm, method);
    let erased =
        |method: MethodId| signature(method).erased_in(vm, interface, vm.method(method).class);
    let is_one = found.windows(2).all(|pair| {
        vm.method(pair[0]).name == vm.method(pair[1]).name && erased(pair[0]) == erased(pair[1])
    }) && !found.iter().any(|&method| signature(method).is_generic);
    let is_open = found
        .iter()
        .all(|&method| vm.method(method).flags & flags::PUBLIC != 0);
    match is_one && is_open {
        true => found,
        false => Vec::new(),
    }
}
