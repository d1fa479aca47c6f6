//! Values of declared types: those that structures do not have, so that they are arguments of calls
//! or elements of them.
//!
//! Invariant: a test can write every value, and the compiler accepts it for the type.

use std::sync::Arc;

use heapwright_jvm::class::{Loader, flags};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Ref, Vm};
use heapwright_suite::{CollectionKind, Literal, Value};

use super::{Argument, ValuePool, null};
use crate::Error;
use crate::derive::{constants_of, enum_of};
use crate::functional::{
    COMPARATOR, StubResult, comparators, compares_itself, functional, lambda, stub_class,
};
use crate::packages::{Packages, TestPackage};
use crate::read::{StructureReader, value};
use crate::signatures::{Signature, Type, Variables};
use crate::statements::jdk_values::{JdkMember, for_type};
use crate::statements::{MethodCall, is_object_value};
use crate::target::find_class;

/// Most values of which arrays and collections are made.
const MAX_ELEMENTS: usize = 8;
/// Most constants of a class of the library, and most results of lambdas of an interface.
const MAX_CONSTANTS: usize = 3;
const MAX_RESULTS: usize = 2;

/// Interfaces of which collections are made, and their kinds.
const INTERFACES: [(&str, CollectionKind); 5] = [
    ("java/lang/Iterable", CollectionKind::List),
    ("java/util/Collection", CollectionKind::List),
    ("java/util/List", CollectionKind::List),
    ("java/util/Set", CollectionKind::Set),
    ("java/util/Map", CollectionKind::Map),
];

/// Methods of `Comparator` that return the JDK's comparators, in their order.
const ORDERS: [&str; 2] = ["naturalOrder", "reverseOrder"];

/// Object that calls can change, as the recipe of new ones with the same contents.
#[derive(Clone, Debug)]
pub(crate) struct Mutable {
    pub(super) recipe: Recipe,
    /// Its form in a test.
    pub literal: Literal,
}

/// How an object is made.
#[derive(Clone, Debug)]
pub(super) enum Recipe {
    /// From these elements.
    Elements {
        container: Container,
        /// Class of the array, or of the one whose elements the collection takes.
        array: ClassId,
        kind: Kind,
        elements: Vec<u64>,
    },
    /// By a call without a receiver.
    Call(MethodCall, Vec<CreationArgument>),
}

/// Argument of a call that makes an object.
#[derive(Clone, Debug)]
pub(super) enum CreationArgument {
    /// A value of so many words that no call changes.
    Value(Argument, u16),
    /// A new object.
    New(Mutable),
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Container {
    Array,
    Collection(CollectionKind),
}

impl Mutable {
    /// Makes a new one on the machine that made the elements.
    ///
    /// # Errors
    /// The heap is full, or a call fails.
    pub fn make(&self, vm: &mut Vm) -> Result<Ref, String> {
        match &self.recipe {
            Recipe::Elements {
                container,
                array,
                kind,
                elements,
            } => {
                let bytes = kind.element_bytes();
                let length = elements.len() as u32;
                let array = vm.heap.allocate_array(*array, length, bytes, false);
                let array = array.map_err(|_| "no memory for arrays".to_owned())?;
                let start = vm.heap.elements(array);
                for (place, &element) in (0u64..).zip(elements) {
                    vm.set_array_slot(start + place * u64::from(bytes), *kind, element);
                }
                match container {
                    Container::Array => Ok(array),
                    Container::Collection(holder) => hold(vm, *holder, array),
                }
            }
            Recipe::Call(call, parts) => made_by(vm, *call, parts),
        }
    }
}

/// Makes values of declared types on a machine.
pub(crate) struct ValueMaker<'a> {
    pub vm: &'a mut Vm,
    pub reader: &'a mut StructureReader,
    /// Class under test, whose package has the tests.
    pub under_test: ClassId,
    /// Values of primitive types and strings.
    pub pool: &'a ValuePool,
    /// Types for which type variables stand, or their bounds.
    pub variables: &'a Variables,
    /// Whether the values are arguments of an overloaded method, so that lambdas need a cast.
    pub is_overloaded: bool,
}

impl ValueMaker<'_> {
    /// Returns the values of a type: those that no call changes, and those that calls can change.
    /// Types without others have objects that calls make. Abstract types of the program that nothing
    /// implements have scripted stubs, too.
    ///
    /// # Errors
    /// A class of the type cannot be used.
    pub fn values(&mut self, declared: &Type) -> Result<(Vec<Argument>, Vec<Mutable>), Error> {
        let immutable = self.immutable(declared)?;
        let mut mutable = self.mutable(declared)?;
        if immutable.is_empty() && mutable.is_empty() {
            mutable = self.objects(declared)?;
        }
        mutable.extend(self.scripted_stubs(declared)?);
        Ok((immutable, mutable))
    }

    /// Returns the values of a type that calls can change: arrays and collections of at most two
    /// elements each.
    ///
    /// # Errors
    /// A class of the type cannot be used.
    pub(super) fn mutable(&mut self, declared: &Type) -> Result<Vec<Mutable>, Error> {
        match declared {
            Type::Array(element) => self.arrays(declared, element),
            Type::Class(name, arguments) => {
                let holder = INTERFACES.iter().find(|(interface, _)| interface == name);
                match holder {
                    Some((_, holder)) => self.collections(*holder, arguments),
                    None => Ok(Vec::new()),
                }
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Returns the values of a type that no call changes, null excluded. Primitives are those of the
    /// pool. Boxes, `Object`, `Number` and `Comparable` are boxes of these. Strings are those of the
    /// pool, enums their constants. Functional interfaces have lambdas that return the first values
    /// of their result; classes of the library have the constants of their own type.
    ///
    /// # Errors
    /// A class of the type cannot be used.
    pub(super) fn immutable(&mut self, declared: &Type) -> Result<Vec<Argument>, Error> {
        let text = declared.erased(self.variables);
        let kind = Kind::of(&text);
        if kind != Kind::Reference {
            let slots = self.pool.slots(kind).into_iter();
            let values = slots.map(|slot| Argument {
                slot,
                literal: Literal::Value(value(kind, slot, |_| Value::Null)),
            });
            return Ok(values.collect());
        }
        if text.starts_with('[') {
            return Ok(Vec::new());
        }
        let name = descriptor::class_name(&text);
        let boxed = match name {
            "java/lang/Object" | "java/lang/Number" | "java/lang/Comparable" => Some(Kind::Int),
            name => Kind::of_box(name),
        };
        if let Some(kind) = boxed {
            return self.boxes(kind);
        }
        if matches!(name, "java/lang/String" | "java/lang/CharSequence") {
            return self.strings();
        }
        let class = find_class(self.vm, &name.replace('/', "."))?;
        if self.vm.class(class).flags & flags::ENUM != 0 {
            return self.enum_constants(class);
        }
        if self.vm.class(class).is_interface() {
            let is_collection = INTERFACES.iter().any(|(interface, _)| *interface == name);
            return match is_collection {
                true => Ok(Vec::new()),
                false => {
                    let mut values = self.constants_behind(class)?;
                    values.extend(self.lambdas(class, declared)?);
                    Ok(values)
                }
            };
        }
        Ok(self.library_constants(class))
    }

    fn boxes(&mut self, kind: Kind) -> Result<Vec<Argument>, Error> {
        let slots = self.pool.slots(kind).into_iter();
        let boxes = slots.map(|slot| {
            let object = self.vm.boxed(kind, slot).map_err(Error::Bounds)?;
            Ok(Argument {
                slot: object.slot(),
                literal: Literal::Boxed(value(kind, slot, |_| Value::Null)),
            })
        });
        boxes.collect()
    }

    fn strings(&mut self) -> Result<Vec<Argument>, Error> {
        let strings = self.pool.strings.iter().map(|text| {
            let object = self.vm.new_string(text);
            let object = object.map_err(|_| Error::Bounds("no memory for strings".to_owned()))?;
            Ok(Argument {
                slot: object.slot(),
                literal: Literal::String(text.clone()),
            })
        });
        strings.collect()
    }

    /// Constants of the enums that implement an interface of the program.
    fn constants_behind(&mut self, interface: ClassId) -> Result<Vec<Argument>, Error> {
        let mut values: Vec<Argument> = Vec::new();
        if !self.vm.is_app_class(interface) {
            return Ok(values);
        }
        let mut known = Vec::new();
        for class in Packages::default().concrete(self.vm, interface) {
            let constants = enum_of(self.vm, class).filter(|one| !known.contains(one));
            if let Some(class) = constants {
                known.push(class);
                values.extend(self.enum_constants(class)?);
            }
        }
        Ok(values)
    }

    fn enum_constants(&mut self, class: ClassId) -> Result<Vec<Argument>, Error> {
        let sig = self.reader.class_sig(self.vm, class);
        let constants = constants_of(self.vm, class)?.into_iter();
        let constants = constants.map(|(name, object)| Argument {
            slot: object.slot(),
            literal: Literal::EnumConstant {
                class: Arc::clone(&sig),
                name,
            },
        });
        Ok(constants.collect())
    }

    /// Lambdas of a functional interface that tests can name, and the JDK's comparators.
    fn lambdas(&mut self, interface: ClassId, declared: &Type) -> Result<Vec<Argument>, Error> {
        let methods = functional(self.vm, interface);
        let Some(&method) = methods.first() else {
            return Ok(Vec::new());
        };
        let own = Signature::of(self.vm, method);
        let package = TestPackage::of(self.vm, self.under_test);
        if own.is_generic || !package.names(self.vm, interface) {
            return Ok(Vec::new());
        }
        if self.vm.class_name(interface) == COMPARATOR
            && compares_itself(self.vm, declared, self.variables)
        {
            return Ok(self.orders(interface));
        }
        let of = self.vm.method(method).class;
        let returned = own.returned_in(self.vm, declared, of);
        let text = returned.erased(self.variables);
        let result = StubResult::of(self.vm, &text, &|vm, text| is_object_value(vm, text));
        let results: Vec<Option<Argument>> = match result {
            StubResult::Nothing => vec![None],
            StubResult::Null | StubResult::Object => vec![Some(null())],
            StubResult::Held => self.immutable(&returned)?.into_iter().map(Some).collect(),
        };
        let field = (result == StubResult::Held).then_some(text.as_str());
        let Some(class) = stub_class(self.vm, interface, &methods, field) else {
            return Ok(Vec::new());
        };
        let sig = self.reader.class_sig(self.vm, interface);
        let mut lambdas = Vec::new();
        for result in results.into_iter().take(MAX_RESULTS) {
            let words = self.vm.class(class).instance_words;
            let object = self.vm.heap.allocate(class, words, false);
            let object = object.map_err(|_| Error::Bounds("no memory for lambdas".to_owned()))?;
            if let (Some(result), Some(field)) = (&result, self.vm.class(class).fields.first()) {
                let word = field.word;
                self.vm.heap.store(object.0 + word, result.slot);
            }
            lambdas.push(Argument {
                slot: object.slot(),
                literal: lambda(
                    self.vm,
                    (interface, Arc::clone(&sig)),
                    method,
                    result.map(|result| result.literal),
                    self.is_overloaded,
                ),
            });
        }
        Ok(lambdas)
    }

    fn orders(&mut self, comparator: ClassId) -> Vec<Argument> {
        let class = self.reader.class_sig(self.vm, comparator);
        let orders = comparators(self.vm).into_iter().zip(ORDERS);
        let orders = orders.map(|(object, method)| Argument {
            slot: object.slot(),
            literal: Literal::Factory {
                class: Arc::clone(&class),
                method: method.to_owned(),
                is_raw: self.is_overloaded,
                of: None,
            },
        });
        orders.collect()
    }

    /// Constants of its own type that a class of the library publishes: `BigDecimal.ZERO`. Without
    /// any, those that another class publishes: `StandardCharsets.UTF_8`.
    fn library_constants(&mut self, class: ClassId) -> Vec<Argument> {
        let is_public = |access: u16| access & flags::PUBLIC != 0;
        let this = self.vm.class(class);
        if this.loader != Loader::Boot || !is_public(this.flags) {
            return Vec::new();
        }
        if self.vm.initialize_now(class).is_err() {
            return Vec::new();
        }
        let own = descriptor::of_class(self.vm.class_name(class));
        let fields = self.vm.class(class).fields.iter().filter(|field| {
            let is_constant = field.is_static() && field.flags & flags::FINAL != 0;
            is_constant && is_public(field.flags) && self.vm.text(field.descriptor) == own
        });
        let constants = fields.map(|field| {
            let object = Ref::from_slot(self.vm.heap.load(field.word));
            (self.vm.text(field.name).to_owned(), object)
        });
        let constants = constants.filter(|(_, object)| !object.is_null());
        let constants: Vec<(String, Ref)> = constants.take(MAX_CONSTANTS).collect();
        if constants.is_empty() {
            return self.jdk_constants(class);
        }
        let sig = self.reader.class_sig(self.vm, class);
        let constants = constants.into_iter().map(|(name, object)| Argument {
            slot: object.slot(),
            literal: Literal::StaticField {
                class: Arc::clone(&sig),
                name,
                field_type: sig.name.clone(),
            },
        });
        constants.collect()
    }

    fn jdk_constants(&mut self, wanted: ClassId) -> Vec<Argument> {
        let text = descriptor::of_class(self.vm.class_name(wanted));
        let mut found = Vec::new();
        for maker in for_type(self.vm, &text) {
            if let Ok(created) = self.vm.load_class(maker.created())
                && self.vm.is_subclass(created, wanted)
                && let Some(JdkMember::Constant(constant)) = maker.member(self.vm)
                && let Some(field) = self.vm.find_field(constant.class, &constant.name)
            {
                found.push(Argument {
                    slot: self.vm.heap.load(field.word),
                    literal: Literal::StaticField {
                        class: self.reader.class_sig(self.vm, constant.class),
                        name: constant.name,
                        field_type: descriptor::to_java(&constant.descriptor),
                    },
                });
            }
        }
        found
    }

    fn elements(&mut self, declared: &Type) -> Result<Vec<Argument>, Error> {
        let mut values = self.immutable(declared)?;
        values.truncate(MAX_ELEMENTS);
        Ok(values)
    }

    fn arrays(&mut self, declared: &Type, element: &Type) -> Result<Vec<Mutable>, Error> {
        let values = self.elements(element)?;
        let element = element.erased(self.variables);
        // All values of these types are boxes of integers.
        let text = match element.as_str() {
            "Ljava/lang/Number;" | "Ljava/lang/Comparable;" => "[Ljava/lang/Integer;".to_owned(),
            _ => declared.erased(self.variables),
        };
        let name = text.replace('/', ".");
        let class = find_class(self.vm, &name)?;
        let arrays = up_to_two(&values, true).into_iter();
        let arrays = arrays.map(|elements| Mutable {
            recipe: Recipe::Elements {
                container: Container::Array,
                array: class,
                kind: Kind::of(&element),
                elements: slots(&elements),
            },
            literal: Literal::Array {
                class: name.clone(),
                elements: literals(&elements),
            },
        });
        Ok(arrays.collect())
    }

    fn collections(
        &mut self,
        holder: CollectionKind,
        contents: &[Type],
    ) -> Result<Vec<Mutable>, Error> {
        let content = |place: usize| contents.get(place).cloned().unwrap_or(Type::Any);
        let values = self.elements(&content(0))?;
        let further = match holder {
            CollectionKind::Map => self.elements(&content(1))?,
            _ => Vec::new(),
        };
        let objects = find_class(self.vm, "[Ljava.lang.Object;")?;
        let collections = up_to_two(&values, holder == CollectionKind::List).into_iter();
        let collections = collections.map(|mut elements| {
            if holder == CollectionKind::Map {
                // Two keys have two values.
                let keys = elements.into_iter().zip(further.iter().cycle());
                elements = keys.flat_map(|(key, value)| [key, value.clone()]).collect();
            }
            Mutable {
                recipe: Recipe::Elements {
                    container: Container::Collection(holder),
                    array: objects,
                    kind: Kind::Reference,
                    elements: slots(&elements),
                },
                literal: Literal::Held {
                    holder,
                    elements: literals(&elements),
                },
            }
        });
        Ok(collections.collect())
    }
}

/// Returns the object that a call without a receiver makes.
fn made_by(vm: &mut Vm, call: MethodCall, parts: &[CreationArgument]) -> Result<Ref, String> {
    let mut slots = Vec::new();
    if call.is_constructor() {
        vm.initialize_now(call.class)?;
        let words = vm.class(call.class).instance_words;
        let object = vm.heap.allocate(call.class, words, false);
        let object = object.map_err(|_| "no memory for objects".to_owned())?;
        slots.push(object.slot());
    }
    for part in parts {
        match part {
            CreationArgument::Value(argument, words) => {
                slots.push(argument.slot);
                slots.resize(slots.len() + usize::from(*words) - 1, 0);
            }
            CreationArgument::New(mutable) => slots.push(mutable.make(vm)?.slot()),
        }
    }
    let result = vm.call_static(call.method, &slots)?;
    Ok(Ref::from_slot(match call.is_constructor() {
        true => slots[0],
        false => result,
    }))
}

/// Returns no, one and two of some values: in both orders and twice the same, or each pair once.
fn up_to_two(values: &[Argument], in_order: bool) -> Vec<Vec<Argument>> {
    let mut all = vec![Vec::new()];
    all.extend(values.iter().map(|value| vec![value.clone()]));
    for (place, first) in values.iter().enumerate() {
        let start = if in_order { 0 } else { place + 1 };
        all.extend(
            values[start..]
                .iter()
                .map(|second| vec![first.clone(), second.clone()]),
        );
    }
    all
}

fn literals(elements: &[Argument]) -> Vec<Literal> {
    elements
        .iter()
        .map(|element| element.literal.clone())
        .collect()
}

fn slots(elements: &[Argument]) -> Vec<u64> {
    elements.iter().map(|element| element.slot).collect()
}

/// Returns a collection of the elements of an array.
fn hold(vm: &mut Vm, holder: CollectionKind, array: Ref) -> Result<Ref, String> {
    let (name, interface) = match holder {
        CollectionKind::List => ("list", "java/util/List"),
        CollectionKind::Set => ("set", "java/util/Set"),
        CollectionKind::Map => ("map", "java/util/Map"),
    };
    let class = vm.load_class("heapwright/Holders");
    let descriptor = format!("([Ljava/lang/Object;)L{interface};");
    let method = class
        .ok()
        .and_then(|class| vm.declared_method(class, name, &descriptor));
    let method = method.ok_or("there is nothing to make collections with")?;
    vm.call_static(method, &[array.slot()]).map(Ref::from_slot)
}
