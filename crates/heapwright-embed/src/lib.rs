//! Build-script support: compiles Java sources and lists the class files, to be embedded in a
//! program. Invariant: the list is sorted by class name, so that builds are reproducible.

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// Compiles the sources below the crate's folder `java` and writes `$OUT_DIR/NAME.rs`. It has a
/// table `CLASSES` with the binary name, with slashes, and the class file of every class.
/// Failures are reported as Cargo errors.
#[must_use]
pub fn embed(name: &str) -> ExitCode {
    embed_against(name, "java", None)
}

/// Does the same for a folder of sources that name classes which others provide at run time. Their
/// declarations stand in a folder of their own, and are not embedded.
#[must_use]
pub fn embed_against(name: &str, sources: &str, declarations: Option<&str>) -> ExitCode {
    for folder in [Some(sources), declarations].into_iter().flatten() {
        println!("cargo::rerun-if-changed={folder}");
    }
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    match build(name, Path::new(sources), declarations.map(Path::new)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            for line in message.lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}

fn build(table_name: &str, sources: &Path, declarations: Option<&Path>) -> Result<(), String> {
    let out_dir = PathBuf::from(variable("OUT_DIR")?);
    let classes = out_dir.join(table_name);
    compile(sources, declarations, &classes)?;

    let mut table = String::from(
        "/// Binary name with slashes, and class file, of every class; sorted by name.\n",
    );
    table.push_str("pub static CLASSES: &[(&str, &[u8])] = &[\n");
    for file in files_with_extension(&classes, "class")? {
        let relative = slashed(&file, &classes);
        let name = relative.trim_end_matches(".class");
        writeln!(
            table,
            "    ({name:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{table_name}/{relative}\"))),"
        )
        .map_err(|error| error.to_string())?;
    }
    table.push_str("];\n");
    let table_file = out_dir.join(format!("{table_name}.rs"));
    fs::write(&table_file, table).map_err(|error| failure("write", &table_file, &error))
}

/// Compiles into an empty folder, so that no class file of a removed source remains.
fn compile(sources: &Path, declarations: Option<&Path>, classes: &Path) -> Result<(), String> {
    if classes.exists() {
        fs::remove_dir_all(classes).map_err(|error| failure("clear", classes, &error))?;
    }
    fs::create_dir_all(classes).map_err(|error| failure("create", classes, &error))?;
    let javac = javac();
    let mut command = Command::new(&javac);
    if let Some(declarations) = declarations {
        command.arg("-implicit:none");
        command.arg("-sourcepath").arg(declarations);
    }
    let output = command
        .args(["--release", "17", "-encoding", "UTF-8", "-proc:none", "-g"])
        // String concatenation as plain calls, so that the engine need not link call sites in
        // these classes.
        .arg("-XDstringConcat=inline")
        .arg("-d")
        .arg(classes)
        .args(files_with_extension(sources, "java")?)
        .output()
        .map_err(|error| {
            format!(
                "failed to run the Java compiler {}: {error}\n\
                 heapwright compiles a few Java sources of its own: install a JDK 17 or newer, and set JAVA_HOME to \
                 its folder or put javac on the PATH",
                javac.display()
            )
        })?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!(
            "failed to compile {} with {} ({}); a JDK 17 or newer is needed\n{}",
            sources.display(),
            javac.display(),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        ))
    }
}

fn javac() -> PathBuf {
    match env::var_os("JAVA_HOME").filter(|home| !home.is_empty()) {
        Some(home) => Path::new(&home)
            .join("bin")
            .join(format!("javac{}", env::consts::EXE_SUFFIX)),
        None => PathBuf::from("javac"),
    }
}

/// All files with an extension below a folder, sorted by path.
fn files_with_extension(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let unreadable = |error: io::Error| failure("read", &folder, &error);
        for entry in fs::read_dir(&folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn slashed(file: &Path, folder: &Path) -> String {
    let relative = file.strip_prefix(folder).unwrap_or(file);
    let parts: Vec<_> = relative
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

fn variable(name: &str) -> Result<OsString, String> {
    env::var_os(name).ok_or_else(|| format!("failed to read the variable {name}: cargo sets it"))
}

fn failure(action: &str, path: &Path, error: &io::Error) -> String {
    format!("failed to {action} {}: {error}", path.display())
}
