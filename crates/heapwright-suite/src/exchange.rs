//! Requests to Spring's controllers that stand for calls of their handlers, and the responses, as plain
//! owned data.
//!
//! What they are like is read from facts that a run on a JVM has noted, a list of texts each, of which the
//! first is its kind.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// Way of a test to make the call under test through `MockMvc`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Exchange {
    /// Unknown as yet: the test only notes the facts.
    Sought,
    /// A request and its response.
    Known(Box<KnownExchange>),
}

/// Request that stands for a call, and what its response is to be.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KnownExchange {
    /// Method of HTTP, as `GET`.
    pub method: String,
    /// Path with variables in braces.
    pub template: String,
    /// Values of the variables, in order.
    pub variables: Vec<String>,
    /// Parameters, headers and body.
    pub parts: Vec<RequestPart>,
    /// Prefix and suffix of the places of views, if the default ones do not do.
    pub views: Option<(String, String)>,
    /// Numbers of the arguments of the call of which the handler gets copies, and whether these are
    /// equal to them.
    pub copies: Vec<(usize, bool)>,
    /// Status of the response.
    pub status: u16,
    /// What the response is to be beside that.
    pub expected: Vec<Expectation>,
}

/// Part of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RequestPart {
    /// Parameter, by its name.
    Parameter(String, String),
    /// Header, by its name.
    Header(String, String),
    /// Body.
    Body {
        /// Media type.
        media_type: String,
        /// Content.
        text: String,
    },
}

/// Property of a response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Expectation {
    /// Address of a redirection.
    Redirect(String),
    /// Header, by its name.
    Header(String, String),
    /// Name of the view.
    View(String),
    /// Attribute.
    Attribute {
        /// Whether it is one of the next request, not of the model.
        is_flash: bool,
        /// Name.
        name: String,
        /// Value.
        value: AttributeValue,
    },
    /// Attribute of the model that has errors.
    Errors(String),
    /// Element of the JSON body, by its path.
    JsonElement(String, JsonElement),
    /// The whole body, as JSON in any form.
    Json(String),
    /// The whole body.
    Text(String),
}

/// Value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AttributeValue {
    /// Object of a statement of the test.
    Held(usize),
    /// String.
    Text(String),
    /// Number or truth value, as in a source.
    Constant(String),
    /// Collection with an order.
    List(Vec<AttributeValue>),
    /// Another one.
    Other,
}

/// Value of an element of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JsonElement {
    /// String.
    Text(String),
    /// Number or truth value, as in a source.
    Constant(String),
    /// Null, or an array or object without elements.
    Empty,
    /// Number of the elements of an array.
    Length(usize),
}

/// Libraries on the class path of tests that assert JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JsonLibraries {
    /// Whether `jsonPath` can be used.
    pub has_json_path: bool,
    /// Whether `content().json` can be used.
    pub has_json_assert: bool,
}

/// Maximum number of elements of a JSON body that are asserted one by one.
const MAX_ELEMENTS: usize = 16;

impl KnownExchange {
    /// Reads the facts of a run; `None` if they are not those of a whole exchange.
    #[must_use]
    pub fn of_facts(facts: &[Vec<String>], libraries: JsonLibraries) -> Option<KnownExchange> {
        let mut exchange = KnownExchange::default();
        let is_whole = facts.last()? == &["done"];
        for fact in facts.iter().filter(|_| is_whole) {
            exchange.add(fact, libraries);
        }
        is_whole.then_some(exchange)
    }

    fn add(&mut self, fact: &[String], libraries: JsonLibraries) {
        let fields: Vec<&str> = fact.iter().map(String::as_str).collect();
        let owned = |text: &str| text.to_owned();
        match fields[..] {
            ["method", method] => self.method = owned(method),
            ["template", template] => self.template = owned(template),
            ["variable", value] => self.variables.push(owned(value)),
            ["param", name, value] => {
                self.parts
                    .push(RequestPart::Parameter(owned(name), owned(value)));
            }
            ["header", name, value] => {
                self.parts
                    .push(RequestPart::Header(owned(name), owned(value)));
            }
            ["body", media_type, text] => self.parts.push(RequestPart::Body {
                media_type: owned(media_type),
                text: owned(text),
            }),
            ["views", prefix, suffix] => self.views = Some((owned(prefix), owned(suffix))),
            ["copy", number, is_equal] => {
                let number = number.parse().unwrap_or_default();
                self.copies.push((number, is_equal == "true"));
            }
            ["status", status] => self.status = status.parse().unwrap_or_default(),
            ["json", text] => self.expected.extend(of_json(text, libraries)),
            _ => self.expected.extend(expectation(&fields)),
        }
    }

    /// What this and another run of the same request agree on; `None` if it was not the same.
    #[must_use]
    pub fn agreed(mut self, other: &KnownExchange) -> Option<KnownExchange> {
        self.expected.retain(|one| other.expected.contains(one));
        let is_same = KnownExchange {
            expected: self.expected.clone(),
            ..other.clone()
        } == self;
        is_same.then_some(self)
    }
}

/// Expectation of a fact about a response, if it is one.
fn expectation(fields: &[&str]) -> Option<Expectation> {
    let owned = |text: &str| text.to_owned();
    Some(match *fields {
        ["redirect", url] => Expectation::Redirect(owned(url)),
        ["reply-header", name, value] => Expectation::Header(owned(name), owned(value)),
        ["view", name] => Expectation::View(owned(name)),
        ["errors", name] => Expectation::Errors(owned(name)),
        ["text", text] => Expectation::Text(owned(text)),
        [kind @ ("attribute" | "flash"), name, ref value @ ..] => Expectation::Attribute {
            is_flash: kind == "flash",
            name: owned(name),
            value: attribute(value),
        },
        _ => return None,
    })
}

/// Value of an attribute, by its kind and text; a list has those of its elements.
fn attribute(fields: &[&str]) -> AttributeValue {
    match *fields {
        ["list", ref elements @ ..] => {
            AttributeValue::List(elements.chunks(2).map(attribute).collect())
        }
        ["held", number] => number
            .parse()
            .map_or(AttributeValue::Other, AttributeValue::Held),
        ["text", text] => AttributeValue::Text(text.to_owned()),
        ["constant", source] => AttributeValue::Constant(source.to_owned()),
        _ => AttributeValue::Other,
    }
}

/// Expectations of a JSON body: of its elements if they are few.
fn of_json(text: &str, libraries: JsonLibraries) -> Vec<Expectation> {
    let mut elements = Vec::new();
    if let Ok(json) = serde_json::from_str(text)
        && libraries.has_json_path
    {
        add_elements((&json, text), "$", &mut elements);
    }
    match elements.len() {
        1..=MAX_ELEMENTS => elements
            .into_iter()
            .map(|(path, element)| Expectation::JsonElement(path, element))
            .collect(),
        _ if libraries.has_json_assert => vec![Expectation::Json(text.to_owned())],
        _ => vec![Expectation::Text(text.to_owned())],
    }
}

/// Adds the elements of a JSON value at a path, members in the order of the text.
fn add_elements((json, text): (&Json, &str), path: &str, to: &mut Vec<(String, JsonElement)>) {
    let element = match json {
        Json::Array(elements) if !elements.is_empty() => {
            to.push((
                format!("{path}.length()"),
                JsonElement::Length(elements.len()),
            ));
            for (number, element) in elements.iter().enumerate() {
                add_elements((element, text), &format!("{path}[{number}]"), to);
            }
            return;
        }
        Json::Object(members) if !members.is_empty() => {
            let mut members: Vec<(&String, &Json)> = members.iter().collect();
            members.sort_by_key(|(name, _)| text.find(&format!("\"{name}\":")));
            for (name, member) in members {
                add_elements((member, text), &member_path(path, name), to);
            }
            return;
        }
        Json::Null | Json::Array(_) | Json::Object(_) => JsonElement::Empty,
        Json::Bool(is_true) => JsonElement::Constant(is_true.to_string()),
        Json::String(text) => JsonElement::Text(text.clone()),
        Json::Number(number) => JsonElement::Constant(constant(&number.to_string())),
    };
    to.push((path.to_owned(), element));
}

/// Path of a member of an object.
fn member_path(path: &str, name: &str) -> String {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    match !name.is_empty() && name.chars().all(is_word) {
        true => format!("{path}.{name}"),
        false => {
            let name = name.replace('\\', "\\\\").replace('\'', "\\'");
            format!("{path}['{name}']")
        }
    }
}

/// Number as a source has it: one beyond the range of `int` is a `long`.
fn constant(number: &str) -> String {
    match number.parse::<i64>() {
        Ok(long) if i32::try_from(long).is_err() => format!("{number}L"),
        _ => number.to_owned(),
    }
}
