//! User adjustments of derived bounds: numbers of objects of classes, and ranges of fields.
//!
//! The notation is that of `[bounds]` in `heapwright.toml`, with values already parsed;
//! [`crate::explain`] writes the same notation. Adjustments of classes or fields that a search does
//! not reach have no effect, but their existence is always checked.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::class::Loader;
use heapwright_jvm::descriptor::{Kind, is_value_class};
use heapwright_jvm::{ClassId, Vm};

use crate::bounds::MAX_VALUES;
use crate::{Error, target};

/// One value of a setting, or a range of values.
#[derive(Clone, Debug, PartialEq)]
pub enum SettingValue {
    /// An integer.
    Integer(i64),
    /// A floating-point number.
    Float(f64),
    /// A boolean.
    Boolean(bool),
    /// `null`, the name of a class or constant, a string, a letter, or an inclusive range such as
    /// `0..4`.
    Text(String),
}

/// The setting of a class or field.
#[derive(Clone, Debug, PartialEq)]
pub enum Setting {
    /// A list of values, in order.
    Items(Vec<SettingValue>),
    /// Arrays.
    Array {
        /// The lengths.
        lengths: Vec<SettingValue>,
        /// The range of each element.
        elements: Box<Setting>,
    },
}

/// A setting with its location.
#[derive(Clone, Debug)]
pub struct Adjustment {
    /// A class, or a class and a field: `pkg.Tree`, `pkg.Tree$Node.key`; of values that are given to
    /// arguments a name alone, too.
    pub key: String,
    /// Its location for messages: `heapwright.toml:7`.
    pub place: String,
    /// The setting.
    pub setting: Setting,
}

/// All adjustments of derived bounds.
#[derive(Clone, Debug, Default)]
pub struct Adjustments {
    /// The display name of their source: `heapwright.toml`.
    pub source: String,
    /// The objects of classes.
    pub objects: Vec<Adjustment>,
    /// The ranges of fields.
    pub fields: Vec<Adjustment>,
}

impl Adjustment {
    /// Returns an error with the setting's location.
    pub(crate) fn located_error(&self, reason: String) -> Error {
        Error::Setting {
            place: self.place.clone(),
            key: self.key.clone(),
            reason,
            wanted: String::new(),
            candidates: Vec::new(),
        }
    }

    /// Returns an error that lists alternatives.
    pub(crate) fn not_found(&self, reason: String, wanted: &str, candidates: Vec<String>) -> Error {
        Error::Setting {
            place: self.place.clone(),
            key: self.key.clone(),
            reason,
            wanted: wanted.to_owned(),
            candidates,
        }
    }

    /// Finds a class named in the setting.
    pub(crate) fn class(&self, vm: &mut Vm, name: &str) -> Result<ClassId, Error> {
        target::find_class(vm, name).map_err(|error| match error {
            Error::ClassNotFound(_) => {
                let names = vm.class_path().class_names();
                let names = names.into_iter().map(|name| name.replace('/', "."));
                self.not_found(error.to_string(), name, names.collect())
            }
            error => self.located_error(error.to_string()),
        })
    }
}

/// Adjustments with their classes and fields resolved.
#[derive(Default)]
pub(crate) struct Resolved<'a> {
    objects: BTreeMap<ClassId, &'a Adjustment>,
    fields: BTreeMap<(ClassId, String), &'a Adjustment>,
}

impl<'a> Resolved<'a> {
    /// Resolves all classes and fields that are named.
    pub fn new(vm: &mut Vm, adjustments: &'a Adjustments) -> Result<Resolved<'a>, Error> {
        let mut resolved = Resolved::default();
        for adjustment in &adjustments.objects {
            let class = adjustment.class(vm, &adjustment.key)?;
            let name = vm.class_name(class);
            if vm.class(class).loader != Loader::App && !is_value_class(name) {
                let reason = "of the library's objects only strings and boxes can be named";
                return Err(adjustment.located_error(reason.to_owned()));
            }
            if resolved.objects.insert(class, adjustment).is_some() {
                return Err(adjustment.located_error("the class is named twice".to_owned()));
            }
        }
        for adjustment in &adjustments.fields {
            let Some((name, field)) = adjustment.key.rsplit_once('.') else {
                let reason = "a field is named with its class: pkg.Class.field";
                return Err(adjustment.located_error(reason.to_owned()));
            };
            let class = adjustment.class(vm, name)?;
            let names = instance_fields(vm, class);
            if !names.iter().any(|known| known == field) {
                let reason = format!("class {} has no field {field}", vm.binary_name(class));
                return Err(adjustment.not_found(reason, field, names));
            }
            let key = (class, field.to_owned());
            if resolved.fields.insert(key, adjustment).is_some() {
                return Err(adjustment.located_error("the field is named twice".to_owned()));
            }
        }
        Ok(resolved)
    }

    /// Returns the adjustment for the objects of a class.
    pub fn objects(&self, class: ClassId) -> Option<&'a Adjustment> {
        self.objects.get(&class).copied()
    }

    /// Returns the adjustment for a field that `declaring` declares, in objects of `class`. The
    /// setting may name `class` or one of its superclasses down from `declaring`.
    pub fn field(
        &self,
        vm: &Vm,
        class: ClassId,
        declaring: ClassId,
        name: &str,
    ) -> Option<&'a Adjustment> {
        let display = vm.class(class).display.iter().rev();
        let above = display.take_while(|&&above| vm.is_subclass(above, declaring));
        above
            .filter_map(|&above| self.fields.get(&(above, name.to_owned())).copied())
            .next()
    }
}

/// Returns the names of the instance fields of a class, including inherited ones.
fn instance_fields(vm: &Vm, class: ClassId) -> Vec<String> {
    let display = vm.class(class).display.iter();
    let fields = display.flat_map(|&above| &vm.class(above).fields);
    fields
        .filter(|field| !field.is_static())
        .map(|field| vm.text(field.name).to_owned())
        .collect()
}

/// Returns the slots of a primitive kind that a setting lists, in its order.
///
/// # Errors
/// An item is no value of that kind, or occurs twice.
pub(crate) fn slots(kind: Kind, setting: &Setting) -> Result<Vec<u64>, String> {
    let Setting::Items(items) = setting else {
        return Err(format!("{} is no array type", kind.keyword()));
    };
    let mut slots = Vec::new();
    for item in items {
        add_slots(kind, item, &mut slots)?;
    }
    let mut seen = BTreeSet::new();
    if !slots.iter().all(|slot| seen.insert(*slot)) {
        return Err("a value is named twice".to_owned());
    }
    Ok(slots)
}

fn add_slots(kind: Kind, item: &SettingValue, slots: &mut Vec<u64>) -> Result<(), String> {
    let wrong = || Err(format!("{} is no {}", item.text(), kind.keyword()));
    let (first, last) = match (kind, item) {
        (Kind::Boolean, SettingValue::Boolean(value)) => (i64::from(*value), i64::from(*value)),
        (Kind::Float | Kind::Double, _) => {
            let value = match item {
                SettingValue::Float(value) => *value,
                SettingValue::Integer(value) => *value as f64,
                _ => return wrong(),
            };
            slots.push(match kind {
                Kind::Float => u64::from((value as f32).to_bits()),
                _ => value.to_bits(),
            });
            return Ok(());
        }
        (Kind::Char, SettingValue::Text(text)) => match letters(text) {
            Some(letters) => letters,
            None => return wrong(),
        },
        (Kind::Boolean, _) => return wrong(),
        (_, SettingValue::Integer(value)) => (*value, *value),
        (_, SettingValue::Text(text)) => match integers(text) {
            Some(integers) => integers,
            None => return wrong(),
        },
        _ => return wrong(),
    };
    let (least, most) = match kind {
        Kind::Boolean => (0, 1),
        Kind::Byte => (i64::from(i8::MIN), i64::from(i8::MAX)),
        Kind::Char => (0, i64::from(u16::MAX)),
        Kind::Short => (i64::from(i16::MIN), i64::from(i16::MAX)),
        Kind::Long => (i64::MIN, i64::MAX),
        _ => (i64::from(i32::MIN), i64::from(i32::MAX)),
    };
    if first < least || last > most {
        return wrong();
    }
    if first > last {
        return Err(format!(
            "{} is empty: it ends before it begins",
            item.text()
        ));
    }
    let values = last.abs_diff(first);
    if values >= (MAX_VALUES - slots.len().min(MAX_VALUES)) as u64 {
        return Err(format!(
            "{} is too much: at most {MAX_VALUES} values can be chosen one by one",
            item.text()
        ));
    }
    slots.extend((first..=last).map(|value| match kind {
        Kind::Long => value as u64,
        _ => u64::from(value as u32),
    }));
    Ok(())
}

/// Parses the bounds of a range such as `0..4`.
fn integers(text: &str) -> Option<(i64, i64)> {
    let (first, last) = text.split_once("..")?;
    Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
}

/// Parses the bounds of a range such as `a..c`; a single letter is a range of one.
fn letters(text: &str) -> Option<(i64, i64)> {
    let units: Vec<u16> = text.encode_utf16().collect();
    const DOT: u16 = b'.' as u16;
    match units[..] {
        [letter] => Some((i64::from(letter), i64::from(letter))),
        [first, DOT, DOT, last] => Some((i64::from(first), i64::from(last))),
        _ => None,
    }
}

impl SettingValue {
    /// Formats the item nearly as the user wrote it.
    pub(crate) fn text(&self) -> String {
        match self {
            SettingValue::Integer(value) => value.to_string(),
            SettingValue::Float(value) => format!("{value:?}"),
            SettingValue::Boolean(value) => value.to_string(),
            SettingValue::Text(text) => format!("{text:?}"),
        }
    }
}

/// Returns the texts of a setting that lists strings, constants or classes.
pub(crate) fn texts<'s>(setting: &'s Setting, what: &str) -> Result<Vec<&'s str>, String> {
    let Setting::Items(items) = setting else {
        return Err(format!("not arrays, but {what} can be named here"));
    };
    let mut texts: Vec<&str> = Vec::new();
    for item in items {
        let SettingValue::Text(text) = item else {
            return Err(format!("{} is no {what}", item.text()));
        };
        if texts.contains(&text.as_str()) {
            return Err(format!("{text:?} is named twice"));
        }
        texts.push(text);
    }
    Ok(texts)
}

/// Returns the number of objects that a setting specifies.
pub(crate) fn count(setting: &Setting) -> Result<u32, String> {
    match setting {
        Setting::Items(items) => match items[..] {
            [SettingValue::Integer(count)] => u32::try_from(count).ok(),
            _ => None,
        },
        Setting::Array { .. } => None,
    }
    .ok_or_else(|| "the number of objects of the class is missing: a number from 0".to_owned())
}
