//! Statements of a test: declared types, and values in source form.

use std::sync::Arc;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Vm};
use heapwright_suite::{
    Action, FieldAccess, FieldSig, Input as Argument, Literal, Statement, Step, Value as Written,
};

use super::writer::{ScriptWriter, StatementResults, first_of_box};
use crate::Error;
use crate::functional::{LambdaStub, comparator};
use crate::observe::Obstacle;
use crate::read::{StructureReader, access, is_generic};
use crate::sequences::model::Concrete;
use crate::signatures::Signature;
use crate::statements;
use crate::statements::written::{self, spreads};
use crate::statements::{AccessedField, AnonymousClass, HeldType, Invokable, StatementKind, Stub};
use crate::symbolic::{Contents, InputValue, RunInput, boxed, plain, written};
use crate::target::find_class;

/// Interfaces for variables of collections; the first suitable one is used.
const INTERFACES: [&str; 13] = [
    "java/util/List",
    "java/util/Deque",
    "java/util/Set",
    "java/util/SortedSet",
    "java/util/NavigableSet",
    "java/util/Map",
    "java/util/SortedMap",
    "java/util/NavigableMap",
    "java/util/Collection",
    "java/util/Map$Entry",
    "java/util/concurrent/BlockingQueue",
    "java/util/concurrent/BlockingDeque",
    "java/util/concurrent/ConcurrentMap",
];

/// Statements in source form.
pub(super) struct WrittenStatements {
    pub statements: Vec<Statement>,
    /// The place among them of each statement of the sequence.
    pub places: Vec<usize>,
}

impl ScriptWriter<'_> {
    /// Converts a sequence's statements to source form, each of a constructor followed by those that
    /// inject. The open values in `shared`, ascending, have variables. The inner error is the reason
    /// why that is impossible.
    pub(super) fn statements(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        seen: &StatementResults,
        shared: &[usize],
    ) -> Result<Result<WrittenStatements, Obstacle>, Error> {
        let names = self.plan.open_names(&concrete.statements);
        let mut statements = Vec::new();
        for &value in shared {
            let Some(literal) =
                self.literal(vm, &concrete.input, &concrete.input.roots[value].1)?
            else {
                return Ok(Err(Obstacle::Unwritten));
            };
            let name = Some(names[value].0.clone());
            if matches!(literal, Literal::Lambda { .. }) {
                statements.push(Statement {
                    action: self.held_lambda(vm, literal)?,
                    name,
                    thrown: None,
                    contents: Vec::new(),
                    given: None,
                });
                continue;
            }
            let class = match &literal {
                Literal::String(_) => "java.lang.String".to_owned(),
                Literal::Boxed(value) => value.box_class().unwrap_or_default().to_owned(),
                Literal::Array { class, .. } => class.clone(),
                _ => "java.lang.Object".to_owned(),
            };
            let class = find_class(vm, &class)?;
            statements.push(Statement {
                action: Action::Literal {
                    value: literal,
                    made: self.reader.class_sig(vm, class),
                },
                name,
                thrown: None,
                contents: Vec::new(),
                given: None,
            });
        }
        let roots = &concrete.input.roots;
        // A lambda with a variable is the same object wherever it is passed.
        let held = |value: usize| {
            let is_same = |&other: &usize| {
                let is_lambda = is_lambda(&concrete.input, &roots[other].1);
                other == value || is_lambda && roots[other].1 == roots[value].1
            };
            shared.iter().position(is_same)
        };
        let mut value = 0;
        let mut places: Vec<usize> = Vec::new();
        for (number, statement) in concrete.statements.iter().enumerate() {
            let mut arguments = Vec::new();
            let invokable = &self.plan.invokables[statement.invokable];
            for (taken, argument) in statement.arguments.iter().enumerate() {
                arguments.push(match argument {
                    statements::StatementArgument::Result(place) => {
                        // What threw has no variable.
                        match seen.thrown.get(*place).is_some_and(Option::is_some) {
                            true => Argument::Literal(Literal::Value(Written::Null)),
                            false => Argument::Object(places[*place]),
                        }
                    }
                    statements::StatementArgument::Repeated(value) => {
                        Argument::Object(held(*value).unwrap_or_default())
                    }
                    statements::StatementArgument::Null => {
                        Argument::Literal(Literal::Value(Written::Null))
                    }
                    statements::StatementArgument::Index(_) => continue,
                    // Sequences with values have no such arguments.
                    statements::StatementArgument::OneOf(_)
                    | statements::StatementArgument::Value(_) => {
                        return Ok(Err(Obstacle::Unwritten));
                    }
                    statements::StatementArgument::Open => {
                        value += 1;
                        match held(first_of_box(&concrete.input, value - 1)) {
                            Some(place) => Argument::Object(place),
                            None => {
                                let value = &concrete.input.roots[value - 1].1;
                                match self.literal(vm, &concrete.input, value)? {
                                    Some(mut literal) => {
                                        if is_generic_call(vm, invokable)
                                            || is_untyped(vm, invokable, taken, &literal)
                                        {
                                            make_raw(&mut literal);
                                        }
                                        Argument::Literal(literal)
                                    }
                                    None => return Ok(Err(Obstacle::Unwritten)),
                                }
                            }
                        }
                    }
                });
            }
            let injected: Vec<AccessedField> = invokable.injected().cloned().collect();
            let given: Vec<Argument> = arguments.drain(..injected.len()).collect();
            let made = seen.made.get(number).copied().flatten();
            let made = self.declared(vm, concrete, number, made);
            let action = match (&invokable.stub, &arguments[..]) {
                (Some(Stub::Lambda), [Argument::Literal(lambda)]) => {
                    self.held_lambda(vm, lambda.clone())?
                }
                (Some(Stub::Anonymous(class)), _) => {
                    match written::anonymous(vm, &mut self.reader, class, arguments) {
                        Some(mut step) => {
                            let runs_code = self.runs_defaults(vm, class);
                            if let Some(body) = &mut step.body {
                                body.has_code &= runs_code || body.extends_class;
                            }
                            let methods = step.body.iter_mut().flat_map(|body| &mut body.methods);
                            for method in methods {
                                let count = method.parameters.len();
                                let asked = (number, method.method.name.clone(), count);
                                let asked = seen.asked.get(&asked);
                                method.is_unasked = asked.is_none();
                                let calls = asked.cloned().unwrap_or_default().into_iter();
                                let plain: Option<_> = calls.collect();
                                method.asked_with = plain.unwrap_or_default();
                            }
                            Action::Call(step)
                        }
                        None => return Ok(Err(Obstacle::Unwritten)),
                    }
                }
                _ => self.action(vm, statement, arguments, made),
            };
            let name = match &action {
                Action::LoadField { access, .. } => Some(variable(&access.field.name)),
                _ => None,
            };
            statements.push(Statement {
                action,
                name,
                thrown: seen.thrown.get(number).cloned().flatten(),
                contents: Vec::new(),
                given: None,
            });
            let place = statements.len() - 1;
            places.push(place);
            // The call under test is the last statement.
            let is_used = number + 1 < concrete.statements.len()
                && seen.thrown.get(number).is_none_or(Option::is_none);
            let given = injected.iter().zip(given).filter(|_| is_used);
            for (field, value) in given.filter(|(_, value)| !is_default(value)) {
                let field = seen_in(vm, field, made);
                let access = self.access(vm, &field, Some(place));
                statements.push(Statement {
                    action: Action::StoreField { access, value },
                    name: None,
                    thrown: None,
                    contents: Vec::new(),
                    given: None,
                });
            }
        }
        Ok(Ok(WrittenStatements { statements, places }))
    }

    /// Whether the code of the system calls methods of an interface that a stub inherits with their code.
    fn runs_defaults(&self, vm: &Vm, class: &AnonymousClass) -> bool {
        let above = vm.class(class.of).all_interfaces.iter().copied();
        let types = std::iter::once(class.of).chain(above);
        let mut methods = types.flat_map(|above| &vm.class(above).methods);
        methods.any(|&method| {
            let this = vm.method(method);
            let text = |symbol| vm.text(symbol).to_owned();
            let is_stubbed = || {
                let mut stubbed = class.methods.iter().map(|one| vm.method(one.method));
                stubbed.any(|one| (one.name, one.descriptor) == (this.name, this.descriptor))
            };
            !this.is_abstract()
                && !this.is_static()
                && self
                    .called
                    .contains(&(text(this.name), text(this.descriptor)))
                && !is_stubbed()
        })
    }

    /// Returns the action that assigns a lambda to a variable, so that methods can be called on it.
    fn held_lambda(&mut self, vm: &mut Vm, mut lambda: Literal) -> Result<Action, Error> {
        let name = match &mut lambda {
            Literal::Lambda {
                interface, is_raw, ..
            } => {
                *is_raw = false;
                interface.name.clone()
            }
            _ => "java.util.Comparator".to_owned(),
        };
        let class = find_class(vm, &name)?;
        Ok(Action::Literal {
            value: lambda,
            made: self.reader.class_sig(vm, class),
        })
    }

    pub(super) fn action(
        &mut self,
        vm: &mut Vm,
        statement: &statements::Statement,
        mut arguments: Vec<Argument>,
        made: Option<ClassId>,
    ) -> Action {
        let invokable = &self.plan.invokables[statement.invokable];
        let object = |vm: &mut Vm, reader: &mut StructureReader| {
            let class = made.or_else(|| vm.load_class("java/lang/Object").ok());
            class.map(|class| reader.class_sig(vm, class))
        };
        let sig = object(vm, &mut self.reader);
        let held = made.map(|class| self.reader.class_sig(vm, class));
        let mut receiver = None;
        let mut take_receiver = |arguments: &mut Vec<Argument>| {
            if let Some(Argument::Object(place)) = arguments.first() {
                receiver = Some(*place);
                arguments.remove(0);
            }
            receiver
        };
        match &invokable.kind {
            StatementKind::Call(call) => {
                // The first argument of an inner class's constructor is the outer object.
                let has_receiver = invokable
                    .parameters
                    .first()
                    .is_some_and(|taken| taken.is_receiver);
                let receiver = match has_receiver {
                    true => take_receiver(&mut arguments),
                    false => None,
                };
                Action::Call(Step {
                    is_variadic: spreads(vm, call.class, call.method, &arguments),
                    ..written::step(vm, &mut self.reader, *call, receiver, arguments, made)
                })
            }
            StatementKind::LoadField(field) | StatementKind::StoreField(field) => {
                let receiver = match field.is_static {
                    true => None,
                    false => take_receiver(&mut arguments),
                };
                let access = self.access(vm, field, receiver);
                match (arguments.pop(), sig) {
                    (Some(value), _) => Action::StoreField { access, value },
                    (None, Some(made)) => Action::LoadField { access, made },
                    (None, None) => Action::StoreField {
                        access,
                        value: Argument::Literal(Literal::Value(Written::Null)),
                    },
                }
            }
            StatementKind::Constant(class, name) => {
                let constant = AccessedField {
                    class: *class,
                    name: name.clone(),
                    descriptor: descriptor::of_class(vm.class_name(*class)),
                    is_static: true,
                };
                Action::LoadField {
                    access: self.access(vm, &constant, None),
                    made: held.unwrap_or_else(|| self.reader.class_sig(vm, *class)),
                }
            }
            StatementKind::StoreElement(_) => {
                let array = take_receiver(&mut arguments).unwrap_or_default();
                let index = statement
                    .arguments
                    .iter()
                    .find_map(|argument| match argument {
                        statements::StatementArgument::Index(index) => Some(*index),
                        _ => None,
                    });
                let null = Argument::Literal(Literal::Value(Written::Null));
                Action::StoreElement {
                    array,
                    index: index.unwrap_or_default(),
                    value: arguments.pop().unwrap_or(null),
                }
            }
            StatementKind::NewArray(_) => Action::NewArray {
                elements: arguments,
                made: sig.unwrap_or_else(|| self.reader.class_sig(vm, self.class)),
            },
        }
    }

    pub(super) fn access(
        &mut self,
        vm: &mut Vm,
        field: &AccessedField,
        receiver: Option<usize>,
    ) -> FieldAccess {
        let class = self.reader.class_sig(vm, field.class);
        let found = vm.find_field(field.class, &field.name).cloned();
        let field = match found {
            Some(found) => field_sig(vm, &found),
            None => Arc::new(FieldSig {
                declaring_class: vm.binary_name(field.class),
                name: field.name.clone(),
                descriptor: field.descriptor.clone(),
                access: access(0),
                is_final: false,
            }),
        };
        FieldAccess {
            receiver,
            class,
            field,
        }
    }

    /// Returns the declared type of the variable for a statement's result. It is the static type if
    /// that suffices for all uses, else the object's class, or for null the type of a use. Null that
    /// no later statement takes has no variable.
    pub(super) fn declared(
        &self,
        vm: &mut Vm,
        concrete: &Concrete,
        number: usize,
        class: Option<ClassId>,
    ) -> Option<ClassId> {
        let invokable = &self.plan.invokables[concrete.statements[number].invokable];
        let given = invokable.result.as_deref()?;
        if Kind::of(given) != Kind::Reference {
            return None;
        }
        let given = vm.load_class(descriptor::class_name(given)).ok()?;
        let is_support = self.plan.is_support(&concrete.statements[number]);
        let mut needed = Vec::new();
        for statement in &concrete.statements[number + 1..] {
            // Each interface has the methods that fill the collection.
            if is_support && self.plan.is_support(statement) {
                continue;
            }
            let takes = &self.plan.invokables[statement.invokable].parameters;
            for (place, argument) in statement.arguments.iter().enumerate() {
                if *argument == statements::StatementArgument::Result(number)
                    && let Some(taken) = takes.get(place).or(takes.last())
                {
                    needed.push(taken.descriptor.clone());
                }
            }
        }
        let class = match (class, needed.first()) {
            (Some(class), _) => class,
            (None, Some(taken)) => vm.load_class(descriptor::class_name(taken)).ok()?,
            (None, None) => return None,
        };
        let fits = |vm: &mut Vm, given: ClassId| {
            needed.iter().all(|descriptor| {
                let wanted = vm.load_class(descriptor::class_name(descriptor));
                wanted.is_ok_and(|wanted| vm.is_subclass(given, wanted))
            })
        };
        if is_support && is_typed(vm, &invokable.contents) {
            for name in INTERFACES {
                if let Ok(interface) = vm.load_class(name)
                    && vm.is_subclass(given, interface)
                    && fits(vm, interface)
                {
                    return Some(interface);
                }
            }
        }
        Some(if fits(vm, given) { given } else { class })
    }

    /// Returns a value as a literal in source form; `None` if there is no such form.
    pub(super) fn literal(
        &mut self,
        vm: &mut Vm,
        input: &RunInput,
        value: &InputValue,
    ) -> Result<Option<Literal>, Error> {
        self.literal_within(vm, input, value, &mut Vec::new())
    }

    /// Does the same inside nested arrays; `None` for an array that contains itself.
    fn literal_within(
        &mut self,
        vm: &mut Vm,
        input: &RunInput,
        value: &InputValue,
        arrays: &mut Vec<usize>,
    ) -> Result<Option<Literal>, Error> {
        if let InputValue::Constant(class, name) = value
            && let Some(method) = comparator(class, name)
        {
            let class = find_class(vm, "java.util.Comparator")?;
            return Ok(Some(Literal::Factory {
                class: self.reader.class_sig(vm, class),
                method: method.to_owned(),
                is_raw: false,
                of: None,
            }));
        }
        let number = match plain(vm, &mut self.reader, value)? {
            Ok(literal) => return Ok(Some(literal)),
            Err(number) => number,
        };
        let object = &input.objects[number];
        Ok(match (&object.contents, boxed(object)) {
            (_, Some((kind, slot))) => Some(Literal::Boxed(written(kind, slot))),
            (Contents::Text(units), None) => String::from_utf16(units).ok().map(Literal::String),
            (Contents::Elements(_), None) if arrays.contains(&number) => None,
            (Contents::Elements(elements), None) => {
                let mut literals = Vec::new();
                arrays.push(number);
                for element in elements {
                    match self.literal_within(vm, input, element, arrays)? {
                        Some(literal) => literals.push(literal),
                        None => return Ok(None),
                    }
                }
                arrays.pop();
                Some(Literal::Array {
                    class: object.class.clone(),
                    elements: literals,
                })
            }
            (Contents::Fields(fields), None) => {
                let class = find_class(vm, &object.class)?;
                let Some(stub) = LambdaStub::of(vm, class) else {
                    return Ok(None);
                };
                let answer = stub.answer(fields, |(.., held)| {
                    self.literal_within(vm, input, held, arrays)
                })?;
                let Some(answer) = answer else {
                    return Ok(None);
                };
                stub.literal(vm, &mut self.reader, answer, false)
            }
        })
    }
}

/// Whether a value is an object that stands for a lambda.
fn is_lambda(input: &RunInput, value: &InputValue) -> bool {
    matches!(value, InputValue::Object(number)
        if matches!(input.objects[*number].contents, Contents::Fields(_)))
}

/// Whether the compiler infers types from all arguments of a call together, so that a literal typed
/// alone may be rejected.
fn is_generic_call(vm: &Vm, invokable: &Invokable) -> bool {
    match invokable.kind {
        StatementKind::Call(call) => {
            // Methods of a raw type are erased.
            let is_erased = call.has_receiver() && is_generic(vm, vm.method(call.method).class);
            !is_erased && Signature::of(vm, call.method).is_generic
        }
        _ => false,
    }
}

/// Whether the declared type of a parameter is not that of a lambda, but a variable for it.
fn is_untyped(vm: &Vm, invokable: &Invokable, place: usize, literal: &Literal) -> bool {
    let is_lambda = matches!(literal, Literal::Lambda { .. } | Literal::Factory { .. });
    let Some(method) = invokable.kind.method().filter(|_| is_lambda) else {
        return false;
    };
    let text = vm.text(vm.method(method).descriptor);
    let (declared, _) = descriptor::split_method(text).unwrap_or_default();
    let before = invokable.parameters.len().saturating_sub(declared.len());
    let declared = place.checked_sub(before).and_then(|at| declared.get(at));
    declared.is_some_and(|declared| *declared == "Ljava/lang/Object;")
}

fn is_default(value: &Argument) -> bool {
    matches!(value, Argument::Literal(Literal::Value(value)) if value.is_default())
}

fn make_raw(literal: &mut Literal) {
    if let Literal::Lambda { is_raw, .. } | Literal::Factory { is_raw, .. } = literal {
        *is_raw = true;
    }
}

/// Whether a collection's contents become its type arguments in a test. Generic types other than
/// collections are excluded, and types to which the compiler does not box.
fn is_typed(vm: &mut Vm, contents: &[HeldType]) -> bool {
    contents.iter().all(|held| {
        let descriptor = &held.descriptor;
        let class = vm.load_class(descriptor::class_name(descriptor)).ok();
        class.is_some_and(|class| {
            let is_plain = !descriptor.starts_with('[')
                && vm.class_name(class) != "java/lang/Comparable"
                && !(is_generic(vm, class) && held.contents.is_empty());
            is_plain && is_typed(vm, &held.contents)
        })
    })
}

/// Derives a variable's name from a field's: `maxSize` from the constant `MAX_SIZE`.
fn variable(field: &str) -> String {
    if field.contains(char::is_lowercase) {
        return field.to_owned();
    }
    let words = field.split('_').filter(|word| !word.is_empty());
    let words = words.enumerate().map(|(at, word)| {
        let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
        let first = if at == 0 {
            first.to_lowercase()
        } else {
            first.to_owned()
        };
        first + &rest.to_lowercase()
    });
    words.collect()
}

pub(super) fn field_sig(vm: &Vm, field: &heapwright_jvm::class::Field) -> Arc<FieldSig> {
    Arc::new(FieldSig {
        declaring_class: vm.binary_name(field.class),
        name: vm.text(field.name).to_owned(),
        descriptor: vm.text(field.descriptor).to_owned(),
        access: access(field.flags),
        is_final: field.flags & flags::FINAL != 0,
    })
}

/// Returns a field as the class of its object sees it, unless another field hides it there.
fn seen_in(vm: &Vm, field: &AccessedField, class: Option<ClassId>) -> AccessedField {
    let is_seen = |class: &ClassId| {
        let found = vm.find_field(*class, &field.name);
        found.is_some_and(|found| found.class == field.class)
    };
    AccessedField {
        class: class.filter(is_seen).unwrap_or(field.class),
        ..field.clone()
    }
}
