//! Elementary functions of open numbers, whose results may be any that the function can have.

use crate::class::MethodId;
use crate::descriptor::Kind;
use crate::machine::{ConditionTruth, Machine, Operation, is_symbolic};
use crate::vm::{Exit, Vm};

use super::ReplacedCall;

/// Function of `Math` and `StrictMath` on doubles that is no operation of IEEE 754.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Elementary {
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Arc sine.
    Asin,
    /// Arc cosine.
    Acos,
    /// Arc tangent.
    Atan,
    /// Angle of the point whose ordinate is the first operand.
    Atan2,
    /// Exponential function.
    Exp,
    /// Exponential function less 1.
    Expm1,
    /// Natural logarithm.
    Log,
    /// Natural logarithm of the sum of the operand and 1.
    Log1p,
    /// Logarithm to the base 10.
    Log10,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Cube root.
    Cbrt,
    /// Square root of the sum of the squares of both operands.
    Hypot,
    /// First operand to the power of the second.
    Pow,
}

impl Elementary {
    /// Number of operands.
    #[must_use]
    pub fn operands(self) -> usize {
        match self {
            Elementary::Atan2 | Elementary::Hypot | Elementary::Pow => 2,
            _ => 1,
        }
    }
}

impl Vm {
    /// Result of an elementary function of an open number.
    pub(super) fn elementary<M: Machine>(
        &self,
        machine: &mut M,
        function: Elementary,
        method: MethodId,
        first: usize,
    ) -> ReplacedCall {
        let operands: Vec<u64> = (0..function.operands())
            .map(|operand| self.number_at(machine, first + 2 * operand))
            .collect();
        if !M::TOTAL || !operands.iter().any(|&operand| is_symbolic(operand)) {
            return ReplacedCall::Plain;
        }
        if let [base, exponent] = operands[..]
            && function == Elementary::Pow
            && !is_symbolic(exponent)
            && let Some(power) = exact_power(machine, base, f64::from_bits(exponent))
        {
            return ReplacedCall::Done(power);
        }
        match machine.elementary(function, method, &operands) {
            Some((ConditionTruth::Known(true), result)) => ReplacedCall::Done(result),
            Some((ConditionTruth::Known(false), _)) => ReplacedCall::Done(f64::NAN.to_bits()),
            Some((ConditionTruth::Open, _)) => ReplacedCall::Stop(Exit::Branch),
            Some((ConditionTruth::Unable, _)) | None => ReplacedCall::Plain,
        }
    }
}

/// Power that every implementation rounds to the nearest number.
fn exact_power<M: Machine>(machine: &mut M, base: u64, exponent: f64) -> Option<u64> {
    match exponent {
        0.0 => Some(1.0_f64.to_bits()),
        1.0 => Some(base),
        2.0 => machine.operate(Operation::Mul, Kind::Double, base, base),
        _ => None,
    }
}
