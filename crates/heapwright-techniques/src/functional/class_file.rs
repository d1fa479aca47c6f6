//! Class files of stubs, whose methods return the values of their fields.
//!
//! The fields of a scripted method hold what its next calls do, and each call moves them up. The last
//! one repeats. A stub therefore has finitely many states.
//!
//! Invariant: the engine's verifier accepts the class files, which have the Java 6 format and
//! therefore need no stack maps.

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Vm};
use heapwright_suite::{Literal, Value};
use noak::error::EncodeError;
use noak::writer::attributes::code::InstructionWriter;
use noak::writer::cpool::{self, FieldRef, InterfaceMethodRef, MethodRef};
use noak::writer::{ClassWriter, EncoderContext};

use noak::{AccessFlags, Version};

use super::{AnswerInput, OUTCOMES};
use crate::read::value;
use crate::target::needs_outer;

/// A final class without a source.
#[derive(Clone, Copy, Debug)]
pub(super) struct StubFile<'s> {
    /// Internal name.
    pub name: &'s str,
    /// Superclass.
    pub superclass: &'s str,
    /// Interface that it implements.
    pub interface: Option<&'s str>,
    /// Descriptors of the fields.
    pub fields: &'s [String],
    /// Descriptor of the superclass' constructor. The class then has a constructor with its
    /// parameters and the fields' values; otherwise it has none.
    pub constructor: Option<&'s str>,
    /// Methods.
    pub methods: &'s [StubMethodFile],
}

/// A method that returns the value of a field, or null or nothing, or follows a script.
#[derive(Clone, Debug)]
pub(super) struct StubMethodFile {
    pub name: String,
    pub descriptor: String,
    /// Index of the field; the first of several with a script.
    pub field: Option<usize>,
    /// What its calls do; `None` if all do the same.
    pub script: Option<ScriptFile>,
    /// Descriptors of the types to which it casts its arguments; none if there are no casts.
    pub parameters: Vec<String>,
}

/// Script of a method.
#[derive(Clone, Debug)]
pub(super) struct ScriptFile {
    /// Its inputs.
    pub inputs: Vec<AnswerInput>,
    /// Index of the field with the first of them.
    pub first: usize,
    /// Name of the exception that calls throw.
    pub thrown: String,
    /// Descriptor of that exception's constructor.
    pub thrown_constructor: String,
    /// The parameter that calls may return.
    pub returned_parameter: Option<usize>,
    /// The parameter of which calls run a method, with the method's interface and name.
    pub runs: Option<(usize, String, String)>,
}

impl ScriptFile {
    /// Returns the field of an input, if the method has it.
    fn field(&self, input: AnswerInput) -> Option<usize> {
        let place = self.inputs.iter().position(|&one| one == input)?;
        Some(self.first + place)
    }
}

/// Maximum number of parameters of a constructor by which stubs create an exception.
const MAX_ARGUMENTS: usize = 3;

/// Returns the constructor by which stubs create an exception: the one without parameters, that with a
/// string, else the first with the fewest parameters. None is private, and null is an argument only
/// where no other constructor takes as many. `None` if there is none.
pub(crate) fn throwable_constructor(vm: &Vm, class: ClassId) -> Option<MethodId> {
    let own = vm.class(class).methods.iter().copied();
    let own: Vec<(MethodId, Vec<&str>)> = own
        .filter(|&method| vm.text(vm.method(method).name) == "<init>")
        .map(|method| (method, parameters(vm.text(vm.method(method).descriptor))))
        .collect();
    let is_usable = |(method, takes): &&(MethodId, Vec<&str>)| {
        let same = own.iter().filter(|(_, others)| others.len() == takes.len());
        let is_null = |text: &&str| Kind::of(text) == Kind::Reference && *text != STRING;
        let closed = flags::PRIVATE | flags::SYNTHETIC;
        takes.len() <= MAX_ARGUMENTS
            && vm.method(*method).flags & closed == 0
            && !needs_outer(vm, class)
            && (same.count() == 1 || !takes.iter().any(is_null))
    };
    let best = own.iter().filter(is_usable).min_by_key(|(method, takes)| {
        let is_hidden = vm.method(*method).flags & flags::PUBLIC == 0;
        (is_hidden, takes.len(), *takes != [STRING])
    });
    best.map(|&(method, _)| method)
}

/// Returns the arguments of that constructor in tests.
pub(crate) fn throwable_arguments(vm: &Vm, class: ClassId) -> Vec<Literal> {
    let constructor = throwable_constructor(vm, class).map(|method| vm.method(method).descriptor);
    let takes = parameters(constructor.map_or("()V", |descriptor| vm.text(descriptor)));
    let arguments = takes.into_iter().map(|text| match Kind::of(text) {
        Kind::Reference if text == STRING => Literal::String(String::new()),
        Kind::Reference => Literal::Value(Value::Null),
        kind => Literal::Value(value(kind, 0, |_| Value::Null)),
    });
    arguments.collect()
}

/// Descriptors of any object and of strings.
const OBJECT: &str = "Ljava/lang/Object;";
const STRING: &str = "Ljava/lang/String;";

impl StubFile<'_> {
    /// Writes the class file. Empty if a name is too long for one.
    pub fn bytes(&self) -> Vec<u8> {
        self.write().unwrap_or_default()
    }

    fn write(&self) -> Result<Vec<u8>, EncodeError> {
        ClassWriter::new()
            .version(Version::V6)?
            .access_flags(AccessFlags::FINAL | AccessFlags::SUPER | AccessFlags::SYNTHETIC)?
            .this_class(self.name)?
            .super_class(self.superclass)?
            .interfaces(|interfaces| {
                if let Some(interface) = self.interface {
                    interfaces.begin(|entry| entry.interface(interface))?;
                }
                Ok(())
            })?
            .fields(|fields| {
                for (number, descriptor) in self.fields.iter().enumerate() {
                    fields.begin(|entry| {
                        entry
                            .access_flags(self.field_flags())?
                            .name(field_name(number).as_str())?
                            .descriptor(descriptor.as_str())?
                            .attributes(|_| Ok(()))
                    })?;
                }
                Ok(())
            })?
            .methods(|entries| {
                if let Some(above) = self.constructor {
                    let own = constructor_descriptor(above, self.fields);
                    entries.begin(|entry| {
                        entry
                            .access_flags(AccessFlags::PUBLIC)?
                            .name("<init>")?
                            .descriptor(own.as_str())?
                            .attributes(|attributes| {
                                attributes.begin(|attribute| {
                                    attribute.code(|code| {
                                        let words = words(&own);
                                        code.max_stack(words)?
                                            .max_locals(words)?
                                            .instructions(|code| self.construct(code, above))?
                                            .exceptions(|_| Ok(()))?
                                            .attributes(|_| Ok(()))
                                    })
                                })?;
                                Ok(())
                            })
                    })?;
                }
                for method in self.methods {
                    entries.begin(|entry| {
                        entry
                            .access_flags(AccessFlags::PUBLIC)?
                            .name(method.name.as_str())?
                            .descriptor(method.descriptor.as_str())?
                            .attributes(|attributes| {
                                attributes.begin(|attribute| {
                                    attribute.code(|code| {
                                        code.max_stack(MAX_STACK)?
                                            .max_locals(words(&method.descriptor) + LOCALS)?
                                            .instructions(|code| self.answer(code, method))?
                                            .exceptions(|_| Ok(()))?
                                            .attributes(|_| Ok(()))
                                    })
                                })?;
                                Ok(())
                            })
                    })?;
                }
                Ok(())
            })?
            .attributes(|_| Ok(()))?
            .into_bytes()
    }

    /// Writes the code that calls the superclass' constructor and sets the fields.
    fn construct<C: EncoderContext>(
        &self,
        code: &mut InstructionWriter<C>,
        above: &str,
    ) -> Result<(), EncodeError> {
        code.aload0()?;
        let mut local: u16 = 1;
        for parameter in parameters(above) {
            local = load(code, parameter, local)?;
        }
        code.invokespecial(MethodRef::by(self.superclass, ("<init>", above)))?;
        for (number, descriptor) in self.fields.iter().enumerate() {
            code.aload0()?;
            local = load(code, descriptor, local)?;
            let name = field_name(number);
            let member = FieldRef::by(self.name, (name.as_str(), descriptor.as_str()));
            code.putfield(member)?;
        }
        code.return_().map(drop)
    }

    /// Returns the access flags of its fields: scripts change them.
    fn field_flags(&self) -> AccessFlags {
        match self.methods.iter().any(|method| method.script.is_some()) {
            true => AccessFlags::PRIVATE,
            false => AccessFlags::FINAL,
        }
    }

    /// Writes the code that returns a method's answer.
    fn answer<C: EncoderContext>(
        &self,
        code: &mut InstructionWriter<C>,
        method: &StubMethodFile,
    ) -> Result<(), EncodeError> {
        let (own, result) = descriptor::split_method(&method.descriptor).unwrap_or_default();
        let mut local = 1;
        for (own, cast) in own.into_iter().zip(&method.parameters) {
            if own == cast {
                local += Kind::of(own).words();
                continue;
            }
            local = load(code, own, local)?;
            code.checkcast(descriptor::class_name(cast))?.pop()?;
        }
        if let Some(script) = &method.script {
            return self.follow(code, method, script);
        }
        match (Kind::of(result), method.field) {
            (Kind::Void, _) => {}
            (_, None) => drop(code.aconstnull()?),
            (_, Some(number)) => self.get(code, number)?,
        }
        give_back(code, result)
    }

    /// Writes the code of a scripted method.
    fn follow<C: EncoderContext>(
        &self,
        code: &mut InstructionWriter<C>,
        method: &StubMethodFile,
        script: &ScriptFile,
    ) -> Result<(), EncodeError> {
        let (own, result) = descriptor::split_method(&method.descriptor).unwrap_or_default();
        let (flag, value) = (words(&method.descriptor), words(&method.descriptor) + 1);
        self.take_next(code, script, AnswerInput::IsThrowing, flag)?;
        self.take_next(code, script, AnswerInput::Value, value)?;
        let (throws, at_throws) = code.new_label()?;
        load(code, "Z", flag)?;
        code.ifne(at_throws)?;
        if let Some(object) = script.field(AnswerInput::Object) {
            let (answer, at_answer) = code.new_label()?;
            let (is_null, at_null) = code.new_label()?;
            self.get(code, object)?;
            store(code, result, value)?;
            load(code, result, value)?;
            code.ifnull(at_null)?;
            code.aload0()?;
            match script.field(AnswerInput::Later) {
                Some(later) => self.get(code, later)?,
                None => drop(code.aconstnull()?),
            }
            self.put(code, object)?;
            if let Some(kept) = script.field(AnswerInput::IsKept) {
                self.get(code, kept)?;
                code.ifeq(at_answer)?;
                code.aload0()?;
                load(code, result, value)?;
                self.put(code, object)?;
            }
            code.label(answer)?;
            load(code, result, value)?;
            give_back(code, result)?;
            code.label(is_null)?;
        }
        if let Some(field) = script.field(AnswerInput::IsParameter)
            && let Some(place) = script.returned_parameter
        {
            let (other, at_other) = code.new_label()?;
            self.get(code, field)?;
            code.ifeq(at_other)?;
            let before = own.iter().take(place);
            let before: u16 = before.map(|text| Kind::of(text).words()).sum();
            load(code, result, 1 + before)?;
            code.checkcast(descriptor::class_name(result))?;
            give_back(code, result)?;
            code.label(other)?;
        }
        match (Kind::of(result), script.field(AnswerInput::Value(0))) {
            (Kind::Void, _) => {
                if let Some((place, interface, name)) = &script.runs {
                    let before = own.iter().take(*place);
                    let before: u16 = before.map(|text| Kind::of(text).words()).sum();
                    load(code, OBJECT, 1 + before)?;
                    let run = InterfaceMethodRef::by(interface.as_str(), (name.as_str(), "()V"));
                    code.invokeinterface(run, 1)?;
                }
            }
            (_, None) => drop(code.aconstnull()?),
            (_, Some(_)) => drop(load(code, result, value)?),
        }
        give_back(code, result)?;
        code.label(throws)?;
        code.new(script.thrown.as_str())?.dup()?;
        for parameter in parameters(&script.thrown_constructor) {
            match Kind::of(parameter) {
                Kind::Reference if parameter == STRING => code.ldcw(cpool::String::by(""))?,
                Kind::Reference => code.aconstnull()?,
                Kind::Long => code.lconst0()?,
                Kind::Float => code.fconst0()?,
                Kind::Double => code.dconst0()?,
                _ => code.iconst0()?,
            };
        }
        let constructor = ("<init>", script.thrown_constructor.as_str());
        code.invokespecial(MethodRef::by(script.thrown.as_str(), constructor))?;
        code.athrow().map(drop)
    }

    /// Writes the code that stores an input of the next call in a local variable, and moves those of
    /// later calls up.
    fn take_next<C: EncoderContext>(
        &self,
        code: &mut InstructionWriter<C>,
        script: &ScriptFile,
        input: impl Fn(usize) -> AnswerInput,
        local: u16,
    ) -> Result<(), EncodeError> {
        let Some(first) = script.field(input(0)) else {
            return Ok(());
        };
        self.get(code, first)?;
        store(code, &self.fields[first], local)?;
        for field in first + 1..first + OUTCOMES {
            code.aload0()?;
            self.get(code, field)?;
            self.put(code, field - 1)?;
        }
        Ok(())
    }

    /// Writes the code that reads a field.
    fn get<C: EncoderContext>(
        &self,
        code: &mut InstructionWriter<C>,
        field: usize,
    ) -> Result<(), EncodeError> {
        let (name, descriptor) = (field_name(field), self.fields[field].as_str());
        let member = FieldRef::by(self.name, (name.as_str(), descriptor));
        code.aload0()?.getfield(member).map(drop)
    }

    /// Writes the code that sets a field to the value on the stack.
    fn put<C: EncoderContext>(
        &self,
        code: &mut InstructionWriter<C>,
        field: usize,
    ) -> Result<(), EncodeError> {
        let (name, descriptor) = (field_name(field), self.fields[field].as_str());
        let member = FieldRef::by(self.name, (name.as_str(), descriptor));
        code.putfield(member).map(drop)
    }
}

/// Maximum number of words on the stack of a method: an exception twice and the arguments of its
/// constructor.
const MAX_STACK: u16 = 2 + 2 * MAX_ARGUMENTS as u16;

/// Number of words of a method's local variables behind its parameters: a flag and a value.
const LOCALS: u16 = 3;

/// Writes the return of a value of this type from the stack.
fn give_back<C: EncoderContext>(
    code: &mut InstructionWriter<C>,
    descriptor: &str,
) -> Result<(), EncodeError> {
    match Kind::of(descriptor) {
        Kind::Void => code.return_(),
        Kind::Long => code.lreturn(),
        Kind::Float => code.freturn(),
        Kind::Double => code.dreturn(),
        Kind::Reference => code.areturn(),
        _ => code.ireturn(),
    }
    .map(drop)
}

/// Stores a value from the stack in a local variable.
fn store<C: EncoderContext>(
    code: &mut InstructionWriter<C>,
    descriptor: &str,
    local: u16,
) -> Result<(), EncodeError> {
    match Kind::of(descriptor) {
        Kind::Long => code.lstore_wide(local),
        Kind::Float => code.fstore_wide(local),
        Kind::Double => code.dstore_wide(local),
        Kind::Reference => code.astore_wide(local),
        _ => code.istore_wide(local),
    }
    .map(drop)
}

/// Loads a local variable; returns the local variable after it.
fn load<C: EncoderContext>(
    code: &mut InstructionWriter<C>,
    descriptor: &str,
    local: u16,
) -> Result<u16, EncodeError> {
    let kind = Kind::of(descriptor);
    match kind {
        Kind::Long => code.lload_wide(local)?,
        Kind::Float => code.fload_wide(local)?,
        Kind::Double => code.dload_wide(local)?,
        Kind::Reference => code.aload_wide(local)?,
        _ => code.iload_wide(local)?,
    };
    Ok(local + kind.words())
}

/// Returns the descriptor of a stub's constructor.
pub(super) fn constructor_descriptor(above: &str, fields: &[String]) -> String {
    format!("({}{})V", parameters(above).concat(), fields.concat())
}

/// Returns the name of a field by its number.
fn field_name(number: usize) -> String {
    match number {
        0 => "answer".to_owned(),
        number => format!("answer{number}"),
    }
}

fn parameters(method: &str) -> Vec<&str> {
    descriptor::split_method(method).unwrap_or_default().0
}

/// Returns the number of words of a method's parameters and its receiver.
pub(super) fn words(method: &str) -> u16 {
    let words = parameters(method)
        .into_iter()
        .map(|text| Kind::of(text).words());
    1 + words.sum::<u16>()
}
