//! Sine, cosine and tangent: the argument is reduced to at most π/4 in size, where polynomials
//! approximate the functions.

use super::reduce::reduce;
use super::{INFINITE, head, high, magnitude, polynomial};

/// High word of π/4.
const QUARTER_PI: i32 = 0x3FE9_21FB;

const SINE: [f64; 6] = [
    f64::from_bits(0xBFC5_5555_5555_5549),
    f64::from_bits(0x3F81_1111_1110_F8A6),
    f64::from_bits(0xBF2A_01A0_19C1_61D5),
    f64::from_bits(0x3EC7_1DE3_57B1_FE7D),
    f64::from_bits(0xBE5A_E5E6_8A2B_9CEB),
    f64::from_bits(0x3DE5_D93A_5ACF_D57C),
];

const COSINE: [f64; 6] = [
    f64::from_bits(0x3FA5_5555_5555_554C),
    f64::from_bits(0xBF56_C16C_16C1_5177),
    f64::from_bits(0x3EFA_01A0_19CB_1590),
    f64::from_bits(0xBE92_7E4F_809C_52AD),
    f64::from_bits(0x3E21_EE9E_BDB4_B1C4),
    f64::from_bits(0xBDA8_FAE9_BE88_38D4),
];

const TANGENT: [f64; 13] = [
    f64::from_bits(0x3FD5_5555_5555_5563),
    f64::from_bits(0x3FC1_1111_1110_FE7A),
    f64::from_bits(0x3FAB_A1BA_1BB3_41FE),
    f64::from_bits(0x3F96_64F4_8406_D637),
    f64::from_bits(0x3F82_26E3_E96E_8493),
    f64::from_bits(0x3F6D_6D22_C956_0328),
    f64::from_bits(0x3F57_DBC8_FEE0_8315),
    f64::from_bits(0x3F43_44D8_F2F2_6501),
    f64::from_bits(0x3F30_26F7_1A8D_1068),
    f64::from_bits(0x3F14_7E88_A037_92A6),
    f64::from_bits(0x3F12_B80F_32F0_A7E9),
    f64::from_bits(0xBEF3_75CB_DB60_5373),
    f64::from_bits(0x3EFB_2A70_74BF_7AD4),
];

const QUARTER_PI_HIGH: f64 = f64::from_bits(0x3FE9_21FB_5444_2D18);
const QUARTER_PI_LOW: f64 = f64::from_bits(0x3C81_A626_3314_5C07);

pub(crate) fn sin(x: f64) -> f64 {
    if magnitude(x) <= QUARTER_PI {
        return sine(x, None);
    }
    if magnitude(x) >= INFINITE {
        return f64::NAN;
    }
    let (quadrant, x, rest) = reduce(x);
    match quadrant & 3 {
        0 => sine(x, Some(rest)),
        1 => cosine(x, rest),
        2 => -sine(x, Some(rest)),
        _ => -cosine(x, rest),
    }
}

pub(crate) fn cos(x: f64) -> f64 {
    if magnitude(x) <= QUARTER_PI {
        return cosine(x, 0.0);
    }
    if magnitude(x) >= INFINITE {
        return f64::NAN;
    }
    let (quadrant, x, rest) = reduce(x);
    match quadrant & 3 {
        0 => cosine(x, rest),
        1 => -sine(x, Some(rest)),
        2 => -cosine(x, rest),
        _ => sine(x, Some(rest)),
    }
}

pub(crate) fn tan(x: f64) -> f64 {
    if magnitude(x) <= QUARTER_PI {
        return tangent(x, 0.0, false);
    }
    if magnitude(x) >= INFINITE {
        return f64::NAN;
    }
    let (quadrant, x, rest) = reduce(x);
    tangent(x, rest, quadrant & 1 != 0)
}

/// Sine of `x` + `rest`, within π/4 of 0; `rest` is the low part of the argument.
fn sine(x: f64, rest: Option<f64>) -> f64 {
    // Below 2⁻²⁷ the sine rounds to `x`.
    if magnitude(x) < 0x3E40_0000 {
        return x;
    }
    let square = x * x;
    let cube = square * x;
    let tail = polynomial(square, &SINE[1..]);
    match rest {
        None => x + cube * (SINE[0] + square * tail),
        Some(rest) => x - ((square * (0.5 * rest - cube * tail) - rest) - cube * SINE[0]),
    }
}

/// Cosine of `x` + `rest`.
fn cosine(x: f64, rest: f64) -> f64 {
    let size = magnitude(x);
    if size < 0x3E40_0000 {
        return 1.0;
    }
    let square = x * x;
    let tail = square * polynomial(square, &COSINE);
    // Below 0.3.
    if size < 0x3FD3_3333 {
        return 1.0 - (0.5 * square - (square * tail - x * rest));
    }
    // Roughly x/4, subtracted from both 1 and x²/2 to avoid cancellation; 0.28125 if x is above
    // 0.78125.
    let quarter = match size > 0x3FE9_0000 {
        true => 0.28125,
        false => f64::from_bits(u64::from((size - 0x0020_0000) as u32) << 32),
    };
    let half = 0.5 * square - quarter;
    (1.0 - quarter) - (half - (square * tail - x * rest))
}

/// Tangent of `x` + `rest`, or -1 divided by it.
fn tangent(x: f64, rest: f64, is_inverted: bool) -> f64 {
    let (is_negative, size) = (high(x) < 0, magnitude(x));
    let (mut x, mut rest) = (x, rest);
    // Below 2⁻²⁸.
    if size < 0x3E30_0000 {
        return match is_inverted {
            false => x,
            true if x == 0.0 => 1.0 / x.abs(),
            true => inverted(x + rest, x, rest),
        };
    }
    // From 0.6744 on, uses the tangent of the difference from π/4.
    let is_large = size >= 0x3FE5_9428;
    if is_large {
        if is_negative {
            (x, rest) = (-x, -rest);
        }
        x = (QUARTER_PI_HIGH - x) + (QUARTER_PI_LOW - rest);
        rest = 0.0;
    }
    let square = x * x;
    let fourth = square * square;
    let [_, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12] = TANGENT;
    let first = polynomial(fourth, &[t1, t3, t5, t7, t9, t11]);
    let second = square * polynomial(fourth, &[t2, t4, t6, t8, t10, t12]);
    let cube = square * x;
    let mut tail = rest + square * (cube * (first + second) + rest);
    tail += TANGENT[0] * cube;
    let sum = x + tail;
    if is_large {
        let sign = if is_negative { -1.0 } else { 1.0 };
        let unit = if is_inverted { -1.0 } else { 1.0 };
        return sign * (unit - 2.0 * (x - (sum * sum / (sum + unit) - tail)));
    }
    match is_inverted {
        false => sum,
        true => inverted(sum, x, tail),
    }
}

/// -1/`sum` with little rounding error, where `sum` is `x` + `rest`, rounded.
fn inverted(sum: f64, x: f64, rest: f64) -> f64 {
    let z = head(sum);
    let lost = rest - (z - x);
    let inverse = -1.0 / sum;
    let t = head(inverse);
    let s = 1.0 + t * z;
    t + inverse * (s + t * lost)
}
