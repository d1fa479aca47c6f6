//! Packages of PyPI that tests run, installed once for each build folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::programs::installed;
use crate::target::whole_folder;

/// Python with packages on its path.
#[derive(Clone, Debug)]
pub struct Python {
    interpreter: &'static str,
    packages: PathBuf,
}

impl Python {
    /// Python with these packages, each as `name==version`, and what they need.
    ///
    /// # Panics
    /// There is no Python, or the packages cannot be fetched; the message says what to install.
    #[must_use]
    pub fn with(packages: &[&str]) -> Python {
        let interpreter = interpreter();
        let name = packages.join("-").replace("==", "-");
        let packages = whole_folder("testkit", &name, |fresh| {
            let mut pip = Command::new(interpreter);
            pip.args(["-m", "pip", "install", "--quiet"]);
            pip.args(["--disable-pip-version-check", "--no-warn-script-location"]);
            pip.arg("--target").arg(fresh).args(packages);
            match pip.output() {
                Ok(output) if output.status.success() => {}
                Ok(output) => panic!(
                    "failed to fetch {packages:?} with pip; tests need them:\n{}",
                    String::from_utf8_lossy(&output.stderr)
                ),
                Err(error) => panic!("failed to start {interpreter}: {error}"),
            }
        });
        Python {
            interpreter,
            packages,
        }
    }

    /// Command that runs Python with the packages.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut command = Command::new(self.interpreter);
        command.env("PYTHONPATH", &self.packages);
        command
    }

    /// Folder of the packages; their programs are in `bin` below it.
    #[must_use]
    pub fn packages(&self) -> &Path {
        &self.packages
    }
}

/// Name of the interpreter, which has pip and is installed if that is possible without interaction.
///
/// # Panics
/// There is none, and none can be installed.
#[must_use]
pub fn interpreter() -> &'static str {
    let has_pip = |python: &&str| {
        let version = Command::new(python)
            .args(["-m", "pip", "--version"])
            .output();
        version.is_ok_and(|output| output.status.success())
    };
    let found = ["python3", "python"].into_iter().find(has_pip);
    found.unwrap_or_else(|| {
        let _ = installed(&["pip3"], "python3-pip", "tests run Python 3 with pip");
        "python3"
    })
}
