//! Plan of a search: invokables with their roles, the classes of inputs, and statements for the
//! engine.

use std::collections::BTreeSet;

use heapwright_explore::symbolic::{ScriptAction, ScriptOperand, ScriptStep};
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::listing::{Invoke, ListedOperation};
use heapwright_jvm::{ClassId, MethodId, Ref, Vm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::answers::{joined, refused};
use super::argument_source::ArgumentSource;
use super::class_literals::ClassLiterals;
use super::given_values::{GivenValue, GivenValues};
use super::parsed_texts::ParsedTexts;
use super::role::{InvokableRole, Parsed};
use crate::Error;
use crate::functional::{AnswerInput, StubResult};
use crate::sequences::analysis::effects::FieldKey;
use crate::sequences::analysis::receivers::{is_constant, receivers};
use crate::sequences::analysis::static_analysis::Analysis;
use crate::sequences::callables::collections::given_contents;
use crate::sequences::callables::jdk_values;
use crate::sequences::callables::lambda_stubs::{LambdaStubs, declared};
use crate::sequences::model::{
    BoundExtension, Concrete, CoverageCriterion, SequencesRequest, ValuesByType,
};
use crate::signatures::Type;
use crate::statements::{
    AccessedField, AnonymousClass, CallKind, Invokable, Statement, StatementArgument,
    StatementKind, Stub, has_elements, has_lengths, is_any, is_enum, is_plain, is_plain_or_any,
    is_short, is_value, open_places,
};
use crate::symbolic::ClassUniverse;

/// Increase of cost at which stubs with scripts are created: after those that do the same on every
/// call.
const SCRIPTED: usize = 1;
/// Maximum number of texts of a user from which the solver chooses for a call.
const GIVEN_CHOICES: usize = 3;

/// Plan of a search.
#[derive(Clone)]
pub struct SearchPlan {
    /// The invokables that may be statements.
    pub invokables: Vec<Invokable>,
    /// The role of each invokable, by number.
    pub roles: Vec<InvokableRole>,
    /// Maximum number of objects that one invokable takes.
    pub joins: usize,
    /// The invokable that starts every sequence.
    pub setup: Option<usize>,
    /// Whether statements may be related without a shared object: through static fields or the
    /// setup statement.
    pub is_loose: bool,
    /// The classes whose static fields are part of a state.
    pub statics: Vec<ClassId>,
    /// Whether arguments range over all values and objects of their types. Only then does
    /// exhaustion of the search say anything about longer sequences.
    pub is_whole: bool,
    /// Extensions of the bounds, applied one after the other while goals are left.
    pub further: Vec<BoundExtension>,
    /// Whether statements may follow one that threw.
    pub after_exceptions: bool,
    /// Whether each possible object for an argument is tried separately, instead of leaving the
    /// choice to the solver (thesis, 3.2 and 4.4.2).
    pub simulates: bool,
    /// The classes and values over which inputs range.
    pub classes: ClassUniverse,
    /// Maximum number of elements of an array of objects, and of a collection created for an
    /// argument.
    pub max_elements: usize,
    values: ValuesByType,
    is_nullable: bool,
    /// Texts that parsers in the code accept.
    parsed: Vec<Vec<u16>>,
}

impl SearchPlan {
    /// Makes the plan for methods under test, each of which some invokable calls.
    ///
    /// # Errors
    /// A class is broken, or the setup method is not an invokable.
    pub fn new(
        vm: &mut Vm,
        analysis: &Analysis,
        under_test: &[MethodId],
        setup: Option<MethodId>,
        request: &SequencesRequest,
    ) -> Result<SearchPlan, Error> {
        let class = analysis.classes[0];
        let invokables = analysis.invokables.clone();
        let mut descriptors = Vec::new();
        let mut takes = Vec::new();
        let mut answers = LambdaStubs::default();
        let literals = ClassLiterals::of(vm, analysis);
        let values = GivenValues::of(vm, &request.given);
        let mut given: FxHashMap<ClassId, bool> = FxHashMap::default();
        let stubs = invokables.iter().filter_map(|one| match &one.stub {
            Some(Stub::Anonymous(class)) => Some(&**class),
            _ => None,
        });
        let stubs: Vec<&AnonymousClass> = stubs.collect();
        let mut results = analysis.classes.clone();
        for result in invokables.iter().filter_map(|one| one.result.as_deref()) {
            let class = vm.loaded_class(descriptor::class_name(result));
            results.extend(class.filter(|class| !results.contains(class)));
        }
        for (number, invokable) in invokables.iter().enumerate() {
            let mut own = Vec::new();
            if let StatementKind::NewArray(array) = &invokable.kind {
                // If the class is missing, statements that create the array are skipped later.
                let _ = vm.load_class(array);
            }
            let inputs = invokable.script_inputs();
            for (place, taken) in invokable.parameters.iter().enumerate() {
                let input = inputs
                    .as_ref()
                    .and_then(|(before, inputs)| Some(inputs.get(place.checked_sub(*before)?)?.1));
                // Only one place of a script holds objects.
                let is_scripted = input.is_some_and(|input| input != AnswerInput::Object);
                let is_value = !taken.is_receiver && is_value(vm, &taken.descriptor);
                if is_value {
                    descriptors.push(taken.descriptor.clone());
                }
                let stands = answers.stub_type_for(
                    vm,
                    invokable,
                    place,
                    &analysis.classes,
                    &mut descriptors,
                );
                let is_literal = literals.are_for(number, place);
                let is_open = is_value || stands.is_some() || is_literal;
                let is_reference = Kind::of(&taken.descriptor) == Kind::Reference;
                let bound = match is_reference {
                    true => vm
                        .load_class(descriptor::class_name(&taken.descriptor))
                        .ok(),
                    false => None,
                };
                // An enum constant is written by name, so results of other statements add nothing.
                let is_constant = is_value && bound.is_some_and(|bound| is_enum(vm, bound));
                let is_alone = match (bound, &stands) {
                    // The program's own statements may return other implementations.
                    (Some(bound), Some(_)) if taken.classes.as_deref() == Some(&[bound]) => true,
                    (Some(bound), Some(_)) => {
                        let known = given.entry(bound);
                        !*known.or_insert_with(|| is_given(vm, &invokables, bound))
                    }
                    _ => is_constant || is_literal || is_scripted,
                };
                let is_alone = is_alone || matches!(invokable.stub, Some(Stub::Lambda));
                let bound = bound.filter(|_| !is_alone);
                let input = stands
                    .or(literals.input_type(number, place))
                    .or_else(|| array_of_comparables(vm, invokable, place));
                own.push(ArgumentSource {
                    is_open,
                    is_nullable: is_reference && !taken.is_receiver,
                    has_identity: is_reference && is_plain_or_any(&taken.descriptor),
                    bound,
                    only: taken.classes.clone(),
                    contents: taken.contents.clone(),
                    stub_type: input.map(|class| descriptor::of_class(vm.class_name(class))),
                    refused: match bound {
                        Some(bound) => refused(vm, (&stubs, &results), invokable, place, bound),
                        None => Vec::new(),
                    },
                    given: values.of_parameter(vm, invokable, place),
                });
            }
            takes.push(own);
        }
        let inputs = takes.iter().flatten();
        let arrays = inputs.filter_map(|taking: &ArgumentSource| taking.stub_type.clone());
        descriptors.extend(arrays.filter(|input| input.starts_with('[')));
        let asked = asked_of_any(vm, analysis);
        descriptors.extend(asked.iter().cloned());
        let mut classes = ClassUniverse::reachable(vm, class, None, &descriptors)?;
        classes.widen(vm, &asked);
        answers.offer(&mut classes);
        literals.offer(vm, &mut classes);
        let method = |vm: &mut Vm, invokable: &Invokable| {
            let mut method = invokable.kind.method();
            if let Some(Stub::Anonymous(stub)) = &invokable.stub {
                method = stub.above;
            }
            // Constructors of abstract classes are called by those of subclasses.
            while let Some(other) = method.filter(|method| !under_test.contains(method)) {
                method = constructor_above(vm, other);
            }
            method
        };
        let objects =
            |(invokable, takes): (&Invokable, &Vec<ArgumentSource>)| joined(invokable, takes);
        let gives = |invokable: &Invokable| {
            let descriptor = invokable.result.as_deref();
            descriptor.is_some_and(|descriptor| {
                Kind::of(descriptor) == Kind::Reference && !is_plain(descriptor)
            })
        };
        // Constants used as arguments are written at the place of use.
        let is_idle = |vm: &Vm, invokable: &Invokable| match invokable.kind {
            StatementKind::Constant(class, _) => {
                let accepts = |taking: &ArgumentSource| taking.accepts(vm, class);
                !takes.iter().flatten().any(accepts)
            }
            _ => false,
        };
        let is_idle: Vec<bool> = invokables.iter().map(|one| is_idle(vm, one)).collect();
        let statics = statics(vm, analysis);
        let is_whole = setup.is_none()
            && request.include.is_empty()
            && request.exclude.is_empty()
            && request.bounds.nulls;
        let mut tried = Vec::new();
        let mut ranges: FxHashMap<&str, bool> = FxHashMap::default();
        for invokable in &invokables {
            let mut is_own_partial = matches!(invokable.kind, StatementKind::NewArray(_));
            let mut has_own_others = false;
            for taken in &invokable.parameters {
                let descriptor = &taken.descriptor[..];
                let is_whole = *ranges
                    .entry(descriptor)
                    .or_insert_with(|| ranges_over_all(vm, &analysis.classes, descriptor));
                let is_part = taken.classes.is_some() || !is_whole;
                is_own_partial |= is_part || request.pools.contains_key(descriptor);
                has_own_others |= is_part && !is_short(descriptor);
            }
            tried.push((is_own_partial, has_own_others));
        }
        let setup = match setup {
            None => None,
            Some(setup) => {
                let calls = |invokable: &Invokable| match invokable.kind {
                    StatementKind::Call(call) => {
                        call.kind == CallKind::Static && call.method == setup
                    }
                    _ => false,
                };
                let found = invokables.iter().position(calls);
                let missing =
                    "--setup: tests may not call it, or --include or --exclude leave it out";
                Some(found.ok_or_else(|| Error::Bounds(missing.to_owned()))?)
            }
        };
        let joins = match setup {
            // Each joined component would begin with the setup statement.
            Some(_) => 1,
            None => {
                let joined = invokables.iter().zip(&takes).map(objects);
                joined.max().unwrap_or(1).max(1)
            }
        };
        let mut roles = Vec::new();
        let parsed = match request.criterion {
            // The bounds of a user determine the paths.
            CoverageCriterion::Paths => ParsedTexts::default(),
            _ => ParsedTexts::of(vm, analysis),
        };
        for (number, takes) in takes.into_iter().enumerate() {
            let known = jdk_values::texts(vm, &invokables[number]).iter().copied();
            let compared = &analysis.flows.effects(number).texts;
            let choices = parsed.choices(number).iter();
            let choices = choices.filter(|text| !compared.contains(*text));
            let texts = known.chain(compared.iter().chain(choices).map(String::as_str));
            let mut texts: Vec<Ref> = literals_of(vm, texts)?;
            if request.criterion != CoverageCriterion::Paths {
                for text in texts_of(&takes).take(GIVEN_CHOICES) {
                    let text = literal_of(vm, text)?;
                    texts.retain(|other| *other != text);
                    texts.insert(0, text);
                }
            }
            let invokable = &invokables[number];
            let mut of_parameters = Vec::new();
            for parameter in &invokable.parameters {
                let (texts, is_sure) = parsed.of_parameter(number, &parameter.name);
                let texts = literals_of(vm, texts.iter().map(String::as_str))?;
                of_parameters.push(Parsed { texts, is_sure });
            }
            let (is_partial, has_others) = tried[number];
            roles.push(InvokableRole {
                name: analysis.name(vm, number),
                under_test: method(vm, invokable),
                is_idle: is_idle[number],
                takes,
                gives_object: gives(invokable),
                contents: given_contents(vm, invokable),
                is_declared: invokable.contents.is_empty(),
                is_partial,
                has_lengths: has_lengths(invokable),
                has_elements: has_elements(invokable),
                has_others,
                delay: match invokable.scripted_stub() {
                    Some(_) => SCRIPTED,
                    None => 0,
                },
                texts: texts.into(),
                parsed: of_parameters,
            });
        }
        Ok(SearchPlan {
            roles,
            setup,
            joins,
            is_loose: setup.is_some() || !statics.is_empty(),
            statics,
            is_whole,
            further: request.further.clone(),
            after_exceptions: request.bounds.after_exceptions,
            simulates: request.values.fixes_indices,
            invokables,
            classes,
            max_elements: request.values.length as usize,
            values: request.pools.clone(),
            is_nullable: request.bounds.nulls,
            parsed: parsed.all(),
        })
    }

    /// Returns the strings that parsers in the code of an invokable accept, or in code that reads what
    /// it writes, for one of its parameters, or the last one.
    #[must_use]
    pub fn parsed_by(&self, invokable: usize, place: usize) -> Option<&Parsed> {
        let parsed = &self.roles[invokable].parsed;
        parsed.get(place).or(parsed.last())
    }

    /// Returns the texts that parsers in the code accept, the most ordinary first.
    #[must_use]
    pub fn parsed(&self) -> &[Vec<u16>] {
        &self.parsed
    }

    /// Whether the identity of several open values matters: some statements take more than one
    /// reference value.
    #[must_use]
    pub fn has_identity(&self, statements: &[Statement]) -> bool {
        let takings = statements.iter().flat_map(|statement| {
            let takes = &self.roles[statement.invokable].takes;
            let arguments = statement.arguments.iter().zip(takes);
            arguments.filter(|(argument, taking)| {
                **argument == StatementArgument::Open && taking.has_identity
            })
        });
        takings.count() > 1
    }

    /// Whether an invokable takes objects of a class.
    #[must_use]
    pub fn is_taken(&self, vm: &Vm, class: ClassId) -> bool {
        let mut takes = self.roles.iter().flat_map(|role| &role.takes);
        takes.any(|taking| taking.accepts(vm, class))
    }

    /// Returns the parameters that take lambdas, as invokables and places.
    pub(super) fn lambda_places(&self) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        for (number, role) in self.roles.iter().enumerate() {
            let takes = role.takes.iter().enumerate();
            let lambdas = takes.filter(|(_, taking)| taking.stub_type.is_some());
            places.extend(lambdas.map(|(place, _)| (number, place)));
        }
        places
    }

    /// Adds an invokable that no sequence uses, for internal statements; returns its number.
    pub(in crate::sequences) fn add_hidden(&mut self, invokable: Invokable) -> usize {
        self.invokables.push(invokable);
        self.roles.push(InvokableRole::hidden());
        self.invokables.len() - 1
    }

    /// Whether a statement concerns a collection that serves only as an argument.
    #[must_use]
    pub fn is_support(&self, statement: &Statement) -> bool {
        !self.invokables[statement.invokable].contents.is_empty()
    }

    /// Whether an invokable concerns a collection whose elements may be anything, as its type says nothing.
    #[must_use]
    pub fn holds_anything(&self, invokable: usize) -> bool {
        let mut held = self.invokables[invokable].contents.iter();
        held.any(|held| held.descriptor == "Ljava/lang/Object;")
    }

    /// Removes the collections created for arguments that a statement takes, or of which it makes
    /// an iterator: they have served their purpose. Retaining them would make every state new.
    pub(in crate::sequences) fn serve(
        &self,
        before: &[Statement],
        statement: &Statement,
        objects: &mut Vec<(usize, ClassId)>,
    ) {
        if !self.is_support(statement) || self.roles[statement.invokable].gives_object {
            let serves = |place| self.is_support(&before[place]) && statement.takes(place);
            objects.retain(|&(place, _)| !serves(place));
        }
    }

    /// Whether a statement creates a stub with a method that returns null.
    #[must_use]
    pub fn answers_null(&self, statement: &Statement) -> bool {
        match &self.invokables[statement.invokable].stub {
            Some(Stub::Anonymous(class)) => {
                let mut methods = class.methods.iter();
                methods.any(|method| method.answer == StubResult::Null)
            }
            _ => false,
        }
    }

    /// Returns a number for the contents of a collection that serves as an argument; 0 for other
    /// statements.
    #[must_use]
    pub fn kind(&self, statement: &Statement) -> u64 {
        let contents = &self.invokables[statement.invokable].contents;
        let mut all = self.invokables.iter();
        let same = all.position(|other| other.contents == *contents);
        match contents.is_empty() {
            true => 0,
            false => same.map_or(0, |place| place as u64 + 1),
        }
    }

    /// Returns the names and kinds of the open arguments, in order.
    #[must_use]
    pub fn open_names(&self, statements: &[Statement]) -> Vec<(String, Kind)> {
        let named = |(invokable, place): (usize, usize)| {
            let parameters = &self.invokables[invokable].parameters;
            let taken = &parameters[place.min(parameters.len() - 1)];
            (taken.name.clone(), Kind::of(&taken.descriptor))
        };
        open_places(statements).map(named).collect()
    }

    /// Returns the descriptor of the values of a parameter, and its name.
    #[must_use]
    pub fn open_parameter(&self, invokable: usize, place: usize) -> Option<(&str, &str)> {
        let parameters = &self.invokables[invokable].parameters;
        let taken = parameters.get(place).or(parameters.last())?;
        let taking = self.roles[invokable].takes.get(place);
        let stands = taking.and_then(|taking| taking.stub_type.as_deref());
        Some((stands.unwrap_or(&taken.descriptor), &taken.name))
    }

    /// Returns the values that a user gives for a parameter.
    #[must_use]
    pub fn given(&self, invokable: usize, place: usize) -> &[GivenValue] {
        let takes = &self.roles[invokable].takes;
        let taking = takes.get(place).or(takes.last());
        taking.map_or(&[], |taking| &taking.given)
    }

    /// Whether a user gives values for an argument of an invokable.
    #[must_use]
    pub fn has_given(&self, invokable: usize) -> bool {
        let mut takes = self.roles[invokable].takes.iter();
        takes.any(|taking| !taking.given.is_empty())
    }

    /// Returns the number of the values of a sequence that a user gives for their parameters.
    pub(in crate::sequences) fn count_given(&self, concrete: &Concrete) -> usize {
        let input = &concrete.input;
        let values = open_places(&concrete.statements).zip(&input.roots);
        let given = values.filter(|((invokable, place), (_, value))| {
            GivenValue::is_among(self.given(*invokable, *place), value, input)
        });
        given.count()
    }

    /// Whether a user gives a text.
    #[must_use]
    pub fn is_given(&self, text: &[u16]) -> bool {
        let mut given = self.roles.iter().flat_map(|role| texts_of(&role.takes));
        given.any(|given| given == text)
    }

    /// Returns the only values that arguments of a type may have; empty if all may.
    #[must_use]
    pub fn allowed(&self, descriptor: &str) -> &[u64] {
        self.values.get(descriptor).map_or(&[], Vec::as_slice)
    }

    /// Returns the strings with which the code of an invokable compares.
    #[must_use]
    pub fn texts(&self, invokable: usize) -> &[Ref] {
        &self.roles[invokable].texts
    }

    /// Translates a statement for the engine; `None` if a class or field is missing.
    #[must_use]
    pub fn step(&self, vm: &Vm, statement: &Statement) -> Option<ScriptStep> {
        let invokable = &self.invokables[statement.invokable];
        let word = |field: &AccessedField| Some(vm.find_field(field.class, &field.name)?.word);
        let action = match &invokable.kind {
            StatementKind::Call(call) => match call.kind {
                CallKind::Constructor => ScriptAction::Construct(call.class, call.method),
                CallKind::Instance => ScriptAction::Call(call.method),
                CallKind::Static => ScriptAction::CallStatic(call.method),
            },
            StatementKind::LoadField(field) if field.is_static => {
                ScriptAction::LoadStatic(word(field)?)
            }
            StatementKind::LoadField(field) => ScriptAction::Load(word(field)?),
            StatementKind::StoreField(field) if field.is_static => {
                ScriptAction::StoreStatic(word(field)?)
            }
            StatementKind::StoreField(field) => ScriptAction::Store(word(field)?),
            StatementKind::NewArray(array) => ScriptAction::NewArray(vm.loaded_class(array)?),
            StatementKind::Constant(class, name) => {
                ScriptAction::LoadStatic(vm.find_field(*class, name)?.word)
            }
            StatementKind::StoreElement(_) => {
                let index = statement
                    .arguments
                    .iter()
                    .find_map(|argument| match argument {
                        StatementArgument::Index(index) => Some(*index),
                        _ => None,
                    });
                ScriptAction::StoreElement(index?)
            }
        };
        let takes = &self.roles[statement.invokable].takes;
        let (mut operands, mut bounds) = (Vec::new(), Vec::new());
        for (place, argument) in statement.arguments.iter().enumerate() {
            if !matches!(argument, StatementArgument::Index(_)) {
                bounds.push(takes.get(place).and_then(|taking| taking.bound));
            }
            operands.push(match argument {
                StatementArgument::Result(statement) => ScriptOperand::Made(*statement),
                StatementArgument::OneOf(makers) => {
                    ScriptOperand::OneOf(makers.statements().collect())
                }
                StatementArgument::Repeated(value) => ScriptOperand::Again(*value),
                StatementArgument::Null => ScriptOperand::Null,
                StatementArgument::Index(_) => continue,
                // Values of statements are open.
                StatementArgument::Value(_) => return None,
                StatementArgument::Open => {
                    let (descriptor, name) = self.open_parameter(statement.invokable, place)?;
                    ScriptOperand::Open {
                        descriptor: descriptor.to_owned(),
                        name: name.to_owned(),
                        values: self.allowed(descriptor).to_vec(),
                        is_nullable: self.is_nullable,
                    }
                }
            });
        }
        let injected = invokable
            .injected()
            .map(word)
            .collect::<Option<Vec<u32>>>()?;
        Some(ScriptStep {
            action,
            operands,
            injected,
            bounds,
            texts: self.roles[statement.invokable].texts.clone(),
            asks: false,
        })
    }
}

/// Returns the literals of texts.
fn literals_of<'t>(vm: &mut Vm, texts: impl Iterator<Item = &'t str>) -> Result<Vec<Ref>, Error> {
    let literals = texts.map(|text| {
        let units: Vec<u16> = text.encode_utf16().collect();
        literal_of(vm, &units)
    });
    literals.collect()
}

fn literal_of(vm: &mut Vm, text: &[u16]) -> Result<Ref, Error> {
    let literal = vm.interned_literal(text);
    literal.map_err(|_| Error::Bounds("no memory is left for strings".to_owned()))
}

/// Returns the texts that a user gives for arguments.
fn texts_of(takes: &[ArgumentSource]) -> impl Iterator<Item = &[u16]> {
    let given = takes.iter().flat_map(|taking| &taking.given);
    given.filter_map(|value| match value {
        GivenValue::Text(text) => Some(&text[..]),
        GivenValue::Slot(_) => None,
    })
}

/// Returns the program classes with static fields that one invokable writes and another reads.
fn statics(vm: &Vm, analysis: &Analysis) -> Vec<ClassId> {
    let effects = || (0..analysis.invokables.len()).map(|number| analysis.flows.effects(number));
    let used = effects().flat_map(|effects| &effects.static_uses);
    let used: FxHashSet<&FieldKey> = used.collect();
    let defined = effects().flat_map(|effects| &effects.static_defines);
    let mut known = FxHashSet::default();
    let defined = defined.filter(|field| {
        vm.is_app_class(field.class) && used.contains(field) && known.insert(field.class)
    });
    defined.map(|field| field.class).collect()
}

/// Value types of which one represents all types that code does not ask for, where it asks for
/// `Integer`, which represents them elsewhere.
const OTHERS: [&str; 2] = ["Ljava/lang/String;", "Ljava/lang/Long;"];

/// Returns the value types in casts and `instanceof` tests of code that takes arguments of any
/// type, and one of which no such code asks.
fn asked_of_any(vm: &mut Vm, analysis: &Analysis) -> Vec<String> {
    let mut asked = BTreeSet::new();
    for (number, invokable) in analysis.invokables.iter().enumerate() {
        let mut takes = invokable
            .parameters
            .iter()
            .filter(|taken| !taken.is_receiver);
        if takes.any(|taken| is_any(descriptor::class_name(&taken.descriptor))) {
            asked.extend(&analysis.flows.effects(number).casts);
        }
    }
    let descriptors = asked
        .into_iter()
        .map(|&class| descriptor::of_class(vm.class_name(class)));
    let mut descriptors: Vec<String> = descriptors.collect();
    descriptors.retain(|descriptor| {
        !is_any(descriptor::class_name(descriptor)) && is_value(vm, descriptor)
    });
    let is_asked = |other: &str| descriptors.iter().any(|asked| asked == other);
    if is_asked("Ljava/lang/Integer;") {
        let other = OTHERS.into_iter().find(|other| !is_asked(other));
        descriptors.extend(other.map(str::to_owned));
    }
    descriptors
}

/// Returns the constructor of its superclass that a constructor calls.
fn constructor_above(vm: &mut Vm, constructor: MethodId) -> Option<MethodId> {
    let class = vm.method(constructor).class;
    let above = vm.class(class).super_class?;
    let above = vm.class_name(above).to_owned();
    let is_constructor = vm.text(vm.method(constructor).name) == "<init>";
    let listing = vm.listing(constructor).ok().filter(|_| is_constructor)?;
    listing
        .instructions
        .iter()
        .find_map(|listed| match &listed.step {
            ListedOperation::Invoke(Invoke::Special, member)
                if member.name == "<init>" && member.class == above =>
            {
                vm.named_method(member)
            }
            _ => None,
        })
}

/// Returns the type of inputs for a parameter `T[]` where `T` is comparable to itself: the compiler
/// infers no `T` of an array of any comparable objects.
fn array_of_comparables(vm: &mut Vm, invokable: &Invokable, place: usize) -> Option<ClassId> {
    const COMPARABLE: &str = "java/lang/Comparable";
    let descriptor = &invokable.parameters[place].descriptor;
    let element = descriptor.strip_prefix('[')?;
    if descriptor::class_name(element) != COMPARABLE {
        return None;
    }
    let (Type::Array(element), variables) = declared(vm, invokable, place) else {
        return None;
    };
    match (
        &*element,
        variables.get(element.variables().first().copied()?),
    ) {
        (Type::Variable(name), Some(Type::Class(_, arguments)))
            if arguments
                .iter()
                .any(|one| one.variables().contains(&&name[..])) =>
        {
            vm.load_class("[Ljava/lang/Integer;").ok()
        }
        _ => None,
    }
}

/// Whether statements return the program's own objects of an interface, or scripted stubs.
fn is_given(vm: &Vm, invokables: &[Invokable], interface: ClassId) -> bool {
    let mut scripted = invokables.iter().filter_map(Invokable::scripted_stub);
    let mut given = invokables.iter().filter_map(|one| one.result.as_deref());
    scripted.any(|stub| vm.is_subclass(stub.of, interface))
        || given.any(|given| {
            let class = vm.loaded_class(descriptor::class_name(given));
            class.is_some_and(|class| vm.is_app_class(class) && vm.is_subclass(class, interface))
        })
}

/// Whether arguments of a type range over all its values. Strings and arrays are bounded, constants
/// of some enums are mutable, and some subclasses are outside the system.
fn ranges_over_all(vm: &mut Vm, classes: &[ClassId], descriptor: &str) -> bool {
    let name = descriptor::class_name(descriptor);
    if Kind::of(descriptor) != Kind::Reference || Kind::of_box(name).is_some() {
        return true;
    }
    let Ok(bound) = vm.load_class(name) else {
        return false;
    };
    if is_enum(vm, bound) {
        return is_constant(vm, descriptor);
    }
    let made = receivers(vm, bound).unwrap_or_default();
    !made.is_empty() && made.iter().all(|class| classes.contains(class))
}
