//! Reproducers: a JUnit test that makes a run of a violation again, and a stand-in of the libraries
//! that plays the inputs back.

use std::sync::Arc;

use heapwright_jvm::Vm;
use heapwright_suite::junit::{FileKind, TextFile};
use heapwright_suite::literal;
use heapwright_suite::{
    Action, CallOutcome, ClassSig, Construction, Input, Label, Literal, MethodSig, Requirement,
    Script, Statement, Step, Suite, Value,
};

use super::violation::{AskedLiteral, AskedValue};
use super::{Program, Property, VerifyRequest, Violation, search};
use crate::Error;
use crate::hidden_names;
use crate::observe::method_sig;
use crate::read::StructureReader;
use crate::symbolic::{self, InputCases};
use crate::target::find_class;

/// Test of a violation.
#[derive(Clone, Debug, PartialEq)]
pub struct Reproducer {
    /// Suite with the one test, which fails.
    pub suite: Suite,
    /// Sources of the libraries that the program asks, and of the stand-in that they ask.
    pub libraries: Vec<TextFile>,
}

/// Sources of the libraries, by the names of their classes.
const SOURCES: [(&str, &str); 9] = [
    (
        "gov/nasa/jpf/jvm/Verify",
        include_str!("../../verifiers/gov/nasa/jpf/jvm/Verify.java"),
    ),
    (
        "gov/nasa/jpf/symbc/Debug",
        include_str!("../../verifiers/gov/nasa/jpf/symbc/Debug.java"),
    ),
    (
        "gov/nasa/jpf/vm/Verify",
        include_str!("../../verifiers/gov/nasa/jpf/vm/Verify.java"),
    ),
    (
        OBJECTS,
        include_str!("../../verifiers/heapwright/verify/Objects.java"),
    ),
    (
        "org/cprover/CProver",
        include_str!("../../verifiers/org/cprover/CProver.java"),
    ),
    (
        "org/cprover/CProverString",
        include_str!("../../verifiers/org/cprover/CProverString.java"),
    ),
    (
        "org/sosy_lab/sv_benchmarks/Verifier",
        include_str!("../../verifiers/org/sosy_lab/sv_benchmarks/Verifier.java"),
    ),
    (
        "tools/aqua/concolic/Verifier",
        include_str!("../../verifiers/tools/aqua/concolic/Verifier.java"),
    ),
    (
        "za/ac/sun/cs/coastal/Symbolic",
        include_str!("../../verifiers/za/ac/sun/cs/coastal/Symbolic.java"),
    ),
];

/// First line of a library's source.
const HEAD: &str = "// Written by Heapwright, with a stand-in for the inputs.\n";

/// Class of objects as inputs.
const OBJECTS: &str = "heapwright/verify/Objects";

/// Class that the stand-in replaces.
const STAND_IN: &str = "heapwright.verify.Inputs";

/// Inputs that one method of the stand-in adds; a method has at most 64 KiB of code.
const PART: usize = 1000;

/// Makes the reproducer of a violation. The inner error is the reason why there is none.
///
/// # Errors
/// A class no longer exists, or memory is exhausted.
pub fn reproducer(
    vm: &mut Vm,
    request: &VerifyRequest,
    violation: &Violation,
) -> Result<Result<Reproducer, String>, Error> {
    if !request.opened.is_empty() {
        let reason = "no call of a test gives a method other arguments than its program does";
        return Ok(Err(reason.to_owned()));
    }
    let console = match console(violation) {
        Ok(bytes) => bytes,
        Err(reason) => return Ok(Err(reason)),
    };
    let requirement = match (&violation.thrown, request.property) {
        (Some(thrown), _) => Requirement::DoesNotThrow(thrown.clone()),
        (None, Property::NoDeadlock) => Requirement::Ends,
        (None, _) => Requirement::Returns,
    };
    let label = Label {
        name: None,
        note: vec![violation.what.clone()],
    };
    let mut suite = match &request.program {
        Program::Main(arguments) => main_suite(vm, request, arguments, label)?,
        Program::Method(_) => {
            let outcome = CallOutcome::Failed(requirement.clone());
            let made = method_suite(vm, request, violation, (label, outcome))?;
            match made {
                Ok(suite) => suite,
                Err(reason) => return Ok(Err(reason)),
            }
        }
    };
    for script in &mut suite.scripts {
        script.outcome = CallOutcome::Failed(requirement.clone());
    }
    suite.resets = vec![rewind()];
    Ok(Ok(Reproducer {
        suite,
        libraries: libraries(vm, violation, &console),
    }))
}

/// Suite with a call of the main method.
fn main_suite(
    vm: &mut Vm,
    request: &VerifyRequest,
    arguments: &[String],
    label: Label,
) -> Result<Suite, Error> {
    let class = find_class(vm, &request.class)?;
    let mut classes = vm.class(class).display.clone().into_iter().rev();
    let main = classes.find_map(|class| {
        let mut methods = vm.class(class).methods.iter().copied();
        methods.find(|&method| {
            let this = vm.method(method);
            vm.text(this.name) == "main"
                && vm.text(this.descriptor) == "([Ljava/lang/String;)V"
                && this.is_static()
        })
    });
    let Some(main) = main else {
        return Err(Error::MethodNotFound {
            class: request.class.clone(),
            what: "method",
            name: "main(java.lang.String[])".to_owned(),
            candidates: Vec::new(),
        });
    };
    let class_sig = StructureReader::new(vm, class).class_sig(vm, class);
    let words = arguments.iter().cloned().map(Literal::String).collect();
    let call = Step {
        method: Arc::new(method_sig(vm, class, main)),
        class: Arc::clone(&class_sig),
        receiver: None,
        arguments: vec![Input::Literal(Literal::Array {
            class: "[Ljava.lang.String;".to_owned(),
            elements: words,
        })],
        made: None,
        spelling: None,
        is_variadic: false,
        body: None,
    };
    Ok(Suite {
        class_under_test: class_sig,
        invariant: None,
        cases: Vec::new(),
        scripts: vec![Script {
            label,
            statements: vec![statement(call)],
            outcome: CallOutcome::ReturnedVoid,
            after: Vec::new(),
            invariant_holds_after: None,
            settings: Vec::new(),
            exchange: None,
        }],
        hides: hidden_names(vm, class),
        resets: Vec::new(),
        uses_deprecated: vm.mentions(class, "Ljava/lang/Deprecated;"),
    })
}

/// Suite with a call of a method with its arguments.
fn method_suite(
    vm: &mut Vm,
    request: &VerifyRequest,
    violation: &Violation,
    call: (Label, CallOutcome),
) -> Result<Result<Suite, String>, Error> {
    if !violation.asked.is_empty() {
        let reason = "the method asks for further inputs";
        return Ok(Err(reason.to_owned()));
    }
    let paths = search::paths_request(request, request.first);
    let target = symbolic::targets(vm, &paths)?.swap_remove(0);
    let class = find_class(vm, &request.class)?;
    let mut cases = InputCases::new(vm, class, None, request.first.step_limit);
    match cases.case_with(vm, &target, &violation.inputs, call)? {
        Ok(case) => Ok(Ok(cases.suite(vm, vec![case]))),
        Err(obstacle) => Ok(Err(obstacle.to_string())),
    }
}

fn statement(call: Step) -> Statement {
    Statement {
        action: Action::Call(call),
        name: None,
        thrown: None,
        contents: Vec::new(),
        given: None,
    }
}

/// Call that makes the stand-in begin with the first input.
fn rewind() -> Statement {
    statement(Step {
        method: Arc::new(MethodSig {
            declaring_class: STAND_IN.to_owned(),
            name: "rewind".to_owned(),
            descriptor: "()V".to_owned(),
            is_static: true,
            is_accessible: true,
            is_overloaded: false,
            has_twin: false,
            exceptions: Vec::new(),
            parameters: Vec::new(),
        }),
        class: Arc::new(ClassSig {
            name: STAND_IN.to_owned(),
            source_name: Some(STAND_IN.to_owned()),
            construction: Construction::WithoutConstructor,
            is_generic: false,
            arguments: Vec::new(),
        }),
        receiver: None,
        arguments: Vec::new(),
        made: None,
        spelling: None,
        is_variadic: false,
        body: None,
    })
}

/// Sources of the stand-in and of the libraries that the program has used.
fn libraries(vm: &Vm, violation: &Violation, console: &[u8]) -> Vec<TextFile> {
    let source = |class: &str, contents: String| TextFile {
        path: format!("{class}.java"),
        kind: FileKind::Source,
        contents,
    };
    let mut files = vec![source(
        "heapwright/verify/Inputs",
        stand_in(violation, console),
    )];
    // Some libraries name the class of objects, whether the run has come there or not.
    let is_any = SOURCES
        .iter()
        .any(|(class, _)| vm.loaded_class(class).is_some());
    for (class, text) in SOURCES {
        if vm.loaded_class(class).is_some() || (is_any && class == OBJECTS) {
            files.push(source(class, format!("{HEAD}{text}")));
        }
    }
    files
}

/// Bytes that standard input has in the run of a violation. An error is the reason why a test cannot
/// make the inputs from outside of the program.
fn console(violation: &Violation) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for asked in violation.asked.iter().filter(|asked| asked.is_outside) {
        let name = asked.name.as_deref().unwrap_or_default();
        match (name, violation.literal(asked)) {
            ("line of System.in", AskedLiteral::Text(units)) => {
                let line = String::from_utf16(units);
                let line = line.map_err(|_| "no encoding has a line of the input".to_owned())?;
                bytes.extend_from_slice(line.as_bytes());
                bytes.push(b'\n');
            }
            ("byte of System.in", AskedLiteral::Value(Value::Byte(byte))) => {
                bytes.push(byte as u8);
            }
            ("System.in fails", AskedLiteral::Value(Value::Boolean(false)))
            | ("System.in ends" | "System.in has more bytes", _) => {}
            _ => return Err(format!("no test makes this input: {name}")),
        }
    }
    Ok(bytes)
}

/// Source of the stand-in.
fn stand_in(violation: &Violation, console: &[u8]) -> String {
    let mut parts = String::new();
    let mut calls = String::new();
    let asked = violation.asked.iter().filter(|asked| !asked.is_outside);
    let asked: Vec<&AskedValue> = asked.collect();
    let units: Vec<u16> = console.iter().map(|&byte| byte.into()).collect();
    let console = match violation.asked.len() == asked.len() {
        true => String::new(),
        false => CONSOLE.replace("TEXT", &literal::units(&units)),
    };
    for (number, part) in asked.chunks(PART).enumerate() {
        calls.push_str(&format!("        part{number}();\n"));
        parts.push_str(&format!("\n    private static void part{number}() {{\n"));
        for asked in part {
            let value = match violation.literal(asked) {
                AskedLiteral::Value(value) => literal::value(value).unwrap_or_default(),
                AskedLiteral::Text(units) => literal::units(units),
            };
            parts.push_str(&format!("        VALUES.add({value});\n"));
        }
        parts.push_str("    }\n");
    }
    STAND_IN_SOURCE
        .replace("        // parts\n", &calls)
        .replace("        // console\n", &console)
        .replace("    // methods\n", parts.trim_start_matches('\n'))
}

/// Statement that sets standard input.
const CONSOLE: &str = "        System.setIn(new java.io.ByteArrayInputStream(\n            TEXT\n                .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1)));\n";

const STAND_IN_SOURCE: &str = include_str!("inputs.java");
