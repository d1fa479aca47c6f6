//! The verifier accepts the code of `javac`: all code of some packages of the JDK.

use std::path::{Path, PathBuf};
use std::time::Instant;

use heapwright_jvm::{Config, Jdk, Vm};

/// Packages whose classes are all verified.
const PACKAGES: [&str; 8] = [
    "java/lang",
    "java/math",
    "java/text",
    "java/time",
    "java/util",
    "java/util/concurrent",
    "java/util/regex",
    "java/util/stream",
];

/// JDKs of this machine that the engine supports.
fn jdks() -> Vec<Jdk> {
    let mut found: Vec<Jdk> = Jdk::find(None).into_iter().collect();
    let mut folders: Vec<PathBuf> = std::fs::read_dir("/usr/lib/jvm")
        .map(|listing| listing.flatten().map(|entry| entry.path()).collect())
        .unwrap_or_default();
    folders.sort();
    for jdk in folders.iter().filter_map(|folder| Jdk::at(folder).ok()) {
        if found.iter().all(|known| known.version != jdk.version) {
            found.push(jdk);
        }
    }
    assert!(
        !found.is_empty(),
        "no JDK: set JAVA_HOME or put java on the PATH"
    );
    found
}

/// Names of a module's classes in wanted packages.
fn classes(jdk: &Jdk, module: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let image = ristretto_jimage::Image::from_file(&jdk.home.join("lib/modules")).unwrap();
    let mut names: Vec<String> = image
        .iter()
        .map(Result::unwrap)
        .filter(|resource| resource.module() == module && resource.extension() == "class")
        .filter(|resource| wanted(resource.parent()) && resource.base() != "module-info")
        .map(|resource| format!("{}/{}", resource.parent(), resource.base()))
        .collect();
    names.sort();
    names
}

/// Verifies classes; returns the messages of refused ones.
fn verify(what: &str, config: Config, names: &[String]) -> Vec<String> {
    let mut vm = Vm::new(config).unwrap();
    let mut refused = Vec::new();
    let (mut methods, mut seconds) = (0, 0.0);
    for name in names {
        let class = match vm.load_class(name) {
            Ok(class) => class,
            Err(error) => {
                eprintln!("{name} is passed over: {error:?}");
                continue;
            }
        };
        methods += vm.class(class).methods.len();
        let start = Instant::now();
        let result = vm.verify_class(class);
        seconds += start.elapsed().as_secs_f64();
        refused.extend(result.err());
    }
    eprintln!(
        "{what}: {} classes, {methods} methods, {} refused, {:.1} µs a method",
        names.len(),
        refused.len(),
        1e6 * seconds / methods as f64
    );
    refused
}

#[test]
fn accepts_packages_of_the_jdk() {
    for jdk in jdks() {
        let names = classes(&jdk, "java.base", |package| PACKAGES.contains(&package));
        assert!(names.len() > 800, "{} classes", names.len());
        let refused = verify(&jdk.version.clone(), Config::new(jdk, Vec::new()), &names);
        assert_eq!(refused, Vec::<String>::new());
    }
}

/// Verifies the modules in the comma-separated `HEAPWRIGHT_MODULES` (default `java.base`), and
/// the jars of `HEAPWRIGHT_JARS`, which form one class path.
#[test]
fn accepts_whole_modules() {
    let wanted = std::env::var("HEAPWRIGHT_MODULES").unwrap_or_else(|_| "java.base".to_owned());
    let mut refused = Vec::new();
    for jdk in jdks() {
        for module in wanted.split(',') {
            let names = classes(&jdk, module, |_| true);
            let what = format!("{} {module}", jdk.version);
            refused.extend(verify(&what, Config::new(jdk.clone(), Vec::new()), &names));
        }
    }
    let jars = std::env::var_os("HEAPWRIGHT_JARS").unwrap_or_default();
    let jars: Vec<PathBuf> = std::env::split_paths(&jars)
        .filter(|jar| jar != Path::new(""))
        .collect();
    if !jars.is_empty() {
        let config = Config::new(jdks().remove(0), jars);
        let names = Vm::new(config.clone()).unwrap().class_path().class_names();
        // Failures because of missing classes do not count.
        let of_jars = verify("jars", config, &names);
        refused.extend(
            of_jars
                .into_iter()
                .filter(|what| !what.contains("NoClassDefFoundError")),
        );
    }
    assert_eq!(refused, Vec::<String>::new());
}
