//! Properties of all drawings, on random graphs.

use proptest::prelude::*;

use super::places::Places;
use super::{BlockKind, EdgeKind, FlowBlock, FlowEdge, FlowGraph, draw_flow};

/// Up to 20 blocks with arbitrary edges, including parallel ones and ones to missing blocks.
fn graphs() -> impl Strategy<Value = FlowGraph> {
    let block = ("[a-z <]{0,30}", any::<bool>(), 0..4usize);
    let edge = (0..20usize, 0..21usize, "[a-z &]{0,12}", 0..3u32);
    let blocks = prop::collection::vec(block, 0..20);
    (blocks, prop::collection::vec(edge, 0..40)).prop_map(|(blocks, edges)| FlowGraph {
        title: "a graph".to_owned(),
        blocks: blocks.into_iter().map(block_of).collect(),
        edges: edges.into_iter().map(edge_of).collect(),
    })
}

fn block_of((line, is_covered, lines): (String, bool, usize)) -> FlowBlock {
    FlowBlock {
        lines: vec![line; lines],
        is_covered,
        kind: [BlockKind::Inner, BlockKind::Exit, BlockKind::Entry][lines % 3],
    }
}

fn edge_of((from, to, label, cases): (usize, usize, String, u32)) -> FlowEdge {
    FlowEdge {
        from,
        to,
        kind: match label.len() % 2 {
            0 => EdgeKind::Normal,
            _ => EdgeKind::Exceptional,
        },
        label,
        cases,
    }
}

/// Straight segments and end points of a path, as horizontal and vertical lines.
fn lines(path: &str) -> Vec<[(f64, f64); 2]> {
    let mut lines = Vec::new();
    let mut here = (0.0, 0.0);
    let mut rest = path;
    while let Some(letter) = rest.chars().next() {
        let end = rest[1..]
            .find(char::is_alphabetic)
            .map_or(rest.len(), |at| at + 1);
        let numbers: Vec<f64> = rest[1..end]
            .split(' ')
            .map(|number| number.parse().expect("a number"))
            .collect();
        let last = numbers[numbers.len() - 1];
        let next = match letter {
            'H' => (last, here.1),
            'V' => (here.0, last),
            _ => (numbers[numbers.len() - 2], last),
        };
        if matches!(letter, 'H' | 'V') {
            lines.push([here, next]);
        }
        here = next;
        rest = &rest[end..];
    }
    lines
}

proptest! {
    #[test]
    fn nothing_overlaps_and_nothing_is_missing(graph in graphs()) {
        let places = Places::of(&graph);
        let edges: Vec<usize> = graph.whole_edges().map(|(number, _)| number).collect();
        let drawn: Vec<usize> = places.routes.iter().map(|route| route.edge).collect();
        prop_assert_eq!(&drawn, &edges);
        prop_assert_eq!(places.boxes.len(), graph.blocks.len());
        let labels = places.routes.iter().map(|route| route.label);
        let labels = labels.filter(|label| label.width > 0.0);
        let all: Vec<_> = places.boxes.iter().copied().chain(labels).collect();
        for (at, place) in all.iter().enumerate() {
            for other in &all[at + 1..] {
                prop_assert!(!place.overlaps_clearly(other), "{place:?} {other:?}");
            }
            prop_assert!(places.frame.holds(place), "{:?} {place:?}", places.frame);
        }
        // Straight segments cross no box and stay within the frame.
        for [from, to] in places.routes.iter().flat_map(|route| lines(&route.path)) {
            let (x, y) = (from.0.min(to.0), from.1.min(to.1));
            let line = crate::svg::layout::Rect {
                x,
                y,
                width: (from.0 - to.0).abs(),
                height: (from.1 - to.1).abs(),
            };
            prop_assert!(places.frame.holds(&line), "{:?} {line:?}", places.frame);
            for place in &places.boxes {
                prop_assert!(!place.overlaps_clearly(&line), "{place:?} {line:?}");
            }
        }
        let svg = draw_flow(&graph);
        prop_assert_eq!(&svg, &draw_flow(&graph));
        prop_assert_eq!(svg.matches("<path class=\"edge").count(), edges.len() + 3);
        for edge in edges {
            let text = crate::svg::escape(&graph.edges[edge].text());
            let label = format!(">{text}</text>");
            prop_assert!(text.is_empty() || svg.contains(&label), "{}", label);
        }
    }
}
