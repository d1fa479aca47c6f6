//! Sources of classes: the JDK's `lib/modules`, folders and jars.

mod jar;
mod signatures;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::SystemTime;

use rustc_hash::FxHashMap;

use crate::classfile::{ModuleDescriptor, parse_module};
use crate::jdk::Jdk;
use crate::subtypes::SubtypeIndex;
use jar::{Jar, stamp};
pub use signatures::PublishedMembers;

/// Maximum size of a decompressed class file of a jar, in bytes. A jar of a few kilobytes can
/// hold gigabytes.
pub const MAX_CLASS_FILE_BYTES: u64 = 64 << 20;

/// Error of opening the class path.
#[derive(Debug, thiserror::Error)]
pub enum ClassPathError {
    /// An entry does not exist.
    #[error("class path entry {} does not exist", path.display())]
    Missing {
        /// The entry.
        path: PathBuf,
    },
    /// An entry is a file but no jar.
    #[error("class path entry {} is not a folder nor a readable jar: {reason}", path.display())]
    Unreadable {
        /// The entry.
        path: PathBuf,
        /// Reason.
        reason: String,
    },
    /// The JDK's own classes cannot be opened.
    #[error("failed to open {}: {reason}", path.display())]
    Modules {
        /// The `lib/modules` file.
        path: PathBuf,
        /// Reason.
        reason: String,
    },
}

/// Error of reading a class file that exists.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
#[error("failed to read {what}: {reason}")]
pub struct ReadError {
    /// The file.
    pub what: String,
    /// Reason.
    pub reason: String,
}

enum ClassPathEntry {
    Folder(PathBuf),
    Jar(Arc<Jar>),
    /// Classes embedded in the program itself.
    Embedded(&'static [(&'static str, &'static [u8])]),
}

/// The class path of the program under test, in search order.
pub struct ClassPath {
    entries: Vec<ClassPathEntry>,
    /// Names of all classes except embedded ones, sorted, each with the first entry that has it; computed
    /// on demand.
    names: OnceLock<Vec<(String, usize)>>,
    /// Subtypes of its classes; computed on demand, and shared by class paths with the same contents.
    subtypes: OnceLock<Arc<SubtypeIndex>>,
    feature: u32,
}

/// Entries of a class path, each with the number of its bytes or class files and the time of the newest,
/// and the release of its JDK.
type Contents = (Vec<(PathBuf, u64, Option<SystemTime>)>, u32);

/// Subtypes of the class paths that were looked at last, the newest first.
static KNOWN_SUBTYPES: Mutex<Vec<(Contents, Arc<SubtypeIndex>)>> = Mutex::new(Vec::new());

/// Number of class paths whose subtypes are kept.
const MOST_KNOWN: usize = 4;

impl ClassPath {
    /// Opens folders and jars, for a JDK of release `feature`. `embedded` classes, given by
    /// internal name, come first. The entries of a manifest's `Class-Path` follow their jar.
    ///
    /// # Errors
    /// An entry does not exist or is no jar.
    pub fn open(
        paths: &[PathBuf],
        embedded: &'static [(&'static str, &'static [u8])],
        feature: u32,
    ) -> Result<ClassPath, ClassPathError> {
        let mut entries = vec![ClassPathEntry::Embedded(embedded)];
        let mut seen = Vec::new();
        // Stack of entries to open, the next one last. Unreadable entries that come from a
        // manifest are ignored, as in `java`.
        let given = paths.iter().rev().map(|path| (path.clone(), true));
        let mut waiting: Vec<(PathBuf, bool)> = given.collect();
        while let Some((path, is_given)) = waiting.pop() {
            // Manifests may form cycles with ever longer paths.
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
            names: OnceLock::new(),
            subtypes: OnceLock::new(),
            feature,
        })
    }

    /// Paths of all folders and jars.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.entries.iter().filter_map(|entry| match entry {
            ClassPathEntry::Folder(path) => Some(path.as_path()),
            ClassPathEntry::Jar(jar) => Some(jar.path.as_path()),
            ClassPathEntry::Embedded(_) => None,
        })
    }

    /// Returns the bytes of the class with internal name `name`, and the name of their source.
    ///
    /// # Errors
    /// The class file exists but cannot be read.
    pub fn find(&self, name: &str) -> Result<Option<(Vec<u8>, String)>, ReadError> {
        self.versions(name).next().transpose()
    }

    /// Returns the bytes of the class with internal name `name` in each place that has it, in search
    /// order, and the names of their sources. Of a place whose class file cannot be read there is an
    /// error.
    pub fn versions(
        &self,
        name: &str,
    ) -> impl Iterator<Item = Result<(Vec<u8>, String), ReadError>> {
        let file = format!("{name}.class");
        self.entries.iter().filter_map(move |entry| match entry {
            ClassPathEntry::Embedded(classes) => {
                let (_, bytes) = classes.iter().find(|(known, _)| *known == name)?;
                Some(Ok((bytes.to_vec(), format!("embedded {file}"))))
            }
            entry => entry.read(&file).transpose(),
        })
    }

    /// Whether the class with internal name `name` is there.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        let file = format!("{name}.class");
        self.entries
            .iter()
            .any(|entry| entry.has_class(name, &file))
    }

    /// Content of the first resource with this name, which has slashes.
    ///
    /// # Errors
    /// The resource exists but cannot be read.
    pub fn read_resource(&self, name: &str) -> Result<Option<Vec<u8>>, ReadError> {
        for entry in self.entries.iter().filter(|_| is_inner(name)) {
            if matches!(entry, ClassPathEntry::Folder(folder) if folder.join(name).is_dir()) {
                continue;
            }
            if let Some((bytes, _)) = entry.read(name)? {
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }

    /// URLs of all resources with this name, in search order.
    #[must_use]
    pub fn resource_urls(&self, name: &str) -> Vec<String> {
        let entries = self.entries.iter().filter(|_| is_inner(name));
        entries.filter_map(|entry| entry.url(name)).collect()
    }

    /// Content of the resource at a URL of the class path; `None` if it is of another place.
    ///
    /// # Errors
    /// The resource exists but cannot be read.
    pub fn read_url(&self, url: &str) -> Result<Option<Vec<u8>>, ReadError> {
        for entry in &self.entries {
            let Some(whole) = entry.url("") else { continue };
            let Some(name) = url.strip_prefix(&whole).map(decoded) else {
                continue;
            };
            if is_inner(&name)
                && let Some((bytes, _)) = entry.read(&name)?
            {
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }

    /// Whether no class of another place can be in the package of the class with internal name
    /// `name`: its jar is signed, or seals the package.
    #[must_use]
    pub fn is_closed(&self, name: &str) -> bool {
        let package = name.rfind('/').map_or("", |slash| &name[..=slash]);
        let closes = |entry: &ClassPathEntry| match entry {
            ClassPathEntry::Jar(jar) => jar.closed.has(package),
            _ => false,
        };
        // Fast path: without such jars no jar needs to be searched.
        if !self.entries.iter().any(closes) {
            return false;
        }
        let file = format!("{name}.class");
        let mut entries = self.entries.iter();
        entries
            .find(|entry| entry.has_class(name, &file))
            .is_some_and(closes)
    }

    /// Internal names of all classes of the folders and jars, sorted.
    #[must_use]
    pub fn class_names(&self) -> Vec<String> {
        self.names().iter().map(|(name, _)| name.clone()).collect()
    }

    /// Class names of a package, which is given with a slash at its end; empty for the unnamed
    /// package.
    #[must_use]
    pub fn names_in(&self, package: &str) -> Vec<String> {
        let names = self.names();
        let first = names.partition_point(|(name, _)| name.as_str() < package);
        let below = names[first..].iter().map(|(name, _)| name);
        let below = below.take_while(|name| name.starts_with(package));
        let own = below.filter(|name| !name[package.len()..].contains('/'));
        own.cloned().collect()
    }

    /// Whether the class with internal name `name` is of a jar beside folders: a library of the program whose
    /// classes are in the folders.
    #[must_use]
    pub fn is_of_library(&self, name: &str) -> bool {
        let mut entries = self.entries.iter();
        if !entries.any(|entry| matches!(entry, ClassPathEntry::Folder(_))) {
            return false;
        }
        let names = self.names();
        let found = names.binary_search_by(|(known, _)| known.as_str().cmp(name));
        found.is_ok_and(|at| matches!(self.entries[names[at].1], ClassPathEntry::Jar(_)))
    }

    /// Internal names of all proper subtypes of a class in the folders and jars, the nearest first,
    /// those of the same distance sorted. The first call reads all class files; damaged ones have no
    /// supertypes.
    #[must_use]
    pub fn subtypes(&self, class: &str) -> Vec<String> {
        if self.subtypes.get().is_none() {
            let contents = self.contents();
            // Others wait for the first that reads the files.
            let mut known = KNOWN_SUBTYPES
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            match known.iter().find(|(one, _)| *one == contents) {
                Some((_, index)) => drop(self.subtypes.set(Arc::clone(index))),
                None => {
                    let index = self.read_classes(&|| false, &mut |_| {});
                    let index = Arc::new(index.unwrap_or_default());
                    keep(&mut known, contents, &index);
                    let _ = self.subtypes.set(index);
                }
            }
        }
        let index = self.subtypes.get();
        index.map_or_else(Vec::new, |index| index.below(class))
    }

    /// What tells two class paths with other classes apart: each entry with the number of its bytes or
    /// of its class files, and the time at which the newest was written.
    fn contents(&self) -> Contents {
        let entries = self.entries.iter().map(|entry| match entry {
            ClassPathEntry::Embedded(_) => (PathBuf::new(), 0, None),
            ClassPathEntry::Jar(jar) => {
                let (length, time) = stamp(&jar.path);
                (jar.path.clone(), length, time)
            }
            ClassPathEntry::Folder(path) => {
                let mut names = Vec::new();
                collect_classes(path, "", &mut names);
                let files = names.iter().map(|name| path.join(format!("{name}.class")));
                let times = files.filter_map(|file| stamp(&file).1);
                (path.clone(), names.len() as u64, times.max())
            }
        });
        (entries.collect(), self.feature)
    }

    /// Reads all class files of the folders and jars for [`ClassPath::subtypes`], also that of other
    /// class paths with the same contents, and shows each to `reader`, until `stops` returns true.
    /// Returns whether all were read.
    pub fn read_all(&self, stops: &dyn Fn() -> bool, reader: &mut dyn FnMut(&[u8])) -> bool {
        let Some(index) = self.read_classes(stops, reader) else {
            return false;
        };
        if self.subtypes.get().is_none() {
            let index = Arc::new(index);
            let mut known = KNOWN_SUBTYPES
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            keep(&mut known, self.contents(), &index);
            let _ = self.subtypes.set(index);
        }
        true
    }

    /// Reads all class files, until `stops` returns true; the subtypes, if all were read.
    fn read_classes(
        &self,
        stops: &dyn Fn() -> bool,
        reader: &mut dyn FnMut(&[u8]),
    ) -> Option<SubtypeIndex> {
        let mut index = SubtypeIndex::default();
        for (name, place) in self.names() {
            if stops() {
                return None;
            }
            if let Ok(Some((bytes, _))) = self.entries[*place].read(&format!("{name}.class")) {
                let _ = index.add(&bytes);
                reader(&bytes);
            }
        }
        Some(index)
    }

    fn names(&self) -> &[(String, usize)] {
        self.names.get_or_init(|| self.listed())
    }

    fn listed(&self) -> Vec<(String, usize)> {
        let mut all = Vec::new();
        for (place, entry) in self.entries.iter().enumerate() {
            let mut names = Vec::new();
            match entry {
                ClassPathEntry::Embedded(_) => {}
                ClassPathEntry::Folder(folder) => collect_classes(folder, "", &mut names),
                ClassPathEntry::Jar(jar) => names.extend(jar.class_names()),
            }
            all.extend(names.into_iter().map(|name| (name, place)));
        }
        all.retain(|(name, _)| !name.starts_with("META-INF/") && !name.ends_with("module-info"));
        all.sort();
        all.dedup_by(|(name, _), (before, _)| name == before);
        all
    }
}

/// Keeps the subtypes of a class path for others with the same contents.
fn keep(
    known: &mut Vec<(Contents, Arc<SubtypeIndex>)>,
    contents: Contents,
    index: &Arc<SubtypeIndex>,
) {
    known.retain(|(other, _)| *other != contents);
    known.truncate(MOST_KNOWN - 1);
    known.insert(0, (contents, Arc::clone(index)));
}

/// Whether a class with this internal name may be one of the JDK's.
#[must_use]
pub fn is_of_jdk(name: &str) -> bool {
    JDK_PACKAGES.iter().any(|prefix| name.starts_with(prefix))
}

impl ClassPathEntry {
    /// Whether a class is there, by its internal name and that of its file.
    fn has_class(&self, name: &str, file: &str) -> bool {
        match self {
            ClassPathEntry::Embedded(classes) => classes.iter().any(|(known, _)| *known == name),
            ClassPathEntry::Folder(folder) => folder.join(file).is_file(),
            ClassPathEntry::Jar(jar) => jar.has(file),
        }
    }

    /// Content of a file in a folder or jar, and the name of its source.
    fn read(&self, file: &str) -> Result<Option<(Vec<u8>, String)>, ReadError> {
        match self {
            ClassPathEntry::Embedded(_) => Ok(None),
            ClassPathEntry::Folder(folder) => {
                let path = folder.join(file);
                match std::fs::read(&path) {
                    Ok(bytes) => Ok(Some((bytes, path.display().to_string()))),
                    Err(error)
                        if matches!(
                            error.kind(),
                            std::io::ErrorKind::NotFound
                                | std::io::ErrorKind::NotADirectory
                                | std::io::ErrorKind::InvalidFilename
                                | std::io::ErrorKind::InvalidInput
                        ) =>
                    {
                        Ok(None)
                    }
                    Err(error) => Err(ReadError {
                        what: path.display().to_string(),
                        reason: error.to_string(),
                    }),
                }
            }
            ClassPathEntry::Jar(jar) => jar.read_file(file),
        }
    }

    /// URL of a resource, if it is there; of the whole entry for an empty name.
    fn url(&self, name: &str) -> Option<String> {
        let absolute = |path: &Path| {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            encoded(&path.to_string_lossy())
        };
        match self {
            ClassPathEntry::Embedded(_) => None,
            ClassPathEntry::Folder(folder) => {
                let exists = name.is_empty() || folder.join(name).exists();
                exists.then(|| format!("file:{}/{}", absolute(folder), encoded(name)))
            }
            ClassPathEntry::Jar(jar) => {
                let exists = name.is_empty() || jar.has(name);
                exists.then(|| format!("jar:file:{}!/{}", absolute(&jar.path), encoded(name)))
            }
        }
    }
}

/// Whether a resource's name stays within its folder.
fn is_inner(name: &str) -> bool {
    !name.starts_with('/') && !name.split('/').any(|part| part == "..")
}

/// Path of a URL: other characters than those of RFC 2396 as `%` and two digits.
fn encoded(path: &str) -> String {
    use std::fmt::Write;
    let mut text = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => text.push(char::from(byte)),
            _ if b"/-_.!~*'():@&=+$,".contains(&byte) => text.push(char::from(byte)),
            byte => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}

/// The path that [`encoded`] was given.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let digits = [rest.clone().next(), rest.clone().nth(1)].map(|digit| digit.unwrap_or(0));
        let value = str::from_utf8(&digits)
            .ok()
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (byte, value) {
            (b'%', Some(value)) => {
                bytes.push(value);
                rest.nth(1);
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Opens a folder, or a jar and the class path of its manifest.
fn open_entry(path: &Path, feature: u32) -> Result<(ClassPathEntry, Vec<PathBuf>), ClassPathError> {
    if path.is_dir() {
        return Ok((ClassPathEntry::Folder(path.to_owned()), Vec::new()));
    }
    if !path.exists() {
        return Err(ClassPathError::Missing {
            path: path.to_owned(),
        });
    }
    let jar = Jar::open(path, feature)?;
    let named = jar.named.clone();
    Ok((ClassPathEntry::Jar(jar), named))
}

fn collect_classes(folder: &Path, prefix: &str, names: &mut Vec<String>) {
    let Ok(listing) = std::fs::read_dir(folder) else {
        return;
    };
    for entry in listing.flatten() {
        let Ok(name) = entry.file_name().into_string() else {
            continue;
        };
        // Links to folders are not followed, because they could form cycles.
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

/// Prefixes of all JDK package names. The image's own package index is not accessible through the
/// crate that reads it, and searching all modules is slow.
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

/// Takes a cache, which is whole whatever has happened to others that held it.
fn locked<T>(cache: &Mutex<T>) -> MutexGuard<'_, T> {
    cache.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The JDK's own classes.
pub struct Modules {
    image: ristretto_jimage::Image,
    names: Vec<String>,
    /// Module of each package that was looked up.
    packages: Mutex<FxHashMap<String, usize>>,
    /// Module descriptors that were looked up.
    descriptors: Mutex<FxHashMap<String, Option<Arc<ModuleDescriptor>>>>,
    /// Resources without an extension; read on demand.
    plain: OnceLock<FxHashMap<String, Vec<u8>>>,
}

impl Modules {
    /// Maps the JDK's `lib/modules` into memory.
    ///
    /// # Errors
    /// The file is no readable image.
    pub fn open(jdk: &Jdk) -> Result<Modules, ClassPathError> {
        let path = jdk.home.join("lib").join("modules");
        match ristretto_jimage::Image::from_file(&path) {
            Ok(image) => Ok(Modules {
                image,
                names: jdk.modules.clone(),
                packages: Mutex::default(),
                descriptors: Mutex::default(),
                plain: OnceLock::new(),
            }),
            Err(error) => Err(ClassPathError::Modules {
                path,
                reason: error.to_string(),
            }),
        }
    }

    /// Returns the bytes of the class with internal name `name`, and its module.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<(Vec<u8>, String)> {
        let (package, _) = name.rsplit_once('/')?;
        let known = locked(&self.packages).get(package).copied();
        if let Some(module) = known {
            let module = &self.names[module];
            return Some((self.read(module, name)?, module.clone()));
        }
        if !is_of_jdk(name) {
            return None;
        }
        let found = self.names.iter().enumerate().find_map(|(index, module)| {
            self.read(module, name)
                .map(|bytes| (index, bytes, module.clone()))
        });
        // A package is in one module, so the first hit determines the module.
        let (index, bytes, module) = found?;
        locked(&self.packages).insert(package.to_owned(), index);
        Some((bytes, module))
    }

    /// Descriptor of a module; `None` if it cannot be read.
    #[must_use]
    pub fn descriptor(&self, module: &str) -> Option<Arc<ModuleDescriptor>> {
        let known = locked(&self.descriptors).get(module).cloned();
        known.unwrap_or_else(|| {
            let bytes = self.read(module, "module-info");
            let parsed = bytes
                .and_then(|bytes| parse_module(&bytes).ok())
                .map(Arc::new);
            let mut descriptors = locked(&self.descriptors);
            descriptors.insert(module.to_owned(), parsed.clone());
            parsed
        })
    }

    fn read(&self, module: &str, name: &str) -> Option<Vec<u8>> {
        self.resource(module, &format!("{name}.class"))
    }

    /// Content of a resource of a module, by its name with slashes.
    #[must_use]
    pub fn resource(&self, module: &str, name: &str) -> Option<Vec<u8>> {
        let path = format!("/{module}/{name}");
        let file = name.rsplit_once('/').map_or(name, |(_, file)| file);
        if !file.contains('.') {
            return self.plain().get(&path).cloned();
        }
        let resource = self.image.get_resource(&path).ok()?;
        Some(resource.data().to_vec())
    }

    /// All resources without an extension, which the index does not find.
    fn plain(&self) -> &FxHashMap<String, Vec<u8>> {
        self.plain.get_or_init(|| {
            let all = self.image.iter().filter_map(Result::ok);
            all.filter(|resource| resource.extension().is_empty())
                .map(|resource| (resource.full_name(), resource.data().to_vec()))
                .collect()
        })
    }

    /// Names of all modules.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }
}
