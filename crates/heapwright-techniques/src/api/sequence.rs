//! Sequences of calls that build structures.

use std::collections::BTreeMap;

use heapwright_explore::external::SpillError;

use super::Pools;
use super::operations::{ApiOperation, OperandSource};
use super::pools::{Origin, StructureRef, StructureRole};
use crate::statements::{Statement, StatementArgument};

/// Calls that build a structure, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sequence {
    /// The calls, as statements whose invokables are the operations.
    pub statements: Vec<Statement>,
    /// Internal names of the classes of retained results, by number of the call.
    pub results: BTreeMap<usize, Box<str>>,
    /// Number of the call that made or returned the structure.
    pub object: usize,
}

impl Sequence {
    /// Returns the sequence that builds a structure.
    ///
    /// # Errors
    /// Structures cannot be read from disk.
    pub fn of(
        pools: &Pools,
        operations: &[ApiOperation],
        built: StructureRef,
    ) -> Result<Sequence, SpillError> {
        let mut sequence = Sequence::default();
        sequence.object = sequence.build(pools, operations, built)?;
        Ok(sequence)
    }

    /// Returns the sequence that ends with a call.
    ///
    /// # Errors
    /// Structures cannot be read from disk.
    pub fn ending_with(
        pools: &Pools,
        operations: &[ApiOperation],
        origin: &Origin,
    ) -> Result<Sequence, SpillError> {
        let mut sequence = Sequence::default();
        sequence.object = sequence.call(pools, operations, origin, None)?;
        Ok(sequence)
    }

    fn build(
        &mut self,
        pools: &Pools,
        operations: &[ApiOperation],
        built: StructureRef,
    ) -> Result<usize, SpillError> {
        match pools.record(built)? {
            Some(record) => {
                let origin = Origin::take(record.get().origin, operations);
                self.call(pools, operations, &origin, Some(built.pool))
            }
            None => Ok(0),
        }
    }

    /// Adds a call after those that build its structures. Returns the number of the call that made
    /// or returned its output, which is in a pool if it is retained.
    fn call(
        &mut self,
        pools: &Pools,
        operations: &[ApiOperation],
        origin: &Origin,
        pool: Option<u32>,
    ) -> Result<usize, SpillError> {
        // A structure's calls are on one object, in order; the recursion depth is the nesting of
        // arguments.
        let mut chain = vec![(origin.clone(), pool)];
        let operation = |origin: &Origin| &operations[origin.operation];
        while let Some((last, _)) = chain.last()
            && operation(last).call.has_receiver()
            && let Some(&receiver) = last.parents.first()
            && let Some(record) = pools.record(receiver)?
        {
            let origin = Origin::take(record.get().origin, operations);
            chain.push((origin, Some(receiver.pool)));
        }
        let mut receiver = 0;
        for (origin, pool) in chain.into_iter().rev() {
            receiver = self.one_call(pools, operations, &origin, receiver)?;
            let is_result = origin.output == StructureRole::Result;
            if let Some(pool) = pool.filter(|_| is_result) {
                let call = self.statements.len() - 1;
                self.results.insert(call, pools.get(pool).class.clone());
            }
        }
        Ok(receiver)
    }

    fn one_call(
        &mut self,
        pools: &Pools,
        operations: &[ApiOperation],
        origin: &Origin,
        receiver: usize,
    ) -> Result<usize, SpillError> {
        let operation = &operations[origin.operation];
        let mut slots = vec![0; operation.slots.max(1)];
        operation.fill(origin.way, &mut slots);
        let mut parents = origin.parents.iter();
        let mut arguments = Vec::new();
        for (place, (source, at)) in operation.sources.iter().enumerate() {
            arguments.push(match source {
                OperandSource::Values(_) => StatementArgument::Value(slots[*at]),
                OperandSource::Structures(_) => {
                    let parent = parents.next();
                    let is_receiver = place == 0 && operation.call.has_receiver();
                    StatementArgument::Result(match parent {
                        Some(_) if is_receiver => receiver,
                        Some(&parent) => self.build(pools, operations, parent)?,
                        None => 0,
                    })
                }
            });
        }
        let number = self.statements.len();
        let output = match origin.output {
            _ if operation.call.is_constructor() => number,
            StructureRole::Result => number,
            StructureRole::Receiver => receiver,
            StructureRole::Source(place) => match arguments.get(place) {
                Some(&StatementArgument::Result(object)) => object,
                _ => number,
            },
        };
        self.statements.push(Statement {
            invokable: origin.operation,
            arguments,
        });
        Ok(output)
    }
}
