//! Tests that make requests to a controller in the place of calls.

use expect_test::{Expect, expect};
use heapwright_suite::exchange::{
    AttributeValue, Exchange, Expectation, JsonLibraries, KnownExchange, RequestPart,
};
use heapwright_suite::junit::{JunitOptions, write_junit};
use heapwright_suite::{CallOutcome, Input, Literal, Observation, Script, Suite, Value};

use crate::model::{named, of, suite, throws};
use crate::scripts::{call, int_value, new, new_depot, on, script};

/// Facts as a run notes them.
fn facts(lines: &[&[&str]]) -> Vec<Vec<String>> {
    let fact = |line: &&[&str]| line.iter().map(|&field| field.to_owned()).collect();
    lines.iter().map(fact).collect()
}

fn known(lines: &[&[&str]]) -> Option<KnownExchange> {
    let libraries = JsonLibraries {
        has_json_path: true,
        has_json_assert: false,
    };
    KnownExchange::of_facts(&facts(lines), libraries)
}

/// Test of a script with an exchange, without what stands around the methods.
fn check(script: Script, lines: &[&[&str]], expected: Expect) {
    let script = Script {
        exchange: known(lines).map(|known| Exchange::Known(Box::new(known))),
        ..script
    };
    let suite = Suite {
        scripts: vec![script],
        ..suite(&named("shelf.Depot", "shelf.Depot"), None, Vec::new())
    };
    let output = write_junit(&suite, &JunitOptions::default()).unwrap();
    let (_, class) = output.files[0].contents.split_once("Test {\n").unwrap();
    expected.assert_eq(class);
}

/// An object that the request says is not made; members of JSON stand in the order of the text.
#[test]
fn a_body_stands_for_an_object() {
    let a_box = named("shelf.Box", "shelf.Box");
    let text = Input::Literal(Literal::String("a".to_owned()));
    let statements = vec![
        new_depot(),
        call(new(&a_box, "(Ljava/lang/String;)V", vec![text])),
        call(on(0, "keep(Lshelf/Box;)V", vec![Input::Object(1)])),
    ];
    let script = Script {
        after: vec![Observation::Call {
            call: on(1, "size()I", vec![]),
            then: Vec::new(),
            value: of(Value::Int(0)),
        }],
        ..script(statements, CallOutcome::ReturnedVoid)
    };
    check(
        script,
        &[
            &["copy", "0", "true"],
            &["method", "POST"],
            &["template", "/boxes"],
            &["body", "application/json", "{\"content\":\"a\"}"],
            &["status", "201"],
            &["reply-header", "Location", "/boxes/7"],
            &[
                "json",
                "{\"key\":7,\"age\":null,\"big\":3000000000,\"tags\":[\"x\"]}",
            ],
            &["done"],
        ],
        expect![[r#"
                @Test
                @DisplayName("keep with a box on a new depot returns")
                void keep_onNewDepot_withBox_returns() throws Exception {
                    Depot depot = new Depot();
                    MockMvc mockMvc = MockMvcBuilders.standaloneSetup(depot).build();

                    mockMvc.perform(post("/boxes")
                                    .contentType(MediaType.APPLICATION_JSON)
                                    .content("{\"content\":\"a\"}"))
                            .andExpect(status().isCreated())
                            .andExpect(header().string("Location", "/boxes/7"))
                            .andExpect(jsonPath("$.key").value(7))
                            .andExpect(jsonPath("$.age").isEmpty())
                            .andExpect(jsonPath("$.big").value(3000000000L))
                            .andExpect(jsonPath("$.tags.length()").value(1))
                            .andExpect(jsonPath("$.tags[0]").value("x"));
                }
            }
        "#]],
    );
}

/// An exception of a handler is a status; texts of a path are quoted unless they are numbers.
#[test]
fn a_status_stands_for_an_exception() {
    let statements = vec![new_depot(), call(on(0, "put(I)Z", vec![int_value(7)]))];
    check(
        script(statements, throws("java.util.NoSuchElementException")),
        &[
            &["method", "PUT"],
            &["template", "/depots/{name}/{key}"],
            &["variable", "a 1"],
            &["variable", "7"],
            &["status", "422"],
            &["view", "depots/form"],
            &["attribute", "depot", "held", "0"],
            &["attribute", "other", "other", ""],
            &["flash", "all", "list", "constant", "1", "text", "a"],
            &["done"],
        ],
        expect![[r#"
                @Test
                @DisplayName("put with 7 on a new depot responds with 422")
                void put_onNewDepot_with7_isStatus422() throws Exception {
                    Depot depot = new Depot();
                    MockMvc mockMvc = MockMvcBuilders.standaloneSetup(depot).build();

                    mockMvc.perform(put("/depots/{name}/{key}", "a 1", 7))
                            .andExpect(status().is(422))
                            .andExpect(view().name("depots/form"))
                            .andExpect(model().attribute("depot", depot))
                            .andExpect(model().attributeExists("other"))
                            .andExpect(flash().attribute("all", List.of(1, "a")));
                }
            }
        "#]],
    );
}

/// Only what two runs agree on is expected, and nothing if the requests differ or one was not answered.
#[test]
fn two_runs_agree() {
    let run = |template: &str, number: &str| {
        let body = format!("{{\"id\":\"{number}\",\"name\":\"a\"}}");
        known(&[
            &["method", "GET"],
            &["template", template],
            &["status", "200"],
            &["view", "all"],
            &["attribute", "n", "constant", number],
            &["json", &body],
            &["done"],
        ])
        .unwrap()
    };
    let agreed = run("/a", "1").agreed(&run("/a", "2")).unwrap();
    assert_eq!(agreed.expected.len(), 2, "{agreed:?}");
    assert_eq!(run("/a", "1").agreed(&run("/b", "1")), None);
    assert_eq!(known(&[&["method", "GET"]]), None);
}

/// A body that has many elements, or that no library looks into, is expected as a whole.
#[test]
fn a_large_body_is_one_text() {
    let text = format!("[{}0]", "0,".repeat(20));
    let of = |has_json_path, has_json_assert| {
        let libraries = JsonLibraries {
            has_json_path,
            has_json_assert,
        };
        let lines: [&[&str]; 2] = [&["json", &text], &["done"]];
        KnownExchange::of_facts(&facts(&lines), libraries)
            .unwrap()
            .expected
    };
    assert_eq!(of(true, false), [Expectation::Text(text.clone())]);
    assert_eq!(of(false, true), [Expectation::Json(text.clone())]);
    let lines: [&[&str]; 4] = [
        &["param", "q", "a"],
        &["header", "h", "b"],
        &["flash", "f", "held", "x"],
        &["done"],
    ];
    let exchange = known(&lines).unwrap();
    assert_eq!(
        exchange.parts,
        [
            RequestPart::Parameter("q".to_owned(), "a".to_owned()),
            RequestPart::Header("h".to_owned(), "b".to_owned())
        ]
    );
    let Expectation::Attribute { value, .. } = &exchange.expected[0] else {
        panic!("{exchange:?}");
    };
    assert_eq!(*value, AttributeValue::Other);
}
