//! Tests that a JDK of another version can make a difference to: those that run what was written.

use heapwright_testkit::jdk::repeat_on_others;

#[test]
#[ignore = "servers: a second JDK"]
fn tests_pass_on_other_jdks() {
    repeat_on_others(&[
        "api::",
        "check::reproducers_fail",
        "enumerate::generated_tests",
        "enumerate::counts",
        "fields::tests_pass",
        "jdk_classes::",
        "junit_check::",
        "oracles::",
        "paths::tests_pass_on_real",
        "run_bad_input::classes_for_a_later",
        "sequences_fates::numbers_are_formatted",
    ]);
}
