//! Optimisation passes over the register code of one method, each of which preserves its
//! behaviour:
//!
//! 1. [`propagate_copies`]: within a block, a read of a stack register that is only a copy
//!    becomes a read of the original;
//! 2. [`forward_results`]: a result that is computed in a stack register and then moved to a
//!    local variable is computed there;
//! 3. [`fuse`]: an instruction absorbs the constant or the comparison that only it uses;
//! 4. [`remove_dead`]: removes moves and constants that are never read;
//! 5. [`compact`]: removes the gaps.
//!
//! The passes rely on the discipline of the operand stack. A stack register at or above the
//! stack's depth holds nothing that is still needed, and handlers start with an empty stack.
//! Local variables always count as needed.

use crate::class::Handler;
use crate::instr::{Flow, Instr, Meaning, Operand, Reg, RegisterUse, SwitchTable};

/// Code of a method before it is installed; positions are relative to its first instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub code: Vec<Instr>,
    /// Bytecode index of each instruction.
    pub origins: Vec<u16>,
    /// First empty stack register before each instruction.
    pub before: Vec<Reg>,
    /// First empty stack register after each instruction.
    pub after: Vec<Reg>,
    pub handlers: Vec<Handler>,
    /// Switch tables, by the number in their instruction.
    pub tables: Vec<SwitchTable>,
    /// First stack register.
    pub stack: Reg,
}

/// Runs all passes.
pub(crate) fn optimize(draft: &mut Draft) {
    // A subroutine's return address is a position, which the passes do not update.
    if draft
        .code
        .iter()
        .any(|instr| instr.flow().is_of_subroutine())
    {
        return;
    }
    let blocks = blocks(draft);
    for block in &blocks {
        propagate_copies(draft, block.clone());
        forward_results(draft, block.clone());
        fuse(draft, block.clone());
        remove_dead(draft, block.clone());
    }
    compact(draft);
}

type Block = std::ops::Range<usize>;

/// Basic blocks, in order.
fn blocks(draft: &Draft) -> Vec<Block> {
    let length = draft.code.len();
    let mut starts = vec![false; length + 1];
    starts[0] = true;
    starts[length] = true;
    for (at, instr) in draft.code.iter().enumerate() {
        if instr.flow() != Flow::Next {
            starts[at + 1] = true;
            for to in instr.successors(at as u32, &draft.tables) {
                starts[to as usize] = true;
            }
        }
        // A probe reports what was done before it, so nothing moves past a probe.
        if matches!(instr, Instr::Probe { .. }) {
            starts[at] = true;
            starts[at + 1] = true;
        }
    }
    for handler in &draft.handlers {
        for at in [handler.start, handler.end, handler.target] {
            starts[at as usize] = true;
        }
    }
    let bounds: Vec<usize> = (0..=length).filter(|&at| starts[at]).collect();
    bounds.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

fn propagate_copies(draft: &mut Draft, block: Block) {
    // Pairs of a stack register and the original of its copy.
    let mut copies: Vec<(Reg, Reg)> = Vec::new();
    for at in block {
        for (role, reg) in draft.code[at].registers_mut() {
            if role == RegisterUse::Read
                && let Some((_, original)) = copies.iter().find(|(copy, _)| copy == reg)
            {
                *reg = *original;
            }
        }
        let instr = draft.code[at];
        if let Some(written) = instr.target() {
            copies.retain(|&(copy, original)| copy != written && original != written);
        }
        if let Some(first) = instr.fixed_from() {
            copies.retain(|&(copy, original)| copy < first && original < first);
        }
        if let Instr::Move { d, a } = instr
            && d >= draft.stack
            && d != a
        {
            copies.push((d, a));
        }
    }
}

/// Whether a register may be read in the rest of a block.
fn is_needed(draft: &Draft, register: Reg, rest: Block) -> bool {
    if register < draft.stack {
        return true;
    }
    let end = rest.end;
    for at in rest {
        let instr = draft.code[at];
        let is_read = instr.registers().any(|(role, reg)| match role {
            RegisterUse::Read => reg == register,
            RegisterUse::Write => false,
            RegisterUse::Fixed => (reg..draft.before[at].max(reg + 1)).contains(&register),
        });
        if is_read {
            return true;
        }
        if register >= draft.after[at] || instr.target() == Some(register) {
            return false;
        }
    }
    register < draft.after[end - 1]
}

fn forward_results(draft: &mut Draft, block: Block) {
    for at in block.start..block.end.saturating_sub(1) {
        let Instr::Move {
            d: local,
            a: temporary,
        } = draft.code[at + 1]
        else {
            continue;
        };
        let is_computed = temporary >= draft.stack
            && local < draft.stack
            && !matches!(draft.code[at], Instr::Move { .. })
            && draft.code[at].target() == Some(temporary);
        if !is_computed || is_needed(draft, temporary, at + 2..block.end) && at + 2 < block.end {
            continue;
        }
        if at + 2 == block.end && temporary < draft.after[at + 1] {
            continue;
        }
        for (role, reg) in draft.code[at].registers_mut() {
            if role == RegisterUse::Write {
                *reg = local;
            }
        }
        draft.code[at + 1] = Instr::Nop;
    }
}

/// Constant in a register, if an earlier instruction of the block sets it and nothing else needs
/// it.
fn constant_before(draft: &Draft, at: usize, register: Reg, block: &Block) -> Option<(usize, i16)> {
    let mut before = at;
    while before > block.start {
        before -= 1;
        match draft.code[before] {
            Instr::Nop => {}
            Instr::Int { d, value } if d == register => {
                let value = i16::try_from(value).ok()?;
                let needed = at + 1 < block.end && is_needed(draft, register, at + 1..block.end)
                    || at + 1 == block.end && register < draft.after[at];
                return (!needed || draft.code[at].target() == Some(register))
                    .then_some((before, value));
            }
            // Instructions in between neither need nor change the register.
            instr => {
                let mut registers = instr.registers();
                if registers.any(|(role, reg)| role == RegisterUse::Fixed || reg == register) {
                    return None;
                }
            }
        }
    }
    None
}

/// Equivalent instruction with a constant as its second operand, if there is one.
fn with_constant(instr: Instr, value: i16) -> Option<Instr> {
    use Instr::*;
    Some(match instr {
        IAdd { d, a, .. } => IAddConst { d, a, value },
        ISub { d, a, .. } => {
            let value = value.checked_neg()?;
            IAddConst { d, a, value }
        }
        IMul { d, a, .. } => IMulConst { d, a, value },
        IAnd { d, a, .. } => IAndConst { d, a, value },
        IShl { d, a, .. } => IShlConst { d, a, value },
        IShr { d, a, .. } => IShrConst { d, a, value },
        IUshr { d, a, .. } => IUshrConst { d, a, value },
        IfICmpEq { a, to, .. } => IfConstEq { a, value, to },
        IfICmpNe { a, to, .. } => IfConstNe { a, value, to },
        IfICmpLt { a, to, .. } => IfConstLt { a, value, to },
        IfICmpGe { a, to, .. } => IfConstGe { a, value, to },
        IfICmpGt { a, to, .. } => IfConstGt { a, value, to },
        IfICmpLe { a, to, .. } => IfConstLe { a, value, to },
        _ => return None,
    })
}

fn fuse(draft: &mut Draft, block: Block) {
    for at in block.clone() {
        let instr = draft.code[at];
        let (Meaning::Compute {
            b: Operand::Register(operand),
            ..
        }
        | Meaning::Compare {
            b: Operand::Register(operand),
            ..
        }) = instr.meaning()
        else {
            continue;
        };
        // An instruction that reads the constant twice stays unchanged.
        let uses = instr.reads().filter(|&reg| reg == operand).count();
        if uses != 1 || operand < draft.stack {
            continue;
        }
        if let Some((constant, value)) = constant_before(draft, at, operand, &block)
            && let Some(fused) = with_constant(instr, value)
        {
            draft.code[at] = fused;
            draft.code[constant] = Instr::Nop;
        }
    }
}

fn remove_dead(draft: &mut Draft, block: Block) {
    for at in block.clone().rev() {
        let is_pure = matches!(
            draft.code[at],
            Instr::Move { .. } | Instr::Int { .. } | Instr::Wide { .. } | Instr::Object { .. }
        );
        let written = draft.code[at].target();
        let Some(written) = written.filter(|&written| is_pure && written >= draft.stack) else {
            continue;
        };
        let needed = if at + 1 < block.end {
            written < draft.after[at] && is_needed(draft, written, at + 1..block.end)
        } else {
            written < draft.after[at]
        };
        if !needed {
            draft.code[at] = Instr::Nop;
        }
    }
}

/// Removes instructions that do nothing. The last instruction stays, because handlers may end
/// behind it.
fn compact(draft: &mut Draft) {
    let length = draft.code.len();
    let is_kept = |at: usize| {
        !matches!(draft.code[at], Instr::Nop | Instr::Goto { to: 1 }) || at + 1 == length
    };
    let mut places = Vec::with_capacity(length + 1);
    let mut next = 0u32;
    for at in 0..length {
        places.push(next);
        next += u32::from(is_kept(at));
    }
    places.push(next);
    let kept: Vec<usize> = (0..length).filter(|&at| is_kept(at)).collect();
    let moved = |from: usize, to: i32| {
        places[from.wrapping_add_signed(to as isize)] as i32 - places[from] as i32
    };
    for &at in &kept {
        if let Some(to) = draft.code[at].distance() {
            draft.code[at].set_distance(moved(at, to));
        }
        if let Instr::Switch { table, .. } = draft.code[at] {
            for to in draft.tables[table as usize].distances_mut() {
                *to = moved(at, *to);
            }
        }
    }
    for handler in &mut draft.handlers {
        handler.start = places[handler.start as usize];
        handler.end = places[handler.end as usize];
        handler.target = places[handler.target as usize];
    }
    draft.code = kept.iter().map(|&at| draft.code[at]).collect();
    draft.origins = kept.iter().map(|&at| draft.origins[at]).collect();
}
