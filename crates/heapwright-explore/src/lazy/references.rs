//! How many ways there are to choose references that nothing was asked of.
//!
//! Such a reference may be null, an object used already, or the next one of its class; then that
//! object's own references are open in turn. Objects of a class are alike, so what is left to count
//! depends only on how many references of which sort are open and how many objects are used: the
//! counts are remembered by that.

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Place, Ref};
use heapwright_solve::Count;
use rustc_hash::FxHashMap;

use crate::space::StateSpace;

/// Results remembered from one count to the next.
const MAX_MEMO: usize = 1 << 18;

/// The used objects of a class domain that an open reference can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Used {
    /// These many of those used when the cube was found, and no other.
    Only(u32),
    /// All but so many of those used by then, and every object not used by then.
    AllBut(u32),
}

/// A sort of open reference.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Sort {
    /// In how many ways it can be null or the root, which brings nothing that is not there.
    pub plain: u32,
    /// The class domains it ranges over.
    pub domains: Vec<(u32, Used)>,
}

/// What a new object of a class domain brings: how many values its plain entries have in all, and
/// its open references.
#[derive(Clone, Debug)]
struct Template {
    ways: Count,
    sorts: Vec<Sort>,
}

/// How many references of each sort are open, and how many objects of each class domain are used.
type State = (Vec<(Sort, u32)>, Vec<u32>);

/// Counts ways to choose open references.
#[derive(Debug)]
pub(super) struct ReferenceCounter {
    /// For each class domain its template; `None` where objects are not all alike.
    templates: Vec<Option<Template>>,
    sizes: Vec<u32>,
    memo: FxHashMap<State, Count>,
    /// Steps that are left of the count at hand.
    left: u64,
}

impl ReferenceCounter {
    pub fn new(space: &StateSpace, entries_of: &FxHashMap<Ref, Vec<u32>>) -> ReferenceCounter {
        let is_alike = |domain: usize| {
            let domain = &space.class_domains[domain];
            domain.is_uniform && domain.in_isomorphism_check
        };
        let mut templates: Vec<Option<Template>> = (0..space.class_domains.len())
            .map(|domain| {
                let object = space.class_domains[domain].objects.first();
                let entries = object.and_then(|object| entries_of.get(object));
                is_alike(domain)
                    .then(|| template(space, entries.map_or(&[], Vec::as_slice)))
                    .flatten()
            })
            .collect();
        // A template that leads to objects without one is none.
        loop {
            let lacks = |template: &Template| {
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

    /// In how many ways open references of these sorts can be chosen, what they lead to included,
    /// where so many objects of each class domain are used. All their domains must be covered.
    /// Nothing where that takes more than `most` steps: the next count of the same goes on from there.
    pub fn count(&mut self, open: &[Sort], used: &[u32], most: u64) -> Option<Count> {
        if open.is_empty() {
            return Some(Count::ONE);
        }
        let mut state: State = (Vec::new(), used.to_vec());
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

    fn ways(&mut self, state: State) -> Option<Count> {
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

    fn ways_of(&mut self, sort: &Sort, rest: &[(Sort, u32)], used: &[u32]) -> Option<Count> {
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

fn add(open: &mut Vec<(Sort, u32)>, sort: Sort) {
    match open.binary_search_by(|(other, _)| other.cmp(&sort)) {
        Ok(place) => open[place].1 += 1,
        Err(place) => open.insert(place, (sort, 1)),
    }
}

/// What an object with these entries brings; `None` if one of them is the length of an array or has
/// a value of its own.
fn template(space: &StateSpace, entries: &[u32]) -> Option<Template> {
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
    Some(Template { ways, sorts })
}

/// The sort of a reference that can be all that its domain holds; `None` if that is only a part of
/// some class domain.
fn full_sort(space: &StateSpace, domain: u32) -> Option<Sort> {
    let choices = &space.domains[domain as usize].choices;
    let mut sort = Sort {
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
