//! Frames and registers, and going back: [`Vm::mark`] and [`Vm::undo_to`].
//!
//! Invariant: `undo_to(m)` restores everything reversible to its state at `m`, at the cost of the
//! changes since. The heap has its own trail. The innermost frame is copied when a mark is set.
//! An older frame is copied when control returns to it, before it changes.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use crate::class::{Loader, MethodId, flags};
use crate::compression::Streams;
use crate::descriptor::is_value_class;
use crate::files::Files;
use crate::heap::Ref;
use crate::loaders::LoadedClasses;
use crate::natives::OffHeap;
use crate::threads::Threads;
use crate::vm::{PrintedText, Vm};

/// Action at the end of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrameKind {
    /// Stores the result in the register of the first argument; the caller continues behind the
    /// call.
    Call,
    /// The class is initialised (or has failed to be); the caller runs its instruction again.
    Initializer,
    /// The run ends.
    Bottom,
    /// The caller runs its instruction, before which the method was called.
    Interruption,
    /// Like `Interruption`, but an exception out of the method is one of the instruction.
    Preparation,
    /// The run stops with [`crate::Exit::Aside`] and this number; the frame below runs its
    /// instruction again.
    Aside(u32),
}

/// Activation of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The method.
    pub method: MethodId,
    /// Current or next instruction; in a caller, the call.
    pub pc: u32,
    /// Index of its register 0.
    pub base: u32,
    /// Monitor that a synchronized method holds.
    pub monitor: Ref,
    /// Action at its end.
    pub kind: FrameKind,
}

/// Box made for a symbolic slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SymbolicBox {
    pub slot: u64,
    pub object: Ref,
}

#[derive(Clone)]
struct StateMark {
    output: usize,
    output_bytes: usize,
    output_total: usize,
    interned: usize,
    variables: usize,
    boxes: usize,
    visits: usize,
    calls: usize,
    identity_hashes: u32,
    chances: u32,
    read_at: usize,
    has_read_statics: bool,
    thrown_by_instructions: u32,
    class_hashes: ClassHashes,
    nan_bits: NanBits,
    hash_ordered: Arc<BTreeSet<Ref>>,
    files: Arc<Files>,
    off_heap: Arc<OffHeap>,
    streams: Arc<Streams>,
    loaded: Arc<LoadedClasses>,
    threads: Arc<Threads>,
    /// Number of instructions left in the running thread's turn.
    turn: u64,
}

/// What a mark notes of a thread's frames.
#[derive(Clone, Copy, Default)]
pub(crate) struct StackMark {
    frames: usize,
    saved: usize,
    /// Frames from this one on were copied after the mark or are newer.
    untouched: usize,
}

/// Identity hashes of classes, which derive from their names.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClassHashes {
    /// Offset added to each.
    pub shift: u32,
    /// Number of reads.
    pub asked: u32,
}

/// Bits of the NaN that arithmetic makes, which are those of the machine's processor.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NanBits {
    /// Whether it has no sign, as on a machine of another kind.
    pub is_positive: bool,
    /// Number of reads.
    pub asked: u32,
}

#[derive(Clone)]
pub(crate) struct Saved {
    index: usize,
    frame: Frame,
    registers: usize,
}

/// Reversible part of a machine, except the heap.
#[derive(Clone, Default)]
pub struct State {
    /// Frames, innermost last.
    pub(crate) frames: Vec<Frame>,
    /// Registers of all frames; the first ones of a callee are the caller's argument registers.
    pub(crate) registers: Vec<u64>,
    /// Output that was not taken yet.
    pub(crate) output: Vec<PrintedText>,
    /// Number of identity hashes assigned.
    pub(crate) identity_hashes: u32,
    /// Bits of [`crate::Chance`] that were read.
    pub(crate) chances: u32,
    /// First reads of sources, see [`crate::Vm::read_positions`].
    pub(crate) read_at: Vec<crate::chances::ReadPosition>,
    /// Whether static state of the program was read that other code may have changed.
    pub(crate) has_read_statics: bool,
    /// Number of exceptions that instructions have thrown.
    pub(crate) thrown_by_instructions: u32,
    pub(crate) class_hashes: ClassHashes,
    pub(crate) nan_bits: NanBits,
    /// Maps whose order depends on identity hash codes that were read without a note.
    pub(crate) hash_ordered: Arc<BTreeSet<Ref>>,
    /// Files that the program sees; changed through [`Arc::make_mut`], as marks hold copies.
    pub(crate) files: Arc<Files>,
    /// Memory outside of objects.
    pub(crate) off_heap: Arc<OffHeap>,
    /// Streams of compressed data.
    pub(crate) streams: Arc<Streams>,
    /// Classes of the program's own loaders.
    pub(crate) loaded: Arc<LoadedClasses>,
    /// Threads, if a second one was ever started.
    pub(crate) threads: Arc<Threads>,
    /// Frames of the threads that do not run, by the number of the thread.
    pub(crate) parked: Vec<Stack>,
    /// Boxes made for symbolic slots.
    pub(crate) boxes: Vec<SymbolicBox>,
    /// Arena word of each choice variable.
    pub(crate) variables: Vec<u32>,
    /// Probes that the run visited.
    pub(crate) visits: Vec<crate::probes::ProbeVisit>,
    /// Calls that the run noted.
    pub(crate) calls: Vec<crate::prologues::NotedCall>,
    /// Points of the heap at which these calls were made.
    pub(crate) call_points: Vec<Option<crate::heap::HeapPoint>>,
    marks: Vec<StateMark>,
    /// What the marks note of the running thread, one for each mark.
    stack_marks: Vec<StackMark>,
    saved: Vec<Saved>,
    saved_registers: Vec<u64>,
    /// The newest mark's `untouched`; 0 if there is no mark.
    pub(crate) untouched: usize,
}

/// Frames of a thread that does not run, as in [`State`].
#[derive(Clone, Default)]
pub(crate) struct Stack {
    frames: Vec<Frame>,
    registers: Vec<u64>,
    marks: Vec<StackMark>,
    saved: Vec<Saved>,
    saved_registers: Vec<u64>,
    untouched: usize,
}

impl State {
    /// The first state of a machine that sees these files.
    pub(crate) fn with_files(files: Files) -> State {
        State {
            files: Arc::new(files),
            ..State::default()
        }
    }

    /// Whether a mark is set.
    pub(crate) fn is_marked(&self) -> bool {
        !self.marks.is_empty()
    }

    /// Frames and registers of each thread.
    pub(crate) fn stacks(&self) -> impl Iterator<Item = (&[Frame], &[u64])> {
        let parked = self.parked.iter();
        let parked = parked.map(|stack| (&*stack.frames, &*stack.registers));
        std::iter::once((&*self.frames, &*self.registers)).chain(parked)
    }

    /// Frames and registers of a thread.
    pub(crate) fn stack_of(&self, thread: usize) -> (&[Frame], &[u64]) {
        match self.parked.get(thread) {
            Some(parked) if thread != self.threads.running() => (&parked.frames, &parked.registers),
            _ => (&self.frames, &self.registers),
        }
    }

    /// Frames of the threads that do not run.
    pub(crate) fn parked_frames(&self) -> impl Iterator<Item = &Frame> {
        self.parked.iter().flat_map(|parked| &parked.frames)
    }

    /// Adds the frames of a new thread, which no mark knows.
    pub(crate) fn add_stack(&mut self) {
        self.parked.push(Stack {
            marks: vec![StackMark::default(); self.marks.len()],
            ..Stack::default()
        });
    }

    /// Exchanges the running frames and those of a thread.
    pub(crate) fn swap_stack(&mut self, thread: usize) {
        let parked = &mut self.parked[thread];
        std::mem::swap(&mut self.frames, &mut parked.frames);
        std::mem::swap(&mut self.registers, &mut parked.registers);
        std::mem::swap(&mut self.stack_marks, &mut parked.marks);
        std::mem::swap(&mut self.saved, &mut parked.saved);
        std::mem::swap(&mut self.saved_registers, &mut parked.saved_registers);
        std::mem::swap(&mut self.untouched, &mut parked.untouched);
    }

    /// Restores the running frames to a mark.
    fn undo_stack(&mut self, mark: usize) {
        self.stack_marks.truncate(mark + 1);
        let StackMark {
            frames: count,
            saved: first,
            ..
        } = self.stack_marks[mark];
        // The copy made when the mark was set is the first one from `saved` on, and stays.
        if let Some(saved) = self.saved.get(first) {
            // Frames that have ended since have a copy each, which overwrites this placeholder.
            self.frames.resize(count, saved.frame);
        } else {
            self.frames.truncate(count);
        }
        for index in (first..self.saved.len()).rev() {
            let saved = &self.saved[index];
            if saved.index >= count {
                // Copy of a frame that is newer than the mark, made for a later mark.
                continue;
            }
            let end = self
                .saved
                .get(index + 1)
                .map_or(self.saved_registers.len(), |next| next.registers);
            let registers = &self.saved_registers[saved.registers..end];
            let base = saved.frame.base as usize;
            self.registers[base..base + registers.len()].copy_from_slice(registers);
            self.frames[saved.index] = saved.frame;
        }
        let kept = usize::from(count > 0);
        if let Some(second) = self.saved.get(first + kept) {
            self.saved_registers.truncate(second.registers);
        }
        self.saved.truncate(first + kept);
        self.untouched = count.saturating_sub(1);
    }

    /// Lets the threads of a mark be the threads again, and the one that ran there run.
    fn undo_threads(&mut self, mark: usize) {
        let threads = Arc::clone(&self.marks[mark].threads);
        if threads.running() != self.threads.running() {
            self.swap_stack(self.threads.running());
            self.swap_stack(threads.running());
        }
        // Later threads are not there.
        self.parked.truncate(threads.count());
        self.threads = threads;
    }

    /// Removes a mark and later ones from the running frames.
    fn forget_stack(&mut self, mark: usize) {
        self.stack_marks.truncate(mark);
        match self.stack_marks.last() {
            // Later marks copied at least the frames that the earlier one needs.
            Some(last) => self.untouched = last.untouched.min(self.untouched),
            None => {
                self.saved.clear();
                self.saved_registers.clear();
                self.untouched = 0;
            }
        }
    }
}

/// Restores a shared value, which is usually the same one.
fn restore<T>(value: &mut Arc<T>, old: &Arc<T>) {
    if !Arc::ptr_eq(value, old) {
        *value = Arc::clone(old);
    }
}

/// Point to which a machine can go back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MarkId(usize);

impl MarkId {
    /// Position of the mark, from the oldest.
    pub(crate) fn index(self) -> usize {
        self.0
    }
}

impl Vm {
    /// Sets a mark on top of the existing ones.
    pub fn mark(&mut self) -> MarkId {
        if !self.heap.is_marked() {
            for class in &mut self.classes {
                class.stays_initialized = self.heap.load(class.statics) == crate::class::init::DONE;
            }
        }
        self.heap.mark();
        self.each_stack(Vm::mark_stack);
        let state = &mut self.state;
        state.marks.push(StateMark {
            output: state.output.len(),
            output_bytes: state.output.last().map_or(0, |last| last.bytes.len()),
            output_total: state.output.iter().map(|output| output.bytes.len()).sum(),
            interned: self.interned.len(),
            variables: state.variables.len(),
            boxes: state.boxes.len(),
            visits: state.visits.len(),
            calls: state.calls.len(),
            identity_hashes: state.identity_hashes,
            chances: state.chances,
            read_at: state.read_at.len(),
            has_read_statics: state.has_read_statics,
            thrown_by_instructions: state.thrown_by_instructions,
            class_hashes: state.class_hashes,
            nan_bits: state.nan_bits,
            hash_ordered: Arc::clone(&state.hash_ordered),
            files: Arc::clone(&state.files),
            off_heap: Arc::clone(&state.off_heap),
            streams: Arc::clone(&state.streams),
            loaded: Arc::clone(&state.loaded),
            threads: Arc::clone(&state.threads),
            turn: self.turn_end.saturating_sub(self.steps),
        });
        MarkId(self.state.marks.len() - 1)
    }

    /// Notes the running frames for a new mark.
    fn mark_stack(&mut self) {
        let state = &mut self.state;
        if let Some(mark) = state.stack_marks.last_mut() {
            mark.untouched = state.untouched;
        }
        state.stack_marks.push(StackMark {
            frames: state.frames.len(),
            saved: state.saved.len(),
            untouched: state.frames.len(),
        });
        state.untouched = state.frames.len();
        if !self.state.frames.is_empty() {
            self.save_frame();
        }
    }

    /// Does something with the frames of each thread, as if they were the running ones.
    fn each_stack(&mut self, mut work: impl FnMut(&mut Vm)) {
        work(self);
        for thread in 0..self.state.parked.len() {
            if thread != self.state.threads.running() {
                self.state.swap_stack(thread);
                work(self);
                self.state.swap_stack(thread);
            }
        }
    }

    /// Restores the state of `mark`. The mark stays set; later ones are removed.
    pub fn undo_to(&mut self, mark: MarkId) {
        self.heap.undo_to(mark.0);
        self.undone += 1;
        self.thrown = None;
        self.each_stack(|vm| vm.state.undo_stack(mark.0));
        let state = &mut self.state;
        state.marks.truncate(mark.0 + 1);
        if !Arc::ptr_eq(&state.threads, &state.marks[mark.0].threads) {
            state.undo_threads(mark.0);
        }
        let mark = &state.marks[mark.0];
        self.turn_end = self.steps.saturating_add(mark.turn);
        state.output.truncate(mark.output);
        if let Some(last) = state.output.last_mut() {
            last.bytes.truncate(mark.output_bytes);
        }
        self.interned.truncate(mark.interned);
        state.variables.truncate(mark.variables);
        state.boxes.truncate(mark.boxes);
        state.visits.truncate(mark.visits);
        state.calls.truncate(mark.calls);
        state.call_points.truncate(mark.calls);
        state.identity_hashes = mark.identity_hashes;
        state.chances = mark.chances;
        state.read_at.truncate(mark.read_at);
        state.has_read_statics = mark.has_read_statics;
        state.thrown_by_instructions = mark.thrown_by_instructions;
        state.class_hashes = mark.class_hashes;
        state.nan_bits = mark.nan_bits;
        restore(&mut state.hash_ordered, &mark.hash_ordered);
        restore(&mut state.files, &mark.files);
        restore(&mut state.off_heap, &mark.off_heap);
        restore(&mut state.streams, &mark.streams);
        restore(&mut state.loaded, &mark.loaded);
    }

    /// Removes `mark` and later ones without undoing anything.
    pub fn forget(&mut self, mark: MarkId) {
        self.heap.forget(mark.0);
        self.each_stack(|vm| vm.state.forget_stack(mark.0));
        self.state.marks.truncate(mark.0);
    }

    /// Runs `work` and goes back, so that only its result remains.
    pub fn with_mark<T>(&mut self, work: impl FnOnce(&mut Vm) -> T) -> T {
        let mark = self.mark();
        let given = work(self);
        self.undo_to(mark);
        self.forget(mark);
        given
    }

    /// Copies the innermost frame, which is older than the newest mark and about to change.
    #[inline(never)]
    pub(crate) fn save_frame(&mut self) {
        let state = &mut self.state;
        let index = state.frames.len() - 1;
        let frame = state.frames[index];
        let words = self.methods[frame.method.0 as usize].frame_words as usize;
        let base = frame.base as usize;
        state.saved.push(Saved {
            index,
            frame,
            registers: state.saved_registers.len(),
        });
        state
            .saved_registers
            .extend_from_slice(&state.registers[base..base + words]);
        state.untouched = index;
    }

    /// Hash of everything reversible: equal before a mark and after going back to it.
    /// `permanent_words` is the number of permanent words to include, as returned by
    /// [`crate::heap::Heap::permanent_words`] when the mark was set.
    #[must_use]
    pub fn state_hash(&self, permanent_words: usize) -> u64 {
        let mut hasher = FxHasher::default();
        self.heap.hash_state(&mut hasher, permanent_words);
        let state = &self.state;
        self.hash_stack(&state.frames, &state.registers, &mut hasher);
        for parked in &state.parked {
            self.hash_stack(&parked.frames, &parked.registers, &mut hasher);
        }
        state.threads.hash(&mut hasher);
        for output in &state.output {
            hasher.write_u8(output.stream);
            hasher.write_usize(output.bytes.len());
            hasher.write(&output.bytes);
        }
        for (text, object) in &self.interned {
            for unit in text {
                hasher.write_u16(*unit);
            }
            hasher.write_u32(object.0);
        }
        for word in &state.variables {
            hasher.write_u32(*word);
        }
        for made in &state.boxes {
            hasher.write_u32(made.object.0);
        }
        hasher.write_usize(self.interned.len());
        hasher.write_usize(state.variables.len());
        hasher.write_usize(state.frames.len());
        hasher.write_u32(state.identity_hashes);
        hasher.write_u32(state.chances);
        hasher.write_u8(u8::from(state.has_read_statics));
        hasher.write_u32(state.thrown_by_instructions);
        hasher.write_u32(state.class_hashes.shift);
        hasher.write_u32(state.class_hashes.asked);
        hasher.write_u8(state.nan_bits.is_positive.into());
        hasher.write_u32(state.nan_bits.asked);
        state.hash_ordered.hash(&mut hasher);
        state.files.hash(&mut hasher);
        state.off_heap.hash(&mut hasher);
        state.streams.hash(&mut hasher);
        state.loaded.hash(&mut hasher);
        hasher.finish()
    }

    fn hash_stack(&self, frames: &[Frame], registers: &[u64], hasher: &mut FxHasher) {
        for frame in frames {
            hasher.write_u32(frame.method.0);
            hasher.write_u32(frame.pc);
            hasher.write_u32(frame.base);
            hasher.write_u32(frame.monitor.0);
            frame.kind.hash(hasher);
        }
        if let Some(frame) = frames.last() {
            let words = self.methods[frame.method.0 as usize].frame_words as usize;
            for register in &registers[..frame.base as usize + words] {
                hasher.write_u64(*register);
            }
        }
    }
}

// Queries of a search's observers.
impl Vm {
    /// Whether anything older than the newest mark, which is `mark`, was changed since, or output
    /// was written. Loading a literal and the passing of time do not count.
    #[must_use]
    pub fn has_effects_since(&self, mark: MarkId) -> bool {
        self.has_effects_outside_since(mark)
            || self.heap.changed_words().any(|word| {
                word != self.clock_word() && !self.literals.values().any(|&cell| cell == word)
            })
    }

    /// Whether all that was changed since the newest mark, which is `mark`, are references that were
    /// null before to objects made since, as where something is created at its first use.
    #[must_use]
    pub fn only_fills_since(&self, mark: MarkId) -> bool {
        !self.has_effects_outside_since(mark) && self.heap.filled_only()
    }

    /// Whether something other than words of the heap, frames and output has changed since a mark.
    pub(crate) fn has_hidden_changes(&self, mark: MarkId) -> bool {
        let (state, mark) = (&self.state, &self.state.marks[mark.0]);
        state.variables.len() != mark.variables
            || state.identity_hashes != mark.identity_hashes
            || state.chances != mark.chances
            || state.class_hashes.asked != mark.class_hashes.asked
            || state.nan_bits.asked != mark.nan_bits.asked
            || !Arc::ptr_eq(&state.hash_ordered, &mark.hash_ordered)
            || !Arc::ptr_eq(&state.files, &mark.files)
            || !Arc::ptr_eq(&state.off_heap, &mark.off_heap)
            || !Arc::ptr_eq(&state.streams, &mark.streams)
            || !Arc::ptr_eq(&state.loaded, &mark.loaded)
            || !Arc::ptr_eq(&state.threads, &mark.threads)
    }

    /// Whether output was written since a mark, or a file, a thread or the interned strings changed.
    fn has_effects_outside_since(&self, mark: MarkId) -> bool {
        let outputs = self.state.output.iter();
        let output: usize = outputs.map(|output| output.bytes.len()).sum();
        let mark = &self.state.marks[mark.0];
        let mut interned = self.interned.values().skip(mark.interned);
        output != mark.output_total
            || !Arc::ptr_eq(&self.state.files, &mark.files)
            || !Arc::ptr_eq(&self.state.threads, &mark.threads)
            || interned.any(|&string| !self.heap.is_permanent(string))
    }

    /// Arena words older than the newest mark that were written since, once for each write.
    pub fn changed_words(&self) -> impl Iterator<Item = u32> {
        self.heap.changed_words()
    }

    /// Whether nothing older than the newest mark was written since. Deterministic code that
    /// reads nothing newer then has the same result as at the mark.
    #[must_use]
    pub fn is_untouched(&self) -> bool {
        match self.state.marks.len() {
            0 => self.heap.changed_words().next().is_none(),
            marks => self.is_untouched_since(MarkId(marks - 1)),
        }
    }

    /// Like [`Vm::is_untouched`], for any mark that is set.
    #[must_use]
    pub fn is_untouched_since(&self, mark: MarkId) -> bool {
        self.heap.changed_words_since(mark.0).next().is_none()
            && Arc::ptr_eq(&self.state.files, &self.state.marks[mark.0].files)
    }

    /// Number of frames, from the outermost on, that existed at the newest mark and have not
    /// ended since.
    #[must_use]
    pub fn frames_since_mark(&self) -> usize {
        (self.state.untouched + 1).min(self.state.frames.len())
    }

    /// Number of identity hashes assigned so far.
    #[must_use]
    pub fn identity_hashes(&self) -> u32 {
        self.state.identity_hashes
    }

    /// Skips the next `count` identity hashes.
    pub fn skip_identity_hashes(&mut self, count: u32) {
        self.state.identity_hashes = self.state.identity_hashes.wrapping_add(count);
    }

    /// Number of reads of identity hashes of classes so far.
    #[must_use]
    pub fn class_hashes_asked(&self) -> u32 {
        self.state.class_hashes.asked
    }

    /// Adds `by` to the identity hashes of all classes from now on, to simulate another machine.
    pub fn shift_class_hashes(&mut self, by: u32) {
        let shift = &mut self.state.class_hashes.shift;
        *shift = shift.wrapping_add(by);
    }

    /// Number of reads of the bits of a NaN that arithmetic makes so far.
    #[must_use]
    pub fn nan_bits_asked(&self) -> u32 {
        self.state.nan_bits.asked
    }

    /// Whether the bits of a NaN that arithmetic has made have no sign; counts as a read of them.
    pub(crate) fn reads_nan_without_sign(&mut self) -> bool {
        let nan_bits = &mut self.state.nan_bits;
        nan_bits.asked += 1;
        nan_bits.is_positive
    }

    /// Lets the bits of a NaN that arithmetic makes be read without its sign from now on, to simulate
    /// another machine.
    pub fn read_nans_without_sign(&mut self) {
        self.state.nan_bits.is_positive = true;
    }

    /// Array element of a kind at a byte address, as a register holds it.
    #[must_use]
    pub fn array_slot(&self, at: u64, kind: crate::descriptor::Kind) -> u64 {
        self.read_at(at, kind, true).unwrap_or(0)
    }

    /// Writes the array element of a kind at a byte address.
    pub fn set_array_slot(&mut self, at: u64, kind: crate::descriptor::Kind, slot: u64) {
        self.write_at(at, kind, slot, true);
    }

    /// Class that a `java.lang.Class` object represents; `None` if the object is none.
    #[must_use]
    pub fn mirrored(&self, object: Ref) -> Option<crate::class::ClassId> {
        (self.heap.class_of(object) == self.known().class).then(|| self.class_of_mirror(object))
    }

    /// Selects the implementation of `method` for a receiver of class `class`.
    pub fn select(&mut self, class: crate::class::ClassId, method: MethodId) -> Option<MethodId> {
        let this = self.method(method);
        if this.is_static() || this.flags & flags::PRIVATE != 0 {
            return Some(method);
        }
        match this.vtable_index {
            Some(index) => self.class(class).vtable.get(index as usize).copied(),
            None => self.select_interface(class, method).ok(),
        }
    }

    /// All loaded classes.
    pub fn loaded_classes(&self) -> impl Iterator<Item = crate::class::ClassId> + use<> {
        (0..self.classes.len() as u32).map(crate::class::ClassId)
    }

    /// Whether an instance field is a cache of an immutable class of the library, which computes it
    /// from the rest of the object on demand.
    #[must_use]
    pub fn is_cache(&self, field: &crate::class::Field) -> bool {
        let is_immutable = |name| {
            let caching = [
                "java/lang/Enum",
                "java/math/BigDecimal",
                "java/math/BigInteger",
            ];
            is_value_class(name) || caching.contains(&name)
        };
        field.flags & (flags::FINAL | flags::STATIC) == 0
            && self.class(field.class).loader == Loader::Boot
            && is_immutable(self.class_name(field.class))
    }

    /// The class with an internal name, if it is loaded.
    #[must_use]
    pub fn loaded_class(&self, name: &str) -> Option<crate::class::ClassId> {
        self.class_index.get(&self.names.get(name)?).copied()
    }

    /// Whether the constant pool of a class contains a text.
    #[must_use]
    pub fn mentions(&self, class: crate::class::ClassId, text: &str) -> bool {
        let Some(file) = &self.class(class).file else {
            return false;
        };
        file.info.pool.iter().any(|constant| match constant {
            crate::classfile::Constant::Utf8(span) => span.of(&file.bytes) == text.as_bytes(),
            _ => false,
        })
    }

    /// Primitive value in a box, with its kind. `None` if the object is no box or its value is
    /// unset.
    #[must_use]
    pub fn unboxed(&self, object: Ref) -> Option<(crate::descriptor::Kind, u64)> {
        self.read_box(object).ok().flatten()
    }
}
