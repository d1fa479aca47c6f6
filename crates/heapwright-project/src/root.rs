//! Where a build begins.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::maven;

/// Build tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BuildTool {
    /// Apache Maven.
    Maven,
    /// Gradle.
    Gradle,
}

impl BuildTool {
    /// Command on the `PATH`.
    #[must_use]
    pub fn command(self) -> &'static str {
        match self {
            BuildTool::Maven => "mvn",
            BuildTool::Gradle => "gradle",
        }
    }

    /// Script in the root folder of a project that brings its own version of the tool.
    #[must_use]
    pub fn wrapper(self) -> &'static str {
        match self {
            BuildTool::Maven => "mvnw",
            BuildTool::Gradle => "gradlew",
        }
    }

    /// Folder of what the tool makes in a module.
    #[must_use]
    pub fn output(self) -> &'static str {
        match self {
            BuildTool::Maven => "target",
            BuildTool::Gradle => "build",
        }
    }

    /// Names of build files, those of settings first.
    fn build_files(self) -> &'static [&'static str] {
        match self {
            BuildTool::Maven => &["pom.xml"],
            BuildTool::Gradle => &[
                "settings.gradle",
                "settings.gradle.kts",
                "build.gradle",
                "build.gradle.kts",
            ],
        }
    }

    /// Build file in a folder.
    fn build_file(self, folder: &Path) -> Option<PathBuf> {
        let mut files = self.build_files().iter().map(|name| folder.join(name));
        files.find(|file| file.is_file())
    }
}

impl fmt::Display for BuildTool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            BuildTool::Maven => "Maven",
            BuildTool::Gradle => "Gradle",
        })
    }
}

/// Folder of what the build makes in the module that a folder, given by its absolute path, belongs to;
/// none if no build file is there or above.
#[must_use]
pub fn build_folder(folder: &Path) -> Option<PathBuf> {
    let (module, tool) = nearest(folder)?;
    Some(module.join(tool.output()))
}

/// Whether JUnit runs the tests in a folder of sources, given by its absolute or relative path, at the
/// same time: a `junit-platform.properties` of the module or a build file says so.
#[must_use]
pub fn runs_tests_in_parallel(tests: &Path) -> bool {
    const KEY: &str = "junit.jupiter.execution.parallel.enabled";
    const FILE: &str = "junit-platform.properties";
    let says_so = |file: &Path| {
        let text = fs::read_to_string(file).unwrap_or_default();
        let mut values = text
            .match_indices(KEY)
            .map(|(at, _)| &text[at + KEY.len()..]);
        values.any(|value| {
            let value = value.trim_start_matches(|c: char| !c.is_alphanumeric());
            value.starts_with("true")
        })
    };
    let Ok(tests) = std::path::absolute(tests) else {
        return false;
    };
    let resources = tests.with_file_name("resources").join(FILE);
    if says_so(&resources) || says_so(&tests.join(FILE)) {
        return true;
    }
    let mut folders = tests
        .ancestors()
        .skip_while(|folder| !has_build_file(folder));
    let module = folders.next().into_iter();
    // Settings of modules can stand in the files of the folders above.
    let above = folders.take_while(|folder| has_build_file(folder));
    let mut files = module.chain(above).flat_map(build_files);
    files.any(|file| says_so(&file))
}

fn has_build_file(folder: &Path) -> bool {
    build_files(folder).any(|file| file.is_file())
}

/// Paths that build files in a folder would have.
fn build_files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let tools = [BuildTool::Maven, BuildTool::Gradle].into_iter();
    tools.flat_map(move |tool| tool.build_files().iter().map(move |name| folder.join(name)))
}

/// Nearest folder with a build file: this one or one above.
fn nearest(folder: &Path) -> Option<(&Path, BuildTool)> {
    let with_file = |folder: &Path| {
        let has = |tool: &BuildTool| tool.build_file(folder).is_some();
        let tools = [BuildTool::Maven, BuildTool::Gradle]
            .into_iter()
            .filter(has);
        // Of two builds in one folder, the one in use has made something.
        tools.max_by_key(|tool| {
            let has_output = folder.join(tool.output()).is_dir();
            (has_output, *tool == BuildTool::Maven)
        })
    };
    let mut folders = folder.ancestors();
    folders.find_map(|folder| Some((folder, with_file(folder)?)))
}

/// Root of a build.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildRoot {
    /// Build tool.
    pub tool: BuildTool,
    /// Folder in which it is started.
    pub folder: PathBuf,
    /// Build file in this folder.
    pub file: PathBuf,
}

impl BuildRoot {
    /// Finds the build that a folder, given by its absolute path, belongs to; none if no build file
    /// is there or above.
    #[must_use]
    pub fn find(folder: &Path) -> Option<BuildRoot> {
        let (nearest, tool) = nearest(folder)?;
        let folder = match tool {
            BuildTool::Maven => maven::root_of(nearest),
            BuildTool::Gradle => {
                let has_settings = |folder: &&Path| {
                    let names = &tool.build_files()[..2];
                    names.iter().any(|name| folder.join(name).is_file())
                };
                nearest.ancestors().find(has_settings).unwrap_or(nearest)
            }
        };
        Some(BuildRoot {
            tool,
            folder: folder.to_owned(),
            file: tool.build_file(folder)?,
        })
    }

    /// Files above and beside those of the modules that decide what the build is like. Those that
    /// do not exist are included.
    pub(crate) fn settings(&self) -> Vec<PathBuf> {
        let home = std::env::home_dir();
        let of_home = |name: &str| home.as_ref().map(|home| home.join(name));
        let mut files = vec![self.file.clone()];
        match self.tool {
            BuildTool::Maven => {
                files.extend(of_home(".m2/settings.xml"));
                files.extend(of_home(".m2/toolchains.xml"));
                add_files(&mut files, &self.folder.join(".mvn"));
            }
            BuildTool::Gradle => {
                files.extend(of_home(".gradle/gradle.properties"));
                for name in self.tool.build_files().iter().chain(&["gradle.properties"]) {
                    files.push(self.folder.join(name));
                }
                for folder in ["gradle", "buildSrc"] {
                    add_files(&mut files, &self.folder.join(folder));
                }
            }
        }
        files
    }
}

/// Adds the files below a folder; an unreadable one has none. Outputs of a build are left out.
fn add_files(files: &mut Vec<PathBuf>, folder: &Path) {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            match path.is_dir() {
                true if path.ends_with("build") || path.ends_with(".gradle") => {}
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_tests_are_seen_wherever_they_are_switched_on() {
        let key = "junit.jupiter.execution.parallel.enabled";
        for (file, text, is_parallel) in [
            (
                "app/src/test/resources/junit-platform.properties",
                format!("{key} = true\n"),
                true,
            ),
            (
                "app/src/test/resources/junit-platform.properties",
                format!("{key}=false\n"),
                false,
            ),
            (
                "app/pom.xml",
                format!("<configurationParameters>{key} = true</configurationParameters>"),
                true,
            ),
            (
                "app/build.gradle",
                format!("systemProperty '{key}', true"),
                true,
            ),
            ("settings.gradle.kts", format!("// {key}"), false),
            ("pom.xml", format!("<{key}>true</{key}>"), true),
        ] {
            let temporary = tempfile::tempdir().expect("a folder");
            let folder = temporary.path();
            fs::create_dir_all(folder.join("app/src/test/resources")).expect("a folder");
            fs::create_dir_all(folder.join("app/src/test/java")).expect("a folder");
            for build_file in ["app/pom.xml", "pom.xml"] {
                fs::write(folder.join(build_file), "<project/>").expect("a file");
            }
            fs::write(folder.join(file), &text).expect("a file");
            let found = runs_tests_in_parallel(&folder.join("app/src/test/java"));
            assert_eq!(found, is_parallel, "{file}: {text}");
        }
    }
}
