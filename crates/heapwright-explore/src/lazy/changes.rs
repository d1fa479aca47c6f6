//! Check that a run leaves the structure unchanged.
//!
//! A cube describes the structure before the run, so writes of the run into it would be lost or
//! make values wrong. A predicate that changes a structure without restoring it is refused at the
//! first structure that shows it.

use heapwright_jvm::machine::{is_symbolic, symbolic_slot};
use heapwright_jvm::{Place, Ref, Vm};
use heapwright_solve::Var;

use super::{EntryMeaning, LazySearch};

impl LazySearch<'_> {
    /// Records the contents of the words that are not chosen.
    pub(super) fn note_fixed(&mut self, vm: &Vm) {
        let words = self.space.fixed_words.iter();
        self.fixed = words.map(|&word| (word, vm.heap.load(word))).collect();
    }

    /// First place of the structure that the run has changed, as text for people.
    pub(super) fn changed_place(&self, vm: &Vm) -> Option<String> {
        let entries = (0_u32..).zip(&self.space.entries);
        let entry = entries
            .filter(|&(number, _)| !self.holds_its_own(vm, number))
            .map(|(_, entry)| place_text(vm, entry.object, entry.place))
            .next();
        entry.or_else(|| {
            let changed = self
                .fixed
                .iter()
                .find(|&&(word, before)| vm.heap.load(word) != before)?;
            Some(self.word_text(vm, changed.0))
        })
    }

    /// Whether an entry's place holds its chosen value, or is still unset.
    fn holds_its_own(&self, vm: &Vm, number: u32) -> bool {
        let entry = &self.space.entries[number as usize];
        if entry.place == Place::Length || vm.is_unset_place(entry.object, entry.place) {
            return true;
        }
        let slot = vm.slot_of_place(entry.object, entry.place);
        if let Some(own) = entry.fixed {
            return slot == own.slot();
        }
        let variable = Var(number);
        match self.meanings[number as usize] {
            EntryMeaning::Chosen => self.chosen[number as usize]
                .is_none_or(|value| slot == self.choices(number)[value as usize].slot),
            _ if is_symbolic(slot) => slot == symbolic_slot(number),
            _ => {
                let fixed = self.machine.store.fixed(variable);
                fixed.is_some_and(|value| slot == self.machine.slot_of(variable, value))
            }
        }
    }

    fn word_text(&self, vm: &Vm, word: u32) -> String {
        let domains = self.space.class_domains.iter();
        let mut objects = domains.flat_map(|domain| &domain.objects);
        let holder = objects.find(|object| {
            let words = vm.class(vm.heap.class_of(**object)).instance_words;
            (object.0..object.0 + words).contains(&word)
        });
        match holder {
            Some(&object) => place_text(vm, object, Place::Field(word - object.0)),
            None => "an object that it refers to".to_owned(),
        }
    }
}

fn place_text(vm: &Vm, object: Ref, place: Place) -> String {
    if object.is_null() {
        return "a static field".to_owned();
    }
    let class = vm.heap.class_of(object);
    let name = vm.binary_name(class);
    let Place::Field(word) = place else {
        return format!("an element of {name}");
    };
    let display = vm.class(class).display.iter();
    let mut fields = display.flat_map(|&class| &vm.class(class).fields);
    match fields.find(|field| !field.is_static() && field.word == word) {
        Some(field) => format!("{name}.{}", vm.text(field.name)),
        None => name,
    }
}
