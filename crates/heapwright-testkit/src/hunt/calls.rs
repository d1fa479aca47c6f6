//! Claims about what calls reach: infeasible goals, and which goals there are.

use super::grammar::MARK;
use super::seen::Seen;
use super::trial::{Fate, Trial};

/// Options of `generate`, which is asked for its goals alone.
const OF_GENERATE: [&str; 7] = [
    "-o",
    "tests",
    "--junit-check",
    "none",
    "--mutants",
    "none",
    "--no-cache",
];

/// Operators of conditions, and how goals call the side on which they hold.
const RELATIONS: [(&str, &str); 6] = [
    ("==", "equal"),
    ("!=", "not equal"),
    ("<", "less"),
    (">=", "not less"),
    (">", "greater"),
    ("<=", "not greater"),
];

impl Trial<'_> {
    /// Fates of the verbs on sequences of calls.
    pub(super) fn apis(&mut self, verbs: &[&str]) -> Option<Vec<Fate>> {
        let seed = self.case.seed.to_string();
        let mut seen = Seen::default();
        seen.add(&self.ask(0, "calls", &seed)?);
        let source = self.case.source(self.name);
        let lines: Vec<&str> = source.lines().collect();
        let fates = verbs.iter().map(|&verb| match verb {
            "generate" => self.generate(&lines, &seen),
            _ => self.sequences(&lines, &seen),
        });
        Some(fates.map(|fate| fate.unwrap_or_else(|fate| fate)).collect())
    }

    fn sequences(&self, lines: &[&str], seen: &Seen) -> Result<Fate, Fate> {
        let criterion = ["branches", "statements"][(self.case.seed % 2) as usize];
        let summary = self.run("sequences", &["--criterion", criterion])?;
        Ok(goals(&summary, lines, seen))
    }

    fn generate(&self, lines: &[&str], seen: &Seen) -> Result<Fate, Fate> {
        let summary = self.run("generate", &OF_GENERATE)?;
        let has_branch = |line: &&&str| line.starts_with("if (") || line.starts_with("for (");
        let branches = 2 * lines.iter().filter(has_branch).count() as u64;
        // Methods without branches are goals, too.
        let total = summary["branches_total"].as_u64().unwrap_or(0);
        if total < branches && summary["status"] != "stopped" {
            return Ok(Fate::wrong(
                "lacks goals",
                format!("{total} branches, not {branches}"),
            ));
        }
        Ok(goals(&summary, lines, seen))
    }
}

/// Holds infeasible goals against the lines that calls come by.
fn goals(summary: &serde_json::Value, lines: &[&str], seen: &Seen) -> Fate {
    let mut claims = 0;
    for goal in summary["goals_not_covered"]
        .as_array()
        .into_iter()
        .flatten()
    {
        let text = |key: &str| goal[key].as_str().unwrap_or_default();
        let (goal, reason) = (text("goal"), text("reason"));
        if text("status") != "infeasible" {
            continue;
        }
        claims += 1;
        if let Some(place) = place(lines, goal)
            && let Some(calls) = seen.counter(&format!("line {place}"), reason)
        {
            // The proof, without the names of the case.
            let kind = reason
                .split(" of ")
                .next()
                .and_then(|kind| kind.split(',').next());
            return Fate::wrong(
                kind.unwrap_or_default(),
                format!("{goal}: {reason}; {calls}"),
            );
        }
    }
    Fate::of_claims(claims, "")
}

/// Line that is reached if and only if a goal is: `m:LINE`, or `m:LINE RELATION` of an `if` statement.
fn place(lines: &[&str], goal: &str) -> Option<usize> {
    let (number, relation) = match goal.rsplit_once(':')?.1.split_once(' ') {
        Some((number, relation)) => (number, relation),
        None => (goal.rsplit_once(':')?.1, ""),
    };
    let line: usize = number.parse().ok()?;
    let text = lines.get(line.checked_sub(1)?)?;
    if text.starts_with(MARK) {
        return Some(line);
    }
    let condition = text.strip_prefix("if (")?;
    let operator = condition.split(' ').nth(1);
    let (_, holds) = *RELATIONS.iter().find(|one| operator == Some(one.0))?;
    let holds = if condition.contains("null") {
        "null"
    } else {
        holds
    };
    let inverse = holds
        .strip_prefix("not ")
        .map_or_else(|| format!("not {holds}"), str::to_owned);
    if relation == holds {
        return Some(line + 1);
    }
    if relation != inverse {
        return None;
    }
    // The other side begins at the `else` of the same depth.
    let mut depth = 0;
    for (at, text) in lines.iter().enumerate().skip(line - 1) {
        if depth == 1 && text.starts_with("} else {") {
            return Some(at + 2);
        }
        depth += text.matches('{').count() as i32 - text.matches('}').count() as i32;
        if depth == 0 {
            return None;
        }
    }
    None
}
