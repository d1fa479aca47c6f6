//! Stubs for parameters and receivers of abstract classes and interfaces of which nothing else
//! creates an object. A test writes each as an anonymous class.
//!
//! Each such type gets a generated class. Its constructor takes the values that its methods return,
//! which are open like arguments. The statement of a stub is a call of that constructor.
//!
//! Invariant: the compiler accepts the anonymous class, and its methods override all abstract ones.

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::collections::ArgumentCollection;
use super::invokables::Scope;
use super::lambda_stubs::declared;
use crate::functional::{Implementation, StubResult, abstract_methods, anonymous_class};
use crate::packages::{TestPackage, package_of};
use crate::signatures::{Signature, Type, Variables, of_class};
use crate::statements::{AnonymousClass, AnonymousMethod, Invokable, is_value};
use crate::target::{inner_class, needs_outer};

/// Maximum number of methods of an anonymous class. Larger ones say little in a test.
const MAX_METHODS: usize = 32;

/// Returns the stubs for parameters and receivers without objects, which `lacking` lists as numbers
/// of invokables with places, in their order.
pub(in crate::sequences) fn needed(
    vm: &mut Vm,
    invokables: &[Invokable],
    lacking: &[(usize, usize)],
    scope: &Scope,
) -> Vec<ArgumentCollection> {
    let mut needed: Vec<ArgumentCollection> = Vec::new();
    for &(number, place) in lacking {
        let taken = &invokables[number].parameters[place];
        let Ok(class) = vm.load_class(descriptor::class_name(&taken.descriptor)) else {
            continue;
        };
        let is_known = |support: &ArgumentCollection| support.class == class;
        if needed.iter().chain(&scope.supports).any(is_known) || is_value(vm, &taken.descriptor) {
            continue;
        }
        let declared = extended(vm, invokables, class, &taken.descriptor);
        let stubs = stubs(vm, class, &declared, &TestPackage::of(vm, scope.classes[0]));
        needed.extend(stubs.into_iter().map(ArgumentCollection::anonymous));
    }
    needed
}

/// Returns the type that a stub extends: with the type arguments of all parameters of the class, or
/// raw if they differ.
fn extended(vm: &Vm, invokables: &[Invokable], class: ClassId, descriptor: &str) -> Type {
    let mut types: Vec<Type> = Vec::new();
    for invokable in invokables {
        for (place, taken) in invokable.parameters.iter().enumerate() {
            if taken.descriptor == descriptor && !taken.is_receiver {
                let one = bound_arguments(vm, class, declared(vm, invokable, place));
                if !types.contains(&one) {
                    types.push(one);
                }
            }
        }
    }
    match <[Type; 1]>::try_from(types) {
        Ok([only]) => only,
        Err(_) => Type::Class(vm.class_name(class).to_owned(), Vec::new()),
    }
}

/// Returns the declared type of a parameter with type arguments that an anonymous class can have:
/// classes that are not generic themselves. Without such the type is raw.
fn bound_arguments(vm: &Vm, class: ClassId, (declared, variables): (Type, Variables)) -> Type {
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
    let erased = declared.erased(&variables);
    match descriptor::class_name(&erased) == vm.class_name(class) && bound.iter().all(is_plain) {
        true => Type::Class(vm.class_name(class).to_owned(), bound),
        false => raw,
    }
}

/// Returns the stubs of an abstract class, one for each constructor that anonymous classes can
/// call, or the stub of an interface. None if no test can write them.
fn stubs(
    vm: &mut Vm,
    class: ClassId,
    declared: &Type,
    package: &TestPackage,
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
        || needs_outer(vm, class) && !vm.class(class).is_interface()
        || !is_nameable(vm, package, &descriptor::of_class(vm.class_name(class)))
    {
        return Vec::new();
    }
    let Some(methods) = methods(vm, class, declared, package) else {
        return Vec::new();
    };
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
    let contents = match declared {
        Type::Class(_, arguments) => arguments.as_slice(),
        _ => &[],
    };
    let contents = contents.iter().map(|one| one.erased(&Variables::new()));
    let contents: Vec<String> = contents.collect();
    let (mut fields, mut answered, mut written) = (Vec::new(), Vec::new(), Vec::new());
    for (method, all) in methods {
        let field = (method.answer == StubResult::Held).then_some(fields.len());
        answered.extend(all.into_iter().map(|one| Implementation {
            method: one,
            field,
            parameters: method.parameters.clone(),
        }));
        fields.extend(field.map(|_| method.returns.clone()));
        written.push(method);
    }
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
        })
    });
    made.collect()
}

/// Returns the methods of an anonymous class, each with the abstract methods that it implements.
/// `None` if there are too many or one cannot be written.
fn methods(
    vm: &mut Vm,
    class: ClassId,
    declared: &Type,
    package: &TestPackage,
) -> Option<Vec<(AnonymousMethod, Vec<MethodId>)>> {
    let is_generic = !of_class(vm, class).0.is_empty();
    let is_raw = is_generic && matches!(declared, Type::Class(_, given) if given.is_empty());
    let mut methods: Vec<(AnonymousMethod, Vec<MethodId>)> = Vec::new();
    for method in abstract_methods(vm, class) {
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
