//! Structures as JSON Lines, one structure per line.
//!
//! ```json
//! {"objects":[{"class":"a.Tree","fields":{"root":{"ref":1},"size":1}},{"class":"a.Tree$Node","fields":{"left":null,"right":null,"value":5}}]}
//! ```
//!
//! - Object 0 is the root; `{"ref":1}` is a reference to object 1, `null` is null.
//! - An object has its `class` (a binary name as `Class.getName()` gives it) and one of: `fields`,
//!   by name, inherited ones first; `elements` of an array; the `value` of a `java.lang.String` or
//!   a box; the `constant` of an enum. A field that a subclass's field of the same name hides has
//!   the key `a.b.Base.next`.
//! - `boolean` is `true` or `false`; `byte`, `short`, `int` and `long` are numbers without a
//!   point. A `long` has all 64 bits (a reader that stores numbers as doubles loses those beyond
//!   2^53). `float` and `double` are the shortest numbers that parse to the same value, always
//!   with a point or an exponent, or the strings `"NaN"`, `"Infinity"` and `"-Infinity"`.
//! - `char` is a string of one character; half of a surrogate pair, which JSON cannot represent,
//!   is `{"char":55296}`.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::{Body, Field, Object, Sequence, Structure, Value};

/// Writes a structure as a line, without the line's end.
///
/// # Panics
/// Never: the line contains only values that JSON can represent.
#[must_use]
pub fn line(structure: &Structure) -> String {
    serde_json::to_string(&Line(structure)).expect("all keys are strings and no writer fails")
}

/// Writes a structure as a line, with the calls that build it under the key `calls`.
///
/// # Panics
/// Never, as for [`line`].
#[must_use]
pub fn line_with_calls(structure: &Structure, calls: &Sequence) -> String {
    let mut text = line(structure);
    text.pop();
    let calls = serde_json::to_string(&calls.to_string()).expect("a string is JSON");
    text + ",\"calls\":" + &calls + "}"
}

/// Writes structures as lines, each terminated by `\n`.
#[must_use]
pub fn lines<'a>(structures: impl IntoIterator<Item = &'a Structure>) -> String {
    structures
        .into_iter()
        .map(|structure| line(structure) + "\n")
        .collect()
}

struct Line<'a>(&'a Structure);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let objects: Vec<ObjectJson<'_>> = self.0.objects.iter().map(ObjectJson).collect();
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry("objects", &objects)?;
        map.end()
    }
}

struct ObjectJson<'a>(&'a Object);

impl Serialize for ObjectJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("class", &self.0.class.name)?;
        match &self.0.body {
            Body::Fields(fields) => map.serialize_entry("fields", &FieldsJson(fields))?,
            Body::Array(elements) => {
                let elements: Vec<ValueJson> = elements.iter().copied().map(ValueJson).collect();
                map.serialize_entry("elements", &elements)?;
            }
            Body::Boxed(value) => map.serialize_entry("value", &ValueJson(*value))?,
            Body::String(text) => map.serialize_entry("value", text)?,
            Body::EnumConstant(name) => map.serialize_entry("constant", name)?,
        }
        map.end()
    }
}

struct FieldsJson<'a>(&'a [Field]);

impl Serialize for FieldsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (at, field) in self.0.iter().enumerate() {
            let sig = &field.sig;
            let value = ValueJson(field.value);
            if Field::is_hidden(self.0, at) {
                map.serialize_entry(&format!("{}.{}", sig.declaring_class, sig.name), &value)?;
            } else {
                map.serialize_entry(&sig.name, &value)?;
            }
        }
        map.end()
    }
}

struct ValueJson(Value);

impl Serialize for ValueJson {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let single = |serializer: S, key: &str, number: u64| {
            let mut map = serializer.serialize_map(Some(1))?;
            map.serialize_entry(key, &number)?;
            map.end()
        };
        match self.0 {
            Value::Null => serializer.serialize_unit(),
            Value::Ref(target) => {
                single(serializer, "ref", u64::try_from(target).unwrap_or(u64::MAX))
            }
            Value::Boolean(truth) => serializer.serialize_bool(truth),
            Value::Byte(number) => serializer.serialize_i8(number),
            Value::Short(number) => serializer.serialize_i16(number),
            Value::Char(unit) => match char::from_u32(u32::from(unit)) {
                Some(letter) => serializer.serialize_char(letter),
                None => single(serializer, "char", u64::from(unit)),
            },
            Value::Int(number) => serializer.serialize_i32(number),
            Value::Long(number) => serializer.serialize_i64(number),
            Value::Float(number) if number.is_finite() => serializer.serialize_f32(number),
            Value::Double(number) if number.is_finite() => serializer.serialize_f64(number),
            Value::Float(_) | Value::Double(_) => {
                serializer.serialize_str(&crate::literal::plain(self.0))
            }
        }
    }
}
