//! Variables unaffected by the constraints asserted since a mark.

use super::{Constraint, Mark, Store, Var};

impl Store {
    /// Variables whose domains have changed since `mark`, possibly with repetitions.
    pub fn changed_since(&self, mark: Mark) -> impl Iterator<Item = Var> + '_ {
        self.trail[mark.trail..].iter().map(|&(word, _)| {
            let after = self.windows.partition_point(|window| window.first <= word);
            Var(after as u32 - 1)
        })
    }

    /// Whether constraints asserted since `mark` may exclude joint values of the variables in `of`.
    /// If not, each joint assignment possible at the mark still is.
    #[must_use]
    pub fn bears_on(&self, mark: Mark, of: impl Fn(Var) -> bool) -> bool {
        let mut is_reached = vec![false; self.windows.len()];
        let mut open: Vec<Var> = Vec::new();
        for variable in self.changed_since(mark) {
            if !std::mem::replace(&mut is_reached[variable.0 as usize], true) {
                open.push(variable);
            }
        }
        // A variable fixed before the mark does not connect others.
        let was_fixed: Vec<bool> = (0..self.variables())
            .map(|number| self.fixed(Var(number)).is_some() && !is_reached[number as usize])
            .collect();
        let mut reach = |variable: Var, open: &mut Vec<Var>| {
            let place = variable.0 as usize;
            if !was_fixed[place] && !std::mem::replace(&mut is_reached[place], true) {
                open.push(variable);
            }
        };
        for constraint in &self.relations[mark.relations..] {
            for_each(constraint, |variable| reach(variable, &mut open));
        }
        while let Some(variable) = open.pop() {
            if of(variable) {
                return true;
            }
            for &relation in &self.watching[variable.0 as usize] {
                let constraint = &self.relations[relation as usize];
                for_each(constraint, |other| reach(other, &mut open));
            }
        }
        false
    }
}

fn for_each(constraint: &Constraint, visit: impl FnMut(Var)) {
    match constraint {
        Constraint::Linear(sum, _) => sum.terms.iter().map(|&(var, _)| var).for_each(visit),
        Constraint::Table(table) => table.variables.iter().copied().for_each(visit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Domain, Linear, Relation};

    fn difference(x: Var, y: Var) -> Linear {
        Linear::variable(x)
            .plus(&Linear::variable(y), -1)
            .expect("a small sum")
    }

    #[test]
    fn relations_tie_variables_together() {
        let mut store = Store::default();
        let domain = Domain::new(0..5).expect("a domain");
        let [a, b, c, d, e] = [0; 5].map(|_| store.add(&domain));
        let start = store.mark();
        assert!(store.assert(&difference(a, b), Relation::NonZero));
        assert!(store.assert(&difference(b, c), Relation::NonZero));
        let tied = store.mark();
        assert!(store.restrict(c, &[3, 4], true));
        let only = |wanted: Var| move |variable: Var| variable == wanted;
        for (variable, bears) in [(a, true), (b, true), (c, true), (d, false), (e, false)] {
            assert_eq!(store.bears_on(tied, only(variable)), bears, "{variable:?}");
            assert_eq!(store.bears_on(start, only(variable)), bears, "{variable:?}");
        }
        assert!(!store.bears_on(store.mark(), |_| true));
        assert_eq!(store.changed_since(tied).collect::<Vec<_>>(), [c]);

        // Nothing propagates past a variable that was fixed before.
        store.undo_to(tied);
        assert!(store.restrict(b, &[2], true));
        let known = store.mark();
        assert!(store.restrict(c, &[3, 4], true));
        assert!(!store.bears_on(known, only(a)));
        assert!(store.bears_on(tied, only(a)));
    }
}
