//! Slices of a trace abstraction (paper, definitions 7 and 8).

use std::collections::HashSet;

use heapwright_jvm::MethodId;

use super::reach::ReachGoal;
use super::rules::{PredicateId, Rule, RuleChoice, RuleProgram};

/// Set of included rules; calls of other rules are free.
#[derive(Clone, Debug, Default)]
pub struct Slice {
    rules: HashSet<(PredicateId, usize)>,
}

impl Slice {
    /// Slice of all rules.
    pub fn whole(program: &RuleProgram) -> Slice {
        let predicates = program.predicates.iter().enumerate();
        let rules = predicates.flat_map(|(place, predicate)| {
            (0..predicate.rules.len()).map(move |rule| (place, rule))
        });
        Slice {
            rules: rules.collect(),
        }
    }

    /// Slice of one method's rules (definition 7).
    pub fn local(program: &RuleProgram, method: usize) -> Slice {
        let mut slice = Slice::whole(program);
        slice
            .rules
            .retain(|&(place, _)| program.predicates[place].method == method);
        slice
    }

    /// Slice of some rules and all that lead to them (definition 8).
    pub fn towards(program: &RuleProgram, wanted: &dyn Fn(PredicateId, &Rule) -> bool) -> Slice {
        let mut slice = Slice::default();
        // Predecessors: rules that continue with a predicate, or call the method that it starts.
        let mut before: Vec<Vec<(PredicateId, usize)>> = vec![Vec::new(); program.predicates.len()];
        let mut open = Vec::new();
        for (place, predicate) in program.predicates.iter().enumerate() {
            for (number, rule) in predicate.rules.iter().enumerate() {
                let called = rule.calls().flatten();
                let starts = called.filter_map(|&target| program.start(target));
                for next in rule.then.into_iter().chain(starts) {
                    before[next].push((place, number));
                }
                if wanted(place, rule) {
                    open.push((place, number));
                }
            }
        }
        while let Some((place, number)) = open.pop() {
            slice.rules.insert((place, number));
            open.append(&mut before[place]);
        }
        slice
    }

    /// Slice of the rules that lead to some goals.
    pub fn towards_goals(program: &RuleProgram, goals: &[ReachGoal]) -> Slice {
        let goals: HashSet<ReachGoal> = goals.iter().copied().collect();
        Slice::towards(program, &|predicate, rule| {
            let method = program.predicates[predicate].method;
            let mut blocks = rule.blocks.iter();
            let is_left = match rule.choice {
                RuleChoice::Exit(block, exit) => {
                    goals.contains(&ReachGoal::Exit(method, block, exit))
                }
                _ => false,
            };
            is_left || blocks.any(|&block| goals.contains(&ReachGoal::Block(method, block)))
        })
    }

    /// Whether a rule is included.
    pub fn has_rule(&self, predicate: PredicateId, rule: usize) -> bool {
        self.rules.contains(&(predicate, rule))
    }

    /// Whether a rule of a predicate is included.
    pub fn has_predicate(&self, predicate: PredicateId) -> bool {
        self.rules.iter().any(|&(place, _)| place == predicate)
    }

    /// Whether a rule of a method's start is included.
    pub fn has_method(&self, program: &RuleProgram, method: MethodId) -> bool {
        let start = program.start(method);
        start.is_some_and(|start| self.has_predicate(start))
    }
}
