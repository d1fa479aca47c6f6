//! Errors of models.

/// Violation of an invariant of a structure or suite.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum ModelError {
    /// A structure has no object and therefore no root.
    #[error("failed to use a structure without objects")]
    EmptyStructure,
    /// A field, element or box refers to a missing object.
    #[error("failed to find object {target}, which object {index} refers to")]
    DanglingReference {
        /// The referring object.
        index: usize,
        /// The missing object.
        target: usize,
    },
    /// The value of a box does not have the type of its class, or is no primitive.
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
        /// The missing object.
        target: usize,
    },
    /// A call has more or fewer arguments than its method has parameters.
    #[error("failed to call {method}: it has {expected} parameters, {actual} arguments were given")]
    ArgumentCount {
        /// The method called.
        method: String,
        /// Number of its parameters.
        expected: usize,
        /// Number of arguments of the call.
        actual: usize,
    },
    /// An argument or a result does not have the kind of type in the descriptor: another
    /// primitive, or a primitive instead of a reference.
    #[error("failed to use {literal:?} as a {expected} in a call of {method}")]
    WrongType {
        /// The method called.
        method: String,
        /// The argument or result.
        literal: Box<crate::Literal>,
        /// The expected type, as by `Class.getName()`.
        expected: String,
    },
    /// A script is invalid.
    #[error("failed to use statement {statement} of a script: {reason}")]
    BadStatement {
        /// Number of the statement; for an assertion after the call under test, that of the call.
        statement: usize,
        /// Reason.
        reason: &'static str,
    },
    /// A text is no method descriptor.
    #[error("failed to read the method descriptor `{0}`")]
    BadDescriptor(String),
}
