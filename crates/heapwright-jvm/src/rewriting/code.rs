//! Code attribute with instructions inserted and exchanged (JVMS §4.7.3).

use std::collections::BTreeMap;

use super::Copier;
use super::pool::Pool;
use crate::bytecode::{self, Decoded, Insn, op};

/// Depth of the stack that inserted instructions need beyond that of the code.
const MORE_STACK: u16 = 8;
/// Bytes that code may have.
const MOST: usize = 65_535;
/// Wide forms of `goto` and `jsr`.
const WIDE_JUMPS: [u8; 2] = [200, 201];

/// Edit at an instruction.
#[derive(Clone, Debug, Default)]
pub struct CodeEdit {
    /// Instructions that run only where control falls in from the instruction before.
    pub on_fall: Vec<u8>,
    /// Instructions before this one.
    pub before: Vec<u8>,
    /// What becomes of the instruction itself.
    pub(super) own: EditedInsn,
}

/// What becomes of an instruction.
#[derive(Clone, Debug, Default)]
pub(super) enum EditedInsn {
    /// It stays.
    #[default]
    Same,
    /// It is another jump to the same target.
    Jump(u8),
    /// It is replaced by instructions without jumps; at least one.
    Replaced(Vec<u8>),
}

/// Edits of a method.
#[derive(Default)]
pub(super) struct MethodEdits {
    /// Edits by bytecode index.
    pub edits: BTreeMap<u16, CodeEdit>,
    /// Further local variables, in words.
    pub more_locals: u16,
}

/// New positions by the old ones.
struct Positions {
    /// Positions to which control falls from before.
    edges: Vec<u32>,
    /// Positions to which jumps lead.
    labels: Vec<u32>,
    /// Positions of the instructions themselves.
    insns: Vec<u32>,
}

impl Positions {
    fn at(of: &[u32], at: u16) -> Result<u16, String> {
        let position = of.get(usize::from(at)).ok_or("a position is outside")?;
        u16::try_from(*position).map_err(|_| too_large())
    }
}

fn too_large() -> String {
    "a method of it becomes too large".to_owned()
}

fn early() -> String {
    "an attribute of its code ends too early".to_owned()
}

impl MethodEdits {
    /// Returns the content of a Code attribute with the edits.
    ///
    /// # Errors
    /// The content is malformed, or becomes too large.
    pub fn apply(&self, content: &[u8], pool: &Pool<'_>) -> Result<Vec<u8>, String> {
        let mut copier = Copier {
            bytes: content,
            at: 0,
            made: Vec::new(),
        };
        let header = (copier.skip_u16(), copier.skip_u16(), copier.skip_u32());
        let (Some(stack), Some(locals), Some(length)) = header else {
            return Err(early());
        };
        let code = copier.take(length as usize).ok_or_else(early)?;
        let decoded = bytecode::decode(code)?;
        let positions = self.positions(code, &decoded);
        let written = self.written(code, &decoded, &positions)?;
        copier.put_u16(stack.saturating_add(MORE_STACK));
        copier.put_u16(locals.checked_add(self.more_locals).ok_or_else(too_large)?);
        copier.made.extend((written.len() as u32).to_be_bytes());
        copier.made.extend(written);
        let handlers = copier.u16().ok_or_else(early)?;
        for _ in 0..handlers {
            for of in [&positions.labels, &positions.edges, &positions.labels] {
                let at = copier.skip_u16().ok_or_else(early)?;
                copier.put_u16(Positions::at(of, at)?);
            }
            copier.copy(2).ok_or_else(early)?;
        }
        // Annotations of types in code are for compilers.
        let count = copier.skip_u16().ok_or_else(early)?;
        let place = copier.made.len();
        copier.put_u16(0);
        let mut kept: u16 = 0;
        for _ in 0..count {
            let (name, length) = (copier.skip_u16(), copier.skip_u32());
            let (Some(name), Some(length)) = (name, length) else {
                return Err(early());
            };
            let content = copier.take(length as usize).ok_or_else(early)?;
            let made = match pool.text(name) {
                Some(b"StackMapTable") => stack_map(content, &positions)?,
                Some(b"LineNumberTable") => table(content, 4, false, &positions)?,
                Some(b"LocalVariableTable" | b"LocalVariableTypeTable") => {
                    table(content, 10, true, &positions)?
                }
                _ => continue,
            };
            kept += 1;
            copier.put_u16(name);
            copier.made.extend((made.len() as u32).to_be_bytes());
            copier.made.extend(made);
        }
        copier.made[place..place + 2].copy_from_slice(&kept.to_be_bytes());
        Ok(copier.made)
    }

    fn positions(&self, code: &[u8], decoded: &Decoded) -> Positions {
        let fresh = || vec![u32::MAX; code.len() + 1];
        let mut positions = Positions {
            edges: fresh(),
            labels: fresh(),
            insns: fresh(),
        };
        let mut position = 0;
        for (number, insn) in decoded.insns.iter().enumerate() {
            let at = usize::from(insn.at);
            let edit = self.edits.get(&insn.at);
            positions.edges[at] = position;
            position += edit.map_or(0, |edit| edit.on_fall.len() as u32);
            positions.labels[at] = position;
            position += edit.map_or(0, |edit| edit.before.len() as u32);
            positions.insns[at] = position;
            position += match edit.map(|edit| &edit.own) {
                Some(EditedInsn::Replaced(instead)) => instead.len() as u32,
                _ if is_switch(insn) => {
                    let padding = 3 - position % 4;
                    let own = raw(code, decoded, number);
                    let old_padding = 3 - u32::from(insn.at) % 4;
                    own.len() as u32 - old_padding + padding
                }
                _ => raw(code, decoded, number).len() as u32,
            };
        }
        let end = code.len();
        positions.edges[end] = position;
        positions.labels[end] = position;
        positions.insns[end] = position;
        positions
    }

    fn written(
        &self,
        code: &[u8],
        decoded: &Decoded,
        positions: &Positions,
    ) -> Result<Vec<u8>, String> {
        let mut made = Vec::new();
        for (number, insn) in decoded.insns.iter().enumerate() {
            let edit = self.edits.get(&insn.at);
            if let Some(edit) = edit {
                made.extend(&edit.on_fall);
                made.extend(&edit.before);
            }
            let own = raw(code, decoded, number);
            let from = made.len() as i64;
            let to = |at: i32| {
                let label = positions.labels.get(at as usize);
                label.map_or(0, |&label| i64::from(label) - from)
            };
            match edit.map(|edit| &edit.own) {
                Some(EditedInsn::Replaced(instead)) => made.extend(instead),
                Some(EditedInsn::Jump(opcode)) => jump(&mut made, *opcode, to(insn.a))?,
                _ if is_jump(insn) => jump(&mut made, own[0], to(insn.a))?,
                _ if is_switch(insn) => {
                    made.push(own[0]);
                    while made.len() % 4 != 0 {
                        made.push(0);
                    }
                    let switch = &decoded.switches[insn.b as usize];
                    made.extend((to(i32::from(switch.default)) as i32).to_be_bytes());
                    let is_table = own[0] == op::TABLESWITCH;
                    let keys = (switch.pairs.first(), switch.pairs.last());
                    match keys {
                        (Some((low, _)), Some((high, _))) if is_table => {
                            made.extend(low.to_be_bytes());
                            made.extend(high.to_be_bytes());
                        }
                        _ => made.extend((switch.pairs.len() as i32).to_be_bytes()),
                    }
                    for (key, target) in &switch.pairs {
                        if !is_table {
                            made.extend(key.to_be_bytes());
                        }
                        made.extend((to(i32::from(*target)) as i32).to_be_bytes());
                    }
                }
                _ => made.extend(own),
            }
        }
        match made.len() {
            ..=MOST => Ok(made),
            _ => Err(too_large()),
        }
    }
}

fn is_jump(insn: &Insn) -> bool {
    matches!(insn.op, op::IFEQ..=op::JSR | op::IFNULL | op::IFNONNULL)
}

fn is_switch(insn: &Insn) -> bool {
    matches!(insn.op, op::TABLESWITCH | op::LOOKUPSWITCH)
}

/// Bytes of an instruction.
fn raw<'c>(code: &'c [u8], decoded: &Decoded, number: usize) -> &'c [u8] {
    let start = usize::from(decoded.insns[number].at);
    let next = decoded.insns.get(number + 1);
    &code[start..next.map_or(code.len(), |next| usize::from(next.at))]
}

fn jump(made: &mut Vec<u8>, opcode: u8, offset: i64) -> Result<(), String> {
    made.push(opcode);
    if WIDE_JUMPS.contains(&opcode) {
        made.extend((offset as i32).to_be_bytes());
        return Ok(());
    }
    let offset = i16::try_from(offset).map_err(|_| too_large())?;
    made.extend(offset.to_be_bytes());
    Ok(())
}

/// Table of entries of a size that begin with a position, and perhaps the length of a range.
fn table(
    content: &[u8],
    size: usize,
    has_length: bool,
    positions: &Positions,
) -> Result<Vec<u8>, String> {
    let (count, entries) = content.split_at_checked(2).ok_or_else(early)?;
    let mut made = count.to_vec();
    for entry in entries.chunks_exact(size) {
        let number = |at: usize| u16::from_be_bytes([entry[at], entry[at + 1]]);
        let start = Positions::at(&positions.labels, number(0))?;
        made.extend(start.to_be_bytes());
        if has_length {
            let end = number(0).checked_add(number(2)).ok_or_else(early)?;
            let end = Positions::at(&positions.labels, end)?;
            made.extend((end - start).to_be_bytes());
        }
        made.extend(&entry[if has_length { 4 } else { 2 }..]);
    }
    Ok(made)
}

/// Stack map at the new positions (JVMS §4.7.4).
fn stack_map(content: &[u8], positions: &Positions) -> Result<Vec<u8>, String> {
    let mut copier = Copier {
        bytes: content,
        at: 0,
        made: Vec::new(),
    };
    let count = copier.u16().ok_or_else(early)?;
    let mut old: Option<u16> = None;
    let mut new: Option<u16> = None;
    for _ in 0..count {
        let kind = copier.take(1).ok_or_else(early)?[0];
        let delta = match kind {
            0..=63 => u16::from(kind),
            64..=127 => u16::from(kind - 64),
            _ => copier.skip_u16().ok_or_else(early)?,
        };
        let position = match old {
            None => Some(delta),
            Some(before) => before.checked_add(delta).and_then(|at| at.checked_add(1)),
        };
        let position = position.ok_or_else(early)?;
        let moved = Positions::at(&positions.labels, position)?;
        let delta = match new {
            None => moved,
            Some(before) => moved - before - 1,
        };
        (old, new) = (Some(position), Some(moved));
        let short = u8::try_from(delta).ok().filter(|&delta| delta < 64);
        match (kind, short) {
            (0..=63, Some(delta)) => copier.made.push(delta),
            (64..=127, Some(delta)) => copier.made.push(64 + delta),
            _ => {
                copier.made.push(match kind {
                    0..=63 => 251,
                    64..=127 => 247,
                    kind => kind,
                });
                copier.put_u16(delta);
            }
        }
        let types = match kind {
            64..=127 | 247 => [1, 0],
            252..=254 => [u16::from(kind) - 251, 0],
            255 => {
                let locals = copier.u16().ok_or_else(early)?;
                verification_types(&mut copier, locals, positions)?;
                [0, copier.u16().ok_or_else(early)?]
            }
            _ => [0, 0],
        };
        verification_types(&mut copier, types[0] + types[1], positions)?;
    }
    Ok(copier.made)
}

fn verification_types(
    copier: &mut Copier<'_>,
    count: u16,
    positions: &Positions,
) -> Result<(), String> {
    const OBJECT: u8 = 7;
    const UNINITIALIZED: u8 = 8;
    for _ in 0..count {
        let tag = copier.take(1).ok_or_else(early)?[0];
        copier.made.push(tag);
        match tag {
            OBJECT => copier.copy(2).ok_or_else(early)?,
            UNINITIALIZED => {
                let at = copier.skip_u16().ok_or_else(early)?;
                copier.put_u16(Positions::at(&positions.insns, at)?);
            }
            _ => {}
        }
    }
    Ok(())
}
