//! Results of earlier runs, in a folder beside the tests.
//!
//! Invariant: a result is used again only if all that it depends on is the same: the program, the
//! JDK, the solver, the files of the class path, the options, what existing tests cover, and the
//! test classes that it wrote. An entry that cannot be read counts for nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use heapwright_jvm::classpath::ClassPath;
use heapwright_report::RunPart;
use heapwright_solve::smt::find_library;
use heapwright_techniques::sequences::SequencesRequest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::args::SequencesArgs;
use super::report::ClassReport;
use super::summary::{SequencesSummary, Totals};
use crate::after_write::Reformatted;
use crate::exit;
use crate::files::checksum::Digest;
use crate::files::style::ProjectStyle;
use crate::files::{RESULTS, digest_of, grouped, note_written, replace_quietly};
use crate::report::findings::FailingBehaviour;
use crate::report::summary::Body;

/// Options that limit the time of a class. A result that one of them cut is used again if none is
/// larger than it was.
const LIMITS: [&str; 3] = ["--time-limit", "--time-per-class", "--time-per-method"];
/// Option that ends a search in the same place whatever the time.
const PATIENCE: &str = "--patience";

/// Results of earlier runs.
pub struct Cache<'a> {
    /// Folder of the tests.
    output: &'a Path,
    /// Digest of what the results of all classes depend on.
    common: Digest,
    /// Whether data for reports is needed.
    is_reported: bool,
}

/// Place of a class's result, and what the result depends on.
pub struct CacheEntry<'a> {
    output: &'a Path,
    path: PathBuf,
    key: String,
    limits: TimeLimits,
    /// Whether data for reports is needed.
    is_reported: bool,
}

/// Time limits of a class in milliseconds, in the order of [`LIMITS`]; `None` for no limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeLimits([Option<u64>; LIMITS.len()]);

impl TimeLimits {
    /// Creates the limits from those times.
    pub fn new(times: [Option<Duration>; LIMITS.len()]) -> TimeLimits {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        TimeLimits(times.map(|time| time.map(millis)))
    }

    /// Whether a class has no more time than with the others, whichever options give it.
    fn are_within(&self, others: &TimeLimits) -> bool {
        let is_within = |own: Option<u64>, other: Option<u64>| match (own, other) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(other)) => own <= other,
        };
        let of_class = |limits: &TimeLimits| limits.0[..2].iter().copied().flatten().min();
        is_within(of_class(self), of_class(others)) && is_within(self.0[2], others.0[2])
    }
}

/// Result of a class, as it is stored.
#[derive(Serialize, Deserialize)]
struct StoredResult {
    key: String,
    limits: TimeLimits,
    files: Vec<StoredFile>,
    notices: Vec<String>,
    summary: String,
    result: Body<SequencesSummary>,
    code: exit::ExitCode,
    /// Data for reports, if they were asked for.
    #[serde(default)]
    part: Option<RunPart>,
}

/// File that was written with a result.
#[derive(Serialize, Deserialize)]
struct StoredFile {
    /// Path in the folder of the tests, or an absolute one.
    path: PathBuf,
    digest: String,
}

impl<'a> Cache<'a> {
    /// Computes what the results of all classes depend on.
    ///
    /// # Errors
    /// The class path cannot be read.
    pub fn open(output: &'a Path, arguments: &SequencesArgs) -> anyhow::Result<Cache<'a>> {
        let config = arguments.common.class_path.config()?;
        let mut common = Digest::default();
        // Builds of one version may differ.
        let program = std::env::current_exe().and_then(fs::read);
        common.add(&program.unwrap_or_default());
        let jdk = format!("{} {}", config.jdk.version, config.jdk.home.display());
        let options = format!(
            "{} {jdk} {:?} {:?} {:?} {:?} {} {} {} {}",
            env!("CARGO_PKG_VERSION"),
            arguments.junit,
            arguments.after_write.choice(),
            ProjectStyle::of(output, &arguments.reports.sources).at(&output.join("Test.java")),
            arguments.common.class_path.max_memory,
            arguments.table,
            arguments.strict,
            arguments.mvc,
            find_library().is_ok()
        );
        common.add(options.as_bytes());
        for entries in [&config.class_path, &arguments.junit.libraries()] {
            let class_path = ClassPath::open(entries, &[], config.jdk.feature)?;
            for path in class_path.paths() {
                add_files(&mut common, path, "");
            }
            common.add(b"");
        }
        Ok(Cache {
            output,
            common,
            is_reported: arguments.reports.report.is_some(),
        })
    }

    /// Entry of a class's result. `existing` describes test classes that were there before.
    pub fn entry(
        &self,
        request: &SequencesRequest,
        existing: &str,
        limits: TimeLimits,
    ) -> CacheEntry<'a> {
        // The index of makers follows from the class path; an entry with data for reports serves
        // runs without reports, too.
        let options = SequencesRequest {
            makers: Arc::default(),
            covers_lines: false,
            ..request.clone()
        };
        let mut digest = self.common.clone();
        digest.add(format!("{options:?}").as_bytes());
        digest.add(existing.as_bytes());
        let name = request.class.replace(['/', '\\'], "_");
        // What was added to existing tests says nothing of a run without these.
        let name = match (existing, &request.existing) {
            ("", None) => format!("{name}.json"),
            _ => format!("{name}-update.json"),
        };
        CacheEntry {
            output: self.output,
            path: self.output.join(RESULTS).join(name),
            key: digest.text(),
            limits,
            is_reported: self.is_reported,
        }
    }
}

impl CacheEntry<'_> {
    /// Result of an earlier run, if it is one of the same request and its files are as it wrote
    /// them.
    pub fn result(&self) -> Option<ClassReport> {
        let stored = self.stored()?;
        let cut_by = stored.result.head.stopped_by.as_deref();
        let is_cut = cut_by.is_some_and(|by| by != PATIENCE);
        if is_cut && !self.limits.are_within(&stored.limits) {
            return None;
        }
        self.told(
            stored,
            "unchanged: the result of an earlier run holds".to_owned(),
        )
    }

    /// Result of an earlier run of the same request, with files as it wrote them, if its tests cover and
    /// notice more than those of a run that `by` has cut, and it found all that this has found to fail.
    pub fn better(
        &self,
        (by, cut): (&str, &Totals),
        failing: &[FailingBehaviour],
    ) -> Option<ClassReport> {
        let stored = self.stored()?;
        let own = stored.result.own.as_ref()?;
        let before = own.totals;
        let sum = |totals: &Totals| totals.branches_covered + totals.killed;
        let is_known = |found: &FailingBehaviour| {
            let mut known = own.failing_behaviours.iter();
            known.any(|known| known.is_same_as(found))
        };
        if sum(&before) <= sum(cut) || !failing.iter().all(is_known) {
            return None;
        }
        let mutants = |totals: &Totals| match before.mutants {
            0 => String::new(),
            all => format!(
                " and {} of {} mutants",
                grouped(totals.killed),
                grouped(all)
            ),
        };
        let branches = |totals: &Totals| grouped(totals.branches_covered);
        let notice = format!(
            "stopped by {by} with {} of {} branches{}: the tests of an earlier run, with {} branches{}, stay \
             (--no-cache replaces them)",
            branches(cut),
            grouped(before.branches_total),
            mutants(cut),
            branches(&before),
            mutants(&before),
        );
        self.told(stored, notice)
    }

    /// What is stored of the same request, if it serves the reports of this one and its files are as
    /// they were written.
    fn stored(&self) -> Option<StoredResult> {
        let text = fs::read_to_string(&self.path).ok()?;
        // Flattened numbers are read from a value alone.
        let value: Value = serde_json::from_str(&text).ok()?;
        let stored: StoredResult = serde_json::from_value(value).ok()?;
        let is_same = |file: &StoredFile| {
            let path = self.output.join(&file.path);
            digest_of(&path).as_ref() == Some(&file.digest)
        };
        let serves = stored.key == self.key
            && (!self.is_reported || stored.part.is_some())
            && stored.files.iter().all(is_same);
        serves.then_some(stored)
    }

    /// Report of a stored result, with a notice that says why it holds.
    fn told(&self, stored: StoredResult, notice: String) -> Option<ClassReport> {
        let mut result = stored.result;
        result.own.as_mut()?.cached = true;
        let files = stored.files.iter();
        let files: Vec<PathBuf> = files.map(|file| self.output.join(&file.path)).collect();
        files.iter().for_each(|file| note_written(file));
        let mut notices = stored.notices;
        notices.insert(0, notice);
        Some(ClassReport {
            lines: Vec::new(),
            notices,
            summary: stored.summary,
            result: Some(result),
            code: Some(stored.code),
            files,
            part: stored.part,
            steps: 0,
            is_unsearched: false,
        })
    }

    /// Stores a result, unless something else than a limit of time or of patience has cut it, or its
    /// tests were not tried. Returns whether it is stored.
    pub fn store(&self, report: &ClassReport) -> bool {
        let (Some(result), Some(code)) = (&report.result, report.code) else {
            return false;
        };
        let cut_by = result.head.stopped_by.as_deref();
        let is_verified = result.own.as_ref().is_some_and(|own| own.verified);
        let is_known = |by: &str| by == PATIENCE || LIMITS.contains(&by);
        if !is_verified || cut_by.is_some_and(|by| !is_known(by)) {
            return false;
        }
        let files = report.files.iter().map(|path| {
            Some(StoredFile {
                digest: digest_of(path)?,
                path: match path.strip_prefix(self.output) {
                    Ok(inside) => inside.to_owned(),
                    // Tests that fail are apart.
                    Err(_) => std::path::absolute(path).ok()?,
                },
            })
        });
        let Some(files) = files.collect() else {
            return false;
        };
        let stored = StoredResult {
            key: self.key.clone(),
            limits: self.limits.clone(),
            files,
            notices: report.notices.clone(),
            summary: report.summary.clone(),
            result: result.clone(),
            code,
            part: report.part.clone(),
        };
        let ignore = self.output.join(RESULTS).join(".gitignore");
        // The next run can do without.
        let is_stored = serde_json::to_vec(&stored)
            .is_ok_and(|text| replace_quietly(&self.path, &text).is_ok());
        is_stored && (ignore.exists() || replace_quietly(&ignore, b"*\n").is_ok())
    }
}

/// Notes in the stored results what formatters have made of their files.
pub fn refresh(output: &Path, changed: &[Reformatted]) {
    if changed.is_empty() {
        return;
    }
    let entries = fs::read_dir(output.join(RESULTS)).into_iter().flatten();
    for entry in entries.flatten() {
        let text = fs::read_to_string(entry.path()).unwrap_or_default();
        // Flattened numbers are read from a value alone.
        let stored = serde_json::from_str::<Value>(&text);
        let Ok(Ok(mut stored)) = stored.map(serde_json::from_value::<StoredResult>) else {
            continue;
        };
        let mut is_changed = false;
        for file in &mut stored.files {
            let path = output.join(&file.path);
            let mut changed = changed.iter();
            if let Some(now) = changed.find(|it| it.path == path && it.before == file.digest) {
                file.digest.clone_from(&now.after);
                is_changed = true;
            }
        }
        if is_changed && let Ok(text) = serde_json::to_vec(&stored) {
            // The next run can do without.
            let _ = replace_quietly(&entry.path(), &text);
        }
    }
}

/// Adds the names and contents of a file, or of all files below a folder, results of earlier runs
/// aside.
fn add_files(digest: &mut Digest, path: &Path, name: &str) {
    digest.add(name.as_bytes());
    let Ok(listing) = fs::read_dir(path) else {
        return digest.add(&fs::read(path).unwrap_or_default());
    };
    let names = listing.flatten().map(|entry| entry.file_name());
    let mut names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| name != RESULTS)
        .collect();
    names.sort();
    for name in names {
        add_files(digest, &path.join(&name), &name);
    }
    digest.add(b"");
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether a class has no more time with limits than with others, each in seconds: of the run, of a
    /// class, of a method.
    fn are_within(own: [Option<u64>; 3], others: [Option<u64>; 3]) -> bool {
        let limits = |times: [Option<u64>; 3]| {
            TimeLimits::new(times.map(|time| time.map(Duration::from_secs)))
        };
        limits(own).are_within(&limits(others))
    }

    #[test]
    fn the_time_of_a_class_counts_whichever_option_gives_it() {
        let by_default = [None, Some(30), None];
        assert!(are_within(by_default, by_default));
        assert!(are_within([Some(10), None, None], by_default));
        assert!(!are_within([Some(31), None, None], by_default));
        assert!(are_within([Some(31), None, None], [None; 3]));
        assert!(!are_within([None; 3], by_default));
        // The smaller one of two limits is that of the class.
        assert!(!are_within(by_default, [Some(10), Some(60), None]));
        assert!(are_within([Some(60), Some(10), None], by_default));
        // How many methods a class has is not known.
        assert!(!are_within(by_default, [None, None, Some(5)]));
        assert!(are_within([None, None, Some(4)], [None, None, Some(5)]));
    }
}
