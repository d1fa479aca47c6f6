//! Drafts: sequences with values to which calls are appended, each on objects that the draft has or
//! that statements before it create.

use heapwright_jvm::{ClassId, Vm, descriptor};

use super::numbers::Random;
use super::values::Values;
use crate::functional::AnswerInput;
use crate::sequences::analysis::criteria::Criteria;
use crate::sequences::model::Concrete;
use crate::sequences::plan::SearchPlan;
use crate::statements::{Statement, StatementArgument, StatementKind, Stub, open_places};
use crate::symbolic::InputValue;

/// Maximum number of statements that create arguments of arguments of a call.
const DEPTH: usize = 5;
/// Number of invokables tried for an argument.
const GIVERS: usize = 4;
/// Share of objects that the draft has among arguments, in percent.
const KNOWN: usize = 80;
/// Share of the newest object among those.
const NEWEST: usize = 40;
/// Share of null where an object can be passed, in percent.
const NULL: usize = 4;
/// Share of earlier arguments of the same name among those whose values are taken again, in percent.
const SAME_NAME: usize = 70;
/// Maximum number of methods of a scripted stub that return objects.
const ANSWERS: usize = 2;

/// A sequence with values, and the objects that further statements may take.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub concrete: Concrete,
    /// The statement that created each, and its class, or else the declared one.
    pub objects: Vec<(usize, ClassId)>,
}

/// Appends calls to drafts.
pub(super) struct Drafter<'d, 'a> {
    pub plan: &'a SearchPlan,
    pub criteria: &'a Criteria,
    pub values: &'d Values<'a>,
    pub random: &'d mut Random,
    /// Number of statements with which every sequence begins.
    pub first: usize,
    /// Maximum number of statements of a sequence.
    pub length: usize,
    /// Share of values that an earlier argument of the same type has, in percent.
    pub again: usize,
}

impl Drafter<'_, '_> {
    /// Appends a call of an invokable, with the statements that create its arguments. Returns
    /// whether this is possible; otherwise the draft may have got statements in vain.
    pub fn append(&mut self, vm: &mut Vm, draft: &mut Draft, invokable: usize) -> bool {
        self.append_at(vm, draft, invokable, 0)
    }

    fn append_at(
        &mut self,
        vm: &mut Vm,
        draft: &mut Draft,
        invokable: usize,
        depth: usize,
    ) -> bool {
        if depth > DEPTH || draft.concrete.statements.len() >= self.length {
            return false;
        }
        let Some(arguments) = self.arguments(vm, draft, invokable, depth) else {
            return false;
        };
        let statement = Statement {
            invokable,
            arguments,
        };
        for (place, argument) in statement.arguments.iter().enumerate() {
            if *argument == StatementArgument::Open {
                let Some(root) = self.root(vm, draft, invokable, place) else {
                    return false;
                };
                draft.concrete.input.roots.push(root);
            }
        }
        self.add(vm, draft, statement);
        true
    }

    /// Adds a statement whose values the draft has already.
    pub fn add(&self, vm: &mut Vm, draft: &mut Draft, statement: Statement) {
        let place = draft.concrete.statements.len();
        let class = match self.plan.roles[statement.invokable].gives_object {
            true => self.declared(vm, statement.invokable),
            false => None,
        };
        self.plan
            .serve(&draft.concrete.statements, &statement, &mut draft.objects);
        draft.objects.extend(class.map(|class| (place, class)));
        draft.concrete.statements.push(statement);
    }

    /// Returns the class of the result of an invokable, as declared.
    pub fn declared(&self, vm: &mut Vm, invokable: usize) -> Option<ClassId> {
        let invokable = &self.plan.invokables[invokable];
        match &invokable.stub {
            Some(Stub::Anonymous(stub)) => Some(stub.class),
            _ => {
                let result = invokable.result.as_deref()?;
                vm.load_class(descriptor::class_name(result)).ok()
            }
        }
    }

    /// Returns the value of an open argument, with its name.
    fn root(
        &mut self,
        vm: &mut Vm,
        draft: &mut Draft,
        invokable: usize,
        place: usize,
    ) -> Option<(String, InputValue)> {
        let (parameter, name) = self.plan.taking(invokable, place)?;
        if self.random.is_likely(self.again) {
            let mut same = self.plan.values_of(&draft.concrete, parameter.descriptor);
            let roots = &draft.concrete.input.roots;
            let is_named = |number: &usize| roots[*number].0 == name;
            if same.iter().any(is_named) && self.random.is_likely(SAME_NAME) {
                same.retain(is_named);
            }
            if let Some(&number) = self.random.pick(&same) {
                let value = draft.concrete.input.roots[number].1.clone();
                return Some((name.to_owned(), value));
            }
        }
        let input = &mut draft.concrete.input;
        let value = self.values.fresh(vm, self.random, parameter, input);
        Some((name.to_owned(), value))
    }

    fn arguments(
        &mut self,
        vm: &mut Vm,
        draft: &mut Draft,
        invokable: usize,
        depth: usize,
    ) -> Option<Vec<StatementArgument>> {
        let plan = self.plan;
        match &plan.invokables[invokable].kind {
            StatementKind::StoreElement(_) => return None,
            StatementKind::NewArray(_) => {
                let length = self.random.below(plan.max_elements + 1);
                let elements = (0..length).map(|_| self.argument(vm, draft, invokable, 0, depth));
                return elements.collect();
            }
            _ => {}
        }
        let inputs = plan.invokables[invokable].script_inputs();
        let (before, inputs) = inputs.unwrap_or((usize::MAX, Vec::new()));
        let mut answers = 0;
        let mut arguments = Vec::new();
        for place in 0..plan.roles[invokable].takes.len() {
            let input = place.checked_sub(before);
            let input = input.and_then(|place| inputs.get(place));
            let is_answer = input.is_some_and(|(_, input)| *input == AnswerInput::Object);
            // Later calls return the same object.
            if input.is_some_and(|(_, input)| *input == AnswerInput::Later) {
                arguments.push(StatementArgument::Null);
                continue;
            }
            // The other methods of a scripted stub return null or a lambda.
            if is_answer && (answers >= ANSWERS || self.random.is_likely(50)) {
                arguments.push(match plan.roles[invokable].takes[place].is_open {
                    true => StatementArgument::Open,
                    false => StatementArgument::Null,
                });
                continue;
            }
            answers += usize::from(is_answer);
            arguments.push(self.argument(vm, draft, invokable, place, depth)?);
        }
        Some(arguments)
    }

    /// Returns an argument: a value, an object that the draft has, a new one, or null.
    fn argument(
        &mut self,
        vm: &mut Vm,
        draft: &mut Draft,
        invokable: usize,
        place: usize,
        depth: usize,
    ) -> Option<StatementArgument> {
        let taking = &self.plan.roles[invokable].takes[place];
        let known = self.plan.fitting(vm, taking, draft);
        if taking.is_open && (known.is_empty() || !self.random.is_likely(NEWEST)) {
            return Some(StatementArgument::Open);
        }
        let null = taking.is_nullable && self.values.is_nullable;
        if null && self.random.is_likely(NULL) {
            return Some(StatementArgument::Null);
        }
        if !known.is_empty() && (taking.is_open || self.random.is_likely(KNOWN)) {
            let newest = known.last().filter(|_| self.random.is_likely(NEWEST));
            let place = newest.or_else(|| self.random.pick(&known)).copied()?;
            return Some(StatementArgument::Result(place));
        }
        if let Some(place) = self.created(vm, draft, invokable, place, depth) {
            return Some(StatementArgument::Result(place));
        }
        match self.random.pick(&known) {
            Some(&place) => Some(StatementArgument::Result(place)),
            None if null => Some(StatementArgument::Null),
            None => None,
        }
    }

    /// Appends statements that create an object for a parameter; returns the place of the last.
    fn created(
        &mut self,
        vm: &mut Vm,
        draft: &mut Draft,
        invokable: usize,
        place: usize,
        depth: usize,
    ) -> Option<usize> {
        let givers = self.criteria.givers(invokable, place)?;
        let givers: Vec<usize> = givers.members().collect();
        for _ in 0..GIVERS {
            let giver = *self.random.pick(&givers)?;
            let before = draft.clone();
            let class = self.declared(vm, giver);
            let role = &self.plan.roles[giver];
            let taking = &self.plan.roles[invokable].takes[place];
            let fits = class.is_some_and(|class| taking.accepts(vm, class));
            if fits && taking.holds(role) && self.append_at(vm, draft, giver, depth + 1) {
                let made = draft.concrete.statements.len() - 1;
                self.fill(vm, draft, made, depth);
                return Some(made);
            }
            *draft = before;
        }
        None
    }

    /// Appends statements that fill a collection created for an argument.
    fn fill(&mut self, vm: &mut Vm, draft: &mut Draft, made: usize, depth: usize) {
        let plan = self.plan;
        let maker = draft.concrete.statements[made].invokable;
        let Some(&(_, class)) = draft.objects.iter().find(|object| object.0 == made) else {
            return;
        };
        if !plan.is_support(&draft.concrete.statements[made]) {
            return;
        }
        let fills = |number: &usize| {
            let invokable = &plan.invokables[*number];
            invokable.contents == plan.invokables[maker].contents
                && invokable.kind.has_receiver()
                && !plan.roles[*number].gives_object
                && plan.roles[*number].takes[0].accepts(vm, class)
        };
        let fillers: Vec<usize> = (0..plan.invokables.len()).filter(fills).collect();
        for _ in 0..self.random.below(plan.max_elements + 1) {
            let Some(&filler) = self.random.pick(&fillers) else {
                return;
            };
            let before = draft.clone();
            if !self.append_at(vm, draft, filler, depth + 1) {
                *draft = before;
                return;
            }
            // The receiver is the collection, whichever fits.
            let roots = draft.concrete.statements.last_mut();
            if let Some(last) = roots {
                last.arguments[0] = StatementArgument::Result(made);
            }
        }
    }
}

impl SearchPlan {
    /// Returns the numbers of the values of a sequence whose parameters have a descriptor.
    pub(super) fn values_of(&self, concrete: &Concrete, descriptor: &str) -> Vec<usize> {
        let places = open_places(&concrete.statements).enumerate();
        let same = places.filter(|(_, (invokable, place))| {
            let parameter = self.open_parameter(*invokable, *place);
            parameter.is_some_and(|(other, _)| other == descriptor)
        });
        same.map(|(number, _)| number).collect()
    }

    /// Returns the statements of a draft whose results fit a parameter.
    pub(super) fn fitting(
        &self,
        vm: &Vm,
        taking: &crate::sequences::plan::ArgumentSource,
        draft: &Draft,
    ) -> Vec<usize> {
        let objects = draft.objects.iter().filter(|&&(place, class)| {
            let maker = draft.concrete.statements[place].invokable;
            taking.accepts(vm, class) && taking.holds(&self.roles[maker])
        });
        objects.map(|&(place, _)| place).collect()
    }
}
