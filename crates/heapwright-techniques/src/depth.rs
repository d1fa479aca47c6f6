//! Stack depth: a JVM's stack may hold more frames than the engine's, so results that depend on it
//! are unreliable.

use heapwright_jvm::{ClassId, Vm};

/// Number of frames larger than a JVM's stack of default size holds.
const DEEP: u32 = 60_000;

/// Whether an exception of this class reports a stack overflow.
pub(crate) fn is_overflow(vm: &Vm, class: ClassId) -> bool {
    vm.class_name(class) == "java/lang/StackOverflowError"
}

/// Runs a function with a stack deeper than a JVM's, so that an overflow there occurs on every JVM.
/// The function receives the factor by which the stack is deeper, to scale limits on instructions.
pub(crate) fn on_a_deep_stack<T>(vm: &mut Vm, run: impl FnOnce(&mut Vm, u64) -> T) -> T {
    let frames = vm.limit_frames(DEEP);
    let came_to = run(vm, u64::from(DEEP.div_ceil(frames)));
    vm.limit_frames(frames);
    came_to
}
