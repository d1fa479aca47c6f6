//! CRC-32 and Adler-32 of `java.util.zip`.

use super::{Args, Entry};
use crate::heap::Ref;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[Entry] = &[
    ("java/util/zip/CRC32.update(II)I", crc32_byte),
    ("java/util/zip/CRC32.updateBytes0(I[BII)I", crc32_bytes),
    ("java/util/zip/Adler32.update(II)I", adler32_byte),
    ("java/util/zip/Adler32.updateBytes(I[BII)I", adler32_bytes),
];

const fn crc32_table() -> [u32; 256] {
    /// Polynomial of IEEE 802.3, bits reversed.
    const POLYNOMIAL: u32 = 0xEDB8_8320;
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut value = index as u32;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 0 {
                value >> 1
            } else {
                value >> 1 ^ POLYNOMIAL
            };
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
}

static CRC32: [u32; 256] = crc32_table();

fn crc32(start: u32, bytes: impl Iterator<Item = u8>) -> u64 {
    let value = bytes.fold(!start, |value, byte| {
        value >> 8 ^ CRC32[(value as u8 ^ byte) as usize]
    });
    u64::from(!value)
}

fn adler32(start: u32, bytes: impl Iterator<Item = u8>) -> u64 {
    const BASE: u32 = 65521;
    let (low, high) = bytes.fold((start & 0xFFFF, start >> 16), |(low, high), byte| {
        let low = (low + u32::from(byte)) % BASE;
        (low, (high + low) % BASE)
    });
    u64::from(high << 16 | low)
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

fn crc32_byte(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let byte = vm.arg_int(args, 1) as u8;
    Ok(crc32(vm.arg_int(args, 0) as u32, std::iter::once(byte)))
}

fn crc32_bytes(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let bytes = part(vm, args)?;
    Ok(crc32(vm.arg_int(args, 0) as u32, bytes.into_iter()))
}

fn adler32_byte(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let byte = vm.arg_int(args, 1) as u8;
    Ok(adler32(vm.arg_int(args, 0) as u32, std::iter::once(byte)))
}

fn adler32_bytes(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let bytes = part(vm, args)?;
    Ok(adler32(vm.arg_int(args, 0) as u32, bytes.into_iter()))
}
