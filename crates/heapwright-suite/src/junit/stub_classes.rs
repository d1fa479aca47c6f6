//! Nested classes of a test class for the stubs of interfaces that several of its tests have: their objects
//! keep the calls that tests ask about, and return what a test gives them.
//!
//! Invariant: such an object does what that of the anonymous class does which it replaces. A method that does
//! more than return one value is overridden in its test.

use super::anonymous;
use super::build::Expression;
use super::scope::Scope;
use super::stub_calls::{self, KeptCalls};
use crate::{
    Access, Action, AnonymousBody, AnonymousMethod, Input, Literal, MethodSig, Observation, Script,
    Statement, StubCalls, StubOutcome, literal,
};

/// Minimum number of tests that have a stub of the interface.
const MIN_TESTS: usize = 2;

/// Class of stubs.
#[derive(Clone, Debug)]
pub(super) struct StubClass {
    name: String,
    /// Body of the first one, and its interface as a binary name.
    body: AnonymousBody,
    interface: String,
    methods: Vec<StubMethod>,
    /// Lines of its source, as a member of the test class.
    source: Vec<String>,
}

/// Method of such a class.
#[derive(Clone, Debug)]
struct StubMethod {
    /// The method, which throws what that of any stub does.
    method: AnonymousMethod,
    /// Field that keeps its calls, if a test asks about them.
    calls: Option<String>,
    /// Field with what it returns, if a test says so.
    result: Option<String>,
}

/// What a method does in one test.
enum Behaviour<'s> {
    /// Returns null, zero or nothing.
    Default,
    Returns(&'s Input),
    Other,
}

/// Classes of the stubs of some tests.
pub(super) fn of(scope: &mut Scope, scripts: &[Option<&Script>]) -> Vec<StubClass> {
    let mut found: Vec<Vec<(&Script, usize, &str, &AnonymousBody)>> = Vec::new();
    for script in scripts.iter().flatten() {
        for (number, statement) in script.statements.iter().enumerate() {
            let Some((interface, body)) = stub(script, number, statement) else {
                continue;
            };
            let own = (*script, number, interface, body);
            let is_same = |known: &&mut Vec<(_, _, &str, &AnonymousBody)>| {
                known[0].2 == interface && is_like(known[0].3, body)
            };
            match found.iter_mut().find(is_same) {
                Some(known) => known.push(own),
                None => found.push(vec![own]),
            }
        }
    }
    let mut classes: Vec<StubClass> = Vec::new();
    for stubs in found.iter().filter(|stubs| stubs.len() >= MIN_TESTS) {
        let is_known = |class: &StubClass| class.interface == stubs[0].2;
        if !classes.iter().any(is_known) {
            classes.extend(StubClass::of(scope, stubs));
        }
    }
    classes
}

/// Stub of an interface with several methods that a statement makes: the interface and the body.
fn stub<'s>(
    script: &Script,
    number: usize,
    statement: &'s Statement,
) -> Option<(&'s str, &'s AnonymousBody)> {
    let Action::Call(step) = &statement.action else {
        return None;
    };
    let body = step.body.as_ref()?;
    let made = step.made.as_deref()?;
    let is_own = |method: &MethodSig| body.methods.iter().any(|own| *own.method == *method);
    let is_whole = observed(script, number).all(|(method, _)| is_own(method));
    let is_public = |method: &AnonymousMethod| method.access == Access::Public;
    let is_plain = !body.is_mock && !body.extends_class && !body.is_functional;
    let is_it =
        is_plain && is_whole && body.methods.len() > 1 && body.methods.iter().all(is_public);
    is_it.then_some((made.name.as_str(), body))
}

/// Methods of a stub that assertions are about.
fn observed(script: &Script, stub: usize) -> impl Iterator<Item = (&MethodSig, &StubCalls)> {
    script.after.iter().filter_map(move |seen| match seen {
        Observation::Calls {
            stub: of,
            method,
            asserted,
        } if *of == stub => Some((&**method, asserted)),
        _ => None,
    })
}

/// Whether two anonymous classes have the same methods of the same interface.
fn is_like(one: &AnonymousBody, other: &AnonymousBody) -> bool {
    let mut pairs = one.methods.iter().zip(&other.methods);
    one.contents == other.contents
        && one.methods.len() == other.methods.len()
        && pairs.all(|(one, other)| {
            one.method == other.method
                && one.parameters == other.parameters
                && one.returns == other.returns
                && one.returned_contents == other.returned_contents
        })
}

/// What a method of a stub does in a test.
fn behaviour<'s>(script: &Script, stub: usize, method: &'s AnonymousMethod) -> Behaviour<'s> {
    let keeps_states = observed(script, stub).any(|(observed, asserted)| {
        *observed == *method.method && matches!(asserted, StubCalls::State { .. })
    });
    match &method.outcomes[..] {
        _ if keeps_states => Behaviour::Other,
        [] | [StubOutcome::Nothing] => Behaviour::Default,
        [StubOutcome::Value(Input::Literal(Literal::Value(value)))] if value.is_default() => {
            Behaviour::Default
        }
        [StubOutcome::Value(value)] => Behaviour::Returns(value),
        _ => Behaviour::Other,
    }
}

impl StubClass {
    fn of(
        scope: &mut Scope,
        stubs: &[(&Script, usize, &str, &AnonymousBody)],
    ) -> Option<StubClass> {
        let (_, _, interface, body) = *stubs.first()?;
        let before = std::mem::take(&mut scope.uses_raw_types);
        let mut names = Vec::new();
        let mut free = |name: String| {
            let numbered = (2..).map(|number| format!("{name}{number}"));
            let name = std::iter::once(name.clone())
                .chain(numbered)
                .find(|name| !names.contains(name))?;
            names.push(name.clone());
            Some(literal::ascii(&name))
        };
        let methods = body.methods.iter().enumerate().map(|(place, method)| {
            let is_kept = |&(script, stub, ..): &(&Script, usize, _, _)| {
                observed(script, stub).any(|(observed, asserted)| {
                    *observed == *method.method && !matches!(asserted, StubCalls::State { .. })
                })
            };
            let is_told = |&(script, stub, _, body): &(&Script, usize, _, &AnonymousBody)| {
                let method = &body.methods[place];
                matches!(behaviour(script, stub, method), Behaviour::Returns(_))
            };
            let name = &method.method.name;
            let outcomes = stubs
                .iter()
                .flat_map(|(.., body)| &body.methods[place].outcomes);
            let thrown = outcomes.filter(|outcome| outcome.thrown().is_some());
            let calls = stubs.iter().any(is_kept);
            let result = stubs.iter().any(is_told);
            StubMethod {
                method: AnonymousMethod {
                    outcomes: thrown.cloned().collect(),
                    ..method.clone()
                },
                calls: calls.then(|| free(format!("{name}Calls"))).flatten(),
                result: result.then(|| free(format!("{name}Result"))).flatten(),
            }
        });
        let methods: Vec<StubMethod> = methods.collect();
        let is_kept = methods.iter().any(|method| method.calls.is_some());
        let kind = if is_kept { "Recording" } else { "Stub" };
        let simple = crate::types::simple_name(interface);
        let mut class = StubClass {
            name: scope.free_class(&format!("{kind}{}", literal::ascii(&simple)))?,
            body: body.clone(),
            interface: interface.to_owned(),
            methods,
            source: Vec::new(),
        };
        let source = class.written(scope);
        let is_raw = std::mem::replace(&mut scope.uses_raw_types, before);
        class.source = source.filter(|_| !is_raw)?;
        Some(class)
    }

    /// Lines of its source.
    fn written(&self, scope: &mut Scope) -> Option<Vec<String>> {
        let interface = match scope.parameterized(&self.interface, &self.body.contents) {
            Some(name) => name,
            None => scope.type_name(&self.interface)?,
        };
        let mut lines = vec![format!(
            "private static class {} implements {interface} {{",
            self.name
        )];
        let mut methods = Vec::new();
        scope.locals = self
            .methods
            .iter()
            .flat_map(StubMethod::fields)
            .cloned()
            .collect();
        for method in &self.methods {
            if let Some(calls) = &method.calls {
                let list = stub_calls::list_of(scope, &method.method.method, Some(&method.method));
                lines.push(format!(
                    "    final {} {calls} = {};",
                    list.declared, list.made
                ));
            }
            let own = &method.method;
            let mut body = Vec::new();
            let names = anonymous::parameters(scope, own);
            if let Some(calls) = &method.calls {
                body.push(format!("{};", stub_calls::kept_in(scope, calls, &names)));
            }
            let returns = anonymous::returned(scope, own)?;
            match &method.result {
                Some(result) => {
                    lines.push(format!("    {returns} {result};"));
                    body.push(format!("return {result};"));
                }
                None if own.returns.is_none() => {}
                None => body.push(format!("return {};", default_of(&returns))),
            }
            methods.push(anonymous::with_body(scope, own, &names, body)?);
        }
        for method in methods {
            if lines.len() > 1 {
                lines.push(String::new());
            }
            lines.push(format!("    @{}", scope.lang("Override")));
            lines.extend(method.into_iter().map(super::call::indented));
        }
        lines.push("}".to_owned());
        Some(lines)
    }

    /// Source, as a member of the test class.
    pub fn source(&self) -> String {
        let lines = self.source.iter().map(|line| match line.as_str() {
            "" => "\n".to_owned(),
            line => format!("    {line}\n"),
        });
        lines.collect()
    }

    /// Declaration of a variable for an object that does nothing yet, and the variable.
    pub fn fresh(&self, name: &str) -> (String, Expression) {
        let class = &self.name;
        let variable = Expression {
            source: name.to_owned(),
            static_type: self.interface.clone(),
        };
        (format!("{class} {name} = new {class}();"), variable)
    }
}

impl StubMethod {
    fn fields(&self) -> impl Iterator<Item = &String> {
        self.calls.iter().chain(&self.result)
    }
}

/// Value that a method returns whom no test tells another one.
fn default_of(class: &str) -> &'static str {
    match class {
        "boolean" => "false",
        "char" => "'\\0'",
        "byte" | "short" | "int" => "0",
        "long" => "0L",
        "float" => "0.0f",
        "double" => "0.0",
        _ => "null",
    }
}

/// Class of the stub that a statement makes, if it has one.
fn class_of<'c>(classes: &'c [StubClass], script: &Script, number: usize) -> Option<&'c StubClass> {
    let (interface, body) = stub(script, number, &script.statements[number])?;
    let mut classes = classes.iter();
    classes.find(|class| class.interface == interface && is_like(&class.body, body))
}

/// Interface of the stub that a statement makes, if it has a class.
pub(super) fn interface_of<'c>(
    classes: &'c [StubClass],
    script: &Script,
    number: usize,
) -> Option<&'c str> {
    class_of(classes, script, number).map(|class| class.interface.as_str())
}

/// Class of the stub that a statement makes, if its test overrides no method.
pub(super) fn plain_class_of<'c>(
    classes: &'c [StubClass],
    script: &Script,
    number: usize,
) -> Option<&'c StubClass> {
    let class = class_of(classes, script, number)?;
    let (_, body) = stub(script, number, &script.statements[number])?;
    let mut methods = body.methods.iter();
    let is_other =
        methods.any(|method| matches!(behaviour(script, number, method), Behaviour::Other));
    (!is_other).then_some(class)
}

/// Statements that make an object of such a class for a statement, and its variable.
pub(super) fn declared(
    scope: &mut Scope,
    held: &[Expression],
    script: &Script,
    number: usize,
    name: &str,
) -> Option<(Vec<String>, Expression)> {
    let class = class_of(&scope.stub_classes, script, number)?.clone();
    let (_, body) = stub(script, number, &script.statements[number])?;
    let own = class.methods.iter().zip(&body.methods);
    for (method, own) in own.clone() {
        if let Some(calls) = &method.calls {
            let list = stub_calls::list_of(scope, &own.method, Some(own));
            scope.kept_calls.push(KeptCalls::in_field(
                (number, &own.method),
                (name, calls),
                list.element,
            ));
        }
    }
    scope.written_stub = Some(number);
    // What is overridden hides none of them.
    let fields = class.methods.iter().flat_map(StubMethod::fields);
    scope.locals.extend(fields.cloned());
    let (line, variable) = class.fresh(name);
    let mut results = Vec::new();
    let mut overridden = Vec::new();
    for (method, own) in own {
        match behaviour(script, number, own) {
            Behaviour::Default => {}
            Behaviour::Returns(value) => {
                let value = anonymous::value_of(scope, held, value).source;
                let result = method.result.as_ref()?;
                results.push(format!("{name}.{result} = {value};"));
            }
            Behaviour::Other => overridden.push(own),
        }
    }
    let line = match overridden.is_empty() {
        true => line,
        false => {
            let creation = line.trim_end_matches(';');
            let members = anonymous::members(scope, held, &overridden)?;
            let lines = [
                vec![format!("{creation} {{")],
                members,
                vec!["};".to_owned()],
            ];
            lines.concat().join("\n")
        }
    };
    Some((std::iter::once(line).chain(results).collect(), variable))
}
