//! Array and collection arguments: made for the calls, with at most two elements each.

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use heapwright_suite::{Holder, Literal, Value};

use crate::Error;
use crate::arguments::{Argument, Parameter, null};
use crate::bounds::Bounds;
use crate::read::StructureReader;
use crate::target::find_class;

/// Most values of which arrays and collections are made.
const MAX_ELEMENTS: usize = 8;

/// Interfaces for which collections are made, with the collection that implements them.
const INTERFACES: [(&str, Holder); 5] = [
    ("Ljava/lang/Iterable;", Holder::List),
    ("Ljava/util/Collection;", Holder::List),
    ("Ljava/util/List;", Holder::List),
    ("Ljava/util/Set;", Holder::Set),
    ("Ljava/util/Map;", Holder::Map),
];

/// Values of a parameter of a method of `class`, as [`Parameter::of`] has them. Arrays and
/// collections range over null and those of at most two values. `content` holds the type's
/// arguments, as concatenated descriptors.
///
/// # Errors
/// The class of the parameter cannot be used.
pub(super) fn parameter(
    vm: &mut Vm,
    reader: &mut StructureReader,
    (class, descriptor, content): (ClassId, &str, &str),
    bounds: &Bounds,
) -> Result<Parameter, Error> {
    let parameter = Parameter::of(vm, reader, descriptor, bounds)?;
    let holder = INTERFACES.iter().find(|(name, _)| *name == descriptor);
    let made = match (descriptor.strip_prefix('['), holder) {
        (Some(element), _) => arrays(vm, reader, descriptor, element, bounds)?,
        (None, Some((_, holder))) => collections(vm, reader, *holder, content, bounds)?,
        (None, None) => return Ok(parameter),
    };
    Ok(match parameter {
        Parameter::Objects { class: wanted, .. } if vm.is_subclass(class, wanted) => {
            Parameter::Objects {
                class: wanted,
                made,
            }
        }
        _ => Parameter::Values {
            arguments: std::iter::once(null()).chain(made).collect(),
            wide: false,
        },
    })
}

/// First non-null values of a type; none if its objects cannot be made here.
fn elements(
    vm: &mut Vm,
    reader: &mut StructureReader,
    descriptor: &str,
    bounds: &Bounds,
) -> Result<Vec<Argument>, Error> {
    let mut values = match Parameter::of(vm, reader, descriptor, bounds)? {
        Parameter::Values { arguments, .. } => arguments,
        Parameter::Objects { made, .. } => made,
    };
    values.retain(|value| value.literal != Literal::Value(Value::Null));
    values.truncate(MAX_ELEMENTS);
    Ok(values)
}

fn arrays(
    vm: &mut Vm,
    reader: &mut StructureReader,
    descriptor: &str,
    element: &str,
    bounds: &Bounds,
) -> Result<Vec<Argument>, Error> {
    let values = elements(vm, reader, element, bounds)?;
    // All values of these types are boxes.
    let made = match element {
        "Ljava/lang/Number;" | "Ljava/lang/Comparable;" => "[Ljava/lang/Integer;",
        _ => descriptor,
    };
    let name = made.replace('/', ".");
    let class = find_class(vm, &name)?;
    let kind = Kind::of(element);
    let mut arrays = Vec::new();
    for elements in up_to_two(&values, true) {
        let array = array_of(vm, class, kind, &elements)?;
        arrays.push(Argument {
            slot: array.slot(),
            literal: Literal::Array {
                class: name.clone(),
                elements: literals(&elements),
            },
        });
    }
    Ok(arrays)
}

fn collections(
    vm: &mut Vm,
    reader: &mut StructureReader,
    holder: Holder,
    content: &str,
    bounds: &Bounds,
) -> Result<Vec<Argument>, Error> {
    let contents = format!("({content})V");
    let contents = descriptor::split_method(&contents).map_or(Vec::new(), |split| split.0);
    let content = |place: usize| *contents.get(place).unwrap_or(&"Ljava/lang/Object;");
    let values = elements(vm, reader, content(0), bounds)?;
    let further = elements(vm, reader, content(1), bounds)?;
    let objects = find_class(vm, "[Ljava.lang.Object;")?;
    let mut made = Vec::new();
    for mut elements in up_to_two(&values, holder == Holder::List) {
        if holder == Holder::Map {
            // Each key is paired with the value at its index, so that two keys have two values.
            let keys = elements.into_iter().zip(further.iter().cycle());
            elements = keys.flat_map(|(key, value)| [key, value.clone()]).collect();
        }
        let array = array_of(vm, objects, Kind::Reference, &elements)?;
        let object = hold(vm, holder, array).map_err(Error::Bounds)?;
        made.push(Argument {
            slot: object.slot(),
            literal: Literal::Held {
                holder,
                elements: literals(&elements),
            },
        });
    }
    Ok(made)
}

/// Returns sequences of none, one and two of the values. With `in_order`, both orders and
/// repetitions; otherwise each pair once.
fn up_to_two(values: &[Argument], in_order: bool) -> Vec<Vec<Argument>> {
    let mut all = vec![Vec::new()];
    all.extend(values.iter().map(|value| vec![value.clone()]));
    for (place, first) in values.iter().enumerate() {
        let start = if in_order { 0 } else { place + 1 };
        all.extend(
            values[start..]
                .iter()
                .map(|second| vec![first.clone(), second.clone()]),
        );
    }
    all
}

fn literals(elements: &[Argument]) -> Vec<Literal> {
    elements
        .iter()
        .map(|element| element.literal.clone())
        .collect()
}

fn array_of(vm: &mut Vm, class: ClassId, kind: Kind, elements: &[Argument]) -> Result<Ref, Error> {
    let bytes = kind.element_bytes();
    let length = elements.len() as u32;
    let array = vm.heap.allocate_array(class, length, bytes, false);
    let array = array.map_err(|_| Error::Bounds("no memory for arrays".to_owned()))?;
    let start = vm.heap.elements(array);
    for (place, element) in (0u64..).zip(elements) {
        vm.set_array_slot(start + place * u64::from(bytes), kind, element.slot);
    }
    Ok(array)
}

/// Returns a collection of the elements of an array.
fn hold(vm: &mut Vm, holder: Holder, array: Ref) -> Result<Ref, String> {
    let (name, interface) = match holder {
        Holder::List => ("list", "java/util/List"),
        Holder::Set => ("set", "java/util/Set"),
        Holder::Map => ("map", "java/util/Map"),
    };
    let class = vm.load_class("heapwright/Holders");
    let descriptor = format!("([Ljava/lang/Object;)L{interface};");
    let method = class
        .ok()
        .and_then(|class| vm.declared_method(class, name, &descriptor));
    let method = method.ok_or("there is nothing to make collections with")?;
    vm.call_static(method, &[array.slot()]).map(Ref::from_slot)
}

/// Returns each parameter's type arguments, erased: `Ljava/lang/String;Ljava/lang/Object;` for
/// `Map<String, ? extends T>`.
pub(super) fn contents(vm: &Vm, method: MethodId, parameters: usize) -> Vec<String> {
    let this = vm.method(method);
    let file = vm.class(this.class).file.as_ref();
    let info = file.and_then(|file| {
        let mut methods = file.info.methods.iter();
        methods.find(|info| (info.name, info.descriptor) == (this.name, this.descriptor))
    });
    let signature = info.and_then(|info| info.signature);
    let contents = signature.and_then(|signature| of_signature(vm.text(signature)));
    contents
        .filter(|contents| contents.len() == parameters)
        .unwrap_or_else(|| vec![String::new(); parameters])
}

/// Reads the type arguments off a method's signature (JVMS §4.7.9.1).
fn of_signature(signature: &str) -> Option<Vec<String>> {
    let start = match signature.strip_prefix('<') {
        Some(_) => past_arguments(signature)?,
        None => 0,
    };
    let mut rest = signature[start..].strip_prefix('(')?;
    let mut contents = Vec::new();
    while !rest.starts_with(')') {
        let end = past_type(rest)?;
        let arguments = rest[..end].split_once('<').map(|split| split.1);
        contents.push(arguments.map_or(Some(String::new()), erased)?);
        rest = &rest[end..];
    }
    Some(contents)
}

/// Erases the type arguments up to the closing bracket; type variables and wildcards become
/// `Object`.
fn erased(mut rest: &str) -> Option<String> {
    let mut erased = String::new();
    while !rest.starts_with('>') {
        rest = rest.strip_prefix(['+', '-']).unwrap_or(rest);
        if let Some(after) = rest.strip_prefix('*') {
            erased.push_str("Ljava/lang/Object;");
            rest = after;
            continue;
        }
        let end = past_type(rest)?;
        let given = &rest[..end];
        match given.split_once('<') {
            _ if given.starts_with('T') => erased.push_str("Ljava/lang/Object;"),
            // No values are made of a member of a generic class.
            Some((class, _)) => erased.push_str(&format!("{class};")),
            None => erased.push_str(given),
        }
        rest = &rest[end..];
    }
    Some(erased)
}

/// Returns the end of the first type of a signature.
fn past_type(signature: &str) -> Option<usize> {
    let mut at = signature.len() - signature.trim_start_matches('[').len();
    if !matches!(signature.as_bytes().get(at)?, b'L' | b'T') {
        return Some(at + 1);
    }
    loop {
        match signature.as_bytes().get(at)? {
            b'<' => at += past_arguments(&signature[at..])?,
            b';' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// Returns the end of the bracketed text at the start of a signature.
fn past_arguments(signature: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, letter) in signature.bytes().enumerate() {
        match letter {
            b'<' => depth += 1,
            b'>' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn type_arguments_are_erased() {
        for (signature, contents) in [
            ("(I)V", &[""][..]),
            (
                "<E:Ljava/lang/Object;>(Ljava/util/List<TE;>;[I)TE;",
                &["Ljava/lang/Object;", ""],
            ),
            (
                "(JLjava/util/Map<Ljava/lang/String;+Ljava/util/List<TT;>;>;)V",
                &["", "Ljava/lang/String;Ljava/util/List;"],
            ),
            (
                "(Ljava/util/Set<*>;[[TE;Lp/A<TE;>.B;)V",
                &["Ljava/lang/Object;", "", "Ljava/lang/Object;"],
            ),
        ] {
            assert_eq!(of_signature(signature).unwrap(), contents, "{signature}");
        }
        for signature in ["", "(", "(Lp/A<", "(Lp/A<>"] {
            assert_eq!(of_signature(signature), None, "{signature}");
        }
    }
}
