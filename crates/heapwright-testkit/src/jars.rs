//! Jars from Maven's central repository, fetched once for each build folder.
//!
//! A set of them is whole or absent: they are fetched under a lock, into a folder of their own that
//! is then renamed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The jars of these coordinates, `group:artifact:version[:jar:classifier]`, in a folder named for
/// their set.
///
/// # Panics
/// If they cannot be fetched; the message says what to install.
#[must_use]
pub fn fetched<const N: usize>(set: &str, wanted: [&str; N]) -> [PathBuf; N] {
    let folder = target_folder().join("testkit");
    let done = folder.join(set);
    let paths = wanted.map(|jar| done.join(file_name(jar)));
    let is_whole = || paths.iter().all(|jar| jar.is_file());
    if is_whole() {
        return paths;
    }
    let check = |what: &str, result: std::io::Result<()>| {
        if let Err(error) = result {
            panic!("failed to {what} {}: {error}", folder.display());
        }
    };
    check("make", fs::create_dir_all(&folder));
    let lock = File::create(folder.join(format!("{set}.lock")));
    check(
        "lock",
        lock.as_ref()
            .map_or_else(|error| Err(error.kind().into()), File::lock),
    );
    if is_whole() {
        return paths;
    }
    let fresh = folder.join(format!("{set}.new"));
    for old in [&fresh, &done] {
        if old.exists() {
            check("clear", fs::remove_dir_all(old));
        }
    }
    let maven = maven();
    for jar in wanted {
        let output = Command::new(maven)
            .args(["-q", "-B", "dependency:copy"])
            .arg(format!("-Dartifact={jar}"))
            .arg(format!("-DoutputDirectory={}", fresh.display()))
            .current_dir(&folder)
            .output();
        match output {
            Ok(output) if output.status.success() => {}
            Ok(output) => panic!(
                "failed to fetch {jar} with Maven; tests need it:\n{}{}",
                String::from_utf8_lossy(&output.stdout),
                String::from_utf8_lossy(&output.stderr)
            ),
            Err(error) => panic!("failed to start Maven: {error}"),
        }
    }
    check("finish", fs::rename(&fresh, &done));
    paths
}

/// `junit-4.13.2.jar` for `junit:junit:4.13.2`; a classifier comes after the version.
fn file_name(coordinates: &str) -> String {
    let parts: Vec<&str> = coordinates.split(':').skip(1).collect();
    match parts[..] {
        [artifact, version] => format!("{artifact}-{version}.jar"),
        [artifact, version, "jar", classifier] => format!("{artifact}-{version}-{classifier}.jar"),
        _ => panic!("no coordinates of a jar: {coordinates}"),
    }
}

/// Maven's command, installed if that is possible without asking; by one thread at a time.
fn maven() -> &'static Path {
    static MAVEN: OnceLock<PathBuf> = OnceLock::new();
    MAVEN.get_or_init(find_or_install_maven)
}

fn find_or_install_maven() -> PathBuf {
    let find = || find_command(if cfg!(windows) { "mvn.cmd" } else { "mvn" });
    if let Some(maven) = find() {
        return maven;
    }
    let failure = match find_command("apt-get") {
        Some(apt_get) if is_root() => install(&apt_get),
        _ => String::new(),
    };
    find().unwrap_or_else(|| {
        panic!("tests fetch jars with Maven: install it so that `mvn` is on the PATH\n{failure}")
    })
}

/// Installs Debian's Maven; what went wrong.
fn install(apt_get: &Path) -> String {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(apt_get);
        command.args(arguments);
        command.env("DEBIAN_FRONTEND", "noninteractive");
        match command.output() {
            Ok(output) if output.status.success() => Ok(()),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
            Err(error) => Err(error.to_string()),
        }
    };
    let maven = || run(&["install", "-y", "-qq", "maven"]);
    // A fresh system has no lists of packages, or old ones.
    let done = maven().or_else(|_| run(&["update", "-qq"]).and_then(|()| maven()));
    done.err().unwrap_or_default()
}

fn find_command(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

fn is_root() -> bool {
    Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

/// The workspace's `target`: where the running test itself was built.
fn target_folder() -> PathBuf {
    let test = std::env::current_exe()
        .unwrap_or_else(|error| panic!("failed to find the running test: {error}"));
    // target/debug/deps/name-hash
    match test.ancestors().nth(3) {
        Some(target) => target.to_owned(),
        None => panic!("failed to find the build folder of {}", test.display()),
    }
}
