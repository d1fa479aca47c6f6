//! Accessors of objects of the library that tests cannot write as values.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use heapwright_suite::{Input as Argument, Literal, Observation, Step, Value as Written};

use super::candidates::Subject;
use super::observers::ObservedObject;
use super::values::is_ordered;
use super::writer::ScriptWriter;
use crate::functional::is_stub;
use crate::read::value;
use crate::target::methods;

/// An accessor without parameters.
struct Accessor {
    /// Class or interface, by its internal name.
    class: &'static str,
    name: &'static str,
    descriptor: &'static str,
    /// Whether its result depends on the order of elements.
    is_ordered: bool,
    /// Whether it takes elements away.
    consumes: bool,
    /// Whether it is asked only if no accessor before it told anything.
    is_spare: bool,
    /// Whether it gives an object that it was given, of which further accessors tell.
    is_held: bool,
}

const fn accessor(class: &'static str, name: &'static str, descriptor: &'static str) -> Accessor {
    Accessor {
        class,
        name,
        descriptor,
        is_ordered: false,
        consumes: false,
        is_spare: false,
        is_held: false,
    }
}

const TEXT: &str = "()Ljava/lang/String;";
const OBJECT: &str = "()Ljava/lang/Object;";
const OBJECTS: &str = "()[Ljava/lang/Object;";

/// Accessors, the strongest of each class first.
static ACCESSORS: [Accessor; 24] = [
    Accessor {
        is_ordered: true,
        ..accessor("java/util/Collection", "toArray", OBJECTS)
    },
    spare("java/util/Collection", "size", "()I"),
    accessor("java/util/Map", "size", "()I"),
    accessor("java/util/concurrent/atomic/AtomicInteger", "get", "()I"),
    accessor("java/util/concurrent/atomic/AtomicLong", "get", "()J"),
    accessor("java/util/concurrent/atomic/AtomicBoolean", "get", "()Z"),
    holding("java/util/concurrent/atomic/AtomicReference"),
    holding("java/util/Optional"),
    spare("java/util/Optional", "isPresent", "()Z"),
    accessor("java/util/Iterator", "hasNext", "()Z"),
    consuming("java/util/Iterator", "next", OBJECT),
    accessor("java/util/Enumeration", "hasMoreElements", "()Z"),
    consuming("java/util/Enumeration", "nextElement", OBJECT),
    consuming("java/util/stream/Stream", "toArray", OBJECTS),
    consuming("java/util/stream/IntStream", "toArray", "()[I"),
    consuming("java/util/stream/LongStream", "toArray", "()[J"),
    consuming("java/util/stream/DoubleStream", "toArray", "()[D"),
    accessor("java/util/concurrent/Future", "isDone", "()Z"),
    accessor("java/util/regex/Pattern", "pattern", TEXT),
    accessor("java/lang/CharSequence", "toString", TEXT),
    accessor("java/util/BitSet", "toString", TEXT),
    accessor("java/util/StringJoiner", "toString", TEXT),
    accessor("java/io/StringWriter", "toString", TEXT),
    accessor("java/io/ByteArrayOutputStream", "toString", TEXT),
];

const fn consuming(class: &'static str, name: &'static str, descriptor: &'static str) -> Accessor {
    Accessor {
        consumes: true,
        ..accessor(class, name, descriptor)
    }
}

const fn spare(class: &'static str, name: &'static str, descriptor: &'static str) -> Accessor {
    Accessor {
        is_spare: true,
        ..accessor(class, name, descriptor)
    }
}

/// Returns the accessor of a class whose objects hold one.
const fn holding(class: &'static str) -> Accessor {
    Accessor {
        is_held: true,
        ..accessor(class, "get", OBJECT)
    }
}

/// Result of an accessor, or of the last of several calls, each on the result of the one before.
type Told = (Vec<Step>, Literal, Subject);

impl ScriptWriter<'_> {
    /// Returns observations of an object of the library, of which a test has a variable.
    pub(super) fn of_library(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        observed: ObservedObject,
    ) -> Vec<(Subject, Observation)> {
        let told = self.calls_of_library(vm, objects, observed, false);
        let seen = told.into_iter().filter_map(|(mut steps, value, subject)| {
            let then = steps.split_off(1);
            let call = Step {
                receiver: Some(observed.place),
                ..steps.pop()?
            };
            Some((subject, Observation::Call { call, then, value }))
        });
        seen.collect()
    }

    /// Returns results of the usual accessors of an object of the library, and of those of what it
    /// holds. Those that take elements away are included where a new object `is_fresh`, and count as
    /// consuming where not.
    pub(super) fn calls_of_library(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        observed: ObservedObject,
        is_fresh: bool,
    ) -> Vec<Told> {
        let mut seen: Vec<Told> = Vec::new();
        for accessor in &ACCESSORS {
            let Ok(class) = vm.load_class(accessor.class) else {
                continue;
            };
            if !vm.is_subclass(observed.class, class)
                || accessor.is_ordered && (self.asks_parts || !is_ordered(vm, observed.object))
                || accessor.is_spare && !seen.is_empty() && !self.asks_parts
            {
                continue;
            }
            let Some(method) = named(vm, observed.class, accessor.name, accessor.descriptor) else {
                continue;
            };
            if accessor.is_held {
                let asked = (method, Vec::new());
                seen.extend(self.of_held(vm, objects, (observed, is_fresh), asked));
                continue;
            }
            let Some(selected) = vm.select(vm.heap.class_of(observed.object), method) else {
                continue;
            };
            let kind = vm.method(method).result;
            let slots = [observed.object.slot()];
            let asked = (selected, &slots[..], accessor.consumes);
            let found = self.looked(vm, asked, |writer, vm, slot| match kind {
                Kind::Reference => {
                    let object = Ref::from_slot(slot);
                    vm.with_mark(|vm| writer.value_of(vm, object))
                }
                kind => Some(Literal::Value(value(kind, slot, |_| Written::Null))),
            });
            if let Some(value) = found {
                let subject = match accessor.consumes && !is_fresh {
                    true => Subject::Consumed,
                    false => Subject::Result,
                };
                let step = self.step(vm, observed.class, method, None, Vec::new());
                let ends = match accessor.is_spare {
                    true => self.ends_of_list(vm, objects, (observed, is_fresh), &value),
                    false => Vec::new(),
                };
                seen.push((vec![step], value, subject));
                seen.extend(ends);
            }
        }
        seen
    }

    /// Returns what tells of the first and the last element of a list of a given size.
    fn ends_of_list(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        (observed, is_fresh): (ObservedObject, bool),
        size: &Literal,
    ) -> Vec<Told> {
        let Literal::Value(Written::Int(size @ 1..)) = *size else {
            return Vec::new();
        };
        let list = vm.load_class("java/util/List");
        if !list.is_ok_and(|list| vm.is_subclass(observed.class, list)) {
            return Vec::new();
        }
        let Some(method) = named(vm, observed.class, "get", "(I)Ljava/lang/Object;") else {
            return Vec::new();
        };
        let mut ends = vec![0, size - 1];
        ends.dedup();
        let ends = ends.into_iter().flat_map(|index| {
            self.of_held(vm, objects, (observed, is_fresh), (method, vec![index]))
        });
        ends.collect()
    }

    /// Returns the object that an accessor with some numbers gives, as a value of tests, or else results of
    /// the object's accessors.
    fn of_held(
        &mut self,
        vm: &mut Vm,
        objects: &[Option<Ref>],
        (observed, is_fresh): (ObservedObject, bool),
        (method, numbers): (MethodId, Vec<i32>),
    ) -> Vec<Told> {
        let class = vm.heap.class_of(observed.object);
        let Some(selected) = vm.select(class, method) else {
            return Vec::new();
        };
        let mut slots = vec![observed.object.slot()];
        slots.extend(numbers.iter().map(|&number| u64::from(number as u32)));
        let numbers = numbers.into_iter().map(Written::Int);
        let numbers = numbers.map(|number| Argument::Literal(Literal::Value(number)));
        let step = self.step(vm, observed.class, method, None, numbers.collect());
        let told = self.looked(vm, (selected, &slots, false), |writer, vm, slot| {
            let held = Ref::from_slot(slot);
            let class = vm.heap.class_of(held);
            let is_whole = !writer.asks_parts || !vm.is_app_class(class);
            let whole = vm.with_mark(|vm| writer.value_of(vm, held));
            if let Some(value) = whole.filter(|_| is_whole) {
                return Some(vec![(vec![step], value)]);
            }
            let is_named = writer.reader.class_sig(vm, class).source_name.is_some();
            if !vm.is_app_class(class) || is_stub(vm, class) || !is_named {
                return None;
            }
            // Tests assert the first call of a result apart.
            let (apart, before) = match is_fresh {
                true => (Vec::new(), vec![step]),
                false => (vec![step], Vec::new()),
            };
            let told = writer.behind(vm, objects, (class, held), &before);
            let told = told.into_iter();
            let told = told.map(|(then, value)| ([&apart[..], &then].concat(), value));
            Some(told.collect())
        });
        let told = told.unwrap_or_default().into_iter();
        told.map(|(steps, value)| (steps, value, Subject::Result))
            .collect()
    }
}

/// Returns the method with a name and a descriptor that a class or interface declares or inherits.
fn named(vm: &Vm, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
    let mut methods = methods(vm, class).into_iter();
    methods.find(|&method| {
        let this = vm.method(method);
        vm.text(this.name) == name && vm.text(this.descriptor) == descriptor
    })
}
