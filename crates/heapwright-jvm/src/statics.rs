//! Static state of the program that other calls may have changed before a method runs.
//!
//! A static field is *open* if code can assign it, or change an object that hangs from it. Objects
//! of a program's static state are reached by such a field, or are constants of an enum that an
//! input names. Invariant: a run of a method that has read no open field is the same whatever other
//! calls have left, and a run that has read one has noted it.

mod uses;

pub(crate) use uses::StaticUse;

use rustc_hash::FxHashSet;

use crate::chances::Chance;
use crate::class::{ClassId, Field, Loader, Shape, flags, init};
use crate::descriptor::{Kind, is_value_class};
use crate::heap::Ref;
use crate::machine::is_symbolic;
use crate::vm::Vm;

/// Most objects that are looked at below a static field.
const MOST_OBJECTS: usize = 4_000;

/// Classes and packages of the library whose objects nothing changes but for caches.
const IMMUTABLE: [&str; 19] = [
    "java/lang/Class",
    "java/lang/StackTraceElement",
    "java/lang/invoke/DirectMethodHandle",
    "java/lang/invoke/MethodHandles$Lookup",
    "java/lang/invoke/MethodType",
    "java/lang/invoke/VarHandle",
    "java/lang/reflect/AccessibleObject",
    "java/math/",
    "java/net/URI",
    "java/nio/charset/Charset",
    "java/nio/file/attribute/",
    "java/security/Permission",
    "java/time/",
    "java/util/Locale",
    "java/util/UUID",
    "java/util/logging/Logger",
    "java/util/logging/Level",
    "java/util/regex/Pattern",
    "jdk/internal/reflect/",
];

/// Classes of the library of which only what they refer to can change.
const CONTAINERS: [&str; 4] = [
    "java/util/Collections$Empty",
    "java/util/Collections$Singleton",
    "java/util/ImmutableCollections$",
    "java/util/KeyValueHolder",
];

/// Classes of the library whose objects have state that is kept elsewhere.
const HELD_ELSEWHERE: [&str; 3] = [
    "java/lang/ThreadLocal",
    "java/lang/ClassValue",
    "java/lang/ScopedValue",
];

/// What is known of a static field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenStatic {
    is_open: bool,
    /// Value for which it is known, and the number of times that the machine had gone back; `None`
    /// if the field's class was initialised before all paths.
    until: Option<(u64, u64)>,
}

/// Superclasses whose own fields nothing changes.
const PLAIN: [&str; 3] = ["java/lang/Object", "java/lang/Enum", "java/lang/Record"];

/// Static fields of the library that differ between machines.
const OF_MACHINE: [&str; 4] = [
    "separator",
    "separatorChar",
    "pathSeparator",
    "pathSeparatorChar",
];

impl Vm {
    /// Notes that a static field is about to be read, whose class is initialised or runs its
    /// initialiser. Returns whether each read is to be noted.
    pub(crate) fn note_static(&mut self, class: ClassId, at: u32) -> bool {
        if self.class(class).loader == Loader::Boot {
            return self.note_library_static(class, at);
        }
        if self.is_fresh || self.config.replaces_launcher {
            return false;
        }
        // An initialiser sets the fields of its class, whatever they were.
        if self.heap.load(self.class(class).statics) == init::RUNNING {
            return true;
        }
        let is_lasting = self.is_initialized_for_good(class);
        let at_most = (!is_lasting).then_some((self.heap.load(at), self.undone));
        let known = self.open_statics.get(&at);
        let is_open = match known.filter(|known| known.until == at_most) {
            Some(known) => known.is_open,
            None => {
                self.learn_uses(class, at);
                let is_open = self.is_open_static(class, at);
                let until = at_most;
                self.open_statics.insert(at, OpenStatic { is_open, until });
                if is_open && let Some(name) = self.static_name(class, at) {
                    self.config.seen.add_static_field(name);
                }
                is_open
            }
        };
        if is_open {
            self.read_open_static();
        }
        let is_initial =
            is_lasting && !self.initial_reads.are_none() && self.is_declared(class, at);
        if is_initial {
            self.note_initial_reads();
        }
        is_open || !is_lasting || is_initial
    }

    /// Notes a read of static state that other code can change.
    pub(crate) fn read_open_static(&mut self) {
        self.open_static_reads += 1;
        if !self.state.has_read_statics {
            self.state.has_read_statics = true;
            self.note_position(None);
        }
    }

    /// Notes that the initialiser of a class fails or has failed. Only its first use throws its
    /// exception, which may be one by other calls.
    pub(crate) fn note_failed_initializer(&mut self, class: ClassId) {
        let is_first = self.is_fresh || self.config.replaces_launcher;
        if self.class(class).loader == Loader::App && !is_first {
            let name = format!("{}.<clinit>", self.binary_name(class));
            self.config.seen.add_static_field(name);
            self.read_open_static();
        }
    }

    /// Notes that an input is an object which existed before: a constant of an enum, to whose fields
    /// other code may have written.
    pub fn note_known_object(&mut self, object: Ref) {
        if self.is_fresh || self.is_constant(object) {
            return;
        }
        let class = self.heap.class_of(object);
        let display = self.class(class).display.clone();
        let holder = display.iter().rev().find_map(|&class| {
            let fields = &self.class(class).fields;
            let mut statics = fields.iter().filter(|field| field.is_static());
            let field = statics.find(|field| self.heap.load(field.word) == object.slot())?;
            Some((class, field.word))
        });
        if let Some(name) = holder.and_then(|(class, at)| self.static_name(class, at)) {
            self.config.seen.add_static_field(name);
        }
        self.read_open_static();
    }

    /// Notes a read of an arena word whose base is an object, if it is a static field: the base of
    /// these is their class's mirror.
    pub(crate) fn note_static_at(&mut self, base: Ref, at: u32) {
        if !base.is_null() && self.heap.class_of(base) == self.known().class {
            let class = self.class_of_mirror(base);
            self.note_static_word(class, at);
        }
    }

    /// Notes a read of an arena word by reflection or a handle, if it is a static field of a class.
    pub(crate) fn note_static_word(&mut self, class: ClassId, at: u32) {
        let fields = &self.class(class).fields;
        if fields
            .iter()
            .any(|field| field.is_static() && field.word == at)
        {
            self.note_static(class, at);
        }
    }

    /// Notes a read of a static field of the library, if it differs between machines.
    fn note_library_static(&mut self, class: ClassId, at: u32) -> bool {
        if self.class_name(class) != "java/io/File" {
            return false;
        }
        let field = self.static_field(class, at);
        let is_of_machine = field.is_some_and(|field| OF_MACHINE.contains(&self.text(field.name)));
        let reader = self.frames().last().copied();
        if is_of_machine && reader.is_none_or(|reader| !self.is_of_library(reader.method)) {
            self.note_chance(Chance::Properties);
        }
        is_of_machine
    }

    /// Whether a static field is one of the source, not of the compiler.
    fn is_declared(&self, class: ClassId, at: u32) -> bool {
        let field = self.static_field(class, at);
        field.is_none_or(|field| field.flags & flags::SYNTHETIC == 0)
    }

    fn static_field(&self, class: ClassId, at: u32) -> Option<&Field> {
        let mut fields = self.class(class).fields.iter();
        fields.find(|field| field.is_static() && field.word == at)
    }

    fn static_name(&self, class: ClassId, at: u32) -> Option<String> {
        let field = self.static_field(class, at)?;
        let (class, name) = (self.binary_name(class), self.text(field.name));
        Some(format!("{class}.{name}"))
    }

    /// Whether code can change a static field, or what hangs from it.
    fn is_open_static(&self, class: ClassId, at: u32) -> bool {
        // What the host program has embedded is no code under test.
        if self.is_embedded(self.class_name(class)) {
            return false;
        }
        let Some(field) = self.static_field(class, at) else {
            return true;
        };
        // `$VALUES`, `$SwitchMap$` and the like: the compiler's code only reads them.
        if field.flags & flags::SYNTHETIC != 0 && field.flags & flags::FINAL != 0 {
            return false;
        }
        if field.flags & flags::FINAL == 0 && self.use_of(field).is_assigned {
            return true;
        }
        if field.kind != Kind::Reference {
            return false;
        }
        let slot = self.heap.load(at);
        if is_symbolic(slot) {
            return true;
        }
        let object = Ref::from_slot(slot);
        if self.is_constant(object) {
            return false;
        }
        let is_array = |object: Ref| {
            matches!(
                self.class(self.heap.class_of(object)).shape,
                Shape::Array(_)
            )
        };
        !(is_array(object)
            && self.is_constant_below(object)
            && self.use_of(field).only_reads_elements)
    }

    /// Whether nothing can change an object and all it refers to.
    fn is_constant(&self, object: Ref) -> bool {
        let mut below = Below::default();
        below.add(object);
        self.are_constant(below)
    }

    /// Whether nothing can change what the elements of an array refer to; elements that are arrays
    /// count as parts of it.
    fn is_constant_below(&self, array: Ref) -> bool {
        let mut below = Below::default();
        let mut arrays = vec![array];
        while let Some(array) = arrays.pop() {
            let class = self.heap.class_of(array);
            if self.element_kind(class) != Kind::Reference {
                continue;
            }
            if !self.heap.array_shadow(array).is_null() {
                return false;
            }
            for element in self.object_elements(array) {
                if element.is_null() {
                    continue;
                }
                match self.class(self.heap.class_of(element)).shape {
                    Shape::Array(_) => arrays.push(element),
                    _ => below.add(element),
                }
            }
            if below.open.len() + arrays.len() > MOST_OBJECTS {
                return false;
            }
        }
        self.are_constant(below)
    }

    fn are_constant(&self, mut below: Below) -> bool {
        while let Some(object) = below.open.pop() {
            if below.seen.len() > MOST_OBJECTS || !self.adds_parts(object, &mut below) {
                return false;
            }
        }
        true
    }

    /// Adds what an object refers to; returns whether nothing can change the object itself.
    fn adds_parts(&self, object: Ref, below: &mut Below) -> bool {
        let class = self.heap.class_of(object);
        let this = self.class(class);
        if let Shape::Array(_) = this.shape {
            return self.heap.array_shadow(object).is_null() && self.heap.array_length(object) == 0;
        }
        let display = &this.display;
        let names = || display.iter().map(|&class| self.class_name(class));
        if names().any(|name| HELD_ELSEWHERE.contains(&name)) {
            return false;
        }
        if is_value_class(self.class_name(class)) || names().any(is_immutable) {
            return true;
        }
        // An iterator has a place.
        let is_iterator = |name: &str| name.ends_with("Itr") || name.ends_with("Iterator");
        let is_container = names().any(|name| {
            CONTAINERS.iter().any(|prefix| name.starts_with(prefix)) && !is_iterator(name)
        });
        let is_generated = this.file.is_none();
        for &class in display {
            if PLAIN.contains(&self.class_name(class)) {
                continue;
            }
            for field in &self.class(class).fields {
                if field.is_static() {
                    continue;
                }
                if field.flags & flags::FINAL == 0 && !is_container && !is_generated {
                    return false;
                }
                if field.kind != Kind::Reference {
                    continue;
                }
                let slot = self.heap.field(object, field.word);
                if is_symbolic(slot) {
                    return false;
                }
                let held = Ref::from_slot(slot);
                if held.is_null() {
                    continue;
                }
                // An array of the container's own, not one that it contains.
                let is_own_array = is_container && self.text(field.descriptor).starts_with('[');
                if !is_own_array {
                    below.add(held);
                    continue;
                }
                for element in self.object_elements(held) {
                    if !element.is_null() {
                        below.add(element);
                    }
                }
            }
        }
        true
    }
}

fn is_immutable(class: &str) -> bool {
    IMMUTABLE.iter().any(|&known| match known.ends_with('/') {
        true => class.starts_with(known),
        false => class == known,
    })
}

/// Objects that are looked at.
#[derive(Default)]
struct Below {
    open: Vec<Ref>,
    seen: FxHashSet<Ref>,
}

impl Below {
    fn add(&mut self, object: Ref) {
        if !object.is_null() && self.seen.insert(object) {
            self.open.push(object);
        }
    }
}
