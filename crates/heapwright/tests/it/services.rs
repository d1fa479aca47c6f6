//! `generate` for services: classes whose collaborators are interfaces.

use std::path::{Path, PathBuf};
use std::process::Command;

use heapwright_testkit::fixtures::{compile, files};
use heapwright_testkit::jars::resolved;
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{program, sources_of, summary_of, text};

/// A release for Java 11 and later.
const MOCKITO: &str = "org.mockito:mockito-core:5.14.2";

/// Generates tests of a class into a new folder, which has the classes of its package, too; returns it
/// with the summary and the text of the tests.
fn generate(class: &str, arguments: &[&str]) -> (TempDir, Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let classes = folder.path().join("classes");
    let (package, _) = class.split_once('.').unwrap();
    let sources = files(&sources_of(&format!("services/{package}")), "java");
    let options = ["-g", "-parameters", "--release", "17"];
    compile(&compilers()[0], &sources, &[], &classes, &options);
    let output = program()
        .current_dir(folder.path())
        .args(["generate", "--no-config", "-p", "classes", "-o", "tests"])
        .args(["--json", "-j", "1", "--time-per-class", "60s", "-c", class])
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .args(arguments)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(
        text(&output.stderr).matches("fault").count(),
        0,
        "{output:?}"
    );
    let written = files(&folder.path().join("tests"), "java");
    assert_eq!(written.len(), 1, "{written:?}");
    let tests = std::fs::read_to_string(&written[0]).unwrap();
    (folder, summary_of(&output), tests)
}

/// Compiles a program whose collaborators are types of a library, and the library into a jar, and
/// generates tests of one of its classes.
fn generate_beside_library(libraries: &[PathBuf], arguments: &[&str]) -> (TempDir, Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let sources = |name: &str| files(&sources_of(&format!("services/{name}")), "java");
    let options = ["-g", "-parameters", "--release", "17"];
    let (jdk, jar) = (&compilers()[0], place("web.jar"));
    compile(jdk, &sources("web"), &[], &place("web"), &options);
    let packed = Command::new(jdk.home.join("bin/jar"))
        .arg("cf")
        .arg(&jar)
        .arg("-C")
        .args([place("web"), PathBuf::from(".")])
        .status();
    assert!(packed.unwrap().success());
    let given = [&[jar], libraries].concat();
    compile(jdk, &sources("desk"), &given, &place("classes"), &options);
    let class_path = [&[place("classes")][..], &given].concat();
    let output = program()
        .current_dir(folder.path())
        .args([
            "generate",
            "--no-config",
            "-o",
            "tests",
            "--json",
            "-j",
            "1",
        ])
        .args(["--time-per-class", "60s", "-c", "desk.CustomerDesk", "-p"])
        .arg(std::env::join_paths(class_path).unwrap())
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .args(arguments)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let written = files(&place("tests"), "java");
    let tests = written
        .iter()
        .map(|file| std::fs::read_to_string(file).unwrap());
    let tests = tests.collect();
    (folder, summary_of(&output), tests)
}

/// Branches covered and in all, mutants noticed and in all.
fn figures(summary: &Value) -> [u64; 4] {
    let keys = ["branches_covered", "branches_total", "killed", "mutants"];
    keys.map(|key| {
        summary[key]
            .as_u64()
            .unwrap_or_else(|| panic!("{key}: {summary}"))
    })
}

/// Runs tests with JUnit; returns how many pass.
fn pass(folder: &Path, libraries: &[PathBuf]) -> usize {
    let built = folder.join("built");
    let further = [libraries, &[folder.join("classes")]].concat();
    let class_path = [&further[..], &[junit::jars().console]].concat();
    let options = ["-Xlint:all", "-Werror", "--release", "17"];
    let tests = files(&folder.join("tests"), "java");
    compile(&compilers()[0], &tests, &class_path, &built, &options);
    let java = compilers()[0].home.join("bin/java");
    let report = junit::run_console_with(&java, std::slice::from_ref(&built), &further);
    assert_eq!(report.failed, 0, "{}", report.output);
    report.succeeded
}

/// What is sent to collaborators is asserted, and no test shows a null that no code guards against.
#[test]
fn what_is_told_to_collaborators_is_asserted() {
    let (folder, summary, tests) = generate("shop.Registration", &[]);
    assert_eq!(figures(&summary), [14, 14, 16, 16], "{summary}");
    for sent in [
        "assertEquals(List.of(user), users.saveCalls);",
        "assertEquals(List.of(List.of(\"bob@example.org\", \"Welcome\", \"Hello Bob\")), sendCalls);",
        "register_whenFindByEmailIsPresent_throwsIllegalState",
    ] {
        assert!(tests.contains(sent), "{sent}: {tests}");
    }
    assert!(!tests.contains("NullPointerException"), "{tests}");
    assert!(!tests.contains("_2("), "{tests}");
    assert_eq!(
        pass(folder.path(), &[]) as u64,
        summary["tests"].as_u64().unwrap()
    );
}

/// Runs the tests of a class on a version of it in which a text is replaced; returns whether one fails.
fn notices(folder: &Path, libraries: &[PathBuf], class: &str, (from, to): (&str, &str)) -> bool {
    let source = sources_of("services").join(format!("{}.java", class.replace('.', "/")));
    let text = std::fs::read_to_string(&source).unwrap();
    assert_eq!(text.matches(from).count(), 1, "{from}");
    let name = source.file_name().unwrap();
    let faulty = tempfile::tempdir().unwrap();
    let changed = faulty.path().join(name);
    std::fs::write(&changed, text.replace(from, to)).unwrap();
    let correct = folder.join("classes");
    let options = ["-g", "-parameters", "--release", "17"];
    compile(
        &compilers()[0],
        &[changed],
        std::slice::from_ref(&correct),
        faulty.path(),
        &options,
    );
    let further = [&[faulty.path().to_owned(), correct], libraries].concat();
    let java = compilers()[0].home.join("bin/java");
    let report = junit::run_console_with(&java, &[folder.join("built")], &further);
    report.failed > 0
}

/// Faults in what code tells its collaborators, when it tells them, and in parts of what it returns, each
/// with a text and the one that replaces it.
const UNTOLD: [(&str, &str, &str); 6] = [
    (
        "told.Dunning",
        "bill.setReminders(reminders);\n        bills.save(bill);",
        "bills.save(bill);\n        bill.setReminders(reminders);",
    ),
    (
        "told.Dunning",
        "new Overdue(bill.getNumber(), reminders)",
        "new Overdue(bill.getNumber(), reminders - 1)",
    ),
    (
        "told.BillDesk",
        "setLocation(\"/bills/\" + number)",
        "setLocation(\"/bills/\" + customer)",
    ),
    (
        "told.BillDesk",
        "\"Bill \" + number",
        "\"Bill \" + customer",
    ),
    (
        "told.BillDesk",
        "Customer(\"Dear \" + customer)",
        "Customer(customer)",
    ),
    ("told.BillDesk", "remind(\"B-\" + number)", "remind(number)"),
];

/// What is sent, what it is like at the time, and what an answer consists of, is asserted: tests notice where
/// it is something else.
fn sent_and_answered(libraries: &[PathBuf], arguments: &[&str]) -> String {
    let mut all = String::new();
    for class in ["told.Dunning", "told.BillDesk"] {
        let (folder, summary, tests) = generate(class, arguments);
        assert_eq!(
            pass(folder.path(), libraries) as u64,
            summary["tests"].as_u64().unwrap()
        );
        for (_, from, to) in UNTOLD.iter().filter(|(of, ..)| *of == class) {
            assert!(
                notices(folder.path(), libraries, class, (from, to)),
                "{from}: {tests}"
            );
        }
        all.push_str(&tests);
    }
    all
}

#[test]
fn what_is_sent_and_answered_is_asserted() {
    let tests = sent_and_answered(&[], &[]);
    for written in [
        "saveReminders.add(",
        ", saveReminders);",
        ".getBody().getText())",
        ".getBody().getCustomer().getName())",
        ".getHeaders().getLocation())",
    ] {
        assert!(tests.contains(written), "{written}: {tests}");
    }
    assert!(!tests.contains("SuppressWarnings"), "{tests}");
}

#[test]
#[ignore = "servers: downloads Mockito"]
fn what_is_sent_to_mocks_is_verified_as_it_was() {
    let jars = resolved(MOCKITO);
    let mockito = std::env::join_paths(&jars).unwrap().into_string().unwrap();
    let tests = sent_and_answered(&jars, &["--test-classpath", &mockito]);
    for written in [
        "thenAnswer(call -> {",
        "saveReminders.add(call.<Bill>getArgument(0).getReminders());",
        "ArgumentCaptor<Overdue>",
    ] {
        assert!(tests.contains(written), "{written}: {tests}");
    }
}

/// Where Spring's utilities for tests are on the class path, they set fields that a container fills.
#[test]
#[ignore = "servers: downloads Spring"]
fn fields_that_a_container_fills_are_set_by_springs_utilities() {
    let jars = resolved("org.springframework:spring-test:6.1.18");
    let spring = std::env::join_paths(&jars).unwrap().into_string().unwrap();
    let (_, _, tests) = generate("shop.Reminders", &["--test-classpath", &spring]);
    for written in [
        "import org.springframework.test.util.ReflectionTestUtils;",
        "ReflectionTestUtils.setField(reminders, \"ticker\", ",
        "ReflectionTestUtils.setField(reminders, \"users\", userRepository);",
    ] {
        assert!(tests.contains(written), "{written}: {tests}");
    }
    for unwritten in ["setDeclared", "throws Exception", "java.lang.reflect"] {
        assert!(!tests.contains(unwritten), "{unwritten}: {tests}");
    }
}

/// Fields that a container fills, which no code writes, are set in tests, those of superclasses, too; tests of
/// the same outcome are told apart by what they set.
#[test]
fn fields_that_a_container_fills_are_set() {
    let (folder, summary, tests) = generate("shop.Reminders", &[]);
    assert_eq!(figures(&summary)[..2], [8, 8], "{summary}");
    assert!(figures(&summary)[2] >= 11, "{summary}");
    for written in [
        "setDeclared(reminders, \"shop.Scheduled\", \"ticker\", ",
        "setDeclared(reminders, \"shop.Reminders\", \"users\", userRepository);",
        "List.of(\"ann@example.org\", \"Reminder\", \"Dear Ann\")",
        "remind_whenFindAllIsNotEmpty_returns1(",
        "remind_whenFindAllIsNotEmpty_returns0(",
    ] {
        assert!(tests.contains(written), "{written}: {tests}");
    }
    assert!(!tests.contains("NullPointerException"), "{tests}");
    assert!(!tests.contains("_2("), "{tests}");
    assert_eq!(
        pass(folder.path(), &[]) as u64,
        summary["tests"].as_u64().unwrap()
    );
}

/// Types of a library are collaborators, too: its interfaces have stubs though it has objects of them, its
/// generic objects hold what a repository answers, and entities have what the code looks for.
#[test]
fn types_of_a_library_are_collaborators() {
    let (folder, summary, tests) = generate_beside_library(&[], &[]);
    assert_eq!(figures(&summary), [10, 10, 15, 15], "{summary}");
    assert_eq!(summary["status"], "complete", "{summary}");
    assert!(tests.contains("new PageImpl<>(list)"), "{tests}");
    assert!(!tests.contains("ClassCastException"), "{tests}");
    let jar = folder.path().join("web.jar");
    assert_eq!(
        pass(folder.path(), &[jar]) as u64,
        summary["tests"].as_u64().unwrap()
    );
}

/// Mocks of a library's interfaces answer in the place of its default methods, also where the program
/// itself has what Mockito needs.
#[test]
#[ignore = "servers: downloads Mockito"]
fn a_library_of_the_program_may_be_one_that_mockito_needs() {
    let all = resolved(MOCKITO);
    let is_shared = |jar: &PathBuf| {
        let name = jar.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with("byte-buddy-") && !name.contains("agent")
    };
    let (shared, own): (Vec<PathBuf>, Vec<PathBuf>) = all.into_iter().partition(is_shared);
    assert_eq!(shared.len(), 1);
    let own_path = std::env::join_paths(&own).unwrap().into_string().unwrap();
    let arguments = ["--test-classpath", &own_path];
    let (folder, summary, tests) = generate_beside_library(&shared, &arguments);
    assert_eq!(figures(&summary), [10, 10, 15, 15], "{summary}");
    for written in [
        "Errors errors = mock(Errors.class);",
        "when(errors.hasErrors()).thenReturn(true);",
        "create_whenHasErrors_",
        "verify(errors).rejectValue(\"name\", \"notFound\", \"not found\");",
    ] {
        assert!(tests.contains(written), "{written}: {tests}");
    }
    let jar = folder.path().join("web.jar");
    let further = [&[jar], &shared[..], &own].concat();
    assert_eq!(
        pass(folder.path(), &further) as u64,
        summary["tests"].as_u64().unwrap()
    );
}

/// Tests of services with mocks: what is asked is stubbed and no more, what is told is verified.
#[test]
#[ignore = "servers: downloads Mockito"]
fn mocks_are_stubbed_and_verified() {
    let jars = resolved(MOCKITO);
    let mockito = std::env::join_paths(&jars).unwrap().into_string().unwrap();
    let services = [
        ("Registration", [14, 14, 16, 16]),
        ("Checkout", [4, 4, 9, 9]),
        ("Fulfilment", [8, 8, 10, 10]),
        ("Converter", [4, 4, 5, 5]),
        ("Login", [6, 6, 11, 11]),
        ("Dispatcher", [6, 6, 5, 5]),
        ("Transfers", [8, 8, 14, 14]),
    ];
    for (class, wanted) in services {
        let name = format!("shop.{class}");
        let (folder, summary, tests) = generate(&name, &["--test-classpath", &mockito]);
        assert_eq!(figures(&summary), wanted, "{summary}");
        assert!(!tests.contains("NullPointerException"), "{tests}");
        if class == "Registration" {
            let user = "verify(users).save(user);";
            let mail = "verify(mailer).send(\"bob@example.org\", \"Welcome\", \"Hello Bob\");";
            assert!(tests.contains(user) && tests.contains(mail), "{tests}");
            assert!(!tests.contains("thenReturn(null)"), "{tests}");
        }
        assert_eq!(
            pass(folder.path(), &jars) as u64,
            summary["tests"].as_u64().unwrap()
        );
    }
}

/// Texts that the code parses are such as its parsers accept: arguments, what is in fields, what stubs answer.
#[test]
#[ignore = "long"]
fn texts_are_such_as_parsers_accept() {
    let written: [(&str, &[&str]); 4] = [
        (
            "parsed.Forms",
            &[
                "assertEquals(2024, Forms.birthYear(\"2024-01-15\"));",
                "Forms.isShortFebruary(\"2023-03-12\")",
                "Forms.idVersion(\"123e4567-e89b-12d3-a456-426614174000\")",
                "Forms.isSafe(\"https://example.org/path?q=1\")",
                "assertEquals(2, Forms.digits(\"1.50\"));",
                "assertEquals(15L, Forms.minutes(\"PT15M\"));",
                "assertTrue(Forms.isAddress(\"a@a.com\"));",
            ],
        ),
        ("parsed.Booking", &["12.03.2023", "30.12.1899", "AB-1234"]),
        ("parsed.Invoice", &["\"-3, credit\"", "\"0, small\""]),
        ("parsed.Messages", &["() -> \"2023-03-12T23:45:00\""]),
    ];
    for (class, texts) in written {
        let (folder, summary, tests) = generate(class, &[]);
        let [covered, branches, noticed, mutants] = figures(&summary);
        assert_eq!((covered, noticed), (branches, mutants), "{summary}");
        for text in texts {
            assert!(tests.contains(text), "{text}: {tests}");
        }
        assert_eq!(
            pass(folder.path(), &[]) as u64,
            summary["tests"].as_u64().unwrap()
        );
    }
}
