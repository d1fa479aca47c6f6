//! The tables of the papers on Korat+ and on field coverage at small scopes: what is noticed by the
//! suites that each policy selects. `cargo quality` prints them at the papers' scopes.

use std::path::PathBuf;

use expect_test::{Expect, expect};
use heapwright_testkit::jdk::compilers;
use heapwright_testkit::quality::{FIELDS, FIELDS_POLICIES, KORAT_PLUS, QualityJudge, Subject};

fn judge() -> QualityJudge {
    QualityJudge {
        program: PathBuf::from(env!("CARGO_BIN_EXE_heapwright")),
        jdk: compilers()[0].clone(),
        operators: "logic".to_owned(),
        is_checked: false,
    }
}

/// All structures notice most, one of each class least.
fn of_korat(subject: usize, arguments: &str, expected: &Expect) {
    let (subject, criterion) = KORAT_PLUS[subject];
    let rows = Subject::korat_policies(criterion).map(|(policy, options)| {
        let options = [&["--args", arguments], &options[..]].concat();
        format!("{policy}: {}\n", judge().quality(&subject, &options))
    });
    expected.assert_eq(&rows.concat());
}

#[test]
fn suites_of_equivalence_classes_of_lists() {
    of_korat(
        0,
        "2,3",
        &expect![[r#"
            Korat: 91 structures, 91 tests, 1 of 69 mutants alive, 22 of 22 branches
            Korat+: 26 structures, 26 tests, 10 of 69 mutants alive, 22 of 22 branches
            one per class: 8 structures, 8 tests, 16 of 69 mutants alive, 19 of 22 branches
        "#]],
    );
}

#[test]
fn suites_of_equivalence_classes_of_heaps() {
    of_korat(
        1,
        "2",
        &expect![[r#"
            Korat: 36 structures, 36 tests, 37 of 190 mutants alive, 27 of 32 branches
            Korat+: 18 structures, 18 tests, 39 of 190 mutants alive, 27 of 32 branches
            one per class: 6 structures, 6 tests, 61 of 190 mutants alive, 25 of 32 branches
        "#]],
    );
}

#[test]
fn suites_of_equivalence_classes_of_trees() {
    of_korat(
        2,
        "3,3",
        &expect![[r#"
            Korat: 45 structures, 45 tests, 11 of 72 mutants alive, 19 of 20 branches
            Korat+: 43 structures, 43 tests, 11 of 72 mutants alive, 19 of 20 branches
            one per class: 8 structures, 8 tests, 14 of 72 mutants alive, 18 of 20 branches
        "#]],
    );
}

/// Fewer structures that cover fields notice nearly as much.
fn of_fields(subject: usize, scope: &str, policies: &[usize], expected: &Expect) {
    let rows = policies.iter().map(|&policy| {
        let (policy, options) = FIELDS_POLICIES[policy];
        let options = [&["--scope", scope], options].concat();
        format!(
            "{policy}: {}\n",
            judge().quality(&FIELDS[subject], &options)
        )
    });
    expected.assert_eq(&rows.collect::<String>());
}

#[test]
#[ignore = "long"]
fn suites_of_fields_of_search_trees() {
    of_fields(
        1,
        "6",
        &[0, 1, 4],
        &expect![[r#"
            fet: 22 structures, 396 tests, 8 of 116 mutants alive, 38 of 38 branches
            size, linear: 18 structures, 324 tests, 8 of 116 mutants alive, 38 of 38 branches
            time, quadratic: 16 structures, 288 tests, 8 of 116 mutants alive, 38 of 38 branches
        "#]],
    );
}

#[test]
#[ignore = "long"]
fn suites_of_fields_of_red_black_trees() {
    of_fields(
        2,
        "6",
        &[0, 1, 4],
        &expect![[r#"
            fet: 18 structures, 324 tests, 49 of 442 mutants alive, 88 of 94 branches
            size, linear: 14 structures, 252 tests, 86 of 442 mutants alive, 84 of 94 branches
            time, quadratic: 12 structures, 216 tests, 86 of 442 mutants alive, 84 of 94 branches
        "#]],
    );
}
