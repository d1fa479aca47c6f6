//! Witnesses of verdicts on programs, in the GraphML format of the Competition on Software
//! Verification.
//!
//! A witness is an automaton. That of a violation is one path: a transition for each value that the
//! program asked for, the last of them into the violation. That of correctness is one state.

use std::io;

use crate::xml::{self, Elements};

/// Witness of a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Name and version of the program that has come to the verdict.
    pub producer: String,
    /// Property, as in a property file.
    pub specification: String,
    /// Program, as its user names it.
    pub program_file: String,
    /// SHA-256 of the program in hexadecimal digits.
    pub program_hash: String,
    /// Date and time in ISO 8601.
    pub created: String,
    /// Steps to a violation; `None` is a witness of correctness.
    pub steps: Option<Vec<WitnessStep>>,
}

/// Transition of a witness: a place in the source, and the value that the program has there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WitnessStep {
    /// Source file, below the root of its package: `com/acme/Main.java`.
    pub file: Option<String>,
    /// Line.
    pub line: Option<u32>,
    /// Value of the call at the place: a condition in Java.
    pub assumption: Option<String>,
    /// Method in which the condition is meant.
    pub scope: String,
    /// Function whose result the condition is about, if its name is known.
    pub function: Option<String>,
}

/// Keys of the format: identifier, name, type, part of the graph, default value.
const KEYS: [(&str, &str, &str, &str, Option<&str>); 16] = [
    ("witness-type", "witness-type", "string", "graph", None),
    ("sourcecodelang", "sourcecodelang", "string", "graph", None),
    ("producer", "producer", "string", "graph", None),
    ("specification", "specification", "string", "graph", None),
    ("programfile", "programFile", "string", "graph", None),
    ("programhash", "programHash", "string", "graph", None),
    ("architecture", "architecture", "string", "graph", None),
    ("creationtime", "creationTime", "string", "graph", None),
    ("entry", "isEntryNode", "boolean", "node", Some("false")),
    (
        "violation",
        "isViolationNode",
        "boolean",
        "node",
        Some("false"),
    ),
    ("originfile", "originFileName", "string", "edge", None),
    ("startline", "startline", "int", "edge", None),
    ("endline", "endline", "int", "edge", None),
    ("assumption", "assumption", "string", "edge", None),
    (
        "assumption.scope",
        "assumption.scope",
        "string",
        "edge",
        None,
    ),
    (
        "assumption.resultfunction",
        "assumption.resultfunction",
        "string",
        "edge",
        None,
    ),
];

const NAMESPACE: &str = "http://graphml.graphdrawing.org/xmlns";
const INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";
const SCHEMA: &str = "http://graphml.graphdrawing.org/xmlns \
                      http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd";

/// Text of a witness.
#[must_use]
pub fn witness(witness: &Witness) -> String {
    let attributes = [
        ("xmlns", NAMESPACE),
        ("xmlns:xsi", INSTANCE),
        ("xsi:schemaLocation", SCHEMA),
    ];
    xml::document(None, |writer| {
        xml::element(writer, "graphml", &attributes, |writer| {
            for key in &KEYS {
                write_key(writer, key)?;
            }
            xml::element(writer, "graph", &[("edgedefault", "directed")], |writer| {
                write_graph(writer, witness)
            })
        })
    })
}

fn write_key(
    writer: &mut Elements,
    &(id, name, kind, of, default): &(&str, &str, &str, &str, Option<&str>),
) -> io::Result<()> {
    let attributes = [
        ("id", id),
        ("attr.name", name),
        ("attr.type", kind),
        ("for", of),
    ];
    match default {
        Some(default) => xml::element(writer, "key", &attributes, |writer| {
            xml::text(writer, "default", &[], default)
        }),
        None => xml::empty(writer, "key", &attributes),
    }
}

fn write_graph(writer: &mut Elements, witness: &Witness) -> io::Result<()> {
    let kind = match witness.steps {
        Some(_) => "violation_witness",
        None => "correctness_witness",
    };
    for (key, value) in [
        ("witness-type", kind),
        ("sourcecodelang", "Java"),
        ("producer", &witness.producer),
        ("specification", &witness.specification),
        ("programfile", &witness.program_file),
        ("programhash", &witness.program_hash),
        ("architecture", "64bit"),
        ("creationtime", &witness.created),
    ] {
        data(writer, key, value)?;
    }
    let steps = witness.steps.as_deref().unwrap_or_default();
    for number in 0..=steps.len() {
        let is_violation = witness.steps.is_some() && number == steps.len();
        let id = format!("n{number}");
        match (number == 0, is_violation) {
            (false, false) => xml::empty(writer, "node", &[("id", &id)])?,
            (is_entry, is_violation) => xml::element(writer, "node", &[("id", &id)], |writer| {
                if is_entry {
                    data(writer, "entry", "true")?;
                }
                if is_violation {
                    data(writer, "violation", "true")?;
                }
                Ok(())
            })?,
        }
    }
    for (number, step) in steps.iter().enumerate() {
        let (from, to) = (format!("n{number}"), format!("n{}", number + 1));
        let attributes = [("source", from.as_str()), ("target", to.as_str())];
        xml::element(writer, "edge", &attributes, |writer| {
            write_step(writer, step)
        })?;
    }
    Ok(())
}

fn write_step(writer: &mut Elements, step: &WitnessStep) -> io::Result<()> {
    if let Some(file) = &step.file {
        data(writer, "originfile", file)?;
    }
    if let Some(line) = step.line {
        let line = line.to_string();
        data(writer, "startline", &line)?;
        data(writer, "endline", &line)?;
    }
    if let Some(assumption) = &step.assumption {
        data(writer, "assumption", assumption)?;
        data(writer, "assumption.scope", &step.scope)?;
        if let Some(function) = &step.function {
            data(writer, "assumption.resultfunction", function)?;
        }
    }
    Ok(())
}

fn data(writer: &mut Elements, key: &str, value: &str) -> io::Result<()> {
    xml::text(writer, "data", &[("key", key)], value)
}
