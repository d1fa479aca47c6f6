//! Identity hash codes that decide nothing but the places of keys in hash tables.
//!
//! What a `HashMap` or an `IdentityHashMap` holds does not depend on them, as long as its keys are
//! equal only to themselves or have methods of their own that cannot tell; the order in which code
//! goes through its table does. Nor does what is found in an immutable map or set depend on them. Such
//! reads are therefore not noted as [`Chance::IdentityHashes`] until code looks at that order.
//! Invariant: other identity hash codes lead to the same run, or the path has the note.

use std::sync::Arc;

use super::{Intrinsic, ReplacedCall};
use crate::chances::Chance;
use crate::class::ClassId;
use crate::class::MethodId;
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::machine::is_symbolic;
use crate::state::Frame;
use crate::vm::{Fault, Vm};

/// Table whose order a method looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashOrder {
    /// That of the receiver.
    Map,
    /// That of the receiver, at once: nothing else runs in between.
    MapAtOnce,
    /// That of the argument of the constructor of an iterator, which looks for the next entry at once
    /// and refuses to go on if the map has changed.
    Iterator,
    /// That of the argument of the constructor of an iterator, which looks for the next entry later.
    LateIterator,
    /// That of the map whose view the receiver is.
    View,
    /// That of the map that the receiver goes through.
    Spliterator,
    /// None: a key is about to be looked up, and may be compared with keys of the same hash code.
    Key,
    /// None: an enum constant's hash code is read, which may be that of an earlier read.
    Constant,
}

const MAP: &str = "java/util/HashMap";
const IDENTITY_MAP: &str = "java/util/IdentityHashMap";
const IMMUTABLE_TABLES: [&str; 2] = [
    "java/util/ImmutableCollections$MapN",
    "java/util/ImmutableCollections$SetN",
];
const ENUM: &str = "java/lang/Enum";

impl Vm {
    /// Sets whether identity hash codes that only decide places in hash tables may be read without a
    /// note. The machine must be symbolic: the others do not see who looks at the order.
    pub fn track_hash_order(&mut self, tracks: bool) {
        self.tracks_hash_order = tracks;
    }

    /// Notes that a method which looks at the order of a table is called past the place where calls
    /// are replaced.
    pub(crate) fn note_unseen_call(&mut self, method: MethodId) {
        if self.tracks_hash_order
            && matches!(self.method(method).replaced, Some(Intrinsic::Hashed(_)))
        {
            self.note_chance(Chance::IdentityHashes);
        }
    }

    /// Whether the identity hash code that is being read decides nothing but the place of an object
    /// in a hash table, which is then known to have such keys.
    pub(crate) fn is_place_only(&mut self, object: Ref) -> bool {
        if !self.tracks_hash_order {
            return false;
        }
        let frames = &self.state.frames;
        let Some(top) = frames.last() else {
            return false;
        };
        let is_constant = self.is_method(top, ENUM, "hashCode");
        let readers = frames.len() - usize::from(is_constant);
        self.is_place_in(object, readers)
    }

    /// Whether the method that reads an identity hash code computes a place in a hash table.
    pub(crate) fn is_in_hash_table(&self) -> bool {
        let frames = &self.state.frames;
        let readers = frames.iter().rev().take(2);
        readers.into_iter().any(|frame| {
            self.is_method(frame, MAP, "hash") || self.is_method(frame, IDENTITY_MAP, "hash")
        })
    }

    /// Whether the innermost of the first `readers` frames computes the place of an object in a hash
    /// table, and none below it goes through one.
    fn is_place_in(&mut self, object: Ref, readers: usize) -> bool {
        let [below @ .., caller, reader] = &self.state.frames[..readers] else {
            return false;
        };
        let slot = self.state.registers[caller.base as usize];
        if self.method(caller.method).is_static() || is_symbolic(slot) || slot == 0 {
            return false;
        }
        let map = Ref::from_slot(slot);
        let class = self.heap.class_of(map);
        let is_on_map = |frame: &&Frame| {
            self.is_of_tables(frame)
                && !self.method(frame.method).is_static()
                && self.state.registers[frame.base as usize] == slot
        };
        let own = below.iter().rev().take_while(is_on_map).count();
        let others = &below[..below.len() - own];
        if others.iter().any(|frame| self.is_of_tables(frame)) {
            return false;
        }
        if self.is_method(reader, IDENTITY_MAP, "hash") {
            return self.class_name(class) == IDENTITY_MAP && self.is_of_tables(caller);
        }
        if self.is_lookup(caller, reader) {
            return self.is_plain_key(object);
        }
        if !self.is_method(reader, MAP, "hash")
            || !self.is_of_tables(caller)
            || !self.is_plain_key(object)
        {
            return false;
        }
        if self.state.hash_ordered.contains(&map) {
            return true;
        }
        let are_plain = self.keys_of_map(map, class);
        let are_plain =
            are_plain.is_some_and(|keys| keys.iter().all(|&key| self.is_plain_key(key)));
        if are_plain {
            Arc::make_mut(&mut self.state.hash_ordered).insert(map);
        }
        are_plain
    }

    /// Whether one method looks a key up in an immutable table for another one, which tells no more
    /// than whether it is there, and the value. Where keys lie was decided when the table was made.
    fn is_lookup(&self, caller: &Frame, reader: &Frame) -> bool {
        IMMUTABLE_TABLES.into_iter().any(|table| {
            let mut lookups = ["get", "containsKey", "contains"].into_iter();
            self.is_method(reader, table, "probe")
                && lookups.any(|lookup| self.is_method(caller, table, lookup))
        })
    }

    /// Keys of a map of the library's own class; `None` if they are unknown.
    fn keys_of_map(&mut self, map: Ref, class: ClassId) -> Option<Vec<Ref>> {
        let layout = self.layout(class).ok()??;
        let is_map = matches!(layout, super::CollectionLayout::HashMap { .. });
        if !is_map {
            return None;
        }
        self.members(map, layout).ok()?
    }

    /// Whether comparing a key with one of another class runs no code of the program and is always
    /// false.
    fn is_plain_key(&self, key: Ref) -> bool {
        if key.is_null() {
            return true;
        }
        let class = self.heap.class_of(key);
        let name = self.class_name(class);
        if name == "java/lang/String" || Kind::of_box(name).is_some() {
            return true;
        }
        let is_below = |above: &str| {
            let above = self.loaded_class(above);
            above.is_some_and(|above| self.is_subclass(class, above))
        };
        // Many keys in one place are compared by `compareTo`, too.
        self.has_own_identity(class).unwrap_or(false)
            && (is_below(ENUM) || !is_below("java/lang/Comparable"))
    }

    fn is_of_tables(&self, frame: &Frame) -> bool {
        let class = self.class_name(self.method(frame.method).class);
        [MAP, IDENTITY_MAP, "java/util/LinkedHashMap"]
            .iter()
            .any(|table| {
                let rest = class.strip_prefix(table);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
            })
    }

    fn is_method(&self, frame: &Frame, class: &str, name: &str) -> bool {
        let method = self.method(frame.method);
        self.text(method.name) == name && self.class_name(method.class) == class
    }

    /// Notes a look at the order of a hash table, if it depends on identity hash codes.
    pub(super) fn look_at_order(
        &mut self,
        order: HashOrder,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        if self.tracks_hash_order && self.depends_on_hashes(order, first)? {
            self.note_chance(Chance::IdentityHashes);
        }
        Ok(ReplacedCall::Plain)
    }

    fn depends_on_hashes(&mut self, order: HashOrder, first: usize) -> Result<bool, Fault> {
        let this = self.state.registers[first];
        let argument = || self.state.registers[first + 1];
        let map = match order {
            HashOrder::Key => return Ok(self.may_compare(this)),
            HashOrder::Constant => {
                let constant = Ref::from_slot(this);
                let readers = self.state.frames.len();
                return Ok(is_symbolic(this) || !self.is_place_in(constant, readers));
            }
            HashOrder::Map | HashOrder::MapAtOnce => this,
            HashOrder::Iterator | HashOrder::LateIterator => argument(),
            HashOrder::View => self.reference_in(this, "this$0")?,
            HashOrder::Spliterator => self.reference_in(this, "map")?,
        };
        if is_symbolic(map) {
            return Ok(true);
        }
        let map = Ref::from_slot(map);
        if map.is_null() {
            return Ok(false);
        }
        let class = self.heap.class_of(map);
        let is_identity_map = self
            .loaded_class(IDENTITY_MAP)
            .is_some_and(|identity| self.is_subclass(class, identity));
        if !is_identity_map && !self.state.hash_ordered.contains(&map) {
            return Ok(false);
        }
        let size = self.word_of(class, "size")?;
        let size = self.heap.field(map, size);
        let least = match order {
            HashOrder::MapAtOnce | HashOrder::Iterator => 2,
            // Entries that come later are seen, too.
            HashOrder::Spliterator => 0,
            _ => 1,
        };
        Ok(is_symbolic(size) || size as u32 >= least)
    }

    /// Slot of a field of a receiver.
    fn reference_in(&self, slot: u64, field: &str) -> Result<u64, Fault> {
        if is_symbolic(slot) || slot == 0 {
            return Ok(slot);
        }
        let object = Ref::from_slot(slot);
        let word = self.word_of(self.heap.class_of(object), field)?;
        Ok(self.heap.field(object, word))
    }

    /// Whether a key that is looked up may be compared with keys which identity hash codes have put
    /// to its place, by code that can tell.
    fn may_compare(&self, key: u64) -> bool {
        if self.state.hash_ordered.is_empty() {
            return false;
        }
        if !is_symbolic(key) && self.is_plain_key(Ref::from_slot(key)) {
            return false;
        }
        let Some(caller) = self.state.frames.last() else {
            return true;
        };
        let slot = self.state.registers[caller.base as usize];
        if self.method(caller.method).is_static() || is_symbolic(slot) || slot == 0 {
            return true;
        }
        let map = Ref::from_slot(slot);
        let maps = self.loaded_class(MAP);
        let is_map = maps.is_some_and(|maps| self.is_subclass(self.heap.class_of(map), maps));
        !is_map || self.state.hash_ordered.contains(&map)
    }
}

#[cfg(test)]
mod tests;
