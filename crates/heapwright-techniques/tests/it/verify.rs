//! Verdicts on programs. Each counterexample is run on a real JVM, too, where it must end as told.

use std::fmt::Write as _;
use std::time::Duration;

use expect_test::{Expect, expect};
use heapwright_explore::symbolic::Limits;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_techniques::symbolic::{Contents, Crew, CutBy, InputValue};
use heapwright_techniques::verify::{
    self, AskedValue, CLASSES, Program, Property, Verdict, VerifyReport, VerifyRequest, Violation,
    Widening,
};
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::verified::{assert_throws, classes, replay, units};

/// Time for all searches of a request.
const TIME: Duration = Duration::from_secs(300);

fn request(class: &str, program: Program) -> VerifyRequest {
    VerifyRequest {
        class: class.to_owned(),
        program,
        opened: Vec::new(),
        property: Property::Assertions,
        first: verify::initial(),
        merges: None,
        is_bounded: false,
        widening: Widening {
            scope: true,
            loops: true,
            steps: true,
            room: true,
            values: true,
        },
        limits: Limits::default(),
        time: Some(TIME),
    }
}

fn main_of(class: &str, arguments: &[&str]) -> VerifyRequest {
    let words = arguments.iter().map(|&word| word.to_owned()).collect();
    request(&format!("verify.{class}"), Program::Main(words))
}

fn method_of(class: &str, method: &str) -> VerifyRequest {
    request(
        &format!("verify.{class}"),
        Program::Method(method.to_owned()),
    )
}

/// Sets the bound of strings and arrays, which is not widened then.
fn within_scope(mut request: VerifyRequest, scope: u32) -> VerifyRequest {
    let bounds = &mut request.first.bounds;
    (bounds.length, bounds.objects) = (scope, scope);
    request.widening.scope = false;
    request
}

fn with(property: Property, mut request: VerifyRequest) -> VerifyRequest {
    request.property = property;
    request
}

/// Runs a request on an engine of its own, as the state of the program begins there.
fn verified(request: &VerifyRequest) -> VerifyReport {
    let jdk = Jdk::at(&jdks()[0].home).unwrap();
    let mut config = Config::new(jdk, vec![classes()]);
    config.embedded = CLASSES;
    config.assertions = true;
    config.runs_threads = true;
    config.discards_output = true;
    let mut crew = Crew {
        jobs: 1,
        more: &|| None,
        stops: &|| false,
        watch: &mut |_| {},
    };
    let mut vm = Vm::new(config).unwrap();
    verify::verify(&mut vm, request, &mut crew, &mut |_| {}).unwrap()
}

fn violation(report: &VerifyReport) -> &Violation {
    match &report.verdict {
        Verdict::False(violation) => violation,
        other => panic!("{other:?} after {:?}", report.rounds),
    }
}

/// Value of an input, as the stand-in reads it.
fn played(violation: &Violation, asked: &AskedValue) -> String {
    match asked.value {
        InputValue::Primitive(Kind::Boolean, slot) => (slot & 1 == 1).to_string(),
        InputValue::Primitive(Kind::Char, slot) => (slot as u16).to_string(),
        InputValue::Primitive(Kind::Byte, slot) => (slot as i8).to_string(),
        InputValue::Primitive(Kind::Short, slot) => (slot as i16).to_string(),
        InputValue::Primitive(Kind::Int, slot) => (slot as i32).to_string(),
        InputValue::Primitive(Kind::Long, slot) => (slot as i64).to_string(),
        InputValue::Primitive(Kind::Float, slot) => in_java(f32::from_bits(slot as u32).into()),
        InputValue::Primitive(_, slot) => in_java(f64::from_bits(slot)),
        InputValue::Object(number) => match &violation.inputs.objects[number].contents {
            Contents::Text(text) => units(text.iter().copied()),
            other => panic!("{other:?}"),
        },
        _ => panic!("{asked:?}"),
    }
}

fn in_java(number: f64) -> String {
    match number.is_infinite() {
        true => format!("{}Infinity", if number < 0.0 { "-" } else { "" }),
        false => format!("{number:?}"),
    }
}

/// Standard error of a run of a main method with the inputs of a violation.
fn replayed(request: &VerifyRequest, violation: &Violation) -> String {
    let mut inputs = String::new();
    for asked in &violation.asked {
        let kind = match asked.kind {
            Kind::Reference => "java.lang.String",
            kind => kind.keyword(),
        };
        writeln!(inputs, "{kind} {}", played(violation, asked)).unwrap();
    }
    let Program::Main(words) = &request.program else {
        panic!("a main method");
    };
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let run = replay(&request.class, &words, &inputs);
    let err = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(1), "{err}");
    err
}

/// Checks that a program is refuted, and that it ends as told on a real JVM.
fn refutes(request: &VerifyRequest) -> VerifyReport {
    let report = verified(request);
    let violation = violation(&report);
    let mut expected = format!("Exception in thread \"main\" {}\n", violation.what);
    for place in &violation.trace {
        let method = place.method.split('(').next().unwrap();
        let (file, line) = (place.file.as_deref().unwrap(), place.line.unwrap());
        writeln!(expected, "\tat {}.{method}({file}:{line})", place.class).unwrap();
    }
    assert_eq!(replayed(request, violation), expected);
    report
}

/// Verdict with what was shown, paths, searches, and what the last one has left out.
fn says(request: &VerifyRequest, expected: &Expect) {
    let report = verified(request);
    let mut text = match &report.verdict {
        Verdict::False(violation) => {
            let mut text = format!("false: {}\n", violation.what);
            for place in &violation.trace {
                writeln!(text, "at {}.{}:{:?}", place.class, place.method, place.line).unwrap();
            }
            let inputs = &violation.inputs;
            for (name, value) in &inputs.roots {
                writeln!(text, "{name} = {}", inputs.shown(value)).unwrap();
            }
            for asked in &violation.asked {
                let (value, line) = (inputs.shown(&asked.value), asked.place.line);
                writeln!(text, "{value} at {line:?}").unwrap();
            }
            text
        }
        other => format!("{other:?}\n"),
    };
    let (searches, last) = (report.rounds.len(), report.rounds.last().unwrap());
    write!(text, "{} paths in {searches} searches", report.paths()).unwrap();
    for (by, count) in &last.cut {
        write!(text, "; {by}: {count}").unwrap();
    }
    for (reason, count) in &last.refused {
        write!(text, "; {reason}: {count}").unwrap();
    }
    expected.assert_eq(&text);
}

fn holds(report: &VerifyReport) -> bool {
    report.verdict == Verdict::True
}

/// Bound of each search.
fn rounds(report: &VerifyReport, bound: fn(&verify::SearchSettings) -> u32) -> Vec<u32> {
    let rounds = report.rounds.iter();
    rounds.map(|round| bound(&round.settings)).collect()
}

#[test]
fn bounds_become_wider_until_a_violation_is_found() {
    let loops = rounds(&refutes(&main_of("Countdown", &[])), |one| one.bounds.loops);
    assert!(loops.len() > 1 && loops.is_sorted(), "{loops:?}");
    let scopes = rounds(&refutes(&main_of("Word", &[])), |one| one.bounds.length);
    assert!(scopes.len() > 1 && scopes.is_sorted(), "{scopes:?}");
}

#[test]
fn bounds_become_wider_until_nothing_is_cut_off() {
    says(
        &main_of("Clamp", &[]),
        &expect![[r#"
        True
        3 paths in 1 searches"#]],
    );
    says(
        &main_of("Filling", &[]),
        &expect![[r#"
        True
        40 paths in 3 searches"#]],
    );
    says(
        &main_of("Countdown", &["20"]),
        &expect![[r#"
        false: java.lang.AssertionError: 20 steps
        at verify.Countdown.main(java.lang.String[]):Some(16)
        20 at Some(9)
        41 paths in 3 searches"#]],
    );
    refutes(&main_of("Countdown", &["20"]));
}

#[test]
fn strings_that_an_assumption_wants_are_not_overlooked() {
    for case in ["length", "text", "beginning", "branch"] {
        let request = main_of("Assumed", &[case]);
        let found = refutes(&request);
        assert!(found.rounds.len() > 1, "{case}: {:?}", found.rounds);
        let bounded = verified(&within_scope(request, 3));
        assert_eq!(bounded.verdict, Verdict::Unknown, "{case}");
    }
}

#[test]
fn elements_beyond_the_first_bounds_are_not_overlooked() {
    let beyond = refutes(&main_of("Beyond", &[]));
    let first = &beyond.rounds[0];
    assert!(
        first.is_complete && first.cut.get(&CutBy::Lengths) > Some(&0),
        "{first:?}"
    );
}

#[test]
fn texts_of_values_are_read_back() {
    let report = refutes(&main_of("Special", &[]));
    let special = violation(&report);
    let values = special
        .asked
        .iter()
        .map(|asked| special.inputs.shown(&asked.value));
    let values: Vec<String> = values.collect();
    expect![[r#"
        NaN
        -Infinity
        -0.0
        -9223372036854775808L
        '\ud800'
        "<\u000a\"\\\u20ac&]]>""#]]
    .assert_eq(&values.join("\n"));
    // The first search has short strings in Latin-1 alone.
    assert!(rounds(&report, |one| one.bounds.length).len() > 1);
}

#[test]
fn bounds_that_cut_something_off_leave_it_unknown() {
    let mut looped = main_of("Countdown", &[]);
    looped.first.bounds.loops = 5;
    looped.widening.loops = false;
    says(
        &looped,
        &expect![[r#"
        Unknown
        7 paths in 1 searches; more iterations (--loop-k): 1"#]],
    );
    let mut short = within_scope(main_of("Word", &[]), 3);
    says(
        &short,
        &expect![[r#"
        Unknown
        2 paths in 2 searches; longer strings and arrays (--scope): 1"#]],
    );
    short.is_bounded = true;
    says(
        &short,
        &expect![[r#"
        Bounded
        2 paths in 2 searches; longer strings and arrays (--scope): 1"#]],
    );
}

#[test]
fn what_is_refused_or_too_deep_leaves_it_unknown() {
    says(
        &main_of("Outside", &[]),
        &expect![[r#"
        Unknown
        2 paths in 1 searches; unsupported operations: 1; unsupported: java.lang.ProcessBuilder.start(): processes are not started: 1"#]],
    );
    says(
        &main_of("Deep", &[]),
        &expect![[r#"
        Unknown
        1 paths in 1 searches; runs that a limit of the machine ended: 1"#]],
    );
}

#[test]
fn exceptions_count_by_property() {
    let quotient = main_of("Quotient", &[]);
    assert!(holds(&verified(&quotient)));
    let thrown = with(Property::NoRuntimeException, quotient);
    says(
        &thrown,
        &expect![[r#"
        false: java.lang.ArithmeticException: / by zero
        at verify.Quotient.quotient(int, int):Some(8)
        at verify.Quotient.main(java.lang.String[]):Some(20)
        0 at Some(16)
        0 at Some(18)
        1 paths in 1 searches"#]],
    );
    refutes(&thrown);
}

#[test]
fn messages_of_exceptions_tell_inputs() {
    for case in ["index", "list", "size", "parsed", "text"] {
        let request = with(Property::NoRuntimeException, main_of("Messages", &[case]));
        let report = verified(&request);
        let violation = violation(&report);
        let err = replayed(&request, violation);
        let expected = format!("Exception in thread \"main\" {}", violation.what);
        assert_eq!(err.lines().next(), Some(expected.as_str()), "{case}");
    }
    // Natives read texts as a whole.
    for case in ["interned", "named"] {
        refutes(&main_of("Messages", &[case]));
    }
    // The cause that later users of a class get repeats the message.
    let report = verified(&main_of("Messages", &["initialiser"]));
    assert_eq!(report.verdict, Verdict::Unknown);
}

#[test]
fn a_deadlock_is_a_violation() {
    let locks = main_of("Locks", &[]);
    says(
        &locks,
        &expect![[r#"
        Unknown
        2 paths in 2 searches; unsupported operations: 1; other schedules of threads: 1"#]],
    );
    says(
        &with(Property::NoDeadlock, locks),
        &expect![[r#"
        false: main enters a monitor of java.lang.Object, held by Thread-0; Thread-0 enters a monitor of java.lang.Object, held by main
        1 paths in 1 searches"#]],
    );
}

#[test]
fn a_method_has_open_arguments() {
    says(
        &method_of("Quotient", "checked"),
        &expect![[r#"
        false: java.lang.AssertionError
        at verify.Quotient.checked(int[], java.lang.String):Some(12)
        numbers = [5, 0]
        text = "ab"
        6 paths in 1 searches"#]],
    );
    let quotient = method_of("Quotient", "quotient");
    says(
        &quotient,
        &expect![[r#"
        True
        2 paths in 1 searches"#]],
    );
    says(
        &with(Property::NoRuntimeException, quotient),
        &expect![[r#"
        false: java.lang.ArithmeticException: / by zero
        at verify.Quotient.quotient(int, int):Some(8)
        dividend = 0
        divisor = 0
        1 paths in 1 searches"#]],
    );
    assert_throws(
        "verify.Quotient.checked(new int[] {5, 0}, \"ab\")",
        "AssertionError",
    );
    assert_throws("verify.Quotient.quotient(0, 0)", "ArithmeticException");
}

/// Methods of the fixture about merging, with whether their assertions hold.
const MERGING: [(&str, bool); 19] = [
    ("holdsForLocals", true),
    ("failsForLocals", false),
    ("holdsForFields", true),
    ("holdsForStatics", true),
    ("failsForStatics", false),
    ("holdsForElements", true),
    ("holdsForReferences", true),
    ("holdsForReturns", true),
    ("failsForReturns", false),
    ("holdsForExceptions", true),
    ("holdsForSwitches", true),
    ("holdsForCalls", true),
    ("holdsForInputs", true),
    ("failsForInputs", false),
    ("holdsForLoops", true),
    ("failsForLoops", false),
    ("holdsForManyBranches", true),
    ("failsForManyBranches", false),
    ("holdsForNestedCalls", true),
];

#[test]
#[ignore = "long"]
fn merged_states_have_the_verdicts_of_paths() {
    for (method, is_true) in MERGING {
        for merges in [Some(true), Some(false), None] {
            // Paths alone are too many there.
            if merges == Some(false) && method.contains("ManyBranches") {
                continue;
            }
            let mut request = method_of("Merging", method);
            request.merges = merges;
            assert_verdict(&request, is_true);
        }
    }
}

fn assert_verdict(request: &VerifyRequest, is_true: bool) {
    let report = verified(request);
    let is_false = matches!(report.verdict, Verdict::False(_));
    let (program, merges) = (&request.program, request.merges);
    assert_eq!(
        (holds(&report), is_false),
        (is_true, !is_true),
        "{program:?} {merges:?}"
    );
}

#[test]
fn polynomials_of_floating_point_numbers_have_verdicts() {
    for method in [
        "holdsForSine",
        "failsForSine",
        "holdsForSteps",
        "failsForSums",
        "holdsForRemainders",
        "failsNearTwo",
        "holdsForConversions",
    ] {
        assert_verdict(
            &method_of("Polynomials", method),
            method.starts_with("holds"),
        );
    }
}
