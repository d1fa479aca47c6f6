//! `heapwright init`: a settings file with comments for a project.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;

use crate::files::print;
use crate::settings;

/// Contents of the file: every key is commented out.
const SETTINGS: &str = include_str!("settings.toml");

/// Options of `init`.
#[derive(Args, Debug)]
pub struct InitArgs {
    /// Folder of the file [default: that of the build file around this folder, else this folder]
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}

/// Writes the settings file, unless there is one.
///
/// # Errors
/// There is one, or it cannot be written.
pub fn run(arguments: &InitArgs) -> anyhow::Result<ExitCode> {
    let folder = match &arguments.folder {
        Some(folder) => folder.clone(),
        None => {
            let folder = std::env::current_dir().context("failed to find the current folder")?;
            settings::root_of(&folder).map_or(folder.clone(), Path::to_owned)
        }
    };
    let path = folder.join(settings::NAME);
    let mut file = match File::create_new(&path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => bail!(
            "{} is there already and stays as it is; `heapwright init DIR` writes one elsewhere",
            path.display()
        ),
        Err(error) => {
            return Err(error).with_context(|| format!("failed to write {}", path.display()));
        }
    };
    file.write_all(SETTINGS.as_bytes())
        .with_context(|| format!("failed to write {}", path.display()))?;
    print(&format!("{}\n", path.display()))?;
    Ok(ExitCode::SUCCESS)
}
