//! Tests that a JDK of another version can make a difference to.

use heapwright_testkit::jdk::repeat_on_others;

#[test]
#[ignore = "servers: a second JDK"]
fn tests_pass_on_other_jdks() {
    repeat_on_others(&[
        "cases::",
        "cubes::calls_on_cubes",
        "forms::",
        "lazy::",
        "paths::foreseen",
        "refusals::code_of_a_guard",
        "symbolic::paths_are",
    ]);
}
