//! Extrapolation from small scopes to a large one (tranScoping).
//!
//! Ordinary least squares over the scopes 1, 2, 3 and so on. An exponential is a line through the
//! logarithms, in which a value that is not positive counts as 1. An estimate is at least the value
//! of the largest small scope, since a larger scope includes all of it. A parabola that opens
//! downwards, or a falling line, could be below that.

/// Function fitted to the values of small scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regression {
    /// A straight line.
    Linear,
    /// A parabola.
    Quadratic,
    /// An exponential.
    Exponential,
    /// Mean of line and parabola for sizes, of parabola and exponential for work.
    Average,
}

/// Estimated quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Estimate {
    /// Number of pairs of each field; the search stops when all fields have as many.
    Size,
    /// Work until the last pair is found; the search stops after as much.
    Time,
}

/// Reason for the lack of an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEstimate {
    /// There are too few values.
    #[error(
        "a {regression} regression takes at least {needed} scopes, and --small-scope gives {given}"
    )]
    TooFew {
        /// Name of the function.
        regression: &'static str,
        /// Number of values needed.
        needed: usize,
        /// Number of values given.
        given: usize,
    },
    /// The estimate exceeds 2⁵³.
    #[error(
        "the estimate for scope {scope} is past all numbers: take a smaller scope, or a linear regression"
    )]
    Overflow {
        /// Scope of the estimate.
        scope: u32,
    },
}

/// Largest estimate, 2⁵³.
const MOST: f64 = 9_007_199_254_740_992.0;

impl Regression {
    /// Components of an average; otherwise the function itself.
    fn parts(self, estimate: Estimate) -> Vec<Regression> {
        match (self, estimate) {
            (Regression::Average, Estimate::Size) => {
                vec![Regression::Linear, Regression::Quadratic]
            }
            (Regression::Average, Estimate::Time) => {
                vec![Regression::Quadratic, Regression::Exponential]
            }
            (one, _) => vec![one],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Regression::Linear => "linear",
            Regression::Quadratic => "quadratic",
            Regression::Exponential => "exponential",
            Regression::Average => "average",
        }
    }

    /// Degree of the fitted polynomial.
    fn degree(self) -> usize {
        match self {
            Regression::Quadratic => 2,
            _ => 1,
        }
    }

    /// Checks that there are enough values.
    ///
    /// # Errors
    /// There are too few values.
    pub fn check(self, estimate: Estimate, given: usize) -> Result<(), NoEstimate> {
        let parts = self.parts(estimate).into_iter();
        let needed = parts.map(|part| part.degree() + 1).max().unwrap_or(0);
        match given < needed {
            true => Err(NoEstimate::TooFew {
                regression: self.name(),
                needed,
                given,
            }),
            false => Ok(()),
        }
    }

    /// Estimates the value of a scope, rounded to the nearest integer, from those of the scopes
    /// from 1.
    ///
    /// # Errors
    /// There are too few values, or the estimate exceeds 2⁵³.
    pub fn predict(
        self,
        estimate: Estimate,
        values: &[u64],
        scope: u32,
    ) -> Result<u64, NoEstimate> {
        self.check(estimate, values.len())?;
        let values: Vec<f64> = values.iter().map(|&value| value as f64).collect();
        let parts = self.parts(estimate);
        let sum: f64 = parts.iter().map(|part| part.fitted(&values, scope)).sum();
        let mean = sum / parts.len() as f64;
        let least = values.last().copied().unwrap_or_default();
        match mean.max(least).round() {
            value if value.is_finite() && value <= MOST => Ok(value as u64),
            _ => Err(NoEstimate::Overflow { scope }),
        }
    }

    fn fitted(self, values: &[f64], scope: u32) -> f64 {
        if self == Regression::Exponential {
            let logarithms: Vec<f64> = values.iter().map(|value| value.max(1.0).ln()).collect();
            return polynomial(&logarithms, 1, scope).exp();
        }
        polynomial(values, self.degree(), scope)
    }
}

/// Evaluates at `scope` the least-squares polynomial through the values at 1, 2, 3 …
///
/// Scopes are centred on their mean, which keeps the normal equations well conditioned. With at
/// least one value more than the degree, the solution is unique.
fn polynomial(values: &[f64], degree: usize, scope: u32) -> f64 {
    let mean = (values.len() as f64 + 1.0) / 2.0;
    let size = degree + 1;
    let mut rows = vec![vec![0.0; size + 1]; size];
    for (place, value) in values.iter().enumerate() {
        let x = place as f64 + 1.0 - mean;
        for (row, equation) in rows.iter_mut().enumerate() {
            for (column, sum) in equation.iter_mut().take(size).enumerate() {
                *sum += x.powi((row + column) as i32);
            }
            equation[size] += value * x.powi(row as i32);
        }
    }
    let x = f64::from(scope) - mean;
    let coefficients = solve(rows);
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// Gaussian elimination with partial pivoting; the last number of each row is its right-hand side.
fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let size = rows.len();
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))
            .unwrap_or(column);
        rows.swap(column, pivot);
        let first = rows[column].clone();
        for row in rows.iter_mut().skip(column + 1) {
            let factor = row[column] / first[column];
            for (value, above) in row.iter_mut().zip(&first).skip(column) {
                *value -= factor * above;
            }
        }
    }
    let mut solution = vec![0.0; size];
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|at| rows[row][at] * solution[at]).sum();
        solution[row] = (rows[row][size] - known) / rows[row][row];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;
    use Regression::{Average, Exponential, Linear, Quadratic};

    fn size(regression: Regression, values: &[u64], scopes: &[u32]) -> Vec<u64> {
        let of = |&scope| regression.predict(Estimate::Size, values, scope).unwrap();
        scopes.iter().map(of).collect()
    }

    #[test]
    fn the_papers_running_example() {
        // Table I: field sizes of scopes 1 to 5, predicted sizes of 6 to 9.
        let scopes = [6, 7, 8, 9];
        assert_eq!(size(Average, &[1, 3, 5, 8, 11], &scopes), [14, 17, 21, 24]);
        assert_eq!(size(Average, &[1, 3, 6, 9, 13], &scopes), [16, 20, 25, 29]);
    }

    #[test]
    fn exact_functions_are_found() {
        let squares: Vec<u64> = (1..=5).map(|x| x * x).collect();
        assert_eq!(size(Quadratic, &squares, &[6, 100]), [36, 10_000]);
        assert_eq!(size(Linear, &[2, 4, 6], &[50]), [100]);
        assert_eq!(size(Exponential, &[2, 4, 8, 16], &[10]), [1024]);
        // The fit is exact with as many values as parameters.
        assert_eq!(size(Quadratic, &[1, 4, 9], &[6]), [36]);
        assert_eq!(size(Linear, &[7, 7, 7, 7], &[9]), [7]);
    }

    #[test]
    fn an_estimate_is_no_less_than_what_is_known() {
        // The parabola opens downwards; the line falls.
        assert_eq!(size(Quadratic, &[1, 8, 13, 16, 17], &[6, 20]), [17, 17]);
        assert_eq!(size(Linear, &[9, 5, 1], &[4]), [1]);
        assert_eq!(size(Exponential, &[0, 0, 0], &[8]), [1]);
    }

    #[test]
    fn what_cannot_be_estimated_is_said() {
        let few = Quadratic.predict(Estimate::Size, &[1, 2], 9);
        let needed = NoEstimate::TooFew {
            regression: "quadratic",
            needed: 3,
            given: 2,
        };
        assert_eq!(few, Err(needed));
        assert!(Average.check(Estimate::Time, 2).is_err());
        assert!(Linear.check(Estimate::Size, 2).is_ok());
        let far = Exponential.predict(Estimate::Time, &[1, 10, 100], 1000);
        assert_eq!(far, Err(NoEstimate::Overflow { scope: 1000 }));
    }
}
