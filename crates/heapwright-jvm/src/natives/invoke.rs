//! `java.lang.invoke`, as far as library code needs it without its implementation.

use super::{Args, NativeEntry, nothing};
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    ("java/lang/invoke/VarHandle.<clinit>()V", nothing),
    ("java/lang/invoke/VarHandle.acquireFence()V", nothing),
    ("java/lang/invoke/VarHandle.releaseFence()V", nothing),
    ("java/lang/invoke/VarHandle.fullFence()V", nothing),
    ("java/lang/invoke/VarHandle.storeStoreFence()V", nothing),
    ("java/lang/invoke/VarHandle.loadLoadFence()V", nothing),
    (
        "jdk/internal/util/ArraysSupport.vectorizedMismatch(Ljava/lang/Object;JLjava/lang/Object;JII)I",
        vectorized_mismatch,
    ),
];

/// Reports that no element was compared, so that the caller compares them itself.
fn vectorized_mismatch(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let length = vm.arg_int(args, 6);
    Ok(u64::from(!length as u32))
}
