//! Classes that are made at run time, out of the bytes of a class file.
//!
//! There is one name space. A class of the program's own loaders is therefore made only where a
//! program just runs, and only if no other class has its name.

use super::{Args, Entry};
use crate::class::{ClassId, Loader};
use crate::classfile;
use crate::heap::Ref;
use crate::link::LoadError;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[Entry] = &[
    (
        "java/lang/ClassLoader.defineClass1(Ljava/lang/ClassLoader;Ljava/lang/String;[BIILjava/security/ProtectionDomain;Ljava/lang/String;)Ljava/lang/Class;",
        define_class,
    ),
    (
        "java/lang/ClassLoader.findLoadedClass0(Ljava/lang/String;)Ljava/lang/Class;",
        find_loaded_class,
    ),
];

impl Vm {
    /// Loader object that defined a class; null for the boot loader.
    pub(super) fn loader_object(&self, class: ClassId) -> Ref {
        let mirror = self.class(class).mirror;
        match self.find_field(self.known().class, "classLoader") {
            Some(field) => Ref::from_slot(self.heap.load(mirror.0 + field.word)),
            None => Ref::NULL,
        }
    }

    /// Bytes of a part of a `byte[]`.
    fn part_of(&self, array: Ref, offset: i32, length: i32) -> Result<Vec<u8>, Fault> {
        let whole = self.checked_length(array)?;
        self.check_elements(array, 0, whole)?;
        let (first, count) = (offset.max(0) as u32, length.max(0) as u32);
        if first.checked_add(count).is_none_or(|end| end > whole) {
            return Err(Fault::Raise(
                "java/lang/ArrayIndexOutOfBoundsException",
                None,
            ));
        }
        let start = self.heap.elements(array) + u64::from(first);
        let bytes = (0..u64::from(count)).map(|at| self.heap.load8(start + at));
        Ok(bytes.collect())
    }
}

fn define_class(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let loader = vm.arg_ref(args, 0);
    let bytes = vm.part_of(
        vm.arg_object(args, 2)?,
        vm.arg_int(args, 3),
        vm.arg_int(args, 4),
    )?;
    if !loader.is_null() && !vm.config.replaces_launcher {
        return Err(Fault::unsupported(
            "java.lang.ClassLoader.defineClass: tests make no classes at run time",
        ));
    }
    let info = classfile::parse(&bytes, &mut vm.names)
        .map_err(|error| Fault::raise("java/lang/ClassFormatError", error.to_string()))?;
    let internal = vm.text(info.name).to_owned();
    let given = vm.arg_ref(args, 1);
    if !given.is_null() && vm.string_text(given).replace('.', "/") != internal {
        let message = format!(
            "{} (wrong name: {internal})",
            vm.string_text(given).replace('.', "/")
        );
        return Err(Fault::raise("java/lang/NoClassDefFoundError", message));
    }
    let class = match vm.load(info.name) {
        // A class of the library that going back has forgotten.
        Ok(class) if loader.is_null() && vm.class(class).loader == Loader::Boot => class,
        Ok(class) if vm.loader_object(class) == loader => {
            let message = format!(
                "loader {} attempted duplicate class definition for {}.",
                vm.binary_name(vm.heap.class_of(loader)),
                vm.binary_name(class)
            );
            return Err(Fault::raise("java/lang/LinkageError", message));
        }
        Ok(class) => {
            return Err(Fault::unsupported(format!(
                "java.lang.ClassLoader.defineClass: a second class {}",
                vm.binary_name(class)
            )));
        }
        Err(LoadError::NotFound(_)) => {
            let kind = match loader.is_null() {
                true => Loader::Boot,
                false => Loader::App,
            };
            vm.define_made(&internal, bytes, kind)
                .map_err(|error| vm.load_fault(error))?
        }
        Err(error) => return Err(vm.load_fault(error)),
    };
    if !loader.is_null() {
        let mirror = vm.class(class).mirror;
        vm.put(mirror, "classLoader", loader.slot());
    }
    Ok(vm.class(class).mirror.slot())
}

/// Class that a loader of the program has defined.
fn find_loaded_class(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let loader = vm.arg_object(args, 0)?;
    let name = vm.string_text(vm.arg_object(args, 1)?).replace('.', "/");
    let found = vm.loaded_class(&name);
    let found = found.filter(|&class| loader != vm.app_loader && vm.loader_object(class) == loader);
    Ok(found.map_or(0, |class| vm.class(class).mirror.slot()))
}
