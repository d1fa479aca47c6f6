//! `heapwright.toml`: options of verbs in a file beside the build file.
//!
//! A key is an option's long name, so that every option can be set. The file's options are parsed
//! before those of the command line, which override them. Options of the build come before both.
//! Errors name file, line and key.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::builder::ValueHint;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser};
use heapwright_techniques::adjust::{Adjustment, Adjustments, Setting, SettingValue};
use serde::Deserialize;
use toml::de::{DeString, DeTable, DeValue};
use toml::{Spanned, Table, Value};

use crate::cli::{Cli, Verb};
use crate::modules::{ForAll, ModulesRun};
use crate::options::{ApiArgs, MessageArgs, parse_time};
use crate::project::{self, GivenOptions, InProject, ProjectOptions};
use crate::report::excerpt::excerpt;
use crate::report::explain::suggest;
use crate::watch::WatchRun;

/// Name of the settings file.
pub const NAME: &str = "heapwright.toml";

/// Files that mark the root of a project: the search for settings stops there.
const ROOT_MARKS: [&str; 7] = [
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "build.xml",
    ".git",
];

/// Tables of the file with their own keys; any other table belongs to a verb.
const API: &str = "api";
const BOUNDS: &str = "bounds";
const BUILDERS: &str = "builders";
const VALUES: &str = "values";

/// Keys of `[api]` with the different names of their options.
const RENAMED: [(&str, &str); 3] = [
    ("objects", "max-objects-of"),
    ("type-args", "type-arg"),
    ("misuse-exceptions", "misuse-exception"),
];

/// Options of the file that options of the command line override, though both may be given there.
const OVERRIDDEN_BY: [(&str, &[&str]); 3] = [
    ("scope", &["finitization", "args"]),
    ("methods", &["methods_file"]),
    ("misuse_exceptions", &["misuse"]),
];

/// Command line that cannot be executed.
pub enum ParseError {
    /// Usage error, or a request for help or version.
    CommandLine(clap::Error),
    /// The settings file cannot be read or is wrong, or the build cannot be used.
    Settings(anyhow::Error),
}

impl From<clap::Error> for ParseError {
    fn from(error: clap::Error) -> ParseError {
        ParseError::CommandLine(error)
    }
}

impl From<anyhow::Error> for ParseError {
    fn from(error: anyhow::Error) -> ParseError {
        ParseError::Settings(error)
    }
}

/// What a command line asks for.
pub enum CommandLine {
    /// A run of a verb.
    Verb(Box<Cli>),
    /// A run of a verb on each of several modules of a project.
    Modules(ModulesRun),
    /// Runs of a verb on classes that change.
    Watch(WatchRun),
}

/// Parses a command line and completes it with the settings and the build of the project.
///
/// # Errors
/// The command line or the file is wrong, or the build cannot be used.
pub fn parse(words: &[OsString]) -> Result<CommandLine, ParseError> {
    completed(words).map_err(|error| match error {
        ParseError::CommandLine(error) => explained(words, error),
        ParseError::Settings(error) => ParseError::Settings(error),
    })
}

/// Adds to a usage error what the build of a project would have said, and takes the options off its
/// usage, which the help of the verb lists.
fn explained(words: &[OsString], mut error: clap::Error) -> ParseError {
    let name = words.get(1).and_then(|name| name.to_str());
    let mut command = Cli::command();
    command.build();
    let Some(verb) = name.and_then(|name| command.find_subcommand_mut(name)) else {
        return error.into();
    };
    let names_class_path = |word: &OsString| {
        let word = word.to_string_lossy();
        word.starts_with("-p") || word.starts_with("--classpath")
    };
    let is_missing = |long: &str| match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) => missing.iter().any(|one| one.starts_with(long)),
        _ => false,
    };
    let folder = env::current_dir().unwrap_or_default();
    if error.kind() == ErrorKind::MissingRequiredArgument
        && is_missing("--class ")
        && option_named(verb, "module").is_some()
        && !words.iter().any(names_class_path)
        && !project::is_in_project(&folder)
    {
        let verb = verb.get_name();
        return ParseError::Settings(anyhow!(
            "nothing says what to test: no pom.xml, build.gradle or settings.gradle (or either with .kts) is in {} \
             or above; run {verb} in a project of Maven or Gradle, or name a class path and classes: \
             heapwright {verb} -p CLASSPATH -c CLASS",
            folder.display()
        ));
    }
    if error.get(ContextKind::Usage).is_some() {
        let usage = ContextValue::StyledStr(verb.render_usage());
        error.insert(ContextKind::Usage, usage);
    }
    error.into()
}

/// Does what [`parse`] does, but for explanations.
fn completed(words: &[OsString]) -> Result<CommandLine, ParseError> {
    let plain = || {
        let mut cli = Cli::try_parse_from(words)?;
        cli.words = words.to_vec();
        Ok::<_, clap::Error>(of_verb(words, cli))
    };
    // Most runs have no file and no build, and need no second parse.
    let names_file = |word: &OsString| word.to_string_lossy().starts_with("--config");
    let folder = env::current_dir().ok();
    let is_in = |is_in: fn(&Path) -> bool| folder.as_deref().is_some_and(is_in);
    let has_file = is_in(|folder| of_project(folder).is_some());
    if !has_file && !is_in(project::is_in_project) && !words.iter().any(names_file) {
        return Ok(plain()?);
    }
    let mut command = Cli::command();
    command.build();
    // Options missing here may be in the file, so errors are ignored.
    let given = command
        .clone()
        .ignore_errors(true)
        .try_get_matches_from(words);
    let given = given.ok().and_then(|mut given| given.remove_subcommand());
    let verb = given.and_then(|(name, given)| Some((command.find_subcommand(&name)?, given)));
    let Some((verb, given)) = verb.filter(|(_, given)| !asks_for_help(words, given)) else {
        return Ok(plain()?);
    };
    let file = match has_settings(verb) {
        true => File::find(&given)?,
        false => None,
    };
    let table = file.as_ref().map(File::table).transpose()?;
    let mut options = Vec::new();
    if let (Some(file), Some(table)) = (&file, &table) {
        file.check_keys(&command, table)?;
        options = file.options(table, verb, &given)?;
    }
    let of_file = |id: &str| options.iter().any(|option| option.id == id);
    let in_project = project::options(GivenOptions {
        verb,
        line: &given,
        of_file: &of_file,
    })?;
    let of_project = match in_project {
        InProject::Apart => ProjectOptions::default(),
        InProject::Module(options) => options,
        InProject::Modules(shares, notices) => {
            if flag(&given, "watch") {
                let entries = shares.into_iter().flat_map(|share| share.outputs);
                let run = WatchRun::new(words, entries.collect());
                return Ok(CommandLine::Watch(run));
            }
            let of_file = |id: &str| {
                let option = options.iter().find(|option| option.id == id)?;
                let (_, value) = option.words.first()?.to_str()?.split_once('=')?;
                Some(value.to_owned())
            };
            let limit = given.try_get_one::<Duration>("time_limit").ok().flatten();
            let report = given.try_get_one::<PathBuf>("report").ok().flatten();
            let all = ForAll {
                limit: limit
                    .copied()
                    .or_else(|| parse_time(&of_file("time_limit")?).ok()),
                report: report
                    .cloned()
                    .or_else(|| of_file("report").map(PathBuf::from)),
                is_json: flag(&given, "json"),
                messages: MessageArgs {
                    verbose: flag(&given, "verbose"),
                    quiet: flag(&given, "quiet"),
                },
                notices,
            };
            let run = ModulesRun::new(verb.get_name(), words, all, shares);
            return Ok(CommandLine::Modules(run));
        }
    };
    let of_file = options.iter().flat_map(|option| &option.words);
    let all: Vec<OsString> = words[..2]
        .iter()
        .chain(&of_project.words)
        .chain(of_file)
        .chain(&words[2..])
        .cloned()
        .collect();
    let cli = Cli::try_parse_from(&all);
    let mut cli = cli.map_err(|error| match &file {
        Some(file) => file.explain(&options, error),
        None => error.into(),
    })?;
    if let (Some(file), Some(table)) = (&file, &table) {
        file.fill(table, &mut cli.verb)?;
        cli.settings = Some(file.path.clone());
    }
    cli.project = of_project;
    cli.words = all;
    Ok(of_verb(words, cli))
}

/// Parses the words of a command line that was completed before, with the text of its settings
/// file.
///
/// # Errors
/// They are none of this version.
pub fn restore(words: &[String], settings: Option<&str>) -> anyhow::Result<Cli> {
    let mut cli = Cli::try_parse_from(words)?;
    if let Some(text) = settings {
        let file = File::of(PathBuf::from(NAME), text.to_owned())?;
        let table = file.table()?;
        file.fill(&table, &mut cli.verb)
            .map_err(|error| match error {
                ParseError::CommandLine(error) => error.into(),
                ParseError::Settings(error) => error,
            })?;
    }
    Ok(cli)
}

/// A run of a verb, or several ones on classes that change.
fn of_verb(words: &[OsString], cli: Cli) -> CommandLine {
    match cli.verb.class_path() {
        Some(class_path) if class_path.project.watch => {
            CommandLine::Watch(WatchRun::new(words, class_path.paths()))
        }
        _ => CommandLine::Verb(Box::new(cli)),
    }
}

/// Whether a command line asks for help, which needs no build.
fn asks_for_help(words: &[OsString], given: &ArgMatches) -> bool {
    let is_help = |word: &OsString| ["-h", "--help"].iter().any(|help| word == help);
    given.args_present() && words.iter().any(is_help) || words.iter().skip(2).take(1).any(is_help)
}

/// Whether a verb reads settings.
fn has_settings(verb: &Command) -> bool {
    verb.get_arguments()
        .any(|option| option.get_id() == "no_config")
}

/// Finds the option of a command by its long name or alias.
fn option_named<'c>(command: &'c Command, key: &str) -> Option<&'c Arg> {
    let is_alias = |option: &&Arg| {
        let aliases = option.get_all_aliases().unwrap_or_default();
        option.get_long() == Some(key) || aliases.contains(&key)
    };
    command.get_arguments().find(is_alias)
}

/// Long name of the option that a key denotes.
fn option_name(key: &str) -> String {
    let name = key.replace('_', "-");
    let renamed = RENAMED.iter().find(|(key, _)| *key == name);
    renamed.map_or(name, |(_, option)| (*option).to_owned())
}

/// Key of the file, with its position.
type SettingKey<'t> = Spanned<DeString<'t>>;

/// Parts of the file that no command line option can express.
#[derive(Deserialize, Default)]
#[serde(default)]
struct TypedSettings {
    bounds: BoundsSettings,
    /// Regular expressions of the builders of each class.
    builders: BTreeMap<String, Vec<String>>,
    /// Invariant, also the precondition of `paths`.
    invariant: Option<String>,
}

/// Derived bounds.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct BoundsSettings {
    /// Accepted here, but read as an option.
    #[serde(rename = "scope")]
    _scope: Option<u32>,
    objects: SettingsByName,
    fields: SettingsByName,
}

/// Values by names of classes or fields.
type SettingsByName = BTreeMap<String, Spanned<Value>>;

/// Settings file.
struct File {
    path: PathBuf,
    text: String,
    typed: TypedSettings,
}

/// Option of the file, as words of a command line.
struct FileOption {
    id: String,
    key: String,
    place: String,
    words: Vec<OsString>,
}

impl File {
    /// Finds the file given, or that of the project, if there is one.
    fn find(given: &ArgMatches) -> anyhow::Result<Option<File>> {
        if flag(given, "no_config") {
            return Ok(None);
        }
        match given.try_get_one::<PathBuf>("config").ok().flatten() {
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
        File::of(path, text)
    }

    fn of(path: PathBuf, text: String) -> anyhow::Result<File> {
        let mut file = File {
            path,
            text,
            typed: TypedSettings::default(),
        };
        file.typed = toml::from_str(&file.text).map_err(|error| file.wrong(&error))?;
        Ok(file)
    }

    /// Error of the file's syntax or of a type in it.
    fn wrong(&self, error: &toml::de::Error) -> anyhow::Error {
        let message = error.message().trim_end().replace('\n', "; ");
        let span = error.span().unwrap_or(0..0);
        anyhow!(
            "{}: {message}{}",
            self.place(span.clone()),
            self.excerpt(span)
        )
    }

    /// File and line of a span.
    fn place(&self, span: Range<usize>) -> String {
        let before = self.text.get(..span.start).unwrap_or(&self.text);
        let line = 1 + before.matches('\n').count();
        format!("{}:{line}", self.path.display())
    }

    /// The lines of a span, behind a line end.
    fn excerpt(&self, span: Range<usize>) -> String {
        let is_there = !span.is_empty() && self.text.get(span.clone()).is_some();
        match is_there {
            true => format!("\n{}", excerpt(&self.text, span, None)),
            false => String::new(),
        }
    }

    fn error(
        &self,
        span: Range<usize>,
        key: &str,
        reason: impl std::fmt::Display,
    ) -> anyhow::Error {
        let excerpt = self.excerpt(span.clone());
        anyhow!("{}: {key}: {reason}{excerpt}", self.place(span))
    }

    fn table(&self) -> anyhow::Result<DeTable<'_>> {
        let table = DeTable::parse(&self.text).map_err(|error| self.wrong(&error))?;
        Ok(table.into_inner())
    }

    /// Rejects unknown keys and unknown tables.
    fn check_keys(&self, command: &Command, table: &DeTable<'_>) -> anyhow::Result<()> {
        let verbs: Vec<&Command> = command
            .get_subcommands()
            .filter(|verb| has_settings(verb))
            .collect();
        for (key, value) in table {
            let name: &str = key.get_ref();
            let verb = verbs.iter().find(|verb| verb.get_name() == name);
            match (value.get_ref(), verb) {
                (DeValue::Table(_), _) if [BOUNDS, BUILDERS, VALUES].contains(&name) => {}
                (DeValue::Table(keys), _) if name == API => {
                    let api = api_command();
                    self.check_options(keys, " of searches from the API", &[&api])?;
                }
                (DeValue::Table(keys), Some(verb)) => {
                    self.check_options(keys, &format!(" of {name}"), &[verb])?;
                }
                (DeValue::Table(_), None) => bail!(
                    "{}: [{name}] is none of [{API}], [{BOUNDS}], [{BUILDERS}], [{VALUES}] and the verbs",
                    self.place(key.span())
                ),
                _ => self.check_option(key, " of any verb", &verbs)?,
            }
        }
        Ok(())
    }

    fn check_options(
        &self,
        keys: &DeTable<'_>,
        of: &str,
        commands: &[&Command],
    ) -> anyhow::Result<()> {
        keys.keys()
            .try_for_each(|key| self.check_option(key, of, commands))
    }

    fn check_option(
        &self,
        key: &SettingKey<'_>,
        of: &str,
        commands: &[&Command],
    ) -> anyhow::Result<()> {
        let name = option_name(key.get_ref());
        if commands
            .iter()
            .any(|command| option_named(command, &name).is_some())
        {
            return Ok(());
        }
        let options = commands.iter().flat_map(|command| command.get_arguments());
        let names = options
            .filter(|option| !is_of_settings(option))
            .filter_map(Arg::get_long);
        let names: BTreeSet<String> = names.map(str::to_owned).collect();
        let names: Vec<String> = names.into_iter().collect();
        let hint = suggest(&name, &names);
        bail!(
            "{}: {} is no option{of}{hint}{}",
            self.place(key.span()),
            key.get_ref(),
            self.excerpt(key.span())
        )
    }

    /// Options of the file that the command line leaves open. Those in the verb's own table
    /// override the others.
    fn options(
        &self,
        table: &DeTable<'_>,
        verb: &Command,
        given: &ArgMatches,
    ) -> anyhow::Result<Vec<FileOption>> {
        let mut options: BTreeMap<String, FileOption> = BTreeMap::new();
        let mut add = |option: FileOption| drop(options.insert(option.id.clone(), option));
        let of_table = |name: &str| {
            let found = table.iter().find(|(key, _)| key.get_ref() == name);
            found
                .and_then(|(_, value)| value.get_ref().as_table())
                .into_iter()
                .flatten()
        };
        let plain = table
            .iter()
            .filter(|(_, value)| !value.get_ref().is_table());
        let scope = of_table(BOUNDS).filter(|(key, _)| key.get_ref() == "scope");
        for (key, value) in plain.chain(scope) {
            self.option(verb, key, value)?.map(&mut add);
        }
        for (key, value) in of_table(verb.get_name()) {
            self.option(verb, key, value)?.map(&mut add);
        }
        if takes_api(verb) {
            let class = class_of(verb, given, &options);
            let leaves_builders = flag(given, "no_builders") || verb.get_name() == BUILDERS;
            let class = class.as_deref().filter(|_| !leaves_builders);
            for option in self.api_options(of_table(API), class)? {
                options.entry(option.id.clone()).or_insert(option);
            }
        }
        options.retain(|id, _| !is_decided(verb, id, given));
        Ok(options.into_values().collect())
    }

    /// Options of `[api]`; the builders of the class, if it has some, replace the methods.
    fn api_options<'t>(
        &self,
        keys: impl Iterator<Item = (&'t SettingKey<'t>, &'t Spanned<DeValue<'t>>)>,
        class: Option<&str>,
    ) -> anyhow::Result<Vec<FileOption>> {
        let api = api_command();
        let options = keys.map(|(key, value)| self.option(&api, key, value));
        let options: Vec<Option<FileOption>> = options.collect::<anyhow::Result<_>>()?;
        let mut options: Vec<FileOption> = options.into_iter().flatten().collect();
        if let Some(builders) = class.and_then(|class| self.typed.builders.get(class)) {
            options.retain(|option| option.id != "methods");
            options.push(FileOption {
                id: "methods".to_owned(),
                key: BUILDERS.to_owned(),
                place: self.path.display().to_string(),
                words: builders
                    .iter()
                    .map(|method| format!("--method={method}").into())
                    .collect(),
            });
        }
        Ok(options)
    }

    /// Translates a key and its value to words of a command line; none if the command has no such
    /// option.
    fn option(
        &self,
        command: &Command,
        key: &SettingKey<'_>,
        value: &Spanned<DeValue<'_>>,
    ) -> anyhow::Result<Option<FileOption>> {
        let name = option_name(key.get_ref());
        let Some(option) = option_named(command, &name) else {
            return Ok(None);
        };
        let wrong = |reason: &str| self.error(value.span(), key.get_ref(), reason);
        if is_of_settings(option) {
            return Err(wrong("it names the file: it cannot stand there"));
        }
        let long = option.get_long().unwrap_or_default();
        let word = |text: &str| OsString::from(format!("--{long}={text}"));
        let of_path = |text: &str| {
            let mut word = word("");
            word.push(self.folder().join(text));
            word
        };
        let is_path = matches!(option.get_value_hint(), ValueHint::AnyPath);
        let with = |text: &str| if is_path { of_path(text) } else { word(text) };
        let takes_many = matches!(option.get_action(), ArgAction::Append);
        let words = match (value.get_ref(), option.get_action()) {
            (DeValue::Boolean(true), ArgAction::SetTrue) => vec![format!("--{long}").into()],
            (DeValue::Boolean(false), ArgAction::SetTrue) => Vec::new(),
            (_, ArgAction::SetTrue) => return Err(wrong("it is true or false")),
            (DeValue::Table(entries), ArgAction::Append) => {
                let entries = entries.iter().map(|(name, value)| {
                    let text = list(value.get_ref())
                        .ok_or_else(|| wrong("a text or a list is wanted for each name"))?;
                    Ok(word(&format!("{}={text}", name.get_ref())))
                });
                entries.collect::<anyhow::Result<_>>()?
            }
            (DeValue::Array(values), _) if takes_many => {
                let texts = values.iter().map(|value| scalar(value.get_ref()));
                let texts: Option<Vec<String>> = texts.collect();
                let texts = texts.ok_or_else(|| wrong("it is a list of texts"))?;
                if option
                    .get_value_delimiter()
                    .is_some_and(|by| texts.iter().any(|text| text.contains(by)))
                {
                    return Err(wrong("none of its texts can have a comma"));
                }
                texts.iter().map(|text| with(text)).collect()
            }
            (value, _) => {
                let text = list(value).ok_or_else(|| wrong("it is a text or a list of values"))?;
                vec![with(&text)]
            }
        };
        Ok(Some(FileOption {
            id: option.get_id().to_string(),
            key: key.get_ref().to_string(),
            place: self.place(value.span()),
            words,
        }))
    }

    /// Folder of the file; paths in it are relative to this folder.
    fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// Explains an error of a command line that contains options of the file.
    fn explain(&self, options: &[FileOption], error: clap::Error) -> ParseError {
        let Some(ContextValue::String(of)) = error.get(ContextKind::InvalidArg) else {
            return error.into();
        };
        let is_of = |option: &&FileOption| {
            let is_of = |word: &OsString| {
                let word = word.to_string_lossy();
                let long = word.split('=').next().unwrap_or_default();
                of.split([' ', '=']).next() == Some(long)
            };
            option.words.iter().any(is_of)
        };
        let Some(option) = options.iter().find(is_of) else {
            return error.into();
        };
        let reason = match std::error::Error::source(&error) {
            Some(source) => source.to_string(),
            None => {
                let text = error.to_string();
                let text = text.lines().take_while(|line| !line.is_empty());
                let text = text.map(str::trim).collect::<Vec<_>>().join(" ");
                text.trim_start_matches("error: ").to_owned()
            }
        };
        anyhow!("{}: {}: {reason}", option.place, option.key).into()
    }

    /// Fills in the settings that only the file can express.
    fn fill(&self, table: &DeTable<'_>, verb: &mut Verb) -> Result<(), ParseError> {
        match verb {
            Verb::Enumerate(arguments) => arguments.bounds.adjustments = self.adjustments()?,
            Verb::Compare(arguments) => arguments.adjustments = self.adjustments()?,
            Verb::Check(arguments) => {
                arguments.bounds.adjustments = self.adjustments()?;
                arguments.api = self.api(table, &arguments.class)?;
            }
            Verb::Fields(arguments) => arguments.api = self.api(table, &arguments.class)?,
            Verb::Sequences(arguments) => arguments.given = self.given(table)?,
            Verb::Generate(arguments) => arguments.sequences.given = self.given(table)?,
            Verb::Paths(arguments) => {
                if let Some(name @ None) = &mut arguments.precondition {
                    name.clone_from(&self.typed.invariant);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// API settings of the file, for verbs without such options on the command line.
    fn api(&self, table: &DeTable<'_>, class: &str) -> Result<ApiArgs, ParseError> {
        let keys = table.iter().find(|(key, _)| key.get_ref() == API);
        let keys = keys.and_then(|(_, value)| value.get_ref().as_table());
        let options = self.api_options(keys.into_iter().flatten(), Some(class))?;
        let words = options.iter().flat_map(|option| &option.words);
        let matches = api_command()
            .no_binary_name(true)
            .try_get_matches_from(words);
        let arguments = matches.and_then(|matches| ApiArgs::from_arg_matches(&matches));
        arguments.map_err(|error| self.explain(&options, error))
    }

    /// Values of `[values]`, by class or name.
    fn given(&self, table: &DeTable<'_>) -> anyhow::Result<Vec<Adjustment>> {
        let mut given = Vec::new();
        let values = table.iter().find(|(key, _)| key.get_ref() == VALUES);
        if let Some(values) = values.and_then(|(_, values)| values.get_ref().as_table()) {
            self.add_given(values, "", &mut given)?;
        }
        Ok(given)
    }

    /// Adds the values of a table. A key without quotes is one of nested tables: `com.acme.Iban`.
    fn add_given(
        &self,
        values: &DeTable<'_>,
        outer: &str,
        given: &mut Vec<Adjustment>,
    ) -> anyhow::Result<()> {
        for (key, value) in values {
            let key = format!("{outer}{}", key.get_ref());
            let wrong = |reason: String| self.error(value.span(), &key, reason);
            let list = match value.get_ref() {
                DeValue::Table(inner) => {
                    self.add_given(inner, &format!("{key}."), given)?;
                    continue;
                }
                DeValue::Array(list) => list.iter(),
                _ => {
                    return Err(wrong(
                        "a list of values is wanted, as [\"one\", \"two\"]".into(),
                    ));
                }
            };
            let items = list.map(|value| given_value(value.get_ref()));
            let items: Option<Vec<SettingValue>> = items.collect();
            let items = items.filter(|items| !items.is_empty()).ok_or_else(|| {
                wrong("it is a list of one or more texts, numbers or booleans".to_owned())
            })?;
            given.push(Adjustment {
                key: key.clone(),
                place: self.place(value.span()),
                setting: Setting::Items(items),
            });
        }
        Ok(())
    }

    fn adjustments(&self) -> anyhow::Result<Adjustments> {
        let bounds = &self.typed.bounds;
        Ok(Adjustments {
            source: NAME.to_owned(),
            objects: self.adjustments_of(&bounds.objects)?,
            fields: self.adjustments_of(&bounds.fields)?,
        })
    }

    fn adjustments_of(&self, said: &SettingsByName) -> anyhow::Result<Vec<Adjustment>> {
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

/// Returns the first class of the command line, else of the file.
fn class_of(
    verb: &Command,
    given: &ArgMatches,
    options: &BTreeMap<String, FileOption>,
) -> Option<String> {
    let id = option_named(verb, "class")?.get_id().as_str();
    let of_line = given.try_get_many::<String>(id).ok().flatten();
    let of_file = || {
        let word = options.get(id)?.words.first()?.to_str()?;
        Some(word.split_once('=')?.1.to_owned())
    };
    let named = of_line.and_then(|mut classes| classes.next().cloned());
    named.or_else(of_file)
}

/// Options of searches from the API as a separate command.
fn api_command() -> Command {
    ApiArgs::augment_args(Command::new(API))
}

/// Whether a verb's command line has the options of searches from the API.
fn takes_api(verb: &Command) -> bool {
    option_named(verb, "max-objects").is_some()
}

/// Whether an option selects the settings file.
fn is_of_settings(option: &Arg) -> bool {
    ["config", "no_config"].contains(&option.get_id().as_str())
}

/// Whether a flag is given, on a command that may lack it.
fn flag(given: &ArgMatches, id: &str) -> bool {
    given
        .try_get_one::<bool>(id)
        .ok()
        .flatten()
        .copied()
        .unwrap_or_default()
}

/// Whether the command line decides an option: it sets this one or a conflicting one.
fn is_decided(verb: &Command, id: &str, given: &ArgMatches) -> bool {
    let is_given = |id: &str| {
        let is_known = given.try_contains_id(id).is_ok();
        is_known && given.value_source(id) == Some(ValueSource::CommandLine)
    };
    let others = OVERRIDDEN_BY
        .iter()
        .find(|(own, _)| *own == id)
        .map_or(&[][..], |(_, others)| others);
    // Either of two options may name the other.
    let excluded = |option: &Arg| {
        let names = |one: &Arg, other: &str| {
            let excluded = verb.get_arg_conflicts_with(one);
            excluded.iter().any(|excluded| excluded.get_id() == other)
        };
        let own = verb.get_arguments().find(|own| own.get_id() == id);
        names(option, id) || own.is_some_and(|own| names(own, option.get_id().as_str()))
    };
    let mut all = verb.get_arguments();
    // Searches from the API ignore the project's invariant unless it is checked.
    let is_from_api =
        id == "invariant" && takes_api(verb) && is_given("from") && !flag(given, "check_invariant");
    is_given(id)
        || is_from_api
        || others.iter().any(|other| is_given(other))
        || all.any(|option| is_given(option.get_id().as_str()) && excluded(option))
}

fn scalar(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(integer) => Some(integer.to_string()),
        DeValue::Float(float) => Some(float.to_string()),
        DeValue::Boolean(truth) => Some(truth.to_string()),
        _ => None,
    }
}

/// Text of a value or of a list, in the syntax of the command line.
fn list(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::Array(values) => {
            let texts = values.iter().map(|value| scalar(value.get_ref()));
            Some(texts.collect::<Option<Vec<_>>>()?.join(","))
        }
        value => scalar(value),
    }
}

/// Nearest folder with a mark of a project's root, at a folder or above it.
pub fn root_of(folder: &Path) -> Option<&Path> {
    let is_root = |folder: &&Path| ROOT_MARKS.iter().any(|mark| folder.join(mark).exists());
    folder.ancestors().find(is_root)
}

/// Settings file of the project that contains a folder.
pub fn of_project(folder: &Path) -> Option<PathBuf> {
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

/// Text, number or boolean of a list; `None` for other values.
fn given_value(value: &DeValue<'_>) -> Option<SettingValue> {
    Some(match value {
        DeValue::String(text) => SettingValue::Text(text.to_string()),
        DeValue::Boolean(truth) => SettingValue::Boolean(*truth),
        DeValue::Integer(number) => {
            let number = i64::from_str_radix(number.as_str(), number.radix());
            SettingValue::Integer(number.ok()?)
        }
        DeValue::Float(number) => SettingValue::Float(number.as_str().parse().ok()?),
        _ => return None,
    })
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

fn item(value: &Value) -> Result<SettingValue, String> {
    Ok(match value {
        Value::Integer(value) => SettingValue::Integer(*value),
        Value::Float(value) => SettingValue::Float(*value),
        Value::Boolean(value) => SettingValue::Boolean(*value),
        Value::String(text) => SettingValue::Text(text.clone()),
        other => {
            return Err(format!(
                "{} is none of a number, a boolean and a string",
                other.type_str()
            ));
        }
    })
}
