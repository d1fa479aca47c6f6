//! Libraries of the corpus, and the selection of their classes.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use noak::AccessFlags;
use noak::reader::Class;
use ristretto_jimage::Image;

use crate::fixtures::project;
use crate::jars::resolved;
use crate::jdk::Jdk;
use crate::target::check;

/// Library of Maven's central repository, or the JDK's own `java.base`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// `group:artifact:version`, or `java.base`.
    pub coordinates: String,
    /// Maximum number of classes to try.
    pub classes: usize,
}

const JAVA_BASE: &str = "java.base";

/// Libraries listed in `wild/libraries.csv`, in order.
///
/// # Panics
/// The file cannot be read or a line is malformed.
#[must_use]
pub fn libraries() -> Vec<Library> {
    let path = project().join("wild").join("libraries.csv");
    let text = fs::read_to_string(&path);
    let text = text.unwrap_or_else(|error| panic!("failed to read {}: {error}", path.display()));
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let library = |line: &str| {
        let (coordinates, classes) = line.split_once(',')?;
        Some(Library {
            coordinates: coordinates.to_owned(),
            classes: classes.parse().ok()?,
        })
    };
    lines
        .map(|line| library(line).unwrap_or_else(|| panic!("no library and number: {line}")))
        .collect()
}

impl Library {
    /// Name of the artifact.
    #[must_use]
    pub fn name(&self) -> &str {
        self.coordinates
            .split(':')
            .nth(1)
            .unwrap_or(&self.coordinates)
    }

    /// The library's jar, followed by its dependencies.
    ///
    /// # Panics
    /// They cannot be fetched.
    #[must_use]
    pub fn jars(&self) -> Vec<PathBuf> {
        match self.coordinates.as_str() {
            JAVA_BASE => Vec::new(),
            coordinates => resolved(coordinates),
        }
    }

    /// Classes to try: every k-th of the public classes that are no interfaces, by name. It is
    /// the smallest k that yields at most the maximum number.
    ///
    /// # Panics
    /// The library cannot be read.
    #[must_use]
    pub fn classes(&self, jdk: &Jdk) -> Vec<String> {
        let mut all = match self.jars().first() {
            Some(jar) => public_classes(jar),
            None => public_classes_of_java_base(&jdk.home.join("lib").join("modules")),
        };
        all.sort();
        let step = all.len().div_ceil(self.classes).max(1);
        all.into_iter().step_by(step).collect()
    }

    /// Writes the class files of some of the library's classes and of their member classes into a
    /// new folder.
    ///
    /// # Panics
    /// The library cannot be read, or the folder cannot be written.
    pub(super) fn write_classes(&self, classes: &[String], folder: &Path) {
        let _ = fs::remove_dir_all(folder);
        check("write", folder, fs::create_dir_all(folder));
        let Some(jar) = self.jars().into_iter().next() else {
            return;
        };
        read_classes(&jar, &mut |name, bytes| {
            let class = name.trim_end_matches(".class").replace('/', ".");
            let is_of = |outer: &String| {
                let rest = class.strip_prefix(outer.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
            };
            if classes.iter().any(is_of) {
                let file = folder.join(format!("{class}.class"));
                check("write", &file, fs::write(&file, bytes));
            }
        });
    }
}

fn public_classes(jar: &Path) -> Vec<String> {
    let mut found = Vec::new();
    read_classes(jar, &mut |_, bytes| found.extend(public_class(bytes)));
    found
}

/// Reads the class files of a jar, each with its name in it.
fn read_classes(jar: &Path, visit: &mut dyn FnMut(&str, &[u8])) {
    let failed = |what: &str| -> ! { panic!("failed to read {}: {what}", jar.display()) };
    let file = File::open(jar).unwrap_or_else(|error| failed(&error.to_string()));
    let mut archive = zip::ZipArchive::new(file).unwrap_or_else(|error| failed(&error.to_string()));
    for index in 0..archive.len() {
        let Ok(mut entry) = archive.by_index(index) else {
            failed("an entry is damaged")
        };
        // Versions of a class for other releases are below `META-INF`.
        let Ok(name) = entry.name().map(std::borrow::Cow::into_owned) else {
            continue;
        };
        if !name.ends_with(".class") || name.starts_with("META-INF/") {
            continue;
        }
        let mut bytes = Vec::new();
        if entry.read_to_end(&mut bytes).is_err() {
            failed("an entry is damaged")
        }
        visit(&name, &bytes);
    }
}

fn public_classes_of_java_base(modules: &Path) -> Vec<String> {
    let image = Image::from_file(modules);
    let image =
        image.unwrap_or_else(|error| panic!("failed to read {}: {error}", modules.display()));
    let is_wanted = |name: &str| {
        // Packages that a program may import without additional options.
        name.starts_with("/java.base/java/") && name.ends_with(".class")
    };
    let mut found = Vec::new();
    for resource in image.iter().flatten() {
        if is_wanted(&resource.full_name()) {
            found.extend(public_class(resource.data()));
        }
    }
    found
}

/// Binary name of a class file's class if it is public, no interface, and can be named.
fn public_class(bytes: &[u8]) -> Option<String> {
    let class = Class::new(bytes).ok()?;
    let flags = class.access_flags();
    let is_tried = flags.contains(AccessFlags::PUBLIC)
        && !flags.intersects(AccessFlags::INTERFACE | AccessFlags::SYNTHETIC);
    let name = class
        .pool()
        .retrieve(class.this_class())
        .ok()?
        .name
        .to_str()?
        .replace('/', ".");
    let is_local = name
        .split('$')
        .skip(1)
        .any(|part| part.is_empty() || part.starts_with(|c: char| c.is_ascii_digit()));
    (is_tried && !is_local && !name.ends_with("-info")).then_some(name)
}
