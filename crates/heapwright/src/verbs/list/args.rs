//! Options of `list`.

use clap::Args;

use crate::options::{ClassPathArgs, ConfigArgs, OutputArgs};

/// Options of `list`.
#[derive(Args, Debug)]
pub struct ListArgs {
    #[command(flatten)]
    pub config: ConfigArgs,
    #[command(flatten)]
    pub class_path: ClassPathArgs,
    /// Class by its binary name, or a pattern for classes of the class path: com.acme.* matches a
    /// package, com.acme.** all packages below it and member classes, too (repeatable) [default:
    /// all classes, in a project its own]
    #[arg(short = 'c', long = "class", value_name = "CLASS")]
    pub classes: Vec<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}
