//! Shape: a text that characterises a structure up to isomorphism.

use std::fmt::Write as _;

use heapwright_explore::Omits;
use heapwright_suite::{Body, Structure, Value};
use rustc_hash::FxHashMap;

/// Returns a text that is equal for isomorphic structures and no others. As with
/// [`Canonicalizer`](heapwright_explore::Canonicalizer), boxes and strings are values, and omitted
/// fields are ignored.
#[must_use]
pub fn shape(structure: &Structure, omits: &Omits) -> String {
    let mut order = vec![0];
    let mut numbers = FxHashMap::from_iter([(0, 0)]);
    let mut text = String::new();
    let mut next = 0;
    while let Some(&index) = order.get(next) {
        next += 1;
        let mut write = |text: &mut String, value: Value| {
            let Value::Ref(target) = value else {
                let _ = write!(text, " {value:?}");
                return;
            };
            let object = &structure.objects[target];
            let _ = match &object.body {
                Body::Boxed(value) => write!(text, " {} {value:?}", object.class.name),
                Body::String(string) => write!(text, " {string:?}"),
                Body::EnumConstant(name) => write!(text, " {}.{name}", object.class.name),
                Body::Fields(_) | Body::Array(_) => {
                    let number = *numbers.entry(target).or_insert_with(|| {
                        order.push(target);
                        order.len() - 1
                    });
                    write!(text, " @{number}")
                }
            };
        };
        let object = &structure.objects[index];
        let _ = write!(text, ";{}", object.class.name);
        match &object.body {
            Body::Fields(fields) => {
                for field in fields {
                    if !omits(&field.sig.declaring_class, &field.sig.name) {
                        write(&mut text, field.value);
                    }
                }
            }
            Body::Array(elements) => {
                let _ = write!(text, "[{}]", elements.len());
                elements
                    .iter()
                    .for_each(|element| write(&mut text, *element));
            }
            Body::Boxed(_) | Body::String(_) | Body::EnumConstant(_) => {
                write(&mut text, Value::Ref(index));
            }
        }
    }
    text
}
