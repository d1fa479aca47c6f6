//! Writes what the fuzz targets begin with to `corpus/`: class files of the tests' programs, and
//! jars of them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use heapwright_testkit::fixtures::{compile, files, project};
use heapwright_testkit::jdk::compilers;

/// The name that the targets look for in class files.
const NAME: &str = "M0000";

fn main() -> std::io::Result<()> {
    let crates = project().join("crates");
    let program = crates.join("heapwright-jvm/tests/java/M0000.java");
    let under_test = crates.join("heapwright-techniques/tests/java/M0000.java");
    add("class_file", "M0000", &compiled(&program)?)?;
    add("invariant_class", "M0000", &compiled(&under_test)?)?;
    for (number, source) in conformance_programs().iter().enumerate() {
        let class = compiled(source)?;
        add("class_file", &number.to_string(), &class)?;
        if number % 8 == 0 {
            for method in [
                zip::CompressionMethod::Stored,
                zip::CompressionMethod::Deflated,
            ] {
                add("jar", &format!("{number}-{method}"), &jar(&class, method)?)?;
            }
        }
    }
    Ok(())
}

/// The first program of each topic.
fn conformance_programs() -> Vec<PathBuf> {
    let mut programs = files(&project().join("conformance"), "java");
    programs.retain(|program| program.ends_with("Main.java"));
    programs.dedup_by_key(|program| program.ancestors().nth(2).map(Path::to_owned));
    programs
}

/// The main class of a program, renamed and without a package.
fn compiled(source: &Path) -> std::io::Result<Vec<u8>> {
    let folder = tempfile::tempdir()?;
    let renamed = folder.path().join(format!("{NAME}.java"));
    let text = fs::read_to_string(source)?.replace("Main", NAME);
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("package "))
        .collect();
    fs::write(&renamed, lines.join("\n"))?;
    let jdk = compilers().pop().expect("a compiler");
    compile(
        &jdk,
        &[renamed],
        &[],
        folder.path(),
        &["-nowarn", "-proc:none"],
    );
    fs::read(folder.path().join(format!("{NAME}.class")))
}

fn jar(class: &[u8], method: zip::CompressionMethod) -> std::io::Result<Vec<u8>> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default().compression_method(method);
    for member in ["M0000.class", "a/b/Other.class", "META-INF/MANIFEST.MF"] {
        writer.start_file(member, options)?;
        writer.write_all(class)?;
    }
    Ok(writer.finish()?.into_inner())
}

fn add(target: &str, name: &str, bytes: &[u8]) -> std::io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(target);
    fs::create_dir_all(&folder)?;
    fs::write(folder.join(name), bytes)
}
