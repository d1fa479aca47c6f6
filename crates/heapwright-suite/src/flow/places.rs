//! Positions of boxes and labels, and routes of edges.
//!
//! Columns: each row is moved towards its neighbours in adjacent rows, as far as its order and
//! the widths allow, so that nothing in a row overlaps. Edges bend in gaps between rows. A back
//! edge leaves and enters by tracks of its own there and runs up in a lane at the right.

use std::fmt::Write as _;

use super::FlowGraph;
use super::rows::{EdgeRoute, RowNodeKind, Rows};
use crate::svg::layout::{Rect, letters};

/// Minimum distance between two boxes or labels of a row, and beside a bend.
const COLUMN_GAP: f64 = 26.0;
const BEND_GAP: f64 = 14.0;
/// Height of a gap without tracks.
const ROW_GAP: f64 = 24.0;
const TRACK: f64 = 8.0;
const LANE: f64 = 12.0;
const CORNER: f64 = 5.0;
/// Number of passes over the columns.
const SWEEPS: usize = 16;
/// Weights with which a bend and a box attract their neighbours.
const BEND_WEIGHT: f64 = 8.0;
const BOX_WEIGHT: f64 = 1.0;

/// Graph with a layout.
#[derive(Debug)]
pub(super) struct Places {
    /// Boxes of the blocks.
    pub boxes: Vec<Rect>,
    pub routes: Vec<Route>,
    /// Bounding box of the whole drawing.
    pub frame: Rect,
}

/// Edge with its route.
#[derive(Debug)]
pub(super) struct Route {
    /// Index of the edge.
    pub edge: usize,
    /// Path in SVG syntax.
    pub path: String,
    /// Box of its label; empty if it has none.
    pub label: Rect,
}

impl Places {
    pub fn of(graph: &FlowGraph) -> Places {
        let rows = Rows::of(graph);
        let sizes: Vec<(f64, f64)> = rows
            .nodes
            .iter()
            .map(|node| match node.kind {
                RowNodeKind::Block(block) => graph.blocks[block].size(),
                RowNodeKind::Label(edge) => graph.edges[edge].label_size(),
                RowNodeKind::Bend => (0.0, 0.0),
            })
            .collect();
        let columns = columns(&rows, &sizes);
        let tracks = Tracks::of(graph, &rows);
        let heights = Heights::of(&rows, &sizes, &tracks);
        let places = rows.nodes.iter().enumerate().map(|(at, node)| Rect {
            x: columns[at] - sizes[at].0 / 2.0,
            y: heights.tops[node.row],
            width: sizes[at].0,
            height: sizes[at].1,
        });
        let mut router = Router {
            graph,
            rows: &rows,
            places: places.collect(),
            tracks,
            heights,
            right: 0.0,
        };
        router.route()
    }
}

/// Computes the horizontal centre of each node.
fn columns(rows: &Rows, sizes: &[(f64, f64)]) -> Vec<f64> {
    let mut centers = vec![0.0; rows.nodes.len()];
    for row in &rows.rows {
        let wishes: Vec<(f64, f64)> = row.iter().map(|_| (0.0, 1.0)).collect();
        place_row(rows, sizes, row, &wishes, &mut centers);
    }
    let count = rows.rows.len();
    for sweep in 0..SWEEPS {
        // Downwards and upwards in turn; the last passes use both neighbours.
        let is_last = sweep + 4 >= SWEEPS;
        for step in 0..count {
            let at = if sweep % 2 == 0 {
                step
            } else {
                count - 1 - step
            };
            let row = &rows.rows[at];
            let wishes: Vec<(f64, f64)> = row
                .iter()
                .map(|&node| {
                    let (above, below) = (&rows.nodes[node].above, &rows.nodes[node].below);
                    let above = above.iter().filter(|_| is_last || sweep % 2 == 0);
                    let below = below.iter().filter(|_| is_last || sweep % 2 == 1);
                    wish(rows, &centers, node, above.chain(below))
                })
                .collect();
            place_row(rows, sizes, row, &wishes, &mut centers);
        }
    }
    centers
}

/// Preferred centre of a node and its weight.
fn wish<'a>(
    rows: &Rows,
    centers: &[f64],
    node: usize,
    neighbours: impl Iterator<Item = &'a usize>,
) -> (f64, f64) {
    let weight_of = |node: usize| match rows.nodes[node].kind {
        RowNodeKind::Bend => BEND_WEIGHT,
        RowNodeKind::Block(_) | RowNodeKind::Label(_) => BOX_WEIGHT,
    };
    let (mut sum, mut weights) = (0.0, 0.0);
    for &other in neighbours {
        let weight = weight_of(other) * weight_of(node);
        sum += centers[other] * weight;
        weights += weight;
    }
    match weights > 0.0 {
        true => (sum / weights, weights),
        // A node without neighbours keeps its place.
        false => (centers[node], 0.01),
    }
}

/// Moves a row to its preferred centres as closely as its order allows, by least squares. Nodes
/// that would come too near form a block at the mean of their preferences.
fn place_row(
    rows: &Rows,
    sizes: &[(f64, f64)],
    row: &[usize],
    wishes: &[(f64, f64)],
    centers: &mut [f64],
) {
    // Minimum distance of each node from the first.
    let mut offsets = Vec::new();
    let mut offset = 0.0;
    for (at, &node) in row.iter().enumerate() {
        if at > 0 {
            offset += distance(rows, sizes, row[at - 1], node);
        }
        offsets.push(offset);
    }
    // Blocks: number of nodes, position, weight.
    let mut blocks: Vec<(usize, f64, f64)> = Vec::new();
    for (&(wish, weight), offset) in wishes.iter().zip(&offsets) {
        let mut block = (1, wish - offset, weight);
        while let Some(&(count, place, weight)) = blocks.last()
            && place > block.1
        {
            blocks.pop();
            let both = weight + block.2;
            let mean = (place * weight + block.1 * block.2) / both;
            block = (count + block.0, mean, both);
        }
        blocks.push(block);
    }
    let placed = blocks
        .iter()
        .flat_map(|&(count, place, _)| std::iter::repeat_n(place, count));
    for ((&node, offset), place) in row.iter().zip(offsets).zip(placed) {
        centers[node] = place + offset;
    }
}

/// Minimum distance between the centres of two neighbours.
fn distance(rows: &Rows, sizes: &[(f64, f64)], left: usize, right: usize) -> f64 {
    let is_bend = |node: usize| rows.nodes[node].kind == RowNodeKind::Bend || sizes[node].0 == 0.0;
    let gap = match is_bend(left) || is_bend(right) {
        true => BEND_GAP,
        false => COLUMN_GAP,
    };
    (sizes[left].0 + sizes[right].0) / 2.0 + gap
}

/// Tracks and lanes of the back edges.
#[derive(Debug, Default)]
struct Tracks {
    /// For each route: its lane, and its tracks out and in.
    of: Vec<Option<(usize, usize, usize)>>,
    /// Number of tracks in the gap above each row, and in the gap below the last one.
    in_gaps: Vec<usize>,
}

impl Tracks {
    fn of(graph: &FlowGraph, rows: &Rows) -> Tracks {
        let mut tracks = Tracks {
            of: vec![None; rows.ways.len()],
            in_gaps: vec![0; rows.rows.len() + 1],
        };
        // Short edges have inner lanes, long ones outer lanes.
        let mut back: Vec<usize> = (0..rows.ways.len())
            .filter(|&way| rows.ways[way].is_back)
            .collect();
        let gaps = |way: &EdgeRoute| {
            let edge = &graph.edges[way.edge];
            (rows.nodes[edge.to].row, rows.nodes[edge.from].row + 2)
        };
        back.sort_by_key(|&way| {
            let (to, from) = gaps(&rows.ways[way]);
            (from - to, way)
        });
        let mut lanes: Vec<Vec<(usize, usize)>> = Vec::new();
        for &way in &back {
            let (top, bottom) = gaps(&rows.ways[way]);
            let is_free = |lane: &Vec<(usize, usize)>| {
                let mut taken = lane.iter();
                taken.all(|&(other_top, other_bottom)| other_bottom < top || bottom < other_top)
            };
            let lane = lanes.iter().position(is_free).unwrap_or(lanes.len());
            if lane == lanes.len() {
                lanes.push(Vec::new());
            }
            lanes[lane].push((top, bottom));
            tracks.of[way] = Some((lane, tracks.in_gaps[bottom], 0));
            tracks.in_gaps[bottom] += 1;
        }
        // Incoming tracks are below outgoing ones; those of outer lanes are above.
        for &way in back.iter().rev() {
            let (top, _) = gaps(&rows.ways[way]);
            if let Some(own) = &mut tracks.of[way] {
                own.2 = tracks.in_gaps[top];
                tracks.in_gaps[top] += 1;
            }
        }
        tracks
    }
}

/// Vertical positions of the rows.
#[derive(Debug)]
struct Heights {
    tops: Vec<f64>,
    /// Tops of the gap above each row, and of the gap below the last one.
    gaps: Vec<f64>,
    bottom: f64,
}

impl Heights {
    fn of(rows: &Rows, sizes: &[(f64, f64)], tracks: &Tracks) -> Heights {
        let (mut tops, mut gaps) = (Vec::new(), Vec::new());
        let mut y = 0.0;
        for (at, row) in rows.rows.iter().enumerate() {
            gaps.push(y);
            let tracks = letters(tracks.in_gaps[at]) * TRACK;
            y += match at == 0 && tracks == 0.0 {
                true => 0.0,
                false => ROW_GAP + tracks,
            };
            tops.push(y);
            y += row.iter().map(|&node| sizes[node].1).fold(0.0, f64::max);
        }
        gaps.push(y);
        let last = tracks.in_gaps.last().copied().unwrap_or_default();
        Heights {
            tops,
            gaps,
            bottom: y + letters(last) * TRACK + CORNER,
        }
    }

    /// Vertical position of a track in the gap above a row.
    fn track(&self, gap: usize, track: usize) -> f64 {
        self.gaps[gap] + CORNER + letters(track) * TRACK
    }
}

struct Router<'a> {
    graph: &'a FlowGraph,
    rows: &'a Rows,
    places: Vec<Rect>,
    tracks: Tracks,
    heights: Heights,
    /// Left end of the lanes.
    right: f64,
}

impl Router<'_> {
    fn route(&mut self) -> Places {
        let mut frame = self.places.first().copied().unwrap_or_default();
        for place in &self.places {
            frame = frame.union(place);
        }
        self.right = frame.right() + COLUMN_GAP;
        let lanes = self.tracks.of.iter().flatten().map(|own| own.0 + 1).max();
        if let Some(lanes) = lanes {
            frame.width = self.right + letters(lanes) * LANE - frame.x;
        }
        (frame.y, frame.height) = (0.0, self.heights.bottom);
        let starts = self.ports(true);
        let ends = self.ports(false);
        let routes = self.rows.ways.iter().enumerate().map(|(at, way)| Route {
            edge: way.edge,
            path: self.path(at, starts[at], ends[at]),
            label: self.places[way.nodes[0]],
        });
        // Frames around boxes extend a little beyond them.
        let space = Rect {
            x: frame.x - CORNER,
            y: frame.y - CORNER,
            width: frame.width + 2.0 * CORNER,
            height: frame.height + 2.0 * CORNER,
        };
        Places {
            routes: routes.collect(),
            boxes: self.places[..self.graph.blocks.len()].to_vec(),
            frame: space,
        }
    }

    /// Positions at which routes leave or enter their block, side by side, ordered by their other
    /// end.
    fn ports(&self, is_start: bool) -> Vec<f64> {
        let mut of_blocks: Vec<Vec<(f64, usize)>> = vec![Vec::new(); self.graph.blocks.len()];
        for (at, way) in self.rows.ways.iter().enumerate() {
            let edge = &self.graph.edges[way.edge];
            let beside = match is_start {
                true => self.places[way.nodes[0]].center_x(),
                false if way.is_back => f64::INFINITY,
                false => self.places[way.nodes[way.nodes.len() - 1]].center_x(),
            };
            let block = if is_start { edge.from } else { edge.to };
            of_blocks[block].push((beside, at));
        }
        let mut ports = vec![0.0; self.rows.ways.len()];
        for (block, mut ways) in of_blocks.into_iter().enumerate() {
            ways.sort_by(|one, other| one.0.total_cmp(&other.0));
            let place = self.places[block];
            let count = letters(ways.len());
            let step = ((place.width - 16.0) / count).clamp(1.0, 24.0);
            for (rank, (_, way)) in ways.into_iter().enumerate() {
                ports[way] = place.center_x() + (letters(rank) - (count - 1.0) / 2.0) * step;
            }
        }
        ports
    }

    fn path(&self, at: usize, start: f64, end: f64) -> String {
        let way = &self.rows.ways[at];
        let edge = &self.graph.edges[way.edge];
        let from = self.places[edge.from];
        let mut path = format!("M{start:.1} {:.1}", from.bottom());
        let mut here = (start, from.bottom(), self.rows.nodes[edge.from].row);
        for &node in &way.nodes {
            let place = self.places[node];
            let row = self.rows.nodes[node].row;
            self.bend(&mut path, here, (place.center_x(), row));
            here = (place.center_x(), self.heights.tops[row], row);
        }
        match self.tracks.of[at] {
            None => {
                let row = self.rows.nodes[edge.to].row;
                self.bend(&mut path, here, (end, row));
            }
            Some((lane, out, back)) => {
                let lane = self.right + letters(lane) * LANE;
                let out = self.heights.track(here.2 + 1, out);
                let target = self.rows.nodes[edge.to].row;
                let back = self.heights.track(target, back);
                let top = self.heights.tops[target];
                let x = here.0;
                let _ = write!(
                    path,
                    "V{:.1}Q{x:.1} {out:.1} {:.1} {out:.1}H{:.1}Q{lane:.1} {out:.1} {lane:.1} {:.1}\
                     V{:.1}Q{lane:.1} {back:.1} {:.1} {back:.1}H{:.1}Q{end:.1} {back:.1} {end:.1} {:.1}V{top:.1}",
                    out - CORNER,
                    x + CORNER,
                    lane - CORNER,
                    out - CORNER,
                    back + CORNER,
                    lane - CORNER,
                    end + CORNER,
                    back + CORNER,
                );
            }
        }
        path
    }

    /// Appends a line down to the end of a row and then through the gap to a node of the next.
    fn bend(&self, path: &mut String, here: (f64, f64, usize), (x, row): (f64, usize)) {
        let (from, y, _) = here;
        let (gap, top) = (self.heights.gaps[row], self.heights.tops[row]);
        if gap > y {
            let _ = write!(path, "V{gap:.1}");
        }
        let middle = (gap + top) / 2.0;
        match (from - x).abs() < 0.05 {
            true => {
                let _ = write!(path, "V{top:.1}");
            }
            false => {
                let _ = write!(
                    path,
                    "C{from:.1} {middle:.1} {x:.1} {middle:.1} {x:.1} {top:.1}"
                );
            }
        }
    }
}
