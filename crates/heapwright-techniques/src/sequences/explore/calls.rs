//! Enumerates the calls on a tuple of components.

use heapwright_jvm::Vm;

use super::component::{CallPurpose, Component};
use super::outcome::SearchCounts;
use super::search::Explorer;
use crate::arguments::{combinations, ways};
use crate::sequences::plan::ArgumentSource;
use crate::statements::{Invokable, Statement, StatementArgument, StatementKind, StatementSet};

/// Maximum number of argument combinations of one invokable on the same components.
const MAX_WAYS: usize = 1 << 13;

impl Explorer<'_> {
    /// Concatenates several components into one sequence.
    pub(super) fn joined(&self, job: &[usize]) -> Component {
        let mut base = Component {
            statements: Vec::new(),
            path: Vec::new(),
            verdicts: Vec::new(),
            objects: Vec::new(),
        };
        for &number in job {
            let part = &self.components[number];
            let shift = base.statements.len();
            let values = base.statements.iter().map(Statement::open).sum();
            let shifted = part.statements.iter();
            let shifted = shifted.map(|statement| statement.shifted(shift, values));
            base.statements.extend(shifted);
            base.path.extend(&part.path);
            base.verdicts.extend(&part.verdicts);
            let objects = part.objects.iter();
            base.objects
                .extend(objects.map(|&(place, class)| (place + shift, class)));
        }
        base
    }

    /// Returns, for each component, the number of the statement after its last one.
    pub(super) fn parts(&self, job: &[usize]) -> Vec<usize> {
        let mut end = 0;
        let ends = job.iter().map(|&number| {
            end += self.components[number].statements.len();
            end
        });
        ends.collect()
    }

    /// Returns the calls that take an object of each component, until `stops` returns true. Records
    /// invokables with more than [`MAX_WAYS`] argument combinations.
    pub(super) fn calls(
        &mut self,
        vm: &Vm,
        base: &Component,
        parts: &[usize],
        is_last: bool,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Vec<(Statement, CallPurpose)> {
        let mut calls = Vec::new();
        if let Some(setup) = self.plan.setup.filter(|_| parts.is_empty()) {
            let statement = Statement {
                invokable: setup,
                arguments: Vec::new(),
            };
            return vec![(statement, CallPurpose::Build)];
        }
        let plan = self.plan;
        for (number, invokable) in plan.invokables.iter().enumerate() {
            if stops(&self.progress.counts) {
                break;
            }
            let is_test = self.is_tested[number];
            let builds = !is_last && self.is_relevant[number];
            // Paths split by questions are unsuitable as components.
            let purposes: &[CallPurpose] = match (is_test, builds) {
                (true, true) if self.splits => &[CallPurpose::Test, CallPurpose::Build],
                (true, true) => &[CallPurpose::Both],
                (true, false) => &[CallPurpose::Test],
                (false, true) => &[CallPurpose::Build],
                (false, false) => continue,
            };
            let takes = self.plan.roles[number].takes.iter();
            let choices: Vec<Vec<StatementArgument>> =
                takes.map(|taking| self.choices(vm, taking, base)).collect();
            let choices = match invokable.kind {
                StatementKind::NewArray(_) | StatementKind::StoreElement(_) => choices,
                _ => {
                    let takes = self.plan.roles[number].takes.iter();
                    let both = takes.zip(choices);
                    both.map(|(taking, choices)| self.joint(vm, taking, choices, base, parts))
                        .collect()
                }
            };
            let mut all = match invokable.kind {
                StatementKind::NewArray(_) => self.plan.arrays(&choices, parts.len()),
                StatementKind::StoreElement(_) => self.plan.stores(&choices, &base.statements),
                _ => {
                    if invokable.scripted_stub().is_none() && ways(&choices) > MAX_WAYS as u64 {
                        self.overfull.insert(number);
                    }
                    match invokable.scripted_stub() {
                        Some(_) => self.plan.answers(number, &choices),
                        None => combinations(&choices).take(MAX_WAYS).collect(),
                    }
                }
            };
            if matches!(invokable.kind, StatementKind::NewArray(_)) {
                all.retain(|elements| self.plan.leaves_no_array(elements, &base.statements));
            }
            all.retain(|arguments| {
                takes_all(arguments, parts) || self.is_by_statics(invokable, parts)
            });
            for arguments in all {
                let statement = Statement {
                    invokable: number,
                    arguments,
                };
                if self.is_full(&statement, base) {
                    continue;
                }
                calls.extend(purposes.iter().map(|&purpose| (statement.clone(), purpose)));
            }
        }
        calls
    }

    /// Whether a statement would exceed the maximum number of elements of a collection created for
    /// an argument.
    fn is_full(&self, statement: &Statement, base: &Component) -> bool {
        let Some(&StatementArgument::Result(held)) = statement.arguments.first() else {
            return false;
        };
        let same = |other: &&Statement| other.invokable == statement.invokable && other.takes(held);
        self.plan.is_support(statement)
            && base.statements.iter().filter(same).count() >= self.plan.max_elements
    }

    /// Returns the possible arguments for a parameter.
    fn choices(
        &self,
        vm: &Vm,
        taking: &ArgumentSource,
        base: &Component,
    ) -> Vec<StatementArgument> {
        let mut choices = Vec::new();
        if taking.is_open {
            choices.push(StatementArgument::Open);
            if self.identity && taking.has_identity {
                choices.extend(
                    self.values(vm, taking, base)
                        .map(StatementArgument::Repeated),
                );
            }
        }
        for &(place, class) in &base.objects {
            let maker = base.statements[place].invokable;
            if taking.accepts(vm, class) && taking.holds(&self.plan.roles[maker]) {
                choices.push(StatementArgument::Result(place));
            }
        }
        if taking.is_nullable && self.bounds.nulls && !taking.is_open {
            choices.push(StatementArgument::Null);
        }
        choices
    }

    /// Merges the objects of each component into one argument; the solver decides which object it
    /// is.
    fn joint(
        &self,
        vm: &Vm,
        taking: &ArgumentSource,
        choices: Vec<StatementArgument>,
        base: &Component,
        parts: &[usize],
    ) -> Vec<StatementArgument> {
        if self.plan.simulates || self.bounds.length > u64::BITS || !taking.is_nullable {
            return choices;
        }
        let is_plain = |place: usize| {
            let held = base.objects.iter().find(|object| object.0 == place);
            held.is_some_and(|&(_, class)| !vm.class_name(class).starts_with('['))
                && !self.plan.is_support(&base.statements[place])
        };
        let mut joint: Vec<(StatementArgument, Option<usize>, Vec<usize>)> = Vec::new();
        for &choice in &choices {
            match choice {
                StatementArgument::Result(place) if is_plain(place) => {
                    let part = parts.partition_point(|&end| end <= place);
                    match joint.iter_mut().find(|(_, of, _)| *of == Some(part)) {
                        Some((_, _, places)) => places.push(place),
                        None => joint.push((choice, Some(part), vec![place])),
                    }
                }
                choice => joint.push((choice, None, Vec::new())),
            }
        }
        let joint = joint.into_iter();
        let joint = joint.map(|(choice, _, places)| match places.len() {
            0 | 1 => choice,
            _ => StatementSet::of(&places).map_or(choice, StatementArgument::OneOf),
        });
        joint.collect()
    }

    /// Returns the open values of a component that an argument may repeat.
    fn values(
        &self,
        vm: &Vm,
        taking: &ArgumentSource,
        base: &Component,
    ) -> impl Iterator<Item = usize> {
        let mut fitting = Vec::new();
        for statement in &base.statements {
            let takes = &self.plan.roles[statement.invokable].takes;
            for (place, argument) in statement.arguments.iter().enumerate() {
                if *argument == StatementArgument::Open {
                    fitting.push(takes.get(place).is_some_and(|held| taking.takes(vm, held)));
                }
            }
        }
        let numbered = fitting.into_iter().enumerate();
        numbered.filter_map(|(value, fits)| fits.then_some(value))
    }

    /// Whether a call may depend on one component through static state alone.
    fn is_by_statics(&self, invokable: &Invokable, parts: &[usize]) -> bool {
        parts.len() == 1 && self.plan.is_loose && !invokable.kind.has_receiver()
    }
}

/// Whether arguments contain an object of each component; `parts` are the ends of these.
pub(super) fn takes_all(arguments: &[StatementArgument], parts: &[usize]) -> bool {
    let mut from = 0;
    parts.iter().all(|&to| {
        let mut part = std::mem::replace(&mut from, to)..to;
        part.any(|place| arguments.iter().any(|argument| argument.can_be(place)))
    })
}
