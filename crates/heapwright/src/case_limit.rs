//! Selection of the smallest cases within a limit of tests.

use heapwright_suite::Case;

use crate::files::grouped;

/// Default maximum of tests written.
pub const MAX_TESTS: u64 = 20_000;

/// Collector that retains the smallest cases, in their order of arrival.
pub struct SmallestCases {
    most: u64,
    /// Retained cases, each with its size and arrival number.
    held: Vec<(usize, usize, Case)>,
    /// Number of tests of the retained cases.
    tests: u64,
    next: usize,
    /// Number of tests of the dropped cases.
    left_out: u64,
}

impl SmallestCases {
    /// Creates a collector for at most `most` tests, [`MAX_TESTS`] by default.
    pub fn new(most: Option<u64>) -> SmallestCases {
        SmallestCases {
            most: most.unwrap_or(MAX_TESTS),
            held: Vec::new(),
            tests: 0,
            next: 0,
            left_out: 0,
        }
    }

    /// Adds a case.
    pub fn add(&mut self, case: Case) {
        let calls = case
            .construction
            .as_ref()
            .map_or(0, |made| made.steps.len());
        let size = case.input.objects.len().max(calls);
        self.tests += tests_of(&case);
        self.held.push((size, self.next, case));
        self.next += 1;
        // Sorting only at twice the limit bounds the memory at little cost.
        if self.tests > self.most.saturating_mul(2) {
            self.cut();
        }
    }

    /// Returns the cases and the number of tests left out.
    pub fn finish(mut self) -> (Vec<Case>, u64) {
        self.cut();
        self.held.sort_by_key(|&(_, number, _)| number);
        let cases = self.held.into_iter().map(|(_, _, case)| case);
        (cases.collect(), self.left_out)
    }

    /// Drops the largest cases beyond the limit. The first that does not fit retains as many calls
    /// as fit.
    fn cut(&mut self) {
        if self.tests <= self.most {
            return;
        }
        self.held.sort_by_key(|&(size, number, _)| (size, number));
        let mut room = self.most;
        let mut fitting = 0;
        for (_, _, case) in &mut self.held {
            let tests = tests_of(case);
            if room == 0 {
                break;
            }
            if tests > room {
                case.calls.truncate(room as usize);
                self.tests -= tests - room;
                self.left_out += tests - room;
            }
            room = room.saturating_sub(tests);
            fitting += 1;
        }
        for (_, _, case) in self.held.drain(fitting..) {
            self.tests -= tests_of(&case);
            self.left_out += tests_of(&case);
        }
    }
}

fn tests_of(case: &Case) -> u64 {
    case.calls.len().max(1) as u64
}

/// Reports the number of tests left out.
pub fn warn_of_left_out(left_out: u64, most: Option<u64>) {
    if left_out > 0 {
        notice!(
            "{} tests of the largest structures are not written: --max-tests {} has no room for them",
            grouped(left_out),
            most.unwrap_or(MAX_TESTS)
        );
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use heapwright_suite::{
        Body, Call, CallOutcome, ClassSig, Construction, Label, MethodSig, Object, Structure,
    };

    use super::*;

    fn called(objects: usize, calls: usize) -> Case {
        let call = Call {
            method: Arc::new(MethodSig {
                declaring_class: "a.Node".to_owned(),
                name: "size".to_owned(),
                descriptor: "()V".to_owned(),
                is_static: false,
                is_accessible: true,
                is_overloaded: false,
                has_twin: false,
                exceptions: Vec::new(),
                parameters: Vec::new(),
            }),
            args: Vec::new(),
            outcome: CallOutcome::ReturnedVoid,
            invariant_holds_after: true,
            then: Vec::new(),
            label: Label::default(),
        };
        Case {
            calls: vec![call; calls],
            ..case(objects)
        }
    }

    fn case(objects: usize) -> Case {
        let class = Arc::new(ClassSig {
            name: "a.Node".to_owned(),
            source_name: None,
            construction: Construction::NoArg,
            is_generic: false,
            arguments: Vec::new(),
        });
        let object = Object {
            class,
            body: Body::Fields(Vec::new()),
        };
        Case {
            input: Structure {
                objects: vec![object; objects],
            },
            construction: None,
            calls: Vec::new(),
        }
    }

    #[test]
    fn keeps_the_smallest_in_their_order() {
        let mut smallest = SmallestCases::new(Some(3));
        for size in [5, 2, 4, 1, 3, 2, 7, 6, 1] {
            smallest.add(case(size));
        }
        let (cases, left_out) = smallest.finish();
        let sizes: Vec<usize> = cases.iter().map(|case| case.input.objects.len()).collect();
        assert_eq!((sizes, left_out), (vec![2, 1, 1], 6));
    }

    #[test]
    fn of_the_first_that_does_not_fit_some_calls_are_kept() {
        let mut smallest = SmallestCases::new(Some(10));
        for (size, calls) in [(3, 4), (2, 8), (1, 5), (4, 1)] {
            smallest.add(called(size, calls));
        }
        let (cases, left_out) = smallest.finish();
        let kept: Vec<(usize, usize)> = cases
            .iter()
            .map(|case| (case.input.objects.len(), case.calls.len()))
            .collect();
        assert_eq!((kept, left_out), (vec![(2, 5), (1, 5)], 8));
    }
}
