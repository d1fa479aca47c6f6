//! The JDKs installed on this machine.

use std::path::{Path, PathBuf};

/// An installed JDK.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// Its folder.
    pub home: PathBuf,
    /// Its feature release: 17, 21, 25.
    pub feature: u32,
}

/// Every JDK found in the usual places and in `JAVA_HOME`, the oldest first, one a release.
#[must_use]
pub fn jdks() -> Vec<Jdk> {
    let installed = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten();
    let mut jdks: Vec<Jdk> = installed
        .flatten()
        .map(|entry| entry.path())
        .chain(std::env::var_os("JAVA_HOME").map(PathBuf::from))
        .filter_map(|home| at(&home))
        .collect();
    jdks.sort_by(|a, b| (a.feature, &a.home).cmp(&(b.feature, &b.home)));
    jdks.dedup_by_key(|jdk| jdk.feature);
    jdks
}

fn at(home: &Path) -> Option<Jdk> {
    let release = std::fs::read_to_string(home.join("release")).ok()?;
    let version = release
        .lines()
        .find_map(|line| line.strip_prefix("JAVA_VERSION=\""))?;
    let feature = version.split(['.', '"', '-', '+']).next()?.parse().ok()?;
    home.join("bin/javac").exists().then(|| Jdk {
        home: home.to_owned(),
        feature,
    })
}
