//! `generate` where tests were generated before: only of changed classes, beside existing tests, and
//! not again.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use heapwright_testkit::fixtures::{compile, files, without_seconds};
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::{
    has_ended_by_itself, program, summary_of, text, with_enough_time, without_measures,
};
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

    /// Arguments that name all classes, those that are members of others included.
    fn classes(&self) -> Vec<String> {
        let files = files(&self.path("classes/shop"), "class");
        let names = files.iter().map(|file| {
            let name = file.file_stem().unwrap().to_str().unwrap();
            format!("--class=shop.{name}")
        });
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    /// Command for the package's classes, with tests in `tests`.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program();
        command
            .current_dir(self.folder.path())
            .args(["generate", "--no-config", "-p", "classes", "--jdk"])
            .arg(&jdks()[0].home)
            .args(self.classes())
            .args(["-o", "tests"])
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
        Some("1 classes: 3 tests for 3 of 3 goals, 2 of 2 branches, 5 of 5 mutants, … s; complete")
    );
    assert_eq!(project.tests(), ["PriceHeapwrightTest.java"]);
}

/// A file counts as changed whether its change is committed, staged, unstaged or not tracked.
#[test]
#[ignore = "long"]
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

/// Code of a later version: a boundary and a name are others, and there is one more method.
fn evolve(project: &Project) {
    let price = PRICE.replace("> 9", "> 19").replace(
        "    }\n}",
        "    }\n    public static int rest(int count) {\n        return count > 5 ? count - 5 : 0;\n    }\n}",
    );
    project.write("src/main/java/shop/Price.java", &price);
    let cart = CART.replace("isFree", "isGift");
    project.write("src/main/java/shop/Cart.java", &cart);
    project.compile();
}

impl Project {
    /// Adds to existing tests. JUnit is on the class path of tests.
    fn update(&self, arguments: &[&str]) -> Output {
        let mut command = self.command(&["--update", "--test-classpath"]);
        command.arg(junit::jars().console).args(arguments);
        command.output().unwrap()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// Compiles sources of tests into a folder.
    fn compile_tests(&self, sources: &[PathBuf], to: &str) {
        let class_path = [self.path("classes"), junit::jars().console];
        compile(&compilers()[0], sources, &class_path, &self.path(to), &[]);
    }

    /// Runs all tests of the folder on a JVM; returns the number of those that pass.
    fn passing(&self) -> u64 {
        self.compile_tests(&files(&self.path("tests"), "java"), "built");
        let java = jdks()[0].home.join("bin/java");
        let report = junit::run_console(&java, &[self.path("built"), self.path("classes")]);
        assert_eq!(report.failed, 0, "{report:?}");
        report.succeeded as u64
    }
}

/// Counts of a class in a summary: its tests, goals, mutants, and which of them were there before.
fn counts(summary: &Value) -> Value {
    let keys = [
        "tests",
        "tests_kept",
        "goals_covered",
        "goals_covered_before",
        "goals_total",
        "killed",
        "killed_before",
        "mutants",
    ];
    keys.iter().map(|key| summary[key].clone()).collect()
}

#[test]
#[ignore = "long"]
fn tests_that_cover_all_are_left_as_they_are() {
    let project = Project::new();
    assert_eq!(project.generate(&[]).status.code(), Some(0));
    let names = [
        "CartHeapwrightTest.java",
        "CartLineHeapwrightTest.java",
        "PriceHeapwrightTest.java",
    ];
    let read = || names.map(|name| project.read(&format!("tests/shop/{name}")));
    let before = read();
    let output = project.update(&["--json"]);
    let summary = summary_of(&output);
    assert_eq!(faults(&summary, "generate"), Vec::<String>::new());
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert_eq!(summary["files"], json!([]));
    assert_eq!(counts(&summary), json!([0, 8, 11, 11, 11, 11, 11, 11]));
    assert_eq!(
        text(&output.stderr),
        "heapwright: shop.Cart: CartHeapwrightTest.java is kept with 3 tests\n\
         heapwright: shop.Cart$Line: CartLineHeapwrightTest.java is kept with 2 tests\n\
         heapwright: shop.Price: PriceHeapwrightTest.java is kept with 3 tests\n"
    );
    assert_eq!(
        (project.tests(), read()),
        (names.map(str::to_owned).to_vec(), before)
    );
}

/// A test that passes stays to the letter; one that does not is removed where the new behaviour is accepted,
/// and the report says why.
#[test]
#[ignore = "long"]
fn what_holds_of_earlier_tests_is_kept_when_code_changes() {
    let project = Project::new();
    project.generate(&[]);
    let file = "tests/shop/CartHeapwrightTest.java";
    let before = project.read(file);
    evolve(&project);
    let output = project.update(&["--accept", "--json", "-c", "shop.Absent"]);
    let summary = summary_of(&output);
    assert_eq!(faults(&summary, "generate"), Vec::<String>::new());
    // A class that is missing is reported, and the others continue.
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let of_class = summary["by_class"].as_array().unwrap();
    let found = of_class
        .iter()
        .map(|class| (class["class"].as_str().unwrap(), counts(class)));
    assert_eq!(
        found.collect::<Vec<_>>(),
        [
            ("shop.Cart", json!([2, 1, 5, 2, 5, 4, 2, 4])),
            ("shop.Cart$Line", json!([2, 0, 3, 0, 3, 2, 0, 2])),
            ("shop.Price", json!([4, 2, 5, 2, 5, 7, 3, 8])),
        ]
    );
    let removed = |number: usize| &of_class[number]["tests_removed"];
    let refused = "no longer compiles: cannot find symbol   symbol:   method isFree(int)   location: variable line \
                   of type shop.Cart.Line";
    assert_eq!(
        removed(0),
        &json!([
            {"file": "CartHeapwrightTest.java", "test": "isFree_onNewLine_with1_returnsFalse", "reason": refused},
            {"file": "CartHeapwrightTest.java", "test": "isFree_onNewLine_with0_returnsTrue", "reason": refused},
        ])
    );
    let failed = "fails now: java.lang.AssertionError: expected: <900> but was: <1000>";
    assert_eq!(
        removed(2),
        &json!([{"file": "PriceHeapwrightTest.java", "test": "total_with10_returns900", "reason": failed}])
    );
    let messages = text(&output.stderr);
    let told = format!("heapwright: shop.Price:     total_with10_returns900 removed: {failed}\n");
    assert!(messages.contains(&told), "{messages}");
    let tests = [
        "CartHeapwright2Test.java",
        "CartHeapwrightTest.java",
        "CartLineHeapwrightTest.java",
        "PriceHeapwright2Test.java",
        "PriceHeapwrightTest.java",
    ];
    assert_eq!(project.tests(), tests);
    // Two tests and the assertions that only they make are gone.
    let start = before
        .find("\n    @Test\n    @DisplayName(\"isFree with 1")
        .unwrap();
    let end = before
        .find("\n    @Test\n    @DisplayName(\"add after")
        .unwrap();
    let mut left = format!("{}{}", &before[..start], &before[end..]);
    for name in ["False", "True"] {
        let import = format!("import static org.junit.jupiter.api.Assertions.assert{name};\n");
        left = left.replace(&import, "");
    }
    let body = |text: &str| text[..text.rfind("// Checksum").unwrap()].to_owned();
    assert_eq!(body(&project.read(file)), body(&left));
    assert_eq!(project.passing(), 3 + 8);
    // The next run finds the files as it left them.
    let output = project.update(&["--json"]);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert_eq!(
        counts(&summary_of(&output)),
        json!([0, 11, 13, 13, 13, 13, 13, 14])
    );
    assert_eq!(project.tests(), tests);
}

/// A test that fails since the code behaves in another way stays, and no new test says the contrary,
/// until that is accepted. What else is new is tested.
#[test]
#[ignore = "long"]
fn a_changed_behaviour_is_named_and_its_test_stays() {
    let project = Project::new();
    project.generate(&[]);
    let file = "tests/shop/PriceHeapwrightTest.java";
    let before = project.read(file);
    evolve(&project);
    let run = || project.update(&["-c", "shop.Price", "--json"]);
    let output = run();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let summary = summary_of(&output);
    assert_eq!(faults(&summary, "generate"), Vec::<String>::new());
    let price = &summary["by_class"][2];
    assert_eq!(price["tests_removed"], json!([]));
    assert_eq!(
        price["tests_changed"],
        json!([{
            "file": "PriceHeapwrightTest.java",
            "test": "total_with10_returns900",
            "expected": "900",
            "actual": "1000",
        }])
    );
    let messages = text(&output.stderr);
    for told in [
        "heapwright: shop.Price: PriceHeapwrightTest.java is kept with 2 tests\n",
        "heapwright: shop.Price:     total_with10_returns900: behaviour changed: expected 900, is now 1000\n",
        "heapwright: shop.Price:     tests that fail now stay, and no new test calls total: mend the code, or take its \
         new behaviour with --accept\n",
    ] {
        assert!(messages.contains(told), "{messages}");
    }
    assert!(!messages.contains("existing test "), "{messages}");
    assert_eq!(project.read(file), before);
    let new = project.read("tests/shop/PriceHeapwright2Test.java");
    assert!(
        new.contains("Price.rest(") && !new.contains("total"),
        "{new}"
    );
    let open = price["goals_not_covered"].as_array().unwrap();
    let reason = "reached, but in no test: a test that stays expects another behaviour: --accept takes the new one";
    assert!(open.iter().any(|goal| goal["reason"] == reason), "{open:?}");
    // It is the same in the next run, whose result is that of this one.
    let output = run();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(project.read(file), before);
    let output = project.update(&["--accept", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let of_class = &summary_of(&output)["by_class"][2];
    assert_eq!(of_class["tests_changed"], json!([]));
    assert_eq!(
        of_class["tests_removed"][0]["test"],
        "total_with10_returns900"
    );
    project.passing();
}

/// An exception in place of a value is another behaviour, too, and so is one that is missing.
#[test]
fn exceptions_are_behaviour() {
    let project = Project::new();
    let stock = |body: &str| {
        let source = format!(
            "package shop;\npublic class Stock {{\n    public static int take(int count) {{\n        {body}\n    }}\n}}\n"
        );
        project.write("src/main/java/shop/Stock.java", &source);
        project.compile();
    };
    stock("if (count < 0) { throw new IllegalStateException(\"none\"); } return 7;");
    project.generate(&["-c", "shop.Stock", "--no-cache"]);
    let file = "tests/shop/StockHeapwrightTest.java";
    let before = project.read(file);
    stock("if (count >= 0) { throw new IllegalStateException(\"some\"); } return 7;");
    let output = project.update(&["-c", "shop.Stock", "--json", "--no-cache"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let summary = summary_of(&output);
    let of_class = summary["by_class"].as_array().unwrap().iter();
    let changed = of_class.flat_map(|class| class["tests_changed"].as_array().unwrap());
    let changed: Vec<(String, String)> = changed
        .map(|test| {
            let of = |key: &str| test[key].as_str().unwrap().to_owned();
            (of("expected"), of("actual"))
        })
        .collect();
    let missing = ("java.lang.IllegalStateException", "no exception");
    let thrown = "java.lang.IllegalStateException: some";
    assert!(
        changed.contains(&(missing.0.to_owned(), missing.1.to_owned())),
        "{changed:?}"
    );
    assert!(
        changed.iter().any(|(expected, actual)| expected
            .starts_with("assertEquals(7, Stock.take(")
            && actual == thrown),
        "{changed:?}"
    );
    assert_eq!(project.read(file), before);
}

/// A file of which nothing holds makes room for the new one, or goes.
#[test]
#[ignore = "long"]
fn a_file_without_a_test_that_holds_is_replaced_or_removed() {
    let project = Project::new();
    project.generate(&[]);
    let cart = CART
        .replace("public static class", "static class")
        .replace("Line", "Row");
    project.write("src/main/java/shop/Cart.java", &cart);
    std::fs::remove_file(project.path("classes/shop/Cart$Line.class")).unwrap();
    // The name of the second class is that of a file of the first one's member class.
    project.write(
        "src/main/java/shop/CartLine.java",
        "package shop;\npublic class CartLine {\n    public static int one() {\n        return 1;\n    }\n}\n",
    );
    project.compile();
    let output = project.update(&["-q", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(text(&output.stderr), "");
    assert_eq!(
        project.tests(),
        [
            "CartHeapwright2Test.java",
            "CartHeapwrightTest.java",
            "CartLineHeapwrightTest.java",
            "CartRowHeapwrightTest.java",
            "PriceHeapwrightTest.java",
        ]
    );
    let replaced = project.read("tests/shop/CartLineHeapwrightTest.java");
    assert!(
        replaced.contains("assertEquals(1, CartLine.one());"),
        "{replaced}"
    );
}

const BY_HAND: &str = "package shop;\nimport static org.junit.jupiter.api.Assertions.*;\nimport \
                       org.junit.jupiter.api.Test;\nclass PriceTest {\n    @Test\n    void totals() {\n        \
                       new Price();\n        assertEquals(900, Price.total(9));\n        \
                       assertEquals(900, Price.total(10));\n        assertEquals(990, Price.total(11));\n    }\n}\n";

/// Goals of compiled tests are none of new ones.
#[test]
#[ignore = "long"]
fn compiled_tests_leave_less_to_do() {
    let project = Project::new();
    project.write("hand/shop/PriceTest.java", BY_HAND);
    project.compile_tests(&[project.path("hand/shop/PriceTest.java")], "hand-classes");
    let output = project.update(&["--tests", "hand-classes", "--json"]);
    let summary = summary_of(&output);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let price = &summary["by_class"][2];
    assert_eq!(counts(price), json!([0, 0, 3, 3, 3, 5, 5, 5]));
    let tests = ["CartHeapwrightTest.java", "CartLineHeapwrightTest.java"];
    assert_eq!(project.tests(), tests);
    // A weaker test leaves what it does not notice.
    let weak = BY_HAND.replace("assertEquals(900, Price.total(9))", "Price.total(9)");
    project.write("hand/shop/PriceTest.java", &weak);
    project.compile_tests(&[project.path("hand/shop/PriceTest.java")], "hand-classes");
    let output = project.update(&["--tests", "hand-classes", "--json"]);
    let summary = summary_of(&output);
    assert_eq!(
        counts(&summary["by_class"][2]),
        json!([1, 0, 3, 3, 3, 5, 3, 5])
    );
    let added = project.read("tests/shop/PriceHeapwrightTest.java");
    let call = "assertEquals(900, Price.total(9));";
    assert!(added.contains(call), "{added}");
    assert_eq!(added.matches("Test\n").count(), 1, "{added}");
}

/// What somebody wrote or edited stays as it is, whether it holds or not.
#[test]
#[ignore = "long"]
fn files_of_others_are_never_changed() {
    let project = Project::new();
    project.generate(&[]);
    let (price, cart) = (
        "tests/shop/PriceHeapwrightTest.java",
        "tests/shop/CartHeapwrightTest.java",
    );
    let edited = project.read(price).replace(
        "assertEquals(900, Price.total(9))",
        "assertEquals(901, Price.total(9))",
    );
    project.write(price, &edited);
    project.write(
        cart,
        "package shop;\nclass CartHeapwrightTest {\n    Absent absent;\n}\n",
    );
    let output = project.update(&["-c", "shop.Price"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let messages = text(&output.stderr);
    for told in [
        "heapwright: existing test shop.PriceHeapwrightTest.total_with9_returns900() fails: \
         org.opentest4j.AssertionFailedError: expected: <901> but was: <900>\n",
        "shop.Price: PriceHeapwrightTest.java is kept with 2 tests\n",
        "shop.Cart: CartHeapwrightTest.java was written or edited by hand: it stays, but counts for nothing: no \
         longer compiles: cannot find symbol   symbol:   class Absent   location: class shop.CartHeapwrightTest\n",
    ] {
        assert!(messages.contains(told), "{messages}");
    }
    assert_eq!(project.read(price), edited);
    assert_eq!(
        project.tests(),
        [
            "CartHeapwright2Test.java",
            "CartHeapwrightTest.java",
            "CartLineHeapwrightTest.java",
            "PriceHeapwright2Test.java",
            "PriceHeapwrightTest.java",
        ]
    );
    // An edited file that holds counts.
    project.write(
        price,
        &edited
            .replace("901", "900")
            .replace("new Price succeeds", "made"),
    );
    std::fs::remove_file(project.path("tests/shop/PriceHeapwright2Test.java")).unwrap();
    std::fs::remove_file(project.path(cart)).unwrap();
    let output = project.update(&[]);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
}

/// Messages of a command whose request is wrong.
fn refused(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    text(&output.stderr)
}

#[test]
fn a_request_to_update_that_cannot_be_met_is_refused() {
    let project = Project::new();
    let of = |arguments: &[&str]| refused(&mut project.command(arguments));
    let error = of(&["--tests", "classes"]);
    assert!(error.contains("--update"), "{error}");
    assert_eq!(
        of(&["--update", "--criterion", "statements"]),
        "heapwright: --update knows which branches existing tests cover: leave out --criterion\n"
    );
    assert_eq!(
        of(&["--update", "--tests", "absent"]),
        "heapwright: absent does not exist: --tests names the folder or jar of compiled tests\n"
    );
    project.generate(&["-q"]);
    assert_eq!(
        of(&["--update"]),
        "heapwright: --update runs existing tests: tests of JUnit 5 need org.junit.jupiter:junit-jupiter-engine and \
         org.junit.platform:junit-platform-launcher on the class path\n"
    );
    assert_eq!(
        of(&["--update", "--junit-check", "none"]),
        "heapwright: existing tests have to be compiled and run: leave out --junit-check none\n"
    );
    let mut command = program();
    command
        .current_dir(project.folder.path())
        .args(["generate", "--no-config", "-p", "classes", "--jdk"])
        .arg(&jdks()[0].home)
        .args(["-c", "shop.Price", "--update"]);
    assert_eq!(
        refused(&mut command),
        "heapwright: --update adds to the tests of a folder: name it with -o\n"
    );
}

/// What is wrong with a request is said at once, with what to do about it.
#[test]
fn requests_without_a_class_that_is_there_are_refused() {
    let project = Project::new();
    let mistyped = |limit: &str| {
        let mut command = program();
        command
            .current_dir(project.folder.path())
            .args([
                "generate",
                "--no-config",
                "-p",
                "classes",
                "-o",
                "tests",
                "--jdk",
            ])
            .arg(&jdks()[0].home)
            .args(["-c", "shop.Prise", "--time-limit", limit]);
        command.output().unwrap()
    };
    // No search would begin in this time.
    let mistyped = with_enough_time(1, mistyped, has_ended_by_itself);
    assert_eq!(mistyped.status.code(), Some(2), "{mistyped:?}");
    assert_eq!(
        text(&mistyped.stderr),
        "heapwright: class shop.Prise not found on the class path; did you mean shop.Price, shop.Cart$Line, shop.Cart?\n"
    );
    let folder = tempfile::tempdir().unwrap();
    let mut bare = program();
    bare.current_dir(folder.path()).arg("generate");
    let shown = folder.path().canonicalize().unwrap();
    assert_eq!(
        refused(&mut bare),
        format!(
            "heapwright: nothing says what to test: no pom.xml, build.gradle or settings.gradle (or either with .kts) \
             is in {} or above; run generate in a project of Maven or Gradle, or name a class path and classes: \
             heapwright generate -p CLASSPATH -c CLASS\n",
            shown.display()
        )
    );
    // The usage lists no options, not even those of the command line.
    let mut unknown = project.command(&["--jobs", "1", "--assert-all"]);
    let message = refused(&mut unknown);
    assert!(
        message.contains("\nUsage: heapwright generate [OPTIONS] --class <CLASS>\n"),
        "{message}"
    );
}

/// Details name the class path once, however many classes there are.
#[test]
#[ignore = "long"]
fn details_name_the_class_path_once() {
    let output = Project::new().generate(&["-v", "--no-cache"]);
    let details = text(&output.stderr);
    let named = details.matches("heapwright: class path: classes\n").count();
    assert_eq!(named, 1, "{details}");
}

impl Project {
    /// Generates tests; returns the exit code and the summary.
    fn summary(&self, arguments: &[&str]) -> (Option<i32>, Value) {
        let output = self.generate(&[arguments, &["--json"]].concat());
        let summary = summary_of(&output);
        assert_eq!(faults(&summary, "generate"), Vec::<String>::new());
        (output.status.code(), summary)
    }

    /// Number of classes for which an earlier result holds.
    fn cached(&self, arguments: &[&str]) -> u64 {
        self.summary(arguments).1["classes_cached"]
            .as_u64()
            .unwrap()
    }
}

/// Summary without what differs between a search and its result that is used again.
fn results(summary: Value) -> Value {
    let mut summary = without_measures(summary);
    let whole = summary.as_object_mut().unwrap();
    whole.remove("classes_cached");
    for class in whole["by_class"].as_array_mut().unwrap() {
        class.as_object_mut().unwrap().remove("cached");
    }
    summary
}

#[test]
#[ignore = "long"]
fn results_that_hold_still_are_used_again() {
    let project = Project::new();
    let (code, first) = project.summary(&[]);
    assert_eq!((code, &first["classes_cached"]), (Some(0), &json!(0)));
    assert_eq!(first["by_class"][0]["cached"], false);
    let written = |name: &str| {
        std::fs::metadata(project.path(name))
            .unwrap()
            .modified()
            .unwrap()
    };
    let file = "tests/shop/PriceHeapwrightTest.java";
    let (text_before, time_before) = (project.read(file), written(file));
    let (code, second) = project.summary(&[]);
    assert_eq!((code, &second["classes_cached"]), (Some(0), &json!(3)));
    assert_eq!(second["by_class"][0]["cached"], true);
    assert_eq!(results(second), results(first));
    assert_eq!(
        (project.read(file), written(file)),
        (text_before, time_before)
    );
    // For people the result is the same, too, and said to be an earlier one.
    let output = project.generate(&[]);
    let messages = text(&output.stderr);
    let told = "heapwright: shop.Price: unchanged: the result of an earlier run holds\n";
    assert!(messages.contains(told), "{messages}");
    let printed = without_seconds(&text(&output.stdout));
    let line = "Price: 3 tests for 3 of 3 goals, 2 of 2 branches, 5 of 5 mutants; ";
    assert!(
        printed.lines().any(|printed| printed.starts_with(line)),
        "{printed}"
    );
    assert_eq!(project.read("tests/.heapwright/.gitignore"), "*\n");
    // A run that adds to existing tests has a result of its own.
    project.update(&[]);
    assert_eq!(project.cached(&[]), 3);
}

/// An entry counts only while nothing has changed on which its result depends.
#[test]
#[ignore = "long"]
fn a_change_of_anything_makes_a_result_void() {
    let project = Project::new();
    assert_eq!(project.cached(&["--no-cache"]), 0);
    assert!(!project.path("tests/.heapwright").exists());
    assert_eq!(project.cached(&[]), 0);
    assert_eq!(project.cached(&[]), 3);
    assert_eq!(project.cached(&["--no-cache"]), 0);
    // Options.
    assert_eq!(project.cached(&["--jobs", "1"]), 3);
    assert_eq!(project.cached(&["--seed", "1"]), 0);
    assert_eq!(project.cached(&["--seed", "1"]), 3);
    assert_eq!(project.cached(&["--junit", "4"]), 0);
    assert_eq!(project.cached(&[]), 0);
    // Files of tests: edited, which is an error without an entry, too, or deleted.
    let file = "tests/shop/PriceHeapwrightTest.java";
    let generated = project.read(file);
    project.write(
        file,
        &generated.replace("(900, Price.total(9))", "(800, Price.total(8))"),
    );
    let output = project.generate(&["--json"]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(
        text(&output.stderr).contains("was edited since it was generated"),
        "{output:?}"
    );
    std::fs::remove_file(project.path(file)).unwrap();
    assert_eq!(project.cached(&[]), 2);
    assert_eq!(project.read(file), generated);
    // Classes and other files of the class path.
    project.write("classes/more.txt", "a");
    assert_eq!(project.cached(&[]), 0);
    evolve(&project);
    assert_eq!(project.cached(&[]), 0);
    assert_eq!(project.cached(&[]), 3);
    // Damaged entries.
    for contents in ["", "{", "{\"key\": 1}"] {
        project.write("tests/.heapwright/shop.Price.json", contents);
        assert_eq!(project.cached(&[]), 2);
        assert_eq!(project.cached(&[]), 3);
    }
}

/// Class of which a goal is not reached in any time.
const ENDLESS: &str = "package shop;\npublic class Endless {\n    private long sum;\n    public boolean add(long value) \
                       {\n        sum = sum * 31 + value;\n        return sum * sum * sum == 1234567891234567L;\n    }\n}\n";

/// Generates tests of the class.
fn generate_endless(project: &Project, arguments: &[&str]) -> Output {
    let mut command = program();
    command
        .current_dir(project.folder.path())
        .args(["generate", "--no-config", "-p", "classes", "--jdk"])
        .arg(&jdks()[0].home)
        .args(["-c", "shop.Endless", "-o", "tests", "--json"])
        .args(arguments);
    command.output().unwrap()
}

/// Generates tests of the class, which ends with an exit code: what stopped it, and whether an earlier
/// result held.
fn run_endless(project: &Project, arguments: &[&str], code: i32) -> (Value, Value) {
    let output = generate_endless(project, arguments);
    let summary = summary_of(&output);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert_eq!(summary["status"], "stopped");
    (summary["stopped_by"].clone(), summary["cached"].clone())
}

/// A search that reaches nothing new ends by the work that was in vain, which is the same on every machine.
#[test]
#[ignore = "long"]
fn a_search_in_vain_ends() {
    let project = Project::new();
    project.write("src/main/java/shop/Endless.java", ENDLESS);
    project.compile();
    let run = |more: &[&str]| run_endless(&project, &[&["--mutants", "none"], more].concat(), 0);
    let long = ["--time-limit", "10m"];
    assert_eq!(run(&long), (json!("--patience"), json!(false)));
    assert_eq!(run(&long), (json!("--patience"), json!(true)));
    let forever = ["--time-limit", "8s", "--patience", "none"];
    assert_eq!(run(&forever), (json!("--time-limit"), json!(false)));
}

/// A result that a limit of time has cut is used again where the limit is no larger.
#[test]
#[ignore = "long"]
fn a_partial_result_holds_for_no_larger_limit() {
    let project = Project::new();
    project.write("src/main/java/shop/Endless.java", ENDLESS);
    project.compile();
    let run_with = |time: &str, more: &[&str]| {
        // Tests were written and the rest is open, which only a strict run says by its exit code.
        let code = if more.contains(&"--strict") { 3 } else { 0 };
        run_endless(
            &project,
            &[&["--time-per-class", time], more].concat(),
            code,
        )
    };
    let run = |time: &str| run_with(time, &[]);
    let (cut, is_cached) = (json!("--time-per-class"), |is: bool| json!(is));
    assert_eq!(run("6s"), (cut.clone(), is_cached(false)));
    assert_eq!(run("6s"), (cut.clone(), is_cached(true)));
    assert_eq!(run("5s"), (cut.clone(), is_cached(true)));
    // Another option gives the class no more time.
    let of_run = run_endless(&project, &["--time-limit", "5s"], 0);
    assert_eq!(of_run, (cut.clone(), is_cached(true)));
    assert_eq!(run("7s"), (cut.clone(), is_cached(false)));
    assert_eq!(run_with("7s", &["--strict"]), (cut, is_cached(false)));
}

/// Tests that cover more than those of a run which a limit has cut stay, and that is said.
#[test]
#[ignore = "long"]
fn better_tests_stay_where_a_limit_cuts_a_run() {
    let project = Project::new();
    project.write("src/main/java/shop/Endless.java", ENDLESS);
    project.compile();
    let run = |time: &str, more: &[&str]| {
        let output = generate_endless(&project, &[&["--time-per-class", time], more].concat());
        (summary_of(&output)["cached"].clone(), text(&output.stderr))
    };
    assert_eq!(run("2s", &[]).0, false);
    let entry = "tests/.heapwright/shop.Endless.json";
    let mut stored: Value = serde_json::from_str(&project.read(entry)).unwrap();
    let covered = stored["result"]["branches_covered"].as_u64().unwrap();
    let file = "tests/shop/EndlessHeapwrightTest.java";
    let written = || {
        let file = std::fs::metadata(project.path(file)).unwrap();
        file.modified().unwrap()
    };
    let before = written();
    for (branches, is_kept) in [(covered + 5, true), (0, false)] {
        stored["result"]["branches_covered"] = json!(branches);
        project.write(entry, &stored.to_string());
        let (cached, messages) = run("2500ms", &[]);
        assert_eq!(cached, is_kept, "{messages}");
        let told = format!("an earlier run, with {branches} branches");
        let says = messages.contains("stay (--no-cache replaces them)") && messages.contains(&told);
        assert_eq!(says, is_kept, "{messages}");
        assert_eq!(written() == before, is_kept);
        stored["limits"] = json!([null, 1, null]);
    }
    stored["result"]["branches_covered"] = json!(covered + 5);
    project.write(entry, &stored.to_string());
    assert_eq!(run("2s", &["--no-cache"]).0, false);
}

/// What existing tests cover is a part of what a result depends on.
#[test]
#[ignore = "long"]
fn updates_are_used_again_once_nothing_is_added() {
    let project = Project::new();
    project.generate(&[]);
    evolve(&project);
    let run = || {
        let output = project.update(&["--accept", "--json"]);
        let cached = summary_of(&output)["classes_cached"].as_u64();
        (output.status.code(), cached)
    };
    assert_eq!(run(), (Some(0), Some(0)));
    assert_eq!(run(), (Some(4), Some(0)));
    assert_eq!(run(), (Some(4), Some(3)));
}

/// Class with a branch that the compiler copies.
const LOCK: &str = "package shop;\npublic class Lock {\n    private int turns;\n    public int turn(int key) {\n        \
                    try {\n            if (key > 9) {\n                return key;\n            }\n            return -key;\n        \
                    } finally {\n            if (turns < 2) {\n                turns++;\n            }\n        }\n    }\n}\n";

/// Branches are those that JaCoCo counts, also where existing tests cover some.
#[test]
#[ignore = "long"]
fn branches_beside_existing_tests_are_those_of_jacoco() {
    let project = Project::new();
    project.write("src/main/java/shop/Lock.java", LOCK);
    project.compile();
    let branches = |more: &[&str]| {
        let mut command = project.command(&[&["--mutants", "none", "--json"], more].concat());
        let summary = summary_of(&command.output().unwrap());
        let classes = summary["by_class"].as_array().unwrap();
        let lock = classes.iter().find(|class| class["class"] == "shop.Lock");
        let lock = lock.unwrap();
        (
            lock["branches_covered"].clone(),
            lock["branches_total"].clone(),
        )
    };
    assert_eq!(branches(&[]), (json!(4), json!(4)));
    let jars = junit::jars();
    let update = [
        "--update",
        "--test-classpath",
        jars.console.to_str().unwrap(),
    ];
    assert_eq!(branches(&update), (json!(4), json!(4)));
}

/// Only tests of classes that have changed are run and added to.
#[test]
fn an_update_of_changed_classes_leaves_the_others_alone() {
    let project = Project::committed();
    project.generate(&["--no-cache"]);
    project.commit();
    let price = PRICE.replace("> 9", "> 19");
    project.write("src/main/java/shop/Price.java", &price);
    project.compile();
    let output = project.update(&["--accept", "--changed-since", "HEAD", "--no-cache"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(
        text(&output.stderr),
        "heapwright: 2 classes not changed since HEAD: not tested\n\
         heapwright: shop.Price: PriceHeapwrightTest.java is kept with 2 tests\n\
         heapwright: shop.Price:     total_with10_returns900 removed: fails now: java.lang.AssertionError: expected: \
         <900> but was: <1000>\n"
    );
    assert_eq!(
        without_seconds(&text(&output.stdout)),
        "Price: 2 tests for 3 of 3 goals, 2 of 2 branches, 5 of 5 mutants (2 goals and 3 mutants by existing tests); 1 sequence, 2 \
         paths, up to length 10, … s; all reached\n\
         1 classes: 2 tests for 3 of 3 goals, 2 of 2 branches, 5 of 5 mutants, … s; complete"
    );
    let tests = [
        "CartHeapwrightTest.java",
        "CartLineHeapwrightTest.java",
        "PriceHeapwright2Test.java",
        "PriceHeapwrightTest.java",
    ];
    assert_eq!(project.tests(), tests);
    assert_eq!(project.passing(), 3 + 2 + 2 + 2);
}

/// Earlier versions of the tests in the folder are not counted, wherever they are compiled.
#[test]
fn compiled_tests_of_an_earlier_version_do_not_count() {
    let project = Project::new();
    project.generate(&["--no-cache"]);
    project.compile_tests(&files(&project.path("tests"), "java"), "test-classes");
    evolve(&project);
    let arguments = [
        "--accept",
        "--tests",
        "test-classes",
        "--json",
        "--no-cache",
    ];
    let output = project.update(&arguments);
    let summary = summary_of(&output);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(counts(&summary), json!([8, 3, 13, 4, 13, 13, 5, 14]));
    assert!(
        !text(&output.stderr).contains("existing test "),
        "{output:?}"
    );
}

/// Test that takes longer than any limit of these tests.
const SLOW: &str = "package shop;\nclass AbacusTest {\n    @org.junit.jupiter.api.Test\n    void counts() {\n        \
                    for (long i = 0; i < 1L << 40; i++) {\n            Price.total(1);\n        }\n    }\n}\n";

/// A second update adds nothing where time is over before all tests have run: those of the classes come
/// first, and what the others notice is not guessed.
#[test]
#[ignore = "long"]
fn tests_that_were_not_run_make_no_new_ones() {
    let project = Project::new();
    project.generate(&["--no-cache"]);
    let before = project.tests();
    project.write("slow/shop/AbacusTest.java", SLOW);
    project.compile_tests(&[project.path("slow/shop/AbacusTest.java")], "slow-classes");
    let arguments = [
        "--tests",
        "slow-classes",
        "--time-limit",
        "12s",
        "--no-cache",
    ];
    let output = project.update(&arguments);
    let said = text(&output.stderr);
    let notice = "--time-limit: not all existing tests were run: the rest counts for nothing, and no tests are added \
                  for mutants\n";
    assert!(said.contains(notice), "{said}");
    assert!(
        said.contains("PriceHeapwrightTest.java is kept with "),
        "{said}"
    );
    assert!(!said.contains("is kept with 0 tests"), "{said}");
    assert_eq!(project.tests(), before);
}
