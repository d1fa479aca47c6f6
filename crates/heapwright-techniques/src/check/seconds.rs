//! Second structures: arguments of the class under test besides null and the objects of the
//! receiver's structure.
//!
//! They are structures that the search finds, made on the machine before it. A call therefore
//! changes them as it changes its receiver, and going back restores them. Invariant: their
//! selection depends on the search and the method alone.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::sync::Arc;

use heapwright_explore::{Count, End, Leaf, Strategy};
use heapwright_jvm::{Ref, Vm};
use heapwright_suite::{Literal, Value};
use serde::{Deserialize, Serialize};

use super::calls::{MAX_TUPLES, MethodUnderTest};
use super::counterexample::{StructureSize, size_of};
use super::judge::ContinueCallback;
use super::template::Template;
use crate::Error;
use crate::arguments::Argument;
use crate::invariant::Enumeration;
use crate::read::StructureReader;

/// Most calls of a method with a second structure: about ten seconds.
const MAX_CALLS: usize = 1 << 24;
/// Most structures that are read.
const MAX_SEEN: usize = 1 << 16;

/// Most structures of which pairs are made to check contracts: their pairs take less than a second.
const MAX_PAIRED: usize = 1 << 7;
/// Most structures that are read for these pairs, and most candidates.
const MAX_SEEN_FOR_PAIRS: usize = 1 << 10;
const MAX_EXPLORED_FOR_PAIRS: u64 = 1 << 16;

/// Placeholder number of a second structure in an argument, until the call is reported.
pub(super) const SECOND: usize = usize::MAX;

/// Second structure on the machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct SecondStructure {
    /// Its root.
    pub object: Ref,
    pub size: StructureSize,
}

/// Number of structures that a method was given as arguments, if it takes some.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenStructures {
    /// Number given, the smallest ones.
    pub given: u64,
    /// Number of all structures.
    #[serde(with = "crate::digits")]
    pub of: Count,
}

impl GivenStructures {
    /// Whether there are more.
    #[must_use]
    pub fn is_part(&self) -> bool {
        self.of > self.given
    }
}

/// All second structures, smallest first.
pub(super) struct SecondStructures {
    made: Vec<SecondStructure>,
    /// Number of all structures.
    of: Count,
}

impl SecondStructure {
    /// Returns it as an argument.
    pub fn argument(&self) -> Argument {
        Argument {
            slot: self.object.slot(),
            literal: Literal::Value(Value::Ref(SECOND)),
        }
    }
}

/// Makes the structures for contracts of two structures: the smallest of the first ones, as many as
/// memory allows. If `ask` breaks off, those found so far are made.
///
/// # Errors
/// The invariant cannot be called.
pub(super) fn for_pairs(
    vm: &mut Vm,
    reader: &mut StructureReader,
    enumeration: &Enumeration,
    ask: &mut ContinueCallback<'_>,
) -> Result<Arc<[SecondStructure]>, Error> {
    let limits = (MAX_SEEN_FOR_PAIRS, MAX_EXPLORED_FOR_PAIRS);
    let (mut found, _) = first_structures(vm, reader, enumeration, limits, ask)?;
    found.truncate(MAX_PAIRED);
    let made = found.into_iter().map_while(|(size, template)| {
        let object = template.make(vm).ok()?;
        Some(SecondStructure { object, size })
    });
    Ok(made.collect())
}

/// Structures read between two checks whether to go on.
const READ: usize = 256;

/// Returns the first structures that the search finds, at most one more than `most`, smallest
/// first, and the end of the search. The search explores at most `candidates` candidates.
fn first_structures(
    vm: &mut Vm,
    reader: &mut StructureReader,
    enumeration: &Enumeration,
    (most, candidates): (usize, u64),
    ask: &mut ContinueCallback<'_>,
) -> Result<(Vec<(StructureSize, Template)>, End), Error> {
    let root = enumeration.space.root;
    let mut found: Vec<(StructureSize, Template)> = Vec::new();
    let ask = RefCell::new(ask);
    let asked = || (ask.borrow_mut())();
    let outcome = enumeration.search(
        vm,
        Strategy::Lazy,
        |_| asked(),
        |vm, leaf, search| {
            if *leaf == Leaf::Valid {
                let size = size_of(&reader.read(vm, root).structure);
                found.push((size, Template::of(vm, root)));
            }
            let is_enough = found.len() > most || search.progress().explored >= candidates;
            match is_enough {
                true => ControlFlow::Break(()),
                false if found.len().is_multiple_of(READ) => asked(),
                false => ControlFlow::Continue(()),
            }
        },
    )?;
    found.sort_by_key(|(size, _)| *size);
    Ok((found, outcome.end))
}

impl SecondStructures {
    /// Makes the structures on the machine. If there are many, only the smallest of the first ones
    /// are made. If `ask` breaks off, those found so far are made.
    ///
    /// # Errors
    /// The invariant cannot be called, or there is no memory.
    pub fn make(
        vm: &mut Vm,
        reader: &mut StructureReader,
        enumeration: &Enumeration,
        ask: &mut ContinueCallback<'_>,
    ) -> Result<SecondStructures, Error> {
        let limits = (MAX_SEEN, u64::MAX);
        let (mut found, end) = first_structures(vm, reader, enumeration, limits, ask)?;
        let of = match end {
            End::ByVisitor => {
                let counted = enumeration.count(vm, Strategy::Lazy, |_| ask())?;
                counted.progress.valid
            }
            _ => Count::from(found.len() as u64),
        };
        found.truncate(most(&of, 1));
        let mut made = Vec::with_capacity(found.len());
        for (size, template) in found {
            let object = template.make(vm);
            let object = object.map_err(|_| {
                Error::Bounds("no memory for the structures that are arguments".to_owned())
            })?;
            made.push(SecondStructure { object, size });
        }
        Ok(SecondStructures { made, of })
    }

    /// Returns the structures for a method: as many as its number of calls allows, in whole sizes
    /// if that leaves any.
    pub fn for_method(
        &self,
        operation: &MethodUnderTest,
    ) -> (Arc<[SecondStructure]>, GivenStructures) {
        let most = most(&self.of, operation.tuples_a_second()).min(self.made.len());
        let sizes: Vec<StructureSize> = self.made.iter().map(|second| second.size).collect();
        let is_all = self.of == most as u64;
        let given = if is_all {
            most
        } else {
            whole_sizes(&sizes, most)
        };
        let of = GivenStructures {
            given: given as u64,
            of: self.of.clone(),
        };
        (self.made[..given].into(), of)
    }
}

/// Most second structures of a method that is called `times` times with each on each of `all`.
fn most(all: &Count, times: usize) -> usize {
    let calls = MAX_CALLS as f64 / (all.about().max(1.0) * times as f64);
    (calls as usize).clamp(1, MAX_TUPLES / times.clamp(1, MAX_TUPLES))
}

/// Number of structures, of the `most` smallest, that are smaller than every structure left out;
/// `most` if there is none.
fn whole_sizes(sizes: &[StructureSize], most: usize) -> usize {
    let last = sizes.get(most).or(sizes.last());
    let whole = sizes.partition_point(|size| last.is_some_and(|last| size < last));
    if whole == 0 { most } else { whole }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_are_given_as_calls_allow() {
        let all = |count: u64| Count::from(count);
        assert_eq!(most(&all(4_096), 1), 4_096);
        assert_eq!(most(&all(4_096), 64), 64);
        assert_eq!(most(&all(1 << 40), 1), 1);
        assert_eq!(most(&all(1), MAX_TUPLES), 1);
        assert_eq!(most(&all(1), 4), MAX_TUPLES / 4);
        let sizes = [(1, 0), (2, 0), (2, 0), (3, 1), (3, 2)];
        for (most, whole) in [(1, 1), (2, 1), (3, 3), (4, 4)] {
            assert_eq!(whole_sizes(&sizes, most), whole, "{most}");
        }
        assert_eq!(whole_sizes(&sizes[1..], 1), 1);
    }
}
