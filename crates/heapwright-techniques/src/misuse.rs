//! Exceptions by which a method refuses a misuse, as opposed to those that show a fault. These are
//! the only such rules in the program.
//!
//! Two things count: the class of an exception ([`Misuse`]), and the code that made it
//! ([`refuses`]).

use heapwright_code::GuardedCode;
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};

use crate::functional::is_thrown_by_stub;
use crate::{Error, target};

/// The class of the library whose methods refuse their arguments, and do nothing else by exceptions.
const GUARDS: &str = "java/util/Objects";
/// Maximum number of exceptions followed from one to its cause.
const MAX_CAUSES: usize = 16;

/// The exceptions by which methods usually refuse calls.
const REFUSALS: [&str; 4] = [
    "java.lang.IllegalArgumentException",
    "java.lang.IllegalStateException",
    "java.util.NoSuchElementException",
    "java.lang.UnsupportedOperationException",
];
/// The exceptions that Politano et al. 2023, §3.4, consider misuse.
const PAPER: [&str; 2] = [REFUSALS[0], REFUSALS[1]];

/// Rule for the exceptions that count as misuse.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum MisuseRule {
    /// The usual refusals, null pointers with a null argument, and indices out of bounds with an
    /// integer argument.
    #[default]
    Usual,
    /// `IllegalArgumentException` and `IllegalStateException` alone.
    Paper,
    /// Only these, by binary name or, in `java.lang` and `java.util`, by simple name.
    These(Vec<String>),
}

/// The exceptions that count as misuse, resolved on one machine.
#[derive(Clone, Debug)]
pub struct Misuse {
    classes: Vec<ClassId>,
    null_pointer: Option<ClassId>,
    out_of_bounds: Option<ClassId>,
}

impl Misuse {
    /// Resolves the exception classes.
    ///
    /// # Errors
    /// An exception does not exist.
    pub fn new(vm: &mut Vm, rule: &MisuseRule) -> Result<Misuse, Error> {
        let names: Vec<&str> = match rule {
            MisuseRule::Usual => REFUSALS.to_vec(),
            MisuseRule::Paper => PAPER.to_vec(),
            MisuseRule::These(names) => names.iter().map(String::as_str).collect(),
        };
        let mut classes = Vec::new();
        for name in names {
            classes.push(exception(vm, "", name)?);
        }
        let mut usual = |name| match rule {
            MisuseRule::Usual => target::find_class(vm, name).map(Some),
            MisuseRule::Paper | MisuseRule::These(_) => Ok(None),
        };
        Ok(Misuse {
            classes,
            null_pointer: usual("java.lang.NullPointerException")?,
            out_of_bounds: usual("java.lang.IndexOutOfBoundsException")?,
        })
    }

    /// Adds a further exception, resolved like [`exception`].
    ///
    /// # Errors
    /// The exception does not exist.
    pub fn expect(&mut self, vm: &mut Vm, package: &str, name: &str) -> Result<(), Error> {
        self.classes.push(exception(vm, package, name)?);
        Ok(())
    }

    /// Whether an exception of `class` is misuse. It must be a named one, a null pointer if an
    /// argument is null, or an index out of bounds if an argument is an integer. Subclasses of
    /// `IndexOutOfBoundsException` do not count: they come from unchecked accesses.
    #[must_use]
    pub fn covers(&self, vm: &Vm, class: ClassId, has_null: bool, has_integer: bool) -> bool {
        let is = |expected: &ClassId| vm.is_subclass(class, *expected);
        self.classes.iter().any(is)
            || has_null && self.null_pointer.iter().any(is)
            || has_integer && self.out_of_bounds == Some(class)
    }
}

/// Whether the program refuses the call that ended with an exception: its own code made the
/// exception, or the library made it of arguments that the call has handed on as they were. The
/// machine's own exceptions, such as those of a division by 0, refuse nothing, nor do exceptions that
/// one of these has caused.
///
/// An `AssertionError` refuses a call only where the assertion looks at an argument, or nothing is
/// asked before. Others show that the program is in a state that its author excluded.
#[must_use]
pub fn refuses(vm: &Vm, thrown: Ref) -> bool {
    let mut causes = with_causes(vm, thrown).skip(1);
    is_refusal(vm, thrown) && !causes.any(|cause| is_of_machine(vm, cause))
}

/// Whether an exception is that of a null which the program does not guard against: neither its own code
/// nor a stub made it, nor a guard of the library that its code calls.
pub(crate) fn is_of_unguarded_null(vm: &Vm, thrown: Ref) -> bool {
    let class = vm.class_name(vm.heap.class_of(thrown));
    if class != "java/lang/NullPointerException" || is_thrown_by_stub(vm, thrown) {
        return false;
    }
    let frames = vm.trace_places_of(thrown);
    match frames.iter().position(|&frame| is_of_program(vm, frame)) {
        Some(0) => !is_construction(vm, frames[0]),
        Some(own) => vm.class_name(vm.method(frames[own - 1].0).class) != GUARDS,
        None => true,
    }
}

/// Returns an exception, and those that caused it.
pub(crate) fn with_causes(vm: &Vm, thrown: Ref) -> impl Iterator<Item = Ref> {
    let throwable = vm.loaded_class("java/lang/Throwable");
    let cause = throwable.and_then(|class| vm.find_field(class, "cause"));
    let word = cause.map(|field| field.word);
    let causes = std::iter::successors(Some(thrown), move |&thrown| {
        let cause = Ref::from_slot(vm.heap.load(thrown.0 + word?));
        // An exception without a cause is its own.
        (!cause.is_null() && cause != thrown).then_some(cause)
    });
    causes.take(MAX_CAUSES)
}

/// Place in code: a method, and the bytecode index of an instruction if it has bytecode.
type Place = (MethodId, Option<u16>);

fn is_refusal(vm: &Vm, thrown: Ref) -> bool {
    let frames = vm.trace_places_of(thrown);
    let own = frames.iter().position(|&frame| is_of_program(vm, frame));
    match own {
        None => false,
        Some(0) if !is_construction(vm, frames[0]) => false,
        Some(0) if is_a(vm, thrown, "java/lang/AssertionError") => {
            is_assertion_on_argument(vm, &frames)
        }
        Some(0) => true,
        Some(own) => {
            let guard = vm.method(frames[own - 1].0).class;
            let is_guard = vm.class_name(guard) == GUARDS;
            let is_usual = is_a(vm, thrown, "java/lang/RuntimeException");
            is_guard || is_usual && hand_on(vm, &frames[own..])
        }
    }
}

/// Whether an instruction of the program has thrown an exception by itself.
fn is_of_machine(vm: &Vm, thrown: Ref) -> bool {
    let innermost = vm.trace_places_of(thrown).first().copied();
    innermost.is_some_and(|frame| is_of_program(vm, frame) && !is_construction(vm, frame))
}

/// Whether the assertion at the first of these places looks at a parameter that is an argument of the
/// call at the last one, or at nothing in a method whose arguments are.
fn is_assertion_on_argument(vm: &Vm, frames: &[Place]) -> bool {
    let guarded = in_code(vm, frames[0], |code, at| code.guarded(at));
    let Some(mut words) = guarded.flatten() else {
        return false;
    };
    frames[1..].iter().all(|&frame| {
        let handed_on = in_code(vm, frame, |code, at| code.handed_on(at, &words));
        words = handed_on.unwrap_or_default();
        is_of_program(vm, frame) && !words.is_empty()
    })
}

/// Whether the calls at these places have got their arguments from the callers as they are.
fn hand_on(vm: &Vm, frames: &[Place]) -> bool {
    let mut frames = frames.iter();
    frames.all(|&frame| {
        let passes = in_code(vm, frame, |code, at| code.passes_parameters(at));
        is_of_program(vm, frame) && passes.unwrap_or_default()
    })
}

fn is_of_program(vm: &Vm, (method, _): Place) -> bool {
    vm.is_app_class(vm.method(method).class)
}

fn is_construction(vm: &Vm, frame: Place) -> bool {
    in_code(vm, frame, |code, at| code.is_construction(at)).unwrap_or_default()
}

fn is_a(vm: &Vm, thrown: Ref, class: &str) -> bool {
    let class = vm.loaded_class(class);
    class.is_some_and(|class| vm.is_subclass(vm.heap.class_of(thrown), class))
}

/// What code says of a place; `None` if it has no bytecode.
fn in_code<T>(
    vm: &Vm,
    (method, at): Place,
    of: impl FnOnce(&GuardedCode<'_>, u16) -> T,
) -> Option<T> {
    let (at, listing) = (at?, vm.listing(method).ok()?);
    let method = vm.method(method);
    let descriptor = vm.text(method.descriptor);
    let code = GuardedCode::new(&listing, descriptor, method.is_static());
    Some(of(&code, at))
}

/// Finds an exception class by binary name or, in `java.lang`, `java.util` and a package, by simple
/// name.
///
/// # Errors
/// There is none, or it is no exception.
pub fn exception(vm: &mut Vm, package: &str, name: &str) -> Result<ClassId, Error> {
    let mut names = vec![name.to_owned()];
    if !name.contains('.') {
        names
            .extend(["java.lang", "java.util", package].map(|package| format!("{package}.{name}")));
    }
    let mut found = Err(Error::ClassNotFound(name.to_owned()));
    for name in names {
        found = found.or_else(|_| target::find_class(vm, &name));
    }
    let found = found.map_err(|_| Error::ClassNotFound(name.to_owned()))?;
    let throwable = target::find_class(vm, "java.lang.Throwable")?;
    if vm.class(found).is_interface() || !vm.is_subclass(found, throwable) {
        return Err(Error::BadClass {
            class: name.to_owned(),
            reason: "it is no exception".to_owned(),
        });
    }
    Ok(found)
}
