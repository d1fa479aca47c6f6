//! Access through variable handles. A call of a signature-polymorphic method (JVMS §2.9.3) is
//! linked to a method with the call's own descriptor, whose only code is [`access`]. All memory
//! orders are the same, because there is one thread.

use super::Args;
use super::calls::widened;
use super::lambda_forms::linker;
use super::varhandle::{
    BIG_ENDIAN, ELEMENT, HandleVariable, INSTANCE_FIELD, METHOD_HANDLE, READ_ONLY, SETTER,
    STATIC_FIELD, VAR_HANDLE,
};
use crate::assembler::{Assembler, call_static};
use crate::class::{ClassId, Code, LoadedFile, MethodId, flags};
use crate::classfile::Constant;
use crate::descriptor::{self, Kind};
use crate::heap::Ref;
use crate::instr::{Instr, Reg};
use crate::name::Sym;
use crate::vm::{Fault, Vm};

/// Kind of an access.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Get,
    Set,
    CompareAndSet,
    CompareAndExchange,
    GetAndSet,
    GetAndAdd,
    GetAndOr,
    GetAndAnd,
    GetAndXor,
}

impl Mode {
    fn of(name: &str) -> Option<Mode> {
        const PREFIXES: [(&str, Mode); 10] = [
            ("compareAndSet", Mode::CompareAndSet),
            ("weakCompareAndSet", Mode::CompareAndSet),
            ("compareAndExchange", Mode::CompareAndExchange),
            ("getAndSet", Mode::GetAndSet),
            ("getAndAdd", Mode::GetAndAdd),
            ("getAndBitwiseOr", Mode::GetAndOr),
            ("getAndBitwiseAnd", Mode::GetAndAnd),
            ("getAndBitwiseXor", Mode::GetAndXor),
            ("get", Mode::Get),
            ("set", Mode::Set),
        ];
        PREFIXES
            .into_iter()
            .find(|(prefix, _)| name.starts_with(prefix))
            .map(|(_, mode)| mode)
    }

    /// Number of values that the access takes.
    fn values(self) -> usize {
        match self {
            Mode::Get => 0,
            Mode::CompareAndSet | Mode::CompareAndExchange => 2,
            _ => 1,
        }
    }
}

impl Vm {
    /// Links a call of a signature-polymorphic method; `None` if the pool entry names another
    /// method.
    pub(crate) fn link_polymorphic(
        &mut self,
        file: &LoadedFile,
        a: Reg,
        index: u16,
    ) -> Result<Option<Instr>, Fault> {
        let Constant::Method {
            class,
            name_and_type,
            ..
        } = file.constant(index)?
        else {
            return Ok(None);
        };
        let owner = self.pool_class_name(file, class)?;
        let owner = self.text(owner);
        if owner != VAR_HANDLE && owner != METHOD_HANDLE {
            return Ok(None);
        }
        let class = self
            .load_class(if owner == VAR_HANDLE {
                VAR_HANDLE
            } else {
                METHOD_HANDLE
            })
            .map_err(|error| self.load_fault(error))?;
        let (name, descriptor) = self.pool_name_and_type(file, name_and_type)?;
        let method = self.polymorphic_method(class, name, descriptor);
        Ok(method.map(|method| match self.method(method).is_static() {
            true => call_static(a, method),
            false => Instr::InvokeSpecial {
                a,
                method: method.0,
            },
        }))
    }

    /// Method for calls of a polymorphic one with a descriptor; `None` if the class declares no
    /// polymorphic method of this name.
    pub(super) fn polymorphic_method(
        &mut self,
        class: ClassId,
        name: Sym,
        descriptor: Sym,
    ) -> Option<MethodId> {
        let polymorphic = flags::NATIVE | flags::VARARGS;
        let methods = &self.class(class).methods;
        let mut declared = methods.iter().map(|&method| self.method(method));
        let declared = declared
            .find(|method| method.name == name && method.flags & polymorphic == polymorphic)?;
        let is_static = declared.is_static();
        Some(self.access_method(class, name, descriptor, is_static))
    }

    /// Returns the method that implements a polymorphic one for calls with this descriptor.
    fn access_method(
        &mut self,
        class: ClassId,
        name: Sym,
        descriptor: Sym,
        is_static: bool,
    ) -> MethodId {
        let key = format!(
            "{}.{}{}",
            self.class_name(class),
            self.text(name),
            self.text(descriptor)
        );
        if let Some(&known) = self.synthetic.get(&key) {
            return known;
        }
        let native = match self.class_name(class) {
            METHOD_HANDLE => linker(self.text(name)).unwrap_or(access),
            _ => access,
        };
        let method = self.add_unlisted(
            class,
            (name, descriptor),
            flags::FINAL | flags::SYNTHETIC | if is_static { flags::STATIC } else { 0 },
            Code::Native(native),
        );
        self.synthetic.insert(key, method);
        method
    }

    /// Returns a variant of an access method that boxes its last `values` primitive parameters
    /// and calls the access method for objects.
    fn boxing_access(&mut self, access: MethodId, values: usize) -> Result<MethodId, Fault> {
        let key = format!("box {}", access.0);
        if let Some(&known) = self.synthetic.get(&key) {
            return Ok(known);
        }
        let this = self.method(access);
        let (class, name, words) = (this.class, this.name, this.argument_words);
        let text = self.text(this.descriptor).to_owned();
        let (parameters, result) = descriptor::split_method(&text).expect("a checked descriptor");
        let mut boxed = parameters.clone();
        for parameter in boxed.iter_mut().rev().take(values) {
            *parameter = Kind::Reference.descriptor();
        }
        let target = self.names.intern(&format!("({}){result}", boxed.concat()));
        let target = self.access_method(class, name, target, false);
        let mut code = Assembler::default();
        code.push(Instr::Move { d: words, a: 0 });
        let (mut from, mut to) = (1, words + 1);
        for (given, wanted) in parameters.iter().zip(&boxed) {
            code.push(Instr::Move { d: to, a: from });
            if given != wanted && Kind::of(given) != Kind::Reference {
                self.emit_box(&mut code, to, Kind::of(given))?;
            }
            from += Kind::of(given).words();
            to += Kind::of(wanted).words();
        }
        code.reserve(to + 2);
        code.push(Instr::InvokeSpecial {
            a: words,
            method: target.0,
        });
        code.push(if result == "V" {
            Instr::ReturnVoid
        } else {
            Instr::Return { a: words }
        });
        let own = self.names.intern(&format!(
            "(Ljava/lang/Object;{}){result}",
            parameters.concat()
        ));
        let method = self.add_hidden(class, "box", own, code);
        self.synthetic.insert(key, method);
        Ok(method)
    }

    /// Adds a method that is not in its class's list and is therefore not found by name.
    pub(crate) fn add_unlisted(
        &mut self,
        class: ClassId,
        (name, descriptor): (Sym, Sym),
        flags: u16,
        code: Code,
    ) -> MethodId {
        let listed = self
            .class(class)
            .method_index
            .get(&(name, descriptor))
            .copied();
        let method = self.add_method(class, name, descriptor, flags, code);
        let class = &mut self.classes[class.0 as usize];
        class.methods.pop();
        match listed {
            Some(listed) => class.method_index.insert((name, descriptor), listed),
            None => class.method_index.remove(&(name, descriptor)),
        };
        method
    }
}

/// Location of a variable's value.
#[derive(Clone, Copy)]
struct VariableLocation {
    /// Byte address.
    at: u64,
    packed: bool,
}

impl Vm {
    fn load_place(&self, place: VariableLocation, target: &HandleVariable) -> Result<u64, Fault> {
        let value = self.read_at(place.at, target.kind, place.packed)?;
        Ok(in_order(value, target))
    }

    fn store_place(&mut self, place: VariableLocation, target: &HandleVariable, value: u64) {
        self.write_at(place.at, target.kind, in_order(value, target), place.packed);
    }

    /// Returns the location that the coordinates at `args` name, and the index of the next
    /// argument word.
    fn locate(
        &mut self,
        args: Args,
        target: &HandleVariable,
    ) -> Result<(VariableLocation, usize), Fault> {
        let slot = |word: u32| VariableLocation {
            at: 8 * u64::from(word),
            packed: false,
        };
        if target.shape == STATIC_FIELD {
            self.initialize(target.class)?;
            self.note_static_word(target.class, target.at);
            return Ok((slot(target.at), 1));
        }
        let object = self.arg_object(args, 1)?;
        let class = self.heap.class_of(object);
        if !self.is_subclass(class, target.class) {
            return Err(self.bad_cast(class, target.class));
        }
        if target.shape == INSTANCE_FIELD {
            return Ok((slot(object.0 + target.at), 2));
        }
        let index = self.arg_int(args, 2);
        let length = self.checked_length(object)? as i32;
        self.check_elements(object, 0, length as u32)?;
        let bytes = target.kind.element_bytes();
        let start = self.heap.elements(object);
        let (limit, scale, exception) = if target.shape == ELEMENT {
            (length, bytes, "java/lang/ArrayIndexOutOfBoundsException")
        } else {
            (
                (length - bytes as i32 + 1).max(0),
                1,
                "java/lang/IndexOutOfBoundsException",
            )
        };
        if index < 0 || index >= limit {
            return Err(Fault::raise(
                exception,
                format!("Index {index} out of bounds for length {limit}"),
            ));
        }
        Ok((
            VariableLocation {
                at: start + u64::from(index as u32) * u64::from(scale),
                packed: true,
            },
            3,
        ))
    }

    /// Converts an argument of a call, whose type the call gives, to the variable's type.
    fn incoming(&self, slot: u64, given: &str, target: &HandleVariable) -> Result<u64, Fault> {
        let wrong = || {
            Fault::raise(
                "java/lang/invoke/WrongMethodTypeException",
                format!(
                    "cannot convert {} to {}",
                    descriptor::to_java(given),
                    self.binary_name(target.value)
                ),
            )
        };
        match (Kind::of(given), target.kind) {
            (Kind::Reference, Kind::Reference) => {
                let object = Ref::from_slot(slot);
                if !object.is_null() && !self.is_subclass(self.heap.class_of(object), target.value)
                {
                    return Err(self.bad_cast(self.heap.class_of(object), target.value));
                }
                Ok(object.slot())
            }
            (Kind::Reference, kind) => {
                let object = Ref::from_slot(slot);
                if object.is_null() {
                    return Err(Fault::Raise("java/lang/NullPointerException", None));
                }
                let (from, value) = self.read_box(object)?.ok_or_else(wrong)?;
                widened(from, kind, value).ok_or_else(wrong)
            }
            (_, Kind::Reference) => Err(wrong()),
            (from, kind) => widened(from, kind, slot).ok_or_else(wrong),
        }
    }
}

/// Converts a value between the byte order of a view and the arena's, which is little-endian.
fn in_order(value: u64, target: &HandleVariable) -> u64 {
    if target.flags & BIG_ENDIAN == 0 {
        return value;
    }
    match target.kind {
        Kind::Char => u64::from((value as u16).swap_bytes()),
        Kind::Short => u64::from(i32::from((value as i16).swap_bytes()) as u32),
        Kind::Int | Kind::Float => u64::from((value as u32).swap_bytes()),
        Kind::Long | Kind::Double => value.swap_bytes(),
        _ => value,
    }
}

fn combine(mode: Mode, kind: Kind, old: u64, operand: u64) -> Option<u64> {
    let sum = |a: u64, b: u64| match kind {
        Kind::Float => u64::from((f32::from_bits(a as u32) + f32::from_bits(b as u32)).to_bits()),
        Kind::Double => (f64::from_bits(a) + f64::from_bits(b)).to_bits(),
        _ => a.wrapping_add(b),
    };
    let value = match (mode, kind) {
        (Mode::GetAndSet, _) => operand,
        (_, Kind::Reference) | (Mode::GetAndAdd, Kind::Boolean) => return None,
        (Mode::GetAndAdd, _) => sum(old, operand),
        (_, Kind::Float | Kind::Double) => return None,
        (Mode::GetAndOr, _) => old | operand,
        (Mode::GetAndAnd, _) => old & operand,
        (Mode::GetAndXor, _) => old ^ operand,
        _ => return None,
    };
    Some(match kind {
        Kind::Byte => u64::from(i32::from(value as i8) as u32),
        Kind::Short => u64::from(i32::from(value as i16) as u32),
        Kind::Char => u64::from(value as u16),
        Kind::Int => u64::from(value as u32),
        _ => value,
    })
}

/// Performs an access by a handle. The calling instruction names the method: its name is the
/// mode, its descriptor that of the call.
fn access(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let handle = vm.arg_object(args, 0)?;
    let frame = *vm.state.frames.last().expect("the calling frame");
    let Instr::InvokeSpecial { method, .. } = vm.code[frame.pc as usize] else {
        return Err(Fault::unsupported(
            "a method handle called in an unusual way",
        ));
    };
    let called = MethodId(method);
    let method = vm.method(called);
    let words = usize::from(method.argument_words);
    let (owner, name, descriptor) = (
        method.class,
        method.name,
        vm.text(method.descriptor).to_owned(),
    );
    let refused = || {
        let (owner, name) = (vm.binary_name(owner), vm.text(name));
        Fault::unsupported(format!("{owner}.{name}: method handles are not supported"))
    };
    if vm.class_name(owner) == METHOD_HANDLE && !vm.is_direct(handle) {
        let exact = vm.text(name) == "invokeExact";
        let call = vm.handle_call(exact, &descriptor)?;
        let arguments = (0..words).map(|word| vm.arg(args, word)).collect();
        return Err(Fault::Call(call, arguments));
    }
    let Some(target) = vm.target_of(handle)? else {
        let name = vm.text(name).to_owned();
        let call = vm.variable_call(&name, &descriptor)?;
        let arguments = (0..words).map(|word| vm.arg(args, word)).collect();
        return Err(Fault::Call(call, arguments));
    };
    let mode = match vm.class_name(owner) {
        VAR_HANDLE => Mode::of(vm.text(name)),
        _ if target.flags & SETTER != 0 => Some(Mode::Set),
        _ => Some(Mode::Get),
    };
    let mode = mode.ok_or_else(refused)?;
    let (parameters, result) = descriptor::split_method(&descriptor).expect("a checked descriptor");
    let coordinates = match target.shape {
        STATIC_FIELD => 0,
        INSTANCE_FIELD => 1,
        _ => 2,
    };
    if parameters.len() != coordinates + mode.values() {
        return Err(Fault::raise(
            "java/lang/invoke/WrongMethodTypeException",
            format!(
                "handle's method type does not take {} arguments",
                parameters.len()
            ),
        ));
    }
    if mode != Mode::Get && target.flags & READ_ONLY != 0 {
        return Err(Fault::Raise(
            "java/lang/UnsupportedOperationException",
            None,
        ));
    }
    let is_primitive = |given: &&str| Kind::of(given) != Kind::Reference;
    if target.kind == Kind::Reference && parameters[coordinates..].iter().any(is_primitive) {
        let boxing = vm.boxing_access(called, mode.values())?;
        let arguments = (0..words).map(|word| vm.arg(args, word)).collect();
        return Err(Fault::Call(boxing, arguments));
    }
    let (place, mut word) = vm.locate(args, &target)?;
    let mut values = [0; 2];
    for (value, given) in values.iter_mut().zip(&parameters[coordinates..]) {
        *value = vm.incoming(vm.arg(args, word), given, &target)?;
        word += usize::from(Kind::of(given).words());
    }
    let old = if mode == Mode::Set {
        0
    } else {
        vm.load_place(place, &target)?
    };
    let new = match mode {
        Mode::Get => None,
        Mode::Set => Some(values[0]),
        Mode::CompareAndSet | Mode::CompareAndExchange => (old == values[0]).then_some(values[1]),
        _ => Some(
            combine(mode, target.kind, old, values[0]).ok_or(Fault::Raise(
                "java/lang/UnsupportedOperationException",
                None,
            ))?,
        ),
    };
    let answer = match mode {
        Mode::CompareAndSet => Ok(u64::from(new.is_some())),
        _ => outgoing(vm, old, result, &target)?,
    };
    if let Some(new) = new {
        vm.store_place(place, &target, new);
    }
    answer.map_err(|call| *call)
}

/// Converts the variable's value to the result type of the call; boxing is a call to make at the
/// end.
fn outgoing(
    vm: &mut Vm,
    value: u64,
    wanted: &str,
    target: &HandleVariable,
) -> Result<Result<u64, Box<Fault>>, Fault> {
    let wrong = |vm: &Vm| {
        Fault::raise(
            "java/lang/invoke/WrongMethodTypeException",
            format!(
                "cannot convert {} to {}",
                vm.binary_name(target.value),
                descriptor::to_java(wanted)
            ),
        )
    };
    match (target.kind, Kind::of(wanted)) {
        (_, Kind::Void) => Ok(Ok(0)),
        (Kind::Reference, Kind::Reference) => {
            let object = Ref::from_slot(value);
            if !object.is_null() && wanted != Kind::Reference.descriptor() {
                let class = vm.class_of_type(target.class, wanted)?;
                let actual = vm.heap.class_of(object);
                if !vm.is_subclass(actual, class) {
                    return Err(vm.bad_cast(actual, class));
                }
            }
            Ok(Ok(value))
        }
        (Kind::Reference, kind) => {
            let object = Ref::from_slot(value);
            if object.is_null() {
                return Err(Fault::Raise("java/lang/NullPointerException", None));
            }
            let (from, value) = vm.read_box(object)?.ok_or_else(|| wrong(vm))?;
            Ok(Ok(widened(from, kind, value).ok_or_else(|| wrong(vm))?))
        }
        (kind, Kind::Reference) => Ok(Err(Box::new(vm.box_call(kind, value)?))),
        (from, kind) => Ok(Ok(widened(from, kind, value).ok_or_else(|| wrong(vm))?)),
    }
}
