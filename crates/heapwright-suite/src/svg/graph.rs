//! Contents of a structure's drawing: boxes with rows of text, and labelled arrows between them.
//!
//! Boxes have the order of their objects. Strings, boxed primitives and enum constants with a
//! single reference are rows of the referring object; null is not drawn. A large structure is
//! reduced to its first objects and the number of the others.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Body, Field, Structure, Value, literal};

/// Maximum number of objects, and of references from an array, in a drawing.
const MAX_OBJECTS: usize = 500;
/// Maximum number of array elements and of characters of a text.
const MAX_ELEMENTS: usize = 16;
const MAX_LETTERS: usize = 28;
/// Number of elements per row.
const ELEMENTS_A_ROW: usize = 8;

/// Boxes and arrows of one structure.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub boxes: Vec<BoxText>,
    pub arrows: Vec<Arrow>,
    /// Boxes, each after its parent.
    pub order: Vec<usize>,
}

/// Box of an object.
#[derive(Debug)]
pub(crate) struct BoxText {
    pub title: String,
    pub rows: Vec<String>,
    /// Tree arrows of the object, with gaps for null fields that could have one.
    pub slots: Vec<Option<usize>>,
    pub parent: Option<usize>,
}

/// Arrow of a reference.
#[derive(Debug)]
pub(crate) struct Arrow {
    pub from: usize,
    pub to: usize,
    pub label: String,
    /// Whether it determines the position of its target.
    pub is_tree: bool,
}

impl Graph {
    pub fn new(structure: &Structure) -> Graph {
        let uses = uses(structure);
        // Box of each object; `None` if it is a row.
        let mut boxes: Vec<Option<usize>> = Vec::new();
        let mut graph = Graph::default();
        let drawn = &structure.objects[..structure.objects.len().min(MAX_OBJECTS)];
        for (index, object) in drawn.iter().enumerate() {
            let is_row = index > 0 && uses[index] == 1 && inline(structure, index).is_some();
            boxes.push((!is_row).then_some(graph.boxes.len()));
            if !is_row {
                graph.boxes.push(BoxText {
                    title: object.class.simple_name(),
                    rows: Vec::new(),
                    slots: Vec::new(),
                    parent: None,
                });
            }
        }
        let mut references: Vec<ReferenceArrow<'_>> = Vec::new();
        for (index, object) in drawn.iter().enumerate() {
            let Some(at) = boxes[index] else { continue };
            match &object.body {
                Body::Fields(fields) => {
                    for (place, field) in fields.iter().enumerate() {
                        let sig = &field.sig;
                        let name = Field::shown_name(fields, place);
                        let target = match field.value {
                            Value::Ref(target) => Some(target),
                            Value::Null => None,
                            value => {
                                let text = format!("{name} = {}", literal::plain(value));
                                graph.boxes[at].rows.push(text);
                                continue;
                            }
                        };
                        references.push(ReferenceArrow {
                            from: at,
                            class: &object.class.name,
                            label: name,
                            is_own_type: crate::types::binary_name(&sig.descriptor)
                                == object.class.name,
                            target,
                        });
                    }
                }
                Body::Array(elements) => {
                    let (title, rows) = array_text(&graph.boxes[at].title, elements);
                    graph.boxes[at].title = title;
                    graph.boxes[at].rows = rows;
                    for (element, value) in elements.iter().enumerate().take(MAX_OBJECTS) {
                        if let Value::Ref(target) = value {
                            references.push(ReferenceArrow {
                                from: at,
                                class: &object.class.name,
                                label: format!("[{element}]"),
                                is_own_type: false,
                                target: Some(*target),
                            });
                        }
                    }
                }
                _ => graph.boxes[at].rows.extend(inline(structure, index)),
            }
        }
        let left_out = structure.objects.len() - drawn.len();
        if left_out > 0 {
            graph.boxes.push(BoxText {
                title: format!("and {left_out} more objects"),
                rows: Vec::new(),
                slots: Vec::new(),
                parent: None,
            });
        }
        graph.connect(structure, &boxes, &references);
        graph
    }

    fn connect(
        &mut self,
        structure: &Structure,
        boxes: &[Option<usize>],
        references: &[ReferenceArrow<'_>],
    ) {
        let mut by_box: Vec<Vec<Link<'_>>> = (0..self.boxes.len()).map(|_| Vec::new()).collect();
        for reference in references {
            let to = match reference.target.map(|target| (target, boxes.get(target))) {
                None => None,
                Some((_, Some(Some(to)))) => Some(*to),
                Some((_, None)) => {
                    let row = format!("{} = ...", reference.label);
                    self.boxes[reference.from].rows.push(row);
                    continue;
                }
                Some((target, Some(None))) => {
                    let text = inline(structure, target).unwrap_or_default();
                    let row = format!("{} = {text}", reference.label);
                    self.boxes[reference.from].rows.push(row);
                    continue;
                }
            };
            by_box[reference.from].push(Link { reference, to });
        }
        let tree = self.span(&by_box);
        let turned_back: BTreeSet<(&str, &str)> = by_box
            .iter()
            .flatten()
            .filter(|link| link.to.is_some_and(|to| !link.is_in(&tree, to)))
            .map(Link::kind)
            .collect();
        for (from, links) in by_box.iter().enumerate() {
            let mut arrows: BTreeMap<usize, usize> = BTreeMap::new();
            for link in links {
                let Some(to) = link.to else {
                    let is_free = !turned_back.contains(&link.kind());
                    if link.reference.is_own_type && is_free {
                        self.boxes[from].slots.push(None);
                    }
                    continue;
                };
                let label = &link.reference.label;
                if let Some(arrow) = arrows.get(&to) {
                    let other = &mut self.arrows[*arrow].label;
                    other.push_str(", ");
                    other.push_str(label);
                    continue;
                }
                let is_tree = tree[to].is_some_and(|(parent, _)| parent == from);
                arrows.insert(to, self.arrows.len());
                if is_tree {
                    self.boxes[from].slots.push(Some(self.arrows.len()));
                }
                self.arrows.push(Arrow {
                    from,
                    to,
                    label: label.clone(),
                    is_tree,
                });
            }
            let slots = &mut self.boxes[from].slots;
            if slots.iter().all(Option::is_none) {
                slots.clear();
            }
        }
    }

    /// Computes the spanning tree that determines the layout: for each box its parent and the
    /// field. It is breadth first over fields that are not the inverse of another field
    /// (`previous` of `next`), then over the others.
    fn span<'a>(&mut self, links: &[Vec<Link<'a>>]) -> Vec<Option<(usize, &'a str)>> {
        let backward = backward_fields(links);
        let mut tree: Vec<Option<(usize, &str)>> = vec![None; links.len()];
        let mut reached = vec![false; links.len()];
        for root in 0..links.len() {
            if reached[root] {
                continue;
            }
            reached[root] = true;
            let mut start = self.order.len();
            self.order.push(root);
            loop {
                let mut at = start;
                while at < self.order.len() {
                    let from = self.order[at];
                    for link in links[from]
                        .iter()
                        .filter(|link| !backward.contains(&link.kind()))
                    {
                        if let Some(to) = link.to
                            && !reached[to]
                        {
                            reached[to] = true;
                            tree[to] = Some((from, &link.reference.label));
                            self.boxes[to].parent = Some(from);
                            self.order.push(to);
                        }
                    }
                    at += 1;
                }
                // One step over an inverse field that reaches a new box.
                let next = self.order.iter().find_map(|from| {
                    let mut links = links[*from].iter();
                    let link = links.find(|link| link.to.is_some_and(|to| !reached[to]))?;
                    Some((*from, link.to?, link.reference.label.as_str()))
                });
                let Some((from, to, label)) = next else { break };
                reached[to] = true;
                tree[to] = Some((from, label));
                self.boxes[to].parent = Some(from);
                start = self.order.len();
                self.order.push(to);
            }
        }
        tree
    }
}

/// Class and field of every inverse field, which always leads back to the source of an earlier
/// field of the class.
fn backward_fields<'a>(links: &[Vec<Link<'a>>]) -> BTreeSet<(&'a str, &'a str)> {
    let mut forward: BTreeSet<(&str, &str)> = BTreeSet::new();
    let mut backward: BTreeSet<(&str, &str)> = BTreeSet::new();
    let kinds: Vec<(&str, &str)> = {
        let mut seen = BTreeSet::new();
        let own = links
            .iter()
            .flatten()
            .filter(|link| link.reference.is_own_type);
        own.map(Link::kind)
            .filter(|kind| seen.insert(*kind))
            .collect()
    };
    for &(class, label) in &kinds {
        let is_backward = forward
            .iter()
            .filter(|(other, _)| *other == class)
            .any(|&there| {
                let mut ways = links
                    .iter()
                    .enumerate()
                    .flat_map(|(from, links)| links.iter().map(move |link| (from, link)))
                    .filter_map(|(from, link)| Some((from, link.to?, link.kind())))
                    .filter(|(_, _, kind)| *kind == there)
                    .peekable();
                let leads_back = |from: usize, to: usize| {
                    let mut links = links[to].iter();
                    links.any(|link| link.kind() == (class, label) && link.to == Some(from))
                };
                ways.peek().is_some() && ways.all(|(from, to, _)| leads_back(from, to))
            });
        if is_backward {
            backward.insert((class, label));
        } else {
            forward.insert((class, label));
        }
    }
    backward
}

/// Reference and the box it leads to, `None` if it is null.
struct Link<'a> {
    reference: &'a ReferenceArrow<'a>,
    to: Option<usize>,
}

impl<'a> Link<'a> {
    fn kind(&self) -> (&'a str, &'a str) {
        (self.reference.class, &self.reference.label)
    }

    fn is_in(&self, tree: &[Option<(usize, &str)>], to: usize) -> bool {
        tree[to] == Some((self.reference.from, self.reference.label.as_str()))
    }
}

/// Field or element of reference type.
struct ReferenceArrow<'a> {
    from: usize,
    class: &'a str,
    label: String,
    is_own_type: bool,
    target: Option<usize>,
}

fn uses(structure: &Structure) -> Vec<usize> {
    let mut uses = vec![0; structure.objects.len()];
    for object in &structure.objects {
        for value in object.values() {
            if let Value::Ref(target) = value {
                uses[target] += 1;
            }
        }
    }
    uses
}

/// Text of an object that is a value.
fn inline(structure: &Structure, index: usize) -> Option<String> {
    match &structure.objects[index].body {
        Body::Boxed(value) => Some(literal::plain(*value)),
        Body::String(text) => Some(literal::string(&shorten(text))),
        Body::EnumConstant(name) => Some(name.clone()),
        Body::Fields(_) | Body::Array(_) => None,
    }
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// Title with the length, and rows of the elements that are no references.
fn array_text(title: &str, elements: &[Value]) -> (String, Vec<String>) {
    let title = title.replacen("[]", &format!("[{}]", elements.len()), 1);
    let is_primitive = |value: &&Value| !matches!(value, Value::Ref(_) | Value::Null);
    let mut shown: Vec<String> = elements
        .iter()
        .filter(is_primitive)
        .take(MAX_ELEMENTS)
        .map(|value| literal::plain(*value))
        .collect();
    if elements.iter().filter(is_primitive).count() > MAX_ELEMENTS {
        shown.push("...".to_owned());
    }
    let rows = shown
        .chunks(ELEMENTS_A_ROW)
        .map(|row| row.join("  "))
        .collect();
    (title, rows)
}
