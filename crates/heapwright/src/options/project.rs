//! Option group: the project's build.

use std::path::PathBuf;

use clap::{Args, ValueHint};

/// Module of a build, and how the build tool is asked.
#[derive(Args, Clone, Debug, Default)]
pub struct ProjectArgs {
    /// Module of the Maven or Gradle build around this folder whose class path and folders are used
    /// where -p is not given [default: those below this folder, else the one around it]
    #[arg(long, value_name = "NAME")]
    pub module: Option<String>,
    /// Compile the module with the build tool first
    #[arg(long)]
    pub compile: bool,
    /// Argument for the build tool, as -Pci or --offline (repeatable)
    #[arg(long = "build-arg", value_name = "ARG", allow_hyphen_values = true)]
    pub build_arguments: Vec<String>,
    /// Run again each time that classes of the class path have changed, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
    /// Entry of the class path whose classes patterns match (repeatable) [default: all]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, hide = true)]
    pub own_classes: Vec<PathBuf>,
}
