//! Arrays of objects: their initial elements, and the stores worth trying.
//!
//! A short array is created with its elements. A longer one is created empty, or from one object
//! per element, and then filled in index order before its first use. A test writes both forms in
//! the same way.

use super::search_plan::SearchPlan;
use crate::arguments::combinations;
use crate::sequences::model::Concrete;
use crate::statements::{Statement, StatementArgument, StatementKind};

/// Maximum number of initial elements of an array of objects. Longer arrays are created empty and
/// filled by stores.
const MAX_INITIAL: usize = 2;

impl SearchPlan {
    /// Returns the element lists of the arrays that can be created from the choices for one element
    /// and from `parts` components. If there are more components than a short array has elements,
    /// each contributes one object.
    pub(in crate::sequences) fn arrays(
        &self,
        choices: &[Vec<StatementArgument>],
        parts: usize,
    ) -> Vec<Vec<StatementArgument>> {
        let Some(element) = choices.first() else {
            return Vec::new();
        };
        if parts > MAX_INITIAL {
            let objects = element.iter().copied();
            let objects = objects.filter(|element| matches!(element, StatementArgument::Result(_)));
            let objects: Vec<StatementArgument> = objects.collect();
            return if objects.len() == parts {
                vec![objects]
            } else {
                Vec::new()
            };
        }
        let short = 0..=MAX_INITIAL.min(self.max_elements);
        let mut arrays = Vec::new();
        for length in short {
            let elements = vec![element.clone(); length];
            arrays.extend(combinations(&elements));
        }
        if element.contains(&StatementArgument::Null) {
            let long = MAX_INITIAL + 1..=self.max_elements;
            arrays.extend(long.map(|length| vec![StatementArgument::Null; length]));
        }
        arrays
    }

    /// Returns the maximum number of objects in an array.
    pub(in crate::sequences) fn max_in_array(&self) -> usize {
        let mut all = self.invokables.iter();
        let has_arrays = all.any(|invokable| matches!(invokable.kind, StatementKind::NewArray(_)));
        if has_arrays && self.setup.is_none() {
            self.max_elements
        } else {
            0
        }
    }

    /// Whether an array with these elements uses all earlier arrays that are still unused. Two
    /// unused arrays with the same objects would usually be wasted.
    pub(in crate::sequences) fn leaves_no_array(
        &self,
        elements: &[StatementArgument],
        before: &[Statement],
    ) -> bool {
        let arrays = before.iter().enumerate().filter(|(_, statement)| {
            matches!(
                self.invokables[statement.invokable].kind,
                StatementKind::NewArray(_)
            )
        });
        let is_taken = |place: usize| {
            let later = before[place + 1..].iter();
            let mut later = later.filter(|statement| self.stored(statement, place).is_none());
            elements.contains(&StatementArgument::Result(place))
                || later.any(|statement| statement.takes(place))
        };
        arrays.into_iter().all(|(place, _)| is_taken(place))
    }

    /// Returns the stores that may follow some statements: of objects, into arrays created there.
    /// Stores that another store or initial element duplicates are omitted.
    pub(in crate::sequences) fn stores(
        &self,
        choices: &[Vec<StatementArgument>],
        before: &[Statement],
    ) -> Vec<Vec<StatementArgument>> {
        let [arrays, elements] = choices else {
            return Vec::new();
        };
        let mut stores = Vec::new();
        for &array in arrays {
            let StatementArgument::Result(place) = array else {
                continue;
            };
            let made = before.get(place).map(|made| {
                let what = &self.invokables[made.invokable].kind;
                (what, made.arguments.len())
            });
            let Some((StatementKind::NewArray(_), length)) = made else {
                continue;
            };
            let objects = elements.iter().filter(|element| {
                matches!(element, StatementArgument::Result(_)) && **element != array
            });
            for &element in objects {
                let free = self.free(before, place, length);
                stores.extend(
                    free.map(|index| vec![array, element, StatementArgument::Index(index)]),
                );
            }
        }
        stores
    }

    /// Returns the indices of an array at which a store has a new effect.
    fn free(&self, before: &[Statement], array: usize, length: usize) -> std::ops::Range<u32> {
        let length = length as u32;
        let takes = before.iter().filter(|statement| statement.takes(array));
        let mut stores = takes
            .clone()
            .filter_map(|statement| self.stored(statement, array));
        let is_seen = takes.count() > stores.clone().count();
        let newest = before.last().and_then(|last| self.stored(last, array));
        match (is_seen, newest.or(stores.next_back())) {
            // No statement has read the stored elements, so lower indices would only reorder
            // stores.
            (true, _) => newest.map_or(0, |index| index + 1)..length,
            (false, Some(index)) => index + 1..length,
            (false, None) if length as usize <= MAX_INITIAL => length..length,
            (false, None) => 0..length,
        }
    }

    /// Returns the index at which a statement stores in an array; `None` if it does anything else.
    fn stored(&self, statement: &Statement, array: usize) -> Option<u32> {
        match (
            &self.invokables[statement.invokable].kind,
            &statement.arguments[..],
        ) {
            (
                StatementKind::StoreElement(_),
                &[
                    StatementArgument::Result(into),
                    element,
                    StatementArgument::Index(index),
                ],
            ) => (into == array && element != StatementArgument::Result(array)).then_some(index),
            _ => None,
        }
    }
}

impl Concrete {
    /// Returns the sequence with arrays created from the elements stored in them before their first
    /// use.
    #[must_use]
    pub fn with_filled_arrays(mut self, plan: &SearchPlan) -> Concrete {
        let mut array = 0;
        while array < self.statements.len() {
            if !self.fill_array(plan, array) {
                array += 1;
            }
        }
        self
    }

    /// Moves an array's creation to the last of its stores; returns whether there was one.
    fn fill_array(&mut self, plan: &SearchPlan, array: usize) -> bool {
        let made = &self.statements[array];
        let is_value = |argument: &StatementArgument| {
            matches!(
                argument,
                StatementArgument::Open | StatementArgument::Repeated(_)
            )
        };
        let is_array = matches!(
            plan.invokables[made.invokable].kind,
            StatementKind::NewArray(_)
        );
        if !is_array || made.arguments.iter().any(is_value) {
            return false;
        }
        let mut filled = made.clone();
        let mut stores = Vec::new();
        for (place, statement) in self.statements.iter().enumerate().skip(array + 1) {
            if !statement.takes(array) {
                continue;
            }
            let index = plan
                .stored(statement, array)
                .filter(|_| !is_value(&statement.arguments[1]));
            let Some(index) = index else {
                break;
            };
            let Some(element) = filled.arguments.get_mut(index as usize) else {
                break;
            };
            *element = statement.arguments[1];
            stores.push(place);
        }
        let Some(last) = stores.pop() else {
            return false;
        };
        self.statements[last] = filled;
        // New positions of the statements.
        let gone = |place: usize| place == array || stores.contains(&place);
        let mut places: Vec<usize> = Vec::new();
        let mut next = 0;
        for place in 0..self.statements.len() {
            places.push(next);
            next += usize::from(!gone(place));
        }
        places[array] = places[last];
        let mut place = 0;
        self.statements.retain(|_| {
            place += 1;
            !gone(place - 1)
        });
        for argument in self
            .statements
            .iter_mut()
            .flat_map(|statement| &mut statement.arguments)
        {
            if let StatementArgument::Result(place) = argument {
                *place = places[*place];
            }
        }
        true
    }
}
