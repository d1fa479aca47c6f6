//! Components, the purposes of calls on them, and jobs of calls to make.

use std::collections::BTreeMap;

use heapwright_explore::symbolic::SideVerdicts;
use heapwright_jvm::ClassId;

use crate::statements::Statement;

/// A component: a sequence and one path through it, with the objects created.
#[derive(Clone, Debug)]
pub struct Component {
    /// The sequence.
    pub statements: Vec<Statement>,
    /// The path through the sequence.
    pub(super) path: Vec<i64>,
    pub(super) verdicts: Vec<SideVerdicts>,
    /// The objects available: the statement that created each, and its class.
    pub(super) objects: Vec<(usize, ClassId)>,
}

impl Component {
    /// Returns its memory in bytes.
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

/// Purpose of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallPurpose {
    /// Finding the goals that it reaches.
    Test,
    /// Creating new components.
    Build,
    /// Both at once.
    Both,
}

impl CallPurpose {
    /// Whether its goals count.
    pub(super) fn is_test(self) -> bool {
        self != CallPurpose::Build
    }
}

/// Goals on paths for which the solver found no values, each with the components and call of its
/// first such path.
pub(super) type Unsolved = BTreeMap<usize, (Vec<usize>, Statement)>;

/// A job: calls to make on a tuple of components.
pub(super) struct ComponentJob {
    /// The numbers of the components.
    pub parts: Vec<usize>,
    /// The calls; `None` for all possible ones.
    pub calls: Option<Vec<(Statement, CallPurpose)>>,
    /// Whether its calls are repeated, because they exceeded their solver work.
    pub is_repeated: bool,
    /// The limit of solver work for each call.
    pub work: u64,
    /// The values of all open numbers of the sequence, in order; `None` if they are open.
    pub values: Option<Vec<u64>>,
}
