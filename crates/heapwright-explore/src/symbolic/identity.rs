//! Identity of strings and boxes that are inputs. Two of them may be one object, and each may be a
//! literal, a cached box or another object that existed before the run.
//!
//! An input of such a class is an object of its own. Whether it is the same as another one is a
//! variable, which a path has once code of the program compares the two. Invariant: objects that are
//! the same on a path have the same contents, and sameness is transitive.

use heapwright_jvm::Ref;
use heapwright_jvm::descriptor::{CACHED_BOXES, Kind};
use heapwright_jvm::machine::{ConditionTruth, is_symbolic};
use heapwright_solve::smt::{Assignment, Binary, Term};

use super::SymbolicSearch;
use super::machine::SymbolicMachine;
use super::names::Name;

/// String or box that is an input.
#[derive(Clone, Debug)]
pub(super) struct GivenValue {
    object: Ref,
    name: Name,
    /// The value of a box; the length and the characters of a string.
    contents: Vec<u64>,
}

/// Condition that two objects are the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Identity {
    objects: [Ref; 2],
    is_same: Term,
}

impl SymbolicMachine {
    /// Records a string or a box that is an input, with its initial contents.
    pub(super) fn give(&mut self, object: Ref, name: Name, contents: Vec<u64>) {
        self.given.push(GivenValue {
            object,
            name,
            contents,
        });
    }

    /// Whether an object is such an input.
    pub(super) fn is_given(&self, object: Ref) -> bool {
        self.given_value(object).is_some()
    }

    fn given_value(&self, object: Ref) -> Option<&GivenValue> {
        self.given.iter().find(|given| given.object == object)
    }

    /// Whether two objects, one of them given, are the same. `other` has the contents of the second,
    /// of this kind, if it is not given; a cached one has a number that is cached.
    pub(super) fn same_value(
        &mut self,
        kind: Kind,
        objects: [Ref; 2],
        other: Option<&[u64]>,
        is_cached: bool,
    ) -> ConditionTruth {
        let [a, b] = objects;
        let mut known = self.identities.iter();
        let known = known.find(|one| one.objects == [a, b] || one.objects == [b, a]);
        let is_same = match known {
            Some(known) => known.is_same,
            None => {
                let is_same = self.new_identity(objects, other);
                self.require_equal(kind, (is_same, objects), other, is_cached);
                self.relate(Identity { objects, is_same });
                is_same
            }
        };
        self.ask(is_same)
    }

    fn new_identity(&mut self, [a, b]: [Ref; 2], other: Option<&[u64]>) -> Term {
        let name = |object: Ref| {
            let given = self.given_value(object);
            given.map_or_else(|| shown(other), |given| given.name.to_string())
        };
        let name = format!("({} == {})", name(a), name(b));
        let slot = self.variable(name.into(), Kind::Boolean);
        let variable = self.term(slot, Kind::Int);
        let zero = self.pool.int(0);
        let differ = self.pool.binary(Binary::Eq, variable, zero);
        debug_assert!(a != b && !a.is_null() && !b.is_null());
        self.pool.not(differ)
    }

    /// Adds to the path that objects have equal contents if they are the same.
    fn require_equal(
        &mut self,
        kind: Kind,
        (is_same, objects): (Term, [Ref; 2]),
        other: Option<&[u64]>,
        is_cached: bool,
    ) {
        let contents = objects.map(|object| {
            let given = self.given_value(object);
            let contents = given.map(|given| &given.contents[..]).or(other);
            contents.unwrap_or_default().to_vec()
        });
        let [a, b] = contents.map(|slots| {
            let terms = slots.into_iter().map(|slot| self.term(slot, kind));
            terms.collect::<Vec<Term>>()
        });
        let [Some(&first), Some(&second)] = [a.first(), b.first()] else {
            return;
        };
        let mut equal = self.pool.binary(Binary::Same, first, second);
        // Characters past the length do not count.
        for (place, (&left, &right)) in (0..).zip(a[1..].iter().zip(&b[1..])) {
            let place = self.pool.int(place);
            let is_past = self.pool.binary(Binary::Le, first, place);
            let is_equal = self.pool.binary(Binary::Eq, left, right);
            let either = self.pool.binary(Binary::Or, is_past, is_equal);
            equal = self.pool.binary(Binary::And, equal, either);
        }
        if is_cached {
            let mut number = |value: i64| match kind {
                Kind::Long => self.pool.long(value),
                _ => self.pool.int(value as i32),
            };
            let (least, greatest) = (number(*CACHED_BOXES.start()), number(*CACHED_BOXES.end()));
            for (low, high) in [(least, first), (first, greatest)] {
                let within = self.pool.binary(Binary::Le, low, high);
                equal = self.pool.binary(Binary::And, equal, within);
            }
        }
        self.require_if(is_same, equal);
    }

    fn require_if(&mut self, condition: Term, then: Term) {
        let fails = self.pool.not(condition);
        let holds = self.pool.binary(Binary::Or, fails, then);
        self.require(holds);
    }

    /// Adds to the path that sameness is transitive, and that no object is two of others.
    fn relate(&mut self, new: Identity) {
        let third = |one: &Identity, shared: Ref| match one.objects {
            [a, b] if a == shared => Some(b),
            [a, b] if b == shared => Some(a),
            _ => None,
        };
        let [a, b] = new.objects;
        for known in self.identities.clone() {
            for (shared, other) in [(a, b), (b, a)] {
                let Some(end) = third(&known, shared) else {
                    continue;
                };
                let mut across = self.identities.iter();
                let across = across.find(|one| third(one, other) == Some(end)).copied();
                let [first, second] = [new.is_same, known.is_same];
                if let Some(across) = across {
                    let sides = [first, second, across.is_same];
                    for (left, right, then) in [(0, 1, 2), (1, 2, 0), (0, 2, 1)] {
                        let both = self.pool.binary(Binary::And, sides[left], sides[right]);
                        self.require_if(both, sides[then]);
                    }
                } else if !self.is_given(end) && !self.is_given(other) {
                    let both = self.pool.binary(Binary::And, first, second);
                    let not_both = self.pool.not(both);
                    self.require(not_both);
                }
            }
        }
        self.identities.push(new);
    }
}

/// Text for an object that is no input, by its contents.
fn shown(contents: Option<&[u64]>) -> String {
    match contents {
        Some(&[value]) if !is_symbolic(value) => format!("the box of {}", value as i64),
        Some([length, units @ ..]) => {
            let units = units.iter().take(*length as usize);
            let units: Vec<u16> = units.map(|&unit| unit as u16).collect();
            format!("{:?}", String::from_utf16_lossy(&units))
        }
        _ => "another object".to_owned(),
    }
}

impl SymbolicSearch<'_> {
    /// Whether the path has a condition on which strings or boxes are the same object.
    #[must_use]
    pub fn has_identity_conditions(&self) -> bool {
        !self.machine.identities.is_empty()
    }

    /// Returns the input that an input is the same as on the path, under a model: the oldest one.
    #[must_use]
    pub fn same_input(&self, object: Ref, model: &Assignment) -> Ref {
        let machine = &self.machine;
        let holds = |one: &&Identity| self.pool().evaluate(one.is_same, model) == 1;
        let mut same = vec![object];
        let mut place = 0;
        while let Some(&object) = same.get(place) {
            place += 1;
            for one in machine.identities.iter().filter(holds) {
                let [a, b] = one.objects;
                for (from, to) in [(a, b), (b, a)] {
                    if from == object && !same.contains(&to) {
                        same.push(to);
                    }
                }
            }
        }
        let given = machine.given.iter().map(|given| given.object);
        let mut given = given.filter(|object| same.contains(object));
        given.next().unwrap_or(object)
    }
}
