//! Textual form of rules and trace abstractions, in the notation of logic programs (paper, figures
//! 1 to 4).

use std::fmt::Write;

use heapwright_jvm::descriptor::{Kind, in_java};
use heapwright_jvm::listing::SignedComparison;
use heapwright_jvm::{MethodId, Operation};

use super::PathSubject;
use super::flow::{EdgeCondition, To};
use super::modes::Modes;
use super::reach::ReachGoal;
use super::rules::{PredicateId, Rule, RuleEnd, RuleProgram};
use super::slice::Slice;
use super::values::{Expr, Guard, RuleGoal};

impl PathSubject {
    /// Text of a goal: line or offset, and branch.
    #[must_use]
    pub fn goal_text(&self, goal: ReachGoal) -> String {
        let (method, block) = goal.place();
        let flow = &self.program.flows[method];
        let name = &self.program.predicates[self.program.starts[method]].name;
        let place = |block: usize| match flow.line(block) {
            Some(line) => format!("line {line}"),
            None => format!("offset {}", flow.places()[block]),
        };
        let mut text = match goal {
            ReachGoal::Block(..) => format!("{name}, {}", place(block)),
            ReachGoal::Exit(..) => match flow.last(block).line {
                Some(line) => format!("{name}, line {line}"),
                None => format!("{name}, offset {}", flow.last(block).at),
            },
        };
        if let ReachGoal::Exit(_, _, exit) = goal {
            let exit = &flow.blocks[block].exits[exit];
            let _ = match (&exit.way, exit.to) {
                (EdgeCondition::Keys(keys), _) => write!(
                    text,
                    ", case {}",
                    keys.iter()
                        .map(i32::to_string)
                        .collect::<Vec<_>>()
                        .join(", ")
                ),
                (EdgeCondition::Default(_), _) => write!(text, ", default"),
                (_, To::Block(to)) => write!(text, ", on to {}", place(to)),
                (_, To::Return | To::Throw) => write!(text, ", out of it"),
            };
        }
        text
    }
}

impl RuleProgram {
    /// Text of the rules. Heaps are omitted, as in the paper where they do not matter.
    pub fn rules_text(&self) -> String {
        let mut text = String::new();
        let mut method = usize::MAX;
        for predicate in &self.predicates {
            if std::mem::replace(&mut method, predicate.method) != predicate.method {
                let _ = writeln!(text, "% {}", self.predicates[self.starts[method]].name);
            }
            for (number, rule) in predicate.rules.iter().enumerate() {
                let head = head(
                    &predicate.name,
                    number,
                    rule,
                    &predicate.variables.join(","),
                );
                let body = self.body(rule);
                let lines = match rule.lines {
                    Some((first, last)) if first == last => format!("  % line {first}"),
                    Some((first, last)) => format!("  % lines {first} to {last}"),
                    None => String::new(),
                };
                match body.is_empty() {
                    true => {
                        let _ = writeln!(text, "{head}.{lines}");
                    }
                    false => {
                        let _ = writeln!(text, "{head} :-{lines}\n    {}.", body.join(",\n    "));
                    }
                }
            }
        }
        text
    }

    /// Text of the trace abstraction (definition 6), or of a slice (definitions 7 and 8). With
    /// modes it includes the static variables and their guards (section 6.2).
    pub fn abstraction_text(&self, slice: &Slice, modes: Option<&Modes>) -> String {
        let mut text = String::new();
        for (place, predicate) in self.predicates.iter().enumerate() {
            for (number, rule) in predicate.rules.iter().enumerate() {
                if slice.has_rule(place, number) {
                    let line = self.abstract_rule(slice, modes, place, number, rule);
                    let _ = writeln!(text, "{line}.");
                }
            }
        }
        text
    }

    fn abstract_rule(
        &self,
        slice: &Slice,
        modes: Option<&Modes>,
        place: PredicateId,
        number: usize,
        rule: &Rule,
    ) -> String {
        let trace = Reserved::of(rule).trace;
        let is_static = |predicate: PredicateId, argument: usize| {
            modes.is_some_and(|modes| modes.is_static(predicate, argument))
        };
        // Static arguments of a predicate, followed by its trace.
        let with =
            |predicate: PredicateId, values: &mut dyn Iterator<Item = String>, term: &str| {
                let kept = values.enumerate().filter(|one| is_static(predicate, one.0));
                let kept: Vec<String> = kept.map(|one| one.1).collect();
                match modes {
                    Some(_) => format!(
                        "{}([{}],{term})",
                        self.predicates[predicate].name,
                        kept.join(",")
                    ),
                    None => format!("{}({term})", self.predicates[predicate].name),
                }
            };
        let mut body = Vec::new();
        let mut terms = Vec::new();
        for goal in &rule.goals {
            match goal {
                RuleGoal::Guard(guard) if modes.is_some() => {
                    let mut is_about_static = !matches!(guard, Guard::Heap(..));
                    guard.each_variable(&mut |variable| {
                        let arguments = self.predicates[place].variables.len();
                        is_about_static &= variable >= arguments || is_static(place, variable);
                    });
                    body.extend(is_about_static.then(|| guard_text(rule, guard)));
                }
                RuleGoal::Call(targets, arguments, _) => {
                    let term = format!("{trace}{}", terms.len() + 1);
                    let start = targets
                        .iter()
                        .find(|&&target| slice.has_method(self, target));
                    if let Some(start) = start.and_then(|&target| self.start(target)) {
                        let mut values = arguments.iter().map(|value| expr_text(rule, value));
                        body.push(with(start, &mut values, &term));
                    }
                    terms.push(term);
                }
                _ => {}
            }
        }
        if let Some(then) = rule.then {
            if slice.has_predicate(then) {
                let mut values = rule.handed.iter().map(|value| expr_text(rule, value));
                body.push(with(then, &mut values, trace));
            }
            terms.push(trace.to_owned());
        }
        let name = &self.predicates[place].name;
        let term = format!("{name}({},[{}])", number + 1, terms.join(","));
        let mut variables = self.predicates[place].variables.iter().cloned();
        let head = with(place, &mut variables, &term);
        match body.is_empty() {
            true => head,
            false => format!("{head} :- {}", body.join(", ")),
        }
    }

    /// Name of the method that a rule's call can reach.
    pub fn name_of(&self, targets: &[MethodId]) -> &str {
        let number = targets.iter().find_map(|&target| self.number(target));
        number.map_or("", |number| &self.predicates[self.starts[number]].name)
    }

    fn body(&self, rule: &Rule) -> Vec<String> {
        let mut lines = Vec::new();
        let mut calls = 0;
        for goal in &rule.goals {
            lines.push(match goal {
                RuleGoal::Guard(guard) => guard_text(rule, guard),
                RuleGoal::Heap(what, arguments, about, result) => {
                    let mut all: Vec<String> = Vec::new();
                    all.extend(arguments.iter().map(|one| expr_text(rule, one)));
                    let at = usize::from(!arguments.is_empty()).min(all.len());
                    if let Some(about) = about {
                        all.insert(at, quoted(about));
                    }
                    all.extend(result.map(|variable| rule.names[variable].clone()));
                    format!("{what}({})", all.join(","))
                }
                RuleGoal::Call(targets, arguments, result) => {
                    calls += 1;
                    let arguments: Vec<String> =
                        arguments.iter().map(|one| expr_text(rule, one)).collect();
                    let result = result.map_or("", |variable| &rule.names[variable]);
                    let name = self.name_of(targets);
                    {
                        let Reserved {
                            exception, trace, ..
                        } = Reserved::of(rule);
                        format!(
                            "{name}([{}],[{result}],_,_,{exception}{calls},{trace}{calls})",
                            arguments.join(",")
                        )
                    }
                }
            });
        }
        if let Some(then) = rule.then {
            let name = &self.predicates[then].name;
            let handed = rule.handed.iter().map(|one| expr_text(rule, one));
            let handed: Vec<String> = handed.collect();
            let Reserved {
                result,
                exception,
                trace,
            } = Reserved::of(rule);
            lines.push(format!(
                "{name}([{}],[{result}],_,_,{exception},{trace})",
                handed.join(",")
            ));
        }
        lines
    }
}

/// Names of the common arguments of all rules, distinct from those of variables.
struct Reserved {
    result: &'static str,
    exception: &'static str,
    trace: &'static str,
}

impl Reserved {
    fn of(rule: &Rule) -> Reserved {
        let free = |names: [&'static str; 3]| {
            let is_free = |name: &&'static str| {
                let same = |known: &String| {
                    let rest = known.strip_prefix(*name);
                    rest.is_some_and(|rest| rest.chars().all(|digit| digit.is_ascii_digit()))
                };
                !rule.names.iter().any(same)
            };
            names.into_iter().find(is_free).unwrap_or(names[2])
        };
        Reserved {
            result: free(["R", "Out", "Result"]),
            exception: free(["E", "F", "Exc"]),
            trace: free(["T", "Tr", "Trace"]),
        }
    }
}

fn head(name: &str, number: usize, rule: &Rule, variables: &str) -> String {
    let reserved = Reserved::of(rule);
    let (result, exception) = match &rule.end {
        RuleEnd::GoesOn => (reserved.result.to_owned(), reserved.exception),
        RuleEnd::Returns(None) => (String::new(), "ok"),
        RuleEnd::Returns(Some(value)) => (expr_text(rule, value), "ok"),
        RuleEnd::Throws => ("_".to_owned(), "exc"),
    };
    let trace = reserved.trace;
    let calls = rule.calls().count();
    let mut terms: Vec<String> = (1..=calls).map(|call| format!("{trace}{call}")).collect();
    if rule.then.is_some() {
        terms.push(trace.to_owned());
    }
    format!(
        "{name}([{variables}],[{result}],_,_,{exception},{name}({},[{}]))",
        number + 1,
        terms.join(",")
    )
}

/// Text of a guard.
pub(super) fn guard_text(rule: &Rule, guard: &Guard) -> String {
    let text = |value: &Expr| expr_text(rule, value);
    match guard {
        Guard::Compare(comparison, _, left, right) => {
            format!(
                "{} {} {}",
                text(left),
                comparison_text(*comparison),
                text(right)
            )
        }
        Guard::Null(value, true) => format!("{} = null", text(value)),
        Guard::Null(value, false) => format!("{} \\= null", text(value)),
        Guard::Same(left, right, true) => format!("{} = {}", text(left), text(right)),
        Guard::Same(left, right, false) => format!("{} \\= {}", text(left), text(right)),
        Guard::Among(value, numbers, is_in) => {
            let numbers: Vec<String> = numbers.iter().map(i32::to_string).collect();
            let is = if *is_in { "in" } else { "not_in" };
            format!("{is}({},[{}])", text(value), numbers.join(","))
        }
        Guard::Heap(what, values, about) => {
            let mut all: Vec<String> = values.iter().map(text).collect();
            all.extend(about.as_deref().map(quoted));
            format!("{what}({})", all.join(","))
        }
    }
}

fn comparison_text(comparison: SignedComparison) -> &'static str {
    match comparison {
        SignedComparison::Eq => "#=",
        SignedComparison::Ne => "#\\=",
        SignedComparison::Lt => "#<",
        SignedComparison::Ge => "#>=",
        SignedComparison::Gt => "#>",
        SignedComparison::Le => "#=<",
    }
}

/// Name of the program as a constant of a logic program.
fn quoted(name: &str) -> String {
    let is_plain = name.starts_with(|letter: char| letter.is_ascii_lowercase())
        && name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    match is_plain {
        true => name.to_owned(),
        false => format!("'{}'", name.replace('\'', "\\'")),
    }
}

/// Text of an expression.
pub(super) fn expr_text(rule: &Rule, value: &Expr) -> String {
    match value {
        Expr::Number(kind, bits) => number_text(*kind, *bits),
        Expr::Null => "null".to_owned(),
        Expr::Constant(text) => text.clone(),
        Expr::Variable(variable) => rule.names[*variable].clone(),
        Expr::Operate(operation, kind, left, None) => {
            let operand = expr_text(rule, left);
            match operation {
                Operation::Convert(to) => format!("{}({operand})", to.keyword()),
                _ => {
                    let _ = kind;
                    format!("-{}", in_parentheses(left, operand))
                }
            }
        }
        Expr::Operate(operation, _, left, Some(right)) => {
            let sign = match operation {
                Operation::Add => "+",
                Operation::Sub => "-",
                Operation::Mul => "*",
                Operation::Div => "/",
                Operation::Rem => " rem ",
                Operation::And => "/\\",
                Operation::Or => "\\/",
                Operation::Xor => " xor ",
                Operation::Shl => "<<",
                Operation::Shr => ">>",
                Operation::Ushr => ">>>",
                _ => " cmp ",
            };
            let (a, b) = (expr_text(rule, left), expr_text(rule, right));
            format!(
                "{}{sign}{}",
                in_parentheses(left, a),
                in_parentheses(right, b)
            )
        }
    }
}

fn in_parentheses(value: &Expr, text: String) -> String {
    match value {
        Expr::Operate(_, _, _, Some(_)) => format!("({text})"),
        _ => text,
    }
}

fn number_text(kind: Kind, bits: u64) -> String {
    match kind {
        Kind::Long => (bits as i64).to_string(),
        Kind::Float => in_java(&f32::from_bits(bits as u32).to_string()),
        Kind::Double => in_java(&f64::from_bits(bits).to_string()),
        _ => (bits as u32 as i32).to_string(),
    }
}
