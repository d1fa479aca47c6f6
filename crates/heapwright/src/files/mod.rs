//! Writing files: atomically, and never over a file that was written or edited by hand.

pub mod checksum;
pub mod drawings;
pub mod prefix;
pub mod record;
pub mod results;
pub mod shard;
mod stamp;
pub mod style;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, anyhow, bail};
use heapwright_explore::Count;
use tempfile::NamedTempFile;

use stamp::{is_unedited, stamped};

/// Folder of results that are used again, in the folder of the tests.
pub const RESULTS: &str = ".heapwright";
/// Text in the first lines of every generated file.
const MARK: &str = " by Heapwright";
/// Name prefix of temporary files; the process id follows.
const PREFIX: &str = ".heapwright-";
/// Folders in which this process has created temporary files.
static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
/// Number of bytes searched for [`MARK`]: a test class begins with its imports.
const HEAD: usize = 1 << 14;

/// Destination of lines: standard output, or a file that appears when it is complete.
pub enum Output {
    /// Standard output.
    Standard(BufWriter<io::Stdout>),
    /// File with a temporary name until it is complete.
    File(BufWriter<NamedTempFile>, PathBuf),
    /// Device or pipe, written directly.
    Device(BufWriter<fs::File>, PathBuf),
}

impl Output {
    /// Opens a file, or standard output if none is named.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn open(path: Option<&Path>) -> anyhow::Result<Output> {
        match path {
            None => Ok(Output::Standard(BufWriter::new(io::stdout()))),
            Some(path) => {
                if path.is_dir() {
                    bail!("{} is a folder: name a file", path.display());
                }
                if path.exists() && !path.is_file() {
                    let device = fs::OpenOptions::new().write(true).open(path);
                    let device = device.with_context(|| failed(path))?;
                    return Ok(Output::Device(BufWriter::new(device), path.to_owned()));
                }
                Ok(Output::File(
                    BufWriter::new(temporary(path)?),
                    path.to_owned(),
                ))
            }
        }
    }

    /// Writes a line.
    ///
    /// # Errors
    /// The file cannot be written, for instance because the disk is full.
    pub fn write_line(&mut self, line: &str) -> anyhow::Result<()> {
        match self {
            Output::Standard(writer) => writeln!(writer, "{line}").context(STANDARD),
            Output::File(writer, path) => writeln!(writer, "{line}").with_context(|| failed(path)),
            Output::Device(writer, path) => {
                writeln!(writer, "{line}").with_context(|| failed(path))
            }
        }
    }

    /// Makes the output so far visible to a reader; a file stays invisible until it is complete.
    ///
    /// # Errors
    /// Standard output or the device cannot be written.
    pub fn flush(&mut self) -> anyhow::Result<()> {
        match self {
            Output::Standard(writer) => writer.flush().context(STANDARD),
            Output::Device(writer, path) => writer.flush().with_context(|| failed(path)),
            Output::File(..) => Ok(()),
        }
    }

    /// Gives the file its final name.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(mut self) -> anyhow::Result<()> {
        self.flush()?;
        match self {
            Output::Standard(_) | Output::Device(..) => Ok(()),
            Output::File(writer, path) => {
                let file = writer
                    .into_inner()
                    .map_err(|error| error.into_error())
                    .with_context(|| failed(&path))?;
                file.persist(&path)
                    .map_err(|error| error.error)
                    .with_context(|| failed(&path))?;
                note_written(&path);
                Ok(())
            }
        }
    }
}

const STANDARD: &str = "failed to write to standard output";

fn failed_to_read(path: &Path) -> String {
    format!("failed to read {}", path.display())
}

fn failed(path: &Path) -> String {
    format!("failed to write {}", path.display())
}

/// Writes text to standard output.
///
/// # Errors
/// Standard output cannot be written to.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes()).context(STANDARD)?;
    output.flush().context(STANDARD)
}

/// Checks that files can be created in a folder, or that it can be made where it is missing. Nothing is
/// left there.
///
/// # Errors
/// They cannot; the message names the folder.
pub fn check_writable(folder: &Path) -> anyhow::Result<()> {
    let whole = std::path::absolute(folder).context("failed to find the current folder")?;
    let there = whole.ancestors().find(|folder| folder.exists());
    let tried = tempfile::tempfile_in(there.unwrap_or(&whole));
    tried
        .map(drop)
        .map_err(|error| failed_to_fill(folder, &error))
}

/// Error of creating a temporary file in a folder, without the file's name.
fn failed_to_fill(folder: &Path, error: &io::Error) -> anyhow::Error {
    let reason = io::Error::from(error.kind());
    anyhow!(
        "failed to write into the folder {}: {reason}",
        folder.display()
    )
}

/// Creates a temporary file beside `path`, and the folder if it is missing.
fn temporary(path: &Path) -> anyhow::Result<NamedTempFile> {
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .with_context(|| format!("failed to make the folder {}", folder.display()))?;
    sweep(folder);
    tempfile::Builder::new()
        .prefix(&format!("{PREFIX}{}-", std::process::id()))
        .permissions(permissions())
        .tempfile_in(folder)
        .map_err(|error| failed_to_fill(folder, &error))
}

/// Registers a folder with temporary files. The first time, removes those of processes that were
/// killed.
fn sweep(folder: &Path) {
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    if folders.insert(folder.to_owned()) {
        remove(folder, |process| !is_alive(process));
    }
}

/// Removes the temporary files of this process before it ends.
pub fn remove_temporary() {
    let folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    for folder in &*folders {
        remove(folder, |process| process == std::process::id());
    }
}

/// Removes the temporary files of the selected processes from a folder.
fn remove(folder: &Path, is_meant: impl Fn(u32) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| {
            let (process, _) = name.strip_prefix(PREFIX)?.split_once('-')?;
            process.parse().ok()
        });
        if process.is_some_and(&is_meant) {
            // Another process may have removed it first.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a process runs; assumed where the system does not tell.
fn is_alive(process: u32) -> bool {
    let processes = Path::new("/proc");
    !processes.join("self").exists() || processes.join(process.to_string()).exists()
}

#[cfg(unix)]
fn permissions() -> fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    // The process's umask applies.
    fs::Permissions::from_mode(0o666)
}

#[cfg(not(unix))]
fn permissions() -> fs::Permissions {
    fs::metadata(".")
        .map(|data| data.permissions())
        .expect("the current folder")
}

/// Writes a generated file atomically, with a checksum of its contents in the last line. Replaces
/// an older generated file, whether or not it was formatted since, but not one that somebody wrote or
/// edited.
///
/// # Errors
/// A hand-written or edited file exists, or the file cannot be written.
pub fn write_file(path: &Path, contents: &[u8]) -> anyhow::Result<()> {
    if let Ok(old) = fs::read(path) {
        let head = String::from_utf8_lossy(&old[..old.len().min(HEAD)]).into_owned();
        let what = match (head.contains(MARK), is_unedited(path, &old)) {
            (true, true) => None,
            (true, false) => Some("was edited since it was generated"),
            (false, _) => Some("was not generated"),
        };
        if let Some(what) = what {
            bail!(
                "{} exists and {what}: move it away, or write elsewhere with -o",
                path.display()
            );
        }
    }
    replace_file(path, &stamped(path, contents))
}

/// Origin of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It was generated, and stayed as it was.
    Generated,
    /// Somebody wrote or edited it.
    Hand,
}

/// Reads a test class: its text, without the checksum if it was generated, and its origin. `None`
/// if there is no such file.
///
/// # Errors
/// The file cannot be read.
pub fn read_test_class(path: &Path) -> anyhow::Result<Option<(String, Origin)>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| failed_to_read(path)),
    };
    let text = String::from_utf8_lossy(&bytes).replace('\r', "");
    match stamp::divided(&text).filter(|_| is_unedited(path, &bytes)) {
        Some((contents, _)) => Ok(Some((contents.to_owned(), Origin::Generated))),
        None => Ok(Some((text, Origin::Hand))),
    }
}

/// Writes the text of a generated test class that was read before, with ends of lines as they are in
/// the file.
///
/// # Errors
/// See [`write_file`].
pub fn rewrite_test_class(path: &Path, text: &str) -> anyhow::Result<()> {
    let old = fs::read(path).with_context(|| failed_to_read(path))?;
    let text = match old.ends_with(b"\n") {
        true => text,
        false => text.trim_end_matches('\n'),
    };
    let has_returns = old.windows(2).any(|pair| pair == b"\r\n");
    match has_returns {
        true => write_file(path, text.replace('\n', "\r\n").as_bytes()),
        false => write_file(path, text.as_bytes()),
    }
}

/// Whether a file is one that was generated, and stayed as it was but for its formatting.
pub fn is_generated(path: &Path) -> bool {
    fs::read(path).is_ok_and(|bytes| is_unedited(path, &bytes))
}

/// Makes a generated file one that stayed as it was again, after a formatter changed more of it than
/// its formatting. Returns whether that is done.
///
/// # Errors
/// The file cannot be written.
pub fn accept_formatting(path: &Path) -> anyhow::Result<bool> {
    let bytes = fs::read(path).with_context(|| failed_to_read(path))?;
    match stamp::restamped(path, &bytes) {
        Some(again) => replace_file(path, &again).map(|()| true),
        None => Ok(false),
    }
}

/// Digest of a file, of a Java source of its tokens; `None` if it cannot be read.
pub fn digest_of(path: &Path) -> Option<String> {
    let bytes = fs::read(path).ok()?;
    let mut digest = checksum::Digest::default();
    match is_java(path) {
        true => {
            let text = String::from_utf8_lossy(&bytes).replace('\r', "");
            digest.add(stamp::tokens_of(&text).as_bytes());
        }
        false => digest.add(&bytes),
    }
    Some(digest.text())
}

/// Whether a file is a Java source, by its name.
pub fn is_java(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "java")
}

/// Tokens of a Java source, for comparisons that formatting does not matter to.
pub fn tokens_of(source: &str) -> String {
    stamp::tokens_of(source)
}

/// Removes a file.
///
/// # Errors
/// It cannot be removed.
pub fn remove_file(path: &Path) -> anyhow::Result<()> {
    fs::remove_file(path).with_context(|| format!("failed to remove {}", path.display()))?;
    note_removed(path);
    Ok(())
}

/// Writes a file atomically, replacing an existing one.
///
/// # Errors
/// The file cannot be written.
pub fn replace_file(path: &Path, contents: &[u8]) -> anyhow::Result<()> {
    replace_quietly(path, contents)?;
    note_written(path);
    Ok(())
}

/// Does the same as [`replace_file`] with a file that is no result.
///
/// # Errors
/// The file cannot be written.
pub fn replace_quietly(path: &Path, contents: &[u8]) -> anyhow::Result<()> {
    let mut file = temporary(path)?;
    file.write_all(contents).with_context(|| failed(path))?;
    file.persist(path)
        .map_err(|error| error.error)
        .with_context(|| failed(path))?;
    Ok(())
}

/// Files that this run has written.
static WRITTEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Notes that a file is a result of this run.
pub fn note_written(path: &Path) {
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    written.insert(path.to_owned());
}

/// Notes that a file is none of those that this run has written.
pub fn note_removed(path: &Path) {
    let mut written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    written.remove(path);
}

/// Files that this run has written, by their names, as several classes are written at once; sources
/// come first.
pub fn written_files() -> Vec<PathBuf> {
    let written = WRITTEN.lock().unwrap_or_else(PoisonError::into_inner);
    let is_source = |path: &PathBuf| is_java(path);
    let (sources, others): (Vec<_>, Vec<_>) = written.iter().cloned().partition(is_source);
    [sources, others].concat()
}

/// Formats a number with separators of thousands: `2,606,968`.
pub fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a count of things: `1 path`, `2,606 paths`.
pub fn counted(count: impl Into<Count>, noun: &str) -> String {
    let count = count.into();
    let plural = if count == Count::ONE { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// Converts a count to a JSON number with all its digits.
pub fn json_number(count: &Count) -> serde_json::Value {
    serde_json::from_str(&count.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_thousands() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(2_606_968), "2,606,968");
    }

    #[test]
    fn removes_what_killed_processes_left() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(format!("{PREFIX}{}-x1", u32::MAX));
        let running = folder.path().join(format!("{PREFIX}1-x1"));
        let other = folder.path().join(".heapwright-notes");
        for file in [&left, &running, &other] {
            fs::write(file, "").unwrap();
        }
        replace_file(&folder.path().join("a"), b"a").unwrap();
        assert_eq!(
            [&left, &running, &other].map(|file| file.exists()),
            [false, true, true]
        );
    }

    #[test]
    fn keeps_what_was_written_by_hand() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep").join("A.java");
        write_file(&path, b"// Generated by Heapwright\nclass A {}\n").unwrap();
        write_file(&path, b"// Generated by Heapwright\nclass A { }\n").unwrap();
        let imports = "import a.A;\n".repeat(1_000);
        let long = format!("{imports}// Generated by Heapwright\nclass A {{ }}\n");
        write_file(&path, long.as_bytes()).unwrap();
        write_file(&path, long.as_bytes()).unwrap();
        let written = fs::read_to_string(&path).unwrap();
        // Converted line ends are no edit.
        fs::write(&path, written.replace('\n', "\r\n")).unwrap();
        write_file(&path, b"// Generated by Heapwright\nclass A {}\n").unwrap();
        let edited = fs::read_to_string(&path)
            .unwrap()
            .replace("{}", "{ int b; }");
        fs::write(&path, &edited).unwrap();
        let error = write_file(&path, b"// Generated by Heapwright\n").unwrap_err();
        assert!(error.to_string().contains("was edited"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), edited);
        fs::write(&path, "class A {}\n").unwrap();
        let error = write_file(&path, b"// Heapwright").unwrap_err();
        assert!(error.to_string().contains("was not generated"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "class A {}\n");
    }
}
