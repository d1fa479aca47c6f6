//! Sequences such as people write first: every argument is an object with usual values, collections
//! hold few different things, and collaborators answer.
//!
//! Calls that only return in the normal case need many arguments to be right at once: two accounts of
//! the same currency with enough money, a period that ends after it begins. Values made for people
//! often are, where those that a solver needs one by one, or random ones, seldom do; and as they
//! differ from each other, they show which of two was used.
//!
//! **Invariant:** the sequences claim nothing, see [`super`].

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Vm};

use super::drafts::{Draft, Drafter};
use super::numbers::Random;
use super::runs::Way;
use super::usual_values::WORDS;
use super::values::{DRAWS, is_known};
use super::{LastCall, PATIENCE, RandomSearch};
use crate::Error;
use crate::functional::AnswerInput;
use crate::sequences::analysis::effects::FieldKey;
use crate::sequences::explore::collaborators::{Asked, asked_by, is_any_asked, is_asked};
use crate::sequences::explore::outcome::SearchCounts;
use crate::sequences::explore::populated::field_use;
use crate::sequences::explore::search::Explorer;
use crate::sequences::model::Concrete;
use crate::sequences::plan::SearchPlan;
use crate::statements::{Statement, StatementArgument, StatementKind, is_any};
use crate::symbolic::{Contents, InputValue};

/// Numbers of sequences for each method under test, and of those in vain after which it has no more.
const RUNS: usize = 400;
const IN_VAIN: usize = 120;
/// Maximum numbers of sequences of a method that are kept for the suite, and of those that run in one way.
const KEPT: usize = 8;
const ALIKE: usize = 2;
/// Maximum number of runs of a sequence until the call under test begins.
const REPAIRS: usize = 12;
/// Maximum number of statements of a sequence, and of nested ones that make arguments.
const STATEMENTS: usize = 56;
const DEPTH: usize = 8;
/// Share of objects that a sequence has already among arguments, in percent, and of values.
const AGAIN: usize = 25;
/// Their share where one is a collaborator, and where the sequence has this number of statements, in percent.
const SAME_STUB: usize = 80;
const SAME_OBJECT: usize = 60;
const SPARING: usize = 24;
/// Share of answers that are none: null, or an exception, in percent.
const NO_ANSWER: usize = 4;
/// Share of stubs' methods that return another object from the second call on, in percent.
const OTHERS: usize = 35;
/// Maximum number of texts that are known of a parameter, and their share among its texts, in percent.
const TEXTS: usize = 8;
const AGAIN_TEXTS: usize = 50;
/// Share of sequences whose texts and numbers are plain, in percent.
const PLAIN: usize = 80;
/// Share of calls of a stub that answer as the one before, in percent.
const ALIKE_ANSWERS: usize = 60;
/// Share of sequences with two arguments exchanged where these are refused, in percent.
const EXCHANGED: usize = 50;
/// Share of real objects where there are stubs, in percent.
const REAL: usize = 30;
/// Weight of what makes objects of a user's values among what makes others, each of which weighs
/// [`REAL`] at most.
const GIVEN: usize = 300;
/// Share of the setters of an object that are called, in percent.
const SET: usize = 60;
/// Share of the setters of a builder that are called, in percent.
const BUILT: usize = 85;
/// Maximum number of setters of an object that are called.
const SETTERS: usize = 10;
/// Numbers of elements of collections.
const ELEMENTS: [usize; 8] = [2, 2, 2, 3, 1, 1, 0, 0];

/// Share of collections with a number of elements that is a constant of the code or one more, in percent.
const COUNTED: usize = 12;
/// Share of texts that are part of another one of the sequence, or have it as a part, in percent.
const RELATED: usize = 4;

/// Share of objects of a class that the code asks for where any are taken, in percent.
const CAST: usize = 85;

/// Texts by invokable and place.
type KnownTexts = BTreeMap<(usize, usize), VecDeque<Vec<u16>>>;

/// What a method under test asks of its arguments.
#[derive(Clone, Copy)]
struct Wanted<'w> {
    /// The methods of stubs that it may ask.
    asked: &'w Asked,
    /// The calls that put something into an object where it reads it.
    setters: &'w [usize],
    /// The classes of the program of which it may want arguments of any type to be.
    casts: &'w [ClassId],
}

/// Usual sequences of the methods under test.
#[derive(Default)]
pub(super) struct UsualSequences {
    /// Those kept for the suite, by method, with the numbers of places that they passed.
    kept: BTreeMap<usize, Vec<(usize, Concrete)>>,
    /// The numbers of those that ran in one way.
    ways: BTreeMap<(usize, u64), usize>,
    /// Texts with which calls before those under test returned or led to something new, the last ones first,
    /// by invokable and place.
    texts: KnownTexts,
    /// Invokables that threw before a call under test.
    throwing: BTreeSet<usize>,
}

impl UsualSequences {
    /// Returns the sequences.
    pub fn all(&self) -> Vec<Concrete> {
        let kept = self.kept.values().flatten();
        kept.map(|(_, concrete)| concrete.clone()).collect()
    }

    /// Notes the texts of a sequence's calls before the last one: of those that may throw, or of all where
    /// the last one ran in a new way.
    fn note_texts(&mut self, concrete: &Concrete, is_new: bool) {
        let before = concrete.statements.len().saturating_sub(1);
        for (number, statement) in concrete.statements[..before].iter().enumerate() {
            if !is_new && !self.throwing.contains(&statement.invokable) {
                continue;
            }
            let open = statement.arguments.iter().enumerate();
            let open = open.filter(|(_, argument)| **argument == StatementArgument::Open);
            for ((place, _), (_, contents)) in open.zip(concrete.values(number)) {
                let Some(Contents::Text(units)) = contents else {
                    continue;
                };
                let known = { &mut self.texts }.entry((statement.invokable, place));
                let known = known.or_default();
                if !known.contains(units) {
                    known.push_front(units.clone());
                    known.truncate(TEXTS);
                }
            }
        }
    }

    /// Adds a sequence if its call runs in another way, or one that does more than another one there; returns
    /// whether its way is new.
    fn add(&mut self, number: usize, way: Way, concrete: Concrete) -> bool {
        let ran = self.ways.entry((number, way.hash)).or_default();
        *ran += 1;
        let (is_new, is_rare) = (*ran == 1, *ran <= ALIKE);
        self.note_texts(&concrete, is_new);
        if way.throws || !is_rare {
            return is_new;
        }
        let kept = self.kept.entry(number).or_default();
        if kept.len() == KEPT {
            let least = (0..KEPT).rev().min_by_key(|&place| kept[place].0);
            match least.filter(|&least| kept[least].0 < way.places) {
                Some(least) => drop(kept.remove(least)),
                None => return is_new,
            }
        }
        kept.push((way.places, concrete));
        is_new
    }
}

impl<'a> RandomSearch<'a> {
    /// Runs usual sequences of each method under test.
    pub(super) fn run_usual(
        &mut self,
        vm: &mut Vm,
        explorer: &mut Explorer<'a>,
        stops: &mut dyn FnMut(&SearchCounts) -> bool,
    ) -> Result<(), Error> {
        self.aim(explorer);
        let setters = self.setters(vm);
        for number in self.tested.clone() {
            // What constructors do shows in the calls on their objects.
            let is_constructor = self.plan.invokables[number].kind.is_constructor();
            if is_constructor || !takes_objects(self.plan, number) {
                continue;
            }
            let effects = explorer.effects.get(number);
            let asked = asked_by(vm, effects);
            let casts = effects.into_iter().flat_map(|effects| &effects.casts);
            let casts: Vec<ClassId> = casts
                .copied()
                .filter(|&class| vm.is_app_class(class))
                .collect();
            let read = match self.plan.roles[number].under_test {
                Some(method) => field_use(vm, method).read,
                None => BTreeSet::new(),
            };
            let setters = setters.iter();
            let setters = setters.filter(|(_, written)| !written.is_disjoint(&read));
            let setters: Vec<usize> = setters.map(|(number, _)| *number).collect();
            let of = Wanted {
                asked: &asked,
                setters: &setters,
                casts: &casts,
            };
            let mut in_vain = 0;
            for run in 0..RUNS {
                if run % PATIENCE as usize == 0 && stops(&explorer.progress.counts) {
                    return Ok(());
                }
                if in_vain >= IN_VAIN {
                    break;
                }
                in_vain += 1;
                let Some(concrete) = self.usual_sequence(vm, number, of) else {
                    continue;
                };
                let concrete = self.run_repaired(vm, explorer, concrete, of)?;
                if let Some(LastCall::Ran(way)) = self.last_call
                    && self.usual.add(number, way, concrete)
                {
                    in_vain = 0;
                }
            }
        }
        Ok(())
    }

    /// Runs a sequence. If a statement before the last one throws, the sequence is run without it, or with
    /// other values for it.
    fn run_repaired(
        &mut self,
        vm: &mut Vm,
        explorer: &mut Explorer<'a>,
        mut concrete: Concrete,
        of: Wanted<'_>,
    ) -> Result<Concrete, Error> {
        for _ in 0..REPAIRS {
            self.last_call = None;
            self.try_out(vm, explorer, &concrete, None)?;
            let Some(LastCall::NotBegun(failed)) = self.last_call else {
                break;
            };
            self.usual
                .throwing
                .insert(concrete.statements[failed].invokable);
            let repaired = match concrete.without(failed) {
                Some(shorter) => Some(shorter),
                None => self.revalued(vm, &concrete, failed, of),
            };
            match repaired {
                Some(repaired) => concrete = repaired,
                None => break,
            }
            super::values::compacted(&mut concrete.input);
        }
        Ok(concrete)
    }

    /// Returns a sequence with two objects exchanged that a statement takes, or with other values in it and in
    /// the statements that make its arguments.
    fn revalued(
        &mut self,
        vm: &mut Vm,
        concrete: &Concrete,
        number: usize,
        of: Wanted<'_>,
    ) -> Option<Concrete> {
        if self.random.is_likely(EXCHANGED)
            && let Some(exchanged) = exchanged(concrete, number)
        {
            return Some(exchanged);
        }
        let mut draft = Draft {
            concrete: concrete.clone(),
            objects: Vec::new(),
        };
        let values = self.drafting(of, |drafter| {
            let mut values = Vec::new();
            let mut makers = vec![number];
            while let Some(maker) = makers.pop() {
                let statement = &concrete.statements[maker];
                let invokable = statement.invokable;
                let mut roots = concrete.places(maker);
                let is_stub = drafter.drafter.plan.invokables[invokable].stub.is_some();
                for (place, argument) in statement.arguments.iter().enumerate() {
                    match argument {
                        StatementArgument::Result(other) if !is_stub => makers.push(*other),
                        StatementArgument::Open => {
                            let value = drafter.root(vm, &mut draft, None, invokable, place);
                            let root = roots.next();
                            values.extend(root.zip(value.filter(|_| !is_stub)));
                        }
                        _ => {}
                    }
                }
            }
            values
        });
        let mut is_changed = false;
        for (root, value) in values {
            is_changed |= value != concrete.input.roots[root];
            draft.concrete.input.roots[root] = value;
        }
        is_changed.then_some(draft.concrete)
    }

    /// Returns the calls that may put a value into an object of the program, with the fields that they write.
    fn setters(&self, vm: &mut Vm) -> Vec<(usize, BTreeSet<FieldKey>)> {
        let mut setters = Vec::new();
        for (number, one) in self.plan.invokables.iter().enumerate() {
            let StatementKind::Call(call) = one.kind else {
                continue;
            };
            let is_setter = call.has_receiver()
                && one.result.is_none()
                && one.parameters.len() == 2
                && vm.is_app_class(call.class);
            if !is_setter {
                continue;
            }
            // A method under test that does more than that has tests of its own.
            let is_tested = self.plan.roles[number].under_test.is_some();
            let used = field_use(vm, call.method);
            if !is_tested || used.read.is_empty() {
                setters.push((number, used.written));
            }
        }
        setters
    }

    /// Drafts with usual arguments for a call that asks something of them.
    fn drafting<T>(
        &mut self,
        wanted: Wanted<'_>,
        drafts: impl FnOnce(&mut UsualDrafter<'_, 'a>) -> T,
    ) -> T {
        let is_plain = self.random.is_likely(PLAIN);
        let usual = std::mem::take(&mut self.usual);
        let made = drafts(&mut UsualDrafter {
            drafter: self.drafter(),
            wanted,
            usual: &usual,
            is_plain,
        });
        self.usual = usual;
        made
    }

    /// Returns a sequence that calls a method under test.
    fn usual_sequence(&mut self, vm: &mut Vm, number: usize, of: Wanted<'_>) -> Option<Concrete> {
        let mut draft = Draft::default();
        let calls = self.plan.setup.into_iter().chain([number]);
        let is_made = self.drafting(of, |drafter| {
            let mut is_made = true;
            for call in calls {
                is_made &= drafter.call(vm, &mut draft, call, 0);
            }
            is_made
        });
        let mut concrete = draft.concrete;
        super::values::compacted(&mut concrete.input);
        is_made.then_some(concrete)
    }
}

/// Returns a sequence with two objects exchanged that equal calls made and a statement takes.
fn exchanged(concrete: &Concrete, number: usize) -> Option<Concrete> {
    let arguments = &concrete.statements[number].arguments;
    let maker = |place: usize| match arguments[place] {
        StatementArgument::Result(made) => Some((made, concrete.statements[made].invokable)),
        _ => None,
    };
    let mut pairs = (1..arguments.len()).filter_map(|place| {
        let (before, after) = (maker(place - 1)?, maker(place)?);
        (before.1 == after.1 && before.0 != after.0).then_some(place)
    });
    let place = pairs.next()?;
    let mut exchanged = concrete.clone();
    exchanged.statements[number]
        .arguments
        .swap(place - 1, place);
    Some(exchanged)
}

/// Whether a call takes objects that statements make, apart from its receiver, or stubs may be in that.
fn takes_objects(plan: &SearchPlan, number: usize) -> bool {
    let has_stubs = plan.invokables.iter().any(|one| one.stub.is_some());
    let invokable = &plan.invokables[number];
    let mut takes = plan.roles[number].takes.iter().zip(&invokable.parameters);
    takes.any(|(taking, parameter)| !taking.is_open && (has_stubs || !parameter.is_receiver))
}

/// Appends calls with usual arguments to drafts.
struct UsualDrafter<'d, 'a> {
    drafter: Drafter<'d, 'a>,
    wanted: Wanted<'d>,
    /// What is known of sequences before.
    usual: &'d UsualSequences,
    /// Whether texts and numbers are plain, and none of the code's.
    is_plain: bool,
}

impl UsualDrafter<'_, '_> {
    /// Appends a call with the statements that make its arguments; returns whether this is possible.
    fn call(&mut self, vm: &mut Vm, draft: &mut Draft, number: usize, depth: usize) -> bool {
        self.call_on(vm, draft, number, None, depth)
    }

    /// Appends a call, on a given receiver if there is one.
    fn call_on(
        &mut self,
        vm: &mut Vm,
        draft: &mut Draft,
        number: usize,
        receiver: Option<usize>,
        depth: usize,
    ) -> bool {
        if depth > DEPTH {
            return false;
        }
        let plan = self.drafter.plan;
        let invokable = &plan.invokables[number];
        let mut arguments = Vec::new();
        let mut roots: Vec<(String, InputValue)> = Vec::new();
        let count = match invokable.kind {
            StatementKind::StoreElement(_) => return false,
            StatementKind::NewArray(_) => self.few(),
            _ => plan.roles[number].takes.len(),
        };
        let (before, inputs) = invokable.script_inputs().unwrap_or((count, Vec::new()));
        // Whether the calls of a stub's method return a parameter, and its first object with its place.
        let mut returns_parameter = false;
        let mut first: Option<(usize, StatementArgument)> = None;
        let mut is_kept = true;
        for at in 0..count {
            let place = match invokable.kind {
                StatementKind::NewArray(_) => 0,
                _ => at,
            };
            let input = at.checked_sub(before).and_then(|place| inputs.get(place));
            let argument = match (receiver, input) {
                (Some(receiver), _) if at == 0 => StatementArgument::Result(receiver),
                (_, Some(&(method, input))) => {
                    let truth = match input {
                        AnswerInput::IsThrowing(_) => Some(self.is_likely(NO_ANSWER)),
                        AnswerInput::IsKept => {
                            let is_made = matches!(first, Some((_, StatementArgument::Result(_))));
                            is_kept = !is_made || !self.is_likely(OTHERS);
                            Some(is_kept)
                        }
                        AnswerInput::IsParameter => Some(returns_parameter),
                        AnswerInput::Value(_) | AnswerInput::Object | AnswerInput::Later => None,
                    };
                    let is_asked = is_asked(vm, self.wanted.asked, method.method);
                    let is_open = plan.roles[number].takes[place].is_open;
                    if let Some(truth) = truth {
                        roots.push((
                            self.name(number, place),
                            InputValue::Primitive(Kind::Boolean, u64::from(truth)),
                        ));
                        StatementArgument::Open
                    } else if input == AnswerInput::Later {
                        let of_first = first.filter(|_| !is_kept && !self.is_likely(NO_ANSWER));
                        let made = of_first
                            .and_then(|(place, _)| self.object(vm, draft, number, place, depth));
                        made.map_or(StatementArgument::Null, StatementArgument::Result)
                    } else if input == AnswerInput::Object && !is_open {
                        let script = method.script.as_ref();
                        returns_parameter = script
                            .is_some_and(|it| it.returned_parameter.is_some())
                            && self.is_likely(60);
                        let is_none = !is_asked || returns_parameter || self.is_likely(NO_ANSWER);
                        let made = match is_none {
                            true => None,
                            false => self.object(vm, draft, number, place, depth),
                        };
                        let made = made.map_or(StatementArgument::Null, StatementArgument::Result);
                        first = Some((place, made));
                        made
                    } else {
                        let answered = match input {
                            AnswerInput::Value(1..) => roots.last(),
                            _ => None,
                        };
                        let Some(root) = self.root(vm, draft, answered, number, place) else {
                            return false;
                        };
                        roots.push(root);
                        StatementArgument::Open
                    }
                }
                _ if plan.roles[number].takes[place].is_open => {
                    if let Some(object) = self.wanted_object(vm, draft, (number, place), depth) {
                        arguments.push(StatementArgument::Result(object));
                        continue;
                    }
                    let Some(root) = self.root(vm, draft, None, number, place) else {
                        return false;
                    };
                    roots.push(root);
                    StatementArgument::Open
                }
                _ => match self.object(vm, draft, number, place, depth) {
                    Some(object) => StatementArgument::Result(object),
                    None if plan.roles[number].takes[place].is_nullable
                        && self.drafter.values.is_nullable =>
                    {
                        StatementArgument::Null
                    }
                    None => return false,
                },
            };
            arguments.push(argument);
        }
        if draft.concrete.statements.len() >= STATEMENTS {
            return false;
        }
        draft.concrete.input.roots.extend(roots);
        let statement = Statement {
            invokable: number,
            arguments,
        };
        self.drafter.add(vm, draft, statement);
        true
    }

    fn is_likely(&mut self, percent: usize) -> bool {
        self.drafter.random.is_likely(percent)
    }

    fn few(&mut self) -> usize {
        let Drafter { values, random, .. } = &mut self.drafter;
        if random.is_likely(COUNTED)
            && let Some(count) = values.count(random)
        {
            return count;
        }
        let few = random.pick(&ELEMENTS);
        few.copied()
            .unwrap_or_default()
            .min(self.drafter.plan.max_elements)
    }

    fn name(&self, number: usize, place: usize) -> String {
        let parameter = self.drafter.plan.open_parameter(number, place);
        parameter.map_or_else(String::new, |(_, name)| name.to_owned())
    }

    /// Returns a value with the name of its parameter: a usual one, one that the sequence has for another
    /// parameter of this name, or what the call before `answered`.
    fn root(
        &mut self,
        vm: &mut Vm,
        draft: &mut Draft,
        answered: Option<&(String, InputValue)>,
        number: usize,
        place: usize,
    ) -> Option<(String, InputValue)> {
        let plan = self.drafter.plan;
        let (parameter, name) = plan.taking(number, place)?;
        let is_truth = Kind::of(parameter.descriptor) == Kind::Boolean;
        if !is_truth && self.is_likely(AGAIN) {
            let same = plan.values_of(&draft.concrete, parameter.descriptor);
            let same = same.into_iter();
            let same = same.map(|value| &draft.concrete.input.roots[value]);
            let same: Vec<&(String, InputValue)> =
                same.filter(|(other, _)| other == name).collect();
            if let Some(&known) = self.drafter.random.pick(&same) {
                return Some(known.clone());
            }
        }
        if let Some(last) = answered.filter(|_| self.is_likely(ALIKE_ANSWERS)) {
            return Some(last.clone());
        }
        let mut value = self.value(vm, draft, number, place)?;
        // Values that differ show which of two was used. Parts of dates are no values of their own.
        let is_part = plan.invokables[number].parameters.len() > 1
            && plan.usual(vm, (number, place), name).is_of_jdk;
        for _ in 1..DRAWS {
            if is_part || !is_known(&draft.concrete.input, name, &value) {
                break;
            }
            value = self.value(vm, draft, number, place)?;
        }
        Some((name.to_owned(), value))
    }

    /// Returns a usual value for a parameter.
    fn value(
        &mut self,
        vm: &mut Vm,
        draft: &mut Draft,
        number: usize,
        place: usize,
    ) -> Option<InputValue> {
        let plan = self.drafter.plan;
        let (parameter, name) = plan.taking(number, place)?;
        let usual = plan.usual(vm, (number, place), name);
        let Drafter { values, random, .. } = &mut self.drafter;
        let input = &mut draft.concrete.input;
        let mut value = values.fresh(vm, random, parameter, input);
        if value == InputValue::Null {
            value = values.fresh(vm, random, parameter, input);
        }
        let is_plain = self.is_plain;
        values.make_usual(
            vm,
            random,
            (parameter, usual),
            (&mut value, input),
            is_plain,
        );
        let known = input.roots.iter();
        let known = known.filter_map(|(_, root)| input.text(root));
        let known: Vec<Vec<u16>> = known.map(<[u16]>::to_vec).collect();
        if parameter.given.is_empty()
            && let InputValue::Object(object) = value
            && let Contents::Text(units) = &mut input.objects[object].contents
        {
            if random.is_likely(RELATED)
                && !parameter.is_parsed
                && let Some(other) = random.pick(&known)
            {
                *units = related(random, other, units);
            }
            let known = self.usual.texts.get(&(number, place));
            // What a call refused it may parse, or it is of a usual length.
            let parsed = random.pick(parameter.parsed);
            let refused = self.usual.throwing.contains(&number);
            if let Some(known) = known.filter(|_| random.is_likely(AGAIN_TEXTS)) {
                units.clone_from(&known[random.below(known.len())]);
            } else if let Some(&parsed) = parsed.filter(|_| refused && random.is_likely(50)) {
                *units = vm.string_units(parsed);
            } else if refused && random.is_likely(25) {
                let word = random.pick(&WORDS).copied().unwrap_or_default();
                *units = word.encode_utf16().collect();
            }
        }
        Some(value)
    }

    /// Returns the statement that makes an object for a place: one that the draft has, or a new one.
    fn object(
        &mut self,
        vm: &mut Vm,
        draft: &mut Draft,
        number: usize,
        place: usize,
        depth: usize,
    ) -> Option<usize> {
        let plan = self.drafter.plan;
        let taking = &plan.roles[number].takes[place];
        let is_receiver = plan.invokables[number]
            .parameters
            .get(place)
            .is_some_and(|parameter| parameter.is_receiver);
        let known = plan.fitting(vm, taking, draft);
        let is_stub = |made: &usize| {
            let maker = draft.concrete.statements[*made].invokable;
            plan.invokables[maker].scripted_stub().is_some()
        };
        let again = match draft.concrete.statements.len() {
            _ if known.iter().any(is_stub) => SAME_STUB,
            SPARING.. => SAME_OBJECT,
            _ => AGAIN,
        };
        if !is_receiver
            && self.is_likely(again)
            && let Some(&known) = self.drafter.random.pick(&known)
        {
            return Some(known);
        }
        let mut givers = self.givers(vm, number, place);
        while !givers.is_empty() {
            let at = self.choice(vm, &givers);
            let giver = givers.remove(at);
            let before = draft.clone();
            if self.call(vm, draft, giver, depth + 1) {
                let made = draft.concrete.statements.len() - 1;
                // A builder is an object that is made to make another one.
                let is_builder = is_receiver && plan.roles[number].under_test.is_none();
                self.complete(vm, draft, (made, is_builder), depth);
                return Some(made);
            }
            *draft = before;
        }
        let known = plan.fitting(vm, taking, draft);
        self.drafter.random.pick(&known).copied()
    }

    /// Returns the statement that makes an object for a place of the method under test that takes any, of a class
    /// for which its code asks.
    fn wanted_object(
        &mut self,
        vm: &mut Vm,
        draft: &mut Draft,
        (number, place): (usize, usize),
        depth: usize,
    ) -> Option<usize> {
        let plan = self.drafter.plan;
        plan.roles[number].under_test?;
        let (descriptor, _) = plan.open_parameter(number, place)?;
        let casts = self.wanted.casts;
        let takes_any = is_any(descriptor::class_name(descriptor));
        if casts.is_empty() || !takes_any || !self.is_likely(CAST) {
            return None;
        }
        let all = plan.invokables.iter().enumerate();
        let makers = all.filter(|(maker, one)| {
            let makes = plan.roles[*maker].gives_object && one.stub.is_none();
            makes && !one.kind.has_receiver() && *maker != number
        });
        let makers: Vec<usize> = makers.map(|(maker, _)| maker).collect();
        let is_wanted = |vm: &mut Vm, maker: usize| {
            let class = self.drafter.declared(vm, maker);
            class.is_some_and(|class| casts.iter().any(|&cast| vm.is_subclass(class, cast)))
        };
        let makers = makers.into_iter().filter(|&maker| is_wanted(vm, maker));
        let makers: Vec<usize> = makers.collect();
        let maker = *self.drafter.random.pick(&makers)?;
        let before = draft.clone();
        if self.call(vm, draft, maker, depth + 1) {
            let made = draft.concrete.statements.len() - 1;
            self.complete(vm, draft, (made, false), depth);
            return Some(made);
        }
        *draft = before;
        None
    }

    /// Returns the statements that make objects for a place: of those that take no other object of the
    /// program to ask it, if there are such.
    fn givers(&self, vm: &mut Vm, number: usize, place: usize) -> Vec<usize> {
        let plan = self.drafter.plan;
        let taking = &plan.roles[number].takes[place];
        let Some(all) = self.drafter.criteria.givers(number, place) else {
            return Vec::new();
        };
        let fits = |giver: &usize| {
            let class = self.drafter.declared(vm, *giver);
            class.is_some_and(|class| taking.accepts(vm, class))
                && taking.holds(&plan.roles[*giver])
        };
        let mut fitting: Vec<usize> = all.members().filter(fits).collect();
        // Collections of the right contents precede other objects of their types.
        let holds = |giver: &usize| !plan.invokables[*giver].contents.is_empty();
        if !taking.contents.is_empty() && fitting.iter().any(holds) {
            fitting.retain(holds);
        }
        let makes = |giver: &usize| !plan.invokables[*giver].kind.has_receiver();
        if fitting.iter().any(makes) {
            fitting.retain(makes);
        }
        fitting
    }

    /// Chooses one of the statements that make an object: stubs that are asked, what holds something, and
    /// what takes the most.
    fn choice(&mut self, vm: &Vm, givers: &[usize]) -> usize {
        let plan = self.drafter.plan;
        let weight = |giver: usize| {
            let invokable = &plan.invokables[giver];
            match invokable.scripted_stub() {
                Some(stub) if is_any_asked(vm, self.wanted.asked, stub) => 100 - REAL,
                Some(_) => 1,
                None if plan.has_given(giver) => GIVEN,
                None if matches!(invokable.kind, StatementKind::Constant(..)) => REAL,
                None => REAL.min(3 + 9 * plan.roles[giver].takes.len()),
            }
        };
        let weights: Vec<usize> = givers.iter().map(|&giver| weight(giver)).collect();
        let mut drawn = self.drafter.random.below(weights.iter().sum());
        for (at, &weight) in weights.iter().enumerate() {
            if drawn < weight {
                return at;
            }
            drawn -= weight;
        }
        0
    }

    /// Puts elements into a new collection, and values into a new object of the program, which may be a
    /// builder.
    fn complete(
        &mut self,
        vm: &mut Vm,
        draft: &mut Draft,
        (made, is_builder): (usize, bool),
        depth: usize,
    ) {
        let plan = self.drafter.plan;
        let Some(&(_, class)) = draft.objects.iter().find(|object| object.0 == made) else {
            return;
        };
        let maker = draft.concrete.statements[made].invokable;
        let calls: Vec<usize> = match plan.is_support(&draft.concrete.statements[made]) {
            // What holds anything holds what nobody knows.
            true if plan.holds_anything(maker) => return,
            true => {
                let fillers = plan.on(vm, class, |one| {
                    one.contents == plan.invokables[maker].contents
                });
                let Some(&filler) = self.drafter.random.pick(&fillers) else {
                    return;
                };
                vec![filler; self.few()]
            }
            false if vm.is_app_class(class) && plan.invokables[maker].stub.is_none() => {
                let mut setters = match is_builder {
                    true => plan.fluent(vm, class),
                    false => self.wanted.setters.to_vec(),
                };
                let share = if is_builder { BUILT } else { SET };
                setters.retain(|&setter| {
                    plan.roles[setter].takes[0].accepts(vm, class)
                        && self.drafter.random.is_likely(share)
                });
                setters.truncate(SETTERS);
                setters
            }
            false => return,
        };
        for call in calls {
            let before = draft.clone();
            if !self.call_on(vm, draft, call, Some(made), depth + 1) {
                *draft = before;
            }
        }
    }
}

/// Returns the beginning or a word of a text, or the text and a word.
fn related(random: &mut Random, text: &[u16], word: &[u16]) -> Vec<u16> {
    let space = u16::from(b' ');
    let words: Vec<&[u16]> = text.split(|unit| *unit == space).collect();
    match random.below(3) {
        0 => text[..text.len().div_ceil(2)].to_vec(),
        1 => random
            .pick(&words)
            .map_or_else(Vec::new, |word| word.to_vec()),
        _ => [word, text].join(&[space][..]),
    }
}

impl SearchPlan {
    /// Returns the calls on objects of a class that give no object and are of some kind.
    fn on(
        &self,
        vm: &Vm,
        class: ClassId,
        is_so: impl Fn(&crate::statements::Invokable) -> bool,
    ) -> Vec<usize> {
        let all = self.invokables.iter().enumerate();
        let own = all.filter(|(number, one)| {
            one.kind.has_receiver()
                && !self.roles[*number].gives_object
                && self.roles[*number].takes.len() > 1
                && self.roles[*number].takes[0].accepts(vm, class)
                && is_so(one)
        });
        own.map(|(number, _)| number).collect()
    }

    /// Returns the calls on objects of a class of the program with one argument that give an object of this
    /// class, the same as a rule.
    fn fluent(&self, vm: &Vm, class: ClassId) -> Vec<usize> {
        let all = self.invokables.iter().enumerate();
        let own = all.filter(|(number, one)| {
            let StatementKind::Call(call) = one.kind else {
                return false;
            };
            let result = descriptor::of_class(vm.class_name(call.class));
            call.has_receiver()
                && one.parameters.len() == 2
                && one.result.as_ref() == Some(&result)
                && self.roles[*number].takes[0].accepts(vm, class)
        });
        own.map(|(number, _)| number).collect()
    }
}
