//! `VarHandle`s, and the handles of fields used by `Field.get` and `set` on newer JDKs.
//!
//! A handle is an object of a generated subclass of the library's abstract class; additional
//! fields describe its variable.

use super::{Args, NativeEntry};
use crate::class::{ClassId, Code, Field, Loader, Shape, flags};
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::vm::{Fault, Vm};

pub(super) const VAR_HANDLE: &str = "java/lang/invoke/VarHandle";
const LOOKUP: &str = "java/lang/invoke/MethodHandles$Lookup";
const HANDLES: &str = "java/lang/invoke/MethodHandles";
pub(super) const METHOD_HANDLE: &str = "java/lang/invoke/MethodHandle";

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "java/lang/invoke/MethodHandles.lookup()Ljava/lang/invoke/MethodHandles$Lookup;",
        lookup,
    ),
    (
        "java/lang/invoke/MethodHandles.privateLookupIn(Ljava/lang/Class;Ljava/lang/invoke/MethodHandles$Lookup;)Ljava/lang/invoke/MethodHandles$Lookup;",
        private_lookup_in,
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup.findVarHandle(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        find_var_handle,
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup.findStaticVarHandle(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        find_static_var_handle,
    ),
    (
        "java/lang/invoke/MethodHandles$Lookup.unreflectVarHandle(Ljava/lang/reflect/Field;)Ljava/lang/invoke/VarHandle;",
        unreflect_var_handle,
    ),
    (
        "java/lang/invoke/MethodHandles.arrayElementVarHandle(Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;",
        array_element_var_handle,
    ),
    (
        "java/lang/invoke/MethodHandles.byteArrayViewVarHandle(Ljava/lang/Class;Ljava/nio/ByteOrder;)Ljava/lang/invoke/VarHandle;",
        byte_array_view_var_handle,
    ),
    (
        "jdk/internal/reflect/MethodHandleAccessorFactory.newFieldAccessor(Ljava/lang/reflect/Field;Z)Ljdk/internal/reflect/FieldAccessorImpl;",
        new_field_accessor,
    ),
];

/// Variable of a handle; these fields, in this order, are the last words of the handle object.
#[derive(Clone, Copy)]
pub(super) struct HandleVariable {
    pub(super) shape: u64,
    /// Class that declares the field, or the array class.
    pub(super) class: ClassId,
    /// Word of a field in the object or in the arena.
    pub(super) at: u32,
    pub(super) kind: Kind,
    /// Class of the values.
    pub(super) value: ClassId,
    pub(super) flags: u64,
}

const TARGET_WORDS: u32 = 6;

pub(super) const INSTANCE_FIELD: u64 = 1;
pub(super) const STATIC_FIELD: u64 = 2;
pub(super) const ELEMENT: u64 = 3;
const BYTES: u64 = 4;

pub(super) const READ_ONLY: u64 = 1;
pub(super) const BIG_ENDIAN: u64 = 2;
/// Flag of a field's handle that sets it.
pub(super) const SETTER: u64 = 4;

impl Vm {
    /// Generated subclass of a library's handle class.
    fn handle_class(&mut self, above: &str) -> Result<ClassId, Fault> {
        let name = self.names.intern(&format!("{above}$$Direct"));
        if let Some(&class) = self.class_index.get(&name) {
            return Ok(class);
        }
        let super_class = self
            .load_class(above)
            .map_err(|error| self.load_fault(error))?;
        let access = flags::FINAL | flags::SYNTHETIC;
        let class = self.new_class(
            name,
            access,
            Shape::Instance,
            Loader::Boot,
            Some(super_class),
            Vec::new(),
        );
        self.classes[class.0 as usize].instance_words =
            self.class(super_class).instance_words + TARGET_WORDS;
        self.classes[class.0 as usize].module = self.class(super_class).module.clone();
        // What only the JDK's own handles can tell is refused.
        const TYPE: &str = "(Ljava/lang/invoke/VarHandle$AccessType;)Ljava/lang/invoke/MethodType;";
        let key = (
            self.names.intern("accessModeTypeUncached"),
            self.names.intern(TYPE),
        );
        self.add_method(class, key.0, key.1, 0, Code::Native(refuse_type));
        for (name, descriptor) in [
            ("withInvokeExactBehavior", "()Ljava/lang/invoke/VarHandle;"),
            ("withInvokeBehavior", "()Ljava/lang/invoke/VarHandle;"),
            (
                "asType",
                "(Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/MethodHandle;",
            ),
        ] {
            let key = (self.names.intern(name), self.names.intern(descriptor));
            self.add_method(class, key.0, key.1, flags::PUBLIC, Code::Native(itself));
        }
        let key = (
            self.names.intern("varType"),
            self.names.intern("()Ljava/lang/Class;"),
        );
        self.add_method(class, key.0, key.1, flags::PUBLIC, Code::Native(var_type));
        self.build_vtable(class);
        self.finish_class(class)?;
        Ok(class)
    }

    fn new_handle(&mut self, above: &str, target: HandleVariable) -> Result<Ref, Fault> {
        let class = self.handle_class(above)?;
        let words = self.class(class).instance_words;
        let handle = self.heap.allocate(class, words, false)?;
        let fields = [
            target.shape,
            u64::from(target.class.0),
            u64::from(target.at),
            target.kind as u64,
            u64::from(target.value.0),
            target.flags,
        ];
        for (index, field) in fields.into_iter().enumerate() {
            self.heap
                .set_field(handle, words - TARGET_WORDS + index as u32, field);
        }
        Ok(handle)
    }

    /// Whether a handle is of a class that is generated here.
    pub(super) fn is_direct(&self, handle: Ref) -> bool {
        let class = self.heap.class_of(handle);
        self.class_name(class).ends_with("Handle$$Direct")
    }

    /// Variable of a handle; `None` if only the JDK's own code accesses it.
    pub(super) fn target_of(&self, handle: Ref) -> Result<Option<HandleVariable>, Fault> {
        const KINDS: [Kind; 9] = [
            Kind::Boolean,
            Kind::Byte,
            Kind::Char,
            Kind::Short,
            Kind::Int,
            Kind::Long,
            Kind::Float,
            Kind::Double,
            Kind::Reference,
        ];
        let class = self.heap.class_of(handle);
        if !self.is_direct(handle) {
            return self.library_target(handle);
        }
        let first = self.class(class).instance_words - TARGET_WORDS;
        let field = |index: u32| self.heap.field(handle, first + index);
        Ok(Some(HandleVariable {
            shape: field(0),
            class: ClassId(field(1) as u32),
            at: field(2) as u32,
            kind: KINDS[field(3) as usize],
            value: ClassId(field(4) as u32),
            flags: field(5),
        }))
    }

    /// Variable of one of the JDK's own handles of an instance field, unless types must match
    /// exactly.
    fn library_target(&self, handle: Ref) -> Result<Option<HandleVariable>, Fault> {
        let class = self.heap.class_of(handle);
        let Some(name) = self.class_name(class).strip_prefix(VAR_HANDLE) else {
            return Ok(None);
        };
        let (kind, is_read_only) = match name.split_once('$') {
            Some((kind, "FieldInstanceReadWrite")) => (kind, false),
            Some((kind, "FieldInstanceReadOnly")) => (kind, true),
            _ => return Ok(None),
        };
        let kind = match kind {
            "Booleans" => Kind::Boolean,
            "Bytes" => Kind::Byte,
            "Chars" => Kind::Char,
            "Shorts" => Kind::Short,
            "Ints" => Kind::Int,
            "Longs" => Kind::Long,
            "Floats" => Kind::Float,
            "Doubles" => Kind::Double,
            "References" => Kind::Reference,
            _ => return Ok(None),
        };
        let value = match kind {
            Kind::Reference => self.class_of_mirror(self.object_named(handle, "fieldType")?),
            kind => match self.loaded_class(kind.keyword()) {
                Some(class) => class,
                None => return Ok(None),
            },
        };
        if self.field_named(handle, "exact")? != 0 {
            return Ok(None);
        }
        Ok(Some(HandleVariable {
            shape: INSTANCE_FIELD,
            class: self.class_of_mirror(self.object_named(handle, "receiverType")?),
            at: (self.field_named(handle, "fieldOffset")? / 8) as u32,
            kind,
            value,
            flags: if is_read_only { READ_ONLY } else { 0 },
        }))
    }

    /// The JDK's own code instead of a native that makes a handle, where a program only runs.
    fn library_handle(
        &mut self,
        args: Args,
        class: &str,
        name: &str,
        shape: &str,
    ) -> Option<Fault> {
        let is_own = self.config.replaces_launcher && !self.is_called_by_library();
        is_own.then(|| self.own_bytecode(args, class, name, shape))
    }

    fn field_target(&mut self, field: &Field) -> Result<HandleVariable, Fault> {
        let descriptor = self.text(field.descriptor).to_owned();
        Ok(HandleVariable {
            shape: if field.is_static() {
                STATIC_FIELD
            } else {
                INSTANCE_FIELD
            },
            class: field.class,
            at: field.word,
            kind: field.kind,
            value: self.class_of_type(field.class, &descriptor)?,
            flags: if field.flags & flags::FINAL != 0 {
                READ_ONLY
            } else {
                0
            },
        })
    }
}

fn refuse_type(_: &mut Vm, _: Args) -> Result<u64, Fault> {
    Err(Fault::unsupported(
        "java.lang.invoke.VarHandle: types of accesses are told where a program only runs",
    ))
}

fn itself(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Ok(vm.arg(args, 0))
}

fn var_type(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let handle = vm.arg_object(args, 0)?;
    let target = vm.target_of(handle)?;
    let target = target.ok_or_else(|| Fault::unsupported("a handle of no variable"))?;
    Ok(vm.class(target.value).mirror.slot())
}

fn new_lookup(vm: &mut Vm, class: ClassId) -> Result<u64, Fault> {
    /// `MethodHandles.Lookup.FULL_POWER_MODES` with `ORIGINAL`.
    const ALL_MODES: u64 = 0x5F;
    let lookup = vm
        .load_class("java/lang/invoke/MethodHandles$Lookup")
        .map_err(|error| vm.load_fault(error))?;
    let words = vm.class(lookup).instance_words;
    let object = vm.heap.allocate(lookup, words, false)?;
    let mirror = vm.class(class).mirror;
    vm.put(object, "lookupClass", mirror.slot());
    vm.put(object, "allowedModes", ALL_MODES);
    Ok(object.slot())
}

fn lookup(vm: &mut Vm, _: Args) -> Result<u64, Fault> {
    let caller = vm
        .frames()
        .iter()
        .rev()
        .find(|frame| !vm.is_hidden(frame.method));
    let class = caller.map_or(vm.known().object, |frame| vm.method(frame.method).class);
    new_lookup(vm, class)
}

fn private_lookup_in(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    vm.arg_object(args, 1)?;
    new_lookup(vm, class)
}

fn find_field(vm: &mut Vm, args: Args, is_static: bool) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 1)?;
    let name = vm.string_text(vm.arg_object(args, 2)?);
    let kind = vm.arg_class(args, 3)?;
    let field = vm.find_field(class, &name).cloned();
    let target = match field {
        Some(field) => Some((vm.field_target(&field)?, field.is_static())),
        None => None,
    };
    match target {
        Some((target, found)) if target.value == kind && found == is_static => {
            // Older JDKs initialise the class here, newer ones at the first access.
            if is_static && vm.jdk().feature < 22 {
                vm.initialize(target.class)?;
            }
            Ok(vm.new_handle(VAR_HANDLE, target)?.slot())
        }
        Some((target, _)) if target.value == kind => {
            let what = if is_static {
                "expected static field"
            } else {
                "expected non-static field"
            };
            Err(Fault::raise(
                "java/lang/IllegalAccessException",
                format!("{what}: {name}"),
            ))
        }
        _ => {
            let (class, kind) = (vm.binary_name(class), vm.binary_name(kind));
            let how = if is_static { "getStatic" } else { "getField" };
            let message = format!("no such field: {class}.{name}/{kind}/{how}");
            Err(Fault::raise("java/lang/NoSuchFieldException", message))
        }
    }
}

fn find_var_handle(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const SHAPE: &str =
        "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;";
    if let Some(fault) = vm.library_handle(args, LOOKUP, "findVarHandle", SHAPE) {
        return Err(fault);
    }
    find_field(vm, args, false)
}

fn find_static_var_handle(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const SHAPE: &str =
        "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;";
    if let Some(fault) = vm.library_handle(args, LOOKUP, "findStaticVarHandle", SHAPE) {
        return Err(fault);
    }
    find_field(vm, args, true)
}

fn unreflect_var_handle(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const SHAPE: &str = "(Ljava/lang/reflect/Field;)Ljava/lang/invoke/VarHandle;";
    if let Some(fault) = vm.library_handle(args, LOOKUP, "unreflectVarHandle", SHAPE) {
        return Err(fault);
    }
    let field = vm.reflected_field(vm.arg_object(args, 1)?)?;
    let target = vm.field_target(&field)?;
    Ok(vm.new_handle(VAR_HANDLE, target)?.slot())
}

/// Exception for a class that is no array class, worded as by `Class.toString`.
fn not_an_array(vm: &Vm, class: ClassId) -> Fault {
    let kind = match &vm.class(class).shape {
        Shape::Primitive(_) => "",
        _ if vm.class(class).is_interface() => "interface ",
        _ => "class ",
    };
    let message = format!("not an array: {kind}{}", vm.binary_name(class));
    Fault::raise("java/lang/IllegalArgumentException", message)
}

fn array_element_var_handle(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const SHAPE: &str = "(Ljava/lang/Class;)Ljava/lang/invoke/VarHandle;";
    if let Some(fault) = vm.library_handle(args, HANDLES, "arrayElementVarHandle", SHAPE) {
        return Err(fault);
    }
    let class = vm.arg_class(args, 0)?;
    let Shape::Array(value) = vm.class(class).shape else {
        return Err(not_an_array(vm, class));
    };
    let kind = vm.element_kind(class);
    Ok(vm
        .new_handle(
            VAR_HANDLE,
            HandleVariable {
                shape: ELEMENT,
                class,
                at: 0,
                kind,
                value,
                flags: 0,
            },
        )?
        .slot())
}

fn byte_array_view_var_handle(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const SHAPE: &str = "(Ljava/lang/Class;Ljava/nio/ByteOrder;)Ljava/lang/invoke/VarHandle;";
    if let Some(fault) = vm.library_handle(args, HANDLES, "byteArrayViewVarHandle", SHAPE) {
        return Err(fault);
    }
    let view = vm.arg_class(args, 0)?;
    let order = vm.arg_object(args, 1)?;
    let kind = vm.element_kind(view);
    let Shape::Array(value) = vm.class(view).shape else {
        return Err(not_an_array(vm, view));
    };
    if matches!(kind, Kind::Boolean | Kind::Byte | Kind::Reference) {
        return Err(Fault::Raise(
            "java/lang/UnsupportedOperationException",
            None,
        ));
    }
    let orders = vm.heap.class_of(order);
    let big = vm
        .find_field(orders, "BIG_ENDIAN")
        .map(|field| vm.heap.load(field.word));
    let flags = if big == Some(order.slot()) {
        BIG_ENDIAN
    } else {
        0
    };
    let class = vm.known().bytes;
    Ok(vm
        .new_handle(
            VAR_HANDLE,
            HandleVariable {
                shape: BYTES,
                class,
                at: 0,
                kind,
                value,
                flags,
            },
        )?
        .slot())
}

/// Creates the accessor of a field with the contents that its constructor would set.
fn new_field_accessor(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const IS_READ_ONLY: u64 = 0x0001;
    const IS_STATIC: u64 = 0x0002;
    const NONZERO: u64 = 0x8000;
    let object = vm.arg_object(args, 0)?;
    let read_only = vm.arg_int(args, 1) != 0;
    let field = vm.reflected_field(object)?;
    vm.initialize(field.class)?;
    let name = match field.kind {
        Kind::Boolean => "Boolean",
        Kind::Byte => "Byte",
        Kind::Char => "Character",
        Kind::Short => "Short",
        Kind::Int => "Integer",
        Kind::Long => "Long",
        Kind::Float => "Float",
        Kind::Double => "Double",
        Kind::Reference | Kind::Void => "Object",
    };
    let accessor = vm.new_library_object(&format!(
        "jdk/internal/reflect/MethodHandle{name}FieldAccessorImpl"
    ))?;
    let target = HandleVariable {
        flags: 0,
        ..vm.field_target(&field)?
    };
    let getter = vm.new_handle(METHOD_HANDLE, target)?;
    let setter = vm.new_handle(
        METHOD_HANDLE,
        HandleVariable {
            flags: SETTER,
            ..target
        },
    )?;
    let own_flags = NONZERO
        | if read_only { IS_READ_ONLY } else { 0 }
        | if field.is_static() { IS_STATIC } else { 0 };
    vm.put(accessor, "field", object.slot());
    vm.put(accessor, "fieldFlags", own_flags);
    vm.put(accessor, "getter", getter.slot());
    vm.put(
        accessor,
        "setter",
        if read_only { 0 } else { setter.slot() },
    );
    Ok(accessor.slot())
}
