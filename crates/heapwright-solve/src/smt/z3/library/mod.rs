//! Discovery and loading of Z3's library at run time, with its functions by name.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

mod context;
mod functions;
mod memory;
mod stopper;

use crate::smt::SolverError;

use functions::Functions;

pub(in crate::smt) use context::{Context, Model, Solver};
pub use memory::limit_memory;
pub use stopper::Stopper;

/// Oldest accepted version; earlier ones handle floating point poorly.
const OLDEST: (u32, u32) = (4, 13);

/// Library, loaded until the program ends.
#[derive(Clone, Copy, Debug)]
pub(in crate::smt) struct Library {
    version: (u32, u32, u32),
    functions: Functions,
}

/// Library of the process, which is looked for once.
static FOUND: OnceLock<Result<(Library, PathBuf), SolverError>> = OnceLock::new();

/// Version of a library of Z3, and the file that it was loaded from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundLibrary {
    /// Version: major, minor and build.
    pub version: (u32, u32, u32),
    /// File, or a name of which the system knows the folder.
    pub file: PathBuf,
}

impl fmt::Display for FoundLibrary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor, _) = self.version;
        write!(formatter, "{major}.{minor} in {}", self.file.display())
    }
}

impl Library {
    /// Loads the library from `file`.
    pub(in crate::smt) fn load(file: &Path) -> Result<Library, SolverError> {
        open(file).map_err(|reason| SolverError::NamedLibrary {
            file: file.to_owned(),
            reason,
        })
    }

    /// Library of the process; none if there is none.
    pub(in crate::smt) fn of_process() -> Result<Option<Library>, SolverError> {
        match FOUND.get_or_init(find) {
            Ok((library, _)) => Ok(Some(*library)),
            Err(SolverError::NoLibrary { .. }) => Ok(None),
            Err(error) => Err(error.clone()),
        }
    }
}

/// Finds Z3 and loads it, once for each process.
///
/// # Errors
/// There is none, or the one that `HEAPWRIGHT_Z3` names cannot be used.
pub fn find_library() -> Result<FoundLibrary, SolverError> {
    match FOUND.get_or_init(find) {
        Ok((library, file)) => Ok(FoundLibrary {
            version: library.version,
            file: file.clone(),
        }),
        Err(error) => Err(error.clone()),
    }
}

/// Loads the library in `HEAPWRIGHT_Z3`. Otherwise it is sought near the program and in the system.
fn find() -> Result<(Library, PathBuf), SolverError> {
    if let Some(file) = env::var_os("HEAPWRIGHT_Z3").map(PathBuf::from) {
        return Library::load(&file).map(|library| (library, file));
    }
    let mut looked = Vec::new();
    for file in candidates() {
        match open(&file) {
            Ok(library) => return Ok((library, file)),
            Err(reason) => looked.push(format!("{} ({reason})", file.display())),
        }
    }
    Err(SolverError::NoLibrary {
        looked: looked.join(", "),
    })
}

/// File names of the library: its own, and that under which a system may have it.
const NAMES: &[&str] = if cfg!(windows) {
    &["libz3.dll"]
} else if cfg!(target_os = "macos") {
    &["libz3.dylib"]
} else {
    &["libz3.so", "libz3.so.4"]
};

/// Returns candidate files that exist, then the system's names of the library.
fn candidates() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let program = env::current_exe().and_then(|program| program.canonicalize());
    if let Some(folder) = program.as_deref().ok().and_then(Path::parent) {
        let lib = folder.join("..").join("lib");
        let folders = [folder.to_owned(), lib.join("heapwright"), lib];
        files.extend(folders.map(|folder| folder.join(NAMES[0])));
        // Programs of a build are up to two folders below its target folder.
        if let Some(fetched) = option_env!("HEAPWRIGHT_FETCHED_Z3") {
            let near = folder.ancestors().take(3);
            files.extend(near.map(|folder| folder.join(fetched)));
        }
    }
    files.retain(|file| file.exists());
    files.extend(NAMES.iter().map(PathBuf::from));
    files
}

fn open(file: &Path) -> Result<Library, String> {
    // SAFETY: a library's initialisers run as it is loaded. Z3's do nothing but set up its own
    // memory; whoever names another library has chosen to run it.
    let library = unsafe { libloading::Library::new(file) }.map_err(|error| reason(&error))?;
    // Never unloaded: its functions stay valid, and threads may still hold its thread-locals.
    let library: &'static libloading::Library = Box::leak(Box::new(library));
    let version = version(library).map_err(|_| "not Z3's library".to_owned())?;
    if (version.0, version.1) < OLDEST {
        return Err(format!("Z3 {}.{} is too old", version.0, version.1));
    }
    let functions = Functions::of(library).map_err(|error| reason(&error))?;
    memory::impose(functions);
    Ok(Library { functions, version })
}

/// Text of an error, preferably the system's.
fn reason(error: &libloading::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => source.to_string(),
        None => error.to_string(),
    }
}

fn version(library: &libloading::Library) -> Result<(u32, u32, u32), libloading::Error> {
    type GetVersion = unsafe extern "C" fn(*mut u32, *mut u32, *mut u32, *mut u32);
    let mut parts = [0; 4];
    let [major, minor, build, revision] = &mut parts;
    // SAFETY: the function's declaration is that of Z3's header; it writes four numbers.
    unsafe {
        let get_version = library.get::<GetVersion>(b"Z3_get_version\0")?;
        get_version(major, minor, build, revision);
    }
    Ok((parts[0], parts[1], parts[2]))
}
