//! Programs that tests run, installed on Debian if they are missing.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// Path of a program, whose Debian package is installed if that is possible without interaction; by
/// one thread at a time.
///
/// # Panics
/// There is no such program; the message says what to install.
#[must_use]
pub fn command(name: &str, package: &str) -> PathBuf {
    static INSTALLING: Mutex<()> = Mutex::new(());
    let _one = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(program) = find_command(name) {
        return program;
    }
    let failure = match find_command("apt-get") {
        Some(apt_get) if is_root() => install(&apt_get, package),
        _ => String::new(),
    };
    find_command(name).unwrap_or_else(|| {
        panic!("tests run {name}: install {package} so that `{name}` is on the PATH\n{failure}")
    })
}

/// Installs a package of Debian; returns the error message.
fn install(apt_get: &Path, package: &str) -> String {
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
    let install = || run(&["install", "-y", "-qq", package]);
    // A fresh system has no package lists, or old ones.
    let done = install().or_else(|_| run(&["update", "-qq"]).and_then(|()| install()));
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
