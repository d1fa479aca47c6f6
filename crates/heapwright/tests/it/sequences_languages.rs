//! Tests of sequences for classes that the compilers of Kotlin and Scala write: their objects and
//! functions, as Java source can use them, with arguments of these languages' libraries.

use std::path::Path;
use std::process::Output;

use heapwright_testkit::fixtures::files;
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::junit::join;
use heapwright_testkit::languages::{KOTLIN, Language, SCALA};

use crate::common::{program, summary_of, text};

/// Runs `sequences` on a class, and tries the tests that it writes into a folder.
fn sequences(language: &Language, class: &str, folder: &Path, arguments: &[&str]) -> Output {
    program()
        .args(["sequences", "--no-config", "-c", class, "-p"])
        .arg(join(&language.class_path()))
        .args(["--jdk", jdks()[0].home.to_str().unwrap()])
        .args(["--expect-exception", "Throwable", "-o"])
        .arg(folder)
        .args(arguments)
        .output()
        .unwrap()
}

/// Checks that tests which hold on a JVM cover these branches of a class, or call these methods
/// without any.
fn covers(language: &Language, rows: &[(&str, u64, u64)]) {
    let folder = tempfile::tempdir().unwrap();
    for &(class, covered, total) in rows {
        // The last branches of some classes cannot be reached, and the search for them has no end.
        let bounds = ["--max-paths", "20000", "--json"];
        let output = sequences(language, class, folder.path(), &bounds);
        let told = text(&output.stderr);
        assert!(
            !told.contains("left out that the compiler refuses"),
            "{told}"
        );
        let summary = summary_of(&output);
        let goals = (&summary["goals_covered"], &summary["goals_total"]);
        assert_eq!(goals, (&covered.into(), &total.into()), "{class}: {told}");
    }
}

/// The test class of a class.
fn written(language: &Language, class: &str, method: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = sequences(language, class, folder.path(), &["-m", method]);
    let file = files(folder.path(), "java").pop();
    let file = file.unwrap_or_else(|| panic!("no tests: {output:?}"));
    std::fs::read_to_string(file).unwrap()
}

#[test]
#[ignore = "servers: compilers of Kotlin and Scala"]
fn kotlin_classes_are_covered() {
    covers(
        &KOTLIN,
        &[
            ("parcels.Arrived", 16, 16),
            ("parcels.Depot", 4, 4),
            // The compiler adds a branch for objects of other classes than those of the hierarchy.
            ("parcels.EventKt", 9, 10),
            ("parcels.Lost", 13, 13),
            ("parcels.Parcel", 33, 33),
            ("parcels.Parcel$Companion", 10, 10),
            ("parcels.Rounds", 29, 29),
            ("parcels.Temperature", 17, 17),
            ("parcels.TemperatureKt", 3, 3),
        ],
    );
}

#[test]
#[ignore = "servers: compilers of Kotlin and Scala"]
fn scala_classes_are_covered() {
    covers(
        &SCALA,
        &[
            ("post.Bag", 6, 6),
            ("post.Carrier", 3, 3),
            ("post.Held", 27, 27),
            ("post.Letter", 49, 49),
            ("post.Letter$", 7, 7),
            ("post.Office", 11, 11),
            ("post.Office$", 36, 37),
            ("post.Returned$", 6, 6),
            ("post.Sent$", 9, 9),
        ],
    );
}

#[test]
#[ignore = "servers: compilers of Kotlin and Scala"]
fn sequences_of_kotlin_are_made_of_lists() {
    let text = written(&KOTLIN, "parcels.Rounds", "total");
    let test = "
        List<Integer> list = new ArrayList<>();
        list.add(6);
        Sequence<Integer> sequence = CollectionsKt.asSequence(list);

        assertEquals(6, Rounds.total(sequence));
";
    assert!(text.contains(test), "{text}");
}

#[test]
#[ignore = "servers: compilers of Kotlin and Scala"]
fn members_that_java_cannot_name_are_called_by_reflection() {
    let text = written(&KOTLIN, "parcels.TemperatureKt", "isPerishable-viQO67A");
    let call = "invoke(null, \"parcels.TemperatureKt\", \"isPerishable-viQO67A(int)\", 9)";
    assert!(text.contains(call), "{text}");
}

#[test]
#[ignore = "servers: compilers of Kotlin and Scala"]
fn tuples_of_scala_are_made_of_their_contents() {
    let text = written(&SCALA, "post.Office$", "larger");
    assert!(text.contains("new Tuple2<>("), "{text}");
}
