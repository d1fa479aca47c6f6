//! Tests that are one run of statements.

use std::sync::Arc;

use expect_test::{Expect, expect};
use heapwright_suite::junit::{
    AssertionLibrary, JunitOptions, JunitVersion, TestOrigin, write_junit,
};
use heapwright_suite::{
    Access, Action, AllCalls, AnonymousBody, AnonymousMethod, CallOutcome, ClassSig, FieldAccess,
    Input, Label, Literal, MethodSig, Observation, Requirement, Script, Setting, Statement, Step,
    StubCalls, StubOutcome, Suite, Value,
};

use crate::model::{field, generic, hidden, method, named, of, returns, suite, throws};

const DEPOT: &str = "shelf.Depot";
const ENTRY: &str = "shelf.Depot$Entry";

fn depot() -> Arc<ClassSig> {
    named(DEPOT, DEPOT)
}

fn boxes() -> Arc<ClassSig> {
    named("[Lshelf.Depot$Box;", "shelf.Depot.Box[]")
}

fn a_box() -> Arc<ClassSig> {
    generic("shelf.Depot$Box", "shelf.Depot.Box")
}

fn int() -> Arc<ClassSig> {
    named("int", "int")
}

pub fn int_value(number: i32) -> Input {
    Input::Literal(of(Value::Int(number)))
}

fn boxed(number: i32) -> Input {
    Input::Literal(Literal::Boxed(Value::Int(number)))
}

const NULL: Input = Input::Literal(Literal::Value(Value::Null));

/// Methods of the fixture, as `name(descriptor)result`.
fn sig(class: &str, text: &str) -> Arc<MethodSig> {
    let name = text.split('(').next().unwrap();
    let exceptions = match name {
        "box" => vec!["java.io.IOException".to_owned()],
        _ => Vec::new(),
    };
    Arc::new(MethodSig {
        is_static: matches!(name, "<init>" | "filled" | "total"),
        is_accessible: !matches!(name, "keyOf" | "entries" | "filled"),
        is_overloaded: name == "put",
        exceptions,
        ..method(&format!("{class}#{text}"))
    })
}

/// Call of a method of the depot.
pub fn on(receiver: usize, text: &str, arguments: Vec<Input>) -> Step {
    Step {
        method: sig(DEPOT, text),
        class: depot(),
        receiver: Some(receiver),
        arguments,
        made: None,
        spelling: None,
        is_variadic: false,
        body: None,
    }
}

fn made(step: Step, class: &Arc<ClassSig>) -> Step {
    Step {
        made: Some(Arc::clone(class)),
        ..step
    }
}

/// Call of a constructor.
pub fn new(class: &Arc<ClassSig>, types: &str, arguments: Vec<Input>) -> Step {
    Step {
        method: sig(&class.name, &format!("<init>{types}")),
        class: Arc::clone(class),
        receiver: None,
        arguments,
        made: Some(Arc::clone(class)),
        spelling: None,
        is_variadic: false,
        body: None,
    }
}

fn at(receiver: Option<usize>, class: &Arc<ClassSig>, text: &str) -> FieldAccess {
    FieldAccess {
        receiver,
        class: Arc::clone(class),
        field: field(&class.name, text, Value::Null).sig,
    }
}

fn unnamed(action: Action) -> Statement {
    Statement {
        action,
        name: None,
        thrown: None,
        contents: Vec::new(),
        given: None,
    }
}

fn wishing(name: &str, action: Action) -> Statement {
    Statement {
        action,
        thrown: None,
        name: Some(name.to_owned()),
        contents: Vec::new(),
        given: None,
    }
}

pub fn call(step: Step) -> Statement {
    unnamed(Action::Call(step))
}

pub fn script(statements: Vec<Statement>, outcome: CallOutcome) -> Script {
    Script {
        label: Label::default(),
        statements,
        outcome,
        after: Vec::new(),
        invariant_holds_after: None,
        settings: Vec::new(),
        exchange: None,
    }
}

fn size_is(receiver: usize, size: i32) -> Observation {
    Observation::Call {
        call: on(receiver, "size()I", vec![]),
        then: Vec::new(),
        value: of(Value::Int(size)),
    }
}

pub fn new_depot() -> Statement {
    call(new(&depot(), "()V", vec![]))
}

fn key(value: Literal) -> Statement {
    let class = match value {
        Literal::String(_) => "java.lang.String",
        _ => "java.lang.Integer",
    };
    let made = named(class, class);
    wishing("key", Action::Literal { value, made })
}

/// One object passed twice; an overload selected by a cast; an invariant.
fn shared_key() -> Script {
    Script {
        after: vec![size_is(0, 1)],
        invariant_holds_after: Some(0),
        ..script(
            vec![
                new_depot(),
                key(Literal::Boxed(Value::Int(500))),
                call(on(0, "put(Ljava/lang/Object;)Z", vec![Input::Object(1)])),
                call(on(0, "has(Ljava/lang/Object;)Z", vec![Input::Object(1)])),
            ],
            returns(Value::Boolean(true)),
        )
    }
}

/// Two variables with colliding names, a value returned by a call, an unused one.
fn values() -> Script {
    Script {
        after: vec![size_is(0, 2)],
        ..script(
            vec![
                new_depot(),
                key(Literal::Boxed(Value::Int(7))),
                key(Literal::String("a\"b".to_owned())),
                key(Literal::String("unused".to_owned())),
                call(on(0, "put(Ljava/lang/Object;)Z", vec![Input::Object(1)])),
                call(on(0, "put(Ljava/lang/Object;)Z", vec![Input::Object(2)])),
                call(made(on(0, "size()I", vec![]), &int())),
                call(on(0, "has(Ljava/lang/Object;)Z", vec![Input::Object(6)])),
            ],
            returns(Value::Boolean(false)),
        )
    }
}

pub fn exception() -> Script {
    Script {
        after: vec![size_is(0, 1)],
        ..script(
            vec![
                new_depot(),
                call(on(0, "put(I)Z", vec![int_value(5)])),
                call(made(
                    on(
                        0,
                        "take(Ljava/lang/Object;)Ljava/lang/Object;",
                        vec![boxed(6)],
                    ),
                    &named("java.lang.Object", "java.lang.Object"),
                )),
            ],
            throws("java.util.NoSuchElementException"),
        )
    }
}

/// Arrays are made, written and read; the constructor under test stores one.
fn arrays() -> Script {
    let element = |value: Input| Action::StoreElement {
        array: 1,
        index: 1,
        value,
    };
    let load = Action::LoadElement {
        array: 1,
        index: 1,
        made: a_box(),
    };
    let text = Input::Literal(Literal::String("a".to_owned()));
    let again = Action::NewArray {
        elements: vec![NULL, NULL],
        made: boxes(),
    };
    Script {
        after: vec![
            Observation::Field {
                access: at(Some(6), &depot(), "package [Lshelf/Depot$Box; boxes"),
                value: of(Value::Ref(1)),
            },
            Observation::Field {
                access: at(Some(3), &a_box(), "package D weight"),
                value: of(Value::Double(0.5)),
            },
            Observation::Field {
                access: at(Some(3), &a_box(), "public final Ljava/lang/Object; content"),
                value: Literal::String("a".to_owned()),
            },
        ],
        ..script(
            vec![
                call(new(&a_box(), "(Ljava/lang/Object;)V", vec![text])),
                unnamed(Action::NewArray {
                    elements: vec![Input::Object(0), NULL],
                    made: boxes(),
                }),
                unnamed(element(Input::Object(0))),
                wishing("second", load),
                wishing("others", again),
                unnamed(Action::StoreElement {
                    array: 4,
                    index: 0,
                    value: Input::Object(3),
                }),
                call(new(
                    &depot(),
                    "([Lshelf/Depot$Box;)V",
                    vec![Input::Object(1)],
                )),
            ],
            CallOutcome::ReturnedVoid,
        )
    }
}

/// Static fields and fields of objects, private ones, a hidden one.
fn fields() -> Script {
    let annex = named("shelf.Depot$Annex", "shelf.Depot.Annex");
    let note = |class| at(Some(0), class, "protected Ljava/lang/Object; note");
    let store = |access, value| unnamed(Action::StoreField { access, value });
    let text = |text: &str| Input::Literal(Literal::String(text.to_owned()));
    let made_count = || at(None, &depot(), "package I made");
    let motto = || at(None, &depot(), "private Ljava/lang/String; motto");
    Script {
        after: vec![
            Observation::Field {
                access: note(&annex),
                value: of(Value::Null),
            },
            Observation::Field {
                access: note(&depot()),
                value: Literal::String("deep".to_owned()),
            },
            Observation::Field {
                access: motto(),
                value: Literal::String("all".to_owned()),
            },
            Observation::Field {
                access: made_count(),
                value: of(Value::Int(4)),
            },
            Observation::Field {
                access: at(Some(0), &depot(), "private I count"),
                value: of(Value::Int(-3)),
            },
        ],
        ..script(
            vec![
                call(new(&annex, "()V", vec![])),
                store(note(&annex), NULL),
                store(note(&depot()), text("deep")),
                store(motto(), text("all")),
                store(made_count(), int_value(3)),
                store(at(Some(0), &depot(), "private I count"), int_value(-3)),
                wishing(
                    "count",
                    Action::LoadField {
                        access: made_count(),
                        made: int(),
                    },
                ),
                call(on(0, "has(Ljava/lang/Object;)Z", vec![Input::Object(6)])),
                call(new(&depot(), "()V", vec![])),
            ],
            CallOutcome::ReturnedVoid,
        )
    }
}

/// Objects of an inaccessible class, and inaccessible methods.
fn secrets() -> Script {
    let (entry, entries) = (hidden(ENTRY), hidden("[Lshelf.Depot$Entry;"));
    let last = at(Some(0), &depot(), "private Lshelf/Depot$Entry; last");
    let before = FieldAccess {
        class: hidden(ENTRY),
        ..at(Some(2), &entry, "package Lshelf/Depot$Entry; before")
    };
    let all = on(0, "entries()[Lshelf/Depot$Entry;", vec![]);
    let first = on(
        0,
        "keyOf(Lshelf/Depot$Entry;)Ljava/lang/Object;",
        vec![Input::Object(4)],
    );
    let filled = Step {
        receiver: None,
        ..on(0, "filled([Lshelf/Depot$Entry;)I", vec![Input::Object(5)])
    };
    Script {
        after: vec![
            Observation::Field {
                access: before.clone(),
                value: of(Value::Null),
            },
            Observation::Call {
                call: filled,
                then: Vec::new(),
                value: of(Value::Int(1)),
            },
        ],
        ..script(
            vec![
                new_depot(),
                call(on(0, "put(I)Z", vec![int_value(5)])),
                unnamed(Action::LoadField {
                    access: last.clone(),
                    made: Arc::clone(&entry),
                }),
                call(made(all, &entries)),
                unnamed(Action::LoadElement {
                    array: 3,
                    index: 0,
                    made: Arc::clone(&entry),
                }),
                unnamed(Action::NewArray {
                    elements: vec![Input::Object(4), NULL],
                    made: entries,
                }),
                unnamed(Action::StoreField {
                    access: before,
                    value: NULL,
                }),
                unnamed(Action::StoreField {
                    access: last,
                    value: Input::Object(2),
                }),
                call(first),
            ],
            CallOutcome::Returned(Literal::Boxed(Value::Int(5))),
        )
    }
}

/// An array whose element class occurs nowhere else and is in another package than the tests.
fn tags() -> Script {
    let tag = named("shelf.deep.Tag", "shelf.deep.Tag");
    let tags = Action::NewArray {
        elements: vec![NULL, NULL, NULL],
        made: named("[Lshelf.deep.Tag;", "shelf.deep.Tag[]"),
    };
    let annexes = Action::NewArray {
        elements: vec![NULL],
        made: named("[Lshelf.Depot$Annex;", "shelf.Depot.Annex[]"),
    };
    let has = |object| on(0, "has(Ljava/lang/Object;)Z", vec![Input::Object(object)]);
    script(
        vec![
            new_depot(),
            wishing("net", Action::Call(new(&tag, "()V", vec![]))),
            unnamed(tags),
            unnamed(annexes),
            call(has(1)),
            call(has(2)),
            call(has(3)),
        ],
        returns(Value::Boolean(false)),
    )
}

/// Object of an inner class.
fn door() -> Script {
    let class = named("shelf.Depot$Door", "shelf.Depot.Door");
    let open = Step {
        method: sig(&class.name, "depot()Lshelf/Depot;"),
        class: Arc::clone(&class),
        receiver: Some(1),
        arguments: vec![],
        made: Some(depot()),
        spelling: None,
        is_variadic: false,
        body: None,
    };
    let door = Step {
        receiver: Some(0),
        ..new(&class, "(Lshelf/Depot;I)V", vec![int_value(3)])
    };
    script(
        vec![new_depot(), call(door), call(open)],
        returns(Value::Ref(0)),
    )
}

/// Object of an inaccessible inner class.
fn lock() -> Script {
    let class = hidden("shelf.Depot$Lock");
    let opened = Step {
        method: sig(&class.name, "opened()Lshelf/Depot;"),
        class: Arc::clone(&class),
        receiver: Some(1),
        arguments: vec![],
        made: None,
        spelling: None,
        is_variadic: false,
        body: None,
    };
    let lock = Step {
        receiver: Some(0),
        ..new(&class, "(Lshelf/Depot;I)V", vec![int_value(2)])
    };
    script(
        vec![new_depot(), call(lock), call(opened)],
        returns(Value::Ref(0)),
    )
}

/// Box from an array, with an outcome.
fn box_at(index: i32, outcome: CallOutcome) -> Script {
    let content = Input::Literal(of(Value::Null));
    let array = Action::NewArray {
        elements: vec![Input::Object(0), NULL],
        made: boxes(),
    };
    let under_test = on(2, "box(I)Lshelf/Depot$Box;", vec![int_value(index)]);
    script(
        vec![
            call(new(&a_box(), "(Ljava/lang/Object;)V", vec![content])),
            unnamed(array),
            call(new(
                &depot(),
                "([Lshelf/Depot$Box;)V",
                vec![Input::Object(1)],
            )),
            call(made(under_test, &a_box())),
        ],
        outcome,
    )
}

/// The object returned by the call under test is observed afterwards.
fn returned_object() -> Script {
    let class = Some("shelf.Depot$Box".to_owned());
    Script {
        after: vec![Observation::Field {
            access: at(Some(3), &a_box(), "public final Ljava/lang/Object; content"),
            value: of(Value::Null),
        }],
        ..box_at(0, CallOutcome::ReturnedObject { class })
    }
}

fn labelled() -> Script {
    Script {
        label: Label {
            name: Some("takes the key".to_owned()),
            note: vec!["covers line 80".to_owned()],
        },
        ..script(
            vec![
                new_depot(),
                call(on(0, "put(I)Z", vec![int_value(5)])),
                call(on(
                    0,
                    "take(Ljava/lang/Object;)Ljava/lang/Object;",
                    vec![boxed(5)],
                )),
            ],
            CallOutcome::Returned(Literal::Boxed(Value::Int(5))),
        )
    }
}

pub fn of_depot(scripts: Vec<Script>) -> Suite {
    Suite {
        scripts,
        ..suite(&depot(), Some(("isWhole", Access::Public)), Vec::new())
    }
}

/// Scripts with every action and outcome.
pub fn all() -> Suite {
    of_depot(vec![
        shared_key(),
        values(),
        exception(),
        arrays(),
        fields(),
        secrets(),
        tags(),
        door(),
        lock(),
        box_at(0, returns(Value::Ref(0))),
        box_at(1, throws("java.io.IOException")),
        returned_object(),
        labelled(),
        script(
            vec![new_depot(), call(on(0, "clear()V", vec![]))],
            CallOutcome::Failed(Requirement::Ends),
        ),
    ])
}

/// The suite with one wrong expectation of each kind.
pub fn wrong() -> Vec<Suite> {
    let mut wrong_row = label("d", 4);
    wrong_row.outcome = CallOutcome::Returned(Literal::String("d5".to_owned()));
    let mut rows = of_depot(vec![label("a", 1), label("b", 2), label("c", 3)]);
    rows.scripts[1] = wrong_row;
    let mut wrong_field = kept_key();
    wrong_field.after[3] = Observation::Field {
        access: at(Some(0), &depot(), "protected Ljava/lang/Object; note"),
        value: Literal::String("a".to_owned()),
    };
    let mut wrong_message = refused_reason();
    wrong_message.after[0] = Observation::Message {
        text: Literal::String("no rooms".to_owned()),
    };
    let nothing = CallOutcome::Failed(Requirement::KeepsInvariant);
    let put = call(on(0, "put(I)Z", vec![int_value(5)]));
    let wrong = [
        Script {
            outcome: returns(Value::Boolean(false)),
            ..shared_key()
        },
        Script {
            after: vec![size_is(0, 2)],
            ..shared_key()
        },
        Script {
            after: vec![Observation::Field {
                access: at(Some(0), &depot(), "private I count"),
                value: of(Value::Int(2)),
            }],
            ..shared_key()
        },
        Script {
            invariant_holds_after: Some(0),
            ..script(
                vec![new_depot(), put, call(on(0, "clear()V", vec![]))],
                nothing,
            )
        },
        Script {
            outcome: throws("java.lang.IllegalStateException"),
            ..exception()
        },
        box_at(0, throws("java.io.IOException")),
    ];
    let alone = wrong.into_iter().chain([wrong_field, wrong_message]);
    let alone = alone.map(|script| of_depot(vec![script]));
    alone.chain([rows]).collect()
}

/// Label of a text and a number.
fn label(text: &str, number: i32) -> Script {
    let input = Input::Literal(Literal::String(text.to_owned()));
    let arguments = vec![input, int_value(number)];
    script(
        vec![
            new_depot(),
            call(on(
                0,
                "label(Ljava/lang/String;I)Ljava/lang/String;",
                arguments,
            )),
        ],
        CallOutcome::Returned(Literal::String(format!("{text}{number}"))),
    )
}

fn numbers(elements: impl Iterator<Item = i32>) -> Literal {
    Literal::Array {
        class: "[I".to_owned(),
        elements: elements.map(|number| of(Value::Int(number))).collect(),
    }
}

fn up_to(number: i32) -> Script {
    script(
        vec![
            new_depot(),
            call(on(0, "upTo(I)[I", vec![int_value(number)])),
        ],
        CallOutcome::Returned(numbers(0..number)),
    )
}

/// Total of a variable number of arguments.
pub fn total(first: i32, second: i32) -> Script {
    let numbers = numbers([first, second].into_iter());
    let total = Step {
        receiver: None,
        is_variadic: true,
        ..on(0, "total([I)I", vec![Input::Literal(numbers)])
    };
    script(vec![call(total)], returns(Value::Int(first + second)))
}

/// An exception with a message and a cause.
pub fn refused_reason() -> Script {
    let class = "java.io.IOException";
    let reason = Input::Literal(Literal::String("room".to_owned()));
    Script {
        after: vec![
            Observation::Message {
                text: Literal::String("no room".to_owned()),
            },
            Observation::Cause {
                class: named(class, class),
            },
            size_is(0, 0),
        ],
        ..script(
            vec![
                new_depot(),
                call(on(0, "refuse(Ljava/lang/String;)V", vec![reason])),
            ],
            throws("java.lang.IllegalArgumentException"),
        )
    }
}

/// Several observations of one object.
fn kept_key() -> Script {
    let asked = |text: &str, arguments: Vec<Input>, value: Value| Observation::Call {
        call: on(0, text, arguments),
        then: Vec::new(),
        value: of(value),
    };
    let has = "has(Ljava/lang/Object;)Z";
    Script {
        after: vec![
            size_is(0, 1),
            asked(has, vec![Input::Object(1)], Value::Boolean(true)),
            asked(has, vec![NULL], Value::Boolean(false)),
            Observation::Field {
                access: at(Some(0), &depot(), "protected Ljava/lang/Object; note"),
                value: of(Value::Null),
            },
        ],
        ..script(
            vec![
                new_depot(),
                key(Literal::Boxed(Value::Int(500))),
                call(on(0, "put(Ljava/lang/Object;)Z", vec![Input::Object(1)])),
            ],
            CallOutcome::ReturnedVoid,
        )
    }
}

/// Tests of many methods, some of which differ only in their values.
pub fn many() -> Suite {
    let cleared = Script {
        after: vec![size_is(0, 0)],
        ..script(
            vec![new_depot(), call(on(0, "clear()V", vec![]))],
            CallOutcome::ReturnedVoid,
        )
    };
    let put = script(
        vec![new_depot(), call(on(0, "put(I)Z", vec![int_value(5)]))],
        returns(Value::Boolean(true)),
    );
    Suite {
        resets: vec![unnamed(Action::StoreField {
            access: at(None, &depot(), "private static Ljava/lang/String; motto"),
            value: Input::Literal(Literal::String("none".to_owned())),
        })],
        ..of_depot(vec![
            label("a", 1),
            up_to(0),
            put,
            label("b, c", 2),
            kept_key(),
            label("", -3),
            total(1, 2),
            exception(),
            up_to(2),
            cleared,
            total(3, 4),
            refused_reason(),
            up_to(3),
            total(0, 0),
            box_at(0, returns(Value::Ref(0))),
        ])
    }
}

fn check(suite: &Suite, version: JunitVersion, expected: &Expect) {
    check_by(suite, version, AssertionLibrary::Framework, expected);
}

fn check_by(suite: &Suite, version: JunitVersion, assertions: AssertionLibrary, expected: &Expect) {
    let options = JunitOptions {
        version,
        assertions,
        ..JunitOptions::default()
    };
    let output = write_junit(suite, &options).unwrap();
    assert_eq!(
        (output.tests(), output.skipped),
        (suite.scripts.len(), vec![])
    );
    assert_eq!(output.files.len(), 1);
    // Other tests show the helpers.
    let text = &output.files[0].contents;
    expected.assert_eq(text.split("\n    /** ").next().unwrap());
}

/// Suite with a reset of static state before each test.
fn resetting() -> Suite {
    let entries = Arc::new(ClassSig {
        is_generic: true,
        ..ClassSig::named("java.util.List", "java.util.List")
    });
    let clear = Step {
        method: sig("java.util.List", "clear()V"),
        class: Arc::clone(&entries),
        receiver: Some(2),
        arguments: Vec::new(),
        made: None,
        spelling: None,
        is_variadic: false,
        body: None,
    };
    let count = at(None, &depot(), "static I count");
    let hidden = at(None, &depot(), "private static I hidden");
    let held = at(None, &depot(), "private static Ljava/util/List; HELD");
    let store = |access: FieldAccess, value: i32| {
        unnamed(Action::StoreField {
            access,
            value: int_value(value),
        })
    };
    let load = Action::LoadField {
        access: held,
        made: entries,
    };
    let scripts = vec![script(
        vec![new_depot(), call(on(0, "clear()V", vec![]))],
        CallOutcome::ReturnedVoid,
    )];
    Suite {
        resets: vec![
            store(count, 3),
            store(hidden, 4),
            wishing("held", load),
            call(clear),
        ],
        ..of_depot(scripts)
    }
}

#[test]
fn static_state_is_put_back_before_each_test() {
    check(
        &resetting(),
        JunitVersion::Five,
        &expect![[r#"
            package shelf;

            import java.lang.reflect.Field;
            import java.util.List;
            import org.junit.jupiter.api.AfterEach;
            import org.junit.jupiter.api.BeforeEach;
            import org.junit.jupiter.api.DisplayName;
            import org.junit.jupiter.api.Test;

            /** Behaviour of shelf.Depot, written by Heapwright. */
            @SuppressWarnings({"rawtypes", "unchecked"})
            class DepotHeapwrightTest {
                private final int countBefore = Depot.count;

                @AfterEach
                void putBackStatics() throws Exception {
                    resetStatics();
                    Depot.count = countBefore;
                }

                @BeforeEach
                void resetStatics() throws Exception {
                    Depot.count = 3;
                    setDeclared(null, "shelf.Depot", "hidden", 4);
                    List held = (List) get(null, "shelf.Depot", "HELD");
                    held.clear();
                }

                @Test
                @DisplayName("clear on a new depot returns")
                void clear_onNewDepot_returns() {
                    Depot depot = new Depot();

                    depot.clear();
                }
        "#]],
    );
    check(
        &resetting(),
        JunitVersion::Four,
        &expect![[r#"
            package shelf;

            import java.lang.reflect.Field;
            import java.util.List;
            import org.junit.After;
            import org.junit.Before;
            import org.junit.Test;

            /** Behaviour of shelf.Depot, written by Heapwright. */
            @SuppressWarnings({"rawtypes", "unchecked"})
            public class DepotHeapwrightTest {
                private final int countBefore = Depot.count;

                @After
                public void putBackStatics() throws Exception {
                    resetStatics();
                    Depot.count = countBefore;
                }

                @Before
                public void resetStatics() throws Exception {
                    Depot.count = 3;
                    setDeclared(null, "shelf.Depot", "hidden", 4);
                    List held = (List) get(null, "shelf.Depot", "HELD");
                    held.clear();
                }

                @Test
                public void clear_onNewDepot_returns() {
                    Depot depot = new Depot();

                    depot.clear();
                }
        "#]],
    );
}

/// Settings of the virtual machine are put back behind each test that leaves them changed.
#[test]
fn settings_are_put_back_behind_each_test() {
    let cleared = Script {
        settings: vec![
            Setting::TimeZone,
            Setting::FormatLocale,
            Setting::Property("shelf.mode".to_owned()),
            Setting::Property("shelf.\"\n".to_owned()),
            Setting::Output,
            Setting::ExceptionHandler,
            Setting::Authenticator,
            Setting::ContextLoader,
            Setting::Interrupt,
        ],
        ..script(
            vec![new_depot(), call(on(0, "clear()V", vec![]))],
            CallOutcome::ReturnedVoid,
        )
    };
    let suite = of_depot(vec![cleared]);
    let options = JunitOptions {
        version: JunitVersion::TestNg,
        ..JunitOptions::default()
    };
    let text = &write_junit(&suite, &options).unwrap().files[0].contents;
    let members = &text[text.find("public class ").unwrap()..];
    let members = members.split("\n    @Test\n").next().unwrap();
    expect![[r#"
        public class DepotHeapwrightTest {
            private final TimeZone initialTimeZone = TimeZone.getDefault();
            private final Locale initialFormatLocale = Locale.getDefault(Locale.Category.FORMAT);
            private final String initialProperty = System.getProperty("shelf.\"\n");
            private final String initialProperty2 = System.getProperty("shelf.mode");
            private final PrintStream initialOut = System.out;
            private final Thread.UncaughtExceptionHandler initialExceptionHandler = Thread.getDefaultUncaughtExceptionHandler();
            private final Authenticator initialAuthenticator = Authenticator.getDefault();
            private final ClassLoader initialContextLoader = Thread.currentThread().getContextClassLoader();

            @AfterMethod
            public void putBackStatics() {
                TimeZone.setDefault(initialTimeZone);
                Locale.setDefault(Locale.Category.FORMAT, initialFormatLocale);
                if (initialProperty == null) {
                    System.clearProperty("shelf.\"\n");
                } else {
                    System.setProperty("shelf.\"\n", initialProperty);
                }
                if (initialProperty2 == null) {
                    System.clearProperty("shelf.mode");
                } else {
                    System.setProperty("shelf.mode", initialProperty2);
                }
                System.setOut(initialOut);
                Thread.setDefaultUncaughtExceptionHandler(initialExceptionHandler);
                Authenticator.setDefault(initialAuthenticator);
                Thread.currentThread().setContextClassLoader(initialContextLoader);
                Thread.interrupted();
            }
    "#]]
    .assert_eq(members);
    for class in [
        "java.io.PrintStream",
        "java.net.Authenticator",
        "java.util.Locale",
        "java.util.TimeZone",
    ] {
        assert!(text.contains(&format!("import {class};\n")), "{text}");
    }
    // Without a way to ask for it, nothing is put back.
    let options = JunitOptions {
        release: 8,
        ..JunitOptions::default()
    };
    let old = &write_junit(&suite, &options).unwrap().files[0].contents;
    assert!(!old.contains("Authenticator"), "{old}");
    assert!(
        old.contains("TimeZone.setDefault(initialTimeZone);"),
        "{old}"
    );
}

/// Reports show tests by their words, of which two are never the same.
#[test]
fn equal_words_of_tests_have_numbers() {
    let clear = script(
        vec![new_depot(), call(on(0, "clear()V", vec![]))],
        CallOutcome::ReturnedVoid,
    );
    let suite = of_depot(vec![clear.clone(), clear]);
    let options = JunitOptions {
        has_parameters: false,
        ..JunitOptions::default()
    };
    let text = &write_junit(&suite, &options).unwrap().files[0].contents;
    for words in [
        "clear on a new depot returns",
        "clear on a new depot returns (2)",
    ] {
        assert!(
            text.contains(&format!("@DisplayName(\"{words}\")")),
            "{text}"
        );
    }
}

#[test]
fn what_puts_back_must_be_whole() {
    let mut suite = resetting();
    suite.resets.remove(0);
    let error = write_junit(&suite, &JunitOptions::default()).unwrap_err();
    assert!(
        error.to_string().contains("failed to find object 2"),
        "{error}"
    );
}

#[test]
fn scripts_for_junit_5() {
    check(
        &all(),
        JunitVersion::Five,
        &expect![[r#"
            package shelf;

            import static org.junit.jupiter.api.Assertions.assertEquals;
            import static org.junit.jupiter.api.Assertions.assertFalse;
            import static org.junit.jupiter.api.Assertions.assertNull;
            import static org.junit.jupiter.api.Assertions.assertSame;
            import static org.junit.jupiter.api.Assertions.assertThrows;
            import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
            import static org.junit.jupiter.api.Assertions.assertTrue;

            import java.io.IOException;
            import java.lang.reflect.Array;
            import java.lang.reflect.Constructor;
            import java.lang.reflect.Field;
            import java.lang.reflect.InvocationTargetException;
            import java.lang.reflect.Method;
            import java.time.Duration;
            import java.util.NoSuchElementException;
            import org.junit.jupiter.api.AfterEach;
            import org.junit.jupiter.api.DisplayName;
            import org.junit.jupiter.api.Test;
            import shelf.deep.Tag;

            /** Behaviour of shelf.Depot, written by Heapwright. */
            class DepotHeapwrightTest {
                private final int madeBefore = Depot.made;

                @AfterEach
                void putBackStatics() {
                    Depot.made = madeBefore;
                }

                @Test
                @DisplayName("has with 500 after put returns true")
                void has_afterPut_with500_returnsTrue() {
                    Depot depot = new Depot();
                    Integer key = 500;
                    depot.put((Object) key);

                    assertTrue(depot.has(key));
                    assertEquals(1, depot.size());
                    assertTrue(depot.isWhole());
                }

                @Test
                @DisplayName("has with an int after 3 calls returns false")
                void has_after3Calls_withValue_returnsFalse() {
                    Depot depot = new Depot();
                    Integer key0 = 7;
                    String key1 = "a\"b";
                    depot.put((Object) key0);
                    depot.put((Object) key1);
                    int value = depot.size();

                    assertFalse(depot.has(value));
                    assertEquals(2, depot.size());
                }

                @Test
                @DisplayName("take with 6 after put throws NoSuchElementException")
                void take_afterPut_with6_throwsNoSuchElement() {
                    Depot depot = new Depot();
                    depot.put(5);

                    assertThrows(NoSuchElementException.class, () -> depot.take(6));
                    assertEquals(1, depot.size());
                }

                @Test
                @SuppressWarnings({"rawtypes", "unchecked"})
                @DisplayName("new Depot with a box array succeeds")
                void newDepot_withBoxes_returns() {
                    Depot.Box box = new Depot.Box("a");
                    Depot.Box[] boxes = {box, null};
                    boxes[1] = box;
                    Depot.Box second = boxes[1];
                    Depot.Box[] others = new Depot.Box[2];
                    others[0] = second;

                    Depot depot = new Depot(boxes);

                    assertSame(boxes, depot.boxes);
                    assertEquals(0.5, second.weight);
                    assertEquals("a", second.content);
                }

                @Test
                @DisplayName("new Depot succeeds")
                void newDepot_returns() throws Exception {
                    Depot.Annex annex = new Depot.Annex();
                    annex.note = null;
                    ((Depot) annex).note = "deep";
                    setDeclared(null, "shelf.Depot", "motto", "all");
                    Depot.made = 3;
                    setDeclared(annex, "shelf.Depot", "count", -3);
                    int count = Depot.made;
                    annex.has(count);

                    new Depot();

                    assertNull(annex.note);
                    assertEquals("deep", ((Depot) annex).note);
                    assertEquals("all", get(null, "shelf.Depot", "motto"));
                    assertEquals(4, Depot.made);
                    assertEquals(-3, (int) get(annex, "shelf.Depot", "count"));
                }

                @Test
                @DisplayName("keyOf with an entry after put and entries returns 5")
                void keyOf_afterPutAndEntries_withEntry_returns5() throws Throwable {
                    Depot depot = new Depot();
                    depot.put(5);
                    Object entry0 = get(depot, "shelf.Depot", "last");
                    Object[] entries0 = (Object[]) invoke(depot, "shelf.Depot", "entries()");
                    Object entry1 = entries0[0];
                    Object[] entries1 = newArray("shelf.Depot$Entry", 2);
                    entries1[0] = entry1;
                    setDeclared(entry0, "shelf.Depot$Entry", "before", null);
                    setDeclared(depot, "shelf.Depot", "last", entry0);

                    assertEquals(5, invoke(depot, "shelf.Depot", "keyOf(shelf.Depot$Entry)", entry1));
                    assertNull(get(entry0, "shelf.Depot$Entry", "before"));
                    assertEquals(1, (int) invoke(null, "shelf.Depot", "filled([Lshelf.Depot$Entry;)", (Object) entries1));
                }

                @Test
                @DisplayName("has with an annex array after 2 calls of has returns false")
                void has_after2Hases_withAnnexes_returnsFalse() {
                    Depot depot = new Depot();
                    Tag tag = new Tag();
                    Tag[] tags = new Tag[3];
                    Depot.Annex[] annexes = new Depot.Annex[1];
                    depot.has(tag);
                    depot.has(tags);

                    assertFalse(depot.has(annexes));
                }

                @Test
                @DisplayName("depot on a new door returns the depot")
                void depot_onNewDoor_returnsDepot() {
                    Depot depot = new Depot();
                    Depot.Door door = depot.new Door(3);

                    assertSame(depot, door.depot());
                }

                @Test
                @DisplayName("opened on a new lock returns the depot")
                void opened_onNewLock_returnsDepot() throws Throwable {
                    Depot depot = new Depot();
                    Object lock = constructHidden("shelf.Depot$Lock", "<init>(shelf.Depot,int)", depot, 2);

                    assertSame(depot, invoke(lock, "shelf.Depot$Lock", "opened()"));
                }

                @Test
                @SuppressWarnings({"rawtypes", "unchecked"})
                @DisplayName("box with 0 on a new depot returns the box")
                void box_onNewDepot_with0_returnsBox() throws Exception {
                    Depot.Box box = new Depot.Box(null);
                    Depot.Box[] boxes = {box, null};
                    Depot depot = new Depot(boxes);

                    assertSame(box, depot.box(0));
                }

                @Test
                @SuppressWarnings({"rawtypes", "unchecked"})
                @DisplayName("box with 1 on a new depot throws IOException")
                void box_onNewDepot_with1_throwsIO() throws Exception {
                    Depot.Box box = new Depot.Box(null);
                    Depot.Box[] boxes = {box, null};
                    Depot depot = new Depot(boxes);

                    assertThrows(IOException.class, () -> depot.box(1));
                }

                @Test
                @SuppressWarnings({"rawtypes", "unchecked"})
                @DisplayName("box with 0 on a new depot returns a box")
                void box_onNewDepot_with0_returnsBox_thenContentIsNull() throws Exception {
                    Depot.Box box0 = new Depot.Box(null);
                    Depot.Box[] boxes = {box0, null};
                    Depot depot = new Depot(boxes);

                    Depot.Box box1 = depot.box(0);

                    assertNull(box1.content);
                }

                @Test
                void takesthekey() {
                    // covers line 80
                    Depot depot = new Depot();
                    depot.put(5);

                    assertEquals(5, depot.take(5));
                }

                @Test
                @DisplayName("clear on a new depot ends")
                void clear_onNewDepot_ends() {
                    Depot depot = new Depot();

                    assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
                        try {
                            depot.clear();
                        } catch (OutOfMemoryError throwable) {
                            throw new AssertionError(throwable);
                        }
                    });
                }
        "#]],
    );
}

#[test]
fn scripts_for_junit_4() {
    let scripts = vec![
        exception(),
        box_at(1, throws("java.io.IOException")),
        arrays(),
        script(
            vec![new_depot(), call(on(0, "clear()V", vec![]))],
            CallOutcome::Failed(Requirement::Ends),
        ),
    ];
    check(
        &of_depot(scripts),
        JunitVersion::Four,
        &expect![[r#"
            package shelf;

            import static org.junit.Assert.assertEquals;
            import static org.junit.Assert.assertNotNull;
            import static org.junit.Assert.assertSame;

            import java.io.IOException;
            import java.util.NoSuchElementException;
            import org.junit.Test;

            /** Behaviour of shelf.Depot, written by Heapwright. */
            @SuppressWarnings({"rawtypes", "unchecked"})
            public class DepotHeapwrightTest {
                @Test
                public void take_afterPut_with6_throwsNoSuchElement() {
                    Depot depot = new Depot();
                    depot.put(5);

                    Throwable thrown = null;
                    try {
                        depot.take(6);
                    } catch (Throwable throwable) {
                        thrown = throwable;
                    }
                    assertNotNull(thrown);
                    assertEquals(NoSuchElementException.class, thrown.getClass());
                    assertEquals(1, depot.size());
                }

                @Test
                public void box_onNewDepot_with1_throwsIO() throws Exception {
                    Depot.Box box = new Depot.Box(null);
                    Depot.Box[] boxes = {box, null};
                    Depot depot = new Depot(boxes);

                    Throwable thrown = null;
                    try {
                        depot.box(1);
                    } catch (Throwable throwable) {
                        thrown = throwable;
                    }
                    assertNotNull(thrown);
                    assertEquals(IOException.class, thrown.getClass());
                }

                @Test
                public void newDepot_withBoxes_returns() {
                    Depot.Box box = new Depot.Box("a");
                    Depot.Box[] boxes = {box, null};
                    boxes[1] = box;
                    Depot.Box second = boxes[1];
                    Depot.Box[] others = new Depot.Box[2];
                    others[0] = second;

                    Depot depot = new Depot(boxes);

                    assertSame(boxes, depot.boxes);
                    assertEquals(Double.valueOf(0.5), Double.valueOf(second.weight));
                    assertEquals("a", second.content);
                }

                @Test(timeout = 5_000)
                public void clear_onNewDepot_ends() {
                    Depot depot = new Depot();

                    try {
                        depot.clear();
                    } catch (OutOfMemoryError throwable) {
                        throw new AssertionError(throwable);
                    }
                }
            }
        "#]],
    );
}

#[test]
fn a_script_is_a_line() {
    let lines: Vec<String> = all().scripts.iter().map(Script::to_string).collect();
    expect![[r#"
        depot = new Depot(); key = 500; depot.put(key); depot.has(key)
        depot = new Depot(); key0 = 7; key1 = "a\"b"; "unused"; depot.put(key0); depot.put(key1); value = depot.size(); depot.has(value)
        depot = new Depot(); depot.put(5); depot.take(6)
        box = new Box("a"); boxes = Box[]{box, null}; boxes[1] = box; second = boxes[1]; others = Box[]{null, null}; others[0] = second; depot = new Depot(boxes)
        annex = new Annex(); annex.note = null; annex.note = "deep"; Depot.motto = "all"; Depot.made = 3; annex.count = -3; count = Depot.made; annex.has(count); new Depot()
        depot = new Depot(); depot.put(5); entry0 = depot.last; entries0 = depot.entries(); entry1 = entries0[0]; entries1 = Entry[]{entry1, null}; entry0.before = null; depot.last = entry0; depot.keyOf(entry1)
        depot = new Depot(); tag = new Tag(); tags = Tag[]{null, null, null}; annexes = Annex[]{null}; depot.has(tag); depot.has(tags); depot.has(annexes)
        depot = new Depot(); door = depot.new Door(3); door.depot()
        depot = new Depot(); lock = depot.new Lock(2); lock.opened()
        box = new Box(null); boxes = Box[]{box, null}; depot = new Depot(boxes); depot.box(0)
        box = new Box(null); boxes = Box[]{box, null}; depot = new Depot(boxes); depot.box(1)
        box0 = new Box(null); boxes = Box[]{box0, null}; depot = new Depot(boxes); box1 = depot.box(0)
        depot = new Depot(); depot.put(5); depot.take(5)
        depot = new Depot(); depot.clear()"#]].assert_eq(&lines.join("\n"));
}

/// Checks the error of a script after a change.
#[track_caller]
fn refused(script: Script, change: impl FnOnce(&mut Script), expected: &str) {
    script.check().unwrap();
    let mut changed = script;
    change(&mut changed);
    let error = changed.check().unwrap_err();
    assert_eq!(error.to_string(), expected);
    let output = write_junit(&of_depot(vec![changed]), &JunitOptions::default());
    assert_eq!(output, Err(error));
}

#[test]
fn scripts_are_held_to_what_they_hold() {
    let at = |statement: usize, reason: &str| {
        format!("failed to use statement {statement} of a script: {reason}")
    };
    let refuse = |change: fn(&mut Script), statement, reason: &str| {
        refused(shared_key(), change, &at(statement, reason));
    };
    refuse(
        |script| script.statements.clear(),
        0,
        "the last one is no call",
    );
    refuse(
        |script| script.statements.truncate(2),
        1,
        "the last one is no call",
    );
    refuse(
        |script| script.invariant_holds_after = Some(2),
        3,
        "what is seen after it is of an object that is not there",
    );
    refuse(
        |script| script.after.push(size_is(9, 1)),
        3,
        "what is seen after it is of an object that is not there",
    );
    refuse(
        |script| {
            let (argument, thrown) = (0, None);
            script.outcome = CallOutcome::Failed(Requirement::KeepsArgument { argument, thrown });
        },
        3,
        "its requirement is about a structure",
    );
    let own = "it returns an object that no statement before it holds";
    refused(
        box_at(0, returns(Value::Ref(0))),
        |script| script.outcome = returns(Value::Ref(3)),
        &at(3, own),
    );
    refused(
        returned_object(),
        |script| script.outcome = throws("java.io.IOException"),
        &at(3, "what is seen after it is of an object that is not there"),
    );
    refused(
        arrays(),
        |script| script.statements.swap(0, 1),
        &at(0, "it uses an object that no earlier one holds"),
    );
    refused(
        arrays(),
        |script| {
            let Action::Call(step) = &mut script.statements[0].action else {
                unreachable!()
            };
            step.made = Some(depot());
            let Action::StoreElement { array, .. } = &mut script.statements[2].action else {
                unreachable!()
            };
            *array = 0;
        },
        &at(2, "what it takes for an array is none"),
    );
    let swap_value = |script: Script, number: usize, value: Input, reason: &str| {
        let change = |script: &mut Script| match &mut script.statements[number].action {
            Action::NewArray { elements, .. } => elements[0] = value,
            Action::StoreField { value: stored, .. } => *stored = value,
            _ => unreachable!(),
        };
        refused(script, change, &at(number, reason));
    };
    let type_differs = "a value has another type than its place";
    swap_value(arrays(), 1, int_value(1), type_differs);
    swap_value(fields(), 4, NULL, type_differs);
    let object = Input::Literal(of(Value::Ref(0)));
    swap_value(arrays(), 1, object, "it takes an object for a literal");
    refused(
        shared_key(),
        |script| script.statements[2] = call(on(0, "put(I)Z", vec![])),
        "failed to call put: it has 1 parameters, 0 arguments were given",
    );
    refused(
        shared_key(),
        |script| script.statements[2] = call(on(2, "put(I)Z", vec![int_value(1)])),
        "failed to find object 2, which a call of put refers to",
    );
}

#[test]
fn tests_of_many_methods_are_in_nested_classes() {
    check(
        &many(),
        JunitVersion::Five,
        &expect![[r#"
            package shelf;

            import static org.junit.jupiter.api.Assertions.assertAll;
            import static org.junit.jupiter.api.Assertions.assertArrayEquals;
            import static org.junit.jupiter.api.Assertions.assertEquals;
            import static org.junit.jupiter.api.Assertions.assertFalse;
            import static org.junit.jupiter.api.Assertions.assertNull;
            import static org.junit.jupiter.api.Assertions.assertSame;
            import static org.junit.jupiter.api.Assertions.assertThrows;
            import static org.junit.jupiter.api.Assertions.assertTrue;

            import java.io.IOException;
            import java.lang.reflect.Field;
            import java.util.NoSuchElementException;
            import java.util.stream.Stream;
            import org.junit.jupiter.api.AfterEach;
            import org.junit.jupiter.api.BeforeEach;
            import org.junit.jupiter.api.DisplayName;
            import org.junit.jupiter.api.Nested;
            import org.junit.jupiter.api.Test;
            import org.junit.jupiter.params.ParameterizedTest;
            import org.junit.jupiter.params.provider.Arguments;
            import org.junit.jupiter.params.provider.CsvSource;
            import org.junit.jupiter.params.provider.MethodSource;

            /** Behaviour of shelf.Depot, written by Heapwright. */
            class DepotHeapwrightTest {
                @AfterEach
                void putBackStatics() throws Exception {
                    resetStatics();
                }

                @BeforeEach
                void resetStatics() throws Exception {
                    setDeclared(null, "shelf.Depot", "motto", "none");
                }

                @Nested
                @DisplayName("label(String, int)")
                class Label {
                    @ParameterizedTest(name = "label with {0} and {1} on a new depot returns {2}")
                    @CsvSource({
                        "a, 1, a1",
                        "'b, c', 2, 'b, c2'",
                        "'', -3, -3"
                    })
                    void label_onNewDepot_returnsExpected(String text, int number, String expected) {
                        Depot depot = new Depot();

                        assertEquals(expected, depot.label(text, number));
                    }
                }

                @Nested
                @DisplayName("upTo(int)")
                class UpTo {
                    @ParameterizedTest(name = "upTo with {0} on a new depot returns {1}")
                    @MethodSource("rowsOfUpTo")
                    void upTo_onNewDepot_returnsExpected(int number, int[] expected) {
                        Depot depot = new Depot();

                        assertArrayEquals(expected, depot.upTo(number));
                    }

                    static Stream<Arguments> rowsOfUpTo() {
                        return Stream.of(
                                Arguments.of(0, new int[] {}),
                                Arguments.of(2, new int[] {0, 1}),
                                Arguments.of(3, new int[] {0, 1, 2}));
                    }
                }

                @Nested
                @DisplayName("put(int)")
                class PutInt {
                    @Test
                    @DisplayName("put with 5 on a new depot returns true")
                    void put_onNewDepot_with5_returnsTrue() {
                        Depot depot = new Depot();

                        assertTrue(depot.put(5));
                    }
                }

                @Nested
                @DisplayName("put(Object)")
                class PutObject {
                    @Test
                    @DisplayName("put with 500 on a new depot, then size is 1")
                    void put_onNewDepot_with500_sizeIs1() {
                        Depot depot = new Depot();
                        Integer key = 500;

                        depot.put((Object) key);

                        assertAll(
                                () -> assertEquals(1, depot.size()),
                                () -> assertTrue(depot.has(key)),
                                () -> assertFalse(depot.has(null)),
                                () -> assertNull(depot.note));
                    }
                }

                @Nested
                @DisplayName("total(int[])")
                class Total {
                    @ParameterizedTest(name = "total with [{0}, {1}] returns {2}")
                    @CsvSource({
                        "1, 2, 3",
                        "3, 4, 7",
                        "0, 0, 0"
                    })
                    void total_returnsExpected(int number0, int number1, int expected) {
                        assertEquals(expected, Depot.total(number0, number1));
                    }
                }

                @Nested
                @DisplayName("take(Object)")
                class Take {
                    @Test
                    @DisplayName("take with 6 after put throws NoSuchElementException")
                    void take_afterPut_with6_throwsNoSuchElement() {
                        Depot depot = new Depot();
                        depot.put(5);

                        assertThrows(NoSuchElementException.class, () -> depot.take(6));
                        assertEquals(1, depot.size());
                    }
                }

                @Nested
                @DisplayName("clear()")
                class Clear {
                    @Test
                    @DisplayName("clear on a new depot, then size is 0")
                    void clear_onNewDepot_sizeIs0() {
                        Depot depot = new Depot();

                        depot.clear();

                        assertEquals(0, depot.size());
                    }
                }

                @Nested
                @DisplayName("refuse(String)")
                class Refuse {
                    @Test
                    @DisplayName("refuse with \"room\" on a new depot throws IllegalArgumentException")
                    void refuse_onNewDepot_withStringRoom_throwsIllegalArgument() {
                        Depot depot = new Depot();

                        IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class, () -> depot.refuse("room"));

                        assertEquals("no room", thrown.getMessage());
                        assertEquals(IOException.class, thrown.getCause().getClass());
                        assertEquals(0, depot.size());
                    }
                }

                @Nested
                @DisplayName("box(int)")
                class BoxInt {
                    @Test
                    @SuppressWarnings({"rawtypes", "unchecked"})
                    @DisplayName("box with 0 on a new depot returns the box")
                    void box_onNewDepot_with0_returnsBox() throws Exception {
                        Depot.Box box = new Depot.Box(null);
                        Depot.Box[] boxes = {box, null};
                        Depot depot = new Depot(boxes);

                        assertSame(box, depot.box(0));
                    }
                }
        "#]],
    );
}

/// Rows come from static methods, which inner classes have from release 16 on.
#[test]
fn where_inner_classes_have_no_static_methods_none_is_nested() {
    for (release, is_nested) in [(8, false), (15, false), (16, true)] {
        let options = JunitOptions {
            release,
            ..JunitOptions::default()
        };
        let output = write_junit(&many(), &options).unwrap();
        let source = &output.files[0].contents;
        assert!(source.contains("static Stream<Arguments> rowsOfUpTo()"));
        assert_eq!(source.contains("@Nested"), is_nested, "{release}");
    }
}

#[test]
fn junit_4_and_testng_have_no_nested_classes() {
    check(
        &many(),
        JunitVersion::TestNg,
        &expect![[r#"
            package shelf;

            import static org.testng.Assert.assertEquals;
            import static org.testng.Assert.assertFalse;
            import static org.testng.Assert.assertNull;
            import static org.testng.Assert.assertSame;
            import static org.testng.Assert.assertThrows;
            import static org.testng.Assert.assertTrue;
            import static org.testng.Assert.expectThrows;

            import java.io.IOException;
            import java.lang.reflect.Field;
            import java.util.NoSuchElementException;
            import org.testng.annotations.AfterMethod;
            import org.testng.annotations.BeforeMethod;
            import org.testng.annotations.Test;

            /** Behaviour of shelf.Depot, written by Heapwright. */
            public class DepotHeapwrightTest {
                @AfterMethod
                public void putBackStatics() throws Exception {
                    resetStatics();
                }

                @BeforeMethod
                public void resetStatics() throws Exception {
                    setDeclared(null, "shelf.Depot", "motto", "none");
                }

                @Test
                public void label_onNewDepot_withStringAAnd1_returnsStringA1() {
                    Depot depot = new Depot();

                    assertEquals(depot.label("a", 1), "a1");
                }

                @Test
                public void upTo_onNewDepot_with0_returnsEmptyArray() {
                    Depot depot = new Depot();

                    assertEquals(depot.upTo(0), new int[] {});
                }

                @Test
                public void put_onNewDepot_with5_returnsTrue() {
                    Depot depot = new Depot();

                    assertTrue(depot.put(5));
                }

                @Test
                public void label_onNewDepot_withStringBcAnd2_returnsStringBc2() {
                    Depot depot = new Depot();

                    assertEquals(depot.label("b, c", 2), "b, c2");
                }

                @Test
                public void put_onNewDepot_with500_sizeIs1() {
                    Depot depot = new Depot();
                    Integer key = 500;

                    depot.put((Object) key);

                    assertEquals(depot.size(), 1);
                    assertTrue(depot.has(key));
                    assertFalse(depot.has(null));
                    assertNull(depot.note);
                }

                @Test
                public void label_onNewDepot_withEmptyStringAndMinus3_returnsString3() {
                    Depot depot = new Depot();

                    assertEquals(depot.label("", -3), "-3");
                }

                @Test
                public void total_withArray1And2_returns3() {
                    assertEquals(Depot.total(1, 2), 3);
                }

                @Test
                public void take_afterPut_with6_throwsNoSuchElement() {
                    Depot depot = new Depot();
                    depot.put(5);

                    assertThrows(NoSuchElementException.class, () -> depot.take(6));
                    assertEquals(depot.size(), 1);
                }

                @Test
                public void upTo_onNewDepot_with2_returnsArray0And1() {
                    Depot depot = new Depot();

                    assertEquals(depot.upTo(2), new int[] {0, 1});
                }

                @Test
                public void clear_onNewDepot_sizeIs0() {
                    Depot depot = new Depot();

                    depot.clear();

                    assertEquals(depot.size(), 0);
                }

                @Test
                public void total_withArray3And4_returns7() {
                    assertEquals(Depot.total(3, 4), 7);
                }

                @Test
                public void refuse_onNewDepot_withStringRoom_throwsIllegalArgument() {
                    Depot depot = new Depot();

                    IllegalArgumentException thrown = expectThrows(IllegalArgumentException.class, () -> depot.refuse("room"));

                    assertEquals(thrown.getMessage(), "no room");
                    assertEquals(thrown.getCause().getClass(), IOException.class);
                    assertEquals(depot.size(), 0);
                }

                @Test
                public void upTo_onNewDepot_with3_returnsArray0And1And2() {
                    Depot depot = new Depot();

                    assertEquals(depot.upTo(3), new int[] {0, 1, 2});
                }

                @Test
                public void total_withArray0And0_returns0() {
                    assertEquals(Depot.total(0, 0), 0);
                }

                @Test
                @SuppressWarnings({"rawtypes", "unchecked"})
                public void box_onNewDepot_with0_returnsBox() throws Exception {
                    Depot.Box box = new Depot.Box(null);
                    Depot.Box[] boxes = {box, null};
                    Depot depot = new Depot(boxes);

                    assertSame(depot.box(0), box);
                }
        "#]],
    );
    let options = JunitOptions {
        version: JunitVersion::Four,
        ..JunitOptions::default()
    };
    let output = write_junit(&many(), &options).unwrap();
    assert_eq!((output.methods.len(), output.rows.len()), (15, 0));
    assert!(!output.files[0].contents.contains("@Nested"));
}

#[test]
fn assertions_of_assertj() {
    check_by(
        &many(),
        JunitVersion::Five,
        AssertionLibrary::AssertJ,
        &expect![[r#"
            package shelf;

            import static org.assertj.core.api.Assertions.assertThat;
            import static org.assertj.core.api.Assertions.assertThatObject;
            import static org.assertj.core.api.Assertions.assertThatThrownBy;
            import static org.junit.jupiter.api.Assertions.assertAll;

            import java.io.IOException;
            import java.lang.reflect.Field;
            import java.util.NoSuchElementException;
            import java.util.stream.Stream;
            import org.junit.jupiter.api.AfterEach;
            import org.junit.jupiter.api.BeforeEach;
            import org.junit.jupiter.api.DisplayName;
            import org.junit.jupiter.api.Nested;
            import org.junit.jupiter.api.Test;
            import org.junit.jupiter.params.ParameterizedTest;
            import org.junit.jupiter.params.provider.Arguments;
            import org.junit.jupiter.params.provider.CsvSource;
            import org.junit.jupiter.params.provider.MethodSource;

            /** Behaviour of shelf.Depot, written by Heapwright. */
            class DepotHeapwrightTest {
                @AfterEach
                void putBackStatics() throws Exception {
                    resetStatics();
                }

                @BeforeEach
                void resetStatics() throws Exception {
                    setDeclared(null, "shelf.Depot", "motto", "none");
                }

                @Nested
                @DisplayName("label(String, int)")
                class Label {
                    @ParameterizedTest(name = "label with {0} and {1} on a new depot returns {2}")
                    @CsvSource({
                        "a, 1, a1",
                        "'b, c', 2, 'b, c2'",
                        "'', -3, -3"
                    })
                    void label_onNewDepot_returnsExpected(String text, int number, String expected) {
                        Depot depot = new Depot();

                        assertThat(depot.label(text, number)).isEqualTo(expected);
                    }
                }

                @Nested
                @DisplayName("upTo(int)")
                class UpTo {
                    @ParameterizedTest(name = "upTo with {0} on a new depot returns {1}")
                    @MethodSource("rowsOfUpTo")
                    void upTo_onNewDepot_returnsExpected(int number, int[] expected) {
                        Depot depot = new Depot();

                        assertThat(depot.upTo(number)).containsExactly(expected);
                    }

                    static Stream<Arguments> rowsOfUpTo() {
                        return Stream.of(
                                Arguments.of(0, new int[] {}),
                                Arguments.of(2, new int[] {0, 1}),
                                Arguments.of(3, new int[] {0, 1, 2}));
                    }
                }

                @Nested
                @DisplayName("put(int)")
                class PutInt {
                    @Test
                    @DisplayName("put with 5 on a new depot returns true")
                    void put_onNewDepot_with5_returnsTrue() {
                        Depot depot = new Depot();

                        assertThat(depot.put(5)).isTrue();
                    }
                }

                @Nested
                @DisplayName("put(Object)")
                class PutObject {
                    @Test
                    @DisplayName("put with 500 on a new depot, then size is 1")
                    void put_onNewDepot_with500_sizeIs1() {
                        Depot depot = new Depot();
                        Integer key = 500;

                        depot.put((Object) key);

                        assertAll(
                                () -> assertThat(depot.size()).isEqualTo(1),
                                () -> assertThat(depot.has(key)).isTrue(),
                                () -> assertThat(depot.has(null)).isFalse(),
                                () -> assertThatObject(depot.note).isNull());
                    }
                }

                @Nested
                @DisplayName("total(int[])")
                class Total {
                    @ParameterizedTest(name = "total with [{0}, {1}] returns {2}")
                    @CsvSource({
                        "1, 2, 3",
                        "3, 4, 7",
                        "0, 0, 0"
                    })
                    void total_returnsExpected(int number0, int number1, int expected) {
                        assertThat(Depot.total(number0, number1)).isEqualTo(expected);
                    }
                }

                @Nested
                @DisplayName("take(Object)")
                class Take {
                    @Test
                    @DisplayName("take with 6 after put throws NoSuchElementException")
                    void take_afterPut_with6_throwsNoSuchElement() {
                        Depot depot = new Depot();
                        depot.put(5);

                        assertThatThrownBy(() -> depot.take(6)).isInstanceOf(NoSuchElementException.class);
                        assertThat(depot.size()).isEqualTo(1);
                    }
                }

                @Nested
                @DisplayName("clear()")
                class Clear {
                    @Test
                    @DisplayName("clear on a new depot, then size is 0")
                    void clear_onNewDepot_sizeIs0() {
                        Depot depot = new Depot();

                        depot.clear();

                        assertThat(depot.size()).isEqualTo(0);
                    }
                }

                @Nested
                @DisplayName("refuse(String)")
                class Refuse {
                    @Test
                    @DisplayName("refuse with \"room\" on a new depot throws IllegalArgumentException")
                    void refuse_onNewDepot_withStringRoom_throwsIllegalArgument() {
                        Depot depot = new Depot();

                        assertThatThrownBy(() -> depot.refuse("room"))
                                .isInstanceOf(IllegalArgumentException.class)
                                .hasMessage("no room")
                                .hasCauseExactlyInstanceOf(IOException.class);
                        assertThat(depot.size()).isEqualTo(0);
                    }
                }

                @Nested
                @DisplayName("box(int)")
                class BoxInt {
                    @Test
                    @SuppressWarnings({"rawtypes", "unchecked"})
                    @DisplayName("box with 0 on a new depot returns the box")
                    void box_onNewDepot_with0_returnsBox() throws Exception {
                        Depot.Box box = new Depot.Box(null);
                        Depot.Box[] boxes = {box, null};
                        Depot depot = new Depot(boxes);

                        assertThatObject(depot.box(0)).isSameAs(box);
                    }
                }
        "#]],
    );
}

/// Lines that assert an observation are known, wherever they stand.
#[test]
fn observations_have_their_lines() {
    for assertions in [AssertionLibrary::Framework, AssertionLibrary::AssertJ] {
        let options = JunitOptions {
            assertions,
            ..JunitOptions::default()
        };
        let suite = many();
        let output = write_junit(&suite, &options).unwrap();
        let lines: Vec<&str> = output.files[0].contents.lines().collect();
        for method in &output.methods {
            let TestOrigin::Script(number) = method.of else {
                panic!("{method:?}");
            };
            let after = &suite.scripts[number].after;
            assert_eq!(method.observations.len(), after.len(), "{method:?}");
            for (seen, place) in after.iter().zip(&method.observations) {
                let text = lines[place.start - 1..place.end - 1].join(" ");
                let wanted = match seen {
                    Observation::Call { call, .. } => format!(".{}(", call.method.name),
                    Observation::Field { access, .. } => format!(".{}", access.field.name),
                    Observation::Message {
                        text: Literal::String(text),
                    } => format!("\"{text}\""),
                    _ => "IOException".to_owned(),
                };
                assert!(text.contains(&wanted), "{wanted} is not in {text}");
            }
        }
        for rows in &output.rows {
            let method = lines[rows.lines.start - 1..rows.lines.end - 1].join("\n");
            assert!(
                method.contains(&format!("void {}(", rows.method)),
                "{method}"
            );
        }
        let rows: Vec<usize> = output.rows.iter().map(|rows| rows.of.len()).collect();
        assert_eq!(rows, [3, 3, 3]);
    }
}

#[test]
fn lines_and_names_have_a_limit() {
    for version in [JunitVersion::Five, JunitVersion::Four, JunitVersion::TestNg] {
        let options = JunitOptions {
            version,
            ..JunitOptions::default()
        };
        let long = "a text that is long enough to fill a line of a test with others like it";
        let long = of_depot(vec![label(&format!("{long}; {long}"), i32::MAX)]);
        for suite in [many(), all(), long] {
            let output = write_junit(&suite, &options).unwrap();
            for method in &output.methods {
                assert!(method.name.len() <= 60, "{}", method.name);
            }
            for line in output.files[0].contents.lines() {
                // A long literal is not broken.
                assert!(
                    line.len() <= 120 || line.contains("a text that is long"),
                    "{line}"
                );
            }
        }
    }
}

#[test]
fn what_no_test_can_do_is_skipped() {
    let after = |action: Action| {
        let size = call(on(0, "size()I", vec![]));
        script(
            vec![new_depot(), unnamed(action), size],
            returns(Value::Int(0)),
        )
    };
    let load = |access: FieldAccess| Action::LoadField {
        access,
        made: int(),
    };
    let string = named("java.lang.String", "java.lang.String");
    let constant = Action::StoreField {
        access: at(None, &depot(), "package final I LIMIT"),
        value: int_value(1),
    };
    let scripts = vec![
        after(constant),
        after(load(at(None, &string, "private I hash"))),
        exception(),
        after(Action::Literal {
            value: Literal::String("a".repeat(70_000)),
            made: Arc::clone(&string),
        }),
    ];
    let output = write_junit(&of_depot(scripts), &JunitOptions::default()).unwrap();
    let skipped = output.skipped.iter();
    let skipped: Vec<_> = skipped
        .map(|case| (case.case, case.reason.as_str()))
        .collect();
    assert_eq!(
        skipped,
        [
            (0, "shelf.Depot.LIMIT is static and final and cannot be set"),
            (
                1,
                "fields of java.lang.String belong to the JDK and cannot be used from outside"
            ),
            (3, "it is too long for a method"),
        ]
    );
    assert_eq!(output.tests(), 1);
}

#[test]
fn scripts_are_cut_into_classes() {
    let options = JunitOptions {
        max_methods_per_class: 2,
        ..JunitOptions::default()
    };
    let suite = of_depot(vec![exception(), exception(), exception()]);
    let output = write_junit(&suite, &options).unwrap();
    let tests = |at: usize| output.files[at].contents.matches("@Test").count();
    assert_eq!((output.files.len(), tests(0), tests(1)), (2, 2, 1));
    let third = "void take_afterPut_with6_throwsNoSuchElement_with1Element()";
    assert!(output.files[1].contents.contains(third));
}

/// Method of a stub without parameters.
fn stubbed(
    name: &str,
    returns: Option<&Arc<ClassSig>>,
    outcomes: Vec<StubOutcome>,
) -> AnonymousMethod {
    let types = match returns {
        Some(class) if class.name == "int" => "()I",
        Some(class) if class.name == "boolean" => "()Z",
        Some(_) => "()Ljava/lang/Object;",
        None => "()V",
    };
    AnonymousMethod {
        method: sig("shelf.Link", &format!("{name}{types}")),
        access: Access::Public,
        parameters: Vec::new(),
        is_variadic: false,
        returns: returns.cloned(),
        returned_contents: Vec::new(),
        outcomes,
        is_unasked: false,
        asked_with: Vec::new(),
    }
}

fn running() -> StubOutcome {
    StubOutcome::Runs {
        parameter: 0,
        method: "run".to_owned(),
    }
}

fn throwing(class: &str) -> StubOutcome {
    StubOutcome::Throws {
        class: named(class, class),
        arguments: match class.ends_with("Message") {
            true => vec![Literal::String(String::new())],
            false => Vec::new(),
        },
    }
}

/// Test with a stub that has these methods.
fn with_stub(methods: Vec<AnonymousMethod>, is_functional: bool) -> (String, String) {
    with_body(AnonymousBody {
        methods,
        is_functional,
        ..AnonymousBody::default()
    })
}

/// Lines of a test that make a stub, and the printed test.
fn with_body(body: AnonymousBody) -> (String, String) {
    let link = named("shelf.Link", "shelf.Link");
    let stub = Step {
        body: Some(body),
        ..new(&link, "()V", vec![])
    };
    let script = script(
        vec![
            new_depot(),
            call(stub),
            call(on(0, "has(Ljava/lang/Object;)Z", vec![Input::Object(1)])),
        ],
        returns(Value::Boolean(true)),
    );
    let printed = script.to_string();
    let output = write_junit(&of_depot(vec![script]), &JunitOptions::default()).unwrap();
    let lines = output.files[0].contents.lines();
    let lines = lines.skip_while(|line| !line.contains("Link link"));
    let lines: Vec<&str> = lines.collect();
    let end = lines.iter().position(|line| line.contains("assertTrue"));
    let lines = lines[..end.unwrap()].iter();
    let lines = lines.map(|line| line.strip_prefix("        ").unwrap_or(line));
    (lines.collect::<Vec<_>>().join("\n"), printed)
}

#[test]
fn methods_count_calls_with_different_outcomes() {
    let answer = |number| StubOutcome::Value(int_value(number));
    let truth = |value| StubOutcome::Value(Input::Literal(of(Value::Boolean(value))));
    let int = int();
    let boolean = named("boolean", "boolean");
    let object = named("java.lang.Object", "java.lang.Object");
    let (source, printed) = with_stub(
        vec![
            stubbed("count", Some(&int), vec![answer(1), answer(2), answer(3)]),
            stubbed(
                "isLast",
                Some(&boolean),
                vec![truth(false), truth(false), truth(true)],
            ),
            stubbed("hasNext", Some(&boolean), vec![truth(true), truth(false)]),
            stubbed(
                "depot",
                Some(&object),
                vec![
                    StubOutcome::Value(Input::Object(0)),
                    StubOutcome::Value(NULL),
                ],
            ),
            stubbed(
                "close",
                None,
                vec![StubOutcome::Nothing, throwing("java.io.IOException")],
            ),
            stubbed(
                "open",
                None,
                vec![
                    throwing("java.lang.IllegalStateException"),
                    StubOutcome::Nothing,
                ],
            ),
            stubbed(
                "read",
                Some(&int),
                vec![answer(1), throwing("shelf.Message"), answer(2)],
            ),
        ],
        false,
    );
    expect![[r#"
        Link link = new Link() {
            private int countCalls;
            private int isLastCalls;
            private int hasNextCalls;
            private int depotCalls;
            private int closeCalls;
            private int openCalls;
            private int readCalls;

            @Override
            public int count() {
                switch (countCalls++) {
                    case 0:
                        return 1;
                    case 1:
                        return 2;
                    default:
                        return 3;
                }
            }

            @Override
            public boolean isLast() {
                return isLastCalls++ >= 2;
            }

            @Override
            public boolean hasNext() {
                return hasNextCalls++ < 1;
            }

            @Override
            public Object depot() {
                return depotCalls++ < 1 ? depot : null;
            }

            @Override
            public void close() throws IOException {
                if (closeCalls++ < 1) {
                    return;
                }
                throw new IOException();
            }

            @Override
            public void open() {
                if (openCalls++ < 1) {
                    throw new IllegalStateException();
                }
            }

            @Override
            public int read() throws Message {
                switch (readCalls++) {
                    case 0:
                        return 1;
                    case 1:
                        throw new Message("");
                    default:
                        return 2;
                }
            }
        };
    "#]]
    .assert_eq(&source);
    expect!["depot = new Depot(); link = new Link() {count -> 1 then 2 then 3, isLast -> false then false then true, hasNext -> true then false, depot -> depot then null, close -> {} then throw IOException, open -> throw IllegalStateException then {}, read -> 1 then throw Message then 2}; depot.has(link)"].assert_eq(&printed);
}

#[test]
fn lambdas_have_one_outcome() {
    let object = named("java.lang.Object", "java.lang.Object");
    let lambda = |outcomes| {
        let method = stubbed("of", Some(&object), outcomes);
        let method = AnonymousMethod {
            parameters: vec![Arc::clone(&object)],
            ..method
        };
        let (source, printed) = with_stub(vec![method], true);
        (
            source.trim().to_owned(),
            printed.split("; ").nth(1).unwrap().to_owned(),
        )
    };
    let written = |source: &str, printed: &str| (source.to_owned(), printed.to_owned());
    assert_eq!(
        lambda(vec![StubOutcome::Parameter(0)]),
        written("Link link = x -> x;", "link = x -> x")
    );
    assert_eq!(
        lambda(vec![StubOutcome::Value(Input::Object(0))]),
        written("Link link = x -> depot;", "link = x -> depot")
    );
    assert_eq!(
        lambda(vec![running()]),
        written("Link link = x -> x.run();", "link = x -> x.run()")
    );
    assert_eq!(
        lambda(vec![throwing("java.lang.IllegalStateException")]),
        written(
            "Link link = x -> { throw new IllegalStateException(); };",
            "link = x -> throw IllegalStateException"
        )
    );
    let thrown = StubOutcome::Throws {
        class: named("shelf.Message", "shelf.Message"),
        arguments: vec![Literal::String(String::new()), of(Value::Int(0))],
    };
    assert_eq!(
        lambda(vec![thrown]).0,
        "Link link = x -> { throw new Message(\"\", 0); };"
    );
}

#[test]
fn mocks_stub_what_differs_from_their_default() {
    let answer = |number| StubOutcome::Value(int_value(number));
    let truth = |value| StubOutcome::Value(Input::Literal(of(Value::Boolean(value))));
    let int = int();
    let boolean = named("boolean", "boolean");
    let object = named("java.lang.Object", "java.lang.Object");
    let taking = |name: &str, types: &str, outcomes| AnonymousMethod {
        method: sig("shelf.Link", &format!("{name}{types}")),
        ..stubbed(name, Some(&object), outcomes)
    };
    let methods = vec![
        stubbed("zero", Some(&int), vec![answer(0)]),
        stubbed("isOff", Some(&boolean), vec![truth(false)]),
        stubbed("nothing", Some(&object), vec![StubOutcome::Value(NULL)]),
        stubbed("run", None, vec![StubOutcome::Nothing]),
        stubbed("count", Some(&int), vec![answer(1), answer(2), answer(3)]),
        stubbed(
            "depot",
            Some(&object),
            vec![
                StubOutcome::Value(Input::Object(0)),
                StubOutcome::Value(NULL),
            ],
        ),
        stubbed(
            "close",
            None,
            vec![StubOutcome::Nothing, throwing("java.io.IOException")],
        ),
        stubbed(
            "open",
            None,
            vec![
                throwing("java.lang.IllegalStateException"),
                StubOutcome::Nothing,
            ],
        ),
        stubbed(
            "read",
            Some(&int),
            vec![answer(1), answer(4), throwing("shelf.Message"), answer(2)],
        ),
        AnonymousMethod {
            parameters: vec![Arc::clone(&int), Arc::clone(&int), Arc::clone(&object)],
            ..taking(
                "same",
                "(IJLjava/lang/Object;)Ljava/lang/Object;",
                vec![StubOutcome::Parameter(2)],
            )
        },
        taking("list", "()Ljava/util/List;", vec![StubOutcome::Value(NULL)]),
        AnonymousMethod {
            method: sig("shelf.Link", "start(Ljava/lang/Runnable;)V"),
            parameters: vec![named("java.lang.Runnable", "java.lang.Runnable")],
            ..stubbed("start", None, vec![running()])
        },
    ];
    let (source, printed) = with_body(AnonymousBody {
        methods: methods.clone(),
        is_mock: true,
        ..AnonymousBody::default()
    });
    expect![[r#"
        Link link = mock(Link.class);
        when(link.count()).thenReturn(1, 2, 3);
        when(link.depot()).thenReturn(depot).thenReturn(null);
        doNothing().doThrow(new IOException()).when(link).close();
        doThrow(new IllegalStateException()).doNothing().when(link).open();
        when(link.read()).thenReturn(1, 4).thenThrow(new Message("")).thenReturn(2);
        when(link.same(anyInt(), anyLong(), any())).thenAnswer(returnsArgAt(2));
        when(link.list()).thenReturn(null);
        doAnswer(call -> { call.<Runnable>getArgument(0).run(); return null; }).when(link).start(any());
    "#]]
    .assert_eq(&source);
    // The printed test does not depend on the form of stubs.
    let plain = AnonymousBody {
        methods,
        ..AnonymousBody::default()
    };
    assert_eq!(printed, with_body(plain).1);
}

/// What a stub is told is kept in lists and counters, a mock is asked for it.
#[test]
fn calls_of_stubs_are_asserted() {
    let text = |text: &str| Literal::String(text.to_owned());
    let string = named("java.lang.String", "java.lang.String");
    let told = |name: &str, types: &str, parameters: Vec<Arc<ClassSig>>| AnonymousMethod {
        method: sig("shelf.Link", &format!("{name}{types}")),
        parameters,
        ..stubbed(name, None, vec![StubOutcome::Nothing])
    };
    let methods = vec![
        told(
            "send",
            "(Ljava/lang/String;I)V",
            vec![Arc::clone(&string), int()],
        ),
        told("print", "(Ljava/lang/String;)V", vec![string]),
        told("ping", "()V", Vec::new()),
    ];
    let seen = |place: usize, asserted: StubCalls| Observation::Calls {
        stub: 1,
        method: Arc::clone(&methods[place].method),
        asserted,
    };
    let sent = vec![text("a"), of(Value::Int(1))];
    let after = vec![
        seen(
            0,
            StubCalls::With {
                arguments: sent.clone(),
                times: 1,
                all: AllCalls(vec![sent]),
            },
        ),
        seen(1, StubCalls::Count(0)),
        seen(2, StubCalls::Count(2)),
    ];
    let source = |is_mock: bool, version: JunitVersion| {
        let body = AnonymousBody {
            methods: methods.clone(),
            is_mock,
            ..AnonymousBody::default()
        };
        let link = named("shelf.Link", "shelf.Link");
        let stub = Step {
            body: Some(body),
            ..new(&link, "()V", vec![])
        };
        let has = call(on(0, "has(Ljava/lang/Object;)Z", vec![Input::Object(1)]));
        let script = Script {
            after: after.clone(),
            ..script(
                vec![new_depot(), call(stub), has],
                returns(Value::Boolean(true)),
            )
        };
        let options = JunitOptions {
            version,
            ..JunitOptions::default()
        };
        let output = write_junit(&of_depot(vec![script]), &options).unwrap();
        output.files[0].contents.clone()
    };
    let plain = source(false, JunitVersion::Five);
    for line in [
        "List<List<Object>> sendCalls = new ArrayList<>();",
        "List<String> printCalls = new ArrayList<>();",
        "AtomicInteger pingCalls = new AtomicInteger();",
        "sendCalls.add(Arrays.asList(a, b));",
        "printCalls.add(a);",
        "pingCalls.incrementAndGet();",
        "assertEquals(List.of(List.of(\"a\", 1)), sendCalls);",
        "assertTrue(printCalls.isEmpty());",
        "assertEquals(2, pingCalls.get());",
    ] {
        assert!(plain.contains(line), "{line}: {plain}");
    }
    assert!(source(false, JunitVersion::TestNg).contains("assertEquals(pingCalls.get(), 2);"));
    let mocked = source(true, JunitVersion::Five);
    for line in [
        "Link link = mock(Link.class);",
        "verify(link).send(\"a\", 1);",
        "verify(link, never()).print(any());",
        "verify(link, times(2)).ping();",
    ] {
        assert!(mocked.contains(line), "{line}: {mocked}");
    }
}

#[test]
fn mocks_run_the_code_of_their_supertype() {
    let int = int();
    let method = || stubbed("count", Some(&int), vec![StubOutcome::Value(int_value(1))]);
    let line = |body: AnonymousBody| {
        let (source, _) = with_body(AnonymousBody {
            is_mock: true,
            ..body
        });
        source.lines().next().unwrap().to_owned()
    };
    assert_eq!(
        line(AnonymousBody {
            methods: vec![method()],
            has_code: true,
            ..AnonymousBody::default()
        }),
        "Link link = mock(Link.class, CALLS_REAL_METHODS);"
    );
    assert_eq!(
        line(AnonymousBody {
            methods: vec![method()],
            extends_class: true,
            has_code: true,
            ..AnonymousBody::default()
        }),
        "Link link = mock(Link.class, withSettings().useConstructor().defaultAnswer(CALLS_REAL_METHODS));"
    );
    // No matcher accepts any number of arguments.
    assert_eq!(
        line(AnonymousBody {
            methods: vec![AnonymousMethod {
                is_variadic: true,
                ..method()
            }],
            ..AnonymousBody::default()
        }),
        "Link link = new Link() {"
    );
}
