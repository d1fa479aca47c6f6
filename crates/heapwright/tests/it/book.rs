//! The book is true: the commands on its pages are run on the class that `docs/first-steps.md`
//! prints, and their output ends as shown.

use std::fs;
use std::path::Path;

use heapwright_testkit::fixtures::{Fixture, files, project, verifiers, without_seconds};
use heapwright_testkit::jdk::jdks;

use regex::Regex;

use crate::common::{program, without_paths};

fn page(name: &str) -> String {
    fs::read_to_string(project().join("docs").join(name)).unwrap()
}

/// Code blocks of a language on a page.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<&'p str> {
    let fence = format!("```{language}\n");
    let starts = page.split(fence.as_str()).skip(1);
    starts
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}

/// Compiles the class into the folder as Maven would.
fn build(folder: &Path, class: &str) {
    let source = folder.join("src/main/java/shop/WaitingList.java");
    fs::create_dir_all(source.parent().unwrap()).unwrap();
    fs::write(&source, class).unwrap();
    let to = folder.join("target/classes");
    let fixture = Fixture::new(&["--release", "17"]).text("WaitingList", class);
    fixture.copied_to(&to);
}

/// Runs the commands on a page and compares the end of their output. Returns their number.
fn run_commands(folder: &Path, page: &str) -> usize {
    let mut run = 0;
    for block in blocks(page, "console") {
        for command in block.split("$ ").filter(|text| !text.is_empty()) {
            let (line, expected) = command.split_once('\n').unwrap();
            let Some(arguments) = line.strip_prefix("heapwright ") else {
                continue;
            };
            let output = program()
                .current_dir(folder)
                .args(arguments.split(' '))
                .arg("--jdk")
                .arg(&jdks()[0].home)
                .output()
                .unwrap();
            let shown = |text: &str| without_paths(&without_seconds(text));
            let printed = shown(&String::from_utf8_lossy(&output.stdout));
            let expected = shown(expected);
            assert!(printed.ends_with(&expected), "{line}:\n{output:?}");
            run += 1;
        }
    }
    run
}

#[test]
fn first_steps() {
    let folder = tempfile::tempdir().unwrap();
    let page = page("first-steps.md");
    let (before, after) = page.split_once("## The fix").unwrap();
    let [class, test] = blocks(before, "java")[..] else {
        panic!("the page shows the class and the test");
    };
    build(folder.path(), class);
    assert_eq!(run_commands(folder.path(), before), 2);
    let tests = folder.path().join("src/test/java/shop");
    let written = fs::read_to_string(tests.join("WaitingListCounterexampleTest.java")).unwrap();
    assert!(written.contains(test), "{written}");
    assert!(tests.join("WaitingListCounterexample1.svg").is_file());

    let unlinking = "before.next = entry.next;\n                }\n";
    let fixed = unlinking.to_owned() + blocks(after, "java")[0];
    assert_eq!(class.matches(unlinking).count(), 1);
    build(folder.path(), &class.replace(unlinking, &fixed));
    assert_eq!(run_commands(folder.path(), after), 1);
}

#[test]
fn guided_paths() {
    let folder = tempfile::tempdir().unwrap();
    let source = project().join("fixtures/src/paths/Lcm.java");
    let fixture = Fixture::new(&["-g", "--release", "17"]).file(source);
    fixture.copied_to(&folder.path().join("target/classes"));
    assert_eq!(run_commands(folder.path(), &page("paths.md")), 2);
}

#[test]
fn sequences_of_calls() {
    let folder = tempfile::tempdir().unwrap();
    let sources = ["TemperatureMonitor", "CoinBox"]
        .map(|class| project().join(format!("fixtures/src/sequences/{class}.java")));
    let none = Fixture::new(&["-g", "--release", "17"]);
    let fixture = sources.into_iter().fold(none, Fixture::file);
    fixture.copied_to(&folder.path().join("target/classes"));
    let page = page("sequences.md");
    assert_eq!(run_commands(folder.path(), &page), 2);
    // The test on the page is one of those that the first command writes.
    let test = blocks(&page, "java")[0];
    let written = program()
        .current_dir(folder.path())
        .args(["sequences", "-p", "target/classes", "-o", "src/test/java"])
        .args(["-c", "sequences.TemperatureMonitor", "--jdk"])
        .arg(&jdks()[0].home)
        .status()
        .unwrap();
    assert!(written.success());
    let tests = folder.path().join("src/test/java/sequences");
    let tests = fs::read_to_string(tests.join("TemperatureMonitorHeapwrightTest.java")).unwrap();
    assert!(tests.contains(test), "{tests}");
}

#[test]
fn verdicts_on_programs() {
    let folder = tempfile::tempdir().unwrap();
    let page = page("verify.md");
    let [turnstile, queue, setting, greeting, speed] = blocks(&page, "java")[..] else {
        panic!("the page shows five programs");
    };
    let compiled = |class: &str, source: &str, to: &str| {
        let fixture = Fixture::new(&["-g", "--release", "17"]).against(&verifiers());
        let fixture = fixture.text(class, source);
        fixture.copied_to(&folder.path().join("target").join(to));
    };
    compiled("Turnstile", turnstile, "classes");
    compiled("Queue", queue, "classes");
    compiled("Setting", setting, "classes");
    compiled("Greeting", greeting, "classes");
    compiled("Speed", speed, "classes");
    let sum = "inside + queue <= places";
    assert_eq!(turnstile.matches(sum).count(), 1);
    let fixed = turnstile.replace(sum, "queue <= places - inside");
    compiled("Turnstile", &fixed, "fixed");
    let settings = blocks(&page, "properties")[0];
    fs::write(folder.path().join("speed.jpf"), settings).unwrap();
    assert_eq!(run_commands(folder.path(), &page), 6);
}

#[test]
fn settings_and_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let class = page("first-steps.md");
    build(folder.path(), blocks(&class, "java")[0]);
    let page = page("bounds.md");
    assert_eq!(run_commands(folder.path(), &page), 1);
    // The example settings work: four entries, sizes to 4, two customers.
    let example = blocks(&page, "toml")[0];
    fs::write(folder.path().join("heapwright.toml"), example).unwrap();
    let output = program()
        .current_dir(folder.path())
        .args(["enumerate", "-c", "shop.WaitingList", "--json", "--jdk"])
        .arg(&jdks()[0].home)
        .output()
        .unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // The empty list, one of two customers, and both in either order.
    assert_eq!(summary["valid"], 1 + 2 + 2, "{output:?}");
}

#[test]
fn reports() {
    let folder = tempfile::tempdir().unwrap();
    let class = page("first-steps.md");
    build(folder.path(), blocks(&class, "java")[0]);
    assert_eq!(run_commands(folder.path(), &page("reports.md")), 1);
    let report = folder.path().join("target/heapwright");
    let files = [
        "index.html",
        "history.json",
        "report.json",
        "heapwright.sarif",
        "junit.xml",
        "jacoco.xml",
        "cobertura.xml",
        "mutations.json",
        "summary.md",
    ];
    for file in files {
        assert!(report.join(file).is_file(), "{file}");
    }
    let class = fs::read_to_string(report.join("classes/shop.WaitingList.html")).unwrap();
    assert!(
        class.contains("src/main/java/shop/WaitingList.java"),
        "{class}"
    );
}

/// Files that the table of contents names.
fn contents() -> Vec<String> {
    let summary = page("SUMMARY.md");
    let links = links(&summary).into_iter();
    links.map(|(_, target)| target.to_owned()).collect()
}

/// Texts and targets of the links on a page, those in code left out.
fn links(page: &str) -> Vec<(&str, &str)> {
    let link = Regex::new(r"(?s)\[([^\]]*)\]\(([^)\s]+)\)").unwrap();
    let blocks = page.split("```").step_by(2);
    let found = blocks.flat_map(|text| link.captures_iter(text));
    found
        .map(|found| {
            let (_, [text, target]) = found.extract();
            (text, target)
        })
        .collect()
}

/// Names by which links can lead to the headings of a page.
fn anchors(page: &str) -> Vec<String> {
    let text = page.split("```").step_by(2).collect::<String>();
    let headings = text.lines().filter_map(|line| {
        let heading = line.trim_start_matches('#');
        (heading.len() < line.len()).then(|| heading.trim().to_lowercase())
    });
    let anchor = |heading: String| {
        let kept = heading
            .chars()
            .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        kept.collect::<String>().replace(' ', "-")
    };
    headings.map(anchor).collect()
}

#[test]
fn the_table_of_contents_has_all_pages() {
    let folder = project().join("docs");
    let files = files(&folder, "md").into_iter();
    let names = files.map(|file| file.file_name().unwrap().to_str().unwrap().to_owned());
    let mut names: Vec<String> = names.filter(|name| name != "SUMMARY.md").collect();
    let mut listed = contents();
    names.sort();
    listed.sort();
    assert_eq!(listed, names);
}

#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    for name in contents()
        .iter()
        .map(String::as_str)
        .chain(["../README.md", "../ARCHITECTURE.md"])
    {
        let text = page(name);
        for (_, target) in links(&text) {
            if target.contains("://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = match file {
                "" => name.to_owned(),
                file => Path::new(name)
                    .with_file_name(file)
                    .to_str()
                    .unwrap()
                    .to_owned(),
            };
            let path = project().join("docs").join(&file);
            let is_there = path.exists()
                && (anchor.is_empty() || anchors(&page(&file)).iter().any(|own| own == anchor));
            if !is_there {
                wrong.push(format!("{name}: {target}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn commands_for_wishes_are_understood() {
    let text = page("tasks.md");
    let commands = text.split('`').skip(1).step_by(2);
    let commands: Vec<&str> = commands
        .filter(|code| code.starts_with("heapwright "))
        .collect();
    assert!(commands.len() >= 20, "{commands:?}");
    for command in commands {
        let words = command
            .split(' ')
            .skip(1)
            .map(|word| word.trim_matches('\''));
        let output = program().args(words).arg("--help").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{command}: {output:?}");
    }
}

#[test]
fn the_terminal_of_the_first_page_shows_what_is_printed() {
    let terminal = page("images/terminal.svg");
    let text = Regex::new("<text[^>]*>([^<]*)</text>").unwrap();
    let shown = text.captures_iter(&terminal);
    let shown: Vec<String> = shown
        .map(|line| {
            line[1]
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&amp;", "&")
        })
        .collect();
    let page = page("first-steps.md");
    assert!(page.contains(&shown.join("\n")), "{shown:#?}");
}
