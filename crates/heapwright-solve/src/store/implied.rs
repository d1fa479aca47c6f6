//! Implication between relations over the same variables.

use super::{Constraint, Store};
use crate::linear::{Linear, Relation};

impl Store {
    /// Whether a relation holds in all solutions (true) or in none (false), as implied by a single
    /// asserted relation over the same variables.
    #[must_use]
    pub fn decide_by_another(&self, sum: &Linear, relation: Relation) -> Option<bool> {
        let asked = self.open_part(sum);
        let (first, _) = *asked.terms.first()?;
        let watching = self.watching[first.0 as usize].iter();
        watching
            .filter_map(|&number| match &self.relations[number as usize] {
                Constraint::Linear(known, holds) => follows(known, *holds, &asked, relation),
                Constraint::Table(_) => None,
            })
            .next()
    }
}

/// Whether a relation of a sum to zero follows from that of another sum with the same or the
/// negated terms.
fn follows(known: &Linear, holds: Relation, asked: &Linear, relation: Relation) -> Option<bool> {
    if known.terms.len() != asked.terms.len() {
        return None;
    }
    let mut pairs = known.terms.iter().zip(&asked.terms);
    let is_opposite = known.terms != asked.terms;
    if is_opposite && !pairs.all(|(a, b)| a.0 == b.0 && a.1.checked_neg() == Some(b.1)) {
        return None;
    }
    let sign = if is_opposite { -1 } else { 1 };
    // The queried sum is `sign` times the known one plus this.
    let more = asked
        .constant
        .checked_sub(known.constant.checked_mul(sign)?)?;
    match (holds, relation) {
        (Relation::Zero, _) => Some(relation.holds(more)),
        (Relation::NonZero, Relation::AtMostZero) => None,
        (Relation::NonZero, _) => (more == 0).then_some(relation == Relation::NonZero),
        (Relation::AtMostZero, Relation::AtMostZero) if is_opposite => (more > 0).then_some(false),
        (Relation::AtMostZero, Relation::AtMostZero) => (more <= 0).then_some(true),
        (Relation::AtMostZero, _) => {
            let is_past_zero = if is_opposite { more > 0 } else { more < 0 };
            is_past_zero.then_some(relation == Relation::NonZero)
        }
    }
}

#[cfg(test)]
mod tests {
    use Relation::{AtMostZero, NonZero, Zero};
    use proptest::prelude::*;

    use super::*;
    use crate::{Domain, Var};

    const LEAST: i64 = -2;
    const GREATEST: i64 = 2;

    /// Returns `a·x + b·y + constant`.
    fn sum(a: i64, b: i64, constant: i64) -> Linear {
        [(0, a), (1, b)]
            .into_iter()
            .fold(Linear::constant(constant), |sum, (variable, factor)| {
                sum.plus(&Linear::variable(Var(variable)), factor)
                    .expect("a small sum")
            })
    }

    /// Creates a store with `x`, `y` and a third variable.
    fn store() -> Store {
        let mut store = Store::default();
        let domain = Domain::new(LEAST..=GREATEST).expect("a domain");
        for _ in 0..3 {
            store.add(&domain);
        }
        store
    }

    #[test]
    fn one_relation_decides_another() {
        let known = [
            (sum(1, -1, 0), NonZero),    // x != y
            (sum(1, -1, 1), AtMostZero), // x < y
            (sum(1, 1, -1), Zero),       // x + y = 1
        ];
        let cases = [
            (0, sum(1, -1, 0), Zero, Some(false)),
            (0, sum(-1, 1, 0), NonZero, Some(true)),
            (0, sum(1, -1, 1), Zero, None),
            (0, sum(1, -1, 0), AtMostZero, None),
            (1, sum(1, -1, 0), AtMostZero, Some(true)),
            (1, sum(1, -1, 2), AtMostZero, None),
            (1, sum(-1, 1, 0), AtMostZero, Some(false)),
            (1, sum(-1, 1, -1), AtMostZero, None),
            (1, sum(-1, 1, 0), Zero, Some(false)),
            (1, sum(1, -1, 0), NonZero, Some(true)),
            (1, sum(1, -1, 1), Zero, None),
            (1, sum(1, 1, 1), AtMostZero, None),
            (2, sum(-1, -1, 1), Zero, Some(true)),
            (2, sum(1, 1, 0), AtMostZero, Some(false)),
            (2, sum(2, 2, -2), Zero, None),
        ];
        for (place, asked, relation, answer) in cases {
            let mut store = store();
            let (known, holds) = &known[place];
            assert!(store.assert(known, *holds));
            assert_eq!(
                store.decide_by_another(&asked, relation),
                answer,
                "{asked:?} {relation:?}, given {known:?} {holds:?}"
            );
        }
    }

    #[test]
    fn what_is_fixed_is_put_in() {
        let mut store = store();
        assert!(store.assert(&sum(1, -1, 0), NonZero));
        let longer = sum(1, -1, 0)
            .plus(&Linear::variable(Var(2)), 1)
            .expect("a small sum");
        assert_eq!(store.decide_by_another(&longer, Zero), None);
        assert!(store.restrict(Var(2), &[0], true));
        assert_eq!(store.decide_by_another(&longer, Zero), Some(false));
    }

    #[test]
    fn constants_past_64_bits_decide_nothing() {
        let mut store = store();
        assert!(store.assert(&sum(1, -1, 1), AtMostZero));
        for constant in [i64::MIN, i64::MAX] {
            let _ = store.decide_by_another(&sum(1, -1, constant), AtMostZero);
            let known = sum(1, -1, constant);
            assert_eq!(follows(&known, NonZero, &sum(-1, 1, i64::MIN), Zero), None);
        }
    }

    fn relation() -> impl Strategy<Value = (Linear, Relation)> {
        let factors = prop_oneof![Just((1, -1)), Just((-1, 1)), Just((1, 1)), Just((2, -1))];
        let relations = prop_oneof![Just(Zero), Just(NonZero), Just(AtMostZero)];
        (factors, -3_i64..4, relations)
            .prop_map(|((a, b), constant, relation)| (sum(a, b, constant), relation))
    }

    proptest! {
        /// Every decision holds in each assignment that satisfies the asserted relations.
        #[test]
        fn answers_are_those_of_every_assignment(
            known in proptest::collection::vec(relation(), 1..4),
            (asked, relation) in relation(),
        ) {
            let mut store = store();
            prop_assume!(known.iter().all(|(sum, relation)| store.assert(sum, *relation)));
            let Some(answer) = store.decide_by_another(&asked, relation) else {
                return Ok(());
            };
            let holds = |(sum, relation): &(Linear, Relation), values: [i64; 2]| {
                let terms = sum.terms.iter();
                let value: i64 = terms.map(|&(var, factor)| factor * values[var.0 as usize]).sum();
                relation.holds(value + sum.constant)
            };
            let asked = (asked, relation);
            for values in (LEAST..=GREATEST).flat_map(|x| (LEAST..=GREATEST).map(move |y| [x, y])) {
                if known.iter().all(|known| holds(known, values)) {
                    prop_assert_eq!(holds(&asked, values), answer, "{:?} of {:?}", asked, values);
                }
            }
        }
    }
}
