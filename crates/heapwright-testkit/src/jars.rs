//! Jars of Maven's central repository, fetched once for each build folder.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::fixtures::files;
use crate::programs::installed;
use crate::target::{check, whole_folder};

/// Maven's command.
const COMMAND: &str = if cfg!(windows) { "mvn.cmd" } else { "mvn" };

/// Fetches the jars with these coordinates, `group:artifact:version[:jar:classifier]`, into a
/// folder with the name of their set: from Maven's local repository, else by Maven.
///
/// # Panics
/// They cannot be fetched; the message says what to install.
#[must_use]
pub fn fetched<const N: usize>(set: &str, wanted: [&str; N]) -> [PathBuf; N] {
    let done = whole_folder("testkit", set, |fresh| {
        for jar in wanted {
            if let Some(local) = in_local_repository(jar) {
                check("create", fresh, fs::create_dir_all(fresh));
                let copied = fs::copy(&local, fresh.join(file_name(jar)));
                check("copy", &local, copied.map(|_| ()));
                continue;
            }
            let mut maven = Command::new(maven());
            maven.args(["-q", "-B", "dependency:copy"]);
            maven.arg(format!("-Dartifact={jar}"));
            maven.arg(format!("-DoutputDirectory={}", fresh.display()));
            run_maven(maven, jar, fresh);
        }
    });
    wanted.map(|jar| done.join(file_name(jar)))
}

/// Fetches a library's jar, followed by its run-time dependencies, by its coordinates
/// `group:artifact:version`.
///
/// # Panics
/// They cannot be fetched; the message says what to install.
#[must_use]
pub fn resolved(coordinates: &str) -> Vec<PathBuf> {
    resolved_together(&[coordinates])
}

/// Fetches the jars of libraries, the first one's own before all others, with their run-time
/// dependencies, whose versions a build chooses.
///
/// # Panics
/// They cannot be fetched; the message says what to install.
#[must_use]
pub fn resolved_together(libraries: &[&str]) -> Vec<PathBuf> {
    let names: Vec<String> = libraries.iter().map(|library| file_name(library)).collect();
    let set: Vec<&str> = names
        .iter()
        .map(|name| name.trim_end_matches(".jar"))
        .collect();
    let done = whole_folder("testkit", &set.join("+"), |fresh| {
        let pom = fresh.join("pom.xml");
        check("write", &pom, fs::create_dir_all(fresh));
        check("write", &pom, fs::write(&pom, project_with(libraries)));
        let mut maven = Command::new(maven());
        maven.args([
            "-q",
            "-B",
            "dependency:copy-dependencies",
            "-DincludeScope=runtime",
        ]);
        maven.arg("-f").arg(&pom);
        maven.arg(format!("-DoutputDirectory={}", fresh.display()));
        run_maven(maven, &libraries.join(", "), fresh);
    });
    let mut jars = files(&done, "jar");
    jars.sort_by_key(|jar| !jar.ends_with(&names[0]));
    jars
}

/// Maven project that depends on libraries.
fn project_with(libraries: &[&str]) -> String {
    let dependencies = libraries.iter().map(|library| {
        let parts: Vec<&str> = library.split(':').collect();
        let [group, artifact, version] = parts[..] else {
            panic!("no coordinates of a library: {library}");
        };
        format!(
            "<dependency><groupId>{group}</groupId><artifactId>{artifact}</artifactId>\
             <version>{version}</version></dependency>"
        )
    });
    format!(
        "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId>\
         <version>1</version><dependencies>{}</dependencies></project>\n",
        dependencies.collect::<String>()
    )
}

/// Runs Maven to fetch something into a folder.
fn run_maven(mut command: Command, what: &str, folder: &Path) {
    let parent = folder.parent().unwrap_or(folder);
    match command.current_dir(parent).output() {
        Ok(output) if output.status.success() => {}
        Ok(output) => panic!(
            "failed to fetch {what} with Maven; tests need it:\n{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => panic!("failed to start Maven: {error}"),
    }
}

/// Jar of Maven's local repository, if it is there.
fn in_local_repository(coordinates: &str) -> Option<PathBuf> {
    let home = PathBuf::from(std::env::var_os("HOME")?);
    let mut parts = coordinates.split(':');
    let (group, artifact, version) = (parts.next()?, parts.next()?, parts.next()?);
    let mut folder = home.join(".m2").join("repository");
    folder.extend(group.split('.'));
    let jar = folder
        .join(artifact)
        .join(version)
        .join(file_name(coordinates));
    jar.is_file().then_some(jar)
}

/// File name of a jar: `junit-4.13.2.jar` for `junit:junit:4.13.2`; a classifier follows the
/// version.
fn file_name(coordinates: &str) -> String {
    let parts: Vec<&str> = coordinates.split(':').skip(1).collect();
    match parts[..] {
        [artifact, version] => format!("{artifact}-{version}.jar"),
        [artifact, version, "jar", classifier] => format!("{artifact}-{version}-{classifier}.jar"),
        _ => panic!("no coordinates of a jar: {coordinates}"),
    }
}

/// Maven's command, installed if that is possible without interaction; by one thread at a time.
///
/// # Panics
/// It is not there, and cannot be installed.
#[must_use]
pub fn maven() -> &'static Path {
    static MAVEN: OnceLock<PathBuf> = OnceLock::new();
    MAVEN.get_or_init(find_or_install_maven)
}

/// Command of a version of Maven, whose distribution is fetched once for each build folder.
///
/// # Panics
/// It cannot be fetched; the message says what to install.
#[must_use]
pub fn maven_of(version: &str) -> PathBuf {
    let distribution = format!("org.apache.maven:apache-maven:{version}:tar.gz:bin");
    let name = format!("apache-maven-{version}");
    let done = whole_folder("testkit", &name, |fresh| {
        let mut fetch = Command::new(maven());
        fetch.args(["-q", "-B", "dependency:copy"]);
        fetch.arg(format!("-Dartifact={distribution}"));
        fetch.arg(format!("-DoutputDirectory={}", fresh.display()));
        run_maven(fetch, &distribution, fresh);
        let archive = format!("{name}-bin.tar.gz");
        let mut unpack = Command::new("tar");
        unpack.arg("-xzf").arg(&archive).current_dir(fresh);
        let unpacked = unpack.status().is_ok_and(|status| status.success());
        assert!(unpacked, "failed to unpack {archive} with tar");
    });
    done.join(name).join("bin").join(COMMAND)
}

fn find_or_install_maven() -> PathBuf {
    installed(&[COMMAND], "maven", "tests fetch jars with Maven")
}
