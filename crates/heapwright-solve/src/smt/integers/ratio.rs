//! Rational numbers of 128-bit parts; operations return `None` on overflow.

/// Rational number in lowest terms with a positive denominator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ratio {
    numerator: i128,
    denominator: i128,
}

impl Ratio {
    pub(super) const ZERO: Ratio = Ratio::of(0);

    pub(super) const fn of(integer: i128) -> Ratio {
        Ratio {
            numerator: integer,
            denominator: 1,
        }
    }

    /// Creates a normalised number; `None` also for a zero denominator.
    fn new(numerator: i128, denominator: i128) -> Option<Ratio> {
        if denominator == 1 {
            return Some(Ratio::of(numerator));
        }
        if denominator == 0 || numerator == i128::MIN || denominator == i128::MIN {
            return None;
        }
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()) as i128;
        let divisor = divisor * denominator.signum();
        Some(Ratio {
            numerator: numerator / divisor,
            denominator: denominator / divisor,
        })
    }

    pub(super) fn is_zero(self) -> bool {
        self.numerator == 0
    }

    pub(super) fn is_positive(self) -> bool {
        self.numerator > 0
    }

    pub(super) fn plus(self, other: Ratio) -> Option<Ratio> {
        if self.denominator == other.denominator {
            let sum = self.numerator.checked_add(other.numerator)?;
            return Ratio::new(sum, self.denominator);
        }
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        let denominator = self.denominator.checked_mul(other.denominator)?;
        Ratio::new(left.checked_add(right)?, denominator)
    }

    pub(super) fn times(self, other: Ratio) -> Option<Ratio> {
        // Fast path: most factors are small integers.
        if self.denominator == 1
            && other.denominator == 1
            && let (Ok(a), Ok(b)) = (
                i64::try_from(self.numerator),
                i64::try_from(other.numerator),
            )
        {
            return Some(Ratio::of(i128::from(a) * i128::from(b)));
        }
        Ratio::new(
            self.numerator.checked_mul(other.numerator)?,
            self.denominator.checked_mul(other.denominator)?,
        )
    }

    pub(super) fn over(self, other: Ratio) -> Option<Ratio> {
        if self.is_zero() || other == Ratio::of(1) {
            return (!other.is_zero()).then_some(self);
        }
        Ratio::new(
            self.numerator.checked_mul(other.denominator)?,
            self.denominator.checked_mul(other.numerator)?,
        )
    }

    pub(super) fn negated(self) -> Option<Ratio> {
        Some(Ratio {
            numerator: self.numerator.checked_neg()?,
            ..self
        })
    }

    pub(super) fn floor(self) -> i128 {
        if self.denominator == 1 {
            return self.numerator;
        }
        self.numerator.div_euclid(self.denominator)
    }

    pub(super) fn integer(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// Whether the number is less than an integer.
    pub(super) fn is_below(self, bound: i128) -> bool {
        self.floor() < bound
    }

    /// Whether the number is greater than an integer.
    pub(super) fn is_above(self, bound: i128) -> bool {
        let floor = self.floor();
        floor > bound || floor == bound && self.denominator != 1
    }
}

/// Greatest common divisor.
pub(super) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(small), Ok(other)) = (u64::try_from(a), u64::try_from(b)) {
            return gcd_of_words(small, other).into();
        }
        (a, b) = (b, a % b);
    }
    a
}

fn gcd_of_words(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
