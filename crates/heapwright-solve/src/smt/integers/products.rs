//! Products of two open values, as variables of which linear facts are known (Cimatti and others,
//! *Incremental linearization for satisfiability and verification modulo nonlinear arithmetic and
//! transcendental functions*, 2018).
//!
//! **Invariant:** the facts hold of all products. Hence a problem without a solution has none with
//! products either; a solution may give a product a wrong value.

use super::problem::{Alternative, IntegerProblem};
use super::simplex::Range;
use crate::linear::Linear;
use crate::smt::pool::TermPool;
use crate::smt::term::{Binary, Node, Term};
use crate::store::Var;

/// Most products of a problem.
const MAX_PRODUCTS: usize = 6;

/// Product of two sums, which are no constants.
#[derive(Debug)]
struct Product {
    factors: [Linear; 2],
    value: Linear,
}

/// Products of a problem.
#[derive(Debug, Default)]
pub(super) struct Products {
    all: Vec<Product>,
}

impl Products {
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// Whether a term has a product of two open values.
pub(super) fn is_in(pool: &TermPool, term: Term) -> bool {
    let node = pool.node(term);
    let is_constant = |term: &Term| pool.integer_of(*term).is_some();
    let is_product = match node {
        Node::Binary(Binary::Mul, a, b) => !is_constant(a) && !is_constant(b),
        _ => false,
    };
    is_product || node.operands().any(|operand| is_in(pool, operand))
}

impl IntegerProblem<'_> {
    /// Exact product of two sums; `None` if there are too many, or if it does not fit into 64 bits.
    pub(super) fn product(&mut self, a: Linear, b: Linear) -> Option<Linear> {
        let mut known = self.products.all.iter();
        let same = |product: &&Product| {
            let [first, second] = &product.factors;
            (first, second) == (&a, &b) || (first, second) == (&b, &a)
        };
        if let Some(product) = known.find(same) {
            return Some(product.value.clone());
        }
        if self.products.all.len() == MAX_PRODUCTS {
            return None;
        }
        let bounds = product_of(self.interval(&a)?, self.interval(&b)?)?;
        let bounds = match a == b {
            true => (bounds.0.max(0), bounds.1),
            false => bounds,
        };
        let fits = |bound: i128| i64::try_from(bound).is_ok();
        if !fits(bounds.0) || !fits(bounds.1) {
            return None;
        }
        let value = Linear::variable(Var(self.column(bounds, 1) as u32));
        self.products.all.push(Product {
            factors: [a, b],
            value: value.clone(),
        });
        Some(value)
    }

    /// Adds what is known of the products; `None` if a number is too large.
    pub(super) fn add_product_facts(&mut self) -> Option<()> {
        let products = std::mem::take(&mut self.products.all);
        for product in &products {
            self.add_envelope(product)?;
        }
        for (place, first) in products.iter().enumerate() {
            for second in &products[place + 1..] {
                self.add_order(first, second)?;
            }
        }
        self.products.all = products;
        Some(())
    }

    /// Bounds a product by planes through the corners of its factors' ranges (McCormick 1976): the
    /// distances of the factors from a corner have a product with a known sign.
    fn add_envelope(&mut self, product: &Product) -> Option<()> {
        let [a, b] = &product.factors;
        let (of_a, of_b) = (self.interval(a)?, self.interval(b)?);
        for (corner_a, corner_b, is_positive) in [
            (of_a.0, of_b.0, true),
            (of_a.1, of_b.1, true),
            (of_a.0, of_b.1, false),
            (of_a.1, of_b.0, false),
        ] {
            // `(a - corner_a) * (b - corner_b)`, multiplied out.
            let (corner_a, corner_b) = (narrow(corner_a)?, narrow(corner_b)?);
            let sum = product.value.plus(b, corner_a.checked_neg()?)?;
            let sum = sum.plus(a, corner_b.checked_neg()?)?;
            let sum = sum.and_more(corner_a.checked_mul(corner_b)?)?;
            let range = match is_positive {
                true => (0, i128::MAX),
                false => (i128::MIN, 0),
            };
            self.require_within(&sum, range)?;
        }
        Some(())
    }

    /// Orders two products with a factor in common by their other factors.
    fn add_order(&mut self, first: &Product, second: &Product) -> Option<()> {
        let shared = |i: usize, j: usize| first.factors[i] == second.factors[j];
        let sides = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let Some((i, j)) = sides.into_iter().find(|&(i, j)| shared(i, j)) else {
            return Some(());
        };
        let factor = &first.factors[i];
        let sign = match self.interval(factor)? {
            (0.., _) => 1,
            (_, ..=0) => -1,
            _ => return Some(()),
        };
        let others = first.factors[1 - i].plus(&second.factors[1 - j], -1)?;
        // With factors `u` and `v` besides `x`: `x * u - x * v` is `x * (u - v)`.
        let difference = first.value.plus(&second.value, -1)?;
        let above = difference.plus(factor, -1)?;
        let below = difference.plus(factor, 1)?;
        let (least, most) = ((0, i128::MAX), (i128::MIN, 0));
        let (of_above, of_below) = match sign {
            1 => (least, most),
            _ => (most, least),
        };
        let cases = [
            [(&others, (1, i128::MAX)), (&above, of_above)],
            [(&others, (0, 0)), (&difference, (0, 0))],
            [(&others, (i128::MIN, -1)), (&below, of_below)],
        ];
        let mut alternatives = Vec::new();
        for [(others, range), (values, of_values)] in cases {
            let (others, values) = (self.within(others, range)?, self.within(values, of_values)?);
            if let (Some(others), Some(values)) = (others, values) {
                let both: Alternative = others.into_iter().chain(values).collect();
                alternatives.push(both);
            }
        }
        self.choose(alternatives);
        Some(())
    }
}

fn narrow(number: i128) -> Option<i64> {
    i64::try_from(number).ok()
}

/// Range of the products of numbers from two ranges.
fn product_of(a: Range, b: Range) -> Option<Range> {
    let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)];
    let mut range: Option<Range> = None;
    for (a, b) in corners {
        let product = a.checked_mul(b)?;
        let (least, most) = range.unwrap_or((product, product));
        range = Some((least.min(product), most.max(product)));
    }
    range
}
