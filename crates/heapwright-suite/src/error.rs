//! What can be wrong with a model.

/// Why a structure or a suite cannot be used.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum ModelError {
    /// A structure has no object, so no root.
    #[error("failed to use a structure without objects")]
    EmptyStructure,
    /// A field, element or box refers to an object that is not there.
    #[error("failed to find object {target}, which object {index} refers to")]
    DanglingReference {
        /// The object that refers.
        index: usize,
        /// What it refers to.
        target: usize,
    },
    /// A box holds another type than its class says, or no primitive.
    #[error("failed to use object {index}: its value is not one of {class}")]
    WrongBox {
        /// The box.
        index: usize,
        /// Its class.
        class: String,
    },
    /// An argument or a result refers to an object that is not in the input.
    #[error("failed to find object {target}, which a call of {method} refers to")]
    DanglingArgument {
        /// The method called.
        method: String,
        /// What is referred to.
        target: usize,
    },
    /// A call has more or fewer arguments than its method has parameters.
    #[error("failed to call {method}: it has {expected} parameters, {actual} arguments were given")]
    ArgumentCount {
        /// The method called.
        method: String,
        /// How many parameters it has.
        expected: usize,
        /// How many arguments the call has.
        actual: usize,
    },
    /// An argument or a result has another kind of type than the descriptor says: another
    /// primitive, or a primitive where a reference is due.
    #[error("failed to use {literal:?} as a {expected} in a call of {method}")]
    WrongType {
        /// The method called.
        method: String,
        /// The argument or result.
        literal: Box<crate::Literal>,
        /// The type that is due, as `Class.getName()` gives it.
        expected: String,
    },
    /// A script cannot be run as it stands.
    #[error("failed to use statement {statement} of a script: {reason}")]
    BadStatement {
        /// The statement's number; that of the call under test of what is asserted after it.
        statement: usize,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A text is no method descriptor.
    #[error("failed to read the method descriptor `{0}`")]
    BadDescriptor(String),
}
