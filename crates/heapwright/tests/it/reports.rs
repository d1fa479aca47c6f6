//! `--report`: pages in a real browser, and files that are valid by their schemas and readable by
//! other programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use heapwright_testkit::browser::{packages, run_script};
use heapwright_testkit::coverage::coverage;
use heapwright_testkit::fixtures::{Fixture, classes, project};
use heapwright_testkit::jars::fetched;
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit::{self, join};
use serde_json::{Value, json};

use crate::common::{
    has_ended_by_itself, program, sources_of, text, with_enough_time, without_measures,
};

const OPTIONS: [&str; 4] = ["-g", "-nowarn", "--release", "17"];

/// Packages of npm: two schemas, a reader of Cobertura's format, a viewer of mutants, what drives a
/// browser, and rules of accessibility.
fn npm() -> PathBuf {
    let wanted = [
        "@microsoft/jest-sarif@1.0.0-beta.0",
        "axe-core@4.14.1",
        "cobertura-parse@1.0.5",
        "mutation-testing-elements@3.9.0",
        "mutation-testing-report-schema@3.8.4",
        "puppeteer-core@24.43.1",
    ];
    packages("reports", &wanted)
}

/// Classes under test of `measure`.
fn measured() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    CLASSES.get_or_init(|| Fixture::new(&OPTIONS).package("measured").classes())
}

/// Runs `measure` on the tests of the project with a report.
fn measure(report: &Path, further: &[&str]) -> Output {
    let jars = junit::jars();
    let fixture = Fixture::new(&OPTIONS).against(measured());
    let fixture = fixture.against(&jars.console).against(&jars.junit4);
    let tests = fixture.folder(&project().join("fixtures/tests/measured"));
    let path = join(&[
        measured().to_owned(),
        jars.console,
        jars.junit4,
        jars.hamcrest,
    ]);
    let mut command = program();
    command.args(["measure", "--no-config", "-c", "measured.*", "-p"]);
    command.arg(path).arg("--tests").arg(tests.classes());
    command.arg("--sources").arg(project().join("fixtures/src"));
    command.arg("--report").arg(report).args(further);
    command.arg("--jdk").arg(&jdks()[0].home);
    command.env_remove("GITHUB_ACTIONS").output().unwrap()
}

/// Runs a verb on the fixtures.
fn run(arguments: &[&str], report: &Path) -> Output {
    let mut command = program();
    command.args(arguments).arg("--no-config").arg("-p");
    command.arg(classes()).arg("--report").arg(report);
    command.arg("--jdk").arg(&jdks()[0].home);
    command.env_remove("GITHUB_ACTIONS").output().unwrap()
}

fn read(folder: &Path, name: &str) -> String {
    let path = folder.join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Violations of a JSON schema.
fn violations(schema: &Value, document: &Value) -> Vec<String> {
    let schema = jsonschema::validator_for(schema).unwrap();
    let errors = schema.iter_errors(document);
    let errors = errors.map(|error| format!("{error} at {}", error.instance_path()));
    errors.collect()
}

/// Checks the files of a report that have schemas.
fn assert_valid(folder: &Path) {
    let packages = npm();
    let schema = "@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";
    let sarif = read_json(&folder.join("heapwright.sarif"));
    let mut schema = read_json(&packages.join(schema));
    // The pattern of a key that we do not write is no regular expression: it closes a bracket twice.
    for owner in ["run", "toolComponent"] {
        let language = &mut schema["definitions"][owner]["properties"]["language"];
        language.as_object_mut().unwrap().remove("pattern").unwrap();
    }
    assert_eq!(violations(&schema, &sarif), [""; 0]);
    let schema = "mutation-testing-report-schema/dist/src/mutation-testing-report-schema.json";
    let mutations = read_json(&folder.join("mutations.json"));
    assert_eq!(
        violations(&read_json(&packages.join(schema)), &mutations),
        [""; 0]
    );
    let schema = program().args(["schema", "report"]).output().unwrap();
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    let data = read_json(&folder.join("report.json"));
    assert_eq!(violations(&schema, &data), [""; 0]);
    let [jar] = fetched("jacoco-report", ["org.jacoco:org.jacoco.report:0.8.14"]);
    let java = jdks()[0].home.join("bin/java");
    let validated = Command::new(java)
        .arg(sources_of("reports").join("Validate.java"))
        .arg(jar)
        .arg("org/jacoco/report/xml/report.dtd")
        .arg(folder.join("jacoco.xml"))
        .output()
        .unwrap();
    assert_eq!(text(&validated.stdout).trim(), "report", "{validated:?}");
}

#[test]
#[ignore = "servers: npm and a browser"]
fn files_of_a_measurement_are_valid() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    let output = measure(&report, &["--json"]);
    assert!(output.status.success(), "{output:?}");
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_valid(&report);

    // JaCoCo's and Cobertura's counts are those of the summary, and so are the mutants of Stryker's.
    let jacoco = read(&report, "jacoco.xml");
    let total = |kind: &str| {
        let line = jacoco.lines().rev();
        let mut of_kind = line.filter(|line| line.contains(&format!("type=\"{kind}\"")));
        let numbers = of_kind.next().unwrap().split('"').collect::<Vec<_>>();
        let number = |place: usize| numbers[place].parse::<u64>().unwrap();
        json!([number(5), number(3) + number(5)])
    };
    for (kind, key) in [("INSTRUCTION", "instructions"), ("BRANCH", "branches")] {
        let counts = ["covered", "total"].map(|what| summary[format!("{key}_{what}")].clone());
        assert_eq!(total(kind), json!(counts), "{kind}");
    }
    let cobertura = run_script(
        &sources_of("reports").join("cobertura.js"),
        &npm(),
        &[&report.join("cobertura.xml")],
    );
    let classes: Value = serde_json::from_slice(&cobertura.stdout).unwrap();
    let classes = classes.as_array().unwrap();
    let by_class = summary["by_class"].as_array().unwrap();
    assert_eq!(classes.len(), by_class.len(), "{cobertura:?}");
    for class in by_class {
        let found = classes.iter().find(|it| it[0] == class["class"]).unwrap();
        assert_eq!(found[2], class["lines_covered"], "{found}");
        assert_eq!(found[3], class["lines_total"], "{found}");
    }
    let mutations = read_json(&report.join("mutations.json"));
    let files = mutations["files"].as_object().unwrap();
    assert!(
        files.keys().all(|file| file.ends_with(".java")),
        "{files:?}"
    );
    let mutants = files
        .values()
        .flat_map(|file| file["mutants"].as_array().unwrap());
    let killed = mutants.filter(|mutant| mutant["status"] == "Killed");
    let killed: Vec<&Value> = killed.collect();
    assert_eq!(json!(killed.len()), summary["killed"]);
    // A few are noticed between two tests.
    let by_tests = killed
        .iter()
        .filter(|mutant| mutant["killedBy"] != json!([]));
    assert!(by_tests.count() * 10 > killed.len() * 9);
    // Stryker's viewer shows them, too: of all files, column 5 has those killed, and the last one
    // all; of all tests, column 1 has those that are the first to kill a mutant.
    let viewed = run_script(
        &sources_of("reports").join("viewer.js"),
        &npm(),
        &[&report.join("mutations.json")],
    );
    let viewed: Value = serde_json::from_slice(&viewed.stdout).unwrap();
    assert_eq!(viewed["errors"], json!([]), "{viewed}");
    let number = |table: &str, column: usize| {
        let rows = viewed[table].as_array().unwrap().iter();
        let mut rows = rows.map(|row| row.as_array().unwrap());
        let all = rows.find(|row| {
            row.first()
                .is_some_and(|name| name.as_str().unwrap().starts_with("All "))
        });
        all.unwrap()[column]
            .as_str()
            .unwrap()
            .parse::<u64>()
            .unwrap()
    };
    assert_eq!(json!(number("mutants", 5)), summary["killed"], "{viewed}");
    assert_eq!(json!(number("mutants", 14)), summary["mutants"], "{viewed}");
    let killing = killed
        .iter()
        .flat_map(|mutant| mutant["killedBy"].as_array().unwrap());
    let killing: BTreeSet<&str> = killing.map(|test| test.as_str().unwrap()).collect();
    assert_eq!(number("tests", 1), killing.len() as u64, "{viewed}");
    let junit = read(&report, "junit.xml");
    assert_eq!(junit.matches("<testcase").count(), 52);
    assert_eq!(junit.matches("<skipped").count(), 3);
}

/// The test that is named as the killer of a mutant is the same whatever the number of workers.
#[test]
fn killers_do_not_depend_on_the_number_of_workers() {
    let mutants = |jobs: &str| {
        let folder = tempfile::tempdir().unwrap();
        let report = folder.path().join("report");
        let output = measure(&report, &["--jobs", jobs]);
        assert!(output.status.success(), "{output:?}");
        read_json(&report.join("mutations.json"))["files"].take()
    };
    assert_eq!(mutants("1"), mutants("4"));
}

#[test]
#[ignore = "servers: npm and a browser"]
fn pages_are_accessible_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    // A trend needs two runs.
    for _ in 0..2 {
        let output = measure(&report, &["--report-formats", "html"]);
        assert!(output.status.success(), "{output:?}");
    }
    assert!(!report.join("jacoco.xml").exists());
    let first = read(&report, "index.html");
    assert!(first.contains("<svg class=\"trend\""), "{first}");
    let told = browse(&report);
    assert_eq!(told["pages"], 6);
    assert_eq!(told["firstStop"], "Skip to content");
    let names = [
        "measured.Account",
        "measured.Forms",
        "measured.Mixture",
        "measured.Ticket",
    ];
    let reversed: Vec<&str> = names.into_iter().rev().collect();
    assert_eq!(told["ascending"], json!(["ascending", names]));
    assert_eq!(told["descending"], json!(["descending", reversed]));
    assert_eq!(told["filtered"], json!([["measured.Ticket"], "1 of 4"]));
    assert_eq!(told["printed"], true);
}

#[test]
#[ignore = "servers: npm and a browser"]
fn drawings_are_accessible_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let list = ["-c", "fixtures.tree.SearchTree", "--scope", "3"];
    let enumerated = folder.path().join("enumerated");
    let output = run(&[&["enumerate"], &list[..]].concat(), &enumerated);
    assert!(output.status.success(), "{output:?}");
    let gallery = read(&enumerated, "structures.html");
    let drawn = gallery.matches("<figure").count();
    let drawings = read(&enumerated, "drawings/structures.js");
    assert_eq!(drawings.matches("</svg>").count(), drawn);
    let told = browse(&enumerated);
    let sizes = told["sizes"].as_array().unwrap();
    assert!(!sizes.is_empty() && sizes.len() < drawn, "{told}");
    assert!(sizes.iter().all(|size| size == "2"), "{told}");
    assert_eq!(told["drawn"], true);

    let paths = folder.path().join("paths");
    let output = run(&["paths", "-c", "paths.Lcm"], &paths);
    assert!(output.status.success(), "{output:?}");
    assert!(read(&paths, "flow.html").contains("blocks are covered"));
    browse(&paths);

    // Of a run for one class no pages for another one are left.
    let output = run(&["paths", "-c", "paths.Power"], &paths);
    assert!(output.status.success(), "{output:?}");
    let pages = fs::read_dir(paths.join("classes")).unwrap();
    let pages: Vec<String> = pages
        .map(|page| page.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(pages, ["paths.Power.html"]);
}

/// Opens all pages in a browser; returns what it tells.
fn browse(report: &Path) -> Value {
    let shots = tempfile::tempdir().unwrap();
    let script = sources_of("reports").join("browse.js");
    let output = run_script(&script, &npm(), &[report, shots.path()]);
    assert!(output.status.success(), "{output:?}");
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    for key in ["violations", "errors", "foreign", "wide"] {
        assert_eq!(told[key], json!([]), "{key}");
    }
    let pages = told["pages"].as_u64().unwrap() as usize;
    assert_eq!(fs::read_dir(shots.path()).unwrap().count(), 4 * pages);
    told
}

#[test]
#[ignore = "servers: npm and a browser"]
fn failing_behaviours_are_drawn_and_annotated() {
    let folder = tempfile::tempdir().unwrap();
    let (report, summary) = (
        folder.path().join("report"),
        folder.path().join("summary.md"),
    );
    let check = |further: &[&str]| {
        let mut command = program();
        command.args([
            "check",
            "--no-config",
            "-c",
            "faults.AvlTree",
            "--scope",
            "3",
        ]);
        command.args(further).arg("-p").arg(classes());
        command.arg("--report").arg(&report);
        command.arg("--sources").arg(project().join("fixtures/src"));
        command.arg("-o").arg(folder.path().join("tests"));
        command.arg("--jdk").arg(&jdks()[0].home);
        command.env("GITHUB_ACTIONS", "true");
        command
            .env("GITHUB_STEP_SUMMARY", &summary)
            .output()
            .unwrap()
    };
    let output = check(&[]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let printed = text(&output.stdout);
    let errors = printed
        .lines()
        .filter(|line| line.starts_with("::error file="));
    assert!(
        errors
            .clone()
            .all(|line| line.contains("AvlTree.java,line=")),
        "{printed}"
    );
    assert!(errors.count() > 0, "{printed}");
    let job = fs::read_to_string(&summary).unwrap();
    assert!(job.starts_with("## Heapwright check"), "{job}");
    assert_valid(&report);
    let data = read_json(&report.join("report.json"));
    let behaviour = &data["behaviours"][0];
    assert!(
        behaviour["reproducer"]["text"]
            .as_str()
            .unwrap()
            .contains("@Test")
    );
    assert_eq!(behaviour["drawings"].as_array().unwrap().len(), 2);
    let drawing = read(&report, "drawings/1-1.svg");
    assert!(drawing.starts_with("<svg"), "{drawing}");
    browse(&report);

    // A summary for programs stays alone on standard output.
    let output = check(&["--json", "--report-formats", "github,sarif"]);
    assert!(
        serde_json::from_slice::<Value>(&output.stdout).is_ok(),
        "{output:?}"
    );
    let twice = fs::read_to_string(&summary).unwrap();
    assert_eq!(twice.matches("## Heapwright check").count(), 2);
}

#[test]
#[ignore = "servers: npm and a browser"]
fn generated_tests_are_reported_from_earlier_results_too() {
    let folder = tempfile::tempdir().unwrap();
    let tests = folder.path().join("tests");
    let generate = |report: &str| {
        let report = folder.path().join(report);
        let tests = tests.to_str().unwrap();
        let class = "sequences.CoinBox";
        let output = run(&["generate", "-c", class, "-o", tests], &report);
        assert!(output.status.success(), "{output:?}");
        let mut data = without_measures(read_json(&report.join("report.json")));
        data.as_object_mut().unwrap().remove("started");
        (text(&output.stderr), data, report)
    };
    let (_, first, report) = generate("first");
    let (told, second, _) = generate("second");
    assert!(
        told.contains("the result of an earlier run holds"),
        "{told}"
    );
    assert_eq!(first, second);
    assert_valid(&report);
    let class = &first["classes"][0];
    assert_eq!(class["name"], "sequences.CoinBox");
    let is_covered = |goal: &Value| goal["fate"]["fate"] == "covered";
    assert!(class["goals"].as_array().unwrap().iter().any(is_covered));
    let lines = class["methods"].as_array().unwrap().iter();
    let mut lines = lines.flat_map(|method| method["lines"].as_array().unwrap());
    assert!(lines.any(|line| line["tests"].as_array().unwrap().len() > 1));
    let of_tests = first["tests"].as_array().unwrap();
    assert!(
        of_tests
            .iter()
            .all(|test| test["outcome"]["outcome"] == "passed")
    );
    assert!(
        of_tests
            .iter()
            .all(|test| test["code"]["text"].as_str().unwrap().contains("@"))
    );
    assert!(
        of_tests
            .iter()
            .any(|test| test["states"].as_array().unwrap().len() == 2)
    );
    assert_eq!(lines_of(class), lines_of_jacoco(&tests));
    // Nothing is said of sources that were not found but where they can be named.
    let notes = first["notes"].to_string();
    assert!(notes.contains("--sources"), "{notes}");
    assert!(read(&report, "classes/sequences.CoinBox.html").contains("The source was not found"));
}

/// Covered and all instructions of each line, then its branches.
type Lines = BTreeMap<u64, [u64; 4]>;

/// Lines of a class in the data of a report.
fn lines_of(class: &Value) -> Lines {
    let mut lines = Lines::new();
    let methods = class["methods"].as_array().unwrap().iter();
    for line in methods.flat_map(|method| method["lines"].as_array().unwrap()) {
        let counts = ["instructions", "branches"].map(|key| {
            let share = &line[key];
            [&share["covered"], &share["total"]].map(|count| count.as_u64().unwrap())
        });
        let all = lines.entry(line["number"].as_u64().unwrap()).or_default();
        for (sum, count) in all.iter_mut().zip(counts.as_flattened()) {
            *sum += count;
        }
    }
    lines
}

/// Lines of the class as JaCoCo counts them, when the tests in a folder run on a JVM.
fn lines_of_jacoco(tests: &Path) -> Lines {
    let console = junit::jars().console;
    let fixture = Fixture::new(&OPTIONS).against(&classes()).against(&console);
    let built = fixture.folder(tests).classes();
    let included = |class: &str| class == "sequences.CoinBox";
    let found = coverage(&compilers()[0], &classes(), &built, &[], included);
    let mut files = found.sources.iter();
    let (_, lines) = files
        .find(|(file, _)| file.ends_with("CoinBox.java"))
        .unwrap();
    let counts = lines.iter().map(|(&number, line)| {
        let (instructions, branches) = (line.instructions, line.branches);
        let counts = [
            instructions.covered,
            instructions.total,
            branches.covered,
            branches.total,
        ];
        (number.into(), counts.map(u64::from))
    });
    counts.collect()
}

#[test]
fn a_stopped_run_has_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("report");
    let run = |limit: &str| measure(&report, &["--time-limit", limit]);
    let output = with_enough_time(1, run, has_ended_by_itself);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let first = read(&report, "index.html");
    assert!(
        first.contains("The run was stopped by --time-limit"),
        "{first}"
    );
    let sarif = read(&report, "heapwright.sarif");
    assert!(sarif.contains("--time-limit ended the run"), "{sarif}");
}

/// Of structures that are many and large, only so many are drawn that the report is written in time.
#[test]
#[ignore = "long"]
fn a_gallery_of_large_structures_is_written_in_time() {
    let source = r"
        public class Big {
            Node head;
            int first, second;
            static class Node { Node next; Node other; }
            public boolean repOK() {
                int size = 0;
                Node before = null;
                for (Node each = head; each != null; each = each.next) {
                    if (++size > 300 || each.other != before) return false;
                    before = each;
                }
                return size == 300 && first >= 0 && second >= 0;
            }
        }
    ";
    let folder = tempfile::tempdir().unwrap();
    let classes = Fixture::new(&OPTIONS).text("Big", source).classes();
    let drawn = |limit: &str| {
        let report = folder.path().join(limit);
        let mut command = program();
        command.args(["enumerate", "--no-config", "-c", "Big", "--scope", "300"]);
        command.args(["--limit", "5000", "--time-limit", limit, "-p"]);
        command.arg(&classes).arg("--report").arg(&report);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let figures = read(&report, "structures.html").matches("<figure").count();
        let first = read(&report, "index.html");
        let note = format!(" structures the first {figures} are drawn");
        assert!(first.contains(&note), "{first}");
        figures
    };
    // The root and 300 nodes are 301 objects.
    assert_eq!(drawn("5m"), 100_000 / 301);
    assert!((1..100_000 / 301).contains(&drawn("1s")));
}

#[test]
fn nothing_is_written_over_what_somebody_wrote() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, contents: &str, what: &str| {
        let report = folder.path().join(name);
        fs::create_dir_all(&report).unwrap();
        fs::write(report.join(name), contents).unwrap();
        let output = run(
            &[
                "enumerate",
                "-c",
                "fixtures.tree.SearchTree",
                "--scope",
                "1",
            ],
            &report,
        );
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let told = text(&output.stderr);
        assert!(told.contains(name) && told.contains(what), "{told}");
        assert_eq!(read(&report, name), contents);
    };
    refused(
        "index.html",
        "<title>Mine</title>",
        "is no report of Heapwright's",
    );
    refused("history.json", "{}", "is no history of reports");
}
