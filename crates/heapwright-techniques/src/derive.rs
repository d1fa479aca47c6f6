//! Bounds derived from a scope where no finitization is given: N objects of each class of the
//! program under test, integers 0 to N-1, both booleans, N letters,
//! arrays to length N, boxes and `Object` over
//! integers, strings over a small pool; any of these references may also be null; other library
//! types are null.

use std::collections::BTreeMap;

use heapwright_jvm::class::{Field, Loader, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Ref, Vm};

use crate::Error;
use crate::bounds::{Bounds, ClassBound, FieldBound, Range};
use crate::target;

/// Derives the bounds of scope `scope` for the structures whose root is a `root`.
///
/// # Errors
/// The scope is 0, or a class that is needed cannot be used.
pub fn bounds(vm: &mut Vm, root: ClassId, scope: u32) -> Result<Bounds, Error> {
    if scope == 0 {
        return Err(Error::Bounds(
            "a scope is at least 1: there is no object with 0 objects".to_owned(),
        ));
    }
    if vm.class(root).is_abstract() {
        return Err(Error::Bounds(format!(
            "{} is abstract: name a class that has objects",
            vm.binary_name(root)
        )));
    }
    let mut deriver = Deriver {
        vm,
        scope,
        bounds: Bounds::default(),
        package_classes: BTreeMap::new(),
    };
    deriver.class_number(root);
    let mut next = 0;
    while next < deriver.bounds.classes.len() {
        deriver.derive_fields(next)?;
        next += 1;
    }
    // One root is enough unless structures can refer to further objects of its class.
    let is_referred_to = deriver
        .bounds
        .fields
        .iter()
        .any(|field| refers_to_root(&field.range));
    if !is_referred_to {
        deriver.bounds.classes[0].count = 1;
    }
    deriver.count_arrays();
    Ok(deriver.bounds)
}

fn refers_to_root(range: &Range) -> bool {
    match range {
        Range::Slots(..) => false,
        Range::Objects { classes, .. } => classes.contains(&0),
        Range::Arrays { elements, .. } => refers_to_root(elements),
    }
}

struct Deriver<'a> {
    vm: &'a mut Vm,
    scope: u32,
    bounds: Bounds,
    /// The concrete classes of each package looked through.
    package_classes: BTreeMap<String, Vec<ClassId>>,
}

impl Deriver<'_> {
    /// Gives every field and element that holds an array one of its own.
    fn count_arrays(&mut self) {
        let mut open: Vec<(Range, u32)> = self
            .bounds
            .fields
            .iter()
            .map(|field| (field.range.clone(), self.bounds.classes[field.class].count))
            .collect();
        while let Some((range, holders)) = open.pop() {
            if let Range::Arrays {
                class, elements, ..
            } = range
            {
                let count = &mut self.bounds.classes[class].count;
                *count = count.saturating_add(holders);
                open.push((*elements, holders.saturating_mul(self.scope)));
            }
        }
    }

    /// The number of a class of the program, entered if new.
    fn class_number(&mut self, class: ClassId) -> usize {
        self.enter(class, self.scope, Vec::new(), true)
    }

    fn enter(&mut self, class: ClassId, count: u32, added: Vec<Ref>, iso: bool) -> usize {
        if let Some(known) = self
            .bounds
            .classes
            .iter()
            .position(|bound| bound.class == class)
        {
            return known;
        }
        let is_own = added.is_empty();
        self.bounds.classes.push(ClassBound {
            class,
            count,
            added,
            in_isomorphism_check: iso,
            is_own,
        });
        self.bounds.classes.len() - 1
    }

    fn derive_fields(&mut self, number: usize) -> Result<(), Error> {
        let bound = &self.bounds.classes[number];
        if !bound.is_own {
            return Ok(());
        }
        let class = bound.class;
        let fields: Vec<Field> = self
            .vm
            .class(class)
            .display
            .iter()
            .filter(|&&above| self.vm.class(above).loader == Loader::App)
            .flat_map(|&above| self.vm.class(above).fields.iter().cloned())
            .filter(|field| !field.is_static() && field.flags & flags::SYNTHETIC == 0)
            .collect();
        for field in fields {
            let descriptor = self.vm.text(field.descriptor).to_owned();
            let (range, origin) = self.range(&descriptor)?;
            self.bounds.fields.push(FieldBound {
                class: number,
                field,
                range,
                origin,
            });
        }
        Ok(())
    }

    /// What a field or element of a type ranges over, and why.
    fn range(&mut self, descriptor: &str) -> Result<(Range, String), Error> {
        let scope = self.scope;
        let say = |what: &str| format!("scope {scope}: {what}");
        Ok(match Kind::of(descriptor) {
            Kind::Boolean => (
                Range::Slots(Kind::Boolean, vec![0, 1]),
                say("both booleans"),
            ),
            Kind::Float => {
                let slots = (0..scope)
                    .map(|value| u64::from((value as f32).to_bits()))
                    .collect();
                (Range::Slots(Kind::Float, slots), say("0 to N-1"))
            }
            Kind::Double => {
                let slots = (0..scope).map(|value| f64::from(value).to_bits()).collect();
                (Range::Slots(Kind::Double, slots), say("0 to N-1"))
            }
            Kind::Char => {
                let letters = (0..u64::from(scope))
                    .map(|index| u64::from(b'a') + index)
                    .collect();
                (Range::Slots(Kind::Char, letters), say("N letters"))
            }
            Kind::Reference | Kind::Void => return self.reference_range(descriptor),
            kind => (
                Range::Slots(kind, (0..u64::from(scope)).collect()),
                say("0 to N-1"),
            ),
        })
    }

    fn reference_range(&mut self, descriptor: &str) -> Result<(Range, String), Error> {
        let scope = self.scope;
        let say = |what: &str| format!("scope {scope}: {what}");
        if let Some(element) = descriptor.strip_prefix('[') {
            let (elements, why) = self.range(element)?;
            let class = self.vm.load_class(descriptor).map_err(|_| {
                Error::Bounds(format!(
                    "the class {} cannot be used",
                    descriptor::to_java(descriptor)
                ))
            })?;
            let class = self.enter(class, 0, Vec::new(), true);
            let range = Range::Arrays {
                class,
                lengths: (0..=scope).collect(),
                elements: Box::new(elements),
                is_choice: false,
            };
            return Ok((range, format!("lengths 0 to N; elements: {why}")));
        }
        let name = descriptor::class_name(descriptor).to_owned();
        let null_only = Range::Objects {
            null: true,
            classes: Vec::new(),
        };
        let boxed = [
            "Integer",
            "Long",
            "Short",
            "Byte",
            "Character",
            "Float",
            "Double",
            "Boolean",
        ];
        if let Some(simple) = name.strip_prefix("java/lang/")
            && (boxed.contains(&simple) || matches!(simple, "Object" | "Number" | "Comparable"))
        {
            let simple = if boxed.contains(&simple) {
                simple
            } else {
                "Integer"
            };
            let class = self.boxes(simple)?;
            return Ok((
                Range::Objects {
                    null: true,
                    classes: vec![class],
                },
                say("null or a box of 0 to N-1"),
            ));
        }
        if name == "java/lang/String" {
            let class = self.strings()?;
            return Ok((
                Range::Objects {
                    null: true,
                    classes: vec![class],
                },
                say("null or one of N short strings"),
            ));
        }
        let class = target::find_class(self.vm, &name.replace('/', "."))?;
        if self.vm.class(class).loader == Loader::Boot {
            return Ok((null_only, say("a library type: null")));
        }
        if self.vm.class(class).flags & flags::ENUM != 0 {
            let class = self.enum_constants(class)?;
            return Ok((
                Range::Objects {
                    null: true,
                    classes: vec![class],
                },
                say("null or a constant"),
            ));
        }
        let concrete = self.concrete_classes(class)?;
        let classes: Vec<usize> = concrete
            .into_iter()
            .map(|class| self.class_number(class))
            .collect();
        if classes.is_empty() {
            return Ok((null_only, say("no class of the package can be used: null")));
        }
        Ok((
            Range::Objects {
                null: true,
                classes,
            },
            say("null or an object"),
        ))
    }

    /// The class itself and its subclasses in its package, as far as they have objects.
    fn concrete_classes(&mut self, class: ClassId) -> Result<Vec<ClassId>, Error> {
        if !self.vm.class(class).is_abstract() && self.vm.class(class).flags & flags::FINAL != 0 {
            return Ok(vec![class]);
        }
        let name = self.vm.class_name(class);
        let package = name
            .rsplit_once('/')
            .map_or(String::new(), |(package, _)| format!("{package}/"));
        if !self.package_classes.contains_key(&package) {
            let found = self.load_package(&package);
            self.package_classes.insert(package.clone(), found);
        }
        let mut concrete: Vec<ClassId> = self.package_classes[&package]
            .iter()
            .copied()
            .filter(|&other| other != class && self.vm.is_subclass(other, class))
            .collect();
        if !self.vm.class(class).is_abstract() {
            concrete.insert(0, class);
        }
        Ok(concrete)
    }

    fn load_package(&mut self, package: &str) -> Vec<ClassId> {
        let names: Vec<String> = self
            .vm
            .class_path()
            .class_names()
            .into_iter()
            .filter(|name| {
                name.strip_prefix(package)
                    .is_some_and(|rest| !rest.contains('/'))
            })
            .collect();
        // A class that cannot be loaded has no objects, either.
        let loaded = names
            .iter()
            .filter_map(|name| self.vm.load_class(name).ok());
        let loaded: Vec<ClassId> = loaded.collect();
        loaded
            .into_iter()
            .filter(|&class| !self.vm.class(class).is_abstract())
            .collect()
    }

    fn boxes(&mut self, simple: &str) -> Result<usize, Error> {
        let kind = Kind::NEWARRAY
            .into_iter()
            .find(|kind| kind.box_class().ends_with(&format!("/{simple}")))
            .expect("the name of a box");
        let class = target::find_class(self.vm, &kind.box_class().replace('/', "."))?;
        if let Some(known) = self
            .bounds
            .classes
            .iter()
            .position(|bound| bound.class == class)
        {
            return Ok(known);
        }
        let count = if kind == Kind::Boolean { 2 } else { self.scope };
        let mut objects = Vec::new();
        for value in 0..count {
            let slot = match kind {
                Kind::Float => u64::from((value as f32).to_bits()),
                Kind::Double => f64::from(value).to_bits(),
                _ => u64::from(value),
            };
            objects.push(self.vm.boxed(kind, slot).map_err(Error::Bounds)?);
        }
        Ok(self.enter(class, 0, objects, false))
    }

    fn strings(&mut self) -> Result<usize, Error> {
        let class = target::find_class(self.vm, "java.lang.String")?;
        if let Some(known) = self
            .bounds
            .classes
            .iter()
            .position(|bound| bound.class == class)
        {
            return Ok(known);
        }
        let mut objects = Vec::new();
        for index in 0..self.scope {
            // "", "a", "b", … "z", "aa", …
            let letter = |number: u32| char::from(b'a' + (number % 26) as u8).to_string();
            let text = match index {
                0 => String::new(),
                index => letter(index - 1).repeat(1 + (index as usize - 1) / 26),
            };
            objects.push(
                self.vm
                    .new_string(&text)
                    .map_err(|_| Error::Bounds("no memory for strings".to_owned()))?,
            );
        }
        Ok(self.enter(class, 0, objects, false))
    }

    fn enum_constants(&mut self, class: ClassId) -> Result<usize, Error> {
        let constants = constants_of(self.vm, class)?;
        let constants = constants.into_iter().map(|(_, object)| object).collect();
        Ok(self.enter(class, 0, constants, false))
    }
}

/// The constants of an enum with their names, in order.
pub(crate) fn constants_of(vm: &mut Vm, class: ClassId) -> Result<Vec<(String, Ref)>, Error> {
    vm.initialize_now(class).map_err(Error::Bounds)?;
    let own = descriptor::of_class(vm.class_name(class));
    let fields = &vm.class(class).fields;
    Ok(fields
        .iter()
        .filter(|field| field.flags & flags::ENUM != 0 && vm.text(field.descriptor) == own)
        .map(|field| {
            let name = vm.text(field.name).to_owned();
            (name, Ref::from_slot(vm.heap.load(field.word)))
        })
        .collect())
}
