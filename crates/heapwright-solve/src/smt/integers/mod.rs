//! Exact decision procedure for linear conditions over Java's integers, including overflow. It uses
//! simplex, with branch and bound where a solution is not integral or satisfies no alternative.
//! Conditions with products are found infeasible where linear facts about these show it.
//!
//! Its work is bounded by steps, not by time. The result depends only on the literals and their
//! order.

mod problem;
mod products;
mod ratio;
mod simplex;

use problem::{Alternative, IntegerProblem, Restriction, RestrictionSubject};
use ratio::Ratio;
use simplex::{Range, Simplex};
use smallvec::SmallVec;

use super::decision::StageOutcome;
use super::eval;
use super::path::PathLiteral;
use super::pool::TermPool;
use super::term::Assignment;

/// Most pivots and branches, if no sum may wrap, and if sums may.
const STEPS: [u32; 2] = [300, 2_000];
/// Greatest depth of branches.
const MAX_DEPTH: u32 = 64;
/// Most columns or rows of a problem; larger ones are left to other solvers.
const MAX_SIZE: usize = 64;

/// Decides literals, unless they are not linear or need too many steps; returns the number of steps,
/// too.
pub(super) fn solve(
    pool: &TermPool,
    literals: &[PathLiteral],
    variables: &[u32],
) -> (StageOutcome, u64) {
    let Some(problem) = IntegerProblem::new(pool, literals) else {
        return (StageOutcome::Open, 0);
    };
    if problem.is_impossible {
        return (StageOutcome::Impossible, 0);
    }
    let mut work = 0;
    for may_wrap in [false, true] {
        let turns = problem.columns.iter().filter(|column| column.step != 1);
        let mut others = turns
            .clone()
            .filter(|turn| turn.bounds.0 > 0 || turn.bounds.1 < 0);
        if !may_wrap && others.next().is_some() {
            continue;
        }
        let steps = STEPS[usize::from(may_wrap)];
        let Some(mut search) = IntegerSearch::new(&problem, may_wrap) else {
            return (StageOutcome::Open, work);
        };
        let found = search.solve(&problem, steps);
        work += u64::from(steps - search.simplex.steps);
        match found {
            Some(true) => {
                let outcome = values(pool, &problem, &search, literals, variables);
                return (outcome, work);
            }
            Some(false) if may_wrap || turns.count() == 0 => {
                return (StageOutcome::Impossible, work);
            }
            _ => {}
        }
    }
    (StageOutcome::Open, work)
}

fn values(
    pool: &TermPool,
    problem: &IntegerProblem<'_>,
    search: &IntegerSearch<'_>,
    literals: &[PathLiteral],
    variables: &[u32],
) -> StageOutcome {
    let bits = |&number: &u32| {
        let Some(&column) = problem.places.get(&number) else {
            return Some((number, 0));
        };
        let value = search.simplex.value(search.variables[column]?).integer()?;
        let sort = pool.input(number)?.sort();
        Some((number, eval::of_integer(sort, i64::try_from(value).ok()?)))
    };
    let values: Option<Assignment> = variables.iter().map(bits).collect();
    let is_right = |values: &Assignment| {
        let mut literals = literals.iter();
        literals.all(|literal| literal.is_true(pool, values))
    };
    let may_be_wrong = !problem.products.is_empty();
    debug_assert!(
        may_be_wrong || values.as_ref().is_none_or(is_right),
        "wrong values"
    );
    values
        .filter(is_right)
        .map_or(StageOutcome::Open, StageOutcome::Values)
}

struct IntegerSearch<'a> {
    simplex: Simplex,
    /// Variables of the simplex with their required divisors, turns first.
    steps: Vec<(usize, i128)>,
    /// Variable of each column, if it has one; the next field is that of the first row.
    variables: Vec<Option<usize>>,
    first_row: usize,
    choices: &'a [Vec<Alternative>],
    /// Whether alternatives are tried before variables have integral values: those of products say
    /// more.
    begins_with_choices: bool,
}

impl<'a> IntegerSearch<'a> {
    /// Creates a search; without `may_wrap` all turns are fixed to zero.
    fn new(problem: &'a IntegerProblem<'_>, may_wrap: bool) -> Option<IntegerSearch<'a>> {
        let columns = &problem.columns;
        if columns.len().max(problem.rows.len()) > MAX_SIZE {
            return None;
        }
        let (turns, mut order): (Vec<usize>, Vec<usize>) =
            (0..columns.len()).partition(|&place| columns[place].step != 1);
        let (first_turn, turns) = (order.len(), if may_wrap { turns } else { Vec::new() });
        order.extend(turns);
        let first_row = order.len();
        let mut variables = vec![None; columns.len()];
        for (variable, &column) in order.iter().enumerate() {
            variables[column] = Some(variable);
        }
        let bounds: Vec<Range> = order.iter().map(|&place| columns[place].bounds).collect();
        let rows = problem.rows.iter().map(|terms| {
            let mut row = vec![Ratio::ZERO; first_row];
            for &(column, factor) in terms {
                if let Some(variable) = variables[column.0 as usize] {
                    row[variable] = Ratio::of(factor.into());
                }
            }
            row
        });
        let is_turn = |variable: usize| (first_turn..first_row).contains(&variable);
        let simplex = Simplex::new(&bounds, rows.collect(), is_turn)?;
        let steps = (first_turn..first_row).chain(0..first_turn);
        Some(IntegerSearch {
            simplex,
            steps: steps
                .map(|variable| (variable, columns[order[variable]].step))
                .collect(),
            variables,
            first_row,
            choices: &problem.choices,
            begins_with_choices: !problem.products.is_empty(),
        })
    }

    fn solve(&mut self, problem: &IntegerProblem<'_>, steps: u32) -> Option<bool> {
        self.simplex.steps = steps;
        self.alternative(&problem.certain, MAX_DEPTH)
    }

    /// Whether there is a solution within the bounds; `None` if the steps are used up.
    fn run(&mut self, depth: u32) -> Option<bool> {
        self.simplex.steps = self.simplex.steps.checked_sub(1)?;
        if !self.simplex.check()? {
            return Some(false);
        }
        let depth = depth.checked_sub(1)?;
        if self.begins_with_choices
            && let Some(choice) = self.open_choice()
        {
            return self.choose(choice, depth);
        }
        for place in 0..self.steps.len() {
            let (variable, step) = self.steps[place];
            let value = self.simplex.value(variable);
            if value.integer().is_some_and(|value| value % step == 0) {
                continue;
            }
            let low = value.floor().div_euclid(step) * step;
            return self.any(&sides(low, step), depth, |search, &side, depth| {
                if search.simplex.restrict(variable, side)? {
                    search.run(depth)
                } else {
                    Some(false)
                }
            });
        }
        match self.open_choice() {
            Some(choice) => self.choose(choice, depth),
            None => Some(true),
        }
    }

    /// First condition of which the values satisfy no alternative.
    fn open_choice(&self) -> Option<&'a [Alternative]> {
        let mut choices = self.choices.iter();
        let holds = |choice: &&Vec<Alternative>| choice.iter().any(|one| self.keeps(one));
        choices.find(|choice| !holds(choice)).map(Vec::as_slice)
    }

    fn choose(&mut self, choice: &[Alternative], depth: u32) -> Option<bool> {
        self.any(choice, depth, |search, alternative, depth| {
            search.alternative(alternative, depth)
        })
    }

    /// Whether one of several alternatives leads to a solution.
    fn any<T>(
        &mut self,
        alternatives: &[T],
        depth: u32,
        mut take: impl FnMut(&mut Self, &T, u32) -> Option<bool>,
    ) -> Option<bool> {
        let bounds = self.simplex.bounds().to_vec();
        let mut result = Some(false);
        for alternative in alternatives {
            match take(self, alternative, depth) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => result = None,
            }
            self.simplex.restore(bounds.clone());
        }
        result
    }

    fn alternative(&mut self, alternative: &[Restriction], depth: u32) -> Option<bool> {
        for &(place, range) in alternative {
            if !self.restrict(place, range)? {
                return Some(false);
            }
        }
        self.run(depth)
    }

    fn restrict(&mut self, place: RestrictionSubject, range: Range) -> Option<bool> {
        match self.variable(place) {
            Some(variable) => self.simplex.restrict(variable, range),
            None => Some(range.0 <= 0 && 0 <= range.1),
        }
    }

    fn keeps(&self, alternative: &[Restriction]) -> bool {
        alternative.iter().all(|&(place, (least, most))| {
            let value = self.variable(place);
            let value = value.map_or(Ratio::ZERO, |variable| self.simplex.value(variable));
            !value.is_below(least) && !value.is_above(most)
        })
    }

    /// Variable of a place; `None` for a turn fixed to zero.
    fn variable(&self, place: RestrictionSubject) -> Option<usize> {
        match place {
            RestrictionSubject::Column(column) => self.variables[column],
            RestrictionSubject::Row(row) => Some(self.first_row + row),
        }
    }
}

/// Ranges to branch into for a variable between the consecutive multiples `low` and `low + step`,
/// nearest to zero first. Turns have few values and branch up or down. Others try these two values
/// before all beyond, since unit steps might not terminate.
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
