//! `java.nio.file` and file channels on Linux: the calls of the C library that the JDK's classes
//! make, answered from the files that the program sees. Paths and buffers are at addresses
//! outside of objects.

use super::file::io_exception;
use super::{Args, NativeEntry, nothing, one};
use crate::chances::Chance;
use crate::files::{Attributes, FileError, OpenOptions};
use crate::heap::Ref;
use crate::vm::{Fault, Vm};

macro_rules! natives {
    ($($class:ident { $($name:literal $native:expr;)* })*) => {
        pub(super) const NATIVES: &[NativeEntry] = &[
            $($((concat!(natives!(@name $class), ".", $name), $native),)*)*
        ];
    };
    (@name Dispatcher) => { "sun/nio/fs/UnixNativeDispatcher" };
    (@name Copy) => { "sun/nio/fs/UnixCopyFile" };
    (@name FileSystem) => { "sun/nio/fs/UnixFileSystem" };
    (@name Provider) => { "sun/nio/fs/UnixFileSystemProvider" };
    (@name Linux) => { "sun/nio/fs/LinuxNativeDispatcher" };
    (@name Files17) => { "sun/nio/ch/FileDispatcherImpl" };
    (@name Files21) => { "sun/nio/ch/UnixFileDispatcherImpl" };
    (@name Unix) => { "sun/nio/ch/UnixDispatcher" };
    (@name Channel) => { "sun/nio/ch/FileChannelImpl" };
    (@name Util) => { "sun/nio/ch/IOUtil" };
    (@name Thread) => { "sun/nio/ch/NativeThread" };
    (@name Key17) => { "sun/nio/ch/FileKey" };
    (@name Preferences) => { "java/util/prefs/FileSystemPreferences" };
    (@name Mapped) => { "java/nio/MappedMemoryUtils" };
    (@name Image) => { "jdk/internal/jimage/NativeImageBuffer" };
    (@name Key21) => { "sun/nio/ch/UnixFileKey" };
}

// Names and descriptors differ between the releases 17, 21 and 25.
natives! {
    Dispatcher {
        "init()I" nothing;
        "fchmodatNoFollowSupported0()Z" nothing;
        "getcwd()[B" working_folder;
        "strerror(I)[B" error_text;
        "getpwuid(I)[B" user_name;
        "getgrgid(I)[B" user_name;
        "open0(JII)I" open;
        "close0(I)V" close_number;
        "dup(I)I" |_, _| Err(Fault::unsupported("duplicates of file descriptors"));
        "unlink0(J)V" unlink;
        "rmdir0(J)V" remove_folder;
        "mkdir0(JI)V" make_folder;
        "rename0(JJ)V" rename;
        "link0(JJ)V" |vm, _| Err(unix(vm, FileError::NotSupported));
        "symlink0(JJ)V" |vm, _| Err(unix(vm, FileError::NotSupported));
        "readlink0(J)[B" |vm, _| Err(unix(vm, FileError::Invalid));
        "realpath0(J)[B" real_path;
        "statvfs0(JLsun/nio/fs/UnixFileStoreAttributes;)V" stat_store;
        "stat0(JLsun/nio/fs/UnixFileAttributes;)V" stat;
        "stat0(JLsun/nio/fs/UnixFileAttributes;)I" stat_number;
        "lstat0(JLsun/nio/fs/UnixFileAttributes;)V" stat;
        "stat1(J)I" stat_mode;
        "exists0(J)Z" exists;
        "fstat(ILsun/nio/fs/UnixFileAttributes;)V" stat_open;
        "fstat0(ILsun/nio/fs/UnixFileAttributes;)V" stat_open;
        "access0(JI)V" access;
        "access0(JI)I" access_number;
        "chmod0(JI)V" set_mode;
        "chown0(JII)V" nothing;
        "lchown0(JII)V" nothing;
        "fchown(III)V" nothing;
        "fchown0(III)V" nothing;
        "utimes0(JJJ)V" |vm, args| set_times(vm, args, 0, 4, MICROS_IN_MILLI);
        "lutimes0(JJJ)V" |vm, args| set_times(vm, args, 0, 4, MICROS_IN_MILLI);
        "utimensat0(IJJJI)V" |vm, args| set_times(vm, args, 1, 5, NANOS_IN_MILLI);
        "futimes(IJJ)V" |vm, args| set_times_of_open(vm, args, MICROS_IN_MILLI);
        "futimens(IJJ)V" |vm, args| set_times_of_open(vm, args, NANOS_IN_MILLI);
        "futimens0(IJJ)V" |vm, args| set_times_of_open(vm, args, NANOS_IN_MILLI);
        "opendir0(J)J" open_folder;
        "readdir(J)[B" next_name;
        "readdir0(J)[B" next_name;
        "closedir(J)V" close_folder;
        "fgetxattr0(IJJI)I" |vm, _| Err(unix(vm, FileError::NotSupported));
        "fsetxattr0(IJJI)V" |vm, _| Err(unix(vm, FileError::NotSupported));
        "fremovexattr0(IJ)V" |vm, _| Err(unix(vm, FileError::NotSupported));
        "flistxattr(IJI)I" |vm, _| Err(unix(vm, FileError::NotSupported));
        "read(IJI)I" read_number;
        "read0(IJI)I" read_number;
        "write(IJI)I" write_number;
        "write0(IJI)I" write_number;
    }
    Provider {
        "implDelete(Ljava/nio/file/Path;Z)Z" |vm, args| {
            if_changeable(vm, args, 1, "implDelete", "(Ljava/nio/file/Path;Z)Z")
        };
        "copy(Ljava/nio/file/Path;Ljava/nio/file/Path;[Ljava/nio/file/CopyOption;)V" |vm, args| {
            if_changeable(vm, args, 2, "copy", TRANSFER)
        };
        "move(Ljava/nio/file/Path;Ljava/nio/file/Path;[Ljava/nio/file/CopyOption;)V" |vm, args| {
            if_changeable(vm, args, 2, "move", TRANSFER)
        };
    }
    Copy {
        "transfer(IIJ)V" copy_open;
        "bufferedCopy0(IIJIJ)V" copy_open;
    }
    FileSystem {
        "bufferedCopy0(IIJIJ)V" copy_open;
    }
    Linux {
        "init()V" nothing;
        "posix_fadvise(IJJI)I" nothing;
        "directCopy0(IIJ)I" |_, _| Ok(UNSUPPORTED);
    }
    Files17 {
        "init()V" nothing;
        "init0()V" nothing;
        "read0(Ljava/io/FileDescriptor;JI)I" read;
        "pread0(Ljava/io/FileDescriptor;JIJ)I" read_at;
        "readv0(Ljava/io/FileDescriptor;JI)J" read_all;
        "write0(Ljava/io/FileDescriptor;JI)I" write;
        "pwrite0(Ljava/io/FileDescriptor;JIJ)I" write_at;
        "writev0(Ljava/io/FileDescriptor;JI)J" write_all;
        "force0(Ljava/io/FileDescriptor;Z)I" nothing;
        "seek0(Ljava/io/FileDescriptor;J)J" seek;
        "truncate0(Ljava/io/FileDescriptor;J)I" truncate;
        "size0(Ljava/io/FileDescriptor;)J" size;
        "lock0(Ljava/io/FileDescriptor;ZJJZ)I" nothing;
        "release0(Ljava/io/FileDescriptor;JJ)V" nothing;
        "close0(Ljava/io/FileDescriptor;)V" close;
        "preClose0(Ljava/io/FileDescriptor;)V" nothing;
        "closeIntFD(I)V" close_number;
        "canTransferToFromOverlappedMap0()Z" nothing;
        "transferTo0(Ljava/io/FileDescriptor;JJLjava/io/FileDescriptor;Z)J" |_, _| Ok(UNSUPPORTED);
        "transferFrom0(Ljava/io/FileDescriptor;Ljava/io/FileDescriptor;JJZ)J" |_, _| Ok(UNSUPPORTED);
    }
    Files21 {
        "read0(Ljava/io/FileDescriptor;JI)I" read;
        "pread0(Ljava/io/FileDescriptor;JIJ)I" read_at;
        "readv0(Ljava/io/FileDescriptor;JI)J" read_all;
        "write0(Ljava/io/FileDescriptor;JI)I" write;
        "pwrite0(Ljava/io/FileDescriptor;JIJ)I" write_at;
        "writev0(Ljava/io/FileDescriptor;JI)J" write_all;
        "force0(Ljava/io/FileDescriptor;Z)I" nothing;
        "seek0(Ljava/io/FileDescriptor;J)J" seek;
        "truncate0(Ljava/io/FileDescriptor;J)I" truncate;
        "size0(Ljava/io/FileDescriptor;)J" size;
        "available0(Ljava/io/FileDescriptor;)I" available;
        "isOther0(Ljava/io/FileDescriptor;)Z" nothing;
        "lock0(Ljava/io/FileDescriptor;ZJJZ)I" nothing;
        "release0(Ljava/io/FileDescriptor;JJ)V" nothing;
        "closeIntFD(I)V" close_number;
        "allocationGranularity0()J" page_bytes;
        "map0(Ljava/io/FileDescriptor;IJJZ)J" map_descriptor;
        "unmap0(JJ)I" nothing;
    }
    Unix {
        "init()V" nothing;
        "close0(Ljava/io/FileDescriptor;)V" close;
        "preClose0(Ljava/io/FileDescriptor;)V" nothing;
    }
    Channel {
        "initIDs()J" page_bytes;
        "map0(IJJZ)J" map_channel;
        "unmap0(JJ)I" nothing;
        "maxDirectTransferSize0()I" |_, _| Ok(i32::MAX as u64);
        "transferTo0(Ljava/io/FileDescriptor;JJLjava/io/FileDescriptor;)J" |_, _| Ok(UNSUPPORTED);
    }
    Util {
        "fdVal(Ljava/io/FileDescriptor;)I" |vm, args| Ok(u64::from(number(vm, args)? as u32));
        "setfdVal(Ljava/io/FileDescriptor;I)V" set_number;
        "iovMax()I" |_, _| Ok(1024);
        "fdLimit()I" |_, _| Ok(1024);
        "writevMax()J" |_, _| Ok(i32::MAX as u64);
        "configureBlocking(Ljava/io/FileDescriptor;Z)V" nothing;
    }
    Key17 {
        "initIDs()V" nothing;
        "init(Ljava/io/FileDescriptor;)V" fill_key;
        "init(Ljava/io/FileDescriptor;[J)V" store_key;
    }
    Key21 {
        "init(Ljava/io/FileDescriptor;[J)V" store_key;
    }
    Preferences {
        "chmod(Ljava/lang/String;I)I" set_preferences_mode;
        "lockFile0(Ljava/lang/String;IZ)[I" lock_preferences;
        "unlockFile0(I)I" nothing;
    }
    // All that is mapped is in memory.
    Mapped {
        "isLoaded0(JJJ)Z" one;
        "load0(JJ)V" nothing;
        "unload0(JJ)V" nothing;
        "force0(Ljava/io/FileDescriptor;JJ)V" nothing;
    }
    // The library maps the image by a channel then.
    Image {
        "getNativeMap(Ljava/lang/String;)Ljava/nio/ByteBuffer;" nothing;
    }
    Thread {
        "init()V" nothing;
        "current()J" nothing;
        "current0()J" nothing;
        "signal(J)V" nothing;
        "signal0(J)V" nothing;
        "supportPendingSignals0()Z" nothing;
    }
}

const TRANSFER: &str = "(Ljava/nio/file/Path;Ljava/nio/file/Path;[Ljava/nio/file/CopyOption;)V";
const MICROS_IN_MILLI: i64 = 1_000;
const NANOS_IN_MILLI: i64 = 1_000_000;
const PAGE_BYTES: u64 = 4096;
/// `st_dev` of all files.
const DEVICE: u64 = 1;
const MILLIS_IN_SECOND: i64 = 1_000;
/// `IOStatus.EOF`.
const END: u64 = -1i64 as u64;
/// `IOStatus.UNSUPPORTED`: the caller copies by itself.
const UNSUPPORTED: u64 = -4i64 as u64;
/// Types of files in `st_mode`.
const FOLDER: u32 = 0o040_000;
const REGULAR: u32 = 0o100_000;

/// `sun.nio.fs.UnixException` with the number of an error.
fn unix(vm: &mut Vm, error: FileError) -> Fault {
    let made = vm.new_exception("sun/nio/fs/UnixException", None);
    match made {
        Ok(exception) => {
            vm.put(exception, "errno", error.number() as u64);
            Fault::Throw(exception)
        }
        Err(fault) => fault,
    }
}

/// Runs a query of the files; its error is a `UnixException`.
fn or_unix<T>(vm: &mut Vm, result: Result<T, FileError>) -> Result<T, Fault> {
    result.map_err(|error| unix(vm, error))
}

/// Path at the address in the argument words from `index` on.
fn path(vm: &mut Vm, args: Args, index: usize) -> Result<String, Fault> {
    let text = vm.text_at(vm.arg(args, index))?;
    let path = vm.state.files.located(&text);
    vm.may_see(&path)?;
    Ok(path)
}

/// Runs a method of the provider if the program may change the file in argument `changed`, and
/// the one before it if it is moved. The method's own queries would find that a file is missing,
/// which may exist where a test runs.
fn if_changeable(
    vm: &mut Vm,
    args: Args,
    changed: usize,
    name: &str,
    descriptor: &str,
) -> Result<u64, Fault> {
    let first = if name == "move" { 1 } else { changed };
    for index in first..=changed {
        let path = vm.arg_object(args, index)?;
        if let Some(field) = vm.find_field(vm.heap.class_of(path), "path") {
            let bytes = Ref::from_slot(vm.heap.field(path, field.word));
            let text = String::from_utf8_lossy(vm.heap.byte_elements(bytes)).into_owned();
            vm.may_change(&vm.state.files.located(&text))?;
        }
    }
    Err(vm.own_bytecode(args, "sun/nio/fs/UnixFileSystemProvider", name, descriptor))
}

pub(super) fn byte_array(vm: &mut Vm, bytes: &[u8]) -> Result<u64, Fault> {
    let class = vm.known().bytes;
    let array = vm
        .heap
        .allocate_array(class, bytes.len() as u32, 1, false)?;
    let at = vm.heap.elements(array);
    vm.heap.write_bytes(at, bytes);
    Ok(array.slot())
}

fn working_folder(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    let path = vm.state.files.working_folder().as_bytes().to_vec();
    byte_array(vm, &path)
}

fn error_text(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let text = FileError::message(vm.arg_int(args, 0));
    byte_array(vm, text.as_bytes())
}

fn user_name(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    byte_array(vm, b"user")
}

/// `open(2)` with the flags of Linux.
fn open(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const ACCESS: i32 = 3;
    const WRITE_ONLY: i32 = 1;
    const CREATE: i32 = 0o100;
    const EXCLUSIVE: i32 = 0o200;
    const TRUNCATE: i32 = 0o1000;
    const APPEND: i32 = 0o2000;
    let path = path(vm, args, 0)?;
    let flags = vm.arg_int(args, 2);
    let has = |flag: i32| flags & flag != 0;
    let options = OpenOptions {
        read: flags & ACCESS != WRITE_ONLY,
        write: flags & ACCESS != 0,
        append: has(APPEND),
        truncate: has(TRUNCATE),
        create: has(CREATE),
        create_new: has(CREATE) && has(EXCLUSIVE),
    };
    let mode = vm.arg_int(args, 3) as u32;
    let is_temporary = options.write && vm.may_change(&path)?;
    let is_new = vm.state.files.attributes(&path).is_err();
    let now = vm.noted_time();
    let opened = vm.files_mut().open(&path, options, now);
    let descriptor = or_unix(vm, opened)?;
    if is_new {
        let set = vm.files_mut().set_permissions(&path, mode & !0o022);
        or_unix(vm, set)?;
    }
    if is_temporary {
        vm.files_mut().set_temporary(&path);
    }
    Ok(u64::from(descriptor as u32))
}

/// `chmod(2)`; returns the number of an error.
fn set_preferences_mode(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let text = vm.string_text(vm.arg_object(args, 0)?);
    let path = vm.state.files.located(&text);
    vm.may_see(&path)?;
    vm.may_change(&path)?;
    let mode = vm.arg_int(args, 1) as u32;
    let set = vm.files_mut().set_permissions(&path, mode);
    Ok(set.map_or_else(|error| error.number() as u64, |()| 0))
}

/// Handle of a lock, which no other program can hold, and the number of an error.
fn lock_preferences(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    const HANDLE: u32 = 1;
    let class = vm.load_class("[I").map_err(|error| vm.load_fault(error))?;
    let array = vm.heap.allocate_array(class, 2, 4, false)?;
    let first = vm.heap.elements(array);
    vm.heap.store32(first, HANDLE);
    Ok(array.slot())
}

fn close_number(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = vm.arg_int(args, 0);
    vm.files_mut().close(descriptor);
    Ok(0)
}

fn remove(vm: &mut Vm, args: Args, is_folder: bool) -> Result<u64, Fault> {
    let path = path(vm, args, 0)?;
    vm.may_change(&path)?;
    let attributes = vm.state.files.attributes(&path);
    let removed = match attributes {
        Ok(attributes) if attributes.is_folder != is_folder => Err(match is_folder {
            true => FileError::NotAFolder,
            false => FileError::IsAFolder,
        }),
        _ => vm.files_mut().remove(&path),
    };
    or_unix(vm, removed)?;
    Ok(0)
}

fn unlink(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    remove(vm, args, false)
}

fn remove_folder(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    remove(vm, args, true)
}

fn make_folder(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = path(vm, args, 0)?;
    let mode = vm.arg_int(args, 2) as u32;
    let is_temporary = vm.may_change(&path)?;
    let now = vm.noted_time();
    let files = vm.files_mut();
    let made = files.create_folder(&path, now);
    let made = made.and_then(|()| files.set_permissions(&path, mode & !0o022));
    or_unix(vm, made)?;
    if is_temporary {
        vm.files_mut().set_temporary(&path);
    }
    Ok(0)
}

fn rename(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (from, to) = (path(vm, args, 0)?, path(vm, args, 2)?);
    vm.may_change(&from)?;
    vm.may_change(&to)?;
    let renamed = vm.files_mut().rename(&from, &to);
    or_unix(vm, renamed)?;
    Ok(0)
}

fn real_path(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = path(vm, args, 0)?;
    let found = vm.state.files.attributes(&path);
    or_unix(vm, found)?;
    byte_array(vm, path.as_bytes())
}

fn mode(attributes: Attributes) -> u32 {
    let kind = match attributes.is_folder {
        true => FOLDER,
        false => REGULAR,
    };
    kind | attributes.permissions
}

/// Fills a `UnixFileAttributes`.
fn put_attributes(vm: &mut Vm, into: Ref, attributes: Attributes) {
    vm.note_file_time();
    let seconds = attributes.modified.div_euclid(MILLIS_IN_SECOND) as u64;
    let nanos = (attributes.modified.rem_euclid(MILLIS_IN_SECOND) * NANOS_IN_MILLI) as u64;
    for (field, value) in [
        ("st_mode", u64::from(mode(attributes))),
        ("st_ino", attributes.number),
        ("st_dev", DEVICE),
        ("st_nlink", 1),
        ("st_size", attributes.length),
    ] {
        vm.put(into, field, value);
    }
    for time in ["st_atime", "st_mtime", "st_ctime", "st_birthtime"] {
        vm.put(into, &format!("{time}_sec"), seconds);
        vm.put(into, &format!("{time}_nsec"), nanos);
    }
}

fn stat(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = path(vm, args, 0)?;
    let into = vm.arg_object(args, 2)?;
    let found = vm.state.files.attributes(&path);
    let attributes = or_unix(vm, found)?;
    put_attributes(vm, into, attributes);
    Ok(0)
}

/// Like [`stat`], but returns the number of an error.
fn stat_number(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = path(vm, args, 0)?;
    let into = vm.arg_object(args, 2)?;
    match vm.state.files.attributes(&path) {
        Ok(attributes) => {
            put_attributes(vm, into, attributes);
            Ok(0)
        }
        Err(error) => Ok(error.number() as u64),
    }
}

/// The mode of a file; 0 if there is none.
fn stat_mode(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = path(vm, args, 0)?;
    let found = vm.state.files.attributes(&path);
    Ok(found.map_or(0, |attributes| u64::from(mode(attributes))))
}

fn exists(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = path(vm, args, 0)?;
    Ok(u64::from(vm.state.files.attributes(&path).is_ok()))
}

/// Sizes of the only file store: blocks of a page, none of them used.
fn stat_store(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let into = vm.arg_object(args, 2)?;
    vm.note_chance(Chance::Files);
    let blocks = vm.config.max_heap_bytes / PAGE_BYTES;
    for (field, value) in [
        ("f_frsize", PAGE_BYTES),
        ("f_blocks", blocks),
        ("f_bfree", blocks),
        ("f_bavail", blocks),
    ] {
        vm.put(into, field, value);
    }
    Ok(0)
}

/// Copies the rest of an open file (argument 1) to another (argument 0).
fn copy_open(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (to, from) = (vm.arg_int(args, 0), vm.arg_int(args, 1));
    let now = vm.noted_time();
    let files = vm.files_mut();
    let copied = files
        .read(from, usize::MAX)
        .and_then(|bytes| files.write(to, &bytes, now));
    or_unix(vm, copied)?;
    Ok(0)
}

fn stat_open(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let into = vm.arg_object(args, 1)?;
    let found = vm.state.files.attributes_of_open(vm.arg_int(args, 0));
    let attributes = or_unix(vm, found)?;
    put_attributes(vm, into, attributes);
    Ok(0)
}

/// Number of the file that a descriptor object opens.
fn number_of_file(vm: &mut Vm, descriptor: Ref) -> Result<u64, Fault> {
    let descriptor = vm.descriptor_number(descriptor)?;
    let attributes = vm.state.files.attributes_of_open(descriptor);
    Ok(attributes.map_err(io_exception)?.number)
}

/// Fills a `FileKey`, which identifies a file for locks.
fn fill_key(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (key, descriptor) = (vm.arg_object(args, 0)?, vm.arg_object(args, 1)?);
    let number = number_of_file(vm, descriptor)?;
    vm.put(key, "st_dev", DEVICE);
    vm.put(key, "st_ino", number);
    Ok(0)
}

/// Stores what identifies a file for locks in an array.
fn store_key(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (descriptor, into) = (vm.arg_object(args, 0)?, vm.arg_object(args, 1)?);
    let number = number_of_file(vm, descriptor)?;
    let start = (vm.heap.elements(into) >> 3) as u32;
    vm.heap.store(start, DEVICE);
    vm.heap.store(start + 1, number);
    Ok(0)
}

/// Checks a sum of 4 for reading, 2 for writing and 1 for running.
fn accessible(vm: &mut Vm, args: Args) -> Result<Result<(), FileError>, Fault> {
    let path = path(vm, args, 0)?;
    let access = vm.arg_int(args, 2) as u32;
    let found = vm.state.files.attributes(&path);
    Ok(found.and_then(
        |attributes| match attributes.permissions >> 6 & access == access {
            true => Ok(()),
            false => Err(FileError::AccessDenied),
        },
    ))
}

fn access(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let result = accessible(vm, args)?;
    or_unix(vm, result)?;
    Ok(0)
}

fn access_number(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let result = accessible(vm, args)?;
    Ok(result.map_or_else(|error| error.number() as u64, |()| 0))
}

fn set_mode(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = path(vm, args, 0)?;
    vm.may_change(&path)?;
    let mode = vm.arg_int(args, 2) as u32;
    let set = vm.files_mut().set_permissions(&path, mode);
    or_unix(vm, set)?;
    Ok(0)
}

/// Sets the time of the last change, given in parts of a millisecond.
fn set_times(
    vm: &mut Vm,
    args: Args,
    path_at: usize,
    time_at: usize,
    parts: i64,
) -> Result<u64, Fault> {
    let path = path(vm, args, path_at)?;
    vm.may_change(&path)?;
    let modified = (vm.arg(args, time_at) as i64).div_euclid(parts);
    let set = vm.files_mut().set_modified(&path, modified);
    or_unix(vm, set)?;
    Ok(0)
}

fn set_times_of_open(vm: &mut Vm, args: Args, parts: i64) -> Result<u64, Fault> {
    let descriptor = vm.arg_int(args, 0);
    let modified = (vm.arg(args, 3) as i64).div_euclid(parts);
    let path = vm.state.files.name_of(descriptor);
    let path = or_unix(vm, path)?;
    vm.may_change(&path)?;
    let set = vm.files_mut().set_modified(&path, modified);
    or_unix(vm, set)?;
    Ok(0)
}

fn open_folder(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = path(vm, args, 0)?;
    vm.may_list(&path)?;
    let opened = vm.files_mut().open_folder(&path);
    or_unix(vm, opened)
}

/// The next name of an open folder; null at the end.
fn next_name(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let folder = vm.arg(args, 0);
    let name = vm.files_mut().next_name(folder);
    match or_unix(vm, name)? {
        Some(name) => byte_array(vm, name.as_bytes()),
        None => Ok(0),
    }
}

fn close_folder(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let folder = vm.arg(args, 0);
    vm.files_mut().close_folder(folder);
    Ok(0)
}

/// Number of the `FileDescriptor` in argument 0.
fn number(vm: &Vm, args: Args) -> Result<i32, Fault> {
    vm.descriptor_number(vm.arg_ref(args, 0))
}

fn set_number(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = vm.arg_object(args, 0)?;
    let number = vm.arg(args, 1);
    vm.put(descriptor, "fd", number);
    Ok(0)
}

/// Reads from a descriptor into memory; the number of bytes, or the end.
fn read_into(vm: &mut Vm, descriptor: i32, to: u64, most: u64) -> Result<u64, Fault> {
    vm.check_address(to, most)?;
    let bytes = vm.read_descriptor(descriptor, most as usize)?;
    vm.heap.write_bytes(to, &bytes);
    Ok(bytes.len() as u64)
}

fn or_end(count: u64, most: u64) -> u64 {
    match (count, most) {
        (0, 1..) => END,
        _ => count,
    }
}

fn read(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = number(vm, args)?;
    let most = u64::from(vm.arg(args, 3) as u32);
    let count = read_into(vm, descriptor, vm.arg(args, 1), most)?;
    Ok(or_end(count, most))
}

/// `read(2)`, which returns 0 at the end.
fn read_number(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let most = u64::from(vm.arg(args, 3) as u32);
    read_into(vm, vm.arg_int(args, 0), vm.arg(args, 1), most)
}

fn write_number(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let length = u64::from(vm.arg(args, 3) as u32);
    let bytes = vm.bytes_at(vm.arg(args, 1), length)?;
    vm.write_descriptor(vm.arg_int(args, 0), &bytes)?;
    Ok(length)
}

fn read_at(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = number(vm, args)?;
    let (to, most, at) = (
        vm.arg(args, 1),
        u64::from(vm.arg(args, 3) as u32),
        vm.arg(args, 4),
    );
    vm.check_address(to, most)?;
    let files = &vm.state.files;
    let bytes = files.read_at(descriptor, at, most as usize);
    let bytes = bytes.map_err(io_exception)?.to_vec();
    vm.heap.write_bytes(to, &bytes);
    Ok(or_end(bytes.len() as u64, most))
}

fn write(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = number(vm, args)?;
    let length = u64::from(vm.arg(args, 3) as u32);
    let bytes = vm.bytes_at(vm.arg(args, 1), length)?;
    vm.write_descriptor(descriptor, &bytes)?;
    Ok(length)
}

fn write_at(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = number(vm, args)?;
    let length = u64::from(vm.arg(args, 3) as u32);
    let bytes = vm.bytes_at(vm.arg(args, 1), length)?;
    let at = vm.arg(args, 4);
    let now = vm.noted_time();
    let files = vm.files_mut();
    files
        .write_at(descriptor, at, &bytes, now)
        .map_err(io_exception)?;
    Ok(length)
}

/// Parts of a vectored operation: pairs of an address and a length.
fn parts(vm: &Vm, args: Args) -> Result<Vec<(u64, u64)>, Fault> {
    const PART_BYTES: u64 = 16;
    let (at, count) = (vm.arg(args, 1), u64::from(vm.arg(args, 3) as u32));
    let bytes = vm.bytes_at(at, PART_BYTES * count)?;
    let word = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
    Ok(bytes
        .chunks_exact(PART_BYTES as usize)
        .map(|part| (word(&part[..8]), word(&part[8..])))
        .collect())
}

fn read_all(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = number(vm, args)?;
    let (mut count, mut most) = (0, 0);
    for (to, length) in parts(vm, args)? {
        most += length;
        let read = read_into(vm, descriptor, to, length)?;
        count += read;
        if read < length {
            break;
        }
    }
    Ok(or_end(count, most))
}

fn write_all(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = number(vm, args)?;
    let mut count = 0;
    for (from, length) in parts(vm, args)? {
        let bytes = vm.bytes_at(from, length)?;
        vm.write_descriptor(descriptor, &bytes)?;
        count += length;
    }
    Ok(count)
}

/// Moves a descriptor, or returns its position for a negative one.
fn seek(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = number(vm, args)?;
    let to = vm.arg(args, 1);
    if (to as i64) < 0 {
        return vm.state.files.position(descriptor).map_err(io_exception);
    }
    vm.files_mut().seek(descriptor, to).map_err(io_exception)?;
    Ok(to)
}

fn truncate(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = number(vm, args)?;
    let length = vm.arg(args, 1);
    let now = vm.noted_time();
    let files = vm.files_mut();
    files
        .set_length(descriptor, length, now)
        .map_err(io_exception)?;
    Ok(0)
}

fn size(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = number(vm, args)?;
    vm.state.files.length(descriptor).map_err(io_exception)
}

fn available(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = number(vm, args)?;
    let files = &vm.state.files;
    let length = files.length(descriptor).map_err(io_exception)?;
    let position = files.position(descriptor).map_err(io_exception)?;
    Ok(length.saturating_sub(position).min(i32::MAX as u64))
}

fn close(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = number(vm, args)?;
    vm.files_mut().close(descriptor);
    Ok(0)
}

fn page_bytes(_: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(PAGE_BYTES)
}

fn map_descriptor(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let descriptor = number(vm, args)?;
    map(
        vm,
        descriptor,
        vm.arg_int(args, 1),
        vm.arg(args, 2),
        vm.arg(args, 4),
    )
}

fn map_channel(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let channel = vm.arg_object(args, 0)?;
    let word = vm.word_of(vm.heap.class_of(channel), "fd")?;
    let descriptor = Ref::from_slot(vm.read_slot(channel.0 + word)?);
    let descriptor = vm.descriptor_number(descriptor)?;
    map(
        vm,
        descriptor,
        vm.arg_int(args, 1),
        vm.arg(args, 2),
        vm.arg(args, 4),
    )
}

/// Maps a part of a file: a copy of it, which later writes to the file do not change.
fn map(vm: &mut Vm, descriptor: i32, mode: i32, at: u64, length: u64) -> Result<u64, Fault> {
    const READ_WRITE: i32 = 1;
    if mode == READ_WRITE {
        return Err(Fault::unsupported(
            "java.nio.channels.FileChannel.map: files are not mapped for writing",
        ));
    }
    let files = &vm.state.files;
    let bytes = files.read_at(descriptor, at, length as usize);
    let bytes = bytes.map_err(io_exception)?.to_vec();
    // The library computes with addresses of pages, and reads the first byte of each.
    let block = vm.allocate_off_heap(length + 2 * PAGE_BYTES)?;
    let address = block.next_multiple_of(PAGE_BYTES);
    vm.heap.write_bytes(address, &bytes);
    Ok(address)
}
