//! Gradle, from the jar of its API in Maven's central repository: its distribution is in no
//! repository of packages.
//!
//! The jar contains Gradle's classes, and those of its libraries under other names. Gradle wants to
//! see a distribution, with a jar for each of its modules and libraries: here, one of these has all
//! classes, and the others are empty. Limits of such a Gradle are that it compiles Java with `javac`
//! as another process alone, reads no build files in Kotlin, and runs no tests: its classes of JUnit
//! have other names, too.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::env;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::fixtures::files;
use crate::jars::resolved;
use crate::jdk::{Jdk, compilers};
use crate::junit::join;
use crate::plugins::PluginRepository;
use crate::target::{check, target_folder, whole_folder};

/// Version of Gradle.
pub const VERSION: &str = "8.11.1";
/// Library of Gradle whose classes have their own names.
const KOTLIN_REFLECT: &str = "org.jetbrains.kotlin:kotlin-reflect:2.0.20";
/// Module whose jar has all classes: every other depends on it.
const ALL: &str = "gradle-base-services";
/// Module that the jar of the API lacks.
const LACKING: &str = "gradle-java-compiler-plugin";
/// Suffix of the files that describe modules.
const MANIFEST: &str = "-classpath.properties";
/// Packages of the JDK that Gradle opens for itself.
const OPENED: [&str; 7] = [
    "java.base/java.lang",
    "java.base/java.lang.invoke",
    "java.base/java.net",
    "java.base/java.nio.charset",
    "java.base/java.util",
    "java.base/java.util.concurrent.atomic",
    "java.xml/javax.xml.namespace",
];

/// Runs Gradle in the folder of a project, with `path` before the other folders of the variable
/// PATH, and with the plugins of a repository.
///
/// # Panics
/// Gradle cannot be fetched or started.
#[must_use]
pub fn run_gradle(
    plugins: &PluginRepository,
    project: &Path,
    path: &Path,
    arguments: &[&str],
) -> Output {
    let jdk = &compilers()[0];
    let script = plugins.gradle_script();
    let mut command = engine(jdk);
    command.arg("--init-script").arg(script);
    // No daemon is left behind.
    command.arg("-Pkotlin.compiler.execution.strategy=in-process");
    command.args(arguments).current_dir(project);
    let others = env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(path.to_owned()).chain(env::split_paths(&others));
    if let Ok(all) = env::join_paths(all) {
        command.env("PATH", all);
    }
    // On two cores, one build of Gradle and one of Maven at a time are enough.
    let _lock = plugins.lock("gradle");
    let output = command.output();
    output.unwrap_or_else(|error| panic!("failed to start {command:?}: {error}"))
}

/// Command that runs Gradle, with a home of its own.
fn engine(jdk: &Jdk) -> Command {
    let distribution = distribution();
    let home = target_folder().join("testkit").join("gradle-home");
    let mut command = jdk.java();
    for package in OPENED {
        command.arg(format!("--add-opens={package}=ALL-UNNAMED"));
    }
    let mut class_path = vec![distribution.join("engine")];
    class_path.extend(files(&distribution.join("lib"), "jar"));
    // Short runs are quicker with the first compiler alone.
    command.args(["-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]);
    command.arg("-cp").arg(join(&class_path));
    command.arg("GradleEngine").arg(&home);
    command.arg("--gradle-user-home").arg(&home);
    command
}

/// Writes `gradlew`, a wrapper that runs Gradle, into the folder of a project, on systems with a
/// shell.
///
/// # Panics
/// Gradle cannot be fetched, or the file cannot be written.
#[cfg(unix)]
pub fn write_wrapper(project: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let jdk = &compilers()[0];
    let engine = engine(jdk);
    let quoted = |word: &std::ffi::OsStr| format!("'{}'", word.display());
    let words = [engine.get_program()].into_iter().chain(engine.get_args());
    let words: Vec<String> = words.map(quoted).collect();
    let wrapper = project.join("gradlew");
    let text = format!("#!/bin/sh\nexec {} \"$@\"\n", words.join(" "));
    check("write", &wrapper, fs::write(&wrapper, text));
    let mode = fs::Permissions::from_mode(0o755);
    check("write", &wrapper, fs::set_permissions(&wrapper, mode));
}

/// Lines of a build file that let Gradle compile Java here: by this JDK's `javac`, as another
/// process.
#[must_use]
pub fn compiling() -> String {
    let javac = compilers()[0].home.join("bin").join("javac");
    format!(
        "tasks.withType(JavaCompile).configureEach {{\n    options.fork = true\n    \
         options.forkOptions.executable = '{}'\n}}\n",
        javac.display().to_string().replace('\\', "/")
    )
}

/// Folder with the distribution: `lib`, and `engine` with the class that starts it.
fn distribution() -> PathBuf {
    let api = resolved(&format!("dev.gradleplugins:gradle-api:{VERSION}"));
    let mut libraries = api.clone();
    libraries.extend(resolved(KOTLIN_REFLECT));
    whole_folder("testkit", &format!("gradle-{VERSION}"), |fresh| {
        let lib = fresh.join("lib");
        check("make", &lib, fs::create_dir_all(&lib));
        for name in write_modules(&api[0], &lib) {
            let jar = lib.join(&name);
            match libraries.iter().find(|library| library.ends_with(&name)) {
                Some(library) => drop(check("copy", &jar, fs::copy(library, &jar))),
                None => write_jar(&jar, "empty", b""),
            }
        }
        compile_engine(&compilers()[0], &lib, &fresh.join("engine"));
    })
}

/// Writes the modules of Gradle. Returns the file names of the libraries that they depend on.
fn write_modules(api: &Path, lib: &Path) -> BTreeSet<String> {
    let mut archive = opened(api);
    let names = archive.file_names().flatten();
    let names: Vec<String> = names.map(Cow::into_owned).collect();
    let mut libraries = BTreeSet::new();
    for name in &names {
        let Some(module) = name
            .strip_suffix(MANIFEST)
            .filter(|name| !name.contains('/'))
        else {
            continue;
        };
        let mut manifest = String::new();
        let read = archive
            .by_name(name)
            .map(|mut file| file.read_to_string(&mut manifest));
        check("read", api, read.map_err(Into::into).flatten());
        let runtime = manifest
            .lines()
            .find_map(|line| line.strip_prefix("runtime="));
        let runtime = runtime.unwrap_or_default().split(',');
        libraries.extend(runtime.filter(|name| !name.is_empty()).map(str::to_owned));
        if module != ALL {
            write_jar(&jar_of(module, lib), name, manifest.as_bytes());
        }
    }
    write_jar(&jar_of(LACKING, lib), &format!("{LACKING}{MANIFEST}"), b"");
    copy_classes(&mut archive, &jar_of(ALL, lib));
    libraries
}

/// Copies all entries of the API's jar but for its index, which is wrong.
fn copy_classes(archive: &mut ZipArchive<File>, jar: &Path) {
    let mut writer = ZipWriter::new(check("write", jar, File::create(jar)));
    let mut written = HashSet::new();
    for index in 0..archive.len() {
        let entry = check("read", jar, archive.by_index_raw(index).map_err(Into::into));
        let name = entry.name().map(Cow::into_owned).map_err(Into::into);
        let name = check("read", jar, name);
        if name != "META-INF/INDEX.LIST" && written.insert(name) {
            let copied = writer.raw_copy_file(entry);
            check("write", jar, copied.map_err(Into::into));
        }
    }
    check("write", jar, writer.finish().map_err(Into::into));
}

/// Compiles the class that starts Gradle.
fn compile_engine(jdk: &Jdk, lib: &Path, to: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("java/GradleEngine.java");
    let mut javac: Command = jdk.javac();
    javac.arg("-nowarn").arg("-cp").arg(jar_of(ALL, lib));
    javac.arg("-d").arg(to).arg(&source);
    let output = check("start javac for", &source, javac.output());
    assert!(
        output.status.success(),
        "failed to compile {}:\n{}",
        source.display(),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn jar_of(module: &str, lib: &Path) -> PathBuf {
    lib.join(format!("{module}-{VERSION}.jar"))
}

fn opened(jar: &Path) -> ZipArchive<File> {
    let file = check("open", jar, File::open(jar));
    check("read", jar, ZipArchive::new(file).map_err(Into::into))
}

/// Writes a jar with one entry.
fn write_jar(jar: &Path, name: &str, content: &[u8]) {
    let mut writer = ZipWriter::new(check("write", jar, File::create(jar)));
    let started = writer.start_file(name, SimpleFileOptions::default());
    check("write", jar, started.map_err(Into::into));
    check("write", jar, writer.write_all(content));
    check("write", jar, writer.finish().map_err(Into::into));
}
