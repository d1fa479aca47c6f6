//! `StringConcatFactory`: string concatenation as generated code that appends the pieces one by
//! one.

use crate::assembler::Assembler;
use crate::class::{ClassId, LoadedFile, MethodId};
use crate::classfile::Constant;
use crate::descriptor::{self, Kind, STRING};
use crate::indy::CallSite;
use crate::instr::{Instr, Reg};
use crate::replaced::Intrinsic;
use crate::vm::{Fault, Vm};

/// Part of a concatenation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Constant text.
    Text(Vec<u16>),
    /// The next argument.
    Argument,
}

fn words_of(parameters: &[String]) -> u16 {
    let words = parameters.iter();
    words.map(|parameter| Kind::of(parameter).words()).sum()
}

impl Vm {
    /// Links a call site of `StringConcatFactory`: generates code that appends the pieces one by
    /// one.
    pub(crate) fn link_concatenation(
        &mut self,
        file: &LoadedFile,
        site: &CallSite,
        recipe: bool,
    ) -> Result<MethodId, Fault> {
        /// Placeholders of a recipe for an argument and for a constant.
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
        let mut constants = site.arguments.iter().skip(1);
        let (mut pieces, mut literal): (Vec<Piece>, Vec<u16>) = (Vec::new(), Vec::new());
        for &unit in &units {
            match unit {
                ARGUMENT => {
                    pieces.push(Piece::Text(std::mem::take(&mut literal)));
                    pieces.push(Piece::Argument);
                }
                CONSTANT => {
                    let index = *constants.next().ok_or_else(|| file.bad_constant(0))?;
                    literal.extend(self.constant_text(file, index)?);
                }
                other => literal.push(other),
            }
        }
        pieces.push(Piece::Text(literal));
        let taken = pieces.iter().filter(|piece| **piece == Piece::Argument);
        if taken.count() > parameters.len() {
            return Err(file.bad_constant(0));
        }
        let parameters: Vec<String> = parameters.into_iter().map(str::to_owned).collect();
        self.concatenation(file.class, &pieces, &parameters)
    }

    /// Adds a static method that concatenates texts and its arguments. It calls `toString` of
    /// objects first, in order, so that the string itself can still be deferred.
    pub(crate) fn concatenation(
        &mut self,
        class: ClassId,
        pieces: &[Piece],
        parameters: &[String],
    ) -> Result<MethodId, Fault> {
        let is_asked = |parameter: &String| {
            Kind::of(parameter) == Kind::Reference
                && !descriptor::is_value_class(descriptor::class_name(parameter))
        };
        let appended = parameters
            .iter()
            .map(|parameter| match is_asked(parameter) {
                true => STRING.to_owned(),
                false => parameter.clone(),
            });
        let appended: Vec<String> = appended.collect();
        let joined = self.appending(class, pieces, &appended)?;
        if !parameters.iter().any(is_asked) {
            return Ok(joined);
        }
        let text = self.method_named(
            "java/lang/String",
            "valueOf",
            "(Ljava/lang/Object;)Ljava/lang/String;",
        )?;
        let words = words_of(parameters);
        let mut code = Assembler::default();
        let (mut register, mut argument) = (0, words);
        for parameter in parameters {
            code.push(Instr::Move {
                d: argument,
                a: register,
            });
            if is_asked(parameter) {
                code.push(Instr::InvokeStaticChecked {
                    a: argument,
                    method: text.0,
                });
            }
            register += Kind::of(parameter).words();
            argument += Kind::of(parameter).words();
        }
        code.reserve(argument + 1);
        code.push(Instr::InvokeStaticChecked {
            a: words,
            method: joined.0,
        });
        code.push(Instr::Return { a: words });
        Ok(self.add_text(class, parameters, code))
    }

    /// Adds a static method that appends texts and its arguments one by one.
    fn appending(
        &mut self,
        class: ClassId,
        pieces: &[Piece],
        parameters: &[String],
    ) -> Result<MethodId, Fault> {
        let mut code = Assembler::default();
        let builder = words_of(parameters);
        self.emit_builder(&mut code, builder)?;
        let (mut parameters_left, mut register) = (parameters.iter(), 0);
        for piece in pieces {
            match piece {
                Piece::Text(text) if text.is_empty() => {}
                Piece::Text(text) => {
                    let text = self.literal(text)?;
                    code.push(Instr::Object {
                        d: builder + 2,
                        object: text.0,
                    });
                    self.emit_append(&mut code, builder, STRING)?;
                }
                Piece::Argument => {
                    let Some(kind) = parameters_left.next() else {
                        break;
                    };
                    code.push(Instr::Move {
                        d: builder + 2,
                        a: register,
                    });
                    self.emit_append(&mut code, builder, kind)?;
                    register += Kind::of(kind).words();
                }
            }
        }
        self.emit_to_string(&mut code, builder)?;
        let method = self.add_text(class, parameters, code);
        self.concatenations.insert(method, pieces.into());
        Ok(method)
    }

    /// Adds a method whose string can be deferred.
    fn add_text(&mut self, class: ClassId, parameters: &[String], code: Assembler) -> MethodId {
        let descriptor = format!("({}){STRING}", parameters.concat());
        let descriptor = self.names.intern(&descriptor);
        let method = self.add_hidden(class, "concat", descriptor, code);
        self.methods[method.0 as usize].replaced = Some(Intrinsic::Text);
        method
    }

    /// Converts a constant to its text in a string concatenation.
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

    /// Emits the creation of a `StringBuilder` in `builder`.
    fn emit_builder(&mut self, code: &mut Assembler, builder: Reg) -> Result<(), Fault> {
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

    /// Emits the append of the value in `builder + 2`, which has the given type.
    fn emit_append(
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

    /// Emits the return of the builder's text.
    fn emit_to_string(&mut self, code: &mut Assembler, builder: Reg) -> Result<(), Fault> {
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
}
