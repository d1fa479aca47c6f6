//! Handwritten suites over the fixtures in `tests/java`, one function each.

use std::sync::Arc;

use heapwright_suite::{
    Access, Body, CallOutcome, Case, ClassSig, Literal, MethodSig, Object, Suite, Value,
};

use crate::model::{
    array, boxed, call, case, field, generic, hidden, method, named, object, of, record, returns,
    string, suite, throws,
};

const TREE: &str = "shelf.SearchTree";
const TREE_NODE: &str = "shelf.SearchTree$Node";

/// Search tree of values in level order.
pub fn search_tree_input(values: &[i32]) -> Vec<Object> {
    let mut children = vec![(Value::Null, Value::Null); values.len()];
    for (index, value) in values.iter().enumerate().skip(1) {
        let mut at = 0;
        loop {
            let side = if *value < values[at] {
                &mut children[at].0
            } else {
                &mut children[at].1
            };
            match *side {
                Value::Ref(next) => at = next - 1,
                _ => {
                    *side = Value::Ref(index + 1);
                    break;
                }
            }
        }
    }
    let root = if values.is_empty() {
        Value::Null
    } else {
        Value::Ref(1)
    };
    let size = i32::try_from(values.len()).unwrap();
    let mut objects = vec![object(
        &named(TREE, TREE),
        Body::Fields(vec![
            field(TREE, "private Lshelf/SearchTree$Node; root", root),
            field(TREE, "private I size", Value::Int(size)),
        ]),
    )];
    let node = hidden(TREE_NODE);
    for ((left, right), value) in children.into_iter().zip(values) {
        objects.push(object(
            &node,
            Body::Fields(vec![
                field(TREE_NODE, "package Lshelf/SearchTree$Node; left", left),
                field(TREE_NODE, "package Lshelf/SearchTree$Node; right", right),
                field(TREE_NODE, "package final I value", Value::Int(*value)),
            ]),
        ));
    }
    objects
}

fn search_tree_case(values: &[i32]) -> Case {
    let insert = |value: i32, result: bool| {
        call(
            method("shelf.SearchTree#insert(I)Z"),
            vec![of(Value::Int(value))],
            returns(Value::Boolean(result)),
        )
    };
    let mut calls = vec![insert(2, !values.contains(&2)), insert(-7, true)];
    calls.push(call(
        method("shelf.SearchTree#min()I"),
        vec![],
        match values.iter().min() {
            Some(min) => returns(Value::Int(*min)),
            None => throws("java.lang.IllegalStateException"),
        },
    ));
    calls.push(call(
        method("shelf.SearchTree#max()I"),
        vec![],
        match values.iter().max() {
            Some(max) => returns(Value::Int(*max)),
            None => CallOutcome::Threw {
                class: hidden("shelf.SearchTree$Empty"),
                refuses: false,
            },
        },
    ));
    let mut clear = call(
        method("shelf.SearchTree#clear()V"),
        vec![],
        CallOutcome::ReturnedVoid,
    );
    clear.invariant_holds_after = values.is_empty();
    calls.push(clear);
    case(search_tree_input(values), calls)
}

/// Constructors, of the class under test and of an inaccessible one.
pub fn constructors() -> Suite {
    let construct = |text: &str, args: Vec<Literal>| {
        let (class, types) = text.split_once('(').unwrap();
        let sig = MethodSig {
            is_static: true,
            ..method(&format!("{class}#<init>({types}"))
        };
        let call = call(sig, args, CallOutcome::ReturnedVoid);
        case(Vec::new(), vec![call])
    };
    let cases = vec![
        construct("shelf.SearchTree()V", vec![]),
        construct("shelf.SearchTree$Node(I)V", vec![of(Value::Int(3))]),
    ];
    suite(&named(TREE, TREE), Some(("repOk", Access::Public)), cases)
}

/// Private nodes with final fields, a private exception, a violated invariant.
pub fn search_tree() -> Suite {
    let mut cases: Vec<Case> = [[].as_slice(), &[1], &[2, 1, 3], &[3, 1, 2]]
        .map(search_tree_case)
        .into();
    cases.push(case(search_tree_input(&[5]), vec![]));
    suite(&named(TREE, TREE), Some(("repOk", Access::Public)), cases)
}

/// More structures than a source file should contain.
pub fn many_search_trees() -> Suite {
    let cases = (0..60)
        .map(|number| search_tree_case(&[number, 2 * number + 1]))
        .collect();
    suite(&named(TREE, TREE), Some(("repOk", Access::Public)), cases)
}

const RING: &str = "shelf.Ring";
const RING_NODE: &str = "shelf.Ring$Node";

/// Ring of these objects: the list, its header, nodes, then the items.
fn ring_input(items: Vec<Object>) -> Vec<Object> {
    let count = items.len();
    let node = generic(RING_NODE, "shelf.Ring.Node");
    let mut objects = vec![object(
        &generic(RING, RING),
        Body::Fields(vec![
            field(RING, "package Lshelf/Ring$Node; header", Value::Ref(1)),
            field(
                RING,
                "package I size",
                Value::Int(i32::try_from(count).unwrap()),
            ),
        ]),
    )];
    for index in 0..=count {
        let item = if index == 0 {
            Value::Null
        } else {
            Value::Ref(1 + count + index)
        };
        let next = Value::Ref(1 + (index + 1) % (count + 1));
        let previous = Value::Ref(1 + (index + count) % (count + 1));
        objects.push(object(
            &node,
            Body::Fields(vec![
                field(RING_NODE, "package Ljava/lang/Object; item", item),
                field(RING_NODE, "package Lshelf/Ring$Node; next", next),
                field(RING_NODE, "package Lshelf/Ring$Node; previous", previous),
            ]),
        ));
    }
    objects.extend(items);
    objects
}

/// Generic classes, cycles, overloads, varargs, checked exceptions, a private invariant.
pub fn ring() -> Suite {
    let overloaded = |text: &str| MethodSig {
        is_overloaded: true,
        ..method(text)
    };
    let remove_item = || overloaded("shelf.Ring#remove(Ljava/lang/Object;)Z");
    let remove_index = || overloaded("shelf.Ring#remove(I)Z");
    let add_all = || MethodSig {
        exceptions: vec!["java.io.IOException".to_owned()],
        ..method("shelf.Ring#addAll([Ljava/lang/Object;)I")
    };
    let first = || method("shelf.Ring#first()Ljava/lang/Object;");
    let truth = |truth: bool| returns(Value::Boolean(truth));
    let empty = case(
        ring_input(vec![]),
        vec![
            call(first(), vec![], throws("java.util.NoSuchElementException")),
            call(
                remove_index(),
                vec![of(Value::Int(0))],
                throws("java.lang.IndexOutOfBoundsException"),
            ),
            call(
                remove_item(),
                vec![Literal::Boxed(Value::Int(0))],
                truth(false),
            ),
            call(remove_item(), vec![of(Value::Null)], truth(false)),
            call(
                add_all(),
                vec![of(Value::Null)],
                throws("java.io.IOException"),
            ),
            call(
                method("shelf.Ring#add(Ljava/lang/Object;)V"),
                vec![of(Value::Null)],
                CallOutcome::ReturnedVoid,
            ),
            call(
                method("shelf.Ring#add(Ljava/lang/Object;)V"),
                vec![Literal::String("a \"b\"\n\u{e9}".to_owned())],
                CallOutcome::ReturnedVoid,
            ),
            call(
                method("shelf.Ring#self()Lshelf/Ring;"),
                vec![],
                returns(Value::Ref(0)),
            ),
            call(
                method("shelf.Ring#header()Lshelf/Ring$Node;"),
                vec![],
                returns(Value::Ref(1)),
            ),
            call(
                method("shelf.Ring#isHeader(Lshelf/Ring$Node;)Z"),
                vec![of(Value::Ref(1))],
                truth(true),
            ),
            call(
                method("shelf.Ring#show()Ljava/lang/StringBuilder;"),
                vec![],
                CallOutcome::ReturnedObject {
                    class: Some("java.lang.StringBuilder".to_owned()),
                },
            ),
            call(
                method("shelf.Ring#show()Ljava/lang/StringBuilder;"),
                vec![],
                CallOutcome::ReturnedObject { class: None },
            ),
            call(
                MethodSig {
                    is_static: true,
                    ..method("shelf.Ring#twice(I)J")
                },
                vec![of(Value::Int(i32::MIN))],
                returns(Value::Long(-4_294_967_296)),
            ),
        ],
    );
    let mut of_integers = ring_input(vec![boxed(Value::Int(7)), boxed(Value::Int(1000))]);
    // The same object twice, and the list in itself.
    of_integers.push(array(
        "[Ljava.lang.Object;",
        vec![Value::Ref(5), Value::Null, Value::Ref(0)],
    ));
    let integers = case(
        of_integers,
        vec![
            call(
                first(),
                vec![],
                CallOutcome::Returned(Literal::Boxed(Value::Int(7))),
            ),
            call(
                remove_item(),
                vec![Literal::Boxed(Value::Int(1000))],
                truth(true),
            ),
            call(remove_item(), vec![of(Value::Ref(5))], truth(true)),
            call(remove_index(), vec![of(Value::Int(1))], truth(false)),
            call(add_all(), vec![of(Value::Ref(6))], returns(Value::Int(5))),
        ],
    );
    let strings = case(
        ring_input(vec![
            string("a b;|\\ 'c"),
            string(""),
            string("\u{1f600}\0"),
        ]),
        vec![
            call(
                first(),
                vec![],
                CallOutcome::Returned(Literal::String("a b;|\\ 'c".to_owned())),
            ),
            call(
                remove_item(),
                vec![Literal::String("\u{1f600}\0".to_owned())],
                truth(true),
            ),
        ],
    );
    suite(
        &generic(RING, RING),
        Some(("isRing", Access::Private)),
        vec![empty, integers, strings],
    )
}

/// An array, the default package, a protected invariant.
pub fn heap_array() -> Suite {
    let class = named("HeapArray", "HeapArray");
    let heap = |size: i32, elements: Option<Vec<i32>>, calls| {
        let reference = if elements.is_some() {
            Value::Ref(1)
        } else {
            Value::Null
        };
        let mut objects = vec![object(
            &class,
            Body::Fields(vec![
                field("HeapArray", "package [I array", reference),
                field("HeapArray", "package I size", Value::Int(size)),
            ]),
        )];
        objects.extend(
            elements.map(|elements| array("[I", elements.into_iter().map(Value::Int).collect())),
        );
        case(objects, calls)
    };
    let top = |outcome| call(method("HeapArray#top()I"), vec![], outcome);
    let elements = |outcome| call(method("HeapArray#elements()[I"), vec![], outcome);
    suite(
        &class,
        Some(("repOk", Access::Protected)),
        vec![
            heap(
                0,
                Some(vec![]),
                vec![top(throws("java.lang.ArrayIndexOutOfBoundsException"))],
            ),
            heap(
                3,
                Some(vec![9, 5, i32::MIN]),
                vec![
                    top(returns(Value::Int(9))),
                    elements(returns(Value::Ref(1))),
                ],
            ),
            heap(
                40,
                Some((0..40).map(|n| 1_000_000 - n).collect()),
                vec![top(returns(Value::Int(1_000_000)))],
            ),
        ],
    )
}

/// An array that is too long for a method.
pub fn huge_heap_array() -> Suite {
    let mut huge = heap_array();
    if let Body::Array(elements) = &mut huge.cases[2].input.objects[1].body {
        elements.extend((0..20_000).map(|_| Value::Int(3)));
    }
    huge
}

const INT: &str = "shelf.Int";

/// Every type of field, literal and array, and colliding names.
pub fn everything() -> Suite {
    let int = Arc::new(ClassSig {
        source_name: Some(INT.to_owned()),
        ..ClassSig::hidden(INT)
    });
    let colour = named("shelf.Int$Colour", "shelf.Int.Colour");
    let secret_colour = hidden("shelf.Int$Hidden");
    let point = record("shelf.Int$Point", Some("shelf.Int.Point"), true);
    let secret = record("shelf.Int$Secret", None, false);
    let own_method = named("shelf.Int$Method", "shelf.Int.Method");
    let cell = hidden("shelf.Int$Cell");
    let inner = Arc::new(ClassSig {
        source_name: Some("shelf.Int.Inner".to_owned()),
        ..ClassSig::hidden("shelf.Int$Inner")
    });
    let package = |text: &str, value: Value| field(INT, &format!("package {text}"), value);
    let private = |text: &str, value: Value| field(INT, &format!("private {text}"), value);
    let fields = vec![
        field(
            "shelf.Base",
            "protected Ljava/lang/Object; next",
            Value::Ref(0),
        ),
        field("shelf.Base", "private C letter", Value::Char(0x27)),
        package("Z truth", Value::Boolean(true)),
        package("B small", Value::Byte(-128)),
        package("S medium", Value::Short(-3)),
        package("C letter", Value::Char(0xd800)),
        package("I number", Value::Int(i32::MIN)),
        package("J large", Value::Long(i64::MAX)),
        package("F single", Value::Float(f32::NAN)),
        package("D real", Value::Double(-0.0)),
        package("Ljava/lang/Object; next", Value::Ref(1)),
        package("Ljava/lang/String; text", Value::Ref(1)),
        package("Ljava/lang/Integer; box", Value::Ref(2)),
        package("Ljava/lang/Comparable; comparable", Value::Ref(3)),
        package("Lshelf/Int$Colour; colour", Value::Ref(4)),
        private("Lshelf/Int$Hidden; hidden", Value::Ref(5)),
        package("Lshelf/Int$Point; point", Value::Ref(6)),
        private("Lshelf/Int$Secret; secret", Value::Ref(7)),
        package("Lshelf/Int$Method; method", Value::Ref(8)),
        private("Lshelf/Int$Cell; cell", Value::Ref(9)),
        package("[[I grid", Value::Ref(10)),
        package("[Ljava/lang/String; words", Value::Ref(12)),
        package("[D reals", Value::Ref(13)),
        package("[C letters", Value::Ref(14)),
        package("[Z truths", Value::Ref(15)),
        package("[Ljava/lang/Object; objects", Value::Ref(16)),
        package("final Ljava/lang/Object; fixed", Value::Ref(17)),
        package("Lshelf/Int$Inner; inner", Value::Ref(18)),
        package("I gr\u{f6}\u{df}e", Value::Int(5)),
    ];
    let objects = vec![
        object(&int, Body::Fields(fields)),
        string("tab\tquote\"\u{2028}"),
        boxed(Value::Int(123_456)),
        boxed(Value::Double(0.1)),
        object(&colour, Body::EnumConstant("GREEN".to_owned())),
        object(&secret_colour, Body::EnumConstant("TWO".to_owned())),
        object(
            &point,
            Body::Fields(vec![
                field("shelf.Int$Point", "private final I x", Value::Int(-1)),
                field(
                    "shelf.Int$Point",
                    "private final Lshelf/Int; owner",
                    Value::Ref(0),
                ),
                field(
                    "shelf.Int$Point",
                    "private final Ljava/lang/String; name",
                    Value::Null,
                ),
            ]),
        ),
        object(
            &secret,
            Body::Fields(vec![field(
                "shelf.Int$Secret",
                "private final Ljava/lang/Object; inner",
                Value::Ref(6),
            )]),
        ),
        object(
            &own_method,
            Body::Fields(vec![field(
                "shelf.Int$Method",
                "package I $",
                Value::Int(11),
            )]),
        ),
        object(
            &cell,
            Body::Fields(vec![
                field(
                    "shelf.Int$Cell",
                    "package [Ljava/lang/Object; content",
                    Value::Ref(16),
                ),
                field(
                    "shelf.Int$Cell",
                    "package [Lshelf/Int$Cell; cells",
                    Value::Ref(19),
                ),
            ]),
        ),
        array("[[I", vec![Value::Null, Value::Ref(11)]),
        array("[I", vec![Value::Int(1), Value::Int(2)]),
        array(
            "[Ljava.lang.String;",
            vec![Value::Null, Value::Ref(1), Value::Ref(20)],
        ),
        array(
            "[D",
            vec![
                Value::Double(f64::INFINITY),
                Value::Double(f64::NAN),
                Value::Double(5e-324),
            ],
        ),
        array(
            "[C",
            vec![Value::Char(10), Value::Char(0x5c), Value::Char(32)],
        ),
        array("[Z", vec![Value::Boolean(true), Value::Boolean(false)]),
        array(
            "[Ljava.lang.Object;",
            vec![Value::Ref(10), Value::Ref(9), Value::Ref(21)],
        ),
        object(
            &named("java.lang.Object", "java.lang.Object"),
            Body::Fields(vec![]),
        ),
        object(
            &inner,
            Body::Fields(vec![field(
                "shelf.Int$Inner",
                "package final Lshelf/Int; this$0",
                Value::Ref(0),
            )]),
        ),
        array("[Lshelf.Int$Cell;", vec![Value::Ref(9), Value::Null]),
        string("tab\tquote\"\u{2028}"),
        boxed(Value::Char(0xe9)),
    ];
    let get = |text: &str, outcome| call(method(&format!("shelf.Int#{text}")), vec![], outcome);
    let at = |text: &str, index: i32, outcome| {
        call(
            method(&format!("shelf.Int#{text}")),
            vec![of(Value::Int(index))],
            outcome,
        )
    };
    let private_static = |text: &str, is_accessible| MethodSig {
        is_static: true,
        is_accessible,
        ..method(text)
    };
    let text = || Literal::String("tab\tquote\"\u{2028}".to_owned());
    let red = Literal::EnumConstant {
        class: colour.clone(),
        name: "RED".to_owned(),
    };
    let green = Literal::EnumConstant {
        class: colour,
        name: "GREEN".to_owned(),
    };
    let one = Literal::EnumConstant {
        class: secret_colour,
        name: "ONE".to_owned(),
    };
    let calls = vec![
        get("truth()Z", returns(Value::Boolean(true))),
        get("small()B", returns(Value::Byte(-128))),
        get("medium()S", returns(Value::Short(-3))),
        get("character()C", returns(Value::Char(0xd800))),
        get("number()I", returns(Value::Int(i32::MIN))),
        get("large()J", returns(Value::Long(i64::MAX))),
        get("single()F", returns(Value::Float(f32::NAN))),
        get("real()D", returns(Value::Double(-0.0))),
        get("text()Ljava/lang/String;", CallOutcome::Returned(text())),
        get("text()Ljava/lang/String;", returns(Value::Ref(1))),
        get(
            "box()Ljava/lang/Integer;",
            CallOutcome::Returned(Literal::Boxed(Value::Int(123_456))),
        ),
        get(
            "comparable()Ljava/lang/Comparable;",
            CallOutcome::Returned(Literal::Boxed(Value::Double(0.1))),
        ),
        get(
            "colour()Lshelf/Int$Colour;",
            CallOutcome::Returned(green.clone()),
        ),
        get(
            "hidden()Ljava/lang/String;",
            CallOutcome::Returned(Literal::String("TWO".to_owned())),
        ),
        get("x()I", returns(Value::Int(-1))),
        get("isOwner()Z", returns(Value::Boolean(true))),
        get(
            "secret()Ljava/lang/Object;",
            CallOutcome::ReturnedObject {
                class: Some("shelf.Int$Secret".to_owned()),
            },
        ),
        get("dollar()I", returns(Value::Int(11))),
        get("next()Ljava/lang/Object;", returns(Value::Ref(1))),
        get("fixed()Ljava/lang/Object;", returns(Value::Ref(17))),
        get("gr\u{f6}\u{df}e()I", returns(Value::Int(5))),
        get("isSelf()Z", returns(Value::Boolean(true))),
        get("legacy()Z", returns(Value::Boolean(true))),
        get("overflow()V", throws("java.lang.StackOverflowError")),
        call(
            MethodSig {
                exceptions: vec!["java.lang.Exception".to_owned()],
                ..method("shelf.Int#fail()V")
            },
            vec![],
            throws("java.lang.Exception"),
        ),
        call(
            method("shelf.Base#letter()C"),
            vec![],
            returns(Value::Char(0x27)),
        ),
        call(
            method("shelf.Base#baseNext()Ljava/lang/Object;"),
            vec![],
            returns(Value::Ref(0)),
        ),
        call(
            method("shelf.Int#isOwn(Lshelf/Int$Inner;)Z"),
            vec![of(Value::Ref(18))],
            returns(Value::Boolean(true)),
        ),
        at("word(I)Ljava/lang/String;", 0, returns(Value::Null)),
        at(
            "word(I)Ljava/lang/String;",
            1,
            CallOutcome::Returned(text()),
        ),
        at(
            "word(I)Ljava/lang/String;",
            3,
            throws("java.lang.ArrayIndexOutOfBoundsException"),
        ),
        at("real(I)D", 0, returns(Value::Double(f64::INFINITY))),
        at("real(I)D", 1, returns(Value::Double(f64::NAN))),
        at("real(I)D", 2, returns(Value::Double(5e-324))),
        at("letter(I)C", 0, returns(Value::Char(10))),
        at("letter(I)C", 1, returns(Value::Char(0x5c))),
        at("letter(I)C", 2, returns(Value::Char(32))),
        at("object(I)Ljava/lang/Object;", 0, returns(Value::Ref(10))),
        at(
            "object(I)Ljava/lang/Object;",
            2,
            CallOutcome::Returned(Literal::Boxed(Value::Char(0xe9))),
        ),
        call(
            method("shelf.Int#cell(II)I"),
            vec![of(Value::Int(1)), of(Value::Int(0))],
            returns(Value::Int(1)),
        ),
        call(
            method("shelf.Int#isSame(Ljava/lang/Object;Ljava/lang/Object;)Z"),
            vec![of(Value::Ref(9)), of(Value::Ref(9))],
            returns(Value::Boolean(true)),
        ),
        call(
            MethodSig {
                is_accessible: false,
                ..method(
                    "shelf.Int#describe(BSCFDLshelf/Int$Hidden;Ljava/lang/Object;)Ljava/lang/String;",
                )
            },
            vec![
                of(Value::Byte(1)),
                of(Value::Short(-2)),
                of(Value::Char(0x22)),
                of(Value::Float(1.5)),
                of(Value::Double(1e300)),
                one,
                Literal::Boxed(Value::Long(i64::MIN)),
            ],
            CallOutcome::Returned(Literal::String(
                "1 -2 \" 1.5 1.0E300 ONE -9223372036854775808".to_owned(),
            )),
        ),
        call(
            private_static("shelf.Int#weight(Lshelf/Int$Colour;)I", true),
            vec![green],
            returns(Value::Int(2)),
        ),
        call(
            private_static("shelf.Int#weight(Lshelf/Int$Colour;)I", true),
            vec![red],
            returns(Value::Int(1)),
        ),
        call(
            private_static("shelf.Int#weight(Lshelf/Int$Colour;)I", true),
            vec![of(Value::Null)],
            throws("java.lang.NullPointerException"),
        ),
        call(
            private_static("shelf.Int#count([Ljava/lang/Object;)I", false),
            vec![of(Value::Ref(16))],
            returns(Value::Int(3)),
        ),
    ];
    let mut everything = suite(&int, None, vec![case(objects, calls)]);
    everything.uses_deprecated = true;
    everything
}

/// Nested class under test.
pub fn nested() -> Suite {
    let colour = named("shelf.Int$Method", "shelf.Int.Method");
    let input = vec![object(
        &colour,
        Body::Fields(vec![field(
            "shelf.Int$Method",
            "package I $",
            Value::Int(11),
        )]),
    )];
    let equals = call(
        method("java.lang.Object#equals(Ljava/lang/Object;)Z"),
        vec![of(Value::Ref(0))],
        returns(Value::Boolean(true)),
    );
    suite(&colour, None, vec![case(input, vec![equals])])
}

/// Class under test with the name of one that the helpers import.
pub fn shadowing() -> Suite {
    let class = named("shelf.Field", "shelf.Field");
    let fields = |next, name| {
        Body::Fields(vec![
            field("shelf.Field", "private Lshelf/Field; next", next),
            field("shelf.Field", "private Ljava/lang/String; name", name),
        ])
    };
    let input = vec![
        object(&class, fields(Value::Ref(1), Value::Null)),
        object(&class, fields(Value::Null, Value::Ref(2))),
        string("x"),
    ];
    let name = call(
        method("shelf.Field#name()Ljava/lang/String;"),
        vec![],
        CallOutcome::Returned(Literal::String("x".to_owned())),
    );
    suite(&class, None, vec![case(input, vec![name])])
}

/// Inaccessible class under test.
pub fn unnamed() -> Suite {
    let class = hidden("shelf.Field$Lone");
    let input = vec![object(
        &class,
        Body::Fields(vec![field(
            "shelf.Field$Lone",
            "package I count",
            Value::Int(4),
        )]),
    )];
    let next = MethodSig {
        is_accessible: false,
        ..method("shelf.Field$Lone#next()I")
    };
    let calls = vec![
        call(next, vec![], returns(Value::Int(5))),
        call(
            method("java.lang.Object#equals(Ljava/lang/Object;)Z"),
            vec![of(Value::Null)],
            returns(Value::Boolean(false)),
        ),
    ];
    suite(
        &class,
        Some(("isCounted", Access::Private)),
        vec![case(input, calls)],
    )
}

/// Many texts and numbers, each stored and read again.
pub fn literals() -> Suite {
    let mut state = 1u64;
    let mut random = move || {
        // Knuth's MMIX generator.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state >> 11
    };
    let mut cases = Vec::new();
    for round in 0..120u32 {
        let bits = (random() << 40) ^ (random() << 13) ^ random();
        let [a, b, c, d, ..] = bits.to_le_bytes();
        let small = u32::from_le_bytes([a, b, c, d]);
        let item = match round % 6 {
            0 => boxed(Value::Double(f64::from_bits(bits))),
            1 => boxed(Value::Float(f32::from_bits(small))),
            2 => boxed(Value::Char(u16::from_le_bytes([a, b]))),
            3 => boxed(Value::Long(bits.cast_signed())),
            // All of ASCII, then some of each plane.
            4 => string(
                &(0..8)
                    .map(|at| char::from(((round / 6 * 8 + at) % 128) as u8))
                    .collect::<String>(),
            ),
            _ => string(
                &[bits % 0x800, bits % 0x1_0000, bits % 0x11_0000]
                    .into_iter()
                    .filter_map(|point| char::from_u32(u32::try_from(point).unwrap()))
                    .collect::<String>(),
            ),
        };
        let literal = match &item.body {
            Body::Boxed(value) => Literal::Boxed(*value),
            Body::String(text) => Literal::String(text.clone()),
            _ => continue,
        };
        let remove = method("shelf.Ring#remove(Ljava/lang/Object;)Z");
        let calls = vec![
            call(
                method("shelf.Ring#first()Ljava/lang/Object;"),
                vec![],
                CallOutcome::Returned(literal.clone()),
            ),
            call(
                MethodSig {
                    is_overloaded: true,
                    ..remove
                },
                vec![literal],
                returns(Value::Boolean(true)),
            ),
        ];
        cases.push(case(ring_input(vec![item]), calls));
    }
    suite(&generic(RING, RING), None, cases)
}

/// A text that is too long for a constant.
pub fn bulky() -> Suite {
    let long = "\u{e9}".repeat(40_000);
    let first = || method("shelf.Ring#first()Ljava/lang/Object;");
    let text = case(
        ring_input(vec![string(&long)]),
        vec![call(
            first(),
            vec![],
            CallOutcome::Returned(Literal::String(long)),
        )],
    );
    suite(&generic(RING, RING), None, vec![text])
}

/// Arrays of different numbers, which together need too many constants for a class.
pub fn many_constants() -> Suite {
    let mut suite = heap_array();
    let case = suite.cases.remove(2);
    suite.cases = (0..30)
        .map(|number| {
            let mut case = case.clone();
            if let Body::Array(elements) = &mut case.input.objects[1].body {
                let first = 2_000_000_000 - number * 2_500;
                *elements = (0..2_500).map(|at| Value::Int(first - at)).collect();
                case.calls[0].outcome = returns(Value::Int(first));
            }
            case
        })
        .collect();
    suite
}
