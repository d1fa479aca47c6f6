//! `java.lang.Class` and class loading by name.

use std::collections::BTreeSet;

use super::define::HIDDEN;
use super::{Args, NativeEntry, nothing};
use crate::chances::Chance;
use crate::class::{ClassId, Loader, Shape, flags};
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::indy::LAMBDA;
use crate::link::LoadError;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "java/lang/Class.desiredAssertionStatus()Z",
        desired_assertion_status,
    ),
    (
        "java/lang/Class.getPrimitiveClass(Ljava/lang/String;)Ljava/lang/Class;",
        get_primitive_class,
    ),
    (
        "java/lang/Class.forName0(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;",
        for_name,
    ),
    (
        "java/lang/Class.initClassName()Ljava/lang/String;",
        init_class_name,
    ),
    ("java/lang/Class.isPrimitive()Z", is_primitive),
    ("java/lang/Class.isArray()Z", is_array),
    ("java/lang/Class.isInterface()Z", is_interface),
    ("java/lang/Class.isHidden()Z", is_hidden),
    ("java/lang/Class.isRecord0()Z", is_record),
    (
        "java/lang/Class.isInstance(Ljava/lang/Object;)Z",
        is_instance,
    ),
    (
        "java/lang/Class.isAssignableFrom(Ljava/lang/Class;)Z",
        is_assignable_from,
    ),
    (
        "java/lang/Class.getSuperclass()Ljava/lang/Class;",
        get_superclass,
    ),
    (
        "java/lang/Class.getInterfaces0()[Ljava/lang/Class;",
        get_interfaces,
    ),
    ("java/lang/Class.getModifiers()I", get_modifiers),
    (
        "java/lang/Class.getClassAccessFlagsRaw0()I",
        get_access_flags,
    ),
    (
        "java/lang/Class.getDeclaringClass0()Ljava/lang/Class;",
        get_declaring_class,
    ),
    (
        "java/lang/Class.getSimpleBinaryName0()Ljava/lang/String;",
        get_simple_binary_name,
    ),
    (
        "java/lang/Class.getEnclosingMethod0()[Ljava/lang/Object;",
        get_enclosing_method,
    ),
    (
        "java/lang/Class.getNestHost0()Ljava/lang/Class;",
        get_nest_host,
    ),
    (
        "java/lang/Class.getGenericSignature0()Ljava/lang/String;",
        get_generic_signature,
    ),
    (
        "java/lang/Class.getPermittedSubclasses0()[Ljava/lang/Class;",
        get_permitted_subclasses,
    ),
    (
        "java/lang/Class.getEnumConstantsShared()[Ljava/lang/Object;",
        get_enum_constants,
    ),
    (
        "java/lang/ClassLoader.getSystemClassLoader()Ljava/lang/ClassLoader;",
        system_loader,
    ),
    (
        "java/lang/ClassLoader.getBuiltinAppClassLoader()Ljava/lang/ClassLoader;",
        app_loader,
    ),
    (
        "java/lang/ClassLoader.getPlatformClassLoader()Ljava/lang/ClassLoader;",
        platform_loader,
    ),
    (
        "java/lang/ClassLoader.getBuiltinPlatformClassLoader()Ljava/lang/ClassLoader;",
        platform_loader,
    ),
    (
        "jdk/internal/loader/ClassLoaders$AppClassLoader.loadClass(Ljava/lang/String;Z)Ljava/lang/Class;",
        load_class,
    ),
    (
        "jdk/internal/loader/BuiltinClassLoader.loadClass(Ljava/lang/String;Z)Ljava/lang/Class;",
        load_class,
    ),
    (
        "java/lang/ClassLoader.isRegisteredAsParallelCapable()Z",
        is_parallel_capable,
    ),
    (
        "java/lang/ClassLoader.findBootstrapClass(Ljava/lang/String;)Ljava/lang/Class;",
        find_bootstrap_class,
    ),
    (
        "java/lang/Class.getPackage()Ljava/lang/Package;",
        get_package,
    ),
    (
        "jdk/internal/loader/BootLoader.setBootLoaderUnnamedModule0(Ljava/lang/Module;)V",
        nothing,
    ),
    (
        "jdk/internal/loader/BootLoader.getSystemPackageNames()[Ljava/lang/String;",
        system_packages,
    ),
    (
        "jdk/internal/loader/BootLoader.getSystemPackageLocation(Ljava/lang/String;)Ljava/lang/String;",
        package_location,
    ),
    (
        "jdk/internal/loader/BootLoader.loadLibrary(Ljava/lang/String;)V",
        nothing,
    ),
    (
        "jdk/internal/reflect/Reflection.getClassAccessFlags(Ljava/lang/Class;)I",
        class_access_flags,
    ),
    (
        "jdk/internal/misc/VM.latestUserDefinedLoader0()Ljava/lang/ClassLoader;",
        latest_loader,
    ),
    (
        "jdk/internal/reflect/Reflection.getCallerClass()Ljava/lang/Class;",
        get_caller_class,
    ),
    (
        "jdk/internal/reflect/Reflection.areNestMates(Ljava/lang/Class;Ljava/lang/Class;)Z",
        are_nest_mates,
    ),
];

fn system_loader(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    vm.note_for_program(Chance::ClassLoaders);
    app_loader(vm, args)
}

fn desired_assertion_status(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    // An initialiser asks for the sake of `assert`.
    let caller = vm.frames().last().copied();
    if caller.is_none_or(|caller| vm.text(vm.method(caller.method).name) != "<clinit>") {
        vm.note_chance(Chance::Assertions);
    }
    Ok(u64::from(
        vm.config.assertions && vm.class(class).loader == Loader::App,
    ))
}

fn get_primitive_class(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let name = vm.string_text(vm.arg_object(args, 0)?);
    let kind = Kind::of_keyword(&name)
        .ok_or_else(|| Fault::raise("java/lang/ClassNotFoundException", name.clone()))?;
    let class = vm.primitive(kind);
    Ok(vm.class(class).mirror.slot())
}

fn for_name(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let name = vm.string_text(vm.arg_object(args, 0)?);
    let initialize = vm.arg_int(args, 1) != 0;
    let loader = vm.arg_ref(args, 2);
    if vm.has_name_space(loader) {
        return for_name_by_loader(vm, args, &name);
    }
    let missing = || Fault::raise("java/lang/ClassNotFoundException", name.clone());
    let lambda = internal_lambda_name(&name);
    // Internal names with slashes, and descriptors, are no binary names.
    if lambda.is_none() && name.contains('/') || name.is_empty() {
        return Err(missing());
    }
    let internal = lambda.unwrap_or_else(|| name.replace('.', "/"));
    let class = match vm.load_class(&internal) {
        Ok(class) if matches!(vm.class(class).shape, Shape::Primitive(_)) => return Err(missing()),
        // A class of one of the program's own loaders, or a hidden one.
        Ok(class)
            if vm.class(class).loader == Loader::App
                && vm.loader_object(class) != vm.app_loader
                || name.contains(HIDDEN) =>
        {
            return Err(missing());
        }
        Ok(class) => class,
        Err(LoadError::NotFound(absent)) if vm.text(absent) == internal => {
            return Err(missing());
        }
        // The element class of an array is missing.
        Err(LoadError::NotFound(absent)) if name.starts_with('[') => {
            let absent = vm.text(absent).replace('/', ".");
            return Err(Fault::raise("java/lang/ClassNotFoundException", absent));
        }
        Err(error) => return Err(vm.load_fault(error)),
    };
    if initialize {
        vm.initialize(class)?;
    }
    Ok(vm.class(class).mirror.slot())
}

/// `Class.forName` through a loader of the program, which the virtual machine asks by `loadClass`.
fn for_name_by_loader(vm: &mut Vm, args: Args, name: &str) -> Result<u64, Fault> {
    let loader = vm.arg_object(args, 2)?;
    let missing = || Fault::raise("java/lang/ClassNotFoundException", name);
    if name.contains('/') || name.is_empty() {
        return Err(missing());
    }
    let symbol = vm.names.intern(&name.replace('.', "/"));
    let class = match vm.load_by(loader, symbol) {
        Err(Fault::First(..)) if !name.starts_with('[') => {
            return Err(vm.ask_loader(loader, symbol, false));
        }
        Err(Fault::Raise("java/lang/NoClassDefFoundError", _)) => return Err(missing()),
        loaded => loaded?,
    };
    if vm.arg_int(args, 1) != 0 {
        vm.initialize(class)?;
    }
    Ok(vm.class(class).mirror.slot())
}

fn app_loader(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(vm.app_loader.slot())
}

fn parent_of(vm: &mut Vm, loader: Ref) -> Result<Ref, Fault> {
    let base = vm
        .load_class("java/lang/ClassLoader")
        .map_err(|error| vm.load_fault(error))?;
    let word = vm.word_of(base, "parent")?;
    Ok(Ref::from_slot(vm.heap.field(loader, word)))
}

/// The JDK's own loaders register themselves as parallel capable when they are initialised.
fn is_parallel_capable(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.heap.class_of(vm.arg_object(args, 0)?);
    if vm.loader_of(class) == Loader::Boot {
        return Ok(1);
    }
    const REGISTER: &str = "java/lang/ClassLoader$ParallelLoaders";
    let register = vm.load_class(REGISTER);
    let register = register.map_err(|error| vm.load_fault(error))?;
    vm.initialize(register)?;
    let method = vm.method_named(REGISTER, "isRegistered", "(Ljava/lang/Class;)Z")?;
    Err(Fault::Call(method, vec![vm.class(class).mirror.slot()]))
}

fn platform_loader(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(parent_of(vm, vm.app_loader)?.slot())
}

/// `loadClass` of the existing loaders: by name, without initialisation or arrays.
fn load_class(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let loader = vm.arg_object(args, 0)?;
    let name = vm.string_text(vm.arg_object(args, 1)?);
    let missing = || Fault::raise("java/lang/ClassNotFoundException", name.clone());
    if name.contains('/') {
        let message = format!("IllegalName: {name}");
        return Err(Fault::raise("java/lang/NoClassDefFoundError", message));
    }
    if name.starts_with('[') || name.is_empty() {
        return Err(missing());
    }
    let internal = name.replace('.', "/");
    match vm.load_class(&internal) {
        Ok(class)
            if matches!(vm.class(class).shape, Shape::Primitive(_))
                || vm.class(class).loader == Loader::App
                    && (loader != vm.app_loader || vm.loader_object(class) != loader) =>
        {
            Err(missing())
        }
        Ok(class) => Ok(vm.class(class).mirror.slot()),
        Err(LoadError::NotFound(absent)) if vm.text(absent) == internal => Err(missing()),
        Err(error) => Err(vm.load_fault(error)),
    }
}

fn find_bootstrap_class(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let name = vm.string_text(vm.arg_object(args, 0)?);
    match vm.load_class(&name.replace('.', "/")) {
        Ok(class) if vm.class(class).loader == Loader::Boot => Ok(vm.class(class).mirror.slot()),
        Ok(_) | Err(LoadError::NotFound(_)) => Ok(0),
        Err(error) => Err(vm.load_fault(error)),
    }
}

/// Package of a class, as stored by its loader.
fn get_package(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let mirror = vm.arg_object(args, 0)?;
    let class = vm.class_of_mirror(mirror);
    if !matches!(vm.class(class).shape, Shape::Instance) {
        return Ok(0);
    }
    // Packages of the JDK are stored in the platform loader, which is unobservable.
    let loader = match vm.class(class).loader {
        Loader::Boot => parent_of(vm, vm.app_loader)?,
        Loader::App => vm.loader_object(class),
    };
    let loaders = vm
        .load_class("java/lang/ClassLoader")
        .map_err(|error| vm.load_fault(error))?;
    let key = (
        vm.names.intern("definePackage"),
        vm.names.intern("(Ljava/lang/Class;)Ljava/lang/Package;"),
    );
    let Some(&define) = vm.class(loaders).method_index.get(&key) else {
        return Err(Fault::unsupported("java.lang.Class.getPackage"));
    };
    Err(Fault::Call(define, vec![loader.slot(), mirror.slot()]))
}

/// Packages of the classes that are loaded, in the order of their names. Which these are depends on
/// earlier runs, so that only a program that just runs is told.
fn system_packages(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    if !vm.config.replaces_launcher {
        return Err(Fault::unsupported(
            "java.lang.Package.getPackages: tests are not told which classes are loaded",
        ));
    }
    let loaded = vm.loaded_classes();
    let boot = loaded.filter(|&class| vm.class(class).loader == Loader::Boot);
    let of_files = boot.filter(|&class| vm.class(class).file.is_some());
    let packages: BTreeSet<String> = of_files
        .map(|class| vm.package_of(class).to_owned())
        .collect();
    let mut names = Vec::with_capacity(packages.len());
    for package in packages {
        names.push(vm.new_string(&package)?);
    }
    let class = vm.known().strings;
    Ok(vm.new_object_array(class, &names)?.slot())
}

/// Module of a package with a loaded class, as a URL.
fn package_location(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let package = vm.string_text(vm.arg_object(args, 0)?);
    let loaded = vm.loaded_classes();
    let mut boot = loaded
        .filter(|&class| vm.class(class).loader == Loader::Boot && vm.package_of(class) == package);
    let module = boot.find_map(|class| vm.class(class).module.clone());
    match module {
        Some(module) => Ok(vm.new_string(&format!("jrt:/{module}"))?.slot()),
        None => Ok(0),
    }
}

/// Binary name of a lambda's class, of which the part behind the slash has no meaning in `java`.
fn lambda_name(user: &str, number: &str, feature: u32) -> String {
    let user = user.replace('/', ".");
    match feature {
        17 => format!("{user}$$Lambda${number}{LAMBDA_ADDRESS}"),
        _ => format!("{user}{LAMBDA}0x{number:0>16}"),
    }
}

/// Internal name of a lambda's class with a binary name. A stream of serialized objects names such
/// a class.
fn internal_lambda_name(name: &str) -> Option<String> {
    let (user, number) = match name.strip_suffix(LAMBDA_ADDRESS) {
        Some(rest) => rest.rsplit_once("$$Lambda$")?,
        None => {
            let (user, number) = name.split_once(LAMBDA)?;
            let number = number.strip_prefix("0x")?.trim_start_matches('0');
            (user, if number.is_empty() { "0" } else { number })
        }
    };
    Some(format!("{}{LAMBDA}{number}", user.replace('.', "/")))
}

/// End of the name of a lambda's class in release 17.
const LAMBDA_ADDRESS: &str = "/0x0000000800c00000";

fn init_class_name(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let mirror = vm.arg_object(args, 0)?;
    let class = vm.class_of_mirror(mirror);
    let name = match vm.class_name(class).split_once(LAMBDA) {
        Some((user, number)) => lambda_name(user, number, vm.jdk().feature),
        None => vm.binary_name(class).replace(HIDDEN, "/0x"),
    };
    let units: Vec<u16> = name.encode_utf16().collect();
    let name = vm.interned_literal(&units)?;
    let word = vm.word_of(vm.known().class, "name")?;
    vm.heap.set_field(mirror, word, name.slot());
    Ok(name.slot())
}

fn shape(vm: &Vm, args: Args) -> Result<Shape, Fault> {
    Ok(vm.class(vm.arg_class(args, 0)?).shape)
}

fn is_primitive(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Ok(u64::from(matches!(shape(vm, args)?, Shape::Primitive(_))))
}

fn is_array(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Ok(u64::from(matches!(shape(vm, args)?, Shape::Array(_))))
}

fn is_interface(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Ok(u64::from(vm.class(vm.arg_class(args, 0)?).is_interface()))
}

/// Classes of lambdas are hidden, as in `java`.
fn is_hidden(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    let name = vm.class_name(class);
    Ok(u64::from(name.contains(LAMBDA) || name.contains(HIDDEN)))
}

fn is_record(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    Ok(u64::from(
        vm.class(class)
            .file
            .as_ref()
            .is_some_and(|file| file.info.record.is_some()),
    ))
}

fn is_instance(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    let object = vm.arg_ref(args, 1);
    Ok(u64::from(
        !object.is_null() && vm.is_subclass(vm.heap.class_of(object), class),
    ))
}

fn is_assignable_from(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    let other = vm.arg_class(args, 1)?;
    Ok(u64::from(vm.is_subclass(other, class)))
}

fn get_superclass(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    let above = vm
        .class(class)
        .super_class
        .filter(|_| !vm.class(class).is_interface());
    Ok(above
        .map_or(Ref::NULL, |above| vm.class(above).mirror)
        .slot())
}

/// Allocates an array of mirrors.
pub(super) fn class_array(vm: &mut Vm, classes: &[ClassId]) -> Result<u64, Fault> {
    let mirrors: Vec<Ref> = classes
        .iter()
        .map(|&class| vm.class(class).mirror)
        .collect();
    let array = vm.known().classes;
    Ok(vm.new_object_array(array, &mirrors)?.slot())
}

fn get_interfaces(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    let interfaces = vm.class(class).interfaces.clone();
    class_array(vm, &interfaces)
}

fn get_modifiers(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    Ok(u64::from(vm.modifiers(class)))
}

fn get_access_flags(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    Ok(u64::from(vm.class(class).flags))
}

fn class_access_flags(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    get_access_flags(vm, args)
}

/// Mirror of the class that a name means in the code of a class.
fn mirror_of(vm: &mut Vm, user: ClassId, name: crate::name::Sym) -> Result<u64, Fault> {
    let class = vm.load_for(user, name)?;
    Ok(vm.class(class).mirror.slot())
}

fn get_declaring_class(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let user = vm.arg_class(args, 0)?;
    let class = vm.class(user);
    let outer = class.file.as_ref().and_then(|file| {
        file.info
            .inner_classes
            .iter()
            .find(|inner| inner.inner == class.name)
            .and_then(|inner| inner.outer)
    });
    outer.map_or(Ok(0), |outer| mirror_of(vm, user, outer))
}

fn get_simple_binary_name(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.class(vm.arg_class(args, 0)?);
    let name = class.file.as_ref().and_then(|file| {
        file.info
            .inner_classes
            .iter()
            .find(|inner| inner.inner == class.name)
            .and_then(|inner| inner.name)
    });
    match name {
        Some(name) => {
            let text = vm.text(name).to_owned();
            Ok(vm.new_string(&text)?.slot())
        }
        None => Ok(0),
    }
}

fn get_enclosing_method(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    let Some((outer, method)) = vm
        .class(class)
        .file
        .as_ref()
        .and_then(|file| file.info.enclosing)
    else {
        return Ok(0);
    };
    let outer = Ref::from_slot(mirror_of(vm, class, outer)?);
    let mut parts = vec![outer, Ref::NULL, Ref::NULL];
    if let Some((name, descriptor)) = method {
        for (part, text) in parts[1..].iter_mut().zip([name, descriptor]) {
            let text = vm.text(text).to_owned();
            *part = vm.new_string(&text)?;
        }
    }
    let array = vm.known().objects;
    Ok(vm.new_object_array(array, &parts)?.slot())
}

pub(super) fn nest_host(vm: &mut Vm, class: ClassId) -> Result<ClassId, Fault> {
    match vm
        .class(class)
        .file
        .as_ref()
        .and_then(|file| file.info.nest_host)
    {
        Some(host) => vm.load_for(class, host),
        None => Ok(class),
    }
}

fn get_nest_host(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    let host = nest_host(vm, class)?;
    Ok(vm.class(host).mirror.slot())
}

fn are_nest_mates(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (a, b) = (vm.arg_class(args, 0)?, vm.arg_class(args, 1)?);
    Ok(u64::from(nest_host(vm, a)? == nest_host(vm, b)?))
}

fn get_generic_signature(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    match vm
        .class(class)
        .file
        .as_ref()
        .and_then(|file| file.info.signature)
    {
        Some(signature) => {
            let text = vm.text(signature).to_owned();
            Ok(vm.new_string(&text)?.slot())
        }
        None => Ok(0),
    }
}

fn get_permitted_subclasses(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    let Some(permitted) = vm
        .class(class)
        .file
        .as_ref()
        .and_then(|file| file.info.permitted.clone())
    else {
        return Ok(0);
    };
    let mut classes = Vec::new();
    for name in permitted {
        classes.push(vm.load_for(class, name)?);
    }
    class_array(vm, &classes)
}

/// Result of `values()` of an enum class, without reflection.
fn get_enum_constants(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    if vm.class(class).flags & flags::ENUM == 0 {
        return Ok(0);
    }
    let descriptor = format!("()[L{};", vm.class_name(class));
    let key = (vm.names.intern("values"), vm.names.intern(&descriptor));
    let Some(&values) = vm.class(class).method_index.get(&key) else {
        return Ok(0);
    };
    vm.initialize(class)?;
    Err(Fault::Call(values, Vec::new()))
}

/// Class of the caller of the method that calls this native.
/// Loader of the innermost method of the program, or null.
fn latest_loader(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    let mut frames = vm.frames().iter().rev();
    let program = frames.find_map(|frame| {
        let class = vm.method(frame.method).class;
        (vm.loader_of(class) == Loader::App).then(|| vm.loader_object(class))
    });
    Ok(program.unwrap_or_default().slot())
}

fn get_caller_class(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    let mut frames = vm
        .frames()
        .iter()
        .rev()
        .skip(1)
        .filter(|frame| !vm.is_hidden(frame.method));
    let class = frames.next().map(|frame| vm.method(frame.method).class);
    Ok(class
        .map_or(Ref::NULL, |class| vm.class(class).mirror)
        .slot())
}

impl Vm {
    /// From a native: whether the method that calls it is the JDK's.
    pub(crate) fn is_called_by_library(&self) -> bool {
        let mut frames = self.frames().iter().rev();
        let caller = frames.find(|frame| !self.is_hidden(frame.method));
        caller.is_some_and(|frame| self.loader_of(self.method(frame.method).class) == Loader::Boot)
    }
}
