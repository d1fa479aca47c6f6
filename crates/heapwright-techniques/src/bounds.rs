//! Bounds of a search: the number of objects of each class, and the range of each field.
//!
//! They come from a finitization ([`crate::finitization`]) or from a number ([`crate::derive`]).
//! From them the objects are created and the state space is built.

use std::collections::{BTreeMap, HashSet};

use heapwright_explore::{Choice, ClassDomain, ClassDomainId, Domain, Entry, StateSpace};
use heapwright_jvm::class::{Field, Loader, Shape};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Place, Ref, Vm};

use crate::explain::signed;
use crate::interchangeability::Interchangeability;
use crate::{Error, target};

/// Maximum number of values in a domain of primitives.
pub(crate) const MAX_VALUES: usize = 1 << 20;
/// Maximum number of objects of one class.
const MAX_OBJECTS: u32 = 1 << 16;

/// Bound of a class with objects that the search chooses.
#[derive(Clone, Debug)]
pub struct ClassBound {
    /// The class.
    pub class: ClassId,
    /// Number of objects to create.
    pub count: u32,
    /// Objects that the user created, which come first.
    pub added: Vec<Ref>,
    /// Whether its objects count as interchangeable.
    pub in_isomorphism_check: bool,
    /// Whether the search chooses fields of its objects.
    pub is_own: bool,
    /// The origin of the number, for users.
    pub origin: String,
}

/// The range of a field.
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
    /// Arrays of one array class, by its number in [`Bounds::classes`].
    Arrays {
        /// The array class.
        class: usize,
        /// The lengths, in order.
        lengths: Vec<u32>,
        /// The range of each element.
        elements: Box<Range>,
        /// Whether the field may refer to any of the arrays; otherwise it owns one array.
        is_choice: bool,
    },
}

/// Bound of a field that the search chooses.
#[derive(Clone, Debug)]
pub struct FieldBound {
    /// The class whose objects have the field, by its number in [`Bounds::classes`].
    pub class: usize,
    /// The field.
    pub field: Field,
    /// Its range.
    pub range: Range,
    /// The origin of the range, for users.
    pub origin: String,
}

/// A collection that contains objects before the search.
#[derive(Clone, Debug)]
pub struct Addition {
    /// The class whose objects have the collection, by its number in [`Bounds::classes`].
    pub class: usize,
    /// The field that refers to the collection.
    pub field: Field,
    /// The contents of each collection: null if allowed, then objects.
    pub objects: Range,
}

/// All bounds of a search.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// The classes, in state-space order.
    pub classes: Vec<ClassBound>,
    /// The number of the root's class; the root is its first object.
    pub root: usize,
    /// The fields, in the order of an object's entries.
    pub fields: Vec<FieldBound>,
    /// The contents added to collections before the search.
    pub additions: Vec<Addition>,
    /// The number from which they are derived; `None` if they come from a finitization.
    pub scope: Option<u32>,
}

impl Bounds {
    /// Returns the types without objects in derived bounds, whose fields and elements can only be
    /// null, in the order of the fields.
    #[must_use]
    pub fn null_only(&self, vm: &Vm) -> Vec<String> {
        let mut types: Vec<String> = Vec::new();
        for field in self.fields.iter().filter(|_| self.scope.is_some()) {
            let mut descriptor = vm.text(field.field.descriptor);
            let mut range = &field.range;
            while let Range::Arrays { elements, .. } = range {
                (descriptor, range) = (&descriptor[1..], elements);
            }
            let is_null = matches!(range, Range::Objects { classes, .. } if classes.is_empty());
            let name = descriptor::to_java(descriptor);
            if is_null && !types.contains(&name) {
                types.push(name);
            }
        }
        types
    }

    /// Returns the library superclasses with fields in derived bounds; those fields retain their
    /// initial values.
    #[must_use]
    pub fn inherited(&self, vm: &Vm) -> Vec<String> {
        let mut inherited: Vec<String> = Vec::new();
        let own = self
            .classes
            .iter()
            .filter(|bound| bound.is_own && self.scope.is_some());
        let above = own.flat_map(|bound| vm.class(bound.class).display.iter().copied());
        for class in above.filter(|&class| !vm.is_app_class(class)) {
            let mut fields = vm.class(class).fields.iter();
            let name = vm.binary_name(class);
            if fields.any(|field| !field.is_static()) && !inherited.contains(&name) {
                inherited.push(name);
            }
        }
        inherited
    }

    /// Creates the objects and lays out the choices (Korat's state-space builder).
    ///
    /// # Errors
    /// There is no object for the root, a range is empty or does not fit its field, or a
    /// constructor fails.
    pub fn build(&self, vm: &mut Vm) -> Result<StateSpace, Error> {
        self.check(vm)?;
        let arrays = self.array_ranges()?;
        let mut rows: Vec<Vec<Ref>> = self
            .classes
            .iter()
            .map(|bound| bound.added.clone())
            .collect();
        let mut made: Vec<Vec<Ref>> = Vec::new();
        for (number, bound) in self.classes.iter().enumerate() {
            let before = rows[number].len();
            for _ in 0..bound.count {
                let object = match arrays.get(&number) {
                    Some((lengths, _)) => make_array(vm, bound.class, lengths)?,
                    None => make_object(vm, bound.class)?,
                };
                rows[number].push(object);
            }
            made.push([&bound.added, &rows[number][before..]].concat());
            if !self.is_derived() {
                self.add_to_superclasses(vm, number, &mut rows);
            }
        }
        for addition in &self.additions {
            addition.make(vm, &made)?;
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
        let mut builder = EntryBuilder {
            bounds: self,
            vm,
            rows: &rows,
            known: HashSet::new(),
            next_array: BTreeMap::new(),
        };
        for (number, bound) in self.classes.iter().enumerate() {
            if let Some((lengths, elements)) = arrays.get(&number) {
                builder.add_array_entries(number, lengths, elements, &mut space)?;
            } else if bound.is_own {
                builder.add_field_entries(number, &mut space)?;
            }
        }
        let chosen = std::mem::take(&mut builder.known);
        let mut times: BTreeMap<Ref, u32> = BTreeMap::from([(root, 1)]);
        for &object in rows.iter().flatten() {
            *times.entry(object).or_default() += 1;
        }
        let alike = Interchangeability::new(vm, chosen, times.keys().copied().collect());
        space.fixed_words = alike.fixed_words();
        for entry in &mut space.entries {
            entry.is_shared = entry.object.is_null() || alike.is_referred_to(entry.object);
        }
        if self.is_derived() {
            rows[self.root].remove(0);
        }
        space.class_domains = self
            .classes
            .iter()
            .zip(rows)
            .enumerate()
            .map(|(number, (bound, objects))| ClassDomain {
                is_uniform: objects.iter().all(|object| times[object] == 1)
                    && alike.are_uniform(&objects),
                objects,
                // Korat distinguishes all arrays of such a domain.
                in_isomorphism_check: bound.in_isomorphism_check && !arrays.contains_key(&number),
            })
            .collect();
        if self.is_derived() {
            space.class_domains.push(ClassDomain {
                objects: vec![root],
                in_isomorphism_check: false,
                is_uniform: false,
            });
        }
        Ok(space)
    }

    /// Whether the bounds are derived from a number. A finitization has Korat's semantics: the root
    /// is the first object of its class and counts as used only once it is chosen. In derived
    /// bounds the root is used from the start, and has a class domain of its own after those of the
    /// classes.
    fn is_derived(&self) -> bool {
        self.scope.is_some()
    }

    /// Appends a class's objects to those of its superclasses, as Korat does. Derived ranges list
    /// the subclasses themselves.
    fn add_to_superclasses(&self, vm: &Vm, number: usize, rows: &mut [Vec<Ref>]) {
        let class = self.classes[number].class;
        let own = rows[number].clone();
        for (other, above) in self.classes.iter().enumerate() {
            if above.class != class && vm.class(class).display.contains(&above.class) {
                rows[other].extend_from_slice(&own);
            }
        }
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
            let is_array = matches!(vm.class(bound.class).shape, Shape::Array(_));
            if bound.count > 0 && vm.class(bound.class).is_abstract() && !is_array {
                return Err(Error::Bounds(format!(
                    "{class} is abstract: no object of it can be made"
                )));
            }
        }
        Ok(())
    }

    /// Returns the lengths and element ranges of each array class.
    fn array_ranges(&self) -> Result<BTreeMap<usize, (Vec<u32>, Range)>, Error> {
        let mut found = BTreeMap::new();
        let mut open: Vec<&Range> = self.fields.iter().map(|field| &field.range).collect();
        while let Some(range) = open.pop() {
            if let Range::Arrays {
                class,
                lengths,
                elements,
                ..
            } = range
            {
                open.push(elements);
                if lengths.is_empty() {
                    return Err(Error::Bounds(
                        "arrays without a length to choose from".to_owned(),
                    ));
                }
                found.insert(*class, (lengths.clone(), elements.as_ref().clone()));
            }
        }
        Ok(found)
    }

    /// Returns the ranges of all fields and elements.
    fn all_ranges(&self) -> Vec<&Range> {
        let mut all: Vec<&Range> = self.fields.iter().map(|field| &field.range).collect();
        let mut next = 0;
        while let Some(range) = all.get(next) {
            if let Range::Arrays { elements, .. } = range {
                all.push(elements);
            }
            next += 1;
        }
        all
    }

    /// Returns the values of all ranges of a primitive kind, ascending; arguments of that type use
    /// them.
    #[must_use]
    pub fn values_of(&self, kind: Kind) -> Vec<u64> {
        let mut values: Vec<i64> = Vec::new();
        for range in self.all_ranges() {
            if let Range::Slots(range, slots) = range
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
}

/// Lays out the entries, object by object in each class.
struct EntryBuilder<'a> {
    bounds: &'a Bounds,
    vm: &'a mut Vm,
    rows: &'a [Vec<Ref>],
    known: HashSet<(Ref, Place)>,
    /// Number of arrays of each class that already have an owner.
    next_array: BTreeMap<usize, usize>,
}

impl EntryBuilder<'_> {
    fn add_field_entries(&mut self, number: usize, space: &mut StateSpace) -> Result<(), Error> {
        let bounds = self.bounds;
        let fields: Vec<&FieldBound> = bounds
            .fields
            .iter()
            .filter(|field| field.class == number)
            .collect();
        let mut domains = Vec::with_capacity(fields.len());
        for bound in &fields {
            let name = format!(
                "{}.{}",
                self.vm.binary_name(bound.field.class),
                self.vm.text(bound.field.name)
            );
            domains.push(self.add_domain(&name, bound.field.kind, &bound.range, space)?);
        }
        for &object in &self.rows[number] {
            for (bound, &domain) in fields.iter().zip(&domains) {
                self.add_entry(
                    object,
                    Place::Field(bound.field.word),
                    domain,
                    &bound.range,
                    space,
                )?;
            }
        }
        Ok(())
    }

    fn add_array_entries(
        &mut self,
        number: usize,
        lengths: &[u32],
        elements: &Range,
        space: &mut StateSpace,
    ) -> Result<(), Error> {
        let class = self.bounds.classes[number].class;
        let name = self.vm.binary_name(class);
        let length_range = Range::Slots(
            Kind::Int,
            lengths.iter().map(|&length| u64::from(length)).collect(),
        );
        let length_domain = self.add_domain(&name, Kind::Int, &length_range, space)?;
        let kind = self.vm.array_element_kind(class);
        let element_domain = self.add_domain(&name, kind, elements, space)?;
        let most = lengths.iter().copied().max().unwrap_or(0);
        for &array in &self.rows[number] {
            self.add_entry(array, Place::Length, length_domain, &length_range, space)?;
            for index in 0..most {
                self.add_entry(
                    array,
                    Place::Element(index),
                    element_domain,
                    elements,
                    space,
                )?;
            }
        }
        Ok(())
    }

    fn add_entry(
        &mut self,
        object: Ref,
        place: Place,
        domain: u32,
        range: &Range,
        space: &mut StateSpace,
    ) -> Result<(), Error> {
        if !self.known.insert((object, place)) {
            return Ok(());
        }
        let mut fixed = None;
        if let Range::Arrays {
            class,
            is_choice: false,
            ..
        } = range
        {
            let next = self.next_array.entry(*class).or_default();
            let Some(&array) = self.rows[*class].get(*next) else {
                return Err(Error::Bounds(format!(
                    "{} arrays of class {} are not enough: every field of every object needs one of its own",
                    self.rows[*class].len(),
                    self.vm.binary_name(self.bounds.classes[*class].class)
                )));
            };
            *next += 1;
            fixed = Some(array);
        }
        space.entries.push(Entry {
            object,
            place,
            domain,
            fixed,
            is_shared: false,
        });
        Ok(())
    }

    fn add_domain(
        &self,
        name: &str,
        kind: Kind,
        range: &Range,
        space: &mut StateSpace,
    ) -> Result<u32, Error> {
        let fail = |what: String| Err(Error::Bounds(format!("{name} {what}")));
        let choices = match range {
            Range::Slots(range, _) if *range != kind => {
                return fail(format!(
                    "is of type {}, its range of type {}",
                    kind.keyword(),
                    range.keyword()
                ));
            }
            Range::Slots(_, slots) if slots.is_empty() => {
                return fail("has no value to range over".to_owned());
            }
            Range::Slots(_, slots) if slots.len() > MAX_VALUES => {
                return fail(format!(
                    "ranges over {} values: at most {MAX_VALUES} can be chosen one by one",
                    slots.len()
                ));
            }
            Range::Slots(_, slots) => slots
                .iter()
                .map(|&slot| Choice { slot, object: None })
                .collect(),
            _ if kind != Kind::Reference => {
                return fail(format!(
                    "is of type {}, its range of objects",
                    kind.keyword()
                ));
            }
            Range::Objects { null, classes } => {
                let mut choices: Vec<Choice> = Vec::new();
                if *null {
                    choices.push(Choice {
                        slot: 0,
                        object: None,
                    });
                }
                for &class in classes {
                    choices.extend(self.object_choices(class));
                }
                if choices.is_empty() {
                    // Korat leaves the field null if its set of objects is empty.
                    choices.push(Choice {
                        slot: 0,
                        object: None,
                    });
                }
                choices
            }
            // Elements of arrays whose length is always 0 have no entries.
            Range::Arrays {
                class,
                is_choice: false,
                ..
            } if self.rows[*class].is_empty() => vec![Choice {
                slot: 0,
                object: None,
            }],
            Range::Arrays { class, .. } if self.rows[*class].is_empty() => {
                return fail("ranges over arrays, of which there are none".to_owned());
            }
            Range::Arrays { class, .. } => self.object_choices(*class).collect(),
        };
        space.domains.push(Domain { kind, choices });
        Ok(space.domains.len() as u32 - 1)
    }

    fn object_choices(&self, class: usize) -> impl Iterator<Item = Choice> {
        let has_root = self.bounds.is_derived() && class == self.bounds.root;
        let roots_domain = self.bounds.classes.len() as u32;
        (0_u32..)
            .zip(&self.rows[class])
            .map(move |(index, object)| Choice {
                slot: object.slot(),
                object: Some(match (has_root, index) {
                    (true, 0) => (ClassDomainId(roots_domain), 0),
                    (true, _) => (ClassDomainId(class as u32), index - 1),
                    (false, _) => (ClassDomainId(class as u32), index),
                }),
            })
    }
}

impl Addition {
    /// Adds to the collections; `made` lists the objects of each class without those of subclasses.
    fn make(&self, vm: &mut Vm, made: &[Vec<Ref>]) -> Result<(), Error> {
        let Range::Objects { null, classes } = &self.objects else {
            return Err(Error::Bounds(
                "addAll of a set that is not of objects".to_owned(),
            ));
        };
        let mut objects = if *null { vec![Ref::NULL] } else { Vec::new() };
        objects.extend(classes.iter().flat_map(|&class| &made[class]));
        for &owner in &made[self.class] {
            let collection = Ref::from_slot(vm.heap.field(owner, self.field.word));
            if collection.is_null() {
                continue;
            }
            for object in &objects {
                self.add(vm, collection, *object)?;
            }
        }
        Ok(())
    }

    fn add(&self, vm: &mut Vm, collection: Ref, object: Ref) -> Result<(), Error> {
        let interface = target::find_class(vm, "java.util.Collection")?;
        let added = vm
            .declared_method(interface, "add", "(Ljava/lang/Object;)Z")
            .and_then(|add| vm.select(vm.heap.class_of(collection), add))
            .ok_or_else(|| "it has no method add".to_owned())
            .and_then(|add| vm.call_fully(add, &[collection.slot(), object.slot()]));
        added.map(|_| ()).map_err(|reason| {
            vm.abandon();
            Error::Bounds(format!(
                "addAll on {}.{} failed: {reason}",
                vm.binary_name(self.field.class),
                vm.text(self.field.name)
            ))
        })
    }
}

fn make_array(vm: &mut Vm, class: ClassId, lengths: &[u32]) -> Result<Ref, Error> {
    let most = lengths.iter().copied().max().unwrap_or(0);
    vm.new_choice_array(class, most)
        .map_err(|_| Error::Construction {
            class: vm.binary_name(class),
            reason: "no memory is left for Java objects".to_owned(),
        })
}

/// Creates an object as Korat does: by the no-argument constructor of its topmost superclass
/// outside the library. Without such a constructor, all fields are zero.
fn make_object(vm: &mut Vm, class: ClassId) -> Result<Ref, Error> {
    let top = vm
        .class(class)
        .display
        .iter()
        .copied()
        .find(|&above| vm.class(above).loader == Loader::App);
    construct(vm, class, top)
}

/// Creates an object of `class`, and runs the no-argument constructor of `constructed` on it, if
/// there is one.
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
