//! Garbage collection: unreachable reversible objects become holes, in which later ones are
//! allocated. Objects never move.
//!
//! Only a machine that replaces `java` collects, between two instructions and while no mark is
//! set. Nothing goes back to before the collection then, and only the roots below refer to objects.
//!
//! Invariant: an object that the program can reach is not freed. Fields are scanned by their kinds.
//! Of a frame's registers, the live ones are roots. Registers do not tell references from numbers:
//! a number that equals the place of an object retains it.

use std::ops::Range;
use std::sync::Arc;

use crate::class::{ClassId, MethodId, Shape, init};
use crate::descriptor::Kind;
use crate::heap::{ELEMENTS, Ref};
use crate::instr::Reg;
use crate::state::{Frame, FrameKind};
use crate::vm::{Fault, Vm};

/// Fewest words that are allocated between two collections, unless the arena is small.
const FEWEST_WORDS: u64 = 8 << 20;
/// A collection is worth its time if it frees this fraction of the arena.
const WORTH: u64 = 64;
/// Methods with more instructions have all their registers as roots.
const MAX_INSTRUCTIONS: usize = 10_000;

const REFERENCE: &str = "java/lang/ref/Reference";

/// References whose referents do not count as reachable through them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clearing {
    /// Weak and phantom references.
    Weak,
    /// These and soft references.
    Soft,
}

/// Kinds of references that are cleared, in the order in which that happens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// Weak references, and soft ones.
    Weak,
    /// References of the library to objects with a finalizer. Those that it has been given stay.
    Final,
    /// Phantom references.
    Phantom,
}

/// Places of references in the objects of a class.
#[derive(Clone)]
enum ReferenceLayout {
    /// Instance, of whose words these are references.
    Instance { references: Arc<[u32]> },
    /// The same, with a `referent` beside the references.
    Reference {
        references: Arc<[u32]>,
        strength: Strength,
    },
    /// Array of references.
    References,
    /// Array of primitives.
    Primitives,
}

/// One bit for each word below the end of the reversible objects.
struct Bits(Vec<u64>);

impl Bits {
    fn new(words: u32) -> Bits {
        Bits(vec![0; words as usize / 64 + 1])
    }

    fn has(&self, at: u32) -> bool {
        self.0[at as usize / 64] >> (at % 64) & 1 != 0
    }

    /// Sets a bit; returns whether it was clear.
    fn set(&mut self, at: u32) -> bool {
        let word = &mut self.0[at as usize / 64];
        let bit = 1 << (at % 64);
        let was_clear = *word & bit == 0;
        *word |= bit;
        was_clear
    }

    /// Positions of the set bits, in ascending order.
    fn ones(&self) -> impl Iterator<Item = u32> {
        (0u32..).zip(&self.0).flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(64 * index + bit)
            })
        })
    }
}

/// Words and classes of references.
#[derive(Clone, Copy)]
struct ReferenceClasses {
    referent: u32,
    discovered: u32,
    soft: ClassId,
    weak: ClassId,
    phantom: ClassId,
    /// References to objects with a finalizer.
    last: ClassId,
    /// Word that is not null when the library has been given a reference.
    next: u32,
    /// What a `Cleaner` registers.
    cleanable: ClassId,
}

/// Collection of the objects below `end`.
struct Collection<'a> {
    vm: &'a mut Vm,
    clearing: Clearing,
    classes: ReferenceClasses,
    end: u32,
    /// Words where objects begin.
    starts: Bits,
    /// Those of them that are reachable.
    reached: Bits,
    /// Reachable objects whose contents were not scanned yet.
    open: Vec<Ref>,
    /// Reachable objects with a referent.
    references: Vec<(Strength, Ref)>,
    /// Whether a thread of the library has something to do.
    needs_servers: bool,
    layouts: Vec<Option<ReferenceLayout>>,
}

impl Vm {
    /// Lets collections begin; until then the library starts.
    pub(crate) fn enable_collections(&mut self) {
        if self.config.replaces_launcher {
            self.heap.collect_every(self.collection_interval(0));
        }
    }

    /// Number of words that are allocated until the next collection.
    fn collection_interval(&self, live: u32) -> u32 {
        let least = FEWEST_WORDS.min(self.config.max_heap_bytes / 8 / 4) as u32;
        let usual = least.max(live);
        self.config.collection_words.unwrap_or(usual)
    }

    /// Whether the machine may collect now.
    pub(crate) fn may_collect(&self) -> bool {
        self.config.replaces_launcher && !self.heap.is_marked()
    }

    /// Collects, and calls what the library does with cleared references before the next
    /// instruction.
    pub(crate) fn collect_between(&mut self) -> Result<(), Fault> {
        self.collect(Clearing::Weak)?;
        self.push_clearing()
    }

    /// Collects because the next instruction lacks memory; returns whether it is worth to run it
    /// again.
    pub(crate) fn collect_for_lack(&mut self) -> Result<bool, Fault> {
        let is_worth = self.may_collect()
            && (self.collect(Clearing::Weak)? || self.collect(Clearing::Soft)?);
        if is_worth {
            self.push_clearing()?;
        }
        Ok(is_worth)
    }

    fn push_clearing(&mut self) -> Result<(), Fault> {
        if let Some(method) = self.clearing_call()? {
            let base = self.free_register();
            self.push_frame(method, base, FrameKind::Interruption, None)?;
        }
        Ok(())
    }

    /// The library's method that puts cleared references into their queues, if there are any.
    pub(crate) fn clearing_call(&mut self) -> Result<Option<MethodId>, Fault> {
        if self.heap.load(self.cleared_word()) == 0 {
            return Ok(None);
        }
        let method = self.method_named(REFERENCE, "processPendingReferences", "()V")?;
        Ok(Some(method))
    }

    /// Arena word of the first cleared reference; its `discovered` is the next one.
    pub(crate) fn cleared_word(&self) -> u32 {
        self.thread_ids + 2
    }

    /// Frees the objects that no root reaches; returns whether that freed much.
    pub(crate) fn collect(&mut self, clearing: Clearing) -> Result<bool, Fault> {
        let classes = self.reference_classes()?;
        self.heap.close_holes();
        let end = self.heap.end();
        let mut collection = Collection::new(self, clearing, classes);
        collection.find_starts();
        collection.reach_roots();
        collection.scan();
        collection.clear_references();
        let needs_servers = collection.needs_servers;
        let live = collection.sweep();
        if needs_servers {
            self.start_servers()?;
        }
        let freed = u64::from(end - 1 - live);
        Ok(freed >= self.config.max_heap_bytes / 8 / WORTH)
    }

    /// Instances of a class and its subclasses, unreachable ones included.
    pub(crate) fn instances(&mut self, class: ClassId) -> Result<Vec<Ref>, Fault> {
        let classes = self.reference_classes()?;
        self.heap.leave_hole();
        let mut collection = Collection::new(self, Clearing::Weak, classes);
        collection.find_starts();
        let starts = std::mem::replace(&mut collection.starts, Bits(Vec::new()));
        let objects = starts.ones().map(Ref);
        let is_instance = |&object: &Ref| self.is_subclass(self.heap.class_of(object), class);
        Ok(objects.filter(is_instance).collect())
    }

    /// Objects from one on, or from the former [end](crate::heap::Heap::end) of the heap on, in the
    /// order of their places; all of them from null on. Unreachable ones are included, permanent
    /// ones are not. No hole may be in use.
    pub fn objects_from(&self, first: Ref) -> impl Iterator<Item = Ref> {
        let end = self.heap.end();
        let mut at = first.0.max(1);
        std::iter::from_fn(move || {
            while at < end
                && let Some(free) = self.heap.free_words(at)
            {
                at += free;
            }
            let object = (at < end).then_some(Ref(at))?;
            at += self.words_of(object);
            Some(object)
        })
    }

    /// Words of an object, header included.
    fn words_of(&self, object: Ref) -> u32 {
        let class = self.heap.class_of(object);
        match self.class(class).shape {
            Shape::Array(_) => {
                let bytes = u64::from(self.element_kind(class).element_bytes());
                let bytes = u64::from(self.heap.array_length(object)) * bytes;
                ELEMENTS + bytes.div_ceil(8) as u32
            }
            Shape::Instance | Shape::Primitive(_) => self.class(class).instance_words,
        }
    }

    fn reference_classes(&mut self) -> Result<ReferenceClasses, Fault> {
        let mut class = |name: &str| {
            let class = self.load_class(name);
            class.map_err(|error| self.load_fault(error))
        };
        let reference = class(REFERENCE)?;
        let [soft, weak, phantom] = [
            class("java/lang/ref/SoftReference")?,
            class("java/lang/ref/WeakReference")?,
            class("java/lang/ref/PhantomReference")?,
        ];
        let last = class("java/lang/ref/FinalReference")?;
        let cleanable = class("java/lang/ref/Cleaner$Cleanable")?;
        Ok(ReferenceClasses {
            last,
            cleanable,
            next: self.word_of(reference, "next")?,
            referent: self.word_of(reference, "referent")?,
            discovered: self.word_of(reference, "discovered")?,
            soft,
            weak,
            phantom,
        })
    }

    /// Contents of the live registers of all threads.
    fn live_slots(&mut self) -> Vec<u64> {
        let stacks: Vec<Vec<Frame>> = self
            .state
            .stacks()
            .map(|(frames, _)| frames.to_vec())
            .collect();
        let mut slots = Vec::new();
        for (number, frames) in stacks.iter().enumerate() {
            for (index, frame) in frames.iter().enumerate() {
                let called = frames.get(index + 1).map(|called| called.kind);
                let live = self.live_registers(frame, called);
                let Some((_, registers)) = self.state.stacks().nth(number) else {
                    continue;
                };
                slots.push(frame.monitor.slot());
                let base = frame.base as usize;
                slots.extend(
                    live.iter()
                        .map(|&register| registers[base + register as usize]),
                );
            }
        }
        slots
    }

    /// Registers of a frame that its code may still read, given what the frame above does at its
    /// end. In the innermost frame the current instruction runs again.
    fn live_registers(&mut self, frame: &Frame, called: Option<FrameKind>) -> Arc<[Reg]> {
        let method = self.method(frame.method);
        if let Some(FrameKind::Bottom | FrameKind::Aside(_)) = called {
            return (0..method.frame_words as Reg).collect();
        }
        let returns = called == Some(FrameKind::Call);
        if let Some(known) = self.live_registers.get(&(frame.pc, returns)) {
            return Arc::clone(known);
        }
        let entry = self.entry(method);
        let at = frame.pc.wrapping_sub(entry) as usize;
        let length = method.origins.len();
        let code = &self.code[entry as usize..entry as usize + length];
        let is_plain = at < length
            && length <= MAX_INSTRUCTIONS
            && !code.iter().any(|instr| instr.flow().is_of_subroutine());
        let live: Arc<[Reg]> = if !is_plain {
            (0..method.frame_words as Reg).collect()
        } else {
            let mut before = self.live(method);
            if returns {
                let mut live = before.get(at + 1).cloned().unwrap_or_default();
                if let Some(result) = code[at].call_register() {
                    live.remove(&result);
                }
                for target in self.handler_targets(method, frame.pc) {
                    live.extend(&before[(target - entry) as usize]);
                }
                live.into_iter().collect()
            } else {
                before.swap_remove(at).into_iter().collect()
            }
        };
        self.live_registers
            .insert((frame.pc, returns), Arc::clone(&live));
        live
    }
}

impl<'a> Collection<'a> {
    fn new(vm: &'a mut Vm, clearing: Clearing, classes: ReferenceClasses) -> Collection<'a> {
        let end = vm.heap.end();
        Collection {
            clearing,
            classes,
            end,
            starts: Bits::new(end),
            reached: Bits::new(end),
            open: Vec::new(),
            references: Vec::new(),
            needs_servers: false,
            layouts: vec![None; vm.classes.len()],
            vm,
        }
    }

    fn layout(&mut self, class: ClassId) -> ReferenceLayout {
        if let Some(known) = &self.layouts[class.0 as usize] {
            return known.clone();
        }
        let vm = &*self.vm;
        let layout = match vm.class(class).shape {
            Shape::Array(_) => match vm.element_kind(class) {
                Kind::Reference => ReferenceLayout::References,
                _ => ReferenceLayout::Primitives,
            },
            Shape::Instance | Shape::Primitive(_) => {
                let ReferenceClasses {
                    referent,
                    soft,
                    weak,
                    phantom,
                    last,
                    ..
                } = self.classes;
                let is_soft = self.clearing == Clearing::Soft && vm.is_subclass(class, soft);
                let strength = if is_soft || vm.is_subclass(class, weak) {
                    Some(Strength::Weak)
                } else if vm.is_subclass(class, last) {
                    Some(Strength::Final)
                } else {
                    vm.is_subclass(class, phantom).then_some(Strength::Phantom)
                };
                let above = vm.class(class).display.iter();
                let fields = above.flat_map(|&class| &vm.class(class).fields);
                let references = fields.filter(|field| {
                    !field.is_static()
                        && field.kind == Kind::Reference
                        && !(strength.is_some() && field.word == referent)
                });
                let references = references.map(|field| field.word).collect();
                match strength {
                    Some(strength) => ReferenceLayout::Reference {
                        references,
                        strength,
                    },
                    None => ReferenceLayout::Instance { references },
                }
            }
        };
        self.layouts[class.0 as usize] = Some(layout.clone());
        layout
    }

    fn find_starts(&mut self) {
        for object in self.vm.objects_from(Ref::NULL) {
            self.starts.set(object.0);
        }
    }

    /// Notes that an object is reachable.
    fn reach(&mut self, object: Ref) {
        if !object.is_null() && object.0 < self.end && self.reached.set(object.0) {
            self.open.push(object);
        }
    }

    /// Notes that an object is reachable if a slot may be a reference to it.
    fn reach_slot(&mut self, slot: u64) {
        if slot < u64::from(self.end) && self.starts.has(slot as u32) {
            self.reach(Ref(slot as u32));
        }
    }

    fn reach_roots(&mut self) {
        for index in 0..self.vm.heap.permanent_objects().len() {
            self.scan_object(self.vm.heap.permanent_objects()[index]);
        }
        let cells: Vec<u64> = self
            .vm
            .heap
            .cells()
            .map(|at| self.vm.heap.load(at))
            .collect();
        for word in cells {
            self.reach_slot(word);
        }
        for class in 0..self.vm.classes.len() {
            self.reach_statics(class);
        }
        for slot in self.vm.live_slots() {
            self.reach_slot(slot);
        }
        let threads = self.vm.state.threads.objects();
        let blocks: Vec<Ref> = self.vm.state.off_heap.blocks().collect();
        let loaded: Vec<Ref> = self.vm.state.loaded.objects().collect();
        for object in threads.into_iter().chain(blocks).chain(loaded) {
            self.reach(object);
        }
    }

    /// Notes what the static fields of a class refer to, and the exception of its initialiser.
    fn reach_statics(&mut self, class: usize) {
        let vm = &*self.vm;
        let linked = &vm.classes[class];
        let state = vm.heap.load(linked.statics);
        let fields = linked.fields.iter();
        let fields = fields.filter(|field| field.is_static() && field.kind == Kind::Reference);
        let slots: Vec<u64> = fields.map(|field| vm.heap.load(field.word)).collect();
        for slot in slots {
            self.reach(Ref::from_slot(slot));
        }
        if state & init::FAILED == init::FAILED {
            self.reach_slot(state >> 2);
        }
    }

    /// Scans the contents of reachable objects.
    fn scan(&mut self) {
        while let Some(object) = self.open.pop() {
            self.scan_object(object);
        }
    }

    fn scan_object(&mut self, object: Ref) {
        let class = self.vm.heap.class_of(object);
        match self.layout(class) {
            ReferenceLayout::Instance { references, .. } => self.scan_fields(object, &references),
            ReferenceLayout::Reference {
                references,
                strength,
                ..
            } => {
                self.scan_fields(object, &references);
                self.references.push((strength, object));
            }
            ReferenceLayout::References => {
                let start = self.vm.heap.elements(object);
                for index in 0..u64::from(self.vm.heap.array_length(object)) {
                    self.reach(Ref(self.vm.heap.load32(start + 4 * index)));
                }
            }
            ReferenceLayout::Primitives => {}
        }
    }

    fn scan_fields(&mut self, object: Ref, words: &[u32]) {
        for &word in words {
            self.reach(Ref::from_slot(self.vm.heap.field(object, word)));
        }
    }

    /// Clears the references to objects that are reachable only through such, and lists them for
    /// the library. Objects with a finalizer stay, with all that they reach, and the references to
    /// them are listed: phantom references look at what is reachable then.
    fn clear_references(&mut self) {
        // References that are listed already would be listed twice.
        let is_idle = self.vm.heap.load(self.vm.cleared_word()) == 0;
        self.clear(Strength::Weak);
        self.keep_finalizable(is_idle);
        self.scan();
        self.clear(Strength::Phantom);
        let (end, reached) = (self.end, &self.reached);
        let interned = &mut self.vm.interned;
        interned.retain(|_, object| object.0 >= end || reached.has(object.0));
    }

    /// Referent of a reference if nothing reaches it.
    fn unreached_referent(&self, reference: Ref) -> Option<Ref> {
        let referent = self.vm.heap.field(reference, self.classes.referent);
        let object = Ref::from_slot(referent);
        let is_reached = object.is_null() || object.0 >= self.end || self.reached.has(object.0);
        (!is_reached).then_some(object)
    }

    /// Lists a reference for the library.
    fn list(&mut self, reference: Ref) {
        let first = self.vm.cleared_word();
        let heap = &mut self.vm.heap;
        heap.set_field(reference, self.classes.discovered, heap.load(first));
        heap.store(first, reference.slot());
    }

    /// Clears the references of one strength, and stronger ones that were found later.
    fn clear(&mut self, strength: Strength) {
        let references = std::mem::take(&mut self.references);
        for (other, reference) in references {
            if other > strength || other == Strength::Final {
                self.references.push((other, reference));
            } else if self.unreached_referent(reference).is_some() {
                let class = self.vm.heap.class_of(reference);
                self.needs_servers |= self.vm.is_subclass(class, self.classes.cleanable);
                self.vm.heap.set_field(reference, self.classes.referent, 0);
                self.list(reference);
            }
        }
    }

    /// Reaches the objects with a finalizer, and may list the references to unreachable ones.
    fn keep_finalizable(&mut self, lists: bool) {
        let last = self.references.iter();
        let last = last.filter(|(strength, _)| *strength == Strength::Final);
        let unreached: Vec<(Ref, Ref)> = last
            .filter_map(|&(_, reference)| Some((reference, self.unreached_referent(reference)?)))
            .collect();
        for (reference, object) in unreached {
            let is_given = self.vm.heap.field(reference, self.classes.next) != 0;
            if lists && !is_given {
                self.needs_servers = true;
                self.list(reference);
            }
            self.reach(object);
        }
    }

    /// Makes holes of the unreachable objects; returns the number of words of the reachable ones.
    fn sweep(mut self) -> u32 {
        let mut holes: Vec<Range<u32>> = Vec::new();
        let (mut at, mut live) = (1, 0);
        let reached = std::mem::replace(&mut self.reached, Bits(Vec::new()));
        for object in reached.ones() {
            if object > at {
                holes.push(at..object);
            }
            let words = self.vm.words_of(Ref(object));
            live += words;
            at = object + words;
        }
        if at < self.end {
            holes.push(at..self.end);
        }
        let vm = self.vm;
        let free = vm.heap.open_holes(holes);
        let interval = vm.collection_interval(live);
        vm.heap.collect_every(interval.saturating_sub(free));
        live
    }
}
