//! `java.lang.reflect.Array`, and boxes.

use super::calls::widened;
use super::{Args, NativeEntry};
use crate::class::{ClassId, Shape};
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
    (
        "java/lang/reflect/Array.newArray(Ljava/lang/Class;I)Ljava/lang/Object;",
        new_array,
    ),
    (
        "java/lang/reflect/Array.multiNewArray(Ljava/lang/Class;[I)Ljava/lang/Object;",
        multi_new_array,
    ),
    (
        "java/lang/reflect/Array.getLength(Ljava/lang/Object;)I",
        get_length,
    ),
    (
        "java/lang/reflect/Array.get(Ljava/lang/Object;I)Ljava/lang/Object;",
        get,
    ),
    (
        "java/lang/reflect/Array.set(Ljava/lang/Object;ILjava/lang/Object;)V",
        set,
    ),
    (
        "java/lang/reflect/Array.getBoolean(Ljava/lang/Object;I)Z",
        |vm, args| get_as(vm, args, Kind::Boolean),
    ),
    (
        "java/lang/reflect/Array.getByte(Ljava/lang/Object;I)B",
        |vm, args| get_as(vm, args, Kind::Byte),
    ),
    (
        "java/lang/reflect/Array.getChar(Ljava/lang/Object;I)C",
        |vm, args| get_as(vm, args, Kind::Char),
    ),
    (
        "java/lang/reflect/Array.getShort(Ljava/lang/Object;I)S",
        |vm, args| get_as(vm, args, Kind::Short),
    ),
    (
        "java/lang/reflect/Array.getInt(Ljava/lang/Object;I)I",
        |vm, args| get_as(vm, args, Kind::Int),
    ),
    (
        "java/lang/reflect/Array.getLong(Ljava/lang/Object;I)J",
        |vm, args| get_as(vm, args, Kind::Long),
    ),
    (
        "java/lang/reflect/Array.getFloat(Ljava/lang/Object;I)F",
        |vm, args| get_as(vm, args, Kind::Float),
    ),
    (
        "java/lang/reflect/Array.getDouble(Ljava/lang/Object;I)D",
        |vm, args| get_as(vm, args, Kind::Double),
    ),
    (
        "java/lang/reflect/Array.setBoolean(Ljava/lang/Object;IZ)V",
        |vm, args| set_as(vm, args, Kind::Boolean),
    ),
    (
        "java/lang/reflect/Array.setByte(Ljava/lang/Object;IB)V",
        |vm, args| set_as(vm, args, Kind::Byte),
    ),
    (
        "java/lang/reflect/Array.setChar(Ljava/lang/Object;IC)V",
        |vm, args| set_as(vm, args, Kind::Char),
    ),
    (
        "java/lang/reflect/Array.setShort(Ljava/lang/Object;IS)V",
        |vm, args| set_as(vm, args, Kind::Short),
    ),
    (
        "java/lang/reflect/Array.setInt(Ljava/lang/Object;II)V",
        |vm, args| set_as(vm, args, Kind::Int),
    ),
    (
        "java/lang/reflect/Array.setLong(Ljava/lang/Object;IJ)V",
        |vm, args| set_as(vm, args, Kind::Long),
    ),
    (
        "java/lang/reflect/Array.setFloat(Ljava/lang/Object;IF)V",
        |vm, args| set_as(vm, args, Kind::Float),
    ),
    (
        "java/lang/reflect/Array.setDouble(Ljava/lang/Object;ID)V",
        |vm, args| set_as(vm, args, Kind::Double),
    ),
];

fn new_array(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let element = vm.arg_class(args, 0)?;
    check_dimensions(vm, element, 1)?;
    let class = vm.array_of(element).map_err(|error| vm.load_fault(error))?;
    let length = vm.arg_int(args, 1);
    Ok(vm.new_array(class, length)?.slot())
}

/// JVMS §4.3.2.
const MAX_DIMENSIONS: usize = 255;

/// Checks that arrays of a class with `more` further dimensions exist.
fn check_dimensions(vm: &Vm, class: ClassId, more: usize) -> Result<(), Fault> {
    let mut element = class;
    let mut dimensions = more;
    while let Shape::Array(of) = vm.class(element).shape {
        element = of;
        dimensions += 1;
    }
    let is_void = vm.class(element).shape == Shape::Primitive(Kind::Void);
    match more == 0 || dimensions > MAX_DIMENSIONS || is_void {
        true => Err(Fault::Raise("java/lang/IllegalArgumentException", None)),
        false => Ok(()),
    }
}

fn multi_new_array(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let mut class = vm.arg_class(args, 0)?;
    let lengths = vm.arg_object(args, 1)?;
    let dimensions = vm.checked_length(lengths)?;
    vm.check_elements(lengths, 0, dimensions)?;
    let start = vm.heap.elements(lengths);
    let lengths: Vec<i32> = (0..u64::from(dimensions))
        .map(|index| vm.heap.load32(start + 4 * index) as i32)
        .collect();
    check_dimensions(vm, class, lengths.len())?;
    for _ in &lengths {
        class = vm.array_of(class).map_err(|error| vm.load_fault(error))?;
    }
    if let Some(negative) = lengths.iter().find(|&&length| length < 0) {
        return Err(Fault::raise(
            "java/lang/NegativeArraySizeException",
            negative.to_string(),
        ));
    }
    Ok(vm.fill_multi_array(class, &lengths)?.slot())
}

fn array_argument(vm: &Vm, args: Args) -> Result<(Ref, Kind), Fault> {
    let array = vm.arg_object(args, 0)?;
    match vm.element_kind(vm.heap.class_of(array)) {
        Kind::Void => Err(Fault::raise(
            "java/lang/IllegalArgumentException",
            "Argument is not an array",
        )),
        kind => Ok((array, kind)),
    }
}

fn get_length(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (array, _) = array_argument(vm, args)?;
    Ok(u64::from(vm.checked_length(array)?))
}

fn element_address(vm: &Vm, array: Ref, index: i32, kind: Kind) -> Result<u64, Fault> {
    let length = vm.checked_length(array)?;
    if index as u32 >= length {
        return Err(Fault::raise(
            "java/lang/ArrayIndexOutOfBoundsException",
            format!("Index {index} out of bounds for length {length}"),
        ));
    }
    vm.check_elements(array, index as u32, 1)?;
    Ok(vm.heap.elements(array) + u64::from(index as u32) * u64::from(kind.element_bytes()))
}

impl Vm {
    /// Fault that requests the call which boxes a value.
    pub(crate) fn box_call(&mut self, kind: Kind, value: u64) -> Result<Fault, Fault> {
        let class = kind.box_class();
        let method = self.method_named(
            class,
            "valueOf",
            &format!("({})L{class};", kind.descriptor()),
        )?;
        let owner = self.method(method).class;
        self.initialize(owner)?;
        Ok(Fault::Call(method, vec![value, 0]))
    }

    /// Primitive value in a box, with its kind; `None` if the object is no box.
    pub(crate) fn read_box(&self, object: Ref) -> Result<Option<(Kind, u64)>, Fault> {
        let class = self.heap.class_of(object);
        let kind = Kind::of_box(self.class_name(class));
        let Some(kind) = kind else { return Ok(None) };
        let word = self.word_of(class, "value")?;
        Ok(Some((kind, self.read_slot(object.0 + word)?)))
    }

    /// Slot in a box; `None` if the object is no box.
    pub(crate) fn read_box_slot(&self, object: Ref) -> Option<u64> {
        let class = self.heap.class_of(object);
        Kind::of_box(self.class_name(class))?;
        let word = self.word_of(class, "value").ok()?;
        Some(self.heap.field(object, word))
    }
}

fn get(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (array, kind) = array_argument(vm, args)?;
    let at = element_address(vm, array, vm.arg_int(args, 1), kind)?;
    let value = vm.read_at(at, kind, true)?;
    if kind == Kind::Reference {
        return Ok(value);
    }
    Err(vm.box_call(kind, value)?)
}

fn type_mismatch() -> Fault {
    Fault::raise(
        "java/lang/IllegalArgumentException",
        "argument type mismatch",
    )
}

fn get_as(vm: &mut Vm, args: Args, wanted: Kind) -> Result<u64, Fault> {
    let (array, kind) = array_argument(vm, args)?;
    if kind == Kind::Reference {
        return Err(Fault::raise(
            "java/lang/IllegalArgumentException",
            "Argument is not an array of primitive type",
        ));
    }
    let at = element_address(vm, array, vm.arg_int(args, 1), kind)?;
    let value = vm.read_at(at, kind, true)?;
    widened(kind, wanted, value).ok_or_else(type_mismatch)
}

fn set_as(vm: &mut Vm, args: Args, given: Kind) -> Result<u64, Fault> {
    let (array, kind) = array_argument(vm, args)?;
    if kind == Kind::Reference {
        return Err(Fault::raise(
            "java/lang/IllegalArgumentException",
            "Argument is not an array of primitive type",
        ));
    }
    let at = element_address(vm, array, vm.arg_int(args, 1), kind)?;
    let value = widened(given, kind, vm.arg(args, 2)).ok_or_else(type_mismatch)?;
    vm.write_at(at, kind, value, true);
    Ok(0)
}

fn set(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (array, kind) = array_argument(vm, args)?;
    let at = element_address(vm, array, vm.arg_int(args, 1), kind)?;
    let value = vm.arg_ref(args, 2);
    let mismatch = || {
        Fault::raise(
            "java/lang/IllegalArgumentException",
            "array element type mismatch",
        )
    };
    if kind == Kind::Reference {
        let Shape::Array(element) = vm.class(vm.heap.class_of(array)).shape else {
            return Err(mismatch());
        };
        if !value.is_null() && !vm.is_subclass(vm.heap.class_of(value), element) {
            return Err(mismatch());
        }
        vm.heap.store32(at, value.0);
        return Ok(0);
    }
    if value.is_null() {
        return Err(mismatch());
    }
    match vm.read_box(value)? {
        Some((found, slot)) => {
            let slot = widened(found, kind, slot).ok_or_else(mismatch)?;
            vm.write_at(at, kind, slot, true);
            Ok(0)
        }
        None => Err(mismatch()),
    }
}
