//! Pool of sequences that ran in a new way, and how often runs passed each edge of the code.
//!
//! An edge is a pair of probes that a call visited one after the other. A call is new if it passed
//! an edge for the first time, or by an order of magnitude more often than any call before
//! (Zalewski, "Technical whitepaper for afl-fuzz"). Sequences that lead to branches with an open
//! side, and those that pass edges that few runs passed, are varied most often (Lemieux and Sen,
//! "FairFuzz", ASE 2018).

use heapwright_jvm::probes::ProbeVisit;
use rustc_hash::FxHashMap;

use super::drafts::Draft;
use super::numbers::Random;

/// Maximum number of sequences for each branch, the shortest ones.
const AT_BRANCH: usize = 8;
/// Number of candidates among which the one that was varied least, or the rarest one, is chosen.
const DRAWN: usize = 3;
/// Shares of sequences that lead to open branches, and of those that pass rare edges, in percent.
const TO_OPEN: usize = 50;
const RARE: usize = 30;

/// A sequence of the pool.
pub(super) struct Member {
    pub draft: Draft,
    /// Whether its last call throws, so that no call can follow.
    pub throws: bool,
    /// Number of variations so far.
    tries: u32,
}

/// An edge, as the numbers of two probes.
type Edge = (u32, u32);

/// What is known of an edge.
#[derive(Default)]
struct EdgeRecord {
    /// Number of calls that passed it.
    calls: u64,
    /// Orders of magnitude of the times that one call passed it, as bits: of calls that returned,
    /// and of those that threw.
    seen: [u8; 2],
    /// The shortest sequence that passes it.
    shortest: Option<usize>,
}

/// The pool.
#[derive(Default)]
pub(super) struct Pool {
    pub members: Vec<Member>,
    edges: FxHashMap<Edge, EdgeRecord>,
    /// The edges, in the order of their first visits.
    order: Vec<Edge>,
    /// The sequences whose last call visits a probe.
    visitors: FxHashMap<u32, Vec<usize>>,
    /// Numbers of passes of the call that is looked at; empty between calls.
    passed: FxHashMap<Edge, u32>,
}

/// Returns the order of magnitude of a number of times, as a bit.
fn magnitude(times: u32) -> u8 {
    match times {
        0..=3 => 1 << (times.saturating_sub(1)),
        4..=7 => 1 << 3,
        8..=15 => 1 << 4,
        16..=31 => 1 << 5,
        32..=127 => 1 << 6,
        _ => 1 << 7,
    }
}

/// Returns the edges of a call; the last one leads to its end, number `u32::MAX` if it threw.
fn edges(visits: &[ProbeVisit], throws: bool) -> impl Iterator<Item = Edge> {
    let inner = visits.windows(2).map(|pair| (pair[0].point, pair[1].point));
    let end = visits.last().filter(|_| throws);
    inner.chain(end.map(|last| (last.point, u32::MAX)))
}

impl Pool {
    /// Counts the edges of a call; returns whether it is new.
    pub fn count(&mut self, visits: &[ProbeVisit], throws: bool) -> bool {
        let mut passed = std::mem::take(&mut self.passed);
        let mut first = Vec::new();
        for edge in edges(visits, throws) {
            let times = passed.entry(edge).or_default();
            if *times == 0 {
                first.push(edge);
            }
            *times += 1;
        }
        let mut is_new = false;
        for edge in first {
            let record = self.edges.entry(edge).or_insert_with(|| {
                self.order.push(edge);
                EdgeRecord::default()
            });
            record.calls += 1;
            let bit = magnitude(passed[&edge]);
            let known = record.seen[0] | if throws { record.seen[1] } else { 0 };
            is_new |= known & bit == 0;
            record.seen[usize::from(throws)] |= bit;
        }
        passed.clear();
        self.passed = passed;
        is_new
    }

    /// Adds a sequence whose last call visited these probes.
    pub fn add(&mut self, draft: Draft, visits: &[ProbeVisit], throws: bool) {
        let number = self.members.len();
        let length = draft.concrete.statements.len();
        self.members.push(Member {
            draft,
            throws,
            tries: 0,
        });
        for edge in edges(visits, throws) {
            let Some(record) = self.edges.get_mut(&edge) else {
                continue;
            };
            let length_of = |number: usize| self.members[number].draft.concrete.statements.len();
            if record
                .shortest
                .is_none_or(|known| length < length_of(known))
            {
                record.shortest = Some(number);
            }
        }
        for visit in visits {
            let visitors = self.visitors.entry(visit.point).or_default();
            if visitors.last() == Some(&number) {
                continue;
            }
            visitors.push(number);
            if visitors.len() > AT_BRANCH {
                // The longest one goes, the oldest of these.
                let length = |number: &usize| self.members[*number].draft.concrete.statements.len();
                let longest = visitors.iter().map(length).max();
                let place = visitors
                    .iter()
                    .position(|number| Some(length(number)) == longest);
                visitors.remove(place.unwrap_or_default());
            }
        }
    }

    /// Returns a sequence that visits a probe.
    pub fn visitor(&self, random: &mut Random, point: u32) -> Option<&Draft> {
        let number = random.pick(self.visitors.get(&point)?)?;
        Some(&self.members[*number].draft)
    }

    /// Whether a sequence visits a probe.
    pub fn visits(&self, point: u32) -> bool {
        self.visitors.contains_key(&point)
    }

    /// Chooses a sequence to vary; `frontier` has the probes of branches with an open side.
    pub fn choose(&mut self, random: &mut Random, frontier: &[u32]) -> Option<usize> {
        let kind = random.below(100);
        let mut chosen = None;
        if kind < TO_OPEN {
            let mut drawn: Vec<usize> = Vec::new();
            for _ in 0..DRAWN {
                let point = random.pick(frontier);
                let visitors = point.and_then(|point| self.visitors.get(point));
                drawn.extend(visitors.and_then(|visitors| random.pick(visitors)));
            }
            chosen = drawn
                .into_iter()
                .min_by_key(|&number| self.members[number].tries);
        } else if kind < TO_OPEN + RARE {
            let drawn = (0..DRAWN).filter_map(|_| random.pick(&self.order).copied());
            let drawn: Vec<Edge> = drawn.collect();
            let rarest = drawn.into_iter().min_by_key(|edge| self.edges[edge].calls);
            chosen = rarest.and_then(|edge| self.edges[&edge].shortest);
        }
        let chosen = chosen
            .or_else(|| (!self.members.is_empty()).then(|| random.below(self.members.len())))?;
        self.members[chosen].tries += 1;
        Some(chosen)
    }
}
