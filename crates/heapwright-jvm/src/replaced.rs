//! Library methods whose plain code would split a symbolic argument into all its values.
//!
//! Invariant: what is done here is what the plain code would do for each value; where that cannot
//! be seen the argument is fixed first and the plain code runs. Collections stay what they are in
//! the heap: only their members are looked at.

use crate::class::{ClassId, MethodId};
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::{Answer, Machine, Spot, is_symbolic, term_of};
use crate::vm::{Exit, Fault, Vm};

/// What a replaced method does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// Says whether a collection holds its argument.
    Contains,
    /// Adds its argument to a set and says whether it was not there.
    Add,
    /// Boxes its argument, small values through a cache.
    Box(Kind),
}

/// Where a collection keeps its members.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Members {
    /// A hash map's keys.
    HashMap,
    /// The keys of the hash map in the field `map`.
    HashSet,
    /// An identity map's keys.
    IdentityHashMap,
    /// The first elements of an array.
    ArrayList,
    /// A row of nodes.
    LinkedList,
}

/// The replaced methods: class, name, descriptor.
pub(crate) const REPLACED: &[(&str, &str, &str, Replaced)] = &[
    (
        "java/util/HashSet",
        "add",
        "(Ljava/lang/Object;)Z",
        Replaced::Add,
    ),
    (
        "java/util/HashSet",
        "contains",
        "(Ljava/lang/Object;)Z",
        Replaced::Contains,
    ),
    (
        "java/util/HashMap",
        "containsKey",
        "(Ljava/lang/Object;)Z",
        Replaced::Contains,
    ),
    (
        "java/util/IdentityHashMap",
        "containsKey",
        "(Ljava/lang/Object;)Z",
        Replaced::Contains,
    ),
    (
        "java/util/ArrayList",
        "contains",
        "(Ljava/lang/Object;)Z",
        Replaced::Contains,
    ),
    (
        "java/util/LinkedList",
        "contains",
        "(Ljava/lang/Object;)Z",
        Replaced::Contains,
    ),
    (
        "java/util/Collections$SetFromMap",
        "add",
        "(Ljava/lang/Object;)Z",
        Replaced::Add,
    ),
    (
        "java/util/Collections$SetFromMap",
        "contains",
        "(Ljava/lang/Object;)Z",
        Replaced::Contains,
    ),
    (
        "java/lang/Integer",
        "valueOf",
        "(I)Ljava/lang/Integer;",
        Replaced::Box(Kind::Int),
    ),
    (
        "java/lang/Long",
        "valueOf",
        "(J)Ljava/lang/Long;",
        Replaced::Box(Kind::Long),
    ),
    (
        "java/lang/Short",
        "valueOf",
        "(S)Ljava/lang/Short;",
        Replaced::Box(Kind::Short),
    ),
    (
        "java/lang/Byte",
        "valueOf",
        "(B)Ljava/lang/Byte;",
        Replaced::Box(Kind::Byte),
    ),
    (
        "java/lang/Character",
        "valueOf",
        "(C)Ljava/lang/Character;",
        Replaced::Box(Kind::Char),
    ),
];

/// The values that boxes are shared for (JLS §5.1.7).
const SHARED: std::ops::RangeInclusive<i64> = -128..=127;

/// How a call of a replaced method went.
pub(crate) enum Call {
    /// It returned this.
    Done(u64),
    /// The plain code runs.
    Plain,
    /// The run stops before it.
    Stop(Exit),
}

impl Vm {
    /// Calls a replaced method whose arguments start at a register.
    pub(crate) fn call_replaced<M: Machine>(
        &mut self,
        machine: &mut M,
        replaced: Replaced,
        first: usize,
    ) -> Result<Call, Fault> {
        let argument = match replaced {
            Replaced::Box(_) => first,
            _ => first + 1,
        };
        let Some(term) = term_of(self.state.registers[argument]) else {
            return Ok(Call::Plain);
        };
        if let Some(value) = machine.value(term) {
            self.state.registers[argument] = value;
            return Ok(Call::Plain);
        }
        let fixed_first = Ok(Call::Stop(Exit::Symbolic(Spot::Register(argument as u32))));
        if let Replaced::Box(kind) = replaced {
            let slot = self.state.registers[argument];
            return match self.symbolic_box(machine, kind, slot)? {
                Some(object) => Ok(Call::Done(object.slot())),
                None => fixed_first,
            };
        }
        let receiver = self.state.registers[first];
        if is_symbolic(receiver) || receiver == 0 {
            return Ok(Call::Plain);
        }
        let Some(members) = self.members(Ref::from_slot(receiver))? else {
            return fixed_first;
        };
        let mut all = machine.candidates(term);
        all.extend(&members);
        let telling = match self.class_name(self.heap.class_of(Ref::from_slot(receiver))) {
            "java/util/ArrayList" | "java/util/LinkedList" => "equals",
            // Objects with identity hashes are told apart by these alone: no two have the same.
            _ => "hashCode",
        };
        if !self.is_of_object(telling, &all)? {
            return fixed_first;
        }
        if self.masks_null(Ref::from_slot(receiver)) && all.contains(&Ref::NULL) {
            match machine.is_one_of(term, &[Ref::NULL]) {
                Answer::Open => return Ok(Call::Stop(Exit::Branch)),
                Answer::Known(false) => {}
                _ => return fixed_first,
            }
        }
        match (machine.is_one_of(term, &members), replaced) {
            (Answer::Open, _) => Ok(Call::Stop(Exit::Branch)),
            (Answer::Known(true), Replaced::Add) => Ok(Call::Done(0)),
            (Answer::Known(is), Replaced::Contains) => Ok(Call::Done(u64::from(is))),
            _ => fixed_first,
        }
    }

    /// The members of a collection, if its class is one whose inside is known and all are concrete.
    fn members(&self, collection: Ref) -> Result<Option<Vec<Ref>>, Fault> {
        let class = self.heap.class_of(collection);
        let (layout, collection) = match self.class_name(class) {
            "java/util/HashSet" | "java/util/LinkedHashSet" => (Members::HashSet, collection),
            "java/util/HashMap" | "java/util/LinkedHashMap" => (Members::HashMap, collection),
            "java/util/IdentityHashMap" => (Members::IdentityHashMap, collection),
            "java/util/ArrayList" => (Members::ArrayList, collection),
            "java/util/LinkedList" => (Members::LinkedList, collection),
            "java/util/Collections$SetFromMap" => {
                let Some(map) = self.reference_field(collection, "m")? else {
                    return Ok(None);
                };
                match self.class_name(self.heap.class_of(map)) {
                    "java/util/HashMap" | "java/util/LinkedHashMap" => (Members::HashMap, map),
                    "java/util/IdentityHashMap" => (Members::IdentityHashMap, map),
                    _ => return Ok(None),
                }
            }
            _ => return Ok(None),
        };
        match layout {
            Members::HashSet => match self.reference_field(collection, "map")? {
                Some(map) => self.hash_map_keys(map),
                None => Ok(None),
            },
            Members::HashMap => self.hash_map_keys(collection),
            Members::IdentityHashMap => {
                let Some(table) = self.reference_field(collection, "table")? else {
                    return Ok(None);
                };
                // A null key would be masked by an object of the map's own: one that no candidate is.
                Ok(self.elements_from(table, 0, 2, self.heap.array_length(table)))
            }
            Members::ArrayList => {
                let word = self.word_of(self.heap.class_of(collection), "size")?;
                let size = self.heap.field(collection, word);
                match self.reference_field(collection, "elementData")? {
                    Some(array) if !is_symbolic(size) => {
                        let size = (size as u32).min(self.heap.array_length(array));
                        Ok(self.elements_from(array, 0, 1, size))
                    }
                    _ => Ok(None),
                }
            }
            Members::LinkedList => {
                let mut members = Vec::new();
                let mut node = self.reference_field(collection, "first")?;
                while let Some(this) = node {
                    if this.is_null() {
                        return Ok(Some(members));
                    }
                    let Some(item) = self.reference_field(this, "item")? else {
                        return Ok(None);
                    };
                    members.push(item);
                    node = self.reference_field(this, "next")?;
                }
                Ok(None)
            }
        }
    }

    /// Whether a null key may be in a collection without being among its members.
    fn masks_null(&self, collection: Ref) -> bool {
        matches!(
            self.class_name(self.heap.class_of(collection)),
            "java/util/IdentityHashMap" | "java/util/Collections$SetFromMap"
        )
    }

    fn hash_map_keys(&self, map: Ref) -> Result<Option<Vec<Ref>>, Fault> {
        let Some(table) = self.reference_field(map, "table")? else {
            return Ok(None);
        };
        let mut keys = Vec::new();
        if table.is_null() {
            return Ok(Some(keys));
        }
        for bin in self.object_elements(table) {
            let mut node = Some(bin);
            while let Some(this) = node {
                if this.is_null() {
                    break;
                }
                let Some(key) = self.reference_field(this, "key")? else {
                    return Ok(None);
                };
                keys.push(key);
                node = self.reference_field(this, "next")?;
            }
            if node.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(keys))
    }

    /// Every `step`-th element from `first` on, empty places left out where `step` is 2; `None` if
    /// one is symbolic.
    fn elements_from(&self, array: Ref, first: u32, step: u32, end: u32) -> Option<Vec<Ref>> {
        let start = self.heap.elements(array);
        (first..end)
            .step_by(step as usize)
            .map(|index| {
                let is_open = self.symbolic_element(array, index).is_some();
                (!is_open).then(|| Ref(self.heap.load32(start + 4 * u64::from(index))))
            })
            .filter(|element| step == 1 || *element != Some(Ref::NULL))
            .collect()
    }

    /// A field of a library object; `None` if it is symbolic.
    fn reference_field(&self, object: Ref, name: &str) -> Result<Option<Ref>, Fault> {
        let word = self.word_of(self.heap.class_of(object), name)?;
        let slot = self.heap.field(object, word);
        Ok((!is_symbolic(slot)).then(|| Ref::from_slot(slot)))
    }

    /// Whether a method of all these objects is `Object`'s.
    fn is_of_object(&self, wanted: &str, objects: &[Ref]) -> Result<bool, Fault> {
        let mut last: Option<ClassId> = None;
        for &object in objects {
            let class = self.heap.class_of(object);
            if object.is_null() || last == Some(class) {
                continue;
            }
            last = Some(class);
            let of_object = &self.class(self.known().object).vtable;
            let own = &self.class(class).vtable;
            for &method in of_object {
                let name = self.text(self.method(method).name);
                let index = self.method(method).vtable_index;
                let same = |method: MethodId| {
                    index.and_then(|index| own.get(index as usize)) == Some(&method)
                };
                if name == wanted && !same(method) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The box that `valueOf` gives for a symbolic slot: the same object for the same slot.
    fn symbolic_box<M: Machine>(
        &mut self,
        machine: &mut M,
        kind: Kind,
        slot: u64,
    ) -> Result<Option<Ref>, Fault> {
        let class = self
            .load_class(kind.box_class())
            .map_err(|error| self.load_fault(error))?;
        if let Some(known) = self
            .state
            .boxes
            .iter()
            .find(|known| known.slot == slot && self.heap.class_of(known.object) == class)
        {
            return Ok(Some(known.object));
        }
        // Past the cache each call makes a new box; its identity could be told.
        for (comparison, bound) in [
            (crate::machine::Comparison::Ge, *SHARED.start()),
            (crate::machine::Comparison::Le, *SHARED.end()),
        ] {
            let bound = if kind == Kind::Long {
                bound as u64
            } else {
                u64::from(bound as u32)
            };
            if machine.compare(comparison, kind, slot, bound) != Answer::Known(true) {
                return Ok(None);
            }
        }
        self.initialize(class)?;
        let words = self.class(class).instance_words;
        let word = self.word_of(class, "value")?;
        let object = self.heap.allocate(class, words, false)?;
        self.heap.set_field(object, word, slot);
        self.state
            .boxes
            .push(crate::state::SymbolicBox { slot, object });
        Ok(Some(object))
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

    /// Whether a reference is to a box that was made for a symbolic slot.
    fn is_symbolic_box(&self, object: Ref) -> bool {
        self.state.boxes.iter().any(|known| known.object == object)
    }

    /// Whether a box is one that `valueOf` gives every time.
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
            *SHARED.start()
        };
        let Some(field) = self
            .loaded_class(name)
            .and_then(|class| self.find_field(class, "cache"))
        else {
            return Ok(false);
        };
        let cache = Ref::from_slot(self.heap.load(field.word));
        if cache.is_null() || !(least..=*SHARED.end()).contains(&value) {
            return Ok(false);
        }
        let at = self.heap.elements(cache) + 4 * (value - least) as u64;
        Ok(Ref(self.heap.load32(at)) == object)
    }
}
