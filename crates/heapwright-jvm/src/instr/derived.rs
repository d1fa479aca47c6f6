//! Code generated from the table: the enum of the instructions, and the properties of each row.
//!
//! Macros named after a property (`role`, `flow`, `meaning`) give it for one row or one operand.
//! `define` applies them to all rows.

use super::operand::{Class, Entry, Far, Fixed, Method, Near, Read, Table, Write};
use super::{Flow, InvokeKind, Meaning, Operand, Reg, RegisterUse, for_each_instr};
use crate::descriptor::Kind;
use crate::machine::{Comparison, Operation};

/// Register and role of an operand; `None` for other operands.
macro_rules! role {
    ($operand:ident: Read) => {
        Some((RegisterUse::Read, $operand))
    };
    ($operand:ident: Write) => {
        Some((RegisterUse::Write, $operand))
    };
    ($operand:ident: Fixed) => {
        Some((RegisterUse::Fixed, $operand))
    };
    ($operand:ident: $other:ident) => {{
        let _ = $operand;
        None
    }};
}

/// Distance that an operand holds; `None` for other operands.
macro_rules! distance {
    ($operand:ident: Far) => {
        Some(Distance::Far($operand))
    };
    ($operand:ident: Near) => {
        Some(Distance::Near($operand))
    };
    ($operand:ident: $other:ident) => {{
        let _ = $operand;
        None
    }};
}

/// Number of a class or method that an operand holds; `None` for other operands.
macro_rules! number {
    (Class, $operand:ident: Class) => {
        Some($operand)
    };
    (Method, $operand:ident: Method) => {
        Some($operand)
    };
    ($wanted:ident, $operand:ident: $other:ident) => {{
        let _ = $operand;
        None
    }};
}

/// Control flow of a row.
macro_rules! flow {
    (control $flow:ident) => {
        Flow::$flow
    };
    (comparisons $comparison:ident) => {
        Flow::Branch
    };
    (identities $identity:ident) => {
        Flow::Branch
    };
    ($family:ident $($what:ident)?) => {
        Flow::Next
    };
}

/// Second operand of a computation or a branch.
macro_rules! second {
    () => {
        Operand::Constant(0)
    };
    ($b:ident: Read) => {
        Operand::Register($b)
    };
    ($value:ident: i16) => {
        Operand::Constant(i32::from($value))
    };
}

/// Meaning of a branch.
macro_rules! branch {
    (Same $a:ident, $b:expr, $to:ident) => {
        branch!(@ true, $a, $b, $to)
    };
    (Other $a:ident, $b:expr, $to:ident) => {
        branch!(@ false, $a, $b, $to)
    };
    (@ $wanted:literal, $a:ident, $b:expr, $to:ident) => {
        Meaning::Identify {
            wanted: $wanted,
            a: $a,
            b: $b,
            to: i32::from($to),
        }
    };
    ($comparison:ident $a:ident, $b:expr, $to:ident) => {
        Meaning::Compare {
            comparison: Comparison::$comparison,
            a: $a,
            b: $b,
            to: i32::from($to),
        }
    };
}

/// Meaning of a row.
macro_rules! meaning {
    (computations [$kind:ident $operation:ident $(($to:ident))?]
        $d:ident: Write, $a:ident: Read $(, $b:ident: $role:ident)?) => {
        Meaning::Compute {
            operation: Operation::$operation $((Kind::$to))?,
            kind: Kind::$kind,
            d: $d,
            a: $a,
            b: second!($($b: $role)?),
        }
    };
    ($family:ident [$what:ident] $a:ident: Read, $to:ident: Far) => {
        branch!($what $a, second!(), $to)
    };
    ($family:ident [$what:ident] $a:ident: Read, $b:ident: $role:ident, $to:ident: Near) => {
        branch!($what $a, second!($b: $role), $to)
    };
    (loads [] $d:ident: Write, $a:ident: Read, $b:ident: Read) => {
        Meaning::Load {
            d: $d,
            array: $a,
            index: $b,
        }
    };
    (stores [] $a:ident: Read, $b:ident: Read, $c:ident: Read) => {
        Meaning::Store {
            array: $a,
            index: $b,
            value: $c,
        }
    };
    (calls [] $a:ident: Fixed $(, $operand:ident: $role:ident)*) => {{
        $(let _ = $operand;)*
        Meaning::Call { first: $a }
    }};
    ($family:ident [$($what:ident)?] $($operand:ident: $role:ident),*) => {{
        $(let _ = $operand;)*
        Meaning::Other
    }};
}

/// Returns the instruction of a row if its operation is the one in brackets. Rows with a constant
/// as their second operand do not match.
macro_rules! construct {
    ([$operation:ident $kind:ident $d:ident $a:ident $b:ident] $name:ident
        computations [$of:ident $what:ident $(($to:ident))?] $($operands:tt)+) => {
        if $kind == Kind::$of && $operation == Operation::$what $((Kind::$to))? {
            construct!(@ $name $d $a $b; $($operands)+);
        }
    };
    (@ $name:ident $d:ident $a:ident $b:ident; d: Write, a: Read) => {
        return Instr::$name { d: $d, a: $a };
    };
    (@ $name:ident $d:ident $a:ident $b:ident; d: Write, a: Read, b: Read) => {
        return Instr::$name { d: $d, a: $a, b: $b };
    };
    (@ $($constant:tt)+) => {};
    ($($other:tt)*) => {};
}

macro_rules! define {
    ([] $(
        $family:ident { $(
            $(#[$doc:meta])*
            $name:ident $({ $($operand:ident: $role:ident),* })?
                $(= $what:ident $($operation:ident $(($to:ident))?)?)?;
        )* }
    )*) => {
        /// Instruction of the register code; 8 bytes.
        #[expect(
            missing_docs,
            reason = "the names of the JVM's instructions, JVMS §6.5"
        )]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Instr {
            $($( $(#[$doc])* $name $({ $($operand: $role),* })?, )*)*
        }

        impl Instr {
            /// Registers that an instruction names, with their roles. The arguments of a call are
            /// all registers from the call's own up to the stack's depth.
            pub fn registers(self) -> impl Iterator<Item = (RegisterUse, Reg)> {
                let registers = match self {
                    $($( Instr::$name $({ $($operand),* })? =>
                        three([$($(role!($operand: $role)),*)?]), )*)*
                };
                registers.into_iter().flatten()
            }

            /// Like [`Instr::registers`], mutably.
            pub fn registers_mut(&mut self) -> impl Iterator<Item = (RegisterUse, &mut Reg)> {
                let registers = match self {
                    $($( Instr::$name $({ $($operand),* })? =>
                        three([$($(role!($operand: $role)),*)?]), )*)*
                };
                registers.into_iter().flatten()
            }

            /// Distance of a branch, mutably.
            pub(super) fn target_mut(&mut self) -> Option<Distance<'_>> {
                match self {
                    $($( Instr::$name $({ $($operand),* })? =>
                        first([$($(distance!($operand: $role)),*)?]), )*)*
                }
            }

            /// Number of the class that an instruction names.
            #[must_use]
            pub fn class(self) -> Option<Class> {
                match self {
                    $($( Instr::$name $({ $($operand),* })? =>
                        first([$($(number!(Class, $operand: $role)),*)?]), )*)*
                }
            }

            /// Number of the method that a call names.
            #[must_use]
            pub fn method(self) -> Option<Method> {
                match self {
                    $($( Instr::$name $({ $($operand),* })? =>
                        first([$($(number!(Method, $operand: $role)),*)?]), )*)*
                }
            }

            /// Control flow of an instruction.
            #[must_use]
            pub fn flow(self) -> Flow {
                match self {
                    $($( Instr::$name { .. } => flow!($family $($what)?), )*)*
                }
            }

            /// Returns the instruction that stores the result of an operation in `d`. The
            /// operands are `a` and, if the operation has two, `b`.
            pub(crate) fn computation(
                operation: Operation,
                kind: Kind,
                d: Reg,
                a: Reg,
                b: Reg,
            ) -> Instr {
                $($( construct!([operation kind d a b] $name
                    $family [$($what $($operation $(($to))?)?)?] $($($operand: $role),*)?); )*)*
                unreachable!("no instruction for {operation:?} of {kind:?}")
            }

            /// Operation of an instruction, in a form common to all of its family.
            #[inline(always)]
            #[must_use]
            pub fn meaning(self) -> Meaning {
                match self {
                    $($( Instr::$name $({ $($operand),* })? => meaning!(
                        $family [$($what $($operation $(($to))?)?)?] $($($operand: $role),*)?
                    ), )*)*
                }
            }
        }
    };
}

for_each_instr!(define![]);

/// Distance of a branch, mutably.
pub(super) enum Distance<'a> {
    /// In 32 bits.
    Far(&'a mut Far),
    /// In 16 bits.
    Near(&'a mut Near),
}

fn three<T, const N: usize>(found: [Option<T>; N]) -> [Option<T>; 3] {
    const { assert!(N <= 3) };
    let mut found = found.into_iter();
    std::array::from_fn(|_| found.next().flatten())
}

fn first<T, const N: usize>(found: [Option<T>; N]) -> Option<T> {
    found.into_iter().flatten().next()
}
