//! Operations that one thread without files, sockets and other processes cannot do end a run with
//! a refusal that names them, on every JDK. They never hang and never throw an exception that a
//! real JVM would not throw.

use heapwright_jvm::{Config, Exit, Jdk, Vm};
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk;

/// Statements, and the text that the refusal must contain.
const REFUSED: [(&str, &str); 43] = [
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
        "new java.io.FileReader(\"/no/such/file\");",
        "/no/such/file",
    ),
    (
        "new java.io.FileOutputStream(\"/no/such/file\");",
        "/no/such/file",
    ),
    ("new java.io.File(\"x\").exists();", "java.io.File.exists"),
    (
        "new java.io.File(\"x\").isDirectory();",
        "java.io.File.isDirectory",
    ),
    ("new java.io.File(\"x\").length();", "java.io.File.length"),
    (
        "new java.io.File(\"x\").getCanonicalPath();",
        "java.io.File.getCanonicalPath",
    ),
    (
        "new java.io.File(\"x\").listFiles((folder, name) -> true);",
        "java.io.File.listFiles",
    ),
    ("new java.io.File(\"x\").mkdirs();", "java.io.File.mkdirs"),
    (
        "java.io.File.createTempFile(\"x\", null);",
        "java.io.File.createTempFile",
    ),
    (
        "new java.util.Scanner(new java.io.File(\"/no/such/file\"));",
        "/no/such/file",
    ),
    ("java.nio.file.Path.of(\"x\");", "java.nio.file.FileSystems"),
    ("Main.class.getResource(\"text\");", "getResource of text"),
    (
        "Runtime.getRuntime().exec(new String[] {\"ls\"});",
        "java.lang.ProcessBuilder.start()",
    ),
    (
        "System.loadLibrary(\"none\");",
        "System.loadLibrary of none",
    ),
    (
        "java.util.ServiceLoader.load(Runnable.class);",
        "java.util.ServiceLoader",
    ),
    (
        "String.format(java.util.Locale.GERMANY, \"%.1f\", 1.5);",
        "locale de_DE",
    ),
    (
        "new java.io.ObjectOutputStream(new java.io.ByteArrayOutputStream()).writeObject(\"\");",
        "serialization",
    ),
    ("java.util.TimeZone.getDefault();", "java.util.TimeZone"),
    (
        "java.lang.invoke.MethodHandles.lookup().unreflect(Object.class.getMethod(\"hashCode\"));",
        "Lookup.unreflect",
    ),
    (
        "java.lang.invoke.MethodHandles.identity(int.class);",
        "java.lang.invoke.MethodHandles.identity",
    ),
    (
        "java.lang.invoke.MethodHandles.constant(String.class, \"x\");",
        "java.lang.invoke.MethodHandles.constant",
    ),
    (
        "new java.lang.invoke.MutableCallSite(java.lang.invoke.MethodType.methodType(int.class));",
        "java.lang.invoke.MutableCallSite",
    ),
    (
        "java.lang.invoke.MethodHandles.lookup().defineHiddenClass(new byte[0], false);",
        "Lookup.defineHiddenClass",
    ),
    (
        "Main.class.getClassLoader().setDefaultAssertionStatus(true);",
        "ClassLoader.setDefaultAssertionStatus",
    ),
    ("ModuleLayer.boot();", "java.lang.ModuleLayer.boot"),
    (
        "String.class.getModule().canUse(Runnable.class);",
        "Module.canUse of java.base",
    ),
    (
        "String.class.getModule().addUses(Runnable.class);",
        "Module.addUses of java.base",
    ),
    (
        "String.class.getModule().getPackages();",
        "java.lang.Module.getPackages",
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
        "java.util.Locale.FRANCE.getDisplayName(java.util.Locale.US);",
        "locale data is not read",
    ),
    (
        "java.util.ServiceLoader.loadInstalled(Runnable.class);",
        "java.util.ServiceLoader",
    ),
    (
        "java.nio.charset.Charset.availableCharsets();",
        "java.util.ServiceLoader",
    ),
    (
        "new java.text.DecimalFormatSymbols(java.util.Locale.US).getCurrency();",
        "DecimalFormatSymbols.getCurrency",
    ),
    (
        "String.class.getModule().getDescriptor();",
        "Module.getDescriptor of java.base",
    ),
    (
        "Main.class.getProtectionDomain();",
        "Class.getProtectionDomain of Main",
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
    for jdk in jdk::jdks() {
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
