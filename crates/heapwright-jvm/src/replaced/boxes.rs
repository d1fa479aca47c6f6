//! Boxes of symbolic slots, and the identity of cached boxes.

use crate::class::ClassId;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::{Comparison, ConditionTruth, Machine};
use crate::vm::{Fault, Vm};

use crate::descriptor::CACHED_BOXES;

impl Vm {
    /// Box that `valueOf` returns for a symbolic slot: the same object for the same slot.
    pub(super) fn symbolic_box<M: Machine>(
        &mut self,
        machine: &mut M,
        kind: Kind,
        slot: u64,
    ) -> Result<Option<Ref>, Fault> {
        let class = self
            .load_class(kind.box_class())
            .map_err(|error| self.load_fault(error))?;
        if M::TOTAL {
            // Whether the box is a cached one is decided when its identity matters.
            return self.new_symbolic_box(class, slot).map(Some);
        }
        if let Some(known) = self
            .state
            .boxes
            .iter()
            .find(|known| known.slot == slot && self.heap.class_of(known.object) == class)
        {
            return Ok(Some(known.object));
        }
        // Outside of the cache each call makes a new box, whose identity is observable.
        for (comparison, bound) in [
            (Comparison::Ge, *CACHED_BOXES.start()),
            (Comparison::Le, *CACHED_BOXES.end()),
        ] {
            let bound = if kind == Kind::Long {
                bound as u64
            } else {
                u64::from(bound as u32)
            };
            if machine.compare(comparison, kind, slot, bound) != ConditionTruth::Known(true) {
                return Ok(None);
            }
        }
        self.new_symbolic_box(class, slot).map(Some)
    }

    fn new_symbolic_box(&mut self, class: ClassId, slot: u64) -> Result<Ref, Fault> {
        self.initialize(class)?;
        let words = self.class(class).instance_words;
        let word = self.word_of(class, "value")?;
        let object = self.heap.allocate(class, words, false)?;
        self.heap.set_field(object, word, slot);
        self.state
            .boxes
            .push(crate::state::SymbolicBox { slot, object });
        Ok(object)
    }

    /// Whether two references are to boxes of one class, one of them made for a symbolic slot.
    #[inline]
    pub(crate) fn has_symbolic_box(&self, a: Ref, b: Ref) -> bool {
        !self.state.boxes.is_empty()
            && !a.is_null()
            && !b.is_null()
            && self.heap.class_of(a) == self.heap.class_of(b)
            && (self.is_symbolic_box(a) || self.is_symbolic_box(b))
    }

    /// Whether two references are to objects of one class, one of which is a value that the run was
    /// given.
    #[inline]
    pub(crate) fn has_given_value<M: Machine>(&self, machine: &M, a: Ref, b: Ref) -> bool {
        !a.is_null()
            && !b.is_null()
            && (machine.is_given_value(a) || machine.is_given_value(b))
            && self.heap.class_of(a) == self.heap.class_of(b)
    }

    /// Whether a value that the run was given may be the same as an object that was not: one that
    /// existed before, a literal or a cached box among them.
    pub(crate) fn may_be_given(&self, first_made: Ref, object: Ref) -> bool {
        self.heap.is_permanent(object)
            || object < first_made
            || self.is_symbolic_box(object)
            || self.is_in_static_field(object)
    }

    /// Notes that one of two different objects is an input that could be the other one.
    #[inline]
    pub(crate) fn note_held<M: Machine>(&mut self, machine: &M, a: Ref, b: Ref) {
        for (input, object) in [(a, b), (b, a)] {
            if let Some(bound) = machine.type_of_input(input) {
                self.note_held_input(bound, machine.first_made(), object);
            }
        }
    }

    /// Whether a static field of the program holds an object: its class may have been initialised
    /// before.
    fn is_in_static_field(&self, object: Ref) -> bool {
        let classes = self
            .loaded_classes()
            .filter(|&class| self.is_app_class(class));
        let mut fields = classes.flat_map(|class| &self.class(class).fields);
        fields.any(|field| {
            let is_held = field.is_static() && field.kind == Kind::Reference;
            is_held && self.heap.load(field.word) == object.slot()
        })
    }

    /// Whether a reference is to a box made for a symbolic slot.
    pub(crate) fn is_symbolic_box(&self, object: Ref) -> bool {
        self.state.boxes.iter().any(|known| known.object == object)
    }

    /// Whether `valueOf` returns this box on every call.
    pub(crate) fn is_shared_box(&self, object: Ref) -> Result<bool, Fault> {
        if self.is_symbolic_box(object) {
            return Ok(true);
        }
        let Some((kind, value)) = self.read_box(object)? else {
            return Ok(false);
        };
        let value = if kind == Kind::Long {
            value as i64
        } else {
            i64::from(value as u32 as i32)
        };
        let name = match kind {
            Kind::Int => "java/lang/Integer$IntegerCache",
            Kind::Long => "java/lang/Long$LongCache",
            Kind::Short => "java/lang/Short$ShortCache",
            Kind::Byte => "java/lang/Byte$ByteCache",
            Kind::Char => "java/lang/Character$CharacterCache",
            _ => return Ok(false),
        };
        let least = if kind == Kind::Char {
            0
        } else {
            *CACHED_BOXES.start()
        };
        let Some(field) = self
            .loaded_class(name)
            .and_then(|class| self.find_field(class, "cache"))
        else {
            return Ok(false);
        };
        let cache = Ref::from_slot(self.heap.load(field.word));
        if cache.is_null() || !(least..=*CACHED_BOXES.end()).contains(&value) {
            return Ok(false);
        }
        let at = self.heap.elements(cache) + 4 * (value - least) as u64;
        Ok(Ref(self.heap.load32(at)) == object)
    }
}
