//! Comparisons between integer variables, each with a set of values.
//!
//! Variables that must be equal (a cycle of `<=`) form one class. Among classes `<` and `<=` have
//! no cycle, so the least and the greatest value of each follow in one pass. Any value between
//! them, chosen in the same order, leaves a value for the later classes. Only `!=` can prevent
//! this; the result is then open.

use super::sets::Set;

/// Relation between two variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OrderRelation {
    Less,
    AtMost,
    Equal,
    Differs,
}

/// Outcome for a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum OrderOutcome {
    /// Value for each variable, near zero.
    Values(Vec<i64>),
    Impossible,
    Open,
}

/// Variables by index, and the relations between them.
#[derive(Clone, Debug, Default)]
pub(super) struct OrderProblem {
    pub(super) domains: Vec<Set>,
    pub(super) relations: Vec<(usize, OrderRelation, usize)>,
}

impl OrderProblem {
    pub(super) fn solve(&self) -> OrderOutcome {
        let (class_of, classes) = self.classes();
        let mut domains: Vec<Option<Set>> = vec![None; classes];
        for (domain, &class) in self.domains.iter().zip(&class_of) {
            domains[class] = Some(match &domains[class] {
                None => domain.clone(),
                Some(other) => other.intersection(domain),
            });
        }
        let domains: Vec<Set> = domains.into_iter().flatten().collect();
        // For each class: its predecessors with their distances, and the classes that it differs
        // from.
        let mut before: Vec<Vec<(usize, i64)>> = vec![Vec::new(); classes];
        let mut differing: Vec<Vec<usize>> = vec![Vec::new(); classes];
        for &(a, relation, b) in &self.relations {
            let (a, b) = (class_of[a], class_of[b]);
            match relation {
                OrderRelation::Less | OrderRelation::Differs if a == b => {
                    return OrderOutcome::Impossible;
                }
                OrderRelation::Less => before[b].push((a, 1)),
                OrderRelation::AtMost if a != b => before[b].push((a, 0)),
                OrderRelation::AtMost | OrderRelation::Equal => {}
                OrderRelation::Differs => {
                    differing[a].push(b);
                    differing[b].push(a);
                }
            }
        }
        let Some(most) = greatest(&domains, &before) else {
            return OrderOutcome::Impossible;
        };
        assign(&domains, &before, &differing, &most).map_or_else(
            |outcome| outcome,
            |values| OrderOutcome::Values(class_of.iter().map(|&class| values[class]).collect()),
        )
    }

    /// Returns the class of each variable and the number of classes: strongly connected components
    /// by Kosaraju's algorithm. Classes are numbered so that `<=` leads upwards.
    fn classes(&self) -> (Vec<usize>, usize) {
        let count = self.domains.len();
        let mut forward: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut backward: Vec<Vec<usize>> = vec![Vec::new(); count];
        for &(a, relation, b) in &self.relations {
            if relation != OrderRelation::Differs {
                forward[a].push(b);
                backward[b].push(a);
            }
            if relation == OrderRelation::Equal {
                forward[b].push(a);
                backward[a].push(b);
            }
        }
        let mut finished = Vec::with_capacity(count);
        let mut seen = vec![false; count];
        for start in 0..count {
            walk(&forward, start, &mut seen, |variable| {
                finished.push(variable)
            });
        }
        let mut class_of = vec![0; count];
        let mut seen = vec![false; count];
        let mut classes = 0;
        for &start in finished.iter().rev() {
            if !seen[start] {
                walk(&backward, start, &mut seen, |variable| {
                    class_of[variable] = classes
                });
                classes += 1;
            }
        }
        (class_of, classes)
    }
}

/// Traverses unseen nodes depth first; calls `leave` in postorder.
fn walk(edges: &[Vec<usize>], start: usize, seen: &mut [bool], mut leave: impl FnMut(usize)) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut open = vec![(start, 0)];
    while let Some((variable, next)) = open.last_mut() {
        match edges[*variable].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    open.push((to, 0));
                }
            }
            None => {
                leave(*variable);
                open.pop();
            }
        }
    }
}

/// Greatest value of each class; `None` if a class has none.
fn greatest(domains: &[Set], before: &[Vec<(usize, i64)>]) -> Option<Vec<i64>> {
    let mut bound = vec![i64::MAX; domains.len()];
    for class in (0..domains.len()).rev() {
        bound[class] = domains[class].at_most(bound[class])?;
        for &(lower, distance) in &before[class] {
            bound[lower] = bound[lower].min(bound[class].checked_sub(distance)?);
        }
    }
    Some(bound)
}

/// Assigns a value to each class, lowest class first.
fn assign(
    domains: &[Set],
    before: &[Vec<(usize, i64)>],
    differing: &[Vec<usize>],
    most: &[i64],
) -> Result<Vec<i64>, OrderOutcome> {
    let mut values: Vec<i64> = Vec::with_capacity(domains.len());
    let mut least: Vec<i64> = Vec::with_capacity(domains.len());
    for (class, domain) in domains.iter().enumerate() {
        // Lower bounds: one for any earlier choice, and one for the choices made.
        let (mut lowest, mut bound) = (i64::MIN, i64::MIN);
        for &(lower, distance) in &before[class] {
            let above = |value: i64| value.checked_add(distance).ok_or(OrderOutcome::Impossible);
            lowest = lowest.max(above(least[lower])?);
            bound = bound.max(above(values[lower])?);
        }
        let lowest = domain
            .at_least(lowest)
            .filter(|&lowest| lowest <= most[class]);
        least.push(lowest.ok_or(OrderOutcome::Impossible)?);
        let mut left = domain.intersection(&Set::interval(bound, most[class]));
        for &other in &differing[class] {
            if other < class {
                left = left.without(&Set::interval(values[other], values[other]));
            }
        }
        values.push(left.nearest_zero().ok_or(OrderOutcome::Open)?);
    }
    Ok(values)
}
