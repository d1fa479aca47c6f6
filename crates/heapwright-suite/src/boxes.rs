//! Drawings of structures as text: boxes and arrows of line-drawing characters, for terminals.
//!
//! The content is that of [`crate::svg`]. References that lead down the tree are arrows; any other
//! one is a row of its box, with the number of the box that it leads to.

use std::collections::BTreeMap;

use crate::svg::Drawing;
use crate::svg::graph::Graph;

/// Columns between two subtrees, and of a null beside a child.
const GAP: usize = 2;
const EMPTY_SLOT: usize = 3;

/// Draws structures one below the other, in their order, each after its caption.
#[must_use]
pub fn write(drawings: &[Drawing<'_>]) -> String {
    let mut text = String::new();
    for drawing in drawings {
        if !text.is_empty() {
            text.push('\n');
        }
        if !drawing.caption.is_empty() {
            text.push_str(drawing.caption);
            text.push('\n');
        }
        let graph = Graph::new(drawing.structure);
        let tree = Tree::of(&graph);
        for (at, node) in graph.boxes.iter().enumerate() {
            if node.parent.is_none() {
                for line in tree.block(at).lines {
                    let line: String = line.into_iter().collect();
                    text.push_str(line.trim_end());
                    text.push('\n');
                }
            }
        }
    }
    text
}

/// Boxes of a graph with the rows of the references that lead elsewhere than down.
struct Tree<'g> {
    graph: &'g Graph,
    /// Title and rows of each box.
    texts: Vec<Vec<String>>,
}

/// Rectangle of characters.
struct Block {
    /// Lines of the same length.
    lines: Vec<Vec<char>>,
    /// Column at which an arrow meets it from above.
    anchor: usize,
}

impl Block {
    fn width(&self) -> usize {
        self.lines.first().map_or(0, Vec::len)
    }

    /// Inserts columns of spaces before and behind.
    fn pad(&mut self, before: usize, behind: usize) {
        for line in &mut self.lines {
            line.splice(0..0, std::iter::repeat_n(' ', before));
            line.extend(std::iter::repeat_n(' ', behind));
        }
        self.anchor += before;
    }
}

impl<'g> Tree<'g> {
    fn of(graph: &'g Graph) -> Tree<'g> {
        let others = || graph.arrows.iter().filter(|arrow| !arrow.is_tree);
        let mut numbers: BTreeMap<usize, usize> = BTreeMap::new();
        for arrow in others() {
            let next = numbers.len() + 1;
            numbers.entry(arrow.to).or_insert(next);
        }
        let mut texts = Vec::new();
        for (at, node) in graph.boxes.iter().enumerate() {
            let title = match numbers.get(&at) {
                Some(number) => format!("{} #{number}", node.title),
                None => node.title.clone(),
            };
            let from_here = others().filter(|arrow| arrow.from == at);
            let rows = from_here.map(|arrow| format!("{} → #{}", arrow.label, numbers[&arrow.to]));
            let rows = node.rows.iter().cloned().chain(rows);
            texts.push([title].into_iter().chain(rows).collect());
        }
        Tree { graph, texts }
    }

    /// Box with all that is below it.
    fn block(&self, at: usize) -> Block {
        let mut block = self.framed(at);
        let children = self.graph.boxes[at].slots.iter().map(|slot| {
            let arrow = &self.graph.arrows[(*slot)?];
            let mut child = self.block(arrow.to);
            // The label is beside the arrow, which leads to the anchor.
            let needed = child.anchor + 2 + arrow.label.chars().count();
            child.pad(0, needed.saturating_sub(child.width()));
            Some((child, arrow.label.as_str()))
        });
        let children: Vec<Option<(Block, &str)>> = children.collect();
        if children.iter().flatten().next().is_none() {
            return block;
        }
        let below = Children::beside_each_other(children);
        // The box is above the middle of its children.
        let center = block.width() / 2;
        let (box_before, below_before) = match below.middle.checked_sub(center) {
            Some(before) => (before, 0),
            None => (0, center - below.middle),
        };
        let width = (box_before + block.width()).max(below_before + below.width());
        block.pad(box_before, width - box_before - block.width());
        let stem = box_before + center;
        if let Some(bottom) = block.lines.last_mut() {
            bottom[stem] = '┬';
        }
        block.anchor = stem;
        for mut line in below.lines {
            line.splice(0..0, std::iter::repeat_n(' ', below_before));
            line.resize(width, ' ');
            block.lines.push(line);
        }
        block
    }

    /// Box alone.
    fn framed(&self, at: usize) -> Block {
        let rows = &self.texts[at];
        let widest = rows.iter().map(|row| row.chars().count()).max();
        let inner = widest.unwrap_or_default() + 2;
        let edge = |left: char, right: char| {
            let line = std::iter::repeat_n('─', inner);
            [left].into_iter().chain(line).chain([right]).collect()
        };
        let mut lines: Vec<Vec<char>> = vec![edge('┌', '┐')];
        for (number, row) in rows.iter().enumerate() {
            let mut line: Vec<char> = vec!['│', ' '];
            line.extend(row.chars());
            line.resize(inner + 1, ' ');
            line.push('│');
            lines.push(line);
            if number == 0 && rows.len() > 1 {
                lines.push(edge('├', '┤'));
            }
        }
        lines.push(edge('└', '┘'));
        Block {
            lines,
            anchor: (inner + 2) / 2,
        }
    }
}

/// Children of a box, with the arrows to them.
struct Children {
    lines: Vec<Vec<char>>,
    /// Column at which the box above stands.
    middle: usize,
}

impl Children {
    fn width(&self) -> usize {
        self.lines.first().map_or(0, Vec::len)
    }

    /// Places children, at least one of which is not null, and draws the arrows.
    fn beside_each_other(children: Vec<Option<(Block, &str)>>) -> Children {
        let mut x = 0;
        let mut centers = Vec::new();
        let mut placed: Vec<(usize, Block, &str)> = Vec::new();
        for child in children {
            match child {
                Some((block, label)) => {
                    centers.push(x + block.anchor);
                    let width = block.width();
                    placed.push((x, block, label));
                    x += width + GAP;
                }
                None => {
                    centers.push(x + EMPTY_SLOT / 2);
                    x += EMPTY_SLOT + GAP;
                }
            }
        }
        let width = x - GAP;
        let (first, last) = (centers[0], centers[centers.len() - 1]);
        let middle = (first + last) / 2;
        let anchors: Vec<usize> = placed
            .iter()
            .map(|(x, block, _)| x + block.anchor)
            .collect();
        let mut branch = vec![' '; width];
        let mut labels = vec![' '; width];
        let mut heads = vec![' '; width];
        let ends = || anchors.iter().copied().chain([middle]);
        let (from, to) = (
            ends().min().unwrap_or(middle),
            ends().max().unwrap_or(middle),
        );
        for (column, place) in branch.iter_mut().enumerate().take(to + 1).skip(from) {
            let goes = [
                column == middle,
                anchors.contains(&column),
                column > from,
                column < to,
            ];
            *place = match goes {
                [true, true, false, false] => '│',
                [true, false, true, true] => '┴',
                [true, false, true, false] => '┘',
                [true, false, false, true] => '└',
                [true, true, true, true] => '┼',
                [true, true, true, false] => '┤',
                [true, true, false, true] => '├',
                [false, true, true, true] => '┬',
                [false, true, true, false] => '┐',
                [false, true, false, true] => '┌',
                _ => '─',
            };
        }
        let deepest = placed.iter().map(|(_, block, _)| block.lines.len()).max();
        let mut lines = vec![vec![' '; width]; deepest.unwrap_or_default()];
        for (x, block, label) in &placed {
            let anchor = x + block.anchor;
            labels[anchor] = '│';
            for (place, letter) in labels[anchor + 2..].iter_mut().zip(label.chars()) {
                *place = letter;
            }
            heads[anchor] = '▼';
            for (line, own) in lines.iter_mut().zip(&block.lines) {
                line[*x..x + own.len()].copy_from_slice(own);
            }
        }
        let above = match from == to {
            true => vec![labels, heads],
            false => vec![branch, labels, heads],
        };
        Children {
            lines: above.into_iter().chain(lines).collect(),
            middle,
        }
    }
}
