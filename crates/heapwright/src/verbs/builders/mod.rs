//! `heapwright builders`: a minimal set of methods that builds all structures.

mod args;

use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, ensure};
use heapwright_techniques::api::{ApiSearch, Machines, STEP_LIMIT, SearchEnd};
use heapwright_techniques::builders::{self, Builders};
use heapwright_techniques::statements::Skipped;
use schemars::JsonSchema;
use serde::Serialize;
use toml_edit::{Array, DocumentMut, Item, Table, value};

use crate::api::{ApiSearchJob, request};
use crate::exit;
use crate::files::{grouped, print, replace_file};
use crate::progress::ProgressLines;
use crate::report::claim::Claim;
use crate::report::summary::{Body, Head};

pub use args::BuildersArgs;

/// Finds the builders of a class.
///
/// # Errors
/// The request is wrong or its output cannot be written.
pub fn run(arguments: &BuildersArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let steps = arguments.max_steps.unwrap_or(STEP_LIMIT);
    let request = request(
        &arguments.api,
        &arguments.class,
        Some(arguments.scope),
        steps,
        None,
    )?;
    let interrupt = arguments.common.watch(arguments.common.jobs())?;
    let job = ApiSearchJob::new(
        request,
        &arguments.common.class_path,
        arguments.common.jobs(),
    )?;
    let mut line = ProgressLines::new(false);
    let numbers = Arc::default();
    let (mut vm, mut prepared) = job.machine(&numbers, &interrupt)?;
    let found = builders::builders(
        &mut vm,
        &mut prepared,
        ApiSearch::new(&job.request),
        Machines {
            jobs: job.jobs,
            more: &|| job.machine(&numbers, &interrupt).ok(),
        },
        &mut |progress| {
            line.update_api(&progress);
            match interrupt.reason() {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        },
    );
    line.clear();
    for skipped in &prepared.skipped {
        notice!("{} takes no part: {}", skipped.method, skipped.reason);
    }
    for method in &found.endless {
        notice!(
            "{method} is left out: with it there are too many structures within the scope, \
             or no end of them"
        );
    }
    for method in &found.in_part {
        notice!(
            "{method} was tried on some tuples of structures only, there being too many, \
             and added nothing"
        );
    }
    let stopped_by =
        (found.ended != SearchEnd::Complete).then(|| interrupt.reason().unwrap_or("--max-memory"));
    let seconds = start.elapsed().as_secs_f64();
    let class = &prepared.class;
    let sampled = prepared.literals.sampled.iter().map(String::as_str);
    let claim = claim(&found, &prepared.skipped, stopped_by).without_other_objects(sampled);
    if arguments.common.output.json {
        result(&found, class, &claim, seconds).print("builders")?;
    } else {
        print(&text(&found, class, arguments.scope, &claim, seconds))?;
    }
    if let Some(path) = &arguments.output
        && stopped_by.is_none()
    {
        write(path, class, &found)?;
    }
    Ok(match stopped_by {
        Some(_) => exit::ExitCode::Partial.into(),
        None if found.methods.is_empty() => exit::ExitCode::Nothing.into(),
        None => ExitCode::SUCCESS,
    })
}

fn text(found: &Builders, class: &str, scope: u32, claim: &Claim, seconds: f64) -> String {
    let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
    let mut text = String::new();
    for builder in &found.methods {
        text.push_str(&format!(
            "{}  adds {} structures\n",
            builder.method,
            grouped(builder.added)
        ));
    }
    text.push_str(&format!(
        "{simple} (scope {scope}): {} builders of {} public methods build {} structures, {} sequences \
         explored, {seconds:.2} s; {claim}\n",
        found.methods.len(),
        found.candidates,
        grouped(found.structures),
        grouped(found.explored),
    ));
    text
}

/// What may be claimed of the builders: that they build whatever all methods do but those that are named.
fn claim(found: &Builders, skipped: &[Skipped], stopped_by: Option<&str>) -> Claim {
    let mut claim = Claim::ended(stopped_by);
    let skipped = skipped.iter().map(|skipped| skipped.method.as_str());
    let left_out: Vec<&str> = skipped
        .chain(found.endless.iter().map(String::as_str))
        .collect();
    if !left_out.is_empty() {
        claim = claim.with_exclusion(format!("calls of {}", left_out.join(", ")));
    }
    if !found.in_part.is_empty() {
        let methods = found.in_part.join(", ");
        claim = claim.with_exclusion(format!("other tuples of structures for {methods}"));
    }
    claim
}

fn result(found: &Builders, class: &str, claim: &Claim, seconds: f64) -> Body<BuildersSummary> {
    let builders = found.methods.iter().map(|builder| BuilderSummary {
        method: builder.method.clone(),
        expression: builder.expression.clone(),
        added: builder.added,
    });
    let own = BuildersSummary {
        builders: builders.collect(),
        structures: found.structures,
        candidates: found.candidates,
        left_out: found.endless.clone(),
        tried_in_part: found.in_part.clone(),
    };
    Head::new(class, claim, seconds)
        .explored(found.explored, "sequences")
        .with(own)
}

/// Builders that were found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BuildersSummary {
    /// Builders, in the order in which they were chosen.
    builders: Vec<BuilderSummary>,
    /// Structures that they build.
    structures: u64,
    /// Methods that they were chosen from.
    candidates: usize,
    /// Methods left out since a call of them does not end.
    left_out: Vec<String>,
    /// Methods of which only some tuples of structures were tried.
    tried_in_part: Vec<String>,
}

/// A method that builds structures.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct BuilderSummary {
    /// The method.
    method: String,
    /// Regular expression that names it alone.
    expression: String,
    /// Structures that it adds to those of the builders before it.
    added: u64,
}

/// Writes the builders of a class into a settings file, and leaves the rest of the file unchanged.
fn write(path: &Path, class: &str, found: &Builders) -> anyhow::Result<()> {
    let text = match path.exists() {
        true => std::fs::read_to_string(path)
            .with_context(|| format!("failed to read {}", path.display()))?,
        false => String::new(),
    };
    let mut document: DocumentMut = text
        .parse()
        .with_context(|| format!("{} cannot be changed", path.display()))?;
    let builders = document
        .entry("builders")
        .or_insert(Item::Table(Table::new()));
    let table = builders.as_table_mut();
    ensure!(table.is_some(), "{}: builders is no table", path.display());
    let mut methods: Array = found
        .methods
        .iter()
        .map(|builder| builder.expression.as_str())
        .collect();
    for method in methods.iter_mut() {
        method.decor_mut().set_prefix("\n    ");
    }
    methods.set_trailing("\n");
    methods.set_trailing_comma(true);
    if let Some(table) = table {
        table.insert(class, value(methods));
    }
    replace_file(path, document.to_string().as_bytes())
}
