//! Projects: without `-p`, class paths and folders come from the build, asked of the real build tool.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use expect_test::{Expect, expect};
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::gradle;
use heapwright_testkit::jars::{maven, maven_of};
use heapwright_testkit::jdk::{Jdk, all_jdks, jdks};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{program, summary_of, text};
use crate::maven_plugin::VERSIONS;

/// Files of a project of Maven: two modules, one of which needs the other one and a library.
const FILES: [(&str, &str); 6] = [
    ("pom.xml", PARENT),
    ("stack/pom.xml", STACK_POM),
    ("stack/src/main/java/shop/Stack.java", STACK),
    ("calculator/pom.xml", CALCULATOR_POM),
    ("calculator/src/main/java/shop/Calculator.java", CALCULATOR),
    (
        "stack/src/test/java/shop/StackTest.java",
        "package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\n\
         import org.junit.jupiter.api.Test;\n\nclass StackTest {\n    @Test\n    void pops() {\n        \
         Stack stack = new Stack();\n        stack.push(7);\n        assertEquals(7, stack.pop());\n    }\n}\n",
    ),
];

const PARENT: &str = r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId>
  <artifactId>parent</artifactId>
  <version>1-SNAPSHOT</version>
  <packaging>pom</packaging>
  <modules>
    <module>stack</module>
    <module>calculator</module>
  </modules>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.10.2</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.13.0</version>
      </plugin>
    </plugins>
  </build>
</project>
"#;

const STACK_POM: &str = r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>shop</groupId>
    <artifactId>parent</artifactId>
    <version>1-SNAPSHOT</version>
  </parent>
  <artifactId>stack</artifactId>
  <dependencies>
    <dependency>
      <groupId>org.apache.commons</groupId>
      <artifactId>commons-lang3</artifactId>
      <version>3.14.0</version>
    </dependency>
  </dependencies>
</project>
"#;

const CALCULATOR_POM: &str = r#"<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <parent>
    <groupId>shop</groupId>
    <artifactId>parent</artifactId>
    <version>1-SNAPSHOT</version>
  </parent>
  <artifactId>calculator</artifactId>
  <dependencies>
    <dependency>
      <groupId>shop</groupId>
      <artifactId>stack</artifactId>
      <version>1-SNAPSHOT</version>
    </dependency>
  </dependencies>
</project>
"#;

const STACK: &str = r#"package shop;

import org.apache.commons.lang3.Validate;

public class Stack {
    private final int[] items = new int[4];
    private int size;

    public boolean repOK() {
        return size >= 0 && size <= items.length;
    }

    public void push(int item) {
        Validate.isTrue(size < 4, "full");
        items[size++] = item;
    }

    public int pop() {
        if (size == 0) {
            throw new IllegalStateException("empty");
        }
        return items[--size];
    }
}
"#;

const CALCULATOR: &str = r#"package shop;

public class Calculator {
    private final Stack stack = new Stack();

    public Calculator put(int number) {
        stack.push(number);
        return this;
    }

    public int add() {
        int second = stack.pop();
        int sum = stack.pop() + second;
        stack.push(sum);
        return sum;
    }
}
"#;

/// Project in a folder with a space and a letter outside of ASCII in its name.
struct Sample {
    _folder: TempDir,
    root: PathBuf,
}

impl Sample {
    fn new() -> Sample {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("my shöp");
        for (name, contents) in FILES {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, contents).unwrap();
        }
        Sample {
            _folder: folder,
            root,
        }
    }

    /// A project that is compiled; compiled once, and copied.
    fn compiled() -> Sample {
        static COMPILED: OnceLock<Sample> = OnceLock::new();
        let compiled = COMPILED.get_or_init(|| {
            let sample = Sample::new();
            let mut command = Command::new(maven());
            command.args(["-q", "-B", "test-compile"]);
            let output = command.current_dir(&sample.root).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            sample
        });
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("my shöp");
        copy(&compiled.root, &root);
        Sample {
            _folder: folder,
            root,
        }
    }

    /// Runs the program in a folder of the project.
    fn run(&self, folder: &str, words: &[&str]) -> Output {
        self.command(folder, words).output().unwrap()
    }

    fn command(&self, folder: &str, words: &[&str]) -> Command {
        self.command_with(maven(), folder, words)
    }

    /// Command that runs the program where Maven is this one.
    fn command_with(&self, maven: &Path, folder: &str, words: &[&str]) -> Command {
        let mut command = program();
        let mut paths: Vec<PathBuf> = vec![maven.parent().unwrap().to_owned()];
        paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
        command.env("PATH", std::env::join_paths(paths).unwrap());
        command.env("JAVA_HOME", &jdks()[0].home);
        command.current_dir(self.root.join(folder)).args(words);
        command
    }

    /// Standard error of a run, with the folder of the project left out.
    fn said(&self, output: &Output) -> String {
        text(&output.stderr).replace(&self.root.display().to_string(), "ROOT")
    }

    fn write(&self, name: &str, contents: &str) {
        fs::write(self.root.join(name), contents).unwrap();
    }
}

/// Copies a folder with the times of its files.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let from = entry.unwrap().path();
        let to = to.join(from.file_name().unwrap());
        match from.is_dir() {
            true => copy(&from, &to),
            false => {
                fs::copy(&from, &to).unwrap();
                let time = fs::metadata(&from).unwrap().modified().unwrap();
                let file = fs::File::options().write(true).open(&to).unwrap();
                file.set_modified(time).unwrap();
            }
        }
    }
}

fn refused(sample: &Sample, folder: &str, words: &[&str], expected: &Expect) {
    let output = sample.run(folder, words);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(text(&output.stdout), "");
    expected.assert_eq(&sample.said(&output));
}

#[test]
#[ignore = "servers: Maven"]
fn one_command_compiles_a_project_and_tests_all_modules() {
    let sample = Sample::new();
    refused(
        &sample,
        "",
        &["generate"],
        &expect![[r#"
            heapwright: shop:stack is not compiled: no class is in ROOT/stack/target/classes: run `mvn test-compile -pl shop:stack -am` in ROOT, or add --compile
        "#]],
    );
    let output = sample.run(
        "",
        &[
            "generate",
            "--compile",
            "--report",
            "pages",
            "--json",
            "--time-limit",
            "60s",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let summary = summary_of(&output);
    assert_eq!(summary["status"], "complete");
    assert_eq!(
        summary["classes"],
        serde_json::json!(["shop.Stack", "shop.Calculator"])
    );
    let names = |key: &str| {
        let modules = summary["modules"].as_array().unwrap().iter();
        modules
            .map(|module| module[key].clone())
            .collect::<Vec<Value>>()
    };
    assert_eq!(names("module"), ["shop:stack", "shop:calculator"]);
    assert_eq!(names("exit_code"), [0, 0]);
    let tests: u64 = names("summary")
        .iter()
        .map(|of| of["tests"].as_u64().unwrap())
        .sum();
    assert_eq!(summary["tests"], tests);
    let files = [
        "stack/src/test/java/shop/StackHeapwrightTest.java",
        "calculator/src/test/java/shop/CalculatorHeapwrightTest.java",
    ];
    let files = files.map(|file| sample.root.join(file).display().to_string());
    let written = summary["files"].as_array().unwrap().iter();
    let written = written.filter(|file| file.as_str().unwrap().ends_with(".java"));
    assert_eq!(written.cloned().collect::<Vec<_>>(), files);
    assert!(
        sample
            .root
            .join("stack/target/test-classes/shop/StackTest.class")
            .is_file()
    );
    // Each module has a report, with its sources.
    for (module, class) in [("stack", "Stack"), ("calculator", "Calculator")] {
        let folder = sample.root.join(format!("pages/shop.{module}"));
        assert!(folder.join("index.html").is_file());
        let report = fs::read_to_string(folder.join("report.json")).unwrap();
        assert!(
            report.contains(&format!("public class {class} {{")),
            "{report}"
        );
    }
    let schema = program().args(["schema", "generate"]).output().unwrap();
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert!(
        jsonschema::validator_for(&schema)
            .unwrap()
            .is_valid(&summary)
    );
}

#[test]
#[ignore = "servers: Maven"]
fn a_class_chooses_its_module() {
    let sample = Sample::compiled();
    let output = sample.run("", &["check", "-c", "shop.Stack", "--scope", "2", "--json"]);
    assert_eq!(summary_of(&output)["class"], "shop.Stack", "{output:?}");
    // A module has what it needs of others on its class path.
    let output = sample.run(
        "",
        &[
            "generate",
            "-c",
            "**.Calc*",
            "--format",
            "text",
            "--time-limit",
            "20s",
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(
        text(&output.stderr).starts_with("Calculator: "),
        "{output:?}"
    );
    refused(
        &sample,
        "",
        &["generate", "-c", "shop.Till"],
        &expect![[r#"
            heapwright: no compiled class of the modules stack, calculator is shop.Till; with -p CLASSPATH classes of libraries can be tested
        "#]],
    );
    refused(
        &sample,
        "",
        &["enumerate", "-c", "shop.*", "--scope", "2"],
        &expect![[r#"
            heapwright: ROOT/pom.xml: shop.* is meant in several modules: choose one with --module: stack, calculator
        "#]],
    );
    refused(
        &sample,
        "stack/src",
        &["generate", "--module", "calculater"],
        &expect![[r#"
            heapwright: --module calculater: ROOT/pom.xml has no such module; did you mean calculator?; it has stack, calculator
        "#]],
    );
    refused(
        &sample,
        "stack",
        &[
            "generate",
            "-p",
            "target/classes",
            "-c",
            "shop.Stack",
            "--module",
            "stack",
        ],
        &expect![[r#"
            heapwright: --module concerns the project's build, and -p names the class path without it: leave one of them out
        "#]],
    );
}

#[test]
#[ignore = "servers: Maven"]
fn tests_of_a_project_are_measured_with_the_engine_that_the_build_would_bring() {
    let sample = Sample::compiled();
    // One module has no tests.
    let output = sample.run("", &["measure", "--json", "--mutants", "none"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = sample.said(&output);
    let notice = "module shop:calculator has no compiled tests: its classes are not measured";
    assert!(said.contains(notice), "{said}");
    let summary = summary_of(&output);
    assert_eq!(summary["class"], Value::Null);
    assert_eq!(summary["classes"], serde_json::json!(["shop.Stack"]));
    assert_eq!(summary["tests"], 1);
    assert_eq!(
        [&summary["branches_covered"], &summary["branches_total"]],
        // Of repOK, push and pop.
        [2, 4 + 2 + 2]
    );
    let output = sample.run("calculator", &["measure"]);
    assert_eq!(output.status.code(), Some(2));
    expect![[r#"
        heapwright: shop:calculator has no compiled tests in ROOT/calculator/target/test-classes: run `mvn test-compile -pl shop:calculator -am` in ROOT, or add --compile
    "#]]
    .assert_eq(&sample.said(&output));
}

/// Test that passes where a build runs it with a property, a variable and the files of its module.
const WORLD_TEST: &str = r#"package shop;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.file.*;
import org.junit.jupiter.api.Test;

class WorldTest {
    @Test
    void seesTheModule() throws Exception {
        assertEquals("8\n", Files.readString(Path.of("src/test/resources/size.txt")));
        assertEquals("8\n", new String(getClass().getResourceAsStream("/size.txt").readAllBytes()));
        assertEquals("stack", Path.of(System.getProperty("user.dir")).getFileName().toString());
        assertEquals("blue", System.getProperty("shop.colour"));
        assertEquals("dark grey", System.getProperty("shop.shade"));
        assertEquals("here", System.getenv("SHOP_PLACE"));
        Files.writeString(Path.of("written.txt"), "by a test");
    }
}
"#;

/// Writes [`WORLD_TEST`] with its resource into the module `stack`.
fn write_world_test(sample: &Sample) {
    fs::create_dir_all(sample.root.join("stack/src/test/resources")).unwrap();
    sample.write("stack/src/test/resources/size.txt", "8\n");
    sample.write("stack/src/test/java/shop/WorldTest.java", WORLD_TEST);
}

/// Measures the module `stack`, whose tests pass and write nothing to the disk.
fn passes_in_its_world(sample: &Sample) {
    let output = sample.run("", &["measure", "--compile", "--module", "stack", "--json"]);
    let summary = summary_of(&output);
    assert_eq!(summary["failing"], serde_json::json!([]));
    assert_eq!(summary["skipped"], serde_json::json!([]));
    // Those that were generated before are there, too.
    let passed = summary["tests_passed"].as_u64().unwrap();
    assert!(passed >= 2, "{output:?}");
    assert_eq!(summary["tests"], passed, "{output:?}");
    assert!(!sample.root.join("stack/written.txt").exists());
}

#[test]
#[ignore = "servers: Maven"]
fn tests_see_the_properties_variables_and_files_of_their_module() {
    let sample = Sample::new();
    write_world_test(&sample);
    let surefire = r#"  <properties>
    <world.line>-Xmx64m "-Dshop.shade=dark grey"</world.line>
  </properties>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>3.2.5</version>
        <configuration>
          <argLine>@{world.line} -Dunused=1</argLine>
          <systemPropertyVariables>
            <shop.colour>blue</shop.colour>
          </systemPropertyVariables>
          <environmentVariables>
            <SHOP_PLACE>here</SHOP_PLACE>
          </environmentVariables>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>"#;
    sample.write("stack/pom.xml", &STACK_POM.replace("</project>", surefire));
    passes_in_its_world(&sample);
}

#[test]
#[ignore = "servers: Maven"]
fn the_build_is_asked_again_only_if_its_files_have_changed() {
    let sample = Sample::compiled();
    let words = ["generate", "--format", "text", "--time-limit", "20s"];
    let asked = sample.run("stack", &words);
    assert_eq!(asked.status.code(), Some(0), "{asked:?}");
    let without_maven = || {
        let mut command = sample.command("stack", &words);
        let nowhere = OsString::from(sample.root.join("stack/src"));
        command.env("PATH", nowhere).output().unwrap()
    };
    let stored = without_maven();
    assert_eq!(stored.status.code(), Some(0), "{stored:?}");
    assert_eq!(text(&stored.stdout), text(&asked.stdout));
    sample.write(
        "pom.xml",
        &PARENT.replace("<properties>", "<!-- changed --><properties>"),
    );
    let changed = without_maven();
    assert_eq!(changed.status.code(), Some(2));
    expect![[r#"
        heapwright: ROOT/pom.xml: Maven not found: put mvn on the PATH, or add the wrapper (mvnw) to the project; with -p CLASSPATH nothing is asked of the build
    "#]]
    .assert_eq(&sample.said(&changed));
    assert_eq!(sample.run("stack", &words).status.code(), Some(0));
}

#[test]
#[ignore = "servers: Maven"]
fn sources_that_are_newer_than_classes_are_noticed() {
    let sample = Sample::compiled();
    let words = ["generate", "--format", "text", "--time-limit", "20s"];
    assert!(!sample.said(&sample.run("stack", &words)).contains("newer"));
    let source = sample.root.join("stack/src/main/java/shop/Stack.java");
    let file = fs::File::options().write(true).open(source).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(60))
        .unwrap();
    let said = sample.said(&sample.run("stack", &words));
    let notice = said.lines().find(|line| line.contains("newer")).unwrap();
    expect!["heapwright: ROOT/stack/src/main/java/shop/Stack.java is newer than the compiled classes: `mvn test-compile -pl shop:stack -am` in ROOT compiles it, as does --compile"].assert_eq(notice);
}

/// The next build would remove such a class, or give it another behaviour.
#[test]
#[ignore = "servers: Maven"]
fn no_test_is_written_for_a_class_that_is_not_of_the_sources() {
    let sample = Sample::compiled();
    let words = ["generate", "--time-limit", "20s"];
    let source = sample.root.join("stack/src/main/java/shop/Stack.java");
    let file = fs::File::options().write(true).open(&source).unwrap();
    file.set_modified(SystemTime::now() + Duration::from_secs(60))
        .unwrap();
    let is_refused = |reason: &str| {
        let output = sample.run("stack", &words);
        let said = sample.said(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(reason), "{said}");
        assert!(
            said.contains(
                "no class that was asked for is compiled from the sources that are there"
            ),
            "{said}"
        );
        let tests = sample.root.join("stack/src/test/java/shop");
        assert!(!tests.join("StackHeapwrightTest.java").exists());
    };
    is_refused(
        "not tested, since they are older than their sources: --compile compiles them: shop.Stack\n",
    );
    fs::remove_file(source).unwrap();
    is_refused(
        "not tested, since they have no source file any more, as a clean build shows: shop.Stack\n",
    );
}

/// What a build generates is the work of a tool, which has tests of its own.
#[test]
#[ignore = "servers: Maven"]
fn a_class_of_a_generated_source_is_tested_if_it_is_named() {
    let sample = Sample::compiled();
    let source = sample.root.join("stack/src/main/java/shop/Stack.java");
    let generated = "stack/target/generated-sources/annotations/shop/Stack.java";
    fs::create_dir_all(sample.root.join(generated).parent().unwrap()).unwrap();
    sample.write(generated, &fs::read_to_string(&source).unwrap());
    let old = fs::metadata(&source).unwrap().modified().unwrap();
    let file = fs::File::options()
        .write(true)
        .open(sample.root.join(generated))
        .unwrap();
    file.set_modified(old).unwrap();
    fs::remove_file(source).unwrap();
    let words = ["generate", "--time-limit", "20s"];
    let output = sample.run("stack", &words);
    let said = sample.said(&output);
    assert_eq!(output.status.code(), Some(4), "{said}");
    let notice = "not tested, since they are of sources that the build generates: -c with its name has a class \
                  tested: shop.Stack\n";
    assert!(said.contains(notice), "{said}");
    let test = sample
        .root
        .join("stack/src/test/java/shop/StackHeapwrightTest.java");
    assert!(!test.exists());
    let named = [&words[..], &["-c", "shop.Stack"]].concat();
    let output = sample.run("stack", &named);
    assert_eq!(output.status.code(), Some(0), "{}", sample.said(&output));
    assert!(test.exists());
}

/// A test for the classes of one would be compiled with both.
#[test]
#[ignore = "servers: Maven"]
fn no_test_is_written_into_a_folder_of_two_modules() {
    let sample = Sample::compiled();
    let shared = "<build><testSourceDirectory>../stack/src/test/java</testSourceDirectory></build>\n</project>";
    sample.write(
        "calculator/pom.xml",
        &CALCULATOR_POM.replace("</project>", shared),
    );
    refused(
        &sample,
        "calculator",
        &["generate", "--time-limit", "20s"],
        &expect![[r#"
            heapwright: ROOT/stack/src/test/java is the folder of tests of shop:calculator and of shop:stack, which would both compile what is written there: name another folder with -o
        "#]],
    );
    let words = ["generate", "--time-limit", "20s", "-o", "tests"];
    let output = sample.run("calculator", &words);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
#[ignore = "servers: Maven"]
fn a_module_without_code_is_named() {
    let sample = Sample::compiled();
    refused(
        &sample,
        "",
        &["generate", "--module", "parent"],
        &expect![[r#"
            heapwright: module shop:parent has no sources or classes; with code are: stack, calculator
        "#]],
    );
}

#[test]
#[ignore = "servers: Maven"]
fn without_a_framework_for_tests_none_are_written() {
    let sample = Sample::compiled();
    let dependency = "<scope>test</scope>\n    </dependency>";
    assert!(PARENT.contains(dependency));
    // A class path of tests with another library.
    let junit = "<groupId>org.junit.jupiter</groupId>\n      <artifactId>junit-jupiter</artifactId>\n      <version>5.10.2</version>";
    let other = "<groupId>org.hamcrest</groupId>\n      <artifactId>hamcrest-core</artifactId>\n      <version>1.3</version>";
    sample.write("pom.xml", &PARENT.replace(junit, other));
    let words = ["generate", "--time-limit", "20s"];
    let output = sample.run("calculator", &words);
    let said = sample.said(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(
        said.contains("tests of shop:calculator have nothing to run with: add <dependency>"),
        "{said}"
    );
    let tests = sample.root.join("calculator/src/test");
    assert!(!tests.exists());
    let output = sample.run("calculator", &[&words[..], &["--junit", "5"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", sample.said(&output));
    assert!(tests.exists());
}

#[test]
#[ignore = "servers: Maven"]
fn builds_that_cannot_be_read_say_why() {
    let sample = Sample::compiled();
    sample.write("stack/pom.xml", &STACK_POM.replace("</parent>", "</parnt>"));
    let output = sample.run("", &["generate"]);
    assert_eq!(output.status.code(), Some(2));
    let said = sample.said(&output);
    assert!(
        said.starts_with("heapwright: ROOT/pom.xml: Maven failed: "),
        "{said}"
    );
    assert!(said.contains("ROOT/stack/pom.xml"), "{said}");
    assert!(
        said.ends_with(
            "to see all of it: mvn validate; with -p CLASSPATH nothing is asked of the build\n"
        ),
        "{said}"
    );

    sample.write("stack/pom.xml", &STACK_POM.replace("3.14.0", "3.14.0-none"));
    let output = sample.run("", &["generate", "--build-arg=--offline"]);
    assert_eq!(output.status.code(), Some(2));
    let said = sample.said(&output);
    assert!(
        said.starts_with("heapwright: ROOT/pom.xml: Maven did not find what shop:stack needs: ")
            && said.contains("commons-lang3:jar:3.14.0-none")
            && said.ends_with("; run `mvn test-compile -pl shop:stack -am` in ROOT\n"),
        "{said}"
    );
}

#[test]
#[ignore = "servers: Maven"]
fn tests_are_of_the_framework_that_the_project_has() {
    let sample = Sample::compiled();
    let junit4 = "<groupId>junit</groupId>\n      <artifactId>junit</artifactId>\n      <version>4.13.2</version>";
    let junit5 = "<groupId>org.junit.jupiter</groupId>\n      <artifactId>junit-jupiter</artifactId>\n      <version>5.10.2</version>";
    assert!(PARENT.contains(junit5));
    sample.write("pom.xml", &PARENT.replace(junit5, junit4));
    let output = sample.run("stack", &["generate", "--time-limit", "20s"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let tests = sample
        .root
        .join("stack/src/test/java/shop/StackHeapwrightTest.java");
    let tests = fs::read_to_string(tests).unwrap();
    assert!(tests.contains("import org.junit.Test;"), "{tests}");
}

#[test]
#[ignore = "servers: Maven"]
fn options_of_the_settings_file_and_the_command_line_win() {
    let sample = Sample::compiled();
    sample.write("stack/heapwright.toml", "[generate]\noutput = \"made\"\n");
    let output = sample.run("stack", &["generate", "--time-limit", "20s"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(
        sample
            .root
            .join("stack/made/shop/StackHeapwrightTest.java")
            .is_file()
    );
    let output = sample.run("stack", &["generate", "--time-limit", "20s", "-o", "other"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(
        sample
            .root
            .join("stack/other/shop/StackHeapwrightTest.java")
            .is_file()
    );
    assert!(
        !sample
            .root
            .join("stack/src/test/java/shop/StackHeapwrightTest.java")
            .exists()
    );
}

#[test]
#[ignore = "servers: Maven"]
fn list_tells_what_can_be_done_for_each_class() {
    let sample = Sample::compiled();
    let output = sample.run("", &["list", "-q"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(text(&output.stderr), "");
    expect![[r#"
        class       kind   methods  invariant  verbs
        shop.Stack  class        4  repOK      generate measure check enumerate builders compare paths
        1 class
        class            kind   methods  invariant  verbs
        shop.Calculator  class        3  -          generate measure enumerate builders paths
        1 class
    "#]].assert_eq(&text(&output.stdout));
    let output = sample.run("stack", &["list", "--json"]);
    let summary = summary_of(&output);
    assert_eq!(summary["by_class"][0]["invariant"], "repOK");
    let schema = program().args(["schema", "list"]).output().unwrap();
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert!(
        jsonschema::validator_for(&schema)
            .unwrap()
            .is_valid(&summary)
    );
}

#[test]
#[ignore = "servers: Maven"]
fn list_knows_the_kinds_of_classes() {
    let kinds = r#"
package kinds;

public class Kinds {
    interface Shape { double area(); }
    enum Color { RED }
    record Point(int x, int y) { boolean isValid() { return x >= 0; } }
    @interface Mark { }
    static abstract class Base { abstract void go(); }
    public static class Queue {
        public boolean repOK() { return true; }
        public static Object finQueue(int size) { return null; }
    }
    public static void main(String[] words) { }
}
"#;
    let fixture = Fixture::new(&["--release", "17"]).text("Kinds", kinds);
    let output = program()
        .args(["list", "-p"])
        .arg(fixture.classes())
        .output()
        .unwrap();
    expect![[r#"
        class              kind            methods  invariant  verbs
        kinds.Kinds        class                 2  -          generate measure enumerate builders paths run
        kinds.Kinds$Base   abstract class        0  -          generate measure paths
        kinds.Kinds$Color  enum                  2  -          generate measure paths
        kinds.Kinds$Mark   annotation            0  -
        kinds.Kinds$Point  record                5  isValid    generate measure check enumerate paths
        kinds.Kinds$Queue  class                 3  repOK      generate measure check enumerate builders compare korat paths
        kinds.Kinds$Shape  interface             1  -
        7 classes
    "#]].assert_eq(&text(&output.stdout));
}

#[test]
#[ignore = "servers: Maven"]
fn init_writes_settings_that_hold_whichever_key_is_used() {
    let sample = Sample::compiled();
    let output = sample.run("stack/src/main", &["init"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let path = sample.root.join("stack/heapwright.toml");
    assert_eq!(text(&output.stdout), format!("{}\n", path.display()));
    let settings = fs::read_to_string(&path).unwrap();
    // Without a change it says nothing.
    let output = sample.run("stack", &["list"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    refused(
        &sample,
        "stack",
        &["init"],
        &expect![[r#"
            heapwright: ROOT/stack/heapwright.toml is there already and stays as it is; `heapwright init DIR` writes one elsewhere
        "#]],
    );
    let is_key = |line: &&str| line.starts_with("# ") && line.contains(" = ");
    let keys: Vec<&str> = settings.lines().filter(is_key).collect();
    assert!(keys.len() > 10, "{settings}");
    for key in keys {
        // Where they point to is not there.
        let is_tried = !["# jdk", "# classpath", "# build-arg", "# class "]
            .iter()
            .any(|start| key.starts_with(start));
        sample.write("stack/heapwright.toml", &settings.replace(key, &key[2..]));
        let output = sample.run("stack", &["list"]);
        assert!(
            !is_tried || output.status.code() == Some(0),
            "{key}: {output:?}"
        );
        assert!(
            !text(&output.stderr).contains("is no option"),
            "{key}: {output:?}"
        );
    }
}

/// Reads lines until one contains a text.
fn read_until(lines: &mut impl Iterator<Item = std::io::Result<String>>, wanted: &str) -> String {
    let mut read = String::new();
    loop {
        let line = lines.next().expect(&read).unwrap();
        read.push_str(&line);
        read.push('\n');
        if line.contains(wanted) {
            return read;
        }
    }
}

#[test]
#[ignore = "servers: Maven"]
fn classes_are_watched() {
    let sample = Sample::compiled();
    let mut command = sample.command("", &["list", "--module", "stack", "--watch"]);
    let mut process = command
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
    read_until(&mut lines, "exit code 0; waiting for other classes");
    let class = sample.root.join("stack/target/classes/shop/Stack.class");
    let bytes = fs::read(&class).unwrap();
    fs::remove_file(&class).unwrap();
    // Without a class the module is not compiled.
    let said = read_until(&mut lines, "waiting");
    assert!(said.contains("classes have changed"), "{said}");
    assert!(said.contains("exit code 2"), "{said}");
    fs::write(&class, bytes).unwrap();
    let said = read_until(&mut lines, "waiting");
    assert!(said.contains("exit code 0"), "{said}");
    let interrupted = Command::new("kill")
        .args(["-INT", &process.id().to_string()])
        .status();
    assert!(interrupted.unwrap().success());
    assert_eq!(process.wait().unwrap().code(), Some(0));
}

#[test]
#[ignore = "servers: Maven"]
fn doctor_says_what_is_found_and_what_to_do() {
    let sample = Sample::compiled();
    let words = ["doctor", "--json"];
    let states = |output: &Output| -> Vec<(String, String)> {
        let summary = summary_of(output);
        let findings = summary["findings"].as_array().unwrap().iter();
        let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
        findings
            .map(|finding| (text(finding, "what"), text(finding, "state")))
            .collect()
    };
    let output = sample.run("", &words);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let names = [
        "JDK",
        "compiler",
        "Z3",
        "machine",
        "git",
        "settings",
        "build",
        "module stack",
        "module calculator",
    ];
    assert_eq!(
        states(&output),
        names.map(|name| (name.to_owned(), "ok".to_owned()))
    );
    let schema = program().args(["schema", "doctor"]).output().unwrap();
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert!(
        jsonschema::validator_for(&schema)
            .unwrap()
            .is_valid(&summary_of(&output))
    );

    fs::remove_dir_all(sample.root.join("stack/target/classes")).unwrap();
    let no_solver = sample.root.join("none.so");
    let output = sample
        .command("stack", &words)
        .arg("--jdk")
        .arg(&sample.root)
        .env("HEAPWRIGHT_Z3", no_solver)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let states = states(&output);
    let state = |what: &str| {
        states
            .iter()
            .find(|(name, _)| name == what)
            .unwrap()
            .1
            .as_str()
    };
    assert_eq!(
        ["JDK", "Z3", "git", "module stack"].map(state),
        ["problem", "missing", "ok", "problem"]
    );
    let text = summary_of(&output).to_string();
    assert!(
        text.contains("not compiled: run `mvn test-compile -pl shop:stack -am`"),
        "{text}"
    );
}

/// The same modules as a build of Gradle 8, which the project's own wrapper runs.
/// Newer versions of Maven tell and compile the same; Maven 4 has names of its own for modules.
#[test]
#[ignore = "servers: Maven"]
fn newer_versions_of_maven_are_asked_and_compile() {
    let newer = PARENT
        .replace("POM/4.0.0", "POM/4.1.0")
        .replace("<modelVersion>4.0.0", "<modelVersion>4.1.0")
        .replace("module>", "subproject>")
        .replace("modules>", "subprojects>");
    for (version, parent) in VERSIONS.into_iter().zip([PARENT, &newer]) {
        let sample = Sample::new();
        sample.write("pom.xml", parent);
        let words = ["generate", "--compile", "--json", "--time-limit", "60s"];
        let mut command = sample.command_with(&maven_of(version), "calculator", &words);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let summary = summary_of(&output);
        assert_eq!(summary["class"], "shop.Calculator");
        assert_eq!(summary["branches_covered"], summary["branches_total"]);
    }
}

/// A module is run with the JDK that its build names, unless the command line names another one.
#[test]
#[ignore = "servers: Maven"]
fn toolchains_of_maven_name_the_jdk() {
    let [first, second] = &all_jdks()[..2] else {
        panic!("two JDKs");
    };
    let sample = Sample::compiled();
    let plugin = "<plugin>\n        <artifactId>maven-compiler-plugin</artifactId>";
    assert!(PARENT.contains(plugin));
    let toolchains = |version: &str| {
        format!(
            "<plugin>\n        <artifactId>maven-toolchains-plugin</artifactId>\n        <version>3.2.0</version>\n        \
             <executions><execution><goals><goal>toolchain</goal></goals></execution></executions>\n        \
             <configuration><toolchains><jdk><version>{version}</version></jdk></toolchains></configuration>\n      \
             </plugin>\n      {plugin}"
        )
    };
    let known = format!(
        "<toolchains><toolchain><type>jdk</type><provides><version>{}</version></provides>\
         <configuration><jdkHome>{}</jdkHome></configuration></toolchain></toolchains>",
        second.feature,
        second.home.display()
    );
    fs::create_dir(sample.root.join(".mvn")).unwrap();
    sample.write(".mvn/toolchains.xml", &known);
    sample.write(".mvn/maven.config", "--toolchains=.mvn/toolchains.xml\n");
    let wanted = toolchains(&second.feature.to_string());
    sample.write("pom.xml", &PARENT.replace(plugin, &wanted));
    jdk_is_chosen(&sample, "stack", first, second);

    sample.write("pom.xml", &PARENT.replace(plugin, &toolchains("99")));
    let output = sample.run("stack", &["list", "-v"]);
    let said = sample.said(&output);
    let notice = "shop:stack is built with a JDK (version 99) that the build tool does not find: the JDK of \
                  JAVA_HOME or the PATH takes its place";
    assert!(said.contains(notice), "{said}");
    assert!(
        said.contains(&format!(" in {}", first.home.display())),
        "{said}"
    );
}

/// Checks that a module is run with the second JDK, which its build names, although the variable
/// `JAVA_HOME` names the first; and with the first if an option names that.
fn jdk_is_chosen(sample: &Sample, folder: &str, first: &Jdk, second: &Jdk) {
    let home = first.home.display().to_string();
    for (options, jdk) in [(&[][..], second), (&["--jdk", &home], first)] {
        let words = [
            &["enumerate", "-c", "shop.Stack", "--scope", "1", "-v"],
            options,
        ]
        .concat();
        let output = sample.run(folder, &words);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let said = sample.said(&output);
        assert!(said.contains(&jdk.home.display().to_string()), "{said}");
    }
}

#[test]
#[ignore = "servers: Maven"]
fn a_build_of_gradle_is_asked_too() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap().join("my shöp");
    let build = format!(
        "subprojects {{\n    apply plugin: 'java-library'\n    repositories {{\n        mavenCentral()\n    }}\n    \
         dependencies {{\n        testImplementation 'org.junit.jupiter:junit-jupiter:5.10.2'\n    }}\n    \
         java {{\n        sourceCompatibility = 17\n    }}\n    compileJava.options.encoding = 'UTF-8'\n}}\n\
         subprojects {{\n{}}}\n",
        gradle::compiling()
    );
    let library = "dependencies {\n    api 'org.apache.commons:commons-lang3:3.14.0'\n}\n";
    let other = "dependencies {\n    implementation project(':stack')\n}\n";
    let sources = FILES.iter().filter(|(name, _)| name.ends_with(".java"));
    let builds = [
        ("settings.gradle", "include 'stack', 'calculator'\n"),
        ("build.gradle", &build),
        ("stack/build.gradle", library),
        ("calculator/build.gradle", other),
    ];
    for (name, contents) in sources.copied().chain(builds) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    gradle::write_wrapper(&root);
    let sample = Sample {
        _folder: folder,
        root,
    };
    refused(
        &sample,
        "calculator",
        &["generate"],
        &expect![[r#"
            heapwright: :calculator is not compiled: no class is in ROOT/calculator/build/classes/java/main or ROOT/calculator/build/resources/main: run `gradle :calculator:testClasses` in ROOT, or add --compile
        "#]],
    );
    let output = sample.run(
        "",
        &["generate", "--compile", "--json", "--time-limit", "60s"],
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let summary = summary_of(&output);
    let modules = summary["modules"].as_array().unwrap().iter();
    let modules: Vec<&Value> = modules.map(|module| &module["module"]).collect();
    assert_eq!(modules, [":calculator", ":stack"]);
    let written = sample
        .root
        .join("calculator/src/test/java/shop/CalculatorHeapwrightTest.java");
    assert!(written.is_file());
    // Of the module with tests; the engine of JUnit is in no dependency.
    let output = sample.run("stack", &["measure", "--json", "--mutants", "none"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(summary_of(&output)["tests"], 1);
    write_world_test(&sample);
    let world = "test {\n    systemProperty 'shop.colour', 'blue'\n    jvmArgs '-Dshop.shade=dark grey'\n    environment 'SHOP_PLACE', 'here'\n}\n";
    sample.write("stack/build.gradle", &format!("{library}{world}"));
    passes_in_its_world(&sample);
    // The JDK is that of the toolchain.
    let [first, second] = &all_jdks()[..2] else {
        panic!("two JDKs");
    };
    let toolchain = format!(
        "{build}subprojects {{\n    java.toolchain.languageVersion = JavaLanguageVersion.of({})\n}}\n",
        second.feature
    );
    sample.write("build.gradle", &toolchain);
    let places = second.home.display().to_string().replace('\\', "/");
    sample.write(
        "gradle.properties",
        &format!("org.gradle.java.installations.paths={places}\n"),
    );
    jdk_is_chosen(&sample, "stack", first, second);
    let broken = format!("{build}nonsense()\n");
    fs::write(sample.root.join("build.gradle"), broken).unwrap();
    let output = sample.run("", &["generate"]);
    assert_eq!(output.status.code(), Some(2));
    let said = sample.said(&output);
    assert!(
        said.starts_with("heapwright: ROOT/settings.gradle: Gradle failed: ")
            && said.contains("nonsense()"),
        "{said}"
    );
}

#[test]
#[ignore = "servers: Maven"]
fn a_jdk_that_is_too_old_for_the_project_is_named() {
    let sample = Sample::compiled();
    sample.write(
        "pom.xml",
        &PARENT.replace("<maven.compiler.release>17", "<maven.compiler.release>99"),
    );
    let output = sample.run("stack", &["generate"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let jdk = &jdks()[0];
    let beginning = format!(
        "heapwright: shop:stack is compiled for Java 99, and the JDK in {} is {}",
        jdk.home.display(),
        jdk.feature
    );
    let said = sample.said(&output);
    let ending = ": name a newer one with --jdk or JAVA_HOME\n";
    assert!(
        said.starts_with(&beginning) && said.ends_with(ending),
        "{said}"
    );
}
