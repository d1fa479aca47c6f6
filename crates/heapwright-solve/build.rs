//! Fetches Z3's library from PyPI's wheel `z3-solver`, once for each target folder, and passes its
//! path in that folder in `HEAPWRIGHT_FETCHED_Z3`. Without Python or a network the build continues;
//! the program then looks for a library of the system.

use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

const VERSION: &str = "5.4.0.0";

/// SHA-256 of the wheels of this version: Linux on x86-64 and AArch64, macOS on both, Windows.
const WHEELS: [&str; 5] = [
    "0549ffad554178a59480ba41b5279cfbb27053ed5a2da269ae1a48214d5db34b",
    "fffb36861d4da1f9584d0fd4a80dbf247fdfbebb04b5c31a90b460b14c86cab0",
    "407522390c4d11696b10d43c76d22d4e60b7f11d75d9defe6f064e073edd904f",
    "a1b36f0dd038c030d88711474c93b95e863c30a22e9def53ad5965c6092c92a7",
    "a8e3e153ae2bc69d128c59406ffda37d4ce1277963040da148605fd77a4ae789",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    match library() {
        Ok((folder, file)) => {
            println!("cargo::rerun-if-changed={}", folder.join(&file).display());
            println!("cargo::rustc-env=HEAPWRIGHT_FETCHED_Z3={}", file.display());
        }
        Err(error) => println!(
            "cargo::warning=failed to fetch Z3 through pip ({error}): what needs a solver will \
             look for Z3 on the system; `cargo clean -p heapwright-solve` makes the next build \
             try again"
        ),
    }
}

/// Returns the target folder and the library's path in it, fetching it if necessary. Concurrent
/// builds wait for each other.
fn library() -> Result<(PathBuf, PathBuf), Box<dyn Error>> {
    let target = target_folder()?;
    let file = Path::new(&format!("z3-{VERSION}")).join(library_name()?);
    let library = target.join(&file);
    let folder = library.parent().ok_or("no folder for the library")?;
    fs::create_dir_all(folder)?;
    let lock = File::create(folder.join("lock"))?;
    lock.lock()?;
    if !library.exists() {
        fetch(folder, &library)?;
    }
    Ok((target, file))
}

fn fetch(folder: &Path, library: &Path) -> Result<(), Box<dyn Error>> {
    let download = folder.join("download");
    if download.exists() {
        fs::remove_dir_all(&download)?;
    }
    fs::create_dir_all(&download)?;
    let hashes = WHEELS.map(|hash| format!(" --hash=sha256:{hash}")).concat();
    let requirements = download.join("requirements.txt");
    fs::write(&requirements, format!("z3-solver=={VERSION}{hashes}\n"))?;
    pip_download(&requirements, &download)?;
    let wheel = fs::read_dir(&download)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|name| name == "whl"))
        .ok_or("no wheel for this machine")?;
    let mut archive = zip::ZipArchive::new(File::open(wheel)?)?;
    let mut packed = archive.by_name(&format!("z3/lib/{}", library_name()?))?;
    let unpacked = download.join("library");
    let mut file = File::create(&unpacked)?;
    io::copy(&mut packed, &mut file)?;
    // Cargo reruns a build script if a file that it names is newer than the script's start;
    // everything above this crate would then be compiled a second time.
    file.set_modified(SystemTime::UNIX_EPOCH)?;
    fs::rename(&unpacked, library)?;
    fs::remove_dir_all(&download)?;
    Ok(())
}

fn pip_download(requirements: &Path, folder: &Path) -> Result<(), String> {
    let mut failure = "no Python".to_owned();
    for python in ["python3", "python"] {
        let output = Command::new(python)
            .args(["-m", "pip", "download", "--quiet", "--no-deps"])
            .args(["--disable-pip-version-check", "--only-binary=:all:"])
            .args(["--timeout", "15", "--retries", "1", "--require-hashes"])
            .arg("--requirement")
            .arg(requirements)
            .arg("--dest")
            .arg(folder)
            .output();
        match output {
            Ok(output) if output.status.success() => return Ok(()),
            Ok(output) => {
                let text = String::from_utf8_lossy(&output.stderr);
                let last = text.lines().rfind(|line| !line.trim().is_empty());
                failure = last.unwrap_or("pip fails").to_owned();
            }
            Err(_) => {}
        }
    }
    Err(failure)
}

/// Returns the folder with `debug` and `release`, derived from the script's output folder
/// `target/debug/build/heapwright-solve-…/out`.
fn target_folder() -> Result<PathBuf, Box<dyn Error>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let target = out.ancestors().nth(4).ok_or("OUT_DIR has no parents")?;
    Ok(target.to_owned())
}

/// Name of the library in the wheel.
fn library_name() -> Result<&'static str, env::VarError> {
    Ok(match env::var("CARGO_CFG_TARGET_OS")?.as_str() {
        "windows" => "libz3.dll",
        "macos" => "libz3.dylib",
        _ => "libz3.so",
    })
}
