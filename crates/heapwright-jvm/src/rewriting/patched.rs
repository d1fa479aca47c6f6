//! Class files with one change of a method: those of [`crate::patches`] for a virtual machine outside.

use super::ClassRewriter;
use super::code::{CodeEdit, EditedInsn};
use super::pool::Pool;
use crate::bytecode::{self, op};
use crate::class::{Class, MethodId, flags};
use crate::descriptor::{self, Kind};
use crate::listing::{Invoke, ListedMember, ListedOperation};
use crate::machine::{Comparison, Operation};
use crate::patches::{Change, ReturnedValue};
use crate::vm::Vm;

const LDC_W: u8 = 19;
const WIDE: u8 = 196;
/// First of the loads whose variable is part of the opcode, and the one behind the last.
const SHORT_LOADS: std::ops::Range<u8> = 26..46;
/// Locals that hold an argument of a call that is not made.
const SPARE_LOCALS: u16 = 2;

impl Vm {
    /// Class file of the class of a method, with the instruction at a bytecode index changed. `None` if
    /// the instruction is none that could be changed in this way.
    ///
    /// # Errors
    /// The class has no file, or becomes too large; the text says which.
    pub fn patched_class_file(
        &self,
        method: MethodId,
        at: u16,
        change: Change,
    ) -> Result<Option<Vec<u8>>, String> {
        let this = self.method(method);
        let class = self.class(this.class);
        let file = class.file.as_ref().ok_or("it has no file")?;
        let (Some(index), Some(info)) = (this.index, this.code_info(file)) else {
            return Ok(None);
        };
        let mut rewriter = ClassRewriter::new(&file.bytes).map_err(|error| error.to_string())?;
        let listing = self.listing(method)?;
        let Some(place) = listing.place(at) else {
            return Ok(None);
        };
        let code = &info.code.of(&file.bytes)[usize::from(at)..];
        let patcher = Patcher {
            vm: self,
            class,
            pool: &rewriter.pool,
            code,
            step: &listing.instructions[place].step,
            spare: info.max_locals,
        };
        let Some(edit) = patcher.edit(change) else {
            return Ok(None);
        };
        let index = usize::from(index);
        rewriter.edit(index, at, edit);
        if matches!(change, Change::Argument(_))
            && let Some(edits) = rewriter.methods.get_mut(&index)
        {
            edits.more_locals = SPARE_LOCALS;
        }
        rewriter.finish().map(Some)
    }
}

/// Edit of an instruction.
struct Patcher<'a> {
    vm: &'a Vm,
    class: &'a Class,
    pool: &'a Pool<'a>,
    /// The code from the instruction on.
    code: &'a [u8],
    step: &'a ListedOperation,
    /// Number of the first local variable that is not used.
    spare: u16,
}

fn replaced(code: Vec<u8>) -> Option<CodeEdit> {
    // Two entries of the stack map must not meet.
    let code = if code.is_empty() { vec![op::NOP] } else { code };
    Some(CodeEdit {
        own: EditedInsn::Replaced(code),
        ..CodeEdit::default()
    })
}

fn before(before: Vec<u8>) -> Option<CodeEdit> {
    Some(CodeEdit {
        before,
        ..CodeEdit::default()
    })
}

fn jump(opcode: u8) -> Option<CodeEdit> {
    Some(CodeEdit {
        own: EditedInsn::Jump(opcode),
        ..CodeEdit::default()
    })
}

/// Pushes an int.
pub(super) fn push_int(code: &mut Vec<u8>, value: i32, pool: &Pool<'_>) {
    match (i8::try_from(value), i16::try_from(value)) {
        (_, Ok(-1..=5)) => code.push((i32::from(bytecode::ICONST_0) + value) as u8),
        (Ok(value), _) => code.extend([op::BIPUSH, value as u8]),
        (_, Ok(value)) => {
            code.push(op::SIPUSH);
            code.extend(value.to_be_bytes());
        }
        _ => {
            code.push(LDC_W);
            code.extend(pool.int(value).to_be_bytes());
        }
    }
}

fn push_empty_text(code: &mut Vec<u8>, pool: &Pool<'_>) {
    code.push(LDC_W);
    code.extend(pool.string("").to_be_bytes());
}

fn pop(code: &mut Vec<u8>, words: u16) {
    match words {
        0 => {}
        1 => code.push(op::POP),
        _ => code.push(op::POP2),
    }
}

/// Pushes a small number of a kind; of a reference null.
fn push_number(code: &mut Vec<u8>, kind: Kind, value: i32, pool: &Pool<'_>) {
    let one = u8::from(value != 0);
    match kind {
        Kind::Void => {}
        Kind::Reference => code.push(op::ACONST_NULL),
        Kind::Long => code.push(op::LCONST_0 + one),
        Kind::Float => code.push(op::FCONST_0 + one),
        Kind::Double => code.push(op::DCONST_0 + one),
        _ => push_int(code, value, pool),
    }
}

/// Place of a kind among the opcodes of a family.
fn family(kind: Kind) -> u8 {
    match kind {
        Kind::Long => 1,
        Kind::Float => 2,
        Kind::Double => 3,
        Kind::Reference => 4,
        _ => 0,
    }
}

/// Reads (`op::ILOAD`) or writes (`op::ISTORE`) a local variable.
fn local(code: &mut Vec<u8>, first: u8, kind: Kind, word: u16) {
    let opcode = first + family(kind);
    match u8::try_from(word) {
        Ok(word) => code.extend([opcode, word]),
        Err(_) => {
            code.extend([WIDE, opcode]);
            code.extend(word.to_be_bytes());
        }
    }
}

fn place_of(comparison: Comparison) -> Option<u8> {
    Some(match comparison {
        Comparison::Eq => 0,
        Comparison::Ne => 1,
        Comparison::Lt => 2,
        Comparison::Ge => 3,
        Comparison::Gt => 4,
        Comparison::Le => 5,
        Comparison::Below => return None,
    })
}

impl Patcher<'_> {
    fn edit(&self, change: Change) -> Option<CodeEdit> {
        let opcode = *self.code.first()?;
        match change {
            Change::Compare(comparison) => match opcode {
                op::IFEQ..=op::IFLE => jump(op::IFEQ + place_of(comparison)?),
                op::IF_ICMPEQ..=op::IF_ICMPLE => jump(op::IF_ICMPEQ + place_of(comparison)?),
                _ => None,
            },
            Change::Identify(wanted) => match (opcode, wanted) {
                (op::IF_ACMPEQ | op::IF_ACMPNE, true) => jump(op::IF_ACMPEQ),
                (op::IF_ACMPEQ | op::IF_ACMPNE, false) => jump(op::IF_ACMPNE),
                (op::IFNULL | op::IFNONNULL, true) => jump(op::IFNULL),
                (op::IFNULL | op::IFNONNULL, false) => jump(op::IFNONNULL),
                _ => None,
            },
            Change::Jump(jumps) => self.decided(opcode, jumps),
            Change::Compute(operation) => self.computed(operation),
            Change::Keep => self.kept(true),
            Change::KeepSecond => self.kept(false),
            Change::Number(value) => {
                let mut code = Vec::new();
                push_int(&mut code, value, self.pool);
                replaced(code)
            }
            Change::EmptyText => {
                let mut code = Vec::new();
                push_empty_text(&mut code, self.pool);
                replaced(code)
            }
            Change::Load(word) => {
                let mut code = Vec::new();
                local(&mut code, op::ILOAD, self.loaded(opcode)?, word);
                replaced(code)
            }
            Change::Increment(by) => {
                let ListedOperation::Increment(word, _) = self.step else {
                    return None;
                };
                let mut code = vec![WIDE, op::IINC];
                code.extend(word.to_be_bytes());
                code.extend(by.to_be_bytes());
                replaced(code)
            }
            Change::GetField(_) | Change::GetStatic(..) | Change::Discard | Change::Store(_) => {
                self.moved(change)
            }
            Change::Omit | Change::Argument(_) | Change::Call(_) => {
                let ListedOperation::Invoke(invoke, member) = self.step else {
                    return None;
                };
                self.call(*invoke, member, change)
            }
            Change::Return(value) => {
                let ListedOperation::Return(kind) = self.step else {
                    return None;
                };
                self.returned(*kind, value)
            }
            Change::Reset(word) => {
                let (name, kind) = self.field(self.class, word, None)?;
                let mut code = Vec::new();
                local(&mut code, op::ILOAD, Kind::Reference, 0);
                push_number(&mut code, kind, 0, self.pool);
                code.push(op::PUTFIELD);
                code.extend(name.to_be_bytes());
                before(code)
            }
        }
    }

    /// A jump that is always taken, or never. In the first case the code behind it stays reachable for
    /// the verifier.
    fn decided(&self, opcode: u8, jumps: bool) -> Option<CodeEdit> {
        let mut code = Vec::new();
        match opcode {
            op::IFEQ..=op::IFLE | op::IFNULL | op::IFNONNULL => pop(&mut code, 1),
            op::IF_ICMPEQ..=op::IF_ACMPNE => pop(&mut code, 2),
            op::GOTO if !jumps => {}
            _ => return None,
        }
        if !jumps {
            return replaced(code);
        }
        code.push(bytecode::ICONST_0);
        Some(CodeEdit {
            before: code,
            own: EditedInsn::Jump(op::IFEQ),
            ..CodeEdit::default()
        })
    }

    fn computed(&self, operation: Operation) -> Option<CodeEdit> {
        let ListedOperation::Operate(_, kind) = self.step else {
            return None;
        };
        let mut opcodes = op::IADD..=op::LXOR;
        let opcode = opcodes.find(|&opcode| bytecode::computed(opcode) == (operation, *kind))?;
        replaced(vec![opcode])
    }

    /// Arithmetic that gives its first or second operand.
    fn kept(&self, is_first: bool) -> Option<CodeEdit> {
        let ListedOperation::Operate(operation, kind) = self.step else {
            return None;
        };
        let is_shift = matches!(operation, Operation::Shl | Operation::Shr | Operation::Ushr);
        let words = if is_shift { 1 } else { kind.words() };
        let mut code = Vec::new();
        match (is_first, words) {
            _ if *operation == Operation::Neg => {}
            (true, words) => pop(&mut code, words),
            (false, _) if is_shift => return None,
            (false, 1) => code.extend([op::SWAP, op::POP]),
            (false, _) => code.extend([op::DUP2_X2, op::POP2, op::POP2]),
        }
        replaced(code)
    }

    /// Kind of the variable that a load reads.
    fn loaded(&self, opcode: u8) -> Option<Kind> {
        let opcode = match opcode {
            WIDE => *self.code.get(1)?,
            short if SHORT_LOADS.contains(&short) => op::ILOAD + (short - SHORT_LOADS.start) / 4,
            other => other,
        };
        Some(match opcode.checked_sub(op::ILOAD)? {
            0 => Kind::Int,
            1 => Kind::Long,
            2 => Kind::Float,
            3 => Kind::Double,
            4 => Kind::Reference,
            _ => return None,
        })
    }

    /// Entry and kind of the field of a class that is in a word of objects.
    fn field(&self, class: &Class, word: u16, descriptor: Option<&str>) -> Option<(u16, Kind)> {
        let vm = self.vm;
        let field = class.fields.iter().find(|field| {
            !field.is_static()
                && field.word == u32::from(word)
                && descriptor.is_none_or(|text| vm.text(field.descriptor) == text)
        })?;
        let member = (vm.text(field.name), vm.text(field.descriptor));
        Some((self.pool.field(vm.text(class.name), member), field.kind))
    }

    /// Another field that is read, or a value that is stored nowhere or comes from a variable.
    fn moved(&self, change: Change) -> Option<CodeEdit> {
        let mut code = Vec::new();
        match (self.step, change) {
            (ListedOperation::GetField(member, false), Change::GetField(word)) => {
                let class = self.vm.class(self.vm.loaded_class(&member.class)?);
                let (entry, _) = self.field(class, word, Some(&member.descriptor))?;
                code.push(op::GETFIELD);
                code.extend(entry.to_be_bytes());
                replaced(code)
            }
            (ListedOperation::GetField(member, true), Change::GetStatic(class, word)) => {
                let class = self.vm.class(class);
                let mut fields = class.fields.iter();
                let field = fields.find(|field| field.is_static() && field.word == word)?;
                let own = (self.vm.text(field.name), member.descriptor.as_str());
                let entry = self.pool.field(self.vm.text(class.name), own);
                code.push(op::GETSTATIC);
                code.extend(entry.to_be_bytes());
                replaced(code)
            }
            (ListedOperation::Store(kind, _), Change::Discard) => {
                pop(&mut code, kind.words());
                replaced(code)
            }
            (ListedOperation::PutField(member, is_static), Change::Discard) => {
                pop(&mut code, Kind::of(&member.descriptor).words());
                pop(&mut code, u16::from(!is_static));
                replaced(code)
            }
            (ListedOperation::PutField(member, false), Change::Store(word)) => {
                let kind = Kind::of(&member.descriptor);
                pop(&mut code, kind.words());
                local(&mut code, op::ILOAD, kind, word);
                before(code)
            }
            _ => None,
        }
    }

    /// A call that is not made, or one of another method.
    fn call(&self, invoke: Invoke, member: &ListedMember, change: Change) -> Option<CodeEdit> {
        let (parameters, result) = descriptor::split_method(&member.descriptor)?;
        let receiver = (invoke != Invoke::Static).then_some(Kind::Reference);
        let operands = parameters.iter().map(|parameter| Kind::of(parameter));
        let operands: Vec<Kind> = receiver.into_iter().chain(operands).collect();
        let mut code = Vec::new();
        match change {
            Change::Omit => {
                for kind in operands.iter().rev() {
                    pop(&mut code, kind.words());
                }
                push_number(&mut code, Kind::of(result), 0, self.pool);
                replaced(code)
            }
            Change::Argument(word) => {
                let mut at = 0;
                let kept = operands.iter().position(|kind| {
                    let is_it = at == word;
                    at += kind.words();
                    is_it
                })?;
                let kind = operands[kept];
                for later in operands[kept + 1..].iter().rev() {
                    pop(&mut code, later.words());
                }
                if kept > 0 {
                    local(&mut code, op::ISTORE, kind, self.spare);
                    for earlier in operands[..kept].iter().rev() {
                        pop(&mut code, earlier.words());
                    }
                    local(&mut code, op::ILOAD, kind, self.spare);
                }
                replaced(code)
            }
            Change::Call(other) => self.other_call(member, &parameters, other),
            _ => None,
        }
    }

    fn other_call(
        &self,
        member: &ListedMember,
        parameters: &[&str],
        other: MethodId,
    ) -> Option<CodeEdit> {
        let vm = self.vm;
        let this = vm.method(other);
        let (name, text) = (vm.text(this.name), vm.text(this.descriptor));
        let (takes, _) = descriptor::split_method(text)?;
        let mut code = Vec::new();
        for superfluous in parameters.get(takes.len()..)?.iter().rev() {
            pop(&mut code, Kind::of(superfluous).words());
        }
        let class = vm.class(vm.loaded_class(&member.class)?);
        let is_interface = class.is_interface();
        let entry = self.pool.method(&member.class, (name, text), is_interface);
        let is_own = vm.text(self.class.name) == member.class;
        code.push(match this.is_static() {
            true => op::INVOKESTATIC,
            false if this.flags & flags::PRIVATE != 0 && is_own => op::INVOKESPECIAL,
            false if is_interface => op::INVOKEINTERFACE,
            false => op::INVOKEVIRTUAL,
        });
        let is_counted = code.last() == Some(&op::INVOKEINTERFACE);
        code.extend(entry.to_be_bytes());
        if is_counted {
            let words = takes.iter().map(|parameter| Kind::of(parameter).words());
            code.extend([u8::try_from(1 + words.sum::<u16>()).ok()?, 0]);
        }
        replaced(code)
    }

    fn returned(&self, kind: Kind, value: ReturnedValue) -> Option<CodeEdit> {
        let vm = self.vm;
        let mut code = Vec::new();
        pop(&mut code, kind.words());
        match value {
            ReturnedValue::Int(value) => push_number(&mut code, kind, value, self.pool),
            ReturnedValue::EmptyString => push_empty_text(&mut code, self.pool),
            ReturnedValue::Call(method, argument) => {
                let this = vm.method(method);
                let (name, text) = (vm.text(this.name), vm.text(this.descriptor));
                let (parameters, _) = descriptor::split_method(text)?;
                if let (Some(parameter), Some(value)) = (parameters.first(), argument) {
                    push_number(&mut code, Kind::of(parameter), value, self.pool);
                }
                let class = vm.class(this.class);
                let is_interface = class.is_interface();
                let entry = self
                    .pool
                    .method(vm.text(class.name), (name, text), is_interface);
                code.push(op::INVOKESTATIC);
                code.extend(entry.to_be_bytes());
            }
        }
        before(code)
    }
}
