//! Decides whether sequences can do everything that Java code could do with the objects of a
//! system.
//!
//! Only then does an exhausted search show anything about other code. Other code may reach further
//! states through members that tests cannot use, exposed lists and arrays, and inherited library
//! members. It may also reach them through static state of classes outside the system, through
//! the environment, and in subclasses that are not on the class path: these choose the arguments of
//! an abstract class's constructor, and run in the middle of calls what they override.
//!
//! Invariant: on a positive answer, only reflection and threads can do more.

use heapwright_jvm::class::flags;
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::subject_code::SubjectCode;
use crate::Error;
use crate::packages::{is_extensible, is_hidden};
use crate::sequences::analysis::nondeterminism::Cause;
use crate::sequences::analysis::receivers::{is_constant, receivers};
use crate::sequences::analysis::static_analysis::Analysis;
use crate::statements::{Invokable, StatementKind};
use crate::target::called_back;

/// Whether the invokables of a system cover everything that can be done with its objects, and with
/// those of the classes that are `whole` under test.
///
/// # Errors
/// A class is broken.
pub(in crate::sequences) fn is_all(
    vm: &mut Vm,
    analysis: &Analysis,
    code: &SubjectCode,
    whole: &[ClassId],
) -> Result<bool, Error> {
    let classes = &analysis.classes;
    // Other code may hold an object by another type than that with which a method returns it.
    let hidden = whole.iter().filter(|&&class| is_hidden(vm, class));
    let mut for_others = hidden.flat_map(|&class| called_back(vm, whole, class));
    let is_called = |method| analysis.invokables.iter().any(|one| calls(vm, one, method));
    if !for_others.all(is_called) {
        return Ok(false);
    }
    if !analysis.flows.are_whole() {
        return Ok(false);
    }
    // What a subclass elsewhere overrides sees states between those before and after a call.
    if !code.open_sites.is_empty() || code.accesses_unnamed {
        return Ok(false);
    }
    let is_foreign = |cause: &Cause| match cause {
        Cause::World => true,
        // Static state of the library counts as constant.
        Cause::Static(class) => vm.is_app_class(*class) && !classes.contains(class),
        Cause::Printing => false,
    };
    // With assertions disabled, calls continue that throw here.
    if !code.switches.is_empty() || code.causes.iter().any(|(_, cause)| is_foreign(cause)) {
        return Ok(false);
    }
    for invokable in &analysis.invokables {
        let is_support = !invokable.contents.is_empty();
        if let Some(given) = &invokable.result
            && !is_support
            && !is_known(vm, classes, given)?
        {
            return Ok(false);
        }
    }
    for &class in classes {
        let display = vm.class(class).display.clone();
        for above in display {
            let is_seen = match vm.is_app_class(above) {
                true => has_all_members(vm, analysis, above)?,
                false => is_plain(vm, above),
            };
            if !is_seen {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Whether objects of a type are immutable, or changed only by statements.
fn is_known(vm: &mut Vm, classes: &[ClassId], descriptor: &str) -> Result<bool, Error> {
    if is_constant(vm, descriptor) {
        return Ok(true);
    }
    let name = heapwright_jvm::descriptor::class_name(descriptor);
    let Ok(bound) = vm.load_class(name) else {
        return Ok(false);
    };
    if vm.class(bound).flags & flags::ENUM != 0 && classes.contains(&bound) {
        return Ok(true);
    }
    let made = receivers(vm, bound)?;
    let is_made = |class: &ClassId| vm.is_app_class(*class) && classes.contains(class);
    Ok(!made.is_empty() && made.iter().all(is_made))
}

/// Whether the inherited part of a library class has no state.
fn is_plain(vm: &Vm, class: ClassId) -> bool {
    const PLAIN: [&str; 3] = ["java/lang/Object", "java/lang/Enum", "java/lang/Record"];
    PLAIN.contains(&vm.class_name(class))
}

/// Whether all members of a class that other classes can use are statements.
fn has_all_members(vm: &mut Vm, analysis: &Analysis, class: ClassId) -> Result<bool, Error> {
    let below = vm.loaded_classes();
    let mut below = below.filter(|&below| vm.is_subclass(below, class));
    if below.all(|below| is_hidden(vm, below)) {
        return Ok(true);
    }
    let methods = vm.class(class).methods.clone();
    let missing = |&method: &MethodId| {
        is_for_others(vm, class, method)
            && !analysis.invokables.iter().any(|one| calls(vm, one, method))
    };
    if methods.iter().any(missing) {
        return Ok(false);
    }
    // A library may set fields with annotations at any time, by reflection.
    let fixed = flags::STATIC | flags::FINAL;
    let mut fields = vm.class(class).fields.iter();
    if fields.any(|field| field.is_annotated && field.flags & fixed == 0) {
        return Ok(false);
    }
    let fields = vm.class(class).fields.iter();
    let fields = fields.filter(|field| field.flags & (flags::PRIVATE | flags::SYNTHETIC) == 0);
    let fields = fields.map(|field| {
        let (name, descriptor) = (vm.text(field.name), vm.text(field.descriptor));
        (field.flags, name.to_owned(), descriptor.to_owned())
    });
    let fields: Vec<(u16, String, String)> = fields.collect();
    for (field_flags, name, descriptor) in fields {
        let stores = |one: &Invokable| {
            matches!(&one.kind, StatementKind::StoreField(field)
                if field.name == name && are_kin(vm, field.class, class))
        };
        if field_flags & flags::FINAL == 0 && !analysis.invokables.iter().any(stores)
            || !is_known(vm, &analysis.classes, &descriptor)?
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether other classes can call a method by name, and it does anything.
fn is_for_others(vm: &Vm, class: ClassId, method: MethodId) -> bool {
    let this = vm.method(method);
    let name = vm.text(this.name);
    let is_enum = vm.class(class).flags & flags::ENUM != 0;
    let is_listing = is_enum && this.is_static() && matches!(name, "values" | "valueOf");
    let is_made = flags::PRIVATE | flags::SYNTHETIC;
    this.flags & is_made == 0
        && !this.is_abstract()
        && name != "<clinit>"
        && !is_listing
        // Only subclasses call constructors of an abstract class.
        && (name != "<init>" || !is_enum && (!vm.class(class).is_abstract() || is_extensible(vm, class)))
}

/// Whether a statement calls a method, or one that overrides it or that it overrides.
fn calls(vm: &Vm, invokable: &Invokable, method: MethodId) -> bool {
    let this = vm.method(method);
    match invokable.kind {
        StatementKind::Call(call) if !call.has_receiver() => call.method == method,
        StatementKind::Call(call) => {
            let called = vm.method(call.method);
            (called.name, called.descriptor) == (this.name, this.descriptor)
                && are_kin(vm, called.class, this.class)
        }
        _ => false,
    }
}

fn are_kin(vm: &Vm, first: ClassId, second: ClassId) -> bool {
    vm.is_subclass(first, second) || vm.is_subclass(second, first)
}
