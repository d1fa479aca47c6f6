//! Linear sums of variables, and their relations to zero.

use smallvec::SmallVec;

use crate::store::Var;

/// Sum `c₁·x₁ + … + cₙ·xₙ + constant`, with ascending variables and no zero coefficient.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Linear {
    /// Variables with their coefficients.
    pub terms: SmallVec<[(Var, i64); 2]>,
    /// Constant summand.
    pub constant: i64,
}

/// Relation of a sum to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// The sum is zero.
    Zero,
    /// The sum is not zero.
    NonZero,
    /// The sum is at most zero.
    AtMostZero,
}

impl Relation {
    /// Whether a value is in this relation to zero.
    #[must_use]
    pub fn holds(self, value: i64) -> bool {
        match self {
            Relation::Zero => value == 0,
            Relation::NonZero => value != 0,
            Relation::AtMostZero => value <= 0,
        }
    }
}

impl Linear {
    /// Returns a constant sum.
    #[must_use]
    pub fn constant(constant: i64) -> Linear {
        Linear {
            terms: SmallVec::new(),
            constant,
        }
    }

    /// Returns the sum of a single variable.
    #[must_use]
    pub fn variable(variable: Var) -> Linear {
        Linear {
            terms: SmallVec::from_slice(&[(variable, 1)]),
            constant: 0,
        }
    }

    /// Adds a constant; `None` if the result does not fit into 64 bits.
    #[must_use]
    pub fn and_more(mut self, constant: i64) -> Option<Linear> {
        self.constant = self.constant.checked_add(constant)?;
        Some(self)
    }

    /// Returns `self + factor · other`; `None` if a number does not fit into 64 bits.
    #[must_use]
    pub fn plus(&self, other: &Linear, factor: i64) -> Option<Linear> {
        if other.terms.is_empty() {
            return self.clone().and_more(other.constant.checked_mul(factor)?);
        }
        let mut sum = Linear::constant(
            self.constant
                .checked_add(other.constant.checked_mul(factor)?)?,
        );
        let (mut left, mut right) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (variable, coefficient) = match (left.peek(), right.peek()) {
                (None, None) => return Some(sum),
                (Some(&&(variable, own)), Some(&&(same, others))) if variable == same => {
                    left.next();
                    right.next();
                    (variable, own.checked_add(others.checked_mul(factor)?)?)
                }
                (Some(&&(variable, own)), other)
                    if other.is_none_or(|other| variable < other.0) =>
                {
                    left.next();
                    (variable, own)
                }
                (_, Some(&&(variable, others))) => {
                    right.next();
                    (variable, others.checked_mul(factor)?)
                }
                (Some(_), None) => unreachable!("the arm above has taken it"),
            };
            if coefficient != 0 {
                sum.terms.push((variable, coefficient));
            }
        }
    }

    /// Returns `1 - self`, which is at most zero exactly where this sum is greater than zero.
    pub(crate) fn complement(&self) -> Option<Linear> {
        Linear::constant(1).plus(self, -1)
    }
}
