//! Derives the goals that a run reached from its probes and the answers at them.
//!
//! Invariant: only the call of a method under test counts. Only the field writes of earlier
//! statements are used.

use std::collections::BTreeSet;

use heapwright_code::branch_targets;
use heapwright_explore::symbolic::{Event, ProbeResult};
use heapwright_jvm::listing::{ListedMember, ListedOperation};
use heapwright_jvm::probes::ProbeVisit;
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use rustc_hash::FxHashMap;

use super::goal::{CodeLocation, Goal, OperandOrder};
use super::goal_sites::is_call;
use super::goal_table::GoalTable;
use super::trees::RunEnd;
use crate::sequences::model::CoverageCriterion;

impl GoalTable {
    /// Enters the path of a call of a method under test into the trees; returns its goal, if any.
    fn path(
        &mut self,
        vm: &Vm,
        method: MethodId,
        visits: &[ProbeVisit],
        end: RunEnd,
    ) -> Option<usize> {
        let entered = self.trees.enter(vm, &self.listings, method, visits, end);
        let goal = Goal::Path(entered?);
        if self.grows && !self.numbers.contains_key(&goal) {
            self.numbers.insert(goal, self.all.len());
            self.all.push(goal);
        }
        self.number(goal)
    }

    /// Records the path of a call of a method under test up to where it was abandoned.
    pub fn record_abandoned(&mut self, vm: &Vm, method: MethodId, visits: &[ProbeVisit]) {
        self.path(vm, method, visits, RunEnd::Left);
    }

    /// Returns the numbers of the goals that a call of a method under test reached, ascending, and
    /// enters its path into the trees. Arguments are the visited probes, the events, the index of
    /// this call's first event, and the exception's class if it threw.
    pub fn reached(
        &mut self,
        vm: &Vm,
        method: MethodId,
        (visits, events, own): (&[ProbeVisit], &[Event], usize),
        thrown: Option<ClassId>,
    ) -> Vec<usize> {
        let mut reached = self.places(vm, (visits, events, own), thrown);
        let end = thrown.map_or(RunEnd::Returned, RunEnd::Threw);
        reached.extend(self.path(vm, method, visits, end));
        reached.into_iter().collect()
    }

    /// Returns the numbers of the goals other than paths that a call reached. The arguments are
    /// those of [`GoalTable::reached`].
    #[must_use]
    pub fn places(
        &self,
        vm: &Vm,
        (visits, events, own): (&[ProbeVisit], &[Event], usize),
        thrown: Option<ClassId>,
    ) -> BTreeSet<usize> {
        let mut reached: BTreeSet<usize> = BTreeSet::new();
        self.read_events(vm, events, own, &mut reached);
        let of = |visit: &ProbeVisit| {
            let point = vm.point(visit.point);
            (point.method, point.at)
        };
        for (place, visit) in visits.iter().enumerate() {
            let (method, at) = of(visit);
            let next = visits.get(place + 1);
            let mut hit = |goal| reached.extend(self.numbers.get(&goal).copied());
            if at == 0 {
                hit(Goal::Entry(method));
            }
            match self.criterion {
                CoverageCriterion::Statements => hit(Goal::Line(method, at)),
                CoverageCriterion::Branches => {
                    hit(Goal::Place(method, at));
                    if let Some(next) = next.filter(|next| next.depth == visit.depth)
                        && of(next).0 == method
                        && next.thrown.is_none()
                        && let Some(listing) = self.listings.get(&method)
                    {
                        let to = of(next).1;
                        let ways = branch_targets(listing, at);
                        let way = ways.iter().position(|&way| way == to);
                        if let Some(way) = way.filter(|_| ways.len() > 1) {
                            hit(Goal::Branch(method, at, to, way as u16));
                        }
                    }
                }
                CoverageCriterion::Exceptions => {
                    // Every throwing instruction has a probe, so the last probe before a handler
                    // threw. Callees without probes may throw too, hence calls are excluded.
                    let ends = next.map_or(thrown.is_some(), |next| next.thrown.is_some());
                    let listing = self.listings.get(&method);
                    let step = listing.and_then(|listing| {
                        let place = listing.place(at)?;
                        Some(&listing.instructions[place].step)
                    });
                    if ends && step.is_some_and(|step| !is_call(step)) {
                        hit(Goal::Exception(method, at));
                    }
                }
                _ => {}
            }
        }
        reached
    }

    fn read_events(&self, vm: &Vm, events: &[Event], own: usize, reached: &mut BTreeSet<usize>) {
        let mut written: FxHashMap<(Option<Ref>, &ListedMember), CodeLocation> =
            FxHashMap::default();
        for (number, event) in events.iter().enumerate() {
            let point = vm.point(event.point);
            let (method, at) = (point.method, point.at);
            let mut hit = |goal| {
                if number >= own {
                    reached.extend(self.numbers.get(&goal).copied());
                }
            };
            let object = match event.answer {
                ProbeResult::Below => {
                    hit(Goal::Edge(method, at, OperandOrder::Below));
                    continue;
                }
                ProbeResult::Equal => {
                    hit(Goal::Edge(method, at, OperandOrder::Equal));
                    continue;
                }
                ProbeResult::Above => {
                    hit(Goal::Edge(method, at, OperandOrder::Above));
                    continue;
                }
                ProbeResult::Wraps => {
                    hit(Goal::Wrap(method, at));
                    continue;
                }
                ProbeResult::Null => {
                    hit(Goal::Exception(method, at));
                    continue;
                }
                ProbeResult::Same(..) | ProbeResult::Operands(..) => continue,
                ProbeResult::Object(object) => Some(object),
                ProbeResult::Runs => None,
            };
            let Some(listing) = self.listings.get(&method) else {
                continue;
            };
            let step = listing
                .place(at)
                .map(|place| &listing.instructions[place].step);
            match step {
                Some(ListedOperation::PutField(field, _)) => {
                    written.insert((object, field), (method, at));
                }
                Some(ListedOperation::GetField(field, _)) => {
                    if let Some(&site) = written.get(&(object, field)) {
                        hit(Goal::Pair(site, (method, at)));
                    }
                }
                _ => {}
            }
        }
    }
}
