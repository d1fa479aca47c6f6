//! Inputs of methods, run on the engine and passed to `Replay.java`, which runs them on a real JVM.

use heapwright_jvm::descriptor::{self, Kind};
use heapwright_jvm::{Exit, Plain, Vm};
use heapwright_techniques::symbolic::{Contents, Ending, InputValue, RunInput, Target, make};

/// Returns the outcome of a concrete run on the engine, in the notation of `Replay.java`.
pub fn run_on_engine(vm: &mut Vm, target: &Target, input: &RunInput) -> String {
    run_and_look(vm, target, input, |_, text, _| text)
}

/// Runs like [`run_on_engine`], with a callback at the end of the run that receives the outcome and
/// the exit.
pub fn run_and_look<T>(
    vm: &mut Vm,
    target: &Target,
    input: &RunInput,
    look: impl FnOnce(&Vm, String, &Exit) -> T,
) -> T {
    let mark = vm.mark();
    let slots = make(vm, input).expect("the input can be made");
    let exit = match vm.call(target.method(), &slots) {
        Ok(()) => {
            vm.limit_steps(10_000_000);
            vm.run(&mut Plain)
        }
        Err(exit) => exit,
    };
    let text = match exit.clone() {
        Exit::Done(slot) => shown(vm, target, slot),
        Exit::Threw(exception) => format!("T:{}", vm.binary_name(vm.heap.class_of(exception))),
        exit => format!("{exit:?}"),
    };
    let seen = look(vm, text, &exit);
    vm.undo_to(mark);
    vm.forget(mark);
    vm.abandon();
    seen
}

fn result_descriptor(vm: &Vm, target: &Target) -> String {
    let descriptor = vm.text(vm.method(target.method()).descriptor).to_owned();
    let (_, result) = descriptor::split_method(&descriptor).expect("a method's descriptor");
    result.to_owned()
}

fn shown(vm: &Vm, target: &Target, slot: u64) -> String {
    let result = result_descriptor(vm, target);
    match Kind::of(&result) {
        Kind::Void => "V".to_owned(),
        Kind::Reference => match slot as u32 {
            0 => "N".to_owned(),
            object => {
                let class = vm.heap.class_of(heapwright_jvm::Ref(object));
                format!("L:{}", vm.binary_name(class))
            }
        },
        kind => format!("{result}:{}", bits(kind, slot)),
    }
}

fn bits(kind: Kind, slot: u64) -> u64 {
    match kind {
        Kind::Float if f32::from_bits(slot as u32).is_nan() => 0x7FC0_0000,
        Kind::Double if f64::from_bits(slot).is_nan() => 0x7FF8_0000_0000_0000,
        Kind::Long | Kind::Double => slot,
        _ => u64::from(slot as u32),
    }
}

/// Returns the outcome that a path predicts for its runs; `None` if it was not followed to its end.
pub fn predicted(vm: &Vm, target: &Target, ending: &Ending) -> Option<String> {
    Some(match ending {
        Ending::ReturnedVoid => "V".to_owned(),
        Ending::Returned(kind, slot, _) => {
            format!("{}:{}", result_descriptor(vm, target), bits(*kind, *slot))
        }
        Ending::ReturnedObject(None) => "N".to_owned(),
        Ending::ReturnedObject(Some(class)) => format!("L:{class}"),
        Ending::Threw(class) => format!("T:{class}"),
        _ => return None,
    })
}

/// Formats an input as a line for `Replay.java`.
pub fn line(vm: &Vm, class: &str, target: &Target, input: &RunInput) -> String {
    let descriptor = vm.text(vm.method(target.method()).descriptor);
    let name = target.name.split('(').next().unwrap_or_default();
    let mut line = format!("{class} {name} {descriptor} {}", input.objects.len());
    for object in &input.objects {
        let (kind, words): (_, Vec<String>) = match &object.contents {
            Contents::Text(units) => ("T", units.iter().map(u16::to_string).collect()),
            Contents::Elements(elements) => ("A", elements.iter().map(token).collect()),
            Contents::Fields(fields) => {
                let words = fields
                    .iter()
                    .flat_map(|(owner, name, value)| [owner.clone(), name.clone(), token(value)]);
                ("F", words.collect())
            }
        };
        line += &format!(" {kind} {} {}", object.class, words.len());
        for word in words {
            line += &format!(" {word}");
        }
    }
    line += &format!(" {}", input.roots.len());
    for (_, value) in &input.roots {
        line += &format!(" {}", token(value));
    }
    line
}

fn token(value: &InputValue) -> String {
    match value {
        InputValue::Null => "N".to_owned(),
        InputValue::Object(number) => format!("@{number}"),
        InputValue::Constant(class, name) => format!("E:{class}:{name}"),
        InputValue::Primitive(kind, slot) => format!("{}:{}", letter(*kind), bits(*kind, *slot)),
    }
}

fn letter(kind: Kind) -> char {
    match kind {
        Kind::Boolean => 'Z',
        Kind::Byte => 'B',
        Kind::Char => 'C',
        Kind::Short => 'S',
        Kind::Long => 'J',
        Kind::Float => 'F',
        Kind::Double => 'D',
        _ => 'I',
    }
}
