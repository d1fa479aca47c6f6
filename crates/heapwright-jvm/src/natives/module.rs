//! `java.lang.Module`: the modules of the JDK by name, with their exported and open packages. Each
//! reads all others and uses all services.
//! Other parts of descriptors, and module layers, are refused.

use super::{Args, NativeEntry, nothing, one};
use crate::heap::Ref;
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
        |vm, args| if_unnamed(vm, args, 0, "getDescriptor"),
    ),
    (
        "java/lang/Module.getLayer()Ljava/lang/ModuleLayer;",
        |vm, args| if_unnamed(vm, args, 0, "getLayer"),
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
    ("java/lang/Module.getPackages()Ljava/util/Set;", |_, _| {
        Err(Fault::unsupported(
            "java.lang.Module.getPackages: what packages there are is not listed",
        ))
    }),
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
        refuse_layer,
    ),
    (
        "java/lang/ModuleLayer.configuration()Ljava/lang/module/Configuration;",
        refuse_layer,
    ),
    (
        "java/lang/ModuleLayer.parents()Ljava/util/List;",
        refuse_layer,
    ),
    (
        "java/lang/ModuleLayer.toString()Ljava/lang/String;",
        refuse_layer,
    ),
    (
        "java/lang/ModuleLayer.findLoader(Ljava/lang/String;)Ljava/lang/ClassLoader;",
        refuse_layer,
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
        return Ok(1);
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

/// The boot layer, which only finds modules by name.
fn boot_layer(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    let system = vm
        .load_class("java/lang/System")
        .map_err(|error| vm.load_fault(error))?;
    let field = vm.find_field(system, "bootLayer").map(|field| field.word);
    let word = field.ok_or_else(|| Fault::unsupported("java.lang.ModuleLayer.boot"))?;
    let known = vm.heap.load(word);
    if known != 0 {
        return Ok(known);
    }
    let layer = vm.new_library_object("java/lang/ModuleLayer")?;
    vm.heap.store(word, layer.slot());
    Ok(layer.slot())
}

fn find_module(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
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

fn refuse_layer(_: &mut Vm, _: Args) -> Result<u64, Fault> {
    Err(Fault::unsupported(
        "java.lang.ModuleLayer: layers of modules only find modules by name",
    ))
}

fn itself(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Ok(vm.arg(args, 0))
}

/// Returns `result` for an unnamed module; refuses a named one.
fn if_unnamed(vm: &mut Vm, args: Args, result: u64, what: &str) -> Result<u64, Fault> {
    let module = vm.arg_object(args, 0)?;
    match vm.name_of_module(module) {
        None => Ok(result),
        Some(name) => Err(Fault::unsupported(format!(
            "java.lang.Module.{what} of {name}: descriptors of modules are not there"
        ))),
    }
}
