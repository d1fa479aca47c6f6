//! Pools: the structures built, by class, with the origin of each.

use heapwright_explore::bits::{BitReader, BitWriter, width_of};
use heapwright_explore::{CanonicalForm, FormSet, Record};

use super::operations::ApiOperation;

/// Structure, identified by its pool and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StructureRef {
    /// Its pool.
    pub pool: u32,
    /// Its number in the pool, in order of discovery.
    pub index: u32,
}

/// Role of a structure in the call that built it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StructureRole {
    /// The receiver, or the object constructed.
    Receiver,
    /// The argument with this index among the sources of the operation.
    Source(usize),
    /// The result.
    Result,
}

/// Last call of the sequence that builds a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// Number of the operation.
    pub operation: usize,
    /// Combination of its values.
    pub way: u64,
    /// Structures it was called with, in the order of its sources.
    pub parents: Vec<StructureRef>,
    /// Role of the structure in the call.
    pub output: StructureRole,
}

impl Origin {
    /// Appends the origin to `bits`.
    pub fn put(&self, bits: &mut BitWriter, operations: &[ApiOperation]) {
        let output = match self.output {
            StructureRole::Receiver => 0,
            StructureRole::Result => 1,
            StructureRole::Source(place) => 2 + place as i32,
        };
        bits.put(self.operation as u32, width_of(operations.len()));
        bits.put(
            self.way as u32,
            width_of(operations[self.operation].ways as usize),
        );
        bits.put_int(output);
        for parent in &self.parents {
            bits.put_int(parent.pool as i32);
            let width = 32 - parent.index.leading_zeros();
            bits.put(width, 6);
            bits.put(parent.index, width);
        }
    }

    /// Reads an origin written by [`Origin::put`].
    pub fn take(bytes: &[u8], operations: &[ApiOperation]) -> Origin {
        let mut bits = BitReader::new(bytes);
        let operation = bits.take(width_of(operations.len())) as usize;
        let way = u64::from(bits.take(width_of(operations[operation].ways as usize)));
        let output = match bits.take_int() {
            0 => StructureRole::Receiver,
            1 => StructureRole::Result,
            place => StructureRole::Source(place as usize - 2),
        };
        let parents = operations[operation].structures.iter().map(|_| {
            let pool = bits.take_int() as u32;
            let width = bits.take(6);
            StructureRef {
                pool,
                index: bits.take(width),
            }
        });
        Origin {
            operation,
            way,
            parents: parents.collect(),
            output,
        }
    }
}

/// The structures of one class.
#[derive(Clone)]
pub struct StructurePool {
    /// Internal name of the class.
    pub class: Box<str>,
    /// The structures.
    pub reached: FormSet,
    /// Number of structures before the last iteration.
    pub old: usize,
    /// Number of structures after it.
    pub known: usize,
}

/// All structures.
#[derive(Clone, Default)]
pub struct Pools {
    pools: Vec<StructurePool>,
}

impl Pools {
    /// Iterates over the pools, in the order of their first structures.
    pub fn iter(&self) -> impl Iterator<Item = &StructurePool> {
        self.pools.iter()
    }

    /// Number of pools.
    pub fn len(&self) -> usize {
        self.pools.len()
    }

    /// Whether there are no pools.
    pub fn is_empty(&self) -> bool {
        self.pools.is_empty()
    }

    /// Adds the structures of other pools, which are not present yet, in their order.
    pub fn absorb(&mut self, other: &Pools, matching: bool) {
        for pool in other.iter() {
            let into = self.enter(&pool.class);
            for record in pool.reached.from(0) {
                let hash = FormSet::hash(record.form.compared);
                self.insert(into, hash, record.form, record.origin, matching);
            }
        }
    }

    /// Returns the pool with a number.
    pub fn get(&self, pool: u32) -> &StructurePool {
        &self.pools[pool as usize]
    }

    /// Returns the number of the pool of a class.
    pub fn find(&self, class: &str) -> Option<usize> {
        self.pools.iter().position(|pool| &*pool.class == class)
    }

    /// Returns the number of the pool of a class and creates the pool if necessary.
    pub fn enter(&mut self, class: &str) -> usize {
        self.find(class).unwrap_or_else(|| {
            self.pools.push(StructurePool {
                class: class.into(),
                reached: FormSet::default(),
                old: 0,
                known: 0,
            });
            self.pools.len() - 1
        })
    }

    /// Returns the record of a structure.
    pub fn record(&self, built: StructureRef) -> Option<Record<'_>> {
        self.get(built.pool).reached.get(built.index as usize)
    }

    /// Whether a pool contains a structure.
    pub fn contains(&self, pool: usize, hash: u64, compared: &[u8]) -> bool {
        self.pools[pool].reached.contains(hash, compared)
    }

    /// Inserts a structure if it is new, or in any case without matching. Returns whether it was
    /// inserted.
    pub fn insert(
        &mut self,
        pool: usize,
        hash: u64,
        form: CanonicalForm<'_>,
        origin: &[u8],
        matching: bool,
    ) -> bool {
        let reached = &mut self.pools[pool].reached;
        if matching {
            return reached.insert(hash, form, origin);
        }
        reached.append(form, origin);
        true
    }

    /// Begins an iteration: the structures of the last one become new, all others old. Returns
    /// whether any structure is new.
    pub fn begin_iteration(&mut self) -> bool {
        let mut has_new = false;
        for pool in &mut self.pools {
            pool.old = pool.known;
            pool.known = pool.reached.len();
            has_new |= pool.known > pool.old;
        }
        has_new
    }

    /// Number of new structures.
    pub fn new_structures(&self) -> usize {
        self.pools.iter().map(|pool| pool.known - pool.old).sum()
    }

    /// Marks all structures as new, except the first ones of each pool that `old` counts.
    pub fn mark_new(&mut self, old: &[usize]) {
        for (number, pool) in self.pools.iter_mut().enumerate() {
            pool.old = old.get(number).copied().unwrap_or(0);
            pool.known = pool.reached.len();
        }
    }

    /// Restricts each pool to its first `most` structures.
    pub fn limit(&mut self, most: usize) {
        for pool in &mut self.pools {
            pool.known = pool.known.min(most);
            pool.old = pool.old.min(most);
        }
    }

    /// Number of structures in each pool.
    pub fn lengths(&self) -> Vec<usize> {
        self.pools.iter().map(|pool| pool.reached.len()).collect()
    }

    /// Memory in use, in bytes.
    pub fn memory(&self) -> u64 {
        self.pools.iter().map(|pool| pool.reached.memory()).sum()
    }
}
