//! Arguments of methods: for each parameter the values over which it ranges. Its declared type says
//! which objects those are, a pool of primitives and strings how many.

mod objects;
mod pool;
mod values;

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use heapwright_suite::{Literal, Value};

use crate::Error;
use crate::bounds::Bounds;
use crate::observe::is_overloaded;
use crate::read::{Snapshot, StructureReader};
use crate::signatures::{Signature, Type};
use crate::statements::is_object_value;
use crate::target::find_class;

pub use pool::ValuePool;
pub(crate) use values::{Mutable, ValueMaker};

/// A value of a parameter.
#[derive(Clone, Debug)]
pub struct Argument {
    /// Its form for the engine.
    pub slot: u64,
    /// Its form in a test.
    pub literal: Literal,
}

/// Whether a value stands for its type by chance of what a test can write: a lambda, a constant of a
/// class, or an object that a call makes. Its type has other objects, which no bound names.
pub(crate) fn is_sample(literal: &Literal) -> bool {
    matches!(
        literal,
        Literal::Lambda { .. }
            | Literal::Factory { .. }
            | Literal::StaticField { .. }
            | Literal::New(_)
    )
}

/// The range of a parameter.
#[derive(Clone, Debug)]
pub enum Parameter {
    /// These values; `wide` ones take two words.
    Values {
        /// The values, in order.
        arguments: Vec<Argument>,
        /// Whether the parameter is a `long` or a `double`.
        wide: bool,
    },
    /// Null, and all objects of the structure that are instances of a class.
    Objects {
        /// The class.
        class: ClassId,
        /// Further values, placed after null and before the objects.
        made: Vec<Argument>,
    },
}

impl Parameter {
    /// Returns the ranges of a method's parameters on structures of a class: null and the values of
    /// their types, or where objects of the structure may be arguments, these too. `ValueMaker` says
    /// which values types have.
    ///
    /// # Errors
    /// A parameter's class cannot be used.
    pub fn all_of(
        vm: &mut Vm,
        reader: &mut StructureReader,
        under_test: ClassId,
        method: MethodId,
        pool: &ValuePool,
    ) -> Result<Vec<Parameter>, Error> {
        let signature = Signature::of(vm, method);
        let is_overloaded = is_overloaded(vm, under_test, method);
        let mut values = ValueMaker {
            vm,
            reader,
            under_test,
            pool,
            variables: &signature.variables,
            is_overloaded,
        };
        let parameters = signature.parameters.iter();
        parameters
            .map(|declared| Parameter::of(&mut values, declared))
            .collect()
    }

    fn of(values: &mut ValueMaker<'_>, declared: &Type) -> Result<Parameter, Error> {
        let text = declared.erased(values.variables);
        let kind = Kind::of(&text);
        let (mut made, mutable) = values.values(declared)?;
        for mutable in mutable {
            made.push(Argument {
                slot: mutable.make(values.vm).map_err(Error::Bounds)?.slot(),
                literal: mutable.literal,
            });
        }
        if kind != Kind::Reference {
            return Ok(Parameter::Values {
                arguments: made,
                wide: kind.words() == 2,
            });
        }
        if !text.starts_with('[') && !is_object_value(values.vm, &text) {
            let class = find_class(values.vm, &descriptor::class_name(&text).replace('/', "."))?;
            let is_collection =
                |argument: &Argument| matches!(argument.literal, Literal::Held { .. });
            // Collections replace the objects of the structure, unless it is a collection itself.
            if !made.iter().any(is_collection) || values.vm.is_subclass(values.under_test, class) {
                return Ok(Parameter::Objects { class, made });
            }
        }
        Ok(Parameter::Values {
            arguments: std::iter::once(null()).chain(made).collect(),
            wide: false,
        })
    }

    /// Whether its type has objects besides its values, which no bound names.
    pub(crate) fn is_sampled(&self) -> bool {
        let (Parameter::Values {
            arguments: values, ..
        }
        | Parameter::Objects { made: values, .. }) = self;
        values.iter().any(|value| is_sample(&value.literal))
    }

    /// Returns the minimum number of values over all structures.
    pub(crate) fn least(&self) -> usize {
        match self {
            Parameter::Values { arguments, .. } => arguments.len(),
            Parameter::Objects { made, .. } => 1 + made.len(),
        }
    }

    /// Returns the maximum number of values over all structures within the bounds.
    pub(crate) fn most(&self, vm: &Vm, bounds: &Bounds) -> usize {
        let Parameter::Objects { class, .. } = self else {
            return self.least();
        };
        let classes = bounds.classes.iter();
        let classes = classes.filter(|bound| vm.is_subclass(bound.class, *class));
        let objects = classes.map(|bound| bound.count as usize).sum::<usize>();
        self.least() + objects
    }

    /// Returns the values of the parameter on a structure.
    fn values(&self, vm: &Vm, snapshot: &Snapshot) -> Vec<Argument> {
        match self {
            Parameter::Values { arguments, .. } => arguments.clone(),
            Parameter::Objects { class, made } => {
                let mut values = vec![null()];
                values.extend(made.iter().cloned());
                let is_made = |object: &Argument| made.iter().any(|one| one.slot == object.slot);
                let objects = objects_of(vm, snapshot, *class).into_iter();
                values.extend(objects.filter(|object| !is_made(object)));
                values
            }
        }
    }
}

/// Returns the values of each parameter on a structure.
pub(crate) fn ranges(vm: &Vm, parameters: &[Parameter], snapshot: &Snapshot) -> Vec<Vec<Argument>> {
    let parameters = parameters.iter();
    parameters
        .map(|parameter| parameter.values(vm, snapshot))
        .collect()
}

/// Returns all combinations of arguments if they are the same on every structure.
#[must_use]
pub fn fixed_tuples(parameters: &[Parameter]) -> Option<Vec<Vec<Argument>>> {
    let ranges: Option<Vec<Vec<Argument>>> = parameters
        .iter()
        .map(|parameter| match parameter {
            Parameter::Values { arguments, .. } => Some(arguments.clone()),
            Parameter::Objects { .. } => None,
        })
        .collect();
    ranges.map(|ranges| combinations(&ranges).collect())
}

/// Returns the number of combinations of values, saturating.
pub(crate) fn ways<T>(ranges: &[Vec<T>]) -> u64 {
    let sizes = ranges.iter().map(|range| range.len() as u64);
    sizes.fold(1, u64::saturating_mul)
}

/// Enumerates all combinations of values lazily, the last one varying fastest; there may be too
/// many for memory.
pub(crate) fn combinations<T: Clone>(ranges: &[Vec<T>]) -> impl Iterator<Item = Vec<T>> {
    let is_none = ranges.iter().any(Vec::is_empty);
    let mut next = (!is_none).then(|| vec![0; ranges.len()]);
    std::iter::from_fn(move || {
        let places = next.as_mut()?;
        let values = places.iter().zip(ranges);
        let tuple = values.map(|(&place, range)| range[place].clone()).collect();
        let mut counters = places.iter_mut().zip(ranges).rev();
        let has_next = counters.any(|(place, range)| {
            *place = (*place + 1) % range.len();
            *place > 0
        });
        if !has_next {
            next = None;
        }
        Some(tuple)
    })
}

/// Returns the slots of a call on `receiver`.
#[must_use]
pub fn slots(receiver: Ref, parameters: &[Parameter], arguments: &[Argument]) -> Vec<u64> {
    let mut slots = vec![receiver.slot()];
    for (argument, parameter) in arguments.iter().zip(parameters) {
        slots.push(argument.slot);
        if matches!(parameter, Parameter::Values { wide: true, .. }) {
            slots.push(0);
        }
    }
    slots
}

/// Returns the argument null.
pub(crate) fn null() -> Argument {
    Argument {
        slot: 0,
        literal: Literal::Value(Value::Null),
    }
}

fn objects_of(vm: &Vm, snapshot: &Snapshot, class: ClassId) -> Vec<Argument> {
    let mut found: Vec<(usize, Ref)> = snapshot
        .numbers
        .iter()
        .filter(|(object, _)| vm.is_subclass(vm.heap.class_of(**object), class))
        .map(|(&object, &number)| (number, object))
        .collect();
    found.sort_unstable_by_key(|&(number, _)| number);
    let objects = found.into_iter().map(|(number, object)| Argument {
        slot: object.slot(),
        literal: Literal::Value(Value::Ref(number)),
    });
    objects.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn combinations_are_numbers_with_a_digit_a_range() {
        let ranges = [vec![0, 1], vec![0, 1, 2], vec![0], vec![0, 1, 2, 3]];
        let all: Vec<Vec<u32>> = combinations(&ranges).collect();
        assert_eq!(all.len() as u64, ways(&ranges));
        for (number, tuple) in (0..).zip(&all) {
            let digits = tuple.iter().zip(&ranges);
            let value = digits.fold(0, |value, (digit, range)| {
                value * range.len() as u32 + digit
            });
            assert_eq!(value, number, "{tuple:?}");
        }
        assert_eq!(
            combinations::<u32>(&[]).collect::<Vec<_>>(),
            [Vec::<u32>::new()]
        );
        assert_eq!(combinations(&[vec![1], Vec::new()]).next(), None);
        let endless = vec![vec![0, 1]; 80];
        assert_eq!(ways(&endless), u64::MAX);
        assert_eq!(
            combinations(&endless)
                .nth(2)
                .map(|tuple| tuple[77..].to_vec()),
            Some(vec![0, 1, 0])
        );
    }
}
