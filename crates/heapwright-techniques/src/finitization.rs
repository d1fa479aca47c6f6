//! Runs unmodified Korat finitization methods on the engine, against Heapwright's own
//! `korat.finitization`.

use heapwright_jvm::class::{Field, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};

use crate::Error;
use crate::bounds::{Addition, Bounds, ClassBound, FieldBound, Range};
use crate::target;

/// Returns the default name of a class's finitization method, such as `finSearchTree`.
#[must_use]
pub fn default_name(vm: &Vm, class: ClassId) -> String {
    let name = vm.binary_name(class);
    format!("fin{}", name.rsplit('.').next().unwrap_or(&name))
}

/// Finds the static method `name` with the given number of parameters.
///
/// # Errors
/// There is no such method.
pub fn find(vm: &Vm, class: ClassId, name: &str, arguments: usize) -> Result<MethodId, Error> {
    let parameters = |method: MethodId| {
        descriptor::split_method(vm.text(vm.method(method).descriptor))
            .map_or(0, |(parameters, _)| parameters.len())
    };
    let methods = &vm.class(class).methods;
    let is_static = |method: MethodId| vm.method(method).flags & flags::STATIC != 0;
    methods
        .iter()
        .copied()
        .find(|&method| {
            is_static(method)
                && vm.text(vm.method(method).name) == name
                && parameters(method) == arguments
        })
        .ok_or_else(|| Error::MethodNotFound {
            class: vm.binary_name(class),
            what: "finitization method",
            name: format!("{name} with {arguments} parameters"),
            candidates: methods
                .iter()
                .filter(|&&method| {
                    is_static(method) && vm.text(vm.method(method).name).starts_with("fin")
                })
                .map(|&method| {
                    format!(
                        "{} with {} parameters",
                        vm.text(vm.method(method).name),
                        parameters(method)
                    )
                })
                .collect(),
        })
}

/// Runs a finitization method and reads the bounds that it records.
///
/// # Errors
/// An argument does not fit, the method fails, or the recorded bounds cannot be searched.
pub fn run(vm: &mut Vm, method: MethodId, arguments: &[String]) -> Result<Bounds, Error> {
    let slots = convert_arguments(vm, method, arguments)?;
    let name = vm.method_text(method);
    let fail = |reason: String| Error::Finitization {
        method: name.clone(),
        reason,
    };
    let result = vm.call_static(method, &slots).map_err(fail)?;
    let result = Ref::from_slot(result);
    if result.is_null() {
        return Err(fail("it returned null".to_owned()));
    }
    let class = vm.heap.class_of(result);
    let Some(describe) = vm.declared_method(class, "describe", "()Ljava/lang/String;") else {
        return Err(fail(format!(
            "it returned a {}, not a finitization",
            vm.binary_name(class)
        )));
    };
    let text = vm
        .call_fully(describe, &[result.slot()])
        .map_err(|reason| {
            vm.abandon();
            fail(reason)
        })?;
    let text = vm.string_text(Ref::from_slot(text));
    FinitizationReader {
        vm,
        finitization: result,
        bounds: Bounds::default(),
        ranges: Vec::new(),
        arrays_are_choices: false,
    }
    .read(&text)
}

/// Converts texts to values of the parameter types: primitives, boxes and strings.
fn convert_arguments(
    vm: &mut Vm,
    method: MethodId,
    arguments: &[String],
) -> Result<Vec<u64>, Error> {
    let text = vm.text(vm.method(method).descriptor).to_owned();
    let parameters = descriptor::split_method(&text)
        .map(|(parameters, _)| parameters)
        .unwrap_or_default();
    let mut slots = Vec::new();
    for (index, (argument, parameter)) in arguments.iter().zip(parameters).enumerate() {
        let argument = argument.trim();
        let bad = |vm: &Vm| Error::BadArgument {
            method: vm.method_text(method),
            position: index + 1,
            text: argument.to_owned(),
            expected: descriptor::to_java(parameter),
        };
        let slot = match Kind::of(parameter) {
            Kind::Reference if parameter == "Ljava/lang/String;" => {
                vm.new_string(argument).map_err(|_| bad(vm))?.slot()
            }
            Kind::Reference => {
                let kind =
                    Kind::of_box(descriptor::class_name(parameter)).ok_or_else(|| bad(vm))?;
                let slot = parse_slot(kind, argument).ok_or_else(|| bad(vm))?;
                vm.boxed(kind, slot).map_err(|_| bad(vm))?.slot()
            }
            kind => parse_slot(kind, argument).ok_or_else(|| bad(vm))?,
        };
        slots.push(slot);
        if Kind::of(parameter).words() == 2 {
            slots.push(0);
        }
    }
    Ok(slots)
}

fn parse_slot(kind: Kind, text: &str) -> Option<u64> {
    let int = |value: i32| u64::from(value as u32);
    match kind {
        Kind::Boolean => text.parse::<bool>().ok().map(u64::from),
        Kind::Byte => text.parse::<i8>().ok().map(|value| int(value.into())),
        Kind::Short => text.parse::<i16>().ok().map(|value| int(value.into())),
        Kind::Char => text
            .encode_utf16()
            .next()
            .filter(|_| text.chars().count() == 1)
            .map(u64::from),
        Kind::Int => text.parse::<i32>().ok().map(int),
        Kind::Long => text.parse::<i64>().ok().map(|value| value as u64),
        Kind::Float => text
            .parse::<f32>()
            .ok()
            .map(|value| u64::from(value.to_bits())),
        Kind::Double => text.parse::<f64>().ok().map(f64::to_bits),
        Kind::Reference | Kind::Void => None,
    }
}

/// Maximum length of an array.
const MAX_LENGTH: u32 = 1 << 16;

/// Reader of the text that `Finitization.describe()` returns; its format is documented there.
struct FinitizationReader<'a> {
    vm: &'a mut Vm,
    finitization: Ref,
    bounds: Bounds,
    ranges: Vec<Range>,
    arrays_are_choices: bool,
}

impl FinitizationReader<'_> {
    fn read(mut self, text: &str) -> Result<Bounds, Error> {
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words.as_slice() {
                ["finitization", _] => {}
                ["arrays", mode] => self.arrays_are_choices = *mode == "objects",
                ["root", number] => self.bounds.root = self.number(number)?,
                ["class", _, name, count, isomorphism, added, own] => {
                    self.class(name, count, *isomorphism == "iso", added, *own == "own")?;
                }
                ["domain", _, rest @ ..] => {
                    let range = self.domain(rest)?;
                    self.ranges.push(range);
                }
                ["field", class, name, domain] => self.field(class, name, domain)?,
                ["addall", class, name, domain] => self.addition(class, name, domain)?,
                _ => {
                    return Err(Error::Bounds(format!(
                        "finitization record not understood: {line}"
                    )));
                }
            }
        }
        Ok(self.bounds)
    }

    fn number<T: std::str::FromStr>(&self, word: &str) -> Result<T, Error> {
        word.parse().map_err(|_| {
            Error::Bounds(format!(
                "finitization record with {word} where a number is needed"
            ))
        })
    }

    fn class(
        &mut self,
        name: &str,
        count: &str,
        iso: bool,
        added: &str,
        own: bool,
    ) -> Result<(), Error> {
        let class = target::find_class(self.vm, name)?;
        let count: i64 = self.number(count)?;
        let added: u32 = self.number(added)?;
        let number = self.bounds.classes.len();
        let objects = if added == 0 {
            Vec::new()
        } else {
            self.added_objects(number)?
        };
        self.bounds.classes.push(ClassBound {
            class,
            count: u32::try_from(count.max(0))
                .map_err(|_| Error::Bounds(format!("{count} objects of {name}")))?,
            added: objects,
            in_isomorphism_check: iso,
            is_own: own,
            origin: "finitization".to_owned(),
        });
        Ok(())
    }

    fn added_objects(&mut self, number: usize) -> Result<Vec<Ref>, Error> {
        let class = self.vm.heap.class_of(self.finitization);
        let fail = |reason: String| Error::Finitization {
            method: "addedObjects".to_owned(),
            reason,
        };
        let method = self
            .vm
            .declared_method(class, "addedObjects", "(I)[Ljava/lang/Object;")
            .ok_or_else(|| fail("there is no such method".to_owned()))?;
        let array = self
            .vm
            .call_fully(method, &[self.finitization.slot(), number as u64])
            .map_err(|reason| {
                self.vm.abandon();
                fail(reason)
            })?;
        Ok(self.vm.object_elements(Ref::from_slot(array)))
    }

    fn domain(&self, words: &[&str]) -> Result<Range, Error> {
        Ok(match words {
            ["boolean"] => Range::Slots(Kind::Boolean, vec![0, 1]),
            ["objects", _, null, classes @ ..] => Range::Objects {
                null: *null == "null",
                classes: classes
                    .iter()
                    .map(|word| self.number(word))
                    .collect::<Result<_, _>>()?,
            },
            ["array", class, lengths, elements] => {
                let range = |word: &str| {
                    let number: usize = self.number(word)?;
                    self.ranges
                        .get(number)
                        .ok_or_else(|| Error::Bounds(format!("array of the unknown domain {word}")))
                };
                let Range::Slots(Kind::Int, slots) = range(lengths)? else {
                    return Err(Error::Bounds(
                        "array lengths that are no integers".to_owned(),
                    ));
                };
                let lengths = slots.iter().map(|&slot| slot as u32).collect::<Vec<u32>>();
                if let Some(&length) = lengths.iter().find(|&&length| length > MAX_LENGTH) {
                    return Err(Error::Bounds(format!(
                        "an array of length {}: 0 to {MAX_LENGTH} can be chosen",
                        length as i32
                    )));
                }
                Range::Arrays {
                    class: self.number(class)?,
                    lengths,
                    elements: Box::new(range(elements)?.clone()),
                    is_choice: self.arrays_are_choices,
                }
            }
            [kind, values @ ..] => {
                let kind = Kind::of_keyword(kind).ok_or_else(|| {
                    Error::Bounds(format!("finitization record of the unknown kind {kind}"))
                })?;
                let mut slots = Vec::new();
                for value in values {
                    self.add_values(kind, value, &mut slots)?;
                }
                Range::Slots(kind, slots)
            }
            [] => {
                return Err(Error::Bounds(
                    "finitization record without a kind".to_owned(),
                ));
            }
        })
    }

    /// Parses `FIRST:STEP:COUNT` for integers, or the bits of a floating-point number.
    fn add_values(&self, kind: Kind, word: &str, slots: &mut Vec<u64>) -> Result<(), Error> {
        if matches!(kind, Kind::Float | Kind::Double) {
            slots.push(
                self.number::<i64>(word)? as u64
                    & if kind == Kind::Float {
                        0xFFFF_FFFF
                    } else {
                        u64::MAX
                    },
            );
            return Ok(());
        }
        let parts: Vec<i64> = word
            .split(':')
            .map(|part| self.number(part))
            .collect::<Result<_, _>>()?;
        let [first, step, count] = parts[..] else {
            return Err(Error::Bounds(format!(
                "finitization record with the range {word}"
            )));
        };
        if count > 1 << 20 {
            return Err(Error::Bounds(format!(
                "a range of {count} values cannot be chosen from one by one"
            )));
        }
        for index in 0..count {
            let value = first.wrapping_add(step.wrapping_mul(index));
            slots.push(if kind == Kind::Long {
                value as u64
            } else {
                u64::from(value as u32)
            });
        }
        Ok(())
    }

    fn field(&mut self, class: &str, name: &str, domain: &str) -> Result<(), Error> {
        let (number, field) = self.field_named(class, name)?;
        let class_name = self.vm.binary_name(self.bounds.classes[number].class);
        let range = self.range_numbered(domain)?;
        self.check_assignable(&class_name, &field, &range)?;
        self.bounds.fields.push(FieldBound {
            class: number,
            field,
            range,
            origin: "finitization".to_owned(),
        });
        Ok(())
    }

    fn addition(&mut self, class: &str, name: &str, domain: &str) -> Result<(), Error> {
        let (number, field) = self.field_named(class, name)?;
        let objects = self.range_numbered(domain)?;
        let declared = descriptor::class_name(self.vm.text(field.descriptor)).replace('/', ".");
        let collection = target::find_class(self.vm, "java.util.Collection")?;
        let is_collection = field.kind == Kind::Reference && !declared.starts_with('[') && {
            let declared = target::find_class(self.vm, &declared)?;
            self.vm.is_subclass(declared, collection)
        };
        if !is_collection {
            return Err(Error::Bounds(format!(
                "addAll on {}.{name}, which is of type {}: it must be a java.util.Collection",
                self.vm.binary_name(self.bounds.classes[number].class),
                descriptor::to_java(self.vm.text(field.descriptor))
            )));
        }
        self.bounds.additions.push(Addition {
            class: number,
            field,
            objects,
        });
        Ok(())
    }

    /// Finds a field by the number of its class and by its name.
    fn field_named(&mut self, class: &str, name: &str) -> Result<(usize, Field), Error> {
        let number: usize = self.number(class)?;
        let class = self
            .bounds
            .classes
            .get(number)
            .ok_or_else(|| Error::Bounds("field of no class".to_owned()))?
            .class;
        let class_name = self.vm.binary_name(class);
        let field = self.vm.find_field(class, name).cloned().ok_or_else(|| {
            Error::Bounds(format!(
                "the finitization bounds {class_name}.{name}, but {class_name} has no field {name}"
            ))
        })?;
        if field.is_static() {
            return Err(Error::Bounds(format!(
                "{class_name}.{name} is static: static fields are not chosen"
            )));
        }
        Ok((number, field))
    }

    fn range_numbered(&self, domain: &str) -> Result<Range, Error> {
        let number: usize = self.number(domain)?;
        self.ranges
            .get(number)
            .cloned()
            .ok_or_else(|| Error::Bounds("field of no domain".to_owned()))
    }

    fn check_assignable(
        &mut self,
        class_name: &str,
        field: &Field,
        range: &Range,
    ) -> Result<(), Error> {
        let Range::Objects { classes, .. } = range else {
            return Ok(());
        };
        if field.kind != Kind::Reference {
            return Ok(());
        }
        let declared = descriptor::class_name(self.vm.text(field.descriptor)).replace('/', ".");
        if declared.starts_with('[') {
            return Ok(());
        }
        let declared = target::find_class(self.vm, &declared)?;
        for &class in classes {
            let class = self.bounds.classes[class].class;
            if !self.vm.is_subclass(class, declared) {
                return Err(Error::Bounds(format!(
                    "{class_name}.{} is of type {}: a {} does not fit",
                    self.vm.text(field.name),
                    self.vm.binary_name(declared),
                    self.vm.binary_name(class)
                )));
            }
        }
        Ok(())
    }
}
