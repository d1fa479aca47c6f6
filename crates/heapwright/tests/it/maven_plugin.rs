//! The Maven plugin: real builds of the projects in `java/samples`, with the program that was built.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use heapwright_techniques::target::INVARIANT_NAMES;
use heapwright_testkit::fixtures::{self, files, project};
use heapwright_testkit::jars::maven_of;
use heapwright_testkit::plugins::PluginRepository;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::text;

/// Options that keep a search small.
const SMALL: [&str; 2] = ["-Dheapwright.timeLimit=20s", "-Dheapwright.threads=1"];

fn repository() -> &'static PluginRepository {
    static REPOSITORY: OnceLock<PluginRepository> = OnceLock::new();
    REPOSITORY.get_or_init(PluginRepository::installed)
}

/// Folder of the program.
fn program_folder() -> &'static Path {
    let program = Path::new(env!("CARGO_BIN_EXE_heapwright"));
    program.parent().unwrap()
}

/// Copy of a sample.
struct Build {
    folder: TempDir,
}

impl Build {
    fn of(sample: &str) -> Build {
        let folder = tempfile::tempdir().unwrap();
        PluginRepository::copy_sample(sample, folder.path());
        Build { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run_with(&self, path: &Path, arguments: &[&str]) -> Output {
        let all = [arguments, &SMALL].concat();
        repository().run_maven(self.folder.path(), path, &all)
    }

    /// Runs Maven, which has to succeed; returns its log.
    fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.run_with(program_folder(), arguments);
        let log = text(&output.stdout);
        assert!(output.status.success(), "{log}");
        log
    }

    /// Runs Maven, which has to fail; returns the errors in its log.
    fn fail(&self, arguments: &[&str]) -> String {
        let output = self.run_with(program_folder(), arguments);
        let log = text(&output.stdout);
        assert!(!output.status.success(), "{log}");
        let errors = log.lines().filter(|line| line.starts_with("[ERROR]"));
        errors.collect::<Vec<_>>().join("\n")
    }

    /// Summary in a folder of reports.
    fn summary(&self, file: &str) -> Value {
        let text = fs::read_to_string(self.path(file)).unwrap();
        serde_json::from_str(&text).unwrap()
    }
}

/// Versions of Maven beside the one of Debian.
pub const VERSIONS: [&str; 2] = ["3.9.9", "4.0.0-rc-5"];

/// Newer versions of Maven build, generate, test and measure as the oldest one does.
#[test]
#[ignore = "servers: Maven"]
fn newer_versions_of_maven_run_the_plugin() {
    for version in VERSIONS {
        let build = Build::of("single");
        let goals = [
            "compile",
            "heapwright:generate",
            "test",
            "heapwright:measure",
            "-Dheapwright.targetClasses=com.acme.Turn*",
        ];
        let all = [&goals[..], &SMALL].concat();
        let maven = maven_of(version);
        let run = || repository().run_maven_at(&maven, build.folder.path(), program_folder(), &all);
        let output = run();
        let log = text(&output.stdout);
        assert!(output.status.success(), "{log}");
        let generated = build.summary("target/heapwright/heapwright-generate.json");
        // One test of the project is written by hand.
        let tests = generated["tests"].as_u64().unwrap() + 1;
        assert_eq!(tests_run(&log), tests, "{log}");
        let measured = build.summary("target/heapwright/heapwright-measure.json");
        assert_eq!(measured["tests_passed"], tests, "{log}");
        let log = text(&run().stdout);
        assert!(log.contains(UP_TO_DATE), "{log}");
    }
}

/// Number of tests that Surefire ran in the last module.
fn tests_run(log: &str) -> u64 {
    let mut lines = log.lines().filter_map(|line| {
        let numbers = line.strip_prefix("[INFO] Tests run: ")?;
        numbers.split(',').next()?.parse().ok()
    });
    lines.next_back().unwrap_or_default()
}

const UP_TO_DATE: &str = "heapwright:generate is up to date";

/// Generated tests are kept among the project's and pass; a second run does nothing until a class
/// changes; existing tests are measured; and the site shows the numbers of the summaries.
#[test]
#[ignore = "servers: Maven"]
fn tests_are_generated_measured_and_reported() {
    let build = Build::of("single");
    let generate = [
        "compile",
        "heapwright:generate",
        "-Dheapwright.targetClasses=com.acme.Turn*",
    ];
    let log = build.succeed(&generate);
    assert!(!log.contains(UP_TO_DATE), "{log}");
    let written = build.path("src/test/java/com/acme/TurnstileHeapwrightTest.java");
    let before = fs::metadata(&written).unwrap().modified().unwrap();
    let log = build.succeed(&generate);
    assert!(log.contains(UP_TO_DATE), "{log}");
    let after = fs::metadata(&written).unwrap().modified().unwrap();
    assert_eq!(before, after);

    let generated = build.summary("target/heapwright/heapwright-generate.json");
    assert_eq!(generated["class"], "com.acme.Turnstile");
    assert_eq!(generated["goals_covered"], generated["goals_total"]);
    let log = build.succeed(&["test", "heapwright:measure"]);
    // One test of the project is written by hand.
    assert_eq!(
        tests_run(&log),
        generated["tests"].as_u64().unwrap() + 1,
        "{log}"
    );
    let measured = build.summary("target/heapwright/heapwright-measure.json");
    assert_eq!(measured["tests_passed"], tests_run(&log));

    build.succeed(&[
        "heapwright:measure",
        "-Dheapwright.outputFormats=HTML,jacoco",
    ]);
    let report = build.path("target/heapwright/measure/report");
    let has = |file: &str| report.join(file).is_file();
    assert_eq!(
        ["index.html", "jacoco.xml", "heapwright.sarif"].map(has),
        [true, true, false]
    );

    let threshold = build.fail(&[
        "heapwright:measure",
        "-Dheapwright.mutationThreshold=100",
        "-Dheapwright.targetTests=*Test",
    ]);
    let score = 100.0 * measured["mutation_score"].as_f64().unwrap();
    assert!(
        threshold.contains(&format!(
            "the mutation score is {score:.1} %, below the mutationThreshold of 100 %"
        )),
        "{threshold}"
    );

    build.succeed(&["site"]);
    let site = fs::read_to_string(build.path("target/site/heapwright.html")).unwrap();
    for (summary, covered) in [(&generated, "goals_covered"), (&measured, "lines_covered")] {
        let total = covered.replace("covered", "total");
        let kind = covered.split('_').next().unwrap();
        let line = format!("{} of {} {kind}", summary[covered], summary[&total]);
        assert!(site.contains(&line), "{line}: {site}");
    }

    let source = build.path("src/main/java/com/acme/Turnstile.java");
    let changed = fs::read_to_string(&source).unwrap();
    fs::write(&source, changed.replace("count <= 0", "count < 0")).unwrap();
    let log = build.succeed(&generate);
    assert!(!log.contains(UP_TO_DATE), "{log}");
    let rewritten = fs::metadata(&written).unwrap().modified().unwrap();
    assert!(rewritten > after);
}

/// A counterexample fails the build, and does so again where nothing has changed; as a warning it
/// does not.
#[test]
#[ignore = "servers: Maven"]
fn a_counterexample_fails_the_build() {
    let build = Build::of("single");
    let check = ["compile", "heapwright:check"];
    let finding =
        "com.acme.Purse.take(int): breaks the invariant repOK: take(1) on Purse{coins: 0}";
    let errors = build.fail(&check);
    assert!(errors.contains(finding), "{errors}");
    let errors = build.fail(&check);
    assert!(errors.contains(finding), "{errors}");
    let ignored = [&check[..], &["-Dheapwright.failOnCounterexample=false"]].concat();
    let log = build.succeed(&ignored);
    assert!(log.contains(&format!("[WARNING] {finding}")), "{log}");
    assert!(log.contains("heapwright:check is up to date"), "{log}");
    let summary = build.summary("target/heapwright/heapwright-check-com.acme.Purse.json");
    assert_eq!(summary["counterexamples"][0]["method"], "take(int)");
    let reproducers = files(
        &build.path("target/heapwright/check-com.acme.Purse"),
        "java",
    );
    assert_eq!(reproducers.len(), 1, "{reproducers:?}");

    let errors = build.fail(&[
        "heapwright:compare",
        "-Dheapwright.excludedClasses=*Turnstile",
    ]);
    let finding = "com.acme.Purse: only the API builds Purse{coins: -1}, by purse = new Purse(); purse.take(1)";
    assert!(errors.contains(finding), "{errors}");
    assert!(!errors.contains("Turnstile"), "{errors}");
    assert!(
        !build
            .path("target/heapwright/heapwright-compare-com.acme.Turnstile.json")
            .exists()
    );
}

/// Requests that cannot be carried out say why.
#[test]
#[ignore = "servers: Maven"]
fn wrong_requests_are_explained() {
    let build = Build::of("single");
    let errors = build.fail(&["heapwright:generate"]);
    let classes = build.path("target/classes");
    assert!(
        errors.contains(&format!(
            "no class in {}: compile the project first",
            classes.display()
        )),
        "{errors}"
    );
    let log = build.succeed(&["heapwright:generate", "-Dheapwright.skip"]);
    assert!(log.contains("[INFO] Heapwright is skipped"), "{log}");
    let pattern = "-Dheapwright.targetClasses=com.acme.none.*";
    let errors = build.fail(&["compile", "heapwright:generate", pattern]);
    assert!(
        errors.contains("fits targetClasses com.acme.none.*"),
        "{errors}"
    );
    let log = build.succeed(&[
        "heapwright:generate",
        pattern,
        "-Dheapwright.failIfNoClasses=false",
    ]);
    assert!(log.contains("is selected: nothing to generate"), "{log}");
    // The program's own words.
    let errors = build.fail(&["heapwright:generate", "-Dheapwright.mutators=MANY"]);
    assert!(
        errors.contains("invalid value 'many' for '--mutants <GROUP>'"),
        "{errors}"
    );
    let errors = build.fail(&["heapwright:korat", "-Dheapwright.class=com.acme.Purse"]);
    assert!(
        errors.contains("class com.acme.Purse has no finitization method finPurse"),
        "{errors}"
    );
}

/// The log has Korat's own output.
#[test]
#[ignore = "servers: Maven"]
fn korat_runs_as_it_does() {
    let build = Build::of("single");
    let package = "fixtures/list";
    let to = build.path("target/classes").join(package);
    fs::create_dir_all(&to).unwrap();
    for class in files(&fixtures::classes().join(package), "class") {
        fs::copy(&class, to.join(class.file_name().unwrap())).unwrap();
    }
    let log = build.succeed(&[
        "heapwright:korat",
        "-Dheapwright.class=fixtures.list.SinglyLinkedList",
        "-Dheapwright.args=2,1,true",
    ]);
    let start =
        "[INFO] Start of Korat Execution for fixtures.list.SinglyLinkedList (repOK, [2, 1, true])";
    assert!(log.contains(start), "{log}");
    let report =
        build.path("target/heapwright/heapwright-korat-fixtures.list.SinglyLinkedList.txt");
    assert!(report.is_file());
}

/// Existing tests stay, and only what they leave is added; classes that have not changed are left out.
#[test]
#[ignore = "servers: Maven"]
fn only_what_is_missing_is_added() {
    let build = Build::of("single");
    let generate = [
        "test-compile",
        "heapwright:generate",
        "-Dheapwright.targetClasses=*Turnstile",
        "-Dheapwright.update",
    ];
    build.succeed(&generate);
    let written = build.path("src/test/java/com/acme/TurnstileHeapwrightTest.java");
    let before = fs::read_to_string(&written).unwrap();
    let source = build.path("src/main/java/com/acme/Turnstile.java");
    let changed = fs::read_to_string(&source).unwrap();
    let method = "public boolean isEmpty() { return coins == 0; }\n\n    public int coins";
    fs::write(&source, changed.replace("public int coins", method)).unwrap();
    build.succeed(&generate);
    assert_eq!(fs::read_to_string(&written).unwrap(), before);
    let added = build.path("src/test/java/com/acme/TurnstileHeapwright2Test.java");
    assert!(fs::read_to_string(&added).unwrap().contains("isEmpty"));

    let git = |arguments: &[&str]| {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b"]);
        let output = git.args(arguments).current_dir(build.path("."));
        assert!(output.output().unwrap().status.success(), "{arguments:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "src"]);
    git(&["commit", "-q", "-m", "all"]);
    let since = ["heapwright:generate", "-Dheapwright.changedSince=HEAD"];
    let log = build.succeed(&since);
    assert!(
        log.contains("no class that was asked for has changed since HEAD"),
        "{log}"
    );
}

/// A program of another version is not taken: one on the PATH is passed over for the artifact, one
/// that the build names is an error.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
#[test]
#[ignore = "servers: Maven"]
fn the_program_has_the_version_of_the_plugin() {
    use std::os::unix::fs::PermissionsExt;

    let build = Build::of("single");
    let other = build.path("other");
    fs::create_dir(&other).unwrap();
    let file = other.join("heapwright");
    fs::write(&file, "#!/bin/sh\necho heapwright 9.9.9\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    let named = format!("-Dheapwright.executable={}", file.display());
    let errors = build.fail(&["compile", "heapwright:check", &named]);
    let version = env!("CARGO_PKG_VERSION");
    assert!(
        errors.contains(&format!("has version 9.9.9, but this plugin {version}")),
        "{errors}"
    );

    let solver = fs::canonicalize(program_folder().join("../z3-5.4.0.0/libz3.so")).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_heapwright"));
    repository().install_program(program, &solver, "linux-x86_64");
    let cache = build.path("cache");
    let cache_option = format!("-Dheapwright.cacheDirectory={}", cache.display());
    let check = [
        "heapwright:check",
        "-Dheapwright.targetClasses=com.acme.Turnstile",
        &cache_option,
    ];
    let output = build.run_with(&other, &check);
    let log = text(&output.stdout);
    assert!(output.status.success(), "{log}");
    assert!(log.contains("has version 9.9.9"), "{log}");
    let unpacked: Vec<PathBuf> = fs::read_dir(&cache)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(unpacked.len(), 1, "{unpacked:?}");
    assert!(unpacked[0].join("heapwright").is_file() && unpacked[0].join("libz3.so").is_file());
}

/// Each module is a request of its own, with the classes of those that it depends on. Tests that are
/// made in each build are compiled and run by it.
#[test]
#[ignore = "servers: Maven"]
fn modules_are_tested_one_by_one() {
    let build = Build::of("multi");
    let log = build.succeed(&["test"]);
    assert!(
        log.contains("no classes in a project of packaging pom"),
        "{log}"
    );
    for module in ["stock", "shop"] {
        let summary = build.summary(&format!(
            "{module}/target/heapwright/heapwright-generate.json"
        ));
        assert_eq!(summary["goals_covered"], summary["goals_total"], "{module}");
        let tests = build.path(&format!(
            "{module}/target/generated-test-sources/heapwright"
        ));
        assert_eq!(files(&tests, "java").len(), 1, "{module}");
        let own = format!("{} tests, ", summary["tests"]);
        assert!(log.contains(&own), "{log}");
        if module == "shop" {
            assert_eq!(Value::from(tests_run(&log)), summary["tests"], "{log}");
            let test = fs::read_to_string(&files(&tests, "java")[0]).unwrap();
            assert!(test.contains("import static org.assertj"), "{test}");
        }
    }
    let log = build.succeed(&["test"]);
    assert_eq!(log.matches(UP_TO_DATE).count(), 2, "{log}");
}

/// Tests are written for TestNG where the project has it, and run by the build.
#[test]
#[ignore = "servers: Maven"]
fn a_project_with_testng_is_tested() {
    let build = Build::of("single");
    let pom = build.path("pom.xml");
    let junit = "<groupId>org.junit.jupiter</groupId>\n      <artifactId>junit-jupiter</artifactId>\n      \
                 <version>5.11.4</version>";
    let testng =
        "<groupId>org.testng</groupId><artifactId>testng</artifactId><version>7.10.2</version>";
    let text_of_pom = fs::read_to_string(&pom).unwrap();
    assert!(text_of_pom.contains(junit));
    fs::write(&pom, text_of_pom.replace(junit, testng)).unwrap();
    fs::remove_file(build.path("src/test/java/com/acme/PurseTest.java")).unwrap();
    let log = build.succeed(&[
        "compile",
        "heapwright:generate",
        "test",
        "-Dheapwright.targetClasses=com.acme.Turn*",
    ]);
    let summary = build.summary("target/heapwright/heapwright-generate.json");
    assert_eq!(summary["goals_covered"], summary["goals_total"]);
    let written = build.path("src/test/java/com/acme/TurnstileHeapwrightTest.java");
    let written = fs::read_to_string(written).unwrap();
    assert!(
        written.contains("import org.testng.annotations.Test;"),
        "{written}"
    );
    assert_eq!(Value::from(tests_run(&log)), summary["tests"], "{log}");
}

/// Kotlin's classes are tested like Java's, by tests in Java.
#[test]
#[ignore = "servers: Maven"]
fn a_project_in_kotlin_is_tested() {
    let build = Build::of("kotlin");
    build.succeed(&["compile", "heapwright:generate"]);
    let summary = build.summary("target/heapwright/heapwright-generate.json");
    let classes = ["com.acme.Thermostat", "com.acme.ThermostatKt"];
    assert_eq!(summary["classes"], Value::from(classes.to_vec()));
    let log = build.succeed(&["test"]);
    assert_eq!(Value::from(tests_run(&log)), summary["tests"], "{log}");
}

/// The plugins are of the program's version, and know the invariants that it knows; their page names
/// every parameter.
#[test]
#[ignore = "servers: Maven"]
fn plugins_agree_with_the_program() {
    let java = project().join("java");
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    let version = format!("<version>{}</version>", env!("CARGO_PKG_VERSION"));
    let modules = [
        ".",
        "heapwright-launcher",
        "heapwright-maven-plugin",
        "heapwright-gradle-plugin",
        "heapwright-gradle-marker",
        "heapwright-native",
    ];
    for module in modules {
        assert!(
            read(&java.join(module).join("pom.xml")).contains(&version),
            "{module}"
        );
    }
    let classes = "heapwright-launcher/src/main/java/org/heapwright/launcher/CompiledClasses.java";
    let names = INVARIANT_NAMES.map(|name| format!("\"{name}\"")).join(", ");
    assert!(
        read(&java.join(classes)).contains(&format!("Set.of({names})")),
        "{names}"
    );

    let page = read(&project().join("docs/maven.md"));
    let goals = java.join("heapwright-maven-plugin/src/main/java");
    let mut parameters = 0;
    for source in files(&goals, "java") {
        let text = read(&source);
        let properties = text.split("property = \"heapwright.").skip(1);
        for name in properties.map(|rest| rest.split('"').next().unwrap()) {
            assert!(
                page.contains(&format!("`{name}`")) || name == "class",
                "{name}"
            );
            parameters += 1;
        }
    }
    assert!(parameters > 30, "{parameters} parameters");
}
