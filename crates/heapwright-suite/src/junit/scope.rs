//! Names that a generated source file may use, and those that it uses.
//!
//! A type is named if the model permits it. Top-level classes of the JDK's `java.*` packages and
//! of the tests' own package are named, too. Other types are accessed by reflection.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::build::{OBJECT, OBJECTS};
use super::set_up::Roles;
use super::stub_calls::{KeptCalls, KeptStates};
use super::stub_classes::StubClass;
use super::support::Helper;
use super::{AssertionLibrary, Isolation, JunitVersion, TestClassTarget, TestOrigin};
use crate::types::{package, split_array};
use crate::variables::is_valid_source_name;
use crate::{
    Access, AnonymousBody, CallOutcome, ClassSig, Input, Literal, Observation, Requirement, Script,
    Statement, Step, StubCalls, Suite, literal,
};

/// Names of one source file, and its imports and helpers.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    pub version: JunitVersion,
    pub isolation: Isolation,
    pub package: String,
    classes: BTreeMap<String, ClassSig>,
    /// First part of every source name in the tests' own package, which an import would shadow.
    own_names: BTreeSet<String>,
    pub helpers: BTreeSet<Helper>,
    /// Library of the assertions.
    assertion_library: AssertionLibrary,
    /// Whether tests can have parameters.
    pub has_parameters: bool,
    /// Whether the framework has an assertion for exceptions.
    pub has_throws: bool,
    /// Whether AssertJ has `assertThatObject`.
    pub has_that_object: bool,
    /// Whether tests can set fields by `ReflectionTestUtils` of Spring's tests.
    pub has_reflection_utils: bool,
    /// Feature version of Java whose language and library the tests may use.
    pub release: u32,
    /// Whether arrangement that tests have in common is made once.
    pub shares_arrangement: bool,
    /// Number of columns from which lines are broken.
    pub width: usize,
    /// Static members that are imported, with their classes.
    static_imports: BTreeSet<String>,
    /// Statements that make the mocks of the current test; `None` where there is no place for them.
    pub preparations: Option<Vec<String>>,
    /// Exceptions that the methods called to stub them declare, in the current test.
    pub stubbed_exceptions: Vec<String>,
    /// Imported types, by simple name.
    imports: BTreeMap<String, String>,
    pub uses_raw_types: bool,
    /// Further warnings that the class suppresses.
    pub suppressed: BTreeSet<String>,
    /// Reasons for which tests are disabled.
    pub disabled: BTreeMap<TestOrigin, String>,
    /// Local variables of the current test.
    pub locals: BTreeSet<String>,
    /// Parameters of the current test.
    pub parameters: BTreeSet<String>,
    /// Variables that keep the calls of stubs, in the current test.
    pub kept_calls: Vec<KeptCalls>,
    /// Variables that keep what arguments of these calls were like, in the current test.
    pub kept_states: Vec<KeptStates>,
    /// Stub whose methods are written.
    pub written_stub: Option<usize>,
    /// Nested classes of stubs.
    pub stub_classes: Vec<StubClass>,
    /// Parts of the arrangement that the tests of the class share, in the current test.
    pub roles: Roles,
}

impl Scope {
    pub fn new(suite: &Suite, target: &TestClassTarget) -> Scope {
        let mut scope = Scope {
            version: target.version,
            isolation: match target.version {
                JunitVersion::Five => target.isolation,
                JunitVersion::Four | JunitVersion::TestNg => Isolation::None,
            },
            package: target.package.clone(),
            classes: BTreeMap::new(),
            own_names: suite.hides.iter().cloned().collect(),
            helpers: BTreeSet::new(),
            assertion_library: target.assertions,
            has_parameters: target.has_parameters && target.version == JunitVersion::Five,
            has_throws: target.has_throws,
            has_that_object: target.has_that_object,
            has_reflection_utils: target.has_reflection_utils,
            release: target.release,
            shares_arrangement: target.shares_arrangement,
            width: target.width,
            static_imports: BTreeSet::new(),
            preparations: None,
            stubbed_exceptions: Vec::new(),
            imports: BTreeMap::new(),
            uses_raw_types: false,
            suppressed: target.suppressed.clone(),
            disabled: target.disabled.clone(),
            locals: BTreeSet::new(),
            parameters: BTreeSet::new(),
            kept_calls: Vec::new(),
            kept_states: Vec::new(),
            written_stub: None,
            stub_classes: Vec::new(),
            roles: Roles::default(),
        };
        scope.declare(&suite.class_under_test);
        for case in &suite.cases {
            for object in &case.input.objects {
                scope.declare(&object.class);
            }
            for step in case.sequences().flat_map(|sequence| &sequence.steps) {
                scope.declare_step(step);
            }
            for call in &case.calls {
                for argument in &call.args {
                    scope.declare_literal(argument);
                }
                scope.declare_outcome(&call.outcome);
            }
        }
        for script in &suite.scripts {
            scope.declare_script(script);
        }
        let resetting = super::script::resetting(suite);
        scope.declare_script(&resetting);
        let scripts = suite.scripts.iter().chain([&resetting]);
        let made = scripts.flat_map(|script| &script.statements);
        for array in made.filter_map(Statement::made) {
            scope.declare_element(array);
        }
        scope
    }

    fn declare_outcome(&mut self, outcome: &CallOutcome) {
        match outcome {
            CallOutcome::Returned(literal) => self.declare_literal(literal),
            CallOutcome::Threw { class, .. } => self.declare(class),
            CallOutcome::Failed(Requirement::Agrees(other)) => self.declare(&other.class),
            CallOutcome::ReturnedVoid
            | CallOutcome::ReturnedObject { .. }
            | CallOutcome::Failed(_) => {}
        }
    }

    fn declare_script(&mut self, script: &Script) {
        for statement in &script.statements {
            let contents = statement.contents.iter().map(|class| &**class);
            for class in statement.made().into_iter().chain(contents) {
                self.declare(class);
            }
        }
        for step in script.calls() {
            self.declare_step(step);
        }
        for access in script.fields() {
            self.declare(&access.class);
        }
        for literal in script.literals() {
            self.declare_literal(literal);
        }
        for seen in &script.after {
            match seen {
                Observation::Cause { class }
                | Observation::Calls {
                    asserted: StubCalls::Argument { class, .. } | StubCalls::State { class, .. },
                    ..
                } => self.declare(class),
                _ => {}
            }
        }
        self.declare_outcome(&script.outcome);
    }

    fn declare_step(&mut self, step: &Step) {
        let casts = step.spelling.iter().flat_map(|spelling| {
            spelling
                .cast_contents
                .iter()
                .flatten()
                .chain(&spelling.cast_classes)
        });
        for class in step.made.iter().chain([&step.class]).chain(casts) {
            self.declare(class);
        }
        let named = step.body.iter().flat_map(AnonymousBody::classes);
        for class in named.filter(|class| !is_primitive(&class.name)) {
            self.declare(class);
            self.declare_element(class);
        }
        for input in step.arguments.iter().chain(step.answers()) {
            if let Input::Literal(literal) = input {
                self.declare_literal(literal);
            }
        }
    }

    fn declare_literal(&mut self, literal: &Literal) {
        match literal {
            Literal::EnumConstant { class, .. } | Literal::StaticField { class, .. } => {
                self.declare(class);
            }
            Literal::Array { elements, .. }
            | Literal::Held { elements, .. }
            | Literal::Contents { elements, .. } => {
                for element in elements {
                    self.declare_literal(element);
                }
            }
            Literal::Lambda {
                interface, answer, ..
            } => {
                self.declare(interface);
                if let Some(answer) = answer {
                    self.declare_literal(answer);
                }
            }
            Literal::Factory { class, of, .. } => {
                self.declare(class);
                if let Some(of) = of {
                    self.declare(of);
                }
            }
            Literal::Class(class) => self.declare(class),
            Literal::New(step) => self.declare_step(step),
            _ => {}
        }
    }

    /// Declares the element type of an array class, unless it is declared.
    fn declare_element(&mut self, array: &ClassSig) {
        let (element, dimensions) = split_array(&array.name);
        if dimensions > 0
            && !is_primitive(&element)
            && let Some(name) = &array.source_name
        {
            self.declare(&ClassSig {
                // Conservative: the model does not tell whether it is generic.
                is_generic: !is_plain_library_class(&element),
                ..ClassSig::named(&element, name.trim_end_matches("[]"))
            });
        }
    }

    fn declare(&mut self, class: &ClassSig) {
        for argument in &class.arguments {
            self.declare(argument);
        }
        if class.name.starts_with('[') || self.classes.contains_key(&class.name) {
            return;
        }
        if package(&class.name) == self.package
            && let Some(name) = &class.source_name
        {
            let first = self
                .relative(name, &self.package)
                .split('.')
                .next()
                .unwrap_or_default();
            self.own_names.insert(first.to_owned());
        }
        self.classes.insert(class.name.clone(), class.clone());
    }

    /// Copy for another file, with the same names and nothing used.
    pub fn fresh(&self) -> Scope {
        Scope {
            helpers: BTreeSet::new(),
            static_imports: BTreeSet::new(),
            imports: BTreeMap::new(),
            uses_raw_types: false,
            ..self.clone()
        }
    }

    /// Source name of a class, given by its name from `Class.getName()`; `None` if it cannot be
    /// named.
    pub fn type_name(&mut self, binary_name: &str) -> Option<String> {
        let (element, dimensions) = split_array(binary_name);
        let name = match self.classes.get(&element) {
            Some(class) => {
                self.uses_raw_types |= class.is_generic;
                class.source_name.clone()?
            }
            None if is_primitive(&element) => element.clone(),
            None if element.contains('$') => return None,
            None if element.starts_with("java.") || package(&element) == self.package => {
                // Conservative: the model does not tell whether it is generic.
                self.uses_raw_types |= !is_plain_library_class(&element);
                element.clone()
            }
            None => return None,
        };
        if !is_primitive(&element) && !is_valid_source_name(&name) {
            return None;
        }
        let short = self.shortened(&name, &package(&element));
        let brackets = "[]".repeat(dimensions);
        Some(format!("{}{brackets}", literal::ascii(&short)))
    }

    /// Class with its type arguments; `None` if there are none or one cannot be named.
    pub fn parameterized(&mut self, class: &str, contents: &[Arc<ClassSig>]) -> Option<String> {
        if contents.is_empty() {
            return None;
        }
        let contents = contents.iter().map(|held| match held.arguments.is_empty() {
            true => self.type_name(&held.name),
            false => self.parameterized(&held.name, &held.arguments),
        });
        let contents: Option<Vec<String>> = contents.collect();
        let contents = contents?.join(", ");
        Some(format!("{}<{contents}>", self.bare_name(class)?))
    }

    /// Source name where a generic class without type arguments is no raw type: before a static
    /// member or `.class`, or with a diamond.
    pub fn bare_name(&mut self, binary_name: &str) -> Option<String> {
        let uses_raw_types = self.uses_raw_types;
        let name = self.type_name(binary_name);
        self.uses_raw_types = uses_raw_types;
        name
    }

    /// Type of a variable for objects of a class, as a binary name and as a source name. It is
    /// the class itself if it can be named.
    pub fn variable_type(&mut self, class: &str) -> (String, String) {
        if let Some(name) = self.type_name(class) {
            return (class.to_owned(), name);
        }
        let is_array = class.starts_with('[');
        let general = if is_array { OBJECTS } else { OBJECT };
        (
            general.to_owned(),
            self.type_name(general).unwrap_or_default(),
        )
    }

    /// Whether the tests may use a member with this access in a class.
    pub fn can_use(&self, access: Access, declaring_class: &str) -> bool {
        match access {
            Access::Private => false,
            Access::Package | Access::Protected => package(declaring_class) == self.package,
            Access::Public => true,
        }
    }

    /// Shortest valid form of a source name without an import; `of` is the class's package.
    fn relative<'n>(&self, name: &'n str, of: &str) -> &'n str {
        let strip = |package: &str| name.strip_prefix(package)?.strip_prefix('.');
        if let Some(short) = strip("java.lang") {
            if !short.contains('.') && !self.own_names.contains(short) {
                return short;
            }
        } else if of == self.package
            && !of.is_empty()
            && let Some(short) = strip(of)
        {
            return short;
        }
        name
    }

    /// Shortest valid form of a source name, with an import if possible; for a member class its
    /// outermost class is imported.
    fn shortened(&mut self, name: &str, of: &str) -> String {
        let short = self.relative(name, of);
        let prefix = format!("{of}.");
        let Some(behind) = short.strip_prefix(&prefix).filter(|_| !of.is_empty()) else {
            return short.to_owned();
        };
        let outermost = behind.split('.').next().unwrap_or(behind);
        // A variable could hide a name that begins with a lower-case letter.
        let is_known = !outermost.starts_with(|first: char| first.is_ascii_uppercase())
            || JAVA_LANG.split_whitespace().any(|known| known == outermost)
            || LIBRARY_TYPES
                .iter()
                .any(|(package, names)| *package != of && names.contains(&outermost));
        let qualified = format!("{prefix}{outermost}");
        match !is_known && self.import(&qualified) == outermost {
            true => behind.to_owned(),
            false => short.to_owned(),
        }
    }

    /// Imports a type unless its simple name is taken; returns the name to use.
    pub fn import(&mut self, qualified: &str) -> String {
        let simple = qualified.rsplit('.').next().unwrap_or(qualified);
        let is_other = |imported: &String| imported != qualified;
        if self.is_shadowing(qualified) || self.imports.get(simple).is_some_and(is_other) {
            return qualified.to_owned();
        }
        self.imports.insert(simple.to_owned(), qualified.to_owned());
        simple.to_owned()
    }

    /// Name for a nested class that hides no other one; `None` if it is taken.
    pub fn free_class(&self, name: &str) -> Option<String> {
        let is_of = |class: &ClassSig| {
            let source = class.source_name.as_deref().unwrap_or_default();
            source.split('.').any(|part| part == name)
        };
        let is_taken = self.is_shadowing(name)
            || self.imports.contains_key(name)
            || self.classes.values().any(is_of);
        (!is_taken).then(|| name.to_owned())
    }

    /// Name of a class of `java.lang`: the simple name, or the full one if the package hides it.
    pub fn lang(&self, simple: &str) -> String {
        match self.is_shadowing(simple) {
            true => format!("java.lang.{simple}"),
            false => simple.to_owned(),
        }
    }

    /// Removes imports that a text does not use.
    pub fn keep_imports_of(&mut self, text: &str) {
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
        let words: BTreeSet<&str> = text.split(|letter| !is_part(letter)).collect();
        self.imports
            .retain(|simple, _| words.contains(literal::ascii(simple).as_str()));
        let is_used = |member: &String| {
            member
                .rsplit('.')
                .next()
                .is_some_and(|name| words.contains(name))
        };
        self.static_imports.retain(is_used);
    }

    fn is_shadowing(&self, qualified: &str) -> bool {
        let simple = qualified.rsplit('.').next().unwrap_or(qualified);
        self.own_names.contains(simple)
    }

    /// Qualifies the library's types in generated text if the package has a class of the same
    /// simple name.
    pub fn unshadow(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (package, names) in LIBRARY_TYPES {
            for simple in names.iter().filter(|name| self.own_names.contains(**name)) {
                text = qualify(&text, package, simple);
            }
        }
        text
    }

    /// Whether assertions are those of AssertJ.
    pub fn uses_assertj(&self) -> bool {
        self.assertion_library == AssertionLibrary::AssertJ
    }

    /// Imports an assertion of AssertJ, or else of the test framework; returns its name.
    pub fn assertion(&mut self, name: &'static str) -> &'static str {
        let owner = match name.starts_with("assertThat") {
            true => ASSERTJ,
            false => self.version.assertions_class(),
        };
        self.static_import(owner, name)
    }

    /// Imports a static member of a class; returns its name.
    pub fn static_import(&mut self, class: &str, name: &'static str) -> &'static str {
        self.static_imports.insert(format!("{class}.{name}"));
        name
    }

    /// Marks a helper method as used.
    pub fn helper(&mut self, helper: Helper) {
        self.helpers.insert(helper);
    }

    /// Package statement and imports, each group followed by an empty line.
    pub fn head(&self) -> String {
        let mut head = String::new();
        if !self.package.is_empty() {
            head.push_str(&format!("package {};\n\n", literal::ascii(&self.package)));
        }
        for member in &self.static_imports {
            head.push_str(&format!("import static {member};\n"));
        }
        if !self.static_imports.is_empty() {
            head.push('\n');
        }
        let mut imports: BTreeSet<String> = self.imports.values().cloned().collect();
        imports.extend(super::support::imports(&self.helpers));
        imports.retain(|name| !self.is_shadowing(name));
        for name in &imports {
            head.push_str(&format!("import {};\n", literal::ascii(name)));
        }
        if !imports.is_empty() {
            head.push('\n');
        }
        head
    }
}

/// Class of AssertJ's assertions.
const ASSERTJ: &str = "org.assertj.core.api.Assertions";

/// Types that sources name without an import; classes with these names are never imported.
const JAVA_LANG: &str = "AbstractMethodError Appendable ArithmeticException ArrayIndexOutOfBoundsException \
    ArrayStoreException AssertionError AutoCloseable Boolean BootstrapMethodError Byte CharSequence \
    Character Class ClassCastException ClassCircularityError ClassFormatError ClassLoader \
    ClassNotFoundException ClassValue CloneNotSupportedException Cloneable Comparable Compiler Deprecated \
    Double Enum EnumConstantNotPresentException Error Exception ExceptionInInitializerError Float \
    FunctionalInterface IO IllegalAccessError IllegalAccessException IllegalArgumentException \
    IllegalCallerException IllegalMonitorStateException IllegalStateException IllegalThreadStateException \
    IncompatibleClassChangeError IndexOutOfBoundsException InheritableThreadLocal InstantiationError \
    InstantiationException Integer InternalError InterruptedException Iterable LayerInstantiationException \
    LinkageError Long MatchException Math Module ModuleLayer NegativeArraySizeException \
    NoClassDefFoundError NoSuchFieldError NoSuchFieldException NoSuchMethodError NoSuchMethodException \
    NullPointerException Number NumberFormatException Object OutOfMemoryError Override Package Process \
    ProcessBuilder ProcessHandle Readable Record ReflectiveOperationException Runnable Runtime \
    RuntimeException RuntimePermission SafeVarargs ScopedValue SecurityException SecurityManager Short \
    StackOverflowError StackTraceElement StackWalker StrictMath String StringBuffer StringBuilder \
    StringIndexOutOfBoundsException StringTemplate SuppressWarnings System Thread ThreadDeath ThreadGroup \
    ThreadLocal Throwable TypeNotPresentException UnknownError UnsatisfiedLinkError \
    UnsupportedClassVersionError UnsupportedOperationException VerifyError VirtualMachineError Void \
    WrongThreadException";

/// Library types that generated text names.
const LIBRARY_TYPES: [(&str, &[&str]); 5] = [
    (
        "java.io",
        &[
            "BufferedReader",
            "FileNotFoundException",
            "IOException",
            "InputStream",
            "InputStreamReader",
        ],
    ),
    (
        "java.lang",
        &[
            "Boolean",
            "Byte",
            "Character",
            "Class",
            "Double",
            "Enum",
            "Exception",
            "Float",
            "IllegalArgumentException",
            "Integer",
            "Iterable",
            "Long",
            "NoSuchFieldException",
            "NoSuchMethodException",
            "Number",
            "Object",
            "Short",
            "String",
            "StringBuilder",
            "Throwable",
        ],
    ),
    (
        "java.lang.reflect",
        &[
            "Array",
            "Constructor",
            "Field",
            "InvocationTargetException",
            "Method",
            "RecordComponent",
        ],
    ),
    ("java.nio.charset", &["StandardCharsets"]),
    (
        "java.util",
        &[
            "ArrayList",
            "Arrays",
            "Iterator",
            "LinkedHashMap",
            "LinkedHashSet",
            "List",
            "Map",
            "PriorityQueue",
            "Set",
            "SortedMap",
            "SortedSet",
        ],
    ),
];

/// Qualifies a simple name wherever it occurs as a separate word.
fn qualify(text: &str, package: &str, simple: &str) -> String {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '"');
    let mut qualified = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(simple) {
        let (before, from) = rest.split_at(at);
        let after = &from[simple.len()..];
        qualified.push_str(before);
        let is_word = !before.ends_with(is_part)
            && !after.starts_with(|next: char| next.is_alphanumeric() || next == '_');
        if is_word {
            qualified.push_str(package);
            qualified.push('.');
        }
        qualified.push_str(simple);
        rest = after;
    }
    qualified + rest
}

fn is_primitive(name: &str) -> bool {
    matches!(
        name,
        "boolean" | "byte" | "short" | "char" | "int" | "long" | "float" | "double"
    )
}

fn is_plain_library_class(name: &str) -> bool {
    matches!(
        name,
        "java.lang.Object"
            | "java.lang.String"
            | "java.lang.CharSequence"
            | "java.lang.Number"
            | "java.lang.Boolean"
            | "java.lang.Byte"
            | "java.lang.Short"
            | "java.lang.Character"
            | "java.lang.Integer"
            | "java.lang.Long"
            | "java.lang.Float"
            | "java.lang.Double"
    ) || name.ends_with("Exception")
        || name.ends_with("Error")
}
