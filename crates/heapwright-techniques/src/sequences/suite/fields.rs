//! Values of fields, which tests assert if they are public, and those of the receiver on request.

use heapwright_jvm::class::{Field, flags};
use heapwright_jvm::{ClassId, Ref, Vm};
use heapwright_suite::{CallOutcome, FieldAccess, Observation};

use super::statements::field_sig;
use super::writer::ScriptWriter;
use crate::sequences::model::Concrete;

impl ScriptWriter<'_> {
    /// Returns the values of an object's public fields that a test can express. Constants are none.
    pub(super) fn public_fields(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        objects: &[Option<Ref>],
        place: usize,
    ) -> Vec<Observation> {
        let is_public = |field: &Field| field.flags & flags::PUBLIC != 0;
        self.fields(vm, concrete, objects, (place, &is_public))
    }

    /// Returns the values of those of an object's fields that a test can express and are wanted.
    pub(super) fn fields(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        objects: &[Option<Ref>],
        (receiver, is_wanted): (usize, &dyn Fn(&Field) -> bool),
    ) -> Vec<Observation> {
        let Some(object) = objects[receiver].filter(|object| !object.is_null()) else {
            return Vec::new();
        };
        let class = vm.heap.class_of(object);
        let declared = self.declared(vm, concrete, receiver, Some(class));
        let display = vm.class(class).display.clone();
        let fields = display
            .iter()
            .flat_map(|&class| vm.class(class).fields.clone());
        let fields: Vec<Field> = fields.collect();
        let mut seen = Vec::new();
        for field in fields {
            // Source code cannot name a synthetic field.
            let is_hidden = field.flags & flags::SYNTHETIC != 0;
            let is_left_out = field.is_static() || is_hidden || !is_wanted(&field);
            if is_left_out || !vm.is_app_class(field.class) {
                continue;
            }
            let slot = vm.heap.field(object, field.word);
            if let CallOutcome::Returned(value) = self.returned(vm, objects, field.kind, slot) {
                // The declared type of the variable is preferred if it names the same field. The
                // compiler warns about other references to an auxiliary class of another file.
                let means = |named: &ClassId| {
                    let found = vm.find_field(*named, vm.text(field.name));
                    found.is_some_and(|found| found.class == field.class)
                };
                let named = declared.into_iter().chain([class]).find(means);
                let access = FieldAccess {
                    receiver: Some(receiver),
                    class: self.reader.class_sig(vm, named.unwrap_or(field.class)),
                    field: field_sig(vm, &field),
                };
                seen.push(Observation::Field { access, value });
            }
        }
        seen
    }
}
