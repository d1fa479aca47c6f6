//! Elementary functions rounded to the nearest number, computed with double-double arithmetic.
//! HotSpot's intrinsics for `Math` are much closer to these results than to those of
//! `StrictMath`.

use super::{INFINITE, LN2_HIGH, LN2_LOW, log as roughly_log, magnitude, reduce::reduce};

/// Double-double number: the sum of a number and of its rounding error.
#[derive(Clone, Copy)]
struct Double(f64, f64);

/// Remainder of ln 2 after `LN2_HIGH` and `LN2_LOW`.
const LN2_REST: f64 = f64::from_bits(0x3A8C_C01F_97B5_BCBA);
const INVERSE_LN10: Double = Double(
    f64::from_bits(0x3FDB_CB7B_1526_E50E),
    f64::from_bits(0x3C69_5355_BAAA_FAD3),
);
/// Highest degree in the series for arguments up to π/4.
const TERMS: u32 = 30;
/// Number of times the argument of exp is halved first.
const HALVINGS: i32 = 8;

impl Double {
    fn sum(a: f64, b: f64) -> Double {
        let sum = a + b;
        let part = sum - a;
        Double(sum, (a - (sum - part)) + (b - part))
    }

    fn product(a: f64, b: f64) -> Double {
        let product = a * b;
        Double(product, a.mul_add(b, -product))
    }

    fn plus(self, other: Double) -> Double {
        let high = Double::sum(self.0, other.0);
        Double::sum(high.0, high.1 + (self.1 + other.1))
    }

    fn times(self, other: Double) -> Double {
        let high = Double::product(self.0, other.0);
        Double::sum(high.0, high.1 + (self.0 * other.1 + self.1 * other.0))
    }

    fn by(self, other: Double) -> Double {
        let first = self.0 / other.0;
        let rest = self.plus(other.times(Double(-first, 0.0)));
        let second = rest.0 / other.0;
        let rest = rest.plus(other.times(Double(-second, 0.0)));
        let high = Double::sum(first, second);
        Double::sum(high.0, high.1 + rest.0 / other.0)
    }

    fn negated(self) -> Double {
        Double(-self.0, -self.1)
    }

    fn scaled(self, factor: f64) -> Double {
        Double(self.0 * factor, self.1 * factor)
    }

    fn rounded(self) -> f64 {
        self.0 + self.1
    }
}

/// Returns exp(x) as (1 + the first result) · 2^(the second).
fn exp_parts(x: Double) -> (Double, i32) {
    let k = (x.0 / std::f64::consts::LN_2).round();
    let mut rest = x;
    for part in [LN2_HIGH, LN2_LOW, LN2_REST] {
        rest = rest.plus(Double::product(-k, part));
    }
    let small = rest.scaled(1.0 / f64::from(1 << HALVINGS));
    let mut term = small;
    let mut sum = small;
    for n in 2..12 {
        term = term.times(small).by(Double(f64::from(n), 0.0));
        sum = sum.plus(term);
    }
    // (1 + s)² - 1 is 2s + s².
    for _ in 0..HALVINGS {
        sum = sum.scaled(2.0).plus(sum.times(sum));
    }
    (sum, k as i32)
}

fn exp_of(x: Double) -> f64 {
    if x.0 > 710.0 {
        return f64::INFINITY;
    }
    if x.0 < -746.0 {
        return 0.0;
    }
    let (sum, k) = exp_parts(x);
    let value = sum.plus(Double(1.0, 0.0)).rounded();
    // Scales in two steps, because 2¹⁰²⁴ and 2⁻¹⁰⁷⁵ are not representable.
    let half = k / 2;
    value * 2f64.powi(half) * 2f64.powi(k - half)
}

pub(crate) fn exp(x: f64) -> f64 {
    if x.is_nan() {
        x
    } else {
        exp_of(Double(x, 0.0))
    }
}

/// Logarithm of a positive number: one Newton step from an approximation.
fn log_of(x: f64) -> Double {
    let near = roughly_log(x);
    let (sum, k) = exp_parts(Double(-near, 0.0));
    let half = k / 2;
    let scaled = x * 2f64.powi(half) * 2f64.powi(k - half);
    // x·exp(-near) - 1, whose leading digits cancel.
    let rest = Double(scaled, 0.0)
        .times(sum)
        .plus(Double::sum(scaled, -1.0));
    let square = rest.times(rest).scaled(-0.5);
    Double(near, 0.0).plus(rest.plus(square))
}

fn has_plain_log(x: f64) -> bool {
    x > 0.0 && x < f64::INFINITY && x != 1.0
}

pub(crate) fn log(x: f64) -> f64 {
    match has_plain_log(x) {
        true => log_of(x).rounded(),
        false => roughly_log(x),
    }
}

pub(crate) fn log10(x: f64) -> f64 {
    match has_plain_log(x) {
        true => log_of(x).times(INVERSE_LN10).rounded(),
        false => roughly_log(x),
    }
}

/// Reduces a finite number: returns the nearest multiple of π/2 and the remainder.
fn reduced(x: f64) -> (i32, Double) {
    match magnitude(x) <= 0x3FE9_21FB {
        true => (0, Double(x, 0.0)),
        false => {
            let (n, near, rest) = reduce(x);
            (n, Double::sum(near, rest))
        }
    }
}

/// Sum of x - x³/3! + x⁵/5! - … from the term of degree `degree` on, which is `first`.
fn series(x: Double, first: Double, degree: u32) -> Double {
    let square = x.times(x).negated();
    let (mut term, mut sum, mut n) = (first, first, degree);
    while n < TERMS {
        let divisor = f64::from((n + 1) * (n + 2));
        term = term.times(square).by(Double(divisor, 0.0));
        sum = sum.plus(term);
        n += 2;
    }
    sum
}

fn sine_and_cosine(x: f64) -> (Double, Double) {
    let (n, x) = reduced(x);
    let (sine, cosine) = (series(x, x, 1), series(x, Double(1.0, 0.0), 0));
    match n & 3 {
        0 => (sine, cosine),
        1 => (cosine, sine.negated()),
        2 => (sine.negated(), cosine.negated()),
        _ => (cosine.negated(), sine),
    }
}

/// Whether the argument is infinite, not a number, or so small that the function equals it.
fn is_trivial(x: f64) -> bool {
    magnitude(x) >= INFINITE || magnitude(x) < 0x3E00_0000
}

fn trivial(x: f64) -> f64 {
    if x.is_infinite() { f64::NAN } else { x }
}

pub(crate) fn sin(x: f64) -> f64 {
    match is_trivial(x) {
        true => trivial(x),
        false => sine_and_cosine(x).0.rounded(),
    }
}

pub(crate) fn cos(x: f64) -> f64 {
    match is_trivial(x) {
        true if x.is_finite() => 1.0,
        true => f64::NAN,
        false => sine_and_cosine(x).1.rounded(),
    }
}

pub(crate) fn tan(x: f64) -> f64 {
    match is_trivial(x) {
        true => trivial(x),
        false => {
            let (sine, cosine) = sine_and_cosine(x);
            sine.by(cosine).rounded()
        }
    }
}

pub(crate) fn tanh(x: f64) -> f64 {
    if x.is_nan() || magnitude(x) < 0x3E00_0000 {
        return x;
    }
    if x.abs() > 22.0 {
        return 1f64.copysign(x);
    }
    let (sum, k) = exp_parts(Double(2.0 * x, 0.0));
    let scale = 2f64.powi(k);
    // (exp(2x) - 1) / (exp(2x) + 1).
    let above = sum.scaled(scale).plus(Double::sum(scale, -1.0));
    above.by(above.plus(Double(2.0, 0.0))).rounded()
}

pub(crate) fn cbrt(x: f64) -> f64 {
    if x == 0.0 || !x.is_finite() {
        return x;
    }
    // Scaled so that cubes neither overflow nor underflow.
    let (scale, back) = match x.abs() {
        size if size < f64::MIN_POSITIVE => (2f64.powi(54), 2f64.powi(-18)),
        size if size > 1e300 => (2f64.powi(-54), 2f64.powi(18)),
        _ => (1.0, 1.0),
    };
    let wanted = x.abs() * scale;
    let mut root = exp(roughly_log(wanted) / 3.0);
    let mut exact = Double(root, 0.0);
    for _ in 0..2 {
        root = exact.rounded();
        let square = Double::product(root, root);
        let lack = Double(wanted, 0.0).plus(square.times(Double(-root, 0.0)));
        exact = Double(root, 0.0).plus(lack.by(square.scaled(3.0)));
    }
    (exact.rounded() * back).copysign(x)
}

pub(crate) fn pow(x: f64, y: f64) -> f64 {
    if y == 0.0 {
        return 1.0;
    }
    if x.is_nan() || y.is_nan() || x.abs() == 1.0 && y.is_infinite() {
        return f64::NAN;
    }
    let is_integer = y.is_infinite() || y % 1.0 == 0.0;
    let is_odd = is_integer && y.is_finite() && (y % 2.0).abs() == 1.0;
    if x == 0.0 || x.is_infinite() || y.is_infinite() {
        let grows = match x.abs() > 1.0 {
            true => y > 0.0,
            false => y < 0.0,
        };
        let result = if grows { f64::INFINITY } else { 0.0 };
        return match x.is_sign_negative() && is_odd {
            true => -result,
            false => result,
        };
    }
    if x < 0.0 && !is_integer {
        return f64::NAN;
    }
    let result = match x.abs() == 1.0 {
        true => 1.0,
        false => {
            let log = log_of(x.abs());
            // Beyond this bound the extra digits do not affect the result.
            match (y * log.0).abs() < 1e4 {
                true => exp_of(log.times(Double(y, 0.0))),
                false => exp_of(Double(y * log.0, 0.0)),
            }
        }
    };
    if x < 0.0 && is_odd { -result } else { result }
}
