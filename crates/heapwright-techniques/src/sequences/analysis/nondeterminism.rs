//! What decides what code does besides what it is given: static state, the world around it, other machines.
//!
//! Invariant: code without such a cause does the same whenever it is given the same.

use heapwright_code::Site;
use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind, is_value_class};
use heapwright_jvm::listing::{Listing, Member, Step};
use heapwright_jvm::{ClassId, MethodId, Vm};

use super::receivers;

/// What decides what code does besides what it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sequences) enum Cause {
    /// Static state of a class that may change.
    Static(ClassId),
    /// Where the program prints to.
    Printing,
    /// The time, the machine, what is installed there, what room is left.
    World,
}

/// What decides what an instruction does besides what it is given.
pub(in crate::sequences) fn cause(vm: &mut Vm, step: &Step) -> Option<Cause> {
    let world = Some(Cause::World);
    if names(step).iter().any(|name| vm.load_class(name).is_err()) {
        return world;
    }
    match step {
        // Hash codes are others on each machine, but for those of values.
        Step::Invoke(_, member) if member.name == "hashCode" && !is_value_class(&member.class) => {
            world
        }
        Step::Invoke(_, member) if member.class == "java/io/PrintStream" => {
            match member.name.starts_with("print") {
                true => Some(Cause::Printing),
                false => world,
            }
        }
        Step::Invoke(_, member) if asks_the_world(member) => world,
        Step::GetField(field, true) if field.name != "$assertionsDisabled" => {
            if field.class == "java/lang/System" {
                return Some(Cause::Printing);
            }
            let known = vm.named_field(field);
            let known = known.map(|field| (field.class, field.flags));
            let (class, field_flags) = known?;
            let is_constant = field_flags & flags::FINAL != 0;
            // Tables of switches and the constants of an enum, which only its initialiser fills.
            let is_table = is_constant && field_flags & flags::SYNTHETIC != 0;
            let is_constant = is_constant && receivers::is_constant(vm, &field.descriptor);
            (!is_table && !is_constant).then_some(Cause::Static(class))
        }
        _ => None,
    }
}

/// The classes that an instruction needs.
fn names(step: &Step) -> Vec<&str> {
    match step {
        Step::GetField(member, _) | Step::PutField(member, _) => {
            let held = Some(&member.descriptor[..]);
            let held = held.filter(|held| Kind::of(held) == Kind::Reference);
            let held = held.map(descriptor::class_name);
            held.into_iter().chain([&member.class[..]]).collect()
        }
        Step::Invoke(_, member) => vec![&member.class],
        Step::New(name) | Step::CheckCast(name) => vec![name],
        _ => Vec::new(),
    }
}

/// What decides what a method does besides its instructions: parameters of classes that are missing, and errors of
/// the machine that it catches by name.
pub(in crate::sequences) fn causes_of(
    vm: &mut Vm,
    method: MethodId,
    listing: &Listing,
) -> Vec<(Site, Cause)> {
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
    let mut causes: Vec<(Site, Cause)> = caught
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

/// Whether a method of the library says something else each time, or on each machine.
fn asks_the_world(member: &Member) -> bool {
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
            // A NaN has many forms.
            "java/lang/Double" => name == "doubleToRawLongBits",
            "java/lang/Float" => name == "floatToRawIntBits",
            // The default locale, and the default character set.
            "java/lang/String" => match name {
                "toUpperCase" | "toLowerCase" | "getBytes" => member.descriptor.starts_with("()"),
                "format" => member.descriptor.starts_with("(Ljava/lang/String;"),
                "formatted" => true,
                _ => false,
            },
            "java/lang/Class" => name.starts_with("getResource"),
            // Their order is another one in each run.
            "java/util/Set" | "java/util/Map" => matches!(name, "of" | "copyOf" | "ofEntries"),
            "java/util/stream/Collectors" => name.starts_with("toUnmodifiable"),
            "java/util/Collections" => name == "shuffle",
            _ => name == "getStackTrace",
        }
}
