//! Option group: the world that existing tests see.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use heapwright_jvm::Config;

/// Folder, properties and variables of existing tests.
#[derive(Args, Clone, Debug, Default)]
pub struct TestWorldArgs {
    /// Folder in which existing tests run: they see the files below it as they are, and what they
    /// write stays in memory [default: that of the module; without a build they see no files]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub working_folder: Option<PathBuf>,
    /// System property of existing tests (repeatable) [default: those of the build]
    #[arg(long = "test-property", value_name = "KEY=VALUE", value_parser = parse_pair)]
    pub test_properties: Vec<(String, String)>,
    /// Variable of the environment of existing tests (repeatable) [default: those of the build]
    #[arg(long = "test-variable", value_name = "NAME=VALUE", value_parser = parse_pair)]
    pub test_variables: Vec<(String, String)>,
}

impl TestWorldArgs {
    /// Gives a machine that runs existing tests their world.
    pub fn add_to(&self, config: &mut Config) {
        config.working_folder.clone_from(&self.working_folder);
        config.properties.extend(self.test_properties.clone());
        config.environment.clone_from(&self.test_variables);
    }
}

/// Reads `KEY=VALUE`, or `KEY` for an empty value.
pub fn parse_pair(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    match key {
        "" => Err("a name is missing, as in user.timezone=UTC".to_owned()),
        "java.home" => Err("the JDK is chosen by --jdk".to_owned()),
        key => Ok((key.to_owned(), value.to_owned())),
    }
}
