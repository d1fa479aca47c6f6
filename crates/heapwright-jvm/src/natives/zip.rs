//! `java.util.zip.Deflater` and `Inflater`. Compressed bytes may differ from those of another
//! installation, as zlib's do.

use std::sync::Arc;

use super::{Args, NativeEntry};
use crate::chances::Chance;
use crate::compression::{Processed, StreamKind, StreamOperation};
use crate::heap::{ELEMENTS, Ref};
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    ("java/util/zip/Deflater.init(IIZ)J", init_deflater),
    (
        "java/util/zip/Deflater.setDictionary(J[BII)V",
        set_dictionary,
    ),
    (
        "java/util/zip/Deflater.setDictionaryBuffer(JJI)V",
        set_dictionary_buffer,
    ),
    (
        "java/util/zip/Deflater.deflateBytesBytes(J[BII[BIIII)J",
        |vm, args| {
            deflate(
                vm,
                args,
                ByteArguments::Array(3),
                ByteArguments::Array(6),
                9,
            )
        },
    ),
    (
        "java/util/zip/Deflater.deflateBytesBuffer(J[BIIJIII)J",
        |vm, args| {
            deflate(
                vm,
                args,
                ByteArguments::Array(3),
                ByteArguments::Address(6),
                9,
            )
        },
    ),
    (
        "java/util/zip/Deflater.deflateBufferBytes(JJI[BIIII)J",
        |vm, args| {
            deflate(
                vm,
                args,
                ByteArguments::Address(3),
                ByteArguments::Array(6),
                9,
            )
        },
    ),
    (
        "java/util/zip/Deflater.deflateBufferBuffer(JJIJIII)J",
        |vm, args| {
            deflate(
                vm,
                args,
                ByteArguments::Address(3),
                ByteArguments::Address(6),
                9,
            )
        },
    ),
    ("java/util/zip/Deflater.getAdler(J)I", adler),
    ("java/util/zip/Deflater.reset(J)V", reset),
    ("java/util/zip/Deflater.end(J)V", end),
    ("java/util/zip/Inflater.init(Z)J", init_inflater),
    (
        "java/util/zip/Inflater.setDictionary(J[BII)V",
        set_dictionary,
    ),
    (
        "java/util/zip/Inflater.setDictionaryBuffer(JJI)V",
        set_dictionary_buffer,
    ),
    (
        "java/util/zip/Inflater.inflateBytesBytes(J[BII[BII)J",
        |vm, args| inflate(vm, args, ByteArguments::Array(3), ByteArguments::Array(6)),
    ),
    (
        "java/util/zip/Inflater.inflateBytesBuffer(J[BIIJI)J",
        |vm, args| inflate(vm, args, ByteArguments::Array(3), ByteArguments::Address(6)),
    ),
    (
        "java/util/zip/Inflater.inflateBufferBytes(JJI[BII)J",
        |vm, args| inflate(vm, args, ByteArguments::Address(3), ByteArguments::Array(6)),
    ),
    (
        "java/util/zip/Inflater.inflateBufferBuffer(JJIJI)J",
        |vm, args| {
            inflate(
                vm,
                args,
                ByteArguments::Address(3),
                ByteArguments::Address(6),
            )
        },
    ),
    ("java/util/zip/Inflater.getAdler(J)I", adler),
    ("java/util/zip/Inflater.reset(J)V", reset),
    ("java/util/zip/Inflater.end(J)V", end),
];

/// Bytes in the argument words from an index on: three words each.
#[derive(Clone, Copy)]
enum ByteArguments {
    /// Array, offset and length.
    Array(usize),
    /// Address and length.
    Address(usize),
}

impl ByteArguments {
    /// Address and length of the bytes.
    fn range(self, vm: &Vm, args: Args) -> Result<(u64, u64), Fault> {
        match self {
            ByteArguments::Array(index) => {
                let array = vm.arg_object(args, index)?;
                let (offset, length) = (vm.arg(args, index + 1), vm.arg(args, index + 2));
                let (offset, length) = (u64::from(offset as u32), u64::from(length as u32));
                let start = 8 * u64::from(ELEMENTS) + offset;
                Ok((vm.byte_range(array, start, length)?, length))
            }
            ByteArguments::Address(index) => {
                let length = u64::from(vm.arg(args, index + 2) as u32);
                let at = vm.byte_range(Ref::NULL, vm.arg(args, index), length)?;
                Ok((at, length))
            }
        }
    }
}

impl Vm {
    fn apply(&mut self, handle: u64, operation: StreamOperation) -> Result<Processed, Fault> {
        let streams = Arc::make_mut(&mut self.state.streams);
        if streams.bytes() > self.config.max_heap_bytes {
            return Err(Fault::unsupported(
                "java.util.zip: more compressed data than the memory for objects",
            ));
        }
        let processed = streams.apply(&mut self.live_streams, handle, operation);
        processed.ok_or(Fault::Raise("java/lang/NullPointerException", None))
    }

    fn bytes_in(&self, (at, length): (u64, u64)) -> Vec<u8> {
        let bytes = (0..length).map(|index| self.heap.load8(at + index));
        bytes.collect()
    }
}

fn level_of(level: i32) -> u32 {
    const USUAL: u32 = 6;
    u32::try_from(level).map_or(USUAL, |level| level.min(9))
}

/// Creates a stream that compresses. The strategy only tunes how well; all are the default one.
fn init_deflater(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let kind = StreamKind::Deflate {
        level: level_of(vm.arg_int(args, 0)),
        raw: vm.arg_int(args, 2) != 0,
    };
    Ok(Arc::make_mut(&mut vm.state.streams).open(kind))
}

fn init_inflater(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let raw = vm.arg_int(args, 0) != 0;
    Ok(Arc::make_mut(&mut vm.state.streams).open(StreamKind::Inflate { raw }))
}

fn dictionary(vm: &mut Vm, args: Args, form: ByteArguments) -> Result<u64, Fault> {
    let bytes = vm.bytes_in(form.range(vm, args)?);
    let set = vm.apply(vm.arg(args, 0), StreamOperation::Dictionary(bytes))?;
    match set.error {
        None => Ok(0),
        Some(_) => Err(Fault::Raise("java/lang/IllegalArgumentException", None)),
    }
}

fn set_dictionary(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    dictionary(vm, args, ByteArguments::Array(2))
}

fn set_dictionary_buffer(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    dictionary(vm, args, ByteArguments::Address(2))
}

/// Packs counts and flags as `Deflater` and `Inflater` unpack them.
fn packed(consumed: usize, written: usize, finished: bool, flag: bool) -> u64 {
    consumed as u64 | (written as u64) << 31 | u64::from(finished) << 62 | u64::from(flag) << 63
}

fn deflate(
    vm: &mut Vm,
    args: Args,
    from: ByteArguments,
    to: ByteArguments,
    flush_at: usize,
) -> Result<u64, Fault> {
    let handle = vm.arg(args, 1);
    // Bit 0 tells that level and strategy are to be set, which is all that the call does then.
    let parameters = vm.arg_int(args, flush_at + 1);
    if parameters & 1 != 0 {
        let level = level_of(parameters >> 3);
        vm.apply(handle, StreamOperation::Level(level))?;
        return Ok(0);
    }
    let flush = vm.arg(args, flush_at) as u32;
    // Other installations of zlib compress otherwise.
    vm.note_chance(Chance::Compression);
    let (processed, to) = process(vm, args, handle, from, to, flush)?;
    vm.heap.write_bytes(to, &processed.output);
    Ok(packed(
        processed.consumed,
        processed.output.len(),
        processed.finished,
        false,
    ))
}

fn process(
    vm: &mut Vm,
    args: Args,
    handle: u64,
    from: ByteArguments,
    to: ByteArguments,
    flush: u32,
) -> Result<(Processed, u64), Fault> {
    let input = vm.bytes_in(from.range(vm, args)?);
    let (to, room) = to.range(vm, args)?;
    let operation = StreamOperation::Process {
        input,
        room: room as usize,
        flush,
    };
    Ok((vm.apply(handle, operation)?, to))
}

fn inflate(vm: &mut Vm, args: Args, from: ByteArguments, to: ByteArguments) -> Result<u64, Fault> {
    let inflater = vm.arg_object(args, 0)?;
    let handle = vm.arg(args, 1);
    let (processed, to) = process(vm, args, handle, from, to, 0)?;
    vm.heap.write_bytes(to, &processed.output);
    if let Some(message) = processed.error {
        vm.put(inflater, "inputConsumed", processed.consumed as u64);
        vm.put(inflater, "outputConsumed", processed.output.len() as u64);
        let message = Some(message).filter(|message| !message.is_empty());
        return Err(Fault::Raise("java/util/zip/DataFormatException", message));
    }
    Ok(packed(
        processed.consumed,
        processed.output.len(),
        processed.finished,
        processed.needs_dictionary,
    ))
}

fn adler(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let handle = vm.arg(args, 0);
    let adler = vm.state.streams.adler(&mut vm.live_streams, handle);
    Ok(u64::from(adler.unwrap_or(0)))
}

fn reset(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    vm.apply(vm.arg(args, 0), StreamOperation::Reset)?;
    Ok(0)
}

fn end(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let handle = vm.arg(args, 0);
    Arc::make_mut(&mut vm.state.streams).close(&mut vm.live_streams, handle);
    Ok(0)
}
