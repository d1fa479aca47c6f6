//! Errors of requests.

use heapwright_explore::SearchError;
use heapwright_explore::symbolic::SymbolicError;

/// Error of a technique.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The request was stopped before there was a result.
    #[error("stopped before there was anything to show")]
    Stopped,
    /// There is no such class.
    #[error("class {0} not found on the class path")]
    ClassNotFound(String),
    /// The class exists but cannot be used.
    #[error("class {class} cannot be used: {reason}")]
    BadClass {
        /// The class.
        class: String,
        /// The reason.
        reason: String,
    },
    /// The class has no such method.
    #[error("class {class} has no {what} {name}")]
    MethodNotFound {
        /// The class.
        class: String,
        /// The sort of method: `method`, `invariant`, `finitization method`.
        what: &'static str,
        /// The requested name, with the required parameters.
        name: String,
        /// The names of suitable methods.
        candidates: Vec<String>,
    },
    /// The invariant's result does not depend on the structure alone.
    #[error(
        "the invariant {method} depends on {what}: it accepts a structure in one run and rejects it in the next"
    )]
    Nondeterministic {
        /// The method.
        method: String,
        /// The cause of its nondeterminism.
        what: &'static str,
    },
    /// An argument does not fit its parameter of the finitization method.
    #[error("{method}: argument {position} is {text:?}, which is no {expected}")]
    BadArgument {
        /// The method.
        method: String,
        /// The argument's position, from 1.
        position: usize,
        /// The argument's text.
        text: String,
        /// The type of the parameter.
        expected: String,
    },
    /// The bounds cannot be searched.
    #[error("{0}")]
    Bounds(String),
    /// A user's adjustment of derived bounds is invalid.
    #[error("{place}: {key}: {reason}")]
    Setting {
        /// Its location: `heapwright.toml:7`.
        place: String,
        /// The class, or the class and field.
        key: String,
        /// The reason.
        reason: String,
        /// The name that was not found, or empty.
        wanted: String,
        /// The existing names.
        candidates: Vec<String>,
    },
    /// The finitization method did not return.
    #[error("the finitization {method} failed: {reason}")]
    Finitization {
        /// The method.
        method: String,
        /// Its outcome.
        reason: String,
    },
    /// An object of the search could not be created.
    #[error("failed to make an object of {class}: {reason}")]
    Construction {
        /// The class.
        class: String,
        /// The outcome of its constructor.
        reason: String,
    },
    /// The paths of a method could not be searched.
    #[error(transparent)]
    Symbolic(#[from] SymbolicError),
    /// The number of structures in a large scope cannot be estimated.
    #[error(transparent)]
    NoEstimate(#[from] crate::fields::NoEstimate),
    /// The search could not be started.
    #[error(transparent)]
    Search(#[from] SearchError),
}
