//! Oracles: static methods of the user's that say whether a call did what it should, and the copy
//! of the structure before the call that they are given.

use heapwright_jvm::class::{Loader, Shape, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::heap::{ELEMENTS, HeapFull};
use heapwright_jvm::{ClassId, MethodId, Place, Ref, Vm};
use rustc_hash::FxHashMap;

use super::calls::Operation;
use crate::{Error, target};

/// Gives each operation its oracle. A request is `NAME` if one method is checked, else
/// `METHOD=NAME`; `NAME` is `method` of the class under test or `Class.method`.
///
/// # Errors
/// A request names no method that is checked, or no oracle for it.
pub(super) fn assign(
    vm: &mut Vm,
    class: ClassId,
    operations: &mut [Operation],
    requests: &[String],
) -> Result<(), Error> {
    for request in requests {
        let (selector, name) = match request.split_once('=') {
            Some((selector, name)) => (Some(selector.trim()), name.trim()),
            None => (None, request.trim()),
        };
        let fits = |operation: &&mut Operation| match selector {
            Some(selector) => {
                operation.name == selector || operation.name.split('(').next() == Some(selector)
            }
            None => true,
        };
        let fits = |operation: &&mut Operation| operation.has_receiver() && fits(operation);
        let mut fitting: Vec<&mut Operation> = operations.iter_mut().filter(fits).collect();
        let [operation] = fitting.as_mut_slice() else {
            let found: Vec<&str> = fitting.iter().map(|found| found.name.as_str()).collect();
            return Err(Error::Bounds(format!(
                "oracle {request}: an oracle is for one method, and {}; say --oracle 'name(types)={name}', \
                 or name one method with -m",
                match found.as_slice() {
                    [] => "none of those checked has that name".to_owned(),
                    found => format!("here it could be {}", found.join(", ")),
                }
            )));
        };
        operation.oracle = Some(find(vm, class, operation, name)?);
    }
    Ok(())
}

fn find(vm: &mut Vm, class: ClassId, operation: &Operation, name: &str) -> Result<MethodId, Error> {
    let (owner, simple) = match name.rsplit_once('.') {
        Some((owner, simple)) => (target::find_class(vm, owner)?, simple),
        None => (class, name),
    };
    let wanted = signature(vm, class, operation);
    let named: Vec<MethodId> = target::methods(vm, owner)
        .into_iter()
        .filter(|&method| vm.text(vm.method(method).name) == simple)
        .collect();
    for &method in &named {
        let this = vm.method(method);
        let text = vm.text(this.descriptor).to_owned();
        if let Some((parameters, "Z")) = descriptor::split_method(&text)
            && this.is_static()
            && parameters.len() == wanted.len()
            && parameters
                .iter()
                .zip(&wanted)
                .all(|(given, (wanted, _))| takes(vm, given, wanted))
        {
            return Ok(method);
        }
    }
    let parameters: Vec<String> = wanted
        .iter()
        .map(|(descriptor, name)| {
            let java = descriptor::to_java(descriptor);
            format!("{java} {name}").trim_end().to_owned()
        })
        .collect();
    Err(Error::MethodNotFound {
        class: vm.binary_name(owner),
        what: "oracle",
        name: format!(
            "static boolean {simple}({}) for {}",
            parameters.join(", "),
            operation.name
        ),
        candidates: named
            .iter()
            .map(|&method| super::calls::name_of(vm, method))
            .collect(),
    })
}

/// What an oracle takes: descriptors, and names where it is not plain what they are.
fn signature(vm: &Vm, class: ClassId, operation: &Operation) -> Vec<(String, &'static str)> {
    let own = descriptor::of_class(vm.class_name(class));
    let text = vm.text(vm.method(operation.method).descriptor);
    let (parameters, result) = descriptor::split_method(text).unwrap_or_default();
    let mut wanted = vec![(own.clone(), "before")];
    wanted.extend(
        parameters
            .iter()
            .map(|&descriptor| (descriptor.to_owned(), "")),
    );
    wanted.push((own, "after"));
    if result != "V" {
        wanted.push((result.to_owned(), "result"));
    }
    wanted
}

/// Whether a parameter of type `given` takes every value of type `wanted`.
pub(super) fn takes(vm: &mut Vm, given: &str, wanted: &str) -> bool {
    if given == wanted {
        return true;
    }
    if Kind::of(given) != Kind::Reference || Kind::of(wanted) != Kind::Reference {
        return false;
    }
    let mut class = |descriptor: &str| vm.load_class(descriptor::class_name(descriptor)).ok();
    match (class(wanted), class(given)) {
        (Some(wanted), Some(given)) => vm.is_subclass(wanted, given),
        _ => false,
    }
}

/// A copy of everything that is reachable from `root`, but for what has no state of its own:
/// strings, boxes, enum constants and classes.
pub(super) fn copy(vm: &mut Vm, root: Ref) -> Result<Ref, HeapFull> {
    let mut copier = Copier {
        copies: FxHashMap::default(),
        open: Vec::new(),
    };
    let copied = copier.copy_of(vm, root)?;
    while let Some((from, to)) = copier.open.pop() {
        copier.fill(vm, from, to)?;
    }
    Ok(copied)
}

struct Copier {
    copies: FxHashMap<Ref, Ref>,
    /// Copies that are still empty.
    open: Vec<(Ref, Ref)>,
}

impl Copier {
    fn copy_of(&mut self, vm: &mut Vm, object: Ref) -> Result<Ref, HeapFull> {
        if vm.heap.is_permanent(object) || is_value(vm, object) {
            return Ok(object);
        }
        if let Some(&known) = self.copies.get(&object) {
            return Ok(known);
        }
        let class = vm.heap.class_of(object);
        let copy = if let Shape::Array(_) = vm.class(class).shape {
            let length = vm.heap.array_length(object);
            let bytes = vm.array_element_kind(class).element_bytes();
            vm.heap.allocate_array(class, length, bytes, false)?
        } else {
            let words = vm.class(class).instance_words;
            vm.heap.allocate(class, words, false)?
        };
        self.copies.insert(object, copy);
        self.open.push((object, copy));
        Ok(copy)
    }

    fn fill(&mut self, vm: &mut Vm, from: Ref, to: Ref) -> Result<(), HeapFull> {
        let class = vm.heap.class_of(from);
        if let Shape::Array(_) = vm.class(class).shape {
            return self.fill_array(vm, class, from, to);
        }
        let fields: Vec<(u32, Kind)> = vm
            .class(class)
            .display
            .iter()
            .flat_map(|&above| vm.class(above).fields.iter())
            .filter(|field| !field.is_static())
            .map(|field| (field.word, field.kind))
            .collect();
        for (word, kind) in fields {
            if vm.is_unset_place(from, Place::Field(word)) {
                continue;
            }
            let mut slot = vm.heap.field(from, word);
            if kind == Kind::Reference {
                slot = self.copy_of(vm, Ref::from_slot(slot))?.slot();
            }
            vm.heap.set_field(to, word, slot);
        }
        Ok(())
    }

    fn fill_array(
        &mut self,
        vm: &mut Vm,
        class: ClassId,
        from: Ref,
        to: Ref,
    ) -> Result<(), HeapFull> {
        let kind = vm.array_element_kind(class);
        let bytes = u64::from(vm.heap.array_length(from)) * u64::from(kind.element_bytes());
        for index in 0..bytes.div_ceil(8) as u32 {
            let mut word = vm.heap.load(from.0 + ELEMENTS + index);
            if kind == Kind::Reference {
                // Two references in a word; past the end of the array there is no object.
                let low = self.copy_of(vm, Ref(word as u32))?;
                let is_whole = bytes - u64::from(index) * 8 >= 8;
                let high = match is_whole {
                    true => self.copy_of(vm, Ref((word >> 32) as u32))?,
                    false => Ref::NULL,
                };
                word = low.slot() | high.slot() << 32;
            }
            vm.heap.store(to.0 + ELEMENTS + index, word);
        }
        Ok(())
    }
}

/// Whether an object is a value: a string, a box, an enum constant.
fn is_value(vm: &Vm, object: Ref) -> bool {
    let class = vm.heap.class_of(object);
    let this = vm.class(class);
    let is_enum = this
        .display
        .iter()
        .any(|&above| vm.class_name(above) == "java/lang/Enum");
    let is_library_value = this.loader == Loader::Boot
        && (vm.class_name(class) == "java/lang/String" || vm.unboxed(object).is_some());
    is_enum || is_library_value || this.flags & flags::ENUM != 0
}
