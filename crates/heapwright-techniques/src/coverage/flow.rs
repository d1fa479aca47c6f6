//! Control flow of a method as JaCoCo sees it: where its probes stand, and what each of them tells.
//!
//! An instruction counts as covered if a probe behind it was passed on the way from it, as an
//! exception may end its block before. Invariant: the counts are those of JaCoCo 0.8.14 where the
//! same instructions were executed.

use std::collections::BTreeSet;

use heapwright_jvm::listing::{Listed, ListedOperation, Listing, Switch};

/// What is known of the execution of a method; instructions are numbered by their place.
pub(super) trait Executed {
    /// Whether control has come to an instruction.
    fn reached(&self, place: usize) -> bool;

    /// Whether a jump or switch has gone to its target with this number, see [`targets`]. Target 0 of
    /// a conditional jump is the next instruction.
    fn went(&self, place: usize, target: usize) -> bool;

    /// Whether control has come to an instruction directly from the one before it, which is no jump.
    fn fell(&self, place: usize) -> bool;
}

/// What is known of the execution of a method, in sets of its places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ExecutedPlaces {
    reached: BTreeSet<usize>,
    went: BTreeSet<(usize, usize)>,
    fell: BTreeSet<usize>,
}

impl ExecutedPlaces {
    /// Collects what is known of a method.
    pub(super) fn of(listing: &Listing, executed: &dyn Executed) -> ExecutedPlaces {
        let places = || 0..listing.instructions.len();
        let went = |place: usize| {
            let targets = 0..targets(listing, place).len();
            let taken = targets.filter(move |&target| executed.went(place, target));
            taken.map(move |target| (place, target))
        };
        ExecutedPlaces {
            reached: places().filter(|&place| executed.reached(place)).collect(),
            went: places().flat_map(went).collect(),
            fell: places().filter(|&place| executed.fell(place)).collect(),
        }
    }
}

impl Executed for ExecutedPlaces {
    fn reached(&self, place: usize) -> bool {
        self.reached.contains(&place)
    }

    fn went(&self, place: usize, target: usize) -> bool {
        self.went.contains(&(place, target))
    }

    fn fell(&self, place: usize) -> bool {
        self.fell.contains(&place)
    }
}

/// What either of two sources knows.
pub(super) struct Either<'a>(pub &'a dyn Executed, pub &'a dyn Executed);

impl Executed for Either<'_> {
    fn reached(&self, place: usize) -> bool {
        self.0.reached(place) || self.1.reached(place)
    }

    fn went(&self, place: usize, target: usize) -> bool {
        self.0.went(place, target) || self.1.went(place, target)
    }

    fn fell(&self, place: usize) -> bool {
        self.0.fell(place) || self.1.fell(place)
    }
}

/// Labels of a method: the places at which control flow or lines begin.
pub(super) struct Labels {
    /// Whether there is a label at each place.
    is_label: Vec<bool>,
    /// Number of jumps and exception table entries that lead to a place.
    jumps: Vec<u32>,
    /// Whether control may fall to a place from the one before.
    is_successor: Vec<bool>,
    /// Whether the line that begins at a place calls a method.
    calls: Vec<bool>,
}

/// Instruction with what is known of its outgoing edges.
#[derive(Clone, Debug, Default)]
pub(super) struct Covered {
    /// Source line.
    pub line: Option<u16>,
    /// Number of outgoing edges.
    pub edges: usize,
    /// The edges that were taken.
    pub taken: BTreeSet<usize>,
    /// The instruction that leads here, with the number of its edge.
    before: Option<(usize, usize)>,
}

/// Targets of a jump or switch, by place: for a conditional jump the next instruction and the target;
/// for a switch each target once, that of other keys first.
pub(super) fn targets(listing: &Listing, place: usize) -> Vec<usize> {
    let to = |at: u16| listing.place(at);
    match &listing.instructions[place].step {
        ListedOperation::Goto(at) => to(*at).into_iter().collect(),
        ListedOperation::Branch(_, at) => std::iter::once(place + 1).chain(to(*at)).collect(),
        ListedOperation::Switch(switch) => {
            let mut found = Vec::new();
            for at in switch_targets(switch) {
                let place = to(at);
                found.extend(place.filter(|place| !found.contains(place)));
            }
            found
        }
        _ => Vec::new(),
    }
}

fn switch_targets(switch: &Switch) -> impl Iterator<Item = u16> {
    let others = switch.pairs.iter().map(|pair| pair.1);
    std::iter::once(switch.default).chain(others)
}

/// Whether an instruction ends the method or its block by an exception.
fn leaves(listed: &Listed) -> bool {
    matches!(
        listed.step,
        ListedOperation::Return(_) | ListedOperation::Throw
    )
}

impl Labels {
    /// Finds the labels of a method.
    pub(super) fn new(listing: &Listing) -> Labels {
        let count = listing.instructions.len();
        let mut labels = Labels {
            is_label: vec![false; count],
            jumps: vec![0; count],
            is_successor: vec![false; count],
            calls: vec![false; count],
        };
        for handler in &listing.handlers {
            for at in [handler.start, handler.target] {
                labels.add_jump(listing.place(at));
            }
            if let Some(end) = listing.place(handler.end) {
                labels.is_label[end] = true;
            }
        }
        let lines = listing.line_starts.iter();
        let lines: BTreeSet<usize> = lines.filter_map(|&at| listing.place(at)).collect();
        for &place in &lines {
            labels.is_label[place] = true;
        }
        // The begin of a method counts as the target of a jump.
        if let Some(first) = labels.jumps.first_mut() {
            *first += 1;
        }
        let mut line = None;
        for (place, listed) in listing.instructions.iter().enumerate() {
            if place > 0 {
                let before = &listing.instructions[place - 1].step;
                labels.is_successor[place] = before.falls_through();
            }
            if lines.contains(&place) {
                line = Some(place);
            }
            match &listed.step {
                ListedOperation::Invoke(..) | ListedOperation::Dynamic(..) => {
                    if let Some(line) = line {
                        labels.calls[line] = true;
                    }
                }
                ListedOperation::Branch(_, at) => labels.add_jump(listing.place(*at)),
                _ => {
                    for target in targets(listing, place) {
                        labels.add_jump(Some(target));
                    }
                }
            }
        }
        labels
    }

    fn add_jump(&mut self, place: Option<usize>) {
        if let Some(place) = place {
            self.is_label[place] = true;
            self.jumps[place] += 1;
        }
    }

    /// Whether control comes to a place in several ways.
    fn is_joined(&self, place: usize) -> bool {
        self.jumps[place] > 1 || self.jumps[place] > 0 && self.is_successor[place]
    }

    /// Whether a probe stands before a place.
    fn has_probe(&self, place: usize) -> bool {
        self.is_label[place]
            && self.is_successor[place]
            && (self.is_joined(place) || self.calls[place])
    }

    /// Places whose execution has to be observed, in ascending order.
    pub(super) fn observed(&self, listing: &Listing) -> BTreeSet<usize> {
        let labels = (0..self.is_label.len()).filter(|&place| self.is_label[place]);
        let mut observed: BTreeSet<usize> = labels.collect();
        observed.insert(0);
        let steps = listing.instructions.iter().enumerate();
        let ends = steps.filter(|(_, listed)| {
            leaves(listed)
                || matches!(
                    listed.step,
                    ListedOperation::Branch(..)
                        | ListedOperation::Switch(_)
                        | ListedOperation::Goto(_)
                )
        });
        observed.extend(ends.map(|(place, _)| place));
        // Where a branch leads to the next place that is observed, the instructions that it skips tell
        // how control came there.
        let branches = listing.instructions.iter().enumerate();
        let skipping: Vec<usize> = branches
            .filter_map(|(place, listed)| match listed.step {
                ListedOperation::Branch(_, to) => Some((place + 1, listing.place(to)?)),
                _ => None,
            })
            .filter(|&(next, target)| next < target)
            .filter(|&(next, target)| observed.range(next..).next() == Some(&target))
            .map(|(next, _)| next)
            .collect();
        observed.extend(skipping);
        observed
    }

    /// Computes which instructions and edges of a method are covered.
    pub(super) fn covered(&self, listing: &Listing, executed: &dyn Executed) -> Vec<Covered> {
        let mut all: Vec<Covered> = Vec::with_capacity(listing.instructions.len());
        let mut jumps = Vec::new();
        let mut current: Option<usize> = None;
        for (place, listed) in listing.instructions.iter().enumerate() {
            if self.has_probe(place)
                && let Some(before) = current.take()
            {
                let passed = match listing.instructions[place - 1].step {
                    ListedOperation::Branch(..) => executed.went(place - 1, 0),
                    _ => executed.fell(place),
                };
                add_probe(&mut all, before, 0, passed);
            }
            if self.is_label[place] && !self.is_successor[place] {
                current = None;
            }
            all.push(Covered {
                line: listed.line,
                ..Covered::default()
            });
            if let Some(before) = current {
                add_edge(&mut all, before, 0, place);
            }
            current = Some(place);
            if leaves(listed) {
                add_probe(&mut all, place, 0, executed.reached(place));
                continue;
            }
            for (number, target) in targets(listing, place).into_iter().enumerate() {
                let edge = match &listed.step {
                    // The fall to the next instruction is wired with that one.
                    ListedOperation::Branch(..) if number == 0 => continue,
                    ListedOperation::Goto(_) => 1,
                    _ => number,
                };
                if self.is_joined(target) {
                    let passed = match &listed.step {
                        ListedOperation::Goto(_) => executed.reached(place),
                        _ => executed.went(place, number),
                    };
                    add_probe(&mut all, place, edge, passed);
                } else {
                    jumps.push((place, edge, target));
                }
            }
        }
        for (from, edge, to) in jumps {
            add_edge(&mut all, from, edge, to);
        }
        all
    }
}

fn add_edge(all: &mut [Covered], from: usize, edge: usize, to: usize) {
    all[from].edges += 1;
    all[to].before = Some((from, edge));
    if !all[to].taken.is_empty() {
        take(all, from, edge);
    }
}

fn add_probe(all: &mut [Covered], from: usize, edge: usize, passed: bool) {
    all[from].edges += 1;
    if passed {
        take(all, from, edge);
    }
}

/// Notes that an edge was taken, and with it those that lead there.
fn take(all: &mut [Covered], from: usize, edge: usize) {
    let mut next = Some((from, edge));
    while let Some((place, edge)) = next {
        let is_known = !all[place].taken.is_empty();
        all[place].taken.insert(edge);
        next = if is_known { None } else { all[place].before };
    }
}
