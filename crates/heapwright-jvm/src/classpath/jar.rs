//! Jars, which are opened once in a process as long as their files stay the same.
//!
//! Invariant: a jar is the same to all threads; each reads at a place of its own.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use rustc_hash::FxHashMap;

use super::{ClassPathError, MAX_CLASS_FILE_BYTES, ReadError};
use crate::manifest::{ClosedPackages, attribute, is_signature, read_manifest, sections};

/// Number of jars that stay open.
const MOST_OPEN: usize = 400;
/// Size of what is read at once where less is asked for, in bytes.
const BUFFER_BYTES: usize = 4096;

/// Path of a jar and the release of the JDK for which it was opened, and what tells its contents from
/// others.
type Opened = FxHashMap<(PathBuf, u32), (Stamp, Arc<Jar>)>;
/// Number of bytes, and the time at which they were written.
type Stamp = (u64, Option<SystemTime>);

/// The jars that are open.
static OPENED: Mutex<Option<Opened>> = Mutex::new(None);

/// Open jar.
#[derive(Debug)]
pub(super) struct Jar {
    pub path: PathBuf,
    archive: zip::ZipArchive<JarFile>,
    /// In a multi-release jar, the members that replace others on this JDK, by the name of the replaced
    /// one.
    releases: FxHashMap<String, String>,
    /// Packages that accept no class of another place.
    pub closed: ClosedPackages,
    /// Class path of the manifest.
    pub named: Vec<PathBuf>,
}

impl Jar {
    /// Opens a jar for a JDK of release `feature`.
    ///
    /// # Errors
    /// It is no readable jar.
    pub fn open(path: &Path, feature: u32) -> Result<Arc<Jar>, ClassPathError> {
        let stamp = stamp(path);
        let key = (path.to_owned(), feature);
        let mut opened = OPENED.lock().unwrap_or_else(PoisonError::into_inner);
        let opened = opened.get_or_insert_default();
        if let Some((known, jar)) = opened.get(&key)
            && *known == stamp
        {
            return Ok(Arc::clone(jar));
        }
        let jar = Jar::read(path, feature).map_err(|reason| ClassPathError::Unreadable {
            path: path.to_owned(),
            reason,
        })?;
        let jar = Arc::new(jar);
        if opened.len() >= MOST_OPEN {
            opened.clear();
        }
        opened.insert(key, (stamp, Arc::clone(&jar)));
        Ok(jar)
    }

    fn read(path: &Path, feature: u32) -> Result<Jar, String> {
        let file = JarFile::open(path).map_err(|error| error.to_string())?;
        let mut archive = zip::ZipArchive::new(file).map_err(|error| error.to_string())?;
        let manifest = read_manifest(&mut archive);
        let main = sections(&manifest).next().unwrap_or_default();
        let is_multi_release = attribute(&main, "Multi-Release")
            .is_some_and(|value| value.eq_ignore_ascii_case("true"));
        let releases = match is_multi_release {
            true => releases(&archive, feature),
            false => FxHashMap::default(),
        };
        let folder = path.parent().unwrap_or(Path::new(""));
        let named = attribute(&main, "Class-Path").unwrap_or_default();
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
        Ok(Jar {
            path: path.to_owned(),
            closed: match is_signed {
                true => ClosedPackages::all(),
                false => ClosedPackages::sealed(&manifest),
            },
            archive,
            releases,
            named,
        })
    }

    /// Content of a file, and the name of its source.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn read_file(&self, file: &str) -> Result<Option<(Vec<u8>, String)>, ReadError> {
        let Some(found) = self.index_of(file) else {
            return Ok(None);
        };
        let what = || {
            let member = self.member(file);
            format!("{member} in {}", self.path.display())
        };
        let failed = |reason: String| ReadError {
            what: what(),
            reason,
        };
        // The clone has a place in the file of its own, and shares the list of members.
        let mut archive = self.archive.clone();
        let member = archive
            .by_index(found)
            .map_err(|error| failed(error.to_string()))?;
        let mut bytes = Vec::new();
        // The size that the jar states may be wrong, so it is not used.
        member
            .take(MAX_CLASS_FILE_BYTES + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| failed(error.to_string()))?;
        if bytes.len() as u64 > MAX_CLASS_FILE_BYTES {
            let most = MAX_CLASS_FILE_BYTES >> 20;
            return Err(failed(format!("decompressed it is larger than {most} MiB")));
        }
        Ok(Some((bytes, what())))
    }

    /// Name of the member that is a file on this JDK.
    fn member<'n>(&'n self, file: &'n str) -> &'n str {
        self.releases.get(file).map_or(file, String::as_str)
    }

    fn index_of(&self, file: &str) -> Option<usize> {
        let member = self.member(file);
        // A name that is not there is sought among the names of other encodings one by one, which
        // cannot have an ASCII name.
        match self.archive.index_for_name_raw(member.as_bytes()) {
            None if !member.is_ascii() => self.archive.index_for_name(member),
            found => found,
        }
    }

    /// Whether a file is there.
    pub fn has(&self, file: &str) -> bool {
        self.index_of(file).is_some()
    }

    /// Names of all files.
    pub fn file_names(&self) -> impl Iterator<Item = String> {
        self.archive
            .file_names()
            .flatten()
            .map(|name| name.to_string())
    }

    /// Internal names of all classes, those of modules and of other releases included.
    pub fn class_names(&self) -> impl Iterator<Item = String> {
        let class = |name: &str| Some(name.strip_suffix(".class")?.to_owned());
        let members = self.archive.file_names();
        let members = members.filter_map(move |name| class(&name.ok()?));
        members.chain(self.releases.keys().filter_map(move |name| class(name)))
    }
}

/// What tells a file from others at its place.
pub(super) fn stamp(path: &Path) -> Stamp {
    let data = std::fs::metadata(path).ok();
    data.map_or_else(Stamp::default, |data| (data.len(), data.modified().ok()))
}

/// Finds the members under `META-INF/versions` that replace others on a JDK of a release: the newest
/// version of each.
fn releases(archive: &zip::ZipArchive<JarFile>, feature: u32) -> FxHashMap<String, String> {
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

/// File that its clones share, each with a place of its own.
#[derive(Debug)]
pub(crate) struct JarFile {
    file: Arc<File>,
    length: u64,
    place: u64,
    /// What was read last, and the place at which it begins.
    buffer: Vec<u8>,
    buffered: u64,
}

impl JarFile {
    fn open(path: &Path) -> io::Result<JarFile> {
        let file = File::open(path)?;
        Ok(JarFile {
            length: file.metadata()?.len(),
            file: Arc::new(file),
            place: 0,
            buffer: Vec::new(),
            buffered: 0,
        })
    }

    fn read_at(&self, into: &mut [u8], place: u64) -> io::Result<usize> {
        #[cfg(unix)]
        let read = std::os::unix::fs::FileExt::read_at(&*self.file, into, place);
        #[cfg(windows)]
        let read = std::os::windows::fs::FileExt::seek_read(&*self.file, into, place);
        read
    }

    /// The part of the buffer at the place.
    fn ready(&self) -> &[u8] {
        let skipped = self.place.checked_sub(self.buffered);
        let skipped = skipped.and_then(|skipped| usize::try_from(skipped).ok());
        let ready = skipped.and_then(|skipped| self.buffer.get(skipped..));
        ready.unwrap_or_default()
    }
}

impl Clone for JarFile {
    fn clone(&self) -> JarFile {
        JarFile {
            file: Arc::clone(&self.file),
            buffer: Vec::new(),
            ..*self
        }
    }
}

impl Read for JarFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.ready().is_empty() {
            if into.len() >= BUFFER_BYTES {
                let read = self.read_at(into, self.place)?;
                self.place += read as u64;
                return Ok(read);
            }
            let mut buffer = std::mem::take(&mut self.buffer);
            buffer.resize(BUFFER_BYTES, 0);
            let read = self.read_at(&mut buffer, self.place)?;
            buffer.truncate(read);
            (self.buffer, self.buffered) = (buffer, self.place);
        }
        let read = self.ready().read(into)?;
        self.place += read as u64;
        Ok(read)
    }
}

impl Seek for JarFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.place.checked_add_signed(offset),
        };
        let before = || io::Error::new(io::ErrorKind::InvalidInput, "before the begin of the file");
        self.place = place.ok_or_else(before)?;
        Ok(self.place)
    }
}
