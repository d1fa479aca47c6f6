//! Canonical forms of rooted heaps: equal byte strings for isomorphic heaps, and reconstruction.
//!
//! A form lists the objects reachable from a root, breadth first, each with its fields in their
//! stored order. A reference is null, a new object, or the number of an earlier one (linearization,
//! Xie et al. 2004; Politano et al. 2023, Figure 3). Boxes and strings are values. An object older
//! than the base, such as the initial value of a static field, is part of no structure: it is
//! named, not followed.
//!
//! A library object with only final references back to its holder is a view of it, such as the
//! cached result of `keySet()`. A view is no state, and heaps made from forms lack it.
//!
//! Fields may be *omitted* from the comparison. Their values follow the compared part, so that a
//! heap made from a form has all its fields.

mod layout;
mod make;

use std::rc::Rc;
use std::sync::Arc;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Ref, Vm};
use rustc_hash::FxHashMap;

use crate::bits::{BitWriter, width_of};
use layout::{ClassLayout, Representation, SlotEncoding};

pub use layout::ClassNumbers;

/// Size limits of a structure.
#[derive(Clone, Debug)]
pub struct SizeLimits {
    /// Most objects of each class in a structure, arrays included.
    pub objects: u32,
    /// Most objects of certain classes, by binary name, instead of `objects`.
    pub objects_of: FxHashMap<String, u32>,
    /// Most elements of an array.
    pub array_length: u32,
    /// Most non-null elements of an array of references.
    pub array_objects: u32,
}

impl SizeLimits {
    /// Returns unlimited sizes.
    #[must_use]
    pub fn none() -> SizeLimits {
        SizeLimits {
            objects: u32::MAX,
            objects_of: FxHashMap::default(),
            array_length: u32::MAX,
            array_objects: u32::MAX,
        }
    }
}

/// Predicate for omitted fields, by the binary name of the declaring class and the field's name.
pub type Omits = Arc<dyn Fn(&str, &str) -> bool + Send + Sync>;

/// Limit that a structure exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutOfScope {
    /// Number of objects of a class.
    Objects,
    /// Length of an array, which is this.
    ArrayLength(u32),
    /// Number of non-null elements of an array.
    ArrayObjects,
}

/// Canonical form of a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CanonicalForm<'a> {
    /// Part that is compared.
    pub compared: &'a [u8],
    /// Values of the omitted fields; empty if there are none.
    pub omitted: &'a [u8],
}

/// Reason why no heap was made from a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotMade {
    /// The form names an object unknown to this machine: it was created during a run of the machine
    /// that wrote the form.
    Unknown,
    /// The memory for Java objects is exhausted.
    HeapFull,
}

/// Writer and reader of forms on one machine.
pub struct Canonicalizer {
    numbers: Arc<ClassNumbers>,
    omits: Omits,
    limits: SizeLimits,
    layouts: Vec<Option<Rc<ClassLayout>>>,
    by_number: Vec<Option<Rc<ClassLayout>>>,
    /// Boxes created before the base.
    boxes: FxHashMap<(Kind, u64), Ref>,
    /// Objects created by the engine that are identified by their class alone.
    singletons: FxHashMap<u32, Ref>,
    /// First word of the objects that structures consist of.
    base: u32,
    /// Number of the object at each word from the base, and the epoch of the form.
    seen: Vec<u64>,
    /// The same of objects that are far from the base, such as those behind an array that takes up
    /// much of the address space.
    far: FxHashMap<u32, u64>,
    epoch: u32,
    order: Vec<Ref>,
    /// Number of objects of each class, and the epoch of the form.
    counts: Vec<(u32, u32)>,
    bits: BitWriter,
}

/// Greatest depth to which views of views are examined.
const MOST_VIEWS: u32 = 8;
/// Width of a reference to an older object, in bits.
const ADDRESS_BITS: u32 = 32;
/// Number of words from the base at which an object is far.
const FAR: u32 = 1 << 22;
const NULL: u32 = 0b00;
const USUAL: u32 = 0b01;
const KNOWN: u32 = 0b10;
const OTHER: u32 = 0b11;

const OTHER_NEW: u32 = 0b00;
const OTHER_OLDER: u32 = 0b01;
const OTHER_BOX: u32 = 0b10;
const OTHER_TEXT: u32 = 0b11;

const OLDER_ADDRESS: u32 = 0;
const OLDER_MIRROR: u32 = 1;
const OLDER_SINGLETON: u32 = 2;

impl Canonicalizer {
    /// Creates a canonicalizer whose base is the current end of the machine's objects.
    #[must_use]
    pub fn new(
        vm: &Vm,
        numbers: Arc<ClassNumbers>,
        omits: Omits,
        limits: SizeLimits,
    ) -> Canonicalizer {
        Canonicalizer {
            numbers,
            omits,
            limits,
            layouts: Vec::new(),
            by_number: Vec::new(),
            boxes: FxHashMap::default(),
            singletons: FxHashMap::default(),
            base: vm.heap.end(),
            seen: Vec::new(),
            far: FxHashMap::default(),
            epoch: 0,
            order: Vec::new(),
            counts: Vec::new(),
            bits: BitWriter::default(),
        }
    }

    /// Returns the predicate for omitted fields.
    #[must_use]
    pub fn omits(&self) -> Omits {
        Arc::clone(&self.omits)
    }

    /// Moves the base to the current end of the machine's objects; existing objects then belong to
    /// no structure.
    pub fn set_base(&mut self, vm: &Vm) {
        self.base = vm.heap.end();
    }

    /// Whether an object belongs to structures.
    #[must_use]
    pub fn is_above_base(&self, vm: &Vm, object: Ref) -> bool {
        object.0 >= self.base && !vm.heap.is_permanent(object)
    }

    /// Registers the box that represents a value in all structures; it is older than the base.
    pub fn use_box(&mut self, kind: Kind, slot: u64, object: Ref) {
        self.boxes.insert((kind, slot), object);
    }

    /// Whether an object's class is a value class: boxes, strings and mirrors.
    pub fn is_value(&mut self, vm: &Vm, object: Ref) -> bool {
        let layout = self.layout(vm, vm.heap.class_of(object));
        matches!(
            layout.sort,
            Representation::Box { .. } | Representation::Text | Representation::Mirror
        )
    }

    /// Returns the form of the heap reachable from `root`, which must be neither a value nor null.
    ///
    /// # Errors
    /// The heap exceeds the limits.
    pub fn form(&mut self, vm: &Vm, root: Ref) -> Result<CanonicalForm<'_>, OutOfScope> {
        self.bits.clear();
        self.order.clear();
        self.far.clear();
        self.epoch += 1;
        if self.epoch == u32::MAX {
            self.seen.clear();
            self.counts.clear();
            self.epoch = 1;
        }
        let layout = self.layout(vm, vm.heap.class_of(root));
        self.enter(vm, root, &layout)?;
        let mut next = 0;
        let mut has_omitted = false;
        while let Some(&object) = self.order.get(next) {
            next += 1;
            let layout = self.layout(vm, vm.heap.class_of(object));
            has_omitted |= matches!(&layout.sort, Representation::Object { omitted, .. } if !omitted.is_empty());
            self.put_body(vm, object, &layout, true)?;
        }
        let end = self.bits.align();
        if has_omitted {
            self.put_omitted(vm, next);
            self.bits.align();
        }
        let (compared, omitted) = self.bits.bytes().split_at(end);
        Ok(CanonicalForm { compared, omitted })
    }

    /// Writes the omitted fields of the compared objects, and all objects reachable through them
    /// alone.
    fn put_omitted(&mut self, vm: &Vm, compared: usize) {
        let limits = std::mem::replace(&mut self.limits, SizeLimits::none());
        let mut next = 0;
        while let Some(&object) = self.order.get(next) {
            let layout = self.layout(vm, vm.heap.class_of(object));
            // The result is ignored: no limits apply here.
            if next >= compared {
                let _ = self.put_body(vm, object, &layout, false);
            }
            if let Representation::Object { omitted, .. } = &layout.sort {
                for &(word, code) in omitted {
                    let _ = self.put_slot(vm, object, vm.heap.field(object, word), code, false);
                }
            }
            next += 1;
        }
        self.limits = limits;
    }

    /// Whether an object is a view of its holder: a final field refers to the holder, and its other
    /// fields hold only views of the object.
    fn is_view(
        &mut self,
        vm: &Vm,
        layout: &ClassLayout,
        object: Ref,
        holder: Ref,
        depth: u32,
    ) -> bool {
        let Some((finals, others)) = &layout.view else {
            return false;
        };
        let reference = |word: u32| Ref::from_slot(vm.heap.field(object, word));
        if depth > MOST_VIEWS || !finals.iter().any(|&word| reference(word) == holder) {
            return false;
        }
        others.iter().all(|&word| {
            let kept = reference(word);
            kept.is_null() || {
                let layout = self.layout(vm, vm.heap.class_of(kept));
                self.is_view(vm, &layout, kept, object, depth + 1)
            }
        })
    }

    /// Returns the number that was last assigned to an object, below the epoch of that form.
    #[inline]
    fn seen(&self, object: Ref) -> Option<u64> {
        let at = object.0.checked_sub(self.base)?;
        match at < FAR {
            true => self.seen.get(at as usize).copied(),
            false => self.far.get(&at).copied(),
        }
    }

    fn see(&mut self, object: Ref, number: u64) {
        let at = object.0 - self.base;
        if at >= FAR {
            self.far.insert(at, number);
            return;
        }
        let at = at as usize;
        if at >= self.seen.len() {
            self.seen.resize(at + 64, 0);
        }
        self.seen[at] = number;
    }

    /// Assigns a number to an object, and records its length if it is an array.
    fn enter(&mut self, vm: &Vm, object: Ref, layout: &ClassLayout) -> Result<(), OutOfScope> {
        let id = self.order.len() as u32;
        self.order.push(object);
        self.see(object, u64::from(self.epoch) << 32 | u64::from(id));
        let number = layout.number as usize;
        if number >= self.counts.len() {
            self.counts.resize(number + 1, (0, 0));
        }
        let (epoch, count) = &mut self.counts[number];
        if *epoch != self.epoch {
            (*epoch, *count) = (self.epoch, 0);
        }
        *count += 1;
        if *count > layout.most && self.limits.objects != u32::MAX {
            return Err(OutOfScope::Objects);
        }
        if let Representation::Array { .. } = layout.sort {
            let length = vm.heap.array_length(object);
            if length > self.limits.array_length {
                return Err(OutOfScope::ArrayLength(length));
            }
            self.bits.put_int(length as i32);
        }
        Ok(())
    }

    fn put_body(
        &mut self,
        vm: &Vm,
        object: Ref,
        layout: &ClassLayout,
        within_limits: bool,
    ) -> Result<(), OutOfScope> {
        match &layout.sort {
            Representation::Object { fields, .. } => {
                for &(word, code) in fields {
                    let slot = vm.heap.field(object, word);
                    self.put_slot(vm, object, slot, code, within_limits)?;
                }
            }
            Representation::Array { kind, code } => {
                let bytes = u64::from(kind.element_bytes());
                let start = vm.heap.elements(object);
                let mut objects = 0;
                for index in 0..u64::from(vm.heap.array_length(object)) {
                    let slot = vm.array_slot(start + index * bytes, *kind);
                    if *kind == Kind::Reference && slot != 0 {
                        objects += 1;
                        if objects > self.limits.array_objects {
                            return Err(OutOfScope::ArrayObjects);
                        }
                    }
                    self.put_slot(vm, object, slot, *code, within_limits)?;
                }
            }
            Representation::Box { .. } | Representation::Text | Representation::Mirror => {}
        }
        Ok(())
    }

    #[inline]
    fn put_slot(
        &mut self,
        vm: &Vm,
        holder: Ref,
        slot: u64,
        code: SlotEncoding,
        within_limits: bool,
    ) -> Result<(), OutOfScope> {
        match code {
            SlotEncoding::Primitive(kind) => {
                put_primitive(&mut self.bits, kind, slot);
                Ok(())
            }
            SlotEncoding::Reference(declared) => {
                let target = Ref::from_slot(slot);
                if target.is_null() {
                    self.bits.put(NULL, 2);
                    return Ok(());
                }
                if let Some(seen) = self.seen(target)
                    && seen >> 32 == u64::from(self.epoch)
                {
                    self.bits.put(KNOWN, 2);
                    self.bits.put(seen as u32, width_of(self.order.len()));
                    return Ok(());
                }
                // A slot that is still open is named by what it holds.
                if slot >> 32 != 0 {
                    self.bits.put(OTHER | OTHER_OLDER << 2, 4);
                    self.bits.put(OLDER_ADDRESS, 2);
                    self.bits.put(target.0, ADDRESS_BITS);
                    return Ok(());
                }
                self.put_unseen(vm, holder, target, declared, within_limits)
            }
        }
    }

    fn put_unseen(
        &mut self,
        vm: &Vm,
        holder: Ref,
        target: Ref,
        declared: Option<u32>,
        within_limits: bool,
    ) -> Result<(), OutOfScope> {
        let layout = self.layout(vm, vm.heap.class_of(target));
        match layout.sort {
            Representation::Box { kind, word } => {
                let slot = vm.heap.field(target, word);
                if kind == Kind::Int && declared.is_none() {
                    self.bits.put(USUAL, 2);
                } else {
                    self.bits.put(OTHER | OTHER_BOX << 2, 4);
                    let place = Kind::NEWARRAY.iter().position(|&other| other == kind);
                    self.bits.put(place.unwrap_or(0) as u32, 3);
                }
                put_primitive(&mut self.bits, kind, slot);
            }
            Representation::Text => {
                self.bits.put(OTHER | OTHER_TEXT << 2, 4);
                let units = vm.string_units(target);
                self.bits.put_int(units.len() as i32);
                for unit in units {
                    self.bits.put_int(i32::from(unit));
                }
            }
            _ if !self.is_above_base(vm, target) => {
                self.bits.put(OTHER | OTHER_OLDER << 2, 4);
                if !vm.heap.is_permanent(target) {
                    self.bits.put(OLDER_ADDRESS, 2);
                    self.bits.put(target.0, ADDRESS_BITS);
                } else if let Some(class) = vm.mirrored(target) {
                    self.bits.put(OLDER_MIRROR, 2);
                    let number = self.layout(vm, class).number;
                    self.numbers.put(&mut self.bits, number);
                } else {
                    self.singletons.insert(layout.number, target);
                    self.bits.put(OLDER_SINGLETON, 2);
                    self.numbers.put(&mut self.bits, layout.number);
                }
            }
            _ if self.is_view(vm, &layout, target, holder, 0) => self.bits.put(NULL, 2),
            _ => {
                if declared == Some(layout.number) {
                    self.bits.put(USUAL, 2);
                } else {
                    self.bits.put(OTHER | OTHER_NEW << 2, 4);
                    self.numbers.put(&mut self.bits, layout.number);
                }
                let entered = self.enter(vm, target, &layout);
                if within_limits {
                    return entered;
                }
            }
        }
        Ok(())
    }

    /// Objects of the heap that was last written or made, in the order of its form.
    #[must_use]
    pub fn objects(&self) -> &[Ref] {
        &self.order
    }
}

#[inline]
fn put_primitive(bits: &mut BitWriter, kind: Kind, slot: u64) {
    match kind {
        Kind::Boolean => bits.put(slot as u32 & 1, 1),
        Kind::Long => bits.put_long(slot as i64),
        Kind::Double => {
            bits.put(slot as u32, 32);
            bits.put((slot >> 32) as u32, 32);
        }
        Kind::Float => bits.put(slot as u32, 32),
        _ => bits.put_int(slot as u32 as i32),
    }
}
