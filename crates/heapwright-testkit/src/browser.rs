//! Node.js with packages of npm, and a browser that it drives.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::programs::installed;
use crate::target::{check, whole_folder};

/// Fetches packages of npm, each with its version as `axe-core@4.14.1`, into a folder with the name
/// of their set and a hash of the packages. Returns the folder of the packages.
///
/// # Panics
/// They cannot be fetched; the message says what to install.
#[must_use]
pub fn packages(set: &str, wanted: &[&str]) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    wanted.hash(&mut hasher);
    let name = format!("{set}-{:016x}", hasher.finish());
    let done = whole_folder("testkit", &name, |fresh| {
        check("make", fresh, fs::create_dir_all(fresh));
        let manifest = fresh.join("package.json");
        check(
            "write",
            &manifest,
            fs::write(&manifest, "{\"private\": true}\n"),
        );
        let npm = installed(&["npm"], "npm", "tests fetch packages with npm");
        let mut command = Command::new(npm);
        // No package may run a script of its own, or fetch a browser.
        command.args(["install", "--ignore-scripts", "--no-audit", "--no-fund"]);
        let output = command.args(wanted).current_dir(fresh).output();
        let output = check("start npm in", fresh, output);
        assert!(
            output.status.success(),
            "failed to fetch {wanted:?} with npm; tests need them:\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
    });
    done.join("node_modules")
}

/// Runs a script with Node.js, which finds these packages and, in the variable `BROWSER`, Chromium.
///
/// # Panics
/// Node.js or the browser is not there and cannot be installed.
#[must_use]
pub fn run_script(script: &Path, packages: &Path, arguments: &[&Path]) -> Output {
    let node = installed(
        &["node", "nodejs"],
        "nodejs",
        "tests run scripts with Node.js",
    );
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let browser = installed(&names, "chromium", "tests open pages in Chromium");
    let mut command = Command::new(node);
    command.arg(script).args(arguments);
    command.env("NODE_PATH", packages).env("BROWSER", browser);
    check("run", script, command.output())
}
