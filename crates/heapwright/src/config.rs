//! `heapwright.toml`: settings of `enumerate` and `check` beside the build file.
//!
//! The command line wins: a setting only fills in what was not said there. What is wrong is named
//! with file, line and key.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow};
use heapwright_techniques::adjust::{Adjustment, Adjustments, Item, Setting};
use serde::Deserialize;
use toml::{Spanned, Table, Value};

use crate::options::{
    ApiArgs, BoundsArgs, ClassPathArgs, ConfigArgs, OracleArgs, parse_size, parse_time,
    parse_time_or_none,
};
use crate::verbs::builders::BuildersArgs;
use crate::verbs::check::CheckArgs;
use crate::verbs::compare::CompareArgs;
use crate::verbs::enumerate::{EnumerateArgs, Source};
use crate::verbs::fields::FieldsArgs;
use crate::verbs::paths::PathsArgs;
use crate::verbs::sequences::SequencesArgs;

/// The name of the file.
const NAME: &str = "heapwright.toml";

/// Files that mark the root of a project: settings are looked for no further up.
const ROOT_MARKS: [&str; 7] = [
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "build.xml",
    ".git",
];

/// What a file can say: the options of the same names.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Settings {
    classpath: Vec<PathBuf>,
    jdk: Option<PathBuf>,
    max_memory: Option<Spanned<String>>,
    max_steps: Option<u64>,
    max_tests: Option<u64>,
    time_limit: Option<Spanned<String>>,
    time_per_class: Option<Spanned<String>>,
    jobs: Option<Spanned<u16>>,
    junit: Option<Spanned<u8>>,
    invariant: Option<String>,
    expect_exception: Vec<String>,
    bounds: BoundsSettings,
    api: ApiSettings,
    /// For each class, the expressions of the methods that build its structures.
    builders: BTreeMap<String, Vec<String>>,
}

/// What a file says of searches from the API.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct ApiSettings {
    methods: Vec<String>,
    max_objects: Option<u32>,
    objects: BTreeMap<String, u32>,
    max_array_objects: Option<u32>,
    int_range: Option<Spanned<Value>>,
    long_range: Option<Spanned<Value>>,
    strings: Option<Vec<String>>,
    chars: Option<Spanned<Value>>,
    booleans: Option<Spanned<Value>>,
    floats: Option<Spanned<Value>>,
    doubles: Option<Spanned<Value>>,
    null: Option<bool>,
    omit_fields: Option<String>,
    type_args: BTreeMap<String, String>,
    values_of: BTreeMap<String, Vec<String>>,
    max_length: Option<u32>,
    misuse_exceptions: Vec<String>,
}

/// What a file says of derived bounds.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct BoundsSettings {
    scope: Option<u32>,
    objects: Said,
    fields: Said,
}

/// What is said of classes or fields, by their names.
type Said = BTreeMap<String, Spanned<Value>>;

/// A file with settings, as it was read.
struct File {
    path: PathBuf,
    text: String,
    settings: Settings,
}

/// Fills in what the command line of `enumerate` does not say.
///
/// # Errors
/// The file cannot be read or says what cannot be.
pub fn enumerate(mut arguments: EnumerateArgs) -> anyhow::Result<EnumerateArgs> {
    let Some(file) = File::find(&arguments.config)? else {
        return Ok(arguments);
    };
    file.fill_class_path(&mut arguments.class_path)?;
    file.fill_bounds(&mut arguments.bounds)?;
    let settings = &file.settings;
    file.fill_api(&mut arguments.api, &arguments.class)?;
    arguments.invariant = match arguments.from {
        Source::Invariant => arguments.invariant.or(settings.invariant.clone()),
        Source::Api => arguments.invariant,
    };
    arguments.junit.junit = arguments.junit.junit.or(file.junit()?);
    arguments.jobs = arguments.jobs.or(file.jobs()?);
    arguments.max_steps = arguments.max_steps.or(settings.max_steps);
    arguments.max_tests = arguments.max_tests.or(settings.max_tests);
    arguments.time_limit = arguments.time_limit.or(file.time_limit()?);
    Ok(arguments)
}

/// Fills in what the command line of `builders` does not say.
///
/// # Errors
/// The file cannot be read or says what cannot be.
pub fn builders(mut arguments: BuildersArgs) -> anyhow::Result<BuildersArgs> {
    // Builders that were found before are what is looked for.
    arguments.api.no_builders = true;
    if let Some(file) = File::find(&arguments.config)? {
        file.fill_class_path(&mut arguments.class_path)?;
        file.fill_api(&mut arguments.api, &arguments.class)?;
        arguments.jobs = arguments.jobs.or(file.jobs()?);
        let settings = &file.settings;
        arguments.max_steps = arguments.max_steps.or(settings.max_steps);
        arguments.time_limit = arguments.time_limit.or(file.time_limit()?);
    }
    Ok(arguments)
}

/// Fills in what the command line of `compare` does not say.
///
/// # Errors
/// The file cannot be read or says what cannot be.
pub fn compare(mut arguments: CompareArgs) -> anyhow::Result<CompareArgs> {
    if let Some(file) = File::find(&arguments.config)? {
        file.fill_class_path(&mut arguments.class_path)?;
        file.fill_api(&mut arguments.api, &arguments.class)?;
        arguments.adjustments = file.all_adjustments()?;
        let settings = &file.settings;
        arguments.invariant = arguments.invariant.or(settings.invariant.clone());
        arguments.jobs = arguments.jobs.or(file.jobs()?);
        arguments.max_steps = arguments.max_steps.or(settings.max_steps);
        arguments.time_limit = arguments.time_limit.or(file.time_limit()?);
    }
    Ok(arguments)
}

/// Fills in what the command line of `fields` does not say.
///
/// # Errors
/// The file cannot be read or says what cannot be.
pub fn fields(mut arguments: FieldsArgs) -> anyhow::Result<FieldsArgs> {
    let Some(file) = File::find(&arguments.config)? else {
        return Ok(arguments);
    };
    file.fill_class_path(&mut arguments.class_path)?;
    let settings = &file.settings;
    file.fill_api(&mut arguments.api, std::slice::from_ref(&arguments.class))?;
    arguments.scope = arguments.scope.or(settings.bounds.scope);
    arguments.invariant = arguments.invariant.or(settings.invariant.clone());
    arguments.junit.junit = arguments.junit.junit.or(file.junit()?);
    arguments.jobs = arguments.jobs.or(file.jobs()?);
    arguments.max_steps = arguments.max_steps.or(settings.max_steps);
    arguments.max_tests = arguments.max_tests.or(settings.max_tests);
    let time_limit = file.parsed(settings.time_limit.as_ref(), "time-limit", parse_time)?;
    arguments.time_limit = arguments.time_limit.or(time_limit);
    file.fill_oracles(&mut arguments.judged);
    Ok(arguments)
}

/// Fills in what the command line of `paths` does not say.
///
/// # Errors
/// The file cannot be read or says what cannot be.
pub fn paths(mut arguments: PathsArgs) -> anyhow::Result<PathsArgs> {
    let Some(file) = File::find(&arguments.config)? else {
        return Ok(arguments);
    };
    file.fill_class_path(&mut arguments.class_path)?;
    let settings = &file.settings;
    arguments.scope = arguments.scope.or(settings.bounds.scope);
    if let Some(name @ None) = &mut arguments.precondition {
        name.clone_from(&settings.invariant);
    }
    arguments.junit.junit = arguments.junit.junit.or(file.junit()?);
    let max_steps = &mut arguments.inputs.max_steps;
    *max_steps = max_steps.or(settings.max_steps);
    arguments.time_limit = arguments.time_limit.or(file.time_limit()?);
    arguments.jobs = arguments.jobs.or(file.jobs()?);
    file.fill_oracles(&mut arguments.judged);
    Ok(arguments)
}

/// Fills in what the command line of `sequences` does not say.
///
/// # Errors
/// The file cannot be read or says what cannot be.
pub fn sequences(mut arguments: SequencesArgs) -> anyhow::Result<SequencesArgs> {
    let Some(file) = File::find(&arguments.config)? else {
        return Ok(arguments);
    };
    file.fill_class_path(&mut arguments.class_path)?;
    arguments.junit.junit = arguments.junit.junit.or(file.junit()?);
    arguments.max_steps = arguments.max_steps.or(file.settings.max_steps);
    arguments.time_limit = arguments.time_limit.or(file.time_limit()?);
    let per_class = file.settings.time_per_class.as_ref();
    let per_class = file.parsed(per_class, "time-per-class", parse_time_or_none)?;
    arguments.time_per_class = arguments.time_per_class.or(per_class);
    arguments.jobs = arguments.jobs.or(file.jobs()?);
    file.fill_oracles(&mut arguments.oracles);
    Ok(arguments)
}

/// Fills in what the command line of `check` does not say.
///
/// # Errors
/// The file cannot be read or says what cannot be.
pub fn check(mut arguments: CheckArgs) -> anyhow::Result<CheckArgs> {
    let Some(file) = File::find(&arguments.config)? else {
        return Ok(arguments);
    };
    file.fill_class_path(&mut arguments.class_path)?;
    file.fill_bounds(&mut arguments.bounds)?;
    let settings = &file.settings;
    if arguments.prefer_api {
        let class = std::slice::from_ref(&arguments.class);
        file.fill_api(&mut arguments.api, class)?;
    }
    arguments.invariant = arguments.invariant.or(settings.invariant.clone());
    arguments.junit.junit = arguments.junit.junit.or(file.junit()?);
    arguments.jobs = arguments.jobs.or(file.jobs()?);
    arguments.max_steps = arguments.max_steps.or(settings.max_steps);
    arguments.time_limit = arguments.time_limit.or(file.time_limit()?);
    file.fill_oracles(&mut arguments.judged);
    Ok(arguments)
}

impl File {
    fn fill_oracles(&self, oracles: &mut OracleArgs) {
        if oracles.expected.is_empty() {
            oracles.expected.clone_from(&self.settings.expect_exception);
        }
    }

    /// The file that is named, or the one of the project, if it has one.
    fn find(arguments: &ConfigArgs) -> anyhow::Result<Option<File>> {
        if arguments.no_config {
            return Ok(None);
        }
        match &arguments.config {
            Some(path) => File::read(path.clone()).map(Some),
            None => {
                let folder = env::current_dir().context("failed to find the current folder")?;
                of_project(&folder).map(File::read).transpose()
            }
        }
    }

    fn read(path: PathBuf) -> anyhow::Result<File> {
        let text = fs::read_to_string(&path)
            .with_context(|| format!("failed to read {}", path.display()))?;
        let mut file = File {
            path,
            text,
            settings: Settings::default(),
        };
        file.settings = toml::from_str(&file.text).map_err(|error| {
            let message = error.message().trim_end().replace('\n', "; ");
            anyhow!("{}: {message}", file.place(error.span().unwrap_or(0..0)))
        })?;
        Ok(file)
    }

    /// Where something stands: the file and its line.
    fn place(&self, span: Range<usize>) -> String {
        let before = self.text.get(..span.start).unwrap_or(&self.text);
        let line = 1 + before.matches('\n').count();
        format!("{}:{line}", self.path.display())
    }

    fn error(
        &self,
        span: Range<usize>,
        key: &str,
        reason: impl std::fmt::Display,
    ) -> anyhow::Error {
        anyhow!("{}: {key}: {reason}", self.place(span))
    }

    fn parsed<T>(
        &self,
        setting: Option<&Spanned<String>>,
        key: &str,
        parse: fn(&str) -> anyhow::Result<T>,
    ) -> anyhow::Result<Option<T>> {
        let parse = |text: &Spanned<String>| {
            parse(text.get_ref()).map_err(|error| self.error(text.span(), key, error))
        };
        setting.map(parse).transpose()
    }

    fn junit(&self) -> anyhow::Result<Option<u8>> {
        match &self.settings.junit {
            Some(version) if !(4..=5).contains(version.get_ref()) => {
                Err(self.error(version.span(), "junit", "JUnit is 4 or 5"))
            }
            version => Ok(version.as_ref().map(|version| *version.get_ref())),
        }
    }

    fn time_limit(&self) -> anyhow::Result<Option<Duration>> {
        self.parsed(self.settings.time_limit.as_ref(), "time-limit", parse_time)
    }

    fn jobs(&self) -> anyhow::Result<Option<u16>> {
        match &self.settings.jobs {
            Some(jobs) if !(1..=1024).contains(jobs.get_ref()) => {
                Err(self.error(jobs.span(), "jobs", "there are 1 to 1024 workers"))
            }
            jobs => Ok(jobs.as_ref().map(|jobs| *jobs.get_ref())),
        }
    }

    /// Paths of the file are relative to its folder.
    fn fill_class_path(&self, arguments: &mut ClassPathArgs) -> anyhow::Result<()> {
        let settings = &self.settings;
        let folder = self.path.parent().unwrap_or(Path::new(""));
        if arguments.class_path.is_empty() {
            arguments.file_class_path = settings
                .classpath
                .iter()
                .map(|path| folder.join(path))
                .collect();
        }
        if arguments.jdk.is_none() {
            arguments.jdk = settings.jdk.as_ref().map(|path| folder.join(path));
        }
        let memory = self.parsed(settings.max_memory.as_ref(), "max-memory", parse_size)?;
        arguments.max_memory = arguments.max_memory.or(memory);
        Ok(())
    }

    fn fill_bounds(&self, arguments: &mut BoundsArgs) -> anyhow::Result<()> {
        let bounds = &self.settings.bounds;
        if arguments.finitization.is_none() && arguments.args.is_none() {
            arguments.scope = arguments.scope.or(bounds.scope);
        }
        arguments.adjustments = self.all_adjustments()?;
        Ok(())
    }

    fn all_adjustments(&self) -> anyhow::Result<Adjustments> {
        let bounds = &self.settings.bounds;
        Ok(Adjustments {
            source: NAME.to_owned(),
            objects: self.adjustments(&bounds.objects)?,
            fields: self.adjustments(&bounds.fields)?,
        })
    }

    /// Fills in what a search from the API is made of; the builders of the first class, if no methods
    /// are named.
    fn fill_api(&self, arguments: &mut ApiArgs, classes: &[String]) -> anyhow::Result<()> {
        let settings = &self.settings.api;
        if arguments.methods.is_empty() && arguments.methods_file.is_none() {
            let builders = classes
                .first()
                .and_then(|class| self.settings.builders.get(class));
            arguments.methods = match builders.filter(|_| !arguments.no_builders) {
                Some(builders) => builders.clone(),
                None => settings.methods.clone(),
            };
        }
        arguments.max_objects = arguments.max_objects.or(settings.max_objects);
        if arguments.max_objects_of.is_empty() {
            let objects = settings.objects.iter();
            arguments.max_objects_of = objects
                .map(|(class, most)| format!("{class}={most}"))
                .collect();
        }
        let most = settings.max_array_objects;
        arguments.max_array_objects = arguments.max_array_objects.or(most);
        for (argument, setting, key) in [
            (&mut arguments.int_range, &settings.int_range, "int_range"),
            (
                &mut arguments.long_range,
                &settings.long_range,
                "long_range",
            ),
            (&mut arguments.chars, &settings.chars, "chars"),
            (&mut arguments.booleans, &settings.booleans, "booleans"),
            (&mut arguments.floats, &settings.floats, "floats"),
            (&mut arguments.doubles, &settings.doubles, "doubles"),
        ] {
            if let (None, Some(setting)) = (&argument, setting) {
                let text = list_text(setting.get_ref());
                let wrong = || self.error(setting.span(), key, "it is a text or a list of values");
                *argument = Some(text.ok_or_else(wrong)?);
            }
        }
        if arguments.strings.is_none() {
            arguments.strings.clone_from(&settings.strings);
        }
        arguments.null = arguments.null.or(settings.null);
        if arguments.omit_fields.is_none() {
            arguments.omit_fields.clone_from(&settings.omit_fields);
        }
        if arguments.type_args.is_empty() {
            let chosen = settings.type_args.iter();
            arguments.type_args = chosen
                .map(|(variable, chosen)| format!("{variable}={chosen}"))
                .collect();
        }
        if arguments.values_of.is_empty() {
            let given = settings.values_of.iter();
            arguments.values_of = given
                .map(|(name, fields)| format!("{name}={}", fields.join(",")))
                .collect();
        }
        arguments.max_length = arguments.max_length.or(settings.max_length);
        if arguments.misuse.is_none() && arguments.misuse_exceptions.is_empty() {
            arguments
                .misuse_exceptions
                .clone_from(&settings.misuse_exceptions);
        }
        Ok(())
    }

    fn adjustments(&self, said: &Said) -> anyhow::Result<Vec<Adjustment>> {
        let adjustment = |(key, value): (&String, &Spanned<Value>)| {
            let setting = setting(value.get_ref());
            Ok(Adjustment {
                key: key.clone(),
                place: self.place(value.span()),
                setting: setting.map_err(|reason| self.error(value.span(), key, reason))?,
            })
        };
        said.iter().map(adjustment).collect()
    }
}

/// A text, or a list of values as the command line writes it.
fn list_text(value: &Value) -> Option<String> {
    let scalar = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(integer) => Some(integer.to_string()),
        Value::Float(float) => Some(float.to_string()),
        Value::Boolean(truth) => Some(truth.to_string()),
        _ => None,
    };
    match value {
        Value::Array(values) => {
            let texts: Option<Vec<String>> = values.iter().map(scalar).collect();
            Some(texts?.join(","))
        }
        value => scalar(value),
    }
}

/// The settings of the project that a folder is in.
fn of_project(folder: &Path) -> Option<PathBuf> {
    for folder in folder.ancestors() {
        let path = folder.join(NAME);
        if path.is_file() {
            return Some(path);
        }
        if ROOT_MARKS.iter().any(|mark| folder.join(mark).exists()) {
            return None;
        }
    }
    None
}

fn setting(value: &Value) -> Result<Setting, String> {
    match value {
        Value::Table(table) => array_setting(table),
        Value::Array(items) => Ok(Setting::Items(
            items.iter().map(item).collect::<Result<_, _>>()?,
        )),
        value => Ok(Setting::Items(vec![item(value)?])),
    }
}

fn array_setting(table: &Table) -> Result<Setting, String> {
    let wanted = "arrays are { length = …, element = … }";
    if let Some(key) = table
        .keys()
        .find(|key| !["length", "element"].contains(&key.as_str()))
    {
        return Err(format!(
            "unknown key {key}: {wanted}, and names of classes and fields are put in quotes"
        ));
    }
    let (Some(length), Some(element)) = (table.get("length"), table.get("element")) else {
        return Err(wanted.to_owned());
    };
    let Setting::Items(lengths) = setting(length)? else {
        return Err("a length is a number or a range".to_owned());
    };
    Ok(Setting::Array {
        lengths,
        elements: Box::new(setting(element)?),
    })
}

fn item(value: &Value) -> Result<Item, String> {
    Ok(match value {
        Value::Integer(value) => Item::Integer(*value),
        Value::Float(value) => Item::Float(*value),
        Value::Boolean(value) => Item::Boolean(*value),
        Value::String(text) => Item::Text(text.clone()),
        other => {
            return Err(format!(
                "{} is none of a number, a boolean and a string",
                other.type_str()
            ));
        }
    })
}
