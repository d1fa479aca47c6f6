//! `heapwright doctor`: what was found of all that a run can need, and what to do about the rest.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::Context;
use clap::Args;
use heapwright_jvm::Jdk;
use heapwright_project::{BuildRequest, BuildRoot, Compilation, Module, Project};
use heapwright_solve::smt::find_library;
use schemars::JsonSchema;
use serde::Serialize;

use crate::exit;
use crate::files::{counted, print};
use crate::options::{OutputArgs, jobs};
use crate::report::claim::Claim;
use crate::report::summary::Head;
use crate::settings;

/// Options of `doctor`.
#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// JDK whose library is run: 17, 21 or 25 [default: JAVA_HOME, else java on the PATH]
    #[arg(long, value_name = "DIR")]
    pub jdk: Option<PathBuf>,
    /// Argument for the build tool, as -Pci or --offline (repeatable)
    #[arg(long = "build-arg", value_name = "ARG", allow_hyphen_values = true)]
    pub build_arguments: Vec<String>,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// Keys of the summary of `doctor`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DoctorSummary {
    /// What was looked for, in order.
    findings: Vec<Finding>,
}

/// Something that a run can need.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Finding {
    /// What was looked for.
    what: String,
    /// Whether it was found.
    state: State,
    /// What was found, or what is missing and what to do.
    text: String,
}

/// Whether something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It was found.
    Ok,
    /// It was not found, and some of what the program does needs it.
    Missing,
    /// It was not found or is wrong, and runs here fail.
    Problem,
}

/// Report under way.
#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn add(&mut self, what: impl Into<String>, state: State, text: impl Into<String>) {
        self.0.push(Finding {
            what: what.into(),
            state,
            text: text.into(),
        });
    }
}

/// Looks for all that a run can need. The exit code is 1 if runs in this folder fail.
///
/// # Errors
/// The current folder is unknown, or standard output cannot be written to.
pub fn run(arguments: &DoctorArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let folder = env::current_dir().context("failed to find the current folder")?;
    let mut findings = Findings::default();
    look_for_jdk(&mut findings, arguments.jdk.as_deref());
    match find_library() {
        Ok(library) => findings.add("Z3", State::Ok, library.to_string()),
        Err(error) => findings.add(
            "Z3",
            State::Missing,
            format!(
                "{error}. Without it conditions that are not linear over integers stay undecided"
            ),
        ),
    }
    look_at_machine(&mut findings);
    look_for_git(&mut findings);
    match settings::of_project(&folder) {
        Some(file) => findings.add("settings", State::Ok, file.display().to_string()),
        None => findings.add(
            "settings",
            State::Ok,
            "none; `heapwright init` writes a heapwright.toml to begin with",
        ),
    }
    let request = BuildRequest {
        arguments: arguments.build_arguments.clone(),
        deadline: None,
    };
    look_at_build(&mut findings, &folder, &request);
    let Findings(findings) = findings;
    let has_problem = findings
        .iter()
        .any(|finding| finding.state == State::Problem);
    if arguments.output.json {
        Head::of_classes(&[], &Claim::ended(None), start.elapsed().as_secs_f64())
            .with(DoctorSummary { findings })
            .print("doctor")?;
    } else {
        print(&text(&findings))?;
    }
    Ok(match has_problem {
        true => exit::ExitCode::Found.into(),
        false => exit::ExitCode::Done.into(),
    })
}

fn look_for_jdk(findings: &mut Findings, explicit: Option<&Path>) {
    let jdk = match Jdk::find(explicit) {
        Ok(jdk) => jdk,
        Err(error) => return findings.add("JDK", State::Problem, error.to_string()),
    };
    let home = jdk.home.display();
    findings.add("JDK", State::Ok, format!("{} in {home}", jdk.version));
    let tool = |name: &str| {
        let file = format!("{name}{}", env::consts::EXE_SUFFIX);
        jdk.home.join("bin").join(file).is_file()
    };
    match tool("javac") && tool("java") {
        true => findings.add("compiler", State::Ok, "tests are compiled and run before they are written"),
        false => findings.add(
            "compiler",
            State::Missing,
            format!("{home} has no javac: tests are written without being compiled and run; install a whole JDK"),
        ),
    }
}

fn look_at_machine(findings: &mut Findings) {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = text.lines().find_map(|line| line.strip_prefix("MemTotal:"));
    let total = total.and_then(|rest| {
        rest.trim()
            .trim_end_matches("kB")
            .trim()
            .parse::<u64>()
            .ok()
    });
    let memory = match total {
        Some(kilobytes) => format!("{} MB of memory, ", kilobytes >> 10),
        None => String::new(),
    };
    findings.add(
        "machine",
        State::Ok,
        format!("{memory}{}; a run takes one worker a core, each with 2g unless --max-memory says otherwise", counted(jobs(None) as u64, "core")),
    );
}

fn look_for_git(findings: &mut Findings) {
    let version = Command::new("git").arg("--version").output();
    match version.ok().filter(|output| output.status.success()) {
        Some(output) => {
            let text = String::from_utf8_lossy(&output.stdout);
            findings.add(
                "git",
                State::Ok,
                text.trim().trim_start_matches("git version "),
            );
        }
        None => findings.add(
            "git",
            State::Missing,
            "generate --changed-since asks it: install git",
        ),
    }
}

fn look_at_build(findings: &mut Findings, folder: &Path, request: &BuildRequest) {
    let Some(root) = BuildRoot::find(folder) else {
        return findings.add(
            "build",
            State::Ok,
            "no pom.xml, build.gradle or build.gradle.kts is here or above: name the class path with -p",
        );
    };
    let project = match Project::read(&root, request) {
        Ok(project) => project,
        Err(error) => return findings.add("build", State::Problem, error.to_string()),
    };
    let modules: Vec<&Module> = project
        .modules
        .iter()
        .filter(|module| module.has_code())
        .collect();
    findings.add(
        "build",
        State::Ok,
        format!(
            "{}, as {} reads it: {} with code",
            root.file.display(),
            root.tool,
            counted(modules.len() as u64, "module")
        ),
    );
    for module in modules {
        let (state, text) = state_of(&project, module);
        findings.add(format!("module {}", module.short_name()), state, text);
    }
}

/// State of a module: whether it is compiled, and what its tests can use.
fn state_of(project: &Project, module: &Module) -> (State, String) {
    let command = project.compile_command(module);
    if let Some(reason) = &module.unresolved {
        return (
            State::Problem,
            format!("{} did not find what it needs: {reason}", project.root.tool),
        );
    }
    let (state, compiled) = match module.compilation() {
        Compilation::NoSources => return (State::Ok, "no sources".to_owned()),
        Compilation::Missing => (State::Problem, format!("not compiled: run `{command}`")),
        Compilation::Stale(file) => (
            State::Missing,
            format!(
                "{} is newer than the classes: run `{command}`",
                file.display()
            ),
        ),
        Compilation::Current => (
            State::Ok,
            counted(module.classes().len() as u64, "compiled class file"),
        ),
    };
    let release = match &module.release {
        Some(release) => format!(", for Java {release}"),
        None => String::new(),
    };
    let libraries = libraries(module);
    let has_framework = libraries
        .iter()
        .any(|name| name.starts_with("JUnit") || name.starts_with("TestNG"));
    let tests = match (libraries.is_empty(), has_framework) {
        (true, _) => "nothing to test with: add JUnit to the dependencies of its tests".to_owned(),
        (false, false) => format!("{}, but neither JUnit nor TestNG", libraries.join(", ")),
        (false, true) => libraries.join(", "),
    };
    let state = match has_framework {
        true => state,
        false if state == State::Ok => State::Missing,
        false => state,
    };
    (state, format!("{compiled}{release}; tests have {tests}"))
}

/// Libraries for tests on a module's class paths, with their versions, by the names of jars.
fn libraries(module: &Module) -> Vec<String> {
    const KNOWN: [(&str, &str); 5] = [
        ("junit-jupiter-api", "JUnit"),
        ("junit", "JUnit"),
        ("testng", "TestNG"),
        ("assertj-core", "AssertJ"),
        ("mockito-core", "Mockito"),
    ];
    let jars = module.class_path.iter().chain(&module.test_class_path);
    let jars = jars.filter_map(|jar| jar.file_name()?.to_str()?.strip_suffix(".jar"));
    let version = |artifact: &str| {
        jars.clone().find_map(|jar| {
            let version = jar.strip_prefix(artifact)?.strip_prefix('-')?;
            version
                .starts_with(|first: char| first.is_ascii_digit())
                .then_some(version)
        })
    };
    let found = KNOWN.iter().filter_map(|(artifact, name)| {
        let version = version(artifact)?;
        Some(format!("{name} {version}"))
    });
    found.collect()
}

/// Lines for people.
fn text(findings: &[Finding]) -> String {
    let width = findings.iter().map(|finding| finding.what.chars().count());
    let width = width.max().unwrap_or_default();
    let mut text = String::new();
    for finding in findings {
        let state = match finding.state {
            State::Ok => "ok",
            State::Missing => "missing",
            State::Problem => "problem",
        };
        let _ = writeln!(text, "{state:7}  {:width$}  {}", finding.what, finding.text);
    }
    text
}
