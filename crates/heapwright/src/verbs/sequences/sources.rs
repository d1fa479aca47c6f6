//! Source files of the classes of a module, and classes that the next build removes, compiles anew or
//! generates.
//!
//! Invariant: a class whose source file cannot be told is current.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::ensure;
use heapwright_jvm::classfile;
use heapwright_jvm::classpath::ClassPath;
use heapwright_jvm::name::Names;
use heapwright_project::build_folder;
use walkdir::WalkDir;

use super::args::SequencesArgs;
use super::new_tests::named;

/// Extension of sources that are in a folder named after their package.
const JAVA: &str = ".java";

/// End of the path of the source file of a class, by its internal name and its bytes, from a slash: with
/// the folders of its package where the language asks for them, else its name alone.
pub fn end_of_source((internal, bytes): &(String, Vec<u8>)) -> Option<String> {
    let mut names = Names::default();
    let source = classfile::parse(bytes, &mut names).ok()?.source_file?;
    let source = names.text(source);
    let package = internal.rfind('/').map_or("", |end| &internal[..=end]);
    // Kotlin, Scala and Groovy let a file of any package be in any folder.
    Some(match source.ends_with(JAVA) {
        true => format!("/{package}{source}"),
        false => format!("/{source}"),
    })
}

/// Internal name and bytes of a class of the class path. A member class may have its source name.
pub fn class_file(class: &str, class_path: &ClassPath) -> Option<(String, Vec<u8>)> {
    let mut internal = class.replace('.', "/");
    loop {
        if let Some((bytes, _)) = class_path.find(&internal).ok()? {
            return Some((internal, bytes));
        }
        let slash = internal.rfind('/')?;
        internal.replace_range(slash..=slash, "$");
    }
}

/// Classes without those that a build compiled from sources that are gone or have changed since: the
/// next build would remove them, or give them another behaviour. Those whose sources the build generates
/// are tested only if they are named. What is left out is reported.
///
/// # Errors
/// None can be tested, or the class path cannot be read.
pub fn current(classes: Vec<String>, arguments: &SequencesArgs) -> anyhow::Result<Vec<String>> {
    let folders = &arguments.common.class_path.project.own_classes;
    if folders.is_empty() {
        return Ok(classes);
    }
    let config = arguments.common.class_path.config()?;
    let class_path = ClassPath::open(folders, &[], config.jdk.feature)?;
    let files = SourceFiles::of(folders, &arguments.reports.sources);
    let (mut left, mut gone, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    let mut generated = Vec::new();
    let is_any = !classes.is_empty();
    for class in classes {
        let file = class_file(&class, &class_path);
        let of_class = file.and_then(|file| Some((end_of_source(&file)?, file.0)));
        let list = match of_class {
            None => &mut left,
            Some((end, internal)) => match (files.find(&end), compiled_at(&internal, folders)) {
                (None, _) => &mut gone,
                (Some(source), Some(compiled)) if source.oldest > compiled => &mut changed,
                (Some(source), _) if source.is_built && !arguments.classes.contains(&class) => {
                    &mut generated
                }
                _ => &mut left,
            },
        };
        list.push(class);
    }
    let left_out = [
        (
            &gone,
            "have no source file any more, as a clean build shows",
        ),
        (
            &changed,
            "are older than their sources: --compile compiles them",
        ),
        (
            &generated,
            "are of sources that the build generates: -c with its name has a class tested",
        ),
    ];
    for (classes, reason) in left_out {
        if !classes.is_empty() {
            notice!("not tested, since they {reason}: {}", named(classes));
        }
    }
    ensure!(
        !(left.is_empty() && generated.is_empty() && is_any),
        "no class that was asked for is compiled from the sources that are there: compile them, or add --compile"
    );
    Ok(left)
}

/// Time at which the file of a class was written, if it is in one of the folders.
fn compiled_at(internal: &str, folders: &[PathBuf]) -> Option<SystemTime> {
    let mut files = folders
        .iter()
        .map(|folder| folder.join(format!("{internal}.class")));
    files.find_map(|file| file.metadata().ok()?.modified().ok())
}

/// Files of a module by their names, with the times of their last change.
struct SourceFiles {
    by_name: BTreeMap<String, Vec<(String, SystemTime)>>,
    /// Folders of what builds make, each with a slash at its end.
    built: Vec<String>,
}

/// Source files that a class can be of.
struct ClassSource {
    /// Time of the last change of the oldest.
    oldest: SystemTime,
    /// Whether a build makes them all.
    is_built: bool,
}

impl SourceFiles {
    /// Files below the modules that have compiled to `outputs`, what their builds have made among
    /// them, and below folders of sources elsewhere.
    fn of(outputs: &[PathBuf], sources: &[PathBuf]) -> SourceFiles {
        let built: BTreeSet<PathBuf> = outputs
            .iter()
            .filter_map(|output| build_folder(&std::path::absolute(output).ok()?))
            .collect();
        let modules = built.iter().filter_map(|folder| folder.parent());
        let modules = modules.map(Path::to_owned);
        let folders: BTreeSet<PathBuf> = modules.chain(sources.iter().cloned()).collect();
        let mut by_name: BTreeMap<String, Vec<(String, SystemTime)>> = BTreeMap::new();
        for folder in folders {
            let is_searched = |name: &OsStr| {
                let name = name.to_string_lossy();
                !name.starts_with('.') && name != "node_modules"
            };
            let entries = WalkDir::new(folder).into_iter();
            let entries =
                entries.filter_entry(|entry| entry.depth() == 0 || is_searched(entry.file_name()));
            for entry in entries
                .flatten()
                .filter(|entry| entry.file_type().is_file())
            {
                let is_class = entry.path().extension().is_some_and(|kind| kind == "class");
                if let (false, Ok(metadata)) = (is_class, entry.metadata())
                    && let Ok(time) = metadata.modified()
                {
                    let name = entry.file_name().to_string_lossy().into_owned();
                    by_name
                        .entry(name)
                        .or_default()
                        .push((slashed(entry.path()), time));
                }
            }
        }
        let built = built.iter().map(|folder| format!("{}/", slashed(folder)));
        SourceFiles {
            by_name,
            built: built.collect(),
        }
    }

    /// Files whose paths have this end, if there are any.
    fn find(&self, end: &str) -> Option<ClassSource> {
        let name = end.rsplit('/').next()?;
        let files = self.by_name.get(name)?.iter();
        let fitting = files.filter(|(path, _)| path.ends_with(end));
        let is_built = |path: &str| self.built.iter().any(|folder| path.starts_with(folder));
        Some(ClassSource {
            oldest: fitting.clone().map(|(_, time)| *time).min()?,
            is_built: fitting.clone().all(|(path, _)| is_built(path)),
        })
    }
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy()
        .replace(std::path::MAIN_SEPARATOR, "/")
}
