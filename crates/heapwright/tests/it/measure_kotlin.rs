//! `measure`: of Kotlin's classes counts what JaCoCo counts, and what PIT mutates is mutated.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use heapwright_testkit::coverage::coverage_with;
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit::{self, join};
use heapwright_testkit::languages::KOTLIN;
use heapwright_testkit::mutation_by_pit::mutants_with;
use serde_json::Value;

use crate::common::{program, summary_of};

/// Tests that take some of the ways through classes of Kotlin.
const TESTS: &str = r#"package parcels;
    import static org.junit.jupiter.api.Assertions.*;
    import java.util.List;
    import org.junit.jupiter.api.*;
    class CustomsTest {
        final Customs customs = new Customs("north");
        final Declaration whole = new Declaration(new Sender(new Address("Riga", 1)), 9);
        @Test void stamps() {
            assertFalse(customs.isStamped());
            customs.setStamp("abc");
            assertEquals(3, customs.stamped());
            customs.weight("BBBB");
            assertEquals("twins", customs.getStamp());
        }
        @Test void origins() {
            assertNull(customs.origin(null));
            assertEquals("Riga", customs.origin(whole));
            assertEquals("none", customs.originOr(new Declaration(null, 1)));
            assertEquals("Riga", customs.cityOf(whole));
        }
        @Test void kinds() {
            assertEquals(19, customs.duty("beer"));
            assertEquals(3, customs.duty("tea"));
            assertEquals(3, customs.code(null));
            assertEquals(2, customs.code("wine"));
            assertEquals(0, customs.days(null));
            assertEquals(2, customs.zone(Country.ABROAD));
        }
        @Test void fees() {
            assertEquals(5, customs.fee(5));
            assertEquals(15, new Customs("south", false).fee(5, true, 3));
            assertEquals(List.of(18), customs.heavy(List.of(whole, new Declaration(null, 2))));
            assertEquals("a", customs.text("a"));
            assertEquals(2, customs.later().invoke());
            assertEquals("hello", customs.greeting(false));
        }
        @Test void parcels() {
            Parcel parcel = new Parcel("a", 700);
            assertEquals(4, parcel.price(false));
            assertEquals(parcel, parcel.copy("a", 700, false));
            assertNotNull(Parcel.Companion.ofKilos(3));
            assertEquals("late", EventKt.describe(new Arrived(parcel, 9)));
            assertEquals(1, Rounds.visit(1, number -> kotlin.Unit.INSTANCE));
        }
    }"#;

fn tests() -> &'static Path {
    static TESTS_OF: OnceLock<PathBuf> = OnceLock::new();
    TESTS_OF.get_or_init(|| {
        let mut fixture = Fixture::new(&["-g", "-nowarn", "--release", "17"]);
        for path in KOTLIN.class_path() {
            fixture = fixture.against(&path);
        }
        let fixture = fixture.against(&junit::jars().console);
        fixture.text("CustomsTest", TESTS).classes()
    })
}

/// Summary of a measurement of all classes.
fn measured(tests: &Path, more: &[&str]) -> Value {
    let [classes, library] = KOTLIN.class_path();
    let mut command = program();
    command
        .args(["measure", "--no-config", "--json", "-c", "parcels.*", "-p"])
        .arg(join(&[classes, library, junit::jars().console]))
        .arg("--jdk")
        .arg(&jdks()[0].home)
        .arg("--tests")
        .arg(tests)
        .args(more);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    summary_of(&output)
}

#[test]
#[ignore = "servers: compiler of Kotlin"]
fn counts_of_kotlin_are_those_of_jacoco() {
    let summary = measured(tests(), &["--mutants", "none"]);
    let [classes, library] = KOTLIN.class_path();
    let of_jacoco = coverage_with(
        &compilers()[0],
        (&classes, &[library]),
        tests(),
        &["parcels.CustomsTest"],
        |_| true,
    );
    let keys = ["instructions", "branches", "lines"];
    let by_class = summary["by_class"].as_array().unwrap().iter();
    let found: BTreeMap<String, _> = by_class
        .map(|class| {
            let count = |key: &str| class[key].as_u64().unwrap() as u32;
            let shares = keys.map(|key| {
                (
                    count(&format!("{key}_covered")),
                    count(&format!("{key}_total")),
                )
            });
            (class["class"].as_str().unwrap().to_owned(), shares)
        })
        .collect();
    let of_jacoco = of_jacoco.classes.into_iter().map(|(class, of)| {
        let of = of.counters;
        let shares = [of.instructions, of.branches, of.lines];
        (class, shares.map(|share| (share.covered, share.total)))
    });
    let of_jacoco: BTreeMap<String, _> = of_jacoco.filter(|(_, all)| all[0].1 > 0).collect();
    assert_eq!(found, of_jacoco);
    assert!(found.len() > 10, "{found:?}");
}

/// Each mutant is one of PIT, which has more: in code of the compiler that has the line of a property or
/// of an inlined function.
#[test]
#[ignore = "servers: compiler of Kotlin, PIT"]
fn mutants_of_kotlin_are_those_of_pit() {
    let nothing = Fixture::new(&["-g", "--release", "17"]).against(&junit::jars().console);
    let nothing = nothing.text(
        "NothingTest",
        "package parcels; class NothingTest { @org.junit.jupiter.api.Test void nothing() {} }",
    );
    let summary = measured(&nothing.classes(), &[]);
    let mutants = summary["mutants_alive"].as_array().unwrap().iter();
    type Key = (String, String, u64, String);
    let found: BTreeSet<Key> = mutants
        .map(|mutant| {
            let text = |key: &str| mutant[key].as_str().unwrap().to_owned();
            let line = mutant["line"].as_u64().unwrap_or_default();
            (text("class"), text("method"), line, text("description"))
        })
        .collect();
    let [classes, library] = KOTLIN.class_path();
    let of_pit = mutants_with(
        &compilers()[0],
        (&classes, &[library]),
        tests(),
        &["parcels.*".to_owned()],
        None,
    );
    let of_pit: BTreeSet<Key> = of_pit
        .into_iter()
        .map(|mutant| {
            (
                mutant.class,
                mutant.method,
                u64::from(mutant.line),
                mutant.description,
            )
        })
        .collect();
    // PIT returns no null from methods with an annotation `NotNull`.
    let is_of_null = |(_, _, _, text): &&Key| text.starts_with("replaced return value with null");
    let more = found.difference(&of_pit);
    let more: Vec<&Key> = more.filter(|mutant| !is_of_null(mutant)).collect();
    assert!(more.is_empty(), "{more:#?}");
    assert!(found.len() > 30, "{found:?}");
}
