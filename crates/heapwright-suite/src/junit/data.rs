//! Large suites: one parameterised test, and a text file with a line for each structure.
//!
//! [`HEAD`], the file's own head, explains its format. The reader generated into the test
//! (`reader.java`) and this writer must agree, which the end-to-end tests check.

use std::fmt::Write as _;

use super::arguments::{as_raw, literal_argument};
use super::lines::with_actual_first;
use super::scope::Scope;
use super::support::{self, Helper};
use super::{
    FileKind, JunitOutput, JunitVersion, Numbered, TestClassTarget, TestRows, TextFile,
    annotations, build, call, shown_class, tests_of,
};
use crate::types::{MethodDescriptor, element_name, split_array};
use crate::{
    Body, Call, CallOutcome, Case, Field, Literal, Object, Structure, Suite, Value, literal,
};

const HEAD: &str = "\
# Structures and calls for CLASS, written by Heapwright.
# A line is one structure, then calls, each made on a fresh copy of it:
#   @0=Tree root=@1 size=1 ; @1=Tree$Node value=5 | contains(int) 5 -> true | clear() -> void
# @0 is the receiver, @1 and so on are the objects it refers to. Fields that are not named are
# null, 0 or false; Base#next is the field next of Base where a subclass hides it. Arrays are
# int[3] 1 2 3, boxes Integer:5, enum constants enum:Color:RED, chars 'a' and strings \"a\", with
# the escapes of Java. A class without a package is one of this package.
# After -> is what was observed: void, a value, @1 for that object, object for any but null,
# object:C for one of class C, throws:C for an exception of class C. A call that ends in
# \"broken\" leaves an object that the invariant rejects.
";

const READER: &str = include_str!("reader.java");
/// Parser of lines of either form.
const LINES: &str = include_str!("lines.java");
/// Part of it for arguments that the test has in Java.
const READ_SOURCE: &str = "\
        if (word.startsWith(\"source:\")) {
            return source(Integer.parseInt(word.substring(7)));
        }
";
/// Line of a file's head on such arguments.
const SOURCES: &str = "# source:0 is the argument that the test has under this number.\n";
/// Line of a file's head on calls after a call.
const LATER: &str = "# After \"then\" comes a call on the same structure that shows its state.\n";
/// Statements that make the calls after a call.
const CHECK_LATER: &str = "            \
            List<List<String>> later = split(call, \"then\");
            for (List<String> question : later.subList(1, later.size())) {
                check(question, objects);
            }
";

/// Writes the test class and the data file.
pub(super) fn write(
    suite: &Suite,
    cases: &[Numbered<'_, Case>],
    target: &TestClassTarget,
) -> JunitOutput {
    let mut lines = Lines::new(target);
    let mut data = String::new();
    let mut of = Vec::new();
    for &(number, case) in cases {
        let tests = tests_of(suite, (number, case));
        if !tests.is_empty() {
            of.extend(tests);
            data.push_str(&lines.case(case, suite.invariant.is_some()));
            data.push('\n');
        }
    }
    if of.is_empty() {
        return JunitOutput::default();
    }
    let resource = format!("{}.structures.txt", target.class);
    let files = vec![
        TextFile {
            path: target.path(&format!("{}.java", target.class)),
            kind: FileKind::Source,
            contents: test_class(suite, target, &resource, &lines),
        },
        TextFile {
            path: target.path(&resource),
            kind: FileKind::Resource,
            contents: lines.head(HEAD, suite) + &data,
        },
    ];
    JunitOutput {
        files,
        rows: vec![TestRows::of_data(of)],
        ..JunitOutput::default()
    }
}

fn test_class(suite: &Suite, target: &TestClassTarget, resource: &str, lines: &Lines) -> String {
    let mut scope = Scope::new(suite, target);
    scope.helper(Helper::Allocate);
    for name in [
        "Array",
        "Constructor",
        "Field",
        "InvocationTargetException",
        "Method",
        "RecordComponent",
    ] {
        scope.import(&format!("java.lang.reflect.{name}"));
    }
    let holds = suite.invariant.as_ref().map(|invariant| {
        format!(
            "Method method = Class.forName({}).getDeclaredMethod({});\n        \
             method.setAccessible(true);\n        \
             return (boolean) method.invoke(root);",
            literal::string(&invariant.declaring_class),
            literal::string(&invariant.name),
        )
    });
    reading_class(
        suite,
        target,
        &mut scope,
        resource,
        holds.as_deref(),
        READER,
        lines,
    )
}

/// Test class that reads a data file. `holds` is the expression of the invariant on `root`;
/// `reader` has the methods `build` and `check`.
pub(super) fn reading_class(
    suite: &Suite,
    target: &TestClassTarget,
    scope: &mut Scope,
    resource: &str,
    holds: Option<&str>,
    reader: &str,
    lines: &Lines,
) -> String {
    let sources = lines.method(scope);
    let lines = match sources.is_empty() {
        true => LINES.replace(READ_SOURCE, ""),
        false => LINES.to_owned(),
    };
    for name in ["assertEquals", "assertNotNull", "assertSame"] {
        scope.assertion(name);
    }
    for name in [
        "java.io.BufferedReader",
        "java.io.FileNotFoundException",
        "java.io.IOException",
        "java.io.InputStream",
        "java.io.InputStreamReader",
        "java.nio.charset.StandardCharsets",
        "java.util.ArrayList",
        "java.util.List",
    ] {
        scope.import(name);
    }
    let class = literal::ascii(&target.class);
    let (annotation, test) = match target.version {
        JunitVersion::Five => {
            let parameterized = scope.import("org.junit.jupiter.params.ParameterizedTest");
            let source = scope.import("org.junit.jupiter.params.provider.MethodSource");
            let test = format!(
                "    @{parameterized}(name = \"{{0}}\")\n    @{source}(\"read\")\n    \
                 void behaviour(String name, List<String> structure, List<String> call)\n            \
                 throws Throwable {{\n"
            );
            (String::new(), test)
        }
        JunitVersion::Four => {
            let run_with = scope.import("org.junit.runner.RunWith");
            let parameterized = scope.import("org.junit.runners.Parameterized");
            let test_name = scope.import(target.version.test_annotation());
            let test = format!(
                "    private final List<String> structure;\n    private final List<String> call;\n\n    \
                 public {class}(String name, List<String> structure, List<String> call) {{\n        \
                 this.structure = structure;\n        this.call = call;\n    }}\n\n    \
                 @{parameterized}.Parameters(name = \"{{0}}\")\n    \
                 public static List<Object[]> behaviours() throws IOException {{\n        \
                 return read();\n    }}\n\n    \
                 @{test_name}\n    public void behaviour() throws Throwable {{\n"
            );
            (format!("@{run_with}({parameterized}.class)\n"), test)
        }
        JunitVersion::TestNg => {
            let provider = scope.import("org.testng.annotations.DataProvider");
            let test_name = scope.import(target.version.test_annotation());
            let test = format!(
                "    @{provider}\n    public static Object[][] behaviours() throws IOException {{\n        \
                 return read().toArray(new Object[0][]);\n    }}\n\n    \
                 @{test_name}(dataProvider = \"behaviours\")\n    \
                 public void behaviour(String name, List<String> structure, List<String> call)\n            \
                 throws Throwable {{\n"
            );
            (String::new(), test)
        }
    };
    let mut test = test;
    test.push_str("        Object[] objects = build(structure);\n");
    let mut invariant_source = String::new();
    let call_line = "        if (!call.isEmpty()) {\n            check(call, objects);\n";
    let later = match has_later(suite) {
        true => CHECK_LATER,
        false => "",
    };
    match holds {
        None => test.push_str(&format!("{call_line}{later}        }}\n")),
        Some(holds) => {
            test.push_str("        assertEquals(true, holds(objects[0]));\n");
            test.push_str(call_line);
            test.push_str(
                "            assertEquals(!call.contains(\"broken\"), holds(objects[0]));\n",
            );
            test.push_str(&format!("{later}        }}\n"));
            let _ = write!(
                invariant_source,
                "\n    /** What the invariant says. */\n    \
                 private static boolean holds(Object root) throws Throwable {{\n        \
                 {holds}\n    }}\n",
            );
        }
    }
    test.push_str("    }\n");
    let package = match scope.package.as_str() {
        "" => String::new(),
        package => format!("{package}."),
    };
    let reader = format!("{reader}{lines}{sources}").replace("CLASS", &class);
    let in_order = |text: String| match target.version {
        JunitVersion::TestNg => with_actual_first(&text),
        JunitVersion::Four | JunitVersion::Five => text,
    };
    let test = scope.unshadow(&in_order(test + &invariant_source));
    let reader = scope.unshadow(&in_order(reader));
    format!(
        "{head}/**\n * Behaviour of {under_test}, written by Heapwright: every line of\n * \
         <code>{resource}</code> is a structure and the calls to make on it.\n */\n\
         {annotation}{annotations}{visibility}class {class} {{\n    \
         private static final String FILE = {file};\n    \
         private static final String PACKAGE = {package};\n\n{test}{reader}\
         {helpers}}}\n",
        head = scope.head(),
        under_test = shown_class(suite),
        resource = literal::ascii(resource),
        annotations = annotations(suite, scope),
        visibility = target.version.visibility(),
        file = literal::string(resource),
        package = literal::string(&package),
        helpers = scope.unshadow(&support::sources(&scope.helpers)),
    )
}

/// Whether calls of a suite have calls after them.
fn has_later(suite: &Suite) -> bool {
    let mut calls = suite.cases.iter().flat_map(|case| &case.calls);
    calls.any(|call| !call.then.is_empty())
}

/// Writer of lines; class names are relative to the package of the tests.
pub(super) struct Lines {
    package: String,
    /// Literals that data cannot represent; a line names them by their index.
    sources: Vec<Literal>,
}

impl Lines {
    pub fn new(target: &TestClassTarget) -> Lines {
        Lines {
            package: target.package.clone(),
            sources: Vec::new(),
        }
    }

    /// Head of the file, with what it says of literals that the test has.
    pub fn head(&self, head: &str, suite: &Suite) -> String {
        let sources = match self.sources.is_empty() {
            true => "",
            false => SOURCES,
        };
        let later = match has_later(suite) {
            true => LATER,
            false => "",
        };
        head.replace("CLASS", &shown_class(suite)) + later + sources
    }

    /// Method of the test that returns the literals which data cannot represent; empty without any.
    pub fn method(&self, scope: &mut Scope) -> String {
        if self.sources.is_empty() {
            return String::new();
        }
        let mut text = "\n    /** Arguments that lines name by their numbers. */\n    \
                        @SuppressWarnings({\"rawtypes\", \"unchecked\"})\n    \
                        private static Object source(int number) {\n        switch (number) {\n"
            .to_owned();
        for (number, literal) in self.sources.iter().enumerate() {
            let source = literal_argument(scope, &as_raw(literal)).source;
            // An anonymous class has several lines.
            let source = source.replace('\n', "\n                ");
            let source = source.replace("\n                \n", "\n\n");
            let _ = writeln!(
                text,
                "            case {number}:\n                return {source};"
            );
        }
        text.push_str(
            "            default:\n                throw new IllegalArgumentException(\"source:\" + number);\n        \
             }\n    }\n",
        );
        text
    }

    pub fn package(&self) -> &str {
        &self.package
    }

    fn case(&mut self, case: &Case, has_invariant: bool) -> String {
        let mut line = self.structure(&case.input);
        for call in &case.calls {
            line.push_str(" | ");
            line.push_str(&self.call(&case.input, call));
            if has_invariant && !call.invariant_holds_after {
                line.push_str(" broken");
            }
            for later in &call.then {
                let _ = write!(line, " then {}", self.call(&case.input, later));
            }
        }
        line
    }

    fn structure(&self, structure: &Structure) -> String {
        let objects = &structure.objects;
        let records = build::record_order(structure).unwrap_or_default();
        let others = (0..objects.len()).filter(|index| !records.contains(index));
        let parts: Vec<String> = others
            .chain(records.iter().copied())
            .map(|index| format!("@{index}={}", self.object(&objects[index])))
            .collect();
        parts.join(" ; ")
    }

    fn object(&self, object: &Object) -> String {
        let name = &object.class.name;
        match &object.body {
            Body::Boxed(value) => boxed(*value),
            Body::String(text) => literal::string(text),
            Body::EnumConstant(constant) => self.constant(name, constant),
            Body::Array(elements) => {
                let element = self.class(&element_name(name));
                let mut line = format!("{element}[{}]", elements.len());
                if !elements.iter().all(|value| value.is_default()) {
                    for value in elements {
                        let _ = write!(line, " {}", literal::plain(*value));
                    }
                }
                line
            }
            Body::Fields(fields) => {
                let mut line = self.class(name);
                let is_record = build::is_record(object);
                for (at, field) in fields.iter().enumerate() {
                    if field.value.is_default() && !is_record {
                        continue;
                    }
                    let sig = &field.sig;
                    line.push(' ');
                    if Field::is_hidden(fields, at) {
                        let _ = write!(line, "{}#", self.class(&sig.declaring_class));
                    }
                    let name = literal::ascii(&sig.name);
                    let _ = write!(line, "{name}={}", literal::plain(field.value));
                }
                line
            }
        }
    }

    fn call(&mut self, input: &Structure, call: &Call) -> String {
        let method = &call.method;
        let mut line = String::new();
        if input.objects.first().map(|root| &root.class.name) != Some(&method.declaring_class) {
            let _ = write!(line, "{}#", self.class(&method.declaring_class));
        }
        if let Ok(types) = MethodDescriptor::parse(&method.descriptor) {
            line.push_str(&literal::ascii(&call::signature(
                &method.name,
                method.has_twin,
                &types,
            )));
        }
        for argument in &call.args {
            let _ = write!(line, " {}", self.literal(argument));
        }
        line.push_str(" -> ");
        line.push_str(&self.outcome(&call.outcome));
        line
    }

    pub fn outcome(&mut self, outcome: &CallOutcome) -> String {
        match outcome {
            // Failed requirements are written as source only.
            CallOutcome::ReturnedVoid | CallOutcome::Failed(_) => "void".to_owned(),
            CallOutcome::Returned(literal) => self.literal(literal),
            CallOutcome::ReturnedObject { class: None } => "object".to_owned(),
            CallOutcome::ReturnedObject { class: Some(class) } => {
                format!("object:{}", self.class(class))
            }
            CallOutcome::Threw { class, .. } => format!("throws:{}", self.class(&class.name)),
        }
    }

    pub fn literal(&mut self, literal: &Literal) -> String {
        match literal {
            Literal::Value(value) => literal::plain(*value),
            Literal::Boxed(value) => boxed(*value),
            Literal::String(text) => literal::string(text),
            Literal::EnumConstant { class, name } => self.constant(&class.name, name),
            Literal::StaticField { class, name, .. } => {
                format!("field:{}:{}", self.class(&class.name), literal::ascii(name))
            }
            // Objects made by calls are written as numbers; data has no parameters.
            Literal::Made(_) | Literal::Parameter { .. } => String::new(),
            Literal::Class(_)
            | Literal::Array { .. }
            | Literal::Held { .. }
            | Literal::Lambda { .. }
            | Literal::New(_)
            | Literal::Contents { .. }
            | Literal::Factory { .. } => {
                let known = self.sources.iter().position(|known| known == literal);
                let number = known.unwrap_or_else(|| {
                    self.sources.push(literal.clone());
                    self.sources.len() - 1
                });
                format!("source:{number}")
            }
        }
    }

    fn constant(&self, class: &str, name: &str) -> String {
        format!("enum:{}:{}", self.class(class), literal::ascii(name))
    }

    /// Name of a class, relative to the package.
    pub fn class(&self, binary_name: &str) -> String {
        let (element, dimensions) = split_array(binary_name);
        let short = element
            .strip_prefix(&self.package)
            .and_then(|rest| rest.strip_prefix('.'))
            .filter(|rest| !rest.contains('.'))
            .unwrap_or(&element);
        format!("{}{}", literal::ascii(short), "[]".repeat(dimensions))
    }
}

/// Text of a box: `Integer:5`, `Character:'a'`.
fn boxed(value: Value) -> String {
    let class = value.box_class().unwrap_or_default();
    let simple = class.trim_start_matches("java.lang.");
    format!("{simple}:{}", literal::plain(value))
}
