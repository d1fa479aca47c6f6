//! Tests are compiled and run before they are written. Results that hold on one machine only are
//! not asserted, tests that do not compile are left out, and the rest is unchanged.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use heapwright_testkit::fixtures::{Fixture, compile, files};
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit::run_console_with;

use crate::common::program;

/// Methods whose results depend on the run, the user or the place, and one with a fixed result.
const CHANCE: &str = r#"package worlds;

import java.util.Locale;
import java.util.Random;
import java.util.Set;

public class Chance {
    public int drawn() {
        return new Random().nextInt(1_000_000);
    }

    public String first() {
        return Set.of("a", "b", "c", "d", "e", "f").iterator().next();
    }

    public String firstOfTwo() {
        return Set.of("a", "b").iterator().next();
    }

    public String upper() {
        return "title".toUpperCase();
    }

    public String formatted() {
        return String.format("%.1f", 2.5);
    }

    public String user() {
        return System.getProperty("user.name");
    }

    public String place() {
        return Locale.getDefault().toString();
    }

    public int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    public long now() {
        return System.currentTimeMillis();
    }

    public int twice(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("negative");
        }
        return 2 * number;
    }
}
"#;

/// A method whose result depends on the year, which is the same in all trial environments on one
/// day.
const TODAY: &str = r#"package worlds;

import java.time.LocalDate;
import java.time.ZoneOffset;

public class Today {
    public int age(int born) {
        return LocalDate.now(ZoneOffset.UTC).getYear() - born;
    }

    /** Returns whether this is one of the two instants at which the engine runs tests. */
    public boolean isOfTheEngine() {
        long now = System.currentTimeMillis();
        return now == 1_577_836_800_000L || now == 1_577_836_800_000L + 203_456_789_012L;
    }

    public static int twice(int number) {
        return 2 * number;
    }
}
"#;

/// A class with a method whose name will be made inexpressible in source code.
const NAMES: &str = r#"package worlds;

public class Names {
    private int count;

    public int unsayable() {
        count++;
        return count;
    }

    public int count() {
        return count;
    }
}
"#;

/// A class that its superclass references.
const UTC: &str = r#"package worlds;

public class Utc extends Zone {
    static final Utc INSTANCE = new Utc(0);

    private final int hours;

    private Utc(int hours) {
        this.hours = hours;
    }

    public int hours() {
        return UTC == null ? -1 : hours;
    }
}

class Zone {
    static final Zone UTC = Utc.INSTANCE;
}
"#;

/// A class with two methods that will differ only in their return types.
const TWINS: &str = r#"package worlds;

public class Twins {
    private int count;

    public int size() {
        return count;
    }

    public Long sire() {
        return 7L;
    }

    public void grow() {
        if (count < 2) {
            count++;
        }
    }
}
"#;

/// A class with a method that breaks the invariant on every path.
const PURSE: &str = r#"package worlds;

public class Purse {
    private final int room;
    private int coins;

    public Purse(int room) {
        if (room < 0) {
            throw new IllegalArgumentException("no room");
        }
        this.room = room;
    }

    public boolean repOK() {
        return coins >= 0 && coins <= room;
    }

    public void fill() {
        coins = room + 1;
    }

    public int coins() {
        return coins;
    }
}
"#;

/// A class with only some public members.
const SHUT: &str = r#"package worlds;

public class Shut {
    private final int level;

    Shut(int level) {
        this.level = level;
    }

    public static Shut of(int level) {
        return new Shut(Math.max(level, 0));
    }

    public int level() {
        return level;
    }

    int twice() {
        return 2 * level;
    }
}
"#;

struct Project {
    folder: tempfile::TempDir,
    /// Folder or jar of the classes.
    classes: PathBuf,
    /// Release for which classes and tests are compiled.
    release: &'static str,
}

impl Project {
    fn of(name: &str, source: &str) -> Project {
        Project::of_release(name, source, "17")
    }

    fn of_release(name: &str, source: &str, release: &'static str) -> Project {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("src/worlds/{name}.java"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, source).unwrap();
        let fixture = Fixture::new(&["-g", "-Xlint:-options", "--release", release]).file(path);
        let classes = folder.path().join("classes");
        fixture.copied_to(&classes);
        Project {
            folder,
            classes,
            release,
        }
    }

    /// Packs the classes into a signed jar.
    fn sign(&mut self) {
        let store = "-keystore keys -storepass secret";
        self.run_tool("jar", "cf signed.jar -C classes .");
        self.run_tool(
            "keytool",
            &format!("-genkeypair {store} -alias key -dname CN=key -keyalg RSA -validity 10000"),
        );
        self.run_tool("jarsigner", &format!("{store} signed.jar key"));
        self.classes = self.folder.path().join("signed.jar");
    }

    /// Packs the classes into a jar with a manifest.
    fn pack(&mut self, manifest: &str) {
        fs::write(self.folder.path().join("manifest"), manifest).unwrap();
        self.run_tool("jar", "cfm packed.jar manifest -C classes .");
        self.classes = self.folder.path().join("packed.jar");
    }

    /// Runs a tool of the JDK.
    fn run_tool(&self, tool: &str, arguments: &str) {
        let bin = compilers()[0].home.join("bin");
        let mut command = Command::new(bin.join(tool));
        command
            .current_dir(self.folder.path())
            .args(arguments.split(' '));
        let output = command.output().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    fn sequences(&self, jdk: &Path, class: &str, arguments: &[&str]) -> Output {
        program()
            .args(["sequences", "--no-config", "--format", "junit", "-o"])
            .arg(self.folder.path().join("src/test/java"))
            .args(["-c", class, "--goal", "statements", "--jdk"])
            .arg(jdk)
            .arg("-p")
            .arg(&self.classes)
            .args(arguments)
            .output()
            .unwrap()
    }

    fn enumerate(&self, jdk: &Path, class: &str, scope: u32) -> Output {
        program()
            .args(["enumerate", "--no-config", "--invariant", "none", "--scope"])
            .args([&scope.to_string(), "--format", "junit", "-o"])
            .arg(self.folder.path().join("src/test/java"))
            .args(["-c", class, "--jdk"])
            .arg(jdk)
            .arg("-p")
            .arg(&self.classes)
            .output()
            .unwrap()
    }

    fn written(&self) -> String {
        let sources = files(&self.folder.path().join("src/test/java"), "java");
        sources
            .iter()
            .map(|path| fs::read_to_string(path).unwrap())
            .collect()
    }

    /// Runs the written tests on each JDK, twice. Returns their number.
    fn pass(&self) -> usize {
        let built = self.folder.path().join("built");
        let sources = files(&self.folder.path().join("src/test/java"), "java");
        let jars = heapwright_testkit::junit::jars();
        let lint = "-Xlint:all,-options,-classfile";
        let options = [lint, "-Werror", "--release", self.release];
        compile(
            &compilers()[0],
            &sources,
            &[self.classes.clone(), jars.console],
            &built,
            &options,
        );
        let mut tests = 0;
        for jdk in jdks() {
            let java = jdk.home.join("bin/java");
            let report = run_console_with(
                &java,
                std::slice::from_ref(&built),
                &[
                    self.classes.clone(),
                    self.folder.path().join("src/test/resources"),
                ],
            );
            assert_eq!(report.failed, 0, "JDK {}:\n{}", jdk.feature, report.output);
            tests = report.succeeded;
        }
        tests
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn what_depends_on_the_machine_is_not_asserted() {
    let project = Project::of("Chance", CHANCE);
    let output = project.sequences(&compilers()[0].home, "worlds.Chance", &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = said(&output);
    assert!(said.contains("differs from machine to machine"), "{said}");
    let written = project.written();
    for method in [
        "drawn",
        "first",
        "firstOfTwo",
        "upper",
        "formatted",
        "user",
        "place",
        "processors",
        "now",
    ] {
        let lines = written
            .lines()
            .filter(|line| line.contains(&format!(".{method}()")));
        let asserting: Vec<&str> = lines.filter(|line| line.contains("assertEquals")).collect();
        assert_eq!(asserting, [""; 0], "{written}");
    }
    assert!(
        written.contains("assertEquals(0, chance.twice(0));"),
        "{written}"
    );
    assert!(project.pass() >= 3, "{written}");
}

#[test]
fn another_date_is_no_fault() {
    let project = Project::of("Today", TODAY);
    let output = project.sequences(&compilers()[0].home, "worlds.Today", &[]);
    let said = said(&output);
    let of_both = "left out on which the JVM disagrees, perhaps because it reads the date";
    assert!(said.contains(of_both), "{said}");
    assert!(
        said.contains("in no test: it depends on the clock"),
        "{said}"
    );
    assert!(!said.contains("a fault of Heapwright's"), "{said}");
    let written = project.written();
    assert!(
        written.contains("twice(") && !written.contains(".age(") && !written.contains(".is"),
        "{written}"
    );
    assert!(project.pass() >= 1, "{written}");
}

#[test]
fn tests_of_a_signed_package_stand_in_one_of_their_own() {
    let mut project = Project::of("Shut", SHUT);
    project.sign();
    let output = project.sequences(&compilers()[0].home, "worlds.Shut", &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(!said(&output).contains("a fault"), "{output:?}");
    let written = project.written();
    assert!(written.contains("package heapwright.worlds;"), "{written}");
    assert!(written.contains("shut.level()"), "{written}");
    assert!(!written.contains("twice"), "{written}");
    assert!(project.pass() >= 2, "{written}");
}

/// The seal is of one package, or of all but one.
#[test]
fn tests_of_a_sealed_package_stand_in_one_of_their_own() {
    let package = |sealed: &str| format!("Name: worlds/\nSealed: {sealed}\n");
    for (manifest, is_sealed) in [
        (package("true"), true),
        ("Sealed: true\n".to_owned(), true),
        (format!("Sealed: true\n\n{}", package("false")), false),
    ] {
        let mut project = Project::of("Shut", SHUT);
        project.pack(&manifest);
        let output = project.sequences(&compilers()[0].home, "worlds.Shut", &[]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(!said(&output).contains("a fault"), "{output:?}");
        let written = project.written();
        let is_apart = written.contains("package heapwright.worlds;");
        assert_eq!(is_apart, is_sealed, "{manifest}{written}");
        assert!(project.pass() >= 2, "{written}");
    }
}

#[test]
fn names_that_no_source_can_say_are_reached_by_reflection() {
    let project = Project::of("Names", NAMES);
    let class = project.classes.join("worlds/Names.class");
    let bytes = fs::read(&class).unwrap();
    let renamed = replaced(&bytes, b"unsayable", b"un say-it");
    fs::write(&class, renamed).unwrap();
    let output = project.sequences(
        &compilers()[0].home,
        "worlds.Names",
        &["--junit-check", "run"],
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let written = project.written();
    assert!(written.contains("\"un say-it()\""), "{written}");
    assert!(written.contains("names.count()"), "{written}");
    assert!(project.pass() >= 1, "{written}");
}

#[test]
fn methods_that_differ_by_their_result_alone_are_told_apart() {
    let home = &compilers()[0].home;
    // Few tests are Java code, many are a data file.
    for (scope, is_data) in [(2, false), (60, true)] {
        let project = Project::of("Twins", TWINS);
        let class = project.classes.join("worlds/Twins.class");
        let bytes = fs::read(&class).unwrap();
        fs::write(&class, replaced(&bytes, b"sire", b"size")).unwrap();
        let output = project.enumerate(home, "worlds.Twins", scope);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let data = files(&project.folder.path().join("src/test/resources"), "txt");
        assert_eq!(!data.is_empty(), is_data);
        let data = data.iter().map(|path| fs::read_to_string(path).unwrap());
        let written = project.written() + &data.collect::<String>();
        for twin in ["size():int", "size():java.lang.Long"] {
            assert!(written.contains(twin), "{written}");
        }
        assert!(project.pass() >= 1, "{written}");
    }
}

#[test]
fn superclasses_are_initialised_before_objects_are_made_without_constructors() {
    let project = Project::of("Utc", UTC);
    let output = project.enumerate(&compilers()[0].home, "worlds.Utc", 2);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(!said(&output).contains("a fault"), "{output:?}");
    let written = project.written();
    assert!(written.contains("allocate(\"worlds.Utc\")"), "{written}");
    assert!(
        written.contains("assertEquals(1, utc.hours())"),
        "{written}"
    );
    assert!(project.pass() >= 1, "{written}");
}

/// Replaces a name in the bytes by another of the same length.
fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let mut all = bytes.to_vec();
    let places = bytes.windows(old.len()).enumerate();
    for (at, _) in places.filter(|(_, window)| *window == old) {
        all[at..at + new.len()].copy_from_slice(new);
    }
    all
}

#[test]
fn a_broken_invariant_is_a_finding() {
    let project = Project::of("Purse", PURSE);
    let home = &compilers()[0].home;
    let output = project.sequences(home, "worlds.Purse", &["--json"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["invariant_broken"], 1);
    let told = "repOK does not hold after: purse = new Purse(0); purse.fill()";
    assert!(said(&output).contains(told), "{output:?}");
    let failures = project.folder.path().join("src/test/java-failures/worlds");
    let reproducer = failures.join("PurseHeapwrightFailureTest.java");
    let reproducer = fs::read_to_string(reproducer).unwrap();
    assert!(
        reproducer.contains("purse.fill();\n\n        assertTrue(purse.repOK());"),
        "{reproducer}"
    );
    // The other tests do not depend on the failure and pass.
    assert!(project.pass() >= 1);
    let output = project.sequences(home, "worlds.Purse", &["--invariant", "none"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn without_a_compiler_it_is_said() {
    let project = Project::of("Names", NAMES);
    // A folder with the parts of a runtime that the program reads.
    let runtime = project.folder.path().join("runtime");
    fs::create_dir_all(&runtime).unwrap();
    for part in ["lib", "release"] {
        let from = compilers()[0].home.join(part);
        std::os::unix::fs::symlink(from, runtime.join(part)).unwrap();
    }
    let output = project.sequences(&runtime, "worlds.Names", &[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = said(&output);
    assert!(said.contains("no test was compiled and run"), "{said}");
    assert!(said.contains("has no javac"), "{said}");
    assert!(project.pass() >= 1);
}

#[test]
fn data_goes_where_build_tools_look_for_resources() {
    let project = Project::of("Names", NAMES);
    let output = project.enumerate(&compilers()[0].home, "worlds.Names", 60);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let below = |place: &str| files(&project.folder.path().join(place), "txt").len();
    assert_eq!(
        (below("src/test/java"), below("src/test/resources")),
        (0, 1)
    );
}

/// Values of collections, for which Java 8 has no factories.
const COUNTS: &str = r#"package worlds;

import java.util.*;

public class Counts {
    public Map<Integer, String> named(int count) {
        Map<Integer, String> names = new TreeMap<>();
        for (int i = 0; i < count && i < 2; i++) {
            names.put(i, "n" + i);
        }
        return names;
    }

    public static List<Integer> two(boolean any) {
        return any ? Arrays.asList(1, 2) : Collections.singletonList(3);
    }

    public static Set<String> texts() {
        return new LinkedHashSet<>(Arrays.asList("a", "b"));
    }

    public static int sum(Map<String, Integer> numbers, List<Integer> more) {
        int sum = 0;
        for (int number : numbers.values()) {
            sum += number;
        }
        for (int number : more) {
            sum += number;
        }
        return sum > 3 ? sum : 0;
    }
}
"#;

#[test]
fn tests_are_of_the_release_of_the_classes() {
    for (release, factories) in [("8", false), ("17", true)] {
        let project = Project::of_release("Counts", COUNTS, release);
        let output = project.sequences(&jdks()[0].home, "worlds.Counts", &[]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(!said(&output).contains("left out"), "{}", said(&output));
        let written = project.written();
        assert_eq!(written.contains("List.of("), factories, "{written}");
        assert!(project.pass() > 4, "{written}");
    }
}

/// Methods that take objects of the JDK, made by members that release 8 has not got.
const PLACES: &str = r#"package worlds;

import java.nio.file.Path;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

public class Places {
    public static int depth(Path path) {
        int names = path.getNameCount();
        return names > 1 ? names : -1;
    }

    public static boolean isEmpty(Document document) {
        Element root = document.getDocumentElement();
        return root == null;
    }
}
"#;

#[test]
fn members_of_the_jdk_are_those_of_the_release() {
    for (release, paths, documents) in [
        ("8", "Paths.get(", "DocumentBuilderFactory.newInstance()"),
        (
            "17",
            "Path.of(",
            "DocumentBuilderFactory.newDefaultInstance()",
        ),
    ] {
        let project = Project::of_release("Places", PLACES, release);
        let output = project.sequences(&jdks()[0].home, "worlds.Places", &[]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(!said(&output).contains("left out"), "{}", said(&output));
        let written = project.written();
        assert!(written.contains(paths), "{written}");
        assert!(written.contains(documents), "{written}");
        project.pass();
    }
}

/// A static field that tests set, and a method that depends on it.
const RATES: &str = r#"package worlds;

public class Rates {
    public static int rate = 3;
    public static String name;

    public static int of(int amount) {
        if (rate == 7) {
            return -1;
        }
        return name == null ? amount * 2 : name.length();
    }
}
"#;

#[test]
fn static_fields_that_tests_set_are_put_back() {
    for junit in ["5", "4"] {
        let project = Project::of("Rates", RATES);
        let framework = ["--junit", junit];
        let output = project.sequences(&jdks()[0].home, "worlds.Rates", &framework);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let written = project.written();
        assert!(written.contains("Rates.rate = 7;"), "{written}");
        for line in [
            "private final int rateBefore = Rates.rate;",
            "Rates.rate = rateBefore;",
        ] {
            assert!(written.contains(line), "no {line}: {written}");
        }
        // A test by hand that runs last.
        let by_hand = "package worlds;\nclass ZTest {\n    @org.junit.jupiter.api.Test\n    void rate() {\n        \
                       org.junit.jupiter.api.Assertions.assertEquals(3, Rates.rate);\n    }\n}\n";
        let path = project
            .folder
            .path()
            .join("src/test/java/worlds/ZTest.java");
        fs::write(path, by_hand).unwrap();
        project.pass();
    }
}

/// A library that the program logs with, which finds its implementation by name.
const LOG: &str = r#"package logs;

public abstract class Log {
    public static Log find() {
        try {
            Class<?> bound = Class.forName("logs.Bound");
            return (Log) bound.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException missing) {
            return new Log() {
                @Override
                public void note(String text) { }
            };
        }
    }

    public abstract void note(String text);
}
"#;

/// An implementation that only tests have.
const BOUND: &str = r#"package logs;

public class Bound extends Log {
    @Override
    public void note(String text) { }
}
"#;

/// A class of the program that logs.
const LOGGING: &str = r#"package worlds;

public class Logging {
    private static final logs.Log LOG = logs.Log.find();

    public int twice(int number) {
        LOG.note("twice");
        return 2 * number;
    }
}
"#;

#[test]
fn libraries_of_the_program_and_of_tests_see_each_other() {
    let options = ["-g", "--release", "17"];
    let folder = tempfile::tempdir().unwrap();
    let [log, bound, own] = ["log", "bound", "own"].map(|name| folder.path().join(name));
    Fixture::new(&options).text("Log", LOG).copied_to(&log);
    for (class, source, to) in [("Bound", BOUND, &bound), ("Logging", LOGGING, &own)] {
        let fixture = Fixture::new(&options).against(&log);
        fixture.text(class, source).copied_to(to);
    }
    let output = program()
        .args(["sequences", "--no-config", "-c", "worlds.Logging", "-o"])
        .arg(folder.path().join("tests"))
        .arg("--test-classpath")
        .arg(&bound)
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .arg("-p")
        .arg(std::env::join_paths([&own, &log]).unwrap())
        .output()
        .unwrap();
    let test = folder
        .path()
        .join("tests/worlds/LoggingHeapwrightTest.java");
    let test = fs::read_to_string(test).unwrap_or_else(|_| panic!("no test: {output:?}"));
    assert!(test.contains(".twice(0));"), "{test}");
    assert!(!said(&output).contains("left out"), "{output:?}");
}
