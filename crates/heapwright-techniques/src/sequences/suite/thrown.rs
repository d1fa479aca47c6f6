//! Messages and causes of exceptions that tests assert.
//!
//! Invariant: code of the class path made the message. Those of the library and of the machine
//! differ between releases.

use heapwright_jvm::machine::is_symbolic;
use heapwright_jvm::{Ref, Vm};
use heapwright_suite::{Literal, Observation};

use super::values::MAX_TEXT;
use super::writer::ScriptWriter;
use crate::functional::is_stub;

/// Exceptions that the machine throws with messages of its own.
const OF_MACHINE: [&str; 8] = [
    "java/lang/ArithmeticException",
    "java/lang/ArrayIndexOutOfBoundsException",
    "java/lang/ArrayStoreException",
    "java/lang/ClassCastException",
    "java/lang/IllegalMonitorStateException",
    "java/lang/NegativeArraySizeException",
    "java/lang/NullPointerException",
    "java/lang/StackOverflowError",
];

impl ScriptWriter<'_> {
    /// Returns the message of an exception and the class of its cause, as far as a test can assert
    /// them.
    pub(super) fn parts_of_exception(&mut self, vm: &mut Vm, thrown: Ref) -> Vec<Observation> {
        let mut parts = Vec::new();
        let message = field(vm, thrown, "detailMessage");
        if let Some(message) = message.filter(|message| !message.is_null()) {
            let text = vm.string_text(message);
            let units = vm.string_units(message);
            let is_written = units.len() <= MAX_TEXT && text.encode_utf16().eq(units);
            let is_own = is_of_program(vm, thrown, &text) && !repeats_cause(vm, thrown, &text);
            if is_written && is_own && is_plain(vm, thrown, "getMessage", "()Ljava/lang/String;") {
                let text = Literal::String(text);
                parts.push(Observation::Message { text });
            }
        }
        if let Some(cause) = cause_of(vm, thrown)
            && is_plain(vm, thrown, "getCause", "()Ljava/lang/Throwable;")
        {
            let class = vm.heap.class_of(cause);
            let class = self.reader.class_sig(vm, class);
            if class.source_name.is_some() {
                parts.push(Observation::Cause { class });
            }
        }
        parts
    }
}

/// Whether an exception does not override a method of `Throwable`.
fn is_plain(vm: &mut Vm, thrown: Ref, name: &str, descriptor: &str) -> bool {
    let class = vm.heap.class_of(thrown);
    let Ok(throwable) = vm.load_class("java/lang/Throwable") else {
        return false;
    };
    let named = vm.declared_method(throwable, name, descriptor);
    named.is_some_and(|named| vm.select(class, named) == Some(named))
}

/// Whether a message contains that of a cause which the program did not make.
fn repeats_cause(vm: &mut Vm, thrown: Ref, message: &str) -> bool {
    let Some(cause) = cause_of(vm, thrown) else {
        return false;
    };
    let held = field(vm, cause, "detailMessage").filter(|held| !held.is_null());
    held.is_some_and(|held| {
        let text = vm.string_text(held);
        message.contains(&text) && !is_of_program(vm, cause, &text)
    })
}

/// Returns the cause of an exception; one without a cause is its own.
fn cause_of(vm: &mut Vm, thrown: Ref) -> Option<Ref> {
    let cause = field(vm, thrown, "cause")?;
    (!cause.is_null() && cause != thrown).then_some(cause)
}

/// Whether code of the class path made the message of an exception.
fn is_of_program(vm: &Vm, thrown: Ref, message: &str) -> bool {
    let frames = vm.trace_of(thrown);
    let mut classes = frames.iter().map(|(method, _)| vm.method(*method).class);
    let Some(innermost) = classes.next() else {
        return false;
    };
    if is_stub(vm, innermost) {
        return false;
    }
    let name = vm.class_name(vm.heap.class_of(thrown));
    if vm.is_app_class(innermost) && !OF_MACHINE.contains(&name) {
        return true;
    }
    // A method of the library, such as `Objects.requireNonNull`, may have got the message.
    let mut program = std::iter::once(innermost).chain(classes);
    let program = program.find(|&class| vm.is_app_class(class));
    program.is_some_and(|class| vm.mentions(class, message))
}

fn field(vm: &mut Vm, thrown: Ref, name: &str) -> Option<Ref> {
    let throwable = vm.load_class("java/lang/Throwable").ok()?;
    let word = vm.find_field(throwable, name)?.word;
    let slot = vm.heap.field(thrown, word);
    // A text that nothing has read yet may be a term.
    (!is_symbolic(slot)).then(|| Ref::from_slot(slot))
}
