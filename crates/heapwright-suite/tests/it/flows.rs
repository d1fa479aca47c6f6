//! Control-flow graphs: a gallery in the build's `tmp` folder, and one compared word for word.

use std::fs;
use std::path::Path;

use expect_test::expect;
use heapwright_suite::flow::{BlockKind, EdgeKind, FlowBlock, FlowEdge, FlowGraph, draw_flow};

fn save(name: &str, graph: &FlowGraph) -> String {
    let svg = draw_flow(graph);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(path, &svg).unwrap();
    svg
}

fn block(text: &str, is_covered: bool, kind: BlockKind) -> FlowBlock {
    FlowBlock {
        lines: text.lines().map(str::to_owned).collect(),
        is_covered,
        kind,
    }
}

fn edge(from: usize, to: usize, label: &str, cases: u32) -> FlowEdge {
    let is_thrown = label.ends_with("Exception");
    FlowEdge {
        from,
        to,
        label: label.to_owned(),
        kind: match is_thrown {
            true => EdgeKind::Exceptional,
            false => EdgeKind::Normal,
        },
        cases,
    }
}

/// Least common multiple, with its helpers inlined.
fn lcm() -> FlowGraph {
    use BlockKind::{Entry, Exit, Inner};
    FlowGraph {
        title: "lcm(int, int): 3 tests".to_owned(),
        blocks: vec![
            block("9  if (a < b)", true, Entry),
            block(
                "10  int swapped = a;\n11  a = b;\n12  b = swapped;",
                true,
                Inner,
            ),
            block("14  int divisor = gcd(a, b);", true, Inner),
            block("23  while (b != 0)", true, Inner),
            block(
                "24  int rest = a % b;\n25  a = b;\n26  b = rest;",
                true,
                Inner,
            ),
            block("28  return abs(a);", true, Inner),
            block("16  abs(a * b) / divisor", true, Inner),
            block("16  return", true, Exit),
            block("17  catch (ArithmeticException byZero)", false, Inner),
            block("18  return -1;", false, Exit),
        ],
        edges: vec![
            edge(0, 1, "a < b", 1),
            edge(0, 2, "a >= b", 2),
            edge(1, 2, "", 1),
            edge(2, 3, "", 3),
            edge(3, 4, "b != 0", 4),
            edge(4, 3, "", 4),
            edge(3, 5, "b == 0", 3),
            edge(5, 6, "", 3),
            edge(6, 7, "", 3),
            edge(6, 8, "ArithmeticException", 0),
            edge(8, 9, "", 0),
        ],
    }
}

/// Nested loops, a switch, a loop of one block, exceptional edges, dead code.
fn tangle() -> FlowGraph {
    use BlockKind::{Entry, Exit, Inner};
    let mut blocks = vec![block("entry", true, Entry)];
    for number in 1..24 {
        blocks.push(block(
            &format!("{number}  block {number}"),
            number % 5 != 3,
            Inner,
        ));
    }
    blocks.push(block("return", true, Exit));
    blocks.push(block("catch (RuntimeException e)\nthrow e;", true, Exit));
    blocks.push(block("dead", false, Inner));
    let mut edges = vec![edge(0, 1, "", 9)];
    for case in 2..8 {
        edges.push(edge(
            1,
            case,
            &format!("case {case}"),
            u32::from(case % 5 != 3),
        ));
        edges.push(edge(case, 8, "", u32::from(case % 5 != 3)));
    }
    for number in 8..23 {
        edges.push(edge(number, number + 1, &format!("i < {number}"), 2));
    }
    edges.extend([
        edge(23, 24, "", 1),
        edge(12, 10, "i++", 3),
        edge(15, 9, "j++", 3),
        edge(20, 8, "", 0),
        edge(18, 18, "again", 5),
        edge(22, 1, "retry", 1),
        edge(9, 16, "break", 0),
        edge(11, 24, "found", 4),
        edge(26, 24, "", 0),
    ]);
    for number in [3, 10, 13, 19] {
        edges.push(edge(number, 25, "RuntimeException", u32::from(number > 12)));
    }
    FlowGraph {
        title: "tangle<T>".to_owned(),
        blocks,
        edges,
    }
}

#[test]
fn a_gallery() {
    save("flow-lcm.svg", &lcm());
    save("flow-tangle.svg", &tangle());
    let mut large = FlowGraph::default();
    for number in 0..400 {
        let text = format!("{number}  if (x{number} > 0)");
        large
            .blocks
            .push(block(&text, number % 3 > 0, BlockKind::Inner));
        large.edges.push(edge(number, number * 2 + 1, "then", 1));
        large.edges.push(edge(number, number * 2 + 2, "else", 0));
        large.edges.push(edge(number, number / 7, "back", 0));
    }
    let svg = save("flow-large.svg", &large);
    assert_eq!(svg.matches("<rect class=\"block").count(), 400);
}

#[test]
fn a_small_method() {
    let mut graph = lcm();
    graph.blocks[2].kind = BlockKind::Exit;
    graph.blocks.truncate(3);
    graph.edges.push(edge(1, 1, "some & \u{fc}Exception", 0));
    let svg = draw_flow(&graph);
    expect![[r#"
        <svg xmlns="http://www.w3.org/2000/svg" width="442" height="391" viewBox="0 0 442 391">
        <title>lcm(int, int): 3 tests</title>
        <desc>Control-flow graph, covered: 3 of 3 blocks, 3 of 4 edges.</desc>
        <style>
        text{font:12px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace}
        .tree,.other{fill:none;stroke-width:1.3}
        .other{stroke-dasharray:5 3}
        .name{font-weight:bold;text-anchor:middle}
        .label{font-size:11px;paint-order:stroke;stroke-width:3px}
        .caption{font-size:12px;text-anchor:middle}
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
        .paper{fill:#fff}
        .box{fill:#f6f8fa;stroke:#59636e}
        .title{fill:#dbe7f5;stroke:#59636e}
        .tree{stroke:#59636e}
        .other{stroke:#8b949e}
        .head{fill:#59636e}
        text{fill:#1f2328}
        .label{stroke:#fff;fill:#59636e}
        .block{fill:#f6f8fa;stroke:#8b949e}
        .block.covered{fill:#dbe7f5;stroke:#1f2328}
        .block.frame{fill:none}
        .edge{stroke:#8b949e}
        .edge.covered{stroke:#59636e}
        .open{fill:#fff;stroke:#59636e}
        .flow{fill:#59636e}
        .flow.covered{fill:#1f2328}
        @media(prefers-color-scheme:dark){
        .paper{fill:#0d1117}
        .box{fill:#161b22;stroke:#9aa5b1}
        .title{fill:#1f3550;stroke:#9aa5b1}
        .tree{stroke:#9aa5b1}
        .other{stroke:#77818c}
        .head{fill:#9aa5b1}
        text{fill:#e6edf3}
        .label{stroke:#0d1117;fill:#9aa5b1}
        .block{fill:#161b22;stroke:#77818c}
        .block.covered{fill:#1f3550;stroke:#e6edf3}
        .block.frame{fill:none}
        .edge{stroke:#77818c}
        .edge.covered{stroke:#9aa5b1}
        .open{fill:#0d1117;stroke:#9aa5b1}
        .flow{fill:#9aa5b1}
        .flow.covered{fill:#e6edf3}
        }
        </style>
        <defs><marker id="flow-head" viewBox="0 0 10 10" refX="9.5" refY="5" markerUnits="userSpaceOnUse" markerWidth="10" markerHeight="10" orient="auto"><path class="head" d="M0 1L10 5L0 9z"/></marker><marker id="flow-open" viewBox="0 0 12 10" refX="11" refY="5" markerUnits="userSpaceOnUse" markerWidth="12" markerHeight="10" orient="auto"><path class="open" d="M1 1L11 5L1 9z"/></marker></defs>
        <rect class="paper" width="100%" height="100%"/>
        <text class="heading" x="18.0" y="30.0">lcm(int, int): 3 tests</text>
        <text x="18.0" y="48.0">covered: 3 of 3 blocks, 3 of 4 edges</text>
        <g transform="translate(244.8 73.0)">
        <path class="edge covered" marker-end="url(#flow-head)" d="M-87.5 26.0C-87.5 38.0 -119.7 38.0 -119.7 50.0V66.0C-119.7 82.0 -151.3 82.0 -151.3 98.0"><title>a &lt; b: taken by 1 test</title></path>
        <path class="edge covered" marker-end="url(#flow-head)" d="M-63.5 26.0C-63.5 38.0 -31.2 38.0 -31.2 50.0V66.0C-31.2 82.0 -28.3 82.0 -28.3 98.0V158.0C-28.3 170.0 -27.9 170.0 -27.9 182.0V198.0C-27.9 214.0 -34.6 214.0 -34.6 230.0"><title>a &gt;= b: taken by 2 tests</title></path>
        <path class="edge covered" marker-end="url(#flow-head)" d="M-151.3 158.0C-151.3 170.0 -196.6 170.0 -196.6 182.0V198.0C-196.6 214.0 -58.6 214.0 -58.6 230.0"><title>taken by 1 test</title></path>
        <path class="edge" marker-end="url(#flow-open)" d="M-127.3 158.0C-127.3 170.0 -101.4 170.0 -101.4 182.0V198.0Q-101.4 203.0 -96.4 203.0H85.9Q90.9 203.0 90.9 198.0V76.0Q90.9 71.0 85.9 71.0H-122.3Q-127.3 71.0 -127.3 76.0V98.0"><title>some &amp; üException: taken by no test</title></path>
        <rect class="block covered" x="-132.6" y="0.0" width="114.2" height="26.0" rx="13"><title>covered</title></rect>
        <text x="-122.6" y="17.0" xml:space="preserve">9  if (a &lt; b)</text>
        <rect class="block covered" x="-221.8" y="98.0" width="165.0" height="60.0" rx="3"><title>covered</title></rect>
        <text x="-211.8" y="115.0" xml:space="preserve">10  int swapped = a;</text>
        <text x="-211.8" y="132.0" xml:space="preserve">11  a = b;</text>
        <text x="-211.8" y="149.0" xml:space="preserve">12  b = swapped;</text>
        <rect class="block covered" x="-158.1" y="230.0" width="223.0" height="26.0" rx="3"><title>covered</title></rect>
        <rect class="block frame covered" x="-155.1" y="233.0" width="217.0" height="20.0" rx="2"/>
        <text x="-148.1" y="247.0" xml:space="preserve">14  int divisor = gcd(a, b);</text>
        <rect class="paper" x="-149.3" y="50.0" width="59.2" height="16.0"/>
        <text class="flow covered" x="-119.7" y="62.0">a &lt; b ×1</text>
        <rect class="paper" x="-64.1" y="50.0" width="65.8" height="16.0"/>
        <text class="flow covered" x="-31.2" y="62.0">a &gt;= b ×2</text>
        <rect class="paper" x="-206.2" y="182.0" width="19.3" height="16.0"/>
        <text class="flow covered" x="-196.6" y="194.0">×1</text>
        <rect class="paper" x="-160.9" y="182.0" width="119.1" height="16.0"/>
        <text class="flow thrown" x="-101.4" y="194.0">some &amp; üException</text>
        </g>
        <path class="edge covered" marker-end="url(#flow-head)" d="M18.0 369.0h28"/>
        <text x="52.0" y="373.0">covered</text>
        <path class="edge" marker-end="url(#flow-head)" d="M117.2 369.0h28"/>
        <text x="151.2" y="373.0">not covered</text>
        <path class="edge covered" marker-end="url(#flow-open)" d="M245.5 369.0h28"/>
        <text x="279.5" y="373.0">by an exception</text>
        </svg>
    "#]].assert_eq(&svg);
}
