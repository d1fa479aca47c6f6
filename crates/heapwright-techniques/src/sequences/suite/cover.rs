//! Chooses few tests that together have all gains.
//!
//! Invariant: the choice loses no goal and no requested mutant that any of the tests has.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::minimal::{Gain, SequenceTest};

/// What a test costs by itself, in statements.
const OWN_COST: usize = 8;
/// Further gains of a test in a large state, if it has any: it shows more than goals and mutants
/// tell.
const OF_RICH: usize = 3;
/// Number of tests that mutants beside the requested ones may have of their own, and the part of all
/// tests that they may be where that is more. Most are noticed by the way.
const FEW_EXTRA: usize = 12;
const PART_EXTRA: usize = 10;

/// Returns what each test gains beside the goals in `before`, which existing tests reach.
fn new_gains(tests: &[SequenceTest], before: &BTreeSet<usize>) -> Vec<Vec<Gain>> {
    let is_new = |gain: &Gain| !matches!(gain, Gain::Goal(goal) if before.contains(goal));
    let gains = tests.iter().map(|test| test.gains().filter(is_new));
    gains.map(Iterator::collect).collect()
}

/// Returns those of the places, in their order, whose gains the others together lack; the first
/// ones are left out first.
fn without_redundant(gains: &[Vec<Gain>], mut places: Vec<usize>) -> Vec<usize> {
    let mut times: FxHashMap<Gain, u32> = FxHashMap::default();
    for gain in places.iter().flat_map(|&place| &gains[place]) {
        *times.entry(*gain).or_default() += 1;
    }
    places.retain(|&place| {
        let is_needed = gains[place].iter().any(|gain| times[gain] == 1);
        if !is_needed {
            for gain in &gains[place] {
                times.entry(*gain).and_modify(|times| *times -= 1);
            }
        }
        is_needed
    });
    places
}

/// Returns the places of the tests whose gains others lack, in their order. A later test often has
/// the gains of an earlier one, which is left out. Existing tests reach the goals in `before`.
#[must_use]
pub(super) fn needed(tests: &[SequenceTest], before: &BTreeSet<usize>) -> Vec<usize> {
    without_redundant(&new_gains(tests, before), (0..tests.len()).collect())
}

/// Returns the places of fewer tests, by greedy set cover: those that gain most for their length
/// first, so that any number of them from the front is a good choice. Of each method the usual case that
/// gains most is among them, whatever the others gain. They have all gains but the
/// mutants from number `requested` on, which have few tests of their own. Existing tests reach the
/// goals in `before`.
#[must_use]
pub(super) fn smallest(
    tests: &[SequenceTest],
    requested: usize,
    before: &BTreeSet<usize>,
) -> Vec<usize> {
    let mut gains = new_gains(tests, before);
    let is_extra = |gain: &Gain| matches!(gain, Gain::Mutant(mutant) if *mutant >= requested);
    let usual = usual_cases(tests, &gains);
    let of_usual = usual.iter().flat_map(|&place| &gains[place]);
    let mut covered: FxHashSet<Gain> = of_usual.copied().collect();
    for (place, gains) in gains.iter_mut().enumerate() {
        gains.retain(|gain| usual.contains(&place) || !covered.contains(gain));
    }
    let mut left: BTreeSet<usize> = (0..tests.len()).collect();
    let mut chosen = Vec::new();
    // The number of tests before those for further mutants alone.
    let mut needed = None;
    loop {
        let of_extra = needed.map(|needed: usize| FEW_EXTRA.max(needed / PART_EXTRA) + needed);
        if of_extra.is_some_and(|most| chosen.len() >= most) {
            break;
        }
        let value = |place: usize| {
            let new = gains[place].iter().filter(|gain| !covered.contains(gain));
            let (extra, own): (Vec<&Gain>, Vec<&Gain>) = new.partition(|gain| is_extra(gain));
            match own.len() + extra.len() {
                _ if own.is_empty() && needed.is_none() => 0,
                0 => 0,
                new if tests[place].is_rich => new + OF_RICH,
                new => new,
            }
        };
        let cost = |place: usize| OWN_COST + tests[place].concrete.statements.len();
        let best = left
            .iter()
            .map(|&place| (value(place), place))
            .filter(|&(value, _)| value > 0)
            // Of equal ones the first.
            .max_by_key(|&(value, place)| (1_000 * value / cost(place), Reverse(place)));
        let Some((_, best)) = best else {
            if needed.replace(chosen.len()).is_some() {
                break;
            }
            continue;
        };
        left.remove(&best);
        covered.extend(&gains[best]);
        chosen.push(best);
    }
    // Later choices may have made earlier ones redundant. Those with few gains go first, those in
    // large states last.
    let mut order = chosen.clone();
    order.sort_by_key(|&place| (tests[place].is_rich, gains[place].len()));
    let kept = without_redundant(&gains, order);
    chosen.retain(|place| kept.contains(place));
    usual.into_iter().chain(chosen).collect()
}

/// Returns the usual case of each method that gains most, one with a user's values if there is such.
fn usual_cases(tests: &[SequenceTest], gains: &[Vec<Gain>]) -> Vec<usize> {
    let mut best: BTreeMap<usize, usize> = BTreeMap::new();
    let usual = tests.iter().enumerate().filter(|(_, test)| test.is_usual);
    for (place, test) in usual {
        let Some(last) = test.concrete.statements.last() else {
            continue;
        };
        let best = best.entry(last.invokable).or_insert(place);
        // A user's values come first; of equal ones the one with the shortest texts.
        let worth = |place: usize| {
            (
                gains[place].len().min(1) * tests[place].given,
                gains[place].len(),
                Reverse(tests[place].concrete.characters()),
            )
        };
        if worth(place) > worth(*best) {
            *best = place;
        }
    }
    let best = best.into_values();
    best.filter(|&place| !gains[place].is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sequences::model::Concrete;
    use crate::statements::Statement;

    /// More mutants than the tests have.
    const ALL: usize = 100;

    fn test(goals: &[usize], kills: &[usize]) -> SequenceTest {
        let mut test = SequenceTest::new(Concrete::default(), goals.to_vec());
        test.kills = kills.to_vec();
        test
    }

    fn of(tests: &[SequenceTest], places: &[usize]) -> BTreeSet<Gain> {
        places
            .iter()
            .flat_map(|&place| tests[place].gains())
            .collect()
    }

    #[test]
    fn nothing_is_lost_and_nothing_is_redundant() {
        // Families of sets from a fixed generator of numbers.
        let mut state = 7_u64;
        let mut below = |bound: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((state >> 33) % bound) as usize
        };
        for _ in 0..200 {
            let count = 1 + below(12);
            let tests: Vec<SequenceTest> = (0..count)
                .map(|_| {
                    let goals: BTreeSet<usize> = (0..below(4)).map(|_| below(9)).collect();
                    let kills: BTreeSet<usize> = (0..below(4)).map(|_| below(9)).collect();
                    let goals: Vec<usize> = goals.into_iter().collect();
                    test(&goals, &kills.into_iter().collect::<Vec<usize>>())
                })
                .collect();
            let chosen = smallest(&tests, ALL, &BTreeSet::new());
            let every: Vec<usize> = (0..tests.len()).collect();
            let all = of(&tests, &every);
            assert_eq!(of(&tests, &chosen), all);
            for &place in &chosen {
                let others: Vec<usize> = chosen
                    .iter()
                    .copied()
                    .filter(|&other| other != place)
                    .collect();
                assert_ne!(of(&tests, &others), all, "test {place} is redundant");
            }
        }
    }

    #[test]
    fn the_first_tests_gain_most() {
        let tests = [
            test(&[1], &[]),
            test(&[2], &[1]),
            test(&[1, 2, 3], &[1, 2]),
            test(&[4], &[]),
        ];
        assert_eq!(smallest(&tests, ALL, &BTreeSet::new()), [2, 3]);
        assert_eq!(smallest(&tests, ALL, &BTreeSet::from([4])), [2]);
    }

    #[test]
    fn further_mutants_have_few_tests_of_their_own() {
        let mut tests = vec![test(&[1], &[1, 30])];
        tests.extend((10..30).map(|mutant| test(&[], &[mutant])));
        tests.push(test(&[], &[2, 10]));
        tests.push(test(&[], &[11, 12]));
        let [both, own] = [tests.len() - 1, tests.len() - 2];
        let chosen = smallest(&tests, 10, &BTreeSet::new());
        // What tests notice by the way needs none, and the others that notice most come first.
        assert_eq!(chosen.len(), 2 + FEW_EXTRA);
        assert_eq!(chosen[..3], [0, own, both]);
        assert!(!chosen.contains(&1));
        assert_eq!(smallest(&tests, ALL, &BTreeSet::new()).len(), 20);
    }

    #[test]
    fn the_usual_case_of_a_method_that_gains_most_stays() {
        let call = |mut test: SequenceTest, invokable: usize, is_usual: bool| {
            test.concrete.statements = vec![Statement {
                invokable,
                arguments: Vec::new(),
            }];
            test.is_usual = is_usual;
            test
        };
        let tests = [
            call(test(&[1, 2, 3], &[1]), 0, false),
            call(test(&[1], &[]), 0, true),
            call(test(&[1, 2], &[]), 0, true),
            call(test(&[3], &[]), 1, true),
        ];
        assert_eq!(smallest(&tests, ALL, &BTreeSet::new()), [2, 3, 0]);
        assert_eq!(smallest(&tests[..3], ALL, &BTreeSet::from([1, 2, 3])), [0]);
    }

    #[test]
    fn of_equal_tests_the_one_in_a_large_state_stays() {
        let mut rich = test(&[1, 2], &[]);
        rich.is_rich = true;
        let tests = [test(&[1, 2], &[]), rich, test(&[2], &[])];
        assert_eq!(smallest(&tests, ALL, &BTreeSet::new()), [1]);
    }
}
