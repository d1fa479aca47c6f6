//! Stubs as mocks of Mockito.
//!
//! A method whose calls do what Mockito does by default is not stubbed: it returns zero, false, null
//! or nothing. Code of the supertype runs as in an anonymous class.
//!
//! Invariant: a mock does what the anonymous class or lambda does that it replaces, but for calls
//! that the superclass' constructor makes.

use std::borrow::Cow;
use std::sync::Arc;

use super::anonymous::{exception, value_of};
use super::build::Expression;
use super::call;
use super::scope::Scope;
use super::steps;
use super::stub_calls;
use crate::types::{MethodDescriptor, binary_name, primitive_keyword, simple_name};
use crate::variables::variables;
use crate::{
    Access, AnonymousBody, ClassSig, Input, Literal, MethodSig, Step, StubOutcome, Value, literal,
};

pub(super) const MOCKITO: &str = "org.mockito.Mockito";
pub(super) const MATCHERS: &str = "org.mockito.ArgumentMatchers";
const ANSWERS: &str = "org.mockito.AdditionalAnswers";

/// Maximum number of different argument lists of a method that has an answer for each.
const MOST_ARGUMENTS: usize = 4;

/// Statements that make a mock, and its variable.
type Declared = (Vec<String>, Expression);

/// Outcomes of calls, with the arguments of these; without for all calls.
type Answer<'s> = (Vec<StubOutcome>, Option<&'s [Literal]>);

/// Method of a mock.
struct MockedMethod<'s> {
    method: &'s MethodSig,
    access: Access,
    is_variadic: bool,
    outcomes: Cow<'s, [StubOutcome]>,
    /// Arguments of each of its calls, which it answers alone; none for all.
    asked_with: &'s [Vec<Literal>],
}

/// Statements that make the mock for a call that creates a stub. `contents` are the type arguments
/// of its variable. `None` if the stub is no mock or cannot be one.
pub(super) fn declared(
    scope: &mut Scope,
    held: &[Expression],
    step: &Step,
    contents: &[Arc<ClassSig>],
    name: &str,
) -> Option<Declared> {
    let body = step.body.as_ref().filter(|body| body.is_mock)?;
    let made = step.made.as_deref().filter(|_| !name.is_empty())?;
    let asked = body.methods.iter().filter(|method| !method.is_unasked);
    let methods = asked.map(|method| MockedMethod {
        method: &method.method,
        access: method.access,
        is_variadic: method.is_variadic,
        outcomes: Cow::Borrowed(&method.outcomes),
        asked_with: &method.asked_with,
    });
    let methods = stubbed(scope, methods)?;
    let settings = match (body.extends_class, body.has_code) {
        (true, _) => {
            let arguments = steps::superclass_arguments(scope, held, step)?;
            let with_settings = scope.static_import(MOCKITO, "withSettings");
            let real = scope.static_import(MOCKITO, "CALLS_REAL_METHODS");
            format!(", {with_settings}().useConstructor{arguments}.defaultAnswer({real})")
        }
        (false, has_code) => of_interface(scope, has_code),
    };
    let made = Mock {
        class: made,
        contents,
        settings,
    };
    made.declared(scope, held, &methods, name)
}

/// Statements that make the mock for a lambda that a variable holds.
pub(super) fn of_literal(scope: &mut Scope, literal: &Literal, name: &str) -> Option<Declared> {
    let Literal::Lambda {
        interface,
        method,
        answer,
        has_code,
        is_mock: true,
        ..
    } = literal
    else {
        return None;
    };
    // The type arguments of a lambda are in its context alone.
    if interface.is_generic || name.is_empty() {
        return None;
    }
    let outcome = match answer {
        Some(answer) => StubOutcome::Value(Input::Literal((**answer).clone())),
        None => StubOutcome::Nothing,
    };
    let types = MethodDescriptor::parse(&method.descriptor).ok()?;
    let last = types.parameters.last();
    let method = MockedMethod {
        method,
        access: Access::Public,
        // A last array may be `T...`.
        is_variadic: last.is_some_and(|last| last.starts_with('[')),
        outcomes: Cow::Owned(vec![outcome]),
        asked_with: &[],
    };
    let methods = stubbed(scope, [method])?;
    let made = Mock {
        class: interface,
        contents: &[],
        settings: of_interface(scope, *has_code),
    };
    made.declared(scope, &[], &methods, name)
}

/// Whether a mock can do what the methods of a stub of an interface do.
pub(super) fn can_stub(body: &AnonymousBody) -> bool {
    let mut methods = body.methods.iter();
    !methods.any(|method| method.is_variadic && !method.is_unasked)
}

/// Declaration of a variable for the mock of an interface that answers nothing yet, and the variable.
pub(super) fn fresh(
    scope: &mut Scope,
    class: &ClassSig,
    runs_code: bool,
    name: &str,
) -> Option<(String, Expression)> {
    let made = Mock {
        class,
        contents: &[],
        settings: of_interface(scope, runs_code),
    };
    let (mut lines, variable) = made.declared(scope, &[], &[], name)?;
    Some((lines.swap_remove(0), variable))
}

/// Variable of a mock for a stub in an expression; the statements that make it come first in the
/// test.
pub(super) fn prepared(scope: &mut Scope, literal: &Literal) -> Option<Expression> {
    scope.preparations.as_ref()?;
    let class = match literal {
        Literal::Lambda { interface, .. } => &interface.name,
        Literal::New(step) => &step.class.name,
        _ => return None,
    };
    let simple = simple_name(class);
    let name = variables([format!("Mock{simple}").as_str()]).pop()?;
    let numbered = (2..).map(|number| format!("{name}{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    let name = names.find(|name| !scope.locals.contains(name))?;
    let (lines, variable) = match literal {
        Literal::New(step) => declared(scope, &[], step, &[], &name),
        _ => of_literal(scope, literal, &name),
    }?;
    scope.locals.insert(name);
    scope.preparations.get_or_insert_default().extend(lines);
    Some(variable)
}

/// Further arguments for the mock of an interface.
fn of_interface(scope: &mut Scope, has_code: bool) -> String {
    match has_code {
        true => format!(", {}", scope.static_import(MOCKITO, "CALLS_REAL_METHODS")),
        false => String::new(),
    }
}

/// Methods that are stubbed; `None` if a test cannot stub one.
fn stubbed<'s>(
    scope: &Scope,
    methods: impl IntoIterator<Item = MockedMethod<'s>>,
) -> Option<Vec<MockedMethod<'s>>> {
    let mut stubbed = Vec::new();
    for method in methods {
        if method.is_default() && !stub_calls::keeps_states(scope, method.method) {
            continue;
        }
        // No matcher accepts any number of arguments.
        if method.is_variadic || !scope.can_use(method.access, &method.method.declaring_class) {
            return None;
        }
        stubbed.push(method);
    }
    Some(stubbed)
}

/// A mock.
struct Mock<'s> {
    class: &'s ClassSig,
    contents: &'s [Arc<ClassSig>],
    /// Further arguments of `mock`.
    settings: String,
}

impl Mock<'_> {
    fn declared(
        &self,
        scope: &mut Scope,
        held: &[Expression],
        methods: &[MockedMethod<'_>],
        name: &str,
    ) -> Option<Declared> {
        let mock = scope.static_import(MOCKITO, "mock");
        let class = scope.bare_name(&self.class.name)?;
        let source = format!("{mock}({class}.class{})", self.settings);
        // The class literal has no type arguments.
        scope.uses_raw_types |= self.class.is_generic;
        let given = (source.as_str(), self.class.name.as_str());
        let (line, variable) =
            steps::statement(scope, Some(self.class), self.contents, name, given);
        let mut lines = vec![line];
        for method in methods {
            for (outcomes, arguments) in method.answers() {
                lines.push(method.stubbing(scope, held, name, (&outcomes, arguments))?);
            }
        }
        let exceptions = methods.iter().flat_map(|method| &method.method.exceptions);
        scope.stubbed_exceptions.extend(exceptions.cloned());
        Some((lines, variable))
    }
}

impl MockedMethod<'_> {
    /// Whether its calls do what those of a fresh mock do.
    fn is_default(&self) -> bool {
        let (_, returns) = self.method.descriptor.split_once(')').unwrap_or_default();
        // Mockito returns empty collections and the like for these types, and zero for boxes.
        let has_own_default = ["Ljava/util/", "Ljava/time/", "Ljava/lang/Iterable;"]
            .iter()
            .any(|start| returns.starts_with(start))
            || is_box(returns)
            || self.method.name == "compareTo";
        match &self.outcomes[..] {
            [StubOutcome::Nothing] | [] => true,
            [StubOutcome::Value(Input::Literal(Literal::Value(value)))] => {
                value.is_default() && !has_own_default
            }
            _ => false,
        }
    }

    /// Outcomes of its calls, with the arguments of these; without for all. Where outcomes differ, those with
    /// other arguments are apart.
    fn answers(&self) -> Vec<Answer<'_>> {
        let whole = self.outcomes.to_vec();
        // Of overloads the types of matchers select one.
        let calls = match self.method.is_overloaded {
            true => &[],
            false => self.asked_with,
        };
        let mut different: Vec<&[Literal]> = Vec::new();
        for arguments in calls {
            if !different.contains(&&arguments[..]) {
                different.push(arguments);
            }
        }
        match &different[..] {
            [only] => return vec![(whole, Some(only))],
            [_, _, ..] if whole.len() > 1 && different.len() <= MOST_ARGUMENTS => {}
            _ => return vec![(whole, None)],
        }
        let apart = different.iter().map(|&arguments| {
            let own = calls.iter().enumerate();
            let own = own.filter(|(_, call)| &call[..] == arguments);
            let mut outcomes: Vec<StubOutcome> = own
                .map(|(call, _)| whole[call.min(whole.len() - 1)].clone())
                .collect();
            while let [.., before, last] = &outcomes[..]
                && before == last
            {
                outcomes.pop();
            }
            (outcomes, Some(arguments))
        });
        apart.collect()
    }

    /// Statement that stubs it, with some outcomes for calls with some arguments or for all.
    fn stubbing(
        &self,
        scope: &mut Scope,
        held: &[Expression],
        mock: &str,
        (outcomes, asked_with): (&[StubOutcome], Option<&[Literal]>),
    ) -> Option<String> {
        let types = MethodDescriptor::parse(&self.method.descriptor).ok()?;
        let mut matchers = Vec::new();
        for (place, parameter) in types.parameters.iter().enumerate() {
            let argument = asked_with.and_then(|arguments| arguments.get(place));
            matchers.push(match argument {
                Some(argument) => {
                    let argument = Input::Literal(argument.clone());
                    steps::argument(scope, held, &argument, parameter).source
                }
                None => matcher(scope, parameter, self.method.is_overloaded)?,
            });
        }
        let name = literal::ascii(&self.method.name);
        let call = format!("{name}({})", matchers.join(", "));
        let is_void = types.returns == "V";
        let mut source = String::new();
        if !is_void {
            source = format!("{}({mock}.{call})", scope.static_import(MOCKITO, "when"));
        }
        let keeps_states = stub_calls::keeps_states(scope, self.method);
        let mut values: Vec<String> = Vec::new();
        for outcome in outcomes {
            if let StubOutcome::Value(value) = outcome
                && is_spread(value)
                && !keeps_states
            {
                values.push(value_of(scope, held, value).source);
                continue;
            }
            push_values(&mut source, &mut values);
            let (effect, argument) = match outcome {
                outcome if keeps_states => {
                    let effect = if is_void { "doAnswer" } else { "thenAnswer" };
                    (effect, self.keeping_answer(scope, held, outcome)?)
                }
                StubOutcome::Nothing => ("doNothing", String::new()),
                StubOutcome::Value(value) => ("thenReturn", value_of(scope, held, value).source),
                StubOutcome::Parameter(number) => {
                    let answer = scope.static_import(ANSWERS, "returnsArgAt");
                    ("thenAnswer", format!("{answer}({number})"))
                }
                StubOutcome::Runs { parameter, method } => {
                    let call = invocation(scope)?;
                    let run = self.runs(scope, call, (*parameter, method))?;
                    ("doAnswer", format!("{call} -> {{ {run} return null; }}"))
                }
                StubOutcome::Throws { class, arguments } => {
                    let effect = if is_void { "doThrow" } else { "thenThrow" };
                    (effect, exception(scope, class, arguments)?)
                }
            };
            match source.is_empty() {
                true => source.push_str(scope.static_import(MOCKITO, effect)),
                false => source.push_str(&format!(".{effect}")),
            }
            source.push_str(&format!("({argument})"));
        }
        push_values(&mut source, &mut values);
        if is_void {
            source.push_str(&format!(".when({mock}).{call}"));
        }
        Some(source + ";")
    }

    /// Answer that keeps what arguments are like before it does what an outcome says.
    fn keeping_answer(
        &self,
        scope: &mut Scope,
        held: &[Expression],
        outcome: &StubOutcome,
    ) -> Option<String> {
        let call = invocation(scope)?;
        let mut lines = stub_calls::kept_states(scope, self.method, |parameter, class| {
            let argument = format!("{call}.<{class}>getArgument({parameter})");
            Some((argument, None))
        });
        lines.iter_mut().for_each(|line| line.push(';'));
        match outcome {
            StubOutcome::Nothing => lines.push("return null;".to_owned()),
            StubOutcome::Value(value) => {
                lines.push(format!("return {};", value_of(scope, held, value).source));
            }
            StubOutcome::Parameter(number) => {
                lines.push(format!("return {call}.getArgument({number});"));
            }
            StubOutcome::Runs { parameter, method } => {
                lines.push(self.runs(scope, call, (*parameter, method))?);
                lines.push("return null;".to_owned());
            }
            StubOutcome::Throws { class, arguments } => {
                lines.push(format!("throw {};", exception(scope, class, arguments)?));
            }
        }
        let lines: Vec<String> = lines.into_iter().map(call::indented).collect();
        Some(format!("{call} -> {{\n{}\n}}", lines.join("\n")))
    }

    /// Statement that calls a method of the argument for a parameter.
    fn runs(
        &self,
        scope: &mut Scope,
        call: &str,
        (parameter, method): (usize, &str),
    ) -> Option<String> {
        let types = MethodDescriptor::parse(&self.method.descriptor).ok()?;
        let class = scope.bare_name(&binary_name(types.parameters.get(parameter)?))?;
        let method = literal::ascii(method);
        Some(format!(
            "{call}.<{class}>getArgument({parameter}).{method}();"
        ))
    }
}

/// Free name for the invocation that an answer is given.
fn invocation(scope: &Scope) -> Option<&'static str> {
    let mut names = ["call", "invocation", "asked"].into_iter();
    names.find(|name| !scope.locals.contains(*name))
}

/// Appends the values of consecutive calls.
fn push_values(source: &mut String, values: &mut Vec<String>) {
    if !values.is_empty() {
        source.push_str(&format!(".thenReturn({})", values.join(", ")));
        values.clear();
    }
}

/// Whether several such values are arguments of one call: `T...` takes neither null nor objects of
/// types with type arguments without a warning.
fn is_spread(value: &Input) -> bool {
    match value.literal() {
        Some(Literal::Value(value)) => *value != Value::Null,
        Some(Literal::Boxed(_) | Literal::String(_) | Literal::EnumConstant { .. }) => true,
        _ => false,
    }
}

/// Matcher of all arguments for a parameter.
pub(super) fn matcher(scope: &mut Scope, parameter: &str, is_overloaded: bool) -> Option<String> {
    let primitive = match parameter {
        "Z" => Some("anyBoolean"),
        "B" => Some("anyByte"),
        "S" => Some("anyShort"),
        "C" => Some("anyChar"),
        "I" => Some("anyInt"),
        "J" => Some("anyLong"),
        "F" => Some("anyFloat"),
        "D" => Some("anyDouble"),
        _ => None,
    };
    if let Some(any) = primitive {
        return Some(format!("{}()", scope.static_import(MATCHERS, any)));
    }
    let any = scope.static_import(MATCHERS, "any");
    Some(match is_overloaded {
        // The type selects the method.
        true => format!("({}) {any}()", scope.type_name(&binary_name(parameter))?),
        false => format!("{any}()"),
    })
}

/// Whether a type is the box of a primitive.
fn is_box(descriptor: &str) -> bool {
    let name = binary_name(descriptor);
    let simple = name.strip_prefix("java.lang.").unwrap_or_default();
    matches!(
        simple,
        "Boolean" | "Byte" | "Short" | "Character" | "Integer" | "Long" | "Float" | "Double"
    ) && primitive_keyword(descriptor).is_none()
}
