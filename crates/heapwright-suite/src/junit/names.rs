//! Names of test methods: method, input and outcome, as in `insert_on3Nodes_with2_returnsTrue`.
//!
//! Every name is an identifier in ASCII, and no two in a suite are equal.

use std::collections::{BTreeMap, BTreeSet};

use crate::types::simple_name;
use crate::variables::is_keyword;
use crate::{Body, Call, Case, Contract, Literal, Outcome, Requirement, Structure, Value, literal};

/// The longest a part of a name may be that stands for a text.
const MAX_TEXT: usize = 20;

/// Gives out names, and makes them unique.
#[derive(Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
    /// How often each name was asked for.
    wanted: BTreeMap<String, usize>,
}

impl Names {
    /// A new name for the test of a call, or of the invariant alone.
    pub fn name(&mut self, case: &Case, call: Option<&Call>, locals: &[String]) -> String {
        let base = match call {
            None => format!("invariant_on{}_holds", describe_input(&case.input)),
            Some(call) => match &call.label.name {
                Some(name) => method_name(name),
                None => describe_call(&case.input, call, locals),
            },
        };
        let count = self.wanted.entry(base.clone()).or_default();
        loop {
            *count += 1;
            let name = match *count {
                1 => base.clone(),
                number => format!("{base}_{number}"),
            };
            if self.taken.insert(name.clone()) {
                return name;
            }
        }
    }
}

/// A name that was given, as one that a test method can have beside those of `Object`.
fn method_name(given: &str) -> String {
    let name = identifier(given);
    let is_inherited = matches!(
        name.as_str(),
        "clone"
            | "finalize"
            | "getClass"
            | "hashCode"
            | "notify"
            | "notifyAll"
            | "toString"
            | "wait"
    );
    match is_inherited || is_keyword(&name) {
        true => format!("{name}_"),
        false => name,
    }
}

fn describe_call(input: &Structure, call: &Call, locals: &[String]) -> String {
    let class = &call.method.declaring_class;
    let mut text = match call.method.is_constructor() {
        true => format!("new{}", identifier(&simple_name(class))),
        false => identifier(&call.method.name),
    };
    if !call.method.is_static {
        text.push_str(&format!("_on{}", describe_input(input)));
    }
    for (at, argument) in call.args.iter().enumerate() {
        text.push_str(if at == 0 { "_with" } else { "And" });
        text.push_str(&describe(argument, locals));
    }
    text + "_" + &describe_outcome(&call.outcome, locals)
}

/// `3Nodes` for a tree of three, `HeapArray` for an object alone.
fn describe_input(structure: &Structure) -> String {
    let mut nodes = structure
        .objects
        .iter()
        .skip(1)
        .filter(|object| matches!(object.body, Body::Fields(_)))
        .map(|object| &object.class.name);
    let count = structure.node_count();
    let Some(class) = nodes.next() else {
        let root = structure.objects.first();
        return root.map_or(String::new(), |root| identifier(&root.class.simple_name()));
    };
    let kind = if nodes.all(|other| other == class) {
        identifier(&simple_name(class))
    } else {
        "Object".to_owned()
    };
    match count {
        1 => format!("1{kind}"),
        _ => format!("{count}{kind}s"),
    }
}

fn describe(literal: &Literal, locals: &[String]) -> String {
    match literal {
        Literal::Value(Value::Ref(target)) => capitalised(&identifier(
            locals.get(*target).map_or("object", String::as_str),
        )),
        Literal::Value(value) | Literal::Boxed(value) => describe_value(*value),
        Literal::String(text) => {
            let plain: String = text
                .chars()
                .filter(char::is_ascii_alphanumeric)
                .take(MAX_TEXT)
                .collect();
            match text.as_str() {
                "" => "EmptyString".to_owned(),
                _ => format!("String{}", capitalised(&plain)),
            }
        }
        Literal::EnumConstant { name, .. } | Literal::StaticField { name, .. } => {
            capitalised(&identifier(name))
        }
        Literal::Array { elements, .. } => describe_all("Array", elements, locals),
        Literal::Held { holder, elements } => {
            describe_all(&format!("{holder:?}"), elements, locals)
        }
        Literal::Made(sequence) => {
            let made = sequence
                .steps
                .get(sequence.object)
                .and_then(|step| step.made.as_ref());
            made.map_or("Object".to_owned(), |class| {
                capitalised(&identifier(&class.simple_name()))
            })
        }
    }
}

fn describe_all(name: &str, elements: &[Literal], locals: &[String]) -> String {
    if elements.is_empty() {
        return format!("Empty{name}");
    }
    let elements = elements.iter().map(|element| describe(element, locals));
    format!("{name}{}", elements.collect::<Vec<_>>().join("And"))
}

fn describe_value(value: Value) -> String {
    match value {
        Value::Int(i32::MIN) | Value::Long(i64::MIN) => return "MinValue".to_owned(),
        Value::Int(i32::MAX) | Value::Long(i64::MAX) => return "MaxValue".to_owned(),
        Value::Char(unit) => {
            return match u8::try_from(unit) {
                Ok(byte) if byte.is_ascii_alphanumeric() => {
                    format!("Char{}", char::from(byte))
                }
                _ => format!("Char{unit}"),
            };
        }
        _ => {}
    }
    let plain = literal::plain(value);
    let text = match plain.strip_prefix('-') {
        Some(rest) => format!("Minus{}", capitalised(rest)),
        None => capitalised(&plain),
    };
    text.replace(".0", "")
        .replace('.', "Point")
        .replace('-', "Minus")
}

fn describe_outcome(outcome: &Outcome, locals: &[String]) -> String {
    match outcome {
        Outcome::Returned(literal) => format!("returns{}", describe(literal, locals)),
        Outcome::ReturnedVoid => "returns".to_owned(),
        Outcome::ReturnedObject { class } => match class {
            Some(class) => format!("returns{}", capitalised(&identifier(&simple_name(class)))),
            None => "returnsObject".to_owned(),
        },
        Outcome::Threw { class } => format!("throws{}", describe_exception(&class.name)),
        Outcome::Failed(requirement) => match requirement {
            Requirement::Returns => "returns".to_owned(),
            Requirement::DoesNotThrow(class) => {
                format!("doesNotThrow{}", describe_exception(class))
            }
            Requirement::KeepsInvariant => "keepsInvariant".to_owned(),
            Requirement::KeepsArgument { .. } => "keepsArgument".to_owned(),
            Requirement::MakesValid => "makesValid".to_owned(),
            Requirement::Ends => "ends".to_owned(),
            Requirement::Satisfies(oracle) => {
                format!("satisfies{}", capitalised(&identifier(&oracle.name)))
            }
            Requirement::Agrees(other) => {
                let name = identifier(&simple_name(&other.class.name));
                format!("agreesWith{}", capitalised(&name))
            }
            Requirement::Keeps(contract) => describe_contract(*contract).to_owned(),
        },
    }
}

fn describe_contract(contract: Contract) -> &'static str {
    match contract {
        Contract::Reflexive => "isReflexive",
        Contract::UnequalToNull => "isFalse",
        Contract::Symmetric => "isSymmetric",
        Contract::SameHashCode => "impliesSameHashCode",
        Contract::NamedByString | Contract::Cloned => "isNotNull",
        Contract::OrderedAsItself => "is0",
        Contract::Antisymmetric => "isAntisymmetric",
        Contract::ClonedApart => "isAnotherObject",
    }
}

/// `NullPointer` for `java.lang.NullPointerException`.
fn describe_exception(class: &str) -> String {
    let simple = identifier(&simple_name(class));
    let short = match simple.strip_suffix("Exception") {
        Some(short) if !short.is_empty() => short,
        _ => &simple,
    };
    capitalised(short)
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_ascii_uppercase().to_string() + letters.as_str(),
        None => String::new(),
    }
}

/// The letters and digits of a Java name that a reader of ASCII can use.
fn identifier(name: &str) -> String {
    let array = name.replace("[]", "Array");
    let kept: String = array
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_')
        .collect();
    match kept.chars().next() {
        Some(first) if !first.is_ascii_digit() => kept,
        _ => format!("x{kept}"),
    }
}
