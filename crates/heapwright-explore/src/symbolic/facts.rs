//! Facts about the fields of objects: assumptions on every input object before a run, and the check
//! whether a path preserves them.

use std::rc::Rc;

use heapwright_jvm::class::Shape;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::term_of;
use heapwright_jvm::{ClassId, Comparison, Place, Ref, Vm};
use heapwright_solve::smt::{Binary, Satisfiability, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};

use super::machine::SymbolicMachine;
use super::{Receiver, SymbolicError, SymbolicSearch, Task};

/// Atomic statement about an object's fields, which are identified by their words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldClaim {
    /// The field is null.
    Null(u32),
    /// Comparison of the field, of this integral kind, with a constant.
    IsTo(Comparison, Kind, u32, i64),
    /// The first field is at most the second; both have this integral kind.
    NotGreater(Kind, u32, u32),
}

/// Property of the fields of all objects of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// At least one of the claims is true.
    Any(Vec<FieldClaim>),
    /// The claim is false.
    Not(FieldClaim),
    /// Both claims are true, or both are false.
    Alike(FieldClaim, FieldClaim),
}

impl FieldClaim {
    /// Words of the fields that the claim mentions.
    pub fn words(&self) -> impl Iterator<Item = u32> {
        let (first, second) = match *self {
            FieldClaim::Null(word) | FieldClaim::IsTo(_, _, word, _) => (word, None),
            FieldClaim::NotGreater(_, first, second) => (first, Some(second)),
        };
        std::iter::once(first).chain(second)
    }
}

impl Fact {
    /// Claims that the fact consists of.
    #[must_use]
    pub fn claims(&self) -> Vec<FieldClaim> {
        match self {
            Fact::Any(claims) => claims.clone(),
            Fact::Not(claim) => vec![*claim],
            Fact::Alike(first, second) => vec![*first, *second],
        }
    }

    /// Whether the fact mentions a field.
    #[must_use]
    pub fn is_about(&self, word: u32) -> bool {
        let claims = self.claims();
        claims
            .iter()
            .any(|claim| claim.words().any(|other| other == word))
    }
}

/// Facts by the class that declares the fields; they hold of objects of its subclasses, too.
pub type Facts = FxHashMap<ClassId, Vec<Fact>>;

impl SymbolicMachine {
    /// Returns the condition that a fact holds of an object with these fields; `None` if there is
    /// no term for it.
    fn fact(&mut self, fact: &Fact, field: &dyn Fn(u32) -> u64) -> Option<Term> {
        Some(match fact {
            Fact::Any(claims) => {
                let mut any = self.pool.bool(false);
                for claim in claims {
                    let claim = self.claim(claim, field)?;
                    any = self.pool.binary(Binary::Or, any, claim);
                }
                any
            }
            Fact::Not(claim) => {
                let claim = self.claim(claim, field)?;
                self.pool.not(claim)
            }
            Fact::Alike(first, second) => {
                let (first, second) = (self.claim(first, field)?, self.claim(second, field)?);
                let not_second = self.pool.not(second);
                self.pool.ite(first, second, not_second)
            }
        })
    }

    fn claim(&mut self, claim: &FieldClaim, field: &dyn Fn(u32) -> u64) -> Option<Term> {
        Some(match *claim {
            FieldClaim::Null(word) => self.is_among(field(word), &[Ref::NULL])?,
            FieldClaim::IsTo(comparison, kind, word, value) => {
                let sort = match kind {
                    Kind::Long => Sort::Long,
                    _ => Sort::Int,
                };
                let bits = match kind {
                    Kind::Long => value as u64,
                    _ => u64::from(value as u32),
                };
                let value = self.pool.constant(sort, bits);
                let value = self.slot(value);
                self.compared(comparison, kind, field(word), value)
            }
            FieldClaim::NotGreater(kind, first, second) => {
                self.compared(Comparison::Le, kind, field(first), field(second))
            }
        })
    }

    /// Adds facts about a new input object with these fields to the path.
    pub(super) fn assume_facts(&mut self, facts: &[Fact], slots: &[(Place, u64)]) {
        for fact in facts {
            if let Some(condition) = self.fact(fact, &|word| slot_of(slots, word))
                && self.settled(condition).is_none()
            {
                self.require(condition);
            }
        }
    }
}

fn slot_of(slots: &[(Place, u64)], word: u32) -> u64 {
    let mut slots = slots.iter();
    let found = slots.find(|slot| slot.0 == Place::Field(word));
    found.map_or(0, |slot| slot.1)
}

impl SymbolicSearch<'_> {
    /// Assumes these facts of all input objects before a run.
    pub fn assume_facts_initially(&mut self, facts: Rc<Facts>) {
        self.inputs.facts = facts;
    }

    /// Returns the indices of the facts that may fail for an object in the current state.
    ///
    /// # Errors
    /// The solver cannot be used.
    pub fn violated(
        &mut self,
        vm: &Vm,
        object: Ref,
        facts: &[Fact],
    ) -> Result<Vec<usize>, SymbolicError> {
        let inputs = self.inputs.objects.iter();
        let mut inputs = inputs.filter(|input| input.object == object);
        let before = inputs.next().map(|input| input.slots.clone());
        let mut broken = Vec::new();
        for (place, fact) in facts.iter().enumerate() {
            let mut claims = fact.claims().into_iter();
            let is_same = |claim: FieldClaim| {
                let mut words = claim.words();
                let before = before.as_ref();
                words.all(|word| {
                    before.is_some_and(|slots| slot_of(slots, word) == vm.heap.field(object, word))
                })
            };
            if claims.all(is_same) {
                continue;
            }
            let condition = (self.machine).fact(fact, &|word| vm.heap.field(object, word));
            let keeps = match condition {
                Some(condition) => match self.machine.settled(condition) {
                    Some(holds) => holds,
                    None => {
                        let machine = &mut self.machine;
                        let decision = machine.solver.decide(&machine.pool, condition)?;
                        decision.fails == Satisfiability::Unsat
                    }
                },
                None => false,
            };
            if !keeps {
                broken.push(place);
            }
        }
        Ok(broken)
    }

    /// Receiver of the method, if it is an object.
    #[must_use]
    pub fn receiver(&self) -> Option<Ref> {
        let is_static =
            matches!(self.task, Task::Method(entry) if entry.receiver == Receiver::None);
        let first = self.arguments.first().filter(|_| !is_static);
        first.map(|&slot| Ref::from_slot(slot))
    }

    /// Objects reachable from the inputs and from these slots of reference type in the current
    /// state.
    #[must_use]
    pub fn within_reach(&self, vm: &Vm, slots: &[u64]) -> Vec<Ref> {
        let inputs = self.inputs.objects.iter();
        let mut open: Vec<u64> = inputs.map(|input| input.object.slot()).collect();
        open.extend(slots);
        let mut seen = FxHashSet::default();
        let mut found = Vec::new();
        while let Some(slot) = open.pop() {
            let slot = self.machine.references.current(slot);
            if let Some(number) = term_of(slot) {
                let alternatives = self.machine.references.alternatives(number).iter();
                open.extend(alternatives.map(|alternative| alternative.1));
                continue;
            }
            let object = Ref::from_slot(slot);
            if object.is_null() || !seen.insert(object) {
                continue;
            }
            found.push(object);
            let class = vm.heap.class_of(object);
            if matches!(vm.class(class).shape, Shape::Array(_)) {
                if vm.array_element_kind(class) == Kind::Reference {
                    let indices = 0..vm.heap.array_length(object);
                    open.extend(
                        indices.map(|index| vm.slot_of_place(object, Place::Element(index))),
                    );
                }
                continue;
            }
            let fields = vm.class(class).display.iter();
            let fields = fields.flat_map(|&class| &vm.class(class).fields);
            let references =
                fields.filter(|field| !field.is_static() && field.kind == Kind::Reference);
            open.extend(references.map(|field| vm.heap.field(object, field.word)));
        }
        found
    }
}
