//! `SwitchBootstraps`: pattern switches (JEP 441) as register code that tests the labels in
//! order, and the constants by which `javac` describes labels.

use crate::assembler::Assembler;
use crate::class::{ClassId, LoadedFile, MethodId, flags};
use crate::classfile::Constant;
use crate::descriptor::{self, Kind};
use crate::indy::CallSite;
use crate::instr::Instr;
use crate::link::LoadError;
use crate::vm::{Fault, StaticSite, Vm};

/// Label of a case.
enum CaseLabel {
    /// Matches an instance of a class.
    Class(ClassId),
    /// Matches a string equal to a constant.
    Text(Vec<u16>),
    /// Matches a number or character equal to a constant.
    Int(i32),
    /// Matches a box of another kind with exactly these bits.
    Boxed(Kind, u64),
    /// Matches an enum constant, by class and name. Both may be missing at run time.
    Enum(String, String),
}

/// Value that a dynamic constant describes, as far as labels need it.
#[derive(Clone, Debug)]
enum Described {
    Text(String),
    Int(i32),
    /// `java.lang.constant.ClassDesc`, by its internal name.
    ClassDesc(String),
    /// `java.lang.Enum.EnumDesc`.
    EnumDesc(String, String),
    Boolean(bool),
}

/// Register of the restart index, and the first free register for the code of a case.
const RESTART: u16 = 1;
const SCRATCH: u16 = 2;

impl Vm {
    /// Generates the code of a switch. It takes the selector and the index of the first case to
    /// try. It returns the index of the first matching case, the number of cases if none matches,
    /// -1 for null.
    pub(crate) fn link_switch(
        &mut self,
        file: &LoadedFile,
        site: &CallSite,
        of_enum: bool,
    ) -> Result<MethodId, Fault> {
        let text = self.text(site.descriptor).to_owned();
        let selector = match descriptor::split_method(&text) {
            Some((parameters, "I")) if parameters.len() == 2 => match Kind::of(parameters[0]) {
                Kind::Reference => descriptor::class_name(parameters[0]).to_owned(),
                kind => return self.link_primitive_switch(file, site, kind, parameters[0]),
            },
            _ => return Err(Fault::unsupported(format!("a switch of type {text}"))),
        };
        let mut labels = Vec::with_capacity(site.arguments.len());
        for &argument in &site.arguments {
            labels.push(self.switch_label(file, argument, of_enum.then_some(selector.as_str()))?);
        }
        let mut code = Assembler::default();
        code.reserve(SCRATCH + 3);
        let is_object = code.here();
        code.push(Instr::IfNonNull { a: 0, to: 0 });
        emit_answer(&mut code, -1);
        code.land(is_object);
        let count = labels.len() as i32;
        for (index, label) in labels.into_iter().enumerate() {
            code.push(Instr::Int {
                d: SCRATCH,
                value: index as i32,
            });
            let skip = code.here();
            code.push(Instr::IfICmpGt {
                a: RESTART,
                b: SCRATCH,
                to: 0,
            });
            let mut misses = vec![skip];
            self.emit_label(&mut code, label, &mut misses)?;
            emit_answer(&mut code, index as i32);
            for miss in misses {
                code.land(miss);
            }
        }
        emit_answer(&mut code, count);
        Ok(self.add_synthetic(file, "switch", site.descriptor, code))
    }

    /// Generates the code of a switch over a primitive component of a record pattern. Each label
    /// is the component's type and always matches, so the first case to try is the result.
    fn link_primitive_switch(
        &mut self,
        file: &LoadedFile,
        site: &CallSite,
        kind: Kind,
        selector: &str,
    ) -> Result<MethodId, Fault> {
        for &argument in &site.arguments {
            if !self.is_primitive_class(file, argument, selector)? {
                let of = format!(
                    "a switch over {} with values",
                    descriptor::to_java(selector)
                );
                return Err(Fault::unsupported(of));
            }
        }
        let restart = kind.words();
        let mut code = Assembler::default();
        code.reserve(restart + 1);
        code.push(Instr::Return { a: restart });
        Ok(self.add_synthetic(file, "switch", site.descriptor, code))
    }

    /// Whether a constant is the class of a primitive type (`ConstantBootstraps.primitiveClass`).
    fn is_primitive_class(
        &mut self,
        file: &LoadedFile,
        index: u16,
        primitive: &str,
    ) -> Result<bool, Fault> {
        let Constant::Dynamic {
            bootstrap,
            name_and_type,
        } = file.constant(index)?
        else {
            return Ok(false);
        };
        let bootstrap = file.info.bootstraps.get(bootstrap as usize);
        let handle = bootstrap.ok_or_else(|| file.bad_constant(index))?.handle;
        let (owner, method) = self.bootstrap_name(file, handle)?;
        let (name, _) = self.pool_name_and_type(file, name_and_type)?;
        Ok(owner == "java/lang/invoke/ConstantBootstraps"
            && method == "primitiveClass"
            && self.text(name) == primitive)
    }

    /// Emits a test of the selector that falls through on a match; branches taken otherwise are
    /// added to `misses`.
    fn emit_label(
        &mut self,
        code: &mut Assembler,
        label: CaseLabel,
        misses: &mut Vec<u32>,
    ) -> Result<(), Fault> {
        match label {
            CaseLabel::Class(class) => emit_instance_test(code, class, misses),
            CaseLabel::Text(units) => {
                let literal = self.literal(&units)?;
                let equals =
                    self.method_named("java/lang/String", "equals", "(Ljava/lang/Object;)Z")?;
                code.push(Instr::Object {
                    d: SCRATCH,
                    object: literal.0,
                });
                code.push(Instr::Move {
                    d: SCRATCH + 1,
                    a: 0,
                });
                code.push(Instr::InvokeSpecial {
                    a: SCRATCH,
                    method: equals.0,
                });
                misses.push(code.here());
                code.push(Instr::IfEq { a: SCRATCH, to: 0 });
            }
            CaseLabel::Int(value) => {
                let number = self.method_named("java/lang/Number", "intValue", "()I")?;
                let character = self.method_named("java/lang/Character", "charValue", "()C")?;
                let (numbers, characters) =
                    (self.method(number).class, self.method(character).class);
                let mut not_number = Vec::new();
                emit_instance_test(code, numbers, &mut not_number);
                code.push(Instr::Move { d: SCRATCH, a: 0 });
                code.push(Instr::InvokeVirtual {
                    a: SCRATCH,
                    method: number.0,
                });
                let compare = code.here();
                code.push(Instr::Goto { to: 0 });
                code.land(not_number[0]);
                emit_instance_test(code, characters, misses);
                code.push(Instr::Move { d: SCRATCH, a: 0 });
                code.push(Instr::InvokeSpecial {
                    a: SCRATCH,
                    method: character.0,
                });
                code.land(compare);
                code.push(Instr::Int {
                    d: SCRATCH + 1,
                    value,
                });
                misses.push(code.here());
                code.push(Instr::IfICmpNe {
                    a: SCRATCH,
                    b: SCRATCH + 1,
                    to: 0,
                });
            }
            CaseLabel::Boxed(kind, bits) => {
                let class = self
                    .load_class(kind.box_class())
                    .map_err(|error| self.load_fault(error))?;
                emit_instance_test(code, class, misses);
                let equals =
                    self.method_named(kind.box_class(), "equals", "(Ljava/lang/Object;)Z")?;
                self.wide.push(bits);
                code.push(Instr::Wide {
                    d: SCRATCH,
                    index: self.wide.len() as u32 - 1,
                });
                self.emit_box(code, SCRATCH, kind)?;
                code.push(Instr::Move {
                    d: SCRATCH + 1,
                    a: 0,
                });
                code.push(Instr::InvokeSpecial {
                    a: SCRATCH,
                    method: equals.0,
                });
                misses.push(code.here());
                code.push(Instr::IfEq { a: SCRATCH, to: 0 });
            }
            CaseLabel::Enum(class, name) => match self.enum_constant(&class, &name)? {
                Some(site) => {
                    // An instance exists only if its class is initialised, so the read is safe.
                    emit_instance_test(code, site.class, misses);
                    self.static_sites.push(site);
                    code.push(Instr::GetStaticChecked {
                        d: SCRATCH,
                        site: self.static_sites.len() as u32 - 1,
                    });
                    misses.push(code.here());
                    code.push(Instr::IfACmpNe {
                        a: 0,
                        b: SCRATCH,
                        to: 0,
                    });
                }
                None => {
                    misses.push(code.here());
                    code.push(Instr::Goto { to: 0 });
                }
            },
        }
        Ok(())
    }

    /// Field of an enum constant; `None` if the class or the constant does not exist.
    fn enum_constant(&mut self, class: &str, name: &str) -> Result<Option<StaticSite>, Fault> {
        let class = match self.load_class(class) {
            Ok(class) => class,
            Err(LoadError::NotFound(_)) => return Ok(None),
            Err(error) => return Err(self.load_fault(error)),
        };
        let Some(name) = self.names.get(name) else {
            return Ok(None);
        };
        let field = self
            .class(class)
            .fields
            .iter()
            .find(|field| field.name == name);
        Ok(field
            .filter(|field| field.flags & flags::ENUM != 0)
            .map(|field| StaticSite {
                class,
                at: field.word,
                kind: field.kind,
            }))
    }

    fn switch_label(
        &mut self,
        file: &LoadedFile,
        index: u16,
        of_enum: Option<&str>,
    ) -> Result<CaseLabel, Fault> {
        Ok(match (file.constant(index)?, of_enum) {
            (Constant::Class(_), _) => CaseLabel::Class(self.pool_class(file, index)?),
            (Constant::Str(_), Some(class)) => CaseLabel::Enum(
                class.to_owned(),
                String::from_utf16_lossy(&constant_text(file, index)?),
            ),
            (Constant::Str(_), None) => CaseLabel::Text(constant_text(file, index)?),
            (Constant::Int(value), _) => CaseLabel::Int(value),
            (Constant::Long(value), _) => CaseLabel::Boxed(Kind::Long, value as u64),
            (Constant::Float(bits), _) => CaseLabel::Boxed(Kind::Float, u64::from(bits)),
            (Constant::Double(bits), _) => CaseLabel::Boxed(Kind::Double, bits),
            _ => match self.described(file, index, 0)? {
                Described::EnumDesc(class, name) => CaseLabel::Enum(class, name),
                Described::Boolean(value) => CaseLabel::Boxed(Kind::Boolean, u64::from(value)),
                Described::Int(value) => CaseLabel::Int(value),
                Described::Text(text) => CaseLabel::Text(text.encode_utf16().collect()),
                Described::ClassDesc(name) => {
                    return Err(Fault::unsupported(format!(
                        "a switch with the description of class {name}"
                    )));
                }
            },
        })
    }

    /// Evaluates a description. `javac` describes an enum constant as
    /// `EnumDesc.of(ClassDesc.of("a.B"), "C")`, where each call is a dynamic constant.
    fn described(&mut self, file: &LoadedFile, index: u16, depth: u32) -> Result<Described, Fault> {
        const DEEPEST: u32 = 8;
        let refuse = || Fault::unsupported("a dynamically computed constant of an unusual form");
        match file.constant(index)? {
            Constant::Str(_) => Ok(Described::Text(String::from_utf16_lossy(&constant_text(
                file, index,
            )?))),
            Constant::Int(value) => Ok(Described::Int(value)),
            Constant::Dynamic {
                bootstrap,
                name_and_type,
            } if depth < DEEPEST => {
                let bootstrap = file
                    .info
                    .bootstraps
                    .get(bootstrap as usize)
                    .cloned()
                    .ok_or_else(|| file.bad_constant(index))?;
                let (owner, method) = self.bootstrap_name(file, bootstrap.handle)?;
                let (name, _) = self.pool_name_and_type(file, name_and_type)?;
                match (owner.as_str(), method.as_str()) {
                    ("java/lang/invoke/ConstantBootstraps", "invoke") => {}
                    ("java/lang/invoke/ConstantBootstraps", "getStaticFinal") => {
                        return match self.text(name) {
                            "TRUE" => Ok(Described::Boolean(true)),
                            "FALSE" => Ok(Described::Boolean(false)),
                            _ => Err(refuse()),
                        };
                    }
                    _ => return Err(refuse()),
                }
                let (&handle, arguments) = bootstrap.arguments.split_first().ok_or_else(refuse)?;
                let (owner, method) = self.bootstrap_name(file, handle)?;
                let mut values = Vec::with_capacity(arguments.len());
                for &argument in arguments {
                    values.push(self.described(file, argument, depth + 1)?);
                }
                match (owner.as_str(), method.as_str(), values.as_slice()) {
                    ("java/lang/constant/ClassDesc", "of", [Described::Text(name)]) => {
                        Ok(Described::ClassDesc(name.replace('.', "/")))
                    }
                    (
                        "java/lang/Enum$EnumDesc",
                        "of",
                        [Described::ClassDesc(class), Described::Text(name)],
                    ) => Ok(Described::EnumDesc(class.clone(), name.clone())),
                    ("java/lang/Boolean", "valueOf", [Described::Int(value)]) => {
                        Ok(Described::Boolean(*value != 0))
                    }
                    _ => Err(refuse()),
                }
            }
            _ => Err(refuse()),
        }
    }
}

fn constant_text(file: &LoadedFile, index: u16) -> Result<Vec<u16>, Fault> {
    match file.constant(index)? {
        Constant::Str(text) => file.utf16(text).ok_or_else(|| file.bad_constant(index)),
        _ => Err(file.bad_constant(index)),
    }
}

fn emit_answer(code: &mut Assembler, value: i32) {
    code.push(Instr::Int { d: SCRATCH, value });
    code.push(Instr::Return { a: SCRATCH });
}

/// Emits a test that misses unless the selector is an instance of the class.
fn emit_instance_test(code: &mut Assembler, class: ClassId, misses: &mut Vec<u32>) {
    code.push(Instr::Move { d: SCRATCH, a: 0 });
    code.push(Instr::InstanceOf {
        d: SCRATCH,
        class: class.0,
    });
    misses.push(code.here());
    code.push(Instr::IfEq { a: SCRATCH, to: 0 });
}
