//! Libraries of the corpus, and which of their classes are tried.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use noak::AccessFlags;
use noak::reader::Class;
use ristretto_jimage::Image;

use crate::fixtures::project;
use crate::jars::resolved;
use crate::jdk::Jdk;

/// A library: what it is called on Maven's central repository, or the JDK's own `java.base`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Library {
    /// `group:artifact:version`, or `java.base`.
    pub coordinates: String,
    /// How many classes are tried at most.
    pub classes: usize,
}

const JAVA_BASE: &str = "java.base";

/// The libraries that `wild/libraries.csv` names, in its order.
///
/// # Panics
/// If the file cannot be read or a line is none.
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
    /// The artifact's name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.coordinates
            .split(':')
            .nth(1)
            .unwrap_or(&self.coordinates)
    }

    /// The jars: the library's own first, then those that it needs.
    ///
    /// # Panics
    /// If they cannot be fetched.
    #[must_use]
    pub fn jars(&self) -> Vec<PathBuf> {
        match self.coordinates.as_str() {
            JAVA_BASE => Vec::new(),
            coordinates => resolved(coordinates),
        }
    }

    /// The classes that are tried: of the public ones that are no interfaces, by name, every k-th, for the smallest
    /// k that leaves no more than asked for.
    ///
    /// # Panics
    /// If the library cannot be read.
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
}

fn public_classes(jar: &Path) -> Vec<String> {
    let failed = |what: &str| -> ! { panic!("failed to read {}: {what}", jar.display()) };
    let file = File::open(jar).unwrap_or_else(|error| failed(&error.to_string()));
    let mut archive = zip::ZipArchive::new(file).unwrap_or_else(|error| failed(&error.to_string()));
    let mut found = Vec::new();
    for index in 0..archive.len() {
        let Ok(mut entry) = archive.by_index(index) else {
            failed("an entry is damaged")
        };
        // Other releases' versions of a class are named for the class.
        let name = entry.name().map(std::borrow::Cow::into_owned);
        if !name.is_ok_and(|name| name.ends_with(".class") && !name.starts_with("META-INF/")) {
            continue;
        }
        let mut bytes = Vec::new();
        if entry.read_to_end(&mut bytes).is_err() {
            failed("an entry is damaged")
        }
        found.extend(public_class(&bytes));
    }
    found
}

fn public_classes_of_java_base(modules: &Path) -> Vec<String> {
    let image = Image::from_file(modules);
    let image =
        image.unwrap_or_else(|error| panic!("failed to read {}: {error}", modules.display()));
    let is_wanted = |name: &str| {
        // What a program may import without being told to by an option.
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

/// Its binary name, if a class file holds a public class that is no interface and that others can name.
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
