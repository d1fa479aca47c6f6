//! Serialization: constructors that make objects of a subclass, and initialisers. The rest is the
//! JDK's own code.

use super::{Args, NativeEntry};
use crate::heap::Ref;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "jdk/internal/reflect/ReflectionFactory.generateConstructor(Ljava/lang/Class;Ljava/lang/reflect/Constructor;)Ljava/lang/reflect/Constructor;",
        constructor_for,
    ),
    (
        "java/io/ObjectStreamClass.hasStaticInitializer(Ljava/lang/Class;)Z",
        has_initializer,
    ),
];

/// Added to the number of a method in the field `slot` of a `Constructor` that makes objects of
/// its class by another class's constructor.
pub(super) const FOREIGN: u64 = 1 << 30;

/// Copy of a constructor that makes objects of a given subclass. Its accessor holds a second
/// copy, whose class is the subclass and whose slot is the constructor's number.
fn constructor_for(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let made = vm.arg_object(args, 1)?;
    let constructor = vm.arg_object(args, 2)?;
    let method = vm.reflected_method(constructor)?;
    let (outer, inner) = (copy(vm, constructor)?, copy(vm, constructor)?);
    vm.put(inner, "clazz", made.slot());
    vm.put(inner, "slot", FOREIGN | u64::from(method.0));
    let accessor = match vm.jdk().feature {
        17 => "jdk/internal/reflect/NativeConstructorAccessorImpl",
        _ => "jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor",
    };
    let accessor = vm
        .load_class(accessor)
        .map_err(|error| vm.load_fault(error))?;
    vm.initialize(accessor)?;
    let words = vm.class(accessor).instance_words;
    let accessor = vm.heap.allocate(accessor, words, false)?;
    // The field is named `c` up to release 21, and `ctor` later.
    vm.put(accessor, "c", inner.slot());
    vm.put(accessor, "ctor", inner.slot());
    vm.put(outer, "constructorAccessor", accessor.slot());
    vm.put(outer, "override", 1);
    Ok(outer.slot())
}

/// Copy of an object, without its accessor.
fn copy(vm: &mut Vm, object: Ref) -> Result<Ref, Fault> {
    let class = vm.heap.class_of(object);
    let words = vm.class(class).instance_words;
    let copy = vm.heap.allocate(class, words, false)?;
    for word in crate::heap::FIELDS..words {
        let value = vm.heap.field(object, word);
        vm.heap.set_field(copy, word, value);
    }
    vm.put(copy, "constructorAccessor", 0);
    Ok(copy)
}

/// Whether a class has an initialiser. The class is initialised, as by HotSpot.
fn has_initializer(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    vm.initialize(class)?;
    Ok(u64::from(vm.class(class).clinit.is_some()))
}
