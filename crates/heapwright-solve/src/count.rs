//! Counts the assignments of a store without enumerating them.
//!
//! Unrelated variables multiply. The others fall into components. Each component is counted by
//! eliminating variables, fewest neighbours first, with a table over the neighbours (bucket
//! elimination). Where such a table would be large, a case distinction on a variable replaces it.
//! Components that differ only in the names of their variables are counted once.

use num_bigint::BigUint;
use num_traits::{CheckedAdd, CheckedMul, One, Zero};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::linear::{Linear, Relation};
use crate::number::Count;
use crate::store::{Constraint, Store, Table as Rows, Var};

/// Most entries of an elimination table; beyond this a case distinction is made.
const MAX_TABLE: usize = 1 << 16;
/// Most components memoised.
const MAX_MEMO: usize = 1 << 16;

/// Counter of assignments that memoises components.
#[derive(Clone, Debug, Default)]
pub struct Counter {
    memo: FxHashMap<CountComponent, Count>,
}

/// Component: the values of each variable, and relations over variable indices.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
struct CountComponent {
    values: Vec<Vec<i64>>,
    relations: Vec<(Linear, Relation)>,
    tables: Vec<Rows>,
}

/// Function of some variables as a table, in which the first variable changes fastest.
struct FunctionTable<N> {
    variables: Vec<usize>,
    entries: Vec<N>,
}

/// Number type of a count: machine words while they suffice, then arbitrary precision.
trait Number: Clone + Zero + One + CheckedAdd + CheckedMul {}

impl Number for u128 {}
impl Number for BigUint {}

impl Counter {
    /// Counts the assignments of `variables`, which must be distinct, that satisfy all relations of
    /// the store. All other variables in relations must be fixed.
    pub fn count(&mut self, store: &Store, variables: &[Var]) -> Count {
        let relations = reduced(store);
        let tables = open_tables(store);
        if relations.is_empty() && tables.is_empty() {
            return variables.iter().fold(Count::ONE, |ways, &variable| {
                &ways * u64::from(store.size(variable))
            });
        }
        let mut group: FxHashMap<Var, Var> = FxHashMap::default();
        for (sum, _) in &relations {
            for &(variable, _) in &sum.terms {
                join(&mut group, sum.terms[0].0, variable);
            }
        }
        for table in &tables {
            for &variable in &table.variables {
                join(&mut group, table.variables[0], variable);
            }
        }
        let mut ways = Count::ONE;
        let mut components: FxHashMap<Var, Vec<Var>> = FxHashMap::default();
        for &variable in variables {
            if group.contains_key(&variable) {
                let root = find(&group, variable);
                components.entry(root).or_default().push(variable);
            } else {
                ways = &ways * u64::from(store.size(variable));
            }
        }
        for (root, members) in components {
            let own = relations
                .iter()
                .filter(|(sum, _)| find(&group, sum.terms[0].0) == root);
            let own_tables = tables
                .iter()
                .filter(|table| find(&group, table.variables[0]) == root);
            let problem = CountComponent::new(store, members, own, own_tables);
            ways = &ways * &self.component(problem);
        }
        ways
    }

    fn component(&mut self, problem: CountComponent) -> Count {
        if let Some(known) = self.memo.get(&problem) {
            return known.clone();
        }
        let ways = problem.ways();
        if self.memo.len() >= MAX_MEMO {
            self.memo.clear();
        }
        self.memo.insert(problem, ways.clone());
        ways
    }
}

fn find(group: &FxHashMap<Var, Var>, variable: Var) -> Var {
    let mut root = variable;
    while let Some(&above) = group.get(&root)
        && above != root
    {
        root = above;
    }
    root
}

fn join(group: &mut FxHashMap<Var, Var>, left: Var, right: Var) {
    group.entry(left).or_insert(left);
    group.entry(right).or_insert(right);
    let (left, right) = (find(group, left), find(group, right));
    group.insert(left.max(right), left.min(right));
}

/// Relations that are not entailed by the domains, with fixed variables substituted, and without
/// differences that follow from two others.
fn reduced(store: &Store) -> Vec<(Linear, Relation)> {
    let mut open: Vec<(Linear, Relation)> = Vec::new();
    for constraint in store.relations() {
        let Constraint::Linear(sum, relation) = constraint else {
            continue;
        };
        let mut rest = Linear::constant(sum.constant);
        for &(variable, factor) in &sum.terms {
            match store.fixed(variable) {
                Some(value) => rest.constant += value * factor,
                None => rest.terms.push((variable, factor)),
            }
        }
        // A relation of at most one variable has been propagated to its domain.
        if rest.terms.len() > 1 && !follows(store, &rest, *relation) {
            open.push((rest, *relation));
        }
    }
    if open.len() < 2 {
        return open;
    }
    open.sort_unstable_by(|left, right| {
        (&left.0.terms, left.1, left.0.constant).cmp(&(&right.0.terms, right.1, right.0.constant))
    });
    open.dedup();
    let differences: Vec<Option<(Var, Var, i64)>> = open.iter().map(as_difference).collect();
    let mut dropped = vec![false; open.len()];
    for (number, difference) in differences.iter().enumerate() {
        let Some((x, y, most)) = *difference else {
            continue;
        };
        let edge = |wanted_from: Option<Var>, wanted_to: Option<Var>, skip: usize| {
            let dropped = &dropped;
            differences
                .iter()
                .enumerate()
                .filter(move |&(other, _)| other != skip && !dropped[other])
                .filter_map(|(_, difference)| *difference)
                .filter(move |&(from, to, _)| {
                    wanted_from.is_none_or(|wanted| wanted == from)
                        && wanted_to.is_none_or(|wanted| wanted == to)
                })
        };
        let follows = edge(Some(x), None, number).any(|(_, middle, first)| {
            middle == y && first <= most
                || edge(Some(middle), Some(y), number).any(|(_, _, second)| first + second <= most)
        });
        dropped[number] = follows;
    }
    let mut kept = dropped.iter();
    open.retain(|_| !kept.next().copied().unwrap_or(false));
    open
}

/// Tables that are not entailed by the domains, restricted to the open variables.
fn open_tables(store: &Store) -> Vec<Rows> {
    let mut open = Vec::new();
    for constraint in store.relations() {
        let Constraint::Table(table) = constraint else {
            continue;
        };
        let columns: Vec<usize> = (0..table.variables.len())
            .filter(|&column| store.fixed(table.variables[column]).is_none())
            .collect();
        let is_left = |row: &&Vec<i64>| {
            let mut pairs = table.variables.iter().zip(*row);
            pairs.all(|(&variable, &value)| store.can_be(variable, value))
        };
        let pick = |row: &Vec<i64>| columns.iter().map(|&column| row[column]).collect();
        let rows: Vec<Vec<i64>> = table.rows.iter().filter(is_left).map(pick).collect();
        let variables: Vec<Var> = columns.iter().map(|&at| table.variables[at]).collect();
        let all: Option<usize> = variables.iter().try_fold(1_usize, |all, &variable| {
            all.checked_mul(store.size(variable) as usize)
        });
        // Otherwise all remaining combinations are allowed, and the table is entailed.
        if all != Some(rows.len()) {
            open.push(Rows { variables, rows });
        }
    }
    open
}

/// Returns `x - y ≤ most`, if the relation has this form.
fn as_difference((sum, relation): &(Linear, Relation)) -> Option<(Var, Var, i64)> {
    match (&sum.terms[..], relation) {
        ([(x, 1), (y, -1)], Relation::AtMostZero) => Some((*x, *y, -sum.constant)),
        ([(y, -1), (x, 1)], Relation::AtMostZero) => Some((*x, *y, -sum.constant)),
        _ => None,
    }
}

fn follows(store: &Store, sum: &Linear, relation: Relation) -> bool {
    store
        .range(sum)
        .is_some_and(|(least, greatest)| match relation {
            Relation::AtMostZero => greatest <= 0,
            Relation::NonZero => least > 0 || greatest < 0,
            Relation::Zero => false,
        })
}

impl CountComponent {
    fn new<'a>(
        store: &Store,
        mut members: Vec<Var>,
        relations: impl Iterator<Item = &'a (Linear, Relation)>,
        tables: impl Iterator<Item = &'a Rows>,
    ) -> CountComponent {
        // The order is independent of names where bounds distinguish the variables.
        members.sort_by_cached_key(|&variable| {
            (store.least(variable), store.greatest(variable), variable)
        });
        let number: FxHashMap<Var, u32> = (0..).zip(&members).map(|(at, &var)| (var, at)).collect();
        let mut renamed: Vec<(Linear, Relation)> = relations
            .map(|(sum, relation)| {
                let mut terms: SmallVec<[(Var, i64); 2]> = sum
                    .terms
                    .iter()
                    .filter_map(|(variable, factor)| Some((Var(*number.get(variable)?), *factor)))
                    .collect();
                terms.sort_unstable();
                let constant = sum.constant;
                (Linear { terms, constant }, *relation)
            })
            .collect();
        renamed.sort_unstable_by(|left, right| {
            (&left.0.terms, left.0.constant, left.1).cmp(&(
                &right.0.terms,
                right.0.constant,
                right.1,
            ))
        });
        CountComponent {
            values: members
                .iter()
                .map(|&variable| store.values(variable).collect())
                .collect(),
            relations: renamed,
            tables: tables
                .map(|table| Rows {
                    variables: table
                        .variables
                        .iter()
                        .map(|variable| Var(number.get(variable).copied().unwrap_or_default()))
                        .collect(),
                    rows: table.rows.clone(),
                })
                .collect(),
        }
    }

    fn ways(&self) -> Count {
        let digits = match self.count::<u128>() {
            Some(ways) => BigUint::from(ways),
            None => self.count().unwrap_or_default(),
        };
        digits.into()
    }

    /// Counts the assignments of all variables; `None` on overflow of the number type.
    fn count<N: Number>(&self) -> Option<N> {
        let mut relations: Vec<&(Linear, Relation)> = self.relations.iter().collect();
        let Some(mut tables) = self.factors::<N>() else {
            return self.count_by_cases();
        };
        let mut open: Vec<usize> = (0..self.values.len()).collect();
        let mut ways = N::one();
        while !open.is_empty() {
            let neighbours: Vec<Vec<usize>> = open
                .iter()
                .map(|&variable| neighbours(variable, &relations, &tables))
                .collect();
            let place = (0..open.len()).min_by_key(|&place| neighbours[place].len())?;
            let (variable, around) = (open[place], &neighbours[place]);
            let size = around.iter().try_fold(1_usize, |size, &near| {
                size.checked_mul(self.values[near].len())
            });
            if size.is_none_or(|size| size > MAX_TABLE) {
                return self.count_by_cases();
            }
            open.remove(place);
            let (mine, others): (Vec<_>, Vec<_>) = relations
                .into_iter()
                .partition(|(sum, _)| sum.terms.iter().any(|(at, _)| at.0 as usize == variable));
            relations = others;
            let (used, rest): (Vec<FunctionTable<N>>, Vec<FunctionTable<N>>) = tables
                .into_iter()
                .partition(|table| table.variables.contains(&variable));
            tables = rest;
            let table = self.eliminate(variable, around, &mine, &used)?;
            if table.variables.is_empty() {
                ways = ways.checked_mul(&table.entries[0])?;
            } else {
                tables.push(table);
            }
        }
        Some(ways)
    }

    /// Sums the product of all factors that contain `variable` over its values.
    fn eliminate<N: Number>(
        &self,
        variable: usize,
        around: &[usize],
        relations: &[&(Linear, Relation)],
        used: &[FunctionTable<N>],
    ) -> Option<FunctionTable<N>> {
        let size: usize = around.iter().map(|&near| self.values[near].len()).product();
        let mut entries = Vec::with_capacity(size);
        let mut places = vec![0_usize; self.values.len()];
        for _ in 0..size {
            let mut total = N::zero();
            for place in 0..self.values[variable].len() {
                places[variable] = place;
                if !relations
                    .iter()
                    .all(|(sum, relation)| self.holds(sum, *relation, &places))
                {
                    continue;
                }
                let mut product = N::one();
                for table in used {
                    product = product.checked_mul(&table.entries[self.index(table, &places)])?;
                }
                total = total.checked_add(&product)?;
            }
            entries.push(total);
            for &near in around {
                places[near] += 1;
                if places[near] < self.values[near].len() {
                    break;
                }
                places[near] = 0;
            }
        }
        Some(FunctionTable {
            variables: around.to_vec(),
            entries,
        })
    }

    fn index<N>(&self, table: &FunctionTable<N>, places: &[usize]) -> usize {
        table.variables.iter().rev().fold(0, |index, &variable| {
            index * self.values[variable].len() + places[variable]
        })
    }

    fn holds(&self, sum: &Linear, relation: Relation, places: &[usize]) -> bool {
        let value = sum
            .terms
            .iter()
            .fold(sum.constant, |value, (variable, factor)| {
                let at = variable.0 as usize;
                value + factor * self.values[at][places[at]]
            });
        relation.holds(value)
    }

    /// Converts the tables to functions; `None` if one of them is large.
    fn factors<N: Number>(&self) -> Option<Vec<FunctionTable<N>>> {
        let factor = |table: &Rows| {
            let variables: Vec<usize> = table.variables.iter().map(|at| at.0 as usize).collect();
            let size = variables
                .iter()
                .try_fold(1_usize, |size, &at| size.checked_mul(self.values[at].len()))?;
            if size > MAX_TABLE {
                return None;
            }
            let mut factor = FunctionTable {
                variables,
                entries: vec![N::zero(); size],
            };
            let mut places = vec![0; self.values.len()];
            for row in &table.rows {
                let mut is_left = true;
                for (&at, value) in factor.variables.iter().zip(row) {
                    match self.values[at].binary_search(value) {
                        Ok(place) => places[at] = place,
                        Err(_) => is_left = false,
                    }
                }
                if is_left {
                    let index = self.index(&factor, &places);
                    factor.entries[index] = N::one();
                }
            }
            Some(factor)
        };
        self.tables.iter().map(factor).collect()
    }

    /// Counts by a case distinction on the variable with the most neighbours.
    fn count_by_cases<N: Number>(&self) -> Option<N> {
        let all: Vec<&(Linear, Relation)> = self.relations.iter().collect();
        let degree = |variable: usize| {
            let tables = self
                .tables
                .iter()
                .filter(|table| table.variables.contains(&Var(variable as u32)));
            let in_tables: usize = tables.map(|table| table.variables.len()).sum();
            neighbours::<N>(variable, &all, &[]).len() + in_tables
        };
        let choosable = (0..self.values.len()).filter(|&variable| self.values[variable].len() > 1);
        let variable = choosable.max_by_key(|&variable| degree(variable))?;
        let mut ways = N::zero();
        for &value in &self.values[variable] {
            if let Some(case) = self.with(variable, value) {
                ways = ways.checked_add(&case.count()?)?;
            }
        }
        Some(ways)
    }

    /// Fixes a variable and removes it from all relations; `None` if that leaves no solution.
    fn with(&self, variable: usize, value: i64) -> Option<CountComponent> {
        let mut case = CountComponent {
            values: self.values.clone(),
            relations: Vec::with_capacity(self.relations.len()),
            tables: self.tables.clone(),
        };
        case.values[variable] = vec![value];
        for table in &mut case.tables {
            let column = table
                .variables
                .iter()
                .position(|at| at.0 as usize == variable);
            if let Some(column) = column {
                table.rows.retain(|row| row[column] == value);
            }
        }
        for (sum, relation) in &self.relations {
            let mut sum = sum.clone();
            if let Some(at) = sum
                .terms
                .iter()
                .position(|(at, _)| at.0 as usize == variable)
            {
                sum.constant += sum.terms[at].1 * value;
                sum.terms.remove(at);
            }
            if let [(only, factor)] = sum.terms[..] {
                case.values[only.0 as usize].retain(|value| {
                    let value = sum.constant + factor * value;
                    relation.holds(value)
                });
                if case.values[only.0 as usize].is_empty() {
                    return None;
                }
            } else {
                case.relations.push((sum, *relation));
            }
        }
        Some(case)
    }
}

fn neighbours<N>(
    variable: usize,
    relations: &[&(Linear, Relation)],
    tables: &[FunctionTable<N>],
) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    for (sum, _) in relations {
        if sum.terms.iter().any(|(at, _)| at.0 as usize == variable) {
            found.extend(sum.terms.iter().map(|(at, _)| at.0 as usize));
        }
    }
    for table in tables {
        if table.variables.contains(&variable) {
            found.extend(&table.variables);
        }
    }
    found.sort_unstable();
    found.dedup();
    found.retain(|&other| other != variable);
    found
}

#[cfg(test)]
mod tests;
