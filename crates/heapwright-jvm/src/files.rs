//! The file system that programs see: files in memory, above the installed ones that the run
//! itself needs (the JDK and the class path), which are read-only, and above those of the folder in
//! which it runs, if there is one: of these it changes copies ([`working`]).
//!
//! Invariant: no file of the host is ever written, and none is read outside of
//! [`Installed::roots`] and that folder. All of [`Files`] is reversible: a mark holds a copy, which shares what
//! has not changed.

mod working;

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use working::WorkingFolder;

/// Largest installed file that can be opened, in bytes.
const MAX_INSTALLED_BYTES: u64 = 256 << 20;
/// Devices from which programs read random bytes.
const RANDOM: [&str; 2] = ["/dev/random", "/dev/urandom"];
/// Number of the first file that a program opens; the standard streams come before it.
const FIRST_DESCRIPTOR: i32 = 4;
/// Open files at a time.
const MAX_OPEN: usize = 4096;

/// Error of the file system, by its name in POSIX.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileError {
    /// No such file or folder.
    NoEntry,
    /// The descriptor is not open, or not for this use.
    BadDescriptor,
    /// The file may not be changed.
    AccessDenied,
    /// The file exists.
    Exists,
    /// A part of the path is no folder.
    NotAFolder,
    /// The path is a folder.
    IsAFolder,
    /// An argument is out of its range.
    Invalid,
    /// Too many files are open.
    TooManyOpen,
    /// The files in memory have reached their limit.
    NoSpace,
    /// The file is installed, and the program may not change it.
    ReadOnly,
    /// The folder is not empty.
    NotEmpty,
    /// The file system has no such operation.
    NotSupported,
}

impl FileError {
    /// Number of the error on Linux.
    #[must_use]
    pub fn number(self) -> i32 {
        match self {
            FileError::NoEntry => 2,
            FileError::BadDescriptor => 9,
            FileError::AccessDenied => 13,
            FileError::Exists => 17,
            FileError::NotAFolder => 20,
            FileError::IsAFolder => 21,
            FileError::Invalid => 22,
            FileError::TooManyOpen => 24,
            FileError::NoSpace => 28,
            FileError::ReadOnly => 30,
            FileError::NotEmpty => 39,
            FileError::NotSupported => 95,
        }
    }

    /// Message of the error with a number, as the C library words it.
    #[must_use]
    pub fn message(number: i32) -> String {
        let text = match number {
            2 => "No such file or directory",
            9 => "Bad file descriptor",
            13 => "Permission denied",
            17 => "File exists",
            20 => "Not a directory",
            21 => "Is a directory",
            22 => "Invalid argument",
            24 => "Too many open files",
            28 => "No space left on device",
            30 => "Read-only file system",
            39 => "Directory not empty",
            95 => "Operation not supported",
            other => return format!("Unknown error {other}"),
        };
        text.to_owned()
    }
}

/// Attributes of a file or folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attributes {
    /// Whether it is a folder.
    pub is_folder: bool,
    /// Length in bytes.
    pub length: u64,
    /// Time of the last change, in milliseconds since 1970.
    pub modified: i64,
    /// Permissions: the low nine bits of the mode.
    pub permissions: u32,
    /// Number that tells files apart.
    pub number: u64,
    /// Whether it is the host's.
    pub is_installed: bool,
}

#[derive(Clone, Hash)]
struct Inode {
    /// `None` for a folder.
    content: Option<Arc<Vec<u8>>>,
    modified: i64,
    permissions: u32,
    /// Whether the program made it, or a folder above it, as a temporary file.
    is_temporary: bool,
}

#[derive(Clone, Hash, PartialEq, Eq)]
enum FileSource {
    Memory(u64),
    Installed(Arc<Vec<u8>>),
    Random,
}

#[derive(Clone, Hash)]
struct OpenFile {
    source: FileSource,
    position: u64,
    reads: bool,
    writes: bool,
    appends: bool,
}

/// How a file is opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenOptions {
    /// For reading.
    pub read: bool,
    /// For writing.
    pub write: bool,
    /// Each write goes to the end.
    pub append: bool,
    /// The content is dropped.
    pub truncate: bool,
    /// The file is made if it is missing.
    pub create: bool,
    /// The file must be missing.
    pub create_new: bool,
}

/// Folders and files of the host that programs can read.
#[derive(Clone, Debug, Default)]
pub struct Installed {
    roots: Vec<PathBuf>,
    working: Option<WorkingFolder>,
}

impl Installed {
    /// Makes these folders and files readable, with all that is in them.
    #[must_use]
    pub fn new(roots: impl IntoIterator<Item = PathBuf>) -> Installed {
        let absolute = roots
            .into_iter()
            .map(|path| std::path::absolute(&path).unwrap_or(path));
        Installed {
            roots: absolute.collect(),
            working: None,
        }
    }

    /// Makes a folder the working one, whose files programs see as they are, and change in memory.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn run_in(&mut self, folder: &Path) -> std::io::Result<()> {
        self.working = Some(WorkingFolder::new(folder)?);
        Ok(())
    }

    /// The working folder, if a path is in it.
    fn working(&self, path: &str) -> Option<&WorkingFolder> {
        self.working.as_ref().filter(|folder| folder.covers(path))
    }

    fn covers(&self, path: &str) -> bool {
        let own = Path::new(path);
        self.working(path).is_some() || self.roots.iter().any(|root| own.starts_with(root))
    }

    /// Folders and files that are readable.
    fn all_roots(&self) -> impl Iterator<Item = &Path> {
        let working = self.working.iter().map(WorkingFolder::path);
        self.roots.iter().map(PathBuf::as_path).chain(working)
    }

    /// Whether the path leads to a root.
    fn is_above(&self, path: &str) -> bool {
        self.all_roots().any(|root| root.starts_with(path))
    }

    fn attributes(&self, path: &str) -> Option<Attributes> {
        if let Some(working) = self.working(path) {
            return working.attributes(path);
        }
        if !self.covers(path) {
            return self.is_above(path).then_some(Attributes {
                is_folder: true,
                length: 4096,
                modified: 0,
                permissions: 0o555,
                number: number_of(path),
                is_installed: true,
            });
        }
        let metadata = std::fs::metadata(path).ok()?;
        Some(Attributes {
            is_folder: metadata.is_dir(),
            length: match metadata.is_dir() {
                true => 4096,
                false => metadata.len(),
            },
            // The host's times would make runs differ.
            modified: 0,
            permissions: if metadata.is_dir() { 0o555 } else { 0o444 },
            number: number_of(path),
            is_installed: true,
        })
    }

    fn names(&self, path: &str) -> Vec<String> {
        if let Some(working) = self.working(path) {
            return working.names(path);
        }
        if self.covers(path) {
            let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
            return entries
                .map(|entry| entry.file_name().to_string_lossy().into_owned())
                .collect();
        }
        let below = self
            .all_roots()
            .filter_map(|root| root.strip_prefix(path).ok());
        let first = below.filter_map(|below| below.components().next());
        first
            .map(|name| name.as_os_str().to_string_lossy().into_owned())
            .collect()
    }
}

/// Inode number of an installed file, far from those in memory.
fn number_of(path: &str) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    path.hash(&mut hasher);
    hasher.finish() >> 1 | 1 << 62
}

/// Files in memory and open files.
#[derive(Clone)]
pub struct Files {
    installed: Arc<Installed>,
    /// Absolute path of the working folder.
    working: Arc<str>,
    names: BTreeMap<String, u64>,
    /// Paths of the host's files and folders in the working folder that were removed or replaced.
    removed: BTreeSet<String>,
    inodes: BTreeMap<u64, Inode>,
    open: BTreeMap<i32, OpenFile>,
    /// Names of open folders that were not read yet, the next one last.
    open_folders: BTreeMap<u64, Vec<String>>,
    next_inode: u64,
    /// State of the generator of random bytes.
    random: u64,
    /// Bytes of all content in memory, and their limit.
    bytes: u64,
    max_bytes: u64,
}

impl Default for Files {
    fn default() -> Files {
        Files::new(Installed::default(), 0)
    }
}

impl Hash for Files {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.names.hash(state);
        self.removed.hash(state);
        self.inodes.hash(state);
        self.open.hash(state);
        self.open_folders.hash(state);
        self.next_inode.hash(state);
        self.random.hash(state);
    }
}

impl Files {
    /// An empty file system but for `/tmp`, the devices of random bytes and what is installed; its
    /// files may have `max_bytes` bytes together.
    #[must_use]
    pub fn new(installed: Installed, max_bytes: u64) -> Files {
        let working = installed.working.as_ref().map(WorkingFolder::path);
        let mut files = Files {
            working: working.map_or("/".into(), |path| path.to_string_lossy().into()),
            installed: Arc::new(installed),
            names: BTreeMap::new(),
            removed: BTreeSet::new(),
            inodes: BTreeMap::new(),
            open: BTreeMap::new(),
            open_folders: BTreeMap::new(),
            next_inode: 2,
            random: 0,
            bytes: 0,
            max_bytes,
        };
        for folder in ["/", "/tmp", "/dev"] {
            files.add(folder, None, 0o755, 0);
        }
        for device in RANDOM {
            files.add(device, Some(Vec::new()), 0o444, 0);
        }
        files
    }

    /// Copies a folder of the host, with all that is in it, to the root. Links are followed,
    /// except those that lead out of the folder.
    ///
    /// # Errors
    /// A file cannot be read, or all together are larger than the limit.
    pub fn mount(&mut self, folder: &Path) -> std::io::Result<()> {
        let whole = folder.canonicalize()?;
        self.mount_below(&whole, &whole, "")
    }

    fn mount_below(&mut self, whole: &Path, folder: &Path, to: &str) -> std::io::Result<()> {
        let mut entries = std::fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path().canonicalize()?;
            let is_loop = folder.starts_with(&path);
            if !path.starts_with(whole) || is_loop {
                continue;
            }
            let name = format!("{to}/{}", entry.file_name().to_string_lossy());
            if path.is_dir() {
                self.add(&name, None, 0o755, 0);
                self.mount_below(whole, &path, &name)?;
            } else if path.is_file() {
                let content = std::fs::read(&path)?;
                self.bytes += content.len() as u64;
                if self.bytes > self.max_bytes {
                    return Err(std::io::Error::other(format!(
                        "its files have more than {} bytes together",
                        self.max_bytes
                    )));
                }
                self.add(&name, Some(content), 0o644, 0);
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &str, content: Option<Vec<u8>>, permissions: u32, now: i64) -> u64 {
        let number = self.next_inode;
        let is_temporary = self.is_temporary(path);
        self.next_inode += 1;
        self.inodes.insert(
            number,
            Inode {
                content: content.map(Arc::new),
                modified: now,
                permissions,
                is_temporary,
            },
        );
        self.names.insert(path.to_owned(), number);
        number
    }

    /// Whether a file, or the nearest folder above that exists in memory, is temporary.
    #[must_use]
    pub fn is_temporary(&self, path: &str) -> bool {
        let mut path = path;
        loop {
            if let Some(number) = self.names.get(path) {
                return self.inodes[number].is_temporary;
            }
            match path.rsplit_once('/') {
                Some((folder, _)) if !folder.is_empty() => path = folder,
                _ => return false,
            }
        }
    }

    /// Whether it is certain on every machine what there is at a path: it is installed, or the
    /// program made it, or it is one of the first folders and devices.
    #[must_use]
    pub fn is_certain(&self, path: &str) -> bool {
        self.names.contains_key(path)
            || self.is_temporary(path)
            || self.installed.covers(path)
            || self.installed.is_above(path)
    }

    /// Absolute path of the folder in which the program runs.
    #[must_use]
    pub fn working_folder(&self) -> &str {
        &self.working
    }

    /// Whether the host has something at a path that the program does not see, although it may be part
    /// of the same project: beside the working folder.
    #[must_use]
    pub fn is_withheld(&self, path: &str) -> bool {
        let working = self.installed.working.as_ref();
        let around = working.and_then(WorkingFolder::around);
        // A folder such as that of temporary files is the program's own.
        let is_own = |folder: &Path| {
            folder
                .to_str()
                .is_some_and(|at| self.names.contains_key(at))
        };
        around.is_some_and(|around| Path::new(path).starts_with(around) && !is_own(around))
            && !self.names.contains_key(path)
            && !self.installed.covers(path)
            && !self.installed.is_above(path)
            && Path::new(path).exists()
    }

    /// Whether a path is in the JDK, on the class path or in the working folder.
    #[must_use]
    pub fn is_installed(&self, path: &str) -> bool {
        self.installed.covers(path)
    }

    /// Makes a file or folder temporary.
    pub fn set_temporary(&mut self, path: &str) {
        if let Some(inode) = self
            .names
            .get(path)
            .and_then(|number| self.inodes.get_mut(number))
        {
            inode.is_temporary = true;
        }
    }

    /// Absolute path of a file without `.`, doubled slashes and `..` behind a folder; relative ones
    /// start at the working folder. A `..` behind what is no folder stays: nothing is there.
    #[must_use]
    pub fn located(&self, path: &str) -> String {
        let is_folder = |path: &str| {
            self.installed.is_above(path)
                || self.attributes(path).is_ok_and(|found| found.is_folder)
        };
        let mut located = match path.starts_with('/') {
            true => String::new(),
            false => self.working.trim_end_matches('/').to_owned(),
        };
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." if located.is_empty() => {}
                ".." if is_folder(&located) => located.truncate(located.rfind('/').unwrap_or(0)),
                part => {
                    located.push('/');
                    located.push_str(part);
                }
            }
        }
        match located.is_empty() {
            true => "/".to_owned(),
            false => located,
        }
    }

    /// Attributes of a file, by its normalised absolute path.
    ///
    /// # Errors
    /// There is no such file.
    pub fn attributes(&self, path: &str) -> Result<Attributes, FileError> {
        if let Some(number) = self.names.get(path) {
            return Ok(self.attributes_of(*number));
        }
        let found = self.of_host(path);
        found.ok_or_else(|| match self.parent(path) {
            Err(error @ FileError::NotAFolder) => error,
            _ => FileError::NoEntry,
        })
    }

    /// Attributes of the host's file at a path that the program has not changed.
    fn of_host(&self, path: &str) -> Option<Attributes> {
        match self.is_removed(path) {
            true => None,
            false => self.installed.attributes(path),
        }
    }

    /// Whether the host's file at a path, or a folder around it, was removed.
    fn is_removed(&self, path: &str) -> bool {
        let mut above = Path::new(path).ancestors();
        !self.removed.is_empty()
            && above.any(|above| above.to_str().is_some_and(|at| self.removed.contains(at)))
    }

    /// Makes a copy in memory of a file of the host that is about to be changed, or of a folder
    /// without what is in it. Returns false if there is none that can be changed.
    fn copy(&mut self, path: &str) -> Result<bool, FileError> {
        if self.names.contains_key(path) {
            return Ok(true);
        }
        let Some(attributes) = self.of_host(path) else {
            return Ok(false);
        };
        let installed = Arc::clone(&self.installed);
        let Some(working) = installed.working(path) else {
            return Ok(false);
        };
        let content = match attributes.is_folder {
            true => None,
            false => {
                let content = working.content(path).map_err(|_| FileError::AccessDenied)?;
                let bytes = self.bytes + content.len() as u64;
                if bytes > self.max_bytes {
                    return Err(FileError::NoSpace);
                }
                self.bytes = bytes;
                Some(content.to_vec())
            }
        };
        self.add(path, content, attributes.permissions, attributes.modified);
        Ok(true)
    }

    /// Does the same with all that is in a folder.
    fn copy_all(&mut self, path: &str) -> Result<(), FileError> {
        self.copy(path)?;
        if self.attributes(path)?.is_folder {
            for name in self.list(path)? {
                self.copy_all(&format!("{path}/{name}"))?;
            }
        }
        Ok(())
    }

    /// Number of a file that is about to be changed.
    fn changed(&mut self, path: &str) -> Result<u64, FileError> {
        self.attributes(path)?;
        match self.copy(path)? {
            true => Ok(self.names[path]),
            false => Err(FileError::ReadOnly),
        }
    }

    fn attributes_of(&self, number: u64) -> Attributes {
        let inode = &self.inodes[&number];
        Attributes {
            is_folder: inode.content.is_none(),
            length: inode
                .content
                .as_ref()
                .map_or(4096, |content| content.len() as u64),
            modified: inode.modified,
            permissions: inode.permissions,
            number,
            is_installed: false,
        }
    }

    /// Checks that the folder of a path exists.
    fn parent(&self, path: &str) -> Result<(), FileError> {
        let (folder, _) = path.rsplit_once('/').unwrap_or(("", ""));
        let folder = if folder.is_empty() { "/" } else { folder };
        if folder == path {
            return Ok(());
        }
        match self.attributes(folder)? {
            attributes if attributes.is_folder => Ok(()),
            _ => Err(FileError::NotAFolder),
        }
    }

    /// Checks that a file may be made at a path, or an existing one removed from it.
    fn changeable(&mut self, path: &str) -> Result<(), FileError> {
        self.parent(path)?;
        let is_installed = self.installed.covers(path) && self.installed.working(path).is_none();
        if !self.names.contains_key(path) && is_installed {
            return Err(FileError::ReadOnly);
        }
        let (folder, _) = path.rsplit_once('/').unwrap_or(("", ""));
        let folder = if folder.is_empty() { "/" } else { folder };
        self.copy(folder)?;
        let number = self.names.get(folder);
        match number.map(|number| self.inodes[number].permissions & 0o200) {
            None => Err(FileError::ReadOnly),
            Some(0) => Err(FileError::AccessDenied),
            Some(_) => Ok(()),
        }
    }

    /// Names in a folder, sorted.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn list(&self, path: &str) -> Result<Vec<String>, FileError> {
        if !self.attributes(path)?.is_folder {
            return Err(FileError::NotAFolder);
        }
        let mut names = match self.is_removed(path) {
            true => Vec::new(),
            false => self.installed.names(path),
        };
        let prefix = match path {
            "/" => "/".to_owned(),
            path => format!("{path}/"),
        };
        names.retain(|name| !self.removed.contains(&format!("{prefix}{name}")));
        let own = self.names.range(prefix.clone()..);
        let own = own.take_while(|(name, _)| name.starts_with(&prefix));
        let own = own.map(|(name, _)| &name[prefix.len()..]);
        names.extend(
            own.filter(|name| !name.is_empty() && !name.contains('/'))
                .map(str::to_owned),
        );
        names.sort();
        names.dedup();
        Ok(names)
    }

    /// Makes an empty folder.
    ///
    /// # Errors
    /// The path exists, or its folder does not.
    pub fn create_folder(&mut self, path: &str, now: i64) -> Result<(), FileError> {
        if self.attributes(path).is_ok() {
            return Err(FileError::Exists);
        }
        self.changeable(path)?;
        self.add(path, None, 0o755, now);
        Ok(())
    }

    /// Removes a file or an empty folder.
    ///
    /// # Errors
    /// There is none, or the folder is not empty.
    pub fn remove(&mut self, path: &str) -> Result<(), FileError> {
        let attributes = self.attributes(path)?;
        self.changeable(path)?;
        if attributes.is_folder && !self.list(path)?.is_empty() {
            return Err(FileError::NotEmpty);
        }
        self.names.remove(path);
        self.hide(path);
        self.drop_unused(attributes.number);
        Ok(())
    }

    /// Hides what the host has at a path.
    fn hide(&mut self, path: &str) {
        if self.installed.working(path).is_some() && self.of_host(path).is_some() {
            self.removed.insert(path.to_owned());
        }
    }

    /// Forgets a file that has neither a name nor a descriptor.
    fn drop_unused(&mut self, number: u64) {
        let is_open = self
            .open
            .values()
            .any(|open| matches!(open.source, FileSource::Memory(opened) if opened == number));
        if is_open || self.names.values().any(|&named| named == number) {
            return;
        }
        if let Some(content) = self.inodes.remove(&number).and_then(|inode| inode.content) {
            self.bytes -= content.len() as u64;
        }
    }

    /// Gives a file or folder another name; a file or an empty folder there is replaced.
    ///
    /// # Errors
    /// There is none, or it cannot be there.
    pub fn rename(&mut self, from: &str, to: &str) -> Result<(), FileError> {
        let moved = self.attributes(from)?;
        self.changeable(from)?;
        self.changeable(to)?;
        if from == to {
            return Ok(());
        }
        if to.starts_with(&format!("{from}/")) {
            return Err(FileError::Invalid);
        }
        if let Ok(replaced) = self.attributes(to) {
            match (moved.is_folder, replaced.is_folder) {
                (true, false) => return Err(FileError::NotAFolder),
                (false, true) => return Err(FileError::IsAFolder),
                _ => self.remove(to)?,
            }
        }
        self.copy_all(from)?;
        self.hide(from);
        let below = format!("{from}/");
        let names = self.names.keys();
        let names = names.filter(|name| *name == from || name.starts_with(&below));
        for name in names.cloned().collect::<Vec<_>>() {
            if let Some(number) = self.names.remove(&name) {
                self.names
                    .insert(format!("{to}{}", &name[from.len()..]), number);
            }
        }
        Ok(())
    }

    /// Sets the permissions of a file.
    ///
    /// # Errors
    /// There is none, or it is installed.
    pub fn set_permissions(&mut self, path: &str, permissions: u32) -> Result<(), FileError> {
        let number = self.changed(path)?;
        if let Some(inode) = self.inodes.get_mut(&number) {
            inode.permissions = permissions & 0o777;
        }
        Ok(())
    }

    /// Sets the time of the last change of a file, in milliseconds since 1970.
    ///
    /// # Errors
    /// There is none, or it is installed.
    pub fn set_modified(&mut self, path: &str, modified: i64) -> Result<(), FileError> {
        let number = self.changed(path)?;
        if let Some(inode) = self.inodes.get_mut(&number) {
            inode.modified = modified;
        }
        Ok(())
    }
}

// Open files.
impl Files {
    /// Opens a file. Returns its descriptor, the lowest that is free.
    ///
    /// # Errors
    /// The file is missing, or may not be opened in this way.
    pub fn open(&mut self, path: &str, options: OpenOptions, now: i64) -> Result<i32, FileError> {
        let writes = options.write || options.append;
        let found = self.attributes(path);
        let source = match found {
            Ok(_) if options.create_new => return Err(FileError::Exists),
            Ok(attributes) if attributes.is_folder && writes => return Err(FileError::IsAFolder),
            Ok(_) if RANDOM.contains(&path) && !writes => FileSource::Random,
            Ok(attributes) if attributes.is_installed && writes => {
                FileSource::Memory(self.changed(path)?)
            }
            Ok(attributes) if attributes.is_installed => {
                self.installed_content(path, attributes)?
            }
            Ok(attributes) => {
                let refused = (u32::from(options.read) * 0o400) | (u32::from(writes) * 0o200);
                if attributes.permissions & refused != refused {
                    return Err(FileError::AccessDenied);
                }
                FileSource::Memory(attributes.number)
            }
            Err(FileError::NoEntry) if writes && (options.create || options.create_new) => {
                self.changeable(path)?;
                FileSource::Memory(self.add(path, Some(Vec::new()), 0o644, now))
            }
            Err(error) => return Err(error),
        };
        if self.open.len() >= MAX_OPEN {
            return Err(FileError::TooManyOpen);
        }
        let mut descriptor = FIRST_DESCRIPTOR;
        while self.open.contains_key(&descriptor) {
            descriptor += 1;
        }
        self.open.insert(
            descriptor,
            OpenFile {
                source,
                position: 0,
                reads: options.read,
                writes,
                appends: options.append,
            },
        );
        if writes && options.truncate {
            self.set_length(descriptor, 0, now)?;
        }
        Ok(descriptor)
    }

    fn installed_content(
        &self,
        path: &str,
        attributes: Attributes,
    ) -> Result<FileSource, FileError> {
        if attributes.is_folder {
            return Ok(FileSource::Installed(Arc::default()));
        }
        if attributes.length > MAX_INSTALLED_BYTES {
            return Err(FileError::NotSupported);
        }
        let content = match self.installed.working(path) {
            Some(working) => working.content(path),
            None => std::fs::read(path).map(Arc::new),
        };
        let content = content.map_err(|_| FileError::AccessDenied)?;
        Ok(FileSource::Installed(content))
    }

    fn opened(&self, descriptor: i32) -> Result<&OpenFile, FileError> {
        self.open.get(&descriptor).ok_or(FileError::BadDescriptor)
    }

    fn opened_mut(&mut self, descriptor: i32) -> Result<&mut OpenFile, FileError> {
        self.open
            .get_mut(&descriptor)
            .ok_or(FileError::BadDescriptor)
    }

    fn content<'a>(&'a self, open: &'a OpenFile) -> Result<&'a [u8], FileError> {
        match &open.source {
            FileSource::Installed(content) => Ok(content),
            FileSource::Random => Ok(&[]),
            FileSource::Memory(number) => match &self.inodes[number].content {
                Some(content) => Ok(content),
                None => Err(FileError::IsAFolder),
            },
        }
    }

    /// Closes a descriptor; one that is not open does not matter.
    pub fn close(&mut self, descriptor: i32) {
        if let Some(open) = self.open.remove(&descriptor)
            && let FileSource::Memory(number) = open.source
        {
            self.drop_unused(number);
        }
    }

    /// Whether a descriptor is open.
    #[must_use]
    pub fn is_open(&self, descriptor: i32) -> bool {
        self.open.contains_key(&descriptor)
    }

    /// First name of an open file.
    ///
    /// # Errors
    /// The descriptor is not open, or the file has no name any more.
    pub fn name_of(&self, descriptor: i32) -> Result<String, FileError> {
        let FileSource::Memory(number) = self.opened(descriptor)?.source else {
            return Err(FileError::ReadOnly);
        };
        let mut names = self.names.iter();
        let named = names.find(|(_, named)| **named == number);
        named
            .map(|(name, _)| name.clone())
            .ok_or(FileError::NoEntry)
    }

    /// Attributes of an open file.
    ///
    /// # Errors
    /// The descriptor is not open.
    pub fn attributes_of_open(&self, descriptor: i32) -> Result<Attributes, FileError> {
        let open = self.opened(descriptor)?;
        Ok(match &open.source {
            FileSource::Memory(number) => self.attributes_of(*number),
            FileSource::Installed(_) | FileSource::Random => Attributes {
                is_folder: false,
                length: self.content(open)?.len() as u64,
                modified: 0,
                permissions: 0o444,
                number: 1,
                is_installed: true,
            },
        })
    }

    /// The next random bytes (SplitMix64): the same ones in every run.
    fn random_bytes(&mut self, count: usize) -> Vec<u8> {
        let words = (0..count.div_ceil(8)).map(|_| {
            self.random = self.random.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (self.random ^ self.random >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^ mixed >> 31
        });
        let mut bytes: Vec<u8> = words.flat_map(u64::to_le_bytes).collect();
        bytes.truncate(count);
        bytes
    }

    /// Whether a descriptor reads random bytes.
    #[must_use]
    pub fn is_random(&self, descriptor: i32) -> bool {
        let open = self.open.get(&descriptor);
        open.is_some_and(|open| open.source == FileSource::Random)
    }

    /// Opens a folder for [`Files::next_name`]. Returns its handle, which is not 0.
    ///
    /// # Errors
    /// There is no such folder.
    pub fn open_folder(&mut self, path: &str) -> Result<u64, FileError> {
        let mut names = self.list(path)?;
        names.reverse();
        let last = self.open_folders.last_key_value();
        let handle = last.map_or(0, |(handle, _)| *handle) + 1;
        self.open_folders.insert(handle, names);
        Ok(handle)
    }

    /// The next name in an open folder; `None` at the end.
    ///
    /// # Errors
    /// The handle is not open.
    pub fn next_name(&mut self, handle: u64) -> Result<Option<String>, FileError> {
        let names = self.open_folders.get_mut(&handle);
        Ok(names.ok_or(FileError::BadDescriptor)?.pop())
    }

    /// Closes a folder; one that is not open does not matter.
    pub fn close_folder(&mut self, handle: u64) {
        self.open_folders.remove(&handle);
    }

    /// Bytes at a position, at most `most`, without moving the descriptor's own position.
    ///
    /// # Errors
    /// The descriptor is not open for reading.
    pub fn read_at(&self, descriptor: i32, at: u64, most: usize) -> Result<&[u8], FileError> {
        let open = self.opened(descriptor)?;
        if !open.reads {
            return Err(FileError::BadDescriptor);
        }
        let content = self.content(open)?;
        let start = usize::try_from(at).unwrap_or(usize::MAX).min(content.len());
        let end = start.saturating_add(most).min(content.len());
        Ok(&content[start..end])
    }

    /// Writes bytes at a position; the file grows by zeros where it is shorter.
    ///
    /// # Errors
    /// The descriptor is not open for writing, or the memory for files is used up.
    pub fn write_at(
        &mut self,
        descriptor: i32,
        at: u64,
        bytes: &[u8],
        now: i64,
    ) -> Result<(), FileError> {
        let end = at
            .checked_add(bytes.len() as u64)
            .ok_or(FileError::Invalid)?;
        let content = self.content_to_change(descriptor, end, now)?;
        let start = at as usize;
        if content.len() < end as usize {
            content.resize(end as usize, 0);
        }
        content[start..start + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    /// Content of a file that is about to have `length` bytes if it has fewer now.
    fn content_to_change(
        &mut self,
        descriptor: i32,
        length: u64,
        now: i64,
    ) -> Result<&mut Vec<u8>, FileError> {
        let open = self.opened(descriptor)?;
        let FileSource::Memory(number) = open.source else {
            return Err(FileError::BadDescriptor);
        };
        if !open.writes {
            return Err(FileError::BadDescriptor);
        }
        let inode = self.inodes.get_mut(&number).ok_or(FileError::NoEntry)?;
        let content = inode.content.as_mut().ok_or(FileError::IsAFolder)?;
        let more = length.saturating_sub(content.len() as u64);
        if self.bytes + more > self.max_bytes {
            return Err(FileError::NoSpace);
        }
        self.bytes += more;
        inode.modified = now;
        Ok(Arc::make_mut(content))
    }

    /// Reads from the descriptor's position on, and moves it.
    ///
    /// # Errors
    /// The descriptor is not open for reading.
    pub fn read(&mut self, descriptor: i32, most: usize) -> Result<Vec<u8>, FileError> {
        if self.opened(descriptor)?.source == FileSource::Random {
            return Ok(self.random_bytes(most));
        }
        let position = self.position(descriptor)?;
        let bytes = self.read_at(descriptor, position, most)?.to_vec();
        self.opened_mut(descriptor)?.position += bytes.len() as u64;
        Ok(bytes)
    }

    /// Writes at the descriptor's position, or at the end if it appends, and moves it.
    ///
    /// # Errors
    /// The descriptor is not open for writing, or the memory for files is used up.
    pub fn write(&mut self, descriptor: i32, bytes: &[u8], now: i64) -> Result<(), FileError> {
        let open = self.opened(descriptor)?;
        let at = match open.appends {
            true => self.length(descriptor)?,
            false => open.position,
        };
        self.write_at(descriptor, at, bytes, now)?;
        self.opened_mut(descriptor)?.position = at + bytes.len() as u64;
        Ok(())
    }

    /// Position of a descriptor.
    ///
    /// # Errors
    /// It is not open.
    pub fn position(&self, descriptor: i32) -> Result<u64, FileError> {
        Ok(self.opened(descriptor)?.position)
    }

    /// Moves a descriptor.
    ///
    /// # Errors
    /// It is not open.
    pub fn seek(&mut self, descriptor: i32, position: u64) -> Result<(), FileError> {
        self.opened_mut(descriptor)?.position = position;
        Ok(())
    }

    /// Length of an open file.
    ///
    /// # Errors
    /// The descriptor is not open.
    pub fn length(&self, descriptor: i32) -> Result<u64, FileError> {
        Ok(self.content(self.opened(descriptor)?)?.len() as u64)
    }

    /// Cuts an open file, or lengthens it by zeros.
    ///
    /// # Errors
    /// The descriptor is not open for writing, or the memory for files is used up.
    pub fn set_length(&mut self, descriptor: i32, length: u64, now: i64) -> Result<(), FileError> {
        let old = self.length(descriptor)?;
        let content = self.content_to_change(descriptor, length, now)?;
        content.resize(length as usize, 0);
        self.bytes -= old.saturating_sub(length);
        let open = self.opened_mut(descriptor)?;
        open.position = open.position.min(length);
        Ok(())
    }
}

/// Absolute path without `.`, `..` and doubled slashes, whatever exists; relative ones start at `/`,
/// the working folder.
#[must_use]
pub fn normalized(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests;
