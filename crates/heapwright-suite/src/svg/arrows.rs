//! Routes of arrows, and positions of their labels.
//!
//! A label overlaps no box or other label if a free position exists within some steps of its
//! preferred one.

use super::graph::{Arrow, Graph};
use super::layout::{GraphLayout, Rect, SMALL_LETTER, letters};

/// Arrow as a cubic Bézier curve, by its four control points.
#[derive(Debug)]
pub(super) struct Curve {
    pub points: [(f64, f64); 4],
    pub is_tree: bool,
    pub label: String,
    /// Position of the label.
    pub place: Rect,
}

const LABEL_HEIGHT: f64 = 14.0;

/// Preferred position of a label.
#[derive(Clone, Copy, Debug)]
struct Wish {
    /// Near the arrow's end instead of its middle.
    is_near_end: bool,
    /// On the other side of the arrow than usual.
    is_turned: bool,
}

/// Positions of a label along its arrow, the best first.
const IN_THE_MIDDLE: [f64; 8] = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18];
const NEAR_THE_END: [f64; 8] = [0.82, 0.76, 0.88, 0.7, 0.62, 0.54, 0.46, 0.38];

/// Routes every arrow.
pub(super) fn route(graph: &Graph, layout: &GraphLayout) -> Vec<Curve> {
    let mut taken: Vec<Rect> = layout.boxes.clone();
    let mut curves = Vec::new();
    // Labels of tree arrows are placed first.
    for is_tree in [true, false] {
        let mut lanes = 0.0;
        for arrow in graph.arrows.iter().filter(|arrow| arrow.is_tree == is_tree) {
            let points = if layout.is_chain {
                along_chain(graph, layout, arrow, &mut lanes)
            } else {
                in_tree(graph, layout, arrow, &mut lanes)
            };
            let wish = Wish {
                is_near_end: is_tree && graph.boxes[arrow.from].slots.len() > 3,
                // For two opposite arrows, the tree's label is inside, the other one outside.
                is_turned: !layout.is_chain
                    && graph.arrows.iter().any(|other| {
                        other.from == arrow.to && other.to == arrow.from && other.from != other.to
                    }),
            };
            let place = place_label(&points, &arrow.label, &taken, wish);
            taken.push(place);
            curves.push(Curve {
                points,
                is_tree,
                label: arrow.label.clone(),
                place,
            });
        }
    }
    curves
}

fn in_tree(graph: &Graph, layout: &GraphLayout, arrow: &Arrow, lanes: &mut f64) -> [(f64, f64); 4] {
    let from = layout.boxes[arrow.from];
    let to = layout.boxes[arrow.to];
    if arrow.is_tree {
        // Starts at the lower edge, in the order of the children.
        let siblings = &graph.boxes[arrow.from].slots;
        let is_this = |slot: &Option<usize>| slot.is_some_and(|at| graph.arrows[at].to == arrow.to);
        let rank = siblings.iter().position(is_this).unwrap_or(0);
        let share = (letters(rank) + 1.0) / (letters(siblings.len()) + 1.0);
        let start = (from.x + from.width * share, from.bottom());
        let end = (to.center_x(), to.y);
        let bend = (end.1 - start.1) * 0.4;
        return [start, (start.0, start.1 + bend), (end.0, end.1 - bend), end];
    }
    *lanes += 1.0;
    if arrow.from == arrow.to {
        return loop_at_side(from);
    }
    if graph.boxes[arrow.from].parent == Some(arrow.to) {
        // Back to the parent, on the side of the box that is farther from it.
        let is_left = from.center_x() < to.center_x();
        let (start_x, end_x) = if is_left {
            (from.x + from.width * 0.15, to.x + to.width * 0.08)
        } else {
            (from.x + from.width * 0.85, to.x + to.width * 0.92)
        };
        let bend = (from.y - to.bottom()) * 0.45;
        return [
            (start_x, from.y),
            (start_x, from.y - bend),
            (end_x, to.bottom() + bend),
            (end_x, to.bottom()),
        ];
    }
    let bulge = 34.0 + 9.0 * (*lanes % 4.0) + (from.center_y() - to.center_y()).abs() * 0.12;
    if (from.y - to.y).abs() < 1.0 {
        // To a box of the same row: below the row.
        let (start, end) = (
            (from.center_x(), from.bottom()),
            (to.center_x(), to.bottom()),
        );
        return [
            start,
            (start.0, start.1 + bulge),
            (end.0, end.1 + bulge),
            end,
        ];
    }
    if from.center_x() < to.center_x() {
        let (start, end) = ((from.x, from.center_y()), (to.x, to.center_y()));
        [
            start,
            (start.0 - bulge, start.1),
            (end.0 - bulge, end.1),
            end,
        ]
    } else {
        let (start, end) = ((from.right(), from.center_y()), (to.right(), to.center_y()));
        [
            start,
            (start.0 + bulge, start.1),
            (end.0 + bulge, end.1),
            end,
        ]
    }
}

fn loop_at_side(place: Rect) -> [(f64, f64); 4] {
    let (x, y) = (place.right(), place.center_y());
    let spread = (place.height / 2.0 - 3.0).min(9.0);
    [
        (x, y + spread),
        (x + 34.0, y + spread + 14.0),
        (x + 34.0, y - spread - 14.0),
        (x, y - spread),
    ]
}

fn along_chain(
    graph: &Graph,
    layout: &GraphLayout,
    arrow: &Arrow,
    lanes: &mut f64,
) -> [(f64, f64); 4] {
    let from = layout.boxes[arrow.from];
    let to = layout.boxes[arrow.to];
    let straight = |start: (f64, f64), end: (f64, f64)| {
        let third = (end.0 - start.0) / 3.0;
        [
            start,
            (start.0 + third, start.1),
            (end.0 - third, end.1),
            end,
        ]
    };
    if arrow.is_tree {
        let y = from.center_y() - 5.0;
        return straight((from.right(), y), (to.x, y));
    }
    if arrow.from == arrow.to {
        let (x, y) = (from.center_x(), from.y);
        return [
            (x - 9.0, y),
            (x - 22.0, y - 32.0),
            (x + 22.0, y - 32.0),
            (x + 9.0, y),
        ];
    }
    if graph.boxes[arrow.from].parent == Some(arrow.to) {
        let y = from.center_y() + 7.0;
        return straight((from.x, y), (to.right(), y));
    }
    *lanes += 1.0;
    // An arc below for arrows to the left, above for arrows to the right, each deeper than the
    // last.
    let depth = 26.0 + 24.0 * *lanes;
    let (edge, sign) = if to.x < from.x {
        (from.bottom().max(to.bottom()), 1.0)
    } else {
        (from.y.min(to.y), -1.0)
    };
    let far = edge + sign * depth * 4.0 / 3.0;
    let (start_x, end_x) = (from.center_x() + 4.0 * *lanes, to.center_x() - 4.0 * *lanes);
    let y = |place: Rect| if sign > 0.0 { place.bottom() } else { place.y };
    [
        (start_x, y(from)),
        (start_x, far),
        (end_x, far),
        (end_x, y(to)),
    ]
}

/// Point of the curve at `t` from 0 to 1.
pub(super) fn point_at(points: &[(f64, f64); 4], t: f64) -> (f64, f64) {
    let s = 1.0 - t;
    let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
    let sum = |pick: fn(&(f64, f64)) -> f64| {
        points
            .iter()
            .zip(weights)
            .map(|(point, weight)| pick(point) * weight)
            .sum()
    };
    (sum(|point| point.0), sum(|point| point.1))
}

fn place_label(points: &[(f64, f64); 4], label: &str, taken: &[Rect], wish: Wish) -> Rect {
    let width = letters(label.chars().count()) * SMALL_LETTER;
    let is_level = (points[0].1 - points[3].1).abs() < 1.0;
    let is_leftward = points[3].0 < points[0].0;
    let mut first = None;
    for offset in [4.0, 12.0, 24.0, 40.0] {
        for t in if wish.is_near_end {
            NEAR_THE_END
        } else {
            IN_THE_MIDDLE
        } {
            let (x, y) = point_at(points, t);
            let beside = [
                (x - width - offset, y - LABEL_HEIGHT / 2.0),
                (x + offset, y - LABEL_HEIGHT / 2.0),
            ];
            let across = [
                (x - width / 2.0, y - LABEL_HEIGHT - offset + 2.0),
                (x - width / 2.0, y + offset - 2.0),
            ];
            let [near, far] = if is_level { across } else { beside };
            // Above arrows to the right, below arrows to the left; left of steep arrows to the
            // left.
            let order = if (is_level != is_leftward) != wish.is_turned {
                [near, far]
            } else {
                [far, near]
            };
            for (x, y) in order {
                let place = Rect {
                    x,
                    y,
                    width,
                    height: LABEL_HEIGHT,
                };
                first.get_or_insert(place);
                let roomy = Rect {
                    x: x - 3.0,
                    width: width + 6.0,
                    ..place
                };
                if !taken.iter().any(|other| other.overlaps(&roomy)) {
                    return place;
                }
            }
        }
    }
    first.unwrap_or_default()
}
