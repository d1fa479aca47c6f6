//! Components, what calls on them are made for, and the calls that are to be made.

use std::collections::BTreeMap;

use heapwright_explore::symbolic::Decided;
use heapwright_jvm::ClassId;

use crate::sequences::model::Statement;

/// What a sequence has built.
#[derive(Clone, Debug)]
pub struct Component {
    /// The sequence.
    pub statements: Vec<Statement>,
    /// The path through it.
    pub(super) path: Vec<i64>,
    pub(super) verdicts: Vec<Decided>,
    /// The objects it holds: the statement that made each, and its class.
    pub(super) objects: Vec<(usize, ClassId)>,
}

impl Component {
    /// What it takes in memory.
    pub(super) fn bytes(&self) -> usize {
        let arguments = self.statements.iter().map(|one| &one.arguments[..]);
        size_of::<Component>()
            + size_of_val(&self.statements[..])
            + arguments.map(size_of_val).sum::<usize>()
            + size_of_val(&self.path[..])
            + size_of_val(&self.verdicts[..])
            + size_of_val(&self.objects[..])
    }
}

/// What a call is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To see what it reaches.
    Test,
    /// To go on from what it builds.
    Build,
    /// Both at once.
    Both,
}

/// Goals with the components and the call of a path that came by each.
pub(super) type Unsolved = BTreeMap<usize, (Vec<usize>, Statement)>;

/// Calls to be made.
pub(super) struct Job {
    /// The components that they are made on together.
    pub parts: Vec<usize>,
    /// These; none for all that there are.
    pub calls: Option<Vec<(Statement, Purpose)>>,
    /// The solver's work for each.
    pub work: u64,
}
