//! Option group: searches from the API.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueHint};

/// Rule for exceptions that discard a sequence.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum MisuseArg {
    /// IllegalArgumentException, IllegalStateException, NoSuchElementException,
    /// UnsupportedOperationException; NullPointerException where an argument is null,
    /// IndexOutOfBoundsException where one is an integer
    Usual,
    /// IllegalArgumentException and IllegalStateException
    Paper,
}

/// Place of structures for which there is no memory.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "From the API")]
pub struct SpillArgs {
    /// Folder for temporary files of the structures that a search from the API has no memory for
    /// [default: TMPDIR, else /var/tmp]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub spill_dir: Option<PathBuf>,
}

impl SpillArgs {
    /// The folder. One that the user names is made if it does not exist.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn folder(&self) -> anyhow::Result<PathBuf> {
        // /tmp is often a part of memory; /var/tmp is for large files.
        let large = Path::new("/var/tmp");
        Ok(match &self.spill_dir {
            Some(folder) => {
                let made = std::fs::create_dir_all(folder);
                made.with_context(|| format!("failed to make --spill-dir {}", folder.display()))?;
                folder.clone()
            }
            None if std::env::var_os("TMPDIR").is_none() && large.is_dir() => large.to_owned(),
            None => std::env::temp_dir(),
        })
    }
}

/// Methods to call, values of arguments, and limits of structures.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "From the API")]
pub struct ApiArgs {
    /// Method to call, as add or add(int), constructors as <init>; or a regular expression of
    /// a.B.add(int), add(int) or add (repeatable) [default: the builders of heapwright.toml, else
    /// all public ones]
    #[arg(short = 'm', long = "method", alias = "methods", value_name = "METHOD")]
    pub methods: Vec<String>,
    /// File of such methods, one regular expression a line; lines that begin with # are ignored
    #[arg(long, value_name = "FILE")]
    pub methods_file: Option<PathBuf>,
    /// Ignore the builders in heapwright.toml
    #[arg(long)]
    pub no_builders: bool,
    /// Retain every structure, even if an equal one was built before
    #[arg(long)]
    pub no_state_matching: bool,
    /// BEAPI properties file: max.objects, max.array.objects, int.range, strings, omit.fields and
    /// so on
    #[arg(long, value_name = "FILE")]
    pub beapi_config: Option<PathBuf>,
    /// File of literals in the format of Randoop and BEAPI
    #[arg(long, value_name = "FILE")]
    pub literals_file: Option<PathBuf>,
    /// Maximum number of objects of each class in a structure [default: the scope]
    #[arg(long, value_name = "N")]
    pub max_objects: Option<u32>,
    /// Maximum number of objects of a class in a structure (repeatable)
    #[arg(long = "max-objects-of", value_name = "CLASS=N")]
    pub max_objects_of: Vec<String>,
    /// Maximum number of elements of an array [default: 16 or the scope, at most the scope of them
    /// not null]
    #[arg(long, value_name = "N")]
    pub max_array_objects: Option<u32>,
    /// Values of ints, as 0:5 or 1,3,8 [default: 0 to scope-1]
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub int_range: Option<String>,
    /// Values of longs [default: 0 to scope-1]
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub long_range: Option<String>,
    /// Values of strings, separated by commas [default: the empty one, a, b]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub strings: Option<Vec<String>>,
    /// Values of characters, as a:f or a,b [default: as many letters as the scope]
    #[arg(long, value_name = "RANGE")]
    pub chars: Option<String>,
    /// Values of booleans [default: false,true]
    #[arg(long, value_name = "LIST")]
    pub booleans: Option<String>,
    /// Values of floats [default: 0 to scope-1]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub floats: Option<String>,
    /// Values of doubles [default: 0 to scope-1]
    #[arg(long, value_name = "LIST", allow_hyphen_values = true)]
    pub doubles: Option<String>,
    /// Pass null as an argument, too [default: false]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub null: Option<bool>,
    /// Fields ignored when structures are compared: a regular expression of field or a.B.field
    /// [default: modCount|serialVersionUID]
    #[arg(long, value_name = "REGEX")]
    pub omit_fields: Option<String>,
    /// Type argument of a type variable, as E=String (repeatable) [default: Integer]
    #[arg(long = "type-arg", value_name = "VAR=TYPE")]
    pub type_args: Vec<String>,
    /// Arguments for parameters of a type: static final fields, as
    /// java.util.Comparator=a.B.BY_NAME,a.B.BY_AGE (repeatable)
    #[arg(long = "values-of", value_name = "TYPE=FIELDS")]
    pub values_of: Vec<String>,
    /// Maximum number of iterations: each adds one call, so that a structure has at most N calls on
    /// itself
    #[arg(long, value_name = "N")]
    pub max_length: Option<u32>,
    /// Rule for exceptions that discard a sequence instead of failing it
    #[arg(long, value_enum, value_name = "RULE")]
    pub misuse: Option<MisuseArg>,
    /// Exception that discards a sequence, replacing the rule's (repeatable)
    #[arg(
        long = "misuse-exception",
        value_name = "CLASS",
        conflicts_with = "misuse"
    )]
    pub misuse_exceptions: Vec<String>,
    /// Check that the invariant holds on every structure built
    #[arg(long)]
    pub check_invariant: bool,
    /// Check the contracts of equals, hashCode, toString, compareTo and clone
    #[arg(long)]
    pub check_contracts: bool,
    /// Check a property: a boolean method of the class without parameters, or a static one, here or
    /// as a.B.name, that takes a structure (repeatable)
    #[arg(long = "property", value_name = "METHOD")]
    pub properties: Vec<String>,
}
