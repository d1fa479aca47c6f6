//! Jars as `java` reads them: versioned members, and the manifest's class path.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use heapwright_jvm::{Config, Exit, Jdk, Vm};
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk;

/// Releases with a `Which` of their own beside the general one.
const RELEASES: [u32; 5] = [8, 9, 17, 25, 99];

const SOURCES: &str = "
    public class Main { public static void main(String[] args) {
        System.out.println(Which.text() + \" \" + new Beside() + \" \" + Only.text()); } }
    class Which { static String text() { return \"for all\"; } }
    class Beside { public String toString() { return \"beside\"; } }
    class Only { static String text() { return \"only\"; } }";

/// Class file of `Which` with another text of the same length.
fn for_release(which: &[u8], release: u32) -> Vec<u8> {
    let text = format!("for {release:3}");
    let at = which
        .windows(7)
        .position(|part| part == b"for all")
        .unwrap();
    let mut bytes = which.to_vec();
    bytes[at..at + 7].copy_from_slice(text.as_bytes());
    bytes
}

fn write_jar(path: &Path, members: &[(String, Vec<u8>)]) {
    let mut writer = zip::ZipWriter::new(File::create(path).unwrap());
    for (name, content) in members {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(name, options).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap();
}

/// Writes jars `main.jar`, `lib/beside.jar` and `far.jar` in a folder of classes; the first one's
/// manifest has an additional line.
fn write_jars(folder: &Path, line: &str) {
    let class = |name: &str| {
        let bytes = fs::read(folder.join(format!("{name}.class"))).unwrap();
        (format!("{name}.class"), bytes)
    };
    let manifest = |text: &str| ("META-INF/MANIFEST.MF".to_owned(), text.as_bytes().to_vec());
    // The class path continues in the next line, which begins with a space.
    let of_main = format!(
        "Manifest-Version: 1.0\r\nClass-Path: lib/besi\r\n de.jar missing.jar\r\n{line}\r\n"
    );
    let of_beside = "Manifest-Version: 1.0\nClass-Path: ../far.jar ../main.jar\n";
    let mut main = vec![manifest(&of_main), class("Main"), class("Which")];
    for release in RELEASES {
        let name = format!("META-INF/versions/{release}/Which.class");
        main.push((name, for_release(&class("Which").1, release)));
    }
    write_jar(&folder.join("main.jar"), &main);
    fs::create_dir_all(folder.join("lib")).unwrap();
    let beside = folder.join("lib").join("beside.jar");
    write_jar(&beside, &[manifest(of_beside), class("Beside")]);
    write_jar(&folder.join("far.jar"), &[class("Only")]);
}

#[test]
fn jars_are_read_as_java_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = Fixture::new(&["--release", "17"]).text("Main", SOURCES);
    fixture.copied_to(folder.path());
    for line in ["", "Multi-Release: TRUE\r\n", "Multi-Release: true \r\n"] {
        write_jars(folder.path(), line);
        let jar = folder.path().join("main.jar");
        for jdk in jdk::all_jdks() {
            let expected = jdk
                .java()
                .arg("-cp")
                .arg(&jar)
                .arg("Main")
                .output()
                .unwrap();
            let config = Config::new(Jdk::at(&jdk.home).unwrap(), vec![jar.clone()]);
            let mut vm = Vm::new(config).unwrap();
            assert_eq!(vm.run_main("Main", &[]), Ok(Exit::Done(0)));
            let printed = &vm.take_output()[0].bytes;
            assert_eq!(
                String::from_utf8_lossy(printed),
                String::from_utf8_lossy(&expected.stdout),
                "{line:?} on JDK {}",
                jdk.feature
            );
        }
    }
}

/// Class paths with the same contents share what is known of subtypes, others do not.
#[test]
fn subtypes_are_those_of_the_files_that_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let compiled = |source: &str| {
        let fixture = Fixture::new(&["--release", "17"]).text("Above", source);
        fixture.copied_to(folder.path());
    };
    let config = Config::new(
        Jdk::at(&jdk::all_jdks()[0].home).unwrap(),
        vec![folder.path().to_owned()],
    );
    let below = || {
        let vm = Vm::new(config.clone()).unwrap();
        vm.class_path().subtypes("Above")
    };
    compiled("public class Above { } class Below extends Above { }");
    assert_eq!(below(), ["Below"]);
    assert_eq!(below(), ["Below"]);
    compiled("public class Above { } class Below extends Above { } class More extends Below { }");
    assert_eq!(below(), ["Below", "More"]);
    fs::remove_file(folder.path().join("Below.class")).unwrap();
    assert_eq!(below(), [""; 0]);
}
