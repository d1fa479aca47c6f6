//! The arguments of each verb.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Parser, Subcommand};

use heapwright_jvm::{Config, Jdk};

/// Tests for Java code that builds and walks object structures: every behaviour up to a bound.
#[derive(Parser, Debug)]
#[command(name = "heapwright", version, disable_help_subcommand = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// The verbs.
#[derive(Subcommand, Debug)]
pub enum Verb {
    /// Run a main method as `java` would
    Run(RunArgs),
}

/// Where classes come from.
#[derive(Args, Debug)]
pub struct ClassPathArgs {
    /// Folders and jars, separated as the platform does (repeatable)
    #[arg(short = 'p', long = "classpath", value_name = "PATH")]
    pub class_path: Vec<String>,
    /// The JDK whose library is run: 17, 21 or 25 [default: JAVA_HOME, else java on the PATH]
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// Most memory for Java objects, as 512m or 2g
    #[arg(long, value_name = "SIZE", default_value = "2g", value_parser = parse_size)]
    pub max_memory: u64,
}

impl ClassPathArgs {
    /// The configuration of a machine.
    ///
    /// # Errors
    /// There is no JDK of a supported version.
    pub fn config(&self) -> anyhow::Result<Config> {
        let jdk = Jdk::find(self.jdk.as_deref())?;
        let mut paths = Vec::new();
        for entry in &self.class_path {
            paths.extend(std::env::split_paths(entry).filter(|path| !path.as_os_str().is_empty()));
        }
        if paths.is_empty() {
            paths.push(PathBuf::from("."));
        }
        let mut config = Config::new(jdk, paths);
        config.max_heap_bytes = self.max_memory;
        Ok(config)
    }
}

/// Arguments of `run`.
#[derive(Args, Debug)]
pub struct RunArgs {
    #[command(flatten)]
    pub class_path: ClassPathArgs,
    /// Check `assert` statements
    #[arg(long = "enable-assertions", visible_alias = "ea")]
    pub assertions: bool,
    /// Write the register code of the main class's methods to standard error after the run
    #[arg(long, hide = true)]
    pub disassemble: bool,
    /// The class with the main method
    #[arg(value_name = "MAIN")]
    pub main: String,
    /// Its arguments
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<String>,
}

/// A size in bytes, with a suffix k, m or g.
fn parse_size(text: &str) -> anyhow::Result<u64> {
    let (digits, factor) = match text.to_ascii_lowercase() {
        text if text.ends_with('k') => (text[..text.len() - 1].to_owned(), 1 << 10),
        text if text.ends_with('m') => (text[..text.len() - 1].to_owned(), 1 << 20),
        text if text.ends_with('g') => (text[..text.len() - 1].to_owned(), 1 << 30),
        text => (text, 1),
    };
    let number: u64 = digits.parse().context("a size is a number with k, m or g behind it")?;
    number.checked_mul(factor).filter(|&size| size >= 1 << 20).context("a size is at least 1m")
}
