//! Control-flow graphs as SVG, with the blocks and edges that tests cover.
//!
//! Blocks are in rows from the entry down, each below all its predecessors. Back edges are routed
//! at the right. Labels have rows of their own between the rows of blocks, so that neither boxes
//! nor labels overlap. Covered elements differ by colour and by stroke.

mod places;
mod rows;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use crate::svg::layout::{LETTER, PADDING, ROW, Rect, SMALL_LETTER, letters};
use crate::svg::{Style, document, escape};

use places::{Places, Route};

/// Control-flow graph of a method.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowGraph {
    /// Text above the drawing.
    pub title: String,
    /// Blocks; edges refer to them by index.
    pub blocks: Vec<FlowBlock>,
    /// Edges. An edge from or to a missing block is not drawn.
    pub edges: Vec<FlowEdge>,
}

/// Block of instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowBlock {
    /// Lines of text in its box.
    pub lines: Vec<String>,
    /// Whether a test covers it.
    pub is_covered: bool,
    /// Role in the method.
    pub kind: BlockKind,
}

/// Role of a block in its method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BlockKind {
    /// Entry: a box with round ends.
    Entry,
    /// Any other block.
    #[default]
    Inner,
    /// Return, or end by an exception: a box with two frames.
    Exit,
}

/// Edge from a block to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowEdge {
    /// Source block.
    pub from: usize,
    /// Target block.
    pub to: usize,
    /// Condition under which it is taken; may be empty.
    pub label: String,
    /// Kind of transfer.
    pub kind: EdgeKind,
    /// Number of tests that cover it.
    pub cases: u32,
}

/// Kind of an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EdgeKind {
    /// Jump, or fall-through.
    #[default]
    Normal,
    /// Exception: drawn with an open head.
    Exceptional,
}

const MARGIN: f64 = 18.0;
/// Height of the title and the coverage summary above the graph.
const TITLE: f64 = 50.0;
const LEGEND: f64 = 34.0;
/// Distance between the two frames of an exit.
const INSET: f64 = 3.0;
const LABEL_HEIGHT: f64 = 16.0;

const STYLE: Style = Style {
    shapes: "\
.block{stroke-dasharray:5 3}
.block.covered{stroke-width:1.8;stroke-dasharray:none}
.block.frame{stroke-width:1}
.edge{fill:none;stroke-width:1.2;stroke-dasharray:5 4}
.edge.covered{stroke-width:2.2;stroke-dasharray:none}
.open{stroke-width:1.2}
.flow{font-size:11px;text-anchor:middle}
.flow.covered{font-weight:bold}
.flow.thrown{font-style:italic}
.heading{font-weight:bold}
",
    colours: "\
.block{fill:$box;stroke:$faint}
.block.covered{fill:$title;stroke:$ink}
.block.frame{fill:none}
.edge{stroke:$faint}
.edge.covered{stroke:$line}
.open{fill:$paper;stroke:$line}
.flow{fill:$line}
.flow.covered{fill:$ink}
",
};

const HEADS: &str = "\
<defs>\
<marker id=\"flow-head\" viewBox=\"0 0 10 10\" refX=\"9.5\" refY=\"5\" markerUnits=\"userSpaceOnUse\" \
markerWidth=\"10\" markerHeight=\"10\" orient=\"auto\"><path class=\"head\" d=\"M0 1L10 5L0 9z\"/></marker>\
<marker id=\"flow-open\" viewBox=\"0 0 12 10\" refX=\"11\" refY=\"5\" markerUnits=\"userSpaceOnUse\" \
markerWidth=\"12\" markerHeight=\"10\" orient=\"auto\"><path class=\"open\" d=\"M1 1L11 5L1 9z\"/></marker>\
</defs>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";

/// Draws a control-flow graph.
#[must_use]
pub fn draw_flow(graph: &FlowGraph) -> String {
    let places = Places::of(graph);
    let drawing = Drawing {
        graph,
        places,
        svg: HEADS.to_owned(),
    };
    drawing.write()
}

impl FlowGraph {
    /// Edges between existing blocks, with their indices.
    fn whole_edges(&self) -> impl Iterator<Item = (usize, &FlowEdge)> {
        let count = self.blocks.len();
        let edges = self.edges.iter().enumerate();
        edges.filter(move |(_, edge)| edge.from < count && edge.to < count)
    }

    /// Coverage summary: `covered: 5 of 6 blocks, 7 of 9 edges`.
    fn summary(&self) -> String {
        let blocks = self.blocks.iter().filter(|block| block.is_covered).count();
        let edges = self.whole_edges().filter(|(_, edge)| edge.cases > 0);
        format!(
            "covered: {blocks} of {} blocks, {} of {} edges",
            self.blocks.len(),
            edges.count(),
            self.whole_edges().count()
        )
    }
}

impl FlowBlock {
    /// Width and height of the box.
    fn size(&self) -> (f64, f64) {
        let longest = self.lines.iter().map(|line| line.chars().count()).max();
        let width = letters(longest.unwrap_or_default()) * LETTER + 2.0 * PADDING;
        let height = letters(self.lines.len().max(1)) * ROW + 9.0;
        (width.max(40.0), height)
    }
}

impl FlowEdge {
    /// Text on the edge: its label, and the number of tests that cover it.
    fn text(&self) -> String {
        let times = match self.cases {
            0 => String::new(),
            cases => format!("\u{d7}{cases}"),
        };
        let parts = [self.label.as_str(), &times].into_iter();
        let parts = parts.filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(" ")
    }

    /// Width and height of the text on the edge.
    fn label_size(&self) -> (f64, f64) {
        let text = self.text();
        match text.as_str() {
            "" => (0.0, 0.0),
            text => (
                letters(text.chars().count()) * SMALL_LETTER + 6.0,
                LABEL_HEIGHT,
            ),
        }
    }

    fn class(&self) -> &'static str {
        if self.cases > 0 { " covered" } else { "" }
    }
}

/// Graph with a layout, while its SVG is written.
struct Drawing<'a> {
    graph: &'a FlowGraph,
    places: Places,
    svg: String,
}

impl Drawing<'_> {
    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string never fails.
        let _ = writeln!(self.svg, "{element}");
    }

    fn write(mut self) -> String {
        let summary = self.graph.summary();
        let longest = self.graph.title.chars().count().max(summary.len());
        let least = letters(longest).max(LEGEND_LETTERS) * LETTER;
        let frame = self.places.frame;
        let width = frame.width.max(least) + 2.0 * MARGIN;
        let height = TITLE + frame.height + LEGEND + 2.0 * MARGIN;
        self.push(format_args!(
            "<text class=\"heading\" x=\"{MARGIN:.1}\" y=\"{:.1}\">{}</text>",
            MARGIN + 12.0,
            escape(&self.graph.title)
        ));
        self.push(format_args!(
            "<text x=\"{MARGIN:.1}\" y=\"{:.1}\">{summary}</text>",
            MARGIN + 30.0
        ));
        self.push(format_args!(
            "<g transform=\"translate({:.1} {:.1})\">",
            MARGIN - frame.x,
            MARGIN + TITLE - frame.y
        ));
        for index in 0..self.places.routes.len() {
            self.path(index);
        }
        for index in 0..self.graph.blocks.len() {
            self.block(index);
        }
        for index in 0..self.places.routes.len() {
            self.label(index);
        }
        self.push(format_args!("</g>"));
        self.legend(height - MARGIN);
        let titles = format!(
            "<title>{}</title>\n<desc>Control-flow graph, {summary}.</desc>\n",
            escape(&self.graph.title)
        );
        document((width, height), &titles, &[&STYLE], &self.svg)
    }

    fn path(&mut self, index: usize) {
        let Route { edge, path, .. } = &self.places.routes[index];
        let (edge, path) = (&self.graph.edges[*edge], path.clone());
        let head = match edge.kind {
            EdgeKind::Normal => "flow-head",
            EdgeKind::Exceptional => "flow-open",
        };
        let taken = match edge.cases {
            0 => "taken by no test".to_owned(),
            1 => "taken by 1 test".to_owned(),
            cases => format!("taken by {cases} tests"),
        };
        let label = match edge.label.as_str() {
            "" => String::new(),
            label => format!("{}: ", escape(label)),
        };
        self.push(format_args!(
            "<path class=\"edge{}\" marker-end=\"url(#{head})\" d=\"{path}\"><title>{label}{taken}</title></path>",
            edge.class()
        ));
    }

    fn block(&mut self, index: usize) {
        let block = &self.graph.blocks[index];
        let Rect {
            x,
            y,
            width,
            height,
        } = self.places.boxes[index];
        let class = if block.is_covered { " covered" } else { "" };
        let radius = match block.kind {
            BlockKind::Entry => 13.0,
            BlockKind::Inner | BlockKind::Exit => 3.0,
        };
        let said = if block.is_covered {
            "covered"
        } else {
            "not covered"
        };
        self.push(format_args!(
            "<rect class=\"block{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{radius}\"><title>{said}</title></rect>"
        ));
        if block.kind == BlockKind::Exit {
            self.push(format_args!(
                "<rect class=\"block frame{class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"2\"/>",
                x + INSET,
                y + INSET,
                width - 2.0 * INSET,
                height - 2.0 * INSET
            ));
        }
        for (at, line) in block.lines.iter().enumerate() {
            self.push(format_args!(
                "<text x=\"{:.1}\" y=\"{:.1}\" xml:space=\"preserve\">{}</text>",
                x + PADDING,
                y + letters(at) * ROW + 17.0,
                escape(line)
            ));
        }
    }

    fn label(&mut self, index: usize) {
        let Route { edge, label, .. } = self.places.routes[index];
        let edge = &self.graph.edges[edge];
        let text = edge.text();
        if text.is_empty() {
            return;
        }
        let thrown = match edge.kind {
            EdgeKind::Normal => "",
            EdgeKind::Exceptional => " thrown",
        };
        self.push(format_args!(
            "<rect class=\"paper\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>\n\
             <text class=\"flow{}{thrown}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            label.x,
            label.y,
            label.width,
            label.height,
            edge.class(),
            label.center_x(),
            label.y + 12.0,
            escape(&text)
        ));
    }

    /// Legend of the strokes, on one line.
    fn legend(&mut self, y: f64) {
        let mut x = MARGIN;
        for (class, head, text) in LEGEND_SAMPLES {
            self.push(format_args!(
                "<path class=\"edge{class}\" marker-end=\"url(#{head})\" d=\"M{x:.1} {:.1}h28\"/>\n\
                 <text x=\"{:.1}\" y=\"{y:.1}\">{text}</text>",
                y - 4.0,
                x + 34.0
            ));
            x += 34.0 + (letters(text.len()) + 2.0) * LETTER;
        }
    }
}

const LEGEND_SAMPLES: [(&str, &str, &str); 3] = [
    (" covered", "flow-head", "covered"),
    ("", "flow-head", "not covered"),
    (" covered", "flow-open", "by an exception"),
];
/// Approximate length of the legend, in letters.
const LEGEND_LETTERS: f64 = 56.0;
