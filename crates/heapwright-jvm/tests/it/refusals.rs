//! Operations that one thread without sockets, other processes and a disk cannot do end a run with
//! a refusal that names them, on every JDK. They never hang and never throw an exception that a
//! real JVM would not throw.

use heapwright_jvm::{Config, Exit, Jdk, Vm};
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk;

/// Statements, and the text that the refusal must contain.
const REFUSED: &[(&str, &str)] = &[
    ("new Thread(() -> { }).start();", "java.lang.Thread.start()"),
    (
        "java.util.concurrent.Executors.newFixedThreadPool(1).submit(() -> 1);",
        "java.lang.Thread.start()",
    ),
    (
        "java.util.stream.IntStream.range(0, 9999).parallel().sum();",
        "java.lang.Thread.start()",
    ),
    (
        "Object o = new Object(); synchronized (o) { o.wait(); }",
        "java.lang.Object.wait()",
    ),
    (
        "new java.util.concurrent.ArrayBlockingQueue<Integer>(1).take();",
        "LockSupport.park()",
    ),
    (
        "new java.util.concurrent.CountDownLatch(1).await();",
        "LockSupport.park()",
    ),
    (
        "new java.io.FileOutputStream(\"/no/such/file\");",
        "changes of files",
    ),
    ("new java.io.File(\"x\").mkdirs();", "files: tests"),
    ("new java.io.FileReader(\"/no/such/file\");", "files: tests"),
    ("new java.io.File(\"x\").exists();", "files: tests"),
    ("new java.io.File(\"x\").length();", "files: tests"),
    (
        "new java.io.File(\"/\").listFiles((folder, name) -> true);",
        "files: tests list",
    ),
    (
        "new java.util.Scanner(new java.io.File(\"/no/such/file\"));",
        "files: tests",
    ),
    (
        "java.nio.file.Files.exists(java.nio.file.Path.of(\"x\"));",
        "files: tests",
    ),
    (
        "Runtime.getRuntime().exec(new String[] {\"ls\"});",
        "java.lang.ProcessBuilder.start()",
    ),
    (
        "System.loadLibrary(\"none\");",
        "System.loadLibrary of none",
    ),
    (
        "new ClassLoader() { { defineClass(null, new byte[9], 0, 9); } };",
        "java.lang.ClassLoader.defineClass",
    ),
    (
        "java.lang.invoke.MethodHandles.arrayElementVarHandle(int[].class).coordinateTypes();",
        "java.lang.invoke.VarHandle",
    ),
    ("Package.getPackages();", "java.lang.Package.getPackages"),
    (
        "Main.class.getClassLoader().setDefaultAssertionStatus(true);",
        "ClassLoader.setDefaultAssertionStatus",
    ),
    (
        "ClassLoader.getSystemClassLoader().getUnnamedModule().getPackages();",
        "java.lang.Module.getPackages of an unnamed module",
    ),
    (
        "String.class.getModule().getAnnotations();",
        "java.lang.Module.getAnnotations",
    ),
    (
        "Runtime.getRuntime().loadLibrary(\"none\");",
        "System.loadLibrary of none",
    ),
    (
        "System.load(\"/no/such/library\");",
        "System.loadLibrary of /no/such/library",
    ),
    (
        "Main.class.getProtectionDomain();",
        "Class.getProtectionDomain of Main",
    ),
    (
        "Runtime.getRuntime().addShutdownHook(new Thread(() -> { }));",
        "java.lang.Runtime.addShutdownHook",
    ),
    (
        "java.nio.file.Files.delete(java.nio.file.Path.of(\"x\"));",
        "changes of files",
    ),
    (
        "new java.net.Socket(\"localhost\", 1);",
        "java.net.InetAddress",
    ),
];

#[test]
fn refusals_name_what_is_refused() {
    let mut cases = String::new();
    for (index, (statement, _)) in REFUSED.iter().enumerate() {
        cases.push_str(&format!("case {index}: {{ {statement} break; }}\n"));
    }
    let main = format!(
        "public class Main {{ public static void main(String[] args) throws Exception {{\n\
         switch (Integer.parseInt(args[0])) {{\n{cases}}} }} }}"
    );
    let fixture = Fixture::new(&["--release", "17"]).text("Main", &main);
    let classes = fixture.classes();
    for jdk in jdk::all_jdks() {
        for (index, (statement, named)) in REFUSED.iter().enumerate() {
            let config = Config::new(Jdk::at(&jdk.home).unwrap(), vec![classes.clone()]);
            let mut vm = Vm::new(config).unwrap();
            vm.limit_steps(50_000_000);
            let exit = vm.run_main("Main", &[index.to_string()]).unwrap();
            match &exit {
                Exit::Unsupported(what) if what.contains(named) => {}
                _ => panic!(
                    "{statement} on JDK {}: {}",
                    jdk.feature,
                    vm.exit_text(&exit)
                ),
            }
        }
    }
}
