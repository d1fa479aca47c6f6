//! Large suites of cases made by calls: one parameterised test, and a text file with a line of
//! calls for each case.
//!
//! [`HEAD`], the file's own head, explains its format. The reader in the test (`calls.java`)
//! makes each call by a switch over the methods that the file names, so that calls are plain Java
//! here, too.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::arguments::ArgumentExpression;
use super::call;
use super::data::{Lines, reading_class};
use super::scope::Scope;
use super::{FileKind, JunitOutput, Numbered, TestClassTarget, TestRows, TextFile, tests_of};
use crate::types::{MethodDescriptor, binary_name};
use crate::{
    Access, Call, Case, Input, InvariantSig, Literal, MethodSig, Sequence, Suite, literal,
};

const HEAD: &str = "\
# Calls for CLASS, written by Heapwright.
# A line makes one object by calls, and then says what further calls do, each on a fresh one:
#   @0=Tree#new() ; @0.add(int) 5 | contains(int) 5 -> true | clear() -> void
# @0 is the object, @1 and so on are others that calls take; Tree#new(int) is a constructor and
# Tree#of(int) a static method. Boxes are Integer:5, enum constants enum:Color:RED, static fields
# field:Tree:ORDER, chars 'a' and strings \"a\", with the escapes of Java. A class without a package is one of this package.
# After -> is what was observed: void, a value, @0 for the object itself, object for any but null,
# object:C for one of class C, throws:C for an exception of class C. A call that ends in
# \"broken\" leaves an object that the invariant rejects.
";

const READER: &str = include_str!("calls.java");

/// Writes the test class and the data file.
pub(super) fn write(
    suite: &Suite,
    cases: &[Numbered<'_, Case>],
    target: &TestClassTarget,
) -> JunitOutput {
    let mut writer = CallsDataWriter {
        suite,
        scope: Scope::new(suite, target),
        lines: Lines::new(target),
        branches: BTreeMap::new(),
    };
    let mut data = String::new();
    let mut of = Vec::new();
    for &(number, case) in cases {
        let tests = tests_of(suite, (number, case));
        if !tests.is_empty() {
            of.extend(tests);
            data.push_str(&writer.case(case));
            data.push('\n');
        }
    }
    if of.is_empty() {
        return JunitOutput::default();
    }
    let resource = format!("{}.calls.txt", target.class);
    let holds = suite
        .invariant
        .as_ref()
        .map(|invariant| writer.holds(invariant));
    let reader = format!("{READER}{}", writer.switch());
    let scope = &mut writer.scope;
    let contents = reading_class(
        suite,
        target,
        scope,
        &resource,
        holds.as_deref(),
        &reader,
        &writer.lines,
    );
    let files = vec![
        TextFile {
            path: target.path(&format!("{}.java", target.class)),
            kind: FileKind::Source,
            contents,
        },
        TextFile {
            path: target.path(&resource),
            kind: FileKind::Resource,
            contents: writer.lines.head(HEAD, suite) + &data,
        },
    ];
    JunitOutput {
        files,
        rows: vec![TestRows::of_data(of)],
        ..JunitOutput::default()
    }
}

struct CallsDataWriter<'a> {
    suite: &'a Suite,
    scope: Scope,
    lines: Lines,
    /// Statements of each method's branch, by its name in the file.
    branches: BTreeMap<String, String>,
}

impl CallsDataWriter<'_> {
    fn case(&mut self, case: &Case) -> String {
        let mut all: Vec<&Sequence> = Vec::new();
        for sequence in case.sequences() {
            if !all.contains(&sequence) {
                all.push(sequence);
            }
        }
        let mut parts = Vec::new();
        let mut made = Vec::new();
        let mut next = 1;
        for (place, sequence) in all.iter().enumerate() {
            let mut numbers = Vec::new();
            for (call, step) in sequence.steps.iter().enumerate() {
                numbers.push(match (place, call == sequence.object) {
                    (0, true) => 0,
                    _ => next,
                });
                let is_held = sequence.is_used(call) && step.made.is_some();
                let mut part = match is_held {
                    true => format!("@{}=", numbers[call]),
                    false => String::new(),
                };
                next += usize::from(is_held && numbers[call] != 0);
                if let Some(receiver) = step.receiver {
                    let _ = write!(part, "@{}.", numbers[receiver]);
                }
                part.push_str(&self.method(&step.class.name, &step.method));
                for argument in &step.arguments {
                    let argument = match argument {
                        Input::Object(object) => format!("@{}", numbers[*object]),
                        Input::Literal(literal) => self.lines.literal(literal),
                    };
                    let _ = write!(part, " {argument}");
                }
                parts.push(part);
            }
            made.push(numbers[sequence.object]);
        }
        let mut line = parts.join(" ; ");
        for call in &case.calls {
            line.push_str(" | ");
            line.push_str(&self.call(call, &all, &made));
        }
        line
    }

    fn call(&mut self, call: &Call, all: &[&Sequence], made: &[usize]) -> String {
        let class = match call.method.is_static {
            true => &call.method.declaring_class,
            false => &self.suite.class_under_test.name,
        };
        let mut line = self.method(&class.clone(), &call.method);
        for argument in &call.args {
            let known = match argument {
                Literal::Made(sequence) => all.iter().position(|other| *other == sequence),
                _ => None,
            };
            let argument = match known {
                Some(place) => format!("@{}", made[place]),
                None => self.lines.literal(argument),
            };
            let _ = write!(line, " {argument}");
        }
        let _ = write!(line, " -> {}", self.lines.outcome(&call.outcome));
        if self.suite.invariant.is_some() && !call.invariant_holds_after {
            line.push_str(" broken");
        }
        for later in &call.then {
            let _ = write!(line, " then {}", self.call(later, all, made));
        }
        line
    }

    /// Name of a method in the file; adds a branch for it.
    fn method(&mut self, class: &str, method: &MethodSig) -> String {
        let types = MethodDescriptor::parse(&method.descriptor).unwrap_or_default();
        let name = match method.is_constructor() {
            true => "new",
            false => &method.name,
        };
        let signature = call::signature(name, method.has_twin, &types);
        let is_own = !method.is_static && class == self.suite.class_under_test.name;
        let name = match is_own {
            true => signature,
            false => format!("{}#{signature}", self.lines.class(class)),
        };
        if !self.branches.contains_key(&name) {
            let branch = self.branch(class, method, &types);
            self.branches.insert(name.clone(), branch);
        }
        literal::ascii(&name)
    }

    fn branch(&mut self, class: &str, method: &MethodSig, types: &MethodDescriptor) -> String {
        let arguments = types.parameters.iter().enumerate();
        let arguments = arguments.map(|(place, parameter)| {
            let expected = binary_name(parameter);
            let cast = self.scope.type_name(&expected);
            let plain = format!("arguments[{place}]");
            ArgumentExpression {
                unboxed: None,
                fits: cast.is_some(),
                source: match cast {
                    Some(cast) if cast != "Object" => format!("({cast}) {plain}"),
                    _ => plain,
                },
                static_type: expected,
                is_alone_an_array: false,
                target: None,
            }
        });
        let arguments: Vec<ArgumentExpression> = arguments.collect();
        let receiver = (!method.is_static).then(|| match self.scope.type_name(class) {
            Some(name) => format!("(({name}) receiver)"),
            None => "receiver".to_owned(),
        });
        let on = receiver.as_deref();
        let scope = &mut self.scope;
        let call = call::direct(
            scope,
            class,
            on,
            method,
            (&types.parameters, None),
            &arguments,
        )
        .unwrap_or_else(|| call::reflective(scope, Some("receiver"), method, types, &arguments));
        match types.returns == "V" && !method.is_constructor() {
            true => format!("{call};\n                return null;"),
            false => format!("return {call};"),
        }
    }

    fn switch(&self) -> String {
        let mut text = "\n    private static Object call(String method, Object receiver, Object[] arguments)\n            \
             throws Throwable {\n        switch (method) {\n"
            .to_owned();
        for (name, branch) in &self.branches {
            let name = literal::string(name);
            let _ = write!(text, "            case {name}:\n                {branch}\n");
        }
        text.push_str(
            "            default:\n                throw new NoSuchMethodException(method);\n        \
             }\n    }\n",
        );
        text
    }

    /// Statement that returns the result of the invariant on `root`.
    fn holds(&mut self, invariant: &InvariantSig) -> String {
        let sig = MethodSig {
            declaring_class: invariant.declaring_class.clone(),
            name: invariant.name.clone(),
            descriptor: "()Z".to_owned(),
            is_static: false,
            is_accessible: match invariant.access {
                Access::Public => true,
                Access::Private => false,
                Access::Package | Access::Protected => {
                    crate::types::package(&invariant.declaring_class) == self.lines.package()
                }
            },
            is_overloaded: false,
            has_twin: false,
            exceptions: Vec::new(),
            parameters: Vec::new(),
        };
        let types = MethodDescriptor::parse(&sig.descriptor).unwrap_or_default();
        let class = self.scope.type_name(&self.suite.class_under_test.name);
        let receiver = class.map(|class| format!("(({class}) root)"));
        let plain = receiver.and_then(|receiver| {
            call::direct(&mut self.scope, "", Some(&receiver), &sig, (&[], None), &[])
        });
        match plain {
            Some(plain) => format!("return {plain};"),
            None => {
                let call = call::reflective(&mut self.scope, Some("root"), &sig, &types, &[]);
                format!("return (boolean) {call};")
            }
        }
    }
}
