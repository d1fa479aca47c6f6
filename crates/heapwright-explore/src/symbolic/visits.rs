//! How often the branches of a path were decided: bounds of loops and recursion.
//!
//! A branch is counted in the frame that runs it, and in the frames below it that are still there:
//! coming by again in one frame is an iteration, in a further one of the same method a recursion.
//! What one instruction decides before it is done (the cases of a switch, an index and a length)
//! counts once.

use heapwright_jvm::Vm;

/// The branches that were decided in the frames that are there.
#[derive(Clone, Debug, Default)]
pub(super) struct Visits {
    /// The frame, counted from the outermost, the branch, and how often.
    branches: Vec<(usize, u32, u32)>,
    /// Whether the instruction that is run was counted.
    is_counted: bool,
}

impl Visits {
    /// The run stopped, so many instructions after the last time; the one it stopped at is one.
    pub fn stop(&mut self, instructions: u64) {
        if instructions > 1 {
            self.is_counted = false;
        }
    }

    /// Counts a decision at the instruction that is run, if it is a branch; how often there was
    /// one. To be called at each mark, before it is set.
    pub fn visit(&mut self, vm: &Vm, is_branch: bool) -> u32 {
        let kept = vm.frames_since_mark();
        self.branches.retain(|&(frame, ..)| frame < kept);
        let Some(frame) = vm.frames().last() else {
            return 0;
        };
        if !is_branch || std::mem::replace(&mut self.is_counted, true) {
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
