//! Results of tools: the summary of the verb, and what belongs to it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::Value;

use super::runs::Run;
use crate::exit::ExitCode;
use crate::verbs::schema::{SummaryOf, schema};

/// Maximum number of bytes of a source that is returned, and of all of them.
const MAX_SOURCE: u64 = 64 << 10;
const MAX_SOURCES: u64 = 256 << 10;

/// Result of a tool.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ToolOutput {
    /// How the run ended.
    pub outcome: Outcome,
    /// Notices and warnings of the run, a line each.
    pub messages: Vec<String>,
    /// Constructors and methods of the class, a line each: fields that they write (Defines) and
    /// read (Uses), objects that they take and return. Only of `explain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub members: Option<String>,
    /// Summary of the verb; null if there was nothing to do.
    pub summary: Value,
    /// Text of the files written, where it was asked for.
    pub sources: Vec<SourceText>,
    /// Files whose text is too long to be returned.
    pub sources_left_out: Vec<String>,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Nothing was found that is wrong.
    Done,
    /// A counterexample or a failing behaviour was found.
    Found,
    /// A limit was hit and the result is partial.
    Partial,
    /// There was nothing to generate.
    NothingToGenerate,
    /// Heapwright failed; the fault is its own.
    Fault,
}

impl Outcome {
    fn of(code: i32) -> Option<Outcome> {
        let outcomes = [
            (ExitCode::Done, Outcome::Done),
            (ExitCode::Found, Outcome::Found),
            (ExitCode::Partial, Outcome::Partial),
            (ExitCode::Nothing, Outcome::NothingToGenerate),
            (ExitCode::Fault, Outcome::Fault),
        ];
        let outcome = outcomes.iter().find(|(of, _)| *of as i32 == code);
        outcome.map(|(_, outcome)| *outcome)
    }

    fn text(self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::Found => "a counterexample or a failing behaviour was found",
            Outcome::Partial => "a limit was hit and the result is partial",
            Outcome::NothingToGenerate => "nothing to generate",
            Outcome::Fault => "a fault of Heapwright's own",
        }
    }
}

/// Text of a file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SourceText {
    /// Name of the file; below the output folder if that is temporary.
    pub file: String,
    /// Its text.
    pub text: String,
}

impl ToolOutput {
    /// Result of a run.
    ///
    /// # Errors
    /// The request was wrong, or the run has no summary; the error is the program's message.
    pub fn of(run: Run) -> anyhow::Result<ToolOutput> {
        let Some(outcome) = Outcome::of(run.code) else {
            bail!("{}", run.messages.join("\n"));
        };
        let summary = match run.output.trim() {
            "" => Value::Null,
            text => serde_json::from_str(text).context("failed to read the summary of a run")?,
        };
        Ok(ToolOutput {
            outcome,
            messages: run.messages,
            members: None,
            summary,
            sources: Vec::new(),
            sources_left_out: Vec::new(),
        })
    }

    /// Files that the run has written, as it names them.
    fn files(&self) -> Vec<PathBuf> {
        let files = self.summary["files"].as_array();
        let files = files.into_iter().flatten().filter_map(Value::as_str);
        files.map(PathBuf::from).collect()
    }

    /// Adds the text of the files written, which were named in `directory`. Names of files in a
    /// `temporary` folder of tests, and beside it, are shortened.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn add_sources(
        &mut self,
        directory: &Path,
        temporary: Option<&Path>,
    ) -> anyhow::Result<()> {
        let mut total = 0;
        for file in self.files() {
            let mut temporary = temporary.into_iter().flat_map(Path::ancestors).take(2);
            let name = temporary.find_map(|folder| file.strip_prefix(folder).ok());
            let name = name.unwrap_or(&file).display().to_string();
            let path = directory.join(&file);
            let unread = || format!("failed to read {}", path.display());
            let size = fs::metadata(&path).with_context(unread)?.len();
            if size > MAX_SOURCE || total + size > MAX_SOURCES {
                self.sources_left_out.push(name);
                continue;
            }
            total += size;
            let text = fs::read_to_string(&path).with_context(unread)?;
            self.sources.push(SourceText { file: name, text });
        }
        Ok(())
    }

    /// Drops the names of the files written in a folder that does not stay, and shortens those in texts
    /// to the names of the sources.
    pub fn forget_folder(&mut self, folder: &Path) {
        if let Some(files) = self.summary.get_mut("files") {
            *files = Value::Array(Vec::new());
        }
        let folder = format!("{}/", folder.display());
        for message in &mut self.messages {
            *message = message.replace(&folder, "");
        }
        shorten(&mut self.summary, &folder);
    }

    /// A line on the result, followed by the messages of the run.
    pub fn text(&self) -> String {
        let mut parts = vec![self.outcome.text().to_owned()];
        for (key, what) in [
            ("counterexamples", "counterexamples"),
            ("failing_behaviours", "failing behaviours"),
            ("goals_not_covered", "goals not covered"),
            ("mutants_alive", "mutants not noticed"),
            ("files", "files written"),
        ] {
            if let Some(items) = self.summary[key].as_array() {
                parts.push(format!("{what}: {}", items.len()));
            }
        }
        let line = parts.join("; ");
        let lines = std::iter::once(line).chain(self.messages.iter().cloned());
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Schema of the results of a tool whose verb has this summary.
///
/// # Errors
/// The schemas are no objects, which is a fault.
pub fn output_schema(of: SummaryOf) -> anyhow::Result<Arc<JsonObject>> {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let own = settings
        .into_generator()
        .into_root_schema_for::<ToolOutput>();
    let mut own = object(own.to_value())?;
    let mut summary = object(schema(of).to_value())?;
    summary.remove("$schema");
    let definitions = object(summary.remove("$defs").unwrap_or_default())?;
    if let Some(Value::Array(kinds)) = summary.get_mut("anyOf") {
        kinds.push(serde_json::json!({"type": "null"}));
    }
    for key in ["title", "description"] {
        own.remove(key);
    }
    if let Some(Value::Object(all)) = own.get_mut("$defs") {
        all.extend(definitions);
    }
    if let Some(Value::Object(keys)) = own.get_mut("properties") {
        keys.insert("summary".to_owned(), Value::Object(summary));
    }
    Ok(Arc::new(own))
}

fn object(value: Value) -> anyhow::Result<JsonObject> {
    match value {
        Value::Object(object) => Ok(object),
        other => bail!("no schema of an object: {other}"),
    }
}

/// Removes a text from all texts of a value.
fn shorten(value: &mut Value, text: &str) {
    match value {
        Value::String(whole) if whole.contains(text) => *whole = whole.replace(text, ""),
        Value::Array(values) => values.iter_mut().for_each(|it| shorten(it, text)),
        Value::Object(fields) => fields.values_mut().for_each(|it| shorten(it, text)),
        _ => {}
    }
}
