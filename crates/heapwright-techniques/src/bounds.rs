//! The bounds of a search: how many objects of each class, and what each field ranges over.
//!
//! They come from a finitization ([`crate::finitization`]) or from a number ([`crate::derive`]);
//! from them the objects are made and the state space is built.

use heapwright_explore::{Choice, ClassDomain, ClassDomainId, Domain, Entry, StateSpace};
use heapwright_jvm::class::{Field, Loader};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Ref, Vm};

use crate::Error;

/// Most values a domain of primitives may have: more cannot be chosen one by one.
const MAX_VALUES: usize = 1 << 20;
/// Most objects of one class.
const MAX_OBJECTS: u32 = 1 << 16;

/// A class whose objects are chosen.
#[derive(Clone, Debug)]
pub struct ClassBound {
    /// The class.
    pub class: ClassId,
    /// How many objects are made.
    pub count: u32,
    /// Objects the user made, which come first.
    pub added: Vec<Ref>,
    /// Whether its objects are interchangeable.
    pub in_isomorphism_check: bool,
    /// Whether fields of its objects are chosen.
    pub is_own: bool,
}

/// What a field ranges over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Range {
    /// Primitive values of a kind, as slots, in order.
    Slots(Kind, Vec<u64>),
    /// Objects of classes, by their numbers in [`Bounds::classes`], after null if that is allowed.
    Objects {
        /// Whether null is the first value.
        null: bool,
        /// The classes, in order.
        classes: Vec<usize>,
    },
}

/// A field that is chosen.
#[derive(Clone, Debug)]
pub struct FieldBound {
    /// The number of the class whose objects have it, in [`Bounds::classes`].
    pub class: usize,
    /// The field.
    pub field: Field,
    /// What it ranges over.
    pub range: Range,
    /// Where the range comes from, for people.
    pub origin: String,
}

/// All bounds of a search. The first class is the root's.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// The classes, in state-space order.
    pub classes: Vec<ClassBound>,
    /// The number of the root's class, whose first object is the root.
    pub root: usize,
    /// The fields, in the order in which an object's are met.
    pub fields: Vec<FieldBound>,
}

impl Bounds {
    /// Makes the objects and lays out what is chosen (Korat's state-space builder).
    ///
    /// # Errors
    /// A bound cannot be met: no object for the root, a range that does not fit its field or is
    /// empty, a constructor that fails.
    pub fn build(&self, vm: &mut Vm) -> Result<StateSpace, Error> {
        self.check(vm)?;
        let mut rows: Vec<Vec<Ref>> = self
            .classes
            .iter()
            .map(|bound| bound.added.clone())
            .collect();
        for (number, bound) in self.classes.iter().enumerate() {
            for _ in 0..bound.count {
                let object = make_object(vm, bound.class)?;
                rows[number].push(object);
            }
            // The objects of a class are objects of its superclasses, too.
            let own = rows[number].clone();
            for (other, above) in self.classes.iter().enumerate() {
                let is_above = above.class != bound.class
                    && vm.class(bound.class).display.contains(&above.class);
                if is_above {
                    rows[other].extend_from_slice(&own);
                }
            }
        }
        let Some(&root) = rows.get(self.root).and_then(|row| row.first()) else {
            return Err(Error::Bounds(
                "the bounds have no object of the class under test".to_owned(),
            ));
        };
        let mut space = StateSpace {
            root,
            ..StateSpace::default()
        };
        for field in &self.fields {
            space.domains.push(self.domain(vm, field, &rows)?);
        }
        for (number, bound) in self.classes.iter().enumerate() {
            if bound.is_own {
                self.add_entries(number, &rows[number], &mut space);
            }
        }
        space.class_domains = self
            .classes
            .iter()
            .zip(rows)
            .map(|(bound, objects)| ClassDomain {
                objects,
                in_isomorphism_check: bound.in_isomorphism_check,
            })
            .collect();
        Ok(space)
    }

    fn check(&self, vm: &Vm) -> Result<(), Error> {
        for bound in &self.classes {
            let class = vm.binary_name(bound.class);
            if bound.count > MAX_OBJECTS {
                return Err(Error::Bounds(format!(
                    "{} objects of {class}: at most {MAX_OBJECTS} can be made",
                    bound.count
                )));
            }
            if bound.count > 0 && vm.class(bound.class).is_abstract() {
                return Err(Error::Bounds(format!(
                    "{class} is abstract: no object of it can be made"
                )));
            }
        }
        Ok(())
    }

    fn add_entries(&self, number: usize, row: &[Ref], space: &mut StateSpace) {
        for &object in row {
            for (domain, field) in self.fields.iter().enumerate() {
                let entry = Entry {
                    object,
                    word: field.field.word,
                    domain: domain as u32,
                };
                let is_new = !space
                    .entries
                    .iter()
                    .any(|known| known.object == object && known.word == entry.word);
                if field.class == number && is_new {
                    space.entries.push(entry);
                }
            }
        }
    }

    fn domain(&self, vm: &Vm, bound: &FieldBound, rows: &[Vec<Ref>]) -> Result<Domain, Error> {
        let name = format!(
            "{}.{}",
            vm.binary_name(bound.field.class),
            vm.text(bound.field.name)
        );
        let kind = bound.field.kind;
        match &bound.range {
            Range::Slots(range, _) if *range != kind => Err(Error::Bounds(format!(
                "{name} is of type {}, its range of type {}",
                descriptor::to_java(vm.text(bound.field.descriptor)),
                range.keyword()
            ))),
            Range::Slots(_, slots) if slots.is_empty() => {
                Err(Error::Bounds(format!("{name} has no value to range over")))
            }
            Range::Slots(_, slots) if slots.len() > MAX_VALUES => Err(Error::Bounds(format!(
                "{name} ranges over {} values: at most {MAX_VALUES} can be chosen one by one",
                slots.len()
            ))),
            Range::Slots(_, slots) => Ok(Domain::of_slots(slots.iter().copied())),
            Range::Objects { .. } if kind != Kind::Reference => Err(Error::Bounds(format!(
                "{name} is of type {}, its range of objects",
                kind.keyword()
            ))),
            Range::Objects { null, classes } => {
                let mut choices = Vec::new();
                if *null {
                    choices.push(Choice {
                        slot: 0,
                        object: None,
                    });
                }
                for &class in classes {
                    for (index, object) in rows[class].iter().enumerate() {
                        let place = (ClassDomainId(class as u32), index as u32);
                        choices.push(Choice {
                            slot: object.slot(),
                            object: Some(place),
                        });
                    }
                }
                if choices.is_empty() {
                    // As Korat: a set of no objects leaves the field null.
                    choices.push(Choice {
                        slot: 0,
                        object: None,
                    });
                }
                Ok(Domain { choices })
            }
        }
    }

    /// The values of all ranges of a primitive kind, ascending: what arguments of that type are
    /// taken from.
    #[must_use]
    pub fn values_of(&self, kind: Kind) -> Vec<u64> {
        let mut values: Vec<i64> = Vec::new();
        for field in &self.fields {
            if let Range::Slots(range, slots) = &field.range
                && *range == kind
            {
                values.extend(slots.iter().map(|&slot| signed(kind, slot)));
            }
        }
        values.sort_unstable();
        values.dedup();
        values
            .into_iter()
            .map(|value| {
                if kind == Kind::Long {
                    value as u64
                } else {
                    u64::from(value as u32)
                }
            })
            .collect()
    }

    /// A line a field: its class and name, what it ranges over and where that comes from.
    #[must_use]
    pub fn explain(&self, vm: &Vm) -> String {
        let mut text = String::new();
        for (number, bound) in self.classes.iter().enumerate() {
            let mark = if number == self.root {
                " (the first is the root)"
            } else {
                ""
            };
            let total = bound.count as usize + bound.added.len();
            text.push_str(&format!(
                "{}: {total} objects{mark}\n",
                vm.binary_name(bound.class)
            ));
        }
        for field in &self.fields {
            text.push_str(&format!(
                "{}.{}: {} ({})\n",
                vm.binary_name(self.classes[field.class].class),
                vm.text(field.field.name),
                self.range_text(vm, &field.range),
                field.origin
            ));
        }
        text
    }

    fn range_text(&self, vm: &Vm, range: &Range) -> String {
        match range {
            Range::Slots(kind, slots) => {
                let shown: Vec<String> = slots
                    .iter()
                    .take(12)
                    .map(|&slot| slot_text(*kind, slot))
                    .collect();
                let rest = if slots.len() > 12 {
                    format!(", … {} values", slots.len())
                } else {
                    String::new()
                };
                format!("{} {{{}{rest}}}", kind.keyword(), shown.join(", "))
            }
            Range::Objects { null, classes } => {
                let mut parts: Vec<String> = if *null {
                    vec!["null".to_owned()]
                } else {
                    Vec::new()
                };
                for &class in classes {
                    let bound = &self.classes[class];
                    let total = bound.count as usize + bound.added.len();
                    parts.push(format!("{total} {}", vm.binary_name(bound.class)));
                }
                if parts.is_empty() {
                    "null".to_owned()
                } else {
                    parts.join(", ")
                }
            }
        }
    }
}

fn signed(kind: Kind, slot: u64) -> i64 {
    if kind == Kind::Long {
        slot as i64
    } else {
        i64::from(slot as u32 as i32)
    }
}

fn slot_text(kind: Kind, slot: u64) -> String {
    match kind {
        Kind::Boolean => (slot != 0).to_string(),
        Kind::Float => f32::from_bits(slot as u32).to_string(),
        Kind::Double => f64::from_bits(slot).to_string(),
        kind => signed(kind, slot).to_string(),
    }
}

/// An object as Korat makes it: the no-argument constructor of its topmost superclass that is not
/// of the library runs; if that has none, all fields are zero.
fn make_object(vm: &mut Vm, class: ClassId) -> Result<Ref, Error> {
    let top = vm
        .class(class)
        .display
        .iter()
        .copied()
        .find(|&above| vm.class(above).loader == Loader::App);
    construct(vm, class, top)
}

/// An object of `class` on which the no-argument constructor of `constructed` has run, if it has
/// one.
pub(crate) fn construct(
    vm: &mut Vm,
    class: ClassId,
    constructed: Option<ClassId>,
) -> Result<Ref, Error> {
    let fail = |vm: &Vm, reason: String| Error::Construction {
        class: vm.binary_name(class),
        reason,
    };
    vm.initialize_now(class)
        .map_err(|reason| fail(vm, reason))?;
    let words = vm.class(class).instance_words;
    let object = vm
        .heap
        .allocate(class, words, false)
        .map_err(|_| fail(vm, "no memory is left for Java objects".to_owned()))?;
    if let Some(constructed) = constructed
        && let Some(constructor) = vm.declared_method(constructed, "<init>", "()V")
    {
        vm.call_fully(constructor, &[object.slot()])
            .map_err(|reason| {
                vm.abandon();
                fail(vm, reason)
            })?;
    }
    Ok(object)
}
