//! Coverage of pairs by given structures.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use heapwright_techniques::fields::{FieldName, Pair, PairGraph, PairValue, Vocabulary, by_field};
use serde_json::Value as Json;

use super::summary::{CoverageSummary, MeasureSummary};
use crate::files::counted;

/// Maximum number of missing pairs in text.
const SHOWN: usize = 10;

/// Reads pairs, one a line. Ignores empty lines and lines that begin with `#`.
///
/// # Errors
/// The file cannot be read, or a line is not a pair.
pub fn read_pairs(file: &Path) -> anyhow::Result<BTreeSet<Pair>> {
    let mut pairs = BTreeSet::new();
    for (place, line) in lines(file)? {
        if line.starts_with('#') {
            continue;
        }
        let pair: Pair = line.parse().with_context(|| place)?;
        pairs.insert(pair);
    }
    if pairs.is_empty() {
        bail!("{} has no pairs", file.display());
    }
    Ok(pairs)
}

/// Non-empty lines of a file, each with its position.
fn lines(file: &Path) -> anyhow::Result<Vec<(String, String)>> {
    let text = fs::read_to_string(file);
    let text = text.with_context(|| format!("failed to read {}", file.display()))?;
    let numbered = text.lines().enumerate();
    let lines = numbered.map(|(number, line)| {
        let place = format!("{}:{}", file.display(), number + 1);
        (place, line.trim().to_owned())
    });
    Ok(lines.filter(|(_, line)| !line.is_empty()).collect())
}

/// Given structures and the pairs that they cover.
pub struct Measured {
    /// Number of structures.
    pub structures: u64,
    /// Maximum number of objects of a class in one structure.
    pub scope: u32,
    graphs: Vec<PairGraph>,
    pairs: BTreeSet<Pair>,
}

impl Measured {
    /// Reads structures, one line of JSON each.
    ///
    /// # Errors
    /// The file cannot be read, or a line is not a structure of the class.
    pub fn read(file: &Path, class: &str) -> anyhow::Result<Measured> {
        let mut measured = Measured {
            structures: 0,
            scope: 1,
            graphs: Vec::new(),
            pairs: BTreeSet::new(),
        };
        for (place, line) in lines(file)? {
            let graph = graph(&line).with_context(|| place.clone())?;
            match graph.objects.first() {
                Some((root, _)) if root == class => {}
                Some((root, _)) => bail!("{place}: the root is a {root}, not a {class}"),
                None => bail!("{place}: a structure without objects"),
            }
            measured.structures += 1;
            // Strings, boxes and constants have no fields.
            let objects = graph.objects.iter().filter(|object| !object.1.is_empty());
            for (name, _) in objects.clone() {
                let same = objects.clone().filter(|object| object.0 == *name);
                measured.scope = measured.scope.max(same.count() as u32);
            }
            measured.graphs.push(graph);
        }
        Ok(measured)
    }

    /// Finds the pairs, with null in fields that a search leaves null.
    pub fn find_pairs(&mut self, vocabulary: &Vocabulary, left_null: &[String]) {
        for graph in std::mem::take(&mut self.graphs) {
            let graph = vocabulary.without(graph, left_null);
            self.pairs.extend(vocabulary.pairs(&graph));
        }
    }

    /// Coverage of the `wanted` pairs, for programs.
    #[must_use]
    pub fn summary(&self, wanted: &BTreeSet<Pair>) -> MeasureSummary {
        let fields = self.fields(wanted).into_iter();
        let fields = fields.map(|(name, pairs, wanted)| (name, CoverageSummary { pairs, wanted }));
        MeasureSummary {
            structures: self.structures,
            covered: wanted.intersection(&self.pairs).count(),
            wanted: wanted.len(),
            others: self.pairs.difference(wanted).count(),
            missing: wanted
                .difference(&self.pairs)
                .map(Pair::to_string)
                .collect(),
            fields: fields.collect(),
        }
    }

    /// Number of covered and wanted pairs of each field.
    fn fields(&self, wanted: &BTreeSet<Pair>) -> Vec<(String, u64, u64)> {
        let covered = by_field(wanted.intersection(&self.pairs));
        let all = by_field(wanted).into_iter();
        let of = |name: &str| covered.get(name).copied().unwrap_or_default();
        all.map(|(name, all)| (name.clone(), of(&name), all))
            .collect()
    }

    /// Coverage of the `wanted` pairs, for people.
    #[must_use]
    pub fn text(&self, wanted: &BTreeSet<Pair>) -> String {
        let mut text = String::new();
        for (name, covered, all) in self.fields(wanted) {
            text.push_str(&format!("{name}: {covered} of {}\n", counted(all, "pair")));
        }
        let missing: Vec<&Pair> = wanted.difference(&self.pairs).collect();
        for pair in missing.iter().take(SHOWN) {
            text.push_str(&format!("missing {pair}\n"));
        }
        if missing.len() > SHOWN {
            text.push_str(&format!("and {} more\n", missing.len() - SHOWN));
        }
        let others = self.pairs.difference(wanted).count();
        if others > 0 {
            let others = counted(others as u64, "pair");
            text.push_str(&format!("{others} not among those asked for\n"));
        }
        let share = wanted.len() - missing.len();
        let structures = counted(self.structures, "structure");
        let all = counted(wanted.len() as u64, "pair");
        text.push_str(&format!("{structures}: {share} of {all}\n"));
        text
    }
}

/// Parses a structure in the format of `enumerate --format jsonl`.
fn graph(line: &str) -> anyhow::Result<PairGraph> {
    let json: Json = serde_json::from_str(line).context("not JSON")?;
    let objects = json["objects"].as_array();
    let objects = objects.context("no structure: there is no list of objects")?;
    let mut graph = PairGraph {
        objects: Vec::new(),
    };
    for object in objects {
        let class = object["class"].as_str();
        let class = class.context("no structure: an object without a class")?;
        let held = |value: &Json| held(value, objects);
        let mut fields = Vec::new();
        if let Some(own) = object["fields"].as_object() {
            for (name, value) in own {
                fields.push((FieldName::Field(None, name.clone()), held(value)?));
            }
        }
        if let Some(elements) = object["elements"].as_array() {
            for (index, value) in elements.iter().enumerate() {
                fields.push((FieldName::Element(index), held(value)?));
            }
        }
        graph.objects.push((class.to_owned(), fields));
    }
    Ok(graph)
}

fn held(value: &Json, objects: &[Json]) -> anyhow::Result<PairValue> {
    if value.is_null() {
        return Ok(PairValue::Null);
    }
    let Some(number) = value.get("ref") else {
        return Ok(PairValue::Value);
    };
    let number = number
        .as_u64()
        .and_then(|number| usize::try_from(number).ok());
    let object = number.and_then(|number| Some((number, objects.get(number)?)));
    let (number, object) =
        object.ok_or_else(|| anyhow!("no structure: {value} is no object of it"))?;
    Ok(match (&object["constant"], &object["value"]) {
        (Json::String(name), _) => {
            let class = object["class"].as_str().unwrap_or_default();
            let short = class.rsplit(['.', '$']).next().unwrap_or_default();
            PairValue::Constant(format!("{short}.{name}"))
        }
        (_, Json::Null) => PairValue::Object(number),
        _ => PairValue::Value,
    })
}
