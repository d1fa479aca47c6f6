//! Object structures as plain owned data: the input of every writer of this crate.
//!
//! Invariant ([`Structure::check`]): object 0 is the root, and every [`Value::Ref`] names an
//! object of the same structure. Values of boxes and array elements have the type given by their
//! class.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::ModelError;

/// Set of objects that refer to each other; object 0 is the root, the receiver under test.
///
/// An object's index is its identity, in breadth-first order from the root (fields and elements
/// in their stored order). Isomorphic structures are therefore equal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Structure {
    /// Objects, by identity.
    pub objects: Vec<Object>,
}

/// Object: its class and contents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Object {
    /// Run-time class; shared by all objects of the class.
    pub class: Arc<ClassSig>,
    /// Contents.
    pub body: Body,
}

/// Contents of an object.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Body {
    /// Every instance field, inherited ones first, those of each class in declaration order.
    Fields(Vec<Field>),
    /// Elements of an array, whose class is `[I`, `[Ljava.lang.String;` and so on.
    Array(Vec<Value>),
    /// Primitive in a `java.lang.Integer`, `java.lang.Boolean` and the other six boxes.
    Boxed(Value),
    /// Characters of a `java.lang.String`, which cannot include unpaired surrogates.
    String(String),
    /// Name of an enum constant. The object's class is the declaring enum, even if the constant
    /// has a class body of its own.
    EnumConstant(String),
}

/// Instance field of one object, with its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Declaration; shared by all objects that have the field.
    pub sig: Arc<FieldSig>,
    /// Value.
    pub value: Value,
}

/// Value of a field, an array element or a primitive argument.
///
/// Equality is that of Rust: a NaN is unequal to itself. Writers do not preserve the payload of a
/// NaN.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// Null reference.
    Null,
    /// Object with this index in the same structure.
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

impl Value {
    /// Whether it is the default of a field.
    #[must_use]
    pub fn is_default(self) -> bool {
        match self {
            Value::Null => true,
            Value::Ref(_) => false,
            Value::Boolean(truth) => !truth,
            Value::Byte(number) => number == 0,
            Value::Short(number) => number == 0,
            Value::Char(unit) => unit == 0,
            Value::Int(number) => number == 0,
            Value::Long(number) => number == 0,
            Value::Float(number) => number.to_bits() == 0,
            Value::Double(number) => number.to_bits() == 0,
        }
    }
}

/// Class, as far as a test that instantiates or names it needs to know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassSig {
    /// Binary name as by `Class.getName()`: `a.b.Tree$Node`, `[I`, `[[La.b.C;`.
    pub name: String,
    /// Canonical name, `a.b.Tree.Node`, if the class has one that code in the package of the
    /// class under test may use (enclosing classes included). Otherwise tests access the class by
    /// reflection.
    pub source_name: Option<String>,
    /// Way to create an instance.
    pub construction: Construction,
    /// Whether the class, or one of which it is an inner class, declares type parameters.
    pub is_generic: bool,
    /// The type arguments, where it stands for a type that has some.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<Arc<ClassSig>>,
}

/// Way to create an instance before its fields are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Construction {
    /// `new C()`: the no-argument constructor is accessible from the package, returns normally
    /// and has no effect outside of the new object. All its assignments are overwritten.
    NoArg,
    /// By reflection, without running a constructor of the class.
    WithoutConstructor,
    /// By the canonical constructor of a record, with the fields in order.
    Canonical {
        /// Whether code in the package of the class under test may call it.
        is_accessible: bool,
    },
}

/// Instance field, as far as a test that sets it needs to know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldSig {
    /// Binary name of the declaring class.
    pub declaring_class: String,
    /// Name.
    pub name: String,
    /// Type as a descriptor: `I`, `La/b/Tree$Node;`, `[[J`.
    pub descriptor: String,
    /// Access modifier.
    pub access: Access,
    /// Whether it is final.
    pub is_final: bool,
}

/// Access level of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Access {
    /// `private`
    Private,
    /// Package access, without a modifier.
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
    /// Describes the first object that violates it.
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

    /// Number of objects with fields except the root, usually called nodes.
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
    /// Values in its fields, elements or box, in order.
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
    /// Whether a later field of an object has the same name and therefore hides this one.
    #[must_use]
    pub fn is_hidden(fields: &[Field], at: usize) -> bool {
        let name = &fields[at].sig.name;
        fields[at + 1..].iter().any(|later| later.sig.name == *name)
    }

    /// Unique name among the fields of its object: `next`, or `Base.next` if hidden.
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
    /// Binary name of the box of a primitive; `None` for a reference.
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

    /// Descriptor of a primitive; `None` for a reference.
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
    /// Class that tests may name as `source_name`, made with `new C()`, not generic. This
    /// suffices for arrays, boxes, strings and enums.
    #[must_use]
    pub fn named(name: &str, source_name: &str) -> ClassSig {
        ClassSig {
            name: name.to_owned(),
            source_name: Some(source_name.to_owned()),
            construction: Construction::NoArg,
            is_generic: false,
            arguments: Vec::new(),
        }
    }

    /// Class that tests cannot name: private, local or anonymous.
    #[must_use]
    pub fn hidden(name: &str) -> ClassSig {
        ClassSig {
            name: name.to_owned(),
            source_name: None,
            construction: Construction::WithoutConstructor,
            is_generic: false,
            arguments: Vec::new(),
        }
    }

    /// Name without package and enclosing classes, as far as the binary name tells; arrays as
    /// `Node[]`.
    #[must_use]
    pub fn simple_name(&self) -> String {
        crate::types::simple_name(&self.name)
    }
}
