//! Pages of drawings: a gallery of structures, and the control flow of methods.
//!
//! A browser loads a drawing when it comes near to the viewport, so that thousands stay fluid.

use std::collections::BTreeMap;

use askama::Template;

use super::views::{Extent, Page, grouped};
use super::{DRAWINGS, head, rendered};
use crate::model::Run;

/// Path of the gallery.
pub const STRUCTURES: &str = "structures.html";
/// Path of the page of control flow.
pub const FLOW: &str = "flow.html";

#[derive(Template)]
#[template(path = "structures.html")]
struct StructuresPage<'r> {
    page: Page<'r>,
    count: String,
    sizes: Vec<Size>,
    structures: Vec<StructureView<'r>>,
}

/// Size with the number of structures that have it.
struct Size {
    size: usize,
    text: String,
}

struct StructureView<'r> {
    number: usize,
    href: String,
    text: &'r str,
    size: usize,
    objects: String,
    extent: Extent<'r>,
}

#[derive(Template)]
#[template(path = "flow.html")]
struct FlowPage<'r> {
    page: Page<'r>,
    graphs: Vec<GraphView<'r>>,
}

struct GraphView<'r> {
    number: usize,
    href: String,
    caption: &'r str,
    text: &'r str,
    extent: Extent<'r>,
}

/// Path of the drawing of a structure, by its number from 1.
pub fn structure_path(number: usize) -> String {
    format!("{DRAWINGS}/structure-{number}.svg")
}

/// Path of the drawing of a method's control flow, by its number from 1.
pub fn graph_path(number: usize) -> String {
    format!("{DRAWINGS}/flow-{number}.svg")
}

fn objects(size: usize) -> String {
    match size {
        1 => "1 object".to_owned(),
        size => format!("{size} objects"),
    }
}

/// Gallery of structures.
pub fn structures(run: &Run) -> String {
    let mut by_size: BTreeMap<usize, u64> = BTreeMap::new();
    for structure in &run.structures {
        *by_size.entry(structure.size).or_default() += 1;
    }
    let sizes = by_size.into_iter().map(|(size, count)| Size {
        size,
        text: format!("{} ({})", objects(size), grouped(count)),
    });
    let structures = (1..).zip(&run.structures);
    let structures = structures.map(|(number, structure)| StructureView {
        number,
        href: structure_path(number),
        text: &structure.text,
        size: structure.size,
        objects: objects(structure.size),
        extent: Extent::of(&structure.svg),
    });
    rendered(&StructuresPage {
        page: head(run, STRUCTURES, "Structures"),
        count: grouped(run.structures.len() as u64),
        sizes: sizes.collect(),
        structures: structures.collect(),
    })
}

/// Page of the control flow of methods.
pub fn flow(run: &Run) -> String {
    let graphs = (1..).zip(&run.graphs).map(|(number, graph)| GraphView {
        number,
        href: graph_path(number),
        caption: &graph.caption,
        extent: Extent::of(&graph.svg),
        text: &graph.text,
    });
    rendered(&FlowPage {
        page: head(run, FLOW, "Control flow"),
        graphs: graphs.collect(),
    })
}
