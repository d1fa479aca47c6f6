//! Pages of drawings: a gallery of structures, and the control flow of methods.
//!
//! All structures are in one script, from which the gallery draws those that come near to the
//! viewport: thousands stay fluid, and are written at once.

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

/// Path of the script with the drawings of structures.
pub const DATA: &str = "drawings/structures.js";

/// Script with the drawings of structures, in their order.
pub fn data(run: &Run) -> String {
    // Texts always have a JSON text, which is one of a script, too.
    let drawings = run.structures.iter();
    let drawings = drawings.filter_map(|structure| serde_json::to_string(&structure.svg).ok());
    let drawings: Vec<String> = drawings.collect();
    format!("const drawings = [\n{}\n];\n", drawings.join(",\n"))
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
