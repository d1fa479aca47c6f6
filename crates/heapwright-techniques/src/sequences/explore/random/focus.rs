//! Focus on an open side of a branch: the operands of a run tell how far it was from taking the
//! side (Korel, "Automated Software Test Data Generation", 1990), and which values of the input
//! they may come from (Aschermann et al., "REDQUEEN", NDSS 2019).

use heapwright_explore::symbolic::NotedOperands;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{
    BranchCondition, ListedMember, ListedOperation, Listing, SignedComparison,
};
use heapwright_jvm::{Exit, MethodId, Ref, Vm};

use super::numbers::Random;
use crate::observe;
use crate::sequences::goals::{Goal, GoalTable};
use crate::sequences::model::Concrete;
use crate::symbolic::{Contents, InputValue};

/// An open side of a branch.
pub(super) struct Focus {
    /// The probe before the branch.
    pub point: u32,
    side: Side,
}

/// The operands that take a side.
enum Side {
    /// Those that compare like this; the second is 0 if the branch has only one.
    Compares(SignedComparison),
    /// These keys of a switch.
    Keys(Vec<i64>),
    /// An object that is asked whether it is empty is empty (`true`), or is not.
    Empty(bool, SizedVariable),
}

/// Variable with an object of which the number of elements is known.
#[derive(Clone, Copy)]
struct SizedVariable {
    /// Its first word.
    word: u16,
    /// The method that returns the number.
    size: MethodId,
}

/// Maximum number of instructions of a method that returns a number of elements.
const SIZE_STEPS: u64 = 1_000;

/// Operands of a run at a branch, those nearest to the side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operands {
    /// Distance to operands that take the side.
    pub distance: u64,
    first: i64,
    second: i64,
}

impl Focus {
    /// Returns the focus on an open goal at a probe; `None` if its operands tell no distance.
    pub fn on(vm: &mut Vm, goals: &GoalTable, point: u32, goal: Goal) -> Option<Focus> {
        let Goal::Branch(method, at, to, _) = goal else {
            return None;
        };
        let listing = goals.listings.get(&method)?;
        let side = Side::of(vm, listing, listing.place(at)?, to)?;
        Some(Focus { point, side })
    }

    /// Returns what runs have to note.
    pub fn noted(&self) -> NotedOperands {
        let variable = match &self.side {
            Side::Empty(_, variable) => Some(variable.word),
            _ => None,
        };
        let point = self.point;
        NotedOperands { point, variable }
    }

    /// Returns operands with their distance; the last slot is the noted variable's. An object is
    /// asked at the end of the run for its number of elements.
    pub fn operands(&self, vm: &mut Vm, [first, second, variable]: [u64; 3]) -> Operands {
        let [mut first, mut second] = [first, second].map(|slot| i64::from(slot as u32 as i32));
        let distance = match &self.side {
            Side::Compares(comparison) => distance(*comparison, first, second),
            Side::Empty(is_empty, sized) => {
                if let Some(size) = sized.size(vm, Ref::from_slot(variable)) {
                    (first, second) = (size, 0);
                }
                match is_empty {
                    true => distance(SignedComparison::Eq, first, 0),
                    false => distance(SignedComparison::Ne, first, 0),
                }
            }
            Side::Keys(keys) => {
                let distances = keys.iter().map(|key| key.abs_diff(first));
                distances.min().unwrap_or(u64::MAX)
            }
        };
        Operands {
            distance,
            first,
            second,
        }
    }

    /// Returns the sequence with an operand replaced where its values have it, so that a run like
    /// the last one takes the side; `None` if they do not have it.
    pub fn replaced(
        &self,
        random: &mut Random,
        concrete: &Concrete,
        operands: Operands,
    ) -> Option<Concrete> {
        let near = |number: i64, random: &mut Random| number + random.below(3) as i64 - 1;
        let (from, to) = match &self.side {
            Side::Compares(_) | Side::Empty(..) if random.is_likely(50) => {
                (operands.first, near(operands.second, random))
            }
            Side::Compares(_) | Side::Empty(..) => (operands.second, near(operands.first, random)),
            Side::Keys(keys) => (operands.first, *random.pick(keys)?),
        };
        let mut places = Vec::new();
        for (number, (_, value)) in concrete.input.roots.iter().enumerate() {
            if is(value, from) {
                places.push(Place::Root(number));
            }
        }
        for (object, made) in concrete.input.objects.iter().enumerate() {
            match &made.contents {
                Contents::Text(units) => {
                    let equal = units.iter().enumerate();
                    let equal = equal.filter(|(_, unit)| i64::from(**unit) == from);
                    places.extend(equal.map(|(place, _)| Place::Part(object, place)));
                    if units.len() as i64 == from {
                        places.push(Place::Length(object));
                    }
                }
                Contents::Elements(elements) => {
                    let equal = elements.iter().enumerate();
                    let equal = equal.filter(|(_, element)| is(element, from));
                    places.extend(equal.map(|(place, _)| Place::Part(object, place)));
                    if elements.len() as i64 == from {
                        places.push(Place::Length(object));
                    }
                }
                Contents::Fields(fields) => {
                    let equal = fields.iter().enumerate();
                    let equal = equal.filter(|(_, field)| is(&field.2, from));
                    places.extend(equal.map(|(place, _)| Place::Part(object, place)));
                }
            }
        }
        let place = random.pick(&places)?;
        let mut replaced = concrete.clone();
        set(&mut replaced, *place, to).then_some(replaced)
    }
}

/// A place in an input.
#[derive(Clone, Copy)]
enum Place {
    Root(usize),
    /// A character, an element or a field of an object.
    Part(usize, usize),
    /// The length of a string or an array.
    Length(usize),
}

/// Maximum length of a string or an array that is made as long as an operand.
const LENGTH: i64 = 64;

/// Whether a value is an integer.
fn is(value: &InputValue, number: i64) -> bool {
    match value {
        InputValue::Primitive(Kind::Long, slot) => *slot as i64 == number,
        InputValue::Primitive(Kind::Float | Kind::Double | Kind::Boolean, _) => false,
        InputValue::Primitive(_, slot) => i64::from(*slot as u32 as i32) == number,
        _ => false,
    }
}

/// Replaces an integer by another one.
fn assign(value: &mut InputValue, number: i64) {
    if let InputValue::Primitive(kind, slot) = value {
        *slot = kind.narrowed(number);
    }
}

/// Replaces an integer, a character or a length; returns whether that is possible.
fn set(concrete: &mut Concrete, place: Place, number: i64) -> bool {
    let objects = &mut concrete.input.objects;
    match place {
        Place::Root(root) => assign(&mut concrete.input.roots[root].1, number),
        Place::Part(object, part) => match &mut objects[object].contents {
            Contents::Text(units) => units[part] = number as u16,
            Contents::Elements(elements) => assign(&mut elements[part], number),
            Contents::Fields(fields) => assign(&mut fields[part].2, number),
        },
        Place::Length(object) => {
            if !(0..=LENGTH).contains(&number) {
                return false;
            }
            let length = number as usize;
            match &mut objects[object].contents {
                Contents::Text(units) => {
                    let last = units.last().copied().unwrap_or(u16::from(b'a'));
                    units.resize(length, last);
                }
                Contents::Elements(elements) => {
                    let last = elements.last().cloned();
                    let Some(last) = last.or((length == 0).then_some(InputValue::Null)) else {
                        return false;
                    };
                    elements.resize(length, last);
                }
                Contents::Fields(_) => return false,
            }
        }
    }
    true
}

impl Side {
    /// Returns the side of the branch at a place that leads to a bytecode index.
    fn of(vm: &mut Vm, listing: &Listing, place: usize, to: u16) -> Option<Side> {
        match &listing.instructions[place].step {
            ListedOperation::Branch(
                BranchCondition::Compare(comparison) | BranchCondition::WithZero(comparison),
                target,
            ) => {
                let comparison = match *target == to {
                    true => *comparison,
                    false => comparison.negated(),
                };
                let is_empty = comparison == SignedComparison::Ne;
                Some(match SizedVariable::asked(vm, listing, place) {
                    Some(variable) => Side::Empty(is_empty, variable),
                    None => Side::Compares(comparison),
                })
            }
            ListedOperation::Switch(switch) => {
                let keys = switch.pairs.iter().filter(|pair| pair.1 == to);
                let keys: Vec<i64> = keys.map(|pair| pair.0.into()).collect();
                (!keys.is_empty()).then_some(Side::Keys(keys))
            }
            _ => None,
        }
    }
}

impl SizedVariable {
    /// Returns the variable with the object that is asked right before a branch whether it is empty.
    fn asked(vm: &mut Vm, listing: &Listing, place: usize) -> Option<SizedVariable> {
        let [load, call] = listing.instructions.get(place.checked_sub(2)?..place)? else {
            return None;
        };
        let (&ListedOperation::Load(Kind::Reference, word), ListedOperation::Invoke(_, member)) =
            (&load.step, &call.step)
        else {
            return None;
        };
        if member.name != "isEmpty" || member.descriptor != "()Z" {
            return None;
        }
        let mut named = |name: &str| {
            vm.named_method(&ListedMember {
                class: member.class.clone(),
                name: name.to_owned(),
                descriptor: "()I".to_owned(),
            })
        };
        let size = named("size").or_else(|| named("length"))?;
        Some(SizedVariable { word, size })
    }

    /// Returns the number of elements of an object; `None` if it cannot be asked.
    fn size(self, vm: &mut Vm, object: Ref) -> Option<i64> {
        if object.is_null() {
            return None;
        }
        let size = vm.select(vm.heap.class_of(object), self.size)?;
        vm.with_mark(
            |vm| match observe::exit(vm, size, &[object.slot()], SIZE_STEPS) {
                Exit::Done(slot) => Some(i64::from(slot as u32 as i32)),
                _ => {
                    vm.abandon();
                    None
                }
            },
        )
    }
}

/// Returns the distance of two numbers to some that compare in a way.
fn distance(comparison: SignedComparison, a: i64, b: i64) -> u64 {
    // Distances of `a` to the numbers up to `b`, and from `b` on.
    let above = |a: i64, b: i64| (a - b).max(0) as u64;
    match comparison {
        SignedComparison::Eq => a.abs_diff(b),
        SignedComparison::Ne => u64::from(a == b),
        SignedComparison::Lt => above(a, b - 1),
        SignedComparison::Le => above(a, b),
        SignedComparison::Gt => above(b, a - 1),
        SignedComparison::Ge => above(b, a),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_that_to_the_next_numbers_that_compare_so() {
        let all = [
            SignedComparison::Eq,
            SignedComparison::Ne,
            SignedComparison::Lt,
            SignedComparison::Le,
            SignedComparison::Gt,
            SignedComparison::Ge,
        ];
        let holds = |comparison, a: i64, b: i64| match comparison {
            SignedComparison::Eq => a == b,
            SignedComparison::Ne => a != b,
            SignedComparison::Lt => a < b,
            SignedComparison::Le => a <= b,
            SignedComparison::Gt => a > b,
            SignedComparison::Ge => a >= b,
        };
        for comparison in all {
            for (a, b) in (-4..4).flat_map(|a| (-4..4).map(move |b| (a, b))) {
                let steps = (0..20).find(|&steps| {
                    holds(comparison, a + steps, b) || holds(comparison, a - steps, b)
                });
                let wanted = steps.unwrap_or_default() as u64;
                assert_eq!(distance(comparison, a, b), wanted, "{comparison:?} {a} {b}");
            }
        }
    }
}
