//! Calls through reflection: `Method.invoke` and `Constructor.newInstance`.
//!
//! A native checks and converts the arguments. A generated method, one for each target, makes the
//! call, boxes the result and wraps exceptions of the target.

use super::{Args, NativeEntry};
use crate::assembler::Assembler;
use crate::class::{ClassId, MethodId, Shape, flags};
use crate::descriptor::{self, Kind};
use crate::heap::Ref;
use crate::instr::Instr;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "jdk/internal/reflect/NativeMethodAccessorImpl.invoke0(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
        invoke,
    ),
    (
        "jdk/internal/reflect/DirectMethodHandleAccessor$NativeAccessor.invoke0(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
        invoke,
    ),
    (
        "jdk/internal/reflect/NativeConstructorAccessorImpl.newInstance0(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;",
        new_instance,
    ),
    (
        "jdk/internal/reflect/DirectConstructorHandleAccessor$NativeAccessor.newInstance0(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;",
        new_instance,
    ),
];

const METHODS: &str = "jdk/internal/reflect/NativeMethodAccessorImpl";
const INVOKE: &str =
    "(Ljava/lang/reflect/Method;Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;";
const CONSTRUCTORS: &str = "jdk/internal/reflect/NativeConstructorAccessorImpl";
const NEW_INSTANCE: &str = "(Ljava/lang/reflect/Constructor;[Ljava/lang/Object;)Ljava/lang/Object;";

fn illegal(message: impl Into<String>) -> Fault {
    Fault::raise("java/lang/IllegalArgumentException", message)
}

fn invoke(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let method = vm.reflected_method(vm.arg_object(args, 0)?)?;
    let receiver = vm.arg_ref(args, 1);
    let this = vm.method(method);
    let class = this.class;
    let mut slots = Vec::new();
    if this.is_static() {
        vm.initialize(class)?;
    } else {
        if receiver.is_null() {
            return Err(Fault::Raise("java/lang/NullPointerException", None));
        }
        let actual = vm.heap.class_of(receiver);
        if !vm.is_subclass(actual, class) {
            return Err(illegal(if vm.jdk().feature < 21 {
                "object is not an instance of declaring class".to_owned()
            } else {
                let (actual, wanted) = (vm.binary_name(actual), vm.binary_name(class));
                format!("object of type {actual} is not an instance of {wanted}")
            }));
        }
        slots.push(receiver.slot());
    }
    convert_arguments(vm, method, vm.arg_ref(args, 2), &mut slots)?;
    let call = vm.reflective_call(method)?;
    show_native(vm, call, METHODS, "invoke0", INVOKE)?;
    Err(Fault::Call(call, slots))
}

/// In release 17, stack traces show the native method that makes a call. Later ones call method
/// handles, whose frames are hidden.
fn show_native(
    vm: &mut Vm,
    call: MethodId,
    class: &str,
    name: &str,
    descriptor: &str,
) -> Result<(), Fault> {
    if vm.jdk().feature == 17 && !vm.native_callers.contains_key(&call) {
        let native = vm.method_named(class, name, descriptor)?;
        vm.native_callers.insert(call, native);
    }
    Ok(())
}

fn new_instance(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (class, constructor) = vm.reflected_constructor(vm.arg_object(args, 0)?)?;
    if vm.class(class).is_abstract() || vm.class(class).shape != Shape::Instance {
        return Err(Fault::Raise("java/lang/InstantiationException", None));
    }
    vm.initialize(class)?;
    let mut slots = Vec::new();
    convert_arguments(vm, constructor, vm.arg_ref(args, 1), &mut slots)?;
    let call = vm.reflective_construction(class, constructor)?;
    show_native(vm, call, CONSTRUCTORS, "newInstance0", NEW_INSTANCE)?;
    Err(Fault::Call(call, slots))
}

/// Unboxes and widens the elements of `array` to the parameter types of a method.
pub(super) fn convert_arguments(
    vm: &mut Vm,
    method: MethodId,
    array: Ref,
    slots: &mut Vec<u64>,
) -> Result<(), Fault> {
    let (parameters, _) =
        vm.classes_of_method(vm.method(method).class, vm.method(method).descriptor)?;
    let given = if array.is_null() {
        Vec::new()
    } else {
        let length = vm.checked_length(array)?;
        vm.check_elements(array, 0, length)?;
        vm.object_elements(array)
    };
    if given.len() != parameters.len() {
        return Err(illegal(if vm.jdk().feature < 21 {
            "wrong number of arguments".to_owned()
        } else {
            format!(
                "wrong number of arguments: {} expected: {}",
                given.len(),
                parameters.len()
            )
        }));
    }
    for (object, parameter) in given.into_iter().zip(parameters) {
        let mismatch = || illegal("argument type mismatch");
        match vm.class(parameter).shape {
            Shape::Primitive(kind) => {
                let (from, value) = if object.is_null() {
                    None
                } else {
                    vm.read_box(object)?
                }
                .ok_or_else(mismatch)?;
                slots.push(widened(from, kind, value).ok_or_else(mismatch)?);
                if kind.words() == 2 {
                    slots.push(0);
                }
            }
            _ if object.is_null() || vm.is_subclass(vm.heap.class_of(object), parameter) => {
                slots.push(object.slot());
            }
            _ => return Err(mismatch()),
        }
    }
    Ok(())
}

/// Widens a primitive value to another kind (JLS §5.1.2); `None` if that is no widening.
pub(crate) fn widened(from: Kind, to: Kind, value: u64) -> Option<u64> {
    let int = i64::from(value as u32 as i32);
    Some(match (from, to) {
        _ if from == to => value,
        (Kind::Byte, Kind::Short | Kind::Int) | (Kind::Short | Kind::Char, Kind::Int) => value,
        (Kind::Byte | Kind::Short | Kind::Char | Kind::Int, Kind::Long) => int as u64,
        (Kind::Byte | Kind::Short | Kind::Char | Kind::Int, Kind::Float) => {
            u64::from((int as f32).to_bits())
        }
        (Kind::Byte | Kind::Short | Kind::Char | Kind::Int, Kind::Double) => (int as f64).to_bits(),
        (Kind::Long, Kind::Float) => u64::from((value as i64 as f32).to_bits()),
        (Kind::Long, Kind::Double) => (value as i64 as f64).to_bits(),
        (Kind::Float, Kind::Double) => f64::from(f32::from_bits(value as u32)).to_bits(),
        _ => return None,
    })
}

impl Vm {
    /// Instruction that calls a method according to its declaration.
    pub(crate) fn call_instr(&self, method: MethodId, a: u16) -> Instr {
        let this = self.method(method);
        let id = method.0;
        if this.is_static() {
            Instr::InvokeStaticChecked { a, method: id }
        } else if this.flags & flags::PRIVATE != 0 || self.text(this.name) == "<init>" {
            Instr::InvokeSpecial { a, method: id }
        } else if this.vtable_index.is_some() {
            Instr::InvokeVirtual { a, method: id }
        } else {
            Instr::InvokeInterface { a, method: id }
        }
    }

    /// Returns a static method with the parameters of `target`, receiver first. It calls
    /// `target`, boxes the result, and wraps exceptions in an `InvocationTargetException`.
    fn reflective_call(&mut self, target: MethodId) -> Result<MethodId, Fault> {
        let key = format!("call {}", target.0);
        if let Some(&known) = self.synthetic.get(&key) {
            return Ok(known);
        }
        let this = self.method(target);
        let (class, result, words) = (this.class, this.result, this.argument_words);
        let text = self.text(this.descriptor).to_owned();
        let (parameters, _) = descriptor::split_method(&text).expect("a checked descriptor");
        let receiver = if this.is_static() {
            ""
        } else {
            Kind::Reference.descriptor()
        };
        let own = format!("({receiver}{})Ljava/lang/Object;", parameters.concat());
        let mut code = Assembler::default();
        code.reserve(words + 2);
        code.push(self.call_instr(target, 0));
        let start = code.here() - 1;
        let end = code.here();
        match result {
            Kind::Void => code.push(Instr::Int { d: 0, value: 0 }),
            Kind::Reference => {}
            kind => self.emit_box(&mut code, 0, kind)?,
        }
        code.push(Instr::Return { a: 0 });
        self.emit_wrapper(&mut code, start, end, words)?;
        let own = self.names.intern(&own);
        let method = self.add_hidden(class, "reflect", own, code);
        self.synthetic.insert(key, method);
        Ok(method)
    }

    /// Returns a static method with the parameters of a constructor, which returns an object of a
    /// class that has the constructor or inherits it.
    fn reflective_construction(
        &mut self,
        class: ClassId,
        constructor: MethodId,
    ) -> Result<MethodId, Fault> {
        let key = format!("make {} by {}", class.0, constructor.0);
        if let Some(&known) = self.synthetic.get(&key) {
            return Ok(known);
        }
        let this = self.method(constructor);
        let object = this.argument_words - 1;
        let text = self.text(this.descriptor).to_owned();
        let (parameters, _) = descriptor::split_method(&text).expect("a checked descriptor");
        let mut code = Assembler::default();
        code.push(Instr::NewChecked {
            d: object,
            class: class.0,
        });
        code.push(Instr::Move {
            d: object + 1,
            a: object,
        });
        let (mut from, mut to) = (0, object + 2);
        for parameter in &parameters {
            code.push(Instr::Move { d: to, a: from });
            from += Kind::of(parameter).words();
            to += Kind::of(parameter).words();
        }
        code.reserve(to + 1);
        let start = code.here();
        code.push(Instr::InvokeSpecial {
            a: object + 1,
            method: constructor.0,
        });
        let end = code.here();
        code.push(Instr::Return { a: object });
        self.emit_wrapper(&mut code, start, end, to)?;
        let own = self
            .names
            .intern(&format!("({})Ljava/lang/Object;", parameters.concat()));
        let method = self.add_hidden(class, "reflect", own, code);
        self.synthetic.insert(key, method);
        Ok(method)
    }

    /// Emits a handler that wraps exceptions thrown from `start` to `end` in an
    /// `InvocationTargetException`.
    fn emit_wrapper(
        &mut self,
        code: &mut Assembler,
        start: u32,
        end: u32,
        free: u16,
    ) -> Result<(), Fault> {
        let init = self.method_named(
            "java/lang/reflect/InvocationTargetException",
            "<init>",
            "(Ljava/lang/Throwable;)V",
        )?;
        let wrapper = self.method(init).class;
        code.catch_all(start, end, free);
        code.throw_wrapped(free, wrapper, init);
        Ok(())
    }
}
