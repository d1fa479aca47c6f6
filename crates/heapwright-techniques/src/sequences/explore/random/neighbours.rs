//! Sequences near given ones, for searches beside the random one.

use heapwright_jvm::Vm;

use super::dictionary::Dictionary;
use super::drafts::{Draft, Drafter};
use super::numbers::Random;
use super::values::Values;
use crate::sequences::analysis::criteria::Criteria;
use crate::sequences::goals::GoalTable;
use crate::sequences::model::{Concrete, SequencesRequest};
use crate::sequences::plan::SearchPlan;

/// Source of sequences near given ones, the same in each run.
pub(in crate::sequences) struct Neighbours<'a> {
    plan: &'a SearchPlan,
    criteria: &'a Criteria,
    random: Random,
    values: Values<'a>,
    /// The invokables that sequences may use.
    building: Vec<usize>,
    length: usize,
}

impl<'a> Neighbours<'a> {
    /// Creates a source for the sequences of a plan.
    pub fn new(
        vm: &Vm,
        goals: &GoalTable,
        plan: &'a SearchPlan,
        criteria: &'a Criteria,
        request: &SequencesRequest,
    ) -> Neighbours<'a> {
        let usable = plan.roles.iter().enumerate();
        let usable = usable.filter(|(_, role)| !role.is_idle || role.under_test.is_some());
        Neighbours {
            plan,
            criteria,
            random: Random::new(request.seed),
            values: Values {
                plan,
                dictionary: Dictionary::of(vm, goals, plan),
                is_nullable: request.bounds.nulls,
                utf16: request.values.utf16,
                length: request.bounds.generation_length as usize,
            },
            building: usable.map(|(number, _)| number).collect(),
            length: request.bounds.random_length as usize,
        }
    }

    /// Returns a sequence with the same last call as a given one, and other values, statements or
    /// objects.
    pub fn near(&mut self, vm: &mut Vm, concrete: &Concrete) -> Option<Concrete> {
        let mut drafter = Drafter {
            plan: self.plan,
            criteria: self.criteria,
            values: &self.values,
            random: &mut self.random,
            first: usize::from(self.plan.setup.is_some()),
            length: self.length,
        };
        let mut draft = Draft::default();
        for statement in &concrete.statements {
            drafter.add(vm, &mut draft, statement.clone());
        }
        draft.concrete = concrete.clone();
        drafter.varied(vm, &draft, &self.building)
    }

    /// Returns one of several.
    pub fn pick<'v, T>(&mut self, of: &'v [T]) -> Option<&'v T> {
        self.random.pick(of)
    }
}
