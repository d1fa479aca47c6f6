//! Source files of the classes of a module, and classes that the next build removes or compiles anew.
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
/// next build would remove them, or give them another behaviour. They are reported.
///
/// # Errors
/// None is left, or the class path cannot be read.
pub fn current(classes: Vec<String>, arguments: &SequencesArgs) -> anyhow::Result<Vec<String>> {
    let folders = &arguments.common.class_path.project.own_classes;
    if folders.is_empty() {
        return Ok(classes);
    }
    let config = arguments.common.class_path.config()?;
    let class_path = ClassPath::open(folders, &[], config.jdk.feature)?;
    let files = SourceFiles::of(folders, &arguments.reports.sources);
    let (mut left, mut gone, mut changed) = (Vec::new(), Vec::new(), Vec::new());
    let is_any = !classes.is_empty();
    for class in classes {
        let file = class_file(&class, &class_path);
        let of_class = file.and_then(|file| Some((end_of_source(&file)?, file.0)));
        let list = match of_class {
            None => &mut left,
            Some((end, internal)) => match (files.oldest(&end), compiled_at(&internal, folders)) {
                (None, _) => &mut gone,
                (Some(source), Some(compiled)) if source > compiled => &mut changed,
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
    ];
    for (classes, reason) in left_out {
        if !classes.is_empty() {
            notice!("not tested, since they {reason}: {}", named(classes));
        }
    }
    ensure!(
        !(left.is_empty() && is_any),
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
}

impl SourceFiles {
    /// Files below the modules that have compiled to `outputs`, what their builds have made among
    /// them, and below folders of sources elsewhere.
    fn of(outputs: &[PathBuf], sources: &[PathBuf]) -> SourceFiles {
        let modules = outputs.iter().filter_map(|output| {
            let output = std::path::absolute(output).ok()?;
            Some(build_folder(&output)?.parent()?.to_owned())
        });
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
        SourceFiles { by_name }
    }

    /// Time of the last change of the file whose path has this end; of several ones, of the oldest.
    fn oldest(&self, end: &str) -> Option<SystemTime> {
        let name = end.rsplit('/').next()?;
        let files = self.by_name.get(name)?.iter();
        let fitting = files.filter(|(path, _)| path.ends_with(end));
        fitting.map(|(_, time)| *time).min()
    }
}

fn slashed(path: &Path) -> String {
    path.to_string_lossy()
        .replace(std::path::MAIN_SEPARATOR, "/")
}
