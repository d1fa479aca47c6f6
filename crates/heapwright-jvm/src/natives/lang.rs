//! `Object`, `String`, `Throwable`, `StackTraceElement` and the boxes.

use super::{Args, NativeEntry, nothing};
use crate::chances::Chance;
use crate::class::{Loader, MethodId, Shape};
use crate::heap::{FIELDS, Ref};
use crate::vm::{Exit, Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    ("java/lang/Object.hashCode()I", identity_hash),
    ("java/lang/Object.getClass()Ljava/lang/Class;", get_class),
    ("java/lang/Object.clone()Ljava/lang/Object;", clone),
    (
        "java/lang/System.identityHashCode(Ljava/lang/Object;)I",
        identity_hash,
    ),
    ("java/lang/String.intern()Ljava/lang/String;", intern),
    ("java/lang/StringUTF16.isBigEndian()Z", nothing),
    ("java/lang/StringCoding.err()V", nothing),
    ("java/lang/Float.floatToRawIntBits(F)I", bits_of_float),
    ("java/lang/Float.intBitsToFloat(I)F", same_bits),
    ("java/lang/Double.doubleToRawLongBits(D)J", bits_of_double),
    ("java/lang/Double.longBitsToDouble(J)D", same_bits),
    (
        "java/lang/Throwable.fillInStackTrace(I)Ljava/lang/Throwable;",
        fill_in_stack_trace,
    ),
    (
        "java/lang/NullPointerException.getExtendedNPEMessage()Ljava/lang/String;",
        extended_message,
    ),
    (
        "java/lang/StackTraceElement.initStackTraceElements([Ljava/lang/StackTraceElement;Ljava/lang/Throwable;)V",
        stack_trace_of_throwable,
    ),
    (
        "java/lang/StackTraceElement.initStackTraceElements([Ljava/lang/StackTraceElement;Ljava/lang/Object;I)V",
        stack_trace_of_backtrace,
    ),
    ("java/lang/StackTraceElement.computeFormat()V", nothing),
    (
        "java/lang/StackTraceElement.computeFormat([Ljava/lang/StackTraceElement;)V",
        nothing,
    ),
    (
        "java/lang/StackTraceElement.finishInit([Ljava/lang/StackTraceElement;)V",
        nothing,
    ),
];

fn identity_hash(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let object = vm.arg_ref(args, 0);
    match object.is_null() {
        true => Ok(0),
        false => Ok(u64::from(vm.identity_hash(object))),
    }
}

impl Vm {
    /// Identity hash of an object. Hashes come from a counter and are spread over 30 bits.
    pub(super) fn identity_hash(&mut self, object: Ref) -> u32 {
        match self.is_place_only(object) {
            true => self.chances += 1,
            false => {
                // Where nobody sees who looks at the order of a table, claims do not name it.
                let is_named = self.tracks_hash_order || !self.is_in_hash_table();
                self.note_chance_quietly(Chance::IdentityHashes, is_named);
            }
        }
        let known = self.heap.identity_hash(object);
        if known != 0 && self.heap.class_of(object) == self.known().class {
            let hashes = &mut self.state.class_hashes;
            hashes.asked = hashes.asked.wrapping_add(1);
            let shifted = known.wrapping_add(hashes.shift) & ((1 << 30) - 1);
            return shifted.max(1);
        }
        if known != 0 {
            return known;
        }
        self.state.identity_hashes += 1;
        let hash = self.state.identity_hashes.wrapping_mul(0x9E37_79B1) >> 2;
        self.heap.set_identity_hash(object, hash);
        hash
    }
}

fn get_class(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let object = vm.arg_object(args, 0)?;
    Ok(vm.class(vm.heap.class_of(object)).mirror.slot())
}

fn clone(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let object = vm.arg_object(args, 0)?;
    let class = vm.heap.class_of(object);
    if let Shape::Array(_) = vm.class(class).shape {
        return Ok(vm.clone_array(object)?.slot());
    }
    if !vm.is_subclass(class, vm.known().cloneable) {
        return Err(Fault::raise(
            "java/lang/CloneNotSupportedException",
            vm.binary_name(class),
        ));
    }
    let words = vm.class(class).instance_words;
    if let Some(variable) = (FIELDS..words).find_map(|word| vm.unset_variable(object.0 + word)) {
        return Err(Fault::Stop(Box::new(Exit::Choice(variable))));
    }
    let copy = vm.heap.allocate(class, words, false)?;
    for word in FIELDS..words {
        let value = vm.heap.field(object, word);
        vm.heap.set_field(copy, word, value);
    }
    Ok(copy.slot())
}

fn intern(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let string = vm.arg_object(args, 0)?;
    Ok(vm.intern_string(string).slot())
}

fn same_bits(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Ok(vm.arg(args, 0))
}

/// Bits of the NaN that arithmetic makes on x86-64.
const MADE_DOUBLE: u64 = 0xFFF8_0000_0000_0000;
const MADE_FLOAT: u32 = 0xFFC0_0000;

fn bits_of_double(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Ok(match vm.arg(args, 0) {
        MADE_DOUBLE if vm.reads_nan_without_sign() => MADE_DOUBLE & (u64::MAX >> 1),
        bits => bits,
    })
}

fn bits_of_float(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Ok(match vm.arg(args, 0) {
        bits if bits as u32 == MADE_FLOAT && vm.reads_nan_without_sign() => {
            u64::from(MADE_FLOAT & (u32::MAX >> 1))
        }
        bits => bits,
    })
}

fn fill_in_stack_trace(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let exception = vm.arg_object(args, 0)?;
    vm.fill_stack_trace(exception)?;
    // Clears the cached trace, as HotSpot does, so that the next request computes it again.
    let field = vm.known().throwable_trace;
    if let Some(at) = vm
        .find_field(vm.known().throwable, "UNASSIGNED_STACK")
        .map(|field| field.word)
    {
        let unassigned = vm.heap.load(at);
        vm.heap.set_field(exception, field, unassigned);
    }
    Ok(exception.slot())
}

fn extended_message(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let exception = vm.arg_object(args, 0)?;
    match vm.extended_message(exception) {
        Some(message) => Ok(vm.new_string(&message)?.slot()),
        None => Ok(0),
    }
}

fn stack_trace_of_throwable(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let elements = vm.arg_object(args, 0)?;
    let exception = vm.arg_object(args, 1)?;
    let backtrace = Ref::from_slot(vm.heap.field(exception, vm.known().throwable_backtrace));
    fill_elements(vm, elements, backtrace)
}

fn stack_trace_of_backtrace(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let elements = vm.arg_object(args, 0)?;
    let backtrace = vm.arg_ref(args, 1);
    fill_elements(vm, elements, backtrace)
}

fn fill_elements(vm: &mut Vm, elements: Ref, backtrace: Ref) -> Result<u64, Fault> {
    if backtrace.is_null() {
        return Ok(0);
    }
    let start = (vm.heap.elements(backtrace) >> 3) as u32;
    let count = vm.heap.array_length(backtrace);
    for (index, element) in (0..count).zip(vm.object_elements(elements)) {
        let entry = vm.heap.load(start + index);
        let method = MethodId((entry >> 32) as u32);
        fill_element(vm, element, method, entry as u32)?;
    }
    Ok(0)
}

/// New `StackTraceElement`.
pub(super) fn new_element(vm: &mut Vm, method: MethodId, pc: u32) -> Result<Ref, Fault> {
    let class = vm
        .load_class("java/lang/StackTraceElement")
        .map_err(|error| vm.load_fault(error))?;
    vm.initialize(class)?;
    let words = vm.class(class).instance_words;
    let element = vm.heap.allocate(class, words, false)?;
    fill_element(vm, element, method, pc)?;
    Ok(element)
}

fn fill_element(vm: &mut Vm, element: Ref, method: MethodId, pc: u32) -> Result<(), Fault> {
    /// `StackTraceElement.format`: omits the loader's name.
    const BUILTIN_LOADER: u64 = 1;
    /// `StackTraceElement.format`: omits the module's version.
    const JDK_MODULE: u64 = 2;
    let line = vm.line_number(method, pc);
    let class = vm.method(method).class;
    let names = [
        ("declaringClass", Some(vm.binary_name(class))),
        (
            "methodName",
            Some(vm.text(vm.method(method).name).to_owned()),
        ),
        (
            "fileName",
            vm.class(class)
                .file
                .as_ref()
                .and_then(|file| file.info.source_file)
                .map(|name| vm.text(name).to_owned()),
        ),
        (
            "moduleName",
            vm.class(class).module.as_deref().map(str::to_owned),
        ),
        (
            "moduleVersion",
            vm.class(class)
                .module
                .as_ref()
                .map(|_| vm.jdk().version.clone()),
        ),
        (
            "classLoaderName",
            (vm.class(class).loader == Loader::App).then(|| "app".to_owned()),
        ),
    ];
    let owner = vm.heap.class_of(element);
    for (field, text) in names {
        let Some(text) = text else { continue };
        let word = vm.word_of(owner, field)?;
        let units: Vec<u16> = text.encode_utf16().collect();
        let string = vm.interned_literal(&units)?;
        vm.heap.set_field(element, word, string.slot());
    }
    let word = vm.word_of(owner, "lineNumber")?;
    vm.heap.set_field(element, word, u64::from(line as u32));
    let word = vm.word_of(owner, "format")?;
    vm.heap
        .set_field(element, word, BUILTIN_LOADER | JDK_MODULE);
    let word = vm.word_of(owner, "declaringClassObject")?;
    let mirror = vm.class(class).mirror;
    vm.heap.set_field(element, word, mirror.slot());
    Ok(())
}
