//! Exact counts of any size.
//!
//! Invariant: a number below 2^64 is stored in a word. Equal numbers are therefore equal values,
//! and small ones need no allocation.

use std::fmt;
use std::ops::{AddAssign, Mul};
use std::str::FromStr;

use num_bigint::{BigUint, ParseBigIntError};

/// Natural number of any size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Count(Digits);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Digits {
    Word(u64),
    /// 2^64 or more.
    Many(Box<BigUint>),
}

use Digits::{Many, Word};

impl Count {
    /// 0.
    pub const ZERO: Count = Count(Word(0));
    /// 1.
    pub const ONE: Count = Count(Word(1));

    /// Whether it is 0.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        *self == Count::ZERO
    }

    /// Returns the number as a word, if it is less than 2^64.
    #[must_use]
    pub fn word(&self) -> Option<u64> {
        match self.0 {
            Word(word) => Some(word),
            Many(_) => None,
        }
    }

    /// Approximate value for estimates; infinity beyond the range of a float.
    #[must_use]
    pub fn about(&self) -> f64 {
        match &self.0 {
            Word(word) => *word as f64,
            Many(digits) => digits.to_string().parse().unwrap_or(f64::INFINITY),
        }
    }

    fn digits(&self) -> BigUint {
        match &self.0 {
            Word(word) => BigUint::from(*word),
            Many(digits) => (**digits).clone(),
        }
    }
}

impl Default for Count {
    fn default() -> Count {
        Count::ZERO
    }
}

impl From<u64> for Count {
    fn from(word: u64) -> Count {
        Count(Word(word))
    }
}

impl From<&Count> for Count {
    fn from(count: &Count) -> Count {
        count.clone()
    }
}

impl FromStr for Count {
    type Err = ParseBigIntError;

    fn from_str(digits: &str) -> Result<Count, ParseBigIntError> {
        digits.parse().map(|digits: BigUint| digits.into())
    }
}

impl From<BigUint> for Count {
    fn from(digits: BigUint) -> Count {
        Count(match u64::try_from(&digits) {
            Ok(word) => Word(word),
            Err(_) => Many(Box::new(digits)),
        })
    }
}

impl AddAssign<&Count> for Count {
    fn add_assign(&mut self, other: &Count) {
        *self = match (&self.0, &other.0) {
            (Word(this), Word(other)) if let Some(sum) = this.checked_add(*other) => sum.into(),
            _ => (self.digits() + other.digits()).into(),
        };
    }
}

impl AddAssign<u64> for Count {
    fn add_assign(&mut self, other: u64) {
        *self += &Count::from(other);
    }
}

impl Mul for &Count {
    type Output = Count;

    fn mul(self, other: &Count) -> Count {
        match (&self.0, &other.0) {
            (Word(this), Word(other)) if let Some(product) = this.checked_mul(*other) => {
                product.into()
            }
            _ => (self.digits() * other.digits()).into(),
        }
    }
}

impl Mul<u64> for &Count {
    type Output = Count;

    fn mul(self, other: u64) -> Count {
        self * &Count::from(other)
    }
}

impl PartialEq<u64> for Count {
    fn eq(&self, other: &u64) -> bool {
        self.word() == Some(*other)
    }
}

impl PartialOrd<u64> for Count {
    fn partial_cmp(&self, other: &u64) -> Option<std::cmp::Ordering> {
        Some(self.cmp(&Count::from(*other)))
    }
}

impl PartialOrd for Count {
    fn partial_cmp(&self, other: &Count) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Count {
    fn cmp(&self, other: &Count) -> std::cmp::Ordering {
        match (&self.0, &other.0) {
            (Word(this), Word(other)) => this.cmp(other),
            _ => self.digits().cmp(&other.digits()),
        }
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Word(word) => word.fmt(f),
            Many(digits) => digits.fmt(f),
        }
    }
}

impl fmt::Debug for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::iter::Sum for Count {
    fn sum<I: Iterator<Item = Count>>(counts: I) -> Count {
        counts.fold(Count::ZERO, |mut all, count| {
            all += &count;
            all
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_past_a_word_are_exact() {
        let mut most = Count::from(u64::MAX);
        assert_eq!(most.word(), Some(u64::MAX));
        let square = &most * &most;
        assert_eq!(
            square.to_string(),
            "340282366920938463426481119284349108225"
        );
        most += 1;
        assert_eq!(
            (most.to_string().as_str(), most.word()),
            ("18446744073709551616", None)
        );
        assert!(most > u64::MAX && most < square);
        assert_eq!(most.about(), 2.0_f64.powi(64));
    }

    #[test]
    fn a_number_has_one_form() {
        assert_eq!(Count::from(BigUint::from(7u8)), Count::from(7));
        assert_eq!(&(&Count::ZERO * &Count::from(u64::MAX)), &Count::ZERO);
        assert_eq!(Count::from(7), 7);
        let large = "18446744073709551616";
        assert_eq!(large.parse::<Count>().unwrap().to_string(), large);
        assert!("-1".parse::<Count>().is_err());
    }
}
