//! Tests that are alike: what tells their names apart, and which of them become one.

use std::sync::Arc;

use expect_test::{Expect, expect};
use heapwright_suite::junit::{JunitOptions, JunitVersion, TestOrigin, write_junit};
use heapwright_suite::{
    CallOutcome, Input, Literal, MethodSig, Observation, Script, Statement, Step, Suite, Value,
};

use crate::model::{of, returns};
use crate::scripts::{
    call, exception, int_value, new, new_depot, of_depot, on, refused_reason, script, total,
};

/// Call of a constructor or method whose parameters have these names.
fn with_names(step: Step, names: &[&str]) -> Step {
    let method = MethodSig {
        parameters: names.iter().map(|&name| name.to_owned()).collect(),
        ..(*step.method).clone()
    };
    Step {
        method: Arc::new(method),
        ..step
    }
}

fn text(text: &str) -> Input {
    Input::Literal(Literal::String(text.to_owned()))
}

const NULL: Input = Input::Literal(Literal::Value(Value::Null));

/// Test of a label that says more than a name holds.
fn long_label(text: Input, number: i32, expected: &str) -> Script {
    let step = on(
        0,
        "label(Ljava/lang/String;I)Ljava/lang/String;",
        vec![text, int_value(number)],
    );
    let step = with_names(step, &["text", "count"]);
    script(
        vec![new_depot(), call(step)],
        CallOutcome::Returned(Literal::String(expected.to_owned())),
    )
}

fn refused(reason: &str) -> Script {
    let mut script = refused_reason();
    script.after[0] = Observation::Message {
        text: Literal::String(format!("no {reason}")),
    };
    let last = script.statements.len() - 1;
    let step = on(0, "refuse(Ljava/lang/String;)V", vec![text(reason)]);
    script.statements[last] = call(step);
    script
}

fn put(earlier: &[i32], key: i32, is_new: bool) -> Script {
    let put = |key: i32| call(on(0, "put(I)Z", vec![int_value(key)]));
    let mut statements: Vec<Statement> = vec![new_depot()];
    statements.extend(earlier.iter().map(|&key| put(key)));
    statements.push(put(key));
    script(statements, returns(Value::Boolean(is_new)))
}

/// Tests that differ in values: two with messages, three with null beside texts, two with a variable
/// number of arguments.
pub fn all() -> Suite {
    of_depot(vec![
        refused("room"),
        long_label(text("a"), 1, "a1"),
        refused("boxes"),
        long_label(NULL, 7, "null7"),
        long_label(text(""), 2, "2"),
        total(1, 2),
        total(3, 4),
        exception(),
    ])
}

fn text_of(suite: &Suite, options: &JunitOptions) -> String {
    let output = write_junit(suite, options).unwrap();
    let texts = output.files.into_iter().map(|file| file.contents);
    texts.collect()
}

/// Compares the lines with names and words of tests.
fn check_names(suite: &Suite, expected: &Expect) {
    let options = JunitOptions {
        has_parameters: false,
        ..JunitOptions::default()
    };
    let text = text_of(suite, &options);
    let is_named = |line: &&str| line.starts_with("@DisplayName") || line.contains("void ");
    let lines = text.lines().map(str::trim).filter(is_named);
    let lines: String = lines.map(|line| format!("{line}\n")).collect();
    expected.assert_eq(&lines);
}

#[test]
fn names_tell_what_is_special() {
    let number = |digits: &str| {
        let number = new(
            &crate::model::named("java.math.BigDecimal", "java.math.BigDecimal"),
            "(Ljava/lang/String;)V",
            vec![text(digits)],
        );
        let step = on(
            0,
            "price(I)Ljava/math/BigDecimal;",
            vec![int_value(digits.len() as i32)],
        );
        script(
            vec![new_depot(), call(step)],
            CallOutcome::Returned(Literal::New(Box::new(number))),
        )
    };
    let size = |script: Script, size: i32| Script {
        after: vec![Observation::Call {
            call: on(0, "size()I", vec![]),
            then: Vec::new(),
            value: of(Value::Int(size)),
        }],
        ..script
    };
    let key = |script: Script| Script {
        statements: script
            .statements
            .into_iter()
            .map(|statement| match statement.action {
                heapwright_suite::Action::Call(step) => call(with_names(step, &["key"])),
                action => Statement {
                    action,
                    ..statement
                },
            })
            .collect(),
        ..script
    };
    check_names(
        &of_depot(vec![
            number("12.50"),
            number("-3"),
            // One has an empty text, one null, and one another number.
            long_label(
                text("a text without an end, or nearly so"),
                1,
                "a text 1, or nearly so",
            ),
            long_label(text(""), 1, "a text 2, or nearly so"),
            long_label(NULL, 1, "a text 3, or nearly so"),
            long_label(
                text("a text without an end, or nearly so"),
                7,
                "a text 4, or nearly so",
            ),
            // What is seen tells them apart, or the arguments of both.
            size(exception(), 1),
            size(exception(), 2),
            key(put(&[1, 2], 3, true)),
            key(put(&[1, 2], 4, true)),
            key(put(&[1, 2], 3, false)),
        ]),
        &expect![[r#"
            @DisplayName("price(int)")
            @DisplayName("price with 5 on a new depot returns 12.50")
            void price_onNewDepot_with5_returns12Point50() {
            @DisplayName("price with 2 on a new depot returns -3")
            void price_onNewDepot_with2_returnsMinus3() {
            @DisplayName("label(String, int)")
            @DisplayName("label with \"a text without an end, o...\" and 1 on a new depot returns a string")
            void label_onNewDepot_returnsString() {
            @DisplayName("label with \"\" and 1 on a new depot returns \"a text 2, or nearly so\"")
            void label_onNewDepot_withEmptyStringAnd1_returnsString() {
            @DisplayName("label with null and 1 on a new depot returns \"a text 3, or nearly so\"")
            void label_onNewDepot_withNullAnd1_returnsString() {
            @DisplayName("label with \"a text without an end, o...\" and 7 on a new depot returns a string")
            void label_onNewDepot_returnsString_whenCountIs7() {
            @DisplayName("take(Object)")
            @DisplayName("take with 6 after put throws NoSuchElementException")
            void take_afterPut_with6_throwsNoSuchElement() {
            @DisplayName("take with 6 after put throws NoSuchElementException then size is 2")
            void take_afterPut_with6_throwsNoSuchElement_thenSizeIs2() {
            @DisplayName("put(int)")
            @DisplayName("put with 3 after 2 calls of put returns true")
            void put_after2Puts_with3_returnsTrue() {
            @DisplayName("put with 4 after 2 calls of put returns true")
            void put_after2Puts_with4_returnsTrue() {
            @DisplayName("put with 3 after 2 calls of put returns false")
            void put_after2Puts_with3_returnsFalse() {
        "#]],
    );
}

#[test]
fn values_are_rows_where_all_else_is_alike() {
    let text = text_of(&all(), &JunitOptions::default());
    let tests = text.split("    /** ").next().unwrap();
    expect![[r#"
        package shelf;

        import static org.junit.jupiter.api.Assertions.assertEquals;
        import static org.junit.jupiter.api.Assertions.assertThrows;

        import java.io.IOException;
        import java.util.NoSuchElementException;
        import java.util.stream.Stream;
        import org.junit.jupiter.api.DisplayName;
        import org.junit.jupiter.api.Test;
        import org.junit.jupiter.params.ParameterizedTest;
        import org.junit.jupiter.params.provider.Arguments;
        import org.junit.jupiter.params.provider.CsvSource;
        import org.junit.jupiter.params.provider.MethodSource;

        /** Behaviour of shelf.Depot, written by Heapwright. */
        class DepotHeapwrightTest {
            @ParameterizedTest(name = "refuse with {0} on a new depot throws IllegalArgumentException")
            @CsvSource({
                "room, no room",
                "boxes, no boxes"
            })
            void refuse_onNewDepot_withText_throwsIllegalArgument(String text, String expectedMessage) {
                Depot depot = new Depot();

                IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> depot.refuse(text));

                assertEquals(expectedMessage, thrown.getMessage());
                assertEquals(IOException.class, thrown.getCause().getClass());
                assertEquals(0, depot.size());
            }

            @ParameterizedTest(name = "label with {0} and {1} on a new depot returns {2}")
            @MethodSource("rowsOfLabel")
            void label_onNewDepot_returnsExpected(String text, int count, String expected) {
                Depot depot = new Depot();

                assertEquals(expected, depot.label(text, count));
            }

            static Stream<Arguments> rowsOfLabel() {
                return Stream.of(
                        Arguments.of("a", 1, "a1"),
                        Arguments.of(null, 7, "null7"),
                        Arguments.of("", 2, "2"));
            }

            @Test
            @DisplayName("total with [1, 2] returns 3")
            void total_withArray1And2_returns3() {
                assertEquals(3, Depot.total(1, 2));
            }

            @Test
            @DisplayName("total with [3, 4] returns 7")
            void total_withArray3And4_returns7() {
                assertEquals(7, Depot.total(3, 4));
            }

            @Test
            @DisplayName("take with 6 after put throws NoSuchElementException")
            void take_afterPut_with6_throwsNoSuchElement() {
                Depot depot = new Depot();
                depot.put(5);

                assertThrows(NoSuchElementException.class, () -> depot.take(6));
                assertEquals(1, depot.size());
            }
        }
    "#]].assert_eq(tests);
}

/// Frameworks without parameterised tests call a method with the values, if that saves something.
#[test]
fn values_are_arguments_where_no_test_has_parameters() {
    let mut suite = all();
    suite.scripts.push(refused("doors"));
    for version in [JunitVersion::Four, JunitVersion::TestNg] {
        let options = JunitOptions {
            version,
            has_throws: true,
            ..JunitOptions::default()
        };
        let output = write_junit(&suite, &options).unwrap();
        assert_eq!(output.tests(), suite.scripts.len());
        let text = &output.files[0].contents;
        if version == JunitVersion::Four {
            let tests = text.split("\n    /** ").next().unwrap();
            let tests = tests.split_once("class ").unwrap().1;
            expect![[r#"
                DepotHeapwrightTest {
                    @Test
                    public void refuse_onNewDepot_withStringRoom_throwsIllegalArgument() {
                        checkRefuse("room", "no room");
                    }

                    private void checkRefuse(String text, String expectedMessage) {
                        Depot depot = new Depot();

                        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> depot.refuse(text));

                        assertEquals(expectedMessage, thrown.getMessage());
                        assertEquals(IOException.class, thrown.getCause().getClass());
                        assertEquals(0, depot.size());
                    }

                    @Test
                    public void refuse_onNewDepot_withStringBoxes_throwsIllegalArgument() {
                        checkRefuse("boxes", "no boxes");
                    }

                    @Test
                    public void refuse_onNewDepot_withStringDoors_throwsIllegalArgument() {
                        checkRefuse("doors", "no doors");
                    }

                    @Test
                    public void label_onNewDepot_withStringAAnd1_returnsStringA1() {
                        Depot depot = new Depot();

                        assertEquals("a1", depot.label("a", 1));
                    }

                    @Test
                    public void label_onNewDepot_withNullAnd7_returnsStringNull7() {
                        Depot depot = new Depot();

                        assertEquals("null7", depot.label(null, 7));
                    }

                    @Test
                    public void label_onNewDepot_withEmptyStringAnd2_returnsString2() {
                        Depot depot = new Depot();

                        assertEquals("2", depot.label("", 2));
                    }

                    @Test
                    public void total_withArray1And2_returns3() {
                        assertEquals(3, Depot.total(1, 2));
                    }

                    @Test
                    public void total_withArray3And4_returns7() {
                        assertEquals(7, Depot.total(3, 4));
                    }

                    @Test
                    public void take_afterPut_with6_throwsNoSuchElement() {
                        Depot depot = new Depot();
                        depot.put(5);

                        assertThrows(NoSuchElementException.class, () -> depot.take(6));
                        assertEquals(1, depot.size());
                    }
                }
            "#]].assert_eq(tests);
        }
        // The lines of assertions are those of the method.
        let lines: Vec<&str> = text.lines().collect();
        let message = |method: &&heapwright_suite::junit::TestMethod| {
            let TestOrigin::Script(number) = method.of else {
                return false;
            };
            let mut after = suite.scripts[number].after.iter();
            after.any(|seen| matches!(seen, Observation::Message { .. }))
        };
        let asserting = output.methods.iter().filter(message);
        let asserting: Vec<&str> = asserting
            .map(|method| lines[method.observations[0].start - 1].trim())
            .collect();
        assert_eq!(
            asserting,
            ["assertEquals(thrown.getMessage(), expectedMessage);"; 3].map(|line| match version {
                JunitVersion::Four => "assertEquals(expectedMessage, thrown.getMessage());",
                _ => line,
            })
        );
    }
}

/// A class of more than 600 lines is several, and the tests of a method stay together.
#[test]
fn long_classes_are_cut_between_methods() {
    let lines = |count: i32, seed: i32| {
        let earlier: Vec<i32> = (0..count).map(|key| key + seed).collect();
        put(&earlier, -1, true)
    };
    let taken = |count: i32| {
        let mut script = exception();
        let first = script.statements.remove(0);
        let puts = put(&(10..10 + count).collect::<Vec<_>>(), 5, true).statements;
        let rest = puts.into_iter().skip(1).chain(script.statements);
        Script {
            statements: std::iter::once(first).chain(rest).collect(),
            ..script
        }
    };
    let scripts: Vec<Script> = (0..10)
        .flat_map(|number| [lines(40 + number, 100), taken(40 + number)])
        .collect();
    let output = write_junit(&of_depot(scripts), &JunitOptions::default()).unwrap();
    assert_eq!((output.tests(), output.files.len()), (20, 2));
    for (file, name) in output.files.iter().zip(["put", "take"]) {
        let tests = file.contents.lines().filter(|line| line.contains(" void "));
        let tests: Vec<&str> = tests.map(str::trim).collect();
        assert_eq!(tests.len(), 10);
        let start = format!("void {name}_");
        let is_own = |test: &&str| test.starts_with(&start);
        assert!(tests.iter().all(is_own), "{tests:?}");
        assert!(file.contents.lines().count() <= 600);
    }
    let paths: Vec<&str> = output.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "shelf/DepotHeapwrightTest.java",
            "shelf/DepotHeapwright2Test.java"
        ]
    );
}
