//! Merging of the states behind a branch (dynamic state merging, Kuznetsov and others 2012;
//! Veritesting, Avgerinos and others 2014, Sharma and others 2020).
//!
//! The ways from a branch to the place where its sides meet are explored at once. What they wrote
//! becomes terms that choose by the conditions of the ways, and the run goes on once. Ways that do
//! not come there (they return, throw, ask for an input or need a concrete value) are left for a
//! path of their own, under the condition that none of the merged ways is taken. The cost of
//! independent branches is then a sum instead of a product.
//!
//! Invariant: a merged state stands for exactly the states of its ways. Where a way leaves anything
//! behind that cannot be chosen by a term, the branch is a fork.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::{is_symbolic, term_of};
use heapwright_jvm::{Exit, Frame, Limit, Machine, MarkId, MergePoint, Ref, Vm, WrittenPlace};
use heapwright_solve::smt::{Binary, Satisfiability, Term};
use rustc_hash::FxHashMap;

use super::machine::{Decision, MachineMark, REFERENCES};
use super::{SymbolicError, SymbolicSearch};

/// Most instructions of all ways of a branch.
const MAX_STEPS: u64 = 40_000;
/// Instructions between two looks at where a way is.
const SLICE: u64 = 2_000;
/// Most ways of a branch, and branches within each other.
const MAX_WAYS: usize = 48;
const MAX_LEVEL: usize = 100;
/// Most values that differ between ways, and objects that one of them may be.
const MAX_DIFFERENCES: usize = 128;
const MAX_ALTERNATIVES: usize = 24;
/// Most elements of an array that ways write to.
const MAX_ELEMENTS: u32 = 256;
/// Failed attempts after which a branch is always a fork.
const MAX_FAILURES: u32 = 3;

/// State of merging in a search.
#[derive(Debug, Default)]
pub(super) struct Merging {
    /// Whether states are merged.
    pub is_on: bool,
    /// Number of branches whose ways are being explored.
    level: usize,
    /// Instruction count at which the attempt ends.
    end: u64,
    /// Whether the attempt has taken too much, and all its levels give up.
    is_spent: bool,
    /// Failed attempts by branch.
    failures: FxHashMap<u32, u32>,
}

/// Place where ways meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meeting {
    /// Instruction of the branch's method.
    At(u32),
    /// Behind the call of the branch's method.
    Return,
}

/// State behind a branch, to be set.
pub(super) struct Merged {
    /// Condition under which the run comes there; `None` if it always does.
    pub condition: Option<Term>,
    meeting: Meeting,
    /// Registers of the frame, or the result of the call.
    registers: Vec<(u16, u64)>,
    places: Vec<(WrittenPlace, u64)>,
}

/// Way from a branch to the place where its sides meet.
struct Way {
    condition: Term,
    /// Live registers; `None` for one that holds nothing.
    registers: Vec<Option<u64>>,
    places: FxHashMap<WrittenPlace, u64>,
}

/// Ways that were found, all to one place.
struct Ways {
    meeting: Meeting,
    met: Vec<Way>,
    /// Whether there are inputs that take none of them.
    leaves_some: bool,
}

/// Fork within a way.
struct LocalFork {
    mark: MarkId,
    machine: MachineMark,
    /// Condition of the side that was not taken.
    other: Term,
}

/// State of the search before the ways.
struct Before {
    mark: MarkId,
    machine: MachineMark,
    frame: Frame,
    /// Instruction behind the call of its method; 0 if there is none.
    behind: u32,
    depth: usize,
    decisions: usize,
    asked: usize,
    variables: usize,
    references: u32,
    written: usize,
}

impl SymbolicSearch<'_> {
    /// Sets whether states behind branches are merged. What is tried depends on what was tried
    /// before, so that the search is not split among workers.
    pub fn merge_states(&mut self, is_on: bool) {
        self.merging.is_on = is_on;
    }

    /// Explores the ways behind the branch at which the run stopped, both sides of which are
    /// possible. Returns the merged state, or `None` if the branch is to be a fork; the run stands
    /// before the branch.
    pub(super) fn merge(
        &mut self,
        vm: &mut Vm,
        condition: Term,
    ) -> Result<Option<Merged>, SymbolicError> {
        if !self.merging.is_on || self.is_before || self.merging.level >= MAX_LEVEL {
            return Ok(None);
        }
        let Some(frame) = vm.frames().last().copied() else {
            return Ok(None);
        };
        if self.merging.failures.get(&frame.pc) >= Some(&MAX_FAILURES) || vm.has_threads() {
            return Ok(None);
        }
        let Some(point) = vm.merge_point(frame.method, frame.pc) else {
            return Ok(None);
        };
        if self.merging.level == 0 {
            self.merging.end = vm.steps() + MAX_STEPS;
            self.merging.is_spent = false;
        }
        self.merging.level += 1;
        let outer = vm.break_at(point.join);
        let below = vm.break_below(match vm.is_plain_call(&frame) {
            true => vm.frames().len(),
            false => 0,
        });
        let noted = vm.note_writes(true);
        let before = Before {
            mark: vm.mark(),
            machine: self.machine.mark(),
            frame,
            behind: match vm.frames() {
                [.., caller, _] => caller.pc + 1,
                _ => 0,
            },
            depth: vm.frames().len(),
            decisions: self.machine.decisions.len(),
            asked: self.machine.asked.len(),
            variables: self.machine.variables.len(),
            references: self.machine.references.mark().0 as u32,
            written: vm.written().len(),
        };
        let (unknown, fixed) = (self.unknown, self.fixed);
        let explored = self.explore_ways(vm, condition, &point, &before);
        self.unknown = self.unknown.max(unknown);
        self.fixed = fixed;
        vm.undo_to(before.mark);
        self.machine.undo_conditions(&before.machine);
        let merged = explored.map(|ways| self.merged(vm, &point, &before, &ways?));
        vm.forget(before.mark);
        vm.forget_written(before.written);
        vm.note_writes(noted);
        vm.break_at(outer);
        vm.break_below(below);
        self.merging.level -= 1;
        // A query that was stopped ends the search; the machine serves the next one.
        let merged = merged?;
        if merged.is_none() {
            *self.merging.failures.entry(frame.pc).or_default() += 1;
        }
        Ok(merged)
    }

    /// Explores all ways; `None` if one of them leaves behind what no term can choose, or they are
    /// too many.
    fn explore_ways(
        &mut self,
        vm: &mut Vm,
        condition: Term,
        point: &MergePoint,
        before: &Before,
    ) -> Result<Option<Ways>, SymbolicError> {
        let (mut joined, mut returned) = (Vec::new(), Vec::new());
        let mut leaves_some = false;
        let mut forks = Vec::new();
        self.split(vm, condition, &mut forks);
        let mut count = 0;
        loop {
            count += 1;
            if count > MAX_WAYS {
                return Ok(None);
            }
            vm.break_at(point.join);
            match self.run_way(vm, before, &mut forks)? {
                WayEnd::Met(meeting) => match self.way(vm, meeting, point, before) {
                    Some(way) if meeting == Meeting::Return => returned.push(way),
                    Some(way) => joined.push(way),
                    None => {
                        return Ok(None);
                    }
                },
                WayEnd::Left => leaves_some = true,
                WayEnd::Dead => {}
                WayEnd::Spent => {
                    self.merging.is_spent = true;
                    return Ok(None);
                }
            }
            if self.merging.is_spent {
                return Ok(None);
            }
            let Some(fork) = forks.pop() else {
                break;
            };
            vm.undo_to(fork.mark);
            vm.forget(fork.mark);
            self.machine.undo_conditions(&fork.machine);
            self.machine.assume(fork.other);
        }
        let (meeting, met, others) = match point.join {
            Some(join) if joined.len() > 1 => (Meeting::At(join), joined, returned),
            _ => (Meeting::Return, returned, joined),
        };
        Ok((met.len() > 1).then_some(Ways {
            meeting,
            met,
            leaves_some: leaves_some || !others.is_empty(),
        }))
    }

    /// Takes the side of a branch on which the condition holds, and notes the other.
    fn split(&mut self, vm: &mut Vm, condition: Term, forks: &mut Vec<LocalFork>) {
        let other = self.machine.pool.not(condition);
        forks.push(LocalFork {
            mark: vm.mark(),
            machine: self.machine.mark(),
            other,
        });
        self.machine.assume(condition);
    }

    /// Runs to the end of a way, taking the first side of each branch.
    fn run_way(
        &mut self,
        vm: &mut Vm,
        before: &Before,
        forks: &mut Vec<LocalFork>,
    ) -> Result<WayEnd, SymbolicError> {
        loop {
            self.machine.solver.look_up()?;
            let left = self.merging.end.saturating_sub(vm.steps());
            if left == 0 {
                return Ok(WayEnd::Spent);
            }
            vm.limit_steps(left.min(SLICE));
            let exit = vm.run(&mut self.machine);
            let depth = vm.frames().len();
            let meeting = match vm.frames().last() {
                Some(frame) if exit == Exit::Break && depth == before.depth => {
                    Some(Meeting::At(frame.pc))
                }
                Some(frame)
                    if exit == Exit::Break
                        && depth + 1 == before.depth
                        && frame.pc == before.behind =>
                {
                    Some(Meeting::Return)
                }
                _ if depth < before.depth => return Ok(WayEnd::Left),
                _ => None,
            };
            if let Some(meeting) = meeting {
                let is_changed = self.machine.asked.len() != before.asked
                    || self.machine.variables.len() != before.variables;
                return Ok(match is_changed {
                    true => WayEnd::Left,
                    false => WayEnd::Met(meeting),
                });
            }
            match exit {
                Exit::Branch => {
                    if let Some(wanted) = self.machine.wanted.take() {
                        vm.tabulate(wanted);
                        continue;
                    }
                    let is_assumption = std::mem::take(&mut self.machine.is_assumption);
                    let Some(condition) = self.machine.open.take() else {
                        self.machine.among = None;
                        return Ok(WayEnd::Left);
                    };
                    let decision = self.decide(condition)?;
                    let opposite = self.machine.pool.not(condition);
                    match (decision.holds, decision.fails) {
                        (Satisfiability::Unsat, Satisfiability::Unsat) => return Ok(WayEnd::Dead),
                        (Satisfiability::Unsat, _) if is_assumption => return Ok(WayEnd::Left),
                        (Satisfiability::Unsat, _) => self.machine.learn(opposite),
                        (_, Satisfiability::Unsat) => self.machine.learn(condition),
                        // The inputs left out are for a path of their own, which ends there.
                        _ if is_assumption => return Ok(WayEnd::Left),
                        _ => match self.merge(vm, condition)? {
                            Some(merged) => {
                                if let Some(condition) = merged.condition
                                    && let Some((condition, _)) = self.undecided(condition)?
                                {
                                    self.split(vm, condition, forks);
                                }
                                if self.set_merged(vm, &merged).is_err() {
                                    return Ok(WayEnd::Spent);
                                }
                            }
                            None if self.merging.is_spent => return Ok(WayEnd::Spent),
                            None => self.split(vm, condition, forks),
                        },
                    }
                }
                Exit::Symbolic(spot) => {
                    let slot = vm.slot_at(spot);
                    let current = self.machine.references.current(slot);
                    let value = match term_of(current) {
                        None => Some(current),
                        Some(number) => self.machine.value(number),
                    };
                    match value {
                        Some(value) => vm.settle_at(spot, value),
                        None => return Ok(WayEnd::Left),
                    }
                }
                Exit::Limit(Limit::Steps) => {}
                _ => return Ok(WayEnd::Left),
            }
        }
    }

    /// State at the end of a way; `None` if no term can choose it.
    fn way(
        &mut self,
        vm: &Vm,
        meeting: Meeting,
        point: &MergePoint,
        before: &Before,
    ) -> Option<Way> {
        let mut places: FxHashMap<WrittenPlace, u64> = FxHashMap::default();
        for &place in &vm.written()[before.written..] {
            if let WrittenPlace::Contents(array) = place
                && !vm.is_younger(before.mark, array)
            {
                return None;
            }
            let (WrittenPlace::Field(object, _)
            | WrittenPlace::Element(object, _)
            | WrittenPlace::Contents(object)) = place
            else {
                places.insert(place, vm.value_at(place));
                continue;
            };
            if vm.is_younger(before.mark, object) {
                continue;
            }
            match place {
                WrittenPlace::Element(array, _) => {
                    let length = vm.heap.array_length(array);
                    if length > MAX_ELEMENTS {
                        return None;
                    }
                    if places.contains_key(&WrittenPlace::Element(array, 0)) {
                        continue;
                    }
                    for index in 0..length {
                        let place = WrittenPlace::Element(array, index);
                        places.insert(place, vm.value_at(place));
                    }
                }
                place => {
                    places.insert(place, vm.value_at(place));
                }
            }
        }
        let written: Vec<WrittenPlace> = places.keys().copied().collect();
        if vm.has_other_changes(before.mark, &written) {
            return None;
        }
        let mut condition = self.machine.pool.bool(true);
        for place in before.decisions..self.machine.decisions.len() {
            let Decision::Holds(decided) = self.machine.decisions[place] else {
                return None;
            };
            condition = self.machine.pool.binary(Binary::And, condition, decided);
        }
        let registers: Vec<u64> = match meeting {
            Meeting::Return if vm.result_kind(before.frame.method) == Kind::Void => Vec::new(),
            Meeting::Return => vec![vm.result_of(&before.frame)],
            Meeting::At(_) => {
                let live = point.registers.iter();
                live.map(|&(register, _)| vm.register(register)).collect()
            }
        };
        let held = registers
            .into_iter()
            .map(|slot| self.machine.has_term_of(slot).then_some(slot));
        let registers = held.collect();
        Some(Way {
            condition,
            registers,
            places,
        })
    }

    /// Merges the states of ways; the run stands before the branch, and its mark is still set.
    fn merged(
        &mut self,
        vm: &Vm,
        point: &MergePoint,
        before: &Before,
        ways: &Ways,
    ) -> Option<Merged> {
        let condition = match ways.leaves_some {
            false => None,
            true => {
                let mut any = self.machine.pool.bool(false);
                for way in &ways.met {
                    any = self.machine.pool.binary(Binary::Or, any, way.condition);
                }
                Some(any)
            }
        };
        let mut merged = Merged {
            condition,
            meeting: ways.meeting,
            registers: Vec::new(),
            places: Vec::new(),
        };
        let result = match vm.result_kind(before.frame.method) {
            Kind::Void => Vec::new(),
            kind => vec![(0, kind)],
        };
        let registers = match ways.meeting {
            Meeting::At(_) => &point.registers,
            Meeting::Return => &result,
        };
        for (place, &(register, kind)) in registers.iter().enumerate() {
            let values = ways.met.iter();
            let values = values.map(|way| Some((way.condition, way.registers[place]?)));
            // A register that holds nothing on a way is live in appearance only: nothing reads it.
            let Some(values) = values.collect::<Option<Vec<(Term, u64)>>>() else {
                continue;
            };
            let value = self.chosen(vm, before, kind, &values)?;
            merged.registers.push((register, value));
        }
        let mut places: Vec<WrittenPlace> = Vec::new();
        for way in &ways.met {
            places.extend(way.places.keys());
        }
        places.sort_unstable();
        places.dedup();
        for place in places {
            let unwritten = vm.value_at(place);
            let value = |way: &Way| way.places.get(&place).copied().unwrap_or(unwritten);
            let values: Vec<(Term, u64)> = ways
                .met
                .iter()
                .map(|way| (way.condition, value(way)))
                .collect();
            let kind = vm.kind_of_place(place)?;
            let value = self.chosen(vm, before, kind, &values)?;
            if value != unwritten {
                merged.places.push((place, value));
            }
        }
        (merged.registers.len() + merged.places.len() <= MAX_DIFFERENCES).then_some(merged)
    }

    /// Value chosen by conditions, one of which holds; `None` if there is no such term.
    fn chosen(
        &mut self,
        vm: &Vm,
        before: &Before,
        kind: Kind,
        values: &[(Term, u64)],
    ) -> Option<u64> {
        let (&(_, last), others) = values.split_last()?;
        if others.iter().all(|&(_, value)| value == last) {
            return (kind != Kind::Reference || self.is_old(vm, before, last)).then_some(last);
        }
        if kind != Kind::Reference {
            let is_reference = |slot: u64| term_of(slot).is_some_and(|term| term >= REFERENCES);
            if values.iter().any(|&(_, slot)| is_reference(slot)) {
                return None;
            }
            let mut chosen = self.machine.term(last, kind);
            for &(condition, slot) in others.iter().rev() {
                let value = self.machine.term(slot, kind);
                if self.machine.pool.sort(value) != self.machine.pool.sort(chosen) {
                    return None;
                }
                chosen = self.machine.choice(condition, value, chosen);
            }
            return Some(self.machine.slot(chosen));
        }
        let mut alternatives = Vec::new();
        for (place, &(condition, slot)) in values.iter().enumerate() {
            if !self.is_old(vm, before, slot) {
                return None;
            }
            for (holds, slot) in self.machine.alternatives_of(slot) {
                let both = match place + 1 == values.len() {
                    true => holds,
                    false => self.machine.pool.binary(Binary::And, condition, holds),
                };
                alternatives.push((both, slot));
            }
        }
        if alternatives.len() > MAX_ALTERNATIVES {
            return None;
        }
        let number = self.machine.references.add_choice(alternatives);
        Some(heapwright_jvm::machine::symbolic_slot(number))
    }

    /// Whether a reference is to nothing that was made since.
    fn is_old(&self, vm: &Vm, before: &Before, slot: u64) -> bool {
        let slot = self.machine.references.current(slot);
        match term_of(slot) {
            None => slot == 0 || !vm.is_younger(before.mark, Ref::from_slot(slot)),
            Some(number) if number < REFERENCES + before.references => true,
            Some(number) if self.machine.references.is_choice(number) => {
                let alternatives = self.machine.references.alternatives(number);
                let mut slots = alternatives.iter().map(|&(_, slot)| slot);
                slots.all(|slot| self.is_old(vm, before, slot))
            }
            Some(_) => false,
        }
    }

    /// Sets a merged state.
    pub(super) fn set_merged(&mut self, vm: &mut Vm, merged: &Merged) -> Result<(), Exit> {
        for &(place, value) in &merged.places {
            debug_assert!(vm.kind_of_place(place).is_some() || !is_symbolic(value));
            vm.set_value_at(place, value)?;
        }
        match merged.meeting {
            Meeting::At(join) => {
                for &(register, value) in &merged.registers {
                    vm.set_register(register, value);
                }
                vm.jump_to(join);
            }
            Meeting::Return => {
                let result = merged.registers.first();
                vm.return_with(result.map(|&(_, value)| value));
            }
        }
        Ok(())
    }
}

/// End of a way.
enum WayEnd {
    /// It came to where ways meet.
    Met(Meeting),
    /// It is for a path of its own.
    Left,
    /// No inputs take it.
    Dead,
    /// The attempt has taken too much.
    Spent,
}
