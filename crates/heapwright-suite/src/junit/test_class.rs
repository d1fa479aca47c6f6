//! Test classes: test methods, in nested classes where a class has many, and where they are in the
//! file.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::behaviour::{self, TestSubject};
use super::details::{self, Apart, Detail};
use super::groups::{self, Group};
use super::lines::{BodyLine, broken, wrap};
use super::parameters::{Column, Merged, Table, merged};
use super::scope::Scope;
use super::set_up::{self, SET_UP, SetUp};
use super::stub_classes;
use super::{
    JunitVersion, RAW_WARNINGS, TestMethod, TestOrigin, TestRows, annotations, call, display,
    names, shown_class,
};
use crate::{CallOutcome, Script, Suite, literal};

/// Columns of an indentation.
const INDENTATION: usize = 4;

/// Source of a test class, with its tests.
pub(super) struct TestClass {
    pub text: String,
    pub methods: Vec<TestMethod>,
    pub rows: Vec<TestRows>,
}

/// Test method, with the tests that it makes.
enum Unit<'s> {
    Single(TestOrigin, TestSubject<'s>),
    Table(Box<Table>),
    /// Test of a script that calls a method with its values.
    Row(Row<'s>),
}

/// Row of a table for a framework without parameterised tests.
struct Row<'s> {
    of: TestOrigin,
    script: &'s Script,
    table: Rc<Table>,
    /// Number of the row.
    number: usize,
    /// Number of the unit of the first row.
    first: usize,
}

/// Source of a test method.
struct WrittenMethod {
    name: String,
    /// Annotations and head, without indentation.
    head: Vec<String>,
    body: Vec<BodyLine>,
    /// Lines behind it: the method that gives its rows, or that it and others call with their values.
    behind: Vec<BodyLine>,
    /// Number of the test with the assertions that it makes.
    asserting: usize,
    is_script: bool,
    is_raw: bool,
}

/// Lines of a class's members, and places of its tests in them, numbered from 0.
struct Members {
    /// Maximum number of columns of a line.
    width: usize,
    lines: Vec<String>,
    tests: BTreeMap<usize, Placed>,
}

/// Place of a test method.
struct Placed {
    lines: Range<usize>,
    /// Lines that assert each observation.
    observations: BTreeMap<usize, Range<usize>>,
}

/// Release from which on inner classes have static methods (JEP 395).
const STATIC_IN_INNER: u32 = 16;

/// Writes a test class; `file` is its index. Arrangement that its tests have in common is made once, if the
/// class is shorter then.
pub(super) fn write(
    suite: &Suite,
    scope: &mut Scope,
    place: (&str, usize),
    tests: &[(TestOrigin, TestSubject<'_>)],
    names: &mut names::UniqueNames,
) -> TestClass {
    let (mut shared_scope, mut shared_names) = (scope.clone(), names.clone());
    let shared = shared(suite, &mut shared_scope, place, tests, &mut shared_names);
    let of_tests = units(scope, tests);
    let plain = written(suite, scope, place, (tests, &of_tests), None, names);
    let lines = |class: &TestClass| class.text.lines().count();
    match shared.filter(|shared| lines(shared) < lines(&plain)) {
        Some(shared) => {
            (*scope, *names) = (shared_scope, shared_names);
            shared
        }
        None => plain,
    }
}

/// Writes a test class whose tests share their arrangement; `None` if they have none in common.
fn shared(
    suite: &Suite,
    scope: &mut Scope,
    place: (&str, usize),
    tests: &[(TestOrigin, TestSubject<'_>)],
    names: &mut names::UniqueNames,
) -> Option<TestClass> {
    // The order of methods that run before a test is not certain.
    if !scope.shares_arrangement || !suite.resets.is_empty() {
        return None;
    }
    let scripts = tests
        .iter()
        .map(|(_, test)| test.script().map(set_up::with_own_mocks));
    let scripts: Vec<Script> = scripts.collect::<Option<_>>()?;
    // A reproducer stands by itself.
    let is_failing = |script: &Script| matches!(script.outcome, CallOutcome::Failed(_));
    if scripts.iter().any(is_failing) {
        return None;
    }
    let own = tests.iter().zip(&scripts);
    let own = own.map(|((of, _), script)| (*of, TestSubject::Script(script)));
    let own: Vec<(TestOrigin, TestSubject<'_>)> = own.collect();
    let units = units(scope, &own);
    let bodies: Vec<Option<&Script>> = units.iter().map(Unit::body).collect();
    let classes = stub_classes::of(scope, &bodies);
    let set_up = SetUp::of(&bodies, &classes).filter(|set_up| {
        let mut columns = units.iter().flat_map(Unit::columns);
        !columns.any(|column| set_up.has_field(&column.name))
    });
    let made = set_up
        .as_ref()
        .and_then(|set_up| Some((set_up, set_up.source(scope)?)));
    if made.is_none() && classes.is_empty() {
        return None;
    }
    names.unique(SET_UP.to_owned());
    scope.stub_classes.clone_from(&classes);
    Some(written(suite, scope, place, (&own, &units), made, names))
}

/// Writes a test class with these test methods, and with the members that make what they share.
fn written(
    suite: &Suite,
    scope: &mut Scope,
    (class, file): (&str, usize),
    (tests, units): (&[(TestOrigin, TestSubject<'_>)], &[Unit<'_>]),
    shared: Option<(&SetUp<'_>, String)>,
    names: &mut names::UniqueNames,
) -> TestClass {
    let scripts = tests.iter().filter_map(|(_, test)| test.script());
    let scripts: Vec<&Script> = scripts.collect();
    let reset = behaviour::reset_body(suite, scope);
    let throws = reset.as_ref().map_or("", |(_, throws)| throws);
    let kept = behaviour::kept_statics(suite, scope, &scripts, throws);
    let before = reset.map(|reset| behaviour::resets(scope, &reset));
    // If few tests use raw types, the annotation is on these methods.
    let has_own_warnings = suite.cases.is_empty() && !scope.uses_raw_types;
    // Reports show tests by these, not by the names of methods.
    let mut display_names = names::UniqueNames::default();
    let details = units.iter().map(|unit| match unit.subject().script() {
        Some(script) => details::details(script),
        None => Vec::new(),
    });
    let details: Vec<Vec<Detail>> = details.collect();
    let apart = [
        apart_by(units, &details, by_name),
        apart_by(units, &details, by_words),
    ];
    let mut methods: Vec<WrittenMethod> = Vec::new();
    let mut called = String::new();
    for (number, unit) in units.iter().enumerate() {
        let apart = apart.each_ref().map(|apart| &apart[number]);
        let names = (&mut *names, &mut display_names);
        let roles = shared.as_ref().map(|(set_up, _)| set_up.roles(number));
        scope.roles = roles.unwrap_or_default();
        methods.push(match unit {
            Unit::Row(row) => row_method(suite, scope, (row, apart), &mut called, names),
            _ => method(suite, scope, (number, unit, apart), names),
        });
    }
    let raw = methods.iter().filter(|method| method.is_raw).count();
    if has_own_warnings && 2 * raw < methods.len() {
        for method in methods.iter_mut().filter(|method| method.is_raw) {
            let warnings = super::suppress(&RAW_WARNINGS);
            method.head.insert(1, warnings.trim_end().to_owned());
        }
        scope.uses_raw_types = false;
    }
    let helpers = scope.unshadow(&super::support::sources(&scope.helpers));
    let mut members = Members {
        width: scope.width,
        lines: Vec::new(),
        tests: BTreeMap::new(),
    };
    let set_up = shared.map(|(_, source)| source);
    for member in kept.into_iter().chain(before).chain(set_up) {
        members.add_source(&member);
    }
    // The methods that give rows are static, which only later releases allow in inner classes.
    let can_nest =
        scope.release >= STATIC_IN_INNER || methods.iter().all(|one| one.behind.is_empty());
    match groups_of(scope, suite, units, tests.len()).filter(|_| can_nest) {
        Some(groups) => {
            add_groups(
                scope,
                &mut members,
                (suite, class, &helpers),
                &methods,
                &groups,
            );
        }
        None => {
            for (number, method) in methods.iter().enumerate() {
                members.add_method(number, method, INDENTATION);
            }
        }
    }
    for class in &scope.stub_classes {
        members.add_source(&class.source());
    }
    let visibility = scope.version.visibility();
    let body: String = members
        .lines
        .iter()
        .map(|line| format!("{line}\n"))
        .collect();
    let start = format!(
        "{annotations}{visibility}class {class} {{\n",
        annotations = annotations(suite, scope),
        class = literal::ascii(class),
    );
    let text = format!("{start}{body}{helpers}}}\n");
    scope.keep_imports_of(&text);
    let head = format!(
        "{head}/** Behaviour of {under_test}, written by Heapwright. */\n",
        head = scope.head(),
        under_test = shown_class(suite),
    );
    let first = head.lines().count() + start.lines().count() + 1;
    let (methods, rows) = members.placed(first, file, units, &methods);
    TestClass {
        text: head + &text,
        methods,
        rows,
    }
}

/// Test methods of a class: several scripts can be one.
fn units<'s>(scope: &mut Scope, tests: &[(TestOrigin, TestSubject<'s>)]) -> Vec<Unit<'s>> {
    let scripts: Option<Vec<(TestOrigin, &'s Script)>> = tests
        .iter()
        .map(|&(of, test)| Some((of, test.script()?)))
        .collect();
    let Some(scripts) = scripts else {
        return tests
            .iter()
            .map(|&(of, test)| Unit::Single(of, test))
            .collect();
    };
    let mut units = Vec::new();
    for one in merged(scope, &scripts) {
        match one {
            Merged::Single(number) => units.push(Unit::Single(tests[number].0, tests[number].1)),
            Merged::Table(table) if scope.has_parameters => units.push(Unit::Table(table)),
            Merged::Table(table) => {
                let (table, first) = (Rc::<Table>::from(table), units.len());
                let of = table.of.iter().enumerate();
                units.extend(of.filter_map(|(number, of)| {
                    let script = scripts.iter().find(|(other, _)| other == of)?.1;
                    Some(Unit::Row(Row {
                        of: *of,
                        script,
                        table: Rc::clone(&table),
                        number,
                        first,
                    }))
                }));
            }
        }
    }
    units
}

impl Unit<'_> {
    /// Script of the statements that are written for it; none behind the first row of a table.
    fn body(&self) -> Option<&Script> {
        match self {
            Unit::Row(row) => (row.number == 0).then_some(&row.table.script),
            unit => unit.subject().script(),
        }
    }

    /// Parameters of these statements.
    fn columns(&self) -> &[Column] {
        match self {
            Unit::Single(..) => &[],
            Unit::Table(table) => &table.columns,
            Unit::Row(row) => &row.table.columns,
        }
    }

    fn subject(&self) -> TestSubject<'_> {
        match self {
            Unit::Single(_, subject) => *subject,
            Unit::Table(table) => TestSubject::Script(&table.script),
            Unit::Row(row) => TestSubject::Script(row.script),
        }
    }
}

/// Groups of test methods, if the class has nested classes.
fn groups_of(scope: &Scope, suite: &Suite, units: &[Unit<'_>], tests: usize) -> Option<Vec<Group>> {
    let scripts = units.iter().map(|unit| unit.subject().script());
    let scripts: Vec<&Script> = scripts.collect::<Option<_>>()?;
    match scope.version {
        JunitVersion::Five => groups::groups(&scripts, tests, &suite.class_under_test.name),
        JunitVersion::Four | JunitVersion::TestNg => None,
    }
}

/// Adds a nested class for each group.
fn add_groups(
    scope: &mut Scope,
    members: &mut Members,
    (suite, class, helpers): (&Suite, &str, &str),
    methods: &[WrittenMethod],
    groups: &[Group],
) {
    let nested = scope.import("org.junit.jupiter.api.Nested");
    let display_name = scope.import("org.junit.jupiter.api.DisplayName");
    let text: String = methods
        .iter()
        .flat_map(|method| {
            let body = method.body.iter().chain(&method.behind);
            method.head.iter().chain(body.map(|line| &line.text))
        })
        .flat_map(|line| [line.as_str(), "\n"])
        .collect();
    let text = text + helpers + "\nNested";
    let words = groups::words(&text);
    let mut taken = groups::taken(class, &suite.class_under_test.name);
    for group in groups {
        let name = group.class(&words, &mut taken);
        members.separate();
        for line in [
            format!("@{nested}"),
            format!("@{display_name}({})", group.title()),
            format!("class {name} {{"),
        ] {
            members.lines.push(format!("    {line}"));
        }
        for &number in &group.members {
            members.add_method(number, &methods[number], 2 * INDENTATION);
        }
        members.lines.push("    }".to_owned());
    }
}

/// What tells each test from those for which `base` is the same.
fn apart_by(
    units: &[Unit<'_>],
    details: &[Vec<Detail>],
    base: impl Fn(&Script) -> String,
) -> Vec<Apart> {
    let bases = units.iter().map(|unit| unit.subject().script().map(&base));
    let all = bases.map(Option::unwrap_or_default);
    details::apart(&all.zip(details).collect::<Vec<_>>())
}

/// Name of a test without what tells it from others.
fn by_name(script: &Script) -> String {
    names::of_script(script, &Apart::default()).swap_remove(0)
}

/// Words for a test without what tells it from others.
fn by_words(script: &Script) -> String {
    display::of_script(script, &|_| String::new())
}

/// Writes a test method; `apart` has what tells its name and its words from others.
fn method(
    suite: &Suite,
    scope: &mut Scope,
    (number, unit, apart): (usize, &Unit<'_>, [&Apart; 2]),
    (names, display_names): (&mut names::UniqueNames, &mut names::UniqueNames),
) -> WrittenMethod {
    let test = unit.subject();
    let name = names.unique_of(test.names(apart[0]));
    let uses_raw_types = std::mem::take(&mut scope.uses_raw_types);
    let (mut head, table, behind) = match unit {
        Unit::Table(table) => {
            let names = (names, display_names);
            let (head, behind) = table_head(scope, table, &name, names);
            (head, Some(&**table), behind)
        }
        Unit::Single(..) | Unit::Row(_) => {
            let head = single_head(scope, (test, apart[1]), display_names);
            (head, None, Vec::new())
        }
    };
    disable(scope, unit, &mut head);
    let (declared, throws, body) = body(suite, scope, test, table);
    let is_raw = scope.uses_raw_types;
    scope.uses_raw_types |= uses_raw_types;
    let visibility = scope.version.visibility();
    head.push(format!("{visibility}void {name}({declared}){throws} {{"));
    let note = test.label().into_iter().flat_map(behaviour::comment);
    WrittenMethod {
        name,
        head,
        body: note.map(BodyLine::from).chain(body).collect(),
        behind: behind.into_iter().map(BodyLine::from).collect(),
        asserting: number,
        is_script: test.script().is_some(),
        is_raw,
    }
}

/// Parameters, `throws` clause and body of a test, or of a table.
fn body(
    suite: &Suite,
    scope: &mut Scope,
    test: TestSubject<'_>,
    table: Option<&Table>,
) -> (String, &'static str, Vec<BodyLine>) {
    let declared = table.map_or_else(String::new, |table| table.declared(scope));
    let columns = table.iter().flat_map(|table| &table.columns);
    scope.parameters = columns.map(|column| column.name.clone()).collect();
    let body = test.body(suite, scope);
    let texts: Vec<String> = body.iter().map(|line| line.text.clone()).collect();
    let throws = behaviour::throws(&texts, &test.methods(), &scope.stubbed_exceptions);
    (declared, throws, body)
}

/// Writes the test of a row, which calls a method with its values; behind the first row is that method,
/// whose name `called` keeps for the others.
fn row_method(
    suite: &Suite,
    scope: &mut Scope,
    (row, apart): (&Row<'_>, [&Apart; 2]),
    called: &mut String,
    (names, display_names): (&mut names::UniqueNames, &mut names::UniqueNames),
) -> WrittenMethod {
    let test = TestSubject::Script(row.script);
    let name = names.unique_of(test.names(apart[0]));
    let uses_raw_types = std::mem::take(&mut scope.uses_raw_types);
    let mut head = single_head(scope, (test, apart[1]), display_names);
    disable(scope, &Unit::Single(row.of, test), &mut head);
    let of_table = TestSubject::Script(&row.table.script);
    let (declared, throws, body) = body(suite, scope, of_table, Some(&row.table));
    let mut behind: Vec<BodyLine> = Vec::new();
    if row.number == 0 {
        if scope.uses_raw_types {
            behind.push(super::suppress(&RAW_WARNINGS).trim_end().to_owned().into());
        }
        let method = name.split('_').next().unwrap_or(&name);
        *called = names.unique(format!("check{}", names::capitalised(method)));
        behind.push(format!("private void {called}({declared}){throws} {{").into());
        behind.extend(body.into_iter().map(BodyLine::indented));
        behind.push("}".to_owned().into());
    }
    scope.uses_raw_types = uses_raw_types;
    let arguments = row.table.arguments(scope).swap_remove(row.number);
    let visibility = scope.version.visibility();
    head.push(format!("{visibility}void {name}(){throws} {{"));
    WrittenMethod {
        name,
        head,
        body: vec![format!("{called}({arguments});").into()],
        behind,
        asserting: row.first,
        is_script: true,
        is_raw: false,
    }
}

/// Disables a test, if it is to be disabled, in its annotations, of which the one that makes it a test
/// comes first.
fn disable(scope: &mut Scope, unit: &Unit<'_>, head: &mut Vec<String>) {
    let origins = match unit {
        Unit::Single(of, _) => std::slice::from_ref(of),
        Unit::Table(table) => &table.of,
        Unit::Row(row) => std::slice::from_ref(&row.of),
    };
    let reason = origins.iter().find_map(|of| scope.disabled.get(of));
    let Some(reason) = reason.map(|reason| literal::string(reason)) else {
        return;
    };
    let class = match scope.version {
        JunitVersion::Five => "org.junit.jupiter.api.Disabled",
        JunitVersion::Four => "org.junit.Ignore",
        JunitVersion::TestNg => {
            let further = format!("enabled = false, description = {reason}");
            if let Some(test) = head.first_mut() {
                *test = match test.strip_suffix(')') {
                    Some(attributes) => format!("{attributes}, {further})"),
                    None => format!("{test}({further})"),
                };
            }
            return;
        }
    };
    let annotation = scope.import(class);
    head.insert(1, format!("@{annotation}({reason})"));
}

/// Annotations of a test that is a method of its own.
fn single_head(
    scope: &mut Scope,
    (test, apart): (TestSubject<'_>, &Apart),
    display_names: &mut names::UniqueNames,
) -> Vec<String> {
    let annotation = scope.import(scope.version.test_annotation());
    let limit = test
        .outcome()
        .map(|outcome| call::time_limit(scope.version, outcome));
    let mut head = vec![format!("@{annotation}{}", limit.unwrap_or_default())];
    let script = test.script();
    let words = script.map(|script| display::forms_of_script(script, apart));
    let words = words.filter(|words| !words[0].is_empty());
    if let Some(words) = words.filter(|_| scope.version == JunitVersion::Five) {
        let display_name = scope.import("org.junit.jupiter.api.DisplayName");
        let words = display_names.unique_words(words);
        head.push(format!("@{display_name}({})", literal::string(&words)));
    }
    head
}

/// Annotations of a parameterised test, and the method that gives its rows if they are no texts.
fn table_head(
    scope: &mut Scope,
    table: &Table,
    name: &str,
    (names, display_names): (&mut names::UniqueNames, &mut names::UniqueNames),
) -> (Vec<String>, Vec<String>) {
    let parameter = |name: &str| display::placeholder(table.number_of(name).unwrap_or_default());
    let words = display::of_script(&table.script, &parameter);
    let all: Vec<String> = (0..table.columns.len()).map(display::placeholder).collect();
    // Rows are told apart by their values.
    let words = match all.iter().any(|placeholder| words.contains(placeholder)) {
        true => words,
        false => format!("{words} ({})", all.join(", ")),
    };
    let words = display::pattern(
        &display_names.unique_words(vec![words]),
        table.columns.len(),
    );
    let annotation = scope.import("org.junit.jupiter.params.ParameterizedTest");
    let mut head = vec![format!("@{annotation}(name = {})", literal::string(&words))];
    if let Some(rows) = table.texts() {
        let source = scope.import("org.junit.jupiter.params.provider.CsvSource");
        head.push(format!("@{source}({{"));
        let last = rows.len() - 1;
        head.extend(rows.iter().enumerate().map(|(at, row)| {
            let comma = if at == last { "" } else { "," };
            format!("    {row}{comma}")
        }));
        head.push("})".to_owned());
        return (head, Vec::new());
    }
    let method = name.split('_').next().unwrap_or(name);
    let given = names.unique(format!("rowsOf{}", names::capitalised(method)));
    let source = scope.import("org.junit.jupiter.params.provider.MethodSource");
    head.push(format!("@{source}(\"{given}\")"));
    let stream = scope.import("java.util.stream.Stream");
    let arguments = scope.import("org.junit.jupiter.params.provider.Arguments");
    let rows = table.arguments(scope);
    let last = rows.len() - 1;
    let mut behind = vec![
        format!("static {stream}<{arguments}> {given}() {{"),
        format!("    return {stream}.of("),
    ];
    behind.extend(rows.iter().enumerate().map(|(at, row)| {
        let end = if at == last { ");" } else { "," };
        format!("            {arguments}.of({row}){end}")
    }));
    behind.push("}".to_owned());
    (head, behind)
}

impl Members {
    /// Adds an empty line between members.
    fn separate(&mut self) {
        let is_first = self.lines.last().is_none_or(|line| line.ends_with('{'));
        if !is_first {
            self.lines.push(String::new());
        }
    }

    /// Adds a member by its source.
    fn add_source(&mut self, source: &str) {
        self.separate();
        self.lines.extend(source.lines().map(str::to_owned));
    }

    /// Adds a test method at an indentation.
    fn add_method(&mut self, number: usize, method: &WrittenMethod, indentation: usize) {
        // The last line before is that of a class or of another member.
        match self.lines.last() {
            Some(line) if !line.ends_with('{') => self.lines.push(String::new()),
            _ => {}
        }
        let start = self.lines.len();
        for line in &method.head {
            let line = match line.contains("void ") {
                true => broken(line, indentation, self.width),
                false => vec![line.clone()],
            };
            self.lines
                .extend(line.iter().map(|line| indented(line, indentation)));
        }
        let mut observations = BTreeMap::new();
        for line in &method.body {
            let first = self.lines.len();
            let inner = indentation + INDENTATION;
            let parts = line.text.split('\n').flat_map(wrap);
            for part in parts {
                let part = match method.is_script {
                    true => broken(&part, inner, self.width),
                    false => vec![part],
                };
                self.lines
                    .extend(part.iter().map(|line| indented(line, inner)));
            }
            if let Some(seen) = line.observation {
                observations.entry(seen).or_insert(first..first).end = self.lines.len();
            }
        }
        self.lines.push(indented("}", indentation));
        let lines = start..self.lines.len();
        if !method.behind.is_empty() {
            self.lines.push(String::new());
            for line in &method.behind {
                let first = self.lines.len();
                let parts = line.text.split('\n').flat_map(wrap);
                for part in parts {
                    let part = broken(&part, indentation, self.width);
                    self.lines
                        .extend(part.iter().map(|line| indented(line, indentation)));
                }
                if let Some(seen) = line.observation {
                    observations.entry(seen).or_insert(first..first).end = self.lines.len();
                }
            }
        }
        let lines = lines.start..match method.behind.is_empty() {
            true => lines.end,
            false => self.lines.len(),
        };
        self.tests.insert(
            number,
            Placed {
                lines,
                observations,
            },
        );
    }

    /// Tests with their places in the file, whose line `first` is the first one of the members.
    fn placed(
        &self,
        first: usize,
        file: usize,
        units: &[Unit<'_>],
        methods: &[WrittenMethod],
    ) -> (Vec<TestMethod>, Vec<TestRows>) {
        let mut order: Vec<(&usize, &Placed)> = self.tests.iter().collect();
        order.sort_by_key(|(_, placed)| placed.lines.start);
        let (mut singles, mut rows) = (Vec::new(), Vec::new());
        for (&number, placed) in order {
            let shifted = |lines: &Range<usize>| lines.start + first..lines.end + first;
            let lines = shifted(&placed.lines);
            let asserted = self.tests.get(&methods[number].asserting);
            let asserted = &asserted.unwrap_or(placed).observations;
            let count = asserted.keys().last().map_or(0, |last| last + 1);
            let observations = (0..count).map(|seen| {
                let lines = asserted.get(&seen);
                lines.map_or(0..0, shifted)
            });
            let observations = observations.collect();
            let name = methods[number].name.clone();
            match &units[number] {
                Unit::Single(of, _) | Unit::Row(Row { of, .. }) => singles.push(TestMethod {
                    file,
                    name,
                    lines,
                    observations,
                    of: *of,
                }),
                Unit::Table(table) => rows.push(TestRows {
                    file,
                    method: name,
                    lines,
                    observations,
                    of: table.of.clone(),
                }),
            }
        }
        (singles, rows)
    }
}

fn indented(line: &str, indentation: usize) -> String {
    match line {
        "" => String::new(),
        line => format!("{}{line}", " ".repeat(indentation)),
    }
}
