//! Structures that reports draw.

use heapwright_jvm::{ClassId, Vm};
use heapwright_report::{Class, DrawnStructure, Run, RunPart};
use heapwright_suite::{Structure, svg};

use crate::files::grouped;
use crate::report::output;

/// Maximum number of structures that are drawn.
const MOST: usize = 5_000;

/// Structures that reports draw: the first ones found.
#[derive(Default)]
pub struct Gallery {
    structures: Vec<Structure>,
    /// Number of structures, those that are not drawn included.
    all: u64,
}

impl Gallery {
    /// Adds a structure, unless there are enough.
    pub fn add(&mut self, structure: Structure) {
        self.all += 1;
        if self.structures.len() < MOST {
            self.structures.push(structure);
        }
    }

    /// Adds the drawings to a report about a class.
    pub fn add_to(&self, run: &mut Run, vm: &Vm, class: ClassId) {
        let structures = self.structures.iter().map(|structure| DrawnStructure {
            size: structure.objects.len(),
            text: structure.to_string(),
            svg: svg::draw(structure),
        });
        run.structures = structures.collect();
        let mut part = RunPart::default();
        if self.all > self.structures.len() as u64 {
            part.notes.push(format!(
                "Of {} structures the first {} are drawn.",
                grouped(self.all),
                grouped(MOST)
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
