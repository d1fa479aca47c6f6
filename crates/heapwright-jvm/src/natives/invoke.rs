//! `java.lang.invoke`, as far as library code needs it without its implementation.

use super::{Args, NativeEntry, nothing};
use crate::descriptor::Kind;
use crate::heap::{ELEMENTS, Ref};
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

/// Logarithm of the size of a long or a double in bytes.
const LONG_SCALE: i32 = 3;

/// Compares the bits of elements of two arrays. Returns the place of the first that differs, or the
/// complement of the number of elements that the caller compares itself: none of longs and doubles,
/// all of smaller ones.
fn vectorized_mismatch(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let length = vm.arg_int(args, 6);
    if vm.arg_int(args, 7) != LONG_SCALE {
        return Ok(u64::from(!length as u32));
    }
    let (a, b) = (vm.arg_object(args, 0)?, vm.arg_object(args, 3)?);
    let first = |offset: u64| ((offset >> LONG_SCALE) - u64::from(ELEMENTS)) as u32;
    let (from_a, from_b) = (first(vm.arg(args, 1)), first(vm.arg(args, 4)));
    let element = |vm: &Vm, array: Ref, place: u32| {
        vm.check_elements(array, place, 1)?;
        let at = vm.heap.elements(array) + (u64::from(place) << LONG_SCALE);
        Ok::<u64, Fault>(vm.array_slot(at, Kind::Long))
    };
    for place in 0..length.max(0) as u32 {
        if element(vm, a, from_a + place)? != element(vm, b, from_b + place)? {
            return Ok(u64::from(place));
        }
    }
    Ok(u64::from(!0_u32))
}
