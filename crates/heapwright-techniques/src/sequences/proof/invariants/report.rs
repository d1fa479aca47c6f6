//! Explains why goals are infeasible by the facts preserved.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_explore::symbolic::{Fact, FieldClaim};
use heapwright_jvm::listing::ListedOperation;
use heapwright_jvm::{Comparison, Vm};

use super::fields::{InvariantField, named};
use super::inference::InvariantInference;

/// Maximum number of facts in a reason.
const MAX_TOLD: usize = 3;

impl InvariantInference<'_> {
    /// Returns the reasons why goals are infeasible.
    pub fn report(&self, vm: &mut Vm, goals: &BTreeSet<usize>) -> BTreeMap<usize, String> {
        let mut told = BTreeMap::new();
        for &goal in goals {
            let method = self.runner.goals.all[goal].method();
            let mut read = Vec::new();
            if let Some(listing) = self.runner.code.graph.listings.get(&method) {
                for listed in &listing.instructions {
                    if let ListedOperation::GetField(member, false) = &listed.step {
                        read.extend(named(vm, member));
                    }
                }
            }
            let fields = self.fields.all.iter();
            let fields = fields.filter(|field| read.contains(&(field.class, field.word)));
            let of_fields: Vec<Vec<String>> = fields.map(|field| self.of_field(field)).collect();
            // One fact of each field comes first, then further ones.
            let longest = of_fields.iter().map(Vec::len).max().unwrap_or(0);
            let mut facts: Vec<&String> = Vec::new();
            for place in 0..longest {
                for fact in of_fields.iter().filter_map(|facts| facts.get(place)) {
                    if !facts.contains(&fact) && facts.len() < MAX_TOLD {
                        facts.push(fact);
                    }
                }
            }
            let facts: Vec<&str> = facts.into_iter().map(|fact| &fact[..]).collect();
            let facts = match facts.is_empty() {
                true => "the same facts".to_owned(),
                false => facts.join(", "),
            };
            told.insert(goal, format!("no call does, as all calls keep {facts}"));
        }
        told
    }

    /// Returns the facts about a field, the strongest first.
    fn of_field(&self, field: &InvariantField) -> Vec<String> {
        let facts = self.facts.get(&field.class);
        let own = facts.into_iter().flatten();
        let own: Vec<&Fact> = own.filter(|fact| fact.is_about(field.word)).collect();
        let name = |word: u32| {
            let mut fields = self.fields.all.iter();
            let found = fields.find(|other| (other.class, other.word) == (field.class, word));
            found.map_or("?", |found| &found.name[..])
        };
        let mut told = Vec::new();
        let values = own.iter().find_map(|fact| match fact {
            Fact::Any(claims) if claims.len() > 1 => Some(claims),
            _ => None,
        });
        if let Some(claims) = values {
            let values = claims.iter().filter_map(|claim| match claim {
                FieldClaim::IsTo(_, _, _, value) => Some(value.to_string()),
                _ => None,
            });
            let values: Vec<String> = values.collect();
            told.push(format!("{} one of {}", field.name, values.join(", ")));
            return told;
        }
        let (mut least, mut most) = (None, None);
        for fact in &own {
            match fact {
                Fact::Not(FieldClaim::Null(_)) => told.push(format!("{} not null", field.name)),
                Fact::Any(claims) => match claims[..] {
                    [FieldClaim::IsTo(Comparison::Ge, _, _, value)] => {
                        least = least.max(Some(value))
                    }
                    [FieldClaim::IsTo(Comparison::Le, _, _, value)] => {
                        most = Some(most.map_or(value, |most: i64| most.min(value)));
                    }
                    [FieldClaim::NotGreater(_, first, second)] => {
                        told.push(format!("{} <= {}", name(first), name(second)));
                    }
                    _ => {}
                },
                Fact::Alike(first, second) => {
                    let of = |claim: &FieldClaim| match *claim {
                        FieldClaim::Null(word) => format!("{} == null", name(word)),
                        FieldClaim::IsTo(_, _, word, value) => format!("{} == {value}", name(word)),
                        FieldClaim::NotGreater(..) => String::new(),
                    };
                    told.push(format!("{} where {}", of(first), of(second)));
                }
                Fact::Not(_) => {}
            }
        }
        let most = most.map(|most| format!("{} <= {most}", field.name));
        let least = least.map(|least| format!("{} >= {least}", field.name));
        told.splice(0..0, least.into_iter().chain(most));
        told
    }
}
