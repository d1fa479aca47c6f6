//! Programs that tests need, installed from Debian's packages where that is possible without
//! interaction.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// Finds a program by the first of these names that is on the `PATH`; otherwise installs the package
/// that has it. `purpose` begins the message if that fails: `tests fetch jars with Maven`.
///
/// # Panics
/// The program is not there and cannot be installed; the message says what to install.
#[must_use]
pub fn installed(names: &[&str], package: &str, purpose: &str) -> PathBuf {
    // One installation at a time; others may bring the program along.
    static INSTALLING: Mutex<()> = Mutex::new(());
    let find = || names.iter().find_map(|name| find_command(name));
    if let Some(program) = find() {
        return program;
    }
    let _turn = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
    let failure = match find_command("apt-get") {
        _ if find().is_some() => String::new(),
        Some(apt_get) if is_root() => install(&apt_get, package),
        _ => String::new(),
    };
    find().unwrap_or_else(|| {
        let names = names.join("` or `");
        panic!("{purpose}: install {package} so that `{names}` is on the PATH\n{failure}")
    })
}

/// Installs a package of Debian; returns the error message.
fn install(apt_get: &Path, package: &str) -> String {
    // Another one's installation is waited for, 10 minutes at most.
    let waiting = "-oDPkg::Lock::Timeout=600";
    let get = || run(apt_get, &["install", "-y", "-qq", waiting, package]);
    let done = get().or_else(|_| {
        // An installation that was killed halfway is ended first.
        let _ = run(Path::new("dpkg"), &["--configure", "-a"]);
        let _ = run(apt_get, &["install", "-y", "-qq", "--fix-broken"]);
        // A fresh system has no package lists, or old ones.
        run(apt_get, &["update", "-qq"])?;
        get()
    });
    done.err().unwrap_or_default()
}

/// Runs a program that never asks, out of reach of the signal that stops the tests: packages must
/// not be left half installed.
fn run(program: &Path, arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(program);
    command.args(arguments);
    command.env("DEBIAN_FRONTEND", "noninteractive");
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        Err(error) => Err(error.to_string()),
    }
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
