//! Machine of the lazy search: the meaning of a symbolic slot.
//!
//! Variable `n` of the store is entry `n` of the state space. The variable of a primitive entry is
//! its value, that of a reference entry the number of its choice. Invariant: the machine stores an
//! open condition, and returns the search's decision once.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::{symbolic_slot, term_of};
use heapwright_jvm::{Comparison, ConditionTruth, Machine, Operation, Ref};
use heapwright_solve::{
    Domain, Linear, Relation, Store, SumInterpretation, SumTerm, TermId, Terms, Var,
};

use crate::space::StateSpace;

/// Condition on open values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// Relation of a sum to zero.
    Sum(Linear, Relation),
    /// Membership of an entry's choice in a set.
    OneOf(Var, Vec<i64>),
}

/// Open values, and the constraints on them.
pub(super) struct LazyMachine<'a> {
    space: &'a StateSpace,
    pub store: Store,
    pub terms: Terms,
    /// Condition at which the run stopped.
    pub open: Option<Condition>,
    /// Decision on that condition.
    pub decided: Option<bool>,
    /// Whether each entry's value was examined, if that is recorded.
    pub reads: Option<Vec<bool>>,
}

/// Representation of an entry in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryMeaning {
    /// An integer of at most 32 bits.
    Int,
    /// A long.
    Long,
    /// A choice among objects and null.
    Reference,
    /// None: the value is chosen when it is read.
    Chosen,
}

impl<'a> LazyMachine<'a> {
    pub fn new(space: &'a StateSpace, meanings: &[EntryMeaning]) -> LazyMachine<'a> {
        let mut store = Store::default();
        let mut terms = Terms::default();
        for (entry, &meaning) in space.entries.iter().zip(meanings) {
            let choices = &space.domains[entry.domain as usize].choices;
            let domain = match meaning {
                EntryMeaning::Int => {
                    Domain::new(choices.iter().map(|choice| integer(choice.slot, false)))
                }
                EntryMeaning::Long => {
                    Domain::new(choices.iter().map(|choice| integer(choice.slot, true)))
                }
                EntryMeaning::Reference => Domain::new(0..choices.len() as i64),
                EntryMeaning::Chosen => Domain::new([0]),
            };
            let variable = store.add(&domain.expect("a domain that was checked"));
            terms.intern(SumTerm {
                sum: Linear::variable(variable),
                sort: match meaning {
                    EntryMeaning::Long => SumInterpretation::Long,
                    EntryMeaning::Int => SumInterpretation::Int,
                    // An integer equal to the choice's number is a different term.
                    EntryMeaning::Reference | EntryMeaning::Chosen => SumInterpretation::Number,
                },
            });
        }
        LazyMachine {
            space,
            store,
            terms,
            open: None,
            decided: None,
            reads: None,
        }
    }

    fn is_reference(&self, variable: Var) -> bool {
        let entry = self.space.entries.get(variable.0 as usize);
        entry.is_some_and(|entry| self.space.domains[entry.domain as usize].kind == Kind::Reference)
    }

    /// Adds a variable for an argument of calls. No term may have been created yet.
    pub fn add_argument(&mut self, domain: &Domain, sort: SumInterpretation) -> Var {
        let variable = self.store.add(domain);
        let sum = Linear::variable(variable);
        let term = self.terms.intern(SumTerm { sum, sort });
        assert_eq!(term.0, variable.0, "a variable's term has its number");
        variable
    }

    /// Records that a variable's value was examined.
    pub fn note_read(&mut self, variable: Var) {
        if let Some(reads) = &mut self.reads
            && let Some(read) = reads.get_mut(variable.0 as usize)
        {
            *read = true;
        }
    }

    /// Records that a slot's value was examined.
    #[inline]
    fn note_slot(&mut self, slot: u64) {
        if self.reads.is_some()
            && let Some(term) = term_of(slot)
        {
            self.note_term(term);
        }
    }

    #[cold]
    fn note_term(&mut self, term: u32) {
        let variables = self.terms.get(TermId(term)).sum.terms.clone();
        for (variable, _) in variables {
            self.note_read(variable);
        }
    }

    /// Returns the slot for a value of a variable.
    pub fn slot_of(&self, variable: Var, value: i64) -> u64 {
        if self.is_reference(variable) {
            let entry = &self.space.entries[variable.0 as usize];
            self.space.domains[entry.domain as usize].choices[value as usize].slot
        } else {
            slot(value, self.terms.get(TermId(variable.0)).sort)
        }
    }

    /// First variable of a term that is not fixed.
    pub fn open_variable(&self, term: TermId) -> Option<Var> {
        let sum = &self.terms.get(term).sum;
        sum.terms
            .iter()
            .map(|&(variable, _)| variable)
            .find(|&variable| self.store.fixed(variable).is_none())
    }

    /// Asserts the open condition or its negation; false if that is infeasible.
    pub fn assume(&mut self, condition: &Condition, holds: bool) -> bool {
        match condition {
            Condition::Sum(sum, relation) if holds => self.store.assert(sum, *relation),
            Condition::Sum(sum, relation) => self.store.deny(sum, *relation),
            Condition::OneOf(variable, choices) => self.store.restrict(*variable, choices, holds),
        }
    }

    /// Linear sum for a slot of an integral kind.
    fn sum(&self, slot: u64, kind: Kind) -> Linear {
        match term_of(slot) {
            Some(term) if term < self.store.variables() => Linear::variable(Var(term)),
            Some(term) => self.terms.get(TermId(term)).sum.clone(),
            None => Linear::constant(integer(slot, kind == Kind::Long)),
        }
    }

    fn sort(&self, slot: u64) -> Option<SumInterpretation> {
        term_of(slot).map(|term| self.terms.get(TermId(term)).sort)
    }

    /// Evaluates a condition that the store leaves open: returns the search's decision, or leaves
    /// the condition to it.
    fn ask(&mut self, condition: Condition) -> ConditionTruth {
        match self.decided.take() {
            Some(decided) => ConditionTruth::Known(decided),
            None => {
                self.open = Some(condition);
                ConditionTruth::Open
            }
        }
    }

    fn slot_for(&mut self, sum: Linear, sort: SumInterpretation) -> u64 {
        if sum.terms.is_empty() && sort != SumInterpretation::Sign {
            return slot(sum.constant, sort);
        }
        symbolic_slot(self.terms.intern(SumTerm { sum, sort }).0)
    }
}

/// Integer in a concrete slot.
pub(super) fn integer(slot: u64, wide: bool) -> i64 {
    if wide {
        slot as i64
    } else {
        i64::from(slot as u32 as i32)
    }
}

fn slot(value: i64, sort: SumInterpretation) -> u64 {
    match sort {
        SumInterpretation::Long => value as u64,
        SumInterpretation::Int | SumInterpretation::Number => u64::from(value as u32),
        SumInterpretation::Sign => u64::from(value.signum() as u32),
    }
}

/// Least and greatest integer of a kind.
fn bounds(kind: Kind) -> Option<(i64, i64)> {
    Some(match kind {
        Kind::Boolean => (0, 1),
        Kind::Byte => (i8::MIN.into(), i8::MAX.into()),
        Kind::Char => (0, u16::MAX.into()),
        Kind::Short => (i16::MIN.into(), i16::MAX.into()),
        Kind::Int => (i32::MIN.into(), i32::MAX.into()),
        Kind::Long => (i64::MIN, i64::MAX),
        _ => return None,
    })
}

impl Machine for LazyMachine<'_> {
    const CHOOSES: bool = true;
    const SYMBOLIC: bool = true;

    fn value(&mut self, term: u32) -> Option<u64> {
        self.note_slot(symbolic_slot(term));
        let SumTerm { sum, sort } = self.terms.get(TermId(term));
        let value = self.store.value(sum)?;
        if sum.terms.len() == 1 && term < self.store.variables() {
            return Some(self.slot_of(Var(term), value));
        }
        Some(slot(value, *sort))
    }

    fn operate(&mut self, operation: Operation, kind: Kind, a: u64, b: u64) -> Option<u64> {
        self.note_slot(a);
        self.note_slot(b);
        let is_sign = |sort| sort == Some(SumInterpretation::Sign);
        if is_sign(self.sort(a)) || is_sign(self.sort(b)) {
            return None;
        }
        let (left, right) = (self.sum(a, kind), self.sum(b, kind));
        let (sum, target) = match operation {
            Operation::Add => (left.plus(&right, 1)?, kind),
            Operation::Sub => (left.plus(&right, -1)?, kind),
            Operation::Mul if right.terms.is_empty() => {
                (Linear::constant(0).plus(&left, right.constant)?, kind)
            }
            Operation::Mul if left.terms.is_empty() => {
                (Linear::constant(0).plus(&right, left.constant)?, kind)
            }
            Operation::Mul => return None,
            Operation::Convert(target) => (left, target),
            Operation::Sign => {
                // Bounds like Long.MIN_VALUE exceed the range of a sum.
                let (a, b) = (self.store.range(&left)?, self.store.range(&right)?);
                if a.1 < b.0 || a.0 > b.1 {
                    return Some(slot(if a.1 < b.0 { -1 } else { 1 }, SumInterpretation::Int));
                }
                let sum = left.plus(&right, -1)?;
                self.store.range(&sum)?;
                return Some(self.slot_for(sum, SumInterpretation::Sign));
            }
            _ => return None,
        };
        // Beyond the kind's bounds arithmetic wraps, which a sum cannot express.
        let (least, greatest) = self.store.range(&sum)?;
        let (low, high) = bounds(target)?;
        if least < low || greatest > high {
            return None;
        }
        let sort = if target == Kind::Long {
            SumInterpretation::Long
        } else {
            SumInterpretation::Int
        };
        Some(self.slot_for(sum, sort))
    }

    fn compare(&mut self, comparison: Comparison, kind: Kind, a: u64, b: u64) -> ConditionTruth {
        self.note_slot(a);
        self.note_slot(b);
        // A sum can express only the comparison of a sign with zero.
        if self.sort(b) == Some(SumInterpretation::Sign)
            || self.sort(a) == Some(SumInterpretation::Sign) && b != 0
        {
            return ConditionTruth::Unable;
        }
        let (a, b) = (self.sum(a, kind), self.sum(b, kind));
        let (sum, more, relation) = match comparison {
            Comparison::Eq => (a.plus(&b, -1), 0, Relation::Zero),
            Comparison::Ne => (a.plus(&b, -1), 0, Relation::NonZero),
            Comparison::Le => (a.plus(&b, -1), 0, Relation::AtMostZero),
            Comparison::Lt => (a.plus(&b, -1), 1, Relation::AtMostZero),
            Comparison::Ge => (b.plus(&a, -1), 0, Relation::AtMostZero),
            Comparison::Gt => (b.plus(&a, -1), 1, Relation::AtMostZero),
            Comparison::Below => return ConditionTruth::Unable,
        };
        let Some(sum) = sum.and_then(|sum| sum.and_more(more)) else {
            return ConditionTruth::Unable;
        };
        // Consequences of several relations are found when a side is taken; checking both sides
        // here would cost as much.
        let Some(range) = self.store.range(&sum) else {
            return ConditionTruth::Unable;
        };
        let known = self.store.decide_within(&sum, relation, range);
        match known.or_else(|| self.store.decide_by_another(&sum, relation)) {
            Some(holds) => ConditionTruth::Known(holds),
            None => self.ask(Condition::Sum(sum, relation)),
        }
    }

    fn is_one_of(&mut self, term: u32, objects: &[Ref]) -> ConditionTruth {
        let variable = Var(term);
        self.note_read(variable);
        let entry = &self.space.entries[term as usize];
        let choices = &self.space.domains[entry.domain as usize].choices;
        let (mut inside, mut outside) = (Vec::new(), false);
        for value in self.store.values(variable) {
            let object = Ref::from_slot(choices[value as usize].slot);
            if objects.contains(&object) {
                inside.push(value);
            } else {
                outside = true;
            }
        }
        match (inside.is_empty(), outside) {
            (true, _) => ConditionTruth::Known(false),
            (_, false) => ConditionTruth::Known(true),
            _ => self.ask(Condition::OneOf(variable, inside)),
        }
    }

    fn candidates(&mut self, term: u32) -> Vec<Ref> {
        self.note_read(Var(term));
        let entry = &self.space.entries[term as usize];
        let choices = &self.space.domains[entry.domain as usize].choices;
        self.store
            .values(Var(term))
            .map(|value| Ref::from_slot(choices[value as usize].slot))
            .collect()
    }

    fn field_of(&mut self, term: u32, values: &[(Ref, u64)], kind: Kind) -> Option<u64> {
        self.note_read(Var(term));
        // If the values are evenly spaced, the field is a linear function of the choice's number.
        let wide = kind == Kind::Long;
        let numbers = self.store.values(Var(term));
        let points: Vec<(i64, i64)> = numbers
            .zip(values)
            .map(|(number, &(_, slot))| (number, integer(slot, wide)))
            .collect();
        let (first, last) = (points.first()?, points.last()?);
        let run = (last.0 - first.0).max(1);
        let rise = last.1.checked_sub(first.1)?;
        if rise % run != 0 {
            return None;
        }
        let step = rise / run;
        let start = first.1.checked_sub(step.checked_mul(first.0)?)?;
        let is_even = points.iter().all(|&(number, value)| {
            step.checked_mul(number)
                .and_then(|far| start.checked_add(far))
                == Some(value)
        });
        if !is_even {
            return None;
        }
        let sum = Linear::constant(start).plus(&Linear::variable(Var(term)), step)?;
        let sort = if wide {
            SumInterpretation::Long
        } else {
            SumInterpretation::Int
        };
        Some(self.slot_for(sum, sort))
    }

    fn end_step(&mut self) {
        self.decided = None;
    }

    fn wrap(&mut self, value: u64) -> u64 {
        let term = SumTerm {
            sum: Linear::constant(value as i64),
            sort: SumInterpretation::Long,
        };
        symbolic_slot(self.terms.intern(term).0)
    }
}
