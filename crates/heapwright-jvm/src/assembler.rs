//! Register code that the engine generates, and the methods that contain it.

use crate::class::{ClassId, Code, Handler, LoadedFile, MethodId, flags};
use crate::descriptor::{self, Kind};
use crate::instr::{Instr, Reg};
use crate::name::Sym;
use crate::vm::{Fault, Vm};

/// Emits a widening primitive conversion (JLS §5.1.2), in place.
pub(crate) fn emit_widening(code: &mut Assembler, register: Reg, from: Kind, to: Kind) {
    let (d, a) = (register, register);
    match (from, to) {
        (Kind::Byte | Kind::Char | Kind::Short | Kind::Int, Kind::Long) => {
            code.push(Instr::I2L { d, a })
        }
        (Kind::Byte | Kind::Char | Kind::Short | Kind::Int, Kind::Float) => {
            code.push(Instr::I2F { d, a })
        }
        (Kind::Byte | Kind::Char | Kind::Short | Kind::Int, Kind::Double) => {
            code.push(Instr::I2D { d, a })
        }
        (Kind::Long, Kind::Float) => code.push(Instr::L2F { d, a }),
        (Kind::Long, Kind::Double) => code.push(Instr::L2D { d, a }),
        (Kind::Float, Kind::Double) => code.push(Instr::F2D { d, a }),
        _ => {}
    }
}

/// Register code under construction.
#[derive(Default)]
pub(crate) struct Assembler {
    pub(crate) instrs: Vec<Instr>,
    /// Number of registers needed so far.
    pub(crate) registers: u32,
    /// Exception handlers, with positions counted from the first instruction.
    pub(crate) handlers: Vec<Handler>,
}

impl Assembler {
    pub(crate) fn push(&mut self, instr: Instr) {
        if let Some(d) = instr.target() {
            self.reserve(d + 2);
        }
        self.instrs.push(instr);
    }

    /// Stores the object in the second register behind an array of objects at an index of the
    /// array.
    pub(crate) fn store_element(&mut self, array: Reg, index: usize) {
        self.push(Instr::Int {
            d: array + 1,
            value: index as i32,
        });
        self.push(Instr::RefStore {
            a: array,
            b: array + 1,
            c: array + 2,
        });
    }

    /// Replaces an array of objects in a register by one of its elements.
    pub(crate) fn load_element(&mut self, array: Reg, index: usize) {
        self.push(Instr::Int {
            d: array + 1,
            value: index as i32,
        });
        self.push(Instr::RefLoad {
            d: array,
            a: array,
            b: array + 1,
        });
    }

    /// Position of the next instruction.
    pub(crate) fn here(&self) -> u32 {
        self.instrs.len() as u32
    }

    /// Makes the forward branch at `at` go to the next instruction.
    pub(crate) fn land(&mut self, at: u32) {
        let distance = (self.here() - at) as i32;
        self.instrs[at as usize].set_distance(distance);
    }

    /// Adds a handler for everything thrown between two positions: it starts here and gets the
    /// exception in `register`.
    pub(crate) fn catch_all(&mut self, start: u32, end: u32, register: Reg) {
        self.reserve(register + 1);
        self.handlers.push(Handler {
            start,
            end,
            target: self.here(),
            catch: 0,
            register,
        });
    }

    /// Throws a `wrapper` exception made by its constructor `init` from the exception in
    /// `caught`. Overwrites the three registers after that.
    pub(crate) fn throw_wrapped(&mut self, caught: Reg, wrapper: ClassId, init: MethodId) {
        let made = caught + 1;
        self.push(Instr::NewChecked {
            d: made,
            class: wrapper.0,
        });
        self.push(Instr::Move {
            d: caught + 2,
            a: made,
        });
        self.push(Instr::Move {
            d: caught + 3,
            a: caught,
        });
        self.push(Instr::InvokeSpecial {
            a: caught + 2,
            method: init.0,
        });
        self.push(Instr::Throw { a: made });
    }

    /// Reserves the registers below `end`.
    pub(crate) fn reserve(&mut self, end: Reg) {
        self.registers = self.registers.max(u32::from(end) + 2);
    }
}

impl Vm {
    pub(crate) fn class_of_descriptor(&mut self, descriptor: &str) -> Result<ClassId, Fault> {
        let name = descriptor::class_name(descriptor).to_owned();
        self.load_class(&name)
            .map_err(|error| self.load_fault(error))
    }

    /// Casts the object in a register to a type that the code of a class names.
    pub(crate) fn emit_cast(
        &mut self,
        code: &mut Assembler,
        register: Reg,
        (user, to): (ClassId, &str),
    ) -> Result<(), Fault> {
        if to != "Ljava/lang/Object;" {
            let class = self.class_of_type(user, to)?;
            code.push(Instr::CheckCast {
                a: register,
                class: class.0,
            });
        }
        Ok(())
    }

    /// Converts the value in a register as a method reference does (JLS §15.13.3): boxing,
    /// unboxing, widening. Calls use the registers from `register` on.
    pub(crate) fn emit_conversion(
        &mut self,
        code: &mut Assembler,
        register: Reg,
        from: &str,
        to: &str,
    ) -> Result<(), Fault> {
        let (from_kind, to_kind) = (Kind::of(from), Kind::of(to));
        match (from_kind, to_kind) {
            (Kind::Reference, Kind::Reference) | (_, Kind::Void) => Ok(()),
            (Kind::Reference, _) => {
                match Kind::of_box(descriptor::class_name(from)) {
                    Some(boxed) => {
                        self.emit_unbox(code, register, boxed)?;
                        emit_widening(code, register, boxed, to_kind);
                        Ok(())
                    }
                    // A value of a supertype of the boxes may be any box of a number.
                    None if !matches!(to_kind, Kind::Char | Kind::Boolean) => {
                        self.emit_number(code, register, to_kind)
                    }
                    None => self.emit_unbox(code, register, to_kind),
                }
            }
            (_, Kind::Reference) => {
                let target = from_kind.boxed_as(to);
                emit_widening(code, register, from_kind, target);
                self.emit_box(code, register, target)
            }
            _ => {
                emit_widening(code, register, from_kind, to_kind);
                Ok(())
            }
        }
    }

    /// Boxes the value in a register in place.
    pub(crate) fn emit_box(
        &mut self,
        code: &mut Assembler,
        register: Reg,
        kind: Kind,
    ) -> Result<(), Fault> {
        let method = self.method_named(
            kind.box_class(),
            "valueOf",
            &format!("({})L{};", kind.descriptor(), kind.box_class()),
        )?;
        code.reserve(register + 2);
        code.push(Instr::InvokeStaticChecked {
            a: register,
            method: method.0,
        });
        Ok(())
    }

    /// Unboxes the value in a register in place; null throws `NullPointerException`.
    pub(crate) fn emit_unbox(
        &mut self,
        code: &mut Assembler,
        register: Reg,
        kind: Kind,
    ) -> Result<(), Fault> {
        let class = self
            .load_class(kind.box_class())
            .map_err(|error| self.load_fault(error))?;
        let name = format!("{}Value", kind.keyword());
        let method =
            self.method_named(kind.box_class(), &name, &format!("(){}", kind.descriptor()))?;
        code.push(Instr::CheckCast {
            a: register,
            class: class.0,
        });
        code.reserve(register + 2);
        code.push(Instr::InvokeSpecial {
            a: register,
            method: method.0,
        });
        Ok(())
    }

    /// Converts the object in a register to a primitive number by a method of `Number`.
    fn emit_number(
        &mut self,
        code: &mut Assembler,
        register: Reg,
        kind: Kind,
    ) -> Result<(), Fault> {
        let name = format!("{}Value", kind.keyword());
        let descriptor = format!("(){}", kind.descriptor());
        let method = self.method_named("java/lang/Number", &name, &descriptor)?;
        let class = self.method(method).class.0;
        code.push(Instr::CheckCast { a: register, class });
        code.reserve(register + 2);
        code.push(self.call_instr(method, register));
        Ok(())
    }

    /// Returns a method of a JDK class.
    pub(crate) fn method_named(
        &mut self,
        class: &str,
        name: &str,
        descriptor: &str,
    ) -> Result<MethodId, Fault> {
        let id = self
            .load_class(class)
            .map_err(|error| self.load_fault(error))?;
        let key = (self.names.intern(name), self.names.intern(descriptor));
        self.resolve_method(id, key.0, key.1)
            .ok_or_else(|| Fault::unsupported(format!("{class} has no method {name}{descriptor}")))
    }

    /// Adds a generated static method to the class of the code that needs it.
    pub(crate) fn add_synthetic(
        &mut self,
        file: &LoadedFile,
        prefix: &str,
        descriptor: Sym,
        code: Assembler,
    ) -> MethodId {
        self.add_hidden(file.class, prefix, descriptor, code)
    }

    /// Adds a static method to a class, under a name that no code refers to.
    pub(crate) fn add_hidden(
        &mut self,
        class: ClassId,
        prefix: &str,
        descriptor: Sym,
        code: Assembler,
    ) -> MethodId {
        let name = self
            .names
            .intern(&format!("{prefix}${}", self.methods.len()));
        let id = self.add_method(
            class,
            name,
            descriptor,
            flags::STATIC | flags::SYNTHETIC,
            Code::Missing,
        );
        let class = &mut self.classes[class.0 as usize];
        class.methods.pop();
        class.method_index.remove(&(name, descriptor));
        self.install(id, code);
        id
    }

    /// Generates code that calls a static method, so that its class is initialised as for any
    /// call.
    pub(crate) fn starter(&mut self, method: MethodId) -> Result<MethodId, Fault> {
        self.starter_in(self.method(method).class, method)
    }

    /// Like [`Vm::starter`], as a method of `class`.
    pub(crate) fn starter_in(
        &mut self,
        class: ClassId,
        method: MethodId,
    ) -> Result<MethodId, Fault> {
        let this = self.method(method);
        let (descriptor, words) = (this.descriptor, this.argument_words);
        let is_void = this.result == Kind::Void;
        let mut code = Assembler::default();
        code.reserve(words + 2);
        code.push(Instr::InvokeStaticChecked {
            a: 0,
            method: method.0,
        });
        code.push(if is_void {
            Instr::ReturnVoid
        } else {
            Instr::Return { a: 0 }
        });
        Ok(self.add_hidden(class, "start", descriptor, code))
    }
}

pub(crate) fn call_static(a: Reg, method: MethodId) -> Instr {
    Instr::InvokeStatic {
        a,
        method: method.0,
    }
}
