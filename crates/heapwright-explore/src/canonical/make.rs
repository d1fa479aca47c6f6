//! Construction of heaps from canonical forms.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, Ref, Vm};

use super::layout::{ClassLayout, Representation, SlotEncoding};
use super::{
    ADDRESS_BITS, CanonicalForm, Canonicalizer, KNOWN, NULL, NotMade, OLDER_ADDRESS, OLDER_MIRROR,
    OTHER_BOX, OTHER_NEW, OTHER_TEXT, USUAL,
};
use crate::bits::{BitReader, width_of};

impl Canonicalizer {
    /// Creates the heap of a form, whose root is of class `root`, from new objects.
    ///
    /// # Errors
    /// The heap cannot be created on this machine; the objects created so far must be discarded.
    pub fn make(
        &mut self,
        vm: &mut Vm,
        root: ClassId,
        form: CanonicalForm<'_>,
    ) -> Result<Ref, NotMade> {
        self.order.clear();
        let mut reader = BitReader::new(form.compared);
        let layout = self.layout(vm, root);
        let first = self.allocate(vm, &layout, &mut reader)?;
        let mut next = 0;
        while let Some(&object) = self.order.get(next) {
            next += 1;
            self.take_body(vm, object, &mut reader)?;
        }
        if !form.omitted.is_empty() {
            self.take_omitted(vm, next, form.omitted)?;
        }
        Ok(first)
    }

    fn take_omitted(
        &mut self,
        vm: &mut Vm,
        compared: usize,
        omitted: &[u8],
    ) -> Result<(), NotMade> {
        let mut reader = BitReader::new(omitted);
        let mut next = 0;
        while let Some(&object) = self.order.get(next) {
            if next >= compared {
                self.take_body(vm, object, &mut reader)?;
            }
            let layout = self.layout(vm, vm.heap.class_of(object));
            if let Representation::Object { omitted, .. } = &layout.sort {
                for &(word, code) in omitted {
                    let slot = self.take_slot(vm, code, &mut reader)?;
                    vm.heap.set_field(object, word, slot);
                }
            }
            next += 1;
        }
        Ok(())
    }

    fn allocate(
        &mut self,
        vm: &mut Vm,
        layout: &ClassLayout,
        reader: &mut BitReader<'_>,
    ) -> Result<Ref, NotMade> {
        let made = match &layout.sort {
            Representation::Object { words, .. } => vm.heap.allocate(layout.class, *words, false),
            Representation::Array { kind, .. } => {
                let length = reader.take_int() as u32;
                let bytes = kind.element_bytes();
                vm.heap.allocate_array(layout.class, length, bytes, false)
            }
            Representation::Box { .. } | Representation::Text | Representation::Mirror => {
                return Err(NotMade::Unknown);
            }
        };
        let object = made.map_err(|_| NotMade::HeapFull)?;
        self.order.push(object);
        Ok(object)
    }

    fn take_body(
        &mut self,
        vm: &mut Vm,
        object: Ref,
        reader: &mut BitReader<'_>,
    ) -> Result<(), NotMade> {
        let layout = self.layout(vm, vm.heap.class_of(object));
        match &layout.sort {
            Representation::Object { fields, .. } => {
                for &(word, code) in fields {
                    let slot = self.take_slot(vm, code, reader)?;
                    vm.heap.set_field(object, word, slot);
                }
            }
            Representation::Array { kind, code } => {
                let bytes = u64::from(kind.element_bytes());
                let start = vm.heap.elements(object);
                for index in 0..u64::from(vm.heap.array_length(object)) {
                    let slot = self.take_slot(vm, *code, reader)?;
                    vm.set_array_slot(start + index * bytes, *kind, slot);
                }
            }
            Representation::Box { .. } | Representation::Text | Representation::Mirror => {}
        }
        Ok(())
    }

    fn take_slot(
        &mut self,
        vm: &mut Vm,
        code: SlotEncoding,
        reader: &mut BitReader<'_>,
    ) -> Result<u64, NotMade> {
        let declared = match code {
            SlotEncoding::Primitive(kind) => return Ok(take_primitive(reader, kind)),
            SlotEncoding::Reference(declared) => declared,
        };
        let target = match reader.take(2) {
            NULL => Ref::NULL,
            KNOWN => self.order[reader.take(width_of(self.order.len())) as usize],
            USUAL => match declared {
                Some(number) => self.take_new(vm, number, reader)?,
                None => self.take_box(vm, Kind::Int, reader)?,
            },
            _ => match reader.take(2) {
                OTHER_NEW => {
                    let number = self.numbers.take(reader);
                    self.take_new(vm, number, reader)?
                }
                OTHER_BOX => {
                    let kind = Kind::NEWARRAY[reader.take(3) as usize];
                    self.take_box(vm, kind, reader)?
                }
                OTHER_TEXT => {
                    let length = reader.take_int();
                    let units: Vec<u16> = (0..length).map(|_| reader.take_int() as u16).collect();
                    vm.new_string_utf16(&units).map_err(|_| NotMade::HeapFull)?
                }
                _ => self.take_older(vm, reader)?,
            },
        };
        Ok(target.slot())
    }

    fn take_new(
        &mut self,
        vm: &mut Vm,
        number: u32,
        reader: &mut BitReader<'_>,
    ) -> Result<Ref, NotMade> {
        let layout = self.numbered(vm, number).ok_or(NotMade::Unknown)?;
        self.allocate(vm, &layout, reader)
    }

    fn take_older(&mut self, vm: &mut Vm, reader: &mut BitReader<'_>) -> Result<Ref, NotMade> {
        match reader.take(2) {
            OLDER_ADDRESS => Ok(Ref(reader.take(ADDRESS_BITS))),
            OLDER_MIRROR => {
                let number = self.numbers.take(reader);
                let layout = self.numbered(vm, number).ok_or(NotMade::Unknown)?;
                Ok(vm.class(layout.class).mirror)
            }
            _ => {
                let number = self.numbers.take(reader);
                let known = self.singletons.get(&number);
                known.copied().ok_or(NotMade::Unknown)
            }
        }
    }

    fn take_box(
        &mut self,
        vm: &mut Vm,
        kind: Kind,
        reader: &mut BitReader<'_>,
    ) -> Result<Ref, NotMade> {
        let slot = take_primitive(reader, kind);
        match self.boxes.get(&(kind, slot)) {
            Some(&known) => Ok(known),
            None => vm.boxed(kind, slot).map_err(|_| NotMade::HeapFull),
        }
    }
}

#[inline]
fn take_primitive(reader: &mut BitReader<'_>, kind: Kind) -> u64 {
    match kind {
        Kind::Boolean => u64::from(reader.take(1)),
        Kind::Long => reader.take_long() as u64,
        Kind::Double => {
            let low = u64::from(reader.take(32));
            low | u64::from(reader.take(32)) << 32
        }
        Kind::Float => u64::from(reader.take(32)),
        _ => u64::from(reader.take_int() as u32),
    }
}
