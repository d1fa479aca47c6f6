//! Inputs that are made as the run comes to look at them (lazy initialization).
//!
//! A value of primitive type is a variable; a reference stays open until its object is needed, and
//! comes to null, to an input that is there already, or to a new object all of whose fields are
//! inputs again. What an input held at the start is kept here, whatever the run writes to it.

use heapwright_jvm::class::Shape;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::machine::{symbolic_slot, term_of};
use heapwright_jvm::{ClassId, Exit, Limit, Place, Ref, Vm};
use heapwright_solve::smt::{Binary, Term};

use super::machine::{Decision, SymbolicMachine};
use super::references::OpenReference;

/// What an input of a class can be besides null and the objects met before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternative {
    /// A new object of this class.
    New(ClassId),
    /// An object that was there before the run: an enum constant.
    Known(Ref),
}

/// Says what inputs can be.
pub trait Universe {
    /// What an input whose objects are of a class can be, in order.
    fn alternatives(&self, vm: &mut Vm, bound: ClassId) -> Vec<Alternative>;
}

/// How large inputs and runs get.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Most new objects of a class in one input.
    pub objects: u32,
    /// Most elements of an array and characters of a string.
    pub length: u32,
    /// Most elements of an array that the program makes with a length that is open.
    pub room: u32,
    /// Most times that a branch of a frame, and of the frames below it in the same method, is
    /// decided both ways: so many iterations of a loop, so many levels of a recursion.
    pub loops: u32,
    /// Most values tried of one that must be fixed.
    pub values: u32,
    /// Most decisions on a path.
    pub decisions: u32,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            objects: 3,
            length: 3,
            room: 16,
            loops: 10,
            values: 16,
            decisions: 10_000,
        }
    }
}

/// An input object, as it was at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputObject {
    /// The object.
    pub object: Ref,
    /// Its class.
    pub class: ClassId,
    /// As a program would say it where it was first met.
    pub name: String,
    /// What its fields and elements held, in their order; of an array first the length. Past the
    /// length elements do not count.
    pub slots: Vec<(Place, u64)>,
}

/// The inputs of a path.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    pub objects: Vec<InputObject>,
}

/// What a reference can come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// Null.
    Null,
    /// The input with this number.
    Met(usize),
    /// An object that was there before the run.
    Known(Ref),
    /// A new object.
    New(ClassId),
    /// Of a reference that is one of several: this one, on a condition; whether the solver could
    /// not tell if that is possible.
    One(Term, u64, bool),
}

impl Inputs {
    /// A new input of a type, all of it open.
    pub fn open(
        &mut self,
        vm: &mut Vm,
        machine: &mut SymbolicMachine,
        descriptor: &str,
        name: String,
    ) -> u64 {
        let kind = Kind::of(descriptor);
        if kind != Kind::Reference {
            return machine.variable(name, kind);
        }
        // An object of a class that is missing cannot be made.
        let Ok(bound) = vm.load_class(descriptor::class_name(descriptor)) else {
            return 0;
        };
        let is_null = machine.nullness(name.clone());
        let open = OpenReference {
            bound,
            name,
            is_null,
        };
        symbolic_slot(machine.references.add_open(open))
    }

    /// What an open reference can come to.
    pub fn targets(
        &self,
        vm: &mut Vm,
        bound: ClassId,
        universe: &dyn Universe,
        most: u32,
    ) -> Vec<Target> {
        let mut targets = Vec::new();
        for (number, input) in self.objects.iter().enumerate() {
            if vm.is_subclass(input.class, bound) && !is_value(vm, input.class) {
                targets.push(Target::Met(number));
            }
        }
        for alternative in universe.alternatives(vm, bound) {
            match alternative {
                Alternative::Known(object) => targets.push(Target::Known(object)),
                Alternative::New(class) => {
                    let same = |input: &&InputObject| input.class == class;
                    let made = self.objects.iter().filter(same).count();
                    if made < most as usize || is_value(vm, class) {
                        targets.push(Target::New(class));
                    }
                }
            }
        }
        targets
    }

    /// Makes an input object.
    pub fn make(
        &mut self,
        vm: &mut Vm,
        machine: &mut SymbolicMachine,
        class: ClassId,
        name: String,
        bounds: &Bounds,
    ) -> Result<Ref, Exit> {
        machine.decisions.push(Decision::New(name.clone(), class));
        let full = |_| Exit::Limit(Limit::Heap);
        let made = match vm.class(class).shape {
            Shape::Array(_) => {
                let object = vm.new_choice_array(class, bounds.length).map_err(full)?;
                let element = vm.class_name(class)[1..].to_owned();
                self.fill_array(vm, machine, object, &element, &name, bounds.length)
            }
            _ if vm.class_name(class) == "java/lang/String" => {
                self.make_string(vm, machine, &name, bounds)?
            }
            _ => self.make_object(vm, machine, class, &name)?,
        };
        let object = made.0;
        self.objects.push(InputObject {
            object,
            class,
            name,
            slots: made.1,
        });
        Ok(object)
    }

    fn make_object(
        &mut self,
        vm: &mut Vm,
        machine: &mut SymbolicMachine,
        class: ClassId,
        name: &str,
    ) -> Result<(Ref, Vec<(Place, u64)>), Exit> {
        let object = new_object(vm, class)?;
        let mut slots = Vec::new();
        for (field, descriptor, word) in fields(vm, class) {
            let slot = self.open(vm, machine, &descriptor, format!("{name}.{field}"));
            vm.heap.set_field(object, word, slot);
            slots.push((Place::Field(word), slot));
        }
        Ok((object, slots))
    }

    fn fill_array(
        &mut self,
        vm: &mut Vm,
        machine: &mut SymbolicMachine,
        array: Ref,
        element: &str,
        name: &str,
        most: u32,
    ) -> (Ref, Vec<(Place, u64)>) {
        let length = machine.variable(format!("{name}.length"), Kind::Int);
        at_most(machine, length, most);
        vm.set_length(array, length);
        let mut slots = vec![(Place::Length, length)];
        for index in 0..most {
            let slot = self.open(vm, machine, element, format!("{name}[{index}]"));
            vm.settle_at(heapwright_jvm::Spot::Element(array, index), slot);
            slots.push((Place::Element(index), slot));
        }
        (array, slots)
    }

    /// A string of Latin-1 characters, laid out as the JDK does.
    fn make_string(
        &mut self,
        vm: &mut Vm,
        machine: &mut SymbolicMachine,
        name: &str,
        bounds: &Bounds,
    ) -> Result<(Ref, Vec<(Place, u64)>), Exit> {
        let refused = |what: &str| Exit::Unsupported(format!("a String without {what}"));
        let string = vm
            .load_class("java/lang/String")
            .map_err(|_| refused("its class"))?;
        let bytes = vm.load_class("[B").map_err(|_| refused("its bytes"))?;
        let word = |vm: &Vm, field: &str| {
            let field = vm.find_field(string, field);
            field
                .map(|field| field.word)
                .ok_or_else(|| refused("its value"))
        };
        let value = word(vm, "value")?;
        let full = |_| Exit::Limit(Limit::Heap);
        let array = vm.new_choice_array(bytes, bounds.length).map_err(full)?;
        let object = new_object(vm, string)?;
        vm.heap.set_field(object, value, array.slot());
        Ok((
            object,
            self.fill_array(vm, machine, array, "B", name, bounds.length)
                .1,
        ))
    }
}

/// An object whose fields are 0 and null.
pub(super) fn new_object(vm: &mut Vm, class: ClassId) -> Result<Ref, Exit> {
    let words = vm.class(class).instance_words;
    let object = vm.heap.allocate(class, words, false);
    object.map_err(|_| Exit::Limit(Limit::Heap))
}

/// Bounds a length from 0 up.
fn at_most(machine: &mut SymbolicMachine, length: u64, most: u32) {
    let length = machine.term(length, Kind::Int);
    let (zero, most) = (machine.pool.int(0), machine.pool.int(most as i32));
    for (low, high) in [(zero, length), (length, most)] {
        let within = machine.pool.binary(Binary::Le, low, high);
        machine.require(within);
    }
}

/// The instance fields of a class: name, descriptor and word, superclasses first.
fn fields(vm: &Vm, class: ClassId) -> Vec<(String, String, u32)> {
    let display = vm.class(class).display.clone();
    let all = display.iter().flat_map(|&class| &vm.class(class).fields);
    all.filter(|field| !field.is_static())
        .map(|field| {
            let descriptor = vm.text(field.descriptor).to_owned();
            (vm.text(field.name).to_owned(), descriptor, field.word)
        })
        .collect()
}

/// Whether the objects of a class stand for their value: which of two equal ones it is tells
/// little.
fn is_value(vm: &Vm, class: ClassId) -> bool {
    let name = vm.class_name(class);
    name == "java/lang/String" || Kind::of_box(name).is_some()
}

/// The number of the open reference in a slot.
pub(super) fn reference_in(machine: &SymbolicMachine, slot: u64) -> Option<u32> {
    term_of(machine.references.current(slot))
}
