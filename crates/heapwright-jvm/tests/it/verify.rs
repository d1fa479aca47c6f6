//! The verifier refuses hostile code, by name and reason, and accepts unusual but legal code.
//!
//! A case is a block of `verify/refused.txt` or `verify/accepted.txt`: a method in assembler,
//! which is put into a class `t/Case` that extends `t/A`. Other classes are `t/B`, which extends
//! `t/A`, `t/C`, which does not, and the interfaces `t/I` and `t/J`. To add a case, add a block.

use std::path::Path;

use heapwright_jvm::{Config, Exit, Jdk, Vm};
use heapwright_testkit::assembly::class_file;

struct Case {
    name: String,
    version: u16,
    method: String,
    body: String,
    expected: String,
}

/// Parses blocks: `case NAME [VERSION]`, `method ACCESS NAME DESCRIPTOR STACK LOCALS`, code, and
/// for refused cases `=> MESSAGE`.
fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        if let Some(head) = line.strip_prefix("case ") {
            let (name, version) = head.split_once(' ').unwrap_or((head, "61"));
            cases.push(Case {
                name: name.to_owned(),
                version: version.parse().unwrap(),
                method: String::new(),
                body: String::new(),
                expected: String::new(),
            });
            continue;
        }
        let case = cases.last_mut().unwrap();
        if let Some(head) = line.strip_prefix("method ") {
            case.method = head.to_owned();
        } else if let Some(message) = line.strip_prefix("=> ") {
            case.expected = message.to_owned();
        } else {
            case.body.push_str(line);
            case.body.push('\n');
        }
    }
    cases
}

fn jdk() -> Jdk {
    let usual = ["java-17-openjdk-amd64", "temurin-25-jdk-amd64"]
        .map(|name| Path::new("/usr/lib/jvm").join(name));
    let found = Jdk::find(None)
        .ok()
        .or_else(|| usual.iter().find_map(|home| Jdk::at(home).ok()));
    found.expect("a JDK in JAVA_HOME, on the PATH or in its usual folder")
}

/// Creates a machine with a class for each case; returns it with the class names.
fn machine(cases: &[Case]) -> (Vm, Vec<String>) {
    let mut classes: Vec<(&'static str, &'static [u8])> = Vec::new();
    let mut add = |name: &str, bytes: Vec<u8>| classes.push((name.to_owned().leak(), bytes.leak()));
    for (name, above, flags) in [
        ("t/A", "java/lang/Object", 0x21),
        ("t/B", "t/A", 0x21),
        ("t/C", "java/lang/Object", 0x21),
        ("t/I", "java/lang/Object", 0x601),
        ("t/J", "java/lang/Object", 0x601),
        ("t/E", "java/lang/Exception", 0x21),
        ("t/F", "java/lang/Exception", 0x21),
    ] {
        add(name, class_file(52, flags, name, above, None));
    }
    let mut names = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        // `Case` in the code is the class of the case itself.
        let name = format!("t/Case{index}");
        let body = case.body.replace("t/Case", &name);
        let method = case.method.replace("t/Case", &name);
        add(
            &name,
            class_file(case.version, 0x21, &name, "t/A", Some((&method, &body))),
        );
        names.push(name);
    }
    let config = Config {
        embedded: classes.leak(),
        ..Config::new(jdk(), Vec::new())
    };
    (Vm::new(config).unwrap(), names)
}

#[test]
fn refuses_hostile_code() {
    let cases = cases(include_str!("../verify/refused.txt"));
    let (mut vm, names) = machine(&cases);
    let mut failures = Vec::new();
    for (case, name) in cases.iter().zip(&names) {
        let class = vm
            .load_class(name)
            .unwrap_or_else(|error| panic!("{}: {error:?}", case.name));
        match vm.verify_class(class) {
            Ok(()) => failures.push(format!("{}: accepted", case.name)),
            Err(message) => {
                // The message starts with the file and the method.
                let place = format!("embedded {name}.class: {}.", name.replace('/', "."));
                let text = message
                    .replace("t.Case", "Case")
                    .replace(&name["t/".len()..], "Case");
                if case.expected.is_empty()
                    || !text.ends_with(&case.expected)
                    || !message.starts_with(&place)
                {
                    failures.push(format!("{}: {text}", case.name));
                }
            }
        }
    }
    assert!(cases.len() >= 35);
    assert_eq!(failures, Vec::<String>::new());
}

#[test]
fn accepts_what_is_unusual_but_legal() {
    let cases = cases(include_str!("../verify/accepted.txt"));
    let (mut vm, names) = machine(&cases);
    let mut failures = Vec::new();
    for (case, name) in cases.iter().zip(&names) {
        let class = vm
            .load_class(name)
            .unwrap_or_else(|error| panic!("{}: {error:?}", case.name));
        failures.extend(
            vm.verify_class(class)
                .err()
                .map(|message| format!("{}: {message}", case.name)),
        );
    }
    assert!(cases.len() >= 12);
    assert_eq!(failures, Vec::<String>::new());
}

#[test]
fn hostile_code_is_not_run() {
    let text = "case forged\nmethod static m ()V 1 1\niconst_1\nistore 0\naload 0\npop\nreturn\n";
    let cases = cases(text);
    let (mut vm, names) = machine(&cases);
    let class = vm.load_class(&names[0]).unwrap();
    let method = vm.class(class).methods[0];
    let exit = vm.call(method, &[]).unwrap_err();
    assert!(
        matches!(&exit, Exit::InvalidClass(message) if message.contains("an int in local variable 0")),
        "{exit:?}"
    );
}

/// Only the lowest bit of an int that is neither 0 nor 1 is stored (JVMS §6.5.bastore). Compilers
/// do not write such code.
#[test]
fn a_boolean_in_an_array_is_one_bit() {
    // Stores the argument in an array of the given `newarray` type (4: boolean, 8: byte) and
    // reads it back.
    let case = |array: u8| {
        format!(
            "case store\nmethod static m (I)I 4 1\niconst_1\nnewarray {array}\ndup\niconst_0\n\
             iload_0\nbastore\niconst_0\nbaload\nireturn\n"
        )
    };
    let cases = cases(&(case(4) + &case(8)));
    let (mut vm, names) = machine(&cases);
    let mut stored = |case: usize, value: i32| {
        let class = vm.load_class(&names[case]).unwrap();
        let method = vm.class(class).methods[0];
        vm.call_static(method, &[u64::from(value as u32)]).unwrap() as u32 as i32
    };
    for value in [0, 1, 2, 3, 0x80, 0x100, 0x101, -1, -2, i32::MIN] {
        assert_eq!(stored(0, value), value & 1, "{value} as a boolean");
        assert_eq!(
            stored(1, value),
            i32::from(value as i8),
            "{value} as a byte"
        );
    }
}

/// Class files with a few bytes changed at random are accepted or refused, without a panic.
#[test]
fn answers_for_any_bytes() {
    let mut cases = cases(include_str!("../verify/refused.txt"));
    cases.extend(self::cases(include_str!("../verify/accepted.txt")));
    let mut state = 0x2545_F491_4F6C_DD1Du64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let mut classes: Vec<(&'static str, &'static [u8])> = Vec::new();
    for round in 0..40 {
        for (index, case) in cases.iter().enumerate() {
            let name = format!("t/Case{round}x{index}");
            let body = case.body.replace("t/Case", &name);
            let method = case.method.replace("t/Case", &name);
            let mut bytes = class_file(
                case.version,
                0x21,
                &name,
                "java/lang/Object",
                Some((&method, &body)),
            );
            for _ in 0..=random(2) {
                // Mostly in the second half, where the code is.
                let at = bytes.len() - 1 - random(bytes.len() / 2);
                bytes[at] = random(256) as u8;
            }
            classes.push((name.leak(), bytes.leak()));
        }
    }
    let classes: &'static [(&'static str, &'static [u8])] = classes.leak();
    let mut vm = Vm::new(Config {
        embedded: classes,
        ..Config::new(jdk(), Vec::new())
    })
    .unwrap();
    let (mut loaded, mut accepted) = (0, 0);
    for (name, _) in classes {
        if let Ok(class) = vm.load_class(name) {
            loaded += 1;
            accepted += usize::from(vm.verify_class(class).is_ok());
        }
    }
    assert!(
        loaded > 1000 && accepted < loaded,
        "{loaded} loaded, {accepted} accepted"
    );
}

#[test]
fn arrays_of_a_class_named_as_a_primitive_are_its_own() {
    let name = "I";
    let bytes = class_file(52, 0x21, name, "java/lang/Object", None).leak();
    let embedded = vec![(name, &*bytes)].leak();
    let mut vm = Vm::new(Config {
        embedded,
        ..Config::new(jdk(), Vec::new())
    })
    .unwrap();
    let class = vm.load_class("I").unwrap();
    let arrays = vm.load_class("[LI;").unwrap();
    assert_eq!(
        vm.class(arrays).shape,
        heapwright_jvm::class::Shape::Array(class)
    );
    assert_ne!(vm.load_class("[I").unwrap(), arrays);
}
