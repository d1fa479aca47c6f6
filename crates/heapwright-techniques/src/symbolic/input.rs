//! Concrete inputs, read from a path and a model of its conditions.

use std::fmt::{self, Write};

use heapwright_explore::symbolic::{Alternative, Assignment, SymbolicSearch, Universe};
use heapwright_jvm::class::Shape;
use heapwright_jvm::descriptor::{Kind, in_java};
use heapwright_jvm::{ClassId, Place, Ref, Vm};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::derive::constants_of_initialized;
use crate::functional::returned_by;

/// Value in an input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum InputValue {
    /// Primitive value: its kind and its slot.
    Primitive(#[serde(with = "keyword")] Kind, u64),
    /// Null.
    Null,
    /// Object with this number.
    Object(usize),
    /// Enum constant, or value of another class's constant: class and name. The name [`CLASS`],
    /// which is no field name in Java, denotes the class itself.
    Constant(String, String),
}

/// Serialises the kind of a primitive value as its keyword.
mod keyword {
    use heapwright_jvm::descriptor::Kind;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(kind: &Kind, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(kind.keyword())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Kind, D::Error> {
        let keyword = String::deserialize(deserializer)?;
        let kind = Kind::of_keyword(&keyword);
        kind.ok_or_else(|| D::Error::custom("no primitive type"))
    }
}

/// Pseudo-field name that denotes the class itself.
pub(crate) const CLASS: &str = "class";

/// Object of an input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunObject {
    /// Binary name of its class.
    pub class: String,
    /// Contents of the object.
    pub contents: Contents,
}

/// Contents of an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Contents {
    /// Fields, superclasses' first: declaring class, name and value.
    Fields(Vec<(String, String, InputValue)>),
    /// Elements of an array.
    Elements(Vec<InputValue>),
    /// Characters of a string.
    Text(Vec<u16>),
}

/// Inputs of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunInput {
    /// Receiver, if there is one, and arguments, each with its name.
    pub roots: Vec<(String, InputValue)>,
    /// Objects reachable from them.
    pub objects: Vec<RunObject>,
}

impl RunInput {
    /// Returns the characters of a value, if it is a string.
    #[must_use]
    pub fn text(&self, value: &InputValue) -> Option<&[u16]> {
        match value {
            InputValue::Object(object) => match &self.objects[*object].contents {
                Contents::Text(units) => Some(units),
                _ => None,
            },
            _ => None,
        }
    }
}

impl RunObject {
    /// Whether it stands for a lambda, and the value that this returns, if it has one.
    #[must_use]
    pub fn lambda(&self) -> Option<Option<&InputValue>> {
        match &self.contents {
            Contents::Fields(fields) => {
                returned_by(&self.class, fields.iter().map(|(.., value)| value))
            }
            _ => None,
        }
    }
}

impl RunInput {
    /// Whether an array contains itself, directly or through other arrays; no expression creates
    /// such an array.
    #[must_use]
    pub fn has_cyclic_array(&self) -> bool {
        let elements = |number: usize| match &self.objects[number].contents {
            Contents::Elements(elements) => &elements[..],
            _ => &[],
        };
        // Arrays known to be acyclic, and those on the current path.
        let (mut done, mut way) = (vec![false; self.objects.len()], Vec::new());
        for start in 0..self.objects.len() {
            way.push((start, 0));
            while let Some((number, next)) = way.last_mut() {
                let (number, at) = (*number, *next);
                *next += 1;
                match elements(number).get(at) {
                    Some(&InputValue::Object(held)) if !done[held] => {
                        if way.iter().any(|on_way| on_way.0 == held) {
                            return true;
                        }
                        way.push((held, 0));
                    }
                    Some(_) => {}
                    None => {
                        done[number] = true;
                        way.pop();
                    }
                }
            }
        }
        false
    }
}

/// Reads the inputs of the current path under a model.
pub(crate) fn read(
    vm: &mut Vm,
    search: &SymbolicSearch<'_>,
    universe: &dyn Universe,
    names: &[(String, Kind)],
    model: &Assignment,
) -> RunInput {
    read_with(vm, search, universe, names, model, &[]).1
}

/// Like [`read`], and returns the values of further slots, whose objects are among those of the
/// inputs.
pub(crate) fn read_with(
    vm: &mut Vm,
    search: &SymbolicSearch<'_>,
    universe: &dyn Universe,
    names: &[(String, Kind)],
    model: &Assignment,
    further: &[(Kind, u64)],
) -> (Vec<InputValue>, RunInput) {
    let mut reader = InputReader {
        vm,
        search,
        universe,
        model,
        objects: vec![None; search.input_objects().len()],
        made: Vec::new(),
    };
    let roots = names
        .iter()
        .zip(search.roots())
        .map(|((name, kind), &slot)| (name.clone(), reader.value(slot, *kind)))
        .collect();
    let further = further.iter().map(|&(kind, slot)| reader.value(slot, kind));
    let further = further.collect();
    (further, reader.read_objects(roots))
}

/// Origin of an object's contents.
#[derive(Clone, Copy)]
enum ContentsOrigin {
    /// Input object with this index.
    Input(usize),
    /// Class of an object that was not examined.
    Blank(ClassId),
    /// String that existed before the run.
    Text(Ref),
}

struct InputReader<'a, 'b> {
    vm: &'a mut Vm,
    search: &'a SymbolicSearch<'b>,
    universe: &'a dyn Universe,
    model: &'a Assignment,
    /// Numbers of input objects, in the order of traversal.
    objects: Vec<Option<usize>>,
    /// Origin of each number's object.
    made: Vec<ContentsOrigin>,
}

impl InputReader<'_, '_> {
    fn value(&mut self, slot: u64, kind: Kind) -> InputValue {
        let held = self.search.value(slot, self.model);
        if kind != Kind::Reference {
            return InputValue::Primitive(kind, held.unwrap_or_default());
        }
        match held {
            Some(0) => InputValue::Null,
            Some(slot) => self.object(Ref::from_slot(slot)),
            None => self.any(slot),
        }
    }

    fn object(&mut self, object: Ref) -> InputValue {
        let object = self.search.same_input(object, self.model);
        let inputs = self.search.input_objects();
        if let Some(place) = inputs.iter().position(|input| input.object == object) {
            let number = match self.objects[place] {
                Some(number) => number,
                None => {
                    self.made.push(ContentsOrigin::Input(place));
                    self.objects[place] = Some(self.made.len() - 1);
                    self.made.len() - 1
                }
            };
            return InputValue::Object(number);
        }
        if self.vm.class_name(self.vm.heap.class_of(object)) == "java/lang/String" {
            self.made.push(ContentsOrigin::Text(object));
            return InputValue::Object(self.made.len() - 1);
        }
        named(self.vm, object).unwrap_or(InputValue::Null)
    }

    /// Arbitrary object for an unexamined reference that is not null.
    fn any(&mut self, slot: u64) -> InputValue {
        let Some(bound) = self.search.bound_of(slot) else {
            return InputValue::Null;
        };
        match self.universe.alternatives(self.vm, bound).first() {
            Some(&Alternative::Known(object)) => self.object(object),
            Some(&Alternative::New(class)) => {
                self.made.push(ContentsOrigin::Blank(class));
                InputValue::Object(self.made.len() - 1)
            }
            None => InputValue::Null,
        }
    }

    fn read_objects(mut self, roots: Vec<(String, InputValue)>) -> RunInput {
        let mut objects = Vec::new();
        while objects.len() < self.made.len() {
            let object = match self.made[objects.len()] {
                ContentsOrigin::Input(place) => self.read_object(place),
                ContentsOrigin::Blank(class) => self.blank(class),
                ContentsOrigin::Text(text) => RunObject {
                    class: "java.lang.String".to_owned(),
                    contents: Contents::Text(self.vm.string_units(text)),
                },
            };
            objects.push(object);
        }
        RunInput { roots, objects }
    }

    fn read_object(&mut self, place: usize) -> RunObject {
        let input = self.search.input_objects()[place].clone();
        let class = self.vm.binary_name(input.class);
        let length = |reader: &Self| {
            let held = input.slots.first().map(|&(_, slot)| slot);
            held.and_then(|slot| reader.search.value(slot, reader.model))
                .unwrap_or_default() as usize
        };
        let contents = match self.vm.class(input.class).shape {
            Shape::Array(_) => {
                let kind = self.vm.array_element_kind(input.class);
                let elements = input.slots[1..].iter().take(length(self));
                Contents::Elements(elements.map(|&(_, slot)| self.value(slot, kind)).collect())
            }
            _ if class == "java.lang.String" => {
                let characters = input.slots[1..].iter().take(length(self));
                let unit = |&(_, slot): &(Place, u64)| {
                    let held = self.search.value(slot, self.model);
                    held.unwrap_or_default() as u16
                };
                Contents::Text(characters.map(unit).collect())
            }
            _ => {
                let fields = instance_fields(self.vm, input.class);
                let values = fields.into_iter().map(|field| {
                    let place = Place::Field(field.word);
                    let held = input.slots.iter().find(|held| held.0 == place);
                    let slot = held.map_or(0, |&(_, slot)| slot);
                    let kind = Kind::of(&field.descriptor);
                    (field.owner, field.name, self.value(slot, kind))
                });
                Contents::Fields(values.collect())
            }
        };
        RunObject { class, contents }
    }

    /// Object whose fields are all 0 or null.
    fn blank(&mut self, class: ClassId) -> RunObject {
        let name = self.vm.binary_name(class);
        let contents = match self.vm.class(class).shape {
            Shape::Array(_) => Contents::Elements(Vec::new()),
            _ if name == "java.lang.String" => Contents::Text(Vec::new()),
            _ => {
                let zero = |kind| match kind {
                    Kind::Reference => InputValue::Null,
                    kind => InputValue::Primitive(kind, 0),
                };
                let fields = instance_fields(self.vm, class).into_iter();
                let values = fields.map(|field| {
                    let kind = Kind::of(&field.descriptor);
                    (field.owner, field.name, zero(kind))
                });
                Contents::Fields(values.collect())
            }
        };
        RunObject {
            class: name,
            contents,
        }
    }
}

/// Instance field of a class, for the contents of its objects.
pub(crate) struct InstanceField {
    /// Binary name of the declaring class.
    pub owner: String,
    pub name: String,
    pub descriptor: String,
    word: u32,
}

/// Returns the instance fields of a class, superclasses' first.
pub(crate) fn instance_fields(vm: &Vm, class: ClassId) -> Vec<InstanceField> {
    let display = vm.class(class).display.iter();
    display
        .flat_map(|&class| &vm.class(class).fields)
        .filter(|field| !field.is_static())
        .map(|field| InstanceField {
            owner: vm.binary_name(field.class),
            name: vm.text(field.name).to_owned(),
            descriptor: vm.text(field.descriptor).to_owned(),
            word: field.word,
        })
        .collect()
}

/// Returns an object that existed before the run as a class literal or constant; `None` if it is
/// neither.
pub(crate) fn named(vm: &mut Vm, object: Ref) -> Option<InputValue> {
    if let Some(class) = vm.mirrored(object) {
        return Some(InputValue::Constant(
            vm.binary_name(class),
            CLASS.to_owned(),
        ));
    }
    // An enum constant with a body has a class of its own below the enum.
    let classes = vm.class(vm.heap.class_of(object)).display.clone();
    let constant = classes.iter().rev().find_map(|&class| {
        let constants = constants_of_initialized(vm, class)?;
        let (name, _) = constants
            .into_iter()
            .find(|constant| constant.1 == object)?;
        Some(InputValue::Constant(vm.binary_name(class), name))
    });
    constant.or_else(|| held_by_its_class(vm, object))
}

/// Returns an object held by a constant of its own class, such as the JDK's singletons.
fn held_by_its_class(vm: &Vm, object: Ref) -> Option<InputValue> {
    let class = vm.heap.class_of(object);
    let mut fields = vm.class(class).fields.iter();
    let field = fields.find(|field| {
        field.is_static()
            && field.kind == Kind::Reference
            && Ref::from_slot(vm.heap.load(field.word)) == object
    })?;
    let name = vm.text(field.name).to_owned();
    Some(InputValue::Constant(vm.binary_name(class), name))
}

/// Creates an input on a machine; returns the slots of a call, one for each word.
///
/// # Errors
/// A class no longer exists, or memory is exhausted.
pub fn make(vm: &mut Vm, input: &RunInput) -> Result<Vec<u64>, Error> {
    let known = vec![None; input.objects.len()];
    make_with(vm, input, &known).map(|made| made.slots)
}

/// Input created on a machine.
pub(crate) struct CreatedInput {
    /// Slots of a call, one for each word.
    pub slots: Vec<u64>,
    /// Objects, by number.
    pub objects: Vec<Ref>,
}

/// Like [`make`], with some objects that exist already and stay unchanged.
pub(crate) fn make_with(
    vm: &mut Vm,
    input: &RunInput,
    known: &[Option<Ref>],
) -> Result<CreatedInput, Error> {
    let full = |_| Error::Bounds("no memory is left for inputs".to_owned());
    let mut made = Vec::new();
    for (object, known) in input.objects.iter().zip(known) {
        if let Some(known) = known {
            made.push(*known);
            continue;
        }
        let class = crate::target::find_class(vm, &object.class)?;
        made.push(match &object.contents {
            Contents::Text(units) => vm
                .new_string_utf16(units)
                .map_err(|_| Error::Bounds("no memory is left for strings".to_owned()))?,
            Contents::Elements(elements) => {
                let bytes = vm.array_element_kind(class).element_bytes();
                let length = elements.len() as u32;
                vm.heap
                    .allocate_array(class, length, bytes, false)
                    .map_err(full)?
            }
            Contents::Fields(_) => {
                let words = vm.class(class).instance_words;
                vm.heap.allocate(class, words, false).map_err(full)?
            }
        });
    }
    for ((object, &at), known) in input.objects.iter().zip(&made).zip(known) {
        if known.is_some() {
            continue;
        }
        match &object.contents {
            Contents::Text(_) => {}
            Contents::Elements(elements) => {
                let kind = vm.array_element_kind(vm.heap.class_of(at));
                for (index, element) in (0_u64..).zip(elements) {
                    let slot = slot_of(vm, element, &made)?;
                    let place = vm.heap.elements(at) + index * u64::from(kind.element_bytes());
                    vm.set_array_slot(place, kind, slot);
                }
            }
            Contents::Fields(fields) => {
                for (owner, name, value) in fields {
                    let slot = slot_of(vm, value, &made)?;
                    let owner = crate::target::find_class(vm, owner)?;
                    if let Some(field) = vm.find_field(owner, name) {
                        let word = field.word;
                        vm.heap.set_field(at, word, slot);
                    }
                }
            }
        }
    }
    let mut slots = Vec::new();
    for (_, value) in &input.roots {
        slots.push(slot_of(vm, value, &made)?);
        if matches!(value, InputValue::Primitive(Kind::Long | Kind::Double, _)) {
            slots.push(0);
        }
    }
    Ok(CreatedInput {
        slots,
        objects: made,
    })
}

/// Slot of a value, with the bits of a NaN that tests write: those of the constant `NaN`.
fn written_nan(kind: Kind, slot: u64) -> u64 {
    match kind {
        Kind::Double if f64::from_bits(slot).is_nan() => f64::NAN.to_bits(),
        Kind::Float if f32::from_bits(slot as u32).is_nan() => f32::NAN.to_bits().into(),
        _ => slot,
    }
}

/// Slot of a value whose objects are these.
///
/// # Errors
/// A class of which it is a constant no longer exists.
pub(crate) fn slot_of(vm: &mut Vm, value: &InputValue, made: &[Ref]) -> Result<u64, Error> {
    Ok(match value {
        InputValue::Primitive(kind, slot) => written_nan(*kind, *slot),
        InputValue::Null => 0,
        InputValue::Object(number) => made[*number].slot(),
        InputValue::Constant(class, name) => {
            let class = crate::target::find_class(vm, class)?;
            if name == CLASS {
                return Ok(vm.class(class).mirror.slot());
            }
            let field = vm.find_field(class, name).filter(|field| field.is_static());
            field.map_or(0, |field| vm.heap.load(field.word))
        }
    })
}

impl fmt::Display for RunInput {
    /// Writes an input as `x = 3, this = Tree{root: Node{key: 1}}`. A repeated object is written as
    /// `#n`, and its first occurrence carries its number.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = InputWriter {
            input: self,
            seen: vec![false; self.objects.len()],
            shared: self.shared(),
        };
        for (place, (name, value)) in self.roots.iter().enumerate() {
            if place > 0 {
                f.write_str(", ")?;
            }
            let mut text = String::new();
            writer.write(&mut text, value)?;
            write!(f, "{name} = {text}")?;
        }
        Ok(())
    }
}

impl RunInput {
    /// Text of a value of the input by itself, as by its `Display`.
    #[must_use]
    pub fn shown(&self, value: &InputValue) -> String {
        let mut writer = InputWriter {
            input: self,
            seen: vec![false; self.objects.len()],
            shared: self.shared(),
        };
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = writer.write(&mut text, value);
        text
    }

    /// Whether each object occurs more than once.
    pub fn shared(&self) -> Vec<bool> {
        let mut times = vec![0; self.objects.len()];
        let mut mention = |value: &InputValue| {
            if let InputValue::Object(number) = value {
                times[*number] += 1;
            }
        };
        for (_, value) in &self.roots {
            mention(value);
        }
        for object in &self.objects {
            match &object.contents {
                Contents::Fields(fields) => fields.iter().for_each(|field| mention(&field.2)),
                Contents::Elements(elements) => elements.iter().for_each(&mut mention),
                Contents::Text(_) => {}
            }
        }
        times.into_iter().map(|times| times > 1).collect()
    }
}

struct InputWriter<'a> {
    input: &'a RunInput,
    seen: Vec<bool>,
    shared: Vec<bool>,
}

impl InputWriter<'_> {
    fn write(&mut self, out: &mut String, value: &InputValue) -> fmt::Result {
        let number = match value {
            InputValue::Primitive(kind, slot) => return out.write_str(&primitive(*kind, *slot)),
            InputValue::Null => return out.write_str("null"),
            InputValue::Constant(class, name) if name == CLASS => {
                let simple = class.rsplit(['.', '$']).next().unwrap_or_default();
                return write!(out, "{simple}.{name}");
            }
            InputValue::Constant(_, name) => return out.write_str(name),
            InputValue::Object(number) => *number,
        };
        if self.seen[number] {
            return write!(out, "#{number}");
        }
        self.seen[number] = true;
        if self.shared[number] {
            write!(out, "#{number}=")?;
        }
        let object = &self.input.objects[number];
        match &object.contents {
            Contents::Text(units) => out.write_str(&quoted(units)),
            Contents::Elements(elements) => {
                out.push('[');
                for (place, element) in elements.iter().enumerate() {
                    if place > 0 {
                        out.push_str(", ");
                    }
                    self.write(out, element)?;
                }
                out.write_char(']')
            }
            Contents::Fields(fields) => {
                if let Some(returned) = object.lambda() {
                    out.push_str("lambda");
                    return match returned {
                        Some(value) => {
                            out.push_str(" returning ");
                            self.write(out, value)
                        }
                        None => Ok(()),
                    };
                }
                let name = object.class.rsplit(['.', '$']).next().unwrap_or_default();
                write!(out, "{name}{{")?;
                let mut is_first = true;
                for (_, name, value) in fields {
                    if *value == InputValue::Null {
                        continue;
                    }
                    if !std::mem::take(&mut is_first) {
                        out.push_str(", ");
                    }
                    write!(out, "{name}: ")?;
                    self.write(out, value)?;
                }
                out.write_char('}')
            }
        }
    }
}

/// Primitive value in Java notation.
pub fn primitive(kind: Kind, slot: u64) -> String {
    match kind {
        Kind::Boolean => (slot & 1 == 1).to_string(),
        Kind::Byte => (slot as i8).to_string(),
        Kind::Short => (slot as i16).to_string(),
        Kind::Char => match char::from_u32(slot as u32 & 0xFFFF) {
            Some(letter @ ' '..='~') if letter != '\'' && letter != '\\' => format!("'{letter}'"),
            _ => format!("'\\u{:04x}'", slot as u16),
        },
        Kind::Long => format!("{}L", slot as i64),
        Kind::Float => match f32::from_bits(slot as u32) {
            number if number.is_finite() => format!("{number:?}f"),
            other => in_java(&other.to_string()),
        },
        Kind::Double => in_java(&format!("{:?}", f64::from_bits(slot))),
        _ => (slot as u32 as i32).to_string(),
    }
}

/// String literal in Java notation.
fn quoted(units: &[u16]) -> String {
    let mut text = "\"".to_owned();
    for &unit in units {
        match char::from_u32(u32::from(unit)) {
            Some(letter @ ' '..='~') if letter != '"' && letter != '\\' => text.push(letter),
            Some(letter @ ('"' | '\\')) => {
                text.push('\\');
                text.push(letter);
            }
            _ => {
                let _ = write!(text, "\\u{unit:04x}");
            }
        }
    }
    text.push('"');
    text
}
