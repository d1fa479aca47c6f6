//! Class files that report what runs execute: the probes of [`crate::probes`] as calls of a class of
//! hooks.
//!
//! A probe sets a slot where control comes to its instruction. Where it is told to, it sets a second
//! one before, if control falls in from the instruction before, and one for each way that a jump
//! goes.

use super::ClassRewriter;
use super::code::CodeEdit;
use super::pool::Pool;
use crate::bytecode::{self, op};
use crate::class::{ClassId, MethodId};
use crate::vm::Vm;

/// Probe before an instruction.
#[derive(Clone, Debug)]
pub struct ClassProbe {
    /// The method.
    pub method: MethodId,
    /// Bytecode index of the instruction.
    pub at: u16,
    /// Slot that is set where control comes to the instruction.
    pub reached: u32,
    /// Slot that is set where control falls in from the instruction before.
    pub fell: Option<u32>,
    /// What is observed of a jump.
    pub jump: Option<JumpProbe>,
}

/// What is observed of a conditional jump or a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JumpProbe {
    /// Slot that is set where the jump is not taken; the next one where it is.
    Branch(u32),
    /// First slot of a switch, and the number of the table that has the slot of each key.
    Switch(u32, u32),
}

impl Vm {
    /// Class file of a class with probes, which call static methods of the class `hooks`:
    /// `hit(int)`; for jumps `lt(int, int, int)` and so on, `same(Object, Object, int)`,
    /// `isNull(Object, int)` and `choose(int, int, int)`, each with the slot last, or with slot and
    /// table.
    ///
    /// # Errors
    /// The class has no file, or becomes too large; the text says which.
    pub fn probed_class_file(
        &self,
        class: ClassId,
        probes: &[ClassProbe],
        hooks: &str,
    ) -> Result<Vec<u8>, String> {
        let file = self.class(class).file.as_ref().ok_or("it has no file")?;
        let mut rewriter = ClassRewriter::new(&file.bytes).map_err(|error| error.to_string())?;
        for probe in probes {
            let method = self.method(probe.method);
            let (Some(index), Some(info)) = (method.index, method.code_info(file)) else {
                continue;
            };
            let code = info.code.of(&file.bytes);
            let hook = Hook {
                pool: &rewriter.pool,
                class: hooks,
            };
            let mut edit = CodeEdit::default();
            if let Some(slot) = probe.fell {
                hook.hit(&mut edit.on_fall, slot);
            }
            hook.hit(&mut edit.before, probe.reached);
            match probe.jump {
                Some(JumpProbe::Branch(slot)) => {
                    let opcode = *code.get(usize::from(probe.at)).ok_or("no instruction")?;
                    hook.branch(&mut edit.before, opcode, slot);
                }
                Some(JumpProbe::Switch(slot, table)) => {
                    edit.before.push(op::DUP);
                    hook.number(&mut edit.before, slot);
                    hook.number(&mut edit.before, table);
                    hook.call(&mut edit.before, "choose", "(III)V");
                }
                None => {}
            }
            rewriter.edit(usize::from(index), probe.at, edit);
        }
        rewriter.finish()
    }
}

/// Calls of hooks.
struct Hook<'a, 'p> {
    pool: &'a Pool<'p>,
    class: &'a str,
}

impl Hook<'_, '_> {
    fn number(&self, code: &mut Vec<u8>, number: u32) {
        super::patched::push_int(code, number as i32, self.pool);
    }

    fn call(&self, code: &mut Vec<u8>, name: &str, descriptor: &str) {
        let method = self.pool.method(self.class, (name, descriptor), false);
        code.push(op::INVOKESTATIC);
        code.extend(method.to_be_bytes());
    }

    fn hit(&self, code: &mut Vec<u8>, slot: u32) {
        self.number(code, slot);
        self.call(code, "hit", "(I)V");
    }

    /// Observes a conditional jump: its operands stay on the stack.
    fn branch(&self, code: &mut Vec<u8>, opcode: u8, slot: u32) {
        const NAMES: [&str; 6] = ["eq", "ne", "lt", "ge", "gt", "le"];
        const INTS: &str = "(III)V";
        const OBJECTS: &str = "(Ljava/lang/Object;Ljava/lang/Object;I)V";
        const OBJECT: &str = "(Ljava/lang/Object;I)V";
        let name = |first: u8| NAMES[usize::from(opcode - first)];
        let (copies, name, descriptor): (&[u8], &str, &str) = match opcode {
            op::IFEQ..=op::IFLE => (&[op::DUP, bytecode::ICONST_0], name(op::IFEQ), INTS),
            op::IF_ICMPEQ..=op::IF_ICMPLE => (&[op::DUP2], name(op::IF_ICMPEQ), INTS),
            op::IF_ACMPEQ => (&[op::DUP2], "same", OBJECTS),
            op::IF_ACMPNE => (&[op::DUP2], "differ", OBJECTS),
            op::IFNULL => (&[op::DUP], "isNull", OBJECT),
            op::IFNONNULL => (&[op::DUP], "isNotNull", OBJECT),
            _ => return,
        };
        code.extend(copies);
        self.number(code, slot);
        self.call(code, name, descriptor);
    }
}
