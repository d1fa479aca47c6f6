//! `StackWalker`: the JDK's own code, whose natives give it frames in batches. A frame object holds
//! its method and instruction as an entry of a backtrace; its methods decode it.

use super::{Args, NativeEntry};
use crate::chances::Chance;
use crate::class::{MethodId, flags};
use crate::heap::Ref;
use crate::indy::LAMBDA;
use crate::instr::Instr;
use crate::throw::NATIVE_PC;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "java/lang/StackStreamFactory.checkStackWalkModes()Z",
        super::one,
    ),
    // Release 17, 21, and later ones.
    (
        "java/lang/StackStreamFactory$AbstractStackWalker.callStackWalk(JIII[Ljava/lang/Object;)Ljava/lang/Object;",
        |vm, args| begin_walk(vm, args, 4),
    ),
    (
        "java/lang/StackStreamFactory$AbstractStackWalker.callStackWalk(JILjdk/internal/vm/ContinuationScope;Ljdk/internal/vm/Continuation;II[Ljava/lang/Object;)Ljava/lang/Object;",
        |vm, args| begin_walk(vm, args, 6),
    ),
    (
        "java/lang/StackStreamFactory$AbstractStackWalker.callStackWalk(IILjdk/internal/vm/ContinuationScope;Ljdk/internal/vm/Continuation;II[Ljava/lang/Object;)Ljava/lang/Object;",
        |vm, args| begin_walk(vm, args, 5),
    ),
    (
        "java/lang/StackStreamFactory$AbstractStackWalker.fetchStackFrames(JJII[Ljava/lang/Object;)I",
        |vm, args| go_on(vm, args, (3, 5)),
    ),
    (
        "java/lang/StackStreamFactory$AbstractStackWalker.fetchStackFrames(IJIII[Ljava/lang/Object;)I",
        |vm, args| go_on(vm, args, (2, 5)),
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

/// Whether a walker retains classes.
fn retains_classes(vm: &Vm, walker: Ref) -> Result<bool, Fault> {
    let word = vm.word_of(vm.heap.class_of(walker), "retainClassRef")?;
    Ok(vm.read_slot(walker.0 + word)? != 0)
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

/// Option of a walk that shows the frames of lambdas.
const SHOWS_HIDDEN: i32 = 0x20;

/// A frame that a walk shows.
struct WalkedFrame {
    /// Number of frames below it.
    below: usize,
    method: MethodId,
    pc: u32,
}

/// Frames that a walk shows, of the `count` outermost ones, the innermost first.
fn walked(vm: &Vm, count: usize, mode: i32) -> Vec<WalkedFrame> {
    let frames = vm.frames().iter().enumerate().take(count).rev();
    let shown = frames.filter_map(|(below, frame)| {
        let class = vm.method(frame.method).class;
        let is_lambda = mode & SHOWS_HIDDEN != 0 && vm.class_name(class).contains(LAMBDA);
        let own = is_lambda.then_some((frame.method, frame.pc));
        let (method, pc) = vm.shown_as(frame).or(own)?;
        Some(WalkedFrame { below, method, pc })
    });
    shown.collect()
}

/// Fills a part of the array of frames, of which each is a `StackFrameInfo`, in newer releases a
/// `ClassFrameInfo`, or null for a class. Returns the end of the part and the number of frames that
/// are left. The walker's anchor becomes that number and one.
fn fill_batch(
    vm: &mut Vm,
    walker: Ref,
    left: usize,
    mode: i32,
    (size, start, array): (i32, i32, Ref),
) -> Result<(u64, usize), Fault> {
    let (mut at, mut left) = (start.max(0) as u64, left);
    let end = (at + size.max(0) as u64).min(u64::from(vm.heap.array_length(array)));
    let first = vm.heap.elements(array);
    let longs = vm.known().longs;
    for frame in walked(vm, left, mode) {
        if at == end {
            break;
        }
        let object = Ref(vm.heap.load32(first + 4 * at));
        let class = vm.method(frame.method).class;
        let mirror = vm.class(class).mirror;
        match object {
            Ref::NULL => vm.heap.store32(first + 4 * at, mirror.0),
            info if vm.class_name(vm.heap.class_of(info)) == FRAME => {
                let entry = vm.heap.allocate_array(longs, 1, 8, false)?;
                let word = (vm.heap.elements(entry) >> 3) as u32;
                let place = u64::from(frame.method.0) << 32 | u64::from(frame.pc);
                vm.heap.store(word, place);
                // The field is named for what it holds in the release.
                vm.put(info, "memberName", entry.slot());
                vm.put(info, "classOrMemberName", entry.slot());
            }
            info => vm.put(info, "classOrMemberName", mirror.slot()),
        }
        (at, left) = (at + 1, frame.below);
    }
    vm.put(walker, "anchor", left as u64 + 1);
    Ok((at, left))
}

/// Begins a walk with the first batch of frames; the batch's size is argument `size`.
fn begin_walk(vm: &mut Vm, args: Args, size: usize) -> Result<u64, Fault> {
    const WALKER: &str = "java/lang/StackStreamFactory$AbstractStackWalker";
    let walker = vm.arg_object(args, 0)?;
    let mode = vm.arg_int(args, 1);
    let array = vm.arg_object(args, size + 2)?;
    let [size, start] = [size, size + 1].map(|index| vm.arg_int(args, index));
    let is_own = |name: &str| {
        name == "java/lang/StackWalker" || name.starts_with("java/lang/StackStreamFactory")
    };
    let frames = vm.frames().iter().rev();
    let own = frames.take_while(|frame| is_own(vm.class_name(vm.method(frame.method).class)));
    let left = vm.frames().len() - own.count();
    let (end, left) = fill_batch(vm, walker, left, mode, (size, start, array))?;
    // The library checks that the walk has not begun.
    vm.put(walker, "anchor", 0);
    let walk = vm.method_named(WALKER, "doStackWalk", "(JIIII)Ljava/lang/Object;")?;
    let anchor = left as u64 + 1;
    let arguments = [
        walker.slot(),
        anchor,
        0,
        0,
        end - start.max(0) as u64,
        start as u32 as u64,
        end,
    ];
    Err(Fault::Call(walk, arguments.to_vec()))
}

/// Gives a walk its next batch of frames; the anchor and the batch's size are these arguments.
fn go_on(vm: &mut Vm, args: Args, (anchor, size): (usize, usize)) -> Result<u64, Fault> {
    let walker = vm.arg_object(args, 0)?;
    let left = vm.arg(args, anchor).saturating_sub(1) as usize;
    let mode = vm.arg_int(args, 1);
    let [size, start] = [size, size + 1].map(|index| vm.arg_int(args, index));
    let array = vm.arg_object(args, 7)?;
    let (end, _) = fill_batch(vm, walker, left, mode, (size, start, array))?;
    // Releases from 22 on want the number of frames.
    Ok(match vm.jdk().feature {
        17 | 21 => end,
        _ => end - start.max(0) as u64,
    })
}

/// Methods of the frames that are no part of reflection, the innermost first.
fn callers(vm: &Vm) -> impl Iterator<Item = MethodId> {
    let frames = walked(vm, vm.frames().len(), 0).into_iter();
    let methods = frames.map(|frame| frame.method);
    methods.filter(|&method| !is_reflective(vm, method))
}

/// Class of the caller of the method that asks.
fn caller_class(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    vm.note_after_others(Chance::Callers);
    if !retains_classes(vm, vm.arg_object(args, 0)?)? {
        return Err(Fault::raise(
            "java/lang/UnsupportedOperationException",
            "This stack walker does not have RETAIN_CLASS_REFERENCE access",
        ));
    }
    let caller = callers(vm).nth(1);
    match caller {
        Some(caller) => {
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
