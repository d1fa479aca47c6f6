//! Structures on one line, for messages.
//!
//! `Tree{root: Node{left: Node{value: 1}, value: 2}, size: 2}`: null fields are omitted. An
//! object with several references is `#1 Node{…}` at its first occurrence and `#1` later. Objects
//! unreachable from the root follow after a `;`; those of a further argument as `other: `. The
//! line is ASCII except for names.

use std::fmt;

use crate::{Body, CollectionKind, ContentsKind, Field, Literal, Structure, Value, literal};

impl fmt::Display for Structure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shared = shared(self);
        let mut is_written = vec![false; self.objects.len()];
        for root in 0..self.objects.len() {
            if is_written[root] {
                continue;
            }
            if root > 0 {
                formatter.write_str("; other: ")?;
            }
            // Iterative, because a list is as deep as it is long.
            let mut steps = vec![TextPiece::Object(root)];
            while let Some(step) = steps.pop() {
                match step {
                    TextPiece::Text(text) => formatter.write_str(&text)?,
                    TextPiece::Object(index) if is_written[index] => write!(formatter, "#{index}")?,
                    TextPiece::Object(index) => {
                        is_written[index] = true;
                        if shared[index] {
                            write!(formatter, "#{index} ")?;
                        }
                        let mut parts = parts(self, index);
                        parts.reverse();
                        steps.append(&mut parts);
                    }
                }
            }
        }
        Ok(())
    }
}

impl Structure {
    /// Formats an argument or a result for people. An object of this structure is a path from the
    /// receiver, `this.root.left` or `this.items[2]`, or from the `other` structure.
    #[must_use]
    pub fn shown(&self, literal: &Literal) -> String {
        match literal {
            Literal::Value(Value::Ref(target)) => self.way_to(*target),
            Literal::Value(value) | Literal::Boxed(value) => literal::plain(*value),
            Literal::String(text) => literal::string(text),
            Literal::EnumConstant { name, .. } => name.clone(),
            Literal::StaticField { class, name, .. } => format!("{}.{name}", class.simple_name()),
            Literal::Class(class) => format!("{}.class", class.simple_name()),
            Literal::Made(sequence) => format!("({sequence})"),
            Literal::Parameter { name, .. } => name.clone(),
            Literal::Array { class, elements } => {
                let class = crate::types::simple_name(class);
                format!("{class}{{{}}}", self.all_shown(elements).join(", "))
            }
            Literal::Lambda { method, answer, .. } => {
                let answer = answer.as_ref().map(|answer| self.shown(answer));
                let names = literal::lambda_parameters(method.parameter_count(), |_| false);
                literal::lambda(&names, answer.as_deref().unwrap_or("{}"))
            }
            Literal::New(step) => step.to_string(),
            Literal::Factory { class, method, .. } => format!("{}.{method}()", class.simple_name()),
            Literal::Held { holder, elements } => match holder {
                CollectionKind::List => self.list_shown(elements),
                CollectionKind::Set => self.set_shown(elements),
                CollectionKind::Map => self.map_shown(elements),
            },
            Literal::Contents { kind, elements } => match kind {
                ContentsKind::List => self.list_shown(elements),
                ContentsKind::Set => self.set_shown(elements),
                ContentsKind::Map => self.map_shown(elements),
                ContentsKind::Entry => self.all_shown(elements).join("="),
                _ if elements.is_empty() => "Optional.empty".to_owned(),
                _ => format!("Optional{}", self.list_shown(elements)),
            },
        }
    }

    fn list_shown(&self, elements: &[Literal]) -> String {
        format!("[{}]", self.all_shown(elements).join(", "))
    }

    fn set_shown(&self, elements: &[Literal]) -> String {
        format!("{{{}}}", self.all_shown(elements).join(", "))
    }

    fn map_shown(&self, elements: &[Literal]) -> String {
        let elements = self.all_shown(elements);
        let entries = elements.chunks(2).map(|entry| entry.join("="));
        format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
    }

    fn all_shown(&self, literals: &[Literal]) -> Vec<String> {
        literals.iter().map(|literal| self.shown(literal)).collect()
    }

    /// Number of objects that the root reaches; they come first.
    #[must_use]
    pub fn reached(&self) -> usize {
        let mut seen = vec![false; self.objects.len()];
        let mut open = vec![0];
        let mut reached = 0;
        while let Some(index) = open.pop() {
            if seen.get(index) != Some(&false) {
                continue;
            }
            seen[index] = true;
            reached += 1;
            open.extend(
                self.objects[index]
                    .values()
                    .filter_map(|value| match value {
                        Value::Ref(target) => Some(target),
                        _ => None,
                    }),
            );
        }
        reached
    }

    /// Shortest path from the root.
    fn way_to(&self, target: usize) -> String {
        let mut ways: Vec<Option<String>> = vec![None; self.objects.len()];
        if let Some(root) = ways.first_mut() {
            *root = Some("this".to_owned());
        }
        if let Some(other) = ways.get_mut(self.reached()) {
            *other = Some("other".to_owned());
        }
        // Objects are numbered breadth first, so the predecessor on a shortest path comes before.
        for (index, object) in self.objects.iter().enumerate() {
            let Some(way) = ways[index].clone() else {
                continue;
            };
            for (at, value) in object.values().enumerate() {
                if let Value::Ref(next) = value
                    && ways[next].is_none()
                {
                    ways[next] = Some(match &object.body {
                        Body::Fields(fields) => format!("{way}.{}", Field::shown_name(fields, at)),
                        _ => format!("{way}[{at}]"),
                    });
                }
            }
        }
        let way = ways.get_mut(target).and_then(Option::take);
        way.unwrap_or_else(|| format!("@{target}"))
    }
}

enum TextPiece {
    Text(String),
    Object(usize),
}

/// Marks the objects with more than one reference; the root has an implicit one.
fn shared(structure: &Structure) -> Vec<bool> {
    let mut uses = vec![0; structure.objects.len()];
    if let Some(root) = uses.first_mut() {
        *root = 1;
    }
    for object in &structure.objects {
        for value in object.values() {
            if let Value::Ref(target) = value {
                uses[target] += 1;
            }
        }
    }
    uses.into_iter().map(|uses| uses > 1).collect()
}

fn parts(structure: &Structure, index: usize) -> Vec<TextPiece> {
    let object = &structure.objects[index];
    let entries: Vec<(Option<String>, Value)> = match &object.body {
        Body::Boxed(value) => return vec![TextPiece::Text(literal::plain(*value))],
        Body::String(text) => return vec![TextPiece::Text(literal::string(text))],
        Body::EnumConstant(name) => return vec![TextPiece::Text(name.clone())],
        Body::Array(elements) => elements.iter().map(|value| (None, *value)).collect(),
        Body::Fields(fields) => fields
            .iter()
            .enumerate()
            .filter(|(_, field)| field.value != Value::Null)
            .map(|(at, field)| (Some(Field::shown_name(fields, at)), field.value))
            .collect(),
    };
    let mut parts = vec![TextPiece::Text(format!("{}{{", object.class.simple_name()))];
    for (at, (name, value)) in entries.into_iter().enumerate() {
        let mut text = if at > 0 { ", " } else { "" }.to_owned();
        if let Some(name) = name {
            text.push_str(&name);
            text.push_str(": ");
        }
        match value {
            Value::Ref(target) => parts.extend([TextPiece::Text(text), TextPiece::Object(target)]),
            value => parts.push(TextPiece::Text(text + &literal::plain(value))),
        }
    }
    parts.push(TextPiece::Text("}".to_owned()));
    parts
}
