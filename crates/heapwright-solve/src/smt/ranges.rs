//! Ranges of terms: bounds of integers, and intervals of floating-point numbers.
//!
//! IEEE's rounding to nearest is monotone. The bounds of an operation's result are therefore the
//! rounded results at bounds of its operands. Invariant: the range of a result contains its value
//! for all operands in their ranges.

use super::bounds::{self, Bounds};
use super::eval;
use super::path::truth_bounds;
use super::term::{Binary, Sort, Unary};

/// Values of a term over a box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Range {
    /// Those of an integer or a truth value.
    Integer(Bounds),
    /// Those of a floating-point number.
    Number(Interval),
}

/// Floating-point values; each `float` is a `double`. Zeros of both signs lie between bounds of
/// which one is a zero. There are no numbers if the least is greater than the most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Interval {
    pub(super) least: f64,
    pub(super) most: f64,
    pub(super) may_be_nan: bool,
}

impl Interval {
    pub(super) fn point(number: f64) -> Interval {
        match number.is_nan() {
            true => Interval::NAN,
            false => Interval {
                least: number,
                most: number,
                may_be_nan: false,
            }
            .with_zeros(),
        }
    }

    const NAN: Interval = Interval {
        least: f64::INFINITY,
        most: f64::NEG_INFINITY,
        may_be_nan: true,
    };

    const ALL: Interval = Interval {
        least: f64::NEG_INFINITY,
        most: f64::INFINITY,
        may_be_nan: true,
    };

    /// Extends bounds that are a zero to that of the other sign.
    pub(super) fn with_zeros(self) -> Interval {
        Interval {
            least: if self.least == 0.0 { -0.0 } else { self.least },
            most: if self.most == 0.0 { 0.0 } else { self.most },
            ..self
        }
    }

    pub(super) fn has_numbers(self) -> bool {
        self.least <= self.most
    }

    fn has_zero(self) -> bool {
        self.least <= 0.0 && self.most >= 0.0
    }

    fn has_infinity(self) -> bool {
        self.least == f64::NEG_INFINITY || self.most == f64::INFINITY
    }

    /// Interval of these results; all numbers if one of them is none.
    fn of(results: &[f64], may_be_nan: bool) -> Interval {
        if results.iter().any(|result| result.is_nan()) {
            return Interval::ALL;
        }
        Interval {
            least: results.iter().copied().fold(f64::INFINITY, f64::min),
            most: results.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            may_be_nan,
        }
        .with_zeros()
    }

    /// Results of a monotone function.
    fn mapped(self, function: impl Fn(f64) -> f64) -> Interval {
        match self.has_numbers() {
            true => Interval::of(
                &[function(self.least), function(self.most)],
                self.may_be_nan,
            ),
            false => self,
        }
    }
}

pub(super) fn is_floating(sort: Sort) -> bool {
    matches!(sort, Sort::Float | Sort::Double)
}

pub(super) fn all(sort: Sort) -> Range {
    match is_floating(sort) {
        true => Range::Number(Interval::ALL),
        false => Range::Integer(bounds::of_sort(sort)),
    }
}

pub(super) fn joined(a: Range, b: Range) -> Range {
    match (a, b) {
        (Range::Integer(a), Range::Integer(b)) => Range::Integer((a.0.min(b.0), a.1.max(b.1))),
        (Range::Number(a), Range::Number(b)) => Range::Number(Interval {
            least: a.least.min(b.least),
            most: a.most.max(b.most),
            may_be_nan: a.may_be_nan || b.may_be_nan,
        }),
        _ => Range::Number(Interval::ALL),
    }
}

/// Value of a floating-point constant.
pub(super) fn number(sort: Sort, bits: u64) -> f64 {
    match sort {
        Sort::Float => eval::to_float(bits).into(),
        _ => eval::to_double(bits),
    }
}

pub(super) fn bits_of(sort: Sort, number: f64) -> u64 {
    match sort {
        Sort::Float => eval::of_float(number as f32),
        _ => eval::of_double(number),
    }
}

/// Function on `float` and on `double`.
type OfBothSorts = (fn(f32) -> f32, fn(f64) -> f64);

pub(super) fn unary(operation: Unary, sort: Sort, operand: Range) -> Range {
    let a = match operand {
        Range::Integer(a) => return of_integer(operation, sort, a),
        Range::Number(a) => a,
    };
    let single = |function: fn(f32) -> f32| a.mapped(|x| function(x as f32).into());
    let functions: OfBothSorts = match operation {
        Unary::FloatToDouble => return Range::Number(a),
        Unary::DoubleToFloat => return Range::Number(single(|x| x)),
        Unary::FloatToInt | Unary::DoubleToInt => {
            return truncated(a, |x| i64::from(x as i32));
        }
        Unary::FloatToLong | Unary::DoubleToLong => return truncated(a, |x| x as i64),
        Unary::IsNan => {
            let must = !a.has_numbers() && a.may_be_nan;
            return Range::Integer((must.into(), a.may_be_nan.into()));
        }
        Unary::FloatBits | Unary::DoubleBits => {
            let bit = |x| eval::integer(eval::unary_sort(operation, sort), bits_of(sort, x));
            return match a.least > 0.0 && a.has_numbers() && !a.may_be_nan {
                true => Range::Integer((bit(a.least), bit(a.most))),
                false => all(eval::unary_sort(operation, sort)),
            };
        }
        Unary::Abs if a.has_zero() => {
            let most = a.most.max(-a.least);
            return Range::Number(Interval {
                least: -0.0,
                most,
                may_be_nan: a.may_be_nan,
            });
        }
        Unary::Sqrt if a.has_numbers() && a.least < 0.0 => {
            let positive = Interval {
                least: -0.0,
                most: a.most.max(0.0),
                may_be_nan: true,
            };
            return unary(operation, sort, Range::Number(positive));
        }
        Unary::Neg => (|x| -x, |x| -x),
        Unary::Abs => (f32::abs, f64::abs),
        Unary::Sqrt => (f32::sqrt, f64::sqrt),
        Unary::Floor => (f32::floor, f64::floor),
        Unary::Ceil => (f32::ceil, f64::ceil),
        Unary::Rint => (f32::round_ties_even, f64::round_ties_even),
        operation => return all(eval::unary_sort(operation, sort)),
    };
    Range::Number(match sort {
        Sort::Float => single(functions.0),
        _ => a.mapped(functions.1),
    })
}

/// Integers to which floating-point numbers are truncated; NaN becomes 0.
fn truncated(a: Interval, convert: fn(f64) -> i64) -> Range {
    let mut range = match a.has_numbers() {
        true => (convert(a.least), convert(a.most)),
        false => (0, 0),
    };
    if a.may_be_nan {
        range = (range.0.min(0), range.1.max(0));
    }
    Range::Integer(range)
}

fn of_integer(operation: Unary, sort: Sort, a: Bounds) -> Range {
    let numbers =
        |convert: fn(i64) -> f64| Range::Number(Interval::of(&[convert(a.0), convert(a.1)], false));
    match operation {
        Unary::IntToFloat | Unary::LongToFloat => numbers(|x| f64::from(x as f32)),
        Unary::IntToDouble | Unary::LongToDouble => numbers(|x| x as f64),
        Unary::BitsToFloat | Unary::BitsToDouble => {
            let sort = eval::unary_sort(operation, sort);
            match a.0 == a.1 {
                true => {
                    let integer = if sort == Sort::Float {
                        Sort::Int
                    } else {
                        Sort::Long
                    };
                    let bits = eval::of_integer(integer, a.0);
                    Range::Number(Interval::point(number(sort, bits)))
                }
                false => all(sort),
            }
        }
        operation => Range::Integer(bounds::unary(operation, sort, a)),
    }
}

pub(super) fn binary(operation: Binary, sort: Sort, a: Range, b: Range) -> Range {
    match (a, b) {
        (Range::Number(a), Range::Number(b)) => of_numbers(operation, sort, a, b),
        (Range::Integer(a), Range::Integer(b)) => Range::Integer(match sort {
            Sort::Bool => truth_bounds(operation, a, b),
            sort => bounds::binary(operation, sort, a, b),
        }),
        _ => all(eval::binary_sort(operation, sort)),
    }
}

fn of_numbers(operation: Binary, sort: Sort, a: Interval, b: Interval) -> Range {
    let has_numbers = a.has_numbers() && b.has_numbers();
    let may_be_nan = a.may_be_nan || b.may_be_nan;
    let is_point = |x: Interval| x.least == x.most && !x.may_be_nan;
    let truth = |must: bool, may: bool| Range::Integer((must.into(), may.into()));
    match operation {
        Binary::Lt => {
            let must = has_numbers && !may_be_nan && a.most < b.least;
            return truth(must, has_numbers && a.least < b.most);
        }
        Binary::Le => {
            let must = has_numbers && !may_be_nan && a.most <= b.least;
            return truth(must, has_numbers && a.least <= b.most);
        }
        Binary::Eq => {
            let may = has_numbers && a.least <= b.most && b.least <= a.most;
            return truth(is_point(a) && is_point(b) && a.least == b.least, may);
        }
        Binary::Same => {
            let may_be_both = a.may_be_nan && b.may_be_nan;
            let may = has_numbers && a.least <= b.most && b.least <= a.most;
            let must = is_point(a) && is_point(b) && a.least == b.least && a.least != 0.0;
            return truth(must, may || may_be_both);
        }
        _ => {}
    }
    if !has_numbers {
        return Range::Number(Interval::NAN);
    }
    let at = |x: f64, y: f64| match sort {
        Sort::Float => {
            let bits = eval::binary(operation, sort, bits_of(sort, x), bits_of(sort, y));
            number(sort, bits)
        }
        _ => match operation {
            Binary::Add => x + y,
            Binary::Sub => x - y,
            Binary::Mul => x * y,
            _ => x / y,
        },
    };
    let corners = |may_be_nan: bool| {
        let corners = [
            at(a.least, b.least),
            at(a.least, b.most),
            at(a.most, b.least),
            at(a.most, b.most),
        ];
        Interval::of(&corners, may_be_nan)
    };
    let are_infinite = a.has_infinity() && b.has_infinity();
    Range::Number(match operation {
        Binary::Add => Interval::of(
            &[at(a.least, b.least), at(a.most, b.most)],
            may_be_nan || are_infinite,
        ),
        Binary::Sub => Interval::of(
            &[at(a.least, b.most), at(a.most, b.least)],
            may_be_nan || are_infinite,
        ),
        Binary::Mul => {
            let is_indefinite =
                a.has_zero() && b.has_infinity() || a.has_infinity() && b.has_zero();
            corners(may_be_nan || is_indefinite)
        }
        Binary::Div if !b.has_zero() => corners(may_be_nan || are_infinite),
        // The magnitude is at most the dividend's, and less than the divisor's; the sign is the
        // dividend's.
        Binary::Rem => {
            let magnitude = |x: Interval| x.most.abs().max(x.least.abs());
            let below = match sort {
                Sort::Float => (magnitude(b) as f32).next_down().into(),
                _ => magnitude(b).next_down(),
            };
            let most = match magnitude(b).is_finite() {
                true => magnitude(a).min(below).max(0.0),
                false => magnitude(a),
            };
            Interval {
                least: if a.least < 0.0 { -most } else { -0.0 },
                most: if a.most > 0.0 { most } else { 0.0 },
                may_be_nan: may_be_nan || a.has_infinity() || b.has_zero(),
            }
        }
        _ => Interval::ALL,
    })
}
