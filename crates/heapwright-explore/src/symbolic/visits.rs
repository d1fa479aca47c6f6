//! Counts of branch decisions on a path, which bound loops and recursion.
//!
//! A branch is counted in the frame that runs it and in the active frames below. A repetition in
//! the same frame is an iteration, one in a further frame of the same method a recursion. All
//! decisions of one instruction before it completes (the cases of a switch, an index and a length)
//! count once.

use heapwright_jvm::Vm;

/// Branches decided in the active frames.
#[derive(Clone, Debug, Default)]
pub(super) struct Visits {
    /// Frame (counted from the outermost), branch, and number of decisions.
    branches: Vec<(usize, u32, u32)>,
    /// Whether the running instruction was counted.
    is_counted: bool,
}

impl Visits {
    /// Records that the run stopped `instructions` after the last time, including the one it
    /// stopped at.
    pub fn stop(&mut self, instructions: u64) {
        if instructions > 1 {
            self.is_counted = false;
        }
    }

    /// Whether a branch was decided in several active frames.
    pub fn is_recursive(&self, pc: u32) -> bool {
        self.branches.iter().filter(|branch| branch.1 == pc).count() > 1
    }

    /// Counts a decision at the running instruction, if it is a branch; returns their number
    /// including this one, 0 if nothing was counted. It must be called at each mark, before the
    /// mark is set.
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
