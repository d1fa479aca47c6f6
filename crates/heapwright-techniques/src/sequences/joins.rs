//! Which components a call is made on together: so many of them that their statements are so many in
//! all, in every order. They are told one by one, as there can be very many.

use std::ops::Range;

/// Tuples of components, by number: those of few components first, then by the lengths of the
/// components, then by their numbers.
pub struct Joins {
    /// Where the components of each length begin.
    starts: Vec<usize>,
    /// Lengths of the components of a tuple, those to come last.
    lengths: Vec<Vec<usize>>,
    /// The tuple to come, among those of the last lengths.
    next: Option<Vec<usize>>,
}

impl Joins {
    /// Of at most so many components, with so many statements in all.
    #[must_use]
    pub fn new(starts: &[usize], length: usize, most: usize) -> Joins {
        let mut lengths = Vec::new();
        for count in 1..=most.min(length) {
            split(length, count, &mut Vec::new(), &mut lengths);
        }
        lengths.reverse();
        let mut joins = Joins {
            starts: starts.to_vec(),
            lengths,
            next: None,
        };
        if length == 0 {
            joins.lengths.push(Vec::new());
        }
        joins.begin();
        joins
    }

    /// The numbers of the components of a length.
    fn of_length(&self, length: usize) -> Range<usize> {
        match (self.starts.get(length), self.starts.get(length + 1)) {
            (Some(&from), Some(&to)) => from..to,
            _ => 0..0,
        }
    }

    /// Goes to the first tuple of the last lengths that have some.
    fn begin(&mut self) {
        while let Some(lengths) = self.lengths.last() {
            let ranges = lengths.iter().map(|&length| self.of_length(length));
            let ranges: Vec<Range<usize>> = ranges.collect();
            if ranges.iter().all(|range| !range.is_empty()) {
                self.next = Some(ranges.into_iter().map(|range| range.start).collect());
                return;
            }
            self.lengths.pop();
        }
        self.next = None;
    }

    /// The tuple after one, of the same lengths.
    fn after(&self, tuple: &[usize]) -> Option<Vec<usize>> {
        let lengths = self.lengths.last()?;
        let mut next = tuple.to_vec();
        for (place, &length) in lengths.iter().enumerate().rev() {
            let range = self.of_length(length);
            next[place] += 1;
            if next[place] < range.end {
                return Some(next);
            }
            next[place] = range.start;
        }
        None
    }
}

impl Iterator for Joins {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let tuple = self.next.take()?;
        self.next = self.after(&tuple);
        if self.next.is_none() {
            self.lengths.pop();
            self.begin();
        }
        Some(tuple)
    }
}

/// All ways to make a length of so many lengths, at least 1 each.
fn split(length: usize, count: usize, before: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
    if count == 1 {
        let mut lengths = before.clone();
        lengths.push(length);
        all.push(lengths);
        return;
    }
    for first in 1..=length - (count - 1) {
        before.push(first);
        split(length - first, count - 1, before, all);
        before.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_are_all_that_there_are() {
        // Two components of one statement, none of two, three of three.
        let starts = [0, 0, 2, 2, 5];
        let lengths = [1, 1, 3, 3, 3];
        for length in 1..8 {
            for most in 1..4 {
                let mut wanted: Vec<Vec<usize>> = Vec::new();
                for count in 1..=most {
                    for number in 0..5_usize.pow(count) {
                        let tuple: Vec<usize> = (0..count)
                            .map(|place| number / 5_usize.pow(place) % 5)
                            .collect();
                        let all: usize = tuple.iter().map(|&one| lengths[one]).sum();
                        if all == length {
                            wanted.push(tuple);
                        }
                    }
                }
                let mut told: Vec<Vec<usize>> =
                    Joins::new(&starts, length, most as usize).collect();
                assert!(told.is_sorted_by_key(Vec::len), "{length} {most}");
                wanted.sort();
                told.sort();
                assert_eq!(told, wanted, "{length} {most}");
            }
        }
        assert_eq!(
            Joins::new(&[0, 0], 0, 3).collect::<Vec<_>>(),
            [Vec::<usize>::new()]
        );
    }
}
