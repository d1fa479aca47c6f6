//! Members of `java.lang.Class`: fields, methods, constructors, record components and member
//! classes as `java.lang.reflect` objects, and the raw annotations.
//!
//! A member object's `slot` is the index of the member in its class's list of fields or methods;
//! the library never interprets it.

use super::class::{class_array, nest_host};
use super::{Args, NativeEntry};
use crate::class::{ClassId, Field, Method, MethodId, flags};
use crate::classfile::{ByteSpan, Constant, MethodInfo};
use crate::descriptor;
use crate::heap::Ref;
use crate::indy::LAMBDA;
use crate::name::Sym;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "java/lang/Class.getDeclaredFields0(Z)[Ljava/lang/reflect/Field;",
        get_declared_fields,
    ),
    (
        "java/lang/Class.getDeclaredMethods0(Z)[Ljava/lang/reflect/Method;",
        get_declared_methods,
    ),
    (
        "java/lang/Class.getDeclaredConstructors0(Z)[Ljava/lang/reflect/Constructor;",
        get_declared_constructors,
    ),
    (
        "java/lang/Class.getRecordComponents0()[Ljava/lang/reflect/RecordComponent;",
        get_record_components,
    ),
    (
        "java/lang/Class.getDeclaredClasses0()[Ljava/lang/Class;",
        get_declared_classes,
    ),
    (
        "java/lang/Class.getNestMembers0()[Ljava/lang/Class;",
        get_nest_members,
    ),
    ("java/lang/Class.getRawAnnotations()[B", get_raw_annotations),
    (
        "java/lang/Class.getRawTypeAnnotations()[B",
        get_raw_type_annotations,
    ),
    (
        "java/lang/Class.getConstantPool()Ljdk/internal/reflect/ConstantPool;",
        get_constant_pool,
    ),
    (
        "java/lang/reflect/Executable.getParameters0()[Ljava/lang/reflect/Parameter;",
        get_parameters,
    ),
    (
        "java/lang/reflect/Executable.getTypeAnnotationBytes0()[B",
        method_type_annotations,
    ),
    (
        "java/lang/reflect/Field.getTypeAnnotationBytes0()[B",
        field_type_annotations,
    ),
    (
        "jdk/internal/reflect/ConstantPool.getSize0(Ljava/lang/Object;)I",
        pool_size,
    ),
    (
        "jdk/internal/reflect/ConstantPool.getUTF8At0(Ljava/lang/Object;I)Ljava/lang/String;",
        pool_text,
    ),
    (
        "jdk/internal/reflect/ConstantPool.getIntAt0(Ljava/lang/Object;I)I",
        pool_number,
    ),
    (
        "jdk/internal/reflect/ConstantPool.getLongAt0(Ljava/lang/Object;I)J",
        pool_number,
    ),
    (
        "jdk/internal/reflect/ConstantPool.getFloatAt0(Ljava/lang/Object;I)F",
        pool_number,
    ),
    (
        "jdk/internal/reflect/ConstantPool.getDoubleAt0(Ljava/lang/Object;I)D",
        pool_number,
    ),
];

impl Vm {
    /// Classes of a method descriptor in the code of a class: parameters and result.
    pub(crate) fn classes_of_method(
        &mut self,
        user: ClassId,
        descriptor: Sym,
    ) -> Result<(Vec<ClassId>, ClassId), Fault> {
        let text = self.text(descriptor).to_owned();
        let (parameters, result) = descriptor::split_method(&text)
            .ok_or_else(|| Fault::invalid(format!("method type {text}")))?;
        let mut classes = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            classes.push(self.class_of_type(user, parameter)?);
        }
        Ok((classes, self.class_of_type(user, result)?))
    }

    /// Allocates an object of a JDK class and ensures that the class is initialised.
    pub(crate) fn new_library_object(&mut self, name: &str) -> Result<Ref, Fault> {
        let class = self
            .load_class(name)
            .map_err(|error| self.load_fault(error))?;
        self.initialize(class)?;
        let words = self.class(class).instance_words;
        Ok(self.heap.allocate(class, words, false)?)
    }

    /// Sets a field of a new object by name, if its class has it.
    pub(crate) fn put(&mut self, object: Ref, field: &str, value: u64) {
        let word = self
            .find_field(self.heap.class_of(object), field)
            .map(|field| field.word);
        if let Some(word) = word {
            self.heap.set_field(object, word, value);
        }
    }

    fn put_class(&mut self, object: Ref, field: &str, class: ClassId) {
        let mirror = self.class(class).mirror;
        self.put(object, field, mirror.slot());
    }

    fn put_text(&mut self, object: Ref, field: &str, text: Option<Sym>) -> Result<(), Fault> {
        let Some(text) = text else { return Ok(()) };
        let units: Vec<u16> = self.text(text).encode_utf16().collect();
        let literal = self.interned_literal(&units)?;
        self.put(object, field, literal.slot());
        Ok(())
    }

    fn put_bytes(
        &mut self,
        object: Ref,
        field: &str,
        class: ClassId,
        span: Option<ByteSpan>,
    ) -> Result<(), Fault> {
        let bytes = self.bytes_of(class, span)?;
        self.put(object, field, bytes);
        Ok(())
    }

    /// Allocates a `byte[]` with a part of a class file; null if there is none.
    fn bytes_of(&mut self, class: ClassId, span: Option<ByteSpan>) -> Result<u64, Fault> {
        let (Some(span), Some(file)) = (span, self.class(class).file.clone()) else {
            return Ok(0);
        };
        let bytes = span.of(&file.bytes);
        let array = self
            .heap
            .allocate_array(self.known().bytes, bytes.len() as u32, 1, false)?;
        let at = self.heap.elements(array);
        self.heap.write_bytes(at, bytes);
        Ok(array.slot())
    }

    /// Creates the `java.lang.reflect.Field` object of a field.
    pub(crate) fn reflect_field(&mut self, class: ClassId, slot: usize) -> Result<Ref, Fault> {
        const TRUSTED: u16 = flags::FINAL;
        let field: Field = self.class(class).fields[slot].clone();
        let descriptor = self.text(field.descriptor).to_owned();
        let kind = self.class_of_type(class, &descriptor)?;
        let object = self.new_library_object("java/lang/reflect/Field")?;
        let file = self.class(class).file.clone();
        self.put_class(object, "clazz", class);
        self.put_class(object, "type", kind);
        self.put(object, "slot", slot as u64);
        self.put(object, "modifiers", u64::from(field.flags));
        // Final fields that `setAccessible` does not open: static fields and fields of records.
        let is_record = file.as_ref().is_some_and(|file| file.info.record.is_some());
        let trusted = field.flags & TRUSTED != 0 && (field.is_static() || is_record);
        self.put(object, "trustedFinal", u64::from(trusted));
        self.put_text(object, "name", Some(field.name))?;
        self.put_text(object, "signature", field.signature)?;
        let annotations =
            file.and_then(|file| file.info.fields.get(slot).and_then(|info| info.annotations));
        self.put_bytes(object, "annotations", class, annotations)?;
        Ok(object)
    }

    /// Creates the `java.lang.reflect.Method` or `Constructor` object of a method.
    pub(crate) fn reflect_method(&mut self, class: ClassId, slot: usize) -> Result<Ref, Fault> {
        let method = self.class(class).methods[slot];
        let is_constructor = self.text(self.method(method).name) == "<init>";
        let (parameters, result) = self.classes_of_method(class, self.method(method).descriptor)?;
        let info = self.method_info(method);
        let mut exceptions = Vec::new();
        for &name in info.as_ref().map_or(&[][..], |info| &info.exceptions) {
            exceptions.push(self.load_for(class, name)?);
        }
        let object = self.new_library_object(if is_constructor {
            "java/lang/reflect/Constructor"
        } else {
            "java/lang/reflect/Method"
        })?;
        let parameters = class_array(self, &parameters)?;
        let exceptions = class_array(self, &exceptions)?;
        let &Method { flags, name, .. } = self.method(method);
        self.put_class(object, "clazz", class);
        self.put(object, "slot", slot as u64);
        self.put(object, "modifiers", u64::from(flags));
        self.put(object, "parameterTypes", parameters);
        self.put(object, "exceptionTypes", exceptions);
        if !is_constructor {
            self.put_class(object, "returnType", result);
            self.put_text(object, "name", Some(name))?;
        }
        if let Some(info) = info {
            self.put_text(object, "signature", info.signature)?;
            for (field, span) in ["annotations", "parameterAnnotations", "annotationDefault"]
                .into_iter()
                .zip(info.annotations)
            {
                self.put_bytes(object, field, class, span)?;
            }
        }
        Ok(object)
    }

    fn method_info(&self, method: MethodId) -> Option<MethodInfo> {
        let method = self.method(method);
        let file = self.class(method.class).file.as_ref()?;
        file.info.methods.get(usize::from(method.index?)).cloned()
    }

    /// Method that a `Method` or `Constructor` object represents.
    pub(crate) fn reflected_method(&self, object: Ref) -> Result<MethodId, Fault> {
        let (class, slot) = self.reflected_member(object)?;
        self.class(class)
            .methods
            .get(slot)
            .copied()
            .ok_or_else(|| Fault::unsupported("a method that its class does not have"))
    }

    /// Constructor that a `Constructor` object represents, and the class of what it makes.
    pub(crate) fn reflected_constructor(&self, object: Ref) -> Result<(ClassId, MethodId), Fault> {
        let (class, slot) = self.reflected_member(object)?;
        if slot as u64 & super::serialization::FOREIGN != 0 {
            let number = slot as u64 & !super::serialization::FOREIGN;
            return Ok((class, MethodId(number as u32)));
        }
        Ok((class, self.reflected_method(object)?))
    }

    /// Field that a `Field` object represents.
    pub(crate) fn reflected_field(&self, object: Ref) -> Result<Field, Fault> {
        let (class, slot) = self.reflected_member(object)?;
        self.class(class)
            .fields
            .get(slot)
            .cloned()
            .ok_or_else(|| Fault::unsupported("a field that its class does not have"))
    }

    fn reflected_member(&self, object: Ref) -> Result<(ClassId, usize), Fault> {
        let class = self.heap.class_of(object);
        let mirror = self.read_slot(object.0 + self.word_of(class, "clazz")?)?;
        let slot = self.read_slot(object.0 + self.word_of(class, "slot")?)?;
        Ok((self.class_of_mirror(Ref::from_slot(mirror)), slot as usize))
    }
}

/// Allocates an array of objects, of the class given by its descriptor.
fn object_array(vm: &mut Vm, class: &str, objects: &[Ref]) -> Result<u64, Fault> {
    let class = vm.load_class(class).map_err(|error| vm.load_fault(error))?;
    Ok(vm.new_object_array(class, objects)?.slot())
}

fn get_declared_fields(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    let public_only = vm.arg_int(args, 1) != 0;
    let mut fields = Vec::new();
    for slot in 0..vm.class(class).fields.len() {
        if !public_only || vm.class(class).fields[slot].flags & flags::PUBLIC != 0 {
            fields.push(vm.reflect_field(class, slot)?);
        }
    }
    object_array(vm, "[Ljava/lang/reflect/Field;", &fields)
}

fn declared_methods(vm: &mut Vm, args: Args, constructors: bool) -> Result<Vec<Ref>, Fault> {
    let class = vm.arg_class(args, 0)?;
    let public_only = vm.arg_int(args, 1) != 0;
    let mut methods = Vec::new();
    for slot in 0..vm.class(class).methods.len() {
        let method = vm.method(vm.class(class).methods[slot]);
        let name = vm.text(method.name);
        let wanted = if constructors {
            name == "<init>"
        } else {
            !name.starts_with('<')
        };
        // Generated methods are hidden, except those of lambdas.
        let is_public = method.flags & flags::PUBLIC != 0;
        let is_made = vm.class_name(class).contains(LAMBDA) || vm.is_proxy(class);
        let shows = method.index.is_some() || is_public && is_made;
        if wanted && shows && (!public_only || is_public) {
            methods.push(vm.reflect_method(class, slot)?);
        }
    }
    Ok(methods)
}

fn get_declared_methods(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let methods = declared_methods(vm, args, false)?;
    object_array(vm, "[Ljava/lang/reflect/Method;", &methods)
}

fn get_declared_constructors(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let constructors = declared_methods(vm, args, true)?;
    object_array(vm, "[Ljava/lang/reflect/Constructor;", &constructors)
}

fn get_record_components(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    let Some(components) = vm
        .class(class)
        .file
        .as_ref()
        .and_then(|file| file.info.record.clone())
    else {
        return Ok(0);
    };
    let mut objects = Vec::with_capacity(components.len());
    for component in components {
        let descriptor = vm.text(component.descriptor).to_owned();
        let kind = vm.class_of_type(class, &descriptor)?;
        let object = vm.new_library_object("java/lang/reflect/RecordComponent")?;
        vm.put_class(object, "clazz", class);
        vm.put_class(object, "type", kind);
        vm.put_text(object, "name", Some(component.name))?;
        vm.put_text(object, "signature", component.signature)?;
        let [annotations, type_annotations] = component.annotations;
        vm.put_bytes(object, "annotations", class, annotations)?;
        vm.put_bytes(object, "typeAnnotations", class, type_annotations)?;
        let accessor = vm.names.intern(&format!("(){descriptor}"));
        let slot = vm.class(class).methods.iter().position(|&method| {
            let method = vm.method(method);
            method.name == component.name && method.descriptor == accessor
        });
        if let Some(slot) = slot {
            let accessor = vm.reflect_method(class, slot)?;
            vm.put(object, "accessor", accessor.slot());
        }
        objects.push(object);
    }
    object_array(vm, "[Ljava/lang/reflect/RecordComponent;", &objects)
}

fn get_declared_classes(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    let name = vm.class(class).name;
    let members: Vec<Sym> = vm.class(class).file.as_ref().map_or_else(Vec::new, |file| {
        let inner = file.info.inner_classes.iter();
        inner
            .filter(|inner| inner.outer == Some(name))
            .map(|inner| inner.inner)
            .collect()
    });
    let mut classes = Vec::with_capacity(members.len());
    for member in members {
        classes.push(vm.load_for(class, member)?);
    }
    class_array(vm, &classes)
}

/// The host of a class's nest and the members that it names.
fn get_nest_members(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    let host = nest_host(vm, class)?;
    let mut members = vec![host];
    let file = vm.class(host).file.clone();
    for &name in file.iter().flat_map(|file| &file.info.nest_members) {
        members.push(vm.load_for(host, name)?);
    }
    class_array(vm, &members)
}

fn get_raw_annotations(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    let annotations = vm
        .class(class)
        .file
        .as_ref()
        .and_then(|file| file.info.annotations);
    vm.bytes_of(class, annotations)
}

/// Reads the `MethodParameters` of a method (JVMS §4.7.24); null if it has none.
fn get_parameters(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let executable = vm.arg_object(args, 0)?;
    let method = vm.reflected_method(executable)?;
    let file = vm.class(vm.method(method).class).file.clone();
    let span = vm.method_info(method).and_then(|info| info.parameters);
    let (Some(file), Some(span)) = (file, span) else {
        return Ok(0);
    };
    let malformed = || {
        let class = "java/lang/reflect/MalformedParametersException";
        Fault::raise(class, "Invalid parameter metadata in class file")
    };
    let Some((&count, entries)) = span.of(&file.bytes).split_first() else {
        return Err(malformed());
    };
    if entries.len() != 4 * usize::from(count) {
        return Err(malformed());
    }
    let mut parameters = Vec::with_capacity(usize::from(count));
    for (index, entry) in entries.chunks_exact(4).enumerate() {
        let name = u16::from_be_bytes([entry[0], entry[1]]);
        let modifiers = u16::from_be_bytes([entry[2], entry[3]]);
        let name = match name {
            0 => None,
            name => match file.info.pool.get(usize::from(name)) {
                Some(Constant::Utf8(_)) => Some(vm.pool_text(&file, name)?),
                _ => {
                    let message = "Wrong type at constant pool index";
                    return Err(Fault::raise("java/lang/IllegalArgumentException", message));
                }
            },
        };
        let parameter = vm.new_library_object("java/lang/reflect/Parameter")?;
        vm.put_text(parameter, "name", name)?;
        vm.put(parameter, "modifiers", u64::from(modifiers));
        vm.put(parameter, "executable", executable.slot());
        vm.put(parameter, "index", index as u64);
        parameters.push(parameter);
    }
    object_array(vm, "[Ljava/lang/reflect/Parameter;", &parameters)
}

fn get_raw_type_annotations(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 0)?;
    let file = vm.class(class).file.as_ref();
    let annotations = file.and_then(|file| file.info.type_annotations);
    vm.bytes_of(class, annotations)
}

fn method_type_annotations(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let method = vm.reflected_method(vm.arg_object(args, 0)?)?;
    let annotations = vm
        .method_info(method)
        .and_then(|info| info.type_annotations);
    vm.bytes_of(vm.method(method).class, annotations)
}

fn field_type_annotations(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (class, slot) = vm.reflected_member(vm.arg_object(args, 0)?)?;
    let file = vm.class(class).file.as_ref();
    let info = file.and_then(|file| file.info.fields.get(slot));
    let annotations = info.and_then(|info| info.type_annotations);
    vm.bytes_of(class, annotations)
}

/// A constant pool object refers to its class by the mirror.
fn get_constant_pool(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let mirror = vm.arg_object(args, 0)?;
    let pool = vm.new_library_object("jdk/internal/reflect/ConstantPool")?;
    vm.put(pool, "constantPoolOop", mirror.slot());
    Ok(pool.slot())
}

fn pool_entry(vm: &mut Vm, args: Args) -> Result<(ClassId, Constant), Fault> {
    let class = vm.arg_class(args, 1)?;
    let index = vm.arg_int(args, 2);
    let constant = vm
        .class(class)
        .file
        .as_ref()
        .and_then(|file| file.info.pool.get(usize::try_from(index).ok()?).copied())
        .ok_or_else(|| {
            Fault::raise(
                "java/lang/IllegalArgumentException",
                "Constant pool index out of bounds",
            )
        })?;
    Ok((class, constant))
}

fn wrong_entry() -> Fault {
    Fault::raise(
        "java/lang/IllegalArgumentException",
        "Wrong type at constant pool index",
    )
}

fn pool_size(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 1)?;
    Ok(vm
        .class(class)
        .file
        .as_ref()
        .map_or(0, |file| file.info.pool.len() as u64))
}

fn pool_text(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (class, Constant::Utf8(span)) = pool_entry(vm, args)? else {
        return Err(wrong_entry());
    };
    let Some(file) = vm.class(class).file.clone() else {
        return Err(wrong_entry());
    };
    let units = crate::classfile::utf16_of_mutf8(span.of(&file.bytes));
    Ok(vm.new_string_utf16(&units)?.slot())
}

fn pool_number(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    match pool_entry(vm, args)?.1 {
        Constant::Int(value) => Ok(u64::from(value as u32)),
        Constant::Float(bits) => Ok(u64::from(bits)),
        Constant::Long(value) => Ok(value as u64),
        Constant::Double(bits) => Ok(bits),
        _ => Err(wrong_entry()),
    }
}
