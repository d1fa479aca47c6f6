//! Places probes in the code under test, with questions about operands at some of them.
//!
//! Invariant: the probes of a run, with the answers at them, determine the goals that it reached.

use std::collections::BTreeSet;

use heapwright_code::{branch_targets, can_throw};
use heapwright_explore::symbolic::ProbeQuery;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{BranchCondition, Invoke, ListedOperation};
use heapwright_jvm::{MethodId, Operation, Vm};

use super::goal::Goal;
use super::goal_sites::{edge_of, is_call, lines, wraps_at};
use super::goal_table::GoalTable;
use crate::sequences::model::CoverageCriterion;

impl GoalTable {
    /// Returns the question at an instruction, if any.
    fn question(&self, method: MethodId, place: usize) -> Option<ProbeQuery> {
        let instructions = &self.listings[&method].instructions;
        let step = &instructions[place].step;
        match (self.criterion, step) {
            (_, ListedOperation::Branch(BranchCondition::Same(_), _)) => Some(ProbeQuery::Same),
            (CoverageCriterion::Boundaries, _) => {
                edge_of(instructions, place).map(ProbeQuery::Edge)
            }
            (CoverageCriterion::Overflow, ListedOperation::Operate(operation, kind))
                if wraps_at(step) =>
            {
                Some(ProbeQuery::Wraps(*operation, *kind, None))
            }
            (CoverageCriterion::Overflow, ListedOperation::Increment(_, by)) => {
                Some(ProbeQuery::Wraps(Operation::Add, Kind::Int, Some(*by)))
            }
            (CoverageCriterion::Exceptions, ListedOperation::Invoke(how, member))
                if *how != Invoke::Static && member.name != "<init>" =>
            {
                Some(ProbeQuery::Null)
            }
            (
                CoverageCriterion::DefUse,
                ListedOperation::GetField(_, is_static) | ListedOperation::PutField(_, is_static),
            ) => Some(match is_static {
                true => ProbeQuery::Runs,
                false => ProbeQuery::Object,
            }),
            _ => None,
        }
    }

    /// Places the probes in a machine's code; returns the questions with their probes.
    pub fn probe(&mut self, vm: &mut Vm) -> Vec<(u32, ProbeQuery)> {
        self.probe_at(vm, &|_| false)
    }

    /// Does the same as [`GoalTable::probe`], with a probe at each call and each test of a type too.
    pub(in crate::sequences) fn probe_calls(&mut self, vm: &mut Vm) {
        let is_probed = |step: &ListedOperation| {
            matches!(
                step,
                ListedOperation::Invoke(..) | ListedOperation::InstanceOf(_)
            )
        };
        self.probe_at(vm, &is_probed);
    }

    fn probe_at(
        &mut self,
        vm: &mut Vm,
        is_probed: &dyn Fn(&ListedOperation) -> bool,
    ) -> Vec<(u32, ProbeQuery)> {
        let mut questions = Vec::new();
        self.probes.clear();
        for (&method, listing) in &self.listings {
            let mut places: BTreeSet<u16> = BTreeSet::from([0]);
            let mut asked = Vec::new();
            for (place, listed) in listing.instructions.iter().enumerate() {
                if let Some(question) = self.question(method, place) {
                    places.insert(listed.at);
                    asked.push((listed.at, question));
                }
                let follows = branch_targets(listing, listed.at);
                if follows.len() > 1 {
                    places.insert(listed.at);
                    places.extend(follows);
                }
                if is_probed(&listed.step) {
                    places.insert(listed.at);
                }
                let throws = matches!(
                    self.criterion,
                    CoverageCriterion::Exceptions | CoverageCriterion::Paths
                );
                if throws && (can_throw(&listed.step) || is_call(&listed.step)) {
                    places.insert(listed.at);
                }
                if matches!(listed.step, ListedOperation::Return(_)) {
                    places.insert(listed.at);
                }
            }
            if self.criterion == CoverageCriterion::Statements {
                places.extend(lines(method, listing).into_iter().map(Goal::at));
            }
            places.extend(listing.handlers.iter().map(|handler| handler.target));
            let places: Vec<u16> = places.into_iter().collect();
            let first = vm.probe(method, &places);
            self.probes.extend(first..first + places.len() as u32);
            for (at, question) in asked {
                let place = places.binary_search(&at).unwrap_or_default() as u32;
                questions.push((first + place, question));
            }
        }
        questions
    }

    /// Returns the numbers of the probes placed last.
    pub(in crate::sequences) fn probes(&self) -> impl Iterator<Item = u32> {
        self.probes.iter().copied()
    }
}
