//! Something that a test is to reach: a branch, a line, an exception, a path.

pub use heapwright_code::Site;
use heapwright_jvm::MethodId;

/// Something to be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Goal {
    /// From the jump at a bytecode index to that at another, the number of the way on.
    Branch(MethodId, u16, u16, u16),
    /// The line that begins at a bytecode index.
    Line(MethodId, u16),
    /// The instruction at a bytecode index throws.
    Exception(MethodId, u16),
    /// The comparison at a bytecode index is of two integers so far apart.
    Edge(MethodId, u16, Side),
    /// The arithmetic at a bytecode index wraps.
    Wrap(MethodId, u16),
    /// The field that is written at the one place is read at the other, before it is written again.
    Pair(Site, Site),
    /// A path of a method under test.
    Path(PathId),
    /// A method is entered: of one without anything else to reach.
    Entry(MethodId),
}

/// How far apart two integers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The first is one less.
    Below,
    /// They are equal.
    Equal,
    /// The first is one more.
    Above,
}

impl Goal {
    /// The method that it lies in.
    #[must_use]
    pub fn method(self) -> MethodId {
        match self {
            Goal::Branch(method, ..)
            | Goal::Line(method, _)
            | Goal::Exception(method, _)
            | Goal::Edge(method, ..)
            | Goal::Wrap(method, _)
            | Goal::Pair(_, (method, _))
            | Goal::Entry(method) => method,
            Goal::Path(path) => path.method,
        }
    }

    /// The bytecode index that it is about; the first for a method as a whole.
    #[must_use]
    pub fn at(self) -> u16 {
        match self {
            Goal::Branch(_, at, ..)
            | Goal::Line(_, at)
            | Goal::Exception(_, at)
            | Goal::Edge(_, at, _)
            | Goal::Wrap(_, at)
            | Goal::Pair(_, (_, at)) => at,
            Goal::Path(..) | Goal::Entry(_) => 0,
        }
    }
}

/// A path of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PathId {
    /// The method.
    pub method: MethodId,
    /// Its number among the method's, from 1 on in the order in which they were seen.
    pub number: u32,
}
