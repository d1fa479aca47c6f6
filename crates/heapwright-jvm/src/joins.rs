//! Join points of branches whose sides change nothing.
//!
//! `if (red(x)) { if (red(y)) return false; }` distinguishes values, but the state behind it is
//! the same on every path. A search can then continue once instead of twice. Joins depend on a
//! method's code alone, not on earlier runs.

use std::collections::BTreeSet;

use crate::class::{LoadedFile, Method, MethodId};
use crate::classfile::Constant;
use crate::descriptor::{Kind, split_method};
use crate::instr::{Flow, Instr, InvokeKind, Meaning, Reg, RegisterUse};
use crate::machine::Operation;
use crate::vm::Vm;

/// Maximum number of instructions between a branch and its join.
const MAX_REGION: usize = 64;
/// Maximum number of these that leave the method instead of leading to the join.
const MAX_ENDING: usize = 16;

impl Vm {
    /// Position where the sides of the branch at `pc` join. Every path from the branch that does
    /// not leave the method passes it and has written nothing that is read later. `None` if there
    /// is no such position.
    pub fn pure_join(&mut self, method: MethodId, pc: u32) -> Option<u32> {
        if let Some(&known) = self.joins.get(&pc) {
            return known;
        }
        let join = self.find_join(self.method(method), pc);
        self.joins.insert(pc, join);
        join
    }

    fn find_join(&self, method: &Method, pc: u32) -> Option<u32> {
        let sides: Vec<u32> = self.successors(method, pc);
        let &[first, second] = &sides[..] else {
            return None;
        };
        let both: Vec<u32> = self
            .ahead(method, first, pc, None)?
            .intersection(&self.ahead(method, second, pc, None)?)
            .copied()
            .collect();
        both.into_iter()
            .take(4)
            .find(|&join| self.is_pure_region(method, pc, &sides, join))
    }

    /// See [`forward_from`].
    fn ahead(
        &self,
        method: &Method,
        start: u32,
        branch: u32,
        stop: Option<u32>,
    ) -> Option<BTreeSet<u32>> {
        let next = |at| self.successors(method, at);
        forward_from(start, branch, stop, MAX_REGION, next)
    }

    fn is_pure_region(&self, method: &Method, branch: u32, sides: &[u32], join: u32) -> bool {
        let mut region = BTreeSet::new();
        for &side in sides {
            match self.ahead(method, side, branch, Some(join)) {
                Some(part) => region.extend(part),
                None => return false,
            }
        }
        // Instructions that lead to the join; the others leave the method.
        let mut leading = BTreeSet::from([join]);
        loop {
            let more: Vec<u32> = region
                .iter()
                .copied()
                .filter(|at| !leading.contains(at))
                .filter(|&at| {
                    let next = self.successors(method, at);
                    next.iter().any(|to| leading.contains(to))
                })
                .collect();
            if more.is_empty() {
                break;
            }
            leading.extend(more);
        }
        if region.difference(&leading).count() > MAX_ENDING {
            return false;
        }
        let live = self.live_at(method, join);
        region.iter().filter(|&&at| at != join).all(|&at| {
            let goes_back = self.successors(method, at).iter().any(|&to| to <= branch);
            let instr = self.code[at as usize];
            let is_quiet = !leading.contains(&at)
                || is_pure(instr)
                    && instr.written().is_none_or(|reg| !live.contains(&reg))
                    && !self.is_guarded(method, at);
            !goes_back && is_quiet
        })
    }

    fn is_guarded(&self, method: &Method, at: u32) -> bool {
        method
            .handlers
            .iter()
            .any(|handler| (handler.start..handler.end).contains(&at))
    }

    /// Successors of an instruction, exceptions apart. Switches and subroutines have none here,
    /// so that their sides have no join.
    fn successors(&self, method: &Method, at: u32) -> Vec<u32> {
        match self.code[at as usize].flow() {
            Flow::Switch | Flow::Subroutine => Vec::new(),
            _ => self.normal_successors(method, at),
        }
    }

    /// All successors of an instruction, exceptions apart.
    pub(crate) fn normal_successors(&self, method: &Method, at: u32) -> Vec<u32> {
        let entry = self.entry(method);
        let end = entry + method.origins.len() as u32;
        let successors = self.code[at as usize].successors(at, &self.switches);
        let mut next: Vec<u32> = successors.filter(|at| (entry..end).contains(at)).collect();
        next.dedup();
        next
    }

    /// First instruction of a translated method.
    pub(crate) fn entry(&self, method: &Method) -> u32 {
        match method.code {
            crate::class::Code::Translated(entry) => entry,
            _ => 0,
        }
    }

    /// Registers that are live before an instruction.
    pub(crate) fn live_at(&self, method: &Method, start: u32) -> BTreeSet<Reg> {
        let mut live = self.live(method);
        live.swap_remove((start - self.entry(method)) as usize)
    }

    /// Registers that are live before each instruction.
    pub(crate) fn live(&self, method: &Method) -> Vec<BTreeSet<Reg>> {
        let entry = self.entry(method);
        let length = method.origins.len() as u32;
        let words = method.frame_words as Reg;
        let mut live: Vec<BTreeSet<Reg>> = vec![BTreeSet::new(); length as usize];
        loop {
            let mut changed = false;
            for at in (entry..entry + length).rev() {
                let mut now: BTreeSet<Reg> = BTreeSet::new();
                for to in self.normal_successors(method, at) {
                    now.extend(&live[(to - entry) as usize]);
                }
                let instr = self.code[at as usize];
                if let Some(written) = instr.target() {
                    now.remove(&written);
                }
                // An instruction that throws writes nothing.
                for to in self.handler_targets(method, at) {
                    now.extend(&live[(to - entry) as usize]);
                }
                for (role, reg) in instr.registers() {
                    match role {
                        RegisterUse::Write => {}
                        RegisterUse::Read => now.extend([reg]),
                        RegisterUse::Fixed => match self.fixed_operands(method, instr) {
                            Some(operands) => {
                                now.extend(operands.into_iter().map(|offset| reg + offset));
                            }
                            None => now.extend(reg..words),
                        },
                    }
                }
                let place = &mut live[(at - entry) as usize];
                if *place != now {
                    *place = now;
                    changed = true;
                }
            }
            if !changed {
                return live;
            }
        }
    }

    /// Offsets of the registers that an instruction reads from its fixed one on; `None` if they are
    /// unknown. They are the same for resolved and unresolved calls. The second register of a `long`
    /// or `double` holds nothing.
    fn fixed_operands(&self, method: &Method, instr: Instr) -> Option<Vec<u16>> {
        if let Some(called) = instr.method() {
            let called = &self.methods[called as usize];
            return argument_offsets(self.text(called.descriptor), !called.is_static());
        }
        match instr {
            Instr::InvokePending { index, call, .. } => {
                let file = self.class(method.class).file.as_ref()?;
                let has_receiver = !matches!(call, InvokeKind::Static | InvokeKind::Dynamic);
                argument_offsets(called_descriptor(file, index)?, has_receiver)
            }
            Instr::MultiANewArray { dimensions, .. } => Some((0..dimensions.into()).collect()),
            _ => Some(vec![0]),
        }
    }

    /// All successors of an instruction, handlers included.
    pub(crate) fn successors_with_handlers(&self, method: &Method, at: u32) -> Vec<u32> {
        let mut next = self.normal_successors(method, at);
        next.extend(self.handler_targets(method, at));
        next
    }

    /// Handlers of the exceptions of an instruction.
    pub(crate) fn handler_targets(&self, method: &Method, at: u32) -> impl Iterator<Item = u32> {
        let handlers = method.handlers.iter();
        let guarding = handlers.filter(move |handler| (handler.start..handler.end).contains(&at));
        guarding.map(|handler| handler.target)
    }

    /// Makes a symbolic run stop with [`crate::Exit::Break`] before an instruction; `None`
    /// removes this.
    pub fn break_at(&mut self, pc: Option<u32>) -> Option<u32> {
        let before = std::mem::replace(&mut self.break_at, pc.unwrap_or(u32::MAX));
        (before != u32::MAX).then_some(before)
    }

    /// Makes a symbolic run stop with [`crate::Exit::Break`] behind a call that leaves fewer frames
    /// than this, or at the handler of an exception that does, 0 for none; returns what was set
    /// before. The stop is one of [`Vm::break_at`], which
    /// is set by it.
    pub fn break_below(&mut self, frames: usize) -> usize {
        std::mem::replace(&mut self.break_below, frames)
    }

    /// Ends the innermost frame, which is that of a call without a monitor, with this result.
    pub fn return_with(&mut self, value: Option<u64>) {
        let frame = self.pop_frame();
        if let Some(value) = value {
            self.state.registers[frame.base as usize] = value;
        }
        let left = self.state.frames.len();
        if let Some(caller) = self.state.frames.last_mut() {
            caller.pc += 1;
            if left < self.break_below {
                self.break_at = caller.pc;
            }
        }
    }

    /// Register of the result of a call that has just returned to the innermost frame, given the
    /// frame of the call.
    #[must_use]
    pub fn result_of(&self, ended: &crate::state::Frame) -> u64 {
        let at = ended.base as usize;
        self.state.registers.get(at).copied().unwrap_or_default()
    }

    /// Whether a frame is that of a call that leaves no monitor.
    #[must_use]
    pub fn is_plain_call(&self, frame: &crate::state::Frame) -> bool {
        frame.kind == crate::state::FrameKind::Call && frame.monitor.is_null()
    }

    /// Makes the innermost frame continue at another instruction of its method.
    pub fn jump_to(&mut self, pc: u32) {
        if let Some(frame) = self.state.frames.last_mut() {
            frame.pc = pc;
        }
    }
}

/// Instructions reachable from `start` by steps to instructions after `branch`, up to `stop`. Beyond
/// `most` of them there is no answer if there is a `stop`; otherwise those that were found suffice,
/// as distant instructions are irrelevant if the near ones join.
pub(crate) fn forward_from(
    start: u32,
    branch: u32,
    stop: Option<u32>,
    most: usize,
    next: impl Fn(u32) -> Vec<u32>,
) -> Option<BTreeSet<u32>> {
    let mut found = BTreeSet::new();
    let mut open = vec![start];
    while let Some(at) = open.pop() {
        if at > branch && found.insert(at) && Some(at) != stop {
            if found.len() > most {
                return stop.is_none().then_some(found);
            }
            open.extend(next(at));
        }
    }
    Some(found)
}

/// Descriptor of the method or call site that a constant names.
fn called_descriptor(file: &LoadedFile, index: u16) -> Option<&str> {
    let constant = |index| file.constant(index).ok();
    let (Constant::Method { name_and_type, .. } | Constant::InvokeDynamic { name_and_type, .. }) =
        constant(index)?
    else {
        return None;
    };
    let Constant::NameAndType { descriptor, .. } = constant(name_and_type)? else {
        return None;
    };
    let Constant::Utf8(span) = constant(descriptor)? else {
        return None;
    };
    std::str::from_utf8(span.of(&file.bytes)).ok()
}

/// Offset of each argument of a call in words, receiver included.
fn argument_offsets(descriptor: &str, has_receiver: bool) -> Option<Vec<u16>> {
    let (parameters, _) = split_method(descriptor)?;
    let receiver = has_receiver.then_some(1);
    let words = parameters.iter().map(|text| Kind::of(text).words());
    let offsets = receiver.into_iter().chain(words).scan(0, |next, words| {
        let offset = *next;
        *next += words;
        Some(offset)
    });
    Some(offsets.collect())
}

/// Whether an instruction only writes a register and calls nothing.
fn is_pure(instr: Instr) -> bool {
    use Instr::*;
    match instr.meaning() {
        Meaning::Compute {
            kind, operation, ..
        } => is_counted(kind, operation),
        Meaning::Compare { .. } | Meaning::Identify { .. } | Meaning::Load { .. } => true,
        // Resolved and unresolved forms count the same.
        _ => matches!(
            instr,
            Nop | Move { .. }
                | Int { .. }
                | Wide { .. }
                | Object { .. }
                | Literal { .. }
                | LdcPending { .. }
                | Goto { .. }
                | ArrayLength { .. }
                | GetFieldPending { .. }
                | GetField { .. }
                | GetStaticPending { .. }
                | GetStaticChecked { .. }
                | GetStatic { .. }
        ),
    }
}

/// Whether a computation is allowed between a branch and its join.
fn is_counted(kind: Kind, operation: Operation) -> bool {
    use Operation::{Add, And, Convert, Mul, Neg, Or, Sign, Sub, Xor};
    match kind {
        Kind::Int => matches!(
            operation,
            Add | Sub | Mul | Neg | And | Or | Xor | Convert(Kind::Long)
        ),
        Kind::Long => matches!(operation, Add | Sub | Sign | Convert(Kind::Int)),
        _ => false,
    }
}
