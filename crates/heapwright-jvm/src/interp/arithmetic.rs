//! Operations on numbers (JVMS §6.5), and the loop's arms for instructions that have an operation
//! in the table.
//!
//! The loop calls [`evaluate`] and [`holds`] with constant operation and kind, so each arm
//! compiles to one case. The macros use those of the loop (`operand!`, `set!`, `branch_if!`).

use crate::descriptor::Kind;
use crate::machine::{Comparison, Operation};

/// Adds the generated arms to the `match` of the other instructions. A single `match` makes each
/// instruction one indirect jump.
macro_rules! with_operations {
    (match $instr:ident { $($arms:tt)* }) => {
        for_each_instr!(operate! [$instr { $($arms)* }])
    };
}

/// Like `with_operations`, with the table.
macro_rules! operate {
    ([$instr:ident { $($arms:tt)* }]
        values { $($value:tt)* }
        computations { $(
            $computation:ident { $($x:ident: $of_x:ident),* } = $kind:ident $operation:ident $(($to:ident))?;
        )* }
        comparisons { $( $comparison:ident { $($y:ident: $of_y:ident),* } = $relation:ident; )* }
        identities { $( $identity:ident { $($z:ident: $of_z:ident),* } = $same:ident; )* }
        $($other:tt)*) => {
        match $instr {
            $( Instr::$computation { $($x),* } => {
                compute!(Operation::$operation $((Kind::$to))?, Kind::$kind, $($x: $of_x),*)
            } )*
            $( Instr::$comparison { $($y),* } => {
                compare!(Comparison::$relation, $($y: $of_y),*)
            } )*
            $( Instr::$identity { $($z),* } => identify!($same, $($z: $of_z),*), )*
            $($arms)*
        }
    };
}

/// Slot of the second operand.
macro_rules! second {
    () => {
        0
    };
    ($b:ident: Read) => {
        operand!($b)
    };
    ($value:ident: i16) => {
        u64::from(i32::from($value) as u32)
    };
}

/// Stores the result of an operation on numbers in a register.
macro_rules! compute {
    ($operation:expr, $kind:expr,
        $d:ident: Write, $a:ident: Read $(, $b:ident: $role:ident)?) => {{
        const OPERATION: Operation = $operation;
        let b: u64 = second!($($b: $role)?);
        if const { may_divide_by_zero(OPERATION, $kind) } && is_zero($kind, b) {
            raise!("ArithmeticException", "/ by zero".to_owned());
        }
        let value = evaluate(OPERATION, $kind, operand!($a), b);
        if const { matches!(OPERATION.result($kind), Kind::Long) } {
            set_long!($d, value);
        } else {
            set!($d, value);
        }
    }};
}

/// Jumps if the comparison of two ints holds.
macro_rules! compare {
    ($comparison:expr, $a:ident: Read, $to:ident: Far) => {
        branch_if!(holds($comparison, int!($a), 0), $to)
    };
    ($comparison:expr, $a:ident: Read, $b:ident: $role:ident, $to:ident: Near) => {
        branch_if!(
            holds($comparison, int!($a), second!($b: $role) as u32 as i32),
            $to
        )
    };
}

/// Jumps if two references are equal, or if they differ.
macro_rules! identify {
    (Same, $($operands:tt)*) => {
        identify!(@ true, $($operands)*)
    };
    (Other, $($operands:tt)*) => {
        identify!(@ false, $($operands)*)
    };
    (@ $wanted:literal, $a:ident: Read, $to:ident: Far) => {
        branch_if!((operand!($a) as u32 == 0) == $wanted, $to)
    };
    (@ $wanted:literal, $a:ident: Read, $b:ident: Read, $to:ident: Near) => {
        branch_if!(same!($a, $b) == $wanted, $to)
    };
}

pub(super) use {compare, compute, identify, operate, second, with_operations};

fn int(value: i32) -> u64 {
    u64::from(value as u32)
}

fn float(value: f32) -> u64 {
    u64::from(value.to_bits())
}

/// Result of an operation on number slots. The divisor of integers must not be 0; an operation
/// with one operand ignores the second.
#[inline(always)]
pub(super) fn evaluate(operation: Operation, kind: Kind, a: u64, b: u64) -> u64 {
    match kind {
        Kind::Int => of_ints(operation, a as u32 as i32, b as u32 as i32),
        Kind::Long => of_longs(operation, a as i64, b as i64),
        Kind::Float => {
            let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            of_floats(operation, a, b)
        }
        Kind::Double => of_doubles(operation, f64::from_bits(a), f64::from_bits(b)),
        _ => unreachable!("{kind:?} is computed with as an int"),
    }
}

/// Whether an operation throws if its second operand is 0 (JVMS §6.5.idiv).
pub(super) const fn may_divide_by_zero(operation: Operation, kind: Kind) -> bool {
    matches!(operation, Operation::Div | Operation::Rem) && matches!(kind, Kind::Int | Kind::Long)
}

/// Whether the slot of an integer is 0.
#[inline(always)]
pub(super) fn is_zero(kind: Kind, slot: u64) -> bool {
    match kind {
        Kind::Long => slot == 0,
        _ => slot as u32 == 0,
    }
}

/// Narrows an int to a kind with fewer bits.
#[inline(always)]
pub(super) fn narrowed(kind: Kind, slot: u64) -> u64 {
    evaluate(Operation::Convert(kind), Kind::Int, slot, 0)
}

/// Whether a comparison of two ints holds.
#[inline(always)]
pub(super) fn holds(comparison: Comparison, a: i32, b: i32) -> bool {
    match comparison {
        Comparison::Eq => a == b,
        Comparison::Ne => a != b,
        Comparison::Lt => a < b,
        Comparison::Ge => a >= b,
        Comparison::Gt => a > b,
        Comparison::Le => a <= b,
        Comparison::Below => (a as u32) < b as u32,
    }
}

// Arithmetic on ints and longs wraps around; shift distances are masked.
#[inline(always)]
fn of_ints(operation: Operation, a: i32, b: i32) -> u64 {
    match operation {
        Operation::Add => int(a.wrapping_add(b)),
        Operation::Sub => int(a.wrapping_sub(b)),
        Operation::Mul => int(a.wrapping_mul(b)),
        Operation::Div => int(a.wrapping_div(b)),
        Operation::Rem => int(a.wrapping_rem(b)),
        Operation::Neg => int(a.wrapping_neg()),
        Operation::And => int(a & b),
        Operation::Or => int(a | b),
        Operation::Xor => int(a ^ b),
        Operation::Shl => int(a.wrapping_shl(b as u32)),
        Operation::Shr => int(a.wrapping_shr(b as u32)),
        Operation::Ushr => u64::from((a as u32).wrapping_shr(b as u32)),
        Operation::Convert(Kind::Boolean) => int(a & 1),
        Operation::Convert(Kind::Byte) => int(i32::from(a as i8)),
        Operation::Convert(Kind::Char) => int(i32::from(a as u16)),
        Operation::Convert(Kind::Short) => int(i32::from(a as i16)),
        Operation::Convert(Kind::Long) => i64::from(a) as u64,
        Operation::Convert(Kind::Float) => float(a as f32),
        Operation::Convert(Kind::Double) => f64::from(a).to_bits(),
        _ => no_instruction(operation),
    }
}

#[inline(always)]
fn of_longs(operation: Operation, a: i64, b: i64) -> u64 {
    match operation {
        Operation::Add => a.wrapping_add(b) as u64,
        Operation::Sub => a.wrapping_sub(b) as u64,
        Operation::Mul => a.wrapping_mul(b) as u64,
        Operation::Div => a.wrapping_div(b) as u64,
        Operation::Rem => a.wrapping_rem(b) as u64,
        Operation::Neg => a.wrapping_neg() as u64,
        Operation::And => (a & b) as u64,
        Operation::Or => (a | b) as u64,
        Operation::Xor => (a ^ b) as u64,
        Operation::Shl => a.wrapping_shl(b as u32) as u64,
        Operation::Shr => a.wrapping_shr(b as u32) as u64,
        Operation::Ushr => (a as u64).wrapping_shr(b as u32),
        Operation::Sign => int(a.cmp(&b) as i32),
        Operation::Convert(Kind::Int) => int(a as i32),
        Operation::Convert(Kind::Float) => float(a as f32),
        Operation::Convert(Kind::Double) => (a as f64).to_bits(),
        _ => no_instruction(operation),
    }
}

// IEEE 754 throughout; `%` is C's fmod, as §6.5.frem requires. Narrowing saturates and maps NaN
// to 0 (§6.5.d2i), like Rust's `as`.
#[inline(always)]
fn of_floats(operation: Operation, a: f32, b: f32) -> u64 {
    match operation {
        Operation::Add => float(a + b),
        Operation::Sub => float(a - b),
        Operation::Mul => float(a * b),
        Operation::Div => float(a / b),
        Operation::Rem => float(a % b),
        Operation::Neg => float(-a),
        Operation::Sign => int(a.partial_cmp(&b).map_or(-1, |order| order as i32)),
        Operation::SignUp => int(a.partial_cmp(&b).map_or(1, |order| order as i32)),
        Operation::Convert(Kind::Int) => int(a as i32),
        Operation::Convert(Kind::Long) => a as i64 as u64,
        Operation::Convert(Kind::Double) => f64::from(a).to_bits(),
        _ => no_instruction(operation),
    }
}

#[inline(always)]
fn of_doubles(operation: Operation, a: f64, b: f64) -> u64 {
    match operation {
        Operation::Add => (a + b).to_bits(),
        Operation::Sub => (a - b).to_bits(),
        Operation::Mul => (a * b).to_bits(),
        Operation::Div => (a / b).to_bits(),
        Operation::Rem => (a % b).to_bits(),
        Operation::Neg => (-a).to_bits(),
        Operation::Sign => int(a.partial_cmp(&b).map_or(-1, |order| order as i32)),
        Operation::SignUp => int(a.partial_cmp(&b).map_or(1, |order| order as i32)),
        Operation::Convert(Kind::Int) => int(a as i32),
        Operation::Convert(Kind::Long) => a as i64 as u64,
        Operation::Convert(Kind::Float) => float(a as f32),
        _ => no_instruction(operation),
    }
}

#[cold]
fn no_instruction(operation: Operation) -> u64 {
    unreachable!("no instruction of the table computes {operation:?}")
}
