//! Goals of tests: a branch, a line, an exception, a path and others.

pub use heapwright_code::CodeLocation;
use heapwright_jvm::MethodId;

/// A goal of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Goal {
    /// The edge from the jump at one bytecode index to another index, with the number of the edge.
    Branch(MethodId, u16, u16, u16),
    /// The line that begins at a bytecode index.
    Line(MethodId, u16),
    /// The instruction at a bytecode index throws.
    Exception(MethodId, u16),
    /// The comparison at a bytecode index has operands with this difference.
    Edge(MethodId, u16, OperandOrder),
    /// The arithmetic at a bytecode index overflows.
    Wrap(MethodId, u16),
    /// The field written at the first site is read at the second before it is overwritten.
    Pair(CodeLocation, CodeLocation),
    /// A path of a method under test.
    Path(PathId),
    /// A method is entered; used for methods without other goals.
    Entry(MethodId),
    /// The return or the exception handler at a bytecode index is reached.
    Place(MethodId, u16),
}

/// Difference of two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OperandOrder {
    /// The first operand is one less.
    Below,
    /// They are equal.
    Equal,
    /// The first operand is one more.
    Above,
}

impl Goal {
    /// Returns the method that contains the goal.
    #[must_use]
    pub fn method(self) -> MethodId {
        match self {
            Goal::Branch(method, ..)
            | Goal::Line(method, _)
            | Goal::Exception(method, _)
            | Goal::Edge(method, ..)
            | Goal::Wrap(method, _)
            | Goal::Pair(_, (method, _))
            | Goal::Place(method, _)
            | Goal::Entry(method) => method,
            Goal::Path(path) => path.method,
        }
    }

    /// Returns the goal's bytecode index; 0 for a method as a whole.
    #[must_use]
    pub fn at(self) -> u16 {
        match self {
            Goal::Branch(_, at, ..)
            | Goal::Line(_, at)
            | Goal::Exception(_, at)
            | Goal::Edge(_, at, _)
            | Goal::Wrap(_, at)
            | Goal::Pair(_, (_, at))
            | Goal::Place(_, at) => at,
            Goal::Path(..) | Goal::Entry(_) => 0,
        }
    }
}

/// A path of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathId {
    /// The method.
    pub method: MethodId,
    /// Its number among the method's paths, from 1, in the order of discovery.
    pub number: u32,
}
