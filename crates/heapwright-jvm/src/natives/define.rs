//! Classes that are made at run time, out of the bytes of a class file.
//!
//! There is one name space. A class of the program's own loaders is therefore made only where a
//! program just runs, and only if no other class has its name.

use std::rc::Rc;

use super::class::nest_host;
use super::{Args, NativeEntry};
use crate::assembler::Assembler;
use crate::class::{ClassId, Loader, MethodId};
use crate::classfile;
use crate::heap::Ref;
use crate::instr::Instr;
use crate::link::LoadError;
use crate::name::Sym;
use crate::vm::{Fault, Vm};

/// Infix between the name in a class file and a number in the name of a hidden class.
pub(super) const HIDDEN: &str = "+0x";

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "java/lang/ClassLoader.defineClass1(Ljava/lang/ClassLoader;Ljava/lang/String;[BIILjava/security/ProtectionDomain;Ljava/lang/String;)Ljava/lang/Class;",
        define_class,
    ),
    (
        "java/lang/ClassLoader.defineClass0(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[BIILjava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;",
        define_by_lookup,
    ),
    (
        "java/lang/ClassLoader.findLoadedClass0(Ljava/lang/String;)Ljava/lang/Class;",
        find_loaded_class,
    ),
];

impl Vm {
    /// Loader object that defined a class; null for the boot loader.
    pub(crate) fn loader_object(&self, class: ClassId) -> Ref {
        let mirror = self.class(class).mirror;
        let known = self.known.as_ref();
        let field = known.and_then(|known| self.find_field(known.class, "classLoader"));
        match field {
            Some(field) if !mirror.is_null() => {
                Ref::from_slot(self.heap.load(mirror.0 + field.word))
            }
            _ => Ref::NULL,
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

/// Class file that a native is given, with the class's own name.
struct Made {
    loader: Ref,
    bytes: Vec<u8>,
    name: Sym,
}

/// Reads the class file in the arguments from `first` on: an array, an offset and a length.
fn made(
    vm: &mut Vm,
    args: Args,
    (first, is_hidden): (usize, bool),
    given: Ref,
) -> Result<Made, Fault> {
    let loader = vm.arg_ref(args, 0);
    let bytes = vm.part_of(
        vm.arg_object(args, first)?,
        vm.arg_int(args, first + 1),
        vm.arg_int(args, first + 2),
    )?;
    if !loader.is_null() && !is_hidden && !vm.config.replaces_launcher {
        return Err(Fault::unsupported(
            "java.lang.ClassLoader.defineClass: tests make no classes at run time",
        ));
    }
    let info = classfile::parse(&bytes, &mut vm.names)
        .map_err(|error| Fault::raise("java/lang/ClassFormatError", error.to_string()))?;
    if !given.is_null() {
        let given = vm.string_text(given).replace('.', "/");
        let found = vm.text(info.name);
        if given != found {
            let message = format!("{given} (wrong name: {found})");
            return Err(Fault::raise("java/lang/NoClassDefFoundError", message));
        }
    }
    Ok(Made {
        loader,
        bytes,
        name: info.name,
    })
}

fn define(vm: &mut Vm, made: Made) -> Result<ClassId, Fault> {
    let Made {
        loader,
        bytes,
        name,
    } = made;
    let class = match vm.load(name) {
        // A class of the library that going back has forgotten.
        Ok(class) if loader.is_null() && vm.class(class).loader == Loader::Boot => class,
        Ok(class) if vm.loader_object(class) == loader && loader != vm.app_loader => {
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
        Err(LoadError::NotFound(absent)) if absent == name => {
            let kind = match loader.is_null() {
                true => Loader::Boot,
                false => Loader::App,
            };
            let name = vm.text(name).to_owned();
            match vm.define_made(&name, bytes, kind) {
                Err(LoadError::NotFound(above)) if !loader.is_null() => {
                    let above = vm.text(above).replace('/', ".");
                    return Err(Fault::unsupported(format!(
                        "a class loader of the program that is asked for {above}, which {name} extends"
                    )));
                }
                made => made.map_err(|error| vm.load_fault(error))?,
            }
        }
        Err(error) => return Err(vm.load_fault(error)),
    };
    if !loader.is_null() {
        let mirror = vm.class(class).mirror;
        vm.put(mirror, "classLoader", loader.slot());
    }
    Ok(class)
}

/// `ClassLoader.defineClass`.
fn define_class(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let made = made(vm, args, (2, false), vm.arg_ref(args, 1))?;
    let class = define(vm, made)?;
    Ok(vm.class(class).mirror.slot())
}

/// `Lookup.defineClass` and `defineHiddenClass`.
fn define_by_lookup(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const NESTMATE_CLASS: i32 = 1;
    const HIDDEN_CLASS: i32 = 2;
    let is_hidden = vm.arg_int(args, 8) & HIDDEN_CLASS != 0;
    let made = made(vm, args, (3, is_hidden), Ref::NULL)?;
    let initializes = vm.arg_int(args, 7) != 0;
    let class = match is_hidden {
        true => define_hidden(vm, made)?,
        false => define(vm, made)?,
    };
    if vm.arg_int(args, 8) & NESTMATE_CLASS != 0 {
        let mate = vm.arg_class(args, 1)?;
        let host = nest_host(vm, mate)?;
        let host = vm.class(host).name;
        let file = vm.classes[class.0 as usize].file.as_mut();
        if let Some(file) = file.and_then(Rc::get_mut) {
            file.info.nest_host = Some(host);
        }
    }
    let mirror = vm.class(class).mirror;
    vm.put(mirror, "classData", vm.arg(args, 9));
    if initializes {
        let call = vm.initialized_mirror(class);
        return Err(Fault::Call(call, Vec::new()));
    }
    Ok(mirror.slot())
}

/// Defines a hidden class, which no code finds by name. Classes with the same content are numbered
/// within a state: one that going back has forgotten is the next one again.
fn define_hidden(vm: &mut Vm, made: Made) -> Result<ClassId, Fault> {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&made.bytes);
    let content = hasher.finalize();
    for number in 0..u32::MAX {
        let name = format!("{}{HIDDEN}{content:08x}{number:08x}", vm.text(made.name));
        // The literal of the name tells whether this state has the class.
        let cell = vm.literal_cell(&name.encode_utf16().collect::<Vec<_>>())?;
        if vm.heap.load(cell) != 0 {
            continue;
        }
        let bytes = classfile::renamed(&made.bytes, &name)
            .ok_or_else(|| Fault::unsupported("a hidden class with too many constants"))?;
        let known = vm.loaded_class(&name);
        let known = match known.map(|class| (class, vm.class(class).file.clone())) {
            Some((class, Some(file))) if file.bytes == bytes => Some(class),
            Some(_) => continue,
            None => None,
        };
        vm.enter_literal(cell);
        let loader = made.loader;
        if let Some(class) = known {
            let mirror = vm.class(class).mirror;
            vm.put(mirror, "classLoader", loader.slot());
            return Ok(class);
        }
        let name = vm.names.intern(&name);
        return define(
            vm,
            Made {
                loader,
                bytes,
                name,
            },
        );
    }
    Err(Fault::unsupported("too many hidden classes"))
}

impl Vm {
    /// Static method that initialises a class and returns its mirror.
    fn initialized_mirror(&mut self, class: ClassId) -> MethodId {
        let nothing = self.names.intern("()V");
        let mut code = Assembler::default();
        code.push(Instr::ReturnVoid);
        let empty = self.add_hidden(class, "empty", nothing, code);
        let mut code = Assembler::default();
        code.push(Instr::InvokeStaticChecked {
            a: 0,
            method: empty.0,
        });
        code.push(Instr::Object {
            d: 0,
            object: self.class(class).mirror.0,
        });
        code.push(Instr::Return { a: 0 });
        let own = self.names.intern("()Ljava/lang/Class;");
        let object = self.known().object;
        self.add_hidden(object, "initialize", own, code)
    }
}

/// Class that a loader of the program has defined.
fn find_loaded_class(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let loader = vm.arg_object(args, 0)?;
    let name = vm.string_text(vm.arg_object(args, 1)?).replace('.', "/");
    let found = vm.loaded_class(&name);
    let found = found.filter(|&class| loader != vm.app_loader && vm.loader_object(class) == loader);
    Ok(found.map_or(0, |class| vm.class(class).mirror.slot()))
}
