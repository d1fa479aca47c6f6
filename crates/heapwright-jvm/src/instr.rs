//! The instruction set of the register code.
//!
//! A method's registers are its local variables followed by its operand stack, numbered in words
//! as in the class file. A long or double uses the first of its two words. Each bytecode
//! instruction becomes one instruction here (the `dup` family becomes moves), so that positions
//! correspond. `d` is the register written, `a`, `b`, `c` those read, `to` a distance in
//! instructions.
//!
//! A form named `…Pending` names a constant-pool entry and rewrites itself once that is resolved.
//! A form named `…Checked` tests on every run whether its class is initialised, because that is
//! reversible.
//!
//! `table.rs` lists the instructions. From it `derived.rs` generates the enum and the properties
//! of each instruction: registers read and written, successors, operation.

mod derived;
mod table;

use crate::descriptor::Kind;
use crate::machine::{Comparison, Operation};
use derived::Distance;
pub use derived::Instr;
pub(crate) use table::for_each_instr;

/// Register of the running frame.
pub type Reg = u16;

/// Types of operands, by role.
pub mod operand {
    use super::Reg;

    /// A register that the instruction reads.
    pub type Read = Reg;
    /// A register that the instruction writes.
    pub type Write = Reg;
    /// Register that the instruction reads, writes or both, and that cannot be exchanged for
    /// another; the first of a call's row of registers.
    pub type Fixed = Reg;
    /// Distance to the jump target.
    pub type Far = i32;
    /// Distance to the jump target in 16 bits.
    pub type Near = i16;
    /// Entry of the constant pool.
    pub type Entry = u16;
    /// Number of a [`crate::ClassId`].
    pub type Class = u32;
    /// Number of a [`crate::MethodId`].
    pub type Method = u32;
    /// Number of a [`super::SwitchTable`].
    pub type Table = u32;
}

/// Use of a register by an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterUse {
    /// Reads it.
    Read,
    /// Writes it.
    Write,
    /// Reads or writes it and cannot use another.
    Fixed,
}

/// Successors of an instruction, exceptions apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// To the next instruction.
    Next,
    /// To the next instruction or to its target.
    Branch,
    /// To its target.
    Jump,
    /// To one of the targets in its table.
    Switch,
    /// To its target, and to the next instruction when the subroutine there returns (`jsr`).
    Subroutine,
    /// To the position that a register holds (`ret`).
    SubroutineReturn,
    /// To the caller.
    Return,
    /// To a handler.
    Throw,
}

/// Second operand of a computation or a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The value in a register.
    Register(Reg),
    /// This int; 0 if there is no second operand.
    Constant(i32),
}

/// Operation of an instruction, common to those that differ only in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Stores the result of an operation on numbers in `d`.
    Compute {
        /// Operation.
        operation: Operation,
        /// Kind of the operands.
        kind: Kind,
        /// Register of the result.
        d: Reg,
        /// First operand.
        a: Reg,
        /// Second operand.
        b: Operand,
    },
    /// Jumps if the comparison of two ints holds.
    Compare {
        /// Comparison.
        comparison: Comparison,
        /// First operand.
        a: Reg,
        /// Second operand.
        b: Operand,
        /// Distance of the jump.
        to: i32,
    },
    /// Jumps if reference equality of two operands is `wanted`.
    Identify {
        /// Whether the jump needs equal references.
        wanted: bool,
        /// First operand.
        a: Reg,
        /// Second operand.
        b: Operand,
        /// Distance of the jump.
        to: i32,
    },
    /// Reads an element of an array.
    Load {
        /// Register of the result.
        d: Reg,
        /// Register of the array.
        array: Reg,
        /// Register of the index.
        index: Reg,
    },
    /// Writes an element of an array.
    Store {
        /// Register of the array.
        array: Reg,
        /// Register of the index.
        index: Reg,
        /// Register of the new element.
        value: Reg,
    },
    /// Calls a method.
    Call {
        /// Register of the first argument, which receives the result.
        first: Reg,
    },
    /// Anything else.
    Other,
}

const _: () = assert!(size_of::<Instr>() == 8);

impl Instr {
    /// Registers that an instruction reads; of a call its first argument only.
    pub fn reads(self) -> impl Iterator<Item = Reg> {
        let reads = self
            .registers()
            .filter(|(role, _)| *role != RegisterUse::Write);
        reads.map(|(_, register)| register)
    }

    /// Register that an instruction writes, if it could write another instead.
    #[must_use]
    pub fn target(self) -> Option<Reg> {
        self.with_role(RegisterUse::Write)
    }

    /// First register from which on an instruction may use all up to the stack's depth.
    #[must_use]
    pub fn fixed_from(self) -> Option<Reg> {
        self.with_role(RegisterUse::Fixed)
    }

    /// Register that an instruction writes.
    #[must_use]
    pub fn written(self) -> Option<Reg> {
        self.target().or(self.fixed_from())
    }

    fn with_role(self, wanted: RegisterUse) -> Option<Reg> {
        let mut registers = self.registers();
        registers
            .find(|(role, _)| *role == wanted)
            .map(|(_, register)| register)
    }

    /// Register of a call's first argument, which receives the result; `None` if the instruction
    /// is no call.
    #[must_use]
    pub fn call_register(self) -> Option<Reg> {
        match self.meaning() {
            Meaning::Call { first } => Some(first),
            _ => None,
        }
    }

    /// Distance of a branch in instructions; `None` if the instruction is no branch. A switch has
    /// its distances in its table.
    #[must_use]
    pub fn distance(mut self) -> Option<i32> {
        Some(match self.target_mut()? {
            Distance::Far(to) => *to,
            Distance::Near(to) => i32::from(*to),
        })
    }

    /// Sets the distance of a branch in instructions; at most 32,767 for a near one.
    pub fn set_distance(&mut self, distance: i32) {
        match self.target_mut() {
            Some(Distance::Far(to)) => *to = distance,
            Some(Distance::Near(to)) => {
                *to = i16::try_from(distance).expect("far branches are long ones");
            }
            None => unreachable!("not a branch"),
        }
    }

    /// Positions of the successors of the instruction at `at`, exceptions apart; none for a
    /// return from a subroutine. `tables` are the method's switch tables.
    pub fn successors(self, at: u32, tables: &[SwitchTable]) -> impl Iterator<Item = u32> {
        let table = match self {
            Instr::Switch { table, .. } => Some(&tables[table as usize]),
            _ => None,
        };
        let next = self.flow().falls_through().then_some(1);
        let jumps = next.into_iter().chain(self.distance());
        let targets = table.into_iter().flat_map(SwitchTable::distances);
        jumps
            .chain(targets)
            .map(move |distance| at.wrapping_add_signed(distance))
    }
}

impl Flow {
    /// Whether control can go to the next instruction.
    #[must_use]
    pub fn falls_through(self) -> bool {
        matches!(self, Flow::Next | Flow::Branch | Flow::Subroutine)
    }

    /// Whether the instruction calls a subroutine or returns from one.
    #[must_use]
    pub fn is_of_subroutine(self) -> bool {
        matches!(self, Flow::Subroutine | Flow::SubroutineReturn)
    }
}

/// Bytecode instructions that call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvokeKind {
    /// `invokevirtual`
    Virtual,
    /// `invokespecial`
    Special,
    /// `invokestatic`
    Static,
    /// `invokeinterface`
    Interface,
    /// `invokedynamic`
    Dynamic,
}

/// Targets of a switch, as distances from the switch itself.
#[derive(Clone, Debug)]
pub enum SwitchTable {
    /// `tableswitch`: targets of `low`, `low + 1`, ….
    Dense {
        /// Key of the first target.
        low: i32,
        /// Targets.
        targets: Vec<i32>,
        /// Target of all other keys.
        default: i32,
    },
    /// `lookupswitch`: keys ascending.
    Sparse {
        /// Keys.
        keys: Vec<i32>,
        /// Their targets.
        targets: Vec<i32>,
        /// Target of all other keys.
        default: i32,
    },
}

impl SwitchTable {
    /// Distance of the jump for a key.
    #[must_use]
    pub fn target(&self, key: i32) -> i32 {
        match self {
            SwitchTable::Dense {
                low,
                targets,
                default,
            } => {
                let index = i64::from(key) - i64::from(*low);
                usize::try_from(index)
                    .ok()
                    .and_then(|index| targets.get(index))
                    .copied()
                    .unwrap_or(*default)
            }
            SwitchTable::Sparse {
                keys,
                targets,
                default,
            } => keys
                .binary_search(&key)
                .map_or(*default, |index| targets[index]),
        }
    }

    /// All distances, the one of the other keys last.
    pub fn distances(&self) -> impl Iterator<Item = i32> {
        let (SwitchTable::Dense {
            targets, default, ..
        }
        | SwitchTable::Sparse {
            targets, default, ..
        }) = self;
        targets.iter().chain([default]).copied()
    }

    /// Like [`SwitchTable::distances`], mutably.
    pub fn distances_mut(&mut self) -> impl Iterator<Item = &mut i32> {
        let (SwitchTable::Dense {
            targets, default, ..
        }
        | SwitchTable::Sparse {
            targets, default, ..
        }) = self;
        targets.iter_mut().chain([default])
    }
}
