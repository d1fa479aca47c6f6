//! Exponential and hyperbolic functions.

use super::{
    INFINITE, LN2_HIGH, LN2_LOW, ONE, high, magnitude, polynomial, with_exponent_more, with_high,
};

const EXP: [f64; 5] = [
    f64::from_bits(0x3FC5_5555_5555_553E),
    f64::from_bits(0xBF66_C16C_16BE_BD93),
    f64::from_bits(0x3F11_566A_AF25_DE2C),
    f64::from_bits(0xBEBB_BD41_C5D2_6BF1),
    f64::from_bits(0x3E66_3769_72BE_A4D0),
];

const EXPM1: [f64; 6] = [
    1.0,
    f64::from_bits(0xBFA1_1111_1111_10F4),
    f64::from_bits(0x3F5A_01A0_19FE_5585),
    f64::from_bits(0xBF14_CE19_9EAA_DBB7),
    f64::from_bits(0x3ED0_CFCA_86E6_5239),
    f64::from_bits(0xBE8A_FDB7_6E09_C32D),
];

const INVERSE_LN2: f64 = f64::from_bits(0x3FF7_1547_652B_82FE);
/// Arguments above and below which exp overflows and underflows.
const OVERFLOW: f64 = f64::from_bits(0x4086_2E42_FEFA_39EF);
const UNDERFLOW: f64 = f64::from_bits(0xC087_4910_D52D_3051);
/// 2⁻¹⁰⁰⁰.
const TWO_MINUS_1000: f64 = f64::from_bits(0x0170_0000_0000_0000);
/// High words of ln 2 / 2, 3 ln 2 / 2 and the logarithm of the largest number.
const HALF_LN2: i32 = 0x3FD6_2E42;
const THREE_HALVES_LN2: i32 = 0x3FF0_A2B2;
const LOG_MAX: i32 = 0x4086_2E42;
/// High word of 22.
const TWENTY_TWO: i32 = 0x4036_0000;
/// Argument from which on sinh and cosh overflow.
const HYPERBOLIC_OVERFLOW: f64 = f64::from_bits(0x4086_33CE_8FB9_F87D);

/// Reduces x to x - k·ln 2; returns this remainder in two parts, and k. Requires |x| > ln 2 / 2.
fn less_ln2(x: f64) -> (f64, f64, i32) {
    let is_negative = x.is_sign_negative();
    if magnitude(x) < THREE_HALVES_LN2 {
        return match is_negative {
            false => (x - LN2_HIGH, LN2_LOW, 1),
            true => (x + LN2_HIGH, -LN2_LOW, -1),
        };
    }
    let half = if is_negative { -0.5 } else { 0.5 };
    let k = (INVERSE_LN2 * x + half) as i32;
    let multiple = f64::from(k);
    (x - multiple * LN2_HIGH, multiple * LN2_LOW, k)
}

fn exp(x: f64) -> f64 {
    let size = magnitude(x);
    if x.is_nan() {
        return x;
    }
    if x > OVERFLOW {
        return f64::INFINITY;
    }
    if x < UNDERFLOW {
        return 0.0;
    }
    if size < 0x3E30_0000 {
        return 1.0 + x;
    }
    let (high, low, k) = match size > HALF_LN2 {
        true => less_ln2(x),
        false => (x, 0.0, 0),
    };
    let x = high - low;
    let square = x * x;
    let c = x - square * polynomial(square, &EXP);
    if k == 0 {
        return 1.0 - ((x * c) / (c - 2.0) - x);
    }
    let y = 1.0 - ((low - (x * c) / (2.0 - c)) - high);
    match k >= -1021 {
        true => with_exponent_more(y, k),
        false => with_exponent_more(y, k + 1000) * TWO_MINUS_1000,
    }
}

pub(crate) fn expm1(x: f64) -> f64 {
    let size = magnitude(x);
    if x.is_nan() {
        return x;
    }
    if x > OVERFLOW {
        return f64::INFINITY;
    }
    // Below -56 ln 2.
    if size >= 0x4043_687A && x < 0.0 {
        return -1.0;
    }
    if size < 0x3C90_0000 {
        return x;
    }
    let (high, low, k) = match size > HALF_LN2 {
        true => less_ln2(x),
        false => (x, 0.0, 0),
    };
    let x = high - low;
    let lost = (high - x) - low;
    let half = 0.5 * x;
    let half_square = x * half;
    let r = polynomial(half_square, &EXPM1);
    let t = 3.0 - r * half;
    let e = half_square * ((r - t) / (6.0 - x * t));
    if k == 0 {
        return x - (x * e - half_square);
    }
    let e = (x * (e - lost) - lost) - half_square;
    match k {
        -1 => 0.5 * (x - e) - 0.5,
        1 if x < -0.25 => -2.0 * (e - (x + 0.5)),
        1 => 1.0 + 2.0 * (x - e),
        ..=-2 | 57.. => with_exponent_more(1.0 - (e - x), k) - 1.0,
        0..20 => {
            // 1 - 2⁻ᵏ.
            let t = with_high(1.0, ONE - (0x20_0000 >> k));
            with_exponent_more(t - (e - x), k)
        }
        _ => {
            // 2⁻ᵏ.
            let t = with_high(1.0, (0x3FF - k) << 20);
            with_exponent_more((x - (e + t)) + 1.0, k)
        }
    }
}

pub(crate) fn sinh(x: f64) -> f64 {
    let (size, positive) = (magnitude(x), x.abs());
    if size >= INFINITE {
        return x + x;
    }
    let half = if high(x) < 0 { -0.5 } else { 0.5 };
    if size < TWENTY_TWO {
        if size < 0x3E30_0000 {
            return x;
        }
        let t = expm1(positive);
        return match size < ONE {
            true => half * (2.0 * t - t * t / (t + 1.0)),
            false => half * (t + t / (t + 1.0)),
        };
    }
    if size < LOG_MAX {
        return half * exp(positive);
    }
    if positive <= HYPERBOLIC_OVERFLOW {
        let w = exp(0.5 * positive);
        return half * w * w;
    }
    x * f64::INFINITY
}

pub(crate) fn cosh(x: f64) -> f64 {
    let (size, positive) = (magnitude(x), x.abs());
    if size >= INFINITE {
        return x * x;
    }
    if size < HALF_LN2 + 1 {
        let t = expm1(positive);
        let w = 1.0 + t;
        return match size < 0x3C80_0000 {
            true => w,
            false => 1.0 + (t * t) / (w + w),
        };
    }
    if size < TWENTY_TWO {
        let t = exp(positive);
        return 0.5 * t + 0.5 / t;
    }
    if size < LOG_MAX {
        return 0.5 * exp(positive);
    }
    if positive <= HYPERBOLIC_OVERFLOW {
        let w = exp(0.5 * positive);
        return 0.5 * w * w;
    }
    f64::INFINITY
}

pub(crate) fn tanh(x: f64) -> f64 {
    let (size, positive) = (magnitude(x), x.abs());
    if x.is_nan() {
        return x;
    }
    let result = match size {
        // Below 2⁻⁵⁵.
        ..0x3C80_0000 => return x * (1.0 + x),
        0x3C80_0000..ONE => {
            let t = expm1(-2.0 * positive);
            -t / (t + 2.0)
        }
        ONE..TWENTY_TWO => 1.0 - 2.0 / (expm1(2.0 * positive) + 2.0),
        _ => 1.0,
    };
    if high(x) < 0 { -result } else { result }
}
