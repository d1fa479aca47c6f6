//! How often the branches of a path were decided: bounds of loops and recursion.
//!
//! A branch is counted in the frame that runs it, and in the frames below it that are still there:
//! coming by again in one frame is an iteration, in a further one of the same method a recursion.

use heapwright_jvm::Vm;

/// The branches that were decided in the frames that are there.
#[derive(Clone, Debug, Default)]
pub(super) struct Visits {
    /// The frame, counted from the outermost, the branch, and how often.
    branches: Vec<(usize, u32, u32)>,
}

impl Visits {
    /// Counts a decision at the instruction that is run, if it is a branch; how often there was
    /// one. To be called at each mark, before it is set.
    pub fn visit(&mut self, vm: &Vm, is_branch: bool) -> u32 {
        let kept = vm.frames_since_mark();
        self.branches.retain(|&(frame, ..)| frame < kept);
        let Some(frame) = vm.frames().last() else {
            return 0;
        };
        if !is_branch {
            return 0;
        }
        let (depth, pc) = (vm.frames().len() - 1, frame.pc);
        let mut times = 1;
        for branch in &self.branches {
            if branch.1 == pc {
                times += branch.2;
            }
        }
        match self
            .branches
            .iter_mut()
            .find(|branch| branch.0 == depth && branch.1 == pc)
        {
            Some(branch) => branch.2 += 1,
            None => self.branches.push((depth, pc, 1)),
        }
        times
    }
}
