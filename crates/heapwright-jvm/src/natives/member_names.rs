//! `MethodHandleNatives`: resolves `MemberName`s, by which the JDK's method handles refer to
//! methods and fields (JVMS §5.4.3.5).
//!
//! The number of a resolved method is in the word behind the fields of its `ResolvedMethodName`.

use super::varhandle::METHOD_HANDLE;
use super::{Args, NativeEntry, nothing};
use crate::class::{ClassId, Field, MethodId, Shape, flags};
use crate::heap::{FIELDS, Ref};
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    // A method that an abstract class inherits from an interface is called by the interface, with
    // a receiver whose class the type of the call has checked.
    (
        "java/lang/invoke/DirectMethodHandle.checkReceiver(Ljava/lang/Object;)Ljava/lang/Object;",
        |vm, args| Ok(vm.arg(args, 1)),
    ),
    (
        "java/lang/invoke/MethodHandleNatives.init(Ljava/lang/invoke/MemberName;Ljava/lang/Object;)V",
        init,
    ),
    (
        "java/lang/invoke/MethodHandleNatives.expand(Ljava/lang/invoke/MemberName;)V",
        expand,
    ),
    (
        "java/lang/invoke/MethodHandleNatives.resolve(Ljava/lang/invoke/MemberName;Ljava/lang/Class;IZ)Ljava/lang/invoke/MemberName;",
        resolve,
    ),
    (
        "java/lang/invoke/MethodHandleNatives.objectFieldOffset(Ljava/lang/invoke/MemberName;)J",
        object_field_offset,
    ),
    (
        "java/lang/invoke/MethodHandleNatives.staticFieldOffset(Ljava/lang/invoke/MemberName;)J",
        static_field_offset,
    ),
    (
        "java/lang/invoke/MethodHandleNatives.staticFieldBase(Ljava/lang/invoke/MemberName;)Ljava/lang/Object;",
        static_field_base,
    ),
    (
        "java/lang/invoke/MethodHandleNatives.setCallSiteTargetNormal(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V",
        set_target,
    ),
    (
        "java/lang/invoke/MethodHandleNatives.setCallSiteTargetVolatile(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V",
        set_target,
    ),
    (
        "java/lang/invoke/MethodHandleNatives.getNamedCon(I[Ljava/lang/Object;)I",
        nothing,
    ),
    // Compiled code that depends on a call site does not exist.
    (
        "java/lang/invoke/MethodHandleNatives$CallSiteContext.make(Ljava/lang/invoke/CallSite;)Ljava/lang/invoke/MethodHandleNatives$CallSiteContext;",
        nothing,
    ),
];

/// Flags of a `MemberName` beside the modifiers.
pub(super) mod member {
    pub const METHOD: u64 = 0x1_0000;
    pub const CONSTRUCTOR: u64 = 0x2_0000;
    pub const FIELD: u64 = 0x4_0000;
    pub const TRUSTED_FINAL: u64 = 0x20_0000;
    pub const KIND_SHIFT: u32 = 24;
    pub const KIND_MASK: u64 = 0xF;
}

/// `REF_` kinds (JVMS table 5.4.3.5-A).
pub(crate) mod reference {
    pub const GET_FIELD: u64 = 1;
    pub const GET_STATIC: u64 = 2;
    pub const PUT_FIELD: u64 = 3;
    pub const PUT_STATIC: u64 = 4;
    pub const VIRTUAL: u64 = 5;
    pub const STATIC: u64 = 6;
    pub const SPECIAL: u64 = 7;
    pub const NEW: u64 = 8;
    pub const INTERFACE: u64 = 9;
}

impl Vm {
    /// Slot of an object's field, by name.
    pub(crate) fn field_named(&self, object: Ref, name: &str) -> Result<u64, Fault> {
        self.read_slot(object.0 + self.word_of(self.heap.class_of(object), name)?)
    }

    /// Object that a field refers to, by name.
    pub(crate) fn object_named(&self, object: Ref, name: &str) -> Result<Ref, Fault> {
        Ok(Ref::from_slot(self.field_named(object, name)?))
    }

    /// Method that a resolved `MemberName` refers to.
    pub(super) fn member_target(&self, member: Ref) -> Result<Option<MethodId>, Fault> {
        let resolved = self.object_named(member, "method")?;
        if resolved.is_null() {
            return Ok(None);
        }
        let word = self.number_word(self.heap.class_of(resolved));
        Ok(Some(MethodId(self.heap.field(resolved, word) as u32)))
    }

    /// Word behind the declared fields of `ResolvedMethodName`.
    fn number_word(&self, class: ClassId) -> u32 {
        let fields = self.class(class).fields.iter();
        FIELDS + fields.filter(|field| !field.is_static()).count() as u32
    }

    /// Static field that a `MemberName` refers to.
    pub(super) fn static_member(&self, member: Ref) -> Result<Option<Field>, Fault> {
        match self.field_named(member, "flags")? & member::FIELD {
            0 => Ok(None),
            _ => Ok(Some(field_of(self, member)?).filter(Field::is_static)),
        }
    }

    fn resolved_name(&mut self, method: MethodId) -> Result<Ref, Fault> {
        let class = self
            .load_class("java/lang/invoke/ResolvedMethodName")
            .map_err(|error| self.load_fault(error))?;
        let word = self.number_word(class);
        self.classes[class.0 as usize].instance_words = word + 1;
        let name = self.heap.allocate(class, word + 1, false)?;
        self.heap.set_field(name, word, u64::from(method.0));
        Ok(name)
    }

    /// Fills a `MemberName` with a resolved method.
    fn set_member(&mut self, member: Ref, method: MethodId) -> Result<(), Fault> {
        let this = self.method(method);
        let (class, modifiers) = (this.class, this.flags);
        let owner = self.class(class);
        let is_constructor = self.text(this.name) == "<init>";
        let is_bound = modifiers & (flags::PRIVATE | flags::FINAL) != 0
            || owner.flags & flags::FINAL != 0 && !owner.is_interface();
        let kind = if this.is_static() {
            reference::STATIC
        } else if is_constructor {
            reference::NEW
        } else if is_bound {
            reference::SPECIAL
        } else if this.vtable_index.is_some() {
            reference::VIRTUAL
        } else {
            reference::INTERFACE
        };
        let sort = if is_constructor {
            member::CONSTRUCTOR
        } else {
            member::METHOD
        };
        // Methods that look at their caller find it behind hidden frames, so that none is bound.
        let own = u64::from(modifiers) | sort | kind << member::KIND_SHIFT;
        let mirror = self.class(class).mirror;
        let resolved = self.resolved_name(method)?;
        self.put(member, "clazz", mirror.slot());
        self.put(member, "flags", own);
        self.put(member, "method", resolved.slot());
        Ok(())
    }

    fn set_field_member(&mut self, member: Ref, field: &Field, is_setter: bool) {
        let kind = match (field.is_static(), is_setter) {
            (false, false) => reference::GET_FIELD,
            (true, false) => reference::GET_STATIC,
            (false, true) => reference::PUT_FIELD,
            (true, true) => reference::PUT_STATIC,
        };
        let is_record = self
            .class(field.class)
            .file
            .as_ref()
            .is_some_and(|file| file.info.record.is_some());
        let is_final = field.flags & flags::FINAL != 0;
        let trusted = is_final && (field.is_static() || is_record);
        let own = u64::from(field.flags)
            | member::FIELD
            | if trusted { member::TRUSTED_FINAL } else { 0 }
            | kind << member::KIND_SHIFT;
        let mirror = self.class(field.class).mirror;
        self.put(member, "clazz", mirror.slot());
        self.put(member, "flags", own);
    }

    /// Descriptor of a `MethodType`.
    pub(super) fn method_type_text(&self, method_type: Ref) -> Result<String, Fault> {
        let parameters = self.object_named(method_type, "ptypes")?;
        let result = self.object_named(method_type, "rtype")?;
        let mut text = "(".to_owned();
        for parameter in self.object_elements(parameters) {
            text.push_str(&self.descriptor_of(self.class_of_mirror(parameter)));
        }
        text.push(')');
        text.push_str(&self.descriptor_of(self.class_of_mirror(result)));
        Ok(text)
    }

    /// Descriptor of a class, of a primitive type or of `void`.
    fn descriptor_of(&self, class: ClassId) -> String {
        match self.class(class).shape {
            Shape::Primitive(kind) => kind.descriptor().to_owned(),
            _ => crate::descriptor::of_class(self.class_name(class)),
        }
    }
}

fn kind_of(member_flags: u64) -> u64 {
    member_flags >> member::KIND_SHIFT & member::KIND_MASK
}

/// Fills a `MemberName` from an object of `java.lang.reflect`.
fn init(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let name = vm.arg_object(args, 0)?;
    let reflected = vm.arg_object(args, 1)?;
    match vm.class_name(vm.heap.class_of(reflected)) {
        "java/lang/reflect/Field" => {
            let field = vm.reflected_field(reflected)?;
            vm.set_field_member(name, &field, false);
        }
        _ => {
            let method = vm.reflected_method(reflected)?;
            vm.set_member(name, method)?;
        }
    }
    Ok(0)
}

/// Fills in name and type of a resolved method.
fn expand(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let member = vm.arg_object(args, 0)?;
    let method = vm
        .member_target(member)?
        .ok_or_else(|| Fault::unsupported("the name of a field's member"))?;
    let this = vm.method(method);
    for (field, text) in [("name", this.name), ("type", this.descriptor)] {
        if vm.object_named(member, field)?.is_null() {
            let units: Vec<u16> = vm.text(text).encode_utf16().collect();
            let literal = vm.interned_literal(&units)?;
            vm.put(member, field, literal.slot());
        }
    }
    Ok(0)
}

fn resolve(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let member = vm.arg_object(args, 0)?;
    if vm.member_target(member)?.is_some() {
        return Ok(member.slot());
    }
    let speculative = vm.arg_int(args, 3) != 0;
    let class = vm.class_of_mirror(vm.object_named(member, "clazz")?);
    let wanted = vm.field_named(member, "flags")?;
    let name = vm.string_text(vm.object_named(member, "name")?);
    let found = if wanted & member::FIELD != 0 {
        resolve_field(vm, member, class, &name, kind_of(wanted))
    } else {
        resolve_method(vm, member, class, &name, kind_of(wanted))
    };
    match found {
        Ok(()) => Ok(member.slot()),
        Err(Fault::Raise(..)) if speculative => Ok(0),
        Err(fault) => Err(fault),
    }
}

fn resolve_field(
    vm: &mut Vm,
    member: Ref,
    class: ClassId,
    name: &str,
    kind: u64,
) -> Result<(), Fault> {
    let value = vm.class_of_mirror(vm.object_named(member, "type")?);
    let descriptor = vm.descriptor_of(value);
    let key = (vm.names.intern(name), vm.names.intern(&descriptor));
    match vm.resolve_field(class, key.0, key.1).cloned() {
        Some(field) => {
            let is_setter = matches!(kind, reference::PUT_FIELD | reference::PUT_STATIC);
            vm.set_field_member(member, &field, is_setter);
            Ok(())
        }
        None => Err(Fault::raise("java/lang/NoSuchFieldError", name)),
    }
}

fn resolve_method(
    vm: &mut Vm,
    member: Ref,
    class: ClassId,
    name: &str,
    kind: u64,
) -> Result<(), Fault> {
    let text = vm.method_type_text(vm.object_named(member, "type")?)?;
    let key = (vm.names.intern(name), vm.names.intern(&text));
    let polymorphic = if vm.class_name(class) == METHOD_HANDLE {
        vm.polymorphic_method(class, key.0, key.1)
    } else {
        None
    };
    let found = polymorphic.or_else(|| vm.resolve_method(class, key.0, key.1));
    let found = found.filter(|&method| name != "<init>" || vm.method(method).class == class);
    let Some(method) = found else {
        let message = format!("{}.{name}{text}", vm.binary_name(class));
        return Err(Fault::raise("java/lang/NoSuchMethodError", message));
    };
    let is_static = vm.method(method).is_static();
    if is_static != (kind == reference::STATIC) {
        let expected = if is_static { "non-static" } else { "static" };
        let message = format!("Expected {expected} method '{}'", vm.method_text(method));
        return Err(Fault::raise(
            "java/lang/IncompatibleClassChangeError",
            message,
        ));
    }
    vm.set_member(member, method)
}

fn member_field(vm: &Vm, args: Args) -> Result<Field, Fault> {
    field_of(vm, vm.arg_object(args, 0)?)
}

fn field_of(vm: &Vm, member: Ref) -> Result<Field, Fault> {
    let class = vm.class_of_mirror(vm.object_named(member, "clazz")?);
    let name = vm.string_text(vm.object_named(member, "name")?);
    let own = vm.class(class).fields.iter();
    let mut own = own.filter(|field| vm.text(field.name) == name);
    match (own.next(), own.next()) {
        (Some(field), None) => Ok(field.clone()),
        _ => Err(Fault::unsupported(format!(
            "a member name of {}.{name}",
            vm.binary_name(class)
        ))),
    }
}

fn object_field_offset(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Ok(8 * u64::from(member_field(vm, args)?.word))
}

fn static_field_offset(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let field = member_field(vm, args)?;
    let mirror = vm.class(field.class).mirror;
    Ok((8 * u64::from(field.word)).wrapping_sub(8 * u64::from(mirror.0)))
}

fn static_field_base(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let field = member_field(vm, args)?;
    Ok(vm.class(field.class).mirror.slot())
}

fn set_target(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let site = vm.arg_object(args, 0)?;
    let target = vm.arg_object(args, 1)?;
    vm.put(site, "target", target.slot());
    Ok(0)
}
