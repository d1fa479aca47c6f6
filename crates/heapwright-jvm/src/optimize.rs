//! Passes over the register code of one method, each of which leaves what the code does as it was:
//!
//! 1. [`propagate_copies`]: within a block, what reads a stack register that only holds a copy reads
//!    the original;
//! 2. [`forward_results`]: what is computed into a stack register and then moved to a local variable
//!    is computed there;
//! 3. [`fuse`]: an instruction takes over the constant or the comparison that only it uses;
//! 4. [`remove_dead`]: moves and constants that nobody reads go;
//! 5. [`compact`]: the gaps are closed.
//!
//! They live off the discipline of the operand stack: a stack register at or above the stack's depth
//! holds nothing that is still needed, and handlers find an empty stack. Local variables always
//! count as needed.

use crate::class::Handler;
use crate::instr::{Instr, Reg, SwitchTable};

/// The code of a method before it is installed; positions are counted from its first instruction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    pub code: Vec<Instr>,
    /// The bytecode index of each instruction.
    pub origins: Vec<u16>,
    /// For each instruction the first stack register that holds nothing before it.
    pub before: Vec<Reg>,
    /// The same for after it.
    pub after: Vec<Reg>,
    pub handlers: Vec<Handler>,
    /// The tables of its switches, by the number the instruction holds.
    pub tables: Vec<SwitchTable>,
    /// The first stack register.
    pub stack: Reg,
}

/// What an instruction does with a register.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Read,
    Write,
    /// Reads or writes it and cannot use another.
    Fixed,
}

/// Runs all passes.
pub(crate) fn optimize(draft: &mut Draft) {
    // A subroutine's return address is a position, which the passes do not follow.
    let has_subroutines = draft
        .code
        .iter()
        .any(|instr| matches!(instr, Instr::Jsr { .. } | Instr::JsrReturn { .. }));
    if has_subroutines {
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

/// Whether control never goes to the next instruction.
fn ends(instr: &Instr) -> bool {
    matches!(
        instr,
        Instr::Goto { .. }
            | Instr::Switch { .. }
            | Instr::ReturnVoid
            | Instr::Return { .. }
            | Instr::Throw { .. }
            | Instr::Unreachable
    )
}

pub(crate) fn table_targets(table: &SwitchTable) -> impl Iterator<Item = i32> {
    let (targets, default) = match table {
        SwitchTable::Dense {
            targets, default, ..
        }
        | SwitchTable::Sparse {
            targets, default, ..
        } => (targets, *default),
    };
    targets.iter().copied().chain([default])
}

/// The basic blocks, in order.
fn blocks(draft: &Draft) -> Vec<Block> {
    let length = draft.code.len();
    let mut starts = vec![false; length + 1];
    starts[0] = true;
    starts[length] = true;
    for (at, instr) in draft.code.iter().enumerate() {
        if let Some(to) = instr.distance() {
            starts[at.wrapping_add_signed(to as isize)] = true;
            starts[at + 1] = true;
        }
        if let Instr::Switch { table, .. } = instr {
            for to in table_targets(&draft.tables[*table as usize]) {
                starts[at.wrapping_add_signed(to as isize)] = true;
            }
        }
        if ends(instr) {
            starts[at + 1] = true;
        }
        // What was noted is what was done: nothing moves past a probe.
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

/// Shows each register of an instruction with its role. The arguments of a call are not among them:
/// they are all registers from the call's own up to the stack's depth.
pub(crate) fn registers(instr: &mut Instr, see: &mut impl FnMut(Role, &mut Reg)) {
    use Instr::*;
    match instr {
        Nop | Probe { .. } | ReturnVoid | Unreachable | Goto { .. } => {}
        Int { d, .. }
        | Wide { d, .. }
        | Object { d, .. }
        | Literal { d, .. }
        | LdcPending { d, .. } => see(Role::Write, d),
        NewPending { d, .. } | NewChecked { d, .. } | New { d, .. } => see(Role::Write, d),
        GetStaticChecked { d, .. } | GetStatic { d, .. } => see(Role::Write, d),
        StaticPending { a, put, .. } => see(if *put { Role::Read } else { Role::Write }, a),
        Move { d, a }
        | INeg { d, a }
        | LNeg { d, a }
        | FNeg { d, a }
        | DNeg { d, a }
        | IAddConst { d, a, .. }
        | IMulConst { d, a, .. }
        | IAndConst { d, a, .. }
        | IShlConst { d, a, .. }
        | IShrConst { d, a, .. }
        | IUshrConst { d, a, .. }
        | I2L { d, a }
        | I2F { d, a }
        | I2D { d, a }
        | I2B { d, a }
        | I2C { d, a }
        | I2S { d, a }
        | I2Z { d, a }
        | L2I { d, a }
        | L2F { d, a }
        | L2D { d, a }
        | F2I { d, a }
        | F2L { d, a }
        | F2D { d, a }
        | D2I { d, a }
        | D2L { d, a }
        | D2F { d, a }
        | ArrayLength { d, a }
        | GetFieldPending { d, a, .. }
        | GetField { d, a, .. } => {
            see(Role::Read, a);
            see(Role::Write, d);
        }
        IAdd { d, a, b }
        | ISub { d, a, b }
        | IMul { d, a, b }
        | IDiv { d, a, b }
        | IRem { d, a, b }
        | IShl { d, a, b }
        | IShr { d, a, b }
        | IUshr { d, a, b }
        | IAnd { d, a, b }
        | IOr { d, a, b }
        | IXor { d, a, b }
        | LAdd { d, a, b }
        | LSub { d, a, b }
        | LMul { d, a, b }
        | LDiv { d, a, b }
        | LRem { d, a, b }
        | LShl { d, a, b }
        | LShr { d, a, b }
        | LUshr { d, a, b }
        | LAnd { d, a, b }
        | LOr { d, a, b }
        | LXor { d, a, b }
        | LCmp { d, a, b }
        | FAdd { d, a, b }
        | FSub { d, a, b }
        | FMul { d, a, b }
        | FDiv { d, a, b }
        | FRem { d, a, b }
        | FCmpL { d, a, b }
        | FCmpG { d, a, b }
        | DAdd { d, a, b }
        | DSub { d, a, b }
        | DMul { d, a, b }
        | DDiv { d, a, b }
        | DRem { d, a, b }
        | DCmpL { d, a, b }
        | DCmpG { d, a, b }
        | ByteLoad { d, a, b }
        | CharLoad { d, a, b }
        | ShortLoad { d, a, b }
        | IntLoad { d, a, b }
        | LongLoad { d, a, b }
        | RefLoad { d, a, b } => {
            see(Role::Read, a);
            see(Role::Read, b);
            see(Role::Write, d);
        }
        ByteStore { a, b, c }
        | ShortStore { a, b, c }
        | IntStore { a, b, c }
        | LongStore { a, b, c }
        | RefStore { a, b, c } => {
            see(Role::Read, a);
            see(Role::Read, b);
            see(Role::Read, c);
        }
        IfEq { a, .. }
        | IfNe { a, .. }
        | IfLt { a, .. }
        | IfGe { a, .. }
        | IfGt { a, .. }
        | IfLe { a, .. }
        | IfNull { a, .. }
        | IfNonNull { a, .. }
        | IfConstEq { a, .. }
        | IfConstNe { a, .. }
        | IfConstLt { a, .. }
        | IfConstGe { a, .. }
        | IfConstGt { a, .. }
        | IfConstLe { a, .. }
        | Switch { a, .. }
        | PutStaticChecked { a, .. }
        | PutStatic { a, .. }
        | CheckCastPending { a, .. }
        | CheckCast { a, .. }
        | MonitorEnter { a }
        | MonitorExit { a }
        | Return { a }
        | Throw { a } => see(Role::Read, a),
        IfICmpEq { a, b, .. }
        | IfICmpNe { a, b, .. }
        | IfICmpLt { a, b, .. }
        | IfICmpGe { a, b, .. }
        | IfICmpGt { a, b, .. }
        | IfICmpLe { a, b, .. }
        | IfACmpEq { a, b, .. }
        | IfACmpNe { a, b, .. }
        | PutFieldPending { a, b, .. }
        | PutField { a, b, .. }
        | PutFieldBoolean { a, b, .. }
        | PutFieldByte { a, b, .. }
        | PutFieldChar { a, b, .. }
        | PutFieldShort { a, b, .. } => {
            see(Role::Read, a);
            see(Role::Read, b);
        }
        // In and out by the same register, or from it on.
        NewArray { d, .. }
        | ANewArrayPending { d, .. }
        | InstanceOfPending { d, .. }
        | InstanceOf { d, .. }
        | MultiANewArray { d, .. }
        | Jsr { d, .. } => see(Role::Fixed, d),
        JsrReturn { a }
        | InvokePending { a, .. }
        | InvokeStaticChecked { a, .. }
        | InvokeStatic { a, .. }
        | InvokeSpecial { a, .. }
        | InvokeVirtual { a, .. }
        | InvokeInterface { a, .. } => see(Role::Fixed, a),
    }
}

/// The first registers that an instruction reads, in its own order.
pub(crate) fn read_by(mut instr: Instr) -> [Option<Reg>; 3] {
    let (mut found, mut count) = ([None; 3], 0);
    registers(&mut instr, &mut |role, register| {
        if role != Role::Write && count < found.len() {
            found[count] = Some(*register);
            count += 1;
        }
    });
    found
}

/// The register an instruction writes, if it can write another instead.
fn target(mut instr: Instr) -> Option<Reg> {
    let mut found = None;
    registers(&mut instr, &mut |role, reg| {
        if role == Role::Write {
            found = Some(*reg);
        }
    });
    found
}

/// The first register from which on an instruction may use all up to the stack's depth.
fn fixed_from(mut instr: Instr) -> Option<Reg> {
    let mut found = None;
    registers(&mut instr, &mut |role, reg| {
        if role == Role::Fixed {
            found = Some(*reg);
        }
    });
    found
}

fn propagate_copies(draft: &mut Draft, block: Block) {
    // Pairs of a stack register and what it is a copy of.
    let mut copies: Vec<(Reg, Reg)> = Vec::new();
    for at in block {
        let mut instr = draft.code[at];
        registers(&mut instr, &mut |role, reg| {
            if role == Role::Read
                && let Some((_, original)) = copies.iter().find(|(copy, _)| copy == reg)
            {
                *reg = *original;
            }
        });
        draft.code[at] = instr;
        if let Some(written) = target(instr) {
            copies.retain(|&(copy, original)| copy != written && original != written);
        }
        if let Some(first) = fixed_from(instr) {
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

/// Whether a register is read, or may be, in the rest of a block.
fn is_needed(draft: &Draft, register: Reg, rest: Block) -> bool {
    if register < draft.stack {
        return true;
    }
    let end = rest.end;
    for at in rest {
        let mut instr = draft.code[at];
        let mut read = false;
        registers(&mut instr, &mut |role, reg| {
            read |= role == Role::Read && *reg == register
        });
        if let Some(first) = fixed_from(instr) {
            read |= register >= first && register < draft.before[at].max(first + 1);
        }
        if read {
            return true;
        }
        if register >= draft.after[at] || target(instr) == Some(register) {
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
            && target(draft.code[at]) == Some(temporary);
        if !is_computed || is_needed(draft, temporary, at + 2..block.end) && at + 2 < block.end {
            continue;
        }
        if at + 2 == block.end && temporary < draft.after[at + 1] {
            continue;
        }
        let mut instr = draft.code[at];
        registers(&mut instr, &mut |role, reg| {
            if role == Role::Write {
                *reg = local;
            }
        });
        draft.code[at] = instr;
        draft.code[at + 1] = Instr::Nop;
    }
}

/// The constant in a register, if the instruction before puts it there and nobody else needs it.
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
                return (!needed || target(draft.code[at]) == Some(register))
                    .then_some((before, value));
            }
            // What stands between neither needs nor changes the register.
            instr => {
                let mut touched = fixed_from(instr).is_some();
                registers(&mut instr.clone(), &mut |_, reg| {
                    touched |= *reg == register
                });
                if touched {
                    return None;
                }
            }
        }
    }
    None
}

/// Makes of an instruction one that holds the constant itself.
type WithConstant = fn(Instr, i16) -> Option<Instr>;

fn fuse(draft: &mut Draft, block: Block) {
    use Instr::*;
    for at in block.clone() {
        let (operand, make): (Reg, WithConstant) = match draft.code[at] {
            IAdd { b, .. } => (b, |instr, value| match instr {
                IAdd { d, a, .. } => Some(IAddConst { d, a, value }),
                _ => None,
            }),
            ISub { b, .. } => (b, |instr, value| match instr {
                ISub { d, a, .. } => Some(IAddConst {
                    d,
                    a,
                    value: value.checked_neg()?,
                }),
                _ => None,
            }),
            IMul { b, .. } => (b, |instr, value| match instr {
                IMul { d, a, .. } => Some(IMulConst { d, a, value }),
                _ => None,
            }),
            IAnd { b, .. } => (b, |instr, value| match instr {
                IAnd { d, a, .. } => Some(IAndConst { d, a, value }),
                _ => None,
            }),
            IShl { b, .. } => (b, |instr, value| match instr {
                IShl { d, a, .. } => Some(IShlConst { d, a, value }),
                _ => None,
            }),
            IShr { b, .. } => (b, |instr, value| match instr {
                IShr { d, a, .. } => Some(IShrConst { d, a, value }),
                _ => None,
            }),
            IUshr { b, .. } => (b, |instr, value| match instr {
                IUshr { d, a, .. } => Some(IUshrConst { d, a, value }),
                _ => None,
            }),
            IfICmpEq { b, .. }
            | IfICmpNe { b, .. }
            | IfICmpLt { b, .. }
            | IfICmpGe { b, .. }
            | IfICmpGt { b, .. }
            | IfICmpLe { b, .. } => (b, |instr, value| {
                Some(match instr {
                    IfICmpEq { a, to, .. } => IfConstEq { a, value, to },
                    IfICmpNe { a, to, .. } => IfConstNe { a, value, to },
                    IfICmpLt { a, to, .. } => IfConstLt { a, value, to },
                    IfICmpGe { a, to, .. } => IfConstGe { a, value, to },
                    IfICmpGt { a, to, .. } => IfConstGt { a, value, to },
                    IfICmpLe { a, to, .. } => IfConstLe { a, value, to },
                    _ => return None,
                })
            }),
            _ => continue,
        };
        // A constant on both sides is left alone.
        let mut uses = 0;
        registers(&mut draft.code[at].clone(), &mut |role, reg| {
            uses += usize::from(role == Role::Read && *reg == operand);
        });
        if uses != 1 || operand < draft.stack {
            continue;
        }
        if let Some((constant, value)) = constant_before(draft, at, operand, &block)
            && let Some(fused) = make(draft.code[at], value)
        {
            draft.code[at] = fused;
            draft.code[constant] = Nop;
        }
    }
}

fn remove_dead(draft: &mut Draft, block: Block) {
    for at in block.clone().rev() {
        let is_pure = matches!(
            draft.code[at],
            Instr::Move { .. } | Instr::Int { .. } | Instr::Wide { .. } | Instr::Object { .. }
        );
        let Some(written) =
            target(draft.code[at]).filter(|&written| is_pure && written >= draft.stack)
        else {
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

/// Takes out what does nothing. The last instruction stays: handlers may end behind it.
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
            match &mut draft.tables[table as usize] {
                SwitchTable::Dense {
                    targets, default, ..
                }
                | SwitchTable::Sparse {
                    targets, default, ..
                } => {
                    for to in targets.iter_mut().chain([default]) {
                        *to = moved(at, *to);
                    }
                }
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
