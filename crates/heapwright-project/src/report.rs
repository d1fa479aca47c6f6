//! What a build tool tells: lines of a key and a value, those of a module after its name.

use std::path::{Path, PathBuf};

use crate::formatters::ToldPlugin;
use crate::{BuildRoot, Module, ProjectError};

/// Modules of a build.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) modules: Vec<Module>,
    /// Build files of the modules.
    pub(crate) build_files: Vec<PathBuf>,
    /// Plugin whose executions are being told.
    plugin: Option<ToldPlugin>,
}

impl Report {
    /// Adds the formatters of the last plugin that was told.
    fn end_plugin(&mut self) {
        let formatters = self.plugin.take().map(|plugin| plugin.formatters());
        if let Some(module) = self.modules.last_mut() {
            module.formatters.extend(formatters.into_iter().flatten());
        }
    }

    /// Reads the lines of a file.
    ///
    /// # Errors
    /// It cannot be read, or is none.
    pub(crate) fn read(root: &BuildRoot, file: &Path) -> Result<Report, ProjectError> {
        let unreadable = |reason: String| ProjectError::Unreadable {
            build: root.file.clone(),
            tool: root.tool,
            reason,
        };
        let text = std::fs::read_to_string(file).map_err(|error| unreadable(error.to_string()))?;
        let mut report = Report::default();
        for line in text.lines() {
            let (key, value): (String, String) =
                serde_json::from_str(line).map_err(|error| unreadable(error.to_string()))?;
            report.add(&key, value).map_err(&unreadable)?;
        }
        report.end_plugin();
        match report.modules.is_empty() {
            true => Err(unreadable("it has none".to_owned())),
            false => Ok(report),
        }
    }

    fn add(&mut self, key: &str, value: String) -> Result<(), String> {
        if key == "execution" {
            self.plugin
                .iter_mut()
                .for_each(|plugin| plugin.add_execution(&value));
            return Ok(());
        }
        self.end_plugin();
        if key == "plugin" {
            self.plugin = Some(ToldPlugin::new(value));
            return Ok(());
        }
        if key == "module" {
            self.modules.push(Module {
                name: value,
                ..Module::default()
            });
            return Ok(());
        }
        let Some(module) = self.modules.last_mut() else {
            return Err(format!("{key} comes before a module"));
        };
        let paths = match key {
            "folder" => {
                module.folder = PathBuf::from(value);
                return Ok(());
            }
            "release" => {
                module.release = Some(value);
                return Ok(());
            }
            "test_folder" => {
                module.test_folder = Some(PathBuf::from(value));
                return Ok(());
            }
            "test_property" => {
                set(&mut module.test_properties, &value);
                return Ok(());
            }
            "test_argument" => {
                module.test_arguments.push(value);
                return Ok(());
            }
            "test_variable" => {
                set(&mut module.test_variables, &value);
                return Ok(());
            }
            "jdk" => {
                module.jdk = Some(PathBuf::from(value));
                return Ok(());
            }
            "no_jdk" => {
                module.no_jdk = Some(value);
                return Ok(());
            }
            "unresolved" => {
                module.unresolved = Some(value);
                return Ok(());
            }
            "formatter" => {
                module.formatters.push(value);
                return Ok(());
            }
            "no_engine" => {
                module.no_engine.push(value);
                return Ok(());
            }
            "build_file" => &mut self.build_files,
            "output" => &mut module.outputs,
            "test_output" => &mut module.test_outputs,
            "source" => &mut module.sources,
            "test_source" => &mut module.test_sources,
            "entry" => &mut module.class_path,
            "test_entry" => &mut module.test_class_path,
            _ => return Err(format!("{key} is not known")),
        };
        let path = PathBuf::from(value);
        if !paths.contains(&path) {
            paths.push(path);
        }
        Ok(())
    }
}

/// Adds a `KEY=VALUE`, in place of an earlier one of the same key.
fn set(pairs: &mut Vec<(String, String)>, text: &str) {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    pairs.retain(|(other, _)| other != key);
    pairs.push((key.to_owned(), value.to_owned()));
}
