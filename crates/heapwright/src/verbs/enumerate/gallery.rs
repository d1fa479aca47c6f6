//! Structures that reports draw.

use heapwright_jvm::{ClassId, Vm};
use heapwright_report::{Class, DrawnStructure, Run, RunPart};
use heapwright_suite::{Structure, svg};

use crate::files::grouped;
use crate::interrupt::StopSignal;
use crate::report::output;

/// Maximum number of structures that are drawn.
const MOST: usize = 5_000;
/// Maximum number of objects in all structures that are drawn but for the first one.
const MOST_OBJECTS: usize = 100_000;

/// Structures that reports draw: the first ones found.
#[derive(Default)]
pub struct Gallery {
    structures: Vec<Structure>,
    /// Number of objects in these structures.
    objects: usize,
    /// Number of structures, those that are not drawn included.
    all: u64,
}

impl Gallery {
    /// Adds a structure, unless it or one before it is too much.
    pub fn add(&mut self, structure: Structure) {
        let has_all = self.structures.len() as u64 == self.all;
        self.all += 1;
        let objects = self.objects + structure.objects.len();
        let has_room = self.structures.len() < MOST && objects <= MOST_OBJECTS;
        if has_all && (has_room || self.structures.is_empty()) {
            self.objects = objects;
            self.structures.push(structure);
        }
    }

    /// Adds the drawings to a report about a class, at least one, as far as there is time.
    pub fn add_to(&self, run: &mut Run, vm: &Vm, class: ClassId, interrupt: &StopSignal) {
        let in_time =
            |(number, structure)| (number == 0 || !interrupt.is_over()).then_some(structure);
        let structures = self.structures.iter().enumerate().map_while(in_time);
        let structures = structures.map(|structure: &Structure| DrawnStructure {
            size: structure.objects.len(),
            text: structure.to_string(),
            svg: svg::draw(structure),
        });
        run.structures = structures.collect();
        let mut part = RunPart::default();
        let drawn = run.structures.len();
        if self.all > drawn as u64 {
            let reason = match drawn < self.structures.len() {
                true => ": there was no time for more",
                false => "",
            };
            part.notes.push(format!(
                "Of {} structures the first {} are drawn{reason}.",
                grouped(self.all),
                grouped(drawn as u64)
            ));
        }
        let name = vm.binary_name(class);
        let source_file = output::source_file(vm, class);
        let file = output::file_of(&mut part, &name, source_file.as_deref());
        part.classes.push(Class {
            name,
            file,
            methods: Vec::new(),
            goals: Vec::new(),
            mutants: Vec::new(),
            notes: Vec::new(),
        });
        run.add(part);
    }
}
