//! Option group: class path, JDK and memory.

use std::path::PathBuf;
use std::sync::Once;

use clap::{Args, ValueHint};
use heapwright_jvm::{Config, Jdk};
use heapwright_techniques::korat_api;

use super::ProjectArgs;
use super::limits::parse_size;

/// Class path, JDK and memory limit.
#[derive(Args, Clone, Debug)]
pub struct ClassPathArgs {
    /// Folders and jars, separated as the platform does (repeatable) [default: those of the Maven or
    /// Gradle build around this folder, else this folder]
    #[arg(short = 'p', long = "classpath", value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub class_path: Vec<String>,
    /// JDK whose library is run: 17, 21 or 25 [default: JAVA_HOME, else java on the PATH]
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// Memory limit, as 512m or 2g; Java objects of an engine may take three quarters of it
    /// [default: 2g]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_memory: Option<u64>,
    #[command(flatten)]
    pub project: ProjectArgs,
}

/// Whether the JDK and the class path, of which a process has one, were told.
static TOLD: Once = Once::new();

impl ClassPathArgs {
    /// Configuration of an engine.
    ///
    /// # Errors
    /// There is no JDK of a supported version.
    pub fn config(&self) -> anyhow::Result<Config> {
        let jdk = Jdk::find(self.jdk.as_deref())?;
        let paths = self.paths();
        TOLD.call_once(|| {
            detail!("JDK {} in {}", jdk.version, jdk.home.display());
            for path in &paths {
                detail!("class path: {}", path.display());
            }
        });
        let mut config = Config::new(jdk, paths);
        // The rest is for results, the solver and the program itself.
        config.max_heap_bytes = self.max_heap();
        Ok(config)
    }

    /// Folders and jars; the current folder if there are none.
    #[must_use]
    pub fn paths(&self) -> Vec<PathBuf> {
        let entries = self.class_path.iter();
        let mut paths: Vec<PathBuf> = entries.flat_map(|entries| split(entries)).collect();
        if paths.is_empty() {
            paths.push(PathBuf::from("."));
        }
        paths
    }

    /// Configuration of a machine that explores: assertions hold, and Korat's library is there.
    ///
    /// # Errors
    /// There is no JDK of a supported version.
    pub fn exploring(&self) -> anyhow::Result<Config> {
        let mut config = self.config()?;
        config.embedded = korat_api::CLASSES;
        config.assertions = true;
        Ok(config)
    }

    /// Limit of the Java heap of an engine in bytes.
    #[must_use]
    pub fn max_heap(&self) -> u64 {
        self.max_memory() / 4 * 3
    }

    /// Memory limit in bytes of the process with one engine.
    #[must_use]
    pub fn max_memory(&self) -> u64 {
        self.max_memory.unwrap_or(2 << 30)
    }
}

/// Entries of a class path.
pub fn split(entries: &str) -> impl Iterator<Item = PathBuf> {
    std::env::split_paths(entries).filter(|path| !path.as_os_str().is_empty())
}
