//! Texts that parsers accept: those of the JDK, regular expressions, and patterns of dates and times.
//!
//! A parser is a method or constructor of the JDK that takes one text and refuses some. Which of the texts
//! that people write it accepts is found out by calling it on the engine; a table has those of parsers that
//! need an object or refuse little. Texts for formats come from the formats themselves.
//!
//! **Invariant:** the machine's state is restored, and what is returned was accepted on the engine, but for
//! texts in the table.

mod expressions;

use std::collections::BTreeMap;

use heapwright_jvm::class::flags;
use heapwright_jvm::listing::ListedMember;
use heapwright_jvm::{Exit, Ref, Vm, descriptor};

use crate::observe;

pub use expressions::matched;

/// What is known of a text that code parses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TextForm {
    /// It is split at a separator, a regular expression, into cells, each of a form or any text.
    Record {
        /// The expression.
        separator: String,
        /// The cells.
        cells: Vec<Option<TextForm>>,
    },
    /// It is the name of a constant of an enum class, by its internal name.
    Constant(String),
    /// A method or constructor of the JDK takes it.
    Parser {
        /// The class, by its internal name.
        class: String,
        /// The name of the method; `<init>` for a constructor.
        name: String,
        /// The descriptor of the method.
        descriptor: String,
    },
    /// A regular expression is matched with it.
    Expression(String),
    /// A pattern of a formatter of dates and times reads it.
    DatePattern(String),
    /// A constant of [`DATE_FORMATTER`] reads it.
    DateFormatter(String),
}

/// A text that code parses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ParsedText {
    /// What is known of it.
    pub form: TextForm,
    /// The name of the field or of the property that holds it, if code tells.
    pub name: Option<String>,
}

impl TextForm {
    /// Whether it is a method that takes a formatter, too.
    #[must_use]
    pub fn takes_formatter(&self) -> bool {
        matches!(self, TextForm::Parser { descriptor, .. } if descriptor.contains(DATE_FORMATTER))
    }
}

/// The class of formatters of dates and times.
pub const DATE_FORMATTER: &str = "java/time/format/DateTimeFormatter";
const PATTERN: &str = "java/util/regex/Pattern";
const TEXT: &str = "Ljava/lang/CharSequence;";
/// Maximum number of texts for a parser.
const TEXTS: usize = 6;
/// Number of texts of several cells, and words for cells of no form.
const RECORDS: usize = 5;
const WORDS: [&str; 5] = ["A1", "abc", "B2", "one", "A12"];
/// Maximum number of instructions of a call, with the initialisation of what it needs; of the calls of a
/// parser; and of all calls.
const CALL_STEPS: u64 = 5_000_000;
const PARSER_STEPS: u64 = 10_000_000;
const STEPS: u64 = 100_000_000;
/// Text that parsers refuse, but for those that take any.
const REFUSED: &str = "a b";

/// Classes of the JDK whose static methods and constructors may parse a text, and packages of such.
const CLASSES: [&str; 6] = [
    "java/math/",
    "java/sql/",
    "java/time/",
    "java/util/Currency",
    "java/util/HexFormat",
    "java/util/UUID",
];

/// Texts that people write. Those of one kind differ in what code asks for: dates in the past, in the future,
/// of leap years and of weekends, numbers of both signs, with and without a fraction.
const ORDINARY: [&str; 42] = [
    "2024-01-15",
    "2023-03-12",
    "1899-12-30",
    "2099-06-30",
    "2024-02-29",
    "2024-01-15T10:15:30",
    "2023-03-12T23:45:00",
    "1899-12-30T00:00:00",
    "2099-06-30T12:00:00",
    "2024-01-15T10:15:30Z",
    "2023-03-12T23:45:00+02:00",
    "1899-12-30T00:00:00Z",
    "2099-06-30T12:00:00Z",
    "10:15:30",
    "23:45",
    "00:00",
    "10:15:30+01:00",
    "2024-01",
    "1899-12",
    "2099-06",
    "--12-24",
    "--02-29",
    "PT15M",
    "PT36H",
    "-PT1H",
    "PT0S",
    "P1M",
    "P2Y",
    "P10D",
    "-P1D",
    "Europe/Paris",
    "UTC",
    "+01:00",
    "123e4567-e89b-12d3-a456-426614174000",
    "f47ac10b-58cc-4372-a567-0e02b2c3d479",
    "EUR",
    "JPY",
    "1.50",
    "0",
    "-3",
    "1000000.25",
    "1000000007",
];

/// Texts for parsers that need an object, refuse hardly anything or take what is not ordinary: class, method
/// (any if empty), texts.
const FURTHER: [(&str, &str, &[&str]); 12] = [
    ("java/net/URI", "", &URIS),
    (
        "java/net/URL",
        "<init>",
        &[
            "https://example.org/path?q=1",
            "http://example.com:8080/",
            "file:/a.txt",
        ],
    ),
    (
        "java/net/InetAddress",
        "getByName",
        &["127.0.0.1", "192.168.0.1", "::1"],
    ),
    ("java/text/DecimalFormat", "parse", &["1.5", "-3", "1000"]),
    ("java/text/NumberFormat", "parse", &["1.5", "-3", "1000"]),
    ("java/util/Base64$Decoder", "decode", &["aGVsbG8=", "YWJj"]),
    ("java/util/HexFormat", "parseHex", &["cafe", "00ff10"]),
    (
        "java/util/Locale",
        "forLanguageTag",
        &["en-US", "de", "fr-CA"],
    ),
    (
        "java/util/TimeZone",
        "getTimeZone",
        &["Europe/Paris", "GMT+2"],
    ),
    ("java/time/Year", "parse", &["2024", "1899", "2099"]),
    (
        "java/nio/charset/Charset",
        "forName",
        &["UTF-8", "ISO-8859-1"],
    ),
    (DATE_FORMATTER, "ofPattern", &["yyyy-MM-dd", "HH:mm"]),
];
const URIS: [&str; 4] = [
    "https://example.org/path?q=1",
    "http://example.com:8080/",
    "mailto:ann@example.org",
    "docs/a.txt",
];

/// Moments that patterns of dates and times format.
const MOMENTS: [&str; 5] = [
    "2024-01-15T10:15:30Z",
    "2023-03-12T23:45:59Z",
    "1899-12-30T00:00:00Z",
    "2099-06-30T12:00:00Z",
    "2024-02-29T08:05:01Z",
];

/// Returns the texts of the table, by class and method.
pub fn table() -> impl Iterator<Item = (&'static str, &'static str, &'static [&'static str])> {
    FURTHER.into_iter()
}

/// Texts that code accepts, by what is known of them.
#[derive(Debug, Default)]
pub struct AcceptedTexts {
    known: BTreeMap<TextForm, Vec<String>>,
    /// Instructions of calls so far.
    steps: u64,
}

impl AcceptedTexts {
    /// Returns texts of a form, the most ordinary first; none if none is known.
    pub fn of(&mut self, vm: &mut Vm, form: &TextForm) -> Vec<String> {
        if let Some(known) = self.known.get(form) {
            return known.clone();
        }
        let texts = match self.steps < STEPS {
            true => {
                let before = vm.steps();
                let texts = vm.with_mark(|vm| texts(vm, form));
                vm.limit_steps(u64::MAX);
                self.steps += vm.steps().saturating_sub(before);
                texts
            }
            false => Vec::new(),
        };
        self.known.insert(form.clone(), texts.clone());
        texts
    }
}

fn texts(vm: &mut Vm, form: &TextForm) -> Vec<String> {
    match form {
        TextForm::Record { separator, cells } => records(vm, separator, cells),
        TextForm::Constant(class) => {
            let mut names = constants(vm, class);
            names.truncate(TEXTS);
            names
        }
        TextForm::Parser {
            class,
            name,
            descriptor,
        } => of_parser(vm, class, name, descriptor),
        TextForm::Expression(expression) => {
            let mut texts = matched(expression);
            texts.retain(|text| matches(vm, expression, text));
            texts
        }
        TextForm::DatePattern(pattern) => {
            let formatter = on_text(
                vm,
                DATE_FORMATTER,
                "ofPattern",
                "Ljava/lang/String;",
                pattern,
            );
            formatter.map_or_else(Vec::new, |formatter| formatted(vm, formatter))
        }
        TextForm::DateFormatter(constant) => {
            let formatter = constant_formatter(vm, constant);
            formatter.map_or_else(Vec::new, |formatter| formatted(vm, formatter))
        }
    }
}

/// Returns texts of several cells; those of one place differ.
fn records(vm: &mut Vm, separator: &str, cells: &[Option<TextForm>]) -> Vec<String> {
    let mut separators = matched(separator);
    separators.retain(|text| matches(vm, separator, text));
    let Some(separator) = separators.first() else {
        return Vec::new();
    };
    let cells = cells.iter().map(|cell| match cell {
        Some(form) => texts(vm, form),
        None => Vec::new(),
    });
    let cells: Vec<Vec<String>> = cells.collect();
    let cell = |number: usize, place: usize| match &cells[place][..] {
        [] => WORDS[(number + place) % WORDS.len()],
        texts => &texts[number % texts.len()],
    };
    let line = |number: usize| {
        let cells: Vec<&str> = (0..cells.len()).map(|place| cell(number, place)).collect();
        cells.join(separator)
    };
    (0..RECORDS).map(line).collect()
}

/// Returns the names of the constants of a class, if that is an enum.
pub fn constants(vm: &mut Vm, class: &str) -> Vec<String> {
    let Ok(class) = vm.load_class(class) else {
        return Vec::new();
    };
    let fields = vm.class(class).fields.iter();
    let constants = fields.filter(|field| field.flags & flags::ENUM != 0);
    constants
        .map(|field| vm.text(field.name).to_owned())
        .collect()
}

/// Whether a method or constructor may parse a text, by its name and parameters.
#[must_use]
pub fn may_parse(class: &str, name: &str, descriptor: &str) -> bool {
    in_table(class, name).is_some()
        || parameter(descriptor).is_some()
            && CLASSES.iter().any(|known| match known.ends_with('/') {
                true => class.starts_with(known),
                false => class == *known,
            })
}

fn in_table(class: &str, name: &str) -> Option<&'static [&'static str]> {
    let mut rows = FURTHER.iter();
    let row = rows.find(|row| row.0 == class && (row.1.is_empty() || row.1 == name));
    row.map(|row| row.2)
}

/// Returns the type of the text that a method takes, alone or with a formatter that reads it.
fn parameter(method: &str) -> Option<&'static str> {
    const TYPES: [&str; 2] = [TEXT, "Ljava/lang/String;"];
    let (parameters, _) = descriptor::split_method(method)?;
    let (first, further) = parameters.split_first()?;
    let is_formatter = |one: &&str| descriptor::class_name(one) == DATE_FORMATTER;
    let known = TYPES.into_iter().find(|known| known == first)?;
    further.iter().all(is_formatter).then_some(known)
}

fn of_parser(vm: &mut Vm, class: &str, name: &str, method: &str) -> Vec<String> {
    if let Some(texts) = in_table(class, name) {
        return texts.iter().map(|&text| text.to_owned()).collect();
    }
    let Some(taken) = parameter(method) else {
        return Vec::new();
    };
    if on_text(vm, class, name, taken, REFUSED).is_some() {
        return Vec::new();
    }
    let begun = vm.steps();
    let accepted = ORDINARY.into_iter().filter(|text| {
        vm.steps() - begun < PARSER_STEPS && on_text(vm, class, name, taken, text).is_some()
    });
    accepted.take(TEXTS).map(str::to_owned).collect()
}

/// Returns the object that a static method or a constructor makes of a text; `None` if it throws, or is none.
fn on_text(vm: &mut Vm, class: &str, name: &str, taken: &str, text: &str) -> Option<Ref> {
    let owner = vm.load_class(class).ok()?;
    let text = vm.new_string(text).ok()?;
    let is_constructor = name == "<init>";
    let mut overloads = vm.class(owner).methods.iter().copied();
    let method = overloads.find(|&method| {
        let this = vm.method(method);
        let shape = descriptor::split_method(vm.text(this.descriptor));
        vm.text(this.name) == name
            && (is_constructor || this.is_static())
            && shape.is_some_and(|(parameters, _)| parameters == [taken])
    })?;
    vm.initialize_now(owner).ok()?;
    if !is_constructor {
        let made = Ref::from_slot(called(vm, method, &[text.slot()])?);
        return (!made.is_null()).then_some(made);
    }
    let words = vm.class(owner).instance_words;
    let made = vm.heap.allocate(owner, words, false).ok()?;
    called(vm, method, &[made.slot(), text.slot()])?;
    Some(made)
}

/// Whether a regular expression matches a text.
fn matches(vm: &mut Vm, expression: &str, text: &str) -> bool {
    let member = member(
        PATTERN,
        "matches",
        "(Ljava/lang/String;Ljava/lang/CharSequence;)Z",
    );
    let Some(method) = vm.named_method(&member) else {
        return false;
    };
    let (Ok(expression), Ok(text)) = (vm.new_string(expression), vm.new_string(text)) else {
        return false;
    };
    called(vm, method, &[expression.slot(), text.slot()]).is_some_and(|slot| slot as u32 != 0)
}

/// Returns the formatter that a constant of the JDK is.
fn constant_formatter(vm: &mut Vm, constant: &str) -> Option<Ref> {
    let class = vm.load_class(DATE_FORMATTER).ok()?;
    vm.initialize_now(class).ok()?;
    let word = vm
        .find_field(class, constant)
        .filter(|field| field.is_static())?
        .word;
    let formatter = Ref::from_slot(vm.heap.load(word));
    (!formatter.is_null()).then_some(formatter)
}

/// Returns moments as a formatter writes them, each once.
fn formatted(vm: &mut Vm, formatter: Ref) -> Vec<String> {
    let member = member(
        DATE_FORMATTER,
        "format",
        "(Ljava/time/temporal/TemporalAccessor;)Ljava/lang/String;",
    );
    let Some(format) = vm.named_method(&member) else {
        return Vec::new();
    };
    let mut texts: Vec<String> = Vec::new();
    for moment in MOMENTS {
        let moment = on_text(vm, "java/time/ZonedDateTime", "parse", TEXT, moment);
        let text = moment.and_then(|moment| called(vm, format, &[formatter.slot(), moment.slot()]));
        let text = text.map(|text| vm.string_text(Ref::from_slot(text)));
        texts.extend(text.filter(|text| !texts.contains(text)));
    }
    texts
}

fn member(class: &str, name: &str, descriptor: &str) -> ListedMember {
    ListedMember {
        class: class.to_owned(),
        name: name.to_owned(),
        descriptor: descriptor.to_owned(),
    }
}

/// Returns the result of a call; `None` if it throws or does not end.
fn called(vm: &mut Vm, method: heapwright_jvm::MethodId, slots: &[u64]) -> Option<u64> {
    match observe::exit(vm, method, slots, CALL_STEPS) {
        Exit::Done(slot) => Some(slot),
        _ => {
            vm.abandon();
            None
        }
    }
}
