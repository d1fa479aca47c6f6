//! `java.lang.Module`: the modules of the JDK by name, with their exported and open packages. Each
//! reads all others and uses all services.
//!
//! The boot layer only finds modules by name, until the program asks for more: then the library
//! resolves its configuration. Other layers are made by the library.

use super::{Args, NativeEntry, nothing, one};
use crate::assembler::Assembler;
use crate::heap::Ref;
use crate::instr::Instr;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    // Access is not checked between classes.
    (
        "java/lang/Module.addReads0(Ljava/lang/Module;Ljava/lang/Module;)V",
        nothing,
    ),
    (
        "java/lang/Module.addExports0(Ljava/lang/Module;Ljava/lang/String;Ljava/lang/Module;)V",
        nothing,
    ),
    (
        "java/lang/Module.addExportsToAll0(Ljava/lang/Module;Ljava/lang/String;)V",
        nothing,
    ),
    (
        "java/lang/Module.addExportsToAllUnnamed0(Ljava/lang/Module;Ljava/lang/String;)V",
        nothing,
    ),
    ("java/net/InetAddress.init()V", nothing),
    ("java/net/Inet4Address.init()V", nothing),
    ("java/net/Inet6Address.init()V", nothing),
    ("java/net/InetAddressImplFactory.isIPv6Supported()Z", one),
    ("java/net/InetAddress.isIPv6Supported()Z", one),
    ("java/net/InetAddress.isIPv4Available()Z", one),
    (
        "java/lang/Module.isExported(Ljava/lang/String;)Z",
        |vm, args| is_visible(vm, args, PackageAccess::Exported, false),
    ),
    (
        "java/lang/Module.isExported(Ljava/lang/String;Ljava/lang/Module;)Z",
        |vm, args| is_visible(vm, args, PackageAccess::Exported, true),
    ),
    (
        "java/lang/Module.isOpen(Ljava/lang/String;)Z",
        |vm, args| is_visible(vm, args, PackageAccess::Open, false),
    ),
    (
        "java/lang/Module.isOpen(Ljava/lang/String;Ljava/lang/Module;)Z",
        |vm, args| is_visible(vm, args, PackageAccess::Open, true),
    ),
    (
        "java/lang/Module.getDescriptor()Ljava/lang/module/ModuleDescriptor;",
        |vm, args| {
            of_module(
                vm,
                args,
                "getDescriptor",
                "()Ljava/lang/module/ModuleDescriptor;",
            )
        },
    ),
    (
        "java/lang/Module.getLayer()Ljava/lang/ModuleLayer;",
        |vm, args| of_module(vm, args, "getLayer", "()Ljava/lang/ModuleLayer;"),
    ),
    (
        "java/lang/Module.defineModule0(Ljava/lang/Module;ZLjava/lang/String;Ljava/lang/String;[Ljava/lang/Object;)V",
        define_module,
    ),
    ("java/lang/Module.canUse(Ljava/lang/Class;)Z", one),
    ("java/lang/Module.canRead(Ljava/lang/Module;)Z", one),
    (
        "java/lang/Module.addUses(Ljava/lang/Class;)Ljava/lang/Module;",
        itself,
    ),
    (
        "java/lang/Module.addReads(Ljava/lang/Module;)Ljava/lang/Module;",
        itself,
    ),
    ("java/lang/Module.getPackages()Ljava/util/Set;", packages),
    (
        "java/lang/Module.moduleInfoClass()Ljava/lang/Class;",
        |_, _| {
            Err(Fault::unsupported(
                "java.lang.Module.getAnnotations: annotations of modules are not read",
            ))
        },
    ),
    (
        "java/lang/ModuleLayer.boot()Ljava/lang/ModuleLayer;",
        boot_layer,
    ),
    (
        "java/lang/ModuleLayer.findModule(Ljava/lang/String;)Ljava/util/Optional;",
        find_module,
    ),
    (
        "java/lang/ModuleLayer.modules()Ljava/util/Set;",
        |vm, args| of_layer(vm, args, "modules", "()Ljava/util/Set;"),
    ),
    (
        "java/lang/ModuleLayer.configuration()Ljava/lang/module/Configuration;",
        |vm, args| {
            of_layer(
                vm,
                args,
                "configuration",
                "()Ljava/lang/module/Configuration;",
            )
        },
    ),
    (
        "java/lang/ModuleLayer.parents()Ljava/util/List;",
        |vm, args| of_layer(vm, args, "parents", "()Ljava/util/List;"),
    ),
    (
        "java/lang/ModuleLayer.toString()Ljava/lang/String;",
        |vm, args| of_layer(vm, args, "toString", "()Ljava/lang/String;"),
    ),
    (
        "java/lang/ModuleLayer.findLoader(Ljava/lang/String;)Ljava/lang/ClassLoader;",
        |vm, args| {
            let shape = "(Ljava/lang/String;)Ljava/lang/ClassLoader;";
            of_layer(vm, args, "findLoader", shape)
        },
    ),
];

/// Access to a package that a module grants to others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PackageAccess {
    /// Use of its public types.
    Exported,
    /// Reflective access to its types.
    Open,
}

impl Vm {
    /// `Module` object of a module of the JDK.
    pub(crate) fn module_named(&mut self, name: &str) -> Result<Ref, Fault> {
        if let Some((_, module)) = self
            .module_objects
            .iter()
            .find(|(known, _)| **known == *name)
        {
            return Ok(*module);
        }
        let class = self.heap.class_of(self.module);
        let words = self.class(class).instance_words;
        let module = self.heap.allocate(class, words, true)?;
        self.name_module(module, name)?;
        Ok(module)
    }

    /// Sets the name of a `Module` object and registers it under this name.
    pub(crate) fn name_module(&mut self, module: Ref, name: &str) -> Result<(), Fault> {
        let word = self.word_of(self.heap.class_of(module), "name")?;
        let text = self.literal(&name.encode_utf16().collect::<Vec<_>>())?;
        self.heap.store_initial(module.0 + word, text.slot());
        self.module_objects.push((name.into(), module));
        Ok(())
    }

    pub(super) fn name_of_module(&self, module: Ref) -> Option<&str> {
        let mut named = self.module_objects.iter();
        named
            .find(|(_, known)| *known == module)
            .map(|(name, _)| &**name)
    }
}

fn is_visible(
    vm: &mut Vm,
    args: Args,
    access: PackageAccess,
    is_qualified: bool,
) -> Result<u64, Fault> {
    let module = vm.arg_object(args, 0)?;
    let package = vm.string_text(vm.arg_object(args, 1)?);
    let other = match is_qualified {
        true => Some(vm.arg_object(args, 2)?),
        false => None,
    };
    // An unnamed module opens all its packages, and every module opens its packages to itself.
    let Some(name) = vm.name_of_module(module) else {
        let word = vm.word_of(vm.heap.class_of(module), "name")?;
        if vm.heap.field(module, word) == 0 {
            return Ok(1);
        }
        let name = match access {
            PackageAccess::Exported => "isExported",
            PackageAccess::Open => "isOpen",
        };
        let shape = match is_qualified {
            true => "(Ljava/lang/String;Ljava/lang/Module;)Z",
            false => "(Ljava/lang/String;)Z",
        };
        return Err(vm.own_bytecode(args, MODULE, name, shape));
    };
    if other == Some(module) {
        return Ok(1);
    }
    let (name, other) = (
        name.to_owned(),
        other.map(|other| vm.name_of_module(other).unwrap_or_default().to_owned()),
    );
    let Some(descriptor) = vm.modules.descriptor(&name) else {
        return Err(Fault::unsupported(format!(
            "the descriptor of the module {name}"
        )));
    };
    let package = package.replace('.', "/");
    let lists = match access {
        PackageAccess::Open => [&descriptor.opens, &descriptor.opens],
        PackageAccess::Exported => [&descriptor.exports, &descriptor.opens],
    };
    let is_visible = descriptor.is_open
        || lists.into_iter().flatten().any(|(listed, to)| {
            *listed == package
                && (to.is_empty() || other.as_ref().is_some_and(|other| to.contains(other)))
        });
    Ok(u64::from(is_visible))
}

const MODULE: &str = "java/lang/Module";
const LAYER: &str = "java/lang/ModuleLayer";

/// Static field of `System` with the boot layer.
fn boot_layer_word(vm: &mut Vm) -> Result<u32, Fault> {
    let system = vm
        .load_class("java/lang/System")
        .map_err(|error| vm.load_fault(error))?;
    let field = vm.find_field(system, "bootLayer").map(|field| field.word);
    field.ok_or_else(|| Fault::unsupported("java.lang.ModuleLayer.boot"))
}

/// The boot layer, made when it is first asked for.
fn boot_layer(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    let word = boot_layer_word(vm)?;
    let known = vm.heap.load(word);
    if known != 0 {
        return Ok(known);
    }
    let layer = vm.new_library_object(LAYER)?;
    vm.heap.store(word, layer.slot());
    Ok(layer.slot())
}

fn find_module(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let shape = "(Ljava/lang/String;)Ljava/util/Optional;";
    let word = boot_layer_word(vm)?;
    if vm.heap.load(word) != vm.arg(args, 0) {
        return Err(vm.own_bytecode(args, LAYER, "findModule", shape));
    }
    let name = vm.string_text(vm.arg_object(args, 1)?);
    let module = match vm.modules.descriptor(&name).is_some() {
        true => vm.module_named(&name)?,
        false => Ref::NULL,
    };
    let shape = "(Ljava/lang/Object;)Ljava/util/Optional;";
    let optional = vm.method_named("java/util/Optional", "ofNullable", shape)?;
    vm.initialize(vm.method(optional).class)?;
    Err(Fault::Call(optional, vec![module.slot()]))
}

/// Runs a method of a layer; the boot layer is completed first.
fn of_layer(vm: &mut Vm, args: Args, name: &str, descriptor: &str) -> Result<u64, Fault> {
    complete_boot_layer(vm, vm.arg_object(args, 0)?)?;
    Err(vm.own_bytecode(args, LAYER, name, descriptor))
}

/// Runs a method of a module; for one of the JDK, the boot layer is completed first.
fn of_module(vm: &mut Vm, args: Args, name: &str, descriptor: &str) -> Result<u64, Fault> {
    let module = vm.arg_object(args, 0)?;
    if vm.name_of_module(module).is_some() {
        let layer = Ref::from_slot(boot_layer(vm, args)?);
        complete_boot_layer(vm, layer)?;
    }
    Err(vm.own_bytecode(args, MODULE, name, descriptor))
}

/// Packages of a named module. Which packages an unnamed one has depends on the classes that are
/// loaded.
fn packages(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let module = vm.arg_object(args, 0)?;
    let word = vm.word_of(vm.heap.class_of(module), "name")?;
    match vm.heap.field(module, word) {
        0 => Err(Fault::unsupported(
            "java.lang.Module.getPackages of an unnamed module: its packages are not listed",
        )),
        _ => of_module(vm, args, "getPackages", "()Ljava/util/Set;"),
    }
}

/// Lets the classes that a loader of the program will define in some packages be in a module.
fn define_module(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let module = vm.arg_object(args, 0)?;
    let word = vm.word_of(vm.heap.class_of(module), "loader")?;
    let loader = Ref::from_slot(vm.heap.field(module, word));
    let packages = vm.arg_ref(args, 4);
    if vm.has_name_space(loader) && !packages.is_null() {
        for package in vm.object_elements(packages) {
            let package = vm.string_text(package).replace('.', "/");
            vm.note_module(loader, package, module);
        }
    }
    Ok(0)
}

/// Requests a call that completes the boot layer, if this is it.
fn complete_boot_layer(vm: &mut Vm, layer: Ref) -> Result<(), Fault> {
    let word = boot_layer_word(vm)?;
    let configuration = vm.word_of(vm.heap.class_of(layer), "cf")?;
    if vm.heap.load(word) != layer.slot() || vm.heap.field(layer, configuration) != 0 {
        return Ok(());
    }
    let shape = "(Ljava/lang/ModuleLayer;)V";
    let complete = vm.once("boot layer", LAYER, shape, emit_boot_layer)?;
    Err(Fault::First(complete, vec![layer.slot()]))
}

/// Emits code that resolves the modules of the JDK as at the start of a program on the class path,
/// and puts them into the layer in register 0.
fn emit_boot_layer(vm: &mut Vm, code: &mut Assembler) -> Result<(), Fault> {
    const FINDER: &str = "java/lang/module/ModuleFinder";
    const CONFIGURATION: &str = "java/lang/module/Configuration";
    const MAP: &str = "java/util/HashMap";
    let (finder, configuration, map, free) = (1, 2, 3, 4);
    let class = |vm: &mut Vm, name: &str| {
        let class = vm.load_class(name);
        class.map_err(|error| vm.load_fault(error))
    };
    let call = |vm: &mut Vm, code: &mut Assembler, at, (class, name, shape): (&str, &str, &str)| {
        let method = vm.method_named(class, name, shape)?;
        code.reserve(at + 8);
        code.push(vm.call_instr(method, at));
        Ok::<(), Fault>(())
    };
    let system = (
        "jdk/internal/module/SystemModuleFinders",
        "ofSystem",
        "()Ljava/lang/module/ModuleFinder;",
    );
    call(vm, code, finder, system)?;
    let empty = ("empty", "()Ljava/lang/module/Configuration;");
    call(vm, code, free, (CONFIGURATION, empty.0, empty.1))?;
    code.push(Instr::Move {
        d: free + 1,
        a: finder,
    });
    let paths = class(vm, "[Ljava/nio/file/Path;")?;
    code.push(Instr::Int {
        d: free + 2,
        value: 0,
    });
    code.push(Instr::NewArray {
        d: free + 2,
        class: paths.0,
    });
    let none = (
        FINDER,
        "of",
        "([Ljava/nio/file/Path;)Ljava/lang/module/ModuleFinder;",
    );
    call(vm, code, free + 2, none)?;
    code.push(Instr::Move {
        d: free + 3,
        a: finder,
    });
    let roots = (
        "jdk/internal/module/DefaultRoots",
        "compute",
        "(Ljava/lang/module/ModuleFinder;)Ljava/util/Set;",
    );
    call(vm, code, free + 3, roots)?;
    let resolve = (
        CONFIGURATION,
        "resolveAndBind",
        "(Ljava/lang/module/ModuleFinder;Ljava/lang/module/ModuleFinder;Ljava/util/Collection;)Ljava/lang/module/Configuration;",
    );
    call(vm, code, free, resolve)?;
    code.push(Instr::Move {
        d: configuration,
        a: free,
    });
    code.push(Instr::NewChecked {
        d: map,
        class: class(vm, MAP)?.0,
    });
    code.push(Instr::Move { d: free, a: map });
    call(vm, code, free, (MAP, "<init>", "()V"))?;
    let module_class = vm.heap.class_of(vm.module);
    let own = ["descriptor", "layer"].map(|field| vm.word_of(module_class, field));
    let [descriptor, layer] = own;
    let (descriptor, layer) = (descriptor? as u16, layer? as u16);
    for name in vm.modules.names().to_vec() {
        let module = vm.module_named(&name)?;
        let units: Vec<u16> = name.encode_utf16().collect();
        let cell = vm.literal_cell(&units)?;
        let object = Instr::Object {
            d: free + 1,
            object: module.0,
        };
        code.push(Instr::Move {
            d: free,
            a: configuration,
        });
        code.push(Instr::Literal { d: free + 1, cell });
        let shape = "(Ljava/lang/String;)Ljava/util/Optional;";
        call(vm, code, free, (CONFIGURATION, "findModule", shape))?;
        code.push(Instr::Int {
            d: free + 1,
            value: 0,
        });
        let shape = "(Ljava/lang/Object;)Ljava/lang/Object;";
        call(vm, code, free, ("java/util/Optional", "orElse", shape))?;
        let absent = code.here();
        code.push(Instr::IfNull { a: free, to: 0 });
        let shape = "()Ljava/lang/module/ModuleReference;";
        call(
            vm,
            code,
            free,
            ("java/lang/module/ResolvedModule", "reference", shape),
        )?;
        let shape = "()Ljava/lang/module/ModuleDescriptor;";
        call(
            vm,
            code,
            free,
            ("java/lang/module/ModuleReference", "descriptor", shape),
        )?;
        code.push(object);
        for (word, b) in [(descriptor, free), (layer, 0)] {
            code.push(Instr::PutField {
                a: free + 1,
                b,
                word,
            });
        }
        code.push(Instr::Move { d: free, a: map });
        code.push(object);
        code.push(Instr::Move {
            d: free + 2,
            a: free + 1,
        });
        code.push(Instr::Literal { d: free + 1, cell });
        let shape = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
        call(vm, code, free, (MAP, "put", shape))?;
        code.land(absent);
    }
    call(
        vm,
        code,
        free,
        (LAYER, "empty", "()Ljava/lang/ModuleLayer;"),
    )?;
    let shape = "(Ljava/lang/Object;)Ljava/util/List;";
    call(vm, code, free, ("java/util/List", "of", shape))?;
    let class = class(vm, LAYER)?;
    for (field, b) in [
        ("parents", free),
        ("nameToModule", map),
        ("cf", configuration),
    ] {
        let word = vm.word_of(class, field)? as u16;
        code.push(Instr::PutField { a: 0, b, word });
    }
    code.push(Instr::ReturnVoid);
    Ok(())
}

fn itself(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Ok(vm.arg(args, 0))
}
