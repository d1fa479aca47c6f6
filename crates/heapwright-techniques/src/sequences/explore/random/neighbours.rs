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
use crate::statements::StatementKind;

/// Share of values that an earlier argument of the same type has, in percent: calls on the same keys
/// build up states.
const AGAIN: usize = 50;

/// Source of sequences near given ones, the same in each run.
pub(in crate::sequences) struct Neighbours<'a> {
    plan: &'a SearchPlan,
    criteria: &'a Criteria,
    random: Random,
    values: Values<'a>,
    /// The invokables that sequences may use, and those under test.
    building: Vec<usize>,
    tested: Vec<usize>,
    /// Those that only put a value into an object of the program.
    setters: Vec<usize>,
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
        let tested = plan.roles.iter().enumerate();
        let tested = tested.filter(|(_, role)| role.under_test.is_some());
        let usable = plan.roles.iter().enumerate();
        let usable = usable.filter(|(_, role)| !role.is_idle || role.under_test.is_some());
        let is_setter = |number: &usize| {
            let one = &plan.invokables[*number];
            matches!(one.kind, StatementKind::Call(call) if vm.is_app_class(call.class))
                && one.kind.has_receiver()
                && one.result.is_none()
                && one.parameters.len() == 2
                && plan.roles[*number].under_test.is_none()
        };
        let setters = (0..plan.invokables.len()).filter(is_setter);
        Neighbours {
            setters: setters.collect(),
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
            tested: tested.map(|(number, _)| number).collect(),
            length: request.bounds.random_length as usize,
        }
    }

    /// Returns a sequence with the same last call as a given one, and other values, statements or
    /// objects.
    pub fn near(&mut self, vm: &mut Vm, concrete: &Concrete) -> Option<Concrete> {
        let draft = self.draft(vm, concrete);
        let building = std::mem::take(&mut self.building);
        let near = self.drafter().varied(vm, &draft, &building);
        self.building = building;
        near
    }

    /// Returns a sequence with the same last call, varied up to `most` times, most often once.
    pub fn varied(&mut self, vm: &mut Vm, concrete: &Concrete, most: usize) -> Option<Concrete> {
        let mut varied = self.near(vm, concrete)?;
        for _ in 0..self.random.few(most - 1) {
            if let Some(other) = self.near(vm, &varied) {
                varied = other;
            }
        }
        Some(varied)
    }

    /// Returns a sequence whose objects of the program have more values, and if it `is_renamed` other texts.
    pub fn filled(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        is_renamed: bool,
    ) -> Option<Concrete> {
        let setters = std::mem::take(&mut self.setters);
        let filled = self.drafter().filled(vm, concrete, &setters, is_renamed);
        self.setters = setters;
        filled
    }

    /// Returns a sequence that makes few further calls behind a given one, the last of them under
    /// test.
    pub fn further(&mut self, vm: &mut Vm, concrete: &Concrete) -> Option<Concrete> {
        let mut draft = self.draft(vm, concrete);
        if self.random.is_likely(50) {
            let invokable = *self.random.pick(&self.building)?;
            self.drafter()
                .append(vm, &mut draft, invokable)
                .then_some(())?;
        }
        let invokable = *self.random.pick(&self.tested)?;
        let is_made = self.drafter().append(vm, &mut draft, invokable);
        is_made.then_some(draft.concrete)
    }

    /// Returns a sequence with the last call of another one appended, on one of its objects.
    pub fn adopting(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        other: &Concrete,
    ) -> Option<Concrete> {
        let draft = self.draft(vm, concrete);
        self.drafter().adopt(vm, &draft, other)
    }

    /// Returns the draft of a sequence, to which calls can be appended.
    fn draft(&mut self, vm: &mut Vm, concrete: &Concrete) -> Draft {
        let mut draft = Draft::default();
        for statement in &concrete.statements {
            self.drafter().add(vm, &mut draft, statement.clone());
        }
        draft.concrete = concrete.clone();
        draft
    }

    fn drafter(&mut self) -> Drafter<'_, 'a> {
        Drafter {
            plan: self.plan,
            criteria: self.criteria,
            values: &self.values,
            random: &mut self.random,
            first: usize::from(self.plan.setup.is_some()),
            length: self.length,
            again: AGAIN,
        }
    }

    /// Returns true half of the time.
    pub fn tosses(&mut self) -> bool {
        self.random.is_likely(50)
    }

    /// Returns one of several.
    pub fn pick<'v, T>(&mut self, of: &'v [T]) -> Option<&'v T> {
        self.random.pick(of)
    }
}
