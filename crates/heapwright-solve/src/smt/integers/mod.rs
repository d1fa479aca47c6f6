//! Linear conditions over Java's integers, decided exactly, wrapping and all: simplex, and branch
//! and bound where a solution is not integral or chooses no alternative.
//!
//! Its work is bounded by steps, not by time, and what it finds depends on nothing but the literals
//! and their order.

mod problem;
mod ratio;
mod simplex;

use problem::{Alternative, Place, Problem, Restriction};
use ratio::Ratio;
use simplex::{Range, Simplex};
use smallvec::SmallVec;

use super::eval;
use super::path::Literal;
use super::pool::Pool;
use super::term::Assignment;

/// How many pivots and branches are made at most where no sum wraps, and where any may.
const STEPS: [u32; 2] = [300, 2_000];
/// How many branches are taken below one another at most.
const MAX_DEPTH: u32 = 64;
/// Problems of more columns or rows are left to others.
const MAX_SIZE: usize = 64;

/// What came of literals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Values that make all of them true.
    Values(Assignment),
    Impossible,
    /// They are not linear, or too many steps would be needed.
    Open,
}

/// What came of it, and how many steps it took.
pub(super) fn solve(pool: &Pool, literals: &[Literal], variables: &[u32]) -> (Outcome, u64) {
    let Some(problem) = Problem::new(pool, literals) else {
        return (Outcome::Open, 0);
    };
    if problem.is_impossible {
        return (Outcome::Impossible, 0);
    }
    let Some(mut search) = Search::new(&problem) else {
        return (Outcome::Open, 0);
    };
    let found = search.solve(&problem);
    let outcome = match found {
        None => Outcome::Open,
        Some(false) => Outcome::Impossible,
        Some(true) => values(pool, &problem, &search, literals, variables),
    };
    (outcome, search.work)
}

fn values(
    pool: &Pool,
    problem: &Problem<'_>,
    search: &Search<'_>,
    literals: &[Literal],
    variables: &[u32],
) -> Outcome {
    let bits = |&number: &u32| {
        let Some(&column) = problem.places.get(&number) else {
            return Some((number, 0));
        };
        let value = search.simplex.value(column).integer()?;
        let sort = pool.input(number)?.sort();
        Some((number, eval::of_integer(sort, i64::try_from(value).ok()?)))
    };
    let values: Option<Assignment> = variables.iter().map(bits).collect();
    let is_right = |values: &Assignment| {
        let mut literals = literals.iter();
        literals.all(|literal| literal.is_true(pool, values))
    };
    debug_assert!(values.as_ref().is_none_or(is_right), "wrong values");
    values
        .filter(is_right)
        .map_or(Outcome::Open, Outcome::Values)
}

struct Search<'a> {
    simplex: Simplex,
    /// The columns and what they are multiples of, turns first.
    steps: Vec<(usize, i128)>,
    columns: usize,
    choices: &'a [Vec<Alternative>],
    work: u64,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem<'_>) -> Option<Search<'a>> {
        let columns = &problem.columns;
        if columns.len().max(problem.rows.len()) > MAX_SIZE {
            return None;
        }
        let bounds: Vec<Range> = columns.iter().map(|column| column.bounds).collect();
        let rows = problem.rows.iter().map(|terms| {
            let mut row = vec![Ratio::ZERO; columns.len()];
            for &(variable, factor) in terms {
                row[variable.0 as usize] = Ratio::of(factor.into());
            }
            row
        });
        let is_turn = |place: usize| columns.get(place).is_some_and(|column| column.step != 1);
        let simplex = Simplex::new(&bounds, rows.collect(), is_turn)?;
        let (turns, others): (Vec<usize>, Vec<usize>) =
            (0..columns.len()).partition(|&place| is_turn(place));
        let places = turns.into_iter().chain(others);
        Some(Search {
            simplex,
            steps: places.map(|place| (place, columns[place].step)).collect(),
            columns: columns.len(),
            choices: &problem.choices,
            work: 0,
        })
    }

    /// Without wrapping first: that is what is small, and found soon.
    fn solve(&mut self, problem: &Problem<'_>) -> Option<bool> {
        for &restriction in &problem.certain {
            if !self.restrict(restriction)? {
                return Some(false);
            }
        }
        let turns: Alternative = self
            .steps
            .iter()
            .filter(|step| step.1 != 1)
            .map(|step| (Place::Column(step.0), (0, 0)))
            .collect();
        if !turns.is_empty() {
            let bounds = self.simplex.bounds().to_vec();
            if self.within(STEPS[0], |search| search.alternative(&turns, MAX_DEPTH)) == Some(true) {
                return Some(true);
            }
            self.simplex.restore(bounds);
        }
        self.within(STEPS[1], |search| search.run(MAX_DEPTH))
    }

    fn within<R>(&mut self, steps: u32, run: impl FnOnce(&mut Self) -> R) -> R {
        self.simplex.steps = steps;
        let result = run(self);
        self.work += u64::from(steps - self.simplex.steps);
        result
    }

    /// Whether there is a solution within the bounds; `None` where that takes too much.
    fn run(&mut self, depth: u32) -> Option<bool> {
        self.simplex.steps = self.simplex.steps.checked_sub(1)?;
        if !self.simplex.check()? {
            return Some(false);
        }
        let depth = depth.checked_sub(1)?;
        for place in 0..self.steps.len() {
            let (column, step) = self.steps[place];
            let value = self.simplex.value(column);
            if value.integer().is_some_and(|value| value % step == 0) {
                continue;
            }
            let low = value.floor().div_euclid(step) * step;
            let sides = sides(low, step).into_iter();
            return self.any(
                sides.map(|side| Alternative::from_slice(&[(Place::Column(column), side)])),
                depth,
            );
        }
        let choices = self.choices;
        let mut open = choices
            .iter()
            .filter(|choice| !choice.iter().any(|alternative| self.keeps(alternative)));
        match open.next() {
            Some(choice) => self.any(choice.iter().cloned(), depth),
            None => Some(true),
        }
    }

    fn any(
        &mut self,
        alternatives: impl IntoIterator<Item = Alternative>,
        depth: u32,
    ) -> Option<bool> {
        let bounds = self.simplex.bounds().to_vec();
        let mut result = Some(false);
        for alternative in alternatives {
            match self.alternative(&alternative, depth) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => result = None,
            }
            self.simplex.restore(bounds.clone());
        }
        result
    }

    fn alternative(&mut self, alternative: &Alternative, depth: u32) -> Option<bool> {
        for &restriction in alternative {
            if !self.restrict(restriction)? {
                return Some(false);
            }
        }
        self.run(depth)
    }

    fn restrict(&mut self, (place, range): Restriction) -> Option<bool> {
        self.simplex.restrict(self.variable(place), range)
    }

    fn keeps(&self, alternative: &Alternative) -> bool {
        alternative.iter().all(|&(place, (least, most))| {
            let value = self.simplex.value(self.variable(place));
            !value.is_below(least) && !value.is_above(most)
        })
    }

    fn variable(&self, place: Place) -> usize {
        match place {
            Place::Column(column) => column,
            Place::Row(row) => self.columns + row,
        }
    }
}

/// Where a variable is sent that is no multiple of its step but lies between two, `low` the lower,
/// which is nearest zero first. Turns have few values: up or down. Of others these two values are
/// tried before all those beyond, which by ones could take for ever.
fn sides(low: i128, step: i128) -> SmallVec<[Range; 4]> {
    let high = low + step;
    let mut sides: SmallVec<[Range; 4]> = if step == 1 {
        SmallVec::from_buf([
            (low, low),
            (high, high),
            (i128::MIN, low - 1),
            (high + 1, i128::MAX),
        ])
    } else {
        SmallVec::from_slice(&[(i128::MIN, low), (high, i128::MAX)])
    };
    if low < 0 {
        sides.chunks_exact_mut(2).for_each(<[Range]>::reverse);
    }
    sides
}
