//! Translation of conditions over Java's integers to linear conditions over mathematical ones.
//!
//! A wrapping sum of `int`s is the exact sum minus a multiple of 2³². That multiple is a variable
//! of its own, a *turn*, bounded by the range of the sum. Narrowing casts are treated likewise. A
//! product of open values is a variable of which [facts](super::products) are known.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::products::{self, Products};
use super::ratio::gcd;
use super::simplex::{ALL, Range};
use crate::linear::Linear;
use crate::smt::bounds::{self, distance};
use crate::smt::path::PathLiteral;
use crate::smt::pool::TermPool;
use crate::smt::sets;
use crate::smt::term::{Binary, Node, Sort, Term, Unary, VariableRange};
use crate::store::Var;

/// Most alternatives of a condition.
const MAX_ALTERNATIVES: usize = 16;
/// Most nodes of a term.
const MAX_SIZE: u32 = 200;
/// Passes over all sums that narrow the bounds of their variables.
const PASSES: usize = 2;

/// Subject of a restriction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RestrictionSubject {
    Column(usize),
    Row(usize),
}

/// Restriction of a variable or a sum to a range.
pub(super) type Restriction = (RestrictionSubject, Range);

/// Conjunction of restrictions.
pub(super) type Alternative = SmallVec<[Restriction; 2]>;

#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) bounds: Range,
    /// Divisor of the column's values: the modulus for a turn, otherwise 1.
    pub(super) step: i128,
}

/// Bounded integers, sums of them, and the restrictions of both.
#[derive(Debug)]
pub(super) struct IntegerProblem<'a> {
    pool: &'a TermPool,
    pub(super) columns: Vec<Column>,
    /// Columns of the variables.
    pub(super) places: FxHashMap<u32, usize>,
    pub(super) rows: Vec<SmallVec<[(Var, i64); 2]>>,
    row_places: FxHashMap<SmallVec<[(Var, i64); 2]>, usize>,
    /// Wrapped sums, by the sum, its least value and the modulus.
    wrapped: FxHashMap<(Linear, i128, i128), Linear>,
    pub(super) products: Products,
    /// Whether the problem is known to be infeasible.
    pub(super) is_impossible: bool,
    /// Restrictions that must hold.
    pub(super) certain: Vec<Restriction>,
    /// Disjunctions: one alternative of each must hold.
    pub(super) choices: Vec<Vec<Alternative>>,
}

impl<'a> IntegerProblem<'a> {
    /// Translates literals; `None` if one of them is neither linear nor so but for products, or too
    /// large.
    pub(super) fn new(pool: &'a TermPool, literals: &[PathLiteral]) -> Option<IntegerProblem<'a>> {
        let mut problem = IntegerProblem {
            pool,
            columns: Vec::new(),
            places: FxHashMap::default(),
            rows: Vec::new(),
            row_places: FxHashMap::default(),
            wrapped: FxHashMap::default(),
            products: Products::default(),
            is_impossible: false,
            certain: Vec::new(),
            choices: Vec::new(),
        };
        // Bounds of single variables come first: they show which sums cannot overflow. Products
        // come last: what is known of them follows from the bounds of their factors.
        let is_large = |literal: &PathLiteral| pool.size(literal.atom) > MAX_SIZE;
        let has_product =
            |literal: &PathLiteral| is_large(literal) || products::is_in(pool, literal.atom);
        let mut literals = literals.to_vec();
        literals.sort_by_cached_key(|literal| {
            let is_single = pool.variables(literal.atom).len() == 1;
            (has_product(literal), !is_single)
        });
        let first = literals.iter().position(has_product);
        for (place, literal) in literals.iter().enumerate() {
            if is_large(literal) {
                return None;
            }
            if Some(place) == first {
                problem.propagate()?;
            }
            let alternatives = problem.alternatives(literal.atom, literal.holds)?;
            problem.choose(alternatives);
            if problem.is_impossible {
                return Some(problem);
            }
        }
        problem.add_product_facts()?;
        Some(problem)
    }

    /// Narrows the bounds of variables by those of the sums that they are in; `None` if a number is
    /// too large.
    fn propagate(&mut self) -> Option<()> {
        for _ in 0..PASSES {
            for (place, (least, most)) in self.certain.clone() {
                let RestrictionSubject::Row(row) = place else {
                    continue;
                };
                for (variable, factor) in self.rows[row].clone() {
                    let terms = self.rows[row].iter().copied();
                    let others = Linear {
                        terms: terms.filter(|term| term.0 != variable).collect(),
                        constant: 0,
                    };
                    let others = self.interval(&others)?;
                    // Bounds of the variable times its factor.
                    let least = if is_none(least) {
                        least
                    } else {
                        least.checked_sub(others.1)?
                    };
                    let most = if is_none(most) {
                        most
                    } else {
                        most.checked_sub(others.0)?
                    };
                    let term = Linear {
                        terms: SmallVec::from_slice(&[(variable, factor)]),
                        constant: 0,
                    };
                    if self.columns[variable.0 as usize].step == 1 {
                        self.require_within(&term, (least, most))?;
                    }
                }
                if self.is_impossible {
                    return Some(());
                }
            }
        }
        Some(())
    }

    /// Requires one of some alternatives.
    pub(super) fn choose(&mut self, mut alternatives: Vec<Alternative>) {
        if alternatives.len() > 1 {
            self.choices.push(alternatives);
            return;
        }
        match alternatives.pop() {
            Some(all) => all.into_iter().for_each(|one| self.require(one)),
            None => self.is_impossible = true,
        }
    }

    /// Requires that a sum lies in a range; `None` if a number is too large.
    pub(super) fn require_within(&mut self, sum: &Linear, range: Range) -> Option<()> {
        let alternative = self.within(sum, range)?;
        self.choose(alternative.into_iter().collect());
        Some(())
    }

    fn require(&mut self, (place, (least, most)): Restriction) {
        if let RestrictionSubject::Column(column) = place {
            let bounds = &mut self.columns[column].bounds;
            *bounds = (bounds.0.max(least), bounds.1.min(most));
            self.is_impossible |= bounds.0 > bounds.1;
        } else {
            self.certain.push((place, (least, most)));
        }
    }

    /// Alternatives under which a condition has the given truth value; possibly none.
    fn alternatives(&mut self, atom: Term, holds: bool) -> Option<Vec<Alternative>> {
        if let Some((number, set)) = sets::of_condition(self.pool, atom, holds) {
            let place = RestrictionSubject::Column(self.column_of(number)?);
            let pieces = set.pieces().iter();
            return at_most(
                pieces
                    .map(|&(least, most)| {
                        Alternative::from_slice(&[(place, (least.into(), most.into()))])
                    })
                    .collect(),
            );
        }
        match *self.pool.node(atom) {
            Node::Unary(Unary::Not, inner) => self.alternatives(inner, !holds),
            Node::Binary(operation @ (Binary::And | Binary::Or), a, b)
                if self.pool.sort(a) == Sort::Bool =>
            {
                let (a, b) = (self.alternatives(a, holds)?, self.alternatives(b, holds)?);
                at_most(if (operation == Binary::Or) == holds {
                    [a, b].concat()
                } else {
                    let both = |a: &Alternative| {
                        let a = a.clone();
                        b.iter()
                            .map(move |b| a.iter().chain(b).copied().collect())
                            .collect::<Vec<Alternative>>()
                    };
                    a.iter().flat_map(both).collect()
                })
            }
            Node::Binary(operation, a, b) if self.pool.sort(a).is_integral() => {
                self.comparison(operation, a, b, holds)
            }
            _ => None,
        }
    }

    fn comparison(
        &mut self,
        operation: Binary,
        a: Term,
        b: Term,
        holds: bool,
    ) -> Option<Vec<Alternative>> {
        let range = match (operation, holds) {
            (Binary::Eq | Binary::Same, true) => {
                let difference = self.raw(a)?.plus(&self.raw(b)?, -1)?;
                let sort = self.pool.sort(a);
                if sort == Sort::Unbounded {
                    return Some(self.within(&difference, (0, 0))?.into_iter().collect());
                }
                return self.is_multiple(&reduced(sort, difference), modulus(sort));
            }
            (Binary::Lt | Binary::Ult, true) => (i128::MIN, -1),
            (Binary::Le | Binary::Ule, true) => (i128::MIN, 0),
            (Binary::Lt | Binary::Ult, false) => (0, i128::MAX),
            (Binary::Le | Binary::Ule, false) => (1, i128::MAX),
            (Binary::Eq | Binary::Same, false) => ALL,
            _ => return None,
        };
        let is_unsigned = matches!(operation, Binary::Ult | Binary::Ule);
        let (a, b) = (self.value(a, is_unsigned)?, self.value(b, is_unsigned)?);
        let difference = a.plus(&b, -1)?;
        if range != ALL {
            return Some(self.within(&difference, range)?.into_iter().collect());
        }
        let above = self.within(&difference, (1, i128::MAX))?;
        let below = self.within(&difference, (i128::MIN, -1))?;
        Some(above.into_iter().chain(below).collect())
    }

    /// Alternatives under which a sum is a multiple of a modulus; zero is one.
    fn is_multiple(&mut self, sum: &Linear, modulus: i128) -> Option<Vec<Alternative>> {
        let (least, most) = self.interval(sum)?;
        let least = -(-least).div_euclid(modulus);
        let most = most.div_euclid(modulus);
        if least > most {
            return Some(Vec::new());
        }
        let difference = if (least, most) == (0, 0) {
            sum.clone()
        } else {
            let turn = self.turn((least, most), modulus)?;
            sum.plus(&turn, -1)?
        };
        Some(self.within(&difference, (0, 0))?.into_iter().collect())
    }

    /// Restricts a sum to a range: an empty conjunction if it always lies there, `None` inside if
    /// it never does.
    pub(super) fn within(
        &mut self,
        sum: &Linear,
        (least, most): Range,
    ) -> Option<Option<Alternative>> {
        let constant = i128::from(sum.constant);
        let (mut least, mut most) = (moved(least, constant)?, moved(most, constant)?);
        let Some(&(first, factor)) = sum.terms.first() else {
            return Some((least <= 0 && 0 <= most).then(Alternative::new));
        };
        let mut terms = sum.terms.clone();
        if factor < 0 {
            for term in &mut terms {
                term.1 = term.1.checked_neg()?;
            }
            (least, most) = (negated(most), negated(least));
        }
        let divisor = self.divisor(&terms)?;
        if least != i128::MIN {
            least = least.checked_add(divisor - 1)?.div_euclid(divisor);
        }
        if most != i128::MAX {
            most = most.div_euclid(divisor);
        }
        if least > most {
            return Some(None);
        }
        if terms.len() == 1 && self.columns[first.0 as usize].step == 1 {
            let restriction = (RestrictionSubject::Column(first.0 as usize), (least, most));
            return Some(Some(Alternative::from_slice(&[restriction])));
        }
        let bounds = (scaled(least, divisor)?, scaled(most, divisor)?);
        let row = self.row(terms);
        Some(Some(Alternative::from_slice(&[(
            RestrictionSubject::Row(row),
            bounds,
        )])))
    }

    /// Common divisor of a sum's values.
    fn divisor(&self, terms: &[(Var, i64)]) -> Option<i128> {
        let mut divisor = 0;
        for &(variable, factor) in terms {
            let step = self.columns[variable.0 as usize].step;
            let factor = i128::from(factor).checked_mul(step)?;
            divisor = gcd(divisor, factor.unsigned_abs());
        }
        i128::try_from(divisor).ok()
    }

    fn row(&mut self, terms: SmallVec<[(Var, i64); 2]>) -> usize {
        if let Some(&row) = self.row_places.get(&terms) {
            return row;
        }
        self.row_places.insert(terms.clone(), self.rows.len());
        self.rows.push(terms);
        self.rows.len() - 1
    }

    fn column_of(&mut self, number: u32) -> Option<usize> {
        if let Some(&column) = self.places.get(&number) {
            return Some(column);
        }
        let (least, most) = self.pool.input(number)?.range()?;
        let column = self.column((least.into(), most.into()), 1);
        self.places.insert(number, column);
        Some(column)
    }

    pub(super) fn column(&mut self, bounds: Range, step: i128) -> usize {
        self.columns.push(Column { bounds, step });
        self.columns.len() - 1
    }

    /// Creates a turn: a multiple of the modulus, with a factor in this range.
    fn turn(&mut self, (least, most): Range, modulus: i128) -> Option<Linear> {
        let bounds = (least.checked_mul(modulus)?, most.checked_mul(modulus)?);
        let column = self.column(bounds, modulus);
        Some(Linear::variable(Var(column as u32)))
    }

    /// Exact value of a term as a sum, optionally read as unsigned.
    fn value(&mut self, term: Term, is_unsigned: bool) -> Option<Linear> {
        let sort = self.pool.sort(term);
        if sort == Sort::Unbounded {
            return self.raw(term);
        }
        let least = if is_unsigned {
            0
        } else {
            bounds::of_sort(sort).0.into()
        };
        let raw = self.raw(term)?;
        self.wrap(raw, least, modulus(sort))
    }

    /// Sum congruent to a term modulo its sort's modulus; equal to it for `Unbounded`.
    fn raw(&mut self, term: Term) -> Option<Linear> {
        let pool = self.pool;
        let sort = pool.sort(term);
        let raw = match *pool.node(term) {
            Node::Const { .. } => Linear::constant(pool.integer_of(term)?),
            Node::Var { number, .. } => Linear::variable(Var(self.column_of(number)? as u32)),
            Node::Unary(Unary::Neg, a) => times(&self.raw(a)?, -1)?,
            Node::Unary(Unary::IntToLong | Unary::IntToUnbounded | Unary::LongToUnbounded, a) => {
                self.value(a, false)?
            }
            Node::Unary(Unary::LongToInt | Unary::UnboundedToInt | Unary::UnboundedToLong, a) => {
                self.raw(a)?
            }
            Node::Unary(Unary::IntToByte, a) => self.narrowed(a, VariableRange::Byte)?,
            Node::Unary(Unary::IntToChar, a) => self.narrowed(a, VariableRange::Char)?,
            Node::Unary(Unary::IntToShort, a) => self.narrowed(a, VariableRange::Short)?,
            Node::Binary(Binary::Add, a, b) => self.raw(a)?.plus(&self.raw(b)?, 1)?,
            Node::Binary(Binary::Sub, a, b) => self.raw(a)?.plus(&self.raw(b)?, -1)?,
            Node::Binary(Binary::Mul, a, b) => match (pool.integer_of(a), pool.integer_of(b)) {
                (_, Some(factor)) => times(&self.raw(a)?, factor)?,
                (Some(factor), None) => times(&self.raw(b)?, factor)?,
                (None, None) => {
                    let (a, b) = (self.value(a, false)?, self.value(b, false)?);
                    self.product(a, b)?
                }
            },
            Node::Binary(Binary::Shl, a, b) => {
                let shift = distance(sort, pool.integer_of(b)?);
                times(&self.raw(a)?, 1_i64.checked_shl(shift)?)?
            }
            Node::Binary(Binary::And, a, mask) => {
                let modulus = pool.integer_of(mask)?.checked_add(1)?;
                if modulus < 2 || !modulus.unsigned_abs().is_power_of_two() {
                    return None;
                }
                let raw = self.raw(a)?;
                self.wrap(raw, 0, modulus.into())?
            }
            _ => return None,
        };
        Some(reduced(sort, raw))
    }

    fn narrowed(&mut self, term: Term, input: VariableRange) -> Option<Linear> {
        let (least, most) = input.range()?;
        let raw = self.raw(term)?;
        self.wrap(raw, least.into(), i128::from(most) - i128::from(least) + 1)
    }

    /// Reduces a sum by a multiple of the modulus into the range that begins at `least`.
    fn wrap(&mut self, sum: Linear, least: i128, modulus: i128) -> Option<Linear> {
        let (low, high) = self.interval(&sum)?;
        let low = (low - least).div_euclid(modulus);
        let high = (high - least).div_euclid(modulus);
        if low == high {
            let constant = i64::try_from(low.checked_mul(modulus)?).ok()?;
            return sum.and_more(constant.checked_neg()?);
        }
        let key = (sum, least, modulus);
        if let Some(known) = self.wrapped.get(&key) {
            return Some(known.clone());
        }
        let turn = self.turn((low, high), modulus)?;
        let value = key.0.plus(&turn, -1)?;
        // Values exist, so there is an alternative.
        for restriction in self.within(&value, (least, least + modulus - 1))?? {
            self.require(restriction);
        }
        self.wrapped.insert(key, value.clone());
        Some(value)
    }

    /// Range of a sum.
    pub(super) fn interval(&self, sum: &Linear) -> Option<Range> {
        let constant = i128::from(sum.constant);
        let mut interval = (constant, constant);
        for &(variable, factor) in &sum.terms {
            let (least, most) = self.columns[variable.0 as usize].bounds;
            let (least, most) = (
                least.checked_mul(factor.into())?,
                most.checked_mul(factor.into())?,
            );
            interval.0 = interval.0.checked_add(least.min(most))?;
            interval.1 = interval.1.checked_add(least.max(most))?;
        }
        Some(interval)
    }
}

fn times(sum: &Linear, factor: i64) -> Option<Linear> {
    if factor == 0 {
        return Some(Linear::constant(0));
    }
    Linear::constant(0).plus(sum, factor)
}

/// Congruent sum with small factors.
fn reduced(sort: Sort, mut sum: Linear) -> Linear {
    if sort == Sort::Int {
        sum.constant = i64::from(sum.constant as i32);
        for term in &mut sum.terms {
            term.1 = i64::from(term.1 as i32);
        }
        sum.terms.retain(|term| term.1 != 0);
    }
    sum
}

fn modulus(sort: Sort) -> i128 {
    1 << if sort == Sort::Int { 32 } else { 64 }
}

fn negated(bound: i128) -> i128 {
    match bound {
        i128::MAX => i128::MIN,
        i128::MIN => i128::MAX,
        bound => -bound,
    }
}

/// Multiplies a bound by a divisor, unless it is infinite.
fn scaled(bound: i128, divisor: i128) -> Option<i128> {
    if is_none(bound) {
        return Some(bound);
    }
    bound.checked_mul(divisor)
}

/// Subtracts a constant from a bound, unless it is infinite.
fn moved(bound: i128, constant: i128) -> Option<i128> {
    if is_none(bound) {
        return Some(bound);
    }
    bound.checked_sub(constant)
}

fn is_none(bound: i128) -> bool {
    bound == i128::MIN || bound == i128::MAX
}

fn at_most(alternatives: Vec<Alternative>) -> Option<Vec<Alternative>> {
    (alternatives.len() <= MAX_ALTERNATIVES).then_some(alternatives)
}
