//! Comparison of the simplifier with the evaluator.

use expect_test::expect;
use num_bigint::Sign;
use proptest::collection::vec;
use proptest::prelude::*;

use super::{assignment, build, steps};
use crate::smt::unbounded::{self, UnboundedValue};
use crate::smt::{Binary, Sort, Term, TermPool, Unary, VariableRange};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn simplified_terms_mean_what_plain_ones_do(steps in steps(60), assignments in vec(assignment(), 6)) {
        let (mut pool, mut plain) = (TermPool::new(), TermPool::plain());
        let (simplified, twins) = (build(&mut pool, &steps), build(&mut plain, &steps));
        prop_assert_eq!(simplified.len(), twins.len());
        for (&term, &twin) in simplified.iter().zip(&twins) {
            prop_assert_eq!(pool.sort(term), plain.sort(twin));
            for assignment in &assignments {
                let value = pool.evaluate(term, assignment);
                prop_assert_eq!(
                    value,
                    plain.evaluate(twin, assignment),
                    "{} for {}", pool.display(term), plain.display(twin)
                );
                let value = match (pool.sort(term), unbounded::evaluate(&pool, term, assignment)) {
                    (Sort::Float | Sort::Double, _) => continue,
                    (Sort::Int, _) => i64::from(value as u32 as i32),
                    (_, UnboundedValue::Bits(value)) => value as i64,
                    (_, UnboundedValue::Integer(value)) => {
                        let twin = unbounded::evaluate(&plain, twin, assignment);
                        prop_assert_eq!(&twin, &UnboundedValue::Integer(value.clone()));
                        let far = if value.sign() == Sign::Minus { i64::MIN } else { i64::MAX };
                        i64::try_from(value).unwrap_or(far)
                    }
                };
                let (least, most) = pool.bounds(term);
                prop_assert!(least <= value && value <= most, "{}", pool.display(term));
            }
            let of_term = pool.variables(term);
            prop_assert!(of_term.is_sorted() && of_term.iter().all(|x| plain.variables(twin).contains(x)));
        }
    }

    #[test]
    fn digests_and_shapes_do_not_depend_on_what_was_made_before(first in steps(40), second in steps(40)) {
        let (mut fresh, mut used) = (TermPool::new(), TermPool::new());
        build(&mut used, &first);
        let start = used.len();
        let _ = build(&mut used, &second);
        used.truncate(start);
        let (expected, found) = (build(&mut fresh, &second), build(&mut used, &second));
        for (&expected, &found) in expected.iter().zip(&found) {
            prop_assert_eq!(fresh.digest(expected), used.digest(found));
            prop_assert_eq!(fresh.variables(expected), used.variables(found));
            prop_assert_eq!(fresh.display(expected).to_string(), used.display(found).to_string());
        }
    }
}

/// Comparisons of the results of `lcmp`, `fcmpl` and similar with zero become plain comparisons.
#[test]
fn three_way_comparisons_come_out_as_comparisons() {
    let mut text = String::new();
    for input in [VariableRange::Long, VariableRange::Double] {
        let mut pool = TermPool::new();
        let (a, b) = (pool.variable(0, input), pool.variable(1, input));
        let (minus, zero, one) = (pool.int(-1), pool.int(0), pool.int(1));
        let (less, equal) = (pool.binary(Binary::Lt, a, b), pool.binary(Binary::Eq, a, b));
        let greater = pool.binary(Binary::Lt, b, a);
        let last = if input == VariableRange::Long {
            one
        } else {
            minus
        };
        let last = pool.ite(greater, one, last);
        let inner = pool.ite(equal, zero, last);
        let compared = pool.ite(less, minus, inner);
        for (operation, swapped, negated) in [
            (Binary::Eq, false, false),
            (Binary::Eq, false, true),
            (Binary::Lt, false, false),
            (Binary::Lt, false, true),
            (Binary::Lt, true, false),
            (Binary::Lt, true, true),
        ] {
            let (x, y) = if swapped {
                (zero, compared)
            } else {
                (compared, zero)
            };
            let condition = pool.binary(operation, x, y);
            let condition = if negated {
                pool.not(condition)
            } else {
                condition
            };
            text += &format!("{}\n", pool.display(condition));
        }
    }
    expect![[r#"
        x0 == x1
        x0 != x1
        x0 < x1
        x1 <= x0
        x1 < x0
        x0 <= x1
        x0 == x1
        x0 != x1
        !(x1 <= x0)
        x1 <= x0
        x1 < x0
        !(x1 < x0)
    "#]]
    .assert_eq(&text);
}

#[test]
fn rules_by_example() {
    let mut pool = TermPool::new();
    let text = examples(&mut pool)
        .into_iter()
        .map(|term| format!("{}\n", pool.display(term)))
        .collect::<String>();
    expect![[r#"
        x0 + x1 + 6
        x0 == -4
        x0 + 5 < 1
        true
        true
        false
        x3 == 0
        x2
        (byte) x0
        true
        x0 < 7
        x0 + 7
        x3 < x2
        x5 < 5000000001L
        x4 != 0
        x4
        x3 < 16
        Integer.compareUnsigned(x0, 16) < 0
    "#]]
    .assert_eq(&text);
}

/// Bytes of UTF-16 strings are recombined, as are their lengths where the coder is open.
#[test]
fn halves_of_characters_come_together() {
    use Binary::*;
    let mut pool = TermPool::new();
    let (x, length) = (
        pool.variable(0, VariableRange::Char),
        pool.variable(1, VariableRange::Char),
    );
    let coder = pool.variable(2, VariableRange::Boolean);
    let [zero, one, five, eight, mask] = [0, 1, 5, 8, 255].map(|value| pool.int(value));
    let high = pool.binary(Shr, x, eight);
    let mut byte = |half| {
        let byte = pool.unary(Unary::IntToByte, half);
        pool.binary(And, byte, mask)
    };
    let (low, high) = (byte(x), byte(high));
    let high = pool.binary(Shl, high, eight);
    let twice = pool.binary(Shl, length, one);
    let is_latin1 = pool.binary(Eq, coder, zero);
    let bytes = pool.ite(is_latin1, length, twice);
    let terms = [
        pool.binary(Or, high, low),
        bytes,
        pool.binary(Shr, bytes, coder),
        pool.binary(Eq, bytes, zero),
        pool.binary(Shr, twice, one),
        pool.binary(Lt, twice, five),
        pool.binary(Eq, twice, five),
        pool.binary(Eq, twice, eight),
    ];
    let text: String = terms
        .map(|term| format!("{}\n", pool.display(term)))
        .concat();
    expect![[r#"
        x0
        x1 << x2
        x1
        x1 == 0
        x1
        x1 < 3
        false
        x1 == 4
    "#]]
    .assert_eq(&text);
}

fn examples(pool: &mut TermPool) -> Vec<Term> {
    use Binary::*;
    let (x, y) = (
        pool.variable(0, VariableRange::Int),
        pool.variable(1, VariableRange::Int),
    );
    let (byte, char) = (
        pool.variable(2, VariableRange::Byte),
        pool.variable(3, VariableRange::Char),
    );
    let (truth, long) = (
        pool.variable(4, VariableRange::Boolean),
        pool.variable(5, VariableRange::Long),
    );
    let (zero, one, five) = (pool.int(0), pool.int(1), pool.int(5));
    let plus = pool.binary(Add, x, five);
    let sum = pool.binary(Add, plus, y);
    let sum = pool.binary(Add, one, sum);
    let masked = pool.int(15);
    let masked = pool.binary(And, x, masked);
    let sixteen = pool.int(16);
    let third = pool.int(3);
    let third = pool.binary(Rem, x, third);
    let wide = pool.unary(Unary::IntToLong, x);
    let big = pool.long(5_000_000_000);
    let small = pool.long(7);
    let wide_sum = pool.binary(Add, wide, small);
    let letters = pool.binary(Sub, char, byte);
    let is_true = pool.binary(Eq, truth, one);
    vec![
        sum,
        pool.binary(Eq, plus, one),
        pool.binary(Lt, plus, one),
        pool.binary(Lt, masked, sixteen),
        pool.binary(Lt, third, five),
        pool.binary(Lt, char, zero),
        pool.binary(Lt, char, one),
        pool.unary(Unary::IntToByte, byte),
        pool.unary(Unary::IntToByte, x),
        pool.binary(Lt, wide, big),
        pool.binary(Lt, wide, small),
        pool.unary(Unary::LongToInt, wide_sum),
        pool.binary(Lt, letters, zero),
        pool.binary(Le, long, big),
        is_true,
        pool.unary(Unary::BoolToInt, is_true),
        pool.binary(Ult, char, sixteen),
        pool.binary(Ult, x, sixteen),
    ]
}
