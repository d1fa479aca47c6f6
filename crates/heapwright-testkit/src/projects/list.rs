//! The list of projects.

use std::fs;

use crate::fixtures::project;

/// Project of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// `owner/name`.
    pub name: String,
    /// Commit to check out.
    pub commit: String,
    /// Folder of the build in it, `.` for the root.
    pub folder: String,
    /// What is special about it.
    pub tags: Vec<String>,
}

/// Projects of `projects.txt`, in order.
///
/// # Panics
/// The file cannot be read or a line is malformed.
#[must_use]
pub fn projects() -> Vec<Project> {
    let path = project()
        .join("crates")
        .join("heapwright-testkit")
        .join("projects.txt");
    let text = fs::read_to_string(&path);
    let text = text.unwrap_or_else(|error| panic!("failed to read {}: {error}", path.display()));
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| read(line).unwrap_or_else(|| panic!("no project, commit and folder: {line}")))
        .collect()
}

fn read(line: &str) -> Option<Project> {
    let mut words = line.split_whitespace().map(str::to_owned);
    Some(Project {
        name: words.next()?,
        commit: words.next()?,
        folder: words.next()?,
        tags: words.collect(),
    })
}

impl Project {
    /// Name of its folder.
    #[must_use]
    pub fn file_name(&self) -> String {
        match self.folder.as_str() {
            "." => self.name.replace('/', "+"),
            folder => format!("{}+{folder}", self.name).replace('/', "+"),
        }
    }

    /// Whether a word of the command line means it.
    #[must_use]
    pub fn is_meant(&self, word: &str) -> bool {
        self.name == word
            || self.name.ends_with(&format!("/{word}"))
            || self.file_name() == word
            || self.tags.iter().any(|tag| tag == word)
    }

    /// Feature version of the Java that it is written in, from its tag.
    #[must_use]
    pub fn java(&self) -> u32 {
        let mut versions = self.tags.iter().filter_map(|tag| tag.strip_prefix("java"));
        let version = versions.next().and_then(|version| version.parse().ok());
        version.unwrap_or(8)
    }
}

#[cfg(test)]
mod tests {
    use super::{Project, projects};

    #[test]
    fn there_are_projects_of_all_kinds() {
        let all = projects();
        let with = |tag: &str| {
            let has = |project: &&Project| project.tags.iter().any(|own| own == tag);
            all.iter().filter(has).count()
        };
        assert!(all.len() >= 30);
        assert!(with("spring") >= 10 && with("modules") >= 10);
        for tag in ["junit4", "junit5", "testng", "lombok"] {
            assert!(with(tag) > 0, "{tag}");
        }
    }
}
