//! `measure`: the world that existing tests see is the one in which a build runs them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::junit::{self, join};
use serde_json::{Value, json};

use crate::common::{program, summary_of};

const OPTIONS: [&str; 4] = ["-g", "-nowarn", "--release", "17"];

const ADDER: &str = "package world; public class Adder {
    public static int add(int a, int b) { return a + b; }
}";

/// Tests that pass in a folder with the files of [`module`], with the property and the variable of
/// [`measured`].
const TESTS: &str = r#"package world;
    import static org.junit.jupiter.api.Assertions.*;
    import java.io.*;
    import java.nio.charset.StandardCharsets;
    import java.nio.file.*;
    import java.util.*;
    import java.util.concurrent.*;
    import java.util.stream.*;
    import org.junit.jupiter.api.*;
    import org.junit.jupiter.api.io.TempDir;

    class WorldTest {
        static final Path DATA = Path.of("src/test/resources/data.txt");

        @Test void relativePathsBeginAtTheModule() throws IOException {
            assertEquals("one\ntwo\n", Files.readString(DATA));
            assertEquals(List.of("one", "two"), Files.readAllLines(DATA.toAbsolutePath()));
            try (BufferedReader reader = new BufferedReader(new FileReader("src/test/resources/data.txt"))) {
                assertEquals("one", reader.readLine());
            }
            try (RandomAccessFile file = new RandomAccessFile("src/test/resources/data.txt", "r")) {
                file.seek(4);
                assertEquals("two", file.readLine());
            }
            assertTrue(new File("pom.xml").isFile());
            assertTrue(new File("src").getAbsoluteFile().isDirectory());
            assertEquals(8, new File(DATA.toString()).length());
            assertTrue(Files.getLastModifiedTime(DATA).toMillis() > 0);
            assertFalse(new File("missing.txt").exists());
        }

        @Test void theModuleIsTheWorkingFolder() throws IOException {
            Path folder = Path.of(System.getProperty("user.dir"));
            assertTrue(folder.isAbsolute());
            assertEquals(folder, Path.of("").toAbsolutePath());
            assertEquals(folder, new File("").getAbsoluteFile().toPath());
            assertTrue(Files.isSameFile(folder.resolve(DATA), DATA));
            assertTrue(DATA.toRealPath().endsWith(DATA));
            assertTrue(new File("src/../pom.xml").getCanonicalPath().endsWith("pom.xml"));
            assertTrue(Files.isDirectory(folder.getParent()));
            assertThrows(NoSuchFileException.class, () -> Path.of("missing").toRealPath());
        }

        @Test void foldersAreListed() throws IOException {
            try (Stream<Path> all = Files.walk(Path.of("src"))) {
                assertEquals(List.of("data.txt", "more.txt"), all.filter(Files::isRegularFile)
                    .map(path -> path.getFileName().toString()).sorted().collect(Collectors.toList()));
            }
            try (Stream<Path> all = Files.list(Path.of("src/test/resources"))) {
                assertEquals(Set.of("data.txt", "deep"), all.map(path -> path.getFileName().toString()).collect(Collectors.toSet()));
            }
            String[] names = new File("src/test/resources").list();
            Arrays.sort(names);
            assertArrayEquals(new String[] {"data.txt", "deep"}, names);
            try (DirectoryStream<Path> some = Files.newDirectoryStream(Path.of("src/test/resources"), "*.txt")) {
                assertEquals(1, StreamSupport.stream(some.spliterator(), false).count());
            }
        }

        @Test void whatIsWrittenIsReadBack() throws IOException {
            Path out = Path.of("target/out/result.txt");
            Files.createDirectories(out.getParent());
            Files.writeString(out, "new");
            assertEquals("new", Files.readString(out));
            assertTrue(new File("target/out").list().length == 1);
            Path copy = Path.of("src/test/resources/copy.txt");
            Files.copy(DATA, copy, StandardCopyOption.REPLACE_EXISTING);
            Files.writeString(copy, "three\n", StandardOpenOption.APPEND);
            assertEquals(3, Files.readAllLines(copy).size());
            Files.delete(copy);
            assertFalse(Files.exists(copy));
            assertEquals(2, new File("src/test/resources").list().length);
            try (PrintWriter writer = new PrintWriter("new.txt", StandardCharsets.UTF_8)) {
                writer.print("at the top");
            }
            Files.move(Path.of("new.txt"), Path.of("moved.txt"));
            assertEquals("at the top", Files.readString(Path.of("moved.txt")));
            assertTrue(new File("moved.txt").delete());
        }

        /** Changes what is there, which no other test may see. */
        @Test void filesOfTheModuleChangeInMemory() throws IOException {
            Path scratch = Path.of("target/scratch");
            assertEquals("before", Files.readString(scratch.resolve("a.txt")));
            Files.writeString(scratch.resolve("a.txt"), "after");
            assertEquals("after", Files.readString(scratch.resolve("a.txt")));
            Files.delete(scratch.resolve("deep/b.txt"));
            Files.delete(scratch.resolve("deep"));
            assertFalse(Files.exists(scratch.resolve("deep/b.txt")));
            Files.createDirectory(scratch.resolve("deep"));
            assertEquals(0, scratch.resolve("deep").toFile().list().length);
            Files.move(scratch, Path.of("target/moved"));
            assertFalse(Files.exists(scratch));
            assertEquals("after", Files.readString(Path.of("target/moved/a.txt")));
            assertThrows(DirectoryNotEmptyException.class, () -> Files.delete(Path.of("target/moved")));
        }

        @Test void temporaryFoldersAreThere(@TempDir Path folder, @TempDir File other) throws IOException {
            Path file = Files.writeString(folder.resolve("a.txt"), "text");
            assertEquals("text", Files.readString(file));
            assertTrue(new File(other, "sub").mkdirs());
            File made = File.createTempFile("begin", ".end");
            assertTrue(made.length() == 0 && made.delete());
            assertTrue(Files.isDirectory(Files.createTempDirectory("folder")));
        }

        @Test void propertiesAndVariablesAreThoseOfTheBuild() {
            assertEquals("blue", System.getProperty("world.colour"));
            assertEquals("a b=c", System.getenv("WORLD_PLACE"));
            assertTrue(System.getenv().containsKey("WORLD_PLACE"));
            assertTrue(System.getProperty("java.class.path").contains(File.pathSeparator));
            assertNotNull(System.getProperty("java.io.tmpdir"));
        }

        @Test void timeGoesOn() throws Exception {
            long before = System.currentTimeMillis();
            long nanos = System.nanoTime();
            Thread.sleep(30);
            assertTrue(System.currentTimeMillis() - before >= 29);
            assertTrue(System.nanoTime() - nanos >= 29_000_000);
            assertTimeout(java.time.Duration.ofSeconds(5), () -> Thread.sleep(20));
            assertTimeoutPreemptively(java.time.Duration.ofSeconds(5), () -> Thread.sleep(20));
        }

        @Test void workRunsInOtherThreads() throws Exception {
            ExecutorService pool = Executors.newFixedThreadPool(3);
            List<Future<Integer>> results = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int number = i;
                results.add(pool.submit(() -> Adder.add(number, 1)));
            }
            int sum = 0;
            for (Future<Integer> result : results) {
                sum += result.get(10, TimeUnit.SECONDS);
            }
            assertEquals(36, sum);
            pool.shutdown();
            assertTrue(pool.awaitTermination(10, TimeUnit.SECONDS));
            assertEquals(7, CompletableFuture.supplyAsync(() -> Adder.add(1, 2))
                .thenCombine(CompletableFuture.supplyAsync(() -> 4), Adder::add).get(10, TimeUnit.SECONDS));
            assertEquals(499_500, IntStream.range(0, 1000).parallel().reduce(0, Adder::add));
            ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
            CountDownLatch rung = new CountDownLatch(3);
            timer.scheduleAtFixedRate(rung::countDown, 10, 10, TimeUnit.MILLISECONDS);
            assertTrue(rung.await(10, TimeUnit.SECONDS));
            timer.shutdownNow();
        }
    }"#;

/// Folder of a module in which [`TESTS`] pass.
fn module() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("pom.xml", "<project/>"),
        ("src/test/resources/data.txt", "one\ntwo\n"),
        ("src/test/resources/deep/more.txt", "more"),
        ("target/scratch/a.txt", "before"),
        ("target/scratch/deep/b.txt", "b"),
    ] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Folders of the classes and of their tests.
fn compiled(tests: &str) -> [PathBuf; 2] {
    let classes = Fixture::new(&OPTIONS).text("Adder", ADDER).classes();
    let tests = Fixture::new(&OPTIONS)
        .against(&classes)
        .against(&junit::jars().console)
        .text("WorldTest", tests)
        .classes();
    [classes, tests]
}

/// Measures tests in a folder.
fn measured([classes, tests]: &[PathBuf; 2], folder: &Path, more: &[&str]) -> Output {
    let mut command = program();
    command
        .args(["measure", "--no-config", "--json", "-c", "world.*", "-p"])
        .arg(join(&[classes.clone(), junit::jars().console]))
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .arg("--tests")
        .arg(tests)
        .arg("--working-folder")
        .arg(folder)
        .args(more);
    command.output().unwrap()
}

/// Files below a folder with their contents.
fn contents(folder: &Path) -> Vec<(PathBuf, Option<String>)> {
    let mut all = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => {
                    all.push((path.clone(), None));
                    open.push(path);
                }
                false => all.push((path.clone(), Some(fs::read_to_string(path).unwrap()))),
            }
        }
    }
    all.sort();
    all
}

#[test]
fn tests_see_what_they_see_in_their_build() {
    let compiled = compiled(TESTS);
    let folder = module();
    let mut java = jdks()[0].java();
    java.current_dir(folder.path())
        .env("WORLD_PLACE", "a b=c")
        .arg("-Dworld.colour=blue");
    let path = [compiled[1].clone(), compiled[0].clone()];
    let selection = ["--select-class=world.WorldTest".into()];
    let on_java = junit::launch(java, &path, &selection);
    assert_eq!(on_java.found, on_java.succeeded, "{}", on_java.output);

    let folder = module();
    let before = contents(folder.path());
    let world = [
        "--test-property",
        "world.colour=blue",
        "--test-variable",
        "WORLD_PLACE=a b=c",
    ];
    let output = measured(&compiled, folder.path(), &world);
    let summary = summary_of(&output);
    assert_eq!(summary["failing"], json!([]));
    assert_eq!(summary["skipped"], json!([]));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(summary["tests_passed"], on_java.succeeded);
    assert_eq!(
        (&summary["mutants"], &summary["killed"]),
        (&json!(2), &json!(2))
    );
    assert_eq!(contents(folder.path()), before);
}

/// What a build has beside the module's folder is not read, and the tests that ask for it are named.
#[test]
fn files_beside_the_working_folder_are_refused_by_name() {
    let tests = r#"package world;
        import static org.junit.jupiter.api.Assertions.*;
        import java.nio.file.*;
        import org.junit.jupiter.api.*;
        class WorldTest {
            @Test void other() throws Exception { assertEquals("x", Files.readString(Path.of("../other/file"))); }
            @Test void none() { assertFalse(Files.exists(Path.of("../none"))); }
            @Test void linked() { assertFalse(Files.exists(Path.of("link"))); }
        }"#;
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("module");
    fs::create_dir(&folder).unwrap();
    fs::create_dir(root.path().join("other")).unwrap();
    fs::write(root.path().join("other/file"), "x").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink("../other/file", folder.join("link")).unwrap();
    let output = measured(&compiled(tests), &folder, &["--mutants", "none"]);
    let summary = summary_of(&output);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert_eq!(summary["tests_passed"], 2, "{summary}");
    let skipped = &summary["skipped"][0];
    assert_eq!(skipped["refused"], Value::Bool(true));
    let reason = skipped["reason"].as_str().unwrap();
    assert!(
        reason.ends_with("other/file is outside of the folder in which the tests run"),
        "{reason}"
    );
}

#[test]
fn a_working_folder_that_is_none_is_named() {
    let output = measured(&compiled(TESTS), Path::new("none/such"), &[]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("failed to read the files of none/such"),
        "{said}"
    );
}
