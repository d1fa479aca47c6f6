//! `StackWalker`: frames are read at once when a walk begins. A frame object holds its method and
//! instruction as an entry of a backtrace; its methods decode it.

use super::{Args, NativeEntry};
use crate::class::{MethodId, flags};
use crate::heap::Ref;
use crate::instr::Instr;
use crate::throw::NATIVE_PC;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "java/lang/StackWalker.walk(Ljava/util/function/Function;)Ljava/lang/Object;",
        walk,
    ),
    (
        "java/lang/StackWalker.forEach(Ljava/util/function/Consumer;)V",
        for_each,
    ),
    (
        "java/lang/StackWalker.getCallerClass()Ljava/lang/Class;",
        caller_class,
    ),
    (
        "java/lang/StackFrameInfo.declaringClass()Ljava/lang/Class;",
        declaring_class,
    ),
    (
        "java/lang/StackFrameInfo.getMethodName()Ljava/lang/String;",
        method_name,
    ),
    (
        "java/lang/StackFrameInfo.getMethodType()Ljava/lang/invoke/MethodType;",
        method_type,
    ),
    (
        "java/lang/StackFrameInfo.getDescriptor()Ljava/lang/String;",
        descriptor,
    ),
    ("java/lang/StackFrameInfo.getByteCodeIndex()I", bytecode),
    ("java/lang/StackFrameInfo.isNativeMethod()Z", is_native),
    (
        "java/lang/StackFrameInfo.toStackTraceElement()Ljava/lang/StackTraceElement;",
        element,
    ),
];

const FRAME: &str = "java/lang/StackFrameInfo";

/// Options of a walker.
struct Options {
    retains_classes: bool,
    shows_reflection: bool,
}

fn options(vm: &Vm, walker: Ref) -> Result<Options, Fault> {
    let field = |object: Ref, name: &str| -> Result<u64, Fault> {
        vm.read_slot(object.0 + vm.word_of(vm.heap.class_of(object), name)?)
    };
    let set = Ref::from_slot(field(walker, "options")?);
    let bits = field(set, "elements").unwrap_or(0);
    // Releases from 22 on have an option more, DROP_METHOD_INFO, in the second place.
    let reflection = match vm.jdk().feature {
        17 | 21 => 0b110,
        _ => 0b1100,
    };
    Ok(Options {
        retains_classes: field(walker, "retainClassRef")? != 0,
        shows_reflection: bits & reflection != 0,
    })
}

/// Whether a walk leaves out a method because it belongs to reflection.
fn is_reflective(vm: &Vm, method: MethodId) -> bool {
    let class = vm.class_name(vm.method(method).class);
    match class {
        "java/lang/reflect/Method" => vm.text(vm.method(method).name) == "invoke",
        "java/lang/reflect/Constructor" => {
            vm.text(vm.method(method).name).starts_with("newInstance")
        }
        class => class.starts_with("jdk/internal/reflect/"),
    }
}

/// Methods and instructions of the frames that a walk shows, innermost first.
fn frames(vm: &Vm, shows_reflection: bool) -> Vec<(MethodId, u32)> {
    let frames = vm.frames().iter().rev();
    let shown = frames.filter(|frame| {
        !vm.is_hidden(frame.method) && (shows_reflection || !is_reflective(vm, frame.method))
    });
    shown.map(|frame| (frame.method, frame.pc)).collect()
}

/// Array of `StackFrame` objects.
fn frame_objects(vm: &mut Vm, walker: Ref) -> Result<Ref, Fault> {
    const RETAINS_CLASS: u64 = 0x0800_0000;
    let options = options(vm, walker)?;
    let class = vm.load_class(FRAME).map_err(|error| vm.load_fault(error))?;
    vm.initialize(class)?;
    let words = vm.class(class).instance_words;
    let longs = vm.known().longs;
    let mut objects = Vec::new();
    for (method, pc) in frames(vm, options.shows_reflection) {
        let object = vm.heap.allocate(class, words, false)?;
        let entry = vm.heap.allocate_array(longs, 1, 8, false)?;
        let at = (vm.heap.elements(entry) >> 3) as u32;
        vm.heap.store(at, u64::from(method.0) << 32 | u64::from(pc));
        // The field is named for what it holds in the release.
        vm.put(object, "memberName", entry.slot());
        vm.put(object, "classOrMemberName", entry.slot());
        if options.retains_classes {
            vm.put(object, "retainClassRef", 1);
            vm.put(object, "flags", RETAINS_CLASS);
        }
        objects.push(object);
    }
    let array = vm.known().objects;
    vm.new_object_array(array, &objects)
}

fn null_check(vm: &Vm, args: Args) -> Result<Ref, Fault> {
    vm.arg_object(args, 0)?;
    vm.arg_object(args, 1)
}

/// Calls the function on a stream of the frames.
fn walk(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const SHAPE: &str = "(Ljava/util/function/Function;[Ljava/lang/Object;)Ljava/lang/Object;";
    const STREAM: &str = "([Ljava/lang/Object;)Ljava/util/stream/Stream;";
    let function = null_check(vm, args)?;
    let frames = frame_objects(vm, vm.arg_ref(args, 0))?;
    let call = vm.once(
        "StackWalker.walk",
        "java/lang/StackWalker",
        SHAPE,
        |vm, code| {
            let stream = vm.method_named("java/util/Arrays", "stream", STREAM)?;
            let apply = vm.method_named(
                "java/util/function/Function",
                "apply",
                "(Ljava/lang/Object;)Ljava/lang/Object;",
            )?;
            code.push(Instr::Move { d: 3, a: 1 });
            code.push(Instr::InvokeStaticChecked {
                a: 3,
                method: stream.0,
            });
            code.push(Instr::Move { d: 2, a: 0 });
            code.push(Instr::InvokeInterface {
                a: 2,
                method: apply.0,
            });
            code.push(Instr::Return { a: 2 });
            Ok(())
        },
    )?;
    Err(Fault::Call(call, vec![function.slot(), frames.slot()]))
}

fn for_each(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const SHAPE: &str = "(Ljava/util/function/Consumer;[Ljava/lang/Object;)V";
    const LIST: &str = "([Ljava/lang/Object;)Ljava/util/List;";
    let consumer = null_check(vm, args)?;
    let frames = frame_objects(vm, vm.arg_ref(args, 0))?;
    let key = "StackWalker.forEach";
    let call = vm.once(key, "java/lang/StackWalker", SHAPE, |vm, code| {
        let list = vm.method_named("java/util/Arrays", "asList", LIST)?;
        let for_each = vm.method_named(
            "java/lang/Iterable",
            "forEach",
            "(Ljava/util/function/Consumer;)V",
        )?;
        code.push(Instr::Move { d: 2, a: 1 });
        code.push(Instr::InvokeStaticChecked {
            a: 2,
            method: list.0,
        });
        code.push(Instr::Move { d: 3, a: 0 });
        code.push(Instr::InvokeInterface {
            a: 2,
            method: for_each.0,
        });
        code.push(Instr::ReturnVoid);
        Ok(())
    })?;
    Err(Fault::Call(call, vec![consumer.slot(), frames.slot()]))
}

/// Class of the caller of the method that asks.
fn caller_class(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    if !options(vm, vm.arg_object(args, 0)?)?.retains_classes {
        return Err(Fault::raise(
            "java/lang/UnsupportedOperationException",
            "This stack walker does not have RETAIN_CLASS_REFERENCE access",
        ));
    }
    match frames(vm, false).get(1) {
        Some(&(caller, _)) => {
            let class = vm.method(caller).class;
            Ok(vm.class(class).mirror.slot())
        }
        None => Err(Fault::raise(
            "java/lang/IllegalCallerException",
            "no caller frame",
        )),
    }
}

/// Method and instruction of the frame object in argument 0.
fn decoded(vm: &Vm, args: Args) -> Result<(MethodId, u32), Fault> {
    let frame = vm.arg_object(args, 0)?;
    let field = match vm.jdk().feature {
        17 | 21 => "memberName",
        _ => "classOrMemberName",
    };
    let word = vm.word_of(vm.heap.class_of(frame), field)?;
    let entry = Ref::from_slot(vm.heap.field(frame, word));
    let value = vm.heap.load((vm.heap.elements(entry) >> 3) as u32);
    Ok((MethodId((value >> 32) as u32), value as u32))
}

fn declaring_class(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (method, _) = decoded(vm, args)?;
    let class = vm.method(method).class;
    Ok(vm.class(class).mirror.slot())
}

fn text_slot(vm: &mut Vm, text: crate::name::Sym) -> Result<u64, Fault> {
    let units: Vec<u16> = vm.text(text).encode_utf16().collect();
    Ok(vm.interned_literal(&units)?.slot())
}

fn method_name(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (method, _) = decoded(vm, args)?;
    text_slot(vm, vm.method(method).name)
}

fn descriptor(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (method, _) = decoded(vm, args)?;
    text_slot(vm, vm.method(method).descriptor)
}

fn method_type(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    const FROM: &str = "(Ljava/lang/String;Ljava/lang/ClassLoader;)Ljava/lang/invoke/MethodType;";
    let frame = vm.arg_object(args, 0)?;
    let retains = ["retainClassRef", "flags"].into_iter().any(|field| {
        let found = vm.find_field(vm.heap.class_of(frame), field);
        found.is_some_and(|field| vm.heap.field(frame, field.word) != 0)
    });
    if !retains {
        return Err(Fault::raise(
            "java/lang/UnsupportedOperationException",
            "No access to RETAIN_CLASS_REFERENCE",
        ));
    }
    let text = descriptor(vm, args)?;
    let call = vm.once("MethodType of a frame", FRAME, FROM, |vm, code| {
        let from = vm.method_named(
            "java/lang/invoke/MethodType",
            "fromMethodDescriptorString",
            FROM,
        )?;
        code.push(Instr::InvokeStaticChecked {
            a: 0,
            method: from.0,
        });
        code.push(Instr::Return { a: 0 });
        Ok(())
    })?;
    let loader = vm.app_loader.slot();
    Err(Fault::Call(call, vec![text, loader]))
}

/// Index of the frame's instruction in its bytecode; -1 in a native method.
fn bytecode(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (method, pc) = decoded(vm, args)?;
    Ok(match pc {
        NATIVE_PC => u64::from(u32::MAX),
        pc => u64::from(vm.bytecode_index(method, pc)),
    })
}

fn is_native(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (method, _) = decoded(vm, args)?;
    Ok(u64::from(vm.method(method).flags & flags::NATIVE != 0))
}

fn element(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (method, pc) = decoded(vm, args)?;
    Ok(super::lang::new_element(vm, method, pc)?.slot())
}
