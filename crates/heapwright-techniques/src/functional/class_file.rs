//! Class files of lambda stubs whose methods all return the value of their single field.
//!
//! Invariant: the engine's verifier accepts the class files, which have the Java 6 format and
//! therefore need no stack maps.

use heapwright_jvm::descriptor::{self, Kind};
use noak::error::EncodeError;
use noak::writer::attributes::code::InstructionWriter;
use noak::writer::cpool::FieldRef;
use noak::writer::{ClassWriter, EncoderContext};

use noak::{AccessFlags, Version};

/// The field with the returned value.
pub(super) const FIELD: &str = "answer";

/// Writes a final class that implements an interface with methods of these names and descriptors.
/// Each returns the value of the field of type `field`; without a field it returns null or nothing.
/// Empty if a name is too long for a class file.
pub(super) fn class_file(
    name: &str,
    interface: &str,
    field: Option<&str>,
    methods: &[(String, String)],
) -> Vec<u8> {
    write(name, interface, field, methods).unwrap_or_default()
}

fn write(
    class: &str,
    interface: &str,
    field: Option<&str>,
    methods: &[(String, String)],
) -> Result<Vec<u8>, EncodeError> {
    ClassWriter::new()
        .version(Version::V6)?
        .access_flags(AccessFlags::FINAL | AccessFlags::SYNTHETIC)?
        .this_class(class)?
        .super_class("java/lang/Object")?
        .interfaces(|interfaces| {
            interfaces.begin(|entry| entry.interface(interface))?;
            Ok(())
        })?
        .fields(|fields| {
            if let Some(descriptor) = field {
                fields.begin(|entry| {
                    entry
                        .access_flags(AccessFlags::FINAL)?
                        .name(FIELD)?
                        .descriptor(descriptor)?
                        .attributes(|_| Ok(()))
                })?;
            }
            Ok(())
        })?
        .methods(|entries| {
            for (name, descriptor) in methods {
                let (parameters, result) =
                    descriptor::split_method(descriptor).unwrap_or((Vec::new(), "V"));
                let words = parameters.into_iter().map(|text| Kind::of(text).words());
                let locals = 1 + words.sum::<u16>();
                entries.begin(|entry| {
                    entry
                        .access_flags(AccessFlags::PUBLIC)?
                        .name(name.as_str())?
                        .descriptor(descriptor.as_str())?
                        .attributes(|attributes| {
                            attributes.begin(|attribute| {
                                attribute.code(|code| {
                                    code.max_stack(2)?
                                        .max_locals(locals)?
                                        .instructions(|code| {
                                            answer(code, class, field, Kind::of(result))
                                        })?
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

/// Writes the code that returns the field's value.
fn answer<C: EncoderContext>(
    code: &mut InstructionWriter<C>,
    class: &str,
    field: Option<&str>,
    kind: Kind,
) -> Result<(), EncodeError> {
    match (kind, field) {
        (Kind::Void, _) => return code.return_().map(drop),
        (_, None) => code.aconstnull()?,
        (_, Some(descriptor)) => {
            let member = FieldRef::by(class, (FIELD, descriptor));
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
