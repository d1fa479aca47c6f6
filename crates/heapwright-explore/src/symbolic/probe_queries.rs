//! Queries on the operands of an instruction before it runs. An open result splits the path, as if
//! the program itself branched on it.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::term_of;
use heapwright_jvm::{ConditionTruth, Operation, Ref};
use heapwright_solve::smt::{Binary, Term, Unary};

use super::machine::SymbolicMachine;

/// Query at a probe, about the following instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProbeQuery {
    /// Distance of the two integers of this kind that it compares; the second is 0 if it has only
    /// one.
    Edge(Kind),
    /// Overflow of its integer arithmetic of this kind; an increment has its amount.
    Wraps(Operation, Kind, Option<i32>),
    /// Object whose field it reads or writes.
    Object,
    /// Objects that it compares.
    Same,
    /// Nullness of its operand.
    Null,
    /// Execution of the instruction.
    Runs,
}

/// Result of a query on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Number of the probe.
    pub point: u32,
    /// Result of the query.
    pub answer: ProbeResult,
}

/// Result of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeResult {
    /// The first operand is one less than the second.
    Below,
    /// The operands are equal.
    Equal,
    /// The first operand is one more than the second.
    Above,
    /// The arithmetic wraps.
    Wraps,
    /// The operand is this object.
    Object(Ref),
    /// The operands are these two objects; null for one that is unresolved.
    Same(Ref, Ref),
    /// The operand is null.
    Null,
    /// The instruction runs.
    Runs,
    /// The slots of the first two operands and of the noted variable are these; 0 for one that
    /// there is not. See
    /// [`SymbolicSearch::note_operands`](super::SymbolicSearch::note_operands).
    Operands([u64; 3]),
}

/// Operands that are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotedOperands {
    /// The probe before the instruction that has them.
    pub point: u32,
    /// A local variable that is recorded with them, named by its first word.
    pub variable: Option<u16>,
}

impl ProbeQuery {
    /// Whether the result can be open, which splits the path.
    #[must_use]
    pub fn splits(&self) -> bool {
        !matches!(
            self,
            ProbeQuery::Object | ProbeQuery::Same | ProbeQuery::Runs
        )
    }
}

impl SymbolicMachine {
    /// Evaluates the query at a probe.
    pub(super) fn watched(&mut self, point: u32, operands: [u64; 3]) -> ConditionTruth {
        if self.noted.is_some_and(|noted| noted.point == point)
            && operands.iter().all(|&slot| term_of(slot).is_none())
        {
            let answer = ProbeResult::Operands(operands);
            self.events.push(Event { point, answer });
        }
        let Some(question) = self.questions.get(point as usize).cloned().flatten() else {
            return ConditionTruth::Known(true);
        };
        if question.splits() && !self.asks {
            return ConditionTruth::Known(true);
        }
        let [a, b, _] = operands;
        let conditions = match question {
            ProbeQuery::Edge(kind) => self.edges(kind, a, b),
            ProbeQuery::Wraps(operation, kind, by) => {
                let b = by.map_or(b, |by| u64::from(by as u32));
                let wraps = self.overflows(operation, kind, a, b);
                wraps
                    .map(|wraps| (wraps, ProbeResult::Wraps))
                    .into_iter()
                    .collect()
            }
            ProbeQuery::Object => {
                let slot = self.references.current(a);
                if term_of(slot).is_none() {
                    let answer = ProbeResult::Object(Ref::from_slot(slot));
                    self.events.push(Event { point, answer });
                }
                return ConditionTruth::Known(true);
            }
            ProbeQuery::Null => {
                let is_null = self.is_among(a, &[Ref::NULL]);
                is_null
                    .map(|is_null| (is_null, ProbeResult::Null))
                    .into_iter()
                    .collect()
            }
            ProbeQuery::Same => {
                let [a, b] = [a, b].map(|slot| {
                    let slot = self.references.current(slot);
                    match term_of(slot) {
                        None => Ref::from_slot(slot),
                        Some(_) => Ref::NULL,
                    }
                });
                let answer = ProbeResult::Same(a, b);
                self.events.push(Event { point, answer });
                return ConditionTruth::Known(true);
            }
            ProbeQuery::Runs => {
                let answer = ProbeResult::Runs;
                self.events.push(Event { point, answer });
                return ConditionTruth::Known(true);
            }
        };
        for (condition, answer) in conditions {
            match self.ask(condition) {
                ConditionTruth::Known(true) => {
                    self.events.push(Event { point, answer });
                    break;
                }
                ConditionTruth::Known(false) => {}
                other => return other,
            }
        }
        ConditionTruth::Known(true)
    }

    /// Conditions that one integer equals or is adjacent to another.
    fn edges(&mut self, kind: Kind, a: u64, b: u64) -> Vec<(Term, ProbeResult)> {
        let (a, b) = (self.term(a, kind), self.term(b, kind));
        let one = match kind {
            Kind::Long => self.pool.long(1),
            _ => self.pool.int(1),
        };
        let equal = self.pool.binary(Binary::Eq, a, b);
        let mut conditions = vec![(equal, ProbeResult::Equal)];
        for (low, high, answer) in [(a, b, ProbeResult::Below), (b, a, ProbeResult::Above)] {
            let next = self.pool.binary(Binary::Add, low, one);
            let is_next = self.pool.binary(Binary::Eq, next, high);
            // The greatest value has no successor.
            let is_less = self.pool.binary(Binary::Lt, low, high);
            conditions.push((self.pool.binary(Binary::And, is_less, is_next), answer));
        }
        conditions
    }

    /// Returns the condition that integer arithmetic wraps.
    fn overflows(&mut self, operation: Operation, kind: Kind, a: u64, b: u64) -> Option<Term> {
        let (a, b) = match operation {
            Operation::Neg => (0, a),
            _ => (a, b),
        };
        let (a, b) = (self.term(a, kind), self.term(b, kind));
        let pool = &mut self.pool;
        if operation == Operation::Div {
            let (least, minus) = match kind {
                Kind::Long => (pool.long(i64::MIN), pool.long(-1)),
                _ => (pool.int(i32::MIN), pool.int(-1)),
            };
            let is_least = pool.binary(Binary::Eq, a, least);
            let is_minus = pool.binary(Binary::Eq, b, minus);
            return Some(pool.binary(Binary::And, is_least, is_minus));
        }
        let operation = match operation {
            Operation::Add => Binary::Add,
            Operation::Sub | Operation::Neg => Binary::Sub,
            Operation::Mul => Binary::Mul,
            _ => return None,
        };
        let result = pool.binary(operation, a, b);
        if kind != Kind::Long {
            let (a, b) = (
                pool.unary(Unary::IntToLong, a),
                pool.unary(Unary::IntToLong, b),
            );
            let wide = pool.binary(operation, a, b);
            let result = pool.unary(Unary::IntToLong, result);
            let same = pool.binary(Binary::Eq, wide, result);
            return Some(pool.not(same));
        }
        let zero = pool.long(0);
        if operation == Binary::Mul {
            let quotient = pool.binary(Binary::Div, result, b);
            let same = pool.binary(Binary::Eq, quotient, a);
            let is_zero = pool.binary(Binary::Eq, b, zero);
            let fits = pool.binary(Binary::Or, is_zero, same);
            return Some(pool.not(fits));
        }
        // Sign combinations that no exact sum or difference has (Hacker's Delight, 2-13).
        let (left, right) = match operation {
            Binary::Add => (
                pool.binary(Binary::Xor, a, result),
                pool.binary(Binary::Xor, b, result),
            ),
            _ => (
                pool.binary(Binary::Xor, a, b),
                pool.binary(Binary::Xor, a, result),
            ),
        };
        let both = pool.binary(Binary::And, left, right);
        Some(pool.binary(Binary::Lt, both, zero))
    }
}
