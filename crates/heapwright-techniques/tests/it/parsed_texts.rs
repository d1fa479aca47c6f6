//! Texts that parsers accept, compared with what the JDK's parsers say.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;

use heapwright_jvm::{Config, Vm};
use heapwright_techniques::parsed_texts::{AcceptedTexts, TextForm, table};
use heapwright_testkit::fixtures::{Fixture, classes};
use heapwright_testkit::jdk::jdks;

/// Returns whether the JDK accepts texts, each given with a kind and a name in the notation of `Parse.java`.
fn accepts(texts: &[(&str, String, String)]) -> Vec<bool> {
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/java/Parse.java");
    let program = Fixture::new(&["-nowarn", "-Xlint:none"]).file(source);
    let mut java = jdks()[0].java();
    java.arg("-cp").arg(program.classes()).arg("Parse");
    java.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut java = java.spawn().unwrap();
    let mut lines = String::new();
    for (kind, name, text) in texts {
        writeln!(lines, "{kind}\t{name}\t{text}").unwrap();
    }
    java.stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    let output = java.wait_with_output().unwrap();
    assert!(output.status.success());
    let printed = String::from_utf8(output.stdout).unwrap();
    printed.lines().map(|line| line == "true").collect()
}

fn machine() -> Vm {
    let jdk = heapwright_jvm::Jdk::find(Some(&jdks()[0].home)).unwrap();
    Vm::new(Config::new(jdk, vec![classes()])).unwrap()
}

/// Fails for texts that the JDK refuses.
fn assert_accepted(texts: &[(&str, String, String)]) {
    let refused = texts
        .iter()
        .zip(accepts(texts))
        .filter(|(_, is_accepted)| !is_accepted);
    let refused: Vec<_> = refused.map(|(text, _)| text).collect();
    assert!(refused.is_empty(), "{refused:?}");
}

#[test]
fn texts_of_expressions_match_them() {
    let expressions = [
        "a",
        "abc",
        "[abc]",
        "[a-z]+",
        "[^a-z]",
        "\\d",
        "\\d+",
        "\\d{3}",
        "\\d{2,4}",
        "\\w+",
        "\\s",
        "\\S+",
        "\\D",
        "\\W",
        ".",
        ".*",
        ".+",
        "a|b",
        "abc|def",
        "(abc|def)g",
        "(?:a|b)+",
        "(a)(b)?",
        "^abc$",
        "^\\d+$",
        "[A-Z]{2}\\d{6}",
        "[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}",
        "[a-z]+@[a-z]+\\.(com|org)",
        "\\d{4}-\\d{2}-\\d{2}",
        "(\\d{1,3}\\.){3}\\d{1,3}",
        "#[0-9a-fA-F]{6}",
        "\\+?[0-9 ()-]{7,}",
        "(?<year>\\d{4})/(?<month>0[1-9]|1[0-2])",
        "(?i)yes|no",
        "(?i:on)OFF",
        "\\p{Upper}\\p{Lower}*",
        "\\p{Alpha}+",
        "\\p{Alnum}{5}",
        "\\p{Punct}",
        "\\p{L}+",
        "\\p{Lu}\\p{Ll}+",
        "[\\w-]+",
        "[\\p{Alnum}_]+",
        "[a-f&&[^b]]+",
        "[-a]",
        "[a\\-z]",
        "[.]",
        "\\.",
        "\\\\",
        "\\Qa.b\\E+",
        "a++b",
        "a*+b",
        "a?+b",
        "a{2,}?",
        "\\u0041\\x42",
        "\\t",
        "\\bword\\b",
        "[0-9]{3}-[0-9]{2}-[0-9]{4}",
        "(https?)://[^/]+(/.*)?",
        "-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?",
        "^(?=.*[A-Z])(?=.*\\d).{8,}$",
        "^(?!.*admin)[a-z]{3,10}$",
        "[äöü]+",
        "M{0,3}(CM|CD|D?C{0,3})",
        "(a|b(c|d)){2}",
        "\\h*x",
        "a\\Z",
        "[\"'][^\"']*[\"']",
        "\\{\\w+\\}",
        "\\$\\d+",
        "([01]\\d|2[0-3]):[0-5]\\d",
        "\\@x\\/y\\ z",
        "",
    ];
    let (mut vm, mut accepted) = (machine(), AcceptedTexts::default());
    let mut texts = Vec::new();
    for expression in expressions {
        let found = accepted.of(&mut vm, &TextForm::Expression(expression.to_owned()));
        assert!(!found.is_empty(), "{expression}");
        let unique: BTreeSet<&String> = found.iter().collect();
        assert_eq!(unique.len(), found.len(), "{expression}: {found:?}");
        // Texts go through lines of the program that checks them.
        let fit = found
            .into_iter()
            .filter(|text| !text.contains(['\t', '\n', '\r']));
        texts.extend(fit.map(|text| ("expression", expression.to_owned(), text)));
    }
    assert_accepted(&texts);
    for expression in ["(a)\\1", "a(?=b)c", "x(?<=a)", "(", "a{300}", "[a&&b]"] {
        let found = accepted.of(&mut vm, &TextForm::Expression(expression.to_owned()));
        assert!(found.is_empty(), "{expression}: {found:?}");
    }
}

#[test]
fn parsers_accept_their_texts() {
    const SEQUENCE: &str = "Ljava/lang/CharSequence;";
    const STRING: &str = "Ljava/lang/String;";
    let parsers = [
        ("java/time/LocalDate", "parse", SEQUENCE, "2024-01-15"),
        (
            "java/time/LocalDateTime",
            "parse",
            SEQUENCE,
            "2024-01-15T10:15:30",
        ),
        (
            "java/time/OffsetDateTime",
            "parse",
            SEQUENCE,
            "2024-01-15T10:15:30Z",
        ),
        (
            "java/time/ZonedDateTime",
            "parse",
            SEQUENCE,
            "2024-01-15T10:15:30Z",
        ),
        (
            "java/time/Instant",
            "parse",
            SEQUENCE,
            "2024-01-15T10:15:30Z",
        ),
        ("java/time/LocalTime", "parse", SEQUENCE, "10:15:30"),
        ("java/time/OffsetTime", "parse", SEQUENCE, "10:15:30+01:00"),
        ("java/time/YearMonth", "parse", SEQUENCE, "2024-01"),
        ("java/time/MonthDay", "parse", SEQUENCE, "--12-24"),
        ("java/time/Year", "parse", SEQUENCE, "2024"),
        ("java/time/Duration", "parse", SEQUENCE, "PT15M"),
        ("java/time/Period", "parse", SEQUENCE, "P1M"),
        ("java/time/ZoneId", "of", STRING, "Europe/Paris"),
        ("java/time/ZoneOffset", "of", STRING, "+01:00"),
        (
            "java/util/UUID",
            "fromString",
            STRING,
            "123e4567-e89b-12d3-a456-426614174000",
        ),
        ("java/util/Currency", "getInstance", STRING, "EUR"),
        ("java/math/BigDecimal", "<init>", STRING, "1.50"),
        ("java/math/BigInteger", "<init>", STRING, "0"),
        ("java/nio/charset/Charset", "forName", STRING, "UTF-8"),
    ];
    let (mut vm, mut accepted) = (machine(), AcceptedTexts::default());
    let mut texts = Vec::new();
    for (class, name, taken, first) in parsers {
        let form = TextForm::Parser {
            class: class.to_owned(),
            name: name.to_owned(),
            descriptor: format!("({taken})V"),
        };
        let found = accepted.of(&mut vm, &form);
        assert_eq!(found.first().map(String::as_str), Some(first), "{class}");
        let name = format!("{}.{name}", class.replace('/', "."));
        texts.extend(found.into_iter().map(|text| ("parser", name.clone(), text)));
    }
    for (class, name, of_row) in table() {
        let name = if name.is_empty() { "create" } else { name };
        let name = format!("{}.{name}", class.replace('/', "."));
        texts.extend(
            of_row
                .iter()
                .map(|&text| ("parser", name.clone(), text.to_owned())),
        );
    }
    for (kind, form) in [
        ("pattern", "dd.MM.yyyy"),
        ("pattern", "yyyy-MM-dd HH:mm:ss"),
        ("pattern", "HH:mm"),
        ("pattern", "d MMM uuuu"),
        ("formatter", "ISO_DATE"),
        ("formatter", "BASIC_ISO_DATE"),
    ] {
        let known = match kind {
            "pattern" => TextForm::DatePattern(form.to_owned()),
            _ => TextForm::DateFormatter(form.to_owned()),
        };
        let found = accepted.of(&mut vm, &known);
        assert!(found.len() > 2, "{form}: {found:?}");
        texts.extend(found.into_iter().map(|text| (kind, form.to_owned(), text)));
    }
    assert_accepted(&texts);
    // These take any text, or none of a form.
    for (class, name) in [
        ("java/time/LocalDate", "from"),
        ("java/util/StringJoiner", "<init>"),
    ] {
        let form = TextForm::Parser {
            class: class.to_owned(),
            name: name.to_owned(),
            descriptor: format!("({SEQUENCE})V"),
        };
        assert!(accepted.of(&mut vm, &form).is_empty(), "{class}");
    }
}
