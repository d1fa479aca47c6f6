//! Runs sequences with values on the engine.

use std::ops::ControlFlow;

use heapwright_explore::symbolic::{PathEnd, PathOutcome, SearchScript, SymbolicSearch};
use heapwright_explore::{Search, Tree};
use heapwright_jvm::Vm;

use crate::Error;

/// Runs a script without open values, and visits its end. `None` if the run does not end, or its
/// end does not count. The machine's state is restored afterwards.
///
/// # Errors
/// A class is missing, or no memory is left.
pub(in crate::sequences) fn run_known<T>(
    vm: &mut Vm,
    search: &mut SymbolicSearch<'_>,
    script: SearchScript,
    look: &mut dyn FnMut(&mut Vm, &PathOutcome, &SymbolicSearch<'_>) -> T,
) -> Result<Option<T>, Error> {
    search.follow(script);
    search.start_at(Default::default());
    let mut seen = None;
    let mut visit = |vm: &mut Vm, end: &PathEnd, search: &mut SymbolicSearch<'_>| {
        if matches!(
            end.outcome,
            PathOutcome::Returned(_) | PathOutcome::Threw(_)
        ) {
            seen = Some(look(vm, &end.outcome, search));
        }
        ControlFlow::Break(())
    };
    search.run(vm, &mut |_| ControlFlow::Continue(()), &mut visit)?;
    Ok(seen)
}
