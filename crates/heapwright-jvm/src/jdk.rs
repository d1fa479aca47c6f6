//! Location of the JDK whose library code runs.

use std::path::{Path, PathBuf};

/// Installed JDK (or run-time image) of a supported version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// Folder that contains `lib/modules`.
    pub home: PathBuf,
    /// Feature release: 17, 21 or 25.
    pub feature: u32,
    /// Full version, such as `17.0.15`.
    pub version: String,
    /// Names of its modules, `java.base` first.
    pub modules: Vec<String>,
}

/// Error of finding a JDK.
#[derive(Debug, thiserror::Error)]
pub enum JdkError {
    /// No JDK is given, in `JAVA_HOME` or on the `PATH`.
    #[error("no JDK found: set JAVA_HOME, put java on the PATH, or name one with --jdk DIR")]
    NotFound,
    /// The given folder is no JDK.
    #[error("{} is not a JDK: it has no {missing}", home.display())]
    NotAJdk {
        /// The folder.
        home: PathBuf,
        /// The missing file.
        missing: &'static str,
    },
    /// The JDK has an unsupported version.
    #[error("the JDK in {} is version {version}: Heapwright runs on 17, 21 and 25", home.display())]
    Unsupported {
        /// The folder.
        home: PathBuf,
        /// Its version.
        version: String,
    },
    /// The `release` file cannot be read.
    #[error("failed to read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Reason.
        source: std::io::Error,
    },
}

impl Jdk {
    /// Finds the JDK: `explicit` if given, else `JAVA_HOME`, else that of the `java` on the
    /// `PATH`.
    ///
    /// # Errors
    /// There is none, or its version is not supported.
    pub fn find(explicit: Option<&Path>) -> Result<Jdk, JdkError> {
        if let Some(home) = explicit {
            return Jdk::at(home);
        }
        if let Some(home) = std::env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
            return Jdk::at(Path::new(&home));
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let java = std::env::split_paths(&path)
            .map(|folder| folder.join(if cfg!(windows) { "java.exe" } else { "java" }))
            .find(|file| file.is_file())
            .ok_or(JdkError::NotFound)?;
        let java = java.canonicalize().unwrap_or(java);
        let home = java
            .parent()
            .and_then(Path::parent)
            .ok_or(JdkError::NotFound)?;
        Jdk::at(home)
    }

    /// Opens the JDK in a folder.
    ///
    /// # Errors
    /// The folder contains none, or one of an unsupported version.
    pub fn at(home: &Path) -> Result<Jdk, JdkError> {
        for missing in ["release", "lib/modules"] {
            if !home.join(missing).is_file() {
                return Err(JdkError::NotAJdk {
                    home: home.to_owned(),
                    missing,
                });
            }
        }
        let path = home.join("release");
        let release =
            std::fs::read_to_string(&path).map_err(|source| JdkError::Io { path, source })?;
        let value = |key: &str| {
            let mut lines = release.lines();
            let line = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix('='))?;
            Some(line.trim().trim_matches('"').to_owned())
        };
        let version = value("JAVA_VERSION").ok_or(JdkError::NotAJdk {
            home: home.to_owned(),
            missing: "JAVA_VERSION in its release file",
        })?;
        let mut modules = vec!["java.base".to_owned()];
        let listed = value("MODULES").unwrap_or_default();
        modules.extend(
            listed
                .split_whitespace()
                .filter(|&name| name != "java.base")
                .map(str::to_owned),
        );
        let feature = version
            .split(['.', '-', '+'])
            .next()
            .and_then(|text| text.parse().ok());
        match feature {
            Some(feature @ (17 | 21 | 25)) => Ok(Jdk {
                home: home.to_owned(),
                feature,
                version,
                modules,
            }),
            _ => Err(JdkError::Unsupported {
                home: home.to_owned(),
                version,
            }),
        }
    }
}
