//! Candidates of invariants: comparisons of sums of program values, as data.
//!
//! A candidate does not depend on a path. Its term is built from the values that the state at a cut
//! point has. Arithmetic is that of the program: it wraps.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{ClassId, WrittenPlace};
use heapwright_solve::smt::{Binary, Sort, Term, TermPool};

/// Value of a program at a cut point. That of a reference is 0 for null, else 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Atom {
    /// Local variable, or parameter, by its first register.
    Register(u16),
    /// The same when the loop was reached, or at the outermost call.
    OldRegister(u16),
    /// Static field.
    Place(WrittenPlace),
    /// The same when the loop was reached, or at the beginning of the call.
    OldPlace(WrittenPlace),
    /// Length of the array that a register refers to.
    Length(u16),
    /// Field of the object that a register refers to.
    FieldOf(u16, InstanceField),
    /// The same when the loop was reached, or at the beginning of the call.
    OldFieldOf(u16, InstanceField),
    /// Field of the object of which a class invariant speaks.
    Field(InstanceField),
    /// Result of the call.
    Result,
    /// Index of an element of which a candidate speaks.
    Index,
    /// Element at that index of the array that a register refers to.
    Element(u16),
}

/// Field of the objects of a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstanceField {
    /// Class of the objects, which may inherit the field.
    pub class: ClassId,
    /// Word of the field in an object.
    pub word: u32,
}

/// Summand of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Summand {
    /// Value.
    Plus(Atom),
    /// Negated value.
    Minus(Atom),
    /// Product of two values.
    Product(Atom, Atom),
    /// `1 << (x + k)` for an `int`.
    Power(Atom, i64),
    /// `x % k` for a positive `k`.
    Remainder(Atom, i64),
    /// `-(x % k)` for a positive `k`.
    NegatedRemainder(Atom, i64),
    /// Constant other than 0.
    Constant(i64),
    /// What references are compared with: 0, where an object is 1.
    Null,
}

/// Sum; 0 if it is empty.
pub type Sum = Vec<Summand>;

/// Relation of two sums, signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
}

impl Relation {
    /// Whether two numbers have the relation.
    pub(super) fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Relation::Eq => left == right,
            Relation::Ne => left != right,
            Relation::Lt => left < right,
            Relation::Le => left <= right,
        }
    }
}

/// Comparison of two sums of one sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Comparison {
    /// Whether the values are `long`, else `int`.
    pub is_long: bool,
    /// Left side.
    pub left: Sum,
    /// Relation.
    pub relation: Relation,
    /// Right side.
    pub right: Sum,
}

/// Range of the indices of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IndexRange {
    /// Register that refers to the array.
    pub array: u16,
    /// Least index.
    pub from: Sum,
    /// First index past the range.
    pub to: Sum,
}

/// Candidate: a comparison that holds, wherever others do if there are guards, and for each element
/// of a range if there is one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Candidate {
    /// Guards.
    pub guards: Vec<Comparison>,
    /// Range of elements.
    pub range: Option<IndexRange>,
    /// What holds.
    pub fact: Comparison,
}

/// Sort of the integers of a kind; `None` for other kinds.
pub(super) fn integer_sort(kind: Kind) -> Option<Sort> {
    match kind {
        Kind::Boolean | Kind::Byte | Kind::Char | Kind::Short | Kind::Int => Some(Sort::Int),
        Kind::Long => Some(Sort::Long),
        _ => None,
    }
}

impl Comparison {
    /// Term, given the terms of values; `None` if one is missing.
    pub(in crate::symbolic) fn term(
        &self,
        pool: &mut TermPool,
        value: &mut dyn FnMut(&mut TermPool, Atom) -> Option<Term>,
    ) -> Option<Term> {
        let left = self.sum(&self.left, pool, value)?;
        let right = self.sum(&self.right, pool, value)?;
        Some(match self.relation {
            Relation::Eq => pool.binary(Binary::Eq, left, right),
            Relation::Ne => {
                let equal = pool.binary(Binary::Eq, left, right);
                pool.not(equal)
            }
            Relation::Lt => pool.binary(Binary::Lt, left, right),
            Relation::Le => pool.binary(Binary::Le, left, right),
        })
    }

    fn sum(
        &self,
        sum: &Sum,
        pool: &mut TermPool,
        value: &mut dyn FnMut(&mut TermPool, Atom) -> Option<Term>,
    ) -> Option<Term> {
        let sort = match self.is_long {
            true => Sort::Long,
            false => Sort::Int,
        };
        let constant = |pool: &mut TermPool, number: i64| {
            let bits = match self.is_long {
                true => number as u64,
                false => u64::from(number as u32),
            };
            pool.constant(sort, bits)
        };
        let mut total = pool.constant(sort, 0);
        for &summand in sum {
            let (operation, term) = match summand {
                Summand::Plus(atom) => (Binary::Add, value(pool, atom)?),
                Summand::Minus(atom) => (Binary::Sub, value(pool, atom)?),
                Summand::Product(first, second) => {
                    let (first, second) = (value(pool, first)?, value(pool, second)?);
                    if pool.sort(first) != sort || pool.sort(second) != sort {
                        return None;
                    }
                    (Binary::Add, pool.binary(Binary::Mul, first, second))
                }
                Summand::Power(atom, offset) => {
                    let (one, distance) = (pool.int(1), value(pool, atom)?);
                    if pool.sort(distance) != Sort::Int {
                        return None;
                    }
                    let offset = pool.int(offset as i32);
                    let distance = pool.binary(Binary::Add, distance, offset);
                    (Binary::Add, pool.binary(Binary::Shl, one, distance))
                }
                Summand::Remainder(atom, divisor) | Summand::NegatedRemainder(atom, divisor) => {
                    let (value, divisor) = (value(pool, atom)?, constant(pool, divisor));
                    if pool.sort(value) != sort {
                        return None;
                    }
                    let operation = match summand {
                        Summand::NegatedRemainder(..) => Binary::Sub,
                        _ => Binary::Add,
                    };
                    (operation, pool.binary(Binary::Rem, value, divisor))
                }
                Summand::Constant(number) => (Binary::Add, constant(pool, number)),
                Summand::Null => continue,
            };
            if pool.sort(term) != sort {
                return None;
            }
            total = pool.binary(operation, total, term);
        }
        Some(total)
    }

    /// Whether it holds of these values; `None` if one is missing.
    pub(super) fn holds(&self, value: &dyn Fn(Atom) -> Option<i64>) -> Option<bool> {
        let left = sum_of(&self.left, self.is_long, value)?;
        let right = sum_of(&self.right, self.is_long, value)?;
        Some(self.relation.holds(left, right))
    }

    /// Text in Java, with values named by `name`.
    fn text(&self, name: &dyn Fn(Atom) -> String) -> String {
        let relation = match self.relation {
            Relation::Eq => "==",
            Relation::Ne => "!=",
            Relation::Lt => "<",
            Relation::Le => "<=",
        };
        let (left, right) = (sum_text(&self.left, name), sum_text(&self.right, name));
        format!("{left} {relation} {right}")
    }
}

/// Value of a sum that is a `long` or else an `int`, given the values in it; `None` if one is missing.
pub(super) fn sum_of(sum: &Sum, is_long: bool, value: &dyn Fn(Atom) -> Option<i64>) -> Option<i64> {
    let mut total = 0_i64;
    for &summand in sum {
        total = total.wrapping_add(match summand {
            Summand::Plus(atom) => value(atom)?,
            Summand::Minus(atom) => value(atom)?.wrapping_neg(),
            Summand::Product(first, second) => value(first)?.wrapping_mul(value(second)?),
            Summand::Power(atom, offset) => {
                let distance = value(atom)?.wrapping_add(offset);
                i64::from(1_i32.wrapping_shl(distance as u32))
            }
            Summand::Remainder(atom, divisor) => value(atom)?.checked_rem(divisor)?,
            Summand::NegatedRemainder(atom, divisor) => -value(atom)?.checked_rem(divisor)?,
            Summand::Constant(number) => number,
            Summand::Null => 0,
        });
    }
    Some(match is_long {
        true => total,
        false => i64::from(total as i32),
    })
}

fn sum_text(sum: &Sum, name: &dyn Fn(Atom) -> String) -> String {
    let mut text = String::new();
    for &summand in sum {
        let (is_negative, part) = match summand {
            Summand::Plus(atom) => (false, name(atom)),
            Summand::Minus(atom) => (true, name(atom)),
            Summand::Product(first, second) => {
                (false, format!("{} * {}", name(first), name(second)))
            }
            Summand::Power(atom, 0) => (false, format!("(1 << {})", name(atom))),
            Summand::Power(atom, offset) => (false, format!("(1 << {} + {offset})", name(atom))),
            Summand::Remainder(atom, divisor) => (false, format!("{} % {divisor}", name(atom))),
            Summand::NegatedRemainder(atom, divisor) => {
                (true, format!("{} % {divisor}", name(atom)))
            }
            Summand::Constant(number) => (number < 0, number.unsigned_abs().to_string()),
            Summand::Null => (false, "null".to_owned()),
        };
        text.push_str(match (text.is_empty(), is_negative) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        });
        text.push_str(&part);
    }
    if text.is_empty() {
        text.push('0');
    }
    text
}

impl Candidate {
    /// Candidate without a guard.
    pub(super) fn new(is_long: bool, left: Sum, relation: Relation, right: Sum) -> Candidate {
        Candidate {
            guards: Vec::new(),
            range: None,
            fact: Comparison {
                is_long,
                left,
                relation,
                right,
            },
        }
    }

    /// Term, given the terms of values; `None` if one is missing.
    pub(in crate::symbolic) fn term(
        &self,
        pool: &mut TermPool,
        value: &mut dyn FnMut(&mut TermPool, Atom) -> Option<Term>,
    ) -> Option<Term> {
        let mut fact = self.fact.term(pool, value)?;
        let range = self.range.as_ref().map(IndexRange::comparisons);
        for condition in range.iter().flatten().chain(&self.guards) {
            let condition = condition.term(pool, value)?;
            let fails = pool.not(condition);
            fact = pool.binary(Binary::Or, fails, fact);
        }
        Some(fact)
    }

    /// Text in the notation of JML, with values named by `name`.
    pub fn text(&self, name: &dyn Fn(Atom) -> String) -> String {
        let fact = self.fact.text(name);
        let guards = self.guards.iter().map(|guard| guard.text(name));
        let guards: Vec<String> = guards.collect();
        let fact = match &guards[..] {
            [] => fact,
            guards => format!("{} ==> {fact}", guards.join(" && ")),
        };
        match &self.range {
            Some(range) => {
                let [from, to] = range.comparisons();
                let (from, to) = (from.text(name), to.text(name));
                format!(
                    "(\\forall int {}; {from} && {to}; {fact})",
                    name(Atom::Index)
                )
            }
            None => fact,
        }
    }
}

impl IndexRange {
    /// Conditions that an index is in the range.
    fn comparisons(&self) -> [Comparison; 2] {
        let index = || vec![Summand::Plus(Atom::Index)];
        let comparison = |left, relation, right| Comparison {
            is_long: false,
            left,
            relation,
            right,
        };
        [
            comparison(self.from.clone(), Relation::Le, index()),
            comparison(index(), Relation::Lt, self.to.clone()),
        ]
    }
}
