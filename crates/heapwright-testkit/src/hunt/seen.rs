//! What the judges saw, and which of it contradicts a claim.
//!
//! A claim may assume something if its line says so. A run counts against it only if the run does
//! without what the claim assumes.

use std::collections::BTreeMap;

use super::judge::Answer;

/// What was seen: lines and outcomes.
#[derive(Default)]
pub(super) struct Seen(BTreeMap<String, Sighting>);

struct Sighting {
    /// Bit `n` for runs with the set `n` of properties: used static state 1, strings or arrays longer
    /// than 65,535 2, inputs beyond the bounds of a search 4, objects of subclasses that the program
    /// does not know 8.
    sets: u32,
    /// One of the inputs, of the run with the fewest properties.
    input: String,
}

/// Words of a claim that say what it assumes, and the properties of runs that do not count then.
const ASSUMPTIONS: [(&str, u32); 4] = [
    ("static", 1),
    ("longer strings", 2),
    ("objects of further subclasses", 8),
    ("lambdas", 4),
];

/// Words of a claim behind which stands what it depends on: the world, or static state.
const DEPENDS: &str = "other values of ";

/// Whether a claim says that it depends on the world.
fn depends_on_world(claim: &str) -> bool {
    let mut sources = claim.split(DEPENDS).skip(1);
    sources.any(|source| !source.starts_with("static fields") && !source.starts_with("inherited"))
}

impl Seen {
    /// Adds what a judge saw.
    pub(super) fn add(&mut self, answer: &Answer) {
        for words in answer {
            if let [seen, sets, what, input] = &words[..]
                && seen == "seen"
            {
                let entry = self.0.entry(what.clone()).or_insert_with(|| Sighting {
                    sets: 0,
                    input: input.clone(),
                });
                entry.sets |= sets.parse::<u32>().unwrap_or(0);
            }
        }
    }

    /// Input of a run that contradicts a claim, for all that the claim says it assumes.
    pub(super) fn counter(&self, what: &str, claim: &str) -> Option<String> {
        let sighting = self.0.get(what)?;
        let said = ASSUMPTIONS.iter().filter(|one| claim.contains(one.0));
        let assumed = said.fold(0, |all, one| all | one.1);
        let counts = (0..16).any(|set| sighting.sets >> set & 1 == 1 && set & assumed == 0);
        (counts && !depends_on_world(claim))
            .then(|| format!("{} ({:016b})", sighting.input, sighting.sets))
    }

    /// Outcomes of a method on inputs within the bounds of a search, on fresh static state.
    pub(super) fn outcomes(&self, method: &str, claim: &str) -> Vec<(&str, &str)> {
        if depends_on_world(claim) {
            return Vec::new();
        }
        let prefix = format!("outcome {method} ");
        let of_method = self.0.range(prefix.clone()..);
        let of_method =
            of_method.filter_map(|(what, how)| Some((what.strip_prefix(&prefix)?, how)));
        let leaves_some_out = claim.contains("objects of further subclasses");
        let counted = if leaves_some_out { 1 } else { 1 | 1 << 8 };
        let within = of_method.filter(|one| one.1.sets & counted != 0);
        within
            .map(|(outcome, how)| (outcome, how.input.as_str()))
            .collect()
    }
}
