//! Goals that `sequences` proves infeasible by class invariants, compared with random calls on a
//! real JVM.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use heapwright_testkit::coverage::coverage;
use heapwright_testkit::fixtures::{Fixture, project};
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::junit;

use crate::common::program;

/// Fixture with its classes, whose lines are marked as infeasible or reachable.
const KEPT: (&str, &[&str]) = (
    "Kept",
    &[
        "Light", "Line", "Fragile", "Busy", "Told", "Meter", "Base", "Preset", "Sized", "Counter",
        "Balance", "Scale",
    ],
);
const CLAIMS: (&str, &[&str]) = (
    "Claims",
    &[
        "Asserted",
        "Boxed",
        "Hashed",
        "Chance",
        "Exposed",
        "Holder",
        "Bag",
        "Configured",
        "Canvas",
        "Lock",
        "Shared",
        "Shown",
        "Hooked",
        "Leaky",
        "Carried",
        "Money",
        "Machine",
        "Copied",
        "Careful",
    ],
);

/// Driver that calls random methods of a fixture's classes and of a neighbouring class, on their
/// own objects and with few values.
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
    void call() throws ReflectiveOperationException {
        // As a JVM runs programs.
        RandomCalls.class.getClassLoader().setDefaultAssertionStatus(false);
        List<Class<?>> types = new ArrayList<>(List.of(FIXTURE.class.getDeclaredClasses()));
        try {
            types.add(Class.forName("sequences.Outsider"));
        } catch (ClassNotFoundException alone) {
            // Of one fixture only.
        }
        for (Class<?> type : types) {
            if (!Modifier.isAbstract(type.getModifiers()) && !type.isEnum()) {
                all.addAll(List.of(type.getConstructors()));
            }
            for (Method method : type.getDeclaredMethods()) {
                if (Modifier.isPublic(method.getModifiers()) && !type.isEnum() && !method.isSynthetic()) {
                    all.add(method);
                }
            }
            for (Field field : type.getFields()) {
                if (Modifier.isStatic(field.getModifiers())) {
                    made.add(field.get(null));
                }
            }
        }
        all.sort(Comparator.comparing(Executable::toString));
        int first = made.size();
        for (int count = 0; count < 60_000; count++) {
            callOne();
            if (made.size() > 400) {
                made.subList(first, 300).clear();
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
                return;
            }
            boolean isStatic = Modifier.isStatic(called.getModifiers());
            Object receiver = isStatic ? null : value(called.getDeclaringClass());
            if (isStatic || receiver != null) {
                Object given = ((Method) called).invoke(receiver, values);
                if (given != null && !(given instanceof String)) {
                    made.add(given);
                }
            }
        } catch (InvocationTargetException thrown) {
            // So does a call that a test catches, who may look at what is thrown.
            for (Field field : thrown.getCause().getClass().getFields()) {
                try {
                    made.add(field.get(thrown.getCause()));
                } catch (IllegalAccessException hidden) {
                    throw new AssertionError(hidden);
                }
            }
        } catch (ReflectiveOperationException wrong) {
            throw new AssertionError(wrong);
        }
    }

    private Object value(Class<?> type) {
        if (type == int.class) {
            int[] values = {0, 1, -1, 3, 7, 1_000_000, Integer.MAX_VALUE, -2};
            return values[random.nextInt(values.length)];
        }
        if (type == boolean.class || type == Boolean.class) {
            return random.nextBoolean();
        }
        if (type == Integer.class) {
            return random.nextInt(4) + 4;
        }
        if (type == int[].class && random.nextBoolean()) {
            return new int[random.nextInt(9)];
        }
        if (type == Runnable.class) {
            return (Runnable) this::within;
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[random.nextInt(2)];
        }
        List<Object> fitting = new ArrayList<>();
        for (Object object : made) {
            if (type.isInstance(object)) {
                fitting.add(object);
            }
        }
        if (type.isInterface() && type.getEnclosingClass() != null && random.nextInt(4) == 0) {
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this::answer);
        }
        return fitting.isEmpty() ? null : fitting.get(random.nextInt(fitting.size()));
    }

    /** What somebody's own object of an interface does. */
    private Object answer(Object proxy, Method method, Object[] values) throws Throwable {
        if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, values);
        }
        if (method.getReturnType() == int.class) {
            return 9;
        }
        within();
        return null;
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

/// Lines of the fixture with a mark.
fn marked(source: &str, mark: &str) -> BTreeSet<u32> {
    let lines = (1..).zip(source.lines());
    let marked = lines.filter(|(_, line)| line.ends_with(&format!("// {mark}")));
    marked.map(|(number, _)| number).collect()
}

/// Lines of a class that are reported as infeasible.
fn infeasible(classes: &Path, class: &str) -> BTreeSet<u32> {
    let output = program()
        .args([
            "sequences",
            "--no-config",
            "--table",
            "--goal",
            "statements",
        ])
        .args(["--max-length", "5", "-c", class])
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

/// Classes of a fixture, compiled for a release.
fn compiled(name: &str, release: &str, debug: &str) -> PathBuf {
    let source = project().join(format!("fixtures/src/sequences/{name}.java"));
    let fixture = Fixture::new(&[debug, "--release", release]).file(source);
    fixture.classes()
}

/// Compares the marks of a fixture with random calls, and the proofs with the marks.
fn check((name, classes): (&str, &[&str])) {
    let source = project().join(format!("fixtures/src/sequences/{name}.java"));
    let source = std::fs::read_to_string(source).unwrap();
    let (never, may) = (marked(&source, "never"), marked(&source, "may"));
    assert!(!never.is_empty() && may.len() >= 9, "{never:?} {may:?}");
    let own = compiled(name, "17", "-g");
    let driver = Fixture::new(&["--release", "17"]).against(&junit::jars().console);
    let driver = driver.against(&own);
    let driver = driver.text("RandomCalls", &DRIVER.replace("FIXTURE", name));
    let built = driver.classes();

    // The marks are true.
    let jdk = jdks().into_iter().find(|jdk| jdk.has_compiler()).unwrap();
    let measured = coverage(&jdk, &own, &built, &[], |class| {
        class.starts_with(&format!("sequences.{name}"))
    });
    assert_eq!(measured.tests.succeeded, 1, "{}", measured.tests.output);
    let lines = &measured.sources[&format!("sequences/{name}.java")];
    let is_reached = |line: &u32| lines[line].instructions.covered > 0;
    let reached: BTreeSet<u32> = never.union(&may).copied().filter(is_reached).collect();
    assert_eq!(reached, may);

    // Exactly the unreachable lines are proved infeasible.
    let proved = |own: &Path| -> BTreeSet<u32> {
        let classes = classes.iter();
        let proved =
            classes.flat_map(|class| infeasible(own, &format!("sequences.{name}${class}")));
        proved.collect()
    };
    assert_eq!(proved(&own), never);
    // Before nestmates (Java 11), classes access each other's private members by synthetic methods,
    // which only they call.
    let of_old = proved(&compiled(name, "8", "-g:lines"));
    assert!(of_old.is_subset(&never), "{of_old:?}");
}

#[test]
#[ignore = "long"]
fn what_is_proved_no_random_call_reaches() {
    check(KEPT);
}

#[test]
#[ignore = "long"]
fn what_only_looks_infeasible_is_not_claimed() {
    check(CLAIMS);
}
