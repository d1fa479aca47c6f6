//! Formatters and linters of a build, and the new files that they refuse.

use std::path::Path;

use super::generation::Generation;
use super::{Tool, shown};

/// Goals that come to every linter whatever its phase, and run no test.
const GOALS: [&str; 3] = ["verify", "-DskipTests", "-DskipITs"];

/// Verdict of the linters on a project without new tests.
pub(super) struct Before {
    is_green: bool,
}

/// What linters say of new tests.
#[derive(Clone, Debug, Default)]
pub struct Refusals {
    /// Whether they could be asked: they accept the project without new tests.
    pub are_known: bool,
    /// New files that they name, or else the reason for which the build failed.
    pub what: Vec<String>,
}

impl Before {
    /// Asks the linters before there are new tests.
    pub(super) fn of(tool: &Tool, log: &Path) -> Self {
        let build = tool.run(&GOALS, log);
        Self {
            is_green: build.has_ended_well,
        }
    }

    /// Asks them again.
    pub(super) fn after(self, tool: &Tool, generation: &Generation, log: &Path) -> Refusals {
        if !self.is_green {
            return Refusals::default();
        }
        let build = tool.run(&GOALS, log);
        let mut what = Vec::new();
        if !build.has_ended_well {
            let files = generation.files.iter();
            let named = files.filter(|file| {
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                let lines = build.printed.lines();
                let mut errors = lines.filter(|line| !line.starts_with("[INFO]"));
                errors.any(|line| line.contains(name.as_ref()))
            });
            what.extend(named.map(|file| shown(file, &tool.folder)));
            if what.is_empty() {
                what.push(build.reason);
            }
        }
        Refusals {
            are_known: true,
            what,
        }
    }
}
