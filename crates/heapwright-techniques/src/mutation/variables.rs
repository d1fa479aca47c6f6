//! Definite assignment: which local variables surely hold a value of a kind before each
//! instruction (forward data flow; cf. JLS §16).
//!
//! **Invariant:** a variable that counts as assigned is so on every path, exceptional ones included.

use heapwright_code::ControlFlow;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::{ListedOperation, Listing};
use heapwright_jvm::{MethodId, Vm};

/// Kinds of the values that local variables surely hold, by first word. Small integers count as
/// ints; truth values of parameters do not count.
pub(super) type Assigned = Vec<Option<Kind>>;

/// Returns what is assigned before each instruction; `None` before those that are unreachable.
pub(super) fn assigned(vm: &Vm, method: MethodId, listing: &Listing) -> Vec<Option<Assigned>> {
    let flow = ControlFlow::new(listing);
    let mut before: Vec<Option<Assigned>> = vec![None; listing.instructions.len()];
    if before.is_empty() {
        return before;
    }
    let mut first: Assigned = vec![None; usize::from(listing.max_locals)];
    for (word, descriptor) in parameters(vm, method) {
        if let Some(variable) = first.get_mut(usize::from(word)) {
            *variable = held(Kind::of(&descriptor));
        }
    }
    before[0] = Some(first);
    let mut open = vec![0];
    while let Some(place) = open.pop() {
        let Some(state) = before[place].clone() else {
            continue;
        };
        let after = behind(&listing.instructions[place].step, &state);
        let mut reach = |to: usize, state: &Assigned| {
            let is_new = match &mut before[to] {
                Some(known) => join(known, state),
                unknown => {
                    *unknown = Some(state.clone());
                    true
                }
            };
            if is_new {
                open.push(to);
            }
        };
        // An exception may come before or after the assignment.
        for handler in flow.handlers(place) {
            reach(handler, &state);
            reach(handler, &after);
        }
        for &next in flow.next(place) {
            reach(next, &after);
        }
    }
    before
}

/// Returns the parameters of a method with their first words, the receiver included.
pub(super) fn parameters(vm: &Vm, method: MethodId) -> Vec<(u16, String)> {
    let this = vm.method(method);
    let text = vm.text(this.descriptor);
    let (declared, _) = descriptor::split_method(text).unwrap_or_default();
    let mut parameters = Vec::new();
    let mut word = 0;
    if !this.is_static() {
        parameters.push((word, format!("L{};", vm.class_name(this.class))));
        word += 1;
    }
    for parameter in declared {
        parameters.push((word, parameter.to_owned()));
        word += Kind::of(parameter).words();
    }
    parameters
}

/// Returns the kind as which a variable holds a value; `None` for those that do not count.
pub(super) fn held(kind: Kind) -> Option<Kind> {
    match kind {
        Kind::Byte | Kind::Char | Kind::Short | Kind::Int => Some(Kind::Int),
        Kind::Boolean | Kind::Void => None,
        _ => Some(kind),
    }
}

fn behind(step: &ListedOperation, state: &Assigned) -> Assigned {
    let mut after = state.clone();
    if let ListedOperation::Store(kind, word) = *step {
        let word = usize::from(word);
        // A number of two words ends where another one begins.
        if let Some(before) = word.checked_sub(1)
            && matches!(after[before], Some(Kind::Long | Kind::Double))
        {
            after[before] = None;
        }
        for (offset, variable) in after.iter_mut().skip(word).enumerate() {
            match offset {
                0 => *variable = held(kind),
                1 if kind.words() == 2 => *variable = None,
                _ => break,
            }
        }
    }
    after
}

fn join(known: &mut Assigned, other: &Assigned) -> bool {
    let mut has_changed = false;
    for (variable, other) in known.iter_mut().zip(other) {
        if variable.is_some() && *variable != *other {
            *variable = None;
            has_changed = true;
        }
    }
    has_changed
}
