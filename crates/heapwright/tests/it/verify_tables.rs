//! Verdicts on what does not depend on identity hash codes, or on what is printed. Random programs over
//! hash tables are held to a JVM under each of its ways to make identity hash codes: one of them gives
//! all objects the same.
//!
//! Set `HEAPWRIGHT_RANDOM` to `COUNT` or `COUNT,SEED` for other programs than the usual ones.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use heapwright_testkit::fixtures::{compile, verifiers};
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::random::Random;
use serde_json::{Value, json};

use crate::verify_random::{printed_of, verified};

/// Number of programs.
const PROGRAMS: u64 = 40;
/// Ways of HotSpot to make identity hash codes: random numbers, addresses, a constant, a counter, and
/// others.
const WAYS: std::ops::Range<u32> = 0..6;

/// Keys of the tables; the last has an `equals` of its own.
const KEYS: [&str; 9] = [
    "a", "b", "c", "E.A", "E.B", "\"s\"", "7", "null", "new V(1)",
];

#[test]
fn what_is_claimed_of_tables_holds_for_all_identity_hash_codes() {
    let wanted = std::env::var("HEAPWRIGHT_RANDOM").unwrap_or_default();
    let mut wanted = wanted.split(',').map(|number| number.parse().ok());
    let count = wanted.next().flatten().unwrap_or(PROGRAMS);
    let seed = wanted.next().flatten().unwrap_or(1);
    let folder = tempfile::tempdir().unwrap();
    let mut sources = Vec::new();
    let mut looks = BTreeMap::new();
    for number in seed..seed + count {
        let file = folder.path().join(format!("T{number}.java"));
        let (source, looks_at_order) = tables(number);
        fs::write(&file, source).unwrap();
        sources.push(file);
        looks.insert(format!("T{number}"), looks_at_order);
    }
    let file = folder.path().join("Results.java");
    fs::write(&file, RESULTS).unwrap();
    sources.push(file);
    let (jdk, classes) = (&jdks()[0], folder.path().join("classes"));
    compile(jdk, &sources, &[verifiers()], &classes, &["-g", "-nowarn"]);
    let names: Vec<&str> = looks.keys().map(String::as_str).collect();
    // Results of each program under each way, for each input.
    let results: Vec<BTreeMap<String, String>> =
        WAYS.map(|way| results(&classes, &names, way)).collect();
    let mut wrong = Vec::new();
    let (mut claimed, mut unsteady) = (0, 0);
    for (name, looks_at_order) in &looks {
        let holds = results.iter().all(|way| way[name] == "holds");
        unsteady += u64::from(results.iter().any(|way| way[name] != results[0][name]));
        let summary = summary(&classes, name);
        let verdict = summary["verdict"].as_str().unwrap_or("none");
        claimed += u64::from(verdict == "true");
        let is_right = match verdict {
            "true" => holds,
            // An order may be one that these ways do not lead to.
            "false" => !holds || *looks_at_order,
            _ => *looks_at_order,
        };
        if !is_right {
            wrong.push(format!(
                "{name}: {verdict}; {:?}\n{}",
                results.iter().map(|way| &way[name]).collect::<Vec<_>>(),
                fs::read_to_string(folder.path().join(format!("{name}.java"))).unwrap()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // A generator all of whose programs are alike would prove nothing.
    assert!(
        claimed >= count / 8 && unsteady >= count / 40,
        "{claimed} claimed, {unsteady} unsteady"
    );
}

#[test]
fn lookups_in_immutable_tables_depend_on_no_identity_hash_codes() {
    let folder = tempfile::tempdir().unwrap();
    for (name, verdict) in [("LookedUp", "true"), ("Placed", "unknown")] {
        let summary = verified_source(folder.path(), name, IMMUTABLE);
        assert_eq!(summary["verdict"], verdict, "{name}: {summary}");
    }
}

/// Programs that look up what has an identity hash code in immutable tables, and put it there.
const IMMUTABLE: &str = r#"
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.sosy_lab.sv_benchmarks.Verifier;

class LookedUp {
    public static void main(String[] args) {
        Object key = Verifier.nondetBoolean() ? new Object() : "b";
        assert Map.of("a", 1, "b", 2).containsKey(key) == Set.of("b", "c").contains(key);
        // The library looks a class up in a table of fields that reflection hides.
        int number = Verifier.nondetInt();
        Random random = new Random(42);
        assert random.nextInt(100) != number || number == 30;
    }
}

class Placed {
    public static void main(String[] args) {
        Object key = new Object();
        int sum = 0;
        for (Object next : Set.of(key, "a")) {
            sum = 2 * sum + (next == key ? 1 : 0);
        }
        assert sum == 1 || sum == 2;
    }
}
"#;

fn verified_source(folder: &Path, name: &str, source: &str) -> Value {
    let file = folder.join(format!("{name}.java"));
    let classes = folder.join(format!("{name}-classes"));
    fs::write(&file, source).unwrap();
    compile(&jdks()[0], &[file], &[verifiers()], &classes, &["-nowarn"]);
    summary(&classes, name)
}

#[test]
fn arrays_that_are_printed_split_no_path() {
    let folder = tempfile::tempdir().unwrap();
    let summary = verified_source(folder.path(), "Shown", SHOWN);
    assert_eq!(
        (&summary["verdict"], &summary["explored"]),
        (&json!("true"), &json!(1))
    );
}

/// Program that prints arrays of open characters, and one that is not there.
const SHOWN: &str = r#"
import org.sosy_lab.sv_benchmarks.Verifier;

public class Shown {
    public static void main(String[] args) {
        char[] shown = {Verifier.nondetChar(), Verifier.nondetChar(), Verifier.nondetChar()};
        System.out.print(shown);
        System.err.println(shown);
        try {
            System.out.println((char[]) null);
            assert false;
        } catch (NullPointerException e) {
            assert shown.length == 3;
        }
    }
}
"#;

fn summary(classes: &Path, name: &str) -> Value {
    verified(classes, &["--time-limit", "300s", name])
}

fn results(classes: &Path, names: &[&str], way: u32) -> BTreeMap<String, String> {
    let mut java = jdks()[0].java();
    java.args(["-ea", "-XX:+UnlockExperimentalVMOptions"]);
    java.arg(format!("-XX:hashCode={way}"));
    java.arg("-cp").arg(classes).arg("Results");
    printed_of(java.args(names))
}

/// Program that runs others on all inputs.
const RESULTS: &str = r#"
public class Results {
    public static void main(String[] args) throws Exception {
        for (String name : args) {
            var run = Class.forName(name).getMethod("run", int.class);
            String result = "holds";
            for (int x = 0; x < 3; x++) {
                try {
                    run.invoke(null, x);
                } catch (java.lang.reflect.InvocationTargetException thrown) {
                    if (thrown.getCause() instanceof AssertionError) {
                        result = "fails";
                    } else {
                        throw thrown;
                    }
                }
            }
            System.out.println(name + " " + result);
        }
    }
}
"#;

/// Program over tables, and whether it looks at an order or at a hash code.
fn tables(seed: u64) -> (String, bool) {
    let mut random = Random::new(seed);
    let mut looks = false;
    let mut body = String::new();
    let of = |random: &mut Random, texts: &[&str]| -> String {
        texts[random.below(texts.len() as u64) as usize].to_owned()
    };
    let makers = [
        "new HashMap<>()",
        "new HashMap<>()",
        "new IdentityHashMap<>()",
        "new LinkedHashMap<>()",
    ];
    let (m, n) = (of(&mut random, &makers), of(&mut random, &makers));
    let count = 4 + random.below(10);
    let is_bold = random.below(3) == 0;
    for place in 0..count {
        let key = of(&mut random, &KEYS);
        let map = of(&mut random, &["m", "m", "n"]);
        let number = random.below(9);
        // A key of the program's own, and any look at an order, may be refused.
        looks |= key == "new V(1)";
        let line = match random.below(if is_bold { 26 } else { 12 }) {
            0..=3 => format!("{map}.put({key}, {number});"),
            4 => format!("u = 3 * u + {map}.getOrDefault({key}, {number});"),
            5 => format!("if ({map}.containsKey({key})) u += {number};"),
            6 => format!("{map}.remove({key});"),
            7 => format!("if (x == {}) {map}.put({key}, {number});", number % 3),
            8 => format!("{map}.putIfAbsent({key}, {number});"),
            9 => format!("{map}.merge({key}, {number}, (v, w) -> v + w);"),
            10 => format!("for (int i = 0; i < 12; i++) {map}.put(new K(), i);"),
            11 => format!("if (s.add({key})) u += {number};"),
            other => {
                looks = true;
                match other {
                    12 => format!("for (Object k : {map}.keySet()) u = 3 * u + code(k);"),
                    13 => format!("for (var e : {map}.entrySet()) u = 3 * u + e.getValue();"),
                    14 => format!("for (int v : {map}.values()) u = 3 * u + v;"),
                    15 => format!("{map}.forEach((k, v) -> u = 3 * u + v);"),
                    16 => format!("{map}.keySet().forEach(k -> u = 3 * u + code(k));"),
                    17 => format!("for (Object k : {map}.keySet().toArray()) u = 3 * u + code(k);"),
                    18 => format!(
                        "u = 3 * u + {map}.values().stream().reduce(0, (v, w) -> 3 * v + w);"
                    ),
                    19 => format!("{map}.replaceAll((k, v) -> u++ + v);"),
                    20 => format!("if ({map}.containsValue({number})) u++;"),
                    21 => "m = new HashMap<>(n);".to_owned(),
                    22 => format!("u += ({map}.hashCode() & 4) / 4;"),
                    23 => format!("if ({map}.equals(m)) u += {number};"),
                    24 => format!(
                        "var i{place} = {map}.keySet().iterator(); {map}.put({key}, 1); \
                                   try {{ if (i{place}.hasNext()) u = 3 * u + code(i{place}.next()); }} \
                                   catch (ConcurrentModificationException e) {{ u++; }}"
                    ),
                    _ => of(
                        &mut random,
                        &[
                            "u += (System.identityHashCode(a) & 8) / 8;",
                            "u += (E.A.hashCode() & 8) / 8;",
                            "u += (Objects.hash(b) & 8) / 8;",
                            "if (a.toString().endsWith(\"7\")) u++;",
                            "var p = s.spliterator(); s.add(a); s.add(b); p.tryAdvance(k -> u = 3 * u + code(k));",
                        ],
                    ),
                }
            }
        };
        writeln!(body, "        {line}").unwrap();
    }
    let modulus = 2 + random.below(9);
    let rest = random.below(modulus);
    let source = format!(
        r#"import java.util.*;
import org.sosy_lab.sv_benchmarks.Verifier;

public class T{seed} {{
    static class K {{ }}
    enum E {{ A, B }}
    record V(int f) {{ }}
    static int u;

    static int code(Object key) {{
        return key instanceof E ? ((E) key).ordinal() : key instanceof K ? names.indexOf(key) : 5;
    }}

    static List<Object> names = new ArrayList<>();

    public static void run(int x) {{
        u = 0;
        names.clear();
        K a = new K(), b = new K(), c = new K();
        names.addAll(List.of(a, b, c));
        Map<Object, Integer> m = {m}, n = {n};
        Set<Object> s = new HashSet<>();
{body}        u += m.size() + 3 * n.size() + 5 * s.size();
        assert u % {modulus} != {rest};
    }}

    public static void main(String[] args) {{
        int x = Verifier.nondetInt();
        Verifier.assume(0 <= x && x < 3);
        run(x);
    }}
}}
"#
    );
    (source, looks)
}
