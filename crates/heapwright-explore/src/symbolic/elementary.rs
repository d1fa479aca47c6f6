//! Elementary functions as abstract numbers: a result is any number that satisfies some facts.
//!
//! Invariant: the facts hold for all operands and for every implementation that Java allows: results
//! are semi-monotonic and near the exact ones, and special cases are as specified
//! (`java.lang.Math`).

use std::f64::consts::{FRAC_PI_2, PI};

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::replaced::Elementary;
use heapwright_jvm::{ConditionTruth, MethodId};
use heapwright_solve::smt::{Binary, Sort, Term, TermPool, Unary};

use super::machine::SymbolicMachine;

/// Operand from which on the exponential function may be infinite, and below which it may be 0;
/// both are a little inside of what is exact.
const EXP_RANGE: [f64; 2] = [-700.0, 709.0];
/// Bounds of the natural and the decimal logarithm of positive finite numbers, a little outside of
/// what is exact.
const LOG_RANGE: [f64; 2] = [-745.0, 709.8];
const LOG10_RANGE: [f64; 2] = [-323.4, 308.3];

/// Result of an elementary function on a path.
#[derive(Clone, Debug)]
pub(super) struct AbstractResult {
    method: MethodId,
    operands: Vec<u64>,
    /// The result, a variable.
    value: u64,
}

impl SymbolicMachine {
    /// Whether a function that a method computes has a result, which is NaN otherwise, and the
    /// result; the same one for the same operands.
    pub(super) fn elementary_result(
        &mut self,
        function: Elementary,
        method: MethodId,
        operands: &[u64],
    ) -> (ConditionTruth, u64) {
        let terms = operands.iter().map(|&slot| self.term(slot, Kind::Double));
        let terms: Vec<Term> = terms.collect();
        let mut numbers = Numbers(&mut self.pool);
        let is_defined = match terms[..] {
            [x, y] => numbers.is_defined_at_both(function, x, y),
            _ => numbers.is_defined_at(function, terms[0]),
        };
        let truth = self.ask(is_defined);
        if truth != ConditionTruth::Known(true) {
            return (truth, f64::NAN.to_bits());
        }
        let mut known = self.results.iter();
        let known = known.find(|known| known.method == method && known.operands == operands);
        if let Some(known) = known {
            return (truth, known.value);
        }
        let name = format!("result {}", self.results.len() + 1);
        let value = self.variable(name.into(), Kind::Double);
        self.results.push(AbstractResult {
            method,
            operands: operands.to_vec(),
            value,
        });
        self.has_abstracted = true;
        let result = self.term(value, Kind::Double);
        let mut facts = Facts {
            numbers: Numbers(&mut self.pool),
            result,
            all: Vec::new(),
        };
        match terms[..] {
            [x, y] => facts.of_two(function, x, y),
            _ => facts.of_one(function, terms[0]),
        }
        for fact in facts.all {
            self.require(fact);
        }
        (truth, value)
    }
}

/// Facts about the result of a function where it is defined.
struct Facts<'a> {
    numbers: Numbers<'a>,
    result: Term,
    all: Vec<Term>,
}

impl Facts<'_> {
    fn of_one(&mut self, function: Elementary, x: Term) {
        use Elementary as E;
        let result = self.result;
        let [zero, one] = [0.0, 1.0].map(|number| self.numbers.number(number));
        match function {
            E::Sin | E::Cos | E::Tanh => self.lies_within(-1.0, 1.0),
            E::Tan => self.lies_within(-f64::MAX, f64::MAX),
            E::Asin | E::Atan => self.lies_within(-FRAC_PI_2, FRAC_PI_2),
            E::Acos => self.lies_within(0.0, PI),
            E::Cosh => self.lies_within(1.0, f64::INFINITY),
            E::Exp => self.is_exponential(x),
            E::Expm1 => self.lies_within(-1.0, f64::INFINITY),
            E::Log | E::Log10 => {
                let range = match function {
                    E::Log => LOG_RANGE,
                    _ => LOG10_RANGE,
                };
                self.is_logarithm(x, zero, one, range);
                let is_less = self.numbers.at_most(result, x);
                self.all.push(is_less);
            }
            E::Log1p => {
                let minus_one = self.numbers.number(-1.0);
                self.is_logarithm(x, minus_one, zero, LOG_RANGE);
            }
            E::Cbrt => {
                self.lies_within(f64::NEG_INFINITY, f64::INFINITY);
                let [size, result_size] = [x, result].map(|number| self.numbers.size(number));
                let is_large = self.numbers.at_most(one, size);
                let is_small = self.numbers.at_most(size, one);
                self.is_between(is_large, one, result_size, size);
                self.is_between(is_small, size, result_size, one);
            }
            _ => self.lies_within(f64::NEG_INFINITY, f64::INFINITY),
        }
        let is_zero = self.numbers.equal(x, zero);
        match function {
            E::Cos => {
                let is_one = self.numbers.equal(result, one);
                self.if_then(is_zero, is_one);
            }
            E::Sin | E::Tan => {
                let is_same = self.numbers.same(result, x);
                self.if_then(is_zero, is_same);
            }
            E::Asin | E::Atan | E::Expm1 | E::Log1p | E::Sinh | E::Tanh | E::Cbrt => {
                let is_same = self.numbers.same(result, x);
                self.if_then(is_zero, is_same);
                self.grows_through(x, zero, zero);
            }
            _ => {}
        }
    }

    fn of_two(&mut self, function: Elementary, x: Term, y: Term) {
        let result = self.result;
        let zero = self.numbers.number(0.0);
        match function {
            Elementary::Atan2 => {
                self.lies_within(-PI, PI);
                let is_up = self.numbers.less(zero, x);
                let is_down = self.numbers.less(x, zero);
                let is_positive = self.numbers.at_most(zero, result);
                let is_negative = self.numbers.at_most(result, zero);
                self.if_then(is_up, is_positive);
                self.if_then(is_down, is_negative);
            }
            Elementary::Hypot => {
                self.lies_within(0.0, f64::INFINITY);
                for operand in [x, y] {
                    let size = self.numbers.size(operand);
                    let is_nan = self.numbers.is_nan(operand);
                    let is_at_most = self.numbers.at_most(size, result);
                    self.any_holds(is_nan, is_at_most);
                    let is_infinite = self.numbers.is_infinite(operand);
                    let is_result_infinite = self.numbers.is_infinite(result);
                    self.if_then(is_infinite, is_result_infinite);
                }
            }
            _ => self.is_power(x, y),
        }
    }

    fn is_power(&mut self, base: Term, exponent: Term) {
        let result = self.result;
        let [zero, one] = [0.0, 1.0].map(|number| self.numbers.number(number));
        self.lies_within(f64::NEG_INFINITY, f64::INFINITY);
        let is_zeroth = self.numbers.equal(exponent, zero);
        let is_one = self.numbers.equal(result, one);
        self.if_then(is_zeroth, is_one);
        let is_positive = self.numbers.less(zero, base);
        let is_result_positive = self.numbers.at_most(zero, result);
        self.if_then(is_positive, is_result_positive);
        // A base above 1 with a positive exponent has a power above 1, and so on.
        let is_above = self.numbers.at_most(one, result);
        let is_below = self.numbers.at_most(result, one);
        let rises = self.numbers.at_most(zero, exponent);
        let falls = self.numbers.at_most(exponent, zero);
        let is_large = self.numbers.at_most(one, base);
        let is_up_to_one = self.numbers.at_most(base, one);
        let is_small = self.numbers.both(is_positive, is_up_to_one);
        for (base, with_rise, with_fall) in [
            (is_large, is_above, is_below),
            (is_small, is_below, is_above),
        ] {
            for (exponent, holds) in [(rises, with_rise), (falls, with_fall)] {
                let condition = self.numbers.both(base, exponent);
                self.if_then(condition, holds);
            }
        }
        let known = self.numbers.0.constant_of(exponent).map(f64::from_bits);
        let Some(known) = known.filter(|known| known.is_finite() && known.fract() == 0.0) else {
            return;
        };
        if known % 2.0 == 0.0 {
            self.all.push(is_result_positive);
        } else {
            let is_negative = self.numbers.less(base, zero);
            let is_result_negative = self.numbers.at_most(result, zero);
            self.if_then(is_negative, is_result_negative);
        }
    }

    fn is_exponential(&mut self, x: Term) {
        let result = self.result;
        let [zero, one] = [0.0, 1.0].map(|number| self.numbers.number(number));
        self.lies_within(0.0, f64::INFINITY);
        let is_greater = self.numbers.at_most(x, result);
        self.all.push(is_greater);
        self.grows_through(x, zero, one);
        let [least, most] = EXP_RANGE.map(|number| self.numbers.number(number));
        let is_from = self.numbers.at_most(least, x);
        let is_positive = self.numbers.less(zero, result);
        self.if_then(is_from, is_positive);
        let is_up_to = self.numbers.at_most(x, most);
        let is_finite = self.numbers.is_finite(result);
        self.if_then(is_up_to, is_finite);
    }

    /// The result is a logarithm: -∞ at `end`, and 0 at `root`.
    fn is_logarithm(&mut self, x: Term, end: Term, root: Term, range: [f64; 2]) {
        let result = self.result;
        let [zero, least_of_all, most_of_all] =
            [0.0, f64::NEG_INFINITY, f64::INFINITY].map(|number| self.numbers.number(number));
        let [least, most] = range.map(|number| self.numbers.number(number));
        self.lies_within(f64::NEG_INFINITY, f64::INFINITY);
        self.grows_through(x, root, zero);
        let is_end = self.numbers.equal(x, end);
        let is_least = self.numbers.equal(result, least_of_all);
        self.if_then(is_end, is_least);
        let is_inner = self.numbers.less(end, x);
        let is_from = self.numbers.at_most(least, result);
        self.if_then(is_inner, is_from);
        let is_finite = self.numbers.less(x, most_of_all);
        let is_up_to = self.numbers.at_most(result, most);
        self.if_then(is_finite, is_up_to);
        let is_infinite = self.numbers.equal(x, most_of_all);
        let is_most = self.numbers.equal(result, most_of_all);
        self.if_then(is_infinite, is_most);
    }

    /// The result is at least `value` from `place` on, and at most `value` up to it.
    fn grows_through(&mut self, x: Term, place: Term, value: Term) {
        let is_behind = self.numbers.at_most(place, x);
        let is_above = self.numbers.at_most(value, self.result);
        self.if_then(is_behind, is_above);
        let is_before = self.numbers.at_most(x, place);
        let is_below = self.numbers.at_most(self.result, value);
        self.if_then(is_before, is_below);
    }

    fn lies_within(&mut self, least: f64, most: f64) {
        let [least, most] = [least, most].map(|number| self.numbers.number(number));
        let is_from = self.numbers.at_most(least, self.result);
        let is_up_to = self.numbers.at_most(self.result, most);
        self.all.extend([is_from, is_up_to]);
    }

    fn is_between(&mut self, condition: Term, least: Term, number: Term, most: Term) {
        let is_from = self.numbers.at_most(least, number);
        self.if_then(condition, is_from);
        let is_up_to = self.numbers.at_most(number, most);
        self.if_then(condition, is_up_to);
    }

    fn if_then(&mut self, condition: Term, holds: Term) {
        let fails = self.numbers.not(condition);
        self.any_holds(fails, holds);
    }

    fn any_holds(&mut self, a: Term, b: Term) {
        let fact = self.numbers.either(a, b);
        self.all.push(fact);
    }
}

/// Conditions on floating-point numbers.
struct Numbers<'a>(&'a mut TermPool);

impl Numbers<'_> {
    /// Whether a function of one operand has a result other than NaN.
    fn is_defined_at(&mut self, function: Elementary, x: Term) -> Term {
        use Elementary as E;
        let least = match function {
            E::Sin | E::Cos | E::Tan => return self.is_finite(x),
            E::Asin | E::Acos => {
                let (size, one) = (self.size(x), self.number(1.0));
                return self.at_most(size, one);
            }
            E::Log | E::Log10 => 0.0,
            E::Log1p => -1.0,
            _ => f64::NEG_INFINITY,
        };
        let least = self.number(least);
        self.at_most(least, x)
    }

    /// Whether a function of two operands has a result other than NaN.
    fn is_defined_at_both(&mut self, function: Elementary, x: Term, y: Term) -> Term {
        let [x_is_nan, y_is_nan] = [x, y].map(|operand| self.is_nan(operand));
        let is_any_nan = self.either(x_is_nan, y_is_nan);
        let are_numbers = self.not(is_any_nan);
        match function {
            Elementary::Atan2 => are_numbers,
            Elementary::Hypot => {
                let [x_is_infinite, y_is_infinite] =
                    [x, y].map(|operand| self.is_infinite(operand));
                let is_any_infinite = self.either(x_is_infinite, y_is_infinite);
                self.either(are_numbers, is_any_infinite)
            }
            _ => self.has_power(x, y, are_numbers),
        }
    }

    fn has_power(&mut self, base: Term, exponent: Term, are_numbers: Term) -> Term {
        let [zero, one] = [0.0, 1.0].map(|number| self.number(number));
        let size = self.size(base);
        let is_size_one = self.equal(size, one);
        let is_infinite = self.is_infinite(exponent);
        let is_undecided = self.both(is_size_one, is_infinite);
        let whole = self.0.unary(Unary::Rint, exponent);
        let is_whole = self.equal(whole, exponent);
        let is_fractional = self.not(is_whole);
        let is_negative = self.less(base, zero);
        let is_finite = self.is_finite(base);
        let is_root = self.both(is_negative, is_fractional);
        let is_root = self.both(is_finite, is_root);
        let has_none = self.either(is_undecided, is_root);
        let has_one = self.not(has_none);
        let has_one = self.both(are_numbers, has_one);
        let is_zeroth = self.equal(exponent, zero);
        self.either(is_zeroth, has_one)
    }

    fn number(&mut self, number: f64) -> Term {
        self.0.constant(Sort::Double, number.to_bits())
    }

    fn size(&mut self, number: Term) -> Term {
        self.0.unary(Unary::Abs, number)
    }

    fn is_nan(&mut self, number: Term) -> Term {
        self.0.unary(Unary::IsNan, number)
    }

    fn is_infinite(&mut self, number: Term) -> Term {
        let (size, infinity) = (self.size(number), self.number(f64::INFINITY));
        self.equal(size, infinity)
    }

    fn is_finite(&mut self, number: Term) -> Term {
        let (size, infinity) = (self.size(number), self.number(f64::INFINITY));
        self.less(size, infinity)
    }

    fn less(&mut self, a: Term, b: Term) -> Term {
        self.0.binary(Binary::Lt, a, b)
    }

    fn at_most(&mut self, a: Term, b: Term) -> Term {
        self.0.binary(Binary::Le, a, b)
    }

    fn equal(&mut self, a: Term, b: Term) -> Term {
        self.0.binary(Binary::Eq, a, b)
    }

    fn same(&mut self, a: Term, b: Term) -> Term {
        self.0.binary(Binary::Same, a, b)
    }

    fn not(&mut self, condition: Term) -> Term {
        self.0.not(condition)
    }

    fn both(&mut self, a: Term, b: Term) -> Term {
        self.0.binary(Binary::And, a, b)
    }

    fn either(&mut self, a: Term, b: Term) -> Term {
        self.0.binary(Binary::Or, a, b)
    }
}
