//! Samples of a recursive method: calls with concrete arguments, undone after each.
//!
//! A call within a sample has the result of an earlier sample, if it depends on its arguments alone,
//! so that what doubles its calls with each level is sampled at large arguments, too. Guesses may be
//! wrong, and so may samples.

use std::ops::RangeInclusive;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::machine::is_symbolic;
use heapwright_jvm::{Exit, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::super::SymbolicSearch;
use super::guesses::Sample;
use super::{CutState, is_long};

/// Results of calls by their arguments.
type Results = FxHashMap<Vec<i64>, u64>;

/// Most calls of each choice of arguments.
const MAX_SAMPLES: usize = 300;
/// Most instructions of a call, and of all calls.
const MAX_STEPS: u64 = 20_000;
const ALL_STEPS: u64 = 3_000_000;
/// Most calls within a call at which it stops.
const MAX_CALLS: usize = 1_000;
/// Small arguments.
const SMALL: RangeInclusive<i64> = -3..=8;
/// Distances from the constants of the method.
const NEAR: RangeInclusive<i64> = -3..=4;
/// Value that static fields have before a call.
const FORMER: u64 = 7;

impl SymbolicSearch<'_> {
    /// Calls the method at whose beginning the run stands, at this probe, with many arguments: small
    /// ones, `further` ones, and those near the constants. Calls that do not return soon are left
    /// out.
    pub(super) fn sample(
        &mut self,
        vm: &mut Vm,
        probe: u32,
        now: &CutState,
        constants: &[i64],
        further: RangeInclusive<i64>,
    ) -> Vec<Sample> {
        let parameters = now.registers.iter();
        let parameters = parameters.filter_map(|&(at, kind, _)| Some((at, kind, is_long(kind)?)));
        let parameters: Vec<(u16, Kind, bool)> = parameters.collect();
        let near = constants.iter().flat_map(|&number| {
            NEAR.map(move |distance| i64::from(number.saturating_add(distance) as i32))
        });
        let mut values: Vec<i64> = SMALL.chain(further).chain(near).collect();
        values.sort_unstable_by_key(|&value| (value.unsigned_abs(), value < 0));
        values.dedup();
        let below = vm.break_below(vm.frames().len());
        // Results that depend on the arguments alone are known from then on.
        let is_function = now.places.is_empty() && parameters.len() == now.registers.len();
        self.machine.is_sample = true;
        self.machine.sampled = is_function.then_some(probe);
        let start = vm.steps();
        let mut results = Results::default();
        let mut samples = Vec::new();
        // Arguments that are concrete stay so in some of the calls.
        let given = |register: u16| {
            let mut registers = now.registers.iter();
            let (_, kind, slot) = registers.find(|all| all.0 == register)?;
            integer(*slot, *kind == Kind::Long)
        };
        let choices = |keeps: bool| {
            let choices = parameters
                .iter()
                .map(|&(register, ..)| match given(register) {
                    Some(value) if keeps => vec![value],
                    _ => values.clone(),
                });
            tuples(&choices.collect::<Vec<Vec<i64>>>())
        };
        let mut called = FxHashSet::default();
        for arguments in choices(true).into_iter().chain(choices(false)) {
            if !called.insert(arguments.clone()) {
                continue;
            }
            if vm.steps() - start > ALL_STEPS || self.machine.solver.look_up().is_err() {
                break;
            }
            let mark = (vm.mark(), self.machine.mark());
            let narrowed = parameters.iter().zip(arguments);
            let narrowed = narrowed.map(|(&(register, kind, is_long), value)| {
                let slot = slot_of(kind, value);
                vm.set_register(register, slot);
                integer(slot, is_long).unwrap_or(value)
            });
            let arguments = narrowed.collect();
            samples.extend(self.call_once(vm, now, arguments, &mut results));
            vm.undo_to(mark.0);
            vm.forget(mark.0);
            self.machine.undo_to(&mark.1);
            vm.break_at(None);
        }
        (self.machine.is_sample, self.machine.sampled) = (false, None);
        vm.break_below(below);
        // The samples are no part of the path.
        self.begun += vm.steps() - start;
        self.limit_steps(vm);
        samples
    }

    fn call_once(
        &mut self,
        vm: &mut Vm,
        now: &CutState,
        arguments: Vec<i64>,
        results: &mut Results,
    ) -> Option<Sample> {
        let frame = *vm.frames().last()?;
        for &(place, ..) in &now.places {
            vm.set_value_at(place, FORMER).ok()?;
        }
        vm.limit_steps(MAX_STEPS);
        self.machine.passes_cut = true;
        let mut calls = 0;
        loop {
            match vm.run(&mut self.machine) {
                Exit::Break => break,
                Exit::Branch if calls < MAX_CALLS && self.machine.arrived.take().is_some() => {
                    calls += 1;
                    let arguments = arguments_at(vm, now);
                    match arguments.and_then(|arguments| results.get(&arguments)) {
                        Some(&result) => vm.return_with(Some(result)),
                        None => self.machine.passes_cut = true,
                    }
                }
                _ => return None,
            }
        }
        let mut outputs = Vec::new();
        if let Some(is_long) = is_long(vm.result_kind(frame.method)) {
            let result = vm.result_of(&frame);
            outputs.push(integer(result, is_long)?);
            if self.machine.sampled.is_some() {
                results.insert(arguments.clone(), result);
            }
        }
        for &(place, kind, _) in &now.places {
            if let Some(is_long) = is_long(kind) {
                let value = integer(vm.value_at(place), is_long)?;
                let change = value.wrapping_sub(FORMER as i64);
                outputs.push(if is_long {
                    change
                } else {
                    i64::from(change as i32)
                });
            }
        }
        Some(Sample { arguments, outputs })
    }
}

/// Arguments of the call at whose beginning a run stands; `None` if one is no concrete integer.
fn arguments_at(vm: &Vm, state: &CutState) -> Option<Vec<i64>> {
    let registers = state.registers.iter();
    let arguments = registers.map(|&(at, kind, _)| integer(vm.register(at), is_long(kind)?));
    arguments.collect()
}

/// Integer of a slot; `None` if it is symbolic.
fn integer(slot: u64, is_long: bool) -> Option<i64> {
    let value = if is_long {
        slot as i64
    } else {
        i64::from(slot as i32)
    };
    (!is_symbolic(slot)).then_some(value)
}

fn slot_of(kind: Kind, value: i64) -> u64 {
    match kind {
        Kind::Long => value as u64,
        Kind::Boolean => (value & 1) as u64,
        Kind::Byte => u64::from(i32::from(value as i8) as u32),
        Kind::Char => u64::from(value as u16),
        Kind::Short => u64::from(i32::from(value as i16) as u32),
        _ => u64::from(value as u32),
    }
}

/// Tuples with one of the values at each place: all of them if they are few, else those whose values
/// come first.
fn tuples(values: &[Vec<i64>]) -> Vec<Vec<i64>> {
    let mut found = Vec::new();
    let most: usize = values
        .iter()
        .map(|values| values.len().saturating_sub(1))
        .sum();
    for sum in 0..=most {
        tuples_of_sum(sum, values, &mut Vec::new(), &mut found);
    }
    found
}

/// Adds the tuples whose values have places that add up to `sum`, until there are enough.
fn tuples_of_sum(
    sum: usize,
    values: &[Vec<i64>],
    chosen: &mut Vec<i64>,
    found: &mut Vec<Vec<i64>>,
) {
    if found.len() == MAX_SAMPLES {
        return;
    }
    let Some((first, rest)) = values.split_first() else {
        if sum == 0 {
            found.push(chosen.clone());
        }
        return;
    };
    for (place, &value) in first.iter().enumerate().take(sum + 1) {
        chosen.push(value);
        tuples_of_sum(sum - place, rest, chosen, found);
        chosen.pop();
    }
}
