//! Coverage of code by instructions, branches and lines, with JaCoCo's definitions: for tests that
//! were there before, and for those that are generated.
//!
//! [`plan`] says where code is observed, [`facts`] what was observed there.

mod facts;
mod filters;
mod flow;
mod plan;

use std::collections::BTreeMap;
use std::ops::{AddAssign, Range};

use heapwright_jvm::listing::Listing;
use heapwright_jvm::{MethodId, Vm};

pub(crate) use facts::Fact;
use filters::leaves_out;
pub(crate) use filters::made_by_kotlin;
pub(crate) use flow::ExecutedPlaces;
use flow::{Either, Executed, Labels, targets};
pub(crate) use plan::{CodePlan, CodeSelection, Jump, Point, TestsByLine};

/// Covered part of a total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    /// Covered number.
    pub covered: u64,
    /// Total number.
    pub total: u64,
}

/// Coverage of a method, a class or several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Bytecode instructions.
    pub instructions: Share,
    /// Outcomes of conditional jumps, and targets of switches.
    pub branches: Share,
    /// Source lines, covered if one of their instructions is.
    pub lines: Share,
    /// Cyclomatic complexity: the number of ways through each method that are independent.
    pub complexity: Share,
}

/// Coverage of a class.
#[derive(Clone, Debug)]
pub struct CoveredClass {
    /// Binary name.
    pub name: String,
    /// Name of the source file, if the class file has it.
    pub source_file: Option<String>,
    /// Counts of the class, without those nested in it.
    pub counters: Counters,
    /// Its methods with code.
    pub methods: Vec<CoveredMethod>,
}

/// Coverage of a method.
#[derive(Clone, Debug)]
pub struct CoveredMethod {
    /// Name and parameter types.
    pub text: String,
    /// Name in the class file.
    pub name: String,
    /// Descriptor in the class file.
    pub descriptor: String,
    /// Counts of the method.
    pub counters: Counters,
    /// Its lines in ascending order; empty if the class file has none.
    pub lines: Vec<CoveredLine>,
    /// The numbers of its mutants.
    pub mutants: Range<usize>,
}

/// Coverage of a source line in a method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CoveredLine {
    /// Number, from 1.
    pub number: u16,
    /// Bytecode instructions of the line.
    pub instructions: Share,
    /// Branches of the line.
    pub branches: Share,
    /// Tests that come to the line, by number, in ascending order.
    pub tests: Vec<usize>,
}

/// Lines by number.
type Lines = BTreeMap<u16, CoveredLine>;

impl AddAssign for Share {
    fn add_assign(&mut self, other: Share) {
        self.covered += other.covered;
        self.total += other.total;
    }
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.instructions += other.instructions;
        self.branches += other.branches;
        self.lines += other.lines;
        self.complexity += other.complexity;
    }
}

/// Share of one thing.
fn one(is_covered: bool) -> Share {
    Share {
        covered: u64::from(is_covered),
        total: 1,
    }
}

/// Coverage of a method's code that counts, and its lines. `None` if nothing of it counts.
fn count(
    vm: &Vm,
    method: MethodId,
    (listing, labels): (&Listing, &Labels),
    executed: &dyn Executed,
) -> Option<(Counters, Lines)> {
    let all = labels.covered(listing, executed);
    let left = filters::apply(vm, method, listing, all);
    let mut counters = Counters::default();
    let mut lines = Lines::new();
    for covered in &left {
        let instruction = one(!covered.taken.is_empty());
        let mut branches = Share::default();
        if covered.edges > 1 {
            branches = Share {
                covered: covered.taken.len() as u64,
                total: covered.edges as u64,
            };
            let ways = branches.covered.saturating_sub(1);
            counters.complexity += Share {
                covered: ways,
                total: branches.total - 1,
            };
        }
        counters.instructions += instruction;
        counters.branches += branches;
        if let Some(number) = covered.line {
            let line = lines.entry(number).or_default();
            line.number = number;
            line.instructions += instruction;
            line.branches += branches;
        }
    }
    counters.complexity += one(counters.instructions.covered > 0);
    for line in lines.values() {
        counters.lines += one(line.instructions.covered > 0);
    }
    (!left.is_empty()).then_some((counters, lines))
}
