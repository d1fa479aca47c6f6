//! Guesses of invariants: comparisons of all values at a cut point, and what all of the calls that
//! were sampled have in common (Daikon, Ernst and others 2007).

use heapwright_jvm::ClassId;
use heapwright_jvm::descriptor::Kind;

use super::candidates::{
    Atom, Candidate, Comparison, IndexRange, InstanceField, Relation, Sum, Summand, integer_sort,
    sum_of,
};

/// Largest value of a parameter for which facts are guessed that hold for that value alone.
const MAX_POINT: i64 = 8;

/// Least number of samples that a guarded fact is guessed from.
const MIN_SAMPLES: usize = 3;

/// Largest number of doublings that powers of two begin with.
const MAX_OFFSET: i64 = 4;

/// Largest constant that values are divided by.
const MAX_DIVISOR: i64 = 16;

/// Most guarded facts about the fields of an object, or about the values at a loop.
const MAX_GUARDED: usize = 2_000;

/// Largest argument for which the result alone is a fact, where no equation says it.
const MAX_TABLE: i64 = 64;

/// Call that was run: values of the parameters that are integers, and what it led to.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// Values of the parameters.
    pub arguments: Vec<i64>,
    /// Result, if it is an integer, and the changes of the static fields that the call writes.
    pub outputs: Vec<i64>,
}

impl Sample {
    /// Value of a parameter.
    pub fn argument(&self, parameters: &[(Atom, bool)], parameter: Atom) -> Option<i64> {
        let place = parameters.iter().position(|all| all.0 == parameter)?;
        self.arguments.get(place).copied()
    }
}

/// Values of a state, each with whether it is a `long`.
pub(super) struct Values {
    /// Values that differ from one arrival to the next.
    pub open: Vec<(Atom, bool)>,
    /// Values that do not, former ones of the others among them.
    pub fixed: Vec<(Atom, bool)>,
    /// Constants of the method, and bounds of the first values.
    pub constants: Vec<i64>,
}

fn constant(number: i64) -> Sum {
    match number {
        0 => Vec::new(),
        number => vec![Summand::Constant(number)],
    }
}

/// Constants that values may be counted in: those of the method, and 2.
fn divisors(constants: &[i64], is_long: bool) -> impl Iterator<Item = i64> {
    let others = fitting(constants, is_long).filter(|number| (3..=MAX_DIVISOR).contains(number));
    std::iter::once(2).chain(others)
}

/// Constants that fit a sort.
fn fitting(constants: &[i64], is_long: bool) -> impl Iterator<Item = i64> {
    let fits = move |&&number: &&i64| is_long || i32::try_from(number).is_ok();
    constants.iter().filter(fits).copied()
}

/// Comparisons of each open value with all others and with constants.
pub(super) fn relations(values: &Values) -> Vec<Candidate> {
    let mut found = Vec::new();
    for (place, &(atom, is_long)) in values.open.iter().enumerate() {
        let own = vec![Summand::Plus(atom)];
        let later = values.open[place + 1..].iter();
        let same = |other: &&(Atom, bool)| other.1 == is_long;
        let others = later.chain(&values.fixed).filter(same);
        let others = others.map(|&(other, _)| vec![Summand::Plus(other)]);
        let others = others.map(|other| (other, true));
        let constants = fitting(&values.constants, is_long);
        let constants = constants.map(|number| (constant(number), false));
        for (other, is_strict) in others.chain(constants) {
            let mut add = |left: &Sum, relation, right: &Sum| {
                let candidate = Candidate::new(is_long, left.clone(), relation, right.clone());
                found.push(candidate);
            };
            add(&own, Relation::Eq, &other);
            add(&own, Relation::Le, &other);
            add(&other, Relation::Le, &own);
            add(&own, Relation::Ne, &other);
            if is_strict {
                add(&own, Relation::Lt, &other);
                add(&other, Relation::Lt, &own);
            }
        }
        // Two values that are counted in step.
        for &(other, _) in values.open[place + 1..]
            .iter()
            .filter(|other| other.1 == is_long)
        {
            let (Some(old), Some(old_other)) = (old_of(atom), old_of(other)) else {
                continue;
            };
            for sign in [Summand::Plus, Summand::Minus] {
                let now = vec![Summand::Plus(atom), sign(other)];
                let before = vec![Summand::Plus(old), sign(old_other)];
                found.push(Candidate::new(is_long, now, Relation::Eq, before));
            }
        }
    }
    found
}

/// Comparisons of the remainders of each open value with constants and with the former remainder, and
/// of the value with constants where another one is a constant.
pub(super) fn cases(values: &Values) -> Vec<Candidate> {
    let mut remainders = Vec::new();
    for &(atom, is_long) in &values.open {
        for divisor in divisors(&values.constants, is_long) {
            let remainder = |atom| vec![Summand::Remainder(atom, divisor)];
            let numbers = fitting(&values.constants, is_long);
            let numbers = numbers.filter(|number| (0..divisor).contains(number));
            let others = numbers.map(constant).chain(old_of(atom).map(remainder));
            remainders.extend(
                others.map(|other| Candidate::new(is_long, remainder(atom), Relation::Eq, other)),
            );
        }
    }
    let compared = |relations: &'static [Relation]| {
        values.open.iter().flat_map(move |&(atom, is_long)| {
            let numbers = fitting(&values.constants, is_long);
            numbers.flat_map(move |number| {
                relations.iter().map(move |&relation| {
                    let value = vec![Summand::Plus(atom)];
                    Candidate::new(is_long, value, relation, constant(number))
                })
            })
        })
    };
    let guarded = compared(&[Relation::Eq]).flat_map(|guard| {
        let facts = compared(&[Relation::Eq, Relation::Ne]);
        let guards = vec![guard.fact.clone()];
        let others = facts.filter(move |fact| fact.fact.left != guard.fact.left);
        others.map(move |fact| Candidate {
            guards: guards.clone(),
            ..fact
        })
    });
    let mut all: Vec<Candidate> = guarded.take(MAX_GUARDED).collect();
    all.extend(remainders);
    all
}

/// Facts about the elements of an array in front of an open value and from it on: comparisons with
/// their index, with constants, and with the other values; that references are not null.
pub(super) fn element_facts(array: u16, kind: Kind, values: &Values) -> Vec<Candidate> {
    let is_long = kind == Kind::Long;
    use Summand::{Minus, Plus};
    let ints = |values: &[(Atom, bool)]| -> Vec<Atom> {
        let ints = values.iter().filter(|value| !value.1);
        ints.map(|value| value.0).collect()
    };
    let is_own_length = |atom: &Atom| *atom == Atom::Length(array);
    let (open, fixed) = (ints(&values.open), ints(&values.fixed));
    let length = vec![Plus(Atom::Length(array))];
    let mut ranges = vec![(Vec::new(), length.clone())];
    for &atom in &open {
        ranges.push((Vec::new(), vec![Plus(atom)]));
        ranges.push((vec![Plus(atom)], length.clone()));
        ranges.push((vec![Plus(atom), Summand::Constant(1)], length.clone()));
    }
    let element = || vec![Plus(Atom::Element(array))];
    let mut facts: Vec<(Sum, Relation, Sum)> = Vec::new();
    if kind == Kind::Reference {
        facts.push((element(), Relation::Ne, vec![Summand::Null]));
    } else if integer_sort(kind).is_none() {
        return Vec::new();
    }
    let constants: &[i64] = match kind {
        Kind::Reference => &[],
        _ => &values.constants,
    };
    for number in fitting(constants, is_long) {
        facts.push((element(), Relation::Eq, constant(number)));
        facts.push((constant(number), Relation::Le, element()));
    }
    if !is_long && kind != Kind::Reference {
        let index = Atom::Index;
        facts.push((element(), Relation::Eq, vec![Plus(index)]));
        facts.push((element(), Relation::Eq, vec![Plus(index), Plus(index)]));
        for atom in fixed.into_iter().filter(|atom| !is_own_length(atom)) {
            facts.push((element(), Relation::Eq, vec![Plus(atom)]));
            facts.push((element(), Relation::Eq, vec![Plus(atom), Minus(index)]));
        }
        for &atom in &open {
            facts.push((element(), Relation::Le, vec![Plus(atom)]));
            facts.push((vec![Plus(atom)], Relation::Le, element()));
        }
    }
    let mut found = Vec::new();
    for (from, to) in &ranges {
        for (left, relation, right) in &facts {
            let fact = Candidate::new(is_long, left.clone(), *relation, right.clone());
            let range = IndexRange {
                array,
                from: from.clone(),
                to: to.clone(),
            };
            found.push(Candidate {
                range: Some(range),
                ..fact
            });
        }
    }
    found
}

/// Fact that a reference is not null.
pub(super) fn is_object(atom: Atom) -> Candidate {
    let reference = vec![Summand::Plus(atom)];
    Candidate::new(false, reference, Relation::Ne, vec![Summand::Null])
}

/// Facts about fields of an object, which are in these words: comparisons of integers with constants and
/// with each other, nullness of references, and these comparisons where a reference is null, or is
/// not, or where a boolean has a value.
pub(super) fn class_facts(
    class: ClassId,
    fields: &[(u32, Kind)],
    constants: &[i64],
) -> Vec<Candidate> {
    let field = |word| vec![Summand::Plus(Atom::Field(InstanceField { class, word }))];
    let of_kinds = |kinds: &dyn Fn(Kind) -> bool| -> Vec<(u32, Kind)> {
        let found = fields.iter().filter(|field| kinds(field.1));
        found.copied().collect()
    };
    let integers = of_kinds(&|kind| integer_sort(kind).is_some());
    let mut facts: Vec<Candidate> = Vec::new();
    for (place, &(word, kind)) in integers.iter().enumerate() {
        let is_long = kind == Kind::Long;
        let mut add = |left: &Sum, relation, right: &Sum| {
            let fact = Candidate::new(is_long, left.clone(), relation, right.clone());
            facts.push(fact);
        };
        let own = field(word);
        for number in fitting(constants, is_long) {
            let number = constant(number);
            add(&own, Relation::Eq, &number);
            add(&own, Relation::Ne, &number);
            add(&own, Relation::Le, &number);
            add(&number, Relation::Le, &own);
        }
        let later = integers[place + 1..].iter();
        for &(other, _) in later.filter(|other| (other.1 == Kind::Long) == is_long) {
            let other = field(other);
            add(&own, Relation::Eq, &other);
            add(&own, Relation::Le, &other);
            add(&other, Relation::Le, &own);
            add(&own, Relation::Lt, &other);
            add(&other, Relation::Lt, &own);
        }
    }
    let mut nullness = Vec::new();
    for (word, _) in of_kinds(&|kind| kind == Kind::Reference) {
        for relation in [Relation::Eq, Relation::Ne] {
            nullness.push(Candidate::new(
                false,
                field(word),
                relation,
                vec![Summand::Null],
            ));
        }
    }
    let booleans = of_kinds(&|kind| kind == Kind::Boolean).into_iter();
    let booleans = booleans.flat_map(|(word, _)| {
        [0, 1].map(|value| Candidate::new(false, field(word), Relation::Eq, constant(value)))
    });
    let guards: Vec<Candidate> = nullness.iter().cloned().chain(booleans).collect();
    facts.extend(nullness);
    let guarded = guards.iter().flat_map(|guard| {
        let others = facts
            .iter()
            .filter(|fact| fact.fact.left != guard.fact.left);
        others.map(|fact| Candidate {
            guards: vec![guard.fact.clone()],
            ..fact.clone()
        })
    });
    // What a proof does not need is dropped in this order.
    let mut all: Vec<Candidate> = guarded.take(MAX_GUARDED).collect();
    all.extend(facts);
    all
}

/// Former value of a value.
fn old_of(atom: Atom) -> Option<Atom> {
    match atom {
        Atom::Register(register) => Some(Atom::OldRegister(register)),
        Atom::Place(place) => Some(Atom::OldPlace(place)),
        Atom::FieldOf(register, field) => Some(Atom::OldFieldOf(register, field)),
        _ => None,
    }
}

/// Output of a call: the value, and what it is a change of.
pub(super) struct Output {
    /// Sum whose value is the output.
    pub sum: Sum,
    /// Whether it is a `long`.
    pub is_long: bool,
}

/// Largest argument that may have a fact of its own, as far as these candidates bound the parameters.
pub(super) fn most_argument(entry: &[Candidate], parameters: &[(Atom, bool)]) -> i64 {
    let bounds = parameters.iter();
    let bounds = bounds.filter_map(|&(atom, _)| most_of(entry, atom, MAX_TABLE));
    bounds.max().unwrap_or(0)
}

/// Largest value of a parameter as far as these candidates bound it, if it is at most `limit`.
fn most_of(entry: &[Candidate], parameter: Atom, limit: i64) -> Option<i64> {
    let bounds = entry.iter().filter_map(|candidate| {
        let fact = &candidate.fact;
        match (&fact.left[..], fact.relation, &fact.right[..]) {
            (&[Summand::Plus(atom)], Relation::Le, &[Summand::Constant(most)])
                if atom == parameter =>
            {
                Some(most)
            }
            _ => None,
        }
    });
    bounds.filter(|&most| most <= limit).max()
}

/// Facts that hold of all samples: linear equations, products and powers of two, and bounds, in
/// general and where a parameter is on one side of a constant, or has one of few values that these
/// `entry` candidates leave it. The results of arguments from 0 to
/// the largest one are listed one by one where no equation gives them.
pub(super) fn facts(
    samples: &[Sample],
    parameters: &[(Atom, bool)],
    outputs: &[Output],
    constants: &[i64],
    entry: &[Candidate],
    is_possible: &dyn Fn(&Candidate) -> bool,
) -> Vec<Candidate> {
    let guards = guards(parameters, constants, entry);
    let most_argument = most_argument(entry, parameters);
    let mut found: Vec<Candidate> = Vec::new();
    for (number, output) in outputs.iter().enumerate() {
        let expressions = expressions(parameters, constants, output.is_long);
        let mut general: Vec<Comparison> = Vec::new();
        let first = found.len();
        for guard in &guards {
            let holds = |sample: &&Sample| {
                let mut guard = guard.iter();
                guard.all(|guard| guard.holds(&sample.arguments))
            };
            let within: Vec<&Sample> = samples.iter().filter(holds).collect();
            if within.is_empty() || guard.is_some() && within.len() < guard_samples(guard) {
                continue;
            }
            let point = guard
                .as_ref()
                .filter(|guard| guard.relation == Relation::Eq);
            let own = expressions
                .iter()
                .filter(|expression| match (expression.kind, point) {
                    (ExpressionKind::Zero, _) => true,
                    // Of the others, one that is fixed says nothing.
                    (kind, Some(point)) => {
                        within.len() >= MIN_SAMPLES
                            && kind != ExpressionKind::Nonlinear
                            && !expression.has(parameters[point.parameter].0)
                    }
                    (ExpressionKind::Linear, None) => true,
                    (_, None) => guard.is_none(),
                });
            let comparison = guard.as_ref().map(|guard| guard.comparison(parameters));
            let candidates = own.flat_map(|expression| {
                let domain = point.and_then(|_| expression.domain(&within, parameters));
                let domain = domain.into_iter().flatten();
                let guards: Vec<Comparison> = comparison.iter().cloned().chain(domain).collect();
                let is_meant = |sample: &&&Sample| {
                    let value = |atom| sample.argument(parameters, atom);
                    let mut guards = guards.iter();
                    guards.all(|guard| guard.holds(&value) == Some(true))
                };
                let within: Vec<&Sample> = within.iter().filter(is_meant).copied().collect();
                let facts = expression.facts(&within, parameters, output, number, guard.is_some());
                facts.into_iter().map(move |fact| Candidate {
                    guards: guards.clone(),
                    range: None,
                    fact,
                })
            });
            let mut candidates: Vec<Candidate> =
                candidates.filter(|all| is_possible(all)).collect();
            // The simplest equation says it all.
            let is_equation = |candidate: &Candidate| candidate.fact.relation == Relation::Eq;
            if let Some(equation) = candidates.iter().position(is_equation) {
                candidates = vec![candidates.swap_remove(equation)];
            }
            candidates.retain(|candidate| !general.contains(&candidate.fact));
            if guard.is_none() {
                general.extend(candidates.iter().map(|candidate| candidate.fact.clone()));
            }
            found.extend(candidates);
        }
        if let &[parameter] = parameters {
            let within = samples.iter().filter(|sample| {
                let argument = sample.arguments[0];
                let is_said = |candidate: &Candidate| candidate.gives(parameter.0, argument);
                (0..=most_argument).contains(&argument) && !found[first..].iter().any(is_said)
            });
            let table = within.map(|sample| point_fact(parameter, sample, output, number));
            let table: Vec<Candidate> = table.filter(|all| is_possible(all)).collect();
            found.extend(table);
        }
    }
    found
}

/// Fact that an output, which has this number, is that of a sample where the parameter is.
fn point_fact(
    parameter: (Atom, bool),
    sample: &Sample,
    output: &Output,
    number: usize,
) -> Candidate {
    let equation = |is_long, sum: Sum, value| Comparison {
        is_long,
        left: sum,
        relation: Relation::Eq,
        right: constant(value),
    };
    let (atom, is_long) = parameter;
    let guard = equation(is_long, vec![Summand::Plus(atom)], sample.arguments[0]);
    Candidate {
        guards: vec![guard],
        range: None,
        fact: equation(output.is_long, output.sum.clone(), sample.outputs[number]),
    }
}

impl Candidate {
    /// Whether it is an equation that holds where a parameter has this value.
    fn gives(&self, parameter: Atom, argument: i64) -> bool {
        let value = |atom| (atom == parameter).then_some(argument);
        let guards = |guard: &Comparison| guard.holds(&value) == Some(true);
        self.fact.relation == Relation::Eq && self.guards.iter().all(guards)
    }
}

/// Least number of samples for a guard; a single value has few.
fn guard_samples(guard: &Option<Guard>) -> usize {
    match guard {
        Some(guard) if guard.relation == Relation::Eq => 1,
        _ => MIN_SAMPLES,
    }
}

/// Comparison of a parameter with a constant.
struct Guard {
    parameter: usize,
    relation: Relation,
    /// Whether the constant is on the left.
    is_swapped: bool,
    constant: i64,
}

impl Guard {
    fn holds(&self, arguments: &[i64]) -> bool {
        let (left, right) = match self.is_swapped {
            true => (self.constant, arguments[self.parameter]),
            false => (arguments[self.parameter], self.constant),
        };
        self.relation.holds(left, right)
    }

    fn comparison(&self, parameters: &[(Atom, bool)]) -> Comparison {
        let (atom, is_long) = parameters[self.parameter];
        let (own, constant) = (vec![Summand::Plus(atom)], constant(self.constant));
        let (left, right) = match self.is_swapped {
            true => (constant, own),
            false => (own, constant),
        };
        Comparison {
            is_long,
            left,
            relation: self.relation,
            right,
        }
    }
}

/// No guard, then each value of parameters with few values, and each parameter compared with each
/// constant.
fn guards(
    parameters: &[(Atom, bool)],
    constants: &[i64],
    entry: &[Candidate],
) -> Vec<Option<Guard>> {
    let mut guards = vec![None];
    for (parameter, &(atom, is_long)) in parameters.iter().enumerate() {
        let few = (0..=most_of(entry, atom, MAX_POINT).unwrap_or(-1)).filter(|point| {
            let mut constants = fitting(constants, is_long);
            constants.all(|constant| constant != *point)
        });
        guards.extend(few.map(|constant| {
            Some(Guard {
                parameter,
                relation: Relation::Eq,
                is_swapped: false,
                constant,
            })
        }));
    }
    for (parameter, &(_, is_long)) in parameters.iter().enumerate() {
        for constant in fitting(constants, is_long) {
            for (relation, is_swapped) in [
                (Relation::Le, false),
                (Relation::Lt, true),
                (Relation::Lt, false),
                (Relation::Le, true),
                (Relation::Eq, false),
            ] {
                guards.push(Some(Guard {
                    parameter,
                    relation,
                    is_swapped,
                    constant,
                }));
            }
        }
    }
    guards
}

/// Value that an output may differ from by a constant.
struct Expression {
    sum: Sum,
    kind: ExpressionKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExpressionKind {
    Zero,
    Linear,
    Power,
    Nonlinear,
}

fn expressions(parameters: &[(Atom, bool)], constants: &[i64], is_long: bool) -> Vec<Expression> {
    use Summand::{Minus, NegatedRemainder, Plus, Power, Product, Remainder};
    let same = parameters.iter().filter(|parameter| parameter.1 == is_long);
    let atoms: Vec<Atom> = same.map(|&(atom, _)| atom).collect();
    let mut sums = vec![Vec::new()];
    for (place, &first) in atoms.iter().enumerate() {
        sums.extend([vec![Plus(first)], vec![Minus(first)]]);
        if !is_long {
            sums.extend((0..=MAX_OFFSET).map(|offset| vec![Power(first, offset)]));
        }
        for divisor in divisors(constants, is_long) {
            sums.push(vec![Remainder(first, divisor)]);
            sums.push(vec![NegatedRemainder(first, divisor)]);
        }
        for &second in &atoms[place..] {
            sums.push(vec![Plus(first), Plus(second)]);
            sums.push(vec![Product(first, second)]);
            if first != second {
                sums.push(vec![Plus(first), Minus(second)]);
                sums.push(vec![Plus(second), Minus(first)]);
            }
        }
    }
    let is_nonlinear = |summand: &Summand| !matches!(summand, Plus(_) | Minus(_));
    let expressions = sums.into_iter().map(|sum| Expression {
        kind: match &sum[..] {
            [] => ExpressionKind::Zero,
            [Power(..)] => ExpressionKind::Power,
            sum if sum.iter().any(is_nonlinear) => ExpressionKind::Nonlinear,
            _ => ExpressionKind::Linear,
        },
        sum,
    });
    expressions.collect()
}

impl Expression {
    /// Whether it depends on a value.
    fn has(&self, atom: Atom) -> bool {
        use Summand::{Constant, Minus, NegatedRemainder, Null, Plus, Power, Product, Remainder};
        self.sum.iter().any(|&summand| match summand {
            Plus(own) | Minus(own) | Power(own, _) => own == atom,
            Remainder(own, _) | NegatedRemainder(own, _) => own == atom,
            Product(first, second) => first == atom || second == atom,
            Constant(_) | Null => false,
        })
    }

    /// Conditions under which a power of two is one, with an exponent that some of these samples have
    /// or a larger one.
    fn domain(&self, samples: &[&Sample], parameters: &[(Atom, bool)]) -> Option<[Comparison; 2]> {
        let &[Summand::Power(atom, offset)] = &self.sum[..] else {
            return None;
        };
        let comparison = |left, right| Comparison {
            is_long: false,
            left,
            relation: Relation::Le,
            right,
        };
        let exponent = || vec![Summand::Plus(atom)];
        let exponents = samples.iter();
        let exponents = exponents.filter_map(|sample| sample.argument(parameters, atom));
        let least = exponents.filter(|&exponent| exponent >= -offset).min()?;
        let (least, most) = (constant(least), constant(31 - offset));
        Some([comparison(least, exponent()), comparison(exponent(), most)])
    }

    /// Facts about the difference of an output, which has this number, and the expression.
    fn facts(
        &self,
        samples: &[&Sample],
        parameters: &[(Atom, bool)],
        output: &Output,
        number: usize,
        is_guarded: bool,
    ) -> Vec<Comparison> {
        let difference = |sample: &&Sample| {
            let value = |atom| sample.argument(parameters, atom);
            let value = sum_of(&self.sum, output.is_long, &value).unwrap_or_default();
            let difference = sample.outputs[number].wrapping_sub(value);
            match output.is_long {
                true => difference,
                false => i64::from(difference as i32),
            }
        };
        let differences = || samples.iter().map(difference);
        let (Some(least), Some(most)) = (differences().min(), differences().max()) else {
            return Vec::new();
        };
        let sum = |offset: i64| {
            let mut sum = self.sum.clone();
            sum.extend(constant(offset));
            sum
        };
        let comparison = |left: Sum, relation, right: Sum| Comparison {
            is_long: output.is_long,
            left,
            relation,
            right,
        };
        let own = || output.sum.clone();
        if least == most {
            return vec![comparison(own(), Relation::Eq, sum(least))];
        }
        let is_value = matches!(self.sum[..], [] | [Summand::Plus(_)]);
        if !is_value || is_guarded && !self.sum.is_empty() {
            return Vec::new();
        }
        let mut bounds = Vec::new();
        let has_rounder = self.sum.is_empty() && !is_guarded;
        let rounder = [-1, 0, 1].into_iter().filter(|_| has_rounder);
        for bound in rounder
            .clone()
            .chain([least])
            .filter(|&bound| bound <= least)
        {
            bounds.push(comparison(sum(bound), Relation::Le, own()));
        }
        for bound in rounder.chain([most]).filter(|&bound| bound >= most) {
            bounds.push(comparison(own(), Relation::Le, sum(bound)));
        }
        bounds.dedup();
        bounds
    }
}
