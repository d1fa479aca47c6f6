//! What can be wrong with a request.

use heapwright_explore::SearchError;
use heapwright_explore::symbolic::SymbolicError;

/// Why a technique could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It was asked to stop before there was anything to show.
    #[error("stopped before there was anything to show")]
    Stopped,
    /// There is no such class.
    #[error("class {0} not found on the class path")]
    ClassNotFound(String),
    /// The class is there and cannot be used.
    #[error("class {class} cannot be used: {reason}")]
    BadClass {
        /// The class.
        class: String,
        /// Why.
        reason: String,
    },
    /// The class has no such method.
    #[error("class {class} has no {what} {name}")]
    MethodNotFound {
        /// The class.
        class: String,
        /// What sort of method: `method`, `invariant`, `finitization method`.
        what: &'static str,
        /// The name looked for, with what it must take.
        name: String,
        /// The names of the methods that would do.
        candidates: Vec<String>,
    },
    /// The invariant does not answer by the structure alone.
    #[error(
        "the invariant {method} depends on {what}: it accepts a structure in one run and not in the next"
    )]
    Unsteady {
        /// The method.
        method: String,
        /// What it depends on.
        what: &'static str,
    },
    /// An argument of the finitization does not fit its parameter.
    #[error("{method}: argument {position} is {text:?}, which is no {expected}")]
    BadArgument {
        /// The method.
        method: String,
        /// Its place, from 1.
        position: usize,
        /// What was given.
        text: String,
        /// The type of the parameter.
        expected: String,
    },
    /// The bounds cannot be searched.
    #[error("{0}")]
    Bounds(String),
    /// What a user says of derived bounds cannot be.
    #[error("{place}: {key}: {reason}")]
    Setting {
        /// Where it stands: `heapwright.toml:7`.
        place: String,
        /// The class, or the class and field.
        key: String,
        /// What is wrong.
        reason: String,
        /// The name that was not found, if that is it.
        wanted: String,
        /// The names that there are.
        candidates: Vec<String>,
    },
    /// The finitization method did not return.
    #[error("the finitization {method} failed: {reason}")]
    Finitization {
        /// The method.
        method: String,
        /// How it ended.
        reason: String,
    },
    /// An object of the search could not be made.
    #[error("failed to make an object of {class}: {reason}")]
    Construction {
        /// The class.
        class: String,
        /// How its constructor ended.
        reason: String,
    },
    /// The paths of a method could not be searched.
    #[error(transparent)]
    Symbolic(#[from] SymbolicError),
    /// What a large scope holds cannot be estimated.
    #[error(transparent)]
    NoEstimate(#[from] crate::fields::NoEstimate),
    /// The search could not be started.
    #[error(transparent)]
    Search(#[from] SearchError),
}
