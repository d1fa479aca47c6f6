//! Costs of components, which determine the order of exploration.
//!
//! The cost of a component is its length plus the binary logarithm of the number of components so
//! far with the same [`PathState::sketch`]. The cost of a tuple is the sum. Many similar
//! components, such as empty boards of every size, therefore cannot delay the few that differ, and
//! every component has its turn.
//!
//! Invariant: a component costs more than the components from which it was built together. All
//! components below the current cost are therefore known.
//!
//! [`PathState::sketch`]: heapwright_explore::symbolic::PathState::sketch

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::component_tuples::{Rank, Ranks};

/// Components by cost.
#[derive(Debug, Default)]
pub(super) struct Costs {
    /// Components on which calls can be made.
    ranks: Rc<Ranks>,
    /// Components added since the last `settle`.
    fresh: Vec<(Rank, usize)>,
    /// Numbers of components by sketch.
    alike: FxHashMap<u64, usize>,
}

impl Costs {
    /// Returns the components on which calls can be made.
    pub fn ranks(&self) -> Rc<Ranks> {
        Rc::clone(&self.ranks)
    }

    /// Adds a component with its length, its state's sketch and its minimum cost.
    pub fn add(&mut self, number: usize, length: usize, sketch: u64, least: usize) {
        let alike = self.alike.entry(sketch).or_default();
        *alike += 1;
        let cost = length + alike.ilog2() as usize;
        self.fresh.push(((cost.max(least), length), number));
    }

    /// Makes the added components available to calls.
    pub fn settle(&mut self) {
        let ranks = Rc::make_mut(&mut self.ranks);
        for (rank, number) in self.fresh.drain(..) {
            ranks.entry(rank).or_default().push(number);
        }
    }

    /// Returns the maximum length of a component.
    pub fn longest(&self) -> usize {
        self.ranks.keys().map(|rank| rank.1).max().unwrap_or(0)
    }

    /// Returns the maximum cost of a tuple: of `most.0` components, or of `most.1` with one
    /// statement each.
    pub fn max_tuple_cost(&self, most: (usize, usize)) -> usize {
        let single = self.ranks.keys().filter(|rank| rank.1 == 1);
        let single = single.map(|rank| rank.0).max().unwrap_or(0);
        let any = self.ranks.keys().next_back().map_or(0, |rank| rank.0);
        (most.0 * any).max(most.1 * single)
    }

    /// Returns the maximum length, up to `longest`, that is complete once all calls on tuples of up
    /// to this cost are made.
    pub fn complete_length(&self, cost: usize, longest: usize, most: (usize, usize)) -> usize {
        // Maximum cost of one component by length, then of a tuple.
        let mut one = vec![None; longest + 1];
        for &(cost, length) in self.ranks.keys() {
            one[length] = one[length].max(Some(cost));
        }
        let mut dearest = one.clone();
        dearest[0] = Some(0);
        for (length, dearest) in dearest.iter_mut().enumerate().take(most.1 + 1) {
            *dearest = (*dearest).max(one[1].map(|cost| length * cost));
        }
        for _ in 1..most.0 {
            for length in (1..longest).rev() {
                for own in 1..length {
                    let both = dearest[length - own].zip(one[own]);
                    dearest[length] = dearest[length].max(both.map(|(a, b)| a + b));
                }
            }
        }
        let is_done = |length: &usize| dearest[*length].is_none_or(|most| most <= cost);
        (0..longest).take_while(is_done).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_like_many_others_come_later() {
        let mut costs = Costs::default();
        for number in 0..5 {
            costs.add(number, 1, 7, 1);
        }
        costs.add(5, 1, 8, 1);
        costs.add(6, 2, 9, 4);
        costs.settle();
        let ranks = costs.ranks();
        let told: Vec<(Rank, Vec<usize>)> = ranks.iter().map(|(k, v)| (*k, v.clone())).collect();
        let wanted = [
            ((1, 1), vec![0, 5]),
            ((2, 1), vec![1, 2]),
            ((3, 1), vec![3, 4]),
            ((4, 2), vec![6]),
        ];
        assert_eq!(told, wanted);
        assert_eq!((costs.longest(), costs.max_tuple_cost((2, 0))), (2, 8));
        assert_eq!(
            (costs.max_tuple_cost((1, 0)), costs.max_tuple_cost((1, 3))),
            (4, 9)
        );
    }

    /// Compares with an enumeration of all tuples of up to two components.
    #[test]
    fn a_length_is_done_when_nothing_of_it_is_left() {
        let mut costs = Costs::default();
        let components = [(1, 7, 1), (1, 7, 1), (1, 8, 3), (2, 9, 2), (3, 10, 6)];
        for (number, &(length, sketch, least)) in components.iter().enumerate() {
            costs.add(number, length, sketch, least);
        }
        costs.settle();
        let ranks = costs.ranks();
        let singles: Vec<Rank> = ranks.keys().copied().collect();
        let pairs = singles
            .iter()
            .flat_map(|a| singles.iter().map(move |b| (a.0 + b.0, a.1 + b.1)));
        let all: Vec<Rank> = pairs
            .chain(singles.iter().copied())
            .chain([(0, 0)])
            .collect();
        for cost in 0..14 {
            let left = all.iter().filter(|(own, _)| *own > cost);
            let shortest = left.map(|(_, length)| *length).min().unwrap_or(6);
            assert_eq!(
                costs.complete_length(cost, 6, (2, 0)),
                shortest.min(6),
                "{cost}"
            );
        }
    }
}
