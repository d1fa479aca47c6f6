//! `heapwright.toml`: explained bounds that are pasted are the same bounds, the command line
//! overrides the file, and errors name file, line and key.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::OnceLock;

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::{self, Fixture, files, project};
use heapwright_testkit::jdk::jdks;
use tempfile::TempDir;

use crate::common::{program, text};

/// A class with fields of every kind.
const SAMPLE: &str = r#"
package sample;

public class Sample {
    enum Color { RED, GREEN, BLUE }
    static class Base { int hidden; int plain; }
    static class Part extends Base { int hidden; char letter; }
    byte b; short s; int i; long l; char c; boolean z; float f; double d;
    String text; String other; Integer box; Color color; Base part; Object any;
    int[] numbers; int[] more; Part[][] parts;

    public boolean repOK() {
        int sum = b + s + i + (int) l + c + (z ? 1 : 0) + (int) f + (int) d;
        if (text != null && box != null && color != null && any != null) sum++;
        if (other != null && part != null) sum += part.hidden;
        for (int number : numbers) sum += number;
        for (int number : more) sum += number;
        for (Part[] row : parts) for (Part p : row) if (p != null) sum += p.hidden + p.letter;
        return sum >= 0;
    }
    boolean letters() { return c != 0; }
    boolean spins() { while (true) { } }
    boolean texts() { return (text == null ? 1 : text.length()) >= 0 & numbers.length >= 0; }
}
"#;

/// Folder of the class in [`SAMPLE`].
fn sample() -> &'static Path {
    static CLASSES: OnceLock<PathBuf> = OnceLock::new();
    let fixture = || Fixture::new(&["--release", "17", "-nowarn"]).text("Sample", SAMPLE);
    CLASSES.get_or_init(|| fixture().classes())
}

/// Runs a verb in a folder on the classes of `path`.
fn heapwright(folder: &Path, verb: &str, path: &Path, arguments: &[&str]) -> Output {
    program()
        .current_dir(folder)
        .args([verb, "--jdk"])
        .arg(&jdks()[0].home)
        .arg("-p")
        .arg(path)
        .args(arguments)
        .output()
        .unwrap()
}

/// Folder with a settings file.
fn settings(toml: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("heapwright.toml"), toml).unwrap();
    folder
}

/// Lines of the block without comments and scope.
fn said(block: &str) -> Vec<String> {
    block
        .lines()
        .filter(|line| !line.starts_with("scope") && !line.starts_with('#'))
        .map(|line| line.split(" # ").next().unwrap().to_owned())
        .collect()
}

const COUNTS: [&str; 5] = ["explored", "valid", "candidates", "threw", "status"];

/// Whether pasting the explained bounds with another scope gives the same search.
fn goes_around(path: &Path, class: &str, more: &[&str]) -> bool {
    let run = |folder: &Path, arguments: &[&str]| {
        let all = [&["-c", class], more, arguments].concat();
        heapwright(folder, "enumerate", path, &all)
    };
    let count = ["--json", "--search", "korat", "--limit", "20000"];
    let plain = tempfile::tempdir().unwrap();
    let explained = run(plain.path(), &["--scope", "2", "--explain-bounds"]);
    if explained.status.code() != Some(0) {
        return false;
    }
    let block = text(&explained.stdout);
    assert!(block.contains("\nscope = 2\n"), "{block}");
    // The block is complete, so the scope has no effect.
    let pasted = settings(&block.replace("\nscope = 2\n", "\nscope = 1\n"));
    let again = run(pasted.path(), &["--explain-bounds"]);
    assert_eq!(
        said(&text(&again.stdout)),
        said(&block),
        "{class}: {}",
        text(&again.stderr)
    );
    let counts = |output: &Output| {
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{class}: {output:?}"));
        COUNTS.map(|key| summary[key].clone())
    };
    let derived = run(plain.path(), &[&["--scope", "2"], &count[..]].concat());
    assert_eq!(
        counts(&run(pasted.path(), &count)),
        counts(&derived),
        "{class}"
    );
    true
}

#[test]
#[ignore = "long"]
fn explained_bounds_pasted_are_the_same_bounds() {
    assert!(goes_around(sample(), "sample.Sample", &[]));
    explained_bounds_of_fixtures_go_around(5, 8);
}

#[test]
#[ignore = "long"]
fn explained_bounds_of_all_fixtures_are_the_same_bounds() {
    explained_bounds_of_fixtures_go_around(1, 40);
}

/// Compares the bounds of one of `every` fixtures: at least `fewest` have some.
fn explained_bounds_of_fixtures_go_around(every: usize, fewest: usize) {
    let source = project().join("fixtures").join("src");
    let mut compared = 0;
    for file in files(&source, "java").into_iter().step_by(every) {
        let name = file.strip_prefix(&source).unwrap().with_extension("");
        let class = name.to_str().unwrap().replace(['/', '\\'], ".");
        compared += usize::from(goes_around(&fixtures::classes(), &class, &[]));
    }
    assert!(compared >= fewest, "only {compared} classes have bounds");
}

/// A finitization that bounds every field and shares no arrays can be explained and pasted, too.
#[test]
fn explained_finitizations() {
    for class in ["tree.SearchTree", "tree.RedBlackTree", "list.Ring"] {
        let class = format!("fixtures.{class}");
        let run = |folder: &Path, arguments: &[&str]| {
            let all = [&["-c", &class, "--json"], arguments].concat();
            heapwright(folder, "enumerate", &fixtures::classes(), &all).stdout
        };
        let plain = tempfile::tempdir().unwrap();
        let finitized = run(plain.path(), &["--args", "4"]);
        let block = text(&run(plain.path(), &["--args", "4", "--explain-bounds"]));
        let pasted = settings(&format!("[bounds]\nscope = 1\n{block}"));
        let counts = |summary: &[u8]| {
            let summary: serde_json::Value = serde_json::from_slice(summary).unwrap();
            COUNTS.map(|key| summary[key].clone())
        };
        assert_eq!(
            counts(&run(pasted.path(), &[])),
            counts(&finitized),
            "{class}"
        );
    }
}

#[test]
fn a_field_of_every_sort_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let request = ["-c", "sample.Sample", "--scope", "2", "--explain-bounds"];
    let explain = |verb| text(&heapwright(folder.path(), verb, sample(), &request).stdout);
    assert_eq!(explain("check"), explain("enumerate"));
    expect![[r#"
        [bounds]
        scope = 2

        [bounds.objects]
        "sample.Sample" = 1 # scope 2: one, as nothing refers to it; the root
        "java.lang.String" = ["", "a"] # scope 2: N short strings
        "java.lang.Integer" = "0..1" # scope 2: boxes of 0 to N-1
        "sample.Sample$Color" = ["RED", "GREEN", "BLUE"] # scope 2: its constants
        "sample.Sample$Base" = 2 # scope 2: N objects
        "sample.Sample$Part" = 2 # scope 2: N objects

        [bounds.fields]
        "sample.Sample.b" = "0..1" # scope 2: 0 to N-1
        "sample.Sample.s" = "0..1" # scope 2: 0 to N-1
        "sample.Sample.i" = "0..1" # scope 2: 0 to N-1
        "sample.Sample.l" = "0..1" # scope 2: 0 to N-1
        "sample.Sample.c" = "a..b" # scope 2: N letters
        "sample.Sample.z" = [false, true] # scope 2: both booleans
        "sample.Sample.f" = [0.0, 1.0] # scope 2: 0 to N-1
        "sample.Sample.d" = [0.0, 1.0] # scope 2: 0 to N-1
        "sample.Sample.text" = ["null", "java.lang.String"] # scope 2: null or one of N short strings
        "sample.Sample.other" = ["null", "java.lang.String"] # scope 2: null or one of N short strings
        "sample.Sample.box" = ["null", "java.lang.Integer"] # scope 2: null or a box of 0 to N-1
        "sample.Sample.color" = ["null", "sample.Sample$Color"] # scope 2: null or a constant
        "sample.Sample.part" = ["null", "sample.Sample$Base", "sample.Sample$Part"] # scope 2: null or an object
        "sample.Sample.any" = ["null", "java.lang.Integer"] # scope 2: null or a box of 0 to N-1
        "sample.Sample.numbers" = { length = "0..2", element = "0..1" } # scope 2: lengths 0 to N, elements 0 to N-1
        "sample.Sample.more" = { length = "0..2", element = "0..1" } # scope 2: lengths 0 to N, elements 0 to N-1
        "sample.Sample.parts" = { length = "0..2", element = { length = "0..2", element = ["null", "sample.Sample$Part"] } } # scope 2: lengths 0 to N, elements lengths 0 to N, elements null or an object
        "sample.Sample$Base.hidden" = "0..1" # scope 2: 0 to N-1
        "sample.Sample$Base.plain" = "0..1" # scope 2: 0 to N-1
        # "sample.Sample$Part.hidden" = "0..1" # scope 2: 0 to N-1
        "sample.Sample$Part.plain" = "0..1" # scope 2: 0 to N-1
        "sample.Sample$Part.hidden" = "0..1" # scope 2: 0 to N-1
        "sample.Sample$Part.letter" = "a..b" # scope 2: N letters
    "#]].assert_eq(&explain("check"));
}

/// Number of candidates of `Sample` under settings: the product of the fields' domain sizes.
fn candidates(toml: &str, more: &[&str]) -> String {
    let folder = settings(toml);
    let request = [
        &["-c", "sample.Sample", "--invariant", "texts", "--json"],
        more,
    ]
    .concat();
    let output = heapwright(folder.path(), "enumerate", sample(), &request);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    summary["candidates"].to_string()
}

/// With scope 1 all other fields have few values.
#[test]
fn adjusted_ranges() {
    let all = |extra: &str| {
        let fixed = r#"
            [bounds]
            scope = 1
            objects."java.lang.String" = []
            objects."java.lang.Integer" = 7
            objects."sample.Sample.Color" = ["GREEN"]
            objects."sample.Sample.Part" = 0
            objects."sample.Sample.Base" = 0
            [bounds.fields]
            "sample.Sample.z" = true
            "sample.Sample.box" = "null"
            "sample.Sample.color" = "null"
            "sample.Sample.any" = "null"
            "sample.Sample.part" = "null"
            "sample.Sample.more" = { length = 0, element = 0 }
            "sample.Sample.parts" = { length = 0, element = { length = 0, element = "null" } }
        "#;
        let numbers = if extra.contains("numbers") {
            ""
        } else {
            "\"sample.Sample.numbers\" = { length = 0, element = 0 }\n"
        };
        candidates(&format!("{fixed}{numbers}{extra}"), &[])
    };
    assert_eq!(all(""), "1");
    assert_eq!(all(r#""sample.Sample.i" = "-3..4""#), "8");
    assert_eq!(all(r#""sample.Sample.i" = [1, 5, "10..12"]"#), "5");
    assert_eq!(all(r#""sample.Sample.b" = "-128..127""#), "256");
    assert_eq!(all(r#""sample.Sample.c" = ["a..c", "z", 0]"#), "5");
    assert_eq!(all(r#""sample.Sample.d" = [0.5, 1, nan, -inf]"#), "4");
    assert_eq!(all(r#""sample.Sample.f" = 0.1"#), "1");
    assert_eq!(all(r#""sample.Sample.l" = [9000000000]"#), "1");
    // One length, three elements of two values each.
    let array = r#""sample.Sample.numbers" = { length = 3, element = [4, 6] }"#;
    assert_eq!(all(array), "8");
    let array = r#""sample.Sample.numbers" = { length = "1..2", element = "0..2" }"#;
    assert_eq!(all(array), "18");
}

#[test]
fn a_superclass_stands_for_its_subclasses() {
    let folder = settings(
        r#"[bounds]
        scope = 2
        [bounds.fields]
        "sample.Sample.Base.plain" = [5, 7]
        "sample.Sample.Base.hidden" = 3
        "#,
    );
    let request = ["-c", "sample.Sample", "--explain-bounds"];
    let output = heapwright(folder.path(), "check", sample(), &request);
    let shown = text(&output.stdout);
    let lines: Vec<&str> = shown
        .lines()
        .filter(|line| line.contains(".plain") || line.contains(".hidden"))
        .collect();
    expect![[r#"
        "sample.Sample$Base.hidden" = [3] # heapwright.toml
        "sample.Sample$Base.plain" = [5, 7] # heapwright.toml
        # "sample.Sample$Part.hidden" = [3] # heapwright.toml
        "sample.Sample$Part.plain" = [5, 7] # heapwright.toml
        "sample.Sample$Part.hidden" = "0..1" # scope 2: 0 to N-1"#]]
    .assert_eq(&lines.join("\n"));
}

#[test]
fn the_command_line_wins() {
    let toml = "max-steps = 30\n[bounds]\nscope = 3\n";
    let folder = settings(toml);
    let run = |arguments: &[&str]| {
        let class = ["-c", "fixtures.tree.SearchTree", "--json"];
        let all = [&class, arguments].concat();
        let output = heapwright(folder.path(), "enumerate", &fixtures::classes(), &all);
        text(&output.stdout) + &text(&output.stderr)
    };
    let valid = |text: &str, count: u32| text.contains(&format!("\"valid\":{count},"));
    assert!(run(&[]).contains("\"status\":\"partial\""));
    // Sizes end at 2 with scope 3, keys are 0 to 2: 1 + 3 + 2 * 3 structures.
    let found = run(&["--max-steps", "100000"]);
    assert!(valid(&found, 10), "{found}");
    let found = run(&["--max-steps", "100000", "--scope", "2"]);
    assert!(valid(&found, 3), "{found}");
    let found = run(&["--max-steps", "100000", "--args", "3"]);
    assert!(valid(&found, 15), "{found}");
    let found = run(&["--no-config"]);
    assert!(found.contains("no bounds are given"), "{found}");
}

/// The file is that of the project: beside the build file, not above it.
#[test]
fn the_file_is_looked_for_up_to_the_build_file() {
    let root = tempfile::tempdir().unwrap();
    let module = root.path().join("module");
    let deep = module.join("src").join("main");
    fs::create_dir_all(&deep).unwrap();
    fs::create_dir_all(module.join("out")).unwrap();
    let copy = |from: &Path, to: &Path| {
        fs::create_dir_all(to).unwrap();
        for file in files(from, "class") {
            fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
        }
    };
    copy(&sample().join("sample"), &module.join("out").join("sample"));
    let settings = "classpath = [\"module/out\"]\n[bounds]\nscope = 1\n";
    fs::write(root.path().join("heapwright.toml"), settings).unwrap();
    let run = |arguments: &[&str]| {
        program()
            .current_dir(&deep)
            .args(["enumerate", "--jdk"])
            .arg(&jdks()[0].home)
            .args(["-c", "sample.Sample"])
            .args(arguments)
            .output()
            .unwrap()
    };
    // Paths are relative to the file.
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    fs::write(module.join("pom.xml"), "<project/>").unwrap();
    let output = run(&[]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let named = root.path().join("heapwright.toml");
    let output = run(&["--config", named.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

fn refused(toml: &str, expected: &Expect) {
    let message = refusal(toml);
    // The lines of the file that follow are a test of their own.
    let message = message.lines().take_while(|line| line.trim_start() != "|");
    expected.assert_eq(&message.collect::<Vec<_>>().join("\n"));
}

/// Message on settings that are refused.
fn refusal(toml: &str) -> String {
    let folder = settings(toml);
    let request = ["-c", "sample.Sample"];
    let output = heapwright(folder.path(), "enumerate", sample(), &request);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(output.stdout.is_empty());
    let folder = folder.path().canonicalize().unwrap();
    text(&output.stderr).replace(&format!("{}/", folder.display()), "")
}

#[test]
fn what_is_wrong_is_underlined() {
    let fields = "[bounds]\nscope = 1\n[bounds.fields]\n\"sample.Sample.i\" = \"0..x\"\n";
    let messages = ["scop = 3\n", fields, "a = = b\n"].map(refusal);
    expect![[r#"
        heapwright: heapwright.toml:1: scop is no option of any verb; did you mean scope?
          |
        1 | scop = 3
          | ^^^^

        heapwright: heapwright.toml:4: sample.Sample.i: "0..x" is no int

        heapwright: heapwright.toml:1: extra `=`, expected nothing
          |
        1 | a = = b
          |     ^
    "#]]
    .assert_eq(&messages.join("\n"));
}

/// Verbs that build from the API take the same settings.
#[test]
fn verbs_of_the_api_are_set_too() {
    let run = |verb: &str, toml: &str, more: &[&str]| {
        let folder = settings(toml);
        let class = ["-c", "api.Mapped", "--scope", "2"];
        heapwright(
            folder.path(),
            verb,
            &fixtures::classes(),
            &[&class, more].concat(),
        )
    };
    for verb in ["builders", "compare"] {
        for (toml, reason) in [
            ("jobs = 0", "jobs: 0 is not in 1..=1024"),
            ("time-limit = \"1\"", "time-limit: a time is a number"),
        ] {
            let output = run(verb, toml, &[]);
            assert_eq!(output.status.code(), Some(2), "{output:?}");
            assert!(text(&output.stderr).contains(reason), "{verb}: {output:?}");
        }
    }
    let toml = "[api.values_of]\n\"java.util.function.IntUnaryOperator\" = [\"api.Mapped.NEXT\"]";
    let more = ["--from", "api", "--count"];
    let output = run("enumerate", toml, &more);
    assert!(
        // Four numbers, each with no comparator, the natural order and the reverse one.
        text(&output.stdout).starts_with("Mapped: 12 structures"),
        "{output:?}"
    );
}

/// Runs `sequences` under settings. Returns the output and the folder of the tests.
fn sequences(toml: &str, more: &[&str]) -> (Output, TempDir) {
    let folder = settings(toml);
    let class = ["-c", "sample.Sample", "-m", "letters", "-o", "written"];
    let all = [&class, more].concat();
    let output = program()
        .current_dir(folder.path())
        .args(["sequences", "--access", "private", "--jdk"])
        .arg(&jdks()[0].home)
        .args(all)
        .output()
        .unwrap();
    (output, folder)
}

#[test]
#[ignore = "long"]
fn sequences_are_set_too() {
    let classes = format!("classpath = [{:?}]\n", sample());
    let with = |toml: &str| format!("{classes}{toml}");
    let test_of = |folder: &TempDir| {
        let file = "written/sample/SampleHeapwrightTest.java";
        fs::read_to_string(folder.path().join(file)).unwrap()
    };
    let (output, folder) = sequences(&with("junit = 4\n"), &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(test_of(&folder).contains("import org.junit.Test;"));
    let (_, folder) = sequences(&with("junit = 4\n"), &["--junit", "5"]);
    assert!(test_of(&folder).contains("import org.junit.jupiter.api.Test;"));
    let (_, folder) = sequences(&with(""), &[]);
    assert!(test_of(&folder).contains("import org.junit.jupiter.api.Test;"));

    // With few instructions no path ends.
    let (output, _) = sequences(&with("max-steps = 1\n"), &[]);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    let (output, _) = sequences(&with("max-steps = 1\n"), &["--max-steps", "100000"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");

    let (output, _) = sequences(&with("time-limit = \"1\"\n"), &[]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("time-limit: a time is a number"));
    let no_time = with("time-per-class = \"0s\"\n");
    let (output, _) = sequences(&no_time, &[]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let (output, _) = sequences(&no_time, &["--time-per-class", "none"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let (output, _) = sequences(&with("time-per-class = \"1\"\n"), &[]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(text(&output.stderr).contains("time-per-class: a time is a number"));
    // The class path of the command line counts, too.
    let (output, _) = sequences(&with(""), &["-p", "."]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let (output, _) = sequences(&with("junit = 4\n"), &["--no-config"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}

/// Options that no function fills in: a class, flags, lists, paths, and those of one verb alone.
#[test]
fn every_option_can_be_set() {
    let toml = format!(
        "classpath = [{:?}]\njdk = {:?}\nclass = \"sample.Sample\"\njson = true\nlimit = 7\n\
         max_steps = 1000\n[enumerate]\nlimit = 2\nsearch = \"korat\"\n[bounds]\nscope = 1\n",
        sample(),
        jdks()[0].home
    );
    let folder = settings(&toml);
    let run = |arguments: &[&str]| {
        let output = program()
            .current_dir(folder.path())
            .args(arguments)
            .output();
        output.unwrap()
    };
    let summary = |arguments: &[&str]| -> serde_json::Value {
        let output = run(arguments);
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
    };
    let own = summary(&["enumerate", "--invariant", "texts"]);
    assert_eq!(own["search"], "korat");
    assert_eq!(own["stopped_by"], "--limit");
    assert_eq!(own["valid"], 2);
    // What the command line says is not the file's.
    let given = summary(&["enumerate", "--invariant", "texts", "--limit", "3"]);
    assert_eq!(given["valid"], 3);
    // `paths` has neither a limit nor a table.
    assert_eq!(summary(&["paths", "-m", "letters"])["status"], "complete");
    let output = run(&["paths", "-m", "letters", "-v"]);
    let details = text(&output.stderr);
    let shown = |text: &str| details.lines().any(|line| line.starts_with(text));
    assert!(shown("heapwright: settings of "), "{details}");
    assert!(shown("heapwright: JDK "), "{details}");
    assert!(shown("heapwright: class path: "), "{details}");
    for (toml, message) in [
        (
            "[paths]\nlimit = 1\n",
            "heapwright.toml:2: limit is no option of paths",
        ),
        (
            "[pathes]\nloop-k = 1\n",
            "heapwright.toml:1: [pathes] is none of",
        ),
        (
            "config = \"x\"\n",
            "heapwright.toml:1: config: it names the file",
        ),
        (
            "prefer-api = 1\n",
            "heapwright.toml:1: prefer-api: it is true or false",
        ),
        (
            "search = \"deep\"\n",
            "heapwright.toml:1: search: invalid value 'deep'",
        ),
    ] {
        let folder = settings(toml);
        let request = ["-c", "sample.Sample", "--scope", "1"];
        let output = heapwright(folder.path(), "enumerate", sample(), &request);
        assert_eq!(output.status.code(), Some(2), "{toml}: {output:?}");
        assert!(text(&output.stderr).contains(message), "{toml}: {output:?}");
    }
}

/// Errors are written, whatever is asked for; notices only where nobody wants quiet.
#[test]
fn messages_have_levels() {
    let folder = settings("");
    let with = |arguments: &[&str]| {
        let request = [&["-c", "sample.Sample", "--scope", "1"], arguments].concat();
        text(&heapwright(folder.path(), "enumerate", sample(), &request).stderr)
    };
    let stopped = ["--invariant", "spins", "--max-steps", "100"];
    assert!(
        with(&stopped).contains("heapwright: "),
        "{}",
        with(&stopped)
    );
    assert_eq!(with(&[&stopped[..], &["-q"]].concat()), "");
    let wrong = with(&["--invariant", "nothing", "-q"]);
    assert!(wrong.contains("heapwright: "), "{wrong}");
    assert!(with(&["-q", "-v"]).contains("cannot be used with"));
}

#[test]
fn what_is_wrong_is_named() {
    let field = |line: &str| format!("[bounds]\nscope = 1\n[bounds.fields]\n{line}\n");
    let object = |line: &str| format!("[bounds]\nscope = 1\n[bounds.objects]\n{line}\n");
    refused(
        "scop = 3",
        &expect![
            "heapwright: heapwright.toml:1: scop is no option of any verb; did you mean scope?"
        ],
    );
    refused(
        "a = = b",
        &expect!["heapwright: heapwright.toml:1: extra `=`, expected nothing"],
    );
    refused(
        "[bounds]\nscope = -1",
        &expect!["heapwright: heapwright.toml:2: invalid value: integer `-1`, expected u32"],
    );
    refused(
        "jobs = 0",
        &expect!["heapwright: heapwright.toml:1: jobs: 0 is not in 1..=1024"],
    );
    refused(
        "\ntime-limit = \"soon\"",
        &expect![
            "heapwright: heapwright.toml:2: time-limit: a time is a number followed by ms, s, m or h"
        ],
    );
    refused(
        &object("\"sample.Sampel\" = 1"),
        &expect![
            "heapwright: heapwright.toml:4: sample.Sampel: class sample.Sampel not found on the class path; did you mean sample.Sample, sample.Sample$Base, sample.Sample$Part?"
        ],
    );
    refused(
        &object("\"sample.Sample\" = \"two\""),
        &expect![
            "heapwright: heapwright.toml:4: sample.Sample: the number of objects of the class is missing: a number from 0"
        ],
    );
    refused(
        &object("\"sample.Sample\" = 0"),
        &expect![
            "heapwright: heapwright.toml:4: sample.Sample: the class under test has at least one object, the root"
        ],
    );
    refused(
        &object("\"java.util.ArrayList\" = 3"),
        &expect![
            "heapwright: heapwright.toml:4: java.util.ArrayList: of the library's objects only strings and boxes can be named"
        ],
    );
    refused(
        &object("sample.Sample = 3"),
        &expect![
            "heapwright: heapwright.toml:4: sample: unknown key Sample: arrays are { length = …, element = … }, and names of classes and fields are put in quotes"
        ],
    );
    refused(
        &object("\"sample.Sample$Part\" = 1\n\"sample.Sample.Part\" = 2"),
        &expect!["heapwright: heapwright.toml:5: sample.Sample.Part: the class is named twice"],
    );
    refused(
        &object("\"sample.Sample.Color\" = \"REED\""),
        &expect![
            "heapwright: heapwright.toml:4: sample.Sample.Color: there is no constant REED; did you mean RED?"
        ],
    );
    refused(
        &field("\"sample.Sample.numbrs\" = 1"),
        &expect![
            "heapwright: heapwright.toml:4: sample.Sample.numbrs: class sample.Sample has no field numbrs; did you mean numbers?"
        ],
    );
    refused(
        &field("\"sample.Sample.i\" = \"0..x\""),
        &expect![[r#"heapwright: heapwright.toml:4: sample.Sample.i: "0..x" is no int"#]],
    );
    refused(
        &field("\"sample.Sample.i\" = \"4..0\""),
        &expect![[
            r#"heapwright: heapwright.toml:4: sample.Sample.i: "4..0" is empty: it ends before it begins"#
        ]],
    );
    refused(
        &field("\"sample.Sample.i\" = [1, \"0..4\"]"),
        &expect!["heapwright: heapwright.toml:4: sample.Sample.i: a value is named twice"],
    );
    refused(
        &field("\"sample.Sample.i\" = []"),
        &expect!["heapwright: heapwright.toml:4: sample.Sample.i: there is no value to range over"],
    );
    refused(
        &field("\"sample.Sample.b\" = 128"),
        &expect!["heapwright: heapwright.toml:4: sample.Sample.b: 128 is no byte"],
    );
    refused(
        &field("\"sample.Sample.l\" = \"0..9223372036854775807\""),
        &expect![[
            r#"heapwright: heapwright.toml:4: sample.Sample.l: "0..9223372036854775807" is too much: at most 1048576 values can be chosen one by one"#
        ]],
    );
    refused(
        &field("\"sample.Sample.l\" = 1979-05-27"),
        &expect![
            "heapwright: heapwright.toml:4: sample.Sample.l: datetime is none of a number, a boolean and a string"
        ],
    );
    refused(
        &field("\"sample.Sample.i\" = \"null\""),
        &expect![[r#"heapwright: heapwright.toml:4: sample.Sample.i: "null" is no int"#]],
    );
    refused(
        &field("\"sample.Sample.part\" = \"sample.Sample\""),
        &expect![
            "heapwright: heapwright.toml:4: sample.Sample.part: an object of sample.Sample is no sample.Sample$Base"
        ],
    );
    refused(
        &field("\"sample.Sample.part\" = 3"),
        &expect![[r#"heapwright: heapwright.toml:4: sample.Sample.part: 3 is no class or "null""#]],
    );
    refused(
        &field("\"sample.Sample.any\" = \"java.util.List\""),
        &expect![
            "heapwright: heapwright.toml:4: sample.Sample.any: no object of java.util.List can be made: it is abstract"
        ],
    );
    refused(
        &field("\"sample.Sample.numbers\" = { length = -1, element = 0 }"),
        &expect!["heapwright: heapwright.toml:4: sample.Sample.numbers: a length is 0 to 65536"],
    );
    refused(
        &field("\"sample.Sample.numbers\" = { lenght = 1, element = 0 }"),
        &expect![
            "heapwright: heapwright.toml:4: sample.Sample.numbers: unknown key lenght: arrays are { length = …, element = … }, and names of classes and fields are put in quotes"
        ],
    );
    refused(
        &field("\"sample.Sample.numbers\" = 3"),
        &expect![
            "heapwright: heapwright.toml:4: sample.Sample.numbers: 3 is no array: say { length = …, element = … }"
        ],
    );
}
