//! Notice that the solver is missing, and what that costs.

use heapwright_solve::smt::{SolverError, find_library};

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
