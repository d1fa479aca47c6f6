//! Standard streams; all other files are refused. Standard input is empty unless the machine
//! replaces `java`.

use super::{Args, Entry, nothing};
use crate::vm::{Fault, Output, Vm};

pub(super) const NATIVES: &[Entry] = &[
    ("java/io/FileDescriptor.getHandle(I)J", no_handle),
    ("java/io/FileDescriptor.getAppend(I)Z", nothing),
    ("java/io/FileDescriptor.close0()V", nothing),
    ("java/io/FileInputStream.readBytes([BII)I", read_bytes),
    ("java/io/FileInputStream.read0()I", read_byte),
    ("java/io/FileInputStream.available0()I", nothing),
    (
        "java/io/FileInputStream.isRegularFile0(Ljava/io/FileDescriptor;)Z",
        nothing,
    ),
    (
        "java/io/FileInputStream.open0(Ljava/lang/String;)V",
        refuse_file,
    ),
    ("java/io/FileOutputStream.writeBytes([BIIZ)V", write_bytes),
    ("java/io/FileOutputStream.write(IZ)V", write_byte),
    (
        "java/io/FileOutputStream.open0(Ljava/lang/String;Z)V",
        refuse_file,
    ),
    (
        "java/io/RandomAccessFile.open0(Ljava/lang/String;I)V",
        refuse_file,
    ),
    ("java/io/Console.istty()Z", nothing),
    ("java/io/ObjectStreamClass.initNative()V", nothing),
];

fn no_handle(_: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(-1i64 as u64)
}

/// Result of a read at the end of the input.
const END: u64 = -1i32 as u32 as u64;

/// Reads standard input; nothing if the program has none.
fn read_input(vm: &Vm, buffer: &mut [u8]) -> Result<usize, Fault> {
    use std::io::Read;
    if !vm.config.replaces_launcher || vm.heap.is_marked() {
        return Ok(0);
    }
    let read = std::io::stdin().read(buffer);
    read.map_err(|error| Fault::raise("java/io/IOException", error.to_string()))
}

fn read_byte(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    let mut byte = [0];
    Ok(match read_input(vm, &mut byte)? {
        0 => END,
        _ => u64::from(byte[0]),
    })
}

fn read_bytes(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let array = vm.arg_object(args, 1)?;
    let (start, length) = (vm.arg_int(args, 2), vm.arg_int(args, 3));
    let end = i64::from(start) + i64::from(length);
    if start < 0 || length < 0 || end > i64::from(vm.heap.array_length(array)) {
        return Err(Fault::Raise("java/lang/IndexOutOfBoundsException", None));
    }
    if length == 0 {
        return Ok(0);
    }
    let mut bytes = vec![0; (length as usize).min(8192)];
    let count = read_input(vm, &mut bytes)?;
    let at = vm.heap.elements(array) + start as u64;
    vm.heap.write_bytes(at, &bytes[..count]);
    Ok(if count == 0 { END } else { count as u64 })
}

fn refuse_file(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = vm.arg_object(args, 1)?;
    Err(Fault::unsupported(format!(
        "opening the file {}: files are not opened",
        vm.string_text(path)
    )))
}

/// Number of the stream that a `FileOutputStream` writes to.
fn stream(vm: &Vm, args: Args) -> Result<u8, Fault> {
    let this = vm.arg_object(args, 0)?;
    let descriptor = vm
        .heap
        .field(this, vm.word_of(vm.heap.class_of(this), "fd")?);
    let descriptor = crate::heap::Ref::from_slot(descriptor);
    if descriptor.is_null() {
        return Err(Fault::Raise("java/lang/NullPointerException", None));
    }
    let number = vm
        .heap
        .field(descriptor, vm.word_of(vm.heap.class_of(descriptor), "fd")?);
    match number {
        1 => Ok(1),
        2 => Ok(2),
        other => Err(Fault::unsupported(format!(
            "writing to file descriptor {}",
            other as u32 as i32
        ))),
    }
}

impl Vm {
    fn write_output(&mut self, stream: u8, bytes: &[u8]) {
        match self.state.output.last_mut() {
            Some(last) if last.stream == stream => last.bytes.extend_from_slice(bytes),
            _ => self.state.output.push(Output {
                stream,
                bytes: bytes.to_vec(),
            }),
        }
        if self.config.replaces_launcher && !self.heap.is_marked() {
            for output in self.take_output() {
                use std::io::Write;
                // The reader of the output may be gone, which cannot be reported to the program.
                let _ = match output.stream {
                    1 => std::io::stdout().write_all(&output.bytes),
                    _ => std::io::stderr().write_all(&output.bytes),
                };
            }
        }
    }
}

fn write_bytes(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let stream = stream(vm, args)?;
    let array = vm.arg_object(args, 1)?;
    let (start, length) = (vm.arg_int(args, 2), vm.arg_int(args, 3));
    let end = i64::from(start) + i64::from(length);
    vm.check_elements(array, start.max(0) as u32, length.max(0) as u32)?;
    if start < 0 || length < 0 || end > i64::from(vm.heap.array_length(array)) {
        return Err(Fault::Raise("java/lang/IndexOutOfBoundsException", None));
    }
    let bytes = vm.heap.byte_elements(array)[start as usize..end as usize].to_vec();
    vm.write_output(stream, &bytes);
    Ok(0)
}

fn write_byte(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let stream = stream(vm, args)?;
    let byte = vm.arg_int(args, 1) as u8;
    vm.write_output(stream, &[byte]);
    Ok(0)
}
