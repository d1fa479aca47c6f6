//! Whether a predicate answers by the structure alone.
//!
//! The first candidates are decided again with other identity hashes and at other times. Invariant:
//! no predicate is named that answers alike every time, so that hash sets of identities are fine; one that answers alike on all of these candidates is overlooked.

use std::ops::ControlFlow;

use heapwright_jvm::{Choosing, Exit, MethodId, Vm};

use crate::depth_first::Tree;
use crate::korat::KoratSearch;
use crate::progress::Leaf;
use crate::space::StateSpace;

/// Candidates that are looked at.
const CANDIDATES: usize = 200;
/// Most instructions to find them, and to decide each.
const STEPS: u64 = 1_000_000;
/// Identity hash codes passed over to get others.
const OTHER_HASHES: u32 = 1_000_003;
/// How often that is done.
const OTHERS: u32 = 6;
/// Some hours later, and some years, in nanoseconds.
const LATER: [u64; 2] = [12_345_678_901_234, 130_123_456_789_012_345];

/// What an answer depends on besides the structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dependence {
    /// Identity hash codes, or an order they make.
    IdentityHashes,
    /// The clock.
    Clock,
}

/// What the answers of `predicate` depend on besides the structure, as far as the first candidates
/// show it. Afterwards the machine stands where it stood.
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

/// The answer on a candidate, and whether identity hashes were handed out for it; `None` if there is none, or something is read that is not chosen.
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
