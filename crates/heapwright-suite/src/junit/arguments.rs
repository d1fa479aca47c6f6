//! Expressions of arguments in tests.

use super::build::{Built, Expression, OBJECT, constant_of};
use super::mocks;
use super::scope::Scope;
use super::steps;
use super::stub_calls;
use super::support::Helper;
use crate::types::{MethodDescriptor, element_name};
use crate::{Call, CollectionKind, ContentsKind, Literal, MethodSig, Structure, Value, literal};

/// Expression of an argument.
#[derive(Clone, Debug)]
pub(super) struct ArgumentExpression {
    /// Source of the expression.
    pub source: String,
    /// For a box, its primitive, which is equivalent where the compiler boxes it.
    pub unboxed: Option<String>,
    /// Static type as a binary name; `null` for null.
    pub static_type: String,
    /// Whether it is assignable to the parameter's type.
    pub fits: bool,
    /// Whether an `Object...` parameter would take it for the whole array.
    pub is_alone_an_array: bool,
    /// For a lambda, the interface to which it is cast if the parameter does not determine it.
    pub target: Option<String>,
}

impl ArgumentExpression {
    /// Argument that is a variable or an equivalent expression.
    pub fn variable(variable: &Expression, fits: bool) -> ArgumentExpression {
        ArgumentExpression {
            source: variable.source.clone(),
            unboxed: None,
            fits,
            is_alone_an_array: variable.static_type.starts_with('['),
            static_type: variable.static_type.clone(),
            target: None,
        }
    }

    /// Expression for a place of type `Object`.
    pub fn as_object(&self) -> String {
        match &self.target {
            Some(target) => format!("({target}) {}", self.source),
            None => self.source.clone(),
        }
    }
}

/// Arguments of the call under test.
pub(super) fn arguments(
    scope: &mut Scope,
    built: &Built,
    input: &Structure,
    call: &Call,
    types: &MethodDescriptor,
) -> Vec<ArgumentExpression> {
    let literals = call.args.iter().zip(&types.parameters).enumerate();
    literals
        .map(|(place, (literal, parameter))| match literal {
            Literal::Value(value @ Value::Ref(target)) => {
                let fits = built.fits(input, *value, parameter);
                ArgumentExpression::variable(&built.expressions[*target], fits)
            }
            Literal::Made(_) => {
                let made = built.made.get(place).cloned().flatten();
                ArgumentExpression::variable(&made.unwrap_or_else(Expression::none), true)
            }
            Literal::EnumConstant { .. } => {
                let mut argument = literal_argument(scope, literal);
                argument.fits |= parameter == "Ljava/lang/Object;";
                argument
            }
            _ => literal_argument(scope, literal),
        })
        .collect()
}

/// Argument that is no variable of an object.
pub(super) fn literal_argument(scope: &mut Scope, literal: &Literal) -> ArgumentExpression {
    if let Some(variable) = mocks::prepared(scope, literal) {
        return ArgumentExpression::variable(&variable, true);
    }
    let (source, static_type) = match literal {
        Literal::Value(Value::Null | Value::Ref(_)) => ("null".to_owned(), "null".to_owned()),
        Literal::Value(value) => {
            let class = value.box_class().unwrap_or_default();
            let source = literal::value(*value).unwrap_or_default();
            (source, unboxed(class).to_owned())
        }
        Literal::Boxed(value) => (
            super::build::boxed(*value),
            value.box_class().unwrap_or_default().to_owned(),
        ),
        Literal::String(text) => (literal::string(text), "java.lang.String".to_owned()),
        Literal::EnumConstant { class, name } => constant_of(scope, &class.name, name),
        Literal::StaticField {
            class,
            name,
            field_type,
        } => {
            let class = scope.bare_name(&class.name).unwrap_or_default();
            let source = format!("{class}.{}", literal::ascii(name));
            (source, field_type.clone())
        }
        Literal::Class(class) => {
            let name = scope.bare_name(&class.name).unwrap_or_default();
            (format!("{name}.class"), "java.lang.Class".to_owned())
        }
        Literal::Made(_) => (String::new(), String::new()),
        Literal::Parameter { name, like } => {
            let like = literal_argument(scope, like);
            (name.clone(), like.static_type)
        }
        Literal::Array { class, elements } => array(scope, class, elements),
        Literal::Held { holder, elements } => held(scope, *holder, elements),
        Literal::Contents { kind, elements } => {
            let source = contents(scope, *kind, elements);
            (source, kind.class().to_owned())
        }
        Literal::Lambda {
            interface,
            method,
            answer,
            is_raw,
            ..
        } => {
            let source = lambda(scope, method, answer.as_deref());
            let cast = match is_raw {
                true => scope.type_name(&interface.name),
                false => None,
            };
            match cast {
                Some(cast) => (format!("({cast}) {source}"), interface.name.clone()),
                None => (source, LAMBDA.to_owned()),
            }
        }
        Literal::New(step) => {
            let written = steps::expression(scope, &[], step);
            (written.source, written.given)
        }
        Literal::Factory {
            class,
            method,
            is_raw,
            of,
        } => {
            let name = scope.bare_name(&class.name).unwrap_or_default();
            let of = of.as_ref().and_then(|of| scope.type_name(&of.name));
            let of = of.map_or_else(String::new, |of| format!("<{of}>"));
            let source = format!("{name}.{of}{}()", literal::ascii(method));
            let source = match is_raw {
                true => {
                    // Casts to the raw type.
                    let cast = scope.type_name(&class.name).unwrap_or_default();
                    format!("({cast}) {source}")
                }
                false => source,
            };
            (source, class.name.clone())
        }
    };
    let target = match literal {
        Literal::Lambda {
            interface,
            is_raw: false,
            ..
        } => scope.bare_name(&interface.name),
        _ => None,
    };
    let unboxed = match literal {
        Literal::Boxed(value) => literal::value(*value),
        _ => None,
    };
    ArgumentExpression {
        source,
        unboxed,
        // A constant of an inaccessible class has the static type `Object`.
        fits: static_type != OBJECT || matches!(literal, Literal::StaticField { .. }),
        is_alone_an_array: static_type == "null" || static_type.starts_with('['),
        static_type,
        target,
    }
}

/// Placeholder for the static type of a lambda, which its context determines.
const LAMBDA: &str = "lambda";

fn lambda(scope: &mut Scope, method: &MethodSig, answer: Option<&Literal>) -> String {
    let answer = answer.map(|answer| literal_argument(scope, answer));
    let answer = answer.map(|answer| answer.unboxed.unwrap_or(answer.source));
    let is_taken = |name: &str| scope.locals.contains(name);
    let names = literal::lambda_parameters(method.parameter_count(), is_taken);
    let kept = stub_calls::kept(scope, method, &names, &[]);
    let body = match (&kept[..], answer) {
        ([], Some(answer)) => answer,
        ([], None) => "{}".to_owned(),
        ([only], None) => only.clone(),
        (all, None) => format!("{{ {}; }}", all.join("; ")),
        (all, Some(answer)) => format!("{{ {}; return {answer}; }}", all.join("; ")),
    };
    literal::lambda(&names, &body)
}

/// Expression of a new array, and its type.
fn array(scope: &mut Scope, class: &str, elements: &[Literal]) -> (String, String) {
    let sources = unboxed_sources(scope, elements);
    match scope.type_name(class) {
        Some(name) if sources.is_empty() => (format!("new {name} {{}}"), class.to_owned()),
        Some(name) => (format!("new {name} {{{sources}}}"), class.to_owned()),
        None => {
            scope.helper(Helper::NewArray);
            let element = literal::string(&element_name(class));
            // An array of an inaccessible class has no elements.
            (format!("newArray({element}, 0)"), OBJECT.to_owned())
        }
    }
}

/// Expression of a new collection, and its type.
fn held(scope: &mut Scope, holder: CollectionKind, elements: &[Literal]) -> (String, String) {
    let sources = sources_of(scope, elements);
    let class = match holder {
        CollectionKind::List => "java.util.ArrayList",
        CollectionKind::Set => "java.util.LinkedHashSet",
        CollectionKind::Map => "java.util.LinkedHashMap",
    };
    let name = scope.import(class);
    let content = match holder {
        _ if sources.is_empty() => String::new(),
        CollectionKind::List | CollectionKind::Set => match scope.release < FACTORIES {
            true => listed(scope, &sources, elements.len()),
            false => format!("{}.of({sources})", scope.import("java.util.List")),
        },
        CollectionKind::Map if scope.release < FACTORIES => {
            scope.helper(Helper::MapOf);
            return (format!("mapOf({sources})"), "java.util.Map".to_owned());
        }
        CollectionKind::Map => {
            let (sorted, map) = (
                scope.import("java.util.TreeMap"),
                scope.import("java.util.Map"),
            );
            format!("new {sorted}<>({map}.of({sources}))")
        }
    };
    (format!("new {name}<>({content})"), class.to_owned())
}

/// First feature version with `List.of`, `Set.of`, `Map.of` and `Map.entry`.
pub(super) const FACTORIES: u32 = 9;

/// Expression of a list with some elements, of methods older than `List.of`.
pub(super) fn listed(scope: &mut Scope, sources: &str, count: usize) -> String {
    let (class, method) = match count {
        0 => ("java.util.Collections", "emptyList"),
        // An array is not spread.
        1 => ("java.util.Collections", "singletonList"),
        _ => ("java.util.Arrays", "asList"),
    };
    format!("{}.{method}({sources})", scope.import(class))
}

/// Expression of a value equal to one with some contents, of methods older than `List.of`; `None`
/// if there are no newer ones.
fn old_contents(scope: &mut Scope, kind: ContentsKind, elements: &[Literal]) -> Option<String> {
    let sources = unboxed_sources(scope, elements);
    Some(match kind {
        ContentsKind::Set | ContentsKind::Map if elements.is_empty() => {
            let method = if kind == ContentsKind::Set {
                "emptySet"
            } else {
                "emptyMap"
            };
            format!("{}.{method}()", scope.import("java.util.Collections"))
        }
        ContentsKind::List => listed(scope, &sources, elements.len()),
        ContentsKind::Set => {
            let list = listed(scope, &sources, elements.len());
            format!("new {}<>({list})", scope.import("java.util.LinkedHashSet"))
        }
        ContentsKind::Map => {
            scope.helper(Helper::MapOf);
            format!("mapOf({sources})")
        }
        ContentsKind::Entry => {
            let maps = scope.import("java.util.AbstractMap");
            format!("new {maps}.SimpleImmutableEntry<>({sources})")
        }
        _ => return None,
    })
}

/// Expression of a value with some contents.
fn contents(scope: &mut Scope, kind: ContentsKind, elements: &[Literal]) -> String {
    if scope.release < FACTORIES
        && let Some(contents) = old_contents(scope, kind, elements)
    {
        return contents;
    }
    let sources = unboxed_sources(scope, elements);
    let mut is_null = elements
        .iter()
        .map(|element| *element == Literal::Value(Value::Null));
    let (class, method) = match kind {
        ContentsKind::List if is_null.any(|is_null| is_null) => match elements.len() {
            1 => ("java.util.Collections", "singletonList"),
            _ => ("java.util.Arrays", "asList"),
        },
        ContentsKind::Entry => ("java.util.Map", "entry"),
        ContentsKind::List | ContentsKind::Set | ContentsKind::Map => (kind.class(), "of"),
        _ if elements.is_empty() => (kind.class(), "empty"),
        _ => (kind.class(), "of"),
    };
    format!("{}.{method}({sources})", scope.import(class))
}

/// The literal with casts to raw types, for places whose type says nothing.
pub(super) fn as_raw(literal: &Literal) -> Literal {
    let mut literal = literal.clone();
    if let Literal::Lambda { is_raw, .. } | Literal::Factory { is_raw, .. } = &mut literal {
        *is_raw = true;
    }
    literal
}

/// Elements where the compiler boxes primitives.
fn unboxed_sources(scope: &mut Scope, elements: &[Literal]) -> String {
    let elements = elements.iter().map(|element| {
        let element = literal_argument(scope, element);
        element.unboxed.unwrap_or(element.source)
    });
    elements.collect::<Vec<_>>().join(", ")
}

fn sources_of(scope: &mut Scope, elements: &[Literal]) -> String {
    let elements = elements.iter();
    let sources = elements.map(|element| literal_argument(scope, element).source);
    sources.collect::<Vec<_>>().join(", ")
}

/// Arguments of a call with two copies of its input. A second structure among them is replaced by
/// the one of the copy, which nothing changes.
pub(super) fn arguments_before(input: &Structure, call: &Call) -> Vec<Literal> {
    let (own, all) = (input.reached(), input.objects.len());
    let arguments = call.args.iter().map(|argument| match argument {
        Literal::Value(Value::Ref(target)) if *target >= own => {
            Literal::Value(Value::Ref(target + all))
        }
        other => other.clone(),
    });
    arguments.collect()
}

fn unboxed(class: &str) -> &'static str {
    match class {
        "java.lang.Boolean" => "boolean",
        "java.lang.Byte" => "byte",
        "java.lang.Short" => "short",
        "java.lang.Character" => "char",
        "java.lang.Integer" => "int",
        "java.lang.Long" => "long",
        "java.lang.Float" => "float",
        _ => "double",
    }
}
