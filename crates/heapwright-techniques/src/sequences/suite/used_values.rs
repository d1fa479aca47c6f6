//! Values that a test has used as arguments, words in its texts, and neighbours of its numbers:
//! observers are asked with them.

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use heapwright_suite::{Input, Literal, Value as Written};

use super::writer::ScriptWriter;
use crate::read::value;
use crate::sequences::model::Concrete;
use crate::signatures::{Signature, Type};
use crate::statements::{Invokable, StatementArgument, StatementKind};
use crate::symbolic::{Contents, InputValue, as_written, boxed, make_with};

/// Maximum number of argument lists with which one observer is asked.
const MAX_LISTS: usize = 6;

/// Maximum number of words of each text.
const MAX_WORDS: usize = 4;

/// Maximum number of values of parameters of other names, where there are some of the same name.
const MAX_OF_OTHER_NAME: usize = 1;

/// Nearness of a value to the call under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Nearness {
    /// The call took it.
    Taken,
    /// An earlier statement took it.
    Earlier,
    /// It differs by one from a value that the call took.
    Neighbour,
    /// It is a word of a text that the test has used.
    Word,
}

/// A value that a test has used.
#[derive(Clone, Debug)]
struct UsedValue {
    input: Input,
    slot: u64,
    kind: Kind,
    /// Class of the object; `None` for primitives and null.
    class: Option<ClassId>,
    /// Name of the parameter that took it.
    name: String,
    /// Declared type of the parameter that took it.
    declared: Type,
    /// Class whose type variables that type has.
    owner: Option<ClassId>,
    nearness: Nearness,
}

/// Values that a test has used, the nearest to the call under test first.
#[derive(Clone, Debug, Default)]
pub(super) struct UsedValues {
    values: Vec<UsedValue>,
}

/// Arguments of an observer, in source form and as slots.
pub(super) type ArgumentList = (Vec<Input>, Vec<u64>);

impl UsedValues {
    /// Returns the lists of arguments for the parameters of a method: values of parameters of the same
    /// name first, and then the nearest to the call under test. For several parameters, the second list
    /// is one of words, if there are any, and each other one differs from the first in one place.
    pub fn lists(
        &self,
        vm: &mut Vm,
        method: MethodId,
        parameters: &[(String, Type)],
    ) -> Vec<ArgumentList> {
        if parameters.is_empty() {
            return vec![(Vec::new(), Vec::new())];
        }
        let owner = vm.method(method).class;
        let names = vm.parameter_names(method);
        let mut fitting: Vec<Vec<&UsedValue>> = Vec::new();
        for (place, (descriptor, declared)) in parameters.iter().enumerate() {
            let values = self.values.iter();
            let fits = values.filter(|value| value.fits(vm, owner, descriptor, declared));
            let mut fits: Vec<&UsedValue> = fits.collect();
            let name = names.get(place).and_then(Option::as_deref);
            let is_named = |value: &&UsedValue| Some(&value.name[..]) == name;
            fits.sort_by_key(|value| !is_named(value));
            match fits.iter().filter(|value| is_named(value)).count() {
                0 => {}
                named => fits.truncate(named + MAX_OF_OTHER_NAME),
            }
            fitting.push(fits);
        }
        let Some(first) = distinct(&fitting, |_| true) else {
            return Vec::new();
        };
        let mut lists = vec![first.clone()];
        // What a text says is asked for by its words.
        if parameters.len() > 1 {
            let words = distinct(&fitting, |value| value.nearness == Nearness::Word);
            lists.extend(words.filter(|words| !is_same_list(words, &first)));
        }
        for (place, values) in fitting.iter().enumerate() {
            for value in values {
                let mut list = first.clone();
                list[place] = value;
                let is_new = !lists.iter().any(|other| is_same_list(other, &list));
                if is_new && lists.len() < MAX_LISTS {
                    lists.push(list);
                }
            }
        }
        lists.iter().map(|list| arguments(list)).collect()
    }
}

/// Returns for each place one of the values that fit there, the first that is `preferred` and stands
/// at no earlier place; `None` if a place has none at all, or if none is `preferred`.
fn distinct<'v>(
    fitting: &[Vec<&'v UsedValue>],
    preferred: impl Fn(&UsedValue) -> bool,
) -> Option<Vec<&'v UsedValue>> {
    let mut list: Vec<&UsedValue> = Vec::new();
    for values in fitting {
        let is_free = |value: &&&UsedValue| !list.iter().any(|taken| std::ptr::eq(*taken, **value));
        let free = values.iter().filter(is_free).copied();
        let first = free.clone().find(|value| preferred(value));
        list.push(first.or(free.clone().next()).or(values.first().copied())?);
    }
    list.iter().any(|value| preferred(value)).then_some(list)
}

/// Whether two lists are written alike.
fn is_same_list(list: &[&UsedValue], other: &[&UsedValue]) -> bool {
    let texts = |list: &[&UsedValue]| -> Vec<String> {
        list.iter()
            .map(|value| format!("{:?}", value.input))
            .collect()
    };
    texts(list) == texts(other)
}

fn arguments(list: &[&UsedValue]) -> ArgumentList {
    let inputs = list.iter().map(|value| value.input.clone());
    let slots = list.iter().flat_map(|value| match value.kind.words() {
        2 => vec![value.slot, 0],
        _ => vec![value.slot],
    });
    (inputs.collect(), slots.collect())
}

impl UsedValue {
    /// Whether it can be an argument for a parameter. Where types are type variables or more general
    /// than the value, both parameters have to be declared alike: other arguments may not compile.
    fn fits(&self, vm: &mut Vm, owner: ClassId, descriptor: &str, declared: &Type) -> bool {
        let kind = Kind::of(descriptor);
        if kind != Kind::Reference || self.kind != Kind::Reference {
            return kind == self.kind;
        }
        if self.declared == *declared {
            return declared.variables().is_empty() || self.owner == Some(owner);
        }
        let (Some(own), Type::Class(name, arguments)) = (self.class, declared) else {
            return false;
        };
        // A value of another parameter's type need not fit type arguments.
        let is_plain =
            |declared: &Type| matches!(declared, Type::Class(_, arguments) if arguments.is_empty());
        arguments.is_empty()
            && name != "java/lang/Object"
            && is_plain(&self.declared)
            && vm
                .load_class(name)
                .is_ok_and(|class| vm.is_subclass(own, class))
    }
}

impl ScriptWriter<'_> {
    /// Collects the values that the calls of a sequence take, and those next to them.
    pub(super) fn used_values(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        objects: &[Option<Ref>],
    ) -> UsedValues {
        let input = &concrete.input;
        let made = as_written(vm, input).and_then(|known| make_with(vm, input, &known));
        let Ok(made) = made else {
            return UsedValues::default();
        };
        let mut used = UsedValues::default();
        let (mut place, mut word) = (0, 0);
        for (number, statement) in concrete.statements.iter().enumerate() {
            let nearness = match number + 1 == concrete.statements.len() {
                true => Nearness::Taken,
                false => Nearness::Earlier,
            };
            let invokable = &self.plan.invokables[statement.invokable];
            let (types, owner) = declared(vm, invokable);
            for (at, argument) in statement.arguments.iter().enumerate() {
                let at = at.min(types.len().saturating_sub(1));
                let Some(taken) = types.get(at) else { continue };
                let name = invokable.parameters.get(at).map(|taken| taken.name.clone());
                let name = name.unwrap_or_default();
                match argument {
                    StatementArgument::Open => {
                        let Some((_, value)) = input.roots.get(place) else {
                            continue;
                        };
                        let slot = made.slots.get(word).copied().unwrap_or_default();
                        let kind = kind_of(value);
                        place += 1;
                        word += kind.words() as usize;
                        let is_plain = match value {
                            InputValue::Object(number) => {
                                let object = &input.objects[*number];
                                boxed(object).is_some()
                                    || matches!(object.contents, Contents::Text(_))
                            }
                            // Null says little about an observer.
                            InputValue::Null => false,
                            _ => true,
                        };
                        if !is_plain {
                            continue;
                        }
                        if let Ok(Some(literal)) = self.literal(vm, input, value) {
                            let class = class_of(vm, kind, slot);
                            used.add(UsedValue {
                                input: Input::Literal(literal),
                                slot,
                                kind,
                                class,
                                name,
                                declared: taken.clone(),
                                owner,
                                nearness,
                            });
                        }
                    }
                    StatementArgument::Result(place)
                        if nearness == Nearness::Taken && !is_receiver(invokable, at) =>
                    {
                        let object = objects.get(*place).copied().flatten();
                        if let Some(object) = object.filter(|object| !object.is_null()) {
                            used.add(UsedValue {
                                input: Input::Object(*place),
                                slot: object.slot(),
                                kind: Kind::Reference,
                                class: Some(vm.heap.class_of(object)),
                                name,
                                declared: taken.clone(),
                                owner,
                                nearness,
                            });
                        }
                    }
                    _ => {}
                }
            }
        }
        used.add_neighbours(vm);
        used.add_words(vm);
        used.values.sort_by_key(|value| value.nearness);
        used
    }
}

impl UsedValues {
    fn add(&mut self, value: UsedValue) {
        let same = |other: &&mut UsedValue| {
            other.declared == value.declared
                && other.name == value.name
                && other.owner == value.owner
                && format!("{:?}", other.input) == format!("{:?}", value.input)
        };
        match self.values.iter_mut().find(same) {
            Some(known) => known.nearness = known.nearness.min(value.nearness),
            None => self.values.push(value),
        }
    }

    /// Adds the integers next to those that the call took.
    fn add_neighbours(&mut self, vm: &mut Vm) {
        let taken = self.values.clone();
        let taken = taken
            .iter()
            .filter(|value| value.nearness == Nearness::Taken);
        for value in taken {
            for step in [-1, 1] {
                if let Some(next) = value.next(vm, step) {
                    self.add(next);
                }
            }
        }
    }

    /// Adds words of the texts that consist of more than a word.
    fn add_words(&mut self, vm: &mut Vm) {
        for value in self.values.clone() {
            let Input::Literal(Literal::String(text)) = &value.input else {
                continue;
            };
            let words = text.split(|unit: char| !unit.is_alphanumeric() && unit != '_');
            let words = words.filter(|word| !word.is_empty() && word.len() < text.len());
            let mut known: Vec<&str> = Vec::new();
            for word in words {
                if known.len() < MAX_WORDS && !known.contains(&word) {
                    known.push(word);
                }
            }
            for word in known {
                let Ok(string) = vm.new_string(word) else {
                    return;
                };
                self.add(UsedValue {
                    input: Input::Literal(Literal::String(word.to_owned())),
                    slot: string.slot(),
                    name: String::new(),
                    nearness: Nearness::Word,
                    ..value.clone()
                });
            }
        }
    }
}

impl UsedValue {
    /// Returns the integer that differs from this one by `step`.
    fn next(&self, vm: &mut Vm, step: i32) -> Option<UsedValue> {
        let (literal, kind, slot) = match &self.input {
            Input::Literal(Literal::Value(Written::Int(number))) => {
                let next = number.checked_add(step)?;
                let slot = u64::from(next as u32);
                (
                    Literal::Value(value(Kind::Int, slot, |_| Written::Null)),
                    Kind::Int,
                    slot,
                )
            }
            Input::Literal(Literal::Value(Written::Long(number))) => {
                let slot = number.checked_add(i64::from(step))? as u64;
                (
                    Literal::Value(value(Kind::Long, slot, |_| Written::Null)),
                    Kind::Long,
                    slot,
                )
            }
            Input::Literal(Literal::Boxed(Written::Int(number))) => {
                let next = number.checked_add(step)?;
                let slot = vm.boxed(Kind::Int, u64::from(next as u32)).ok()?.slot();
                (Literal::Boxed(Written::Int(next)), Kind::Reference, slot)
            }
            _ => return None,
        };
        Some(UsedValue {
            input: Input::Literal(literal),
            slot,
            kind,
            nearness: Nearness::Neighbour,
            ..self.clone()
        })
    }
}

fn kind_of(value: &InputValue) -> Kind {
    match value {
        InputValue::Primitive(kind, _) => *kind,
        _ => Kind::Reference,
    }
}

fn class_of(vm: &Vm, kind: Kind, slot: u64) -> Option<ClassId> {
    let object = Ref::from_slot(slot);
    (kind == Kind::Reference && !object.is_null()).then(|| vm.heap.class_of(object))
}

fn is_receiver(invokable: &Invokable, at: usize) -> bool {
    let parameter = invokable.parameters.get(at);
    parameter.is_some_and(|parameter| parameter.is_receiver)
}

/// Returns the declared types of a statement's parameters, and the class whose type variables they
/// have; none if the method has type parameters of its own.
fn declared(vm: &Vm, invokable: &Invokable) -> (Vec<Type>, Option<ClassId>) {
    let parameters = invokable.parameters.iter();
    let erased = parameters.map(|parameter| Type::of_descriptor(&parameter.descriptor));
    let mut types: Vec<Type> = erased.collect();
    let mut owner = None;
    if let StatementKind::Call(call) = invokable.kind {
        let signature = Signature::of(vm, call.method);
        owner = signature
            .own
            .is_empty()
            .then(|| vm.method(call.method).class);
        let generic = signature.parameters;
        let offset = types.len().saturating_sub(generic.len());
        let text = vm.text(vm.method(call.method).descriptor);
        let count = descriptor::split_method(text).map_or(0, |(parameters, _)| parameters.len());
        if generic.len() == count {
            types.truncate(offset);
            types.extend(generic);
        }
    }
    (types, owner)
}
