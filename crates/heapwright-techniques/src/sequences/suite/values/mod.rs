//! Values of objects as a test writes them: contents of collections, records, numbers, dates.
//!
//! Invariant: the assertion that compares such a value with the object holds on the engine. Code
//! of the class path that takes part in it ran there. The order of elements is part of a value only
//! where the object's type has an order.

mod rebuilt;

use heapwright_jvm::class::Shape;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Choosing, ClassId, Exit, MethodId, Ref, Vm};
use heapwright_suite::{ContentsKind, Literal, Value as Written};

use super::writer::ScriptWriter;
use crate::functional::is_stub;
use crate::observe::text_or_box;
use crate::read::value;

/// Maximum number of elements of a collection or an array that a test writes.
const MAX_ELEMENTS: usize = 8;
/// Maximum number of primitives, strings and constants of a value.
const MAX_LEAVES: usize = 16;
/// Maximum length of a string within a value, in UTF-16 units.
pub(super) const MAX_TEXT: usize = 80;
/// Maximum number of values around a value.
const MAX_DEPTH: usize = 3;

/// Reads a value.
struct ValueReader<'r, 'w> {
    writer: &'r mut ScriptWriter<'w>,
    /// Number of primitives, strings and constants that may follow.
    leaves: usize,
}

impl ScriptWriter<'_> {
    /// Returns a value that is equal to an object; `None` if a test cannot write one. Code of the
    /// object may run; callers restore the machine's state.
    pub(super) fn value_of(&mut self, vm: &mut Vm, object: Ref) -> Option<Literal> {
        let visits = vm.visits().len();
        let mut reader = ValueReader {
            writer: self,
            leaves: MAX_LEAVES,
        };
        let value = match vm.class(vm.heap.class_of(object)).shape {
            Shape::Array(_) => reader.array(vm, object, 0),
            _ => reader.value(vm, object, 0),
        };
        vm.limit_steps(u64::MAX);
        self.note_visits(vm, visits);
        value
    }

    /// Runs a method to its end; returns its result, or `None` if it does not return.
    pub(super) fn run_to_end(&self, vm: &mut Vm, method: MethodId, slots: &[u64]) -> Option<u64> {
        let class = vm.method(method).class;
        if vm.method(method).is_static() {
            vm.initialize_now(class).ok()?;
        }
        let (begun, limit) = (vm.steps(), self.step_limit.min(self.pace.limit()));
        vm.limit_steps(limit);
        let exit = match vm.call(method, slots) {
            Ok(()) => vm.run(&mut Choosing),
            Err(exit) => exit,
        };
        vm.limit_steps(u64::MAX);
        self.pace.note(vm.steps() - begun, limit);
        match exit {
            Exit::Done(slot) => Some(slot),
            _ => {
                vm.abandon();
                None
            }
        }
    }

    /// Calls a method of a class or interface on an object; `None` if it does not return.
    pub(super) fn ask(
        &self,
        vm: &mut Vm,
        object: Ref,
        (class, name, descriptor): (&str, &str, &str),
        arguments: &[u64],
    ) -> Option<u64> {
        let class = vm.load_class(class).ok()?;
        let method = vm.declared_method(class, name, descriptor)?;
        let method = vm.select(vm.heap.class_of(object), method)?;
        let slots: Vec<u64> = std::iter::once(object.slot())
            .chain(arguments.iter().copied())
            .collect();
        self.run_to_end(vm, method, &slots)
    }

    /// Whether the class of an object is, or inherits from, a named one.
    pub(super) fn is_a(vm: &mut Vm, object: Ref, class: &str) -> bool {
        let own = vm.heap.class_of(object);
        let above = vm.load_class(class);
        above.is_ok_and(|above| vm.is_subclass(own, above))
    }
}

impl ValueReader<'_, '_> {
    fn value(&mut self, vm: &mut Vm, object: Ref, depth: usize) -> Option<Literal> {
        if let Some(leaf) = self.leaf(vm, object) {
            let is_short = match &leaf {
                Literal::String(text) => text.encode_utf16().count() <= MAX_TEXT,
                _ => true,
            };
            self.leaves = self.leaves.checked_sub(1)?;
            return is_short.then_some(leaf);
        }
        // A stub answers by its script, which a look at it would advance.
        if depth == MAX_DEPTH || is_stub(vm, vm.heap.class_of(object)) {
            return None;
        }
        if let Some(contents) = self.optional(vm, object, depth) {
            return Some(contents);
        }
        let is_a = |vm: &mut Vm, class: &str| ScriptWriter::is_a(vm, object, class);
        if is_a(vm, "java/util/List") {
            return self.list(vm, object, depth);
        }
        if is_a(vm, "java/util/Set") {
            return self.set(vm, object, depth);
        }
        if is_a(vm, "java/util/Map") {
            return self.map(vm, object, depth);
        }
        if is_a(vm, "java/util/Map$Entry") {
            return self.entry(vm, object, depth);
        }
        self.rebuilt(vm, object, depth)
    }

    /// Returns null, a string, a box, an enum constant or a class as a literal.
    fn leaf(&mut self, vm: &mut Vm, object: Ref) -> Option<Literal> {
        if object.is_null() {
            return Some(Literal::Value(Written::Null));
        }
        if let Some(literal) = text_or_box(vm, object) {
            return Some(literal);
        }
        if let Some((class, name)) = self.writer.reader.constant(vm, object) {
            return Some(Literal::EnumConstant { class, name });
        }
        let mirrored = vm.mirrored(object)?;
        let class = self.writer.reader.class_sig(vm, mirrored);
        let is_plain = vm.class(mirrored).shape == Shape::Instance && class.source_name.is_some();
        is_plain.then_some(Literal::Class(class))
    }

    /// Returns an array; the elements of an array are compared one by one.
    fn array(&mut self, vm: &mut Vm, array: Ref, depth: usize) -> Option<Literal> {
        let class = vm.heap.class_of(array);
        // Frames of the test and of JUnit are part of a stack trace on a JVM.
        if vm.class_name(class) == "[Ljava/lang/StackTraceElement;" {
            return None;
        }
        let kind = vm.array_element_kind(class);
        let slots = elements(
            vm,
            array,
            if kind == Kind::Reference {
                MAX_ELEMENTS
            } else {
                MAX_LEAVES
            },
        )?;
        let mut literals = Vec::new();
        for slot in slots {
            if kind != Kind::Reference {
                self.leaves = self.leaves.checked_sub(1)?;
                literals.push(Literal::Value(value(kind, slot, |_| Written::Null)));
                continue;
            }
            let element = Ref::from_slot(slot);
            let is_array = !element.is_null()
                && matches!(vm.class(vm.heap.class_of(element)).shape, Shape::Array(_));
            literals.push(match is_array {
                true if depth == MAX_DEPTH => return None,
                true => self.array(vm, element, depth + 1)?,
                false => self.value(vm, element, depth + 1)?,
            });
        }
        Some(Literal::Array {
            class: self.array_class(vm, class),
            elements: literals,
        })
    }

    /// Returns the class of the expected array: that of the array if all its elements' literals fit
    /// there, else `Object[]`.
    fn array_class(&mut self, vm: &mut Vm, class: ClassId) -> String {
        let name = vm.binary_name(class);
        let element = name.trim_start_matches('[');
        let is_plain = element.len() == 1 || element == "Ljava.lang.String;";
        match is_plain {
            true => name,
            false => "[Ljava.lang.Object;".to_owned(),
        }
    }

    /// Returns an `Optional` of any kind.
    fn optional(&mut self, vm: &mut Vm, object: Ref, depth: usize) -> Option<Literal> {
        let (kind, method, result) = match vm.class_name(vm.heap.class_of(object)) {
            "java/util/Optional" => {
                let of = (
                    "java/util/Optional",
                    "orElse",
                    "(Ljava/lang/Object;)Ljava/lang/Object;",
                );
                let held = Ref::from_slot(self.writer.ask(vm, object, of, &[0])?);
                let elements = match held.is_null() {
                    true => Vec::new(),
                    false => vec![self.value(vm, held, depth + 1)?],
                };
                return Some(Literal::Contents {
                    kind: ContentsKind::Optional,
                    elements,
                });
            }
            "java/util/OptionalInt" => (ContentsKind::OptionalInt, "getAsInt", Kind::Int),
            "java/util/OptionalLong" => (ContentsKind::OptionalLong, "getAsLong", Kind::Long),
            "java/util/OptionalDouble" => {
                (ContentsKind::OptionalDouble, "getAsDouble", Kind::Double)
            }
            _ => return None,
        };
        let class = kind.class().replace('.', "/");
        let is_present = self
            .writer
            .ask(vm, object, (&class, "isPresent", "()Z"), &[])?
            & 1
            != 0;
        let mut elements = Vec::new();
        if is_present {
            let descriptor = format!("(){}", result.descriptor());
            let slot = self
                .writer
                .ask(vm, object, (&class, method, &descriptor), &[])?;
            elements.push(Literal::Value(value(result, slot, |_| Written::Null)));
        }
        Some(Literal::Contents { kind, elements })
    }

    fn list(&mut self, vm: &mut Vm, list: Ref, depth: usize) -> Option<Literal> {
        let array = self.array_of(vm, list)?;
        let copied = (
            "java/util/Arrays",
            "asList",
            "([Ljava/lang/Object;)Ljava/util/List;",
        );
        self.equals_copy(vm, list, copied, array)?;
        Some(Literal::Contents {
            kind: ContentsKind::List,
            elements: self.all(vm, array, depth)?,
        })
    }

    /// Whether a collection of the program or of one of its libraries and a copy of the JDK's, which a static
    /// method makes of `of`, are equal each to the other: it may iterate over something else, and its
    /// `equals` may ask for its own class.
    fn equals_copy(
        &mut self,
        vm: &mut Vm,
        collection: Ref,
        (class, name, types): (&str, &str, &str),
        of: Ref,
    ) -> Option<()> {
        if !vm.is_app_class(vm.heap.class_of(collection)) {
            return Some(());
        }
        let class = vm.load_class(class).ok()?;
        let copied = vm.declared_method(class, name, types)?;
        let copy = Ref::from_slot(self.writer.run_to_end(vm, copied, &[of.slot()])?);
        self.equals(vm, copy, collection)?;
        self.equals(vm, collection, copy)
    }

    fn set(&mut self, vm: &mut Vm, set: Ref, depth: usize) -> Option<Literal> {
        let array = self.array_of(vm, set)?;
        let copied = (
            "java/util/Set",
            "copyOf",
            "(Ljava/util/Collection;)Ljava/util/Set;",
        );
        self.equals_copy(vm, set, copied, set)?;
        let mut elements = self.all(vm, array, depth)?;
        if !is_ordered(vm, set) {
            elements.sort_by_cached_key(sort_key);
        }
        has_distinct_keys(&elements).then_some(Literal::Contents {
            kind: ContentsKind::Set,
            elements,
        })
    }

    fn map(&mut self, vm: &mut Vm, map: Ref, depth: usize) -> Option<Literal> {
        if is_ordered_by_access(vm, map) {
            return None;
        }
        let copied = (
            "java/util/Map",
            "copyOf",
            "(Ljava/util/Map;)Ljava/util/Map;",
        );
        self.equals_copy(vm, map, copied, map)?;
        let entries = ("java/util/Map", "entrySet", "()Ljava/util/Set;");
        let entries = Ref::from_slot(self.writer.ask(vm, map, entries, &[])?);
        let array = self.array_of(vm, entries)?;
        let get = (
            "java/util/Map",
            "get",
            "(Ljava/lang/Object;)Ljava/lang/Object;",
        );
        let mut pairs = Vec::new();
        for entry in elements(vm, array, MAX_ELEMENTS)? {
            let [key, held] = self.parts(vm, Ref::from_slot(entry))?;
            // A comparator may know keys that `equals` does not know.
            if self.writer.ask(vm, map, get, &[key.slot()])? != held.slot() {
                return None;
            }
            pairs.push((
                self.value(vm, key, depth + 1)?,
                self.value(vm, held, depth + 1)?,
            ));
        }
        if !is_ordered(vm, map) {
            pairs.sort_by_cached_key(|(key, _)| sort_key(key));
        }
        let keys: Vec<Literal> = pairs.iter().map(|(key, _)| key.clone()).collect();
        let has_null = pairs.iter().any(|(_, held)| is_null(held));
        let elements = pairs.into_iter().flat_map(|(key, held)| [key, held]);
        (has_distinct_keys(&keys) && !has_null).then(|| Literal::Contents {
            kind: ContentsKind::Map,
            elements: elements.collect(),
        })
    }

    fn entry(&mut self, vm: &mut Vm, entry: Ref, depth: usize) -> Option<Literal> {
        let [key, held] = self.parts(vm, entry)?;
        let elements = vec![
            self.value(vm, key, depth + 1)?,
            self.value(vm, held, depth + 1)?,
        ];
        // The entry of a program may have no `equals` of its own: the expected one asks it.
        (!elements.iter().any(is_null)).then_some(Literal::Contents {
            kind: ContentsKind::Entry,
            elements,
        })
    }

    /// Returns the key and the value of a map's entry.
    fn parts(&mut self, vm: &mut Vm, entry: Ref) -> Option<[Ref; 2]> {
        let mut part = |name: &str| {
            let of = ("java/util/Map$Entry", name, "()Ljava/lang/Object;");
            self.writer.ask(vm, entry, of, &[]).map(Ref::from_slot)
        };
        Some([part("getKey")?, part("getValue")?])
    }

    /// Returns a new array with the elements of a collection.
    fn array_of(&mut self, vm: &mut Vm, collection: Ref) -> Option<Ref> {
        let size = ("java/util/Collection", "size", "()I");
        let size = self.writer.ask(vm, collection, size, &[])? as u32;
        if size as usize > MAX_ELEMENTS {
            return None;
        }
        let of = ("java/util/Collection", "toArray", "()[Ljava/lang/Object;");
        let mark = vm.mark();
        let array = self.writer.ask(vm, collection, of, &[]);
        // Later assertions would see what a program's collection changes.
        let has_effects =
            vm.is_app_class(vm.heap.class_of(collection)) && vm.has_effects_since(mark);
        vm.forget(mark);
        let array = Ref::from_slot(array.filter(|_| !has_effects)?);
        (!array.is_null() && vm.heap.array_length(array) == size).then_some(array)
    }

    fn all(&mut self, vm: &mut Vm, array: Ref, depth: usize) -> Option<Vec<Literal>> {
        let mut literals = Vec::new();
        for slot in elements(vm, array, MAX_ELEMENTS)? {
            literals.push(self.value(vm, Ref::from_slot(slot), depth + 1)?);
        }
        Some(literals)
    }

    /// Succeeds if `expected.equals(actual)`.
    fn equals(&self, vm: &mut Vm, expected: Ref, actual: Ref) -> Option<()> {
        let equals = ("java/lang/Object", "equals", "(Ljava/lang/Object;)Z");
        let is_equal = self.writer.ask(vm, expected, equals, &[actual.slot()])?;
        (is_equal & 1 != 0).then_some(())
    }
}

/// Returns the slots of an array's elements; `None` if there are more than `max`.
fn elements(vm: &Vm, array: Ref, max: usize) -> Option<Vec<u64>> {
    let kind = vm.array_element_kind(vm.heap.class_of(array));
    let (start, bytes) = (vm.heap.elements(array), u64::from(kind.element_bytes()));
    let count = vm.heap.array_length(array);
    let slots = (0..u64::from(count)).map(|index| vm.array_slot(start + index * bytes, kind));
    (count as usize <= max).then(|| slots.collect())
}

/// Whether the elements of a collection, or the keys of a map, have an order by its type.
pub(super) fn is_ordered(vm: &mut Vm, object: Ref) -> bool {
    const ORDERED: [&str; 7] = [
        "java/util/List",
        "java/util/Queue",
        "java/util/SortedSet",
        "java/util/SortedMap",
        "java/util/LinkedHashSet",
        "java/util/LinkedHashMap",
        "java/util/EnumSet",
    ];
    let name = vm.class_name(vm.heap.class_of(object));
    let is_view =
        name.starts_with("java/util/TreeMap$") || name.starts_with("java/util/LinkedHashMap$");
    is_view
        || ORDERED
            .iter()
            .any(|class| ScriptWriter::is_a(vm, object, class))
}

/// Whether a look at a map's values changes the order of its entries.
fn is_ordered_by_access(vm: &mut Vm, map: Ref) -> bool {
    let Ok(class) = vm.load_class("java/util/LinkedHashMap") else {
        return false;
    };
    let is_linked = vm.is_subclass(vm.heap.class_of(map), class);
    let order = vm.find_field(class, "accessOrder").map(|field| field.word);
    is_linked && order.is_some_and(|word| vm.heap.field(map, word) & 1 != 0)
}

/// Key that orders elements without an order: numbers by value, then others by their source.
fn sort_key(literal: &Literal) -> (Option<i64>, String) {
    let number = match literal {
        Literal::Boxed(Written::Int(number)) => Some(i64::from(*number)),
        Literal::Boxed(Written::Long(number)) => Some(*number),
        _ => None,
    };
    (number, format!("{literal:?}"))
}

/// Whether keys are distinct and none is null, as `Set.of` and `Map.of` require.
fn has_distinct_keys(keys: &[Literal]) -> bool {
    let mut known: Vec<String> = keys.iter().map(|key| format!("{key:?}")).collect();
    known.sort();
    known.dedup();
    known.len() == keys.len() && !keys.iter().any(is_null)
}

fn is_null(literal: &Literal) -> bool {
    *literal == Literal::Value(Written::Null)
}
