//! Derives bounds from a scope N if there is no finitization. There are N objects of each class of
//! the program. Integers range over 0 to N-1, booleans over both values, characters over N letters.
//! Arrays have lengths 0 to N. Boxes and `Object` range over integers, strings over a small pool.
//! References to objects, boxes and strings may also be null; other library types are null. User
//! adjustments of a class or field ([`crate::adjust`]) take precedence.

use heapwright_jvm::class::{Field, Loader, Shape, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Ref, Vm};

use crate::Error;
use crate::adjust::{self, Adjustment, Adjustments, Resolved, Setting};
use crate::bounds::{Bounds, ClassBound, FieldBound, MAX_VALUES, Range};
use crate::packages::Packages;
use crate::target;

/// Derives the bounds of scope `scope` for structures whose root is a `root`.
///
/// # Errors
/// The scope is 0 or exceeds the size of a domain. `root` is abstract, a required class cannot be
/// used, or an adjustment does not fit.
pub fn bounds(
    vm: &mut Vm,
    root: ClassId,
    scope: u32,
    adjustments: &Adjustments,
) -> Result<Bounds, Error> {
    if scope == 0 {
        return Err(Error::Bounds(
            "a scope is at least 1: there is no object with 0 objects".to_owned(),
        ));
    }
    if scope as usize > MAX_VALUES {
        return Err(Error::Bounds(format!(
            "a scope of {scope} is more than can be searched: at most {MAX_VALUES}"
        )));
    }
    if vm.class(root).is_abstract() {
        return Err(Error::Bounds(format!(
            "{} is abstract: name a class that has objects",
            vm.binary_name(root)
        )));
    }
    let said = Resolved::new(vm, adjustments)?;
    let mut deriver = Deriver {
        vm,
        scope,
        said,
        source: &adjustments.source,
        bounds: Bounds {
            scope: Some(scope),
            ..Bounds::default()
        },
        arrays: Vec::new(),
        packages: Packages::default(),
    };
    deriver.class_number(root)?;
    if let (0, Some(said)) = (deriver.bounds.classes[0].count, deriver.said.objects(root)) {
        let reason = "the class under test has at least one object, the root";
        return Err(said.located_error(reason.to_owned()));
    }
    let mut next = 0;
    while next < deriver.bounds.classes.len() {
        deriver.derive_fields(next)?;
        next += 1;
    }
    deriver.count_unreferred();
    deriver.count_arrays();
    Ok(deriver.bounds)
}

fn refers_to(range: &Range, class: usize) -> bool {
    match range {
        Range::Slots(..) => false,
        Range::Objects { classes, .. } => classes.contains(&class),
        Range::Arrays { elements, .. } => refers_to(elements, class),
    }
}

/// Whether a field holds the outer object of an inner class.
fn is_enclosing(vm: &Vm, field: &Field) -> bool {
    field.flags & flags::SYNTHETIC != 0 && vm.text(field.name).starts_with("this$")
}

/// Whether a field is declared in the source, or holds a captured variable or the outer object.
fn is_chosen(vm: &Vm, field: &Field) -> bool {
    let is_captured = || vm.text(field.name).starts_with("val$") || is_enclosing(vm, field);
    !field.is_static() && (field.flags & flags::SYNTHETIC == 0 || is_captured())
}

struct Deriver<'a> {
    vm: &'a mut Vm,
    scope: u32,
    /// The user's adjustments, and their source.
    said: Resolved<'a>,
    source: &'a str,
    bounds: Bounds,
    /// The ranges of arrays, each with the number of its array class.
    arrays: Vec<(Range, usize)>,
    packages: Packages,
}

impl Deriver<'_> {
    /// Reduces classes to one object if no structure can refer to further ones: the root's class,
    /// or classes of outer objects.
    fn count_unreferred(&mut self) {
        for number in 0..self.bounds.classes.len() {
            let bound = &self.bounds.classes[number];
            let is_referred_to = self.bounds.fields.iter().any(|field| {
                !is_enclosing(self.vm, &field.field) && refers_to(&field.range, number)
            });
            let is_array = matches!(self.vm.class(bound.class).shape, Shape::Array(_));
            if is_referred_to
                || is_array
                || !bound.is_own
                || self.said.objects(bound.class).is_some()
            {
                continue;
            }
            let why = match number {
                0 => "nothing refers to it",
                _ => "only inner objects refer to it",
            };
            let bound = &mut self.bounds.classes[number];
            bound.count = 1;
            bound.origin = format!("scope {}: one, as {why}", self.scope);
        }
    }

    /// Provides an array for each field and element of array type.
    fn count_arrays(&mut self) {
        let mut open: Vec<(Range, u32)> = self
            .bounds
            .fields
            .iter()
            .map(|field| (field.range.clone(), self.bounds.classes[field.class].count))
            .collect();
        while let Some((range, holders)) = open.pop() {
            if let Range::Arrays {
                class,
                lengths,
                elements,
                ..
            } = range
            {
                let count = &mut self.bounds.classes[class].count;
                *count = count.saturating_add(holders);
                let most = lengths.into_iter().max().unwrap_or(0);
                open.push((*elements, holders.saturating_mul(most)));
            }
        }
    }

    /// Returns the number of a program class, entering it if it is new.
    fn class_number(&mut self, class: ClassId) -> Result<usize, Error> {
        if let Some(known) = self.known(class) {
            return Ok(known);
        }
        let (count, origin) = match self.said.objects(class) {
            Some(said) => {
                let count =
                    adjust::count(&said.setting).map_err(|reason| said.located_error(reason))?;
                (count, self.source.to_owned())
            }
            None => (self.scope, format!("scope {}: N objects", self.scope)),
        };
        Ok(self.enter(ClassBound {
            class,
            count,
            added: Vec::new(),
            in_isomorphism_check: true,
            is_own: true,
            origin,
        }))
    }

    /// Returns the number of a class already entered.
    fn known(&self, class: ClassId) -> Option<usize> {
        let mut classes = self.bounds.classes.iter();
        classes.position(|bound| bound.class == class)
    }

    fn enter(&mut self, bound: ClassBound) -> usize {
        self.bounds.classes.push(bound);
        self.bounds.classes.len() - 1
    }

    /// Enters a library class or an enum with the given objects; returns its number.
    fn enter_pool(&mut self, class: ClassId, objects: Vec<Ref>, what: &str) -> usize {
        let origin = match self.said.objects(class) {
            Some(_) => self.source.to_owned(),
            None => format!("scope {}: {what}", self.scope),
        };
        self.enter(ClassBound {
            class,
            count: 0,
            added: objects,
            in_isomorphism_check: false,
            is_own: false,
            origin,
        })
    }

    /// Returns a range of arrays; equal ranges of one array class share a class domain.
    fn array_range(
        &mut self,
        descriptor: &str,
        lengths: Vec<u32>,
        elements: Range,
    ) -> Result<Range, Error> {
        let class = self.vm.load_class(descriptor).map_err(|_| {
            Error::Bounds(format!(
                "the class {} cannot be used",
                descriptor::to_java(descriptor)
            ))
        })?;
        let mut range = Range::Arrays {
            class: 0,
            lengths,
            elements: Box::new(elements),
            is_choice: false,
        };
        let known = self
            .arrays
            .iter()
            .find(|(known, number)| *known == range && self.bounds.classes[*number].class == class);
        let number = match known {
            Some(&(_, number)) => number,
            None => {
                let number = self.enter(ClassBound {
                    class,
                    count: 0,
                    added: Vec::new(),
                    in_isomorphism_check: true,
                    is_own: true,
                    origin: "one for each field".to_owned(),
                });
                self.arrays.push((range.clone(), number));
                number
            }
        };
        if let Range::Arrays { class, .. } = &mut range {
            *class = number;
        }
        Ok(range)
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
            .filter(|field| is_chosen(self.vm, field))
            .collect();
        let hidden: Vec<_> = fields
            .iter()
            .enumerate()
            .filter(|(at, field)| {
                fields[at + 1..]
                    .iter()
                    .any(|other| other.name == field.name)
            })
            .map(|(_, field)| (field.class, field.word))
            .collect();
        for field in fields {
            let descriptor = self.vm.text(field.descriptor).to_owned();
            let name = self.vm.text(field.name);
            // A field hidden by one of the same name is identified by its declaring class.
            let is_hidden = hidden.contains(&(field.class, field.word));
            let named = if is_hidden { field.class } else { class };
            let said = self.said.field(self.vm, named, field.class, name);
            let (range, origin) = match said {
                Some(said) => (
                    self.said_range(&descriptor, said, &said.setting)?,
                    self.source.to_owned(),
                ),
                None if is_enclosing(self.vm, &field) => self.enclosing_range(&descriptor)?,
                None => self.range(&descriptor)?,
            };
            self.bounds.fields.push(FieldBound {
                class: number,
                field,
                range,
                origin,
            });
        }
        Ok(())
    }

    /// Returns the range of a field or element type, and its origin.
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
                let letters = u64::from(b'a')..=u64::from(u16::MAX);
                let letters = letters.take(scope as usize).collect();
                (Range::Slots(Kind::Char, letters), say("N letters"))
            }
            Kind::Reference | Kind::Void => return self.reference_range(descriptor),
            kind => {
                let all = 0..=largest(kind);
                let slots = all.take(scope as usize).collect();
                (Range::Slots(kind, slots), say("0 to N-1"))
            }
        })
    }

    fn reference_range(&mut self, descriptor: &str) -> Result<(Range, String), Error> {
        let scope = self.scope;
        let say = |what: &str| format!("scope {scope}: {what}");
        if let Some(element) = descriptor.strip_prefix('[') {
            let (elements, why) = self.range(element)?;
            let range = self.array_range(descriptor, (0..=scope).collect(), elements)?;
            let why = why.strip_prefix(&say("")).unwrap_or(&why);
            return Ok((range, say(&format!("lengths 0 to N, elements {why}"))));
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
        let mut classes = Vec::new();
        for class in self.packages.concrete(self.vm, class) {
            // An enum has no objects but its constants, those with a body among them.
            let number = match enum_of(self.vm, class) {
                Some(class) => self.enum_constants(class)?,
                None => self.class_number(class)?,
            };
            if !classes.contains(&number) {
                classes.push(number);
            }
        }
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

    /// Returns the range of an outer object: never null if there are objects, and the root if that
    /// has the type.
    fn enclosing_range(&mut self, descriptor: &str) -> Result<(Range, String), Error> {
        let class = target::find_class(self.vm, &descriptor::to_java(descriptor))?;
        let root = self.bounds.classes[self.bounds.root].class;
        if self.vm.is_subclass(root, class) {
            let range = Range::Objects {
                null: false,
                classes: vec![self.bounds.root],
            };
            let origin = format!("scope {}: the object around it", self.scope);
            return Ok((range, origin));
        }
        let (mut range, origin) = self.reference_range(descriptor)?;
        if let Range::Objects { null, classes } = &mut range {
            *null = classes.is_empty();
        }
        Ok((
            range,
            origin.replace("null or an object", "the object around it"),
        ))
    }

    fn boxes(&mut self, simple: &str) -> Result<usize, Error> {
        let kind = Kind::NEWARRAY
            .into_iter()
            .find(|kind| kind.box_class().ends_with(&format!("/{simple}")))
            .expect("the name of a box");
        let class = target::find_class(self.vm, &kind.box_class().replace('/', "."))?;
        if let Some(known) = self.known(class) {
            return Ok(known);
        }
        let said = self.said.objects(class);
        let slots = match said {
            Some(said) => {
                adjust::slots(kind, &said.setting).map_err(|why| said.located_error(why))?
            }
            None => {
                let count = if kind == Kind::Boolean { 2 } else { self.scope };
                let values = (0..=largest(kind)).take(count as usize);
                let slots = values.map(|value| match kind {
                    Kind::Float => u64::from((value as f32).to_bits()),
                    Kind::Double => (value as f64).to_bits(),
                    _ => value,
                });
                slots.collect()
            }
        };
        let objects = slots.into_iter().map(|slot| self.vm.boxed(kind, slot));
        let objects: Result<Vec<Ref>, String> = objects.collect();
        let objects = objects.map_err(Error::Bounds)?;
        Ok(self.enter_pool(class, objects, "boxes of 0 to N-1"))
    }

    fn strings(&mut self) -> Result<usize, Error> {
        let class = target::find_class(self.vm, "java.lang.String")?;
        if let Some(known) = self.known(class) {
            return Ok(known);
        }
        let texts: Vec<String> = match self.said.objects(class) {
            Some(said) => {
                let texts = adjust::texts(&said.setting, "string")
                    .map_err(|why| said.located_error(why))?;
                texts.into_iter().map(str::to_owned).collect()
            }
            None => (0..self.scope).map(short_string).collect(),
        };
        let mut objects = Vec::new();
        for deferred_strings in texts {
            objects.push(
                self.vm
                    .new_string(&deferred_strings)
                    .map_err(|_| Error::Bounds("no memory for strings".to_owned()))?,
            );
        }
        Ok(self.enter_pool(class, objects, "N short strings"))
    }

    fn enum_constants(&mut self, class: ClassId) -> Result<usize, Error> {
        if let Some(known) = self.known(class) {
            return Ok(known);
        }
        let constants = constants_of(self.vm, class)?;
        let objects = match self.said.objects(class) {
            Some(said) => chosen_constants(said, &constants)?,
            None => constants.into_iter().map(|(_, object)| object).collect(),
        };
        Ok(self.enter_pool(class, objects, "its constants"))
    }

    /// Returns the range of a field or element type from a user's setting.
    fn said_range(
        &mut self,
        descriptor: &str,
        said: &Adjustment,
        setting: &Setting,
    ) -> Result<Range, Error> {
        let kind = Kind::of(descriptor);
        if kind != Kind::Reference {
            let slots = adjust::slots(kind, setting).map_err(|why| said.located_error(why))?;
            if slots.is_empty() {
                return Err(said.located_error("there is no value to range over".to_owned()));
            }
            return Ok(Range::Slots(kind, slots));
        }
        if let (Some(element), Setting::Array { lengths, elements }) =
            (descriptor.strip_prefix('['), setting)
        {
            let lengths = adjust::slots(Kind::Int, &Setting::Items(lengths.clone()))
                .map_err(|why| said.located_error(format!("length: {why}")))?;
            if lengths.iter().any(|&length| length > MAX_LENGTH) {
                let reason = format!("a length is 0 to {MAX_LENGTH}");
                return Err(said.located_error(reason));
            }
            let elements = self.said_range(element, said, elements)?;
            let lengths = lengths.into_iter().map(|length| length as u32).collect();
            return self.array_range(descriptor, lengths, elements);
        }
        let what = match descriptor.starts_with('[') {
            true => "array: say { length = …, element = … }",
            false => "class or \"null\"",
        };
        let names = adjust::texts(setting, what).map_err(|why| said.located_error(why))?;
        let mut classes = Vec::new();
        for name in names.iter().filter(|name| **name != "null") {
            classes.push(self.said_class(descriptor, said, name)?);
        }
        if names.is_empty() {
            return Err(
                said.located_error("there is nothing to range over: not even \"null\"".to_owned())
            );
        }
        Ok(Range::Objects {
            null: names.contains(&"null"),
            classes,
        })
    }

    /// Returns the number of a class that a user's setting names for a field or element type.
    fn said_class(
        &mut self,
        descriptor: &str,
        said: &Adjustment,
        name: &str,
    ) -> Result<usize, Error> {
        let class = said.class(self.vm, name)?;
        let name = self.vm.binary_name(class);
        let internal = self.vm.class_name(class).to_owned();
        let fits = !descriptor.starts_with('[') && {
            let wanted = descriptor::class_name(descriptor).replace('/', ".");
            let wanted = target::find_class(self.vm, &wanted)?;
            self.vm.is_subclass(class, wanted)
        };
        if !fits {
            let wanted = descriptor::to_java(descriptor);
            return Err(said.located_error(format!("an object of {name} is no {wanted}")));
        }
        if internal == "java/lang/String" {
            return self.strings();
        }
        if let Some(simple) = Kind::of_box(&internal).and(internal.rsplit('/').next()) {
            return self.boxes(simple);
        }
        let this = self.vm.class(class);
        if this.flags & flags::ENUM != 0 {
            return self.enum_constants(class);
        }
        if this.loader == Loader::Boot || this.is_abstract() {
            let why = if this.is_abstract() {
                "abstract"
            } else {
                "of the library"
            };
            return Err(said.located_error(format!("no object of {name} can be made: it is {why}")));
        }
        self.class_number(class)
    }
}

/// Maximum length of an array.
const MAX_LENGTH: u64 = 1 << 16;

/// Returns the string with this index in `""`, `"a"`, `"b"`, … `"z"`, `"aa"`, …
fn short_string(index: u32) -> String {
    let letter = |number: u32| char::from(b'a' + (number % 26) as u8).to_string();
    match index {
        0 => String::new(),
        index => letter(index - 1).repeat(1 + (index as usize - 1) / 26),
    }
}

/// Returns the constants that a setting names.
fn chosen_constants(said: &Adjustment, constants: &[(String, Ref)]) -> Result<Vec<Ref>, Error> {
    let names = adjust::texts(&said.setting, "constant").map_err(|why| said.located_error(why))?;
    let find = |name: &str| {
        let found = constants.iter().find(|(constant, _)| constant == name);
        found.map(|(_, object)| *object).ok_or_else(|| {
            let known = constants.iter().map(|(name, _)| name.clone()).collect();
            said.not_found(format!("there is no constant {name}"), name, known)
        })
    };
    names.into_iter().map(find).collect()
}

/// Returns the enum of which the objects of a class are constants, if any.
pub(crate) fn enum_of(vm: &Vm, class: ClassId) -> Option<ClassId> {
    let is_base = |base: ClassId| vm.class_name(base) == "java/lang/Enum";
    let mut above = vm.class(class).display.iter().copied();
    above.find(|&above| vm.class(above).super_class.is_some_and(is_base))
}

/// Returns the constants of an enum with their names, in order.
pub(crate) fn constants_of(vm: &mut Vm, class: ClassId) -> Result<Vec<(String, Ref)>, Error> {
    vm.initialize_now(class).map_err(Error::Bounds)?;
    Ok(constants_of_initialized(vm, class).unwrap_or_default())
}

/// Does the same as [`constants_of`] for an initialised class; `None` if it is no enum.
pub(crate) fn constants_of_initialized(vm: &Vm, class: ClassId) -> Option<Vec<(String, Ref)>> {
    if vm.class(class).flags & flags::ENUM == 0 {
        return None;
    }
    let own = descriptor::of_class(vm.class_name(class));
    let fields = &vm.class(class).fields;
    let constants = fields
        .iter()
        .filter(|field| field.flags & flags::ENUM != 0 && vm.text(field.descriptor) == own)
        .map(|field| {
            let name = vm.text(field.name).to_owned();
            (name, Ref::from_slot(vm.heap.load(field.word)))
        });
    Some(constants.collect())
}

/// Returns the largest value of an integer type; of other types that of `long`.
fn largest(kind: Kind) -> u64 {
    match kind {
        Kind::Boolean => 1,
        Kind::Byte => i8::MAX as u64,
        Kind::Short => i16::MAX as u64,
        Kind::Char => u64::from(u16::MAX),
        Kind::Int => i32::MAX as u64,
        _ => i64::MAX as u64,
    }
}
