//! Values of arguments that are not structures.

use std::collections::BTreeSet;

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Ref, Vm};
use heapwright_suite::{Literal, Value};
use rustc_hash::FxHashMap;

use super::constants;
use crate::Error;
use crate::arguments::{Mutable, ValueMaker, ValuePool, is_sample};
use crate::findings::is_null;
use crate::read::{StructureReader, value};
use crate::signatures::{Type, Variables};
use crate::target::find_class;

/// Values of arguments, by type.
#[derive(Clone, Debug)]
pub struct ArgumentValues {
    /// `byte`, `short` and `int`, where in range.
    pub ints: Vec<i32>,
    /// `long`.
    pub longs: Vec<i64>,
    /// `char`, as UTF-16 units.
    pub chars: Vec<u16>,
    /// `boolean`.
    pub booleans: Vec<bool>,
    /// `float`.
    pub floats: Vec<f32>,
    /// `double`.
    pub doubles: Vec<f64>,
    /// `String`.
    pub strings: Vec<String>,
    /// Whether references include null.
    pub null: bool,
    /// Type arguments by name of the type variable: the name of a box, `String`, or an enum.
    /// `Integer` is the default.
    pub type_arguments: Vec<(String, String)>,
    /// Constants by parameter type, both by binary name. A constant is a static final field, as
    /// `a.B.FIELD`; constants replace all other values but null.
    pub constants: Vec<(String, Vec<String>)>,
}

impl ArgumentValues {
    /// Creates the values up to a scope N: the integers 0 to N-1, N letters, three strings, no
    /// null.
    #[must_use]
    pub fn up_to(scope: u32) -> ArgumentValues {
        let ints: Vec<i32> = (0..scope as i32).collect();
        ArgumentValues {
            longs: ints.iter().copied().map(i64::from).collect(),
            chars: (u16::from(b'a')..).take(scope as usize).collect(),
            booleans: vec![false, true],
            floats: ints.iter().map(|&int| int as f32).collect(),
            doubles: ints.iter().copied().map(f64::from).collect(),
            strings: ["", "a", "b"].map(str::to_owned).to_vec(),
            ints,
            null: false,
            type_arguments: Vec::new(),
            constants: Vec::new(),
        }
    }

    fn slots(&self, kind: Kind) -> Vec<u64> {
        let ints = |fits: fn(i32) -> bool| {
            let ints = self.ints.iter().copied();
            ints.filter(|&int| fits(int))
                .map(|int| u64::from(int as u32))
                .collect()
        };
        match kind {
            Kind::Boolean => self.booleans.iter().map(|&b| u64::from(b)).collect(),
            Kind::Byte => ints(|int| i8::try_from(int).is_ok()),
            Kind::Short => ints(|int| i16::try_from(int).is_ok()),
            Kind::Int => ints(|_| true),
            Kind::Char => self.chars.iter().map(|&unit| u64::from(unit)).collect(),
            Kind::Long => self.longs.iter().map(|&long| long as u64).collect(),
            Kind::Float => {
                let floats = self.floats.iter();
                floats.map(|float| u64::from(float.to_bits())).collect()
            }
            Kind::Double => self.doubles.iter().map(|double| double.to_bits()).collect(),
            Kind::Reference | Kind::Void => Vec::new(),
        }
    }
}

/// Slots of values on one machine, with their literals in tests.
pub struct Literals {
    values: ArgumentValues,
    pool: ValuePool,
    /// Class under test.
    under_test: ClassId,
    /// Slots of constants given for a type, by its descriptor.
    given: FxHashMap<String, Vec<u64>>,
    by_type: FxHashMap<(Type, bool), Vec<u64>>,
    written: FxHashMap<Ref, Literal>,
    /// Recipes of the arrays and collections among the values, by slot. Every call takes a new one.
    pub(crate) mutable: FxHashMap<u64, Mutable>,
    /// Types of whose objects only some are arguments, no bound naming the others.
    pub sampled: BTreeSet<String>,
    /// Boxes with the values that they represent.
    pub boxes: Vec<(Kind, u64, Ref)>,
}

impl Literals {
    /// Creates the literals of the values.
    #[must_use]
    pub fn new(values: ArgumentValues, under_test: ClassId) -> Literals {
        Literals {
            pool: ValuePool::new(|kind| values.slots(kind), values.strings.clone()),
            values,
            under_test,
            given: FxHashMap::default(),
            by_type: FxHashMap::default(),
            written: FxHashMap::default(),
            mutable: FxHashMap::default(),
            sampled: BTreeSet::new(),
            boxes: Vec::new(),
        }
    }

    /// Returns the slots over which a parameter of a type ranges; none if the type has no values.
    /// Type variables are replaced by the classes that the user chose. `is_overloaded` is as in
    /// `ValueMaker`.
    ///
    /// # Errors
    /// The type cannot be used.
    pub(crate) fn values(
        &mut self,
        vm: &mut Vm,
        declared: &Type,
        is_overloaded: bool,
    ) -> Result<Vec<u64>, Error> {
        let declared = match declared {
            Type::Variable(name) => self.type_argument(vm, name)?,
            declared => declared.clone(),
        };
        let key = (declared, is_overloaded);
        if let Some(known) = self.by_type.get(&key) {
            return Ok(known.clone());
        }
        let slots = match self.given.get(&key.0.erased(&Variables::new())) {
            Some(given) => given.clone(),
            None => self.make(vm, &key.0, is_overloaded)?,
        };
        self.by_type.insert(key, slots.clone());
        Ok(slots)
    }

    /// The type for which a type variable stands.
    fn type_argument(&self, vm: &mut Vm, variable: &str) -> Result<Type, Error> {
        let mut arguments = self.values.type_arguments.iter();
        let chosen = arguments.find(|(name, _)| name == variable);
        let name = chosen.map_or("Integer", |(_, name)| name.as_str());
        let name = match name.contains('.') {
            true => name.to_owned(),
            false => format!("java.lang.{name}"),
        };
        let class = find_class(vm, &name)?;
        Ok(Type::Class(vm.class_name(class).to_owned(), Vec::new()))
    }

    fn make(
        &mut self,
        vm: &mut Vm,
        declared: &Type,
        is_overloaded: bool,
    ) -> Result<Vec<u64>, Error> {
        let mut variables = Variables::new();
        for name in declared.variables() {
            variables.insert(name.to_owned(), self.type_argument(vm, name)?);
        }
        let mut reader = StructureReader::new(vm, self.under_test);
        let mut values = ValueMaker {
            vm,
            reader: &mut reader,
            under_test: self.under_test,
            pool: &self.pool,
            variables: &variables,
            is_overloaded,
        };
        let (found, mutable) = values.values(declared)?;
        if Kind::of(&declared.erased(&variables)) != Kind::Reference {
            return Ok(found.into_iter().map(|argument| argument.slot).collect());
        }
        let literals = found.iter().map(|argument| &argument.literal);
        let mut literals = literals.chain(mutable.iter().map(|mutable| &mutable.literal));
        if literals.any(is_sample) {
            let text = declared.erased(&variables);
            self.sampled.insert(descriptor::to_java(&text));
        }
        let mut slots = self.null();
        for argument in found {
            let object = Ref::from_slot(argument.slot);
            if let (Literal::Boxed(_), Some((kind, slot))) = (&argument.literal, vm.unboxed(object))
            {
                self.boxes.push((kind, slot, object));
            }
            slots.push(self.note(object, argument.literal));
        }
        for mutable in mutable {
            let object = mutable.make(vm).map_err(Error::Bounds)?;
            let slot = self.note(object, mutable.literal.clone());
            self.mutable.insert(slot, mutable);
            slots.push(slot);
        }
        Ok(slots)
    }

    /// Null, where references take it.
    fn null(&self) -> Vec<u64> {
        match self.values.null {
            true => vec![0],
            false => Vec::new(),
        }
    }

    /// Makes the constants given for a type its only values, besides null.
    ///
    /// # Errors
    /// A type does not exist, or a constant cannot be used.
    pub fn take_constants(&mut self, vm: &mut Vm) -> Result<(), Error> {
        for (name, fields) in self.values.constants.clone() {
            let wanted = find_class(vm, &name)?;
            let mut slots = self.null();
            for field in &fields {
                let constant = constants::find(vm, field, self.under_test)?;
                let class = vm.heap.class_of(constant.object);
                if !vm.is_subclass(class, wanted) {
                    let reason = format!("its value is no {name}");
                    return Err(constants::refused(field, &reason));
                }
                slots.push(self.note(constant.object, constant.literal));
            }
            let descriptor = descriptor::of_class(vm.class_name(wanted));
            self.given.insert(descriptor, slots);
        }
        Ok(())
    }

    fn note(&mut self, object: Ref, literal: Literal) -> u64 {
        self.written.insert(object, literal);
        object.slot()
    }

    /// Whether a reference is null or holds null.
    pub(crate) fn is_null(&self, slot: u64) -> bool {
        let literal = self.written.get(&Ref::from_slot(slot));
        slot == 0 || literal.is_some_and(is_null)
    }

    /// Returns the literal of an argument of a kind, as tests write it.
    #[must_use]
    pub fn written(&self, kind: Kind, slot: u64) -> Literal {
        match kind {
            Kind::Reference => match self.written.get(&Ref::from_slot(slot)) {
                Some(literal) => literal.clone(),
                None => Literal::Value(Value::Null),
            },
            _ => Literal::Value(value(kind, slot, |_| Value::Null)),
        }
    }
}
