//! Counting of the assignments to unexamined references.
//!
//! Such a reference may be null, a used object, or the next unused one of its class, whose own
//! references are then open in turn. Objects of a class are alike. The count depends only on the
//! number of open references of each sort and the number of used objects, by which results are
//! memoised.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Place, Ref};
use heapwright_solve::Count;
use rustc_hash::FxHashMap;

use crate::space::StateSpace;

/// Most results memoised between counts.
const MAX_MEMO: usize = 1 << 18;

/// Used objects of a class domain that an open reference can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Used {
    /// Only this many of the objects used when the cube was found.
    Only(u32),
    /// All but this many of the objects used by then, and every unused object.
    AllBut(u32),
}

/// Sort of open references.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ReferenceSort {
    /// Number of values without further entries: null and the root.
    pub plain: u32,
    /// Class domains that the reference ranges over.
    pub domains: Vec<(u32, Used)>,
}

/// Contribution of a new object of a class domain: the number of combinations of its plain entries,
/// and its open references.
#[derive(Clone, Debug)]
struct ObjectContribution {
    ways: Count,
    sorts: Vec<ReferenceSort>,
}

/// Number of open references of each sort, and of used objects of each class domain.
type ReferenceCounts = (Vec<(ReferenceSort, u32)>, Vec<u32>);

/// Counter of assignments to open references.
#[derive(Debug)]
pub(super) struct ReferenceCounter {
    /// Template of each class domain; `None` where objects are not all alike.
    templates: Vec<Option<ObjectContribution>>,
    sizes: Vec<u32>,
    memo: FxHashMap<ReferenceCounts, Count>,
    /// Steps left for the current count.
    left: u64,
}

impl ReferenceCounter {
    pub fn new(space: &StateSpace, entries_of: &FxHashMap<Ref, Vec<u32>>) -> ReferenceCounter {
        let is_alike = |domain: usize| {
            let domain = &space.class_domains[domain];
            domain.is_uniform && domain.in_isomorphism_check
        };
        let mut templates: Vec<Option<ObjectContribution>> = (0..space.class_domains.len())
            .map(|domain| {
                let object = space.class_domains[domain].objects.first();
                let entries = object.and_then(|object| entries_of.get(object));
                is_alike(domain)
                    .then(|| template(space, entries.map_or(&[], Vec::as_slice)))
                    .flatten()
            })
            .collect();
        // A template that leads to objects without a template is unusable.
        loop {
            let lacks = |template: &ObjectContribution| {
                let mut domains = template.sorts.iter().flat_map(|sort| &sort.domains);
                domains.any(|&(domain, _)| templates[domain as usize].is_none())
            };
            let bad = templates
                .iter()
                .position(|template| template.as_ref().is_some_and(lacks));
            match bad {
                Some(domain) => templates[domain] = None,
                None => break,
            }
        }
        ReferenceCounter {
            templates,
            sizes: space
                .class_domains
                .iter()
                .map(|domain| domain.objects.len() as u32)
                .collect(),
            memo: FxHashMap::default(),
            left: 0,
        }
    }

    /// Whether references to objects of a class domain can be counted.
    pub fn covers(&self, domain: u32) -> bool {
        self.templates[domain as usize].is_some()
    }

    /// Counts the assignments to open references of these sorts and all that they lead to, given
    /// the number of used objects of each class domain. All their domains must be covered. `None`
    /// after `most` steps; the next count of the same references continues from there.
    pub fn count(&mut self, open: &[ReferenceSort], used: &[u32], most: u64) -> Option<Count> {
        if open.is_empty() {
            return Some(Count::ONE);
        }
        let mut state: ReferenceCounts = (Vec::new(), used.to_vec());
        for sort in open {
            add(&mut state.0, sort.clone());
        }
        self.left = most;
        let ways = self.ways(state)?;
        if self.memo.len() >= MAX_MEMO {
            self.memo.clear();
        }
        Some(ways)
    }

    fn ways(&mut self, state: ReferenceCounts) -> Option<Count> {
        if state.0.is_empty() {
            return Some(Count::ONE);
        }
        if let Some(known) = self.memo.get(&state) {
            return Some(known.clone());
        }
        let (mut rest, used) = state.clone();
        let last = rest.len() - 1;
        let sort = rest[last].0.clone();
        rest[last].1 -= 1;
        if rest[last].1 == 0 {
            rest.pop();
        }
        let ways = self.ways_of(&sort, &rest, &used)?;
        self.left = self.left.checked_sub(1)?;
        self.memo.insert(state, ways.clone());
        Some(ways)
    }

    fn ways_of(
        &mut self,
        sort: &ReferenceSort,
        rest: &[(ReferenceSort, u32)],
        used: &[u32],
    ) -> Option<Count> {
        let mut known = u64::from(sort.plain);
        let mut total = Count::ZERO;
        for &(domain, allowed) in &sort.domains {
            let place = domain as usize;
            match allowed {
                Used::Only(count) => known += u64::from(count),
                Used::AllBut(missing) => {
                    known += u64::from(used[place] - missing);
                    if used[place] < self.sizes[place]
                        && let Some(template) = self.templates[place].clone()
                    {
                        let (mut open, mut used) = (rest.to_vec(), used.to_vec());
                        used[place] += 1;
                        for sort in template.sorts {
                            add(&mut open, sort);
                        }
                        total += &(&self.ways((open, used))? * &template.ways);
                    }
                }
            }
        }
        if known > 0 {
            let ways = self.ways((rest.to_vec(), used.to_vec()))?;
            total += &(&ways * known);
        }
        Some(total)
    }
}

fn add(open: &mut Vec<(ReferenceSort, u32)>, sort: ReferenceSort) {
    match open.binary_search_by(|(other, _)| other.cmp(&sort)) {
        Ok(place) => open[place].1 += 1,
        Err(place) => open.insert(place, (sort, 1)),
    }
}

/// Contribution of an object with these entries; `None` if one of them is the length of an array or
/// has a constant value.
fn template(space: &StateSpace, entries: &[u32]) -> Option<ObjectContribution> {
    let mut ways = Count::ONE;
    let mut sorts = Vec::new();
    for &entry in entries {
        let entry = &space.entries[entry as usize];
        if entry.fixed.is_some() || !matches!(entry.place, Place::Field(_)) {
            return None;
        }
        let domain = &space.domains[entry.domain as usize];
        if domain.kind == Kind::Reference {
            sorts.push(full_sort(space, entry.domain)?);
        } else {
            ways = &ways * domain.choices.len() as u64;
        }
    }
    Some(ObjectContribution { ways, sorts })
}

/// Sort of a reference that ranges over its whole domain; `None` if the domain covers some class
/// domain only partly.
fn full_sort(space: &StateSpace, domain: u32) -> Option<ReferenceSort> {
    let choices = &space.domains[domain as usize].choices;
    let mut sort = ReferenceSort {
        plain: 0,
        domains: Vec::new(),
    };
    for choice in choices {
        match choice.object {
            None => sort.plain += 1,
            Some(_) if choice.slot == space.root.slot() => sort.plain += 1,
            Some((domain, _)) if sort.domains.iter().all(|known| known.0 != domain.0) => {
                let held = choices
                    .iter()
                    .filter(|choice| choice.object.is_some_and(|(other, _)| other == domain));
                if held.count() != space.class_domains[domain.0 as usize].objects.len() {
                    return None;
                }
                sort.domains.push((domain.0, Used::AllBut(0)));
            }
            Some(_) => {}
        }
    }
    Some(sort)
}
