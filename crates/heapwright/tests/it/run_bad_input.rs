//! `heapwright run` on bad input: one message that names it, and the documented exit status.

use std::fs;
use std::path::{Path, PathBuf};

use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk;

use crate::common::program;

/// Documented exit status.
const REQUEST_WRONG: i32 = 2;

const SAMPLE: &str = "
public class Sample {
    static Object kept;
    public static void main(String[] a) throws Exception {
        System.out.println(\"begins\");
        switch (a.length == 0 ? \"\" : a[0]) {
            case \"big\": kept = new long[Integer.MAX_VALUE]; break;
            case \"many\": for (;;) kept = new Object[] {kept, new long[1000]};
            case \"throws\": throw new IllegalStateException(\"thrown\");
            case \"exits\": System.exit(7); break;
            case \"needs\": new Broken(); break;
            case \"wrong\": new Other(); break;
            case \"process\": new ProcessBuilder(\"ls\").start(); break;
            case \"library\": System.loadLibrary(\"none\"); break;
            case \"deadlock\":
                Object first = new Object();
                Thread other = new Thread(() -> {
                    synchronized (Sample.class) {
                        Thread.yield();
                        synchronized (first) { System.out.println(\"never\"); }
                    }
                }, \"other\");
                Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println(\"never\")));
                synchronized (first) {
                    other.start();
                    Thread.yield();
                    synchronized (Sample.class) { System.out.println(\"never\"); }
                }
                break;
            case \"waiting\": synchronized (a) { a.wait(); } break;
            case \"given\":
                System.out.println(java.util.TimeZone.getDefault().getID() + ' ' + java.util.Locale.getDefault());
                System.out.println(System.getProperty(\"own\") + ' ' + System.getProperty(\"none\"));
                System.out.println(new String(new java.io.FileInputStream(\"in/data\").readAllBytes()));
                new java.io.FileOutputStream(\"in/data\").write(7);
                System.out.println(new java.io.File(\"/in/data\").length() + \" \" + new java.io.File(\"more\").mkdir());
                System.out.println(java.util.Arrays.toString(new java.io.File(\"/\").list()));
                break;
        }
    }
}
class Broken { }
class Other { }
class NoMain { }
";

/// Result of a run of the program.
struct Ended {
    status: Option<i32>,
    out: String,
    err: String,
}

impl Ended {
    /// Checks that the run was refused: no output but one message with all of `parts`.
    fn refused(&self, parts: &[&str]) {
        assert_eq!(self.status, Some(REQUEST_WRONG), "{}", self.err);
        assert_eq!(self.out, "");
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        self.says(parts);
    }

    fn says(&self, parts: &[&str]) {
        for part in parts {
            assert!(self.err.contains(part), "{part:?} is not in {:?}", self.err);
        }
        assert!(self.err.starts_with("heapwright: "), "{}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        assert!(
            !self.err.contains(":-1"),
            "the engine's own code shows in {}",
            self.err
        );
    }
}

struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Bench {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Sample.java"), SAMPLE).unwrap();
        let fixture = Fixture::new(&["--release", "17"]).text("Sample", SAMPLE);
        fixture.copied_to(&folder.path().join("classes"));
        Bench { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn class(&self, name: &str) -> PathBuf {
        self.path("classes").join(format!("{name}.class"))
    }

    fn run_with(&self, jdk: &Path, class_path: &Path, arguments: &[&str]) -> Ended {
        let output = program()
            .arg("run")
            .arg("--jdk")
            .arg(jdk)
            .arg("-p")
            .arg(class_path)
            .args(arguments)
            .current_dir(self.folder.path())
            .output()
            .unwrap();
        Ended {
            status: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    fn run_on(&self, class_path: &Path, arguments: &[&str]) -> Ended {
        self.run_with(&jdk::jdks()[0].home, class_path, arguments)
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        self.run_on(&self.path("classes"), arguments)
    }
}

#[test]
fn the_status_of_the_program_is_passed_on() {
    let bench = Bench::new();
    for (argument, status) in [("", 0), ("exits", 7), ("throws", 1)] {
        let ended = bench.run(&["Sample", argument]);
        assert_eq!(
            (ended.status, ended.out.as_str()),
            (Some(status), "begins\n"),
            "{}",
            ended.err
        );
        assert_eq!(
            ended.err.contains("IllegalStateException: thrown"),
            status == 1
        );
    }
}

#[test]
fn classes_that_cannot_be_started() {
    let bench = Bench::new();
    bench
        .run(&["Sampel"])
        .refused(&["class Sampel not found", "did you mean Sample?"]);
    bench
        .run(&["a.b.Sample"])
        .refused(&["class a.b.Sample not found", "Sample"]);
    bench
        .run(&["NoMain"])
        .refused(&["NoMain", "main(String[])"]);
    bench
        .run(&["classes"])
        .refused(&["class classes not found"]);
    bench.run(&[""]).refused(&["not found"]);

    let bytes = fs::read(bench.class("Broken")).unwrap();
    fs::write(bench.class("Broken"), &bytes[..bytes.len() / 2]).unwrap();
    bench.run(&["Broken"]).refused(&["Broken.class"]);
    fs::copy(bench.class("NoMain"), bench.class("Other")).unwrap();
    bench
        .run(&["Other"])
        .refused(&["Other.class", "defines NoMain"]);
    fs::create_dir(bench.class("Folder")).unwrap();
    bench.run(&["Folder"]).refused(&["Folder.class"]);
    let mut newer = bytes;
    newer[6..8].copy_from_slice(&70u16.to_be_bytes());
    fs::write(bench.class("Broken"), &newer).unwrap();
    bench
        .run(&["Broken"])
        .refused(&["class Broken cannot be used: it is compiled for Java 26, and the JDK in "]);
    // None of the broken parts is needed here.
    assert_eq!(bench.run(&["Sample"]).status, Some(0));
}

/// A class that is compiled for a later release than the JDK's is refused by name where a run begins
/// with it, is the error that `java` makes of it on the way, and is nothing where it is not needed.
#[test]
fn classes_for_a_later_release() {
    let bench = Bench::new();
    for jdk in jdk::jdks() {
        let next = (jdk.feature + 45) as u16;
        let mut bytes = fs::read(bench.class("Broken")).unwrap();
        bytes[6..8].copy_from_slice(&next.to_be_bytes());
        fs::write(bench.class("Broken"), &bytes).unwrap();
        let run = |arguments: &[&str]| bench.run_with(&jdk.home, &bench.path("classes"), arguments);
        let home = jdk.home.display();
        let reason = format!(
            "class Broken cannot be used: it is compiled for Java {}, and the JDK in {home} is {}",
            jdk.feature + 1,
            jdk.feature
        );
        run(&["Broken"]).refused(&[&reason]);
        let needing = run(&["Sample", "needs"]);
        let mut java = jdk.java();
        java.arg("-cp").arg(bench.path("classes"));
        let by_java = java.args(["Sample", "needs"]).output().unwrap();
        assert_eq!(needing.status, by_java.status.code());
        assert_eq!(needing.out.as_bytes(), by_java.stdout);
        let first = needing.err.lines().next().unwrap();
        let said = String::from_utf8(by_java.stderr).unwrap();
        assert!(
            first.contains("UnsupportedClassVersionError: Broken "),
            "{first}"
        );
        assert_eq!(Some(first), said.lines().next());
        assert_eq!(run(&["Sample"]).status, Some(0));
    }
}

#[test]
fn classes_that_turn_out_broken_on_the_way() {
    let bench = Bench::new();
    fs::write(bench.class("Broken"), "no class").unwrap();
    fs::copy(bench.class("NoMain"), bench.class("Other")).unwrap();
    for (argument, parts) in [
        (
            "needs",
            ["Broken.class", "at Sample.main(java.lang.String[]):11"],
        ),
        ("wrong", ["Other.class", "defines NoMain"]),
        ("process", ["processes are not started", "at Sample.main"]),
        ("library", ["none", "at Sample.main"]),
    ] {
        let ended = bench.run(&["Sample", argument]);
        assert_eq!(
            (ended.status, ended.out.as_str()),
            (Some(REQUEST_WRONG), "begins\n")
        );
        ended.says(&parts);
    }
}

#[test]
fn deadlocks_end_the_run_by_name() {
    let bench = Bench::new();
    for (argument, said) in [
        (
            "deadlock",
            "stopped: deadlock: main enters a monitor of java.lang.Class, held by other; \
             other enters a monitor of java.lang.Object, held by main\n",
        ),
        (
            "waiting",
            "stopped: deadlock: main waits to be notified by a monitor of [Ljava.lang.String;\n",
        ),
    ] {
        let ended = bench.run(&["Sample", argument]);
        assert_eq!((ended.status, &ended.out[..]), (Some(3), "begins\n"));
        assert!(ended.err.contains(said), "{}", ended.err);
        assert!(ended.err.contains("    at Sample."), "{}", ended.err);
    }
}

#[test]
fn files_and_properties_are_given() {
    let bench = Bench::new();
    let files = bench.path("files");
    fs::create_dir_all(files.join("in")).unwrap();
    fs::write(files.join("in/data"), "content").unwrap();
    std::os::unix::fs::symlink("/etc", files.join("out")).unwrap();
    let given = files.to_str().unwrap();
    let ended = bench.run(&["--files", given, "Sample", "given"]);
    assert_eq!(ended.status, Some(0), "{}", ended.err);
    let root = |out: &str| out.lines().last().unwrap_or_default().to_owned();
    assert!(
        ended
            .out
            .contains("UTC en_US\nnull null\ncontent\n1 true\n"),
        "{}",
        ended.out
    );
    // The link leads out of the folder.
    assert!(!root(&ended.out).contains("out"), "{}", ended.out);
    assert!(root(&ended.out).contains("in, more, tmp"), "{}", ended.out);
    // The disk is as it was.
    assert_eq!(fs::read(files.join("in/data")).unwrap(), b"content");
    assert!(!files.join("more").exists());
    let ended = bench.run(&[
        "-Duser.timezone=Europe/Berlin",
        "-Duser.language=de",
        "-Duser.country=AT",
        "-Down",
        "--files",
        given,
        "Sample",
        "given",
    ]);
    assert!(
        ended.out.contains("Europe/Berlin de_AT\n null\n"),
        "{}",
        ended.out
    );
    bench
        .run(&["--files", "none/such", "Sample", "given"])
        .refused(&["none/such", "No such file"]);
    let ended = bench.run(&["-Djava.home=x", "Sample"]);
    assert_eq!(ended.status, Some(REQUEST_WRONG), "{}", ended.err);
}

#[test]
fn class_paths_that_cannot_be_used() {
    let bench = Bench::new();
    bench
        .run_on(&bench.path("missing"), &["Sample"])
        .refused(&["missing", "does not exist"]);
    bench
        .run_on(&bench.path("Sample.java"), &["Sample"])
        .refused(&["Sample.java", "jar"]);
    let empty = bench.path("empty.jar");
    fs::write(&empty, "").unwrap();
    bench.run_on(&empty, &["Sample"]).refused(&["empty.jar"]);
    fs::create_dir(bench.path("nothing")).unwrap();
    bench
        .run_on(&bench.path("nothing"), &["Sample"])
        .refused(&["class Sample not found"]);
}

#[test]
fn folders_that_are_no_jdk() {
    let bench = Bench::new();
    let home = bench.path("jdk");
    let run = || bench.run_with(&home, &bench.path("classes"), &["Sample"]);
    run().refused(&["jdk", "is not a JDK"]);
    fs::create_dir_all(home.join("lib")).unwrap();
    fs::write(home.join("lib").join("modules"), "none").unwrap();
    fs::write(home.join("release"), "JAVA_VERSION=\"11.0.2\"\n").unwrap();
    run().refused(&["jdk", "version 11.0.2", "17, 21 and 25"]);
    fs::write(home.join("release"), "JAVA_VERSION=\"21.0.2\"\n").unwrap();
    run().refused(&["modules"]);
}

#[test]
fn the_limit_of_memory() {
    let bench = Bench::new();
    for (argument, message) in [
        ("big", "Requested array size exceeds VM limit"),
        ("many", "Java heap space"),
    ] {
        let ended = bench.run(&["--max-memory", "16m", "Sample", argument]);
        // The exit status is that of `java`.
        assert_eq!(
            (ended.status, ended.out.as_str()),
            (Some(1), "begins\n"),
            "{}",
            ended.err
        );
        for part in [message, "java.lang.OutOfMemoryError", "at Sample.main"] {
            assert!(ended.err.contains(part), "{}", ended.err);
        }
    }
    for size in ["0", "x", "12q", "-1", "99999999999999999999g", "1k", ""] {
        let ended = bench.run(&[&format!("--max-memory={size}"), "Sample"]);
        assert_eq!(
            (ended.status, ended.out.as_str()),
            (Some(REQUEST_WRONG), ""),
            "{size}"
        );
        assert!(ended.err.contains("--max-memory"), "{size}: {}", ended.err);
    }
}
