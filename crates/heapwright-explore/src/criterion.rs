//! A criterion: a method of the structure whose value names the equivalence class that the
//! structure falls into (`eqClass` of the Korat+ paper, section 3).
//!
//! This module is independent of any search. The caller runs the called methods and supplies the
//! choices. It therefore observes every field that the class depends on, including those read by a
//! `toString`.

use std::ops::ControlFlow;

use heapwright_jvm::descriptor::{Kind, in_java};
use heapwright_jvm::{ClassId, Exit, Limit, MethodId, Ref, Vm};
use heapwright_solve::Count;
use indexmap::IndexSet;

/// Innermost frames shown of a refused call.
const FRAMES: usize = 8;
/// Identity hash codes skipped to obtain different ones.
const OTHER_HASHES: u32 = 1_000_003;

/// Name of an equivalence class: two names are equal if type and text are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClassName {
    /// Binary name of the class, for an object.
    class: Option<String>,
    /// Value as text: a primitive's value, an enum constant's name, otherwise the result of
    /// `toString`.
    pub text: String,
}

/// Class of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InClass {
    /// Number of the class in [`Coverage::classes`].
    pub number: usize,
    /// Whether the structure is the first in it.
    pub is_first: bool,
}

/// Reason why a structure has no class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoClass {
    /// The criterion has reached a limit.
    Limit(Limit),
    /// The criterion threw an exception, needed refused code, or returned a value without a name;
    /// the text says which.
    Because(String),
}

/// Method without parameters whose value names a class.
#[derive(Clone, Copy, Debug)]
pub struct Criterion {
    method: MethodId,
}

/// Count of one kind of failure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailureCount {
    /// Number of structures concerned.
    pub count: u64,
    /// Number of the first candidate or leaf concerned, from 1.
    pub candidate: Count,
    /// Description of the first failure.
    pub text: String,
}

impl FailureCount {
    /// Counts one more failure; the text of the first is retained.
    pub fn add(&mut self, candidate: &Count, text: impl FnOnce() -> String) {
        if self.count == 0 {
            self.candidate = candidate.clone();
            self.text = text();
        }
        self.count += 1;
    }

    /// Adds failures on later leaves, renumbered to follow the first `leaves`.
    fn append(&mut self, later: FailureCount, leaves: &Count) {
        if self.count == 0 {
            self.candidate = later.candidate;
            self.candidate += leaves;
            self.text = later.text;
        }
        self.count += later.count;
    }
}

/// Coverage of a criterion over the structures so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Classes with a structure, in the order of their first structures.
    pub classes: IndexSet<ClassName>,
    /// Structures without a class, because the criterion gave no result.
    pub unanswered: FailureCount,
    /// Structures on which the criterion read no chosen entry, so that its result would be the same
    /// on any other structure.
    pub independent: FailureCount,
    /// Structures that the criterion changed; the changes were undone.
    pub changed: FailureCount,
}

impl Coverage {
    /// Records the criterion's result on the candidate or leaf with this number. Returns the
    /// structure's class if the criterion named one.
    pub(crate) fn enter(
        &mut self,
        candidate: &Count,
        answer: Result<ClassName, NoClass>,
        has_read: bool,
        is_changed: bool,
    ) -> Option<InClass> {
        if is_changed {
            self.changed.add(candidate, String::new);
        }
        match answer {
            Ok(name) => {
                if !has_read {
                    self.independent.add(candidate, String::new);
                }
                let (number, is_first) = self.classes.insert_full(name);
                Some(InClass { number, is_first })
            }
            Err(NoClass::Because(text)) => {
                self.unanswered.add(candidate, || text);
                None
            }
            Err(NoClass::Limit(_)) => None,
        }
    }

    /// Adds the results on later leaves, renumbered to follow the first `leaves`.
    pub fn append(&mut self, later: Coverage, leaves: &Count) {
        self.classes.extend(later.classes);
        self.unanswered.append(later.unanswered, leaves);
        self.independent.append(later.independent, leaves);
        self.changed.append(later.changed, leaves);
    }
}

impl Criterion {
    /// Creates a criterion; `method` is an instance method without parameters that returns a value.
    #[must_use]
    pub fn new(method: MethodId) -> Criterion {
        Criterion { method }
    }

    /// The method.
    #[must_use]
    pub fn method(&self) -> MethodId {
        self.method
    }

    /// Returns the class of the structure at `root`. `run` executes the called method to its end,
    /// supplying values for unset places, or breaks off. The caller must undo the criterion's
    /// writes.
    pub fn classify(
        &self,
        vm: &mut Vm,
        root: Ref,
        mut run: impl FnMut(&mut Vm) -> ControlFlow<(), Exit>,
    ) -> ControlFlow<(), Result<ClassName, NoClass>> {
        let slot = match value(vm, self.method, root, &mut run)? {
            Ok(slot) => slot,
            Err(reason) => return ControlFlow::Continue(Err(reason)),
        };
        let kind = vm.method(self.method).result;
        let object = Ref::from_slot(slot);
        if kind != Kind::Reference || object.is_null() {
            let text = match kind {
                Kind::Reference => "null".to_owned(),
                kind => primitive_text(kind, slot),
            };
            return ControlFlow::Continue(Ok(ClassName { class: None, text }));
        }
        let text = object_text(vm, object, &mut run)?;
        let class = Some(vm.binary_name(vm.heap.class_of(object)));
        ControlFlow::Continue(text.map(|text| ClassName { class, text }))
    }
}

/// Returns the result of a method whose only argument is one object.
fn value(
    vm: &mut Vm,
    method: MethodId,
    object: Ref,
    run: &mut impl FnMut(&mut Vm) -> ControlFlow<(), Exit>,
) -> ControlFlow<(), Result<u64, NoClass>> {
    let exit = match vm.call(method, &[object.slot()]) {
        Ok(()) => run(vm)?,
        Err(exit) => exit,
    };
    ControlFlow::Continue(match exit {
        Exit::Done(slot) => Ok(slot),
        Exit::Limit(limit) => Err(NoClass::Limit(limit)),
        exit => {
            let mut text = vm.exit_text(&exit);
            for place in vm.running_at().into_iter().take(FRAMES) {
                text.push_str(&format!("\n    at {place}"));
            }
            Err(NoClass::Because(text))
        }
    })
}

/// Returns the text of an object, provided it does not depend on the object's identity.
fn object_text(
    vm: &mut Vm,
    object: Ref,
    run: &mut impl FnMut(&mut Vm) -> ControlFlow<(), Exit>,
) -> ControlFlow<(), Result<String, NoClass>> {
    let class = vm.heap.class_of(object);
    let unnamed = |vm: &Vm| {
        let name = vm.binary_name(class);
        NoClass::Because(format!(
            "its value, an object of {name}, names no class: no toString shows it by value"
        ))
    };
    let Some(method) = text_method(vm, class) else {
        return ControlFlow::Continue(Err(unnamed(vm)));
    };
    let mark = vm.mark();
    let hashes = vm.identity_hashes();
    let text = string_value(vm, method, object, run)?;
    let mut is_by_value = true;
    if text.is_ok() && vm.identity_hashes() != hashes {
        // A text with an identity hash code differs under another hash code.
        vm.undo_to(mark);
        vm.skip_identity_hashes(OTHER_HASHES);
        is_by_value = string_value(vm, method, object, run)? == text;
    }
    vm.forget(mark);
    ControlFlow::Continue(if is_by_value { text } else { Err(unnamed(vm)) })
}

/// Returns the result of an object's method that returns a string.
fn string_value(
    vm: &mut Vm,
    method: MethodId,
    object: Ref,
    run: &mut impl FnMut(&mut Vm) -> ControlFlow<(), Exit>,
) -> ControlFlow<(), Result<String, NoClass>> {
    let slot = value(vm, method, object, run)?;
    ControlFlow::Continue(slot.map(|slot| match slot {
        0 => "null".to_owned(),
        slot => vm.string_text(Ref::from_slot(slot)),
    }))
}

/// Method that shows an object of a class by value: `name` of an enum constant, that of `Arrays`
/// for an array. Otherwise it is the object's `toString`, unless that is `Object`'s.
fn text_method(vm: &mut Vm, class: ClassId) -> Option<MethodId> {
    let returns_string = "()Ljava/lang/String;";
    if let Some(element) = vm.class_name(class).strip_prefix('[') {
        let (method, elements) = match Kind::of(element) {
            Kind::Reference => ("deepToString", "Ljava/lang/Object;"),
            kind => ("toString", kind.descriptor()),
        };
        let descriptor = format!("([{elements}){}", &returns_string[2..]);
        let arrays = vm.load_class("java/util/Arrays").ok()?;
        return vm.declared_method(arrays, method, &descriptor);
    }
    let display = &vm.class(class).display;
    if let Some(&base) = display
        .iter()
        .find(|&&above| vm.class_name(above) == "java/lang/Enum")
    {
        return vm.declared_method(base, "name", returns_string);
    }
    let object = vm.load_class("java/lang/Object").ok()?;
    let declared = vm.declared_method(object, "toString", returns_string)?;
    let method = vm.select(class, declared)?;
    (method != declared).then_some(method)
}

/// Returns a primitive value as text.
fn primitive_text(kind: Kind, slot: u64) -> String {
    let int = slot as u32 as i32;
    match kind {
        Kind::Boolean => (int != 0).to_string(),
        Kind::Char => char::from_u32(int as u32).map_or_else(|| int.to_string(), String::from),
        Kind::Long => (slot as i64).to_string(),
        Kind::Float => in_java(&format!("{:?}", f32::from_bits(slot as u32))),
        Kind::Double => in_java(&format!("{:?}", f64::from_bits(slot))),
        Kind::Byte | Kind::Short | Kind::Int | Kind::Reference | Kind::Void => int.to_string(),
    }
}
