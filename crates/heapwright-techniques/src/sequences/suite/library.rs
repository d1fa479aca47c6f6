//! Accessors of objects of the library that tests cannot write as values.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use heapwright_suite::{Input as Argument, Literal, Observation, Step, Value as Written};

use super::candidates::Subject;
use super::observers::ObservedObject;
use super::values::is_ordered;
use super::writer::ScriptWriter;
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
}

const fn accessor(class: &'static str, name: &'static str, descriptor: &'static str) -> Accessor {
    Accessor {
        class,
        name,
        descriptor,
        is_ordered: false,
        consumes: false,
        is_spare: false,
    }
}

const TEXT: &str = "()Ljava/lang/String;";
const OBJECTS: &str = "()[Ljava/lang/Object;";

/// Accessors, the strongest of each class first.
static ACCESSORS: [Accessor; 22] = [
    Accessor {
        is_ordered: true,
        ..accessor("java/util/Collection", "toArray", OBJECTS)
    },
    Accessor {
        is_spare: true,
        ..accessor("java/util/Collection", "size", "()I")
    },
    accessor("java/util/Map", "size", "()I"),
    accessor("java/util/concurrent/atomic/AtomicInteger", "get", "()I"),
    accessor("java/util/concurrent/atomic/AtomicLong", "get", "()J"),
    accessor("java/util/concurrent/atomic/AtomicBoolean", "get", "()Z"),
    accessor("java/util/Optional", "isPresent", "()Z"),
    accessor("java/util/Iterator", "hasNext", "()Z"),
    consuming("java/util/Iterator", "next", "()Ljava/lang/Object;"),
    accessor("java/util/Enumeration", "hasMoreElements", "()Z"),
    consuming(
        "java/util/Enumeration",
        "nextElement",
        "()Ljava/lang/Object;",
    ),
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

impl ScriptWriter<'_> {
    /// Returns observations of an object of the library, of which a test has a variable.
    pub(super) fn of_library(
        &mut self,
        vm: &mut Vm,
        observed: ObservedObject,
    ) -> Vec<(Subject, Observation)> {
        let calls = self.calls_of_library(vm, observed, false).into_iter();
        let seen = calls.map(|(step, value, subject)| {
            let call = Step {
                receiver: Some(observed.place),
                ..step
            };
            let observation = Observation::Call {
                call,
                then: Vec::new(),
                value,
            };
            (subject, observation)
        });
        seen.collect()
    }

    /// Returns results of the usual accessors of an object of the library. Those that take elements
    /// away are included where a new object `is_fresh`, and count as consuming where not.
    pub(super) fn calls_of_library(
        &mut self,
        vm: &mut Vm,
        observed: ObservedObject,
        is_fresh: bool,
    ) -> Vec<(Step, Literal, Subject)> {
        let mut seen = Vec::new();
        for accessor in &ACCESSORS {
            let Ok(class) = vm.load_class(accessor.class) else {
                continue;
            };
            if !vm.is_subclass(observed.class, class)
                || accessor.is_ordered && !is_ordered(vm, observed.object)
                || accessor.is_spare && !seen.is_empty()
            {
                continue;
            }
            let Some(method) = named(vm, observed.class, accessor.name, accessor.descriptor) else {
                continue;
            };
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
                if accessor.is_spare {
                    seen.push((step, value.clone(), subject));
                    seen.extend(self.ends_of_list(vm, observed, &value));
                } else {
                    seen.push((step, value, subject));
                }
            }
        }
        seen
    }

    /// Returns the first and the last element of a list of a given size, as far as tests can write
    /// them.
    fn ends_of_list(
        &mut self,
        vm: &mut Vm,
        observed: ObservedObject,
        size: &Literal,
    ) -> Vec<(Step, Literal, Subject)> {
        let Literal::Value(Written::Int(size @ 1..)) = *size else {
            return Vec::new();
        };
        let list = vm.load_class("java/util/List");
        if !list.is_ok_and(|list| vm.is_subclass(observed.class, list)) {
            return Vec::new();
        }
        let mut seen = Vec::new();
        for index in [0, size - 1] {
            let method = named(vm, observed.class, "get", "(I)Ljava/lang/Object;");
            let selected = method.and_then(|method| {
                let class = vm.heap.class_of(observed.object);
                vm.select(class, method)
            });
            let (Some(method), Some(selected)) = (method, selected) else {
                break;
            };
            let slots = [observed.object.slot(), u64::from(index as u32)];
            let value = self.looked(vm, (selected, &slots, false), |writer, vm, slot| {
                let element = Ref::from_slot(slot);
                vm.with_mark(|vm| writer.value_of(vm, element))
            });
            if let Some(value) = value {
                let index = Argument::Literal(Literal::Value(Written::Int(index)));
                let step = self.step(vm, observed.class, method, None, vec![index]);
                seen.push((step, value, Subject::Result));
            }
        }
        seen
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
