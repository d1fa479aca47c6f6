//! Class files of stubs, whose methods return the values of their fields.
//!
//! Invariant: the engine's verifier accepts the class files, which have the Java 6 format and
//! therefore need no stack maps.

use heapwright_jvm::descriptor::{self, Kind};
use noak::error::EncodeError;
use noak::writer::attributes::code::InstructionWriter;
use noak::writer::cpool::{FieldRef, MethodRef};
use noak::writer::{ClassWriter, EncoderContext};

use noak::{AccessFlags, Version};

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

/// A method that returns the value of a field, or null or nothing.
#[derive(Clone, Debug)]
pub(super) struct StubMethodFile {
    pub name: String,
    pub descriptor: String,
    /// Index of the field.
    pub field: Option<usize>,
    /// Descriptors of the types to which it casts its arguments; none if there are no casts.
    pub parameters: Vec<String>,
}

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
                            .access_flags(AccessFlags::FINAL)?
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
                                        code.max_stack(2)?
                                            .max_locals(words(&method.descriptor))?
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

    /// Writes the code that returns a method's answer.
    fn answer<C: EncoderContext>(
        &self,
        code: &mut InstructionWriter<C>,
        method: &StubMethodFile,
    ) -> Result<(), EncodeError> {
        let (own, result) = descriptor::split_method(&method.descriptor).unwrap_or_default();
        let kind = Kind::of(result);
        let mut local = 1;
        for (own, cast) in own.into_iter().zip(&method.parameters) {
            if own == cast {
                local += Kind::of(own).words();
                continue;
            }
            local = load(code, own, local)?;
            code.checkcast(descriptor::class_name(cast))?.pop()?;
        }
        match (kind, method.field) {
            (Kind::Void, _) => return code.return_().map(drop),
            (_, None) => code.aconstnull()?,
            (_, Some(number)) => {
                let (name, descriptor) = (field_name(number), self.fields[number].as_str());
                let member = FieldRef::by(self.name, (name.as_str(), descriptor));
                code.aload0()?.getfield(member)?
            }
        };
        match kind {
            Kind::Long => code.lreturn(),
            Kind::Float => code.freturn(),
            Kind::Double => code.dreturn(),
            Kind::Reference => code.areturn(),
            _ => code.ireturn(),
        }
        .map(drop)
    }
}

/// Loads a parameter; returns the local variable after it.
fn load<C: EncoderContext>(
    code: &mut InstructionWriter<C>,
    descriptor: &str,
    local: u16,
) -> Result<u16, EncodeError> {
    let kind = Kind::of(descriptor);
    // A method has at most 255 words of parameters.
    let index = u8::try_from(local).unwrap_or(u8::MAX);
    match kind {
        Kind::Long => code.lload(index)?,
        Kind::Float => code.fload(index)?,
        Kind::Double => code.dload(index)?,
        Kind::Reference => code.aload(index)?,
        _ => code.iload(index)?,
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
