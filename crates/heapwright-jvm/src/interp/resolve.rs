//! Resolution of constant-pool entries (JVMS §5.4.3), for instructions of the form `…Pending`.
//!
//! Invariant: the result does not depend on the time of resolution, so that an instruction can be
//! rewritten permanently.

use std::sync::Arc;

use crate::class::{ClassId, Field, LoadedFile, MethodId, flags};
use crate::classfile::Constant;
use crate::descriptor::Kind;
use crate::instr::{Instr, InvokeKind};
use crate::vm::{Fault, StaticSite, Vm};

impl Vm {
    fn running_file(&self) -> Result<Arc<LoadedFile>, Fault> {
        let frame = self.state.frames.last().expect("the running frame");
        let class = self.method(frame.method).class;
        self.class(class)
            .file
            .clone()
            .ok_or_else(|| Fault::unsupported("code without a class file"))
    }

    pub(super) fn resolve_class(&mut self, index: u16) -> Result<ClassId, Fault> {
        let file = self.running_file()?;
        self.pool_class(&file, index)
    }

    pub(super) fn resolve_element_class(&mut self, index: u16) -> Result<ClassId, Fault> {
        let element = self.resolve_class(index)?;
        self.array_of(element)
            .map_err(|error| self.load_fault(error))
    }

    pub(super) fn resolve_new(&mut self, index: u16) -> Result<ClassId, Fault> {
        let class = self.resolve_class(index)?;
        if self.class(class).is_abstract() {
            return Err(Fault::raise(
                "java/lang/InstantiationError",
                self.binary_name(class),
            ));
        }
        Ok(class)
    }

    pub(super) fn resolve_instance_field(&mut self, index: u16) -> Result<(u16, Kind), Fault> {
        let file = self.running_file()?;
        let field = self.pool_field(&file, index)?;
        if field.is_static() {
            return Err(self.wrong_field(&field, "non-static"));
        }
        let word = u16::try_from(field.word).map_err(|_| {
            Fault::unsupported(format!(
                "{} has too many fields",
                self.binary_name(field.class)
            ))
        })?;
        Ok((word, field.kind))
    }

    fn wrong_field(&self, field: &Field, expected: &str) -> Fault {
        Fault::raise(
            "java/lang/IncompatibleClassChangeError",
            format!(
                "Expected {expected} field {}.{}",
                self.binary_name(field.class),
                self.text(field.name)
            ),
        )
    }

    pub(super) fn resolve_static(&mut self, index: u16) -> Result<u32, Fault> {
        let file = self.running_file()?;
        let field = self.pool_field(&file, index)?;
        if !field.is_static() {
            return Err(self.wrong_field(&field, "static"));
        }
        Ok(self.static_site(&field))
    }

    /// Operand of the instructions that access a static field.
    pub(crate) fn static_site(&mut self, field: &Field) -> u32 {
        self.static_sites.push(StaticSite {
            class: field.class,
            at: field.word,
            kind: field.kind,
        });
        self.static_sites.len() as u32 - 1
    }

    pub(super) fn resolve_call(
        &mut self,
        a: u16,
        index: u16,
        call: InvokeKind,
    ) -> Result<Instr, Fault> {
        let file = self.running_file()?;
        if call == InvokeKind::Dynamic {
            return self.link_call_site(&file, a, index);
        }
        let (named, method) = match self.link_polymorphic(&file, a, index)? {
            Some(instr) => return Ok(instr),
            None => self.pool_method(&file, index)?,
        };
        let this = self.method(method);
        let is_static = this.is_static();
        if is_static != (call == InvokeKind::Static) {
            return Err(Fault::raise(
                "java/lang/IncompatibleClassChangeError",
                format!(
                    "Expected {} method '{}'",
                    if call == InvokeKind::Static {
                        "static"
                    } else {
                        "non-static"
                    },
                    self.method_text(method)
                ),
            ));
        }
        let id = method.0;
        let bound = this.flags & flags::PRIVATE != 0 || self.text(this.name) == "<init>";
        Ok(match call {
            InvokeKind::Static => Instr::InvokeStaticChecked { a, method: id },
            InvokeKind::Special => Instr::InvokeSpecial {
                a,
                method: self.select_special(named, method)?.0,
            },
            _ if bound => Instr::InvokeSpecial { a, method: id },
            _ if this.vtable_index.is_some() => Instr::InvokeVirtual { a, method: id },
            _ => Instr::InvokeInterface { a, method: id },
        })
    }

    /// JVMS §6.5.invokespecial: lookup for a superclass method starts at the direct superclass.
    fn select_special(&mut self, named: ClassId, method: MethodId) -> Result<MethodId, Fault> {
        let frame = self.state.frames.last().expect("the running frame");
        let current = self.method(frame.method).class;
        let this = self.method(method);
        let (name, descriptor) = (this.name, this.descriptor);
        let is_super_call = self.text(name) != "<init>"
            && !self.class(named).is_interface()
            && named != current
            && self.is_subclass(current, named);
        let start = match self.class(current).super_class {
            Some(above) if is_super_call => above,
            _ => named,
        };
        let found = self
            .resolve_method(start, name, descriptor)
            .unwrap_or(method);
        if self.method(found).is_abstract() {
            return Err(self.abstract_method(current, found));
        }
        if self.method(found).is_static() {
            return Err(Fault::raise(
                "java/lang/IncompatibleClassChangeError",
                format!("Expected non-static method '{}'", self.method_text(found)),
            ));
        }
        Ok(found)
    }

    pub(super) fn load_constant(&mut self, pc: u32, d: u16, index: u16) -> Result<u64, Fault> {
        let file = self.running_file()?;
        let object = match file.constant(index)? {
            Constant::Str(text) => {
                let units = file.utf16(text).ok_or_else(|| file.bad_constant(index))?;
                let cell = self.literal_cell(&units)?;
                let string = self.enter_literal(cell);
                self.code[pc as usize] = if self.heap.is_permanent(string) && !self.heap.is_marked()
                {
                    Instr::Object {
                        d,
                        object: string.0,
                    }
                } else {
                    Instr::Literal { d, cell }
                };
                return Ok(string.slot());
            }
            Constant::Class(_) => {
                let class = self.pool_class(&file, index)?;
                self.class(class).mirror
            }
            // The value is a static field, which another instruction loads.
            _ => {
                let site = self.constant_site(&file, index)?;
                self.code[pc as usize] = Instr::GetStaticChecked { d, site };
                return Err(Fault::Again);
            }
        };
        if self.heap.is_permanent(object) {
            self.code[pc as usize] = Instr::Object {
                d,
                object: object.0,
            };
        }
        Ok(object.slot())
    }
}
