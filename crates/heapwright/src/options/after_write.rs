//! Option group: what is done with files of tests after they are written.

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgAction, Args};

/// Formatters that are run on files of tests.
#[derive(Args, Clone, Debug, Default)]
pub struct AfterWriteArgs {
    /// Command that is run once on the files of tests that were written, which are its last arguments;
    /// false for none [default: the formatter that the project's build uses]
    #[arg(long, value_name = "COMMAND", value_parser = NonEmptyStringValueParser::new(), conflicts_with = "no_after_write")]
    pub after_write: Option<String>,
    /// Run no formatter on files of tests
    #[arg(long)]
    pub no_after_write: bool,
    /// What the build tool is called with to format the sources of the module (repeatable)
    #[arg(long = "formatter", value_name = "CALL", hide = true, action = ArgAction::Append)]
    pub formatters: Vec<String>,
}

/// Formatter to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterWrite<'a> {
    /// None.
    Nothing,
    /// A command of a shell.
    Command(&'a str),
    /// Formatters of the build.
    Build(&'a [String]),
}

impl AfterWriteArgs {
    /// Formatter that is asked for, or that the build has.
    pub fn choice(&self) -> AfterWrite<'_> {
        // In a settings file it is a text or a truth value.
        match self.after_write.as_deref() {
            _ if self.no_after_write => AfterWrite::Nothing,
            Some("false") => AfterWrite::Nothing,
            Some(command) if command != "true" => AfterWrite::Command(command),
            _ if self.formatters.is_empty() => AfterWrite::Nothing,
            _ => AfterWrite::Build(&self.formatters),
        }
    }
}
