//! Properties of characters, looked up in tables that the library's own methods fill.
//!
//! Invariant: a table has the result of the JDK's plain method for each character of the basic
//! plane. Tables are permanent and made on first use, between two instructions. The runs that
//! fill them are undone and not counted as steps.

use rustc_hash::FxHashMap;

use crate::class::MethodId;
use crate::descriptor::Kind;
use crate::machine::{Comparison, ConditionTruth, Machine, is_symbolic};
use crate::vm::{Exit, Fault, Vm};

use super::ReplacedCall;

/// Number of characters in the basic plane.
const PLANE: u32 = 0x1_0000;

/// Number of characters in Latin-1.
const LATIN1: u32 = 0x100;

/// Valid radixes of digits.
const RADIXES: std::ops::RangeInclusive<u32> = 2..=36;

/// Key of a table: the method, and the radix for `Character.digit`, else 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableKey {
    pub(super) method: MethodId,
    pub(super) radix: u32,
}

/// Results of a method for characters, run-length encoded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CharacterTable {
    /// First character of each run, ascending from 0, and the run's number.
    pub runs: Vec<(u32, i32)>,
    /// Whether the result is the character plus the run's number, instead of the number itself.
    pub is_offset: bool,
}

/// Tables of each method: for Latin-1 and for the basic plane.
pub(crate) type Tables = FxHashMap<TableKey, Option<[CharacterTable; 2]>>;

impl CharacterTable {
    /// Entry of a character.
    pub(super) fn at(&self, character: u32) -> u64 {
        let past = self.runs.partition_point(|run| run.0 <= character);
        let number = past.checked_sub(1).map_or(0, |run| self.runs[run].1);
        let entry = match self.is_offset {
            true => number.wrapping_add(character as i32),
            false => number,
        };
        u64::from(entry as u32)
    }

    /// Encodes values in the shorter of the two forms.
    fn of(values: &[i32]) -> CharacterTable {
        let plain = runs((0..).zip(values.iter().copied()));
        let offsets = (0..).zip(values);
        let offsets = runs(offsets.map(|(at, &value)| (at, value - at as i32)));
        let is_offset = offsets.len() < plain.len();
        CharacterTable {
            runs: if is_offset { offsets } else { plain },
            is_offset,
        }
    }
}

fn runs(numbers: impl Iterator<Item = (u32, i32)>) -> Vec<(u32, i32)> {
    let mut runs: Vec<(u32, i32)> = Vec::new();
    for (at, number) in numbers {
        if runs.last().is_none_or(|last| last.1 != number) {
            runs.push((at, number));
        }
    }
    runs
}

impl Vm {
    /// Result of a method of `Character` for an open character of the basic plane. Other
    /// characters take the plain code.
    pub(super) fn look_up_character<M: Machine>(
        &mut self,
        machine: &mut M,
        method: MethodId,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        let character = self.state.registers[first];
        if !M::TOTAL || !is_symbolic(character) {
            return Ok(ReplacedCall::Plain);
        }
        let takes_radix = self.method(method).argument_words == 2;
        let radix = match takes_radix.then(|| self.state.registers[first + 1]) {
            None => 0,
            Some(slot) if is_symbolic(slot) => return Ok(ReplacedCall::Plain),
            Some(slot) => slot as u32,
        };
        if takes_radix && !RADIXES.contains(&radix) {
            return Ok(ReplacedCall::Plain);
        }
        let mut is_below = |bound: u32| {
            machine.comparison_as_int(Comparison::Below, Kind::Int, character, bound.into())
                == Some(1)
        };
        let is_latin1 = is_below(LATIN1);
        if !is_latin1 && !is_below(PLANE) {
            match machine.compare(Comparison::Below, Kind::Int, character, PLANE.into()) {
                ConditionTruth::Known(true) => {}
                ConditionTruth::Open => return Ok(ReplacedCall::Stop(Exit::Branch)),
                _ => return Ok(ReplacedCall::Plain),
            }
        }
        let wanted = TableKey { method, radix };
        let Some(tables) = self.tables.get(&wanted) else {
            return Ok(match machine.wants_table(wanted) {
                true => ReplacedCall::Stop(Exit::Branch),
                false => ReplacedCall::Plain,
            });
        };
        let table = tables
            .as_ref()
            .map(|tables| &tables[usize::from(!is_latin1)]);
        let found = table.and_then(|table| machine.look_up(character, table));
        Ok(found.map_or(ReplacedCall::Plain, ReplacedCall::Done))
    }

    /// Makes a table by calling the method for each character. The stack stays unchanged.
    pub fn tabulate(&mut self, wanted: TableKey) {
        let before = (self.steps, self.step_limit, self.initializations);
        self.limit_steps(u64::MAX);
        let values: Result<Vec<i32>, String> = self.with_mark(|vm| {
            let words = usize::from(vm.method(wanted.method).argument_words);
            let values = (0..PLANE).map(|character| {
                let arguments = [u64::from(character), u64::from(wanted.radix)];
                let value = vm.call_fully(wanted.method, &arguments[..words]);
                value.map(|value| value as u32 as i32)
            });
            values.collect()
        });
        (self.steps, self.step_limit, self.initializations) = before;
        let tables = values.ok().map(|values| {
            [
                CharacterTable::of(&values[..LATIN1 as usize]),
                CharacterTable::of(&values),
            ]
        });
        self.tables.insert(wanted, tables);
    }
}
