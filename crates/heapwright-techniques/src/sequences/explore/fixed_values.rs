//! Repeats calls on fixed numbers where the solver stands still: on floating-point functions, texts
//! of numbers, divisions of dates.
//!
//! **Invariant:** these runs claim nothing. They build no components, and their counts are dropped;
//! the goals that they reach stay reached.

use std::collections::BTreeSet;

use heapwright_explore::symbolic::{ScriptOperand, ScriptStep};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::ListedOperation;
use heapwright_jvm::{MethodId, Vm};

use super::component::{CallPurpose, ComponentJob};
use super::fractions;
use super::outcome::SearchCounts;
use super::search::Explorer;
use crate::Error;
use crate::sequences::model::CoverageCriterion;
use crate::statements::Statement;

/// Maximum number of runs of a call.
const RUNS: usize = 80;
/// Maximum number of calls of an invokable that are repeated.
const CALLS: u32 = 4;
/// Whole numbers, the most common first.
const WHOLE: [i64; 14] = [
    1,
    0,
    -1,
    2,
    3,
    5,
    7,
    10,
    25,
    100,
    1_000,
    2_000,
    i32::MAX as i64,
    i32::MIN as i64,
];
/// Other floating-point numbers.
const FRACTIONS: [f64; 6] = [0.5, 1.5, -0.25, 1e-5, 1e10, f64::NAN];

impl Explorer<'_> {
    /// Repeats calls of a job, given by number, on fixed numbers as long as their methods have open
    /// goals.
    ///
    /// # Errors
    /// The solver cannot be used.
    pub(super) fn try_fixed_values(
        &mut self,
        vm: &mut Vm,
        job: &ComponentJob,
        calls: Vec<Statement>,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<(), Error> {
        if self.progress.goals.criterion == CoverageCriterion::Paths {
            return Ok(());
        }
        for call in calls {
            let Some(method) = self.plan.roles[call.invokable].under_test else {
                continue;
            };
            let tried = self.fixed.get(&call.invokable).copied().unwrap_or_default();
            if tried == CALLS || !self.has_open_goals(method) {
                continue;
            }
            let mut statements = self.joined(&job.parts).statements;
            statements.push(call.clone());
            let names = self.plan.open_names(&statements);
            let numbers = names.iter().filter(|(_, kind)| *kind != Kind::Reference);
            let kinds: Vec<Kind> = numbers.map(|(_, kind)| *kind).collect();
            if kinds.is_empty() {
                continue;
            }
            self.fixed.insert(call.invokable, tried + 1);
            let (counts, mishaps) = (self.progress.counts.clone(), self.progress.mishaps.clone());
            let constants = constants(vm, method);
            for values in assignments(&kinds, &constants) {
                if stops(&self.progress.counts) || !self.has_open_goals(method) {
                    break;
                }
                let fixed = ComponentJob {
                    parts: job.parts.clone(),
                    calls: Some(vec![(call.clone(), CallPurpose::Test)]),
                    is_repeated: true,
                    work: job.work,
                    values: Some(values),
                };
                if self.work(vm, &fixed, 0, stops)?.is_break() {
                    break;
                }
            }
            self.progress.drop_counts(counts, mishaps);
        }
        Ok(())
    }

    fn has_open_goals(&self, method: MethodId) -> bool {
        let both = self.progress.goals.all.iter().zip(&self.progress.reached);
        let mut open = both.filter(|(_, reached)| reached.is_none());
        open.any(|(goal, _)| goal.method() == method)
    }
}

/// Fixes the open numbers of steps, in order.
pub(super) fn fix<'s>(steps: impl Iterator<Item = &'s mut ScriptStep>, values: &[u64]) {
    let mut rest = values.iter();
    for operand in steps.flat_map(|step| &mut step.operands) {
        if let ScriptOperand::Open {
            descriptor, values, ..
        } = operand
            && Kind::of(descriptor) != Kind::Reference
        {
            *values = rest.next().copied().into_iter().collect();
        }
    }
}

/// Returns the numbers in the code of a method, the first ones first.
fn constants(vm: &Vm, method: MethodId) -> Vec<f64> {
    const MOST: usize = 8;
    let mut constants: Vec<f64> = Vec::new();
    let listing = vm.listing(method);
    for listed in listing.iter().flat_map(|listing| &listing.instructions) {
        let ListedOperation::Number(kind, bits) = listed.step else {
            continue;
        };
        let number = match kind {
            Kind::Long => bits as i64 as f64,
            Kind::Float => f64::from(f32::from_bits(bits as u32)),
            Kind::Double => f64::from_bits(bits),
            _ => f64::from(bits as u32 as i32),
        };
        if !constants.contains(&number) && constants.len() < MOST {
            constants.push(number);
        }
    }
    constants
}

/// Returns the values tried for a kind, each once.
fn pool(kind: Kind, constants: &[f64]) -> Vec<u64> {
    let whole = |number: f64| number as i64;
    let of_code = constants
        .iter()
        .flat_map(|&number| [number, number + 1.0, number - 1.0]);
    let integers = WHOLE.into_iter().chain(of_code.clone().map(whole));
    let within = |low: i64, high: i64| {
        let fits = integers
            .clone()
            .filter(move |one| (low..=high).contains(one));
        fits.map(|one| u64::from(one as i32 as u32))
    };
    let numbers = || {
        let whole = WHOLE.into_iter().map(|one| one as f64);
        whole.chain(of_code.clone()).chain(FRACTIONS)
    };
    let values: Vec<u64> = match kind {
        Kind::Boolean => vec![0, 1],
        Kind::Byte => within(-128, 127).collect(),
        Kind::Short => within(-32_768, 32_767).collect(),
        Kind::Char => {
            let letters = "a0 Zz.-".chars().map(|letter| u64::from(u32::from(letter)));
            letters.chain(within(0, 0xFFFF)).collect()
        }
        Kind::Long => integers.map(|one| one as u64).collect(),
        Kind::Float | Kind::Double => numbers().map(|one| fractions::slot(kind, one)).collect(),
        _ => within(i32::MIN.into(), i32::MAX.into()).collect(),
    };
    let mut seen = BTreeSet::new();
    values.into_iter().filter(|&one| seen.insert(one)).collect()
}

/// Returns values for open numbers of these kinds: the same number for all, then another one for
/// each in turn, then mixtures; each once.
fn assignments(kinds: &[Kind], constants: &[f64]) -> Vec<Vec<u64>> {
    let pools: Vec<Vec<u64>> = kinds.iter().map(|&kind| pool(kind, constants)).collect();
    let longest = pools.iter().map(Vec::len).max().unwrap_or_default();
    let pick = |number: &dyn Fn(usize) -> usize| -> Vec<u64> {
        let pools = pools.iter().enumerate();
        pools
            .map(|(at, pool)| pool[number(at) % pool.len()])
            .collect()
    };
    let mut all: Vec<Vec<u64>> = (0..longest).map(|number| pick(&|_| number)).collect();
    for number in 1..longest {
        for place in 0..kinds.len() {
            all.push(pick(&|at| if at == place { number } else { 0 }));
        }
    }
    // Strides without a common divisor mix the numbers of neighbours.
    let mixtures = (0..RUNS).map(|round| pick(&|at| (round + 1) * (2 * at + 3) + at));
    all.extend(mixtures);
    let mut seen = BTreeSet::new();
    all.retain(|values| seen.insert(values.clone()));
    // A part of the runs is for each of the three.
    if all.len() > RUNS {
        let step = all.len() as f64 / RUNS as f64;
        all = (0..RUNS)
            .map(|number| all[(number as f64 * step) as usize].clone())
            .collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_are_few_and_different() {
        let one = assignments(&[Kind::Int], &[41.0]);
        assert_eq!(one[..3], [vec![1], vec![0], vec![u64::from(u32::MAX)]]);
        for number in [40, 41, 42] {
            assert!(one.contains(&vec![number]), "{number}: {one:?}");
        }
        let three = assignments(&[Kind::Int, Kind::Double, Kind::Boolean], &[]);
        assert!((RUNS / 2..=RUNS).contains(&three.len()), "{}", three.len());
        let unlike = three.iter().filter(|values| values[0] != values[2]);
        assert!(unlike.count() > RUNS / 2);
        let unique: BTreeSet<&Vec<u64>> = three.iter().collect();
        assert_eq!(unique.len(), three.len());
        let four = assignments(&[Kind::Long; 4], &[]);
        assert_eq!(four.len(), RUNS);
    }

    #[test]
    fn values_are_within_their_types() {
        assert!(
            pool(Kind::Byte, &[1_000.0])
                .iter()
                .all(|&one| (-128..=127).contains(&(one as u32 as i32)))
        );
        assert!(pool(Kind::Char, &[-7.0]).iter().all(|&one| one <= 0xFFFF));
        assert_eq!(pool(Kind::Boolean, &[5.0]), [0, 1]);
    }
}
