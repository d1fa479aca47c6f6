//! Version of the solver, and the notice that it is missing with what that costs.

use heapwright_solve::smt::{SolverError, find_library};

/// Version of Z3; none if no library is found.
///
/// # Errors
/// The file that `HEAPWRIGHT_Z3` names cannot be used.
pub fn version() -> Result<Option<String>, SolverError> {
    match find_library() {
        Ok(library) => {
            let (major, minor, build) = library.version;
            Ok(Some(format!("{major}.{minor}.{build}")))
        }
        Err(SolverError::NoLibrary { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Says that no library of Z3 is found. Verbs that explore symbolic values call this before they
/// begin; a library that cannot be used is an error where it is needed.
pub fn notice_if_missing() {
    if let Err(error @ SolverError::NoLibrary { .. }) = find_library() {
        notice!(
            "{error}. Without it conditions that are not linear over integers stay undecided: what they \
             guard may be in no test"
        );
    }
}
