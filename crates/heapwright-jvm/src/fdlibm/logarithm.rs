//! Logarithms: a polynomial for the fraction, a product for the exponent.

use super::{INFINITE, LN2_HIGH, LN2_LOW, ONE, TWO_54, high, magnitude, polynomial, with_high};

const LOG: [f64; 7] = [
    f64::from_bits(0x3FE5_5555_5555_5593),
    f64::from_bits(0x3FD9_9999_9997_FA04),
    f64::from_bits(0x3FD2_4924_9422_9359),
    f64::from_bits(0x3FCC_71C5_1D8E_78AF),
    f64::from_bits(0x3FC7_4664_96CB_03DE),
    f64::from_bits(0x3FC3_9A09_D078_C69F),
    f64::from_bits(0x3FC2_F112_DF3E_5244),
];

const THIRD: f64 = 1.0 / 3.0;

/// 1/ln 10; the high and the low part of log₁₀ 2.
const INVERSE_LN10: f64 = f64::from_bits(0x3FDB_CB7B_1526_E50E);
const LOG10_2_HIGH: f64 = f64::from_bits(0x3FD3_4413_509F_6000);
const LOG10_2_LOW: f64 = f64::from_bits(0x3D59_FEF3_11F1_2B36);

/// Splits a positive finite number into its exponent and a factor between 1 and 2. `Err` is the
/// logarithm of any other number.
fn split(x: f64) -> Result<(i32, f64), f64> {
    match x {
        0.0 => Err(f64::NEG_INFINITY),
        _ if x.is_nan() || x == f64::INFINITY => Err(x),
        _ if x < 0.0 => Err(f64::NAN),
        _ if x < f64::MIN_POSITIVE => Ok((-54, x * TWO_54)),
        _ => Ok((0, x)),
    }
    .map(|(exponent, x)| {
        let word = high(x);
        (
            exponent + (word >> 20) - 1023,
            with_high(x, word & 0xF_FFFF | ONE),
        )
    })
}

pub(crate) fn log(x: f64) -> f64 {
    let (mut k, mut x) = match split(x) {
        Ok(parts) => parts,
        Err(result) => return result,
    };
    let fraction = high(x) & 0xF_FFFF;
    // Whether the factor is above √2; it is halved then.
    let is_above = (fraction + 0x9_5F64) & 0x10_0000 != 0;
    if is_above {
        x = with_high(x, fraction | 0x3FE0_0000);
        k += 1;
    }
    let exponent = f64::from(k);
    let f = x - 1.0;
    // Within 2⁻²⁰ of 1.
    if 0xF_FFFF & (2 + fraction) < 3 {
        if f == 0.0 {
            return match k {
                0 => 0.0,
                _ => exponent * LN2_HIGH + exponent * LN2_LOW,
            };
        }
        let rest = f * f * (0.5 - THIRD * f);
        return match k {
            0 => f - rest,
            _ => exponent * LN2_HIGH - ((rest - exponent * LN2_LOW) - f),
        };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let [l1, l2, l3, l4, l5, l6, l7] = LOG;
    let even = w * polynomial(w, &[l2, l4, l6]);
    let odd = z * polynomial(w, &[l1, l3, l5, l7]);
    let rest = odd + even;
    if (fraction - 0x6_147A) | (0x6_B851 - fraction) > 0 {
        let half = 0.5 * f * f;
        match k {
            0 => f - (half - s * (half + rest)),
            _ => exponent * LN2_HIGH - ((half - (s * (half + rest) + exponent * LN2_LOW)) - f),
        }
    } else {
        match k {
            0 => f - s * (f - rest),
            _ => exponent * LN2_HIGH - ((s * (f - rest) - exponent * LN2_LOW) - f),
        }
    }
}

pub(crate) fn log10(x: f64) -> f64 {
    let (k, x) = match split(x) {
        Ok(parts) => parts,
        Err(result) => return result,
    };
    // For a number below 1 the fraction is also taken below 1.
    let below = i32::from(k < 0);
    let x = with_high(x, high(x) & 0xF_FFFF | (0x3FF - below) << 20);
    let exponent = f64::from(k + below);
    let z = exponent * LOG10_2_LOW + INVERSE_LN10 * log(x);
    z + exponent * LOG10_2_HIGH
}

pub(crate) fn log1p(x: f64) -> f64 {
    let (word, size) = (high(x), magnitude(x));
    if word < 0 && size >= ONE {
        return match x {
            -1.0 => f64::NEG_INFINITY,
            _ => f64::NAN,
        };
    }
    if word >= INFINITE {
        return x + x;
    }
    // Below 2⁻²⁹ and 2⁻⁵⁴.
    match size {
        ..0x3C90_0000 => return x,
        0x3C90_0000..0x3E20_0000 => return x - x * x * 0.5,
        _ => {}
    }
    // Range from -0.2929 to 0.41422, used without normalisation.
    let is_near = word > 0 && word < 0x3FDA_827A || word <= 0xBFD2_BEC3_u32 as i32;
    let (k, f, c, fraction) = if is_near {
        (0, x, 0.0, 1)
    } else {
        normalized_above_one(x, word)
    };
    let exponent = f64::from(k);
    let half = 0.5 * f * f;
    if fraction == 0 {
        if f == 0.0 {
            return match k {
                0 => 0.0,
                _ => exponent * LN2_HIGH + (c + exponent * LN2_LOW),
            };
        }
        let rest = half * (1.0 - 2.0 * THIRD * f);
        return match k {
            0 => f - rest,
            _ => exponent * LN2_HIGH - ((rest - (exponent * LN2_LOW + c)) - f),
        };
    }
    let s = f / (2.0 + f);
    let z = s * s;
    let rest = z * polynomial(z, &LOG);
    match k {
        0 => f - (half - s * (half + rest)),
        _ => exponent * LN2_HIGH - ((half - (s * (half + rest) + (exponent * LN2_LOW + c))) - f),
    }
}

/// Splits 1 + x into exponent and fraction. Returns the exponent, the fraction minus 1, the
/// rounding error of the sum, and the fraction's bits (0 near 1).
fn normalized_above_one(x: f64, word: i32) -> (i32, f64, f64, i32) {
    let (sum, lost) = if word < 0x4340_0000 {
        let sum = 1.0 + x;
        let is_large = (high(sum) >> 20) > 1023;
        let lost = if is_large {
            1.0 - (sum - x)
        } else {
            x - (sum - 1.0)
        };
        (sum, lost / sum)
    } else {
        (x, 0.0)
    };
    let k = (high(sum) >> 20) - 1023;
    let fraction = high(sum) & 0xF_FFFF;
    if fraction < 0x6_A09E {
        let one = with_high(sum, fraction | ONE);
        (k, one - 1.0, lost, fraction)
    } else {
        let half = with_high(sum, fraction | 0x3FE0_0000);
        (k + 1, half - 1.0, lost, (0x10_0000 - fraction) >> 2)
    }
}
