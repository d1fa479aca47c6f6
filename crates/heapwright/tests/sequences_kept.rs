//! What `sequences` proves infeasible by what all calls keep: held against random calls on a real JVM.

#![expect(
    clippy::unwrap_used,
    reason = "a test ends where what it needs is missing"
)]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use heapwright_testkit::coverage::coverage;
use heapwright_testkit::fixtures::{compile, project};
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit;

/// The classes whose lines are proved to be infeasible or not.
const CLASSES: [&str; 12] = [
    "Light", "Line", "Fragile", "Busy", "Told", "Meter", "Base", "Preset", "Sized", "Counter",
    "Balance", "Scale",
];

/// Calls methods of the fixture's classes on objects of theirs, in any order, with values of a few.
const DRIVER: &str = r#"
package sequences;

import java.lang.reflect.*;
import java.util.*;
import org.junit.jupiter.api.Test;

class RandomCalls {
    private final Random random = new Random(7);
    private final List<Object> made = new ArrayList<>();
    private final List<Executable> all = new ArrayList<>();
    private int depth;

    @Test
    void call() {
        for (Class<?> type : Kept.class.getDeclaredClasses()) {
            if (!Modifier.isAbstract(type.getModifiers()) && !type.isEnum()) {
                all.addAll(List.of(type.getConstructors()));
            }
            for (Method method : type.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers()) && !type.isEnum()) {
                    all.add(method);
                }
            }
        }
        all.sort(Comparator.comparing(Executable::toString));
        made.add(Kept.Preset.LARGE);
        made.add((Kept.Rule) value -> 9);
        for (int count = 0; count < 60_000; count++) {
            callOne();
            if (made.size() > 200) {
                made.subList(2, 150).clear();
            }
        }
    }

    private void callOne() {
        Executable called = all.get(random.nextInt(all.size()));
        Object[] values = new Object[called.getParameterCount()];
        for (int place = 0; place < values.length; place++) {
            values[place] = value(called.getParameterTypes()[place]);
        }
        try {
            if (called instanceof Constructor<?> constructor) {
                made.add(constructor.newInstance(values));
            } else {
                Object receiver = value(called.getDeclaringClass());
                if (receiver != null) {
                    ((Method) called).invoke(receiver, values);
                }
            }
        } catch (ReflectiveOperationException thrown) {
            // So does a call that a test catches.
        }
    }

    private Object value(Class<?> type) {
        if (type == int.class) {
            int[] values = {0, 1, -1, 3, 7, 1_000_000, Integer.MAX_VALUE};
            return values[random.nextInt(values.length)];
        }
        if (type == int[].class) {
            return new int[random.nextInt(9)];
        }
        if (type == Runnable.class) {
            return (Runnable) this::within;
        }
        if (type == Kept.Listener.class) {
            return (Kept.Listener) told -> within();
        }
        if (type == Kept.Level.class) {
            return Kept.Level.values()[random.nextInt(2)];
        }
        List<Object> fitting = new ArrayList<>();
        for (Object object : made) {
            if (type.isInstance(object)) {
                fitting.add(object);
            }
        }
        return fitting.isEmpty() ? null : fitting.get(random.nextInt(fitting.size()));
    }

    private void within() {
        if (depth < 2) {
            depth++;
            for (int count = 0; count < 60; count++) {
                callOne();
            }
            depth--;
        }
    }
}
"#;

/// The lines of the fixture with a mark.
fn marked(source: &str, mark: &str) -> BTreeSet<u32> {
    let lines = (1..).zip(source.lines());
    let marked = lines.filter(|(_, line)| line.ends_with(&format!("// {mark}")));
    marked.map(|(number, _)| number).collect()
}

/// The lines of a class that are said to be infeasible, and those that are not reached.
fn infeasible(classes: &Path, class: &str) -> BTreeSet<u32> {
    let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
        .args([
            "sequences",
            "--no-config",
            "--table",
            "--goal",
            "statements",
        ])
        .args([
            "--max-length",
            "5",
            "-c",
            &format!("sequences.Kept${class}"),
        ])
        .arg("-p")
        .arg(classes)
        .args(["--jdk", jdks()[0].home.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{class}: {output:?}");
    let table = String::from_utf8(output.stderr).unwrap();
    let lines = table
        .lines()
        .filter_map(|line| line.split_once(": infeasible: "));
    let lines = lines.map(|(goal, _)| goal.rsplit(':').next().unwrap().parse().unwrap());
    lines.collect()
}

#[test]
fn what_is_proved_no_random_call_reaches() {
    let folder = tempfile::tempdir().unwrap();
    let fixture = project().join("fixtures/src/sequences/Kept.java");
    let source = std::fs::read_to_string(&fixture).unwrap();
    let (never, may) = (marked(&source, "never"), marked(&source, "may"));
    assert!(never.len() >= 5 && may.len() >= 9, "{never:?} {may:?}");
    let (classes, built) = (folder.path().join("classes"), folder.path().join("built"));
    let compiler = &compilers()[0];
    compile(
        compiler,
        &[fixture],
        &[],
        &classes,
        &["-g", "--release", "17"],
    );
    let driver = folder.path().join("RandomCalls.java");
    std::fs::write(&driver, DRIVER).unwrap();
    let class_path = [junit::jars().console, classes.clone()];
    compile(
        compiler,
        &[driver],
        &class_path,
        &built,
        &["--release", "17"],
    );

    // The marks are true.
    let jdk = jdks().into_iter().find(|jdk| jdk.has_compiler()).unwrap();
    let measured = coverage(&jdk, &classes, &built, &[], |name| {
        name.starts_with("sequences.Kept")
    });
    assert_eq!(measured.tests.succeeded, 1, "{}", measured.tests.output);
    let lines = &measured.sources["sequences/Kept.java"];
    let is_reached = |line: &u32| lines[line].instructions.covered > 0;
    let reached: BTreeSet<u32> = never.union(&may).copied().filter(is_reached).collect();
    assert_eq!(reached, may);

    // What is proved is what is never reached, and nothing else.
    let proved = CLASSES.iter().flat_map(|class| infeasible(&classes, class));
    assert_eq!(proved.collect::<BTreeSet<u32>>(), never);
}
