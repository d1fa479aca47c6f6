//! Invokables of the system under test, numbered in an order that depends on the class files alone
//! (table 4.2).

use std::collections::BTreeSet;

use heapwright_jvm::class::{Method, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};
use regex::Regex;
use rustc_hash::FxHashSet;

use super::collections::{self, ArgumentCollection};
use super::hidden_members::HiddenMembers;
use super::inherited::builders;
use super::injected::injected;
use crate::Error;
use crate::packages::TestPackage;
use crate::sequences::model::MemberAccess;
use crate::statements::{
    AccessedField, CallKind, Invokable, MemberFilter, MethodCall, ParameterSpec, StatementKind,
    callables, is_value_class, names_of,
};

/// The members and objects that sequences may use.
#[derive(Clone, Debug)]
pub struct MemberScope {
    /// The system under test, the class under test first.
    pub classes: Vec<ClassId>,
    /// Methods of other classes, with their owners, that lead to objects of the system.
    pub factories: Vec<(ClassId, MethodId)>,
    /// Static fields of other classes that hold objects.
    pub constants: Vec<AccessedField>,
    /// The access level of the members that may be used.
    pub access: MemberAccess,
    /// Only members whose name matches one of these expressions are used; all if empty. A name is
    /// `add`, `add(int)` or `a.B.add(int)`, `<init>` for a constructor, or a field's name.
    pub include: Vec<Regex>,
    /// Members whose name matches one of these are not used.
    pub exclude: Vec<Regex>,
    /// Additional objects for arguments.
    pub supports: Vec<ArgumentCollection>,
    /// The classes all of whose code is under test: members of hidden ones are called through types
    /// that methods return. None if only some methods are under test.
    pub tested: Vec<ClassId>,
}

/// Returns the invokables of the system under test. Each class has its constructors, methods, enum
/// constants and fields, in declaration order. Factories, arrays and additional argument objects
/// follow. Arguments are not restricted yet ([`crate::sequences::Analysis::new`] does it).
///
/// # Errors
/// There is no class under test, or an expression in `include` matches nothing.
pub fn invokables(vm: &mut Vm, scope: &MemberScope) -> Result<Vec<Invokable>, Error> {
    let Some(&under_test) = scope.classes.first() else {
        return Err(Error::Bounds("there is no class under test".to_owned()));
    };
    let mut collector = InvokableCollector {
        scope,
        classes: scope.classes.iter().copied().collect(),
        package: TestPackage::of(vm, under_test),
        found: Vec::new(),
        filter: MemberFilter::new(&scope.include, &scope.exclude),
    };
    for &class in &scope.classes {
        if collector.is_class_visible(vm, class) {
            collector.add_methods(vm, class);
            collector.add_fields(vm, class);
        }
    }
    for &(class, method) in &scope.factories {
        collector.add_factory(vm, class, method);
    }
    for constant in &scope.constants {
        collector.found.push(Invokable {
            kind: StatementKind::LoadField(constant.clone()),
            parameters: Vec::new(),
            result: Some(constant.descriptor.clone()),
            contents: Vec::new(),
            stub: None,
        });
    }
    if !scope.tested.is_empty() {
        collector.add_hidden(vm);
    }
    if let Some(name) = collector.filter.unmatched() {
        return Err(Error::MethodNotFound {
            class: vm.binary_name(under_test),
            what: "constructor, method or field that fits",
            name,
            candidates: Vec::new(),
        });
    }
    collector.add_arrays(vm);
    for support in &scope.supports {
        collector.found.extend(support.invokables(vm));
    }
    for invokable in &mut collector.found {
        if invokable.contents.is_empty() {
            let contents = collections::contents(vm, invokable);
            for (takes, contents) in invokable.parameters.iter_mut().zip(contents) {
                if takes.contents.is_empty() {
                    takes.contents = contents;
                }
            }
        }
    }
    Ok(collector.found)
}

struct InvokableCollector<'a> {
    scope: &'a MemberScope,
    /// The classes of the scope.
    classes: FxHashSet<ClassId>,
    /// The package of the tests.
    package: TestPackage,
    found: Vec<Invokable>,
    /// The filter of the scope.
    filter: MemberFilter<'a>,
}

impl InvokableCollector<'_> {
    /// Whether tests can name a class.
    fn is_class_visible(&self, vm: &Vm, class: ClassId) -> bool {
        self.scope.access == MemberAccess::Private || self.package.names(vm, class)
    }

    /// Whether tests can access a member of a class with these access flags.
    fn is_visible(&self, vm: &Vm, class: ClassId, member: u16) -> bool {
        let needed = match member {
            _ if member & flags::PUBLIC != 0 => return true,
            _ if member & flags::PRIVATE != 0 => return self.scope.access == MemberAccess::Private,
            _ if member & flags::PROTECTED != 0 => MemberAccess::Protected,
            _ => MemberAccess::Package,
        };
        self.scope.access >= needed && self.package.has(vm, class)
    }

    fn add_methods(&mut self, vm: &mut Vm, class: ClassId) {
        let is_visible = |method: &Method| self.is_visible(vm, method.class, method.flags);
        let mut methods = callables(vm, class, is_visible);
        methods.retain(|call| vm.is_published(call.class, call.method));
        let builders = builders(vm, class, &methods);
        methods.retain(|&call| self.is_called(vm, call, &builders));
        // The sort is stable: members stay in declaration order.
        methods.sort_by_key(|call| !call.is_constructor());
        let injected = injected(vm, class);
        for call in methods {
            let before = self.found.len();
            self.add_call(vm, call);
            if call.is_constructor() {
                for added in &mut self.found[before..] {
                    added.parameters.splice(0..0, injected.iter().cloned());
                }
            }
        }
    }

    fn add_call(&mut self, vm: &Vm, call: MethodCall) {
        if self.filter.accepts(&names_of(vm, call.class, call.method)) {
            self.found.push(Invokable::of_call(vm, call));
        }
    }

    fn add_factory(&mut self, vm: &Vm, class: ClassId, method: MethodId) {
        let this = vm.method(method);
        if self.is_visible(vm, class, this.flags) {
            self.add_call(vm, MethodCall::of(vm, class, method));
        }
    }

    /// Adds calls of what classes override that tests cannot name.
    fn add_hidden(&mut self, vm: &mut Vm) {
        let tested = &self.scope.tested;
        let hidden = HiddenMembers::of(vm, tested, &self.package, self.scope.access);
        let mut calls = hidden.calls(vm, &self.found, tested, &self.package);
        calls.retain(|invokable| {
            let call = match invokable.kind {
                StatementKind::Call(call) => call,
                _ => return true,
            };
            self.filter.accepts(&names_of(vm, call.class, call.method))
        });
        self.found.extend(calls);
    }

    /// Whether a method is an invokable of a class. It must be declared in the system, or be one of the
    /// library's that change the object, and no other class of the system may already provide the call.
    fn is_called(&self, vm: &Vm, call: MethodCall, builders: &[MethodId]) -> bool {
        let class = call.class;
        let this = vm.method(call.method);
        let (name, descriptor) = (vm.text(this.name), vm.text(this.descriptor));
        let is_enum = vm.class(class).flags & flags::ENUM != 0;
        match call.kind {
            CallKind::Constructor => !is_enum,
            CallKind::Static => {
                let is_main = name == "main" && descriptor == "([Ljava/lang/String;)V";
                // An enum's constants are invokables themselves.
                let own = descriptor::of_class(vm.class_name(class));
                let lists = descriptor == format!("()[{own}")
                    || descriptor == format!("(Ljava/lang/String;){own}");
                let is_listing = is_enum && matches!(name, "values" | "valueOf") && lists;
                // What a hidden superclass declares is called by the name of the class under test,
                // as the parts of a Kotlin facade are.
                let is_under_test = class == self.scope.classes[0];
                let is_hidden = vm.class(this.class).flags & flags::PUBLIC == 0
                    && vm.is_app_class(this.class)
                    && !self.classes.contains(&this.class);
                let is_own = this.class == class || is_under_test && is_hidden;
                is_own && !is_main && !is_listing
            }
            CallKind::Instance => {
                let is_known = vm.is_app_class(this.class)
                    || builders.contains(&call.method)
                    || vm.class(class).display.contains(&this.class) && !vm.is_app_class(class);
                // The invokable of a supertype covers inherited and overridden methods.
                let is_above = |&above: &ClassId| {
                    if above == class || !self.classes.contains(&above) {
                        return false;
                    }
                    let method = vm.resolve_method(above, this.name, this.descriptor);
                    let method = method.map(|method| vm.method(method));
                    method.is_some_and(|method| {
                        self.is_class_visible(vm, above)
                            && self.is_visible(vm, method.class, method.flags)
                            && vm.class_name(method.class) != "java/lang/Object"
                    })
                };
                let owner = vm.class(class);
                let mut above = owner.display.iter().chain(&owner.all_interfaces);
                is_known && (class == self.scope.classes[0] || !above.any(is_above))
            }
        }
    }

    fn add_fields(&mut self, vm: &Vm, class: ClassId) {
        for field in &vm.class(class).fields {
            let text = vm.text(field.name);
            let this = AccessedField {
                class,
                name: text.to_owned(),
                descriptor: vm.text(field.descriptor).to_owned(),
                is_static: field.is_static(),
            };
            let names = [text.to_owned(), format!("{}.{text}", vm.binary_name(class))];
            if field.flags & flags::SYNTHETIC != 0
                || !self.is_visible(vm, class, field.flags)
                || !self.filter.accepts(&names)
            {
                continue;
            }
            if field.flags & flags::ENUM != 0 {
                self.found.push(Invokable {
                    kind: StatementKind::Constant(class, this.name),
                    parameters: Vec::new(),
                    result: Some(this.descriptor),
                    contents: Vec::new(),
                    stub: None,
                });
                continue;
            }
            let owner = (!this.is_static)
                .then(|| ParameterSpec::receiver(descriptor::of_class(vm.class_name(class))));
            let owner: Vec<ParameterSpec> = owner.into_iter().collect();
            // Loading such a value is useless: parameters of its type take open values anyway.
            if !is_made_elsewhere(vm, &self.scope.classes, &this.descriptor) {
                self.found.push(Invokable {
                    kind: StatementKind::LoadField(this.clone()),
                    parameters: owner.clone(),
                    result: Some(this.descriptor.clone()),
                    contents: Vec::new(),
                    stub: None,
                });
            }
            if field.flags & flags::FINAL == 0 {
                let mut takes = owner;
                takes.push(ParameterSpec::argument(&this.descriptor, &this.name));
                self.found.push(Invokable {
                    kind: StatementKind::StoreField(this),
                    parameters: takes,
                    result: None,
                    contents: Vec::new(),
                    stub: None,
                });
            }
        }
    }

    /// Adds the array types that invokables take, and the array types of their elements.
    fn add_arrays(&mut self, vm: &mut Vm) {
        let mut arrays: BTreeSet<String> = BTreeSet::new();
        let takes = self
            .found
            .iter()
            .flat_map(|invokable| &invokable.parameters);
        for descriptor in takes.map(|takes| &takes.descriptor) {
            let element = descriptor.trim_start_matches('[');
            let class = vm.load_class(descriptor::class_name(element));
            if Kind::of(element) == Kind::Reference
                && class.is_ok_and(|class| self.classes.contains(&class))
            {
                let dimensions = descriptor.len() - element.len();
                arrays.extend((0..dimensions).map(|at| descriptor[at..].to_owned()));
            }
        }
        for array in arrays {
            let element = ParameterSpec::argument(&array[1..], "element");
            self.found.push(Invokable {
                kind: StatementKind::NewArray(array.clone()),
                parameters: vec![element.clone()],
                result: Some(array.clone()),
                contents: Vec::new(),
                stub: None,
            });
            self.found.push(Invokable {
                kind: StatementKind::StoreElement(array.clone()),
                parameters: vec![ParameterSpec::receiver(array), element],
                result: None,
                contents: Vec::new(),
                stub: None,
            });
        }
    }
}

/// Whether values of a type need no invokable: primitives, strings and boxes, unless their class is
/// under test.
pub(in crate::sequences) fn is_made_elsewhere(
    vm: &Vm,
    classes: &[ClassId],
    descriptor: &str,
) -> bool {
    if Kind::of(descriptor) != Kind::Reference {
        return true;
    }
    let class = vm.loaded_class(descriptor::class_name(descriptor));
    class.is_some_and(|class| is_value_class(vm, class) && !classes.contains(&class))
}

/// Returns the display name of an invokable: `updateTemperature(int)`, `Player(String)`,
/// `new Player[]` or `size = x`. Members of classes other than the one under test are qualified.
#[must_use]
pub fn name(vm: &Vm, invokable: &Invokable, under_test: ClassId) -> String {
    let simple = |class: ClassId| simple_type(&descriptor::of_class(vm.class_name(class)));
    let qualified = |class: ClassId, member: &str| match class == under_test {
        true => member.to_owned(),
        false => format!("{}.{member}", simple(class)),
    };
    match &invokable.kind {
        StatementKind::Call(call) => {
            let member = match call.kind {
                CallKind::Constructor => simple(call.class),
                _ => qualified(call.class, vm.text(vm.method(call.method).name)),
            };
            format!("{member}({})", parameters(invokable))
        }
        StatementKind::LoadField(field) => format!("x = {}", qualified(field.class, &field.name)),
        StatementKind::StoreField(field) => format!("{} = x", qualified(field.class, &field.name)),
        StatementKind::Constant(class, constant) => format!("{}.{constant}", simple(*class)),
        StatementKind::NewArray(array) => format!("new {}", simple_type(array)),
        StatementKind::StoreElement(array) => {
            format!("{} = x", simple_type(array).replacen("[]", "[i]", 1))
        }
    }
}

fn parameters(invokable: &Invokable) -> String {
    let takes = invokable
        .parameters
        .iter()
        .filter(|takes| !takes.is_receiver);
    let types: Vec<String> = takes.map(|takes| simple_type(&takes.descriptor)).collect();
    types.join(",")
}

/// Returns a type in Java notation, without its package and enclosing classes.
pub(in crate::sequences) fn simple_type(descriptor: &str) -> String {
    let name = descriptor::to_java(descriptor);
    let simple = name.rsplit(['.', '$']).next();
    simple.unwrap_or(&name).to_owned()
}
