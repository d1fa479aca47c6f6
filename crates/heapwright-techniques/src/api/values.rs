//! Values of arguments that are not structures.

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Ref, Vm};
use heapwright_suite::{Literal, Value};
use rustc_hash::FxHashMap;

use super::constants;
use crate::Error;
use crate::derive::constants_of;
use crate::read::value;
use crate::target::find_class;

/// Values of arguments, by type.
#[derive(Clone, Debug)]
pub struct Values {
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

impl Values {
    /// Creates the values up to a scope N: the integers 0 to N-1, N letters, three strings, no
    /// null.
    #[must_use]
    pub fn up_to(scope: u32) -> Values {
        let ints: Vec<i32> = (0..scope as i32).collect();
        Values {
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
    values: Values,
    by_type: FxHashMap<String, Vec<u64>>,
    written: FxHashMap<Ref, Literal>,
    /// Boxes with the values that they represent.
    pub boxes: Vec<(Kind, u64, Ref)>,
}

impl Literals {
    /// Creates the literals of the values.
    #[must_use]
    pub fn new(values: Values) -> Literals {
        Literals {
            values,
            by_type: FxHashMap::default(),
            written: FxHashMap::default(),
            boxes: Vec::new(),
        }
    }

    /// Returns the slots of a parameter's values, by its descriptor or by its type variable as in a
    /// signature. None if the type has no values.
    ///
    /// # Errors
    /// The type cannot be used.
    pub fn values(&mut self, vm: &mut Vm, text: &str) -> Result<Vec<u64>, Error> {
        if let Some(known) = self.by_type.get(text) {
            return Ok(known.clone());
        }
        let slots = match text.strip_prefix('T') {
            Some(variable) => {
                let chosen = self.type_argument(vm, variable.trim_end_matches(';'))?;
                self.values(vm, &chosen)?
            }
            None => self.make(vm, text)?,
        };
        self.by_type.insert(text.to_owned(), slots.clone());
        Ok(slots)
    }

    /// Returns the descriptor of the class that replaces a type variable.
    fn type_argument(&self, vm: &mut Vm, variable: &str) -> Result<String, Error> {
        let mut arguments = self.values.type_arguments.iter();
        let chosen = arguments.find(|(name, _)| name == variable);
        let name = chosen.map_or("Integer", |(_, name)| name.as_str());
        let name = match name.contains('.') {
            true => name.to_owned(),
            false => format!("java.lang.{name}"),
        };
        let class = find_class(vm, &name)?;
        Ok(descriptor::of_class(vm.class_name(class)))
    }

    fn make(&mut self, vm: &mut Vm, descriptor: &str) -> Result<Vec<u64>, Error> {
        let kind = Kind::of(descriptor);
        if kind != Kind::Reference {
            return Ok(self.values.slots(kind));
        }
        let mut slots = match self.values.null {
            true => vec![0],
            false => Vec::new(),
        };
        if descriptor.starts_with('[') {
            return Ok(slots);
        }
        let boxed = match descriptor::class_name(descriptor) {
            "java/lang/Object" | "java/lang/Number" | "java/lang/Comparable" => Some(Kind::Int),
            name => Kind::of_box(name),
        };
        if let Some(kind) = boxed {
            for slot in self.values.slots(kind) {
                let object = vm.boxed(kind, slot).map_err(Error::Bounds)?;
                self.boxes.push((kind, slot, object));
                let literal = Literal::Boxed(value(kind, slot, |_| Value::Null));
                slots.push(self.note(object, literal));
            }
            return Ok(slots);
        }
        if matches!(
            descriptor,
            "Ljava/lang/String;" | "Ljava/lang/CharSequence;"
        ) {
            for text in self.values.strings.clone() {
                let object = vm
                    .new_string(&text)
                    .map_err(|_| Error::Bounds("no memory for strings".to_owned()))?;
                slots.push(self.note(object, Literal::String(text)));
            }
            return Ok(slots);
        }
        let name = descriptor::class_name(descriptor).replace('/', ".");
        let class = find_class(vm, &name)?;
        if vm.class(class).flags & flags::ENUM != 0 {
            let sig = crate::read::StructureReader::new(vm, class).class_sig(vm, class);
            for (name, object) in constants_of(vm, class)? {
                let class = std::sync::Arc::clone(&sig);
                slots.push(self.note(object, Literal::EnumConstant { class, name }));
            }
        }
        Ok(slots)
    }

    /// Sets the constants given for types; they replace all other values but null. The tests are
    /// for the class `under_test`.
    ///
    /// # Errors
    /// A type does not exist, or a constant cannot be used.
    pub fn take_constants(&mut self, vm: &mut Vm, under_test: ClassId) -> Result<(), Error> {
        for (name, fields) in self.values.constants.clone() {
            let wanted = find_class(vm, &name)?;
            let mut slots = match self.values.null {
                true => vec![0],
                false => Vec::new(),
            };
            for field in &fields {
                let constant = constants::find(vm, field, under_test)?;
                let class = vm.heap.class_of(constant.object);
                if !vm.is_subclass(class, wanted) {
                    let reason = format!("what it holds is no {name}");
                    return Err(constants::refused(field, &reason));
                }
                slots.push(self.note(constant.object, constant.literal));
            }
            let descriptor = descriptor::of_class(vm.class_name(wanted));
            self.by_type.insert(descriptor, slots);
        }
        Ok(())
    }

    fn note(&mut self, object: Ref, literal: Literal) -> u64 {
        self.written.insert(object, literal);
        object.slot()
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
