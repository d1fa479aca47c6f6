//! `ObjectMethods`: `toString`, `hashCode` and `equals` of records as register code.

use crate::assembler::Assembler;
use crate::class::{ClassId, Field, LoadedFile, MethodId};
use crate::concat::Piece;
use crate::descriptor::Kind;
use crate::indy::CallSite;
use crate::instr::Instr;
use crate::vm::{Fault, Vm};

impl Vm {
    /// Links a call site of `ObjectMethods`: generates `toString`, `hashCode` or `equals` of a
    /// record.
    pub(crate) fn link_record_method(
        &mut self,
        file: &LoadedFile,
        site: &CallSite,
    ) -> Result<MethodId, Fault> {
        let class = *site.arguments.first().ok_or_else(|| file.bad_constant(0))?;
        let class = self.pool_class(file, class)?;
        let fields = self.class(class).fields.clone();
        let components: Vec<Field> = fields
            .into_iter()
            .filter(|field| !field.is_static())
            .collect();
        let mut code = Assembler::default();
        match self.text(site.name) {
            "toString" => self.emit_record_text(&mut code, class, &components)?,
            "hashCode" => self.emit_record_hash(&mut code, &components)?,
            "equals" => self.emit_record_equals(&mut code, class, &components)?,
            other => return Err(Fault::unsupported(format!("record method {other}"))),
        }
        Ok(self.add_synthetic(file, "record", site.descriptor, code))
    }

    fn emit_record_text(
        &mut self,
        code: &mut Assembler,
        class: ClassId,
        components: &[Field],
    ) -> Result<(), Fault> {
        let name = self.simple_name(class);
        let (mut pieces, mut descriptors) = (Vec::new(), Vec::new());
        let mut register = 1;
        let units = |text: &str| Piece::Text(text.encode_utf16().collect());
        for (index, field) in components.iter().enumerate() {
            let before = match index {
                0 => format!("{name}["),
                _ => ", ".to_owned(),
            };
            let label = format!("{before}{}=", self.text(field.name));
            pieces.extend([units(&label), Piece::Argument]);
            descriptors.push(self.text(field.descriptor).to_owned());
            code.push(Instr::GetField {
                d: register,
                a: 0,
                word: field.word as u16,
            });
            register += field.kind.words();
        }
        match components {
            [] => pieces.push(units(&format!("{name}[]"))),
            _ => pieces.push(units("]")),
        }
        let text = self.concatenation(class, &pieces, &descriptors)?;
        code.reserve(register + 1);
        code.push(Instr::InvokeStaticChecked {
            a: 1,
            method: text.0,
        });
        code.push(Instr::Return { a: 1 });
        Ok(())
    }

    fn emit_record_hash(
        &mut self,
        code: &mut Assembler,
        components: &[Field],
    ) -> Result<(), Fault> {
        let (sum, factor, value) = (1, 2, 3);
        code.push(Instr::Int { d: sum, value: 0 });
        code.push(Instr::Int {
            d: factor,
            value: 31,
        });
        for field in components {
            let (class, parameter) = match field.kind {
                Kind::Reference => ("java/util/Objects", "Ljava/lang/Object;"),
                kind => (kind.box_class(), kind.descriptor()),
            };
            let hash = self.method_named(class, "hashCode", &format!("({parameter})I"))?;
            code.push(Instr::GetField {
                d: value,
                a: 0,
                word: field.word as u16,
            });
            code.push(Instr::InvokeStaticChecked {
                a: value,
                method: hash.0,
            });
            code.push(Instr::IMul {
                d: sum,
                a: sum,
                b: factor,
            });
            code.push(Instr::IAdd {
                d: sum,
                a: sum,
                b: value,
            });
        }
        code.reserve(value + 2);
        code.push(Instr::Return { a: sum });
        Ok(())
    }

    fn emit_record_equals(
        &mut self,
        code: &mut Assembler,
        class: ClassId,
        components: &[Field],
    ) -> Result<(), Fault> {
        let (left, right) = (2, 4);
        code.push(Instr::IfACmpNe { a: 0, b: 1, to: 3 });
        code.push(Instr::Int { d: left, value: 1 });
        code.push(Instr::Return { a: left });
        code.push(Instr::Move { d: left, a: 1 });
        code.push(Instr::InstanceOf {
            d: left,
            class: class.0,
        });
        code.push(Instr::IfNe { a: left, to: 3 });
        code.push(Instr::Int { d: left, value: 0 });
        code.push(Instr::Return { a: left });
        // All JDKs compare the last component first.
        for field in components.iter().rev() {
            let word = field.word as u16;
            // The operands take two words each if they are wide, as a call needs them.
            let second = left + field.kind.words();
            code.push(Instr::GetField {
                d: left,
                a: 0,
                word,
            });
            code.push(Instr::GetField {
                d: second,
                a: 1,
                word,
            });
            let (callee, equal_is) = match field.kind {
                Kind::Reference => {
                    let descriptor = "(Ljava/lang/Object;Ljava/lang/Object;)Z";
                    (
                        self.method_named("java/util/Objects", "equals", descriptor)?,
                        true,
                    )
                }
                kind => {
                    let descriptor = format!("({0}{0})I", kind.descriptor());
                    (
                        self.method_named(kind.box_class(), "compare", &descriptor)?,
                        false,
                    )
                }
            };
            code.push(Instr::InvokeStaticChecked {
                a: left,
                method: callee.0,
            });
            code.push(if equal_is {
                Instr::IfNe { a: left, to: 3 }
            } else {
                Instr::IfEq { a: left, to: 3 }
            });
            code.push(Instr::Int { d: left, value: 0 });
            code.push(Instr::Return { a: left });
        }
        code.reserve(right + 2);
        code.push(Instr::Int { d: left, value: 1 });
        code.push(Instr::Return { a: left });
        Ok(())
    }

    /// Name of a class as by `Class.getSimpleName`.
    #[must_use]
    pub fn simple_name(&self, class: ClassId) -> String {
        let this = self.class(class);
        let inner = this.file.as_ref().and_then(|file| {
            file.info
                .inner_classes
                .iter()
                .find(|inner| inner.inner == this.name)
                .map(|inner| inner.name)
        });
        match inner {
            Some(Some(name)) => self.text(name).to_owned(),
            Some(None) => String::new(),
            None => {
                let name = self.class_name(class);
                name.rsplit_once('/')
                    .map_or(name, |(_, simple)| simple)
                    .to_owned()
            }
        }
    }
}
