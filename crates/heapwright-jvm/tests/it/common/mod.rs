//! Set-up of the engine's tests: Java sources compiled once, and machines to run them on.

pub mod hostile;

use std::path::{Path, PathBuf};

use heapwright_jvm::{Config, Jdk, MethodId, Vm};
use heapwright_testkit::jdk;

/// Java objects of a test take no more than this.
pub const HEAP_BYTES: u64 = 64 << 20;

/// The JDKs there are.
pub fn jdks() -> Vec<Jdk> {
    jdk::jdks()
        .iter()
        .map(|found| Jdk::at(&found.home).unwrap())
        .collect()
}

/// Compiles sources of `tests/java` for every JDK served into a folder of their own.
pub fn compile(sources: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let java = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join("java");
    let paths: Vec<PathBuf> = sources.iter().map(|source| java.join(source)).collect();
    compile_files(&paths, folder.path());
    folder
}

/// Compiles sources into `folder`.
pub fn compile_files(sources: &[PathBuf], folder: &Path) {
    let output = jdk::compilers()[0]
        .javac()
        .args([
            "--release",
            "17",
            "-nowarn",
            "-proc:none",
            "-encoding",
            "UTF-8",
            "-d",
        ])
        .arg(folder)
        .args(sources)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "javac: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A machine with a small heap and stack on a class path of one folder.
pub fn machine(jdk: &Jdk, classes: &Path, set: impl FnOnce(&mut Config)) -> Vm {
    let mut config = Config::new(jdk.clone(), vec![classes.to_owned()]);
    config.max_heap_bytes = HEAP_BYTES;
    config.max_frames = 400;
    set(&mut config);
    Vm::new(config).unwrap()
}

/// The first method of a class with this name.
pub fn method(vm: &mut Vm, class: &str, name: &str) -> MethodId {
    let class = vm.load_class(class).unwrap();
    let found = vm
        .class(class)
        .methods
        .iter()
        .copied()
        .find(|&method| vm.text(vm.method(method).name) == name);
    found.unwrap_or_else(|| panic!("no method {name}"))
}
