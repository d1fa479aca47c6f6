//! State after class initialisation: places reachable from static fields, each with the holder that
//! is restored as a unit.
//!
//! Invariant: each place occurs once, with the first holder that leads to it. Immutable places are
//! omitted.

use heapwright_jvm::class::{self, Shape, flags};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, Place, Ref, Vm};
use rustc_hash::FxHashSet;

use crate::statements::{AccessedField, is_value_class};

/// Maximum number of places examined; places beyond them count as unchanged.
const MAX_PLACES: usize = 100_000;
/// Maximum number of fields on the path from a static field to a restorable place.
pub(super) const MAX_DEPTH: usize = 3;

/// Location of a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    Static(u32),
    Field(Ref, u32),
    Element(Ref, u32),
}

impl Spot {
    pub(super) fn slot(self, vm: &Vm) -> u64 {
        match self {
            Spot::Static(word) => vm.heap.load(word),
            Spot::Field(object, word) => vm.heap.field(object, word),
            Spot::Element(array, index) => vm.slot_of_place(array, Place::Element(index)),
        }
    }

    /// Returns the index of an element; 0 for other locations.
    pub(super) fn index(self) -> u32 {
        match self {
            Spot::Element(_, index) => index,
            _ => 0,
        }
    }
}

/// A value after class initialisation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub spot: Spot,
    pub slot: u64,
    pub kind: Kind,
    /// The holder to restore if it changes.
    pub holder: usize,
}

/// A unit that is restored together.
#[derive(Clone, Debug)]
pub(super) struct Holder {
    /// The path of fields that leads to it, starting with a static one.
    pub path: Vec<AccessedField>,
    pub what: ChangedState,
}

#[derive(Clone, Debug)]
pub(super) enum ChangedState {
    /// The last field of the path, with its value and kind.
    Field(u64, Kind),
    /// An array of primitives or of values.
    Array(Ref),
    /// A library object.
    Library(Ref),
    /// An object inside an array or object, not reachable through fields.
    Inside(ClassId),
}

impl Holder {
    pub(super) fn name(&self, vm: &Vm) -> String {
        let mut name = String::new();
        for field in &self.path {
            if field.is_static {
                name = vm.binary_name(field.class);
            }
            name = format!("{name}.{}", field.name);
        }
        name
    }
}

/// Traverses static state, breadth first.
#[derive(Default)]
pub(super) struct Reader {
    pub cells: Vec<Cell>,
    pub holders: Vec<Holder>,
    seen: FxHashSet<Ref>,
    /// Objects to visit, each with its path of fields.
    open: Vec<(Ref, Vec<AccessedField>)>,
    /// Objects visited after all others, each with its holder.
    opaque: Vec<(Ref, Holder)>,
}

impl Reader {
    pub(super) fn read(vm: &Vm) -> Reader {
        let mut reader = Reader::default();
        for class in vm.initialized_classes() {
            if !vm.is_app_class(class) {
                continue;
            }
            for field in vm
                .class(class)
                .fields
                .iter()
                .filter(|field| field.is_static())
            {
                reader.field(vm, field, Spot::Static(field.word), &[]);
            }
        }
        let mut at = 0;
        while at < reader.open.len() && reader.cells.len() < MAX_PLACES {
            let (object, path) = reader.open[at].clone();
            at += 1;
            reader.object(vm, object, path);
        }
        for (object, holder) in std::mem::take(&mut reader.opaque) {
            if reader.seen.insert(object) {
                let spots = spots(vm, object, |_| true);
                reader.opaque(vm, holder, spots);
            }
        }
        reader
    }

    fn field(&mut self, vm: &Vm, field: &class::Field, spot: Spot, path: &[AccessedField]) {
        // Switch tables, and the assertion status.
        if field.flags & flags::SYNTHETIC != 0 && field.is_static() {
            return;
        }
        let slot = spot.slot(vm);
        let mut path = path.to_vec();
        path.push(AccessedField {
            class: field.class,
            name: vm.text(field.name).to_owned(),
            descriptor: vm.text(field.descriptor).to_owned(),
            is_static: field.is_static(),
        });
        if field.flags & flags::FINAL == 0 {
            self.cells.push(Cell {
                spot,
                slot,
                kind: field.kind,
                holder: self.holders.len(),
            });
            self.holders.push(Holder {
                path: path.clone(),
                what: ChangedState::Field(slot, field.kind),
            });
        }
        if field.kind == Kind::Reference {
            self.open.push((Ref::from_slot(slot), path));
        }
    }

    fn object(&mut self, vm: &Vm, object: Ref, path: Vec<AccessedField>) {
        if is_fixed(vm, object) || self.seen.contains(&object) {
            return;
        }
        let class = vm.heap.class_of(object);
        let is_array = matches!(vm.class(class).shape, Shape::Array(_));
        let what = match is_array {
            true => ChangedState::Array(object),
            false if path.len() > MAX_DEPTH => ChangedState::Inside(class),
            false if !vm.is_app_class(class) => ChangedState::Library(object),
            false => {
                self.seen.insert(object);
                let own = vm.class(class).display.iter();
                let own = own.filter(|&&above| vm.is_app_class(above));
                let own = own.flat_map(|&above| &vm.class(above).fields);
                for field in own.filter(|field| !field.is_static()) {
                    self.field(vm, field, Spot::Field(object, field.word), &path);
                }
                let inherited = spots(vm, object, |above| !vm.is_app_class(above));
                if !inherited.is_empty() {
                    let what = ChangedState::Library(object);
                    self.opaque(vm, Holder { path, what }, inherited);
                }
                return;
            }
        };
        let holder = Holder { path, what };
        if !is_array {
            self.opaque.push((object, holder));
            return;
        }
        self.seen.insert(object);
        let kind = vm.array_element_kind(class);
        for index in 0..vm.heap.array_length(object) {
            let spot = Spot::Element(object, index);
            let slot = spot.slot(vm);
            self.cells.push(Cell {
                spot,
                slot,
                kind,
                holder: self.holders.len(),
            });
            let element = Ref::from_slot(slot);
            if kind == Kind::Reference && !is_fixed(vm, element) {
                let inside = Holder {
                    path: holder.path.clone(),
                    what: ChangedState::Inside(vm.heap.class_of(element)),
                };
                self.opaque.push((element, inside));
            }
        }
        self.holders.push(holder);
    }

    /// Adds everything reachable from some places to one holder.
    fn opaque(&mut self, vm: &Vm, holder: Holder, mut open: Vec<(Spot, Kind)>) {
        self.holders.push(holder);
        let holder = self.holders.len() - 1;
        while let Some((spot, kind)) = open.pop()
            && self.cells.len() < MAX_PLACES
        {
            let slot = spot.slot(vm);
            self.cells.push(Cell {
                spot,
                slot,
                kind,
                holder,
            });
            let held = Ref::from_slot(slot);
            if kind == Kind::Reference && !is_fixed(vm, held) && self.seen.insert(held) {
                open.extend(spots(vm, held, |_| true));
            }
        }
    }
}

/// Returns the places in an object: elements, or the fields of classes that satisfy a predicate.
pub(super) fn spots(
    vm: &Vm,
    object: Ref,
    is_wanted: impl Fn(ClassId) -> bool,
) -> Vec<(Spot, Kind)> {
    let class = vm.heap.class_of(object);
    let mut spots = Vec::new();
    if matches!(vm.class(class).shape, Shape::Array(_)) {
        let kind = vm.array_element_kind(class);
        let all = 0..vm.heap.array_length(object);
        spots.extend(all.map(|index| (Spot::Element(object, index), kind)));
        return spots;
    }
    let classes = vm.class(class).display.iter();
    let fields = classes.filter(|&&class| is_wanted(class));
    let fields = fields.flat_map(|&class| &vm.class(class).fields);
    let fields = fields.filter(|field| !field.is_static());
    spots.extend(fields.map(|field| (Spot::Field(object, field.word), field.kind)));
    spots
}

/// Whether an object is immutable: null, a class, a literal, a string or a box.
pub(super) fn is_fixed(vm: &Vm, object: Ref) -> bool {
    if vm.heap.is_permanent(object) {
        return true;
    }
    let class = vm.heap.class_of(object);
    is_value_class(vm, class) || vm.class_name(class) == "java/lang/Class"
}
