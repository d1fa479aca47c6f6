//! Violations: the inputs, where the program asked for them, and what they lead to.

use heapwright_explore::symbolic::{AskedInput, Assignment, SymbolicSearch};
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::{MethodId, Vm};
use heapwright_suite::Value;

use crate::read;
use crate::symbolic::{Contents, InputValue, RunInput, Target};

/// Place in a program's source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Binary name of the class.
    pub class: String,
    /// Method with its parameters: `remove(int)`.
    pub method: String,
    /// Name of the source file, if the class file tells it.
    pub file: Option<String>,
    /// Line, if the class file tells it.
    pub line: Option<u32>,
}

/// Input that the program asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedValue {
    /// Where it asked.
    pub place: Place,
    /// Name that the program gives it, if any.
    pub name: Option<String>,
    /// Kind; that of a string is [`Kind::Reference`].
    pub kind: Kind,
    /// Value, as an entry of [`Violation::inputs`].
    pub value: InputValue,
    /// Whether the value comes from outside of the program, which has not asked for an input.
    pub is_outside: bool,
}

/// Run that violates a property.
#[derive(Clone, Debug, PartialEq)]
pub struct Violation {
    /// What ends the run: the exception's class and message, or the deadlock.
    pub what: String,
    /// Binary name of the exception's class, if one is thrown.
    pub thrown: Option<String>,
    /// Frames of the exception, innermost first.
    pub trace: Vec<Place>,
    /// Inputs asked for, in order.
    pub asked: Vec<AskedValue>,
    /// Arguments of a method, and the objects of all inputs.
    pub inputs: RunInput,
}

/// Value of an input that a program asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AskedLiteral<'v> {
    /// Primitive value, or null.
    Value(Value),
    /// Characters of a string.
    Text(&'v [u16]),
}

impl Violation {
    /// Value of an input.
    #[must_use]
    pub fn literal(&self, asked: &AskedValue) -> AskedLiteral<'_> {
        match &asked.value {
            InputValue::Primitive(kind, slot) => {
                AskedLiteral::Value(read::value(*kind, *slot, |_| Value::Null))
            }
            InputValue::Object(number) => match &self.inputs.objects[*number].contents {
                Contents::Text(units) => AskedLiteral::Text(units),
                _ => AskedLiteral::Value(Value::Null),
            },
            _ => AskedLiteral::Value(Value::Null),
        }
    }
}

/// Describes an instruction of a program.
pub(super) fn place_at(vm: &Vm, method: MethodId, line: i32) -> Place {
    let this = vm.method(method);
    let text = vm.method_text(method);
    let class = vm.binary_name(this.class);
    let own = text
        .strip_prefix(&class)
        .and_then(|rest| rest.strip_prefix('.'));
    Place {
        method: own.unwrap_or(&text).to_owned(),
        file: vm.source_file(this.class),
        line: u32::try_from(line).ok().filter(|&line| line > 0),
        class,
    }
}

/// Reads the inputs of the current path under a model.
pub(super) fn inputs(
    vm: &mut Vm,
    search: &SymbolicSearch<'_>,
    target: &Target,
    model: &Assignment,
) -> (Vec<AskedValue>, RunInput) {
    let asked: Vec<AskedInput> = search.asked_inputs().to_vec();
    let slots: Vec<(Kind, u64)> = asked.iter().map(|input| (input.kind, input.slot)).collect();
    let (values, inputs) = target.input_with(vm, search, model, &slots);
    let values = asked.into_iter().zip(values).map(|(input, value)| {
        let (method, index) = input.site;
        AskedValue {
            place: place_at(vm, method, vm.line_at(method, index)),
            name: input.name,
            kind: input.kind,
            value,
            is_outside: input.is_outside,
        }
    });
    (values.collect(), inputs)
}
