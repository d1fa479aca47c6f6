//! Sets of integers as intervals, and solution sets of conditions on one variable.

use smallvec::SmallVec;

use super::bounds;
use super::pool::TermPool;
use super::tabulated;
use super::term::{Binary, Node, Sort, Term, Unary};

/// Most intervals of a condition's solution set.
const MAX_PIECES: usize = 2_048;

/// Greatest size of a condition for which its table of values is not tried first.
const MAX_SIZE: u32 = 512;

/// Most terms of an analysed condition.
const MAX_TERMS: u32 = 8_192;

/// Greatest nesting of conditions and selections in an analysed condition.
const MAX_DEPTH: u32 = 24;

/// Set of integers: ascending intervals with gaps between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Set {
    pieces: SmallVec<[(i64, i64); 2]>,
}

impl Set {
    /// Returns the interval from `least` to `most`.
    pub(super) fn interval(least: i64, most: i64) -> Set {
        let mut pieces = SmallVec::new();
        if least <= most {
            pieces.push((least, most));
        }
        Set { pieces }
    }

    /// Adds an interval past the others, with a gap before it.
    pub(super) fn push(&mut self, least: i64, most: i64) {
        self.pieces.push((least, most));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Returns the intervals, ascending.
    pub(super) fn pieces(&self) -> &[(i64, i64)] {
        &self.pieces
    }

    pub(super) fn bounds(&self) -> Option<(i64, i64)> {
        Some((self.pieces.first()?.0, self.pieces.last()?.1))
    }

    pub(super) fn is_too_long(&self) -> bool {
        self.pieces.len() > MAX_PIECES
    }

    pub(super) fn intersection(&self, other: &Set) -> Set {
        let mut pieces = SmallVec::new();
        let (mut i, mut j) = (0, 0);
        while let (Some(a), Some(b)) = (self.pieces.get(i), other.pieces.get(j)) {
            let (least, most) = (a.0.max(b.0), a.1.min(b.1));
            if least <= most {
                pieces.push((least, most));
            }
            if a.1 < b.1 {
                i += 1;
            } else {
                j += 1;
            }
        }
        Set { pieces }
    }

    /// Set difference.
    pub(super) fn without(&self, other: &Set) -> Set {
        let mut gaps = SmallVec::new();
        let mut start = i64::MIN;
        let mut ends = false;
        for &(least, most) in &other.pieces {
            if least > start {
                gaps.push((start, least - 1));
            }
            match most.checked_add(1) {
                Some(next) => start = next,
                None => ends = true,
            }
        }
        if !ends {
            gaps.push((start, i64::MAX));
        }
        self.intersection(&Set { pieces: gaps })
    }

    fn of_pieces(mut pieces: SmallVec<[(i64, i64); 2]>) -> Set {
        pieces.sort_unstable();
        let mut joined: SmallVec<[(i64, i64); 2]> = SmallVec::new();
        for (least, most) in pieces {
            match joined.last_mut() {
                Some(last) if last.1 == i64::MAX || least <= last.1 + 1 => {
                    last.1 = last.1.max(most)
                }
                _ => joined.push((least, most)),
            }
        }
        Set { pieces: joined }
    }

    pub(super) fn union(&self, other: &Set) -> Set {
        Set::of_pieces(self.pieces.iter().chain(&other.pieces).copied().collect())
    }

    /// Image of the set under `constant + value` or `constant - value`, wrapped to the sort.
    fn moved(&self, sort: Sort, constant: i64, negate: bool) -> Set {
        let (least, most) = bounds::of_sort(sort);
        let (least, most) = (i128::from(least), i128::from(most));
        let modulus = most - least + 1;
        let mut pieces = SmallVec::new();
        for &(low, high) in &self.pieces {
            let (low, high) = (i128::from(low), i128::from(high));
            let constant = i128::from(constant);
            let (low, high) = if negate {
                (constant - high, constant - low)
            } else {
                (constant + low, constant + high)
            };
            // The lower end is reduced into range; a part beyond the greatest value wraps around.
            let turn = (low - least).div_euclid(modulus) * modulus;
            let (low, high) = (low - turn, high - turn);
            pieces.push((low as i64, high.min(most) as i64));
            if high > most {
                pieces.push((least as i64, (high - modulus) as i64));
            }
        }
        Set::of_pieces(pieces)
    }

    /// Value nearest to zero; the positive one of two.
    pub(super) fn nearest_zero(&self) -> Option<i64> {
        let nearest = |&(least, most): &(i64, i64)| 0_i64.clamp(least, most);
        let values = self.pieces.iter().map(nearest);
        values.min_by_key(|&value| (value.unsigned_abs(), value < 0))
    }

    /// Least value that is at least `bound`.
    pub(super) fn at_least(&self, bound: i64) -> Option<i64> {
        let piece = self.pieces.iter().find(|piece| piece.1 >= bound)?;
        Some(piece.0.max(bound))
    }

    /// Greatest value that is at most `bound`.
    pub(super) fn at_most(&self, bound: i64) -> Option<i64> {
        let piece = self.pieces.iter().rev().find(|piece| piece.0 <= bound)?;
        Some(piece.1.min(bound))
    }
}

/// Variable of a condition over one integer, and its solution set; `None` for other conditions.
pub(super) fn of_condition(pool: &TermPool, condition: Term, holds: bool) -> Option<(u32, Set)> {
    let &[number] = pool.variables(condition) else {
        return None;
    };
    let (least, most) = pool.input(number)?.range()?;
    let mut reader = ConditionReader {
        pool,
        left: MAX_TERMS,
    };
    let table = || {
        pool.tabulated(condition, || {
            tabulated::of_condition(pool, condition, number, (least, most))
        })
    };
    let values = match pool.size(condition) > MAX_SIZE {
        true => table().or_else(|| reader.condition(condition, MAX_DEPTH)),
        false => reader.condition(condition, MAX_DEPTH).or_else(table),
    }?;
    let all = Set::interval(least, most);
    let values = if holds {
        all.intersection(&values)
    } else {
        all.without(&values)
    };
    Some((number, values))
}

/// Analyser of conditions over one variable.
struct ConditionReader<'a> {
    pool: &'a TermPool,
    /// Number of terms that may still be visited.
    left: u32,
}

impl ConditionReader<'_> {
    /// Solution set of a condition.
    fn condition(&mut self, condition: Term, depth: u32) -> Option<Set> {
        let depth = depth.checked_sub(1)?;
        self.left = self.left.checked_sub(1)?;
        let pool = self.pool;
        let all = || Set::interval(i64::MIN, i64::MAX);
        match *pool.node(condition) {
            Node::Unary(Unary::Not, inner) => Some(all().without(&self.condition(inner, depth)?)),
            Node::Binary(operation @ (Binary::And | Binary::Or), a, b) => {
                let (a, b) = (self.condition(a, depth)?, self.condition(b, depth)?);
                Some(if operation == Binary::And {
                    a.intersection(&b)
                } else {
                    a.union(&b)
                })
            }
            Node::Ite(is, then, otherwise) => {
                let is = self.condition(is, depth)?;
                let (then, otherwise) = (
                    self.condition(then, depth)?,
                    self.condition(otherwise, depth)?,
                );
                Some(then.intersection(&is).union(&otherwise.without(&is)))
            }
            Node::Binary(operation, a, b) if pool.is_integer(a) => {
                if let Some(constant) = pool.integer_of(b) {
                    let values = below(operation, pool.sort(a), constant, false)?;
                    return self.preimage(a, values, depth);
                }
                let constant = pool.integer_of(a)?;
                let values = below(operation, pool.sort(b), constant, true)?;
                self.preimage(b, values, depth)
            }
            _ => None,
        }
    }

    /// Values of the variable for which a term's value is in a set.
    fn preimage(&mut self, mut term: Term, mut values: Set, depth: u32) -> Option<Set> {
        let depth = depth.checked_sub(1)?;
        let pool = self.pool;
        loop {
            self.left = self.left.checked_sub(1)?;
            let sort = pool.sort(term);
            if let Some(constant) = pool.integer_of(term) {
                let is_in = values
                    .pieces()
                    .iter()
                    .any(|&(least, most)| (least..=most).contains(&constant));
                return Some(match is_in {
                    true => Set::interval(i64::MIN, i64::MAX),
                    false => Set::default(),
                });
            }
            match *pool.node(term) {
                Node::Var { .. } => return Some(values),
                Node::Ite(is, then, otherwise) => {
                    let is = self.condition(is, depth)?;
                    let then = self.preimage(then, values.clone(), depth)?;
                    let otherwise = self.preimage(otherwise, values, depth)?;
                    return Some(then.intersection(&is).union(&otherwise.without(&is)));
                }
                Node::Binary(Binary::Add, inner, constant) => {
                    let constant = pool.integer_of(constant)?;
                    values = values.moved(sort, constant.wrapping_neg(), false);
                    term = inner;
                }
                Node::Binary(Binary::Sub, constant, inner) => {
                    values = values.moved(sort, pool.integer_of(constant)?, true);
                    term = inner;
                }
                Node::Binary(Binary::And, inner, mask)
                    if pool.integer_of(mask) == Some(0xFF) && is_byte(pool, inner) =>
                {
                    let low = values.intersection(&Set::interval(0, 0x7F));
                    let high = values.intersection(&Set::interval(0x80, 0xFF));
                    values = low.union(&high.moved(sort, -0x100, false));
                    term = inner;
                }
                Node::Unary(Unary::Neg, inner) => {
                    values = values.moved(sort, 0, true);
                    term = inner;
                }
                Node::Unary(Unary::IntToLong, inner) => {
                    let (least, most) = bounds::of_sort(Sort::Int);
                    values = values.intersection(&Set::interval(least, most));
                    term = inner;
                }
                _ => return None,
            }
        }
    }
}

fn is_byte(pool: &TermPool, term: Term) -> bool {
    let (least, most) = pool.bounds(term);
    i64::from(i8::MIN) <= least && most <= i64::from(i8::MAX)
}

/// Values in this relation to a constant, which is the left operand if `is_left`.
fn below(operation: Binary, sort: Sort, constant: i64, is_left: bool) -> Option<Set> {
    let (least, most) = bounds::of_sort(sort);
    let all = Set::interval(least, most);
    let equal = Set::interval(constant, constant);
    let up_to = match operation {
        Binary::Eq => return Some(equal),
        Binary::Lt | Binary::Le => Set::interval(least, constant),
        // Unsigned, negative numbers are above all others, in their order.
        Binary::Ult | Binary::Ule if constant >= 0 => Set::interval(0, constant),
        Binary::Ult | Binary::Ule => Set::interval(0, most).union(&Set::interval(least, constant)),
        _ => return None,
    };
    let is_strict = matches!(operation, Binary::Lt | Binary::Ult);
    // `k < x` is the negation of `x <= k`, and `k <= x` that of `x < k`.
    let below = if is_strict == is_left {
        up_to
    } else {
        up_to.without(&equal)
    };
    Some(if is_left { all.without(&below) } else { below })
}
