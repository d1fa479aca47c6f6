//! Tests in the style of the project that they are for, and what its build is run for in the end: its
//! formatters, and its tests.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use heapwright_testkit::fixtures::{compile, files};
use heapwright_testkit::gradle;
use heapwright_testkit::jars::maven;
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{program, summary_of, text};

/// Class under test. No formatter would write it like this.
const SUM: &str = "package acme;\n\npublic class Sum {\n    public int of( int a, int b ) {\n     return a - b; }\n    \
                   public int twice(int a) { return a + a; }\n}\n";
/// File of its tests.
const TESTS: &str = "src/test/java/acme/SumHeapwrightTest.java";

/// Project in a folder.
struct Project {
    _folder: TempDir,
    root: PathBuf,
}

impl Project {
    /// Writes files beside the class under test.
    fn new(written: &[(&str, &str)]) -> Project {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("my shöp");
        let project = Project {
            _folder: folder,
            root,
        };
        project.write("src/main/java/acme/Sum.java", SUM);
        for (name, contents) in written {
            project.write(name, contents);
        }
        project
    }

    fn write(&self, name: &str, contents: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.root.join(name)).unwrap()
    }

    /// Compiles the class under test with the JDK alone.
    fn compiled(self) -> Project {
        let sources = files(&self.root.join("src/main/java"), "java");
        let options = ["-g", "-nowarn", "--release", "17"];
        compile(
            &compilers()[0],
            &sources,
            &[],
            &self.root.join("classes"),
            &options,
        );
        self
    }

    /// Runs the program in the folder.
    fn run(&self, words: &[&str]) -> Output {
        let mut command = program();
        let mut paths: Vec<PathBuf> = vec![maven().parent().unwrap().to_owned()];
        paths.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
        command.env("PATH", std::env::join_paths(paths).unwrap());
        command.env("JAVA_HOME", &jdks()[0].home);
        let output = command.current_dir(&self.root).args(words).output();
        output.unwrap()
    }

    /// Generates tests where no build is asked. Returns standard error.
    fn generate(&self, words: &[&str]) -> String {
        let base = [
            "generate",
            "-p",
            "classes",
            "-c",
            "acme.Sum",
            "-o",
            "src/test/java",
        ];
        let output = self.run(&[&base, words].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        text(&output.stderr)
    }
}

const UNCHANGED: &str = "unchanged: the result of an earlier run holds";

#[test]
#[ignore = "long"]
fn tests_have_the_style_that_editorconfig_says() {
    let config = "root = true\n[*.java]\nindent_style = tab\ntab_width = 8\nend_of_line = crlf\nmax_line_length = 60\n";
    let project = Project::new(&[(".editorconfig", config)]).compiled();
    project.generate(&[]);
    let tests = project.read(TESTS);
    assert_eq!(
        tests.matches("\r\n").count(),
        tests.matches('\n').count(),
        "{tests}"
    );
    assert!(
        tests.contains("\r\n\t@Test\r\n") && !tests.contains("    "),
        "{tests}"
    );
    assert!(project.generate(&[]).contains(UNCHANGED));
    // Of a file with another indentation, too, tests are removed that fail.
    let sum = SUM.replace("a - b", "a * b");
    project.write("src/main/java/acme/Sum.java", &sum);
    let project = project.compiled();
    let console = junit::jars().console;
    let test_class_path = ["--test-classpath", console.to_str().unwrap()];
    let output = [&["--update", "--accept"][..], &test_class_path].concat();
    let said = project.generate(&output);
    assert!(
        said.contains("SumHeapwrightTest.java is kept with"),
        "{said}"
    );
    assert!(said.contains(" removed: fails now: "), "{said}");
    let left = project.read(TESTS);
    assert!(
        left.len() < tests.len() && left.contains("\r\n\t@Test\r\n"),
        "{left}"
    );
    assert_eq!(
        left.matches("\r\n").count(),
        left.matches('\n').count(),
        "{left}"
    );
}

#[test]
#[ignore = "long"]
fn tests_have_the_style_of_sources_beside_them() {
    const LICENCE: &str = "/*\n * Copyright 2019 Acme\n */\n\n";
    let own = "package acme;\n\nimport java.util.List;\n\nimport static java.util.List.of;\n\nclass OwnTest {\n  List<Integer> all = of(1);\n}\n";
    let own = format!("{LICENCE}{own}");
    let project = Project::new(&[("src/test/java/acme/OwnTest.java", &own)]).compiled();
    project.generate(&[]);
    let tests = project.read(TESTS);
    assert!(
        tests.starts_with(&format!("{LICENCE}package acme;\n\nimport org.")),
        "{tests}"
    );
    assert!(tests.contains("\n  @Test\n"), "{tests}");
    let last_import = tests.lines().rfind(|line| line.starts_with("import "));
    assert!(
        last_import.unwrap().starts_with("import static "),
        "{tests}"
    );
    assert!(project.generate(&[]).contains(UNCHANGED));
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "long"]
fn a_command_formats_the_files_that_were_written() {
    // It changes more than white space, and notes what it is called with.
    let script = "for f in \"$@\"; do\n  echo \"$f\" >> called\n  sed -i 's/^    /\\t/; s/void /final void /' \"$f\"\ndone\n";
    let project = Project::new(&[("fmt.sh", script)]).compiled();
    let command = ["--after-write", "sh fmt.sh"];
    let said = project.generate(&command);
    assert!(!said.contains("not formatted"), "{said}");
    assert_eq!(project.read("called"), format!("{TESTS}\n"));
    let tests = project.read(TESTS);
    assert!(
        tests.contains("\n\t@Test\n") && tests.contains("final void"),
        "{tests}"
    );
    // The file is Heapwright's still: it is neither made again nor called edited.
    assert!(project.generate(&command).contains(UNCHANGED));
    assert_eq!(project.read("called"), format!("{TESTS}\n"));
    project.generate(&["--no-after-write", "--no-cache"]);
    assert!(project.read(TESTS).contains("\n    @Test\n"));
    // A file of settings can name it, or switch it off.
    project.write(
        "heapwright.toml",
        "[generate]\nafter-write = \"sh fmt.sh\"\n",
    );
    project.generate(&["--no-cache"]);
    assert!(project.read(TESTS).contains("\n\t@Test\n"));
    project.write("heapwright.toml", "[generate]\nafter-write = false\n");
    project.generate(&["--no-cache"]);
    assert!(project.read(TESTS).contains("\n    @Test\n"));
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "long"]
fn a_command_that_fails_or_hangs_loses_no_test() {
    let project = Project::new(&[]).compiled();
    let said = project.generate(&["--after-write", "sh missing.sh"]);
    assert!(
        said.contains("tests are not formatted: `sh missing.sh` failed: "),
        "{said}"
    );
    assert!(project.read(TESTS).contains("\n    @Test\n"));
    // The files wait for a command that does not fail.
    project.write("missing.sh", "sed -i 's/^    /\\t/' \"$@\"\n");
    assert!(
        project
            .generate(&["--after-write", "sh missing.sh"])
            .contains(UNCHANGED)
    );
    assert!(project.read(TESTS).contains("\n\t@Test\n"));
    assert!(
        project
            .generate(&["--after-write", "sh missing.sh"])
            .contains(UNCHANGED)
    );

    // One that damages them and fails leaves them as they were written.
    project.write(
        "damage.sh",
        "for f in \"$@\"; do echo > \"$f\"; done\nexit 1\n",
    );
    project.generate(&["--no-cache", "--after-write", "sh damage.sh"]);
    assert!(project.read(TESTS).contains("\n    @Test\n"));

    let start = std::time::Instant::now();
    let hanging = [
        "--time-limit",
        "8s",
        "--no-cache",
        "--after-write",
        "sleep 60;",
    ];
    let said = project.generate(&hanging);
    assert!(
        said.contains("`sleep 60;` was ended by --time-limit"),
        "{said}"
    );
    assert!(start.elapsed().as_secs() < 12, "{said}");
    assert!(project.read(TESTS).contains("\n    @Test\n"));
}

/// Project of Maven with plugins.
fn pom(plugins: &str) -> String {
    format!(
        "<project>\n  <modelVersion>4.0.0</modelVersion>\n  <groupId>acme</groupId><artifactId>sum</artifactId><version>1</version>\n  \
         <properties>\n    <maven.compiler.release>17</maven.compiler.release>\n    \
         <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>\n  </properties>\n  \
         <dependencies>\n    <dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId>\
         <version>5.10.2</version><scope>test</scope></dependency>\n  </dependencies>\n  <build><plugins>\n    \
         <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>\n    {plugins}\n  \
         </plugins></build>\n</project>\n"
    )
}

/// Runs Maven in a project.
fn run_maven(project: &Project, words: &[&str]) -> Output {
    let mut command = Command::new(maven());
    command.env("JAVA_HOME", &jdks()[0].home);
    command.args(["-q", "-B"]).args(words);
    command.current_dir(&project.root).output().unwrap()
}

/// Generates tests in a project of a build tool, and checks that a second run finds nothing to do.
/// Returns the tests.
fn generated(project: &Project) -> String {
    let output = project.run(&["generate", "--json", "--time-limit", "120s", "--compile"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(
        !text(&output.stderr).contains("not formatted"),
        "{output:?}"
    );
    let again = project.run(&["generate", "--json", "--time-limit", "120s"]);
    assert_eq!(summary_of(&again)["cached"], Value::Bool(true), "{again:?}");
    assert_eq!(project.read("src/main/java/acme/Sum.java"), SUM);
    project.read(TESTS)
}

#[test]
#[ignore = "servers: Maven"]
fn the_formatter_of_a_build_of_maven_is_run() {
    // A test that somebody has written is formatted in no run of Heapwright's.
    let own = "package acme;\n\nclass OwnTest {\n}\n";
    let plugin = "<plugin><groupId>io.spring.javaformat</groupId><artifactId>spring-javaformat-maven-plugin</artifactId>\
                  <version>0.0.47</version></plugin>";
    let project = Project::new(&[
        ("pom.xml", &pom(plugin)),
        ("src/test/java/acme/OwnTest.java", own),
    ]);
    let tests = generated(&project);
    assert!(tests.contains("\n\t@Test\n"), "{tests}");
    assert_eq!(project.read("src/test/java/acme/OwnTest.java"), own);
    let only = "-Dspring-javaformat.includes=**/SumHeapwrightTest.java";
    let goal = "io.spring.javaformat:spring-javaformat-maven-plugin:validate";
    let output = run_maven(&project, &[only, goal]);
    assert!(output.status.success(), "{output:?}");
}

#[test]
#[ignore = "servers: Maven"]
fn spotless_is_run_with_the_configuration_of_its_execution() {
    let plugin = "<plugin><groupId>com.diffplug.spotless</groupId><artifactId>spotless-maven-plugin</artifactId>\
                  <version>2.44.5</version><executions><execution><id>style</id><goals><goal>check</goal></goals>\
                  <configuration><java><licenseHeader><content>/* Acme */</content></licenseHeader>\
                  <indent><tabs>true</tabs><spacesPerTab>4</spacesPerTab></indent></java></configuration>\
                  </execution></executions></plugin>";
    let project = Project::new(&[("pom.xml", &pom(plugin))]);
    let tests = generated(&project);
    assert!(
        tests.starts_with("/* Acme */\n") && tests.contains("\n\t@Test\n"),
        "{tests}"
    );
    // Plugins that are managed only, or taken out of the build, format nothing.
    let out = plugin.replace("<id>style</id>", "<id>style</id><phase>none</phase>");
    let project = Project::new(&[("pom.xml", &pom(&out))]);
    assert!(generated(&project).contains("\n    @Test\n"));
}

#[cfg(unix)]
#[test]
#[ignore = "servers: Maven"]
fn the_formatter_of_a_build_of_gradle_is_run() {
    let build = format!(
        "plugins {{\n    id 'java-library'\n}}\nrepositories {{\n    mavenCentral()\n}}\ndependencies {{\n    \
         testImplementation 'org.junit.jupiter:junit-jupiter:5.10.2'\n}}\njava {{\n    sourceCompatibility = 17\n}}\n{}\
         tasks.register('spotlessApply') {{\n    doLast {{\n        fileTree('src').each {{ file ->\n            \
         file.text = file.text.replace('    ', '\\t')\n        }}\n    }}\n}}\n",
        gradle::compiling()
    );
    let own = "package acme;\n\nclass OwnTest {\n    int i;\n}\n";
    let project = Project::new(&[
        ("settings.gradle", ""),
        ("build.gradle", &build),
        ("src/test/java/acme/OwnTest.java", own),
    ]);
    gradle::write_wrapper(&project.root);
    let tests = generated(&project);
    assert!(tests.contains("\n\t@Test\n"), "{tests}");
    assert_eq!(project.read("src/test/java/acme/OwnTest.java"), own);
}

/// A formatter that cannot be had is a notice with the command.
#[test]
#[ignore = "servers: Maven"]
fn a_formatter_that_is_missing_loses_no_test() {
    let plugin = "<plugin><groupId>com.mycila</groupId><artifactId>license-maven-plugin</artifactId>\
                  <version>0.0.0-none</version></plugin>";
    let project = Project::new(&[("pom.xml", &pom(""))]);
    assert!(run_maven(&project, &["compile"]).status.success());
    project.write("pom.xml", &pom(plugin));
    let output = project.run(&["generate", "--time-limit", "120s"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = text(&output.stderr);
    let notice =
        "tests are not formatted: `mvn com.mycila:license-maven-plugin:0.0.0-none:format` failed: ";
    assert!(said.contains(notice), "{said}");
    assert!(project.root.join(TESTS).is_file());
}

/// Numbers that depend on a property, and such that do not.
const SIZE: &str = "package acme;\n\npublic class Size {\n    public int doubled() {\n        \
                    return 2 * Integer.getInteger(\"acme.size\", 1);\n    }\n\n    \
                    public boolean isLarge(int size) {\n        return size > 10;\n    }\n}\n";

#[test]
#[ignore = "servers: Maven"]
fn a_test_that_fails_in_the_build_alone_is_taken_back() {
    let plugin = "<plugin><artifactId>maven-surefire-plugin</artifactId><version>3.5.3</version><configuration>\
                  <systemPropertyVariables><acme.size>4</acme.size></systemPropertyVariables></configuration></plugin>";
    let project = Project::new(&[
        ("pom.xml", &pom(plugin)),
        ("src/main/java/acme/Size.java", SIZE),
    ]);
    let generate = [
        "generate",
        "-c",
        "acme.Size",
        "--compile",
        "--run-build",
        "--json",
    ];
    let output = project.run(&generate);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let summary = summary_of(&output);
    let removed = summary["tests_removed"].as_array().unwrap();
    assert!(!removed.is_empty(), "{output:?}");
    for test in removed {
        let reason = test["reason"].as_str().unwrap();
        assert!(reason.starts_with("fails in the build: "), "{reason}");
    }
    let tests = project.read("src/test/java/acme/SizeHeapwrightTest.java");
    assert!(
        tests.contains("isLarge(") && !tests.contains("doubled("),
        "{tests}"
    );
    let output = run_maven(&project, &["test"]);
    assert!(output.status.success(), "{output:?}");
    // A build that is red without the new tests, too, costs none of them.
    let red = "package acme;\n\nclass RedTest {\n    @org.junit.jupiter.api.Test\n    void isRed() {\n        \
               throw new IllegalStateException(\"red\");\n    }\n}\n";
    project.write("src/test/java/acme/RedTest.java", red);
    let output = project.run(&[&generate[..], &["--no-cache"]].concat());
    let said = text(&output.stderr);
    assert!(
        said.contains("is red without the new tests, too: "),
        "{said}"
    );
    assert!(
        project
            .read("src/test/java/acme/SizeHeapwrightTest.java")
            .contains("isLarge(")
    );
}
