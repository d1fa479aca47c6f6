//! Elementary functions whose results equal those of `fdlibm` 5.3 to the last bit, as
//! `StrictMath` requires.
//!
//! Invariant: operations, constants and their order are those of that library, because another
//! order of summation changes the last bits. Cases are selected by the high words of arguments,
//! as there.

mod exponential;
mod inverse;
mod logarithm;
mod reduce;
pub(crate) mod rounded;
mod trigonometric;

#[cfg(test)]
mod tests;

pub(crate) use exponential::{cosh, expm1, sinh, tanh};
pub(crate) use inverse::{acos, asin, atan, atan2};
pub(crate) use logarithm::{log, log1p, log10};
pub(crate) use trigonometric::{cos, sin, tan};

/// High and low parts of ln 2; the high one has zeros at its end, so that its multiples are exact.
const LN2_HIGH: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
const LN2_LOW: f64 = f64::from_bits(0x3DEA_39EF_3579_3C76);
/// High and low parts of π/2.
const HALF_PI: f64 = f64::from_bits(0x3FF9_21FB_5444_2D18);
const HALF_PI_LOW: f64 = f64::from_bits(0x3C91_A626_3314_5C07);
/// Factor 2⁵⁴, which makes a subnormal number normal.
const TWO_54: f64 = 18_014_398_509_481_984.0;
/// High words of infinity and of 1.
const INFINITE: i32 = 0x7FF0_0000;
const ONE: i32 = 0x3FF0_0000;

/// Returns the high word: sign, exponent and the first 20 bits of the fraction.
fn high(x: f64) -> i32 {
    (x.to_bits() >> 32) as u32 as i32
}

/// Returns the high word without the sign.
fn magnitude(x: f64) -> i32 {
    high(x) & 0x7FFF_FFFF
}

/// Replaces the high word of `x`.
fn with_high(x: f64, high: i32) -> f64 {
    f64::from_bits(u64::from(high as u32) << 32 | x.to_bits() & 0xFFFF_FFFF)
}

/// Clears the low word of `x`.
fn head(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & !0xFFFF_FFFF)
}

/// Adds `k` to the exponent of `x`, without an overflow check.
fn with_exponent_more(x: f64, k: i32) -> f64 {
    with_high(x, high(x).wrapping_add(k << 20))
}

/// c₀ + x·(c₁ + x·(c₂ + …)).
fn polynomial(x: f64, coefficients: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (index, &coefficient) in coefficients.iter().rev().enumerate() {
        sum = if index == 0 {
            coefficient
        } else {
            coefficient + x * sum
        };
    }
    sum
}

/// IEEE 754 remainder: the quotient is rounded to the nearest integer, ties to even.
pub(crate) fn remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    let y = y.abs();
    // Exact: remainder by 2y, then at most two subtractions towards the nearer side.
    let mut rest = if y + y < f64::INFINITY {
        x.abs() % (y + y)
    } else {
        x.abs()
    };
    let is_beyond = |rest: f64| match y < 2.0 * f64::MIN_POSITIVE {
        true => rest + rest > y,
        false => rest > 0.5 * y,
    };
    let reaches = |rest: f64| match y < 2.0 * f64::MIN_POSITIVE {
        true => rest + rest >= y,
        false => rest >= 0.5 * y,
    };
    if is_beyond(rest) {
        rest -= y;
        if reaches(rest) {
            rest -= y;
        }
    }
    if x.is_sign_negative() { -rest } else { rest }
}
