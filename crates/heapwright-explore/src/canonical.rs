//! Canonical forms of rooted heaps: equal byte strings for isomorphic heaps, and back again.
//!
//! A form lists the objects that are reached from a root, breadth first, each with its fields in
//! their stored order; a reference is null, a new object, or the number of one that was there
//! before (linearization, Xie et al. 2004; Politano et al. 2023, Figure 3). Boxes and strings are
//! values. An object that is older than the base, such as what a static field held from the start
//! on, is part of no structure: it is named, not followed.
//!
//! A library object that holds nothing but final references back to its holder is a view of it, such as
//! what `keySet()` keeps for later: it is no state, and a heap made from a form is without it.
//!
//! Fields may be *omitted*: they take no part in the comparison. What they hold stands behind the
//! compared part, so that a heap made from a form has all its fields.

use std::rc::Rc;
use std::sync::{Arc, PoisonError, RwLock};

use heapwright_jvm::class::{Field, Loader, Shape, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Ref, Vm};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::bits::{BitReader, BitWriter, width_of};

/// Numbers for the names of classes, the same on all machines of a search.
#[derive(Debug, Default)]
pub struct ClassNumbers {
    names: RwLock<IndexSet<Box<str>, FxBuildHasher>>,
}

impl ClassNumbers {
    /// The number of a class, by its internal name.
    fn number(&self, name: &str) -> u32 {
        let known = |names: &IndexSet<Box<str>, FxBuildHasher>| names.get_index_of(name);
        let found = known(&self.names.read().unwrap_or_else(PoisonError::into_inner));
        let number = found.unwrap_or_else(|| {
            let mut names = self.names.write().unwrap_or_else(PoisonError::into_inner);
            names.insert_full(name.into()).0
        });
        number as u32
    }

    fn name(&self, number: u32) -> Option<Box<str>> {
        let names = self.names.read().unwrap_or_else(PoisonError::into_inner);
        names.get_index(number as usize).cloned()
    }
}

/// How large a structure may be.
#[derive(Clone, Debug)]
pub struct SizeLimits {
    /// Most objects of each class in a structure, arrays included.
    pub objects: u32,
    /// Most objects of certain classes, by binary name, in place of the above.
    pub objects_of: FxHashMap<String, u32>,
    /// Most elements of an array.
    pub array_length: u32,
    /// Most elements of an array of references that are not null.
    pub array_objects: u32,
}

impl SizeLimits {
    /// No limits.
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

/// Which fields are omitted, by the binary name of the class that declares them and their own.
pub type Omits = Arc<dyn Fn(&str, &str) -> bool + Send + Sync>;

/// The structure is larger than the limits allow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfScope;

/// The form of a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Form<'a> {
    /// What is compared.
    pub compared: &'a [u8],
    /// What the omitted fields hold; empty where there are none.
    pub omitted: &'a [u8],
}

/// Why no heap was made from a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotMade {
    /// It names an object that this machine does not know: it was made while the machine that wrote
    /// the form ran.
    Unknown,
    /// No memory is left for Java objects.
    HeapFull,
}

/// How a field or an element is written.
#[derive(Clone, Copy, Debug)]
enum Code {
    Primitive(Kind),
    /// The number of the declared class; none where a box is likelier than an object of just that
    /// class.
    Reference(Option<u32>),
}

/// What the objects of a class are.
#[derive(Debug)]
enum Sort {
    Object {
        words: u32,
        fields: Vec<(u32, Code)>,
        omitted: Vec<(u32, Code)>,
    },
    Array {
        kind: Kind,
        code: Code,
    },
    Box {
        kind: Kind,
        word: u32,
    },
    Text,
    Mirror,
}

#[derive(Debug)]
struct Layout {
    class: ClassId,
    number: u32,
    most: u32,
    sort: Sort,
    /// Of library classes whose objects may be views: the final fields that are references, and the
    /// others.
    view: Option<(Vec<u32>, Vec<u32>)>,
}

/// Writes and reads forms on one machine.
pub struct Canonicalizer {
    numbers: Arc<ClassNumbers>,
    omits: Omits,
    limits: SizeLimits,
    layouts: Vec<Option<Rc<Layout>>>,
    by_number: Vec<Option<Rc<Layout>>>,
    /// Boxes that were made before the base.
    boxes: FxHashMap<(Kind, u64), Ref>,
    /// Objects made by the engine that nothing but their class tells apart.
    singletons: FxHashMap<u32, Ref>,
    /// The first word of the objects that structures consist of.
    base: u32,
    /// For each word from the base on, the number of the object there, and in which form.
    seen: Vec<u64>,
    epoch: u32,
    order: Vec<Ref>,
    /// For each class number how many objects there are, and in which form.
    counts: Vec<(u32, u32)>,
    bits: BitWriter,
}

/// How deep views of views are looked at.
const MOST_VIEWS: u32 = 8;
/// Most bits of a reference to an older object.
const ADDRESS_BITS: u32 = 32;
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
    /// One whose base is where the machine's objects end now.
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
            epoch: 0,
            order: Vec::new(),
            counts: Vec::new(),
            bits: BitWriter::default(),
        }
    }

    /// Which fields are omitted.
    #[must_use]
    pub fn omits(&self) -> Omits {
        Arc::clone(&self.omits)
    }

    /// Moves the base to where the machine's objects end now: those that are there belong to no
    /// structure.
    pub fn set_base(&mut self, vm: &Vm) {
        self.base = vm.heap.end();
    }

    /// Whether an object belongs to structures.
    #[must_use]
    pub fn is_above_base(&self, vm: &Vm, object: Ref) -> bool {
        object.0 >= self.base && !vm.heap.is_permanent(object)
    }

    /// Notes the box that stands for a value in all structures; it is older than the base.
    pub fn use_box(&mut self, kind: Kind, slot: u64, object: Ref) {
        self.boxes.insert((kind, slot), object);
    }

    /// Whether an object is of a class whose objects are values: boxes, strings and mirrors.
    pub fn is_value(&mut self, vm: &Vm, object: Ref) -> bool {
        let layout = self.layout(vm, vm.heap.class_of(object));
        matches!(layout.sort, Sort::Box { .. } | Sort::Text | Sort::Mirror)
    }

    /// The form of the heap below `root`, which is no value and not null.
    ///
    /// # Errors
    /// The heap is larger than the limits.
    pub fn form(&mut self, vm: &Vm, root: Ref) -> Result<Form<'_>, OutOfScope> {
        self.bits.clear();
        self.order.clear();
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
            has_omitted |=
                matches!(&layout.sort, Sort::Object { omitted, .. } if !omitted.is_empty());
            self.put_body(vm, object, &layout, true)?;
        }
        let end = self.bits.align();
        if has_omitted {
            self.put_omitted(vm, next);
            self.bits.align();
        }
        let (compared, omitted) = self.bits.bytes().split_at(end);
        Ok(Form { compared, omitted })
    }

    /// The omitted fields of the objects compared, and all of what is reached through them alone.
    fn put_omitted(&mut self, vm: &Vm, compared: usize) {
        let limits = std::mem::replace(&mut self.limits, SizeLimits::none());
        let mut next = 0;
        while let Some(&object) = self.order.get(next) {
            let layout = self.layout(vm, vm.heap.class_of(object));
            // Without limits nothing is out of scope.
            if next >= compared {
                let _ = self.put_body(vm, object, &layout, false);
            }
            if let Sort::Object { omitted, .. } = &layout.sort {
                for &(word, code) in omitted {
                    let _ = self.put_slot(vm, object, vm.heap.field(object, word), code, false);
                }
            }
            next += 1;
        }
        self.limits = limits;
    }

    /// Whether an object is a view of the one that holds it: a final field of it refers to that one,
    /// and what it keeps in other fields are views of it in turn.
    fn is_view(&mut self, vm: &Vm, layout: &Layout, object: Ref, holder: Ref, depth: u32) -> bool {
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

    /// Numbers an object, and its length if it is an array.
    fn enter(&mut self, vm: &Vm, object: Ref, layout: &Layout) -> Result<(), OutOfScope> {
        let id = self.order.len() as u32;
        self.order.push(object);
        let at = (object.0 - self.base) as usize;
        if at >= self.seen.len() {
            self.seen.resize(at + 64, 0);
        }
        self.seen[at] = u64::from(self.epoch) << 32 | u64::from(id);
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
            return Err(OutOfScope);
        }
        if let Sort::Array { .. } = layout.sort {
            let length = vm.heap.array_length(object);
            if length > self.limits.array_length {
                return Err(OutOfScope);
            }
            self.bits.put_int(length as i32);
        }
        Ok(())
    }

    fn put_body(
        &mut self,
        vm: &Vm,
        object: Ref,
        layout: &Layout,
        within_limits: bool,
    ) -> Result<(), OutOfScope> {
        match &layout.sort {
            Sort::Object { fields, .. } => {
                for &(word, code) in fields {
                    let slot = vm.heap.field(object, word);
                    self.put_slot(vm, object, slot, code, within_limits)?;
                }
            }
            Sort::Array { kind, code } => {
                let bytes = u64::from(kind.element_bytes());
                let start = vm.heap.elements(object);
                let mut objects = 0;
                for index in 0..u64::from(vm.heap.array_length(object)) {
                    let slot = vm.array_slot(start + index * bytes, *kind);
                    if *kind == Kind::Reference && slot != 0 {
                        objects += 1;
                        if objects > self.limits.array_objects {
                            return Err(OutOfScope);
                        }
                    }
                    self.put_slot(vm, object, slot, *code, within_limits)?;
                }
            }
            Sort::Box { .. } | Sort::Text | Sort::Mirror => {}
        }
        Ok(())
    }

    #[inline]
    fn put_slot(
        &mut self,
        vm: &Vm,
        holder: Ref,
        slot: u64,
        code: Code,
        within_limits: bool,
    ) -> Result<(), OutOfScope> {
        match code {
            Code::Primitive(kind) => {
                put_primitive(&mut self.bits, kind, slot);
                Ok(())
            }
            Code::Reference(declared) => {
                let target = Ref::from_slot(slot);
                if target.is_null() {
                    self.bits.put(NULL, 2);
                    return Ok(());
                }
                if target.0 >= self.base
                    && let Some(&seen) = self.seen.get((target.0 - self.base) as usize)
                    && seen >> 32 == u64::from(self.epoch)
                {
                    self.bits.put(KNOWN, 2);
                    self.bits.put(seen as u32, width_of(self.order.len()));
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
            Sort::Box { kind, word } => {
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
            Sort::Text => {
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
                    self.bits.put_int(number as i32);
                } else {
                    self.singletons.insert(layout.number, target);
                    self.bits.put(OLDER_SINGLETON, 2);
                    self.bits.put_int(layout.number as i32);
                }
            }
            _ if self.is_view(vm, &layout, target, holder, 0) => self.bits.put(NULL, 2),
            _ => {
                if declared == Some(layout.number) {
                    self.bits.put(USUAL, 2);
                } else {
                    self.bits.put(OTHER | OTHER_NEW << 2, 4);
                    self.bits.put_int(layout.number as i32);
                }
                let entered = self.enter(vm, target, &layout);
                if within_limits {
                    return entered;
                }
            }
        }
        Ok(())
    }

    /// The objects of the heap that was last written or made, in the order of its form.
    #[must_use]
    pub fn objects(&self) -> &[Ref] {
        &self.order
    }

    /// Makes the heap of a form, whose root is of class `root`; of objects that are all new.
    ///
    /// # Errors
    /// It cannot be made on this machine; what was made so far is there and of no use.
    pub fn make(&mut self, vm: &mut Vm, root: ClassId, form: Form<'_>) -> Result<Ref, NotMade> {
        self.order.clear();
        let mut reader = BitReader::new(form.compared);
        let layout = self.layout(vm, root);
        let first = self.allocate(vm, &layout, &mut reader)?;
        let mut next = 0;
        while let Some(&object) = self.order.get(next) {
            next += 1;
            self.take_body(vm, object, &mut reader)?;
        }
        if !form.omitted.is_empty() {
            self.take_omitted(vm, next, form.omitted)?;
        }
        Ok(first)
    }

    fn take_omitted(
        &mut self,
        vm: &mut Vm,
        compared: usize,
        omitted: &[u8],
    ) -> Result<(), NotMade> {
        let mut reader = BitReader::new(omitted);
        let mut next = 0;
        while let Some(&object) = self.order.get(next) {
            if next >= compared {
                self.take_body(vm, object, &mut reader)?;
            }
            let layout = self.layout(vm, vm.heap.class_of(object));
            if let Sort::Object { omitted, .. } = &layout.sort {
                for &(word, code) in omitted {
                    let slot = self.take_slot(vm, code, &mut reader)?;
                    vm.heap.set_field(object, word, slot);
                }
            }
            next += 1;
        }
        Ok(())
    }

    fn allocate(
        &mut self,
        vm: &mut Vm,
        layout: &Layout,
        reader: &mut BitReader<'_>,
    ) -> Result<Ref, NotMade> {
        let made = match &layout.sort {
            Sort::Object { words, .. } => vm.heap.allocate(layout.class, *words, false),
            Sort::Array { kind, .. } => {
                let length = reader.take_int() as u32;
                let bytes = kind.element_bytes();
                vm.heap.allocate_array(layout.class, length, bytes, false)
            }
            Sort::Box { .. } | Sort::Text | Sort::Mirror => return Err(NotMade::Unknown),
        };
        let object = made.map_err(|_| NotMade::HeapFull)?;
        self.order.push(object);
        Ok(object)
    }

    fn take_body(
        &mut self,
        vm: &mut Vm,
        object: Ref,
        reader: &mut BitReader<'_>,
    ) -> Result<(), NotMade> {
        let layout = self.layout(vm, vm.heap.class_of(object));
        match &layout.sort {
            Sort::Object { fields, .. } => {
                for &(word, code) in fields {
                    let slot = self.take_slot(vm, code, reader)?;
                    vm.heap.set_field(object, word, slot);
                }
            }
            Sort::Array { kind, code } => {
                let bytes = u64::from(kind.element_bytes());
                let start = vm.heap.elements(object);
                for index in 0..u64::from(vm.heap.array_length(object)) {
                    let slot = self.take_slot(vm, *code, reader)?;
                    vm.set_array_slot(start + index * bytes, *kind, slot);
                }
            }
            Sort::Box { .. } | Sort::Text | Sort::Mirror => {}
        }
        Ok(())
    }

    fn take_slot(
        &mut self,
        vm: &mut Vm,
        code: Code,
        reader: &mut BitReader<'_>,
    ) -> Result<u64, NotMade> {
        let declared = match code {
            Code::Primitive(kind) => return Ok(take_primitive(reader, kind)),
            Code::Reference(declared) => declared,
        };
        let target = match reader.take(2) {
            NULL => Ref::NULL,
            KNOWN => self.order[reader.take(width_of(self.order.len())) as usize],
            USUAL => match declared {
                Some(number) => self.take_new(vm, number, reader)?,
                None => self.take_box(vm, Kind::Int, reader)?,
            },
            _ => match reader.take(2) {
                OTHER_NEW => {
                    let number = reader.take_int() as u32;
                    self.take_new(vm, number, reader)?
                }
                OTHER_BOX => {
                    let kind = Kind::NEWARRAY[reader.take(3) as usize];
                    self.take_box(vm, kind, reader)?
                }
                OTHER_TEXT => {
                    let length = reader.take_int();
                    let units: Vec<u16> = (0..length).map(|_| reader.take_int() as u16).collect();
                    vm.new_string_utf16(&units).map_err(|_| NotMade::HeapFull)?
                }
                _ => self.take_older(vm, reader)?,
            },
        };
        Ok(target.slot())
    }

    fn take_new(
        &mut self,
        vm: &mut Vm,
        number: u32,
        reader: &mut BitReader<'_>,
    ) -> Result<Ref, NotMade> {
        let layout = self.numbered(vm, number).ok_or(NotMade::Unknown)?;
        self.allocate(vm, &layout, reader)
    }

    fn take_older(&mut self, vm: &mut Vm, reader: &mut BitReader<'_>) -> Result<Ref, NotMade> {
        match reader.take(2) {
            OLDER_ADDRESS => Ok(Ref(reader.take(ADDRESS_BITS))),
            OLDER_MIRROR => {
                let number = reader.take_int() as u32;
                let layout = self.numbered(vm, number).ok_or(NotMade::Unknown)?;
                Ok(vm.class(layout.class).mirror)
            }
            _ => {
                let number = reader.take_int() as u32;
                let known = self.singletons.get(&number);
                known.copied().ok_or(NotMade::Unknown)
            }
        }
    }

    fn take_box(
        &mut self,
        vm: &mut Vm,
        kind: Kind,
        reader: &mut BitReader<'_>,
    ) -> Result<Ref, NotMade> {
        let slot = take_primitive(reader, kind);
        match self.boxes.get(&(kind, slot)) {
            Some(&known) => Ok(known),
            None => vm.boxed(kind, slot).map_err(|_| NotMade::HeapFull),
        }
    }

    /// The layout of the class with a number, which is loaded if it is not.
    fn numbered(&mut self, vm: &mut Vm, number: u32) -> Option<Rc<Layout>> {
        if let Some(Some(known)) = self.by_number.get(number as usize) {
            return Some(Rc::clone(known));
        }
        let name = self.numbers.name(number)?;
        let class = vm.load_class(&name).ok()?;
        Some(self.layout(vm, class))
    }

    #[inline]
    fn layout(&mut self, vm: &Vm, class: ClassId) -> Rc<Layout> {
        match self.layouts.get(class.0 as usize) {
            Some(Some(known)) => Rc::clone(known),
            _ => self.learn(vm, class),
        }
    }

    #[cold]
    fn learn(&mut self, vm: &Vm, class: ClassId) -> Rc<Layout> {
        let name = vm.class_name(class);
        let number = self.numbers.number(name);
        let binary = vm.binary_name(class);
        let most = self.limits.objects_of.get(&binary);
        let layout = Rc::new(Layout {
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

    fn sort(&self, vm: &Vm, class: ClassId, name: &str) -> Sort {
        if let Shape::Array(element) = vm.class(class).shape {
            let kind = vm.array_element_kind(class);
            let code = match kind {
                Kind::Reference => self.reference(vm.class_name(element)),
                _ => Code::Primitive(kind),
            };
            return Sort::Array { kind, code };
        }
        match name {
            "java/lang/String" => return Sort::Text,
            "java/lang/Class" => return Sort::Mirror,
            _ => {}
        }
        if let Some(kind) = Kind::of_box(name)
            && let Some(field) = vm.find_field(class, "value")
        {
            return Sort::Box {
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
                kind => Code::Primitive(kind),
            };
            let owner = vm.binary_name(field.class);
            match (self.omits)(&owner, vm.text(field.name)) {
                true => omitted.push((field.word, code)),
                false => fields.push((field.word, code)),
            }
        }
        Sort::Object {
            words: vm.class(class).instance_words,
            fields,
            omitted,
        }
    }

    /// How references that are declared to be of a class are written.
    fn reference(&self, name: &str) -> Code {
        let holds_boxes = matches!(
            name,
            "java/lang/Object"
                | "java/lang/Integer"
                | "java/lang/Number"
                | "java/lang/Comparable"
                | "java/io/Serializable"
        );
        Code::Reference((!holds_boxes).then(|| self.numbers.number(name)))
    }
}

/// The fields by which an object of a library class is known for a view, if all that are no references
/// are final.
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

#[inline]
fn take_primitive(reader: &mut BitReader<'_>, kind: Kind) -> u64 {
    match kind {
        Kind::Boolean => u64::from(reader.take(1)),
        Kind::Long => reader.take_long() as u64,
        Kind::Double => {
            let low = u64::from(reader.take(32));
            low | u64::from(reader.take(32)) << 32
        }
        Kind::Float => u64::from(reader.take(32)),
        _ => u64::from(reader.take_int() as u32),
    }
}
