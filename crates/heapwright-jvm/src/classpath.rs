//! Where classes come from: the JDK's `lib/modules`, folders and jars.

use std::cell::RefCell;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use rustc_hash::FxHashMap;

use crate::jdk::Jdk;

/// Most bytes of a class file in a jar, decompressed: a jar of a few kilobytes can hold gigabytes.
pub const MAX_CLASS_FILE_BYTES: u64 = 64 << 20;

/// Why a class path cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ClassPathError {
    /// An entry does not exist.
    #[error("class path entry {} does not exist", path.display())]
    Missing {
        /// The entry.
        path: PathBuf,
    },
    /// An entry is a file that is no jar.
    #[error("class path entry {} is not a folder nor a readable jar: {reason}", path.display())]
    Unreadable {
        /// The entry.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The JDK's own classes cannot be opened.
    #[error("failed to open {}: {reason}", path.display())]
    Modules {
        /// The `lib/modules` file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// A class file that was found but could not be read.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[error("failed to read {what}: {reason}")]
pub struct ReadError {
    /// The file.
    pub what: String,
    /// Why.
    pub reason: String,
}

enum Entry {
    Folder(PathBuf),
    Jar {
        path: PathBuf,
        archive: RefCell<zip::ZipArchive<File>>,
    },
    /// Classes carried in the program itself.
    Embedded(&'static [(&'static str, &'static [u8])]),
}

/// The classes of the program under test, in search order.
pub struct ClassPath {
    entries: Vec<Entry>,
}

impl ClassPath {
    /// Opens folders and jars. `embedded` classes, given by internal name, come first.
    ///
    /// # Errors
    /// An entry does not exist or is no jar.
    pub fn open(
        paths: &[PathBuf],
        embedded: &'static [(&'static str, &'static [u8])],
    ) -> Result<ClassPath, ClassPathError> {
        let mut entries = vec![Entry::Embedded(embedded)];
        for path in paths {
            if path.is_dir() {
                entries.push(Entry::Folder(path.clone()));
            } else if path.exists() {
                let unreadable = |reason: String| ClassPathError::Unreadable {
                    path: path.clone(),
                    reason,
                };
                let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
                let archive =
                    zip::ZipArchive::new(file).map_err(|error| unreadable(error.to_string()))?;
                entries.push(Entry::Jar {
                    path: path.clone(),
                    archive: RefCell::new(archive),
                });
            } else {
                return Err(ClassPathError::Missing { path: path.clone() });
            }
        }
        Ok(ClassPath { entries })
    }

    /// The bytes of the class with internal name `name`, with what to call their source.
    ///
    /// # Errors
    /// The class file is there but cannot be read.
    pub fn find(&self, name: &str) -> Result<Option<(Vec<u8>, String)>, ReadError> {
        let file = format!("{name}.class");
        for entry in &self.entries {
            match entry {
                Entry::Embedded(classes) => {
                    if let Some((_, bytes)) = classes.iter().find(|(known, _)| *known == name) {
                        return Ok(Some((bytes.to_vec(), format!("embedded {file}"))));
                    }
                }
                Entry::Folder(folder) => {
                    let path = folder.join(&file);
                    match std::fs::read(&path) {
                        Ok(bytes) => return Ok(Some((bytes, path.display().to_string()))),
                        Err(error)
                            if matches!(
                                error.kind(),
                                std::io::ErrorKind::NotFound
                                    | std::io::ErrorKind::NotADirectory
                                    | std::io::ErrorKind::InvalidFilename
                                    | std::io::ErrorKind::InvalidInput
                            ) => {}
                        Err(error) => {
                            return Err(ReadError {
                                what: path.display().to_string(),
                                reason: error.to_string(),
                            });
                        }
                    }
                }
                Entry::Jar { path, archive } => {
                    let mut archive = archive.borrow_mut();
                    let what = format!("{file} in {}", path.display());
                    let failed = |reason: String| ReadError {
                        what: what.clone(),
                        reason,
                    };
                    match archive.by_name(&file) {
                        Ok(member) => {
                            let mut bytes = Vec::new();
                            // Not by the size the jar states, which may be a lie.
                            member
                                .take(MAX_CLASS_FILE_BYTES + 1)
                                .read_to_end(&mut bytes)
                                .map_err(|error| failed(error.to_string()))?;
                            if bytes.len() as u64 > MAX_CLASS_FILE_BYTES {
                                let most = MAX_CLASS_FILE_BYTES >> 20;
                                return Err(failed(format!(
                                    "decompressed it is larger than {most} MiB"
                                )));
                            }
                            return Ok(Some((bytes, what)));
                        }
                        Err(zip::result::ZipError::FileNotFound) => {}
                        Err(error) => return Err(failed(error.to_string())),
                    }
                }
            }
        }
        Ok(None)
    }

    /// The internal names of all classes of the folders and jars, sorted.
    #[must_use]
    pub fn class_names(&self) -> Vec<String> {
        let mut names = Vec::new();
        for entry in &self.entries {
            match entry {
                Entry::Embedded(_) => {}
                Entry::Folder(folder) => collect_classes(folder, "", &mut names),
                Entry::Jar { archive, .. } => names.extend(
                    archive
                        .borrow()
                        .file_names()
                        .filter_map(|name| Some(name.ok()?.strip_suffix(".class")?.to_owned())),
                ),
            }
        }
        names.retain(|name| !name.starts_with("META-INF/") && !name.ends_with("module-info"));
        names.sort();
        names.dedup();
        names
    }
}

fn collect_classes(folder: &Path, prefix: &str, names: &mut Vec<String>) {
    let Ok(listing) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in listing.flatten() {
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        // Links to folders are not followed: they could lead round in a circle.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => {
                collect_classes(&entry.path(), &format!("{prefix}{name}/"), names)
            }
            Ok(_) => {
                if let Some(stem) = name.strip_suffix(".class") {
                    names.push(format!("{prefix}{stem}"));
                }
            }
            Err(_) => {}
        }
    }
}

/// What the names of all JDK packages start with. The image's own index of packages cannot be
/// asked by name through the crate that reads it, and looking through all modules is slow.
const JDK_PACKAGES: [&str; 10] = [
    "java/",
    "javax/",
    "jdk/",
    "sun/",
    "com/sun/",
    "org/w3c/",
    "org/xml/",
    "org/jcp/",
    "org/ietf/",
    "netscape/",
];

/// The JDK's own classes.
pub struct Modules {
    image: ristretto_jimage::Image,
    names: Vec<String>,
    /// The module each package looked for is in.
    packages: RefCell<FxHashMap<String, usize>>,
}

impl Modules {
    /// Maps the JDK's `lib/modules`.
    ///
    /// # Errors
    /// The file is no image that can be read.
    pub fn open(jdk: &Jdk) -> Result<Modules, ClassPathError> {
        let path = jdk.home.join("lib").join("modules");
        match ristretto_jimage::Image::from_file(&path) {
            Ok(image) => Ok(Modules {
                image,
                names: jdk.modules.clone(),
                packages: RefCell::default(),
            }),
            Err(error) => Err(ClassPathError::Modules {
                path,
                reason: error.to_string(),
            }),
        }
    }

    /// The bytes of the class with internal name `name` and the module it is in.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<(Vec<u8>, String)> {
        let (package, _) = name.rsplit_once('/')?;
        let known = self.packages.borrow().get(package).copied();
        if let Some(module) = known {
            let module = &self.names[module];
            return Some((self.read(module, name)?, module.clone()));
        }
        if !JDK_PACKAGES.iter().any(|prefix| name.starts_with(prefix)) {
            return None;
        }
        let found = self.names.iter().enumerate().find_map(|(index, module)| {
            self.read(module, name)
                .map(|bytes| (index, bytes, module.clone()))
        });
        // A package is in one module, so only a hit settles where it is.
        let (index, bytes, module) = found?;
        self.packages.borrow_mut().insert(package.to_owned(), index);
        Some((bytes, module))
    }

    fn read(&self, module: &str, name: &str) -> Option<Vec<u8>> {
        let resource = self
            .image
            .get_resource(&format!("/{module}/{name}.class"))
            .ok()?;
        Some(resource.data().to_vec())
    }
}
