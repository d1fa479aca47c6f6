//! Arrangement that the tests of a class share: mocks in fields, and a method that makes the subject of the
//! tests of them before each test.
//!
//! Two objects are the same part of it if the same calls make them, of the same values and parts; a mock is
//! the same whatever it answers, which is told to it in each test. A test whose subject is made of other
//! values gives the field another one.
//!
//! Invariant: an object of a test is made by the calls that make it without a shared arrangement, but for
//! those that its constructor makes to mocks.

use std::collections::{BTreeMap, BTreeSet};

use super::JunitVersion;
use super::behaviour;
use super::build::{Built, Expression};
use super::mocks;
use super::scope::Scope;
use super::script::arrange;
use super::stub_classes::{StubClass, interface_of, plain_class_of};
use crate::types::is_platform;
use crate::variables::wished;
use crate::{Action, FieldAccess, Input, Literal, Script, Statement, Step};

/// Minimum number of tests that have all of it.
const MIN_TESTS: usize = 3;
/// Maximum number of tests whose arrangement is compared with those of all.
const MAX_CANDIDATES: usize = 32;
/// Name of the method that makes it.
pub(super) const SET_UP: &str = "setUp";

/// Arrangement that tests share.
pub(super) struct SetUp<'s> {
    /// Script that has all of it.
    script: &'s Script,
    /// Statement that makes the subject.
    root: usize,
    /// Its statements.
    parts: BTreeSet<usize>,
    /// Names of its fields, by the statements that make their objects.
    fields: BTreeMap<usize, String>,
    classes: &'s [StubClass],
    /// For each mock whether its default methods run as they are.
    runs_code: BTreeMap<usize, bool>,
    /// Stubs that some tests replace.
    replaced: BTreeSet<usize>,
    /// Parts of each test, in order.
    roles: Vec<Roles>,
}

/// Parts of the shared arrangement that a test has, by its statements.
#[derive(Clone, Debug, Default)]
pub(super) struct Roles {
    /// Fields that hold the objects of statements.
    fields: BTreeMap<usize, String>,
    /// Statements that the shared method makes, or the declarations of fields.
    made: BTreeSet<usize>,
    /// Names that no other variable has.
    taken: BTreeSet<String>,
}

impl Roles {
    /// Names that no variable of the test has but those of the fields.
    pub fn taken(&self) -> &BTreeSet<String> {
        &self.taken
    }

    /// Whether something else than the test makes the object of a statement.
    pub fn is_made(&self, statement: usize) -> bool {
        self.made.contains(&statement)
    }

    /// Expression of the object of a statement that the test does not make.
    pub fn expression(
        &self,
        scope: &mut Scope,
        number: usize,
        statement: &Statement,
    ) -> Expression {
        match (self.fields.get(&number), statement.made()) {
            (Some(field), Some(class)) => Expression {
                source: field.clone(),
                static_type: scope.variable_type(&class.name).0,
            },
            _ => Expression::none(),
        }
    }

    /// Declaration of a variable, or the assignment where it is a field.
    pub fn assigned(&self, statement: usize, declaration: String) -> String {
        let field = self.fields.get(&statement);
        let split = field.and_then(|field| split(&declaration, field));
        split.map_or(declaration.clone(), |(_, assignment)| assignment.to_owned())
    }

    /// Names of the variables of a script, one for each statement.
    pub fn names(&self, script: &Script) -> Vec<String> {
        let is_ours =
            |statement: usize| self.is_made(statement) || self.fields.contains_key(&statement);
        let mut names = script.variables_but(is_ours);
        apart(&mut names, &self.taken);
        for (&statement, field) in &self.fields {
            names[statement].clone_from(field);
        }
        names
    }
}

/// Gives variables other names where these are taken.
fn apart(names: &mut [String], taken: &BTreeSet<String>) {
    for at in 0..names.len() {
        let base = names[at].clone();
        if base.is_empty() || !taken.contains(&base) {
            continue;
        }
        let mut numbered = (2..).map(|number| format!("{base}{number}"));
        let free = numbered.find(|name| !taken.contains(name) && !names.contains(name));
        names[at] = free.unwrap_or_default();
    }
}

/// Type of a declared variable, and the assignment that is left without it.
fn split<'d>(declaration: &'d str, name: &str) -> Option<(&'d str, &'d str)> {
    let at = declaration.find(&format!(" {name} = "))?;
    Some((&declaration[..at], &declaration[at + 1..]))
}

/// Script in which mocks that are arguments of its subject's making have statements of their own.
pub(super) fn with_own_mocks(script: &Script) -> Script {
    let mut script = script.clone();
    while let Some((statement, argument, mock)) = mock_in_place(&script) {
        script.insert(statement, mock);
        if let Action::Call(step) = &mut script.statements[statement + 1].action {
            step.arguments[argument] = Input::Object(statement);
        }
    }
    script
}

/// A mock that is an argument of the subject's making, with its place, as a statement.
fn mock_in_place(script: &Script) -> Option<(usize, usize, Statement)> {
    let parts = parts(script, root(script)?);
    parts.into_iter().find_map(|number| {
        let arguments = made_by(&script.statements[number])?.arguments.iter();
        arguments.enumerate().find_map(|(place, argument)| {
            let action = match argument.literal()? {
                literal @ Literal::Lambda {
                    interface,
                    is_mock: true,
                    ..
                } => Action::Literal {
                    value: literal.clone(),
                    made: interface.clone(),
                },
                Literal::New(step) => Action::Call(Step {
                    made: Some(step.class.clone()),
                    ..(**step).clone()
                }),
                _ => return None,
            };
            let statement = Statement {
                action,
                name: None,
                thrown: None,
                contents: Vec::new(),
                given: None,
            };
            mock(&statement)
                .is_some()
                .then_some((number, place, statement))
        })
    })
}

/// Stub that is the same whatever a test tells it: a mock, or an object of a nested class.
struct SharedStub<'s> {
    class: &'s str,
    /// Whether default methods run as they are.
    runs_code: bool,
    /// Whether the test does not depend on that.
    is_free: bool,
}

/// Stub that a statement makes, if it is such a one.
fn stub<'s>(script: &'s Script, number: usize, classes: &[StubClass]) -> Option<SharedStub<'s>> {
    let statement = &script.statements[number];
    if plain_class_of(classes, script, number).is_some() {
        return Some(SharedStub {
            class: &statement.made()?.name,
            runs_code: false,
            is_free: true,
        });
    }
    mock(statement)
}

fn mock(statement: &Statement) -> Option<SharedStub<'_>> {
    match &statement.action {
        Action::Call(step) => {
            let body = step.body.as_ref().filter(|body| body.is_mock)?;
            let made = step.made.as_deref()?;
            let is_shared = !body.extends_class && !made.is_generic && mocks::can_stub(body);
            is_shared.then_some(SharedStub {
                class: &made.name,
                runs_code: body.has_code,
                is_free: body.methods.iter().all(|method| method.is_unasked),
            })
        }
        Action::Literal {
            value:
                Literal::Lambda {
                    interface,
                    answer,
                    has_code,
                    is_mock: true,
                    ..
                },
            ..
        } if !interface.is_generic => Some(SharedStub {
            class: &interface.name,
            runs_code: *has_code,
            is_free: answer.is_none(),
        }),
        _ => None,
    }
}

/// Constructor or static method that makes the object of a statement.
fn made_by(statement: &Statement) -> Option<&Step> {
    match &statement.action {
        Action::Call(step) => {
            let is_own = step.body.is_none() && step.receiver.is_none() && step.made.is_some();
            (is_own && statement.thrown.is_none()).then_some(step)
        }
        _ => None,
    }
}

/// Statement that makes the subject of a test: the receiver of the call under test, or the object that
/// this call makes.
fn root(script: &Script) -> Option<usize> {
    let (step, before) = script.call_under_test()?;
    let own = step.is_constructor().then_some(before.len());
    let root = step.receiver.or(own)?;
    made_by(&script.statements[root]).filter(|step| step.is_constructor())?;
    Some(root)
}

/// Statements that set fields of an object before the call under test.
fn stores(script: &Script, object: usize) -> impl Iterator<Item = (usize, &FieldAccess, &Input)> {
    let statements = script.statements.iter().enumerate();
    statements.filter_map(move |(number, statement)| match &statement.action {
        Action::StoreField { access, value } if access.receiver == Some(object) => {
            Some((number, access, value))
        }
        _ => None,
    })
}

/// Statements that make an object and what it is made of, ascending.
fn parts(script: &Script, root: usize) -> BTreeSet<usize> {
    let mut found: BTreeSet<usize> = stores(script, root).map(|(store, ..)| store).collect();
    let values = stores(script, root).filter_map(|(_, _, value)| value.object());
    let mut left: Vec<usize> = values.chain([root]).collect();
    while let Some(next) = left.pop() {
        if found.insert(next)
            && let Some(step) = made_by(&script.statements[next])
        {
            left.extend(step.arguments.iter().filter_map(Input::object));
        }
    }
    found
}

/// Comparison of the arrangement of a test with that of another one.
struct Comparison<'s> {
    one: &'s Script,
    other: &'s Script,
    classes: &'s [StubClass],
    /// Statements that make the subject of the other test.
    parts: BTreeSet<usize>,
    runs_code: BTreeMap<usize, bool>,
    /// Statements of the one with the same ones of the other.
    same: BTreeMap<usize, usize>,
    /// Statements of the one with those of the other whose stubs override methods.
    replaced: BTreeMap<usize, usize>,
}

impl<'s> Comparison<'s> {
    /// Whether two statements make the same part.
    fn is_same(&mut self, one: usize, other: usize) -> bool {
        if let Some(known) = self.same.get(&one) {
            return *known == other;
        }
        if self.same.values().any(|known| *known == other) {
            return false;
        }
        let (ours, theirs) = (&self.one.statements[one], &self.other.statements[other]);
        let is_same = match (self.stub_of(self.one, one), self.stub_of(self.other, other)) {
            (Some(ours), Some(theirs)) => {
                ours.class == theirs.class && self.has_same_code(one, &theirs)
            }
            (None, None) => match (made_by(ours), made_by(theirs)) {
                (Some(first), Some(second)) => {
                    first.method == second.method
                        && first.class == second.class
                        && ours.contents == theirs.contents
                        && self.are_same(&first.arguments, &second.arguments)
                        && self.is_apart(other)
                }
                _ => false,
            },
            (Some(ours), None) => {
                if interface_of(self.classes, self.other, other) == Some(ours.class) {
                    self.replaced.insert(one, other);
                }
                false
            }
            (None, Some(_)) => false,
        };
        if is_same {
            self.same.insert(one, other);
        }
        is_same
    }

    fn stub_of(&self, script: &'s Script, statement: usize) -> Option<SharedStub<'s>> {
        stub(script, statement, self.classes)
    }

    /// Whether two mocks do the same with default methods; the first one to depend on that decides.
    fn has_same_code(&mut self, one: usize, theirs: &SharedStub<'_>) -> bool {
        let decided = self.runs_code.get(&one);
        match decided {
            _ if theirs.is_free => true,
            Some(decided) => *decided == theirs.runs_code,
            None => {
                self.runs_code.insert(one, theirs.runs_code);
                true
            }
        }
    }

    /// Compares all values, so that all mocks among them are found.
    fn are_same(&mut self, ours: &[Input], theirs: &[Input]) -> bool {
        let pairs = ours.iter().zip(theirs);
        let same = pairs.filter(|pair| match pair {
            (Input::Object(one), Input::Object(other)) => self.is_same(*one, *other),
            (Input::Literal(one), Input::Literal(other)) => {
                one == other && !matches!(one, Literal::Parameter { .. })
            }
            _ => false,
        });
        same.count() == ours.len() && ours.len() == theirs.len()
    }

    /// Whether an object of the JDK is used for the subject alone: a value, which the rest of the test
    /// may name, and a list, which it may fill, are its own.
    fn is_apart(&self, object: usize) -> bool {
        let class = self.other.statements[object].made();
        class.is_none_or(|class| !is_platform(&class.name))
            || !is_used_beside(self.other, object, &self.parts)
    }

    /// Whether the subjects are the same, with the fields that are set.
    fn has_same_subject(&mut self, one: usize, other: usize) -> bool {
        let is_made_alike = self.is_same(one, other);
        let ours: Vec<_> = stores(self.one, one).collect();
        let theirs: Vec<_> = stores(self.other, other).collect();
        let pairs = ours.iter().zip(&theirs);
        let same = pairs.filter(|((_, field, value), (_, their_field, their_value))| {
            let is_same = self.are_same(
                std::slice::from_ref(*value),
                std::slice::from_ref(*their_value),
            );
            is_same && field.field == their_field.field
        });
        let is_same = same.count() == ours.len() && ours.len() == theirs.len() && is_made_alike;
        // The call under test stays in its test.
        let is_before = other + 1 < self.other.statements.len();
        let is_same = is_same && is_before && !changes_static_state(self.other, other);
        match is_same {
            true => {
                let stores = ours.iter().zip(&theirs);
                self.same
                    .extend(stores.map(|(one, other)| (one.0, other.0)));
            }
            false => drop(self.same.remove(&one)),
        }
        is_same
    }
}

/// Whether a statement that is none of some parts, or an assertion, uses an object.
fn is_used_beside(script: &Script, object: usize, parts: &BTreeSet<usize>) -> bool {
    let statements = script.statements.iter().enumerate();
    let mut others = statements.filter(|(number, _)| !parts.contains(number));
    others.any(|(_, statement)| statement.uses().any(|used| used == object))
        || script.is_asserted(object)
}

/// Whether a test changes static state before it makes an object.
fn changes_static_state(script: &Script, object: usize) -> bool {
    let is_static = |statement: &Statement| match &statement.action {
        Action::StoreField { access, .. } => access.receiver.is_none(),
        _ => false,
    };
    !script.settings.is_empty() || script.statements[..object].iter().any(is_static)
}

impl<'s> SetUp<'s> {
    /// The arrangement that most tests of a class share, if it is worth it; `scripts` are those of its test
    /// methods.
    pub fn of(scripts: &[Option<&'s Script>], classes: &'s [StubClass]) -> Option<SetUp<'s>> {
        let subjects = scripts.iter().copied().flatten().filter_map(|script| {
            let root = root(script).filter(|&root| root + 1 < script.statements.len())?;
            let mut parts = parts(script, root).into_iter();
            let has_stub = parts.any(|part| stub(script, part, classes).is_some());
            has_stub.then_some((script, root))
        });
        let candidates = subjects.map(|subject| SetUp::with(subject, scripts, classes));
        let mut best: Option<(usize, SetUp<'s>)> = None;
        for candidate in candidates.take(MAX_CANDIDATES) {
            let count = candidate.count();
            if best.as_ref().is_none_or(|(most, _)| count > *most) {
                best = Some((count, candidate));
            }
        }
        let (count, best) = best?;
        let users = best.roles.iter().filter(|roles| !roles.fields.is_empty());
        // Most tests are of that subject.
        let is_usual = 3 * users.count() >= 2 * scripts.iter().flatten().count();
        (count >= MIN_TESTS && is_usual).then_some(best)
    }

    /// Number of tests that have all of it.
    fn count(&self) -> usize {
        let whole = self.roles.iter().filter(|roles| !roles.made.is_empty());
        let subject = &self.fields[&self.root];
        let has_subject = |roles: &&Roles| {
            let made = roles.made.iter().filter_map(|part| roles.fields.get(part));
            made.into_iter().any(|field| field == subject)
        };
        whole.filter(has_subject).count()
    }

    /// The arrangement of a script as that of all.
    fn with(
        (script, root): (&'s Script, usize),
        scripts: &[Option<&'s Script>],
        classes: &'s [StubClass],
    ) -> SetUp<'s> {
        let mut runs_code = BTreeMap::new();
        let mut replaced = BTreeSet::new();
        let mut same = Vec::new();
        for other in scripts {
            same.push(other.and_then(|other| {
                let its_root = self::root(other)?;
                let mut comparison = Comparison {
                    one: script,
                    other,
                    parts: parts(other, its_root),
                    classes,
                    runs_code: std::mem::take(&mut runs_code),
                    same: BTreeMap::new(),
                    replaced: BTreeMap::new(),
                };
                comparison.has_same_subject(root, its_root);
                runs_code = comparison.runs_code;
                replaced.extend(comparison.replaced.keys());
                Some((other, its_root, comparison.same, comparison.replaced))
            }));
        }
        let parts = parts(script, root);
        let mut held: BTreeSet<usize> = BTreeSet::from([root]);
        for &part in &parts {
            let is_field = stub(script, part, classes).is_some()
                || same.iter().flatten().any(|(other, its_root, same, _)| {
                    let of_other = same.get(&part);
                    let beside = self::parts(other, *its_root);
                    of_other.is_some_and(|&part| is_used_beside(other, part, &beside))
                });
            let has_object = script.statements[part].made().is_some();
            held.extend((is_field && has_object).then_some(part));
        }
        let fields = names(script, root, &held);
        let taken: BTreeSet<String> = fields.values().cloned().collect();
        let roles = same.into_iter().map(|same| match same {
            None => Roles {
                taken: taken.clone(),
                ..Roles::default()
            },
            Some((other, its_root, same, replaced)) => {
                let is_stub = |part: usize| stub(script, part, classes).is_some();
                let own = (other, its_root, &same);
                let mut roles = roles((script, root), own, (&fields, &taken), &is_stub);
                let replaced = replaced.iter();
                let replaced =
                    replaced.filter_map(|(part, &place)| Some((place, fields.get(part)?.clone())));
                roles.fields.extend(replaced);
                roles
            }
        });
        let roles = roles.collect();
        SetUp {
            script,
            root,
            parts,
            fields,
            classes,
            runs_code,
            replaced,
            roles,
        }
    }

    /// Whether a field has a name.
    pub fn has_field(&self, name: &str) -> bool {
        self.fields.values().any(|field| field == name)
    }

    /// Parts that the test with a number has.
    pub fn roles(&self, test: usize) -> Roles {
        self.roles.get(test).cloned().unwrap_or_default()
    }

    /// Declarations of the fields, and the method that runs before each test; `None` if they need raw types.
    pub fn source(&self, scope: &mut Scope) -> Option<String> {
        let has_values = scope.version != JunitVersion::TestNg;
        let before = std::mem::take(&mut scope.uses_raw_types);
        let taken: BTreeSet<String> = self.fields.values().cloned().collect();
        let mut names = self
            .script
            .variables_but(|part| !self.parts.contains(&part));
        for (&part, field) in &self.fields {
            names[part].clone_from(field);
        }
        let locals = names.iter().enumerate();
        let locals = locals.filter(|(part, _)| !self.fields.contains_key(part));
        let (places, mut locals): (Vec<usize>, Vec<String>) =
            locals.map(|(part, name)| (part, name.clone())).unzip();
        apart(&mut locals, &taken);
        for (place, name) in places.into_iter().zip(locals) {
            names[place] = name;
        }
        scope.locals = names.iter().cloned().collect();
        scope.stubbed_exceptions.clear();
        let mut built = Built::default();
        let mut fields: BTreeMap<usize, String> = BTreeMap::new();
        let mut body = Vec::new();
        for (part, statement) in self.script.statements.iter().enumerate() {
            if part + 1 == self.script.statements.len() {
                break;
            }
            if !self.parts.contains(&part) {
                built.expressions.push(Expression::none());
                continue;
            }
            let name = names[part].as_str();
            let is_stub = stub(self.script, part, self.classes).is_some();
            let variable = match is_stub {
                true => {
                    let (line, variable) = self.fresh(scope, part, name)?;
                    built.statements.push(line);
                    variable
                }
                false => arrange(scope, &mut built, self.script, (part, statement, name)),
            };
            built.expressions.push(variable);
            for line in built.statements.drain(..) {
                match self.fields.get(&part).and_then(|field| split(&line, field)) {
                    Some(_) if is_stub && has_values => {
                        let fixed = if self.replaced.contains(&part) {
                            ""
                        } else {
                            "final "
                        };
                        fields.insert(part, format!("    private {fixed}{line}\n"));
                    }
                    Some((class, assignment)) => {
                        fields.insert(part, format!("    private {class} {name};\n"));
                        body.push(assignment.to_owned());
                    }
                    None => body.push(line),
                }
            }
        }
        let is_raw = std::mem::replace(&mut scope.uses_raw_types, before);
        if is_raw {
            return None;
        }
        let steps = self
            .parts
            .iter()
            .filter_map(|&part| made_by(&self.script.statements[part]));
        let methods: Vec<_> = steps.map(|step| &*step.method).collect();
        let throws = behaviour::throws(&body, &methods, &[]);
        let body = behaviour::indented(&body);
        let annotation = scope.import(scope.version.before_annotation());
        let visibility = scope.version.visibility();
        // As the constructor of the subject takes them, and the subject last.
        let taken = made_by(&self.script.statements[self.root]);
        let taken = taken.into_iter().flat_map(|step| &step.arguments);
        let mut ranks: Vec<usize> = taken.filter_map(Input::object).collect();
        ranks.push(self.root);
        let mut fields: Vec<(usize, String)> = fields.into_iter().collect();
        fields.sort_by_key(|(part, _)| ranks.iter().position(|ranked| ranked == part));
        let fields: String = fields.into_iter().map(|(_, field)| field).collect();
        Some(format!(
            "{fields}\n    @{annotation}\n    {visibility}void {SET_UP}(){throws} {{\n{body}    }}\n"
        ))
    }
}

impl SetUp<'_> {
    /// Declaration of a variable for a stub that no test has told anything, and the variable.
    fn fresh(&self, scope: &mut Scope, part: usize, name: &str) -> Option<(String, Expression)> {
        if let Some(class) = plain_class_of(self.classes, self.script, part) {
            return Some(class.fresh(name));
        }
        let runs_code = self.runs_code.get(&part).copied().unwrap_or_default();
        let made = self.script.statements[part].made()?;
        mocks::fresh(scope, made, runs_code, name)
    }
}

/// Names of fields: those of the parameters and fields that take their objects.
fn names(script: &Script, root: usize, held: &BTreeSet<usize>) -> BTreeMap<usize, String> {
    let mut wishes: BTreeMap<usize, &str> = BTreeMap::new();
    let parts = parts(script, root);
    for step in parts
        .iter()
        .rev()
        .filter_map(|&part| made_by(&script.statements[part]))
    {
        let named = step.arguments.iter().zip(&step.method.parameters);
        for (argument, name) in named {
            if let Some(object) = argument.object()
                && name.len() > 1
            {
                wishes.entry(object).or_insert(name);
            }
        }
    }
    for (_, access, value) in stores(script, root) {
        if let Some(object) = value.object() {
            wishes.entry(object).or_insert(&access.field.name);
        }
    }
    let variables = held.iter().filter_map(|part| {
        let class = script.statements[*part].made()?;
        Some((wishes.get(part).copied(), class.name.as_str()))
    });
    held.iter().copied().zip(wished(variables)).collect()
}

/// Roles of a test: all parts if it has the same subject, else the fields alone.
fn roles(
    (script, root): (&Script, usize),
    (other, its_root, same): (&Script, usize, &BTreeMap<usize, usize>),
    (fields, taken): (&BTreeMap<usize, String>, &BTreeSet<String>),
    is_stub: &dyn Fn(usize) -> bool,
) -> Roles {
    let has_all = same.contains_key(&root);
    let made = same.iter().filter(|(part, _)| has_all || is_stub(**part));
    let made = made.map(|(_, &part)| part).collect();
    let held = same
        .iter()
        .filter_map(|(part, &place)| Some((place, fields.get(part)?.clone())));
    let mut held: BTreeMap<usize, String> = held.collect();
    let class = |script: &'_ Script, root: usize| {
        script.statements[root]
            .made()
            .map(|class| class.name.clone())
    };
    if class(script, root) == class(other, its_root) && other.is_used(its_root) {
        held.insert(its_root, fields[&root].clone());
    }
    Roles {
        fields: held,
        made,
        taken: taken.clone(),
    }
}
