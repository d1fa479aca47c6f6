//! Formatters of a build, and how they are called for some files alone.
//!
//! Invariant: files that were not asked for are afterwards as they were, bit for bit, whatever the
//! formatter makes of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::TempDir;

use crate::{BuildTool, Module, Project, ProjectError, tool};

/// Formatter of Maven.
struct MavenFormatter {
    /// Group and artifact of the plugin.
    plugin: &'static str,
    /// Goal that formats.
    goal: &'static str,
    /// Goal that finds fault with files which are not formatted; its executions have the same
    /// configuration.
    check: &'static str,
    /// Whether only an execution of one of these goals says that the plugin formats.
    has_other_uses: bool,
    /// Property that says which files are formatted, where the build does not.
    files: Option<(&'static str, Pattern)>,
}

/// Notation of files in a property.
#[derive(Clone, Copy)]
enum Pattern {
    /// Patterns of Ant for paths.
    Ant,
    /// Regular expressions for whole paths.
    Paths,
    /// A regular expression for names.
    Name,
}

const MAVEN: [MavenFormatter; 10] = [
    MavenFormatter {
        plugin: "com.diffplug.spotless:spotless-maven-plugin",
        goal: "apply",
        check: "check",
        has_other_uses: false,
        files: Some(("spotlessFiles", Pattern::Paths)),
    },
    MavenFormatter {
        plugin: "io.spring.javaformat:spring-javaformat-maven-plugin",
        goal: "apply",
        check: "validate",
        has_other_uses: false,
        files: Some(("spring-javaformat.includes", Pattern::Ant)),
    },
    MavenFormatter {
        plugin: "com.spotify.fmt:fmt-maven-plugin",
        goal: "format",
        check: "check",
        has_other_uses: false,
        files: Some(("filesNamePattern", Pattern::Name)),
    },
    MavenFormatter {
        plugin: "com.coveo:fmt-maven-plugin",
        goal: "format",
        check: "check",
        has_other_uses: false,
        files: Some(("filesNamePattern", Pattern::Name)),
    },
    MavenFormatter {
        plugin: "com.theoryinpractise:googleformatter-maven-plugin",
        goal: "format",
        check: "check",
        has_other_uses: false,
        files: None,
    },
    MavenFormatter {
        plugin: "net.revelc.code.formatter:formatter-maven-plugin",
        goal: "format",
        check: "validate",
        has_other_uses: false,
        files: Some(("formatter.includes", Pattern::Ant)),
    },
    MavenFormatter {
        plugin: "net.revelc.code:impsort-maven-plugin",
        goal: "sort",
        check: "check",
        has_other_uses: false,
        files: Some(("impsort.includes", Pattern::Ant)),
    },
    MavenFormatter {
        plugin: "com.mycila:license-maven-plugin",
        goal: "format",
        check: "check",
        has_other_uses: false,
        files: Some(("license.includes", Pattern::Ant)),
    },
    MavenFormatter {
        plugin: "org.codehaus.mojo:license-maven-plugin",
        goal: "update-file-header",
        check: "check-file-header",
        has_other_uses: true,
        files: Some(("license.includes", Pattern::Ant)),
    },
    MavenFormatter {
        plugin: "com.cosium.code:git-code-format-maven-plugin",
        goal: "format-code",
        check: "validate-code-format",
        has_other_uses: true,
        files: None,
    },
];

/// Longest value of a property on a command line.
const LONGEST: usize = if cfg!(windows) { 4_000 } else { 60_000 };
/// Folders that formatters do not look into.
const LEFT_OUT: [&str; 1] = ["node_modules"];

/// Plugin of a build of Maven, as Maven tells it.
#[derive(Debug)]
pub(crate) struct ToldPlugin {
    /// Group, artifact and, if the build has one, version.
    coordinates: String,
    /// Executions that are bound to a phase: identifier and goals.
    executions: Vec<(String, Vec<String>)>,
    /// Whether there are executions, bound or not.
    has_executions: bool,
}

impl ToldPlugin {
    pub(crate) fn new(coordinates: String) -> ToldPlugin {
        ToldPlugin {
            coordinates,
            executions: Vec::new(),
            has_executions: false,
        }
    }

    /// Adds an execution: its identifier, phase and goals. The phase `none` takes it out of the
    /// build.
    pub(crate) fn add_execution(&mut self, told: &str) {
        let mut words = told.split('\t').map(str::to_owned);
        let (id, phase) = (words.next().unwrap_or_default(), words.next());
        self.has_executions = true;
        if phase.as_deref() != Some("none") {
            self.executions.push((id, words.collect()));
        }
    }

    /// Goals that format as the build does, if the plugin is a formatter which the build uses: each
    /// with the execution that has its configuration.
    pub(crate) fn formatters(&self) -> Vec<String> {
        let of_plugin = |known: &&MavenFormatter| {
            let rest = self.coordinates.strip_prefix(known.plugin);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
        };
        let Some(known) = MAVEN.iter().find(of_plugin) else {
            return Vec::new();
        };
        let goal = format!("{}:{}", self.coordinates, known.goal);
        let of_goal = |goal: &str| {
            let has = self.executions.iter().filter(|(_, goals)| {
                let mut goals = goals.iter();
                goals.any(|other| other == goal)
            });
            has.map(|(id, _)| id).collect::<Vec<_>>()
        };
        let mut executions = of_goal(known.goal);
        if executions.is_empty() {
            executions = of_goal(known.check);
        }
        match (executions.is_empty(), self.has_executions) {
            (false, _) => {
                let with_configuration = executions.iter().map(|id| format!("{goal}@{id}"));
                with_configuration.collect()
            }
            (true, true) if self.executions.is_empty() => Vec::new(),
            (true, _) if known.has_other_uses => Vec::new(),
            (true, _) => vec![goal],
        }
    }
}

impl Project {
    /// Runs formatters of a module on some files in it; `ends` tells when the time is over. The
    /// other files of the module stay as they are.
    ///
    /// # Errors
    /// The build tool is missing, fails or takes too long, or files cannot be read or put back.
    pub fn format(
        &self,
        module: &Module,
        files: &[PathBuf],
        arguments: &[String],
        ends: &dyn Fn() -> bool,
    ) -> Result<(), ProjectError> {
        let mut words = vec!["-q".to_owned()];
        words.extend(self.format_arguments(module));
        if self.root.tool == BuildTool::Maven {
            words.push("-B".to_owned());
            words.extend(restrictions(module, files));
        }
        let before = Backup::of(self.folder_of(module), files, self.root.tool)?;
        let result = tool::run_until(&self.root, arguments, &words, ends);
        before.put_back()?;
        result.map(drop)
    }

    /// Command that runs the formatters of a module on all of its files.
    #[must_use]
    pub fn format_command(&self, module: &Module) -> String {
        tool::shown(self.root.tool, &self.format_arguments(module))
    }

    fn format_arguments(&self, module: &Module) -> Vec<String> {
        let mut words = module.formatters.clone();
        if self.root.tool == BuildTool::Maven && self.modules.len() > 1 {
            words.extend(["-pl".to_owned(), module.name.clone()]);
        }
        words
    }

    /// Folder whose files the formatters of a module may change: in a build of Gradle they may be
    /// tasks of a project around it.
    fn folder_of<'p>(&'p self, module: &'p Module) -> &'p Path {
        let outer = module.formatters.iter().filter_map(|task| {
            let (project, _) = task.rsplit_once(':')?;
            let name = if project.is_empty() { ":" } else { project };
            let mut modules = self.modules.iter();
            modules.find(|other| self.root.tool == BuildTool::Gradle && other.name == name)
        });
        let folders = outer.map(|other| other.folder.as_path());
        let outermost = folders.min_by_key(|folder| folder.components().count());
        outermost.unwrap_or(&module.folder)
    }
}

/// Properties that restrict formatters of Maven to some files.
fn restrictions(module: &Module, files: &[PathBuf]) -> Vec<String> {
    // A path in the folder of sources, as patterns name it.
    let paths = files.iter().map(|file| {
        let mut folders = module.test_sources.iter();
        let inner = folders.find_map(|folder| file.strip_prefix(folder).ok());
        let inner = inner.or_else(|| file.file_name().map(Path::new));
        let inner = inner.unwrap_or(file).to_string_lossy().replace('\\', "/");
        // The properties are lists.
        inner.replace(',', "?")
    });
    let paths: Vec<String> = paths.collect();
    let expression = |text: &str| {
        let plain = text.replace('.', "\\.").replace('$', "\\$");
        plain.replace('?', ".").replace('/', "[/\\\\]")
    };
    let name = |path: &String| {
        let name = path.rsplit('/').next().unwrap_or_default();
        expression(name)
    };
    let of = |pattern: Pattern| match pattern {
        Pattern::Ant => {
            let patterns = paths.iter().map(|path| format!("**/{path}"));
            patterns.collect::<Vec<_>>().join(",")
        }
        Pattern::Paths => {
            let patterns = paths
                .iter()
                .map(|path| format!(".*[/\\\\]{}", expression(path)));
            patterns.collect::<Vec<_>>().join(",")
        }
        Pattern::Name => paths.iter().map(name).collect::<Vec<_>>().join("|"),
    };
    let mut properties = Vec::new();
    for known in &MAVEN {
        let mut calls = module.formatters.iter();
        let is_used = calls.any(|call| call.starts_with(known.plugin));
        if let Some((property, pattern)) = known.files.filter(|_| is_used) {
            let value = format!("-D{property}={}", of(pattern));
            if value.len() <= LONGEST && !properties.contains(&value) {
                properties.push(value);
            }
        }
    }
    properties
}

/// Copies of the files below a folder.
struct Backup {
    copies: TempDir,
    files: Vec<CopiedFile>,
}

/// File that was copied, under its number.
struct CopiedFile {
    path: PathBuf,
    modified: Option<SystemTime>,
    length: u64,
}

impl Backup {
    /// Copies the files below a folder, but for some of them, what the build makes, and hidden
    /// folders.
    fn of(folder: &Path, files: &[PathBuf], tool: BuildTool) -> Result<Backup, ProjectError> {
        let io = |what, path: &Path| {
            let path = path.to_owned();
            move |source| ProjectError::Io { what, path, source }
        };
        let copies = tempfile::tempdir();
        let copies = copies.map_err(io("create a folder in", &std::env::temp_dir()))?;
        let is_looked_into = |path: &Path, name: &str| {
            let is_output = name == tool.output() && is_beside_build(path);
            !is_output && !name.starts_with('.') && !LEFT_OUT.contains(&name)
        };
        let mut found = Vec::new();
        let mut folders = vec![folder.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let path = entry.path();
                let name = entry.file_name().to_string_lossy().into_owned();
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                match kind.is_dir() {
                    true if is_looked_into(&path, &name) => folders.push(path),
                    false if kind.is_file() && !files.contains(&path) => found.push(path),
                    _ => {}
                }
            }
        }
        let mut backup = Backup {
            copies,
            files: Vec::with_capacity(found.len()),
        };
        for path in found {
            // A file that vanishes meanwhile, or that cannot be read, is not formatted, either.
            let Ok(metadata) = fs::metadata(&path) else {
                continue;
            };
            let copy = backup.copy(backup.files.len());
            if fs::copy(&path, &copy).is_ok() {
                backup.files.push(CopiedFile {
                    modified: metadata.modified().ok(),
                    length: metadata.len(),
                    path,
                });
            }
        }
        Ok(backup)
    }

    /// Place of the copy of a file.
    fn copy(&self, number: usize) -> PathBuf {
        self.copies.path().join(number.to_string())
    }

    /// Puts back the files that have changed.
    fn put_back(&self) -> Result<(), ProjectError> {
        for (number, file) in self.files.iter().enumerate() {
            let now = fs::metadata(&file.path).ok();
            let is_same = now.is_some_and(|now| {
                now.len() == file.length && now.modified().ok() == file.modified
            });
            let copy = self.copy(number);
            if is_same || fs::read(&file.path).ok() == fs::read(&copy).ok() {
                continue;
            }
            let put = put_in_place(&copy, file);
            put.map_err(|source| ProjectError::Io {
                what: "put back",
                path: file.path.clone(),
                source,
            })?;
        }
        Ok(())
    }
}

/// Puts a copy in the place of its file, with the time of that.
fn put_in_place(copy: &Path, file: &CopiedFile) -> std::io::Result<()> {
    let folder = file.path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let fresh = tempfile::NamedTempFile::new_in(folder)?;
    fs::copy(copy, fresh.path())?;
    if let Some(modified) = file.modified {
        fresh.as_file().set_modified(modified)?;
    }
    fresh.persist(&file.path).map_err(|error| error.error)?;
    Ok(())
}

/// Whether a folder of what a build makes is beside a build file.
fn is_beside_build(output: &Path) -> bool {
    let names = ["pom.xml", "build.gradle", "build.gradle.kts"];
    let mut files = names.iter().map(|name| output.with_file_name(name));
    files.any(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls for a plugin with executions: identifier, phase and goals.
    fn calls(coordinates: &str, executions: &[&str]) -> Vec<String> {
        let mut plugin = ToldPlugin::new(coordinates.to_owned());
        for execution in executions {
            plugin.add_execution(&execution.replace(' ', "\t"));
        }
        plugin.formatters()
    }

    #[test]
    fn formatters_have_the_configuration_of_their_executions() {
        let spring = "io.spring.javaformat:spring-javaformat-maven-plugin:0.0.47";
        let apply = |execution: &str| format!("{spring}:apply{execution}");
        assert_eq!(calls(spring, &[]), [apply("")]);
        assert_eq!(calls(spring, &["a validate validate"]), [apply("@a")]);
        let both = [
            "a validate validate",
            "b  apply",
            "c process-sources apply help",
        ];
        assert_eq!(calls(spring, &both), [apply("@b"), apply("@c")]);
        // An execution that has no phase is out of the build.
        assert!(calls(spring, &["a none validate"]).is_empty());
        assert_eq!(calls(spring, &["a validate help"]), [apply("")]);
        // Without a version, it is that of the build.
        assert_eq!(
            calls("com.mycila:license-maven-plugin", &[]),
            ["com.mycila:license-maven-plugin:format"]
        );
    }

    #[test]
    fn other_plugins_format_nothing() {
        assert!(calls("org.apache.maven.plugins:maven-jar-plugin:3.4.2", &[]).is_empty());
        assert!(calls("com.mycila:license-maven-plugin-git:4.6", &[]).is_empty());
        let licences = "org.codehaus.mojo:license-maven-plugin:2.5.0";
        assert!(calls(licences, &["a package add-third-party"]).is_empty());
        assert_eq!(
            calls(
                licences,
                &["a  add-third-party", "b process-sources check-file-header"]
            ),
            [format!("{licences}:update-file-header@b")]
        );
    }

    #[test]
    fn formatters_are_restricted_to_files() {
        let module = Module {
            formatters: vec![
                "com.diffplug.spotless:spotless-maven-plugin:2.44.5:apply".to_owned(),
                "net.revelc.code:impsort-maven-plugin:1.12.0:sort@a".to_owned(),
                "com.spotify.fmt:fmt-maven-plugin:2.25:format".to_owned(),
                "com.theoryinpractise:googleformatter-maven-plugin:1.7.4:format".to_owned(),
            ],
            test_sources: vec![PathBuf::from("/p,q/src/test/java")],
            ..Module::default()
        };
        let files = [
            "/p,q/src/test/java/a/ATest.java",
            "/p,q/src/test/java/B$Test.java",
        ];
        let files = files.map(PathBuf::from);
        assert_eq!(
            restrictions(&module, &files),
            [
                r"-DspotlessFiles=.*[/\\]a[/\\]ATest\.java,.*[/\\]B\$Test\.java",
                r"-DfilesNamePattern=ATest\.java|B\$Test\.java",
                "-Dimpsort.includes=**/a/ATest.java,**/B$Test.java",
            ]
        );
        // What no command line holds is put back.
        let many: Vec<PathBuf> = (0..LONGEST)
            .map(|number| PathBuf::from(format!("/p,q/src/test/java/T{number}.java")))
            .collect();
        assert!(restrictions(&module, &many).is_empty());
    }

    #[test]
    fn other_files_are_put_back_to_the_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let names = [
            "pom.xml",
            "src/A.java",
            "src/B.java",
            "src/C.java",
            "target/D.java",
            ".git/E",
        ];
        for name in names {
            fs::create_dir_all(path(name).parent().unwrap()).unwrap();
            fs::write(path(name), format!("{name}\r\n")).unwrap();
        }
        let time = |name: &str| fs::metadata(path(name)).unwrap().modified().unwrap();
        let before = time("src/B.java");
        let own = [path("src/A.java")];
        let backup = Backup::of(folder.path(), &own, BuildTool::Maven).unwrap();
        for name in ["src/A.java", "src/B.java", "target/D.java", ".git/E"] {
            fs::write(path(name), "formatted\n").unwrap();
        }
        fs::remove_file(path("src/C.java")).unwrap();
        backup.put_back().unwrap();
        let read = |name: &str| fs::read_to_string(path(name)).unwrap();
        assert_eq!(read("src/A.java"), "formatted\n");
        assert_eq!(read("src/B.java"), "src/B.java\r\n");
        assert_eq!(read("src/C.java"), "src/C.java\r\n");
        assert_eq!(time("src/B.java"), before);
        // What the build makes, and what is hidden, is no source.
        assert_eq!(read("target/D.java"), "formatted\n");
        assert_eq!(read(".git/E"), "formatted\n");
    }
}
