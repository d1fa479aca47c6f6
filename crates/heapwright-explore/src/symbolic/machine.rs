//! Symbolic machine: the meaning of a symbolic slot when primitive values keep their full range.
//!
//! A slot's number is a term of the pool or, from [`REFERENCES`] up, a reference. Invariant: the
//! machine never decides. It stores a condition that the path does not settle as `open`. The search
//! queries the solver, makes the path settle the condition, and the instruction runs again.

use std::rc::Rc;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::{is_symbolic, symbolic_slot, term_of};
use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::replaced::{
    CharacterTable, DeferredMapChange, Elementary, ElementsText, MatchKind, Members, TableKey,
    Text, TextElements, TextQuery,
};
use heapwright_jvm::{
    ArrayTerms, ClassId, Comparison, ConditionTruth, InputRequest, Machine, MethodId, Operation,
    Ref,
};
use heapwright_solve::smt::{
    self, Binary, Limits, Node, PathSolver, Sort, Term, TermPool, Unary, VariableRange,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::contents::{Contents, ContentsMark, ContentsStore};
use super::elementary::AbstractResult;
use super::identity::{GivenValue, Identity};
use super::inputs::InputBounds;
use super::names::Name;
use super::probe_queries::{Event, NotedOperands, ProbeQuery};
use super::references::{DeferredText, OpenReference, References};
use super::steering::{DepthFirst, Steering};
use super::texts::TextEntry;

/// Number of the first reference; terms of the pool have smaller numbers.
pub(super) const REFERENCES: u32 = 1 << 31;

/// Most runs of equal elements that an open index selects from; beyond this the index is fixed
/// first.
const MAX_RUNS: usize = 256;

/// Most alternatives of one reference; beyond this the index that selects is fixed.
const MAX_ALTERNATIVES: usize = 4096;

/// Position to which the machine can be restored.
#[derive(Clone, Debug)]
pub struct MachineMark {
    solver: smt::PathMark,
    without_lengths: Option<smt::PathMark>,
    pool: usize,
    known: usize,
    decisions: usize,
    references: (usize, usize),
    variables: usize,
    steering: usize,
    events: usize,
    asked: usize,
    numbers: usize,
    contents: ContentsMark,
    results: usize,
    texts: usize,
    given: usize,
    inputs: usize,
    identities: usize,
}

/// Input that the program asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedInput {
    /// Method of the program and bytecode index of the call.
    pub site: (MethodId, u16),
    /// Name that the program gives it, if any.
    pub name: Option<String>,
    /// Kind of the value; that of a string is [`Kind::Reference`].
    pub kind: Kind,
    /// Value.
    pub slot: u64,
    /// Whether the value comes from outside of the program, which has not asked for an input.
    pub is_outside: bool,
}

/// Number in a string at whose characters nothing has looked, or none: an abstraction, since the
/// string may be any other.
#[derive(Clone, Debug)]
pub(super) struct AbstractNumber {
    /// Reference to the string.
    pub text: u32,
    pub kind: Kind,
    pub radix: u64,
    /// Variable that is 1 if there is a number, else 0.
    pub is_number: u64,
    /// The number.
    pub value: u64,
}

/// Printable ASCII characters, and the range of letters preferred among them.
const READABLE: std::ops::Range<u32> = 0x20..0x7F;
const FIRST_LETTER: u32 = 'a' as u32;
const LETTERS: u32 = 26;

/// Number of variable kinds that the numbering of variables distinguishes.
const KINDS: u32 = 16;

/// Variable, with its meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Number in the pool. A number has one range in the solver permanently, but variables created
    /// at the same position of two paths may have two. Each kind therefore has its own numbers.
    pub number: u32,
    /// Access path in a program: `this.size`, `a[2]`, `s.length`.
    pub name: Name,
    /// Kind of the value.
    pub kind: Kind,
    /// Whether the variable encodes, as 0 or 1, that the reference with this name is null or an
    /// object.
    pub is_nullness: bool,
    /// Whether the variable is a character: a `char`, or a byte of a string.
    pub is_character: bool,
    /// Whether the variable is the coder of a string, 0 for Latin-1.
    pub is_coder: bool,
}

/// Decision on a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A condition holds.
    Holds(Term),
    /// The reference with this name is the existing input with the second name.
    Same(Name, Name),
    /// The reference with this name is an object that existed before the run.
    Known(Name, Ref),
    /// The reference with this name is a new object of this class.
    New(Name, ClassId),
}

/// Object that is an input.
#[derive(Clone, Copy, Debug)]
pub(super) struct InputObject {
    pub object: Ref,
    /// Type of the input.
    pub bound: ClassId,
    /// Whether there may be, in its place, objects of classes that are not on the class path.
    pub has_others: bool,
}

/// Open values, and the constraints of the path on them.
pub(super) struct SymbolicMachine {
    pub pool: TermPool,
    pub solver: PathSolver,
    /// Solver for the path without the bounds of lengths, present if cuts are recorded.
    pub without_lengths: Option<PathSolver>,
    pub references: References,
    pub variables: Vec<Variable>,
    /// Decisions of the path, oldest first.
    pub decisions: Vec<Decision>,
    /// Condition at which the run stopped.
    pub open: Option<Term>,
    /// Reference at which the run stopped, and the objects whose identity with it is undecided.
    pub among: Option<(u32, Vec<Ref>)>,
    /// Table that the stopped run needs.
    pub wanted: Option<TableKey>,
    /// Whether an input may stay any of several existing objects.
    groups: bool,
    /// Values of conditions and terms that the path fixes.
    known: FxHashMap<Term, u64>,
    learnt: Vec<Term>,
    room: u32,
    array_terms: ArrayTerms,
    pub contents: ContentsStore,
    /// Whether an open index is fixed.
    simulates: bool,
    /// Whether an index is fixed that was itself selected by a selected one, such as the state of
    /// a scanner: it depends on the class of a character.
    pub fixes_states: bool,
    pub is_unbounded: bool,
    /// Strategy of the search.
    pub steering: Box<dyn Steering>,
    /// Queries at probes, by probe number.
    pub questions: Vec<Option<ProbeQuery>>,
    /// Where known operands are recorded.
    pub noted: Option<NotedOperands>,
    /// Whether queries that may split the path are evaluated.
    pub asks: bool,
    /// Events of the path, oldest first.
    pub events: Vec<Event>,
    /// Inputs that the program asked for, oldest first.
    pub asked: Vec<AskedInput>,
    /// Whether strings are parsed without looking at their characters, and elementary functions are
    /// not computed.
    abstracts_numbers: bool,
    /// Numbers in such strings, oldest first.
    pub numbers: Vec<AbstractNumber>,
    /// Results of elementary functions, oldest first.
    pub results: Vec<AbstractResult>,
    /// Whether strings are terms as long as nothing looks at their characters.
    opaque_texts: bool,
    /// What is known of such strings, oldest first.
    pub texts: Vec<TextEntry>,
    /// Strings and boxes that are inputs, oldest first.
    pub(super) given: Vec<GivenValue>,
    /// Objects that are inputs, oldest first.
    pub(super) inputs: Vec<InputObject>,
    /// What the path says of their identity, oldest first.
    pub(super) identities: Vec<Identity>,
    /// First object that the run has made; objects before it may be inputs.
    pub first_made: Ref,
    /// Whether there was such a number, or such a result, on any path.
    pub has_abstracted: bool,
    /// Whether the open condition is one to be assumed, instead of one that splits the path, or has
    /// failed as one.
    pub is_assumption: bool,
    /// Probes at the cut points of an induction.
    pub cut_probes: FxHashSet<u32>,
    /// Cut point at which the run stopped.
    pub arrived: Option<u32>,
    /// Whether the run goes on past the cut point at which it stands.
    pub passes_cut: bool,
    /// Whether the run is a sample, which is not cut.
    pub is_sample: bool,
    /// Probe of the method at whose calls a sample stops.
    pub sampled: Option<u32>,
}

impl SymbolicMachine {
    pub fn new(limits: Limits, bounds: &InputBounds, groups: bool) -> SymbolicMachine {
        SymbolicMachine {
            pool: TermPool::new(),
            solver: PathSolver::new(limits),
            without_lengths: None,
            references: References::default(),
            variables: Vec::new(),
            decisions: Vec::new(),
            open: None,
            among: None,
            wanted: None,
            groups,
            known: FxHashMap::default(),
            learnt: Vec::new(),
            room: bounds.room,
            array_terms: bounds.array_terms,
            contents: ContentsStore::default(),
            simulates: bounds.fixes_indices,
            fixes_states: false,
            is_unbounded: bounds.unbounded,
            steering: Box::new(DepthFirst),
            questions: Vec::new(),
            noted: None,
            asks: true,
            events: Vec::new(),
            asked: Vec::new(),
            abstracts_numbers: bounds.abstracts_numbers,
            numbers: Vec::new(),
            results: Vec::new(),
            opaque_texts: bounds.opaque_texts,
            texts: Vec::new(),
            given: Vec::new(),
            inputs: Vec::new(),
            identities: Vec::new(),
            first_made: Ref::NULL,
            has_abstracted: false,
            is_assumption: false,
            cut_probes: FxHashSet::default(),
            arrived: None,
            passes_cut: false,
            is_sample: false,
            sampled: None,
        }
    }

    pub fn mark(&self) -> MachineMark {
        MachineMark {
            solver: self.solver.mark(),
            without_lengths: self.without_lengths.as_ref().map(PathSolver::mark),
            pool: self.pool.len(),
            known: self.learnt.len(),
            decisions: self.decisions.len(),
            references: self.references.mark(),
            variables: self.variables.len(),
            steering: self.steering.mark(),
            events: self.events.len(),
            asked: self.asked.len(),
            numbers: self.numbers.len(),
            contents: self.contents.mark(),
            results: self.results.len(),
            texts: self.texts.len(),
            given: self.given.len(),
            inputs: self.inputs.len(),
            identities: self.identities.len(),
        }
    }

    pub fn undo_to(&mut self, mark: &MachineMark) {
        self.undo_conditions(mark);
        self.references.undo_to(mark.references);
        self.contents.undo_to(mark.contents);
        self.pool.truncate(mark.pool);
    }

    /// Restores all but terms and references, which a later state may still name.
    pub fn undo_conditions(&mut self, mark: &MachineMark) {
        (self.open, self.among) = (None, None);
        self.is_assumption = false;
        (self.arrived, self.passes_cut) = (None, false);
        self.events.truncate(mark.events);
        self.asked.truncate(mark.asked);
        self.numbers.truncate(mark.numbers);
        self.results.truncate(mark.results);
        self.texts.truncate(mark.texts);
        self.given.truncate(mark.given);
        self.inputs.truncate(mark.inputs);
        self.identities.truncate(mark.identities);
        self.solver.undo_to(mark.solver);
        if let (Some(solver), Some(mark)) = (&mut self.without_lengths, mark.without_lengths) {
            solver.undo_to(mark);
        }
        for term in self.learnt.drain(mark.known..) {
            self.known.remove(&term);
        }
        self.decisions.truncate(mark.decisions);
        self.references.undo_choices(mark.references.1);
        self.contents.undo_reads(mark.contents);
        self.variables.truncate(mark.variables);
        self.steering.undo_to(mark.steering);
    }

    /// Creates a variable; returns its slot.
    pub fn variable(&mut self, name: Name, kind: Kind) -> u64 {
        let term = self.variable_term(name, kind, false);
        symbolic_slot(term.number())
    }

    /// Creates an input that the program asks for; returns its slot.
    fn open_input(&mut self, kind: Kind, name: Option<&str>) -> u64 {
        let name = name.map(str::to_owned);
        let name = name.unwrap_or_else(|| format!("input {}", self.asked.len() + 1));
        let name = Name::from(name);
        if kind != Kind::Reference {
            return self.variable(name, kind);
        }
        let open = OpenReference {
            bound: self.references.string_class,
            name,
            is_null: self.pool.bool(false),
            excluded: Vec::new(),
            older_than: None,
        };
        symbolic_slot(self.references.add_open(open))
    }

    /// Creates the variable that encodes whether a reference is an object; returns the condition
    /// that it is null.
    pub fn nullness(&mut self, name: Name) -> Term {
        let variable = self.variable_term(name, Kind::Boolean, true);
        // An unconstrained variable is 0, and thus null.
        let zero = self.pool.int(0);
        self.pool.binary(Binary::Eq, variable, zero)
    }

    /// Like [`SymbolicMachine::variable`], for a byte of a string.
    pub fn character(&mut self, name: Name, kind: Kind) -> u64 {
        let slot = self.variable(name, kind);
        if let Some(variable) = self.variables.last_mut() {
            variable.is_character = true;
        }
        slot
    }

    /// Like [`SymbolicMachine::variable`], for the coder of a string.
    pub fn coder(&mut self, name: Name) -> u64 {
        let slot = self.variable(name, Kind::Boolean);
        if let Some(variable) = self.variables.last_mut() {
            variable.is_coder = true;
        }
        slot
    }

    /// Conditions that a variable lies in a range; none for booleans. A character must be a letter
    /// at such a distance from the first letter, or at least printable.
    pub fn range(&mut self, place: usize, wanted: &std::ops::Range<u32>) -> Vec<Term> {
        if !self.variables[place].is_character {
            return self.within(place, wanted);
        }
        let count = wanted.end.saturating_sub(wanted.start);
        let first = FIRST_LETTER + wanted.start % LETTERS;
        let letters = first..first.saturating_add(count).min(READABLE.end);
        let mut conditions = self.within(place, &READABLE);
        conditions.extend(self.within(place, &letters));
        conditions
    }

    fn within(&mut self, place: usize, wanted: &std::ops::Range<u32>) -> Vec<Term> {
        let Variable { number, kind, .. } = self.variables[place];
        let bits = |value: u32| match kind {
            Kind::Float => u64::from((value as f32).to_bits()),
            Kind::Double => f64::from(value).to_bits(),
            _ => u64::from(value),
        };
        if kind == Kind::Boolean {
            return Vec::new();
        }
        let variable = self.pool.variable(number, input(kind));
        let least = self.pool.constant(sort(kind), bits(wanted.start));
        let end = self.pool.constant(sort(kind), bits(wanted.end));
        let at_least = self.pool.binary(Binary::Le, least, variable);
        vec![at_least, self.pool.binary(Binary::Lt, variable, end)]
    }

    /// Returns the condition that a slot of type boolean is true.
    pub fn truth_of(&mut self, slot: u64) -> Term {
        self.compared(Comparison::Ne, Kind::Int, slot, 0)
    }

    /// Whether a condition states that a reference is null.
    pub fn is_nullness(&self, condition: Term) -> bool {
        let Node::Binary(Binary::Eq, left, _) = *self.pool.node(condition) else {
            return false;
        };
        let Node::Var { number, .. } = *self.pool.node(left) else {
            return false;
        };
        self.variable_of(number)
            .is_some_and(|variable| variable.is_nullness)
    }

    /// Whether a condition states that a string is not in Latin-1, or that two strings differ in
    /// their layout.
    pub fn is_unusual_layout(&self, condition: Term) -> bool {
        let is_coder = |term| self.is_coder(term);
        let Node::Unary(Unary::Not, is_usual) = *self.pool.node(condition) else {
            return false;
        };
        match *self.pool.node(is_usual) {
            Node::Binary(Binary::Eq, left, right) if is_coder(left) => {
                is_coder(right) || self.pool.constant_of(right) == Some(0)
            }
            _ => false,
        }
    }

    /// Whether a term is the coder of a string.
    fn is_coder(&self, term: Term) -> bool {
        let Node::Var { number, .. } = *self.pool.node(term) else {
            return false;
        };
        let variable = self.variable_of(number);
        variable.is_some_and(|variable| variable.is_coder)
    }

    /// Returns the number of characters of a string, given the number of its bytes and the coder that
    /// this is shifted by. The length of a string with two bytes for each character fits into 30 bits.
    pub(super) fn characters(&self, bytes: Term, by: Term) -> Option<Term> {
        let Node::Binary(Binary::Shl, length, coder) = *self.pool.node(bytes) else {
            return None;
        };
        let is_wide = || self.known.get(&coder) == Some(&1) && self.pool.constant_of(by) == Some(1);
        (self.is_coder(coder) && (by == coder || is_wide())).then_some(length)
    }

    /// Returns the description of a variable of the pool.
    pub fn variable_of(&self, number: u32) -> Option<&Variable> {
        self.variables.get((number / KINDS) as usize)
    }

    fn variable_term(&mut self, name: Name, kind: Kind, is_nullness: bool) -> Term {
        let number = self.variables.len() as u32 * KINDS + input(kind) as u32;
        self.variables.push(Variable {
            number,
            name,
            kind,
            is_nullness,
            is_character: kind == Kind::Char,
            is_coder: false,
        });
        self.pool.variable(number, input(kind))
    }

    /// Adds a decided condition to the path.
    pub fn assume(&mut self, condition: Term) {
        self.decisions.push(Decision::Holds(condition));
        self.require(condition);
    }

    /// Adds a condition on the existence of inputs to the path; it is not a decision.
    pub fn require(&mut self, condition: Term) {
        self.learn(condition);
        self.solver.assert(&self.pool, condition);
        if let Some(solver) = &mut self.without_lengths {
            solver.assert(&self.pool, condition);
        }
    }

    /// Bounds a length. While cuts are recorded, the condition is not stored as known, so that it
    /// is decided by both solvers.
    pub fn bound_length(&mut self, condition: Term) {
        if self.without_lengths.is_none() {
            self.learn(condition);
        }
        self.solver.assert(&self.pool, condition);
    }

    /// Whether the path contains a bounded length.
    pub fn has_bounded_lengths(&self) -> bool {
        let all = self.without_lengths.as_ref();
        all.is_some_and(|all| all.conditions().len() < self.solver.conditions().len())
    }

    /// Adds to the path that a reference is not null, unless that is settled.
    pub fn require_object(&mut self, is_null: Term) {
        if self.settled(is_null).is_none() {
            let is_not = self.pool.not(is_null);
            self.require(is_not);
        }
    }

    /// Records a condition that follows from the path.
    pub fn learn(&mut self, condition: Term) {
        self.note(condition, 1);
        let opposite = self.pool.not(condition);
        self.note(opposite, 0);
        // A boolean other than 0 is 1.
        if let Node::Unary(Unary::Not, opposite) = *self.pool.node(condition)
            && let Node::Binary(Binary::Eq, term, value) = *self.pool.node(opposite)
            && let Node::Var { input, .. } = *self.pool.node(term)
            && input == VariableRange::Boolean
            && self.pool.constant_of(value) == Some(0)
        {
            self.note(term, 1);
        }
        // `x == 3` fixes x.
        if let Node::Binary(Binary::Eq | Binary::Same, term, value) = *self.pool.node(condition)
            && let Some(bits) = self.pool.constant_of(value)
            && !matches!(self.pool.sort(term), Sort::Float | Sort::Double)
        {
            self.note(term, bits);
        }
    }

    /// Records that the path fixes a term.
    pub fn note(&mut self, term: Term, bits: u64) {
        if self.pool.constant_of(term).is_none() && self.known.insert(term, bits).is_none() {
            self.learnt.push(term);
        }
    }

    /// Returns the truth value of a condition, if the path fixes it.
    pub fn settled(&self, condition: Term) -> Option<bool> {
        let bits = self.pool.constant_of(condition);
        bits.or_else(|| self.known.get(&condition).copied())
            .map(|bits| bits != 0)
    }

    /// Returns the bits of a term, if the path fixes them.
    pub fn fixed(&self, number: u32) -> Option<u64> {
        if number >= REFERENCES {
            return None;
        }
        let term = Term::from_number(number);
        let bits = self.pool.constant_of(term);
        bits.or_else(|| self.known.get(&term).copied())
    }

    /// Evaluates a condition; an open one is left for the search to decide.
    pub fn ask(&mut self, condition: Term) -> ConditionTruth {
        match self.settled(condition) {
            Some(holds) => ConditionTruth::Known(holds),
            None => {
                self.open = Some(condition);
                ConditionTruth::Open
            }
        }
    }

    /// Whether a slot is concrete, or its term or reference exists.
    pub fn has_term_of(&self, slot: u64) -> bool {
        term_of(slot).is_none_or(|number| match number.checked_sub(REFERENCES) {
            None => self.pool.has(Term::from_number(number)),
            Some(number) => (number as usize) < self.references.mark().0,
        })
    }

    /// Returns the term of a slot of a primitive kind.
    pub fn term(&mut self, slot: u64, kind: Kind) -> Term {
        match term_of(slot) {
            Some(number) => Term::from_number(number),
            None => self.pool.constant(sort(kind), canonical(slot, kind)),
        }
    }

    /// Returns the slot of a term.
    pub fn slot(&self, term: Term) -> u64 {
        match self.pool.constant_of(term) {
            // The bits of a long may look like a symbolic slot.
            Some(bits) if !is_symbolic(bits) => bits,
            _ => symbolic_slot(term.number()),
        }
    }

    /// Returns the condition that a slot of reference type is one of `objects`, which may include
    /// null. `None` if it is an unresolved input and `objects` is not null alone.
    pub(super) fn is_among(&mut self, slot: u64, objects: &[Ref]) -> Option<Term> {
        let slot = self.references.current(slot);
        let Some(number) = term_of(slot) else {
            let is = objects.contains(&Ref::from_slot(slot));
            return Some(self.pool.bool(is));
        };
        let is_null_alone = objects == [Ref::NULL];
        if let Some(open) = self.references.open(number) {
            return is_null_alone.then_some(open.is_null);
        }
        if let Some((_, is_null)) = self.references.unknown(number) {
            return is_null_alone.then_some(is_null);
        }
        if self.references.text(number).is_some() {
            return is_null_alone.then(|| self.pool.bool(false));
        }
        let alternatives = self.references.alternatives(number).to_vec();
        let mut alternatives = alternatives.into_iter().rev();
        let (_, last) = alternatives.next()?;
        let mut all = self.is_among(last, objects)?;
        for (condition, slot) in alternatives {
            let holds = self.is_among(slot, objects)?;
            all = self.pool.ite(condition, holds, all);
        }
        Some(all)
    }

    /// Conditions under which a reference to one of several objects is each of them. Slots come in
    /// the order of their first occurrence.
    pub fn groups(&mut self, number: u32) -> Vec<(Term, u64)> {
        let alternatives = self.references.alternatives(number).to_vec();
        let mut groups: Vec<(Term, u64)> = Vec::new();
        let mut before = self.pool.bool(false);
        for (condition, slot) in alternatives {
            let not_before = self.pool.not(before);
            let here = self.pool.binary(Binary::And, not_before, condition);
            before = self.pool.binary(Binary::Or, before, condition);
            match groups.iter_mut().find(|group| group.1 == slot) {
                Some(group) => group.0 = self.pool.binary(Binary::Or, group.0, here),
                None => groups.push((here, slot)),
            }
        }
        groups
    }

    /// Evaluates whether an open input is one of `objects`, which may include null.
    fn ask_among(&mut self, number: u32, objects: &[Ref]) -> ConditionTruth {
        let number = self.references.last(number);
        let Some(open) = self.references.open(number).filter(|_| self.groups) else {
            return ConditionTruth::Unable;
        };
        let is_null = open.is_null;
        let others = objects.iter().copied();
        let others = others.filter(|object| !object.is_null() && !open.excluded.contains(object));
        let others: Vec<Ref> = others.collect();
        let nullness = self.settled(is_null);
        let has_null = objects.contains(&Ref::NULL);
        match (has_null, nullness) {
            (false, Some(true)) => return ConditionTruth::Known(false),
            (true, Some(true)) => return ConditionTruth::Known(true),
            (true, None) => return self.ask(is_null),
            _ if others.is_empty() => return ConditionTruth::Known(false),
            _ => {}
        }
        self.among = Some((number, others));
        ConditionTruth::Open
    }

    /// Creates a reference to any one of several objects.
    pub fn any_of(&mut self, name: &Name, objects: &[Ref]) -> u64 {
        if let [object] = objects {
            return object.slot();
        }
        let which = self.variable_term(name.choice(), Kind::Int, false);
        let last = objects.len().saturating_sub(1);
        let mut alternatives = Vec::new();
        for (place, object) in objects.iter().enumerate() {
            let condition = if place == last {
                self.pool.bool(true)
            } else {
                let place = self.pool.int(place as i32);
                self.pool.binary(Binary::Eq, which, place)
            };
            alternatives.push((condition, object.slot()));
        }
        symbolic_slot(self.references.add_choice(alternatives))
    }

    /// Resolves a slot to the target, or to the one of several, that the path fixes.
    fn settled_reference(&self, slot: u64) -> u64 {
        let mut slot = self.references.current(slot);
        while let Some(number) = term_of(slot) {
            let mut alternatives = self.references.alternatives(number).iter();
            let first = alternatives.find(|&&(holds, _)| self.settled(holds) != Some(false));
            match first {
                Some(&(holds, held)) if self.settled(holds) == Some(true) => {
                    slot = self.references.current(held);
                }
                _ => break,
            }
        }
        slot
    }

    /// Alternatives of a slot of reference type, with conditions; the last condition is true.
    pub(super) fn alternatives_of(&mut self, slot: u64) -> Vec<(Term, u64)> {
        let slot = self.references.current(slot);
        match term_of(slot) {
            Some(number) if self.references.is_choice(number) => {
                self.references.alternatives(number).to_vec()
            }
            _ => vec![(self.pool.bool(true), slot)],
        }
    }

    /// Slot that is the first of two if a condition holds, else the second; `None` if it had too many
    /// alternatives.
    pub(super) fn either(&mut self, kind: Kind, condition: Term, a: u64, b: u64) -> Option<u64> {
        if kind != Kind::Reference {
            let (a, b) = (self.term(a, kind), self.term(b, kind));
            let term = self.choice(condition, a, b);
            return Some(self.slot(term));
        }
        let mut alternatives = self.alternatives_of(a);
        for alternative in &mut alternatives {
            alternative.0 = self.pool.binary(Binary::And, condition, alternative.0);
        }
        alternatives.extend(self.alternatives_of(b));
        (alternatives.len() <= MAX_ALTERNATIVES)
            .then(|| symbolic_slot(self.references.add_choice(alternatives)))
    }

    /// Selects a primitive element by its index, with a tree of comparisons over runs of equal
    /// elements.
    fn select_value(&mut self, kind: Kind, index: u64, elements: &[u64]) -> Option<u64> {
        let runs: Vec<(usize, u64)> = elements
            .chunk_by(|a, b| a == b)
            .scan(0, |start, run| {
                let at = *start;
                *start += run.len();
                Some((at, run[0]))
            })
            .collect();
        if runs.is_empty() || runs.len() > MAX_RUNS {
            return None;
        }
        let index = self.term(index, Kind::Int);
        if self.fixes_states && self.pool.has_nested_choice(index) {
            return None;
        }
        let chosen = self.select_run(kind, index, &runs);
        Some(self.slot(chosen))
    }

    fn select_run(&mut self, kind: Kind, index: Term, runs: &[(usize, u64)]) -> Term {
        if let [(_, slot)] = runs {
            return self.term(*slot, kind);
        }
        let (low, high) = runs.split_at(runs.len() / 2);
        let is_low = self.is_below(index, high[0].0 as i32);
        let low = self.select_run(kind, index, low);
        let high = self.select_run(kind, index, high);
        self.choice(is_low, low, high)
    }

    fn look_up_run(&mut self, index: Term, runs: &[(u32, i32)], is_offset: bool) -> Term {
        if let [(_, number)] = *runs {
            let number = self.pool.int(number);
            return match is_offset {
                true => self.pool.binary(Binary::Add, index, number),
                false => number,
            };
        }
        let (low, high) = runs.split_at(runs.len() / 2);
        let is_low = self.is_below(index, high[0].0 as i32);
        let low = self.look_up_run(index, low, is_offset);
        let high = self.look_up_run(index, high, is_offset);
        self.choice(is_low, low, high)
    }

    /// Returns the objects of a reference that is one of several, if all are existing objects or
    /// null.
    fn listed(&self, number: u32) -> Option<Vec<Ref>> {
        if !self.references.is_choice(number) {
            return None;
        }
        let mut found: Vec<Ref> = Vec::new();
        for &(_, slot) in self.references.alternatives(number) {
            let slot = self.references.current(slot);
            if is_symbolic(slot) {
                return None;
            }
            let object = Ref::from_slot(slot);
            if !found.contains(&object) {
                found.push(object);
            }
        }
        Some(found)
    }
}

impl Machine for SymbolicMachine {
    const CHOOSES: bool = true;
    const SYMBOLIC: bool = true;
    const TOTAL: bool = true;

    fn value(&mut self, number: u32) -> Option<u64> {
        if number >= REFERENCES {
            let slot = self.settled_reference(symbolic_slot(number));
            return (!is_symbolic(slot)).then_some(slot);
        }
        let bits = self.fixed(number)?;
        (!is_symbolic(bits)).then_some(bits)
    }

    fn operate(&mut self, operation: Operation, kind: Kind, a: u64, b: u64) -> Option<u64> {
        let term = self.computed(operation, kind, a, b)?;
        Some(self.slot(term))
    }

    fn compare(&mut self, comparison: Comparison, kind: Kind, a: u64, b: u64) -> ConditionTruth {
        let condition = self.compared(comparison, kind, a, b);
        self.ask(condition)
    }

    fn comparison_as_int(
        &mut self,
        comparison: Comparison,
        kind: Kind,
        a: u64,
        b: u64,
    ) -> Option<u64> {
        let condition = self.compared(comparison, kind, a, b);
        let truth = self.pool.unary(Unary::BoolToInt, condition);
        Some(self.slot(truth))
    }

    fn is_one_of(&mut self, number: u32, objects: &[Ref]) -> ConditionTruth {
        match self.is_among(symbolic_slot(number), objects) {
            Some(condition) => self.ask(condition),
            None => self.ask_among(number, objects),
        }
    }

    fn is_given_value(&self, object: Ref) -> bool {
        self.is_given(object)
    }

    fn type_of_others(&self, object: Ref) -> Option<ClassId> {
        let mut inputs = self.inputs.iter();
        let input = inputs.find(|input| input.object == object)?;
        input.has_others.then_some(input.bound)
    }

    fn type_of_input(&self, object: Ref) -> Option<ClassId> {
        let mut inputs = self.inputs.iter();
        let input = inputs.find(|input| input.object == object)?;
        Some(input.bound)
    }

    fn is_same_value(
        &mut self,
        kind: Kind,
        objects: [Ref; 2],
        other: Option<&[u64]>,
        is_cached: bool,
    ) -> ConditionTruth {
        self.same_value(kind, objects, other, is_cached)
    }

    fn first_made(&self) -> Ref {
        self.first_made
    }

    fn is_number_of(&mut self, slot: u64, numbers: &[i32]) -> ConditionTruth {
        let term = self.term(slot, Kind::Int);
        let mut any = self.pool.bool(false);
        for &number in numbers {
            let number = self.pool.int(number);
            let (term, number) = self.comparable(term, number);
            let equal = self.pool.binary(Binary::Eq, term, number);
            any = self.pool.binary(Binary::Or, any, equal);
        }
        self.ask(any)
    }

    fn if_then_else(&mut self, kind: Kind, index: u64, at: u32, a: u64, b: u64) -> Option<u64> {
        let place = u64::from(at);
        let condition = self.compared(Comparison::Eq, Kind::Int, index, place);
        if let Some(holds) = self.settled(condition) {
            return Some(if holds { a } else { b });
        }
        if a == b {
            return Some(a);
        }
        if self.simulates {
            return None;
        }
        self.either(kind, condition, a, b)
    }

    fn select(&mut self, kind: Kind, index: u64, elements: &[u64]) -> Option<u64> {
        if self.simulates {
            return None;
        }
        if kind != Kind::Reference {
            return self.select_value(kind, index, elements);
        }
        let (last, others) = elements.split_last()?;
        let mut chosen = *last;
        for (place, &slot) in others.iter().enumerate().rev() {
            chosen = self.if_then_else(kind, index, place as u32, slot, chosen)?;
        }
        Some(chosen)
    }

    fn greatest(&self, slot: u64) -> u32 {
        let term = term_of(slot).filter(|&number| number < REFERENCES);
        let greatest = term.map(|number| self.pool.bounds(Term::from_number(number)).1);
        greatest.map_or(u32::MAX, |most| u32::try_from(most).unwrap_or(u32::MAX))
    }

    fn assuming(&mut self, condition: u64, slot: u64) -> u64 {
        let (Some(condition), Some(number)) = (term_of(condition), term_of(slot)) else {
            return slot;
        };
        let Some(holds) = self.condition_of(Term::from_number(condition)) else {
            return slot;
        };
        let fails = self.pool.not(holds);
        let mut term = Term::from_number(number);
        while let Node::Ite(condition, then, otherwise) = *self.pool.node(term) {
            term = match condition {
                condition if condition == holds => then,
                condition if condition == fails => otherwise,
                _ => break,
            };
        }
        self.slot(term)
    }

    fn greatest_now(&self, slot: u64) -> u32 {
        let term = term_of(slot).filter(|&number| number < REFERENCES);
        let greatest = term.map(|number| {
            let term = Term::from_number(number);
            self.solver.bounds(&self.pool, term).1
        });
        greatest.map_or(u32::MAX, |most| u32::try_from(most).unwrap_or(u32::MAX))
    }

    fn look_up(&mut self, index: u64, table: &CharacterTable) -> Option<u64> {
        let index = self.term(index, Kind::Int);
        let found = self.look_up_run(index, &table.runs, table.is_offset);
        Some(self.slot(found))
    }

    fn wants_table(&mut self, wanted: TableKey) -> bool {
        self.wanted = Some(wanted);
        true
    }

    fn defer_string(&mut self, method: MethodId, arguments: &[u64]) -> Option<u64> {
        let text = DeferredText {
            method,
            arguments: arguments.to_vec(),
        };
        Some(symbolic_slot(self.references.add_text(text)))
    }

    fn defer_map_change(&mut self, change: DeferredMapChange) -> Option<Vec<u64>> {
        Some(self.references.add_change(change))
    }

    fn members(&mut self, number: u32) -> Option<Members> {
        let number = self.references.last(number);
        let (_, change) = self.references.change(number)?;
        Some(Rc::clone(&change.members))
    }

    fn type_bound(&mut self, number: u32) -> Option<ClassId> {
        let number = self.references.last(number);
        if let Some(open) = self.references.open(number) {
            return Some(open.bound);
        }
        if let Some((bound, _)) = self.references.unknown(number) {
            return Some(bound);
        }
        if self.references.text(number).is_some() {
            return Some(self.references.string_class);
        }
        match self.listed(number) {
            Some(_) => None,
            None => Some(self.references.object_class),
        }
    }

    fn max_new_array_length(&self) -> u32 {
        self.room
    }

    fn array_terms(&self) -> ArrayTerms {
        self.array_terms
    }

    fn element_of(&mut self, contents: u32, kind: Kind, index: u64) -> Option<u64> {
        self.selected(contents, kind, index)
    }

    fn with_element(&mut self, contents: u32, index: u64, slot: u64) -> Option<u32> {
        self.contents.write(contents, index, slot)
    }

    fn candidates(&mut self, number: u32) -> Vec<Ref> {
        let number = self.references.last(number);
        self.listed(number).unwrap_or_default()
    }

    fn field_of(&mut self, number: u32, values: &[(Ref, u64)], kind: Kind) -> Option<u64> {
        let number = self.references.last(number);
        let kind = if kind == Kind::Long { kind } else { Kind::Int };
        let mut chosen: Option<Term> = None;
        for &(object, slot) in values.iter().rev() {
            let value = self.term(slot, kind);
            chosen = Some(match chosen {
                None => value,
                Some(rest) => {
                    let is = self.is_among(symbolic_slot(number), &[object])?;
                    self.choice(is, value, rest)
                }
            });
        }
        chosen.map(|term| self.slot(term))
    }

    fn visit(&mut self, visit: ProbeVisit) -> ConditionTruth {
        ConditionTruth::Known(self.steering.visit(visit))
    }

    fn watches(&self, point: u32) -> bool {
        let question = self.questions.get(point as usize);
        question.is_some_and(Option::is_some)
            || self.cut_probes.contains(&point)
            || self.noted.is_some_and(|noted| noted.point == point)
    }

    fn watched_variable(&self, point: u32) -> Option<u16> {
        let noted = self.noted.filter(|noted| noted.point == point);
        noted.and_then(|noted| noted.variable)
    }

    fn watch(&mut self, point: u32, operands: [u64; 3]) -> ConditionTruth {
        if self.cut_probes.contains(&point) {
            let goes_on = self.is_sample && self.sampled != Some(point);
            if goes_on || std::mem::take(&mut self.passes_cut) {
                return ConditionTruth::Known(true);
            }
            self.arrived = Some(point);
            return ConditionTruth::Open;
        }
        self.watched(point, operands)
    }

    fn input(&mut self, request: InputRequest<'_>) -> Option<u64> {
        let kind = request.kind;
        let slot = self.open_input(kind, request.name);
        self.asked.push(AskedInput {
            site: request.site,
            name: request.name.map(str::to_owned),
            kind,
            slot,
            is_outside: request.is_outside,
        });
        Some(slot)
    }

    fn number_in(&mut self, text: u32, kind: Kind, radix: u64) -> Option<(ConditionTruth, u64)> {
        let text = self.references.last(text);
        // Only what the program has asked for can be given to it again.
        let input = symbolic_slot(self.references.input_below(text)?);
        let is_asked = self.asked.iter().any(|asked| asked.slot == input);
        if !self.abstracts_numbers || !is_asked {
            return None;
        }
        let known = self.numbers.iter();
        let mut known = known.filter(|one| (one.text, one.kind, one.radix) == (text, kind, radix));
        let number = match known.next() {
            Some(number) => number.clone(),
            None => {
                let name = format!("number {}", self.numbers.len() + 1);
                let number = AbstractNumber {
                    text,
                    kind,
                    radix,
                    is_number: self.variable(format!("is {name}").into(), Kind::Boolean),
                    value: self.variable(name.into(), kind),
                };
                self.numbers.push(number.clone());
                self.has_abstracted = true;
                number
            }
        };
        let is_number = self.truth_of(number.is_number);
        Some((self.ask(is_number), number.value))
    }

    fn opaque_texts(&self) -> bool {
        self.opaque_texts
    }

    fn open_text(&mut self, text: u32) -> Option<u32> {
        let text = self.references.last(text);
        self.references.open(text).map(|_| text)
    }

    fn hold_text(&mut self, bytes: ClassId, text: u64) -> Option<(u64, u64)> {
        self.opaque_texts.then(|| self.held(bytes, text))
    }

    fn held_text(&mut self, bytes: u32) -> Option<u64> {
        self.text_held_by(bytes)
    }

    fn text_answer(&mut self, query: TextQuery, texts: &[Text], numbers: &[u64]) -> Option<u64> {
        let answer = self.answer(query, texts, numbers)?;
        Some(self.slot(answer))
    }

    fn text_match(
        &mut self,
        kind: MatchKind,
        text: &Text,
        pattern: &Text,
        from: u64,
    ) -> Option<(u64, Vec<u64>)> {
        let (is_found, places) = self.match_of(kind, text, pattern, from)?;
        let places = places.into_iter().map(|place| self.slot(place)).collect();
        Some((self.slot(is_found), places))
    }

    fn text_elements(&mut self, elements: TextElements) -> Option<u32> {
        let contents = match elements {
            TextElements::Chars(text, slot) => {
                let text = self.segments(&text)?;
                Contents::Chars(text.into(), slot)
            }
            TextElements::Made(method, arguments) => Contents::Made(method, arguments.into()),
            TextElements::Any(class) => return self.contents.open(class),
        };
        self.contents.add(contents)
    }

    fn elements_text(&self, contents: u32) -> Option<ElementsText> {
        self.contents.text(contents)
    }

    fn elementary(
        &mut self,
        function: Elementary,
        method: MethodId,
        operands: &[u64],
    ) -> Option<(ConditionTruth, u64)> {
        self.abstracts_numbers
            .then(|| self.elementary_result(function, method, operands))
    }

    fn deferred_string(&self, number: u32) -> Option<(MethodId, &[u64])> {
        let text = self.references.text(self.references.last(number))?;
        Some((text.method, &text.arguments))
    }

    fn assume(&mut self, slot: u64) -> ConditionTruth {
        let condition = self.truth_of(slot);
        let truth = self.ask(condition);
        self.is_assumption = matches!(truth, ConditionTruth::Open | ConditionTruth::Known(false));
        truth
    }

    fn wrap(&mut self, value: u64) -> u64 {
        symbolic_slot(self.pool.constant(Sort::Long, value).number())
    }
}

/// Returns the range of a variable of a kind.
fn input(kind: Kind) -> VariableRange {
    match kind {
        Kind::Boolean => VariableRange::Boolean,
        Kind::Byte => VariableRange::Byte,
        Kind::Char => VariableRange::Char,
        Kind::Short => VariableRange::Short,
        Kind::Long => VariableRange::Long,
        Kind::Float => VariableRange::Float,
        Kind::Double => VariableRange::Double,
        _ => VariableRange::Int,
    }
}

fn sort(kind: Kind) -> Sort {
    input(kind).sort()
}

/// Returns a slot's bits in the pool's canonical form: a single NaN, ints with zero upper bits.
fn canonical(slot: u64, kind: Kind) -> u64 {
    match kind {
        Kind::Long => slot,
        Kind::Double if f64::from_bits(slot).is_nan() => 0x7FF8_0000_0000_0000,
        Kind::Double => slot,
        Kind::Float if f32::from_bits(slot as u32).is_nan() => 0x7FC0_0000,
        _ => u64::from(slot as u32),
    }
}
