//! Definite assignment: which local variables surely hold a value, and of which type, before each
//! instruction (forward data flow; cf. JLS §16).
//!
//! **Invariant:** a variable that counts as assigned is so on every path, exceptional ones included.

use std::collections::BTreeSet;
use std::rc::Rc;

use heapwright_code::ControlFlow;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::{ListedOperation, Listing};
use heapwright_jvm::{MethodId, Vm};

/// Values that local variables surely hold, by first word.
pub(super) type Assigned = Vec<Option<Held>>;

/// A value that a local variable holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// A number. Small integers count as ints; truth values of parameters do not count.
    Number(Kind),
    /// Null or an object, with the descriptor of its static type where that is one type on all
    /// paths.
    Object(Option<Rc<str>>),
}

impl Held {
    /// Returns the value of a type with a descriptor; `None` for types that do not count.
    pub(super) fn of(descriptor: &str) -> Option<Held> {
        match Kind::of(descriptor) {
            Kind::Byte | Kind::Char | Kind::Short | Kind::Int => Some(Held::Number(Kind::Int)),
            Kind::Boolean | Kind::Void => None,
            Kind::Reference => Some(Held::Object(Some(descriptor.into()))),
            number => Some(Held::Number(number)),
        }
    }

    /// Whether the values of both are surely of one type.
    pub(super) fn is_like(&self, other: &Held) -> bool {
        self == other && *self != Held::Object(None)
    }

    /// Returns the kind of the value.
    pub(super) fn kind(&self) -> Kind {
        match self {
            Held::Number(kind) => *kind,
            Held::Object(_) => Kind::Reference,
        }
    }
}

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
            *variable = Held::of(&descriptor);
        }
    }
    let joins = joins(listing, &flow);
    before[0] = Some(first);
    let mut open = vec![0];
    while let Some(place) = open.pop() {
        let Some(state) = before[place].clone() else {
            continue;
        };
        let source = place.checked_sub(1).filter(|_| !joins.contains(&place));
        let source = source.map(|source| &listing.instructions[source].step);
        let after = behind(&listing.instructions[place].step, source, &state);
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
fn parameters(vm: &Vm, method: MethodId) -> Vec<(u16, String)> {
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

/// Returns the places that control reaches otherwise than from the instruction before.
fn joins(listing: &Listing, flow: &ControlFlow) -> BTreeSet<usize> {
    let mut joins = BTreeSet::new();
    for place in 0..listing.instructions.len() {
        joins.extend(flow.next(place).iter().filter(|&&next| next != place + 1));
        joins.extend(flow.handlers(place));
    }
    joins
}

/// Returns the descriptor of the type of the object that an instruction pushes, if it tells.
fn pushed(step: &ListedOperation, state: &Assigned) -> Option<Rc<str>> {
    let result = |descriptor: &str| {
        let (_, result) = descriptor::split_method(descriptor)?;
        Some(Rc::from(result))
    };
    match step {
        ListedOperation::Load(_, word) => match &state[usize::from(*word)] {
            Some(Held::Object(descriptor)) => descriptor.clone(),
            _ => None,
        },
        ListedOperation::Text(_) => Some("Ljava/lang/String;".into()),
        ListedOperation::GetField(member, _) => Some(member.descriptor.as_str().into()),
        ListedOperation::Invoke(_, member) => result(&member.descriptor),
        ListedOperation::Dynamic(_, descriptor, _) => result(descriptor),
        ListedOperation::CheckCast(class) if !class.starts_with('[') => {
            Some(format!("L{class};").into())
        }
        ListedOperation::CheckCast(class) => Some(class.as_str().into()),
        _ => None,
    }
}

/// Returns what is assigned behind an instruction; `source` is the one that pushed what it takes.
fn behind(step: &ListedOperation, source: Option<&ListedOperation>, state: &Assigned) -> Assigned {
    let mut after = state.clone();
    if let ListedOperation::Store(kind, word) = *step {
        let word = usize::from(word);
        // A number of two words ends where another one begins.
        if let Some(before) = word.checked_sub(1)
            && matches!(after[before], Some(Held::Number(Kind::Long | Kind::Double)))
        {
            after[before] = None;
        }
        for (offset, variable) in after.iter_mut().skip(word).enumerate() {
            match offset {
                0 => {
                    *variable = match kind {
                        Kind::Reference => {
                            let descriptor = source.and_then(|source| pushed(source, state));
                            let is_object = |text: &Rc<str>| Kind::of(text) == Kind::Reference;
                            Some(Held::Object(descriptor.filter(is_object)))
                        }
                        Kind::Boolean | Kind::Void => None,
                        Kind::Byte | Kind::Char | Kind::Short => Some(Held::Number(Kind::Int)),
                        number => Some(Held::Number(number)),
                    }
                }
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
            let joined = match (&*variable, other) {
                (Some(Held::Object(_)), Some(Held::Object(_))) => Some(Held::Object(None)),
                _ => None,
            };
            has_changed |= *variable != joined;
            *variable = joined;
        }
    }
    has_changed
}
