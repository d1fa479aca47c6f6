//! Witness of a verdict, for validators.

use std::time::SystemTime;

use heapwright_jvm::Vm;
use heapwright_jvm::descriptor::Kind;
use heapwright_report::witness::{Witness, WitnessStep, witness};
use heapwright_suite::Value;
use heapwright_suite::literal;
use heapwright_techniques::verify::{
    AskedLiteral, Place, Property, Verdict, VerifyReport, VerifyRequest, Violation,
};
use sha2::{Digest, Sha256};

use crate::files::Output;

/// Writes the witness of a verdict; there is none of an unknown one.
///
/// # Errors
/// The file cannot be written.
pub fn write(
    mut to: Output,
    vm: &Vm,
    request: &VerifyRequest,
    report: &VerifyReport,
) -> anyhow::Result<()> {
    let steps = match &report.verdict {
        Verdict::False(violation) => {
            let is_of_competition = vm.loaded_class(COMPETITION).is_some();
            Some(steps(violation, is_of_competition))
        }
        Verdict::True => None,
        Verdict::Bounded | Verdict::Unknown => {
            notice!("no witness was written: the verdict is neither true nor false");
            return Ok(());
        }
    };
    let loaded = vm.loaded_class(&request.class.replace('.', "/"));
    let file = loaded.and_then(|class| vm.class(class).file.clone());
    let (name, bytes) = match &file {
        Some(file) => (file.source.as_str(), file.bytes.as_slice()),
        None => (request.class.as_str(), [].as_slice()),
    };
    let text = witness(&Witness {
        producer: format!("Heapwright {}", env!("CARGO_PKG_VERSION")),
        specification: specification(request),
        program_file: name.to_owned(),
        program_hash: hexadecimal(&Sha256::digest(bytes)),
        created: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        steps,
    });
    to.write_line(text.trim_end())?;
    to.finish()
}

fn specification(request: &VerifyRequest) -> String {
    let formula = match request.property {
        Property::Assertions => "G assert",
        Property::NoRuntimeException => "G ! uncaught(java.lang.RuntimeException)",
        Property::NoException => "G ! uncaught(java.lang.Throwable)",
        Property::NoDeadlock => "G ! deadlock",
    };
    format!("CHECK( init({}.main()), LTL({formula}) )", request.class)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Library of the competition, whose methods are named after types.
const COMPETITION: &str = "org/sosy_lab/sv_benchmarks/Verifier";

/// A step for each input, and one to the place of the violation.
fn steps(violation: &Violation, is_of_competition: bool) -> Vec<WitnessStep> {
    let step = |place: &Place, assumption| WitnessStep {
        file: source_path(place),
        line: place.line,
        assumption,
        scope: scope(place),
        function: None,
    };
    // Validators set what the program asks for alone.
    let asked = violation.asked.iter().filter(|asked| !asked.is_outside);
    let asked = asked.map(|asked| {
        let assumption = assumption(violation.literal(asked));
        WitnessStep {
            function: is_of_competition.then(|| format!("nondet{}", type_word(asked.kind))),
            ..step(&asked.place, Some(assumption))
        }
    });
    let last = violation.trace.first().map(|place| step(place, None));
    asked.chain(last).collect()
}

/// Word for a type in the names of the competition's methods.
fn type_word(kind: Kind) -> &'static str {
    match kind {
        Kind::Boolean => "Boolean",
        Kind::Byte => "Byte",
        Kind::Char => "Char",
        Kind::Short => "Short",
        Kind::Int => "Int",
        Kind::Long => "Long",
        Kind::Float => "Float",
        Kind::Double => "Double",
        Kind::Reference => "String",
        Kind::Void => "",
    }
}

/// Path of a source file below the root of its package.
fn source_path(place: &Place) -> Option<String> {
    let file = place.file.as_ref()?;
    Some(match place.class.rsplit_once('.') {
        Some((package, _)) => format!("{}/{file}", package.replace('.', "/")),
        None => file.clone(),
    })
}

/// Name of a method as tools for Java write it. Validators look for the name of the source file in
/// it, which precedes if the class has another.
fn scope(place: &Place) -> String {
    let method = place.method.split('(').next().unwrap_or_default();
    let scope = format!("java::L{};.{method}", place.class.replace('.', "/"));
    let stem = place
        .file
        .as_deref()
        .and_then(|file| file.split('.').next());
    match stem {
        Some(stem) if !scope.contains(stem) => format!("{stem}::{scope}"),
        _ => scope,
    }
}

/// Condition on the result of the call, in the forms that validators read.
fn assumption(value: AskedLiteral<'_>) -> String {
    match value {
        AskedLiteral::Text(units) => format!("\\result.equals({})", literal::units(units)),
        AskedLiteral::Value(value @ Value::Float(_)) => {
            format!(
                "Float.parseFloat(\"{}\") == \\result",
                literal::plain(value)
            )
        }
        AskedLiteral::Value(value @ Value::Double(_)) => {
            format!(
                "Double.parseDouble(\"{}\") == \\result",
                literal::plain(value)
            )
        }
        AskedLiteral::Value(Value::Char(unit)) => format!("\\result == {unit}"),
        AskedLiteral::Value(value) => format!("\\result == {}", literal::plain(value)),
    }
}
