//! Check that a predicate's result depends on the structure alone.
//!
//! The first candidates are decided again with other identity hashes and at other times. Invariant:
//! a predicate that gives the same result every time is not reported, so hash sets of identities
//! are accepted. A dependence that does not show on these candidates is missed.

use std::ops::ControlFlow;

use heapwright_jvm::{Choosing, Exit, MethodId, Vm};

use crate::depth_first::Tree;
use crate::korat::KoratSearch;
use crate::progress::Leaf;
use crate::space::StateSpace;

/// Number of candidates checked.
const CANDIDATES: usize = 200;
/// Most instructions for finding the candidates, and for deciding each.
const STEPS: u64 = 1_000_000;
/// Identity hash codes skipped to obtain different ones.
const OTHER_HASHES: u32 = 1_000_003;
/// Number of repetitions with different identity hash codes.
const OTHERS: u32 = 6;
/// Clock offsets in nanoseconds: some hours, and some years.
const LATER: [u64; 2] = [12_345_678_901_234, 130_123_456_789_012_345];

/// Dependence of a result on more than the structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// Identity hash codes, or an order derived from them.
    IdentityHashes,
    /// Time of the clock.
    Clock,
}

/// Returns the dependence of `predicate` on more than the structure, as far as the first candidates
/// show it. Afterwards the machine is in its initial state again.
pub fn dependence(space: &StateSpace, predicate: MethodId, vm: &mut Vm) -> Option<Dependence> {
    let mut candidates: Vec<Vec<(u32, u32)>> = Vec::new();
    let mut search = KoratSearch::new(space, predicate, STEPS).with_slice(STEPS);
    let _ = search.run(
        vm,
        &mut |_| ControlFlow::Break(()),
        &mut |_, leaf, search: &mut KoratSearch<'_>| {
            if matches!(leaf, Leaf::Valid | Leaf::Invalid) {
                candidates.push(search.prefix());
            }
            match candidates.len() < CANDIDATES {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        },
    );
    candidates.iter().find_map(|candidate| {
        let mut answer = |hashes, later| answer(space, predicate, vm, candidate, hashes, later);
        let (first, uses_hashes) = answer(0, 0)?;
        let mut differs =
            |hashes, later| answer(hashes, later).is_some_and(|(other, _)| other != first);
        if LATER.iter().any(|&later| differs(0, later)) {
            return Some(Dependence::Clock);
        }
        let is_other = uses_hashes && (1..=OTHERS).any(|other| differs(other * OTHER_HASHES, 0));
        is_other.then_some(Dependence::IdentityHashes)
    })
}

/// Returns the result on a candidate, and whether identity hashes were assigned for it. `None` if
/// there is no result, or if an entry was read that is not chosen.
fn answer(
    space: &StateSpace,
    predicate: MethodId,
    vm: &mut Vm,
    candidate: &[(u32, u32)],
    hashes: u32,
    later: u64,
) -> Option<(bool, bool)> {
    let (exit, uses_hashes) = vm.with_mark(|vm| {
        space.unset_all(vm);
        for &(entry, value) in candidate {
            let entry = &space.entries[entry as usize];
            let choice = space.domains[entry.domain as usize].choices[value as usize];
            vm.choose(entry.object, entry.place, choice.slot);
        }
        vm.skip_identity_hashes(hashes);
        vm.pass_time(later);
        vm.limit_steps(STEPS);
        let given = vm.identity_hashes();
        let exit = match vm.call(predicate, &[space.root.slot()]) {
            Ok(()) => vm.run(&mut Choosing),
            Err(exit) => exit,
        };
        (exit, vm.identity_hashes() != given)
    });
    vm.abandon();
    let holds = match exit {
        Exit::Done(answer) => answer as u32 != 0,
        Exit::Threw(_) => false,
        _ => return None,
    };
    Some((holds, uses_hashes))
}
