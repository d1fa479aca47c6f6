//! Causes of nondeterminism in code: static state, the environment, the machine.
//!
//! Invariant: code without such a cause does the same on every run with the same inputs.

use heapwright_code::CodeLocation;
use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind, is_value_class};
use heapwright_jvm::listing::{ListedMember, ListedOperation, Listing};
use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::FxHashSet;

use super::receivers;

/// A cause of nondeterminism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sequences) enum Cause {
    /// Mutable static state of a class.
    Static(ClassId),
    /// The streams to which the program prints.
    Printing,
    /// The clock, the machine, its installed software, its free memory.
    World,
}

/// Returns the cause of nondeterminism of an instruction, if any.
pub(in crate::sequences) fn cause(vm: &mut Vm, step: &ListedOperation) -> Option<Cause> {
    let world = Some(Cause::World);
    if names(step).iter().any(|name| vm.load_class(name).is_err()) {
        return world;
    }
    match step {
        // Hash codes differ between machines, except those of values.
        ListedOperation::Invoke(_, member)
            if member.name == "hashCode" && !is_value_class(&member.class) =>
        {
            world
        }
        ListedOperation::Invoke(_, member) if member.class == "java/io/PrintStream" => {
            match member.name.starts_with("print") {
                true => Some(Cause::Printing),
                false => world,
            }
        }
        ListedOperation::Invoke(_, member) if asks_the_world(member) => world,
        ListedOperation::GetField(field, true) if field.name != "$assertionsDisabled" => {
            if field.class == "java/lang/System" {
                return Some(Cause::Printing);
            }
            let known = vm.named_field(field);
            let known = known.map(|field| (field.class, field.flags));
            let (class, field_flags) = known?;
            if vm.is_app_class(class) && initializer_asks(vm, class) {
                return world;
            }
            let is_constant = field_flags & flags::FINAL != 0;
            // Tables of switches and enum constants are written by the initialiser only.
            let is_table = is_constant && field_flags & flags::SYNTHETIC != 0;
            let is_constant = is_constant && receivers::is_constant(vm, &field.descriptor);
            (!is_table && !is_constant).then_some(Cause::Static(class))
        }
        _ => None,
    }
}

/// Whether the initialiser of a class, or code of the program that it calls, asks the world. What it
/// asks for the switch of assertions is left out.
fn initializer_asks(vm: &mut Vm, class: ClassId) -> bool {
    let mut open: Vec<MethodId> = vm.class(class).clinit.into_iter().collect();
    let mut known: FxHashSet<MethodId> = open.iter().copied().collect();
    while let Some(method) = open.pop() {
        let Ok(listing) = vm.listing(method) else {
            continue;
        };
        for (place, listed) in listing.instructions.iter().enumerate() {
            let ListedOperation::Invoke(_, member) = &listed.step else {
                continue;
            };
            let mut behind = listing.instructions[place..].iter().take(SWITCH_LENGTH);
            let is_switch = member.name == "desiredAssertionStatus"
                && behind.any(|listed| is_switch(&listed.step));
            if !is_switch && asks_the_world(member) {
                return true;
            }
            let called = vm.named_method(member);
            let is_own = |called: &MethodId| vm.is_app_class(vm.method(*called).class);
            open.extend(called.filter(|called| is_own(called) && known.insert(*called)));
        }
    }
    false
}

/// Number of instructions of a compiler's code that sets the switch of assertions, from the call on.
const SWITCH_LENGTH: usize = 6;

/// Whether an instruction writes the switch of assertions.
fn is_switch(step: &ListedOperation) -> bool {
    matches!(step, ListedOperation::PutField(field, true) if field.name == "$assertionsDisabled")
}

/// Returns the classes that an instruction refers to.
fn names(step: &ListedOperation) -> Vec<&str> {
    match step {
        ListedOperation::GetField(member, _) | ListedOperation::PutField(member, _) => {
            let held = Some(&member.descriptor[..]);
            let held = held.filter(|held| Kind::of(held) == Kind::Reference);
            let held = held.map(descriptor::class_name);
            held.into_iter().chain([&member.class[..]]).collect()
        }
        ListedOperation::Invoke(_, member) => vec![&member.class],
        ListedOperation::New(name) | ListedOperation::CheckCast(name) => vec![name],
        _ => Vec::new(),
    }
}

/// Returns causes of nondeterminism outside a method's instructions: parameters of missing classes,
/// and handlers that catch machine errors by name.
pub(in crate::sequences) fn causes_of(
    vm: &mut Vm,
    method: MethodId,
    listing: &Listing,
) -> Vec<(CodeLocation, Cause)> {
    const ERRORS: [&str; 4] = [
        "java/lang/InternalError",
        "java/lang/OutOfMemoryError",
        "java/lang/StackOverflowError",
        "java/lang/VirtualMachineError",
    ];
    let handlers = listing.handlers.iter();
    let caught = handlers.filter(|handler| {
        let catch = handler.catch.as_deref();
        catch.is_some_and(|catch| ERRORS.contains(&catch))
    });
    let mut causes: Vec<(CodeLocation, Cause)> = caught
        .map(|handler| ((method, handler.start), Cause::World))
        .collect();
    let descriptor = vm.text(vm.method(method).descriptor).to_owned();
    let (takes, _) = descriptor::split_method(&descriptor).unwrap_or_default();
    let mut takes = takes
        .into_iter()
        .filter(|taken| Kind::of(taken) == Kind::Reference);
    if takes.any(|taken| vm.load_class(descriptor::class_name(taken)).is_err()) {
        causes.push(((method, 0), Cause::World));
    }
    causes
}

/// Whether a descriptor is that of one of `Object`'s methods `wait`.
fn is_wait(descriptor: &str) -> bool {
    matches!(descriptor, "()V" | "(J)V" | "(JI)V")
}

/// Whether a library method returns something else on each call or on each machine.
fn asks_the_world(member: &ListedMember) -> bool {
    const WORLDS: [&str; 11] = [
        "java/io/",
        "java/nio/",
        "java/net/",
        "java/time/",
        "java/text/",
        "java/security/",
        "java/lang/ref/",
        "java/util/concurrent/",
        "java/util/logging/",
        "java/util/prefs/",
        "java/util/random/",
    ];
    const CLASSES: [&str; 18] = [
        "java/lang/ClassLoader",
        "java/lang/ProcessHandle",
        "java/lang/Runtime",
        "java/lang/StackWalker",
        "java/lang/Thread",
        "java/util/Calendar",
        "java/util/Currency",
        "java/util/Date",
        "java/util/Formatter",
        "java/util/Locale",
        "java/util/Random",
        "java/util/ResourceBundle",
        "java/util/Scanner",
        "java/util/ServiceLoader",
        "java/util/SplittableRandom",
        "java/util/TimeZone",
        "java/util/UUID",
        "java/util/WeakHashMap",
    ];
    let (class, name) = (&member.class[..], &member.name[..]);
    WORLDS.iter().any(|world| class.starts_with(world))
        || CLASSES.contains(&class)
        || match class {
            "java/lang/System" => name != "arraycopy",
            "java/lang/Math" | "java/lang/StrictMath" => name == "random",
            "java/lang/Boolean" => name == "getBoolean",
            "java/lang/Integer" => name == "getInteger",
            "java/lang/Long" => name == "getLong",
            // NaN has many bit patterns.
            "java/lang/Double" => name == "doubleToRawLongBits",
            "java/lang/Float" => name == "floatToRawIntBits",
            // These depend on the default locale or the default character set.
            "java/lang/String" => match name {
                "toUpperCase" | "toLowerCase" | "getBytes" => member.descriptor.starts_with("()"),
                "format" => member.descriptor.starts_with("(Ljava/lang/String;"),
                "formatted" => true,
                _ => false,
            },
            "java/lang/Class" => {
                name.starts_with("getResource") || name == "desiredAssertionStatus"
            }
            // Their iteration order differs from run to run.
            "java/util/Set" | "java/util/Map" => matches!(name, "of" | "copyOf" | "ofEntries"),
            "java/util/stream/Collectors" => name.starts_with("toUnmodifiable"),
            "java/util/Collections" => name == "shuffle",
            // Other threads interrupt a wait.
            _ => name == "getStackTrace" || name == "wait" && is_wait(&member.descriptor),
        }
}
