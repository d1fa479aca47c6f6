//! Paths as text and as JSON.

use heapwright_jvm::descriptor::Kind;
use heapwright_techniques::symbolic::{Contents, Ending, InputValue, Path, RunInput};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

pub fn line_of(method: &str, path: &Path) -> String {
    let mut text = format!("{method} {}", path.ending);
    if let Ending::Returned(_, _, Some(term)) = &path.ending {
        text.push_str(&format!(" = {term}"));
    }
    if !path.conditions.is_empty() {
        text.push_str(&format!(" if {}", all_of(&path.conditions)));
    }
    match &path.model {
        Some(model) if !model.roots.is_empty() => text.push_str(&format!(": {model}")),
        Some(_) => {}
        None => text.push_str(": no input known"),
    }
    if path.unknown > 0 {
        text.push_str(" (unknown)");
    }
    if path.fixed > 0 {
        text.push_str(" (values fixed)");
    }
    text
}

/// Conjunction of conditions; operands that bind weaker than `&&` are in parentheses.
pub fn all_of(conditions: &[String]) -> String {
    let all: Vec<String> = conditions
        .iter()
        .map(
            |condition| match conditions.len() > 1 && binds_weakly(condition) {
                true => format!("({condition})"),
                false => condition.clone(),
            },
        )
        .collect();
    all.join(" && ")
}

/// Whether a condition has an `||` or `?` outside parentheses.
fn binds_weakly(condition: &str) -> bool {
    let mut depth = 0_i32;
    condition.chars().any(|letter| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        depth == 0 && matches!(letter, '|' | '?' | '^')
    })
}

/// A path with an input that takes it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub struct PathSummary {
    /// The method.
    pub method: String,
    /// How it ends.
    pub outcome: String,
    /// Path condition.
    pub condition: String,
    /// An input by names; null if none is known. An object that is mentioned again is `{"ref": n}`.
    pub model: Option<Json>,
    /// Term of the result, where one is returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Decisions that the solver could not tell to be possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<u64>,
    /// Values that were fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed: Option<u64>,
    /// Path condition as a script in SMT-LIB 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// Trace that it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
}

/// Summary of a path for programs.
pub fn path_summary(method: &str, path: &Path) -> PathSummary {
    let some = |count: u64| (count > 0).then_some(count);
    PathSummary {
        method: method.to_owned(),
        outcome: path.ending.to_string(),
        condition: all_of(&path.conditions),
        model: path.model.as_ref().map(model_json),
        result: match &path.ending {
            Ending::Returned(_, _, Some(term)) => Some(term.to_string()),
            _ => None,
        },
        unknown: some(path.unknown.into()),
        fixed: some(path.fixed.into()),
        script: path.script.clone(),
        trace: None,
    }
}

/// Input by names: numbers, strings, arrays and objects. A repeated object is `{"ref": n}`, and has
/// `"id": n` at its first occurrence.
fn model_json(input: &RunInput) -> Json {
    values_json(input, &[]).0
}

/// Like [`model_json`], with further values of the same input.
pub fn values_json(input: &RunInput, further: &[&InputValue]) -> (Json, Vec<Json>) {
    let mut seen = vec![false; input.objects.len()];
    let shared = input.shared();
    let roots = input
        .roots
        .iter()
        .map(|(name, value)| (name.clone(), value_json(input, value, &shared, &mut seen)));
    let roots = Json::Object(roots.collect());
    let further = further.iter();
    let further = further.map(|value| value_json(input, value, &shared, &mut seen));
    (roots, further.collect())
}

fn value_json(input: &RunInput, value: &InputValue, shared: &[bool], seen: &mut [bool]) -> Json {
    let number = match value {
        InputValue::Primitive(kind, slot) => return primitive_json(*kind, *slot),
        InputValue::Null => return Json::Null,
        InputValue::Constant(class, name) => return json!({"class": class, "constant": name}),
        InputValue::Object(number) => *number,
    };
    if std::mem::replace(&mut seen[number], true) {
        return json!({"ref": number});
    }
    let object = &input.objects[number];
    if let Some(returned) = object.lambda() {
        let returned = returned.map(|value| value_json(input, value, shared, seen));
        return match shared[number] {
            true => json!({"lambda": returned, "id": number}),
            false => json!({"lambda": returned}),
        };
    }
    let mut json = match &object.contents {
        // JSON strings cannot contain unpaired surrogates.
        Contents::Text(units) => {
            return String::from_utf16(units)
                .map_or_else(|_| json!({"chars": units}), |text| json!(text));
        }
        Contents::Elements(elements) => {
            let elements = elements.iter();
            let elements: Vec<Json> = elements
                .map(|element| value_json(input, element, shared, seen))
                .collect();
            if !shared[number] {
                return Json::Array(elements);
            }
            json!({"class": object.class, "elements": elements})
        }
        Contents::Fields(fields) => {
            let fields: serde_json::Map<String, Json> = fields
                .iter()
                .map(|(_, name, value)| (name.clone(), value_json(input, value, shared, seen)))
                .collect();
            json!({"class": object.class, "fields": fields})
        }
    };
    if shared[number] {
        json["id"] = json!(number);
    }
    json
}

fn primitive_json(kind: Kind, slot: u64) -> Json {
    match kind {
        Kind::Boolean => json!(slot & 1 == 1),
        Kind::Byte => json!(slot as i8),
        Kind::Short => json!(slot as i16),
        Kind::Char => json!(slot as u16),
        Kind::Long => json!(slot as i64),
        Kind::Float => number_or_text(f64::from(f32::from_bits(slot as u32))),
        Kind::Double => number_or_text(f64::from_bits(slot)),
        _ => json!(slot as u32 as i32),
    }
}

/// JSON number, or `"NaN"`, `"Infinity"`, `"-Infinity"` or `"-0.0"`, which JSON numbers cannot
/// express.
fn number_or_text(value: f64) -> Json {
    if value.is_nan() {
        json!("NaN")
    } else if value.is_infinite() {
        json!(if value > 0.0 { "Infinity" } else { "-Infinity" })
    } else {
        json!(value)
    }
}
