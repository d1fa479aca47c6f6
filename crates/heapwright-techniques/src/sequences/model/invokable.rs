//! A statement without its arguments: what it does, takes and gives.

use heapwright_jvm::{ClassId, MethodId};

/// A statement without its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invokable {
    /// What it does.
    pub what: What,
    /// What it takes: a receiver first, if there is one, then the parameters, the value stored, or the
    /// elements of the array that is made.
    pub takes: Vec<Takes>,
    /// The descriptor of what it gives; none if that is nothing.
    pub gives: Option<String>,
    /// Of a collection that only arguments are made of what it holds; nothing of other statements.
    pub contents: Vec<String>,
    /// Whether it gives the lambda that it takes.
    pub is_lambda: bool,
}

/// An argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Takes {
    /// Its declared type.
    pub descriptor: String,
    /// The parameter's name, as far as the class file has it, else `arg0` and so on; `this` of a
    /// receiver.
    pub name: String,
    /// Whether it is what a method is called on, a field or element is accessed of, or an inner
    /// object is made in: it must be an object that an earlier statement gave.
    pub is_receiver: bool,
    /// The classes that are worth trying, where the declared type has very many; `None` if all are.
    pub classes: Option<Vec<ClassId>>,
    /// What a collection holds that is made for it; nothing where none can be.
    pub contents: Vec<String>,
}

impl Takes {
    pub(in crate::sequences) fn receiver(descriptor: String) -> Takes {
        Takes {
            descriptor,
            name: "this".to_owned(),
            is_receiver: true,
            classes: None,
            contents: Vec::new(),
        }
    }

    pub(in crate::sequences) fn argument(descriptor: &str, name: &str) -> Takes {
        Takes {
            descriptor: descriptor.to_owned(),
            name: name.to_owned(),
            is_receiver: false,
            classes: None,
            contents: Vec::new(),
        }
    }
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// Makes an object of the class.
    Constructor(ClassId, MethodId),
    /// Calls a method on an object of the class.
    Instance(ClassId, MethodId),
    /// Calls a static method of the class.
    Static(ClassId, MethodId),
    /// Reads a field.
    LoadField(Field),
    /// Writes a field.
    StoreField(Field),
    /// Names a constant of the enum.
    Constant(ClassId, String),
    /// Makes an array, of this descriptor.
    NewArray(String),
    /// Writes an element of an array of this descriptor.
    StoreElement(String),
}

/// A field that is read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The class that it is accessed by: the one that declares it or one below.
    pub class: ClassId,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Whether it is static.
    pub is_static: bool,
}
