//! Assignment of blocks to rows, and their order.
//!
//! Rows with even numbers hold blocks; rows with odd numbers hold the labels of outgoing edges.
//! An edge that crosses a row has a bend there, so every segment leads from a row to the next.

use super::{BlockKind, FlowGraph};

/// Kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowNodeKind {
    /// Block with this index.
    Block(usize),
    /// Label of the edge with this index.
    Label(usize),
    /// Bend of an edge that crosses the row.
    Bend,
}

/// Node of a row.
#[derive(Clone, Debug)]
pub(super) struct RowNode {
    pub kind: RowNodeKind,
    pub row: usize,
    /// Nodes at the other ends of its segments, above and below.
    pub above: Vec<usize>,
    pub below: Vec<usize>,
}

/// Graph in rows.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Nodes; the first ones are the blocks, by index.
    pub nodes: Vec<RowNode>,
    /// Nodes of each row, from left to right.
    pub rows: Vec<Vec<usize>>,
    /// Routes of the edges; that of a back edge has only its label.
    pub ways: Vec<EdgeRoute>,
}

/// Route of an edge.
#[derive(Clone, Debug)]
pub(super) struct EdgeRoute {
    /// Index of the edge.
    pub edge: usize,
    /// Label, then bends.
    pub nodes: Vec<usize>,
    /// Whether the target is not below the source.
    pub is_back: bool,
}

/// Number of passes that improve the order of the rows.
const SWEEPS: usize = 12;

impl Rows {
    pub fn of(graph: &FlowGraph) -> Rows {
        let depths = depths(graph);
        let mut rows = Rows::default();
        for (block, depth) in depths.order.iter().map(|&block| (block, &depths.of)) {
            rows.row(2 * depth[block]).push(block);
        }
        let blocks = depths.of.iter().enumerate();
        rows.nodes = blocks
            .map(|(block, depth)| RowNode {
                kind: RowNodeKind::Block(block),
                row: 2 * depth,
                above: Vec::new(),
                below: Vec::new(),
            })
            .collect();
        for (number, edge) in graph.whole_edges() {
            let (from, to) = (2 * depths.of[edge.from], 2 * depths.of[edge.to]);
            let is_back = to <= from;
            let mut nodes = vec![rows.add(RowNodeKind::Label(number), from + 1, edge.from)];
            if !is_back {
                for row in from + 2..to {
                    nodes.push(rows.add(RowNodeKind::Bend, row, nodes[nodes.len() - 1]));
                }
                rows.connect(nodes[nodes.len() - 1], edge.to);
            }
            rows.ways.push(EdgeRoute {
                edge: number,
                nodes,
                is_back,
            });
        }
        rows.sort();
        rows
    }

    fn row(&mut self, row: usize) -> &mut Vec<usize> {
        if self.rows.len() <= row {
            self.rows.resize(row + 1, Vec::new());
        }
        &mut self.rows[row]
    }

    /// Adds a node below another.
    fn add(&mut self, kind: RowNodeKind, row: usize, above: usize) -> usize {
        let node = self.nodes.len();
        self.nodes.push(RowNode {
            kind,
            row,
            above: Vec::new(),
            below: Vec::new(),
        });
        self.row(row).push(node);
        self.connect(above, node);
        node
    }

    fn connect(&mut self, above: usize, below: usize) {
        self.nodes[above].below.push(below);
        self.nodes[below].above.push(above);
    }

    /// Orders each row by the mean positions of its neighbours, downwards and upwards in turn;
    /// keeps the order with the fewest crossings.
    fn sort(&mut self) {
        let mut best = (self.crossings(), self.rows.clone());
        for sweep in 0..SWEEPS {
            let is_down = sweep % 2 == 0;
            let count = self.rows.len();
            for step in 1..count {
                let row = if is_down { step } else { count - 1 - step };
                let beside = if is_down { row - 1 } else { row + 1 };
                self.sort_row(row, beside, is_down);
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.rows.clone());
            }
        }
        self.rows = best.1;
    }

    fn sort_row(&mut self, row: usize, beside: usize, is_down: bool) {
        let places = self.places(beside);
        let mut keyed: Vec<(f64, usize)> = self.rows[row]
            .iter()
            .enumerate()
            .map(|(at, &node)| {
                let neighbours = match is_down {
                    true => &self.nodes[node].above,
                    false => &self.nodes[node].below,
                };
                let sum: usize = neighbours.iter().map(|&other| places[other]).sum();
                let key = match neighbours.len() {
                    0 => at as f64,
                    several => sum as f64 / several as f64,
                };
                (key, node)
            })
            .collect();
        // Stable: nodes with equal keys keep their order.
        keyed.sort_by(|one, other| one.0.total_cmp(&other.0));
        self.rows[row] = keyed.into_iter().map(|(_, node)| node).collect();
    }

    /// Position of each node in a row, by node.
    fn places(&self, row: usize) -> Vec<usize> {
        let mut places = vec![0; self.nodes.len()];
        for (place, &node) in self.rows[row].iter().enumerate() {
            places[node] = place;
        }
        places
    }

    /// Number of pairs of segments that cross.
    fn crossings(&self) -> usize {
        let rows = 1..self.rows.len();
        rows.map(|row| {
            let places = self.places(row);
            let mut ends: Vec<usize> = Vec::new();
            for &node in &self.rows[row - 1] {
                let mut below: Vec<usize> = self.nodes[node].below.clone();
                below.sort_by_key(|&node| places[node]);
                ends.extend(below.into_iter().map(|node| places[node]));
            }
            inversions(&ends, self.rows[row].len())
        })
        .sum()
    }
}

/// Number of inversions; all numbers are less than `end`.
fn inversions(numbers: &[usize], end: usize) -> usize {
    // Fenwick tree that counts the occurrences of each number.
    let mut tree = vec![0; end + 1];
    let mut inversions = 0;
    for (seen, &number) in numbers.iter().enumerate() {
        let mut at = number + 1;
        let mut not_greater = 0;
        while at > 0 {
            not_greater += tree[at];
            at &= at - 1;
        }
        inversions += seen - not_greater;
        at = number + 1;
        while at <= end {
            tree[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
    inversions
}

/// Depth of each block.
struct BlockDepths {
    of: Vec<usize>,
    /// Blocks in the order of a depth-first search from the entry.
    order: Vec<usize>,
}

/// Length of the longest path to each block without back edges.
fn depths(graph: &FlowGraph) -> BlockDepths {
    let count = graph.blocks.len();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (_, edge) in graph.whole_edges() {
        next[edge.from].push(edge.to);
    }
    let is_entry = |block: &usize| graph.blocks[*block].kind == BlockKind::Entry;
    let entries = (0..count).filter(is_entry);
    let (mut order, mut finished) = (Vec::new(), Vec::new());
    let mut state = vec![RowState::New; count];
    // Edges to a block on the stack are back edges.
    let mut forward: Vec<Vec<usize>> = vec![Vec::new(); count];
    for start in entries.chain(0..count) {
        if state[start] != RowState::New {
            continue;
        }
        state[start] = RowState::Open;
        order.push(start);
        let mut open = vec![(start, 0)];
        while let Some((block, at)) = open.last_mut() {
            let block = *block;
            let Some(&to) = next[block].get(*at) else {
                state[block] = RowState::Done;
                finished.push(block);
                open.pop();
                continue;
            };
            *at += 1;
            if state[to] != RowState::Open {
                forward[block].push(to);
            }
            if state[to] == RowState::New {
                state[to] = RowState::Open;
                order.push(to);
                open.push((to, 0));
            }
        }
    }
    let mut depths = vec![0; count];
    for &block in finished.iter().rev() {
        for &to in &forward[block] {
            depths[to] = depths[to].max(depths[block] + 1);
        }
    }
    BlockDepths { of: depths, order }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowState {
    New,
    Open,
    Done,
}
