//! Positions of boxes: trees from top to bottom, chains from left to right.
//!
//! A subtree has a range of columns of its own, and each depth has a row, so boxes never overlap.
//! Children have the order of their fields. A null beside a child reserves space, so that a left
//! child is to the left.

use super::graph::Graph;

/// Width of a letter in a box and in a label, for a monospaced font of these sizes.
pub(crate) const LETTER: f64 = 7.25;
pub(crate) const SMALL_LETTER: f64 = 6.65;
/// Height of a row of text.
pub(crate) const ROW: f64 = 17.0;
const TITLE: f64 = 22.0;
pub(crate) const PADDING: f64 = 10.0;
const COLUMN_GAP: f64 = 26.0;
const ROW_GAP: f64 = 58.0;
const EMPTY_SLOT: f64 = 36.0;

/// Rectangle, by its upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rect {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    pub fn center_x(&self) -> f64 {
        self.x + self.width / 2.0
    }

    pub fn center_y(&self) -> f64 {
        self.y + self.height / 2.0
    }

    pub fn right(&self) -> f64 {
        self.x + self.width
    }

    pub fn bottom(&self) -> f64 {
        self.y + self.height
    }

    pub fn overlaps(&self, other: &Rect) -> bool {
        self.x < other.right()
            && other.x < self.right()
            && self.y < other.bottom()
            && other.y < self.bottom()
    }

    /// Smallest rectangle that contains both.
    pub fn union(&self, other: &Rect) -> Rect {
        let x = self.x.min(other.x);
        let y = self.y.min(other.y);
        Rect {
            x,
            y,
            width: self.right().max(other.right()) - x,
            height: self.bottom().max(other.bottom()) - y,
        }
    }
}

/// Checks that tolerate rounding, because sums in another order round differently.
#[cfg(test)]
impl Rect {
    const ROUNDING: f64 = 1e-9;

    /// Whether they overlap by more than the rounding error.
    pub fn overlaps_clearly(&self, other: &Rect) -> bool {
        let inner = Rect {
            x: self.x + Rect::ROUNDING,
            y: self.y + Rect::ROUNDING,
            width: self.width - 2.0 * Rect::ROUNDING,
            height: self.height - 2.0 * Rect::ROUNDING,
        };
        inner.overlaps(other)
    }

    /// Whether it contains the other, up to rounding.
    pub fn holds(&self, other: &Rect) -> bool {
        self.x <= other.x + Rect::ROUNDING
            && self.y <= other.y + Rect::ROUNDING
            && other.right() <= self.right() + Rect::ROUNDING
            && other.bottom() <= self.bottom() + Rect::ROUNDING
    }
}

/// Positions of a graph's boxes.
#[derive(Debug)]
pub(super) struct GraphLayout {
    pub boxes: Vec<Rect>,
    /// Whether the boxes form one row.
    pub is_chain: bool,
}

/// Places every box.
pub(super) fn layout(graph: &Graph) -> GraphLayout {
    let mut boxes: Vec<Rect> = graph
        .boxes
        .iter()
        .map(|text| {
            let widest = text
                .rows
                .iter()
                .chain([&text.title])
                .map(|row| row.chars().count());
            let rows = text.rows.len();
            Rect {
                width: letters(widest.max().unwrap_or(0)) * LETTER + 2.0 * PADDING,
                height: TITLE
                    + if rows > 0 {
                        letters(rows) * ROW + 6.0
                    } else {
                        0.0
                    },
                ..Rect::default()
            }
        })
        .collect();
    let is_chain = boxes.len() > 2
        && graph.boxes.iter().all(|text| text.slots.len() <= 1)
        && graph.boxes[1..].iter().all(|text| text.parent.is_some());
    if is_chain {
        place_chain(graph, &mut boxes);
    } else {
        let widths = subtree_widths(graph, &boxes);
        place_tree(graph, &mut boxes, &widths);
    }
    GraphLayout { boxes, is_chain }
}

/// Converts a count for use in pixel arithmetic.
pub(crate) fn letters(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::from(u32::MAX), f64::from)
}

fn place_chain(graph: &Graph, boxes: &mut [Rect]) {
    let tallest = boxes.iter().map(|place| place.height).fold(0.0, f64::max);
    let mut x = 0.0;
    let mut at = Some(0);
    while let Some(index) = at {
        let next = graph.boxes[index].slots.iter().flatten().next();
        let next = next.map(|arrow| &graph.arrows[*arrow]);
        let longest = next.map_or(0, |next| {
            let is_between =
                |from, to| (from, to) == (index, next.to) || (to, from) == (index, next.to);
            let labels = graph
                .arrows
                .iter()
                .filter(|arrow| is_between(arrow.from, arrow.to));
            labels
                .map(|arrow| arrow.label.chars().count())
                .max()
                .unwrap_or(0)
        });
        let place = &mut boxes[index];
        place.x = x;
        place.y = (tallest - place.height) / 2.0;
        x += place.width + letters(longest) * SMALL_LETTER + 30.0;
        at = next.map(|next| next.to);
    }
}

/// Children of a box and its gaps, as (child, width).
fn slots<'g>(
    graph: &'g Graph,
    index: usize,
    widths: &'g [f64],
) -> impl Iterator<Item = (Option<usize>, f64)> + 'g {
    graph.boxes[index].slots.iter().map(|slot| match slot {
        Some(arrow) => {
            let child = graph.arrows[*arrow].to;
            (Some(child), widths[child])
        }
        None => (None, EMPTY_SLOT),
    })
}

fn total(graph: &Graph, index: usize, widths: &[f64]) -> f64 {
    let count = graph.boxes[index].slots.len();
    let gaps = letters(count.saturating_sub(1)) * COLUMN_GAP;
    slots(graph, index, widths)
        .map(|(_, width)| width)
        .sum::<f64>()
        + gaps
}

fn subtree_widths(graph: &Graph, boxes: &[Rect]) -> Vec<f64> {
    let mut widths = vec![0.0; boxes.len()];
    for &index in graph.order.iter().rev() {
        widths[index] = boxes[index].width.max(total(graph, index, &widths));
    }
    widths
}

fn place_tree(graph: &Graph, boxes: &mut [Rect], widths: &[f64]) {
    let mut depths = vec![0; boxes.len()];
    for &index in &graph.order {
        depths[index] = graph.boxes[index]
            .parent
            .map_or(0, |parent| depths[parent] + 1);
    }
    let deepest = depths.iter().copied().max().unwrap_or(0);
    let mut tops = vec![0.0; deepest + 2];
    for depth in 0..=deepest {
        let peers = (0..boxes.len()).filter(|index| depths[*index] == depth);
        let (tallest, widest) = peers.fold((0.0f64, 0), |(tallest, widest), index| {
            let slots = graph.boxes[index].slots.len();
            (tallest.max(boxes[index].height), widest.max(slots))
        });
        // Many arrows need more room between rows.
        let fan = letters(widest.saturating_sub(3).min(12)) * 6.0;
        tops[depth + 1] = tops[depth] + tallest + ROW_GAP + fan;
    }
    // Column ranges from the top down, then centres from the bottom up.
    let mut starts = vec![0.0; boxes.len()];
    let mut next_root = widths.first().copied().unwrap_or(0.0) + COLUMN_GAP;
    for &index in &graph.order {
        // Boxes without a parent are beside the root.
        if index > 0 && graph.boxes[index].parent.is_none() {
            starts[index] = next_root;
            next_root += widths[index] + COLUMN_GAP;
        }
        let mut x = starts[index] + (widths[index] - total(graph, index, widths)) / 2.0;
        for (child, width) in slots(graph, index, widths) {
            if let Some(child) = child {
                starts[child] = x;
            }
            x += width + COLUMN_GAP;
        }
    }
    for &index in graph.order.iter().rev() {
        let mut x = starts[index] + (widths[index] - total(graph, index, widths)) / 2.0;
        let mut centers = Vec::new();
        for (child, width) in slots(graph, index, widths) {
            centers.push(child.map_or(x + width / 2.0, |child| boxes[child].center_x()));
            x += width + COLUMN_GAP;
        }
        let half = boxes[index].width / 2.0;
        let center = match (centers.first(), centers.last()) {
            (Some(first), Some(last)) => {
                let low = starts[index] + half;
                ((first + last) / 2.0).clamp(low, (starts[index] + widths[index] - half).max(low))
            }
            _ => starts[index] + widths[index] / 2.0,
        };
        boxes[index].x = center - half;
        boxes[index].y = tops[depths[index]];
    }
}
