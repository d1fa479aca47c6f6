//! The project's Java fixtures, compiled once for each build folder.
//!
//! The classes of a [`Fixture`] are below the build's target folder, under a hash of its sources,
//! options, class path and compiler. Invariant: the folder is never changed afterwards; a test
//! that changes class files takes a copy.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::java_server::{JavaServer, Pool};
use crate::jdk::{Jdk, compilers};
use crate::junit::join;
use crate::target::{check, whole_folder};

/// Options of the processes that compile: fast to start, and small.
const COMPILER_OPTIONS: [&str; 3] = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m"];

/// Java sources that are the same in every run, and the way to compile them.
#[derive(Clone, Debug)]
pub struct Fixture {
    compiler: Jdk,
    options: Vec<String>,
    class_path: Vec<PathBuf>,
    sources: Vec<Source>,
}

/// File of the project, or a text with the name of its class.
#[derive(Clone, Debug)]
enum Source {
    File(PathBuf),
    Text(String, String),
}

impl Fixture {
    /// Creates a fixture without sources, compiled with these options by the oldest compiler.
    ///
    /// # Panics
    /// There is no compiler.
    #[must_use]
    pub fn new(options: &[&str]) -> Self {
        Self {
            compiler: compilers().swap_remove(0),
            options: options.iter().map(|&option| option.to_owned()).collect(),
            class_path: Vec::new(),
            sources: Vec::new(),
        }
    }

    /// Sets the compiler.
    #[must_use]
    pub fn by(mut self, compiler: &Jdk) -> Self {
        self.compiler = compiler.clone();
        self
    }

    /// Adds a folder of classes or a jar to the class path; its path must identify its contents.
    #[must_use]
    pub fn against(mut self, classes: &Path) -> Self {
        self.class_path.push(classes.to_owned());
        self
    }

    /// Adds a source file.
    #[must_use]
    pub fn file(mut self, file: impl Into<PathBuf>) -> Self {
        self.sources.push(Source::File(file.into()));
        self
    }

    /// Adds all sources below a folder.
    #[must_use]
    pub fn folder(mut self, folder: &Path) -> Self {
        self.sources
            .extend(files(folder, "java").into_iter().map(Source::File));
        self
    }

    /// Adds all sources of a package of `fixtures/src`.
    #[must_use]
    pub fn package(self, package: &str) -> Self {
        self.folder(&project().join("fixtures/src").join(package))
    }

    /// Adds the source of a class, given by its simple name.
    #[must_use]
    pub fn text(mut self, class: &str, text: &str) -> Self {
        self.sources
            .push(Source::Text(class.to_owned(), text.to_owned()));
        self
    }

    /// Folder of the classes, which are compiled at their first use in this build folder.
    ///
    /// # Panics
    /// A source cannot be read, or javac refuses the sources; the message contains javac's.
    #[must_use]
    pub fn classes(&self) -> PathBuf {
        whole_folder("fixtures", &format!("{:016x}", self.hash()), |fresh| {
            let texts = check("make", fresh, tempfile::tempdir());
            let sources = self.sources.iter().enumerate();
            let sources: Vec<PathBuf> = sources
                .map(|(number, source)| match source {
                    Source::File(file) => file.clone(),
                    Source::Text(class, text) => {
                        let folder = texts.path().join(number.to_string());
                        let file = folder.join(format!("{class}.java"));
                        check("make", &folder, fs::create_dir(&folder));
                        check("write", &file, fs::write(&file, text));
                        file
                    }
                })
                .collect();
            let options: Vec<&str> = self.options.iter().map(String::as_str).collect();
            compile(&self.compiler, &sources, &self.class_path, fresh, &options);
        })
    }

    /// Copies the classes to a folder, for a test that changes them or depends on their location.
    ///
    /// # Panics
    /// As for [`Fixture::classes`], or the copy fails.
    pub fn copied_to(&self, folder: &Path) {
        let classes = self.classes();
        check("make", folder, fs::create_dir_all(folder));
        for file in files(&classes, "class") {
            let to = folder.join(file.strip_prefix(&classes).unwrap_or(&file));
            let parent = to.parent().unwrap_or(folder);
            check("make", parent, fs::create_dir_all(parent));
            check("copy", &to, fs::copy(&file, &to));
        }
    }

    fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let release = self.compiler.home.join("release");
        check("read", &release, fs::read(&release)).hash(&mut hasher);
        self.options.hash(&mut hasher);
        self.class_path.hash(&mut hasher);
        for source in &self.sources {
            match source {
                Source::File(file) => {
                    file.file_name().hash(&mut hasher);
                    check("read", file, fs::read(file)).hash(&mut hasher);
                }
                Source::Text(class, text) => (class, text).hash(&mut hasher),
            }
        }
        hasher.finish()
    }
}

/// All classes in `fixtures/`, with [`api`] and [`verifiers`] on their class path.
#[must_use]
pub fn all() -> Fixture {
    Fixture::new(&["--release", "17", "-nowarn"])
        .against(&api())
        .against(&verifiers())
        .folder(&project().join("fixtures").join("src"))
}

/// Folder of [`all`].
///
/// # Panics
/// javac fails.
#[must_use]
pub fn classes() -> PathBuf {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| all().classes()).clone()
}

/// Folder of the `korat.finitization` package, which fixtures use.
///
/// # Panics
/// javac fails.
#[must_use]
pub fn api() -> PathBuf {
    static API: OnceLock<PathBuf> = OnceLock::new();
    let api = API.get_or_init(|| {
        let java = project().join("crates/heapwright-techniques/java");
        Fixture::new(&["--release", "17", "-nowarn"])
            .folder(&java)
            .classes()
    });
    api.clone()
}

/// Folder of the libraries by whose methods programs ask for inputs.
///
/// # Panics
/// javac fails.
#[must_use]
pub fn verifiers() -> PathBuf {
    static VERIFIERS: OnceLock<PathBuf> = OnceLock::new();
    let verifiers = VERIFIERS.get_or_init(|| {
        let java = project().join("crates/heapwright-techniques/verifiers");
        Fixture::new(&["--release", "17", "-nowarn"])
            .folder(&java)
            .classes()
    });
    verifiers.clone()
}

/// Root of the project's source tree.
#[must_use]
pub fn project() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join("..");
    root.canonicalize().unwrap_or(root)
}

/// All files with an extension below a folder, sorted.
#[must_use]
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(listing) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in listing.flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Compiles UTF-8 sources into a folder, independent of the locale; `options` are javac's. This
/// is for generated sources; sources that are the same in every run are a [`Fixture`].
///
/// # Panics
/// javac refuses the sources; the message contains javac's.
pub fn compile(
    jdk: &Jdk,
    sources: &[PathBuf],
    class_path: &[PathBuf],
    to: &Path,
    options: &[&str],
) {
    if let Err(messages) = try_to_compile(jdk, sources, class_path, to, options) {
        panic!("javac of JDK {}:\n{messages}", jdk.feature);
    }
}

/// Compiles like [`compile`].
///
/// # Errors
/// javac refuses the sources; these are its messages.
pub(crate) fn try_to_compile(
    jdk: &Jdk,
    sources: &[PathBuf],
    class_path: &[PathBuf],
    to: &Path,
    options: &[&str],
) -> Result<(), String> {
    let path = |path: &Path| path.to_str().unwrap_or_default().to_owned();
    let mut arguments = vec!["-encoding".to_owned(), "UTF-8".to_owned()];
    arguments.extend(options.iter().map(|&option| option.to_owned()));
    arguments.extend(["-d".to_owned(), path(to), "-cp".to_owned()]);
    arguments.push(join(class_path).to_string_lossy().into_owned());
    arguments.extend(sources.iter().map(|source| path(source)));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    javac(jdk, &arguments)
}

/// Runs javac in a process that other calls of this test binary use, too: it is warm then. The
/// error has its messages.
fn javac(jdk: &Jdk, arguments: &[&str]) -> Result<(), String> {
    static COMPILERS: Pool = Pool::new();
    let start = || {
        let mut java = jdk.java();
        java.args(COMPILER_OPTIONS).arg("-cp").arg(compiler(jdk));
        JavaServer::start(java.arg("Compiler"))
    };
    match COMPILERS.ask(&jdk.home.to_string_lossy(), start, arguments) {
        Some((status, _)) if status == "0" => Ok(()),
        Some((_, messages)) => Err(messages.join("\n")),
        None => Err(format!("no answer to {arguments:?}")),
    }
}

/// Folder of the program that compiles on request, compiled by a JDK.
fn compiler(jdk: &Jdk) -> PathBuf {
    let source = project().join("crates/heapwright-testkit/java/compiler/Compiler.java");
    let text = check("read", &source, fs::read(&source));
    let mut hasher = DefaultHasher::new();
    (jdk.feature, text).hash(&mut hasher);
    let name = format!("compiler-{:016x}", hasher.finish());
    whole_folder("testkit", &name, |fresh| {
        let mut javac = jdk.javac();
        let status = javac.arg("-d").arg(fresh).arg(&source).status();
        assert!(
            status.is_ok_and(|status| status.success()),
            "javac of {} failed",
            jdk.home.display()
        );
    })
}

/// Masks the parts of a run's output that differ between runs: the seconds of its summary, and
/// the prefix to resume from, which depends on the compiler.
#[must_use]
pub fn without_seconds(printed: &str) -> String {
    let lines = printed.lines().map(|line| {
        let mut words: Vec<&str> = line.split(' ').collect();
        let last = words.len() - 1;
        let is_unit = |at: usize, word: &str| word == "s;" || (word == "s" && at == last && at > 0);
        let unit = words
            .iter()
            .enumerate()
            .position(|(at, word)| is_unit(at, word));
        if let Some(at) = unit {
            words[at - 1] = "…";
        }
        if let Some(at) = words.iter().position(|word| *word == "--resume") {
            words[at + 1] = "…";
        }
        words.join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fixture_lies_where_its_contents_say() {
        let of = |text: &str| Fixture::new(&[]).text("Small", text);
        let one = of("class Small { }");
        let classes = one.classes();
        assert!(classes.join("Small.class").is_file());
        assert_eq!(one.classes(), classes);
        assert_ne!(of("class Small { int x; }").classes(), classes);
        let with_options = Fixture::new(&["-g"]).text("Small", "class Small { }");
        assert_ne!(with_options.classes(), classes);

        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("a/b");
        one.copied_to(&copy);
        let file = |folder: &Path| fs::read(folder.join("Small.class")).unwrap();
        assert_eq!(file(&copy), file(&classes));
    }
}
