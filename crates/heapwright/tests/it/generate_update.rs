//! `generate` where tests were generated before: only of changed classes, beside existing tests, and
//! not again.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use heapwright_testkit::fixtures::{compile, files, without_seconds};
use heapwright_testkit::jdk::{compilers, jdks};
use tempfile::TempDir;

use crate::common::{program, summary_of, text};
use crate::summaries::faults;

const PRICE: &str = "package shop;\npublic class Price {\n    public static int total(int count) {\n        \
                     return count > 9 ? count * 90 : count * 100;\n    }\n}\n";
const CART: &str = "package shop;\npublic class Cart {\n    private int lines;\n    public int add() {\n        \
                    return ++lines;\n    }\n    public static class Line {\n        public boolean isFree(int price) {\n            \
                    return price == 0;\n        }\n    }\n}\n";

/// Project with two source files, in a repository.
struct Project {
    folder: TempDir,
}

impl Project {
    /// Writes and compiles the sources.
    fn new() -> Project {
        let project = Project {
            folder: tempfile::tempdir().unwrap(),
        };
        project.write("src/main/java/shop/Price.java", PRICE);
        project.write("src/main/java/shop/Cart.java", CART);
        project.write(".gitignore", "/classes\n");
        project.compile();
        project
    }

    /// Does the same, and commits all.
    fn committed() -> Project {
        let project = Project::new();
        project.git(&["init", "--quiet"]);
        project.commit();
        project
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, contents: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, contents).unwrap();
    }

    fn compile(&self) {
        let sources = files(&self.path("src/main/java"), "java");
        let options = ["-g", "-nowarn", "--release", "17"];
        compile(
            &compilers()[0],
            &sources,
            &[],
            &self.path("classes"),
            &options,
        );
    }

    fn git(&self, arguments: &[&str]) {
        let output = Command::new("git")
            .arg("-C")
            .arg(self.folder.path())
            .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
            .args(["-c", "commit.gpgsign=false"])
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    fn commit(&self) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "-m", "a"]);
    }

    /// Command for the package's classes, with tests in `tests`.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program();
        command
            .current_dir(self.folder.path())
            .args(["generate", "--no-config", "-p", "classes", "--jdk"])
            .arg(&jdks()[0].home)
            .args(["-c", "shop.**", "-o", "tests"])
            .args(arguments);
        command
    }

    fn generate(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Names of the files of tests.
    fn tests(&self) -> Vec<String> {
        names(&files(&self.path("tests"), "java"))
    }
}

/// File names of paths.
fn names(paths: &[PathBuf]) -> Vec<String> {
    let names = paths.iter().map(|path| path.file_name().unwrap());
    names
        .map(|name| name.to_str().unwrap().to_owned())
        .collect()
}

#[test]
fn classes_that_have_not_changed_are_left_out() {
    let project = Project::committed();
    project.write(
        "src/main/java/shop/Price.java",
        &PRICE.replace("> 9", "> 19"),
    );
    project.compile();
    let output = project.generate(&["--changed-since", "HEAD"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(
        text(&output.stderr),
        "heapwright: 2 classes not changed since HEAD: not tested\n"
    );
    let printed = without_seconds(&text(&output.stdout));
    assert_eq!(
        printed.lines().last(),
        Some("1 classes: 5 tests for 3 of 3 branches, … s; complete")
    );
    assert_eq!(project.tests(), ["PriceHeapwrightTest.java"]);
}

/// A file counts as changed whether its change is committed, staged, unstaged or not tracked.
#[test]
fn changes_are_found_wherever_they_are() {
    let project = Project::committed();
    let changed = |revision: &str| {
        let output = project.generate(&["--changed-since", revision, "--json"]);
        let summary = summary_of(&output);
        assert_eq!(faults(&summary, "generate"), Vec::<String>::new());
        let classes = summary["classes"].as_array().map(Vec::len);
        let left_out = summary["classes_not_changed"].as_u64();
        (output.status.code(), classes, left_out)
    };
    assert_eq!(changed("HEAD"), (Some(4), Some(0), Some(3)));
    project.write(
        "src/main/java/shop/Price.java",
        &PRICE.replace("> 9", "> 19"),
    );
    assert_eq!(changed("HEAD"), (Some(0), Some(1), Some(2)));
    project.git(&["add", "--all"]);
    assert_eq!(changed("HEAD"), (Some(0), Some(1), Some(2)));
    project.commit();
    assert_eq!(changed("HEAD"), (Some(4), Some(0), Some(3)));
    assert_eq!(changed("HEAD~1"), (Some(0), Some(1), Some(2)));
    let (from, to) = ("src/main/java/shop/Cart.java", "other/shop/Cart.java");
    project.write(to, CART);
    assert_eq!(changed("HEAD"), (Some(0), Some(2), Some(1)));
    // Another package's file of the same name is none of the class.
    std::fs::remove_file(project.path(to)).unwrap();
    project.write("other/Cart.java", "class Cart {\n}\n");
    project.write("other/workshop/Cart.java", "package workshop;\n");
    assert_eq!(changed("HEAD"), (Some(4), Some(0), Some(3)));
    std::fs::remove_file(project.path(from)).unwrap();
    assert_eq!(changed("HEAD"), (Some(0), Some(2), Some(1)));
}

/// A class that is named without a pattern may be left out, too, and one whose source nobody knows
/// is tested.
#[test]
fn a_named_class_is_left_out_or_tested() {
    let project = Project::committed();
    let of = |class: &str| {
        let mut command = program();
        command
            .current_dir(project.path("src/main/java"))
            .args(["generate", "--no-config", "-p", "../../../classes", "--jdk"])
            .arg(&jdks()[0].home)
            .args(["-c", class, "--changed-since", "HEAD"]);
        let output = command.output().unwrap();
        (output.status.code(), text(&output.stderr))
    };
    let nothing =
        "heapwright: no class that was asked for has changed since HEAD: nothing to generate\n";
    assert_eq!(of("shop.Price"), (Some(4), nothing.to_owned()));
    assert_eq!(of("shop.Cart.Line"), (Some(4), nothing.to_owned()));
    let (code, error) = of("shop.Absent");
    assert_eq!(code, Some(2));
    assert!(error.contains("shop.Absent"), "{error}");
    // Without debug information a class has no source file.
    compile(
        &compilers()[0],
        &[project.path("src/main/java/shop/Price.java")],
        &[],
        &project.path("classes"),
        &["-g:none", "--release", "17"],
    );
    assert_eq!(of("shop.Price").0, Some(0));
}

#[test]
fn what_git_cannot_tell_is_a_wrong_request() {
    let refused = |command: &mut Command| {
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert_eq!(text(&output.stdout), "");
        text(&output.stderr)
    };
    let project = Project::committed();
    for revision in ["absent", "--all", "HEAD~5", ""] {
        let option = format!("--changed-since={revision}");
        assert_eq!(
            refused(&mut project.command(&[&option])),
            format!(
                "heapwright: --changed-since {revision}: git knows no such revision: name a commit, branch or tag, \
                 as HEAD~1 or origin/main; a shallow clone lacks older ones (git fetch --unshallow)\n"
            )
        );
    }
    let error = refused(
        project
            .command(&["--changed-since", "HEAD"])
            .env("PATH", project.folder.path()),
    );
    assert!(
        error.starts_with("heapwright: --changed-since asks git, which cannot be started: "),
        "{error}"
    );
    let plain = Project::new();
    let error = refused(
        plain
            .command(&["--changed-since", "HEAD"])
            .env("GIT_CEILING_DIRECTORIES", parent(plain.folder.path())),
    );
    assert!(
        error.starts_with(
            "heapwright: --changed-since HEAD: the current folder is in no work tree of git: run heapwright in that \
             of the project (fatal: not a git repository"
        ),
        "{error}"
    );
    assert_eq!(plain.tests(), Vec::<String>::new());
}

fn parent(folder: &Path) -> &Path {
    folder.parent().unwrap()
}
