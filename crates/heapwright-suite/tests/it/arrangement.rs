//! Arrangement that tests of a class share.

use std::sync::Arc;

use expect_test::{Expect, expect};
use heapwright_suite::junit::{JunitOptions, JunitVersion, write_junit};
use heapwright_suite::{
    Access, Action, AllCalls, AnonymousBody, AnonymousMethod, CallOutcome, ClassSig, Input,
    Literal, MethodSig, Observation, Script, Statement, Step, StubCalls, StubOutcome, Suite, Value,
};

use crate::model::{method, named, of, returns, suite};
use crate::scripts::{call, int_value, script};

fn desk() -> Arc<ClassSig> {
    named("shop.Desk", "shop.Desk")
}

fn sig(text: &str, parameters: &[&str]) -> Arc<MethodSig> {
    let parameters = parameters.iter().map(|name| (*name).to_owned());
    Arc::new(MethodSig {
        parameters: parameters.collect(),
        ..method(text)
    })
}

fn made(class: &Arc<ClassSig>, types: &str, parameters: &[&str], arguments: Vec<Input>) -> Step {
    Step {
        method: sig(&format!("{}#<init>{types}", class.name), parameters),
        class: Arc::clone(class),
        receiver: None,
        arguments,
        made: Some(Arc::clone(class)),
        spelling: None,
        is_variadic: false,
        body: None,
    }
}

/// Stub of an interface whose methods take a number: one returns a number, the other nothing.
fn stub(interface: &str, taken: Vec<StubOutcome>, is_mock: bool) -> Statement {
    let int = named("int", "int");
    let class = named(interface, interface);
    let methods = [
        ("take", "(I)I", Some(Arc::clone(&int)), taken),
        ("send", "(I)V", None, vec![StubOutcome::Nothing]),
    ];
    let methods = methods.map(|(name, types, returns, outcomes)| AnonymousMethod {
        method: sig(&format!("{interface}#{name}{types}"), &[]),
        access: Access::Public,
        parameters: vec![Arc::clone(&int)],
        is_variadic: false,
        returns,
        returned_contents: Vec::new(),
        outcomes,
        is_unasked: false,
        asked_with: Vec::new(),
    });
    call(Step {
        body: Some(AnonymousBody {
            methods: methods.into(),
            is_mock,
            ..AnonymousBody::default()
        }),
        ..made(&class, "()V", &[], Vec::new())
    })
}

fn answer(number: i32) -> StubOutcome {
    StubOutcome::Value(int_value(number))
}

/// Test of a desk with two stubs and a limit, whose last statement calls a method of the desk.
fn test(
    (taken, limit): (Vec<StubOutcome>, i32),
    (called, arguments): (&str, Vec<Input>),
    outcome: CallOutcome,
    is_mock: bool,
) -> Script {
    let arguments_of_desk = vec![Input::Object(0), Input::Object(1), int_value(limit)];
    let desk_with = made(
        &desk(),
        "(Lshop/Port;Lshop/Log;I)V",
        &["port", "audit", "limit"],
        arguments_of_desk,
    );
    let under_test = Step {
        method: sig(&format!("shop.Desk#{called}"), &[]),
        class: desk(),
        receiver: Some(2),
        arguments,
        made: None,
        spelling: None,
        is_variadic: false,
        body: None,
    };
    let statements = vec![
        stub("shop.Port", taken, is_mock),
        stub("shop.Log", vec![answer(0)], is_mock),
        call(desk_with),
        call(under_test),
    ];
    script(statements, outcome)
}

fn sent(stub: usize, numbers: &[i32]) -> Observation {
    let all = numbers.iter().map(|&number| vec![of(Value::Int(number))]);
    let all: Vec<Vec<Literal>> = all.collect();
    let interface = ["shop.Port", "shop.Log"][stub];
    Observation::Calls {
        stub,
        method: sig(&format!("{interface}#send(I)V"), &[]),
        asserted: StubCalls::With {
            arguments: all[0].clone(),
            times: 1,
            all: AllCalls(all),
        },
    }
}

fn tests(is_mock: bool) -> Suite {
    let serve = |number| ("serve(I)I", vec![int_value(number)]);
    let int = |number| returns(Value::Int(number));
    let scripts = vec![
        Script {
            after: vec![sent(0, &[3])],
            ..test((vec![answer(3)], 7), serve(1), int(3), is_mock)
        },
        Script {
            after: vec![sent(1, &[8])],
            ..test((vec![answer(0)], 7), serve(2), int(0), is_mock)
        },
        test(
            (vec![answer(5), answer(6)], 7),
            ("last()I", Vec::new()),
            int(6),
            is_mock,
        ),
        test(
            (vec![answer(0)], 0),
            ("isOpen()Z", Vec::new()),
            returns(Value::Boolean(true)),
            is_mock,
        ),
        test(
            (vec![answer(0)], 7),
            ("isOpen()Z", Vec::new()),
            returns(Value::Boolean(false)),
            is_mock,
        ),
    ];
    Suite {
        scripts,
        ..suite(&desk(), None, Vec::new())
    }
}

fn check(suite: &Suite, version: JunitVersion, expected: &Expect) {
    let options = JunitOptions {
        version,
        ..JunitOptions::default()
    };
    suite.check().unwrap();
    let output = write_junit(suite, &options).unwrap();
    assert_eq!(output.tests(), suite.scripts.len());
    expected.assert_eq(&output.files[0].contents);
}

/// Mocks are fields with the names of the parameters that take them; a test whose subject has another value
/// makes that itself.
#[test]
fn mocks_are_fields() {
    check(
        &tests(true),
        JunitVersion::Five,
        &expect![[r#"
        package shop;

        import static org.junit.jupiter.api.Assertions.assertEquals;
        import static org.junit.jupiter.api.Assertions.assertFalse;
        import static org.junit.jupiter.api.Assertions.assertTrue;
        import static org.mockito.ArgumentMatchers.anyInt;
        import static org.mockito.Mockito.mock;
        import static org.mockito.Mockito.verify;
        import static org.mockito.Mockito.when;

        import org.junit.jupiter.api.BeforeEach;
        import org.junit.jupiter.api.DisplayName;
        import org.junit.jupiter.api.Test;

        /** Behaviour of shop.Desk, written by Heapwright. */
        class DeskHeapwrightTest {
            private final Port port = mock(Port.class);
            private final Log audit = mock(Log.class);
            private Desk desk;

            @BeforeEach
            void setUp() {
                desk = new Desk(port, audit, 7);
            }

            @Test
            @DisplayName("serve with 1 returns 3")
            void serve_with1_returns3() {
                when(port.take(anyInt())).thenReturn(3);

                assertEquals(3, desk.serve(1));
                verify(port).send(3);
            }

            @Test
            @DisplayName("serve with 2 returns 0")
            void serve_with2_returns0() {
                assertEquals(0, desk.serve(2));
                verify(audit).send(8);
            }

            @Test
            @DisplayName("last returns 6")
            void last_returns6() {
                when(port.take(anyInt())).thenReturn(5, 6);

                assertEquals(6, desk.last());
            }

            @Test
            @DisplayName("isOpen returns true")
            void isOpen_returnsTrue() {
                desk = new Desk(port, audit, 0);

                assertTrue(desk.isOpen());
            }

            @Test
            @DisplayName("isOpen returns false")
            void isOpen_returnsFalse() {
                assertFalse(desk.isOpen());
            }
        }
    "#]],
    );
}

/// `TestNG` makes one object of a class for all of its tests.
#[test]
fn testng_makes_mocks_before_each_test() {
    check(
        &tests(true),
        JunitVersion::TestNg,
        &expect![[r#"
        package shop;

        import static org.mockito.ArgumentMatchers.anyInt;
        import static org.mockito.Mockito.mock;
        import static org.mockito.Mockito.verify;
        import static org.mockito.Mockito.when;
        import static org.testng.Assert.assertEquals;
        import static org.testng.Assert.assertFalse;
        import static org.testng.Assert.assertTrue;

        import org.testng.annotations.BeforeMethod;
        import org.testng.annotations.Test;

        /** Behaviour of shop.Desk, written by Heapwright. */
        public class DeskHeapwrightTest {
            private Port port;
            private Log audit;
            private Desk desk;

            @BeforeMethod
            public void setUp() {
                port = mock(Port.class);
                audit = mock(Log.class);
                desk = new Desk(port, audit, 7);
            }

            @Test
            public void serve_with1_returns3() {
                when(port.take(anyInt())).thenReturn(3);

                assertEquals(desk.serve(1), 3);
                verify(port).send(3);
            }

            @Test
            public void serve_with2_returns0() {
                assertEquals(desk.serve(2), 0);
                verify(audit).send(8);
            }

            @Test
            public void last_returns6() {
                when(port.take(anyInt())).thenReturn(5, 6);

                assertEquals(desk.last(), 6);
            }

            @Test
            public void isOpen_returnsTrue() {
                desk = new Desk(port, audit, 0);

                assertTrue(desk.isOpen());
            }

            @Test
            public void isOpen_returnsFalse() {
                assertFalse(desk.isOpen());
            }
        }
    "#]],
    );
}

/// A stub that several tests have is of one nested class; a method that does more than return a value is
/// overridden.
#[test]
fn stubs_of_an_interface_have_a_class() {
    check(
        &tests(false),
        JunitVersion::Four,
        &expect![[r#"
        package shop;

        import static org.junit.Assert.assertEquals;
        import static org.junit.Assert.assertFalse;
        import static org.junit.Assert.assertTrue;

        import java.util.ArrayList;
        import java.util.List;
        import org.junit.Before;
        import org.junit.Test;

        /** Behaviour of shop.Desk, written by Heapwright. */
        public class DeskHeapwrightTest {
            private RecordingPort port = new RecordingPort();
            private final RecordingLog audit = new RecordingLog();
            private Desk desk;

            @Before
            public void setUp() {
                desk = new Desk(port, audit, 7);
            }

            @Test
            public void serve_with1_returns3() {
                port.takeResult = 3;

                assertEquals(3, desk.serve(1));
                assertEquals(List.of(3), port.sendCalls);
            }

            @Test
            public void serve_with2_returns0() {
                assertEquals(0, desk.serve(2));
                assertEquals(List.of(8), audit.sendCalls);
            }

            @Test
            public void last_returns6() {
                port = new RecordingPort() {
                    private int takeCalls;

                    @Override
                    public int take(int a) {
                        return takeCalls++ < 1 ? 5 : 6;
                    }
                };
                desk = new Desk(port, audit, 7);

                assertEquals(6, desk.last());
            }

            @Test
            public void isOpen_returnsTrue() {
                desk = new Desk(port, audit, 0);

                assertTrue(desk.isOpen());
            }

            @Test
            public void isOpen_returnsFalse() {
                assertFalse(desk.isOpen());
            }

            private static class RecordingPort implements Port {
                int takeResult;
                final List<Integer> sendCalls = new ArrayList<>();

                @Override
                public int take(int a) {
                    return takeResult;
                }

                @Override
                public void send(int a) {
                    sendCalls.add(a);
                }
            }

            private static class RecordingLog implements Log {
                final List<Integer> sendCalls = new ArrayList<>();

                @Override
                public int take(int a) {
                    return 0;
                }

                @Override
                public void send(int a) {
                    sendCalls.add(a);
                }
            }
        }
    "#]],
    );
}

/// Mocks that are arguments in place are fields, too, and run code as the others do.
#[test]
fn mocks_in_place_are_fields() {
    let mut suite = tests(true);
    let script = &mut suite.scripts[4];
    script.statements.remove(1);
    let lambda = Literal::Lambda {
        interface: named("shop.Log", "shop.Log"),
        method: sig("shop.Log#send(I)V", &[]),
        answer: None,
        is_raw: false,
        has_code: true,
        is_mock: true,
    };
    for (statement, receiver) in [(1, None), (2, Some(1))] {
        if let Action::Call(step) = &mut script.statements[statement].action {
            step.receiver = receiver;
            if receiver.is_none() {
                step.arguments[1] = Input::Literal(lambda.clone());
            }
        }
    }
    suite.check().unwrap();
    let output = write_junit(&suite, &JunitOptions::default()).unwrap();
    let text = &output.files[0].contents;
    assert_eq!(text.matches("mock(Log.class").count(), 1, "{text}");
    assert!(!text.contains("CALLS_REAL_METHODS"), "{text}");
}

/// An arrangement of which fewer tests have all stays in each test, and so does one that is not asked for.
#[test]
fn what_few_tests_share_stays_in_them() {
    let mut few = tests(true);
    few.scripts.truncate(2);
    let output = write_junit(&few, &JunitOptions::default()).unwrap();
    assert!(!output.files[0].contents.contains("setUp"));
    let options = JunitOptions {
        shares_arrangement: false,
        ..JunitOptions::default()
    };
    for is_mock in [true, false] {
        let output = write_junit(&tests(is_mock), &options).unwrap();
        let text = &output.files[0].contents;
        assert!(!text.contains("setUp") && !text.contains("class Recording"));
    }
}
