//! In which order components are gone on from.
//!
//! A component costs its statements, and one more whenever as many again as there were look like it from
//! afar ([`State::sketch`]); several together cost their sum. So boards of every size do not keep the few
//! that have a piece on them from being gone on from, and all have their turn.
//!
//! Invariant: a component costs more than those together that it was built from, so that all that cost less
//! than what is at hand are there.
//!
//! [`State::sketch`]: heapwright_explore::symbolic::State::sketch

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::component_tuples::{Rank, Ranks};

/// Components by what they cost.
#[derive(Debug, Default)]
pub(super) struct Costs {
    /// Those that calls can be made on.
    ranks: Rc<Ranks>,
    /// Those that were added since.
    fresh: Vec<(Rank, usize)>,
    /// How many were added that look alike from afar.
    alike: FxHashMap<u64, usize>,
}

impl Costs {
    /// The components that calls can be made on.
    pub fn ranks(&self) -> Rc<Ranks> {
        Rc::clone(&self.ranks)
    }

    /// Adds a component of so many statements with the sketch of its state, which costs at least so
    /// much.
    pub fn add(&mut self, number: usize, length: usize, sketch: u64, least: usize) {
        let alike = self.alike.entry(sketch).or_default();
        *alike += 1;
        let cost = length + alike.ilog2() as usize;
        self.fresh.push(((cost.max(least), length), number));
    }

    /// Lets calls be made on those that were added.
    pub fn settle(&mut self) {
        let ranks = Rc::make_mut(&mut self.ranks);
        for (rank, number) in self.fresh.drain(..) {
            ranks.entry(rank).or_default().push(number);
        }
    }

    /// The most statements that one has.
    pub fn longest(&self) -> usize {
        self.ranks.keys().map(|rank| rank.1).max().unwrap_or(0)
    }

    /// What those cost that cost most together: `most.0` of any, or `most.1` of a statement each.
    pub fn dearest(&self, most: (usize, usize)) -> usize {
        let single = self.ranks.keys().filter(|rank| rank.1 == 1);
        let single = single.map(|rank| rank.0).max().unwrap_or(0);
        let any = self.ranks.keys().next_back().map_or(0, |rank| rank.0);
        (most.0 * any).max(most.1 * single)
    }

    /// The longest length, up to `longest`, that is done in full when all calls are made on components
    /// that cost so much together.
    pub fn done(&self, cost: usize, longest: usize, most: (usize, usize)) -> usize {
        // What the dearest component of each length costs, then so many together.
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
        assert_eq!((costs.longest(), costs.dearest((2, 0))), (2, 8));
        assert_eq!((costs.dearest((1, 0)), costs.dearest((1, 3))), (4, 9));
    }

    /// Against all tuples of components: those of so many statements, joined in twos.
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
            assert_eq!(costs.done(cost, 6, (2, 0)), shortest.min(6), "{cost}");
        }
    }
}
