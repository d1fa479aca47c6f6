//! Variables over finite domains, linear relations between them, and a trail.
//!
//! Domains are windows of bits. Asserting a relation propagates to a fixed point: bounds for all
//! relations, values for `x - y = c` and `x + y = c` within one word. For differences (`x - y ≤ c`)
//! propagation is complete: if no domain is empty there is a solution. Other stores may appear
//! feasible without a solution; [`Store::solution`] decides.

mod implied;
mod independence;

use std::rc::Rc;

use smallvec::SmallVec;

use crate::domain::Domain;
use crate::linear::{Linear, Relation};

/// Number of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

/// Position to which a store can be restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    trail: usize,
    relations: usize,
}

#[derive(Clone, Copy, Debug)]
struct Window {
    first: u32,
    words: u32,
    offset: i64,
}

/// Table of the allowed combinations of some variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// Variables, ascending.
    pub variables: Vec<Var>,
    /// Values of the variables, one row for each combination.
    pub rows: Vec<Vec<i64>>,
}

/// Constraint on two or more variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// Relation of a sum to zero.
    Linear(Linear, Relation),
    /// Membership in the rows of a table.
    Table(Rc<Table>),
}

/// Constraint `x - y ≤ most`, with both domains within one word: by far the most common relation.
#[derive(Clone, Copy, Debug)]
struct DifferenceConstraint {
    x: Window,
    y: Window,
    names: (Var, Var),
    most: i64,
}

/// Error for an empty domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Empty;

/// Variables with their domains, constraints and trail.
#[derive(Clone, Debug, Default)]
pub struct Store {
    windows: Vec<Window>,
    words: Vec<u64>,
    trail: Vec<(u32, u64)>,
    relations: Vec<Constraint>,
    /// Each relation as a difference, if it has that form.
    differences: Vec<Option<DifferenceConstraint>>,
    /// Relations of each variable.
    watching: Vec<SmallVec<[u32; 6]>>,
    queue: Vec<u32>,
    queued: Vec<bool>,
}

impl Store {
    /// Adds a variable that ranges over `domain`.
    pub fn add(&mut self, domain: &Domain) -> Var {
        self.windows.push(Window {
            first: self.words.len() as u32,
            words: domain.words.len() as u32,
            offset: domain.offset,
        });
        self.words.extend_from_slice(&domain.words);
        self.watching.push(SmallVec::new());
        Var(self.windows.len() as u32 - 1)
    }

    /// Number of variables.
    #[must_use]
    pub fn variables(&self) -> u32 {
        self.windows.len() as u32
    }

    /// Returns a mark for the current state.
    #[must_use]
    pub fn mark(&self) -> Mark {
        Mark {
            trail: self.trail.len(),
            relations: self.relations.len(),
        }
    }

    /// Restores the state at `mark`.
    pub fn undo_to(&mut self, mark: Mark) {
        for (word, bits) in self.trail.drain(mark.trail..).rev() {
            self.words[word as usize] = bits;
        }
        while self.relations.len() > mark.relations {
            if let Some(constraint) = self.relations.pop() {
                match &constraint {
                    Constraint::Linear(sum, _) => {
                        for (variable, _) in &sum.terms {
                            self.watching[variable.0 as usize].pop();
                        }
                    }
                    Constraint::Table(table) => {
                        for variable in &table.variables {
                            self.watching[variable.0 as usize].pop();
                        }
                    }
                }
                self.queued.pop();
                self.differences.pop();
            }
        }
    }

    /// Constraints on two or more variables, oldest first.
    #[must_use]
    pub fn relations(&self) -> &[Constraint] {
        &self.relations
    }

    /// Least possible value of a variable.
    #[inline]
    #[must_use]
    pub fn least(&self, variable: Var) -> i64 {
        let window = self.windows[variable.0 as usize];
        let mut index = 0;
        loop {
            let bits = self.words[(window.first + index) as usize];
            if bits != 0 || index + 1 == window.words {
                return window.offset + i64::from(64 * index + bits.trailing_zeros());
            }
            index += 1;
        }
    }

    /// Greatest possible value of a variable.
    #[inline]
    #[must_use]
    pub fn greatest(&self, variable: Var) -> i64 {
        let window = self.windows[variable.0 as usize];
        let mut index = window.words - 1;
        loop {
            let bits = self.words[(window.first + index) as usize];
            if bits != 0 || index == 0 {
                return window.offset + i64::from(64 * index + 63)
                    - i64::from(bits.leading_zeros());
            }
            index -= 1;
        }
    }

    /// Value of a variable with a single possible value.
    #[inline]
    #[must_use]
    pub fn fixed(&self, variable: Var) -> Option<i64> {
        let window = self.windows[variable.0 as usize];
        if window.words == 1 {
            let bits = self.words[window.first as usize];
            return (bits & bits.wrapping_sub(1) == 0)
                .then(|| window.offset + i64::from(bits.trailing_zeros()));
        }
        let least = self.least(variable);
        (least == self.greatest(variable)).then_some(least)
    }

    /// Whether a value of a variable is possible.
    #[must_use]
    pub fn can_be(&self, variable: Var, value: i64) -> bool {
        let window = self.windows[variable.0 as usize];
        let bit = value.wrapping_sub(window.offset);
        (0..64 * i64::from(window.words)).contains(&bit)
            && self.words[window.first as usize + bit as usize / 64] >> (bit % 64) & 1 != 0
    }

    /// Whether a variable occurs in a relation with others.
    #[must_use]
    pub fn is_related(&self, variable: Var) -> bool {
        !self.watching[variable.0 as usize].is_empty()
    }

    /// Number of possible values of a variable.
    #[must_use]
    pub fn size(&self, variable: Var) -> u32 {
        let window = self.windows[variable.0 as usize];
        let words = &self.words[window.first as usize..(window.first + window.words) as usize];
        words.iter().map(|bits| bits.count_ones()).sum()
    }

    /// Possible values of a variable, ascending.
    pub fn values(&self, variable: Var) -> impl Iterator<Item = i64> + '_ {
        let window = self.windows[variable.0 as usize];
        (0..window.words).flat_map(move |index| {
            let mut bits = self.words[(window.first + index) as usize];
            std::iter::from_fn(move || {
                let bit = bits.trailing_zeros();
                bits &= bits.wrapping_sub(1);
                (bit < 64).then(|| window.offset + i64::from(64 * index + bit))
            })
        })
    }

    /// Least and greatest value of a sum within the domains; `None` on overflow of 64 bits.
    #[must_use]
    pub fn range(&self, sum: &Linear) -> Option<(i64, i64)> {
        let (mut least, mut greatest) = (sum.constant, sum.constant);
        for &(variable, factor) in &sum.terms {
            let (low, high) = self.scaled(variable, factor)?;
            least = least.checked_add(low)?;
            greatest = greatest.checked_add(high)?;
        }
        Some((least, greatest))
    }

    /// Value of a sum whose variables are all fixed.
    #[must_use]
    pub fn value(&self, sum: &Linear) -> Option<i64> {
        let mut value = sum.constant;
        for &(variable, factor) in &sum.terms {
            value = value.checked_add(self.fixed(variable)?.checked_mul(factor)?)?;
        }
        Some(value)
    }

    /// Whether a relation holds in all solutions (true) or in none (false), as far as the given
    /// range of the sum and the domains decide it.
    #[must_use]
    pub fn decide_within(
        &self,
        sum: &Linear,
        relation: Relation,
        (least, greatest): (i64, i64),
    ) -> Option<bool> {
        match relation {
            Relation::AtMostZero if greatest <= 0 => Some(true),
            Relation::AtMostZero if least > 0 => Some(false),
            Relation::Zero | Relation::NonZero if least > 0 || greatest < 0 => {
                Some(relation == Relation::NonZero)
            }
            Relation::Zero | Relation::NonZero if least == 0 && greatest == 0 => {
                Some(relation == Relation::Zero)
            }
            Relation::Zero | Relation::NonZero => {
                let [(variable, factor)] = sum.terms[..] else {
                    return None;
                };
                let is_hit =
                    sum.constant % factor == 0 && self.can_be(variable, -sum.constant / factor);
                (!is_hit).then_some(relation == Relation::NonZero)
            }
            Relation::AtMostZero => None,
        }
    }

    /// Asserts a relation and propagates it. Returns false if it is infeasible; the caller must
    /// then undo to a mark.
    pub fn assert(&mut self, sum: &Linear, relation: Relation) -> bool {
        self.enter(sum, relation)
            .and_then(|()| self.propagate())
            .is_ok()
            || {
                self.clear_queue();
                false
            }
    }

    /// Asserts the negation of a relation.
    pub fn deny(&mut self, sum: &Linear, relation: Relation) -> bool {
        match relation {
            Relation::Zero => self.assert(sum, Relation::NonZero),
            Relation::NonZero => self.assert(sum, Relation::Zero),
            Relation::AtMostZero => match sum.complement() {
                Some(complement) => self.assert(&complement, Relation::AtMostZero),
                None => true,
            },
        }
    }

    /// Restricts a variable to `values` (if `included`) or excludes them.
    pub fn restrict(&mut self, variable: Var, values: &[i64], included: bool) -> bool {
        let done = self.keep_values(variable, values, included).and_then(|_| {
            self.wake(variable);
            self.propagate()
        });
        if done.is_err() {
            self.clear_queue();
        }
        done.is_ok()
    }

    /// Retains these values of a variable, or all others; returns whether the domain changed.
    fn keep_values(
        &mut self,
        variable: Var,
        values: &[i64],
        included: bool,
    ) -> Result<bool, Empty> {
        let window = self.windows[variable.0 as usize];
        let mut changed = false;
        for index in 0..window.words {
            let start = window.offset + 64 * i64::from(index);
            let mut named = 0_u64;
            for &value in values {
                let bit = value.wrapping_sub(start);
                if (0..64).contains(&bit) {
                    named |= 1 << bit;
                }
            }
            let keep = if included { named } else { !named };
            changed |= self.keep(window.first + index, keep);
        }
        if self.is_empty_window(window) {
            return Err(Empty);
        }
        Ok(changed)
    }

    /// Asserts that some variables have the values of one row of a table; false if that is
    /// infeasible.
    pub fn assert_table(&mut self, table: Table) -> bool {
        let number = self.relations.len() as u32;
        for variable in &table.variables {
            self.watching[variable.0 as usize].push(number);
        }
        self.differences.push(None);
        self.relations.push(Constraint::Table(Rc::new(table)));
        self.queued.push(true);
        self.queue.push(number);
        self.propagate().is_ok() || {
            self.clear_queue();
            false
        }
    }

    /// Returns an assignment of the variables in `wanted`, and of all related to them, that
    /// satisfies every relation: the lexicographically first by variable. The store is unchanged.
    pub fn solution(&mut self, wanted: &[Var]) -> Option<Vec<i64>> {
        let mark = self.mark();
        let mut open: Vec<Var> = wanted.to_vec();
        let related: Vec<Var> = self
            .relations
            .iter()
            .flat_map(|constraint| match constraint {
                Constraint::Linear(sum, _) => sum.terms.iter().map(|&(at, _)| at).collect(),
                Constraint::Table(table) => table.variables.clone(),
            })
            .collect();
        open.extend(related);
        let found = self.label(&open);
        let solution = found.then(|| wanted.iter().map(|&var| self.least(var)).collect());
        self.undo_to(mark);
        solution
    }

    /// Fixes each of these variables, with backtracking on an explicit stack.
    fn label(&mut self, variables: &[Var]) -> bool {
        let mut levels: Vec<(Mark, Vec<i64>)> = Vec::new();
        loop {
            let Some(&variable) = variables.get(levels.len()) else {
                return true;
            };
            let mut values: Vec<i64> = self.values(variable).collect();
            values.reverse();
            levels.push((self.mark(), values));
            loop {
                let Some((mark, values)) = levels.last_mut() else {
                    return false;
                };
                let (mark, value) = (*mark, values.pop());
                self.undo_to(mark);
                match value {
                    None => {
                        levels.pop();
                    }
                    Some(value) => {
                        let variable = variables[levels.len() - 1];
                        if self.restrict(variable, &[value], true) {
                            break;
                        }
                    }
                }
            }
        }
    }

    /// Substitutes the fixed variables of a sum.
    fn open_part(&self, sum: &Linear) -> Linear {
        let mut open = Linear::constant(sum.constant);
        for &(variable, factor) in &sum.terms {
            match self.fixed(variable) {
                Some(value) => open.constant += value * factor,
                None => open.terms.push((variable, factor)),
            }
        }
        open
    }

    fn enter(&mut self, sum: &Linear, relation: Relation) -> Result<(), Empty> {
        let open = self.open_part(sum);
        match open.terms.len() {
            0 => relation.holds(open.constant).then_some(()).ok_or(Empty),
            1 => self.narrow(&open, relation),
            _ => {
                let number = self.relations.len() as u32;
                for (variable, _) in &open.terms {
                    self.watching[variable.0 as usize].push(number);
                }
                let difference = self.as_difference(&open, relation);
                self.differences.push(difference);
                self.relations.push(Constraint::Linear(open, relation));
                self.queued.push(true);
                self.queue.push(number);
                Ok(())
            }
        }
    }

    fn propagate(&mut self) -> Result<(), Empty> {
        while let Some(number) = self.queue.pop() {
            self.queued[number as usize] = false;
            if let Some(difference) = self.differences[number as usize] {
                self.narrow_difference(difference)?;
                continue;
            }
            let nothing = Constraint::Linear(Linear::constant(0), Relation::Zero);
            let constraint = std::mem::replace(&mut self.relations[number as usize], nothing);
            let narrowed = match &constraint {
                Constraint::Linear(sum, relation) => self.narrow(sum, *relation),
                Constraint::Table(table) => self.narrow_to_rows(table),
            };
            self.relations[number as usize] = constraint;
            narrowed?;
        }
        Ok(())
    }

    /// Retains the values that occur in a row whose values are all possible.
    fn narrow_to_rows(&mut self, table: &Table) -> Result<(), Empty> {
        let rows: Vec<&Vec<i64>> = table
            .rows
            .iter()
            .filter(|row| {
                let mut pairs = table.variables.iter().zip(*row);
                pairs.all(|(&variable, &value)| self.can_be(variable, value))
            })
            .collect();
        for (column, &variable) in table.variables.iter().enumerate() {
            let values: SmallVec<[i64; 8]> = rows.iter().map(|row| row[column]).collect();
            if self.keep_values(variable, &values, true)? {
                self.wake(variable);
            }
        }
        Ok(())
    }

    fn as_difference(&self, sum: &Linear, relation: Relation) -> Option<DifferenceConstraint> {
        let (x, y) = match sum.terms[..] {
            [(x, 1), (y, -1)] | [(y, -1), (x, 1)] if relation == Relation::AtMostZero => (x, y),
            _ => return None,
        };
        let windows = (self.windows[x.0 as usize], self.windows[y.0 as usize]);
        (windows.0.words == 1 && windows.1.words == 1).then_some(DifferenceConstraint {
            x: windows.0,
            y: windows.1,
            names: (x, y),
            most: -sum.constant,
        })
    }

    fn narrow_difference(&mut self, difference: DifferenceConstraint) -> Result<(), Empty> {
        let DifferenceConstraint { x, y, names, most } = difference;
        let above = y.offset + 63 - i64::from(self.words[y.first as usize].leading_zeros());
        let top = above + most - x.offset;
        if top < 0 {
            return Err(Empty);
        }
        if top < 63 && self.keep(x.first, (2 << top) - 1) {
            if self.words[x.first as usize] == 0 {
                return Err(Empty);
            }
            self.wake(names.0);
        }
        let below = x.offset + i64::from(self.words[x.first as usize].trailing_zeros());
        let bottom = below - most - y.offset;
        if bottom > 63 {
            return Err(Empty);
        }
        if bottom > 0 && self.keep(y.first, u64::MAX << bottom) {
            if self.words[y.first as usize] == 0 {
                return Err(Empty);
            }
            self.wake(names.1);
        }
        Ok(())
    }

    fn clear_queue(&mut self) {
        for number in self.queue.drain(..) {
            if let Some(queued) = self.queued.get_mut(number as usize) {
                *queued = false;
            }
        }
    }

    fn wake(&mut self, variable: Var) {
        for &number in &self.watching[variable.0 as usize] {
            if !self.queued[number as usize] {
                self.queued[number as usize] = true;
                self.queue.push(number);
            }
        }
    }

    /// Removes values that a relation excludes.
    fn narrow(&mut self, sum: &Linear, relation: Relation) -> Result<(), Empty> {
        match relation {
            Relation::AtMostZero => self.narrow_bounds(sum, 1),
            Relation::Zero => {
                if let [(x, 1 | -1), (y, 1 | -1)] = sum.terms[..]
                    && self.windows[x.0 as usize].words == 1
                    && self.windows[y.0 as usize].words == 1
                {
                    return self.narrow_pair(sum, x, y);
                }
                if let [(x, factor)] = sum.terms[..] {
                    if sum.constant % factor != 0 {
                        return Err(Empty);
                    }
                    return self.keep_between(x, -sum.constant / factor, -sum.constant / factor);
                }
                self.narrow_bounds(sum, 1)?;
                self.narrow_bounds(sum, -1)
            }
            Relation::NonZero => self.narrow_nonzero(sum),
        }
    }

    fn narrow_nonzero(&mut self, sum: &Linear) -> Result<(), Empty> {
        let mut rest = sum.constant;
        let mut open = None;
        for &(variable, factor) in &sum.terms {
            match self.fixed(variable) {
                Some(value) => rest += value * factor,
                None if open.is_some() => return Ok(()),
                None => open = Some((variable, factor)),
            }
        }
        match open {
            None if rest == 0 => Err(Empty),
            Some((variable, factor)) if rest % factor == 0 => {
                let value = -rest / factor;
                let window = self.windows[variable.0 as usize];
                let bit = value.wrapping_sub(window.offset);
                if (0..64 * i64::from(window.words)).contains(&bit) {
                    let keep = !(1_u64 << (bit % 64));
                    if self.keep(window.first + bit as u32 / 64, keep) {
                        self.wake(variable);
                    }
                }
                if self.is_empty_window(window) {
                    return Err(Empty);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Propagates `sign · sum ≤ 0`: each term is bounded by the least values of the others.
    fn narrow_bounds(&mut self, sum: &Linear, sign: i64) -> Result<(), Empty> {
        let mut least = sign * sum.constant;
        for &(variable, factor) in &sum.terms {
            let Some((low, _)) = self.scaled(variable, sign * factor) else {
                return Ok(());
            };
            least += low;
        }
        if least > 0 {
            return Err(Empty);
        }
        let slack = -least;
        for &(variable, factor) in &sum.terms {
            let factor = sign * factor;
            if factor > 0 {
                let low = self.least(variable);
                self.keep_between(variable, low, low + slack / factor)?;
            } else {
                let high = self.greatest(variable);
                self.keep_between(variable, high - slack / -factor, high)?;
            }
        }
        Ok(())
    }

    /// Propagates `±x ± y + constant = 0` within one word each: every value needs a counterpart.
    fn narrow_pair(&mut self, sum: &Linear, x: Var, y: Var) -> Result<(), Empty> {
        let (fx, fy) = (sum.terms[0].1, sum.terms[1].1);
        // x = -(fy/fx)·y - constant/fx, and the other way round.
        self.propagate_affine(x, y, -fy * fx, -sum.constant * fx)?;
        self.propagate_affine(y, x, -fx * fy, -sum.constant * fy)
    }

    /// Retains the values of `x` that equal `factor · y + constant` (factor 1 or -1) for a value of
    /// `y`.
    fn propagate_affine(
        &mut self,
        x: Var,
        y: Var,
        factor: i64,
        constant: i64,
    ) -> Result<(), Empty> {
        let (to, from) = (self.windows[x.0 as usize], self.windows[y.0 as usize]);
        let bits = self.words[from.first as usize];
        let (bits, lowest) = if factor == 1 {
            (bits, from.offset + constant)
        } else {
            (bits.reverse_bits(), constant - from.offset - 63)
        };
        let shift = lowest - to.offset;
        let keep = match shift {
            0..=63 => bits << shift,
            -63..=-1 => bits >> -shift,
            _ => 0,
        };
        if self.keep(to.first, keep) {
            if self.words[to.first as usize] == 0 {
                return Err(Empty);
            }
            self.wake(x);
        }
        Ok(())
    }

    fn keep_between(&mut self, variable: Var, low: i64, high: i64) -> Result<(), Empty> {
        let window = self.windows[variable.0 as usize];
        let mut changed = false;
        for index in 0..window.words {
            let start = window.offset + 64 * i64::from(index);
            let from = (low - start).clamp(0, 64) as u32;
            let to = (high - start + 1).clamp(0, 64) as u32;
            let keep = if from >= to {
                0
            } else {
                (u64::MAX >> (64 - (to - from))) << from
            };
            changed |= self.keep(window.first + index, keep);
        }
        if changed {
            if self.is_empty_window(window) {
                return Err(Empty);
            }
            self.wake(variable);
        }
        Ok(())
    }

    fn is_empty_window(&self, window: Window) -> bool {
        (0..window.words).all(|index| self.words[(window.first + index) as usize] == 0)
    }

    /// Retains the bits `keep` of a word; returns whether it changed.
    #[inline]
    fn keep(&mut self, word: u32, keep: u64) -> bool {
        let old = self.words[word as usize];
        if old & keep == old {
            return false;
        }
        self.trail.push((word, old));
        self.words[word as usize] = old & keep;
        true
    }

    fn scaled(&self, variable: Var, factor: i64) -> Option<(i64, i64)> {
        let low = self.least(variable).checked_mul(factor)?;
        let high = self.greatest(variable).checked_mul(factor)?;
        Some((low.min(high), low.max(high)))
    }
}
