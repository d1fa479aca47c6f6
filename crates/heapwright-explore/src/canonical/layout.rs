//! Encoding layout of the objects of each class.

use std::rc::Rc;
use std::sync::{PoisonError, RwLock};

use heapwright_jvm::class::{Field, Loader, Shape, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Vm};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::Canonicalizer;
use crate::bits::{BitReader, BitWriter};

/// Numbering of class names, shared by all machines of a search.
#[derive(Debug, Default)]
pub struct ClassNumbers {
    names: RwLock<IndexSet<Box<str>, FxBuildHasher>>,
    /// Number of the first names, which other processes number alike; `None` if there are no other
    /// processes.
    agreed: Option<u32>,
}

impl ClassNumbers {
    /// Creates a numbering for forms that other processes read, which have the same `names`, by
    /// internal name. Forms spell out all other names.
    #[must_use]
    pub fn agreed(names: &[String]) -> ClassNumbers {
        let names = names.iter().map(|name| Box::from(&**name));
        let names: IndexSet<Box<str>, FxBuildHasher> = names.collect();
        ClassNumbers {
            agreed: Some(names.len() as u32),
            names: RwLock::new(names),
        }
    }

    /// Returns all names so far, in the order of their numbers.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        names.iter().map(|name| name.to_string()).collect()
    }

    /// Writes a class, by its number.
    pub(super) fn put(&self, bits: &mut BitWriter, number: u32) {
        match self.agreed {
            Some(agreed) if number >= agreed => {
                bits.put_int(agreed as i32);
                let name = self.name(number).unwrap_or_default();
                bits.put_int(name.len() as i32);
                name.bytes().for_each(|byte| bits.put(u32::from(byte), 8));
            }
            _ => bits.put_int(number as i32),
        }
    }

    /// Reads the number of a class that [`ClassNumbers::put`] wrote.
    pub(super) fn take(&self, bits: &mut BitReader<'_>) -> u32 {
        let number = bits.take_int() as u32;
        if self.agreed != Some(number) {
            return number;
        }
        let length = bits.take_int();
        let name: Vec<u8> = (0..length).map(|_| bits.take(8) as u8).collect();
        self.number(&String::from_utf8_lossy(&name))
    }

    /// Returns the number of a class, by its internal name.
    pub(super) fn number(&self, name: &str) -> u32 {
        let known = |names: &IndexSet<Box<str>, FxBuildHasher>| names.get_index_of(name);
        let found = known(&self.names.read().unwrap_or_else(PoisonError::into_inner));
        let number = found.unwrap_or_else(|| {
            let mut names = self.names.write().unwrap_or_else(PoisonError::into_inner);
            names.insert_full(name.into()).0
        });
        number as u32
    }

    pub(super) fn name(&self, number: u32) -> Option<Box<str>> {
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        names.get_index(number as usize).cloned()
    }
}

/// Encoding of a field or an element.
#[derive(Clone, Copy, Debug)]
pub(super) enum SlotEncoding {
    Primitive(Kind),
    /// Number of the declared class; `None` where a box is more likely than an object of exactly
    /// that class.
    Reference(Option<u32>),
}

/// Representation of a class's objects.
#[derive(Debug)]
pub(super) enum Representation {
    Object {
        words: u32,
        fields: Vec<(u32, SlotEncoding)>,
        omitted: Vec<(u32, SlotEncoding)>,
    },
    Array {
        kind: Kind,
        code: SlotEncoding,
    },
    Box {
        kind: Kind,
        word: u32,
    },
    Text,
    Mirror,
}

#[derive(Debug)]
pub(super) struct ClassLayout {
    pub class: ClassId,
    pub number: u32,
    pub most: u32,
    pub sort: Representation,
    /// Final reference fields and other reference fields of a library class whose objects may be
    /// views.
    pub view: Option<(Vec<u32>, Vec<u32>)>,
}

impl Canonicalizer {
    /// Returns the layout of the class with a number, loading the class if necessary.
    pub(super) fn numbered(&mut self, vm: &mut Vm, number: u32) -> Option<Rc<ClassLayout>> {
        if let Some(Some(known)) = self.by_number.get(number as usize) {
            return Some(Rc::clone(known));
        }
        let name = self.numbers.name(number)?;
        let class = vm.load_class(&name).ok()?;
        Some(self.layout(vm, class))
    }

    #[inline]
    pub(super) fn layout(&mut self, vm: &Vm, class: ClassId) -> Rc<ClassLayout> {
        match self.layouts.get(class.0 as usize) {
            Some(Some(known)) => Rc::clone(known),
            _ => self.learn(vm, class),
        }
    }

    #[cold]
    fn learn(&mut self, vm: &Vm, class: ClassId) -> Rc<ClassLayout> {
        let name = vm.class_name(class);
        let number = self.numbers.number(name);
        let binary = vm.binary_name(class);
        let most = self.limits.objects_of.get(&binary);
        let layout = Rc::new(ClassLayout {
            class,
            number,
            most: most.copied().unwrap_or(self.limits.objects),
            sort: self.sort(vm, class, name),
            view: view_fields(vm, class),
        });
        for (list, at) in [
            (&mut self.layouts, class.0 as usize),
            (&mut self.by_number, number as usize),
        ] {
            if at >= list.len() {
                list.resize(at + 1, None);
            }
            list[at] = Some(Rc::clone(&layout));
        }
        layout
    }

    fn sort(&self, vm: &Vm, class: ClassId, name: &str) -> Representation {
        if let Shape::Array(element) = vm.class(class).shape {
            let kind = vm.array_element_kind(class);
            let code = match kind {
                Kind::Reference => self.reference(vm.class_name(element)),
                _ => SlotEncoding::Primitive(kind),
            };
            return Representation::Array { kind, code };
        }
        match name {
            "java/lang/String" => return Representation::Text,
            "java/lang/Class" => return Representation::Mirror,
            _ => {}
        }
        if let Some(kind) = Kind::of_box(name)
            && let Some(field) = vm.find_field(class, "value")
        {
            return Representation::Box {
                kind,
                word: field.word,
            };
        }
        let (mut fields, mut omitted) = (Vec::new(), Vec::new());
        let declared = vm.class(class).display.iter();
        let declared = declared.flat_map(|&above| vm.class(above).fields.iter());
        for field in declared.filter(|field| !field.is_static()) {
            let code = match field.kind {
                Kind::Reference => {
                    self.reference(descriptor::class_name(vm.text(field.descriptor)))
                }
                kind => SlotEncoding::Primitive(kind),
            };
            let owner = vm.binary_name(field.class);
            match (self.omits)(&owner, vm.text(field.name)) {
                true => omitted.push((field.word, code)),
                false => fields.push((field.word, code)),
            }
        }
        Representation::Object {
            words: vm.class(class).instance_words,
            fields,
            omitted,
        }
    }

    /// Encoding of references of a declared class.
    fn reference(&self, name: &str) -> SlotEncoding {
        let holds_boxes = matches!(
            name,
            "java/lang/Object"
                | "java/lang/Integer"
                | "java/lang/Number"
                | "java/lang/Comparable"
                | "java/io/Serializable"
        );
        SlotEncoding::Reference((!holds_boxes).then(|| self.numbers.number(name)))
    }
}

/// Fields that identify a library object as a view, provided all fields that are not references are
/// final.
fn view_fields(vm: &Vm, class: ClassId) -> Option<(Vec<u32>, Vec<u32>)> {
    let this = vm.class(class);
    if this.loader != Loader::Boot || this.shape != Shape::Instance {
        return None;
    }
    let fields = this.display.iter();
    let mut fields = fields
        .flat_map(|&above| vm.class(above).fields.iter())
        .filter(|field| !field.is_static());
    let is_final = |field: &Field| field.flags & flags::FINAL != 0;
    if fields
        .clone()
        .any(|field| field.kind != Kind::Reference && !is_final(field))
    {
        return None;
    }
    let (mut finals, mut others) = (Vec::new(), Vec::new());
    fields
        .by_ref()
        .filter(|field| field.kind == Kind::Reference)
        .for_each(|field| {
            let list = if is_final(field) {
                &mut finals
            } else {
                &mut others
            };
            list.push(field.word);
        });
    (!finals.is_empty()).then_some((finals, others))
}
