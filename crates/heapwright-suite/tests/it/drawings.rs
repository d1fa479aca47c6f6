//! Drawings: properties of all, and a gallery in the build's `tmp` folder.

use std::fs;
use std::path::Path;

use expect_test::expect;
use heapwright_suite::boxes;
use heapwright_suite::dot;
use heapwright_suite::svg::{Drawing, draw, draw_sheet};
use heapwright_suite::{Body, Object, Structure, Value};

use crate::model::{field, named, object};
use crate::suites;

fn save(name: &str, svg: &str) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(path, svg).unwrap();
}

fn structure(objects: Vec<Object>) -> Structure {
    Structure { objects }
}

fn node(fields: &[(&str, Value)]) -> Object {
    let class = named("a.Node", "a.Node");
    let fields = fields.iter().map(|(name, value)| {
        let descriptor = match value {
            Value::Int(_) => "I",
            _ => "La/Node;",
        };
        field("a.Node", &format!("package {descriptor} {name}"), *value)
    });
    object(&class, Body::Fields(fields.collect()))
}

/// Trees, with and without references to the parent, a chain, a ring, a loop, cross references.
fn gallery() -> Vec<(&'static str, Structure)> {
    let tree = |values: &[i32]| structure(suites::search_tree_input(values));
    let mut parents = suites::search_tree_input(&[4, 2, 6, 1, 3]);
    for (child, parent) in [(2, 1), (3, 1), (4, 2), (5, 2)] {
        if let Body::Fields(fields) = &mut parents[child].body {
            let value = Value::Ref(parent);
            fields.insert(
                2,
                field("N", "package Lshelf/SearchTree$Node; parent", value),
            );
        }
    }
    let chain = (0..5)
        .map(|index| {
            let next = if index < 4 {
                Value::Ref(index + 1)
            } else {
                Value::Ref(2)
            };
            node(&[("next", next), ("value", Value::Int(10))])
        })
        .collect();
    let mut lists = suites::ring().cases.into_iter().map(|case| case.input);
    let crossing = vec![
        node(&[
            ("a", Value::Ref(1)),
            ("b", Value::Ref(2)),
            ("c", Value::Ref(3)),
        ]),
        node(&[("a", Value::Ref(2)), ("self", Value::Ref(1))]),
        node(&[
            ("a", Value::Ref(1)),
            ("b", Value::Ref(4)),
            ("c", Value::Ref(5)),
        ]),
        node(&[
            ("a", Value::Ref(0)),
            ("b", Value::Ref(5)),
            ("c", Value::Null),
        ]),
        node(&[
            ("a", Value::Ref(3)),
            ("b", Value::Ref(0)),
            ("c", Value::Null),
        ]),
        node(&[("value", Value::Int(7))]),
    ];
    vec![
        ("no node", tree(&[])),
        ("one node", tree(&[1])),
        ("left child", tree(&[2, 1])),
        ("right child", tree(&[1, 2])),
        ("seven nodes", tree(&[4, 2, 6, 1, 3, 5, 7])),
        ("zigzag", tree(&[1, 9, 2, 8, 3])),
        ("with parents", structure(parents)),
        ("chain with a cycle", structure(chain)),
        ("empty ring", lists.next().unwrap()),
        ("ring of two and an array", lists.next().unwrap()),
        ("ring of strings", lists.next().unwrap()),
        ("heap array", suites::heap_array().cases[2].input.clone()),
        ("cross references", structure(crossing)),
        ("everything", suites::everything().cases[0].input.clone()),
    ]
}

#[test]
fn a_gallery() {
    let gallery = gallery();
    let drawings: Vec<Drawing<'_>> = gallery
        .iter()
        .map(|(caption, structure)| Drawing { structure, caption })
        .collect();
    let svg = draw_sheet(&drawings);
    save("gallery.svg", &svg);
    assert_eq!(svg, draw_sheet(&drawings));
}

/// A large structure is reduced to its first objects and the number of the others.
#[test]
fn a_long_list_is_drawn_in_part() {
    let next = |at: usize| match at {
        1_199 => Value::Null,
        at => Value::Ref(at + 1),
    };
    let all = (0..1_200).map(|at| node(&[("next", next(at)), ("first", Value::Ref(0))]));
    let svg = draw(&structure(all.collect()));
    let boxes = |svg: &str| svg.matches("class=\"name\"").count();
    assert_eq!(boxes(&svg), 501);
    assert!(svg.contains("and 700 more objects"));
    assert_eq!(svg.matches("next = ...").count(), 1);
    let all = (0..500).map(|at| node(&[("next", Value::Ref((at + 1) % 500))]));
    let svg = draw(&structure(all.collect()));
    assert_eq!((boxes(&svg), svg.contains("more objects")), (500, false));
}

#[test]
fn a_small_tree() {
    let tree = structure(suites::search_tree_input(&[1, 2]));
    let svg = draw(&tree);
    let body = svg.split("class=\"paper\"").nth(1).unwrap();
    expect![[r#"
         width="100%" height="100%"/>
        <g transform="translate(2.9 18.0)">
        <path class="tree" marker-end="url(#head)" d="M61.3 45.0C61.3 68.2 61.3 79.8 61.3 103.0"/>
        <path class="tree" marker-end="url(#head)" d="M75.5 148.0C75.5 171.2 104.6 182.8 104.6 206.0"/>
        <rect class="box" x="15.1" y="0.0" width="92.5" height="45.0" rx="4"/>
        <rect class="title" x="15.1" y="0.0" width="92.5" height="22" rx="4"/>
        <text class="name" x="61.3" y="15.5">SearchTree</text>
        <text x="25.1" y="36.0" xml:space="preserve">size = 2</text>
        <rect class="box" x="18.7" y="103.0" width="85.2" height="45.0" rx="4"/>
        <rect class="title" x="18.7" y="103.0" width="85.2" height="22" rx="4"/>
        <text class="name" x="61.3" y="118.5">Node</text>
        <text x="28.7" y="139.0" xml:space="preserve">value = 1</text>
        <rect class="box" x="62.0" y="206.0" width="85.2" height="45.0" rx="4"/>
        <rect class="title" x="62.0" y="206.0" width="85.2" height="22" rx="4"/>
        <text class="name" x="104.6" y="221.5">Node</text>
        <text x="72.0" y="242.0" xml:space="preserve">value = 2</text>
        <text class="label" x="65.3" y="78.0">root</text>
        <text class="label" x="94.1" y="181.0">right</text>
        </g>
        </svg>
    "#]].assert_eq(body);
}

#[test]
fn a_small_tree_for_graphviz() {
    let tree = structure(suites::search_tree_input(&[1, 2]));
    let odd = suites::everything().cases[0].input.clone();
    let drawings = [("1", &tree), ("odd \"\\", &odd)]
        .map(|(caption, structure)| Drawing { structure, caption });
    let text = dot::write(&drawings[..1]);
    expect![[r#"
        digraph structures {
            node [shape=record, fontname=monospace, fontsize=10];
            edge [fontname=monospace, fontsize=9];
            subgraph cluster_0 {
                label="1";
                s0_0 [label="{SearchTree|size = 2\l}"];
                s0_1 [label="{Node|value = 1\l}"];
                s0_2 [label="{Node|value = 2\l}"];
                s0_0 -> s0_1 [label="root"];
                s0_1 -> s0_2 [label="right"];
            }
        }
    "#]]
    .assert_eq(&text);
    save("everything.dot", &dot::write(&drawings));
}

#[test]
fn small_trees_as_text() {
    let tree = |values: &[i32]| structure(suites::search_tree_input(values));
    let (one_sided, balanced) = (tree(&[1, 2]), tree(&[2, 1, 3]));
    let drawings = [("1", &one_sided), ("2", &balanced)]
        .map(|(caption, structure)| Drawing { structure, caption });
    expect![[r#"
        1
        ┌────────────┐
        │ SearchTree │
        ├────────────┤
        │ size = 2   │
        └──────┬─────┘
               │ root
               ▼
         ┌───────────┐
         │ Node      │
         ├───────────┤
         │ value = 1 │
         └─────┬─────┘
               └────┐
                    │ right
                    ▼
              ┌───────────┐
              │ Node      │
              ├───────────┤
              │ value = 2 │
              └───────────┘

        2
              ┌────────────┐
              │ SearchTree │
              ├────────────┤
              │ size = 3   │
              └──────┬─────┘
                     │ root
                     ▼
               ┌───────────┐
               │ Node      │
               ├───────────┤
               │ value = 2 │
               └─────┬─────┘
              ┌──────┴───────┐
              │ left         │ right
              ▼              ▼
        ┌───────────┐  ┌───────────┐
        │ Node      │  │ Node      │
        ├───────────┤  ├───────────┤
        │ value = 1 │  │ value = 3 │
        └───────────┘  └───────────┘
    "#]]
    .assert_eq(&boxes::write(&drawings));
}

/// References that do not lead down are rows with the number of their target.
#[test]
fn other_references_as_text() {
    let cycle = structure(vec![
        node(&[("next", Value::Ref(1)), ("first", Value::Ref(0))]),
        node(&[("next", Value::Ref(2)), ("first", Value::Ref(0))]),
        node(&[("next", Value::Null), ("first", Value::Ref(1))]),
    ]);
    let drawing = Drawing {
        structure: &cycle,
        caption: "",
    };
    expect![[r#"
        ┌────────────┐
        │ Node #1    │
        ├────────────┤
        │ first → #1 │
        └──────┬─────┘
               │ next
               ▼
        ┌────────────┐
        │ Node #2    │
        ├────────────┤
        │ first → #1 │
        └──────┬─────┘
               │ next
               ▼
        ┌────────────┐
        │ Node       │
        ├────────────┤
        │ first → #2 │
        └────────────┘
    "#]]
    .assert_eq(&boxes::write(&[drawing]));
}
