//! Rules and trace abstractions as text, in the notation of logic programs (paper, figures 1 to 4).

use std::fmt::Write;

use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Comparison, MethodId, Operation};

use super::rules::{End, Program, Rule};
use super::slice::Slice;
use super::values::{Expr, Goal, Guard};

impl Program {
    /// The rules. Heaps are left out, as the paper does where they do not matter.
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

    /// The trace abstraction (definition 6), of a slice of it what that keeps (definitions 7 and 8).
    pub fn abstraction_text(&self, slice: &Slice) -> String {
        let mut text = String::new();
        for (place, predicate) in self.predicates.iter().enumerate() {
            for (number, rule) in predicate.rules.iter().enumerate() {
                if !slice.has_rule(place, number) {
                    continue;
                }
                let mut calls = Vec::new();
                let mut terms = Vec::new();
                for (call, targets) in rule.calls().enumerate() {
                    let term = format!("T{}", call + 1);
                    let kept = targets.iter().any(|&target| slice.has_method(self, target));
                    if kept {
                        calls.push(format!("{}({term})", self.name_of(targets)));
                    }
                    terms.push(term);
                }
                if let Some(then) = rule.then {
                    let term = "T".to_owned();
                    if slice.has_predicate(then) {
                        calls.push(format!("{}({term})", self.predicates[then].name));
                    }
                    terms.push(term);
                }
                let (name, terms) = (&predicate.name, terms.join(","));
                let head = format!("{name}({name}({},[{terms}]))", number + 1);
                let _ = match calls.is_empty() {
                    true => writeln!(text, "{head}."),
                    false => writeln!(text, "{head} :- {}.", calls.join(", ")),
                };
            }
        }
        text
    }

    /// The name of the methods that a call in a rule comes to; it is one.
    pub fn name_of(&self, targets: &[MethodId]) -> &str {
        let number = targets.iter().find_map(|&target| self.number(target));
        number.map_or("", |number| &self.predicates[self.starts[number]].name)
    }

    fn body(&self, rule: &Rule) -> Vec<String> {
        let mut lines = Vec::new();
        let mut calls = 0;
        for goal in &rule.goals {
            lines.push(match goal {
                Goal::Guard(guard) => self.guard_text(rule, guard),
                Goal::Let(variable, value) => {
                    format!("{} #= {}", rule.names[*variable], expr_text(rule, value))
                }
                Goal::Heap(what, arguments, about, result) => {
                    let mut all: Vec<String> = Vec::new();
                    all.extend(arguments.iter().map(|one| expr_text(rule, one)));
                    let at = usize::from(!arguments.is_empty()).min(all.len());
                    if let Some(about) = about {
                        all.insert(at, quoted(about));
                    }
                    all.extend(result.map(|variable| rule.names[variable].clone()));
                    format!("{what}({})", all.join(","))
                }
                Goal::Call(targets, arguments, result) => {
                    calls += 1;
                    let arguments: Vec<String> =
                        arguments.iter().map(|one| expr_text(rule, one)).collect();
                    let result = result.map_or("", |variable| &rule.names[variable]);
                    let name = self.name_of(targets);
                    format!(
                        "{name}([{}],[{result}],_,_,E{calls},T{calls})",
                        arguments.join(",")
                    )
                }
            });
        }
        if let Some(then) = rule.then {
            let name = &self.predicates[then].name;
            let handed: Vec<String> = rule.handed.iter().map(|one| expr_text(rule, one)).collect();
            lines.push(format!("{name}([{}],[R],_,_,E,T)", handed.join(",")));
        }
        lines
    }

    fn guard_text(&self, rule: &Rule, guard: &Guard) -> String {
        guard_text(rule, guard)
    }
}

fn head(name: &str, number: usize, rule: &Rule, variables: &str) -> String {
    let (result, exception) = match &rule.end {
        End::GoesOn => ("R".to_owned(), "E"),
        End::Returns(None) => (String::new(), "ok"),
        End::Returns(Some(value)) => (expr_text(rule, value), "ok"),
        End::Throws => ("_".to_owned(), "exc"),
    };
    let calls = rule.calls().count();
    let mut terms: Vec<String> = (1..=calls).map(|call| format!("T{call}")).collect();
    if rule.then.is_some() {
        terms.push("T".to_owned());
    }
    let terms = terms.join(",");
    format!(
        "{name}([{variables}],[{result}],_,_,{exception},{name}({},[{terms}]))",
        number + 1
    )
}

/// A guard as text.
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

fn comparison_text(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Eq => "#=",
        Comparison::Ne => "#\\=",
        Comparison::Lt | Comparison::Below => "#<",
        Comparison::Ge => "#>=",
        Comparison::Gt => "#>",
        Comparison::Le => "#=<",
    }
}

/// A name of a program as a logic program's constant.
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

/// A value as text.
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
        Kind::Float => f32::from_bits(bits as u32).to_string(),
        Kind::Double => f64::from_bits(bits).to_string(),
        _ => (bits as u32 as i32).to_string(),
    }
}
