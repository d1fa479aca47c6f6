//! Plugins of build tools: the folder `java`, built and installed into a Maven repository of the
//! build folder, and projects that use them.
//!
//! The user's own repository is never written to. It is read like a remote one, so that nothing is
//! fetched twice.

use std::env;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::fixtures::project;
use crate::gradle::compiling;
use crate::jars::maven;
use crate::jdk::compilers;
use crate::target::{check, target_folder};

/// Modules of the folder `java` that do not depend on the program.
const MODULES: &str =
    "heapwright-launcher,heapwright-maven-plugin,heapwright-gradle-plugin,heapwright-gradle-marker";

/// Maven repository with the plugins.
#[derive(Debug)]
pub struct PluginRepository {
    /// Folder of everything: sources, repository, settings.
    folder: PathBuf,
}

impl PluginRepository {
    /// Builds and installs the plugins, if they have changed since the last time in this build
    /// folder.
    ///
    /// # Panics
    /// Maven cannot be installed, or the build fails.
    #[must_use]
    pub fn installed() -> Self {
        let folder = target_folder().join("testkit").join("plugins");
        check("make", &folder, fs::create_dir_all(&folder));
        let repository = Self { folder };
        let _lock = repository.lock("maven");
        let sources = project().join("java");
        let key = format!("{:016x}", digest(&sources));
        let done = repository.own_artifacts().join("sources");
        if fs::read_to_string(&done).is_ok_and(|of| of == key) {
            return repository;
        }
        for old in [repository.own_artifacts(), repository.sources()] {
            if old.exists() {
                check("remove", &old, fs::remove_dir_all(&old));
            }
        }
        copy(&sources, &repository.sources());
        let settings = repository.settings();
        check("write", &settings, fs::write(&settings, settings_text()));
        let mut install = repository.maven(&repository.sources());
        install.args(["install", "-am", "-pl", MODULES]);
        succeeded(&run(&mut install));
        check("write", &done, fs::write(&done, key));
        repository
    }

    /// Installs the artifact with the program and the solver's library, for a platform.
    ///
    /// # Panics
    /// The build fails.
    pub fn install_program(&self, program: &Path, solver: &Path, platform: &str) {
        let mut install = self.maven(&self.sources());
        install.args(["install", "-pl", "heapwright-native"]);
        install.arg(format!("-Dheapwright.program={}", program.display()));
        install.arg(format!("-Dheapwright.solver={}", solver.display()));
        install.arg(format!("-Dheapwright.platform={platform}"));
        let _lock = self.lock("maven");
        succeeded(&run(&mut install));
    }

    /// Runs Maven in the folder of a project, with `path` before the other folders of the variable
    /// PATH. One Maven runs at a time: a repository is not made for several.
    ///
    /// # Panics
    /// Maven cannot be started.
    #[must_use]
    pub fn run_maven(&self, project: &Path, path: &Path, arguments: &[&str]) -> Output {
        self.run_maven_at(maven(), project, path, arguments)
    }

    /// Does the same as [`PluginRepository::run_maven`] with the Maven of this command.
    ///
    /// # Panics
    /// Maven cannot be started.
    #[must_use]
    pub fn run_maven_at(
        &self,
        maven: &Path,
        project: &Path,
        path: &Path,
        arguments: &[&str],
    ) -> Output {
        let others = env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(path.to_owned()).chain(env::split_paths(&others));
        let all = env::join_paths(all);
        let mut command = self.maven_at(maven, project);
        command.args(arguments);
        if let Ok(all) = all {
            command.env("PATH", all);
        }
        let _lock = self.lock("maven");
        run(&mut command)
    }

    /// Copies a project of `java/samples` into a folder.
    ///
    /// # Panics
    /// It cannot be copied.
    pub fn copy_sample(name: &str, to: &Path) {
        copy(&project().join("java").join("samples").join(name), to);
    }

    fn maven(&self, folder: &Path) -> Command {
        self.maven_at(maven(), folder)
    }

    fn maven_at(&self, maven: &Path, folder: &Path) -> Command {
        let mut command = Command::new(maven);
        command.current_dir(folder).arg("-B").arg("-gs");
        command.arg(self.settings());
        let repository = self.folder.join("repository");
        command.arg(format!("-Dmaven.repo.local={}", repository.display()));
        command.env("JAVA_HOME", &compilers()[0].home);
        // Short runs are quicker with the first compiler alone.
        command.env("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
        command.env_remove("MAVEN_ARGS");
        command
    }

    /// Script by which Gradle finds the plugins, and compiles Java with a JDK's `javac`.
    pub(crate) fn gradle_script(&self) -> PathBuf {
        let script = self.folder.join("init.gradle");
        let quoted = |path: PathBuf| path.display().to_string().replace('\\', "/");
        let text = format!(
            "beforeSettings {{ settings ->\n    settings.pluginManagement.repositories {{\n        \
             maven {{ url = new File('{}').toURI(); content {{ includeGroup 'org.heapwright' }} }}\n        \
             mavenCentral()\n    }}\n}}\n\
             allprojects {{\n{}}}\n",
            quoted(self.folder.join("repository")),
            compiling(),
        );
        // Gradle takes a script that was written anew for a changed one.
        if fs::read_to_string(&script).ok().as_ref() != Some(&text) {
            check("write", &script, fs::write(&script, text));
        }
        script
    }

    /// Waits until nobody else runs a build tool.
    pub(crate) fn lock(&self, tool: &str) -> File {
        let path = self.folder.join(format!("{tool}.lock"));
        let lock = check("make", &path, File::create(&path));
        check("lock", &path, lock.lock());
        lock
    }

    fn sources(&self) -> PathBuf {
        self.folder.join("java")
    }

    fn settings(&self) -> PathBuf {
        self.folder.join("settings.xml")
    }

    fn own_artifacts(&self) -> PathBuf {
        let repository = self.folder.join("repository");
        repository.join("org").join("heapwright")
    }
}

/// Global settings of Maven in which the user's repository comes before Maven's central one.
fn settings_text() -> String {
    let home = env::home_dir().unwrap_or_default();
    let folder = home.join(".m2").join("repository");
    let path = folder.display().to_string().replace('\\', "/");
    let url = format!("file:///{}", path.trim_start_matches('/'));
    let own = format!("<id>own</id><url>{url}</url>");
    format!(
        "<settings>\n  <profiles><profile><id>own</id>\n    \
         <repositories><repository>{own}</repository></repositories>\n    \
         <pluginRepositories><pluginRepository>{own}</pluginRepository></pluginRepositories>\n  \
         </profile></profiles>\n  \
         <activeProfiles><activeProfile>own</activeProfile></activeProfiles>\n</settings>\n"
    )
}

fn run(command: &mut Command) -> Output {
    let output = command.output();
    output.unwrap_or_else(|error| panic!("failed to start {command:?}: {error}"))
}

fn succeeded(output: &Output) {
    assert!(
        output.status.success(),
        "failed to install the plugins with Maven:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Digest of the names and contents of the files that Maven builds: samples are no part of them.
fn digest(folder: &Path) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (name, file) in sorted(folder) {
        if name == "samples" {
            continue;
        }
        name.hash(&mut hasher);
        match file.is_dir() {
            true => digest(&file).hash(&mut hasher),
            false => check("read", &file, fs::read(&file)).hash(&mut hasher),
        }
    }
    hasher.finish()
}

/// Copies a folder without what was built in it.
fn copy(from: &Path, to: &Path) {
    check("make", to, fs::create_dir_all(to));
    for (name, file) in sorted(from) {
        let target = to.join(name);
        match file.is_dir() {
            true => copy(&file, &target),
            false => drop(check("copy", &file, fs::copy(&file, &target))),
        }
    }
}

/// Entries of a folder with their names, sorted; folders named `target` and `build` are left out.
fn sorted(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = check("list", folder, fs::read_dir(folder));
    let entries = entries.map(|entry| check("list", folder, entry));
    let mut all: Vec<(String, PathBuf)> = entries
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, entry.path())
        })
        .filter(|(name, _)| !["target", "build", ".gradle"].contains(&name.as_str()))
        .collect();
    all.sort();
    all
}
