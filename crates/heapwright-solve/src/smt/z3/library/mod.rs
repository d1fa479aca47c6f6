//! Discovery and loading of Z3's library at run time, with its functions by name.

use std::env;
use std::path::{Path, PathBuf};

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
    functions: Functions,
}

impl Library {
    /// Loads the library from `file` or the path in `HEAPWRIGHT_Z3`. Otherwise it is sought beside
    /// the program, in the build's location, and in the system's.
    pub(in crate::smt) fn load(file: Option<&Path>) -> Result<Library, SolverError> {
        let named = env::var_os("HEAPWRIGHT_Z3").map(PathBuf::from);
        if let Some(file) = file.map(Path::to_owned).or(named) {
            return open(&file).map_err(|reason| SolverError::NamedLibrary { file, reason });
        }
        let mut looked = Vec::new();
        for file in candidates() {
            match open(&file) {
                Ok(library) => return Ok(library),
                Err(reason) => looked.push(format!("{}: {reason}", file.display())),
            }
        }
        Err(SolverError::NoLibrary {
            looked: looked.join("\n  "),
        })
    }
}

/// Returns candidate files that exist, then the system's name of the library.
fn candidates() -> Vec<PathBuf> {
    let name = if cfg!(windows) {
        "libz3.dll"
    } else if cfg!(target_os = "macos") {
        "libz3.dylib"
    } else {
        "libz3.so"
    };
    let mut files = Vec::new();
    if let Ok(program) = env::current_exe()
        && let Some(folder) = program.parent()
    {
        files.push(folder.join(name));
        files.push(folder.join("..").join("lib").join(name));
    }
    files.extend(option_env!("HEAPWRIGHT_FETCHED_Z3").map(PathBuf::from));
    files.retain(|file| file.exists());
    files.push(PathBuf::from(name));
    files
}

fn open(file: &Path) -> Result<Library, String> {
    // SAFETY: a library's initialisers run as it is loaded. Z3's do nothing but set up its own
    // memory; whoever names another library has chosen to run it.
    let library = unsafe { libloading::Library::new(file) }.map_err(|error| reason(&error))?;
    // Never unloaded: its functions stay valid, and threads may still hold its thread-locals.
    let library: &'static libloading::Library = Box::leak(Box::new(library));
    let version = version(library).map_err(|_| "not Z3's library".to_owned())?;
    if version < OLDEST {
        return Err(format!("Z3 {}.{} is too old", version.0, version.1));
    }
    let functions = Functions::of(library).map_err(|error| reason(&error))?;
    memory::impose(functions);
    Ok(Library { functions })
}

/// Text of an error, preferably the system's.
fn reason(error: &libloading::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => source.to_string(),
        None => error.to_string(),
    }
}

fn version(library: &libloading::Library) -> Result<(u32, u32), libloading::Error> {
    type GetVersion = unsafe extern "C" fn(*mut u32, *mut u32, *mut u32, *mut u32);
    let mut parts = [0; 4];
    let [major, minor, build, revision] = &mut parts;
    // SAFETY: the function's declaration is that of Z3's header; it writes four numbers.
    unsafe {
        let get_version = library.get::<GetVersion>(b"Z3_get_version\0")?;
        get_version(major, minor, build, revision);
    }
    Ok((parts[0], parts[1]))
}
