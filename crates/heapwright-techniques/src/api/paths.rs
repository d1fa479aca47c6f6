//! Read sets and effects of calls on one structure.
//!
//! A call is deterministic: on two structures with equal values wherever it reads, it does the
//! same. A call is therefore made once with the fields of its receiver unset ([`Choosing`]), which
//! shows what it reads and in which order. The values read and the effect become a path in a
//! decision tree. On a structure with the same values, the call is not repeated. Its effect is
//! known: the same exception, the same writes, or no change. This is the pruning of Boyapati et al.
//! 2002 with API methods instead of the invariant.
//!
//! Objects are identified by their offset from the structure's first word, and by their class. An
//! array is read as a whole with the reference that leads to it.

use std::rc::Rc;

use heapwright_jvm::class::Shape;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::heap::{ELEMENTS, HeapFull};
use heapwright_jvm::{ClassId, Place, Ref, Vm};
use rustc_hash::FxHashMap;

/// Paths of an operation that are recorded before their benefit is measured.
const TRIAL: u64 = 256;
/// Calls that a recorded path must save on average: finding one costs as much as some calls.
const WORTH: u64 = 2;
/// Most objects created by a call whose creation is recorded.
const MOST_MADE: usize = 16;
/// Most nodes of all trees.
const MOST_NODES: usize = 1 << 22;

/// Effect of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallEffect {
    /// Unknown effect: the call must be made.
    Open,
    /// The call threw an exception that is misuse.
    Misuse,
    /// The call returned and made these writes, with no other retained effect.
    Writes(Writes),
}

/// Contents of fields, by word.
type FieldContents = Box<[(u32, WrittenValue)]>;

/// Writes of a call to the structure it was made on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Writes {
    /// Objects that the call created and that the structure now holds, with the contents of their
    /// fields.
    made: Box<[(ClassId, FieldContents)]>,
    /// Fields of the structure, by word offset from its first word.
    fields: FieldContents,
}

impl Writes {
    fn is_nothing(&self) -> bool {
        self.fields.is_empty()
    }
}

/// Value that a call wrote into a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WrittenValue {
    /// Slot with the same value in all structures.
    Slot(u64),
    /// Reference to the object of the structure at this word offset.
    Object(u32),
    /// Reference to an object that the call created, by its number.
    Made(u32),
}

/// Interpretation of a word that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// Plain slot.
    Slot,
    /// Reference in the low half.
    Reference,
    /// Reference in the high half: every other element of an array.
    High,
}

/// Word offset from the structure's first word, and its interpretation.
type ReadLocation = (u32, Reading);

/// Node of a decision tree; calls that differ in their values alone share it. It holds the effects
/// of calls that end here, by combination of values. For other calls it holds the next reads, with
/// the successor of each value.
#[derive(Default)]
struct DecisionNode {
    ends: Vec<(u32, u32)>,
    asks: Vec<(ReadLocation, Vec<(u64, u32)>)>,
}

impl DecisionNode {
    /// Returns the successor for a value, if it is known.
    fn next(&self, question: ReadLocation, answer: u64) -> Option<u32> {
        let (_, edges) = self.asks.iter().find(|asks| asks.0 == question)?;
        let edge = edges.iter().find(|edge| edge.0 == answer)?;
        Some(edge.1)
    }
}

const OPEN: u32 = 0;
const MISUSE: u32 = 1;
const NOTHING: u32 = 2;
const UNKNOWN: u32 = u32::MAX;

/// Statistics of an operation's paths: recorded paths and saved calls.
#[derive(Clone, Copy, Default)]
struct PathStatistics {
    kept: u64,
    saved: u64,
}

/// Field of the current structure.
#[derive(Clone, Copy)]
pub struct StructureField {
    object: Ref,
    word: u32,
    is_reference: bool,
    /// Its content.
    slot: u64,
}

/// Roots of the decision trees for receivers of one class, by operation.
type Roots = Vec<Option<u32>>;

/// Decision trees of calls, on one machine.
pub struct DecisionTrees {
    roots: Vec<Roots>,
    roots_of: FxHashMap<ClassId, usize>,
    nodes: Vec<DecisionNode>,
    ends: Vec<CallEffect>,
    numbers_of: FxHashMap<Writes, usize>,
    /// Effect of each call of the current operation, by combination of values.
    ends_by_way: Vec<u32>,
    /// Worklist of nodes.
    open: Vec<u32>,
    /// For each effect, the number of the structure on which it last produced nothing new.
    settled: Vec<u64>,
    looked_at: u64,
    uses: Vec<PathStatistics>,
    /// Fields of objects of a class: their words, and whether they are references.
    fields_of: FxHashMap<ClassId, Rc<[(u32, bool)]>>,
    structure: Option<StructureLayout>,
}

/// Layout of the current structure on the heap.
struct StructureLayout {
    start: u32,
    end: u32,
    roots: usize,
    fields: Vec<StructureField>,
    /// For each word from the start, the number of its field, counted from 1.
    numbers: Vec<u32>,
}

/// Path under construction.
#[derive(Default)]
pub struct RecordedPath {
    steps: Vec<(ReadLocation, u64)>,
    arrays: Vec<Ref>,
}

impl Default for DecisionTrees {
    fn default() -> DecisionTrees {
        DecisionTrees {
            roots: Vec::new(),
            roots_of: FxHashMap::default(),
            nodes: Vec::new(),
            ends: vec![
                CallEffect::Open,
                CallEffect::Misuse,
                CallEffect::Writes(Writes::default()),
            ],
            numbers_of: FxHashMap::default(),
            ends_by_way: Vec::new(),
            open: Vec::new(),
            settled: Vec::new(),
            looked_at: 0,
            uses: Vec::new(),
            fields_of: FxHashMap::default(),
            structure: None,
        }
    }
}

impl DecisionTrees {
    /// Makes a structure the current one. Its objects lie on the heap from `start` on and are
    /// unchanged. A structure with further objects, such as strings, is not supported and disables
    /// paths.
    pub fn look_at(&mut self, vm: &Vm, start: u32, root: Ref, objects: &[Ref]) {
        self.structure = None;
        self.looked_at += 1;
        if objects.first() != Some(&root) || objects.iter().any(|object| object.0 < start) {
            return;
        }
        let end = vm.heap.end();
        let mut fields = Vec::new();
        let mut numbers = vec![0; (end - start) as usize];
        let mut words = 0;
        for &object in objects {
            let class = vm.heap.class_of(object);
            words += words_of(vm, object);
            for &(word, is_reference) in self.fields(vm, class).iter() {
                fields.push(StructureField {
                    object,
                    word,
                    is_reference,
                    slot: vm.heap.field(object, word),
                });
                numbers[(object.0 + word - start) as usize] = fields.len() as u32;
            }
        }
        if words != end - start {
            return;
        }
        let unused = self.roots_of.len();
        let roots = *self
            .roots_of
            .entry(vm.heap.class_of(root))
            .or_insert(unused);
        if roots == self.roots.len() {
            self.roots.push(Vec::new());
        }
        self.structure = Some(StructureLayout {
            start,
            end,
            roots,
            fields,
            numbers,
        });
    }

    fn fields(&mut self, vm: &Vm, class: ClassId) -> Rc<[(u32, bool)]> {
        let fields = self.fields_of.entry(class);
        Rc::clone(fields.or_insert_with(|| fields_of(vm, class)))
    }

    /// Looks up the effects of an operation's calls on the current structure, for all combinations
    /// of values. Returns whether paths are available.
    pub fn look_ahead(&mut self, vm: &Vm, operation: usize, ways: u64) -> bool {
        self.ends_by_way.clear();
        let Some(ground) = &self.structure else {
            return false;
        };
        self.ends_by_way.resize(ways as usize, UNKNOWN);
        let root = self.roots[ground.roots].get(operation).copied().flatten();
        self.open.extend(root);
        while let Some(number) = self.open.pop() {
            let node = &self.nodes[number as usize];
            for &(way, end) in &node.ends {
                self.ends_by_way[way as usize] = end;
                self.uses[operation].saved += u64::from(end != OPEN);
            }
            for (question, edges) in &node.asks {
                let answer = ground.answer(vm, *question);
                let edge = edges.iter().find(|edge| edge.0 == answer);
                self.open.extend(edge.map(|edge| edge.1));
            }
        }
        true
    }

    /// Returns the number of the effect of a call of the current operation; `None` if it is
    /// unknown.
    #[inline]
    pub fn end_of(&self, way: u64) -> Option<usize> {
        let end = self.ends_by_way.get(way as usize).copied();
        end.filter(|&end| end != UNKNOWN).map(|end| end as usize)
    }

    /// Whether this effect changes nothing.
    #[inline]
    pub fn is_nothing(end: usize) -> bool {
        end == NOTHING as usize
    }

    /// Number of calls that recorded paths made unnecessary.
    #[must_use]
    pub fn saved(&self) -> u64 {
        self.uses.iter().map(|used| used.saved).sum()
    }

    /// Returns an effect by its number.
    pub fn end(&self, number: usize) -> &CallEffect {
        &self.ends[number]
    }

    /// Whether finding a path of an operation on the current structure is worth its cost.
    pub fn is_worth_it(&mut self, operation: usize) -> bool {
        if operation >= self.uses.len() {
            self.uses.resize(operation + 1, PathStatistics::default());
        }
        let used = self.uses[operation];
        self.structure.is_some()
            && (used.kept < TRIAL || used.saved >= WORTH * used.kept)
            && self.nodes.len() < MOST_NODES
    }

    /// Makes all fields of the structure unset and returns the first choice variable.
    pub fn unset(&self, vm: &mut Vm) -> u32 {
        let mut first = None;
        for field in self.structure.iter().flat_map(|ground| &ground.fields) {
            let variable = vm.add_variable(field.object, Place::Field(field.word));
            first.get_or_insert(variable);
        }
        first.unwrap_or(0)
    }

    /// Sets a requested field to its value and records the read in the path.
    pub fn answer(&self, vm: &mut Vm, number: u32, path: &mut RecordedPath) {
        let Some(ground) = &self.structure else {
            return;
        };
        let field = ground.fields[number as usize];
        vm.choose(field.object, Place::Field(field.word), field.slot);
        let reading = match field.is_reference {
            true => Reading::Reference,
            false => Reading::Slot,
        };
        let question = (field.object.0 + field.word - ground.start, reading);
        path.steps.push((question, ground.answer(vm, question)));
        if field.is_reference {
            ground.read_array(vm, Ref::from_slot(field.slot), path);
        }
    }

    /// Returns the writes of a call to the structure since the newest mark, most of whose fields
    /// are unset. Writes that cannot be represented give [`CallEffect::Open`].
    pub fn writes(&self, vm: &Vm) -> CallEffect {
        let Some(ground) = &self.structure else {
            return CallEffect::Open;
        };
        let mut words: Vec<u32> = vm
            .changed_words()
            .filter(|word| (ground.start..ground.end).contains(word))
            .collect();
        words.sort_unstable();
        words.dedup();
        let mut fields = Vec::new();
        let mut made = Vec::new();
        for word in words {
            let at = word - ground.start;
            let Some(number) = ground.numbers[at as usize].checked_sub(1) else {
                return CallEffect::Open;
            };
            let field = ground.fields[number as usize];
            let slot = vm.heap.load(word);
            if slot == field.slot || vm.is_unset_place(field.object, Place::Field(field.word)) {
                continue;
            }
            fields.push((at, ground.written(vm, slot, field.is_reference, &mut made)));
        }
        let mut objects = Vec::new();
        while let Some(&object) = made.get(objects.len()) {
            let class = vm.heap.class_of(object);
            let fields = fields_of(vm, class);
            let is_unset = |&(word, _): &(u32, bool)| vm.is_unset_place(object, Place::Field(word));
            if made.len() > MOST_MADE
                || vm.class(class).shape != Shape::Instance
                || fields.iter().any(is_unset)
            {
                return CallEffect::Open;
            }
            let written = fields.iter().map(|&(word, is_reference)| {
                let slot = vm.heap.field(object, word);
                (word, ground.written(vm, slot, is_reference, &mut made))
            });
            objects.push((class, written.collect()));
        }
        CallEffect::Writes(Writes {
            made: objects.into(),
            fields: fields.into(),
        })
    }

    /// Records that this effect produces nothing new on the current structure.
    pub fn settle(&mut self, end: usize) {
        if end >= self.settled.len() {
            self.settled.resize(self.ends.len(), 0);
        }
        self.settled[end] = self.looked_at;
    }

    /// Applies the known writes of a call, unless they produce nothing new.
    ///
    /// # Errors
    /// The heap is full.
    pub fn write(&self, vm: &mut Vm, end: usize) -> Result<(), HeapFull> {
        if self.settled.get(end) == Some(&self.looked_at) {
            return Ok(());
        }
        let start = self.structure.as_ref().map_or(0, |ground| ground.start);
        let CallEffect::Writes(Writes { made, fields }) = &self.ends[end] else {
            return Ok(());
        };
        let mut objects = Vec::new();
        for &(class, _) in made {
            let words = vm.class(class).instance_words;
            objects.push(vm.heap.allocate(class, words, false)?);
        }
        let slot = |written| match written {
            WrittenValue::Slot(slot) => slot,
            WrittenValue::Object(at) => Ref(start + at).slot(),
            WrittenValue::Made(number) => objects[number as usize].slot(),
        };
        for ((_, fields), &object) in made.iter().zip(&objects) {
            for &(word, written) in fields {
                vm.heap.set_field(object, word, slot(written));
            }
        }
        for &(word, written) in fields {
            vm.heap.store(start + word, slot(written));
        }
        Ok(())
    }

    /// Records the effect of a call on the current structure and returns the effect's number.
    pub fn keep(
        &mut self,
        operation: usize,
        way: u64,
        path: &RecordedPath,
        end: CallEffect,
    ) -> usize {
        let Some(ground) = &self.structure else {
            return 0;
        };
        self.uses[operation].kept += 1;
        let end = match end {
            CallEffect::Open => OPEN,
            CallEffect::Misuse => MISUSE,
            CallEffect::Writes(ref writes) if writes.is_nothing() => NOTHING,
            CallEffect::Writes(writes) => {
                let unused = self.ends.len();
                let number = *self.numbers_of.entry(writes.clone()).or_insert(unused);
                if number == unused {
                    self.ends.push(CallEffect::Writes(writes));
                }
                number as u32
            }
        };
        let roots = &mut self.roots[ground.roots];
        if roots.len() <= operation {
            roots.resize(operation + 1, None);
        }
        let nodes = &mut self.nodes;
        let add = |nodes: &mut Vec<DecisionNode>| {
            nodes.push(DecisionNode::default());
            nodes.len() as u32 - 1
        };
        let mut at = *roots[operation].get_or_insert_with(|| add(nodes));
        for &(question, answer) in &path.steps {
            if let Some(next) = nodes[at as usize].next(question, answer) {
                at = next;
                continue;
            }
            let next = add(nodes);
            let asks = &mut nodes[at as usize].asks;
            match asks.iter_mut().find(|asks| asks.0 == question) {
                Some((_, edges)) => edges.push((answer, next)),
                None => asks.push((question, vec![(answer, next)])),
            }
            at = next;
        }
        nodes[at as usize].ends.push((way as u32, end));
        end as usize
    }
}

impl StructureLayout {
    /// Encodes a slot that a call wrote; an object that the call created gets a number.
    fn written(&self, vm: &Vm, slot: u64, is_reference: bool, made: &mut Vec<Ref>) -> WrittenValue {
        let target = Ref::from_slot(slot);
        if !is_reference || target.0 < self.start || vm.heap.is_permanent(target) {
            return WrittenValue::Slot(slot);
        }
        if target.0 < self.end {
            return WrittenValue::Object(target.0 - self.start);
        }
        let known = made.iter().position(|&object| object == target);
        WrittenValue::Made(known.unwrap_or_else(|| {
            made.push(target);
            made.len() - 1
        }) as u32)
    }

    /// Encodes the value of a word; a reference includes the class of its target.
    fn answer(&self, vm: &Vm, (at, reading): ReadLocation) -> u64 {
        let word = vm.heap.load(self.start + at);
        match reading {
            Reading::Slot => word,
            Reading::Reference => self.target(vm, word as u32),
            Reading::High => self.target(vm, (word >> 32) as u32),
        }
    }

    fn target(&self, vm: &Vm, target: u32) -> u64 {
        match (self.start..self.end).contains(&target) {
            true => {
                let class = vm.heap.class_of(Ref(target)).0;
                1 << 63 | u64::from(target - self.start) << 32 | u64::from(class)
            }
            false => u64::from(target),
        }
    }

    /// Records all elements of an array of the structure, recursively for nested arrays.
    fn read_array(&self, vm: &Vm, array: Ref, path: &mut RecordedPath) {
        if !(self.start..self.end).contains(&array.0) || path.arrays.contains(&array) {
            return;
        }
        let class = vm.heap.class_of(array);
        let Shape::Array(_) = vm.class(class).shape else {
            return;
        };
        path.arrays.push(array);
        let mut ask = |word: u32, reading| {
            let question = (word - self.start, reading);
            path.steps.push((question, self.answer(vm, question)));
        };
        let elements = array.0 + ELEMENTS..array.0 + words_of(vm, array);
        ask(array.0 + 1, Reading::Slot);
        if vm.array_element_kind(class) != Kind::Reference {
            elements.for_each(|word| ask(word, Reading::Slot));
            return;
        }
        for word in elements.clone() {
            ask(word, Reading::Reference);
            ask(word, Reading::High);
        }
        for word in elements {
            let slot = vm.heap.load(word);
            self.read_array(vm, Ref(slot as u32), path);
            self.read_array(vm, Ref((slot >> 32) as u32), path);
        }
    }
}

/// Fields of objects of a class: their words, and whether they are references.
fn fields_of(vm: &Vm, class: ClassId) -> Rc<[(u32, bool)]> {
    let classes = vm.class(class).display.iter();
    let fields = classes.flat_map(|&above| &vm.class(above).fields);
    fields
        .filter(|field| !field.is_static())
        .map(|field| (field.word, field.kind == Kind::Reference))
        .collect()
}

/// Number of words that an object occupies.
fn words_of(vm: &Vm, object: Ref) -> u32 {
    let class = vm.heap.class_of(object);
    match vm.class(class).shape {
        Shape::Array(_) => {
            let bytes = vm.array_element_kind(class).element_bytes();
            let bytes = u64::from(vm.heap.array_length(object)) * u64::from(bytes);
            ELEMENTS + bytes.div_ceil(8) as u32
        }
        _ => vm.class(class).instance_words,
    }
}
