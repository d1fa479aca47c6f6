//! The arena compared with a plain copy of all its words; its limits; the header's parts.

use proptest::prelude::*;

use super::*;

const CLASS: ClassId = ClassId(7);
/// Smallest arena, in bytes.
const SMALLEST: u64 = 64 << 10;

/// Operation on an arena. Addresses are numbers modulo the used size.
#[derive(Clone, Debug)]
enum Op {
    Allocate {
        words: u32,
        permanent: bool,
    },
    Array {
        length: u32,
        element_bytes: u32,
        permanent: bool,
    },
    Statics {
        words: u32,
    },
    Store {
        at: u64,
        value: u64,
    },
    Store8 {
        at: u64,
        value: u8,
    },
    Store16 {
        at: u64,
        value: u16,
    },
    Store32 {
        at: u64,
        value: u32,
    },
    Write {
        at: u64,
        bytes: Vec<u8>,
    },
    Copy {
        from: u64,
        to: u64,
        bytes: u64,
    },
    Hash {
        at: u64,
        hash: u32,
    },
    Enter {
        at: u64,
    },
    Exit {
        at: u64,
    },
    Mark,
    Undo {
        back: usize,
    },
    Forget {
        back: usize,
    },
}

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let at = any::<u32>().prop_map(u64::from);
    let op = prop_oneof![
        2 => (1..20u32, any::<bool>()).prop_map(|(words, permanent)| Op::Allocate { words, permanent }),
        1 => (0..50u32, 0..4u32, any::<bool>()).prop_map(|(length, shift, permanent)| {
            Op::Array { length, element_bytes: 1 << shift, permanent }
        }),
        1 => (1..6u32).prop_map(|words| Op::Statics { words }),
        4 => (at.clone(), any::<u64>()).prop_map(|(at, value)| Op::Store { at, value }),
        3 => (at.clone(), any::<u8>()).prop_map(|(at, value)| Op::Store8 { at, value }),
        3 => (at.clone(), any::<u16>()).prop_map(|(at, value)| Op::Store16 { at, value }),
        3 => (at.clone(), any::<u32>()).prop_map(|(at, value)| Op::Store32 { at, value }),
        3 => (at.clone(), prop::collection::vec(any::<u8>(), 0..40))
            .prop_map(|(at, bytes)| Op::Write { at, bytes }),
        3 => (at.clone(), at.clone(), 0..80u64).prop_map(|(from, to, bytes)| Op::Copy { from, to, bytes }),
        1 => (at.clone(), any::<u32>()).prop_map(|(at, hash)| Op::Hash { at, hash }),
        1 => at.clone().prop_map(|at| Op::Enter { at }),
        1 => at.prop_map(|at| Op::Exit { at }),
        4 => Just(Op::Mark),
        4 => (0..4usize).prop_map(|back| Op::Undo { back }),
        1 => (0..3usize).prop_map(|back| Op::Forget { back }),
    ];
    prop::collection::vec(op, 1..120)
}

/// The arena and a plain array of bytes, which a mark copies completely.
struct Model {
    heap: Heap,
    bytes: Vec<u8>,
    top: u64,
    floor: u64,
    marks: Vec<(Vec<u8>, u64)>,
}

impl Model {
    fn new() -> Model {
        let heap = Heap::new(SMALLEST);
        let mut bytes = vec![0; SMALLEST as usize];
        bytes.truncate(heap.words.len() * 8);
        let floor = bytes.len() as u64;
        Model {
            heap,
            bytes,
            top: 8,
            floor,
            marks: Vec::new(),
        }
    }

    /// Returns an `align`ed byte address in use with room for `room` bytes; `None` if there is
    /// none.
    fn place(&self, at: u64, align: u64, room: u64) -> Option<u64> {
        let low = (self.top - 8).saturating_sub(room.saturating_sub(1));
        let high = (self.bytes.len() as u64 - self.floor).saturating_sub(room.saturating_sub(1));
        let all = low + high;
        if all == 0 {
            return None;
        }
        let at = at % all;
        let (start, end) = if at < low {
            (8 + at, self.top)
        } else {
            (self.floor + at - low, self.bytes.len() as u64)
        };
        let start = start & !(align - 1);
        (start + room <= end).then_some(start)
    }

    fn put(&mut self, at: u64, bytes: &[u8]) {
        self.bytes[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
    }

    fn take(&mut self, words: u32, permanent: bool) -> u64 {
        let bytes = 8 * u64::from(words);
        let at = if permanent {
            self.floor -= bytes;
            self.floor
        } else {
            self.top += bytes;
            self.top - bytes
        };
        self.put(at, &vec![0; bytes as usize]);
        // Permanent objects allocated after a mark exist in the mark's copy, too.
        if permanent {
            for (copy, _) in &mut self.marks {
                copy[at as usize..(at + bytes) as usize].fill(0);
            }
        }
        at
    }

    /// Writes bytes that going back does not undo.
    fn put_initial(&mut self, at: u64, bytes: &[u8], permanent: bool) {
        self.put(at, bytes);
        if permanent {
            for (copy, _) in &mut self.marks {
                copy[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
            }
        }
    }

    fn apply(&mut self, op: Op) {
        match op {
            Op::Allocate { words, permanent } => {
                let object = self.heap.allocate(CLASS, words, permanent).unwrap();
                let at = self.take(words, permanent);
                assert_eq!(8 * u64::from(object.0), at);
                self.put_initial(at, &7u64.to_le_bytes(), permanent);
                assert_eq!(self.heap.is_permanent(object), permanent);
            }
            Op::Array {
                length,
                element_bytes,
                permanent,
            } => {
                let array = self
                    .heap
                    .allocate_array(CLASS, length, element_bytes, permanent)
                    .unwrap();
                let at = self.take(2 + (length * element_bytes).div_ceil(8), permanent);
                assert_eq!(8 * u64::from(array.0), at);
                self.put_initial(at, &7u64.to_le_bytes(), permanent);
                self.put_initial(at + 8, &u64::from(length).to_le_bytes(), permanent);
                assert_eq!(self.heap.array_length(array), length);
                assert_eq!(self.heap.elements(array), at + 16);
            }
            Op::Statics { words } => {
                let word = self.heap.allocate_statics(words).unwrap();
                assert_eq!(8 * u64::from(word), self.take(words, true));
                self.heap.store_initial(word, 99);
                self.put_initial(8 * u64::from(word), &99u64.to_le_bytes(), true);
            }
            Op::Store { at, value } => {
                if let Some(at) = self.place(at, 8, 8) {
                    self.heap.store((at >> 3) as u32, value);
                    self.put(at, &value.to_le_bytes());
                    assert_eq!(self.heap.load((at >> 3) as u32), value);
                }
            }
            Op::Store8 { at, value } => {
                if let Some(at) = self.place(at, 1, 1) {
                    self.heap.store8(at, value);
                    self.put(at, &[value]);
                    assert_eq!(self.heap.load8(at), value);
                }
            }
            Op::Store16 { at, value } => {
                if let Some(at) = self.place(at, 2, 2) {
                    self.heap.store16(at, value);
                    self.put(at, &value.to_le_bytes());
                    assert_eq!(self.heap.load16(at), value);
                }
            }
            Op::Store32 { at, value } => {
                if let Some(at) = self.place(at, 4, 4) {
                    self.heap.store32(at, value);
                    self.put(at, &value.to_le_bytes());
                    assert_eq!(self.heap.load32(at), value);
                }
            }
            Op::Write { at, bytes } => {
                if let Some(at) = self.place(at, 1, bytes.len() as u64) {
                    self.heap.write_bytes(at, &bytes);
                    self.put(at, &bytes);
                }
            }
            Op::Copy { from, to, bytes } => {
                if let (Some(from), Some(to)) =
                    (self.place(from, 1, bytes), self.place(to, 1, bytes))
                {
                    self.heap.copy_bytes(from, to, bytes);
                    let copied = self.bytes[from as usize..(from + bytes) as usize].to_vec();
                    self.put(to, &copied);
                }
            }
            Op::Hash { at, hash } => {
                if let Some(at) = self.place(at, 8, 8) {
                    let object = Ref((at >> 3) as u32);
                    let (class, depth) =
                        (self.heap.class_of(object), self.heap.monitor_depth(object));
                    self.heap.set_identity_hash(object, hash);
                    assert_eq!(self.heap.identity_hash(object), hash & ((1 << 30) - 1));
                    assert_eq!(
                        (self.heap.class_of(object), self.heap.monitor_depth(object)),
                        (class, depth)
                    );
                    let header = self.heap.load(object.0);
                    self.put(at, &header.to_le_bytes());
                }
            }
            Op::Enter { at } | Op::Exit { at } => {
                if let Some(at) = self.place(at, 8, 8) {
                    let object = Ref((at >> 3) as u32);
                    let before = self.heap.monitor_depth(object);
                    let rest = (self.heap.class_of(object), self.heap.identity_hash(object));
                    let enters = matches!(op, Op::Enter { .. });
                    let (done, after) = if enters {
                        (self.heap.monitor_enter(object), (before + 1).min(16_383))
                    } else {
                        (self.heap.monitor_exit(object), before.saturating_sub(1))
                    };
                    assert_eq!(done, if enters { before < 16_383 } else { before > 0 });
                    assert_eq!(self.heap.monitor_depth(object), after);
                    assert_eq!(
                        (self.heap.class_of(object), self.heap.identity_hash(object)),
                        rest
                    );
                    let header = self.heap.load(object.0);
                    self.put(at, &header.to_le_bytes());
                }
            }
            Op::Mark => {
                self.heap.mark();
                self.marks.push((self.bytes.clone(), self.top));
            }
            Op::Undo { back } => {
                if let Some(last) = self.marks.len().checked_sub(1) {
                    let index = last - back.min(last);
                    self.heap.undo_to(index);
                    self.marks.truncate(index + 1);
                    let (bytes, top) = &self.marks[index];
                    self.bytes.clone_from(bytes);
                    self.top = *top;
                }
            }
            Op::Forget { back } => {
                if let Some(last) = self.marks.len().checked_sub(1) {
                    let index = last - back.min(last);
                    self.heap.forget(index);
                    self.marks.truncate(index);
                }
            }
        }
    }

    /// Checks all words in use.
    fn check(&self) {
        assert_eq!(8 * u64::from(self.heap.end()), self.top);
        assert_eq!(8 * u64::from(self.heap.floor), self.floor);
        assert_eq!(self.heap.is_marked(), !self.marks.is_empty());
        assert_eq!(
            self.heap.permanent_words() as u64 * 8,
            self.bytes.len() as u64 - self.floor
        );
        assert_eq!(
            self.heap.used_bytes(),
            self.top + self.bytes.len() as u64 - self.floor
        );
        let words: &[u8] = bytemuck::cast_slice(&self.heap.words);
        for range in [8..self.top as usize, self.floor as usize..self.bytes.len()] {
            if words[range.clone()] != self.bytes[range.clone()] {
                let differs = range.clone().find(|&at| words[at] != self.bytes[at]);
                panic!("byte {differs:?} differs, of {range:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn is_a_plain_array_that_goes_back(ops in ops()) {
        let mut model = Model::new();
        for op in ops {
            model.apply(op);
            model.check();
        }
        if !model.marks.is_empty() {
            model.apply(Op::Undo { back: usize::MAX });
            model.check();
        }
    }
}

#[test]
fn the_limit_is_kept_from_both_ends() {
    for permanent in [false, true] {
        let mut heap = Heap::new(SMALLEST);
        let words = heap.words.len() as u32;
        let taken = heap.allocate(CLASS, words / 2, permanent).unwrap();
        heap.allocate(CLASS, words / 2 - 1, !permanent).unwrap();
        // Word 0 is unused, but counted.
        assert_eq!(heap.used_bytes(), SMALLEST);
        for permanent in [false, true] {
            assert_eq!(heap.allocate(CLASS, 1, permanent), Err(HeapFull));
            assert_eq!(heap.allocate_array(CLASS, 0, 8, permanent), Err(HeapFull));
            assert_eq!(
                heap.allocate_array(CLASS, u32::MAX, 8, permanent),
                Err(HeapFull)
            );
            assert_eq!(heap.allocate(CLASS, u32::MAX, permanent), Err(HeapFull));
        }
        assert_eq!(heap.allocate_statics(1), Err(HeapFull));
        assert_eq!(heap.used_bytes(), SMALLEST);
        assert_eq!(heap.class_of(taken), CLASS);
    }
}

#[test]
fn a_full_heap_has_room_again_after_going_back() {
    let mut heap = Heap::new(SMALLEST);
    heap.mark();
    let words = heap.words.len() as u32;
    let all = heap.allocate(CLASS, words - 1, false).unwrap();
    heap.set_field(all, words - 2, 5);
    assert_eq!(heap.allocate(CLASS, 1, false), Err(HeapFull));
    heap.undo_to(0);
    let again = heap.allocate(CLASS, words - 1, false).unwrap();
    assert_eq!(again, all);
    assert_eq!(heap.field(again, words - 2), 0, "new objects are zeroed");
}

#[test]
fn sizes_are_held_to_what_can_be_addressed() {
    assert_eq!(Heap::new(0).words.len() as u64 * 8, SMALLEST);
    assert_eq!(Heap::new(SMALLEST + 8).words.len() as u64 * 8, SMALLEST + 8);
}

#[test]
fn a_header_holds_class_hash_and_monitor_apart() {
    let mut heap = Heap::new(SMALLEST);
    let largest = ClassId((1 << 20) - 1);
    let object = heap.allocate(largest, 2, false).unwrap();
    assert_eq!(
        (heap.identity_hash(object), heap.monitor_depth(object)),
        (0, 0)
    );
    assert!(!heap.monitor_exit(object), "nobody holds it");
    heap.set_identity_hash(object, u32::MAX);
    for depth in 1..=16_383 {
        assert!(heap.monitor_enter(object));
        assert_eq!(heap.monitor_depth(object), depth);
    }
    assert!(!heap.monitor_enter(object), "that is as deep as it goes");
    assert_eq!(heap.monitor_depth(object), 16_383);
    assert_eq!(heap.identity_hash(object), (1 << 30) - 1);
    assert_eq!(heap.class_of(object), largest);
    heap.set_identity_hash(object, 1);
    assert_eq!(
        (heap.identity_hash(object), heap.monitor_depth(object)),
        (1, 16_383)
    );
    for depth in (0..16_383).rev() {
        assert!(heap.monitor_exit(object));
        assert_eq!(heap.monitor_depth(object), depth);
    }
    assert!(!heap.monitor_exit(object));
    assert_eq!((heap.class_of(object), heap.field(object, 1)), (largest, 0));
}

#[test]
fn what_is_made_permanent_after_a_mark_stays_and_its_writes_go_back() {
    let mut heap = Heap::new(SMALLEST);
    heap.mark();
    let outer = heap.allocate(CLASS, 3, true).unwrap();
    heap.store_initial(outer.0 + 1, 11);
    heap.set_field(outer, 2, 22);
    heap.mark();
    let inner = heap.allocate(CLASS, 2, true).unwrap();
    heap.store_initial(inner.0 + 1, 33);
    heap.set_field(inner, 1, 44);
    heap.set_field(outer, 1, 55);
    heap.undo_to(1);
    assert_eq!(
        [
            heap.field(outer, 1),
            heap.field(outer, 2),
            heap.field(inner, 1)
        ],
        [11, 22, 33]
    );
    heap.set_field(inner, 1, 66);
    heap.undo_to(0);
    assert_eq!(
        [
            heap.field(outer, 1),
            heap.field(outer, 2),
            heap.field(inner, 1)
        ],
        [11, 0, 33]
    );
    assert_eq!([heap.class_of(outer), heap.class_of(inner)], [CLASS, CLASS]);
    assert!(heap.is_permanent(outer) && heap.is_permanent(inner));
}

#[test]
fn new_words_cost_no_trail() {
    let mut heap = Heap::new(SMALLEST);
    let old = heap.allocate(CLASS, 2, false).unwrap();
    heap.set_field(old, 1, 1);
    assert!(heap.trail.is_empty(), "nothing to go back to");
    heap.mark();
    let new = heap.allocate(CLASS, 9, false).unwrap();
    for word in 1..9 {
        heap.set_field(new, word, 1);
    }
    heap.copy_bytes(heap.elements(new), heap.elements(new) + 8, 40);
    assert!(heap.trail.is_empty());
    heap.set_field(old, 1, 2);
    assert_eq!(heap.trail.len(), 1);
    heap.mark();
    heap.set_field(new, 1, 2);
    assert_eq!(heap.trail.len(), 2, "older than the newest mark");
}

#[test]
fn objects_show_what_they_held_at_a_point() {
    let mut heap = Heap::new(SMALLEST);
    assert_eq!(heap.point(), None, "nothing to go back to");
    let old = heap.allocate(CLASS, 2, false).unwrap();
    heap.mark();
    let new = heap.allocate(CLASS, 3, false).unwrap();
    heap.set_field(old, 1, 1);
    heap.set_field(new, 1, 10);
    let first = heap.point().unwrap();
    assert!(!heap.is_changed_since(first));
    heap.set_field(old, 1, 2);
    heap.set_field(new, 1, 20);
    // Marks in between do not matter, whether or not their changes stay.
    heap.mark();
    heap.set_field(new, 2, 5);
    heap.undo_to(1);
    heap.forget(1);
    heap.mark();
    heap.set_field(new, 1, 30);
    let second = heap.point().unwrap();
    heap.forget(1);
    let later = heap.allocate(CLASS, 2, false).unwrap();
    heap.set_field(later, 1, 7);
    heap.set_field(new, 1, 40);
    assert!(heap.is_changed_since(first) && heap.is_changed_since(second));
    let held = |heap: &Heap| {
        [
            heap.field(old, 1),
            heap.field(new, 1),
            heap.field(new, 2),
            heap.field(later, 1),
        ]
    };
    for (point, wanted) in [(second, [2, 30, 0, 7]), (first, [1, 10, 0, 7])] {
        heap.mark();
        heap.rewind(point);
        assert_eq!(held(&heap), wanted);
        heap.undo_to(1);
        heap.forget(1);
        assert_eq!(held(&heap), [2, 40, 0, 7]);
    }
    // What is newer than the mark is no change of what is older.
    assert_eq!(heap.changed_words().collect::<Vec<u32>>(), [old.0 + 1; 2]);
    heap.undo_to(0);
    assert_eq!(heap.field(old, 1), 0);
}

/// Step of a program whose memory is collected.
#[derive(Clone, Debug)]
enum Step {
    /// Allocates an object of so many words.
    Allocate(u32),
    /// Frees the objects whose place among all is a multiple of the number.
    Free(usize),
    /// Allocates objects behind a mark, and goes back.
    Try(Vec<u32>),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let words = prop_oneof![8 => 1..20u32, 1 => 20..600u32];
    let tried = proptest::collection::vec(words.clone(), 1..10);
    let step = prop_oneof![
        20 => words.prop_map(Step::Allocate),
        1 => (1..4usize).prop_map(Step::Free),
        1 => tried.prop_map(Step::Try),
    ];
    proptest::collection::vec(step, 0..400)
}

/// Allocates an object and fills it; checks that it was zeroed.
fn allocate_filled(heap: &mut Heap, words: u32, value: u64) -> Option<Range<u32>> {
    let object = heap.allocate(CLASS, words, false).ok()?.0;
    for at in object + 1..object + words {
        assert_eq!(heap.load(at), 0, "new objects are zeroed");
        heap.store(at, value);
    }
    Some(object..object + words)
}

/// Turns all words between objects into holes.
fn sweep(heap: &mut Heap, objects: &[(Range<u32>, u64)]) {
    heap.close_holes();
    let mut holes = Vec::new();
    let mut at = 1;
    for (object, _) in objects {
        if at < object.start {
            holes.push(at..object.start);
        }
        at = object.end;
    }
    if at < heap.end() {
        holes.push(at..heap.end());
    }
    heap.open_holes(holes);
}

/// Checks that objects are as they were, and that objects and free words make up the arena.
fn check_objects(heap: &Heap, objects: &[(Range<u32>, u64)]) {
    let mut at = 1;
    for (object, value) in objects {
        while at < object.start {
            let free = heap.free_words(at).expect("free words between objects");
            at += free;
        }
        assert_eq!(at, object.start);
        assert_eq!(heap.free_words(at), None);
        assert_eq!(heap.class_of(Ref(at)), CLASS);
        for word in object.start + 1..object.end {
            assert_eq!(heap.load(word), *value);
        }
        at = object.end;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn objects_stay_where_others_are_freed(steps in steps(), interval in 0..500u32) {
        let mut heap = Heap::new(SMALLEST);
        heap.collect_every(interval);
        let mut objects: Vec<(Range<u32>, u64)> = Vec::new();
        let mut value = 0;
        for step in steps {
            match step {
                Step::Allocate(words) => {
                    value += 1;
                    if let Some(object) = allocate_filled(&mut heap, words, value) {
                        objects.push((object, value));
                        objects.sort_by_key(|(object, _)| object.start);
                    }
                }
                Step::Free(which) => {
                    let mut place = 0;
                    objects.retain(|_| {
                        place += 1;
                        place % which != 0
                    });
                    sweep(&mut heap, &objects);
                    check_objects(&heap, &objects);
                    heap.collect_every(interval);
                }
                Step::Try(sizes) => {
                    heap.mark();
                    let end = heap.end();
                    for words in sizes {
                        if let Some(object) = allocate_filled(&mut heap, words, 0) {
                            assert!(object.start >= end, "later objects are above a mark");
                        }
                    }
                    assert!(!heap.is_collection_due());
                    heap.undo_to(0);
                    heap.forget(0);
                }
            }
            for pair in objects.windows(2) {
                assert!(pair[0].0.end <= pair[1].0.start, "objects are apart");
            }
        }
        heap.close_holes();
        check_objects(&heap, &objects);
    }
}

#[test]
fn a_collection_is_due_when_holes_are_full_and_enough_was_allocated() {
    let mut heap = Heap::new(SMALLEST);
    let first = heap.allocate(CLASS, 10, false).unwrap();
    let kept = heap.allocate(CLASS, 10, false).unwrap();
    heap.close_holes();
    let hole = first.0..kept.0;
    assert_eq!(heap.open_holes(Vec::from([hole])), 10);
    assert_eq!(heap.used_bytes(), 8 * 11);
    heap.collect_every(20);
    let above = heap.allocate(CLASS, 20, false).unwrap();
    assert_eq!(above.0, kept.0 + 10);
    assert!(!heap.is_collection_due());
    assert_eq!(heap.allocate(CLASS, 6, false), Ok(first), "holes come next");
    assert_eq!(heap.allocate(CLASS, 4, false), Ok(Ref(first.0 + 6)));
    assert!(!heap.is_collection_due());
    heap.allocate(CLASS, 4, false).unwrap();
    assert!(heap.is_collection_due());
}
