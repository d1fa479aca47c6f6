//! Object structures as plain owned data: the value every writer of this crate starts from.
//!
//! Invariant ([`Structure::check`]): object 0 is the root, every [`Value::Ref`] names an object of
//! the same structure, and boxes and array elements hold what their class says.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ModelError;

/// A set of objects that refer to each other; object 0 is the root, the receiver under test.
///
/// An object's index is its identity, in breadth-first order from the root (fields and elements
/// in their stored order), so equal structures are isomorphic ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Structure {
    /// The objects, by identity.
    pub objects: Vec<Object>,
}

/// One object: its class and what it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Object {
    /// Its run-time class; shared by all objects of the class.
    pub class: Arc<ClassSig>,
    /// What it holds.
    pub body: Body,
}

/// What an object holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Body {
    /// Every instance field, inherited ones first, each class's in declaration order.
    Fields(Vec<Field>),
    /// The elements of an array, whose class is `[I`, `[Ljava.lang.String;` and so on.
    Array(Vec<Value>),
    /// The primitive in a `java.lang.Integer`, `java.lang.Boolean` and the other six boxes.
    Boxed(Value),
    /// The characters of a `java.lang.String`. Unpaired surrogates cannot be held.
    String(String),
    /// The name of a constant; the object's class is the enum that declares it, even where the
    /// constant has a class body of its own.
    EnumConstant(String),
}

/// An instance field of one object, with its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Which field; shared by all objects that have it.
    pub sig: Arc<FieldSig>,
    /// Its value.
    pub value: Value,
}

/// The value of a field, an array element or a primitive argument.
///
/// Equality is that of Rust: a NaN is unequal to itself. The payload of a NaN is not kept by any
/// writer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// The null reference.
    Null,
    /// The object with this index in the same structure.
    Ref(usize),
    /// A `boolean`.
    Boolean(bool),
    /// A `byte`.
    Byte(i8),
    /// A `short`.
    Short(i16),
    /// A `char`, one UTF-16 code unit.
    Char(u16),
    /// An `int`.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`.
    Float(f32),
    /// A `double`.
    Double(f64),
}

/// A class, as far as a test that makes or names it must know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassSig {
    /// The binary name as `Class.getName()` gives it: `a.b.Tree$Node`, `[I`, `[[La.b.C;`.
    pub name: String,
    /// The canonical name, `a.b.Tree.Node`, if the class has one and code in the package of the
    /// class under test may use it (its enclosing classes included); otherwise none, and tests
    /// reach the class by reflection.
    pub source_name: Option<String>,
    /// How a test makes an instance.
    pub construction: Construction,
    /// Whether the class, or one it is an inner class of, declares type parameters.
    pub is_generic: bool,
}

/// How a test makes an instance before it sets the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Construction {
    /// `new C()`: the no-argument constructor is accessible from the package, returns normally
    /// and has no effect outside the new object. Everything it sets is overwritten.
    NoArg,
    /// By reflection and without running a constructor of the class.
    WithoutConstructor,
    /// The class is a record: its canonical constructor, given the fields in order.
    Canonical {
        /// Whether code in the package of the class under test may call it.
        is_accessible: bool,
    },
}

/// An instance field, as far as a test that sets it must know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldSig {
    /// Binary name of the class that declares it.
    pub declaring_class: String,
    /// Its name.
    pub name: String,
    /// Its type as a descriptor: `I`, `La/b/Tree$Node;`, `[[J`.
    pub descriptor: String,
    /// Who may use it.
    pub access: Access,
    /// Whether it is final.
    pub is_final: bool,
}

/// An access level of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Access {
    /// `private`
    Private,
    /// No modifier: the package.
    Package,
    /// `protected`
    Protected,
    /// `public`
    Public,
}

impl Structure {
    /// Checks the invariant of this module.
    ///
    /// # Errors
    /// Names the first object that breaks it.
    pub fn check(&self) -> Result<(), ModelError> {
        if self.objects.is_empty() {
            return Err(ModelError::EmptyStructure);
        }
        for (index, object) in self.objects.iter().enumerate() {
            for value in object.values() {
                if let Value::Ref(target) = value
                    && target >= self.objects.len()
                {
                    return Err(ModelError::DanglingReference { index, target });
                }
            }
            if let Body::Boxed(value) = object.body
                && Some(object.class.name.as_str()) != value.box_class()
            {
                return Err(ModelError::WrongBox {
                    index,
                    class: object.class.name.clone(),
                });
            }
        }
        Ok(())
    }

    /// The number of objects with fields, the root not counted: what people call the nodes.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.objects
            .iter()
            .skip(1)
            .filter(|object| matches!(object.body, Body::Fields(_)))
            .count()
    }
}

impl Object {
    /// The values in its fields, elements or box, in order.
    pub fn values(&self) -> impl Iterator<Item = Value> {
        let (fields, elements) = match &self.body {
            Body::Fields(fields) => (fields.as_slice(), [].as_slice()),
            Body::Array(elements) => ([].as_slice(), elements.as_slice()),
            Body::Boxed(value) => ([].as_slice(), std::slice::from_ref(value)),
            Body::String(_) | Body::EnumConstant(_) => ([].as_slice(), [].as_slice()),
        };
        fields
            .iter()
            .map(|field| field.value)
            .chain(elements.iter().copied())
    }
}

impl Field {
    /// Whether a later one of an object's fields has the name of this one, and so hides it.
    #[must_use]
    pub fn is_hidden(fields: &[Field], at: usize) -> bool {
        let name = &fields[at].sig.name;
        fields[at + 1..].iter().any(|later| later.sig.name == *name)
    }

    /// The name that tells it from the others of its object: `next`, or `Base.next` if hidden.
    #[must_use]
    pub fn shown_name(fields: &[Field], at: usize) -> String {
        let sig = &fields[at].sig;
        if Field::is_hidden(fields, at) {
            let class = crate::types::simple_name(&sig.declaring_class);
            format!("{class}.{}", sig.name)
        } else {
            sig.name.clone()
        }
    }
}

impl Value {
    /// The binary name of the box of a primitive; none for a reference.
    #[must_use]
    pub fn box_class(&self) -> Option<&'static str> {
        Some(match self {
            Value::Null | Value::Ref(_) => return None,
            Value::Boolean(_) => "java.lang.Boolean",
            Value::Byte(_) => "java.lang.Byte",
            Value::Short(_) => "java.lang.Short",
            Value::Char(_) => "java.lang.Character",
            Value::Int(_) => "java.lang.Integer",
            Value::Long(_) => "java.lang.Long",
            Value::Float(_) => "java.lang.Float",
            Value::Double(_) => "java.lang.Double",
        })
    }

    /// The descriptor of a primitive; none for a reference.
    #[must_use]
    pub fn descriptor(&self) -> Option<&'static str> {
        Some(match self {
            Value::Null | Value::Ref(_) => return None,
            Value::Boolean(_) => "Z",
            Value::Byte(_) => "B",
            Value::Short(_) => "S",
            Value::Char(_) => "C",
            Value::Int(_) => "I",
            Value::Long(_) => "J",
            Value::Float(_) => "F",
            Value::Double(_) => "D",
        })
    }
}

impl ClassSig {
    /// A class that tests may name as `source_name`, made with `new C()`, not generic. Arrays,
    /// boxes, strings and enums need no more than this.
    #[must_use]
    pub fn named(name: &str, source_name: &str) -> ClassSig {
        ClassSig {
            name: name.to_owned(),
            source_name: Some(source_name.to_owned()),
            construction: Construction::NoArg,
            is_generic: false,
        }
    }

    /// A class that tests may not name: private, local or anonymous.
    #[must_use]
    pub fn hidden(name: &str) -> ClassSig {
        ClassSig {
            name: name.to_owned(),
            source_name: None,
            construction: Construction::WithoutConstructor,
            is_generic: false,
        }
    }

    /// The name without package and enclosing classes, as far as the binary name tells; arrays as
    /// `Node[]`.
    #[must_use]
    pub fn simple_name(&self) -> String {
        crate::types::simple_name(&self.name)
    }
}
