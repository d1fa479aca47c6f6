//! Arrays: element addresses, allocation, and the type check of stores.

use crate::class::{ClassId, Shape};
use crate::heap::Ref;
use crate::vm::{Fault, Vm};

/// Maximum array length in HotSpot, independent of the heap size.
const MAX_ARRAY_LENGTH: u32 = i32::MAX as u32 - 2;

/// Byte address of an array element after the bounds check.
///
/// The length is chosen first: what an index means depends on it, and an element past the length is
/// not read.
macro_rules! element {
    ($vm:ident, $a:expr, $b:expr, $shift:expr, $use:ident) => {{
        let array = object!($a);
        let index = int!($b);
        if M::CHOOSES && !$vm.heap.array_shadow(array).is_null() {
            if let Some(variable) = $vm.unset_length(array) {
                leave!(Ok(Exit::Choice(variable)));
            }
            if M::TOTAL && $vm.symbolic_length(array).is_some() {
                defer!();
            }
            if (index as u32) < $vm.heap.array_length(array) {
                element!(@$use $vm, array, index);
            }
        }
        let length = $vm.heap.array_length(array);
        if index as u32 >= length {
            raise!(
                "ArrayIndexOutOfBoundsException",
                format!("Index {index} out of bounds for length {length}")
            );
        }
        $vm.heap.elements(array) + (u64::from(index as u32) << $shift)
    }};
    (@load $vm:ident, $array:expr, $index:expr) => {{
        if let Some(variable) = $vm.unset_element($array, $index as u32) {
            leave!(Ok(Exit::Choice(variable)));
        }
        if M::SYMBOLIC && $vm.symbolic_element($array, $index as u32).is_some() {
            defer!();
        }
    }};
    // The element is settled once its type is checked.
    (@look $vm:ident, $array:expr, $index:expr) => {};
    (@store $vm:ident, $array:expr, $index:expr) => {
        $vm.settle_element($array, $index as u32)
    };
}

pub(super) use element;

impl Vm {
    pub(crate) fn check_store(&mut self, array: Ref, value: Ref) -> Result<(), Fault> {
        if value.is_null() {
            return Ok(());
        }
        let class = self.heap.class_of(value);
        let Shape::Array(element) = self.class(self.heap.class_of(array)).shape else {
            return Err(Fault::unsupported("a store into what is no array"));
        };
        if class == element || self.is_subclass(class, element) {
            return Ok(());
        }
        Err(Fault::raise(
            "java/lang/ArrayStoreException",
            self.binary_name(class),
        ))
    }

    /// Allocates an array of `length` elements.
    pub(crate) fn new_array(&mut self, class: ClassId, length: i32) -> Result<Ref, Fault> {
        let length = u32::try_from(length).map_err(|_| {
            Fault::raise("java/lang/NegativeArraySizeException", length.to_string())
        })?;
        if length > MAX_ARRAY_LENGTH && self.config.replaces_launcher {
            return Err(Fault::raise(
                "java/lang/OutOfMemoryError",
                "Requested array size exceeds VM limit",
            ));
        }
        let bytes = self.element_kind(class).element_bytes();
        Ok(self.heap.allocate_array(class, length, bytes, false)?)
    }

    pub(super) fn new_multi_array(&mut self, index: u16, lengths: &[i32]) -> Result<Ref, Fault> {
        let class = self.resolve_class(index)?;
        if let Some(length) = lengths.iter().find(|&&length| length < 0) {
            return Err(Fault::raise(
                "java/lang/NegativeArraySizeException",
                length.to_string(),
            ));
        }
        self.fill_multi_array(class, lengths)
    }

    pub(crate) fn fill_multi_array(
        &mut self,
        class: ClassId,
        lengths: &[i32],
    ) -> Result<Ref, Fault> {
        let array = self.new_array(class, lengths[0])?;
        if lengths.len() > 1 {
            let Shape::Array(element) = self.class(class).shape else {
                return Err(Fault::unsupported(
                    "an array of more dimensions than its class",
                ));
            };
            if !matches!(self.class(element).shape, Shape::Array(_)) {
                return Err(Fault::invalid("an array of more dimensions than its class"));
            }
            for index in 0..lengths[0] as u64 {
                let inner = self.fill_multi_array(element, &lengths[1..])?;
                self.heap
                    .store32(self.heap.elements(array) + 4 * index, inner.0);
            }
        }
        Ok(array)
    }
}
