//! Drawings of structures in Graphviz's language: one graph with a cluster for each structure.
//!
//! The content is that of [`crate::svg`]: the same boxes, rows and labelled arrows. Node and
//! cluster names are numbers, so that `dot` reads the text of any structure.

use std::fmt::Write as _;

use crate::svg::Drawing;
use crate::svg::graph::{BoxText, Graph};

/// Writes structures as one directed graph, in their order.
#[must_use]
pub fn write(drawings: &[Drawing<'_>]) -> String {
    let mut dot = String::from(
        "digraph structures {\n    node [shape=record, fontname=monospace, fontsize=10];\n    \
         edge [fontname=monospace, fontsize=9];\n",
    );
    for (number, drawing) in drawings.iter().enumerate() {
        let graph = Graph::new(drawing.structure);
        let _ = writeln!(dot, "    subgraph cluster_{number} {{");
        let _ = writeln!(dot, "        label=\"{}\";", quoted(drawing.caption));
        for (at, node) in graph.boxes.iter().enumerate() {
            let _ = writeln!(dot, "        s{number}_{at} [label=\"{}\"];", label(node));
        }
        for arrow in &graph.arrows {
            let style = if arrow.is_tree {
                ""
            } else {
                ", style=dashed, constraint=false"
            };
            let _ = writeln!(
                dot,
                "        s{number}_{} -> s{number}_{} [label=\"{}\"{style}];",
                arrow.from,
                arrow.to,
                quoted(&arrow.label)
            );
        }
        dot.push_str("    }\n");
    }
    dot.push_str("}\n");
    dot
}

/// Label of a node: the title, and below it the left-aligned rows.
fn label(node: &BoxText) -> String {
    let mut rows = String::new();
    for row in &node.rows {
        rows.push_str(&field(row));
        rows.push_str("\\l");
    }
    let title = field(&node.title);
    if rows.is_empty() {
        title
    } else {
        format!("{{{title}|{rows}}}")
    }
}

/// Escapes text for a field of a record.
fn field(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '{' | '}' | '|' | '<' | '>' | '\\' | '"' => escaped.extend(['\\', letter]),
            '&' => escaped.push_str("&amp;"),
            letter if letter.is_control() => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Escapes text for a quoted string outside of records.
fn quoted(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '\\' | '"' => escaped.extend(['\\', letter]),
            '&' => escaped.push_str("&amp;"),
            letter if letter.is_control() => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}
