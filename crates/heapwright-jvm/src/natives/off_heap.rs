//! Memory outside of objects, as direct buffers use it through `Unsafe`: a block is a `byte[]`
//! that nothing refers to, and an address is that of one of its elements.
//!
//! Invariant: an address is used only within a block that was not freed.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Args, NativeEntry};
use crate::heap::{ELEMENTS, Ref};
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    ("jdk/internal/misc/Unsafe.allocateMemory0(J)J", allocate),
    (
        "jdk/internal/misc/Unsafe.reallocateMemory0(JJ)J",
        reallocate,
    ),
    ("jdk/internal/misc/Unsafe.freeMemory0(J)V", free),
    (
        "jdk/internal/misc/Unsafe.setMemory0(Ljava/lang/Object;JJB)V",
        set,
    ),
    (
        "jdk/internal/misc/Unsafe.copySwapMemory0(Ljava/lang/Object;JLjava/lang/Object;JJJ)V",
        copy_swapped,
    ),
    ("jdk/internal/misc/Unsafe.pageSize()I", page_size),
];

/// Blocks in use: address and length in bytes.
#[derive(Clone, Default, Hash)]
pub(crate) struct OffHeap(BTreeMap<u64, u64>);

impl OffHeap {
    /// Arrays of the blocks in use.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = Ref> {
        let addresses = self.0.keys();
        addresses.map(|address| Ref((address >> 3) as u32 - ELEMENTS))
    }

    /// Whether `bytes` bytes from `address` on are in a block.
    fn contains(&self, address: u64, bytes: u64) -> bool {
        let block = self.0.range(..=address).next_back();
        block.is_some_and(|(start, length)| {
            let offset = address - start;
            offset.checked_add(bytes).is_some_and(|end| end <= *length)
        })
    }
}

impl Vm {
    /// Allocates memory outside of objects. Returns its address; 0 if there is none.
    pub(crate) fn allocate_off_heap(&mut self, bytes: u64) -> Result<u64, Fault> {
        if bytes > i32::MAX as u64 {
            return Ok(0);
        }
        let class = self.known().bytes;
        let length = bytes.max(1) as u32;
        let block = self.heap.allocate_array(class, length, 1, false)?;
        let address = self.heap.elements(block);
        Arc::make_mut(&mut self.state.off_heap)
            .0
            .insert(address, bytes);
        Ok(address)
    }

    /// Checks that a range of addresses is in a block outside of objects.
    pub(crate) fn check_address(&self, address: u64, bytes: u64) -> Result<u64, Fault> {
        match self.state.off_heap.contains(address, bytes) {
            true => Ok(address),
            false => Err(Fault::unsupported(
                "memory outside of the Java heap that was not allocated",
            )),
        }
    }

    /// Bytes at an address outside of objects.
    pub(crate) fn bytes_at(&self, address: u64, length: u64) -> Result<Vec<u8>, Fault> {
        self.check_address(address, length)?;
        Ok((0..length)
            .map(|index| self.heap.load8(address + index))
            .collect())
    }

    /// Text at an address outside of objects, which ends before a zero.
    pub(crate) fn text_at(&self, address: u64) -> Result<String, Fault> {
        let mut bytes = Vec::new();
        loop {
            let at = self.check_address(address + bytes.len() as u64, 1)?;
            match self.heap.load8(at) {
                0 => return Ok(String::from_utf8_lossy(&bytes).into_owned()),
                byte => bytes.push(byte),
            }
        }
    }
}

fn allocate(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let bytes = vm.arg(args, 1);
    vm.allocate_off_heap(bytes)
}

fn free(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let address = vm.arg(args, 1);
    if address != 0
        && Arc::make_mut(&mut vm.state.off_heap)
            .0
            .remove(&address)
            .is_none()
    {
        return Err(Fault::unsupported(
            "freeing memory outside of the Java heap that was not allocated",
        ));
    }
    Ok(0)
}

fn reallocate(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (old, bytes) = (vm.arg(args, 1), vm.arg(args, 3));
    let Some(&length) = vm.state.off_heap.0.get(&old) else {
        return Err(Fault::unsupported(
            "lengthening memory outside of the Java heap that was not allocated",
        ));
    };
    let new = vm.allocate_off_heap(bytes)?;
    if new != 0 {
        vm.heap.copy_bytes(old, new, length.min(bytes));
        Arc::make_mut(&mut vm.state.off_heap).0.remove(&old);
    }
    Ok(new)
}

fn set(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (bytes, value) = (vm.arg(args, 4), vm.arg(args, 6) as u8);
    if bytes == 0 {
        return Ok(0);
    }
    let at = vm.byte_range(vm.arg_ref(args, 1), vm.arg(args, 2), bytes)?;
    vm.heap.write_bytes(at, &vec![value; bytes as usize]);
    Ok(0)
}

/// Copies elements of 2, 4 or 8 bytes and reverses the bytes of each.
fn copy_swapped(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (bytes, size) = (vm.arg(args, 7), vm.arg(args, 9));
    if bytes == 0 {
        return Ok(0);
    }
    let from = vm.byte_range(vm.arg_ref(args, 1), vm.arg(args, 2), bytes)?;
    let to = vm.byte_range(vm.arg_ref(args, 4), vm.arg(args, 5), bytes)?;
    let mut copied: Vec<u8> = (0..bytes)
        .map(|index| vm.heap.load8(from + index))
        .collect();
    copied
        .chunks_mut(size.clamp(1, 8) as usize)
        .for_each(<[u8]>::reverse);
    vm.heap.write_bytes(to, &copied);
    Ok(0)
}

fn page_size(_: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(4096)
}
