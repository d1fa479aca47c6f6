//! Values that a user gives, as values of inputs.

use super::numbers::Random;
use super::values::OpenParameter;
use crate::sequences::plan::GivenValue;
use crate::symbolic::{Contents, InputValue, RunInput};

/// Share of a user's values in usual cases, in percent, and of those that a sequence has already.
const USUAL: usize = 90;
const AGAIN: usize = 50;

impl<'p> OpenParameter<'p> {
    /// Returns one of a user's values in a share of the cases, in percent; never where there are none.
    pub fn pick_given(&self, random: &mut Random, share: usize) -> Option<&'p GivenValue> {
        if self.given.is_empty() || !random.is_likely(share) {
            return None;
        }
        random.pick(self.given)
    }

    /// Returns one of a user's values for a usual case, one that the input does not have if there is such:
    /// different ones show which of two was used.
    pub fn pick_usual(&self, random: &mut Random, input: &RunInput) -> Option<&'p GivenValue> {
        if self.given.is_empty() {
            return None;
        }
        let roots = input.roots.iter();
        let used: Vec<GivenValue> = roots
            .filter_map(|(_, root)| GivenValue::of(root, input))
            .collect();
        let is_free = |value: &&GivenValue| !used.contains(value);
        let free: Vec<&GivenValue> = self.given.iter().filter(is_free).collect();
        match random.pick(&free) {
            Some(&free) => Some(free).filter(|_| random.is_likely(USUAL)),
            None => self.pick_given(random, AGAIN),
        }
    }
}

/// Replaces a value of an input by a user's value of its type.
pub(super) fn set_given(value: &mut InputValue, input: &mut RunInput, given: &GivenValue) {
    match (value, given) {
        (InputValue::Primitive(_, slot), GivenValue::Slot(given)) => *slot = *given,
        (InputValue::Object(place), given) => {
            // Others may share the object.
            let mut object = input.objects[*place].clone();
            match (&mut object.contents, given) {
                (Contents::Text(units), GivenValue::Text(given)) => units.clone_from(given),
                (Contents::Fields(fields), GivenValue::Slot(given)) => {
                    if let [(.., InputValue::Primitive(_, slot))] = &mut fields[..] {
                        *slot = *given;
                    }
                }
                _ => return,
            }
            *place = input.objects.len();
            input.objects.push(object);
        }
        _ => {}
    }
}
