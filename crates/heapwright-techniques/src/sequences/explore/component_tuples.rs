//! Enumerates ordered tuples of components by total cost, lazily, since there can be very many.

use std::collections::BTreeMap;

/// Components by cost and number of statements.
pub type Ranks = BTreeMap<Rank, Vec<usize>>;

/// Cost of a component, and its number of statements.
pub type Rank = (usize, usize);

/// Iterator over tuples of component numbers. The order is by number of components, then by their
/// ranks, then by their numbers.
pub struct ComponentTuples<'a> {
    ranks: &'a Ranks,
    /// Ranks of the components of the remaining tuples; the next is at the end.
    shapes: Vec<Vec<Rank>>,
    /// Positions of the next tuple's components within the last entry of `shapes`.
    next: Option<Vec<usize>>,
}

impl ComponentTuples<'_> {
    /// Enumerates tuples with this total cost and at most `length` statements in all. A tuple has
    /// at most `most.0` components, or at most `most.1` if each has one statement.
    #[must_use]
    pub fn new(
        ranks: &Ranks,
        cost: usize,
        length: usize,
        most: (usize, usize),
    ) -> ComponentTuples<'_> {
        let mut shapes = Vec::new();
        for count in 1..=most.0.max(most.1).min(cost) {
            let longest = if count > most.0 { 1 } else { length };
            let mut finder = TupleFinder {
                ranks,
                longest,
                before: Vec::new(),
                found: &mut shapes,
            };
            finder.split((cost, length), count);
        }
        shapes.reverse();
        let mut joins = ComponentTuples {
            ranks,
            shapes,
            next: None,
        };
        if cost == 0 {
            joins.shapes.push(Vec::new());
        }
        joins.begin();
        joins
    }

    /// Moves to the first tuple of the next ranks.
    fn begin(&mut self) {
        self.next = self.shapes.last().map(|shape| vec![0; shape.len()]);
    }

    /// Returns the tuple after one with the same ranks.
    fn after(&self, places: &[usize]) -> Option<Vec<usize>> {
        let shape = self.shapes.last()?;
        let mut next = places.to_vec();
        for (place, rank) in shape.iter().enumerate().rev() {
            next[place] += 1;
            if next[place] < self.ranks[rank].len() {
                return Some(next);
            }
            next[place] = 0;
        }
        None
    }
}

impl Iterator for ComponentTuples<'_> {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let places = self.next.take()?;
        let shape = self.shapes.last()?.iter().zip(&places);
        let tuple = shape.map(|(rank, &place)| self.ranks[rank][place]);
        let tuple = tuple.collect();
        self.next = self.after(&places);
        if self.next.is_none() {
            self.shapes.pop();
            self.begin();
        }
        Some(tuple)
    }
}

/// Finds all lists of `count` ranks with a given total cost.
struct TupleFinder<'a> {
    ranks: &'a Ranks,
    /// Maximum number of statements of a component.
    longest: usize,
    before: Vec<Rank>,
    found: &'a mut Vec<Vec<Rank>>,
}

impl TupleFinder<'_> {
    fn split(&mut self, (cost, length): Rank, count: usize) {
        let others = count - 1;
        let ranks = self.ranks;
        for &(own, statements) in ranks.keys() {
            if own + others > cost || statements + others > length || statements > self.longest {
                continue;
            }
            self.before.push((own, statements));
            match others {
                0 if own == cost => self.found.push(self.before.clone()),
                0 => {}
                _ => self.split((cost - own, length - statements), others),
            }
            self.before.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_are_all_that_there_are() {
        let components = [(1, 1), (1, 1), (3, 3), (3, 2), (4, 3)];
        let mut ranks = Ranks::new();
        for (number, &rank) in components.iter().enumerate() {
            ranks.entry(rank).or_default().push(number);
        }
        for (cost, length) in (1..10).flat_map(|cost| [(cost, 5), (cost, 100)]) {
            for (most, singles) in [(1, 0), (1, 3), (2, 0), (2, 3), (3, 0), (3, 2)] {
                let mut wanted: Vec<Vec<usize>> = Vec::new();
                for count in 1..=most.max(singles) {
                    for number in 0..5_usize.pow(count) {
                        let tuple: Vec<usize> = (0..count)
                            .map(|place| number / 5_usize.pow(place) % 5)
                            .collect();
                        let all = tuple.iter().map(|&one| components[one]);
                        let all = all.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
                        let is_few =
                            count <= most || tuple.iter().all(|&one| components[one].1 == 1);
                        if all.0 == cost && all.1 <= length && is_few {
                            wanted.push(tuple);
                        }
                    }
                }
                let most = (most as usize, singles as usize);
                let told = ComponentTuples::new(&ranks, cost, length, most);
                let mut told: Vec<Vec<usize>> = told.collect();
                assert!(told.is_sorted_by_key(Vec::len), "{cost} {length} {most:?}");
                wanted.sort();
                told.sort();
                assert_eq!(told, wanted, "{cost} {length} {most:?}");
            }
        }
        let none = Ranks::new();
        let told: Vec<_> = ComponentTuples::new(&none, 0, 0, (3, 3)).collect();
        assert_eq!(told, [Vec::<usize>::new()]);
    }
}
