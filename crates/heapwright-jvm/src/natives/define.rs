//! Classes that are made at run time, out of the bytes of a class file. Those of the program's own
//! loaders are made only where a program just runs.

use std::sync::Arc;

use super::class::nest_host;
use super::{Args, NativeEntry};
use crate::assembler::Assembler;
use crate::class::{ClassId, Loader, MethodId};
use crate::classfile::{self, CLASS_VERSIONS};
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
        "java/lang/ClassLoader.defineClass2(Ljava/lang/ClassLoader;Ljava/lang/String;Ljava/nio/ByteBuffer;IILjava/security/ProtectionDomain;Ljava/lang/String;)Ljava/lang/Class;",
        define_from_buffer,
    ),
    (
        "java/lang/ClassLoader.defineClass0(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[BIILjava/security/ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;",
        define_by_lookup,
    ),
    (
        "jdk/internal/misc/Unsafe.defineClass0(Ljava/lang/String;[BIILjava/lang/ClassLoader;Ljava/security/ProtectionDomain;)Ljava/lang/Class;",
        define_by_unsafe,
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
    /// Superclass and superinterfaces.
    above: Vec<Sym>,
}

/// Reads the class file in the arguments from `first` on: an array, an offset and a length.
fn made(
    vm: &mut Vm,
    args: Args,
    (first, is_hidden): (usize, bool),
    given: Ref,
) -> Result<Made, Fault> {
    let bytes = vm.part_of(
        vm.arg_object(args, first)?,
        vm.arg_int(args, first + 1),
        vm.arg_int(args, first + 2),
    )?;
    made_of(vm, vm.arg_ref(args, 0), bytes, is_hidden, given)
}

fn made_of(
    vm: &mut Vm,
    loader: Ref,
    bytes: Vec<u8>,
    is_hidden: bool,
    given: Ref,
) -> Result<Made, Fault> {
    if !loader.is_null() && !is_hidden && !vm.config.replaces_launcher {
        return Err(Fault::unsupported(
            "java.lang.ClassLoader.defineClass: tests make no classes at run time",
        ));
    }
    check_version(vm, &bytes, given)?;
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
        above: info.super_name.into_iter().chain(info.interfaces).collect(),
    })
}

/// Refuses the class files of later releases, before anything else is read.
fn check_version(vm: &Vm, bytes: &[u8], given: Ref) -> Result<(), Fault> {
    const FIRST_WITHOUT_MINOR: u16 = 56;
    const PREVIEW: u16 = 0xFFFF;
    let [_, _, _, _, a, b, c, d, ..] = *bytes else {
        return Ok(());
    };
    let (minor, major) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
    let newest = (vm.jdk().feature + CLASS_VERSIONS) as u16;
    let name = match given {
        Ref::NULL => "Unknown".to_owned(),
        given => vm.string_text(given).replace('.', "/"),
    };
    if major > newest {
        return Err(vm.too_new_fault(&name, (major, minor)));
    }
    let message = if major >= FIRST_WITHOUT_MINOR && minor != 0 && minor != PREVIEW {
        format!(
            "{name} (class file version {major}.{minor}) was compiled with an invalid non-zero \
             minor version"
        )
    } else {
        return Ok(());
    };
    let class = "java/lang/UnsupportedClassVersionError";
    Err(Fault::raise(class, message))
}

fn define(vm: &mut Vm, made: Made) -> Result<ClassId, Fault> {
    match vm.has_name_space(made.loader) {
        true => define_apart(vm, made),
        false => define_shared(vm, made),
    }
}

/// Defines a class in the name space of a loader, which is first asked for the classes above it.
fn define_apart(vm: &mut Vm, made: Made) -> Result<ClassId, Fault> {
    let Made {
        loader,
        bytes,
        name,
        above,
    } = made;
    if vm.class_of_loader(loader, name).is_some() {
        return Err(duplicate(vm, loader, name));
    }
    for above in above {
        if above == name {
            let text = vm.text(name).to_owned();
            return Err(Fault::raise("java/lang/ClassCircularityError", text));
        }
        vm.load_by(loader, above)?;
    }
    // A class that going back has forgotten.
    let forgotten = vm.made.get(&name).into_iter().flatten().copied();
    let mut same = forgotten.filter(|&class| {
        let file = vm.class(class).file.as_ref();
        file.is_some_and(|file| file.space == loader && file.bytes == bytes)
    });
    let class = match same.next() {
        Some(class) => class,
        None => {
            let made = vm.define_by(loader, name, bytes, Loader::App);
            let class = made.map_err(|error| vm.load_fault(error))?;
            vm.made.entry(name).or_default().push(class);
            class
        }
    };
    vm.note_class(loader, name, class);
    set_loader(vm, class, loader);
    Ok(class)
}

/// Sets the loader of a new class, and its module if the loader has a name space of its own.
fn set_loader(vm: &mut Vm, class: ClassId, loader: Ref) {
    let mirror = vm.class(class).mirror;
    vm.put(mirror, "classLoader", loader.slot());
    if vm.has_name_space(loader) {
        let module = vm.named_module_of(loader, class);
        let module = module.unwrap_or_else(|| vm.module_of_loader(loader));
        vm.put(mirror, "module", module.slot());
    }
}

fn duplicate(vm: &Vm, loader: Ref, name: Sym) -> Fault {
    let message = format!(
        "loader {} attempted duplicate class definition for {}.",
        vm.binary_name(vm.heap.class_of(loader)),
        vm.text(name).replace('/', ".")
    );
    Fault::raise("java/lang/LinkageError", message)
}

/// Defines a class in the name space of the JDK's loaders.
fn define_shared(vm: &mut Vm, made: Made) -> Result<ClassId, Fault> {
    let Made {
        loader,
        bytes,
        name,
        ..
    } = made;
    // The literal tells whether this state has the class.
    let mark: Vec<u16> = format!("{HIDDEN}{}", vm.text(name))
        .encode_utf16()
        .collect();
    match vm.load(name) {
        // A class of the library that going back has forgotten.
        Ok(class) if loader.is_null() && vm.class(class).loader == Loader::Boot => Ok(class),
        Ok(class) if vm.made.get(&name).is_some_and(|made| made.contains(&class)) => {
            let cell = vm.literal_cell(&mark)?;
            let file = vm.class(class).file.as_ref();
            if vm.heap.load(cell) != 0 {
                Err(duplicate(vm, loader, name))
            } else if file.is_some_and(|file| file.bytes == bytes) {
                vm.enter_literal(cell);
                Ok(class)
            } else {
                let text = vm.text(name).replace('/', ".");
                Err(Fault::unsupported(format!(
                    "two contents of {text}, which is made at run time"
                )))
            }
        }
        Ok(_) => Err(duplicate(vm, loader, name)),
        Err(LoadError::NotFound(absent)) if absent == name => {
            let kind = match loader.is_null() {
                true => Loader::Boot,
                false => Loader::App,
            };
            let cell = vm.literal_cell(&mark)?;
            let text = vm.text(name).to_owned();
            let made = vm.define_made(&text, bytes, kind);
            let class = made.map_err(|error| vm.load_fault(error))?;
            vm.enter_literal(cell);
            vm.made.entry(name).or_default().push(class);
            Ok(class)
        }
        Err(error) => Err(vm.load_fault(error)),
    }
}

/// `ClassLoader.defineClass`.
fn define_class(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let made = made(vm, args, (2, false), vm.arg_ref(args, 1))?;
    let class = define(vm, made)?;
    vm.note_domain(class, vm.arg_ref(args, 5));
    Ok(vm.class(class).mirror.slot())
}

/// `ClassLoader.defineClass` of a direct buffer.
fn define_from_buffer(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let buffer = vm.arg_object(args, 2)?;
    let word = vm.word_of(vm.heap.class_of(buffer), "address")?;
    let address = vm.heap.field(buffer, word);
    let [offset, length] = [3, 4].map(|index| u64::from(vm.arg_int(args, index).max(0) as u32));
    let bytes = vm.bytes_at(address + offset, length)?;
    let made = made_of(vm, vm.arg_ref(args, 0), bytes, false, vm.arg_ref(args, 1))?;
    let class = define(vm, made)?;
    vm.note_domain(class, vm.arg_ref(args, 5));
    Ok(vm.class(class).mirror.slot())
}

/// `Unsafe.defineClass`.
fn define_by_unsafe(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let bytes = vm.part_of(
        vm.arg_object(args, 2)?,
        vm.arg_int(args, 3),
        vm.arg_int(args, 4),
    )?;
    let made = made_of(vm, vm.arg_ref(args, 5), bytes, false, vm.arg_ref(args, 1))?;
    let class = define(vm, made)?;
    vm.note_domain(class, vm.arg_ref(args, 6));
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
    vm.note_domain(class, vm.arg_ref(args, 6));
    if vm.arg_int(args, 8) & NESTMATE_CLASS != 0 {
        let mate = vm.arg_class(args, 1)?;
        let host = nest_host(vm, mate)?;
        let host = vm.class(host).name;
        let file = vm.classes[class.0 as usize].file.as_mut();
        if let Some(file) = file.and_then(Arc::get_mut) {
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
        let loader = made.loader;
        if let Some(class) = known {
            vm.enter_literal(cell);
            set_loader(vm, class, loader);
            return Ok(class);
        }
        for above in made.above {
            vm.load_by(loader, above)?;
        }
        vm.enter_literal(cell);
        let kind = match loader.is_null() {
            true => Loader::Boot,
            false => Loader::App,
        };
        let name = vm.names.intern(&name);
        let class = vm
            .define_by(loader, name, bytes, kind)
            .map_err(|error| vm.load_fault(error))?;
        vm.class_index.insert(name, class);
        set_loader(vm, class, loader);
        return Ok(class);
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
    let name = match vm.arg_ref(args, 1) {
        Ref::NULL => return Ok(0),
        name => vm.string_text(name).replace('.', "/"),
    };
    let name = vm.names.intern(&name);
    let found = vm.class_of_loader(loader, name);
    Ok(found.map_or(0, |class| vm.class(class).mirror.slot()))
}
