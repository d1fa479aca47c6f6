//! Argument reduction: subtracts the nearest multiple of π/2, with as many digits of π as the
//! argument needs.

use super::{HALF_PI, high, magnitude};

/// 2/π in pieces of 24 bits.
const TWO_BY_PI: [i32; 66] = [
    0xA2F983, 0x6E4E44, 0x1529FC, 0x2757D1, 0xF534DD, 0xC0DB62, 0x95993C, 0x439041, 0xFE5163,
    0xABDEBB, 0xC561B7, 0x246E3A, 0x424DD2, 0xE00649, 0x2EEA09, 0xD1921C, 0xFE1DEB, 0x1CB129,
    0xA73EE8, 0x8235F5, 0x2EBB44, 0x84E99C, 0x7026B4, 0x5F7E41, 0x3991D6, 0x398353, 0x39F49C,
    0x845F8B, 0xBDF928, 0x3B1FF8, 0x97FFDE, 0x05980F, 0xEF2F11, 0x8B5A0A, 0x6D1F6D, 0x367ECF,
    0x27CB09, 0xB74F46, 0x3F669E, 0x5FEA2D, 0x7527BA, 0xC7EBE5, 0xF17B3D, 0x0739F7, 0x8A5292,
    0xEA6BFB, 0x5FB11F, 0x8D5D08, 0x560330, 0x46FC7B, 0x6BABF0, 0xCFBC20, 0x9AF436, 0x1DA9E3,
    0x91615E, 0xE61B08, 0x659985, 0x5F14A0, 0x68408D, 0xFFD880, 0x4D7327, 0x310606, 0x1556CA,
    0x73A8C9, 0x60E27B, 0xC08C6B,
];

/// π/2 in pieces of 24 bits.
const HALF_PI_PIECES: [f64; 8] = [
    f64::from_bits(0x3FF9_21FB_4000_0000),
    f64::from_bits(0x3E74_442D_0000_0000),
    f64::from_bits(0x3CF8_4698_8000_0000),
    f64::from_bits(0x3B78_CC51_6000_0000),
    f64::from_bits(0x39F0_1B83_8000_0000),
    f64::from_bits(0x387A_2520_4000_0000),
    f64::from_bits(0x36E3_8222_8000_0000),
    f64::from_bits(0x3569_F31D_0000_0000),
];

/// π/2 in pieces of 33 bits, each with the remainder behind it.
const STEPS: [(f64, f64); 3] = [
    (
        f64::from_bits(0x3FF9_21FB_5440_0000),
        f64::from_bits(0x3DD0_B461_1A62_6331),
    ),
    (
        f64::from_bits(0x3DD0_B461_1A60_0000),
        f64::from_bits(0x3BA3_198A_2E03_7073),
    ),
    (
        f64::from_bits(0x3BA3_198A_2E00_0000),
        f64::from_bits(0x397B_839A_2520_49C1),
    ),
];

const TWO_BY_PI_ROUNDED: f64 = f64::from_bits(0x3FE4_5F30_6DC9_C883);
const TWO_24: f64 = 16_777_216.0;
/// Number of pieces of 2/π that are used at first, beyond the first one.
const FIRST_PIECES: usize = 4;

/// Reduces a finite number above π/4 in size. Returns the nearest multiple of π/2, or its last
/// three bits, and the remainder as a high and a low part.
pub(super) fn reduce(x: f64) -> (i32, f64, f64) {
    let (size, is_negative) = (magnitude(x), high(x) < 0);
    let (n, near, rest) = match size {
        // Below 3π/4.
        ..0x4002_D97C => one_step(x.abs(), size),
        // Up to 2¹⁹·π/2.
        0x4002_D97C..=0x4139_21FB => few_steps(x.abs(), size),
        _ => long_division(x.abs(), size),
    };
    match is_negative {
        true => (-n, -near, -rest),
        false => (n, near, rest),
    }
}

fn one_step(x: f64, size: i32) -> (i32, f64, f64) {
    let mut z = x - STEPS[0].0;
    let mut rest = STEPS[0].1;
    // Near π/2, more bits of it are needed.
    if size == high(HALF_PI) {
        z -= STEPS[1].0;
        rest = STEPS[1].1;
    }
    let near = z - rest;
    (1, near, (z - near) - rest)
}

fn few_steps(x: f64, size: i32) -> (i32, f64, f64) {
    let n = (x * TWO_BY_PI_ROUNDED + 0.5) as i32;
    let multiple = f64::from(n);
    let mut r = x - multiple * STEPS[0].0;
    let mut w = multiple * STEPS[0].1;
    let mut near = r - w;
    // Number of bits lost to cancellation; too many require another piece of π/2.
    let lost = |near: f64| (size >> 20) - (high(near) >> 20 & 0x7FF);
    let is_far = n < 32 && size != high(f64::from(n) * HALF_PI);
    for (step, enough) in [(STEPS[1], 16), (STEPS[2], 49)] {
        if is_far || lost(near) <= enough {
            break;
        }
        let before = r;
        w = multiple * step.0;
        r = before - w;
        w = multiple * step.1 - ((before - r) - w);
        near = r - w;
    }
    (n, near, (r - near) - w)
}

/// Payne–Hanek reduction: multiplies x by as many digits of 2/π as determine the quotient's last
/// bits and the remainder.
fn long_division(x: f64, size: i32) -> (i32, f64, f64) {
    // Three pieces of x with 24 bits each: the first is an integer, scaled by this exponent.
    let exponent = (size >> 20) - 1046;
    let mut scaled = super::with_high(x, size - (exponent << 20));
    let mut pieces = [0.0; 3];
    for piece in &mut pieces[..2] {
        *piece = f64::from(scaled as i32);
        scaled = (scaled - *piece) * TWO_24;
    }
    pieces[2] = scaled;
    let used = pieces.iter().rposition(|&piece| piece != 0.0).unwrap_or(0) + 1;
    Division::new(&pieces[..used], exponent).result()
}

/// Product of x and 2/π in pieces.
struct Division<'a> {
    x: &'a [f64],
    /// Index of the piece of 2/π with which the first piece of the product begins.
    first: usize,
    /// Exponent of the last piece of the product that has an integer part.
    scale: i32,
    /// Overlapping pieces of the product, highest first.
    product: Vec<f64>,
}

impl Division<'_> {
    fn new(x: &[f64], exponent: i32) -> Division<'_> {
        let first = usize::try_from((exponent - 3) / 24).unwrap_or(0);
        let mut division = Division {
            x,
            first,
            scale: exponent - 24 * (first as i32 + 1),
            product: Vec::new(),
        };
        division.extend(FIRST_PIECES + 1);
        division
    }

    /// Computes more pieces of the product.
    fn extend(&mut self, count: usize) {
        for _ in 0..count {
            let at = self.first + self.product.len();
            let mut sum = 0.0;
            for (index, piece) in self.x.iter().enumerate() {
                let digit = at.checked_sub(index).map_or(0, |at| TWO_BY_PI[at]);
                sum += piece * f64::from(digit);
            }
            self.product.push(sum);
        }
    }

    fn result(mut self) -> (i32, f64, f64) {
        loop {
            let (mut digits, fraction) = self.digits();
            let (n, is_above, fraction) = self.split(&mut digits, fraction);
            let is_zero = fraction == 0.0 && digits[FIRST_PIECES..].iter().all(|&digit| digit == 0);
            if is_zero {
                // The remainder is zero so far, so more pieces are needed: as many as are zero
                // before these.
                let more = digits[..FIRST_PIECES].iter().rev();
                let more = more.take_while(|&&digit| digit == 0).count() + 1;
                self.extend(more);
                continue;
            }
            let (near, rest) = self.multiply(digits, fraction);
            return match is_above {
                true => (n & 7, -near, -rest),
                false => (n & 7, near, rest),
            };
        }
    }

    /// Converts the product to pieces of 24 bits, lowest first; the highest piece stays a
    /// floating-point number.
    fn digits(&self) -> (Vec<i32>, f64) {
        let mut digits = Vec::with_capacity(self.product.len());
        let mut z = self.product[self.product.len() - 1];
        for &above in self.product[..self.product.len() - 1].iter().rev() {
            let carry = f64::from((z / TWO_24) as i32);
            digits.push((z - TWO_24 * carry) as i32);
            z = above + carry;
        }
        (digits, z)
    }

    /// Removes the integer part. Returns its last bits, whether the remainder was above 1/2 and
    /// was subtracted from 1, and the remainder's highest piece.
    fn split(&self, digits: &mut [i32], top: f64) -> (i32, bool, f64) {
        let mut z = scaled(top, self.scale);
        z -= 8.0 * (z * 0.125).floor();
        let mut n = z as i32;
        z -= f64::from(n);
        let last = digits.len() - 1;
        let mut half = 0;
        if self.scale > 0 {
            let whole = digits[last] >> (24 - self.scale);
            n += whole;
            digits[last] -= whole << (24 - self.scale);
            half = digits[last] >> (23 - self.scale);
        } else if self.scale == 0 {
            half = digits[last] >> 23;
        } else if z >= 0.5 {
            half = 2;
        }
        if half <= 0 {
            return (n, false, z);
        }
        let mut carry = false;
        for digit in digits.iter_mut() {
            if carry {
                *digit = 0xFF_FFFF - *digit;
            } else if *digit != 0 {
                carry = true;
                *digit = 0x100_0000 - *digit;
            }
        }
        match self.scale {
            1 => digits[last] &= 0x7F_FFFF,
            2 => digits[last] &= 0x3F_FFFF,
            _ => {}
        }
        if half == 2 {
            z = 1.0 - z;
            if carry {
                z -= scaled(1.0, self.scale);
            }
        }
        (n + 1, true, z)
    }
}

impl Division<'_> {
    /// Multiplies the remainder, given in pieces, by π/2.
    fn multiply(&self, digits: Vec<i32>, top: f64) -> (f64, f64) {
        let mut digits = digits;
        let mut scale = self.scale;
        if top == 0.0 {
            while digits.last() == Some(&0) {
                digits.pop();
                scale -= 24;
            }
            scale -= 24;
        } else {
            let top = scaled(top, -scale);
            if top >= TWO_24 {
                let above = (top / TWO_24) as i32;
                digits.push((top - TWO_24 * f64::from(above)) as i32);
                digits.push(above);
                scale += 24;
            } else {
                digits.push(top as i32);
            }
        }
        // Pieces are ordered from the highest on.
        let mut unit = scaled(1.0, scale);
        let mut pieces = Vec::with_capacity(digits.len());
        for digit in digits.into_iter().rev() {
            pieces.push(unit * f64::from(digit));
            unit /= TWO_24;
        }
        let products: Vec<f64> = (0..pieces.len())
            .map(|end| {
                let parts = HALF_PI_PIECES.iter().take(FIRST_PIECES + 1);
                let mut sum = 0.0;
                for (index, part) in parts.enumerate().take(end + 1) {
                    sum += part * pieces[end - index];
                }
                sum
            })
            .collect();
        let mut near = 0.0;
        for product in products.iter().rev() {
            near += product;
        }
        let mut rest = products[0] - near;
        for product in &products[1..] {
            rest += product;
        }
        (near, rest)
    }
}

/// `x`·2^`exponent`, with both factors near 1.
fn scaled(x: f64, exponent: i32) -> f64 {
    x * f64::from_bits(((1023 + i64::from(exponent)) as u64) << 52)
}
