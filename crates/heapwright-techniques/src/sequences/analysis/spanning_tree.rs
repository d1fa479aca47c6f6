//! Decides whether choices of one edge each can connect a graph: the rainbow spanning tree problem.
//! It is solved by matroid intersection of forests with sets that have at most one edge of each
//! choice.

/// Connected components as a union-find structure.
#[derive(Clone)]
struct UnionFind(Vec<usize>);

impl UnionFind {
    fn of(&self, mut node: usize) -> usize {
        while self.0[node] != node {
            node = self.0[node];
        }
        node
    }

    /// Joins two nodes; returns whether they were separate.
    fn join(&mut self, (one, other): (usize, usize)) -> bool {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one] = other;
        one != other
    }
}

/// Whether the edges in `free`, with at most one edge of each choice in `choices`, connect `nodes`
/// nodes.
pub(super) fn spans(
    nodes: usize,
    free: &[(usize, usize)],
    choices: &[Vec<(usize, usize)>],
) -> bool {
    let mut base = UnionFind((0..nodes).collect());
    let joined = free.iter().filter(|&&edge| base.join(edge)).count();
    let edges: Vec<(usize, (usize, usize))> = choices
        .iter()
        .enumerate()
        .flat_map(|(choice, edges)| edges.iter().map(move |&edge| (choice, edge)))
        .collect();
    let needed = (nodes - 1).saturating_sub(joined);
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < needed {
        match augmented(&base, &edges, &chosen) {
            Some(more) => chosen = more,
            None => return false,
        }
    }
    true
}

/// Extends the chosen edges by one along a shortest augmenting path; `None` if there is none.
fn augmented(
    base: &UnionFind,
    edges: &[(usize, (usize, usize))],
    chosen: &[usize],
) -> Option<Vec<usize>> {
    // Whether an edge forms no cycle with the chosen edges except `without`.
    let is_forest = |edge: usize, without: Option<usize>| {
        let mut parts = base.clone();
        for &other in chosen.iter().filter(|&&other| Some(other) != without) {
            parts.join(edges[other].1);
        }
        parts.join(edges[edge].1)
    };
    let rest = || (0..edges.len()).filter(|edge| !chosen.contains(edge));
    let mut before: Vec<Option<usize>> = vec![None; edges.len()];
    let mut open: Vec<usize> = rest().filter(|&edge| is_forest(edge, None)).collect();
    let mut known = vec![false; edges.len()];
    for &edge in &open {
        known[edge] = true;
    }
    let mut at = 0;
    while at < open.len() {
        let edge = open[at];
        at += 1;
        let choice = edges[edge].0;
        let taken = chosen
            .iter()
            .copied()
            .find(|&other| edges[other].0 == choice);
        let Some(taken) = taken else {
            // Along the path, chosen and unchosen edges swap.
            let mut more = chosen.to_vec();
            let mut link = Some(edge);
            while let Some(edge) = link {
                match more.iter().position(|&other| other == edge) {
                    Some(place) => drop(more.remove(place)),
                    None => more.push(edge),
                }
                link = before[edge];
            }
            return Some(more);
        };
        if known[taken] {
            continue;
        }
        known[taken] = true;
        before[taken] = Some(edge);
        for next in rest() {
            if !known[next] && is_forest(next, Some(taken)) {
                known[next] = true;
                before[next] = Some(taken);
                open.push(next);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::spans;

    #[test]
    fn a_choice_joins_once() {
        let both = vec![(0, 2), (1, 2)];
        assert!(!spans(3, &[], std::slice::from_ref(&both)));
        assert!(spans(3, &[], &[both.clone(), both.clone()]));
        assert!(spans(3, &[(0, 1)], &[both]));
    }

    #[test]
    fn earlier_choices_are_given_up_for_later_ones() {
        // The first choice must leave node 0 to the second, which has no alternative.
        let choices = [vec![(0, 2), (1, 2)], vec![(0, 2)]];
        assert!(spans(3, &[], &choices));
        // Each node has a choice that reaches it, but two choices reach only the same one.
        let choices = [vec![(0, 3)], vec![(0, 3)], vec![(1, 3), (2, 3)]];
        assert!(!spans(4, &[], &choices));
    }

    /// Whether some combination of choices connects all nodes.
    fn spans_by_trial(nodes: usize, choices: &[Vec<(usize, usize)>]) -> bool {
        let ways: usize = choices.iter().map(Vec::len).product();
        (0..ways).any(|mut way| {
            let mut pieces: Vec<usize> = (0..nodes).collect();
            for choice in choices {
                let (one, other) = choice[way % choice.len()];
                way /= choice.len();
                let (old, new) = (pieces[one], pieces[other]);
                for piece in pieces.iter_mut().filter(|piece| **piece == old) {
                    *piece = new;
                }
            }
            pieces.iter().all(|&piece| piece == pieces[0])
        })
    }

    #[test]
    fn what_spans_is_what_a_trial_of_all_ways_finds() {
        const NODES: usize = 6;
        let mut seed = 1_u64;
        let mut below = |bound: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % bound
        };
        let mut found = [0; 2];
        for _ in 0..2_000 {
            let choices: Vec<Vec<(usize, usize)>> = (0..5 + below(2))
                .map(|_| {
                    let head = 1 + below(NODES - 1);
                    (0..1 + below(3)).map(|_| (below(head), head)).collect()
                })
                .collect();
            let expected = spans_by_trial(NODES, &choices);
            assert_eq!(spans(NODES, &[], &choices), expected, "{choices:?}");
            found[usize::from(expected)] += 1;
        }
        assert!(found.iter().all(|&count| count > 100), "{found:?}");
    }
}
