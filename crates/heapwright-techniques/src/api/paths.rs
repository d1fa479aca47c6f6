//! What calls on one structure read of it, and what they came to.
//!
//! A call is deterministic: on two structures that hold the same wherever it looks, it does the same.
//! So a call is made once with the fields of its receiver unset ([`Choosing`]), which shows what it
//! reads and in which order. What it read, and what it came to, is kept as a path in a tree of
//! questions; on a structure with the same answers the call is not made again: it is known to throw
//! the same, to write the same, or to leave everything as it was. This is the pruning of Boyapati et
//! al. 2002 with methods of the API in the place of the invariant.
//!
//! Objects are told apart by where they stand, counted from the structure's first word, and by their
//! class. Arrays are read as a whole with the reference that leads to them.

use std::rc::Rc;

use heapwright_jvm::class::Shape;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::heap::ELEMENTS;
use heapwright_jvm::{ClassId, Place, Ref, Vm};
use rustc_hash::FxHashMap;

/// Paths of an operation that are kept before it is asked whether they are worth it.
const TRIAL: u64 = 256;
/// How many calls a path that is kept must have saved, on average: to find one takes as long as some
/// calls do.
const WORTH: u64 = 2;
/// Most nodes of all trees.
const MOST_NODES: usize = 1 << 22;

/// What a call came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Something that depends on more: the call is to be made.
    Open,
    /// It threw an exception that is misuse.
    Misuse,
    /// It ended and left these fields changed, by their word counted from the structure's first, and
    /// nothing else that is kept.
    Writes(Box<[(u32, Written)]>),
}

/// What a call wrote into a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Written {
    /// A slot that is the same in all structures.
    Slot(u64),
    /// A reference to the object of the structure that stands so many words from its first.
    Object(u32),
}

/// How a word is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    /// As it is.
    Slot,
    /// As a reference, in its low half.
    Reference,
    /// As a reference in its high half: every other element of an array.
    High,
}

/// A word, counted from the structure's first, and how it is read.
type Question = (u32, Reading);

/// What is asked next, and where each answer leads.
struct Node {
    question: Question,
    edges: Vec<(u64, Step)>,
}

/// A node, or the end of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Step(u32);

impl Step {
    const NOWHERE: Step = Step(u32::MAX);
    const END: u32 = 1 << 31;
    const OPEN: Step = Step(Step::END);
    const MISUSE: Step = Step(Step::END | 1);
    const NOTHING: Step = Step(Step::END | 2);

    fn end(self) -> Option<usize> {
        self.0.checked_sub(Step::END).map(|number| number as usize)
    }
}

/// What is known of an operation.
#[derive(Clone, Copy, Default)]
struct Use {
    kept: u64,
    saved: u64,
}

/// A field of the structure that is looked at.
#[derive(Clone, Copy)]
pub struct Field {
    object: Ref,
    word: u32,
    is_reference: bool,
    /// What it holds.
    slot: u64,
}

/// Where paths begin, for receivers of one class: by operation and way.
type Roots = Vec<Vec<Step>>;

/// What calls read and came to, on one machine.
pub struct Paths {
    roots: Vec<Roots>,
    roots_of: FxHashMap<ClassId, usize>,
    nodes: Vec<Node>,
    ends: Vec<End>,
    numbers_of: FxHashMap<Box<[(u32, Written)]>, usize>,
    /// For each end on which structure, as they are counted, it last left nothing new.
    settled: Vec<u64>,
    looked_at: u64,
    uses: Vec<Use>,
    /// The fields of objects of a class: their words, and whether they are references.
    fields_of: FxHashMap<ClassId, Rc<[(u32, bool)]>>,
    structure: Option<Ground>,
}

/// Where the structure stands.
struct Ground {
    start: u32,
    end: u32,
    roots: usize,
    fields: Vec<Field>,
    /// For each word from the start on the number of the field there, from 1.
    numbers: Vec<u32>,
}

/// A path that is being found.
#[derive(Default)]
pub struct Path {
    steps: Vec<(Question, u64)>,
    arrays: Vec<Ref>,
}

impl Default for Paths {
    fn default() -> Paths {
        Paths {
            roots: Vec::new(),
            roots_of: FxHashMap::default(),
            nodes: Vec::new(),
            ends: vec![End::Open, End::Misuse, End::Writes([].into())],
            numbers_of: FxHashMap::default(),
            settled: Vec::new(),
            looked_at: 0,
            uses: Vec::new(),
            fields_of: FxHashMap::default(),
            structure: None,
        }
    }
}

impl Paths {
    /// Looks at a structure: the objects that were made since the heap ended at `start`, none of which
    /// is changed yet. One with further objects, such as strings, is none to go by.
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
                fields.push(Field {
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
        self.structure = Some(Ground {
            start,
            end,
            roots,
            fields,
            numbers,
        });
    }

    fn fields(&mut self, vm: &Vm, class: ClassId) -> Rc<[(u32, bool)]> {
        let fields = self.fields_of.entry(class).or_insert_with(|| {
            let classes = vm.class(class).display.iter();
            let fields = classes.flat_map(|&above| &vm.class(above).fields);
            fields
                .filter(|field| !field.is_static())
                .map(|field| (field.word, field.kind == Kind::Reference))
                .collect()
        });
        Rc::clone(fields)
    }

    /// The number of what a call on the structure looked at comes to; nothing if that is not known.
    pub fn end_of(&mut self, vm: &Vm, operation: usize, way: u64) -> Option<usize> {
        let ground = self.structure.as_ref()?;
        let mut step = *self.roots[ground.roots].get(operation)?.get(way as usize)?;
        loop {
            if let Some(end) = step.end() {
                self.uses[operation].saved += u64::from(*self.ends.get(end)? != End::Open);
                return Some(end);
            }
            let node = &self.nodes[step.0 as usize];
            let answer = ground.answer(vm, node.question);
            let mut edges = node.edges.iter();
            step = edges.find(|edge| edge.0 == answer)?.1;
        }
    }

    /// How many calls were foreseen on paths that had been kept.
    #[must_use]
    pub fn saved(&self) -> u64 {
        self.uses.iter().map(|used| used.saved).sum()
    }

    /// What a call comes to, by its number.
    pub fn end(&self, number: usize) -> &End {
        &self.ends[number]
    }

    /// Whether a path of an operation on the structure looked at is worth finding.
    pub fn is_worth_it(&mut self, operation: usize) -> bool {
        if operation >= self.uses.len() {
            self.uses.resize(operation + 1, Use::default());
        }
        let used = self.uses[operation];
        self.structure.is_some()
            && (used.kept < TRIAL || used.saved >= WORTH * used.kept)
            && self.nodes.len() < MOST_NODES
    }

    /// Makes all fields of the structure unset. Says which choice variable is the first.
    pub fn unset(&self, vm: &mut Vm) -> u32 {
        let mut first = None;
        for field in self.structure.iter().flat_map(|ground| &ground.fields) {
            let variable = vm.add_variable(field.object, Place::Field(field.word));
            first.get_or_insert(variable);
        }
        first.unwrap_or(0)
    }

    /// Gives a field that is needed its value, and notes that in the path.
    pub fn answer(&self, vm: &mut Vm, number: u32, path: &mut Path) {
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

    /// What a call wrote into the structure since the newest mark, most of whose fields are unset;
    /// nothing if it is not to be said in words.
    pub fn writes(&self, vm: &Vm) -> End {
        let Some(ground) = &self.structure else {
            return End::Open;
        };
        let mut words: Vec<u32> = vm
            .changed_words()
            .filter(|word| (ground.start..ground.end).contains(word))
            .collect();
        words.sort_unstable();
        words.dedup();
        let mut writes = Vec::new();
        for word in words {
            let at = word - ground.start;
            let Some(number) = ground.numbers[at as usize].checked_sub(1) else {
                return End::Open;
            };
            let field = ground.fields[number as usize];
            let slot = vm.heap.load(word);
            if slot == field.slot || vm.is_unset_place(field.object, Place::Field(field.word)) {
                continue;
            }
            let written = match Ref::from_slot(slot) {
                _ if !field.is_reference => Written::Slot(slot),
                target if target.0 < ground.start || vm.heap.is_permanent(target) => {
                    Written::Slot(slot)
                }
                target if target.0 < ground.end => Written::Object(target.0 - ground.start),
                _ => return End::Open,
            };
            writes.push((at, written));
        }
        End::Writes(writes.into())
    }

    /// Notes that a call which comes to this leaves nothing new of the structure looked at.
    pub fn settle(&mut self, end: usize) {
        if end >= self.settled.len() {
            self.settled.resize(self.ends.len(), 0);
        }
        self.settled[end] = self.looked_at;
    }

    /// Writes what a call is known to write, if something new may come of it.
    pub fn write(&self, vm: &mut Vm, end: usize) {
        if self.settled.get(end) == Some(&self.looked_at) {
            return;
        }
        let start = self.structure.as_ref().map_or(0, |ground| ground.start);
        let End::Writes(writes) = &self.ends[end] else {
            return;
        };
        for &(word, written) in writes.iter() {
            let slot = match written {
                Written::Slot(slot) => slot,
                Written::Object(at) => Ref(start + at).slot(),
            };
            vm.heap.store(start + word, slot);
        }
    }

    /// Keeps what a call on the structure looked at came to, and numbers it.
    pub fn keep(&mut self, operation: usize, way: u64, path: &Path, end: End) -> usize {
        let Some(ground) = &self.structure else {
            return 0;
        };
        self.uses[operation].kept += 1;
        let roots = &mut self.roots[ground.roots];
        let (operation, way) = (operation, way as usize);
        if roots.len() <= operation {
            roots.resize(operation + 1, Vec::new());
        }
        if roots[operation].len() <= way {
            roots[operation].resize(way + 1, Step::NOWHERE);
        }
        let end = match end {
            End::Open => Step::OPEN,
            End::Misuse => Step::MISUSE,
            End::Writes(ref writes) if writes.is_empty() => Step::NOTHING,
            End::Writes(writes) => {
                let unused = self.ends.len();
                let number = *self.numbers_of.entry(writes.clone()).or_insert(unused);
                if number == unused {
                    self.ends.push(End::Writes(writes));
                }
                Step(Step::END + number as u32)
            }
        };
        // What follows the last edge that is there already: the rest of the path, made from its end.
        let mut step = roots[operation][way];
        let mut at = None;
        let mut known = 0;
        while step.end().is_none() && known < path.steps.len() {
            let node = &self.nodes[step.0 as usize];
            let mut edges = node.edges.iter();
            let edge = edges.find(|edge| edge.0 == path.steps[known].1);
            at = Some((step, path.steps[known].1));
            step = edge.map_or(Step::NOWHERE, |edge| edge.1);
            known += 1;
        }
        let mut rest = end;
        for &(question, answer) in path.steps[known..].iter().rev() {
            self.nodes.push(Node {
                question,
                edges: vec![(answer, rest)],
            });
            rest = Step(self.nodes.len() as u32 - 1);
        }
        match at {
            Some((node, answer)) => self.nodes[node.0 as usize].edges.push((answer, rest)),
            None => self.roots[ground.roots][operation][way] = rest,
        }
        end.end().unwrap_or(0)
    }
}

impl Ground {
    /// What stands in a word: a reference with the class of its target.
    fn answer(&self, vm: &Vm, (at, reading): Question) -> u64 {
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

    /// Notes all that an array of the structure holds, and the arrays in it.
    fn read_array(&self, vm: &Vm, array: Ref, path: &mut Path) {
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

/// How many words an object takes.
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
