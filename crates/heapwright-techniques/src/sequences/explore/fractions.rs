//! Floating-point numbers that are tried.

use heapwright_jvm::descriptor::Kind;

/// Returns the slot of a number of a floating-point kind, or of one near it that every version of
/// the JDK writes alike. Until JDK 19, which writes the shortest decimal, large whole numbers had
/// all digits that fit: 2³¹ was `2.14748365E9`, and is `2.1474836E9` (JDK-4511638).
pub(super) fn slot(kind: Kind, number: f64) -> u64 {
    let (digits, held) = match kind {
        Kind::Float => (24, f64::from(number as f32)),
        _ => (53, number),
    };
    // All digits of whole numbers between these limits were written.
    let is_large = (2.0_f64.powi(digits)..2.0_f64.powi(63)).contains(&held.abs());
    let tried = if is_large { rounded(number) } else { number };
    match kind {
        Kind::Float => u64::from((tried as f32).to_bits()),
        _ => tried.to_bits(),
    }
}

/// Returns the number in a slot of a floating-point kind.
pub(super) fn number(kind: Kind, slot: u64) -> f64 {
    match kind {
        Kind::Float => f64::from(f32::from_bits(slot as u32)),
        _ => f64::from_bits(slot),
    }
}

/// Returns a number of two digits, of at least the size of another one.
fn rounded(number: f64) -> f64 {
    let unit = 10.0_f64.powi(number.abs().log10().floor() as i32 - 1);
    (number.abs() / unit).ceil() * unit * number.signum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_whole_numbers_have_two_digits() {
        let float = |number: f64| f32::from_bits(slot(Kind::Float, number) as u32);
        assert_eq!(float(2_147_483_647.0), 2.2e9);
        assert_eq!(float(-2_147_483_648.0), -2.2e9);
        assert_eq!(float(16_777_215.0), 16_777_215.0);
        assert_eq!(float(0.1), 0.1);
        assert_eq!(float(f64::MAX), f32::INFINITY);
        let double = |number: f64| f64::from_bits(slot(Kind::Double, number));
        assert_eq!(double(2_147_483_647.0), 2_147_483_647.0);
        assert_eq!(double(9_007_199_254_740_993.0), 9.1e15);
        assert_eq!(double(1e18), 1e18);
        assert!(double(f64::NAN).is_nan());
    }
}
