//! `jdk.internal.misc.Unsafe`. An address is an object and a byte offset. Fields take a whole
//! slot of any type, array elements are packed.

use super::{Args, NativeEntry, nothing, one};
use crate::class::{Shape, flags};
use crate::descriptor::Kind;
use crate::heap::{ELEMENTS, Ref, UNSET_TAG};
use crate::machine::{SlotLocation, is_symbolic};
use crate::vm::{Exit, Fault, Vm};

macro_rules! accessors {
    ($($kind:ident $letter:literal;)*) => {
        pub(super) const NATIVES: &[NativeEntry] = &[
            $(
                (concat!("jdk/internal/misc/Unsafe.get", accessors!(@name $kind), "(Ljava/lang/Object;J)", $letter),
                    |vm, args| get(vm, args, Kind::$kind)),
                (concat!("jdk/internal/misc/Unsafe.get", accessors!(@name $kind), "Volatile(Ljava/lang/Object;J)", $letter),
                    |vm, args| get(vm, args, Kind::$kind)),
                (concat!("jdk/internal/misc/Unsafe.put", accessors!(@name $kind), "(Ljava/lang/Object;J", $letter, ")V"),
                    |vm, args| put(vm, args, Kind::$kind)),
                (concat!("jdk/internal/misc/Unsafe.put", accessors!(@name $kind), "Volatile(Ljava/lang/Object;J", $letter, ")V"),
                    |vm, args| put(vm, args, Kind::$kind)),
                (concat!("jdk/internal/misc/Unsafe.compareAndSet", accessors!(@name $kind), "(Ljava/lang/Object;J", $letter, $letter, ")Z"),
                    |vm, args| compare_and_set(vm, args, Kind::$kind)),
                (concat!("jdk/internal/misc/Unsafe.compareAndExchange", accessors!(@name $kind), "(Ljava/lang/Object;J", $letter, $letter, ")", $letter),
                    |vm, args| compare_and_exchange(vm, args, Kind::$kind)),
            )*
            ("jdk/internal/misc/Unsafe.arrayBaseOffset0(Ljava/lang/Class;)I", array_base_offset),
            ("jdk/internal/misc/Unsafe.arrayIndexScale0(Ljava/lang/Class;)I", array_index_scale),
            ("jdk/internal/misc/Unsafe.objectFieldOffset0(Ljava/lang/reflect/Field;)J", object_field_offset),
            ("jdk/internal/misc/Unsafe.objectFieldOffset1(Ljava/lang/Class;Ljava/lang/String;)J", object_field_offset_by_name),
            ("jdk/internal/misc/Unsafe.staticFieldOffset0(Ljava/lang/reflect/Field;)J", static_field_offset),
            ("jdk/internal/misc/Unsafe.staticFieldBase0(Ljava/lang/reflect/Field;)Ljava/lang/Object;", static_field_base),
            ("jdk/internal/misc/Unsafe.allocateInstance(Ljava/lang/Class;)Ljava/lang/Object;", allocate_instance),
            ("jdk/internal/misc/Unsafe.allocateUninitializedArray0(Ljava/lang/Class;I)Ljava/lang/Object;", allocate_array),
            ("jdk/internal/misc/Unsafe.ensureClassInitialized0(Ljava/lang/Class;)V", ensure_initialized),
            ("jdk/internal/misc/Unsafe.shouldBeInitialized0(Ljava/lang/Class;)Z", should_be_initialized),
            ("jdk/internal/misc/Unsafe.addressSize0()I", eight),
            ("jdk/internal/misc/Unsafe.isBigEndian0()Z", nothing),
            ("jdk/internal/misc/Unsafe.unalignedAccess0()Z", one),
            ("jdk/internal/misc/Unsafe.copyMemory0(Ljava/lang/Object;JLjava/lang/Object;JJ)V", copy_memory),
            ("jdk/internal/misc/Unsafe.fullFence()V", nothing),
            ("jdk/internal/misc/Unsafe.loadFence()V", nothing),
            ("jdk/internal/misc/Unsafe.storeFence()V", nothing),
            ("jdk/internal/misc/Unsafe.throwException(Ljava/lang/Throwable;)V", throw_exception),
        ];
    };
    (@name Reference) => { "Reference" };
    (@name Boolean) => { "Boolean" };
    (@name Byte) => { "Byte" };
    (@name Char) => { "Char" };
    (@name Short) => { "Short" };
    (@name Int) => { "Int" };
    (@name Long) => { "Long" };
    (@name Float) => { "Float" };
    (@name Double) => { "Double" };
}

accessors! {
    Reference "Ljava/lang/Object;";
    Boolean "Z";
    Byte "B";
    Char "C";
    Short "S";
    Int "I";
    Long "J";
    Float "F";
    Double "D";
}

impl Vm {
    /// Slot at an arena word; a fault if it is unset or symbolic.
    pub(crate) fn read_slot(&self, word: u32) -> Result<u64, Fault> {
        let value = self.heap.load(word);
        if (value >> 32) as u32 == UNSET_TAG && self.is_unset(word, value as u32) {
            return Err(Fault::Stop(Box::new(Exit::Choice(value as u32))));
        }
        if self.symbolic && is_symbolic(value) {
            return Err(Fault::Stop(Box::new(Exit::Symbolic(SlotLocation::Word(
                word,
            )))));
        }
        Ok(value)
    }

    /// Value of `kind` at a byte address, as a register holds it. `packed` tells that the address
    /// is of an array element instead of a slot.
    pub(crate) fn read_at(&self, at: u64, kind: Kind, packed: bool) -> Result<u64, Fault> {
        if !packed && at.is_multiple_of(8) {
            return self.read_slot((at >> 3) as u32);
        }
        let unaligned = |bytes: u64| {
            (0..bytes).fold(0, |value, index| {
                value | u64::from(self.heap.load8(at + index)) << (8 * index)
            })
        };
        Ok(match kind {
            Kind::Boolean => u64::from(self.heap.load8(at)),
            Kind::Byte => u64::from(i32::from(self.heap.load8(at) as i8) as u32),
            Kind::Char => unaligned(2),
            Kind::Short => u64::from(i32::from(unaligned(2) as i16) as u32),
            Kind::Int | Kind::Float | Kind::Reference => unaligned(4),
            Kind::Long | Kind::Double | Kind::Void => unaligned(8),
        })
    }

    /// Writes a value of `kind` at a byte address.
    pub(crate) fn write_at(&mut self, at: u64, kind: Kind, value: u64, packed: bool) {
        if !packed && at.is_multiple_of(8) {
            self.heap.store((at >> 3) as u32, value);
            return;
        }
        let bytes = value.to_le_bytes();
        self.heap
            .write_bytes(at, &bytes[..kind.element_bytes() as usize]);
    }
}

/// Byte address given by arguments 1 (the object) and 2 (the offset) of a value of `kind`, and
/// whether values are packed there, as in an array.
fn address(vm: &Vm, args: Args, kind: Kind) -> Result<(u64, bool), Fault> {
    let bytes = u64::from(kind.element_bytes());
    let object = vm.arg_ref(args, 1);
    if object.is_null() && vm.arg(args, 2) == 8 * u64::from(vm.thread_ids) {
        return Ok((vm.arg(args, 2), false));
    }
    if object.is_null() {
        let at = vm.check_address(vm.arg(args, 2), bytes)?;
        return Ok((at, true));
    }
    let packed = matches!(vm.class(vm.heap.class_of(object)).shape, Shape::Array(_));
    let at = (8 * u64::from(object.0)).wrapping_add(vm.arg(args, 2));
    if packed {
        let class = vm.heap.class_of(object);
        let length = vm.checked_length(object)?;
        vm.check_elements(object, 0, length)?;
        let bytes = u64::from(vm.element_kind(class).element_bytes())
            * u64::from(vm.heap.array_length(object));
        let start = vm.heap.elements(object);
        // Whole words may be read at the end of a byte array.
        if at < start || at >= start + bytes.next_multiple_of(8) {
            return Err(Fault::unsupported("memory outside of an array"));
        }
    }
    Ok((at, packed))
}

fn get(vm: &mut Vm, args: Args, kind: Kind) -> Result<u64, Fault> {
    let (at, packed) = address(vm, args, kind)?;
    vm.note_static_at(vm.arg_ref(args, 1), (at >> 3) as u32);
    vm.read_at(at, kind, packed)
}

fn put(vm: &mut Vm, args: Args, kind: Kind) -> Result<u64, Fault> {
    let (at, packed) = address(vm, args, kind)?;
    let value = vm.arg(args, 4);
    vm.write_at(at, kind, value, packed);
    Ok(0)
}

fn compare_and_exchange(vm: &mut Vm, args: Args, kind: Kind) -> Result<u64, Fault> {
    let (at, packed) = address(vm, args, kind)?;
    vm.note_static_at(vm.arg_ref(args, 1), (at >> 3) as u32);
    let expected = vm.arg(args, 4);
    let new = vm.arg(args, 4 + usize::from(kind.words()));
    let old = vm.read_at(at, kind, packed)?;
    if old == expected {
        vm.write_at(at, kind, new, packed);
    }
    Ok(old)
}

fn compare_and_set(vm: &mut Vm, args: Args, kind: Kind) -> Result<u64, Fault> {
    let expected = vm.arg(args, 4);
    Ok(u64::from(compare_and_exchange(vm, args, kind)? == expected))
}

fn array_base_offset(_: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(8 * u64::from(ELEMENTS))
}

fn array_index_scale(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 1)?;
    Ok(u64::from(vm.element_kind(class).element_bytes()))
}

fn object_field_offset(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let field = vm.reflected_field(vm.arg_object(args, 1)?)?;
    Ok(8 * u64::from(field.word))
}

fn object_field_offset_by_name(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 1)?;
    let name = vm.string_text(vm.arg_object(args, 2)?);
    match vm.find_field(class, &name) {
        Some(field) if field.flags & flags::STATIC == 0 => Ok(8 * u64::from(field.word)),
        _ => Err(Fault::raise("java/lang/InternalError", name)),
    }
}

/// Static fields are in the same arena as their class's mirror, which is their base.
fn static_field_offset(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let field = vm.reflected_field(vm.arg_object(args, 1)?)?;
    let mirror = vm.class(field.class).mirror;
    Ok((8 * u64::from(field.word)).wrapping_sub(8 * u64::from(mirror.0)))
}

fn static_field_base(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let field = vm.reflected_field(vm.arg_object(args, 1)?)?;
    Ok(vm.class(field.class).mirror.slot())
}

fn allocate_instance(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 1)?;
    if vm.class(class).is_abstract() || vm.class(class).shape != Shape::Instance {
        return Err(Fault::raise(
            "java/lang/InstantiationException",
            vm.binary_name(class),
        ));
    }
    vm.initialize(class)?;
    let words = vm.class(class).instance_words;
    Ok(vm.heap.allocate(class, words, false)?.slot())
}

fn allocate_array(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let element = vm.arg_class(args, 1)?;
    let length = vm.arg_int(args, 2);
    let class = vm.array_of(element).map_err(|error| vm.load_fault(error))?;
    Ok(vm.new_array(class, length)?.slot())
}

fn ensure_initialized(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 1)?;
    vm.initialize(class)?;
    Ok(0)
}

fn should_be_initialized(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let class = vm.arg_class(args, 1)?;
    Ok(u64::from(
        vm.heap.load(vm.class(class).statics) == crate::class::init::UNTOUCHED,
    ))
}

fn eight(_: &mut Vm, _: Args) -> Result<u64, Fault> {
    Ok(8)
}

fn throw_exception(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    Err(Fault::Throw(vm.arg_object(args, 1)?))
}

/// Copies bytes between arrays and memory outside of objects.
fn copy_memory(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let bytes = vm.arg(args, 7);
    if bytes == 0 {
        return Ok(0);
    }
    let from = vm.byte_range(vm.arg_ref(args, 1), vm.arg(args, 2), bytes)?;
    let to = vm.byte_range(vm.arg_ref(args, 4), vm.arg(args, 5), bytes)?;
    vm.heap.copy_bytes(from, to, bytes);
    Ok(0)
}

impl Vm {
    /// Address of a range of bytes within an array, or of one outside of objects if `array` is
    /// null.
    pub(crate) fn byte_range(&self, array: Ref, offset: u64, bytes: u64) -> Result<u64, Fault> {
        let refuse = || Fault::unsupported("memory outside of an array");
        if array.is_null() {
            return self.check_address(offset, bytes);
        }
        let class = self.heap.class_of(array);
        if !matches!(self.class(class).shape, Shape::Array(_)) {
            return Err(refuse());
        }
        let length = self.checked_length(array)?;
        self.check_elements(array, 0, length)?;
        let size = u64::from(self.element_kind(class).element_bytes()) * u64::from(length);
        let first = offset
            .checked_sub(8 * u64::from(ELEMENTS))
            .ok_or_else(refuse)?;
        if first.checked_add(bytes).is_none_or(|end| end > size) {
            return Err(refuse());
        }
        Ok(self.heap.elements(array) + first)
    }
}
