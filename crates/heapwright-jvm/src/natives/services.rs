//! `ServiceLoader`: the providers that the JDK's modules declare. Those of the class path come
//! from its resources, by the JDK's own code.

use super::{Args, NativeEntry};
use crate::class::Loader;
use crate::heap::Ref;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "java/util/ServiceLoader$ModuleServicesLookupIterator.iteratorFor(Ljava/lang/ClassLoader;)Ljava/util/Iterator;",
        module_providers,
    ),
    (
        "java/util/ServiceLoader.inExplicitModule(Ljava/lang/Class;)Z",
        is_in_library,
    ),
];

/// Iterator over the providers in the modules of a loader. All modules are the boot loader's.
fn module_providers(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const PROVIDER: &str = "jdk/internal/module/ServicesCatalog$ServiceProvider";
    let field = |vm: &Vm, object: Ref, name: &str| -> Result<Ref, Fault> {
        let word = vm.word_of(vm.heap.class_of(object), name)?;
        Ok(Ref::from_slot(vm.read_slot(object.0 + word)?))
    };
    let mut providers = Vec::new();
    if vm.arg_ref(args, 1).is_null() {
        let loader = field(vm, vm.arg_object(args, 0)?, "this$0")?;
        let service = vm.class_of_mirror(field(vm, loader, "service")?);
        let service = vm.class_name(service).to_owned();
        for module in vm.modules.names().to_vec() {
            let descriptor = vm.modules.descriptor(&module);
            let provided = descriptor.iter().flat_map(|module| &module.provides);
            let own = provided.filter(|(name, _)| *name == service);
            for provider in own.flat_map(|(_, providers)| providers) {
                providers.push((module.clone(), provider.replace('/', ".")));
            }
        }
    }
    let class = vm
        .load_class(PROVIDER)
        .map_err(|error| vm.load_fault(error))?;
    vm.initialize(class)?;
    let words = vm.class(class).instance_words;
    let mut objects = Vec::with_capacity(providers.len());
    for (module, name) in providers {
        let module = vm.module_named(&module)?;
        let name = vm.new_string(&name)?;
        let provider = vm.heap.allocate(class, words, false)?;
        vm.put(provider, "module", module.slot());
        vm.put(provider, "providerName", name.slot());
        objects.push(provider);
    }
    let array = vm.known().objects;
    let array = vm.new_object_array(array, &objects)?;
    let iterator = vm
        .load_class("java/util/Arrays$ArrayItr")
        .map_err(|error| vm.load_fault(error))?;
    vm.initialize(iterator)?;
    let words = vm.class(iterator).instance_words;
    let made = vm.heap.allocate(iterator, words, false)?;
    vm.put(made, "a", array.slot());
    Ok(made.slot())
}

/// Whether a class is in a named module, which all of the JDK's are.
fn is_in_library(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 1)?;
    Ok(u64::from(vm.loader_of(class) == Loader::Boot))
}
