//! Field semantics: the objects that each field refers to, over all structures of a suite
//! (definitions 1 to 3 of the paper).
//!
//! Objects are named by class and by their index among its objects, breadth first from the root:
//! `Node0`, `Node1`. Strings and boxes are values, like numbers; fields of these types are ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use heapwright_code::PlaceReads;
use heapwright_explore::symbolic::{Alternative, Universe};
use heapwright_jvm::class::Shape;
use heapwright_jvm::descriptor::{self, Kind, is_value_class};
use heapwright_jvm::{ClassId, Place, Vm};
use serde::{Deserialize, Serialize};

use crate::symbolic::{Contents, InputValue, RunInput};

/// Value of a field in one object, such as `left: Node0 -> Node1`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Pair {
    /// Name of the field, qualified by its class if ambiguous.
    pub field: String,
    /// Source object; for an array with the index of the element: `Node[]0[2]`.
    pub source: String,
    /// Target object, an enum constant, or `null`.
    pub target: String,
}

impl Pair {
    /// Whether the field refers to an object.
    #[must_use]
    pub fn is_object(&self) -> bool {
        self.target != NULL
    }
}

const NULL: &str = "null";

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} -> {}", self.field, self.source, self.target)
    }
}

/// Error for a text that is not a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a pair as in left: Node0 -> Node1")]
pub struct NotAPair;

impl FromStr for Pair {
    type Err = NotAPair;

    fn from_str(text: &str) -> Result<Pair, NotAPair> {
        let (field, rest) = text.split_once(':').ok_or(NotAPair)?;
        let (source, target) = rest.split_once("->").ok_or(NotAPair)?;
        let [field, source, target] = [field, source, target].map(|part| part.trim().to_owned());
        let pair = Pair {
            field,
            source,
            target,
        };
        let is_name = |text: &String| !text.is_empty() && !text.contains(char::is_whitespace);
        let are_names = [&pair.field, &pair.source, &pair.target]
            .into_iter()
            .all(is_name);
        are_names.then_some(pair).ok_or(NotAPair)
    }
}

/// Structure as seen by pairs: objects in breadth-first order, the root first.
pub struct PairGraph {
    /// Class of each object, with its fields or elements.
    pub objects: Vec<(String, Vec<(FieldName, PairValue)>)>,
}

impl PairGraph {
    /// The objects that are reachable from the first, breadth first.
    fn breadth_first(mut self) -> PairGraph {
        let mut order: Vec<usize> = (0..self.objects.len().min(1)).collect();
        let mut number = vec![None; self.objects.len()];
        let mut at = 0;
        while let Some(&object) = order.get(at) {
            number[object] = Some(at);
            at += 1;
            for (_, value) in &self.objects[object].1 {
                if let PairValue::Object(next) = *value
                    && !order.contains(&next)
                {
                    order.push(next);
                }
            }
        }
        let objects = order.into_iter().map(|object| {
            let (class, mut fields) = std::mem::take(&mut self.objects[object]);
            for (_, value) in &mut fields {
                if let PairValue::Object(next) = value {
                    *next = number[*next].unwrap_or(*next);
                }
            }
            (class, fields)
        });
        PairGraph {
            objects: objects.collect(),
        }
    }
}

/// Name of a field or element.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FieldName {
    /// Field with this name; the declaring class, if known.
    Field(Option<String>, String),
    /// Element of an array.
    Element(usize),
}

/// Value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum PairValue {
    /// Null.
    Null,
    /// Object with this number.
    Object(usize),
    /// Enum constant.
    Constant(String),
    /// Number, string or box.
    Value,
}

/// Names of classes and fields.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    /// Short name of each class, by its binary name.
    classes: BTreeMap<String, String>,
    /// Name of each tracked field, by declaring class and plain name.
    fields: BTreeMap<(String, String), String>,
    /// Declaring class and name of each field of a class's objects, superclasses first.
    owners: BTreeMap<String, Vec<(String, String)>>,
    /// Names of tracked fields that the code of the invariant does not name.
    unread: BTreeSet<String>,
}

impl Vocabulary {
    /// Collects the names for all that is reachable from a receiver, of which an invariant reads so
    /// much.
    pub fn new(
        vm: &mut Vm,
        receiver: ClassId,
        universe: &dyn Universe,
        reads: &PlaceReads,
    ) -> Vocabulary {
        let mut found = vec![receiver];
        let mut at = 0;
        let mut fields: Vec<(String, String)> = Vec::new();
        let mut owners = BTreeMap::new();
        let mut unread: Vec<(String, String)> = Vec::new();
        while at < found.len() {
            let class = found[at];
            at += 1;
            let mut bounds: Vec<ClassId> = Vec::new();
            let name = vm.binary_name(class);
            if matches!(vm.class(class).shape, Shape::Array(_)) {
                if vm.array_element_kind(class) == Kind::Reference {
                    let element = vm.class_name(class)[1..].to_owned();
                    let element = vm.load_class(descriptor::class_name(&element)).ok();
                    let field = (name.clone(), String::new());
                    let all = element.map(|element| universe.alternatives(vm, element));
                    let holds_objects =
                        all.is_some_and(|all| !all.iter().all(|one| is_value(vm, one)));
                    if holds_objects && !reads.has(vm, class, Place::Element(0)) {
                        unread.push(field.clone());
                    }
                    bounds.extend(element);
                    fields.push(field);
                }
            } else {
                let declared = reference_fields(vm, class);
                let names = declared
                    .iter()
                    .map(|(owner, name, ..)| (owner.clone(), name.clone()));
                owners.insert(name.clone(), names.collect());
                for (owner, field, word, bound) in declared {
                    let all = universe.alternatives(vm, bound);
                    let counts = !all.is_empty() && !all.iter().all(|one| is_value(vm, one));
                    let named = (owner, field);
                    if counts && !fields.contains(&named) {
                        if !reads.has(vm, class, Place::Field(word)) {
                            unread.push(named.clone());
                        }
                        fields.push(named);
                    }
                    bounds.push(bound);
                }
            }
            for bound in bounds {
                for alternative in universe.alternatives(vm, bound) {
                    if let Alternative::New(class) = alternative
                        && !is_value(vm, &alternative)
                        && !found.contains(&class)
                    {
                        found.push(class);
                    }
                }
            }
        }
        let names: Vec<String> = found.iter().map(|&class| vm.binary_name(class)).collect();
        let declaring = fields.iter().map(|(owner, _)| owner.clone());
        let classes = short_names(names.into_iter().chain(declaring));
        let fields = field_names(&classes, fields);
        Vocabulary {
            unread: unread.iter().map(|field| fields[field].clone()).collect(),
            classes,
            fields,
            owners,
        }
    }

    /// Names of the tracked fields that the code of the invariant does not name: a search leaves them
    /// null where the invariant has not read them otherwise.
    #[must_use]
    pub fn unread(&self) -> &BTreeSet<String> {
        &self.unread
    }

    /// Sets fields to null that a search leaves null, and drops what was reachable by them alone.
    #[must_use]
    pub fn without(&self, mut graph: PairGraph, left_null: &[String]) -> PairGraph {
        if left_null.is_empty() {
            return graph;
        }
        let is_left = |class: &str, name: &FieldName| {
            let name = self.field(class, name);
            name.is_some_and(|name| left_null.iter().any(|one| one == name))
        };
        for (class, fields) in &mut graph.objects {
            for (name, value) in fields.iter_mut() {
                if *value != PairValue::Value && is_left(class, name) {
                    *value = PairValue::Null;
                }
            }
            // Breadth first is by the order of the declarations.
            let owners = self.owners.get(class);
            fields.sort_by_key(|(name, _)| match name {
                FieldName::Element(index) => *index,
                FieldName::Field(_, name) => {
                    let place = |owners: &Vec<(String, String)>| {
                        owners.iter().position(|(owner, field)| {
                            field == name || format!("{owner}.{field}") == *name
                        })
                    };
                    owners.and_then(place).unwrap_or(usize::MAX)
                }
            });
        }
        graph.breadth_first()
    }

    /// Names of the tracked fields.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.fields.values().map(String::as_str)
    }

    /// Pairs of a structure.
    #[must_use]
    pub fn pairs(&self, graph: &PairGraph) -> BTreeSet<Pair> {
        let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
        let mut names: Vec<String> = Vec::new();
        for (class, _) in &graph.objects {
            let number = counts.entry(class).or_default();
            names.push(format!("{}{number}", self.class(class)));
            *number += 1;
        }
        let mut pairs = BTreeSet::new();
        for ((class, fields), name) in graph.objects.iter().zip(&names) {
            for (field, held) in fields {
                let Some(known) = self.field(class, field) else {
                    continue;
                };
                let target = match held {
                    PairValue::Null => NULL.to_owned(),
                    PairValue::Object(number) => names[*number].clone(),
                    PairValue::Constant(constant) => constant.clone(),
                    PairValue::Value => continue,
                };
                let source = match field {
                    FieldName::Field(..) => name.clone(),
                    FieldName::Element(index) => format!("{name}[{index}]"),
                };
                pairs.insert(Pair {
                    field: known.to_owned(),
                    source,
                    target,
                });
            }
        }
        pairs
    }

    fn class<'a>(&'a self, binary: &'a str) -> &'a str {
        self.classes.get(binary).map_or(binary, String::as_str)
    }

    /// Name of a field, if it is tracked.
    pub fn field(&self, class: &str, field: &FieldName) -> Option<&str> {
        let key = match field {
            FieldName::Element(_) => (class.to_owned(), String::new()),
            FieldName::Field(Some(owner), name) => (owner.clone(), name.clone()),
            FieldName::Field(None, name) => {
                let owners = self.owners.get(class)?.iter().rev();
                // A hidden field is written with its class.
                let full = |owner: &str, field: &str| format!("{owner}.{field}");
                owners
                    .clone()
                    .find(|(_, field)| field == name)
                    .or_else(|| {
                        owners
                            .clone()
                            .find(|(owner, field)| full(owner, field) == *name)
                    })?
                    .clone()
            }
        };
        self.fields.get(&key).map(String::as_str)
    }
}

impl From<&RunInput> for PairGraph {
    fn from(input: &RunInput) -> PairGraph {
        let is_value = |number: usize| {
            let class = &input.objects[number].class;
            is_value_class(&class.replace('.', "/"))
        };
        let held = |value: &InputValue| match value {
            InputValue::Primitive(..) => PairValue::Value,
            InputValue::Null => PairValue::Null,
            InputValue::Object(number) if is_value(*number) => PairValue::Value,
            InputValue::Object(number) => PairValue::Object(*number),
            InputValue::Constant(class, name) => {
                PairValue::Constant(format!("{}.{name}", short(class)))
            }
        };
        let objects = input.objects.iter().map(|object| {
            let fields = match &object.contents {
                Contents::Text(_) => Vec::new(),
                Contents::Elements(elements) => {
                    let elements = elements.iter().enumerate();
                    elements
                        .map(|(index, value)| (FieldName::Element(index), held(value)))
                        .collect()
                }
                Contents::Fields(fields) => {
                    let fields = fields.iter().map(|(owner, name, value)| {
                        let field = FieldName::Field(Some(owner.clone()), name.clone());
                        (field, held(value))
                    });
                    fields.collect()
                }
            };
            (object.class.clone(), fields)
        });
        PairGraph {
            objects: objects.collect(),
        }
    }
}

/// Instance fields of reference type of a class: declaring class, name, word, class of the type.
fn reference_fields(vm: &mut Vm, class: ClassId) -> Vec<(String, String, u32, ClassId)> {
    let display = vm.class(class).display.clone();
    let all: Vec<(ClassId, String, u32, String)> = display
        .iter()
        .flat_map(|&class| &vm.class(class).fields)
        .filter(|field| !field.is_static() && field.kind == Kind::Reference)
        .map(|field| {
            let descriptor = vm.text(field.descriptor).to_owned();
            let name = vm.text(field.name).to_owned();
            (field.class, name, field.word, descriptor)
        })
        .collect();
    let mut known = Vec::new();
    for (owner, name, word, descriptor) in all {
        if let Ok(bound) = vm.load_class(descriptor::class_name(&descriptor)) {
            known.push((vm.binary_name(owner), name, word, bound));
        }
    }
    known
}

fn is_value(vm: &Vm, alternative: &Alternative) -> bool {
    matches!(*alternative, Alternative::New(class) if is_value_class(vm.class_name(class)))
}

/// Class name without its package and enclosing classes.
fn short(binary: &str) -> &str {
    let from = binary.rfind(['.', '$']).map_or(0, |at| at + 1);
    match binary[from..].is_empty() {
        true => binary,
        false => &binary[from..],
    }
}

/// Short names of classes; ambiguous ones keep the binary name.
fn short_names(binary: impl Iterator<Item = String>) -> BTreeMap<String, String> {
    let all: BTreeSet<String> = binary.collect();
    let name = |class: &str| {
        let dimensions = class.chars().take_while(|&letter| letter == '[').count();
        let element = match dimensions {
            0 => class.to_owned(),
            _ => descriptor::to_java(&class[dimensions..]),
        };
        format!("{}{}", short(&element), "[]".repeat(dimensions))
    };
    all.iter()
        .map(|class| {
            let wanted = name(class);
            let is_one = all.iter().filter(|other| name(other) == wanted).count() == 1;
            (class.clone(), if is_one { wanted } else { class.clone() })
        })
        .collect()
}

/// Field names, qualified by class only if ambiguous.
fn field_names(
    classes: &BTreeMap<String, String>,
    fields: Vec<(String, String)>,
) -> BTreeMap<(String, String), String> {
    let named = |name: &str| fields.iter().filter(|field| field.1 == *name).count();
    fields
        .iter()
        .map(|(owner, name)| {
            let class = classes.get(owner).unwrap_or(owner);
            let known = match (name.is_empty(), named(name)) {
                (true, _) => class.clone(),
                (false, 1) => name.clone(),
                (false, _) => format!("{class}.{name}"),
            };
            ((owner.clone(), name.clone()), known)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_back() {
        for text in ["left: Node0 -> Node1", "Node[]: Node[]0[2] -> null"] {
            let pair: Pair = text.parse().unwrap();
            assert_eq!(pair.to_string(), text);
        }
        for text in ["", "left", "left: Node0", "left: -> null", "a b: c -> d"] {
            assert_eq!(text.parse::<Pair>(), Err(NotAPair), "{text}");
        }
    }

    #[test]
    fn short_names_are_distinct() {
        let names = [
            "a.Tree",
            "a.Tree$Node",
            "b.Node",
            "[La.Tree;",
            "[LList;",
            "[[I",
        ];
        let names = names.map(str::to_owned);
        let names = short_names(names.into_iter());
        assert_eq!(names["a.Tree"], "Tree");
        assert_eq!(names["a.Tree$Node"], "a.Tree$Node");
        assert_eq!(names["b.Node"], "b.Node");
        assert_eq!(names["[La.Tree;"], "Tree[]");
        assert_eq!(names["[LList;"], "List[]");
        assert_eq!(names["[[I"], "int[][]");
    }
}
