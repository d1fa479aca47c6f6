//! `java.io.File`: queries and changes of the files that the program sees.

use std::sync::Arc;

use super::{Args, NativeEntry};
use crate::chances::Chance;
use crate::files::{Attributes, FileError, Files, OpenOptions, normalized};
use crate::heap::Ref;
use crate::vm::{Fault, Vm};

macro_rules! natives {
    ($($names:tt $descriptor:literal $native:expr;)*) => {
        pub(super) const NATIVES: &[NativeEntry] = natives!(@all [] $($names $descriptor $native;)*);
    };
    (@all [$($done:tt)*]) => {
        &[$($done)* ("java/io/File.deleteOnExit()V", delete_on_exit)]
    };
    (@all [$($done:tt)*] [$first:literal $second:literal] $descriptor:literal $native:expr; $($rest:tt)*) => {
        natives!(@all [
            $($done)*
            (concat!("java/io/UnixFileSystem.", $first, $descriptor), $native),
            (concat!("java/io/UnixFileSystem.", $second, $descriptor), $native),
        ] $($rest)*)
    };
}

// Releases after 17 have most natives under a second name.
natives! {
    ["canonicalize" "canonicalize0"] "(Ljava/lang/String;)Ljava/lang/String;" canonicalize;
    ["getBooleanAttributes0" "booleanAttributes0"] "(Ljava/io/File;)I" boolean_attributes;
    ["checkAccess" "checkAccess0"] "(Ljava/io/File;I)Z" check_access;
    ["getLastModifiedTime" "getLastModifiedTime0"] "(Ljava/io/File;)J" modified;
    ["getLength" "getLength0"] "(Ljava/io/File;)J" length;
    ["setPermission" "setPermission0"] "(Ljava/io/File;IZZ)Z" set_permission;
    ["createFileExclusively" "createFileExclusively0"] "(Ljava/lang/String;)Z" create;
    ["delete1" "delete0"] "(Ljava/io/File;)Z" delete;
    ["list" "list0"] "(Ljava/io/File;)[Ljava/lang/String;" list;
    ["createDirectory" "createDirectory0"] "(Ljava/io/File;)Z" create_folder;
    ["rename" "rename0"] "(Ljava/io/File;Ljava/io/File;)Z" rename;
    ["setLastModifiedTime" "setLastModifiedTime0"] "(Ljava/io/File;J)Z" set_modified;
    ["setReadOnly" "setReadOnly0"] "(Ljava/io/File;)Z" set_read_only;
    ["getSpace" "getSpace0"] "(Ljava/io/File;I)J" space;
    ["getNameMax" "getNameMax0"] "(Ljava/lang/String;)J" longest_name;
}

/// `FileSystem.BA_EXISTS`, `BA_REGULAR` and `BA_DIRECTORY`.
const EXISTS: u64 = 1;
const REGULAR: u64 = 2;
const DIRECTORY: u64 = 4;
/// Most bytes of a file's name.
const LONGEST_NAME: u64 = 255;

impl Vm {
    /// The files, to be changed.
    pub(crate) fn files_mut(&mut self) -> &mut Files {
        Arc::make_mut(&mut self.state.files)
    }

    /// Checks that the program may look at a file. A machine that replaces `java` allows all.
    /// Others look for tests, which must not depend on a user's files: they allow those that are
    /// the same everywhere, and temporary ones.
    pub(crate) fn may_see(&mut self, path: &str) -> Result<(), Fault> {
        if !self.state.files.is_installed(path) {
            self.note_chance(Chance::Files);
        }
        if self.state.files.is_withheld(path) {
            return Err(Fault::unsupported(format!(
                "files: {path} is outside of the folder in which the tests run"
            )));
        }
        let is_certain = self.config.replaces_launcher || self.state.files.is_certain(path);
        match is_certain || self.makes_temporary_file() {
            true => Ok(()),
            false => Err(Fault::unsupported(
                "files: tests see temporary ones and the class path only",
            )),
        }
    }

    /// Checks that the program may list a folder.
    pub(crate) fn may_list(&mut self, path: &str) -> Result<(), Fault> {
        self.may_see(path)?;
        let files = &self.state.files;
        match self.config.replaces_launcher || files.is_temporary(path) || files.is_installed(path)
        {
            true => Ok(()),
            false => Err(Fault::unsupported(
                "files: tests list temporary folders and the class path only",
            )),
        }
    }

    /// Whether the library is about to make a temporary file.
    fn makes_temporary_file(&self) -> bool {
        self.frames().iter().any(|frame| {
            let method = self.method(frame.method);
            match self.class_name(method.class) {
                "java/io/File" => self.text(method.name) == "createTempFile",
                class => class == "java/nio/file/TempFileHelper",
            }
        })
    }

    /// Whether the program may change a file, or make it. A machine that replaces `java` allows
    /// all. Others allow temporary files only, and return true for the one that is about to be
    /// made.
    pub(crate) fn may_change(&self, path: &str) -> Result<bool, Fault> {
        if self.config.replaces_launcher || self.state.files.is_temporary(path) {
            return Ok(false);
        }
        match self.makes_temporary_file() {
            true => Ok(true),
            false => Err(Fault::unsupported(
                "changes of files: tests change temporary ones only",
            )),
        }
    }

    /// Normalised path of a `java.io.File`.
    fn path_of(&self, file: Ref) -> Result<String, Fault> {
        let word = self.word_of(self.heap.class_of(file), "path")?;
        let path = Ref::from_slot(self.read_slot(file.0 + word)?);
        Ok(self.state.files.located(&self.string_text(path)))
    }

    /// Notes that the program has read a time of the files.
    pub(crate) fn note_file_time(&mut self) {
        self.config.seen.add_date();
        self.note_chance(Chance::Clock);
    }
}

fn path(vm: &Vm, args: Args) -> Result<String, Fault> {
    vm.path_of(vm.arg_object(args, 1)?)
}

fn attributes(vm: &mut Vm, args: Args) -> Result<Option<Attributes>, Fault> {
    let path = path(vm, args)?;
    vm.may_see(&path)?;
    Ok(vm.state.files.attributes(&path).ok())
}

/// Room on the disk of a file, which has none.
fn space(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    vm.note_chance(Chance::Files);
    Ok(0)
}

/// Path without `.` and `..`; there are no links.
fn canonicalize(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = vm.string_text(vm.arg_object(args, 1)?);
    Ok(vm.new_string(&normalized(&path))?.slot())
}

fn boolean_attributes(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Ok(attributes(vm, args)?.map_or(0, |attributes| {
        EXISTS
            | match attributes.is_folder {
                true => DIRECTORY,
                false => REGULAR,
            }
    }))
}

/// The access is a sum of 4 for reading, 2 for writing, and 1 for running.
fn check_access(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let access = vm.arg_int(args, 2) as u32;
    Ok(attributes(vm, args)?.map_or(0, |attributes| {
        u64::from(attributes.permissions >> 6 & access == access)
    }))
}

fn modified(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    vm.note_file_time();
    Ok(attributes(vm, args)?.map_or(0, |attributes| attributes.modified as u64))
}

fn length(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Ok(attributes(vm, args)?.map_or(0, |attributes| attributes.length))
}

/// Whether a change was made, as the methods of `File` return it.
fn made(result: Result<(), FileError>) -> Result<u64, Fault> {
    Ok(u64::from(result.is_ok()))
}

fn set_permission(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = path(vm, args)?;
    vm.may_change(&path)?;
    let access = vm.arg_int(args, 2) as u32 & 7;
    let (enable, owner_only) = (vm.arg_int(args, 3) != 0, vm.arg_int(args, 4) != 0);
    let bits = match owner_only {
        true => access << 6,
        false => access << 6 | access << 3 | access,
    };
    let Some(attributes) = attributes(vm, args)? else {
        return Ok(0);
    };
    let permissions = match enable {
        true => attributes.permissions | bits,
        false => attributes.permissions & !bits,
    };
    made(vm.files_mut().set_permissions(&path, permissions))
}

fn set_read_only(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = path(vm, args)?;
    vm.may_change(&path)?;
    let Some(attributes) = attributes(vm, args)? else {
        return Ok(0);
    };
    let permissions = attributes.permissions & !0o222;
    made(vm.files_mut().set_permissions(&path, permissions))
}

fn create(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let text = vm.string_text(vm.arg_object(args, 1)?);
    if text.is_empty() {
        return Err(io_exception(FileError::NoEntry));
    }
    let path = vm.state.files.located(&text);
    let is_temporary = vm.may_change(&path)?;
    let options = OpenOptions {
        read: true,
        write: true,
        create_new: true,
        ..OpenOptions::default()
    };
    let now = vm.noted_time();
    match vm.files_mut().open(&path, options, now) {
        Ok(descriptor) => {
            vm.files_mut().close(descriptor);
            if is_temporary {
                vm.files_mut().set_temporary(&path);
            }
            Ok(1)
        }
        Err(FileError::Exists) => Ok(0),
        Err(error) => Err(io_exception(error)),
    }
}

fn delete(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = path(vm, args)?;
    vm.may_change(&path)?;
    made(vm.files_mut().remove(&path))
}

fn delete_on_exit(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = vm.path_of(vm.arg_object(args, 0)?)?;
    vm.may_change(&path)?;
    Err(vm.own_bytecode(args, "java/io/File", "deleteOnExit", "()V"))
}

fn list(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = path(vm, args)?;
    vm.may_list(&path)?;
    let Ok(names) = vm.state.files.list(&path) else {
        return Ok(0);
    };
    let mut strings = Vec::with_capacity(names.len());
    for name in names {
        strings.push(vm.new_string(&name)?);
    }
    let class = vm.known().strings;
    Ok(vm.new_object_array(class, &strings)?.slot())
}

fn create_folder(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = path(vm, args)?;
    vm.may_change(&path)?;
    let now = vm.noted_time();
    made(vm.files_mut().create_folder(&path, now))
}

fn rename(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let from = path(vm, args)?;
    let to = vm.path_of(vm.arg_object(args, 2)?)?;
    vm.may_change(&from)?;
    vm.may_change(&to)?;
    made(vm.files_mut().rename(&from, &to))
}

fn set_modified(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let path = path(vm, args)?;
    vm.may_change(&path)?;
    let time = vm.arg(args, 2) as i64;
    made(vm.files_mut().set_modified(&path, time))
}

fn longest_name(_: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(LONGEST_NAME)
}

/// Exception for an error of an open file.
pub(super) fn io_exception(error: FileError) -> Fault {
    Fault::raise("java/io/IOException", FileError::message(error.number()))
}
