//! Hash maps whose keys are equal by open values.
//!
//! `put` and similar methods only depend on which present key equals the given one. The change is
//! deferred: the table, and other references to nodes, become terms for their future contents. A
//! use of such a term runs the plain code of all deferred changes in order, so that the map is as
//! usual. Invariant: fields that are read before the table (size, modification count) are up to
//! date. Methods that read more are [`MapCall::Look`].

use std::rc::Rc;

use crate::class::{ClassId, MethodId};
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::{
    Comparison, ConditionTruth, Machine, Operation, SlotLocation, is_symbolic, term_of,
};
use crate::vm::{Exit, Fault, Vm};

use super::ReplacedCall;
use super::members::CollectionLayout;

/// Maximum number of keys that a key is compared with; the plain code handles larger maps.
const MAX_MEMBERS: usize = 64;

/// Method of a hash map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapCall {
    /// `containsKey`
    Contains,
    /// `get`
    Get,
    /// `getOrDefault`
    GetOrDefault,
    /// `put`
    Put,
    /// `putIfAbsent`
    PutIfAbsent,
    /// `remove` of a key
    Remove,
    /// Reads or writes something before the table: all deferred changes are made first.
    Look,
}

/// Keys of a map, each with the slot of its value.
pub type Members = Rc<[(Ref, u64)]>;

/// Deferred change of a map.
#[derive(Clone, Debug)]
pub struct DeferredMapChange {
    /// The map.
    pub map: Ref,
    /// Method that makes the change.
    pub method: MethodId,
    /// Its arguments, the map first.
    pub arguments: Vec<u64>,
    /// Words of the changed fields, with their previous contents.
    pub before: Vec<(u32, u64)>,
    /// Number of those, from the first on, whose new contents are open.
    pub open: usize,
    /// Keys and values after the change.
    pub members: Members,
}

/// Words of a hash map's fields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MapWords {
    table: u32,
    size: u32,
    changes: u32,
    hash: u32,
    key: u32,
    value: u32,
    next: u32,
    linked: Option<LinkedWords>,
}

/// Words of the additional fields of a linked hash map.
#[derive(Clone, Copy, Debug)]
struct LinkedWords {
    head: u32,
    tail: u32,
    /// Whether reads reorder the entries.
    access_order: u32,
    /// Position at which a new key is inserted, from JDK 21 on.
    put_mode: Option<u32>,
}

/// Value that determines a key's equality.
#[derive(Clone, Copy, Debug)]
enum MapKey {
    Null,
    /// Class of the box, kind, and slot in the box.
    Number(ClassId, Kind, u64),
    Text(Ref),
    /// Object equal only to itself.
    Object(Ref),
}

impl Vm {
    /// Calls a method of a hash map whose arguments start at a register.
    pub(super) fn call_map<M: Machine>(
        &mut self,
        machine: &mut M,
        call: MapCall,
        method: MethodId,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        let receiver = self.state.registers[first];
        if !M::TOTAL || is_symbolic(receiver) || receiver == 0 {
            return Ok(ReplacedCall::Plain);
        }
        let map = Ref::from_slot(receiver);
        let Some(words) = self.map_words(self.heap.class_of(map))? else {
            return Ok(ReplacedCall::Plain);
        };
        if call == MapCall::Look {
            return Ok(self.look(machine, map, words));
        }
        if let Some(exit) = self.settle_arguments(machine, first + 1, 1) {
            return Ok(ReplacedCall::Stop(exit));
        }
        let key = Ref::from_slot(self.state.registers[first + 1]);
        let Some(members) = self.map_members(machine, map, words, key)? else {
            return Ok(ReplacedCall::Plain);
        };
        let Some(equal) = self.equal_members(machine, key, &members)? else {
            return Ok(ReplacedCall::Plain);
        };
        let Some(is_there) = any(machine, &equal) else {
            return Ok(ReplacedCall::Plain);
        };
        if call == MapCall::Contains {
            return Ok(ReplacedCall::Done(is_there));
        }
        match self.find_member(machine, is_there, &equal) {
            Ok(place) => self.map_found(machine, call, method, first, words, &members, place),
            Err(stop) => Ok(stop),
        }
    }

    /// Adds a key to a set. If an equal key is present nothing changes, whichever it is.
    pub(super) fn add_value<M: Machine>(
        &mut self,
        machine: &mut M,
        set: Ref,
        key: Ref,
    ) -> Result<ReplacedCall, Fault> {
        if !M::TOTAL {
            return Ok(ReplacedCall::Plain);
        }
        let map = match self.layout(self.heap.class_of(set))? {
            Some(CollectionLayout::HashSet { map }) => self.concrete(set, map),
            _ => None,
        };
        let Some(map) = map.filter(|map| !map.is_null()) else {
            return Ok(ReplacedCall::Plain);
        };
        let Some(words) = self.map_words(self.heap.class_of(map))? else {
            return Ok(ReplacedCall::Plain);
        };
        let Some(members) = self.map_members(machine, map, words, key)? else {
            return Ok(ReplacedCall::Plain);
        };
        let equal = self.equal_members(machine, key, &members)?;
        let is_there = equal.and_then(|equal| any(machine, &equal));
        Ok(match is_there.map(|slot| holds(machine, slot)) {
            Some(Ok(true)) => ReplacedCall::Done(0),
            Some(Err(stop)) => stop,
            // The plain code calls the map's `put`.
            Some(Ok(false)) | None => ReplacedCall::Plain,
        })
    }

    /// Requests all deferred changes of a map.
    fn look<M: Machine>(&self, machine: &mut M, map: Ref, words: MapWords) -> ReplacedCall {
        match term_of(self.heap.field(map, words.table)) {
            Some(term) if machine.value(term).is_none() => {
                ReplacedCall::Stop(Exit::Symbolic(SlotLocation::Word(map.0 + words.table)))
            }
            _ => ReplacedCall::Plain,
        }
    }

    /// Result of a method on a map that has its key at an index, or does not have it.
    #[expect(clippy::too_many_arguments, reason = "a call and where it stands")]
    fn map_found<M: Machine>(
        &mut self,
        machine: &mut M,
        call: MapCall,
        method: MethodId,
        first: usize,
        words: MapWords,
        members: &[(Ref, u64)],
        place: Option<usize>,
    ) -> Result<ReplacedCall, Fault> {
        let key = Ref::from_slot(self.state.registers[first + 1]);
        let given = self.state.registers[first + 2];
        let held = place.map(|place| members[place].1);
        let mut after = members.to_vec();
        match (call, place) {
            (MapCall::Get, _) => return Ok(ReplacedCall::Done(held.unwrap_or_default())),
            (MapCall::GetOrDefault, _) => return Ok(ReplacedCall::Done(held.unwrap_or(given))),
            (MapCall::Remove, None) => return Ok(ReplacedCall::Done(0)),
            (MapCall::Remove, Some(place)) => {
                after.remove(place);
            }
            (MapCall::PutIfAbsent, Some(place)) => match held {
                Some(0) => after[place].1 = given,
                // The value may be null, which is open.
                Some(held) if is_symbolic(held) => return Ok(ReplacedCall::Plain),
                held => return Ok(ReplacedCall::Done(held.unwrap_or_default())),
            },
            (_, Some(place)) => after[place].1 = given,
            (_, None) => after.push((key, given)),
        }
        let arguments = if call == MapCall::Remove { 2 } else { 3 };
        let arguments = self.state.registers[first..first + arguments].to_vec();
        let is_put_off = self.put_off(machine, words, method, arguments, members.len(), after);
        Ok(if is_put_off {
            ReplacedCall::Done(held.unwrap_or_default())
        } else {
            ReplacedCall::Plain
        })
    }

    /// Defers a call that changes a map.
    fn put_off<M: Machine>(
        &mut self,
        machine: &mut M,
        words: MapWords,
        method: MethodId,
        arguments: Vec<u64>,
        size_before: usize,
        members: Vec<(Ref, u64)>,
    ) -> bool {
        let map = Ref::from_slot(arguments[0]);
        let mut changed = vec![words.table];
        changed.extend(words.linked.into_iter().flat_map(|it| [it.head, it.tail]));
        let open = changed.len();
        changed.extend([words.size, words.changes]);
        let size = members.len();
        let slots = machine.defer_map_change(DeferredMapChange {
            map,
            method,
            arguments,
            before: changed
                .iter()
                .map(|&word| (word, self.heap.field(map, word)))
                .collect(),
            open,
            members: members.into(),
        });
        let Some(slots) = slots else { return false };
        for (&word, slot) in changed.iter().zip(slots) {
            self.heap.set_field(map, word, slot);
        }
        if size != size_before {
            let changes = self.heap.field(map, words.changes) as u32;
            self.heap.set_field(map, words.size, size as u64);
            let changes = u64::from(changes.wrapping_add(1));
            self.heap.set_field(map, words.changes, changes);
        }
        true
    }

    /// Restores the fields of a map as they were before a deferred change that is about to be
    /// made.
    pub fn take_back(&mut self, change: &DeferredMapChange) {
        for &(word, slot) in &change.before {
            self.heap.set_field(change.map, word, slot);
        }
    }

    fn map_words(&mut self, class: ClassId) -> Result<Option<MapWords>, Fault> {
        if let Some(&known) = self.map_words.get(&class) {
            return Ok(known);
        }
        let is_linked = self.class_name(class) == "java/util/LinkedHashMap";
        let words = if is_linked || self.class_name(class) == "java/util/HashMap" {
            let node = self
                .load_class("java/util/HashMap$Node")
                .map_err(|error| self.load_fault(error))?;
            let linked = if is_linked {
                Some(LinkedWords {
                    head: self.word_of(class, "head")?,
                    tail: self.word_of(class, "tail")?,
                    access_order: self.word_of(class, "accessOrder")?,
                    put_mode: self.word_of(class, "putMode").ok(),
                })
            } else {
                None
            };
            Some(MapWords {
                table: self.word_of(class, "table")?,
                size: self.word_of(class, "size")?,
                changes: self.word_of(class, "modCount")?,
                hash: self.word_of(node, "hash")?,
                key: self.word_of(node, "key")?,
                value: self.word_of(node, "value")?,
                next: self.word_of(node, "next")?,
                linked,
            })
        } else {
            None
        };
        self.map_words.insert(class, words);
        Ok(words)
    }

    /// Keys and values of a map with an open key, or for an open argument. `None` if the plain
    /// code does as well, or if they cannot be read.
    fn map_members<M: Machine>(
        &mut self,
        machine: &mut M,
        map: Ref,
        words: MapWords,
        key: Ref,
    ) -> Result<Option<Members>, Fault> {
        let orders = words.linked.map(|it| [Some(it.access_order), it.put_mode]);
        let mut orders = orders.into_iter().flatten().flatten();
        if orders.any(|word| self.heap.field(map, word) != 0) {
            return Ok(None);
        }
        let mut table = self.heap.field(map, words.table);
        if let Some(term) = term_of(table) {
            match machine.value(term) {
                Some(value) => table = value,
                None => {
                    let members = machine.members(term);
                    return Ok(members.filter(|members| members.len() < MAX_MEMBERS));
                }
            }
        }
        if !self.is_open_key(machine, key)? {
            return Ok(None);
        }
        let is_fixed = |word| !is_symbolic(self.heap.field(map, word));
        if !is_fixed(words.size) || !is_fixed(words.changes) {
            return Ok(None);
        }
        let mut members = Vec::new();
        for node in self
            .nodes_of(Ref::from_slot(table), words.next)
            .unwrap_or_default()
        {
            // An open hash makes the node's place in the table open.
            let Some(key) = self.concrete(node, words.key) else {
                return Ok(None);
            };
            if is_symbolic(self.heap.field(node, words.hash)) || members.len() >= MAX_MEMBERS {
                return Ok(None);
            }
            members.push((key, self.heap.field(node, words.value)));
        }
        let is_all = members.len() as u64 == self.heap.field(map, words.size);
        Ok(is_all.then(|| members.into()))
    }

    /// Whether the value that determines a key's equality is open.
    fn is_open_key<M: Machine>(&mut self, machine: &mut M, key: Ref) -> Result<bool, Fault> {
        Ok(match self.key(key)? {
            Some(MapKey::Number(_, _, slot)) => {
                term_of(slot).is_some_and(|term| machine.value(term).is_none())
            }
            Some(MapKey::Text(text)) => self.is_open_text(machine, text),
            _ => false,
        })
    }

    /// Value that determines a key's equality; `None` if the class has its own `equals`.
    fn key(&self, key: Ref) -> Result<Option<MapKey>, Fault> {
        if key.is_null() {
            return Ok(Some(MapKey::Null));
        }
        let class = self.heap.class_of(key);
        let name = self.class_name(class);
        if name == "java/lang/String" {
            return Ok(Some(MapKey::Text(key)));
        }
        if let Some(kind) = Kind::of_box(name) {
            let word = self.word_of(class, "value")?;
            return Ok(Some(MapKey::Number(
                class,
                kind,
                self.heap.field(key, word),
            )));
        }
        let is_own = self.has_own_identity(class)?;
        Ok(is_own.then_some(MapKey::Object(key)))
    }

    /// Whether objects of a class are equal only to themselves.
    pub(super) fn has_own_identity(&self, class: ClassId) -> Result<bool, Fault> {
        let enums = self.loaded_class("java/lang/Enum");
        if enums.is_some_and(|enums| self.is_subclass(class, enums)) {
            return Ok(true);
        }
        Ok(self.is_objects_own("equals", class)? && self.is_objects_own("hashCode", class)?)
    }

    /// For each member a slot that is 1 if its key equals another, else 0; `None` if there is no
    /// such term.
    fn equal_members<M: Machine>(
        &mut self,
        machine: &mut M,
        key: Ref,
        members: &[(Ref, u64)],
    ) -> Result<Option<Vec<u64>>, Fault> {
        let Some(wanted) = self.key(key)? else {
            return Ok(None);
        };
        let mut equal = Vec::with_capacity(members.len());
        for &(member, _) in members {
            let Some(member) = self.key(member)? else {
                return Ok(None);
            };
            match self.equal_keys(machine, wanted, member)? {
                Some(slot) => equal.push(slot),
                None => return Ok(None),
            }
        }
        Ok(Some(equal))
    }

    fn equal_keys<M: Machine>(
        &mut self,
        machine: &mut M,
        a: MapKey,
        b: MapKey,
    ) -> Result<Option<u64>, Fault> {
        Ok(match (a, b) {
            (MapKey::Null, MapKey::Null) => Some(1),
            (MapKey::Object(a), MapKey::Object(b)) => Some(u64::from(a == b)),
            (MapKey::Number(a, kind, left), MapKey::Number(b, _, right)) if a == b => {
                equal_numbers(machine, kind, left, right)
            }
            (MapKey::Text(a), MapKey::Text(b)) => self.equal_texts(machine, a, b),
            _ => Some(0),
        })
    }

    /// Index of the member with an equal key, tested one after the other; `Err` if the run stops.
    fn find_member<M: Machine>(
        &self,
        machine: &mut M,
        is_there: u64,
        equal: &[u64],
    ) -> Result<Option<usize>, ReplacedCall> {
        if !holds(machine, is_there)? {
            return Ok(None);
        }
        let last = equal.len().saturating_sub(1);
        for (place, &equal) in equal[..last].iter().enumerate() {
            if holds(machine, equal)? {
                return Ok(Some(place));
            }
        }
        Ok(Some(last))
    }
}

/// Whether an int that is 0 or 1 is 1; `Err` if the run stops.
fn holds<M: Machine>(machine: &mut M, slot: u64) -> Result<bool, ReplacedCall> {
    if !is_symbolic(slot) {
        return Ok(slot != 0);
    }
    match machine.compare(Comparison::Ne, Kind::Int, slot, 0) {
        ConditionTruth::Known(holds) => Ok(holds),
        ConditionTruth::Open => Err(ReplacedCall::Stop(Exit::Branch)),
        ConditionTruth::Unable => Err(ReplacedCall::Plain),
    }
}

/// 1 if one of some ints is 1, else 0.
fn any<M: Machine>(machine: &mut M, slots: &[u64]) -> Option<u64> {
    let mut any = 0;
    for &slot in slots {
        any = match (any, slot) {
            (0, slot) => slot,
            (1, _) | (_, 1) => 1,
            (any, 0) => any,
            (any, slot) => machine.operate(Operation::Or, Kind::Int, any, slot)?,
        };
    }
    Some(any)
}

/// 1 if the numbers in two boxes are equal by their class's `equals`, else 0: floats by their
/// bits.
fn equal_numbers<M: Machine>(machine: &mut M, kind: Kind, a: u64, b: u64) -> Option<u64> {
    if a == b {
        return Some(1);
    }
    let kind = match kind {
        Kind::Float | Kind::Double => {
            let bits = |slot, machine: &mut M| machine.operate(Operation::Bits, kind, slot, 0);
            let (a, b) = (bits(a, machine)?, bits(b, machine)?);
            let kind = if kind == Kind::Float {
                Kind::Int
            } else {
                Kind::Long
            };
            return machine.comparison_as_int(Comparison::Eq, kind, a, b);
        }
        Kind::Long => Kind::Long,
        _ => Kind::Int,
    };
    machine.comparison_as_int(Comparison::Eq, kind, a, b)
}
