//! `StringConcatFactory`: a string concatenation as code that appends the pieces one by one.

use crate::assembler::Assembler;
use crate::class::{LoadedFile, MethodId};
use crate::classfile::Constant;
use crate::descriptor::{self, Kind};
use crate::indy::Site;
use crate::instr::{Instr, Reg};
use crate::replaced::Replaced;
use crate::vm::{Fault, Vm};

impl Vm {
    /// `StringConcatFactory`: the pieces are appended one by one.
    pub(crate) fn link_concatenation(
        &mut self,
        file: &LoadedFile,
        site: &Site,
        recipe: bool,
    ) -> Result<MethodId, Fault> {
        /// In a recipe, the place of an argument and of a constant.
        const ARGUMENT: u16 = 1;
        const CONSTANT: u16 = 2;
        let text = self.text(site.descriptor).to_owned();
        let (parameters, _) =
            descriptor::split_method(&text).ok_or_else(|| file.bad_constant(0))?;
        let units = if recipe {
            match site.arguments.first().map(|&index| file.constant(index)) {
                Some(Ok(Constant::Str(text))) => file.utf16(text).unwrap_or_default(),
                _ => return Err(file.bad_constant(0)),
            }
        } else {
            vec![ARGUMENT; parameters.len()]
        };
        let words: u16 = parameters
            .iter()
            .map(|parameter| Kind::of(parameter).words())
            .sum();
        let mut code = Assembler::default();
        let builder = words;
        self.emit_builder(&mut code, builder)?;
        let mut constants = site.arguments.iter().skip(1);
        let (mut parameter, mut register) = (0, 0);
        let mut literal: Vec<u16> = Vec::new();
        for &unit in units.iter().chain([&u16::MAX]) {
            // The end of the recipe flushes too.
            if matches!(unit, ARGUMENT | CONSTANT | u16::MAX) && !literal.is_empty() {
                let text = self.literal(&std::mem::take(&mut literal))?;
                code.push(Instr::Object {
                    d: builder + 2,
                    object: text.0,
                });
                self.emit_append(&mut code, builder, "Ljava/lang/String;")?;
            }
            match unit {
                ARGUMENT => {
                    let kind = *parameters
                        .get(parameter)
                        .ok_or_else(|| file.bad_constant(0))?;
                    code.push(Instr::Move {
                        d: builder + 2,
                        a: register,
                    });
                    self.emit_append(&mut code, builder, kind)?;
                    register += Kind::of(kind).words();
                    parameter += 1;
                }
                CONSTANT => {
                    let index = *constants.next().ok_or_else(|| file.bad_constant(0))?;
                    literal.extend(self.constant_text(file, index)?);
                }
                u16::MAX => {}
                other => literal.push(other),
            }
        }
        self.emit_to_string(&mut code, builder)?;
        let method = self.add_synthetic(file, "concat", site.descriptor, code);
        self.methods[method.0 as usize].replaced = Some(Replaced::Text);
        Ok(method)
    }

    /// A constant as string concatenation shows it.
    fn constant_text(&mut self, file: &LoadedFile, index: u16) -> Result<Vec<u16>, Fault> {
        match file.constant(index)? {
            Constant::Str(text) => file.utf16(text).ok_or_else(|| file.bad_constant(index)),
            Constant::Int(value) => Ok(value.to_string().encode_utf16().collect()),
            Constant::Long(value) => Ok(value.to_string().encode_utf16().collect()),
            _ => Err(Fault::unsupported(
                "string concatenation with a constant of an unusual type",
            )),
        }
    }

    /// Makes a `StringBuilder` in `builder`.
    pub(crate) fn emit_builder(&mut self, code: &mut Assembler, builder: Reg) -> Result<(), Fault> {
        let init = self.method_named("java/lang/StringBuilder", "<init>", "()V")?;
        let class = self.method(init).class;
        code.push(Instr::NewChecked {
            d: builder,
            class: class.0,
        });
        code.push(Instr::Move {
            d: builder + 1,
            a: builder,
        });
        code.reserve(builder + 4);
        code.push(Instr::InvokeSpecial {
            a: builder + 1,
            method: init.0,
        });
        Ok(())
    }

    /// Appends the value in `builder + 2`, which is of the type given.
    pub(crate) fn emit_append(
        &mut self,
        code: &mut Assembler,
        builder: Reg,
        descriptor: &str,
    ) -> Result<(), Fault> {
        let parameter = match Kind::of(descriptor) {
            Kind::Byte | Kind::Short => "I",
            Kind::Reference if descriptor == "Ljava/lang/String;" => descriptor,
            kind => kind.descriptor(),
        };
        let descriptor = format!("({parameter})Ljava/lang/StringBuilder;");
        let append = self.method_named("java/lang/StringBuilder", "append", &descriptor)?;
        code.push(Instr::Move {
            d: builder + 1,
            a: builder,
        });
        code.reserve(builder + 4);
        code.push(Instr::InvokeSpecial {
            a: builder + 1,
            method: append.0,
        });
        Ok(())
    }

    /// Returns what the builder holds.
    pub(crate) fn emit_to_string(
        &mut self,
        code: &mut Assembler,
        builder: Reg,
    ) -> Result<(), Fault> {
        let to_string = self.method_named(
            "java/lang/StringBuilder",
            "toString",
            "()Ljava/lang/String;",
        )?;
        code.push(Instr::InvokeSpecial {
            a: builder,
            method: to_string.0,
        });
        code.push(Instr::Return { a: builder });
        Ok(())
    }

    pub(crate) fn emit_text(
        &mut self,
        code: &mut Assembler,
        builder: Reg,
        text: &str,
    ) -> Result<(), Fault> {
        let units: Vec<u16> = text.encode_utf16().collect();
        let text = self.literal(&units)?;
        code.push(Instr::Object {
            d: builder + 2,
            object: text.0,
        });
        self.emit_append(code, builder, "Ljava/lang/String;")
    }
}
