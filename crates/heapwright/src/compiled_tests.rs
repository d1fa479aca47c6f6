//! Compiled tests that were there before: where they are, which classes they have, and what runs
//! them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail, ensure};
use heapwright_jvm::classpath::ClassPath;
use heapwright_jvm::{Config, Vm};
use heapwright_project::build_folder;
use heapwright_techniques::measure::DRIVER;

use crate::options::{fitting, split};

/// Compiled tests.
pub struct CompiledTests {
    paths: Vec<PathBuf>,
    classes: ClassPath,
    /// Binary names of the classes that may have tests.
    pub names: Vec<String>,
}

/// What tests refer to, what runs such tests, and how to get it.
const FRAMEWORKS: [(&str, &[&str], &str); 4] = [
    (
        "Lorg/junit/jupiter/api/",
        &[
            "org/junit/jupiter/engine/JupiterTestEngine",
            "org/junit/platform/launcher/Launcher",
        ],
        "tests of JUnit 5 need org.junit.jupiter:junit-jupiter-engine and org.junit.platform:junit-platform-launcher \
         on the class path",
    ),
    (
        "Lorg/junit/Test;",
        &["org/junit/runner/Request"],
        "tests of JUnit 4 need junit:junit and org.hamcrest:hamcrest-core on the class path",
    ),
    (
        "junit/framework/TestCase",
        &["org/junit/runner/Request"],
        "tests of JUnit 3 need junit:junit 4 and org.hamcrest:hamcrest-core on the class path",
    ),
    (
        "Lorg/testng/annotations/",
        &["org/testng/TestNG"],
        "tests of TestNG need org.testng:testng with what it depends on on the class path",
    ),
];

impl CompiledTests {
    /// Finds the tests of paths as options name them, in the classes that match a pattern, or in all
    /// if there is none.
    ///
    /// # Errors
    /// A path does not exist or has no classes, or a pattern matches none.
    pub fn find(
        tests: &[String],
        patterns: &[String],
        config: &Config,
    ) -> anyhow::Result<CompiledTests> {
        let paths: Vec<PathBuf> = tests.iter().flat_map(|text| split(text)).collect();
        for path in &paths {
            ensure!(
                path.exists(),
                "{} does not exist: --tests names the folder or jar of compiled tests",
                path.display()
            );
        }
        let classes = ClassPath::open(&paths, &[], config.jdk.feature)?;
        let names: Vec<String> = classes
            .class_names()
            .into_iter()
            .map(|name| name.replace('/', "."))
            .collect();
        if names.is_empty() {
            return Err(nothing_compiled(&paths, config));
        }
        let mut chosen = Vec::new();
        for pattern in patterns {
            let found = fitting(pattern, &names)?;
            ensure!(!found.is_empty(), "no class of the tests fits {pattern}");
            chosen.extend(found);
        }
        Ok(CompiledTests {
            paths,
            classes,
            names: match patterns.is_empty() {
                true => names,
                false => chosen,
            },
        })
    }

    /// Sets up a machine that runs the tests: with them in front of the class path, assertions on,
    /// and files and memory as under `java`. As there always is a mark, nothing is printed.
    pub fn add_to(&self, config: &mut Config) {
        config.embedded = DRIVER;
        config.assertions = true;
        config.replaces_launcher = true;
        let same = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let own: Vec<PathBuf> = self.paths.iter().map(|path| same(path)).collect();
        config.class_path.retain(|path| !own.contains(&same(path)));
        let all = self.paths.iter().chain(&config.class_path).cloned();
        config.class_path = all.collect();
        if let Ok(class_path) = std::env::join_paths(&config.class_path) {
            let class_path = class_path.to_string_lossy().into_owned();
            let key = "java.class.path".to_owned();
            config.properties.insert(0, (key, class_path));
        }
    }

    /// Checks that a class path has one version of each class of the tests and of those
    /// `under_test`.
    ///
    /// # Errors
    /// A class is in several places, and the files differ.
    pub fn check_versions(
        &self,
        class_path: &ClassPath,
        under_test: &[String],
    ) -> anyhow::Result<()> {
        for name in self.names.iter().chain(under_test) {
            let file = name.replace('.', "/");
            let mut versions = class_path.versions(&file).flatten();
            let Some((bytes, place)) = versions.next() else {
                continue;
            };
            if let Some((_, source)) = versions.find(|(other, _)| *other != bytes) {
                bail!(
                    "class {name} is in {place} and, with other contents, in {source}: leave one of them out"
                );
            }
        }
        Ok(())
    }

    /// Checks that the frameworks of the tests are on the class path.
    ///
    /// # Errors
    /// One is missing; the message says which.
    pub fn check_frameworks(&self, vm: &mut Vm) -> anyhow::Result<()> {
        let mut is_used = [false; FRAMEWORKS.len()];
        self.classes.read_all(&|| false, &mut |bytes| {
            for (used, (mark, ..)) in is_used.iter_mut().zip(FRAMEWORKS) {
                *used |= contains(bytes, mark.as_bytes());
            }
        });
        for (used, (_, needed, remedy)) in is_used.into_iter().zip(FRAMEWORKS) {
            let missing = needed.iter().any(|name| vm.load_class(name).is_err());
            ensure!(!used || !missing, "{remedy}");
        }
        ensure!(
            is_used.contains(&true)
                || vm
                    .load_class("org/junit/platform/launcher/Launcher")
                    .is_ok(),
            "no tests of JUnit or TestNG in {}",
            shown(&self.paths)
        );
        Ok(())
    }

    /// Folder of the module that the tests are in.
    ///
    /// # Errors
    /// There is no current folder.
    pub fn module_folder(&self) -> anyhow::Result<PathBuf> {
        module_of(self.paths.first().map_or(Path::new("."), PathBuf::as_path))
    }

    /// The error that nothing in the tests is one.
    pub fn no_tests(&self) -> anyhow::Error {
        anyhow!("no tests found in {}", shown(&self.paths))
    }
}

/// Folder of the module whose compiled tests are in a folder: that with the build file, else the
/// current one.
pub fn module_of(tests: &Path) -> anyhow::Result<PathBuf> {
    let tests = std::path::absolute(tests).context("failed to find the current folder")?;
    match build_folder(&tests).as_deref().and_then(Path::parent) {
        Some(base) => Ok(base.to_owned()),
        None => std::env::current_dir().context("failed to find the current folder"),
    }
}

fn shown(paths: &[PathBuf]) -> String {
    let texts: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    texts.join(" and ")
}

fn contains(bytes: &[u8], mark: &[u8]) -> bool {
    bytes.windows(mark.len()).any(|window| window == mark)
}

/// Explains why there are no classes in the tests.
fn nothing_compiled(paths: &[PathBuf], config: &Config) -> anyhow::Error {
    let folder = paths.iter().find(|path| has_sources(path));
    let Some(folder) = folder else {
        return anyhow!(
            "{} has no class files: --tests names the folder or jar of compiled tests",
            shown(paths)
        );
    };
    let class_path = std::env::join_paths(&config.class_path).unwrap_or_default();
    anyhow!(
        "{0} has Java sources only; compile them first: javac -g -d OUT -cp {1} $(find {0} -name '*.java'), and name \
         OUT with --tests",
        folder.display(),
        class_path.display()
    )
}

/// Whether a folder has Java sources.
fn has_sources(folder: &Path) -> bool {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).any(|path| {
        path.extension()
            .is_some_and(|extension| extension == "java")
            || path.is_dir() && has_sources(&path)
    })
}
