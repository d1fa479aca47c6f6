//! Damaged, missing or hostile input: each yields an error that names it, none a crash.

use std::fs;
use std::io::Write as _;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use heapwright_jvm::classpath::{ClassPathError, MAX_CLASS_FILE_BYTES};
use heapwright_jvm::jdk::JdkError;
use heapwright_jvm::launch::LaunchError;
use heapwright_jvm::link::LoadError;
use heapwright_jvm::vm::BootError;
use heapwright_jvm::{Config, Exit, Jdk, Limit, Vm};
use heapwright_testkit::random::Random;

use crate::common;
use crate::common::hostile::{self, Hostile, STEPS, replace};

/// Bytes of `M0000.class`.
fn sample() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        fs::read(
            common::fixture(&["M0000.java"])
                .classes()
                .join("M0000.class"),
        )
        .unwrap()
    })
}

/// Compiles sources, given as name and text, into a folder.
fn compiled(sources: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut fixture = common::fixture(&[]);
    for (name, text) in sources {
        fixture = fixture.text(name, text);
    }
    fixture.copied_to(folder.path());
    folder
}

/// Returns one JDK; these tests do not depend on its version.
fn jdk() -> Jdk {
    common::jdks().swap_remove(0)
}

fn machine_on(paths: &[&Path]) -> Result<Vm, BootError> {
    let mut config = Config::new(jdk(), paths.iter().map(|path| path.to_path_buf()).collect());
    config.max_heap_bytes = common::HEAP_BYTES;
    config.max_frames = 400;
    let mut vm = Vm::new(config)?;
    vm.limit_steps(STEPS);
    Ok(vm)
}

/// Error of creating a machine.
fn refusal(paths: &[&Path]) -> BootError {
    match machine_on(paths) {
        Ok(_) => panic!("a machine on {paths:?}"),
        Err(error) => error,
    }
}

/// Message with which an existing class is refused; `None` if it loads.
fn load_message(vm: &mut Vm, class: &str) -> Option<String> {
    match vm.load_class(class) {
        Ok(_) => None,
        Err(LoadError::Invalid(message)) => Some(message),
        Err(error) => panic!("{class}: {error:?}"),
    }
}

/// Creates a jar with one member.
fn jar(member: &str, content: &[u8]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer
        .start_file(member, zip::write::SimpleFileOptions::default())
        .unwrap();
    writer.write_all(content).unwrap();
    writer.finish().unwrap().into_inner()
}

#[test]
fn the_sample_runs_whole() {
    let classes = common::fixture(&["M0000.java"]).classes();
    for jdk in common::jdks() {
        let mut vm = common::machine(&jdk, &classes, |_| ());
        assert_eq!(vm.run_main("M0000", &[]), Ok(Exit::Done(0)));
        let main = common::method(&mut vm, "M0000", "main");
        assert!(vm.method(main).is_static());
        let output = vm.take_output();
        assert!(output[0].bytes.starts_with(b"name "), "{output:?}");
    }
}

#[test]
fn a_class_that_is_not_there() {
    let classes = common::fixture(&["M0000.java"]).classes();
    let mut vm = machine_on(&[&classes]).unwrap();
    for name in [
        "a.b.Missing",
        "M000",
        "m0000",
        "",
        ".",
        "/",
        "[I",
        "..",
        "M0000.class",
        "java.lang.Missing",
    ] {
        let result = vm.run_main(name, &[]);
        assert!(
            matches!(&result, Err(LaunchError::NoClass(named)) if named == name)
                || matches!(&result, Err(LaunchError::NoMain(named)) if named == name),
            "{name:?}: {result:?}"
        );
    }
}

#[test]
fn class_path_entries_that_cannot_be_used() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.jar");
    let error = refusal(&[folder.path(), &missing]);
    assert!(
        matches!(error, BootError::ClassPath(ClassPathError::Missing { .. })),
        "{error}"
    );
    assert!(error.to_string().contains("missing.jar"), "{error}");
    let no_jar = folder.path().join("notes.txt");
    for content in ["", "plain text", "PK\u{3}\u{4}"] {
        fs::write(&no_jar, content).unwrap();
        let error = refusal(&[&no_jar]);
        assert!(
            matches!(
                error,
                BootError::ClassPath(ClassPathError::Unreadable { .. })
            ),
            "{error}"
        );
        assert!(error.to_string().contains("notes.txt"), "{error}");
    }
}

#[test]
fn jars_cut_off_and_corrupted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.jar");
    let whole = jar("M0000.class", sample());
    fs::write(&path, &whole).unwrap();
    let mut vm = machine_on(&[&path]).unwrap();
    assert_eq!(vm.run_main("M0000", &[]), Ok(Exit::Done(0)));

    for length in (0..whole.len())
        .step_by(53)
        .chain(whole.len() - 30..whole.len())
    {
        fs::write(&path, &whole[..length]).unwrap();
        let error = refusal(&[&path]);
        assert!(
            error.to_string().contains("sample.jar"),
            "{length}: {error}"
        );
    }

    // One changed byte in the middle of the member's content.
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 0x55;
    fs::write(&path, &damaged).unwrap();
    let mut vm = machine_on(&[&path]).unwrap();
    let message = load_message(&mut vm, "M0000").unwrap();
    assert!(
        message.contains("M0000.class") && message.contains("sample.jar"),
        "{message}"
    );

    // Any byte changed: the jar opens or not, the class is read or not, but its content is never
    // another.
    let mut random = Random::new(1);
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 + random.below(255) as u8;
        fs::write(&path, &damaged).unwrap();
        let read = panic::catch_unwind(|| hostile::read_jar(&path));
        match read.unwrap_or_else(|_| panic!("byte {at}")) {
            Ok(classes) => {
                let is_other = |bytes: &Vec<u8>| bytes != sample();
                assert!(!classes.iter().any(is_other), "byte {at}: other content");
            }
            Err(error) => assert!(error.contains("sample.jar"), "{error}"),
        }
    }
}

#[test]
fn a_jar_that_holds_more_than_it_looks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.jar");
    let most = usize::try_from(MAX_CLASS_FILE_BYTES).unwrap();
    let mut zeros = vec![0; most + 1];
    let whole = jar("a/Zeros.class", &zeros);
    assert!(whole.len() < most / 500, "{} bytes", whole.len());
    fs::write(&path, whole).unwrap();
    let mut vm = machine_on(&[&path]).unwrap();
    let message = load_message(&mut vm, "a/Zeros").unwrap();
    let name = path.display();
    assert_eq!(
        message,
        format!("failed to read a/Zeros.class in {name}: decompressed it is larger than 64 MiB")
    );
    // A file of one byte less is read.
    zeros.pop();
    fs::write(&path, jar("a/Zeros.class", &zeros)).unwrap();
    assert_eq!(hostile::read_jar(&path), Ok(vec![zeros]));
}

#[test]
fn a_class_file_cut_off_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let mut vm = machine_on(&[folder.path()]).unwrap();
    let path = folder.path().join("M0000.class");
    for length in 0..sample().len() {
        fs::write(&path, &sample()[..length]).unwrap();
        let message =
            load_message(&mut vm, "M0000").unwrap_or_else(|| panic!("{length} bytes are enough"));
        assert!(message.contains("M0000.class: "), "{length}: {message}");
    }
    let mut longer = sample().to_vec();
    longer.push(0);
    fs::write(&path, &longer).unwrap();
    let message = load_message(&mut vm, "M0000").unwrap();
    assert!(message.contains("M0000.class: "), "{message}");
    // The earlier failures leave no trace.
    fs::write(&path, sample()).unwrap();
    assert_eq!(vm.run_main("M0000", &[]), Ok(Exit::Done(0)));
}

#[test]
fn any_byte_of_a_class_file_wrong() {
    const MUTANTS: usize = 4_000;
    let machine = || Hostile::new(Config::new(jdk(), Vec::new()));
    let mut hostile = machine();
    let mut random = Random::new(2);
    let mut ends: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    let mut panics: Vec<String> = Vec::new();
    for mutant in 0..MUTANTS {
        let mut bytes = sample().to_vec();
        let at = random.below(bytes.len() as u64) as usize;
        let old = bytes[at];
        bytes[at] = match random.below(4) {
            0 => old.wrapping_add(1),
            1 => old.wrapping_sub(1),
            _ => old ^ (1 + random.below(255) as u8),
        };
        match panic::catch_unwind(AssertUnwindSafe(|| hostile.with(&bytes, hostile::run))) {
            Ok(end) => *ends.entry(end).or_default() += 1,
            Err(_) => {
                panics.push(format!("{mutant}: byte {at} from {old} to {}", bytes[at]));
                hostile = machine();
            }
        }
    }
    eprintln!("{ends:?}");
    assert!(
        panics.is_empty(),
        "{} of {MUTANTS} mutants:\n{}",
        panics.len(),
        panics.join("\n")
    );
    for end in [
        "refused when loaded",
        "refused when run",
        "an exception",
        "done",
    ] {
        assert!(ends.contains_key(end), "{end} is missing in {ends:?}");
    }
}

#[test]
#[ignore = "long"]
fn any_byte_of_a_program_of_many_classes_wrong() {
    const MUTANTS: u64 = 300;
    let folder = tempfile::tempdir().unwrap();
    common::fixture(&["Walk.java"]).copied_to(folder.path());
    let classes = folder.path().join("walk");
    let mut files: Vec<PathBuf> = fs::read_dir(&classes)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let mut random = Random::new(3);
    let mut panics: Vec<String> = Vec::new();
    for mutant in 0..MUTANTS {
        // Every other mutation affects the class with most of the code.
        let path = if mutant % 2 == 0 {
            classes.join("Walk$Step.class")
        } else {
            files[random.below(files.len() as u64) as usize].clone()
        };
        let whole = fs::read(&path).unwrap();
        let mut bytes = whole.clone();
        let at = random.below(bytes.len() as u64) as usize;
        bytes[at] ^= 1 + random.below(255) as u8;
        fs::write(&path, &bytes).unwrap();
        let ran = panic::catch_unwind(|| {
            let mut vm = machine_on(&[folder.path()]).unwrap();
            let Ok(class) = vm.load_class("walk/Walk") else {
                return;
            };
            let methods = vm.class(class).methods.clone();
            let Some(run) = methods
                .into_iter()
                .find(|&method| vm.text(vm.method(method).name) == "run")
            else {
                return;
            };
            let root = vm.mark();
            if vm.method(run).is_static() && vm.call(run, &[mutant, 0, 40]).is_ok() {
                let exit = vm.run(&mut heapwright_jvm::Plain);
                let _ = (vm.exit_text(&exit), vm.running_at());
            }
            vm.undo_to(root);
        });
        if ran.is_err() {
            let name = path.file_name().unwrap().display();
            panics.push(format!(
                "{mutant}: {name}, byte {at} from {} to {}",
                whole[at], bytes[at]
            ));
        }
        fs::write(&path, &whole).unwrap();
    }
    assert!(
        panics.is_empty(),
        "{} of {MUTANTS} mutants:\n{}",
        panics.len(),
        panics.join("\n")
    );
}

#[test]
fn a_class_file_that_is_too_new() {
    let folder = compiled(&[
        (
            "Uses",
            "public class Uses { public static void main(String[] a) { if (a.length > 0) new Newer(); } }",
        ),
        (
            "Newer",
            "public class Newer { public static void main(String[] a) { } }",
        ),
    ]);
    let path = folder.path().join("Newer.class");
    let mut bytes = fs::read(&path).unwrap();
    bytes[6..8].copy_from_slice(&70u16.to_be_bytes());
    fs::write(&path, &bytes).unwrap();
    let mut vm = machine_on(&[folder.path()]).unwrap();
    assert_eq!(
        vm.run_main("Uses", &[]),
        Ok(Exit::Done(0)),
        "nothing needs it"
    );
    // The thread's handler prints `java`'s UnsupportedClassVersionError.
    assert_eq!(vm.run_main("Uses", &["x".to_owned()]), Ok(Exit::Exited(1)));
    let Err(LaunchError::BadClass(message)) = vm.run_main("Newer", &[]) else {
        panic!()
    };
    assert!(
        message.contains("Newer") && message.contains("compiled for Java 26"),
        "{message}"
    );
}

#[test]
fn class_files_that_do_not_fit_together() {
    let folder = compiled(&[
        (
            "Other",
            "public class Other { public static void main(String[] a) { } }",
        ),
        ("Upper", "public class Upper { }"),
        (
            "Lower",
            "public class Lower extends Upper { public static void main(String[] a) { } }",
        ),
        (
            "Plain",
            "public class Plain extends Fixed { public static void main(String[] a) { } } class Fixed { }",
        ),
        (
            "Faced",
            "public class Faced implements Face { public static void main(String[] a) { } } interface Face { }",
        ),
    ]);
    let circle = compiled(&[
        ("Upper", "public class Upper extends Lower { }"),
        ("Lower", "public class Lower { }"),
        ("Fixed", "final class Fixed { }"),
        ("Face", "class Face { }"),
    ]);
    let at = |name: &str| folder.path().join(format!("{name}.class"));
    let refused = |name: &str| {
        let mut vm = machine_on(&[folder.path()]).unwrap();
        match vm.run_main(name, &[]) {
            Err(LaunchError::BadClass(message)) => message,
            other => panic!("{name}: {other:?}"),
        }
    };

    fs::copy(at("Other"), at("Named")).unwrap();
    let message = refused("Named");
    assert!(
        message.contains("Named.class") && message.contains("defines Other"),
        "{message}"
    );

    fs::copy(circle.path().join("Upper.class"), at("Upper")).unwrap();
    let message = refused("Lower");
    assert!(
        message.contains("Lower") && message.contains("superclass"),
        "{message}"
    );
    fs::write(
        at("Lower"),
        replace(&fs::read(at("Lower")).unwrap(), "Upper", "Lower"),
    )
    .unwrap();
    let message = refused("Lower");
    assert!(
        message.contains("Lower") && message.contains("superclass"),
        "{message}"
    );

    fs::copy(circle.path().join("Fixed.class"), at("Fixed")).unwrap();
    let message = refused("Plain");
    assert!(
        message.contains("Plain.class") && message.contains("Fixed"),
        "{message}"
    );
    fs::copy(circle.path().join("Face.class"), at("Face")).unwrap();
    let message = refused("Faced");
    assert!(
        message.contains("Faced.class") && message.contains("Face"),
        "{message}"
    );

    fs::remove_file(at("Fixed")).unwrap();
    let message = refused("Plain");
    assert!(
        message.contains("Plain") && message.contains("Fixed is missing"),
        "{message}"
    );
    fs::remove_file(at("Face")).unwrap();
    let message = refused("Faced");
    assert!(
        message.contains("Faced") && message.contains("Face is missing"),
        "{message}"
    );
}

#[test]
fn a_missing_class_is_an_error_of_the_program_where_it_is_needed() {
    let folder = compiled(&[(
        "Needs",
        "public class Needs {
            public static void main(String[] a) {
                try { new Gone(); } catch (NoClassDefFoundError e) { System.out.print(e.getMessage()); }
                Object o = new Gone[1];
            }
        }
        class Gone { }",
    )]);
    fs::remove_file(folder.path().join("Gone.class")).unwrap();
    let mut vm = machine_on(&[folder.path()]).unwrap();
    assert_eq!(vm.run_main("Needs", &[]), Ok(Exit::Exited(1)));
    let output = vm.take_output();
    assert_eq!(output[0].bytes, b"Gone");
    assert!(
        String::from_utf8_lossy(&output[1].bytes).contains("java.lang.NoClassDefFoundError: Gone")
    );
}

#[test]
fn programs_without_a_main_method() {
    let folder = compiled(&[
        ("None", "public class None { }"),
        (
            "Hidden",
            "public class Hidden { static void main(String[] a) { } }",
        ),
        (
            "Bound",
            "public class Bound { public void main(String[] a) { } }",
        ),
        (
            "Other",
            "public class Other { public static void main(String a) { } }",
        ),
        (
            "Typed",
            "public class Typed { public static int main(String[] a) { return 0; } }",
        ),
        ("Shape", "public interface Shape { }"),
    ]);
    fs::create_dir(folder.path().join("Folder.class")).unwrap();
    fs::create_dir(folder.path().join("pack")).unwrap();
    let mut vm = machine_on(&[folder.path()]).unwrap();
    for name in [
        "None",
        "Hidden",
        "Bound",
        "Other",
        "Typed",
        "Shape",
        "java.lang.Object",
    ] {
        assert_eq!(
            vm.run_main(name, &[]),
            Err(LaunchError::NoMain(name.to_owned()))
        );
    }
    assert_eq!(
        vm.run_main("pack", &[]),
        Err(LaunchError::NoClass("pack".to_owned()))
    );
    let Err(LaunchError::BadClass(message)) = vm.run_main("Folder", &[]) else {
        panic!()
    };
    assert!(message.contains("Folder.class"), "{message}");
}

#[test]
fn folders_that_are_no_jdk() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let error = |home: &Path| Jdk::at(home).unwrap_err();
    assert!(matches!(
        error(&home.join("missing")),
        JdkError::NotAJdk {
            missing: "release",
            ..
        }
    ));
    assert!(matches!(
        error(home),
        JdkError::NotAJdk {
            missing: "release",
            ..
        }
    ));
    fs::write(home.join("release"), "JAVA_VERSION=\"11.0.2\"\n").unwrap();
    assert!(matches!(
        error(home),
        JdkError::NotAJdk {
            missing: "lib/modules",
            ..
        }
    ));
    fs::create_dir(home.join("lib")).unwrap();
    fs::write(home.join("lib").join("modules"), "no image").unwrap();
    for version in ["11.0.2", "1.8.0_402", "26-ea", "x", ""] {
        fs::write(
            home.join("release"),
            format!("JAVA_VERSION=\"{version}\"\n"),
        )
        .unwrap();
        let error = error(home);
        assert!(matches!(error, JdkError::Unsupported { .. }), "{error}");
        assert!(
            error.to_string().contains(&format!("version {version}:")),
            "{error}"
        );
    }
    fs::write(home.join("release"), "IMPLEMENTOR=\"x\"\n").unwrap();
    assert!(matches!(error(home), JdkError::NotAJdk { .. }));
    fs::write(home.join("release"), b"JAVA_VERSION=\"17\"\n\xff\xfe").unwrap();
    assert!(matches!(error(home), JdkError::Io { .. }));

    // The folder claims to be a JDK, but its modules are invalid.
    fs::write(
        home.join("release"),
        "JAVA_VERSION=\"17.0.1\"\nMODULES=\"java.base\"\n",
    )
    .unwrap();
    let jdk = Jdk::at(home).unwrap();
    let whole = fs::read(common::jdks()[0].home.join("lib").join("modules")).unwrap();
    for content in [&b""[..], b"no image", &whole[..1_000], &whole[..1_000_000]] {
        fs::write(home.join("lib").join("modules"), content).unwrap();
        let boot = panic::catch_unwind(|| {
            let booted = Vm::new(Config::new(jdk.clone(), Vec::new()));
            booted.map(|_| ()).map_err(|error| error.to_string())
        });
        let message = boot.unwrap_or_else(|_| panic!("a panic at {} bytes", content.len()));
        let message = message.expect_err("a machine without a library");
        assert!(
            message.contains(&home.display().to_string()),
            "{}: {message}",
            content.len()
        );
    }
}

#[test]
fn limits_are_reached_and_said() {
    let folder = compiled(&[(
        "Hungry",
        "public class Hungry {
            static Object kept;
            public static void main(String[] a) {
                switch (a[0]) {
                    case \"loop\": while (true) { }
                    case \"big\": kept = new long[Integer.MAX_VALUE]; break;
                    case \"grid\": kept = new int[70000][70000]; break;
                    case \"many\": for (Object[] o = {null};; kept = o) { o = new Object[] {o, new long[100]}; }
                    case \"text\": for (String s = \"x\";; s += s) kept = s;
                    case \"locks\": lock(0);
                }
            }
            static void lock(int n) { for (Object o = Hungry.class;;) { hold(o, 20000); } }
            static void hold(Object o, int n) { synchronized (o) { if (n > 0) hold(o, n - 1); } }
        }",
    )]);
    let mut vm = machine_on(&[folder.path()]).unwrap();
    for (argument, limit) in [
        ("loop", Limit::Steps),
        ("big", Limit::Heap),
        ("grid", Limit::Heap),
        ("many", Limit::Heap),
        ("text", Limit::Heap),
    ] {
        let root = vm.mark();
        vm.limit_steps(20 * STEPS);
        let exit = vm.run_main("Hungry", &[argument.to_owned()]).unwrap();
        assert_eq!(exit, Exit::Limit(limit), "{argument}");
        assert!(vm.exit_text(&exit).contains("limit"), "{argument}");
        assert!(vm.running_at()[0].contains(':'), "{argument}");
        vm.undo_to(root);
        vm.forget(root);
    }
    // The frame limit is reached before the monitor limit; the trace is printed.
    vm.limit_steps(100 * STEPS);
    assert_eq!(
        vm.run_main("Hungry", &["locks".to_owned()]),
        Ok(Exit::Exited(1))
    );
    let mut config = Config::new(jdk(), vec![folder.path().to_owned()]);
    config.max_frames = 30_000;
    let mut vm = Vm::new(config).unwrap();
    vm.limit_steps(STEPS);
    assert_eq!(
        vm.run_main("Hungry", &["locks".to_owned()]),
        Ok(Exit::Limit(Limit::Monitor))
    );
}

#[test]
fn a_heap_too_small_for_the_library() {
    for bytes in [0, 64 << 10, 256 << 10, 512 << 10] {
        let mut config = Config::new(jdk(), Vec::new());
        config.max_heap_bytes = bytes;
        let result = panic::catch_unwind(|| Vm::new(config).map(|_| ()));
        if let Err(error) = result.unwrap_or_else(|_| panic!("a panic with {bytes} bytes")) {
            assert!(error.to_string().contains("memory"), "{bytes}: {error}");
        }
    }
}
