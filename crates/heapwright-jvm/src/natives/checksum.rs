//! CRC-32 and Adler-32 of `java.util.zip`.

use crc32fast::Hasher;
use simd_adler32::Adler32;

use super::{Args, NativeEntry};
use crate::heap::Ref;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    ("java/util/zip/CRC32.update(II)I", crc32_byte),
    ("java/util/zip/CRC32.updateBytes0(I[BII)I", crc32_bytes),
    ("java/util/zip/CRC32.updateByteBuffer0(IJII)I", crc32_buffer),
    (
        "java/util/zip/Adler32.updateByteBuffer(IJII)I",
        adler32_buffer,
    ),
    ("java/util/zip/Adler32.update(II)I", adler32_byte),
    ("java/util/zip/Adler32.updateBytes(I[BII)I", adler32_bytes),
];

fn crc32(start: u32, bytes: &[u8]) -> u64 {
    let mut hasher = Hasher::new_with_initial(start);
    hasher.update(bytes);
    hasher.finalize().into()
}

fn adler32(start: u32, bytes: &[u8]) -> u64 {
    let mut hasher = Adler32::from_checksum(start);
    hasher.write(bytes);
    hasher.finish().into()
}

/// Part of a byte array; the caller has checked the bounds.
fn part(vm: &mut Vm, args: Args) -> Result<Vec<u8>, Fault> {
    let array: Ref = vm.arg_object(args, 1)?;
    let (offset, length) = (vm.arg_int(args, 2), vm.arg_int(args, 3));
    let size = vm.checked_length(array)?;
    let (Ok(offset), Ok(length)) = (u32::try_from(offset), u32::try_from(length)) else {
        return Ok(Vec::new());
    };
    if offset.checked_add(length).is_none_or(|end| end > size) {
        return Ok(Vec::new());
    }
    vm.check_elements(array, offset, length)?;
    let start = vm.heap.elements(array) + u64::from(offset);
    Ok((0..u64::from(length))
        .map(|index| vm.heap.load8(start + index))
        .collect())
}

/// Part of the memory of a direct buffer.
fn direct_part(vm: &Vm, args: Args) -> Result<Vec<u8>, Fault> {
    let (offset, length) = (vm.arg_int(args, 3), vm.arg_int(args, 4));
    let length = u64::from(length.max(0) as u32);
    vm.bytes_at(vm.arg(args, 1).wrapping_add(offset as u64), length)
}

fn crc32_buffer(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let bytes = direct_part(vm, args)?;
    Ok(crc32(vm.arg_int(args, 0) as u32, &bytes))
}

fn adler32_buffer(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let bytes = direct_part(vm, args)?;
    Ok(adler32(vm.arg_int(args, 0) as u32, &bytes))
}

fn crc32_byte(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let byte = vm.arg_int(args, 1) as u8;
    Ok(crc32(vm.arg_int(args, 0) as u32, &[byte]))
}

fn crc32_bytes(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let bytes = part(vm, args)?;
    Ok(crc32(vm.arg_int(args, 0) as u32, &bytes))
}

fn adler32_byte(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let byte = vm.arg_int(args, 1) as u8;
    Ok(adler32(vm.arg_int(args, 0) as u32, &[byte]))
}

fn adler32_bytes(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let bytes = part(vm, args)?;
    Ok(adler32(vm.arg_int(args, 0) as u32, &bytes))
}
