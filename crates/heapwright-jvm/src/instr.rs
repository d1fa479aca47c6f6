//! The instruction set of the register code.
//!
//! A method's registers are its local variables followed by its operand stack, numbered in words
//! as the class file counts them; a long or double lives in the first of its two. Each bytecode
//! instruction becomes one instruction here (the `dup` family becomes moves), so that a position
//! of one is a position of the other. `d` is the register written, `a`, `b`, `c` those read, `to`
//! a distance in instructions.
//!
//! A form named `…Pending` names a constant-pool entry and rewrites itself once that is resolved;
//! a form named `…Checked` still looks whether its class is initialised, because that goes back.
//!
//! `table.rs` lists the instructions. From it comes, in `derived.rs`, the enum and what is known of every
//! instruction: the registers it reads and writes, the ways on from it, the operation it stands for.

mod derived;
mod table;

use crate::descriptor::Kind;
use crate::machine::{Comparison, Operation};
use derived::Distance;
pub use derived::Instr;
pub(crate) use table::for_each_instr;

/// A register of the running frame.
pub type Reg = u16;

/// The types of operands, by their roles.
pub mod operand {
    use super::Reg;

    /// A register that the instruction reads.
    pub type Read = Reg;
    /// A register that the instruction writes.
    pub type Write = Reg;
    /// A register that the instruction reads, or writes, or both, and cannot exchange for another; of a
    /// call the first of a row of registers.
    pub type Fixed = Reg;
    /// A distance to the instruction that control jumps to.
    pub type Far = i32;
    /// The same in 16 bits.
    pub type Near = i16;
    /// An entry of the constant pool.
    pub type Entry = u16;
    /// The number of a [`crate::ClassId`].
    pub type Class = u32;
    /// The number of a [`crate::MethodId`].
    pub type Method = u32;
    /// The number of a [`super::SwitchTable`].
    pub type Table = u32;
}

/// What an instruction does with a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Reads it.
    Read,
    /// Writes it.
    Write,
    /// Reads or writes it and cannot use another.
    Fixed,
}

/// Where control goes from an instruction, exceptions apart.
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

/// The second operand of a computation or a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The value in a register.
    Register(Reg),
    /// This int, and 0 where there is no second operand.
    Constant(i32),
}

/// What an instruction does, for those that differ in an operation only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Puts the result of an operation on numbers into `d`.
    Compute {
        /// The operation.
        operation: Operation,
        /// The kind of its operands.
        kind: Kind,
        /// The register of the result.
        d: Reg,
        /// The first operand.
        a: Reg,
        /// The second operand.
        b: Operand,
    },
    /// Jumps if two ints compare so.
    Compare {
        /// The comparison.
        comparison: Comparison,
        /// The first operand.
        a: Reg,
        /// The second operand.
        b: Operand,
        /// The distance of the jump.
        to: i32,
    },
    /// Jumps if whether two references are the same is `wanted`.
    Identify {
        /// Whether they are to be the same.
        wanted: bool,
        /// The first operand.
        a: Reg,
        /// The second operand.
        b: Operand,
        /// The distance of the jump.
        to: i32,
    },
    /// Reads an element of an array.
    Load {
        /// The register of the result.
        d: Reg,
        /// The array.
        array: Reg,
        /// The index.
        index: Reg,
    },
    /// Writes an element of an array.
    Store {
        /// The array.
        array: Reg,
        /// The index.
        index: Reg,
        /// What becomes the element.
        value: Reg,
    },
    /// Calls a method.
    Call {
        /// The register where the arguments start, which receives the result.
        first: Reg,
    },
    /// Anything else.
    Other,
}

const _: () = assert!(size_of::<Instr>() == 8);

impl Instr {
    /// The registers that an instruction reads; of a call its first argument only.
    pub fn reads(self) -> impl Iterator<Item = Reg> {
        let reads = self.registers().filter(|(role, _)| *role != Role::Write);
        reads.map(|(_, register)| register)
    }

    /// The register that an instruction writes, if it can write another instead.
    #[must_use]
    pub fn target(self) -> Option<Reg> {
        self.with_role(Role::Write)
    }

    /// The first register from which on an instruction may use all up to the stack's depth.
    #[must_use]
    pub fn fixed_from(self) -> Option<Reg> {
        self.with_role(Role::Fixed)
    }

    /// The register that an instruction writes.
    #[must_use]
    pub fn written(self) -> Option<Reg> {
        self.target().or(self.fixed_from())
    }

    fn with_role(self, wanted: Role) -> Option<Reg> {
        let mut registers = self.registers();
        registers
            .find(|(role, _)| *role == wanted)
            .map(|(_, register)| register)
    }

    /// The register of a call's first argument, which receives the result; `None` of what is no call.
    #[must_use]
    pub fn call_register(self) -> Option<Reg> {
        match self.meaning() {
            Meaning::Call { first } => Some(first),
            _ => None,
        }
    }

    /// How many instructions a branch goes on; `None` of what is no branch. A switch holds its
    /// distances in its table.
    #[must_use]
    pub fn distance(mut self) -> Option<i32> {
        Some(match self.target_mut()? {
            Distance::Far(to) => *to,
            Distance::Near(to) => i32::from(*to),
        })
    }

    /// Makes a branch go on so many instructions; a near one at most 32,767.
    pub fn set_distance(&mut self, distance: i32) {
        match self.target_mut() {
            Some(Distance::Far(to)) => *to = distance,
            Some(Distance::Near(to)) => {
                *to = i16::try_from(distance).expect("far branches are long ones");
            }
            None => unreachable!("not a branch"),
        }
    }

    /// The positions that control can go to from the instruction at `at`, exceptions apart; of a
    /// subroutine's return none. `tables` are those that switches number.
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

    /// Whether it is that of a call of a subroutine or of a return from one.
    #[must_use]
    pub fn is_of_subroutine(self) -> bool {
        matches!(self, Flow::Subroutine | Flow::SubroutineReturn)
    }
}

/// The bytecode instructions that call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
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

/// Where a switch goes; distances are counted from the switch itself.
#[derive(Clone, Debug)]
pub enum SwitchTable {
    /// `tableswitch`: targets of `low`, `low + 1`, ….
    Dense {
        /// The key of the first target.
        low: i32,
        /// The targets.
        targets: Vec<i32>,
        /// The target of all other keys.
        default: i32,
    },
    /// `lookupswitch`: keys ascending.
    Sparse {
        /// The keys.
        keys: Vec<i32>,
        /// Their targets.
        targets: Vec<i32>,
        /// The target of all other keys.
        default: i32,
    },
}

impl SwitchTable {
    /// The distance to go for a key.
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

    /// All distances, that of the other keys last.
    pub fn distances(&self) -> impl Iterator<Item = i32> {
        let (SwitchTable::Dense {
            targets, default, ..
        }
        | SwitchTable::Sparse {
            targets, default, ..
        }) = self;
        targets.iter().chain([default]).copied()
    }

    /// The same, to put others in their places.
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
