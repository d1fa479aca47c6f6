//! Costs of paths.

use std::collections::BTreeMap;

/// Costs of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathCosts {
    /// Bytecode instructions.
    pub steps: u64,
    /// Queries to the solver.
    pub queries: u64,
}

/// Costs of infeasible paths by the sizes of their inputs: all objects, and most objects of a class.
#[derive(Clone, Debug, Default)]
pub struct DeadEnds(BTreeMap<(u32, u32), PathCosts>);

impl DeadEnds {
    pub(super) fn add(&mut self, size: (u32, u32), costs: PathCosts) {
        let sum = self.0.entry(size).or_default();
        sum.steps += costs.steps;
        sum.queries += costs.queries;
    }
}

impl IntoIterator for DeadEnds {
    type Item = ((u32, u32), PathCosts);
    type IntoIter = std::collections::btree_map::IntoIter<(u32, u32), PathCosts>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
