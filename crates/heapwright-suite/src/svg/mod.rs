//! Drawings of structures as SVG: a single one, or a sheet of many.
//!
//! The text is XML 1.0 in UTF-8 and needs no external font, script or image. Colours follow the
//! viewer's light or dark setting.

mod arrows;
pub(crate) mod graph;
pub(crate) mod layout;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use crate::Structure;

use arrows::Curve;
use graph::Graph;
use layout::{GraphLayout, Rect, SMALL_LETTER, letters};

/// Structure with a caption.
#[derive(Clone, Copy, Debug)]
pub struct Drawing<'a> {
    /// Structure.
    pub structure: &'a Structure,
    /// Line below it; may be empty.
    pub caption: &'a str,
}

/// Maximum width of a sheet in pixels, unless a single drawing is wider.
const SHEET_WIDTH: f64 = 1400.0;
const MARGIN: f64 = 18.0;
const CAPTION: f64 = 26.0;

/// Style rules of a drawing. Dark colours are additional rules behind a media query, so that
/// viewers without style variables or media queries show the light ones.
pub(crate) struct Style {
    /// Rules common to light and dark.
    pub shapes: &'static str,
    /// Rules with a colour of [`PALETTE`], by its name after a `$`.
    pub colours: &'static str,
}

/// Colours by name, in light and in dark.
const PALETTE: [(&str, &str, &str); 6] = [
    ("$paper", "#fff", "#0d1117"),
    ("$ink", "#1f2328", "#e6edf3"),
    ("$line", "#59636e", "#9aa5b1"),
    ("$faint", "#8b949e", "#77818c"),
    ("$box", "#f6f8fa", "#161b22"),
    ("$title", "#dbe7f5", "#1f3550"),
];

const STYLE: Style = Style {
    shapes: "\
text{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}
.tree,.other{fill:none;stroke-width:1.3}
.other{stroke-dasharray:5 3}
.name{font-weight:bold;text-anchor:middle}
.label{font-size:11px;paint-order:stroke;stroke-width:3px}
.caption{font-size:12px;text-anchor:middle}
",
    colours: "\
.paper{fill:$paper}
.box{fill:$box;stroke:$line}
.title{fill:$title;stroke:$line}
.tree{stroke:$line}
.other{stroke:$faint}
.head{fill:$line}
text{fill:$ink}
.label{stroke:$paper;fill:$line}
",
};

/// Text of the rules, in the order of their styles.
fn style_sheet(styles: &[&Style]) -> String {
    let shapes: String = styles.iter().map(|style| style.shapes).collect();
    let colours: String = styles.iter().map(|style| style.colours).collect();
    let (mut light, mut dark) = (colours.clone(), colours);
    for (name, in_light, in_dark) in PALETTE {
        light = light.replace(name, in_light);
        dark = dark.replace(name, in_dark);
    }
    format!("{shapes}{light}@media(prefers-color-scheme:dark){{\n{dark}}}\n")
}

/// Draws one structure.
#[must_use]
pub fn draw(structure: &Structure) -> String {
    draw_sheet(&[Drawing {
        structure,
        caption: "",
    }])
}

/// Draws several structures in rows, in order.
#[must_use]
pub fn draw_sheet(drawings: &[Drawing<'_>]) -> String {
    let pictures: Vec<Picture> = drawings
        .iter()
        .map(|drawing| Picture::new(drawing.structure, drawing.caption))
        .collect();
    let mut body = String::new();
    let (mut x, mut y, mut width) = (MARGIN, MARGIN, 0.0f64);
    let mut row = 0;
    for (index, picture) in pictures.iter().enumerate() {
        if index > row && x + picture.frame.width + MARGIN > SHEET_WIDTH {
            y += height(&pictures[row..index]) + 2.0 * MARGIN;
            x = MARGIN;
            row = index;
        }
        let to = (x - picture.frame.x, y - picture.frame.y);
        picture.write(&mut body, to);
        x += picture.frame.width + MARGIN;
        width = width.max(x);
        x += MARGIN;
    }
    let height = y + height(&pictures[row..]) + MARGIN;
    let width = width.max(2.0 * MARGIN);
    document((width, height), "", &[], &format!("{HEAD}{body}"))
}

/// Marker at the end of an arrow, and the background.
const HEAD: &str = "\
<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7.5\" refY=\"4\" markerWidth=\"7\" \
markerHeight=\"7\" orient=\"auto\"><path class=\"head\" d=\"M0 0.8L8 4L0 7.2z\"/></marker>\
</defs>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n";

/// Document with a width and a height in pixels, optional titles, and styles beside the common
/// ones.
pub(crate) fn document(
    (width, height): (f64, f64),
    titles: &str,
    styles: &[&Style],
    body: &str,
) -> String {
    let style = style_sheet(&[&[&STYLE], styles].concat());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\">\n{titles}<style>\n{style}</style>\n{body}</svg>\n"
    )
}

fn height(row: &[Picture]) -> f64 {
    row.iter()
        .map(|picture| picture.frame.height)
        .fold(0.0, f64::max)
}

/// Structure with its layout.
struct Picture {
    graph: Graph,
    layout: GraphLayout,
    curves: Vec<Curve>,
    caption: String,
    /// Bounding box of everything, caption included.
    frame: Rect,
}

impl Picture {
    fn new(structure: &Structure, caption: &str) -> Picture {
        let graph = Graph::new(structure);
        let layout = layout::layout(&graph);
        let curves = arrows::route(&graph, &layout);
        let mut frame = layout.boxes.first().copied().unwrap_or_default();
        for place in &layout.boxes {
            frame = frame.union(place);
        }
        for curve in &curves {
            frame = frame.union(&curve.place);
            for step in 0..=8 {
                let (x, y) = arrows::point_at(&curve.points, f64::from(step) / 8.0);
                frame = frame.union(&Rect {
                    x,
                    y,
                    ..Rect::default()
                });
            }
        }
        if !caption.is_empty() {
            let width = letters(caption.chars().count()) * SMALL_LETTER * 12.0 / 11.0;
            let x = frame.center_x() - width / 2.0;
            let y = frame.bottom();
            frame = frame.union(&Rect {
                x,
                y,
                width,
                height: CAPTION,
            });
        }
        Picture {
            graph,
            layout,
            curves,
            caption: caption.to_owned(),
            frame,
        }
    }

    /// Arrows first, so that they pass behind boxes.
    fn write(&self, svg: &mut String, (dx, dy): (f64, f64)) {
        let _ = writeln!(svg, "<g transform=\"translate({dx:.1} {dy:.1})\">");
        for curve in &self.curves {
            let [a, b, c, d] = curve.points;
            let class = if curve.is_tree { "tree" } else { "other" };
            let _ = writeln!(
                svg,
                "<path class=\"{class}\" marker-end=\"url(#head)\" d=\"M{:.1} {:.1}C{:.1} {:.1} \
                 {:.1} {:.1} {:.1} {:.1}\"/>",
                a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1
            );
        }
        for (text, place) in self.graph.boxes.iter().zip(&self.layout.boxes) {
            write_box(svg, &text.title, &text.rows, place);
        }
        for curve in &self.curves {
            let Rect { x, y, .. } = curve.place;
            let label = escape(&curve.label);
            let _ = writeln!(
                svg,
                "<text class=\"label\" x=\"{x:.1}\" y=\"{:.1}\">{label}</text>",
                y + 11.0
            );
        }
        if !self.caption.is_empty() {
            let _ = writeln!(
                svg,
                "<text class=\"caption\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                self.frame.center_x(),
                self.frame.bottom() - 5.0,
                escape(&self.caption)
            );
        }
        svg.push_str("</g>\n");
    }
}

fn write_box(svg: &mut String, title: &str, rows: &[String], place: &Rect) {
    let Rect {
        x,
        y,
        width,
        height,
    } = *place;
    if !rows.is_empty() {
        let _ = writeln!(
            svg,
            "<rect class=\"box\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"4\"/>"
        );
    }
    let _ = writeln!(
        svg,
        "<rect class=\"title\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"22\" rx=\"4\"/>\n\
         <text class=\"name\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
        place.center_x(),
        y + 15.5,
        escape(title)
    );
    for (at, row) in rows.iter().enumerate() {
        let line = y + 22.0 + layout::ROW * letters(at) + 14.0;
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{line:.1}\" xml:space=\"preserve\">{}</text>",
            x + 10.0,
            escape(row)
        );
    }
}

/// Escapes text for XML.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            letter if letter.is_control() => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}
