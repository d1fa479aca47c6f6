//! Members of the JDK that an older release has are those that `javac --release` finds.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{ClassId, Config, Jdk, MethodId, Vm};
use heapwright_testkit::jdk::compilers;

/// Classes with members of many releases, and some whose methods are those of a hidden superclass or
/// return a narrower type than before.
const CLASSES: [&str; 17] = [
    "java/io/InputStream",
    "java/lang/Math",
    "java/lang/String",
    "java/lang/StringBuilder",
    "java/lang/constant/Constable",
    "java/math/BigDecimal",
    "java/nio/ByteBuffer",
    "java/nio/file/Files",
    "java/nio/file/Path",
    "java/nio/file/Paths",
    "java/time/Duration",
    "java/util/ArrayList",
    "java/util/Arrays",
    "java/util/List",
    "java/util/Map",
    "java/util/Optional",
    "java/util/SequencedMap",
];

/// Call of a method with values of its parameters' types.
struct Call {
    text: String,
    is_published: bool,
    /// Whether another method may be called where this one is not there.
    has_namesake: bool,
}

fn calls(vm: &Vm, class: ClassId) -> Vec<Call> {
    let this = vm.class(class);
    let owner = vm.binary_name(class);
    // What an interface declares is generic, and classes implement it by methods of narrower types.
    let owners = this.display.iter();
    let methods: Vec<MethodId> = owners
        .flat_map(|&owner| vm.class(owner).methods.iter().copied())
        .collect();
    let name = |method: MethodId| vm.text(vm.method(method).name);
    let parameters = |method: MethodId| {
        let split = descriptor::split_method(vm.text(vm.method(method).descriptor));
        split.map_or(Vec::new(), |(parameters, _)| parameters)
    };
    let mut known = BTreeSet::new();
    let mut calls = Vec::new();
    for &method in &methods {
        let of = vm.method(method);
        let is_constructor = name(method) == "<init>";
        let is_inherited = of.class != class;
        let is_static_elsewhere = is_inherited && (of.is_static() || is_constructor);
        if of.flags & flags::PUBLIC == 0
            || of.flags & flags::SYNTHETIC != 0
            || name(method) == "<clinit>"
            || is_static_elsewhere
            || is_constructor && this.is_abstract()
        {
            continue;
        }
        let values = parameters(method).into_iter().map(|parameter| {
            let value = match Kind::of(parameter) {
                Kind::Reference => "null",
                Kind::Boolean => "false",
                _ => "0",
            };
            let class = descriptor::to_java(parameter).replace('$', ".");
            format!("({class}) {value}")
        });
        let values = values.collect::<Vec<_>>().join(", ");
        let text = match name(method) {
            "<init>" => format!("new {owner}({values});"),
            name if of.is_static() => format!("{owner}.{name}({values});"),
            name => format!("(({owner}) null).{name}({values});"),
        };
        if known.insert(text.clone()) {
            let is_like = |other: &MethodId| {
                name(*other) == name(method)
                    && parameters(*other) != parameters(method)
                    && parameters(*other).len() == parameters(method).len()
            };
            calls.push(Call {
                text,
                is_published: vm.is_published(class, method),
                has_namesake: methods.iter().any(is_like),
            });
        }
    }
    calls
}

/// Lines, from 1, of a source in which the compiler finds no class or method.
fn lines_without_symbol(jdk: &Jdk, release: u32, source: &str) -> BTreeSet<usize> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("Calls.java");
    fs::write(&file, source).unwrap();
    let output = Command::new(jdk.home.join("bin/javac"))
        .args([
            "-nowarn",
            "-Xmaxerrs",
            "10000",
            "--release",
            &release.to_string(),
        ])
        .args(["-J-Duser.language=en", "-d"])
        .args([folder.path(), &file])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let errors = said.lines().filter_map(|line| {
        let (_, rest) = line.split_once("Calls.java:")?;
        let (line, message) = rest.split_once(": error: ")?;
        let is_missing = !message.starts_with("unreported exception");
        is_missing.then(|| line.parse().unwrap())
    });
    errors.collect()
}

#[test]
fn members_of_older_releases_are_those_that_the_compiler_finds() {
    let jdk = Jdk::at(&compilers()[0].home).unwrap();
    for release in [8, 11, 17] {
        if release >= jdk.feature {
            continue;
        }
        let config = Config::new(jdk.clone(), Vec::new());
        config.published.restrict(&jdk, release);
        let mut vm = Vm::new(config).unwrap();
        let mut all = Vec::new();
        for name in CLASSES {
            if let Ok(class) = vm.load_class(name) {
                all.extend(calls(&vm, class));
            }
        }
        let mut source = "class Calls {\n".to_owned();
        for (number, call) in all.iter().enumerate() {
            let text = &call.text;
            writeln!(source, "    void m{number}() {{ {text} }}").unwrap();
        }
        source.push_str("}\n");
        let missing = lines_without_symbol(&jdk, release, &source);
        for (number, call) in all.iter().enumerate() {
            let is_found = !missing.contains(&(number + 2));
            let is_other = is_found && !call.is_published && call.has_namesake;
            assert!(
                is_found == call.is_published || is_other,
                "release {release}: {} is found: {is_found}",
                call.text
            );
        }
        // Both kinds are there.
        let published = all.iter().filter(|call| call.is_published).count();
        assert!(published > 500 && published < all.len(), "{published}");
    }
}
