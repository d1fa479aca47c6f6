//! Abstract final state of a path, as far as later statements can observe it: the reachable
//! objects, up to isomorphism, and the path's conditions on their values.
//!
//! Objects are numbered in the order of traversal from the roots, variables by the first term that
//! contains them. A condition that is not connected with any of these variables says nothing about
//! the state.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use heapwright_jvm::class::Shape;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::term_of;
use heapwright_jvm::{ClassId, Place, Ref, Vm};
use heapwright_solve::smt::{Node, Term, TermPool};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::SymbolicSearch;
use super::machine::REFERENCES;

/// Most words of a state's shape.
const MAX_WORDS: usize = 20_000;

/// Final state of a path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PathState {
    /// Classes, references and values, in the order of traversal. A term is represented by a mark,
    /// one for each sort.
    pub(super) shape: Arc<[u64]>,
    /// Definitions of terms; operands precede the terms that use them.
    pub(super) nodes: Vec<Node>,
    /// Terms of the shape, in order.
    pub(super) terms: Vec<Term>,
    /// Conditions of the path on the terms.
    pub(super) conditions: Vec<Term>,
    sketch: u64,
}

impl PathState {
    /// Coarse hash of the state. It covers which fields of which classes hold null, an object of
    /// which class, a negative number, zero, a positive or an open one. The number of objects and
    /// their connections do not matter.
    #[must_use]
    pub fn sketch(&self) -> u64 {
        self.sketch
    }

    /// Memory in bytes, without the shape, which other states may share.
    pub(super) fn bytes(&self) -> usize {
        size_of::<PathState>()
            + size_of_val(&self.nodes[..])
            + size_of_val(&self.terms[..])
            + size_of_val(&self.conditions[..])
    }
}

/// Tags in a shape. Each value follows a tag, so encodings are unambiguous.
#[repr(u64)]
enum ShapeTag {
    Value,
    Term,
    Null,
    Met,
    Object,
    Array,
    Constant,
    Open,
    MetOpen,
    Choice,
}

impl SymbolicSearch<'_> {
    /// Returns the final state of the path, as observable from these objects and the static fields
    /// of these classes. `None` if it is too large or cannot be represented. `kinds` further
    /// distinguishes states and must agree for states to be compared.
    #[must_use]
    pub fn state(
        &self,
        vm: &Vm,
        kinds: &[u64],
        roots: &[Ref],
        statics: &[ClassId],
    ) -> Option<PathState> {
        let mut reader = StateReader {
            search: self,
            vm,
            shape: kinds.to_vec(),
            numbers: FxHashMap::default(),
            queue: Vec::new(),
            open: FxHashMap::default(),
            terms: Vec::new(),
            traits: BTreeSet::new(),
        };
        for &root in roots {
            reader.reference(root.slot())?;
            reader.has((
                ShapeTag::Object as u64,
                reader.look(root.slot(), Kind::Reference),
            ));
        }
        for &class in statics {
            for field in vm
                .class(class)
                .fields
                .iter()
                .filter(|field| field.is_static())
            {
                let slot = vm.heap.load(field.word);
                reader.has((field.word, reader.look(slot, field.kind)));
                reader.slot(slot, field.kind)?;
            }
        }
        let mut place = 0;
        while let Some(&object) = reader.queue.get(place) {
            reader.object(object)?;
            place += 1;
        }
        let sketch = hash_of(&reader.traits);
        let (shape, terms) = (reader.shape, reader.terms);
        let exported = self.exported(shape, &terms);
        Some(PathState { sketch, ..exported })
    }

    fn exported(&self, shape: Vec<u64>, terms: &[Term]) -> PathState {
        let pool = &self.machine.pool;
        let mut exporter = Exporter {
            pool,
            nodes: Vec::new(),
            known: FxHashMap::default(),
            variables: FxHashMap::default(),
        };
        let terms: Vec<Term> = terms.iter().map(|&term| exporter.export(term)).collect();
        let mut left: Vec<Term> = self.machine.solver.conditions().to_vec();
        let mut conditions = Vec::new();
        loop {
            let before = left.len();
            left.retain(|&condition| {
                let variables = pool.variables(condition);
                let bears = variables
                    .iter()
                    .any(|variable| exporter.variables.contains_key(variable));
                if bears {
                    conditions.push(exporter.export(condition));
                }
                !bears
            });
            if left.len() == before {
                break;
            }
        }
        let mut seen = FxHashSet::default();
        conditions.retain(|&condition| seen.insert(condition));
        PathState {
            shape: shape.into(),
            nodes: exporter.nodes,
            terms,
            conditions,
            sketch: 0,
        }
    }
}

fn hash_of(what: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    what.hash(&mut hasher);
    hasher.finish()
}

struct StateReader<'a, 'b> {
    search: &'a SymbolicSearch<'b>,
    vm: &'a Vm,
    shape: Vec<u64>,
    numbers: FxHashMap<Ref, u64>,
    queue: Vec<Ref>,
    open: FxHashMap<u32, u64>,
    terms: Vec<Term>,
    /// Features that the sketch is computed from.
    traits: BTreeSet<u64>,
}

impl StateReader<'_, '_> {
    fn has(&mut self, what: impl Hash) {
        self.traits.insert(hash_of(&what));
    }

    /// Coarse description of a slot, for the sketch.
    fn look(&self, slot: u64, kind: Kind) -> u64 {
        let references = &self.search.machine.references;
        if kind == Kind::Reference {
            let slot = references.current(slot);
            return match (term_of(slot), Ref::from_slot(slot)) {
                (Some(_), _) => ShapeTag::Open as u64,
                (None, object) if object.is_null() => ShapeTag::Null as u64,
                (None, object) => u64::from(self.vm.heap.class_of(object).0) << 8,
            };
        }
        let fixed = match term_of(slot).filter(|&number| number < REFERENCES) {
            Some(number) => self.search.machine.fixed(number),
            None => Some(slot),
        };
        let sign = |bits: u64| match kind.words() {
            2 => (bits as i64).signum(),
            _ => i64::from((bits as u32 as i32).signum()),
        };
        fixed.map_or(ShapeTag::Term as u64, |bits| sign(bits) as u64 & 3)
    }

    fn value(&mut self, slot: u64, kind: Kind) {
        let number = term_of(slot).filter(|&number| number < REFERENCES);
        match number {
            None => {
                let bits = if kind.words() == 2 {
                    slot
                } else {
                    slot & 0xFFFF_FFFF
                };
                self.shape.extend([ShapeTag::Value as u64, bits]);
            }
            Some(number) => match self.search.machine.fixed(number) {
                Some(bits) => self.shape.extend([ShapeTag::Value as u64, bits]),
                None => self.term(Term::from_number(number)),
            },
        }
    }

    fn term(&mut self, term: Term) {
        let sort = self.search.machine.pool.sort(term);
        self.shape.extend([ShapeTag::Term as u64, sort as u64]);
        self.terms.push(term);
    }

    fn reference(&mut self, slot: u64) -> Option<()> {
        let references = &self.search.machine.references;
        let slot = references.current(slot);
        let Some(number) = term_of(slot) else {
            self.known(Ref::from_slot(slot));
            return Some(());
        };
        if let Some(open) = references.open(number) {
            let (bound, is_null) = (open.bound, open.is_null);
            if self.search.machine.settled(is_null) == Some(true) {
                self.shape.push(ShapeTag::Null as u64);
                return Some(());
            }
            let next = self.open.len() as u64;
            match self.open.get(&number) {
                Some(&met) => self.shape.extend([ShapeTag::MetOpen as u64, met]),
                None => {
                    self.open.insert(number, next);
                    self.shape
                        .extend([ShapeTag::Open as u64, u64::from(bound.0)]);
                    match self.search.machine.settled(is_null) {
                        Some(_) => self.shape.push(ShapeTag::Value as u64),
                        None => self.term(is_null),
                    }
                }
            }
            return Some(());
        }
        let alternatives = references.alternatives(number).to_vec();
        if alternatives.is_empty() {
            return None;
        }
        self.shape
            .extend([ShapeTag::Choice as u64, alternatives.len() as u64]);
        for (condition, slot) in alternatives {
            match self.search.machine.settled(condition) {
                Some(holds) => self
                    .shape
                    .extend([ShapeTag::Value as u64, u64::from(holds)]),
                None => self.term(condition),
            }
            self.reference(slot)?;
        }
        Some(())
    }

    fn known(&mut self, object: Ref) {
        if object.is_null() {
            self.shape.push(ShapeTag::Null as u64);
            return;
        }
        if let Some(&number) = self.numbers.get(&object) {
            self.shape.extend([ShapeTag::Met as u64, number]);
            return;
        }
        let class = self.vm.heap.class_of(object);
        if self.vm.heap.is_permanent(object)
            || !self.vm.class(class).display.is_empty() && self.is_named(class)
        {
            self.shape
                .extend([ShapeTag::Constant as u64, object.slot()]);
            return;
        }
        self.numbers.insert(object, self.numbers.len() as u64);
        self.shape
            .extend([ShapeTag::Object as u64, u64::from(class.0)]);
        self.queue.push(object);
    }

    /// Whether objects of a class are identified by name: mirrors of classes.
    fn is_named(&self, class: ClassId) -> bool {
        self.vm.class_name(class) == "java/lang/Class"
    }

    fn object(&mut self, object: Ref) -> Option<()> {
        if self.shape.len() > MAX_WORDS {
            return None;
        }
        let (vm, class) = (self.vm, self.vm.heap.class_of(object));
        // Identity hashes determine the order of hash tables.
        self.shape.push(u64::from(vm.heap.identity_hash(object)));
        if matches!(vm.class(class).shape, Shape::Array(_)) {
            if vm.contents(object).is_some() {
                return None;
            }
            let kind = vm.array_element_kind(class);
            self.shape.push(ShapeTag::Array as u64);
            self.value(vm.slot_of_place(object, Place::Length), Kind::Int);
            let room = vm.heap.array_length(object);
            self.shape.push(u64::from(room));
            for index in 0..room {
                let slot = vm.slot_of_place(object, Place::Element(index));
                self.has((class.0, self.look(slot, kind)));
                self.slot(slot, kind)?;
                if self.shape.len() > MAX_WORDS {
                    return None;
                }
            }
            return Some(());
        }
        let fields = vm.class(class).display.iter();
        let fields = fields.flat_map(|&class| &vm.class(class).fields);
        for field in fields.filter(|field| !field.is_static()) {
            let slot = vm.heap.field(object, field.word);
            self.has((class.0, field.word, self.look(slot, field.kind)));
            self.slot(slot, field.kind)?;
        }
        Some(())
    }

    fn slot(&mut self, slot: u64, kind: Kind) -> Option<()> {
        match kind {
            Kind::Reference => self.reference(slot),
            kind => {
                self.value(slot, kind);
                Some(())
            }
        }
    }
}

struct Exporter<'a> {
    pool: &'a TermPool,
    nodes: Vec<Node>,
    known: FxHashMap<Term, Term>,
    /// New numbers of the variables.
    variables: FxHashMap<u32, u32>,
}

impl Exporter<'_> {
    fn export(&mut self, term: Term) -> Term {
        let mut open = vec![term];
        while let Some(&term) = open.last() {
            if self.known.contains_key(&term) {
                open.pop();
                continue;
            }
            let node = *self.pool.node(term);
            let before = open.len();
            let missing = node
                .operands()
                .filter(|operand| !self.known.contains_key(operand));
            open.extend(missing);
            if open.len() > before {
                continue;
            }
            let of = |operand: Term| self.known[&operand];
            let node = match node {
                Node::Const { .. } => node,
                Node::Var { number, input } => {
                    let next = self.variables.len() as u32;
                    let number = *self.variables.entry(number).or_insert(next);
                    Node::Var { number, input }
                }
                Node::Unary(operation, a) => Node::Unary(operation, of(a)),
                Node::Binary(operation, a, b) => Node::Binary(operation, of(a), of(b)),
                Node::Ite(a, b, c) => Node::Ite(of(a), of(b), of(c)),
            };
            let number = Term::from_number(self.nodes.len() as u32);
            self.nodes.push(node);
            self.known.insert(term, number);
            open.pop();
        }
        self.known[&term]
    }
}
