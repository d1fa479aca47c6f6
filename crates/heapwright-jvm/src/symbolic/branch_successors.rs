//! Successors of the instruction at which a run stopped.

use crate::class::MethodId;
use crate::descriptor::Kind;
use crate::instr::Meaning;
use crate::machine::Operation;
use crate::state::Frame;
use crate::vm::Vm;

/// Successor of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BranchSuccessor {
    /// The instruction at this bytecode index.
    At(u16),
    /// Exceptional successor.
    Throws,
}

impl Vm {
    /// Method of a frame, and the bytecode index of its current instruction; for a caller, the
    /// call.
    #[must_use]
    pub fn site(&self, frame: &Frame) -> (MethodId, u16) {
        (frame.method, self.bytecode_index(frame.method, frame.pc))
    }

    /// Returns the running method and the two successors of the instruction at which the run
    /// stopped with [`crate::Exit::Branch`]: if the condition holds, and if it does not. `None`
    /// if the instruction has not one condition with two successors.
    #[must_use]
    pub fn sides(&self) -> Option<(MethodId, BranchSuccessor, BranchSuccessor)> {
        let frame = self.frames().last()?;
        let instr = self.code[frame.pc as usize];
        let method = self.method(frame.method);
        let entry = self.entry(method);
        let at = |pc: u32| {
            let origin = method.origins.get(pc.checked_sub(entry)? as usize)?;
            Some(BranchSuccessor::At(*origin))
        };
        let next = at(frame.pc + 1)?;
        let jump = |to: i32| at(frame.pc.wrapping_add_signed(to));
        let (holds, fails) = match instr.meaning() {
            Meaning::Compute {
                operation: Operation::Div | Operation::Rem,
                kind: Kind::Int | Kind::Long,
                ..
            } => (BranchSuccessor::Throws, next),
            Meaning::Compare { to, .. }
            | Meaning::Identify {
                wanted: true, to, ..
            } => (jump(to)?, next),
            Meaning::Identify { to, .. } => (next, jump(to)?),
            _ => return None,
        };
        Some((frame.method, holds, fails))
    }
}
