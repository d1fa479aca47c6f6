//! Tests with explicit names and comments.

use expect_test::{Expect, expect};
use heapwright_suite::junit::{JunitOptions, JunitVersion, write_junit};
use heapwright_suite::{Label, Suite};

use crate::suites;

/// Names that are invalid or taken, and comments that would end too early or never.
const LABELS: [(Option<&str>, &[&str]); 12] = [
    (
        Some("insert_intoNothing_isTrue"),
        &["size == 0", "value != this.root.value"],
    ),
    (Some("insert_intoNothing_isTrue"), &["value < 0"]),
    (Some("insert_intoNothing_isTrue_2"), &[]),
    (Some("int"), &[r"letter != '\u000a'", r"C:\users", r"\\u"]),
    (Some("toString"), &["one\ntwo", "*/ }"]),
    (Some(""), &["größer als 1"]),
    (Some("1st of all!"), &["tab\there"]),
    (Some("über"), &[""]),
    (Some("_"), &[LONG]),
    (None, &["without a name"]),
    (Some("withoutNote"), &[]),
    (None, &[]),
];

const LONG: &str = "(((a + b) * c) % 1000 == 17) and (this.root.left.right.value < \
    this.root.right.left.value) and (a[0] + a[1] + a[2] >= 12) and not (this.size == 3)";

/// Suite of a search tree with labelled tests.
pub fn labelled() -> Suite {
    let mut suite = suites::search_tree();
    let calls = suite.cases.iter_mut().flat_map(|case| &mut case.calls);
    for (call, (name, note)) in calls.zip(LABELS) {
        call.label = Label {
            name: name.map(str::to_owned),
            note: note.iter().copied().map(str::to_owned).collect(),
        };
    }
    suite
}

/// Compares the lines with names and comments.
fn check(options: &JunitOptions, expected: &Expect) {
    let output = write_junit(&labelled(), options).unwrap();
    let mut text = String::new();
    for file in &output.files {
        text.push_str(&format!("=== {}\n", file.path));
        let own = file.contents.split("/** Makes an object").next();
        let lines = own.unwrap_or_default().lines().map(str::trim_start);
        for line in lines.filter(|line| line.contains("void ") || line.starts_with("//")) {
            text.push_str(line);
            text.push('\n');
        }
    }
    expected.assert_eq(&text);
}

#[test]
fn names_and_comments() {
    let four = JunitOptions {
        version: JunitVersion::Four,
        ..JunitOptions::default()
    };
    check(
        &four,
        &expect![[r#"
        === shelf/SearchTreeHeapwrightTest.java
        public void insert_intoNothing_isTrue() throws Exception {
        // size == 0
        // value != this.root.value
        public void insert_intoNothing_isTrue_2() throws Exception {
        // value < 0
        public void insert_intoNothing_isTrue_2_2() throws Exception {
        public void int_() throws Exception {
        // letter != '\\u000a'
        // C:\\users
        // \\u
        public void toString_() throws Exception {
        // one
        // two
        // */ }
        public void x() throws Exception {
        // gr\u00f6\u00dfer als 1
        public void x1stofall() throws Exception {
        // tab here
        public void ber() throws Exception {
        public void __() throws Exception {
        // (((a + b) * c) % 1000 == 17) and (this.root.left.right.value <
        //     this.root.right.left.value) and (a[0] + a[1] + a[2] >= 12) and not (this.size ==
        //     3)
        public void clear_on1Node_returns() throws Exception {
        // without a name
        public void withoutNote() throws Exception {
        public void insert_on3Nodes_withMinus7_returnsTrue() throws Exception {
        public void min_on3Nodes_returns1() throws Exception {
        public void max_on3Nodes_returns3() throws Exception {
        public void clear_on3Nodes_returns() throws Exception {
        public void insert_on3Nodes_with2_returnsFalse() throws Exception {
        public void insert_on3Nodes_withMinus7_returnsTrue_2() throws Exception {
        public void min_on3Nodes_returns1_2() throws Exception {
        public void max_on3Nodes_returns3_2() throws Exception {
        public void clear_on3Nodes_returns_2() throws Exception {
        public void invariant_on1Node_holds() throws Exception {
    "#]],
    );
}

/// In a large suite, labelled tests stay methods, and the others are data.
#[test]
fn a_large_suite() {
    let large = JunitOptions {
        max_structures_in_source: 0,
        max_methods_per_class: 10,
        ..JunitOptions::default()
    };
    check(
        &large,
        &expect![[r#"
        === shelf/SearchTreeHeapwrightTest.java
        void insert_intoNothing_isTrue() throws Exception {
        // size == 0
        // value != this.root.value
        void insert_intoNothing_isTrue_2() throws Exception {
        // value < 0
        void insert_intoNothing_isTrue_2_2() throws Exception {
        void int_() throws Exception {
        // letter != '\\u000a'
        // C:\\users
        // \\u
        void toString_() throws Exception {
        // one
        // two
        // */ }
        void x() throws Exception {
        // gr\u00f6\u00dfer als 1
        void x1stofall() throws Exception {
        // tab here
        void ber() throws Exception {
        void __() throws Exception {
        // (((a + b) * c) % 1000 == 17) and (this.root.left.right.value <
        //     this.root.right.left.value) and (a[0] + a[1] + a[2] >= 12) and not (this.size ==
        //     3)
        void clear_on1Node_returns() throws Exception {
        // without a name
        === shelf/SearchTreeHeapwright2Test.java
        void withoutNote() throws Exception {
        void insert_on3Nodes_withMinus7_returnsTrue() throws Exception {
        void min_on3Nodes_returns1() throws Exception {
        void max_on3Nodes_returns3() throws Exception {
        void clear_on3Nodes_returns() throws Exception {
        === shelf/SearchTreeHeapwright3Test.java
        void behaviour(String name, List<String> structure, List<String> call)
        private static void fill(Object object, List<String> words, Object[] objects) throws Exception {
        private static void check(List<String> call, Object[] objects) throws Throwable {
        === shelf/SearchTreeHeapwright3Test.structures.txt
        @0=SearchTree root=@1 size=3 ; @1=SearchTree$Node left=@2 value=3 ; @2=SearchTree$Node right=@3 value=1 ; @3=SearchTree$Node value=2 | insert(int) 2 -> false | insert(int) -7 -> true | min() -> 1 | max() -> 3 | clear() -> void broken
    "#]],
    );
}
