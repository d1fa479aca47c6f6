//! Patches: single instructions of a method exchanged for others, for mutation analysis.
//!
//! The code of a *patchable* method is translated one instruction for one. No pass joins its
//! instructions, and each return has room before it. A patch therefore means a change of
//! one bytecode instruction, and takes effect at once, in running frames, too. Code is permanent
//! memory: going back takes no patch back.

use crate::class::{ClassId, Code, MethodId, flags};
use crate::instr::{Instr, Meaning, Operand, Reg};
use crate::machine::{Comparison, Operation};
use crate::translate::SPARE;
use crate::vm::{Fault, Vm};

/// Number of instructions of room before a return.
pub(crate) const RETURN_ROOM: usize = 2;

/// Change of a bytecode instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A branch on ints compares its operands in another way.
    Compare(Comparison),
    /// A branch on references jumps if they are equal (`true`), or if they are not.
    Identify(bool),
    /// A branch always jumps (`true`), or never. A jump can only be left out.
    Jump(bool),
    /// Arithmetic is another operation on the same operands.
    Compute(Operation),
    /// The result of arithmetic is its first operand.
    Keep,
    /// The result of arithmetic with two operands is its second operand.
    KeepSecond,
    /// An int constant is another one.
    Number(i32),
    /// A text constant is the empty one.
    EmptyText,
    /// Another local variable is read, named by its first word.
    Load(u16),
    /// Another field of the same object is read, named by its word in objects.
    GetField(u16),
    /// Another static field is read, of this class and named by its arena word.
    GetStatic(ClassId, u32),
    /// A value is stored nowhere, neither in a local variable nor in a field.
    Discard,
    /// The value of a local variable, named by its first word, is stored in a field.
    Store(u16),
    /// A local variable is incremented by another number.
    Increment(i16),
    /// A call is not made. Its result, if it has one, is the zero of its type.
    Omit,
    /// A call is not made. Its result is the argument this many words behind the first one.
    Argument(u16),
    /// Another method is called with the same arguments. It is static if the other one is.
    Call(MethodId),
    /// A return gives another value.
    Return(ReturnedValue),
    /// A return gives a field of the receiver, named by its word in objects, the zero of its type.
    Reset(u16),
}

/// Value that a patched return gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnedValue {
    /// An int, or 0 of any other type.
    Int(i32),
    /// The empty string.
    EmptyString,
    /// The result of a static method with at most one parameter.
    Call(MethodId, Option<i32>),
}

/// Prepared change of a method's code.
#[derive(Clone, Debug)]
pub struct Patch {
    /// Positions and the instructions to exchange for those there.
    cells: Vec<(u32, Instr)>,
}

impl Vm {
    /// Makes a method patchable. It must have no frame on the stack.
    pub fn make_patchable(&mut self, method: MethodId) {
        self.patchable.insert(method);
        self.translate_again(method);
    }

    /// Prepares a change of the instruction of a patchable method at a bytecode index. `None` if
    /// the instruction is unreachable, or is none that could be changed in this way.
    ///
    /// # Errors
    /// The method's code is invalid, or no memory is left.
    pub fn prepare_patch(
        &mut self,
        method: MethodId,
        at: u16,
        change: Change,
    ) -> Result<Option<Patch>, Fault> {
        let entry = self.translated(method)?;
        let origins = &self.method(method).origins;
        let own = origins.iter().zip(entry..);
        let own = own.filter(|(origin, _)| **origin == at);
        let places: Vec<u32> = own.map(|(_, place)| place).collect();
        for &place in &places {
            let instr = self.code[place as usize];
            match (change, instr) {
                (Change::Return(value), Instr::Return { a }) => {
                    return self.returning(place, a, value).map(Some);
                }
                (Change::Reset(word), Instr::Return { .. } | Instr::ReturnVoid) => {
                    return Ok(Some(self.resetting(method, place, word)));
                }
                (
                    Change::EmptyText,
                    Instr::LdcPending { d, .. }
                    | Instr::Literal { d, .. }
                    | Instr::Object { d, .. },
                ) => {
                    let cell = self.literal_cell(&[])?;
                    let cells = vec![(place, Instr::Literal { d, cell })];
                    return Ok(Some(Patch { cells }));
                }
                (
                    Change::GetStatic(class, word),
                    Instr::GetStaticPending { d, .. }
                    | Instr::GetStaticChecked { d, .. }
                    | Instr::GetStatic { d, .. },
                ) => {
                    let site = self.site_of(class, word);
                    let cells = site.map(|site| vec![(place, Instr::GetStaticChecked { d, site })]);
                    return Ok(cells.map(|cells| Patch { cells }));
                }
                _ => {}
            }
            let changed = match change {
                Change::Call(other) => instr.call_register().map(|a| self.calling(a, other)),
                _ => changed(instr, change),
            };
            if let Some(changed) = changed {
                let cells = vec![(place, changed)];
                return Ok(Some(Patch { cells }));
            }
        }
        Ok(None)
    }

    /// Exchanges the instructions of a patch for those in the code. A second call restores them.
    pub fn exchange(&mut self, patch: &mut Patch) {
        for (place, instr) in &mut patch.cells {
            std::mem::swap(&mut self.code[*place as usize], instr);
        }
    }

    /// Returns the operand of instructions that access a static field, the same for each patch.
    fn site_of(&mut self, class: ClassId, word: u32) -> Option<u32> {
        let known = self.static_sites.iter().position(|site| site.at == word);
        if let Some(known) = known {
            return u32::try_from(known).ok();
        }
        let fields = &self.class(class).fields;
        let field = fields
            .iter()
            .find(|field| field.is_static() && field.word == word);
        let field = field.cloned()?;
        Some(self.static_site(&field))
    }

    /// Returns the patch that stores a value in a register before the return at `place`.
    fn returning(&mut self, place: u32, a: Reg, value: ReturnedValue) -> Result<Patch, Fault> {
        let room = place - RETURN_ROOM as u32;
        let instrs = match value {
            ReturnedValue::Int(value) => [Instr::Int { d: a, value }, Instr::Nop],
            ReturnedValue::EmptyString => {
                let cell = self.literal_cell(&[])?;
                [Instr::Literal { d: a, cell }, Instr::Nop]
            }
            ReturnedValue::Call(method, argument) => {
                let argument = argument.map(|value| Instr::Int { d: a, value });
                let method = method.0;
                let call = Instr::InvokeStaticChecked { a, method };
                [argument.unwrap_or(Instr::Nop), call]
            }
        };
        let cells = (room..).zip(instrs).collect();
        Ok(Patch { cells })
    }

    /// Returns the patch that stores 0 in a field of the receiver before the return at `place`.
    fn resetting(&self, method: MethodId, place: u32, word: u16) -> Patch {
        let room = place - RETURN_ROOM as u32;
        // Spare registers are in use only within one instruction.
        let zero = (self.method(method).frame_words - SPARE) as Reg;
        let instrs = [
            Instr::Int { d: zero, value: 0 },
            Instr::PutField {
                a: 0,
                b: zero,
                word,
            },
        ];
        let cells = (room..).zip(instrs).collect();
        Patch { cells }
    }

    /// Returns the call of a method with the arguments from a register on.
    fn calling(&self, a: Reg, method: MethodId) -> Instr {
        let this = self.method(method);
        let method = method.0;
        match this.vtable_index {
            _ if this.is_static() => Instr::InvokeStaticChecked { a, method },
            _ if this.flags & flags::PRIVATE != 0 => Instr::InvokeSpecial { a, method },
            Some(_) => Instr::InvokeVirtual { a, method },
            None => Instr::InvokeInterface { a, method },
        }
    }

    /// Discards the translation of a method.
    pub(crate) fn translate_again(&mut self, method: MethodId) {
        let this = &mut self.methods[method.0 as usize];
        if let (Code::Translated(_), Some(index)) = (&this.code, this.index) {
            this.code = Code::Bytecode(index);
        }
    }
}

/// Returns the changed instruction, if the change suits it.
fn changed(instr: Instr, change: Change) -> Option<Instr> {
    match (instr.meaning(), change) {
        (Meaning::Compare { a, b, to, .. }, Change::Compare(comparison)) => {
            compare(comparison, a, b, to)
        }
        (Meaning::Identify { a, b, to, .. }, Change::Identify(wanted)) => {
            identify(wanted, a, b, to)
        }
        (Meaning::Compare { to, .. } | Meaning::Identify { to, .. }, Change::Jump(jumps)) => {
            Some(match jumps {
                true => Instr::Goto { to },
                false => Instr::Nop,
            })
        }
        (
            Meaning::Compute {
                d,
                b: Operand::Constant(_),
                ..
            },
            Change::Increment(value),
        ) => Some(Instr::IAddConst { d, a: d, value }),
        (
            Meaning::Compute {
                kind,
                d,
                a,
                b: Operand::Register(b),
                ..
            },
            Change::Compute(operation),
        ) => Some(Instr::computation(operation, kind, d, a, b)),
        (Meaning::Compute { d, a, .. }, Change::Keep) => Some(Instr::Move { d, a }),
        (Meaning::Compute { d, b, .. }, Change::KeepSecond) => Some(match b {
            Operand::Register(b) => Instr::Move { d, a: b },
            Operand::Constant(value) => Instr::Int { d, value },
        }),
        // Where there is no result, nothing reads the register.
        (Meaning::Call { first: d }, Change::Omit) => Some(Instr::Int { d, value: 0 }),
        (Meaning::Call { first }, Change::Argument(0)) => Some(Instr::Move { d: first, a: first }),
        (Meaning::Call { first: d }, Change::Argument(words)) => Some(Instr::Move {
            d,
            a: d.checked_add(words)?,
        }),
        _ => changed_access(instr, change),
    }
}

/// Returns the changed instruction, of those that move values or jump.
fn changed_access(instr: Instr, change: Change) -> Option<Instr> {
    match (instr, change) {
        (Instr::Goto { .. }, Change::Jump(false)) => Some(Instr::Nop),
        (Instr::Int { d, .. }, Change::Number(value)) => Some(Instr::Int { d, value }),
        (Instr::Move { d, .. }, Change::Load(a)) => Some(Instr::Move { d, a }),
        (
            Instr::GetField { d, a, .. } | Instr::GetFieldPending { d, a, .. },
            Change::GetField(word),
        ) => Some(Instr::GetField { d, a, word }),
        (
            Instr::Move { .. }
            | Instr::PutFieldPending { .. }
            | Instr::PutField { .. }
            | Instr::PutFieldBoolean { .. }
            | Instr::PutFieldByte { .. }
            | Instr::PutFieldChar { .. }
            | Instr::PutFieldShort { .. }
            | Instr::PutStaticPending { .. }
            | Instr::PutStaticChecked { .. }
            | Instr::PutStatic { .. },
            Change::Discard,
        ) => Some(Instr::Nop),
        (Instr::PutFieldPending { a, index, .. }, Change::Store(b)) => {
            Some(Instr::PutFieldPending { a, b, index })
        }
        (Instr::PutField { a, word, .. }, Change::Store(b)) => Some(Instr::PutField { a, b, word }),
        (Instr::PutFieldByte { a, word, .. }, Change::Store(b)) => {
            Some(Instr::PutFieldByte { a, b, word })
        }
        (Instr::PutFieldChar { a, word, .. }, Change::Store(b)) => {
            Some(Instr::PutFieldChar { a, b, word })
        }
        (Instr::PutFieldShort { a, word, .. }, Change::Store(b)) => {
            Some(Instr::PutFieldShort { a, b, word })
        }
        _ => None,
    }
}

fn compare(comparison: Comparison, a: Reg, b: Operand, to: i32) -> Option<Instr> {
    use Comparison::{Below, Eq, Ge, Gt, Le, Lt, Ne};
    Some(match b {
        Operand::Register(b) => {
            let to = i16::try_from(to).ok()?;
            match comparison {
                Eq => Instr::IfICmpEq { a, b, to },
                Ne => Instr::IfICmpNe { a, b, to },
                Lt => Instr::IfICmpLt { a, b, to },
                Ge => Instr::IfICmpGe { a, b, to },
                Gt => Instr::IfICmpGt { a, b, to },
                Le => Instr::IfICmpLe { a, b, to },
                Below => return None,
            }
        }
        Operand::Constant(_) => match comparison {
            Eq => Instr::IfEq { a, to },
            Ne => Instr::IfNe { a, to },
            Lt => Instr::IfLt { a, to },
            Ge => Instr::IfGe { a, to },
            Gt => Instr::IfGt { a, to },
            Le => Instr::IfLe { a, to },
            Below => return None,
        },
    })
}

fn identify(wanted: bool, a: Reg, b: Operand, to: i32) -> Option<Instr> {
    Some(match (b, wanted) {
        (Operand::Register(b), true) => Instr::IfACmpEq {
            a,
            b,
            to: i16::try_from(to).ok()?,
        },
        (Operand::Register(b), false) => Instr::IfACmpNe {
            a,
            b,
            to: i16::try_from(to).ok()?,
        },
        (Operand::Constant(_), true) => Instr::IfNull { a, to },
        (Operand::Constant(_), false) => Instr::IfNonNull { a, to },
    })
}
