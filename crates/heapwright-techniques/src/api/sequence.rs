//! Sequences of calls as data.

use super::Pools;
use super::operations::{self, Operation, Source};
use super::pools::{Origin, Output, StructureRef};

/// Argument of a call, or its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// The object that the call with this number made or returned.
    Object(usize),
    /// Slot of a value.
    Value(u64),
}

/// Call of a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Number of the operation.
    pub operation: usize,
    /// Receiver, if there is one, then the arguments.
    pub arguments: Vec<Argument>,
    /// Internal name of the class of a retained result.
    pub result: Option<Box<str>>,
}

/// Calls that build a structure, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// The calls.
    pub calls: Vec<Call>,
    /// Number of the call that made or returned the structure.
    pub object: usize,
}

impl Sequence {
    /// Returns the sequence that builds a structure.
    #[must_use]
    pub fn of(pools: &Pools, operations: &[Operation], built: StructureRef) -> Sequence {
        let mut sequence = Sequence::default();
        sequence.object = sequence.build(pools, operations, built);
        sequence
    }

    /// Returns the sequence that ends with a call.
    #[must_use]
    pub fn ending_with(pools: &Pools, operations: &[Operation], origin: &Origin) -> Sequence {
        let mut sequence = Sequence::default();
        sequence.object = sequence.call(pools, operations, origin, None);
        sequence
    }

    fn build(&mut self, pools: &Pools, operations: &[Operation], built: StructureRef) -> usize {
        match pools.record(built) {
            Some(record) => {
                let origin = Origin::take(record.origin, operations);
                self.call(pools, operations, &origin, Some(built.pool))
            }
            None => 0,
        }
    }

    /// Adds a call after those that build its structures. Returns the number of the call that made
    /// or returned its output, which is in a pool if it is retained.
    fn call(
        &mut self,
        pools: &Pools,
        operations: &[Operation],
        origin: &Origin,
        pool: Option<u32>,
    ) -> usize {
        // A structure's calls are on one object, in order; the recursion depth is the nesting of
        // arguments.
        let mut chain = vec![(origin.clone(), pool)];
        let operation = |origin: &Origin| &operations[origin.operation];
        while let Some((last, _)) = chain.last()
            && let (operations::Form::Instance, Some(&receiver)) =
                (operation(last).form, last.parents.first())
            && let Some(record) = pools.record(receiver)
        {
            let origin = Origin::take(record.origin, operations);
            chain.push((origin, Some(receiver.pool)));
        }
        let mut receiver = 0;
        for (origin, pool) in chain.into_iter().rev() {
            receiver = self.one_call(pools, operations, &origin, receiver);
            let is_result = origin.output == Output::Result;
            if let (Some(call), Some(pool), true) = (self.calls.last_mut(), pool, is_result) {
                call.result = Some(pools.get(pool).class.clone());
            }
        }
        receiver
    }

    fn one_call(
        &mut self,
        pools: &Pools,
        operations: &[Operation],
        origin: &Origin,
        receiver: usize,
    ) -> usize {
        let operation = &operations[origin.operation];
        let mut slots = vec![0; operation.slots.max(1)];
        operation.fill(origin.way, &mut slots);
        let mut parents = origin.parents.iter();
        let mut arguments = Vec::new();
        for (place, (source, at)) in operation.sources.iter().enumerate() {
            arguments.push(match source {
                Source::Values(_) => Argument::Value(slots[*at]),
                Source::Structures(_) => {
                    let parent = parents.next();
                    let is_receiver = place == 0 && operation.form == operations::Form::Instance;
                    Argument::Object(match parent {
                        Some(_) if is_receiver => receiver,
                        Some(&parent) => self.build(pools, operations, parent),
                        None => 0,
                    })
                }
            });
        }
        let number = self.calls.len();
        let output = match (origin.output, operation.form) {
            (Output::Result, _) | (_, operations::Form::Constructor(_)) => number,
            (Output::Receiver, _) => receiver,
            (Output::Source(place), _) => match arguments.get(place) {
                Some(&Argument::Object(object)) => object,
                _ => number,
            },
        };
        self.calls.push(Call {
            operation: origin.operation,
            arguments,
            result: None,
        });
        output
    }
}
