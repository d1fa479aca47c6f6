//! Rational solutions of linear equations with bounds: the general simplex of Dutertre and de Moura
//! (A Fast Linear-Arithmetic Solver for DPLL(T), CAV 2006, §3). Bland's rule ensures termination.

use super::ratio::Ratio;

/// Least and greatest value of a variable.
pub(super) type Range = (i128, i128);

/// Unrestricted range.
pub(super) const ALL: Range = (i128::MIN, i128::MAX);

/// Tableau: variables with bounds, of which the basic ones are sums of the others.
#[derive(Clone, Debug)]
pub(super) struct Simplex {
    /// Basic variable of each row.
    basic: Vec<usize>,
    /// Nonbasic variable of each column.
    nonbasic: Vec<usize>,
    /// Coefficients of the columns in each row.
    rows: Vec<Vec<Ratio>>,
    values: Vec<Ratio>,
    bounds: Vec<Range>,
    /// Priority of each variable for changes; the lowest rank is changed first.
    ranks: Vec<usize>,
    /// Number of pivots left.
    pub(super) steps: u32,
}

impl Simplex {
    /// Creates variables with these bounds, then an unrestricted one for each row of coefficients.
    /// All begin with the value nearest to zero. Variables that are `late` change only if no others
    /// can.
    pub(super) fn new(
        columns: &[Range],
        rows: Vec<Vec<Ratio>>,
        late: impl Fn(usize) -> bool,
    ) -> Option<Simplex> {
        let count = columns.len() + rows.len();
        let nearest = |&(least, most): &Range| Ratio::of(0.clamp(least, most));
        let mut values: Vec<Ratio> = columns.iter().map(nearest).collect();
        for row in &rows {
            let mut sum = Ratio::ZERO;
            for (&factor, &value) in row.iter().zip(&values) {
                sum = sum.plus(factor.times(value)?)?;
            }
            values.push(sum);
        }
        let mut bounds = columns.to_vec();
        bounds.resize(count, ALL);
        Some(Simplex {
            basic: (columns.len()..count).collect(),
            nonbasic: (0..columns.len()).collect(),
            rows,
            values,
            bounds,
            ranks: (0..count)
                .map(|variable| variable + if late(variable) { count } else { 0 })
                .collect(),
            steps: 0,
        })
    }

    pub(super) fn value(&self, variable: usize) -> Ratio {
        self.values[variable]
    }

    pub(super) fn bounds(&self) -> &[Range] {
        &self.bounds
    }

    /// Restores earlier bounds.
    pub(super) fn restore(&mut self, bounds: Vec<Range>) {
        self.bounds = bounds;
    }

    /// Narrows the bounds of a variable; returns whether they are non-empty. `None` as for `check`.
    pub(super) fn restrict(&mut self, variable: usize, range: Range) -> Option<bool> {
        if self.steps == 0 {
            return None;
        }
        let found = self.restricted(variable, range);
        self.end_unless(found)
    }

    /// Ends the search after an overflow, since the rows are then invalid.
    fn end_unless(&mut self, found: Option<bool>) -> Option<bool> {
        if found.is_none() {
            self.steps = 0;
        }
        found
    }

    fn restricted(&mut self, variable: usize, (least, most): Range) -> Option<bool> {
        let bounds = &mut self.bounds[variable];
        *bounds = (bounds.0.max(least), bounds.1.min(most));
        let (least, most) = *bounds;
        if least > most {
            return Some(false);
        }
        if let Some(column) = self.nonbasic.iter().position(|&own| own == variable) {
            let value = self.values[variable];
            if value.is_below(least) {
                self.change(column, Ratio::of(least))?;
            } else if value.is_above(most) {
                self.change(column, Ratio::of(most))?;
            }
        }
        Some(true)
    }

    /// Whether all bounds can be satisfied; if so, the values satisfy them. `None` if the steps are
    /// used up, or a number overflows.
    pub(super) fn check(&mut self) -> Option<bool> {
        let found = self.checked();
        self.end_unless(found)
    }

    fn checked(&mut self) -> Option<bool> {
        loop {
            let rows = 0..self.rows.len();
            let violated = rows.filter(|&row| self.is_violated(self.basic[row]));
            let Some(row) = violated.min_by_key(|&row| self.ranks[self.basic[row]]) else {
                return Some(true);
            };
            let variable = self.basic[row];
            let (least, most) = self.bounds[variable];
            let goes_up = self.values[variable].is_below(least);
            let columns = 0..self.nonbasic.len();
            let helpful = columns.filter(|&column| self.helps(row, column, goes_up));
            let Some(column) = helpful.min_by_key(|&column| self.ranks[self.nonbasic[column]])
            else {
                return Some(false);
            };
            self.steps = self.steps.checked_sub(1)?;
            let target = Ratio::of(if goes_up { least } else { most });
            let distance = target.plus(self.values[variable].negated()?)?;
            let step = distance.over(self.rows[row][column])?;
            let moved = self.values[self.nonbasic[column]].plus(step)?;
            self.change(column, moved)?;
            self.pivot(row, column)?;
        }
    }

    fn is_violated(&self, variable: usize) -> bool {
        let (least, most) = self.bounds[variable];
        let value = self.values[variable];
        value.is_below(least) || value.is_above(most)
    }

    /// Whether a column's variable can be changed to increase, or decrease, a row's variable.
    fn helps(&self, row: usize, column: usize, goes_up: bool) -> bool {
        let factor = self.rows[row][column];
        if factor.is_zero() {
            return false;
        }
        let variable = self.nonbasic[column];
        let (value, (least, most)) = (self.values[variable], self.bounds[variable]);
        if factor.is_positive() == goes_up {
            value.is_below(most)
        } else {
            value.is_above(least)
        }
    }

    /// Sets the value of a column's variable and updates the basic ones.
    fn change(&mut self, column: usize, value: Ratio) -> Option<()> {
        let variable = self.nonbasic[column];
        let distance = value.plus(self.values[variable].negated()?)?;
        for (row, &basic) in self.rows.iter().zip(&self.basic) {
            if !row[column].is_zero() {
                self.values[basic] = self.values[basic].plus(row[column].times(distance)?)?;
            }
        }
        self.values[variable] = value;
        Some(())
    }

    /// Exchanges the variables of a row and a column.
    fn pivot(&mut self, row: usize, column: usize) -> Option<()> {
        let mut own = std::mem::take(&mut self.rows[row]);
        let factor = own[column];
        own[column] = Ratio::of(-1);
        for other in &mut own {
            *other = other.over(factor)?.negated()?;
        }
        for (place, others) in self.rows.iter_mut().enumerate() {
            if place == row || others[column].is_zero() {
                continue;
            }
            let factor = std::mem::replace(&mut others[column], Ratio::ZERO);
            for (other, own) in others.iter_mut().zip(&own) {
                if !own.is_zero() {
                    *other = other.plus(factor.times(*own)?)?;
                }
            }
        }
        self.rows[row] = own;
        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
        Some(())
    }
}
