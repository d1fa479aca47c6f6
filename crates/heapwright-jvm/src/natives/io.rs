//! Streams and `RandomAccessFile`: the standard streams, and the files that the program sees.
//! Standard input is empty unless the machine replaces `java`.

use super::file::io_exception;
use super::{Args, NativeEntry, nothing};
use crate::chances::Chance;
use crate::files::{FileError, OpenOptions};
use crate::heap::Ref;
use crate::vm::{Fault, PrintedText, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    ("java/io/FileDescriptor.getHandle(I)J", no_handle),
    ("java/io/FileDescriptor.getAppend(I)Z", nothing),
    ("java/io/FileDescriptor.close0()V", close_descriptor),
    ("java/io/FileDescriptor.sync()V", nothing),
    ("java/io/FileDescriptor.sync0()V", nothing),
    ("java/io/FileCleanable.cleanupClose0(IJ)V", nothing),
    ("java/io/FileInputStream.readBytes([BII)I", read_bytes),
    ("java/io/FileInputStream.read0()I", read_byte),
    ("java/io/FileInputStream.available0()I", available),
    ("java/io/FileInputStream.length0()J", length),
    ("java/io/FileInputStream.position0()J", position),
    ("java/io/FileInputStream.skip0(J)J", skip),
    (
        "java/io/FileInputStream.isRegularFile0(Ljava/io/FileDescriptor;)Z",
        is_regular,
    ),
    (
        "java/io/FileInputStream.open0(Ljava/lang/String;)V",
        open_input,
    ),
    ("java/io/FileOutputStream.writeBytes([BIIZ)V", write_bytes),
    ("java/io/FileOutputStream.write(IZ)V", write_byte),
    (
        "java/io/FileOutputStream.open0(Ljava/lang/String;Z)V",
        open_output,
    ),
    (
        "java/io/RandomAccessFile.open0(Ljava/lang/String;I)V",
        open_random,
    ),
    ("java/io/RandomAccessFile.read0()I", read_byte),
    ("java/io/RandomAccessFile.readBytes([BII)I", read_bytes),
    ("java/io/RandomAccessFile.readBytes0([BII)I", read_bytes),
    ("java/io/RandomAccessFile.write0(I)V", write_byte),
    ("java/io/RandomAccessFile.writeBytes([BII)V", write_bytes),
    ("java/io/RandomAccessFile.writeBytes0([BII)V", write_bytes),
    ("java/io/RandomAccessFile.getFilePointer()J", position),
    ("java/io/RandomAccessFile.seek0(J)V", seek),
    ("java/io/RandomAccessFile.length()J", length),
    ("java/io/RandomAccessFile.length0()J", length),
    ("java/io/RandomAccessFile.setLength(J)V", set_length),
    ("java/io/RandomAccessFile.setLength0(J)V", set_length),
    ("java/io/Console.istty()Z", nothing),
    ("java/io/Console.ttyStatus()I", nothing),
    ("java/io/Console.encoding()Ljava/lang/String;", nothing),
    ("java/io/ObjectStreamClass.initNative()V", nothing),
];

/// Descriptors of the standard streams.
const STANDARD_INPUT: i32 = 0;
const STANDARD_OUTPUT: i32 = 1;
const STANDARD_ERROR: i32 = 2;

fn no_handle(_: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(-1i64 as u64)
}

/// Result of a read at the end of the input.
const END: u64 = -1i32 as u32 as u64;

impl Vm {
    /// Reads from a file or from standard input, which is empty if the program has none.
    pub(crate) fn read_descriptor(
        &mut self,
        descriptor: i32,
        most: usize,
    ) -> Result<Vec<u8>, Fault> {
        use std::io::Read;
        if descriptor != STANDARD_INPUT {
            if self.state.files.is_random(descriptor) {
                // Other runs read other bytes.
                self.note_chance(Chance::RandomBytes);
            }
            return self
                .files_mut()
                .read(descriptor, most)
                .map_err(io_exception);
        }
        self.note_chance(Chance::StandardInput);
        if !self.config.replaces_launcher || self.heap.is_marked() {
            return Ok(Vec::new());
        }
        let mut buffer = vec![0; most.min(8192)];
        let read = std::io::stdin().read(&mut buffer);
        let count = read.map_err(|error| Fault::raise("java/io/IOException", error.to_string()))?;
        buffer.truncate(count);
        Ok(buffer)
    }

    /// Writes to a file or to a standard stream.
    pub(crate) fn write_descriptor(&mut self, descriptor: i32, bytes: &[u8]) -> Result<(), Fault> {
        match descriptor {
            STANDARD_OUTPUT | STANDARD_ERROR => {
                self.write_output(descriptor as u8, bytes);
                Ok(())
            }
            _ => {
                let now = self.noted_time();
                let files = self.files_mut();
                files.write(descriptor, bytes, now).map_err(io_exception)
            }
        }
    }

    pub(crate) fn write_output(&mut self, stream: u8, bytes: &[u8]) {
        match self.state.output.last_mut() {
            Some(last) if last.stream == stream => last.bytes.extend_from_slice(bytes),
            _ => self.state.output.push(PrintedText {
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

    /// Number in a `FileDescriptor`.
    pub(crate) fn descriptor_number(&self, descriptor: Ref) -> Result<i32, Fault> {
        if descriptor.is_null() {
            return Err(Fault::Raise("java/lang/NullPointerException", None));
        }
        let word = self.word_of(self.heap.class_of(descriptor), "fd")?;
        Ok(self.read_slot(descriptor.0 + word)? as u32 as i32)
    }
}

/// Checks that a stream was not closed, which sets its descriptor to -1.
fn check_open(descriptor: i32) -> Result<(), Fault> {
    match descriptor {
        -1 => Err(Fault::raise("java/io/IOException", "Stream Closed")),
        _ => Ok(()),
    }
}

/// The `FileDescriptor` of a stream.
fn descriptor_object(vm: &Vm, args: Args) -> Result<Ref, Fault> {
    let this = vm.arg_object(args, 0)?;
    let word = vm.word_of(vm.heap.class_of(this), "fd")?;
    Ok(Ref::from_slot(vm.read_slot(this.0 + word)?))
}

fn descriptor(vm: &Vm, args: Args) -> Result<i32, Fault> {
    let descriptor = vm.descriptor_number(descriptor_object(vm, args)?)?;
    check_open(descriptor)?;
    Ok(descriptor)
}

fn close_descriptor(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let this = vm.arg_object(args, 0)?;
    let number = vm.descriptor_number(this)?;
    if vm.state.files.is_open(number) {
        vm.files_mut().close(number);
    }
    vm.put(this, "fd", u64::from(-1i32 as u32));
    Ok(0)
}

/// Opens a file for a stream, whose descriptor object gets its number.
fn open(vm: &mut Vm, args: Args, options: OpenOptions) -> Result<u64, Fault> {
    let name = vm.string_text(vm.arg_object(args, 1)?);
    let into = descriptor_object(vm, args)?;
    let path = vm.state.files.located(&name);
    let now = vm.noted_time();
    let failed = |error: FileError| {
        let reason = FileError::message(error.number());
        Fault::raise(
            "java/io/FileNotFoundException",
            format!("{name} ({reason})"),
        )
    };
    if name.is_empty() {
        return Err(failed(FileError::NoEntry));
    }
    if options.write {
        vm.may_change(&path)?;
    } else {
        vm.may_see(&path)?;
    }
    // Folders are not opened as streams.
    let attributes = vm.state.files.attributes(&path);
    if attributes.is_ok_and(|attributes| attributes.is_folder) {
        return Err(failed(FileError::IsAFolder));
    }
    let number = vm.files_mut().open(&path, options, now).map_err(failed)?;
    vm.put(into, "fd", u64::from(number as u32));
    vm.put(into, "append", u64::from(options.append));
    Ok(0)
}

fn open_input(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let options = OpenOptions {
        read: true,
        ..OpenOptions::default()
    };
    open(vm, args, options)
}

fn open_output(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let append = vm.arg_int(args, 2) != 0;
    let options = OpenOptions {
        write: true,
        create: true,
        append,
        truncate: !append,
        ..OpenOptions::default()
    };
    open(vm, args, options)
}

/// The mode has 1 for reading only, and 2 for reading and writing.
fn open_random(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const WRITE: i32 = 2;
    let write = vm.arg_int(args, 2) & WRITE != 0;
    let options = OpenOptions {
        read: true,
        write,
        create: write,
        ..OpenOptions::default()
    };
    open(vm, args, options)
}

fn read_byte(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = descriptor(vm, args)?;
    let bytes = vm.read_descriptor(descriptor, 1)?;
    Ok(bytes.first().map_or(END, |&byte| u64::from(byte)))
}

/// Bytes of the array range in the arguments from 1 on.
fn range(vm: &Vm, args: Args) -> Result<(Ref, usize, usize), Fault> {
    let array = vm.arg_object(args, 1)?;
    let (start, length) = (vm.arg_int(args, 2), vm.arg_int(args, 3));
    vm.check_elements(array, start.max(0) as u32, length.max(0) as u32)?;
    let end = i64::from(start) + i64::from(length);
    if start < 0 || length < 0 || end > i64::from(vm.heap.array_length(array)) {
        return Err(Fault::Raise("java/lang/IndexOutOfBoundsException", None));
    }
    Ok((array, start as usize, length as usize))
}

fn read_bytes(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (array, start, length) = range(vm, args)?;
    if length == 0 {
        return Ok(0);
    }
    let descriptor = descriptor(vm, args)?;
    let bytes = vm.read_descriptor(descriptor, length)?;
    let at = vm.heap.elements(array) + start as u64;
    vm.settle_elements(array, start as u32, bytes.len() as u32);
    vm.heap.write_bytes(at, &bytes);
    Ok(if bytes.is_empty() {
        END
    } else {
        bytes.len() as u64
    })
}

fn write_bytes(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (array, start, length) = range(vm, args)?;
    let descriptor = descriptor(vm, args)?;
    let bytes = vm.heap.byte_elements(array)[start..start + length].to_vec();
    vm.write_descriptor(descriptor, &bytes)?;
    Ok(0)
}

fn write_byte(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = descriptor(vm, args)?;
    let byte = vm.arg_int(args, 1) as u8;
    vm.write_descriptor(descriptor, &[byte])?;
    Ok(0)
}

/// Bytes between position and end of a file; 0 for standard input.
fn available(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = descriptor(vm, args)?;
    if descriptor == STANDARD_INPUT {
        return Ok(0);
    }
    let files = &vm.state.files;
    let left = files.length(descriptor).and_then(|length| {
        let position = files.position(descriptor)?;
        Ok(length.saturating_sub(position).min(i32::MAX as u64))
    });
    left.map_err(io_exception)
}

fn length(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = descriptor(vm, args)?;
    match descriptor {
        STANDARD_INPUT..=STANDARD_ERROR => Ok(0),
        file => vm.state.files.length(file).map_err(io_exception),
    }
}

fn position(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = descriptor(vm, args)?;
    match descriptor {
        STANDARD_INPUT..=STANDARD_ERROR => Err(Fault::raise("java/io/IOException", "Illegal seek")),
        file => vm.state.files.position(file).map_err(io_exception),
    }
}

/// Moves by a number of bytes, beyond the end too, and never before the start.
fn skip(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = descriptor(vm, args)?;
    let by = vm.arg(args, 1) as i64;
    if descriptor == STANDARD_INPUT {
        let read = vm.read_descriptor(descriptor, by.clamp(0, 8192) as usize)?;
        return Ok(read.len() as u64);
    }
    let old = vm.state.files.position(descriptor).map_err(io_exception)?;
    let new = u64::try_from((old as i64).saturating_add(by))
        .map_err(|_| io_exception(FileError::Invalid))?;
    vm.files_mut().seek(descriptor, new).map_err(io_exception)?;
    Ok(new.wrapping_sub(old))
}

fn seek(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = descriptor(vm, args)?;
    let to = u64::try_from(vm.arg(args, 1) as i64).map_err(|_| io_exception(FileError::Invalid))?;
    vm.files_mut().seek(descriptor, to).map_err(io_exception)?;
    Ok(0)
}

fn set_length(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = descriptor(vm, args)?;
    let length =
        u64::try_from(vm.arg(args, 1) as i64).map_err(|_| io_exception(FileError::Invalid))?;
    let now = vm.noted_time();
    let files = vm.files_mut();
    files
        .set_length(descriptor, length, now)
        .map_err(io_exception)?;
    Ok(0)
}

/// Whether a stream reads a file, whose length is known.
fn is_regular(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let number = vm.descriptor_number(vm.arg_ref(args, 1))?;
    Ok(u64::from(vm.state.files.is_open(number)))
}
