//! Static state: what class initialisation has left in static fields and the objects behind them, what
//! tests change of it, and statements that put it back.
//!
//! A statement that puts something back is one like any other: a field is stored, an element is, a
//! collection is cleared. What no such statement can put back says why.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_jvm::class::{self, Shape, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Exit, MethodId, Place, Plain, Ref, Vm};
use rustc_hash::FxHashSet;

use super::dataflow::is_value;
use super::invokables::{Field, Invokable, Takes, What};
use super::minimal::Test;
use super::plan::{Argument, Plan, Statement};
use super::replay::{Concrete, Replayer};
use crate::Error;
use crate::derive::constants_of_initialized;
use crate::symbolic::{Contents, Input, Object, Value};

/// Most places that are looked at; what lies behind them counts as never changed.
const MAX_PLACES: usize = 100_000;
/// Most fields on the way from a static field to what is put back.
const MAX_DEPTH: usize = 3;
/// Elements that are put back one by one; of more, all at once if they are all alike.
const FEW: usize = 3;

/// What tests change of static state, put back as one.
#[derive(Clone, Debug)]
pub(super) struct Change {
    /// The class with the static field that leads to it.
    pub class: ClassId,
    /// What it is: `a.B.count`.
    pub name: String,
    /// The statements that put it back; or why there are none.
    pub reset: Result<Concrete, String>,
    /// The tests that change it, ascending.
    pub by: BTreeSet<usize>,
}

/// What some tests change, roots first. Classes that they initialize are so from now on; the plan has
/// what statements that put something back are made of.
///
/// # Errors
/// A class is not there any more, or no memory is left.
pub(super) fn changes(
    vm: &mut Vm,
    plan: &mut Plan,
    replayer: &mut Replayer<'_>,
    tests: &[Test],
) -> Result<Vec<Change>, Error> {
    let mut known: FxHashSet<ClassId> = vm.initialized_classes().into_iter().collect();
    for test in tests {
        let seen = replayer.run(vm, &test.concrete, &mut |vm, _| vm.initialized_classes())?;
        for class in seen.into_iter().flatten() {
            if !known.insert(class) {
                continue;
            }
            // One that fails would not do so a second time.
            let mark = vm.mark();
            let is_able = vm.initialize_now(class).is_ok();
            vm.undo_to(mark);
            vm.forget(mark);
            if is_able {
                let _ = vm.initialize_now(class);
            }
        }
    }
    let state = Reader::read(vm);
    if state.cells.is_empty() {
        return Ok(Vec::new());
    }
    let mut found: BTreeMap<usize, (BTreeSet<u32>, BTreeSet<usize>)> = BTreeMap::new();
    for (number, test) in tests.iter().enumerate() {
        let seen = replayer.run(vm, &test.concrete, &mut |vm, _| {
            let cells = state.cells.iter();
            let changed = cells.filter(|cell| cell.spot.slot(vm) != cell.slot);
            let changed = changed.map(|cell| (cell.holder, cell.spot.index()));
            changed.collect::<Vec<_>>()
        })?;
        for (holder, index) in seen.into_iter().flatten() {
            let change = found.entry(holder).or_default();
            change.0.insert(index);
            change.1.insert(number);
        }
    }
    let mut changes = Vec::new();
    for (holder, (indices, by)) in found {
        let holder = &state.holders[holder];
        let Some(first) = holder.path.first() else {
            continue;
        };
        changes.push(Change {
            class: first.class,
            name: holder.name(vm),
            reset: reset(vm, plan, holder, &indices),
            by,
        });
    }
    Ok(changes)
}

/// Where a value is.
#[derive(Clone, Copy, Debug)]
enum Spot {
    Static(u32),
    Field(Ref, u32),
    Element(Ref, u32),
}

impl Spot {
    fn slot(self, vm: &Vm) -> u64 {
        match self {
            Spot::Static(word) => vm.heap.load(word),
            Spot::Field(object, word) => vm.heap.field(object, word),
            Spot::Element(array, index) => vm.slot_of_place(array, Place::Element(index)),
        }
    }

    /// Of an element its index.
    fn index(self) -> u32 {
        match self {
            Spot::Element(_, index) => index,
            _ => 0,
        }
    }
}

/// A value that class initialisation has left.
#[derive(Clone, Copy, Debug)]
struct Cell {
    spot: Spot,
    slot: u64,
    /// What is put back if it changes.
    holder: usize,
}

/// What can be put back as one.
#[derive(Clone, Debug)]
struct Holder {
    /// The fields that lead to it, a static one first.
    path: Vec<Field>,
    what: Held,
}

#[derive(Clone, Debug)]
enum Held {
    /// The last field of the path, and what it holds.
    Field(u64, Kind),
    /// An array of primitives or of values.
    Array(Ref),
    /// An object of the library.
    Library(Ref),
    /// Something within an array or an object that no field leads to.
    Inside(ClassId),
}

impl Holder {
    fn name(&self, vm: &Vm) -> String {
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

/// Reads static state, breadth first.
#[derive(Default)]
struct Reader {
    cells: Vec<Cell>,
    holders: Vec<Holder>,
    seen: FxHashSet<Ref>,
    /// Objects to look at, each with the fields that lead to it.
    open: Vec<(Ref, Vec<Field>)>,
    /// Objects that are looked at after all others: with what holds them.
    opaque: Vec<(Ref, Holder)>,
}

impl Reader {
    fn read(vm: &Vm) -> Reader {
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

    fn field(&mut self, vm: &Vm, field: &class::Field, spot: Spot, path: &[Field]) {
        // Tables of switches, and whether assertions are on.
        if field.flags & flags::SYNTHETIC != 0 && field.is_static() {
            return;
        }
        let slot = spot.slot(vm);
        let mut path = path.to_vec();
        path.push(Field {
            class: field.class,
            name: vm.text(field.name).to_owned(),
            descriptor: vm.text(field.descriptor).to_owned(),
            is_static: field.is_static(),
        });
        if field.flags & flags::FINAL == 0 {
            self.cells.push(Cell {
                spot,
                slot,
                holder: self.holders.len(),
            });
            self.holders.push(Holder {
                path: path.clone(),
                what: Held::Field(slot, field.kind),
            });
        }
        if field.kind == Kind::Reference {
            self.open.push((Ref::from_slot(slot), path));
        }
    }

    fn object(&mut self, vm: &Vm, object: Ref, path: Vec<Field>) {
        if is_fixed(vm, object) || self.seen.contains(&object) {
            return;
        }
        let class = vm.heap.class_of(object);
        let is_array = matches!(vm.class(class).shape, Shape::Array(_));
        let what = match is_array {
            true => Held::Array(object),
            false if path.len() > MAX_DEPTH => Held::Inside(class),
            false if !vm.is_app_class(class) => Held::Library(object),
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
                    let what = Held::Library(object);
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
                holder: self.holders.len(),
            });
            let element = Ref::from_slot(slot);
            if kind == Kind::Reference && !is_fixed(vm, element) {
                let inside = Holder {
                    path: holder.path.clone(),
                    what: Held::Inside(vm.heap.class_of(element)),
                };
                self.opaque.push((element, inside));
            }
        }
        self.holders.push(holder);
    }

    /// Takes in all that some places lead to as what one holder holds.
    fn opaque(&mut self, vm: &Vm, holder: Holder, mut open: Vec<(Spot, Kind)>) {
        self.holders.push(holder);
        let holder = self.holders.len() - 1;
        while let Some((spot, kind)) = open.pop()
            && self.cells.len() < MAX_PLACES
        {
            let slot = spot.slot(vm);
            self.cells.push(Cell { spot, slot, holder });
            let held = Ref::from_slot(slot);
            if kind == Kind::Reference && !is_fixed(vm, held) && self.seen.insert(held) {
                open.extend(spots(vm, held, |_| true));
            }
        }
    }
}

/// The places in an object: elements, and the fields of some of its classes.
fn spots(vm: &Vm, object: Ref, is_wanted: impl Fn(ClassId) -> bool) -> Vec<(Spot, Kind)> {
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

/// Whether what a reference leads to never changes: null, classes, literals, strings and boxes.
fn is_fixed(vm: &Vm, object: Ref) -> bool {
    if vm.heap.is_permanent(object) {
        return true;
    }
    let class = vm.heap.class_of(object);
    is_value(vm, class) || vm.class_name(class) == "java/lang/Class"
}

/// The statements that put back what a holder holds, of an array what it has at some indices.
fn reset(
    vm: &mut Vm,
    plan: &mut Plan,
    holder: &Holder,
    indices: &BTreeSet<u32>,
) -> Result<Concrete, String> {
    let mut steps = Steps {
        plan,
        concrete: Concrete {
            statements: Vec::new(),
            input: Input::default(),
        },
    };
    let to = match holder.what {
        Held::Field(..) => holder.path.len() - 1,
        _ => holder.path.len(),
    };
    let object = steps.load(&holder.path[..to]);
    match holder.what {
        Held::Field(slot, kind) => {
            let field = holder.path[to].clone();
            let held = steps.value(vm, slot, kind)?;
            let mut takes = Vec::new();
            if !field.is_static {
                takes.push(Takes::receiver(descriptor::of_class(
                    vm.class_name(field.class),
                )));
            }
            takes.push(Takes::argument(&field.descriptor, &field.name));
            let arguments = object.into_iter().chain([held]).collect();
            steps.push(What::StoreField(field), takes, None, arguments);
        }
        Held::Array(array) => steps.fill(vm, array, object, indices)?,
        Held::Library(library) => steps.clear(vm, library, object)?,
        Held::Inside(class) => {
            let class = vm.binary_name(class);
            return Err(format!("no statement leads to its {class}"));
        }
    }
    Ok(steps.concrete)
}

/// Writes statements.
struct Steps<'p> {
    plan: &'p mut Plan,
    concrete: Concrete,
}

impl Steps<'_> {
    fn push(
        &mut self,
        what: What,
        takes: Vec<Takes>,
        gives: Option<String>,
        arguments: Vec<Argument>,
    ) {
        let invokable = Invokable {
            what,
            takes,
            gives,
            contents: Vec::new(),
            is_lambda: false,
        };
        let known = self
            .plan
            .invokables
            .iter()
            .position(|other| *other == invokable);
        let invokable = known.unwrap_or_else(|| self.plan.add_hidden(invokable));
        self.concrete.statements.push(Statement {
            invokable,
            arguments,
        });
    }

    fn made(&self) -> Argument {
        Argument::Made(self.concrete.statements.len() - 1)
    }

    /// Loads what fields lead to.
    fn load(&mut self, path: &[Field]) -> Option<Argument> {
        let mut object: Option<Argument> = None;
        for (at, field) in path.iter().enumerate() {
            let owner = at.checked_sub(1).map(|before| &path[before].descriptor);
            let takes = owner.map(|owner| Takes::receiver(owner.clone()));
            self.push(
                What::LoadField(field.clone()),
                takes.into_iter().collect(),
                Some(field.descriptor.clone()),
                object.into_iter().collect(),
            );
            object = Some(self.made());
        }
        object
    }

    /// A value as an argument.
    fn value(&mut self, vm: &mut Vm, slot: u64, kind: Kind) -> Result<Argument, String> {
        let object = Ref::from_slot(slot);
        if kind == Kind::Reference
            && !object.is_null()
            && let Some((class, constructor)) = empty_of(vm, object)
        {
            let made = descriptor::of_class(vm.class_name(class));
            self.push(
                What::Constructor(class, constructor),
                Vec::new(),
                Some(made),
                Vec::new(),
            );
            return Ok(self.made());
        }
        let written = written(vm, slot, kind, &mut self.concrete.input.objects, MAX_DEPTH);
        let Some(value) = written else {
            let class = vm.binary_name(vm.heap.class_of(object));
            return Err(format!("no test can make its {class} again"));
        };
        self.concrete.input.roots.push((String::new(), value));
        Ok(Argument::Open)
    }

    /// Puts elements back.
    fn fill(
        &mut self,
        vm: &mut Vm,
        array: Ref,
        object: Option<Argument>,
        indices: &BTreeSet<u32>,
    ) -> Result<(), String> {
        let class = vm.heap.class_of(array);
        let kind = vm.array_element_kind(class);
        let name = vm.class_name(class).to_owned();
        let slots: Vec<u64> = (0..vm.heap.array_length(array))
            .map(|index| Spot::Element(array, index).slot(vm))
            .collect();
        let is_uniform = slots.iter().all(|slot| *slot == slots[0]);
        let object: Vec<Argument> = object.into_iter().collect();
        if indices.len() > FEW
            && is_uniform
            && let Some((class, fill)) = filling(vm, kind)
        {
            let taken = vm.text(vm.method(fill).descriptor).to_owned();
            let (takes, _) = descriptor::split_method(&taken).unwrap_or_default();
            let takes = takes
                .iter()
                .map(|taken| Takes::argument(taken, "value"))
                .collect();
            let value = self.value(vm, slots[0], kind)?;
            let arguments = object.into_iter().chain([value]).collect();
            self.push(What::Static(class, fill), takes, None, arguments);
            return Ok(());
        }
        for &index in indices {
            let value = self.value(vm, slots[index as usize], kind)?;
            let arguments = object.iter().copied();
            let arguments = arguments.chain([value, Argument::Index(index)]).collect();
            let takes = vec![
                Takes::receiver(name.clone()),
                Takes::argument(&name[1..], "element"),
            ];
            self.push(What::StoreElement(name.clone()), takes, None, arguments);
        }
        Ok(())
    }

    /// Puts an object of the library back: a collection that was empty, a number that can be set.
    fn clear(&mut self, vm: &mut Vm, library: Ref, object: Option<Argument>) -> Result<(), String> {
        let class = vm.heap.class_of(library);
        let mut arguments: Vec<Argument> = object.into_iter().collect();
        let name = vm.class_name(class).to_owned();
        let atomic = match name.as_str() {
            "java/util/concurrent/atomic/AtomicInteger" => Some(("get", "I", Kind::Int)),
            "java/util/concurrent/atomic/AtomicLong" => Some(("get", "J", Kind::Long)),
            "java/util/concurrent/atomic/AtomicBoolean" => Some(("get", "Z", Kind::Boolean)),
            _ => None,
        };
        if let Some((get, taken, kind)) = atomic {
            let set = vm.declared_method(class, "set", &format!("({taken})V"));
            let get = vm.declared_method(class, get, &format!("(){taken}"));
            let held = get.and_then(|get| asked(vm, get, library));
            if let (Some(set), Some(held)) = (set, held) {
                let owner = descriptor::of_class(&name);
                let value = self.value(vm, held, kind)?;
                arguments.push(value);
                let takes = vec![Takes::receiver(owner), Takes::argument(taken, "value")];
                self.push(What::Instance(class, set), takes, None, arguments);
                return Ok(());
            }
        }
        let said = vm.binary_name(class);
        let Some((interface, clear)) = clearing(vm, class) else {
            return Err(format!("it holds a {said}, which no statement puts back"));
        };
        if !is_empty(vm, interface, library) {
            return Err(format!("its {said} is not empty from the start"));
        }
        let owner = descriptor::of_class(vm.class_name(interface));
        self.push(
            What::Instance(interface, clear),
            vec![Takes::receiver(owner)],
            None,
            arguments,
        );
        Ok(())
    }
}

/// The interface of a collection and its method that empties it.
fn clearing(vm: &mut Vm, class: ClassId) -> Option<(ClassId, MethodId)> {
    ["java/util/Map", "java/util/Collection"]
        .into_iter()
        .find_map(|name| {
            let interface = vm.load_class(name).ok()?;
            let clear = vm.declared_method(interface, "clear", "()V")?;
            vm.is_subclass(class, interface)
                .then_some((interface, clear))
        })
}

fn is_empty(vm: &mut Vm, interface: ClassId, collection: Ref) -> bool {
    let method = vm.declared_method(interface, "isEmpty", "()Z");
    let method = method.and_then(|method| vm.select(vm.heap.class_of(collection), method));
    method.and_then(|method| asked(vm, method, collection)) == Some(1)
}

/// The class and constructor that make an empty collection of the library again.
fn empty_of(vm: &mut Vm, object: Ref) -> Option<(ClassId, MethodId)> {
    let class = vm.heap.class_of(object);
    let is_public = |bits: u16| bits & flags::PUBLIC != 0;
    if vm.is_app_class(class) || !is_public(vm.class(class).flags) {
        return None;
    }
    let (interface, _) = clearing(vm, class)?;
    let constructor = vm.declared_method(class, "<init>", "()V")?;
    let is_able = is_public(vm.method(constructor).flags) && is_empty(vm, interface, object);
    is_able.then_some((class, constructor))
}

/// The method of the library that fills an array.
fn filling(vm: &mut Vm, kind: Kind) -> Option<(ClassId, MethodId)> {
    let class = vm.load_class("java/util/Arrays").ok()?;
    vm.initialize_now(class).ok()?;
    let element = kind.descriptor();
    let fill = vm.declared_method(class, "fill", &format!("([{element}{element})V"))?;
    Some((class, fill))
}

/// What a method without parameters returns of an object; the machine goes back.
fn asked(vm: &mut Vm, method: MethodId, object: Ref) -> Option<u64> {
    let mark = vm.mark();
    let exit = match vm.call(method, &[object.slot()]) {
        Ok(()) => vm.run(&mut Plain),
        Err(exit) => exit,
    };
    if !matches!(exit, Exit::Done(_)) {
        vm.abandon();
    }
    vm.undo_to(mark);
    vm.forget(mark);
    match exit {
        Exit::Done(slot) => Some(slot),
        _ => None,
    }
}

/// A value as a test writes it down, its objects among others; none if it cannot.
fn written(
    vm: &Vm,
    slot: u64,
    kind: Kind,
    objects: &mut Vec<Object>,
    depth: usize,
) -> Option<Value> {
    if kind != Kind::Reference {
        return Some(Value::Primitive(kind, slot));
    }
    let object = Ref::from_slot(slot);
    if object.is_null() {
        return Some(Value::Null);
    }
    let class = vm.heap.class_of(object);
    let constant = vm.class(class).display.iter().rev().find_map(|&class| {
        let constants = constants_of_initialized(vm, class)?;
        let (name, _) = constants
            .into_iter()
            .find(|constant| constant.1 == object)?;
        Some(Value::Constant(vm.binary_name(class), name))
    });
    if constant.is_some() {
        return constant;
    }
    let contents = if vm.class_name(class) == "java/lang/String" {
        let units = vm.string_units(object);
        // Half a surrogate pair is in no source.
        String::from_utf16(&units).ok()?;
        Contents::Text(units)
    } else if let Some((kind, slot)) = vm.unboxed(object) {
        let held = Value::Primitive(kind, slot);
        Contents::Fields(vec![(vm.binary_name(class), "value".to_owned(), held)])
    } else if matches!(vm.class(class).shape, Shape::Array(_)) && depth > 0 {
        let kind = vm.array_element_kind(class);
        let mut elements = Vec::new();
        for index in 0..vm.heap.array_length(object) {
            let slot = Spot::Element(object, index).slot(vm);
            elements.push(written(vm, slot, kind, objects, depth - 1)?);
        }
        Contents::Elements(elements)
    } else {
        return None;
    };
    objects.push(Object {
        class: vm.binary_name(class),
        contents,
    });
    Some(Value::Object(objects.len() - 1))
}
