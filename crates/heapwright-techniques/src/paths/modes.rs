//! Instantiation modes (paper, section 6.1): arguments of predicates that are bound during the
//! generation of traces, by a guard or by a constant.

use super::rules::{PredicateId, RuleProgram};
use super::values::{Expr, RuleGoal, RuleVariable};

/// Whether each argument of each predicate is static; the others are dynamic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modes(Vec<Vec<bool>>);

impl Modes {
    /// Marks all arguments of all predicates as static.
    pub fn all(program: &RuleProgram) -> Modes {
        let predicates = program.predicates.iter();
        Modes(
            predicates
                .map(|predicate| vec![true; predicate.variables.len()])
                .collect(),
        )
    }

    /// Computes the modes as a fixed point: backwards from guards to their operands, forwards from
    /// constants to values computed from them.
    pub fn new(program: &RuleProgram) -> Modes {
        let none = program
            .predicates
            .iter()
            .map(|one| vec![false; one.variables.len()]);
        let mut guarded: Vec<Vec<bool>> = none.collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (place, predicate) in program.predicates.iter().enumerate() {
                let mut mark = |guarded: &mut Vec<Vec<bool>>, variable: RuleVariable| {
                    if let Some(known) = guarded[place].get_mut(variable) {
                        changed |= !std::mem::replace(known, true);
                    }
                };
                for rule in &predicate.rules {
                    for goal in &rule.goals {
                        if let RuleGoal::Guard(guard) = goal {
                            guard.each_variable(&mut |variable| mark(&mut guarded, variable));
                        }
                    }
                    each_handed(program, rule, &mut |target, argument, value| {
                        if guarded[target].get(argument) == Some(&true) {
                            value.each_variable(&mut |variable| mark(&mut guarded, variable));
                        }
                    });
                }
            }
        }
        // These arguments are constant at every call, or depend on such arguments alone.
        let mut constant = Modes::all(program).0;
        let start = program.starts.first().copied().unwrap_or_default();
        constant[start].fill(false);
        let mut changed = true;
        while changed {
            changed = false;
            for (place, predicate) in program.predicates.iter().enumerate() {
                for rule in &predicate.rules {
                    each_handed(program, rule, &mut |target, argument, value| {
                        let mut is_known = true;
                        value.each_variable(&mut |variable| {
                            is_known &= constant[place].get(variable) == Some(&true)
                                || guarded[place].get(variable) == Some(&true);
                        });
                        if let Some(known) = constant[target].get_mut(argument) {
                            changed |= *known && !is_known;
                            *known &= is_known;
                        }
                    });
                }
            }
        }
        let both = guarded.into_iter().zip(constant);
        Modes(
            both.map(|(guarded, constant)| {
                let both = guarded.into_iter().zip(constant);
                both.map(|(guarded, constant)| guarded || constant)
                    .collect()
            })
            .collect(),
        )
    }

    /// Whether an argument of a predicate is static.
    pub fn is_static(&self, predicate: PredicateId, argument: usize) -> bool {
        self.0[predicate].get(argument) == Some(&true)
    }

    /// Text of the modes, one line for each predicate.
    pub fn text(&self, program: &RuleProgram) -> String {
        let mut text = String::new();
        for (place, predicate) in program.predicates.iter().enumerate() {
            let modes = predicate
                .variables
                .iter()
                .enumerate()
                .map(|(argument, name)| {
                    let mode = if self.is_static(place, argument) {
                        "static"
                    } else {
                        "dynamic"
                    };
                    format!("{name} = {mode}")
                });
            let modes: Vec<String> = modes.collect();
            text.push_str(&format!("<{}, {{{}}}>\n", predicate.name, modes.join(", ")));
        }
        text
    }
}

/// Calls `see` for each argument that a rule passes, with the predicate, the argument's index and
/// its expression.
fn each_handed(
    program: &RuleProgram,
    rule: &super::rules::Rule,
    see: &mut dyn FnMut(PredicateId, usize, &Expr),
) {
    for goal in &rule.goals {
        if let RuleGoal::Call(targets, arguments, _) = goal {
            for target in targets.iter().filter_map(|&target| program.start(target)) {
                for (argument, value) in arguments.iter().enumerate() {
                    see(target, argument, value);
                }
            }
        }
    }
    if let Some(then) = rule.then {
        for (argument, value) in rule.handed.iter().enumerate() {
            see(then, argument, value);
        }
    }
}
