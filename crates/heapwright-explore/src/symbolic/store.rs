//! Symbolic values without a run: conditions on them, as far as they are decided without a search.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Comparison, ConditionTruth, Machine, Operation};
use heapwright_solve::smt::{Limits, Satisfiability};

use super::inputs::InputBounds;
use super::machine::{MachineMark, SymbolicMachine};

/// Open values, and the assumptions on them. Slots are those of the symbolic machine.
pub struct Store {
    machine: SymbolicMachine,
    start: MachineMark,
}

impl Store {
    /// Creates a store without assumptions; the flag selects arithmetic without overflow.
    #[must_use]
    pub fn new(is_unbounded: bool) -> Store {
        let bounds = InputBounds {
            unbounded: is_unbounded,
            ..InputBounds::default()
        };
        let machine = SymbolicMachine::new(Limits::default(), &bounds, false);
        let start = machine.mark();
        Store { machine, start }
    }

    /// Removes all values and assumptions.
    pub fn clear(&mut self) {
        self.machine.undo_to(&self.start);
    }

    /// Creates an unconstrained value of a kind.
    pub fn open(&mut self, kind: Kind) -> u64 {
        self.machine.variable(String::new().into(), kind)
    }

    /// Returns the result of an operation; an unconstrained value if there is no term for it.
    pub fn operate(&mut self, operation: Operation, kind: Kind, a: u64, b: u64) -> u64 {
        let result = match operation {
            Operation::Convert(to) => to,
            Operation::Sign | Operation::SignUp => Kind::Int,
            _ => kind,
        };
        let value = self.machine.operate(operation, kind, a, b);
        value.unwrap_or_else(|| self.open(result))
    }

    /// Assumes a comparison of two integers; `false` if it cannot hold.
    pub fn assume(&mut self, comparison: Comparison, kind: Kind, a: u64, b: u64) -> bool {
        match self.machine.compare(comparison, kind, a, b) {
            ConditionTruth::Known(holds) => return holds,
            ConditionTruth::Unable => return true,
            ConditionTruth::Open => {}
        }
        let Some(condition) = self.machine.open.take() else {
            return true;
        };
        let machine = &mut self.machine;
        let decision = machine.solver.decide_at_once(&machine.pool, condition);
        if decision.holds == Satisfiability::Unsat {
            return false;
        }
        if decision.fails != Satisfiability::Unsat {
            machine.assume(condition);
        }
        true
    }
}
