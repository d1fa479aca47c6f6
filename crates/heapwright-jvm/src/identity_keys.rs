//! Identity keys: wrapper objects that equal each other if they hold the same object.
//!
//! With `hashCode() { return System.identityHashCode(held); }` and an `equals` that compares
//! `held` by `==`, a hash map distinguishes keys only by the object they hold. The object may
//! therefore stay symbolic. The analysis depends on the code of the two methods alone.

use std::sync::Arc;

use crate::bytecode::{Decoded, Insn, decode, op};
use crate::class::{ClassId, LoadedFile, Loader, MethodId, flags};
use crate::descriptor::Kind;
use crate::vm::Vm;

/// Maximum number of instructions that are interpreted in a method.
const MAX_STEPS: usize = 64;

/// Abstract value in a method of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AbstractValue {
    /// Key: the receiver, or another key of the same class.
    Key {
        is_receiver: bool,
    },
    /// Object that a key holds.
    Held {
        by_receiver: bool,
    },
    /// Identity hash of the object that the receiver holds.
    Hash,
    /// Class of both keys.
    Class,
    Null,
    Int(i32),
}

/// Abstract run of a method of a key.
struct AbstractRun<'a> {
    vm: &'a mut Vm,
    /// Class of the keys.
    class: ClassId,
    file: Arc<LoadedFile>,
    /// Whether both keys hold the same object.
    is_same: bool,
    /// Word of the only field that is read.
    field: Option<u32>,
    locals: Vec<Option<AbstractValue>>,
    stack: Vec<AbstractValue>,
}

impl Vm {
    /// Word of the field that identifies the keys of a class in hash maps. Two keys are equal if
    /// it holds the same object or is null in both, and the hash is that object's identity hash.
    /// `None` if the analysis cannot show this.
    pub(crate) fn identity_key(&mut self, class: ClassId) -> Option<u32> {
        if self.class(class).loader != Loader::App {
            return None;
        }
        if let Some(&known) = self.identity_keys.get(&class) {
            return known;
        }
        let field = self.find_identity_key(class);
        self.identity_keys.insert(class, field);
        field
    }

    fn find_identity_key(&mut self, class: ClassId) -> Option<u32> {
        let hash = self.overriding(class, "hashCode")?;
        let equals = self.overriding(class, "equals")?;
        let (answer, field) = self.key_method(class, hash, true)?;
        let same = self.key_method(class, equals, true)?;
        let other = self.key_method(class, equals, false)?;
        let told_apart = answer == AbstractValue::Hash
            && same == (AbstractValue::Int(1), field)
            && other == (AbstractValue::Int(0), field);
        told_apart.then_some(field)
    }

    /// The method of a class that overrides a method of `Object`.
    fn overriding(&self, class: ClassId, name: &str) -> Option<MethodId> {
        let all = &self.class(self.known().object).vtable;
        let index = all
            .iter()
            .position(|&method| self.text(self.method(method).name) == name)?;
        self.class(class).vtable.get(index).copied()
    }

    /// Result of a key's method, whose argument, if any, is another key, and the word of the
    /// field that it reads.
    fn key_method(
        &mut self,
        class: ClassId,
        method: MethodId,
        is_same: bool,
    ) -> Option<(AbstractValue, u32)> {
        // Methods that the verifier refuses are not analysed.
        self.translated(method).ok()?;
        let this = self.method(method);
        if this.flags & flags::SYNCHRONIZED != 0 {
            return None;
        }
        let file = self.class(this.class).file.clone()?;
        let code = this.code_info(&file)?.code;
        let decoded = decode(code.of(&file.bytes)).ok()?;
        let keys = [true, false].map(|is_receiver| Some(AbstractValue::Key { is_receiver }));
        let mut run = AbstractRun {
            vm: self,
            class,
            file,
            is_same,
            field: None,
            locals: keys.to_vec(),
            stack: Vec::new(),
        };
        let answer = run.answer(&decoded)?;
        Some((answer, run.field?))
    }
}

impl AbstractRun<'_> {
    fn answer(&mut self, code: &Decoded) -> Option<AbstractValue> {
        let mut next = 0;
        for _ in 0..MAX_STEPS {
            let insn = code.insns.get(next)?;
            next = match insn.op {
                op::IRETURN => return self.stack.pop(),
                op::GOTO => code.insn_at(insn.a)?,
                op::IFEQ | op::IFNE | op::IFNULL | op::IFNONNULL => {
                    let value = self.stack.pop()?;
                    let jumps = is_zero(value)? == matches!(insn.op, op::IFEQ | op::IFNULL);
                    if jumps {
                        code.insn_at(insn.a)?
                    } else {
                        next + 1
                    }
                }
                op::IF_ACMPEQ | op::IF_ACMPNE => {
                    let (b, a) = (self.stack.pop()?, self.stack.pop()?);
                    if self.is_one(a, b)? == (insn.op == op::IF_ACMPEQ) {
                        code.insn_at(insn.a)?
                    } else {
                        next + 1
                    }
                }
                _ => {
                    self.step(insn)?;
                    next + 1
                }
            };
        }
        None
    }

    /// Whether two references are equal; `None` if unknown.
    fn is_one(&self, a: AbstractValue, b: AbstractValue) -> Option<bool> {
        use AbstractValue::{Class, Held, Key, Null};
        match (a, b) {
            (Held { by_receiver: a }, Held { by_receiver: b }) => Some(a == b || self.is_same),
            (Key { is_receiver: a }, Key { is_receiver: b }) => Some(a == b),
            (Class, Class) | (Null, Null) => Some(true),
            (Key { .. }, Null) | (Null, Key { .. }) => Some(false),
            _ => None,
        }
    }

    fn step(&mut self, insn: &Insn) -> Option<()> {
        let index = insn.a as u16;
        let result = match insn.op {
            op::NOP => return Some(()),
            op::ALOAD | op::ILOAD => (*self.locals.get(insn.a as usize)?)?,
            op::ASTORE | op::ISTORE => {
                let place = insn.a as usize;
                self.locals.resize(self.locals.len().max(place + 1), None);
                self.locals[place] = Some(self.stack.pop()?);
                return Some(());
            }
            op::POP => {
                self.stack.pop()?;
                return Some(());
            }
            op::DUP => *self.stack.last()?,
            op::BIPUSH => AbstractValue::Int(insn.a),
            op::ACONST_NULL => AbstractValue::Null,
            op::GETFIELD => self.held(index)?,
            op::INSTANCEOF => AbstractValue::Int(self.is_instance(index)?.into()),
            op::CHECKCAST => {
                let key = *self.stack.last()?;
                if !self.is_instance(index)? {
                    return None;
                }
                key
            }
            op::INVOKEVIRTUAL | op::INVOKESTATIC => self.call(index)?,
            _ => return None,
        };
        self.stack.push(result);
        Some(())
    }

    fn held(&mut self, index: u16) -> Option<AbstractValue> {
        let field = self.vm.pool_field(&self.file, index).ok()?;
        let AbstractValue::Key { is_receiver } = self.stack.pop()? else {
            return None;
        };
        let is_only = *self.field.get_or_insert(field.word) == field.word;
        (is_only && !field.is_static() && field.kind == Kind::Reference).then_some(
            AbstractValue::Held {
                by_receiver: is_receiver,
            },
        )
    }

    /// Whether the key on the stack is an instance of a class in the pool.
    fn is_instance(&mut self, index: u16) -> Option<bool> {
        let class = self.vm.pool_class(&self.file, index).ok()?;
        let key = self.stack.pop()?;
        matches!(key, AbstractValue::Key { .. }).then(|| self.vm.is_subclass(self.class, class))
    }

    fn call(&mut self, index: u16) -> Option<AbstractValue> {
        let (_, method) = self.vm.pool_method(&self.file, index).ok()?;
        let this = self.vm.method(method);
        let owner = self.vm.class_name(this.class);
        match (owner, self.vm.text(this.name), self.stack.pop()?) {
            ("java/lang/System", "identityHashCode", AbstractValue::Held { by_receiver: true }) => {
                Some(AbstractValue::Hash)
            }
            ("java/lang/Object", "getClass", AbstractValue::Key { .. }) => {
                Some(AbstractValue::Class)
            }
            _ => None,
        }
    }
}

/// Whether a value is null or 0; `None` if unknown.
fn is_zero(value: AbstractValue) -> Option<bool> {
    match value {
        AbstractValue::Int(value) => Some(value == 0),
        AbstractValue::Null => Some(true),
        AbstractValue::Key { .. } | AbstractValue::Class => Some(false),
        AbstractValue::Held { .. } | AbstractValue::Hash => None,
    }
}

#[cfg(test)]
mod tests;
