use proptest::prelude::*;

use super::Counter;
use crate::{Assignments, Domain, Linear, Relation, Store, Var};

fn relation() -> impl Strategy<Value = Relation> {
    prop_oneof![
        Just(Relation::Zero),
        Just(Relation::NonZero),
        Just(Relation::AtMostZero),
        Just(Relation::AtMostZero),
    ]
}

/// Values of up to six variables, and sums of up to three of them with their relations.
type Case = (Vec<Vec<i64>>, Vec<(Vec<(usize, i64)>, i64, Relation)>);

fn case() -> impl Strategy<Value = Case> {
    (2_usize..6).prop_flat_map(|variables| {
        let domains = proptest::collection::vec(
            prop_oneof![
                proptest::collection::vec(-4_i64..8, 1..6),
                proptest::collection::vec(-60_i64..90, 1..4),
            ],
            variables,
        );
        let factor = prop_oneof![Just(1_i64), Just(-1), Just(1), Just(-1), Just(2), Just(-3)];
        let term = (0..variables, factor);
        let sum = (proptest::collection::vec(term, 1..4), -5_i64..6, relation());
        (domains, proptest::collection::vec(sum, 0..7))
    })
}

fn linear(terms: &[(usize, i64)], constant: i64) -> Linear {
    terms
        .iter()
        .fold(Linear::constant(constant), |sum, &(variable, factor)| {
            sum.plus(&Linear::variable(Var(variable as u32)), factor)
                .unwrap()
        })
}

/// Enumerates all assignments, each in the order of the variables.
fn assigned(store: &mut Store, variables: &[Var]) -> Vec<Vec<i64>> {
    let mut assignments = Assignments::new(std::mem::take(store), variables);
    let mut values = vec![0; variables.len()];
    let mut all = Vec::new();
    while assignments.advance() {
        for &(variable, value) in assignments.changed() {
            values[variable.0 as usize] = value;
        }
        all.push(values.clone());
    }
    *store = assignments.into_store();
    all
}

fn holds(sum: &Linear, relation: Relation, values: &[i64]) -> bool {
    let value = sum
        .terms
        .iter()
        .fold(sum.constant, |value, (variable, factor)| {
            value + factor * values[variable.0 as usize]
        });
    match relation {
        Relation::Zero => value == 0,
        Relation::NonZero => value != 0,
        Relation::AtMostZero => value <= 0,
    }
}

/// Enumerates all assignments that satisfy all sums, by brute force.
fn solutions(domains: &[Vec<i64>], sums: &[(Linear, Relation)]) -> Vec<Vec<i64>> {
    let mut found = vec![Vec::new()];
    for domain in domains {
        let mut values = domain.clone();
        values.sort_unstable();
        values.dedup();
        found = found
            .into_iter()
            .flat_map(|start: Vec<i64>| {
                values.iter().map(move |&value| {
                    let mut longer = start.clone();
                    longer.push(value);
                    longer
                })
            })
            .collect();
    }
    found.retain(|values| {
        sums.iter()
            .all(|(sum, relation)| holds(sum, *relation, values))
    });
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Compares the store with brute force: its decisions hold, the count is exact, a solution
    /// satisfies all relations, and going back restores the state.
    #[test]
    fn store_and_counter_agree_with_enumeration((domains, sums) in case()) {
        let mut store = Store::default();
        let variables: Vec<Var> = domains
            .iter()
            .map(|values| store.add(&Domain::new(values.iter().copied()).unwrap()))
            .collect();
        let sums: Vec<(Linear, Relation)> = sums
            .iter()
            .map(|(terms, constant, relation)| (linear(terms, *constant), *relation))
            .collect();
        let start = store.clone();
        let mark = store.mark();
        let mut counter = Counter::default();
        for asserted in 0..=sums.len() {
            let expected = solutions(&domains, &sums[..asserted]);
            if asserted > 0 {
                let (sum, relation) = &sums[asserted - 1];
                let range = store.range(sum).unwrap();
                let decided = store.decide_within(sum, *relation, range);
                let before = solutions(&domains, &sums[..asserted - 1]);
                let held = before.iter().filter(|values| holds(sum, *relation, values)).count();
                if let Some(decided) = decided {
                    let wanted = if decided { before.len() } else { 0 };
                    prop_assert_eq!(held, wanted);
                }
                if !store.assert(sum, *relation) {
                    prop_assert!(expected.is_empty());
                    break;
                }
            }
            for &variable in &variables {
                for values in &expected {
                    prop_assert!(store.can_be(variable, values[variable.0 as usize]));
                }
            }
            prop_assert_eq!(counter.count(&store, &variables), expected.len() as u64);
            prop_assert_eq!(store.solution(&variables), expected.first().cloned());
            let mut all = assigned(&mut store, &variables);
            all.sort();
            prop_assert_eq!(all, expected);
        }
        store.undo_to(mark);
        prop_assert_eq!(format!("{:?}", start), format!("{:?}", store));
    }

    /// Compares tables together with sums with brute force.
    #[test]
    fn tables_agree_with_enumeration(
        (domains, sums) in case(),
        picks in proptest::collection::vec((0_usize..6, 0_usize..6, 0_u32..1 << 16), 1..3),
    ) {
        let mut store = Store::default();
        let variables: Vec<Var> = domains
            .iter()
            .map(|values| store.add(&Domain::new(values.iter().copied()).unwrap()))
            .collect();
        let sums: Vec<(Linear, Relation)> = sums
            .iter()
            .take(2)
            .map(|(terms, constant, relation)| (linear(terms, *constant), *relation))
            .collect();
        let mut expected = solutions(&domains, &sums);
        let mut possible = true;
        for (left, right, kept) in picks {
            let (left, right) = (left % variables.len(), right % variables.len());
            if left == right {
                continue;
            }
            let (left, right) = (left.min(right), left.max(right));
            let mut rows = solutions(&[domains[left].clone(), domains[right].clone()], &[]);
            let mut number = 0;
            rows.retain(|_| {
                number += 1;
                kept >> (number % 16) & 1 != 0
            });
            expected.retain(|values| rows.contains(&vec![values[left], values[right]]));
            let names = vec![variables[left], variables[right]];
            possible = possible && store.assert_table(crate::Table { variables: names, rows });
        }
        for (sum, relation) in &sums {
            possible = possible && store.assert(sum, *relation);
        }
        if possible {
            let counted = Counter::default().count(&store, &variables);
            prop_assert_eq!(counted, expected.len() as u64);
            prop_assert_eq!(store.solution(&variables), expected.first().cloned());
        } else {
            prop_assert!(expected.is_empty());
        }
    }

    /// For differences and bounds alone the store is complete: it fails exactly where there is no
    /// solution.
    #[test]
    fn differences_are_decided(
        edges in proptest::collection::vec((0_u32..5, 0_u32..5, -3_i64..4), 1..9),
        top in 1_i64..7,
    ) {
        let mut store = Store::default();
        for _ in 0..5 {
            store.add(&Domain::new(0..=top).unwrap());
        }
        let domains = vec![(0..=top).collect::<Vec<i64>>(); 5];
        let mut sums = Vec::new();
        for (from, to, most) in edges {
            let sum = linear(&[(from as usize, 1), (to as usize, -1)], -most);
            let possible = store.assert(&sum, Relation::AtMostZero);
            sums.push((sum, Relation::AtMostZero));
            prop_assert_eq!(possible, !solutions(&domains, &sums).is_empty());
            if !possible {
                break;
            }
        }
    }
}

#[test]
fn chains_are_counted_at_once() {
    // Strictly ascending sequences: 30 of 60 values, C(60, 30).
    let mut store = Store::default();
    let domain = Domain::new(1..=60).unwrap();
    let variables: Vec<Var> = (0..30).map(|_| store.add(&domain)).collect();
    for pair in variables.windows(2) {
        let sum = Linear::variable(pair[0])
            .plus(&Linear::variable(pair[1]), -1)
            .unwrap();
        let sum = sum.plus(&Linear::constant(1), 1).unwrap();
        assert!(store.assert(&sum, Relation::AtMostZero));
    }
    let ways = Counter::default().count(&store, &variables);
    assert_eq!(ways, 118_264_581_564_861_424);
}

/// A long ascending chain: the count of one component exceeds 2^128.
#[test]
fn a_component_past_every_word() {
    let mut store = Store::default();
    let domain = Domain::new(0..64).unwrap();
    let variables: Vec<Var> = (0..100).map(|_| store.add(&domain)).collect();
    for pair in variables.windows(2) {
        let up = Linear::variable(pair[0]).plus(&Linear::variable(pair[1]), -1);
        assert!(store.assert(&up.unwrap(), Relation::AtMostZero));
    }
    // Multisets: 163 choose 63.
    let mut ways = num_bigint::BigUint::from(1u8);
    for step in 1_u32..=63 {
        ways = ways * (100 + step) / step;
    }
    assert!(ways.bits() > 128);
    let counted = Counter::default().count(&store, &variables);
    assert_eq!(counted.to_string(), ways.to_string());
}
