//! Random terms, compared with their unsimplified forms, with Z3 and with one another.

mod boxes;
mod integers;
mod paths;
mod store;
mod terms;
mod z3;

use proptest::collection::vec;
use proptest::prelude::*;

use super::eval;
use super::{Assignment, Binary, Sort, Term, TermPool, Unary, VariableRange};

/// Number of variables of each input.
const EACH: u32 = 2;

pub(super) const INPUTS: [VariableRange; 8] = [
    VariableRange::Boolean,
    VariableRange::Byte,
    VariableRange::Char,
    VariableRange::Short,
    VariableRange::Int,
    VariableRange::Long,
    VariableRange::Float,
    VariableRange::Double,
];

const SORTS: [Sort; 6] = [
    Sort::Bool,
    Sort::Int,
    Sort::Long,
    Sort::Float,
    Sort::Double,
    Sort::Unbounded,
];

use Unary::*;

const UNARIES: [(Unary, Sort); 42] = [
    (Not, Sort::Bool),
    (BoolToInt, Sort::Bool),
    (Neg, Sort::Int),
    (IntToLong, Sort::Int),
    (IntToByte, Sort::Int),
    (IntToChar, Sort::Int),
    (IntToShort, Sort::Int),
    (IntToFloat, Sort::Int),
    (IntToDouble, Sort::Int),
    (BitsToFloat, Sort::Int),
    (Neg, Sort::Long),
    (LongToInt, Sort::Long),
    (LongToFloat, Sort::Long),
    (LongToDouble, Sort::Long),
    (BitsToDouble, Sort::Long),
    (Neg, Sort::Float),
    (FloatToInt, Sort::Float),
    (FloatToLong, Sort::Float),
    (FloatToDouble, Sort::Float),
    (FloatBits, Sort::Float),
    (Sqrt, Sort::Float),
    (Floor, Sort::Float),
    (Ceil, Sort::Float),
    (Rint, Sort::Float),
    (Abs, Sort::Float),
    (IsNan, Sort::Float),
    (Neg, Sort::Double),
    (DoubleToInt, Sort::Double),
    (DoubleToLong, Sort::Double),
    (DoubleToFloat, Sort::Double),
    (DoubleBits, Sort::Double),
    (Sqrt, Sort::Double),
    (Floor, Sort::Double),
    (Ceil, Sort::Double),
    (Rint, Sort::Double),
    (Abs, Sort::Double),
    (IsNan, Sort::Double),
    (IntToUnbounded, Sort::Int),
    (LongToUnbounded, Sort::Long),
    (Neg, Sort::Unbounded),
    (UnboundedToInt, Sort::Unbounded),
    (UnboundedToLong, Sort::Unbounded),
];

use Binary::*;

/// Operations on bounded integers, on unbounded ones, on floating point, and on truth values.
const INTEGER: [Binary; 17] = [
    Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr, Ushr, Eq, Lt, Le, Ult, Ule, Same,
];
const UNBOUNDED: [Binary; 9] = [Add, Sub, Mul, Div, Rem, Eq, Lt, Le, Same];
const FLOATING: [Binary; 9] = [Add, Sub, Mul, Div, Rem, Eq, Lt, Le, Same];
const LOGIC: [Binary; 5] = [And, Or, Xor, Eq, Same];

/// Construction of one term from earlier ones.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    Const(Sort, u64),
    Var(u32),
    Unary(usize, u32),
    Binary(Binary, Sort, u32, u32),
    Ite(Sort, u32, u32, u32),
}

/// Bits that are boundary values of some sort.
pub(super) fn bits() -> impl Strategy<Value = u64> {
    let small = (-3_i64..=40).prop_map(|value| value as u64);
    let edges = prop::sample::select(vec![
        0x7FFF_FFFF,
        0x8000_0000,
        0xFFFF_FFFF,
        0x8000_0001,
        127,
        128,
        255,
        65_535,
        32_768,
        u64::MAX,
        i64::MIN as u64,
        i64::MAX as u64,
    ]);
    let numbers = vec![
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        1.5,
        2.5,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        2_147_483_647.0,
        2_147_483_648.0,
        -2_147_483_648.0,
        -2_147_483_649.0,
        9_223_372_036_854_775_807.0,
        -9_223_372_036_854_775_808.0,
        f64::MIN_POSITIVE,
        5e-324,
        f64::MAX,
        f64::from(f32::MAX),
        1e-45,
    ];
    let doubles = prop::sample::select(numbers.clone()).prop_map(f64::to_bits);
    let floats =
        prop::sample::select(numbers).prop_map(|value| u64::from((value as f32).to_bits()));
    prop_oneof![3 => small, 2 => edges, 2 => doubles, 2 => floats, 1 => any::<u64>()]
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    let sort = prop::sample::select(SORTS.to_vec());
    let integers = prop::sample::select(vec![Sort::Int, Sort::Long]);
    let floating = prop::sample::select(vec![Sort::Float, Sort::Double]);
    let two = |operations: &[Binary], sort: BoxedStrategy<Sort>| {
        (
            prop::sample::select(operations.to_vec()),
            sort,
            any::<u32>(),
            any::<u32>(),
        )
            .prop_map(|(operation, sort, a, b)| Step::Binary(operation, sort, a, b))
    };
    prop_oneof![
        3 => (sort.clone(), bits()).prop_map(|(sort, bits)| Step::Const(sort, bits)),
        4 => (0..EACH * INPUTS.len() as u32).prop_map(Step::Var),
        5 => (0..UNARIES.len(), any::<u32>()).prop_map(|(place, a)| Step::Unary(place, a)),
        8 => two(&INTEGER, integers.boxed()),
        5 => two(&UNBOUNDED, Just(Sort::Unbounded).boxed()),
        3 => two(&FLOATING, floating.boxed()),
        3 => two(&LOGIC, Just(Sort::Bool).boxed()),
        3 => (sort, any::<u32>(), any::<u32>(), any::<u32>())
            .prop_map(|(sort, c, a, b)| Step::Ite(sort, c, a, b)),
    ]
}

pub(super) fn input(number: u32) -> VariableRange {
    INPUTS[number as usize % INPUTS.len()]
}

/// Builds the terms of steps, in order; a step without matching operands builds none.
pub(super) fn build(pool: &mut TermPool, steps: &[Step]) -> Vec<Term> {
    let mut made: Vec<Vec<Term>> = vec![Vec::new(); SORTS.len()];
    let mut all = Vec::new();
    for step in steps {
        let pick = |sort: Sort, place: u32| {
            let terms = &made[sort as usize];
            // The newest terms are chosen twice as often.
            let place = place as usize % (2 * terms.len()).max(1);
            terms.get(terms.len().checked_sub(1 + place / 2)?).copied()
        };
        let term = match *step {
            Step::Const(sort, bits) => Some((pool.constant(sort, bits), sort)),
            Step::Var(number) => {
                let input = input(number);
                Some((pool.variable(number, input), input.sort()))
            }
            Step::Unary(place, a) => {
                let (operation, sort) = UNARIES[place];
                let made = pick(sort, a).map(|a| pool.unary(operation, a));
                made.map(|term| (term, eval::unary_sort(operation, sort)))
            }
            Step::Binary(operation, sort, a, b) => {
                let is_shift = matches!(operation, Shl | Shr | Ushr);
                let right = if is_shift { Sort::Int } else { sort };
                let operands = pick(sort, a).zip(pick(right, b));
                let made = operands.map(|(a, b)| pool.binary(operation, a, b));
                made.map(|term| (term, eval::binary_sort(operation, sort)))
            }
            Step::Ite(sort, c, a, b) => {
                let operands = pick(Sort::Bool, c).zip(pick(sort, a)).zip(pick(sort, b));
                operands.map(|((c, a), b)| (pool.ite(c, a, b), sort))
            }
        };
        if let Some((term, sort)) = term {
            assert_eq!(pool.sort(term), sort);
            made[sort as usize].push(term);
            all.push(term);
        }
    }
    all
}

pub(super) fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    vec(step(), 8..most)
}

/// Values of all variables, each within its range.
pub(super) fn assignment() -> impl Strategy<Value = Assignment> {
    vec(bits(), (EACH as usize) * INPUTS.len()).prop_map(|bits| {
        let numbered = (0..).zip(bits);
        numbered
            .map(|(number, bits)| (number, eval::in_range(input(number), bits)))
            .collect()
    })
}
