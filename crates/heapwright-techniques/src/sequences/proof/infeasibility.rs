//! Proves that no sequence reaches a goal.
//!
//! A method is run on open objects and arguments, which include all states that sequences can
//! create. If no path reaches a goal, and none that was cut could have reached it, then no sequence
//! does. A private method is also analysed through its callers, which restrict its inputs. For the
//! remaining goals, objects are restricted by the facts that all calls preserve (`invariants`).
//!
//! Invariant: each goal reported as infeasible is infeasible. A path that is cut counts for every
//! goal reachable from its frames. The same holds for a path that reads an input of which not all
//! values are tried, or that calls what an unknown subclass may override. Code that depends on static
//! state proves nothing.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use heapwright_explore::symbolic::{Facts, PathEnd, SymbolicSearch};
use heapwright_jvm::{MethodId, Vm};

use super::invariants;
use super::runner::{Follower, Runner, is_cut};
use super::subject_code::SubjectCode;
use crate::Error;
use crate::packages::is_extensible;
use crate::sequences::analysis::receivers::{is_inner, receivers};
use crate::sequences::goals::{Goal, GoalTable};
use crate::sequences::model::SequencesRequest;
use crate::watch::Watch;

/// Maximum depth of callers through which a private method is analysed.
const MAX_CALLERS: u32 = 2;

/// Returns the reasons why goals are infeasible; goals without a proof are left out.
///
/// # Errors
/// Code cannot be read, or the solver cannot be used.
pub fn prove(
    vm: &mut Vm,
    code: &SubjectCode,
    request: &SequencesRequest,
    goals: &mut GoalTable,
    open: &[usize],
    watch: Watch<'_>,
) -> Result<BTreeMap<usize, String>, Error> {
    let wanted = open
        .iter()
        .filter(|&&goal| matches!(goals.all[goal], Goal::Branch(..) | Goal::Line(..)));
    let mut wanted: Vec<usize> = wanted.copied().collect();
    let mut proved = BTreeMap::new();
    wanted.retain(|&goal| code.is_whole(goals.all[goal]));
    if wanted.is_empty() {
        return Ok(proved);
    }
    goals.probe_calls(vm);
    let mut prover = Prover {
        runner: Runner::new(vm, code, request, goals, watch),
        vm,
        wanted: wanted.clone(),
        known: BTreeMap::new(),
    };
    for &goal in &wanted {
        if (watch.stops)() {
            return Ok(proved);
        }
        let method = prover.runner.goals.all[goal].method();
        if let Some(by) = prover.is_infeasible(method, goal, MAX_CALLERS)? {
            proved.insert(goal, by);
        }
    }
    let left = wanted.into_iter();
    let left = left.filter(|goal| !proved.contains_key(goal)).collect();
    proved.extend(invariants::prove(prover.vm, &prover.runner, left)?);
    Ok(proved)
}

struct Prover<'a> {
    runner: Runner<'a>,
    vm: &'a mut Vm,
    /// The goals to prove infeasible.
    wanted: Vec<usize>,
    /// For a method and a method that contains goals, the goals that no path of the former reaches.
    known: BTreeMap<(MethodId, MethodId), BTreeSet<usize>>,
}

impl Prover<'_> {
    /// Returns the reason why no call of a method reaches a goal, if that is proved.
    fn is_infeasible(
        &mut self,
        method: MethodId,
        goal: usize,
        callers: u32,
    ) -> Result<Option<String>, Error> {
        let pair = (method, self.runner.goals.all[goal].method());
        if !self.known.contains_key(&pair) {
            let missed = self.missed(method, pair.1)?;
            self.known.insert(pair, missed);
        }
        let name = self.vm.text(self.vm.method(method).name).to_owned();
        if self.known[&pair].contains(&goal) {
            return Ok(Some(format!("no call of {name} does, on whatever object")));
        }
        if !is_inner(self.vm, method)
            || callers == 0
            || self.runner.code.graph.externally_callable.contains(&method)
        {
            return Ok(None);
        }
        let all = self
            .runner
            .code
            .graph
            .callers
            .get(&method)
            .cloned()
            .unwrap_or_default();
        if all.is_empty() || all.contains(&method) {
            return Ok(None);
        }
        let mut names = Vec::new();
        for caller in all {
            if self.is_infeasible(caller, goal, callers - 1)?.is_none() {
                return Ok(None);
            }
            names.push(self.vm.text(self.vm.method(caller).name).to_owned());
        }
        names.dedup();
        Ok(Some(format!(
            "none of those that call {name} does, on whatever object: {}",
            names.join(", ")
        )))
    }

    /// Returns the goals in `within` that no path of a method reaches, for receivers of every
    /// class. Paths end early when few goals are left.
    fn missed(&mut self, method: MethodId, within: MethodId) -> Result<BTreeSet<usize>, Error> {
        let (vm, runner) = (&mut *self.vm, &self.runner);
        let wanted = self.wanted.iter().copied();
        let wanted = wanted.filter(|&goal| runner.goals.all[goal].method() == within);
        let left: BTreeSet<usize> = wanted.collect();
        let left = Rc::new(RefCell::new(left));
        let declaring = vm.method(method).class;
        let name = vm.text(vm.method(method).name);
        let is_maker = name == "<init>";
        let classes = match vm.method(method).is_static() {
            true => vec![declaring],
            false => receivers(vm, declaring)?,
        };
        // Writes of a subclass constructor before the call of this constructor are unknown. Where
        // unknown classes extend the class, a proof ends before code of a subclass reads them.
        let is_below = is_maker
            && classes != [declaring]
            && (!is_extensible(vm, declaring) || runner.code.casts_below(vm, declaring));
        if classes.is_empty() || is_below || !runner.code.is_closed(method) {
            return Ok(BTreeSet::new());
        }
        for class in classes {
            let retain = |vm: &Vm| {
                left.borrow_mut()
                    .retain(|&goal| !runner.can_reach(vm, runner.site(goal)));
            };
            let mut look = |vm: &mut Vm, end: &PathEnd, _: &mut SymbolicSearch<'_>| {
                if is_cut(&end.outcome) {
                    retain(vm);
                }
                Ok(!left.borrow().is_empty())
            };
            let follower = Follower::new(runner, Rc::clone(&left));
            let call = (class, method);
            let none = Rc::new(Facts::default());
            let is_whole = runner.run(vm, call, &none, Some(&follower), &retain, &mut look)?;
            if !is_whole {
                return Ok(BTreeSet::new());
            }
        }
        let left = left.borrow().clone();
        Ok(left)
    }
}
