//! Inputs created on demand during a run (lazy initialisation).
//!
//! A value of primitive type is a variable. A reference stays open until its object is needed. It
//! then becomes null, an existing input, or a new object whose fields are all inputs again. The
//! initial contents of an input are retained here, whatever the run writes to it.

use std::rc::Rc;

use heapwright_jvm::class::{Shape, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::machine::{symbolic_slot, term_of};
use heapwright_jvm::{ArrayTerms, ClassId, Exit, Limit, Place, Ref, Vm};
use heapwright_solve::smt::{Binary, Term};
use rustc_hash::FxHashMap;

use super::cuts::InputCut;
use super::facts::Facts;
use super::machine::{Decision, SymbolicMachine};
use super::names::Name;
use super::references::OpenReference;

/// Possible object for an input of a class, besides null and existing inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alternative {
    /// New object of this class.
    New(ClassId),
    /// Object that existed before the run: an enum constant.
    Known(Ref),
}

/// Source of the possible objects of inputs.
pub trait Universe {
    /// Returns the possible objects of an input of type `bound`, in order.
    fn alternatives(&self, vm: &mut Vm, bound: ClassId) -> Vec<Alternative>;

    /// Returns what leaves out objects of type `bound` that are no alternatives, if there are some.
    fn beyond(&self, vm: &Vm, bound: ClassId) -> Option<InputCut> {
        let _ = (vm, bound);
        None
    }

    /// Whether classes that are not on the class path may extend or implement this type or one below
    /// it.
    fn is_extensible(&self, vm: &Vm, bound: ClassId) -> bool {
        let _ = (vm, bound);
        false
    }
}

/// Bounds on inputs and runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputBounds {
    /// Most new objects of one class in an input.
    pub objects: u32,
    /// Most new objects in an input; strings and boxes do not count.
    pub all_objects: u32,
    /// Whether a new object is tried before null.
    pub new_first: bool,
    /// Most elements of an array, and characters of a string.
    pub length: u32,
    /// Most elements of an array that the program creates with an open length.
    pub room: u32,
    /// Such arrays that have their contents as terms, instead of elements.
    pub array_terms: ArrayTerms,
    /// Most times that a branch of a frame, and of the frames below it in the same method, is
    /// decided both ways. This bounds iterations of a loop and levels of recursion.
    pub loops: u32,
    /// Most values tried for one that must be fixed.
    pub values: u32,
    /// Most decisions on a path.
    pub decisions: u32,
    /// Whether reading an element at an open index fixes the index, instead of a term over all
    /// elements.
    pub fixes_indices: bool,
    /// Whether strings hold any characters, not only Latin-1.
    pub utf16: bool,
    /// Whether strings are parsed as numbers without looking at their characters, see
    /// [`SymbolicSearch::abstract_texts`](super::SymbolicSearch::abstract_texts), and elementary
    /// functions of open numbers have any results that satisfy some facts.
    pub abstracts_numbers: bool,
    /// Whether strings that the program asks for have any length as long as nothing looks at their
    /// characters: what methods of strings return is then an abstraction.
    pub opaque_texts: bool,
    /// Whether arithmetic on `int`s and `long`s does not wrap, unlike Java's: see `unbounded`.
    pub unbounded: bool,
}

impl Default for InputBounds {
    fn default() -> InputBounds {
        InputBounds {
            objects: 3,
            all_objects: u32::MAX,
            new_first: false,
            length: 3,
            room: 16,
            array_terms: ArrayTerms::None,
            loops: 10,
            values: 16,
            decisions: 10_000,
            fixes_indices: false,
            utf16: false,
            abstracts_numbers: false,
            opaque_texts: false,
            unbounded: false,
        }
    }
}

/// Inputs beyond the bounds on the number of objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BeyondBounds {
    /// Whether an input with more than [`InputBounds::all_objects`] objects exists.
    pub all: bool,
    /// Least number of objects of an input with more than [`InputBounds::objects`] of one class, if
    /// such an input exists.
    pub class: Option<u32>,
}

impl BeyondBounds {
    /// Merges the result of another part of the search.
    pub fn add(&mut self, other: BeyondBounds) {
        self.all |= other.all;
        self.class = self.class.into_iter().chain(other.class).min();
    }
}

/// Input object with its initial contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputObject {
    /// Address of the object.
    pub object: Ref,
    /// Class of the object.
    pub class: ClassId,
    /// Access path under which a program first reaches the object.
    pub name: Name,
    /// Whether the object is a string, a box or a lambda, whose identity matters little.
    pub is_value: bool,
    /// Whether it is a string or a box: it may be the same object as another one.
    pub has_identity: bool,
    /// Initial contents of fields or elements, in order; those of an array begin with the length.
    /// Elements past the length do not count. A string has its length and its characters.
    pub slots: Vec<(Place, u64)>,
}

/// Inputs of a path.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    pub objects: Vec<InputObject>,
    /// Facts assumed of the objects.
    pub facts: Rc<Facts>,
    /// Instance fields of the classes of created objects, superclasses' first.
    layouts: FxHashMap<ClassId, Rc<[InputField]>>,
}

/// Instance field of a class.
#[derive(Debug)]
pub(super) struct InputField {
    name: Rc<str>,
    pub word: u32,
    pub holds: Holds,
}

/// Type of an input.
#[derive(Clone, Copy, Debug)]
pub(super) enum Holds {
    /// A value of this primitive kind.
    Value(Kind),
    /// Null or an object of this class.
    Reference(ClassId),
    /// Null, because the class is missing.
    Null,
}

impl Holds {
    fn of(vm: &mut Vm, descriptor: &str) -> Holds {
        match Kind::of(descriptor) {
            Kind::Reference => {
                let bound = vm.load_class(descriptor::class_name(descriptor));
                bound.map_or(Holds::Null, Holds::Reference)
            }
            kind => Holds::Value(kind),
        }
    }
}

/// Target to which a reference can be resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReferenceTarget {
    /// Null.
    Null,
    /// Input with this number.
    Met(usize),
    /// Any of the possible inputs, left open.
    AnyMet,
    /// Object that existed before the run: an enum constant, or a string of the code.
    Known(Ref),
    /// A new object.
    New(ClassId),
    /// Object of the program that an induction has not met yet.
    Unmet(ClassId),
    /// One alternative of a reference to one of several objects, with its condition. The flag says
    /// whether its feasibility is unknown to the solver.
    One(Term, u64, bool),
}

/// Sorts targets so that preceding statements add to the end only: existing inputs come last, the
/// newest of them first.
pub(super) fn own_first(targets: &mut [ReferenceTarget]) {
    // The sort is stable: targets that are not existing inputs keep their order.
    targets.sort_by_key(|target| match target {
        ReferenceTarget::Met(input) => Some(std::cmp::Reverse(*input)),
        _ => None,
    });
}

impl Inputs {
    /// Creates an open input of a type.
    pub fn open(vm: &mut Vm, machine: &mut SymbolicMachine, descriptor: &str, name: Name) -> u64 {
        open(machine, Holds::of(vm, descriptor), name)
    }

    /// Returns the possible targets of an open reference besides null, in order, and what larger
    /// bounds would add. `texts` are candidate strings; those equal to a possible new string are
    /// left out. They precede new objects, as a run with one has few paths.
    pub fn targets(
        &self,
        vm: &mut Vm,
        open: &OpenReference,
        universe: &dyn Universe,
        bounds: &InputBounds,
        texts: &[Ref],
    ) -> (Vec<ReferenceTarget>, BeyondBounds) {
        let mut beyond = BeyondBounds::default();
        let all = self.objects.iter().filter(|input| !input.is_value);
        let all = all.count() as u32;
        let (mut met, mut made) = (Vec::new(), Vec::new());
        for (number, input) in self.objects.iter().enumerate() {
            if can_be(vm, open, input) {
                met.push(ReferenceTarget::Met(number));
            }
        }
        let alternatives = universe.alternatives(vm, open.bound);
        for &text in texts {
            let class = vm.heap.class_of(text);
            let is_made = alternatives.contains(&Alternative::New(class));
            if vm.is_subclass(class, open.bound)
                && !open.excluded.contains(&text)
                && !(is_made && is_within(vm, text, bounds))
            {
                made.push(ReferenceTarget::Known(text));
            }
        }
        for alternative in alternatives {
            match alternative {
                Alternative::Known(object) => made.push(ReferenceTarget::Known(object)),
                Alternative::New(class) if is_value(vm, class) => {
                    made.push(ReferenceTarget::New(class))
                }
                Alternative::New(class) => {
                    let same = |input: &&InputObject| input.class == class;
                    if self.objects.iter().filter(same).count() >= bounds.objects as usize {
                        beyond.class = Some(all + 1);
                    } else if all >= bounds.all_objects {
                        beyond.all = true;
                    } else {
                        made.push(ReferenceTarget::New(class));
                    }
                }
            }
        }
        // An array is the least useful value of type `Object`, especially the array itself.
        let is_any = vm.class_name(open.bound) == "java/lang/Object";
        let is_array = |target: &ReferenceTarget| match target {
            ReferenceTarget::Met(number) => {
                let class = self.objects[*number].class;
                is_any && matches!(vm.class(class).shape, Shape::Array(_))
            }
            _ => false,
        };
        let (arrays, met): (Vec<ReferenceTarget>, Vec<ReferenceTarget>) =
            met.into_iter().partition(is_array);
        let (mut first, second) = match bounds.new_first {
            true => (made, met),
            false => (met, made),
        };
        first.extend(second);
        first.extend(arrays);
        (first, beyond)
    }

    /// Number of new objects in total, and of the most frequent class; without strings and boxes.
    pub fn counts(&self) -> (u32, u32) {
        let mut by_class: Vec<(ClassId, u32)> = Vec::new();
        for input in self.objects.iter().filter(|input| !input.is_value) {
            match by_class.iter_mut().find(|(class, _)| *class == input.class) {
                Some((_, count)) => *count += 1,
                None => by_class.push((input.class, 1)),
            }
        }
        let counts = by_class.iter().map(|&(_, count)| count);
        (counts.clone().sum(), counts.max().unwrap_or_default())
    }

    /// Creates an input object.
    pub fn make(
        &mut self,
        vm: &mut Vm,
        machine: &mut SymbolicMachine,
        class: ClassId,
        name: Name,
        bounds: &InputBounds,
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
            is_value: is_value(vm, class),
            has_identity: descriptor::is_value_class(vm.class_name(class)),
            slots: made.1,
        });
        Ok(object)
    }

    fn make_object(
        &mut self,
        vm: &mut Vm,
        machine: &mut SymbolicMachine,
        class: ClassId,
        name: &Name,
    ) -> Result<(Ref, Vec<(Place, u64)>), Exit> {
        let object = new_object(vm, class)?;
        let mut slots = Vec::new();
        for field in self.layout(vm, class).iter() {
            let slot = open(machine, field.holds, name.field(&field.name));
            vm.heap.set_field(object, field.word, slot);
            slots.push((Place::Field(field.word), slot));
        }
        for class in &vm.class(class).display {
            if let Some(facts) = self.facts.get(class) {
                machine.assume_facts(facts, &slots);
            }
        }
        Ok((object, slots))
    }

    /// Instance fields of a class, superclasses' first.
    pub fn layout(&mut self, vm: &mut Vm, class: ClassId) -> Rc<[InputField]> {
        if let Some(known) = self.layouts.get(&class) {
            return known.clone();
        }
        let display = vm.class(class).display.clone();
        let all = display.iter().flat_map(|&class| &vm.class(class).fields);
        let all = all.filter(|field| !field.is_static()).map(|field| {
            let (name, descriptor) = (vm.text(field.name), vm.text(field.descriptor));
            (Rc::from(name), descriptor.to_owned(), field.word)
        });
        let all: Vec<(Rc<str>, String, u32)> = all.collect();
        let fields = all.into_iter().map(|(name, descriptor, word)| InputField {
            name,
            word,
            holds: Holds::of(vm, &descriptor),
        });
        let fields: Rc<[InputField]> = fields.collect();
        self.layouts.insert(class, fields.clone());
        fields
    }

    fn fill_array(
        &self,
        vm: &mut Vm,
        machine: &mut SymbolicMachine,
        array: Ref,
        element: &str,
        name: &Name,
        most: u32,
    ) -> (Ref, Vec<(Place, u64)>) {
        let length = machine.variable(name.field(&"length".into()), Kind::Int);
        at_most(machine, length, most);
        vm.set_length(array, length);
        let mut slots = vec![(Place::Length, length)];
        let holds = Holds::of(vm, element);
        for index in 0..most {
            let slot = open(machine, holds, name.element(index));
            vm.settle_at(heapwright_jvm::SlotLocation::Element(array, index), slot);
            slots.push((Place::Element(index), slot));
        }
        (array, slots)
    }
}

/// Allocates an object whose fields are 0 and null.
pub(super) fn new_object(vm: &mut Vm, class: ClassId) -> Result<Ref, Exit> {
    let words = vm.class(class).instance_words;
    let object = vm.heap.allocate(class, words, false);
    object.map_err(|_| Exit::Limit(Limit::Heap))
}

/// Restricts a length to the range from 0 to `most`.
pub(super) fn at_most(machine: &mut SymbolicMachine, length: u64, most: u32) {
    let length = machine.term(length, Kind::Int);
    let (zero, most) = (machine.pool.int(0), machine.pool.int(most as i32));
    let is_length = machine.pool.binary(Binary::Le, zero, length);
    machine.require(is_length);
    let is_within = machine.pool.binary(Binary::Le, length, most);
    machine.bound_length(is_within);
}

/// Creates an open input.
fn open(machine: &mut SymbolicMachine, holds: Holds, name: Name) -> u64 {
    let bound = match holds {
        Holds::Value(kind) => return machine.variable(name, kind),
        Holds::Null => return 0,
        Holds::Reference(bound) => bound,
    };
    let is_null = machine.nullness(name.clone());
    let open = OpenReference {
        bound,
        name,
        is_null,
        excluded: Vec::new(),
        older_than: None,
    };
    symbolic_slot(machine.references.add_open(open))
}

/// Whether a reference can be resolved to an existing input.
pub(super) fn can_be(vm: &Vm, open: &OpenReference, input: &InputObject) -> bool {
    vm.is_subclass(input.class, open.bound)
        && !input.is_value
        && !open.excluded.contains(&input.object)
}

/// Whether a string is among those with open characters within the bounds.
fn is_within(vm: &Vm, text: Ref, bounds: &InputBounds) -> bool {
    let units = vm.string_units(text);
    units.len() <= bounds.length as usize
        && (bounds.utf16 || units.iter().all(|&unit| unit <= 0xFF))
}

/// Whether the identity of a class's objects matters little: value classes, and classes without
/// source code, such as lambdas.
pub(super) fn is_value(vm: &Vm, class: ClassId) -> bool {
    let name = vm.class_name(class);
    descriptor::is_value_class(name) || vm.class(class).flags & flags::SYNTHETIC != 0
}

/// Number of the open reference in a slot.
pub(super) fn reference_in(machine: &SymbolicMachine, slot: u64) -> Option<u32> {
    term_of(machine.references.current(slot))
}
