//! Predicates that consist of consecutive passes.
//!
//! A predicate often checks its structure in passes: that it is a tree, that the colours are
//! right, that the keys are in order. Between two passes only the receiver is live. Assume that
//! no pass changes what the others read (see the crate `heapwright-code`). The predicate is then
//! the conjunction of its passes, in any order. Passes depend on the code alone, not on earlier
//! runs.

use std::collections::BTreeSet;

use crate::class::{ClassId, Loader, MethodId, flags};
use crate::descriptor::Kind;
use crate::heap::Ref;
use crate::instr::{Instr, Reg};
use crate::machine::Machine;
use crate::state::Frame;
use crate::vm::{Exit, Vm};

/// Maximum number of calls between the predicate and the method in which a pass begins.
const MAX_DEPTH: usize = 3;
/// Maximum number of instructions of an analysed method.
const MAX_LENGTH: usize = 2_000;

/// Start of a pass: only the receiver is live.
#[derive(Clone, Debug)]
pub struct PassCut {
    /// The predicate and the methods that it calls, outermost first.
    levels: Vec<MethodCut>,
}

/// Part of a cut in one method.
#[derive(Clone, Debug)]
struct MethodCut {
    method: MethodId,
    /// Instruction at which the pass begins, or on the path to the call that leads to it.
    at: u32,
    /// The call; `None` in the innermost method.
    call: Option<u32>,
    /// Instructions from which every path to a result other than `false` passes `at`.
    before: BTreeSet<u32>,
    /// Whether the method's first instruction is one of them.
    from_entry: bool,
}

/// Frames of a suspended run.
#[derive(Clone, Debug)]
pub struct SuspendedFrames {
    frames: Vec<Frame>,
    registers: Vec<u64>,
}

impl SuspendedFrames {
    /// The frames, innermost last.
    #[must_use]
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }
}

impl PassCut {
    /// Instruction at which the pass begins.
    #[must_use]
    pub fn place(&self) -> Option<u32> {
        self.levels.last().map(|level| level.at)
    }

    /// Whether a run with these frames is at the cut.
    #[must_use]
    pub fn is_at(&self, frames: &[Frame]) -> bool {
        let is_in = |(level, frame): (&MethodCut, &Frame)| {
            frame.method == level.method && frame.pc == level.call.unwrap_or(level.at)
        };
        frames.len() == self.levels.len() && self.levels.iter().zip(frames).all(is_in)
    }

    /// Whether a run with these frames must pass the cut unless it returns `false`.
    #[must_use]
    pub fn is_ahead(&self, frames: &[Frame]) -> bool {
        for (depth, level) in self.levels.iter().enumerate() {
            let Some(frame) = frames.get(depth) else {
                return self.levels[depth..].iter().all(|level| level.from_entry);
            };
            if frame.method != level.method {
                return false;
            }
            if level.call != Some(frame.pc) {
                let rest = &self.levels[depth + 1..];
                return level.before.contains(&frame.pc)
                    && rest.iter().all(|level| level.from_entry);
            }
        }
        false
    }
}

/// Method that is searched for cuts.
struct AnalysedMethod {
    method: MethodId,
    entry: u32,
    end: u32,
    /// Registers that are live before each instruction.
    live: Vec<BTreeSet<Reg>>,
    /// Successors of each instruction.
    exits: Vec<Vec<u32>>,
    /// Instructions behind which the result is `false`.
    refusals: BTreeSet<u32>,
}

impl AnalysedMethod {
    fn all(&self) -> std::ops::Range<u32> {
        self.entry..self.end
    }

    /// Whether only the receiver, and the register `other`, are live before an instruction.
    fn is_bare(&self, at: u32, other: Option<Reg>) -> bool {
        self.live[(at - self.entry) as usize]
            .iter()
            .all(|&reg| reg == 0 || Some(reg) == other)
    }

    fn exits(&self, at: u32) -> &[u32] {
        &self.exits[(at - self.entry) as usize]
    }

    /// Whether an instruction is in a loop.
    fn is_in_loop(&self, at: u32) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = self.exits(at).to_vec();
        while let Some(next) = open.pop() {
            if next == at {
                return true;
            }
            if seen.insert(next) {
                open.extend(self.exits(next));
            }
        }
        false
    }

    /// Instructions from which a result other than `false` can be returned without passing
    /// `without`.
    fn accepting(&self, code: &[Instr], without: Option<u32>) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        loop {
            let before = found.len();
            for at in self.all().rev() {
                let is_end = matches!(code[at as usize], Instr::Return { .. });
                if Some(at) != without
                    && !self.refusals.contains(&at)
                    && (is_end || self.exits(at).iter().any(|next| found.contains(next)))
                {
                    found.insert(at);
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }
}

impl Vm {
    /// Finds the starts of all passes of `predicate` but the first, in order, for a receiver of
    /// class `class`.
    pub fn cuts(&mut self, predicate: MethodId, class: ClassId) -> Vec<PassCut> {
        let mut cuts = Vec::new();
        self.find_cuts(predicate, class, &mut Vec::new(), &mut cuts);
        cuts
    }

    fn find_cuts(
        &mut self,
        method: MethodId,
        class: ClassId,
        outer: &mut Vec<MethodCut>,
        cuts: &mut Vec<PassCut>,
    ) {
        let Some(searched) = self.searched(method) else {
            return;
        };
        let accepting = searched.accepting(&self.code, None);
        let mut last = searched.entry;
        let mut is_first = true;
        for at in searched.all() {
            let is_place = accepting.contains(&at)
                && searched.is_bare(at, None)
                && self.does_work(last..at, true)
                && self.does_work(at..searched.end, false)
                && !searched.is_in_loop(at);
            let called = self.answered_by(&searched, at, class);
            if !is_place && called.is_none() {
                continue;
            }
            let around = searched.accepting(&self.code, Some(at));
            if !is_first && around.contains(&last) {
                continue;
            }
            let before: BTreeSet<u32> = searched.all().filter(|at| !around.contains(at)).collect();
            let level = MethodCut {
                method,
                at,
                call: None,
                from_entry: before.contains(&searched.entry),
                before,
            };
            if is_place {
                let mut levels = outer.clone();
                levels.push(level.clone());
                cuts.push(PassCut { levels });
                (last, is_first) = (at, false);
            }
            let is_known = |called: MethodId| {
                called == method || outer.iter().any(|level| level.method == called)
            };
            if let Some(called) = called
                && outer.len() + 1 < MAX_DEPTH
                && !is_known(called)
            {
                outer.push(MethodCut {
                    call: Some(at + 1),
                    ..level
                });
                let found = cuts.len();
                self.find_cuts(called, class, outer, cuts);
                outer.pop();
                if cuts.len() > found {
                    (last, is_first) = (at, false);
                }
            }
        }
    }

    fn searched(&mut self, method: MethodId) -> Option<AnalysedMethod> {
        let entry = self.translated(method).ok()?;
        let this = self.method(method);
        let length = this.origins.len();
        let is_fit = self.class(this.class).loader == Loader::App
            && !this.is_static()
            && this.flags & flags::SYNCHRONIZED == 0
            && this.argument_words == 1
            && this.result == Kind::Boolean
            && length <= MAX_LENGTH;
        let end = entry + length as u32;
        let code = &self.code[entry as usize..end as usize];
        let keeps_receiver = code
            .iter()
            .all(|&instr| instr.written() != Some(0) && !instr.flow().is_of_subroutine());
        if !is_fit || !keeps_receiver {
            return None;
        }
        let live = self.live(this);
        let exits = (entry..end)
            .map(|at| self.successors_with_handlers(this, at))
            .collect();
        let refusals = (entry..end).filter(|&at| self.refuses(method, at, end));
        let refusals: Vec<u32> = refusals.collect();
        Some(AnalysedMethod {
            method,
            entry,
            end,
            live,
            exits,
            refusals: refusals.into_iter().collect(),
        })
    }

    /// Whether the range has a call or a backward jump, or, unless `only_calls`, a field read.
    fn does_work(&self, mut range: std::ops::Range<u32>, only_calls: bool) -> bool {
        range.any(|at| {
            let instr = self.code[at as usize];
            instr.call_register().is_some()
                || instr.distance().is_some_and(|distance| distance < 0)
                || !only_calls
                    && matches!(
                        instr,
                        Instr::GetField { .. } | Instr::GetFieldPending { .. }
                    )
        })
    }

    /// Returns the instruction behind `at` and its position. Instructions that leave the boolean
    /// in `answer` unchanged are skipped.
    fn after(&self, mut at: u32, end: u32, answer: Reg) -> Option<(u32, Instr)> {
        for _ in 0..8 {
            at += 1;
            match self.code[..end as usize].get(at as usize)? {
                Instr::Nop => {}
                Instr::I2Z { d, a } if d == a && *a == answer => {}
                Instr::Goto { to } => at = at.wrapping_add_signed(*to).wrapping_sub(1),
                &instr => return Some((at, instr)),
            }
        }
        None
    }

    /// Whether an instruction yields `false`, which is returned at once.
    fn refuses(&mut self, method: MethodId, at: u32, end: u32) -> bool {
        let instr = self.code[at as usize];
        let answer = match instr {
            Instr::Int { d, value: 0 } => d,
            _ => match instr.call_register() {
                Some(result) if self.always_refuses(method, at) => result,
                _ => return false,
            },
        };
        let after = self.after(at, end, answer);
        after.is_some_and(|(_, instr)| instr == Instr::Return { a: answer })
    }

    /// Whether a call is of a method that always returns `false`.
    fn always_refuses(&mut self, method: MethodId, at: u32) -> bool {
        let Some(called) = self.called(method, at) else {
            return false;
        };
        let this = self.method(called);
        let class = self.class(this.class);
        let is_final = this.flags & (flags::PRIVATE | flags::FINAL | flags::STATIC) != 0
            || class.flags & flags::FINAL != 0;
        if !is_final || class.loader != Loader::App {
            return false;
        }
        let Ok(entry) = self.translated(called) else {
            return false;
        };
        let end = entry + self.method(called).origins.len() as u32;
        matches!(self.code[entry as usize], Instr::Int { .. }) && self.refuses(called, entry, end)
    }

    /// Method that a call names; `None` for `invokedynamic`.
    fn called(&mut self, method: MethodId, at: u32) -> Option<MethodId> {
        let this = self.method(method);
        let entry = self.entry(this);
        let origin = usize::from(*this.origins.get((at - entry) as usize)?);
        let file = self.class(this.class).file.clone()?;
        let code = this.code_info(&file)?.code.of(&file.bytes);
        let opcode = *code.get(origin)?;
        let is_named = (crate::bytecode::op::INVOKEVIRTUAL..=crate::bytecode::op::INVOKEINTERFACE)
            .contains(&opcode);
        let index = u16::from_be_bytes([*code.get(origin + 1)?, *code.get(origin + 2)?]);
        let named = is_named.then(|| self.pool_method(&file, index))?;
        named.ok().map(|(_, method)| method)
    }

    /// Method of the receiver that the instruction behind `at` calls. `None` unless `searched`
    /// returns its `false` and nothing else is live across the call.
    fn answered_by(
        &mut self,
        searched: &AnalysedMethod,
        at: u32,
        class: ClassId,
    ) -> Option<MethodId> {
        let call = at + 1;
        let Instr::Move { d, a: 0 } = self.code[at as usize] else {
            return None;
        };
        let instr = self.code[call as usize];
        if call + 1 >= searched.end
            || instr.call_register() != Some(d)
            || !searched.is_bare(at, None)
            || !searched.is_bare(call + 1, Some(d))
            || searched.is_in_loop(call)
        {
            return None;
        }
        let refuses = |at: u32| searched.refusals.contains(&at);
        let is_answer = match self.after(call, searched.end, d)? {
            (_, Instr::Return { a }) => a == d,
            (at, Instr::IfEq { a, to }) => a == d && refuses(at.wrapping_add_signed(to)),
            (at, Instr::IfNe { a, .. }) => a == d && refuses(at + 1),
            _ => false,
        };
        if !is_answer {
            return None;
        }
        let called = self.called(searched.method, call)?;
        if self.method(called).is_static() {
            return None;
        }
        self.select(class, called)
    }

    /// Creates the frames of a pass that begins; returns false if that is impossible. There must
    /// be no other frames.
    pub fn begin_at<M: Machine>(&mut self, machine: &mut M, cut: &PassCut, receiver: Ref) -> bool {
        let Some(outermost) = cut.levels.first() else {
            return false;
        };
        if self.call(outermost.method, &[receiver.slot()]).is_err() {
            return false;
        }
        self.jump_to(outermost.at);
        for (depth, level) in cut.levels.iter().enumerate().skip(1) {
            let entry = self.entry(self.method(level.method));
            self.break_at(Some(entry));
            self.limit_steps(4);
            let exit = self.run(machine);
            self.break_at(None);
            if exit != Exit::Break || self.state.frames.len() != depth + 1 {
                self.abandon();
                return false;
            }
            self.jump_to(level.at);
        }
        true
    }

    /// Removes the frames, to resume them later.
    pub fn park(&mut self) -> SuspendedFrames {
        let registers = self.free_register() as usize;
        let parked = SuspendedFrames {
            frames: self.state.frames.clone(),
            registers: self.state.registers[..registers].to_vec(),
        };
        self.drop_frames();
        parked
    }

    /// Restores parked frames; there must be no others.
    pub fn resume(&mut self, parked: &SuspendedFrames) {
        let state = &mut self.state;
        state.registers[..parked.registers.len()].copy_from_slice(&parked.registers);
        state.frames.extend_from_slice(&parked.frames);
    }
}

#[cfg(test)]
mod tests;
