//! Interval analysis: bounds of an integer operation's result from those of its operands.
//!
//! Operations that may overflow, and those without a rule, get the full range of their sort.

use super::eval;
use super::term::{Binary, Sort, Unary, VariableRange};

/// Least and greatest value.
pub(super) type Bounds = (i64, i64);

/// Full range of a sort; floating point has no meaningful bounds. For `Unbounded`, the extremes of
/// `long` include all integers beyond them.
pub(super) fn of_sort(sort: Sort) -> Bounds {
    match sort {
        Sort::Bool => (0, 1),
        Sort::Int => (i32::MIN.into(), i32::MAX.into()),
        Sort::Long | Sort::Float | Sort::Double | Sort::Unbounded => (i64::MIN, i64::MAX),
    }
}

/// Bounds of an operation on one operand of the given sort.
pub(super) fn unary(operation: Unary, sort: Sort, (least, most): Bounds) -> Bounds {
    let all = of_sort(eval::unary_sort(operation, sort));
    let within = |(low, high): Bounds| {
        if low <= least && most <= high {
            (least, most)
        } else {
            (low, high)
        }
    };
    match operation {
        Unary::Not => (1 - most, 1 - least),
        Unary::Neg if matches!(sort, Sort::Int | Sort::Long) => {
            fitting(sort, -i128::from(most), -i128::from(least))
        }
        Unary::Neg if sort == Sort::Unbounded => {
            of_unbounded(Binary::Sub, (0, 0), (least, most)).unwrap_or(all)
        }
        Unary::IntToLong | Unary::BoolToInt | Unary::IntToUnbounded | Unary::LongToUnbounded => {
            (least, most)
        }
        Unary::UnboundedToLong if least == i64::MIN || most == i64::MAX => all,
        Unary::LongToInt | Unary::UnboundedToInt | Unary::UnboundedToLong => within(all),
        Unary::IntToByte => within(VariableRange::Byte.range().unwrap_or(all)),
        Unary::IntToChar => within(VariableRange::Char.range().unwrap_or(all)),
        Unary::IntToShort => within(VariableRange::Short.range().unwrap_or(all)),
        _ => all,
    }
}

/// Bounds of an operation on two operands; `sort` is that of the left one.
pub(super) fn binary(operation: Binary, sort: Sort, a: Bounds, b: Bounds) -> Bounds {
    let all = of_sort(eval::binary_sort(operation, sort));
    if sort == Sort::Unbounded {
        return of_unbounded(operation, a, b).unwrap_or(all);
    }
    if !matches!(sort, Sort::Int | Sort::Long) {
        return all;
    }
    let wide = |(least, most): Bounds| (i128::from(least), i128::from(most));
    match operation {
        Binary::Add => fitting(sort, wide(a).0 + wide(b).0, wide(a).1 + wide(b).1),
        Binary::Sub => fitting(sort, wide(a).0 - wide(b).1, wide(a).1 - wide(b).0),
        Binary::Mul => corners(sort, a, b, |x, y| x * y),
        Binary::Div if b.0 > 0 => corners(sort, a, b, |x, y| x / y),
        Binary::Rem if b.0 > 0 || b.1 < 0 => remainder(a, b),
        Binary::And if a.0 >= 0 || b.0 >= 0 => {
            let most = match (a.0 >= 0, b.0 >= 0) {
                (true, true) => a.1.min(b.1),
                (true, false) => a.1,
                _ => b.1,
            };
            (0, most)
        }
        Binary::Or if a.0 >= 0 && b.0 >= 0 => (a.0.max(b.0), ones(a.1 | b.1)),
        Binary::Xor if a.0 >= 0 && b.0 >= 0 => (0, ones(a.1 | b.1)),
        Binary::Shl if b.0 == b.1 => {
            let factor = 1_i128 << distance(sort, b.0);
            fitting(sort, wide(a).0 * factor, wide(a).1 * factor)
        }
        Binary::Shl if b.0 >= 0 && b.1 < 31 => {
            let (least, most) = (
                wide(a).0.min(wide(a).0 << b.1),
                wide(a).1.max(wide(a).1 << b.1),
            );
            fitting(sort, least, most)
        }
        Binary::Shr if b.0 == b.1 => {
            let distance = distance(sort, b.0);
            (a.0 >> distance, a.1 >> distance)
        }
        Binary::Shr => (a.0.min(0), a.1.max(-1)),
        Binary::Ushr if a.0 >= 0 && b.0 == b.1 => {
            let distance = distance(sort, b.0);
            (a.0 >> distance, a.1 >> distance)
        }
        Binary::Ushr if a.0 >= 0 => (0, a.1),
        Binary::Ushr if b.0 == b.1 && distance(sort, b.0) > 0 => {
            let width = if sort == Sort::Int { 32 } else { 64 };
            (0, (u64::MAX >> (64 - width + distance(sort, b.0))) as i64)
        }
        Binary::Eq | Binary::Same if a.1 < b.0 || b.1 < a.0 => (0, 0),
        Binary::Eq | Binary::Same if a.0 == a.1 && a == b => (1, 1),
        Binary::Lt => truth(a.1 < b.0, a.0 >= b.1),
        Binary::Le => truth(a.1 <= b.0, a.0 > b.1),
        Binary::Ult if a.0 >= 0 && b.0 >= 0 => truth(a.1 < b.0, a.0 >= b.1),
        Binary::Ule if a.0 >= 0 && b.0 >= 0 => truth(a.1 <= b.0, a.0 > b.1),
        _ => all,
    }
}

/// Magnitude beyond all distinguished values, even after division by any `long`.
const FAR: i128 = 1 << 126;

/// Bounds of an operation on mathematical integers.
fn of_unbounded(operation: Binary, a: Bounds, b: Bounds) -> Option<Bounds> {
    let open = |(least, most): Bounds| {
        let least = if least == i64::MIN {
            -FAR
        } else {
            least.into()
        };
        let most = if most == i64::MAX { FAR } else { most.into() };
        (least, most)
    };
    let (a, b): ((i128, i128), (i128, i128)) = (open(a), open(b));
    let corners = |operation: fn(i128, i128) -> i128| {
        let corners =
            [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(x, y)| operation(x, y));
        let least = corners.iter().copied().min().unwrap_or(-FAR);
        (least, corners.into_iter().max().unwrap_or(FAR))
    };
    let (least, most) = match operation {
        Binary::Add => (a.0.saturating_add(b.0), a.1.saturating_add(b.1)),
        Binary::Sub => (a.0.saturating_sub(b.1), a.1.saturating_sub(b.0)),
        Binary::Mul => corners(i128::saturating_mul),
        Binary::Div if b.0 > 0 => corners(|x, y| x / y),
        Binary::Rem if b.0 > 0 || b.1 < 0 => {
            let most = b.0.abs().max(b.1.abs()) - 1;
            (a.0.min(0).max(-most), a.1.max(0).min(most))
        }
        Binary::Eq | Binary::Same if a.1 < b.0 || b.1 < a.0 => (0, 0),
        Binary::Eq | Binary::Same => (i128::from(a.0 == a.1 && a == b), 1),
        Binary::Lt => (i128::from(a.1 < b.0), i128::from(a.0 < b.1)),
        Binary::Le => (i128::from(a.1 <= b.0), i128::from(a.0 <= b.1)),
        _ => return None,
    };
    let near = |bound: i128| bound.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
    Some((near(least), near(most)))
}

fn truth(always: bool, never: bool) -> Bounds {
    (i64::from(always), i64::from(!never))
}

/// Returns these bounds if they lie in the sort's range, otherwise the full range.
fn fitting(sort: Sort, least: i128, most: i128) -> Bounds {
    let all = of_sort(sort);
    if least < all.0.into() || most > all.1.into() {
        return all;
    }
    (least as i64, most as i64)
}

/// Bounds of an operation whose extremes lie at those of its operands.
fn corners(sort: Sort, a: Bounds, b: Bounds, operation: impl Fn(i128, i128) -> i128) -> Bounds {
    let at = |x: i64, y: i64| operation(x.into(), y.into());
    let corners = [at(a.0, b.0), at(a.0, b.1), at(a.1, b.0), at(a.1, b.1)];
    let (mut least, mut most) = (corners[0], corners[0]);
    for &corner in &corners[1..] {
        least = least.min(corner);
        most = most.max(corner);
    }
    fitting(sort, least, most)
}

/// Bounds of a remainder (JLS §15.17.3): the sign is the dividend's, the magnitude less than the
/// divisor's.
fn remainder(a: Bounds, b: Bounds) -> Bounds {
    let magnitude = b.0.unsigned_abs().max(b.1.unsigned_abs()) - 1;
    let most = i64::try_from(magnitude).unwrap_or(i64::MAX);
    (a.0.min(0).max(-most), a.1.max(0).min(most))
}

/// Effective shift distance.
pub(super) fn distance(sort: Sort, value: i64) -> u32 {
    value as u32 & if sort == Sort::Int { 31 } else { 63 }
}

/// Mask of all bits up to the highest bit of a non-negative number.
pub(super) fn ones(value: i64) -> i64 {
    if value == 0 {
        return 0;
    }
    (u64::MAX >> value.leading_zeros()) as i64
}
