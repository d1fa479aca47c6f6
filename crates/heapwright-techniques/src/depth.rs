//! How deep a stack is: a JVM's may hold more frames than the engine's, so that what depends on it is no answer.

use heapwright_jvm::{ClassId, Vm};

/// More frames than the stack of a JVM holds where nothing is said of its size.
const DEEP: u32 = 60_000;

/// Whether an exception of this class says that a stack was full.
pub(crate) fn is_overflow(vm: &Vm, class: ClassId) -> bool {
    vm.class_name(class) == "java/lang/StackOverflowError"
}

/// Runs something with a stack that is deeper than that of a JVM: what overflows it overflows any. What runs is told
/// how many times deeper it is, by which its instructions may be more.
pub(crate) fn on_a_deep_stack<T>(vm: &mut Vm, run: impl FnOnce(&mut Vm, u64) -> T) -> T {
    let frames = vm.limit_frames(DEEP);
    let came_to = run(vm, u64::from(DEEP.div_ceil(frames)));
    vm.limit_frames(frames);
    came_to
}
