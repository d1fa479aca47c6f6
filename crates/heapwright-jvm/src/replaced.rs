//! Library methods whose plain code would split a symbolic argument into all its values.
//!
//! Invariant: what is done here is what the plain code would do for each value; where that cannot
//! be seen the argument is fixed first and the plain code runs. Collections stay what they are in
//! the heap: only their members are looked at.

use crate::choice::Place;
use crate::class::{ClassId, MethodId};
use crate::descriptor::{Kind, split_method};
use crate::heap::Ref;
use crate::machine::{Answer, Comparison, Machine, Operation, Spot, is_symbolic, term_of};
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
    /// Is one operation on a value of this kind.
    Operation(Operation, Kind),
    /// Says whether two arrays hold the same.
    EqualArrays,
    /// Makes a string of its arguments, which nobody may look at.
    Text,
}

/// Where a collection keeps its members: the words of the fields that lead there.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Layout {
    /// The keys of a hash map's nodes.
    HashMap {
        table: u32,
        hash: u32,
        key: u32,
        next: u32,
    },
    /// The keys of the map in this field.
    HashSet { map: u32 },
    /// As above, whatever the class of the map.
    SetFromMap { map: u32 },
    /// Every other element of a table; empty places hold null.
    IdentityHashMap { table: u32 },
    /// The first elements of an array.
    ArrayList { size: u32, elements: u32 },
    /// The items of a row of nodes.
    LinkedList { first: u32, item: u32, next: u32 },
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
    ("java/lang/Math", "sqrt", "(D)D", on_double(Operation::Sqrt)),
    (
        "java/lang/Math",
        "floor",
        "(D)D",
        on_double(Operation::Floor),
    ),
    ("java/lang/Math", "ceil", "(D)D", on_double(Operation::Ceil)),
    ("java/lang/Math", "rint", "(D)D", on_double(Operation::Rint)),
    ("java/lang/Math", "abs", "(D)D", on_double(Operation::Abs)),
    ("java/lang/Math", "abs", "(F)F", on_float(Operation::Abs)),
    (
        "java/lang/StrictMath",
        "sqrt",
        "(D)D",
        on_double(Operation::Sqrt),
    ),
    (
        "java/lang/StrictMath",
        "floor",
        "(D)D",
        on_double(Operation::Floor),
    ),
    (
        "java/lang/StrictMath",
        "ceil",
        "(D)D",
        on_double(Operation::Ceil),
    ),
    (
        "java/lang/StrictMath",
        "rint",
        "(D)D",
        on_double(Operation::Rint),
    ),
    (
        "java/lang/Float",
        "floatToRawIntBits",
        "(F)I",
        on_float(Operation::Bits),
    ),
    (
        "java/lang/Float",
        "intBitsToFloat",
        "(I)F",
        Replaced::Operation(Operation::Bits, Kind::Int),
    ),
    (
        "java/lang/Double",
        "doubleToRawLongBits",
        "(D)J",
        on_double(Operation::Bits),
    ),
    (
        "java/lang/Double",
        "longBitsToDouble",
        "(J)D",
        Replaced::Operation(Operation::Bits, Kind::Long),
    ),
    (
        "java/lang/StringLatin1",
        "equals",
        "([B[B)Z",
        Replaced::EqualArrays,
    ),
    (
        "java/lang/StringUTF16",
        "equals",
        "([B[B)Z",
        Replaced::EqualArrays,
    ),
    (
        "java/util/Arrays",
        "equals",
        "([B[B)Z",
        Replaced::EqualArrays,
    ),
    (
        "java/util/Arrays",
        "equals",
        "([C[C)Z",
        Replaced::EqualArrays,
    ),
    (
        "java/util/Arrays",
        "equals",
        "([I[I)Z",
        Replaced::EqualArrays,
    ),
    (
        "java/util/Arrays",
        "equals",
        "([J[J)Z",
        Replaced::EqualArrays,
    ),
    (
        "java/util/Arrays",
        "equals",
        "([S[S)Z",
        Replaced::EqualArrays,
    ),
    (
        "java/util/Arrays",
        "equals",
        "([Z[Z)Z",
        Replaced::EqualArrays,
    ),
    (
        "java/lang/Integer",
        "toString",
        "(I)Ljava/lang/String;",
        Replaced::Text,
    ),
    (
        "java/lang/Long",
        "toString",
        "(J)Ljava/lang/String;",
        Replaced::Text,
    ),
    (
        "java/lang/Float",
        "toString",
        "(F)Ljava/lang/String;",
        Replaced::Text,
    ),
    (
        "java/lang/Double",
        "toString",
        "(D)Ljava/lang/String;",
        Replaced::Text,
    ),
    (
        "java/lang/String",
        "valueOf",
        "(I)Ljava/lang/String;",
        Replaced::Text,
    ),
    (
        "java/lang/String",
        "valueOf",
        "(J)Ljava/lang/String;",
        Replaced::Text,
    ),
    (
        "java/lang/String",
        "valueOf",
        "(F)Ljava/lang/String;",
        Replaced::Text,
    ),
    (
        "java/lang/String",
        "valueOf",
        "(D)Ljava/lang/String;",
        Replaced::Text,
    ),
    (
        "java/lang/String",
        "valueOf",
        "(Z)Ljava/lang/String;",
        Replaced::Text,
    ),
    (
        "jdk/internal/util/Preconditions",
        "outOfBoundsMessage",
        "(Ljava/lang/String;Ljava/util/List;)Ljava/lang/String;",
        Replaced::Text,
    ),
];

const fn on_double(operation: Operation) -> Replaced {
    Replaced::Operation(operation, Kind::Double)
}

const fn on_float(operation: Operation) -> Replaced {
    Replaced::Operation(operation, Kind::Float)
}

/// The values that boxes are shared for (JLS §5.1.7).
pub(crate) const SHARED: std::ops::RangeInclusive<i64> = -128..=127;

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
        method: MethodId,
        first: usize,
    ) -> Result<Call, Fault> {
        let argument = match replaced {
            Replaced::EqualArrays => return self.compare_arrays(machine, first),
            Replaced::Text => return Ok(self.defer_text(machine, method, first)),
            Replaced::Box(_) | Replaced::Operation(..) => first,
            _ => first + 1,
        };
        let Some(term) = term_of(self.state.registers[argument]) else {
            return self.call_with_key(machine, replaced, first);
        };
        if let Some(value) = machine.value(term) {
            self.state.registers[argument] = value;
            return Ok(Call::Plain);
        }
        if let Replaced::Operation(operation, kind) = replaced {
            let slot = self.state.registers[argument];
            let result = machine.operate(operation, kind, slot, 0);
            return Ok(result.map_or(Call::Plain, Call::Done));
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
        let receiver = Ref::from_slot(receiver);
        let Some(layout) = self.layout(self.heap.class_of(receiver))? else {
            return fixed_first;
        };
        let Some(members) = self.members(receiver, layout)? else {
            return fixed_first;
        };
        // Objects with identity hashes are told apart by these alone: no two have the same.
        let is_identity = match layout {
            Layout::ArrayList { .. } | Layout::LinkedList { .. } => {
                self.all_are_objects_own("equals", machine, term, &members)?
            }
            _ => self.all_are_objects_own("hashCode", machine, term, &members)?,
        };
        if !is_identity {
            return fixed_first;
        }
        let masks_null = matches!(
            layout,
            Layout::IdentityHashMap { .. } | Layout::SetFromMap { .. }
        );
        if masks_null {
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

    /// Puts off making a string of what is open: most are messages that nobody reads. All that the
    /// string is made of never changes.
    fn defer_text<M: Machine>(&self, machine: &mut M, method: MethodId, first: usize) -> Call {
        let descriptor = self.text(self.method(method).descriptor);
        let Some((parameters, _)) = split_method(descriptor) else {
            return Call::Plain;
        };
        let words = parameters.iter().map(|text| Kind::of(text).words());
        let end = first + words.sum::<u16>() as usize;
        let (mut is_open, mut register) = (false, first);
        for parameter in parameters {
            let slot = self.state.registers[register];
            register += Kind::of(parameter).words() as usize;
            is_open |= match term_of(slot) {
                Some(term) if Kind::of(parameter) != Kind::Reference => {
                    machine.value(term).is_none()
                }
                Some(term) => match machine.bound(term) {
                    Some(class) if self.is_for_good(class) => true,
                    _ => return Call::Plain,
                },
                None if Kind::of(parameter) != Kind::Reference || slot == 0 => false,
                None => match self.heap.class_of(Ref::from_slot(slot)) {
                    class if self.is_for_good(class) => {
                        let boxed = self.read_box_slot(Ref::from_slot(slot));
                        boxed.is_some_and(|slot| term_of(slot).is_some())
                    }
                    // The numbers of a message, in a list made for it.
                    class
                        if self
                            .class_name(class)
                            .starts_with("java/util/ImmutableCollections$") =>
                    {
                        true
                    }
                    _ => return Call::Plain,
                },
            };
        }
        if !is_open {
            return Call::Plain;
        }
        let arguments = &self.state.registers[first..end];
        machine
            .defer(method, arguments)
            .map_or(Call::Plain, Call::Done)
    }

    /// Whether the objects of a class never change: strings and boxes.
    fn is_for_good(&self, class: ClassId) -> bool {
        let name = self.class_name(class);
        name == "java/lang/String" || Kind::of_box(name).is_some()
    }

    /// The slot in a box.
    fn read_box_slot(&self, object: Ref) -> Option<u64> {
        let class = self.heap.class_of(object);
        Kind::of_box(self.class_name(class))?;
        let word = self.word_of(class, "value").ok()?;
        Some(self.heap.field(object, word))
    }

    /// Whether two arrays of one primitive kind hold the same: one condition, however long they
    /// are.
    fn compare_arrays<M: Machine>(&mut self, machine: &mut M, first: usize) -> Result<Call, Fault> {
        if !M::TOTAL {
            return Ok(Call::Plain);
        }
        // The plain code looks at both, too.
        if let Some(exit) = self.settle_arguments(machine, first, 2) {
            return Ok(Call::Stop(exit));
        }
        let (a, b) = (self.state.registers[first], self.state.registers[first + 1]);
        if a == 0 || b == 0 || a == b {
            return Ok(Call::Plain);
        }
        let (a, b) = (Ref::from_slot(a), Ref::from_slot(b));
        if self.heap.array_shadow(a).is_null() && self.heap.array_shadow(b).is_null() {
            return Ok(Call::Plain);
        }
        let equal = self.equal_arrays(machine, a, b);
        Ok(equal.map_or(Call::Plain, Call::Done))
    }

    /// 1 where two arrays hold the same, else 0; `None` if the machine has no such term.
    fn equal_arrays<M: Machine>(&self, machine: &mut M, a: Ref, b: Ref) -> Option<u64> {
        let kind = self.element_kind(self.heap.class_of(a));
        let compared = if kind == Kind::Long {
            Kind::Long
        } else {
            Kind::Int
        };
        let length = |array| self.slot_of_place(array, Place::Length);
        let mut all = machine.truth(Comparison::Eq, Kind::Int, length(a), length(b))?;
        let room = |array| self.heap.array_length(array);
        for place in 0..room(a).min(room(b)) {
            let element = |array| self.slot_of_place(array, Place::Element(place));
            let same = machine.truth(Comparison::Eq, compared, element(a), element(b))?;
            let end = machine.truth(Comparison::Le, Kind::Int, length(a), place.into())?;
            let holds = machine.operate(Operation::Or, Kind::Int, same, end)?;
            all = machine.operate(Operation::And, Kind::Int, all, holds)?;
        }
        Some(all)
    }

    /// As above, given an object: if it stands for what it holds that may still be open.
    fn call_with_key<M: Machine>(
        &mut self,
        machine: &mut M,
        replaced: Replaced,
        first: usize,
    ) -> Result<Call, Fault> {
        if !matches!(replaced, Replaced::Add | Replaced::Contains) {
            return Ok(Call::Plain);
        }
        let registers = &self.state.registers;
        let (receiver, key) = (registers[first], Ref::from_slot(registers[first + 1]));
        if is_symbolic(receiver) || receiver == 0 || key.is_null() {
            return Ok(Call::Plain);
        }
        let class = self.heap.class_of(key);
        let Some(field) = self.identity_key(class) else {
            return Ok(Call::Plain);
        };
        let term = term_of(self.heap.field(key, field));
        let Some(term) = term.filter(|&term| machine.value(term).is_none()) else {
            return Ok(Call::Plain);
        };
        let Some(held) = self.held_by_keys(machine, Ref::from_slot(receiver), class, field)? else {
            return Ok(Call::Plain);
        };
        match (machine.is_one_of(term, &held), replaced) {
            (Answer::Open, _) => Ok(Call::Stop(Exit::Branch)),
            (Answer::Known(true), Replaced::Add) => Ok(Call::Done(0)),
            (Answer::Known(is), Replaced::Contains) => Ok(Call::Done(u64::from(is))),
            _ => Ok(Call::Plain),
        }
    }

    /// What the keys of a hash map hold in a field, by the identity of which they are told apart;
    /// `None` if it is no hash map, if a key is of another class, or if one does not hold any more
    /// what it was put in with.
    fn held_by_keys<M: Machine>(
        &mut self,
        machine: &mut M,
        collection: Ref,
        class: ClassId,
        field: u32,
    ) -> Result<Option<Vec<Ref>>, Fault> {
        let Some(layout) = self.layout(self.heap.class_of(collection))? else {
            return Ok(None);
        };
        let Some((map, layout)) = self.inner(collection, layout)? else {
            return Ok(None);
        };
        let Layout::HashMap {
            table,
            hash,
            key,
            next,
        } = layout
        else {
            return Ok(None);
        };
        let mut held = |&node: &Ref| {
            let key = self.concrete(node, key)?;
            if key.is_null() || self.heap.class_of(key) != class {
                return None;
            }
            let held = match term_of(self.heap.field(key, field)) {
                Some(term) => machine.value(term)?,
                None => self.read_slot(key.0 + field).ok()?,
            };
            let held = Ref::from_slot(held);
            let now = if held.is_null() {
                0
            } else {
                self.heap.identity_hash(held)
            };
            (self.heap.field(node, hash) as u32 == now ^ now >> 16).then_some(held)
        };
        let nodes = self.nodes(map, table, next);
        Ok(nodes.and_then(|nodes| nodes.iter().map(&mut held).collect()))
    }

    /// How a class keeps its members, if it is one whose inside is known.
    fn layout(&mut self, class: ClassId) -> Result<Option<Layout>, Fault> {
        if let Some(&known) = self.layouts.get(&class) {
            return Ok(known);
        }
        let word = |vm: &mut Vm, class: &str, field: &str| {
            let class = vm.load_class(class).map_err(|error| vm.load_fault(error))?;
            vm.word_of(class, field)
        };
        let layout = match self.class_name(class) {
            "java/util/HashSet" | "java/util/LinkedHashSet" => Some(Layout::HashSet {
                map: word(self, "java/util/HashSet", "map")?,
            }),
            "java/util/HashMap" | "java/util/LinkedHashMap" => Some(Layout::HashMap {
                table: word(self, "java/util/HashMap", "table")?,
                hash: word(self, "java/util/HashMap$Node", "hash")?,
                key: word(self, "java/util/HashMap$Node", "key")?,
                next: word(self, "java/util/HashMap$Node", "next")?,
            }),
            "java/util/IdentityHashMap" => Some(Layout::IdentityHashMap {
                table: word(self, "java/util/IdentityHashMap", "table")?,
            }),
            "java/util/ArrayList" => Some(Layout::ArrayList {
                size: word(self, "java/util/ArrayList", "size")?,
                elements: word(self, "java/util/ArrayList", "elementData")?,
            }),
            "java/util/LinkedList" => Some(Layout::LinkedList {
                first: word(self, "java/util/LinkedList", "first")?,
                item: word(self, "java/util/LinkedList$Node", "item")?,
                next: word(self, "java/util/LinkedList$Node", "next")?,
            }),
            "java/util/Collections$SetFromMap" => Some(Layout::SetFromMap {
                map: word(self, "java/util/Collections$SetFromMap", "m")?,
            }),
            _ => None,
        };
        self.layouts.insert(class, layout);
        Ok(layout)
    }

    /// The members of a collection with a layout; `None` if one of them, or the way there, is
    /// symbolic or of a class whose inside is not known.
    fn members(&mut self, collection: Ref, layout: Layout) -> Result<Option<Vec<Ref>>, Fault> {
        let inner = self.inner(collection, layout)?;
        Ok(inner.and_then(|(inner, layout)| self.members_of(inner, layout)))
    }

    /// The map behind a set; any other collection as it is.
    fn inner(&mut self, collection: Ref, layout: Layout) -> Result<Option<(Ref, Layout)>, Fault> {
        let (Layout::HashSet { map } | Layout::SetFromMap { map }) = layout else {
            return Ok(Some((collection, layout)));
        };
        let Some(map) = self.concrete(collection, map) else {
            return Ok(None);
        };
        let layout = self.layout(self.heap.class_of(map))?;
        let is_map = |layout: &Layout| {
            matches!(
                layout,
                Layout::HashMap { .. } | Layout::IdentityHashMap { .. }
            )
        };
        Ok(layout.filter(is_map).map(|layout| (map, layout)))
    }

    fn members_of(&self, collection: Ref, layout: Layout) -> Option<Vec<Ref>> {
        match layout {
            Layout::HashMap {
                table, key, next, ..
            } => {
                let nodes = self.nodes(collection, table, next)?;
                nodes.iter().map(|&node| self.concrete(node, key)).collect()
            }
            Layout::LinkedList { first, item, next } => {
                let mut nodes = Vec::new();
                let first = self.concrete(collection, first)?;
                self.follow(first, next, &mut nodes)?;
                nodes
                    .iter()
                    .map(|&node| self.concrete(node, item))
                    .collect()
            }
            Layout::IdentityHashMap { table } => {
                let table = self.concrete(collection, table)?;
                self.elements_from(table, 0, 2, self.heap.array_length(table))
            }
            Layout::ArrayList { size, elements } => {
                let size = self.concrete(collection, size)?.0;
                let array = self.concrete(collection, elements)?;
                self.elements_from(array, 0, 1, size.min(self.heap.array_length(array)))
            }
            Layout::HashSet { .. } | Layout::SetFromMap { .. } => None,
        }
    }

    /// The nodes of a hash map.
    fn nodes(&self, map: Ref, table: u32, next: u32) -> Option<Vec<Ref>> {
        let table = self.concrete(map, table)?;
        let mut nodes = Vec::new();
        if table.is_null() {
            return Some(nodes);
        }
        let start = self.heap.elements(table);
        for index in 0..u64::from(self.heap.array_length(table)) {
            let bin = Ref(self.heap.load32(start + 4 * index));
            self.follow(bin, next, &mut nodes)?;
        }
        Some(nodes)
    }

    /// Adds a row of nodes.
    fn follow(&self, first: Ref, next: u32, nodes: &mut Vec<Ref>) -> Option<()> {
        let mut node = first;
        while !node.is_null() {
            nodes.push(node);
            node = self.concrete(node, next)?;
        }
        Some(())
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

    /// A field by its word; `None` if it is symbolic.
    fn concrete(&self, object: Ref, word: u32) -> Option<Ref> {
        let slot = self.heap.field(object, word);
        (!is_symbolic(slot)).then(|| Ref::from_slot(slot))
    }

    /// Whether a method of all members, and of all that a term can still be, is `Object`'s.
    fn all_are_objects_own<M: Machine>(
        &self,
        wanted: &str,
        machine: &mut M,
        term: u32,
        members: &[Ref],
    ) -> Result<bool, Fault> {
        let declared = self
            .class(self.known().object)
            .vtable
            .iter()
            .find(|&&method| self.text(self.method(method).name) == wanted);
        let Some(&method) = declared else {
            return Err(Fault::unsupported("a class Object without its methods"));
        };
        let index = self.method(method).vtable_index.unwrap_or_default() as usize;
        let mut last: Option<ClassId> = None;
        let mut is_own = |object: Ref| {
            let class = self.heap.class_of(object);
            if object.is_null() || last == Some(class) {
                return true;
            }
            last = Some(class);
            self.class(class).vtable.get(index) == Some(&method)
        };
        Ok(members.iter().all(|&member| is_own(member))
            && machine.candidates(term).into_iter().all(is_own))
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
        if M::TOTAL {
            // Whether it is one of the cache is asked where its identity is.
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
        // Past the cache each call makes a new box; its identity could be told.
        for (comparison, bound) in [
            (Comparison::Ge, *SHARED.start()),
            (Comparison::Le, *SHARED.end()),
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
