//! Names of tests derived from paths, such as `lcm_aAtLeastB_divByZero_returnsMinusOne`.

use heapwright_jvm::Vm;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::SignedComparison;

use super::flow::{EdgeCondition, To};
use super::replay::Activation;
use super::rules::{PredicatePoint, Rule, RuleChoice, RuleProgram};
use super::search::RetainedPath;
use super::values::{Expr, Guard, RuleGoal, simple};
use crate::symbolic::Ending;

/// Most letters of a path's description; of a longer one the first and last parts remain.
const MAX_LETTERS: usize = 70;

/// Returns a name for the test of a case.
#[must_use]
pub fn test_name(vm: &Vm, program: &RuleProgram, case: &RetainedPath) -> String {
    let method = vm.method(program.flows[0].method);
    let name = match vm.text(method.name) {
        "<init>" => "constructor",
        name => name,
    };
    let mut parts = vec![name.to_owned()];
    let mut what = decisions(program, &case.run.trace);
    while what.iter().map(String::len).sum::<usize>() > MAX_LETTERS && what.len() > 2 {
        what.remove(what.len() / 2);
    }
    parts.extend(what);
    parts.push(outcome(&case.path.ending));
    parts.join("_")
}

/// Decisions of a call's own rules, without repetitions; loops by their number of iterations.
fn decisions(program: &RuleProgram, activation: &Activation) -> Vec<String> {
    let mut words: Vec<(String, u32)> = Vec::new();
    for &(predicate, number) in &activation.chosen {
        let rule = &program.predicates[predicate].rules[number];
        let Some(word) = decision(
            program,
            activation.method,
            rule,
            program.predicates[predicate].place,
        ) else {
            continue;
        };
        match words.iter_mut().find(|one| one.0 == word) {
            Some((_, times)) => *times += 1,
            None => words.push((word, 1)),
        }
    }
    let words = words.into_iter().map(|(word, times)| match times {
        1 => word,
        2 => format!("{word}Twice"),
        times => format!("{word}{times}Times"),
    });
    words.collect()
}

fn decision(
    program: &RuleProgram,
    method: usize,
    rule: &Rule,
    place: PredicatePoint,
) -> Option<String> {
    let flow = &program.flows[method];
    match rule.choice {
        RuleChoice::Only | RuleChoice::Others(_) => None,
        RuleChoice::Enter(..) => rule.goals.iter().find_map(|goal| match goal {
            RuleGoal::Guard(Guard::Heap("type", _, Some(class))) => Some(format!("on{class}")),
            _ => None,
        }),
        RuleChoice::Exit(block, exit) => {
            let exit = &flow.blocks[block].exits[exit];
            match &exit.way {
                EdgeCondition::Thrown(class) => {
                    Some(thrown(program, method, block, *class, exit.to, place))
                }
                // The absence of exceptions is not mentioned.
                _ if flow.blocks[block]
                    .exits
                    .iter()
                    .filter(|one| one.is_normal())
                    .count()
                    < 2 =>
                {
                    None
                }
                _ => {
                    let mut guards = rule.goals.iter().filter_map(|goal| match goal {
                        RuleGoal::Guard(guard) => guard_words(rule, guard),
                        _ => None,
                    });
                    let words = guards.next_back();
                    words.or_else(|| flow.last(block).line.map(|line| format!("line{line}")))
                }
            }
        }
    }
}

fn thrown(
    program: &RuleProgram,
    method: usize,
    block: usize,
    class: Option<&str>,
    to: To,
    place: PredicatePoint,
) -> String {
    let flow = &program.flows[method];
    let called = flow.blocks[block]
        .call
        .as_ref()
        .filter(|_| matches!(place, PredicatePoint::Check(_)));
    let who = called.map(|call| program.name_of(&call.targets).to_owned());
    let what = match (who, class) {
        (Some(name), _) => format!("{}Throws", name.replace('.', "")),
        (None, Some(class)) => decapitalized(&without_suffix(simple(class))),
        (None, None) => "throws".to_owned(),
    };
    match to {
        To::Block(_) => format!("{what}Caught"),
        To::Return | To::Throw => what,
    }
}

fn guard_words(rule: &Rule, guard: &Guard) -> Option<String> {
    let word = |value: &Expr| value_word(rule, value);
    if let Guard::Compare(comparison, Kind::Int, left @ Expr::Variable(_), Expr::Number(_, 0)) =
        guard
    {
        let name = word(left)?;
        if QUESTIONS.iter().any(|question| name.starts_with(question)) {
            return match comparison {
                SignedComparison::Eq => Some(format!("not{name}")),
                SignedComparison::Ne => Some(decapitalized(&name)),
                _ => None,
            };
        }
    }
    Some(match guard {
        Guard::Compare(comparison, _, left, right) => {
            let sign = match comparison {
                SignedComparison::Eq => "Is",
                SignedComparison::Ne => "IsNot",
                SignedComparison::Lt => "LessThan",
                SignedComparison::Ge => "AtLeast",
                SignedComparison::Gt => "GreaterThan",
                SignedComparison::Le => "AtMost",
            };
            format!("{}{sign}{}", decapitalized(&word(left)?), word(right)?)
        }
        Guard::Null(value, true) => format!("{}IsNull", decapitalized(&word(value)?)),
        Guard::Null(value, false) => format!("{}IsPresent", decapitalized(&word(value)?)),
        Guard::Same(left, right, is_same) => {
            let is = if *is_same { "Is" } else { "IsNot" };
            format!("{}{is}{}", decapitalized(&word(left)?), word(right)?)
        }
        Guard::Among(value, numbers, true) => {
            format!(
                "{}Is{}",
                decapitalized(&word(value)?),
                number_word(i64::from(*numbers.first()?))
            )
        }
        Guard::Among(value, _, false) => format!("{}IsAnother", decapitalized(&word(value)?)),
        Guard::Heap(..) => return None,
    })
}

/// Prefixes of the names of boolean query methods.
const QUESTIONS: [&str; 6] = ["Is", "Has", "Contains", "Can", "Equals", "Matches"];

/// Word for a value with a short name.
fn value_word(rule: &Rule, value: &Expr) -> Option<String> {
    match value {
        Expr::Number(Kind::Float | Kind::Double, _) | Expr::Constant(_) => None,
        Expr::Number(Kind::Long, bits) => Some(number_word(*bits as i64)),
        Expr::Number(_, bits) => Some(number_word(i64::from(*bits as u32 as i32))),
        Expr::Null => Some("Null".to_owned()),
        Expr::Variable(variable) => Some(rule.names[*variable].clone()),
        Expr::Operate(..) => None,
    }
}

fn number_word(number: i64) -> String {
    let word = match number.unsigned_abs() {
        0 => "Zero".to_owned(),
        1 => "One".to_owned(),
        2 => "Two".to_owned(),
        number => number.to_string(),
    };
    match number < 0 {
        true => format!("Minus{word}"),
        false => word,
    }
}

fn outcome(ending: &Ending) -> String {
    match ending {
        Ending::ReturnedVoid => "returns".to_owned(),
        Ending::Returned(Kind::Boolean, slot, _) => (if slot & 1 == 1 {
            "returnsTrue"
        } else {
            "returnsFalse"
        })
        .to_owned(),
        Ending::Returned(Kind::Float | Kind::Double | Kind::Char, ..) => "returnsValue".to_owned(),
        Ending::Returned(Kind::Long, slot, _) => format!("returns{}", number_word(*slot as i64)),
        Ending::Returned(_, slot, _) => {
            format!("returns{}", number_word(i64::from(*slot as u32 as i32)))
        }
        Ending::ReturnedObject(None) => "returnsNull".to_owned(),
        Ending::ReturnedObject(Some(class)) if class.starts_with('[') => "returnsArray".to_owned(),
        Ending::ReturnedObject(Some(class)) => format!("returns{}", simple(class)),
        Ending::Threw(class) => format!("throws{}", without_suffix(simple(class))),
        Ending::Bounded(_) | Ending::Limit(_) | Ending::Refused(_) => "ends".to_owned(),
    }
}

fn without_suffix(class: &str) -> String {
    let class = class.rsplit('$').next().unwrap_or(class);
    let stripped = class
        .strip_suffix("Exception")
        .or_else(|| class.strip_suffix("Error"));
    stripped
        .filter(|rest| !rest.is_empty())
        .unwrap_or(class)
        .to_owned()
}

fn decapitalized(word: &str) -> String {
    let mut letters = word.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().collect::<String>() + letters.as_str(),
        None => String::new(),
    }
}
