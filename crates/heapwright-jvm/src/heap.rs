//! The arena: one array of 64-bit words that holds every Java object and every static field.
//!
//! *Reversible* objects grow upwards by a bump pointer. *Permanent* ones (class mirrors,
//! literals, static blocks) grow downwards from the top and are never freed, but their contents
//! are reversible. Where no mark is set, a collection may turn unreachable reversible objects into
//! *holes*, in which later objects are allocated first. Invariant: between [`Heap::mark`] and
//! [`Heap::undo_to`] every word that existed at the mark and was written through [`Heap::store`] or
//! its variants is restored bit for bit.
//!
//! Layout: word 0 of an object is its header, and each field takes a word. The low half of an
//! array's word 1 is its length. The high half is 0, or the reference of the array's shadow,
//! which has slots for an unset length and elements. Array elements are packed, references as 32
//! bits.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::class::ClassId;

/// A reference to an object: the index of its header word, 0 for null.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Ref(pub u32);

impl Ref {
    /// Java's `null`.
    pub const NULL: Ref = Ref(0);

    /// Whether this is `null`.
    #[inline]
    #[must_use]
    pub fn is_null(self) -> bool {
        self.0 == 0
    }

    /// The content of a register or field slot that holds the reference.
    #[inline]
    #[must_use]
    pub fn slot(self) -> u64 {
        u64::from(self.0)
    }

    /// The reference in a slot that holds one.
    #[inline]
    #[must_use]
    pub fn from_slot(slot: u64) -> Ref {
        Ref(slot as u32)
    }
}

impl std::fmt::Debug for Ref {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "@{:x}", self.0)
    }
}

/// First word of an object's fields.
pub const FIELDS: u32 = 1;
/// First word of an array's elements.
pub const ELEMENTS: u32 = 2;

const CLASS_BITS: u32 = 20;
const MONITOR_BITS: u32 = 14;
const MONITOR_SHIFT: u32 = CLASS_BITS;
const HASH_SHIFT: u32 = CLASS_BITS + MONITOR_BITS;
const MONITOR_MAX: u64 = (1 << MONITOR_BITS) - 1;
const HASH_MASK: u64 = (1 << (64 - HASH_SHIFT)) - 1;

/// Class number, which no class has, in the header of free words between objects. The high half is
/// the number of these words.
const FREE: u32 = (1 << CLASS_BITS) - 1;
/// Holes with fewer words stay empty.
const SMALLEST_HOLE: u32 = 4;
/// Objects with more words are allocated above all others as long as there is room.
const LARGE: u32 = 256;

/// High half of an unset slot; the low half is the number of its choice variable. No int, float
/// or reference slot has this value. A long or double may, so the address of the variable's slot
/// decides.
pub const UNSET_TAG: u32 = 0x7FF7_C401;

/// Slot value of the unset choice variable `variable`.
#[must_use]
pub fn unset_slot(variable: u32) -> u64 {
    u64::from(UNSET_TAG) << 32 | u64::from(variable)
}

/// Point of a run between two marks, at which objects can be looked at later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeapPoint(usize);

/// State of the heap when a mark was set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeapMark {
    trail: usize,
    top: u32,
    /// What `top` was at the newest point since. Words below have a trail while the mark is the newest.
    point: Option<u32>,
}

/// The arena and its trail.
pub struct Heap {
    words: Vec<u64>,
    /// The next reversible object is allocated in `top..limit`: in a hole, or above all objects.
    top: u32,
    limit: u32,
    /// First free word above the reversible objects while `top` is in a hole.
    above_hole: Option<u32>,
    /// Further holes, the next one last.
    holes: Vec<Range<u32>>,
    /// Reversible objects that reach this word make a collection due.
    due_at: u32,
    is_due: bool,
    /// Number of words above all objects between collections; `u32::MAX` if there are none.
    interval: u32,
    /// Lowest word of the permanent objects.
    floor: u32,
    /// Where permanent objects begin.
    permanent_objects: Vec<Ref>,
    /// Permanent words that belong to no object and no class.
    cells: Vec<Range<u32>>,
    /// Words in `young..young + span` were allocated after the newest mark and point, and need no
    /// trail.
    young: u32,
    span: u32,
    trail: Vec<(u32, u64)>,
    marks: Vec<HeapMark>,
    /// Words withheld from allocation, so that handlers of an `OutOfMemoryError` have memory.
    reserve: u32,
}

/// The heap limit was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeapFull;

impl Clone for Heap {
    /// Copies the words in use; the system provides no memory for the others, which are 0.
    fn clone(&self) -> Heap {
        let used = self.above_hole.unwrap_or(self.top) as usize;
        let floor = self.floor as usize;
        let mut words = vec![0; self.words.len()];
        words[..used].copy_from_slice(&self.words[..used]);
        words[floor..].copy_from_slice(&self.words[floor..]);
        Heap {
            words,
            holes: self.holes.clone(),
            permanent_objects: self.permanent_objects.clone(),
            cells: self.cells.clone(),
            trail: self.trail.clone(),
            marks: self.marks.clone(),
            ..*self
        }
    }
}

impl Heap {
    /// Creates an empty arena of at most `bytes` bytes (at least 64 KiB, at most 32 GiB). The
    /// system provides memory only for touched pages.
    #[must_use]
    pub fn new(bytes: u64) -> Heap {
        let words = (bytes / 8).clamp(8 << 10, u64::from(u32::MAX)) as usize;
        Heap {
            words: vec![0; words],
            top: 1,
            limit: words as u32,
            above_hole: None,
            holes: Vec::new(),
            due_at: u32::MAX,
            is_due: false,
            interval: u32::MAX,
            floor: words as u32,
            permanent_objects: Vec::new(),
            cells: Vec::new(),
            young: 0,
            span: u32::MAX,
            trail: Vec::new(),
            marks: Vec::new(),
            reserve: 0,
        }
    }

    /// Reserves a sixteenth of the arena, see [`Heap::yield_reserve`].
    pub(crate) fn keep_reserve(&mut self) {
        self.reserve = self.words.len() as u32 / 16;
        self.set_limit();
    }

    /// Releases an eighth of the reserve; returns false if too little is left.
    pub(crate) fn yield_reserve(&mut self) -> bool {
        const LEAST: u32 = 1 << 10;
        let part = self.reserve / 8;
        self.reserve -= part;
        self.set_limit();
        part >= LEAST
    }

    /// Withholds memory, so that no more than this number of further bytes can be allocated. Returns
    /// what was withheld before, for [`Heap::withhold_again`].
    pub fn withhold_beyond(&mut self, bytes: u64) -> u32 {
        let room = self.floor.saturating_sub(self.end());
        let left = u32::try_from(bytes / 8).unwrap_or(u32::MAX);
        let before = self.reserve;
        self.reserve = before.max(room.saturating_sub(left));
        self.set_limit();
        before
    }

    /// Withholds as much memory as before a call of [`Heap::withhold_beyond`].
    pub fn withhold_again(&mut self, before: u32) {
        self.reserve = before;
        self.set_limit();
    }

    /// Bytes used by objects, reversible and permanent.
    #[must_use]
    pub fn used_bytes(&self) -> u64 {
        let free = |hole: &Range<u32>| u64::from(hole.end - hole.start);
        let holes: u64 = self.holes.iter().map(free).sum();
        let rest = self.above_hole.map_or(0, |_| self.limit - self.top);
        let reversible = u64::from(self.end()) - u64::from(rest) - holes;
        8 * (reversible + self.permanent_words() as u64)
    }

    /// First word above the reversible objects. While a mark is set, all later ones are there.
    #[inline]
    #[must_use]
    pub fn end(&self) -> u32 {
        self.above_hole.unwrap_or(self.top)
    }

    /// Whether any mark is set.
    #[inline]
    #[must_use]
    pub fn is_marked(&self) -> bool {
        !self.marks.is_empty()
    }

    /// Whether `object` is permanent or null, so that code may embed it.
    #[inline]
    #[must_use]
    pub fn is_permanent(&self, object: Ref) -> bool {
        object.is_null() || object.0 >= self.floor
    }

    #[inline]
    fn take(&mut self, words: u32) -> Result<u32, HeapFull> {
        let end = u64::from(self.top) + u64::from(words);
        if end > u64::from(self.limit) {
            return self.take_elsewhere(words);
        }
        let at = self.top;
        self.top = end as u32;
        self.words[at as usize..end as usize].fill(0);
        Ok(at)
    }

    /// Allocates words outside of `top..limit`.
    #[cold]
    fn take_elsewhere(&mut self, words: u32) -> Result<u32, HeapFull> {
        if words > LARGE {
            return self.take_large(words);
        }
        while !self.is_marked()
            && let Some(hole) = self.holes.pop()
        {
            if hole.end - hole.start >= words {
                self.leave_hole();
                self.above_hole = Some(self.top);
                (self.top, self.limit) = (hole.start, hole.end);
                return self.take(words);
            }
        }
        self.leave_hole();
        self.check_room(words)?;
        self.take(words)
    }

    /// Allocates words that fit in few holes: above all objects, or else in a hole.
    fn take_large(&mut self, words: u32) -> Result<u32, HeapFull> {
        let fits = |hole: &Range<u32>| hole.end - hole.start >= words;
        let at = self.end();
        let is_room =
            u64::from(at) + u64::from(words) <= u64::from(self.due_at.min(self.ceiling()));
        if !is_room
            && !self.is_marked()
            && let Some(index) = self.holes.iter().rposition(fits)
        {
            let hole = self.holes[index].clone();
            let rest = hole.start + words..hole.end;
            self.free(rest.clone());
            match rest.end - rest.start >= SMALLEST_HOLE {
                true => self.holes[index] = rest,
                false => drop(self.holes.remove(index)),
            }
            self.words[hole.start as usize..(hole.start + words) as usize].fill(0);
            return Ok(hole.start);
        }
        self.check_room(words)?;
        match &mut self.above_hole {
            Some(above) => *above += words,
            None => self.top += words,
        }
        self.words[at as usize..(at + words) as usize].fill(0);
        Ok(at)
    }

    /// Checks that there is room above all objects, and makes a collection due if it is time.
    fn check_room(&mut self, words: u32) -> Result<(), HeapFull> {
        let end = u64::from(self.end()) + u64::from(words);
        if end > u64::from(self.due_at) {
            self.due_at = u32::MAX;
            self.is_due = true;
            self.set_limit();
        }
        match end > u64::from(self.ceiling()) {
            true => Err(HeapFull),
            false => Ok(()),
        }
    }

    /// Leaves the hole in which objects are allocated.
    pub(crate) fn leave_hole(&mut self) {
        if let Some(above) = self.above_hole.take() {
            self.free(self.top..self.limit);
            self.top = above;
            self.set_limit();
        }
    }

    /// Marks words as free.
    fn free(&mut self, words: Range<u32>) {
        if let Some(count @ 1..) = words.end.checked_sub(words.start) {
            if cfg!(debug_assertions) {
                // A reference to a freed object does not go unnoticed.
                self.words[words.start as usize..words.end as usize].fill(u64::MAX);
            }
            self.words[words.start as usize] = u64::from(FREE) | u64::from(count) << 32;
        }
    }

    /// First word that no reversible object may reach.
    fn ceiling(&self) -> u32 {
        self.floor.saturating_sub(self.reserve)
    }

    fn set_limit(&mut self) {
        if self.above_hole.is_none() {
            self.limit = self.ceiling().min(self.due_at);
        }
    }

    /// Whether a collection is due, since so much was allocated.
    #[inline(always)]
    pub(crate) fn is_collection_due(&self) -> bool {
        self.is_due
    }

    /// Makes a collection due when so many words have been allocated and all holes are full.
    pub(crate) fn collect_every(&mut self, words: u32) {
        self.interval = words;
        self.is_due = false;
        self.due_at = self.end().saturating_add(words);
        self.set_limit();
    }

    /// Number of free words at a place above word 0 and below [`Heap::end`]; `None` if an object
    /// begins there.
    pub(crate) fn free_words(&self, at: u32) -> Option<u32> {
        let header = self.words[at as usize];
        (header as u32 & FREE == FREE).then_some((header >> 32) as u32)
    }

    /// Ends the allocation in holes and forgets all of them, as a collection finds them again.
    pub(crate) fn close_holes(&mut self) {
        self.leave_hole();
        self.holes.clear();
    }

    /// Makes holes of these ranges, in ascending order, the last of which may end at
    /// [`Heap::end`]. Returns the number of words that can be allocated there. No mark is set.
    pub(crate) fn open_holes(&mut self, mut holes: Vec<Range<u32>>) -> u32 {
        if let Some(last) = holes.pop_if(|last| last.end == self.top) {
            self.top = last.start;
        }
        for hole in &holes {
            self.free(hole.clone());
        }
        holes.retain(|hole| hole.end - hole.start >= SMALLEST_HOLE);
        holes.reverse();
        self.holes = holes;
        self.holes.iter().map(|hole| hole.end - hole.start).sum()
    }

    fn take_permanent(&mut self, words: u32) -> Result<u32, HeapFull> {
        if u64::from(self.end()) + u64::from(words) > u64::from(self.floor) {
            return Err(HeapFull);
        }
        self.floor -= words;
        self.set_limit();
        if self.is_marked() {
            self.span = self.floor - self.young;
        }
        let at = self.floor as usize;
        // Words of undone reversible objects are not zero.
        self.words[at..at + words as usize].fill(0);
        Ok(self.floor)
    }

    /// Allocates a zeroed object of `words` words, header included.
    pub fn allocate(
        &mut self,
        class: ClassId,
        words: u32,
        permanent: bool,
    ) -> Result<Ref, HeapFull> {
        let at = if permanent {
            self.take_permanent(words)?
        } else {
            self.take(words)?
        };
        self.words[at as usize] = u64::from(class.0);
        if permanent {
            self.permanent_objects.push(Ref(at));
        }
        Ok(Ref(at))
    }

    /// Allocates a zeroed array of `length` elements of `element_bytes` bytes each.
    pub fn allocate_array(
        &mut self,
        class: ClassId,
        length: u32,
        element_bytes: u32,
        permanent: bool,
    ) -> Result<Ref, HeapFull> {
        let bytes = u64::from(length) * u64::from(element_bytes);
        let words = u32::try_from(bytes.div_ceil(8) + u64::from(ELEMENTS)).map_err(|_| HeapFull)?;
        let array = self.allocate(class, words, permanent)?;
        self.words[array.0 as usize + 1] = u64::from(length);
        Ok(array)
    }

    /// Allocates `words` zeroed permanent words for the static fields of a class.
    pub fn allocate_statics(&mut self, words: u32) -> Result<u32, HeapFull> {
        self.take_permanent(words)
    }

    /// Allocates `words` zeroed permanent words that belong to no object and no class. Their
    /// contents may be references or numbers.
    pub fn allocate_cells(&mut self, words: u32) -> Result<u32, HeapFull> {
        let at = self.take_permanent(words)?;
        self.cells.push(at..at + words);
        Ok(at)
    }

    /// Returns the word at `at`.
    #[inline(always)]
    #[must_use]
    pub fn load(&self, at: u32) -> u64 {
        self.words[at as usize]
    }

    /// Writes the word at `at`, with a trail entry if it is older than the newest mark.
    #[inline(always)]
    pub fn store(&mut self, at: u32, value: u64) {
        if at.wrapping_sub(self.young) >= self.span {
            self.trail.push((at, self.words[at as usize]));
        }
        self.words[at as usize] = value;
    }

    /// Writes the initial content of a new permanent object; going back does not undo it.
    pub fn store_initial(&mut self, at: u32, value: u64) {
        self.words[at as usize] = value;
    }

    /// Class of an object that is not null.
    #[inline(always)]
    #[must_use]
    pub fn class_of(&self, object: Ref) -> ClassId {
        ClassId(self.words[object.0 as usize] as u32 & ((1 << CLASS_BITS) - 1))
    }

    /// Length of an array that is not null. Debug builds assert that the length is not a choice
    /// still to be made, so that no result of a run depends on what an unset length holds.
    #[inline(always)]
    #[must_use]
    pub fn array_length(&self, array: Ref) -> u32 {
        debug_assert!(
            !self.has_unset_length(array),
            "the length of an array is chosen before it is read"
        );
        self.words[array.0 as usize + 1] as u32
    }

    /// Whether the length of an array is not chosen yet.
    fn has_unset_length(&self, array: Ref) -> bool {
        let shadow = self.array_shadow(array);
        !shadow.is_null()
            && self.words[(shadow.0 + ELEMENTS) as usize] >> 32 == u64::from(UNSET_TAG)
    }

    /// The shadow of an array with choices, which has slots for its length and elements; null for
    /// others.
    #[inline(always)]
    #[must_use]
    pub fn array_shadow(&self, array: Ref) -> Ref {
        Ref((self.words[array.0 as usize + 1] >> 32) as u32)
    }

    /// Sets the shadow of an array.
    pub fn set_array_shadow(&mut self, array: Ref, shadow: Ref) {
        let length = u64::from(self.array_length(array));
        self.store(array.0 + 1, length | shadow.slot() << 32);
    }

    /// Changes the length that an array reports, up to its allocated length.
    pub fn set_array_length(&mut self, array: Ref, length: u32) {
        let shadow = self.array_shadow(array).slot();
        self.store(array.0 + 1, u64::from(length) | shadow << 32);
    }

    /// Returns a field by its word, relative to the header.
    #[inline(always)]
    #[must_use]
    pub fn field(&self, object: Ref, word: u32) -> u64 {
        self.load(object.0 + word)
    }

    /// Makes an object one of another class, whose objects have the same size.
    pub(crate) fn set_class(&mut self, object: Ref, class: ClassId) {
        let rest = self.load(object.0) & !((1 << CLASS_BITS) - 1);
        self.store(object.0, rest | u64::from(class.0));
    }

    /// Sets a field by its word, relative to the header.
    #[inline(always)]
    pub fn set_field(&mut self, object: Ref, word: u32, value: u64) {
        self.store(object.0 + word, value);
    }

    /// Identity hash of an object; 0 if none was assigned.
    #[must_use]
    pub fn identity_hash(&self, object: Ref) -> u32 {
        (self.load(object.0) >> HASH_SHIFT) as u32
    }

    /// Assigns an object's identity hash, of which 30 bits are stored.
    pub fn set_identity_hash(&mut self, object: Ref, hash: u32) {
        let rest = self.load(object.0) & !(HASH_MASK << HASH_SHIFT);
        self.store(object.0, rest | (u64::from(hash) & HASH_MASK) << HASH_SHIFT);
    }

    /// Number of times that the only thread holds the object's monitor.
    #[must_use]
    pub fn monitor_depth(&self, object: Ref) -> u32 {
        (self.load(object.0) >> MONITOR_SHIFT & MONITOR_MAX) as u32
    }

    /// Enters the monitor; returns false if it is already held 16,383 times, the maximum.
    pub fn monitor_enter(&mut self, object: Ref) -> bool {
        let header = self.load(object.0);
        if header >> MONITOR_SHIFT & MONITOR_MAX == MONITOR_MAX {
            return false;
        }
        self.store(object.0, header + (1 << MONITOR_SHIFT));
        true
    }

    /// Leaves the monitor; returns false if it is not held.
    pub fn monitor_exit(&mut self, object: Ref) -> bool {
        let header = self.load(object.0);
        if header >> MONITOR_SHIFT & MONITOR_MAX == 0 {
            return false;
        }
        self.store(object.0, header - (1 << MONITOR_SHIFT));
        true
    }

    /// Returns the byte at the byte address `at`.
    #[inline(always)]
    #[must_use]
    pub fn load8(&self, at: u64) -> u8 {
        (self.words[(at >> 3) as usize] >> (8 * (at & 7))) as u8
    }

    /// Returns the 16 bits at the byte address `at`, which is even.
    #[inline(always)]
    #[must_use]
    pub fn load16(&self, at: u64) -> u16 {
        (self.words[(at >> 3) as usize] >> (8 * (at & 6))) as u16
    }

    /// Returns the 32 bits at the byte address `at`, a multiple of 4.
    #[inline(always)]
    #[must_use]
    pub fn load32(&self, at: u64) -> u32 {
        (self.words[(at >> 3) as usize] >> (8 * (at & 4))) as u32
    }

    /// Writes the byte at the byte address `at`.
    #[inline(always)]
    pub fn store8(&mut self, at: u64, value: u8) {
        self.store_part(at >> 3, 8 * (at & 7), 0xFF, u64::from(value));
    }

    /// Writes 16 bits at the byte address `at`, which is even.
    #[inline(always)]
    pub fn store16(&mut self, at: u64, value: u16) {
        self.store_part(at >> 3, 8 * (at & 6), 0xFFFF, u64::from(value));
    }

    /// Writes 32 bits at the byte address `at`, a multiple of 4.
    #[inline(always)]
    pub fn store32(&mut self, at: u64, value: u32) {
        self.store_part(at >> 3, 8 * (at & 4), 0xFFFF_FFFF, u64::from(value));
    }

    #[inline(always)]
    fn store_part(&mut self, word: u64, shift: u64, mask: u64, value: u64) {
        let rest = self.words[word as usize] & !(mask << shift);
        self.store(word as u32, rest | value << shift);
    }

    /// Byte address of an array's first element.
    #[inline(always)]
    #[must_use]
    pub fn elements(&self, array: Ref) -> u64 {
        8 * u64::from(array.0 + ELEMENTS)
    }

    /// Elements of a `byte[]` or `boolean[]`.
    #[must_use]
    pub fn byte_elements(&self, array: Ref) -> &[u8] {
        let length = self.array_length(array) as usize;
        let start = (array.0 + ELEMENTS) as usize;
        let words = &self.words[start..start + length.div_ceil(8)];
        &bytemuck::cast_slice(words)[..length]
    }

    /// Copies `bytes` bytes between byte addresses, which may overlap, with trail entries.
    pub fn copy_bytes(&mut self, from: u64, to: u64, bytes: u64) {
        if bytes == 0 {
            return;
        }
        self.save_words((to >> 3) as u32, ((to + bytes - 1) >> 3) as u32);
        let all: &mut [u8] = bytemuck::cast_slice_mut(&mut self.words);
        all.copy_within(from as usize..(from + bytes) as usize, to as usize);
    }

    /// Writes bytes, with trail entries.
    pub fn write_bytes(&mut self, to: u64, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.save_words(
            (to >> 3) as u32,
            ((to + bytes.len() as u64 - 1) >> 3) as u32,
        );
        let all: &mut [u8] = bytemuck::cast_slice_mut(&mut self.words);
        all[to as usize..to as usize + bytes.len()].copy_from_slice(bytes);
    }

    fn save_words(&mut self, first: u32, last: u32) {
        if first.wrapping_sub(self.young) < self.span && last.wrapping_sub(self.young) < self.span {
            return;
        }
        for at in first..=last {
            self.trail.push((at, self.words[at as usize]));
        }
    }

    pub(crate) fn mark(&mut self) {
        self.leave_hole();
        (self.is_due, self.due_at) = (false, u32::MAX);
        self.set_limit();
        self.marks.push(HeapMark {
            trail: self.trail.len(),
            top: self.top,
            point: None,
        });
        self.young = self.top;
        self.span = self.floor - self.top;
    }

    /// Returns the present point, to which [`Heap::rewind`] goes back as long as the newest mark is
    /// not undone; `None` if there is no mark.
    pub(crate) fn point(&mut self) -> Option<HeapPoint> {
        let mark = self.marks.last_mut()?;
        mark.point = Some(self.top);
        self.young = self.top;
        self.span = self.floor - self.top;
        Some(HeapPoint(self.trail.len()))
    }

    /// Whether a reversible word was written since a point, and holds something else now.
    pub(crate) fn is_changed_since(&self, point: HeapPoint) -> bool {
        let written = self.trail.get(point.0..).unwrap_or_default();
        let mut written = written.iter().filter(|&&(at, _)| at < self.floor);
        written.any(|&(at, old)| self.load(at) != old)
    }

    /// Writes into all reversible words what they held at a point.
    pub(crate) fn rewind(&mut self, point: HeapPoint) {
        for place in (point.0..self.trail.len()).rev() {
            let (at, old) = self.trail[place];
            if at < self.floor {
                self.store(at, old);
            }
        }
    }

    /// Restores the state of the mark with this index, which stays set; later marks are dropped.
    pub(crate) fn undo_to(&mut self, index: usize) {
        self.marks.truncate(index + 1);
        let mark = self.marks[index];
        for (at, old) in self.trail.drain(mark.trail..).rev() {
            self.words[at as usize] = old;
        }
        self.marks[index].point = None;
        self.top = mark.top;
        self.young = mark.top;
        self.span = self.floor - mark.top;
    }

    /// Words older than the newest mark that were written since.
    pub(crate) fn changed_words(&self) -> impl Iterator<Item = u32> {
        let newest = self.marks.len().checked_sub(1);
        let newest = newest.into_iter();
        newest.flat_map(|index| self.changed_words_since(index))
    }

    /// Whether all words older than the newest mark that were written since were zero at it, and now
    /// hold a newer object.
    pub(crate) fn filled_only(&self) -> bool {
        let (first, top) = self
            .marks
            .last()
            .map_or((self.trail.len(), self.floor), |mark| {
                (mark.trail, mark.top)
            });
        let young = top..self.floor;
        let mut seen = FxHashSet::default();
        self.trail[first..].iter().all(|&(at, old)| {
            let is_known = young.contains(&at) || !seen.insert(at);
            is_known || old == 0 && young.contains(&(self.load(at) as u32))
        })
    }

    /// Whether a reversible object at this word was made after a mark.
    pub(crate) fn is_younger(&self, index: usize, at: u32) -> bool {
        (self.marks[index].top..self.floor).contains(&at)
    }

    /// Words older than a mark that were written since.
    pub(crate) fn changed_words_since(&self, index: usize) -> impl Iterator<Item = u32> {
        let mark = self.marks[index];
        let young = mark.top..self.floor;
        let words = self.trail[mark.trail..].iter().map(|&(at, _)| at);
        words.filter(move |at| !young.contains(at))
    }

    /// Drops the marks from `index` on without undoing anything.
    pub(crate) fn forget(&mut self, index: usize) {
        let dropped = self.marks.drain(index..);
        let point = dropped.filter_map(|mark| mark.point).max();
        match self.marks.last_mut() {
            Some(mark) => {
                mark.point = mark.point.max(point);
                self.young = mark.point.unwrap_or(mark.top);
                self.span = self.floor - self.young;
            }
            None => {
                self.trail.clear();
                self.young = 0;
                self.span = u32::MAX;
                self.collect_every(self.interval);
            }
        }
    }

    /// Hashes the whole state except free words. `permanent` is the number of permanent words,
    /// from the top, to include.
    pub(crate) fn hash_state(&self, hasher: &mut impl std::hash::Hasher, permanent: usize) {
        hasher.write_u32(self.end());
        for word in &self.words[..self.end() as usize] {
            hasher.write_u64(*word);
        }
        for word in &self.words[self.words.len() - permanent..] {
            hasher.write_u64(*word);
        }
    }

    /// All permanent objects.
    pub(crate) fn permanent_objects(&self) -> &[Ref] {
        &self.permanent_objects
    }

    /// Permanent words that belong to no object and no class.
    pub(crate) fn cells(&self) -> impl Iterator<Item = u32> {
        self.cells.iter().cloned().flatten()
    }

    /// Number of words of permanent objects.
    #[must_use]
    pub fn permanent_words(&self) -> usize {
        self.words.len() - self.floor as usize
    }
}

#[cfg(test)]
mod tests;
