//! Values that nothing runs on: conditions on them, as far as they are told at once.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Answer, Comparison, Machine, Operation};
use heapwright_solve::smt::{Limits, Verdict};

use super::inputs::Bounds;
use super::machine::{MachineMark, SymbolicMachine};

/// Open values, and what was assumed of them. Slots are those of the symbolic machine.
pub struct Store {
    machine: SymbolicMachine,
    start: MachineMark,
}

impl Store {
    /// A store in which nothing is assumed. Whether integers are read without overflow.
    #[must_use]
    pub fn new(is_unbounded: bool) -> Store {
        let bounds = Bounds {
            unbounded: is_unbounded,
            ..Bounds::default()
        };
        let machine = SymbolicMachine::new(Limits::default(), &bounds, false);
        let start = machine.mark();
        Store { machine, start }
    }

    /// Forgets all values and what was assumed.
    pub fn clear(&mut self) {
        self.machine.undo_to(&self.start);
    }

    /// A value of a kind that may be any.
    pub fn open(&mut self, kind: Kind) -> u64 {
        self.machine.variable(String::new().into(), kind)
    }

    /// What an operation comes to; any value of the kind if there is no term for it.
    pub fn operate(&mut self, operation: Operation, kind: Kind, a: u64, b: u64) -> u64 {
        let result = match operation {
            Operation::Convert(to) => to,
            Operation::Sign | Operation::SignUp => Kind::Int,
            _ => kind,
        };
        let value = self.machine.operate(operation, kind, a, b);
        value.unwrap_or_else(|| self.open(result))
    }

    /// Assumes that two integers compare so; `false` if they cannot.
    pub fn assume(&mut self, comparison: Comparison, kind: Kind, a: u64, b: u64) -> bool {
        match self.machine.compare(comparison, kind, a, b) {
            Answer::Known(holds) => return holds,
            Answer::Unable => return true,
            Answer::Open => {}
        }
        let Some(condition) = self.machine.open.take() else {
            return true;
        };
        let machine = &mut self.machine;
        let decision = machine.solver.decide_at_once(&machine.pool, condition);
        if decision.holds == Verdict::Unsat {
            return false;
        }
        if decision.fails != Verdict::Unsat {
            machine.assume(condition);
        }
        true
    }
}
