//! Claims about methods: infeasible places, assertions, paths.

use std::collections::BTreeSet;

use serde_json::Value;

use super::grammar::MARK;
use super::seen::Seen;
use super::trial::{Fate, Trial};

/// Work of the solver for a question.
const WORK: [&str; 2] = ["--solver-work", "400000"];

/// What `run --symbolic` may cut off without losing an input within the bounds.
const BEYOND: [&str; 7] = [
    "objects",
    "lengths",
    "characters",
    "lambdas",
    "subclasses",
    "library_types",
    "implementations",
];

impl Trial<'_> {
    /// Fates of the verbs on methods.
    pub(super) fn methods(&mut self, verbs: &[&str]) -> Option<Vec<Fate>> {
        let seed = self.case.seed.to_string();
        let mut seen = Seen::default();
        // The last judge has room for strings as long as there are.
        let is_huge = self.case.code.contains("/*huge*/");
        for judge in 0..self.judges.len() - usize::from(!is_huge) {
            seen.add(&self.ask(judge, "inputs", &seed)?);
        }
        let source = self.case.source(self.name);
        let fates = verbs.iter().map(|&verb| match verb {
            "paths" => self.paths(&source, &seen),
            "verify" => self.verify(&source, &seen),
            _ => self.symbolic(&source, &seen),
        });
        Some(fates.map(|fate| fate.unwrap_or_else(|fate| fate)).collect())
    }

    fn paths(&self, source: &str, seen: &Seen) -> Result<Fate, Fate> {
        let criterion = ["all-branches", "all-statements"][(self.case.seed % 2) as usize];
        let strings = ["latin1", "utf16"][(self.case.seed / 2 % 2) as usize];
        let goals = ["--criterion", criterion, "--strings", strings];
        let summary = self.run("paths", &[&goals[..], &WORK].concat())?;
        let lines: Vec<&str> = source.lines().collect();
        let mut claims = 0;
        for goal in summary["uncovered"].as_array().into_iter().flatten() {
            let text = |key: &str| goal[key].as_str().unwrap_or_default();
            let (point, reason) = (text("point"), text("reason"));
            let number = point.rsplit("line ").next().unwrap_or_default();
            let number = number.split(|c: char| !c.is_ascii_digit()).next();
            let line: usize = number.and_then(|line| line.parse().ok()).unwrap_or(0);
            let place = lines.get(line.wrapping_sub(1)).unwrap_or(&"");
            // Other ways than by the branch may lead to the mark.
            let is_of_many = point.contains("on to") && !is_only_way(&lines, point, line);
            if !reason.starts_with("infeasible") || !place.starts_with(MARK) || is_of_many {
                continue;
            }
            claims += 1;
            if let Some(input) = seen.counter(&format!("line {line}"), reason) {
                let behind = lines[line - 2];
                let detail = format!("{point}: {reason}; {input} reaches {place} behind {behind}");
                return Ok(Fate::wrong("infeasible", detail));
            }
        }
        Ok(Fate::of_claims(claims, ""))
    }

    fn verify(&self, source: &str, seen: &Seen) -> Result<Fate, Fate> {
        let (mut claims, mut other) = (0, String::new());
        for (method, _) in methods_of(source).filter(|one| one.1) {
            let summary = self.run("verify", &[&["-m", method], &WORK[..]].concat())?;
            if summary["verdict"] != "true" {
                other = summary["verdict"].to_string();
                continue;
            }
            claims += 1;
            let without = summary["without"].to_string();
            let fails = format!("outcome {method} throws java.lang.AssertionError");
            if let Some(input) = seen.counter(&fails, &without) {
                let line = source
                    .lines()
                    .skip_while(|line| !line.contains(&format!(" {method}(")));
                let assertion = line
                    .take_while(|line| *line != "}")
                    .last()
                    .unwrap_or_default();
                let detail =
                    format!("{method} true, without {without}; {input} violates {assertion}");
                return Ok(Fate::wrong("true", detail));
            }
        }
        Ok(Fate::of_claims(claims, &other))
    }

    fn symbolic(&self, source: &str, seen: &Seen) -> Result<Fate, Fate> {
        let (mut claims, mut other) = (0, String::new());
        for (method, _) in methods_of(source).filter(|one| !one.1) {
            let summary = self.run("run", &[&["--symbolic", "-m", method], &WORK[..]].concat())?;
            let is_beyond = |cut: &Value| {
                let cut = cut.as_object().into_iter().flatten();
                cut.map(|one| one.0)
                    .all(|what| BEYOND.contains(&what.as_str()))
            };
            let is_decided = ["unknown", "refused", "fixed"]
                .iter()
                .all(|key| summary[*key] == 0);
            if summary["status"] == "stopped" || !is_beyond(&summary["cut"]) || !is_decided {
                other = summary["status"].to_string();
                continue;
            }
            claims += 1;
            let paths = summary["paths"].as_array().into_iter().flatten();
            let outcomes = paths.filter_map(|path| path["outcome"].as_str());
            let found: BTreeSet<&str> = outcomes.map(plain).collect();
            for (outcome, input) in seen.outcomes(method, &summary["without"].to_string()) {
                if !found.contains(plain(outcome)) {
                    let detail = format!("{method} {outcome} with {input}; paths are {found:?}");
                    return Ok(Fate::wrong("no path", detail));
                }
            }
        }
        Ok(Fate::of_claims(claims, &other))
    }
}

/// Whether a branch, as `m0, line 5, on to line 6`, is the only way to the `mark`: it begins at the line
/// of the statement in whose block the mark is, and no other does so.
fn is_only_way(lines: &[&str], point: &str, mark: usize) -> bool {
    let number = point.split("line ").nth(1).unwrap_or_default();
    let number = number.split(|c: char| !c.is_ascii_digit()).next();
    let line: usize = number.and_then(|line| line.parse().ok()).unwrap_or(0);
    let place = lines.get(line.wrapping_sub(1)).unwrap_or(&"");
    let has_several = ["&&", "||", " ? "].iter().any(|what| place.contains(what));
    !has_several && enclosing(lines, mark) == Some(line)
}

/// Number of the line of the statement in whose block the line `inner` is; that of the `if` for a line
/// behind `else`.
fn enclosing(lines: &[&str], inner: usize) -> Option<usize> {
    let (mut depth, mut is_behind_else) = (0, false);
    for (index, line) in lines.iter().enumerate().take(inner - 1).rev() {
        let closes = line.starts_with('}');
        if line.ends_with('{') {
            if depth == 0 || is_behind_else && depth == 1 {
                if !closes {
                    return Some(index + 1);
                }
                (depth, is_behind_else) = (0, true);
            } else {
                depth -= 1;
            }
        }
        depth += u32::from(closes);
    }
    None
}

/// Outcome without the term of its value.
fn plain(outcome: &str) -> &str {
    outcome.split(" = ").next().unwrap_or_default().trim()
}

/// Methods that the judge calls, and whether each is one with an assertion and without a result.
fn methods_of(source: &str) -> impl Iterator<Item = (&str, bool)> {
    source.lines().filter_map(|line| {
        let (before, _) = line.strip_suffix(") {")?.split_once('(')?;
        let (what, name) = before.rsplit_once(' ')?;
        let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let is_method = prefix != name && ["m", "huge", "slow"].contains(&prefix);
        is_method.then_some((name, what.ends_with("void")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_behind_the_branch_of_its_block() {
        let lines: Vec<&str> = "m() {
if (a) {
M
} else {
M
for (;b;) {
M
}
}
if (0.5 != 0.5) {
M
} else {
M
}"
        .lines()
        .collect();
        let statements = [(3, 2), (5, 2), (7, 6), (11, 10), (13, 10)];
        for (mark, statement) in statements {
            assert_eq!(enclosing(&lines, mark), Some(statement), "line {mark}");
        }
        assert!(is_only_way(&lines, "m0, line 2, on to line 5", 5));
        assert!(!is_only_way(&lines, "m0, line 6, on to line 13", 13));
    }
}
