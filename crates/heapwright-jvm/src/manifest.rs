//! Manifests of jars, and which packages of a jar are closed to other classes.

use std::collections::BTreeSet;
use std::io::{Read, Seek};

/// Packages of a jar that accept no class of another place.
#[derive(Debug)]
pub(crate) struct ClosedPackages {
    /// Whether it is all packages but `others`, instead of these alone.
    are_all: bool,
    /// Names with slashes, the last one included.
    others: BTreeSet<String>,
}

impl ClosedPackages {
    /// All packages, as in a signed jar.
    pub(crate) fn all() -> ClosedPackages {
        ClosedPackages {
            are_all: true,
            others: BTreeSet::new(),
        }
    }

    /// The packages that a manifest seals: its main section says whether all, that of a package
    /// says otherwise (`java.util.jar`, "Package Sealing").
    pub(crate) fn sealed(manifest: &str) -> ClosedPackages {
        let seals = |section: &[&str]| {
            attribute(section, "Sealed").map(|value| value.eq_ignore_ascii_case("true"))
        };
        let mut sections = sections(manifest);
        let are_all = sections.next().as_deref().and_then(seals).unwrap_or(false);
        let differ = sections.filter(|section| seals(section).is_some_and(|one| one != are_all));
        ClosedPackages {
            are_all,
            others: differ
                .filter_map(|section| attribute(&section, "Name"))
                .collect(),
        }
    }

    /// Whether a package is closed, by its name with slashes, the last one included.
    pub(crate) fn has(&self, package: &str) -> bool {
        self.are_all != self.others.contains(package)
    }
}

/// Text of a jar's manifest; empty if there is none that can be read.
pub(crate) fn read_manifest(archive: &mut zip::ZipArchive<impl Read + Seek>) -> String {
    const MOST_BYTES: u64 = 1 << 20;
    let mut bytes = Vec::new();
    if let Ok(member) = archive.by_name("META-INF/MANIFEST.MF")
        && member.take(MOST_BYTES).read_to_end(&mut bytes).is_err()
    {
        bytes.clear();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Sections of a manifest as lines, the main one first.
pub(crate) fn sections(manifest: &str) -> impl Iterator<Item = Vec<&str>> {
    let mut lines = manifest.lines().peekable();
    std::iter::from_fn(move || {
        lines.peek()?;
        let section = lines.by_ref().take_while(|line| !line.is_empty());
        Some(section.collect())
    })
}

/// Returns an attribute of a section of a manifest. A line that begins with a space continues the
/// previous one.
pub(crate) fn attribute(section: &[&str], name: &str) -> Option<String> {
    let mut value: Option<String> = None;
    for line in section {
        match (&mut value, line.strip_prefix(' ')) {
            (Some(value), Some(rest)) => value.push_str(rest),
            (Some(_), None) => break,
            (None, _) => {
                value = line
                    .split_once(": ")
                    .filter(|(key, _)| key.eq_ignore_ascii_case(name))
                    .map(|(_, value)| value.to_owned());
            }
        }
    }
    value
}

/// Whether a member of a jar is a signature file: `META-INF/NAME.SF`, in any case.
pub(crate) fn is_signature(member: &str) -> bool {
    let Some((folder, name)) = member.split_once('/') else {
        return false;
    };
    let end = name.len().saturating_sub(".SF".len());
    let end = name.get(end..).unwrap_or_default();
    folder.eq_ignore_ascii_case("META-INF")
        && !name.contains('/')
        && end.eq_ignore_ascii_case(".SF")
}
