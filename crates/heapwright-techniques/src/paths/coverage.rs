//! Places of methods that cases can cover.

use serde::{Deserialize, Serialize};

use super::GoalResult;
use super::flow::To;
use super::reach::ReachGoal;
use super::rules::RuleProgram;

/// Place that cases can cover, with its result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoveragePoint {
    /// The place.
    pub goal: ReachGoal,
    /// Its share of the coverage.
    pub kind: PointKind,
    /// Its result.
    pub reached: GoalResult,
}

/// Share of a place of the coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PointKind {
    /// Block with this number of instructions.
    Instructions(u64),
    /// Outgoing edge of a conditional jump or switch.
    Branch,
    /// Goal of the criterion, in a method whose coverage is not measured.
    Unmeasured,
}

impl RuleProgram {
    /// Number of bytecode instructions of all methods.
    #[must_use]
    pub fn bytecodes(&self) -> usize {
        let flows = self.flows.iter();
        flows.map(|flow| flow.listing.instructions.len()).sum()
    }
}

/// Blocks of matching methods, deepest first: a path to a deep block covers the blocks before it.
pub(super) fn statements(
    program: &RuleProgram,
    is_wanted: &dyn Fn(usize) -> bool,
) -> Vec<ReachGoal> {
    deepest_first(program, is_wanted, &|method| {
        let blocks = 0..program.flows[method].blocks.len();
        blocks
            .map(|block| ReachGoal::Block(method, block))
            .collect()
    })
}

/// Like [`statements`], for the outgoing edges of conditional jumps and switches.
pub(super) fn branches(program: &RuleProgram, is_wanted: &dyn Fn(usize) -> bool) -> Vec<ReachGoal> {
    deepest_first(program, is_wanted, &|method| {
        let blocks = program.flows[method].blocks.iter().enumerate();
        let ways = blocks.flat_map(|(number, block)| {
            let normal = (0..block.exits.len()).filter(|&exit| block.exits[exit].is_normal());
            let normal: Vec<usize> = normal.collect();
            let ways = if normal.len() > 1 { normal } else { Vec::new() };
            ways.into_iter()
                .map(move |exit| ReachGoal::Exit(method, number, exit))
        });
        ways.collect()
    })
}

/// Goals of matching methods, deepest first.
fn deepest_first(
    program: &RuleProgram,
    is_wanted: &dyn Fn(usize) -> bool,
    goals_of: &dyn Fn(usize) -> Vec<ReachGoal>,
) -> Vec<ReachGoal> {
    let mut goals = Vec::new();
    for method in (0..program.flows.len()).filter(|&method| is_wanted(method)) {
        let depths = depths(program, method);
        let own = goals_of(method).into_iter();
        goals.extend(own.map(|goal| (depths[goal.place().1], goal)));
    }
    goals.sort_by_key(|&(depth, goal)| (std::cmp::Reverse(depth), goal));
    goals.into_iter().map(|one| one.1).collect()
}

/// Number of dominators of each block in its method.
fn depths(program: &RuleProgram, method: usize) -> Vec<usize> {
    let blocks = &program.flows[method].blocks;
    let all: Vec<bool> = vec![true; blocks.len()];
    let mut dominators = vec![all; blocks.len()];
    dominators[0] = vec![false; blocks.len()];
    dominators[0][0] = true;
    let mut changed = true;
    while changed {
        changed = false;
        for from in 0..blocks.len() {
            for exit in &blocks[from].exits {
                let To::Block(to) = exit.to else { continue };
                let before = dominators[from].clone();
                for (other, is_in) in dominators[to].iter_mut().enumerate() {
                    if other != to && *is_in && !before[other] {
                        *is_in = false;
                        changed = true;
                    }
                }
            }
        }
    }
    let count = |set: &Vec<bool>| set.iter().filter(|&&is_in| is_in).count();
    dominators.iter().map(count).collect()
}
