//! Where classes come from: the JDK's `lib/modules`, folders and jars.

use std::cell::{OnceCell, RefCell};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::classfile::{ModuleDescriptor, parse_module};
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
        /// Of a multi-release jar the members that stand in for others on this JDK, by the name of those.
        releases: FxHashMap<String, String>,
        /// Whether it has a signature, which all classes of its packages then need.
        is_signed: bool,
    },
    /// Classes carried in the program itself.
    Embedded(&'static [(&'static str, &'static [u8])]),
}

/// The classes of the program under test, in search order.
pub struct ClassPath {
    entries: Vec<Entry>,
    /// The names of all classes but those embedded, sorted, once somebody has asked.
    names: OnceCell<Vec<String>>,
}

impl ClassPath {
    /// Opens folders and jars, for a JDK of release `feature`. `embedded` classes, given by internal name,
    /// come first; behind a jar comes what its manifest names as its class path.
    ///
    /// # Errors
    /// An entry does not exist or is no jar.
    pub fn open(
        paths: &[PathBuf],
        embedded: &'static [(&'static str, &'static [u8])],
        feature: u32,
    ) -> Result<ClassPath, ClassPathError> {
        let mut entries = vec![Entry::Embedded(embedded)];
        let mut seen = Vec::new();
        // What is still to be opened, the next one last; of those that only a manifest names, the
        // unreadable are passed over, as `java` does.
        let given = paths.iter().rev().map(|path| (path.clone(), true));
        let mut waiting: Vec<(PathBuf, bool)> = given.collect();
        while let Some((path, is_given)) = waiting.pop() {
            // Manifests may name one another, by paths that are longer each time.
            let same = path.canonicalize().unwrap_or_else(|_| path.clone());
            if seen.contains(&same) {
                continue;
            }
            seen.push(same);
            match open_entry(&path, feature) {
                Ok((entry, named)) => {
                    entries.push(entry);
                    waiting.extend(named.into_iter().rev().map(|path| (path, false)));
                }
                Err(error) if is_given => return Err(error),
                Err(_) => {}
            }
        }
        Ok(ClassPath {
            entries,
            names: OnceCell::new(),
        })
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
                Entry::Jar {
                    path,
                    archive,
                    releases,
                    ..
                } => {
                    let mut archive = archive.borrow_mut();
                    let file = releases.get(&file).unwrap_or(&file);
                    let what = format!("{file} in {}", path.display());
                    let failed = |reason: String| ReadError {
                        what: what.clone(),
                        reason,
                    };
                    match archive.by_name(file) {
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

    /// Whether the class with internal name `name` comes from a jar that is signed. No class without that signature
    /// can be in its package.
    #[must_use]
    pub fn is_signed(&self, name: &str) -> bool {
        let is_signed_jar = |entry: &Entry| {
            matches!(
                entry,
                Entry::Jar {
                    is_signed: true,
                    ..
                }
            )
        };
        // No jar is opened where none is signed.
        if !self.entries.iter().any(is_signed_jar) {
            return false;
        }
        let file = format!("{name}.class");
        let first = self.entries.iter().find(|entry| match entry {
            Entry::Embedded(classes) => classes.iter().any(|(known, _)| *known == name),
            Entry::Folder(folder) => folder.join(&file).is_file(),
            Entry::Jar {
                archive, releases, ..
            } => {
                let file = releases.get(&file).unwrap_or(&file);
                archive.borrow().index_for_name(file).is_some()
            }
        });
        first.is_some_and(is_signed_jar)
    }

    /// The internal names of all classes of the folders and jars, sorted.
    #[must_use]
    pub fn class_names(&self) -> Vec<String> {
        self.names().to_vec()
    }

    /// Those of a package, which is given with a slash at its end; nothing for the unnamed one.
    #[must_use]
    pub fn names_in(&self, package: &str) -> Vec<String> {
        let names = self.names();
        let first = names.partition_point(|name| name.as_str() < package);
        let below = names[first..].iter();
        let below = below.take_while(|name| name.starts_with(package));
        let own = below.filter(|name| !name[package.len()..].contains('/'));
        own.cloned().collect()
    }

    fn names(&self) -> &[String] {
        self.names.get_or_init(|| self.listed())
    }

    fn listed(&self) -> Vec<String> {
        let mut names = Vec::new();
        for entry in &self.entries {
            match entry {
                Entry::Embedded(_) => {}
                Entry::Folder(folder) => collect_classes(folder, "", &mut names),
                Entry::Jar {
                    archive, releases, ..
                } => {
                    let class = |name: &str| Some(name.strip_suffix(".class")?.to_owned());
                    let archive = archive.borrow();
                    names.extend(archive.file_names().filter_map(|name| class(&name.ok()?)));
                    names.extend(releases.keys().filter_map(|name| class(name)));
                }
            }
        }
        names.retain(|name| !name.starts_with("META-INF/") && !name.ends_with("module-info"));
        names.sort();
        names.dedup();
        names
    }
}

/// A folder, or a jar with what its manifest names as its class path.
fn open_entry(path: &Path, feature: u32) -> Result<(Entry, Vec<PathBuf>), ClassPathError> {
    if path.is_dir() {
        return Ok((Entry::Folder(path.to_owned()), Vec::new()));
    }
    if !path.exists() {
        return Err(ClassPathError::Missing {
            path: path.to_owned(),
        });
    }
    let unreadable = |reason: String| ClassPathError::Unreadable {
        path: path.to_owned(),
        reason,
    };
    let file = File::open(path).map_err(|error| unreadable(error.to_string()))?;
    let mut archive = zip::ZipArchive::new(file).map_err(|error| unreadable(error.to_string()))?;
    let manifest = read_manifest(&mut archive);
    let is_multi_release = attribute(&manifest, "Multi-Release")
        .is_some_and(|value| value.eq_ignore_ascii_case("true"));
    let releases = match is_multi_release {
        true => releases(&archive, feature),
        false => FxHashMap::default(),
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    let named = attribute(&manifest, "Class-Path").unwrap_or_default();
    let named = named.split_whitespace();
    let named = named.filter_map(|url| match url.split_once(':') {
        None => Some(folder.join(url)),
        Some(("file", path)) => Some(PathBuf::from(path.trim_start_matches("//"))),
        Some(_) => None,
    });
    let named = named.collect();
    let mut members = archive.file_names().flatten();
    let is_signed = members.any(|member| is_signature(&member));
    drop(members);
    let entry = Entry::Jar {
        path: path.to_owned(),
        is_signed,
        archive: RefCell::new(archive),
        releases,
    };
    Ok((entry, named))
}

/// Whether a member of a jar is what is signed: `META-INF/NAME.SF`, in letters of either case.
fn is_signature(member: &str) -> bool {
    let Some((folder, name)) = member.split_once('/') else {
        return false;
    };
    let end = name.len().saturating_sub(".SF".len());
    let end = name.get(end..).unwrap_or_default();
    folder.eq_ignore_ascii_case("META-INF")
        && !name.contains('/')
        && end.eq_ignore_ascii_case(".SF")
}

/// The text of a jar's manifest; nothing if it has none that can be read.
fn read_manifest(archive: &mut zip::ZipArchive<File>) -> String {
    const MOST_BYTES: u64 = 1 << 20;
    let mut bytes = Vec::new();
    if let Ok(member) = archive.by_name("META-INF/MANIFEST.MF")
        && member.take(MOST_BYTES).read_to_end(&mut bytes).is_err()
    {
        bytes.clear();
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// An attribute of a manifest's main section; a line that begins with a space goes on with the one before.
fn attribute(manifest: &str, name: &str) -> Option<String> {
    let mut value: Option<String> = None;
    for line in manifest.lines().take_while(|line| !line.is_empty()) {
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

/// The members under `META-INF/versions` that stand in for others on a JDK of a release: of several the
/// newest.
fn releases(archive: &zip::ZipArchive<File>, feature: u32) -> FxHashMap<String, String> {
    const OLDEST: u32 = 9;
    let mut newest: FxHashMap<String, (u32, String)> = FxHashMap::default();
    for name in archive.file_names().flatten() {
        let Some((release, member)) = name
            .strip_prefix("META-INF/versions/")
            .and_then(|rest| rest.split_once('/'))
        else {
            continue;
        };
        match release.parse::<u32>() {
            Ok(release) if (OLDEST..=feature).contains(&release) => {
                let known = newest.get(member);
                if known.is_none_or(|(known, _)| *known < release) {
                    newest.insert(member.to_owned(), (release, name.to_string()));
                }
            }
            _ => {}
        }
    }
    newest
        .into_iter()
        .map(|(member, (_, name))| (member, name))
        .collect()
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
    /// The descriptors that were asked for.
    descriptors: RefCell<FxHashMap<String, Option<Rc<ModuleDescriptor>>>>,
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
                descriptors: RefCell::default(),
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

    /// The descriptor of a module; none if it cannot be read.
    #[must_use]
    pub fn descriptor(&self, module: &str) -> Option<Rc<ModuleDescriptor>> {
        let known = self.descriptors.borrow().get(module).cloned();
        known.unwrap_or_else(|| {
            let bytes = self.read(module, "module-info");
            let parsed = bytes
                .and_then(|bytes| parse_module(&bytes).ok())
                .map(Rc::new);
            let mut descriptors = self.descriptors.borrow_mut();
            descriptors.insert(module.to_owned(), parsed.clone());
            parsed
        })
    }

    fn read(&self, module: &str, name: &str) -> Option<Vec<u8>> {
        let resource = self
            .image
            .get_resource(&format!("/{module}/{name}.class"))
            .ok()?;
        Some(resource.data().to_vec())
    }
}
