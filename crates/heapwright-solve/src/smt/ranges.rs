//! Ranges of terms: bounds of integers, and intervals of floating-point numbers.
//!
//! Invariant: the range of an operation's result contains its value for all operands in their
//! ranges. Rounding is monotone, so that the bounds of a result are computed from bounds.

use super::bounds::{self, Bounds};
use super::eval;
use super::term::{Binary, Sort, Unary};

/// Set of values that contains those of a term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Range {
    /// Truth value or integer.
    Integer(Bounds),
    /// Floating-point number.
    Number(Interval),
}

/// Numbers from `low` to `high`, of which -0.0 is before 0.0, and possibly NaN. Without numbers,
/// `low` is after `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub low: f64,
    pub high: f64,
    pub may_be_nan: bool,
}

const EVERYTHING: Interval = Interval {
    low: f64::NEG_INFINITY,
    high: f64::INFINITY,
    may_be_nan: true,
};

impl Range {
    /// All values of a sort.
    pub(super) fn of_sort(sort: Sort) -> Range {
        match sort {
            Sort::Float | Sort::Double => Range::Number(EVERYTHING),
            sort => Range::Integer(bounds::of_sort(sort)),
        }
    }

    /// One value.
    pub(super) fn of_bits(sort: Sort, bits: u64) -> Range {
        match sort {
            Sort::Float => Range::Number(Interval::of(eval::to_float(bits).into())),
            Sort::Double => Range::Number(Interval::of(eval::to_double(bits))),
            Sort::Bool => Range::Integer((bits as i64, bits as i64)),
            sort => {
                let value = eval::integer(sort, bits);
                Range::Integer((value, value))
            }
        }
    }

    pub(super) fn union(self, other: Range) -> Range {
        match (self, other) {
            (Range::Integer(a), Range::Integer(b)) => Range::Integer((a.0.min(b.0), a.1.max(b.1))),
            (Range::Number(a), Range::Number(b)) => Range::Number(a.union(b)),
            // Sides of a selection have one sort.
            (range, _) => range,
        }
    }

    /// Truth value, if it is the same for all values.
    pub(super) fn truth(self) -> Option<bool> {
        match self {
            Range::Integer((least, most)) => (least == most).then_some(least != 0),
            Range::Number(_) => None,
        }
    }
}

/// Range of a unary operation on an operand of a sort.
pub(super) fn unary(operation: Unary, sort: Sort, range: Range) -> Range {
    use Unary::*;
    let result = eval::unary_sort(operation, sort);
    match range {
        Range::Integer((least, most)) => match operation {
            IntToFloat | LongToFloat => Range::Number(Interval::between(
                (least as f32).into(),
                (most as f32).into(),
            )),
            IntToDouble | LongToDouble => {
                Range::Number(Interval::between(least as f64, most as f64))
            }
            _ => match result {
                Sort::Float | Sort::Double => Range::Number(EVERYTHING),
                _ => Range::Integer(bounds::unary(operation, sort, (least, most))),
            },
        },
        Range::Number(number) => match operation {
            Neg => Range::Number(Interval {
                low: -number.high,
                high: -number.low,
                ..number
            }),
            Abs => Range::Number(number.magnitude()),
            Sqrt => Range::Number(number.root(sort)),
            Floor => Range::Number(number.rounded(f64::floor)),
            Ceil => Range::Number(number.rounded(f64::ceil)),
            Rint => Range::Number(number.rounded(f64::round_ties_even)),
            FloatToDouble => Range::Number(number),
            DoubleToFloat => Range::Number(number.rounded(|value| (value as f32).into())),
            FloatToInt | DoubleToInt => {
                Range::Integer(number.truncated(|value| i64::from(value as i32)))
            }
            FloatToLong | DoubleToLong => Range::Integer(number.truncated(|value| value as i64)),
            IsNan => Range::Integer(((!number.has_numbers()).into(), number.may_be_nan.into())),
            _ => Range::of_sort(result),
        },
    }
}

/// Range of a binary operation; `sort` is that of the left operand.
pub(super) fn binary(operation: Binary, sort: Sort, a: Range, b: Range) -> Range {
    use Binary::*;
    let all = Range::of_sort(eval::binary_sort(operation, sort));
    match (a, b) {
        (Range::Integer(a), Range::Integer(b)) if sort == Sort::Bool => {
            Range::Integer(of_truths(operation, a, b))
        }
        (Range::Integer(a), Range::Integer(b)) => {
            Range::Integer(bounds::binary(operation, sort, a, b))
        }
        (Range::Number(a), Range::Number(b)) => match operation {
            Add => Range::Number(a.plus(b, sort)),
            Sub => Range::Number(a.plus(
                Interval {
                    low: -b.high,
                    high: -b.low,
                    ..b
                },
                sort,
            )),
            Mul => Range::Number(a.times(b, sort)),
            Div => Range::Number(a.over(b, sort)),
            Lt => Range::Integer(a.compared(b, |x, y| x < y)),
            Le => Range::Integer(a.compared(b, |x, y| x <= y)),
            Eq if a.low > b.high || b.low > a.high || !a.has_numbers() || !b.has_numbers() => {
                Range::Integer((0, 0))
            }
            Same if a.is_apart(b) => Range::Integer((0, 0)),
            _ => all,
        },
        _ => all,
    }
}

fn of_truths(operation: Binary, a: Bounds, b: Bounds) -> Bounds {
    let is_known = a.0 == a.1 && b.0 == b.1;
    match operation {
        Binary::And => (a.0 & b.0, a.1 & b.1),
        Binary::Or => (a.0 | b.0, a.1 | b.1),
        Binary::Xor if is_known => (a.0 ^ b.0, a.0 ^ b.0),
        Binary::Eq | Binary::Same if is_known => {
            let same = i64::from(a.0 == b.0);
            (same, same)
        }
        _ => (0, 1),
    }
}

impl Interval {
    fn of(value: f64) -> Interval {
        match value.is_nan() {
            true => Interval {
                low: f64::INFINITY,
                high: f64::NEG_INFINITY,
                may_be_nan: true,
            },
            false => Interval::between(value, value),
        }
    }

    pub(super) fn between(low: f64, high: f64) -> Interval {
        Interval {
            low,
            high,
            may_be_nan: false,
        }
    }

    fn has_numbers(self) -> bool {
        self.low <= self.high
    }

    fn union(self, other: Interval) -> Interval {
        let may_be_nan = self.may_be_nan || other.may_be_nan;
        match (self.has_numbers(), other.has_numbers()) {
            (false, _) => Interval {
                may_be_nan,
                ..other
            },
            (_, false) => Interval { may_be_nan, ..self },
            _ => Interval {
                low: least([self.low, other.low]),
                high: greatest([self.high, other.high]),
                may_be_nan,
            },
        }
    }

    fn has_zero(self) -> bool {
        self.low <= 0.0 && 0.0 <= self.high
    }

    fn has_infinity(self) -> bool {
        self.low == f64::NEG_INFINITY || self.high == f64::INFINITY
    }

    fn is_apart(self, other: Interval) -> bool {
        let both_nan = self.may_be_nan && other.may_be_nan;
        let overlap = self.has_numbers()
            && other.has_numbers()
            && self.low.total_cmp(&other.high).is_le()
            && other.low.total_cmp(&self.high).is_le();
        !both_nan && !overlap
    }

    /// Applies a monotone function.
    fn rounded(self, function: impl Fn(f64) -> f64) -> Interval {
        match self.has_numbers() {
            true => Interval {
                low: function(self.low),
                high: function(self.high),
                ..self
            },
            false => self,
        }
    }

    /// Applies a monotone conversion to an integer that takes NaN to 0.
    fn truncated(self, function: impl Fn(f64) -> i64) -> Bounds {
        match (self.has_numbers(), self.may_be_nan) {
            (false, _) => (0, 0),
            (true, false) => (function(self.low), function(self.high)),
            (true, true) => (function(self.low).min(0), function(self.high).max(0)),
        }
    }

    fn magnitude(self) -> Interval {
        if !self.has_numbers() {
            return self;
        }
        let (low, high) = (self.low.abs(), self.high.abs());
        let crosses = self.low.is_sign_negative() && self.high.is_sign_positive();
        Interval {
            low: if crosses { 0.0 } else { low.min(high) },
            high: low.max(high),
            ..self
        }
    }

    fn root(self, sort: Sort) -> Interval {
        let may_be_nan = self.may_be_nan || self.low < 0.0;
        let start = if self.low < 0.0 { -0.0 } else { self.low };
        let clipped = Interval {
            low: start,
            may_be_nan,
            ..self
        };
        clipped.rounded(|value| match sort {
            Sort::Float => (value as f32).sqrt().into(),
            _ => value.sqrt(),
        })
    }

    fn plus(self, other: Interval, sort: Sort) -> Interval {
        let opposite = |a: f64, b: f64| a.is_infinite() && b == -a;
        let may_be_nan = self.may_be_nan
            || other.may_be_nan
            || opposite(self.low, other.high)
            || opposite(self.high, other.low);
        if !self.has_numbers() || !other.has_numbers() {
            return Interval::of(f64::NAN);
        }
        Interval {
            low: floor_of(computed(sort, Binary::Add, (self.low, other.low))),
            high: ceiling_of(computed(sort, Binary::Add, (self.high, other.high))),
            may_be_nan,
        }
    }

    fn times(self, other: Interval, sort: Sort) -> Interval {
        let may_be_nan = self.may_be_nan
            || other.may_be_nan
            || self.has_zero() && other.has_infinity()
            || self.has_infinity() && other.has_zero();
        if !self.has_numbers() || !other.has_numbers() {
            return Interval::of(f64::NAN);
        }
        // Zero by an infinity is no number, but its neighbours are on either side.
        if may_be_nan && (self.has_infinity() || other.has_infinity()) {
            return EVERYTHING;
        }
        let corners = self.corners(other);
        let corners = corners.map(|corner| computed(sort, Binary::Mul, corner));
        Interval {
            low: floor_of(least(corners)),
            high: ceiling_of(greatest(corners)),
            may_be_nan,
        }
    }

    fn over(self, other: Interval, sort: Sort) -> Interval {
        let may_be_nan = self.may_be_nan
            || other.may_be_nan
            || self.has_zero() && other.has_zero()
            || self.has_infinity() && other.has_infinity();
        if !self.has_numbers() || !other.has_numbers() {
            return Interval::of(f64::NAN);
        }
        let crosses = other.low.is_sign_negative() && other.high.is_sign_positive();
        if crosses || may_be_nan {
            return Interval {
                may_be_nan,
                ..EVERYTHING
            };
        }
        let corners = self.corners(other);
        let corners = corners.map(|corner| computed(sort, Binary::Div, corner));
        Interval {
            low: floor_of(least(corners)),
            high: ceiling_of(greatest(corners)),
            may_be_nan,
        }
    }

    fn corners(self, other: Interval) -> [(f64, f64); 4] {
        [
            (self.low, other.low),
            (self.low, other.high),
            (self.high, other.low),
            (self.high, other.high),
        ]
    }

    /// Bounds of an order that is monotone in both operands and does not hold of NaN.
    fn compared(self, other: Interval, holds: impl Fn(f64, f64) -> bool) -> Bounds {
        if !self.has_numbers() || !other.has_numbers() {
            return (0, 0);
        }
        let is_sure = !self.may_be_nan && !other.may_be_nan && holds(self.high, other.low);
        (is_sure.into(), holds(self.low, other.high).into())
    }
}

/// Result of an operation on numbers of a sort.
fn computed(sort: Sort, operation: Binary, (a, b): (f64, f64)) -> f64 {
    let bits = |value: f64| match sort {
        Sort::Float => eval::of_float(value as f32),
        _ => eval::of_double(value),
    };
    let result = eval::binary(operation, sort, bits(a), bits(b));
    match sort {
        Sort::Float => eval::to_float(result).into(),
        _ => eval::to_double(result),
    }
}

/// Lower bound of a result; the sign of a zero is open.
fn floor_of(value: f64) -> f64 {
    match value {
        value if value.is_nan() => f64::NEG_INFINITY,
        0.0 => -0.0,
        value => value,
    }
}

/// Upper bound of a result, likewise.
fn ceiling_of(value: f64) -> f64 {
    match value {
        value if value.is_nan() => f64::INFINITY,
        0.0 => 0.0,
        value => value,
    }
}

fn least<const N: usize>(values: [f64; N]) -> f64 {
    values
        .into_iter()
        .min_by(f64::total_cmp)
        .unwrap_or(f64::NAN)
}

fn greatest<const N: usize>(values: [f64; N]) -> f64 {
    values
        .into_iter()
        .max_by(f64::total_cmp)
        .unwrap_or(f64::NAN)
}
