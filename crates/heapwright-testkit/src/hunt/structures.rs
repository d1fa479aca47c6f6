//! Claims about structures: which there are, by the invariant and by calls, and what calls on them do.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use super::trial::{Fate, Trial};

impl Trial<'_> {
    /// Fates of the verbs that start from the invariant.
    pub(super) fn structures(&mut self, verbs: &[&str]) -> Option<Vec<Fate>> {
        let scope = self.case.scope.to_string();
        let answer = self.ask(0, "heaps", &scope)?;
        let changes = answer.iter().find(|words| words[0] == "heaps")?[3] == "changes";
        let calls = answer.iter().filter(|words| words[0] == "call");
        let calls: Vec<&[String]> = calls.map(Vec::as_slice).collect();
        let expected = self.structures_in("brute.jsonl");
        let fates = verbs.iter().map(|&verb| match verb {
            _ if changes => Ok(Fate::NotJudged),
            "check" => self.check(&scope, &calls),
            "fields" => self.fields(&scope),
            search => self.enumerate(search, &scope, &expected),
        });
        Some(fates.map(|fate| fate.unwrap_or_else(|fate| fate)).collect())
    }

    fn enumerate(&self, search: &str, scope: &str, expected: &[String]) -> Result<Fate, Fate> {
        let bounds = ["--scope", scope, "--search", search];
        let output = ["--format", "jsonl", "-o", "found.jsonl"];
        let summary = match self.complete("enumerate", &[bounds, output].concat()) {
            Err(Fate::Unknown(said)) if said.contains("changes the structure") => {
                return Err(Fate::wrong(
                    "refuses an invariant that changes nothing",
                    said,
                ));
            }
            summary => summary?,
        };
        let found = self.structures_in("found.jsonl");
        Ok(compared(&found, expected, &summary["valid"]))
    }

    fn check(&self, scope: &str, calls: &[&[String]]) -> Result<Fate, Fate> {
        if calls.is_empty() {
            return Ok(Fate::NotJudged);
        }
        let summary = self.complete("check", &["--scope", scope, "--contracts", "none"])?;
        let methods = summary["methods"].as_array().cloned().unwrap_or_default();
        for words in calls {
            let [_, signature, made, rejected, failed, first] = words else {
                continue;
            };
            let is_whole = |method: &&Value| {
                ["limited", "refused", "left_out"]
                    .iter()
                    .all(|key| method[*key] == 0)
            };
            let method = methods
                .iter()
                .find(|one| is_called(&one["method"], signature, self.name));
            let Some(method) = method.filter(is_whole) else {
                continue;
            };
            for (key, expected) in [("failed", failed), ("calls", made), ("rejected", rejected)] {
                if method[key].as_u64() != expected.parse().ok() {
                    let kind = match (key, expected.as_str()) {
                        ("failed", "0") => "has a failure that there is not",
                        ("failed", _) if method[key] == 0 => "misses every failure",
                        _ => "counts wrongly",
                    };
                    let detail = format!(
                        "{signature}: {key} {}, not {expected}; {first}",
                        method[key]
                    );
                    return Ok(Fate::wrong(kind, detail));
                }
            }
        }
        Ok(Fate::Holds(calls.len() as u64))
    }

    /// Of the structures, those count in which no array class has more objects than the scope, which
    /// bounds them here.
    fn fields(&self, scope: &str) -> Result<Fate, Fate> {
        let lines = fs::read_to_string(self.folder.join("brute.jsonl")).unwrap_or_default();
        let most = self.case.scope as usize;
        let within: Vec<&str> = lines
            .lines()
            .filter(|line| has_few_arrays(line, most))
            .collect();
        if within.is_empty() {
            return Ok(Fate::NotJudged);
        }
        let file = self.folder.join("within.jsonl");
        fs::write(&file, within.join("\n")).expect("a file is written");
        let summary = self.complete("fields", &["--scope", scope, "--measure", "within.jsonl"])?;
        Ok(match summary["others"].as_u64() {
            Some(0) => Fate::Holds(1),
            _ => Fate::wrong(
                "lacks pairs",
                format!("{} are not among all", summary["others"]),
            ),
        })
    }

    /// Fates of the verbs that start from calls.
    pub(super) fn builds(&mut self, verbs: &[&str]) -> Option<Vec<Fate>> {
        let scope = self.case.scope.to_string();
        let answer = self.ask(0, "build", &scope)?;
        let [_, built, accepted] = &answer.first()?[..] else {
            return None;
        };
        let built: u64 = built.parse().ok()?;
        let fates = verbs
            .iter()
            .map(|&verb| match (verb, accepted.parse::<u64>()) {
                ("api", _) => self.built_by_api(&scope),
                ("builders", _) => self.counts(verb, &scope, &[("structures", built)]),
                (_, Ok(accepted)) => self.counts(
                    verb,
                    &scope,
                    &[("api_structures", built), ("api_only", built - accepted)],
                ),
                // There is no invariant to compare with.
                (_, Err(_)) => Ok(Fate::NotJudged),
            });
        Some(fates.map(|fate| fate.unwrap_or_else(|fate| fate)).collect())
    }

    fn built_by_api(&self, scope: &str) -> Result<Fate, Fate> {
        let search = ["--from", "api", "--scope", scope];
        let output = ["--format", "jsonl", "-o", "found.jsonl"];
        let summary = self.complete("enumerate", &[search, output].concat())?;
        let (found, expected) = (
            self.structures_in("found.jsonl"),
            self.structures_in("built.jsonl"),
        );
        Ok(compared(&found, &expected, &summary["structures"]))
    }

    /// Holds counts of a summary against those of the judge.
    fn counts(&self, verb: &str, scope: &str, expected: &[(&str, u64)]) -> Result<Fate, Fate> {
        let summary = self.complete(verb, &["--scope", scope])?;
        let wrong = expected
            .iter()
            .find(|(key, number)| summary[*key].as_u64() != Some(*number));
        Ok(match wrong {
            Some((key, number)) => Fate::wrong(
                &format!("counts {key} wrongly"),
                format!("{}, not {number}", summary[*key]),
            ),
            None => Fate::Holds(1),
        })
    }

    /// Structures of a file, which is then removed, each in a canonical form, sorted.
    fn structures_in(&self, file: &str) -> Vec<String> {
        let file = self.folder.join(file);
        let lines = fs::read_to_string(&file).unwrap_or_default();
        if !file.ends_with("brute.jsonl") {
            // The next search writes it anew, or not at all.
            let _ = fs::remove_file(&file);
        }
        let mut all: Vec<String> = lines.lines().map(canonical_form).collect();
        all.sort();
        all
    }
}

/// Whether a structure has at most so many arrays of each class.
fn has_few_arrays(line: &str, most: usize) -> bool {
    let structure: Value = serde_json::from_str(line).unwrap_or_default();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for object in structure["objects"].as_array().into_iter().flatten() {
        if let Some(class) = object["class"]
            .as_str()
            .filter(|class| class.starts_with('['))
        {
            *counts.entry(class).or_default() += 1;
        }
    }
    counts.values().all(|&count| count <= most)
}

/// Holds structures, and their number, against those that there are.
fn compared(found: &[String], expected: &[String], number: &Value) -> Fate {
    let once: BTreeSet<&String> = found.iter().collect();
    let all: BTreeSet<&String> = expected.iter().collect();
    let missing = all.difference(&once).next().map(|text| text.as_str());
    let wrong = once.difference(&all).next().map(|text| text.as_str());
    let (kind, example) = match (missing, wrong) {
        (Some(example), None) => ("lacks structures", example),
        (None, Some(example)) => ("has wrong structures", example),
        (Some(example), Some(_)) => ("lacks structures and has wrong ones", example),
        (None, None) if found.len() != once.len() => ("has a structure twice", found[0].as_str()),
        (None, None) if number.as_u64() != Some(found.len() as u64) => ("counts wrongly", ""),
        (None, None) => return Fate::Holds(1),
    };
    Fate::wrong(
        kind,
        format!(
            "{} of {number}, not {}: {example}",
            found.len(),
            expected.len()
        ),
    )
}

/// Whether the summary means a method that the judge calls by its signature.
fn is_called(method: &Value, signature: &str, package: &str) -> bool {
    let plain = |text: &str| text.replace('$', ".").replace(&format!("{package}.A."), "");
    method
        .as_str()
        .is_some_and(|method| plain(method) == plain(signature))
}

/// Structure as a text that is the same for isomorphic ones.
fn canonical_form(line: &str) -> String {
    let parsed: Value =
        serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    let objects = parsed["objects"].as_array().cloned().unwrap_or_default();
    let (mut text, mut numbers) = (String::new(), BTreeMap::new());
    write(
        &serde_json::json!({"ref": 0}),
        &objects,
        &mut numbers,
        &mut text,
    );
    text
}

fn write(value: &Value, objects: &[Value], numbers: &mut BTreeMap<u64, usize>, to: &mut String) {
    let Some(target) = value.get("ref").and_then(Value::as_u64) else {
        // Numbers have one text, whatever their type.
        to.push_str(
            &value
                .as_f64()
                .map_or_else(|| value.to_string(), |number| number.to_string()),
        );
        return;
    };
    let object = &objects[target as usize];
    if let Some(value) = object.get("value").or_else(|| object.get("constant")) {
        to.push_str(&format!(
            "{}:{value}",
            object["class"].as_str().unwrap_or_default()
        ));
        return;
    }
    if let Some(number) = numbers.get(&target) {
        to.push_str(&format!("#{number}"));
        return;
    }
    numbers.insert(target, numbers.len());
    to.push_str(object["class"].as_str().unwrap_or_default());
    to.push('{');
    let elements = object["elements"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| ("", one));
    let fields = object["fields"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.as_str(), value));
    for (name, value) in elements.chain(fields) {
        to.push_str(&format!("{name}="));
        write(value, objects, numbers, to);
        to.push(',');
    }
    to.push('}');
}
