//! What a build tool told, in the folder of what the build makes.
//!
//! Invariant: it is used again only if the program, the tool's arguments and the content of the build
//! files are the same, and every jar of the class paths is there.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::{Deserialize, Serialize};

use crate::{BuildRequest, BuildRoot, Project};

/// Variables of the environment that change what a build tool tells.
const VARIABLES: [&str; 6] = [
    "JAVA_HOME",
    "MAVEN_OPTS",
    "MAVEN_ARGS",
    "GRADLE_OPTS",
    "GRADLE_USER_HOME",
    "JAVA_OPTS",
];

/// Place of a stored project.
pub(crate) struct Cache {
    file: PathBuf,
    asked: Asked,
    settings: Vec<PathBuf>,
}

/// What a stored project depends on, beside files.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Asked {
    version: String,
    arguments: Vec<String>,
    environment: BTreeMap<String, String>,
}

/// Stored project.
#[derive(Serialize, Deserialize)]
struct Stored {
    asked: Asked,
    /// Content of the build files; none for one that is not there.
    build_files: BTreeMap<PathBuf, Option<String>>,
    project: Project,
}

impl Cache {
    pub(crate) fn of(root: &BuildRoot, request: &BuildRequest) -> Cache {
        let environment = VARIABLES.iter().filter_map(|name| {
            let value = env::var(name).ok()?;
            Some(((*name).to_owned(), value))
        });
        Cache {
            file: root
                .folder
                .join(root.tool.output())
                .join("heapwright/project.json"),
            asked: Asked {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                arguments: request.arguments.clone(),
                environment: environment.collect(),
            },
            settings: root.settings(),
        }
    }

    /// Stored project, if it still holds.
    pub(crate) fn project(&self) -> Option<Project> {
        let text = fs::read(&self.file).ok()?;
        let stored: Stored = serde_json::from_slice(&text).ok()?;
        if stored.asked != self.asked {
            return None;
        }
        let mut settings = self.settings.iter();
        let mut files = stored.build_files.iter();
        let are_same = settings.all(|file| stored.build_files.contains_key(file))
            && files.all(|(file, content)| content_of(file) == *content);
        let modules = &stored.project.modules;
        let entries = modules.iter().flat_map(|module| {
            let entries = module.class_path.iter().chain(&module.test_class_path);
            entries.filter(|entry| entry.extension().is_some_and(|jar| jar == "jar"))
        });
        let is_complete = modules
            .iter()
            .all(|module| module.unresolved.is_none() && module.no_engine.is_empty());
        let holds = are_same && is_complete && entries.into_iter().all(|entry| entry.is_file());
        holds.then_some(stored.project)
    }

    /// Stores a project. One that cannot be stored is asked for again next time.
    pub(crate) fn store(&self, project: &Project, build_files: Vec<PathBuf>) {
        let files = self.settings.iter().cloned().chain(build_files);
        let stored = Stored {
            asked: self.asked.clone(),
            build_files: files
                .map(|file| (file.clone(), content_of(&file)))
                .collect(),
            project: project.clone(),
        };
        let Some(folder) = self.file.parent() else {
            return;
        };
        let Ok(text) = serde_json::to_vec_pretty(&stored) else {
            return;
        };
        // A file takes its place as a whole: two runs may store at the same time.
        let write = || {
            fs::create_dir_all(folder)?;
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            std::io::Write::write_all(&mut file, &text)?;
            file.persist(&self.file).map_err(|error| error.error)
        };
        let _ = write();
    }
}

/// Content of a file; none if there is no such file.
fn content_of(file: &Path) -> Option<String> {
    let bytes = fs::read(file).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
